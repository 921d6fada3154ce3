//! How a generator makes the id of a heading from its text.

use unicode_normalization::UnicodeNormalization;

use crate::address::slug_of;
use crate::conventions::Syntax;

/// Whose rule it is. Most follow GitHub's: Docusaurus, Starlight, Hugo, Jekyll with `input: GFM`, mdBook.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Naming {
    #[default]
    Github,
    /// `slugify` of Python-Markdown's `toc`, which `MkDocs` uses.
    Python,
    /// `slugify` of `@mdit-vue/shared`, which `VitePress` uses.
    Vue,
}

impl Naming {
    pub(super) fn of(syntax: &[Syntax]) -> Self {
        match () {
            () if syntax.contains(&Syntax::Indented) => Self::Python,
            () if syntax.contains(&Syntax::Vue) => Self::Vue,
            () => Self::Github,
        }
    }

    /// What stands between an id and the number of its repeat.
    pub(super) fn before_number(self) -> char {
        match self {
            Self::Python => '_',
            Self::Github | Self::Vue => '-',
        }
    }

    pub(super) fn id(self, text: &str) -> String {
        match self {
            Self::Github => slug_of(text),
            Self::Python => python(text),
            Self::Vue => vue(text),
        }
    }
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

/// The text with one hyphen for each run of some letters.
fn joined(text: &str, is_between: impl Fn(char) -> bool) -> String {
    let mut id = String::with_capacity(text.len());
    for c in text.chars() {
        match is_between(c) {
            true if id.ends_with('-') => {}
            true => id.push('-'),
            false => id.push(c),
        }
    }
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_those_of_the_generator() {
        for (text, github, python, vue) in [
            ("Keys & secrets", "keys--secrets", "keys-secrets", "keys-secrets"),
            ("1. Start here", "1-start-here", "1-start-here", "_1-start-here"),
            ("What's `new`?", "whats-new", "whats-new", "what-s-new"),
            ("a_b - Café", "a_b---café", "a_b-cafe", "a-b-cafe"),
            (" (x) ", "-x-", "x", "x"),
        ] {
            let ids =
                [Naming::Github, Naming::Python, Naming::Vue].map(|naming| naming.id(&text.replace('`', "")));
            assert_eq!(ids, [github, python, vue], "{text}");
        }
    }
}
