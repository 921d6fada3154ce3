//! Hugo's shortcodes: `{{< name >}}` and `{{% name %}}`.

use std::ops::Range;

use super::arguments::ArgumentList;
use super::blocks::{BlockKind, Close, FURTHEST};
use super::construct::{AS_WRITTEN, Construct, Slip, TextPlace, closed_by};
use super::notes::InclusionKind;
use super::state::{Shortcodes, SingleShortcode};
use super::translator::{RuleAt, Translator};
use super::{boxes, conditions, liquid, parts};
use crate::markdown::page::{NoteKind, OmissionReason};
use base::diagnostic::{Code, Problem};
use input::conventions::Syntax;

/// `{{< name >}}`, `{{% name %}}`.
pub(in crate::markdown) const SHORTCODE: Construct = Construct {
    name: "hugo-shortcode",
    nouns: ("a Hugo shortcode", "Hugo shortcodes"),
    syntaxes: &[Syntax::Shortcodes],
    slip: Some(Slip {
        opens: &["{{<", "{{%"],
        length: shortcode,
        seen: AS_WRITTEN,
        help: "replace it: with `:::note` … `:::` for a box, `<tabs>` for tabs, or a path for `ref`",
    }),
    becomes: &[
        (&[Syntax::Shortcodes], RuleAt::Place("{{<", place)),
        (&[Syntax::Shortcodes], RuleAt::Place("{{%", place)),
        (&[Syntax::Shortcodes], RuleAt::Code(code)),
        (&[Syntax::Shortcodes], RuleAt::End(at_end)),
    ],
};

/// `{{ $name }}` on an included page.
pub(super) const ARGUMENT: Construct = Construct {
    name: "hugo-argument",
    syntaxes: &[Syntax::Shortcodes],
    becomes: &[(&[Syntax::Shortcodes], RuleAt::Place("{{", argument))],
    ..Construct::SILENT
};

/// Matches `{{< tabs >}}` and `{{% alert %}}`: a name, or a slash and a name, follows.
fn shortcode(place: &TextPlace<'_>) -> Option<usize> {
    let inside = place.written[3..].trim_start_matches(['-', ' ', '\n', '/']);
    let close = if place.rest.starts_with("{{<") { ">}}" } else { "%}}" };
    inside.starts_with(|c: char| c.is_alphabetic()).then(|| closed_by(place.written, close)).flatten()
}

struct Shortcode<'t> {
    name: &'t str,
    arguments: &'t str,
    closes: bool,
    closes_itself: bool,
    end: usize,
}

/// Returns the position of the `>}}` or `%}}` of the tag that starts here, and reports a tag without one.
fn end_of_tag(it: &mut Translator<'_, '_>) -> Option<usize> {
    let close = if it.lines.rest().starts_with("{{<") { ">}}" } else { "%}}" };
    let inside = it.lines.at + 3;
    let end = it.fuel.find(it.lines.text, inside, close);
    let end = end.filter(|end| !it.lines.text[inside..*end].contains("{{"));
    if end.is_none() {
        let problem = unfinished(it, close);
        it.notes.problems.extend(problem);
    }
    end
}

fn read<'t>(it: &mut Translator<'t, '_>) -> Option<Shortcode<'t>> {
    let close_at = end_of_tag(it)?;
    let inside = it.lines.at + 3;
    let is_outside =
        |at: &usize| it.lines.text[inside..inside + at].matches(['"', '`']).count().is_multiple_of(2);
    let typographic = it.lines.text[inside..close_at].find(['“', '”', '„', '‟']);
    if let Some(at) = typographic.filter(|at| it.depth == 0 && is_outside(at)) {
        let start = inside + at;
        let quote = it.lines.text[start..].chars().next().map_or(0, char::len_utf8);
        let help = "use straight quotes; Hugo stops here".to_string();
        let message = "the shortcode has typographic quotes";
        let problem = Problem::new(Code::TypographicQuotes, start..start + quote, message).help(help);
        it.notes.problems.push(problem.as_warning());
    }
    let written = it.lines.text[inside..close_at].trim();
    let (written, closes_itself) = match written.strip_suffix('/') {
        Some(written) => (written.trim_end(), true),
        None => (written, false),
    };
    let (written, closes) = match written.strip_prefix('/') {
        Some(written) => (written.trim_start(), true),
        None => (written, false),
    };
    let end = written.find(char::is_whitespace).unwrap_or(written.len());
    let name = &written[..end];
    let is_name = name.starts_with(|c: char| c.is_alphanumeric());
    is_name.then_some(Shortcode {
        name,
        arguments: &written[end..],
        closes,
        closes_itself,
        end: close_at + 3,
    })
}

