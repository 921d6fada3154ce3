//! Closes raw HTML elements so that no page can break the surrounding template.
//!
//! An element ends at the latest with the paragraph, item, note or page in which it began, and an end tag closes only
//! elements of the same container. The HTML standard's parser also closes some elements when others begin, and
//! ignores some tags. That is left to the parser if it closes only that element, and otherwise done here first.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::markdown::html::{Start, is_element, is_raw_text};
use crate::markdown::unclosed::{is_unclosed, nested_link, unclosed, unfinished};
use base::diagnostic::{Code, Problem};

/// The open elements at a position on a page, and the problems found before it.
#[derive(Debug, Default)]
pub(in crate::markdown) struct Elements {
    open: Vec<Open>,
    /// For each container, from the outermost, the position in `open` of its first element.
    levels: Vec<usize>,
    /// Number of entries in `open` that are elements.
    depth: usize,
    /// Start positions of elements without an end tag, which end with their block.
    ends_with_block: HashSet<usize>,
    /// Start positions of elements that must be closed with their block.
    pub(in crate::markdown) never_ended: HashSet<usize>,
    /// For each name, the number of elements that were closed before their end tag. Such an end tag isn't a finding.
    ended_before: HashMap<String, usize>,
    /// Whether excessive nesting was reported.
    is_too_deep: bool,
    /// Number of open elements that are nested too deeply, by name.
    too_deep: HashMap<String, usize>,
    pub(in crate::markdown) problems: Vec<Problem>,
}

#[derive(Debug)]
struct Open {
    name: String,
    /// Range of the opening tag in the file.
    span: Range<usize>,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// An element with HTML content.
    Html,
    /// An element with SVG or MathML content.
    Foreign,
    /// An element with raw text.
    Text,
    /// A tag that was left out. Its end tag is also left out.
    LeftOut,
    Container(Container),
}

/// A Markdown container around raw HTML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::markdown) enum Container {
    /// Emphasis or a link.
    Inline,
    Paragraph,
    /// A note or a tab, which is a `<div>`.
    Note,
    /// An `<li>`.
    Item,
    /// A `<td>` or `<th>`.
    Cell,
    Block,
}

/// How a tag is handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::markdown) enum Fate {
    Kept,
    /// It stays, and the content up to its end tag is text.
    Text,
    /// It stays, and its end tag is written directly after it: `<div />`.
    Ended,
    LeftOut,
}

/// Maximum nesting. Browsers also limit it: Chromium's limit is 512.
const DEEPEST: usize = 256;

/// Elements without content and end tag (HTML standard, "Void elements"), including obsolete ones.
#[rustfmt::skip] // A list of names reads better in paragraphs.
const VOID: [&str; 18] = [
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "image", "img", "input", "keygen",
    "link", "meta", "param", "source", "track",
];

/// Elements whose end tag is optional (HTML standard, "Optional tags").
#[rustfmt::skip]
const OPTIONAL: [&str; 18] = [
    "caption", "colgroup", "dd", "dt", "li", "optgroup", "option", "p", "rb", "rp", "rt", "rtc", "tbody", "td", "tfoot",
    "th", "thead", "tr",
];

/// Tags for a complete page, which Stepkin generates, or after which nothing else can follow.
const MISPLACED: [&str; 7] = ["base", "body", "frame", "frameset", "head", "html", "plaintext"];

/// Tags that end SVG and MathML (HTML standard, "The rules for parsing tokens in foreign content").
#[rustfmt::skip]
const NEVER_FOREIGN: [&str; 45] = [
    "b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em", "embed", "font", "h1",
    "h2", "h3", "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing", "menu", "meta", "nobr", "ol", "p", "pre",
    "ruby", "s", "small", "span", "strike", "strong", "sub", "sup", "table", "tt", "u", "ul", "var",
];

/// Elements of SVG whose content is HTML (HTML standard, "HTML integration point").
const HTML_INSIDE_SVG: [&str; 3] = ["desc", "foreignobject", "title"];
/// Elements of MathML whose content is HTML ("MathML text integration point").
const HTML_INSIDE_MATH: [&str; 5] = ["mi", "mn", "mo", "ms", "mtext"];

/// Elements that close an open paragraph, so that the text after it may be in them.
#[rustfmt::skip]
const END_PARAGRAPH: [&str; 38] = [
    "address", "article", "aside", "blockquote", "center", "dd", "details", "dialog", "dir", "div", "dl", "dt",
    "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup",
    "hr", "li", "listing", "main", "menu", "nav", "ol", "pre", "search", "section", "summary", "table", "ul",
];

