//! The parts of a page that can be compared between languages and versions, section by section.

use std::ops::Range;
use std::sync::Arc;

use base::front_matter::body_start;
use base::index::{IndexVec, newtype_index};
use input::conventions::Repository;
use input::dialect::Dialect;
use markup::edition::Edition;
use markup::markdown::{self, NoteKind, ProseKind, ReferenceKind, Suppression};

newtype_index! {
    /// Position of a section in a [`Sketch`]. The first section is the content before the first heading.
    pub struct SketchIx
}

/// A text, section by section.
#[derive(Clone, Debug, PartialEq)]
pub struct Sketch {
    pub sections: IndexVec<SketchIx, SketchSection>,
}

/// A heading and its content, up to the next heading.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SketchSection {
    /// 1 to 6, or 0 for the section before the first heading.
    pub level: u8,
    pub id: String,
    pub title: String,
    /// Range of the heading, or in the section before the first heading, of the first text.
    pub span: Range<usize>,
    /// Including the heading.
    pub words: Vec<Token>,
    pub code: Vec<SketchCode>,
    pub links: Vec<SketchTarget>,
    pub images: Vec<SketchTarget>,
    pub notes: Vec<NoteKind>,
    /// Number of characters of its words and code.
    pub(super) size: usize,
}

/// Target of a link or an image. Targets are equal whatever their range is.
#[derive(Clone, Debug)]
pub struct SketchTarget {
    pub target: String,
    pub span: Range<usize>,
}

impl PartialEq for SketchTarget {
    fn eq(&self, other: &Self) -> bool {
        self.target == other.target
    }
}

/// A word of a text. Two words are equal if their letters and digits are equal. Quotes and other punctuation around
/// them don't matter.
#[derive(Clone, Debug)]
pub struct Token {
    /// Including punctuation.
    pub text: String,
    /// Range of the word without punctuation in `text`.
    bare: Range<usize>,
    /// Whether it is the same in every language: a number, or inline code.
    pub(crate) is_neutral: bool,
}

impl Token {
    /// Returns the token for a word, or `None` if it consists of punctuation.
    fn new(text: &str, is_neutral: bool) -> Option<Self> {
        // Apostrophes may be straight or curly.
        let text = text.replace('\u{2019}', "'");
        let start = text.find(char::is_alphanumeric)?;
        let last = text.rfind(char::is_alphanumeric)?;
        let end = last + text[last..].chars().next().map_or(0, char::len_utf8);
        Some(Self { text, bare: start..end, is_neutral })
    }

    pub fn bare(&self) -> &str {
        &self.text[self.bare.clone()]
    }
}

impl PartialEq for Token {
    fn eq(&self, other: &Self) -> bool {
        self.bare() == other.bare()
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SketchCode {
    pub language: String,
    pub code: String,
    /// Range of its language, or of the block if it has none.
    pub span: Range<usize>,
}

/// Reads sketches of current and past pages.
#[derive(Debug)]
pub struct SketchReader {
    edition: Edition,
    dialect: Dialect,
}

impl SketchReader {
    /// Includes are left out, because a past page would need their past content.
    pub fn new(repository: &Repository) -> Self {
        let dialect = Dialect {
            syntax: repository.convention.syntax,
            anchors: repository.anchors,
            defines_labels: repository.defines_labels,
            values: Arc::clone(&repository.values),
            ..Dialect::default()
        };
        Self { edition: Edition::default(), dialect }
    }

    /// Returns the link targets of a page with their ranges.
    pub fn links(&self, text: &str) -> Vec<(String, Range<usize>)> {
        let page = markdown::parse_without_html(text, body_start(text), &self.edition, &self.dialect);
        let links = page.references.iter().filter(|reference| reference.kind == ReferenceKind::Link);
        links.map(|link| (link.target.clone(), link.span.clone())).collect()
    }

    /// Returns the suppressions on a page.
    pub fn suppressions(&self, text: &str) -> Vec<Suppression> {
        markdown::parse_without_html(text, body_start(text), &self.edition, &self.dialect).suppressions
    }

    pub fn read(&self, text: &str) -> Sketch {
        let page = markdown::parse_without_html(text, body_start(text), &self.edition, &self.dialect);
        let mut sections: IndexVec<SketchIx, SketchSection> = vec![SketchSection::default()].into();
        for heading in &page.headings {
            sections.push(SketchSection {
                level: heading.level,
                id: heading.own_id.as_ref().unwrap_or(&heading.id).clone(),
                title: heading.text.clone(),
                span: heading.span.clone(),
                ..SketchSection::default()
            });
        }
        let starts: Vec<usize> = page.headings.iter().map(|heading| heading.span.start).collect();
        let at = |place: usize| SketchIx::from(starts.partition_point(|start| *start <= place));
        for passage in page.prose.iter() {
            let whole = passage.span(0..passage.text.len());
            let section = &mut sections[at(whole.start)];
            if section.level == 0 && section.span.is_empty() {
                section.span = whole.clone();
            }
            let own = passage.kind != ProseKind::Heading || section.level > 0;
            for (start, word) in words(passage.text).filter(|_| own) {
                let is_neutral = passage.is_code(&(start..start + word.len())) || is_number(word);
                section.size += word.chars().count();
                section.words.extend(Token::new(word, is_neutral));
            }
        }
        for block in &page.code {
            let code = SketchCode {
                language: block.language.clone(),
                code: block.code.clone(),
                span: block.span.clone(),
            };
            let section = &mut sections[at(block.span.start)];
            section.size += code.code.chars().count();
            section.code.push(code);
        }
        for reference in &page.references {
            let section = &mut sections[at(reference.span.start)];
            let targets =
                if reference.kind == ReferenceKind::Link { &mut section.links } else { &mut section.images };
            targets.push(SketchTarget { target: reference.target.clone(), span: reference.span.clone() });
        }
        for note in &page.notes {
            sections[at(note.span.start)].notes.push(note.kind);
        }
        Sketch { sections }
    }
}

/// Returns the words of a text with their positions.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_whitespace().map(move |word| (word.as_ptr().addr() - text.as_ptr().addr(), word))
}

/// Whether a word is a number, a version, or a date.
fn is_number(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_digit())
        && word.bytes().filter(u8::is_ascii_alphabetic).count() <= 1
        && word.is_ascii()
}