/// Returns the finding for a shortcode whose tag has no end, at which Hugo stops: `parser/pageparser/pagelexer_shortcode.go`.
fn unfinished(it: &Translator<'_, '_>, close: &str) -> Option<Problem> {
    let start = it.lines.at;
    let (sign, rest) = it.lines.rest().split_at(3);
    let is_tag =
        rest.trim_start_matches([' ', '-']).starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
    let message = format!("the shortcode `{sign}` has no `{close}` at its end");
    let help = format!("add `{close}`; Hugo stops here");
    let problem = Problem::new(Code::UnbalancedBlock, start..start + 3, message).help(help);
    (is_tag && it.depth == 0).then(|| problem.as_warning())
}

/// Translates a `{{<` or `{{%`.
pub(super) fn place(it: &mut Translator<'_, '_>) -> bool {
    if it.lines.rest()[3..].starts_with("/*") {
        return example(it, "\\");
    }
    let Some(shortcode) = read(it) else { return false };
    if shortcode.closes {
        close(it, shortcode.name, shortcode.end);
    } else {
        open(it, &shortcode);
    }
    true
}

/// Copies code with the examples in it. Hugo reads shortcodes in code too.
fn code(it: &mut Translator<'_, '_>, end: usize) {
    let written = &it.lines.text[it.lines.at..end];
    if !written.contains("{{<") && !written.contains("{{%") {
        return;
    }
    // An example may end after the code in which it begins.
    while let Some(at) = it.lines.text.get(it.lines.at..end).and_then(|rest| rest.find("{{")) {
        it.copy_to(it.lines.at + at);
        let rest = it.lines.rest();
        let is_example = rest.starts_with("{{</*") || rest.starts_with("{{%/*");
        if !is_example && (rest.starts_with("{{<") || rest.starts_with("{{%")) {
            end_of_tag(it);
        }
        if !is_example || !example(it, "") || it.lines.at > end {
            it.copy_to((it.lines.at + 2).min(end).max(it.lines.at));
        }
    }
}

/// Writes the shortcode in `{{</* name */>}}` literally, without the comment.
fn example(it: &mut Translator<'_, '_>, escape: &str) -> bool {
    let Some(close) = it.fuel.find(it.lines.text, it.lines.at + 5, "*/") else { return false };
    let after = &it.lines.text[close + 2..];
    if !after.starts_with(">}}") && !after.starts_with("%}}") {
        return false;
    }
    let start = it.lines.at;
    it.out.copy(it.lines.text, start..start + 2);
    it.out.put(escape, start + 2..start + 3);
    it.out.copy(it.lines.text, start + 2..start + 3);
    it.out.copy(it.lines.text, start + 5..close);
    it.out.copy(it.lines.text, close + 2..close + 5);
    it.lines.at = close + 5;
    true
}

/// Replaces `{{ $name }}` on an included page with the including page's value.
fn argument(it: &mut Translator<'_, '_>) -> bool {
    if it.depth == 0 || it.lines.rest().starts_with("{{<") || it.lines.rest().starts_with("{{%") {
        return false;
    }
    let Some(close) = it.find_in_line(it.lines.at + 2, "}}") else { return false };
    let inside = it.lines.text[it.lines.at + 2..close].trim().trim_matches('-').trim();
    let end = close + 2;
    match it.arguments.get(inside.trim_start_matches(['$', '.'])).cloned() {
        Some(value) => it.put(&value, end),
        None => it.leave_out(liquid::OUTPUT.name, inside, end),
    }
    true
}

