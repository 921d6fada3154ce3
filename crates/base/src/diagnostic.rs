//! Findings: problems in the content, their locations, and how to fix them.
//!
//! A [`Problem`] is about one text and contains only byte ranges. A [`Diagnostic`] is a problem in a file. Stages
//! that process a single page return problems, so that their results can be cached by content, independent of the
//! file's path. A [`Report`] collects diagnostics, and `cli` prints them.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::address::letters;
use crate::error::Error;
use crate::site_path::SitePath;
use crate::sort::StableSort as _;
use crate::sorted::SortedMap;

pub use crate::findings::{Code, Rule, Severity};

/// Replaces control characters, except line ends and tabs, with visible characters, because content must not send
/// commands to a terminal. Unicode has no visible characters for its second control block (C1), which terminals also
/// obey, so another character replaces those.
pub fn visible(text: String) -> String {
    let is_command = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if !text.contains(is_command) {
        return text;
    }
    let shown = |c: char| match c {
        '\n' | '\t' => c,
        '\u{7f}' => '\u{2421}',
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or(char::REPLACEMENT_CHARACTER),
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    text.chars().map(shown).collect()
}

/// Returns the start of the character that contains the position, or the end of the text if the position is after it.
pub fn letter_at(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// A problem in one text. It implements `Eq` so that shared problems are equal without comparing their contents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    pub code: Code,
    /// Severity, if it differs from the rule's.
    pub severity: Option<Severity>,
    /// Byte range in the file on disk.
    pub span: Range<usize>,
    /// One lower-case phrase, names in backticks, no full stop; control characters are [`visible`].
    pub message: String,
    /// How to fix it.
    pub help: Option<String>,
    /// The target of the link or image, as written.
    pub target: Option<String>,
    /// Other locations that explain the problem.
    pub related: Vec<RelatedSpan>,
    /// Additional data for programs, by name.
    #[serde(with = "as_json")]
    pub data: SortedMap<Cow<'static, str>, Value>,
    /// Edits that fix the problem, if it has only one solution.
    pub edits: Vec<Edit>,
}

/// Serializes JSON values as text, because formats without type information can't read them back.
mod as_json {
    use crate::sorted::SortedMap;
    use std::borrow::Cow;

    use serde::de::Error as _;
    use serde::ser::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use serde_json::Value;

    type Data = SortedMap<Cow<'static, str>, Value>;

    pub(super) fn serialize<S: Serializer>(data: &Data, to: S) -> Result<S::Ok, S::Error> {
        if data.is_empty() {
            "".serialize(to)
        } else {
            serde_json::to_string(data).map_err(S::Error::custom)?.serialize(to)
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Data, D::Error> {
        match String::deserialize(from)?.as_str() {
            "" => Ok(Data::new()),
            text => serde_json::from_str(text).map_err(D::Error::custom),
        }
    }
}

/// A replacement of one range in the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    pub span: Range<usize>,
    /// The new text.
    pub text: String,
}

/// An additional location of a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelatedSpan {
    pub file: SitePath,
    pub span: Range<usize>,
    pub label: String,
}

impl Problem {
    pub fn new(code: Code, span: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: None,
            span,
            message: visible(message.into()),
            help: None,
            target: None,
            related: Vec::new(),
            data: SortedMap::new(),
            edits: Vec::new(),
        }
    }

    /// Returns advice to replace an old name of a rule in a suppression, with the edit that does so.
    pub fn old_name(old: &str, span: Range<usize>, rule: Code) -> Self {
        let message = format!("`{old}` is an old name of the rule `{rule}`");
        let problem = Self::new(Code::InvalidSuppression, span.clone(), message).as_advice();
        problem.help(format!("use `{rule}`")).edit(span, rule.name())
    }

    #[must_use]
    pub fn help(mut self, help: impl Into<Option<String>>) -> Self {
        self.help = help.into().map(visible);
        self
    }

    /// Lowers the severity to advice, whatever the rule's severity is.
    #[must_use]
    pub fn as_advice(mut self) -> Self {
        self.severity = Some(Severity::Info);
        self
    }

    /// Makes it a warning, whatever its code is.
    #[must_use]
    pub fn as_warning(mut self) -> Self {
        self.severity = Some(Severity::Warning);
        self
    }

    #[must_use]
    pub fn target(mut self, target: impl Into<String>) -> Self {
        self.target = Some(target.into());
        self
    }

    #[must_use]
    pub fn related(mut self, file: &SitePath, span: Range<usize>, label: impl Into<String>) -> Self {
        self.related.push(RelatedSpan { file: file.clone(), span, label: visible(label.into()) });
        self
    }

    #[must_use]
    pub fn data(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.data.insert(name.into(), value.into());
        self
    }

    #[must_use]
    pub fn edit(mut self, span: Range<usize>, text: impl Into<String>) -> Self {
        self.edits.push(Edit { span, text: text.into() });
        self
    }

    pub fn at(self, file: &SitePath) -> Diagnostic {
        Diagnostic::new(Arc::new(self), file)
    }
}

