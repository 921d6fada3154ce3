//! Translates MDX components.

use super::address::{AttributeAddress, address, missing, put_address};
use super::names::inclusion;
use super::well_known::{WellKnown, is_tab, well_known};
use super::{code, kinds};
use crate::markdown::page::{NoteKind, OmissionReason};
use crate::markdown::syntax::blocks::{BlockKind, Close};
use crate::markdown::syntax::boxes::{self, Edges};
use crate::markdown::syntax::conditions;
use crate::markdown::syntax::notes::InclusionKind;
use crate::markdown::syntax::output::escaped;
use crate::markdown::syntax::script::ScriptValue;
use crate::markdown::syntax::state::TabSet;
use crate::markdown::syntax::tag::{Attribute, Tag, attribute_text};
use crate::markdown::syntax::translator::Translator;
use base::diagnostic::{Code, Problem, distance_within};
use base::quoted::quoted;
use input::conventions::{COMPONENT_INCLUDE, Syntax};

/// Translates an opening tag.
pub(super) fn open<'t>(it: &mut Translator<'t, '_>, tag: &Tag<'t>) {
    let slip = undeclared(it, tag);
    it.notes.problems.extend(slip);
    if !it.lines.is_row && (code::from_attributes(it, tag) || code::from_children(it, tag)) {
        return;
    }
    if partial(it, tag) || named_include(it, tag) {
        return;
    }
    if !is_tab(tag.name) && conditions::open_tag(it, tag) {
        return;
    }
    match well_known(tag.name) {
        Some(WellKnown::Tabs) if !it.lines.is_row => tabs(it, tag),
        Some(WellKnown::Tab) if !it.lines.is_row => tab(it, tag),
        Some(WellKnown::Note) if !it.lines.is_row => note(it, tag),
        Some(WellKnown::Details) if !it.lines.is_row => details(it, tag),
        Some(WellKnown::Image) if image(it, tag) => {}
        Some(WellKnown::Link) => link(it, tag),
        Some(WellKnown::Card) => card(it, tag),
        Some(WellKnown::CodeGroup) if !it.lines.is_row && begins_with_code(it, tag) => {
            open_box(it, tag, boxes::tabs());
        }
        Some(WellKnown::Video) if video(it, tag) => {}
        Some(WellKnown::Plain | WellKnown::CodeGroup) => plain(it, tag),
        Some(WellKnown::Nothing) => nothing(it, tag),
        _ => other(it, tag),
    }
}

/// Translates a closing tag.
pub(in super::super) fn close(it: &mut Translator<'_, '_>, name: &str, end: usize) {
    it.close_block(name, end);
}

/// Opens a block up to the closing tag, if there is one.
fn go_on<'t>(it: &mut Translator<'t, '_>, tag: &Tag<'t>, close: Close, begins_line: bool) {
    if !tag.closes_itself {
        let is_reported = close != Close::Nothing;
        if begins_line {
            it.open(BlockKind::Named(tag.name), close);
        } else {
            it.open_in_place(BlockKind::Named(tag.name), close);
        }
        // The end of an element or a block of ours is missing, too.
        if !is_reported {
            expect_end(it, tag);
        }
    }
}

/// Remembers the tag of the block that was opened last, which is reported if it has no end.
fn expect_end(it: &mut Translator<'_, '_>, tag: &Tag<'_>) {
    let is_mdx = it.has(Syntax::Mdx);
    if let Some(block) = it.blocks.open.last_mut().filter(|_| is_mdx) {
        block.tag = Some(tag.span.clone());
    }
}

/// Writes and opens a box. A self-closing one ends immediately.
fn open_box<'t>(it: &mut Translator<'t, '_>, tag: &Tag<'t>, (opening, close): Edges) {
    let begins_line = !it.out.shown;
    it.put_lines(&opening, tag.span.end);
    match close {
        Close::Lines(lines) if tag.closes_itself => it.put_lines(lines.trim_start(), tag.span.end),
        close => go_on(it, tag, close, begins_line),
    }
}