fn close<'t>(it: &mut Translator<'t, '_>, name: &'t str, end: usize) {
    let near = it.shortcodes.single.len().saturating_sub(FURTHEST);
    if let Some(open) = it.shortcodes.single[near..].iter().rposition(|it| it.name == name) {
        it.shortcodes.single.remove(near + open);
        it.shortcodes.closed.insert(name);
    }
    it.close_block(name, end);
}

/// Records a shortcode that doesn't become a block, until it is closed.
fn single<'t>(it: &mut Translator<'t, '_>, shortcode: &Shortcode<'t>, has_content: bool) {
    if !shortcode.closes_itself && it.depth == 0 {
        let span = it.lines.at..shortcode.end;
        it.shortcodes.single.push(SingleShortcode { name: shortcode.name, span, has_content });
    }
}

/// Reports the shortcodes without a closing one, at which Hugo stops if their template shows their content. So all of a name are closed,
/// or none: <https://gohugo.io/templates/shortcode/>.
fn at_end(it: &mut Translator<'_, '_>) {
    let Shortcodes { single, closed, .. } = &it.shortcodes;
    let open = single.iter().filter(|it| it.has_content || closed.contains(it.name));
    it.notes.problems.extend(open.map(|SingleShortcode { name, span, .. }| {
        let (start, end) =
            (&it.lines.text[span.start..span.start + 3], &it.lines.text[span.end - 3..span.end]);
        let message = format!("`{start} {name} {end}` is never closed");
        let help = format!("add `{start} /{name} {end}` after its content; Hugo stops here");
        Problem::new(Code::UnbalancedBlock, span.clone(), message).help(help).as_warning()
    }));
}

fn open<'t>(it: &mut Translator<'t, '_>, code: &Shortcode<'t>) {
    let given = ArgumentList::of(code.arguments);
    let end = code.end;
    match code.name {
        "ref" | "relref" => match given.named(&["path"]).or(given.first()) {
            Some(target) => it.put_address(target, end),
            None => it.leave_out(SHORTCODE.name, code.name, end),
        },
        "figure" | "img" | "image" if given.named(&["src"]).or(given.first()).is_some() => {
            figure(it, &given, end);
        }
        name @ ("highlight" | "code") if !code.closes_itself => {
            highlight(it, code, &given, name == "highlight");
        }
        "tabpane" | "tabs" | "codetabs" if !it.lines.is_row => tabs(it, code, &given),
        "tab" | "codetab" if !it.lines.is_row => tab(it, code, &given),
        "details" | "expand" | "collapse" | "spoiler" if !it.lines.is_row => details(it, code, &given),
        "include" | "readfile" | "include-file" | "readFile" => include(it, code, &given),
        "param" => match given.first().and_then(|name| parameter(it, name)) {
            Some(value) => it.put(&value, end),
            None => {
                it.leave_out(SHORTCODE.name, &format!("param {}", given.first().unwrap_or_default()), end);
            }
        },
        "youtube" | "vimeo" | "gist" | "youtube-enhanced" => video(it, code, &given),
        "columns" | "column" | "row" | "center" | "cardpane" | "rawhtml" | "html" | "steps"
        | "hint-group" | "br" | "blocks/section" | "cards" => plain(it, code),
        name if !it.lines.is_row && is_note(name) => note(it, code, &given),
        name if !code.closes_itself && conditions::open_shortcode(it, name, end) => {}
        _ => own(it, code, &given),
    }
}

/// Returns the page's parameter, or else the site's.
fn parameter(it: &Translator<'_, '_>, name: &str) -> Option<String> {
    let of_site = || it.dialect.values.get(&format!("param {}", name.to_lowercase())).cloned();
    it.lines.front(name).map(std::borrow::Cow::into_owned).or_else(of_site)
}

fn is_note(name: &str) -> bool {
    NoteKind::named(name).is_some()
        || matches!(name, "alert" | "pageinfo" | "callout" | "notice" | "admonition")
}

