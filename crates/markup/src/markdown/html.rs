//! Parses raw HTML in a page: the URLs and anchors in it, and its text.

use std::ops::Range;

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{Token, Tokenizer};

use super::page::ReferenceKind;
use base::quoted::quoted;
use base::sort::StableSort as _;
use base::sorted::{SortedMap, SortedSet};
use base::url::is_unsafe;

/// An opening tag at the start of a text.
#[derive(Debug)]
pub(super) struct StartTag {
    /// In lower case.
    pub(super) name: String,
    /// Length in bytes, from `<` to `>`.
    pub(super) length: usize,
    attributes: SortedMap<String, String>,
    /// Start of the name of each attribute with a value.
    starts: SortedMap<String, usize>,
    /// Range of each value, without its quotes.
    pub(super) value_spans: SortedMap<String, Range<usize>>,
}

impl StartTag {
    /// Returns the decoded value of an attribute. `name` is in lower case.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
    }
}

/// Maximum length of a tag in bytes. If a tag is longer, its `>` is missing.
const LONGEST_TAG: usize = 4096;

/// Parses the tag at the start of `text`.
pub(super) fn start_tag(text: &str) -> Option<StartTag> {
    read_start_tag(&text[..tag_length(text)?])
}

/// Returns the length in bytes of the tag at the start of `text` if it is complete: it ends at the first `>` outside
/// quotes, without a `<` before it outside quotes, as in CommonMark. A page may contain a thousand unfinished tags on
/// one line.
fn tag_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes().get(..LONGEST_TAG.min(text.len())).filter(|bytes| bytes.starts_with(b"<"))?;
    let mut at = 1;
    loop {
        match bytes.get(at)? {
            b'>' => return Some(at + 1),
            b'<' => return None,
            quote @ (b'"' | b'\'') => at += 2 + memchr::memchr(*quote, &bytes[at + 1..])?,
            _ => at += 1,
        }
    }
}

/// Whether an element's complete name begins here: `aside>` or `aside class`, but not `asides`.
pub(super) fn starts_with_name(bytes: &[u8], name: &str) -> bool {
    let Some(start) = bytes.get(..name.len()) else { return false };
    let ends =
        bytes.get(name.len()).is_none_or(|next| matches!(next, b'>' | b'/') || next.is_ascii_whitespace());
    start.eq_ignore_ascii_case(name.as_bytes()) && ends
}

pub(super) fn find_ignoring_case(text: &[u8], wanted: &str) -> Option<usize> {
    text.windows(wanted.len()).position(|window| window.eq_ignore_ascii_case(wanted.as_bytes()))
}

/// Parses a text that is exactly one tag.
fn read_start_tag(text: &str) -> Option<StartTag> {
    let emitter = DefaultEmitter::<usize>::new_with_span();
    let tag = Tokenizer::new_with_emitter(text, emitter).find_map(|token| match token {
        Ok(Token::StartTag(tag)) => Some(Some(tag)),
        Ok(Token::Error(_)) => None,
        _ => Some(None),
    })??;
    (tag.span.start == 0).then(|| read_tag(text, &tag))
}

