//! Which files of a site are read: none outside it, no leftovers, no secrets.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::support::{SiteTest, tree};

const PAGE: &str = "---\ntitle: Install\norder: 1\n---\n\nText.\n";
const OTHER: &str = "---\ntitle: Other\n---\n";

fn link(site: &SiteTest, from: &str, to: impl AsRef<Path>) {
    let from = site.path(from);
    fs::create_dir_all(from.parent().expect("a folder")).expect("a folder of our own");
    symlink(to, from).expect("a link of our own");
}

/// Returns the sorted rules and locations of all findings.
fn codes(site: &SiteTest) -> Vec<String> {
    let mut codes: Vec<_> =
        site.findings().into_iter().map(|finding| format!("{} {}", finding.code, finding.file)).collect();
    codes.sort();
    codes
}

fn published(site: &SiteTest, path: &str) -> bool {
    site.path("dist").join(path).exists()
}

#[test]
fn leftover_files_in_the_tree_are_not_published() {
    let site = SiteTest::fixture("tree").build();
    for path in ["web/install/index.html", "notes.txt", "inside.txt", "linked/dot.svg", "authority.pem"] {
        assert!(published(&site, path), "{path}");
    }
    for path in [".well-known/hosts.txt", ".env.example"] {
        assert!(published(&site, path), "{path}");
    }
    for (name, bytes) in site.output() {
        let text = String::from_utf8_lossy(&bytes);
        let secrets = ["PASSWORD=example", "BEGIN PRIVATE KEY", "no key"];
        assert!(!secrets.iter().any(|secret| text.contains(secret)), "{name}");
        let leftovers =
            ["install.md~", "#install.md#", "install.md.orig", ".private", ".#", "outside", "loop"];
        assert!(!leftovers.iter().any(|leftover| name.contains(leftover)), "{name}");
    }
}

#[test]
fn a_link_out_of_the_site_is_neither_read_nor_written() {
    let outside = tempfile::tempdir().expect("a folder");
    let text = format!("{PAGE}\nThe the end.\n```kotln\nval a = 1\n```\n");
    fs::write(outside.path().join("page.md"), &text).expect("a file");
    fs::write(outside.path().join("login.txt"), "password").expect("a file");
    let site = SiteTest::empty().edit("content/tour/web/start.md", PAGE).edit("templates/words/en.toml", "");
    link(&site, "content/tour/web/other.md", outside.path().join("page.md"));
    link(&site, "content/tour/ios", outside.path());
    link(&site, "static/files", outside.path());
    link(&site, "static/login.txt", outside.path().join("login.txt"));
    // A link inside the site to one that leaves it.
    link(&site, "static/detour.txt", "login.txt");
    link(&site, "templates/step.html", outside.path().join("page.md"));
    let places = [
        "content/tour/ios",
        "content/tour/web/other.md",
        "static/detour.txt",
        "static/files",
        "static/login.txt",
        "templates/step.html",
    ];
    assert_eq!(codes(&site), places.map(|place| format!("outside-symlink {place}")));

    let site = site.build();
    site.run(&["fix"]).exits(0);
    assert_eq!(fs::read_to_string(outside.path().join("page.md")).expect("a file"), text);
    for (name, bytes) in site.output() {
        let bytes = String::from_utf8_lossy(&bytes);
        assert!(!bytes.contains("The the end") && !bytes.contains("password"), "{name}");
    }

    // The finding contains the configuration to add.
    let help = site.findings().into_iter().find(|finding| finding.file == "static/files");
    let help = help.and_then(|finding| finding.help).expect("a help");
    let follow = format!("follow = [\"{}\"]", outside.path().display());
    assert!(help.contains(&follow), "{help}");
    let site = site.edit("stepkin.toml", format!("[source]\n{follow}\n")).build();
    assert!(published(&site, "tour/web/other/index.html") && published(&site, "files/login.txt"));
    assert!(codes(&site).iter().all(|code| !code.starts_with("outside-symlink")));
}

#[test]
fn followed_targets_are_relative_to_the_root() {
    let site = SiteTest::empty().edit("content/index.md", PAGE);
    let beside = site.root().parent().expect("a folder of our own").join("pictures");
    fs::create_dir(&beside).expect("a folder of our own");
    fs::write(beside.join("a.txt"), "a").expect("a file of our own");
    link(&site, "static/deep/pictures", "../../../pictures");
    let [finding] = &site.findings()[..] else { panic!("one finding") };
    let help = finding.help.as_deref().expect("a help");
    assert!(help.contains("`follow = [\"../pictures\"]`"), "{help}");
    let site = site.edit("stepkin.toml", "[source]\nfollow = [\"../pictures\"]\n").build();
    assert!(published(&site, "deep/pictures/a.txt"));
    assert_eq!(codes(&site), [""; 0]);
    // A neighbor with the same prefix isn't included.
    fs::create_dir(beside.with_file_name("pictures-too")).expect("a folder of our own");
    link(&site, "static/more", "../../pictures-too");
    assert_eq!(codes(&site), ["outside-symlink static/more"]);
}

