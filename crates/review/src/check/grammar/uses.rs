//! Elements that are unlike the same elements elsewhere in the site: the name or value of an attribute differs by a letter from a usual
//! one, an ID lacks the ID of the element around it, or a heading ends the section in which all others are.

use std::ops::Range;

use super::source::{PageSource, SourceLine};
use crate::check::text::exchanged;
use base::diagnostic::{Code, Diagnostic, Problem, misspelled};
use base::hash::HashSet;
use base::quoted::quoted;
use base::sorted::SortedMap;
use markup::markdown::ElementTag;
use site::content::Document;
use site::project::Project;

/// Minimum number of uses of what is meant.
const FEWEST: usize = 5;

/// Minimum number of elements with the usual form, for each with another one.
const USUAL: usize = 20;

/// Minimum length of a name with two exchanged letters.
const SHORTEST: usize = 3;

/// Attributes of HTML that differ by a letter from another one: <https://html.spec.whatwg.org/multipage/obsolete.html>.
const ALIKE: [&str; 3] = ["hspace", "valign", "vspace"];

/// Maximum number of different values of a choice.
const MOST_VALUES: usize = 100;

/// A text in a page.
type Place<'p> = (&'p Document, Range<usize>);

/// Names of attributes, or their values, each with the number of uses and the first place.
type Counts<'p> = SortedMap<String, (usize, Place<'p>)>;