const TABLE_PARTS: [&str; 10] =
    ["caption", "col", "colgroup", "table", "tbody", "td", "tfoot", "th", "thead", "tr"];

/// Elements that bound the scope of an end tag (HTML standard, "has an element in scope").
const SCOPES: [&str; 8] = ["applet", "caption", "marquee", "object", "table", "td", "template", "th"];

impl Elements {
    /// Returns the state for a page on which the elements at these positions have no end tag.
    pub(in crate::markdown) fn ending_with_block(never_ended: HashSet<usize>) -> Self {
        Self { ends_with_block: never_ended, ..Self::default() }
    }

    /// Enters a Markdown container, and returns the text to write before it.
    pub(in crate::markdown) fn enter(&mut self, container: Container) -> String {
        let html = self.make_room(container != Container::Inline);
        self.open.push(Open { name: String::new(), span: 0..0, kind: Kind::Container(container) });
        self.levels.push(self.open.len());
        html
    }

    /// Leaves a container, and returns the text to write before its end.
    pub(in crate::markdown) fn leave(&mut self) -> String {
        let start = self.levels.pop().unwrap_or_default();
        if start > 0 && self.open.len() == start {
            self.open.pop();
            return String::new();
        }
        let container = start.checked_sub(1).map(|at| self.open[at].kind);
        // HTML closes the paragraph before these elements, so they continue after it.
        let outlives = |open: &Open| {
            END_PARAGRAPH.contains(&open.name.as_str()) && !self.ends_with_block.contains(&open.span.start)
        };
        let kept = match container {
            Some(Kind::Container(Container::Paragraph)) => {
                let inner = self.open[start..].iter().take_while(|open| !hides_paragraph(open));
                inner.enumerate().filter(|(_, open)| outlives(open)).last().map(|(at, _)| at)
            }
            _ => None,
        };
        let end = kept.map_or(start, |at| start + at + 1);
        // A cell also ends the formats and lists in it. With any other name, a tag may be a placeholder such as `<path>`, which
        // disappears.
        let is_harmless = container == Some(Kind::Container(Container::Cell))
            && self.open[end..].iter().all(Open::formats_or_lists);
        let reported = self.problems.len();
        let html = self.end_from(end);
        if is_harmless {
            self.problems[reported..].iter_mut().for_each(|problem| *problem = problem.clone().as_warning());
        }
        if container.is_some() {
            self.open.remove(start - 1);
        }
        html
    }

    /// Closes elements that can't contain the next Markdown element.
    pub(in crate::markdown) fn make_room(&mut self, is_block: bool) -> String {
        let level = self.level();
        if self.open.len() == level {
            return String::new();
        }
        let in_level = &self.open[level..];
        let narrow = in_level
            .iter()
            .position(|it| matches!(it.kind, Kind::Foreign | Kind::Text) || it.name == "select");
        let parts =
            in_level.iter().enumerate().rev().filter(|(_, it)| TABLE_PARTS.contains(&it.name.as_str()));
        let mut parts = parts.take_while(|(_, it)| !matches!(it.name.as_str(), "td" | "th" | "caption"));
        // Text between the cells of a table is shown above it.
        let table = parts.find(|(_, it)| is_block && it.name == "table").map(|(at, _)| at);
        match narrow.into_iter().chain(table).min() {
            Some(at) => self.end_from(level + at),
            None => String::new(),
        }
    }

    /// Handles the end of a raw HTML block. `goes_on` means that the next block begins with the end tag of an
    /// element. Returns the text to write.
    pub(in crate::markdown) fn end_block(&mut self, goes_on: impl Fn(&str) -> bool) -> String {
        let mut html = String::new();
        while let Some(last) = self.open[self.level()..].last() {
            let is_text = last.kind == Kind::Text && !goes_on(&last.name);
            if !is_text && !self.ends_with_block.contains(&last.span.start) {
                break;
            }
            html += &self.end_from(self.open.len() - 1);
        }
        html
    }