fn tabs<'t>(it: &mut Translator<'t, '_>, tag: &Tag<'t>) {
    if tag.closes_itself {
        return it.remove(tag.span.end);
    }
    let group = tag.text(&["groupId", "syncKey", "group"]);
    let group = group.map(|group| format!(" group=\"{}\"", attribute_text(group))).unwrap_or_default();
    let labels = tag.value(&["values", "items"]).map(labels).unwrap_or_default();
    it.mdx.tab_sets.push(TabSet { listed: labels, ..TabSet::default() });
    open_box(it, tag, (format!("<tabs{group}>"), boxes::tabs().1));
}

/// Returns values with their labels, in order.
fn labels(values: &ScriptValue<'_>) -> Vec<(String, String)> {
    let text =
        |item: &ScriptValue<'_>, key: &str| item.get(&[key]).and_then(ScriptValue::text).map(str::to_string);
    let label = |item: &ScriptValue<'_>| match item {
        ScriptValue::Text(label, _) => (String::new(), label.to_string()),
        item => (text(item, "value").unwrap_or_default(), text(item, "label").unwrap_or_default()),
    };
    values.items().iter().map(label).collect()
}

fn tab<'t>(it: &mut Translator<'t, '_>, tag: &Tag<'t>) {
    let value = tag.text(&["value"]).unwrap_or_default();
    let slips = [unlisted_tab(it, tag, value), extra_tab(it, tag), second_tab(it, tag)];
    it.notes.problems.extend(slips.into_iter().flatten());
    let by_value = || {
        let labels = &it.mdx.tab_sets.last()?.listed;
        labels.iter().find(|(of, label)| of == value && !of.is_empty() && !label.is_empty())
    };
    let said = tag.text(&["label", "title", "name"]);
    let label = said.map(str::to_string).or_else(|| by_value().map(|(_, label)| label.clone()));
    let mut in_turn = || {
        let set = it.mdx.tab_sets.last_mut()?;
        set.unnamed += 1;
        let (value, label) = set.listed.get(set.unnamed - 1)?;
        value.is_empty().then(|| label.clone())
    };
    let label = match label {
        Some(label) => label,
        None if value.is_empty() => in_turn().unwrap_or_default(),
        None => value.to_string(),
    };
    let edges = if tag.closes_itself { boxes::tab(&label) } else { conditions::tab(it, &label) };
    open_box(it, tag, edges);
}

fn note<'t>(it: &mut Translator<'t, '_>, tag: &Tag<'t>) {
    /// The attributes of a note that its text doesn't come from.
    const ABOUT_LOOK: [&str; 10] =
        ["type", "kind", "variant", "intent", "title", "icon", "color", "className", "style", "id"];
    if tag.closes_itself && tag.attributes.iter().any(|it| !ABOUT_LOOK.contains(&it.name)) {
        return other(it, tag);
    }
    let named = tag.text(&["type", "kind", "variant", "intent"]);
    // `<Aside>` can have any kind.
    let kind = named.and_then(NoteKind::named).or_else(|| NoteKind::named(tag.name));
    let kind = kind.unwrap_or(if tag.name == "Check" { NoteKind::Tip } else { NoteKind::Note });
    let edges = boxes::note(&it.blocks, kind, tag.text(&["title"]).unwrap_or_default());
    open_box(it, tag, edges);
}

/// Whether the content of a component is a code block, or begins with one.
fn begins_with_code(it: &Translator<'_, '_>, tag: &Tag<'_>) -> bool {
    !tag.closes_itself && it.lines.text[tag.span.end..].trim_start().starts_with("```")
}

fn details<'t>(it: &mut Translator<'t, '_>, tag: &Tag<'t>) {
    let summary = tag.text(&["summary", "title", "label", "header"]);
    let edges = match summary {
        Some(summary) => boxes::details(summary),
        None => ("<details>\n".to_string(), Close::Lines("\n</details>".to_string())),
    };
    open_box(it, tag, edges);
}