#[test]
fn pages_that_are_all_outside_of_the_site_must_be_allowed() {
    let site = SiteTest::empty();
    let pages = site.root().parent().expect("a folder of our own").join("pages");
    fs::remove_dir(site.path("content")).expect("a folder of our own");
    fs::create_dir(&pages).expect("a folder of our own");
    fs::write(pages.join("index.md"), PAGE).expect("a file of our own");
    link(&site, "content", "../pages");
    site.run(&["build"])
        .exits(2)
        .says("allow it in stepkin.toml with `follow = [\"../pages\"]` under `[source]`");
    let site = site.edit("stepkin.toml", "[source]\nfollow = [\"../pages\"]\n").build();
    assert!(published(&site, "index.html"));
}

#[test]
fn links_to_nothing_and_in_circles_leave_the_rest_alone() {
    let site = SiteTest::empty().edit("content/index.md", PAGE);
    link(&site, "content/gone.md", "nowhere.md");
    link(&site, "content/.#index.md", "me@host.1:2");
    link(&site, "content/itself.md", "itself.md");
    link(&site, "content/through-a-file.md", "index.md/x");
    link(&site, "static/up/root", "../..");
    link(&site, "static/up/around", "..");
    link(&site, "templates", "nowhere");
    assert_eq!(
        codes(&site),
        [
            "broken-symlink content/gone.md",
            "broken-symlink content/itself.md",
            "broken-symlink content/through-a-file.md",
            "broken-symlink static/up/around",
            "broken-symlink static/up/root",
            "broken-symlink templates",
        ]
    );
    let site = site.build();
    assert!(published(&site, "index.html") && !published(&site, "gone"));
}

#[test]
fn pipes_sockets_and_devices_are_not_read() {
    let site = SiteTest::empty().edit("content/index.md", PAGE).edit("static/a.txt", "a");
    for path in ["static/pipe", "content/page.md"] {
        mknodat(CWD, site.path(path), FileType::Fifo, Mode::from_raw_mode(0o600), 0)
            .expect("a pipe of our own");
    }
    link(&site, "static/zero", "/dev/zero");
    assert_eq!(
        codes(&site),
        ["outside-symlink static/zero", "special-file content/page.md", "special-file static/pipe"]
    );
    let site = site.build();
    assert!(published(&site, "a.txt") && !published(&site, "pipe"));
}

#[test]
#[cfg(target_os = "linux")]
fn names_that_other_systems_take_for_one_are_found() {
    let site = SiteTest::empty()
        .edit("content/tour/web/install.md", PAGE)
        .edit("content/tour/Web/install.md", PAGE)
        .edit("static/caf\u{e9}.txt", "a")
        .edit("static/cafe\u{301}.txt", "a")
        .edit("static/other.txt", "a");
    let found: Vec<_> = codes(&site).into_iter().filter(|code| code.starts_with("confusable")).collect();
    assert_eq!(found, ["confusable-names content/tour/web", "confusable-names static/caf\u{e9}.txt"]);
}

#[test]
fn a_link_out_of_a_folder_that_may_be_followed_has_its_own_help() {
    let site = SiteTest::empty().edit("content/index.md", PAGE);
    let around = site.root().parent().expect("a folder of our own").to_path_buf();
    for (file, text) in [("shared/a.txt", "a"), ("far/b.txt", "b")] {
        let file = around.join(file);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder of our own");
        fs::write(file, text).expect("a file of our own");
    }
    symlink("../far", around.join("shared/further")).expect("a link of our own");
    link(&site, "static/shared", "../../shared");
    let site = site.edit("stepkin.toml", "[source]\nfollow = [\"../shared\"]\n");
    assert_eq!(codes(&site), ["outside-symlink static/shared/further"]);
    let help = site.findings()[0].help.clone().expect("a help");
    assert!(help.contains("`follow = [\"../far\"]`"), "{help}");
    let site = site.edit("stepkin.toml", "[source]\nfollow = [\"../shared\", \"../far\"]\n").build();
    assert!(published(&site, "shared/a.txt") && published(&site, "shared/further/b.txt"));
    assert_eq!(codes(&site), [""; 0]);
}

const SLIPS: &str = "---\ntitle: One\norder: 1\n---\n\nYou wonâ€™t.\n\n[x](/nowhere/)\n\n[y](two.md)\n";

