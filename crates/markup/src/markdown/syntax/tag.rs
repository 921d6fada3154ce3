//! JSX tags, which may span lines.

use std::ops::Range;

use super::script::{Fuel, ScriptValue, balanced, value};

#[derive(Debug)]
pub(super) struct Tag<'t> {
    pub(super) name: &'t str,
    /// Range from `<` to `>`.
    pub(super) span: Range<usize>,
    pub(super) attributes: Vec<Attribute<'t>>,
    pub(super) closes_itself: bool,
}

#[derive(Debug)]
pub(super) struct Attribute<'t> {
    /// Empty for `{...props}`.
    pub(super) name: &'t str,
    /// With the spaces before it.
    pub(super) span: Range<usize>,
    pub(super) name_span: Range<usize>,
    pub(super) value: Option<ScriptValue<'t>>,
    /// Whether the value is an expression in braces.
    pub(super) is_expression: bool,
}

impl<'t> Tag<'t> {
    pub(super) fn get(&self, names: &[&str]) -> Option<&Attribute<'t>> {
        names.iter().find_map(|name| self.attributes.iter().find(|attribute| attribute.name == *name))
    }

    pub(super) fn value(&self, names: &[&str]) -> Option<&ScriptValue<'t>> {
        self.get(names)?.value.as_ref()
    }

    /// Returns the value of the first of these attributes.
    pub(super) fn text(&self, names: &[&str]) -> Option<&str> {
        names.iter().find_map(|name| self.value(&[name])?.text()).filter(|text| !text.trim().is_empty())
    }
}

/// Decodes a quoted attribute.
pub(super) fn attribute_text(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace(['\n', '\r'], " ")
}

/// Returns the name of the closing tag at `at`, and its end.
pub(super) fn closing(text: &str, at: usize) -> Option<(&str, usize)> {
    let rest = text[at..].strip_prefix("</")?;
    let name = tag_name(rest);
    let after = rest[name.len()..].trim_start_matches([' ', '\t', '\r', '\n']);
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic());
    (is_name && after.starts_with('>')).then(|| (name, at + 2 + rest.len() - after.len() + 1))
}

/// Parses the opening tag at `at`.
pub(super) fn opening<'t>(text: &'t str, at: usize, fuel: &mut Fuel) -> Option<Tag<'t>> {
    let limit = fuel.limit(text, at);
    let tag = Reader { text, at: at + 1, limit }.tag(at, fuel);
    if tag.is_none() {
        fuel.burn(200.min(limit - at));
    }
    tag
}

/// The start tag of an element or component, for rules about its attributes.
#[derive(Debug)]
pub struct ElementTag<'t> {
    pub name: &'t str,
    /// Range from `<` to `>`.
    pub span: Range<usize>,
    pub closes_itself: bool,
    attributes: Vec<Attribute<'t>>,
}

impl<'t> ElementTag<'t> {
    /// Whether it is that of a component rather than an HTML element.
    pub fn is_component(&self) -> bool {
        self.name.starts_with(|c: char| c.is_ascii_uppercase())
    }

    /// Returns the names of its attributes, each with its range.
    pub fn names(&self) -> impl Iterator<Item = (&'t str, Range<usize>)> {
        let named = self.attributes.iter().filter(|it| !it.name.is_empty());
        named.map(|it| (it.name, it.name_span.clone()))
    }

    /// Whether it has an attribute, or an expression that may contain it: `{...props}`.
    pub fn may_have(&self, name: &str) -> bool {
        self.attributes.iter().any(|it| it.name == name || it.name.is_empty())
    }

    /// Returns the attributes with a text in quotes: their names, texts, and the ranges of the texts.
    pub fn texts(&self) -> impl Iterator<Item = (&str, &str, Range<usize>)> {
        let quoted = self.attributes.iter().filter(|it| !it.is_expression);
        quoted.filter_map(|it| match it.value.as_ref()? {
            ScriptValue::Text(text, span) => Some((it.name, &**text, span.clone())),
            _ => None,
        })
    }

    /// Returns the ranges of the attributes whose value is an expression in braces.
    pub fn expressions(&self) -> impl Iterator<Item = Range<usize>> {
        self.attributes.iter().filter(|it| it.is_expression).map(|it| it.name_span.end..it.span.end)
    }

    /// Returns the text in quotes of an attribute, and its range.
    pub fn text(&self, name: &str) -> Option<(&str, Range<usize>)> {
        self.texts().find(|(it, ..)| *it == name).map(|(_, text, span)| (text, span))
    }
}

/// Parses the start tags at some positions of a text.
pub fn element_tags(text: &str, places: impl Iterator<Item = usize>) -> impl Iterator<Item = ElementTag<'_>> {
    let mut fuel = Fuel::for_text(text.len());
    let tags = places.filter_map(move |at| opening(text, at, &mut fuel));
    tags.map(|Tag { name, span, attributes, closes_itself }| ElementTag {
        name,
        span,
        closes_itself,
        attributes,
    })
}

