//! Edits that a translation needs no translator for: targets of links and images, and numbers in rows of tables.

use std::ops::Range;

use similar::DiffOp;

use super::lag::{counterpart, neutral_target};
use base::diff;
use base::fences::text_lines;
use base::items::only;
use base::sort::StableSort as _;
use site::languages::{Sketch, SketchIx, SketchPair, SketchSection, SketchTarget, by_words};

/// A page with its sections.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) sketch: &'a Sketch,
    pub(super) text: &'a str,
}

/// An element that the original has replaced and the translation still contains.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Carried {
    pub(super) kind: CarriedKind,
    /// Range in the translation.
    pub(super) span: Range<usize>,
    pub(super) old: String,
    /// New target, with the translation's language at the start of a path.
    pub(super) new: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CarriedKind {
    Link,
    Image,
    Number,
}

/// Returns the old links, images, and numbers that a translation still contains. `pairs` are the sections of the current original and
/// of the translation.
pub(super) fn carried(
    before: Side<'_>,
    now: Side<'_>,
    there: Side<'_>,
    pairs: &[SketchPair],
) -> Vec<Carried> {
    let mut found = Vec::new();
    for same in by_words(before.sketch, now.sketch) {
        let Some(at) = counterpart(pairs, same.other) else { continue };
        let (old, new) = (&before.sketch.sections[same.one], &now.sketch.sections[same.other]);
        let translated = &there.sketch.sections[at];
        let has_place = |it: &Carried| {
            !it.new.starts_with('#') || there.sketch.sections.iter().any(|section| it.new[1..] == section.id)
        };
        found.extend(targets(CarriedKind::Link, [old, new, translated].map(|it| &it.links[..]), there.text));
        found.extend(targets(
            CarriedKind::Image,
            [old, new, translated].map(|it| &it.images[..]),
            there.text,
        ));
        found.retain(has_place);
        found.extend(numbers([(before, same.one), (now, same.other), (there, at)]));
    }
    found.stable_sort_by_key(|it| it.span.start);
    found.dedup_by(|other, first| other.span == first.span);
    found
}

fn targets(kind: CarriedKind, [before, now, there]: [&[SketchTarget]; 3], text: &str) -> Vec<Carried> {
    let (old, new) = (SketchSection::targets(before), SketchSection::targets(now));
    let has = |targets: &[&str], wanted: &str| {
        targets.iter().any(|it| neutral_target(it) == neutral_target(wanted))
    };
    let mut found = Vec::new();
    for operation in diff::operations(&old, &new) {
        let DiffOp::Replace { .. } = operation else { continue };
        let (from, to) = (&old[operation.old_range()], &new[operation.new_range()]);
        if from.len() != to.len() {
            continue;
        }
        for (from, to) in from.iter().zip(to).filter(|(from, _)| !has(&new, from)) {
            let is_old = |it: &&SketchTarget| neutral_target(&it.target) == neutral_target(from);
            for target in there.iter().filter(is_old) {
                let Some(span) = written(text, target) else { continue };
                let own = neutral_target(&target.target);
                let language = &target.target[..target.target.len() - own.len()];
                let new = neutral_target(to);
                let new = if new.starts_with('/') { format!("{language}{new}") } else { (*to).to_string() };
                found.push(Carried { kind, span, old: target.target.clone(), new });
            }
        }
    }
    found
}

/// Returns the range of a target in its file: where it is used, or in the only definition of its label.
fn written(text: &str, target: &SketchTarget) -> Option<Range<usize>> {
    if text.get(target.span.clone()) == Some(&target.target) {
        return Some(target.span.clone());
    }
    let is_definition = |at: &usize| {
        let line = &text[text[..*at].rfind('\n').map_or(0, |end| end + 1)..*at];
        let rest = &text[at + target.target.len()..];
        line.trim_start().starts_with('[')
            && line.trim_end_matches([' ', '<']).ends_with("]:")
            && rest.starts_with(['\n', '\r', ' ', '>'])
    };
    let places = text.match_indices(&target.target).map(|(at, _)| at).filter(is_definition);
    let at = only(places)?;
    Some(at..at + target.target.len())
}

