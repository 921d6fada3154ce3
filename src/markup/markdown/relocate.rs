//! Gives a page that was read from a translated text the places of the file.

use std::collections::BTreeSet;
use std::ops::Range;

use super::dialect::{LeftOut, Translated, Why};
use super::slips::clipped;
use super::span::OffsetMap;
use super::{
    Anchor, CodeBlock, Definition, Element, HandWritten, Heading, Note, Page, PlatformBlock, Reference, Row,
    Suppression, Switcher, SwitcherLink, Table,
};
use crate::base::diagnostic::{Code, Edit, Problem, RelatedSpan};

impl Page {
    /// Replaces every place in a text by the place in the file that `map` has for it.
    pub(super) fn relocate(&mut self, map: &OffsetMap) {
        let Self {
            headings,
            anchors,
            other_anchors: _,
            references,
            definitions,
            code,
            notes,
            tables,
            prose,
            joined_lists,
            highest_step: _,
            suppressions,
            comments,
            unknown_elements,
            navigation,
            switchers,
            platform_blocks,
            replaced,
            minutes: _,
            conflicts,
            left_out: _,
            included: _,
            problems,
        } = self;
        let place = |span: &mut Range<usize>| *span = map.range(span.clone());
        for Heading { level: _, text: _, id: _, own_id: _, span } in headings.iter_mut() {
            place(span);
        }
        for Anchor { id: _, span } in anchors {
            place(span);
        }
        for Reference { kind: _, target: _, text: _, span, form: _ } in references.iter_mut() {
            place(span);
        }
        for Definition { target: _, span } in definitions {
            place(span);
        }
        for CodeBlock { language: _, code: _, marks: _, span } in code.iter_mut() {
            place(span);
        }
        for Note { kind: _, span, trap } in notes {
            place(span);
            trap.iter_mut().for_each(place);
        }
        for Table { settings: _, header: _, rows, heading: _, span } in tables.iter_mut() {
            place(span);
            for Row { id: _, cells: _, written: _, span } in rows.iter_mut() {
                place(span);
            }
        }
        for Suppression { codes: _, reason: _, covers, span } in suppressions {
            place(covers);
            place(span);
        }
        for Element { name: _, span } in unknown_elements {
            place(span);
        }
        for Switcher { links, span } in switchers {
            place(span);
            for SwitcherLink { label: _, target: _, target_span } in links {
                place(target_span);
            }
        }
        for HandWritten { direction: _, label: _, target: _, target_span, span, removal } in navigation {
            place(target_span);
            place(span);
            place(removal);
        }
        for PlatformBlock { platforms, excludes: _, span } in platform_blocks {
            place(span);
            for (_, span) in platforms {
                place(span);
            }
        }
        for spans in [joined_lists, comments, replaced, conflicts] {
            spans.iter_mut().for_each(place);
        }
        prose.relocate(map);
        for problem in problems {
            relocate_problem(problem, map);
        }
    }

    /// Names what the author wrote, where a finding names what it was translated to: `<TabItem label="a">` for `<tab label="a">`.
    pub(super) fn name_as_written(&mut self, text: &str, translated: &Translated) {
        for problem in &mut self.problems {
            let span = &problem.span;
            let is_generated = !span.is_empty() && !translated.map.is_copy(span);
            let (Some(ours), true) = (translated.text.get(span.clone()), is_generated) else { continue };
            let written = text.get(translated.map.range(span.clone())).unwrap_or_default();
            let written = written.trim().lines().next().unwrap_or_default().trim();
            if written.is_empty() || ours.trim().is_empty() {
                continue;
            }
            let ours = ours.trim().lines().next().unwrap_or_default();
            let first = ours.split([' ', '>']).next().unwrap_or_default();
            problem.message = with_names(&problem.message, first, written);
            problem.help = problem.help.as_deref().map(|help| with_names(help, first, written));
        }
    }

    /// Reports each kind of what was left out once.
    pub(super) fn report_left_out(&mut self) {
        let kinds: BTreeSet<(Why, &str)> = self.left_out.iter().map(|it| (it.why, &*it.kind)).collect();
        let problems: Vec<Problem> =
            kinds.into_iter().filter_map(|kind| left_out(&self.left_out, kind)).collect();
        self.problems.extend(problems);
    }
}

