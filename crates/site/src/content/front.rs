//! Front matter: the byte range of the block, and its keys.
//!
//! The block is located here. [`yaml`] reads its keys with their ranges, and [`repair`] explains why keys can't be
//! read.

mod conflict;
mod foreign;
mod ours;
mod reading;
mod repair;
mod schema;
mod toml;
mod yaml;

use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::ours::{NewFrontMatter, in_our_form};
pub(super) use self::repair::COLON;
pub use self::schema::schema;
use self::yaml::{YamlEntries, YamlKey, YamlNode, YamlValue as Written};
use base::lines::placed;
use base::quoted::quoted;
use base::sorted::SortedMap;

use base::diagnostic::{Code, Problem, nearest};
use base::url::{self, Purpose, unsafe_target};
use input::conventions::{
    Convention, FrontMatterReader, Generator, Meaning, NamedTarget, OUR_KEYS, Slugs, TargetKind, front_matter,
};

/// The front matter of a page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FrontMatter {
    pub title: Option<String>,
    /// Position among the platform's steps. A decimal number places a page between two others.
    pub order: Option<f64>,
    pub description: Option<String>,
    /// Identity of the step across platforms, if slug and title differ.
    pub step: Option<String>,
    /// Replaces the file name in the address: the last segment or a path, depending on the repository's convention.
    pub slug: Option<String>,
    /// The last segment of the address of a page without `slug` that isn't its folder's index page.
    pub id: Option<String>,
    /// Old URLs.
    pub aliases: Vec<String>,
    /// Target to which readers are redirected.
    pub redirect: Option<String>,
    pub draft: bool,
    /// Platforms of a shared page, as written. `None` for all.
    pub platforms: Option<Vec<String>>,
    /// In minutes.
    pub duration: Option<f64>,
    /// Intentional differences from other platforms.
    pub drift: Vec<Acceptance>,
    /// Every other key, for templates.
    #[serde(with = "as_json")]
    pub extra: SortedMap<String, Value>,
    /// Values that refer to pages or files by the generator's convention.
    pub named: Vec<NamedTarget>,
    /// Ranges of the values of `title` and `order` in the file.
    pub title_span: Option<Range<usize>>,
    pub order_span: Option<Range<usize>>,
    /// Range of the value of `redirect`.
    pub redirect_span: Option<Range<usize>>,
    /// Range of the value of `platforms`.
    pub platforms_span: Option<Range<usize>>,
    /// Range of the value of `step`.
    pub step_span: Option<Range<usize>>,
    /// Whether a key is unreadable or misspelled, so that a key that seems missing may exist.
    pub is_damaged: bool,
}

/// Serializes values as text, because the cache's format contains no type information.
mod as_json {
    use base::sorted::SortedMap;

    use serde::de::Error as _;
    use serde::ser::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use serde_json::Value;