#[test]
fn problems_in_a_file_with_several_paths_are_reported_once() {
    let site = SiteTest::empty()
        .edit("content/tour/web/one.md", SLIPS)
        .edit("content/tour/web/two.md", PAGE)
        .edit("content/guide/one.md", PAGE)
        .edit("content/parts/one.md", PAGE)
        .edit("static/own/shown.png", "no picture")
        .edit("static/own/spare.png", "no picture, and another");
    let before = codes(&site);
    let expected = [
        "invalid-image static/own/shown.png",
        "invalid-image static/own/spare.png",
        "missing-page content/tour/web/one.md",
        "mojibake content/tour/web/one.md",
        "unused-image static/own/shown.png",
        "unused-image static/own/spare.png",
    ];
    assert_eq!(before, expected);
    // A page, a folder of pages, and a folder of images.
    link(&site, "content/guide/again.md", "../tour/web/one.md");
    link(&site, "content/more", "tour/web");
    // A link in a linked folder, before its other content.
    link(&site, "content/tour/web/beside", "../../parts");
    link(&site, "static/linked", "own");
    let site = site.edit("content/index.md", "---\ntitle: X\n---\n\n![x](/linked/shown.png)\n");
    let after: Vec<String> = expected
        .into_iter()
        .filter(|it| !it.starts_with("unused-image static/own/shown"))
        .map(str::to_string)
        .collect();
    // A problem at only one path is reported there: the folder next to it contains no `two.md`.
    let mut after = [vec!["missing-page content/guide/again.md".to_string()], after].concat();
    after.sort();
    assert_eq!(codes(&site), after);
    let site = site.build();
    for page in ["tour/web/one", "guide/again", "more/one", "more/two"] {
        assert!(published(&site, &format!("{page}/index.html")), "{page}");
    }
    assert!(published(&site, "linked/spare.png"));
}

#[test]
fn a_comment_that_is_used_at_one_path_of_a_file_is_used() {
    let allowed = "<!-- stepkin: allow missing-page: only there -->\n[y](two.md)\n";
    let site = SiteTest::empty()
        .edit("content/tour/one.md", format!("{PAGE}\n{allowed}"))
        .edit("content/tour/two.md", OTHER)
        .edit("content/index.md", PAGE);
    assert_eq!(codes(&site), ["unused-suppression content/tour/one.md"]);
    link(&site, "content/guide/again.md", "../tour/one.md");
    assert_eq!(codes(&site), [""; 0]);
}

/// Git doesn't change files through a link, and a page that isn't a source has only the link's path.
#[test]
fn a_patch_is_for_the_file_and_not_for_a_link_to_it() {
    let site = SiteTest::empty()
        .edit("content/index.md", PAGE)
        .edit("content/tour/one.md", SLIPS)
        .edit("pages/two.md", SLIPS);
    link(&site, "content/again.md", "tour/one.md");
    link(&site, "content/two.md", "../pages/two.md");
    link(&site, "content/two-again.md", "../pages/two.md");
    let run = site.run(&["fix", "--dry-run"]).exits(0).says("would fix 2 problems in 2 files");
    site.write("fix.patch", &run.stdout);
    let git = |arguments: &[&str]| {
        Command::new("git").current_dir(site.root()).args(arguments).output().expect("git runs")
    };
    git(&["init", "-q"]);
    let applied = git(&["apply", "fix.patch"]);
    assert!(applied.status.success(), "{}\n{}", String::from_utf8_lossy(&applied.stderr), run.stdout);
    for file in ["content/tour/one.md", "pages/two.md"] {
        assert!(site.text(file).contains("won’t"), "{file}");
    }
}

/// A link that is wrong at only one path of a file is correct at the other.
#[test]
fn problems_at_only_one_path_are_not_fixed() {
    let page = format!("{PAGE}\n[x](Two.md)\n");
    let site = SiteTest::empty()
        .edit("content/web/one.md", &page)
        .edit("content/web/two.md", OTHER)
        .edit("content/more/Two.md", OTHER);
    link(&site, "content/more/one.md", "../web/one.md");
    assert_eq!(codes(&site), ["wrong-case content/web/one.md"]);
    site.run(&["fix"]).exits(0).says("fixed 0 problems");
    assert_eq!(site.text("content/web/one.md"), page);
}

/// The second build compares only names and times.
#[test]
fn a_build_notices_that_something_else_is_not_read() {
    let site = SiteTest::empty().edit("content/index.md", PAGE);
    site.run(&["build"]).exits(0);
    let before = tree(&site.path("dist"));
    link(&site, "content/gone.md", "nowhere.md");
    site.run(&["build"]).exits(0).says("1 error");
    site.run(&["build"]).exits(0).says("1 error");
    fs::remove_file(site.path("content/gone.md")).expect("a link of our own");
    let run = site.run(&["build"]).exits(0);
    assert!(!run.stderr.contains("error"), "{}", run.stderr);
    assert_eq!(tree(&site.path("dist")), before);
}

#[test]
fn the_list_of_a_folder_is_not_put_where_another_program_builds_a_page() {
    let site = SiteTest::empty()
        .edit("content/index.md", "---\ntitle: Home\n---\n\nRead [the API](/api/).\n")
        .edit("content/api/intro.md", "---\ntitle: Introduction\n---\n\nText.\n")
        .edit("content/api/deep/more.md", "---\ntitle: More\n---\n\nText.\n");
    let site = site.build();
    assert!(site.output().contains_key("api/index.html"));
    let site =
        site.edit("routes.txt", "/api/\n").edit("stepkin.toml", "[check]\nroutes = 'routes.txt'\n").build();
    assert!(!site.output().contains_key("api/index.html"));
    let said = site.run(&["check"]).exits(0).stdout;
    assert!(!said.contains("missing-page"), "{said}");
    site.page("/api/intro/").shows("href=\"/api/\"");
    let site = site.edit("routes.txt", "/other/\n").build();
    assert!(site.output().contains_key("api/index.html"));
}
