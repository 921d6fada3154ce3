//! Checks numbers that authors write: of steps in titles, of sections in headings, and in "see step 7.3".

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use memchr::memmem;

use super::{Lookup, Subject};
use base::diagnostic::{Code, Diagnostic, Problem};
use base::list_item::ListItem;
use markup::markdown::{Heading, Passage, ProseKind};
use site::content::{Document, Platform, title_number};
use site::project::Project;
use site::work::Work;

/// Reports titles whose number relates differently to their order than those of the other steps.
///
/// "Step 3" at order 4 is correct if every step's number is one less than its order.
pub(super) fn title_numbers(project: &Project, platform: &Platform) -> Vec<Diagnostic> {
    let numbered: Vec<(&Document, i64)> = platform
        .steps
        .iter()
        .map(|&id| project.site.document(id))
        .filter_map(|step| Some((step, offset(step)?)))
        .collect();
    let mut counts: HashMap<i64, usize> = HashMap::new();
    for (_, offset) in &numbered {
        *counts.entry(*offset).or_default() += 1;
    }
    // Without a majority, no title deviates.
    let usual = counts.into_iter().find(|(_, count)| 2 * count > numbered.len()).map(|(offset, _)| offset);
    let Some(usual) = usual else { return Vec::new() };
    let odd = numbered.into_iter().filter(|(_, offset)| *offset != usual);
    odd.filter_map(|(step, offset)| {
        let (order, number) = (whole(step.front.order?)?, title_number(&step.title)?);
        let expected = order - usual;
        let message =
            format!("the title has step number {number}, but this is step {expected} by its order ({order})");
        let help = format!(
            "use `Step {expected}`, or set `order: {}` to match the other steps",
            order - offset + usual
        );
        Some(Problem::new(Code::WrongStepNumber, step.top(), message).help(help).at(&step.path))
    })
    .collect()
}

/// Returns the difference between the order of a step and the number in its title.
fn offset(step: &Document) -> Option<i64> {
    Some(whole(step.front.order?)? - title_number(&step.title)?)
}

#[expect(clippy::cast_possible_truncation, reason = "it is a small whole number")]
fn whole(order: f64) -> Option<i64> {
    (order.fract() == 0.0 && order.abs() < 1e6).then_some(order as i64)
}

/// Reports sections of a page with the same number.
pub(super) fn duplicate_sections(subject: &Subject<'_>) -> Vec<Problem> {
    let mut first: HashMap<&str, &Heading> = HashMap::new();
    let mut problems = Vec::new();
    if are_versions(subject) {
        return problems;
    }
    for heading in &subject.page.headings {
        if heading.level == 1 {
            first.clear();
        }
        let Some(number) = heading.number().filter(|number| number.contains('.')) else { continue };
        match first.get(number) {
            None => _ = first.insert(number, heading),
            Some(other) => {
                let message = format!("a second section has the number {number}");
                let help = "renumber the sections of this page".to_string();
                let problem =
                    Problem::new(Code::DuplicateSectionNumber, heading.span.clone(), message).help(help);
                problems.push(problem.related(&subject.document.path, other.span.clone(), "the first"));
            }
        }
    }
    problems
}

