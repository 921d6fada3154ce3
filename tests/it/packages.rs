//! Shipped files: those of the crate, and the same version in all packages.

use std::path::Path;
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("cannot read {path}: {error}"))
}

#[test]
fn the_crate_contains_only_the_sources_of_the_program() {
    let list = Command::new(env!("CARGO"))
        .args(["package", "--list", "--offline", "--allow-dirty"])
        .current_dir(root())
        .output()
        .expect("cargo runs this test");
    let files = String::from_utf8(list.stdout).expect("our names are UTF-8");
    let has = |file: &str| files.lines().any(|line| line == file);
    for file in ["build.rs", "src/output/pipeline.rs", "templates/base.html", "Cargo.lock"] {
        assert!(has(file), "{file} is missing in\n{files}");
    }
    for file in
        ["static/_stepkin/blocks.js", "src/app/cli/init/site/stepkin.toml", "README.md", "LICENSE-MIT"]
    {
        assert!(has(file), "{file} is missing in\n{files}");
    }
    for folder in
        ["benches", "code", "content", "editors", "packaging", "static/images", "tests", ".github", ".ci"]
    {
        let more = files.lines().find(|line| Path::new(line).starts_with(folder));
        assert_eq!(more, None, "the crate needs nothing of {folder}");
    }
}

#[test]
fn the_extension_for_editors_has_the_version_of_the_program() {
    let version = env!("CARGO_PKG_VERSION");
    for file in ["editors/vscode/package.json", "editors/vscode/package-lock.json"] {
        let said: serde_json::Value = serde_json::from_str(&read(file)).expect("it is JSON");
        assert_eq!(said["version"], version, "{file}");
    }
    let command = format!("code --install-extension stepkin-{version}.vsix");
    assert!(read("editors/README.md").contains(&command), "editors/README.md wants `{command}`");
}

#[test]
fn a_release_has_every_target_that_packages_are_made_for() {
    let (made, released) = (read("packaging/packages.py"), read(".github/workflows/release.yml"));
    let table =
        made.split_once("TARGETS = {\n").and_then(|(_, rest)| rest.split_once("\n}")).expect("a table").0;
    let targets: Vec<&str> = table.lines().filter_map(|line| line.split('"').nth(1)).collect();
    let started: Vec<&str> =
        released.split("{ target: ").skip(1).filter_map(|rest| rest.split(',').next()).collect();
    assert!(!targets.is_empty());
    assert_eq!(started, targets);
}
