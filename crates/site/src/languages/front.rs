//! Reads single values from the front matter of any generator, with their ranges.

use std::ops::Range;

use base::front_matter::block;

/// The value of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrontValue {
    /// Without quotes.
    pub value: String,
    /// Range of the value, including quotes.
    pub span: Range<usize>,
}

/// Returns the value of a key. The parts of a nested key are separated by dots: `l10n.sourceCommit`.
pub fn front_value(text: &str, key: &str) -> Option<FrontValue> {
    let block = block(text)?;
    if !text[block.clone()].contains(key.rsplit('.').next().unwrap_or(key)) {
        return None;
    }
    let mut parts = key.split('.').peekable();
    let mut depth = None;
    let mut at = block.start;
    for line in text[block].split_inclusive('\n') {
        let start = at;
        at += line.len();
        let indent = line.len() - line.trim_start().len();
        match depth {
            // A line of a longer value.
            None if indent > 0 => continue,
            Some(parent) if indent <= parent && !line.trim().is_empty() => return None,
            _ => {}
        }
        let name = parts.peek().copied()?;
        if line.trim() == format!("[{name}]") {
            parts.next();
            continue;
        }
        let Some(rest) = line[indent..].strip_prefix(name) else { continue };
        let Some(rest) = rest.trim_start().strip_prefix([':', '=']) else { continue };
        parts.next();
        if parts.peek().is_some() {
            depth = Some(indent);
            continue;
        }
        let value = rest.split(" #").next().unwrap_or(rest).trim();
        let place = start + line.len() - rest.len() + (rest.len() - rest.trim_start().len());
        let bare = value.trim_matches(['"', '\'']).to_string();
        return (!bare.is_empty()).then(|| FrontValue { value: bare, span: place..place + value.len() });
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, key: &str, expected: Option<&str>) {
        let found = front_value(text, key);
        assert_eq!(found.as_ref().map(|it| &text[it.span.clone()]), expected);
        if let Some(found) = found {
            assert_eq!(found.value, text[found.span].trim_matches(['"', '\'']));
        }
    }

    #[test]
    fn a_value_is_found_in_any_form_with_its_place() {
        check("---\ntitle: x\npin: 1a2b # patched\n---\npin: z\n", "pin", Some("1a2b"));
        check("---\ntitle:\n  a\n  pin: x\npin: 1a2b\n---\n", "pin", Some("1a2b"));
        check("---\r\npin: \"1a2b\"\r\n---\r\n", "pin", Some("\"1a2b\""));
        check("---\nl10n:\n  sourceCommit: 1a2b\n---\n", "l10n.sourceCommit", Some("1a2b"));
        check("---\nl10n:\n  other: x\nsourceCommit: 1a2b\n---\n", "l10n.sourceCommit", None);
        check("+++\npin = '1a2b'\n+++\n", "pin", Some("'1a2b'"));
        check("+++\n[l10n]\nsourceCommit = '1a2b'\n+++\n", "l10n.sourceCommit", Some("'1a2b'"));
        check("---\npins: x\n---\n", "pin", None);
        check("---\npin:\n---\n", "pin", None);
        check("pin: x\n", "pin", None);
        check("---\npin: x\n", "pin", None);
    }
}
