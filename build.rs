//! Prepares what the program carries in itself:
//!
//! - the grammars of the languages that tutorials show, as one dump that is loaded when first used;
//! - `templates/`, the words among them, and `static/_stepkin/`, so that the binary needs no files beside it;
//! - the version with the commit it was built from, if there is one;
//! - a hash of everything that it is made from, by which it knows what it has kept.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, fs};

use syntect::parsing::syntax_definition::{Context, SyntaxDefinition};
use syntect::parsing::{SyntaxSet, SyntaxSetBuilder};

/// The grammars to ship, by two-face's names; what they embed comes along. Those that no tutorial shows
/// (logs, system files, editor output) would only make the dump larger and slower to load.
#[rustfmt::skip] // A list of names reads better in paragraphs.
const GRAMMARS: &[&str] = &[
    "AWK", "Batch File", "Bourne Again Shell (bash)", "C", "C#", "C++", "CMake", "CSS", "Clojure",
    "CoffeeScript", "Crystal", "D", "Dart", "Diff", "Dockerfile", "DotENV", "Elixir", "Elm", "Erlang", "F#",
    "Fish", "GLSL", "Git Ignore", "Go", "Gomod", "GraphQL", "Graphviz (DOT)", "Groovy", "HTML",
    "HTTP Request and Response", "Haskell", "INI", "JSON", "Java", "Java Properties", "JavaScript",
    "JavaScript (Babel)", "Jinja2", "JQ", "Julia", "Kotlin", "LaTeX", "Less", "Lisp", "Lua", "Makefile",
    "Markdown", "Nim", "Nix", "OCaml", "Objective-C", "Objective-C++", "PHP", "Pascal", "Perl",
    "Plain Text", "PowerShell", "Protocol Buffer", "Puppet", "PureScript", "Python", "R", "Racket",
    "Regular Expression", "Requirements.txt", "Ruby", "Rust", "SCSS", "SQL", "Sass", "Scala", "Solidity",
    "Stylus", "Svelte", "Swift", "TOML", "TeX", "Terraform", "TypeScript", "TypeScriptReact", "VimL",
    "Vue Component", "WGSL", "XML", "YAML", "Zig", "nginx", "reStructuredText",
];

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    unless_done(&out.join("grammars.key"), || pack_grammars(&out));
    embed_files(&out);
    println!("cargo::rustc-env=STEPKIN_VERSION={}", version());
    println!("cargo::rustc-env=STEPKIN_BUILD={}", identity());
}

/// Everything that the program is made from, and with it everything that its results depend on but their sources.
const PARTS: [&str; 6] = ["Cargo.lock", "Cargo.toml", "build.rs", "src", "static/_stepkin", "templates"];

/// A hash of all [`PARTS`] and of the features that are on: the same sources have the same, wherever they are compiled.
fn identity() -> blake3::Hash {
    let root = manifest_folder();
    let mut hasher = blake3::Hasher::new();
    let mut add = |name: &str, bytes: &[u8]| {
        for part in [name.as_bytes(), bytes] {
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
        }
    };
    for part in PARTS {
        println!("cargo::rerun-if-changed={part}");
        let mut files = vec![root.join(part)];
        if files[0].is_dir() {
            files.clear();
            collect(&root.join(part), &mut files);
        }
        files.sort();
        for file in files {
            let name = file.strip_prefix(&root).expect("it was found there").to_string_lossy().into_owned();
            // The lock file may be missing; editors may remove their own files meanwhile.
            add(&name, &fs::read(&file).unwrap_or_default());
        }
    }
    let features: BTreeSet<String> =
        env::vars().map(|(name, _)| name).filter(|name| name.starts_with("CARGO_FEATURE_")).collect();
    for feature in features {
        add(&feature, &[]);
    }
    // Of a package that was downloaded, cargo may have chosen other dependencies than our lock file names.
    if root.join(".cargo_vcs_info.json").exists() {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        add("compiled", &now.as_nanos().to_le_bytes());
    }
    hasher.finalize()
}

/// Does work whose inputs are all in this script, unless `key` says that it has been done by this very script: packing
/// takes seconds, and the script runs after each change of the program.
fn unless_done(key: &Path, work: impl FnOnce()) {
    let script = env::current_exe().and_then(fs::read).map(|script| blake3::hash(&script).to_string());
    let script = script.expect("a script that runs can be read");
    if fs::read_to_string(key).ok().as_ref() != Some(&script) {
        work();
        fs::write(key, script).expect("OUT_DIR is writable");
    }
}

