//! The Markdown version of a page, for programs.
//!
//! It is created from the author's text instead of the HTML: notes become GitHub alerts, hand-written navigation and
//! comments are removed, damaged characters are repaired, and URLs are replaced. Everything else, especially code,
//! stays as written.

use std::ops::Range;

use pulldown_cmark_escape::escape_href;

use super::lines::continuation;
use super::page::{Page, Passage, Reference};
use super::parse::extract::{CutNote, Enclosure, Fragment, PLACEHOLDER, extract};
use super::read::parse_ours;
use super::slips::mojibake;
use super::syntax::translate;
use crate::edition::Edition;
use base::sort::StableSort as _;
use base::url::{Purpose, is_unsafe};
use input::dialect::Dialect;

/// Returns the Markdown of the page in `text`, whose body begins at `body`. `page` is the parsed page.
///
/// `address` returns the URL for a target as written by the author. All lines end with LF. A page without text is
/// empty.
pub fn twin(
    text: &str,
    body: usize,
    edition: &Edition,
    dialect: &Dialect,
    page: &Page,
    address: impl Fn(&str) -> String,
) -> String {
    if !dialect.is_as_written() {
        // The ranges in the page refer to the file.
        let translated = translate(text, body, dialect);
        let page = parse_ours(&translated.text, translated.body, edition);
        return twin_of_ours(&translated.text, translated.body, edition, &page, address);
    }
    twin_of_ours(text, body, edition, page, address)
}

fn twin_of_ours(
    text: &str,
    body: usize,
    edition: &Edition,
    page: &Page,
    address: impl Fn(&str) -> String,
) -> String {
    let as_written;
    let edition = if edition.has_formulas {
        as_written = Edition { has_formulas: false, ..edition.clone() };
        &as_written
    } else {
        edition
    };
    let extracted = extract(text, body, edition);
    let edits = edits(text, page, address);
    let markdown = Writer { source: text, edits: &edits }.fragment(&extracted.page, &(body..text.len()));
    let mut twin = String::with_capacity(markdown.len() + 1);
    for line in lines(&markdown) {
        twin.push_str(line);
        twin.push('\n');
    }
    twin
}

/// Returns the lines of a text without blank lines at its start and end.
fn lines(text: &str) -> Vec<&str> {
    let is_blank = |line: &&str| line.trim().is_empty();
    let mut lines: Vec<&str> = text.lines().skip_while(is_blank).collect();
    while lines.last().is_some_and(is_blank) {
        lines.pop();
    }
    lines
}

/// Replaces a URL that must not be published.
const NOWHERE: &str = "#";

/// A replacement for a range of the file.
struct Edit {
    span: Range<usize>,
    text: String,
}

/// Returns every edit of a page, by position. If two overlap, the first one stays.
fn edits(text: &str, page: &Page, address: impl Fn(&str) -> String) -> Vec<Edit> {
    let targets = page.references.iter().filter(|reference| is_in_place(text, reference));
    let targets = targets.map(|reference| (&reference.target, &reference.span, reference.is_unsafe()));
    let definitions = page.definitions.iter().map(|definition| {
        (&definition.target, &definition.span, is_unsafe(&definition.target, Purpose::Document))
    });
    let addresses = targets.chain(definitions).filter_map(|(target, span, is_unsafe)| {
        let address = if is_unsafe { NOWHERE.to_string() } else { address(target) };
        (address != *target).then(|| Edit { span: span.clone(), text: in_markdown(&address) })
    });
    let unsafe_autolinks = page.references.iter().filter(|it| it.is_unsafe() && !is_in_place(text, it));
    let unsafe_autolinks = unsafe_autolinks.filter(|it| text[it.span.clone()].starts_with('<'));
    let unlinked = unsafe_autolinks.map(|it| {
        let sign = it.span.start..it.span.start + 1;
        Edit { span: sign, text: "\\<".into() }
    });
    let letters = page.prose.iter().flat_map(|prose| repairs(text, prose));
    let comments = page.comments.iter().map(|comment| Edit { span: comment.clone(), text: String::new() });
    let mut edits: Vec<Edit> = addresses.chain(unlinked).chain(letters).chain(comments).collect();
    edits.stable_sort_by_key(|edit| (edit.span.start, edit.span.end));
    let mut end = 0;
    edits.retain(|edit| {
        let fits = edit.span.start >= end && !edit.span.is_empty();
        end = if fits { edit.span.end } else { end };
        fits
    });
    edits
}

/// Whether the span contains exactly the target. For autolinks and reference links, it contains the complete link.
pub(super) fn is_in_place(text: &str, reference: &Reference) -> bool {
    let written = &text[reference.span.clone()];
    written == reference.target || !written.starts_with(['[', '!', '<'])
}

/// Escapes a URL for links and quoted attributes. Letters of other languages stay.
pub(super) fn in_markdown(address: &str) -> String {
    let mut escaped = String::new();
    for piece in address.split_inclusive(|letter: char| !letter.is_ascii()) {
        let ascii = piece.trim_end_matches(|letter: char| !letter.is_ascii());
        escape_href(&mut escaped, ascii).expect("a String takes everything");
        escaped.push_str(&piece[ascii.len()..]);
    }
    escaped.replace('(', "%28").replace(')', "%29")
}

