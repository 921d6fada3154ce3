//! Values in the configuration files of generators.
//!
//! Programs aren't run. In JavaScript, only literal values are read, and names are resolved to their definitions.
//! Computed values are ignored.

use std::ops::Range;
use std::sync::Arc;

use saphyr_parser::{Event, Parser};
use serde_json::{Map, Value};

use super::targets::{SettingSlip, SlipKind};
use super::{FileTree, TranslationFolder};
use base::hash::HashMap;
use base::sort::StableSort as _;
use base::sorted::SortedSet;

/// Normalizes a path from a configuration: without `./`, and without a slash at either end.
pub(super) fn folder(path: &str) -> String {
    let parts = path.split('/').filter(|part| !matches!(*part, "" | "."));
    parts.collect::<Vec<_>>().join("/")
}

/// Returns a base path without its first slash: `docs/` for `/docs` and `/docs/`, and an empty text for `/`.
fn path_of(base: &str) -> String {
    match folder(base) {
        path if path.is_empty() => path,
        path => format!("{path}/"),
    }
}

/// Returns the site's absolute URL, or its path if the host is unknown.
pub(super) fn base_url(host: Option<String>, base: &str) -> String {
    let host = host.filter(|host| host.starts_with("http")).unwrap_or_default();
    format!("{}/{}", host.trim_end_matches('/'), path_of(base))
}

/// Returns the folders of other languages in a folder, relative to the root.
pub(super) fn language_folders(
    tree: &dyn FileTree,
    parent: &str,
    languages: &[String],
) -> Vec<TranslationFolder> {
    let of = |language: &String| TranslationFolder {
        path: folder(&format!("{parent}/{language}")),
        original: String::new(),
        language: language.clone(),
    };
    languages.iter().map(of).filter(|it| tree.is_folder(&it.path)).collect()
}

/// Reads the templates and components in a folder, which may link to pages. Reading them records them as files on
/// which the site depends.
pub(super) fn look_through(tree: &dyn FileTree, folder: &str) {
    const ENDINGS: &[&str] = &[
        "js", "jsx", "ts", "tsx", "mjs", "mts", "vue", "astro", "svelte", "html", "md", "mdx", "json", "yml",
        "yaml",
    ];
    for file in tree.files(folder) {
        if file.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending)) {
            _ = tree.text(&format!("{folder}/{file}"));
        }
    }
}

/// Returns the literal IDs in the templates of a folder: `id="settings"`.
pub(super) fn ids_in(tree: &dyn FileTree, folder: &str) -> SortedSet<String> {
    let is_template = |file: &String| file.ends_with(".html") || file.ends_with(".htm");
    let texts = tree.files(folder).into_iter().filter(is_template);
    let texts = texts.filter_map(|file| tree.text(&format!("{folder}/{file}")));
    texts.flat_map(|text| ids(&text).map(str::to_string).collect::<Vec<_>>()).collect()
}

fn ids(template: &str) -> impl Iterator<Item = &str> {
    let attributes = template.match_indices("id=").filter_map(|(at, sign)| {
        let before = template[..at].chars().next_back()?;
        let value = &template[at + sign.len()..];
        let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        before.is_whitespace().then(|| value[1..].split(quote).next()).flatten()
    });
    attributes.filter(|id| !id.is_empty() && !id.contains(['{', '<', '$', ' ', '\n']))
}

/// Why data can't be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidData {
    /// `JSON`, `TOML` or `YAML`.
    pub format: &'static str,
    /// Position in the text, where the parser noticed it.
    pub at: usize,
    pub reason: String,
}

