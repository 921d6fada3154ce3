//! Finds code below one label that was copied from below another one, and names it: in tabs, blocks to open, and sections.

use std::ops::Range;

use pulldown_cmark::{Event, Tag, TagEnd};

use crate::markdown::parse::extract::Enclosure;
use crate::markdown::parse::tree::{BlockTree, Item};
use base::diagnostic::{Code, Problem};
use base::platforms::runs_on;
use base::quoted::quoted;
use base::sort::StableSort as _;

/// Minimum length of a label in bytes.
const SHORTEST: usize = 2;

/// Maximum number of labels that are compared. A page with more is a list of names.
const MOST: usize = 50;

/// Minimum number of labels besides the two whose code has the line with their own name.
const SEVERAL: usize = 2;

/// The code below a label.
struct Labelled<'t> {
    label: String,
    /// The label's letters and digits in lower case.
    key: String,
    code: Vec<CodeBlock<'t>>,
}

/// A labelled place next to others of its kind.
struct Part<'t> {
    label: &'t str,
    key: &'t str,
    lines: Vec<CodeLine<'t>>,
}

struct CodeBlock<'t> {
    blocks: &'t BlockTree<'t>,
    /// In their text.
    range: Range<usize>,
}

struct CodeLine<'t> {
    blocks: &'t BlockTree<'t>,
    /// Where its block begins.
    block: usize,
    /// In the text of the blocks, without white space around it.
    range: Range<usize>,
    /// In lower case, without the signs that join words in names.
    key: String,
}

impl<'t> CodeLine<'t> {
    fn text(&self) -> &'t str {
        &self.blocks.text[self.range.clone()]
    }

    fn is_comment(&self) -> bool {
        ["#", "//", "--", "/*", "<!--"].iter().any(|sign| self.text().starts_with(sign))
    }
}

impl<'t> Labelled<'t> {
    /// `None` if the label isn't a single word.
    fn of(label: &str, code: Vec<CodeBlock<'t>>) -> Option<Self> {
        let label = label.trim_matches(|c: char| !c.is_alphanumeric());
        let is_word = label.len() >= SHORTEST && label.chars().all(char::is_alphanumeric);
        let is_compared = is_word && !code.is_empty();
        is_compared.then(|| Self { label: label.to_string(), key: label.to_lowercase(), code })
    }
}

impl<'t> Part<'t> {
    fn of(it: &'t Labelled<'t>) -> Self {
        Self { label: &it.label, key: &it.key, lines: it.code.iter().flat_map(lines).collect() }
    }

    /// Returns the lines that aren't comments.
    fn program(&self) -> impl Iterator<Item = &CodeLine<'t>> {
        self.lines.iter().filter(|line| !line.is_comment())
    }

    fn has(&self, key: &str) -> bool {
        self.lines.iter().any(|line| line.key == key)
    }

    /// Whether one of the names contains the other, or both are named together, as Java is in the code for Kotlin, or only one is a name:
    /// `Examples` next to `pack`.
    fn is_related(&self, other: &Self) -> bool {
        let is_capital = |label: &str| label.starts_with(char::is_uppercase);
        is_capital(self.label) != is_capital(other.label)
            || self.key.contains(other.key)
            || other.key.contains(self.key)
            || runs_on(self.key, other.key)
    }
}

/// Returns the findings about the tabs, sections, and blocks to open of a fragment.
pub(super) fn collect(blocks: &BlockTree<'_>) -> Vec<Problem> {
    let mut found = in_parts(blocks);
    // Tabs of some generators follow each other without a set, and each is an HTML block.
    let is_edge = |item: &Item<'_>| {
        matches!(item, Item::Event(Event::Start(Tag::HtmlBlock) | Event::End(TagEnd::HtmlBlock), _))
    };
    if blocks.items.iter().filter(|it| is_tab(it)).nth(1).is_some() {
        let items: Vec<&Item<'_>> = blocks.items.iter().filter(|it| !is_edge(it)).collect();
        for tabs in items.chunk_by(|one, next| is_tab(one) && is_tab(next)) {
            found.extend(among(&tabs.iter().filter_map(|it| tab(it)).collect::<Vec<_>>()));
        }
    }
    found
}

fn is_tab(item: &Item<'_>) -> bool {
    matches!(item, Item::Note { note, .. } if matches!(note.enclosure, Enclosure::Tab { .. }))
}

fn tab<'t>(item: &'t Item<'_>) -> Option<Labelled<'t>> {
    let Item::Note { note, body } = item else { return None };
    let Enclosure::Tab { label, .. } = &note.enclosure else { return None };
    Labelled::of(label, body.items.iter().filter_map(|item| code_block(body, item)).collect())
}

