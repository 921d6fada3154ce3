//! Liquid's tags and outputs, `{% name %}` and `{{ name }}`, in Jekyll and `GitBook`.

use std::borrow::Cow;
use std::ops::Range;

use super::arguments::ArgumentList;
use super::blocks::BlockKind;
use super::construct::{AS_WRITTEN, Construct, Slip, TextPlace, closed_by, first_line};
use super::notes::InclusionKind;
use super::output::escaped;
use super::translator::{RuleAt, Translator, near_start};
use super::{boxes, parts};
use crate::markdown::page::{NoteKind, OmissionReason};
use base::diagnostic::{Code, Problem, distance_within, nearest};
use base::quoted::quoted;
use base::site_path;
use base::sorted::{SortedMap, SortedSet};
use input::conventions::Syntax;
use input::conventions::post_address;

/// `{% name %}`.
pub(in crate::markdown) const TAG: Construct = Construct {
    name: "liquid-tag",
    nouns: ("a Liquid tag", "Liquid tags"),
    syntaxes: &[Syntax::Liquid, Syntax::Tags],
    slip: Some(Slip {
        opens: &["{%"],
        length: liquid_tag,
        seen: AS_WRITTEN,
        help: "replace it: with `:::note` … `:::` for a hint, or a shared page in `_shared` for an include",
    }),
    becomes: &[
        (&[Syntax::Liquid], RuleAt::Place("{%", tag)),
        (&[Syntax::Liquid], RuleAt::Code(code)),
        (&[Syntax::Liquid], RuleAt::End(listed_files)),
    ],
};

/// `{{ name }}`.
pub(in crate::markdown) const OUTPUT: Construct = Construct {
    name: "template-output",
    nouns: ("a template output", "template outputs"),
    syntaxes: &[Syntax::Liquid, Syntax::Vue, Syntax::Mdx],
    slip: Some(Slip {
        opens: &["{{"],
        length: template_output,
        seen: AS_WRITTEN,
        help: "use the value, or define it under `[variables]` in stepkin.toml and insert it as `{name}`",
    }),
    becomes: &[(&[Syntax::Liquid], RuleAt::Place("{{", output))],
};

/// `$$x$$` in kramdown, within a line or as a block: "Math Blocks" on <https://kramdown.gettalong.org/syntax.html>.
pub(in crate::markdown) const FORMULA: Construct = Construct {
    name: "kramdown-formula",
    syntaxes: &[Syntax::Liquid],
    becomes: &[(&[Syntax::Liquid], RuleAt::Place("$$", formula))],
    ..Construct::SILENT
};

/// Matches `{% include note.html %}`, but not the middle of `{{% x %}}`.
fn liquid_tag(place: &TextPlace<'_>) -> Option<usize> {
    let inside = place.rest[2..].trim_start_matches(['-', ' ']);
    let is_tag = inside.starts_with(|c: char| c.is_ascii_alphabetic()) && !place.before.ends_with('{');
    is_tag.then(|| closed_by(place.rest, "%}")).flatten()
}

/// Matches `{{ site.title }}` if it contains an object that exists only in templates, or a filter. Pages may mention
/// any other in text.
fn template_output(place: &TextPlace<'_>) -> Option<usize> {
    let length = closed_by(first_line(place.rest), "}}").filter(|_| !place.before.ends_with(['{', '\\']))?;
    let inside = place.rest[2..length - 2].trim_matches(['-', ' ']);
    let objects = [
        "site.",
        "page.",
        "layout.",
        "include.",
        "post.",
        ".Site.",
        ".Page.",
        ".Params.",
        "$frontmatter",
        "$page",
        "$site",
        "$themeConfig",
    ];
    let filter = inside.split_once(" | ").is_some_and(|(value, filter)| {
        !value.trim().is_empty() && filter.trim_start().starts_with(|c: char| c.is_ascii_lowercase())
    });
    (filter || objects.iter().any(|object| inside.starts_with(object))).then_some(length)
}

