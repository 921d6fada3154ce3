//! Tables of contents, `[[toc]]` and `[TOC]`. They are removed because every page shows its contents.

use super::construct::{AS_WRITTEN, Construct, Slip, TextPlace, first_line};
use super::translator::{RuleAt, Translator};
use input::conventions::Syntax;

/// A line that stands for the table of contents.
pub(super) const CONTENTS: Construct = Construct {
    name: "table-of-contents",
    nouns: ("another tool's table of contents", "other tools' tables of contents"),
    syntaxes: &[Syntax::Vue, Syntax::Indented],
    slip: Some(Slip {
        opens: &["[[toc]]", "[[TOC]]", "[TOC]", "[[_TOC_]]"],
        length: contents,
        seen: AS_WRITTEN,
        help: "remove it; every page shows its contents",
    }),
    becomes: &[(&[Syntax::Vue], RuleAt::Line(of_vue)), (&[Syntax::Indented], RuleAt::Line(of_python))],
};

/// Matches `[[toc]]` or `[TOC]` alone on its line.
fn contents(place: &TextPlace<'_>) -> Option<usize> {
    let line = first_line(place.written).trim_end();
    (place.begins_line && line.ends_with(']') && !line.contains(' ')).then_some(line.len())
}

fn of_vue(it: &mut Translator<'_, '_>, inner: &str) -> bool {
    left_out(it, inner, inner.eq_ignore_ascii_case("[[toc]]"))
}

fn of_python(it: &mut Translator<'_, '_>, inner: &str) -> bool {
    left_out(it, inner, inner == "[TOC]")
}

fn left_out(it: &mut Translator<'_, '_>, inner: &str, is_contents: bool) -> bool {
    if is_contents {
        it.remove(it.lines.at + inner.len());
        it.end_of_line();
    }
    is_contents
}
