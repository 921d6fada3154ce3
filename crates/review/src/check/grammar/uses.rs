//! Elements that are unlike the same elements elsewhere in the site.
//!
//! What nearly all elements have in common is a rule of the site: a name that several have, and the form of IDs, references and headings.
//! One that differs is a mistake.

use std::ops::Range;

use super::name_groups::{Counts, MOST_NAMES, NameCounts, NameGroup, UsePlace, count, is_component};
use super::source::{PageSource, SourceLine};
use base::diagnostic::{Code, Diagnostic, Problem, distance_within};
use base::hash::HashSet;
use base::items::only;
use base::site_path;
use base::sorted::SortedMap;
use input::conventions::{Repository, Syntax};
use input::source::Sources;
use markup::markdown::ElementTag;
use site::content::Document;
use site::plan::{Destination, Resolver};
use site::project::Project;

/// Minimum number of elements with the usual form, for each with another one.
const USUAL: usize = 12;

/// A page without any of these has nothing to count.
const SIGNS: [&str; 8] = ["=\"", "='", "```", " :", "<!--", "{/*", "{:", "{."];

/// A form that elements have in common.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    /// The ID of an element begins with that of another one before it.
    Beginning { before: String, element: String },
    /// The value of an attribute is an ID on the page.
    Reference { element: String, attribute: String },
    /// No element before it has the same ID.
    Distinct { element: String },
    /// No element directly before it, in a row of them, has the same value of its only attribute besides `class`.
    InRow { element: String, attribute: String },
    /// No heading in an element is above the level of the first.
    Level { element: String },
    /// A list that begins with a name in an element follows a rule.
    Rule { element: String },
    /// A link in the expressions of a component leads to a page.
    Page { element: String },
    /// The value of an attribute is the path of a file from the root of the repository.
    File { element: String, attribute: String },
}

/// The number of elements with a form, and those without.
#[derive(Default)]
struct Habit<'p> {
    usual: usize,
    others: Vec<UsePlace<'p>>,
}

/// The uses of elements in a site.
#[derive(Default)]
struct Uses<'p> {
    names: NameCounts<'p>,
    habits: SortedMap<Form, Habit<'p>>,
    /// By component, and by the names of all its attributes.
    kinds: SortedMap<String, Counts<'p, Vec<String>>>,
    /// The number of diagrams, and the code blocks that only lack the language of one.
    diagrams: Habit<'p>,
    /// Names in double braces with one that lacks its second.
    halves: Vec<(String, UsePlace<'p>)>,
    /// The number of MDX pages with comments, and the comments that are none in MDX.
    comments: Habit<'p>,
}

/// Returns findings for elements that differ from several others.
pub(in crate::check) fn unusual(project: &Project) -> Vec<Diagnostic> {
    let repository = &project.site.repository;
    if repository.is_ours() {
        return Vec::new();
    }
    let mut uses = Uses::default();
    let resolver = project.resolver();
    for document in project.site.documents.iter().map(|document| &**document) {
        let text = document.unwrapped_text();
        uses.names.add_text(document, &text, repository.convention);
        uses.names.add_conditions(document);
        // Liquid is read by its own rules.
        let has_other_outputs = repository.convention.has(Syntax::Liquid);
        let halves: Vec<_> = halves(&text, document.body).filter(|_| !has_other_outputs).collect();
        let has_elements = SIGNS.iter().any(|sign| text.contains(sign));
        if has_elements || !halves.is_empty() {
            let source = PageSource::of(&text, document.body, repository.convention);
            uses.add_halves(document, &source, halves);
            if has_elements {
                uses.add(document, &source, (&resolver, &project.sources));
            }
        }
    }
    // Platforms and other conditions are counted by pages.
    for condition in project.site.documents.iter().flat_map(|it| &it.conditions) {
        let (element, attribute) = (condition.element.clone(), condition.attribute.clone());
        uses.habits.remove(&Form::InRow { element: element.clone(), attribute: attribute.clone() });
        uses.names.remove(&NameGroup::Value { element, attribute });
    }
    uses.findings(repository)
}

