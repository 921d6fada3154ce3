//! Code in components: imported from files, or written as text.

use stepkin_highlight::Language;

use super::address::missing;
use super::names::inclusion;
use crate::markdown::lines::run_length;
use crate::markdown::syntax::notes::InclusionKind;
use crate::markdown::syntax::script::{ScriptValue, balanced, value};
use crate::markdown::syntax::tag::{self, Tag, attribute_text};
use crate::markdown::syntax::translator::Translator;

/// A piece of code.
#[derive(Debug, Default)]
struct Piece {
    language: String,
    title: Option<String>,
    code: String,
}

/// Attributes of components with code, languages and titles.
const CODE: [&str; 7] = ["content", "code", "source", "snippet", "children", "value", "raw"];
const LANGUAGE: [&str; 5] = ["language", "lang", "type", "syntax", "className"];
const TITLE: [&str; 5] = ["name", "title", "label", "fileName", "filename"];

/// The code in a component's attributes.
#[derive(Debug, Default)]
struct AttributeCode {
    pieces: Vec<Piece>,
    missing: Vec<String>,
}

/// Writes the code in a component's attributes, if there is any.
pub(super) fn from_attributes(it: &mut Translator<'_, '_>, tag: &Tag<'_>) -> bool {
    let mut found = AttributeCode::default();
    for attribute in &tag.attributes {
        let Some(value) = &attribute.value else { continue };
        let is_code = CODE.contains(&attribute.name);
        let own = |keys: &[&str]| tag.text(keys).map(str::to_string);
        collect(
            it,
            value,
            (own(&LANGUAGE), own(&["title", "fileName", "filename"])),
            is_code && is_code_component(tag.name),
            &mut found,
        );
    }
    write(it, found, tag.span.end)
}

/// Whether texts in the attributes of a component are code.
fn is_code_component(name: &str) -> bool {
    name.contains("Code") || name == "Snippet" || name == "Highlight"
}

fn write(it: &mut Translator<'_, '_>, found: AttributeCode, end: usize) -> bool {
    let AttributeCode { pieces, missing: gone } = found;
    if pieces.is_empty() && gone.is_empty() {
        return false;
    }
    for file in &gone {
        missing(it, file, end);
    }
    match &pieces[..] {
        [] => it.remove(end),
        [piece] => {
            let title = piece.title.clone().filter(|title| title.contains('.') || title.contains(' '));
            it.put_lines(&fenced(piece, title.as_deref()), end);
        }
        pieces => {
            let tabs: Vec<String> = pieces.iter().map(tab).collect();
            it.put_lines(&format!("<tabs>\n{}\n</tabs>", tabs.join("\n")), end);
        }
    }
    true
}

fn tab(piece: &Piece) -> String {
    let label = piece.title.as_deref().filter(|title| !title.is_empty()).unwrap_or(&piece.language);
    format!("<tab label=\"{}\">\n\n{}\n\n</tab>", attribute_text(label), fenced(piece, None))
}

fn fenced(piece: &Piece, title: Option<&str>) -> String {
    let code = piece.code.trim_end_matches(['\n', '\r']);
    let longest = code.lines().map(|line| run_length(line.trim_start(), b'`')).max().unwrap_or(0);
    let marks = "`".repeat(longest.max(2) + 1);
    let title = title.map(|title| format!(" title=\"{}\"", title.replace('"', "'"))).unwrap_or_default();
    format!("{marks}{}{title}\n{code}\n{marks}", piece.language)
}

type FenceAttribute = (Option<String>, Option<String>);

fn collect(
    it: &mut Translator<'_, '_>,
    value: &ScriptValue<'_>,
    (language, title): FenceAttribute,
    is_code: bool,
    found: &mut AttributeCode,
) {
    match value {
        ScriptValue::Name(name) => {
            let Some(file) = it.mdx.names.file(name) else { return };
            if inclusion(file) != Some(InclusionKind::Code) {
                return;
            }
            match it.part(file, InclusionKind::Code, it.lines.at..it.lines.at) {
                Some(code) => found.pieces.push(Piece {
                    language: language_of(language.as_deref(), file),
                    title,
                    code: code.to_string(),
                }),
                None => found.missing.push(file.to_string()),
            }
        }
        ScriptValue::Text(text, _) if is_code => found.pieces.push(Piece {
            language: language_of(language.as_deref(), ""),
            title,
            code: text.to_string(),
        }),
        ScriptValue::List(items) => {
            for item in items {
                collect(it, item, (language.clone(), title.clone()), false, found);
            }
        }
        ScriptValue::Object(_) => {
            let Some(code) = value.get(&CODE) else { return };
            let said = |keys: &[&str]| value.get(keys).and_then(ScriptValue::text).map(str::to_string);
            let is_text = said(&LANGUAGE).is_some() && value.get(&["content", "code"]).is_some();
            collect(it, code, (said(&LANGUAGE).or(language), said(&TITLE).or(title)), is_text, found);
        }
        _ => {}
    }
}

/// Returns the language for a code block: the given one if it is a language, or else the one of the file's extension.
fn language_of(said: Option<&str>, file: &str) -> String {
    let said = said.map(|said| said.trim().trim_start_matches("language-").to_ascii_lowercase());
    let is_known = |word: &&str| !word.is_empty() && stepkin_highlight::language(word) != Language::Unknown;
    if let Some(said) = said.as_deref().filter(is_known) {
        return said.to_string();
    }
    let file = file.split('?').next().unwrap_or_default().trim_end_matches(".txt");
    let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
    let by_file = match extension.as_str() {
        "kt" | "kts" => "kotlin",
        "m" | "h" => "objectivec",
        "gradle" => "groovy",
        "plist" => "xml",
        other => other,
    };
    if is_known(&by_file) { by_file.to_string() } else { "text".to_string() }
}

/// Writes the code between the tags of a component if it is one expression: `<CodeBlock>{imported}</CodeBlock>`.
pub(super) fn from_children(it: &mut Translator<'_, '_>, tag: &Tag<'_>) -> bool {
    let after = &it.lines.text[tag.span.end..];
    let start = tag.span.end + after.len() - after.trim_start().len();
    if !it.lines.text[start..].starts_with('{') || tag.closes_itself {
        return false;
    }
    let Some(close) = balanced(it.lines.text, start, &mut it.fuel) else { return false };
    let rest = it.lines.text[close..].trim_start();
    let end = it.lines.text.len() - rest.len();
    let Some((name, end)) = tag::closing(it.lines.text, end) else { return false };
    if name != tag.name {
        return false;
    }
    let value = value(it.lines.text, start + 1..close - 1);
    let own = |keys: &[&str]| tag.text(keys).map(str::to_string);
    let mut found = AttributeCode::default();
    let said = (own(&LANGUAGE), own(&["title", "fileName", "filename"]));
    collect(it, &value, said, is_code_component(tag.name), &mut found);
    write(it, found, end)
}
