//! How generators create the ID of a heading from its text.

use unicode_normalization::UnicodeNormalization;

use base::address::slug_of;

/// A generator's rule for heading IDs, with its source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnchorRule {
    /// `github-slugger`: Docusaurus, Starlight, Gatsby, most MDX builds, GitHub, and Stepkin. Jekyll's
    /// `kramdown-parser-gfm` gives the same IDs.
    #[default]
    GitHub,
    /// The same, with spaces trimmed first: Hugo's `autoid.go`, mdBook's `id_from_content`, and `slugs.slugify` of
    /// `pymdownx`.
    Trimmed,
    /// Hugo with `autoIDType: github-ascii`.
    Ascii,
    /// Hugo with `autoIDType: blackfriday`: `SanitizedAnchorName` of Blackfriday.
    Blackfriday,
    /// Kramdown's `basic_generate_id`, if Jekyll's configuration contains `input: kramdown`.
    Kramdown,
    /// `slugify` in Python-Markdown's `toc`: `MkDocs`.
    Python,
    /// `slugify` in `@mdit-vue/shared`: `VitePress` and `VuePress`.
    Vue,
    /// The same, with the second of equal IDs numbered 2: `uniqueSlug` in `markdown-it-anchor` 5, for `VuePress` 1.
    VueFromTwo,
    /// `make_id` in docutils: Sphinx. Its links may also use `GitHub`'s IDs: see `default_slugify` in `myst-parser`.
    Docutils,
    /// `slugify` in `@mintlify/common`.
    Mintlify,
    /// `auto_identifiers` in Pandoc: <https://pandoc.org/MANUAL.html#extension-auto_identifiers>.
    Pandoc,
    /// The generator is unknown, so an ID may follow any rule except Pandoc's, whose dots are rather mistakes.
    Any,
}

impl AnchorRule {
    /// Returns the rules by which links may refer to a heading. Pages are written by the first one.
    pub fn rules(self) -> &'static [Self] {
        match self {
            Self::GitHub => &[Self::GitHub],
            Self::Trimmed => &[Self::Trimmed],
            Self::Ascii => &[Self::Ascii],
            Self::Blackfriday => &[Self::Blackfriday],
            Self::Kramdown => &[Self::Kramdown],
            Self::Python => &[Self::Python],
            Self::Vue => &[Self::Vue],
            Self::VueFromTwo => &[Self::VueFromTwo],
            Self::Docutils => &[Self::Docutils, Self::GitHub],
            Self::Mintlify => &[Self::Mintlify],
            Self::Pandoc => &[Self::Pandoc],
            Self::Any => &[
                Self::GitHub,
                Self::Trimmed,
                Self::Ascii,
                Self::Kramdown,
                Self::Python,
                Self::Vue,
                Self::Docutils,
                Self::Mintlify,
            ],
        }
    }

    /// Returns the ID of the `count`th repetition of a heading.
    pub fn repeat(self, id: &str, count: usize) -> String {
        match self {
            Self::Python => format!("{id}_{count}"),
            Self::VueFromTwo | Self::Mintlify => format!("{id}-{}", count + 1),
            _ => format!("{id}-{count}"),
        }
    }

    /// Returns the ID for the text of a heading.
    pub fn id(self, text: &str) -> String {
        match self {
            Self::GitHub | Self::Any => slug_of(text),
            Self::Trimmed => slug_of(text.trim()),
            Self::Ascii => slug_of(text.trim()).nfkd().filter(char::is_ascii).collect(),
            Self::Blackfriday => {
                joined(&text.to_lowercase(), |c| !c.is_alphanumeric()).trim_matches('-').to_string()
            }
            Self::Kramdown => kramdown(text),
            Self::Python => python(text),
            Self::Vue | Self::VueFromTwo => vue(text),
            Self::Docutils => docutils(text),
            Self::Mintlify => mintlify(text),
            Self::Pandoc => pandoc(text),
        }
    }
}

fn kramdown(text: &str) -> String {
    let text = text.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    let id = text.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-'));
    let id: String = id.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect();
    if id.is_empty() { "section".to_string() } else { id }
}

fn pandoc(text: &str) -> String {
    let id =
        text.chars().filter(|c| c.is_alphanumeric() || c.is_whitespace() || matches!(c, '_' | '-' | '.'));
    let id = joined(id.collect::<String>().trim(), char::is_whitespace).to_lowercase();
    let id = id.trim_start_matches(|c: char| !c.is_alphabetic());
    if id.is_empty() { "section".to_string() } else { id.to_string() }
}

fn python(text: &str) -> String {
    let known = text
        .nfkd()
        .filter(|c| c.is_ascii_alphanumeric() || c.is_ascii_whitespace() || matches!(c, '_' | '-'));
    let bare: String = known.collect();
    joined(bare.trim(), |c| c == '-' || c.is_ascii_whitespace()).to_ascii_lowercase()
}