impl<'p> Uses<'p> {
    fn findings(self, repository: &Repository) -> Vec<Diagnostic> {
        let names = self.names.findings();
        let kinds = self.kinds.iter().filter_map(|(element, kinds)| replaced(element, kinds));
        let mut places = HashSet::default();
        let habits = self.habits.iter();
        let habits = habits.flat_map(|(form, habit)| habit.exceptions(form).map(move |it| (form, it)));
        let habits = habits.filter_map(|(form, it)| {
            // Components inside a repeated one are repeated, too.
            let at = Some(it.problem.span.start).filter(|_| !matches!(form, Form::Distinct { .. }));
            places.insert((it.file.clone(), at)).then_some(it)
        });
        let Habit { usual: diagrams, others } = &self.diagrams;
        let unmarked = others.iter().filter(|_| *diagrams > 0).map(|(document, place)| {
            let message = "the code block is a diagram without its language, so readers see its code";
            let problem = Problem::new(Code::UnknownLanguage, place.clone(), message.to_string());
            problem.as_warning().help("add `mermaid`".to_string()).at(&document.path)
        });
        let Habit { usual: comments, others } = &self.comments;
        let are_mistakes = *comments >= USUAL * others.len();
        let html = others.iter().filter(|_| are_mistakes).map(|(document, place)| {
            let message =
                format!("MDX has no HTML comments, so the page doesn't compile, unlike {comments} others");
            let problem = Problem::new(Code::UnsupportedSyntax, place.clone(), message);
            problem.help("use `{/* … */}`".to_string()).at(&document.path)
        });
        let is_output = |name: &String| {
            let is_defined = repository.output_names.as_ref().is_some_and(|it| it.contains(name));
            is_defined || self.names.is_output(name)
        };
        let halves = self.halves.iter().filter(|(name, _)| is_output(name));
        let halves = halves.map(|(name, (document, place))| {
            let message = format!("the output of `{name}` lacks a brace, so readers see it");
            let problem = Problem::new(Code::UnsupportedSyntax, place.clone(), message).as_warning();
            problem.help(format!("use `{{{{{name}}}}}`")).at(&document.path)
        });
        names.chain(halves).chain(kinds).chain(habits).chain(unmarked).chain(html).collect()
    }

    /// Adds those of the halves that aren't code.
    fn add_halves(
        &mut self,
        document: &'p Document,
        source: &PageSource<'_>,
        halves: Vec<(&str, Range<usize>)>,
    ) {
        let is_code = |at: usize| source.fences.iter().any(|fence| fence.code.contains(&at));
        for (name, place) in halves {
            if source.shown.get(place.clone()) == source.text.get(place.clone()) && !is_code(place.start) {
                self.halves.push((name.to_string(), (document, place)));
            }
        }
    }

