//! Finds code in translations that is an old version of the original's code.

use std::ops::Range;

use similar::DiffOp;

use base::diff;

/// Languages of diagrams, whose words are translated.
const DIAGRAMS: [&str; 4] = ["mermaid", "plantuml", "dot", "graphviz"];

/// Whether code in a language is compared.
pub(super) fn is_compared(language: &str) -> bool {
    !DIAGRAMS.contains(&language.to_ascii_lowercase().as_str())
}

/// Whether two blocks differ only in comments.
pub(super) fn is_same_but_comments(one: &str, other: &str) -> bool {
    one == other || bare(one).eq(bare(other))
}

/// Whether two blocks differ only in comments and quoted texts.
pub(super) fn is_same_but_texts(one: &str, other: &str) -> bool {
    let without_texts = |line: &str| {
        let parts = line.split(['"', '\'', '`']).step_by(2);
        parts.collect::<Vec<_>>().join("\"")
    };
    is_same_but_comments(one, other) || bare(one).map(without_texts).eq(bare(other).map(without_texts))
}

/// Returns the lines of a block without comments.
pub(super) fn bare(code: &str) -> impl Iterator<Item = &str> {
    code.lines().map(without_comment).filter(|line| !line.trim().is_empty())
}

/// Returns a line without the comment at its end. A comment begins with the marker of any common language, at the
/// start or after a space.
fn without_comment(line: &str) -> &str {
    const OPENINGS: [&str; 6] = ["//", "#", "--", "/*", "<!--", ";"];
    let is_comment = |at: usize| {
        let rest = &line[at..];
        let opening = OPENINGS.iter().find(|opening| rest.starts_with(**opening));
        opening.is_some_and(|opening| {
            let after = &rest[opening.len()..];
            (at == 0 || line[..at].ends_with([' ', '\t']))
                && (after.is_empty() || after.starts_with([' ', '\t']))
        })
    };
    let end = line.char_indices().map(|(at, _)| at).find(|at| is_comment(*at));
    line[..end.unwrap_or(line.len())].trim_end()
}

/// Returns the new code with the translation's comments on unchanged lines, or `None` if the translation isn't the
/// old code.
pub(super) fn carried_over(old: &str, new: &str, translation: &str) -> Option<String> {
    if old == translation {
        return Some(new.to_string());
    }
    let lines = |text: &'_ str| -> Vec<String> { text.split_inclusive('\n').map(str::to_string).collect() };
    let (old, new, translation) = (lines(old), lines(new), lines(translation));
    let is_same = |(one, other): (&String, &String)| {
        without_comment(one.trim_end()) == without_comment(other.trim_end())
    };
    if old.len() != translation.len() || !old.iter().zip(&translation).all(is_same) {
        return None;
    }
    let texts = |lines: &'_ [String]| -> Vec<String> { lines.to_vec() };
    let (old_texts, new_texts) = (texts(&old), texts(&new));
    let old_refs: Vec<&str> = old_texts.iter().map(String::as_str).collect();
    let new_refs: Vec<&str> = new_texts.iter().map(String::as_str).collect();
    let mut carried = String::new();
    for operation in diff::operations(&old_refs, &new_refs) {
        if let DiffOp::Equal { .. } = operation {
            carried.extend(translation[operation.old_range()].iter().map(String::as_str));
        } else {
            carried.extend(new[operation.new_range()].iter().map(String::as_str));
        }
    }
    Some(carried)
}

/// Returns the range of a code block's lines in its file, or `None` if the file's text differs from `code`. `span` is
/// the range of the block's language or of the block.
pub(super) fn place_of(text: &str, span: &Range<usize>, code: &str) -> Option<Range<usize>> {
    let line = text[span.start..].find('\n')? + span.start + 1;
    let place = line..line + code.len();
    (!code.is_empty() && text.get(place.clone()) == Some(code)).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_no_difference() {
        assert!(is_same_but_comments("run # now\n# all\ngo\n", "run # 今\ngo\n"));
        assert!(is_same_but_comments("open http://a.b/c // x\n", "open http://a.b/c\n"));
        assert!(!is_same_but_comments("open http://a.b/c\n", "open http://a.b/d\n"));
        assert!(!is_same_but_comments("run --all\n", "run\n"));
        assert!(
            is_same_but_texts("say(\"hello\")\n", "say(\"今日は\")\n")
                && !is_same_but_texts("say(1)", "say(2)")
        );
    }

    #[test]
    fn new_code_keeps_translated_comments() {
        let (old, new) = ("a # one\nb\nc # three\n", "a # one\nb2\nc # three\nd\n");
        assert_eq!(carried_over(old, new, old).as_deref(), Some(new));
        assert_eq!(carried_over(old, new, "a # 一\nb\nc # 三\n").as_deref(), Some("a # 一\nb2\nc # 三\nd\n"));
        assert_eq!(carried_over(old, new, "a # 一\nx\nc # 三\n"), None);
    }
}
