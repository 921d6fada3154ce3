//! Parses JavaScript values as they occur on pages: texts, names, lists, objects and calls.

use std::borrow::Cow;
use std::ops::Range;

/// A limit for failed searches, in addition to the length of the text. An unclosed bracket is searched for again at
/// each opening one, and a page may consist of opening brackets.
#[derive(Debug)]
pub(super) struct Fuel {
    left: usize,
    /// Texts that don't occur in the rest of the text.
    missing: Vec<String>,
}

/// Maximum number of such texts.
const MOST_MISSING: usize = 32;

impl Fuel {
    pub(super) fn for_text(length: usize) -> Self {
        Self { left: 4 * length + 1024, missing: Vec::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.left == 0
    }

    /// Returns the end of a search from `at` on. A failed search uses up fuel.
    pub(super) fn limit(&self, text: &str, at: usize) -> usize {
        let mut end = text.len().min(at + self.left.max(200));
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        end
    }

    pub(super) fn burn(&mut self, bytes: usize) {
        self.left = self.left.saturating_sub(bytes);
    }

    /// Whether a text is known not to occur in the rest.
    pub(super) fn is_missing(&self, wanted: &str) -> bool {
        self.missing.iter().any(|missing| missing == wanted)
    }

    /// Records that a text doesn't occur in the rest.
    pub(super) fn miss(&mut self, wanted: &str) {
        if self.missing.len() < MOST_MISSING {
            self.missing.push(wanted.to_string());
        }
    }

    /// Whether a text doesn't occur in the rest, if that is known.
    pub(super) fn lacks(&mut self, text: &str, at: usize, wanted: &str) -> bool {
        self.find(text, at, wanted).is_none() && self.is_missing(wanted)
    }

    /// Returns the next position of `wanted` at or after `at`. Positions must increase from call to call.
    pub(super) fn find(&mut self, text: &str, at: usize, wanted: &str) -> Option<usize> {
        if self.is_missing(wanted) {
            return None;
        }
        let end = self.limit(text, at);
        let found = memchr::memmem::find(&text.as_bytes()[at..end], wanted.as_bytes());
        self.burn(found.unwrap_or(end - at));
        if found.is_none() && end == text.len() {
            self.miss(wanted);
        }
        found.map(|found| at + found)
    }
}

/// A value with its ranges in the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ScriptValue<'t> {
    /// A text, and the range between its quotes.
    Text(Cow<'t, str>, Range<usize>),
    /// For example `name` or `props.name`.
    Name(&'t str),
    List(Vec<ScriptValue<'t>>),
    Object(Vec<(&'t str, ScriptValue<'t>)>),
    /// For example `useBaseUrl('a')` or `require('a').default`.
    Call(&'t str, Vec<ScriptValue<'t>>),
    Other,
}

impl<'t> ScriptValue<'t> {
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text, _) => Some(text),
            _ => None,
        }
    }

    /// Returns the value of an object for one of the keys.
    pub(super) fn get(&self, keys: &[&str]) -> Option<&ScriptValue<'t>> {
        let Self::Object(entries) = self else { return None };
        keys.iter().find_map(|key| entries.iter().find(|(name, _)| name == key).map(|(_, value)| value))
    }

    pub(super) fn items(&self) -> &[ScriptValue<'t>] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }
}

/// Maximum nesting of lists and objects.
const DEEPEST: usize = 16;

/// Maximum nesting of brackets.
const DEEPEST_BRACKETS: usize = 200;

/// Returns the position after the bracket that closes the one at `at`.
pub(super) fn balanced(text: &str, at: usize, fuel: &mut Fuel) -> Option<usize> {
    let limit = fuel.limit(text, at);
    let end = close(text, at, limit);
    if end.is_none() {
        fuel.burn(limit - at);
    }
    end
}

fn close(text: &str, at: usize, limit: usize) -> Option<usize> {
    let bytes = &text.as_bytes()[..limit];
    let mut open: Vec<u8> = Vec::new();
    let mut at = at;
    while let Some(&byte) = bytes.get(at) {
        // In a template, only its end and `${` matter.
        if open.last() == Some(&b'`') {
            match byte {
                b'\\' => at += 1,
                b'`' => _ = open.pop(),
                b'$' if bytes.get(at + 1) == Some(&b'{') => {
                    open.push(b'}');
                    at += 1;
                }
                _ => {}
            }
            at += 1;
            continue;
        }
        match byte {
            b'{' => open.push(b'}'),
            b'(' => open.push(b')'),
            b'[' => open.push(b']'),
            b'`' => open.push(b'`'),
            b'}' | b')' | b']' => {
                // `=> (a]` isn't valid JavaScript, but a page that contains it must still be processed.
                if open.last() == Some(&byte) {
                    open.pop();
                } else if byte == b'}' {
                    while open.pop().is_some_and(|it| it != b'}') {}
                }
                if open.is_empty() {
                    return Some(at + 1);
                }
            }
            // In text between tags, it is an apostrophe.
            b'\'' if at > 0 && bytes[at - 1].is_ascii_alphanumeric() => {}
            b'"' | b'\'' => at = quoted(bytes, at).map_or(at, |end| end - 1),
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at += memchr::memmem::find(&bytes[at..], b"*/").unwrap_or(0) + 1;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/')
                && at.checked_sub(1).is_none_or(|before| bytes[before].is_ascii_whitespace()) =>
            {
                at += memchr::memchr(b'\n', &bytes[at..]).unwrap_or(1);
            }
            _ => {}
        }
        if open.is_empty() || open.len() > DEEPEST_BRACKETS {
            return None;
        }
        at += 1;
    }
    None
}