/// A problem in one of the site's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub file: SitePath,
    /// The rule's severity, unless the configuration changes it.
    pub severity: Severity,
    pub problem: Arc<Problem>,
}

impl Diagnostic {
    pub fn new(problem: Arc<Problem>, file: &SitePath) -> Self {
        let severity = problem.severity.unwrap_or(problem.code.severity());
        Self { file: file.clone(), severity, problem }
    }

    /// Whether `fix` can fix it.
    pub fn is_fixable(&self) -> bool {
        !self.problem.edits.is_empty()
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    pub fn blocks_build(&self) -> bool {
        self.problem.code.rule().blocks_build
    }

    /// Sort key: file, position, rule. Every report has this order, whichever thread found the problem.
    fn key(&self) -> impl Ord {
        let Problem { code, span, message, .. } = &*self.problem;
        (&self.file, span.start, span.end, *code, message.as_str())
    }
}

/// The findings of a stage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    diagnostics: Vec<Diagnostic>,
}

/// The result of a stage and its findings.
pub type Reported<T> = (T, Report);

impl Report {
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Adds the findings of a stage and returns its result.
    pub fn absorb<T>(&mut self, (value, report): Reported<T>) -> T {
        self.extend(report.diagnostics);
        value
    }

    /// Sorts findings by file, position and rule, and removes duplicates.
    ///
    /// Findings with the same message at the same location count as one, such as those of a shared page on several
    /// platforms. The first one's help is used.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        self.diagnostics.stable_sort_by(|a, b| a.key().cmp(&b.key()));
        self.diagnostics.dedup_by(|other, first| first.key() == other.key());
        self
    }

    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.diagnostics.iter()
    }

    pub fn is_empty(&self) -> bool {
        self.diagnostics.is_empty()
    }

    /// Groups the findings by file. The report must be sorted, or files appear more than once.
    pub fn by_file(&self) -> impl Iterator<Item = (&SitePath, &[Diagnostic])> {
        self.diagnostics.chunk_by(|one, next| one.file == next.file).map(|some| (&some[0].file, some))
    }

    pub fn count(&self, severity: Severity) -> usize {
        self.iter().filter(|diagnostic| diagnostic.severity == severity).count()
    }

    /// Returns the findings that prevent the site from being published.
    pub fn blockers(&self) -> impl Iterator<Item = &Diagnostic> {
        self.iter().filter(|diagnostic| diagnostic.blocks_build())
    }
}

impl Extend<Diagnostic> for Report {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, diagnostics: I) {
        self.diagnostics.extend(diagnostics);
    }
}

impl FromIterator<Diagnostic> for Report {
    fn from_iter<I: IntoIterator<Item = Diagnostic>>(diagnostics: I) -> Self {
        Self { diagnostics: diagnostics.into_iter().collect() }
    }
}

impl IntoIterator for Report {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.diagnostics.into_iter()
    }
}

impl<'a> IntoIterator for &'a Report {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Returns `1 page`, `2 pages`.
pub fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// Joins a list: `a`, `a and b`, `a, b and c`.
pub fn list(items: &[impl AsRef<str>]) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    match items.split_last() {
        Some((last, [])) => (*last).to_string(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Returns the texts of a list in the data of a finding.
pub fn texts_in(list: Option<&Value>) -> Vec<&str> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Formats a number of bytes: `512 bytes`, `48 kB`, `1.3 MB`, `2.0 GB`. Rounds kB up, and larger units down to a
/// tenth.
pub fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{} kB", bytes.div_ceil(1_000)),
        1_000_000..1_000_000_000 => format!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000),
        _ => format!("{}.{} GB", bytes / 1_000_000_000, bytes % 1_000_000_000 / 100_000_000),
    }
}