    /// Handles an opening tag with the text `written`, at `span` of the file. Returns the text to write before it.
    pub(in crate::markdown) fn start(
        &mut self,
        tag: &Start,
        written: &str,
        span: &Range<usize>,
    ) -> (String, Fate) {
        let name = tag.name.as_str();
        let mut html = String::new();
        if self.is_foreign() && NEVER_FOREIGN.contains(&name) {
            html += &self.end_from(self.foreign_root());
        }
        let is_foreign = self.is_foreign();
        if let Some(why) = self.why_misplaced(tag, written, is_foreign) {
            self.leave_out(tag, why, span);
            return (html, Fate::LeftOut);
        }
        if !is_foreign {
            html += &self.end_before(name);
        }
        let is_void = VOID.contains(&name) || name == "wbr";
        let fate = match (is_foreign, tag.is_self_closing) {
            (true, true) => Fate::Kept,
            (false, _) if is_void => Fate::Kept,
            (false, true) if matches!(name, "svg" | "math") => Fate::Kept,
            (false, true) => Fate::Ended,
            (false, false) if is_raw_text(name) => {
                self.push(name, span, Kind::Text);
                Fate::Text
            }
            (_, false) => {
                let is_foreign = if !is_foreign {
                    matches!(name, "svg" | "math")
                } else if self.is_svg() {
                    !HTML_INSIDE_SVG.contains(&name)
                } else {
                    !HTML_INSIDE_MATH.contains(&name)
                };
                self.push(name, span, if is_foreign { Kind::Foreign } else { Kind::Html });
                Fate::Kept
            }
        };
        (html, fate)
    }

    /// Handles an end tag at `span` of the file. Returns the text to write before it, and whether to keep it.
    pub(in crate::markdown) fn end(&mut self, name: &str, span: &Range<usize>) -> (String, bool) {
        // Browsers treat `</br>` as `<br>`, and ignore the others.
        if VOID.contains(&name) || name == "wbr" {
            return (String::new(), name == "br" && !self.is_foreign());
        }
        if let Some(count) = self.too_deep.get_mut(name).filter(|count| **count > 0) {
            *count -= 1;
            return (String::new(), false);
        }
        let Some(at) = self.ended_by(name) else {
            self.stray(name, span);
            return (String::new(), false);
        };
        let html = self.end_from(at + 1);
        let is_kept = self.open.pop().is_some_and(|open| open.kind != Kind::LeftOut);
        self.depth -= 1;
        (html, is_kept)
    }

    /// Handles a tag or comment without an end.
    pub(in crate::markdown) fn unfinished(&mut self, written: &str, span: Range<usize>) {
        self.problems.push(unfinished(written, span));
    }

    /// Leaves out a raw text element that browsers would end elsewhere.
    pub(in crate::markdown) fn leave_out_text(&mut self) {
        if let Some(open) = self.open.pop() {
            self.depth -= 1;
            self.note_unclosed(&open, false);
            self.push(&open.name, &open.span, Kind::LeftOut);
        }
    }

    /// Closes the open raw text element, and returns the text to write.
    pub(in crate::markdown) fn end_text(&mut self) -> String {
        self.end_from(self.open.len().saturating_sub(1))
    }

    /// Returns the open raw text element.
    pub(in crate::markdown) fn raw_text(&self) -> Option<&str> {
        self.open.last().filter(|open| open.kind == Kind::Text).map(|open| open.name.as_str())
    }

    /// Whether the position is in SVG or MathML.
    pub(in crate::markdown) fn is_foreign(&self) -> bool {
        let last = self.open.iter().rfind(|open| open.kind != Kind::LeftOut);
        last.is_some_and(|open| open.kind == Kind::Foreign)
    }

    /// Whether a position in SVG or MathML is in SVG. An `<svg>` may be in an `<annotation-xml>`.
    fn is_svg(&self) -> bool {
        let open = self.open.iter().rev().filter(|open| open.kind != Kind::LeftOut);
        let mut foreign =
            open.take_while(|open| open.kind == Kind::Foreign).map(|open| open.name.as_str()).peekable();
        while let Some(name) = foreign.next() {
            match foreign.peek() {
                None => return name == "svg",
                Some(&"annotation-xml") if name == "svg" => return true,
                Some(_) => {}
            }
        }
        false
    }

    /// Whether an element with this name is open.
    pub(in crate::markdown) fn is_in(&self, name: &str) -> bool {
        self.open.iter().rev().take(2 * DEEPEST).any(|open| open.name == name && open.kind != Kind::LeftOut)
    }

    fn level(&self) -> usize {
        self.levels.last().copied().unwrap_or_default()
    }

