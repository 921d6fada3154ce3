//! The texts of the interface, in the language of the site.
//!
//! In: the language, and the site's files in `templates/words`. Out: [`Words`], always complete, because a missing
//! word is shown in English and reported. Templates use them as `words`. Words that the program itself needs are
//! [`Word`]s.

mod columns;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Write as _};
use std::sync::{Arc, LazyLock, OnceLock};

use icu_locale_core::Locale;
use icu_locale_fallback::{LocaleFallbackConfig, LocaleFallbacker};
use icu_plurals::{PluralCategory, PluralRules, PluralRulesPreferences};
use pulldown_cmark_escape::escape_html;
use serde::{Deserialize, Serialize};
use toml::Spanned;

pub use self::columns::{ColumnWords, WordPattern};
use crate::config;
use crate::source::{Sources, Text};
use base::diagnostic::{Code, Diagnostic, Problem, Report, Reported, nearest};
use base::site_path::{CONFIG, SitePath};

/// The folder of words, among the templates.
const FOLDER: &str = "templates/words/";

/// The built-in languages: the name of each file, and its text.
pub const BUILT_IN: [(&str, &str); 13] = [
    ("ar.toml", include_str!("../words/ar.toml")),
    ("de.toml", include_str!("../words/de.toml")),
    ("en.toml", include_str!("../words/en.toml")),
    ("es.toml", include_str!("../words/es.toml")),
    ("fr.toml", include_str!("../words/fr.toml")),
    ("it.toml", include_str!("../words/it.toml")),
    ("ja.toml", include_str!("../words/ja.toml")),
    ("ko.toml", include_str!("../words/ko.toml")),
    ("pl.toml", include_str!("../words/pl.toml")),
    ("pt.toml", include_str!("../words/pt.toml")),
    ("ru.toml", include_str!("../words/ru.toml")),
    ("uk.toml", include_str!("../words/uk.toml")),
    ("zh.toml", include_str!("../words/zh.toml")),
];

macro_rules! words {
    ($($variant:ident = $key:literal,)*) => {
        /// Words that the program uses itself. All others are used by templates.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum Word {
            $($variant,)*
        }

        impl Word {
            /// Returns its key in files of words.
            pub fn key(self) -> &'static str {
                match self { $(Self::$variant => $key),* }
            }

            /// All words.
            pub const ALL: &[Self] = &[$(Self::$variant),*];
        }
    };
}

words! {
    AllTheSame = "all_the_same",
    And = "and",
    BackToText = "back_to_text",
    Caution = "caution",
    CountDiffering = "count_differing",
    CountHeadings = "count_headings",
    DataFamily = "data_family",
    DataSettingsCsv = "data_settings_csv",
    DataSettingsJson = "data_settings_json",
    DescribedDifferently = "described_differently",
    DescriptionColumns = "description_columns",
    Diagram = "diagram",
    Differs = "differs",
    Done = "done",
    Empty = "empty",
    EnlargePicture = "enlarge_picture",
    EnlargePictureOf = "enlarge_picture_of",
    Footnotes = "footnotes",
    Frame = "frame",
    Headings = "headings",
    Important = "important",
    InSection = "in_section",
    InSettings = "in_settings",
    NotFound = "not_found",
    NotOn = "not_on",
    Note = "note",
    OnlyOn = "only_on",
    OtherPages = "other_pages",
    PlayVideo = "play_video",
    SectionNew = "section_new",
    SectionOutdated = "section_outdated",
    SectionRemoved = "section_removed",
    Sections = "sections",
    SettingColumns = "setting_columns",
    SideBySide = "side_by_side",
    SideBySideOf = "side_by_side_of",
    Source = "source",
    Step = "step",
    Steps = "steps",
    Table = "table",
    Tip = "tip",
    ToDo = "to_do",
    Tutorial = "tutorial",
    Tutorials = "tutorials",
    ValueOn = "value_on",
    Warning = "warning",
}

/// All words of the interface, by key.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Words {
    /// Contains every key of the English file.
    said: BTreeMap<String, Phrase>,
    #[serde(skip)]
    counting: Counting,
}

/// The plural forms of a language.
#[derive(Clone, Debug)]
struct Counting {
    language: String,
    /// Created on first use. `None` inside if the language has no rules.
    rules: Arc<OnceLock<Option<PluralRules>>>,
}

