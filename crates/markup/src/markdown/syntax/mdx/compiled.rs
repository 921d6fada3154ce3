//! What MDX doesn't compile: anything that looks like JSX, and isn't.

use std::ops::Range;

use super::super::script::ScriptValue;
use super::super::tag::Tag;
use super::super::translator::{Translator, near_end, near_start};
use super::element;
use base::diagnostic::{Code, Problem};
use base::quoted::quoted;
use input::conventions::HtmlInMdx;

/// The data of findings about what MDX doesn't compile.
pub const COMPILED: &str = "compiled";

/// Whether a compiler of MDX reads this text, which stops at anything that isn't JSX.
fn is_compiled(it: &Translator<'_, '_>) -> bool {
    it.dialect.html != HtmlInMdx::Unknown
}

/// A finding about text at which a compiler stops. A plugin of the site may read it, so it is a warning.
fn stops(span: Range<usize>, message: impl Into<String>, help: impl Into<String>) -> Problem {
    Problem::new(Code::UnsupportedSyntax, span, message).help(help.into()).as_warning().data(COMPILED, true)
}

/// Returns the finding for braces that are no expression, and whose content begins and ends with `inside`.
fn literal_brace(it: &Translator<'_, '_>, inside: &Range<usize>, why: &str) -> Problem {
    let span = inside.start - 1..inside.end + 1;
    let message = format!("MDX stops at {}, because {why}", quoted(&it.lines.text[span.clone()]));
    let brace = span.start..span.start + 1;
    stops(span, message, "write `\\{` to show the brace").edit(brace, "\\{")
}

/// Returns the finding for a `<` that begins no element: an address, or a sign before a number.
/// <https://github.com/micromark/micromark-extension-mdx-jsx#errors>
pub(super) fn no_element(it: &Translator<'_, '_>) -> Option<Problem> {
    /// Maximum length in bytes of an address, and of the text before a sign in a formula.
    const LONGEST: usize = 120;
    if !is_compiled(it) {
        return None;
    }
    let (start, rest) = (it.lines.at, near_start(it.lines.rest(), LONGEST));
    // The target of a link may be in angle brackets.
    if it.lines.text[..start].ends_with("](") || it.lines.text[..start].trim_end().ends_with("]:") {
        return None;
    }
    let next = rest[1..].chars().next().filter(|next| !next.is_whitespace())?;
    let word = rest.split(char::is_whitespace).next().unwrap_or(rest);
    if next.is_alphabetic() {
        let inside = word[1..].split_once('>').map_or("", |(inside, _)| inside);
        let is_address = inside.contains("://") || inside.contains('@') || inside.starts_with("mailto:");
        let span = start..start + 1 + inside.len() + 1;
        let message = format!("MDX stops at {}, because it isn't an element", quoted(&format!("<{inside}>")));
        let target = if inside.contains(':') { inside.to_string() } else { format!("mailto:{inside}") };
        let link = format!("[{inside}]({target})");
        return is_address.then(|| {
            let help = format!("use {}", quoted(&link));
            stops(span.clone(), message, help).edit(span, link)
        });
    }
    // In a formula, it is a sign. A plugin of the site may read formulas.
    let before = near_end(&it.lines.text[..start], LONGEST);
    let is_formula = before.rsplit('\n').next().is_some_and(|line| line.contains('$'));
    let is_sign = !matches!(next, '_' | '$' | '/' | '>') && !is_formula;
    is_sign.then(|| {
        let message = format!("MDX stops at {}, because an element has no such name", quoted(word));
        let span = start..start + word.len();
        stops(span, message, "write `&lt;` to show the sign").edit(start..start + 1, "&lt;")
    })
}

/// Returns the finding for a placeholder such as `<user_id>`. JSX permits `_` in the name of an element, which HTML doesn't.
pub(super) fn placeholder(it: &Translator<'_, '_>, tag: &Tag<'_>) -> Option<Problem> {
    let is_html = !tag.name.contains('_') || tag.closes_itself;
    if is_html || !is_compiled(it) || it.lines.text[tag.span.end..].contains(&format!("</{}", tag.name)) {
        return None;
    }
    let message = format!("{} is never closed", quoted(&format!("<{}>", tag.name)));
    let sign = tag.span.start..tag.span.start + 1;
    Some(stops(tag.span.clone(), message, "write `\\<` to show the sign; MDX stops here").edit(sign, "\\<"))
}

/// Returns the finding for an element such as `<br>`, which needs an end in JSX.
pub(super) fn void_element(it: &Translator<'_, '_>, tag: &Tag<'_>) -> Option<Problem> {
    let text = it.lines.text;
    let has_end = || text[tag.span.end..].trim_start().starts_with(&format!("</{}", tag.name));
    if !is_compiled(it) || tag.closes_itself || !element::is_void(tag.name) || has_end() {
        return None;
    }
    let written = &text[tag.span.clone()];
    let closed = format!("{} />", written[..written.len() - 1].trim_end());
    let message = format!("{} is never closed", quoted(&format!("<{}>", tag.name)));
    let help = format!("use {}; MDX stops here", quoted(&closed));
    let problem = Problem::new(Code::UnclosedElement, tag.span.clone(), message)
        .help(help)
        .as_warning()
        .data(COMPILED, true)
        .edit(tag.span.clone(), closed);
    Some(problem)
}

