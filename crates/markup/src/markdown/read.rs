//! Parses a page: translates it if it uses another tool's syntax, parses it, writes its HTML, and finds failed
//! markup.

use std::cell::OnceCell;
use std::ops::Range;

use super::page::{Body, Page, WholePage};
use super::parse::{blocks, extract, prose};
use super::slips::{self, suppress};
use super::syntax;
use super::unwrapped::unwrapped;
use super::write;
use super::write::HeadingIds;
use super::write::sink::{Nowhere, Sink};
use crate::edition::Edition;
use base::diagnostic::{Code, Problem, distance_within};
use base::sort::StableSort as _;
use input::conventions::{AnchorRule, Syntax};
use input::dialect::{Dialect, LinkDefinitions};

/// Parses the page in `text`, a complete file whose body begins at `body`, for the readers of one platform.
pub fn parse(text: &str, body: usize, edition: &Edition, dialect: &Dialect) -> WholePage {
    let (page, body) = parse_into(text, body, edition, dialect);
    whole(page, body)
}

fn whole(page: Page, body: Body) -> WholePage {
    let minutes = page.estimate();
    WholePage { page, body, minutes }
}

/// Parses a page like [`parse`], and drops its HTML.
pub fn parse_without_html(text: &str, body: usize, edition: &Edition, dialect: &Dialect) -> Page {
    let (page, Nowhere) = parse_into(text, body, edition, dialect);
    page
}

/// Removes the findings on elements that are variables.
fn keep_variables(body: &str, page: &mut Page) {
    if slips::is_manual(body) {
        page.unknown_elements.clear();
        page.problems.retain(|problem| problem.code != Code::UnclosedElement);
    }
}

fn parse_into<S: Sink>(text: &str, body: usize, edition: &Edition, dialect: &Dialect) -> (Page, S) {
    if dialect.is_as_written() {
        let reading = Reading { anchors: dialect.anchors, ..OURS };
        let (mut page, sink) = parse_named(text, body, edition, reading);
        keep_variables(&text[body..], &mut page);
        page.problems.retain(|problem| !slips::is_tab_of_component(text, problem));
        slips::reopened::merge(text, &mut page.problems);
        return (page, sink);
    }
    let text = &*unwrapped(text.into(), dialect);
    let translated = syntax::translate_marked(text, body, dialect);
    let Dialect { anchors, syntax, definitions, .. } = dialect;
    let reading = Reading { anchors: *anchors, syntax, definitions };
    let (mut page, sink) = parse_named(&translated.text, translated.body, edition, reading);
    let tags = OnceCell::new();
    // The space next to a translated icon isn't an error.
    let is_written = |span: &Range<usize>| translated.map.range(span.clone()).len() == span.len();
    page.problems.retain(|problem| {
        !slips::is_read_by(dialect, problem)
            && (problem.code != Code::EmphasisAsText || is_written(&problem.span))
            && (dialect.is_ours() || !slips::has_footnote(&translated.text, problem))
            && !slips::ends_later(dialect, &translated.text, &tags, problem)
            && (problem.code != Code::UnclosedElement
                || !slips::is_indented_code(dialect, &translated.text, problem.span.start))
    });
    keep_variables(&text[body..], &mut page);
    page.unknown_elements
        .retain(|element| !slips::is_indented_code(dialect, &translated.text, element.span.start));
    for problem in &mut page.problems {
        let place = translated.map.range(problem.span.clone());
        slips::as_shown_by(dialect, (text, place), problem);
    }
    if dialect.defines_labels {
        page.problems.retain_mut(|problem| slips::is_undefined(&translated.text, problem));
    }
    page.name_as_written(text, &translated);
    page.relocate(&translated.map);
    page.replaced.extend(translated.map.replaced());
    page.replaced.stable_sort_by_key(|span| (span.start, span.end));
    page.left_out = translated.left_out;
    page.included = translated.included;
    page.other_anchors = translated.anchors;
    page.roles = translated.roles;
    if !dialect.is_ours() {
        page.anchors_of_generator(text, body, &translated.tabs);
        page.set_unknown_apart(text);
    }
    if dialect.has(Syntax::Myst) {
        syntax::mark_labels(&mut page);
    }
    without_excused_notes(text, &translated.problems, &mut page);
    page.problems.retain(|problem| !slips::is_tab_of_component(text, problem));
    without_fences_of_others(text, &translated.problems, &mut page);
    page.problems.extend(translated.problems);
    name_misspelled_ends(text, &mut page.problems);
    // An imported page of MDX begins and ends no element of the page around.
    if !dialect.has(Syntax::Mdx) {
        page.doubt_tags(text);
    }
    slips::reopened::merge(text, &mut page.problems);
    page.report_left_out();
    (page, sink)
}

