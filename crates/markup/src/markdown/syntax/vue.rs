//! Vue syntax in `VitePress`: components, outputs, scripts and styles.

use std::borrow::Cow;

use super::construct::Construct;
use super::translator::{RuleAt, Translator};
use super::{liquid, mdx};
use base::diagnostic::{Code, Problem};
use input::conventions::Syntax;

/// `{{ … }}`, on Vue pages and in templates.
pub(super) const OUTPUT: Construct = Construct {
    name: "vue-output",
    syntaxes: &[Syntax::Vue],
    becomes: &[(&[Syntax::Vue], RuleAt::Place("{{", output))],
    ..Construct::SILENT
};

/// `<script setup>`, `<style>`.
pub(super) const CODE: Construct = Construct {
    name: "vue-code",
    syntaxes: &[Syntax::Vue],
    becomes: &[(&[Syntax::Vue], RuleAt::Place("<", code))],
    ..Construct::SILENT
};

/// `<Name>`.
pub(super) const COMPONENT: Construct = Construct {
    name: mdx::kinds::VUE_COMPONENT,
    nouns: ("a Vue component", "Vue components"),
    syntaxes: &[Syntax::Vue],
    becomes: &[(&[Syntax::Vue], RuleAt::Place("<", mdx::vue_tag))],
    ..Construct::SILENT
};

/// Translates `{{ … }}`: a text becomes its content, the title is known, and anything else is left out.
fn output(it: &mut Translator<'_, '_>) -> bool {
    let Some(close) = it.find_in_line(it.lines.at + 2, "}}") else {
        let problem = never_closed(it);
        it.notes.problems.extend(problem);
        return false;
    };
    let line = &it.out.text[it.out.line..];
    if line.rfind(" v-pre>").is_some_and(|pre| !line[pre..].contains("</")) {
        it.copy_to(close + 2);
        return true;
    }
    let inside = it.lines.text[it.lines.at + 2..close].trim();
    let end = close + 2;
    let quoted = inside.strip_prefix('\'').and_then(|inside| inside.strip_suffix('\''));
    let known = inside.strip_prefix("$frontmatter.").and_then(|key| it.lines.front(key));
    match quoted.filter(|text| !text.contains('\'')).map(Cow::Borrowed).or(known) {
        Some(text) => it.put(&text, end),
        None => it.leave_out(liquid::OUTPUT.name, inside, end),
    }
    true
}

/// Returns the finding for an output without an end. Vue's compiler stops there: `X_MISSING_INTERPOLATION_END`.
fn never_closed(it: &mut Translator<'_, '_>) -> Option<Problem> {
    let start = it.lines.at;
    let is_named =
        it.lines.text[start + 2..].trim_start().starts_with(|c: char| c.is_alphabetic() || c == '$');
    let lacks = is_named && it.depth == 0 && it.fuel.lacks(it.lines.text, start + 2, "}}");
    let problem = Problem::new(Code::UnbalancedBlock, start..start + 2, "the output `{{` is never closed");
    lacks.then(|| problem.help("add `}}` at its end; Vue stops here".to_string()).as_warning())
}

/// Removes `<script setup>` … `</script>` and `<style>` … `</style>`, which are code of the page.
fn code(it: &mut Translator<'_, '_>) -> bool {
    let rest = it.lines.rest();
    let found = [("<script", "</script>"), ("<style", "</style>")].into_iter().find(|(open, _)| {
        rest.strip_prefix(open).is_some_and(|after| after.starts_with([' ', '>', '\n', '\r']))
    });
    let Some((_, close)) = found.filter(|_| !it.out.shown) else { return false };
    let Some(end) = it.fuel.find(it.lines.text, it.lines.at, close) else { return false };
    if close == "</script>" {
        mdx::modules(it, it.lines.at..end);
    }
    it.remove(end + close.len());
    true
}
