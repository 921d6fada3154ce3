//! Code actions for findings: fix one, fix all, and suppress one with a reason.

use std::collections::HashMap;

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, TextEdit, Uri, WorkspaceEdit,
};

use super::position::Lines;
use base::diagnostic::{Diagnostic, Edit, Report};
use base::site_path::SitePath;
use review::fix;

/// `source.fixAll` limited to Stepkin, for editors that fix files on save.
pub(super) const FIX_ALL: CodeActionKind = CodeActionKind::new("source.fixAll.stepkin");

/// Returns the actions for a range of a file.
pub(super) fn of(
    params: &CodeActionParams,
    (path, text, body): (&SitePath, &str, Option<usize>),
    lines: &Lines<'_>,
    report: &Report,
) -> Vec<CodeActionOrCommand> {
    let uri = &params.text_document.uri;
    let wanted = lines.span(params.range);
    let is_wanted = |kind: &CodeActionKind| {
        let asked = params.context.only.as_deref();
        asked.is_none_or(|asked| asked.iter().any(|asked| is_within(kind, asked)))
    };
    let here: Vec<&Diagnostic> = report.iter().filter(|finding| finding.file == *path).collect();
    let touches = |finding: &&&Diagnostic| {
        let span = &finding.problem.span;
        span.start <= wanted.end && wanted.start <= span.end
    };
    let mut actions = Vec::new();
    if is_wanted(&CodeActionKind::QUICKFIX) {
        for finding in here.iter().filter(touches) {
            actions.extend(quick_fix(finding, uri, lines));
        }
        for finding in here.iter().filter(touches) {
            actions.extend(accept(finding, uri, (text, body), lines));
        }
    }
    let fixable: Vec<&Diagnostic> = here.into_iter().filter(|finding| finding.is_fixable()).collect();
    if is_wanted(&FIX_ALL) && !fixable.is_empty() {
        let edits = fix::edits(text, fixable);
        let action = action("Apply this fix", FIX_ALL, uri, lines, &edits);
        actions.push(action.into());
    }
    actions
}

/// Whether a kind is a requested one or a subkind of it: `source.fixAll.stepkin` is a subkind of `source`.
fn is_within(kind: &CodeActionKind, asked: &CodeActionKind) -> bool {
    let rest = kind.as_str().strip_prefix(asked.as_str());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || asked.as_str().is_empty())
}

fn quick_fix(finding: &Diagnostic, uri: &Uri, lines: &Lines<'_>) -> Option<CodeActionOrCommand> {
    let problem = &finding.problem;
    if !finding.is_fixable() {
        return None;
    }
    let title = problem.help.clone().unwrap_or_else(|| format!("Fix {}", problem.code.name()));
    let edits: Vec<&Edit> = problem.edits.iter().collect();
    let action = action(&title, CodeActionKind::QUICKFIX, uri, lines, &edits);
    Some(CodeAction { is_preferred: Some(true), ..action }.into())
}

/// Returns the action that adds a suppression before the block of a finding. The author adds the reason. `body` is
/// the start of the page's text.
fn accept(
    finding: &Diagnostic,
    uri: &Uri,
    (text, body): (&str, Option<usize>),
    lines: &Lines<'_>,
) -> Option<CodeActionOrCommand> {
    let code = finding.problem.code;
    let body = body?;
    let before = text.get(body..finding.problem.span.start)?;
    if code.rule().blocks_build {
        return None;
    }
    // A comment inside a paragraph or a table would end it.
    let start = before.rfind("\n\n").map_or(body, |end| body + end + 2);
    let start = text.len() - text[start..].trim_start_matches('\n').len();
    let indent: String = text[start..].chars().take_while(|letter| *letter == ' ').collect();
    let name = code.name();
    let edit = Edit { span: start..start, text: format!("{indent}<!-- stepkin: allow {name}: reason -->\n") };
    let title = format!("Suppress `{name}` here with a reason");
    Some(action(&title, CodeActionKind::QUICKFIX, uri, lines, &[&edit]).into())
}

fn action(title: &str, kind: CodeActionKind, uri: &Uri, lines: &Lines<'_>, edits: &[&Edit]) -> CodeAction {
    let edits = edits.iter().map(|edit| TextEdit::new(lines.range(&edit.span), edit.text.clone()));
    CodeAction {
        title: title.to_string(),
        kind: Some(kind),
        edit: Some(WorkspaceEdit::new(HashMap::from([(uri.clone(), edits.collect())]))),
        ..CodeAction::default()
    }
}