impl Sketch {
    /// Whether words and code are equal.
    pub fn says_the_same(&self, other: &Self) -> bool {
        self.sections.len() == other.sections.len()
            && self.sections.iter().zip(&other.sections).all(|(one, other)| {
                one.words == other.words
                    && one.code.iter().map(|it| &it.code).eq(other.code.iter().map(|it| &it.code))
            })
    }

    /// Where a section begins.
    pub fn start_of(&self, at: SketchIx) -> usize {
        if at == 0.into() { 0 } else { self.sections[at].span.start }
    }

    /// Where the next section begins.
    pub fn end_of(&self, at: SketchIx, text: &str) -> usize {
        let next = self.sections.indices().find(|it| *it > at);
        next.map_or(text.len(), |next| self.start_of(next))
    }

    /// Returns the levels of all sections.
    pub fn levels(&self) -> impl Iterator<Item = u8> {
        self.sections.iter().map(|section| section.level)
    }

    pub(super) fn size(&self) -> usize {
        self.sections.iter().map(|section| section.size).sum()
    }

    pub fn words(&self) -> usize {
        self.sections.iter().map(|section| section.words.len()).sum()
    }
}

impl SketchSection {
    /// Returns the words of its title, in lower case and without punctuation, and its symbols.
    pub(super) fn title_words(&self) -> Vec<String> {
        let symbol = |word: &str| word.chars().find(|c| !c.is_ascii()).map(String::from);
        let word = |word: &str| match Token::new(word, false) {
            Some(word) => Some(word.bare().to_lowercase()),
            None => symbol(word),
        };
        words(&self.title).filter_map(|(_, it)| word(it)).collect()
    }

    /// Returns the words of its text that are the same in every language.
    pub(super) fn neutral(&self) -> Vec<String> {
        self.words.iter().filter(|word| word.is_neutral).map(|word| word.bare().to_string()).collect()
    }

    pub fn plain_words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().filter(|word| !word.is_neutral).map(Token::bare)
    }

    /// Returns the words that are the same in every language, except those that may lack a sign of the code: `lamp.json[`.
    pub fn neutral_names(&self) -> impl Iterator<Item = &str> {
        let is_whole = |word: &&Token| {
            let (start, end) = (&word.text[..word.bare.start], &word.text[word.bare.end..]);
            let is_sentence = |c: char| ",.;:!?()\"'、。，：；（）".contains(c);
            start.chars().chain(end.chars()).all(is_sentence)
        };
        self.words.iter().filter(|word| word.is_neutral).filter(is_whole).map(Token::bare)
    }

    pub fn neutral_words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().filter(|word| word.is_neutral).map(Token::bare)
    }

    pub fn targets(targets: &[SketchTarget]) -> Vec<&str> {
        targets.iter().map(|it| it.target.as_str()).collect()
    }

    pub fn has_same_code(&self, other: &Self) -> bool {
        self.code.iter().map(|it| &it.code).eq(other.code.iter().map(|it| &it.code))
    }

    pub fn has_same_targets(&self, other: &Self) -> bool {
        self.links == other.links && self.images == other.images && self.notes == other.notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sketch(text: &str) -> Sketch {
        SketchReader::new(&Repository::default()).read(text)
    }

    #[test]
    fn a_text_is_taken_apart_by_its_headings() {
        let sketch = sketch(
            "---\ntitle: T\n---\nAbove.\n\nNext {#n}\n----\n\nUse `run` 3 times, [see](a.md).\n\n```sh\nrun\n```\n",
        );
        let sections: Vec<_> = sketch.sections.iter().collect();
        assert_eq!((sections[0].level, sections[0].plain_words().count()), (0, 1));
        assert_eq!((sections[1].level, sections[1].id.as_str()), (2, "n"));
        assert_eq!(sections[1].neutral_words().collect::<Vec<_>>(), ["run", "3"]);
        assert_eq!((SketchSection::targets(&sections[1].links), sections[1].code.len()), (vec!["a.md"], 1));
    }

    #[test]
    fn line_ends_and_reflow_change_nothing() {
        let text = "# A\n\nOne two three\nfour.\n\n```sh\nrun\n```\n";
        let other = "A\n=\n\nOne two\nthree four.\n\n~~~sh\nrun\n~~~\n".replace('\n', "\r\n");
        assert!(sketch(text).says_the_same(&sketch(&other)));
        assert!(!sketch(text).says_the_same(&sketch(&other.replace("four", "five"))));
        assert!(!sketch(text).says_the_same(&sketch(&other.replace("run", "go"))));
    }
}