fn image<'t>(it: &mut Translator<'t, '_>, tag: &Tag<'t>) -> bool {
    let source = ["src", "source", "sources", "light", "srcLight", "image", "img"];
    let Some(found) = tag.get(&source) else { return false };
    let Some(given) = found.value.as_ref().and_then(|value| address(it, value)) else { return false };
    let around = found.span.clone();
    let dark = match found.value.as_ref().and_then(|value| value.get(DARK)) {
        Some(dark) => address(it, dark),
        None => tag.get(DARK).and_then(|dark| address(it, dark.value.as_ref()?)),
    };
    match dark {
        Some(dark) => put_two_images(it, tag, (&given, &dark), &around),
        None => put_image(it, tag, &given, &around),
    }
    if !tag.closes_itself {
        it.open_in_place(BlockKind::Named(tag.name), Close::Nothing);
    }
    true
}

const DARK: &[&str] = &["dark", "srcDark", "darkSrc"];

/// Writes an image with a different version for dark mode.
fn put_two_images(
    it: &mut Translator<'_, '_>,
    tag: &Tag<'_>,
    (light, dark): (&AttributeAddress, &AttributeAddress),
    around: &std::ops::Range<usize>,
) {
    let alt = attribute_text(tag.text(&["alt", "caption", "title"]).unwrap_or_default());
    let of = |it: &AttributeAddress| format!("{}{}", it.before, attribute_text(&it.text));
    let start = format!(
        "<picture><source media=\"(prefers-color-scheme: dark)\" srcset=\"{}\"><img alt=\"{alt}\" src=\"",
        of(dark)
    );
    it.out.put(&start, tag.span.start..around.start);
    put_address(it, light, around);
    it.out.put("\"></picture>", around.end..tag.span.end);
    it.lines.at = tag.span.end;
}

fn put_image(
    it: &mut Translator<'_, '_>,
    tag: &Tag<'_>,
    given: &AttributeAddress,
    around: &std::ops::Range<usize>,
) {
    let alt = tag.text(&["alt", "caption", "title"]).unwrap_or_default();
    let start = tag.span.start..around.start;
    if tag.get(&["alt"]).is_none() && alt.is_empty() {
        it.out.put("<img src=\"", start);
        put_address(it, given, around);
        it.out.put("\">", around.end..tag.span.end);
    } else {
        it.out.put(&format!("![{}](", in_brackets(alt)), start);
        put_target(it, given, around);
        it.out.put(")", around.end..tag.span.end);
    }
    it.lines.at = tag.span.end;
}

/// Writes a URL in the parentheses of a link.
fn put_target(it: &mut Translator<'_, '_>, given: &AttributeAddress, around: &std::ops::Range<usize>) {
    let is_plain = !given.text.contains([' ', '(', ')', '<', '>', '"', '\n']);
    if is_plain {
        put_address(it, given, around);
    } else {
        let target = format!("<{}{}>", given.before, given.text.replace(['<', '>', '\n'], ""));
        it.out.put(&target, around.clone());
    }
}

/// Returns the text of an attribute as Markdown. Some components read elements in it: "<b>Oil</b>".
fn in_brackets(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ").replace('[', "\\[").replace(']', "\\]");
    if text.contains("</") || text.contains('`') { text } else { text.replace('<', "\\<") }
}

const TARGET: [&str; 4] = ["href", "to", "url", "link"];

fn link<'t>(it: &mut Translator<'t, '_>, tag: &Tag<'t>) {
    let Some(found) = tag.get(&TARGET) else { return other(it, tag) };
    let Some(given) = found.value.as_ref().and_then(|value| address(it, value)) else {
        return other(it, tag);
    };
    let around = found.span.clone();
    if tag.closes_itself {
        return put_link(it, tag, &given, &around, tag.text(&["title", "label"]).unwrap_or(&given.text));
    }
    it.out.put("<a href=\"", tag.span.start..around.start);
    put_address(it, &given, &around);
    it.out.put("\">", around.end..tag.span.end);
    it.lines.at = tag.span.end;
    it.open_in_place(BlockKind::Named(tag.name), Close::Inline("</a>".to_string()));
    expect_end(it, tag);
}