impl PartialEq for Counting {
    fn eq(&self, other: &Self) -> bool {
        self.language == other.language
    }
}

impl Counting {
    fn of(language: &str) -> Self {
        Self { language: language.to_string(), rules: Arc::default() }
    }

    /// Returns the plural category of a number, which is `Other` in a language without rules.
    fn category(&self, number: u64) -> PluralCategory {
        let rules = self.rules.get_or_init(|| rules(&self.language));
        rules.as_ref().map_or(PluralCategory::Other, |rules| rules.category_for(number))
    }
}

/// The text of a word. Names in braces are slots that are filled when it is shown.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(
    untagged,
    expecting = "a word is a text, a list of texts, or a table with `other` and, if the language needs them, `zero`, \
                 `one`, `two`, `few`, and `many`"
)]
pub enum Phrase {
    Always(String),
    Counted(Forms),
    Several(Vec<String>),
}

/// A text for each plural category of a language (CLDR, "plural rules").
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Forms {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zero: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub one: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub two: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub few: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub many: Option<String>,
    /// Also used for numbers whose own form is missing.
    pub other: String,
}

impl Forms {
    /// Returns the text for a plural category, or `None` if it is missing.
    fn of(&self, category: PluralCategory) -> Option<&str> {
        match category {
            PluralCategory::Zero => self.zero.as_deref(),
            PluralCategory::One => self.one.as_deref(),
            PluralCategory::Two => self.two.as_deref(),
            PluralCategory::Few => self.few.as_deref(),
            PluralCategory::Many => self.many.as_deref(),
            PluralCategory::Other => Some(&self.other),
        }
    }
}

/// A file of words, each key with its range.
type File = BTreeMap<Spanned<String>, Phrase>;

/// Parsed once because every run needs it several times.
static ENGLISH: LazyLock<BTreeMap<String, Phrase>> =
    LazyLock::new(|| read_built_in("en").expect("English is built in"));

impl Default for Words {
    /// Returns the English words.
    fn default() -> Self {
        Self { said: ENGLISH.clone(), counting: Counting::of("en") }
    }
}

/// Loads the words for a language, a BCP 47 tag. For `de-AT`, loads `de` and then `de-AT` over it
/// (`names_of`). The site's files override the built-in ones.
pub fn load(sources: &Sources, language: &str) -> Reported<Words> {
    let mut report = Report::default();
    let mut words = Words { counting: Counting::of(language), ..Words::default() };
    let is_english = is_english(language);
    let mut said = BTreeSet::new();
    let mut own_file = None;
    for name in names_of(language) {
        let own = own_file_of(sources, &name);
        let file = own.map(|path| report.absorb(read(sources, path, &ENGLISH, language)));
        own_file = own.or(own_file);
        // The words are English from the start.
        let built_in = if name == "en" { None } else { built_in(&name) };
        for file in [built_in, file.map(plain)].into_iter().flatten() {
            if !is_english {
                said.extend(file.keys().cloned());
            }
            words.said.extend(file);
        }
    }
    if !is_english {
        let missing: Vec<&str> =
            ENGLISH.keys().filter(|key| !said.contains(*key)).map(String::as_str).collect();
        if !missing.is_empty() {
            report.push(missing_words(sources, language, own_file, &missing));
        }
    }
    if direction(language) == "rtl" {
        for (key, word) in &mut words.said {
            word.isolate(!said.contains(key) && !is_english);
        }
    }
    (words, report)
}

/// Returns the column titles by which tables of settings are recognized in a language.
pub fn columns(sources: &Sources, language: &str) -> ColumnWords {
    // Problems in the files are reported when all words are loaded.
    load(sources, language).0.columns()
}

/// Returns the site's own files of words.
pub fn files(sources: &Sources) -> impl Iterator<Item = &Text> {
    let files = sources.templates.iter().filter(|(path, _)| path.as_str().starts_with(FOLDER));
    files.map(|(_, text)| text)
}

