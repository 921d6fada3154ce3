//! Front matter: where the block is, by bytes, and what its keys say.
//!
//! We find the block and gray_matter reads its slice. That crate alone would lose the offsets, and
//! silently drop the data of a page that opens with a BOM or a blank line or never closes its block.

use std::collections::BTreeMap;
use std::ops::Range;

use gray_matter::Pod;
use gray_matter::engine::{Engine, YAML};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::diagnostic::{Code, Problem, nearest};

/// What the author says about a page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FrontMatter {
    pub title: Option<String>,
    /// The place among the platform's steps; decimals put a page between two others.
    pub order: Option<f64>,
    pub description: Option<String>,
    /// Identity across platforms, where slug and title do not tell.
    pub step: Option<String>,
    /// The last segment of the address, instead of the file's name.
    pub slug: Option<String>,
    /// Former addresses.
    pub aliases: Vec<String>,
    /// Where the page went: readers are sent on.
    pub redirect: Option<String>,
    pub draft: bool,
    /// Of a shared page: the platforms that tell it, as written; `None` for all.
    pub platforms: Option<Vec<String>>,
    /// Minutes.
    pub duration: Option<f64>,
    /// Differences from other platforms that are there on purpose.
    pub drift: Vec<Acceptance>,
    /// Every other key, kept for templates.
    #[serde(with = "as_json")]
    pub extra: BTreeMap<String, Value>,
    /// Where the values of `title` and of `order` stand in the file.
    pub title_span: Option<Range<usize>>,
    pub order_span: Option<Range<usize>>,
    /// Where the value of `redirect` stands.
    pub redirect_span: Option<Range<usize>>,
    /// Where the value of `platforms` stands.
    pub platforms_span: Option<Range<usize>>,
}

/// Values of any kind as one text: what is kept between runs does not say of itself what it is.
mod as_json {
    use std::collections::BTreeMap;

    use serde::de::Error as _;
    use serde::ser::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use serde_json::Value;

    pub(super) fn serialize<S: Serializer>(
        extra: &BTreeMap<String, Value>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serde_json::to_string(extra).map_err(S::Error::custom)?.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<String, Value>, D::Error> {
        serde_json::from_str(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// Differences from other platforms that the author accepts, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Acceptance {
    pub accepted: Vec<Accepted>,
    pub reason: String,
    /// The last day, `2027-01-31`.
    pub until: Option<jiff::civil::Date>,
    /// Where the value of `drift` stands.
    pub span: Range<usize>,
}

/// One entry of `allow`: `wording`, or `missing-setting: Log level`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Accepted {
    pub code: Code,
    /// The setting, heading or words it is about; `None` for all.
    pub name: Option<String>,
}

/// The keys that mean something here.
const KEYS: [&str; 11] = [
    "title",
    "order",
    "description",
    "step",
    "slug",
    "aliases",
    "redirect",
    "draft",
    "platforms",
    "duration",
    "drift",
];

/// A page taken apart: the YAML between the fences, and where the body begins.
#[derive(Clone, Debug, PartialEq)]
struct Split {
    yaml: Range<usize>,
    body: usize,
}

/// Nesting deeper than any real front matter; the YAML parser calls itself once per level.
const DEEPEST: usize = 64;

/// Reads the front matter of a whole page. Out: the keys, the offset where the body begins, and
/// what is doubtful. A page without front matter has no keys and a body from 0 (after a BOM).
pub(super) fn read(text: &str) -> (FrontMatter, usize, Vec<Problem>) {
    let mut problems = Vec::new();
    let split = split(text, &mut problems);
    let yaml = &text[split.yaml.clone()];
    let front = match parse(yaml) {
        Ok(keys) => Reader { yaml, start: split.yaml.start, problems: &mut problems }.read(keys),
        Err((span, message)) => {
            let span = split.yaml.start + span.start..split.yaml.start + span.end;
            let help =
                "quote a value that holds a colon or begins with a brace: `title: \"Step 1: install\"`";
            let problem = Problem::new(Code::FrontMatterInvalid, span, message).help(help.to_string());
            problems.push(match quoting(yaml) {
                Some((value, quoted)) => {
                    problem.edit(split.yaml.start + value.start..split.yaml.start + value.end, quoted)
                }
                None => problem,
            });
            FrontMatter::default()
        }
    };
    (front, split.body, problems)
}

/// A value whose quoting makes the YAML valid: it holds a colon, as in `title: Step 1: install`, or begins
/// with a variable, as in `title: {product} in a minute`.
fn quoting(yaml: &str) -> Option<(Range<usize>, String)> {
    lines(yaml, 0).find_map(|line| {
        let text = yaml[line.clone()].trim_end();
        let (key, value) = text.split_once(": ")?;
        let value = value.trim();
        let plain = is_key_line(text)
            && (value.contains(':') || value.starts_with('{'))
            && !value.starts_with(['"', '\'', '[', '|', '>', '&', '*']);
        let start = line.start
            + key.len()
            + 2
            + (text[key.len() + 2..].len() - text[key.len() + 2..].trim_start().len());
        let quoted = format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""));
        let span = start..start + value.len();
        let mended = format!("{}{quoted}{}", &yaml[..span.start], &yaml[span.end..]);
        (plain && parse(&mended).is_ok()).then_some((span, quoted))
    })
}