fn put_link(
    it: &mut Translator<'_, '_>,
    tag: &Tag<'_>,
    given: &AttributeAddress,
    around: &std::ops::Range<usize>,
    text: &str,
) {
    it.out.put(&format!("[{}](", in_brackets(text)), tag.span.start..around.start);
    put_target(it, given, around);
    it.out.put(")", around.end..tag.span.end);
    it.lines.at = tag.span.end;
}

/// Writes a link with the card's title, and the content of the card.
fn card<'t>(it: &mut Translator<'t, '_>, tag: &Tag<'t>) {
    let title = tag.text(&["title", "label", "text", "name"]).map(str::to_string);
    let target = tag.get(&TARGET).and_then(|it| Some((it.span.clone(), it.value.as_ref()?)));
    let given = target.and_then(|(span, value)| Some((span, address(it, value)?)));
    // A card without a target is no link.
    let given = given.filter(|(_, given)| !given.text.is_empty());
    match (given, title) {
        (Some((around, given)), Some(title)) => {
            put_link(it, tag, &given, &around, &title);
            let says = tag.text(&["description", "subtitle"]).map(|says| format!(": {says}"));
            it.out.put(&says.unwrap_or_default(), tag.span.clone());
            after_title(it, tag);
        }
        (Some(_), None) if !tag.closes_itself => link(it, tag),
        (Some((around, given)), None) => put_link(it, tag, &given, &around, &given.text.clone()),
        (None, Some(title)) if !it.lines.is_row => {
            it.put(&format!("**{}**", in_brackets(&title)), tag.span.end);
            after_title(it, tag);
        }
        _ => plain(it, tag),
    }
}

/// Separates the content from the title.
fn after_title<'t>(it: &mut Translator<'t, '_>, tag: &Tag<'t>) {
    if tag.closes_itself {
        return;
    }
    if !it.lines.is_row {
        it.put_lines("\n", tag.span.end);
    }
    it.open(BlockKind::Named(tag.name), Close::Nothing);
    expect_end(it, tag);
}

fn video<'t>(it: &mut Translator<'t, '_>, tag: &Tag<'t>) -> bool {
    let Some(id) = tag.text(&["videoId", "id", "video", "youTubeId"]) else { return false };
    let is_id = id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    if !is_id {
        return false;
    }
    let target = format!("https://www.youtube.com/watch?v={id}");
    let title = tag.text(&["title"]).unwrap_or(&target);
    let link = format!("[{}]({target})", in_brackets(title));
    it.put(&link, tag.span.end);
    go_on(it, tag, Close::Nothing, false);
    true
}

fn plain<'t>(it: &mut Translator<'t, '_>, tag: &Tag<'t>) {
    // The IDs of headings don't contain it.
    let shows_text = tag.closes_itself && !it.lines.is_heading;
    let text = tag.text(&["text"]).filter(|_| shows_text).map(str::to_string);
    let begins_line = !it.out.shown;
    match text {
        Some(text) => it.put(&escaped(&text), tag.span.end),
        None => it.remove(tag.span.end),
    }
    go_on(it, tag, Close::Nothing, begins_line);
}

/// Skips a component with its content.
pub(super) fn nothing<'t>(it: &mut Translator<'t, '_>, tag: &Tag<'t>) {
    let close = format!("</{}>", tag.name);
    let end = if tag.closes_itself {
        None
    } else {
        it.fuel.find(it.lines.text, tag.span.end, &close).map(|end| end + close.len())
    };
    it.remove(end.unwrap_or(tag.span.end));
}