fn read_tag(text: &str, tag: &html5gum::StartTag<usize>) -> StartTag {
    let mut attributes = SortedMap::new();
    let mut value_spans = SortedMap::new();
    let mut starts = SortedMap::new();
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

/// html5gum's span covers `name = "value"`. The value follows the `=`, without quotes.
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

/// A part of raw HTML. Spans are byte ranges in that piece.
#[derive(Debug, PartialEq)]
pub(super) enum HtmlPart {
    Start(Start),
    End {
        /// In lower case.
        name: String,
        span: Range<usize>,
    },
    /// Text between tags, outside code.
    Text(Range<usize>),
    /// Text in a code element.
    Code(Range<usize>),
    /// Text in SVG or MathML between `<![CDATA[` and `]]>`, including these.
    Section(Range<usize>),
    /// A comment, a doctype or a processing instruction, which readers don't see.
    Comment(Range<usize>),
    /// The start of a tag or comment that doesn't end in this piece, with the rest of the piece.
    Unfinished(Range<usize>),
}

/// An opening tag.
#[derive(Debug, PartialEq)]
pub(super) struct Start {
    /// In lower case.
    pub(super) name: String,
    pub(super) span: Range<usize>,
    /// Whether it ends with `/>`.
    pub(super) is_self_closing: bool,
    /// Whether it replaces an HTTP header: `<meta http-equiv>`.
    pub(super) is_http_equiv: bool,
    /// The anchors and URLs in its attributes, in order.
    pub(super) named: Vec<Named>,
    /// The decoded values of all attributes.
    pub(super) attributes: SortedMap<String, String>,
}

/// An anchor or URL in an attribute.
#[derive(Debug, PartialEq)]
pub(super) enum Named {
    /// An `id`, or the `name` of an `<a>`.
    Anchor { id: String, span: Range<usize> },
    /// A URL. `text` is an image's alternative text.
    Reference { kind: ReferenceKind, target: String, text: Option<String>, span: Range<usize>, quoted: bool },
    /// A URL that must not be published, and the attribute that contains it.
    Unsafe { kind: ReferenceKind, target: String, span: Range<usize>, attribute: Range<usize> },
}

impl Named {
    fn start(&self) -> usize {
        match self {
            Self::Anchor { span, .. } | Self::Reference { span, .. } => span.start,
            Self::Unsafe { attribute, .. } => attribute.start,
        }
    }
}

/// Attributes that contain a URL, by element.
pub(super) const ADDRESSES: &[(&str, &str, ReferenceKind)] = &[
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

/// Returns the kind of the URL in an attribute that browsers interpret as one. In addition to [`ADDRESSES`], these
/// are attributes that aren't checked because they don't refer to a page or file of a site.
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

/// Elements whose text isn't prose.
const CODE: [&str; 8] = ["code", "pre", "kbd", "samp", "var", "script", "style", "textarea"];

/// The elements of HTML, including obsolete ones, and of SVG and MathML. Sorted.
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

/// Custom elements contain a hyphen (HTML standard, "valid custom element name"). Many tutorials use `tabs` and `tab`
/// for tabs.
pub(super) fn is_element(name: &str) -> bool {
    name.contains('-') || is_html(name)
}

/// Whether the HTML standard defines an element.
pub(super) fn is_html(name: &str) -> bool {
    ELEMENTS.binary_search(&name).is_ok()
}

/// Returns the anchors of a complete HTML document, or `None` if its scripts seem to create them.
pub fn anchors(html: &str) -> Option<SortedSet<String>> {
    let mut anchors = SortedSet::new();
    let mut has_scripts = false;
    let mut emitter = DefaultEmitter::<usize>::new_with_span();
    emitter.naively_switch_states(true);
    for token in Tokenizer::new_with_emitter(html, emitter) {
        let Ok(Token::StartTag(tag)) = token else { continue };
        has_scripts |= *tag.name == b"script";
        let names: &[&[u8]] = if *tag.name == b"a" { &[b"id", b"name"] } else { &[b"id"] };
        let values = names.iter().filter_map(|name| tag.attributes.get(*name));
        anchors.extend(values.map(|value| lossy(&value.value)));
    }
    // A page that a script creates contains few elements.
    (!has_scripts || anchors.len() > 3).then_some(anchors)
}

/// HTML for the `<head>` of a page.
#[derive(Debug, PartialEq)]
pub struct HeadHtml {
    /// Byte ranges of root-relative paths.
    pub paths: Vec<Range<usize>>,
    /// The first content that isn't allowed in a head, and that ends it (HTML standard, "after head").
    pub stranger: Option<String>,
}

impl HeadHtml {
    pub fn of(html: &str) -> Self {
        const IN_HEAD: [&str; 8] =
            ["base", "link", "meta", "noscript", "script", "style", "template", "title"];
        let (mut paths, mut stranger) = (Vec::new(), None);
        let mut reader = HtmlReader::new(html);
        while let Some(found) = reader.next(false) {
            let strange = match found {
                HtmlPart::Start(start) => {
                    let is_path = |target: &str| target.starts_with('/') && !target.starts_with("//");
                    paths.extend(start.named.into_iter().filter_map(|named| match named {
                        Named::Reference { target, span, .. } if is_path(&target) => Some(span),
                        _ => None,
                    }));
                    if is_raw_text(&start.name) {
                        reader.raw_text(&start.name);
                    }
                    (!IN_HEAD.contains(&&*start.name)).then(|| format!("`<{}>`", start.name))
                }
                HtmlPart::Text(span) | HtmlPart::Code(span) | HtmlPart::Section(span) => {
                    let text = html[span].trim();
                    (!text.is_empty())
                        .then(|| format!("the text {}", quoted(text.lines().next().unwrap_or_default())))
                }
                HtmlPart::Unfinished(span) => Some(format!("the unfinished {}", quoted(&html[span]))),
                HtmlPart::End { .. } | HtmlPart::Comment(_) => None,
            };
            stranger = stranger.or(strange);
        }
        Self { paths, stranger }
    }
}

/// Whether browsers treat the content of an element as text up to its end tag, outside SVG and MathML.
pub(super) fn is_raw_text(name: &str) -> bool {
    const RAW_TEXT: [&str; 8] =
        ["iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp"];
    RAW_TEXT.contains(&name)
}

/// Splits raw HTML into parts, as the HTML standard's tokenizer does.
#[derive(Debug)]
pub(super) struct HtmlReader<'h> {
    html: &'h str,
    at: usize,
    /// Number of open code elements.
    code_depth: usize,
}

impl<'h> HtmlReader<'h> {
    pub(super) fn new(html: &'h str) -> Self {
        Self { html, at: 0, code_depth: 0 }
    }

    /// Returns the next part. `is_foreign` is set in SVG and MathML, which allow CDATA sections.
    pub(super) fn next(&mut self, is_foreign: bool) -> Option<HtmlPart> {
        let (html, start) = (self.html, self.at);
        let rest = html.get(start..).filter(|rest| !rest.is_empty())?;
        let Some((markup, length)) = markup(rest, is_foreign) else {
            self.at += text_length(rest);
            return Some(self.text(start..self.at));
        };
        self.at = length.map_or(html.len(), |length| start + length);
        let span = start..self.at;
        if length.is_none() {
            return Some(HtmlPart::Unfinished(span));
        }
        Some(match markup {
            Markup::Start { is_self_closing } => {
                let start = read_start(html, span, is_self_closing);
                self.code_depth += usize::from(is_code(&start.name) && !start.is_self_closing);
                HtmlPart::Start(start)
            }
            Markup::End => {
                let name = name_of(&html[start + 2..]).to_ascii_lowercase();
                self.code_depth = self.code_depth.saturating_sub(usize::from(is_code(&name)));
                HtmlPart::End { name, span }
            }
            Markup::Comment => HtmlPart::Comment(span),
            Markup::Section => HtmlPart::Section(span),
        })
    }

    /// Returns everything up to the end tag of a raw text element, and whether there is an end tag.
    pub(super) fn raw_text(&mut self, name: &str) -> (Range<usize>, bool) {
        let start = self.at;
        let rest = &self.html.as_bytes()[start..];
        let ends = memchr::memmem::find_iter(rest, b"</").find(|&end| {
            let after = &rest[end + 2..];
            let is_name = after.get(..name.len()).is_some_and(|it| it.eq_ignore_ascii_case(name.as_bytes()));
            is_name
                && after.get(name.len()).is_some_and(|next| matches!(next, b'>' | b'/') || is_space(*next))
        });
        self.at = ends.map_or(self.html.len(), |end| start + end);
        (start..self.at, ends.is_some())
    }

    fn text(&self, span: Range<usize>) -> HtmlPart {
        if self.code_depth == 0 { HtmlPart::Text(span) } else { HtmlPart::Code(span) }
    }
}

fn is_code(name: &str) -> bool {
    CODE.contains(&name)
}

/// Markup that begins with `<`.
enum Markup {
    Start {
        is_self_closing: bool,
    },
    End,
    Comment,
    /// `<![CDATA[`, in SVG.
    Section,
}

/// Returns the markup at the start of `text` and its length, if it is complete. Returns `None` for text.
///
/// Follows the HTML standard, "Tokenization", from the "tag open state" on.
fn markup(text: &str, is_foreign: bool) -> Option<(Markup, Option<usize>)> {
    let bytes = text.as_bytes();
    if bytes.first() != Some(&b'<') {
        return None;
    }
    let up_to = |end: &str| memchr::memmem::find(bytes, end.as_bytes()).map(|at| at + end.len());
    Some(match bytes.get(1..)? {
        [letter, ..] if letter.is_ascii_alphabetic() => match tag_end(bytes) {
            Some((end, is_self_closing)) => (Markup::Start { is_self_closing }, Some(end)),
            None => (Markup::Start { is_self_closing: false }, None),
        },
        [b'/', letter, ..] if letter.is_ascii_alphabetic() => {
            (Markup::End, tag_end(bytes).map(|(end, _)| end))
        }
        [b'/'] => return None,
        [b'!', b'-', b'-', ..] => (Markup::Comment, comment_end(bytes)),
        [b'!', b'[', rest @ ..] if is_foreign && rest.starts_with(b"CDATA[") => {
            (Markup::Section, up_to("]]>"))
        }
        [b'/' | b'!' | b'?', ..] => (Markup::Comment, up_to(">")),
        _ => return None,
    })
}

/// Returns the length in bytes of the text before the next markup.
fn text_length(rest: &str) -> usize {
    let is_markup = |next: &u8| next.is_ascii_alphabetic() || matches!(next, b'/' | b'!' | b'?');
    let bytes = rest.as_bytes();
    let mut starts = memchr::memchr_iter(b'<', bytes).filter(|&at| at > 0);
    starts.find(|&at| bytes.get(at + 1).is_some_and(is_markup)).unwrap_or(rest.len())
}

/// Returns the end of a comment: after `-->` or `--!>`, or immediately for `<!-->` and `<!--->`.
fn comment_end(bytes: &[u8]) -> Option<usize> {
    if let Some(abrupt) = [&b"<!-->"[..], b"<!--->"].iter().find(|it| bytes.starts_with(it)) {
        return Some(abrupt.len());
    }
    memchr::memmem::find_iter(&bytes[4..], b"--").find_map(|at| match &bytes[4 + at + 2..] {
        [b'>', ..] => Some(4 + at + 3),
        // The last two of three hyphens may end it.
        [b'!' | b'-', b'>', ..] => Some(4 + at + 4),
        [b'-', b'!', b'>', ..] => Some(4 + at + 5),
        _ => None,
    })
}

/// Returns the end of the tag at the start of `bytes`, and whether it ends with `/>`. A quote has a meaning only
/// after `=`.
fn tag_end(bytes: &[u8]) -> Option<(usize, bool)> {
    let find = |from: usize, is_wanted: fn(u8) -> bool| {
        bytes.get(from..)?.iter().position(|byte| is_wanted(*byte)).map(|at| from + at)
    };
    let mut at = find(2, |byte| is_space(byte) || matches!(byte, b'/' | b'>'))?;
    loop {
        let before = at;
        at = find(at, |byte| !is_space(byte) && byte != b'/')?;
        if bytes[at] == b'>' {
            return Some((at + 1, at > before && bytes[at - 1] == b'/'));
        }
        // The first character of a name may be `=`.
        at = find(at + 1, |byte| is_space(byte) || matches!(byte, b'/' | b'>' | b'='))?;
        at = find(at, |byte| !is_space(byte))?;
        if bytes[at] != b'=' {
            continue;
        }
        at = find(at + 1, |byte| !is_space(byte))?;
        at = match bytes[at] {
            quote @ (b'"' | b'\'') => at + 2 + memchr::memchr(quote, &bytes[at + 1..])?,
            _ => find(at, |byte| is_space(byte) || byte == b'>')?,
        };
    }
}

/// Returns the name at the start of a tag's content.
fn name_of(inside: &str) -> &str {
    let end = inside.find(|c: char| c == '/' || c == '>' || u8::try_from(c).is_ok_and(is_space));
    &inside[..end.unwrap_or(inside.len())]
}

/// White space by the HTML standard.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')
}

