//! Finds constructs of other tools, which readers see as text or not at all.
//!
//! The table in `syntax` describes how each construct is recognized, what readers see, and what to use instead. Each
//! is reported once per page, at its first occurrence, unless the page's own syntax contains it. Code is skipped.

use std::ops::Range;

use super::plain::{HIDDEN, Leaf, LeafKind, Line, Plain};
use crate::markdown::lines::begins_line;
use crate::markdown::page::{Page, Reference, ReferenceForm};
use crate::markdown::parse::tree::{BlockTree, Item};
use crate::markdown::syntax::{self, CONSTRUCTS, Construct, Slip, TextPlace};
use base::diagnostic::{Code, Problem};
use base::quoted::quoted;
use base::sort::StableSort as _;
use base::sorted::{SortedMap, SortedSet};
use input::conventions::Syntax;

/// Maximum length of a construct in bytes.
const LONGEST: usize = 400;

/// Maximum length of a tag in bytes.
const LONGEST_TAG: usize = 4000;

/// Replacements for components of other tools. Their tags are also searched in raw HTML.
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
        "its content, without the tag",
    ),
];

/// The data of findings about another tool's constructs: how readers see them if the site's generator doesn't read them.
pub const SEEN: &str = "seen";

/// The occurrences of each construct on a page.
#[derive(Debug, Default)]
pub(in crate::markdown) struct ForeignConstructs {
    /// By name.
    found: SortedMap<&'static str, Occurrences>,
    tags: Vec<Component>,
    /// Names that imports and exports define.
    names: SortedSet<String>,
}

/// The occurrences of a construct.
#[derive(Debug)]
struct Occurrences {
    /// The range of the first occurrence in the file, its text, and how readers see it.
    span: Range<usize>,
    written: String,
    seen: &'static str,
    construct: &'static Construct,
    /// Number of occurrences.
    count: usize,
}

/// A tag that may be MDX.
#[derive(Debug)]
struct Component {
    name: String,
    /// Range in the file.
    span: Range<usize>,
    /// Whether it looks like a component, unlike a placeholder such as `<Name>`.
    is_certain: bool,
}

impl ForeignConstructs {
    /// Records the constructs in a fragment, without its notes.
    pub(in crate::markdown) fn fragment(&mut self, blocks: &BlockTree<'_>, plain: &Plain) {
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

    /// Records the constructs in a line, and returns whether it is an import.
    fn line(&mut self, line: Line<'_>, follows_import: bool, blocks: &BlockTree<'_>, plain: &Plain) -> bool {
        let mut is_import = false;
        let (shown_at, shown) = line.shown();
        let mut at = shown_at - line.start;
        // Some kinds occur only at the start of a line, which isn't possible in a table cell.
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
            let place = TextPlace {
                rest: &plain.text[start..end],
                written: &blocks.text[start..end],
                begins_line: start == shown_at
                    && line.leaf.kind != LeafKind::Cell
                    && begins_line(blocks.text, start),
                begins_page: if line.leaf.is_top {
                    start == line.leaf.range.start && line.leaf.kind == LeafKind::Paragraph
                } else {
                    start > line.leaf.range.start && blocks.text[..start].ends_with('\n')
                },
                follows_import,
                before: &blocks.text[line.leaf.range.start..start],
            };
            let Some((construct, slip, length)) = recognised(&place) else {
                if place.rest.starts_with('<') {
                    self.component(&blocks.text[start..line.leaf.range.end], |part| {
                        blocks.map.range(start + part.start..start + part.end)
                    });
                }
                at += line.text[at..].chars().next().map_or(1, char::len_utf8);
                at += next_sign(&line.text[at..]);
                continue;
            };
            is_import |= construct.name == syntax::IMPORT.name;
            if is_import {
                self.names.extend(imported(place.written).map(str::to_string));
            }
            let written = place.written[..length].to_string();
            self.note(construct, blocks.map.range(start..start + length), written, slip.seen);
            at = (at + length).min(line.text.len());
            at += next_sign(&line.text[at..]);
        }
        is_import
    }

