//! MDX: imports, exports, expressions, comments and components.

mod address;
mod code;
mod compiled;
mod component;
mod element;
pub(super) mod kinds;
mod names;
pub(super) mod well_known;

use std::ops::Range;

pub use self::compiled::COMPILED;
pub use self::component::UNDECLARED;
pub(super) use self::component::close;
pub(super) use self::names::modules;
pub use self::names::{ImportStatement, import};
use super::blocks::{BlockKind, OpenBlock};
use super::construct::{AS_WRITTEN, Construct, Slip, TextPlace, closed_by, first_line, is_name};
use super::output::{NOT_LITERAL, escaped};
use super::script::{ScriptValue, balanced, value};
use super::tag;
use super::translator::{RuleAt, Translator};
use base::diagnostic::{Code, Problem};
use input::conventions::Syntax;

/// `import`, `export`.
pub(in crate::markdown) const IMPORT: Construct = Construct {
    name: kinds::IMPORT,
    nouns: ("MDX, which isn't supported here", "MDX imports"),
    syntaxes: &[Syntax::Mdx],
    slip: Some(Slip {
        opens: &["import ", "export "],
        length: mdx_import,
        seen: AS_WRITTEN,
        help: "remove the line, and insert its content: code in a code block, text directly",
    }),
    becomes: &[
        (&[Syntax::Mdx], RuleAt::Start(names::read)),
        (&[Syntax::Mdx], RuleAt::Margin(names::leave_out)),
    ],
};

/// `{/* … */}`.
pub(super) const COMMENT: Construct = Construct {
    name: "jsx-comment",
    nouns: ("an MDX comment", "MDX comments"),
    syntaxes: &[Syntax::Mdx],
    slip: Some(Slip { opens: &["{/*"], length: jsx_comment, seen: AS_WRITTEN, help: "use `<!-- … -->`" }),
    becomes: &[
        (&[Syntax::Mdx], RuleAt::Place("{/*", comment)),
        (&[Syntax::Mdx], RuleAt::Place("<!--", compiled::html_comment)),
    ],
};

/// `{…}`.
pub(in crate::markdown) const EXPRESSION: Construct = Construct {
    name: kinds::EXPRESSION,
    nouns: ("an MDX expression", "MDX expressions"),
    syntaxes: &[Syntax::Mdx],
    slip: Some(Slip {
        opens: &["{"],
        length: jsx_expression,
        seen: AS_WRITTEN,
        help: "use the value, such as the path `/images/a.png` for `useBaseUrl`, or define it under `[variables]` \
            in stepkin.toml and insert it as `{name}`",
    }),
    becomes: &[
        (&[Syntax::Mdx], RuleAt::Place("{", expression)),
        (&[Syntax::Mdx], RuleAt::Place("\\{#", escaped_id)),
    ],
};

/// `<Name>`, `<name>`.
pub(in crate::markdown) const COMPONENT: Construct = Construct {
    name: kinds::COMPONENT,
    nouns: ("an MDX component", "MDX components"),
    syntaxes: &[Syntax::Mdx, Syntax::Vue],
    becomes: &[(&[Syntax::Mdx], RuleAt::Place("<", tag)), (&[Syntax::Mdx], RuleAt::End(at_end))],
    ..Construct::SILENT
};

fn jsx_comment(place: &TextPlace<'_>) -> Option<usize> {
    closed_by(place.written, "*/}")
}

/// Matches `{props.name}` and `{useBaseUrl('/x')}`, which can only be code.
fn jsx_expression(place: &TextPlace<'_>) -> Option<usize> {
    if place.before.ends_with(['{', '$', '\\', '=']) {
        return None;
    }
    let length = closed_by(first_line(place.written), "}")?;
    let inside = place.written[1..length - 1].trim();
    let is_object = ["props.", "frontMatter.", "siteConfig."].iter().any(|object| inside.starts_with(object));
    let call = inside.split_once('(').filter(|(name, arguments)| {
        let is_camel = name.contains(|c: char| c.is_ascii_lowercase())
            && name.contains(|c: char| c.is_ascii_uppercase());
        is_camel && is_name(name) && arguments.ends_with(')')
    });
    (is_object || call.is_some()).then_some(length)
}

/// Matches `import Tabs from '@theme/Tabs';` and `export const x = …` at the start of a paragraph, after imports, and
/// directly after a list or quote.
fn mdx_import(place: &TextPlace<'_>) -> Option<usize> {
    let may_begin = place.begins_page || place.begins_line && place.follows_import;
    if !may_begin {
        return None;
    }
    let line = first_line(place.written).trim_end();
    let module = |text: &str| text.trim_end_matches(';').trim_end().ends_with(['\'', '"']);
    let is_quoted = |text: &str| text.starts_with(['\'', '"']) && module(text) && text.len() > 3;
    let is_import = line.strip_prefix("import ").is_some_and(|rest| match rest.split_once(" from ") {
        Some((_, path)) => is_quoted(path.trim_start()),
        None => is_quoted(rest.trim_start()),
    });
    let declares = ["const ", "let ", "var ", "function ", "default ", "class ", "async "];
    let is_export = line.strip_prefix("export ").is_some_and(|rest| {
        declares.iter().any(|word| rest.starts_with(word)) && line.contains(['=', '(', '{'])
    });
    (is_import || is_export).then_some(line.len())
}

