//! Raw HTML in a page: which addresses and anchors it names, and where its text is.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{Token, Tokenizer};

use super::ReferenceKind;
use crate::url::is_unsafe;

/// One opening tag at the start of a text.
#[derive(Debug)]
pub(super) struct StartTag {
    /// In lower case.
    pub(super) name: String,
    /// Bytes from `<` to `>`.
    pub(super) length: usize,
    attributes: BTreeMap<String, String>,
    /// Where the name of each attribute that has a value begins.
    starts: BTreeMap<String, usize>,
    /// Where each value stands, without its quotes.
    pub(super) value_spans: BTreeMap<String, Range<usize>>,
}

impl StartTag {
    /// The decoded value of an attribute named in lower case.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
    }
}

/// A tag longer than this is no tag: the page forgot a `>`.
const LONGEST_TAG: usize = 4096;

/// Reads the tag that `text` starts with.
pub(super) fn start_tag(text: &str) -> Option<StartTag> {
    if !text.starts_with('<') {
        return None;
    }
    let limit = (0..=LONGEST_TAG.min(text.len())).rev().find(|&at| text.is_char_boundary(at))?;
    let text = &text[..limit];
    let tag = tokens(text).find_map(|token| match token {
        Token::StartTag(tag) => Some(Some(tag)),
        Token::Error(_) => None,
        _ => Some(None),
    })??;
    (tag.span.start == 0).then(|| read_tag(text, &tag))
}

fn tokens(text: &str) -> impl Iterator<Item = Token<usize>> {
    let mut emitter = DefaultEmitter::<usize>::new_with_span();
    emitter.naively_switch_states(true);
    Tokenizer::new_with_emitter(text, emitter).map(|token| match token {
        Ok(token) => token,
        Err(never) => match never {},
    })
}

