//! The examples of the manual.
//!
//! - A `console` block contains commands after `$ `, and their output. One shell runs all commands of a page in an empty folder.
//!   A line with `…` matches any lines.
//! - `<!-- run: … -->` contains commands that readers don't see.
//! - On a page with commands, a block whose title is a path with a folder is written to that path.
//! - `<!-- finds: RULE … -->` lists the findings in the next block.

use std::collections::BTreeSet;
use std::ops::Range;
use std::process::{Command, Stdio};

use crate::support::SiteTest;

pub(super) enum Part {
    /// Hidden commands.
    Commands(String),
    Block(Block),
}

/// A code block.
pub(super) struct Block {
    pub(super) language: String,
    pub(super) title: Option<String>,
    /// Rules that the example breaks.
    pub(super) finds: BTreeSet<String>,
    /// Number of columns by which the block is indented.
    indent: usize,
    /// Byte range of its lines in the page.
    lines: Range<usize>,
}

impl Block {
    fn is_console(&self) -> bool {
        self.language == "console"
    }

    /// Returns its text without the block's indentation.
    pub(super) fn body(&self, page: &str) -> String {
        let blank = |line: &str| line.len() - line.trim_start_matches(' ').len();
        let cut = |line: &str| line[self.indent.min(blank(line))..].to_string();
        page[self.lines.clone()].split_inclusive('\n').map(cut).collect()
    }
}

pub(super) fn parts(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut finds = BTreeSet::new();
    // The open fence and its block.
    let mut open: Option<(&str, Block)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let (start, end) = (at, at + line.len());
        at = end;
        let bare = line.trim();
        match open.take() {
            Some((fence, mut block)) => {
                if bare == fence {
                    block.lines.end = start;
                    parts.push(Part::Block(block));
                } else {
                    open = Some((fence, block));
                }
            }
            None if bare.starts_with("```") => {
                let fence = &bare[..bare.len() - bare.trim_start_matches('`').len()];
                let info = &bare[fence.len()..];
                let title = info.split_once(" title=\"").and_then(|(_, rest)| Some(rest.split_once('"')?.0));
                let block = Block {
                    language: info.split_whitespace().next().unwrap_or_default().to_string(),
                    title: title.map(str::to_string),
                    finds: std::mem::take(&mut finds),
                    indent: line.len() - line.trim_start().len(),
                    lines: end..end,
                };
                open = Some((fence, block));
            }
            None => {
                let said = |word: &str| bare.strip_prefix(word)?.strip_suffix("-->");
                if let Some(commands) = said("<!-- run:") {
                    parts.push(Part::Commands(commands.trim().to_string()));
                }
                if let Some(codes) = said("<!-- finds:") {
                    finds = codes.split_whitespace().map(str::to_string).collect();
                }
            }
        }
    }
    assert!(open.is_none() && finds.is_empty(), "a block is not closed, or `finds` has none:\n{text}");
    parts
}

/// Runs the commands on a page, and updates their output in the page if it differs. Returns the page and the number
/// of commands.
///
/// # Errors
///
/// The output of a hidden command that fails.
pub(super) fn run(text: &str) -> Result<(String, usize), String> {
    let parts = parts(text);
    let consoles = || {
        let blocks =
            parts.iter().filter_map(|part| if let Part::Block(block) = part { Some(block) } else { None });
        blocks.filter(|block| block.is_console())
    };
    if consoles().next().is_none() {
        return Ok((text.to_string(), 0));
    }
    let printed = shell(&script(&parts, text))?;
    let mut printed = printed.split('\u{1}');
    let mut renewed = String::new();
    let (mut at, mut count) = (0, 0);
    for block in consoles() {
        let shown = block.body(text);
        let mut transcript = Vec::new();
        for command in commands(&shown) {
            transcript.push(format!("$ {command}"));
            let output = printed.next().expect("each command has its output");
            transcript.extend(output.lines().map(str::to_string));
            count += 1;
        }
        let lines: Vec<&str> = shown.lines().collect();
        if !agree(&lines, &transcript.iter().map(String::as_str).collect::<Vec<_>>()) {
            renewed += &text[at..block.lines.start];
            for line in transcript {
                let indent = if line.is_empty() { 0 } else { block.indent };
                renewed.extend([&*" ".repeat(indent), &line, "\n"]);
            }
            at = block.lines.end;
        }
    }
    Ok((renewed + &text[at..], count))
}

/// Returns the shell script for a page. It prints the output of each visible command, followed by U+0001.
fn script(parts: &[Part], text: &str) -> String {
    let mut script = Vec::new();
    for part in parts {
        match part {
            Part::Commands(commands) => {
                let said = commands.replace('\'', "");
                script.push(format!("{{ {commands}\n}} >&2 || {{ echo 'failed: {said}' >&2; exit 9; }}\n"));
            }
            Part::Block(block) if block.is_console() => {
                let commands = block.body(text);
                let commands = self::commands(&commands);
                script.extend(commands.map(|command| format!("{{ {command}\n}} 2>&1; printf '\\001'\n")));
            }
            Part::Block(block) => {
                let Some(path) = block.title.as_deref().filter(|title| title.contains('/')) else { continue };
                let body = block.body(text);
                script.push(format!("mkdir -p \"$(dirname {path})\"\n"));
                script.push(format!("cat > {path} <<'END OF FILE'\n{body}END OF FILE\n"));
            }
        }
    }
    script.concat()
}

