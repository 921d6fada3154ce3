//! The platform for which a text is read, and the values of its variables.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use memchr::memmem;
use serde::{Deserialize, Serialize};

use base::diagnostic::{Code, Problem};
use base::platforms;
use base::sorted::SortedMap;
use input::block_templates::BlockTemplates;
use input::words::ColumnWords;

/// Everything except its text on which the Markdown of a page depends.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Edition {
    /// The platform's ID, or `None` on a page outside families.
    pub platform: Option<String>,
    /// The value for each `{name}`, or `None` if this platform has no value. Empty if the site declares no variables,
    /// so that braces are never replaced.
    pub words: SortedMap<String, Option<String>>,
    /// Equal for all pages of a site.
    pub columns: ColumnWords,
    /// The site's own blocks. Equal for all pages of a site.
    pub blocks: Arc<BlockTemplates>,
    /// Whether `$` begins a formula. Equal for all pages of a site.
    pub has_formulas: bool,
}

/// The features of a text that may make it depend on its edition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditionFeatures {
    /// Blocks for some platforms.
    blocks: bool,
    /// Braces that may contain variables.
    braces: bool,
    /// Links that may belong to a hand-written platform switcher, which only pages of a platform contain.
    links: bool,
}

impl EditionFeatures {
    pub fn of(text: &str) -> Self {
        let blocks = memmem::find(text.as_bytes(), b":::").is_some();
        let braces = memchr::memchr(b'{', text.as_bytes()).is_some();
        Self { blocks, braces, links: platforms::names_links(text) }
    }

    /// Returns the features of both texts.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            blocks: self.blocks || other.blocks,
            braces: self.braces || other.braces,
            links: self.links || other.links,
        }
    }
}

/// A variable in a text.
#[derive(Debug)]
pub struct Mention<'t> {
    /// The range from brace to brace. For an escaped one, the range of the backslash, which is removed.
    pub span: Range<usize>,
    pub name: &'t str,
    /// The value, or `None` if the platform has no value, in which case the text stays.
    pub word: Option<&'t str>,
}

/// A name in braces that resembles a variable's name.
#[derive(Debug, PartialEq)]
pub struct Mistyped<'t> {
    pub written: &'t str,
    pub meant: &'t str,
}

/// Maximum length in bytes of a name that is compared with variables.
const LONGEST_NAME: usize = 64;

impl Edition {
    /// Whether a page may differ between this edition and another.
    pub fn matters_to(&self, features: EditionFeatures) -> bool {
        features.blocks
            || (features.links && self.platform.is_some())
            || (!self.words.is_empty() && features.braces)
    }