/// Returns the mistake in data that can't be parsed. `ending` is that of a file with it: `json`, `toml`, `yaml` or `yml`. Others have
/// none, nor has a text without content.
pub fn invalid_data(ending: &str, text: &str) -> Option<InvalidData> {
    if text.trim().is_empty() {
        return None;
    }
    let (format, at, reason) = match ending {
        "toml" => {
            let error = toml::from_str::<Value>(text).err()?;
            let at = error.span().map_or(0, |span| span.start);
            ("TOML", at, error.message().lines().next().unwrap_or_default().to_string())
        }
        "json" => {
            let error = serde_json::from_str::<Value>(text).err()?;
            let line: usize =
                text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
            let reason = error.to_string();
            let reason = reason.split(" at line ").next().unwrap_or_default().to_string();
            let at = line + error.column().saturating_sub(1);
            let value = text.get(at..).unwrap_or_default();
            let value = &value[..value.find(|c: char| !c.is_alphanumeric()).unwrap_or(value.len())];
            // `False` of Python.
            let is_name = reason == "expected value" && value.starts_with(char::is_alphabetic);
            ("JSON", at, if is_name { format!("`{value}` is no value") } else { reason })
        }
        "yml" | "yaml" => {
            let error = |text: &str| Parser::new_from_str(text).find_map(Result::err);
            // Positions are those of the file as it is.
            let found = error(text)?;
            error(&with_ends_in_line(text))?;
            let at = text.char_indices().nth(found.marker().index()).map_or(text.len(), |(at, _)| at);
            ("YAML", at, found.info().to_string())
        }
        _ => return None,
    };
    let at = (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    Some(InvalidData { format, at, reason })
}

/// A configuration in YAML, TOML or JSON.
#[derive(Clone, Debug, Default)]
pub(super) struct Values(Value);

impl Values {
    /// Parses a file. An invalid file gives no values.
    pub(super) fn of(name: &str, text: &str) -> Self {
        let value = match name.rsplit('.').next() {
            Some("toml") => toml::from_str(text).ok(),
            Some("json") => serde_json::from_str(text).ok(),
            _ => yaml(text).or_else(|| yaml(&with_ends_in_line(text))),
        };
        Self(value.unwrap_or_default())
    }

    /// Returns the mistake in a file that can't be parsed.
    pub(super) fn invalid(name: &str, text: &str) -> Option<SettingSlip> {
        let InvalidData { format, at, reason } = invalid_data(name.rsplit('.').next()?, text)?;
        Some(SettingSlip { kind: SlipKind::Invalid { format, reason }, span: at..at })
    }

    /// Returns the table under a key.
    pub(super) fn table(mut self, key: &str) -> Self {
        Self(self.0.get_mut(key).map(Value::take).unwrap_or_default())
    }

    /// Makes a table a list of tables with one key each. The keys of tables within `groups` are joined by dots.
    pub(super) fn listed(mut self, key: &str, groups: &[&str]) -> Self {
        fn collect(
            before: &str,
            table: serde_json::Map<String, Value>,
            groups: &[&str],
            list: &mut Vec<Value>,
        ) {
            for (name, value) in table {
                let name = format!("{before}{name}");
                match value {
                    Value::Object(inner) if groups.contains(&name.as_str()) => {
                        collect(&format!("{name}."), inner, groups, list);
                    }
                    value => list.push([(name, value)].into_iter().collect::<serde_json::Map<_, _>>().into()),
                }
            }
        }
        let table = self.0.get_mut(key).filter(|value| value.is_object()).map(Value::take);
        if let Some(Value::Object(table)) = table {
            let mut list = Vec::new();
            collect("", table, groups, &mut list);
            self.0[key] = list.into();
        }
        self
    }

    /// Parses the front matter of a page.
    pub(super) fn of_page(text: &str) -> Self {
        let front = text.strip_prefix("---").and_then(|rest| Some(rest.split_once("\n---")?.0));
        Self::of("front.yml", front.unwrap_or_default())
    }

    /// Returns the text, number or boolean at a path of keys joined by dots.
    pub(super) fn value(&self, path: &str) -> Option<String> {
        match self.at(path)? {
            Value::String(text) => Some(text.clone()).filter(|text| !text.is_empty()),
            value @ (Value::Number(_) | Value::Bool(_)) => Some(value.to_string()),
            _ => None,
        }
    }

    /// Returns the texts, numbers and booleans of a table and its nested tables, by their keys joined by dots.
    pub(super) fn scalars(&self, path: &str) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let mut open = vec![(String::new(), self.at(path).unwrap_or(&Value::Null))];
        while let Some((name, value)) = open.pop() {
            match value {
                Value::Object(table) => open.extend(table.iter().map(|(key, value)| {
                    (if name.is_empty() { key.clone() } else { format!("{name}.{key}") }, value)
                })),
                Value::String(text) => found.push((name, text.clone())),
                Value::Number(_) | Value::Bool(_) => found.push((name, value.to_string())),
                Value::Array(_) | Value::Null => {}
            }
        }
        found
    }

    /// Returns the texts that a template shows for each key of the tables, by their keys joined by dots. The elements of a list follow
    /// each other.
    pub(super) fn shown(&self) -> Vec<(String, String)> {
        fn shown(value: &Value) -> String {
            match value {
                Value::String(text) => text.clone(),
                Value::Number(_) | Value::Bool(_) => value.to_string(),
                Value::Array(list) => list.iter().map(shown).collect(),
                Value::Object(_) | Value::Null => String::new(),
            }
        }
        let is_table = |value: &Value| value.as_object().is_some_and(|table| !table.is_empty());
        let mut found = Vec::new();
        let mut open = vec![(String::new(), &self.0)];
        while let Some((name, value)) = open.pop() {
            for (key, value) in value.as_object().into_iter().flatten() {
                let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                if is_table(value) {
                    open.push((name, value));
                } else {
                    found.push((name, shown(value)));
                }
            }
        }
        found
    }

    /// Returns the keys of a table, or the texts of a list.
    pub(super) fn keys(&self, path: &str) -> Vec<String> {
        match self.at(path) {
            Some(Value::Object(table)) => table.keys().cloned().collect(),
            Some(Value::Array(list)) => {
                list.iter().filter_map(|it| it.as_str().map(str::to_string)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the list at a path of keys.
    pub(super) fn list_at(&self, path: &str) -> Option<&[Value]> {
        self.at(path)?.as_array().map(Vec::as_slice)
    }

    /// Returns the keys of a table. For a list, returns its texts and the keys of its tables.
    pub(super) fn names(&self, path: &str) -> Vec<String> {
        let mut names = self.keys(path);
        let tables = self.list_at(path).unwrap_or_default().iter().filter_map(Value::as_object);
        names.extend(tables.flat_map(|table| table.keys().cloned()));
        names
    }

    /// Returns every text under a path of keys, at any depth, in the order of the file.
    pub(super) fn texts(&self, path: &str) -> Vec<String> {
        fn collect(value: &Value, texts: &mut Vec<String>) {
            match value {
                Value::String(text) => texts.push(text.clone()),
                Value::Array(list) => list.iter().for_each(|value| collect(value, texts)),
                Value::Object(table) => table.values().for_each(|value| collect(value, texts)),
                _ => {}
            }
        }
        let mut texts = Vec::new();
        self.at(path).into_iter().for_each(|value| collect(value, &mut texts));
        texts
    }

    /// Returns every text under a key with this name, at any depth under a path of keys.
    pub(super) fn texts_below(&self, path: &str, key: &str) -> Vec<String> {
        fn look(value: &Value, key: &str, found: &mut Vec<String>) {
            match value {
                Value::Array(list) => list.iter().for_each(|value| look(value, key, found)),
                Value::Object(table) => {
                    for (name, value) in table {
                        if name == key {
                            found.extend(Values(value.clone()).texts(""));
                        } else {
                            look(value, key, found);
                        }
                    }
                }
                _ => {}
            }
        }
        let mut found = Vec::new();
        self.at(path).into_iter().for_each(|value| look(value, key, &mut found));
        found
    }

    pub(super) fn all_keys(&self) -> Vec<String> {
        self.0.as_object().map(|table| table.keys().cloned().collect()).unwrap_or_default()
    }

    pub(super) fn has_list(&self, path: &str) -> bool {
        self.at(path).is_some_and(Value::is_array)
    }

    pub(super) fn at(&self, path: &str) -> Option<&Value> {
        path.split('.').filter(|key| !key.is_empty()).try_fold(&self.0, |value, key| value.get(key))
    }
}

/// A text in a data file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlacedText {
    /// Keys of the enclosing tables, from the outermost. Empty for a list.
    pub(super) keys: Vec<String>,
    pub(super) text: String,
    /// Range in the file, without quotes.
    pub(super) span: Range<usize>,
}

impl PlacedText {
    /// Returns the innermost key, outside of the lists in it.
    pub(super) fn key(&self) -> &str {
        self.keys.iter().rfind(|key| !key.is_empty()).map_or("", String::as_str)
    }
}

/// Returns the texts of a YAML, JSON or TOML file with their ranges, as far as it can be parsed.
pub(super) fn placed_texts(name: &str, text: &str) -> Vec<PlacedText> {
    let mut found = Vec::new();
    if name.ends_with(".toml") {
        if let Ok(table) = toml::de::DeTable::parse(text) {
            placed_in_toml(table.get_ref(), &mut Vec::new(), &mut found);
        }
    } else {
        placed_in_yaml(text, &mut found);
    }
    found
}

fn placed_in_toml(table: &toml::de::DeTable<'_>, keys: &mut Vec<String>, found: &mut Vec<PlacedText>) {
    for (key, value) in table {
        keys.push(key.get_ref().to_string());
        placed_in_value(value, keys, found);
        keys.pop();
    }
}

fn placed_in_value(
    value: &toml::Spanned<toml::de::DeValue<'_>>,
    keys: &mut Vec<String>,
    found: &mut Vec<PlacedText>,
) {
    match value.get_ref() {
        toml::de::DeValue::String(text) => {
            let span = value.span().start + 1..value.span().end - 1;
            found.push(PlacedText { keys: keys.clone(), text: text.to_string(), span });
        }
        toml::de::DeValue::Array(values) => {
            keys.push(String::new());
            values.iter().for_each(|value| placed_in_value(value, keys, found));
            keys.pop();
        }
        toml::de::DeValue::Table(table) => placed_in_toml(table, keys, found),
        _ => {}
    }
}

fn placed_in_yaml(text: &str, found: &mut Vec<PlacedText>) {
    /// Maximum nesting.
    const DEEPEST: usize = 64;
    // The parser counts characters.
    let offsets: Vec<usize> =
        if text.is_ascii() { Vec::new() } else { text.char_indices().map(|(at, _)| at).collect() };
    let byte = |index: usize| {
        if text.is_ascii() {
            index.min(text.len())
        } else {
            offsets.get(index).copied().unwrap_or(text.len())
        }
    };
    // For each open level, whether it is a table, and its key.
    let mut open: Vec<(bool, Option<String>)> = Vec::new();
    for event in Parser::new_from_str(text) {
        let Ok((event, span)) = event else { return };
        let is_deepest = open.len() >= DEEPEST;
        let is_value = match (&event, open.last_mut()) {
            (Event::Scalar(key, ..), Some((true, wanted @ None))) => {
                *wanted = Some(key.to_string());
                false
            }
            (Event::Scalar(..) | Event::Alias(_), _) => true,
            (Event::MappingStart(..) | Event::SequenceStart(..), _) if is_deepest => return,
            (Event::MappingStart(..), _) => {
                open.push((true, None));
                false
            }
            (Event::SequenceStart(..), _) => {
                open.push((false, None));
                false
            }
            (Event::MappingEnd | Event::SequenceEnd, _) => {
                open.pop();
                true
            }
            _ => false,
        };
        if let (Event::Scalar(value, ..), true) = (&event, is_value) {
            let written = byte(span.start.index())..byte(span.end.index());
            let inner = text.get(written.clone()).unwrap_or_default();
            let quoted = usize::from(inner.starts_with(['"', '\'']));
            let end = written.start + inner.trim_end().len();
            let span = written.start + quoted..end.saturating_sub(quoted).max(written.start + quoted);
            let keys = open.iter().map(|(_, key)| key.clone().unwrap_or_default()).collect();
            found.push(PlacedText { keys, text: value.to_string(), span });
        }
        if let (true, Some((true, key))) = (is_value, open.last_mut()) {
            *key = None;
        }
    }
}

/// Moves brackets that begin a line to the end of the line before it. YAML's specification doesn't allow them at the column of
/// the key, but Python's parser does.
fn with_ends_in_line(text: &str) -> String {
    let mut joined = String::new();
    for line in text.split_inclusive('\n') {
        let has_comment = joined.rsplit('\n').nth(1).is_some_and(|before| before.contains('#'));
        if line.trim_start().starts_with([']', '}']) && joined.ends_with('\n') && !has_comment {
            joined.pop();
            joined.push(' ');
        }
        joined.push_str(line);
    }
    joined
}

/// Converts YAML lists and tables, with texts for all other values. Tags are ignored because generators define their
/// own.
fn yaml(text: &str) -> Option<Value> {
    /// Maximum nesting.
    const DEEPEST: usize = 64;
    let mut open: Vec<(Value, Option<String>)> = Vec::new();
    for event in Parser::new_from_str(text) {
        let value = match event.ok()?.0 {
            Event::Scalar(text, ..) => match open.last_mut() {
                Some((Value::Object(_), key @ None)) => {
                    *key = Some(text.into_owned());
                    continue;
                }
                _ => Value::String(text.into_owned()),
            },
            Event::Alias(_) => Value::Null,
            Event::MappingStart(..) if open.len() < DEEPEST => {
                open.push((Value::Object(Map::new()), None));
                continue;
            }
            Event::SequenceStart(..) if open.len() < DEEPEST => {
                open.push((Value::Array(Vec::new()), None));
                continue;
            }
            Event::MappingEnd | Event::SequenceEnd => open.pop()?.0,
            Event::MappingStart(..) | Event::SequenceStart(..) => return None,
            _ => continue,
        };
        match open.last_mut() {
            None => return Some(value),
            Some((Value::Object(table), key)) => {
                if let Some(key) = key.take() {
                    table.insert(key, value);
                }
            }
            Some((Value::Array(list), _)) => list.push(value),
            Some(_) => {}
        }
    }
    None
}

/// A JavaScript or TypeScript configuration, or one of its tables.
#[derive(Clone, Debug)]
pub(super) struct JsValues {
    /// The complete file, with spaces in place of comments.
    text: Arc<str>,
    /// The range of this table.
    part: Range<usize>,
}

/// A `key:` in a table.
#[derive(Debug)]
struct Entry {
    key: String,
    /// Number of enclosing brackets.
    depth: usize,
    /// Range of the value.
    value: Range<usize>,
    /// Position of the bracket that opens the enclosing table.
    table: usize,
}

impl JsValues {
    pub(super) fn of(text: &str) -> Self {
        let text: Arc<str> = without_comments(text).into();
        Self { part: 0..text.len(), text }
    }

    /// Returns the text value of a key in the outermost tables that contain it.
    pub(super) fn value(&self, key: &str) -> Option<String> {
        let mut entries: Vec<Entry> = self.entries().into_iter().filter(|entry| entry.key == key).collect();
        entries.stable_sort_by_key(|entry| entry.depth);
        entries.iter().find_map(|entry| self.evaluated(&self.text[entry.value.clone()], 0))
    }

    /// The same, except in tables of the keys `around`.
    pub(super) fn value_outside(&self, key: &str, around: &[&str]) -> Option<String> {
        let entries = self.entries();
        let within = |entry: &Entry| {
            entries
                .iter()
                .any(|it| around.contains(&it.key.as_str()) && it.value.contains(&entry.value.start))
        };
        let mut found: Vec<&Entry> =
            entries.iter().filter(|entry| entry.key == key && !within(entry)).collect();
        found.stable_sort_by_key(|entry| entry.depth);
        found.iter().find_map(|entry| self.evaluated(&self.text[entry.value.clone()], 0))
    }

    /// Returns every text value of a key, at any depth.
    pub(super) fn values<'a>(&'a self, key: &'a str) -> impl Iterator<Item = String> + 'a {
        let entries = self.entries().into_iter().filter(move |entry| entry.key == key);
        entries.filter_map(|entry| self.evaluated(&self.text[entry.value.clone()], 0))
    }

    /// Returns the tables of a key, at any depth.
    pub(super) fn tables<'a>(&'a self, key: &'a str) -> impl Iterator<Item = Self> + 'a {
        let entries = self.entries().into_iter().filter(move |entry| entry.key == key);
        let tables = entries.filter(|entry| self.text[entry.value.clone()].trim_start().starts_with('{'));
        tables.map(|entry| Self { text: self.text.clone(), part: entry.value })
    }

    /// Returns the values of two keys in each table that contains both, at any depth, with the code before the table.
    pub(super) fn pairs(&self, one: &str, other: &str) -> Vec<(String, String, &str)> {
        let entries = self.entries();
        let value = |entry: &Entry| self.evaluated(&self.text[entry.value.clone()], 0);
        let pair = |entry: &Entry| {
            let beside = entries.iter().find(|it| it.key == other && it.table == entry.table)?;
            Some((value(entry)?, value(beside)?, &self.text[..entry.table]))
        };
        entries.iter().filter(|entry| entry.key == one).filter_map(pair).collect()
    }

    /// Returns addresses with their targets and ranges from each table that contains both keys. The first key may
    /// list several addresses. Next's `basePath: false` means addresses outside the site.
    pub(super) fn redirects(&self, from: &str, to: &str) -> Vec<(String, Option<String>, Range<usize>)> {
        let entries = self.entries();
        let targets = entries.iter().filter(|entry| entry.key == to);
        let targets: HashMap<usize, &Entry> = targets.map(|entry| (entry.table, entry)).collect();
        let mut found = Vec::new();
        for entry in entries.iter().filter(|entry| entry.key == from) {
            let Some(target) = targets.get(&entry.table) else { continue };
            let written = &self.text[entry.value.clone()];
            let several = if written.trim_start().starts_with('[') {
                literals(written).map(str::to_string).collect()
            } else {
                Vec::from_iter(self.evaluated(written, 0))
            };
            let (to, span) = self.text_at(&target.value);
            let is_apart = entries.iter().any(|it| {
                it.table == entry.table
                    && it.key == "basePath"
                    && self.text[it.value.clone()].trim() == "false"
            });
            let to = to.filter(|_| !is_apart);
            found.extend(several.into_iter().map(|from| (from, to.clone(), span.clone())));
        }
        found
    }

    /// The same if this table's keys are the addresses. A value may be a table with a `destination`.
    pub(super) fn addresses(&self) -> Vec<(String, Option<String>, Range<usize>)> {
        self.addresses_where(|_| true)
    }

    /// The same for the table of a variable: `const name = {…}`.
    pub(super) fn addresses_in(&self, name: &str) -> Vec<(String, Option<String>, Range<usize>)> {
        self.addresses_where(|table| {
            let declaration = self.text[..table].trim_end().strip_suffix('=');
            let declaration = declaration.and_then(|it| it.rsplit([';', '\n']).next()).unwrap_or_default();
            declaration.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
        })
    }

    /// `is_wanted` gets the position of a table's bracket.
    fn addresses_where(
        &self,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Vec<(String, Option<String>, Range<usize>)> {
        let entries = self.entries();
        let target = |entry: &Entry| {
            let is_inside = |it: &&Entry| it.key == "destination" && entry.value.contains(&it.value.start);
            let target = entries.iter().find(is_inside).unwrap_or(entry);
            let (to, span) = self.text_at(&target.value);
            (entry.key.clone(), to, span)
        };
        let is_address = |it: &&Entry| it.key.starts_with('/') && is_wanted(it.table);
        entries.iter().filter(is_address).map(target).collect()
    }

    /// Returns the literal values of a key, with their ranges without quotes, in tables that also contain one of the
    /// keys in `beside`.
    pub(super) fn texts_beside(&self, key: &str, beside: &[&str]) -> Vec<(String, Range<usize>)> {
        let entries = self.entries();
        let tables: SortedSet<usize> =
            entries.iter().filter(|it| beside.contains(&it.key.as_str())).map(|it| it.table).collect();
        self.literals_in(entries.iter().filter(|it| it.key == key && tables.contains(&it.table)))
    }

    /// Returns the literal values of a key, with their ranges without quotes.
    pub(super) fn texts_of(&self, key: &str) -> Vec<(String, Range<usize>)> {
        self.literals_in(self.entries().iter().filter(|it| it.key == key))
    }

    fn literals_in<'e>(&self, entries: impl Iterator<Item = &'e Entry>) -> Vec<(String, Range<usize>)> {
        let literal = |it: &Entry| match self.text_at(&it.value) {
            (Some(text), span) if !text.contains("${") => Some((text, span)),
            _ => None,
        };
        entries.filter_map(literal).collect()
    }

    /// Returns the value if it is a literal, and its range without quotes.
    fn text_at(&self, value: &Range<usize>) -> (Option<String>, Range<usize>) {
        let written = &self.text[value.clone()];
        let start = value.start + written.len() - written.trim_start().len();
        let written = written.trim();
        let to = self.evaluated(written, 0).filter(|_| literal(written) == Some(written.len()));
        (to, start + 1..(start + written.len()).saturating_sub(1).max(start + 1))
    }

    /// Returns the keys of this table.
    pub(super) fn keys(&self) -> Vec<String> {
        let entries = self.entries();
        let first = entries.iter().map(|entry| entry.depth).min();
        entries.into_iter().filter(|entry| Some(entry.depth) == first).map(|entry| entry.key).collect()
    }

    /// Returns the places of all keys, without quotes.
    pub(super) fn key_places(&self) -> Vec<Range<usize>> {
        let place = |entry: &Entry| {
            let before = self.text[..entry.value.start].trim_end().strip_suffix(':')?.trim_end();
            let end = before.trim_end_matches(['"', '\'', '`']).len();
            let start = end.checked_sub(entry.key.len())?;
            (self.text.get(start..end) == Some(&*entry.key)).then_some(start..end)
        };
        self.entries().iter().filter_map(place).collect()
    }

    /// Returns the texts of a list.
    pub(super) fn list(&self, key: &str) -> Vec<String> {
        let entry = self.entries().into_iter().find(|entry| entry.key == key);
        let value = entry.map(|entry| self.text[entry.value].trim().to_string()).unwrap_or_default();
        if value.starts_with('[') { literals(&value).map(str::to_string).collect() } else { Vec::new() }
    }

    fn entries(&self) -> Vec<Entry> {
        let text = &self.text[self.part.clone()];
        let mut entries: Vec<Entry> = Vec::new();
        // Keys whose value isn't complete.
        let mut open: Vec<usize> = Vec::new();
        let (mut at, mut depth) = (0, 0_usize);
        // The open brackets: whether each is a table's, and its position.
        let mut is_table: Vec<(bool, usize)> = Vec::new();
        let end = |entries: &mut Vec<Entry>, open: &mut Vec<usize>, depth: usize, at: usize| {
            while open
                .pop_if(|last| entries[*last].depth >= depth)
                .map(|last| entries[last].value.end = at)
                .is_some()
            {}
        };
        while at < text.len() {
            let rest = &text[at..];
            let byte = rest.as_bytes()[0];
            let length = match byte {
                b'"' | b'\'' | b'`' => literal(rest).unwrap_or(1),
                _ if is_name_byte(byte) => {
                    rest.bytes().position(|byte| !is_name_byte(byte)).unwrap_or(rest.len())
                }
                _ => 0,
            };
            if length > 0 {
                let key = rest[..length].trim_matches(['"', '\'', '`']);
                let after = rest[length..].trim_start();
                let before = text[..at].trim_end();
                if after.starts_with(':') && !before.ends_with('?') {
                    let start = self.part.start + text.len() - after.len() + 1;
                    open.push(entries.len());
                    let table = is_table.last().map_or(0, |(_, at)| *at);
                    entries.push(Entry { key: key.to_string(), depth, value: start..start, table });
                } else if let Some(&(true, table)) = is_table.last()
                    && before.ends_with(['{', ','])
                    && after.starts_with([',', '}'])
                {
                    // A name alone is shorthand for a key with the value of the same name.
                    let start = self.part.start + at;
                    entries.push(Entry { key: key.to_string(), depth, value: start..start + length, table });
                }
                at += length;
                continue;
            }
            match byte {
                b'{' | b'[' | b'(' => {
                    is_table.push((byte == b'{', self.part.start + at));
                    depth += 1;
                }
                b'}' | b']' | b')' => {
                    end(&mut entries, &mut open, depth, self.part.start + at);
                    is_table.pop();
                    depth = depth.saturating_sub(1);
                }
                b',' | b';' => end(&mut entries, &mut open, depth, self.part.start + at),
                _ => {}
            }
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
        end(&mut entries, &mut open, 0, self.part.end);
        entries
    }

    /// Evaluates an expression that is a text, contains a fallback text, or is a name.
    fn evaluated(&self, expression: &str, followed: usize) -> Option<String> {
        /// Maximum number of names that are resolved in a row.
        const MOST_FOLLOWED: usize = 4;
        let expression = expression.trim().trim_end_matches(';').trim();
        if literal(expression) == Some(expression.len()) {
            let text = &expression[1..expression.len() - 1];
            return if expression.starts_with('`') {
                self.filled(text, followed)
            } else {
                Some(text.to_string())
            };
        }
        let is_known = expression.contains("||")
            || expression.contains("??")
            || expression.starts_with("require.resolve(")
            || expression.starts_with("path.");
        if is_known {
            return literals(expression).last().map(str::to_string);
        }
        let is_name = !expression.is_empty() && expression.bytes().all(is_name_byte);
        (is_name && followed < MOST_FOLLOWED).then(|| self.set(expression, followed + 1))?
    }

    /// Replaces each `${name}` in a template. Returns `None` if one of them isn't a text.
    fn filled(&self, template: &str, followed: usize) -> Option<String> {
        let mut pieces = template.split("${");
        let mut filled = pieces.next()?.to_string();
        for piece in pieces {
            let (name, rest) = piece.split_once('}')?;
            filled += &self.evaluated(name, followed)?;
            filled += rest;
        }
        Some(filled)
    }

    /// Returns the value that is assigned to a name.
    fn set(&self, name: &str, followed: usize) -> Option<String> {
        ["const", "let", "var"].into_iter().find_map(|keyword| {
            let at = self.text.find(&format!("{keyword} {name} "))?;
            let (_, value) = self.text[at..].split_once('=')?;
            self.evaluated(&value[..end_of_value(value)], followed)
        })
    }
}

/// Returns the end of a declaration's value: the end of its line, unless the expression continues on the next one.
fn end_of_value(value: &str) -> usize {
    let end = value.find(';').unwrap_or(value.len());
    let mut lines = value[..end].match_indices('\n').map(|(at, _)| at);
    let ends = |at: &usize| {
        let (before, after) = (value[..*at].trim_end(), value[*at..end].trim_start());
        !before.is_empty() && !before.ends_with(['|', '?', ':', '(']) && !after.starts_with(['|', '?', ':'])
    };
    lines.find(ends).unwrap_or(end)
}

pub(super) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

/// Returns the quoted texts in order.
pub(super) fn literals(text: &str) -> impl Iterator<Item = &str> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            at += text[at..].find(['"', '\'', '`'])?;
            let length = literal(&text[at..]);
            let start = at + 1;
            at += length.unwrap_or(1);
            if length.is_some() {
                return Some(&text[start..at - 1]);
            }
        }
    })
}