    fn push(&mut self, name: &str, span: &Range<usize>, kind: Kind) {
        self.open.push(Open { name: name.to_string(), span: span.clone(), kind });
        self.depth += 1;
    }

    /// Returns the position of the open `<svg>` or `<math>`.
    fn foreign_root(&self) -> usize {
        let outside = self.open.iter().rposition(|it| !matches!(it.kind, Kind::Foreign | Kind::LeftOut));
        outside.map_or(0, |at| at + 1)
    }

    fn leave_out(&mut self, tag: &Start, why: String, span: &Range<usize>) {
        let is_reported = if self.depth < DEEPEST {
            // The rest of a table that had to end before.
            !TABLE_PARTS.contains(&tag.name.as_str()) || !self.ended_before.contains_key("table")
        } else {
            !std::mem::replace(&mut self.is_too_deep, true)
        };
        if is_reported {
            let problem = Problem::new(Code::DisallowedElement, span.clone(), why);
            let help = "remove the tag; the page is shown without it".to_string();
            self.problems.push(problem.help(help));
        }
        if VOID.contains(&tag.name.as_str()) || tag.is_self_closing {
            return;
        }
        if self.depth < DEEPEST {
            self.push(&tag.name, span, Kind::LeftOut);
        } else {
            *self.too_deep.entry(tag.name.clone()).or_default() += 1;
        }
    }

    /// Returns why an opening tag isn't allowed here.
    fn why_misplaced(&self, tag: &Start, written: &str, is_foreign: bool) -> Option<String> {
        let name = tag.name.as_str();
        // Tags that are left out contain nothing.
        let last = self.open.iter().rev().find(|open| open.kind != Kind::LeftOut);
        let last = last.map_or("", |open| open.name.as_str());
        let in_select = matches!(last, "select" | "option" | "optgroup") && self.is_in("select");
        let in_select_fits = matches!(name, "option" | "optgroup" | "hr" | "script" | "template");
        if MISPLACED.contains(&name) || (name == "meta" && tag.is_http_equiv) {
            Some(format!("`<{name}>` is not allowed in the text of a page"))
        } else if !is_foreign && name != "table" && TABLE_PARTS.contains(&name) && !self.is_in("table") {
            Some(format!("`<{name}>` is outside `<table>`"))
        } else if self.depth >= DEEPEST {
            Some(format!("`<{name}>` is nested in more than {DEEPEST} elements"))
        } else if name == "noscript" && self.is_in(name) {
            // A browser with scripts ends the outer one where the inner one ends, even in an image.
            Some(format!("`<{name}>` can't be in another `<{name}>`"))
        } else if holds_end_of("noscript", written) && self.is_in("noscript") {
            Some(format!("`<{name}>` contains `</noscript`, which closes the element around it"))
        } else if is_foreign {
            None
        } else if (name == "form" && self.is_in(name)) || self.is_ended_outside(name) {
            Some(format!("`<{name}>` can't be in another `<{name}>`"))
        } else if in_select && !in_select_fits && !ENDS_SELECT.contains(&name) {
            Some(format!("`<{name}>` can't be in a `<select>`"))
        } else {
            None
        }
    }

    /// Closes the elements that browsers close before this one, and returns the text to write.
    fn end_before(&mut self, name: &str) -> String {
        let ended = self.ended_where_begins(name).filter(|at| *at >= self.level());
        match ended.into_iter().chain(self.cells_of_others(name)).min() {
            Some(at) => self.end_from(at),
            None => String::new(),
        }
    }

    /// Returns the position of content in a table but outside its cells, before a part of the table begins.
    fn cells_of_others(&self, name: &str) -> Option<usize> {
        let is_part = |name: &str| TABLE_PARTS.contains(&name);
        if name == "table" || !is_part(name) {
            return None;
        }
        let around = self.open[self.level()..].iter().rposition(|open| is_part(&open.name))?;
        let at = self.level() + around;
        let is_cell = matches!(self.open[at].name.as_str(), "td" | "th" | "caption");
        (!is_cell && at + 1 < self.open.len()).then_some(at + 1)
    }

    /// Whether browsers would close an element outside the current container.
    fn is_ended_outside(&self, name: &str) -> bool {
        // Browsers close links by other rules, which lose nothing.
        name != "a" && self.ended_where_begins(name).is_some_and(|at| at < self.level())
    }