/// Finds the block between two lines of `---`, which may carry trailing blanks.
fn split(text: &str, problems: &mut Vec<Problem>) -> Split {
    let bom = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let blank = text[bom..].len() - text[bom..].trim_start().len();
    // The fence must stand at the start of its line.
    let open = bom + text[bom..bom + blank].rfind('\n').map_or(0, |newline| newline + 1);
    let mut lines = lines(text, open);
    let none = Split { yaml: bom..bom, body: bom };
    let Some(fence) = lines.next().filter(|line| is_fence(&text[line.clone()])) else { return none };
    let start = fence.end;
    let mut keys_end = start;
    let mut only_keys = true;
    for line in lines {
        let content = &text[line.clone()];
        if is_fence(content) {
            report_shadow(bom, open, problems);
            return Split { yaml: start..line.start, body: line.end };
        }
        only_keys &= is_key_line(content);
        if only_keys {
            keys_end = line.end;
        }
    }
    if keys_end == start {
        return none; // A thematic break, not front matter.
    }
    let help = "close the block with a line of `---` after its last key".to_string();
    let message = "the front matter is never closed";
    problems.push(Problem::new(Code::FrontMatterUnclosed, open..open + 3, message).help(help));
    Split { yaml: start..keys_end, body: keys_end }
}

fn report_shadow(bom: usize, open: usize, problems: &mut Vec<Problem>) {
    let what = match (bom > 0, open > bom) {
        (false, false) => return,
        (true, false) => "a byte order mark",
        (false, true) => "a blank line",
        (true, true) => "a byte order mark and a blank line",
    };
    let message = format!("{what} before the front matter hides it from other tools");
    let help = format!("remove what stands before the first `---`: {what}");
    let problem = Problem::new(Code::FrontMatterShadowed, 0..open, message).help(help);
    problems.push(problem.edit(0..open, ""));
}

/// The lines of `text` from the offset `start`, each with its line end.
fn lines(text: &str, start: usize) -> impl Iterator<Item = Range<usize>> {
    text[start..].split_inclusive('\n').scan(start, |at, line| {
        let range = *at..*at + line.len();
        *at = range.end;
        Some(range)
    })
}

fn is_fence(line: &str) -> bool {
    line.strip_prefix("---").is_some_and(|rest| rest.trim().is_empty())
}

fn is_key_line(line: &str) -> bool {
    let key = line.split(':').next().unwrap_or_default();
    line.contains(':')
        && !key.is_empty()
        && key.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c))
}

/// Keys with their values, sorted.
type Keys = Vec<(String, Pod)>;