/// Returns the length in bytes of the quoted text at the start, with its quotes, or `None` if it doesn't end on its
/// line.
pub(super) fn literal(text: &str) -> Option<usize> {
    let quote = *text.as_bytes().first().filter(|byte| matches!(byte, b'"' | b'\'' | b'`'))?;
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'\n' if quote != b'`' => return None,
            _ if byte == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Replaces the comments of a program with spaces.
pub(super) fn without_comments(text: &str) -> String {
    let mut blank = String::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let length = match rest.as_bytes()[0] {
            b'"' | b'\'' | b'`' => {
                let length = literal(rest).unwrap_or(1);
                blank.push_str(&rest[..length]);
                at += length;
                continue;
            }
            b'/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            b'/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            _ => 0,
        };
        if length > 0 {
            // Ranges in it are those in the file.
            blank.extend(std::iter::repeat_n(' ', length));
            at += length;
        } else {
            let letter = rest.chars().next().unwrap_or(' ');
            blank.push(letter);
            at += letter.len_utf8();
        }
    }
    blank
}

#[cfg(test)]
mod tests {
    use super::*;

    const JS: &str = r#"
        import x from 'y'; // title: 'comment'
        const BASE = process.env.BASE || "/docs/";
        const config = {
            plugins: [{ title: 'inner', docs: { path: "deep" } }],
            title: "It's a site", /* url: 'no' */
            url: 'https://example.com',
            baseUrl: BASE,
            trailing: true ? a : 'b',
            'quoted-key': `template`,
            made: `${x}/y`,
            filled: `${BASE}a`,
            staticDirectories: ['static', "public"],
            presets: [['classic', { docs: { sidebarPath: require.resolve('./sidebars.js') } }]],
            i18n: { locales: { root: {}, 'pt-br': { label: 'x' } } },
        };
    "#;