/// Returns the names of the files of words that a language uses, from general to specific: `es`, `es-419` and `es-MX`.
///
/// CLDR's parent locales don't cross scripts: `zh-TW` uses `zh-Hant` rather than the simplified characters of `zh`.
fn names_of(language: &str) -> Vec<String> {
    let mut names = vec![language.to_string()];
    let Ok(locale) = language.parse::<Locale>() else { return names };
    if language.contains('-') {
        let mut parents = LocaleFallbacker::new()
            .for_config(LocaleFallbackConfig::default())
            .fallback_for((&locale).into());
        while !parents.get().is_unknown() {
            names.push(parents.get().to_string());
            parents.step();
        }
    }
    names.reverse();
    // The tag as written may have another case, or a script that goes without saying.
    names.dedup_by(|one, other| one.eq_ignore_ascii_case(other));
    names
}

impl Phrase {
    /// Isolates texts in right-to-left languages, because a slot may contain text in another direction, and English
    /// fallback text runs left to right. Lists are not shown.
    fn isolate(&mut self, is_english: bool) {
        /// The text in between is laid out separately (UAX #9): in the direction of its first letter, or from left to
        /// right.
        const FIRST_STRONG: char = '\u{2068}';
        const LEFT_TO_RIGHT: char = '\u{2066}';
        const END: char = '\u{2069}';
        let isolate = |text: &mut String| {
            let slots = text.replace('{', &format!("{FIRST_STRONG}{{")).replace('}', &format!("}}{END}"));
            *text = if is_english { format!("{LEFT_TO_RIGHT}{slots}{END}") } else { slots };
        };
        match self {
            Self::Always(text) => isolate(text),
            Self::Counted(Forms { zero, one, two, few, many, other }) => {
                [zero, one, two, few, many].into_iter().flatten().chain([other]).for_each(isolate);
            }
            Self::Several(_) => {}
        }
    }
}

fn rules(language: &str) -> Option<PluralRules> {
    let locale: Locale = language.parse().ok()?;
    PluralRules::try_new_cardinal(PluralRulesPreferences::from(&locale)).ok()
}

/// Returns the plural categories for counts on pages, each with an example number.
fn categories(language: &str) -> Vec<(PluralCategory, u64)> {
    /// Maximum count. French has a form for millions, to which no page counts.
    const MOST: u64 = 1_000;
    let Some(rules) = rules(language) else { return Vec::new() };
    let mut found: Vec<(PluralCategory, u64)> = Vec::new();
    for number in (1..=MOST).chain([0]) {
        let category = rules.category_for(number);
        if found.iter().all(|(known, _)| *known != category) {
            found.push((category, number));
        }
    }
    found
}

fn name_of(category: PluralCategory) -> &'static str {
    match category {
        PluralCategory::Zero => "zero",
        PluralCategory::One => "one",
        PluralCategory::Two => "two",
        PluralCategory::Few => "few",
        PluralCategory::Many => "many",
        PluralCategory::Other => "other",
    }
}

/// Returns the text direction of a language: `rtl` or `ltr`.
pub fn direction(language: &str) -> &'static str {
    /// Right-to-left languages (CLDR, "characterOrder"), unless the tag contains a script.
    const LANGUAGES: [&str; 13] =
        ["ar", "ckb", "dv", "fa", "he", "iw", "ks", "ps", "sd", "syr", "ug", "ur", "yi"];
    const SCRIPTS: [&str; 6] = ["adlm", "arab", "hebr", "nkoo", "syrc", "thaa"];
    let lower = language.to_ascii_lowercase();
    let mut parts = lower.split('-');
    let language = parts.next().unwrap_or_default();
    // BCP 47: only a script has four letters, and it precedes region and variants.
    let script = parts.find(|part| part.len() == 4 && part.bytes().all(|byte| byte.is_ascii_alphabetic()));
    let is_rtl = script.map_or(LANGUAGES.contains(&language), |script| SCRIPTS.contains(&script));
    if is_rtl { "rtl" } else { "ltr" }
}

impl Words {
    /// Returns a word without plural forms.
    pub fn get(&self, word: Word) -> &str {
        match &self.said[word.key()] {
            Phrase::Always(text) | Phrase::Counted(Forms { other: text, .. }) => text,
            Phrase::Several(_) => "",
        }
    }

    /// Returns a word with its slots filled.
    pub fn say(&self, word: Word, slots: &[(&str, &dyn Display)]) -> String {
        fill(self.get(word), |name| {
            slots.iter().find(|(slot, _)| *slot == name).map(|(_, value)| value.to_string())
        })
    }