/// Drops findings about notes without a text if another finding has the cause, or if the text was left out.
fn without_excused_notes(text: &str, translation: &[Problem], page: &mut Page) {
    if page.problems.iter().all(|it| it.code != Code::PlaceholderText) {
        return;
    }
    let Page { problems, left_out, .. } = page;
    let is_unbalanced = |it: &Problem| {
        let start = it.span.start;
        translation.iter().any(|other| other.code == Code::UnbalancedBlock && other.span.start == start)
    };
    let is_option = |line: &str| line.trim().is_empty() || line.trim_start().starts_with(':');
    let has_omission = |it: &Problem| {
        let next = left_out.iter().find(|omission| omission.span.start >= it.span.end);
        let between = next.and_then(|next| text.get(it.span.end..next.span.start));
        between.is_some_and(|between| between.lines().all(is_option))
    };
    problems.retain(|it| it.code != Code::PlaceholderText || !is_unbalanced(it) && !has_omission(it));
}

/// Drops findings about fences that the author didn't write, below a block without an end: components in it are written as code. Also
/// drops uncertain ones below a fence without an end, which has their cause.
fn without_fences_of_others(text: &str, translation: &[Problem], page: &mut Page) {
    let is_fence = |it: &&Problem| it.code == Code::UnclosedFence;
    if let Some(first) = translation.iter().filter(is_fence).map(|it| it.span.start).min() {
        let has_its_cause = |it: &Problem| {
            it.code == Code::FenceInHtml || it.code == Code::UnclosedFence && it.severity.is_some()
        };
        page.problems.retain(|it| it.span.start < first || !has_its_cause(it));
    }
    let all = translation.iter().chain(&page.problems);
    let unbalanced = all.filter(|it| it.code == Code::UnbalancedBlock);
    let Some(first) = unbalanced.map(|it| it.span.start).min() else { return };
    let is_written = |it: &Problem| text.get(it.span.clone()).is_some_and(|text| text.contains(['`', '~']));
    page.problems.retain(|it| it.code != Code::UnclosedFence || it.span.start < first || is_written(it));
}

/// Completes the help for a component without its end if an end tag with nearly its name follows, of which no start tag has the name.
fn name_misspelled_ends(text: &str, problems: &mut [Problem]) {
    let name_of = |tag: &'_ str| tag.split(['>', ' ', '\n']).next().unwrap_or_default().to_string();
    for problem in problems.iter_mut().filter(|it| it.code == Code::UnbalancedBlock) {
        let help = problem.help.as_deref().and_then(|help| help.strip_prefix("add `</"));
        let Some(name) = help.map(name_of) else { continue };
        let after = text.get(problem.span.end..).unwrap_or_default();
        let ends = after.split("</").skip(1).map(name_of);
        let is_slip =
            |end: &String| distance_within(end, &name, 1) == Some(1) && !text.contains(&format!("<{end}"));
        if let Some(end) = ends.into_iter().find(is_slip) {
            problem.help = Some(format!("did you mean `</{name}>` instead of `</{end}>`?"));
        }
    }
}

/// Parses a page in our own Markdown.
pub(super) fn parse_ours(text: &str, body: usize, edition: &Edition) -> WholePage {
    let (page, body) = parse_named(text, body, edition, OURS);
    whole(page, body)
}

/// How a translated text is parsed.
#[derive(Clone, Copy)]
struct Reading<'d> {
    anchors: AnchorRule,
    /// Constructs of these aren't reported, because the ones that remain after translation aren't markup: an example in a sentence, or
    /// the value of an expression.
    syntax: &'d [Syntax],
    definitions: &'d LinkDefinitions,
}

const OURS: Reading<'_> =
    Reading { anchors: AnchorRule::GitHub, syntax: &[], definitions: &LinkDefinitions::new() };

fn parse_named<S: Sink>(
    text: &str,
    body: usize,
    edition: &Edition,
    Reading { anchors, syntax, definitions }: Reading<'_>,
) -> (Page, S) {
    let extracted = extract::extract(text, body, edition);
    let tree = blocks::read(&extracted.page, edition.has_formulas, definitions);
    let ids = HeadingIds { rule: anchors, are_lasting: syntax.iter().all(|it| *it == Syntax::CodeFiles) };
    let (mut page, sink) = write::page(&tree, ids, &edition.columns);
    prose::collect(&tree, &mut page);
    slips::collect(&tree, (text, body), edition, (syntax, definitions), &mut page);
    // Few pages contain suppressions. A variable may contain the word.
    if suppress::may_be_in(text) || !extracted.replaced.is_empty() {
        suppress::collect(&tree, &mut page);
    }
    page.navigation = extracted.navigation;
    page.switchers = extracted.switchers;
    page.platform_blocks = extracted.platform_blocks;
    page.replaced = extracted.replaced;
    page.problems.extend(extracted.problems);
    for problem in page.problems.iter_mut().filter(|it| it.code == Code::UnclosedElement) {
        slips::as_written(problem, text);
    }
    (page, sink)
}
