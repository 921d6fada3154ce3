//! Restores what the author wrote on a page that was parsed from a translated text: names, the generator's anchors,
//! and content that was left out.

use std::ops::Range;

use super::Translated;
use super::construct::Construct;
use super::table::CONSTRUCTS;
use super::translator::UNKNOWN;
use crate::markdown::lines::run_length;
use crate::markdown::page::{Heading, Omission, OmissionReason, Page, PageAnchor, ReferenceForm};
use base::diagnostic::{Code, Problem};
use base::lines::placed;
use base::quoted::{in_quotes, parts, quoted};
use base::sorted::SortedSet;
use input::conventions::AnchorRule;

/// The data of findings about included files that don't exist.
pub const INCLUDES: &str = "includes";

impl Page {
    /// Adds the IDs that generators give to footnotes and tabs.
    pub(in crate::markdown) fn anchors_of_generator(
        &mut self,
        text: &str,
        body: usize,
        tabs: &[(String, Range<usize>)],
    ) {
        let mut count = 0;
        for (at, line) in placed(&text[body..], body) {
            let indent = line.len() - line.trim_start().len();
            let name = line[indent..].strip_prefix("[^").and_then(|rest| rest.split_once("]:"));
            if let Some((name, _)) = name.filter(|(name, _)| !name.contains(']')) {
                count += 1;
                let span = at + indent..at + indent + name.len() + 3;
                // IDs by Python-Markdown, kramdown and goldmark, by markdown-it, and by remark. Some use the name,
                // others a number.
                for name in [name, &count.to_string()] {
                    let ids = ["fn:", "fnref:", "fn", "fnref", "user-content-fn-", "user-content-fnref-"];
                    let ids =
                        ids.iter().map(|it| PageAnchor { id: format!("{it}{name}"), span: span.clone() });
                    self.other_anchors.extend(ids);
                }
            }
        }
        let mut headings = self.headings.iter().peekable();
        let mut above: Option<&Heading> = None;
        for (label, span) in tabs {
            while headings.peek().is_some_and(|heading| heading.span.start <= span.start) {
                above = headings.next();
            }
            for rule in [AnchorRule::Trimmed, AnchorRule::Python] {
                let id = rule.id(label);
                let joined = above.map(|heading| format!("{}-{id}", heading.id));
                let ids = joined.into_iter().chain([id]);
                self.other_anchors.extend(ids.map(|id| PageAnchor { id, span: span.clone() }));
            }
        }
    }

    /// Turns findings about missing tags into information, because a missing include may contain the other tag, unless it is missing
    /// before the next element of the same class begins. It doesn't contain the end of a comment.
    pub(in crate::markdown) fn doubt_tags(&mut self, text: &str) {
        let missing = self
            .left_out
            .iter()
            .filter(|it| !matches!(it.why, OmissionReason::Unknown | OmissionReason::Reported))
            .map(|it| it.span.start);
        let missing: Vec<usize> = missing.collect();
        let (Some(&first), Some(&last)) = (missing.iter().min(), missing.iter().max()) else { return };
        let ends_before_next = |span: &Range<usize>| {
            let next = next_of_class(text, span);
            next.is_some_and(|next| !missing.iter().any(|at| (span.end..next).contains(at)))
        };
        let is_of_tags = |problem: &&mut Problem| match problem.code {
            Code::StrayEndTag => first < problem.span.start,
            Code::UnclosedElement => {
                let is_comment = text.get(problem.span.clone()).is_some_and(|it| it.starts_with("<!--"));
                problem.span.start < last && !is_comment && !ends_before_next(&problem.span)
            }
            _ => false,
        };
        for problem in self.problems.iter_mut().filter(is_of_tags) {
            *problem = problem.clone().as_advice();
        }
    }