    /// Returns the position of the element that browsers close when one with this name begins.
    fn ended_where_begins(&self, name: &str) -> Option<usize> {
        let last = |names: &[&str]| {
            // Browsers don't see tags that are left out.
            let at = self.open.iter().rposition(|open| open.kind != Kind::LeftOut)?;
            names.contains(&self.open[at].name.as_str()).then_some(at)
        };
        let nearest = |names: &[&str], stops: &[&str], passes: &[Container]| {
            let mut found = None;
            let kept = self.open.iter().enumerate().filter(|(_, open)| open.kind != Kind::LeftOut);
            for (at, open) in kept.rev().take(2 * DEEPEST) {
                if open.kind == Kind::Container(Container::Item) && names == ["li"] {
                    // Directly in a Markdown item, the two are simply adjacent.
                    return Some(at).filter(|at| at + 1 < self.open.len());
                }
                let stops_here = match open.kind {
                    Kind::Container(container) => !passes.contains(&container),
                    _ => stops.contains(&open.name.as_str()),
                };
                if names.contains(&open.name.as_str()) {
                    found = Some(at);
                } else if stops_here {
                    break;
                }
                if found.is_some() && names.len() < 3 {
                    break;
                }
            }
            found
        };
        match name {
            "li" => nearest(&["li"], STOP_ITEM, PASSED),
            "dd" | "dt" => nearest(&["dd", "dt"], STOP_ITEM, PASSED),
            "td" | "th" => nearest(&["td", "th"], &["table", "template"], &[Container::Inline]),
            "tr" => nearest(&["tr", "td", "th"], &["table", "template"], &[Container::Inline]),
            "tbody" | "thead" | "tfoot" | "caption" | "colgroup" => nearest(
                &["tbody", "thead", "tfoot", "caption", "colgroup", "tr", "td", "th"],
                &["table", "template"],
                &[Container::Inline],
            ),
            "col" => nearest(
                &["tbody", "thead", "tfoot", "caption", "tr", "td", "th"],
                &["table", "template"],
                &[Container::Inline],
            ),
            "table" => {
                nearest(&["table"], &["td", "th", "caption", "template", "object", "marquee", "applet"], ALL)
            }
            "a" | "nobr" | "button" => nearest(&[name], SCOPES.as_slice(), ALL),
            "select" | "input" | "keygen" | "textarea" => nearest(&["select"], SCOPES.as_slice(), &[]),
            "option" => last(&["option"]),
            "optgroup" => match last(&["option"]) {
                Some(at) if at > 0 && self.open[at - 1].name == "optgroup" => Some(at - 1),
                Some(at) => Some(at),
                None => last(&["optgroup"]),
            },
            "rb" | "rp" | "rt" | "rtc" => last(&["rb", "rp", "rt"]),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => last(&["h1", "h2", "h3", "h4", "h5", "h6"]),
            _ => None,
        }
    }

    /// Returns the position of the element that an end tag closes, in the same container.
    fn ended_by(&self, name: &str) -> Option<usize> {
        let is_part = TABLE_PARTS.contains(&name);
        for at in (self.level()..self.open.len()).rev() {
            let open = self.open[at].name.as_str();
            if open == name {
                return Some(at);
            }
            let is_kept = self.open[at].kind != Kind::LeftOut;
            if is_kept && SCOPES.contains(&open) && (!is_part || matches!(open, "table" | "template")) {
                return None;
            }
        }
        None
    }

    /// Closes the elements from a position on, and reports those that need an end tag. Returns their end tags.
    fn end_from(&mut self, position: usize) -> String {
        let mut html = String::new();
        if position < self.open.len() {
            self.too_deep.clear();
        }
        // An end tag of SVG is ignored in an HTML element.
        let is_in_foreign = self.open.iter().rev().take(2 * DEEPEST).any(|open| open.kind == Kind::Foreign);
        let mut reported = None;
        for open in self.open.split_off(position).into_iter().rev() {
            self.depth -= 1;
            let is_optional = open.kind == Kind::Html && OPTIONAL.contains(&open.name.as_str());
            if open.kind == Kind::LeftOut || (is_optional && !is_in_foreign) {
                continue;
            }
            html.extend(["</", &open.name, ">"]);
            if !is_optional {
                // `<sup>a<sup>`: one missing slash.
                let is_same =
                    reported.as_ref() == Some(&open.name) && NEVER_NESTED.contains(&open.name.as_str());
                self.note_unclosed(&open, is_same);
                reported = Some(open.name);
            }
        }
        html
    }

