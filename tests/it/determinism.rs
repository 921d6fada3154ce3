//! The same sources give the same bytes: with any number of threads, in any folder, language and time zone, whenever
//! the sources were saved.

use std::fs::File;
use std::process::Command;
use std::sync::LazyLock;
use std::time::{Duration, SystemTime};

use crate::support::{Run, SiteTest, Tree, check_same_tree, fixtures, program, tree};
use walkdir::WalkDir;

/// Fixtures that can be built, in order.
pub(crate) fn sites() -> Vec<String> {
    let refused = ["address-conflict", "invalid-front-matter", "invalid-utf8", "template-error"];
    fixtures().into_iter().filter(|name| !refused.contains(&name.as_str())).collect()
}

/// Builds a fresh copy of a fixture, modified by `change`, with a command modified by `set`.
fn build(name: &str, change: impl Fn(&SiteTest), set: impl Fn(&mut Command)) -> (Tree, String) {
    let site = SiteTest::fixture(name);
    change(&site);
    let mut build = site.command(&["build"]);
    set(&mut build);
    Run::of(&mut build).exits(0);
    let mut check = site.command(&["check", "--format", "json"]);
    // `check` has no `--jobs` option.
    if build.get_args().count() == 1 {
        set(&mut check);
    }
    (site.output(), Run::of(&mut check).stdout)
}

/// The results of every fixture on one thread: its name, its output and its findings.
fn expected() -> &'static [(String, Tree, String)] {
    static EXPECTED: LazyLock<Vec<(String, Tree, String)>> = LazyLock::new(|| {
        let build = |name: String| {
            let (output, report) = build(&name, |_| (), |command| _ = command.args(["--jobs", "1"]));
            assert!(output.len() > 3, "{name} holds more than that");
            (name, output, report)
        };
        sites().into_iter().map(build).collect()
    });
    &EXPECTED
}

#[track_caller]
fn check_same(what: &str, change: impl Fn(&SiteTest), set: impl Fn(&mut Command)) {
    for (name, expected, expected_report) in expected() {
        let (found, report) = build(name, &change, &set);
        check_same_tree(&found, expected, &format!("{name}, {what}"));
        assert_eq!(report, *expected_report, "{name}, {what}");
    }
}

#[test]
fn the_number_of_threads_does_not_show() {
    for jobs in ["2", "8"] {
        check_same(jobs, |_| (), |command| _ = command.args(["--jobs", jobs]));
    }
}

#[test]
fn language_and_time_zone_do_not_show() {
    for (language, zone) in [("tr_TR.UTF-8", "Pacific/Kiritimati"), ("C", "America/St_Johns")] {
        check_same(
            language,
            |_| (),
            |command| _ = command.env("LC_ALL", language).env("LANG", language).env("TZ", zone),
        );
    }
}

/// The test can't change the clock, but files saved ten years in the future would be compared with it.
#[test]
fn the_time_of_the_sources_does_not_show() {
    let later = SystemTime::now() + Duration::from_secs(10 * 365 * 24 * 3600);
    let touch = |site: &SiteTest| {
        let files = WalkDir::new(site.root()).into_iter().filter_map(Result::ok);
        for file in files.filter(|file| file.file_type().is_file()) {
            File::options()
                .write(true)
                .open(file.path())
                .expect("ours")
                .set_modified(later)
                .expect("our own file");
        }
    };
    check_same("ten years ahead", touch, |_| ());
}

/// Temporary folders already have different names. This one is also much longer, and is addressed from another one.
#[test]
fn the_folder_does_not_show() {
    for (name, expected, _) in expected() {
        let site = SiteTest::fixture(name);
        let deep = tempfile::tempdir().expect("a temporary folder");
        let deep = deep.path().join("a folder with blanks/and/content/web/über");
        std::fs::create_dir_all(&deep).expect("a folder of our own");
        let moved = deep.join("site");
        std::fs::rename(site.root(), &moved).expect("the same file system");
        let mut command = program();
        command.current_dir("/").args(["build", "--root"]).arg(&moved);
        Run::of(&mut command).exits(0);
        check_same_tree(&tree(&moved.join("dist")), expected, name);
        let names: Vec<String> =
            expected.iter().filter(|(_, bytes)| holds(bytes, "/tmp")).map(|(name, _)| name.clone()).collect();
        assert!(names.is_empty(), "{names:?} name a folder of the author");
    }
}

#[test]
fn how_the_root_is_written_does_not_show() {
    // Pages directly in the root, next to those in `content/`.
    let site = SiteTest::rootless()
        .edit("one.md", "# One\n\n[Two](two.md), [no](three.md)\n")
        .edit("two.md", "# Two\n");
    for site in [site, SiteTest::fixture("links")] {
        let (root, name) = (site.root().display().to_string(), site.names_in_root());
        let check = |root: &str| {
            let mut command = program();
            command.current_dir(site.root()).args([
                "check",
                "--format",
                "json",
                "--no-cache",
                "--root",
                root,
            ]);
            Run::of(&mut command).exits(1).stdout
        };
        let expected = check(&root);
        let forms = [".", "./", "././/", &format!("{root}/"), &format!("{root}//"), &format!("{root}/.")];
        for form in forms {
            assert_eq!(check(form), expected, "{form} of {name:?}");
        }
    }
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}
