//! Syntax of other tools, which readers would see as text or not at all.
//!
//! What is known of each is a row of [`KINDS`]: how it is recognised, what readers see of it, and what to write
//! instead. Each kind is reported once for a page, where it comes first. Code is never looked at.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::blocks::{Blocks, Item};
use super::extract::begins_line;
use super::plain::{HIDDEN, Leaf, LeafKind, Line, Plain};
use super::slips::clipped;
use super::{Page, Reference, ReferenceForm};
use crate::base::diagnostic::{Code, Problem};

/// A syntax of another tool.
struct Kind {
    /// For machines.
    name: &'static str,
    /// What it is, with its article.
    what: &'static str,
    /// What becomes of it, as the rest of a sentence about readers.
    seen: &'static str,
    cure: &'static str,
    /// What every place of it begins with; one of them.
    opens: &'static [&'static str],
    /// How many bytes of it there are, if it is one.
    length: fn(&Place<'_>) -> Option<usize>,
}

/// A place in running text.
struct Place<'p> {
    /// From the place to the end of its leaf, at most [`LONGEST`] bytes; markup is hidden.
    rest: &'p str,
    /// The same as it is written.
    written: &'p str,
    /// Whether the place begins a line, and a paragraph outside of lists and quotes.
    begins_line: bool,
    /// Or a line at the margin that goes on with a list or quote.
    begins_page: bool,
    /// Whether the line before was an import too.
    follows_import: bool,
    /// What comes right before.
    before: &'p str,
}

/// Bytes of the longest that is looked for.
const LONGEST: usize = 400;

/// Bytes of the longest tag that is looked for.
const LONGEST_TAG: usize = 4000;

const AS_WRITTEN: &str = "readers see it as it is written";

/// In the order in which they are tried.
#[rustfmt::skip] // A row reads best as one block of a few lines.
const KINDS: &[Kind] = &[
    Kind {
        name: "hugo-shortcode", what: "a shortcode of Hugo", seen: AS_WRITTEN,
        cure: "write what it stands for: `:::note` … `:::` for a box, `<tabs>` for tabs, a path for `ref`",
        opens: &["{{<", "{{%"], length: shortcode,
    },
    Kind {
        name: "mdbook-directive", what: "a directive of mdBook", seen: AS_WRITTEN,
        cure: "put the text or the code itself here",
        opens: &["{{#"], length: mdbook_directive,
    },
    Kind {
        name: "liquid-tag", what: "a Liquid tag", seen: AS_WRITTEN,
        cure: "write what it stands for: `:::note` … `:::` for a hint, a shared page in `_shared` for an include",
        opens: &["{%"], length: liquid_tag,
    },
    Kind {
        name: "template-output", what: "an output of a template", seen: AS_WRITTEN,
        cure: "write the value, or declare it under `[variables]` in stepkin.toml and name it as `{name}`",
        opens: &["{{"], length: template_output,
    },
    Kind {
        name: "jsx-comment", what: "a comment of MDX", seen: AS_WRITTEN,
        cure: "write `<!-- … -->`",
        opens: &["{/*"], length: jsx_comment,
    },
    Kind {
        name: "attribute-list", what: "an attribute list of kramdown", seen: AS_WRITTEN,
        cure: "take it away; the id of a heading is written behind it as `{#id}`, classes in HTML",
        opens: &["{"], length: attribute_list,
    },
    Kind {
        name: "jsx-expression", what: "an expression of MDX", seen: AS_WRITTEN,
        cure: "write the value, a path such as `/images/a.png` for `useBaseUrl`, or declare it under `[variables]` in stepkin.toml and name it as `{name}`",
        opens: &["{"], length: jsx_expression,
    },
    Kind {
        name: "mdx-import", what: "MDX, which loads nothing here", seen: AS_WRITTEN,
        cure: "remove the line, and put what it brought into the page: code in a code block, text in place",
        opens: &["import ", "export "], length: mdx_import,
    },
    Kind {
        name: "mkdocs-admonition", what: "an admonition of MkDocs", seen: "readers see it as text, and what is indented below as code",
        cure: "write `:::note Title`, the text without indentation, and `:::`",
        opens: &["!!! ", "??? ", "???+ "], length: admonition,
    },
    Kind {
        name: "mkdocs-tab", what: "a tab of MkDocs", seen: "readers see it as text, and what is indented below as code",
        cure: "write `<tabs>`, and each tab as `<tab label=\"…\">` … `</tab>`",
        opens: &["=== \"", "===+ \"", "===! \""], length: mkdocs_tab,
    },
    Kind {
        name: "table-of-contents", what: "a table of contents of another tool", seen: AS_WRITTEN,
        cure: "remove it: every page shows its contents",
        opens: &["[[toc]]", "[[TOC]]", "[TOC]", "[[_TOC_]]"], length: contents,
    },
    Kind {
        name: "snippet", what: "an include of another tool", seen: AS_WRITTEN,
        cure: "put the text or the code itself here",
        opens: &["<<< @/", "<<< ./", "<<< ../", "--8<-- ", ";--8<-- ", "@[code"], length: snippet,
    },
    Kind {
        name: "wiki-link", what: "a wiki link", seen: AS_WRITTEN,
        cure: "write `[text](page.md)`, and a picture as `![text](picture.png)`",
        opens: &["[["], length: wiki_link,
    },
    Kind {
        name: "rst-directive", what: "a directive of reStructuredText", seen: AS_WRITTEN,
        cure: "write `:::note` … `:::` for a box, a code block for code",
        opens: &[".. "], length: rst_directive,
    },
    Kind {
        name: "readme-block", what: "a block of ReadMe", seen: AS_WRITTEN,
        cure: "write `:::note` … `:::` for a callout, a code block for code, `![text](…)` for an image",
        opens: &["[block:"], length: readme_block,
    },
];

