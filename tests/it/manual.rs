//! Checks the manual against the program: runs its commands, reads its configuration and example pages, and compares its lists.
//!
//! `STEPKIN_RENEW=1 cargo test --test it manual::` updates the pages with the program's output. Review the changes before you
//! commit them.

mod examples;
mod lists;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue, ErrorKind};

use self::examples::{Block, Part};
use crate::support::SiteTest;
use walkdir::WalkDir;

/// A page of the manual.
struct Page {
    path: PathBuf,
    /// Path relative to the repository.
    name: String,
    text: String,
}

fn pages() -> Vec<Page> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = WalkDir::new(root.join("content/manual")).sort_by_file_name().into_iter();
    let files = files.map(|entry| entry.expect("the manual").into_path());
    let pages = files.filter(|path| path.extension().is_some_and(|ending| ending == "md")).map(|path| {
        let name = path.strip_prefix(root).expect("a page of the repository").to_string_lossy().into_owned();
        Page { name, text: fs::read_to_string(&path).expect("a page"), path }
    });
    pages.collect()
}

fn blocks(page: &Page) -> Vec<Block> {
    let parts = examples::parts(&page.text).into_iter();
    parts.filter_map(|part| if let Part::Block(block) = part { Some(block) } else { None }).collect()
}

/// All problems that a test found in the manual.
#[derive(Default)]
struct Faults(Vec<String>);

impl Faults {
    fn add(&mut self, page: &Page, what: impl std::fmt::Display) {
        self.0.push(format!("{}: {what}", page.name));
    }

    /// Reports a page that differs from its generated content, or updates it.
    fn hold(&mut self, page: &Page, as_it_should_be: &str) {
        if page.text == as_it_should_be {
            return;
        }
        if std::env::var_os("STEPKIN_RENEW").is_some() {
            fs::write(&page.path, as_it_should_be).expect("a page of the manual");
            return;
        }
        let mut lines = page.text.lines().zip(as_it_should_be.lines()).zip(1..);
        let ((is, should), number) = lines.find(|((is, should), _)| is != should).unwrap_or_default();
        self.add(page, format_args!("line {number} is `{is}`, must be `{should}`\n{RENEW}"));
    }

    #[track_caller]
    fn are_none(self) {
        assert!(self.0.is_empty(), "{}", self.0.join("\n\n"));
    }
}

const RENEW: &str = "  renew it: STEPKIN_RENEW=1 cargo test --test it manual::";

#[test]
fn commands_print_the_output_in_the_manual() {
    let (mut faults, mut commands) = (Faults::default(), 0);
    for page in pages() {
        match examples::run(&page.text) {
            Ok((text, count)) => {
                commands += count;
                faults.hold(&page, &text);
            }
            Err(error) => faults.add(&page, error),
        }
    }
    faults.are_none();
    assert!(commands > 30, "{commands} commands");
}

/// The program accepts each command in the text, with its options.
#[test]
fn the_program_accepts_every_command_in_the_texts() {
    let (mut faults, mut named) = (Faults::default(), 0);
    for page in pages() {
        for command in examples::named_commands(&page.text) {
            let taken = stepkin::app::cli::commands().try_get_matches_from(command.split_whitespace());
            if let Some(error) = taken.err().filter(|error| !is_without_values(error)) {
                faults.add(&page, format_args!("`{command}`\n{error}"));
            }
            named += 1;
        }
    }
    faults.are_none();
    assert!(named > 60, "{named} commands");
}

/// Whether a command lacks only a value, as in text such as `stepkin drift --since`.
fn is_without_values(error: &clap::Error) -> bool {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion | ErrorKind::MissingRequiredArgument => true,
        ErrorKind::InvalidValue => {
            matches!(error.get(ContextKind::InvalidValue), Some(ContextValue::String(value)) if value.is_empty())
        }
        _ => false,
    }
}