/// Includes a page that is imported and used as a component.
fn partial<'t>(it: &mut Translator<'t, '_>, tag: &Tag<'t>) -> bool {
    let Some(file) = it.mdx.names.file(tag.name) else { return false };
    if inclusion(file) != Some(InclusionKind::Markdown) {
        return false;
    }
    let Some(text) = it.part(file, InclusionKind::Markdown, tag.span.clone()) else {
        missing(it, file, tag.span.end);
        it.remove(tag.span.end);
        return true;
    };
    include(it, tag, text);
    true
}

/// Translates a component of an unknown program that includes a file by its path: `<Include src="parts/key" />`.
fn named_include<'t>(it: &mut Translator<'t, '_>, tag: &Tag<'t>) -> bool {
    let is_include = ["Include", "Partial", "Snippet"].iter().any(|word| tag.name.starts_with(word));
    let Some(path) = tag.text(&["src", "file", "path"]).filter(|_| is_include) else { return false };
    let name = format!("{COMPONENT_INCLUDE}{path}");
    if let Some(text) = it.part(&name, InclusionKind::Markdown, tag.span.clone()) {
        include(it, tag, text);
    } else if it.dialect.absent.contains_key(&name) {
        it.note(kinds::IMPORT, path, OmissionReason::Missing, tag.span.clone());
        it.remove(tag.span.end);
    } else {
        return false;
    }
    true
}

/// Inserts a file with the attributes of the component as its arguments.
fn include<'t>(it: &mut Translator<'t, '_>, tag: &Tag<'t>, text: &str) {
    let said = |attribute: &Attribute<'_>| {
        Some((attribute.name.to_string(), attribute.value.as_ref()?.text()?.to_string()))
    };
    let arguments = tag.attributes.iter().filter_map(said).collect();
    let markdown = it.included(text, arguments, tag.span.end);
    it.put_markdown(&markdown, tag.span.end);
    go_on(it, tag, Close::Nothing, true);
}

/// Translates an unknown component: its links and images, and the content between its tags.
fn other<'t>(it: &mut Translator<'t, '_>, tag: &Tag<'t>) {
    let is_mdx = it.has(Syntax::Mdx);
    let kind = if is_mdx { kinds::COMPONENT } else { kinds::VUE_COMPONENT };
    if !is_mdx && !tag.closes_itself && it.depth == 0 {
        let problem = never_closed(it, tag);
        it.notes.problems.extend(problem);
    }
    let is_reported = it.notes.problems.last().is_some_and(|last| last.span.start == tag.span.start + 1);
    let slip = misspelled(it, tag).filter(|_| !is_reported);
    let why = if is_reported || slip.is_some() { OmissionReason::Reported } else { OmissionReason::Unknown };
    it.notes.problems.extend(slip);
    it.note(kind, tag.name, why, tag.span.clone());
    let begins_line = !it.out.shown;
    let links = links(it, tag);
    let target = tag.get(&["href", "to", "url"]).and_then(|it| Some((it.span.clone(), it.value.as_ref()?)));
    let given = target.and_then(|(span, value)| Some((span, address(it, value)?)));
    // Without a target, the effect of a component is unknown.
    let given = given.filter(|(_, given)| !given.text.is_empty());
    let title = tag.text(&["title", "label", "text", "name"]).map(str::to_string);
    match (given, title) {
        (Some((around, given)), Some(title)) => put_link(it, tag, &given, &around, &title),
        (Some(_), None) if !tag.closes_itself => return link(it, tag),
        (Some((around, given)), None) => put_link(it, tag, &given, &around, &given.text.clone()),
        (None, Some(title)) if !links.is_empty() && !it.lines.is_row => {
            let list = links.join("\n- ");
            it.put_lines(&format!("**{}**\n\n- {list}\n", in_brackets(&title)), tag.span.end);
        }
        _ => {
            let picture = tag.get(&["src"]).and_then(|it| Some((it.span.clone(), it.value.as_ref()?)));
            let picture = picture.and_then(|(span, value)| Some((span, address(it, value)?)));
            match picture.filter(|(_, given)| is_picture(&given.text)) {
                Some((around, given)) => put_image(it, tag, &given, &around),
                None => it.remove(tag.span.end),
            }
        }
    }
    go_on(it, tag, Close::Nothing, begins_line);
}