/// A tag of MDX is looked for in raw HTML too, so it is no row.
const COMPONENT: &str = "mdx-component";

/// What to write for components that other tools bring.
const COMPONENTS: &[(&[&str], &str)] = &[
    (&["Tabs", "CodeGroup", "CodeTabs", "TabGroup"], "`<tabs>` … `</tabs>`"),
    (&["TabItem", "Tab"], "`<tab label=\"…\">` … `</tab>`"),
    (
        &[
            "Admonition",
            "Alert",
            "Aside",
            "Callout",
            "Caution",
            "Check",
            "Danger",
            "Hint",
            "Info",
            "Note",
            "Tip",
            "Warning",
        ],
        "`:::note` … `:::`",
    ),
    (
        &["Details", "Accordion", "Collapse", "Collapsible", "Expandable", "Expander"],
        "`<details>` with a `<summary>`",
    ),
    (&["Image", "Img", "ThemedImage", "Zoom", "Frame", "Screenshot", "BrowserWindow"], "`![text](…)`"),
    (&["Link", "Card", "LinkCard", "Button", "LinkButton"], "`[text](…)`"),
    (&["CodeBlock", "Code", "Snippet"], "a code block between two lines of ```` ``` ````"),
    (&["Steps", "Step", "Stepper"], "a numbered list"),
    (
        &["Fragment", "Head", "Columns", "Column", "CardGroup", "CardGrid", "AccordionGroup"],
        "what is inside, without the tag",
    ),
];

/// The places of each syntax on a page.
#[derive(Debug, Default)]
pub(super) struct Foreign {
    /// By kind.
    found: BTreeMap<&'static str, Found>,
    tags: Vec<Component>,
    /// What imports and exports bring, by name.
    names: BTreeSet<String>,
}

/// The places of a kind.
#[derive(Debug)]
struct Found {
    /// The first place in the file, what is written there, and what readers see of it.
    span: Range<usize>,
    written: String,
    seen: &'static str,
    /// How many places there are.
    count: usize,
}

/// A tag that may be one of MDX.
#[derive(Debug)]
struct Component {
    name: String,
    /// In the file.
    span: Range<usize>,
    /// Whether it looks like a component, and not like a placeholder such as `<Name>`.
    is_certain: bool,
}

impl Foreign {
    /// Notes what is in a fragment, without its notes.
    pub(super) fn fragment(&mut self, blocks: &Blocks<'_>, plain: &Plain) {
        let holds_sign = memchr::memchr3(b'{', b'<', b'[', plain.text.as_bytes()).is_some();
        for leaf in plain.leaves.iter().filter(|leaf| holds_sign || begins_with_sign(leaf, plain)) {
            let mut follows_import = false;
            for line in plain.lines(leaf) {
                follows_import = self.line(line, follows_import, blocks, plain);
            }
        }
        for item in &blocks.items {
            if let Item::Html { html, map } = item {
                self.components(html, |part| map.range(part));
            }
        }
    }

