//! Translations in an editor: the original's section at a heading, and how many sections are behind.

use std::fmt::Write as _;

use lsp_types::{CodeLens, Command};
use serde_json::json;

use super::SHOW;
use super::navigation::FilePosition;
use super::position::{Encoding, Lines};
use base::diagnostic::count;
use base::site_path::SitePath;
use review::translations::{ChangeKind, LaggingSection, PageState, original_section};
use site::languages::Counterpart;
use site::work::Work;

/// A translation with its original, and what changed there.
pub(super) struct Translated<'a> {
    pub(super) work: &'a Work,
    pub(super) pair: &'a Counterpart,
    pub(super) state: &'a PageState,
}

impl Translated<'_> {
    /// Returns the Markdown text for a heading: what changed in the original's section, and that section.
    pub(super) fn hover(&self, at: usize) -> Option<String> {
        let sources = self.work.project.sources.whole();
        let section = original_section(sources, &self.pair.original, &self.pair.translation, at)?;
        let line = section.line;
        let mut text = format!("`{}`, line {line}", self.pair.original);
        let change = self.sections().find(|it| it.span == section.translated);
        match change {
            Some(change) => _ = write!(text, ": {}\n\n{}", described(change), change.changes),
            None => text.push_str(": no change to follow"),
        }
        let longest = section.text.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
        let fence = "`".repeat(longest.max(2) + 1);
        _ = write!(text, "\n\n{fence}markdown\n{}\n{fence}\n", section.text.trim_end());
        Some(text)
    }

    /// Returns one above the page with the number of sections, and one above each of them. They link to the original.
    pub(super) fn lenses(&self, path: &SitePath, text: &str, encoding: Encoding) -> Vec<CodeLens> {
        let lines = Lines::of(text, encoding);
        let lens = |at: usize, title: String, section: &LaggingSection| {
            let (file, span) = (self.pair.original.clone(), &section.original_span);
            let target = FilePosition { file, start: span.start, end: span.start };
            let location = target.location(self.work, encoding);
            let command = if location.is_some() { SHOW } else { "" };
            CodeLens {
                range: lines.range(&(at..at)),
                command: Some(Command {
                    title,
                    command: command.to_string(),
                    arguments: location.map(|location| vec![json!(location)]),
                }),
                data: None,
            }
        };
        debug_assert_eq!(*path, self.pair.translation);
        let behind = format!("{} behind", count(self.sections().count(), "section"));
        let whole = self.sections().take(1).map(|it| lens(0, behind.clone(), it));
        let each =
            self.sections().filter(|it| it.span.start > 0).map(|it| lens(it.span.start, described(it), it));
        whole.chain(each).collect()
    }

    fn sections(&self) -> impl Iterator<Item = &LaggingSection> {
        self.state.lag.iter().flat_map(|lag| &lag.sections)
    }
}

/// For example: `words changed since 2026-03-02`.
fn described(section: &LaggingSection) -> String {
    let since = section.commits.first().map(|it| format!(" since {}", it.day)).unwrap_or_default();
    match section.change {
        ChangeKind::Added => format!("{} is new{since}", section.original_heading),
        ChangeKind::Removed => format!("removed{since}"),
        change => format!("{} changed{since}", change.name()),
    }
}
