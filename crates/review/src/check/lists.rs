//! Lists and boxes that Python-Markdown reads in another way than other tools: <https://python-markdown.github.io/#differences>.
//!
//! A list begins after a blank line only, items are nested by four spaces, and a box isn't indented, or by four spaces in an item.

use super::Subject;
use base::diagnostic::{Code, Problem, count};
use base::fences::{Fences, LineKind};
use base::list_item::ListItem;
use input::conventions::Syntax;

/// Spaces that nest an item.
const NESTED: usize = 4;

/// Reports lists and boxes that are shown as text, and nested items that are shown in the outer list, with one finding each per page.
pub(super) fn misread(subject: &Subject<'_>) -> Vec<Problem> {
    let repository = &subject.resolver.repository;
    if !repository.convention.has(Syntax::Indented) || repository.has_own_lists {
        return Vec::new();
    }
    let body = subject.document.body.min(subject.text.len());
    let Lists { as_text, flat, boxes, tables } = Lists::of(&subject.text[body..]);
    let are_text = |number: usize, noun: &str| {
        let these = match number {
            1 => format!("this {noun} is"),
            several => format!("{} are", count(several, noun)),
        };
        format!("{these} text, because the line before isn't blank")
    };
    let as_text = finding(
        subject,
        &as_text,
        are_text(as_text.len(), "list"),
        "add a blank line before each first item",
    );
    let items = match flat.len() {
        1 => "this nested item is".to_string(),
        several => format!("{} are", count(several, "nested item")),
    };
    let message = format!("{items} shown in the outer list, because four spaces nest an item");
    let flat = finding(subject, &flat, message, "indent each by four spaces");
    let boxes = finding(
        subject,
        &boxes,
        "this is text and not the beginning of a box, because of its indentation".to_string(),
        "indent it by four spaces in an item, and not at all outside lists",
    );
    let tables =
        finding(subject, &tables, are_text(tables.len(), "table"), "add a blank line before each header");
    [as_text, flat, boxes, tables].into_iter().flatten().collect()
}

/// Returns the finding about places in the body of a page, if there are any.
fn finding(subject: &Subject<'_>, places: &[(usize, usize)], message: String, help: &str) -> Option<Problem> {
    /// Maximum number of other places to show.
    const MOST: usize = 4;
    let body = subject.document.body;
    let at = |place: &(usize, usize)| body + place.0..body + place.1;
    let (first, others) = places.split_first()?;
    let problem = Problem::new(Code::UnsupportedSyntax, at(first), message).help(help.to_string());
    let others = others.iter().take(MOST);
    Some(others.fold(problem, |problem, it| problem.related(&subject.document.path, at(it), "another")))
}

/// The lists of a text that are misread, each by the range of the line of its first item.
#[derive(Debug, Default)]
struct Lists {
    as_text: Vec<(usize, usize)>,
    flat: Vec<(usize, usize)>,
    boxes: Vec<(usize, usize)>,
    /// The headers of tables in a paragraph.
    tables: Vec<(usize, usize)>,
}

/// The block in which a line is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    /// After a blank line or a heading, so that a list may begin.
    None,
    Paragraph,
    /// A list whose items have this indentation.
    List(usize),
    Other,
}

impl Lists {
    fn of(text: &str) -> Self {
        let mut lists = Self::default();
        let (mut block, mut fences, mut at) = (Block::None, Fences::default(), 0);
        // The list before a blank line, which an indented line continues.
        let mut before = Block::None;
        let mut items = Items::default();
        // The indentation of the item before. An item with less ends the nested list.
        let mut last = 0;
        // The line before, if it may be the header of a table in a paragraph.
        let mut header = None;
        let mut is_comment = false;
        for line in text.split_inclusive('\n') {
            let start = at;
            at += line.len();
            let content = line.trim();
            let indent = line.len() - line.trim_start_matches(' ').len();
            match fences.next(line) {
                LineKind::Fence => {
                    lists.as_text.extend(std::mem::take(&mut items).misread());
                    (block, before) = (Block::Other, if indent == 0 { Block::Other } else { before });
                    continue;
                }
                LineKind::Code => continue,
                LineKind::Text => {}
            }
            // A comment is a block, also with blank lines in it.
            if is_comment || content.starts_with("<!--") {
                is_comment = !content.contains("-->");
                (block, header) = (Block::None, None);
                continue;
            }
            if content.is_empty() {
                lists.as_text.extend(std::mem::take(&mut items).misread());
                before = if matches!(block, Block::List(_)) { block } else { before };
                block = Block::None;
                continue;
            }
            let place = (start + indent, start + line.trim_end().len());
            if let Some(header) = header.take()
                && is_rule(content)
                && content.contains('|')
                && content.contains('-')
            {
                lists.tables.push(header);
            }
            header = Some(place).filter(|_| block == Block::Paragraph && content.contains('|'));
            let is_item = is_item(content);
            if block == Block::None && (1..NESTED).contains(&indent) && begins_box(content) {
                lists.boxes.push(place);
            }
            block = match block {
                Block::None if indent >= NESTED => Block::Other,
                Block::None if is_item => match before {
                    Block::List(outer) if indent > outer && indent >= last => {
                        lists.flat.push(place);
                        before
                    }
                    _ => Block::List(indent),
                },
                Block::None => {
                    before = if indent == 0 { Block::Other } else { before };
                    if begins_paragraph(content) && indent == 0 { Block::Paragraph } else { Block::Other }
                }
                // A heading, a table, or a definition.
                Block::Paragraph if content.starts_with(['=', ':', '|']) || is_rule(content) => Block::Other,
                Block::Paragraph if is_item && indent < NESTED => {
                    items.places.push(place);
                    block
                }
                Block::List(outer) if is_item && outer < indent && last <= indent && indent < NESTED => {
                    lists.flat.push(place);
                    block
                }
                _ => block,
            };
            if is_item {
                last = indent;
            }
            if block == Block::Paragraph && items.places.is_empty() {
                items.is_announced = content.ends_with(':');
            }
            if content.starts_with('#') && indent == 0 {
                (block, before) = (Block::None, Block::None);
            }
        }
        lists.as_text.extend(items.misread());
        lists
    }
}