    /// Gives whether the line is an import.
    fn line(&mut self, line: Line<'_>, follows_import: bool, blocks: &Blocks<'_>, plain: &Plain) -> bool {
        let mut is_import = false;
        let (shown_at, shown) = line.shown();
        let mut at = shown_at - line.start;
        // Some kinds are looked for only at the beginning of a line, where no cell is.
        if line.leaf.kind == LeafKind::Cell
            || !shown.as_bytes().first().is_some_and(|sign| SIGNS.contains(sign))
        {
            at += next_sign(shown);
        }
        while at < line.text.len() {
            let start = line.start + at;
            let end = (start + LONGEST).min(line.leaf.range.end);
            let end = (start..=end)
                .rev()
                .find(|&end| plain.text.is_char_boundary(end) && blocks.text.is_char_boundary(end));
            let end = end.unwrap_or(start);
            let place = Place {
                rest: &plain.text[start..end],
                written: &blocks.text[start..end],
                begins_line: start == shown_at
                    && line.leaf.kind != LeafKind::Cell
                    && begins_line(blocks.text, start),
                begins_page: match line.leaf.is_top {
                    true => start == line.leaf.range.start && line.leaf.kind == LeafKind::Paragraph,
                    false => start > line.leaf.range.start && blocks.text[..start].ends_with('\n'),
                },
                follows_import,
                before: &blocks.text[line.leaf.range.start..start],
            };
            let Some((kind, length)) = recognised(&place) else {
                if place.rest.starts_with('<') {
                    self.component(&blocks.text[start..line.leaf.range.end], |part| {
                        blocks.map.range(start + part.start..start + part.end)
                    });
                }
                at += line.text[at..].chars().next().map_or(1, char::len_utf8);
                at += next_sign(&line.text[at..]);
                continue;
            };
            is_import |= kind.name == "mdx-import";
            if is_import {
                self.names.extend(imported(place.written).map(str::to_string));
            }
            let written = clipped(&place.written[..length]);
            self.note(kind.name, blocks.map.range(start..start + length), written, kind.seen);
            at = (at + length).min(line.text.len());
            at += next_sign(&line.text[at..]);
        }
        is_import
    }

    fn note(&mut self, kind: &'static str, span: Range<usize>, written: String, seen: &'static str) {
        let first = Found { span, written, seen, count: 1 };
        self.found.entry(kind).and_modify(|found| found.count += 1).or_insert(first);
    }

    /// Notes the tags in raw HTML that may be components.
    fn components(&mut self, html: &str, place: impl Fn(Range<usize>) -> Range<usize>) {
        let mut end = 0;
        for at in memchr::memchr_iter(b'<', html.as_bytes()) {
            if html[at..].starts_with("<!--") {
                end = html[at..].find("-->").map_or(html.len(), |length| at + length);
            }
            if at >= end {
                self.component(&html[at..], |part| place(at + part.start..at + part.end));
            }
        }
    }

