//! HTML elements in JSX syntax.

use super::address::{address, put_address};
use super::kinds::EXPRESSION;
use crate::markdown::page::OmissionReason;
use crate::markdown::syntax::script::ScriptValue;
use crate::markdown::syntax::tag::{Attribute, Tag};
use crate::markdown::syntax::translator::Translator;
use input::conventions::HtmlInMdx;

/// Void elements.
const VOID: [&str; 15] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr", "keygen",
];

/// Whether an element has no content, and no end in HTML.
pub(super) fn is_void(name: &str) -> bool {
    VOID.contains(&name)
}

/// Elements whose content is text in any case.
const RAW: [&str; 5] = ["pre", "script", "style", "svg", "textarea"];

/// Maximum indentation of Markdown that isn't code.
const MOST_INDENTATION: usize = 3;

/// Writes a tag with HTML attributes. In compiled MDX, the lines after a tag on its own line are Markdown:
/// <https://mdxjs.com/docs/what-is-mdx/#markdown>.
pub(super) fn start<'t>(it: &mut Translator<'t, '_>, tag: &Tag<'t>) {
    let opens = !tag.closes_itself && !is_void(tag.name) && !RAW.contains(&tag.name);
    let is_own_line = opens && begins_block(it, tag.span.start) && is_blank(it, tag.span.end);
    tag_with_attributes(it, tag);
    let next = it.lines.rest_of_line(it.lines.line_end(tag.span.end));
    let text = next.trim_start();
    let is_markdown =
        !text.is_empty() && !text.starts_with('<') && next.len() - text.len() <= MOST_INDENTATION;
    if is_own_line && is_markdown && it.dialect.html != HtmlInMdx::Unknown {
        end_block(it, tag.span.end);
        it.mdx.elements.push(tag.name);
    }
}

/// Whether a tag begins its line. In a list or a quote, other text does.
fn begins_line(it: &Translator<'_, '_>, at: usize) -> bool {
    it.lines.text[..at].ends_with('\n')
}

/// Whether a tag begins its line, which doesn't continue a paragraph.
fn begins_block(it: &Translator<'_, '_>, at: usize) -> bool {
    let before = it.lines.text[..at].strip_suffix('\n');
    before.is_some_and(|before| {
        let line = before.rsplit('\n').next().unwrap_or_default().trim_end();
        line.is_empty() || line.ends_with('>')
    })
}

fn is_blank(it: &Translator<'_, '_>, at: usize) -> bool {
    it.lines.rest_of_line(at).trim().is_empty()
}

/// Adds an empty line after the tag that ends at `end`.
fn end_block(it: &mut Translator<'_, '_>, end: usize) {
    it.lines.at += it.lines.rest_of_line(end).len();
    it.out.put("\n", end..end);
    it.out.shown = true;
}

fn tag_with_attributes(it: &mut Translator<'_, '_>, tag: &Tag<'_>) {
    let is_html = tag.attributes.iter().all(is_html);
    // CommonMark ends the tag at a blank line, and treats a line that begins with `>` as a quote.
    let mut lines = it.lines.text[tag.span.clone()].lines().skip(1).map(str::trim_start);
    let is_broken = lines.any(|line| line.is_empty() || line.starts_with('>'));
    let opens_only = tag.closes_itself && !is_void(tag.name) && !is_in_drawing(tag.name);
    if is_html && !opens_only && !is_broken {
        it.copy_to(tag.span.end);
        return;
    }
    it.copy_to(tag.span.start + 1 + tag.name.len());
    for attribute in &tag.attributes {
        self::attribute(it, attribute, is_broken);
        it.lines.at = attribute.span.end;
    }
    if opens_only {
        it.put(&format!("></{}>", tag.name), tag.span.end);
    } else if is_broken {
        it.put(if tag.closes_itself { " />" } else { ">" }, tag.span.end);
    } else {
        it.copy_to(tag.span.end);
    }
}

/// Whether an element may be self-closing.
fn is_in_drawing(name: &str) -> bool {
    matches!(name, "path" | "circle" | "rect" | "line" | "polygon" | "polyline" | "ellipse" | "use" | "stop")
}

fn is_html(attribute: &Attribute<'_>) -> bool {
    !attribute.is_expression && html_name(attribute.name) == attribute.name
}

fn html_name(name: &str) -> &str {
    match name {
        "className" => "class",
        "htmlFor" => "for",
        "srcSet" => "srcset",
        "tabIndex" => "tabindex",
        "colSpan" => "colspan",
        "rowSpan" => "rowspan",
        "frameBorder" => "frameborder",
        "allowFullScreen" => "allowfullscreen",
        "autoPlay" => "autoplay",
        "playsInline" => "playsinline",
        name => name,
    }
}

fn blank(it: &mut Translator<'_, '_>, attribute: &Attribute<'_>, is_broken: bool) {
    let blank = attribute.span.start..attribute.name_span.start;
    if is_broken { it.out.put(" ", blank) } else { it.out.copy(it.lines.text, blank) }
}

fn attribute(it: &mut Translator<'_, '_>, attribute: &Attribute<'_>, is_broken: bool) {
    let name = html_name(attribute.name);
    if !attribute.is_expression {
        blank(it, attribute, is_broken);
        if name == attribute.name {
            it.out.copy(it.lines.text, attribute.name_span.start..attribute.span.end);
        } else {
            it.out.put(name, attribute.name_span.clone());
            it.out.copy(it.lines.text, attribute.name_span.end..attribute.span.end);
        }
        return;
    }
    let is_action = attribute.name.starts_with("on") && attribute.name[2..].starts_with(char::is_uppercase);
    if attribute.name.is_empty() || attribute.name == "key" || attribute.name == "style" || is_action {
        return;
    }
    let span = attribute.name_span.start..attribute.span.end;
    let Some(given) = attribute.value.as_ref().and_then(|value| address(it, value)) else {
        if let Some(ScriptValue::Name(number)) = &attribute.value
            && number.bytes().all(|byte| byte.is_ascii_digit())
        {
            blank(it, attribute, is_broken);
            it.out.put(&format!("{name}=\"{number}\""), span.clone());
        }
        if matches!(name, "href" | "src") {
            it.note(EXPRESSION, name, OmissionReason::Unknown, span.clone());
        }
        return;
    };
    blank(it, attribute, is_broken);
    it.out.put(&format!("{name}=\""), attribute.name_span.clone());
    put_address(it, &given, &span);
    it.out.put("\"", attribute.span.end - 1..attribute.span.end);
}

/// Writes the end of an element. The text after a summary is Markdown.
pub(super) fn end(it: &mut Translator<'_, '_>, name: &str, end: usize) {
    if is_void(name) {
        it.remove(end);
        return;
    }
    if it.mdx.elements.last().is_some_and(|last| *last == name) && begins_line(it, it.lines.at) {
        _ = it.mdx.elements.pop();
        it.out.put("\n", it.lines.at..it.lines.at);
    }
    it.copy_to(end);
    if name == "summary" && is_blank(it, end) && !is_blank(it, it.lines.line_end(end)) {
        end_block(it, end);
    }
}