fn figure(it: &mut Translator<'_, '_>, given: &ArgumentList<'_>, end: usize) {
    let source = given.named(&["src"]).or(given.first()).unwrap_or_default();
    let caption = given.named(&["caption", "title"]);
    let alt = given.named(&["alt"]).or(caption).unwrap_or_default();
    let alt = alt.replace('[', "\\[").replace(']', "\\]").replace('\n', " ");
    let place = it.lines.at + it.lines.text[it.lines.at..end].find(source).unwrap_or(0);
    let (open, close) = if source.contains([' ', '(', ')']) { ("<", ">") } else { ("", "") };
    it.out.put(&format!("![{alt}]({open}"), it.lines.at..place);
    it.out.copy(it.lines.text, place..place + source.len());
    let caption = caption.filter(|caption| *caption != alt && !it.lines.is_row);
    let caption =
        caption.map(|caption| format!("\n{0}\n{0}*{1}*", it.lines.lead, caption.trim())).unwrap_or_default();
    it.out.put(&format!("{close}){caption}"), place + source.len()..end);
    it.lines.at = end;
}

/// Returns the start and end of the closing shortcode with this name.
fn closing(it: &mut Translator<'_, '_>, name: &str, from: usize) -> Option<(usize, usize)> {
    let mut at = from;
    let wanted = format!("end of {name}");
    if it.fuel.is_missing(&wanted) || it.fuel.is_empty() {
        return None;
    }
    loop {
        let Some(found) = it.fuel.find(it.lines.text, at, "{{") else {
            it.fuel.miss(&wanted);
            return None;
        };
        let inside = it.lines.text[found + 2..].trim_start_matches(['<', '%']).trim_start();
        at = found + 2;
        let Some(rest) = inside.strip_prefix('/').map(str::trim_start) else { continue };
        let Some(rest) = rest.strip_prefix(name).map(str::trim_start) else { continue };
        if rest.starts_with(">}}") || rest.starts_with("%}}") {
            return Some((found, it.lines.text.len() - rest.len() + 3));
        }
    }
}

/// Writes the content between two shortcodes as a code block.
fn put_code(it: &mut Translator<'_, '_>, language: &str, inside: Range<usize>, end: usize) {
    let fenced = parts::fenced(&it.lines.text[inside], language);
    it.put_lines(&fenced, end);
}

/// Writes the content of a shortcode as code. `has_content` says whether it is known to need a closing one: themes have others.
fn highlight<'t>(
    it: &mut Translator<'t, '_>,
    shortcode: &Shortcode<'t>,
    given: &ArgumentList<'_>,
    has_content: bool,
) {
    let language = given.named(&["lang", "language"]).or(given.first()).unwrap_or_default();
    let (text, sign) = (it.lines.text, &it.lines.text[it.lines.at..it.lines.at + 3]);
    let begins = |start: &str| {
        start.trim_start().strip_prefix(shortcode.name).is_some_and(|it| it.starts_with([' ', '>', '%']))
    };
    // The closing one belongs to the last of several, as in Hugo.
    let is_own = |(close, _): &(usize, usize)| !text[shortcode.end..*close].split(sign).skip(1).any(begins);
    match closing(it, shortcode.name, shortcode.end).filter(is_own) {
        Some((close, end)) if !it.lines.is_row => put_code(it, language, shortcode.end..close, end),
        None => {
            single(it, shortcode, has_content);
            it.leave_out(SHORTCODE.name, shortcode.name, shortcode.end);
        }
        _ => it.leave_out(SHORTCODE.name, shortcode.name, shortcode.end),
    }
}

fn tabs<'t>(it: &mut Translator<'t, '_>, shortcode: &Shortcode<'t>, given: &ArgumentList<'_>) {
    if shortcode.closes_itself {
        return it.remove(shortcode.end);
    }
    let is_text = given.named(&["text"]) == Some("true") || it.lines.rest().starts_with("{{%");
    let is_code = shortcode.name != "tabs" && !is_text;
    let language = given.named(&["lang"]).unwrap_or_default().to_string();
    it.shortcodes.code_tabs.push(is_code.then_some(language));
    it.open_box(BlockKind::Named(shortcode.name), boxes::tabs(), shortcode.end, false);
}