/// Translates a component on a Vue page. HTML elements stay.
pub(super) fn vue_tag(it: &mut Translator<'_, '_>) -> bool {
    if let Some((name, end)) = tag::closing(it.lines.text, it.lines.at).filter(|(name, _)| is_component(name))
    {
        close(it, name, end);
        return true;
    }
    let is_component = it.lines.rest()[1..].starts_with(|c: char| c.is_ascii_uppercase());
    let tag = if is_component { tag::opening(it.lines.text, it.lines.at, &mut it.fuel) } else { None };
    if let Some(tag) = &tag {
        component::open(it, tag);
    }
    tag.is_some()
}

fn tag(it: &mut Translator<'_, '_>) -> bool {
    let rest = it.lines.rest();
    if rest.starts_with("<>") {
        it.remove(it.lines.at + 2);
        return true;
    }
    if rest.starts_with("</>") {
        it.remove(it.lines.at + 3);
        return true;
    }
    if let Some((name, end)) = tag::closing(it.lines.text, it.lines.at) {
        if is_component(name)
            || it.blocks.open.iter().rev().take(8).any(|block| block.kind == BlockKind::Named(name))
        {
            close(it, name, end);
        } else {
            element::end(it, name, end);
        }
        return true;
    }
    if quoted_tag(it) {
        return true;
    }
    let Some(tag) = tag::opening(it.lines.text, it.lines.at, &mut it.fuel) else {
        let problem = compiled::no_element(it);
        it.notes.problems.extend(problem);
        return false;
    };
    let problem = compiled::void_element(it, &tag).or_else(|| compiled::placeholder(it, &tag));
    it.notes.problems.extend(problem);
    let problem = compiled::bare_value(it, &tag);
    it.notes.problems.extend(problem);
    let problem = compiled::style_as_text(it, &tag);
    it.notes.problems.extend(problem);
    if tag.name == "head" {
        // Docusaurus adds it to the page's head.
        component::nothing(it, &tag);
    } else if is_component(tag.name) {
        component::open(it, &tag);
    } else {
        element::start(it, &tag);
    }
    true
}

/// Reports the components that are open at the end of the page.
fn at_end(it: &mut Translator<'_, '_>) {
    let open = OpenBlock::without_end(&it.blocks.open);
    it.notes.problems.extend(open);
}

/// Writes a tag that continues over lines of a quote as one line, because the lines' `>` doesn't end the tag, and a
/// line with only its end would be another quote.
fn quoted_tag(it: &mut Translator<'_, '_>) -> bool {
    /// Maximum number of lines of a tag.
    const MOST: usize = 24;
    let first = it.lines.rest_of_line(it.lines.at);
    if !it.lines.lead.contains('>') || first.contains('>') {
        return false;
    }
    let mut joined = first.trim_end().to_string();
    let mut at = it.lines.line_end(it.lines.at);
    for _ in 0..MOST {
        let line = it.lines.rest_of_line(at);
        let Some(inner) = line.trim_start().strip_prefix('>') else { return false };
        joined.extend([" ", inner.trim()]);
        let end = at + line.len();
        let tag = tag::opening(&joined, 0, &mut it.fuel).filter(|tag| tag.span.end == joined.len());
        if let Some(tag) = tag {
            let is_html = !is_component(tag.name) && tag.attributes.iter().all(|it| !it.is_expression);
            if is_html {
                it.put(&joined, end);
            }
            return is_html;
        }
        at = it.lines.line_end(at);
    }
    false
}

/// Translates an ID at the end of a heading whose braces are both escaped, `\{#id\}`:
/// <https://docusaurus.io/docs/markdown-features/toc#heading-ids>.
fn escaped_id(it: &mut Translator<'_, '_>) -> bool {
    let line = it.lines.rest_of_line(it.lines.at).trim_end();
    let id = line
        .strip_prefix("\\{#")
        .filter(|_| it.lines.is_heading)
        .and_then(|rest| rest.strip_suffix("\\}"))
        .filter(|id| is_name(id));
    let Some(id) = id else { return false };
    let (written, end) = (format!("{{#{id}}}"), it.lines.at + line.len());
    it.put(&written, end);
    true
}