    /// Returns the plural form of a word for a number, with `count` filled in.
    pub fn count(&self, word: Word, count: usize) -> String {
        let form = match &self.said[word.key()] {
            Phrase::Counted(forms) => {
                let number = u64::try_from(count).unwrap_or(u64::MAX);
                forms.of(self.counting.category(number)).unwrap_or(&forms.other)
            }
            Phrase::Always(_) | Phrase::Several(_) => self.get(word),
        };
        fill(form, |name| (name == "count").then(|| count.to_string()))
    }

    /// Joins a list: `Web, iOS and Android`.
    pub fn list(&self, items: &[&str]) -> String {
        items.join(self.get(Word::And))
    }

    /// Returns the column titles by which tables of settings are recognized.
    pub fn columns(&self) -> ColumnWords {
        let list = |word: Word| match &self.said[word.key()] {
            Phrase::Several(texts) => texts.iter().map(|text| WordPattern::new(text)).collect(),
            Phrase::Always(_) | Phrase::Counted(_) => [].into(),
        };
        ColumnWords { settings: list(Word::SettingColumns), descriptions: list(Word::DescriptionColumns) }
    }

    /// Returns the template filter `say`: `{{ words.count_steps | say(count=3) }}`.
    pub fn say_filter(&self) -> impl Fn(&tera::Value, tera::Kwargs, &tera::State) -> Filled + use<> {
        let counting = self.counting.clone();
        move |word, slots, _| say(&counting, word, &slots)
    }
}

type Filled = tera::TeraResult<String>;

fn say(counting: &Counting, word: &tera::Value, slots: &tera::Kwargs) -> Filled {
    let form = match (word.as_map(), slots.get::<u64>("count")?) {
        (Some(_), None) => {
            return Err(tera::Error::message("the word has plural forms, so `say` needs a `count`"));
        }
        (Some(_), Some(count)) => {
            let form = word.get_from_path(name_of(counting.category(count)));
            form.or_else(|| word.get_from_path("other"))
        }
        (None, _) => Some(word),
    };
    let text = form.and_then(tera::Value::as_str);
    let text = text.ok_or_else(|| tera::Error::message("`say` needs one of `words`"))?;
    let value = |name: &str| slots.iter().find(|(slot, _)| slot.as_str() == Some(name));
    Ok(fill(text, |name| value(name).map(|(_, value)| value.to_string())))
}

/// Returns the template filter `forms`: all plural forms of a word, as attributes for a script.
pub fn forms(word: &tera::Value, _: tera::Kwargs, _: &tera::State) -> tera::TeraResult<String> {
    let forms =
        word.as_map().ok_or_else(|| tera::Error::message("`forms` needs a word with plural forms"))?;
    let mut attributes = BTreeMap::new();
    for (form, text) in forms {
        attributes.extend(form.as_str().zip(text.as_str()));
    }
    let mut html = String::new();
    for (form, text) in attributes {
        write!(html, " data-{form}=\"").expect("a String takes everything");
        escape_html(&mut html, text).expect("a String takes everything");
        html.push('"');
    }
    Ok(html)
}

/// Replaces `{name}` with the value of the slot. Unknown slots stay.
fn fill(text: &str, slot: impl Fn(&str) -> Option<String>) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        if let Some((value, after)) =
            after.split_once('}').and_then(|(name, after)| Some((slot(name)?, after)))
        {
            filled.push_str(&value);
            rest = after;
        } else {
            filled.push('{');
            rest = after;
        }
    }
    filled + rest
}

fn built_in(language: &str) -> Option<BTreeMap<String, Phrase>> {
    if language.eq_ignore_ascii_case("en") { Some(ENGLISH.clone()) } else { read_built_in(language) }
}

fn read_built_in(language: &str) -> Option<BTreeMap<String, Phrase>> {
    let is_it =
        |name: &str| name.strip_suffix(".toml").is_some_and(|name| name.eq_ignore_ascii_case(language));
    let (_, text) = BUILT_IN.iter().find(|(name, _)| is_it(name))?;
    Some(toml::from_str(text).expect("our own words are tested"))
}

fn plain(file: File) -> BTreeMap<String, Phrase> {
    file.into_iter().map(|(key, said)| (key.into_inner(), said)).collect()
}

/// Returns the site's file for a language, ignoring case.
fn own_file_of<'s>(sources: &'s Sources, language: &str) -> Option<&'s SitePath> {
    let is_it = |path: &&SitePath| {
        let name = path.as_str().strip_prefix(FOLDER).and_then(|name| name.strip_suffix(".toml"));
        name.is_some_and(|name| name.eq_ignore_ascii_case(language))
    };
    sources.templates.keys().find(is_it)
}

