//! Parses the YAML of front matter, within limits.
//!
//! In: the text between the fences. Out: its keys and values with their ranges, and the parts that can't be read. The
//! parser returns events one by one, and their number is limited before they are stored. Aliases are refused, so the
//! result is never larger than the text.
//!
//! If the complete text can't be parsed, every key is parsed separately, so that one mistake costs one value.
//!
//! gray_matter decides the type of an unquoted value: null, a boolean, a number or a text.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use gray_matter::Pod;
use gray_matter::engine::{Engine, YAML};
use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Tag};
use serde_json::Value as Json;

use base::sorted::SortedMap;

/// Maximum size in bytes. The longest front matter of the sites that we know has 4 kB.
pub(super) const LARGEST: usize = 64 * 1024;

/// Maximum nesting of lists and tables.
pub(super) const DEEPEST: usize = 16;

/// A value and its range in the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct YamlNode {
    pub(super) value: YamlValue,
    pub(super) span: Range<usize>,
}

/// The syntactic form of a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum YamlValue {
    /// Unquoted, as written: it may be a number, a boolean or null.
    Plain(String),
    /// Quoted, or a block of lines.
    Text(String),
    List(Vec<YamlNode>),
    Table(YamlEntries),
}

/// Keys with their values in the order of the text, without duplicates.
pub(super) type YamlEntries = Vec<(YamlKey, YamlNode)>;

/// A key and its range in the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct YamlKey {
    pub(super) name: String,
    pub(super) span: Range<usize>,
}

/// A key that its table already contains.
#[derive(Debug)]
pub(super) struct RepeatedKey {
    pub(super) key: YamlKey,
    /// Whether both have the same value.
    pub(super) is_equal: bool,
}

/// Where and why the parser stopped or reached a limit.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ParseRefusal {
    pub(super) at: usize,
    pub(super) cause: RefusalCause,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RefusalCause {
    /// With the parser's message.
    Syntax(String),
    Alias,
    Anchor,
    Tag,
    TooDeep,
    /// A list or a table in place of a key.
    KeyIsNoText,
    /// Something other than `key: value` lines.
    NoKeys,
    SeveralDocuments,
}

/// Returns all entries, and keys that occur again, or why they can't be parsed.
pub(super) fn parse(yaml: &str) -> Result<(YamlEntries, Vec<RepeatedKey>), ParseRefusal> {
    parse_with(yaml, None)
}

pub(super) fn parse_with(
    yaml: &str,
    aliases: Option<Aliases>,
) -> Result<(YamlEntries, Vec<RepeatedKey>), ParseRefusal> {
    // The parser treats it as the end.
    if let Some(at) = yaml.find('\0') {
        return Err(ParseRefusal { at, cause: RefusalCause::Syntax("the text contains U+0000".into()) });
    }
    let mut reader = Reader {
        parser: Parser::new_from_str(yaml),
        yaml,
        offsets: offsets(yaml),
        twice: Vec::new(),
        aliases,
    };
    loop {
        let (event, span) = reader.next()?;
        match event {
            Event::StreamEnd => return Ok((YamlEntries::new(), Vec::new())),
            Event::Nothing | Event::StreamStart | Event::DocumentStart(_) => {}
            event => {
                let node = reader.node(event, span.clone(), 0)?;
                let entries = match node.value {
                    YamlValue::Table(entries) => entries,
                    YamlValue::Plain(text) if is_null(&text) => YamlEntries::new(),
                    _ => return Err(ParseRefusal { at: span.start, cause: RefusalCause::NoKeys }),
                };
                return match reader.next_but_ends()? {
                    (Event::StreamEnd, _) => Ok((entries, reader.twice)),
                    (_, span) => Err(ParseRefusal { at: span.start, cause: RefusalCause::SeveralDocuments }),
                };
            }
        }
    }
}