/// The mapping of keys, or where and why there is none (byte range into `yaml`).
fn parse(yaml: &str) -> Result<Keys, (Range<usize>, String)> {
    if is_too_deep(yaml) {
        return Err((
            0..yaml.trim_end().len(),
            format!("the front matter is nested deeper than {DEEPEST} levels"),
        ));
    }
    match YAML::parse(yaml) {
        Ok(Pod::Null) => Ok(Vec::new()),
        Ok(Pod::Hash(keys)) => {
            let mut keys: Vec<_> = keys.into_iter().collect();
            keys.sort_by(|(a, _), (b, _)| a.cmp(b));
            Ok(keys)
        }
        Ok(_) => Err((0..yaml.trim_end().len(), "the front matter holds no `key: value` lines".into())),
        Err(error) => {
            let text = error.to_string();
            Err((
                error_span(yaml, &text),
                format!("the front matter is not valid YAML: {}", error_cause(&text)),
            ))
        }
    }
}

fn is_too_deep(yaml: &str) -> bool {
    let brackets = yaml.bytes().filter(|byte| matches!(byte, b'[' | b'{')).count();
    let indented = yaml.lines().map(|line| line.bytes().take_while(|b| b" -?:".contains(b)).count());
    brackets > DEEPEST || indented.max().unwrap_or(0) > 2 * DEEPEST
}

/// yaml-rust2 says `… at byte 9 line 1 column 8`: its line, from 1, is what we can trust.
fn error_span(yaml: &str, error: &str) -> Range<usize> {
    let number = |word: &str| error.rsplit_once(word)?.1.trim().split(' ').next()?.parse::<usize>().ok();
    let line = number(" line ").unwrap_or(1).max(1) - 1;
    let range = lines(yaml, 0).nth(line).or_else(|| lines(yaml, 0).last()).unwrap_or(0..0);
    range.start..range.start + yaml[range].trim_end().len()
}

fn error_cause(error: &str) -> String {
    let cause = error.split(" at byte").next().unwrap_or(error);
    let cause = cause.rsplit("error: ").next().unwrap_or(cause);
    cause.trim_end_matches('.').to_lowercase()
}

/// Turns keys into a [`FrontMatter`], reporting values that cannot mean what their key wants.
struct Reader<'a> {
    yaml: &'a str,
    /// Where `yaml` starts in the file.
    start: usize,
    problems: &'a mut Vec<Problem>,
}

