//! Components and functions that a page uses without importing them, although nearly all other pages import them.

use std::ops::Range;

use super::source::PageSource;
use crate::site::content::Document;
use crate::site::project::Project;
use base::diagnostic::{Code, Diagnostic, Problem};
use base::quoted::quoted;
use base::sorted::SortedMap;
use input::conventions::{Syntax, are_exceptions};

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
pub(in crate::review::check) fn missing(project: &Project) -> Vec<Diagnostic> {
    let repository = &project.site.repository;
    if !repository.convention.has(Syntax::Mdx) {
        return Vec::new();
    }
    let is_open = |it: &&Document| {
        repository.vocabulary_of(&it.path).components.is_none() && repository.is_mdx(&it.path)
    };
    let documents: Vec<&Document> =
        project.site.documents.iter().map(|document| &**document).filter(is_open).collect();
    let texts: Vec<_> = documents.iter().map(|document| document.text()).collect();
    let mut all: SortedMap<&str, Uses<'_>> = SortedMap::new();
    let leading =
        documents.iter().zip(&texts).flat_map(|(document, text)| leading(text.get(document.body..)));
    for line in leading {
        for name in names(line) {
            let uses = all.entry(name).or_default();
            uses.imported += 1;
            uses.line = line;
        }
    }
    for (document, text) in documents.iter().zip(&texts) {
        let body = text.get(document.body..).unwrap_or_default();
        let tags = body.match_indices('<').filter(|(at, _)| !body[..*at].ends_with(['\\', '"', '\'']));
        let tags = tags.map(|(at, _)| at + 1);
        // `src={useBaseUrl('a.png')}`.
        let calls = body.match_indices("={").map(|(at, sign)| at + sign.len());
        let used = tags.map(|at| (at, true)).chain(calls.map(|at| (at, false))).filter_map(|(at, is_tag)| {
            let rest = &body[at..];
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            let is_component = rest.starts_with(|c: char| c.is_ascii_uppercase());
            let is_use = if is_tag { is_component } else { rest[end..].starts_with('(') };
            let place = document.body + at..document.body + at + end;
            all.get(&rest[..end]).filter(|_| is_use).map(|_| (&text[place.clone()], place))
        });
        let mut seen: Vec<(&str, Range<usize>)> = Vec::new();
        for (name, place) in used {
            let is_new = !seen.iter().any(|(it, _)| *it == name);
            // The name may also be that of a constant.
            let is_declared = || statements(text).any(|statement| statement.contains(name));
            if is_new && !is_declared() {
                seen.push((name, place));
            }
        }
        if !seen.is_empty() {
            let source = PageSource::of(text, document.body, repository.convention);
            let shown =
                seen.into_iter().filter(|(name, place)| source.shown.get(place.clone()) == Some(*name));
            for (name, place) in shown {
                all.entry(name).or_default().others.push((document, place));
            }
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
    let names = line.strip_prefix("import ").and_then(|rest| rest.split_once(" from "));
    let names = names.map_or("", |(names, _)| names).split([',', '{', '}']);
    let names = names.map(|name| name.rsplit(" as ").next().unwrap_or_default().trim());
    names.filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()))
}
