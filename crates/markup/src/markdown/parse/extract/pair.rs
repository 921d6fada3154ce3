//! Pairs start and end tags. Each pair is a cut: a range that is removed from the text.

use std::ops::Range;

use super::fragment::{Enclosure, noun};
use super::mark::{Cut, CutKind, Edge, Mark};
use crate::markdown::lines::whole_line;
use crate::markdown::paragraph::Paragraph;
use base::diagnostic::{Code, Problem};
use base::quoted::quoted;
use base::sort::StableSort as _;

/// Why a `tab` is reported. Components of other tools may add tabs around it.
pub(in crate::markdown) const LONE_TAB: &str = "lone-tab";

/// Pairs start and end tags. An end tag without a start is dropped. An unclosed note or block ends with its
/// paragraph, so that it doesn't contain the rest of the page. Both are reported.
///
/// If the end tag is in an unclosed code block, that block is the finding.
pub(super) fn pair_up(
    text: &str,
    start: usize,
    marks: Vec<Mark>,
    open_fence: Option<usize>,
    problems: &mut Vec<Problem>,
) -> Vec<Cut> {
    let mut cuts = Vec::new();
    let mut open: Vec<Mark> = Vec::new();
    let mut paragraph = Paragraph::default();
    let mut unclosed =
        |mark: Mark, problems: &mut Vec<Problem>| unclosed(text, mark, &mut paragraph, problems);
    for mark in marks {
        let is_partner = |opening: &Mark| match (&opening.edge, &mark.edge) {
            (Edge::OpenElement(opened), Edge::CloseElement(closed)) => opened.element() == *closed,
            (
                Edge::OpenFence(_, opened) | Edge::OpenBlock { colons: opened, .. },
                Edge::CloseFence(closed),
            ) => closed >= opened,
            _ => false,
        };
        if matches!(mark.edge, Edge::OpenElement(Enclosure::Tab { .. })) {
            let is_set = |it: &Mark| matches!(it.edge, Edge::OpenElement(Enclosure::Tabs { .. }));
            problems.extend((!open.iter().any(is_set)).then(|| lone_tab(text, &mark.span)));
        }
        match mark.edge {
            Edge::OpenElement(_) | Edge::OpenFence(..) | Edge::OpenBlock { .. } => open.push(mark),
            Edge::CloseElement(_) | Edge::CloseFence(_) => {
                if let Some(partner) = open.iter().rposition(is_partner) {
                    let inner = open.split_off(partner + 1);
                    cuts.extend(inner.into_iter().map(|mark| unclosed(mark, problems)));
                    let opening = open.pop().expect("rposition found it");
                    let close = match opening.edge {
                        Edge::OpenBlock { .. } => whole_line(text, start, mark.span),
                        _ => mark.span,
                    };
                    cuts.push(cut(opening, close));
                } else {
                    let name = &text[mark.span.clone()];
                    let what = match mark.edge {
                        Edge::CloseElement(element) => noun(element),
                        _ => "note or block",
                    };
                    let message = format!("`{name}` closes a {what} that isn't open");
                    let help = format!("remove `{name}`, or add the start of the {what}");
                    problems.push(Problem::new(Code::UnbalancedBlock, mark.span.clone(), message).help(help));
                    // A single `:::` can have many meanings, but a single `</aside>` would end an element of the
                    // template.
                    if matches!(mark.edge, Edge::CloseElement(_)) {
                        cuts.push(Cut { span: mark.span, what: CutKind::Nothing });
                    }
                }
            }
        }
    }
    let hidden = open_fence.map_or("", |fence| &text[fence..]);
    let hides_fence = hidden.lines().any(|line| line.trim_start().starts_with(":::"));
    for mark in open {
        let is_hidden = match &mark.edge {
            Edge::OpenElement(it) => hidden.contains(&format!("</{}", it.element())),
            _ => hides_fence,
        };
        let mut silent = Vec::new();
        cuts.push(unclosed(mark, if is_hidden { &mut silent } else { problems }));
    }
    cuts
}

fn lone_tab(text: &str, span: &Range<usize>) -> Problem {
    let written = text[span.clone()].trim();
    let written = quoted(written);
    let message = format!("{written} is outside `<tabs>`, so readers see a label instead of a tab");
    let help = "add `<tabs>` before the first tab, and `</tabs>` after the last".to_string();
    Problem::new(Code::UnbalancedBlock, span.clone(), message).help(help).data("cause", LONE_TAB)
}

