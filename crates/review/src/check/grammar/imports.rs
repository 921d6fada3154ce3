//! Components and functions that a page uses without importing them, although nearly all other pages import them, and those that it
//! imports from a module whose path resembles that of the others.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::source::PageSource;
use base::diagnostic::{Code, Diagnostic, Problem, distance_within};
use base::hash::HashSet;
use base::quoted::quoted;
use base::sorted::SortedMap;
use input::conventions::{Convention, Syntax, are_exceptions};
use markup::markdown::{ImportStatement, UNDECLARED, import};
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
    let documents = project.site.documents.iter().map(|document| &**document);
    let documents: Vec<&Document> = documents.filter(|it| repository.is_mdx(&it.path)).collect();
    let texts: Vec<_> = documents.iter().map(|document| document.unwrapped_text()).collect();
    let pages = || documents.iter().zip(&texts);
    let is_open =
        |(document, _): &(&&Document, &_)| repository.vocabulary_of(&document.path).components.is_none();
    let mut all: SortedMap<&str, Uses<'_>> = SortedMap::new();
    for (document, text) in pages().filter(is_open) {
        for (line, name) in
            leading(text.get(document.body..)).flat_map(|line| names(line).map(move |name| (line, name)))
        {
            let uses = all.entry(name).or_default();
            uses.imported += 1;
            uses.line = line;
        }
    }
    for (document, text) in pages().filter(is_open) {
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
    found.chain(misspelled(repository.convention, &documents, &texts)).collect()
}

/// Adds the line with which other pages import the component that a page lacks to each finding about one. A relative path leads
/// elsewhere from each folder.
pub(in crate::check) fn with_imports(project: &Project, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if !found.iter().any(|it| it.problem.data.contains_key(UNDECLARED)) {
        return found;
    }
    let texts: Vec<_> = project.site.documents.iter().map(|it| (it.unwrapped_text(), it.body)).collect();
    let mut known: SortedMap<&str, &str> = SortedMap::new();
    for line in texts.iter().flat_map(|(text, body)| leading(text.get(*body..))) {
        if import(line).is_some_and(|it| !it.source.starts_with('.')) {
            names(line).for_each(|name| _ = known.entry(name).or_insert(line));
        }
    }
    let with_line = |it: Diagnostic| {
        let name = it.problem.data.get(UNDECLARED).and_then(|name| name.as_str()).unwrap_or_default();
        let Some(line) = known.get(name) else { return it };
        let problem = Problem::clone(&it.problem).help(format!("add `{line}` at the start of the page"));
        Diagnostic { problem: Arc::new(problem), ..it }
    };
    found.into_iter().map(with_line).collect()
}

/// The modules from which pages import a name, each with its places.
type Modules<'p> = SortedMap<&'p str, Vec<(&'p Document, usize)>>;

/// Reports a module from which only one page imports a name, if several pages import it from a module with a similar path.
fn misspelled<'p>(
    convention: &'static Convention,
    documents: &[&'p Document],
    texts: &[Cow<'p, str>],
) -> Vec<Diagnostic> {
    const FEWEST: usize = 5;
    const MOST_LETTERS: usize = 2;
    let mut all: SortedMap<&str, Modules<'_>> = SortedMap::new();
    for (document, text) in documents.iter().zip(texts) {
        for statement in statements(text) {
            let statement = import(statement).filter(|it| !it.source.starts_with('.'));
            let Some(ImportStatement { names, source }) = statement else { continue };
            let at = source.as_ptr() as usize - text.as_ptr() as usize;
            for name in names {
                all.entry(name).or_default().entry(source).or_default().push((document, at));
            }
        }
    }
    let of_name = |(name, modules): (&str, Modules<'_>)| {
        let usual = modules.iter().map(|(module, places)| (*module, places.len()));
        let (usual, count) = usual.max_by_key(|(_, count)| *count)?;
        let is_slip = |module: &str| distance_within(module, usual, MOST_LETTERS).is_some_and(|it| it > 0);
        let (module, places) =
            modules.iter().find(|(module, places)| places.len() == 1 && is_slip(module))?;
        let (document, at) = places.first().filter(|_| count >= FEWEST)?;
        // A missing page is a finding of its own.
        if module.ends_with(".mdx") && !document.dialect.parts.contains_key(*module) {
            return None;
        }
        // Code also imports.
        let text = document.unwrapped_text();
        let source = PageSource::of(&text, document.body, convention);
        if source.shown.get(*at..at + module.len()) != Some(*module) {
            return None;
        }
        let message =
            format!("only this page imports `{name}` from `{module}`, and {count} pages from `{usual}`");
        let problem = Problem::new(Code::UnusualValue, *at..at + module.len(), message);
        Some(problem.help(format!("did you mean `{usual}`?")).at(&document.path))
    };
    all.into_iter().filter_map(of_name).collect()
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
