//! Front matter in TOML, between lines of `+++`: understood well enough to be written as YAML.

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::yaml::{Entries, Key, LARGEST, Node, Value};

/// The keys of a block, or nothing where it is no TOML. Byte ranges are of `toml`.
pub(super) fn read(toml: &str) -> Option<Entries> {
    let table = (toml.len() <= LARGEST).then(|| DeTable::parse(toml).ok())??;
    Some(entries(table.into_inner()))
}

fn entries(table: DeTable<'_>) -> Entries {
    let entry = |(key, value): (Spanned<toml::de::DeString<'_>>, Spanned<DeValue<'_>>)| {
        let span = key.span();
        (Key { name: key.into_inner().into_owned(), span }, node(value))
    };
    let mut entries: Entries = table.into_iter().map(entry).collect();
    entries.sort_by_key(|(key, _)| key.span.start);
    entries
}

fn node(value: Spanned<DeValue<'_>>) -> Node {
    let span = value.span();
    let value = match value.into_inner() {
        DeValue::String(text) => Value::Text(text.into_owned()),
        DeValue::Integer(number) => {
            let whole = i64::from_str_radix(number.as_str(), number.radix());
            Value::Plain(whole.map_or_else(|_| number.as_str().to_string(), |whole| whole.to_string()))
        }
        DeValue::Float(number) => Value::Plain(number.as_str().to_string()),
        DeValue::Boolean(value) => Value::Plain(value.to_string()),
        DeValue::Datetime(moment) => Value::Plain(moment.to_string()),
        DeValue::Array(values) => Value::List(nodes(values)),
        DeValue::Table(table) => Value::Table(entries(table)),
    };
    Node { value, span }
}

fn nodes(values: DeArray<'_>) -> Vec<Node> {
    values.into_iter().map(node).collect()
}

/// The same as YAML, a key a line; nothing where comments would be lost.
pub(super) fn as_yaml(toml: &str, entries: &Entries, line_end: &str) -> Option<String> {
    let has_comment = toml.lines().any(|line| line.trim_start().starts_with('#') || line.contains(" #"));
    let line = |(key, node): &(Key, Node)| {
        let is_bare = key.name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
        let name = if is_bare { key.name.clone() } else { text(&key.name) };
        format!("{name}: {}{line_end}", flow(node))
    };
    (!has_comment).then(|| entries.iter().map(line).collect())
}

/// YAML takes JSON as it is.
pub(super) fn flow(node: &Node) -> String {
    match &node.value {
        Value::Plain(written) => written.clone(),
        Value::Text(written) => text(written),
        Value::List(nodes) => format!("[{}]", nodes.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::Table(entries) => {
            let entry = |(key, node): &(Key, Node)| format!("{}: {}", text(&key.name), flow(node));
            format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
    }
}

fn text(written: &str) -> String {
    serde_json::Value::from(written).to_string()
}