/// Reads a file of the site. Invalid words are reported and ignored. An unreadable file has no words.
fn read(
    sources: &Sources,
    path: &SitePath,
    english: &BTreeMap<String, Phrase>,
    language: &str,
) -> Reported<File> {
    let text = &sources.templates[path].text();
    let mut file: File = match toml::from_str(text) {
        Ok(file) => file,
        Err(error) => {
            let first = error.message().lines().next().unwrap_or_default();
            let message = format!("the words can't be read: {first}");
            let problem = Problem::new(Code::TemplateError, error.span().unwrap_or(0..0), message);
            return (File::new(), [problem.at(path)].into_iter().collect());
        }
    };
    let is_used = |key: &str| {
        let mention = format!("words.{key}");
        english.contains_key(key)
            || sources.templates.values().any(|template| template.text().contains(&mention))
    };
    let mut problems: Vec<Problem> = (file.keys().filter(|key| !is_used(key.get_ref())))
        .map(|key| unknown_word(key, english.keys().map(String::as_str)))
        .collect();
    let needed = categories(language);
    for (key, said) in &mut file {
        // One text for all numbers.
        if let (Some(Phrase::Counted(_)), Phrase::Always(text)) = (english.get(key.get_ref()), &mut *said) {
            *said = Phrase::Counted(Forms { other: std::mem::take(text), ..Forms::default() });
        }
        if let Phrase::Counted(forms) = said {
            problems.extend(missing_forms(key, forms, &needed, language));
        }
    }
    file.retain(|key, said| {
        let wanted = english.get(key.get_ref()).and_then(|english| distinct_names(english, said));
        problems.extend(wanted.map(|wanted| {
            let message = format!("the word `{}` must be {wanted}", key.get_ref());
            Problem::new(Code::TemplateError, key.span(), message)
        }));
        wanted.is_none()
    });
    (file, problems.into_iter().map(|problem| problem.at(path)).collect())
}

/// Returns what kind of value a word needs if it has another.
fn distinct_names(english: &Phrase, said: &Phrase) -> Option<&'static str> {
    match (english, said) {
        (Phrase::Always(_), Phrase::Always(_))
        | (Phrase::Counted(_), Phrase::Counted(_))
        | (Phrase::Several(_), Phrase::Several(_)) => None,
        (Phrase::Always(_), _) => Some("one text"),
        (Phrase::Counted(_), _) => Some("a table of plural forms: `{ one = \"…\", other = \"…\" }`"),
        (Phrase::Several(_), _) => Some("a list of texts: `[\"…\", \"…\"]`"),
    }
}

fn unknown_word<'a>(key: &Spanned<String>, english: impl Iterator<Item = &'a str>) -> Problem {
    let message = format!("unknown word `{}`", key.get_ref());
    let near = nearest(key.get_ref(), english);
    let help = near.map_or_else(
        || format!("remove it, unless one of your templates uses `words.{}`", key.get_ref()),
        |near| format!("did you mean `{near}`?"),
    );
    Problem::new(Code::UnknownKey, key.span(), message).help(help)
}

/// Reports a word that lacks a plural form of its language.
fn missing_forms(
    key: &Spanned<String>,
    forms: &Forms,
    needed: &[(PluralCategory, u64)],
    language: &str,
) -> Option<Problem> {
    let missing: Vec<_> = needed.iter().filter(|(category, _)| forms.of(*category).is_none()).collect();
    if missing.is_empty() {
        return None;
    }
    let names: Vec<&str> = missing.iter().map(|(category, _)| name_of(*category)).collect();
    let message =
        format!("the word `{}` lacks plural forms of `{language}`: `{}`", key.get_ref(), names.join("`, `"));
    let add =
        missing.iter().map(|(category, number)| format!("`{}`, such as for {number}", name_of(*category)));
    let help = format!("add {}", add.collect::<Vec<_>>().join(", and "));
    Some(Problem::new(Code::MissingWord, key.span(), message).help(help).data("forms", names))
}

fn is_english(language: &str) -> bool {
    language.split('-').next().is_some_and(|language| language.eq_ignore_ascii_case("en"))
}