/// Reports an output without an end. Jekyll stops there: `raise_missing_variable_terminator` in its sources.
fn never_ends(it: &mut Translator<'_, '_>) -> bool {
    let start = it.lines.at;
    let is_cut =
        it.find_in_line(start + 2, "}").is_some_and(|brace| !it.lines.text[brace..].starts_with("}}"));
    let never_ends = is_cut
        || match it.fuel.find(it.lines.text, start + 2, "}}") {
            // Another output begins before the next end.
            Some(close) => it.lines.text[start + 2..close].contains("{{"),
            None => it.fuel.is_missing("}}"),
        };
    if it.depth == 0 && it.has(Syntax::Kramdown) && never_ends {
        let help = "add `}}` at its end; Jekyll stops here";
        let problem =
            Problem::new(Code::UnbalancedBlock, start..start + 2, "the output `{{` is never closed");
        it.notes.problems.push(problem.help(help.to_string()).as_warning());
    }
    false
}

/// Writes the text of a formula literally.
fn formula(it: &mut Translator<'_, '_>) -> bool {
    if !it.has(Syntax::Kramdown) || it.out.text.ends_with('\\') {
        return false;
    }
    let start = it.lines.at + "$$".len();
    let Some(close) = it.fuel.find(it.lines.text, start, "$$") else { return false };
    let text = &it.lines.text[start..close];
    // Only a block contains blank lines.
    if it.out.shown && text.contains("\n\n") {
        return false;
    }
    it.put(&format!("$${}$$", escaped(text)), close + "$$".len());
    true
}

/// Copies code without the tags that mark text as literal.
fn code(it: &mut Translator<'_, '_>, end: usize) {
    let written = &it.lines.text[it.lines.at..end];
    if !written.contains("raw") {
        let lost = lost_output(it, end);
        it.notes.problems.extend(lost);
        return;
    }
    while let Some(at) = it.lines.text[it.lines.at..end].find("{%").map(|at| it.lines.at + at) {
        it.copy_to(at);
        let close = it.lines.text[at + 2..end].find("%}").map(|close| at + 2 + close + 2);
        let inside = |close: usize| in_tag(&it.lines.text[at + 2..close - 2]);
        match close.filter(|close| matches!(inside(*close), Some(("raw" | "endraw", "")))) {
            Some(close) => it.lines.at = close,
            None => it.copy_to(at + 2),
        }
    }
}

/// Returns the finding for the first output in code that Jekyll replaces by nothing, because no object has its name:
/// <https://jekyllrb.com/docs/liquid/>.
fn lost_output(it: &mut Translator<'_, '_>, end: usize) -> Option<Problem> {
    /// Maximum length of an output in bytes.
    const LONGEST: usize = 200;
    let (text, start) = (it.lines.text, it.lines.at);
    if it.depth > 0 || !it.has(Syntax::Kramdown) || !text[start..end].contains("{{") {
        return None;
    }
    let objects = it.liquid.objects.get_or_insert_with(|| objects_of(text));
    if objects.is_empty() {
        return None;
    }
    let mut outputs = text[start..end].match_indices("{{").filter_map(|(at, _)| {
        let from = start + at;
        let near = &text.as_bytes()[from..end.min(from + LONGEST)];
        Some(from..from + memchr::memmem::find(near, b"}}")? + "}}".len())
    });
    let is_lost = |span: &Range<usize>| {
        let inside = text[span.start + 2..span.end - 2].trim_start_matches(['-', '{']).trim_start();
        let name = inside.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
        !name.is_empty() && !inside.contains('\n') && !objects.contains(name)
    };
    let span = outputs.find(is_lost)?;
    let message = format!("Jekyll removes {} from this code", quoted(&text[span.clone()]));
    let help = "put the code between `{% raw %}` and `{% endraw %}`".to_string();
    Some(Problem::new(Code::UnsupportedSyntax, span, message).help(help).as_warning())
}

