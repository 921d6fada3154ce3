//! Converts the ranges of a page that was parsed from a translated text to ranges in the file.

use std::ops::Range;

use super::{
    CodeBlock, Definition, Element, HandWritten, Heading, Note, Page, PageAnchor, PageTable, PageTableRow,
    PlatformBlock, Reference, Suppression, Switcher, SwitcherLink,
};
use crate::markdown::span::OffsetMap;
use base::diagnostic::{Edit, Problem, RelatedSpan};

impl Page {
    /// Converts every range in a text to its range in the file, with `map`.
    pub(in crate::markdown) fn relocate(&mut self, map: &OffsetMap) {
        let Self {
            headings,
            anchors,
            other_anchors: _,
            references,
            roles: _,
            definitions,
            code,
            blocks: _,
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
            conflicts,
            left_out: _,
            included: _,
            problems,
        } = self;
        let place = |span: &mut Range<usize>| *span = map.range(span.clone());
        for Heading { level: _, text: _, id: _, own_id: _, span } in headings.iter_mut() {
            place(span);
        }
        for PageAnchor { id: _, span } in anchors {
            place(span);
        }
        for Reference { kind: _, target: _, text: _, span, form: _ } in references.iter_mut() {
            place(span);
        }
        for Definition { label: _, target: _, span } in definitions {
            place(span);
        }
        for CodeBlock { language: _, code: _, marks: _, lines: _, span } in code.iter_mut() {
            place(span);
        }
        for Note { kind: _, span, trap } in notes {
            place(span);
            trap.iter_mut().for_each(place);
        }
        for PageTable { settings: _, header: _, rows, heading: _, span } in tables.iter_mut() {
            place(span);
            for PageTableRow { id: _, cells: _, written: _, span } in rows.iter_mut() {
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
}

fn relocate_problem(problem: &mut Problem, map: &OffsetMap) {
    let Problem { code: _, severity: _, span, message: _, help: _, target: _, related, data: _, edits } =
        problem;
    // An edit contains text in our own Markdown, so it is only valid where the file has the same text. Either all
    // edits of a finding apply, or none.
    if edits.iter().all(|edit| map.is_copy(&edit.span)) {
        for Edit { span, text: _ } in edits {
            *span = map.range(span.clone());
        }
    } else {
        edits.clear();
    }
    for RelatedSpan { file: _, span, label: _ } in related {
        *span = map.range(span.clone());
    }
    *span = map.range(span.clone());
}
