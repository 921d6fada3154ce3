//! The modules of the program are in layers: in `lib.rs` each comes after those that it uses.

use std::collections::BTreeMap;
use std::path::Path;

use walkdir::WalkDir;

/// The top modules in the order of `lib.rs`.
fn order(source: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(source.join("lib.rs")).expect("a library");
    let name = |line: &str| {
        let rest = line.strip_prefix("pub ").unwrap_or(line).strip_prefix("mod ")?;
        Some(rest.strip_suffix(';')?.to_string())
    };
    text.lines().filter_map(name).collect()
}

/// The code of a file without its tests and its comments.
fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let lines = code.lines().map(|line| line.find("//").map_or(line, |comment| &line[..comment]));
    lines.collect::<Vec<_>>().join("\n")
}

/// The top modules that some code names, by `crate::name` or in a group, `crate::{name, other}`.
fn named(code: &str) -> Vec<String> {
    let mut named = Vec::new();
    for (at, path) in code.match_indices("crate::") {
        if code[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_') {
            continue;
        }
        let rest = &code[at + path.len()..];
        assert!(!rest.starts_with('{'), "write one `use crate::…` for each module");
        named.push(rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect());
    }
    named
}

/// Every use of one top module by another, with the first file that has it.
fn uses(source: &Path) -> BTreeMap<(String, String), String> {
    let mut uses = BTreeMap::new();
    let files = WalkDir::new(source).sort_by_file_name().into_iter().map(|entry| entry.expect("a file"));
    for file in files.filter(|file| file.path().extension().is_some_and(|extension| extension == "rs")) {
        let path = file.path().strip_prefix(source).expect("it is below").to_str().expect("a plain name");
        let module = path.split(['/', '.']).next().expect("a name").to_string();
        let text = std::fs::read_to_string(file.path()).expect("a file");
        for other in named(&code(&text)) {
            uses.entry((module.clone(), other)).or_insert_with(|| path.to_string());
        }
    }
    uses.retain(|(module, other), _| module != other && !["lib", "main"].contains(&&**module));
    uses
}

#[test]
fn no_module_uses_one_that_comes_later() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (order, uses) = (order(&source), uses(&source));
    assert!(order.len() > 20 && uses.len() > 100, "{} modules, {} uses", order.len(), uses.len());
    let place = |module: &str| order.iter().position(|name| name == module);
    let wrong: Vec<_> = uses.iter().filter(|((module, other), _)| place(other) >= place(module)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_store_uses_no_module_but_hashes_and_no_module_uses_the_command_line() {
    let uses = uses(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let wrong = |(module, other): &&(String, String)| module == "store" && other != "hash" || other == "cli";
    assert_eq!(uses.keys().find(wrong), None);
}
