//! Commands for beginners: a new site, shell completions, and man pages.

use crate::support::{Run, SiteTest};

#[test]
fn a_new_site_builds_and_has_nothing_to_report() {
    let place = SiteTest::empty();
    let run = place.run(&["init", "new/site"]).exits(0);
    assert!(run.stderr.contains("next: `cd new/site`, then `stepkin serve --open`"), "{}", run.stderr);
    assert!(place.text("new/site/.gitignore").contains("/dist"));
    let check = place.run(&["check", "--drift", "--fail-on", "info", "--root", "new/site"]).exits(0);
    assert!(check.stdout.starts_with("no problems found in 5 pages"), "{}", check.stdout);
    place.run(&["build", "--strict", "--root", "new/site"]).exits(0);
    assert!(place.path("new/site/dist/first-tutorial/ios/connect/index.html").is_file());
}

#[test]
fn a_folder_with_something_in_it_is_left_alone() {
    let place = SiteTest::empty().edit("old/notes.txt", "mine");
    let run = place.run(&["init", "old"]).exits(2);
    assert!(
        run.stderr.contains("cannot create a site in `old`: the directory is not empty"),
        "{}",
        run.stderr
    );
    assert_eq!(place.text("old/notes.txt"), "mine");
    assert!(!place.path("old/content").exists());
    place.run(&["init", "old/notes.txt"]).exits(2);
}

#[test]
fn shells_complete_commands_and_options() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = SiteTest::empty().run(&["completions", shell]).exits(0).stdout.clone();
        for word in ["check", "fail-on", "watch"] {
            assert!(script.contains(word), "{shell} doesn't know `{word}`");
        }
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let place = SiteTest::empty();
    place.run(&["man", "man1"]).exits(0);
    let commands = stepkin::app::cli::commands();
    for command in commands.get_subcommands() {
        let page = place.text(&format!("man1/stepkin-{}.1", command.get_name()));
        assert!(page.contains(".SH SYNOPSIS"), "{page}");
    }
    assert!(commands.get_subcommands().count() > 10 && place.path("man1/stepkin.1").is_file());
}

#[test]
fn the_site_is_found_from_a_folder_in_it() {
    let place = SiteTest::empty();
    place.run(&["init", "site"]).exits(0);
    for (folder, root) in [("site/content/first-tutorial", "../.."), ("site/content", "..")] {
        let run = place.run_in(folder, &["check"]).exits(0);
        let read = "5 pages, 1 family: First tutorial for Web, iOS (2 steps)\n";
        assert_eq!(run.stderr, format!("using site root `{root}`\n{read}"));
    }
    let run = place.run_in("site/content/first-tutorial", &["build"]).exits(0);
    run.says("using site root `../..`");
    assert!(place.path("site/dist/index.html").is_file());
    assert!(!place.run_in("site", &["check"]).exits(0).stderr.contains("using site root"));
    // An explicit root is used.
    std::fs::create_dir(place.path("site/empty")).expect("a folder");
    place.run_in("site/empty", &["check", "--root", "."]).exits(2).says("cannot find pages in `.`");
}

#[test]
fn commands_of_other_programs_have_a_tip() {
    let place = SiteTest::empty().edit("site/content/a.md", "---\ntitle: A\n---\n");
    for (command, tip) in [
        ("lint", "tip: run `stepkin check` to"),
        ("clean", "tip: delete `dist` and `.stepkin`"),
        ("import", "tip: run `stepkin migrate --output DIR` to convert"),
        ("rename", "tip: run `stepkin mv OLD NEW` to move a page"),
        ("deploy", "tip: run `stepkin build`"),
        ("status", "tip: run `stepkin check --statistics` to count"),
        ("biuld", "'build'"),
    ] {
        place.run(&[command]).exits(2).says(tip);
    }
    place
        .run(&["theme", "eject", "base.html", "site"])
        .exits(2)
        .says("tip: use `--root site` to set the site root");
}

#[test]
fn a_build_counts_its_findings() {
    let page = |text: &str| format!("---\ntitle: A\n---\n{text}\n");
    for (text, said) in [
        ("the the end", "1 warning; run `stepkin check` to see it\n"),
        ("the the end, and and so on", "2 warnings; run `stepkin check` to see them\n"),
        ("[a](/b/)", "built with 1 error; run `stepkin check` to see it\n"),
        ("[a](/b/) the the end", "built with 1 error and 1 warning; run `stepkin check` to see them\n"),
    ] {
        let run = SiteTest::empty().edit("content/a.md", page(text)).run(&["build"]).exits(0);
        assert!(run.stderr.ends_with(said), "{}", run.stderr);
    }
}