fn vue(text: &str) -> String {
    const COMBINING: std::ops::RangeInclusive<char> = '\u{300}'..='\u{36f}';
    const SPECIAL: &str = "~`!@#$%^&*()-_+=[]{}|\\;:\"'“”‘’<>,.?/";
    let bare: String =
        text.nfkd().filter(|c| !COMBINING.contains(c) && (!c.is_control() || c.is_whitespace())).collect();
    let id = joined(&bare, |c| c.is_whitespace() || SPECIAL.contains(c));
    let id = id.trim_matches('-').to_lowercase();
    if id.starts_with(|c: char| c.is_ascii_digit()) { format!("_{id}") } else { id }
}

fn docutils(text: &str) -> String {
    let ascii: String = text.to_lowercase().nfkd().filter(char::is_ascii).collect();
    let id = joined(&ascii, |c| !c.is_ascii_alphanumeric());
    id.trim_start_matches(|c: char| c == '-' || c.is_ascii_digit()).trim_end_matches('-').to_string()
}

/// Mintlify encodes a heading as a URL first. If it has to, it decodes the ID afterwards and removes most signs. Otherwise, each
/// run of signs is a hyphen.
fn mintlify(text: &str) -> String {
    const KEPT: &str = "-_.!~*'()";
    const REMOVED: &str = "?,;:!'\"()[]{}";
    let words = text.to_lowercase().split_whitespace().collect::<Vec<_>>().join("-");
    let is_encoded = words.contains(|c: char| !c.is_ascii_alphanumeric() && !KEPT.contains(c));
    let is_sign = |c: char| c.is_ascii() && !c.is_ascii_alphanumeric() && c != '_';
    let id = joined(&words, |c| is_sign(c) && (!is_encoded || KEPT.contains(c)));
    let mut parts: Vec<String> = Vec::new();
    // `what-s` becomes `whats`.
    for part in id.trim_matches('-').split('-') {
        match parts.last_mut() {
            Some(word)
                if matches!(part, "s" | "t") && word.ends_with(|c: char| c.is_ascii_alphanumeric()) =>
            {
                word.push_str(part);
            }
            _ => parts.push(part.to_string()),
        }
    }
    parts.join("-").chars().filter(|c| !REMOVED.contains(*c)).collect()
}

/// Replaces each run of separators with one hyphen.
fn joined(text: &str, is_between: impl Fn(char) -> bool) -> String {
    let mut id = String::with_capacity(text.len());
    for c in text.chars() {
        if !is_between(c) {
            id.push(c);
        } else if !id.ends_with('-') {
            id.push('-');
        }
    }
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_those_of_the_generator() {
        use AnchorRule::{
            Ascii, Blackfriday, Docutils, GitHub, Kramdown, Mintlify, Python, Trimmed, Vue, VueFromTwo,
        };
        for (text, expected) in [
            (
                "Keys & secrets",
                [
                    (GitHub, "keys--secrets"),
                    (Kramdown, "keys--secrets"),
                    (Python, "keys-secrets"),
                    (Vue, "keys-secrets"),
                    (Docutils, "keys-secrets"),
                ],
            ),
            (
                "1. Start here",
                [
                    (GitHub, "1-start-here"),
                    (Kramdown, "start-here"),
                    (Python, "1-start-here"),
                    (Vue, "_1-start-here"),
                    (Docutils, "start-here"),
                ],
            ),
            (
                "What's new?",
                [
                    (GitHub, "whats-new"),
                    (Kramdown, "whats-new"),
                    (Python, "whats-new"),
                    (Vue, "what-s-new"),
                    (Docutils, "what-s-new"),
                ],
            ),
            (
                "a_b - Café",
                [
                    (GitHub, "a_b---café"),
                    (Ascii, "a_b---cafe"),
                    (Kramdown, "ab---caf"),
                    (Python, "a_b-cafe"),
                    (Docutils, "a-b-cafe"),
                ],
            ),
            (" (x) ", [(GitHub, "-x-"), (Trimmed, "x"), (Kramdown, "x-"), (Python, "x"), (Vue, "x")]),
        ] {
            for (rule, id) in expected {
                assert_eq!(rule.id(text), id, "{text} by {rule:?}");
            }
        }
        for (text, id) in [
            ("Writing files (`Bun.write()`)".replace('`', "").as_str(), "writing-files-bun-write"),
            ("--hot mode", "hot-mode"),
            ("What's new", "whats-new"),
            ("Client/server, v1.2", "client/server-v1-2"),
            ("Keys & secrets", "keys-&-secrets"),
            ("Schlüssel (neu)", "schlüssel-neu"),
        ] {
            assert_eq!(Mintlify.id(text), id, "{text}");
        }
        for (text, id) in [
            ("HTML, S5, or RTF?", "html-s5-or-rtf"),
            ("Key names for 0.1.0", "key-names-for-0.1.0"),
            ("3. Applications", "applications"),
            ("33", "section"),
        ] {
            assert_eq!(AnchorRule::Pandoc.id(text), id);
        }
        assert_eq!(Kramdown.id("2.0"), "section");
        assert_eq!(Blackfriday.id("--a_b - Café"), "a-b-café");
        let repeated = [GitHub, Python, VueFromTwo].map(|rule| rule.repeat("a", 1));
        assert_eq!(repeated, ["a-1", "a_1", "a-2"]);
    }
}
