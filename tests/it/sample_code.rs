//! The code on the sample site is valid.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use walkdir::WalkDir;

/// Returns the code blocks of the sample that include files: page, language, file and region.
fn sample() -> Vec<(PathBuf, String, String, Option<String>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let value = |line: &str, name: &str| {
        let (_, rest) = line.split_once(&format!(" {name}=\""))?;
        Some(rest.split_once('"')?.0.to_string())
    };
    let mut fences = Vec::new();
    for entry in WalkDir::new(root.join("content/developers")).sort_by_file_name() {
        let path = entry.expect("the sample").into_path();
        if path.extension().is_none_or(|ending| ending != "md") {
            continue;
        }
        for line in fs::read_to_string(&path).expect("a page").lines().map(str::trim) {
            let Some(info) = line.strip_prefix("```") else { continue };
            let Some(file) = value(info, "file") else { continue };
            let language = info.split_whitespace().next().unwrap_or_default().to_string();
            fences.push((path.clone(), language, file, value(info, "region")));
        }
    }
    fences
}

/// Every file in `code/` is shown, and everything that is shown exists.
#[test]
fn the_sample_shows_its_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shown = sample();
    let files: BTreeSet<String> = shown.iter().map(|(.., file, _)| file.clone()).collect();
    let all = WalkDir::new(root.join("code")).into_iter().map(|entry| entry.expect("the sample"));
    let all = all.filter(|entry| entry.file_type().is_file());
    let below = |path: &Path| path.strip_prefix(root).expect("it is below").to_string_lossy().into_owned();
    let all: BTreeSet<String> = all.map(|entry| below(entry.path())).collect();
    assert_eq!(files, all);
    for (page, _, file, region) in shown {
        let text = fs::read_to_string(root.join(&file)).expect("it is there");
        let marks = |word: &str, name: &str| text.matches(&format!("{word} {name}\n")).count();
        let Some(name) = region else {
            assert!(!text.contains("#region"), "{}: {file} has regions", page.display());
            continue;
        };
        assert_eq!(
            (marks("#region", &name), marks("#endregion", &name)),
            (1, 1),
            "{}: {name}",
            page.display()
        );
    }
}

/// If a compiler is available, it parses the file. Otherwise, brackets must match.
#[test]
fn the_sample_code_is_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files: BTreeMap<String, String> =
        sample().into_iter().map(|(_, language, file, _)| (file, language)).collect();
    assert!(files.len() > 15, "the sample shows {} files", files.len());
    for (file, language) in files {
        let disk = root.join(&file);
        let text = fs::read_to_string(&disk).expect("it is there");
        assert_eq!(unevenness(&text), None, "{file}");
        let compiler: &[&str] = match language.as_str() {
            "js" => &["node", "--check", "--input-type=module", "-"],
            "swift" => &["swiftc", "-parse", "-"],
            "json" => {
                serde_json::from_str::<serde_json::Value>(&text)
                    .unwrap_or_else(|error| panic!("{file}: {error}"));
                continue;
            }
            _ => continue,
        };
        let run = Command::new(compiler[0])
            .args(&compiler[1..])
            .stdin(fs::File::open(&disk).expect("it is there"))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .output();
        // Without the compiler, there is nothing to test.
        let Ok(run) = run else { continue };
        assert!(run.status.success(), "{file}: {}", String::from_utf8_lossy(&run.stderr));
    }
}

/// Returns the first unmatched bracket outside strings and comments.
fn unevenness(text: &str) -> Option<(usize, char)> {
    let mut open = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut quote = None;
        let code = line.split("//").next().unwrap_or_default();
        let code = if code.matches('"').count() % 2 == 0 { code } else { line };
        for sign in code.chars() {
            match (quote, sign) {
                (Some(mark), sign) if mark == sign => quote = None,
                (None, '"' | '\'' | '`') => quote = Some(sign),
                (None, '(' | '[' | '{') => open.push((number + 1, sign)),
                (None, ')' | ']' | '}') => {
                    let other = open.pop().map(|(_, sign)| sign);
                    if !matches!((other, sign), (Some('('), ')') | (Some('['), ']') | (Some('{'), '}')) {
                        return Some((number + 1, sign));
                    }
                }
                _ => {}
            }
        }
    }
    open.pop()
}