    /// Marks the URLs with a part that only the generator can determine.
    pub(in crate::markdown) fn set_unknown_apart(&mut self, text: &str) {
        // An expression, or a part that was left out.
        let is_unknown =
            |target: &str| target.contains(UNKNOWN) || target.contains("${") || target.contains("$(");
        let written = |span: &Range<usize>, target: &str| match text.get(span.clone()) {
            Some(written) if !written.is_empty() => written.to_string(),
            _ => target.replace(UNKNOWN, ""),
        };
        for it in self.references.iter_mut().filter(|it| is_unknown(&it.target)) {
            it.target = written(&it.span, &it.target);
            it.form = ReferenceForm::Foreign;
        }
        for it in self.definitions.iter_mut().filter(|it| is_unknown(&it.target)) {
            it.target = written(&it.span, &it.target);
        }
    }

    /// Uses the author's syntax in findings instead of its translation: `<TabItem label="a">` for `<tab label="a">`.
    pub(in crate::markdown) fn name_as_written(&mut self, text: &str, translated: &Translated) {
        for problem in &mut self.problems {
            let span = &problem.span;
            // The backticks of these messages are the marks of a fence, and not quotes around a name.
            let has_names = problem.code != Code::UnclosedFence;
            let is_generated = has_names && !span.is_empty() && !translated.map.is_copy(span);
            let (Some(ours), true) = (translated.text.get(span.clone()), is_generated) else { continue };
            let place = translated.map.range(span.clone());
            let ours = ours.trim().lines().next().unwrap_or_default();
            let written = if translated.included.iter().any(|it| it.span == place) {
                // If a part of the included file is Markdown, its name stays.
                let is_here = |(of, line, _): &&(_, String, _)| *of == place && line == ours;
                translated.renamed.iter().find(is_here).map_or("", |(.., written)| written)
            } else {
                text.get(place).unwrap_or_default()
            };
            let written = written.trim().lines().next().unwrap_or_default().trim();
            if written.is_empty() || ours.is_empty() {
                continue;
            }
            let first = ours.split([' ', '>']).next().unwrap_or_default();
            problem.message = with_names(&problem.message, first, written);
            // Help that shows our own tag is useless to an author who wrote something else.
            let help =
                problem.help.as_deref().map(|help| help.split(", or use `&lt;").next().unwrap_or_default());
            problem.help = help.map(|help| with_names(help, first, written));
        }
    }

    /// Reports once each kind of content that was left out.
    pub(in crate::markdown) fn report_left_out(&mut self) {
        let kinds: SortedSet<(OmissionReason, &str)> =
            self.left_out.iter().map(|it| (it.why, &*it.kind)).collect();
        let problems: Vec<Problem> =
            kinds.into_iter().filter_map(|kind| left_out(&self.left_out, kind)).collect();
        self.problems.extend(problems);
    }
}

/// Replaces code in the quotes of a message: `written` for text that begins with `ours`, and the end of `written`
/// for the end of `ours`.
fn with_names(message: &str, ours: &str, written: &str) -> String {
    let end = match ours.strip_prefix('<') {
        Some(name) => format!("</{name}>"),
        None => ours.chars().take_while(|c| *c == ':').collect(),
    };
    let other = |inside: &str| match () {
        () if inside == end && ours != end => end_of(written),
        () if inside.starts_with(ours) => Some(written.to_string()),
        () => None,
    };
    let part = |(is_quoted, text): (bool, &str)| match (is_quoted, other(text)) {
        (false, _) => text.to_string(),
        (true, Some(other)) => quoted(&other),
        (true, None) => in_quotes(text),
    };
    parts(message).into_iter().map(part).collect()
}

/// Returns the end of a construct in its own syntax.
fn end_of(written: &str) -> Option<String> {
    let name = |rest: &str| -> Option<String> {
        let name = rest.trim_start().split([' ', '>', '%', '\n', '/', '}']).next().unwrap_or_default();
        (!name.is_empty()).then(|| name.to_string())
    };
    let mark = written.bytes().next().filter(|mark| matches!(mark, b':' | b'`' | b'~'));
    if let Some(marks) = mark.map(|mark| run_length(written, mark)).filter(|marks| *marks >= 3) {
        return Some(written[..marks].to_string());
    }
    let forms =
        [("{{<", "{{< /", " >}}"), ("{{%", "{{% /", " %}}"), ("{%", "{% end", " %}"), ("<", "</", ">")];
    forms.iter().find_map(|(sign, open, close)| {
        let name = name(written.strip_prefix(sign)?)?;
        Some(format!("{open}{name}{close}"))
    })
}

