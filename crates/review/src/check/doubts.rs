//! Errors that become warnings without an edit because a program of the repository may do what they say is missing. There are these
//! cases:
//!
//! - The configuration of a generator whose rules aren't known is in the repository. Its own syntax, which it may read, is no mistake, as
//!   are headings without a space. What its parser reads in another way occurs several times, and is information, as are links to HTML files.
//! - The page is in the sources of a program, whose compiler includes it in the documentation of code, or in a folder with the
//!   configuration of a generator whose rules aren't known.
//! - A program of the site contains the target, and writes or replaces it.
//! - Several links from the root have the names of files in lower case: the program that publishes the files changes their names. These
//!   links are right, so they are information without an edit.
//! - Several links in a Sphinx site are paths of HTML files: a setting that isn't in its configuration leaves them as they are. They are
//!   information, too.
//! - A missing page is in the list of pages, and other pages link to it: a program probably writes it.
//! - The link is in quotation marks, and so may be a part of a page that the text describes: `"Read [our guide](guide.md)"`.
//! - MDX seems to stop in several places: the site compiles its pages in another way. These findings are information.
//! - A link contains white space, and the configuration is that of Hugo's old parser, which reads it.
//! - Several pages have syntax that a program reads, and the repository's kind is guessed. These findings are information.
//! - Several rows of tables have a `|` in code: the program that shows them doesn't end a cell there.
//!
//! Quotation marks, names in lower case and rows apply only to sites whose rules are guessed. A severity in the configuration stays.

use super::regions::has_file_name;
use base::diagnostic::{Code, Diagnostic, Problem, Report, Severity};
use base::site_path;
use base::sorted::SortedSet;
use input::config::LevelledCode;
use input::conventions::UnreadLinks;
use markup::markdown::{COLONS, COMPILED, SEEN};
use site::plan::take_apart;
use site::project::Project;

/// Minimum number of distinct names in lower case.
const FEWEST_NAMES: usize = 3;

/// Minimum number of links to HTML files.
const FEWEST_TO_HTML: usize = 5;

/// Minimum number of places that show how a parser reads something, because authors look at their pages.
const FEWEST_PLACES: usize = 5;

/// Syntax of programs that replace a part of a page before its Markdown is read.
const TEMPLATES: [&str; 4] = ["hugo-shortcode", "jsx-comment", "liquid-tag", "template-output"];

/// Minimum number of pages with such syntax.
const FEWEST_WITH_TAGS: usize = 2;

/// Maximum distance of a quotation mark in characters.
const FURTHEST: usize = 1000;

/// Minimum number of rows with a `|` in code.
const FEWEST_ROWS: usize = 4;

