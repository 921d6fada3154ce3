//! Elements whose content may be for some platforms only: `<If sdk="ios">`, `<TabItem label="Android">`, `{{<
//! platform "web" >}}`.
//!
//! In: a page. Out: the attributes of its elements and shortcodes. Which of them contain platforms becomes clear only
//! from all pages of a site. An edition of a page for one platform is then translated with these elements as our own
//! `:::platform` blocks.

use super::arguments::ArgumentList;
use super::blocks::{BlockKind, Close};
use super::boxes::{self, Edges};
use super::mdx::well_known::is_tab;
use super::script::{Fuel, ScriptValue};
use super::tag::{self, Tag};
use super::translator::Translator;
use crate::markdown::lines::run_length;
use base::lines::placed;
use base::sorted::SortedSet;
use input::conventions::Syntax;
use input::dialect::Condition;

/// Maximum length of a platform's name in bytes.
const LONGEST: usize = 32;

/// Returns the distinct conditions of a page. `text` is a complete file whose body begins at `body`.
pub fn conditions(text: &str, body: usize, syntax: &[Syntax]) -> Vec<Condition> {
    let has_tags = syntax.contains(&Syntax::Mdx) || syntax.contains(&Syntax::Vue);
    let has_shortcodes = syntax.contains(&Syntax::Shortcodes);
    if !has_tags && !has_shortcodes {
        return Vec::new();
    }
    let mut fuel = Fuel::for_text(text.len() - body);
    let mut found = SortedSet::new();
    let mut fence: Option<(u8, usize)> = None;
    for (start, line) in placed(&text[body..], body) {
        let bare = line.trim();
        let mark = bare.bytes().next().filter(|mark| matches!(mark, b'`' | b'~'));
        let marks = mark.map_or(0, |mark| run_length(bare, mark));
        match (fence, mark) {
            (None, Some(mark)) if marks >= 3 => fence = Some((mark, marks)),
            (Some((open, length)), Some(mark)) if open == mark && marks >= length && bare.len() == marks => {
                fence = None;
            }
            (None, _) => {
                of_line(text, start..start + line.len(), (has_tags, has_shortcodes), &mut fuel, &mut found);
            }
            _ => {}
        }
    }
    found.into_iter().collect()
}

fn of_line(
    text: &str,
    line: std::ops::Range<usize>,
    (has_tags, has_shortcodes): (bool, bool),
    fuel: &mut Fuel,
    found: &mut SortedSet<Condition>,
) {
    let bytes = text.as_bytes();
    let is_component = |at: usize| bytes.get(at + 1).is_some_and(u8::is_ascii_uppercase);
    if has_tags {
        let opens = memchr::memchr_iter(b'<', &bytes[line.clone()]).map(|at| line.start + at);
        for at in opens.filter(|&at| is_component(at)) {
            if let Some(tag) = tag::opening(text, at, fuel).filter(|tag| !tag.closes_itself) {
                found.extend(of_tag(&tag));
            }
        }
    }
    if has_shortcodes {
        for at in memchr::memmem::find_iter(&bytes[line.clone()], b"{{").map(|at| line.start + at) {
            found.extend(of_shortcode(&text[at..line.end]));
        }
    }
}

fn of_tag<'a>(tag: &'a Tag<'_>) -> impl Iterator<Item = Condition> + 'a {
    tag.attributes.iter().filter_map(|attribute| {
        let values = words(attribute.value.as_ref()?)?;
        Some(Condition { element: tag.name.to_string(), attribute: attribute.name.to_string(), values })
    })
}

/// Returns the words if a value is a word or a list of words.
fn words(value: &ScriptValue<'_>) -> Option<Vec<String>> {
    let texts: Vec<&str> = match value {
        ScriptValue::Text(text, _) => text.split([',', '|']).collect(),
        ScriptValue::List(items) => items.iter().map(|item| item.text().unwrap_or_default()).collect(),
        _ => return None,
    };
    Some(as_words(&texts))
}

fn as_words(texts: &[&str]) -> Vec<String> {
    let is_word = |text: &str| {
        let is_in_name = |c: char| c.is_alphanumeric() || " .+#-_".contains(c);
        !text.is_empty() && text.len() <= LONGEST && text.chars().all(is_in_name)
    };
    let words: Vec<&str> = texts.iter().map(|text| text.trim()).collect();
    if words.iter().all(|word| is_word(word)) {
        words.into_iter().map(str::to_string).collect()
    } else {
        Vec::new()
    }
}

