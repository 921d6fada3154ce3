//! Mistakes in components and shortcodes that aren't known, by their other uses in the site: a name that differs by a letter from one that
//! pages often use, and a file that doesn't exist.

use std::collections::{HashMap, HashSet};

use base::diagnostic::{Code, Diagnostic, Problem, Report, distance_within, texts_in};
use base::site_path::{self, SitePath};
use base::sorted::{SortedMap, SortedSet};
use input::conventions::are_exceptions;
use site::project::Project;

/// The syntax of Hugo in findings about what was left out.
const SHORTCODE: &str = "hugo-shortcode";

/// Minimum number of uses of the component that is meant.
const FEWEST: usize = 2;

/// Maximum number of uses of a misspelled one.
const MOST: usize = 1;

/// Minimum length of a name. Many shorter names differ by one letter.
const SHORTEST: usize = 4;

/// Returns the mistakes in components of which the report says that they were left out.
pub(super) fn mistakes(project: &Project, report: &Report) -> Vec<Diagnostic> {
    let left_out: Vec<_> = report.iter().filter(|it| is_component(it)).collect();
    if left_out.is_empty() {
        return Vec::new();
    }
    let mut found = misspelled(project, &left_out);
    found.extend(missing_files(project, &left_out));
    // Hugo's shortcodes are also compared with their templates.
    let is_new = |it: &Diagnostic| {
        report.iter().all(|other| other.file != it.file || other.problem.message != it.problem.message)
    };
    found.retain(is_new);
    found
}

fn misspelled(project: &Project, left_out: &[&Diagnostic]) -> Vec<Diagnostic> {
    let texts: Vec<_> = project.sources.pages.values().map(|page| page.text()).collect();
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for name in texts.iter().flat_map(|text| names(text)) {
        *uses.entry(name).or_default() += 1;
    }
    let files = project.sources.files();
    let is_file =
        |name: &str| files.iter().any(|file| site_path::file_name(file).split('.').next() == Some(name));
    let meant = |name: &str| {
        if name.len() < SHORTEST || uses.get(name).is_none_or(|uses| *uses > MOST) {
            return None;
        }
        let together = name.replace(['-', '_'], "");
        let is_near = |(known, uses): &(&&str, &usize)| {
            let is_same = together != name && together == **known;
            let is_common = **uses >= FEWEST && distance_within(name, known, 1) == Some(1);
            is_same || is_common && !are_variants(name, known)
        };
        let known = uses.iter().filter(is_near).map(|(known, _)| *known).min();
        known.filter(|_| !is_file(name))
    };
    let slips = left_out.iter().flat_map(|it| {
        let page = project.sources.pages.get(&it.file).map(|page| page.text());
        let names = texts_in(it.problem.data.get("names")).into_iter();
        names.filter_map(move |name| Some((it, name, page.clone()?)))
    });
    slips
        .filter_map(|(it, name, text)| {
            let known = meant(name)?;
            let start = it.problem.span.start + text.get(it.problem.span.start..)?.find(name)?;
            // A page may define a component.
            let is_defined =
                text.matches(name).count() > uses[name] + text.matches(&format!("/{name}")).count();
            let noun = if is_shortcode(it) { "shortcode" } else { "component" };
            let message = format!("unknown {noun} `{name}`");
            let help = format!("did you mean `{known}`?");
            let problem = Problem::new(Code::UnknownElement, start..start + name.len(), message).help(help);
            (!is_defined).then(|| problem.as_warning().at(&it.file))
        })
        .collect()
}

