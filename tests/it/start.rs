//! The commands for beginners: a site to start from, completions for the shell, and manual pages.

use crate::support::{Run, SiteTest};

#[test]
fn a_new_site_builds_and_has_nothing_to_report() {
    let place = SiteTest::empty();
    let run = place.run(&["init", "new/site"]).exits(0);
    assert!(run.stderr.contains("stepkin serve --watch --open --root new/site"), "{}", run.stderr);
    assert!(place.text("new/site/.gitignore").contains("/dist"));
    let check = place.run(&["check", "--drift", "--fail-on", "info", "--root", "new/site"]).exits(0);
    assert!(check.stdout.starts_with("nothing to report in 5 pages"), "{}", check.stdout);
    place.run(&["build", "--strict", "--root", "new/site"]).exits(0);
    assert!(place.path("new/site/dist/first-tutorial/ios/connect/index.html").is_file());
}

#[test]
fn a_folder_with_something_in_it_is_left_alone() {
    let place = SiteTest::empty().edit("old/notes.txt", "mine");
    let run = place.run(&["init", "old"]).exits(2);
    assert!(run.stderr.contains("cannot start a site in `old`: it is not empty"), "{}", run.stderr);
    assert_eq!(place.text("old/notes.txt"), "mine");
    assert!(!place.path("old/content").exists());
    place.run(&["init", "old/notes.txt"]).exits(2);
}

#[test]
fn shells_complete_commands_and_options() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = SiteTest::empty().run(&["completions", shell]).exits(0).stdout.clone();
        for word in ["check", "fail-on", "watch"] {
            assert!(script.contains(word), "{shell} does not know `{word}`");
        }
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let place = SiteTest::empty();
    place.run(&["man", "man1"]).exits(0);
    let help = place.run(&["--help"]).exits(0).stdout.clone();
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let mut count = 0;
    for line in commands.take_while(|line| !line.is_empty()) {
        let command = line.split_whitespace().next().expect("a command");
        if command != "help" {
            assert!(place.text(&format!("man1/stepkin-{command}.1")).contains(".SH SYNOPSIS"));
            count += 1;
        }
    }
    assert!(count > 10 && place.path("man1/stepkin.1").is_file());
}

#[test]
fn the_site_is_found_from_a_folder_in_it() {
    let place = SiteTest::empty();
    place.run(&["init", "site"]).exits(0);
    for (folder, root) in [("site/content/first-tutorial", "../.."), ("site/content", "..")] {
        let run = place.run_in(folder, &["check"]).exits(0);
        let read = "5 pages, 1 family: First tutorial for Web, iOS (2 steps)\n";
        assert_eq!(run.stderr, format!("the site is in `{root}`\n{read}"));
    }
    let run = place.run_in("site/content/first-tutorial", &["build"]).exits(0);
    run.says("the site is in `../..`");
    assert!(place.path("site/dist/index.html").is_file());
    assert!(!place.run_in("site", &["check"]).exits(0).stderr.contains("the site is in"));
    // A root that is named is meant.
    std::fs::create_dir(place.path("site/empty")).expect("a folder");
    place.run_in("site/empty", &["check", "--root", "."]).exits(2).says("cannot find pages in `.`");
}

#[test]
fn commands_of_other_programs_have_a_tip() {
    let place = SiteTest::empty().edit("site/content/a.md", "---\ntitle: A\n---\n");
    for (command, tip) in [
        ("lint", "tip: `stepkin check` finds"),
        ("clean", "tip: delete the folders `dist` and `.stepkin`"),
        ("import", "tip: `stepkin migrate --output DIR` writes"),
        ("rename", "tip: `stepkin mv OLD NEW` moves a page"),
        ("deploy", "tip: `stepkin build` makes the site"),
        ("status", "tip: `stepkin check --statistics` counts"),
        ("biuld", "'build'"),
    ] {
        place.run(&[command]).exits(2).says(tip);
    }
    place.run(&["theme", "eject", "base.html", "site"]).exits(2).says("tip: `--root site` names the folder");
}

#[test]
fn a_build_counts_what_it_found() {
    let page = |text: &str| format!("---\ntitle: A\n---\n{text}\n");
    for (text, said) in [
        ("the the end", "1 warning: `stepkin check` shows it\n"),
        ("the the end, and and so on", "2 warnings: `stepkin check` shows them\n"),
        ("[a](/b/)", "published with 1 error: `stepkin check` shows it\n"),
        ("[a](/b/) the the end", "published with 1 error and 1 warning: `stepkin check` shows them\n"),
    ] {
        let run = SiteTest::empty().edit("content/a.md", page(text)).run(&["build"]).exits(0);
        assert!(run.stderr.ends_with(said), "{}", run.stderr);
    }
}

/// Checks whether a site with a broken link is published, where `CI` has this value.
#[track_caller]
fn check_published(ci: &str, arguments: &[&str], expected: bool) {
    let site = SiteTest::empty().edit("content/a.md", "---\ntitle: A\n---\n[a](/b/)\n");
    let mut command = site.command(&[&["build"], arguments].concat());
    let run = Run::of(command.env("CI", ci)).exits(i32::from(!expected));
    assert_eq!(site.path("dist/a/index.html").exists(), expected, "CI={ci} {arguments:?}");
    match expected {
        true => run.says("published with 1 error: `stepkin check` shows it\n"),
        false => {
            run.says("nothing is published: 1 finding to mend first; --strict, the default where `CI` is set")
        }
    };
}

#[test]
fn a_server_of_continuous_integration_publishes_no_errors() {
    for (ci, expected) in [("true", false), ("1", false), ("", true), ("0", true), ("false", true)] {
        check_published(ci, &[], expected);
    }
    check_published("true", &["--no-strict"], true);
    check_published("", &["--strict"], false);
    check_published("true", &["--strict", "--no-strict"], true);
    check_published("", &["--no-strict", "--strict"], false);
    // What no site can be published with is refused for itself.
    let site = SiteTest::empty().edit("content/a.md", "---\ntitle: [\n---\n");
    let run = Run::of(site.command(&["build", "--no-strict"]).env("CI", "true")).exits(1);
    assert!(run.stderr.ends_with("nothing is published: 1 finding to mend first\n"), "{}", run.stderr);
}

#[test]
fn a_configuration_that_is_not_read_is_an_error() {
    let site = |name: &str| {
        SiteTest::empty().edit("content/a.md", "---\ntitle: A\n---\n").edit(name, "title = 'A'\n")
    };
    for name in
        ["Stepkin.toml", "STEPKIN.TOML", "stepkin.yml", "stepkin.yaml", ".stepkin.toml", "stepkin.toml.txt"]
    {
        site(name).run(&["check"]).exits(2).says(&format!("`{name}` is not read"));
    }
    site("stepkin.toml/a").run(&["check"]).exits(2).says("`stepkin.toml` is a folder");
    site("stepkin.toml").edit("stepkin.yml", "").run(&["check"]).exits(0);
    site("other.toml").run(&["check"]).exits(0);
}