/// Returns the objects that outputs of a page may name: Jekyll's (<https://jekyllrb.com/docs/variables/>) and those that the page
/// defines. Empty if Jekyll reads no output on it.
fn objects_of(text: &str) -> SortedSet<String> {
    const OBJECTS: [&str; 10] =
        ["site", "page", "layout", "content", "paginator", "theme", "jekyll", "include", "forloop", "post"];
    let defined = ["assign ", "capture ", "for "].into_iter().flat_map(|tag| text.split(tag).skip(1));
    let name =
        |rest: &str| rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().map(str::to_string);
    if text.contains("render_with_liquid: false") {
        return SortedSet::default();
    }
    defined.filter_map(name).chain(OBJECTS.map(str::to_string)).collect()
}

/// Parses the tag at `at`: its end, its name, and the text after the name.
fn read<'t>(it: &mut Translator<'t, '_>, at: usize) -> Option<(usize, &'t str, &'t str)> {
    let close = it.fuel.find(it.lines.text, at + 2, "%}")?;
    // The end of another tag.
    if it.lines.text[at + 2..close].contains("{%") {
        return None;
    }
    let (name, rest) = in_tag(&it.lines.text[at + 2..close])?;
    Some((close + 2, name, rest))
}

/// Parses the text between `{%` and `%}`: the name of the tag, and the text after it.
pub fn in_tag(inside: &str) -> Option<(&str, &str)> {
    let inside = inside.trim_matches('-').trim();
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let end = inside.find(|c: char| !is_name(c)).unwrap_or(inside.len());
    inside.starts_with(|c: char| c.is_ascii_alphabetic()).then(|| (&inside[..end], inside[end..].trim()))
}

fn tag(it: &mut Translator<'_, '_>) -> bool {
    let Some((end, name, rest)) = read(it, it.lines.at) else { return is_never_closed(it) };
    let given = ArgumentList::of(rest);
    match name {
        "raw" => verbatim(it, "endraw", end),
        "comment" | "capture" | "for" | "javascript" | "stylesheet" => skip_block(it, name, end),
        "highlight" => highlight(it, &given, end),
        "include" | "include_relative" | "include_cached" => include(it, rest, &given, end),
        "link" => {
            let slash = if rest.starts_with('/') { "" } else { "/" };
            it.put_address(&format!("{slash}{rest}"), end);
        }
        "post_url" if post_address(rest).is_some() => {
            it.put_address(&post_address(rest).unwrap_or_default(), end);
        }
        "if" if is_false(it, rest) => match next_branch(it, end) {
            Some(("else" | "endif", next)) => it.remove(next),
            _ => it.leave_out(TAG.name, name, end),
        },
        "if" | "unless" | "case" => it.leave_out(TAG.name, name, end),
        "else" | "elsif" => skip_branches(it, end),
        "when" => {
            if std::mem::replace(&mut it.liquid.has_branch, true) {
                skip_branches(it, end);
            } else {
                it.remove(end);
            }
        }
        "endif" | "endunless" | "endcase" => {
            it.liquid.has_branch = false;
            it.remove(end);
        }
        "assign" => {
            assign(it, rest);
            it.remove(end);
        }
        "hint" | "note" | "tip" | "warning" | "callout" | "alert" if !it.lines.is_row => {
            let kind = NoteKind::named(given.named(&["style", "type"]).unwrap_or(name)).unwrap_or_default();
            let edges = boxes::note(&it.blocks, kind, given.named(&["title"]).unwrap_or_default());
            it.open_box(BlockKind::Named(name), edges, end, false);
        }
        "tabs" | "codetabs" if !it.lines.is_row => {
            it.open_box(BlockKind::Named(name), boxes::tabs(), end, false);
        }
        "tab" | "codetab" if !it.lines.is_row => {
            let bare: Vec<&str> = given.bare().collect();
            let label =
                given.named(&["title", "label", "name"]).map_or_else(|| bare.join(" "), str::to_string);
            it.open_box(BlockKind::Named(name), boxes::tab(&label), end, false);
        }
        "details" if !it.lines.is_row => {
            it.open_box(BlockKind::Named(name), boxes::details(rest), end, false);
        }
        "embed" | "file" | "content-ref" if given.named(&["url", "src"]).is_some() => {
            let target = given.named(&["url", "src"]).unwrap_or_default();
            let text = given.named(&["caption"]).unwrap_or(target);
            it.put(&format!("[{text}](<{target}>)"), end);
        }
        "code" | "stepper" | "step" | "columns" | "column" | "swagger" => it.remove(end),
        _ => {
            if let Some(opened) = name.strip_prefix("end") {
                it.close_block(opened, end);
                return true;
            }
            let problem = misspelled(it, name);
            it.notes.problems.extend(problem);
            it.leave_out(TAG.name, name, end);
        }
    }
    true
}

