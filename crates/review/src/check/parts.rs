//! Reports findings in included files once, at these files.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

use memchr::memmem;

use super::text;
use base::diagnostic::{Code, Diagnostic, Problem, RelatedSpan, Report, Severity, distance_within, texts_in};
use base::front_matter::body_start;
use base::hash::HashMap;
use base::items::only;
use base::quoted::parts;
use base::site_path::{self, SitePath};
use base::sorted::SortedMap;
use input::dialect::IncludedFile;
use input::source::Sources;
use markup::markdown::{self, INCLUDES, Included, Page};
use site::content::Document;

/// Data field with the included file of a finding, and its range there.
pub(super) const INCLUDED: &str = "included";
const START: &str = "included_start";
const END: &str = "included_end";

/// The files that a page includes. Each is parsed as a separate page when a finding is in it.
pub(super) struct Includes<'a> {
    document: &'a Document,
    page: &'a Page,
    read: Vec<(&'a SitePath, &'a IncludedFile, OnceCell<Page>)>,
}

/// The fields that are equal for a finding in an included file on every page that includes it. A target may be wrong in several
/// ways, depending on the page.
type Cause = (String, Option<(Code, String)>, Option<String>, Option<u64>);

impl<'a> Includes<'a> {
    pub(super) fn of(document: &'a Document, page: &'a Page) -> Self {
        let read = if page.included.is_empty() {
            Vec::new()
        } else {
            document.dialect.parts.values().map(|part| (&part.path, part, OnceCell::new())).collect()
        };
        Self { document, page, read }
    }

    /// Adds the name of the included file that contains the problem, and the range there. A repetition that is meant there is none.
    pub(super) fn located(&self, problem: Problem) -> Option<Problem> {
        let is_in = |it: &&Included| it.span.start <= problem.span.start && problem.span.end <= it.span.end;
        let within: Vec<&SitePath> = self.page.included.iter().filter(is_in).map(|it| &it.path).collect();
        let Some(outermost) = within.first() else { return Some(problem) };
        // A file precedes the files that it includes.
        let found = within.iter().rev().find_map(|path| Some((*path, self.in_part(path, &problem)?)));
        Some(match found {
            Some((path, (span, own))) => {
                if problem.code == Code::DoubledWord && self.is_meant(path, &span) {
                    return None;
                }
                // On the page, the line with the include represents all of its content.
                let problem = match own {
                    Some(own) => Problem { message: own.message, help: own.help, ..problem },
                    None => problem,
                };
                let problem = problem.data(INCLUDED, path.as_str());
                problem.data(START, span.start).data(END, span.end)
            }
            None => problem.data(INCLUDED, outermost.as_str()),
        })
    }

    fn is_meant(&self, path: &SitePath, span: &Range<usize>) -> bool {
        let part = self.read.iter().find(|(known, ..)| *known == path);
        part.is_some_and(|(_, part, _)| text::is_placeholder(&part.text, span))
    }

    /// Returns the problem at its location in an included file, if its cause is there. The text may differ.
    fn in_part(&self, path: &SitePath, problem: &Problem) -> Option<(Range<usize>, Option<Problem>)> {
        let (_, part, page) = self.read.iter().find(|(known, ..)| *known == path)?;
        let page = page.get_or_init(|| {
            let body = body_start(&part.text);
            markdown::parse_without_html(&part.text, body, &self.document.edition, &self.document.dialect)
        });
        let is_own = |span: &Range<usize>| {
            !page.included.iter().any(|it| it.span.start <= span.start && span.end <= it.span.end)
        };
        // Content that was left out of a template is reported where the template is used.
        let is_of_use = problem.code == Code::UnsupportedSyntax;
        let is_same_code = |it: &&Problem| it.code == problem.code && !is_of_use && is_own(&it.span);
        let words =
            if problem.code == Code::DoubledWord { text::doubled_in(&page.prose) } else { Vec::new() };
        let problems = || page.problems.iter().chain(&words);
        let of_code = problems().filter(is_same_code);
        let lone = only(of_code).filter(|_| problem.target.is_none());
        let same = problems().filter(|it| it.code == problem.code && it.message == problem.message);
        let target = problem.target.as_ref().filter(|target| !target.is_empty());
        let references =
            page.references.iter().filter(|it| target.is_some_and(|target| it.target == *target));
        let spans = same.map(|it| &it.span).chain(references.map(|it| &it.span));
        let span = spans.into_iter().find(|span| is_own(span)).cloned();
        let found = span.map(|span| (span, None));
        let found = found.or_else(|| lone.map(|it| (it.span.clone(), Some(it.clone()))));
        // The option that selects a part of a file is on the page.
        let is_of_page = problem.code == Code::MissingCodePart;
        let quoted = || quoted_once(&part.text, &problem.message).filter(|_| !is_of_page);
        found.or_else(|| Some((quoted()?, None)))
    }
}

