//! The order of differences for readers: smaller ones come first, because they are the easiest to overlook.

use site::family::words::WordList;

/// The subject of a difference, in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RankKind {
    /// The value of a setting, or a column.
    Value,
    Setting,
    /// A text on both sides.
    Text,
    Description,
    Note,
    /// A text on one side only.
    Passage,
    /// Code and images.
    Sample,
    Section,
    Step,
    /// What readers may find elsewhere on the page, or in other words.
    Doubtful,
    /// An acceptance of a difference that no longer exists.
    Idle,
}

/// The distance between kinds.
const APART: u32 = 1000;

/// Returns the rank of a difference without words, or whose words don't matter. Lower ranks come first.
pub(super) const fn rank(kind: RankKind) -> u32 {
    // The smallest differences in text come before all kinds.
    (kind as u32 + 1) * APART
}

/// Returns the rank of two differing texts. If all but a few words are equal, it precedes all other differences, and
/// a changed number or negation comes first.
pub(super) fn rank_of(kind: RankKind, from: &WordList, to: &WordList) -> u32 {
    /// Maximum number of changed words in a mostly equal text.
    const FEW: usize = 3;
    const MOST_IS_SAME: f64 = 0.75;
    let (similarity, changed) = (from.similarity(to), from.changed(to));
    let words = u32::try_from(changed.words).unwrap_or(APART / 2 - 1).min(APART / 2 - 1);
    if matches!(kind, RankKind::Text | RankKind::Description)
        && changed.words <= FEW
        && similarity >= MOST_IS_SAME
    {
        return if changed.turns_meaning { words } else { APART / 2 + words };
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 999")]
    let apart = ((1.0 - similarity) * f64::from(APART - 1)).round() as u32;
    rank(kind) + apart.min(APART - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use site::family::words::{Equivalences, Language};

    #[track_caller]
    fn check(kind: RankKind, from: &str, to: &str, expected: u32) {
        let names = Equivalences::new(Language::English, [], &[], &[]);
        let words = |text| WordList::new(text, &names);
        assert_eq!(rank_of(kind, &words(from), &words(to)), expected, "{from} / {to}");
    }

    const LONG: &str = "Open the left panel, choose the red key from its list and copy it into the file.";

    #[test]
    fn a_few_words_in_an_equal_text_come_first() {
        check(RankKind::Text, LONG, &LONG.replace("red", "blue"), 501);
        check(RankKind::Description, LONG, &LONG.replace("red", "5"), 1);
        let three = LONG.replace("red", "blue").replace("left", "main").replace("file", "form");
        check(RankKind::Text, LONG, &three, 503);
        let four = three.replace("list", "row");
        assert!(matches!(rank_of_texts(LONG, &four), 3001..4000));
        // One of two words is a large part, and notes have another rank.
        assert!(matches!(rank_of_texts("Red key", "Blue key"), 3001..4000));
        assert!(
            rank_of_texts(LONG, &four) < rank_of_texts(LONG, "Open nothing at all."),
            "the smaller one first"
        );
        check(RankKind::Note, LONG, LONG, 5000);
    }

    fn rank_of_texts(from: &str, to: &str) -> u32 {
        let names = Equivalences::new(Language::English, [], &[], &[]);
        rank_of(RankKind::Text, &WordList::new(from, &names), &WordList::new(to, &names))
    }
}