    #[test]
    fn values_of_a_program_are_read_without_running_it() {
        let js = JsValues::of(JS);
        let value = |key: &str| js.value(key);
        assert_eq!(value("title").as_deref(), Some("It's a site"));
        assert_eq!(value("url").as_deref(), Some("https://example.com"));
        assert_eq!(
            JsValues::of("const a = b ?? '/x/'\nf({ c: { a: '/y/' }, a, d: ';' })").value("a").as_deref(),
            Some("/x/")
        );
        assert_eq!(JsValues::of("f({ c: { a: '/y/' } })").value_outside("a", &["c"]), None);
        assert_eq!(value("baseUrl").as_deref(), Some("/docs/"));
        assert_eq!(value("quoted-key").as_deref(), Some("template"));
        assert_eq!((value("made"), value("trailing"), value("none")), (None, None, None));
        assert_eq!(value("filled").as_deref(), Some("/docs/a"));
        assert_eq!(js.list("staticDirectories"), ["static", "public"]);
        let loop_text =
            "const sets = [{ id: 'a', path: 'docs/a', at: '/a' }, { path: 'docs/b', x: { at: 'no' } }];";
        let sets = JsValues::of(loop_text);
        assert_eq!(sets.pairs("path", "at"), [("docs/a".into(), "/a".into(), "const sets = [")]);
        let docs: Vec<_> =
            js.tables("docs").map(|docs| (docs.value("path"), docs.value("sidebarPath"))).collect();
        assert_eq!(docs, [(Some("deep".into()), None), (None, Some("./sidebars.js".into()))]);
        assert_eq!(
            js.tables("locales").next().map(|it| it.keys()),
            Some(vec!["root".into(), "pt-br".into()])
        );
    }

