//! The column titles by which tables of settings are recognized.

use std::sync::{Arc, LazyLock};

use unicode_normalization::char::is_combining_mark;

use super::Words;

/// Words in column titles by which tables of settings are recognized, in the language of the site. A clone shares
/// them.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnWords {
    /// Words in the first column's title of a table whose rows are settings.
    pub settings: Arc<[WordPattern]>,
    /// Words in the title of a column that describes a setting.
    pub descriptions: Arc<[WordPattern]>,
}

/// A word, or with `*` at an end, all words with this ending or beginning.
#[derive(Clone, Debug, PartialEq)]
pub struct WordPattern {
    /// In lower case.
    text: String,
    /// Whether other letters may precede it.
    is_end: bool,
    /// Whether other letters may follow it.
    is_beginning: bool,
}

impl Default for ColumnWords {
    /// The English words.
    fn default() -> Self {
        static ENGLISH: LazyLock<ColumnWords> = LazyLock::new(|| Words::default().columns());
        ENGLISH.clone()
    }
}

impl ColumnWords {
    pub fn name_settings(&self, title: &str) -> bool {
        is_any_in(&self.settings, title)
    }

    pub fn describe(&self, title: &str) -> bool {
        is_any_in(&self.descriptions, title)
    }
}

fn is_any_in(patterns: &[WordPattern], title: &str) -> bool {
    let title = title.to_lowercase();
    let mut words = title.split(|c: char| !c.is_alphanumeric() && !is_combining_mark(c));
    words.any(|word| !word.is_empty() && patterns.iter().any(|pattern| pattern.matches(word)))
}

impl WordPattern {
    pub fn new(written: &str) -> Self {
        let written = written.trim().to_lowercase();
        let (is_end, rest) = written.strip_prefix('*').map_or((false, &*written), |rest| (true, rest));
        let (is_beginning, text) = rest.strip_suffix('*').map_or((false, rest), |text| (true, text));
        Self { text: text.to_string(), is_end, is_beginning }
    }

    fn matches(&self, word: &str) -> bool {
        match (self.is_end, self.is_beginning) {
            // A single star is a mistake and matches no column.
            _ if self.text.is_empty() => false,
            (false, false) => word == self.text,
            (true, false) => word.ends_with(&self.text),
            (false, true) => word.starts_with(&self.text),
            (true, true) => word.contains(&self.text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, title: &str, expected: bool) {
        let words = ColumnWords { settings: [WordPattern::new(pattern)].into(), descriptions: [].into() };
        assert_eq!(words.name_settings(title), expected, "{pattern} in {title}");
    }

    #[test]
    fn a_title_is_known_by_one_of_its_words() {
        check("setting", "Connection Setting", true);
        check("setting", "Setting/Option", true);
        check("setting", "Resetting", false);
        check("*einstellung", "Verbindungseinstellung", true);
        check("*einstellung", "Einstellungen", false);
        check("einstell*", "Einstellungen", true);
        check("*設定*", "接続設定名", true);
        check("सेटिंग्स", "सेटिंग्स", true);
        check("*", "Name", false);
        check("", "", false);
    }
}