/// Reports the words that a language lacks, at its file, or at the configured language if there is no file.
fn missing_words(sources: &Sources, language: &str, file: Option<&SitePath>, missing: &[&str]) -> Diagnostic {
    // The author of another generator's configuration needs these texts only for a build.
    let other = sources.repository.configuration.as_deref().filter(|_| sources.config.is_none());
    let config: SitePath = other.unwrap_or(CONFIG).into();
    let (path, span, message, help) = match file {
        Some(path) => (
            path,
            0..0,
            format!("{} words are missing for `{language}`, so pages show them in English", missing.len()),
            format!("add {}", some(missing)),
        ),
        None if code_of(language).is_none_or(|code| code != language) => (
            &config,
            sources.text(&config).map_or(0..0, |text| config::value_span(&text.text(), "language")),
            format!("`{language}` is not a language code, so pages show their words in English"),
            code_of(language).map_or_else(
                || "use a code such as `en`, `de`, or `pt-BR`".to_string(),
                |code| format!("use `language = \"{code}\"`"),
            ),
        ),
        None => (
            &config,
            sources.text(&config).map_or(0..0, |text| config::value_span(&text.text(), "language")),
            format!("there are no interface texts in `{language}`, so pages show English ones"),
            format!(
                "run `stepkin theme eject words/en.toml`, rename the file to `{FOLDER}{language}.toml`, and translate \
                 it"
            ),
        ),
    };
    let problem = Problem::new(Code::MissingWord, span, message).help(help).data("words", missing);
    if other.is_some() { problem.as_advice().at(path) } else { problem.at(path) }
}