    fn add(
        &mut self,
        document: &'p Document,
        source: &PageSource<'_>,
        (resolver, sources): (&Resolver<'_>, &Sources),
    ) {
        for fence in &source.fences {
            match fence.language {
                "mermaid" => self.diagrams.usual += 1,
                "" if begins_diagram(&source.text[fence.code.clone()]) => {
                    let open = source.text[..fence.info.start].trim_end().len();
                    self.diagrams.others.push((document, open - 3..open));
                }
                _ => {}
            }
        }
        if source.syntax.contains(&Syntax::Mdx) && document.path.as_str().ends_with(".mdx") {
            self.comments.usual += usize::from(source.text.contains("{/*"));
            let is_in_code = |at: usize| source.fences.iter().any(|fence| fence.code.contains(&at));
            let opens = source.text.match_indices("<!--").map(|(at, _)| at);
            let mut opens = opens.filter(|at| {
                let before = source.text[..*at].lines().next_back().unwrap_or_default();
                before.trim().is_empty() && !is_in_code(*at)
            });
            self.comments.others.extend(opens.next().map(|at| (document, at..at + 4)));
        }
        self.names.add_source(document, source);
        let tags: Vec<ElementTag<'_>> = source.tags().collect();
        for tag in &tags {
            self.names.add_tag(document, tag);
            self.add_kind(document, tag);
            if tag.is_component() && source.syntax.contains(&Syntax::Mdx) {
                self.add_links(document, tag, source.text, resolver);
                self.add_files(document, tag, sources);
            }
        }
        self.add_ids(document, &tags);
        self.add_contents(document, source, &tags);
    }

    fn add_kind(&mut self, document: &'p Document, tag: &ElementTag<'_>) {
        // An expression may contain any attribute.
        if is_component(tag.name) && !tag.may_have("") {
            let mut kind: Vec<String> = tag.names().map(|(name, _)| name.to_string()).collect();
            kind.sort_unstable();
            let counts = self.kinds.entry(tag.name.to_string()).or_default();
            count(counts, kind, (document, tag.span.clone()), MOST_NAMES);
        }
    }

    fn add_links(
        &mut self,
        document: &'p Document,
        tag: &ElementTag<'_>,
        text: &str,
        resolver: &Resolver<'_>,
    ) {
        /// The keys of links in tables.
        const KEYS: [&str; 4] = ["href", "link", "to", "url"];
        let (inside, start) = (&text[tag.span.clone()], tag.span.start);
        for (at, sign) in inside.match_indices(": \"/").chain(inside.match_indices(": '/")) {
            let key = inside[..at].trim_end_matches(['"', '\'']);
            let key = key.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            let (from, quote) = (at + sign.len() - 1, &sign[2..3]);
            let Some(length) = inside[from..].find(quote).filter(|_| KEYS.contains(&key)) else { continue };
            let found = resolver.resolve(document, &inside[from..from + length]);
            let is_found = !matches!(found, Destination::Missing { .. });
            let place = start + from..start + from + length;
            self.add_form(Form::Page { element: tag.name.to_string() }, is_found, (document, place));
        }
    }

    fn add_files(&mut self, document: &'p Document, tag: &ElementTag<'_>, sources: &Sources) {
        let has_file_name = |path: &str| {
            let ending = site_path::file_name(path).rsplit_once('.').map_or("", |(_, ending)| ending);
            !ending.is_empty() && ending.bytes().all(|it| it.is_ascii_alphanumeric())
        };
        for (name, value, place) in tag.texts() {
            let is_path =
                value.contains('/') && !value.starts_with(['/', '.']) && !value.contains([':', ' ', '*']);
            if is_path && has_file_name(value) {
                let form = Form::File { element: tag.name.to_string(), attribute: name.to_string() };
                self.add_form(form, sources.has_file(value), (document, place));
            }
        }
    }

    fn add_ids(&mut self, document: &'p Document, tags: &[ElementTag<'_>]) {
        let mut ids: HashSet<&str> = HashSet::default();
        // The last element with an ID, and the last one before it with another name.
        let (mut last, mut other) = (None, None);
        for tag in tags {
            let Some((id, place)) = tag.text("id") else { continue };
            if last.is_some_and(|(name, _)| name != tag.name) {
                other = last;
            }
            last = Some((tag.name, id));
            let element = tag.name.to_string();
            if let Some((before, start)) = other {
                let form = Form::Beginning { before: before.to_string(), element: element.clone() };
                self.add_form(form, id.starts_with(start), (document, place.clone()));
            }
            let is_new = ids.insert(id);
            if tag.is_component() {
                self.add_form(Form::Distinct { element }, is_new, (document, place));
            }
        }
        for tag in tags.iter().filter(|tag| tag.is_component()) {
            for (name, value, place) in tag.texts().filter(|(name, ..)| *name != "id") {
                let form = Form::Reference { element: tag.name.to_string(), attribute: name.to_string() };
                self.add_form(form, ids.contains(value), (document, place));
            }
        }
    }

    fn add_contents(&mut self, document: &'p Document, source: &PageSource<'_>, tags: &[ElementTag<'_>]) {
        let headings: Vec<Heading> = source.lines().filter_map(|line| Heading::of(&line)).collect();
        let mut around: Vec<&ElementTag<'_>> = Vec::new();
        let mut rows = Rows::default();
        let mut end = source.body;
        for tag in tags.iter().map(Some).chain([None]) {
            let start = tag.map_or(source.shown.len(), |tag| tag.span.start);
            let between = source.shown.get(end..start).unwrap_or_default();
            for (at, _) in between.match_indices("</") {
                let name = &between[at + 2..];
                let Some(open) = around.iter().rposition(|it| is_end(name, it.name)) else { continue };
                let (element, inside) = (around[open].name, around[open].span.end..end + at);
                self.add_levels(document, element, &inside, &headings);
                self.add_rules(document, element, &inside, source.text);
                around.truncate(open);
                rows.end(open, end + at + 2 + name.find('>').map_or(0, |it| it + 1));
            }
            let Some(tag) = tag else { break };
            if let Some((attribute, is_new, place)) = rows.add(around.len(), tag, &source.shown) {
                let form = Form::InRow { element: tag.name.to_string(), attribute: attribute.to_string() };
                self.add_form(form, is_new, (document, place));
            }
            end = tag.span.end;
            if !tag.closes_itself {
                around.push(tag);
            }
        }
    }

    fn add_levels(&mut self, document: &'p Document, element: &str, inside: &Range<usize>, all: &[Heading]) {
        let before = |end: usize| all.partition_point(|it| it.place.start < end);
        let Some([first, others @ ..]) = all.get(before(inside.start)..before(inside.end)) else { return };
        let Some(other) = others.first() else { return };
        let above = others.iter().find(|it| it.level < first.level);
        let form = Form::Level { element: element.to_string() };
        self.add_form(form, above.is_none(), (document, above.unwrap_or(other).place.clone()));
    }

    fn add_rules(&mut self, document: &'p Document, element: &str, inside: &Range<usize>, text: &str) {
        let Some(content) = text.get(inside.clone()).filter(|it| it.contains("- `")) else { return };
        let (mut before, mut at, mut is_new) = ("", inside.start, true);
        for line in content.split_inclusive('\n') {
            let (start, bare) = (at, line.trim());
            at += line.len();
            let name = bare.strip_prefix("- `").and_then(|it| it.strip_suffix('`'));
            // Others are lists in a text.
            let is_entry = is_new && name.is_some_and(|it| !it.contains('`')) && !before.ends_with(':');
            if is_entry && !before.is_empty() {
                let from = start + line.len() - line.trim_start().len();
                let form = Form::Rule { element: element.to_string() };
                self.add_form(form, before == "---", (document, from..from + bare.len()));
            }
            is_new = bare.is_empty();
            if !is_new {
                before = bare;
            }
        }
    }

    fn add_form(&mut self, form: Form, is_usual: bool, place: UsePlace<'p>) {
        let Habit { usual, others } = self.habits.entry(form).or_default();
        if is_usual {
            *usual += 1;
        } else if others.len() <= MOST_NAMES {
            others.push(place);
        }
    }
}

/// The rows of elements with one name that follow each other, by depth.
#[derive(Default)]
struct Rows<'t>(Vec<Row<'t>>);