/// Returns the old numbers in rows of the translation whose original differs only in numbers.
fn numbers(sides: [(Side<'_>, SketchIx); 3]) -> Vec<Carried> {
    let [before, now, there] = sides.map(|(side, at)| rows(side, at));
    let mut found = Vec::new();
    if before.len() != now.len() || now.len() != there.len() {
        return found;
    }
    for ((old, new), row) in before.iter().zip(&now).zip(&there) {
        let values =
            |row: &Row<'_>| row.numbers().into_iter().map(|it| row.text[it].to_string()).collect::<Vec<_>>();
        let (from, to) = (values(old), values(new));
        if old.without_numbers() != new.without_numbers() || from == to || from != values(row) {
            continue;
        }
        for ((span, old), new) in
            row.numbers().into_iter().zip(from).zip(to).filter(|((_, old), new)| old != new)
        {
            let span = row.start + span.start..row.start + span.end;
            found.push(Carried { kind: CarriedKind::Number, span, old, new });
        }
    }
    found
}

/// A row of a table.
struct Row<'a> {
    start: usize,
    text: &'a str,
}

fn rows(side: Side<'_>, at: SketchIx) -> Vec<Row<'_>> {
    let start = side.sketch.start_of(at);
    let lines = text_lines(&side.text[start..side.sketch.end_of(at, side.text)]);
    let rows = lines.filter(|(_, line)| line.trim_start().starts_with('|'));
    rows.map(|(at, text)| Row { start: start + at, text }).collect()
}

impl Row<'_> {
    /// Digits, with the points, commas, and colons between them. Targets of links have none.
    fn numbers(&self) -> Vec<Range<usize>> {
        let bytes = self.text.as_bytes();
        let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        let mut found = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            if self.text[at..].starts_with("](") {
                at += self.text[at..].find(')').unwrap_or(1);
            } else if is_digit(at) {
                let start = at;
                while is_digit(at) || matches!(bytes.get(at), Some(b'.' | b',' | b':')) && is_digit(at + 1) {
                    at += 1;
                }
                found.push(start..at);
                continue;
            }
            at += self.text[at..].chars().next().map_or(1, char::len_utf8);
        }
        found
    }

    fn without_numbers(&self) -> String {
        let mut text = String::new();
        let mut at = 0;
        for number in self.numbers() {
            text.push_str(&self.text[at..number.start]);
            text.push('0');
            at = number.end;
        }
        text.push_str(self.text[at..].trim_end());
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use input::conventions::Repository;
    use site::languages::{SketchReader, by_structure};

    #[track_caller]
    fn check(before: &str, now: &str, translation: &str, expected: &str) {
        let reader = SketchReader::new(&Repository::default());
        let sketches = [before, now, translation].map(|text| reader.read(text));
        let [before, now, there] = [(0, before), (1, now), (2, translation)]
            .map(|(at, text): (usize, &str)| Side { sketch: &sketches[at], text });
        let pairs = by_structure(now.sketch, there.sketch);
        let mut text = translation.to_string();
        for it in carried(before, now, there, &pairs).into_iter().rev() {
            assert_eq!(text[it.span.clone()], it.old);
            text.replace_range(it.span, &it.new);
        }
        assert_eq!(text, expected);
    }

    #[test]
    fn targets_are_carried_over_with_the_language_of_the_translation() {
        let before = "# A\n\nSee [a](/docs/a/) and [b](b.md). ![i](i.png)\n";
        let now = "# A\n\nSee [a](/docs/new/a/) and [b](c.md#d). ![i](j.png)\n";
        check(
            before,
            now,
            "# い\n\n[a](/ja/docs/a/) と [b](b.md) ![i](i.png)\n",
            "# い\n\n[a](/ja/docs/new/a/) と [b](c.md#d) ![i](j.png)\n",
        );
        check(
            before,
            now,
            "# い\n\n[a](/docs/a/) と [b](z.md) ![i](ja.png)\n",
            "# い\n\n[a](/docs/new/a/) と [b](z.md) ![i](ja.png)\n",
        );
        let (before, now) = ("# A\n\nSee [a].\n\n[a]: /a/\n", "# A\n\nSee [a].\n\n[a]: /b/\n");
        check(before, now, "# い\n\n[あ][a]\n\n[a]: /a/\n", "# い\n\n[あ][a]\n\n[a]: /b/\n");
        // The page has no such section yet.
        let (before, now) = ("# A\n\n[a](/a/)\n", "# A\n\n[a](#b)\n\n## B\n");
        check(before, now, "# い\n\n[a](/a/)\n", "# い\n\n[a](/a/)\n");
        check(before, now, "# い\n\n[a](/a/)\n\n## う {#b}\n", "# い\n\n[a](#b)\n\n## う {#b}\n");
        // The original still contains both targets.
        check(
            "# A\n\n[a](/a/) [b](/b/)\n",
            "# A\n\n[a](/b/) [b](/a/)\n",
            "# い\n\n[a](/a/) [b](/b/)\n",
            "# い\n\n[a](/a/) [b](/b/)\n",
        );
    }

    #[test]
    fn numbers_are_carried_over_in_rows_that_are_otherwise_equal() {
        let before = "# A\n\n| Name | Size |\n| --- | --- |\n| Node | 18.1 to 20 |\n| Deno | 1 |\n";
        let there = "# い\n\n| 名前 | 大きさ |\n| --- | --- |\n| Node | 18.1 から 20 |\n| Deno | 1 |\n";
        let now = before.replace("18.1 to 20", "20.2 to 22");
        check(before, &now, there, &there.replace("18.1 から 20", "20.2 から 22"));
        check(before, &now.replace("Node", "Bun"), there, there);
        check(before, &now, &there.replace("18.1", "19"), &there.replace("18.1", "19"));
        check(before, &before.replace("| Deno | 1 |\n", ""), there, there);
    }
}
