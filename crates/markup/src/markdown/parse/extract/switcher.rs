//! Hand-written links to other platforms: `Other platforms: [Android](…) | [Web](…)`.

use std::ops::Range;

use crate::markdown::html::start_tag;
use crate::markdown::page::{Switcher, SwitcherLink};
use base::platforms::{is_platform_name, names_links};

/// Maximum size of the paragraph in bytes: twenty platforms with their URLs.
const LONGEST: usize = 6000;

/// Maximum number of words before the links: "You are reading this for the web. The same for other platforms:".
const MOST_WORDS: usize = 20;

/// A piece of a paragraph.
enum Piece<'a> {
    Link(SwitcherLink),
    Text(&'a str),
    /// A tag that only changes the appearance of text.
    Tag,
}

/// Returns the platform switcher if the paragraph in `text` is one. A switcher consists of links to platforms, text
/// that introduces them, and separators.
pub(super) fn switcher(text: &str, paragraph: Range<usize>) -> Option<Switcher> {
    let written = text.get(paragraph.clone())?;
    if written.len() > LONGEST || !names_links(written) {
        return None;
    }
    let mut links: Vec<SwitcherLink> = Vec::new();
    let (mut lead, mut between) = (String::new(), String::new());
    let mut has_signs = false;
    let mut at = paragraph.start;
    while at < paragraph.end {
        let (piece, length) = piece(text, at, paragraph.end)?;
        match piece {
            Piece::Tag => between.push(' '),
            Piece::Text(plain) => between.push_str(plain),
            Piece::Link(link) => {
                if !is_platform_name(&link.label) {
                    return None;
                }
                let before = readable(&std::mem::take(&mut between));
                if links.is_empty() {
                    lead = before;
                } else {
                    has_signs |= separates(&before)?;
                }
                links.push(link);
            }
        }
        at += length;
    }
    let ends_well =
        is_nothing_but_signs(&readable(&between)) || is_platform_name(readable(&between).trim_matches(SIGNS));
    let leads = leads_to_links(&lead) || has_signs;
    // One link is enough if the text states its purpose.
    let lead_says = |word: &str| lead.to_lowercase().contains(word);
    let few = if lead_says("platform") || lead_says("other languages") { 1 } else { 2 };
    let is_short = lead.split_whitespace().count() <= MOST_WORDS;
    (links.len() >= few && ends_well && leads && is_short).then_some(Switcher { links, span: paragraph })
}

/// Returns the piece at a position, and its length in bytes.
fn piece(text: &str, at: usize, end: usize) -> Option<(Piece<'_>, usize)> {
    let rest = &text[at..end];
    match rest.as_bytes()[0] {
        b'[' => {
            let close = rest.find("](")?;
            let target_start = close + 2;
            let inside = rest[target_start..].find(')')?;
            let target =
                rest[target_start..target_start + inside].split_whitespace().next().unwrap_or_default();
            let label = rest[1..close].trim_matches(['*', '_', ' ']).to_string();
            let start = at + target_start;
            let target_span = start..start + target.len();
            let link = SwitcherLink { label, target: target.to_string(), target_span };
            Some((Piece::Link(link), target_start + inside + 1))
        }
        b'<' if rest.len() > 1
            && matches!(rest.as_bytes()[1], b'a' | b'A')
            && start_tag(rest)?.name == "a" =>
        {
            let tag = start_tag(rest)?;
            let target = tag.attribute("href")?.to_string();
            let span = tag.value_spans.get("href")?;
            let inner = &rest[tag.length..];
            let close = inner.find("</a")?;
            let length = tag.length + close + inner[close..].find('>')? + 1;
            let label = inner[..close].trim().to_string();
            let link = SwitcherLink { label, target, target_span: at + span.start..at + span.end };
            Some((Piece::Link(link), length))
        }
        b'<' => {
            const LOOKS: [&str; 10] = ["p", "div", "span", "br", "b", "strong", "i", "em", "small", "center"];
            let name = rest[1..].trim_start_matches('/');
            let name = &name[..name.find(|c: char| !c.is_ascii_alphanumeric())?];
            let is_look = LOOKS.iter().any(|known| known.eq_ignore_ascii_case(name));
            is_look.then_some(())?;
            Some((Piece::Tag, rest.find('>')? + 1))
        }
        b'`' => None,
        _ => {
            let first = rest.chars().next().map_or(1, char::len_utf8);
            let length = rest[first..].find(['[', '<', '`']).map_or(rest.len(), |found| first + found);
            Some((Piece::Text(&rest[..length]), length))
        }
    }
}