/// Returns the finding for a tag that differs by a letter from one of Liquid or Jekyll: <https://jekyllrb.com/docs/liquid/tags/>.
fn misspelled(it: &Translator<'_, '_>, name: &str) -> Option<Problem> {
    const KNOWN: [&str; 17] = [
        "assign",
        "capture",
        "case",
        "comment",
        "cycle",
        "decrement",
        "highlight",
        "include",
        "include_cached",
        "include_relative",
        "increment",
        "link",
        "post_url",
        "raw",
        "render",
        "tablerow",
        "unless",
    ];
    let meant = KNOWN.iter().find(|known| distance_within(name, known, 1) == Some(1))?;
    let start = it.lines.at + it.lines.rest().find(name)?;
    let message = format!("unknown tag `{name}`");
    let help = format!("did you mean `{meant}`? Jekyll stops here");
    let problem = Problem::new(Code::UnknownDirective, start..start + name.len(), message).help(help);
    (it.depth == 0 && it.has(Syntax::Kramdown)).then(|| problem.as_warning())
}

/// Reports a tag without an end, at which Jekyll stops.
fn is_never_closed(it: &mut Translator<'_, '_>) -> bool {
    /// Maximum length of a tag in a line, in bytes.
    const LONGEST: usize = 400;
    let start = it.lines.at;
    let rest = it.lines.rest()[2..].trim_start_matches(['-', ' ']);
    let is_tag = rest.starts_with(|c: char| c.is_ascii_lowercase());
    let near = near_start(it.lines.rest(), LONGEST);
    let line = near[2..].lines().next().unwrap_or_default();
    let is_open = !line.split("{%").next().unwrap_or_default().contains("%}");
    if is_tag && it.depth == 0 && it.has(Syntax::Kramdown) && is_open {
        let problem = Problem::new(Code::UnbalancedBlock, start..start + 2, "the tag `{%` is never closed");
        let help = "add `%}` at its end; Jekyll stops here".to_string();
        it.notes.problems.push(problem.help(help).as_warning());
    }
    false
}

/// Copies the text up to a tag without changes.
fn verbatim(it: &mut Translator<'_, '_>, close: &str, from: usize) {
    match closing(it, close, from) {
        Some((close, end)) => {
            it.lines.at = from;
            it.copy_to(close);
            it.lines.at = end;
            it.out.has_removed = true;
        }
        None => it.remove(from),
    }
}

/// Returns the start and end of the next tag with this name. Loops contain others.
fn closing(it: &mut Translator<'_, '_>, name: &str, from: usize) -> Option<(usize, usize)> {
    let (mut at, mut depth) = (from, 0_usize);
    if it.fuel.is_missing(name) || it.fuel.is_empty() {
        return None;
    }
    loop {
        let Some(found) = it.fuel.find(it.lines.text, at, "{%") else {
            it.fuel.miss(name);
            return None;
        };
        at = found + 2;
        match read(it, found) {
            Some((_, "for", _)) if name == "endfor" => depth += 1,
            Some((end, found_name, _)) if found_name == name => {
                if depth == 0 {
                    return Some((found, end));
                }
                depth -= 1;
            }
            _ => {}
        }
    }
}

fn skip_block(it: &mut Translator<'_, '_>, name: &str, end: usize) {
    let close = closing(it, &format!("end{name}"), end).map_or(end, |(_, end)| end);
    match name {
        "comment" => it.remove(close),
        _ => it.leave_out(TAG.name, name, close),
    }
}