fn cut(opening: Mark, close: Range<usize>) -> Cut {
    let Mark { span, edge, list_indent } = opening;
    let body = span.end..close.start;
    let what = match edge {
        Edge::OpenElement(enclosure) | Edge::OpenFence(enclosure, _) => {
            CutKind::Note { enclosure, body, list_indent }
        }
        Edge::OpenBlock { is_shown, .. } => CutKind::Block { body, is_shown },
        Edge::CloseElement(_) | Edge::CloseFence(_) => unreachable!("only openings are kept open"),
    };
    Cut { span: span.start..close.end, what }
}

fn unclosed(text: &str, opening: Mark, paragraph: &mut Paragraph, problems: &mut Vec<Problem>) -> Cut {
    let span = opening.span.clone();
    let name = text[span.clone()].trim_end().trim_start_matches([' ', '\t', '>']);
    let (what, close) = match &opening.edge {
        Edge::OpenBlock { colons, .. } => ("block", ":".repeat(*colons)),
        Edge::OpenFence(opened, colons) => (noun(opened.element()), ":".repeat(*colons)),
        Edge::OpenElement(it) => (noun(it.element()), format!("</{}>", it.element())),
        Edge::CloseElement(_) | Edge::CloseFence(_) => unreachable!("only openings are kept open"),
    };
    let is_reported = matches!(opening.edge, Edge::OpenBlock { is_known: false, .. });
    let message = format!("the {what} {} is never closed", quoted(name));
    let help = format!("add `{close}` after its text; without that, the {what} ends at the first blank line");
    let name_start = span.start + text[span.clone()].find(name).unwrap_or(0);
    let reported = name_start..name_start + name.len();
    if !is_reported {
        problems.push(Problem::new(Code::UnbalancedBlock, reported, message).help(help));
    }
    let rest = &text[span.end..];
    let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
    let end = paragraph.end(text, span.end + blank);
    let end = span.end + text[span.end..end].trim_end().len();
    cut(opening, end..end)
}

/// Notes that are nested deeper lose their boxes and keep their text, because parsing recurses once per level, and on
/// a page without any `</aside>` each note is a level.
const DEEPEST: usize = 8;

/// Nests cuts properly, and not too deeply. `cuts` are sorted.
///
/// Only unclosed cuts can overlap with others: the paragraph in which a cut ends may extend into the next note or
/// block, or beyond the enclosing one. The cut ends there.
pub(super) fn nested(text: &str, cuts: Vec<Cut>) -> Vec<Cut> {
    let mut nested: Vec<Cut> = Vec::with_capacity(cuts.len());
    // Positions of the enclosing notes and blocks.
    let mut around: Vec<usize> = Vec::new();
    for mut cut in cuts {
        while let Some(&outer) = around.last() {
            let outer = &mut nested[outer];
            if outer.span.end <= cut.span.start {
                around.pop();
            } else if outer.body_end() >= cut.span.end {
                break;
            } else if outer.is_unclosed() {
                outer.end_before(cut.span.start, text);
                around.pop();
            } else {
                cut.end_before(outer.body_end(), text);
                break;
            }
        }
        match &cut.what {
            CutKind::Note { body, .. } if around.len() >= DEEPEST => {
                let tags = [cut.span.start..body.start, body.end..cut.span.end];
                nested.extend(tags.map(|span| Cut { span, what: CutKind::Nothing }));
            }
            CutKind::Note { .. } | CutKind::Block { .. } => {
                around.push(nested.len());
                nested.push(cut);
            }
            CutKind::End(_) | CutKind::Nothing => nested.push(cut),
        }
    }
    nested.stable_sort_by_key(|cut| (cut.span.start, std::cmp::Reverse(cut.span.end)));
    nested
}

/// Replaces each block with its cuts: its two marker lines, or all of it.
pub(super) fn without_blocks(text: &str, cuts: Vec<Cut>) -> Vec<Cut> {
    let mut flat = Vec::with_capacity(cuts.len());
    for Cut { span, what } in cuts {
        let spans = match what {
            CutKind::Block { body, is_shown: true } => [span.start..body.start, body.end..span.end],
            CutKind::Block { is_shown: false, .. } => {
                // A line that begins with other text keeps its line end.
                let is_whole = span.start == 0 || text[..span.start].ends_with('\n');
                let kept =
                    if is_whole { text[span.clone()].len() } else { text[span.clone()].trim_end().len() };
                [span.start..span.start + kept, span.end..span.end]
            }
            what => {
                flat.push(Cut { span, what });
                continue;
            }
        };
        let spans = spans.into_iter().filter(|span| !span.is_empty());
        flat.extend(spans.map(|span| Cut { span, what: CutKind::Nothing }));
    }
    flat.stable_sort_by_key(|cut| (cut.span.start, std::cmp::Reverse(cut.span.end)));
    flat
}