    fn note(
        &mut self,
        construct: &'static Construct,
        span: Range<usize>,
        written: String,
        seen: &'static str,
    ) {
        let first = Occurrences { span, written, seen, construct, count: 1 };
        self.found.entry(construct.name).and_modify(|found| found.count += 1).or_insert(first);
    }

    /// Records the tags in raw HTML that may be components.
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

    /// Records the tag at the start of a text if it may be a component.
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
        // `<Key = value>` is a longer placeholder.
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

    /// Records a target that another tool would have generated. Its missing page isn't an additional finding.
    fn target(&mut self, reference: &mut Reference, is_mdx: bool) {
        if let Some(construct) = in_target(&reference.target, is_mdx) {
            self.note(construct, reference.span.clone(), reference.target.clone(), "the link has no target");
            reference.form = ReferenceForm::Foreign;
        }
    }

    /// Reports once each construct that isn't part of the page's syntaxes.
    pub(in crate::markdown) fn finish(mut self, syntaxes: &[Syntax], page: &mut Page) {
        let is_own = |construct: &Construct| construct.syntaxes.iter().any(|it| syntaxes.contains(it));
        let certain: SortedSet<String> = self
            .tags
            .iter()
            .filter(|tag| tag.is_certain)
            .map(|tag| tag.name.clone())
            .chain(self.names.clone())
            .collect();
        self.tags.retain(|tag| certain.contains(&tag.name));
        self.tags.stable_sort_by_key(|tag| tag.span.start);
        let starts: SortedSet<usize> = self.tags.iter().map(|tag| tag.span.start).collect();
        page.unknown_elements.retain(|element| !starts.contains(&element.span.start));
        let is_mdx = !self.tags.is_empty() || self.found.contains_key(syntax::IMPORT.name);
        for reference in page.references.iter_mut().filter(|it| it.target.contains('{')) {
            self.target(reference, is_mdx);
        }
        // The help is about our own syntax, which some generators share.
        let has_blocks = syntaxes.is_empty()
            || syntaxes.iter().any(|it| matches!(it, Syntax::Directives | Syntax::CodeFiles));
        page.problems.extend(components(&self.tags).filter(|_| !is_own(&syntax::COMPONENT)));
        for (name, Occurrences { span, written, seen, construct, count }) in self.found {
            let Some(slip) = construct.slip.as_ref().filter(|_| !is_own(construct)) else { continue };
            let message =
                format!("{} is {}: {}{}", quoted(&written), construct.nouns.0, seen, elsewhere(count));
            let help = Some(slip.help.to_string()).filter(|help| has_blocks || !help.contains(":::"));
            let problem = Problem::new(Code::UnsupportedSyntax, span, message).help(help);
            page.problems.push(problem.data("syntax", name).data("places", count).data(SEEN, seen));
        }
    }
}

/// Returns the finding for the components of a page.
fn components(tags: &[Component]) -> Option<Problem> {
    let first = tags.first()?;
    let names: SortedSet<&str> = tags.iter().map(|tag| tag.name.as_str()).collect();
    let others = match names.len() - 1 {
        0 => String::new(),
        1 => " (and one other name)".to_string(),
        count => format!(" (and {count} other names)"),
    };
    let name = &first.name;
    let message = format!("`<{name}>` is an MDX component{others}: readers see the tag, or nothing");
    let help = |name: &str| COMPONENTS.iter().find(|(names, _)| names.contains(&name)).map(|(_, help)| *help);
    let cures: Vec<String> = names
        .iter()
        .filter_map(|name| Some(format!("for `<{name}>`, use {}", help(name)?)))
        .take(3)
        .collect();
    let help = if cures.is_empty() { "use Markdown or HTML".to_string() } else { cures.join("; ") };
    let problem = Problem::new(Code::UnsupportedSyntax, first.span.clone(), message).help(help);
    let names: Vec<String> = names.into_iter().map(str::to_string).collect();
    Some(problem.data("syntax", syntax::COMPONENT.name).data("places", tags.len()).data("names", names))
}