/// The uses of elements in a site.
#[derive(Default)]
struct Uses<'p> {
    /// By element.
    names: SortedMap<String, Counts<'p>>,
    /// By element and attribute.
    values: SortedMap<(String, String), Counts<'p>>,
    /// Names in double braces, also in code.
    outputs: Counts<'p>,
    /// By the names of two elements next to each other: the number of IDs that begin with that of the first one, and the others.
    ids: SortedMap<(String, String), (usize, Vec<Place<'p>>)>,
    /// By component: the number of those in which no heading is above the level of the first, and such headings in others.
    levels: SortedMap<String, (usize, Vec<Place<'p>>)>,
}

/// Returns findings for elements that differ from several others.
pub(in crate::check) fn unusual(project: &Project) -> Vec<Diagnostic> {
    let repository = &project.site.repository;
    if repository.is_ours() {
        return Vec::new();
    }
    let documents = project.site.documents.iter().map(|document| &**document);
    // Platforms and other conditions have their own rule.
    let conditions = documents.clone().flat_map(|it| &it.conditions);
    let conditions: HashSet<(&str, &str)> =
        conditions.map(|it| (it.element.as_str(), it.attribute.as_str())).collect();
    let mut uses = Uses::default();
    for document in documents {
        let text = document.unwrapped_text();
        for (name, place) in outputs(&text, document.body) {
            count(&mut uses.outputs, name, (document, place));
        }
        if text.contains("=\"") || text.contains("='") {
            uses.add(document, &PageSource::of(&text, document.body, repository.convention));
        }
    }
    let values = uses
        .values
        .into_iter()
        .filter(|((element, attribute), _)| !conditions.contains(&(element.as_str(), attribute.as_str())));
    let outputs = rare(uses.outputs, false).map(|(name, meant, count, place)| {
        let message = format!("only this place has `{{{{{name}}}}}`, and {count} have `{{{{{meant}}}}}`");
        finding(Code::UnusualValue, message, &format!("{{{{{meant}}}}}"), place)
    });
    let names = uses.names.into_iter().flat_map(|(element, names)| {
        // Case matters in components.
        rare(names, element.starts_with(|c: char| c.is_ascii_uppercase())).map(
            move |(name, meant, count, place)| {
                let message =
                    format!("only this `<{element}>` has the attribute `{name}`, and {count} have `{meant}`");
                finding(Code::UnknownKey, message, &meant, place)
            },
        )
    });
    let values = values.flat_map(|((element, attribute), values)| {
        rare(values, false).map(move |(value, meant, count, place)| {
            let message = format!(
                "only this `<{element}>` has the `{attribute}` {}, and {count} have {}",
                quoted(&value),
                quoted(&meant)
            );
            finding(Code::UnusualValue, message, &meant, place)
        })
    });
    let ids = uses.ids.into_iter().flat_map(|((outer, inner), counted)| {
        exceptions(counted).map(move |(usual, (document, place))| {
            let message = format!(
                "the ID of this `<{inner}>` doesn't begin with that of the `<{outer}>` before it, unlike {usual} others"
            );
            let help = "use the same beginning for both".to_string();
            Problem::new(Code::UnusualValue, place, message).help(help).at(&document.path)
        })
    });
    let levels = uses.levels.into_iter().flat_map(|(name, counted)| {
        exceptions(counted).map(move |(usual, (document, place))| {
            let message = format!(
                "the heading is above the level of the first in `<{name}>`, unlike in {usual} others"
            );
            let help = "use the level of the first heading, or end the component before it".to_string();
            Problem::new(Code::UnusualValue, place, message).help(help).at(&document.path)
        })
    });
    outputs.chain(names).chain(values).chain(ids).chain(levels).collect()
}

impl<'p> Uses<'p> {
    fn add(&mut self, document: &'p Document, source: &PageSource<'_>) {
        let headings: Vec<Heading> = source.lines().filter_map(|line| Heading::of(&line)).collect();
        let mut around: Vec<ElementTag<'_>> = Vec::new();
        let mut last = LastIds::default();
        let mut end = source.body;
        for tag in source.tags().map(Some).chain([None]) {
            let start = tag.as_ref().map_or(source.shown.len(), |tag| tag.span.start);
            let between = source.shown.get(end..start).unwrap_or_default();
            for (at, _) in between.match_indices("</") {
                let name = &between[at + 2..];
                if let Some(open) = around.iter().rposition(|it| is_end(name, it.name)) {
                    let inside = around[open].span.end..end + at;
                    self.add_levels(document, around[open].name, inside, &headings);
                    around.truncate(open);
                }
            }
            let Some(tag) = tag else { break };
            end = tag.span.end;
            self.add_attributes(document, &tag);
            self.add_id(document, &mut last, &tag);
            if !tag.closes_itself {
                around.push(tag);
            }
        }
    }

    fn add_attributes(&mut self, document: &'p Document, tag: &ElementTag<'_>) {
        for (name, place) in tag.names().filter(|(name, _)| !ALIKE.contains(name)) {
            count(self.names.entry(tag.name.to_string()).or_default(), name, (document, place));
        }
        for (name, value) in tag.texts().filter(|(_, value)| is_name(value)) {
            let Some((_, place)) = tag.text(name) else { continue };
            let value = value.trim();
            let values = self.values.entry((tag.name.to_string(), name.to_string())).or_default();
            count(values, value, (document, place));
        }
    }

    /// Compares an ID with the last one before it that is of another element.
    fn add_id<'t>(&mut self, document: &'p Document, last: &mut LastIds<'t>, tag: &ElementTag<'t>) {
        let Some((id, place)) = tag.text("id") else { return };
        if last.own.as_ref().is_some_and(|(name, _)| *name != tag.name) {
            last.other = last.own.take();
        }
        last.own = Some((tag.name, id.to_string()));
        let Some((outer, start)) = &last.other else { return };
        let (usual, others) = self.ids.entry((outer.to_string(), tag.name.to_string())).or_default();
        if id.starts_with(start.as_str()) {
            *usual += 1;
        } else {
            others.push((document, place));
        }
    }

    fn add_levels(&mut self, document: &'p Document, name: &str, inside: Range<usize>, headings: &[Heading]) {
        let start = headings.partition_point(|it| it.place.start < inside.start);
        let end = headings.partition_point(|it| it.place.start < inside.end);
        let Some([first, others @ ..]) = headings.get(start..end).filter(|it| it.len() > 1) else { return };
        let (usual, above) = self.levels.entry(name.to_string()).or_default();
        match others.iter().find(|it| it.level < first.level) {
            Some(heading) => above.push((document, heading.place.clone())),
            None => *usual += 1,
        }
    }
}

