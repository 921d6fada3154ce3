//! The changes of `stepkin fix`, and what it doesn't change.

use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::support::SiteTest;

const NAVIGATION: &str = "<a href=\"/tour/web/two/\" style=\"float:right\">Next >> Two</a>";

/// A site with one of every fixable problem.
fn damaged() -> SiteTest {
    SiteTest::empty()
        .edit("content/tour/web/one.md", format!("---\r\ntitle: One\r\norder: 1\r\n---\r\n{NAVIGATION}\r\n<br/>\r\n\r\nYou wonâ€™t `wonâ€™t`.\r\n\r\n## X\r\n"))
        .edit("content/tour/web/two.md", "\u{feff}\n---\ntitle: Two\norder: 2\n---\n[a](/Tour/web/one/#x) [b](/former/?q) [c](https://docs.example.com/tour/web/one/)\n")
        .edit("content/tour/ios/one.md", "---\ntitle: Step 1: one\norder: 1\n---\n\n```swfit\nlet a = 1\n```\n\n| a | b |\n| - | - |\n| 1 |\n| 1 | 2 | 3 |\n{: .wide}\n")
        .edit("content/tour/ios/two.md", "---\ntitle: Two\norder: 2\naliases: /former/\n---\nNothing to fix: `â€™`.\n")
        .edit("stepkin.toml", "hosts = ['docs.example.com']\n[check.severity]\nshort-row = 'info'\n")
}

#[test]
fn problems_with_only_one_solution_are_fixed() {
    let site = damaged();
    let run = site.run(&["fix"]).exits(0);
    assert!(run.stderr.contains("fixed 8 problems in 3 files"), "{}", run.stderr);
    assert!(
        run.stderr.contains("1 problem needs a manual fix; run `stepkin check` to see it"),
        "{}",
        run.stderr
    );
    assert_eq!(
        site.text("content/tour/web/one.md"),
        "---\r\ntitle: One\r\norder: 1\r\n---\r\n\r\nYou won’t `wonâ€™t`.\r\n\r\n## X\r\n"
    );
    assert_eq!(
        site.text("content/tour/web/two.md"),
        "---\ntitle: Two\norder: 2\n---\n[a](/tour/web/one/#x) [b](/tour/ios/two/?q) [c](https://docs.example.com/tour/web/one/)\n"
    );
    let ios = site.text("content/tour/ios/one.md");
    assert!(ios.starts_with("---\ntitle: \"Step 1: one\"\norder: 1\n---\n"), "{ios}");
    assert!(ios.contains("```swift\n") && ios.contains("| 1 |  |\n| 1 | 2 | 3 |\n{: .wide}\n"), "{ios}");
    let again = site.run(&["fix"]).exits(0);
    assert!(again.stderr.contains("fixed 0 problems in 0 files"), "{}", again.stderr);
}

#[test]
fn only_selected_rules_are_fixed() {
    let site = damaged();
    site.run(&["fix", "--select", "mojibake,hand-written-nav", "content/tour/web"]).exits(0);
    assert!(!site.text("content/tour/web/one.md").contains("Next"));
    assert!(site.text("content/tour/web/two.md").starts_with('\u{feff}'));
    let unknown = site.run(&["fix", "--select", "mojibak"]).exits(2);
    assert!(unknown.stderr.contains("did you mean `mojibake`?"), "{}", unknown.stderr);
}

#[test]
fn links_to_other_platforms_are_removed_on_request_only() {
    let site = SiteTest::fixture("switchers").edit("stepkin.toml", "");
    let page = || std::fs::read_to_string(site.path("content/tour/ios/install.md")).expect("a page");
    site.run(&["fix"]).exits(0);
    assert!(page().contains("| iOS |"), "{}", page());
    site.run(&["fix", "--select", "hand-written-switcher"]).exits(0);
    assert_eq!(page(), "---\ntitle: Install\norder: 1\n---\n\n\n\nAdd the package to your app.\n");
}

#[test]
fn a_dry_run_prints_a_patch_that_git_applies() {
    let site = damaged();
    let patch = site.run(&["fix", "--dry-run"]).exits(0).stdout.clone();
    assert!(site.text("content/tour/web/one.md").contains("Next"), "nothing is changed");
    site.write("fix.patch", &patch);
    let git = |arguments: &[&str]| {
        Command::new("git").current_dir(site.root()).args(arguments).output().expect("git runs")
    };
    git(&["init", "-q"]);
    let applied = git(&["apply", "fix.patch"]);
    assert!(applied.status.success(), "{}\n{patch}", String::from_utf8_lossy(&applied.stderr));
    let fixed = site.text("content/tour/web/one.md");
    let other = damaged();
    other.run(&["fix"]).exits(0);
    assert_eq!(fixed, other.text("content/tour/web/one.md"));
}