    /// Notes the tag at the start of a text, if it may be a component.
    fn component(&mut self, text: &str, place: impl Fn(Range<usize>) -> Range<usize>) {
        let (closes, inside) =
            text[1..].strip_prefix('/').map_or((false, &text[1..]), |inside| (true, inside));
        let length = inside.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'.').count();
        let name = &inside[..length];
        let is_name = name.starts_with(|c: char| c.is_ascii_uppercase())
            && name.contains(|c: char| c.is_ascii_lowercase());
        let after = &inside[length..];
        if !is_name || !after.starts_with([' ', '\n', '\t', '\r', '/', '>']) {
            return;
        }
        let tag = after.bytes().take(LONGEST_TAG).position(|byte| byte == b'>').map(|end| &after[..end]);
        // `<Key = value>` is a placeholder that says more.
        let is_certain = closes
            || tag.is_some_and(|tag| {
                tag.ends_with('/') || tag.contains("=\"") || tag.contains("='") || tag.contains("={")
            });
        let known = COMPONENTS.iter().any(|(names, _)| names.contains(&name)) && tag.is_some();
        let end = text.len() - after.len() + tag.map_or(0, |tag| tag.len() + 1);
        self.tags.push(Component {
            name: name.to_string(),
            span: place(0..end),
            is_certain: is_certain || known,
        });
    }

    /// Notes a target that another tool would have made. That it leads nowhere is not another finding.
    fn target(&mut self, reference: &mut Reference, is_mdx: bool) {
        if let Some(kind) = kind_of_target(&reference.target, is_mdx) {
            self.note(kind, reference.span.clone(), clipped(&reference.target), "it leads nowhere");
            reference.form = ReferenceForm::Foreign;
        }
    }

    /// Reports each kind once.
    pub(super) fn finish(mut self, page: &mut Page) {
        let certain: BTreeSet<String> = self
            .tags
            .iter()
            .filter(|tag| tag.is_certain)
            .map(|tag| tag.name.clone())
            .chain(self.names.clone())
            .collect();
        self.tags.retain(|tag| certain.contains(&tag.name));
        self.tags.sort_by_key(|tag| tag.span.start);
        let starts: BTreeSet<usize> = self.tags.iter().map(|tag| tag.span.start).collect();
        page.unknown_elements.retain(|element| !starts.contains(&element.span.start));
        let is_mdx = !self.tags.is_empty() || self.found.contains_key("mdx-import");
        for reference in page.references.iter_mut().filter(|it| it.target.contains('{')) {
            self.target(reference, is_mdx);
        }
        page.problems.extend(components(&self.tags));
        let found = std::mem::take(&mut self.found);
        for (name, Found { span, written, seen, count }) in found {
            let Some(kind) = KINDS.iter().find(|kind| kind.name == name) else { continue };
            let message = format!("`{written}` is {}: {}{}", kind.what, seen, elsewhere(count));
            let problem = Problem::new(Code::ForeignSyntax, span, message).help(kind.cure.to_string());
            page.problems.push(problem.data("syntax", name).data("places", count));
        }
    }
}

/// The finding about the components of a page.
fn components(tags: &[Component]) -> Option<Problem> {
    let first = tags.first()?;
    let names: BTreeSet<&str> = tags.iter().map(|tag| tag.name.as_str()).collect();
    let others = match names.len() - 1 {
        0 => String::new(),
        1 => " (and one other name here)".to_string(),
        count => format!(" (and {count} other names here)"),
    };
    let name = &first.name;
    let message = format!("`<{name}>` is a component of MDX{others}: readers see the tag, or nothing");
    let cure = |name: &str| COMPONENTS.iter().find(|(names, _)| names.contains(&name)).map(|(_, cure)| *cure);
    let cures: Vec<String> = names
        .iter()
        .filter_map(|name| Some(format!("for `<{name}>` write {}", cure(name)?)))
        .take(3)
        .collect();
    let help = match cures.is_empty() {
        true => "write it in Markdown or HTML".to_string(),
        false => cures.join("; "),
    };
    let problem = Problem::new(Code::ForeignSyntax, first.span.clone(), message).help(help);
    let names: Vec<String> = names.into_iter().map(str::to_string).collect();
    Some(problem.data("syntax", COMPONENT).data("places", tags.len()).data("names", names))
}

fn elsewhere(count: usize) -> String {
    match count {
        1 => String::new(),
        2 => ", here and in one other place".to_string(),
        _ => format!(", here and in {} other places", count - 1),
    }
}

/// What any place of any kind begins with.
const SIGNS: &[u8] = b"{<[!?=ie-;@.";

/// How many bytes before the next place where a kind may be that needs no line of its own; all if there is none.
fn next_sign(text: &str) -> usize {
    memchr::memchr3(b'{', b'<', b'[', text.as_bytes()).unwrap_or(text.len())
}

/// Whether a line of a leaf begins with a sign; in cells nothing is looked for that needs a line of its own.
fn begins_with_sign(leaf: &Leaf, plain: &Plain) -> bool {
    let bytes = &plain.text.as_bytes()[leaf.range.clone()];
    let starts = memchr::memchr_iter(b'\n', bytes).map(|newline| newline + 1);
    leaf.kind != LeafKind::Cell
        && std::iter::once(0).chain(starts).any(|start| {
            let shown = bytes[start..].iter().find(|byte| **byte != HIDDEN as u8);
            shown.is_some_and(|byte| SIGNS.contains(byte))
        })
}

fn recognised(place: &Place<'_>) -> Option<(&'static Kind, usize)> {
    KINDS.iter().find_map(|kind| {
        let opens = kind.opens.iter().any(|open| place.written.starts_with(open));
        Some((kind, opens.then(|| (kind.length)(place)).flatten()?))
    })
}

