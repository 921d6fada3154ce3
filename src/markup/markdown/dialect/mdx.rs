//! MDX: imports, exports, expressions, comments and components.

mod code;
mod component;
mod element;

use std::collections::HashMap;
use std::ops::Range;

pub(super) use self::component::{close, is_tab};
use super::script::{Fuel, Value, balanced, value};
use super::tag;
use super::{InclusionKind, Translator, Why};
use crate::markup::markdown::extract::run_length;

/// What the names of a page stand for.
#[derive(Debug, Default)]
pub(super) struct Names<'t> {
    /// The files that are imported.
    files: HashMap<&'t str, &'t str>,
    constants: HashMap<&'t str, Value<'t>>,
}

impl<'t> Names<'t> {
    /// Reads the imports and constants of a page, wherever they are.
    pub(super) fn of(text: &'t str, body: usize, fuel: &mut Fuel) -> Self {
        let mut names = Self::default();
        let mut fence: Option<(u8, usize)> = None;
        let mut at = body;
        while at < text.len() {
            let end = memchr::memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |it| at + it + 1);
            let line = text[at..end].trim();
            let mark = line.bytes().next().filter(|mark| matches!(mark, b'`' | b'~'));
            match (fence, mark) {
                (None, Some(mark)) if run_length(line, mark) >= 3 => {
                    fence = Some((mark, run_length(line, mark)));
                }
                (Some((open, length)), Some(mark))
                    if open == mark
                        && run_length(line, mark) >= length
                        && line.len() == run_length(line, mark) =>
                {
                    fence = None;
                }
                (None, _) => {
                    if let Some(statement) = statement(text, at, fuel) {
                        names.take(text, &statement);
                        at = statement.end.max(end);
                        continue;
                    }
                }
                _ => {}
            }
            at = end;
        }
        names
    }

    fn take(&mut self, text: &'t str, statement: &Range<usize>) {
        let written = &text[statement.clone()];
        if let Some(import) = import(written) {
            for name in import.names {
                self.files.insert(name, import.source);
            }
            return;
        }
        let declared = written.trim_start_matches("export").trim_start();
        let Some(rest) = ["const ", "let ", "var "].iter().find_map(|word| declared.strip_prefix(word))
        else {
            return;
        };
        let Some((name, given)) = rest.split_once('=') else { return };
        let name = name.split(':').next().unwrap_or_default().trim();
        let start = statement.end - given.len();
        let given = given.trim_end().trim_end_matches(';');
        self.constants.insert(name, value(text, start..start + given.len()));
    }

    /// The file that is imported under a name.
    pub(super) fn file(&self, name: &str) -> Option<&'t str> {
        self.files.get(name).copied()
    }
}

struct Import<'t> {
    names: Vec<&'t str>,
    source: &'t str,
}

/// What an import brings.
fn import(written: &str) -> Option<Import<'_>> {
    let rest = written.strip_prefix("import")?.trim_end().trim_end_matches(';').trim_end();
    let quote = rest.chars().next_back().filter(|quote| matches!(quote, '"' | '\''))?;
    let open = rest[..rest.len() - 1].rfind(quote)?;
    let source = &rest[open + 1..rest.len() - 1];
    let names = rest[..open].trim().trim_end_matches("from").split([',', '{', '}', '\n']);
    let name = |written: &'_ str| -> usize { written.rfind(" as ").map_or(0, |at| at + 4) };
    let names = names.map(|written| written[name(written)..].trim()).filter(|name| !name.is_empty());
    Some(Import { names: names.collect(), source })
}

/// The import or export at the beginning of a line.
fn statement(text: &str, at: usize, fuel: &mut Fuel) -> Option<Range<usize>> {
    let rest = &text[at..];
    let after = rest.strip_prefix("import").or_else(|| rest.strip_prefix("export"))?;
    if !after.starts_with([' ', '{', '"', '\'', '*', '\t']) {
        return None;
    }
    match rest.starts_with("import") {
        true => import_end(text, at, fuel),
        false => export_end(text, at, fuel),
    }
    .map(|end| at..end)
}

