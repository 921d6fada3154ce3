//! Arguments of shortcodes and Liquid tags: words and quoted texts, with or without names.

/// The arguments of a tag, in order.
#[derive(Debug, Default)]
pub(super) struct ArgumentList<'t> {
    all: Vec<Argument<'t>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Argument<'t> {
    /// Empty for an unnamed argument.
    name: &'t str,
    value: &'t str,
}

impl<'t> ArgumentList<'t> {
    /// Parses the text after the name of a tag.
    pub(super) fn of(text: &'t str) -> Self {
        let mut all = Vec::new();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let (word, after) = word(rest);
            let name = word.trim_end_matches([' ', '=']);
            let is_name = after.starts_with('=') && !name.is_empty() && !word.starts_with(['"', '\'', '`']);
            if is_name {
                let (value, after) = self::word(after[1..].trim_start());
                all.push(Argument { name, value: unquoted(value) });
                rest = after.trim_start();
            } else {
                all.push(Argument { name: "", value: unquoted(word) });
                rest = if word.is_empty() {
                    &rest[rest.chars().next().map_or(0, char::len_utf8)..]
                } else {
                    after
                };
                rest = rest.trim_start();
            }
        }
        Self { all }
    }

    pub(super) fn named(&self, names: &[&str]) -> Option<&'t str> {
        let find = |name: &&str| self.all.iter().find(|it| it.name == *name);
        names.iter().find_map(find).map(|it| it.value).filter(|value| !value.is_empty())
    }

    /// Returns the names of the named arguments.
    pub(super) fn names(&self) -> impl Iterator<Item = &'t str> {
        self.all.iter().map(|it| it.name).filter(|name| !name.is_empty())
    }

    /// Returns the unnamed arguments.
    pub(super) fn bare(&self) -> impl Iterator<Item = &'t str> {
        self.all.iter().filter(|it| it.name.is_empty()).map(|it| it.value)
    }

    pub(super) fn first(&self) -> Option<&'t str> {
        self.bare().next()
    }

    /// Returns the arguments by name, or by position for unnamed ones.
    pub(super) fn pairs(&self) -> Vec<(String, String)> {
        let mut position = 0;
        let mut pair = |it: &Argument<'t>| {
            let name = if it.name.is_empty() { position.to_string() } else { it.name.to_string() };
            position += usize::from(it.name.is_empty());
            (name, it.value.to_string())
        };
        self.all.iter().map(&mut pair).collect()
    }
}

/// Splits a text after a word or a quoted text.
fn word(text: &str) -> (&str, &str) {
    match text.chars().next() {
        Some(quote @ ('"' | '\'' | '`')) => {
            let mut escaped = false;
            let close = text[1..].find(|c: char| {
                let closes = c == quote && !escaped;
                escaped = c == '\\' && !escaped;
                closes
            });
            text.split_at(close.map_or(text.len(), |close| close + 2))
        }
        _ => text.split_at(text.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(text.len())),
    }
}

fn unquoted(text: &str) -> &str {
    let quote = text.chars().next().filter(|quote| matches!(quote, '"' | '\'' | '`'));
    match quote {
        Some(quote) => text[1..].strip_suffix(quote).unwrap_or(&text[1..]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_have_names_or_positions() {
        let given = ArgumentList::of("a \"b c\" d=e f='g h' `i=j` =");
        let bare: Vec<_> = given.bare().collect();
        assert_eq!(bare, ["a", "b c", "i=j", ""]);
        assert_eq!((given.named(&["d"]), given.named(&["x", "f"])), (Some("e"), Some("g h")));
        for text in ["\"", "a=\"", "=", "é=é", "a= b", "\\"] {
            let _ = ArgumentList::of(text).pairs();
        }
    }
}