/// Git recognizes only line feeds as line ends, and quotes names that it would misread.
#[test]
fn a_patch_is_the_change_whatever_the_lines_and_the_name() {
    for (name, text) in [
        ("lone.md", "---\ntitle: A\n---\n\nOne\rtwo\rthree wonâ€™t\rfour\n\nEnd\r"),
        ("windows.md", "---\r\ntitle: A\r\n---\r\n\r\nYou wonâ€™t\r\n"),
        ("mixed.md", "---\r\ntitle: A\n---\r\n\nOne\r\r\ntwo wonâ€™t\n\rthree\n"),
        ("no-end.md", "---\ntitle: A\n---\n\nYou wonâ€™t"),
        ("all.md", "wonâ€™t"),
        ("with a blank.md", "---\ntitle: A\n---\n\nYou wonâ€™t\n"),
        ("größe ä.md", "---\ntitle: A\n---\n\nYou wonâ€™t\n"),
        ("a \"quoted\" \\ name.md", "---\ntitle: A\n---\n\nYou wonâ€™t\n"),
    ] {
        let page = format!("content/{name}");
        let site = SiteTest::empty().edit(&page, text);
        let patch = site.run(&["fix", "--dry-run"]).exits(0).stdout.clone();
        site.write("fix.patch", &patch);
        let git = |arguments: &[&str]| {
            Command::new("git").current_dir(site.root()).args(arguments).output().expect("git runs")
        };
        git(&["init", "-q"]);
        let applied = git(&["-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", "fix.patch"]);
        assert!(applied.status.success(), "{name}: {}\n{patch}", String::from_utf8_lossy(&applied.stderr));
        assert_eq!(site.text(&page), text.replace("wonâ€™t", "won’t"), "{name}");
    }
}

#[test]
fn targets_of_links_outside_the_site_are_not_edited() {
    let outside = SiteTest::empty().edit("theirs.md", "---\ntitle: A\n---\nYou wonâ€™t\n");
    let site = SiteTest::empty()
        .edit("content/a.md", "---\ntitle: B\n---\nYou wonâ€™t\n")
        .edit("stepkin.toml", format!("[source]\nfollow = ['{}']\n", outside.root().display()));
    std::os::unix::fs::symlink(outside.path("theirs.md"), site.path("content/b.md")).expect("a link");
    let run = site.run(&["fix"]).exits(0);
    run.says("1 problem not fixed: cannot write `content/b.md`: a symbolic link points outside the site")
        .says("fixed 1 problem in 1 file");
    assert!(outside.text("theirs.md").contains("wonâ€™t"));
    assert!(site.text("content/a.md").contains("won’t"));
}

#[test]
fn pages_are_shown_as_before() {
    let site = damaged().replace("content/tour/ios/one.md", "Step 1: one", "Step one").build();
    let before = site.page("/tour/web/one/").html;
    site.run(&["fix", "--select", "hand-written-nav,mojibake,short-row"]).exits(0);
    let site = site.build();
    assert_eq!(site.page("/tour/web/one/").html, before);
}

#[test]
fn permissions_stay_and_no_other_file_remains() {
    let site = damaged();
    let file = site.path("content/tour/web/one.md");
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o640)).expect("a file of our own");
    site.run(&["fix"]).exits(0);
    let mode = std::fs::metadata(&file).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    let names = std::fs::read_dir(site.path("content/tour/web")).expect("the folder").count();
    assert_eq!(names, 2);
}

#[test]
fn a_file_that_is_not_utf8_is_never_touched() {
    let bytes = b"---\ntitle: A\n---\nYou won\xc3\xa2\xe2\x82\xac\xe2\x84\xa2t \xff\n".to_vec();
    let site = SiteTest::empty().edit("content/a.md", &bytes);
    site.run(&["fix"]).exits(0);
    assert_eq!(std::fs::read(site.path("content/a.md")).expect("it is there"), bytes);
}

#[test]
fn a_page_that_was_renamed_is_found_in_gits_history() {
    let site = SiteTest::empty()
        .edit(
            "content/old.md",
            "---\ntitle: A page of some length\n---\n\nSome text, so that git sees it is the same.\n",
        )
        .edit("content/index.md", "---\ntitle: Home\n---\n[there](/old/)\n");
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
        let output = Command::new("git")
            .current_dir(site.root())
            .args(identity)
            .args(arguments)
            .output()
            .expect("git runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    git(&["init", "-q"]);
    git(&["add", "-A"]);
    git(&["commit", "-qm", "one"]);
    git(&["mv", "content/old.md", "content/new.md"]);
    // The index contains it before the history does.
    let run = site.run(&["check"]).exits(1);
    assert!(run.stdout.contains("` no longer exists\n"), "{}", run.stdout);
    assert!(run.stdout.contains("it was renamed; use `/new/`"), "{}", run.stdout);
    git(&["commit", "-qam", "two"]);
    let run = site.run(&["check"]).exits(1);
    assert!(run.stdout.contains("it was renamed; use `/new/`"), "{}", run.stdout);
    site.run(&["fix"]).exits(0);
    assert!(site.text("content/index.md").ends_with("[there](/new/)\n"));
    site.run(&["check"]).exits(0);
}