/// Whether a line begins a box: `!!! note`, `???+ tip "Title"`.
fn begins_box(line: &str) -> bool {
    let rest = ["!!! ", "??? ", "???+ "].iter().find_map(|sign| line.strip_prefix(sign));
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()))
}

/// The lines in a paragraph that look like items.
#[derive(Debug, Default)]
struct Items {
    places: Vec<(usize, usize)>,
    /// Whether the text before them ends with a colon.
    is_announced: bool,
}

impl Items {
    /// Returns the first item, if they are meant as a list. A single line may begin with a dash.
    fn misread(self) -> Option<(usize, usize)> {
        let is_list = self.places.len() > 1 || self.is_announced;
        self.places.into_iter().next().filter(|_| is_list)
    }
}

fn is_item(line: &str) -> bool {
    ListItem::of(line).is_some_and(|it| it.indent == 0 && it.mark != ')') && !is_rule(line)
}

/// Whether a line is a rule, or underlines a heading or the header of a table.
fn is_rule(line: &str) -> bool {
    line.chars().all(|c| matches!(c, '-' | '*' | '_' | ' ' | '|' | ':'))
}

/// Whether a line of this form begins a paragraph, rather than a block of an extension.
fn begins_paragraph(line: &str) -> bool {
    let is_definition = line.starts_with('[') && line.contains("]:");
    !is_definition
        && line.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '*' | '_' | '`' | '[' | '('))
        && !line.contains('|')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the first lines of lists that are text, and of nested items that aren't, each as `text | nested`.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let Lists { as_text, flat, .. } = Lists::of(text);
        let shown = |places: &[(usize, usize)]| -> String {
            places.iter().map(|place| &text[place.0..place.1]).collect::<Vec<_>>().join(", ")
        };
        assert_eq!(format!("{} | {}", shown(&as_text), shown(&flat)), expected, "{text}");
    }

    #[test]
    fn a_box_begins_a_line_or_an_item() {
        for (text, count) in [
            ("- a\n\n  !!! note\n", 1),
            ("  ??? tip \"A\"\n", 1),
            ("- a\n\n    !!! note\n\n!!! note\n", 0),
            ("Wow\n  !!! that\n\n  !!!\n\n```\n  !!! a\n```\n", 0),
        ] {
            assert_eq!(Lists::of(text).boxes.len(), count, "{text}");
        }
    }

    #[test]
    fn a_list_begins_after_a_blank_line() {
        check("Text:\n- a\n- b\n\nMore:\n\n- c\n", "- a | ");
        check("Text:\n- a\n", "- a | ");
        check("Text\n1. a\n2. b", "1. a | ");
        check("**Bold**\n* a\n* b\n", "* a | ");
        check("Some text\n  - a\n  - b\n", "- a | ");
        // One line may begin with a dash.
        check("A text\n- and more\n", " | ");
        for text in [
            "# H\n- a\n- b\n",
            "H\n===\n- a\n- b\n",
            "<div>\nx\n</div>\n- a\n- b\n",
            "[x]: http://a.example\n- a\n- b\n",
            "a\n: def\n- b\n- c\n",
            "a | b\n--|--\n- c | d\n- e | f\n",
            "```\na:\n- b\n- c\n```\n",
            "- a\n- b\n",
            "---\n- a\n",
        ] {
            check(text, " | ");
        }
    }

    #[test]
    fn four_spaces_nest_an_item() {
        check("- a\n  - b\n  - c\n- d\n", " | - b, - c");
        check("1. a\n   - b\n", " | - b");
        check("- a\n - b\n - c\n", " | - b, - c");
        check("- a\n    - b\n - c\n", " | ");
        check("- a\n\n  - b\n", " | - b");
        check("- a\n  text\n  - b\n", " | - b");
        check("* a\n  * b\n    * c\n", " | * b");
        check("- a\n    - b\n      - c\n", " | ");
        check(" - a\n - b\n", " | ");
        check("- a\n\nText.\n\n  - b\n", " | ");
    }
}