/// Reports headings with the only wrong number among their siblings: after a gap, as in "1. Install", "2. Connect", "4. Send", or
/// instead of the next one, as in "1. Install", "1. Connect", "3. Send".
pub(super) fn skipped_numbers(subject: &Subject<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut repeated = Vec::new();
    // The numbered headings of each open level.
    let mut open: Vec<(u8, Vec<(&Heading, i64)>)> = Vec::new();
    let mut end = |run: Vec<(&Heading, i64)>| {
        if let [(_, 1), (heading, 1)] = run[..] {
            repeated.push(heading.span.clone());
        }
        let gaps: Vec<_> = run.windows(2).filter(|pair| pair[1].1 != pair[0].1 + 1).collect();
        let is_last = |(heading, _): (&Heading, i64)| run.last().is_some_and(|it| it.0.span == heading.span);
        let is_from_start = run.first().is_some_and(|(_, number)| *number <= 1);
        let ((_, before), (heading, number)) = match gaps[..] {
            [[before, heading]] if heading.1 == before.1 + 2 => (before, heading),
            [[before, heading]] if heading.1 == before.1 && run.len() > 2 && is_last(*heading) => {
                (before, heading)
            }
            [[before, heading], [same, after]]
                if heading.0.span == same.0.span && after.1 == before.1 + 2 =>
            {
                (before, heading)
            }
            _ => return,
        };
        if !is_from_start {
            return;
        }
        let message = format!("number {number} follows number {before}");
        let help = "renumber the sections of this page, or add the missing one".to_string();
        problems.push(Problem::new(Code::WrongStepNumber, heading.span.clone(), message).help(help));
    };
    for heading in &subject.page.headings {
        while let Some((_, run)) = open.pop_if(|(level, _)| *level > heading.level) {
            end(run);
        }
        if open.last().is_none_or(|(level, _)| *level < heading.level) {
            open.push((heading.level, Vec::new()));
        }
        // Most headings have no number.
        // `(Optional) Step 4`
        let title = heading
            .text
            .strip_prefix('(')
            .and_then(|it| it.split_once(") "))
            .map_or(&*heading.text, |it| it.1);
        let number = match title.bytes().next() {
            Some(b'0'..=b'9') => heading.number().and_then(|number| number.parse().ok()),
            Some(b'S' | b's') => title_number(title),
            _ => None,
        };
        // Step 4b is a part of step 4.
        let is_part = |run: &[(&Heading, i64)]| {
            let after = heading.text.trim_start_matches(|c: char| !c.is_ascii_digit());
            let after = after.trim_start_matches(|c: char| c.is_ascii_digit());
            after.starts_with(char::is_alphabetic) && run.last().map(|(_, last)| *last) == number
        };
        if let (Some(number), Some((_, run))) = (number, open.last_mut().filter(|(_, run)| !is_part(run))) {
            run.push((heading, number));
        }
    }
    for (_, run) in open {
        end(run);
    }
    // Several may be meant.
    if let [heading] = &repeated[..] {
        let help = "renumber the sections of this page".to_string();
        problems.push(
            Problem::new(Code::WrongStepNumber, heading.clone(), "number 1 follows number 1").help(help),
        );
    }
    problems
}

/// Reports the only term such as "Step 6" of a list that follows "Step 4". The line after a term begins with `:`.
pub(super) fn skipped_steps(subject: &Subject<'_>) -> Option<Problem> {
    /// Minimum number of terms.
    const FEWEST: usize = 4;
    const STEP: &[u8] = b"Step ";
    let text: &str = &subject.text;
    let begins =
        memmem::find_iter(text.as_bytes(), STEP).filter(|at| text[..*at].ends_with('\n') || *at == 0);
    let terms = begins.filter_map(|start| {
        let (number, after) = text[start + STEP.len()..].split_once('\n')?;
        let number = number.trim_end();
        let term = start..start + STEP.len() + number.len();
        after.starts_with(": ").then_some((term, number.parse().ok()?))
    });
    let steps: Vec<(Range<usize>, u64)> = terms.collect();
    let gaps: Vec<_> = steps.windows(2).filter(|pair| pair[1].1 != pair[0].1 + 1).collect();
    let [[(_, before), (span, number)]] = gaps[..] else { return None };
    let is_gap = *number == before + 2 && steps.len() >= FEWEST && steps[0].1 <= 1;
    let message = format!("step {number} follows step {before}");
    let help = "renumber the steps, or add the missing one".to_string();
    is_gap.then(|| Problem::new(Code::WrongStepNumber, span.clone(), message).help(help))
}

/// Whether the numbers in headings decrease, as versions in a list of changes do.
fn are_versions(subject: &Subject<'_>) -> bool {
    let parts = |number: &str| number.split('.').filter_map(|part| part.parse().ok()).collect::<Vec<u32>>();
    let numbers = subject.page.headings.iter().filter_map(Heading::number);
    let numbers: Vec<Vec<u32>> = numbers.filter(|number| number.contains('.')).map(parts).collect();
    let count = |order: Ordering| numbers.windows(2).filter(|pair| pair[0].cmp(&pair[1]) == order).count();
    count(Ordering::Greater) > count(Ordering::Less)
}