/// The end of an import: names, perhaps in braces over several lines, and a text in quotes that ends its line.
fn import_end(text: &str, at: usize, fuel: &mut Fuel) -> Option<usize> {
    let mut end = at + "import".len();
    let line = |at: usize| text[at..].lines().next().unwrap_or_default();
    let brace = line(end).find(['{', '"', '\'']).filter(|brace| line(end)[*brace..].starts_with('{'));
    if let Some(brace) = brace {
        end = balanced(text, end + brace, fuel)?;
    }
    let rest = line(end).trim_end().trim_end_matches(';').trim_end();
    let trimmed = rest.trim_start();
    let quoted = match trimmed.find(['"', '\'']) {
        Some(0) => trimmed,
        Some(open) => {
            let before = trimmed[..open].trim_end();
            (before == "from" || before.ends_with(" from")).then_some(&trimmed[open..])?
        }
        None => return None,
    };
    let quote = quoted.chars().next()?;
    let close = quoted[1..].find(quote)? + 2;
    // What follows on the line makes it a sentence.
    let after = quoted[close..].trim();
    (after.is_empty() || after.starts_with("//")).then_some(end + line(end).len())
}

/// The end of an export: where its brackets are closed at the end of a line.
fn export_end(text: &str, at: usize, fuel: &mut Fuel) -> Option<usize> {
    let declared = text[at + "export".len()..].trim_start_matches([' ', '\t']);
    let words = ["const ", "let ", "var ", "function ", "default ", "class ", "async ", "{", "*"];
    if !words.iter().any(|word| declared.starts_with(word)) {
        return None;
    }
    let first = text[at..].lines().next().unwrap_or_default();
    if !first.contains(['=', '(', '{', '*', ';']) && !declared.starts_with("default ") {
        return None;
    }
    let mut end = at;
    while end < text.len() {
        let rest = &text.as_bytes()[end..];
        let Some(next) = rest.iter().position(|byte| matches!(byte, b'\n' | b'{' | b'(' | b'[' | b'`'))
        else {
            return Some(text.len());
        };
        end += next;
        if text.as_bytes()[end] != b'\n' {
            end = balanced(text, end, fuel)?;
            continue;
        }
        let written = text[at..end].trim_end();
        let next = text[end + 1..].lines().next().unwrap_or_default();
        let goes_on =
            written.ends_with(['=', ',', '(', '>', '+', '&', '|', '?', ':']) && !next.trim().is_empty();
        let ends = !goes_on
            && (written.ends_with([';', '}'])
                || next.trim().is_empty()
                || next.starts_with("import ")
                || next.starts_with("export "));
        if ends {
            return Some(end);
        }
        end += 1;
    }
    Some(text.len())
}

impl Translator<'_, '_> {
    /// Leaves out the import or export that begins this line.
    pub(super) fn statement(&mut self) -> bool {
        let Some(statement) = statement(self.text, self.at, &mut self.fuel) else { return false };
        if let Some(import) = import(&self.text[statement.clone()])
            && let Some(kind) = inclusion(import.source)
        {
            self.part(import.source, kind, statement.clone());
        }
        self.has_marks = false;
        self.out.shown = false;
        self.remove(statement.end);
        self.at += self.rest_of_line(self.at).len();
        if self.rest().starts_with('\r') {
            self.at += 1;
        }
        self.end_of_line();
        true
    }
}

/// Which kind of file an import is of that has text for pages.
fn inclusion(source: &str) -> Option<InclusionKind> {
    if source.ends_with("?raw") || source.contains("raw-loader!") {
        Some(InclusionKind::Code)
    } else if source.ends_with(".md") || source.ends_with(".mdx") {
        Some(InclusionKind::Markdown)
    } else {
        None
    }
}

/// Translates what is at a sign of MDX.
pub(super) fn place(it: &mut Translator<'_, '_>, byte: u8) -> bool {
    match byte {
        b'{' => expression(it),
        b'<' => tag(it),
        _ => false,
    }
}

/// Translates a component in a page of Vue; elements of HTML stay as they are.
pub(super) fn vue_tag(it: &mut Translator<'_, '_>) -> bool {
    if let Some((name, end)) = tag::closing(it.text, it.at).filter(|(name, _)| is_component(name)) {
        close(it, name, end);
        return true;
    }
    let is_component = it.rest()[1..].starts_with(|c: char| c.is_ascii_uppercase());
    let tag = if is_component { tag::opening(it.text, it.at, &mut it.fuel) } else { None };
    if let Some(tag) = &tag {
        component::open(it, tag);
    }
    tag.is_some()
}