/// Maximum number of names in a finding.
const MOST_NAMES: usize = 6;

fn left_out(all: &[Omission], (why, kind): (OmissionReason, &str)) -> Option<Problem> {
    let of_kind: Vec<&Omission> = all.iter().filter(|it| it.why == why && it.kind == kind).collect();
    let first = of_kind.first()?;
    let names: SortedSet<&str> =
        of_kind.iter().map(|it| it.name.trim()).filter(|name| !name.is_empty()).collect();
    let shown: Vec<String> = names.iter().take(MOST_NAMES).map(|name| format!("`{name}`")).collect();
    let more = match names.len().saturating_sub(MOST_NAMES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let listed = if shown.is_empty() { String::new() } else { format!(": {}{more}", shown.join(", ")) };
    let places = of_kind.len();
    // A missing file may be included several times.
    let count = if why == OmissionReason::Missing { names.len().max(1) } else { places };
    let (one, many) = nouns(kind);
    let message = match (why, count) {
        (OmissionReason::Reported, _) => return None,
        (OmissionReason::Unknown, 1) => format!("{one} is not supported and was left out{listed}"),
        (OmissionReason::Unknown, _) => format!("{count} {many} are not supported and were left out{listed}"),
        (OmissionReason::Outside, 1) => {
            format!("an included file is outside the site root and was left out{listed}")
        }
        (OmissionReason::Outside, _) => {
            format!("{count} included files are outside the site root and were left out{listed}")
        }
        (OmissionReason::Missing, 1) => format!("an included file doesn't exist{listed}"),
        (OmissionReason::Missing, _) => format!("{count} included files don't exist{listed}"),
    };
    let mut problem = Problem::new(Code::UnsupportedSyntax, first.span.clone(), message);
    if why != OmissionReason::Missing {
        problem = problem.as_advice();
    }
    // One missing file may be a mistake. Several on one page are written by a program, as constructs are.
    if why != OmissionReason::Missing || places > 1 {
        problem = problem.data("places", places);
    }
    let names: Vec<String> = names.into_iter().map(str::to_string).collect();
    let problem = problem.data("syntax", kind).data("names", names);
    Some(if why == OmissionReason::Missing { problem.data(INCLUDES, true) } else { problem })
}

/// Returns the name of a kind, in singular and plural.
fn nouns(kind: &str) -> (&'static str, &'static str) {
    let known = CONSTRUCTS.iter().find(|construct| construct.name == kind);
    known.unwrap_or(&Construct::SILENT).nouns
}

/// Returns the start of the next element with the name and class of this one, if the text contains two more of them.
fn next_of_class(text: &str, tag: &Range<usize>) -> Option<usize> {
    let written = text.get(tag.clone())?;
    let class = written[written.find("class=\"")?..].split_inclusive('"').take(2).collect::<String>();
    let name = written.split([' ', '>', '\n']).next()?;
    let is_same = |at: &usize| {
        let opened = text[*at..].split('>').next().unwrap_or_default();
        opened.split(' ').next() == Some(name) && opened.contains(&class)
    };
    let places = text.match_indices(name).map(|(at, _)| at);
    let places: Vec<usize> = places.filter(is_same).collect();
    places.iter().copied().find(|at| *at >= tag.end).filter(|_| places.len() > 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_element_ends_before_the_next_of_its_class() {
        let text = "<div class=\"a\">x</div><div class=\"a b\">y</div><div id=\"i\" class=\"a\">z</div><div class=\"a\">";
        assert_eq!(next_of_class(text, &(0..15)), text.match_indices("<div").nth(2).map(|(at, _)| at));
        assert_eq!(next_of_class(text, &(text.len() - 15..text.len())), None);
        assert_eq!(next_of_class("<div class=\"a\"><div class=\"a\">", &(0..15)), None);
    }
}