/// Returns the error for an unknown name, which suggests the nearest known name or lists them.
pub fn unknown(kind: &str, name: &str, known: &[&str]) -> Error {
    /// Maximum number of names to list.
    const MOST: usize = 12;
    let near = nearest(name, known.iter().copied());
    let hint = near.map_or_else(
        || {
            let listed = known[..known.len().min(MOST)].join("`, `");
            let more = known.len().saturating_sub(MOST);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("available: `{listed}`{more}")
        },
        |near| format!("did you mean `{near}`?"),
    );
    Error::usage(format!("unknown {kind} `{name}`; {hint}"))
}

/// Returns the candidate that `wanted` most likely means, if one is similar enough.
///
/// Similar means a Damerau-Levenshtein distance of at most a third of the longer text, as in rustc's suggestions for
/// names, and the same for each of several words: `upload-file` doesn't mean `delete-file`. Texts that differ only in case and punctuation
/// are most similar. Among equally similar candidates, the alphabetically first one is returned, whatever their order. An equal
/// candidate would be no suggestion.
pub fn nearest<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = wanted.chars().count();
    let mut best: Option<((bool, usize), &str)> = None;
    for candidate in candidates {
        if candidate == wanted || candidate.is_empty() {
            continue;
        }
        let other = candidate.chars().count();
        let has_others = !have_same_letters(wanted, candidate);
        let most = if has_others { length.max(other).div_ceil(3) } else { length.max(other) };
        let limit = match best {
            Some(((of_best, distance), _)) if of_best == has_others => most.min(distance),
            Some(((false, _), _)) => continue,
            _ => most,
        };
        // Cheap test first: the distance is at least the difference in length.
        if length.abs_diff(other) > limit {
            continue;
        }
        let Some(distance) = distance_within(wanted, candidate, limit) else { continue };
        if has_others && !have_similar_words(wanted, candidate) {
            continue;
        }
        let rank = (has_others, distance);
        if best.is_none_or(|best| (rank, candidate) < best) {
            best = Some((rank, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Whether two texts have the same letters and digits, of which there is one at least, in any case.
fn have_same_letters(one: &str, other: &str) -> bool {
    letters(one).next().is_some() && letters(one).eq(letters(other))
}

/// Whether each part of a path, and each word of a part, resembles that at its place in another text, or one of the two begins with the
/// other. If the numbers of words differ, each word of the shorter text resembles any of the other.
pub fn have_similar_words(one: &str, other: &str) -> bool {
    /// Minimum length of the part that two forms of a word share: `tests` and `testing`.
    const SHORTEST_STEM: usize = 4;
    const LONGEST_ENDING: usize = 4;
    fn words(text: &str) -> impl Iterator<Item = &str> {
        text.split(|c: char| !c.is_alphanumeric())
    }
    let are_similar = |one: &str, other: &str| {
        let limit = (one.chars().count().max(other.chars().count()) / 3).max(1);
        let stem = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
        let longest = one.len().max(other.len());
        let have_stem = stem >= SHORTEST_STEM && longest - stem <= LONGEST_ENDING && 2 * stem > longest;
        have_stem
            || one.starts_with(other)
            || other.starts_with(one)
            || distance_within(one, other, limit).is_some()
    };
    let parts = |text: &str| text.matches('/').count();
    if parts(one) > 0 && parts(one) == parts(other) {
        let mut pairs = one.split('/').zip(other.split('/'));
        return pairs.all(|(one, other)| are_similar(one, other) && have_similar_words(one, other));
    }
    let is_in = |word: &str, text: &str| words(text).any(|it| are_similar(word, it));
    match words(one).count().cmp(&words(other).count()) {
        Ordering::Equal => words(one).zip(words(other)).all(|(one, other)| are_similar(one, other)),
        Ordering::Less => words(one).all(|word| is_in(word, other)),
        Ordering::Greater => words(other).all(|word| is_in(word, one)),
    }
}

/// Returns the known name that differs from `name` by one letter, if that isn't only the `s` of a plural. Short names resemble
/// each other, so they have none.
pub fn misspelled<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// Minimum number of letters.
    const SHORTEST: usize = 6;
    let near = nearest(name, known).filter(|_| name.len() >= SHORTEST)?;
    (distance_within(name, near, 1) == Some(1) && !is_plural(name, near)).then_some(near)
}

/// Whether one of two names is the other one with an `s` at its end.
pub fn is_plural(one: &str, other: &str) -> bool {
    one.strip_suffix('s') == Some(other) || other.strip_suffix('s') == Some(one)
}

/// Returns the Damerau-Levenshtein distance of two texts if it is at most `limit`.
pub fn distance_within(one: &str, other: &str, limit: usize) -> Option<usize> {
    if one == other {
        return Some(0);
    }
    // Cheap test first: an edit removes at most one character and adds at most one.
    let mut surplus = [0_isize; 64];
    one.chars().for_each(|letter| surplus[letter as usize % 64] += 1);
    other.chars().for_each(|letter| surplus[letter as usize % 64] -= 1);
    let more: usize = surplus.iter().filter(|it| **it > 0).map(|it| it.unsigned_abs()).sum();
    let less: usize = surplus.iter().filter(|it| **it < 0).map(|it| it.unsigned_abs()).sum();
    if more.max(less) > limit {
        return None;
    }
    Some(strsim::damerau_levenshtein(one, other)).filter(|distance| *distance <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_nearest(wanted: &str, candidates: &[&str], expected: Option<&str>) {
        assert_eq!(nearest(wanted, candidates.iter().copied()), expected);
    }

    #[test]
    fn a_typo_finds_its_name_and_another_word_finds_none() {
        check_nearest("tilte", &["order", "title"], Some("title"));
        check_nearest(
            "/images/butten.png",
            &["/images/button.png", "/images/other.png"],
            Some("/images/button.png"),
        );
        check_nearest("banana", &["order", "title"], None);
        check_nearest("objectivec\"", &["objective-c", "objectivec"], Some("objectivec"));
        check_nearest("ON_START", &["on-stop", "on-start", "onstart"], Some("on-start"));
        check_nearest("", &["order"], None);
        check_nearest("/samples/", &["/samples/"], None);
    }

    #[test]
    fn control_characters_are_shown_and_not_sent() {
        for (text, expected) in [
            ("a\u{1b}[31mb", "a␛[31mb"),
            ("\0\r\u{7f}", "␀␍␡"),
            ("a\u{9b}31mb", "a\u{fffd}31mb"),
            ("line\n\tline, ü 🦀", "line\n\tline, ü 🦀"),
        ] {
            assert_eq!(visible(text.into()), expected);
            let problem = Problem::new(Code::Mojibake, 0..0, text).help(text.to_string());
            let problem = problem.related(&"a".into(), 0..0, text);
            assert_eq!(
                [&*problem.message, problem.help.as_deref().unwrap_or_default(), &*problem.related[0].label],
                [expected; 3]
            );
        }
    }

    #[test]
    fn codes_have_unique_names() {
        let mut names: Vec<_> = Code::ALL.iter().map(|code| code.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Code::ALL.len());
    }

    #[test]
    fn findings_for_each_platform_are_merged() {
        let finding =
            |help: &str| Problem::new(Code::MissingPage, 1..2, "x").help(help.to_string()).at(&"a".into());
        let report: Report = [finding("web"), finding("ios"), finding("web")].into_iter().collect();
        assert_eq!(report.sorted(), Report { diagnostics: vec![finding("web")] });
    }

    #[test]
    fn reports_are_sorted_by_place_whatever_the_order_of_discovery() {
        let finding =
            |file: &str, start| Problem::new(Code::MissingPage, start..start + 1, "x").at(&file.into());
        let one: Report = [finding("b", 1), finding("a", 5), finding("a", 2)].into_iter().collect();
        let other: Report =
            [finding("a", 2), finding("b", 1), finding("a", 5), finding("a", 2)].into_iter().collect();
        assert_eq!(one.sorted(), other.sorted());
    }
}