/// Returns the finding for the first expression of a paragraph that has no end. Only one that begins a line may contain empty lines.
fn never_closed(it: &mut Translator<'_, '_>) -> Option<Problem> {
    let (text, at) = (it.lines.text, it.lines.at);
    let ends = &mut it.mdx.ends;
    let next = |mark: &str| text[at + 1..].find(mark).map_or(text.len(), |length| at + 1 + length);
    if ends.brace <= at {
        ends.brace = next("}");
    }
    if ends.paragraph <= at {
        ends.paragraph = next("\n\n");
    }
    let begins_line = text[..at].ends_with('\n');
    let end = if begins_line { text.len() } else { ends.paragraph };
    if ends.brace < end || at < ends.reported {
        return None;
    }
    ends.reported = end;
    let message = "`{` begins an MDX expression that has no end";
    let help = "add `}` at its end, or write `\\{` to show the brace".to_string();
    Some(Problem::new(Code::UnbalancedBlock, at..at + 1, message).help(help).as_warning())
}

/// Whether a name is that of a component rather than an HTML element.
fn is_component(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase()) || name.contains('.')
}

/// Translates `{…}`: a text becomes its content, a comment becomes an HTML comment, and the ID of a heading stays.
fn expression(it: &mut Translator<'_, '_>) -> bool {
    let rest = it.lines.rest();
    if rest.starts_with("{/*") {
        return false;
    }
    if rest.starts_with("{#")
        && let Some(end) = it.find_in_line(it.lines.at, "}")
    {
        it.copy_to(end + 1);
        return true;
    }
    let Some(end) = balanced(it.lines.text, it.lines.at, &mut it.fuel) else {
        let problem = never_closed(it);
        it.notes.problems.extend(problem);
        return false;
    };
    let inside = it.lines.at + 1..end - 1;
    let written = it.lines.text[inside.clone()].trim();
    if written.starts_with('<') && written.ends_with('>') {
        // Tags in braces mean the same as without.
        it.remove(it.lines.at + 1);
        it.mdx.braces.push(inside.end);
        return true;
    }
    match value(it.lines.text, inside.clone()) {
        ScriptValue::Text(text, place) => literal(it, &text, place, end),
        ScriptValue::Name(name) => match constant(it, name) {
            Some(text) => {
                let shown = escaped(&text);
                it.put(&shown, end);
            }
            None => left_out(it, inside, end),
        },
        _ if it.lines.text[inside.clone()].trim().is_empty() => it.remove(end),
        _ => left_out(it, inside, end),
    }
    true
}

fn left_out(it: &mut Translator<'_, '_>, inside: Range<usize>, end: usize) {
    let problem = compiled::no_expression(it, &inside)
        .or_else(|| compiled::no_value(it, &inside))
        .or_else(|| compiled::no_text(it, &inside));
    if let Some(problem) = problem {
        it.notes.problems.push(problem);
        return it.copy_to(end);
    }
    let written = it.lines.text[inside].trim();
    let name: String = written.split(['\n', '\r']).next().unwrap_or_default().chars().take(40).collect();
    it.leave_out(kinds::EXPRESSION, &name, end);
}

fn literal(it: &mut Translator<'_, '_>, text: &str, place: Range<usize>, end: usize) {
    if it.lines.text[place.clone()] == *text && !text.contains(NOT_LITERAL) {
        it.lines.at = place.start;
        it.copy_to(place.end);
        it.lines.at = end;
        if text.trim().is_empty() {
            it.out.has_removed = true;
        }
    } else {
        let shown = escaped(text);
        it.put(&shown, end);
    }
}

/// Returns the value of a name.
fn constant(it: &Translator<'_, '_>, name: &str) -> Option<String> {
    let argument = name.strip_prefix("props.").and_then(|name| it.arguments.get(name));
    let constant = || it.mdx.names.constants.get(name)?.text().map(str::to_string);
    argument.cloned().or_else(constant)
}

/// Translates `{/* … */}`: an HTML comment, or the ID of a heading.
fn comment(it: &mut Translator<'_, '_>) -> bool {
    let Some(close) = it.fuel.find(it.lines.text, it.lines.at + 3, "*/") else { return false };
    let end = close + 2 + it.lines.text[close + 2..].bytes().take_while(u8::is_ascii_whitespace).count();
    if !it.lines.text[end..].starts_with('}') {
        // A comment followed by something else.
        let Some(end) = balanced(it.lines.text, it.lines.at, &mut it.fuel) else { return false };
        it.leave_out(kinds::EXPRESSION, "", end);
        return true;
    }
    let end = end + 1;
    let inside = it.lines.text[it.lines.at + 3..close].trim();
    if inside.starts_with('#') && !inside.contains(char::is_whitespace) {
        it.put(&format!("{{{inside}}}"), end);
        return true;
    }
    let is_alone = !it.out.shown && it.lines.rest_of_line(end).trim().is_empty();
    if !is_alone && !it.out.shown
        || inside.contains("--")
        || inside.starts_with('>')
        || inside.contains("\n\n")
    {
        it.remove(end);
        return true;
    }
    let (start, inside) = (it.lines.at, it.lines.at + 3..close);
    it.out.put("<!--", start..start + 3);
    it.out.copy(it.lines.text, inside);
    it.out.put("-->", close..end);
    it.lines.at = end;
    true
}