/// Reports sections that are numbered like another step's: `5.2` on the page of step 4.
pub(super) fn foreign_section_numbers(subject: &Subject<'_>) -> Vec<Problem> {
    let Some(step) = title_number(&subject.document.title) else { return Vec::new() };
    let foreign = subject.page.headings.iter().filter_map(|heading| {
        let number = heading.number()?;
        let (major, _) = number.split_once('.')?;
        let major: i64 = major.parse().ok()?;
        if major == step {
            return None;
        }
        let message = format!("section {number} is on the page of step {step}");
        let help = format!("use {step}{}", &number[number.find('.')?..]);
        Some(Problem::new(Code::ForeignSectionNumber, heading.span.clone(), message).help(help))
    });
    foreign.collect()
}

/// Reports references in the text to a step or section with a number that no heading of the tutorial has, and no list of the page
/// reaches.
pub(super) fn dangling_references(work: &Work, lookup: &Lookup<'_>, subject: &Subject<'_>) -> Vec<Problem> {
    let of_page = steps_of_page(subject);
    let Some(place) = work.project.site.place(subject.id) else { return beyond_lists(subject, &of_page) };
    let numbers = lookup.numbers(place);
    let mut problems = if numbers.sections.is_empty() { beyond_lists(subject, &of_page) } else { Vec::new() };
    for prose in subject.page.prose.iter() {
        for reference in references(prose) {
            let number = &prose.text[reference.number.clone()];
            if reference.word == "step" && of_page.contains(number) {
                continue;
            }
            // Without any numbered section, only the number of a step in a step can be of this tutorial alone.
            let is_foreign =
                numbers.sections.is_empty() && (reference.word != "step" || !number.contains('.'));
            if is_foreign || numbers.has(number, subject.page.highest_step) {
                continue;
            }
            let platform = &work.project.site.platform_of(place).name;
            let message = format!("no {} {number} exists in the tutorial for {platform}", reference.word);
            let own = title_number(&subject.document.title);
            let help = numbers.nearest(number, own).map(|near| format!("did you mean {near}?"));
            let span = prose.span(reference.start..reference.number.end);
            problems.push(Problem::new(Code::DanglingStepReference, span, message).help(help).target(number));
        }
    }
    problems
}

/// Returns the number of the last heading, if the headings of one level are numbered from 1.
fn highest_heading(subject: &Subject<'_>) -> u64 {
    let headings = subject.page.headings.iter();
    let numbered = headings.filter_map(|it| Some((it.level, it.number()?.parse::<u64>().ok()?)));
    let mut highest = None;
    for (level, number) in numbered {
        match &mut highest {
            None if number == 1 => highest = Some((level, 1)),
            Some((first, last)) if *first == level && *last + 1 == number => *last = number,
            _ => return 0,
        }
    }
    highest.map_or(0, |(_, last)| last)
}

/// Reports references to a step just after the last one of the lists in the same section, or of the numbered sections, on a page whose
/// title has no number.
fn beyond_lists(subject: &Subject<'_>, of_page: &HashSet<&str>) -> Vec<Problem> {
    /// Minimum number of steps in the section, and maximum distance of the reference.
    const FEWEST: u64 = 3;
    const FURTHEST: u64 = 3;
    let (in_lists, of_headings) = (subject.page.highest_step, highest_heading(subject));
    let highest = in_lists.max(of_headings);
    if highest < FEWEST || !of_page.is_empty() || title_number(&subject.document.title).is_some() {
        return Vec::new();
    }
    let passages = subject.page.prose.iter().filter(|prose| prose.kind != ProseKind::Heading);
    let found = passages.flat_map(|prose| {
        let references = references(prose).into_iter().filter(|it| it.word == "step");
        let beyond = references.filter_map(move |it| {
            let number = prose.text[it.number.clone()].parse::<u64>().ok()?;
            let is_beyond = number > highest && number <= highest + FURTHEST;
            is_beyond.then(|| (number, prose.span(it.start..it.number.end)))
        });
        beyond.collect::<Vec<_>>()
    });
    let is_here = |at: usize| of_headings == highest || highest_in_section(&subject.text, at) == highest;
    let is_link =
        |span: &Range<usize>| subject.page.references.iter().any(|it| it.span.contains(&span.start));
    let found = found.filter(|(_, span)| is_here(span.start) && !is_link(span));
    let found = found.map(|(number, span)| {
        let place =
            if of_headings == highest { "the numbered sections" } else { "the steps in this section" };
        let message = format!("{place} end at {highest}");
        Problem::new(Code::DanglingStepReference, span, message).target(number.to_string())
    });
    found.collect()
}

