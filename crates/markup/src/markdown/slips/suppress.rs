//! Suppression comments: `<!-- stepkin: allow missing-alt: decorative -->`.

use std::ops::Range;

use memchr::memmem;
use pulldown_cmark::Event;

use crate::markdown::page::{Page, Suppression};
use crate::markdown::parse::tree::{BlockTree, Item};
use crate::markdown::span::OffsetMap;
use base::diagnostic::{Code, Problem};

/// Start of a suppression comment.
const MARK: &str = "stepkin:";

/// The name at its start.
const NAME: &str = "stepkin";

/// Whether a text may contain a suppression comment. The name may contain a typing mistake if the keyword doesn't.
pub(in crate::markdown) fn may_be_in(text: &str) -> bool {
    let has = |word: &str| memmem::find(text.as_bytes(), word.as_bytes()).is_some();
    has("<!--") && (has(NAME) || has("allow"))
}

/// Records the suppressions of a fragment and its notes. Each covers the text up to the end of the next block, and
/// `allow-file` covers the file.
pub(in crate::markdown) fn collect(blocks: &BlockTree<'_>, page: &mut Page) {
    let mut open: Vec<usize> = Vec::new();
    for item in &blocks.items {
        let block = match item {
            Item::Html { html, map } => {
                read_html(html, map, &mut open, page);
                continue;
            }
            Item::Note { note, body } => {
                close(&mut open, &note.span, page);
                collect(body, page);
                continue;
            }
            // Blocks of raw HTML are separate items.
            Item::Event(Event::Start(pulldown_cmark::Tag::HtmlBlock) | Event::End(_), _) | Item::Nothing => {
                continue;
            }
            Item::Event(_, range) if !open.is_empty() => blocks.map.range(range.clone()),
            Item::Event(..) => continue,
        };
        close(&mut open, &block, page);
    }
    // Nothing follows in this fragment, and the comment doesn't cover text after a note.
    for suppression in open {
        let covers = &mut page.suppressions[suppression].covers;
        covers.end = covers.start;
    }
}

/// Records the suppressions in raw HTML. Other content in it is a block that ends with the piece. Comments of other
/// tools are skipped.
fn read_html(html: &str, map: &OffsetMap, open: &mut Vec<usize>, page: &mut Page) {
    let place = map.range(0..html.len());
    let mut rest = 0;
    for comment in comments(html) {
        if !html[rest..comment.start].trim().is_empty() {
            close(open, &place, page);
        }
        rest = comment.end;
        page.problems.extend(malformed(html, &comment, map));
        let Some(Read { codes, reason, whole_file }) = read(&html[comment.clone()]) else { continue };
        let span = map.range(comment);
        let covers = if whole_file { 0..usize::MAX } else { span.end..usize::MAX };
        if !whole_file {
            open.push(page.suppressions.len());
        }
        page.suppressions.push(Suppression { codes, reason, covers, span });
    }
    if !html[rest..].trim().is_empty() {
        close(open, &place, page);
    }
}

fn close(open: &mut Vec<usize>, block: &Range<usize>, page: &mut Page) {
    for suppression in open.drain(..) {
        page.suppressions[suppression].covers.end = block.end;
    }
}

/// Returns the ranges of comments in raw HTML.
fn comments(html: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = html[at..].find("<!--").map(|start| at + start) {
        let Some(length) = html[start..].find("-->") else { break };
        at = start + length + "-->".len();
        found.push(start..at);
    }
    found
}

/// Returns the finding for a comment that resembles a suppression: `<!-- stepkin allow missing-alt: why -->`.
fn malformed(html: &str, comment: &Range<usize>, map: &OffsetMap) -> Option<Problem> {
    let inside = html[comment.clone()].strip_prefix("<!--")?.strip_suffix("-->")?;
    let written = inside.trim();
    let is_in_word = |c: char| c.is_alphanumeric();
    let name = &written[..written.find(|c| !is_in_word(c)).unwrap_or(written.len())];
    let after = written[name.len()..].trim_start_matches(|c: char| !is_in_word(c));
    let word = &after[..after.find(|c| !is_in_word(c)).unwrap_or(after.len())];
    let is_near = |word: &str, meant: &str| strsim::damerau_levenshtein(&word.to_lowercase(), meant) <= 1;
    let is_read = written.starts_with(MARK) || word != "allow" && word.starts_with("allow");
    // A sentence may also begin with the name.
    if is_read || !is_near(name, NAME) || !is_near(word, "allow") || name != NAME && word != "allow" {
        return None;
    }
    let start = comment.start + "<!--".len() + inside.len() - inside.trim_start().len();
    let place = start..start + written.len() - after.len();
    let begins = written[..place.len()].trim_end();
    let message = format!("`{begins} {word}` is not `{MARK} allow`, so the comment suppresses nothing");
    let help = format!("use `<!-- {MARK} allow missing-alt: a reason -->`");
    let problem = Problem::new(Code::InvalidSuppression, map.range(comment.clone()), message);
    Some(problem.help(help).edit(map.range(place), format!("{MARK} ")))
}

struct Read {
    codes: Vec<String>,
    reason: String,
    whole_file: bool,
}

/// Parses a comment: rules separated by commas, then a colon and the reason.
fn read(html: &str) -> Option<Read> {
    let inside = html.trim().strip_prefix("<!--")?.strip_suffix("-->")?.trim();
    let rest = inside.strip_prefix(MARK)?.trim_start();
    let (word, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    // A comment with a misspelled keyword is ours and is reported, as if it listed no rules.
    let (whole_file, rest) = match word {
        "allow" => (false, rest),
        "allow-file" => (true, rest),
        _ => (false, ""),
    };
    let (codes, reason) = rest.split_once(':').unwrap_or((rest, ""));
    let codes =
        codes.split([',', ' ', '\n', '\t']).filter(|code| !code.is_empty()).map(str::to_string).collect();
    Some(Read { codes, reason: reason.trim().to_string(), whole_file })
}