    pub(super) fn serialize<S: Serializer>(
        extra: &SortedMap<String, Value>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serde_json::to_string(extra).map_err(S::Error::custom)?.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<SortedMap<String, Value>, D::Error> {
        serde_json::from_str(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// Accepted differences from other platforms, and the reason.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Acceptance {
    pub accepted: Vec<Accepted>,
    pub reason: String,
    /// Last day of validity, such as `2027-01-31`.
    pub until: Option<jiff::civil::Date>,
    /// Range of the value of `drift`.
    pub span: Range<usize>,
}

/// An entry of `allow`: `wording`, or `missing-setting: Log level`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Accepted {
    pub code: Code,
    /// The setting, heading or words of the difference. `None` for all.
    pub name: Option<String>,
}

/// The parts of a page: the block between the fences, and the start of the body.
#[derive(Clone, Debug, PartialEq)]
struct Split {
    form: Form,
    /// Start of the first fence.
    open: usize,
    block: Range<usize>,
    body: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Yaml,
    /// Between `+++` lines.
    Toml,
}

/// Reads the front matter of a page. Returns the keys, the offset of the body, and problems. For a page without front
/// matter, the keys are empty and the body begins at 0, or after a BOM.
pub(super) fn read(text: &str, convention: &Convention) -> (FrontMatter, usize, Vec<Problem>) {
    let mut problems = Vec::new();
    let split = split(text, convention.front_matter, &mut problems);
    // Other generators ignore a byte order mark.
    if convention.front_matter != FrontMatterReader::Strict {
        problems.retain(|it| it.code != Code::FrontMatterShadowed || text[it.span.clone()] != *"\u{feff}");
    }
    let ours = conflict::ours(text, &split.block);
    let block = ours.as_ref().map_or(&text[split.block.clone()], |(block, _)| block.as_str());
    let is_conflict = ours.is_some();
    let entries = match split.form {
        Form::Toml if is_conflict => self::toml::read(block).unwrap_or_default(),
        Form::Yaml => {
            let (entries, invalid) = reading::read_of(block, convention);
            // The conflict may make the front matter invalid.
            let invalid = invalid.into_iter().filter(|_| !is_conflict);
            // Another program may make pages from this template.
            let is_template = convention.has_other_keys && block.contains("{{");
            let doubted = |it: Problem| Problem { edits: Vec::new(), ..it.as_warning() };
            let invalid = invalid.map(|it| if is_template { doubted(it) } else { it });
            problems.extend(invalid.map(|it| reading::moved(it, split.block.start)));
            entries
        }
        Form::Toml => {
            let entries = self::toml::read(block);
            if !convention.has_toml || entries.is_none() {
                problems.push(toml_problem(text, &split, entries.as_ref()));
            }
            entries.unwrap_or_default()
        }
    };
    problems.extend(ours.map(|(_, problem)| problem));
    let mut reader = Reader { text, convention, start: split.block.start, problems };
    let mut front = reader.read(entries);
    let problems = reader.problems;
    front.is_damaged = problems
        .iter()
        .any(|it| matches!(it.code, Code::InvalidFrontMatter | Code::UnknownKey | Code::MergeConflict));
    (front, split.body, problems)
}

/// Suggests YAML if the conversion loses nothing.
fn toml_problem(text: &str, split: &Split, entries: Option<&YamlEntries>) -> Problem {
    let line_end = if text[split.open..].starts_with("+++\r") { "\r\n" } else { "\n" };
    let block = &text[split.block.clone()];
    let yaml = entries.and_then(|entries| self::toml::as_yaml(block, entries, line_end));
    let help = match yaml {
        Some(_) => "convert it to YAML between `---` lines with `stepkin fix`",
        None => "use YAML between `---` lines: `title: Install`",
    };
    let message = "the front matter is TOML (`+++`), which is not supported";
    let problem =
        Problem::new(Code::InvalidFrontMatter, split.open..split.open + 3, message).help(help.to_string());
    match yaml {
        Some(yaml) => {
            let end = if text[..split.body].ends_with('\n') { line_end } else { "" };
            problem.edit(split.open..split.body, format!("---{line_end}{yaml}---{end}"))
        }
        None => problem,
    }
}

/// Finds the block between two lines of `---` or `+++`, which may end with spaces. Some generators also accept the end of a
/// YAML document, `...`.
fn split(text: &str, reader: FrontMatterReader, problems: &mut Vec<Problem>) -> Split {
    let bom = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let blank = text[bom..].len() - text[bom..].trim_start().len();
    // The fence must be at the start of its line.
    let open = bom + text[bom..bom + blank].rfind('\n').map_or(0, |newline| newline + 1);
    let mut lines = lines(text, open);
    let none = Split { form: Form::Yaml, open, block: bom..bom, body: bom };
    let Some(fence) = lines.next() else { return none };
    let form = match &text[fence.clone()] {
        line if is_fence(line, "---") => Form::Yaml,
        line if is_fence(line, "+++") => Form::Toml,
        _ => return none,
    };
    let ends_with_dots = form == Form::Yaml
        && matches!(reader, FrontMatterReader::LibYaml | FrontMatterReader::MkDocs | FrontMatterReader::Any);
    let ends_in_line = form == Form::Yaml && reader == FrontMatterReader::JavaScript;
    let start = fence.end;
    let mut may_end = false;
    let mut keys_end = start;
    let (mut only_keys, mut has_key) = (true, false);
    for line in lines {
        let content = &text[line.clone()];
        let is_end = is_fence(content, if form == Form::Yaml { "---" } else { "+++" });
        if is_end || ends_with_dots && is_fence(content, "...") {
            // A text between two thematic breaks.
            // To MkDocs, a block without a key is text, and so is one that consists of comments.
            let is_comment = |line: &str| reader != FrontMatterReader::MkDocs && line.starts_with('#');
            let is_content = |line: &str| !line.trim().is_empty() && !is_comment(line.trim_start());
            let is_text = form == Form::Yaml && !has_key && text[start..line.start].lines().any(is_content);
            if is_text && matches!(reader, FrontMatterReader::MkDocs | FrontMatterReader::Any) {
                return none;
            }
            if form == Form::Yaml && reader != FrontMatterReader::Go {
                report_shadow(bom, open, problems);
            }
            return Split { form, open, block: start..line.start, body: line.end };
        }
        if content.starts_with("---") {
            if ends_in_line {
                return Split { form, open, block: start..line.start, body: line.start + 3 };
            }
            may_end |= reader == FrontMatterReader::Any;
        }
        only_keys &= is_key_line(content);
        has_key |= is_key_line(content.replace(['"', '\''], "").trim_start());
        if only_keys {
            keys_end = line.end;
        }
    }
    if keys_end == start || form == Form::Toml {
        return none; // A thematic break, or text, and not front matter.
    }
    let help = "add a `---` line after its last key".to_string();
    let message = "the front matter is never closed";
    let problem = Problem::new(Code::UnclosedFrontMatter, open..open + 3, message).help(help);
    problems.push(if may_end { problem.as_warning() } else { problem });
    Split { form, open, block: start..keys_end, body: keys_end }
}

fn report_shadow(bom: usize, open: usize, problems: &mut Vec<Problem>) {
    let what = match (bom > 0, open > bom) {
        (false, false) => return,
        (true, false) => "a byte order mark",
        (false, true) => "a blank line",
        (true, true) => "a byte order mark and a blank line",
    };
    let hides = if what.contains(" and ") { "hide" } else { "hides" };
    let message = format!("{what} before the front matter {hides} it from other tools");
    let help = format!("remove {what} before the first `---`");
    let problem = Problem::new(Code::FrontMatterShadowed, 0..open, message).help(help);
    problems.push(problem.edit(0..open, ""));
}

/// Returns the lines of `text` from the offset `start` on, with their line ends.
fn lines(text: &str, start: usize) -> impl Iterator<Item = Range<usize>> {
    placed(&text[start..], start).map(|(at, line)| at..at + line.len())
}

fn is_fence(line: &str, fence: &str) -> bool {
    line.strip_prefix(fence).is_some_and(|rest| rest.trim().is_empty())
}

fn is_key_line(line: &str) -> bool {
    let key = line.split(':').next().unwrap_or_default();
    line.contains(':')
        && !key.is_empty()
        && key.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c))
}

