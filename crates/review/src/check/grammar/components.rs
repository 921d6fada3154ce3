//! Attributes and contents of components.

use super::source::PageSource;
use super::{Mistake, end_of_text};
use base::list_item::ListItem;
use base::quoted::quoted;
use input::conventions::Syntax;
use markup::markdown::{ElementTag, near_start};

/// Where a component is from.
#[derive(Clone, Copy)]
enum Origin {
    /// A page imports it from a module whose name begins like this.
    Module(&'static str),
    /// Pages of Mintlify use it without importing it.
    Mintlify,
}

/// A component with the attributes that its documentation closes.
struct Component {
    origin: Origin,
    name: &'static str,
    /// Attributes with all possible values.
    values: &'static [(&'static str, &'static [&'static str])],
    /// Attributes of which each tag needs one.
    needs: &'static [&'static str],
}

const STARLIGHT: Origin = Origin::Module("@astrojs/starlight/components");

/// <https://starlight.astro.build/components/using-components/>, <https://nextra.site/docs/built-ins>,
/// <https://www.mintlify.com/docs/components>, <https://docusaurus.io/docs/markdown-features/tabs>.
#[rustfmt::skip]
const COMPONENTS: &[Component] = &[
    Component {
        origin: STARLIGHT, name: "Aside", values: &[("type", &["caution", "danger", "note", "tip"])], needs: &[],
    },
    Component {
        origin: STARLIGHT, name: "Badge",
        values: &[
            ("variant", &["caution", "danger", "default", "note", "success", "tip"]), ("size", &["large", "medium", "small"]),
        ],
        needs: &["text"],
    },
    Component { origin: STARLIGHT, name: "Card", values: &[], needs: &["title"] },
    Component { origin: STARLIGHT, name: "LinkCard", values: &[], needs: &["href"] },
    Component {
        origin: STARLIGHT, name: "LinkButton",
        values: &[("variant", &["minimal", "primary", "secondary"]), ("iconPlacement", &["end", "start"])], needs: &["href"],
    },
    Component { origin: STARLIGHT, name: "TabItem", values: &[], needs: &["label"] },
    Component { origin: Origin::Module("@theme/TabItem"), name: "TabItem", values: &[], needs: &["value"] },
    Component {
        origin: Origin::Module("nextra/components"), name: "Callout",
        values: &[("type", &["default", "error", "important", "info", "warning"])], needs: &[],
    },
    Component {
        origin: Origin::Module("fumadocs-ui/components/callout"), name: "Callout",
        values: &[("type", &["error", "idea", "info", "success", "tip", "warn", "warning"])], needs: &[],
    },
    Component { origin: Origin::Mintlify, name: "ParamField", values: &[], needs: &["path", "query", "body", "header"] },
    Component { origin: Origin::Mintlify, name: "ResponseField", values: &[], needs: &["name"] },
    Component { origin: Origin::Mintlify, name: "Tab", values: &[], needs: &["title"] },
    Component { origin: Origin::Mintlify, name: "Accordion", values: &[], needs: &["title"] },
    Component { origin: Origin::Mintlify, name: "Update", values: &[], needs: &["label"] },
];

/// Names of the list in which a component of Starlight has its content: <https://starlight.astro.build/components/steps/>,
/// <https://starlight.astro.build/components/file-tree/>.
const LISTS: [(&str, &str); 2] = [("FileTree", "a list"), ("Steps", "a numbered list")];

pub(super) fn mistakes(source: &PageSource<'_>, tags: &[ElementTag<'_>]) -> Vec<Mistake> {
    if !source.syntax.contains(&Syntax::Mdx) || tags.is_empty() {
        return Vec::new();
    }
    let lines = source.text[source.body..].lines();
    let imports: Vec<&str> = lines.filter(|line| line.starts_with("import ")).collect();
    let known: Vec<&Component> = COMPONENTS.iter().filter(|it| is_used(it, &imports, source)).collect();
    let of_tags = tags.iter().flat_map(|tag| {
        let of_name = known.iter().filter(|it| it.name == tag.name);
        of_name.filter_map(|component| wrong_value(component, tag).or_else(|| lacking(component, tag)))
    });
    let of_lists = tags.iter().filter_map(|tag| adjacent_texts(source, tag));
    of_tags.chain(of_lists).chain(lists(source, &imports, tags)).chain(default_tabs(source, tags)).collect()
}

/// Whether a page uses the component, and not another one with its name.
fn is_used(component: &Component, imports: &[&str], source: &PageSource<'_>) -> bool {
    let names = |line: &&&str| line.contains(component.name);
    match component.origin {
        Origin::Module(module) => imports.iter().filter(names).any(|line| line.contains(module)),
        Origin::Mintlify => source.is_of_mintlify && !imports.iter().any(|line| names(&line)),
    }
}

