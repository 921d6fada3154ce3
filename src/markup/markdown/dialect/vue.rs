//! What `VitePress` adds by Vue: components, outputs, scripts and styles.

use std::borrow::Cow;

use super::Translator;
use super::mdx;

/// Translates a line that is a contents sign.
pub(super) fn line(it: &mut Translator<'_, '_>, inner: &str) -> bool {
    let is_contents = inner.eq_ignore_ascii_case("[[toc]]");
    if is_contents {
        it.remove(it.at + inner.len());
        it.end_of_line();
    }
    is_contents
}

/// Translates what is at a sign of Vue.
pub(super) fn place(it: &mut Translator<'_, '_>, byte: u8) -> bool {
    match byte {
        b'{' => output(it),
        b'<' => code(it) || mdx::vue_tag(it),
        _ => false,
    }
}

/// `{{ … }}`: a text is its text, the title is known, anything else is left out.
fn output(it: &mut Translator<'_, '_>) -> bool {
    if !it.rest().starts_with("{{") {
        return false;
    }
    let Some(close) = it.find_in_line(it.at + 2, "}}") else { return false };
    let line = &it.out.text[it.out.line..];
    if line.rfind(" v-pre>").is_some_and(|pre| !line[pre..].contains("</")) {
        it.copy_to(close + 2);
        return true;
    }
    let inside = it.text[it.at + 2..close].trim();
    let end = close + 2;
    let quoted = inside.strip_prefix('\'').and_then(|inside| inside.strip_suffix('\''));
    let known = inside.strip_prefix("$frontmatter.").and_then(|key| it.front(key));
    match quoted.filter(|text| !text.contains('\'')).map(Cow::Borrowed).or(known) {
        Some(text) => it.put(&text, end),
        None => it.leave_out("template-output", inside, end),
    }
    true
}

/// `<script setup>` … `</script>`, `<style>` … `</style>`: code of the page, and no content.
fn code(it: &mut Translator<'_, '_>) -> bool {
    let rest = it.rest();
    let found = [("<script", "</script>"), ("<style", "</style>")].into_iter().find(|(open, _)| {
        rest.strip_prefix(open).is_some_and(|after| after.starts_with([' ', '>', '\n', '\r']))
    });
    let Some((_, close)) = found.filter(|_| !it.out.shown) else { return false };
    let Some(end) = it.fuel.find(it.text, it.at, close) else { return false };
    it.remove(end + close.len());
    true
}