struct Reader<'a> {
    parser: Parser<'a, saphyr_parser::StrInput<'a>>,
    yaml: &'a str,
    /// Byte offset of each character. Empty if every character is one byte.
    offsets: Vec<usize>,
    twice: Vec<RepeatedKey>,
    /// `None` if aliases are refused.
    aliases: Option<Aliases>,
}

/// Values with anchors by the parser's number, and the number of repeated values.
#[derive(Default)]
pub(super) struct Aliases {
    named: HashMap<usize, YamlNode>,
    repeated: usize,
}

/// Maximum number of values that aliases repeat in total, because a repeated value may contain aliases.
const MOST_REPEATED: usize = 1_000;

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<(Event<'a>, Range<usize>), ParseRefusal> {
        match self.parser.next_event() {
            None => Ok((Event::StreamEnd, self.yaml.len()..self.yaml.len())),
            Some(Ok((event, span))) => {
                let start = self.offset(span.start.index());
                let end = self.offset(span.end.index()).max(start);
                let end = start + self.yaml[start..end].trim_end().len();
                Ok((event, start..end))
            }
            Some(Err(error)) => Err(self.refusal(&error)),
        }
    }

    /// Returns the next event, skipping the ends of documents.
    fn next_but_ends(&mut self) -> Result<(Event<'a>, Range<usize>), ParseRefusal> {
        loop {
            match self.next()? {
                (Event::DocumentEnd | Event::Nothing, _) => {}
                next => return Ok(next),
            }
        }
    }

    fn refusal(&self, error: &ScanError) -> ParseRefusal {
        let cause = match error.info() {
            info if info.contains("unknown anchor") => RefusalCause::Alias,
            info if info.contains("recursion limit") => RefusalCause::TooDeep,
            info => RefusalCause::Syntax(info.to_string()),
        };
        ParseRefusal { at: self.offset(error.marker().index()), cause }
    }

    /// Returns the byte offset of a character.
    fn offset(&self, character: usize) -> usize {
        if self.offsets.is_empty() {
            character.min(self.yaml.len())
        } else {
            self.offsets.get(character).copied().unwrap_or(self.yaml.len())
        }
    }

    /// Returns the value that begins with an event.
    fn node(&mut self, event: Event<'a>, span: Range<usize>, depth: usize) -> Result<YamlNode, ParseRefusal> {
        let refuse = |cause: RefusalCause| Err(ParseRefusal { at: span.start, cause });
        if depth >= DEEPEST && matches!(event, Event::SequenceStart(..) | Event::MappingStart(..)) {
            return refuse(RefusalCause::TooDeep);
        }
        let is_foreign = |tag: &Option<std::borrow::Cow<'_, Tag>>| {
            tag.as_ref().is_some_and(|tag| !tag.is_yaml_core_schema())
        };
        match event {
            Event::Alias(name) => match self.repeated(name) {
                Some(node) => Ok(YamlNode { span, ..node }),
                None => refuse(RefusalCause::Alias),
            },
            Event::Scalar(_, _, 1.., _) | Event::SequenceStart(1.., _) | Event::MappingStart(1.., _)
                if self.aliases.is_none() =>
            {
                refuse(RefusalCause::Anchor)
            }
            Event::Scalar(text, style, name @ 1.., tag) => {
                let node = self.node(Event::Scalar(text, style, 0, tag), span, depth)?;
                Ok(self.named(name, node))
            }
            Event::SequenceStart(name @ 1.., tag) => {
                let node = self.node(Event::SequenceStart(0, tag), span, depth)?;
                Ok(self.named(name, node))
            }
            Event::MappingStart(name @ 1.., tag) => {
                let node = self.node(Event::MappingStart(0, tag), span, depth)?;
                Ok(self.named(name, node))
            }
            Event::Scalar(_, _, _, tag) | Event::SequenceStart(_, tag) | Event::MappingStart(_, tag)
                if is_foreign(&tag) =>
            {
                refuse(RefusalCause::Tag)
            }
            Event::Scalar(text, style, _, tag) => {
                let is_plain = style == ScalarStyle::Plain && tag.is_none_or(|tag| tag.suffix != "str");
                let text = text.into_owned();
                let value = if is_plain { YamlValue::Plain(text) } else { YamlValue::Text(text) };
                Ok(YamlNode { value, span })
            }
            Event::SequenceStart(..) => self.list(span, depth),
            Event::MappingStart(..) => self.table(span, depth),
            _ => Ok(YamlNode { value: YamlValue::Plain(String::new()), span }),
        }
    }

    /// Stores a value with an anchor.
    fn named(&mut self, name: usize, node: YamlNode) -> YamlNode {
        if let Some(aliases) = &mut self.aliases {
            aliases.named.insert(name, node.clone());
        }
        node
    }

    /// Returns the value of an alias, up to the limit.
    fn repeated(&mut self, name: usize) -> Option<YamlNode> {
        let aliases = self.aliases.as_mut()?;
        let node = aliases.named.get(&name)?.clone();
        aliases.repeated += node.size();
        (aliases.repeated <= MOST_REPEATED).then_some(node)
    }

    fn list(&mut self, start: Range<usize>, depth: usize) -> Result<YamlNode, ParseRefusal> {
        let mut nodes = Vec::new();
        loop {
            let (event, span) = self.next()?;
            match event {
                Event::SequenceEnd | Event::StreamEnd => {
                    return Ok(YamlNode { value: YamlValue::List(nodes), span: self.around(&start, &span) });
                }
                event => nodes.push(self.node(event, span, depth + 1)?),
            }
        }
    }

    fn table(&mut self, start: Range<usize>, depth: usize) -> Result<YamlNode, ParseRefusal> {
        let mut entries = YamlEntries::new();
        let mut seen = HashSet::new();
        loop {
            let (event, span) = self.next()?;
            if matches!(event, Event::MappingEnd | Event::StreamEnd) {
                return Ok(YamlNode { value: YamlValue::Table(entries), span: self.around(&start, &span) });
            }
            let at = span.start;
            let key = self.node(event, span.clone(), depth + 1)?;
            let (YamlValue::Plain(name) | YamlValue::Text(name)) = key.value else {
                return Err(ParseRefusal { at, cause: RefusalCause::KeyIsNoText });
            };
            let key = YamlKey { name, span };
            let (event, span) = self.next()?;
            let node = self.node(event, span, depth + 1)?;
            if seen.insert(key.name.clone()) {
                entries.push((key, node));
            } else {
                let is_same = |(other, value): &(YamlKey, YamlNode)| {
                    other.name == key.name && value.json() == node.json()
                };
                self.twice.push(RepeatedKey { is_equal: entries.iter().any(is_same), key });
            }
        }
    }

    /// Returns the range from the start of a list or table to its end, without trailing text.
    fn around(&self, start: &Range<usize>, end: &Range<usize>) -> Range<usize> {
        let end = end.end.max(start.start);
        start.start..start.start + self.yaml[start.start..end].trim_end().len()
    }
}