/// Returns the commands of a transcript.
fn commands(transcript: &str) -> impl Iterator<Item = &str> {
    transcript.lines().filter_map(|line| line.strip_prefix("$ "))
}

/// Runs a script in an empty folder, with `stepkin` on the path. Returns its standard output.
fn shell(script: &str) -> Result<String, String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_stepkin"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", program.parent().expect("a folder").display());
    let mut shell = Command::new("sh");
    shell.args(["-c", script]).current_dir(folder.path()).stdin(Stdio::null());
    shell.env("PATH", path).env("HOME", folder.path()).env("REPOSITORY", env!("CARGO_MANIFEST_DIR"));
    // These variables would change the output.
    for variable in
        ["CI", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "FORCE_COLOR", "CLICOLOR_FORCE", "STEPKIN_CACHE_DIR"]
    {
        shell.env_remove(variable);
    }
    let run = shell.output().expect("a shell");
    match run.status.code() {
        Some(9) => Err(String::from_utf8_lossy(&run.stderr).into_owned()),
        _ => Ok(String::from_utf8(run.stdout).expect("the program prints UTF-8")),
    }
}

/// Whether two outputs are equal, apart from durations.
fn agree(shown: &[&str], printed: &[&str]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((&"…", rest)) => (0..=printed.len()).any(|skipped| agree(rest, &printed[skipped..])),
        Some((line, rest)) => {
            let same = |printed: &&str| without_times(line) == without_times(printed);
            printed.first().is_some_and(same) && agree(rest, &printed[1..])
        }
    }
}

/// Replaces each number before a unit of time with `0`.
fn without_times(line: &str) -> String {
    let words = line.split(' ').collect::<Vec<_>>();
    let mut words_without: Vec<&str> = words.clone();
    for (index, pair) in words.windows(2).enumerate() {
        let is_number = pair[0].trim_start_matches('(').parse::<f64>().is_ok();
        if is_number && ["s", "ms", "s)", "ms)"].contains(&pair[1].trim_end_matches([';', ','])) {
            words_without[index] = "0";
        }
    }
    words_without.join(" ").trim_end().to_string()
}

/// Returns each `stepkin …` command in inline code and code blocks, without shell syntax.
pub(super) fn named_commands(text: &str) -> Vec<String> {
    let mut named = Vec::new();
    let mut in_block = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
            continue;
        }
        let pieces: Vec<&str> = if in_block {
            line.split_once("stepkin ")
                .filter(|(before, _)| is_command_before(before))
                .map_or(vec![], |it| vec![it.1])
        } else {
            line.split("`stepkin ").skip(1).filter_map(|rest| rest.split_once('`').map(|it| it.0)).collect()
        };
        for piece in pieces {
            let piece = match (piece.find("${{"), piece.find("}}")) {
                (Some(start), Some(end)) => format!("{}x{}", &piece[..start], &piece[end + 2..]),
                _ => piece.to_string(),
            };
            let end = piece.find([';', '|', '>', '<', '&', '"', '\'', '…', '#', '\\']).unwrap_or(piece.len());
            // Usage lines aren't commands.
            if !piece[..end].trim().is_empty() && !piece.contains("[OPTIONS]") {
                named.push(format!("stepkin {}", piece[..end].trim()));
            }
        }
    }
    named
}

/// Whether a command can start after this text.
fn is_command_before(before: &str) -> bool {
    let before = before.trim();
    before.is_empty()
        || ["$", "-", "- run:", "run:", "sh '", "command = \"", "&&", "|", "- script:"]
            .iter()
            .any(|it| before.ends_with(it))
}

/// The site to which the example pages are added.
pub(super) fn site() -> SiteTest {
    let page =
        |title: &str, order: u8, body: &str| format!("---\ntitle: {title}\norder: {order}\n---\n\n{body}\n");
    let mut site = SiteTest::empty()
        .edit("stepkin.toml", "[variables]\nproduct = \"Acme\"\npackage = { web = \"@acme/web\", ios = \"AcmeKit\", android = \"com.acme:kit\" }\n")
        .edit("code/android/App.kt", "package com.example\n\n// #region init\nclass App : Application() {\n    override fun onCreate() {\n        super.onCreate()\n        Example.start(this)\n    }\n}\n// #endregion init\n")
        .edit("static/images/login.png", PIXEL)
        .edit("static/images/manual/step.webp", include_bytes!("../../../static/images/manual/step.webp"));
    for platform in ["web", "ios", "android"] {
        site = site
            .edit(
                &format!("content/quickstart/{platform}/install.md"),
                page("Install", 1, "## Add the package\n\nText."),
            )
            .edit(&format!("content/quickstart/{platform}/connect.md"), page("Connect", 2, "Text."));
    }
    site
}

/// An image of one pixel.
const PIXEL: &[u8] = &[
    0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', 0, 0, 0, 13, b'I', b'H', b'D', b'R', 0, 0, 0, 1, 0, 0,
    0, 1, 8, 6, 0, 0, 0, 0x1f, 0x15, 0xc4, 0x89, 0, 0, 0, 13, b'I', b'D', b'A', b'T', 0x78, 0x9c, 0x63, 0xf8,
    0xff, 0xff, 0x3f, 0, 5, 0xfe, 2, 0xfe, 0xa7, 0x35, 0x81, 0x84, 0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xae,
    0x42, 0x60, 0x82,
];
