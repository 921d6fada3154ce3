//! Components and functions that a page uses without importing them, although nearly all other pages import them.

use std::ops::Range;

use super::source::PageSource;
use base::diagnostic::{Code, Diagnostic, Problem};
use base::hash::HashSet;
use base::quoted::quoted;
use base::sorted::SortedMap;
use input::conventions::{Syntax, are_exceptions};
use markup::markdown::import;
use site::content::Document;
use site::project::Project;

/// The pages with a component.
#[derive(Default)]
struct Uses<'p> {
    /// The number of pages that import it, and the line of one of them.
    imported: usize,
    line: &'p str,
    /// Pages that don't, each with a place.
    others: Vec<(&'p Document, Range<usize>)>,
}

/// Reports them if the components that the site itself provides aren't known: <https://mdxjs.com/docs/troubleshooting-mdx/>.
pub(in crate::check) fn missing(project: &Project) -> Vec<Diagnostic> {
    let repository = &project.site.repository;
    if !repository.convention.has(Syntax::Mdx) {
        return Vec::new();
    }
    let is_open = |it: &&Document| {
        repository.vocabulary_of(&it.path).components.is_none() && repository.is_mdx(&it.path)
    };
    let documents: Vec<&Document> =
        project.site.documents.iter().map(|document| &**document).filter(is_open).collect();
    let texts: Vec<_> = documents.iter().map(|document| document.unwrapped_text()).collect();
    let mut all: SortedMap<&str, Uses<'_>> = SortedMap::new();
    for (document, text) in documents.iter().zip(&texts) {
        for (line, name) in
            leading(text.get(document.body..)).flat_map(|line| names(line).map(move |name| (line, name)))
        {
            let uses = all.entry(name).or_default();
            uses.imported += 1;
            uses.line = line;
        }
    }
    for (document, text) in documents.iter().zip(&texts) {
        let source = || PageSource::of(text, document.body, repository.convention);
        let is_known = |name: &str| all.contains_key(name);
        for (name, place) in undeclared(text, document.body, is_known, source) {
            all.entry(name).or_default().others.push((document, place));
        }
    }
    let found = all.into_iter().filter(|(_, it)| are_exceptions(it.others.len(), it.imported));
    let found = found.flat_map(|(name, Uses { imported, line, others })| {
        others.into_iter().map(move |(document, place)| {
            let message = format!("the page doesn't import {}, and {imported} pages do", quoted(name));
            let problem = Problem::new(Code::UnknownDirective, place, message).data("directive", name);
            problem.help(format!("add {}", quoted(line))).at(&document.path)
        })
    });
    found.collect()
}

/// Returns the known names that a page uses outside code and neither imports nor defines, each with its first place.
fn undeclared<'t, 's>(
    text: &'t str,
    body: usize,
    is_known: impl Fn(&str) -> bool,
    source: impl FnOnce() -> PageSource<'s>,
) -> Vec<(&'t str, Range<usize>)> {
    let statements: Vec<&str> = statements(text).collect();
    let mut seen: HashSet<&str> = HashSet::default();
    let is_declared = |name: &str| statements.iter().any(|statement| statement.contains(name));
    let used = uses(text, body).filter(|(name, _)| is_known(name) && seen.insert(name) && !is_declared(name));
    let mut found: Vec<(&str, Range<usize>)> = used.collect();
    if !found.is_empty() {
        let source = source();
        found.retain(|(name, place)| source.shown.get(place.clone()) == Some(*name));
    }
    found
}

/// Returns the components in a text, and the functions in their attributes: `<Tabs>`, `src={useBaseUrl('a.png')}`.
fn uses(text: &str, body: usize) -> impl Iterator<Item = (&str, Range<usize>)> {
    let rest = text.get(body..).unwrap_or_default();
    let tags = rest.match_indices('<').filter(|(at, _)| !rest[..*at].ends_with(['\\', '"', '\'']));
    let tags = tags.map(|(at, _)| (at + 1, true));
    let calls = rest.match_indices("={").map(|(at, sign)| (at + sign.len(), false));
    tags.chain(calls).filter_map(move |(at, is_tag)| {
        let rest = &rest[at..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let is_component = rest.starts_with(|c: char| c.is_ascii_uppercase());
        let is_use = if is_tag { is_component } else { rest[end..].starts_with('(') };
        is_use.then(|| (&rest[..end], body + at..body + at + end))
    })
}

/// Returns the imports above the text of a page, one per line. Those in code are further down.
fn leading(body: Option<&str>) -> impl Iterator<Item = &str> {
    let lines = body.unwrap_or_default().lines().map(str::trim_end);
    let leading = lines.take_while(|line| line.is_empty() || line.starts_with("import "));
    leading.filter(|line| !line.is_empty())
}

/// Returns the imports and exports of a page: each from its first line up to the line with a text or its end.
fn statements(text: &str) -> impl Iterator<Item = &str> {
    let starts = ["import ", "export "].into_iter().flat_map(|word| text.match_indices(word));
    let starts = starts.filter(|(at, _)| *at == 0 || text[..*at].ends_with('\n'));
    starts.map(|(at, _)| {
        let rest = &text[at..];
        let lines = rest.split_inclusive('\n');
        let mut end = 0;
        for line in lines {
            end += line.len();
            if line.contains(['"', '\'', ';']) || line.trim().is_empty() {
                break;
            }
        }
        rest[..end].trim_end()
    })
}

/// Returns the names of components and functions that a statement imports.
fn names(line: &str) -> impl Iterator<Item = &str> {
    let names = import(line).map(|it| it.names).unwrap_or_default();
    names.into_iter().filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()))
}