fn tab<'t>(it: &mut Translator<'t, '_>, shortcode: &Shortcode<'t>, given: &ArgumentList<'_>) {
    if given.named(&["disabled"]) == Some("true") {
        return it.remove(shortcode.end);
    }
    let bare: Vec<&str> = given.bare().collect();
    let label =
        given.named(&["header", "name", "title", "label"]).map_or_else(|| bare.join(" "), str::to_string);
    let (opening, close) =
        if shortcode.closes_itself { boxes::tab(&label) } else { conditions::tab(it, &label) };
    it.put_lines(&opening, shortcode.end);
    let code_tab = it.shortcodes.code_tabs.last().cloned().flatten();
    let language = given.named(&["lang"]).map(str::to_string).or(code_tab.clone());
    let found = code_tab.and_then(|_| closing(it, shortcode.name, shortcode.end));
    let found = found.filter(|(close, _)| !it.lines.text[shortcode.end..*close].contains("```"));
    if let (Some((closing, end)), Close::Lines(last)) = (found, &close) {
        let fenced = parts::fenced(&it.lines.text[shortcode.end..closing], &language.unwrap_or_default());
        it.put_lines(&format!("\n{fenced}\n\n{last}"), end);
    } else if shortcode.closes_itself {
        it.write_end(close, shortcode.end);
    } else {
        it.open(BlockKind::Named(shortcode.name), close);
    }
}

fn details<'t>(it: &mut Translator<'t, '_>, shortcode: &Shortcode<'t>, given: &ArgumentList<'_>) {
    let summary = given.named(&["title", "summary", "name", "header"]).or(given.first()).unwrap_or("Details");
    it.open_box(
        BlockKind::Named(shortcode.name),
        boxes::details(summary),
        shortcode.end,
        shortcode.closes_itself,
    );
}

fn note<'t>(it: &mut Translator<'t, '_>, shortcode: &Shortcode<'t>, given: &ArgumentList<'_>) {
    let mut bare: Vec<&str> = given.bare().collect();
    let said = given.named(&["type", "color", "style", "kind", "level"]);
    let by_name = NoteKind::named(shortcode.name);
    let kind = by_name.or_else(|| NoteKind::named(said?)).or_else(|| {
        let kind = bare.first().and_then(|word| NoteKind::named(word))?;
        bare.remove(0);
        Some(kind)
    });
    let title = given.named(&["title", "header", "heading"]).or_else(|| bare.first().copied());
    let mut edges = boxes::note(&it.blocks, kind.unwrap_or_default(), title.unwrap_or_default());
    let text = given.named(&["text", "content", "body", "message"]).filter(|_| shortcode.closes_itself);
    if let Some(text) = text {
        edges.0.push('\n');
        edges.0.push_str(&text.replace("\\\"", "\""));
    }
    it.open_box(BlockKind::Named(shortcode.name), edges, shortcode.end, shortcode.closes_itself);
}

fn include<'t>(it: &mut Translator<'t, '_>, shortcode: &Shortcode<'t>, given: &ArgumentList<'_>) {
    let Some(file) = given.named(&["file", "path", "src"]).or(given.first()) else {
        return it.leave_out(SHORTCODE.name, shortcode.name, shortcode.end);
    };
    let is_code = given.named(&["code"]) == Some("true");
    let kind = if is_code { InclusionKind::Code } else { InclusionKind::Markdown };
    let end = shortcode.end;
    match it.part(file, kind, it.lines.at..end) {
        Some(text) if is_code => {
            let language = given.named(&["lang"]).unwrap_or_else(|| parts::language(file));
            it.put_lines(&parts::fenced(text, language), end);
        }
        Some(text) => {
            let markdown = it.included(text, given.pairs().into_iter().collect(), end);
            it.put_markdown(&markdown, end);
        }
        None => {
            let span = it.lines.at..end;
            it.note(SHORTCODE.name, file, OmissionReason::Missing, span);
            it.remove(end);
        }
    }
}

fn video(it: &mut Translator<'_, '_>, shortcode: &Shortcode<'_>, given: &ArgumentList<'_>) {
    let Some(id) = given.named(&["id"]).or(given.first()) else {
        return it.leave_out(SHORTCODE.name, shortcode.name, shortcode.end);
    };
    let target = match shortcode.name {
        "vimeo" => format!("https://vimeo.com/{id}"),
        "gist" => format!("https://gist.github.com/{}", given.bare().take(2).collect::<Vec<_>>().join("/")),
        _ => format!("https://www.youtube.com/watch?v={id}"),
    };
    if target.contains([' ', '(', ')', '<', '>']) {
        return it.leave_out(SHORTCODE.name, shortcode.name, shortcode.end);
    }
    match given.named(&["title"]) {
        Some(title) => it.put(&format!("[{}]({target})", title.replace(['[', ']'], "")), shortcode.end),
        None => it.put(&format!("<{target}>"), shortcode.end),
    }
}

