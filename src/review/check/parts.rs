//! Findings in files that pages include: they are reported at these files, once.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

use crate::base::diagnostic::{Code, Diagnostic, Problem, RelatedSpan, Report};
use crate::base::site_path::SitePath;
use crate::input::dialect::IncludedFile;
use crate::markup::markdown::{self, Included, Page};
use crate::site::content::Document;

/// What a finding says of the included file that it is in, and of its place there.
const INCLUDED: &str = "included";
const START: &str = "included_start";
const END: &str = "included_end";

/// The files that a page includes, each read as a page of its own when a finding is in it.
pub(super) struct Includes<'a> {
    document: &'a Document,
    page: &'a Page,
    read: Vec<(&'a SitePath, &'a IncludedFile, OnceCell<Page>)>,
}

/// Why a finding in an included file is the same on each page that includes it.
type Cause = (Code, String, String, Option<String>, Option<u64>);

impl<'a> Includes<'a> {
    pub(super) fn of(document: &'a Document, page: &'a Page) -> Self {
        let read = if page.included.is_empty() {
            Vec::new()
        } else {
            document.dialect.parts.values().map(|part| (&part.path, part, OnceCell::new())).collect()
        };
        Self { document, page, read }
    }

    /// A problem with the name of the included file that it is in, and the place there.
    pub(super) fn located(&self, problem: Problem) -> Problem {
        let is_in = |it: &&Included| it.span.start <= problem.span.start && problem.span.end <= it.span.end;
        let within: Vec<&SitePath> = self.page.included.iter().filter(is_in).map(|it| &it.path).collect();
        let Some(outermost) = within.first() else { return problem };
        // What includes another file comes before it.
        let found = within.iter().rev().find_map(|path| Some((*path, self.in_part(path, &problem)?)));
        match found {
            Some((path, (span, own))) => {
                // On the page, the line that includes the file stands for all that is in it.
                let problem = match own {
                    Some(own) => Problem { message: own.message, help: own.help, ..problem },
                    None => problem,
                };
                let problem = problem.data(INCLUDED, path.as_str());
                problem.data(START, span.start).data(END, span.end)
            }
            None => problem.data(INCLUDED, outermost.as_str()),
        }
    }

    /// Where the cause of a problem is in an included file, with what is said of it there, where that differs.
    fn in_part(&self, path: &SitePath, problem: &Problem) -> Option<(Range<usize>, Option<Problem>)> {
        let (_, part, page) = self.read.iter().find(|(known, ..)| *known == path)?;
        let page = page.get_or_init(|| {
            let body = markdown::body_of(&part.text);
            markdown::parse_without_html(&part.text, body, &self.document.edition, &self.document.dialect)
        });
        let is_own = |span: &Range<usize>| {
            !page.included.iter().any(|it| it.span.start <= span.start && span.end <= it.span.end)
        };
        // What is left out of a template is said where it is used.
        let is_of_use = problem.code == Code::UnsupportedSyntax;
        let is_same_code = |it: &&Problem| it.code == problem.code && !is_of_use && is_own(&it.span);
        let mut of_code = page.problems.iter().filter(is_same_code);
        let lone = of_code.next().filter(|_| of_code.next().is_none() && problem.target.is_none());
        let same = page.problems.iter().filter(|it| it.code == problem.code && it.message == problem.message);
        let target = problem.target.as_ref().filter(|target| !target.is_empty());
        let references =
            page.references.iter().filter(|it| target.is_some_and(|target| it.target == *target));
        let spans = same.map(|it| &it.span).chain(references.map(|it| &it.span));
        let span = spans.into_iter().find(|span| is_own(span)).cloned();
        span.map(|span| (span, None)).or_else(|| lone.map(|it| (it.span.clone(), Some(it.clone()))))
    }
}

/// A finding in an included file, without the page that it was found on.
pub(super) fn cause(problem: &Problem) -> Option<Cause> {
    let part = problem.data.get(INCLUDED)?.as_str()?.to_string();
    let start = problem.data.get(START).and_then(serde_json::Value::as_u64);
    Some((problem.code, part, problem.message.clone(), problem.target.clone(), start))
}

/// Reports each finding whose place in an included file is known at that place.
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