fn repairs<'a>(text: &'a str, prose: Passage<'a>) -> impl Iterator<Item = Edit> + 'a {
    let found = mojibake::find(prose.text).into_iter().filter(move |(part, _)| !prose.is_code(part));
    found.filter_map(move |(part, _)| {
        let (damaged, span) = (&prose.text[part.clone()], prose.span(part));
        let is_there = text.get(span.clone()) == Some(damaged);
        is_there.then(|| Edit { span, text: mojibake::repair(damaged).into_owned() })
    })
}

struct Writer<'a> {
    source: &'a str,
    /// By position, without overlaps.
    edits: &'a [Edit],
}

impl<'a> Writer<'a> {
    /// Returns the text of a fragment that was cut out of `span` of the file.
    fn fragment(&self, fragment: &Fragment<'_>, span: &Range<usize>) -> String {
        let mut edits = self.edits_in(fragment, span).peekable();
        let mut text = String::with_capacity(fragment.text.len());
        let mut copy = |part: Range<usize>, text: &mut String| {
            let mut at = part.start;
            while let Some((place, edit)) = edits.next_if(|(place, _)| place.start < part.end) {
                if at <= place.start && place.end <= part.end {
                    text.push_str(&fragment.text[at..place.start]);
                    text.push_str(edit);
                    at = place.end;
                }
            }
            text.push_str(&fragment.text[at..part.end]);
        };
        let mut at = 0;
        for (placeholder, note) in &fragment.notes {
            copy(at..*placeholder, &mut text);
            at = placeholder + PLACEHOLDER.len();
            let lead = self.enclosed(note, &mut text);
            if !next_line(&fragment.text[at..]).is_empty() {
                text.push('\n');
                text.push_str(lead.trim_end());
            }
        }
        copy(at..fragment.text.len(), &mut text);
        text
    }

    /// Returns the edits of `span`, by their positions in a fragment. An edit of text that was split, such as a tag
    /// over several lines of a note, is skipped, so the text stays as written.
    fn edits_in(
        &self,
        fragment: &Fragment<'_>,
        span: &Range<usize>,
    ) -> impl Iterator<Item = (Range<usize>, &'a str)> {
        let first = self.edits.partition_point(|edit| edit.span.start < span.start);
        let edits = self.edits[first..].iter().take_while(|edit| edit.span.end <= span.end);
        edits.filter_map(|edit| {
            let start = fragment.map.position(edit.span.start)?;
            let place = start..start + edit.span.len();
            let is_there = fragment.text.get(place.clone()) == Some(&self.source[edit.span.clone()]);
            is_there.then_some((place, &*edit.text))
        })
    }

    /// Appends a note, or a tab after its label, to `text`, whose last line is the prefix of a block. Returns the
    /// prefix of further lines.
    fn enclosed(&self, note: &CutNote<'_>, text: &mut String) -> String {
        let line = text.rfind('\n').map_or(0, |newline| newline + 1);
        let lead = continuation(&text[line..]);
        // Next to a paragraph or another quote, it would become part of it.
        let before = text[..line].lines().next_back().unwrap_or_default();
        if lead == text[line..] && !without_marks(before).is_empty() {
            text.insert_str(line, &format!("{}\n", lead.trim_end()));
        }
        let body = self.fragment(&note.body, &note.span);
        let body = lines(&body).into_iter().map(str::to_string);
        let (quote, head, title) = match &note.enclosure {
            Enclosure::Note(kind, title) => {
                ("> ", Some(format!("[!{}]", kind.class().to_uppercase())), title.as_ref())
            }
            Enclosure::Tab { label, .. } => ("", None, Some(label).filter(|label| !label.is_empty())),
            Enclosure::Tabs { .. } => ("", None, None),
            Enclosure::Own { attributes, .. } => {
                let title = attributes.iter().find(|it| it.name == "title").map(|it| &it.value);
                ("", None, title.filter(|title| !title.is_empty()))
            }
        };
        let title = title.into_iter().flat_map(|title| [format!("**{title}**"), String::new()]);
        for (at, line) in head.into_iter().chain(title).chain(body).enumerate() {
            let start = if at == 0 { quote.to_string() } else { format!("\n{lead}{quote}") };
            text.push_str(&start);
            text.push_str(&line);
            text.truncate(text.trim_end_matches([' ', '\t']).len());
        }
        lead
    }
}

/// Returns the next line without the markers of quotes, or an empty text at the end.
fn next_line(rest: &str) -> &str {
    without_marks(rest.lines().nth(1).unwrap_or_default())
}

fn without_marks(line: &str) -> &str {
    line.trim_matches([' ', '\t', '>'])
}

#[cfg(test)]
mod tests {
    use super::parse_ours as parse;
    use super::*;

