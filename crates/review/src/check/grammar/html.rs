//! Markdown in HTML that parsers leave as it is.

use super::Mistake;
use super::source::{PageSource, SourceLine};
use base::quoted::quoted;
use input::conventions::{Syntax, SyntaxRule};

/// Elements that begin a block: <https://spec.commonmark.org/0.31.2/#html-blocks>.
#[rustfmt::skip]
const BLOCKS: [&str; 20] = [
    "article", "aside", "blockquote", "center", "details", "dd", "div", "dl", "dt", "figcaption", "figure", "footer", "header", "li",
    "ol", "p", "section", "summary", "table", "ul",
];

pub(super) fn mistakes(source: &PageSource<'_>, lines: &[SourceLine<'_>]) -> Vec<Mistake> {
    if !source.shown.contains('<') {
        return Vec::new();
    }
    match () {
        () if source.rules.contains(&SyntaxRule::MarkdownInElements) => in_elements(source, lines),
        () if source.rules.contains(&SyntaxRule::HtmlBlocks) => in_blocks(source, lines),
        () => Vec::new(),
    }
}

/// Returns the name of the block's element that a line begins.
fn opened(line: &str) -> Option<&str> {
    let rest = line.strip_prefix('<')?;
    let name = &rest[..rest.find(|c: char| !c.is_ascii_alphanumeric())?];
    BLOCKS.contains(&name).then_some(name)
}

/// Whether a line consists of a tag of a component, which begins a block as well.
fn is_lone_tag(line: &str) -> bool {
    let inside = line.strip_prefix('<').and_then(|it| it.trim_end().strip_suffix('>'));
    let name = inside.map(|it| it.strip_prefix('/').unwrap_or(it));
    name.is_some_and(|it| it.starts_with(|c: char| c.is_ascii_uppercase()) && !it.contains(['<', '>']))
}

/// Whether a line has links or strong text.
fn has_markup(line: &str) -> bool {
    let has_link = line.find("](").is_some_and(|at| line[..at].contains('[') && line[at..].contains(')'));
    let has_strong = line.find("**").is_some_and(|at| line[at + 2..].find("**").is_some_and(|end| end > 0));
    has_link || has_strong
}

/// Reports an element without `markdown` around Markdown: <https://python-markdown.github.io/extensions/md_in_html/>.
fn in_elements(source: &PageSource<'_>, lines: &[SourceLine<'_>]) -> Vec<Mistake> {
    let mut end = source.body;
    let mut found = Vec::new();
    // Nothing closes these from here on.
    let mut endless: Vec<&str> = Vec::new();
    for line in lines {
        // An element in one that is read needs its own attribute.
        let is_nested = line.before.contains("markdown") && opened(line.before.trim_start()).is_some();
        let start = line.start + if is_nested { line.indent() } else { 0 };
        let Some(name) = opened(&line.text[start - line.start..])
            .filter(|_| line.start >= end && (line.before.is_empty() || is_nested))
        else {
            continue;
        };
        let tag_end = line.start + line.text.find('>').map_or(line.text.len(), |at| at + 1);
        let tag = &source.text[start..tag_end];
        if tag.contains("markdown") {
            continue;
        }
        let rest = &source.shown[tag_end..];
        if endless.contains(&name) {
            continue;
        }
        let Some(length) = closed(rest, name) else {
            endless.push(name);
            continue;
        };
        end = tag_end + length;
        let inside = &rest[..length];
        // Tags inside may have the attribute.
        let has_attribute = |tag: &str| tag.split('>').next().is_some_and(|it| it.contains(" markdown"));
        if !inside.split('<').skip(1).any(has_attribute)
            && inside.lines().any(|line| has_markup(line) || line.trim_start().starts_with("- "))
        {
            let message =
                format!("{} has no `markdown`, so readers see the Markdown in it as text", quoted(tag));
            found.push(Mistake::misread(start..tag_end, message, format!("use `<{name} markdown>`")));
        }
    }
    found
}

/// Returns the position of the end tag of an element whose start tag is before a text.
fn closed(text: &str, name: &str) -> Option<usize> {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let mut depth = 1;
    text.match_indices('<').find_map(|(at, _)| {
        let rest = &text[at..];
        if rest.starts_with(&close) {
            depth -= 1;
        } else if rest.starts_with(&open) {
            depth += 1;
        }
        (depth == 0).then_some(at)
    })
}

/// Reports Markdown between a tag and the next blank line.
fn in_blocks(source: &PageSource<'_>, lines: &[SourceLine<'_>]) -> Vec<Mistake> {
    let mut found: Vec<Mistake> = Vec::new();
    let mut is_open = false;
    let mut is_reported = false;
    let has_components = source.syntax.contains(&Syntax::Vue);
    for line in lines {
        if line.text.is_empty() {
            // Code is hidden.
            is_open &= !source.text[line.start..line.end].trim().is_empty();
            is_reported &= is_open;
            continue;
        }
        let text = line.text.trim_start();
        let begins = (opened(text).is_some() || has_components && is_lone_tag(text))
            && line.indent() < 4
            && line.before.is_empty()
            // Only MDX has expressions, and it reads Markdown directly below a tag.
            && !text.contains("={");
        // The end of a container ends the HTML in it.
        let is_container = text.starts_with(":::") && text.contains(|c: char| c != ':');
        let is_markup = !text.contains('<') && has_markup(text) || is_container;
        if is_open && !is_reported && is_markup {
            let message = "no blank line is above this line, so readers see its Markdown as text".to_string();
            found.push(Mistake::misread(line.content(), message, "add a blank line after the tag"));
            is_reported = true;
        }
        is_open |= begins;
    }
    found
}
