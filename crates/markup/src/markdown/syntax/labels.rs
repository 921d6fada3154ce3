//! Definitions of link labels, `[label]: address`.

use super::construct::Construct;
use super::state::LastDefinition;
use super::translator::{RuleAt, Translator};
use base::diagnostic::{Code, Problem};
use base::fences::text_lines;
use base::hash::HashMap;
use base::sorted::SortedMap;
use input::conventions::Syntax;

/// Syntaxes in which the last definition of a label counts, by `parse_link_definition` in kramdown and `ReferenceProcessor` in
/// Python-Markdown. In `CommonMark`, the first one does: <https://spec.commonmark.org/0.31.2/#example-204>.
pub(in crate::markdown) const LAST_DEFINITIONS: &[Syntax] = &[Syntax::Kramdown, Syntax::Indented];

pub(super) const DEFINITION: Construct = Construct {
    name: "link-definition",
    syntaxes: LAST_DEFINITIONS,
    becomes: &[(LAST_DEFINITIONS, RuleAt::Line(definition))],
    ..Construct::SILENT
};

/// Removes the definition of a link label that is defined again, and reports it if the targets differ.
fn definition(it: &mut Translator<'_, '_>, inner: &str) -> bool {
    let Some((label, target)) = defined(inner) else { return false };
    let text = it.lines.text;
    let definitions = it.labels.get_or_insert_with(|| definitions(text));
    let Some(last) = definitions.get(&label.to_lowercase()).filter(|last| last.at > it.lines.at) else {
        return false;
    };
    if last.is_used && last.target.trim_end_matches('/') != target.trim_end_matches('/') {
        let message =
            format!("`[{label}]` has another definition, and links go to the last one, `{}`", last.target);
        let start = it.lines.at + inner.find('[').unwrap_or_default();
        let problem = Problem::new(Code::DuplicateDefinition, start..start + label.len() + 2, message);
        it.notes.problems.push(problem.help(ONE_DEFINITION.to_string()));
    }
    it.remove(it.lines.at + inner.len());
    it.end_of_line();
    true
}

pub(in crate::markdown) const ONE_DEFINITION: &str = "remove one of the definitions, or use another label";

/// Returns the last definition of each label in lower case.
fn definitions(text: &str) -> SortedMap<String, LastDefinition> {
    let mut written: HashMap<String, usize> = HashMap::default();
    for label in text.split('[').filter_map(|rest| Some(rest.split_once(']')?.0)) {
        *written.entry(label.to_lowercase()).or_default() += 1;
    }
    let mut found: SortedMap<String, (usize, LastDefinition)> = SortedMap::new();
    for (at, line) in text_lines(text) {
        if let Some((label, target)) = defined(line) {
            let label = label.to_lowercase();
            let count = found.get(&label).map_or(0, |(count, _)| *count) + 1;
            let is_used = written.get(&label).is_some_and(|written| *written > count);
            found.insert(label, (count, LastDefinition { at, target: target.to_string(), is_used }));
        }
    }
    found.into_iter().map(|(label, (_, last))| (label, last)).collect()
}

/// Returns the label and target of a definition in one line.
pub(in crate::markdown) fn defined(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim_start_matches(' ');
    let (label, rest) = rest.strip_prefix('[').filter(|_| line.len() - rest.len() < 4)?.split_once("]:")?;
    let mut words = rest.split_whitespace();
    let target = words.next()?;
    let is_label = !label.trim().is_empty() && !label.starts_with('^') && !label.contains(['[', ']', '\\']);
    let is_end = words.next().is_none_or(|title| title.starts_with(['"', '\'', '(']));
    (is_label && is_end && !matches!(target, "#" | "<>")).then_some((label, target))
}