#[derive(Default)]
struct Row<'t> {
    element: &'t str,
    /// The end of its last element.
    end: usize,
    values: HashSet<(&'t str, &'t str)>,
}

impl<'t> Rows<'t> {
    /// Ends the last element at a depth.
    fn end(&mut self, depth: usize, end: usize) {
        self.0.truncate(depth + 1);
        if let Some(row) = self.0.get_mut(depth) {
            row.end = end;
        }
    }

    /// Adds an element. Returns its only attribute besides `class`, and whether the value is new, if it isn't the first of its row.
    fn add(
        &mut self,
        depth: usize,
        tag: &'t ElementTag<'t>,
        text: &str,
    ) -> Option<(&'t str, bool, Range<usize>)> {
        self.0.resize_with(depth + 1, Row::default);
        let row = &mut self.0[depth];
        let is_beside = text.get(row.end..tag.span.start).is_some_and(|it| it.trim().is_empty());
        let goes_on = row.element == tag.name && is_beside;
        if !goes_on {
            *row = Row { element: tag.name, ..Row::default() };
        }
        row.end = tag.span.end;
        let texts = tag.texts().filter(|(name, ..)| *name != "class");
        let (name, value, place) = only(texts)?;
        // The fields of forms have values of any meaning.
        let is_choice = tag.is_component() || name.starts_with("data-");
        let is_new = row.values.insert((name, value)) || !is_choice;
        goes_on.then_some((name, is_new, place))
    }
}

impl Habit<'_> {
    /// Returns findings for the others, if nearly all elements have the form.
    fn exceptions(&self, form: &Form) -> impl Iterator<Item = Diagnostic> {
        let usual = self.usual;
        let (message, help) = match form {
            Form::Beginning { before, element } => (
                format!(
                    "the ID of this `<{element}>` doesn't begin with that of the `<{before}>` before it, unlike {usual} others"
                ),
                Some("use the same beginning for both"),
            ),
            Form::Reference { element, attribute } => (
                format!("the page has no ID like this `{attribute}` of `<{element}>`, unlike {usual} others"),
                None,
            ),
            Form::Distinct { element } => (
                format!("a component before this `<{element}>` has the same ID, unlike {usual} others"),
                Some("change one of the two"),
            ),
            Form::InRow { element, attribute } => (
                format!(
                    "a `<{element}>` before it in this row has the same `{attribute}`, unlike {usual} others"
                ),
                Some("change one of the two"),
            ),
            Form::Page { element } => (
                format!("this page doesn't exist, unlike those of {usual} other links in `<{element}>`"),
                Some("correct the path"),
            ),
            Form::File { element, attribute } => (
                format!(
                    "the repository has no such file, unlike for {usual} other `{attribute}` of `<{element}>`"
                ),
                Some("correct the path"),
            ),
            Form::Rule { element } => (
                format!("no `---` is above this entry of `<{element}>`, unlike {usual} others"),
                Some("add it, with blank lines around it"),
            ),
            Form::Level { element } => (
                format!(
                    "the heading is above the level of the first in `<{element}>`, unlike in {usual} others"
                ),
                Some("use the level of the first heading, or end the component before it"),
            ),
        };
        // Missing pages may be those of other repositories, which are reported once.
        let is_page = matches!(form, Form::Page { .. });
        let share = if is_page { 2 } else { USUAL };
        let are_mistakes = usual >= USUAL && usual >= share * self.others.len();
        self.others.iter().filter(move |_| are_mistakes).map(move |(document, place)| {
            let code = match form {
                Form::Page { .. } => Code::MissingPage,
                Form::File { .. } => Code::MissingFile,
                _ => Code::UnusualValue,
            };
            let problem = Problem::new(code, place.clone(), message.clone()).as_warning();
            let target = document.text().get(place.clone()).filter(|_| is_page).map(str::to_string);
            let problem = target.into_iter().fold(problem, Problem::target);
            problem.help(help.map(str::to_string)).at(&document.path)
        })
    }
}

