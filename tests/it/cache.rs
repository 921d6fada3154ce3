//! The cache in `.stepkin` saves time and never affects results.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::support::server::{Server, eventually};
use crate::support::{SiteTest, Tree, check_same_tree, json, tree};
use walkdir::WalkDir;

/// Long enough for file times to change.
const SETTLED: Duration = Duration::from_millis(60);

fn site() -> SiteTest {
    SiteTest::fixture("three-steps")
}

/// A page of the fixture, and its URL.
const PAGE: (&str, &str) = ("content/garden/web/sow.md", "/garden/web/sow/");

/// Every file and folder in the root, with the metadata that changes when it is written.
fn state(site: &SiteTest) -> Vec<(String, u64, i64, i64)> {
    let entries = WalkDir::new(site.root()).sort_by_file_name().into_iter().map(|entry| entry.expect("ours"));
    let state = entries.map(|entry| {
        let metadata = entry.metadata().expect("ours");
        let name = entry.path().display().to_string();
        (name, metadata.ino(), metadata.mtime(), metadata.mtime_nsec())
    });
    state.collect()
}

/// Builds with and without the cache, and compares the results.
#[track_caller]
fn check_build(site: &SiteTest, story: &str) {
    site.run(&["build"]).exits(0);
    site.run(&["build", "--no-cache", "--output", "clean"]).exits(0);
    check_same_tree(&site.output(), &tree(&site.path("clean")), story);
    fs::remove_dir_all(site.path("clean")).expect("our own folder");
}

#[test]
fn a_build_that_finds_nothing_changed_writes_nothing() {
    let site = site().build();
    // Files that were written at the very end may have to be read again.
    thread::sleep(SETTLED);
    site.run(&["build"]).exits(0).says("nothing changed");
    let before = state(&site);
    let run = site.run(&["build"]).exits(0).says("nothing changed");
    assert_eq!(state(&site), before);
    let again = site.run(&["build", "--no-cache"]).exits(0);
    let counts = |said: &str| said.split(" (").next().map(str::to_string);
    assert_eq!(counts(&run.stderr), counts(&again.stderr), "it says the same");
    assert_eq!(state(&site), before, "and without the cache nothing is written either");
}

#[test]
fn a_check_caches_its_findings_and_the_next_one_writes_nothing() {
    let site = site();
    let text = site.text(PAGE.0);
    site.write(PAGE.0, format!("{text}\n[x](/nowhere/)\n"));
    // Files that were just written aren't recognized by their stamps.
    std::thread::sleep(std::time::Duration::from_millis(50));
    let first = site.run(&["check", "--format", "json"]).exits(1).reports("missing-page");
    assert!(site.path(".stepkin/findings.index").exists());
    let before = state(&site);
    let second = site.run(&["check", "--format", "json"]).exits(1);
    assert_eq!(first.stdout, second.stdout);
    assert_eq!(state(&site), before);
    // A build has all results that it would otherwise have to compute.
    let written = |site: &SiteTest| fs::metadata(site.path(".stepkin/findings-1.data")).expect("kept").len();
    let length = written(&site);
    site.run(&["build"]).exits(0).says("1 error");
    assert_eq!(written(&site), length);
}

/// A page without changes has other content when a page to which it refers appears. The content of one output isn't
/// used for another.
#[test]
fn builds_into_two_folders_do_not_take_one_for_the_other() {
    let site = SiteTest::empty().edit("content/guide.md", "---\ntitle: Guide\n---\n\n[later](/later)\n");
    let check = |output: &str, link: &str| {
        thread::sleep(SETTLED);
        site.run(&["build", "--output", output]).exits(0);
        let page = site.text(&format!("{output}/guide/index.html"));
        assert!(page.contains(&format!("href=\"{link}\"")), "{output}: {page}");
    };
    check("one", "/later");
    check("other", "/later");
    site.write("content/later.md", "---\ntitle: Later\n---\n");
    check("other", "/later/");
    check("one", "/later/");
    fs::remove_file(site.path("content/later.md")).expect("our own");
    check("one", "/later");
    check("other", "/later");
}