impl Reader<'_> {
    fn read(&mut self, keys: Keys) -> FrontMatter {
        let mut front = FrontMatter::default();
        for (key, value) in keys {
            match key.as_str() {
                "title" => {
                    front.title = self.text(&key, &value);
                    front.title_span = Some(self.value_span(&key));
                }
                "order" => {
                    front.order = self.number(&key, &value);
                    front.order_span = Some(self.value_span(&key));
                }
                "description" => front.description = self.text(&key, &value),
                "step" => front.step = self.text(&key, &value),
                "slug" => front.slug = self.slug(&value),
                "aliases" => front.aliases = self.texts(&key, &value),
                "redirect" => {
                    front.redirect = self.text(&key, &value);
                    front.redirect_span = Some(self.value_span(&key));
                }
                "draft" => front.draft = self.boolean(&key, &value),
                "platforms" => {
                    front.platforms = Some(self.texts(&key, &value));
                    front.platforms_span = Some(self.value_span(&key));
                }
                "duration" => front.duration = self.number(&key, &value),
                "drift" => front.drift = self.acceptances(value),
                _ => {
                    self.unknown(&key);
                    front.extra.insert(key, json(&value));
                }
            }
        }
        front
    }

    fn text(&mut self, key: &str, value: &Pod) -> Option<String> {
        match value {
            Pod::String(text) => Some(text.trim().to_string()).filter(|text| !text.is_empty()),
            Pod::Integer(number) => Some(number.to_string()),
            Pod::Float(number) => Some(number.to_string()),
            Pod::Boolean(value) => Some(value.to_string()),
            Pod::Null => None,
            Pod::Array(_) | Pod::Hash(_) => {
                self.wrong(key, "a text");
                None
            }
        }
    }

    fn number(&mut self, key: &str, value: &Pod) -> Option<f64> {
        let number = match value {
            #[expect(clippy::cast_precision_loss, reason = "an order beyond 2^53 is no order")]
            Pod::Integer(number) => Some(*number as f64),
            // gray_matter reads `.nan` and `.inf` as 0, so a zero must be written as one.
            Pod::Float(number) => Some(*number).filter(|number| *number != 0.0 || self.writes_zero(key)),
            Pod::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        let number = number.filter(|number| number.is_finite());
        if number.is_none() && *value != Pod::Null {
            self.wrong(key, "a number");
        }
        number
    }

    fn writes_zero(&self, key: &str) -> bool {
        let span = self.value_span(key);
        self.yaml[span.start - self.start..span.end - self.start].starts_with(['0', '+', '-'])
    }

    fn boolean(&mut self, key: &str, value: &Pod) -> bool {
        if let Pod::Boolean(value) = value {
            return *value;
        }
        if *value != Pod::Null {
            self.wrong(key, "`true` or `false`");
        }
        false
    }

    fn texts(&mut self, key: &str, value: &Pod) -> Vec<String> {
        match value {
            Pod::Array(values) => values.iter().filter_map(|value| self.text(key, value)).collect(),
            value => self.text(key, value).into_iter().collect(),
        }
    }

    /// One segment of an address: it may not leave its folder.
    fn slug(&mut self, value: &Pod) -> Option<String> {
        let slug = self.text("slug", value)?;
        let fits = !matches!(slug.as_str(), "." | "..") && !slug.contains(['/', '\\', '?', '#', '%', '\0']);
        if !fits {
            self.wrong("slug", "one segment of an address, without `/`, `?`, `#` or `%`");
        }
        fits.then_some(slug)
    }

    /// `drift: {allow: […], reason: …, until: …}`, or a list of such.
    fn acceptances(&mut self, value: Pod) -> Vec<Acceptance> {
        match value {
            Pod::Null => Vec::new(),
            Pod::Array(values) => values.into_iter().filter_map(|value| self.acceptance(value)).collect(),
            value => self.acceptance(value).into_iter().collect(),
        }
    }

    /// What is wrong with it is reported, and it accepts nothing.
    fn acceptance(&mut self, value: Pod) -> Option<Acceptance> {
        let span = self.value_span("drift");
        let form = "write `drift: {allow: [setting-value], reason: why}`";
        let Pod::Hash(mut keys) = value else {
            self.invalid_acceptance(
                "`drift` is not `allow`, `reason` and perhaps `until`".into(),
                form.into(),
            );
            return None;
        };
        let mut text = |key: &str| keys.remove(key).and_then(|value| value.as_string().ok());
        let (reason, until) = (text("reason").unwrap_or_default().trim().to_string(), text("until"));
        let allowed = match keys.remove("allow") {
            Some(Pod::Array(values)) => values,
            Some(Pod::Null) | None => Vec::new(),
            Some(value) => vec![value],
        };
        if let Some(unknown) = keys.into_keys().min() {
            self.invalid_acceptance(format!("`drift` has no key `{unknown}`"), form.into());
            return None;
        }
        let accepted: Option<Vec<Vec<Accepted>>> = allowed.into_iter().map(|it| self.accepted(it)).collect();
        let accepted: Vec<Accepted> = accepted?.into_iter().flatten().collect();
        if accepted.is_empty() || reason.is_empty() {
            let what =
                if accepted.is_empty() { "allows nothing" } else { "gives no reason, and is not heeded" };
            self.invalid_acceptance(format!("`drift` {what}"), form.into());
            return None;
        }
        let until = match until.map(|until| until.trim().parse()) {
            None => None,
            Some(Ok(date)) => Some(date),
            Some(Err(_)) => {
                let help = "write the last day as `until: 2027-01-31`".to_string();
                self.invalid_acceptance("`until` is no date".into(), help);
                return None;
            }
        };
        Some(Acceptance { accepted, reason, until, span })
    }

    /// An entry of `allow`: a code, or codes with the names they are about.
    fn accepted(&mut self, value: Pod) -> Option<Vec<Accepted>> {
        let entries: Vec<(String, Vec<Option<String>>)> = match value {
            Pod::String(code) => vec![(code, vec![None])],
            Pod::Hash(keys) => {
                let names = |value: Pod| match value {
                    Pod::Array(names) => {
                        names.into_iter().filter_map(|name| name.as_string().ok()).map(Some).collect()
                    }
                    value => value.as_string().ok().map(Some).into_iter().collect(),
                };
                keys.into_iter().map(|(code, value)| (code, names(value))).collect()
            }
            _ => Vec::new(),
        };
        let mut accepted = Vec::new();
        for (code, names) in entries {
            let Some(known) = Code::named(&code).filter(|code| code.is_drift()) else {
                let family = Code::ALL.iter().filter(|code| code.is_drift()).map(|code| code.name());
                let near = nearest(&code, family).map(|near| format!("did you mean `{near}`?"));
                let help = near.unwrap_or_else(|| "`stepkin explain --list` names all codes".into());
                self.invalid_acceptance(format!("`{code}` is no difference between platforms"), help);
                return None;
            };
            accepted.extend(names.into_iter().map(|name| Accepted { code: known, name }));
        }
        Some(accepted)
    }

    fn invalid_acceptance(&mut self, message: String, help: String) {
        let span = self.value_span("drift");
        self.problems.push(Problem::new(Code::InvalidSuppression, span, message).help(help));
    }

    fn wrong(&mut self, key: &str, wanted: &str) {
        let span = self.value_span(key);
        let value = &self.yaml[span.start - self.start..span.end - self.start];
        let message = format!("`{key}` is `{value}`, not {wanted}");
        // YAML takes a variable that stands alone for a mapping.
        let help = match value.starts_with('{') && wanted == "a text" {
            true => format!("quote it: `{key}: \"{value}\"`"),
            false => format!("write {wanted} after `{key}:`"),
        };
        self.problems.push(Problem::new(Code::FrontMatterInvalid, span, message).help(help));
    }

    fn unknown(&mut self, key: &str) {
        let help = nearest(key, KEYS).map(|known| format!("did you mean `{known}`?"));
        let message = format!("`{key}` is not a key of this tool; templates see it as `page.extra.{key}`");
        self.problems.push(Problem::new(Code::UnknownKey, self.key_span(key), message).help(help));
    }

    /// Where a top-level key stands in the file.
    fn key_span(&self, key: &str) -> Range<usize> {
        let line = self.key_line(key).unwrap_or(0..0);
        let start = self.start + line.start;
        start..start + key.len().min(line.len())
    }

    /// Where the rest of a key's line stands in the file.
    fn value_span(&self, key: &str) -> Range<usize> {
        let Some(line) = self.key_line(key) else { return self.start..self.start };
        let text = &self.yaml[line.clone()];
        let value = text.split_once(':').map_or("", |(_, value)| value);
        let start = line.end - value.trim_start().len();
        let end = start + value.trim().len();
        self.start + start.min(end)..self.start + end
    }

    fn key_line(&self, key: &str) -> Option<Range<usize>> {
        lines(self.yaml, 0).find(|line| {
            let name = self.yaml[line.clone()].split(':').next().unwrap_or_default();
            name.trim_end().trim_matches(['"', '\'']) == key
        })
    }
}