/// What another tool would put in the place of a target, or of a part of it.
fn kind_of_target(target: &str, is_mdx: bool) -> Option<&'static str> {
    let expression = target.strip_prefix('{').and_then(|inside| inside.strip_suffix('}'));
    match () {
        () if target.contains("{{<") || target.contains("{{%") => Some("hugo-shortcode"),
        () if target.contains("{%") => Some("liquid-tag"),
        () if target.contains("{{") => Some("template-output"),
        () if expression.is_some_and(|it| !it.is_empty() && (is_mdx || it.contains(['(', '[', '\'']))) => {
            Some("jsx-expression")
        }
        () => None,
    }
}

/// From the start to the end of what `close` ends, on one line or several.
fn closed_by(text: &str, close: &str) -> Option<usize> {
    text.find(close).map(|at| at + close.len())
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default().trim_end_matches(HIDDEN)
}

/// `{{< tabs >}}`, `{{% alert %}}`: a name follows, or a slash before one.
fn shortcode(place: &Place<'_>) -> Option<usize> {
    let inside = place.written[3..].trim_start_matches(['-', ' ', '\n', '/']);
    let close = if place.rest.starts_with("{{<") { ">}}" } else { "%}}" };
    inside.starts_with(|c: char| c.is_alphabetic()).then(|| closed_by(place.written, close)).flatten()
}

/// `{{#include file.rs}}`.
fn mdbook_directive(place: &Place<'_>) -> Option<usize> {
    let inside = &place.rest[3..];
    let names = ["include", "rustdoc_include", "playground", "template", "title"];
    names.iter().any(|name| inside.starts_with(name)).then(|| closed_by(place.rest, "}}")).flatten()
}

/// `{% include note.html %}`; not the middle of `{{% x %}}`.
fn liquid_tag(place: &Place<'_>) -> Option<usize> {
    let inside = place.rest[2..].trim_start_matches(['-', ' ']);
    let is_tag = inside.starts_with(|c: char| c.is_ascii_alphabetic()) && !place.before.ends_with('{');
    is_tag.then(|| closed_by(place.rest, "%}")).flatten()
}

/// `{{ site.title }}`: of an object that only a template has, or through a filter. A page may mention any
/// other.
fn template_output(place: &Place<'_>) -> Option<usize> {
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

fn jsx_comment(place: &Place<'_>) -> Option<usize> {
    closed_by(place.written, "*/}")
}

/// `{: .class}`, `{:toc}`, and `{.class}` or `{width=300}` right behind a link, a picture or code.
fn attribute_list(place: &Place<'_>) -> Option<usize> {
    let length = closed_by(first_line(place.written), "}")?;
    let inside = &place.written[1..length - 1];
    let list = inside.strip_prefix(':').unwrap_or(inside).trim();
    let is_attribute = |word: &str| match word.split_once('=') {
        Some((name, value)) => is_name(name) && !value.is_empty(),
        None => word.strip_prefix(['.', '#']).is_some_and(is_name),
    };
    let is_list = !list.is_empty() && quoted_words(list).all(is_attribute);
    let is_kramdown = inside.starts_with(':') && (is_list || KRAMDOWN.contains(&list));
    let follows_markup = place.before.ends_with([')', ']', '`', '*']);
    let is_alone = place.begins_line && first_line(place.written).trim_end().len() == length;
    (is_kramdown || is_list && (follows_markup || is_alone && inside.starts_with([' ', '.'])))
        .then_some(length)
}

/// What kramdown writes without a dot: `{:toc}`, `{:.no_toc}`, `{::comment}`.
const KRAMDOWN: [&str; 5] = ["toc", ":comment", ":/comment", ":nomarkdown", ":/nomarkdown"];

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "-_:.".contains(c))
}

/// The words of an attribute list; a value in quotes may hold blanks.
fn quoted_words(list: &str) -> impl Iterator<Item = &str> {
    let mut in_quotes = false;
    let words = list.split(move |c: char| {
        in_quotes ^= c == '"';
        c == ' ' && !in_quotes
    });
    words.filter(|word| !word.is_empty())
}