/// Hand-written navigation isn't shown, but its title is still checked.
#[test]
fn findings_follow_the_targets_of_hand_written_navigation() {
    let notes = "---\ntitle: Notes\n---\n\n## Keys\n\nText.\n";
    let next = "<a href=\"/notes/\" style=\"float:right\">Next >> Notes</a>";
    let site = SiteTest::empty()
        .edit("content/notes.md", notes)
        .edit("content/guide.md", format!("---\ntitle: Guide\n---\n\nText.\n\n{next}\n"));
    let check = |expected: &[(&str, &str)]| {
        thread::sleep(SETTLED);
        let found = site.findings();
        let found: Vec<_> = found.iter().map(|it| (it.file.as_str(), it.code.as_str())).collect();
        assert_eq!(found, expected);
    };
    let typed = ("content/guide.md", "hand-written-nav");
    check(&[typed]);
    assert!(site.path(".stepkin/findings.index").exists());
    site.write("content/notes.md", notes.replace("title: Notes", "title: Remarks"));
    let stale = ("content/guide.md", "nav-stale-label");
    check(&[typed, stale]);
    site.write("content/notes.md", notes);
    check(&[typed]);
}

#[test]
fn the_folder_is_marked_as_one_that_can_be_made_again() {
    let site = site().build();
    assert_eq!(site.text(".stepkin/.gitignore"), "*\n");
    assert!(site.text(".stepkin/CACHEDIR.TAG").starts_with("Signature: 8a477f597d28d172789f06886806bc55"));
}

#[test]
fn without_the_cache_there_is_no_folder() {
    let site = site();
    site.run(&["build", "--no-cache"]).exits(0);
    site.run(&["check", "--no-cache"]).exits(0);
    assert_eq!(site.names_in_root().iter().filter(|name| name.starts_with(".stepkin")).count(), 0);
}

#[test]
fn a_folder_that_cannot_be_made_is_no_failure() {
    let site = site();
    site.write(".stepkin", "a file");
    check_build(&site, "a file in its place");
    site.run(&["check"]).exits(0);
    fs::remove_file(site.path(".stepkin")).expect("ours");
    // A folder with folders in place of files.
    for name in ["pages.index/x", "code.index/x", "pages.index.new/x", ".gitignore/x"] {
        site.write(&format!(".stepkin/{name}"), "x");
    }
    check_build(&site, "folders in the place of files");
}

/// Stamps can't show a save of the same size in the same clock step as the read.
#[test]
fn a_save_right_after_a_build_is_seen() {
    let site = site().build();
    let text = site.text(PAGE.0);
    for round in 0..40 {
        site.write(PAGE.0, format!("{text}\nRound {round:02}.\n"));
        site.run(&["build"]).exits(0);
        site.page(PAGE.1).shows(&format!("Round {round:02}."));
    }
}

#[test]
fn changes_to_the_output_are_reverted() {
    let site = site().build();
    let page = format!("dist{}index.html", PAGE.1);
    let whole = site.text(&page);
    for wait in [Duration::ZERO, SETTLED] {
        thread::sleep(wait);
        site.write(&page, whole.replace("<html", "<HTML"));
        check_build(&site, "edited");
        thread::sleep(wait);
        fs::remove_file(site.path(&page)).expect("a page");
        check_build(&site, "deleted");
        thread::sleep(wait);
        fs::rename(site.path("dist/404.html"), site.path("dist/other.html")).expect("a page");
        site.run(&["build"]).exits(0);
        assert!(site.path("dist/other.html").exists(), "what is not ours stays");
        fs::remove_file(site.path("dist/other.html")).expect("ours");
        check_build(&site, "renamed");
    }
}

#[test]
fn settings_of_one_name_are_distinguished() {
    let site = site().build();
    let plain = site.output();
    site.run(&["build", "--base-url", "/docs/"]).exits(0);
    site.page(PAGE.1).shows("/docs/");
    site.run(&["build"]).exits(0);
    check_same_tree(&site.output(), &plain, "back again");
}

/// Findings are requested although nothing has changed.
#[test]
fn a_report_is_written_and_strictness_heeded_when_nothing_changed() {
    let site = site();
    let text = site.text(PAGE.0);
    site.write(PAGE.0, format!("{text}\n[x](/nowhere/)\n"));
    let first = site.run(&["build"]).exits(0).says("1 error");
    thread::sleep(SETTLED);
    site.run(&["build"]).exits(0);
    let second = site.run(&["build"]).exits(0).says("nothing changed").says("1 error");
    assert_eq!(first.stderr.lines().last(), second.stderr.lines().last());
    site.run(&["build", "--report", "report.jsonl"]).exits(0);
    assert!(site.text("report.jsonl").contains("/nowhere/"));
    site.run(&["build", "--strict"]).exits(1).reports("missing-page");
}