/// Turns these errors into warnings.
pub(super) fn lower(project: &Project, report: Report) -> Report {
    let repository = &project.site.repository;
    let is_unknown = repository.unknown_generator.is_some();
    let sources = &repository.read_by_programs;
    let is_guessed = repository.is_guessed();
    let names = || report.iter().filter(|it| is_lower_case(it)).map(path).collect::<SortedSet<_>>().len();
    let rows = || report.iter().filter(|it| is_row_with_code(it)).count();
    let (lowers_names, keeps_rows) =
        (is_guessed && names() >= FEWEST_NAMES, is_guessed && rows() >= FEWEST_ROWS);
    let breaks_links = repository.may_break_links;
    let reads_html = repository.unread_links == UnreadLinks::Html
        && report.iter().filter(|it| is_html(it)).count() >= FEWEST_TO_HTML;
    let places = |code: Code| report.iter().filter(|it| it.problem.code == code).count();
    let is_compiled =
        report.iter().filter(|it| it.problem.data.contains_key(COMPILED)).count() >= FEWEST_PLACES;
    let habits = [Code::EmphasisAsText, Code::FenceInHtml, Code::LinkAsText, Code::UnclosedFence]
        .map(|code| (code, is_unknown && places(code) >= FEWEST_PLACES));
    let has_tag = |it: &Diagnostic| {
        let syntax = it.problem.data.get("syntax").and_then(|name| name.as_str()).unwrap_or_default();
        TEMPLATES.contains(&syntax)
    };
    let with_tags = || report.iter().filter(|it| has_tag(it)).map(|it| &it.file);
    let is_template = is_guessed && with_tags().collect::<SortedSet<_>>().len() >= FEWEST_WITH_TAGS;
    let is_of_parser = |it: &Diagnostic| match it.problem.code {
        _ if is_compiled && it.problem.data.contains_key(COMPILED) => true,
        // A program may read it, if authors write it on several pages.
        Code::UnsupportedSyntax if is_guessed && has_tag(it) => is_template,
        // The generator may have more blocks.
        Code::UnknownDirective if is_guessed && it.problem.data.contains_key(COLONS) => {
            !it.problem.help.as_deref().is_some_and(|help| help.starts_with("did you mean"))
        }
        Code::UnsupportedSyntax | Code::HeadingAsText => is_unknown && it.severity == Severity::Warning,
        // It may write a page for each module of a program.
        Code::MissingPage => is_unknown && take_apart(path(it)).path.ends_with(".html"),
        code => habits.contains(&(code, true)),
    };
    let is_right = |it: &Diagnostic| lowers_names && is_lower_case(it) || reads_html && is_html(it);
    let written_later = written_later(project, &report);
    if !is_guessed
        && !is_unknown
        && written_later.is_empty()
        && !breaks_links
        && !reads_html
        && !is_compiled
        && repository.programs.is_empty()
        && sources.is_empty()
    {
        return report;
    }
    let is_doubtful = |it: &Diagnostic| {
        is_unknown
            || sources.iter().any(|path| {
                path.is_empty() || path == it.file.as_str() || site_path::is_inside(it.file.as_str(), path)
            })
            || has_file_name(path(it)) && repository.programs.contains(path(it))
            || keeps_rows && is_row_with_code(it)
            || missing_file(project, it).is_some_and(|file| written_later.contains(&file))
            || is_guessed && is_quoted(project, it)
            || breaks_links && it.problem.code == Code::LinkAsText
    };
    // The compiler resolves the names of items, and its addresses of modules end with `.html`.
    let is_of_compiler = |it: &Diagnostic| {
        let is_name = it.problem.code == Code::UndefinedReference
            || it.problem.code == Code::MissingPage && !take_apart(path(it)).path.ends_with(".md");
        is_name && sources.iter().any(|path| site_path::is_inside(it.file.as_str(), path))
    };
    let is_configured =
        |it: &Diagnostic| project.site.config.check.severity.contains_key(&LevelledCode(it.problem.code));
    let generator = repository.unknown_generator.as_ref().map(|(name, _)| *name);
    let read_by_generator = |it: &Diagnostic| {
        let (generator, seen) = (generator?, it.problem.data.get(SEEN)?.as_str()?);
        let mut problem = Problem::clone(&it.problem).as_advice();
        problem.message =
            problem.message.replacen(seen, &format!("{generator} may read it, and Stepkin doesn't"), 1);
        problem.help = None;
        Some(Diagnostic::new(problem.into(), &it.file))
    };
    let lowered = |it: &Diagnostic| match it.severity {
        // The links are right, so nothing is to be edited.
        Severity::Error | Severity::Warning if is_right(it) && !is_configured(it) => {
            let mut problem = Problem::clone(&it.problem).as_advice();
            (problem.help, problem.edits) = (None, Vec::new());
            Diagnostic::new(problem.into(), &it.file)
        }
        Severity::Error | Severity::Warning
            if (is_of_parser(it) || is_of_compiler(it)) && !is_configured(it) =>
        {
            Diagnostic::new(Problem::clone(&it.problem).as_advice().into(), &it.file)
        }
        // By other rules, an edit may break a link that works.
        Severity::Error if !is_configured(it) && is_doubtful(it) => {
            let problem = Problem { edits: Vec::new(), ..Problem::clone(&it.problem).as_warning() };
            Diagnostic::new(problem.into(), &it.file)
        }
        _ => it.clone(),
    };
    report.iter().map(|it| read_by_generator(it).unwrap_or_else(|| lowered(it))).collect()
}

/// Returns the missing files that both the list of pages and a page name.
fn written_later(project: &Project, report: &Report) -> SortedSet<String> {
    let list = project.site.repository.navigation.as_deref();
    let files = |is_list: bool| {
        let of_kind = report.iter().filter(move |it| (Some(it.file.as_str()) == list) == is_list);
        of_kind.filter_map(|it| missing_file(project, it)).collect::<SortedSet<_>>()
    };
    let listed = files(true);
    if listed.is_empty() { listed } else { files(false).intersection(&listed).cloned().collect() }
}

/// Returns the file of a missing page, relative to the root.
fn missing_file(project: &Project, it: &Diagnostic) -> Option<String> {
    let is_missing = it.problem.code == Code::MissingPage && !path(it).is_empty();
    is_missing.then(|| project.site.repository.path_from(it.file.as_str(), path(it)))?
}

/// Returns the path of the target, or an empty text.
fn path(it: &Diagnostic) -> &str {
    it.problem.target.as_deref().map_or("", |target| take_apart(target).path)
}

/// Whether a link is in quotation marks, or its target consists of dots.
fn is_quoted(project: &Project, it: &Diagnostic) -> bool {
    let Some(target) = it.problem.target.as_deref() else { return false };
    let Some(text) = project.sources.pages.get(&it.file).map(|page| page.text()) else { return false };
    let span = &it.problem.span;
    let (Some(before), Some(after)) = (text.get(..span.start), text.get(span.end..)) else { return false };
    let is_on_line = |c: &char| *c != '\n';
    let quotes = before.chars().rev().take(FURTHEST).take_while(is_on_line).filter(|c| *c == '"').count();
    let is_open = quotes % 2 == 1;
    let is_closed = after.chars().take(FURTHEST).take_while(is_on_line).any(|c| c == '"');
    before.ends_with("](") && (is_open && is_closed || target.chars().all(|c| c == '.'))
}

fn is_lower_case(it: &Diagnostic) -> bool {
    it.problem.code == Code::WrongCase && path(it).starts_with('/') && !path(it).contains(char::is_uppercase)
}

/// Whether a link to a page is the relative path of an HTML file.
fn is_html(it: &Diagnostic) -> bool {
    it.problem.code == Code::MissingPage
        && path(it).ends_with(".html")
        && !path(it).starts_with('/')
        && !path(it).contains(':')
}

fn is_row_with_code(it: &Diagnostic) -> bool {
    it.problem.code == Code::LostCells && it.problem.data.contains_key("code")
}