    /// Records that an element has no end tag, and reports it unless the cause is reported.
    fn note_unclosed(&mut self, open: &Open, is_reported: bool) {
        *self.ended_before.entry(open.name.clone()).or_default() += 1;
        self.never_ended.insert(open.span.start);
        // An unknown element is a separate finding.
        if !is_reported && (is_element(&open.name) || open.kind == Kind::Foreign) {
            self.problems.push(unclosed(&open.name, open.span.clone()));
        }
    }

    /// Whether an end tag in a paragraph ends an element around it, such as a table cell, which also ends the paragraph. In a table,
    /// the paragraph before may have begun the part.
    fn ends_outside(&self, name: &str) -> bool {
        let is_part = TABLE_PARTS.contains(&name);
        let mut around = self.open[..self.level()].iter().rev().take(2 * DEEPEST);
        let is_ended = |open: &Open| open.name == name || is_part && open.name == "table";
        OPTIONAL.contains(&name) && around.any(|open| open.kind == Kind::Html && is_ended(open))
    }

    fn stray(&mut self, name: &str, span: &Range<usize>) {
        if let Some(count) = self.ended_before.get_mut(name).filter(|count| **count > 0) {
            *count -= 1;
            // Its end tag shows that a link was only ended by a link in it.
            if let Some(problem) =
                self.problems.iter_mut().rfind(|_| name == "a").filter(|it| is_unclosed(it, name))
            {
                *problem = nested_link(problem.span.clone());
            }
        } else if is_element(name) && !self.ends_outside(name) {
            let message = format!("`</{name}>` has no start tag in its block");
            let around = self.open[self.level()..].last().map_or("", |open| &open.name);
            let is_meant = |pair: &[&str; 2]| pair.contains(&around) && pair.contains(&name);
            let help = if ALTERNATIVES.iter().any(is_meant) {
                format!("use `</{around}>`, which ends the element around it")
            } else {
                format!("remove it, or add `<{name}>` at the start of the element")
            };
            self.problems.push(Problem::new(Code::StrayEndTag, span.clone(), message).help(help));
        }
    }
}

impl Open {
    /// Whether it formats text, or is a list or a part of an element with an optional end tag.
    fn formats_or_lists(&self) -> bool {
        let name = self.name.as_str();
        NEVER_NESTED.contains(&name) || matches!(name, "dl" | "ol" | "ul") || OPTIONAL.contains(&name)
    }
}

/// Whether an element prevents later ones from closing the paragraph around it. One that is left out contains nothing.
fn hides_paragraph(open: &Open) -> bool {
    let name = open.name.as_str();
    match open.kind {
        Kind::LeftOut => false,
        Kind::Html => name == "button" || SCOPES.contains(&name),
        _ => true,
    }
}

/// Elements in whose place the other one may be.
const ALTERNATIVES: [[&str; 2]; 2] = [["td", "th"], ["dd", "dt"]];

/// Elements that have no use in themselves.
const NEVER_NESTED: [&str; 10] = ["b", "code", "em", "i", "kbd", "mark", "strong", "sub", "sup", "u"];

/// Tags that close a `<select>`.
const ENDS_SELECT: [&str; 4] = ["input", "keygen", "select", "textarea"];

/// Markdown containers around an item that don't end it.
const PASSED: &[Container] = &[Container::Inline, Container::Paragraph, Container::Note];

const ALL: &[Container] = &[
    Container::Inline,
    Container::Paragraph,
    Container::Note,
    Container::Item,
    Container::Cell,
    Container::Block,
];

/// Elements that bound the scope of a list item.
#[rustfmt::skip]
const STOP_ITEM: &[&str] = &[
    "applet", "article", "aside", "blockquote", "button", "caption", "center", "details", "dir", "dl", "fieldset",
    "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "iframe",
    "listing", "main", "marquee", "menu", "nav", "noscript", "object", "ol", "pre", "search", "section", "select",
    "summary", "table", "tbody", "td", "template", "tfoot", "th", "thead", "tr", "ul",
];

/// Whether a text contains the end tag of an element, or a text that browsers treat as one.
pub(in crate::markdown) fn holds_end_of(name: &str, text: &str) -> bool {
    memchr::memmem::find_iter(text.as_bytes(), b"</").any(|at| {
        let after = text.as_bytes().get(at + 2..at + 2 + name.len());
        after.is_some_and(|after| after.eq_ignore_ascii_case(name.as_bytes()))
    })
}