/// A value for templates.
fn json(value: &Pod) -> Value {
    match value {
        Pod::Null => Value::Null,
        Pod::String(text) => text.as_str().into(),
        Pod::Integer(number) => (*number).into(),
        Pod::Float(number) => (*number).into(),
        Pod::Boolean(value) => (*value).into(),
        Pod::Array(values) => values.iter().map(json).collect(),
        Pod::Hash(values) => {
            let values: BTreeMap<_, _> =
                values.iter().map(|(key, value)| (key.clone(), json(value))).collect();
            values.into_iter().collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, title: Option<&str>, order: Option<f64>, body: &str, codes: &[Code]) {
        let (front, start, problems) = read(text);
        let found: Vec<_> = problems.iter().map(|problem| problem.code).collect();
        assert_eq!((front.title.as_deref(), front.order), (title, order), "{problems:?}");
        assert_eq!((&text[start..], found.as_slice()), (body, codes), "{problems:?}");
    }

    #[test]
    fn what_real_authors_write_is_read() {
        check("---\ntitle: A\norder: 2\n---\nbody", Some("A"), Some(2.0), "body", &[]);
        check("---\r\ntitle: A\r\norder: 2\r\n---\r\nbody", Some("A"), Some(2.0), "body", &[]);
        check("--- \ntitle: A\norder: 1.5\n---  \nbody", Some("A"), Some(1.5), "body", &[]);
        check("---\ntitle: A\n---", Some("A"), None, "", &[]);
        check("---\n---\nbody", None, None, "body", &[]);
        check("---\ntitle:\norder: '3'\n---\n", None, Some(3.0), "", &[]);
        check("---\ntitle: 42\n---\n", Some("42"), None, "", &[]);
    }

    #[test]
    fn a_page_without_front_matter_is_all_body() {
        check("", None, None, "", &[]);
        check("# Hi", None, None, "# Hi", &[]);
        check("---\n\nbreak", None, None, "---\n\nbreak", &[]);
        check("----\ntitle: A\n----\n", None, None, "----\ntitle: A\n----\n", &[]);
        check("    ---\ntitle: A\n---\n", None, None, "    ---\ntitle: A\n---\n", &[]);
        check("\u{feff}text", None, None, "text", &[]);
    }

    #[test]
    fn what_stands_before_the_block_is_reported_and_read_over() {
        check("\u{feff}---\ntitle: A\n---\nb", Some("A"), None, "b", &[Code::FrontMatterShadowed]);
        check("\n\n---\ntitle: A\n---\nb", Some("A"), None, "b", &[Code::FrontMatterShadowed]);
        check("\u{feff}\r\n---\r\ntitle: A\r\n---\r\nb", Some("A"), None, "b", &[Code::FrontMatterShadowed]);
    }

    #[test]
    fn an_unclosed_block_gives_its_keys_and_loses_no_text() {
        check(
            "---\ntitle: A\norder: 1\n\nText: here",
            Some("A"),
            Some(1.0),
            "\nText: here",
            &[Code::FrontMatterUnclosed],
        );
    }

    #[test]
    fn values_that_cannot_be_meant_are_reported() {
        check("---\norder: five\n---\n", None, None, "", &[Code::FrontMatterInvalid]);
        check("---\norder: .nan\n---\n", None, None, "", &[Code::FrontMatterInvalid]);
        check("---\nslug: ../x\n---\n", None, None, "", &[Code::FrontMatterInvalid]);
        check("---\ntitle: Step 1: install\n---\nb", None, None, "b", &[Code::FrontMatterInvalid]);
        check("---\ntitle: {x} now\n---\nb", None, None, "b", &[Code::FrontMatterInvalid]);
        check("---\ntitle: {x}\n---\nb", None, None, "b", &[Code::FrontMatterInvalid]);
        check("---\njust words\n---\nb", None, None, "b", &[Code::FrontMatterInvalid]);
        check("---\ntitel: A\n---\nb", None, None, "b", &[Code::UnknownKey]);
    }

    #[test]
    fn a_finding_stands_on_its_value() {
        let text = "\u{feff}---\ntitle: A\norder:  five # no\n---\n";
        let (_, _, problems) = read(text);
        assert_eq!(&text[problems[1].span.clone()], "five # no");
        assert_eq!(problems[1].message, "`order` is `five # no`, not a number");
    }

    #[test]
    fn endless_nesting_is_refused() {
        check(&format!("---\na: {}\n---\n", "[".repeat(50_000)), None, None, "", &[Code::FrontMatterInvalid]);
        check(&format!("---\n{}a\n---\n", "- ".repeat(50_000)), None, None, "", &[Code::FrontMatterInvalid]);
    }
}
