//! Dependencies: their origin, and whether their licenses allow distributing a program that contains them.
//!
//! `deny.toml` contains the policy. `cargo deny` reads the same file and also knows advisories. `./test` runs it if
//! it is installed. Compiling it takes longer than all other tests in a fresh clone, so this test checks everything
//! that needs no list from elsewhere.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde::Deserialize;

#[derive(Deserialize)]
struct Policy {
    licenses: Licenses,
}

#[derive(Deserialize)]
struct Licenses {
    allow: Vec<String>,
    exceptions: Vec<Exception>,
}

#[derive(Deserialize)]
struct Exception {
    #[serde(rename = "crate")]
    package: String,
    allow: Vec<String>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    workspace_members: Vec<String>,
    resolve: Resolved,
}

#[derive(Deserialize)]
struct Resolved {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<DependencyKind>,
}

#[derive(Deserialize)]
struct DependencyKind {
    /// `None` for dependencies that are compiled into the program.
    kind: Option<String>,
}

impl Metadata {
    /// Returns the IDs of dependencies of the program and its build, except for those of tests.
    fn shipped(&self) -> BTreeSet<&str> {
        let mut shipped = BTreeSet::new();
        let mut waiting: Vec<&str> = self.workspace_members.iter().map(String::as_str).collect();
        while let Some(id) = waiting.pop() {
            if shipped.insert(id) {
                let node = self.resolve.nodes.iter().find(|node| node.id == id).expect("it is resolved");
                let is_used =
                    |it: &&Dependency| it.dep_kinds.iter().any(|it| it.kind.as_deref() != Some("dev"));
                waiting.extend(node.deps.iter().filter(is_used).map(|it| it.pkg.as_str()));
            }
        }
        shipped
    }
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    license: Option<String>,
    /// `None` for packages in this repository.
    source: Option<String>,
    dependencies: Vec<Requirement>,
}

#[derive(Deserialize)]
struct Requirement {
    name: String,
    req: String,
}

const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Whether an SPDX expression can be satisfied with allowed licenses: SPDX 2.3, annex D. `WITH` adds a permission.
fn is_met(expression: &str, is_allowed: &dyn Fn(&str) -> bool) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut words: Vec<&str> = spaced.split_whitespace().rev().collect();
    any(&mut words, is_allowed)
}

/// Parses alternatives. `words` contains the remaining words, with the next one at the end.
fn any(words: &mut Vec<&str>, is_allowed: &dyn Fn(&str) -> bool) -> bool {
    let mut is_met = all(words, is_allowed);
    while words.pop_if(|word| *word == "OR").is_some() {
        is_met |= all(words, is_allowed);
    }
    is_met
}

fn all(words: &mut Vec<&str>, is_allowed: &dyn Fn(&str) -> bool) -> bool {
    let mut is_met = one(words, is_allowed);
    while words.pop_if(|word| *word == "AND").is_some() {
        is_met &= one(words, is_allowed);
    }
    is_met
}

fn one(words: &mut Vec<&str>, is_allowed: &dyn Fn(&str) -> bool) -> bool {
    match words.pop() {
        Some("(") => {
            let is_met = any(words, is_allowed);
            words.pop();
            is_met
        }
        Some(license) => {
            if words.pop_if(|word| *word == "WITH").is_some() {
                words.pop();
            }
            is_allowed(license)
        }
        None => false,
    }
}

#[test]
fn an_expression_of_licenses_is_met_by_one_alternative_of_each_part() {
    let is_allowed = |license: &str| ["MIT", "Zlib"].contains(&license);
    for (expression, expected) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("MIT OR GPL-3.0", true),
        ("GPL-3.0/MIT", true),
        ("MIT AND GPL-3.0", false),
        ("(GPL-3.0 OR MIT) AND Zlib", true),
        ("(GPL-3.0 OR ISC) AND Zlib", false),
        ("GPL-3.0 WITH Linking-exception OR Zlib", true),
        ("", false),
    ] {
        assert_eq!(is_met(expression, &is_allowed), expected, "{expression}");
    }
}

#[test]
fn packages_of_others_come_from_the_registry_under_accepted_licenses() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let policy = std::fs::read_to_string(root.join("deny.toml")).expect("the policy");
    let policy: Policy = toml::from_str(&policy).expect("it is TOML");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline", "--all-features"])
        .args(["--filter-platform", "x86_64-unknown-linux-gnu"])
        .current_dir(root)
        .output()
        .expect("cargo runs this test");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Metadata = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert!(metadata.packages.len() > 200, "{} packages", metadata.packages.len());
    let shipped = metadata.shipped();
    assert!(shipped.len() > 100, "{} packages", shipped.len());
    for package in &metadata.packages {
        let name = &package.name;
        let wildcard = package.dependencies.iter().find(|it| it.req == "*" && package.source.is_none());
        assert!(wildcard.is_none(), "{name} takes any version of {}", wildcard.expect("it was found").name);
        let Some(source) = &package.source else { continue };
        assert_eq!(source, REGISTRY, "{name}");
        let exceptions: Vec<&String> = policy
            .licenses
            .exceptions
            .iter()
            .filter(|it| it.package == *name)
            .flat_map(|it| &it.allow)
            .collect();
        let is_allowed = |license: &str| {
            policy.licenses.allow.iter().chain(exceptions.iter().copied()).any(|it| it == license)
        };
        if !shipped.contains(package.id.as_str()) {
            continue;
        }
        let license = package.license.as_deref().unwrap_or_default();
        assert!(
            is_met(license, &is_allowed),
            "`{name}` is under `{license}`, which deny.toml doesn't accept"
        );
    }
}