/// `{props.name}`, `{useBaseUrl('/x')}`: what only a program could mean.
fn jsx_expression(place: &Place<'_>) -> Option<usize> {
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

/// `import Tabs from '@theme/Tabs';`, `export const x = …`: at the beginning of a paragraph, imports below, and
/// right below a list or quote.
fn mdx_import(place: &Place<'_>) -> Option<usize> {
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

/// The names that an import or export brings.
fn imported(line: &str) -> impl Iterator<Item = &str> {
    let names = first_line(line).split([' ', ',', '{', '}', '=', '(']);
    names.filter(|name| name.starts_with(|c: char| c.is_ascii_uppercase()) && is_name(name))
}

/// `!!! note "Title"`, `??? tip`.
fn admonition(place: &Place<'_>) -> Option<usize> {
    let line = first_line(place.written).trim_end();
    let (_, rest) = line.split_once(' ').filter(|_| place.begins_line)?;
    let (words, title) = rest.split_once('"').map_or((rest, None), |(words, title)| (words, Some(title)));
    let is_title = title.is_none_or(|title| title.ends_with('"'));
    let mut words = words.split_whitespace();
    let are_words = words.clone().next().is_some()
        && words.clone().count() <= 4
        && words.all(|word| word.chars().all(|c| c.is_ascii_lowercase() || c == '-'));
    (is_title && are_words).then_some(line.len())
}

/// `=== "Title"`.
fn mkdocs_tab(place: &Place<'_>) -> Option<usize> {
    let line = first_line(place.written).trim_end();
    (place.begins_line && line.ends_with('"') && line.matches('"').count() == 2).then_some(line.len())
}

/// `[[toc]]`, `[TOC]` alone on its line.
fn contents(place: &Place<'_>) -> Option<usize> {
    let line = first_line(place.written).trim_end();
    (place.begins_line && line.ends_with(']') && !line.contains(' ')).then_some(line.len())
}

/// `<<< @/snippets/a.js`, `--8<-- "a.md"`.
fn snippet(place: &Place<'_>) -> Option<usize> {
    let line = first_line(place.written).trim_end();
    let is_include = match line.split_once("--8<-- ") {
        Some((_, path)) => path.starts_with('"') && path.ends_with('"') && path.len() > 2,
        None => !line.starts_with("@[code") || line.contains("]("),
    };
    (place.begins_line && is_include).then_some(line.len())
}

/// `[[Page name]]`, `[[page|text]]`.
fn wiki_link(place: &Place<'_>) -> Option<usize> {
    let length = closed_by(first_line(place.rest), "]]")?;
    let inside = &place.rest[2..length - 2];
    let is_page = inside.starts_with(|c: char| c.is_alphabetic() || c == '/')
        && inside.chars().filter(|c| c.is_alphabetic()).count() > 1
        && !inside.ends_with(' ')
        && !inside.contains(['[', ']', '"', '\'', ',', '=', ';', '$', HIDDEN]);
    let is_apart = !place.before.ends_with(|c: char| c.is_alphanumeric() || "_)]".contains(c));
    let ends = !place.rest[length..].starts_with(['(', '[', ']']);
    (is_page && is_apart && ends).then_some(length)
}

/// `.. note::`.
fn rst_directive(place: &Place<'_>) -> Option<usize> {
    let line = first_line(place.written).trim_end();
    let (name, _) = line.strip_prefix(".. ")?.split_once("::").filter(|_| place.begins_line)?;
    (!name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '-')).then_some(line.len())
}

/// `[block:callout]`.
fn readme_block(place: &Place<'_>) -> Option<usize> {
    let length = closed_by(first_line(place.rest), "]")?;
    let name = &place.rest["[block:".len()..length - 1];
    (place.begins_line && !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '-'))
        .then_some(length)
}

#[cfg(test)]
mod tests {
    use super::super::parse_ours as parse;
    use super::*;
    use crate::markup::edition::Edition;

    /// The kinds that a page has, each with the places.
    #[track_caller]
    fn check(markdown: &str, expected: &[(&str, u64)]) {
        let page = parse(markdown, 0, &Edition::default());
        let problems = page.problems.iter().filter(|it| it.code == Code::ForeignSyntax);
        let found: Vec<_> = problems
            .map(|it| {
                (it.data["syntax"].as_str().unwrap_or_default(), it.data["places"].as_u64().unwrap_or(0))
            })
            .collect();
        assert_eq!(found, expected, "{markdown}\n{:?}", page.problems);
    }

