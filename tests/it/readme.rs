//! Checks the README against the program: its commands run literally, and everything in it exists.

use std::path::Path;
use std::process::Command;

use crate::sample;
use crate::support::{Run, SiteTest, ask_for_nothing};

const README: &str = include_str!("../../README.md");

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the lines of all shell blocks.
fn commands() -> Vec<&'static str> {
    let blocks = README.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap_or(rest));
    blocks.flat_map(str::lines).collect()
}

/// Whether a command takes minutes, or runs this test.
fn is_for_others(command: &str) -> bool {
    ["./test", "cargo install --locked --path ."].contains(&without_comment(command))
}

fn without_comment(command: &str) -> &str {
    command.split_once(" #").map_or(command, |(command, _)| command).trim()
}

/// Whether a command runs until it is stopped.
fn is_endless(command: &str) -> bool {
    command.starts_with("stepkin serve")
}

#[test]
fn the_commands_in_the_readme_work() {
    let clone = SiteTest::rootless();
    assert!(sample::built().status.success());
    // With the cache of an earlier build, because images take longer than everything else together.
    for name in ["content", "static", "code", "stepkin.toml", ".stepkin"] {
        let copy = Command::new("cp").arg("-r").arg(root().join(name)).arg(clone.path(name)).status();
        assert!(copy.is_ok_and(|status| status.success()), "cannot copy {name}");
    }
    let programs = tempfile::tempdir().expect("a temporary folder");
    let program = env!("CARGO_BIN_EXE_stepkin");
    std::os::unix::fs::symlink(program, programs.path().join("stepkin")).expect("a link of our own");
    // Cargo would compile packages again that tests share with other features.
    let cargo = format!("#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\nshift\nexec {program} \"$@\"\n");
    let file = programs.path().join("cargo");
    std::fs::write(&file, cargo).expect("a file of our own");
    let status = Command::new("chmod").arg("+x").arg(&file).status();
    assert!(status.is_ok_and(|status| status.success()));
    let path = format!("{}:{}", programs.path().display(), std::env::var("PATH").unwrap_or_default());
    let commands: Vec<&str> = commands().into_iter().filter(|command| !is_for_others(command)).collect();
    assert!(commands.len() >= 6, "{commands:?}");
    for command in commands {
        if is_endless(command) {
            let words = without_comment(command).split_whitespace();
            assert!(stepkin::app::cli::commands().try_get_matches_from(words).is_ok(), "`{command}`");
            continue;
        }
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(clone.root());
        ask_for_nothing(&mut shell);
        let run = Run::of(shell.env("PATH", &path));
        assert_eq!(run.status, Some(0), "`{command}`: {}{}", run.stdout, run.stderr);
    }
    for page in ["dist/index.html", "dist/manual/index.html", "dist/developers/quickstart/index.html"] {
        assert!(clone.path(page).exists(), "no {page}");
    }
    assert!(clone.path("my-site/dist/first-tutorial/web/install/index.html").exists());
}

#[test]
fn links_of_the_readme_work() {
    let targets = README.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    for target in targets.filter(|target| !target.contains("://")) {
        assert!(root().join(target).exists(), "README.md leads to `{target}`");
    }
}

#[test]
fn the_readme_is_short() {
    let lines = README.lines().count();
    assert!(lines <= 120, "README.md has {lines} lines; what is more belongs to the manual");
}

/// The example at the top is the output of `drift` for the tutorial of `init`, after a change on one platform.
#[test]
fn the_example_of_drift_is_real() {
    let (_, rest) = README.split_once("```console\n$ stepkin drift\n").expect("the example");
    let (example, _) = rest.split_once("```").expect("its end");
    let folder = SiteTest::rootless();
    folder.run(&["init", "my-site"]).exits(0);
    let site =
        folder.replace("my-site/content/first-tutorial/ios/connect.md", "| Batch | on |", "| Batch | off |");
    let printed = site.run(&["drift", "--root", "my-site"]).exits(0).stdout;
    for line in example.lines() {
        assert!(printed.lines().any(|it| it.trim_end() == line.trim_end()), "`{line}` is not in\n{printed}");
    }
}