/// A message with other names in its backquotes: `written` for what begins with `ours`, and what ends that for what ends ours.
fn with_names(message: &str, ours: &str, written: &str) -> String {
    let end = match ours.strip_prefix('<') {
        Some(name) => format!("</{name}>"),
        None => ours.chars().take_while(|c| *c == ':').collect(),
    };
    let other = |inside: &str| match () {
        () if inside == end && ours != end => end_of(written),
        () if inside.starts_with(ours) => Some(clipped(written)),
        () => None,
    };
    let pieces = message.split('`').enumerate().map(|(at, piece)| match at % 2 {
        1 => other(piece).unwrap_or_else(|| piece.to_string()),
        _ => piece.to_string(),
    });
    pieces.collect::<Vec<_>>().join("`")
}

/// What ends a construct in its own syntax.
fn end_of(written: &str) -> Option<String> {
    let name = |rest: &str| -> Option<String> {
        let name = rest.trim_start().split([' ', '>', '%', '\n', '/', '}']).next().unwrap_or_default();
        (!name.is_empty()).then(|| name.to_string())
    };
    let forms =
        [("{{<", "{{< /", " >}}"), ("{{%", "{{% /", " %}}"), ("{%", "{% end", " %}"), ("<", "</", ">")];
    forms.iter().find_map(|(sign, open, close)| {
        let name = name(written.strip_prefix(sign)?)?;
        Some(format!("{open}{name}{close}"))
    })
}

fn relocate_problem(problem: &mut Problem, map: &OffsetMap) {
    let Problem { code: _, severity: _, span, message: _, help: _, target: _, related, data: _, edits } =
        problem;
    // An edit says what to write in our own Markdown, so it holds only where that is what the file has; and all of a
    // finding's edits are made, or none.
    match edits.iter().all(|edit| map.is_copy(&edit.span)) {
        true => edits.iter_mut().for_each(|Edit { span, text: _ }| *span = map.range(span.clone())),
        false => edits.clear(),
    }
    for RelatedSpan { file: _, span, label: _ } in related {
        *span = map.range(span.clone());
    }
    *span = map.range(span.clone());
}

/// The names that a finding lists at most.
const MOST_NAMES: usize = 6;

fn left_out(all: &[LeftOut], (why, kind): (Why, &str)) -> Option<Problem> {
    let of_kind: Vec<&LeftOut> = all.iter().filter(|it| it.why == why && it.kind == kind).collect();
    let first = of_kind.first()?;
    let names: BTreeSet<&str> =
        of_kind.iter().map(|it| it.name.trim()).filter(|name| !name.is_empty()).collect();
    let shown: Vec<String> = names.iter().take(MOST_NAMES).map(|name| format!("`{name}`")).collect();
    let more = match names.len().saturating_sub(MOST_NAMES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let listed = if shown.is_empty() { String::new() } else { format!(": {}{more}", shown.join(", ")) };
    let count = of_kind.len();
    let (one, many) = nouns(kind);
    let message = match (why, count) {
        (Why::Unknown, 1) => format!("{one} is not known here and left out{listed}"),
        (Why::Unknown, _) => format!("{count} {many} are not known here and left out{listed}"),
        (Why::Outside, 1) => {
            format!("a file that is included here is outside of the site's root and left out{listed}")
        }
        (Why::Outside, _) => {
            format!(
                "{count} files that are included here are outside of the site's root and left out{listed}"
            )
        }
        (Why::Missing, 1) => format!("a file that is included here does not exist{listed}"),
        (Why::Missing, _) => format!("{count} files that are included here do not exist{listed}"),
    };
    let mut problem = Problem::new(Code::ForeignSyntax, first.span.clone(), message);
    if why != Why::Missing {
        problem = problem.as_advice();
    }
    let names: Vec<String> = names.into_iter().map(str::to_string).collect();
    Some(problem.data("syntax", kind).data("places", count).data("names", names))
}

/// What a kind is called, one and many.
fn nouns(kind: &str) -> (&'static str, &'static str) {
    match kind {
        "mdx-component" => ("a component of MDX", "components of MDX"),
        "jsx-expression" => ("an expression of MDX", "expressions of MDX"),
        "hugo-shortcode" => ("a shortcode of Hugo", "shortcodes of Hugo"),
        "liquid-tag" => ("a Liquid tag", "Liquid tags"),
        "template-output" => ("an output of a template", "outputs of a template"),
        "mdbook-directive" => ("a directive of mdBook", "directives of mdBook"),
        "myst-directive" => ("a directive of Sphinx", "directives of Sphinx"),
        "snippet" => ("an include", "includes"),
        "vue-component" => ("a component of Vue", "components of Vue"),
        _ => ("a construct of another tool", "constructs of another tool"),
    }
}