fn elsewhere(count: usize) -> String {
    match count {
        1 => String::new(),
        2 => ", here and in one other place".to_string(),
        _ => format!(", here and in {} other places", count - 1),
    }
}

/// First characters of all constructs.
const SIGNS: &[u8] = b"{<[!?=ie-;@.";

/// Number of bytes before the next possible construct that doesn't need its own line, or the length of the text.
fn next_sign(text: &str) -> usize {
    memchr::memchr3(b'{', b'<', b'[', text.as_bytes()).unwrap_or(text.len())
}

/// Whether a line of a leaf begins with such a character. In table cells, constructs that need their own line are
/// skipped.
fn begins_with_sign(leaf: &Leaf, plain: &Plain) -> bool {
    let bytes = &plain.text.as_bytes()[leaf.range.clone()];
    let starts = memchr::memchr_iter(b'\n', bytes).map(|newline| newline + 1);
    leaf.kind != LeafKind::Cell
        && std::iter::once(0).chain(starts).any(|start| {
            let shown = bytes[start..].iter().find(|byte| **byte != HIDDEN as u8);
            shown.is_some_and(|byte| SIGNS.contains(byte))
        })
}

fn recognised(place: &TextPlace<'_>) -> Option<(&'static Construct, &'static Slip, usize)> {
    CONSTRUCTS.iter().find_map(|construct| {
        let slip = construct.slip.as_ref()?;
        let opens = slip.opens.iter().any(|open| place.written.starts_with(open));
        Some((construct, slip, opens.then(|| (slip.length)(place)).flatten()?))
    })
}

/// Returns the construct that another tool would replace in a target.
fn in_target(target: &str, is_mdx: bool) -> Option<&'static Construct> {
    let expression = target.strip_prefix('{').and_then(|inside| inside.strip_suffix('}'));
    match () {
        () if target.contains("{{<") || target.contains("{{%") => Some(&syntax::SHORTCODE),
        () if target.contains("{%") => Some(&syntax::TAG),
        // Preprocessors of mdBook have directives of their own.
        () if target.contains("{{#") => Some(&syntax::MDBOOK_DIRECTIVE),
        () if target.contains("{{") => Some(&syntax::OUTPUT),
        () if expression.is_some_and(|it| !it.is_empty() && (is_mdx || it.contains(['(', '[', '\'']))) => {
            Some(&syntax::EXPRESSION)
        }
        () => None,
    }
}

/// Returns the names that an import or export defines.
fn imported(line: &str) -> impl Iterator<Item = &str> {
    let line = line.lines().next().unwrap_or_default().trim_end_matches(HIDDEN);
    let is_name = |text: &str| text.chars().all(|c| c.is_alphanumeric() || "-_:.".contains(c));
    let names = line.split([' ', ',', '{', '}', '=', '(']);
    names.filter(move |name| name.starts_with(|c: char| c.is_ascii_uppercase()) && is_name(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edition::Edition;
    use crate::markdown::read::parse_ours as parse;

    /// Checks the kinds on a page, each with its number of occurrences.
    #[track_caller]
    fn check(markdown: &str, expected: &[(&str, u64)]) {
        let page = parse(markdown, 0, &Edition::default());
        let problems = page.problems.iter().filter(|it| it.code == Code::UnsupportedSyntax);
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
        check("See {doc}`a <b>` and {py:class}`c`, {d} `e`, {F}`g`.", &[("myst-role", 2)]);
        check(".. note::\n\n    a\n\n[block:callout]", &[("readme-block", 1), ("rst-directive", 1)]);
        check("[a]({{site.url}}/b) [c]({% link d.md %})", &[("liquid-tag", 1), ("template-output", 1)]);
        check(
            "<img src={a()} /> <a href=\"{{ page.url }}\">b</a>",
            &[("jsx-expression", 1), ("template-output", 1)],
        );
    }

    #[test]
    fn stepkins_syntax_and_prose_are_not_unsupported() {
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