/// Returns the byte offset of each character. Empty if the offsets are equal to the indices.
fn offsets(yaml: &str) -> Vec<usize> {
    if yaml.is_ascii() { Vec::new() } else { yaml.char_indices().map(|(at, _)| at).collect() }
}

fn is_null(text: &str) -> bool {
    // Fast path: most values are texts, and null begins only with these characters.
    (text.is_empty() || text.starts_with(['~', 'n', 'N'])) && meaning(text) == Pod::Null
}

impl YamlNode {
    /// Number of values, including itself.
    fn size(&self) -> usize {
        1 + match &self.value {
            YamlValue::Plain(_) | YamlValue::Text(_) => 0,
            YamlValue::List(nodes) => nodes.iter().map(Self::size).sum(),
            YamlValue::Table(entries) => entries.iter().map(|(_, node)| node.size()).sum(),
        }
    }
}

impl YamlKey {
    pub(super) fn moved(self, to: &dyn Fn(Range<usize>) -> Range<usize>) -> Self {
        Self { span: to(self.span), ..self }
    }
}

impl YamlNode {
    pub(super) fn moved(self, to: &dyn Fn(Range<usize>) -> Range<usize>) -> Self {
        let moved = |(key, node): (YamlKey, Self)| (key.moved(to), node.moved(to));
        let value = match self.value {
            YamlValue::List(nodes) => YamlValue::List(nodes.into_iter().map(|node| node.moved(to)).collect()),
            YamlValue::Table(entries) => YamlValue::Table(entries.into_iter().map(moved).collect()),
            value => value,
        };
        Self { value, span: to(self.span) }
    }

