//! Front matter in TOML between `+++` lines, parsed only to convert it to YAML.

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::yaml::{LARGEST, YamlEntries, YamlKey, YamlNode, YamlValue};
use base::sort::StableSort as _;

/// Returns the keys of a block, or `None` if it isn't TOML. Byte ranges refer to `toml`.
pub(super) fn read(toml: &str) -> Option<YamlEntries> {
    let table = (toml.len() <= LARGEST).then(|| DeTable::parse(toml).ok())??;
    Some(entries(table.into_inner()))
}

fn entries(table: DeTable<'_>) -> YamlEntries {
    let entry = |(key, value): (Spanned<toml::de::DeString<'_>>, Spanned<DeValue<'_>>)| {
        let span = key.span();
        (YamlKey { name: key.into_inner().into_owned(), span }, node(value))
    };
    let mut entries: YamlEntries = table.into_iter().map(entry).collect();
    entries.stable_sort_by_key(|(key, _)| key.span.start);
    entries
}

fn node(value: Spanned<DeValue<'_>>) -> YamlNode {
    let span = value.span();
    let value = match value.into_inner() {
        DeValue::String(text) => YamlValue::Text(text.into_owned()),
        DeValue::Integer(number) => {
            let whole = i64::from_str_radix(number.as_str(), number.radix());
            YamlValue::Plain(whole.map_or_else(|_| number.as_str().to_string(), |whole| whole.to_string()))
        }
        DeValue::Float(number) => YamlValue::Plain(number.as_str().to_string()),
        DeValue::Boolean(value) => YamlValue::Plain(value.to_string()),
        DeValue::Datetime(moment) => YamlValue::Plain(moment.to_string()),
        DeValue::Array(values) => YamlValue::List(nodes(values)),
        DeValue::Table(table) => YamlValue::Table(entries(table)),
    };
    YamlNode { value, span }
}

fn nodes(values: DeArray<'_>) -> Vec<YamlNode> {
    values.into_iter().map(node).collect()
}

/// Converts it to YAML with one key per line. Returns `None` if comments would be lost.
pub(super) fn as_yaml(toml: &str, entries: &YamlEntries, line_end: &str) -> Option<String> {
    let has_comment = toml.lines().any(|line| line.trim_start().starts_with('#') || line.contains(" #"));
    let line = |(key, node): &(YamlKey, YamlNode)| {
        let is_bare = key.name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
        let name = if is_bare { key.name.clone() } else { text(&key.name) };
        format!("{name}: {}{line_end}", flow(node))
    };
    (!has_comment).then(|| entries.iter().map(line).collect())
}

/// YAML accepts JSON.
pub(super) fn flow(node: &YamlNode) -> String {
    match &node.value {
        YamlValue::Plain(written) => written.clone(),
        YamlValue::Text(written) => text(written),
        YamlValue::List(nodes) => format!("[{}]", nodes.iter().map(flow).collect::<Vec<_>>().join(", ")),
        YamlValue::Table(entries) => {
            let entry = |(key, node): &(YamlKey, YamlNode)| format!("{}: {}", text(&key.name), flow(node));
            format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
    }
}

fn text(written: &str) -> String {
    serde_json::Value::from(written).to_string()
}
