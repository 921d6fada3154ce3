//! Liquid's tags and outputs, `{% name %}` and `{{ name }}`, of Jekyll and `GitBook`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::arguments::Arguments;
use super::directives::attribute;
use super::{BlockKind, Close, InclusionKind, Translator, Why, parts};
use crate::input::conventions::post_address;
use crate::markup::markdown::NoteKind;

const TAG: &str = "liquid-tag";
const OUTPUT: &str = "template-output";

/// Translates what is at `{%` or `{{`.
pub(super) fn place(it: &mut Translator<'_, '_>) -> bool {
    let rest = it.rest();
    if rest.starts_with("{%") {
        tag(it)
    } else if rest.starts_with("{{") {
        output(it)
    } else {
        false
    }
}

/// The end of the tag at `at`, its name, and what follows that.
fn read<'t>(it: &mut Translator<'t, '_>, at: usize) -> Option<(usize, &'t str, &'t str)> {
    let close = it.fuel.find(it.text, at + 2, "%}")?;
    let inside = it.text[at + 2..close].trim_matches('-').trim();
    let end = inside.find(char::is_whitespace).unwrap_or(inside.len());
    let is_name = inside.starts_with(|c: char| c.is_ascii_alphabetic());
    is_name.then_some((close + 2, &inside[..end], inside[end..].trim()))
}

fn tag(it: &mut Translator<'_, '_>) -> bool {
    let Some((end, name, rest)) = read(it, it.at) else { return false };
    let given = Arguments::of(rest);
    match name {
        "raw" => verbatim(it, "endraw", end),
        "comment" | "capture" | "for" | "javascript" | "stylesheet" => skip_block(it, name, end),
        "highlight" => highlight(it, &given, end),
        "include" | "include_relative" | "include_cached" => include(it, rest, &given, end),
        "link" => {
            let slash = if rest.starts_with('/') { "" } else { "/" };
            it.put(&format!("{slash}{rest}"), end);
        }
        "post_url" if post_address(rest).is_some() => {
            it.put(&post_address(rest).unwrap_or_default(), end);
        }
        "if" if is_false(it, rest) => match next_branch(it, end) {
            Some(("else" | "endif", next)) => it.remove(next),
            _ => it.leave_out(TAG, name, end),
        },
        "if" | "unless" | "case" => it.leave_out(TAG, name, end),
        "else" | "elsif" => skip_branches(it, end),
        "when" => match std::mem::replace(&mut it.has_branch, true) {
            true => skip_branches(it, end),
            false => it.remove(end),
        },
        "endif" | "endunless" | "endcase" => {
            it.has_branch = false;
            it.remove(end);
        }
        "assign" => {
            assign(it, rest);
            it.remove(end);
        }
        "hint" | "note" | "tip" | "warning" | "callout" | "alert" if !it.is_row => {
            let kind = NoteKind::named(given.named(&["style", "type"]).unwrap_or(name)).unwrap_or_default();
            let title = given.named(&["title"]).map(|title| format!(" {title}")).unwrap_or_default();
            let marks = ":".repeat(it.note_colons());
            it.put_lines(&format!("{marks}{}{title}", kind.class()), end);
            it.open(BlockKind::Named(name), Close::Lines(marks));
        }
        "tabs" | "codetabs" if !it.is_row => {
            it.put_lines("<tabs>", end);
            it.open(BlockKind::Named(name), Close::Lines("</tabs>".to_string()));
        }
        "tab" | "codetab" if !it.is_row => {
            let bare: Vec<&str> = given.bare().collect();
            let label =
                given.named(&["title", "label", "name"]).map_or_else(|| bare.join(" "), str::to_string);
            it.put_lines(&format!("<tab label=\"{}\">", attribute(&label)), end);
            it.open(BlockKind::Named(name), Close::Lines("</tab>".to_string()));
        }
        "details" if !it.is_row => {
            it.put_lines(&format!("<details>\n<summary>{}</summary>\n", attribute(rest)), end);
            it.open(BlockKind::Named(name), Close::Lines("\n</details>".to_string()));
        }
        "embed" | "file" | "content-ref" if given.named(&["url", "src"]).is_some() => {
            let target = given.named(&["url", "src"]).unwrap_or_default();
            let text = given.named(&["caption"]).unwrap_or(target);
            it.put(&format!("[{text}](<{target}>)"), end);
        }
        "code" | "stepper" | "step" | "columns" | "column" | "swagger" => it.remove(end),
        _ => match name.strip_prefix("end") {
            Some(opened) => it.close_block(opened, end),
            None => it.leave_out(TAG, name, end),
        },
    }
    true
}

/// Copies what is up to a tag as it is.
fn verbatim(it: &mut Translator<'_, '_>, close: &str, from: usize) {
    match closing(it, close, from) {
        Some((close, end)) => {
            it.at = from;
            it.copy_to(close);
            it.at = end;
            it.has_removed = true;
        }
        None => it.remove(from),
    }
}

/// Where the next tag of a name begins, and ends.
fn closing(it: &mut Translator<'_, '_>, name: &str, from: usize) -> Option<(usize, usize)> {
    let mut at = from;
    if it.fuel.is_missing(name) || it.fuel.is_empty() {
        return None;
    }
    loop {
        let Some(found) = it.fuel.find(it.text, at, "{%") else {
            it.fuel.miss(name);
            return None;
        };
        at = found + 2;
        if let Some((end, found_name, _)) = read(it, found)
            && found_name == name
        {
            return Some((found, end));
        }
    }
}