    /// Checks the text after adding a host to every root-relative URL.
    #[track_caller]
    fn check(markdown: &str, expected: &str) {
        let edition = Edition::default();
        let page = parse(markdown, 0, &edition);
        let address = |target: &str| {
            let host = if target.starts_with('/') { "https://e.org" } else { "" };
            format!("{host}{target}")
        };
        assert_eq!(
            twin(markdown, 0, &edition, &Dialect::default(), &page, address),
            expected,
            "from:\n{markdown}"
        );
    }

    #[test]
    fn unaffected_text_stays_as_written() {
        for text in [
            "# Title\n\n1. one\n2) *two* [x](y \"t\") <b>c</b> &amp; \\* \\\n\n***\n",
            "```swift\n[x](/y) wonâ€™t <aside>\n```\n\n    [x](/y)\n\n`[x](/y)` {{ x }}\n",
            "> [!TIP]\n> Fine.\n",
            "| a | b |\n|---|---|\n| 1 | 2 |\n",
        ] {
            check(text, text);
        }
        check("\r\na\r\n\r\nb\r\n\r\n", "a\n\nb\n");
        check(" \n", "");
    }

    #[test]
    fn addresses_are_replaced_where_they_are() {
        check("[x](/y \"t\") ![z](</a b>)", "[x](https://e.org/y \"t\") ![z](<https://e.org/a%20b>)\n");
        check("[![a](/b)](/c)", "[![a](https://e.org/b)](https://e.org/c)\n");
        check("<img src=\"/a.png\" alt='b'>", "<img src=\"https://e.org/a.png\" alt='b'>\n");
        check("[x](/y_\\(z\\))", "[x](https://e.org/y_%28z%29)\n");
        check(
            "<https://a.org/> [x][y] [y] ![y]\n\n[y]: /z \"t\"",
            "<https://a.org/> [x][y] [y] ![y]\n\n[y]: https://e.org/z \"t\"\n",
        );
    }

    #[test]
    fn letters_are_repaired_outside_of_code() {
        check("# wonâ€™t\n\n*donâ€™t* `wonâ€™t` ![canâ€™t](x)", "# won’t\n\n*don’t* `wonâ€™t` ![can’t](x)\n");
        check("<p>wonâ€™t <code>wonâ€™t</code></p>", "<p>won’t <code>wonâ€™t</code></p>\n");
    }

    #[test]
    fn navigation_and_comments_are_left_out() {
        check("a\n\n<a href=\"/x/\" style=\"float:left\"><< Previous</a>\n<br/>\n", "a\n");
        check("<!-- stepkin: allow missing-alt: fine -->\n![](/x)\n<!-- mine -->", "![](https://e.org/x)\n");
        check("a </aside> b", "a  b\n");
    }

    #[test]
    fn notes_are_githubs_alerts() {
        check(
            "<aside class=\"tip\">\n\n    One [x](/y).\n\n    wonâ€™t\n</aside>",
            "> [!TIP]\n> One [x](https://e.org/y).\n>\n> won’t\n",
        );
        check(
            ":::warning Mind the gap\n```\na\n\nb\n```\n:::",
            "> [!WARNING]\n> **Mind the gap**\n>\n> ```\n> a\n>\n> b\n> ```\n",
        );
        check("<aside></aside>", "> [!NOTE]\n");
        check("<aside>\r\n  a\r\n  b\r\n</aside>\r\n", "> [!NOTE]\n> a\n> b\n");
    }

    #[test]
    fn text_next_to_a_note_is_not_part_of_it() {
        check("a\n<aside>n</aside>\nb", "a\n\n> [!NOTE]\n> n\n\nb\n");
        check("a <aside>n</aside> b", "a \n\n> [!NOTE]\n> n\n\nb\n");
        check("<aside>m</aside><aside>n</aside>", "> [!NOTE]\n> m\n\n> [!NOTE]\n> n\n");
        check("> q\n\n<aside>n</aside>\n\nb", "> q\n\n> [!NOTE]\n> n\n\nb\n");
        check("> q\n> <aside>n</aside>\n> r", "> q\n>\n> > [!NOTE]\n> > n\n>\n> r\n");
    }

    #[test]
    fn tabs_follow_their_labels() {
        check(
            "<tabs>\n<tab label=\"A\">\n\n    One [x](/y).\n\n</tab>\n<tab label=\"B\">Two.</tab>\n</tabs>\nc",
            "**A**\n\nOne [x](https://e.org/y).\n\n**B**\n\nTwo.\n\nc\n",
        );
    }

    #[test]
    fn notes_stay_in_their_lists_and_notes() {
        check("1. a\n\n   <aside>n</aside>\n\n2. b", "1. a\n\n   > [!NOTE]\n   > n\n\n2. b\n");
        check("- <aside>\n  m\n\n  n\n  </aside>\n- b", "- > [!NOTE]\n  > m\n  >\n  > n\n\n- b\n");
        check(
            "<aside>a<aside class=tip>b [x](/y)</aside>c</aside>",
            "> [!NOTE]\n> a\n>\n> > [!TIP]\n> > b [x](https://e.org/y)\n>\n> c\n",
        );
    }
}