#[test]
fn configuration_is_read() {
    let (mut faults, mut read) = (Faults::default(), 0);
    for page in pages() {
        for block in blocks(&page) {
            let is_ours = block.title.as_deref().is_none_or(|title| title == "stepkin.toml");
            if block.language == "toml" && is_ours {
                let text = block.body(&page.text);
                if let Err(invalid) = stepkin::input::config::parse(&text) {
                    faults.add(&page, format_args!("{}\n{text}", invalid.message));
                }
                read += 1;
            }
        }
    }
    faults.are_none();
    assert!(read > 10, "{read} examples");
}

/// Rules that an example breaks only because of the other pages of the test site.
const OF_THE_PLACE: [&str; 3] = ["duplicate-order", "order-gap", "duplicate-title"];

#[test]
fn pages_are_built_with_the_findings_that_are_announced() {
    const EXAMPLE: &str = "content/quickstart/web/example.md";
    let site = examples::site();
    let (mut faults, mut tried) = (Faults::default(), 0);
    for page in pages() {
        for block in blocks(&page) {
            let body = block.body(&page.text);
            let text = match (block.language.as_str(), block.title.as_deref()) {
                ("yaml", Some("front matter")) => format!("---\n{body}---\n\nText.\n"),
                ("markdown", None) if body.starts_with("---\n") => body,
                ("markdown", None) => format!("---\ntitle: Example\norder: 3\n---\n\n{body}"),
                _ if block.finds.is_empty() => continue,
                _ => {
                    faults.add(&page, "`finds` is not before an example");
                    continue;
                }
            };
            site.write(EXAMPLE, &text);
            let found = site.findings().into_iter().filter(|finding| finding.file == EXAMPLE);
            let found = found.filter(|finding| !OF_THE_PLACE.contains(&finding.code.as_str()));
            let found: BTreeSet<String> = found.map(|finding| finding.code).collect();
            if found != block.finds {
                faults.add(&page, format_args!("found {found:?}, announced {:?}\n{text}", block.finds));
            }
            tried += 1;
        }
    }
    faults.are_none();
    assert!(tried > 25, "{tried} examples");
}

#[test]
fn json_is_json() {
    let mut faults = Faults::default();
    for page in pages() {
        for block in blocks(&page).into_iter().filter(|block| block.language == "json") {
            let text = block.body(&page.text);
            let values = serde_json::Deserializer::from_str(&text).into_iter::<serde_json::Value>();
            for error in values.filter_map(Result::err) {
                faults.add(&page, format_args!("{error}\n{text}"));
            }
        }
    }
    faults.are_none();
}

#[test]
fn lists_are_those_of_the_program() {
    let (mut faults, mut made) = (Faults::default(), BTreeSet::new());
    for page in pages() {
        let text = lists::renewed(&page.text, &mut made);
        faults.hold(&page, &text);
    }
    faults.are_none();
    assert_eq!(made, lists::names(), "each list is on a page");
}

/// Hand-written tables have a row for each name in the program, in any order.
#[test]
fn tables_contain_every_name_in_the_program() {
    let site = SiteTest::fixture("three-steps").build();
    let (mut faults, mut tables) = (Faults::default(), BTreeSet::new());
    for page in pages() {
        for (table, names) in lists::tables(&page.text) {
            let names: BTreeSet<String> = names.into_iter().collect();
            let known: BTreeSet<String> = lists::known(&table, &site).into_iter().collect();
            if names != known {
                let missing: Vec<&String> = known.difference(&names).collect();
                let unknown: Vec<&String> = names.difference(&known).collect();
                faults.add(&page, format_args!("`{table}` lacks {missing:?}, and has {unknown:?}"));
            }
            tables.insert(table);
        }
    }
    faults.are_none();
    let wanted: BTreeSet<String> = lists::TABLES.iter().map(|table| (*table).to_string()).collect();
    assert_eq!(tables, wanted);
}