/// Returns the only place in a text of what a message quotes first.
fn quoted_once(text: &str, message: &str) -> Option<Range<usize>> {
    let (_, quoted) = parts(message).into_iter().find(|(is_quoted, _)| *is_quoted)?;
    let quoted = quoted.trim_matches(['`', '“', '”']);
    let places = memmem::find_iter(text.as_bytes(), quoted).filter(|_| !quoted.is_empty());
    let at = only(places)?;
    Some(at..at + quoted.len())
}

/// Returns a finding in an included file without the page on which it was found.
pub(super) fn cause(problem: &Problem) -> Option<Cause> {
    let part = problem.data.get(INCLUDED)?.as_str()?.to_string();
    let start = problem.data.get(START).and_then(serde_json::Value::as_u64);
    let has_own_target = problem.target.is_some() && start.is_some();
    let what = (!has_own_target).then(|| (problem.code, problem.message.clone()));
    Some((part, what, problem.target.clone(), start))
}

/// Reports a file that is included in the original, but not there for a translation, once for all pages that include it.
/// Generators resolve such a path relative to the file of the page, wherever its original is:
/// <https://github.com/facebook/docusaurus/pull/5312>.
pub(super) fn untranslated(sources: &Sources, report: Report) -> Report {
    let sources = sources.whole();
    let Some(languages) = sources.languages() else { return report };
    let paths = |it: &Diagnostic| {
        let is_missing = it.problem.code == Code::UnsupportedSyntax && it.severity == Severity::Warning;
        let names = it.problem.data.get("names").filter(|_| is_missing)?.as_array()?;
        let (_, original) = languages.translated(it.file.as_str())?;
        let pair = |name: &serde_json::Value| {
            let included = |page: &str| sources.repository.included(page, name.as_str().unwrap_or_default());
            let there = included(&original).into_iter().find(|path| sources.has_file(path))?;
            let here = included(it.file.as_str()).into_iter().next()?;
            (!sources.has_file(&here)).then_some((there, here))
        };
        names.iter().map(pair).collect::<Option<Vec<_>>>()
    };
    let mut first: SortedMap<Vec<(String, String)>, usize> = SortedMap::new();
    let mut all: Vec<Diagnostic> = Vec::new();
    for mut found in report {
        let Some(paths) = paths(&found).filter(|paths| !paths.is_empty()) else {
            all.push(found);
            continue;
        };
        if let Some(at) = first.get(&paths) {
            let label = "included here, too".to_string();
            let related = RelatedSpan { file: found.file, span: found.problem.span.clone(), label };
            Arc::make_mut(&mut all[*at].problem).related.push(related);
            continue;
        }
        let copies = paths.iter().map(|(there, here)| format!("copy `{there}` to `{here}`"));
        let help = format!("{}, and translate it", copies.collect::<Vec<_>>().join(", "));
        let problem = Arc::make_mut(&mut found.problem);
        problem.help = Some(help);
        // It isn't a construct that the site's own program supports.
        problem.data.remove("places");
        first.insert(paths, all.len());
        all.push(found);
    }
    all.into_iter().collect()
}

/// Turns findings about targets that are right in the included file, but not on the page that includes it, into warnings with this
/// cause.
pub(super) fn right_in_their_files(sources: &Sources, report: Report) -> Report {
    let sources = sources.whole();
    let repository = &sources.repository;
    let in_its_file = |mut it: Diagnostic| {
        let is_missing = matches!(
            it.problem.code,
            Code::MalformedLink | Code::MissingFile | Code::MissingPage | Code::WrongCase
        );
        let part = it.problem.data.get(INCLUDED).and_then(|part| part.as_str()).filter(|_| is_missing);
        let file = part.zip(it.problem.target.as_deref()).and_then(|(part, target)| {
            let path = target.split(['#', '?']).next().filter(|path| !path.starts_with('/'))?;
            repository.path_from(part, path)
        });
        let is_there = file.is_some_and(|file| {
            let pages = repository.convention.endings.iter().map(|ending| format!("{file}.{ending}"));
            pages.chain([file.clone()]).any(|file| sources.has_file(&file))
        });
        if is_there {
            let problem = Problem::clone(&it.problem).as_warning();
            let target = problem.target.as_deref().unwrap_or_default();
            let message = format!("`{target}` is right in this file, but not on the page that includes it");
            let help = "use a URL, which works on both".to_string();
            it = Diagnostic::new(Problem { message, help: Some(help), ..problem }.into(), &it.file);
        }
        it
    };
    report.into_iter().map(in_its_file).collect()
}

