//! How one begins: a site to start from, completions for the shell, and manual pages.

use crate::support::SiteTest;

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
