//! Highlights each code block once, and suggests a language for an unknown name.
//!
//! The highlighter itself is a separate package, `stepkin-highlight`.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use stepkin_highlight::{PLAIN, VERSION, highlight, languages};

use base::diagnostic::nearest;
use base::store::{Flush, Store, Table, lock};

/// Highlighted code blocks, in memory and from earlier runs.
#[derive(Debug, Default)]
pub struct HighlightedCode {
    memory: Mutex<Memory>,
    table: Table<Arc<str>>,
}

#[derive(Debug, Default)]
struct Memory {
    blocks: HashMap<blake3::Hash, Arc<str>>,
    /// Size of the blocks in bytes.
    size: usize,
}

/// Maximum size of the blocks in memory, in bytes. Beyond it, all are dropped, because a run processes pages in
/// order.
const MOST_HELD: usize = 16 << 20;

impl HighlightedCode {
    pub fn of(store: &Store) -> Self {
        Self { table: store.table("code"), ..Self::default() }
    }

    /// Returns a block's HTML, and highlights it if it is new.
    pub fn html(&self, language: &str, code: &str) -> Arc<str> {
        let key = key(language, code);
        if let Some(html) = lock(&self.memory).blocks.get(&key) {
            return html.clone();
        }
        let make = || Ok::<Arc<str>, Infallible>(highlight(language, code).into());
        let Ok(html) = self.table.get_or_make(*key.as_bytes(), make);
        let mut memory = lock(&self.memory);
        if memory.size + html.len() > MOST_HELD {
            *memory = Memory::default();
        }
        if memory.blocks.insert(key, html.clone()).is_none() {
            memory.size += html.len();
        }
        html
    }

    pub fn table(&self) -> &(dyn Flush + Sync) {
        &self.table
    }
}

/// Names that Pygments, Linguist, highlight.js or Shiki know and that differ by one letter from one of ours, sorted.
#[rustfmt::skip]
const LANGUAGES_OF_OTHERS: [&str; 72] = [
    "abl", "abuild", "aconf", "art", "cake", "clips", "cperl", "css+erb", "cython", "dpatch", "duby", "dust",
    "elisp", "fsharp", "fsl", "gaml", "gdshader", "haml", "hjson", "hlsl", "https", "hxml", "ipython",
    "jison", "jproperties", "jruby", "jslt", "jsonld", "just", "lhaskell", "live-script", "lsl", "mint",
    "mkdown", "mtml", "nasl", "nesc", "ninja", "nwscript", "objective-j", "objectivec++", "objectivej",
    "objj", "opal", "pawn", "perl6", "profile", "python2", "python3", "qmake", "qsharp", "raku", "raml",
    "rascal", "rconsole", "regexp", "rescript", "rhtml", "ring", "riot", "rmarkdown", "rscript", "salt",
    "sbatch", "scaml", "shader", "tasl", "tasm", "typoscript", "udiff", "wdiff", "wisp",
];

/// Languages of diagrams, which other generators draw.
const DIAGRAMS: [&str; 3] = ["graphviz", "mermaid", "plantuml"];

/// Returns the known language name that `word` most likely means, unless it is the name of another language.
pub fn nearest_language(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    if LANGUAGES_OF_OTHERS.binary_search(&&*word).is_ok() {
        return None;
    }
    let all = || languages().chain(PLAIN).chain(DIAGRAMS);
    // `rsut` is as similar to `rst` as to `rust`.
    let sorted = |text: &str| {
        let mut letters = text.as_bytes().to_vec();
        letters.sort_unstable();
        letters
    };
    let is_exchanged = |language: &&str| {
        language.len() == word.len()
            && sorted(language) == sorted(&word)
            && strsim::damerau_levenshtein(language, &word) == 1
    };
    let exchanged = all().find(is_exchanged);
    let near = exchanged.or_else(|| nearest(&word, all()));
    near.filter(|near| strsim::damerau_levenshtein(near, &word) < 3)
}

fn key(language: &str, code: &str) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&VERSION.to_le_bytes());
    hasher.update(language.as_bytes());
    hasher.update(b"\n");
    hasher.update(code.as_bytes());
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_finds_its_language_and_another_word_finds_none() {
        assert_eq!(nearest_language("kotln"), Some("kotlin"));
        assert_eq!(nearest_language("rsut"), Some("rust"));
        assert_eq!(nearest_language("qqqqqqqq"), None);
        assert_eq!(nearest_language("cython"), None);
        assert!(LANGUAGES_OF_OTHERS.is_sorted());
        let is_known = |name: &&&str| languages().any(|known| known == **name);
        assert_eq!(LANGUAGES_OF_OTHERS.iter().find(is_known), None);
    }
}