/// Returns the arguments of the opening shortcode at the start of a text.
fn of_shortcode(text: &str) -> Vec<Condition> {
    let Some(inside) = text.strip_prefix("{{<").or_else(|| text.strip_prefix("{{%")) else {
        return Vec::new();
    };
    let Some((written, _)) = inside.split_once("}}") else { return Vec::new() };
    let written = written.trim_end_matches(['>', '%']).trim();
    let name_end = written.find(char::is_whitespace).unwrap_or(written.len());
    let element = &written[..name_end];
    if !element.starts_with(|c: char| c.is_alphabetic()) || written.ends_with('/') {
        return Vec::new();
    }
    let given = ArgumentList::of(&written[name_end..]);
    let mut conditions: Vec<Condition> = Vec::new();
    for (attribute, value) in given.pairs() {
        let attribute = if attribute.bytes().all(|byte| byte.is_ascii_digit()) { "" } else { &attribute };
        let values = as_words(&value.split([',', '|']).collect::<Vec<_>>());
        if let Some(known) =
            conditions.iter_mut().find(|known| known.attribute == attribute && attribute.is_empty())
        {
            known.values.extend(values);
        } else {
            let (element, attribute) = (element.to_string(), attribute.to_string());
            conditions.push(Condition { element, attribute, values });
        }
    }
    conditions
}

/// Opens the block that replaces an element in the edition for one platform. Returns whether there is one.
pub(super) fn open_tag<'t>(it: &mut Translator<'t, '_>, tag: &Tag<'t>) -> bool {
    if it.dialect.platforms.is_empty() || tag.closes_itself {
        return false;
    }
    let of_tag: Vec<Condition> = of_tag(tag).collect();
    open(it, tag.name, &of_tag, tag.span.end)
}

/// The same for a shortcode that ends at `end`.
pub(super) fn open_shortcode<'t>(it: &mut Translator<'t, '_>, name: &'t str, end: usize) -> bool {
    if it.dialect.platforms.is_empty() {
        return false;
    }
    let given = of_shortcode(&it.lines.text[it.lines.at..end]);
    open(it, name, &given, end)
}

fn open<'t>(it: &mut Translator<'t, '_>, name: &'t str, given: &[Condition], end: usize) -> bool {
    let block = given.iter().find_map(|condition| it.dialect.platforms.block(condition));
    // A block isn't possible inside a line.
    let is_alone = !it.lines.is_row && !it.out.shown && it.lines.rest_of_line(end).trim().is_empty();
    let Some(block) = block.filter(|_| is_alone) else { return false };
    let colons = ":".repeat(it.blocks.note_colons());
    let edges = (format!("{colons}platform {block}"), Close::Lines(colons));
    it.open_box(BlockKind::Named(name), edges, end, false);
    true
}

/// Whether a condition is the label of a tab, or a list of labels.
pub fn is_tab_label(condition: &Condition) -> bool {
    const ATTRIBUTES: [&str; 7] = ["", "label", "title", "name", "value", "header", "items"];
    let is_tab = is_tab(&condition.element) || matches!(&*condition.element, "tab" | "codetab");
    is_tab && ATTRIBUTES.contains(&condition.attribute.as_str())
}

/// Returns a tab with a label. In the edition for one platform, a tab that is named like a platform is in a platform
/// block.
pub(super) fn tab(it: &Translator<'_, '_>, label: &str) -> Edges {
    match (it.dialect.platforms.of_label(label), boxes::tab(label)) {
        (Some(id), (opening, Close::Lines(end))) => {
            let colons = ":".repeat(it.blocks.note_colons());
            (format!("{colons}platform {id}\n{opening}"), Close::Lines(format!("{end}\n{colons}")))
        }
        (_, edges) => edges,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(syntax: Syntax, text: &str, expected: &str) {
        let found = conditions(text, 0, &[syntax]);
        let said = |it: &Condition| format!("{} {}={}", it.element, it.attribute, it.values.join("+"));
        assert_eq!(found.iter().map(said).collect::<Vec<_>>().join(", "), expected);
    }

    #[test]
    fn conditions_of_elements_are_read_in_each_notation() {
        check(Syntax::Mdx, "<If sdk=\"ios\">\nText.\n</If>\n", "If sdk=ios");
        check(Syntax::Mdx, "<If sdk={['ios', \"web\"]}>\n", "If sdk=ios+web");
        check(Syntax::Mdx, "<Show\n  when={[\n    'ios',\n  ]}\n>\n", "Show when=ios");
        check(Syntax::Mdx, "<If sdk=\"ios, react-native\">\n", "If sdk=ios+react-native");
        check(Syntax::Vue, "<Platform name=\"C++\">\n", "Platform name=C++");
        check(Syntax::Shortcodes, "{{< for \"ios\" \"web\" >}}\n", "for =ios+web");
        check(Syntax::Shortcodes, "{{% if os=\"linux\" %}}\n", "if os=linux");
    }

    #[test]
    fn code_empty_elements_and_sentences_say_nothing() {
        check(Syntax::Mdx, "```jsx\n<If sdk=\"ios\">\n```\n", "");
        check(Syntax::Mdx, "<Icon name=\"ios\" />\n", "");
        check(Syntax::Mdx, "<Card title=\"Read this, or that (soon)\">\n", "Card title=");
        check(Syntax::Directives, "<If sdk=\"ios\">\n", "");
        check(Syntax::Shortcodes, "{{< icon \"ios\" />}}\n{{< /for >}}\n", "");
    }
}