/// Reports a type such as `Partial<Options>`, which Vue reads as a component without an end: `MISSING_END_TAG` in
/// <https://github.com/vuejs/core/blob/main/packages/compiler-core/src/errors.ts>.
fn never_closed(it: &mut Translator<'_, '_>, tag: &Tag<'_>) -> Option<Problem> {
    let is_type =
        it.lines.text[..tag.span.start].ends_with(char::is_alphanumeric) && tag.attributes.is_empty();
    let is_open = is_type && it.fuel.lacks(it.lines.text, tag.span.end, &format!("</{}", tag.name));
    let written = quoted(&format!("<{}>", tag.name));
    let message = format!("Vue stops at {written}, because it looks like a component without an end");
    let help = "put the type into code: `` `Partial<Options>` ``".to_string();
    is_open.then(|| Problem::new(Code::UnclosedElement, tag.span.clone(), message).help(help).as_warning())
}

/// Reports a tab whose value isn't in the list of its set of tabs, so that readers never see it.
fn unlisted_tab(it: &Translator<'_, '_>, tag: &Tag<'_>, value: &str) -> Option<Problem> {
    /// Maximum number of tabs. A set with more is generated.
    const MOST: usize = 64;
    let labels = &it.mdx.tab_sets.last().filter(|set| set.listed.len() <= MOST)?.listed;
    // Fumadocs compares them in this form.
    let form = |text: &str| text.to_lowercase().replace(' ', "-");
    let is_it = |(of, label): &(String, String)| of == value || of.is_empty() && form(label) == form(value);
    let are_values = !labels.is_empty() && labels.iter().all(|(of, _)| of.is_empty());
    let near = labels.iter().map(|(of, label)| if of.is_empty() { label } else { of });
    let near = near.filter(|name| distance_within(value, name, 2).is_some()).min();
    let span = tag.get(&["value"])?.span.clone();
    // Labels may be translated, or values written in another way.
    if value.is_empty() || labels.iter().any(is_it) {
        return None;
    }
    let has_values = !labels.is_empty() && labels.iter().all(|(of, _)| !of.is_empty());
    let help = match near {
        Some(meant) => format!("did you mean {}?", quoted(meant)),
        None if are_values || has_values => "add it to the list of the set".to_string(),
        None => return None,
    };
    let message = format!("the set of tabs has no tab {}, so readers don't see this one", quoted(value));
    Some(Problem::new(Code::UnknownDirective, span, message).help(help).as_warning())
}

/// Reports a tab without a name in a set that lists fewer names.
fn extra_tab(it: &Translator<'_, '_>, tag: &Tag<'_>) -> Option<Problem> {
    let TabSet { listed, unnamed, .. } = it.mdx.tab_sets.last()?;
    let is_named = !tag.attributes.is_empty();
    let are_names = !listed.is_empty() && listed.iter().all(|(value, _)| value.is_empty());
    (are_names && !is_named && *unnamed == listed.len()).then(|| {
        let message = format!("the set lists {} tabs, so this one has no name", listed.len());
        let span = tag.span.start + 1..tag.span.start + 1 + tag.name.len();
        Problem::new(Code::UnknownDirective, span, message)
            .help("add its name to the list of the set".to_string())
            .as_warning()
    })
}

