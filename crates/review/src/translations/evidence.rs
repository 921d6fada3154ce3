//! Finds evidence for a later version of the original in a translation, without knowing its language.

use similar::DiffOp;

use super::code::bare;
use super::lag::neutral_target;
use base::diff;
use base::sorted::SortedSet;
use site::languages::{Sketch, SketchSection};

/// Maximum number of changed words between a version of the original and a later one whose code, links, and numbers the translation
/// contains. Some commits change links in all languages, and must not hide earlier changes of words.
const MOST_WORDS: usize = 10;

/// Whether a translation has the sections and all code, links, and numbers that are new in a later version of its original, and none
/// that are gone.
pub(super) fn proves(translation: &Sketch, before: &Sketch, later: &Sketch) -> bool {
    let (there, old, new) = (Item::all(translation), Item::all(before), Item::all(later));
    let mut added = new.difference(&old).peekable();
    added.peek().is_some()
        && added.all(|item| there.contains(item))
        && old.difference(&new).all(|item| !there.contains(item))
        && words_between(before, later) <= MOST_WORDS
}

/// An element that is the same in every language.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Item<'a> {
    /// Without comments.
    Code(String),
    /// Without a language.
    Target(&'a str),
    Number(&'a str),
    /// Levels of all headings.
    Levels(Vec<u8>),
}

impl<'a> Item<'a> {
    fn all(sketch: &'a Sketch) -> SortedSet<Self> {
        let levels = Self::Levels(sketch.sections.iter().map(|section| section.level).collect());
        sketch.sections.iter().flat_map(Self::of).chain([levels]).collect()
    }

    fn of(section: &'a SketchSection) -> impl Iterator<Item = Self> {
        let code = section.code.iter().map(|it| Self::Code(bare(&it.code).collect::<Vec<_>>().join("\n")));
        let targets =
            section.links.iter().chain(&section.images).map(|it| Self::Target(neutral_target(&it.target)));
        code.chain(targets).chain(section.neutral_words().map(Self::Number))
    }
}

fn words_between(before: &Sketch, later: &Sketch) -> usize {
    fn words(sketch: &Sketch) -> Vec<&str> {
        sketch.sections.iter().flat_map(SketchSection::plain_words).collect()
    }
    let operations = diff::operations(&words(before), &words(later));
    let size = |it: &DiffOp| it.old_range().len().max(it.new_range().len());
    operations.iter().filter(|it| !matches!(it, DiffOp::Equal { .. })).map(size).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use input::conventions::Repository;
    use site::languages::SketchReader;

    const BEFORE: &str = "# A\n\nIt provide [this](/a/), see `run` 1.\n";
    const LATER: &str = "# A\n\nIt provides [this](/b/), see `run` 1.\n";

    #[track_caller]
    fn check(before: &str, later: &str, translation: &str, expected: bool) {
        let [before, later, translation] =
            [before, later, translation].map(|text| SketchReader::new(&Repository::default()).read(text));
        assert_eq!(proves(&translation, &before, &later), expected);
    }

    #[test]
    fn new_links_and_numbers_prove_a_later_version() {
        check(BEFORE, LATER, "# い\n\n[これ](/ja/b/)、`run` 1\n", true);
        check(BEFORE, LATER, "# い\n\n[これ](/a/)、`run` 1\n", false);
        check(BEFORE, LATER, "# い\n\n[これ](/b/) [それ](/a/)、`run` 1\n", false);
        check(BEFORE, &BEFORE.replace("provide", "provides"), "# い\n\n[これ](/a/)、`run` 1\n", false);
        check(BEFORE, &LATER.replace("`run` 1", "`go` 2"), "# い\n\n[これ](/b/)、`run` 1\n", false);
    }

    #[test]
    fn a_new_section_must_be_there() {
        let later = format!("{LATER}\n## B\n\nStop.\n");
        check(BEFORE, &later, "# い\n\n[これ](/b/)、`run` 1\n", false);
        check(BEFORE, &later, "# い\n\n[これ](/b/)、`run` 1\n\n## う\n", true);
    }

    #[test]
    fn links_do_not_hide_many_changed_words() {
        let many = LATER.replace("It", "All of this was written again with more than ten words because it");
        check(BEFORE, &many, "# い\n\n[これ](/b/)、`run` 1\n", false);
    }
}