#[test]
fn a_file_that_the_configuration_names_counts() {
    let site = site();
    let text = site.text(PAGE.0);
    site.write(PAGE.0, format!("{text}\n[x](/nowhere/)\n"));
    site.write("stepkin.toml", "[check]\nroutes = \"routes.txt\"\n");
    site.write("routes.txt", "/nowhere/\n");
    let run = site.run(&["build"]).exits(0);
    assert!(!run.stderr.contains("error"), "{}", run.stderr);
    thread::sleep(SETTLED);
    site.run(&["build"]).exits(0);
    site.write("routes.txt", "/elsewhere\n");
    site.run(&["build"]).exits(0).says("nothing changed").says("1 error");
}

#[test]
fn files_of_a_killed_run_are_removed_without_changes() {
    let site = site().build();
    thread::sleep(SETTLED);
    site.run(&["build"]).exits(0);
    fs::create_dir(site.path(".dist.stepkin-stage")).expect("ours");
    fs::copy(
        site.path("dist/.stepkin-manifest.json"),
        site.path(".dist.stepkin-stage/.stepkin-manifest.json"),
    )
    .expect("ours");
    site.run(&["build"]).exits(0).says("nothing changed");
    assert!(!site.path(".dist.stepkin-stage").exists());
}

#[test]
fn builds_at_once_do_not_disturb_each_other() {
    let site = site();
    for round in 0..5 {
        let text = site.text(PAGE.0);
        site.write(PAGE.0, format!("{text}\nRound {round}.\n"));
        if round % 2 == 1 {
            // All of them find another version's folder.
            site.write(".stepkin/program", "another\n");
        }
        let started: Vec<_> = (0..6)
            .map(|number| {
                let output = format!("out-{}", number % 3);
                let mut command = site.command(&["build", "--output", &output]);
                command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts")
            })
            .collect();
        for build in started {
            let output = build.wait_with_output().expect("it ends");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        site.run(&["build", "--no-cache"]).exits(0);
        for number in 0..3 {
            let found = tree(&site.path(&format!("out-{number}")));
            check_same_tree(&found, &site.output(), &format!("round {round}"));
        }
    }
}

// A cache for many machines

#[test]
fn the_cache_of_another_version_is_dropped_with_a_note() {
    let site = site().build();
    site.write(".stepkin/external-links.json", "{}");
    site.write(".stepkin/program", format!("{}\n", "0".repeat(64)));
    let line = "cache `./.stepkin` is from another Stepkin version";
    site.run(&["build", "--output", "other"]).exits(0).says(line);
    assert_eq!(site.text(".stepkin/external-links.json"), "{}");
    for command in ["build", "check"] {
        let again = site.run(&[command]).exits(0);
        assert!(!again.stderr.contains("another Stepkin version"), "{}", again.stderr);
    }
    // A folder of an older version without a program file.
    fs::remove_file(site.path(".stepkin/program")).expect("ours");
    site.run(&["check"]).exits(0).says(line);
}

/// The time of the executable differs wherever it is unpacked.
#[test]
fn a_copy_of_the_program_uses_the_same_cache() {
    let site = site().build();
    let copy = site.path("stepkin");
    fs::copy(env!("CARGO_BIN_EXE_stepkin"), &copy).expect("a program");
    thread::sleep(SETTLED);
    site.run(&["build"]).exits(0);
    let mut command = std::process::Command::new(copy);
    let run = crate::support::Run::of(command.arg("build").current_dir(site.root()));
    run.exits(0).says("nothing changed");
}

#[test]
fn the_folder_can_be_another() {
    let site = site();
    site.run(&["build", "--cache", "kept/here"]).exits(0);
    assert!(site.path("kept/here/pages.index").exists() && !site.path(".stepkin").exists());
    let with_variable = |folder: &str, arguments: &[&str]| {
        crate::support::Run::of(site.command(arguments).env("STEPKIN_CACHE_DIR", folder))
    };
    thread::sleep(SETTLED);
    with_variable("kept/here", &["build"]).exits(0);
    with_variable("kept/here", &["build"]).exits(0).says("nothing changed");
    with_variable("kept/there", &["check"]).exits(0);
    assert!(site.path("kept/there/findings.index").exists());
    // The option takes precedence, and an empty variable counts as unset.
    with_variable("kept/nowhere", &["check", "--cache", "kept/there"]).exits(0);
    assert!(!site.path("kept/nowhere").exists() && !site.path(".stepkin").exists());
    let _server = Server::start(&site.root(), &["--cache", &site.path("kept/served").display().to_string()]);
    let is_kept = || site.path("kept/served/pages.index").exists();
    eventually(is_kept, |kept| *kept, "the server keeps what it has parsed");
    assert!(!site.path(".stepkin").exists());
    with_variable("", &["check"]).exits(0);
    assert!(site.path(".stepkin").exists());
    site.run(&["build", "--cache", "kept", "--no-cache"]).exits(2);
}

#[test]
fn a_folder_that_is_no_cache_is_not_written_to() {
    let site = site();
    for (folder, reason) in [
        (".", "it contains files that Stepkin didn't create"),
        ("content/garden", "it contains files that Stepkin didn't create"),
        ("content/new", "it is in a source directory"),
        ("static/../templates", "it is in a source directory"),
        ("stepkin.toml", "it contains files that Stepkin didn't create"),
    ] {
        site.write("stepkin.toml", "");
        fs::create_dir_all(site.path("static")).expect("ours");
        for command in ["build", "check"] {
            site.run(&[command, "--cache", folder]).exits(2).says(reason);
        }
    }
    assert!(!site.path(".gitignore").exists() && !site.path("content/new").exists());
}

/// The content of a site's repository.
const SOURCES: [&str; 4] = ["content", "static", "templates", "stepkin.toml"];
const KINDS: [&str; 5] = ["pages", "blocks", "indexes", "units", "outputs"];

/// For each of [`KINDS`], the number of results that a build reused and created.
#[track_caller]
fn known_and_made(site: &SiteTest) -> [(usize, usize); 5] {
    // With several threads, equal code may be highlighted twice.
    let run = site.run(&["build", "--timings", "--jobs", "1"]).exits(0);
    KINDS.map(|kind| {
        let line = run.stderr.lines().find(|line| line.starts_with(kind)).expect("a row");
        let numbers: Vec<_> =
            line.split_whitespace().skip(1).map(|it| it.parse().expect("a number")).collect();
        (numbers[0], numbers[1])
    })
}

/// A site with families, code, images and a page outside families.
fn rich_site() -> SiteTest {
    let site = site();
    for (platform, language) in [("web", "js"), ("ios", "swift")] {
        let text = format!(
            "---\ntitle: Pack\norder: 9\n---\n\n![Box](/box.png)\n\n```{language}\nlet {platform} = 1\n```\n"
        );
        site.write(&format!("content/garden/{platform}/pack.md"), text);
    }
    site.write("content/notes.md", "---\ntitle: Notes\n---\n\nText.\n");
    site.write("static/box.png", "no real picture");
    site.write("stepkin.toml", "");
    site
}

#[test]
fn a_fresh_clone_uses_the_cache_of_another_machine() {
    let site = rich_site();
    thread::sleep(SETTLED);
    let first = known_and_made(&site);
    assert!(first.iter().all(|(known, made)| *known == 0 && *made > 0), "{first:?}");
    let built = site.output();

    // Only the folder: all of its results are used, and pages are rendered from them.
    let clone = site.copy_of(&[&SOURCES[..], &[".stepkin"]].concat());
    let [others @ .., outputs] = known_and_made(&clone);
    for ((known, made), (_, of_first)) in others.into_iter().zip(first) {
        assert!(made == 0 && known == of_first, "{others:?} {first:?}");
    }
    assert_eq!(outputs, first[4]);
    check_same_tree(&clone.output(), &built, "the folder alone");

    // With the output: nothing is rendered or written.
    let clone = site.copy_of(&[&SOURCES[..], &[".stepkin", "dist"]].concat());
    let in_output = |clone: &SiteTest| {
        let mut state = state(clone);
        state.retain(|(name, ..)| name.contains("/dist/"));
        state
    };
    thread::sleep(SETTLED);
    let before = in_output(&clone);
    assert_eq!(known_and_made(&clone), [(0, 0), (0, 0), (0, 0), (0, 0), (first[4].1, 0)]);
    assert_eq!(in_output(&clone), before);
    // By now, the stamps of the clone are known.
    let kept = state(&clone);
    clone.run(&["build"]).exits(0).says("nothing changed");
    assert_eq!(state(&clone), kept);
}

#[test]
fn in_a_fresh_clone_an_edit_renders_only_affected_pages() {
    let site = rich_site();
    thread::sleep(SETTLED);
    let first = known_and_made(&site);
    let clone = site.copy_of(&[&SOURCES[..], &[".stepkin", "dist"]].concat());
    let other = "content/notes.md";
    clone.write(other, clone.text(other).replace("Text", "Test"));
    thread::sleep(SETTLED);
    let before = clone.output();
    let [pages, blocks, indexes, _, outputs] = known_and_made(&clone);
    assert_eq!((pages.1, blocks.1, indexes.1), (1, 0, 1));
    // The page, its Markdown, lists, index files of other pages, and assets, which are compared.
    assert!(outputs.0 * 2 > first[4].1, "{outputs:?} of {first:?}");
    let families = |tree: Tree| tree.into_iter().filter(|(name, _)| name.starts_with("garden/")).collect();
    let (before, after): (Tree, Tree) = (families(before), families(clone.output()));
    check_same_tree(&after, &before, "the family");
    clone.run(&["build", "--no-cache", "--output", "clean"]).exits(0);
    check_same_tree(&clone.output(), &tree(&clone.path("clean")), "after an edit");
}

/// An image is replaced with one of the same size before the clone is built.
#[test]
fn in_a_fresh_clone_a_file_is_not_taken_for_the_same_by_its_size() {
    let site = rich_site();
    thread::sleep(SETTLED);
    site.run(&["build"]).exits(0);
    for (file, text) in [("static/box.png", "no real PICTURE"), ("dist/box.png", "no REAL picture")] {
        let clone = site.copy_of(&[&SOURCES[..], &[".stepkin", "dist"]].concat());
        clone.write(file, text);
        thread::sleep(SETTLED);
        check_build(&clone, file);
    }
}

/// An output that is restored without `.stepkin`, from this version or one that wrote no hashes.
#[test]
fn an_output_without_the_folder_is_compared() {
    let site = rich_site().build();
    let built = site.output();
    let clone = site.copy_of(&[&SOURCES[..], &["dist"]].concat());
    clone.run(&["build"]).exits(0).says("nothing changed");
    check_same_tree(&clone.output(), &built, "the output alone");
    let names = built.keys().filter(|name| !name.starts_with(".stepkin")).collect::<Vec<_>>();
    let first = serde_json::json!({ "version": 1, "files": names });
    clone.write("dist/.stepkin-manifest.json", first.to_string());
    clone.run(&["build", "--no-cache"]).exits(0).says("nothing changed");
    check_same_tree(&clone.output(), &built, "a manifest of before");
}

#[test]
fn the_manifest_of_a_site_describes_each_file() {
    let site = rich_site().edit("content/old.md", "---\ntitle: Old\nredirect: /notes/\n---\n").build();
    let manifest = json(&site.text("dist/.stepkin-manifest.json"));
    assert_eq!(manifest["version"], 2);
    let files = manifest["files"].as_array().expect("a list");
    let held = site.output();
    assert_eq!(files.len() + 1, held.len());
    for file in files {
        let bytes = &held[file["path"].as_str().expect("a path")];
        assert_eq!(file["size"], bytes.len());
        assert_eq!(file["hash"], blake3::hash(bytes).to_string());
    }
    let class = |path: &str| {
        let file = files.iter().find(|file| file["path"] == path);
        file.map_or("", |file| file["class"].as_str().expect("a class"))
    };
    let is_style = |name: &&String| name.starts_with("_stepkin/") && name.ends_with(".css");
    let style = held.keys().find(is_style).expect("a style");
    for (path, expected) in [
        ("notes/index.html", "page"),
        ("404.html", "page"),
        ("old/index.html", "redirect"),
        ("notes/index.md", "text"),
        ("llms.txt", "text"),
        ("robots.txt", "data"),
        ("_stepkin/search/catalogue.json", "search"),
        (style, "program"),
        ("box.png", "asset"),
    ] {
        assert_eq!(class(path), expected, "{path}");
    }
}