/// Reports a tab with the same name as another one in its set.
fn second_tab(it: &mut Translator<'_, '_>, tag: &Tag<'_>) -> Option<Problem> {
    // Without one of these attributes, its only one distinguishes it.
    let usual = tag.get(&["value"]).or_else(|| tag.get(&["label", "title", "name"]));
    let named = usual.or_else(|| tag.attributes.first().filter(|_| tag.attributes.len() == 1))?;
    let (name, span) = (named.value.as_ref()?.text()?.to_string(), named.span.clone());
    let set = it.mdx.tab_sets.last_mut()?;
    if !set.names.contains(&name) {
        set.names.push(name);
        return None;
    }
    let message = format!("another tab of this set is also {}", quoted(&name));
    Some(
        Problem::new(Code::UnknownDirective, span, message)
            .help("give each tab another name".to_string())
            .as_warning(),
    )
}

/// Reports a component whose name differs by one letter from one that the page imports.
fn misspelled(it: &Translator<'_, '_>, tag: &Tag<'_>) -> Option<Problem> {
    /// Maximum number of imports. A page with more is generated.
    const MOST: usize = 64;
    /// Minimum length of a name.
    const SHORTEST: usize = 4;
    let names = &it.mdx.names;
    let is_known = names.files.contains_key(tag.name) || names.constants.contains_key(tag.name);
    if is_known || tag.name.len() < SHORTEST || names.files.len() > MOST {
        return None;
    }
    let is_near = |name: &&&str| {
        let is_plural = |one: &str, other: &str| one.strip_suffix('s') == Some(other);
        !is_plural(name, tag.name)
            && !is_plural(tag.name, name)
            && (distance_within(tag.name, name, 1).is_some() || name.eq_ignore_ascii_case(tag.name))
    };
    let near = names.files.keys().filter(is_near).min()?;
    let span = tag.span.start + 1..tag.span.start + 1 + tag.name.len();
    let message = format!("unknown component `{}`", tag.name);
    Some(Problem::new(Code::UnknownDirective, span, message).help(format!("did you mean `{near}`?")))
}

/// The data of findings about components that a page doesn't import, if nothing is known from which module.
pub const UNDECLARED: &str = "undeclared";

/// Reports a component that the page doesn't import, if all others are known. MDX ends the build there:
/// <https://mdxjs.com/docs/troubleshooting-mdx/>.
fn undeclared(it: &mut Translator<'_, '_>, tag: &Tag<'_>) -> Option<Problem> {
    let provided = it.dialect.vocabulary.components.as_ref()?;
    let name = tag.name.split('.').next().unwrap_or_default();
    let is_component = name.starts_with(|c: char| c.is_ascii_uppercase());
    if !is_component || provided.contains(name) || it.mdx.names.declares(name) {
        return None;
    }
    if !it.mdx.undeclared.insert(name.to_string()) {
        return None;
    }
    let span = tag.span.start + 1..tag.span.start + 1 + name.len();
    let message = format!("the page doesn't import the component {}, so MDX stops here", quoted(name));
    let problem = Problem::new(Code::UnknownDirective, span, message).data("directive", name);
    Some(match misspelled(it, tag).and_then(|it| it.help) {
        Some(near) => problem.help(near),
        None => problem
            .help(format!("add a line such as `import {name} from …` at the start of the page"))
            .data(UNDECLARED, name),
    })
}

fn is_picture(target: &str) -> bool {
    let path = target.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    [".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif"].iter().any(|end| path.ends_with(end))
}

/// Returns the links in lists of objects in the attributes: `links={[{ title, link }]}`.
fn links(it: &Translator<'_, '_>, tag: &Tag<'_>) -> Vec<String> {
    let lists = tag.attributes.iter().filter_map(|attribute| attribute.value.as_ref());
    let items = lists.flat_map(ScriptValue::items);
    let link = |item: &ScriptValue<'_>| {
        let title = item.get(&["title", "label", "text", "name"])?.text()?;
        let target = address(it, item.get(&TARGET)?)?;
        let target = format!("{}{}", target.before, target.text);
        (!target.contains([' ', ')', '\n'])).then(|| format!("[{}]({target})", in_brackets(title)))
    };
    items.filter_map(link).collect()
}