/// Returns the code of a language from its code or name.
fn code_of(language: &str) -> Option<String> {
    /// English and native names.
    const CALLED: [(&str, &str); 39] = [
        ("arabic", "ar"),
        ("العربية", "ar"),
        ("chinese", "zh"),
        ("中文", "zh"),
        ("czech", "cs"),
        ("čeština", "cs"),
        ("danish", "da"),
        ("dansk", "da"),
        ("deutsch", "de"),
        ("dutch", "nl"),
        ("english", "en"),
        ("español", "es"),
        ("finnish", "fi"),
        ("suomi", "fi"),
        ("français", "fr"),
        ("french", "fr"),
        ("german", "de"),
        ("hebrew", "he"),
        ("italian", "it"),
        ("italiano", "it"),
        ("japanese", "ja"),
        ("日本語", "ja"),
        ("korean", "ko"),
        ("한국어", "ko"),
        ("nederlands", "nl"),
        ("norwegian", "no"),
        ("polish", "pl"),
        ("polski", "pl"),
        ("portuguese", "pt"),
        ("português", "pt"),
        ("russian", "ru"),
        ("русский", "ru"),
        ("spanish", "es"),
        ("swedish", "sv"),
        ("svenska", "sv"),
        ("turkish", "tr"),
        ("türkçe", "tr"),
        ("ukrainian", "uk"),
        ("українська", "uk"),
    ];
    let lower = language.trim().to_lowercase();
    if let Some((_, code)) = CALLED.iter().find(|(name, _)| *name == lower) {
        return Some((*code).to_string());
    }
    let code = language.trim().replace('_', "-");
    let mut parts = code.split('-');
    // BCP 47: a language has two or three letters.
    let is_language =
        |part: &str| (2..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_more =
        |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (parts.next().is_some_and(is_language) && parts.all(is_more)).then_some(code)
}

/// Returns the first few items of a list as text.
fn some(keys: &[&str]) -> String {
    const SHOWN: usize = 5;
    let more = keys.len().saturating_sub(SHOWN);
    let shown = keys[..keys.len() - more].join("`, `");
    if more == 0 { format!("`{shown}`") } else { format!("`{shown}` and {more} more") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Text;

    fn file(language: &str) -> BTreeMap<String, Phrase> {
        built_in(language).expect("it is shipped")
    }

    /// Checks the words of a site with this file, by their keys, and its findings.
    #[track_caller]
    fn check(language: &str, name: &str, text: &str, expected: &[(&str, &str)], found: &[Code]) {
        let mut sources = Sources::default();
        let path = SitePath::from(format!("{FOLDER}{name}").as_str());
        sources.templates.insert(path.clone(), Text::new(path, text.into()));
        let (words, report) = load(&sources, language);
        for (key, said) in expected {
            assert_eq!(words.said[*key], Phrase::Always((*said).to_string()), "{language}");
        }
        let codes: Vec<Code> = report.iter().map(|diagnostic| diagnostic.problem.code).collect();
        assert_eq!(codes, found, "{report:?}");
    }

    #[test]
    fn a_region_has_the_words_of_its_language_unless_it_has_its_own() {
        check("de", "x.toml", "", &[("next", "Weiter")], &[]);
        check("DE-at", "de.toml", "next = 'Voran'", &[("next", "Voran"), ("previous", "Zurück")], &[]);
        check("de-AT", "de-AT.toml", "next = 'Servus'", &[("next", "Servus"), ("previous", "Zurück")], &[]);
        check("en-GB", "en.toml", "next = 'Onwards'", &[("next", "Onwards")], &[]);
        check("de", "fr.toml", "next =", &[("next", "Weiter")], &[]);
        check(
            "es-MX",
            "es-419.toml",
            "next = 'Adelante'",
            &[("next", "Adelante"), ("previous", "Anterior")],
            &[],
        );
    }

    #[test]
    fn a_language_in_another_script_has_not_the_words_of_its_language() {
        for (language, next) in
            [("zh", "下一步"), ("zh-cn", "下一步"), ("zh-Hans-SG", "下一步"), ("pt-BR", "Próxima")]
        {
            check(language, "x.toml", "", &[("next", next)], &[]);
        }
        for language in ["zh-TW", "zh-Hant", "zh-Hant-HK"] {
            check(language, "x.toml", "", &[("next", "Next")], &[Code::MissingWord]);
        }
        check("zh-Hant-TW", "zh-Hant.toml", "next = '繼續'", &[("next", "繼續")], &[Code::MissingWord]);
    }

    #[test]
    fn missing_texts_are_english_and_reported() {
        check(
            "sv",
            "sv.toml",
            "next = 'Nästa'",
            &[("next", "Nästa"), ("previous", "Previous")],
            &[Code::MissingWord],
        );
        check("sv", "x.toml", "", &[("next", "Next")], &[Code::MissingWord]);
    }

    #[test]
    fn language_names_are_reported_with_their_code() {
        let found = |language: &str| {
            let (_, report) = load(&Sources::default(), language);
            let found = report.iter().map(|it| (it.problem.message.clone(), it.problem.help.clone())).next();
            found.expect("there are no words")
        };
        for (language, help) in [
            ("english", "use `language = \"en\"`"),
            ("Deutsch", "use `language = \"de\"`"),
            ("pt_BR", "use `language = \"pt-BR\"`"),
            ("english language", "use a code such as `en`, `de`, or `pt-BR`"),
            ("", "use a code such as `en`, `de`, or `pt-BR`"),
        ] {
            let message =
                format!("`{language}` is not a language code, so pages show their words in English");
            assert_eq!(found(language), (message, Some(help.to_string())));
        }
        for language in ["sv", "gsw", "zh-Hant-TW", "sr-Latn"] {
            assert_eq!(
                found(language).0,
                format!("there are no interface texts in `{language}`, so pages show English ones")
            );
        }
    }

    #[test]
    fn unusable_values_are_reported() {
        check("de", "de.toml", "next = 5", &[("next", "Weiter")], &[Code::TemplateError]);
        check("de", "de.toml", "next = { one = 'x' }", &[], &[Code::TemplateError]);
        check("de", "de.toml", "nexd = 'x'", &[], &[Code::UnknownKey]);
    }

    #[test]
    fn slots_are_filled_once() {
        let slot = |name: &str| match name {
            "a" => Some("{b}".to_string()),
            "b" => Some("B".to_string()),
            _ => None,
        };
        assert_eq!(fill("{a} {b} {c} { {", slot), "{b} B {c} { {");
    }

    #[test]
    fn the_direction_is_that_of_the_script() {
        for (language, expected) in [
            ("en", "ltr"),
            ("ar", "rtl"),
            ("he-IL", "rtl"),
            ("fa-Latn", "ltr"),
            ("pa-Arab-PK", "rtl"),
            ("UR", "rtl"),
            ("", "ltr"),
        ] {
            assert_eq!(direction(language), expected, "{language}");
        }
    }

    /// Returns the names in braces.
    fn slots(text: &str) -> BTreeSet<&str> {
        text.split('{').skip(1).filter_map(|part| Some(part.split_once('}')?.0)).collect()
    }

    /// Returns the problems of a translation: missing or unknown words, plural forms or slots.
    fn faults(language: &str, other: &BTreeMap<String, Phrase>) -> Vec<String> {
        let english = file("en");
        let unknown = other.keys().filter(|key| !english.contains_key(*key));
        let mut faults: Vec<String> = unknown.map(|key| format!("{key}: unknown")).collect();
        for (key, said) in &english {
            let found = match (said, other.get(key)) {
                (_, None) => vec!["missing".to_string()],
                (Phrase::Always(one), Some(Phrase::Always(other))) => {
                    if slots(one) == slots(other) {
                        vec![]
                    } else {
                        vec!["other slots".to_string()]
                    }
                }
                (Phrase::Counted(one), Some(Phrase::Counted(other))) => faults_of_forms(language, one, other),
                (Phrase::Several(_), Some(Phrase::Several(other))) if !other.is_empty() => vec![],
                _ => vec!["another kind".to_string()],
            };
            faults.extend(found.into_iter().map(|fault| format!("{key}: {fault}")));
        }
        faults
    }

    /// Returns the problems with the forms of a word. A form for a single number may spell it out instead of using
    /// its slot.
    fn faults_of_forms(language: &str, english: &Forms, forms: &Forms) -> Vec<String> {
        let rules = rules(language).expect("a language with rules");
        let needed = categories(language);
        let fault = |category: PluralCategory| {
            // 0 doesn't count: French has `one` for 0 and 1, but pages that count nothing have other texts.
            let numbers = (1..=100_u64).filter(|number| rules.category_for(*number) == category).count();
            let is_single = numbers < 2 && category != PluralCategory::Other;
            let expected = slots(&english.other);
            let what = match forms.of(category) {
                None if needed.iter().any(|(it, _)| *it == category) => "missing",
                Some(_) if rules.categories().all(|it| it != category) => "unknown",
                Some(form) if slots(form) == expected => return None,
                Some(form) if is_single && slots(form).is_subset(&expected) => return None,
                Some(_) => "other slots",
                None => return None,
            };
            Some(format!("{}: {what}", name_of(category)))
        };
        PluralCategory::all().filter_map(fault).collect()
    }

    #[test]
    fn every_shipped_language_has_every_word_with_the_same_slots() {
        for (name, _) in BUILT_IN {
            let language = name.strip_suffix(".toml").expect("a file of words");
            assert_eq!(faults(language, &file(language)), [] as [&str; 0], "{language}");
        }
    }

    #[test]
    fn a_fault_of_a_translation_is_found() {
        let with = |key: &str, said: &str| {
            let mut words = file("ru");
            words.extend(
                toml::from_str::<BTreeMap<String, Phrase>>(&format!("{key} = {said}")).expect("a word"),
            );
            faults("ru", &words)
        };
        assert_eq!(with("nexd", "'x'"), ["nexd: unknown"]);
        assert_eq!(with("next", "['x']"), ["next: another kind"]);
        assert_eq!(with("search_ignored", "[]"), ["search_ignored: another kind"]);
        assert_eq!(with("step_number", "'{n}'"), ["step_number: other slots"]);
        let forms = "one = '{count}', few = '{count}', other = '{count}'";
        assert_eq!(with("count_steps", &format!("{{ {forms} }}")), ["count_steps: many: missing"]);
        let all = "many = '{count}', two = '{count}'";
        assert_eq!(with("count_steps", &format!("{{ {forms}, {all} }}")), ["count_steps: two: unknown"]);
        // 21 is `one` too.
        let spelled = "one = 'x', few = '{count}', many = '{count}', other = '{count}'";
        assert_eq!(with("count_steps", &format!("{{ {spelled} }}")), ["count_steps: one: other slots"]);
        let mut words = file("ru");
        words.remove("next");
        assert_eq!(faults("ru", &words), ["next: missing"]);
    }

    #[test]
    fn translations_say_whether_a_speaker_has_reviewed_them() {
        for (name, text) in BUILT_IN {
            let is_ours = ["de.toml", "en.toml"].contains(&name);
            let head = text.lines().next().unwrap_or_default();
            assert_eq!(head.contains("Not reviewed by a native speaker yet."), !is_ours, "{name}: {head}");
        }
    }
}