/// Returns the findings about missing files that such components name, if nearly all files of a component exist:
/// `<Include src="parts/note" />`.
fn missing_files(project: &Project, left_out: &[&Diagnostic]) -> Vec<Diagnostic> {
    /// Minimum number of uses that show where the files are.
    const FEWEST: usize = 5;
    let left_out = left_out.iter().filter(|it| !is_shortcode(it));
    let unknown: SortedSet<&str> = left_out.flat_map(|it| texts_in(it.problem.data.get("names"))).collect();
    if unknown.is_empty() {
        return Vec::new();
    }
    let files = project.sources.files();
    let ends: HashSet<&str> = files
        .iter()
        .flat_map(|file| {
            let bare = file.rsplit_once('.').map_or(file.as_str(), |(bare, _)| bare);
            [file.as_str(), bare].into_iter().flat_map(ends_of)
        })
        .collect();
    let exists = |file: &str| ends.contains(file.trim_start_matches(['.', '/']));
    let texts: Vec<_> = project.sources.pages.iter().map(|(path, page)| (path, page.text())).collect();
    let mut uses: SortedMap<&str, Vec<(&SitePath, usize, &str)>> = SortedMap::new();
    for (path, text) in &texts {
        for (name, at, file) in files_in(text).filter(|(name, ..)| unknown.contains(name)) {
            uses.entry(name).or_default().push((path, at, file));
        }
    }
    let missing = uses.values().flat_map(|uses| {
        let is_missing = |(_, _, file): &&(&SitePath, usize, &str)| !exists(file);
        let missing: Vec<_> = uses.iter().filter(is_missing).collect();
        let are_mistakes = uses.len() >= FEWEST && are_exceptions(missing.len(), uses.len() - missing.len());
        missing.into_iter().filter(move |_| are_mistakes)
    });
    let problem = |(path, at, file): &(&SitePath, usize, &str)| {
        let message = format!("file `{file}` doesn't exist");
        let problem = Problem::new(Code::MissingFile, *at..at + file.len(), message).target(*file);
        problem.as_warning().at(path)
    };
    missing.map(problem).collect()
}

/// Returns a path without each of its first folders in turn.
fn ends_of(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |rest| Some(rest.split_once('/')?.1))
}

/// Returns the files in the attributes `src` and `file` of components: the name of the component, the position of the file, and the
/// file. Addresses aren't files.
fn files_in(text: &str) -> impl Iterator<Item = (&str, usize, &str)> {
    /// Maximum length of a tag in bytes.
    const LONGEST: usize = 300;
    memchr::memchr_iter(b'<', text.as_bytes()).filter_map(|at| {
        let rest = &text[at + 1..];
        let end = rest.bytes().take(LONGEST).position(|byte| matches!(byte, b'>' | b'<' | b'\n'))?;
        let name = rest.split(|c: char| !c.is_ascii_alphanumeric()).next()?;
        let is_component = name.starts_with(|c: char| c.is_ascii_uppercase());
        let start =
            [" src=\"", " file=\""].iter().find_map(|key| Some(rest[..end].find(key)? + key.len()))?;
        let file = rest[start..end].split('"').next()?;
        let is_path = !file.contains([':', '{', '$', '*', '#']) && file.contains('/');
        (is_component && is_path).then_some((name, at + 1 + start, file))
    })
}

fn is_component(it: &Diagnostic) -> bool {
    let syntax = it.problem.data.get("syntax").and_then(|syntax| syntax.as_str());
    it.problem.code == Code::UnsupportedSyntax
        && syntax.is_some_and(|it| it.ends_with("-component") || it == SHORTCODE)
}

fn is_shortcode(it: &Diagnostic) -> bool {
    it.problem.data.get("syntax").is_some_and(|syntax| syntax == SHORTCODE)
}

/// Whether two names differ by a number or by the end of a plural.
fn are_variants(one: &str, other: &str) -> bool {
    let stem =
        |name: &str| name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('s').to_string();
    stem(one) == stem(other)
}

/// Returns the names in the start tags and shortcodes of a text: `<Card`, `{{< card`, `{{% card`.
fn names(text: &str) -> impl Iterator<Item = &str> {
    memchr::memchr2_iter(b'<', b'%', text.as_bytes()).filter_map(|at| {
        let is_shortcode = text[..at].ends_with("{{");
        let rest = if is_shortcode { text[at + 1..].trim_start() } else { &text[at + 1..] };
        let is_in_name = |c: char| c.is_ascii_alphanumeric() || is_shortcode && matches!(c, '-' | '_' | '/');
        let end = rest.find(|c: char| !is_in_name(c)).unwrap_or(rest.len());
        let is_name = rest.starts_with(|c: char| {
            if is_shortcode {
                c.is_ascii_alphabetic()
            } else {
                c.is_ascii_uppercase() && text[at..].starts_with('<')
            }
        });
        is_name.then(|| &rest[..end])
    })
}