/// Returns the position after the quoted text at `at`, which ends on the same line.
fn quoted(bytes: &[u8], at: usize) -> Option<usize> {
    let quote = bytes[at];
    let mut end = at + 1;
    loop {
        match *bytes.get(end)? {
            b'\\' => end += 2,
            b'\n' => return None,
            byte if byte == quote => return Some(end + 1),
            _ => end += 1,
        }
    }
}

/// Parses the value in a range of the text.
pub(super) fn value(text: &str, place: Range<usize>) -> ScriptValue<'_> {
    let mut parser = Parser { text, at: place.start, end: place.end };
    let value = parser.value(0);
    parser.skip_spaces();
    if parser.at == place.end { value } else { ScriptValue::Other }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    end: usize,
}

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..self.end]
    }

    fn peek(&self) -> Option<u8> {
        self.rest().bytes().next()
    }

    fn skip_spaces(&mut self) {
        loop {
            let rest = self.rest();
            let bare = rest.trim_start();
            self.at += rest.len() - bare.len();
            let comment = match bare.get(..2) {
                Some("//") => bare.find('\n').unwrap_or(bare.len()),
                Some("/*") => bare.find("*/").map_or(bare.len(), |end| end + 2),
                _ => return,
            };
            self.at += comment;
        }
    }

    fn value(&mut self, depth: usize) -> ScriptValue<'t> {
        self.skip_spaces();
        let value = match self.peek() {
            Some(b'"' | b'\'') => self.text_in_quotes(),
            Some(b'`') => self.template(),
            Some(b'[') if depth < DEEPEST => self.list(depth),
            Some(b'{') if depth < DEEPEST => self.object(depth),
            Some(byte) if byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' => self.name(depth),
            _ => ScriptValue::Other,
        };
        self.skip_spaces();
        // Expressions such as `a + b` and `a ? b : c` are unsupported.
        match self.peek() {
            None | Some(b',' | b']' | b'}' | b')') => value,
            _ => {
                self.skip_value();
                ScriptValue::Other
            }
        }
    }

    fn text_in_quotes(&mut self) -> ScriptValue<'t> {
        let Some(end) = quoted(&self.text.as_bytes()[..self.end], self.at).filter(|end| *end <= self.end)
        else {
            return ScriptValue::Other;
        };
        let inside = self.at + 1..end - 1;
        self.at = end;
        ScriptValue::Text(unescaped(&self.text[inside.clone()]), inside)
    }

    /// Parses a text in backticks, without expressions except for the site's base path at its start.
    fn template(&mut self) -> ScriptValue<'t> {
        const BASE: &str = "${import.meta.env.BASE_URL}";
        if self.rest()[1..].starts_with(BASE) {
            self.at += BASE.len();
        }
        let rest = &self.rest()[1..];
        let mut escaped = false;
        let close = rest.bytes().position(|byte| {
            let closes = byte == b'`' && !escaped;
            escaped = byte == b'\\' && !escaped;
            closes
        });
        let Some(close) = close.filter(|close| !rest[..*close].contains("${")) else {
            return ScriptValue::Other;
        };
        let inside = self.at + 1..self.at + 1 + close;
        self.at = inside.end + 1;
        ScriptValue::Text(unescaped(&self.text[inside.clone()]), inside)
    }

    fn list(&mut self, depth: usize) -> ScriptValue<'t> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.skip_spaces();
            match self.peek() {
                None => return ScriptValue::Other,
                Some(b']') => break,
                Some(b',') => self.at += 1,
                Some(_) => {
                    let before = self.at;
                    items.push(self.value(depth + 1));
                    if self.at == before {
                        return ScriptValue::Other;
                    }
                }
            }
        }
        self.at += 1;
        ScriptValue::List(items)
    }

    fn object(&mut self, depth: usize) -> ScriptValue<'t> {
        self.at += 1;
        let mut entries = Vec::new();
        loop {
            self.skip_spaces();
            match self.peek() {
                None => return ScriptValue::Other,
                Some(b'}') => break,
                Some(b',') => self.at += 1,
                Some(_) => {
                    let before = self.at;
                    entries.extend(self.entry(depth));
                    if self.at == before {
                        return ScriptValue::Other;
                    }
                }
            }
        }
        self.at += 1;
        ScriptValue::Object(entries)
    }

    /// Parses `key: value`, or a name for both.
    fn entry(&mut self, depth: usize) -> Option<(&'t str, ScriptValue<'t>)> {
        let key = if matches!(self.peek(), Some(b'"' | b'\'')) {
            match self.text_in_quotes() {
                ScriptValue::Text(_, place) => &self.text[place],
                _ => "",
            }
        } else {
            let name = name_at(self.rest());
            self.at += name.len();
            name
        };
        self.skip_spaces();
        match self.peek() {
            Some(b':') if !key.is_empty() => {
                self.at += 1;
                Some((key, self.value(depth + 1)))
            }
            Some(b',' | b'}') if !key.is_empty() && !key.starts_with('.') => {
                Some((key, ScriptValue::Name(key)))
            }
            _ => {
                self.skip_value();
                None
            }
        }
    }

    fn name(&mut self, depth: usize) -> ScriptValue<'t> {
        let name = name_at(self.rest());
        self.at += name.len();
        if self.peek() != Some(b'(') || depth >= DEEPEST {
            return ScriptValue::Name(name);
        }
        self.at += 1;
        let mut arguments = Vec::new();
        loop {
            self.skip_spaces();
            match self.peek() {
                None => return ScriptValue::Other,
                Some(b')') => break,
                Some(b',') => self.at += 1,
                Some(_) => {
                    let before = self.at;
                    arguments.push(self.value(depth + 1));
                    if self.at == before {
                        return ScriptValue::Other;
                    }
                }
            }
        }
        self.at += 1;
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.at += name_at(self.rest()).len();
        }
        ScriptValue::Call(name, arguments)
    }

    /// Skips to the comma or bracket that ends the enclosing value.
    fn skip_value(&mut self) {
        let bytes = &self.text.as_bytes()[..self.end];
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b',' | b']' | b'}' | b')' => return,
                b'{' | b'(' | b'[' | b'`' => match close(self.text, self.at, self.end) {
                    Some(end) => self.at = end,
                    None => self.at = self.end,
                },
                b'"' | b'\'' => self.at = quoted(bytes, self.at).unwrap_or(self.at + 1).min(self.end),
                _ => self.at += 1,
            }
        }
    }
}