/// Separators between links, and list markers.
const SIGNS: &[char] = &[
    '|', '/', ',', ';', '·', '•', '-', '*', '+', '–', '—', '&', '.', ' ', '\n', '\t', '\r', '\u{a0}', '>',
    '_',
];

/// Characters that introduce something.
const LEADING: &[char] = &[':', '→', '»', '>', '|', '-', '–', '—', '⟶', '›'];

/// Replaces the entities that authors use between links with spaces.
fn readable(text: &str) -> String {
    let text =
        text.replace("&nbsp;", " ").replace("&middot;", "·").replace("&bull;", "•").replace("&amp;", "&");
    text.replace("&rarr;", "→").replace("&raquo;", "»").replace("&gt;", ">").replace("&#124;", "|")
}

/// Whether the text between two links is a separator. Returns `None` if it is something else.
fn separates(between: &str) -> Option<bool> {
    let bare = between.trim_matches(SIGNS);
    let is_word = matches!(bare.to_lowercase().as_str(), "and" | "or");
    match bare {
        "" => Some(between.contains(['|', '/', '·', '•', '&'])),
        // The platform of the page itself needs no link.
        name if is_platform_name(name.trim_matches('*')) => Some(true),
        _ => is_word.then_some(false),
    }
}

fn is_nothing_but_signs(text: &str) -> bool {
    text.trim_matches(SIGNS).is_empty()
}

/// Whether the text before links introduces them or is empty.
fn leads_to_links(lead: &str) -> bool {
    let lead = lead.trim_matches(['*', '_', ' ', '\n', '\t', '\r', '\u{a0}']);
    let is_marker = lead.trim_matches(SIGNS).is_empty();
    is_marker || lead.ends_with(LEADING)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the labels of the links if the complete text is a switcher.
    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let found = switcher(text, 0..text.len());
        for link in found.iter().flat_map(|it| &it.links) {
            assert_eq!(text[link.target_span.clone()], link.target, "{text}");
        }
        let labels =
            found.map(|it| it.links.iter().map(|link| link.label.clone()).collect::<Vec<_>>().join(" "));
        assert_eq!(labels.as_deref(), expected, "{text}");
    }

    #[test]
    fn links_to_platforms_and_nothing_else_are_a_switcher() {
        check(
            "Other platforms: [iOS](../ios/a.md), [Android](/android/a/) and [Web](b)",
            Some("iOS Android Web"),
        );
        check("[iOS](a) | [Android](b)", Some("iOS Android"));
        check("Other platforms → [iOS](a)", Some("iOS"));
        check("Other languages: [Go](a)", Some("Go"));
        check("**Web** | [iOS](a) | [Android](b \"t\")", Some("iOS Android"));
        check("[Web](x) | iOS | [Flutter SDK](b)", Some("Web Flutter SDK"));
        check("- [iOS](a)\n- [Android](b)\n", Some("iOS Android"));
        check(
            "<p class=\"x\">You read this for the web. Others → &nbsp;\n<a href=\"/ios/\">iOS</a>&nbsp; \n<a href='/react/'>React Native</a>&nbsp;\n</p>",
            Some("iOS React Native"),
        );
    }

    #[test]
    fn sentences_that_name_platforms_are_none() {
        check("This works on [iOS](a) and [Android](b).", None);
        check("This works on [iOS](a) and [Android](b), too.", None);
        check("Other platforms: [iOS](a), [Android](b), with [other steps](c)", None);
        check("See: [iOS](a)", None);
        check("[iOS](a)", None);
        check("A platform such as [iOS](a)", None);
        check("See: [iOS](a), [Android](b) for what differs.", None);
        check("`x`: [iOS](a), [Android](b)", None);
        check("- [iOS](a) for phones\n- [Android](b)\n", None);
        check("[first](a) | [second](b)", None);
    }

    #[test]
    fn unfinished_switchers_are_ignored() {
        for text in [
            "[iOS](a) | [Android](b",
            "[iOS](a) | <a href=\"x\">Web",
            "<a href=x>iOS</a <a>Web</a>",
            "[iOS]([Web](",
            "<p",
        ] {
            check(text, None);
        }
    }
}