fn manifest_folder() -> PathBuf {
    PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"))
}

fn pack_grammars(out: &Path) {
    let all = two_face::syntax::extra_newlines().into_builder();
    let kept = with_embedded(all.syntaxes());
    // Grammars refer to each other by position, so what is left out leaves an empty one behind.
    let mut lean = SyntaxSetBuilder::new();
    for (position, grammar) in all.syntaxes().iter().enumerate() {
        lean.add(if kept.contains(&position) { grammar.clone() } else { empty(grammar) });
    }
    let lean = lean.build();
    fs::write(out.join("grammar_tokens.rs"), grammar_tokens(&lean)).expect("OUT_DIR is writable");
    syntect::dumps::dump_to_uncompressed_file(&lean, out.join("grammars.bin")).expect("OUT_DIR is writable");
}

/// The positions of [`GRAMMARS`] and of all that they embed.
fn with_embedded(all: &[SyntaxDefinition]) -> BTreeSet<usize> {
    let position = |name: &str| {
        let found = all.iter().position(|grammar| grammar.name == name);
        found.unwrap_or_else(|| panic!("two-face has no grammar `{name}`"))
    };
    let mut kept = BTreeSet::new();
    let mut waiting: Vec<usize> = GRAMMARS.iter().map(|name| position(name)).collect();
    while let Some(position) = waiting.pop() {
        if kept.insert(position) {
            // The positions are private to syntect; its serialized form shows them.
            let definition = serde_json::to_value(&all[position]).expect("a definition is plain data");
            embedded_in(&definition, &mut waiting);
        }
    }
    kept
}

fn embedded_in(value: &serde_json::Value, found: &mut Vec<usize>) {
    match value {
        serde_json::Value::Object(fields) => {
            let position = fields.get("syntax_index").and_then(serde_json::Value::as_u64);
            found.extend(position.and_then(|position| usize::try_from(position).ok()));
            fields.values().for_each(|value| embedded_in(value, found));
        }
        serde_json::Value::Array(values) => values.iter().for_each(|value| embedded_in(value, found)),
        _ => {}
    }
}

fn empty(grammar: &SyntaxDefinition) -> SyntaxDefinition {
    SyntaxDefinition {
        name: grammar.name.clone(),
        file_extensions: Vec::new(),
        scope: grammar.scope,
        first_line_match: None,
        hidden: true,
        variables: HashMap::new(),
        contexts: HashMap::from([("main".to_string(), Context::new(false))]),
    }
}

/// Every word that names a grammar, sorted, in lower case: `check` needs them without the grammars.
fn grammar_tokens(grammars: &SyntaxSet) -> String {
    let visible = grammars.syntaxes().iter().filter(|grammar| !grammar.hidden);
    let tokens: BTreeSet<String> = visible
        .flat_map(|grammar| grammar.file_extensions.iter().chain([&grammar.name]))
        .map(|token| token.to_lowercase())
        .collect();
    format!("&{:?}", tokens.into_iter().collect::<Vec<_>>())
}

/// Writes the list of embedded files: `(path below its folder, content)`.
fn embed_files(out: &Path) {
    let root = manifest_folder();
    let mut code = String::new();
    for (name, folder, kind, include) in [
        ("TEMPLATES", "templates", "&str", "include_str"),
        ("WORDS", "templates/words", "&str", "include_str"),
        ("ASSETS", "static/_stepkin", "&[u8]", "include_bytes"),
    ] {
        let mut files: Vec<PathBuf> = Vec::new();
        collect(&root.join(folder), &mut files);
        // Words stand among the templates, where a site has its own, and are none.
        files.retain(|file| folder == "templates/words" || !file.starts_with(root.join("templates/words")));
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

/// What all pages load once they are there, in this order, and the one file that holds all of it.
const PAGE_SCRIPTS: [&str; 4] = ["site.js", "keys.js", "progress.js", "blocks.js"];
const PAGE_SCRIPT: &str = "page.js";

/// Scripts and styles as readers load them: without comments and indentation, a third of what they weigh.
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

/// Leaves out comments that have their lines to themselves, as all of ours do, and what indents the others.
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

/// Leaves out of a style the spaces that say nothing: around braces and semicolons, and behind commas and colons.
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

/// `0.1.0`, or `0.1.0 (1a2b3c4)` in a checkout; building without git works.
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
