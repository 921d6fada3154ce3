//! Alerts with titles, `> [!NOTE] Title`.

use super::construct::Construct;
use super::translator::{RuleAt, Translator};
use crate::markdown::page::NoteKind;
use input::conventions::Syntax;

/// An alert with more text than its kind.
pub(super) const ALERT: Construct = Construct {
    name: "titled-alert",
    syntaxes: &[Syntax::Shortcodes],
    becomes: &[(&[Syntax::Shortcodes], RuleAt::Line(alert))],
    ..Construct::SILENT
};

/// Writes an alert with its title in bold.
fn alert(it: &mut Translator<'_, '_>, inner: &str) -> bool {
    let Some((name, title)) = inner.strip_prefix("[!").and_then(|inside| inside.split_once(']')) else {
        return false;
    };
    let title = title.trim_start_matches(['+', '-']).trim();
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if !is_name || !it.lines.lead.contains('>') {
        return false;
    }
    let kind = NoteKind::named(name).unwrap_or_default();
    // A misspelled known kind is reported where alerts are parsed.
    let is_slip = NoteKind::named(name).is_none() && NoteKind::similar(name).is_some();
    if is_slip || title.is_empty() && kind.class().eq_ignore_ascii_case(name) {
        return false;
    }
    let title = if title.is_empty() && NoteKind::named(name).is_none() { name } else { title };
    let end = it.lines.at + inner.len();
    let lead = it.lines.lead.trim_end().to_string();
    let name = kind.class().to_uppercase();
    match title {
        "" => it.put(&format!("[!{name}]"), end),
        title => it.put(&format!("[!{name}]\n{lead} **{title}**\n{lead}"), end),
    }
    it.inline();
    true
}