/// Parses the opening tag at `span`.
fn read_start(html: &str, span: Range<usize>, is_self_closing: bool) -> Start {
    let text = &html[span.clone()];
    let name = name_of(&text[1..]);
    let is_bare = text.len() == name.len() + 2;
    let mut start = Start {
        name: name.to_ascii_lowercase(),
        is_self_closing,
        is_http_equiv: false,
        named: Vec::new(),
        attributes: SortedMap::new(),
        span,
    };
    if let Some(tag) = Some(text).filter(|_| !is_bare).and_then(read_start_tag) {
        start.is_http_equiv = tag.attribute("http-equiv").is_some();
        start.named = named(&tag, start.span.start, html);
        start.attributes = tag.attributes;
    }
    start
}

/// Returns the anchors and URLs in the attributes of a tag that begins at `start`.
fn named(tag: &StartTag, start: usize, html: &str) -> Vec<Named> {
    let mut found = Vec::new();
    let span_of = |name: &str| {
        let value = tag.value_spans.get(name).map(|value| start + value.start..start + value.end);
        value.unwrap_or(start..start + tag.length)
    };
    let is_quoted = |span: &Range<usize>| matches!(html.as_bytes().get(span.end), Some(b'"' | b'\''));
    for name in ["id", "name"] {
        let Some(id) = tag.attribute(name).filter(|id| !id.is_empty()) else { continue };
        if name == "id" || tag.name == "a" {
            found.push(Named::Anchor { id: id.to_string(), span: span_of(name) });
        }
    }
    let unsafe_attributes: Vec<&str> = unsafe_attributes(tag, start, html, &mut found);
    for &(element, attribute, kind) in ADDRESSES {
        let Some(target) = tag.attribute(attribute).filter(|_| element == tag.name) else { continue };
        if unsafe_attributes.contains(&attribute) {
            continue;
        }
        let span = span_of(attribute);
        // Only images need alternative text. A poster or source has that of its element.
        let text = if element == "img" { tag.attribute("alt") } else { Some("") }.map(str::to_string);
        let quoted = is_quoted(&span);
        // As browsers parse URLs: URL standard, "basic URL parser".
        let target = target.trim().replace(['\t', '\n', '\r'], "");
        found.push(Named::Reference { kind, target, text, span, quoted });
    }
    if tag.value_spans.contains_key("srcset") && matches!(tag.name.as_str(), "img" | "source") {
        let span = span_of("srcset");
        for candidate in candidates(&html[span.clone()]) {
            let target = html[span.start + candidate.start..span.start + candidate.end].to_string();
            let span = span.start + candidate.start..span.start + candidate.end;
            found.push(Named::Reference {
                kind: ReferenceKind::Image,
                target,
                text: Some(String::new()),
                span,
                quoted: true,
            });
        }
    }
    // Attributes are in any order, but the page is written from start to end.
    found.stable_sort_by_key(Named::start);
    found
}

/// Records the attributes of a tag with content that must not be published, and returns their names.
fn unsafe_attributes<'t>(
    tag: &'t StartTag,
    start: usize,
    html: &str,
    found: &mut Vec<Named>,
) -> Vec<&'t str> {
    let mut names = Vec::new();
    for (name, target) in &tag.attributes {
        let Some(kind) = kind_of(&tag.name, name) else { continue };
        let (Some(span), Some(first)) = (tag.value_spans.get(name), tag.starts.get(name)) else { continue };
        let span = start + span.start..start + span.end;
        if is_unsafe(target, kind.purpose()) {
            let is_quoted = matches!(html.as_bytes().get(span.end), Some(b'"' | b'\''));
            let attribute = start + first..span.end + usize::from(is_quoted);
            let target = target.trim().to_string();
            found.push(Named::Unsafe { kind, target, span, attribute });
            names.push(name.as_str());
        }
    }
    names
}

/// Returns the URLs in a `srcset`: `a.png 1x, b.png 2x`, split by the rules of the HTML standard.
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