fn tag(it: &mut Translator<'_, '_>) -> bool {
    let rest = it.rest();
    if rest.starts_with("<>") {
        it.remove(it.at + 2);
        return true;
    }
    if rest.starts_with("</>") {
        it.remove(it.at + 3);
        return true;
    }
    if let Some((name, end)) = tag::closing(it.text, it.at) {
        if is_component(name)
            || it.blocks.iter().rev().take(8).any(|block| block.kind == super::BlockKind::Named(name))
        {
            close(it, name, end);
        } else {
            element::end(it, name, end);
        }
        return true;
    }
    if quoted_tag(it) {
        return true;
    }
    let Some(tag) = tag::opening(it.text, it.at, &mut it.fuel) else { return false };
    if tag.name == "head" {
        // Docusaurus puts it into the page's head.
        component::nothing(it, &tag);
    } else if is_component(tag.name) {
        component::open(it, &tag);
    } else {
        element::start(it, &tag);
    }
    true
}

/// Writes an element's tag that goes on over lines of a quote as one line: their `>` is no end of the tag, and a line with
/// its end alone would be another quote.
fn quoted_tag(it: &mut Translator<'_, '_>) -> bool {
    /// Lines of the longest tag.
    const MOST: usize = 24;
    let first = it.rest_of_line(it.at);
    if !it.lead.contains('>') || first.contains('>') {
        return false;
    }
    let mut joined = first.trim_end().to_string();
    let mut at = it.line_end(it.at);
    for _ in 0..MOST {
        let line = it.rest_of_line(at);
        let Some(inner) = line.trim_start().strip_prefix('>') else { return false };
        joined.extend([" ", inner.trim()]);
        let end = at + line.len();
        let tag = tag::opening(&joined, 0, &mut it.fuel).filter(|tag| tag.span.end == joined.len());
        if let Some(tag) = tag {
            let is_html = !is_component(tag.name) && tag.attributes.iter().all(|it| !it.is_expression);
            if is_html {
                it.put(&joined, end);
            }
            return is_html;
        }
        at = it.line_end(at);
    }
    false
}

/// Whether a name is one of a component and not of HTML.
fn is_component(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase()) || name.contains('.')
}

/// Translates `{…}`: a text is its text, a comment one of HTML, the id of a heading stays.
fn expression(it: &mut Translator<'_, '_>) -> bool {
    let rest = it.rest();
    if rest.starts_with("{/*") {
        return comment(it);
    }
    if rest.starts_with("{#")
        && let Some(end) = it.find_in_line(it.at, "}")
    {
        it.copy_to(end + 1);
        return true;
    }
    let Some(end) = balanced(it.text, it.at, &mut it.fuel) else { return false };
    let inside = it.at + 1..end - 1;
    let written = it.text[inside.clone()].trim();
    if written.starts_with('<') && written.ends_with('>') {
        // Tags in braces are as good as without.
        it.remove(it.at + 1);
        it.braces.push(inside.end);
        return true;
    }
    match value(it.text, inside.clone()) {
        Value::Text(text, place) => literal(it, &text, place, end),
        Value::Name(name) => match constant(it, name) {
            Some(text) => {
                let shown = escaped(&text);
                it.put(&shown, end);
            }
            None => left_out(it, inside, end),
        },
        _ if it.text[inside.clone()].trim().is_empty() => it.remove(end),
        _ => left_out(it, inside, end),
    }
    true
}

fn left_out(it: &mut Translator<'_, '_>, inside: Range<usize>, end: usize) {
    let written = it.text[inside].trim();
    let name: String = written.split(['\n', '\r']).next().unwrap_or_default().chars().take(40).collect();
    it.leave_out("jsx-expression", &name, end);
}

fn literal(it: &mut Translator<'_, '_>, text: &str, place: Range<usize>, end: usize) {
    if it.text[place.clone()] == *text && !text.contains(NOT_LITERAL) {
        it.at = place.start;
        it.copy_to(place.end);
        it.at = end;
        if text.trim().is_empty() {
            it.has_removed = true;
        }
    } else {
        let shown = escaped(text);
        it.put(&shown, end);
    }
}

/// What would not be shown as it is.
const NOT_LITERAL: [char; 11] = ['<', '>', '&', '*', '_', '`', '[', ']', '\\', '{', '\n'];

/// A text that is shown as it is, in Markdown and in HTML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push(' '),
            c if NOT_LITERAL.contains(&c) => out.extend(["&#", &u32::from(c).to_string(), ";"]),
            c => out.push(c),
        }
    }
    out
}

