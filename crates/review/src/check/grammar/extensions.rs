//! Markup that readers see as text, because the configuration doesn't enable it.

use std::ops::Range;

use super::source::{PageSource, SourceLine};
use super::{EXTENSION, Mistake};
use base::lines::placed;
use base::quoted::quoted;
use input::conventions::{MissingExtension, OptionalMarkup};
use markup::markdown::near_start;

/// Elements that are rarely names of something else.
#[rustfmt::skip]
const ELEMENTS: [&str; 22] = [
    "a", "br", "center", "details", "div", "figure", "iframe", "img", "kbd", "p", "section", "small", "span", "sub", "summary", "sup",
    "table", "td", "tr", "u", "ul", "video",
];

/// Returns the first place of each markup.
pub(super) fn mistakes(
    source: &PageSource<'_>,
    lines: &[SourceLine<'_>],
    missing: &[MissingExtension],
) -> Vec<Mistake> {
    if missing.is_empty() {
        return Vec::new();
    }
    let found = missing.iter().filter_map(|MissingExtension { markup, name, setting }| {
        let span = match markup {
            OptionalMarkup::IndentedFence | OptionalMarkup::Diagram => of_fence(source, *markup)?,
            OptionalMarkup::Directives(names) => of_directive(source, names)?,
            _ => {
                let mut html = PairedShortcodes::default();
                lines.iter().find_map(|&line| {
                    let is_in_shortcode = html.pass(source.text, line);
                    place(*markup, line, source).filter(|_| !is_in_shortcode)
                })?
            }
        };
        let written = source.text[span.clone()].lines().next().unwrap_or_default().trim();
        let what = match markup {
            OptionalMarkup::Html | OptionalMarkup::Directives(_) => "is left out",
            OptionalMarkup::Diagram => "is code",
            _ => "is text",
        };
        let message = format!("{} {what}, because `{setting}` doesn't contain `{name}`", quoted(written));
        let help = format!("add `{name}` to `{setting}` in the configuration");
        Some(Mistake { data: Some((EXTENSION, name.to_string())), ..Mistake::misread(span, message, help) })
    });
    found.collect()
}

/// Returns the first directive with one of these names, in a fence of backticks or colons, or as `.. name::` in reStructuredText.
fn of_directive(source: &PageSource<'_>, names: &[&str]) -> Option<Range<usize>> {
    let around = |at: usize| {
        let fence = source.fences.iter().find(|fence| fence.code.contains(&at))?;
        Some(&source.text[fence.info.clone()])
    };
    placed(&source.text[source.body..], source.body).find_map(|(at, line)| {
        let start = at + line.len() - line.trim_start().len();
        let written = line.trim();
        let name = match written.strip_prefix(".. ") {
            Some(rest) => rest.split_once("::")?.0,
            None if written.starts_with("```") || written.starts_with(":::") => {
                written.trim_start_matches(['`', ':']).strip_prefix('{')?.split_once('}')?.0
            }
            None => return None,
        };
        let around = around(start);
        let is_rst = around.is_some_and(|info| info.starts_with("{eval-rst}"));
        let is_read =
            is_rst || around.is_none_or(|info| info.starts_with('{')) && !written.starts_with(".. ");
        (names.contains(&name) && is_read).then(|| start..start + written.len())
    })
}

fn place(markup: OptionalMarkup, line: SourceLine<'_>, source: &PageSource<'_>) -> Option<Range<usize>> {
    let text = line.text;
    let whole = line.start..line.start + text.trim_end().len();
    let is_it = match markup {
        OptionalMarkup::Note => text.starts_with("!!! "),
        OptionalMarkup::Fold => text.starts_with("??? ") || text.starts_with("???+ "),
        OptionalMarkup::Tab => text.starts_with("=== \""),
        OptionalMarkup::Definition => {
            let before = line.before.trim();
            let is_term = !before.is_empty() && !before.starts_with(['#', '|', ':', '-', '*', '>', '<', '`']);
            is_term && (text.starts_with(":   ") || text.starts_with(": ")) && text.len() > 4
        }
        OptionalMarkup::Footnote => text.starts_with("[^") && text.contains("]: "),
        OptionalMarkup::ColonFence => {
            let rest = text.trim_start().trim_start_matches(':');
            text.trim_start().starts_with(":::") && rest.starts_with('{') && rest.contains('}')
        }
        // A block of them.
        OptionalMarkup::Field => {
            // The value may be code, which is hidden.
            let mut lines = source.text[line.start..].lines().zip(source.shown[line.start..].lines()).take(2);
            line.before.is_empty()
                && lines.all(|(written, shown)| is_field(written) && shown.starts_with(':'))
        }
        OptionalMarkup::Formula => text.trim() == "$$" && source.shown[line.end..].contains("\n$$"),
        OptionalMarkup::BlockAttributes => {
            let list = text.strip_prefix('{').and_then(|it| it.trim_end().strip_suffix('}'));
            let is_list = list.is_some_and(|it| it.starts_with(['.', '#']) && !it.contains(['{', '}']));
            is_list && !line.before.trim().is_empty() && !line.before.starts_with('#')
        }
        OptionalMarkup::Html => return element(line),
        OptionalMarkup::IndentedFence
        | OptionalMarkup::Diagram
        | OptionalMarkup::ListNumber
        | OptionalMarkup::Directives(_) => false,
    };
    is_it.then_some(whole)
}

/// Whether this is `:Name: value`.
fn is_field(line: &str) -> bool {
    let field = line.strip_prefix(':').and_then(|it| it.split_once(": "));
    field.is_some_and(|(name, _)| name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains(':'))
}

/// Returns the range of the first start tag of a well-known element.
fn element(line: SourceLine<'_>) -> Option<Range<usize>> {
    line.text.match_indices('<').find_map(|(at, _)| {
        let rest = &line.text[at + 1..];
        let name = &rest[..rest.find(|c: char| !c.is_ascii_alphanumeric())?];
        let end = at + 1 + rest.find('>')? + 1;
        let is_tag = ELEMENTS.contains(&name) && rest[name.len()..].starts_with(['>', ' ', '/']);
        is_tag.then(|| line.place(at..end))
    })
}

fn of_fence(source: &PageSource<'_>, markup: OptionalMarkup) -> Option<Range<usize>> {
    source.fences.iter().find_map(|fence| {
        let start = source.text[..fence.info.start].rfind('\n').map_or(0, |at| at + 1);
        let opening = &source.text[start..fence.info.end];
        let indent = opening.len() - opening.trim_start_matches(' ').len();
        let is_it = match markup {
            OptionalMarkup::Diagram => fence.language == "mermaid",
            // Deeper ones are code in a block that an admonition indents.
            _ => (2..=8).contains(&indent) && is_in_list(&source.text[..start], indent),
        };
        is_it.then(|| start + indent..fence.info.end.max(start + indent + 3))
    })
}

/// Whether the text above an indented line ends with an item of a list.
fn is_in_list(above: &str, indent: usize) -> bool {
    let is_shallower = |line: &&str| !line.trim().is_empty() && line.len() - line.trim_start().len() < indent;
    let item = above.lines().rev().find(is_shallower).unwrap_or_default().trim_start();
    let number = item.trim_start_matches(|c: char| c.is_ascii_digit());
    ["- ", "* ", "+ "].iter().any(|mark| item.starts_with(mark))
        || number.len() < item.len() && number.starts_with(". ")
}

/// Maximum length of the content of a shortcode in bytes.
const FURTHEST: usize = 10_000;

/// Shortcodes of Hugo around the current line, which show HTML without the parser of Markdown.
#[derive(Default)]
struct PairedShortcodes<'t> {
    open: Vec<&'t str>,
}

impl<'t> PairedShortcodes<'t> {
    /// Returns whether a line is in a shortcode.
    fn pass(&mut self, text: &'t str, line: SourceLine<'_>) -> bool {
        let was_open = !self.open.is_empty();
        let written = &text[line.start..line.end];
        for (at, open) in written.match_indices("{{<") {
            let rest = written[at + open.len()..].trim_start();
            let end = rest.find(|c: char| c.is_whitespace() || c == '>').unwrap_or(rest.len());
            match rest.strip_prefix('/') {
                Some(_) => _ = self.open.pop(),
                None if near_start(&text[line.start..], FURTHEST)
                    .contains(&format!("{{{{< /{}", &rest[..end])) =>
                {
                    self.open.push(&rest[..end]);
                }
                None => {}
            }
        }
        was_open || !self.open.is_empty()
    }
}