/// Returns the finding for an attribute without quotes or braces: `<CardGroup cols=2>`.
pub(super) fn bare_value(it: &Translator<'_, '_>, tag: &Tag<'_>) -> Option<Problem> {
    if !is_compiled(it) {
        return None;
    }
    let text = it.lines.text;
    let (attribute, range) = tag.attributes.iter().find_map(|attribute| match &attribute.value {
        Some(ScriptValue::Text(_, range)) if !attribute.is_expression => {
            text[..range.start].ends_with(['=', ' ']).then(|| (attribute, range.clone()))
        }
        _ => None,
    })?;
    let value = &text[range.clone()];
    let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    let meant = if is_number { format!("{{{value}}}") } else { format!("\"{value}\"") };
    let span = attribute.name_span.start..range.end;
    let message =
        format!("MDX stops at {}, because a value needs quotes or braces", quoted(&text[span.clone()]));
    let help = format!("use {}", quoted(&format!("{}={meant}", attribute.name)));
    Some(stops(span, message, help).edit(range, meant))
}

/// Returns the finding for `style="…"` in Docusaurus, whose pages React renders: <https://react.dev/reference/react-dom/components/common>.
pub(super) fn style_as_text(it: &Translator<'_, '_>, tag: &Tag<'_>) -> Option<Problem> {
    let is_of_react = it.dialect.html == HtmlInMdx::Comments && it.depth == 0;
    let style =
        tag.get(&["style"]).filter(|style| is_of_react && !style.is_expression && style.value.is_some())?;
    let message = "React stops at a `style` that is text";
    let span = style.name_span.start..style.span.end;
    Some(stops(span, message, "use an object: `style={{ width: '16px' }}`"))
}

/// Reports an HTML comment, at which MDX stops, and copies it.
pub(super) fn html_comment(it: &mut Translator<'_, '_>) -> bool {
    if it.dialect.html == HtmlInMdx::None && it.depth == 0 {
        let start = it.lines.at;
        let end = it.fuel.find(it.lines.text, start, "-->").map_or(start + 4, |end| end + 3);
        let message = "MDX stops at `<!--`, because it has other comments";
        it.notes.problems.push(stops(start..end, message, "use `{/* … */}`"));
    }
    false
}

/// Returns the finding for the name of a value that the page doesn't define: `{id}`, `{[id]}`.
pub(super) fn no_value(it: &Translator<'_, '_>, inside: &Range<usize>) -> Option<Problem> {
    /// Values that pages have: <https://mdxjs.com/docs/using-mdx/#mdx-provider>, and those of Docusaurus.
    const GIVEN: [&str; 12] = [
        "assets",
        "children",
        "components",
        "contentTitle",
        "false",
        "frontMatter",
        "frontmatter",
        "metadata",
        "null",
        "props",
        "true",
        "undefined",
    ];
    let name = it.lines.text[inside.clone()].trim();
    let name = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let is_known = GIVEN.contains(&name) || it.mdx.names.declares(name);
    (is_name && !is_known && is_compiled(it)).then(|| literal_brace(it, inside, "the page doesn't define it"))
}

/// Returns the finding for a text without quotes in the object of an annotation: `## Limits {{ id: rate-limits }}`.
pub(super) fn no_text(it: &Translator<'_, '_>, inside: &Range<usize>) -> Option<Problem> {
    let object = it.lines.text[inside.clone()].trim().strip_prefix('{')?.strip_suffix('}')?;
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let mut values = object.split(',').filter_map(|pair| pair.split_once(':')).map(|(_, value)| value.trim());
    let value = values.find(|value| value.contains('-') && value.split('-').all(is_word))?;
    let is_text = value.starts_with(|c: char| c.is_ascii_alphabetic()) && !it.mdx.names.declares(value);
    (is_text && is_compiled(it)).then(|| {
        let start = value.as_ptr() as usize - it.lines.text.as_ptr() as usize;
        let message = format!("{} isn't in quotes, so it is a subtraction", quoted(value));
        let meant = format!("'{value}'");
        let span = start..start + value.len();
        stops(span.clone(), message, format!("use {}", quoted(&meant))).edit(span, meant)
    })
}

/// Returns the finding for an expression of words alone, which is no JavaScript.
pub(super) fn no_expression(it: &Translator<'_, '_>, inside: &Range<usize>) -> Option<Problem> {
    const OPERATORS: [&str; 12] = [
        "async",
        "await",
        "class",
        "delete",
        "function",
        "in",
        "instanceof",
        "new",
        "of",
        "typeof",
        "void",
        "yield",
    ];
    let is_word = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_alphabetic()) && word.chars().all(|c| c.is_ascii_alphanumeric())
    };
    let words: Vec<&str> = it.lines.text[inside.clone()].split_ascii_whitespace().collect();
    let is_prose = words.len() > 1 && words.iter().all(|word| is_word(word) && !OPERATORS.contains(word));
    (is_prose && is_compiled(it)).then(|| literal_brace(it, inside, "it is no expression"))
}