/// Elements with an ID, each by its name and ID.
#[derive(Default)]
struct LastIds<'t> {
    own: Option<(&'t str, String)>,
    /// The last one before it with another name.
    other: Option<(&'t str, String)>,
}

struct Heading {
    level: usize,
    place: Range<usize>,
}

impl Heading {
    fn of(line: &SourceLine<'_>) -> Option<Self> {
        let text = line.text.trim_start();
        let level = text.bytes().take_while(|byte| *byte == b'#').count();
        ((1..=6).contains(&level) && text[level..].starts_with(' '))
            .then(|| Self { level, place: line.content() })
    }
}

/// Whether the text after `</` is the end tag of an element.
fn is_end(text: &str, name: &str) -> bool {
    text.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('>'))
}

/// Returns the names alone in double braces, each with its range: `{{api_key}}`.
fn outputs(text: &str, body: usize) -> impl Iterator<Item = (&str, Range<usize>)> {
    let opens = memchr::memmem::find_iter(&text.as_bytes()[body..], b"{{").map(move |at| body + at + 2);
    opens.filter_map(|start| {
        let name = &text[start..start + text[start..].find('}')?];
        let is_name = !name.is_empty() && name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
        (is_name && text[start + name.len()..].starts_with("}}")).then(|| (name, start..start + name.len()))
    })
}

/// Counts a use of a name. Of those that aren't a choice, only the first ones are counted.
fn count<'p>(counts: &mut Counts<'p>, name: &str, place: Place<'p>) {
    if let Some((uses, _)) = counts.get_mut(name) {
        *uses += 1;
    } else if counts.len() <= MOST_VALUES {
        counts.insert(name.to_string(), (1, place));
    }
}

/// Whether a value is a name of something that several elements share.
fn is_name(value: &str) -> bool {
    let is_in_name = |c: char| c.is_alphabetic() || matches!(c, '-' | '_' | ' ');
    !value.is_empty() && value.chars().all(is_in_name)
}

/// Returns the names with one use that resemble one with several: the name, the one that is meant, the number of its uses, and the place.
fn rare(counts: Counts<'_>, has_case: bool) -> impl Iterator<Item = (String, String, usize, Place<'_>)> {
    let shared = counts.iter().filter(|(_, (uses, _))| *uses >= FEWEST && counts.len() <= MOST_VALUES);
    let shared: Vec<(String, usize)> = shared.map(|(name, (uses, _))| (name.clone(), *uses)).collect();
    let slips = counts.into_iter().filter(|(_, (uses, _))| *uses == 1);
    slips.filter_map(move |(name, (_, place))| {
        let names = || shared.iter().map(|(name, _)| name.as_str());
        let is_swapped = |it: &&str| name.len() >= SHORTEST && exchanged(&name, it).is_some();
        let is_other_case = |it: &&str| has_case && it.eq_ignore_ascii_case(&name);
        let near = names().find(is_other_case).or_else(|| names().find(is_swapped));
        let near = near.or_else(|| misspelled(&name, names()))?;
        let (meant, uses) = shared.iter().find(|(it, _)| it == near)?.clone();
        (has_case || !meant.eq_ignore_ascii_case(&name)).then_some((name, meant, uses, place))
    })
}

/// Returns the places that differ from nearly all others, with the number of those.
fn exceptions((usual, others): (usize, Vec<Place<'_>>)) -> impl Iterator<Item = (usize, Place<'_>)> {
    let are_mistakes = usual >= USUAL * others.len();
    others.into_iter().filter(move |_| are_mistakes).map(move |place| (usual, place))
}

fn finding(code: Code, message: String, meant: &str, (document, place): Place<'_>) -> Diagnostic {
    let help = format!("did you mean {}?", quoted(meant));
    Problem::new(code, place, message).help(help).at(&document.path)
}