    /// Replaces the variables of a text. Variables without a value stay.
    pub fn expand<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut expanded = String::new();
        let mut at = 0;
        for Mention { span, word, .. } in self.mentions(text, 0) {
            let Some(word) = word else { continue };
            expanded.push_str(&text[at..span.start]);
            expanded.push_str(word);
            at = span.end;
        }
        if at == 0 {
            return text.into();
        }
        (expanded + &text[at..]).into()
    }

    /// Returns the variables of a text without a value for this platform: range and name.
    pub fn undefined<'t>(&'t self, text: &'t str) -> impl Iterator<Item = (Range<usize>, &'t str)> {
        self.mentions(text, 0).filter(|mention| mention.word.is_none()).map(|it| (it.span, it.name))
    }

    /// Returns every variable in `text` from `start` on, in order.
    ///
    /// Only declared names count. `\{name}` shows the braces. `{{name}}` and `${name}` belong to other languages that
    /// pages show, so they stay as written.
    pub fn mentions<'t>(
        &'t self,
        text: &'t str,
        start: usize,
    ) -> impl Iterator<Item = Mention<'t>> + use<'t> {
        // Fast path: most sites declare no variables.
        let searched = if self.words.is_empty() { "" } else { &text[start..] };
        memchr::memchr_iter(b'{', searched.as_bytes()).filter_map(move |at| {
            let open = start + at;
            let inside = &text[open + 1..];
            let (name, word) = self.words.get_key_value(&inside[..name_length(inside)])?;
            let end = open + 1 + name.len() + 1;
            let doubled = text[start..open].ends_with('{') && text[end - 1..].starts_with("}}");
            if !text[end - 1..].starts_with('}') || doubled || text[start..open].ends_with('$') {
                return None;
            }
            Some(if text[start..open].ends_with('\\') {
                Mention { span: open - 1..open, name, word: Some("") }
            } else {
                Mention { span: open..end, name, word: word.as_deref() }
            })
        })
    }

    /// Returns the variable that the unknown name in braces at `open` most likely means.
    ///
    /// The name has at least four letters, and differs by one typing mistake or in case. A plural is a different
    /// word.
    pub fn mistyped<'t>(&'t self, text: &'t str, open: usize) -> Option<Mistyped<'t>> {
        let inside = &text[open + 1..];
        let written = &inside[..name_length(inside)];
        let is_apart = !text[..open].ends_with(['{', '$', '\\', '#', '%', '='])
            && inside[written.len()..].starts_with('}');
        if !is_apart || !(4..=LONGEST_NAME).contains(&written.len()) || self.words.contains_key(written) {
            return None;
        }
        let lower = written.to_lowercase();
        let is_near = |name: &&String| {
            let name = name.to_lowercase();
            let is_plural = name.strip_suffix('s') == Some(&lower) || lower.strip_suffix('s') == Some(&name);
            name.len() >= 4 && !is_plural && strsim::damerau_levenshtein(&name, &lower) <= 1
        };
        let meant = self.words.keys().find(is_near)?;
        Some(Mistyped { written, meant })
    }

    /// Returns the finding for a variable without a value for this platform.
    pub fn undefined_variable(&self, span: Range<usize>, name: &str) -> Problem {
        let platform = self.platform.as_deref().unwrap_or_default();
        let message = format!("`{{{name}}}` has no value for the platform `{platform}`");
        let help = format!("add one in stepkin.toml: [variables] {name} = {{ {platform} = \"…\" }}");
        Problem::new(Code::UndefinedVariable, span, message).help(help)
    }
}

/// Returns the length in bytes of the name at the start of `text`.
fn name_length(text: &str) -> usize {
    let is_in_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
    text.bytes().take_while(is_in_name).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let words = [("sdk", Some("mPact")), ("platform.name", Some("iOS")), ("gone", None)];
        let words = words.map(|(name, word)| (name.to_string(), word.map(str::to_string)));
        let edition = Edition { platform: Some("ios".into()), words: words.into(), ..Edition::default() };
        assert_eq!(edition.expand(text), expected);
    }

    #[test]
    fn declared_names_in_braces_become_words() {
        check("{sdk} on {platform.name}: {sdk}.", "mPact on iOS: mPact.");
        check("a{sdk}b{sdk}", "amPactbmPact");
        check("{sdk}{", "mPact{");
    }

    #[test]
    fn everything_else_stays_as_written() {
        for text in ["{other}", "{ sdk }", "{SDK}", "{sdk", "{}", "{gone}", "{{sdk}}", "${sdk}", "é{é}"] {
            check(text, text);
        }
    }

    #[test]
    fn a_backslash_shows_the_braces() {
        check("\\{sdk} {sdk}", "{sdk} mPact");
        check("\\{other}", "\\{other}");
    }

    #[test]
    fn a_slip_in_a_name_is_distinguished_from_another_word() {
        let words = ["package", "product", "sdk"].map(|name| (name.to_string(), None));
        let edition = Edition { words: words.into(), ..Edition::default() };
        for (text, meant) in [
            ("{pakage}", Some("package")),
            ("{Package}", Some("package")),
            ("{prodcut}", Some("product")),
            ("{package}", None),
            ("{products}", None),
            ("{sdks}", None),
            ("{sd}", None),
            ("{packing}", None),
            ("{pakage", None),
            ("{ pakage }", None),
        ] {
            assert_eq!(edition.mistyped(text, 0).map(|name| name.meant), meant, "{text}");
        }
        assert_eq!(edition.mistyped("${pakage}", 1), None);
        assert_eq!(edition.mistyped("{{pakage}}", 1), None);
    }

    #[test]
    fn variables_without_a_value_are_found() {
        let words = [("gone".to_string(), None)];
        let edition = Edition { platform: Some("ios".into()), words: words.into(), ..Edition::default() };
        assert_eq!(edition.undefined("é {gone} \\{gone}").collect::<Vec<_>>(), [(3..9, "gone")]);
    }
}