/// Skips all branches of a condition except the first one, up to its end, including nested conditions.
fn skip_branches(it: &mut Translator<'_, '_>, from: usize) {
    match tag_around(it, from, &["endif", "endunless", "endcase"]) {
        Some((_, end)) => {
            it.liquid.has_branch = false;
            it.remove(end);
        }
        None => it.remove(from),
    }
}

/// Whether a condition tests for a value that isn't set.
fn is_false(it: &Translator<'_, '_>, condition: &str) -> bool {
    let is_name =
        condition.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'));
    let value = match condition.split_once('.') {
        Some(("page", key)) => it.lines.front(key).map(Cow::into_owned),
        Some(("site", _)) => it.dialect.values.get(condition).cloned(),
        _ => return false,
    };
    is_name && value.is_none_or(|value| value == "false")
}

/// Returns the tag that ends the first branch of a condition, which begins at `from`, and its end.
fn next_branch<'t>(it: &mut Translator<'t, '_>, from: usize) -> Option<(&'t str, usize)> {
    tag_around(it, from, &["else", "elsif", "endif"])
}

/// Returns the next tag with one of the names outside conditions that begin after `from`, and its end.
fn tag_around<'t>(it: &mut Translator<'t, '_>, from: usize, names: &[&str]) -> Option<(&'t str, usize)> {
    let mut depth = 0_usize;
    let mut at = from;
    while let Some(found) = it.fuel.find(it.lines.text, at, "{%").filter(|_| !it.fuel.is_empty()) {
        at = found + 2;
        let Some((end, name, _)) = read(it, found) else { continue };
        match name {
            "if" | "unless" | "case" => depth += 1,
            name if depth == 0 && names.contains(&name) => return Some((name, end)),
            "endif" | "endunless" | "endcase" => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

fn highlight(it: &mut Translator<'_, '_>, given: &ArgumentList<'_>, from: usize) {
    let language = given.first().unwrap_or_default();
    match closing(it, "endhighlight", from).filter(|_| !it.lines.is_row) {
        Some((close, end)) => {
            let fenced = parts::fenced(&it.lines.text[from..close], language);
            it.put_lines(&fenced, end);
        }
        None => it.leave_out(TAG.name, "highlight", from),
    }
}

fn include(it: &mut Translator<'_, '_>, rest: &str, given: &ArgumentList<'_>, end: usize) {
    let file = given.first().unwrap_or_default();
    if file.is_empty() || rest.starts_with("{{") {
        return it.leave_out(TAG.name, "include", end);
    }
    if let Some(text) = it.part(file, InclusionKind::Markdown, it.lines.at..end) {
        let problem = unread_argument(it, (file, text), given, end);
        it.notes.problems.extend(problem);
        let markdown = it.included(text, given.pairs().into_iter().collect(), end);
        return it.put_markdown(&markdown, end);
    }
    // An include that is a box is recognized without its file.
    let stem = site_path::file_name(file).split('.').next().unwrap_or_default();
    let kind = NoteKind::named(stem).or_else(|| NoteKind::named(given.named(&["type"])?));
    if let (Some(kind), Some(content), false) = (kind, given.named(&["content"]), it.lines.is_row) {
        let marks = ":".repeat(it.blocks.note_colons());
        return it.put_lines(&format!("{marks}{}\n{}\n{marks}", kind.class(), content.trim()), end);
    }
    let span = it.lines.at..end;
    it.note(TAG.name, file, OmissionReason::Missing, span);
    it.remove(end);
}

/// Returns the finding for the first argument that an included file doesn't read: <https://jekyllrb.com/docs/includes/>.
fn unread_argument(
    it: &Translator<'_, '_>,
    (file, text): (&str, &str),
    given: &ArgumentList<'_>,
    end: usize,
) -> Option<Problem> {
    const OBJECT: &str = "include";
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let mut read = Vec::new();
    for (at, _) in text.match_indices(OBJECT) {
        let rest = &text[at + OBJECT.len()..];
        let name = rest.strip_prefix('.').map(|rest| rest.split(|c| !is_name(c)).next().unwrap_or_default());
        let is_tag =
            || text[..at].trim_end_matches(['-', ' ']).ends_with("{%") || text[..at].ends_with("end");
        match name {
            Some(name) if !name.is_empty() => read.push(name),
            // It reads them in another way, such as `include[name]`.
            _ if rest.starts_with(['[', ' ', '}', '-']) && !is_tag() => return None,
            _ => {}
        }
    }
    let name = given.names().find(|name| !read.contains(name))?;
    let written = &it.lines.text[it.lines.at..end];
    let at = written.match_indices(name).map(|(at, _)| at);
    let is_argument = |at: &usize| {
        written[..*at].ends_with(char::is_whitespace)
            && written[at + name.len()..].trim_start().starts_with('=')
    };
    let start = it.lines.at + at.into_iter().find(is_argument)?;
    let message = format!("{} doesn't read the argument `{name}`", quoted(file));
    let help = match nearest(name, read.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if read.is_empty() => "it reads no arguments; remove this one".to_string(),
        None => {
            read.sort_unstable();
            read.dedup();
            let one_of = if read.len() > 1 { "one of " } else { "" };
            format!("use {one_of}`{}`", read.join("`, `"))
        }
    };
    let problem = Problem::new(Code::UnknownKey, start..start + name.len(), message).help(help);
    (it.depth == 0 && it.has(Syntax::Kramdown)).then_some(problem)
}

/// Returns the files in a front matter list, as names for [`InclusionKind::Markdown`]. A layout shows them after the
/// page's own text, with `{% for section in page.sections %}{% include {{ section }} %}`.
pub(super) fn listed(front: &str) -> impl Iterator<Item = String> {
    let of_line = |line: &'_ str| {
        let line = line.trim();
        let item = line.strip_prefix("- ").or_else(|| line.split_once(": [").map(|(_, list)| list));
        item.unwrap_or_default().trim_end_matches(']').to_string()
    };
    let items: Vec<String> = front.lines().map(of_line).collect();
    let names = items.iter().flat_map(|item| item.split(','));
    let names = names.map(|name| name.rsplit(": ").next().unwrap_or(name).trim().trim_matches(['"', '\'']));
    let is_file = |name: &&str| {
        (name.ends_with(".md") || name.ends_with(".markdown"))
            && !name.starts_with(['/', '.'])
            && !name.contains(' ')
    };
    names.filter(is_file).map(|name| format!("listed:{name}")).collect::<Vec<_>>().into_iter()
}

/// Adds the existing files of a front matter list after the page's own text.
fn listed_files(it: &mut Translator<'_, '_>) {
    if it.depth > 0 {
        return;
    }
    let end = it.lines.text.len();
    for name in listed(&it.lines.text[..it.lines.body]) {
        if let Some(text) = it.part(&name, InclusionKind::Markdown, end..end) {
            let markdown = it.included(text, SortedMap::new(), end);
            it.put_lines(&format!("\n{markdown}\n"), end);
        }
    }
}

fn assign(it: &mut Translator<'_, '_>, rest: &str) {
    let Some((name, value)) = rest.split_once('=') else { return };
    let value = value.trim();
    let text = value.strip_prefix(['"', '\'']).and_then(|inside| inside.strip_suffix(['"', '\'']));
    if let Some(text) = text.filter(|text| !text.contains(['"', '\'', '|'])) {
        it.arguments.insert(name.trim().to_string(), text.to_string());
    }
}

/// Filters that don't change a URL or text for Stepkin's purposes.
const FILTERS: [&str; 8] = [
    "relative_url",
    "absolute_url",
    "escape",
    "strip",
    "markdownify",
    "prepend: site.baseurl",
    "xml_escape",
    "url_encode",
];

/// Returns the site's base path, without a slash at the end: <https://jekyllrb.com/docs/configuration/options/>. In our own Markdown,
/// addresses don't contain it.
fn base_path(it: &Translator<'_, '_>) -> String {
    if !it.marks_unknown {
        return String::new();
    }
    it.dialect.values.get("site.baseurl").map_or(String::new(), |base| base.trim_end_matches('/').to_string())
}

fn output(it: &mut Translator<'_, '_>) -> bool {
    let Some(close) = it.find_in_line(it.lines.at + 2, "}}") else { return never_ends(it) };
    // Liquid ends an output at the first brace: `PartialTemplateParser` in liquid/lib/liquid.rb.
    if it.has(Syntax::Kramdown) && it.find_in_line(it.lines.at + 2, "}").is_some_and(|brace| brace < close) {
        return never_ends(it);
    }
    let inside = it.lines.text[it.lines.at + 2..close].trim_matches('-').trim();
    let end = close + 2;
    let mut parts = inside.split('|').map(str::trim);
    let value = parts.next().unwrap_or_default();
    let filters: Vec<&str> = parts.collect();
    if !filters.iter().all(|filter| FILTERS.contains(filter)) {
        it.leave_out(OUTPUT.name, inside, end);
        return true;
    }
    let quoted = value.strip_prefix(['"', '\'']).and_then(|inside| inside.strip_suffix(['"', '\'']));
    if let Some(text) = quoted {
        let start = it.lines.at + it.lines.text[it.lines.at..end].find(text).unwrap_or(0);
        // These filters return paths from the root: jekyll/lib/jekyll/filters/url_filters.rb.
        let is_path = filters.iter().any(|it| matches!(*it, "relative_url" | "absolute_url"));
        if is_path && !text.contains(':') {
            let base = base_path(it);
            let slash = |path: &str| if path.is_empty() || path.starts_with('/') { "" } else { "/" };
            let before = format!("{}{base}{}", slash(&base), if text.starts_with('/') { "" } else { "/" });
            it.out.put(&before, it.lines.at..start);
        }
        it.out.copy(it.lines.text, start..start + text.len());
        it.lines.at = end;
        it.out.has_removed |= text.is_empty();
        return true;
    }
    if value == "site.baseurl" {
        let base = base_path(it);
        it.put(&base, end);
        it.out.has_removed |= base.is_empty();
        return true;
    }
    if matches!(value, "site.url" | "site.github.url") {
        it.remove(end);
        return true;
    }
    let known = it.arguments.get(value.strip_prefix("include.").unwrap_or(value)).cloned();
    let known = known.or_else(|| it.lines.front(value.strip_prefix("page.")?).map(Cow::into_owned));
    let known = known.or_else(|| it.dialect.values.get(value).cloned());
    if let Some(text) = known {
        it.put(&text, end);
    } else {
        let problem = missing_data(it, value);
        it.notes.problems.extend(problem);
        it.leave_out(OUTPUT.name, inside, end);
    }
    true
}

/// Returns the finding for an output of data that its file lacks: <https://jekyllrb.com/docs/datafiles/>.
fn missing_data(it: &Translator<'_, '_>, value: &str) -> Option<Problem> {
    let name = value.strip_prefix("site.data.")?;
    let is_path = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let (table, key) = value.rsplit_once('.').filter(|_| name.contains('.') && name.chars().all(is_path))?;
    let values = &it.dialect.values;
    let within = |table: &str| {
        let start = format!("{table}.");
        values.keys().filter_map(move |name| name.strip_prefix(&start)?.split('.').next())
    };
    let is_table = within(value).next().is_some() || matches!(key, "size" | "first" | "last");
    let mut known = within(table).filter(|_| !is_table).peekable();
    known.peek()?;
    let start = it.lines.at + it.lines.rest().find(value)?;
    let span = start + table.len() + 1..start + value.len();
    let message = format!("the data in `{}` has no `{key}`", table.trim_start_matches("site."));
    let help = match nearest(key, known) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "Jekyll shows nothing here".to_string(),
    };
    let problem = Problem::new(Code::UnusualValue, span, message).help(help);
    (it.depth == 0 && it.has(Syntax::Kramdown)).then_some(problem)
}