fn skip_block(it: &mut Translator<'_, '_>, name: &str, end: usize) {
    let close = closing(it, &format!("end{name}"), end).map_or(end, |(_, end)| end);
    match name {
        "comment" => it.remove(close),
        _ => it.leave_out(TAG, name, close),
    }
}

/// Leaves out the branches of a condition but the first: to its end, with conditions within.
fn skip_branches(it: &mut Translator<'_, '_>, from: usize) {
    match tag_around(it, from, &["endif", "endunless", "endcase"]) {
        Some((_, end)) => {
            it.has_branch = false;
            it.remove(end);
        }
        None => it.remove(from),
    }
}

/// Whether a condition is that something is set which is not.
fn is_false(it: &Translator<'_, '_>, condition: &str) -> bool {
    let is_name =
        condition.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'));
    let value = match condition.split_once('.') {
        Some(("page", key)) => it.front(key).map(Cow::into_owned),
        Some(("site", _)) => it.dialect.values.get(condition).cloned(),
        _ => return false,
    };
    is_name && value.is_none_or(|value| value == "false")
}

/// The tag that ends the first branch of a condition, which begins at `from`, and where that tag ends.
fn next_branch<'t>(it: &mut Translator<'t, '_>, from: usize) -> Option<(&'t str, usize)> {
    tag_around(it, from, &["else", "elsif", "endif"])
}

/// The next tag of some names that is in no condition which begins after `from`, and where it ends.
fn tag_around<'t>(it: &mut Translator<'t, '_>, from: usize, names: &[&str]) -> Option<(&'t str, usize)> {
    let mut depth = 0_usize;
    let mut at = from;
    while let Some(found) = it.fuel.find(it.text, at, "{%").filter(|_| !it.fuel.is_empty()) {
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

fn highlight(it: &mut Translator<'_, '_>, given: &Arguments<'_>, from: usize) {
    let language = given.first().unwrap_or_default();
    match closing(it, "endhighlight", from).filter(|_| !it.is_row) {
        Some((close, end)) => {
            let fenced = parts::fenced(&it.text[from..close], language);
            it.put_lines(&fenced, end);
        }
        None => it.leave_out(TAG, "highlight", from),
    }
}

fn include(it: &mut Translator<'_, '_>, rest: &str, given: &Arguments<'_>, end: usize) {
    let file = given.first().unwrap_or_default();
    if file.is_empty() || rest.starts_with("{{") {
        return it.leave_out(TAG, "include", end);
    }
    if let Some(text) = it.part(file, InclusionKind::Markdown, it.at..end) {
        let markdown = it.included(text, given.pairs().into_iter().collect(), end);
        return it.put_markdown(&markdown, end);
    }
    // A box by an include is known without its file.
    let stem = file.rsplit('/').next().unwrap_or_default().split('.').next().unwrap_or_default();
    let kind = NoteKind::named(stem).or_else(|| NoteKind::named(given.named(&["type"])?));
    if let (Some(kind), Some(content), false) = (kind, given.named(&["content"]), it.is_row) {
        let marks = ":".repeat(it.note_colons());
        return it.put_lines(&format!("{marks}{}\n{}\n{marks}", kind.class(), content.trim()), end);
    }
    let span = it.at..end;
    it.note(TAG, file, Why::Missing, span);
    it.remove(end);
}

/// The files that a list in the front matter names, each as [`InclusionKind::Markdown`] asks for it: a layout shows them after the
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

/// Adds the files that a list in the front matter names and that are there, after the page's own text.
pub(super) fn listed_files(it: &mut Translator<'_, '_>) {
    if it.depth > 0 {
        return;
    }
    let end = it.text.len();
    for name in listed(&it.text[..it.body]) {
        if let Some(text) = it.part(&name, InclusionKind::Markdown, end..end) {
            let markdown = it.included(text, BTreeMap::new(), end);
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

/// Filters that leave an address or a text what it is to a reader of the source.
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

fn output(it: &mut Translator<'_, '_>) -> bool {
    let Some(close) = it.find_in_line(it.at + 2, "}}") else { return false };
    let inside = it.text[it.at + 2..close].trim_matches('-').trim();
    let end = close + 2;
    let mut parts = inside.split('|').map(str::trim);
    let value = parts.next().unwrap_or_default();
    if !parts.all(|filter| FILTERS.contains(&filter)) {
        it.leave_out(OUTPUT, inside, end);
        return true;
    }
    let quoted = value.strip_prefix(['"', '\'']).and_then(|inside| inside.strip_suffix(['"', '\'']));
    if let Some(text) = quoted {
        let start = it.at + it.text[it.at..end].find(text).unwrap_or(0);
        it.out.copy(it.text, start..start + text.len());
        it.at = end;
        it.has_removed |= text.is_empty();
        return true;
    }
    if matches!(value, "site.baseurl" | "site.url" | "site.github.url") {
        it.remove(end);
        return true;
    }
    let known = it.arguments.get(value.strip_prefix("include.").unwrap_or(value)).cloned();
    let known = known.or_else(|| it.front(value.strip_prefix("page.")?).map(Cow::into_owned));
    let known = known.or_else(|| it.dialect.values.get(value).cloned());
    match known {
        Some(text) => it.put(&text, end),
        None => it.leave_out(OUTPUT, inside, end),
    }
    true
}