    #[test]
    fn each_kind_is_reported_once() {
        check("import Tabs from '@theme/Tabs';\nimport 'x.css';\n\ntext", &[("mdx-import", 2)]);
        check("export const a = 1;\n", &[("mdx-import", 1)]);
        check("- a\nimport X from './y'\n", &[("mdx-import", 1)]);
        check("- a\n  import X from './y'\n- import X from './y'", &[]);
        let long = format!("a <Shot a=\"{}\" {{b}}", "c".repeat(500));
        check(&format!("{long} />"), &[("mdx-component", 1)]);
        check("<TabItem value=\"a\">\n\nx\n\n</TabItem>\n\n<Card icon={<A/>} />", &[("mdx-component", 3)]);
        check("a {/* b */} c {/* d\n e */}", &[("jsx-comment", 2)]);
        check("{useBaseUrl('/a')} {props.b}", &[("jsx-expression", 2)]);
        check("{% include a.html %} {%- if x -%}", &[("liquid-tag", 2)]);
        check("{{ site.title }} {{ 'a' | upcase }}", &[("template-output", 2)]);
        check(
            "{{< tabs \"a\" >}}\n\n- {{% alert %}}\n\n{{</* a */>}} {{< /tabs >}}",
            &[("hugo-shortcode", 3)],
        );
        check(
            "{: .a #b c=\"d e\"}\n\n[a](/b){:target=\"_blank\"} ![a](b.png){ width=300 }",
            &[("attribute-list", 3)],
        );
        check("!!! note \"A title\"\n\n    code\n\n??? tip\n", &[("mkdocs-admonition", 2)]);
        check("=== \"A\"\n\n    b\n", &[("mkdocs-tab", 1)]);
        check("[[toc]]\n\n[TOC]\n", &[("table-of-contents", 2)]);
        check(
            "<<< @/a.js\n\n--8<-- \"b.md\"\n\n{{#include c.rs}}",
            &[("mdbook-directive", 1), ("snippet", 2)],
        );
        check("See [[A page]] and ![[a.png]], [[b|c]].", &[("wiki-link", 3)]);
        check(".. note::\n\n    a\n\n[block:callout]", &[("readme-block", 1), ("rst-directive", 1)]);
        check("[a]({{site.url}}/b) [c]({% link d.md %})", &[("liquid-tag", 1), ("template-output", 1)]);
        check(
            "<img src={a()} /> <a href=\"{{ page.url }}\">b</a>",
            &[("jsx-expression", 1), ("template-output", 1)],
        );
    }

    #[test]
    fn own_syntax_and_prose_are_not_foreign() {
        for markdown in [
            "Imports: import x from 'y' is how.\nimport it from there",
            "Set `<TabItem>` and <Name> and `{{ x }}` and {{ name }} and {a} {product} \\{{ site.x }}",
            "```\nimport a from 'b';\n{{< x >}}\n{% y %}\n!!! note\n```\n\n    === \"A\"",
            "## Title {#id}\n\n## Other {.class}\n",
            "Wow!!! note that. === equals === ... and .. so :: on",
            "a[[0]] [[1, 2], [3, 4]] [[1]](/a) if [[ -f x ]]; then",
            "<tabs><tab label=\"a\">x</tab></tabs>\n\n<details><summary>A</summary>b</details>",
            "<!-- <TabItem a=\"b\"> {% x %} -->",
            "100% {%} {{}} {:} {} {{ }}",
            ".. \n\n..\n\n.. a\n\n!!! \n\n=== \"\n\n[block:\n\n[[]]\n\n{{}}\n\n{}",
            "{{% a %} {{{ page.title }}} \\{{ page.title }}",
            "${useBaseUrl('/x')} {{getName()}} a={getName()} {call(x)} {URL(x)}",
            "!!! one two three four five",
            "[[a page]](b) [[a page]][c] [[a, b]] [[x = 1]] [[\"name\"]] [[to do;]] [[$name]]",
            "Write [TOC] or [[toc]](/x) there.",
            "The contents are in [TOC]\nor in\n  a [[toc]](/x)",
            "use {min, max} and f(x){ return } and `a`{b}",
            "<DIV class=\"a\">b</DIV>",
        ] {
            check(markdown, &[]);
        }
    }

    #[test]
    fn a_component_is_no_unknown_element() {
        let page = parse("<TabItem value=\"a\">x</TabItem> <Name>", 0, &Edition::default());
        let unknown: Vec<_> = page.unknown_elements.iter().map(|element| element.name.as_str()).collect();
        assert_eq!(unknown, ["name"]);
    }
}