/// Maximum length of the content of a component in bytes.
pub(super) const FURTHEST: usize = 50_000;

fn wrong_value(component: &Component, tag: &ElementTag<'_>) -> Option<Mistake> {
    component.values.iter().find_map(|(name, values)| {
        let (value, span) = tag.text(name)?;
        (!values.contains(&value)).then(|| {
            let message = format!("`{name}` of `<{}>` can't be `{value}`", tag.name);
            Mistake::value(span, message, format!("use one of `{}`", values.join("`, `")))
        })
    })
}

fn lacking(component: &Component, tag: &ElementTag<'_>) -> Option<Mistake> {
    let lacks = !component.needs.is_empty() && !component.needs.iter().any(|name| tag.may_have(name));
    lacks.then(|| {
        let message = format!("`<{}>` has no `{}`", tag.name, component.needs.join("` or `"));
        Mistake::misread(tag.span.clone(), message, format!("add `{}=\"…\"`", component.needs[0]))
    })
}

/// Reports two texts in a list of JavaScript without a comma between them.
fn adjacent_texts(source: &PageSource<'_>, tag: &ElementTag<'_>) -> Option<Mistake> {
    let text = &source.text[tag.span.clone()];
    let (mut brackets, mut at, mut last) = (Vec::new(), 0, None);
    while let Some(next) =
        text[at..].find(['[', ']', '{', '}', '(', ')', '"', '\'', '`']).map(|next| at + next)
    {
        at = next + 1;
        match text.as_bytes()[next] {
            open @ (b'[' | b'{' | b'(') => brackets.push(open),
            b']' | b'}' | b')' => _ = brackets.pop(),
            quote => {
                at += end_of_text(&text[at..], quote)? + 1;
                let is_adjacent = last.is_some_and(|end: usize| text[end..next].trim().is_empty());
                if is_adjacent && brackets.last() == Some(&b'[') {
                    let written = &text[next..at];
                    let span = tag.span.start + next..tag.span.start + at;
                    let message = format!("no comma precedes {}, so MDX stops here", quoted(written));
                    return Some(Mistake::misread(span, message, "add the comma"));
                }
                last = Some(at);
            }
        }
    }
    None
}

/// Reports content next to the only list that a component may contain.
fn lists(source: &PageSource<'_>, imports: &[&str], tags: &[ElementTag<'_>]) -> Vec<Mistake> {
    let is_imported = |name: &str| {
        imports.iter().any(|line| line.contains("@astrojs/starlight/components") && line.contains(name))
    };
    let used = LISTS.iter().filter(|(name, _)| is_imported(name));
    let found = used.flat_map(|(name, what)| {
        tags.iter().filter(move |tag| tag.name == *name).filter_map(move |tag| {
            let inside = near_start(&source.text[tag.span.end..], FURTHEST);
            let inside = &inside[..inside.find(&format!("</{name}>"))?];
            let lines = inside.lines().filter(|line| !line.trim().is_empty());
            let indent = |line: &str| line.len() - line.trim_start().len();
            let column = lines.clone().map(indent).min()?;
            let is_item =
                |line: &str| ListItem::of(line).is_some_and(|it| it.number.is_some() == (*name == "Steps"));
            let other = lines.clone().find(|line| indent(line) == column && !is_item(line))?;
            let start = other.trim().as_ptr().addr() - source.text.as_ptr().addr();
            let message = format!("`<{name}>` may only contain {what}, so the build stops at this line");
            let help = match *name {
                "Steps" => "indent it, as a part of the step above",
                _ => "move it out of the component",
            };
            Some(Mistake::misread(start..start + other.trim().len(), message, help))
        })
    });
    found.collect()
}

/// Reports tabs that show one first which they don't contain: <https://docusaurus.io/docs/markdown-features/tabs>.
fn default_tabs(source: &PageSource<'_>, tags: &[ElementTag<'_>]) -> Vec<Mistake> {
    let found = tags.iter().enumerate().filter(|(_, tag)| tag.name == "Tabs").filter_map(|(at, tag)| {
        let (shown, span) = tag.text("defaultValue")?;
        let end = tag.span.end + near_start(&source.text[tag.span.end..], FURTHEST).find("</Tabs>")?;
        let inside = tags[at + 1..].iter().take_while(|it| it.span.start < end);
        let items: Vec<&ElementTag<'_>> = inside.filter(|it| it.name == "TabItem").collect();
        let values: Vec<&str> = items.iter().filter_map(|item| Some(item.text("value")?.0)).collect();
        let is_known = values.len() == items.len() && !items.is_empty();
        (is_known && !values.contains(&shown)).then(|| {
            let message = format!("no tab has the value {}, so the build stops", quoted(shown));
            Mistake::value(span, message, format!("use one of `{}`", values.join("`, `")))
        })
    });
    found.collect()
}