/// Whether code is a diagram: <https://mermaid.js.org/intro/syntax-reference.html>.
fn begins_diagram(code: &str) -> bool {
    const NAMES: [&str; 6] =
        ["classDiagram", "erDiagram", "gitGraph", "sequenceDiagram", "stateDiagram", "stateDiagram-v2"];
    let line = code.lines().next().unwrap_or_default().trim();
    let directed = line.strip_prefix("flowchart ").or_else(|| line.strip_prefix("graph "));
    NAMES.contains(&line)
        || directed.is_some_and(|it| ["BT", "LR", "RL", "TB", "TD"].contains(&it.trim_end_matches(';')))
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

/// Returns the names in `{{name}` and `{name}}`, each with the range of all. Braces in math group.
fn halves(text: &str, body: usize) -> impl Iterator<Item = (&str, Range<usize>)> {
    let opens = memchr::memchr_iter(b'{', &text.as_bytes()[body..]).map(move |at| body + at);
    opens.filter_map(move |open| {
        let inside = text[open + 1..].trim_start_matches(' ');
        let name = &inside[..inside.bytes().position(|it| !it.is_ascii_alphanumeric() && it != b'_')?];
        let rest = inside[name.len()..].trim_start_matches(' ');
        let closed = rest.bytes().take_while(|it| *it == b'}').count();
        let opened = text[..=open].bytes().rev().take_while(|it| *it == b'{').count();
        let (start, end) = (open + 1 - opened, text.len() - rest.len() + closed);
        let is_half = !name.is_empty() && matches!((opened, closed), (2, 1) | (1, 2));
        let before = || text[..start].rsplit('\n').next().unwrap_or_default();
        (is_half && !before().contains(['$', '\\'])).then_some((name, start..end))
    })
}

/// Returns the finding for a component with an attribute that no other has, if only this one lacks another attribute.
fn replaced(element: &str, kinds: &Counts<'_, Vec<String>>) -> Option<Diagnostic> {
    let all: usize = kinds.values().map(|(count, _)| count).sum();
    if all <= USUAL || kinds.len() > MOST_NAMES {
        return None;
    }
    let having = |name: &String| -> usize {
        kinds.iter().filter(|(kind, _)| kind.contains(name)).map(|(_, (count, _))| *count).sum()
    };
    kinds.iter().filter(|(_, (count, _))| *count == 1).find_map(|(kind, (_, (document, place)))| {
        let own = kind.iter().find(|it| having(it) == 1)?;
        let usual = kinds.keys().flatten().find(|it| !kind.contains(it) && having(it) + 1 == all);
        let is_near = |it: &str| distance_within(&it.to_lowercase(), &own.to_lowercase(), 1).is_some();
        // Long ones are found by their letters.
        let is_reported = |usual: &str| {
            let shared = [(usual, all - 1)].into_iter().collect();
            NameGroup::Attribute { element: element.to_string() }.meant(own, &shared).is_some()
        };
        let usual = usual.filter(|it| !is_reported(it))?;
        let message =
            format!("only this `<{element}>` has `{own}` and lacks `{usual}`, which {} have", all - 1);
        let problem = Problem::new(Code::UnknownKey, place.clone(), message);
        let help = if is_near(usual) {
            format!("did you mean `{usual}`?")
        } else {
            format!("add `{usual}`, or use it instead")
        };
        Some(problem.help(help).at(&document.path))
    })
}