    #[test]
    fn a_damaged_program_has_no_values_and_ends() {
        for text in ["{ a: 'x", "}}}}a: 'b'", "a: a, const a = a", "`", "/*", "a:", "ä: 'ö', title: \"é\""]
        {
            _ = (JsValues::of(text).value("a"), JsValues::of(text).list("a"), JsValues::of(text).keys());
        }
        assert_eq!(JsValues::of("ä: 'ö', title: \"é\"").value("title").as_deref(), Some("é"));
        assert_eq!(JsValues::of("const a = a ;\n x: a").value("x"), None);
    }

    #[test]
    fn yaml_toml_and_json_are_one() {
        let yaml = "site_name: My 'docs'\ntheme:\n  language: de\nnav:\n  - Home: index.md\nmarkdown:\n  - x: !!python/name:a.b\n";
        let yaml = Values::of("mkdocs.yml", yaml);
        assert_eq!(yaml.value("site_name").as_deref(), Some("My 'docs'"));
        assert_eq!((yaml.value("theme.language").as_deref(), yaml.has_list("nav")), (Some("de"), true));
        let toml = Values::of("book.toml", "[book]\ntitle = 'T'\nmultilingual = false\n");
        assert_eq!((toml.value("book.title").as_deref(), toml.value("book.x")), (Some("T"), None));
        assert_eq!(Values::of("x.json", "{\"a\": {\"b\": 1}}").keys("a"), ["b"]);
        for text in ["a: [", "a: &x\nb: *x", "- - - -", "\0", "a:\n\tb: c"] {
            _ = Values::of("x.yml", text).value("a");
        }
        _ = Values::of("x.yml", &"[".repeat(10_000));
    }
}
