//! The attributes of the site's own blocks: `:::card title="Install" href="/install/"`.

use std::ops::Range;

use base::diagnostic::{Code, Problem, nearest};
use base::sorted::SortedMap;
use input::block_templates::BlockTemplate;

/// An attribute as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::markdown) struct BlockAttribute {
    pub(in crate::markdown) name: String,
    /// Empty if the block lacks it.
    pub(in crate::markdown) value: String,
    /// Range of the value in the file, or of the block's name if the block lacks it.
    pub(in crate::markdown) span: Range<usize>,
}

/// Reads the attributes of the block `name`, whose range is `head`, from `written`, the rest of its line. Returns all
/// attributes that its template uses.
pub(super) fn read(
    (name, head): (&str, Range<usize>),
    written: &str,
    template: &BlockTemplate,
    problems: &mut Vec<Problem>,
) -> Vec<BlockAttribute> {
    let start = head.end;
    let mut problem = |span: Range<usize>, message: String, help: String| {
        problems.push(Problem::new(Code::BlockAttribute, span, message).help(help));
    };
    let mut found: SortedMap<String, BlockAttribute> = SortedMap::new();
    for Written { name: key, value } in split(written) {
        let (place, key) = (start + key.start..start + key.end, &written[key]);
        let Some(value) = value else {
            let message = format!("`{key}` is not an attribute of the block `{name}`");
            problem(
                place,
                message,
                "use `name=\"value\"`, with the quote closed on the same line".to_string(),
            );
            continue;
        };
        if !template.attributes.contains_key(key) {
            let message = format!("the block `{name}` has no attribute `{key}`");
            let help = nearest(key, template.attributes.keys().map(String::as_str)).map_or_else(
                || format!("remove it, or use `block.{key}` in `templates/blocks/{name}.html`"),
                |near| format!("did you mean `{near}`?"),
            );
            problem(place, message, help);
            continue;
        }
        let attribute = BlockAttribute {
            name: key.to_string(),
            value: written[value.clone()].to_string(),
            span: start + value.start..start + value.end,
        };
        if found.insert(key.to_string(), attribute).is_some() {
            let message = format!("the block `{name}` has the attribute `{key}` twice");
            problem(place, message, "remove one of them".to_string());
        }
    }
    for (key, is_required) in &template.attributes {
        if found.contains_key(key) {
            continue;
        }
        if *is_required {
            let message = format!("the block `{name}` lacks the attribute `{key}`");
            problem(head.clone(), message, format!("add `{key}=\"…\"`"));
        }
        let missing = BlockAttribute { name: key.clone(), value: String::new(), span: head.clone() };
        found.insert(key.clone(), missing);
    }
    found.into_iter().map(|(_, attribute)| attribute).collect()
}

/// The ranges of a name and its value in a text. If it has no value or its quote isn't closed, the name is the complete text.
struct Written {
    name: Range<usize>,
    value: Option<Range<usize>>,
}

/// Splits `title="A" href=/b/`. Braces around all of it, as in Docusaurus, have no meaning.
fn split(text: &str) -> Vec<Written> {
    let is_between = |letter: char| letter.is_whitespace() || matches!(letter, '{' | '}' | ',');
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(skipped) = text[at..].find(|letter| !is_between(letter)) {
        let begin = at + skipped;
        let length = text[begin..].find(|letter| is_between(letter) || letter == '=');
        let end = length.map_or(text.len(), |length| begin + length);
        let Some(written) = text[end..].strip_prefix('=').filter(|_| end > begin) else {
            at = end.max(begin + 1);
            all.push(Written { name: begin..at, value: None });
            continue;
        };
        let first = end + 1;
        let (value, after) = if let Some(quote) = written.chars().next().filter(|it| matches!(it, '"' | '\''))
        {
            match written[1..].find(quote) {
                Some(length) => (Some(first + 1..first + 1 + length), first + length + 2),
                None => (None, text.trim_end().len()),
            }
        } else {
            let length = written.find(is_between).unwrap_or(written.len());
            (Some(first..first + length), first + length)
        };
        all.push(Written { name: begin..if value.is_some() { end } else { after }, value });
        at = after;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the attributes of a block `card`, which needs `title` and may have `href`, and the marked text and
    /// message of each problem.
    #[track_caller]
    fn check(written: &str, expected: &[(&str, &str)], problems: &[(&str, &str)]) {
        let attributes = [("title".to_string(), true), ("href".to_string(), false)].into();
        let line = format!(":::card{written}");
        let mut found = Vec::new();
        let read = read(("card", 3..7), written, &BlockTemplate { attributes }, &mut found);
        let values: Vec<_> = read.iter().map(|it| (it.name.as_str(), it.value.as_str())).collect();
        assert_eq!(values, expected, "{written}");
        for attribute in read.iter().filter(|it| !it.value.is_empty()) {
            assert_eq!(line[attribute.span.clone()], attribute.value);
        }
        let found: Vec<_> = found.iter().map(|it| (&line[it.span.clone()], it.message.as_str())).collect();
        assert_eq!(found, problems, "{written}");
    }

    #[test]
    fn attributes_are_read_and_checked() {
        check(" title=\"A b\" href='/x/'", &[("href", "/x/"), ("title", "A b")], &[]);
        check(" {href=/x/, title=A}", &[("href", "/x/"), ("title", "A")], &[]);
        let lacks = ("card", "the block `card` lacks the attribute `title`");
        check("", &[("href", ""), ("title", "")], &[lacks]);
        check(
            " titel=A",
            &[("href", ""), ("title", "")],
            &[("titel", "the block `card` has no attribute `titel`"), lacks],
        );
        check(
            " My card title=A title=B",
            &[("href", ""), ("title", "B")],
            &[
                ("My", "`My` is not an attribute of the block `card`"),
                ("card", "`card` is not an attribute of the block `card`"),
                ("title", "the block `card` has the attribute `title` twice"),
            ],
        );
        check(
            " href=/x/ title=\"A ",
            &[("href", "/x/"), ("title", "")],
            &[("title=\"A", "`title=\"A` is not an attribute of the block `card`"), lacks],
        );
        check(
            " =x title=é",
            &[("href", ""), ("title", "é")],
            &[
                ("=", "`=` is not an attribute of the block `card`"),
                ("x", "`x` is not an attribute of the block `card`"),
            ],
        );
    }
}