/// The text that a name stands for.
fn constant(it: &Translator<'_, '_>, name: &str) -> Option<String> {
    let argument = name.strip_prefix("props.").and_then(|name| it.arguments.get(name));
    let constant = || it.names.constants.get(name)?.text().map(str::to_string);
    argument.cloned().or_else(constant)
}

/// `{/* … */}` is a comment of HTML, or the id of a heading.
fn comment(it: &mut Translator<'_, '_>) -> bool {
    let Some(close) = it.fuel.find(it.text, it.at + 3, "*/") else { return false };
    let end = close + 2 + it.text[close + 2..].bytes().take_while(u8::is_ascii_whitespace).count();
    if !it.text[end..].starts_with('}') {
        // A comment and something else.
        let Some(end) = balanced(it.text, it.at, &mut it.fuel) else { return false };
        it.leave_out("jsx-expression", "", end);
        return true;
    }
    let end = end + 1;
    let inside = it.text[it.at + 3..close].trim();
    if inside.starts_with('#') && !inside.contains(char::is_whitespace) {
        it.put(&format!("{{{inside}}}"), end);
        return true;
    }
    let is_alone = !it.out.shown && it.rest_of_line(end).trim().is_empty();
    if !is_alone && !it.out.shown
        || inside.contains("--")
        || inside.starts_with('>')
        || inside.contains("\n\n")
    {
        it.remove(end);
        return true;
    }
    let (start, inside) = (it.at, it.at + 3..close);
    it.out.put("<!--", start..start + 3);
    it.out.copy(it.text, inside);
    it.out.put("-->", close..end);
    it.at = end;
    true
}

/// A target or source as it is written for readers: what goes before it, and what is copied.
struct Address {
    before: &'static str,
    text: String,
    /// Where the text is, if it is written as it is.
    place: Option<Range<usize>>,
}

/// The address that a value stands for.
fn address<'t>(it: &Translator<'t, '_>, given: &Value<'t>) -> Option<Address> {
    let of = |before, text: &str, place| Address { before, text: text.to_string(), place };
    match given {
        Value::Text(text, place) => {
            let is_same = it.text.get(place.clone()) == Some(&**text);
            Some(of("", text, is_same.then(|| place.clone())))
        }
        Value::Call("useBaseUrl" | "withBaseUrl", arguments) => {
            let inner = address(it, arguments.first()?)?;
            let is_whole = inner.text.starts_with('/') || inner.text.contains("://");
            Some(Address { before: if is_whole { "" } else { "/" }, ..inner })
        }
        Value::Call("require", arguments) => address(it, arguments.first()?),
        Value::Name(name) => {
            let name = name.strip_suffix(".default").or_else(|| name.strip_suffix(".src")).unwrap_or(name);
            if let Some(file) = it.names.file(name) {
                return Some(of("", file.split('?').next().unwrap_or(file), None));
            }
            if let Some(argument) = name.strip_prefix("props.").and_then(|name| it.arguments.get(name)) {
                return Some(of("", argument, None));
            }
            match it.names.constants.get(name)? {
                Value::Name(_) => None,
                constant => {
                    let found = address(it, &constant.clone())?;
                    Some(Address { place: None, ..found })
                }
            }
        }
        Value::Object(_) => address(it, given.get(&["light", "src", "default", "srcLight"])?),
        _ => None,
    }
}

/// Writes an address, with the place of what is copied.
fn put_address(it: &mut Translator<'_, '_>, address: &Address, around: &Range<usize>) {
    match &address.place {
        Some(place) => {
            it.out.put(address.before, around.start..place.start);
            it.out.copy(it.text, place.clone());
        }
        None => {
            let whole = format!("{}{}", address.before, super::directives::attribute(&address.text));
            it.out.put(&whole, around.clone());
        }
    }
}

/// Notes that a file is not there. What a bundler or a package has under the name is not known.
fn missing(it: &mut Translator<'_, '_>, file: &str, end: usize) {
    let span = it.at..end;
    let path = file.rsplit('!').next().unwrap_or(file);
    let is_path =
        path.starts_with(['.', '/']) || ["@site/", "@/", "~/"].iter().any(|it| path.starts_with(it));
    it.note("mdx-import", file, if is_path { Why::Missing } else { Why::Unknown }, span);
}