/// Adds what is meant to findings about missing includes whose path resembles that of a file. If programs write others, it is a finding
/// of its own.
pub(super) fn misspelled(sources: &Sources, report: Report) -> Report {
    let sources = sources.whole();
    let is_missing = |it: &&Diagnostic| it.problem.data.contains_key(INCLUDES);
    if !report.iter().any(|it| is_missing(&it)) {
        return report;
    }
    // Only one part of a path is misspelled. Some generators include files from private folders.
    let files = sources.all_files();
    let mut near: HashMap<&str, Vec<&str>> = HashMap::default();
    for file in &files {
        near.entry(site_path::file_name(file)).or_default().push(file);
        near.entry(site_path::parent(file)).or_default().push(file);
    }
    let meant = |it: &Diagnostic, name: &str| -> Option<String> {
        let paths = sources.repository.included(it.file.as_str(), name);
        paths.iter().find_map(|path| {
            let is_near = |file: &&&str| distance_within(path, file, 2).is_some_and(|distance| distance > 0);
            let parts = [site_path::file_name(path), site_path::parent(path)];
            let file = parts.iter().filter_map(|part| near.get(part)).flatten().find(is_near)?;
            Some(as_written(name, path, file))
        })
    };
    // The file is one folder higher or lower.
    let elsewhere = |it: &Diagnostic, name: &str| -> Option<String> {
        let is_relative = !name.starts_with(['/', '@']) && !name.contains("://");
        let others = [Some(format!("../{name}")), name.strip_prefix("../").map(str::to_string)];
        let exists = |other: &String| {
            let paths = sources.repository.included(it.file.as_str(), other);
            paths.iter().any(|path| sources.has_file(path))
        };
        others.into_iter().flatten().find(|other| is_relative && exists(other))
    };
    // The only file of that name is in another folder.
    let by_name = |it: &Diagnostic, name: &str| -> Option<String> {
        let paths = sources.repository.included(it.file.as_str(), name);
        let path = paths.first()?;
        let file = only(near.get(site_path::file_name(path))?.iter())?;
        Some(as_written(name, path, file))
    };
    let slips = |it: &Diagnostic| -> Vec<(String, String)> {
        let names = texts_in(it.problem.data.get("names")).into_iter().filter(|_| is_missing(&it));
        let moved = |name| elsewhere(it, name).or_else(|| by_name(it, name));
        let meant = |name| meant(it, name).or_else(|| moved(name).filter(|_| it.severity > Severity::Info));
        names.filter_map(|name| Some((name.to_string(), meant(name)?))).collect()
    };
    let with_slips = |mut it: Diagnostic| {
        let slips = slips(&it);
        if slips.is_empty() {
            return vec![it];
        }
        if it.severity > Severity::Info {
            let near: Vec<String> = slips.into_iter().map(|(_, near)| format!("`{near}`")).collect();
            let help = format!("did you mean {}?", near.join(", "));
            Arc::make_mut(&mut it.problem).help.get_or_insert(help);
            return vec![it];
        }
        let of_name = |(name, near): (String, String)| {
            let message = format!("the included file `{name}` doesn't exist");
            let problem = Problem::new(it.problem.code, it.problem.span.clone(), message);
            problem.help(format!("did you mean `{near}`?")).as_warning().at(&it.file)
        };
        let found: Vec<Diagnostic> = slips.into_iter().map(of_name).collect();
        [vec![it], found].concat()
    };
    report.into_iter().flat_map(with_slips).collect()
}

/// Returns the path of a file in the form in which `written` means `path`: relative to the same folder.
fn as_written(written: &str, path: &str, file: &str) -> String {
    let common =
        path.bytes().rev().zip(written.bytes().rev()).take_while(|(one, other)| one == other).count();
    let (before, own) = (path.get(..path.len() - common), written.get(..written.len() - common));
    let rest = before.and_then(|before| file.strip_prefix(before));
    own.zip(rest).map_or_else(|| file.to_string(), |(own, rest)| format!("{own}{rest}"))
}

/// Reports each finding at its location in an included file, if that is known.
pub(super) fn at_their_files(report: Report) -> Report {
    report.into_iter().map(at_its_file).collect()
}

fn at_its_file(mut found: Diagnostic) -> Diagnostic {
    let number = |name: &str| usize::try_from(found.problem.data.get(name)?.as_u64()?).ok();
    let path = found.problem.data.get(INCLUDED).and_then(|path| path.as_str()).map(SitePath::from);
    let (Some(path), Some(start), Some(end)) = (path, number(START), number(END)) else { return found };
    let page = std::mem::replace(&mut found.file, path);
    let problem = Arc::make_mut(&mut found.problem);
    let span = std::mem::replace(&mut problem.span, start..end);
    problem.edits.clear();
    problem.data.remove(START);
    problem.data.remove(END);
    problem.related.push(RelatedSpan { file: page, span, label: "included here".to_string() });
    found
}