/// Converts keys to a [`FrontMatter`], and reports values that are invalid for their key.
struct Reader<'a> {
    convention: &'a Convention,
    /// The complete file.
    text: &'a str,
    /// Start of the block in the file, to which the ranges of nodes are relative.
    start: usize,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    fn read(&mut self, entries: YamlEntries) -> FrontMatter {
        let mut front = FrontMatter::default();
        let names: Vec<String> = entries.iter().map(|(key, _)| key.name.clone()).collect();
        let known = front_matter(self.convention.kind);
        if !known.is_empty() {
            for (key, node) in &entries {
                self.named(&key.name, node, known, &mut front.named);
            }
        }
        for (key, node) in self.flattened(entries) {
            let span = Some(self.place(&node.span));
            match self.convention.meaning(&key.name) {
                Some(Meaning::Title) => (front.title, front.title_span) = (self.line(&key, &node), span),
                Some(Meaning::Order) => (front.order, front.order_span) = (self.number(&key, &node), span),
                Some(Meaning::Description) => front.description = self.line(&key, &node),
                Some(Meaning::Step) => (front.step, front.step_span) = (self.line(&key, &node), span),
                Some(Meaning::Slug) => front.slug = self.slug(&key, &node),
                Some(Meaning::Address) => {
                    let slug = self.slug(&key, &node);
                    front.slug = slug.map(|slug| format!("/{}", slug.trim_start_matches('/')));
                }
                Some(Meaning::Aliases) => front.aliases = self.addresses(&key, &node),
                Some(Meaning::Redirect) => {
                    (front.redirect, front.redirect_span) = (self.addresses(&key, &node).pop(), span);
                }
                Some(Meaning::Draft) => front.draft |= self.boolean(&key, &node),
                Some(Meaning::Published) => front.draft |= !node.is_null() && !self.boolean(&key, &node),
                Some(Meaning::Rendered) => front.draft |= matches!(node.text(), Some("never" | "false")),
                Some(Meaning::Id) => front.id = self.line(&key, &node),
                Some(Meaning::Platforms) => {
                    (front.platforms, front.platforms_span) = (Some(self.lines(&key, &node)), span);
                }
                Some(Meaning::Duration) => front.duration = self.number(&key, &node),
                Some(Meaning::Drift) => front.drift = self.acceptances(node),
                None => {
                    self.unknown(&key, &node, &names);
                    front.extra.insert(key.name.clone(), node.json());
                }
            }
        }
        front
    }

    /// Records the texts at and under a path of keys that refer to something.
    fn named(&self, path: &str, node: &YamlNode, known: &[(&str, TargetKind)], found: &mut Vec<NamedTarget>) {
        match &node.value {
            Written::List(nodes) => nodes.iter().for_each(|node| self.named(path, node, known, found)),
            Written::Table(entries) => entries.iter().for_each(|(key, node)| {
                self.named(&format!("{path}.{}", key.name), node, known, found);
            }),
            Written::Plain(_) | Written::Text(_) => {
                let names = known.iter().find(|(known, _)| *known == path).map(|(_, names)| *names);
                if let (Some(names), Some(target)) = (names, node.text().filter(|_| node.boolean().is_none()))
                {
                    let place = self.place(&node.span);
                    let start =
                        self.text[place.clone()].find(target).map_or(place.start, |at| place.start + at);
                    let span = start..(start + target.len()).min(place.end).max(start);
                    found.push(NamedTarget { names, target: target.to_string(), span });
                }
            }
        }
    }

    /// Adds the entries of nested tables whose keys have a meaning, with joined names.
    fn flattened(&self, entries: YamlEntries) -> YamlEntries {
        let holds = |name: &str| {
            let is_in = |known: &str| known.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
            self.convention.key_names().any(is_in)
        };
        let flat = |(key, node): (YamlKey, YamlNode)| match node.value {
            Written::Table(inner) if holds(&key.name) => {
                let named = |(within, node): (YamlKey, YamlNode)| {
                    (YamlKey { name: format!("{}.{}", key.name, within.name), ..within }, node)
                };
                inner.into_iter().map(named).collect()
            }
            _ => vec![(key, node)],
        };
        entries.into_iter().flat_map(flat).collect()
    }

    /// Converts a range to a range in the file.
    fn place(&self, span: &Range<usize>) -> Range<usize> {
        self.start + span.start..self.start + span.end
    }

    fn line(&mut self, key: &YamlKey, node: &YamlNode) -> Option<String> {
        if matches!(node.value, Written::List(_) | Written::Table(_)) {
            self.wrong(key, node, "a text");
        }
        node.text().map(str::to_string)
    }

    fn number(&mut self, key: &YamlKey, node: &YamlNode) -> Option<f64> {
        let number = node.number();
        if number.is_none() && !node.is_null() {
            self.wrong(key, node, "a number");
        }
        number
    }

    fn boolean(&mut self, key: &YamlKey, node: &YamlNode) -> bool {
        let value = node.boolean();
        if value.is_none() && !node.is_null() {
            self.wrong(key, node, "`true` or `false`");
        }
        value.unwrap_or(false)
    }

    fn lines(&mut self, key: &YamlKey, node: &YamlNode) -> Vec<String> {
        match &node.value {
            Written::List(nodes) => nodes.iter().filter_map(|node| self.line(key, node)).collect(),
            _ => self.line(key, node).into_iter().collect(),
        }
    }

    /// Parses a segment of an address, which must not leave its folder, or a path.
    fn slug(&mut self, key: &YamlKey, node: &YamlNode) -> Option<String> {
        let slug = self.line(key, node)?;
        if self.convention.slugs != Slugs::Segment {
            let fits = !slug.split('/').any(|part| part == "..") && !slug.contains(['\\', '?', '#', '\0']);
            if !fits {
                self.wrong(key, node, "a URL on this site without `..`, `?`, or `#`");
            }
            return fits.then_some(slug);
        }
        let fits = !matches!(slug.as_str(), "." | "..") && !slug.contains(['/', '\\', '?', '#', '%', '\0']);
        if !fits {
            self.wrong(key, node, "one URL segment without `/`, `?`, `#`, or `%`");
        }
        fits.then_some(slug)
    }

    /// Returns the URLs of a key, without those that must not be published.
    fn addresses(&mut self, key: &YamlKey, node: &YamlNode) -> Vec<String> {
        match &node.value {
            Written::List(nodes)
                if self.convention.meaning(&key.name) == Some(Meaning::Aliases)
                    || self.convention.has_other_keys =>
            {
                nodes.iter().filter_map(|node| self.address(key, node)).collect()
            }
            _ => self.address(key, node).into_iter().collect(),
        }
    }

    fn address(&mut self, key: &YamlKey, node: &YamlNode) -> Option<String> {
        let address = self.line(key, node)?;
        let span = self.place(&node.span);
        let problem = if url::has_controls(&address) {
            let message = format!("`{}` contains a line end, a tab, or another control character", key.name);
            let help = format!("add one URL on the same line, after `{}:`", key.name);
            Problem::new(Code::InvalidFrontMatter, span, message).help(help)
        } else if url::is_unsafe(&address, Purpose::Document) {
            unsafe_target(span, &address)
        } else {
            return Some(address);
        };
        self.problems.push(problem);
        None
    }

    /// Parses `drift: {allow: […], reason: …, until: …}`, or a list of these.
    fn acceptances(&mut self, node: YamlNode) -> Vec<Acceptance> {
        match node.value {
            Written::List(nodes) => nodes.into_iter().filter_map(|node| self.acceptance(node)).collect(),
            _ if node.is_null() => Vec::new(),
            _ => self.acceptance(node).into_iter().collect(),
        }
    }

    /// Returns an accepted difference. An invalid one is reported and accepts nothing.
    fn acceptance(&mut self, node: YamlNode) -> Option<Acceptance> {
        const FORM: &str = "use `drift: {allow: [setting-value], reason: why}`";
        let span = node.span;
        let Written::Table(entries) = node.value else {
            self.invalid_acceptance(&span, "`drift` needs `allow`, `reason`, and optionally `until`", FORM);
            return None;
        };
        let (mut accepted, mut reason, mut until) = (Vec::new(), String::new(), None);
        for (key, node) in entries {
            match key.name.as_str() {
                "allow" => accepted = self.allowed(node)?,
                "reason" => reason = node.text().unwrap_or_default().to_string(),
                "until" => until = self.day(&node)?,
                name => {
                    self.invalid_acceptance(&key.span, format!("`drift` has no key `{name}`"), FORM);
                    return None;
                }
            }
        }
        let what = match (accepted.is_empty(), reason.is_empty()) {
            (true, _) => "allows nothing",
            (false, true) => "is ignored because it has no reason",
            (false, false) => {
                return Some(Acceptance { accepted, reason, until, span: self.place(&span) });
            }
        };
        self.invalid_acceptance(&span, format!("`drift` {what}"), FORM);
        None
    }

    /// Returns the last day. Returns `None` if it is unreadable, and `Some(None)` if there is none.
    #[expect(clippy::option_option, reason = "what is wrong is reported here")]
    fn day(&mut self, node: &YamlNode) -> Option<Option<jiff::civil::Date>> {
        let Some(written) = node.text() else { return Some(None) };
        if let Ok(day) = written.parse() {
            return Some(Some(day));
        }
        let help = "use the last day, such as `until: 2027-01-31`";
        self.invalid_acceptance(&node.span, format!("`until` is `{written}`, which is not a date"), help);
        None
    }

    fn allowed(&mut self, node: YamlNode) -> Option<Vec<Accepted>> {
        let nodes = match node.value {
            Written::List(nodes) => nodes,
            _ if node.is_null() => Vec::new(),
            _ => vec![node],
        };
        let accepted: Option<Vec<_>> = nodes.iter().map(|node| self.accepted(node)).collect();
        Some(accepted?.into_iter().flatten().collect())
    }

    /// Parses an entry of `allow`: a rule, or rules with the names that they are about.
    fn accepted(&mut self, node: &YamlNode) -> Option<Vec<Accepted>> {
        let entries: Vec<(String, Range<usize>, Vec<Option<String>>)> = match &node.value {
            Written::Table(entries) => {
                let some = |name: &str| Some(name.to_string());
                let names = |node: &YamlNode| match &node.value {
                    Written::List(nodes) => nodes.iter().filter_map(YamlNode::text).map(some).collect(),
                    _ => node.text().map(some).into_iter().collect(),
                };
                let entry =
                    |(key, node): &(YamlKey, YamlNode)| (key.name.clone(), key.span.clone(), names(node));
                entries.iter().map(entry).collect()
            }
            _ => node
                .text()
                .map(|code| (code.to_string(), node.span.clone(), vec![None]))
                .into_iter()
                .collect(),
        };
        let mut accepted = Vec::new();
        for (code, span, names) in entries {
            let Some(known) = Code::named(&code).filter(|code| code.rule().is_drift) else {
                let family = Code::ALL.iter().filter(|code| code.rule().is_drift).map(|code| code.name());
                let near = nearest(&code, family).map(|near| format!("did you mean `{near}`?"));
                let help = near.unwrap_or_else(|| "run `stepkin explain --list` to list all rules".into());
                let message = format!("`{code}` is not a `drift` rule");
                self.invalid_acceptance(&span, message, help);
                return None;
            };
            let place = self.place(&span);
            let at = self.text[place.clone()].find(code.as_str()).filter(|_| code != known.name());
            if let Some(at) = at.map(|at| place.start + at) {
                self.problems.push(Problem::old_name(&code, at..at + code.len(), known));
            }
            accepted.extend(names.into_iter().map(|name| Accepted { code: known, name }));
        }
        Some(accepted)
    }

    fn invalid_acceptance(
        &mut self,
        span: &Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let span = self.place(span);
        self.problems.push(Problem::new(Code::InvalidSuppression, span, message).help(help.into()));
    }

    fn wrong(&mut self, key: &YamlKey, node: &YamlNode, wanted: &str) {
        let is_only_ours = matches!(
            self.convention.meaning(&key.name),
            Some(
                Meaning::Order
                    | Meaning::Step
                    | Meaning::Platforms
                    | Meaning::Duration
                    | Meaning::Drift
                    | Meaning::Redirect
            )
        ) && !self.convention.keys.iter().any(|(name, _)| *name == key.name);
        // In another generator's site, it may mean anything.
        if is_only_ours && self.convention.has_other_keys {
            return;
        }
        let span = self.place(&node.span);
        let (key, value) = (&key.name, first_line(&self.text[span.clone()]));
        let message = format!("`{key}` is {}, not {wanted}", quoted(value));
        // YAML parses an unquoted variable as a table.
        let help = if value.starts_with('{') && wanted == "a text" {
            format!("quote it: {}", quoted(&format!("{key}: \"{value}\"")))
        } else {
            format!("add {wanted} after `{key}:`")
        };
        let problem = Problem::new(Code::InvalidFrontMatter, span, message).help(help);
        // The program of an unknown site may read it.
        let is_known = self.convention.generator == Generator::Known;
        self.problems.push(if is_known { problem } else { problem.as_warning() });
    }

    /// Reports a key that resembles ours, or that means the same in another generator, unless our key is also
    /// present. Any other key is the author's own.
    fn unknown(&mut self, key: &YamlKey, node: &YamlNode, names: &[String]) {
        let is_free = |ours: &str| !names.iter().any(|name| name == ours);
        if self.convention.has_other_keys {
            return;
        }
        let span = self.place(&key.span);
        let name = &key.name;
        let foreign =
            foreign::named(name).filter(|foreign| is_free(foreign.ours) && foreign::is_first(foreign, names));
        if let Some(foreign) = foreign {
            let ours = foreign.ours;
            let message =
                format!("`{name}` is {}'s name for `{ours}` and has no effect here", foreign.generator);
            let value = first_line(&self.text[self.place(&node.span)]);
            let is_meant = ours != "order" || node.number().is_some();
            let help = if is_meant && !value.is_empty() {
                format!("use `{ours}: {value}`")
            } else {
                format!("use `{ours}:`")
            };
            let problem = Problem::new(Code::UnknownKey, span.clone(), message).help(help);
            self.problems.push(if is_meant { problem.edit(span, ours) } else { problem });
        } else if let Some(ours) = slip(name).filter(|ours| is_free(ours)) {
            let message = format!("`{name}` has no effect, except as `page.extra.{name}` in templates");
            let problem = Problem::new(Code::UnknownKey, span, message);
            self.problems.push(problem.help(format!("did you mean `{ours}`?")));
        }
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default().trim_end()
}