fn in_parts(blocks: &BlockTree<'_>) -> Vec<Problem> {
    /// The level of the labels of blocks to open, below that of all headings.
    const SUMMARY: usize = 7;
    let is_code = |item: &&Item<'_>| matches!(item, Item::Event(Event::Start(Tag::CodeBlock(_)), _));
    if blocks.items.iter().filter(is_code).nth(1).is_none() {
        return Vec::new();
    }
    // Each with its level, and the position of the heading around it.
    let mut parts: Vec<((usize, usize), Labelled<'_>)> = Vec::new();
    let mut headings: Vec<(usize, usize)> = Vec::new();
    let (mut place, mut label, mut code) = ((0, 0), String::new(), Vec::new());
    for (at, item) in blocks.items.iter().enumerate() {
        let begun = match item {
            Item::Event(Event::Start(Tag::Heading { level, .. }), _) => {
                let level = *level as usize;
                headings.truncate(headings.partition_point(|(around, _)| *around < level));
                let around = headings.last().map_or(0, |(_, at)| *at);
                headings.push((level, at));
                Some(((level, around), title(&blocks.items[at + 1..])))
            }
            Item::Html { html, .. } => summary(html).map(|label| {
                let around = headings.last().map_or(0, |(_, at)| *at);
                ((SUMMARY, around), label.to_string())
            }),
            _ => None,
        };
        if let Some((next, next_label)) = begun {
            parts.extend(Labelled::of(&label, std::mem::take(&mut code)).map(|it| (place, it)));
            (place, label) = (next, next_label);
        }
        code.extend(code_block(blocks, item));
    }
    parts.extend(Labelled::of(&label, code).map(|it| (place, it)));
    parts.stable_sort_by_key(|(place, _)| *place);
    let groups = parts.chunk_by(|(one, _), (other, _)| one == other);
    groups.flat_map(|group| among(group.iter().map(|(_, it)| it))).collect()
}

/// Returns the text of a heading whose items begin here.
fn title(items: &[Item<'_>]) -> String {
    let inside = items.iter().map_while(|item| match item {
        Item::Event(Event::End(TagEnd::Heading(_)), _) => None,
        Item::Event(Event::Text(text) | Event::Code(text), _) => Some(&**text),
        _ => Some(""),
    });
    inside.collect()
}

/// Returns the label of the block to open that begins in a piece of HTML, or an empty one if a block ends.
fn summary(html: &str) -> Option<&str> {
    let Some((_, after)) = html.rsplit_once("<summary") else {
        return html.contains("</details").then_some("");
    };
    Some(after.split_once('>')?.1.split('<').next().unwrap_or_default())
}

/// Returns the code block that begins with an item.
fn code_block<'t>(blocks: &'t BlockTree<'t>, item: &Item<'_>) -> Option<CodeBlock<'t>> {
    let Item::Event(Event::Start(Tag::CodeBlock(_)), range) = item else { return None };
    Some(CodeBlock { blocks, range: range.clone() })
}

fn lines<'t>(code: &CodeBlock<'t>) -> Vec<CodeLine<'t>> {
    let CodeBlock { blocks, range: block } = code;
    let mut end = block.start;
    let lines = blocks.text[block.clone()].split_inclusive('\n').map(|line| {
        end += line.len();
        let start = end - line.trim_start().len();
        start..start + line.trim().len()
    });
    let lines = lines.filter(|line| {
        let text = &blocks.text[line.clone()];
        !text.is_empty() && !text.starts_with("```") && !text.starts_with("~~~")
    });
    let line = |range: Range<usize>| {
        let joins = |c: &char| !matches!(c, '_' | '-' | ' ');
        let key = blocks.text[range.clone()].chars().filter(joins).flat_map(char::to_lowercase).collect();
        CodeLine { blocks, block: block.start, range, key }
    };
    lines.map(line).collect()
}

fn among<'g>(group: impl IntoIterator<Item = &'g Labelled<'g>>) -> Vec<Problem> {
    let group: Vec<&Labelled<'_>> = group.into_iter().take(MOST + 1).collect();
    if !(2..=MOST).contains(&group.len()) {
        return Vec::new();
    }
    let parts: Vec<Part<'_>> = group.into_iter().map(Part::of).collect();
    let of_part = |one: &Part<'_>| {
        let mut others = parts.iter().filter(|other| other.key != one.key && !one.is_related(other));
        others.find_map(|other| copy(one, other, &parts))
    };
    parts.iter().filter_map(of_part).collect()
}

/// Returns the finding about the code of a part that is another one's.
fn copy(one: &Part<'_>, other: &Part<'_>, parts: &[Part<'_>]) -> Option<Problem> {
    let named = |line: &&CodeLine<'_>| line.key.contains(other.key) && !line.key.contains(one.key);
    let line = one.program().find(named)?;
    let place = word_in(line.text(), other.key);
    let is_same =
        place.is_some() && one.program().map(CodeLine::text).eq(other.program().map(CodeLine::text));
    // A block that also names its own label is about both.
    let is_about_one = || one.lines.iter().any(|it| it.block == line.block && it.key.contains(one.key));
    // Others have the same line with their own names.
    let with = |label: &str| line.key.replace(other.key, label);
    let is_in_series = || {
        let more = line.key.chars().filter(|c| c.is_alphanumeric()).count() - other.key.chars().count();
        let have_it = parts.iter().filter(|it| it.has(&with(it.key)));
        more > 0 && !is_about_one() && other.has(&line.key) && have_it.count() > SEVERAL
    };
    if !is_same && !is_in_series() {
        return None;
    }
    let start = line.range.start;
    let range = place.map_or(line.range.clone(), |place| start + place.start..start + place.end);
    let (label, others) = (quoted(one.label), quoted(other.label));
    let (message, help) = if is_same {
        let message = format!("this is the code for {others}, but the label is {label}");
        (message, format!("use the code for {label}"))
    } else {
        let message = format!("this line names {others}, but the label is {label}");
        (message, format!("name {label}, as the code below other labels names its own"))
    };
    Some(Problem::new(Code::WrongPlatformName, line.blocks.map.range(range), message).help(help))
}

/// Returns the place of a word in lower case, ignoring case.
fn word_in(text: &str, word: &str) -> Option<Range<usize>> {
    let is_end = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    let lower = text.to_ascii_lowercase();
    let mut places = lower.match_indices(word).map(|(at, _)| at..at + word.len());
    places.find(|it| is_end(lower[..it.start].chars().next_back()) && is_end(lower[it.end..].chars().next()))
}
