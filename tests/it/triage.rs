//! Shortening a long report, fixing findings during a check, checking an unsaved page, and the global output options.

use std::io::Write;
use std::process::Stdio;

use crate::support::{Run, SiteTest, ask_for_nothing};

/// Five findings of three rules: one cause three times in two files, and one that `fix` fixes.
fn site() -> SiteTest {
    SiteTest::empty()
        .edit(
            "content/index.md",
            "---\ntitle: Home\n---\n\n[gone](/gone/), [gone](/gone/), [other](/other/)\n",
        )
        .edit("content/a.md", "---\ntitle: A\n---\n\n[gone](/gone/)\n\nYou wonâ€™t. The the end.\n")
}

/// Removes the duration from a report.
fn without_time(text: &str) -> String {
    text.split('\n').map(|line| line.split(" (0.").next().unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

/// Runs with a text as standard input.
fn run_with(site: &SiteTest, arguments: &[&str], input: &str) -> Run {
    let path = site.root().parent().expect("a folder").join("input");
    std::fs::write(&path, input).expect("a file of our own");
    Run::of(site.command(arguments).stdin(Stdio::from(std::fs::File::open(path).expect("it is there"))))
}

#[test]
fn statistics_count_by_code_and_cause() {
    let run = site().run(&["check", "--statistics"]).exits(1);
    insta::assert_snapshot!(without_time(&run.stdout));
    let run = site().run(&["check", "--statistics", "--format", "json"]).exits(1);
    let groups = run.json();
    assert_eq!((&groups[0]["code"], &groups[0]["count"]), (&"missing-page".into(), &4.into()));
    assert_eq!(groups[0]["causes"][0]["files"], 2);
    site().run(&["check", "--statistics", "--format", "sarif"]).exits(2).says("`--format json`");
    SiteTest::empty().edit("content/a.md", "---\ntitle: A\n---\n").run(&["check", "--statistics"]).exits(0);
}

/// Checks the distinct remaining rules in order.
#[track_caller]
fn check_codes(arguments: &[&str], expected: &[&str]) {
    let run = site().run(&[&["check", "--format", "json"], arguments].concat());
    let mut codes: Vec<String> =
        run.json().iter().map(|it| it["code"].as_str().expect("a code").into()).collect();
    codes.sort();
    codes.dedup();
    assert_eq!(codes, expected, "{arguments:?}");
    let wanted = i32::from(expected.contains(&"missing-page"));
    assert_eq!(run.status, Some(wanted), "{arguments:?}");
}

#[test]
fn codes_are_selected_and_ignored() {
    check_codes(&[], &["doubled-word", "missing-page", "mojibake"]);
    check_codes(&["--select", "missing-page"], &["missing-page"]);
    check_codes(&["--select", "doubled-word,mojibake"], &["doubled-word", "mojibake"]);
    check_codes(&["--ignore", "missing-page", "--ignore", "mojibake"], &["doubled-word"]);
    check_codes(&["--select", "missing-page,doubled-word", "--ignore", "missing-page"], &["doubled-word"]);
    site().run(&["check", "--select", "missing-pages"]).exits(2).says("did you mean `missing-page`?");
    site().run(&["check", "--ignore", "mojibak"]).exits(2).says("did you mean `mojibake`?");
}

#[test]
fn a_baseline_is_not_stale_outside_the_selection() {
    let site = site();
    site.run(&["check", "--write-baseline", "known.json"]).exits(0);
    let run = site.run(&["check", "--baseline", "known.json", "--select", "mojibake"]).exits(0);
    assert!(run.stdout.starts_with("no problems found"), "{}", run.stdout);
}

#[test]
fn a_long_report_is_cut_short() {
    let run = site().run(&["check", "--max-findings", "2"]).exits(1).reports("\n… and 4 more\n");
    assert_eq!(run.stdout.matches(" --> ").count(), 2, "{}", run.stdout);
    let all = site().run(&["check", "--max-findings", "6"]).exits(1);
    assert!(!all.stdout.contains("… and"), "{}", all.stdout);
    site().run(&["check", "--max-findings", "0"]).exits(1).reports("… and 6 more\n");
}

#[test]
fn a_report_ends_with_next_steps() {
    let run = site().run(&["check"]).exits(1);
    let lines: Vec<&str> = run.stdout.lines().rev().take(2).collect();
    assert_eq!(lines[1], "1 fixable with `stepkin fix`; for details, run `stepkin explain missing-page`");
    assert!(lines[0].starts_with("4 errors"), "{}", lines[0]);
    let run = site().run(&["check", "--select", "missing-page"]).exits(1);
    assert!(!run.stdout.contains("stepkin fix"), "{}", run.stdout);
    let site = site();
    let clean = site.edit("content/index.md", "---\ntitle: A\n---\n").remove("content/a.md");
    assert_eq!(clean.run(&["check"]).exits(0).stdout.lines().count(), 1);
}

#[test]
fn check_fixes_first_and_reports_the_rest() {
    let site = site();
    let run = site.run(&["check", "--fix"]).exits(1).says("fixed 1 problem in 1 file\n");
    assert!(!run.stdout.contains("mojibake") && run.stdout.contains("missing-page"), "{}", run.stdout);
    assert!(site.text("content/a.md").contains("won’t"));
    let other = self::site();
    other.run(&["check", "--fix", "--ignore", "mojibake"]).exits(1).says("fixed 0 problems");
    other.run(&["check", "--fix", "content/index.md"]).exits(1).says("fixed 0 problems");
    assert!(other.text("content/a.md").contains("wonâ€™t"));
}

#[test]
fn a_page_of_standard_input_takes_the_place_of_a_file() {
    let site = site();
    let json = ["check", "-", "--format", "json", "--stdin-filename"];
    let check = |path: &str, input: &str| run_with(&site, &[&json[..], &[path]].concat(), input);
    let page = "---\ntitle: A\n---\n\n[x](/nowhere/)\n";
    let run = check("content/a.md", page).exits(1).reports("/nowhere/");
    assert_eq!(run.stdout.lines().count(), 1, "only what is in the page: {}", run.stdout);
    // Neither the file on disk nor the cache changes.
    assert!(site.run(&["check", "content/a.md"]).exits(1).stdout.contains("mojibake"));
    let new = check("content/new/page.md", page);
    assert_eq!(new.status, Some(2), "its folder is not there: {}", new.stdout);
    check("content/new.md", page).exits(1).reports("content/new.md");
    check("content/a.md", "---\ntitle: A\n---\n\n[n](/a/)\n").exits(0);
    check("notes.txt", "").exits(2).says("`notes.txt` is not a source file of the site");
    check("../elsewhere.md", "").exits(2).says("it is not in the site");
    site.run(&["check", "-"]).exits(2).says("add `--stdin-filename FILE`");
    site.run(&["check", "--stdin-filename", "content/a.md"])
        .exits(2)
        .says("`stepkin check - --stdin-filename FILE`");
    // From another folder, as editors start it.
    let mut command = site.command(&[&json[..], &["a.md"]].concat());
    command.current_dir(site.path("content")).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::null()).spawn().expect("it runs");
    child.stdin.take().expect("it is piped").write_all(page.as_bytes()).expect("it is read");
    let output = child.wait_with_output().expect("it ends");
    assert!(String::from_utf8_lossy(&output.stdout).contains("/nowhere/"), "{output:?}");
}

#[test]
fn json_has_its_version_and_edits() {
    let site = SiteTest::empty().edit("content/a.md", "---\ntitle: A\n---\nYou wonâ€™t\n");
    let run = site.run(&["check", "--format", "json"]).exits(0);
    let finding = &run.json()[0];
    assert_eq!(finding["version"], 1);
    let edit = &finding["edits"][0];
    assert_eq!((&edit["line"], &edit["column"], &edit["end_column"]), (&4.into(), &8.into(), &11.into()));
    let (start, end) = (edit["start"].as_u64().expect("a number"), edit["end"].as_u64().expect("a number"));
    let place = |at: u64| usize::try_from(at).expect("small");
    assert_eq!(&site.text("content/a.md")[place(start)..place(end)], "â€™");
    assert_eq!(edit["text"], "’");
}

#[test]
fn a_command_runs_in_another_folder() {
    let place = SiteTest::empty();
    place.run(&["init", "my/site"]).exits(0);
    place.run(&["-C", "my/site", "check"]).exits(0).reports("no problems found in 5 pages");
    place.run(&["check", "-C", "my", "-C", "site"]).exits(0).reports("no problems found in 5 pages");
    place.run(&["build", "-C", "my", "site", "--output", "out"]).exits(0);
    assert!(place.path("my/out/index.html").is_file());
    place.run(&["build", "my/site"]).exits(0);
    assert!(place.path("my/site/dist/index.html").is_file());
    place.run(&["theme", "list", "my/site"]).exits(0).reports("templates/base.html");
    place.run(&["build", "my/site", "--root", "my/site"]).exits(2).says("cannot be used with");
    place.run(&["-C", "gone", "check"]).exits(2).says("cannot change to `gone`");
}

#[test]
fn a_quiet_command_says_only_results_and_errors() {
    let site = site();
    for arguments in [&["build", "-q"][..], &["-q", "fix"], &["drift", "-q"]] {
        assert_eq!(site.run(arguments).stderr.lines().filter(|line| !line.contains("error: ")).count(), 0);
    }
    assert_eq!(site.run(&["check", "-q"]).exits(1).stdout.lines().count(), 1);
    site.run(&["-q", "build", "--root", "gone"]).exits(2).says("error: ");
    let place = SiteTest::empty();
    assert_eq!(place.run(&["init", "new", "-q"]).exits(0).stderr, "");
}

#[test]
fn a_verbose_command_says_where_and_how_long() {
    let site = site();
    let root = site.root().canonicalize().expect("it is there");
    for command in ["build", "check"] {
        let run = site.run(&[command, "-v"]).says(&format!("site root: `{}`\n", root.display()));
        let last = run.stderr.lines().last().unwrap_or_default();
        assert!(last.starts_with("took "), "{}", run.stderr);
    }
    site.run(&["check", "-v", "-q"]).exits(2);
}

/// Checks whether `check` uses color with these variables and arguments, for a pipe.
#[track_caller]
fn check_colours(variables: &[(&str, &str)], arguments: &[&str], expected: bool) {
    let site = site();
    let mut command = site.command(&[&["check"], arguments].concat());
    let run = Run::of(command.envs(variables.iter().copied())).exits(1);
    assert_eq!(run.stdout.contains('\u{1b}'), expected, "{variables:?} {arguments:?}: {}", run.stdout);
    assert!(!run.stdout.contains("\u{1b}]8;"), "places are plain text, which terminals open at their lines");
}

#[test]
fn colors_are_written_if_they_are_requested() {
    check_colours(&[], &[], false);
    check_colours(&[], &["--color", "always"], true);
    check_colours(&[("FORCE_COLOR", "1")], &[], true);
    check_colours(&[("CLICOLOR_FORCE", "1")], &[], true);
    check_colours(&[("FORCE_COLOR", "1"), ("NO_COLOR", "1")], &[], false);
    check_colours(&[("FORCE_COLOR", "1")], &["--color=never"], false);
}

/// Returns the output of `check` on a terminal, which `script` from util-linux provides.
fn on_terminal(site: &SiteTest, term: &str) -> Option<String> {
    let command = format!("{} check", env!("CARGO_BIN_EXE_stepkin"));
    let mut script = std::process::Command::new("script");
    script.args(["-q", "-e", "-c", &command, "/dev/null"]).current_dir(site.root());
    script.env("TERM", term).stdin(Stdio::null());
    ask_for_nothing(&mut script);
    script.output().ok().map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn a_terminal_gets_colours_unless_it_is_dumb() {
    let (Some(full), Some(dumb)) = (on_terminal(&site(), "xterm"), on_terminal(&site(), "dumb")) else {
        return;
    };
    assert!(full.contains("missing-page") && full.contains('\u{1b}'), "{full}");
    assert!(dumb.contains("missing-page") && !dumb.contains('\u{1b}'), "{dumb}");
}

/// A family in which Web has a section that iOS lacks, with one page without `order`.
fn with_a_missing_section() -> SiteTest {
    let page = |title: &str, rest: &str| format!("---\ntitle: {title}\norder: 1\n---\n\nText.\n{rest}");
    SiteTest::empty()
        .edit("content/tour/web/one.md", page("One", "\n## Check the keys\n\nOpen the page of keys.\n"))
        .edit("content/tour/web/two.md", page("Two", "").replace("order: 1", "order: 2"))
        .edit("content/tour/ios/one.md", page("One", ""))
        .edit("content/tour/ios/two.md", page("Two", "").replace("order: 1", "order: 2"))
}

#[test]
fn old_names_of_rules_work_on_the_command_line() {
    let site = SiteTest::empty().edit("content/index.md", "---\ntitle: Home\n---\n\n[x]()\n");
    let codes = |arguments: &[&str]| {
        let run = site.run(&[&["check", "--format", "json"], arguments].concat());
        run.stdout.matches("\"code\":\"empty-link\"").count()
            + run.stdout.matches("\"code\": \"empty-link\"").count()
    };
    assert_eq!((codes(&["--select", "empty-target"]), codes(&["--select", "orphan-image"])), (1, 0));
    assert_eq!((codes(&["--ignore", "orphan-image"]), codes(&["--ignore", "empty-target"])), (1, 0));
    site.run(&["fix", "--only", "foreign-syntax"]).exits(2).says("`unsupported-syntax` has no automatic fix");
    site.run(&["fix", "--only", "malformed-target"]).exits(0);
    let page = site.run(&["explain", "empty-target"]).exits(0);
    assert!(page.stdout.starts_with("empty-link (error)\n"), "{}", page.stdout);
    // Lines are wrapped.
    assert!(page.stdout.replace('\n', " ").contains("Old name: `empty-target`."), "{}", page.stdout);
}

#[test]
fn old_names_of_rules_work_in_the_configuration() {
    let site = |config: &str| {
        SiteTest::empty()
            .edit("content/index.md", "---\ntitle: Home\n---\n\n[x]()\n")
            .edit("stepkin.toml", config)
    };
    site("").run(&["check"]).exits(1);
    let off = site("[check.severity]\nempty-target = 'off'\n");
    assert!(!off.run(&["check", "--fail-on", "info"]).exits(0).stdout.contains("empty-"));
    let ignored = site("[[check.ignore]]\ncode = 'empty-target'\nreason = 'a draft'\n");
    assert!(!ignored.run(&["check", "--fail-on", "info"]).exits(0).stdout.contains("empty-"));
}

#[test]
fn fix_replaces_old_names_of_rules_in_suppressions() {
    let body =
        "<!-- stepkin: allow missing-alt, empty-target: empty-target is meant -->\n[x]()\n![](/a.svg)\n";
    let site = with_a_missing_section()
        .edit("content/index.md", format!("---\ntitle: Home\n---\n\n{body}"))
        .edit("static/a.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    let page = site.text("content/tour/web/one.md");
    let allow = "order: 1\ndrift: {allow: [{missing-heading: Check the keys}], reason: own}\n";
    let site = site.edit("content/tour/web/one.md", page.replace("order: 1\n", allow));
    let run = site.run(&["check", "--format", "json", "--fail-on", "warning"]).exits(0);
    let found = run.json();
    let found: Vec<_> = found.iter().map(|it| (it["code"].as_str(), it["severity"].as_str())).collect();
    assert_eq!(found, [(Some("invalid-suppression"), Some("info")); 2]);
    assert!(
        run.stdout.contains("`missing-heading` is an old name of the rule `missing-section`"),
        "{}",
        run.stdout
    );
    site.run(&["fix"]).exits(0);
    let fixed = site.text("content/index.md");
    assert!(fixed.contains("allow missing-alt, empty-link: empty-target is meant -->"), "{fixed}");
    let fixed = site.text("content/tour/web/one.md");
    assert!(fixed.contains("{missing-section: Check the keys}"), "{fixed}");
    let run = site.run(&["check", "--format", "json", "--fail-on", "info"]).exits(0);
    assert_eq!(run.stdout, "");
}

#[test]
fn a_baseline_with_old_names_of_rules_still_matches() {
    let site = SiteTest::empty().edit("content/index.md", "---\ntitle: Home\n---\n\n[x]()\n");
    // Written by version 0.2.0.
    let entry = "{\"fingerprint\": \"75d1482304a9aa72\", \"code\": \"empty-target\", \"file\": \"content/index.md\", \"message\": \"\"}";
    let site = site.edit("known.json", format!("{{\"version\": 1, \"findings\": [{entry}]}}"));
    site.run(&["check", "--baseline", "known.json", "--fail-on", "info"]).exits(0);
}