/// Returns the name, possibly with dots, at the start of a text.
pub(super) fn name_at(text: &str) -> &str {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.');
    &text[..text.bytes().position(|byte| !is_name(byte)).unwrap_or(text.len())]
}

fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some(other) => out.push(other),
                None => {}
            },
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let shown = format!("{:?}", value(text, 0..text.len()));
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn values_are_read_with_their_places() {
        check("'a'", "Text(\"a\", 1..2)");
        check(" `a b` ", "Text(\"a b\", 2..5)");
        check("`a ${b}`", "Other");
        check("props.a", "Name(\"props.a\")");
        check("useBaseUrl('a')", "Call(\"useBaseUrl\", [Text(\"a\", 12..13)])");
        check("require('a').default", "Call(\"require\", [Text(\"a\", 9..10)])");
        check("[a, 'b',]", "List([Name(\"a\"), Text(\"b\", 5..6)])");
        check(
            "{a: 'b', 'c': d, e,}",
            "Object([(\"a\", Text(\"b\", 5..6)), (\"c\", Name(\"d\")), (\"e\", Name(\"e\"))])",
        );
        check("{a: b + {c: 1}, d: <x/>, ...f}", "Object([(\"a\", Other), (\"d\", Other)])");
        check("{ // a\n b: /* c */ d }", "Object([(\"b\", Name(\"d\"))])");
        for text in ["", "'", "[", "{", "{a", "{a:", "[a", "f(", "`", "a b", "{:}", "[}", "(", "'é", "{é: 1}"]
        {
            let _ = value(text, 0..text.len());
        }
    }

    #[test]
    fn brackets_in_texts_do_not_count() {
        let length = |text: &str| balanced(text, 0, &mut Fuel::for_text(text.len()));
        assert_eq!(length("{a}b"), Some(3));
        assert_eq!(length("{'}'}"), Some(5));
        assert_eq!(length("{`}${a('}')}`}"), Some(14));
        assert_eq!(length("{ /* } */ }"), Some(11));
        assert_eq!(length("{ // }\n }"), Some(9));
        assert_eq!(length("{Don't}"), Some(7));
        assert_eq!(length("{[(}"), Some(4));
        assert_eq!(length("{a"), None);
        assert_eq!(length("{'\\"), None);
    }
}