    /// Gives the same range to the value and everything in it.
    pub(super) fn placed(self, at: &Range<usize>) -> Self {
        self.moved(&|_| at.clone())
    }

    pub(super) fn is_null(&self) -> bool {
        matches!(&self.value, YamlValue::Plain(text) if is_null(text))
    }

    /// Returns a single value as written, or `None` for lists, tables and null.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.value {
            YamlValue::Plain(text) if is_null(text) => None,
            YamlValue::Plain(text) | YamlValue::Text(text) => {
                Some(text.trim()).filter(|text| !text.is_empty())
            }
            YamlValue::List(_) | YamlValue::Table(_) => None,
        }
    }

    pub(super) fn boolean(&self) -> Option<bool> {
        match &self.value {
            YamlValue::Plain(text) => meaning(text).as_bool().ok(),
            _ => None,
        }
    }

    /// Returns a number, quoted or not.
    pub(super) fn number(&self) -> Option<f64> {
        match meaning(self.text()?) {
            #[expect(clippy::cast_precision_loss, reason = "no number of a page is beyond 2^53")]
            Pod::Integer(number) => Some(number as f64),
            Pod::Float(number) => Some(number),
            _ => None,
        }
    }

    /// Converts the value for templates.
    pub(super) fn json(&self) -> Json {
        match &self.value {
            YamlValue::Plain(text) => match meaning(text) {
                Pod::Null => Json::Null,
                Pod::Boolean(value) => value.into(),
                Pod::Integer(number) => number.into(),
                Pod::Float(number) => number.into(),
                Pod::String(_) | Pod::Array(_) | Pod::Hash(_) => text.as_str().into(),
            },
            YamlValue::Text(text) => text.as_str().into(),
            YamlValue::List(nodes) => nodes.iter().map(Self::json).collect(),
            YamlValue::Table(entries) => {
                let sorted: SortedMap<&str, Json> =
                    entries.iter().map(|(key, node)| (key.name.as_str(), node.json())).collect();
                sorted.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
            }
        }
    }
}

/// Returns the typed value of an unquoted text.
fn meaning(written: &str) -> Pod {
    let text = || Pod::String(written.to_string());
    if let Some(number) = small_number(written) {
        return Pod::Integer(number);
    }
    // Numbers, booleans and null are single words.
    if written.len() > 40
        || !written.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-._~".contains(&byte))
    {
        return text();
    }
    // Parsed as the value of a key, because `---` alone wouldn't be a value.
    let read = YAML::parse(&format!("value: {written}")).and_then(|read| read.as_hashmap());
    match read.ok().and_then(|mut read| read.remove("value")) {
        // It reads `.nan`, `.inf` and numbers that are too large as 0.
        Some(Pod::Float(number)) if !number.is_finite() || (number == 0.0 && !written.contains('0')) => {
            text()
        }
        Some(value) => value,
        None => text(),
    }
}

/// Parses a number as used for pages: digits without a leading zero.
fn small_number(written: &str) -> Option<i64> {
    let is_small = (1..=9).contains(&written.len()) && !written.starts_with('0');
    (is_small && written.bytes().all(|byte| byte.is_ascii_digit())).then(|| written.parse().ok())?
}
