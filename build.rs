//! Prepares the embedded data of the program:
//!
//! - `templates/` with the words, and `static/_stepkin/`, so that the executable needs no other files;
//! - the version with the commit, if there is one;
//! - a hash of everything from which the program is compiled, which identifies its cached results.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, fs};

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    embed_files(&out);
    println!("cargo::rustc-env=STEPKIN_VERSION={}", version());
    println!("cargo::rustc-env=STEPKIN_BUILD={}", identity());
}

/// Everything from which the program is compiled, on which its results therefore depend.
const PARTS: [&str; 7] =
    ["Cargo.lock", "Cargo.toml", "build.rs", "crates", "src", "static/_stepkin", "templates"];

/// Returns a hash of all [`PARTS`] and the enabled features. It is the same for the same sources, wherever a compiler of this
/// version compiles them.
fn identity() -> String {
    let root = manifest_folder();
    let mut hasher = DefaultHasher::new();
    // A slice is hashed with its length.
    let mut add = |name: &str, bytes: &[u8]| (name, bytes).hash(&mut hasher);
    // A downloaded package contains no `crates`, but the lock file contains their versions.
    for part in PARTS.into_iter().filter(|part| root.join(part).exists()) {
        println!("cargo::rerun-if-changed={part}");
        let mut files = vec![root.join(part)];
        if files[0].is_dir() {
            files.clear();
            collect(&root.join(part), &mut files);
        }
        files.sort();
        for file in files {
            let name = file.strip_prefix(&root).expect("it was found there").to_string_lossy().into_owned();
            // The lock file may be missing, and editors may delete their temporary files in the meantime.
            add(&name, &fs::read(&file).unwrap_or_default());
        }
    }
    let features: BTreeSet<String> =
        env::vars().map(|(name, _)| name).filter(|name| name.starts_with("CARGO_FEATURE_")).collect();
    for feature in features {
        add(&feature, &[]);
    }
    // For a downloaded package, cargo may have chosen other dependencies than those in our lock file.
    if root.join(".cargo_vcs_info.json").exists() {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        add("compiled", &now.as_nanos().to_le_bytes());
    }
    format!("{:016x}", hasher.finish())
}

fn manifest_folder() -> PathBuf {
    PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"))
}

/// Writes the list of embedded files: `(path relative to its folder, content)`.
fn embed_files(out: &Path) {
    let root = manifest_folder();
    let mut code = String::new();
    for (name, folder, kind, include) in [
        ("TEMPLATES", "templates", "&str", "include_str"),
        ("ASSETS", "static/_stepkin", "&[u8]", "include_bytes"),
    ] {
        let mut files: Vec<PathBuf> = Vec::new();
        collect(&root.join(folder), &mut files);
        files.sort();
        writeln!(code, "pub(crate) static {name}: &[(&str, {kind})] = &[")
            .expect("a String takes everything");
        for file in files {
            let path = file.strip_prefix(root.join(folder)).expect("it was found there");
            let path = path.to_str().expect("our file names are UTF-8").replace('\\', "/");
            writeln!(
                code,
                "    ({path:?}, {include}!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/{folder}/{path}\"))),"
            )
            .expect("a String takes everything");
        }
        code.push_str("];\n");
    }
    code.push_str(&published(&root.join("static/_stepkin"), out));
    fs::write(out.join("embedded.rs"), code).expect("OUT_DIR is writable");
}

/// The scripts that all pages load, in this order, and the file that contains all of them.
const PAGE_SCRIPTS: [&str; 6] =
    ["site.js", "keys.js", "progress.js", "blocks.js", "languages.js", "search-loader.js"];
const PAGE_SCRIPT: &str = "page.js";

/// Writes scripts and styles as they are published: without comments and indentation, which are a third of their
/// size.
fn published(folder: &Path, out: &Path) -> String {
    let shortened = out.join("published");
    fs::create_dir_all(&shortened).expect("OUT_DIR is writable");
    let mut files: Vec<PathBuf> = Vec::new();
    collect(folder, &mut files);
    files.sort();
    let mut code = format!(
        "pub(crate) const PAGE_SCRIPTS: &[&str] = &{PAGE_SCRIPTS:?};\n\
         pub(crate) const PAGE_SCRIPT: &str = {PAGE_SCRIPT:?};\n\
         pub(crate) static PUBLISHED: &[(&str, &[u8])] = &[\n"
    );
    let mut add = |name: &str, text: &str| {
        fs::write(shortened.join(name), text).expect("OUT_DIR is writable");
        writeln!(code, "    ({name:?}, include_bytes!(concat!(env!(\"OUT_DIR\"), \"/published/{name}\"))),")
            .expect("a String takes everything");
    };
    let parts = PAGE_SCRIPTS.map(|name| fs::read_to_string(folder.join(name)).expect("it is one of ours"));
    add(PAGE_SCRIPT, &parts.map(|part| without_comments(&part)).concat());
    for file in files {
        let name =
            file.strip_prefix(folder).expect("it was found there").to_str().expect("our names are UTF-8");
        let text = fs::read_to_string(&file).expect("our own files are text");
        let text = match file.extension().and_then(|it| it.to_str()) {
            Some("js") => without_comments(&text),
            Some("css") => without_spaces(&without_comments(&text)),
            _ => text,
        };
        add(name, &text);
    }
    code + "];\n"
}

/// Removes comments that are on separate lines, as all comments in these files are, and indentation.
fn without_comments(text: &str) -> String {
    let mut in_comment = false;
    let mut kept = String::with_capacity(text.len());
    for line in text.lines().map(str::trim) {
        in_comment |= line.starts_with("/*");
        if !in_comment && !line.is_empty() && !line.starts_with("//") {
            kept.push_str(line);
            kept.push('\n');
        }
        in_comment &= !line.ends_with("*/");
    }
    kept
}

/// Removes meaningless spaces from a style sheet: around braces and semicolons, and after commas and colons.
fn without_spaces(css: &str) -> String {
    let mut kept = String::with_capacity(css.len());
    let mut is_text = false;
    for sign in css.chars() {
        is_text ^= sign == '"';
        match sign {
            _ if is_text => kept.push(sign),
            ' ' | '\n' if kept.ends_with(['{', '}', ';', ',', ':', ' ']) => {}
            ' ' | '\n' => kept.push(' '),
            '{' | '}' | ';' => {
                kept.truncate(kept.trim_end_matches(' ').len());
                if sign == '}' {
                    kept.truncate(kept.trim_end_matches(';').len());
                }
                kept.push(sign);
            }
            _ => kept.push(sign),
        }
    }
    kept
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder is part of the package").flatten() {
        let path = entry.path();
        if path.is_dir() { collect(&path, files) } else { files.push(path) }
    }
}

/// Returns `0.1.0`, or `0.1.0 (1a2b3c4)` in a checkout. Building without git works.
fn version() -> String {
    let version = env::var("CARGO_PKG_VERSION").expect("cargo sets CARGO_PKG_VERSION");
    println!("cargo::rerun-if-changed=.git/HEAD");
    let commit = Command::new("git").args(["rev-parse", "--short=9", "HEAD"]).output().ok();
    let commit = commit.filter(|output| output.status.success() && Path::new(".git").exists());
    match commit.and_then(|output| String::from_utf8(output.stdout).ok()) {
        Some(commit) => format!("{version} ({})", commit.trim()),
        None => version,
    }
}