/// Returns the key that a misspelled one means: it differs by one letter, in long names by two, or in case.
fn slip(name: &str) -> Option<&'static str> {
    let distance = if name.len() < 8 { 1 } else { 2 };
    let lower = name.to_lowercase();
    OUR_KEYS.iter().map(|(key, _)| *key).find(|key| strsim::damerau_levenshtein(&lower, key) <= distance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use input::conventions::OURS;

    fn read(text: &str) -> (FrontMatter, usize, Vec<Problem>) {
        super::read(text, OURS)
    }

    #[track_caller]
    fn check(text: &str, title: Option<&str>, order: Option<f64>, body: &str, codes: &[Code]) {
        let (front, start, problems) = read(text);
        let found: Vec<_> = problems.iter().map(|problem| problem.code).collect();
        assert_eq!((front.title.as_deref(), front.order), (title, order), "{problems:?}");
        assert_eq!((&text[start..], found.as_slice()), (body, codes), "{problems:?}");
    }

    #[test]
    fn front_matter_of_real_authors_is_read() {
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
    fn text_before_the_block_is_reported_and_skipped() {
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
            &[Code::UnclosedFrontMatter],
        );
    }

    #[test]
    fn values_that_cannot_be_meant_are_reported() {
        check("---\norder: five\n---\n", None, None, "", &[Code::InvalidFrontMatter]);
        check("---\norder: .nan\n---\n", None, None, "", &[Code::InvalidFrontMatter]);
        check("---\nslug: ../x\n---\n", None, None, "", &[Code::InvalidFrontMatter]);
        check("---\njust words\n---\nb", None, None, "b", &[Code::InvalidFrontMatter]);
        check("---\ntitle: {x}\n---\nb", None, None, "b", &[Code::InvalidFrontMatter]);
        check("---\ntitle: [a]\n---\nb", None, None, "b", &[Code::InvalidFrontMatter]);
    }

    #[test]
    fn mistakes_with_one_interpretation_are_reported_and_read() {
        let invalid = &[Code::InvalidFrontMatter];
        let title = Some("Step 1: install");
        check("---\ntitle: Step 1: install\norder: 2\n---\nb", title, Some(2.0), "b", invalid);
        check("---\ntitle: {x} now\n---\nb", Some("{x} now"), None, "b", invalid);
        check("---\norder: 2\ntitle: \"A\n---\nb", Some("A"), Some(2.0), "b", invalid);
        check("+++\ntitle = 'A'\norder = 2\n+++\nb", Some("A"), Some(2.0), "b", invalid);
    }

    /// Checks a finding: its text, message and help.
    #[track_caller]
    fn check_finding(text: &str, code: Code, at: &str, message: &str, help: &str) {
        let (_, _, problems) = read(text);
        let [found] = &problems[..] else { panic!("{text}: {problems:#?}") };
        assert_eq!((found.code, &text[found.span.clone()], found.message.as_str()), (code, at, message));
        assert_eq!(found.help.as_deref(), Some(help));
    }

    #[test]
    fn a_finding_is_at_its_value() {
        check_finding(
            "\u{feff}---\ntitle: A\norder:  five # no\n---\n".trim_start_matches('\u{feff}'),
            Code::InvalidFrontMatter,
            "five",
            "`order` is `five`, not a number",
            "add a number after `order:`",
        );
        check_finding(
            "---\ntitle: ü\ndrift:\n  allow: wording\n  reason: so\n  until: 2026-13-01\n---\n",
            Code::InvalidSuppression,
            "2026-13-01",
            "`until` is `2026-13-01`, which is not a date",
            "use the last day, such as `until: 2027-01-31`",
        );
        check_finding(
            "---\ntitle: A\ndrift: {allow: [wordin], reason: so}\n---\n",
            Code::InvalidSuppression,
            "wordin",
            "`wordin` is not a `drift` rule",
            "did you mean `wording`?",
        );
    }

    #[test]
    fn custom_keys_are_kept_and_not_reported() {
        let (front, _, problems) = read(
            "---\ntitle: A\ntags: [a]\nauthor: B\ndate: 2026-01-01\nlayout: x\ntype: y\nfolder: z\ncolor: red\n---\n",
        );
        assert_eq!(problems, []);
        assert_eq!(front.extra.len(), 7);
        // If our own key is also present, another tool reads theirs.
        assert_eq!(read("---\ntitle: A\norder: 1\nweight: 10\noders: 3\n---\n").2, []);
    }

    #[test]
    fn the_first_side_of_a_merge_conflict_is_read() {
        let text = "---\nstep: s\n<<<<<<< HEAD\ntitle: Ä\n||||||| base\ntitle: O\n=======\ntitle: Ü: B\n>>>>>>> x\norder: 2\n---\nb";
        check(text, Some("Ä"), Some(2.0), "b", &[Code::MergeConflict]);
        check_finding(
            text,
            Code::MergeConflict,
            "<<<<<<< HEAD",
            "unresolved merge conflict of `HEAD`",
            "keep the correct lines, and remove the `<<<<<<<`, `=======`, and `>>>>>>>` lines",
        );
        assert_eq!(read(text).0.order_span.map(|span| &text[span]), Some("2"));
    }

    #[test]
    fn a_slip_and_another_generators_key_are_reported() {
        check_finding(
            "---\ntitel: A\n---\n",
            Code::UnknownKey,
            "titel",
            "`titel` has no effect, except as `page.extra.titel` in templates",
            "did you mean `title`?",
        );
        check_finding(
            "---\ntitle: A\nsidebar_position: 1\n---\n",
            Code::UnknownKey,
            "sidebar_position",
            "`sidebar_position` is Docusaurus's name for `order` and has no effect here",
            "use `order: 1`",
        );
        for (text, fixed) in [("weight: 3", "order: 3"), ("redirect_from:\n  - /a/", "aliases:\n  - /a/")] {
            let (_, _, problems) = read(&format!("---\n{text}\n---\n"));
            let edit = &problems[0].edits[0];
            assert_eq!(format!("{}{}", edit.text, &text[edit.span.end - 4..]), fixed);
        }
        check_finding(
            "---\ntitle: A\nweight: 2\nnav_order: 3\nsidebar_position: 1\n---\n",
            Code::UnknownKey,
            "sidebar_position",
            "`sidebar_position` is Docusaurus's name for `order` and has no effect here",
            "use `order: 1`",
        );
        assert_eq!(read("---\nweight: heavy\n---\n").2[0].edits, []);
    }

    #[test]
    fn toml_is_written_as_yaml_where_nothing_is_lost() {
        let fixed = |toml: &str| {
            let text = format!("+++\n{toml}+++\nText.\n");
            let (_, body, problems) = read(&text);
            assert_eq!((&text[body..], problems[0].code), ("Text.\n", Code::InvalidFrontMatter));
            problems[0].edits.first().map(|edit| format!("{}{}", edit.text, &text[edit.span.end..]))
        };
        let toml = "title = 'A \"b\": c'\nweight = 0x10\ntags = ['x', \"y\"]\ndate = 2026-01-02\n[extra]\nmath = true\n";
        let yaml = "---\ntitle: \"A \\\"b\\\": c\"\nweight: 16\ntags: [\"x\", \"y\"]\ndate: 2026-01-02\nextra: {\"math\": true}\n---\nText.\n";
        assert_eq!(fixed(toml).as_deref(), Some(yaml));
        let (front, _, problems) = read(yaml);
        assert_eq!((front.title.as_deref(), problems.len()), (Some("A \"b\": c"), 1), "{problems:?}");
        assert_eq!(fixed("title = 'A' # why\n"), None);
        assert_eq!(fixed("title = A\n"), None);
        check("+++\nText that is never closed", None, None, "+++\nText that is never closed", &[]);
    }

    #[test]
    fn endless_nesting_is_refused() {
        check(&format!("---\na: {}\n---\n", "[".repeat(50_000)), None, None, "", &[Code::InvalidFrontMatter]);
        check(&format!("---\n{}a\n---\n", "- ".repeat(50_000)), None, None, "", &[Code::InvalidFrontMatter]);
    }
}
