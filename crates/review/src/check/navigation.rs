//! Checks hand-written previous and next links.

use std::ops::Range;

use super::Subject;
use super::links::problem;
use super::lookup::Lookup;
use base::diagnostic::{Code, Problem};
use base::quoted::quoted;
use markup::markdown::{Direction, HandWritten, Reference};
use site::content::bare_title;
use site::work::Work;

/// Reports navigation in the source, because the site generates its own, with one finding per page.
pub(super) fn hand_written(subject: &Subject<'_>) -> Option<Problem> {
    let links = &subject.page.navigation;
    let (first, others) = links.split_first()?;
    let count = match links.len() {
        1 => "a previous or next link is".to_string(),
        count => format!("{count} previous and next links are"),
    };
    let message = format!("{count} written by hand; the page shows generated ones instead");
    let help = "remove them; Stepkin generates them from `order`".to_string();
    let finding = Problem::new(Code::HandWrittenNav, first.span.clone(), message).help(help);
    let mut removals: Vec<_> = links.iter().map(|link| whole_lines(&subject.text, &link.removal)).collect();
    removals.dedup();
    let finding = removals.into_iter().fold(finding, |finding, removal| finding.edit(removal, ""));
    Some(
        others.iter().fold(finding, |finding, link| {
            finding.related(&subject.document.path, link.span.clone(), "another")
        }),
    )
}

/// Extends a range to complete lines if nothing else is on them.
fn whole_lines(text: &str, range: &Range<usize>) -> Range<usize> {
    let line_start = text[..range.start].rfind('\n').map_or(0, |newline| newline + 1);
    let line_end = text[range.end..].find('\n').map_or(text.len(), |newline| range.end + newline + 1);
    let alone =
        text[line_start..range.start].trim().is_empty() && text[range.end..line_end].trim().is_empty();
    if alone { line_start..line_end } else { range.clone() }
}

/// Reports navigation to a missing page, or to a step that isn't the previous or next one.
pub(super) fn targets(work: &Work, lookup: &Lookup<'_>, subject: &Subject<'_>) -> Vec<Problem> {
    let wrong = |link: &HandWritten| {
        let reference = Reference::of_navigation(&link.label, &link.target, &link.target_span);
        problem(lookup, subject, &subject.link(&reference)).or_else(|| wrong_step(work, subject, link))
    };
    subject.page.navigation.iter().filter_map(wrong).collect()
}

fn wrong_step(work: &Work, subject: &Subject<'_>, link: &HandWritten) -> Option<Problem> {
    let place = work.project.site.place(subject.id)?;
    let (previous, next) = work.project.site.neighbours(place);
    let (name, meant) = match link.direction {
        Direction::Previous => ("previous", previous),
        Direction::Next => ("next", next),
    };
    let target = subject.page_of(&link.target)?;
    if meant == Some(target) {
        return None;
    }
    let platform = &work.project.site.platform_of(place).name;
    let message = match meant {
        Some(meant) => {
            let address = &work.project.site.document(meant).address;
            format!("`{}` is not the {name} step of {platform}, which is `{address}`", link.target)
        }
        None => format!("there is no {name} step on {platform}, but the link goes to `{}`", link.target),
    };
    let help = "remove the link; the page shows a generated one".to_string();
    Some(
        Problem::new(Code::NavWrongTarget, link.target_span.clone(), message).help(help).target(&link.target),
    )
}

/// Reports navigation whose text differs from the title of its target.
pub(super) fn labels(work: &Work, subject: &Subject<'_>) -> Vec<Problem> {
    let stale = |link: &HandWritten| {
        let target = work.project.site.document(subject.page_of(&link.target)?);
        let says = |title: &str| bare_title(&markup::markdown::repair(title)) == bare_title(&link.label);
        if link.label.is_empty() || says(&target.title) {
            return None;
        }
        let message = format!(
            "the link text is {}, but the page title is {}",
            quoted(&link.label),
            quoted(&target.title)
        );
        let help = "remove the link; the page shows a generated one".to_string();
        Some(Problem::new(Code::NavStaleLabel, link.span.clone(), message).help(help).target(&link.target))
    };
    subject.page.navigation.iter().filter_map(stale).collect()
}

/// Reports pages with a hand-written link back but none to the next step.
pub(super) fn missing(work: &Work, subject: &Subject<'_>) -> Option<Problem> {
    let links = &subject.page.navigation;
    let last = links.last()?;
    let (_, next) = work.project.site.neighbours(work.project.site.place(subject.id)?);
    let next = work.project.site.document(next?);
    if links.iter().any(|link| link.direction == Direction::Next) {
        return None;
    }
    let message = format!(
        "the page has a hand-written link to the previous step but not to the next step, `{}`",
        next.address
    );
    let help = "remove the links; the page shows generated ones".to_string();
    Some(Problem::new(Code::NavMissingLink, last.span.clone(), message).help(help))
}