fn plain<'t>(it: &mut Translator<'t, '_>, shortcode: &Shortcode<'t>) {
    single(it, shortcode, false);
    it.remove(shortcode.end);
}

/// Translates a shortcode that the repository defines: its template if that is text, or else only its content.
fn own<'t>(it: &mut Translator<'t, '_>, shortcode: &Shortcode<'t>, given: &ArgumentList<'_>) {
    let name = format!("shortcode:{}", shortcode.name);
    let end = shortcode.end;
    let template = it.part(&name, InclusionKind::Markdown, it.lines.at..end);
    if template.is_some_and(highlights) && !shortcode.closes_itself {
        return highlight(it, shortcode, given, true);
    }
    let has_content = template.is_some_and(|text| text.contains(".Inner"));
    let text = template.and_then(plain_text);
    single(it, shortcode, has_content);
    match text {
        Some(text) => {
            let markdown = it.included(&text, given.pairs().into_iter().collect(), end);
            it.put_markdown(&markdown, end);
        }
        None => match template_of(it, &name, end) {
            Some(text) => {
                let markdown = it.included(&text, given.pairs().into_iter().collect(), end);
                it.put_markdown(&markdown, end);
            }
            None => it.leave_out(SHORTCODE.name, shortcode.name, end),
        },
    }
}

/// Whether a template shows its content as code: <https://gohugo.io/functions/transform/highlight/>.
fn highlights(template: &str) -> bool {
    let Some(at) = template.find(".Inner") else { return false };
    // `<pre><code>{{ .Inner }}`.
    let before = template[..at].rfind("{{").map_or("", |open| template[..open].trim_end());
    let tag = before.strip_suffix('>').and_then(|it| it.rsplit('<').next()).unwrap_or_default();
    let is_code = matches!(tag.split(' ').next(), Some("code" | "pre"));
    is_code
        || ["{{ highlight ", "{{- highlight ", "transform.Highlight "].iter().any(|it| template.contains(it))
}

/// Returns the text of the file that a template with actions passes on, if it contains a file name.
fn template_of(it: &mut Translator<'_, '_>, name: &str, end: usize) -> Option<String> {
    let span = it.lines.at..end;
    let file = it.part(name, InclusionKind::Markdown, span.clone()).and_then(passed_on)?.to_string();
    it.part(&file, InclusionKind::Markdown, span).map(str::to_string)
}

/// Returns the first Markdown file in the actions of a Hugo template.
pub(super) fn passed_on(template: &str) -> Option<&str> {
    let mut rest = template;
    while let Some(at) = rest.find("{{") {
        let inside = &rest[at + 2..];
        let is_comment = inside.trim_start_matches(['-', ' ']).starts_with("/*");
        let end = inside.find(if is_comment { "*/" } else { "}}" })?;
        let mut literals = inside[..end].split('"').skip(1).step_by(2);
        let found = literals.find(|text| text.ends_with(".md") && !text.contains([' ', '{', '$']));
        if let Some(file) = found.filter(|_| !is_comment && !inside.starts_with(['<', '%'])) {
            return Some(file);
        }
        rest = &inside[end..];
    }
    None
}

/// Returns a template without its comments if it is text without actions.
fn plain_text(template: &str) -> Option<String> {
    let mut text = String::new();
    let mut rest = template;
    while let Some(at) = rest.find("{{") {
        let inside = rest[at + 2..].trim_start_matches(['-', ' ']);
        if rest[at..].starts_with("{{<") || rest[at..].starts_with("{{%") {
            text.push_str(&rest[..at + 3]);
            rest = &rest[at + 3..];
            continue;
        }
        let comment = inside.strip_prefix("/*")?;
        let after = &comment[comment.find("*/")? + 2..];
        text.push_str(&rest[..at]);
        rest = &after[after.find("}}")? + 2..];
    }
    text.push_str(rest);
    Some(text)
}