/// Checks whether a site with a broken link is published for a value of `CI`.
#[track_caller]
fn check_published(ci: &str, arguments: &[&str], expected: bool) {
    let site = SiteTest::empty().edit("content/a.md", "---\ntitle: A\n---\n[a](/b/)\n");
    let mut command = site.command(&[&["build"], arguments].concat());
    let run = Run::of(command.env("CI", ci)).exits(i32::from(!expected));
    assert_eq!(site.path("dist/a/index.html").exists(), expected, "CI={ci} {arguments:?}");
    if expected {
        run.says("built with 1 error; run `stepkin check` to see it\n")
    } else {
        run.says("build failed: 1 error. Errors fail the build because `--strict` is on")
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
    // A finding that blocks the build is reported separately.
    let site = SiteTest::empty().edit("content/a.md", "---\ntitle: [\n---\n");
    let run = Run::of(site.command(&["build", "--no-strict"]).env("CI", "true")).exits(1);
    assert!(run.stderr.ends_with("build failed: 1 error to fix first\n"), "{}", run.stderr);
}

#[test]
fn a_configuration_that_is_not_read_is_an_error() {
    let site = |name: &str| {
        SiteTest::empty().edit("content/a.md", "---\ntitle: A\n---\n").edit(name, "title = 'A'\n")
    };
    for name in
        ["Stepkin.toml", "STEPKIN.TOML", "stepkin.yml", "stepkin.yaml", ".stepkin.toml", "stepkin.toml.txt"]
    {
        site(name).run(&["check"]).exits(2).says(&format!("`{name}` is ignored"));
    }
    site("stepkin.toml/a").run(&["check"]).exits(2).says("`stepkin.toml` is a directory");
    site("stepkin.toml").edit("stepkin.yml", "").run(&["check"]).exits(0);
    site("other.toml").run(&["check"]).exits(0);
}

#[test]
fn a_first_operand_that_is_a_site_is_its_root() {
    let place = SiteTest::empty();
    place.run(&["init", "site"]).exits(0);
    place.run(&["check", "site"]).exits(0).reports("no problems found in 5 pages");
    place.run(&["check", "site", "content/first-tutorial"]).exits(0).reports("no problems found in 4 pages");
    place.run(&["check", "site", "site/content/first-tutorial/ios"]).exits(0).reports("in 2 pages");
    place.run(&["fix", "site"]).exits(0).says("fixed 0 problems");
    place.run(&["drift", "site"]).exits(0).reports("no problems found");
    place.run(&["drift", "site", "--family", "first-tutorial"]).exits(0);
    place
        .run(&["drift", "site", "--family", "frist-tutorial"])
        .exits(2)
        .says("unknown family `frist-tutorial`");
    place.run(&["export", "family", "site"]).exits(0).reports("first-tutorial");
    // With a root, or in a site, other operands limit the command, as before.
    place.run(&["check", "--root", "site", "content/index.md"]).exits(0).reports("in 1 page ");
    place.run_in("site", &["check", "content/index.md"]).exits(0).reports("in 1 page ");
    place.run_in("site", &["drift", "first-tutorial"]).exits(0);
    place.run_in("site", &["drift", "site"]).exits(2).says("unknown family `site`");
    let both = ["drift", "first-tutorial", "--family", "first-tutorial"];
    place.run_in("site", &both).exits(2).says("`first-tutorial` is not a directory that contains a site");
}

#[test]
fn old_names_of_options_are_accepted() {
    let place = SiteTest::empty();
    place.run(&["init", "site"]).exits(0);
    for (arguments, status) in [
        (&["check", "--max", "1"][..], 0),
        (&["fix", "--only", "mojibake"], 0),
        (&["build", "--only", "first-tutorial", "--output", "part"], 0),
        (&["build", "-o", "dist", "-j", "2"], 0),
        (&["check", "--stdin-path", "content/index.md"], 2),
    ] {
        let run = place.run_in("site", arguments).exits(status);
        assert!(!run.stderr.contains("unexpected argument"), "{}", run.stderr);
    }
    let commands = stepkin::app::cli::commands();
    for (command, old, new) in [
        ("check", "stdin-path", "stdin-filename"),
        ("publish", "delete", "force-delete"),
        ("publish", "single-publisher", "no-lock"),
        ("publish", "output", "dir"),
        ("migrate", "keep-hand-written", "keep-navigation"),
    ] {
        let command = commands.find_subcommand(command).expect("a command");
        let option = command.get_arguments().find(|it| it.get_long() == Some(new)).expect("an option");
        assert_eq!(option.get_all_aliases(), Some(vec![old]), "{new}");
        assert!(option.get_visible_aliases().unwrap_or_default().is_empty(), "{new}");
    }
}