fn read_tag(text: &str, tag: &html5gum::StartTag<usize>) -> StartTag {
    let mut attributes = BTreeMap::new();
    let mut value_spans = BTreeMap::new();
    let mut starts = BTreeMap::new();
    for (name, value) in &tag.attributes {
        let name = lossy(name);
        if let Some(span) = value_span(text, value.span.start..value.span.end) {
            value_spans.insert(name.clone(), span);
            starts.insert(name.clone(), value.span.start);
        }
        attributes.insert(name, lossy(&value.value));
    }
    let name = lossy(&tag.name);
    StartTag { name, length: tag.span.end - tag.span.start, attributes, starts, value_spans }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// html5gum's span covers `name = "value"`; the value is what follows the sign, without quotes.
fn value_span(text: &str, attribute: Range<usize>) -> Option<Range<usize>> {
    let whole = &text[attribute.clone()];
    let after = whole.find('=')? + 1;
    let value = whole[after..].trim();
    let start = attribute.start + after + (whole[after..].len() - whole[after..].trim_start().len());
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
    match quote {
        Some(quote) => {
            let inner = value[1..].find(quote).map_or(value.len(), |end| end + 1);
            Some(start + 1..start + inner)
        }
        None => Some(start..start + value.len()),
    }
}

/// Something of interest in a piece of raw HTML; spans are byte ranges into that piece.
#[derive(Debug, PartialEq)]
pub(super) enum Found {
    /// An `id`, or the `name` of an `<a>`.
    Anchor { id: String, span: Range<usize> },
    /// An address in an attribute. `text` is an image's alternative text.
    Reference { kind: ReferenceKind, target: String, text: Option<String>, span: Range<usize>, quoted: bool },
    /// An address that must not be published, and the attribute that holds it.
    Unsafe { kind: ReferenceKind, target: String, span: Range<usize>, attribute: Range<usize> },
    /// Text between tags, outside of code.
    Text(Range<usize>),
    /// A tag whose name is no element's.
    Unknown { name: String, span: Range<usize> },
}

impl Found {
    fn start(&self) -> usize {
        match self {
            Self::Anchor { span, .. }
            | Self::Reference { span, .. }
            | Self::Unknown { span, .. }
            | Self::Text(span) => span.start,
            Self::Unsafe { attribute, .. } => attribute.start,
        }
    }
}

/// Attributes that hold one address, by element.
const ADDRESSES: &[(&str, &str, ReferenceKind)] = &[
    ("a", "href", ReferenceKind::Link),
    ("area", "href", ReferenceKind::Link),
    ("img", "src", ReferenceKind::Image),
    ("source", "src", ReferenceKind::File),
    ("video", "src", ReferenceKind::File),
    ("video", "poster", ReferenceKind::Image),
    ("audio", "src", ReferenceKind::File),
    ("track", "src", ReferenceKind::File),
    ("embed", "src", ReferenceKind::File),
    ("object", "data", ReferenceKind::File),
    ("script", "src", ReferenceKind::File),
    ("iframe", "src", ReferenceKind::Link),
    ("link", "href", ReferenceKind::File),
    ("input", "src", ReferenceKind::Image),
    ("image", "href", ReferenceKind::Image),
];

/// What becomes of the address in an attribute, where browsers take it for one. Beside [`ADDRESSES`] these are
/// attributes that nobody looks up, because what they name is no page or file of a site.
fn kind_of(element: &str, attribute: &str) -> Option<ReferenceKind> {
    let known = ADDRESSES.iter().find(|(of, name, _)| *of == element && *name == attribute);
    known.map(|(.., kind)| *kind).or(match (element, attribute) {
        ("animate" | "set", "from" | "to" | "values") | (_, "action" | "formaction") | ("frame", "src") => {
            Some(ReferenceKind::Link)
        }
        ("use" | "image" | "feimage", "href" | "xlink:href") | (_, "src" | "data") => {
            Some(ReferenceKind::File)
        }
        (_, "href" | "xlink:href") => Some(ReferenceKind::Link),
        _ => None,
    })
}

/// Elements whose text is not prose.
const CODE: [&str; 8] = ["code", "pre", "kbd", "samp", "var", "script", "style", "textarea"];

/// The elements of HTML, obsolete ones included, and those of SVG and MathML that pages draw with; sorted.
#[rustfmt::skip] // A list of names reads better in paragraphs.
const ELEMENTS: &[&str] = &[
    "a", "abbr", "acronym", "address", "animate", "area", "article", "aside", "audio", "b", "base", "bdi", "bdo", "big",
    "blockquote", "body", "br", "button", "canvas", "caption", "center", "circle", "cite", "clippath", "code", "col",
    "colgroup", "data", "datalist", "dd", "defs", "del", "details", "dfn", "dialog", "dir", "div", "dl", "dt",
    "ellipse", "em", "embed", "fieldset", "figcaption", "figure", "filter", "font", "footer", "foreignobject", "form",
    "frame", "frameset", "g", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hgroup", "hr", "html", "i",
    "iframe", "image", "img", "input", "ins", "kbd", "label", "legend", "li", "line", "lineargradient", "link",
    "main", "map", "mark", "marker", "marquee", "mask", "math", "menu", "meta", "meter", "mfrac", "mi", "mn", "mo",
    "mover", "mroot", "mrow", "msqrt", "mstyle", "msub", "msubsup", "msup", "mtable", "mtd", "mtext", "mtr", "munder",
    "nav", "nobr", "noframes", "noscript", "object", "ol", "optgroup", "option", "output", "p", "param", "path",
    "pattern", "picture", "polygon", "polyline", "pre", "progress", "q", "radialgradient", "rect", "rp", "rt", "rtc",
    "ruby", "s", "samp", "script", "search", "section", "select", "slot", "small", "source", "span", "stop", "strike",
    "strong", "style", "sub", "summary", "sup", "svg", "symbol", "tab", "table", "tabs", "tbody", "td", "template",
    "text", "textarea", "tfoot", "th", "thead", "time", "title", "tr", "track", "tspan", "tt", "u", "ul", "use", "var",
    "video", "wbr",
];

/// Custom elements have a hyphen (HTML standard, "valid custom element name"); `tabs` and `tab` are
/// what many tutorials write for tabs.
fn is_element(name: &str) -> bool {
    name.contains('-') || ELEMENTS.binary_search(&name).is_ok()
}

/// The anchors of a whole HTML document; `None` where its scripts seem to make them.
pub fn anchors(html: &str) -> Option<BTreeSet<String>> {
    let mut anchors = BTreeSet::new();
    let mut has_scripts = false;
    for token in tokens(html) {
        let Token::StartTag(tag) = token else { continue };
        has_scripts |= *tag.name == b"script";
        let names: &[&[u8]] = if *tag.name == b"a" { &[b"id", b"name"] } else { &[b"id"] };
        let values = names.iter().filter_map(|name| tag.attributes.get(*name));
        anchors.extend(values.map(|value| lossy(&value.value)));
    }
    // A page that a script draws has an element or two to draw it in.
    (!has_scripts || anchors.len() > 3).then_some(anchors)
}

/// What stands in a piece of HTML, in its order.
pub(super) fn scan(html: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut code_depth = 0_usize;
    for token in tokens(html) {
        match token {
            Token::StartTag(tag) => {
                let start = tag.span.start;
                let self_closing = tag.self_closing;
                let tag = read_tag(html, &tag);
                code_depth += usize::from(CODE.contains(&tag.name.as_str()) && !self_closing);
                if !is_element(&tag.name) {
                    found.push(Found::Unknown { name: tag.name.clone(), span: start..start + tag.length });
                }
                scan_tag(&tag, start, html, &mut found);
            }
            Token::EndTag(tag) if CODE.iter().any(|name| name.as_bytes() == tag.name.as_slice()) => {
                code_depth = code_depth.saturating_sub(1);
            }
            Token::String(text) if code_depth == 0 => found.push(Found::Text(text.span.start..text.span.end)),
            _ => {}
        }
    }
    found
}

fn scan_tag(tag: &StartTag, start: usize, html: &str, found: &mut Vec<Found>) {
    let span_of = |name: &str| tag.value_spans.get(name).cloned().unwrap_or(start..start + tag.length);
    let is_quoted = |span: &Range<usize>| matches!(html.as_bytes().get(span.end), Some(b'"' | b'\''));
    let first = found.len();
    for name in ["id", "name"] {
        let Some(id) = tag.attribute(name).filter(|id| !id.is_empty()) else { continue };
        if name == "id" || tag.name == "a" {
            found.push(Found::Anchor { id: id.to_string(), span: span_of(name) });
        }
    }
    let unsafe_attributes: Vec<&str> = unsafe_attributes(tag, html, found);
    for &(element, attribute, kind) in ADDRESSES {
        let Some(target) = tag.attribute(attribute).filter(|_| element == tag.name) else { continue };
        if unsafe_attributes.contains(&attribute) {
            continue;
        }
        let span = span_of(attribute);
        // Only pictures need a text; a poster or a source has its element's.
        let text = if element == "img" { tag.attribute("alt") } else { Some("") }.map(str::to_string);
        let quoted = is_quoted(&span);
        // As browsers read addresses: URL standard, "basic URL parser".
        let target = target.trim().replace(['\t', '\n', '\r'], "");
        found.push(Found::Reference { kind, target, text, span, quoted });
    }
    if let Some(span) =
        tag.value_spans.get("srcset").filter(|_| matches!(tag.name.as_str(), "img" | "source"))
    {
        for candidate in candidates(&html[span.clone()]) {
            let target = html[span.start + candidate.start..span.start + candidate.end].to_string();
            let span = span.start + candidate.start..span.start + candidate.end;
            found.push(Found::Reference {
                kind: ReferenceKind::Image,
                target,
                text: Some(String::new()),
                span,
                quoted: true,
            });
        }
    }
    // Authors write attributes in any order, and the page is written from front to back.
    found[first..].sort_by_key(Found::start);
}

/// Notes the attributes of a tag that hold what must not be published; gives their names.
fn unsafe_attributes<'t>(tag: &'t StartTag, html: &str, found: &mut Vec<Found>) -> Vec<&'t str> {
    let mut names = Vec::new();
    for (name, target) in &tag.attributes {
        let Some(kind) = kind_of(&tag.name, name) else { continue };
        let (Some(span), Some(&start)) = (tag.value_spans.get(name), tag.starts.get(name)) else { continue };
        if is_unsafe(target, kind.purpose()) {
            let is_quoted = matches!(html.as_bytes().get(span.end), Some(b'"' | b'\''));
            let attribute = start..span.end + usize::from(is_quoted);
            let target = target.trim().to_string();
            found.push(Found::Unsafe { kind, target, span: span.clone(), attribute });
            names.push(name.as_str());
        }
    }
    names
}

/// The addresses of a `srcset`: `a.png 1x, b.png 2x`, as the HTML standard splits them.
fn candidates(srcset: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    loop {
        let rest = &srcset[at..];
        at += rest.len() - rest.trim_start_matches(|c: char| c == ',' || c.is_whitespace()).len();
        let address = srcset[at..].split_whitespace().next().unwrap_or_default();
        if address.is_empty() {
            return found;
        }
        let bare = address.trim_end_matches(',');
        found.push(at..at + bare.len());
        at += address.len();
        if bare.len() == address.len() {
            at += srcset[at..].find(',').unwrap_or(srcset.len() - at);
        }
    }
}