/// Returns the highest number of a list item between the headings around a position, or 0.
fn highest_in_section(text: &str, at: usize) -> u64 {
    let (above, below) = text.split_at_checked(at).unwrap_or_default();
    let is_inside = |line: &&str| !line.starts_with('#');
    let lines = above.lines().rev().take_while(is_inside).chain(below.lines().take_while(is_inside));
    lines.filter_map(|line| ListItem::of(line)?.number).max().unwrap_or_default()
}

/// Returns the numbers of a page's own steps, in headings such as `Step 3: Add it` and `(Optional) Step 4`.
fn steps_of_page<'a>(subject: &Subject<'a>) -> HashSet<&'a str> {
    let headings = subject.page.prose.iter().filter(|prose| prose.kind == ProseKind::Heading);
    let first = headings.filter_map(|prose| references(prose).into_iter().next().map(|it| (prose.text, it)));
    let begins =
        |before: &str| before.is_empty() || before.starts_with('(') && before.trim_end().ends_with(')');
    let steps = first.filter(|(text, it)| it.word == "step" && begins(&text[..it.start]));
    steps.map(|(text, it)| &text[it.number]).collect()
}

/// A number that the text refers to.
struct NumberReference {
    word: &'static str,
    start: usize,
    number: Range<usize>,
}

/// Returns every "step 7.3", "section 9.2" and "steps 1.1-1.4" in a text, except in code.
fn references(prose: Passage<'_>) -> Vec<NumberReference> {
    let text = prose.text;
    let begins = |at: usize, word: &str| {
        text.as_bytes()[at..].get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word.as_bytes()))
    };
    let mut found = Vec::new();
    if !text.bytes().fold(false, |any, byte| any | byte.is_ascii_digit()) {
        return found;
    }
    for start in memchr::memchr2_iter(b's', b'S', text.as_bytes()) {
        let word = match text.as_bytes().get(start + 1) {
            Some(b't' | b'T') => "step",
            Some(b'e' | b'E') => "section",
            _ => continue,
        };
        if !begins(start, word) {
            continue;
        }
        let starts_word = text[..start].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
        let rest = &text[start + word.len()..];
        let are_several = rest.starts_with(['s', 'S']);
        let rest = rest.strip_prefix(['s', 'S']).unwrap_or(rest);
        let number = rest.trim_start_matches([' ', '\u{a0}']);
        let blank = rest.len() - number.len();
        if !starts_word || blank == 0 {
            continue;
        }
        let from = text.len() - number.len();
        let length = number.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(number.len());
        let digits = number[..length].trim_end_matches('.');
        // `5x` and `5-10 minutes` aren't numbers of steps, and a single number in a title is the title's own.
        let ends = number[digits.len()..].chars().next().is_none_or(|c| !c.is_alphanumeric());
        let span = from..from + digits.len();
        // "Section 4.2 of the manual" refers to another text.
        let after = number[digits.len()..].trim_start();
        let elsewhere = after.get(..3).is_some_and(|it| it.eq_ignore_ascii_case("of "));
        if elsewhere
            || digits.is_empty()
            || !digits.starts_with(|c: char| c.is_ascii_digit())
            || !ends
            || prose.is_code(&span)
        {
            continue;
        }
        // "Steps 3–5"
        let last = number[digits.len()..].strip_prefix(['-', '–']).filter(|_| are_several);
        let last = last.map_or("", |rest| &rest[..rest.bytes().take_while(u8::is_ascii_digit).count()]);
        found.push(NumberReference { word, start, number: span });
        if !last.is_empty() && !digits.contains('.') {
            let from = last.as_ptr() as usize - text.as_ptr() as usize;
            found.push(NumberReference { word, start, number: from..from + last.len() });
        }
    }
    found
}
