//! Fixes problems that have only one solution.
//!
//! In: a text and the edits of findings. Out: the edited text. Each edit changes only its span. Rules add an edit
//! only if the page looks the same afterwards, except for the reported problem.

use std::ops::Range;

use base::diagnostic::{Code, Diagnostic, Edit, Report};
use base::site_path::SitePath;
use base::sort::StableSort as _;
use base::sorted::SortedMap;
use input::source::Sources;

/// Returns the rules with automatic fixes.
pub fn codes() -> Vec<Code> {
    Code::ALL.iter().copied().filter(|code| code.rule().is_fixable).collect()
}

/// Rules whose fixes of a page are applied together or not at all, because a reader follows all of the page.
pub const TOGETHER: [Code; 2] = [Code::TranslationCode, Code::TranslationLink];

/// A text after its edits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fixed {
    pub text: String,
    /// Number of fixed findings.
    pub count: usize,
    /// Number of findings whose edits overlap with others. Another run fixes them.
    pub left: usize,
}

/// A file with the edits of its findings.
#[derive(Clone, Debug, PartialEq)]
pub struct FileEdits {
    pub path: SitePath,
    /// The text on disk.
    pub before: String,
    pub fixed: Fixed,
}

/// Returns the files with fixable findings, by path. Files that aren't UTF-8 are skipped, because writing them as
/// text would change them.
pub fn fix<'a>(sources: &Sources, findings: impl IntoIterator<Item = &'a Diagnostic>) -> Vec<FileEdits> {
    let mut by_file: SortedMap<&SitePath, Vec<&Diagnostic>> = SortedMap::new();
    for finding in findings.into_iter().filter(|finding| finding.is_fixable()) {
        by_file.entry(&finding.file).or_default().push(finding);
    }
    let edited = by_file.into_iter().filter_map(|(path, findings)| {
        let before = sources.text(path).filter(|text| text.invalid.is_none())?.text().into_owned();
        let (together, others): (Vec<_>, Vec<_>) =
            findings.iter().partition::<Vec<&Diagnostic>, _>(|it| TOGETHER.contains(&it.problem.code));
        let mut fixed = apply(&before, findings);
        if fixed.left > 0 && !together.is_empty() {
            fixed = apply(&before, others);
            fixed.left += together.len();
        }
        Some(FileEdits { path: path.clone(), before, fixed })
    });
    edited.collect()
}

/// Applies the edits of findings about one text. If two overlap, the first one is applied.
pub fn apply<'a>(text: &str, findings: impl IntoIterator<Item = &'a Diagnostic>) -> Fixed {
    let (edits, mut fixed) = chosen(text, findings);
    let mut at = 0;
    for edit in edits {
        fixed.text.push_str(&text[at..edit.span.start]);
        fixed.text.push_str(&edit.text);
        at = edit.span.end;
    }
    fixed.text.push_str(&text[at..]);
    fixed
}

/// Returns the edits that [`apply`] makes, in the order of the text.
pub fn edits<'a>(text: &str, findings: impl IntoIterator<Item = &'a Diagnostic>) -> Vec<&'a Edit> {
    chosen(text, findings).0
}

/// Returns the edits that don't overlap, and the number of findings that they fix, without changing the text.
fn chosen<'a>(text: &str, findings: impl IntoIterator<Item = &'a Diagnostic>) -> (Vec<&'a Edit>, Fixed) {
    let mut findings: Vec<&Diagnostic> = findings.into_iter().collect();
    findings.stable_sort_by_key(|diagnostic| first_edit(diagnostic));
    let mut taken: Vec<&Edit> = Vec::new();
    let mut fixed = Fixed::default();
    for diagnostic in findings {
        let edits = &diagnostic.problem.edits;
        let fits = |edit: &Edit| {
            let in_text = text.get(edit.span.clone()).is_some();
            in_text && taken.iter().all(|other| !overlap(&edit.span, &other.span))
        };
        if !edits.is_empty() && edits.iter().all(fits) {
            taken.extend(edits);
            fixed.count += 1;
        } else {
            fixed.left += usize::from(!edits.is_empty());
        }
    }
    taken.stable_sort_by_key(|edit| edit.span.start);
    (taken, fixed)
}

fn first_edit(diagnostic: &Diagnostic) -> usize {
    diagnostic.problem.edits.iter().map(|edit| edit.span.start).min().unwrap_or(usize::MAX)
}

/// Insertions at the same position also overlap, because their order would be a guess.
fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end || a.start == b.start
}

/// Returns findings of fixable rules without an edit.
pub fn without_edits<'a>(report: &'a Report, only: &'a [Code]) -> impl Iterator<Item = &'a Diagnostic> {
    report.iter().filter(move |diagnostic| {
        let code = diagnostic.problem.code;
        diagnostic.problem.edits.is_empty() && only.contains(&code) && !matches!(code, Code::MissingPage)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::diagnostic::Problem;
    use input::source::Text;

    fn finding(edits: &[(Range<usize>, &str)]) -> Diagnostic {
        let problem = Problem::new(Code::Mojibake, 0..0, "x");
        edits.iter().fold(problem, |problem, (span, text)| problem.edit(span.clone(), *text)).at(&"a".into())
    }

    #[track_caller]
    fn check(text: &str, findings: &[Diagnostic], expected: &str, count: usize, left: usize) {
        assert_eq!(apply(text, findings), Fixed { text: expected.into(), count, left });
    }

    #[test]
    fn edits_touch_their_spans_and_nothing_else() {
        check("one two three", &[finding(&[(8..13, "3")]), finding(&[(0..3, "1")])], "1 two 3", 2, 0);
        check("abc", &[finding(&[(1..1, "-")])], "a-bc", 1, 0);
        check("abc", &[], "abc", 0, 0);
    }

    #[test]
    fn one_of_two_overlapping_edits_is_left_for_the_next_run() {
        check("abcdef", &[finding(&[(0..3, "x")]), finding(&[(2..4, "y")])], "xdef", 1, 1);
        // The order of two insertions would be a guess.
        check("ab", &[finding(&[(1..1, "x")]), finding(&[(1..1, "y")])], "axb", 1, 1);
        check("abcdef", &[finding(&[(0..1, "x"), (4..5, "y")]), finding(&[(4..6, "z")])], "xbcdyf", 1, 1);
    }

    #[test]
    fn a_translation_is_fixed_completely_or_not_at_all() {
        let path = SitePath::from("content/ja/a.md");
        let mut sources = Sources::default();
        sources.pages.insert(path.clone(), Text::new(path.clone(), "abcdef".into()));
        let finding = |code, span, text: &str| Problem::new(code, 0..0, "x").edit(span, text).at(&path);
        let link = finding(Code::TranslationLink, 0..2, "x");
        let code = finding(Code::TranslationCode, 1..3, "y");
        let other = finding(Code::Mojibake, 4..5, "z");
        let fixed = |findings: &[Diagnostic]| fix(&sources, findings).remove(0).fixed;
        let expected = Fixed { text: "abcdzf".into(), count: 1, left: 2 };
        assert_eq!(fixed(&[link.clone(), code, other.clone()]), expected);
        assert_eq!(fixed(&[link, other]), Fixed { text: "xcdzf".into(), count: 2, left: 0 });
    }

    #[test]
    fn an_edit_beyond_the_text_is_left() {
        check("é", &[finding(&[(1..2, "x")]), finding(&[(5..6, "x")])], "é", 0, 2);
    }
}