fn tag_name(text: &str) -> &str {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b':' | b'$');
    &text[..text.bytes().position(|byte| !is_name(byte)).unwrap_or(text.len())]
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    limit: usize,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes()[..self.limit].get(self.at).copied()
    }

    fn skip_spaces(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn tag(mut self, start: usize, fuel: &mut Fuel) -> Option<Tag<'t>> {
        let name = tag_name(&self.text[self.at..self.limit]);
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || name.ends_with(':') {
            return None;
        }
        self.at += name.len();
        if !self.peek().is_some_and(|next| next.is_ascii_whitespace() || matches!(next, b'/' | b'>' | b'{')) {
            return None;
        }
        let mut attributes = Vec::new();
        loop {
            let before = self.at;
            self.skip_spaces();
            match self.peek()? {
                b'>' => {
                    self.at += 1;
                    return Some(Tag { name, span: start..self.at, attributes, closes_itself: false });
                }
                b'/' => {
                    self.at += 1;
                    self.skip_spaces();
                    if self.peek()? == b'>' {
                        self.at += 1;
                        return Some(Tag { name, span: start..self.at, attributes, closes_itself: true });
                    }
                }
                _ => attributes.push(self.attribute(before, fuel)?),
            }
        }
    }

    fn attribute(&mut self, before: usize, fuel: &mut Fuel) -> Option<Attribute<'t>> {
        if self.peek() == Some(b'{') {
            let start = self.at;
            self.at = balanced(self.text, self.at, fuel)?;
            let (span, name_span) = (before..self.at, start..start);
            return Some(Attribute { name: "", span, name_span, value: None, is_expression: true });
        }
        let name = tag_name(&self.text[self.at..self.limit]);
        let name = &name[..name.find('=').unwrap_or(name.len())];
        if name.is_empty() {
            // Vue's `@click="x"` and `#slot`.
            let rest = &self.text[self.at..self.limit];
            let length = rest.strip_prefix(['@', '#', ':'])?;
            let name_length = 1 + tag_name(length).len();
            return self.with_value(before, name_length, fuel);
        }
        self.with_value(before, name.len(), fuel)
    }

    fn with_value(&mut self, before: usize, name_length: usize, fuel: &mut Fuel) -> Option<Attribute<'t>> {
        let name_span = self.at..self.at + name_length;
        let name = &self.text[name_span.clone()];
        self.at = name_span.end;
        let after_name = self.at;
        self.skip_spaces();
        if self.peek() != Some(b'=') {
            self.at = after_name;
            let span = before..self.at;
            return Some(Attribute { name, span, name_span, value: None, is_expression: false });
        }
        self.at += 1;
        self.skip_spaces();
        let start = self.at;
        let mut is_expression = false;
        let found = match self.peek()? {
            quote @ (b'"' | b'\'') => {
                let inside = &self.text.as_bytes()[start + 1..self.limit];
                let end = start + 1 + memchr::memchr(quote, inside)?;
                self.at = end + 1;
                ScriptValue::Text(self.text[start + 1..end].into(), start + 1..end)
            }
            b'{' => {
                self.at = balanced(self.text, start, fuel)?;
                is_expression = true;
                value(self.text, start + 1..self.at - 1)
            }
            _ => {
                let rest = &self.text[start..self.limit];
                let length = rest.find(|c: char| c.is_whitespace() || c == '>' || c == '<')?;
                let length = if rest[..length].ends_with('/') && rest[length..].starts_with('>') {
                    length - 1
                } else {
                    length
                };
                self.at = start + length;
                ScriptValue::Text(rest[..length].into(), start..start + length)
            }
        };
        Some(Attribute { name, span: before..self.at, name_span, value: Some(found), is_expression })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let tag = opening(text, 0, &mut Fuel::for_text(text.len()));
        let shown = tag.map(|tag| {
            let attributes = tag.attributes.iter().map(|it| match &it.value {
                Some(value) => format!(" {}={value:?}", it.name),
                None => format!(" {}", it.name),
            });
            let end = if tag.closes_itself { "/" } else { "" };
            format!("{}{}{end} {}", tag.name, attributes.collect::<String>(), tag.span.end)
        });
        assert_eq!(shown.as_deref().unwrap_or("none"), expected, "{text}");
    }

    #[test]
    fn tags_of_jsx_are_read() {
        check("<A/>", "A/ 4");
        check("<A b='c' d />", "A b=Text(\"c\", 6..7) d/ 13");
        check("<A\n  b={[1, '>']}\n>x", "A b=List([Name(\"1\"), Text(\">\", 13..14)]) 19");
        check("<A {...b} c={{d: 'e'}}>", "A  c=Object([(\"d\", Text(\"e\", 18..19))]) 23");
        check("<a.b.c>", "a.b.c 7");
        check("<img src=x/>", "img src=Text(\"x\", 9..10)/ 12");
        check("<String, Int>", "none");
        check("<A b=", "none");
        check("<A b={", "none");
        check("<1>", "none");
        check("<A é>", "none");
        check("<https://e.org>", "none");
        assert_eq!(closing("</A >", 0), Some(("A", 5)));
        assert_eq!(closing("</A b>", 0), None);
    }
}
