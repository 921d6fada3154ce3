//! Findings that the other pages of a site put in another light.
//!
//! One page with `> [!DEPRECATED]` has a slip. A site in which many pages have it shows it as its authors mean it, although its
//! generator doesn't support it. So each kind of such findings is collected from all pages, and the site decides about all of them.

use std::cell::OnceCell;
use std::sync::Arc;

use serde_json::Value;

use super::grammar::{DETACHED, EXTENSION, INVALID, with_imports};
use super::links::BASE;
use super::lookup::letters;
use super::missing::ROOT;
use super::parts::INCLUDED;
use super::relative::ON_DISK;
use super::structure::{FRAME, REPEATED};
use super::text::FILLER_TEXT;
use super::{components, relative};
use base::diagnostic::{Code, Diagnostic, Problem, Report, Severity, count, texts_in};
use base::hash::HashSet;
use base::site_path::{self, SitePath};
use base::sorted::{SortedMap, SortedSet};
use base::url::scheme;
use input::conventions::{Repository, Syntax, are_exceptions, inline_targets};
use input::source::Text;
use markup::markdown::{EMPTY_ALERT, INCLUDES, UNDEFINED_LABEL, empty_note};
use site::project::Project;

/// Pages that write the same, and so show that it works.
const FEWEST_PAGES: usize = 4;

/// Number of titles of a page on purpose.
const MANY_TITLES: u64 = 5;

/// Distinct labels without a definition that show that a program defines them.
const FEWEST_LABELS: usize = 20;

/// The name of the construct `[[Page name]]`.
const WIKI_LINK: &str = "wiki-link";

/// A kind of finding on pages, and what the site decides about all of them.
struct Habit {
    includes: fn(&Diagnostic) -> bool,
    /// Returns the findings that remain of those that are included, or one in their place.
    decide: fn(&Project, Vec<Diagnostic>) -> Vec<Diagnostic>,
}

/// A finding belongs to the first that includes it.
const HABITS: [Habit; 15] = [
    Habit { includes: |it| has(it, DETACHED), decide: detached },
    Habit { includes: |it| has(it, INVALID), decide: without_invalid },
    Habit { includes: |it| has(it, REPEATED), decide: without_templates },
    Habit { includes: |it| has(it, EXTENSION), decide: extensions },
    Habit { includes: |it| has(it, FILLER_TEXT), decide: without_fillers },
    Habit { includes: |it| has(it, BASE), decide: without_base },
    Habit { includes: |it| has(it, ON_DISK), decide: relative::decide },
    Habit { includes: |it| has(it, ROOT), decide: from_root },
    Habit { includes: |it| has(it, FRAME), decide: frames },
    Habit { includes: |it| has(it, UNDEFINED_LABEL), decide: undefined_references },
    Habit { includes: may_be_value, decide: values_of_components },
    Habit { includes: is_about_titles, decide: titles },
    Habit { includes: |it| it.problem.code == Code::SkippedHeadingLevel, decide: raised_if_alone },
    Habit { includes: |it| has(it, INCLUDES), decide: missing_folders },
    Habit { includes: |it| construct(it).is_some(), decide: constructs },
];

/// Replaces findings that the other pages of the site put in another light. On a Stepkin site, all constructs are known.
pub(super) fn fold(project: &Project, report: Report) -> Report {
    if project.site.repository.is_ours() {
        return report;
    }
    let mut of_habits = HABITS.map(|_| Vec::new());
    let mut left = components::mistakes(project, &report);
    let unknown: HashSet<(SitePath, usize)> = report
        .iter()
        .filter(|it| it.problem.code == Code::UnknownDirective)
        .map(|it| (it.file.clone(), it.problem.span.start))
        .collect();
    // A misspelled name was also left out.
    let is_new = |it: &Diagnostic| {
        let is_one = texts_in(it.problem.data.get("names")).len() == 1;
        !is_one || !unknown.contains(&(it.file.clone(), it.problem.span.start))
    };
    let has_own_alerts = project.site.repository.has_own_alerts;
    let is_alert = |it: &Diagnostic| has_own_alerts && it.problem.code == Code::UnknownAlert;
    for it in report.into_iter().filter(is_new).filter(|it| !is_alert(it)) {
        let habit = HABITS.iter().position(|habit| (habit.includes)(&it));
        habit.map_or(&mut left, |at| &mut of_habits[at]).push(it);
    }
    let decided = HABITS.iter().zip(of_habits).filter(|(_, found)| !found.is_empty());
    left.extend(decided.flat_map(|(habit, found)| (habit.decide)(project, found)));
    with_imports(project, left).into_iter().collect()
}

/// Drops the findings about code of a language that often isn't valid, because the authors show parts of it.
fn without_invalid(project: &Project, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let blocks = |language: &str| {
        let opens = |line: &str| {
            let info = line.trim_start().trim_start_matches(['`', '~']).trim_start();
            // `{code-block} json`
            let argument = info.strip_prefix('{').and_then(|it| Some(it.split_once('}')?.1.trim_start()));
            let rest = argument
                .unwrap_or(info)
                .strip_prefix(language)
                .filter(|_| line.contains("```") || line.contains("~~~"));
            rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        };
        let blocks = |text: &str| text.lines().filter(|line| opens(line)).count();
        project.site.documents.iter().map(|it| blocks(&it.text())).sum::<usize>()
    };
    let invalid = count_by(&found, INVALID);
    let is_rare = |(language, found): &(&String, &usize)| {
        are_exceptions(**found, blocks(language).saturating_sub(**found))
    };
    let rare: SortedSet<&str> =
        invalid.iter().filter(is_rare).map(|(language, _)| language.as_str()).collect();
    found.into_iter().filter(|it| value(it, INVALID).is_some_and(|it| rare.contains(it))).collect()
}

/// Drops the findings about attributes with blank lines around them, unless nearly all others are next to their blocks.
fn detached(project: &Project, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let lists = |text: &str| text.matches("\n{:").count();
    let all: usize = project.site.documents.iter().map(|it| lists(&it.text())).sum();
    if are_exceptions(found.len(), all.saturating_sub(found.len())) { found } else { Vec::new() }
}

/// Reports each folder once from which several pages include files, if the repository doesn't contain it, as information.
fn missing_folders(project: &Project, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let folder = |it: &Diagnostic| {
        let names = texts_in(it.problem.data.get("names"));
        let parents: SortedSet<&str> = names.iter().map(|name| site_path::parent(name)).collect();
        parents
            .iter()
            .next()
            .filter(|folder| parents.len() == 1 && folder.contains(char::is_alphanumeric))
            .map(ToString::to_string)
    };
    let exists = |it: &Diagnostic, folder: &str| {
        let files = project.site.repository.included(it.file.as_str(), folder);
        files.iter().any(|path| project.sources.has_folder(path))
    };
    let mut folders: SortedMap<Option<String>, Vec<Diagnostic>> = SortedMap::new();
    for it in found {
        let folder = folder(&it).filter(|folder| !exists(&it, folder));
        folders.entry(folder).or_default().push(it);
    }
    let (mut once, mut others) = (Vec::new(), Vec::new());
    for (folder, found) in folders {
        let count = pages(&found);
        match folder.filter(|_| count >= FEWEST_PAGES) {
            Some(folder) => {
                let message = format!(
                    "{count} pages include files of `{folder}/`, which this repository doesn't contain"
                );
                let problem = Problem { message, ..Problem::clone(&found[0].problem) };
                once.push(Diagnostic::new(problem.as_advice().data("places", count).into(), &found[0].file));
            }
            None => others.extend(found),
        }
    }
    let (of_program, single) = others.into_iter().partition(|it| construct(it).is_some());
    [once, constructs(project, of_program), single].concat()
}

/// Drops the findings about headings that several pages repeat, as generated pages do.
fn without_templates(_: &Project, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let pages = count_by(&found, REPEATED);
    let is_of_page = |it: &Diagnostic| value(it, REPEATED).and_then(|text| pages.get(text)) == Some(&1);
    found.into_iter().filter(is_of_page).collect()
}

/// Reports each extension that the configuration lacks once, on the first page that needs it.
fn extensions(_: &Project, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let pages = count_by(&found, EXTENSION);
    let mut seen: SortedSet<String> = SortedSet::new();
    let first = |mut it: Diagnostic| {
        let name = value(&it, EXTENSION)?.to_string();
        let others = pages.get(&name).map_or(0, |count| count - 1);
        if others > 0 {
            let noun = if others == 1 { "page needs" } else { "pages need" };
            let problem = Arc::make_mut(&mut it.problem);
            problem.message = format!("{}; {others} other {noun} it", problem.message);
        }
        seen.insert(name).then_some(it)
    };
    found.into_iter().filter_map(first).collect()
}

/// Drops the findings about filler text if it is in several places, as in examples of a layout.
fn without_fillers(_: &Project, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if found.len() < 2 { found } else { Vec::new() }
}

/// Drops the findings about links without the base path, unless more links have it than lack it, or nearly all are relative.
fn without_base(project: &Project, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let Some(base) = found.iter().find_map(|it| value(it, BASE)) else { return found };
    let written = ["](", "\"", "]: "].map(|before| format!("{before}{base}/"));
    // Jekyll's outputs with the base path.
    let written = written.iter().map(String::as_str).chain(["relative_url", "site.baseurl"]);
    let links = |text: &str| written.clone().map(|link| text.matches(link).count()).sum::<usize>();
    let having: usize = project.sources.pages.values().map(|page| links(&page.text())).sum();
    let is_relative = |target: &&str| !target.starts_with(['/', '#', '<', '{']) && scheme(target).is_none();
    let relative = |text: &str| inline_targets(text).filter(is_relative).count();
    let others: usize = project.sources.pages.values().map(|page| relative(&page.text())).sum();
    if having > found.len() || are_exceptions(found.len(), others) { found } else { Vec::new() }
}

/// Whether a finding says that a page has no title, or a second one.
fn is_about_titles(it: &Diagnostic) -> bool {
    it.problem.code == Code::MissingTitle || it.problem.code == Code::MultipleH1 && !has(it, INCLUDED)
}

/// Reports pages without a title once, if most pages of a site whose generator works without titles have none, and a second heading of
/// level 1 as a mistake, if few pages have one.
fn titles(project: &Project, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let all = project.site.documents.iter().count();
    let (untitled, seconds): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|it| it.problem.code == Code::MissingTitle);
    let count = untitled.len();
    let is_habit =
        count >= FEWEST_PAGES && 2 * count > all && !project.site.repository.convention.has_required_titles;
    let untitled = if is_habit {
        let first = &untitled[0];
        let used = if project.site.repository.convention.shows_site_title {
            "readers see the title of the site"
        } else {
            "the names of their files are used"
        };
        let message = format!("{count} of {all} pages have no `title`, so {used}");
        let once = Problem::new(Code::MissingTitle, first.problem.span.clone(), message);
        vec![once.as_advice().data("places", count).at(&first.file)]
    } else {
        untitled
    };
    // Each part of a page may have a title, such as the letters of a glossary.
    let has_parts = |it: &Diagnostic| {
        it.problem.data.get("headings").and_then(Value::as_u64).is_some_and(|count| count >= MANY_TITLES)
    };
    let are_few = are_few(project, &seconds);
    let seconds = seconds.into_iter().map(|it| match () {
        () if has_parts(&it) => Diagnostic::new(Problem::clone(&it.problem).as_advice().into(), &it.file),
        () if are_few => raised(&it),
        () => it,
    });
    untitled.into_iter().chain(seconds).collect()
}

/// Reports what few pages have as a mistake.
fn raised_if_few(project: &Project, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if are_few(project, &found) { found.iter().map(raised).collect() } else { found }
}

/// Whether few pages of a site have these findings.
fn are_few(project: &Project, found: &[Diagnostic]) -> bool {
    let few = pages(found);
    are_exceptions(few, project.site.documents.iter().count().saturating_sub(few))
}

fn raised(it: &Diagnostic) -> Diagnostic {
    Diagnostic::new(Problem::clone(&it.problem).as_warning().into(), &it.file)
}

/// The same, but for a single finding. Authors choose a level by its size on more pages.
fn raised_if_alone(project: &Project, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if found.len() == 1 { raised_if_few(project, found) } else { found }
}

/// Reports the images of several pages once that are relative to the folder of all pages: a program publishes the pages there.
fn from_root(project: &Project, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let pages = pages(&found);
    if pages < FEWEST_PAGES || project.site.repository.convention.has_generator() {
        return found;
    }
    let message = format!(
        "{} in {pages} pages are relative to the folder of all pages, and not to their page",
        count(found.len(), "image")
    );
    once(
        &found,
        message,
        "readers of the files don't see them, unless a program publishes the pages in that folder",
    )
}

/// Reports many references to undefined labels once, because a program must define them. Known generators don't without a plugin.
fn undefined_references(project: &Project, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let repository = &*project.site.repository;
    let labels: SortedSet<&str> = found.iter().filter_map(|it| value(it, UNDEFINED_LABEL)).collect();
    let pages = pages(&found);
    let are_many = pages >= FEWEST_PAGES && labels.len() >= FEWEST_LABELS;
    // The program of a book gets the text of its pages.
    let is_programmed = repository.defines_labels && repository.convention.has(Syntax::Mdbook);
    if !is_programmed && !(are_many && (repository.is_guessed() || repository.defines_labels)) {
        return found;
    }
    let message = format!(
        "no page defines the labels of {} in {}, such as `{}`",
        count(found.len(), "reference"),
        count(pages, "page"),
        labels.first().unwrap_or(&"")
    );
    once(&found, message, "readers see them as text, unless a program of this site defines the labels")
}

/// Whether a missing page may be the name of something else: `class/Lamp`.
fn may_be_value(it: &Diagnostic) -> bool {
    let target = it.problem.target.as_deref().unwrap_or_default();
    it.problem.code == Code::MissingPage && !target.starts_with(['/', '.', '#']) && !target.contains(".md")
}

/// Reports the values of a component once if several aren't pages: `<ApiLink to="class/Lamp">`. The component looks them up.
fn values_of_components(project: &Project, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let component = |it: &Diagnostic| {
        let text = project.sources.text(&it.file)?.text();
        let before = text.get(..it.problem.span.start)?;
        let tag = before[before.rfind('<')? + 1..].to_string();
        let name = tag.split(char::is_whitespace).next()?.to_string();
        let is_component = name.starts_with(|c: char| c.is_ascii_uppercase()) && name != "Link";
        (is_component && tag.ends_with(['"', '\'']) && !tag.contains('>')).then_some(name)
    };
    let mut left = Vec::new();
    let mut values: SortedMap<String, Vec<Diagnostic>> = SortedMap::new();
    for it in found {
        match component(&it) {
            Some(name) => values.entry(name).or_default().push(it),
            None => left.push(it),
        }
    }
    for (name, of_component) in values {
        let targets: SortedSet<&str> =
            of_component.iter().filter_map(|it| it.problem.target.as_deref()).collect();
        if targets.len() < FEWEST_PAGES {
            left.extend(of_component);
            continue;
        }
        let example = targets.first().unwrap_or(&"");
        let message =
            format!("{} of `{name}` are no pages, such as `{example}`", count(targets.len(), "value"));
        left.extend(once(&of_component, message, "the component probably looks them up elsewhere"));
    }
    left
}

/// Reports all tags that are alone in their lines once.
fn frames(_: &Project, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if found.len() == 1 {
        return found;
    }
    let what = found[0].problem.message.split(", so ").next().unwrap_or_default();
    let pages = pages(&found);
    let places = if pages == 1 { "this page contains".to_string() } else { format!("{pages} pages contain") };
    let message = format!("{what}, and {places} {} such pairs of tags", found.len());
    once(&found, message, "browsers hide the tags; they are probably meant for another program")
}

/// Reports each kind of custom alert or unsupported syntax that several pages have once, as information.
fn constructs(project: &Project, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let Repository { programs, .. } = &*project.site.repository;
    // The site's own program defines directives: `app.add_directive("info", …)`.
    let is_defined =
        |name: &str| ['"', '\''].iter().any(|quote| programs.contains(&format!("{quote}{name}{quote}")));
    let mut constructs: SortedMap<(Code, String), Vec<Diagnostic>> = SortedMap::new();
    for it in found {
        let (code, name) = (it.problem.code, construct(&it).unwrap_or_default().to_string());
        let is_known = match code {
            Code::UnknownDirective => is_defined(&name),
            _ => false,
        };
        if !is_known {
            constructs.entry((code, name)).or_default().push(it);
        }
    }
    let names = OnceCell::new();
    let decided = constructs.iter().flat_map(|((_, name), found)| {
        if pages(found) < FEWEST_PAGES {
            // `[[Call]]` may be anything else.
            let is_page =
                |it: &Diagnostic| names_page(project, names.get_or_init(|| names_of_pages(project)), it);
            let found = found.iter().filter(|it| name != WIKI_LINK || is_page(it));
            return found.map(|it| in_terms_of_site(project, it)).collect::<Vec<_>>();
        }
        of_site(name, found).into_iter().chain(empty_alerts(found)).collect()
    });
    decided.collect()
}

/// Whether the text in double brackets is the title of a page, or the name of its file.
fn names_page(project: &Project, names: &HashSet<String>, it: &Diagnostic) -> bool {
    let text = project.sources.text(&it.file).map(Text::text).unwrap_or_default();
    let written = text.get(it.problem.span.clone()).unwrap_or_default();
    written.split('|').any(|name| names.contains(&letters(name)))
}

/// Returns the letters of the titles and file names of all pages.
fn names_of_pages(project: &Project) -> HashSet<String> {
    let names = project.site.documents.iter().flat_map(|document| {
        let stem = project.site.repository.stem(site_path::file_name(document.path.as_str()));
        [letters(&document.title), letters(stem)]
    });
    names.collect()
}

/// Replaces help about Stepkin's own syntax, which no other generator reads.
fn in_terms_of_site(project: &Project, it: &Diagnostic) -> Diagnostic {
    const OWN: [&str; 3] = ["`:::", "<tab", "_shared"];
    let is_own = it.problem.code == Code::UnsupportedSyntax
        && it.problem.help.as_deref().is_some_and(|help| OWN.iter().any(|sign| help.contains(sign)));
    if !is_own {
        return it.clone();
    }
    let help = if project.site.repository.convention.has_generator() {
        "use the syntax of this site's generator"
    } else {
        "use Markdown that GitHub reads, such as `> [!NOTE]` for a box"
    };
    Diagnostic { problem: Arc::new(Problem::clone(&it.problem).help(help.to_string())), ..it.clone() }
}

/// Returns the text that a finding has under a key.
fn value<'d>(it: &'d Diagnostic, key: &str) -> Option<&'d str> {
    it.problem.data.get(key)?.as_str()
}

fn has(it: &Diagnostic, key: &str) -> bool {
    it.problem.data.contains_key(key)
}

/// Counts the findings by their texts under a key.
fn count_by(found: &[Diagnostic], key: &str) -> SortedMap<String, usize> {
    let mut counts: SortedMap<String, usize> = SortedMap::new();
    for text in found.iter().filter_map(|it| value(it, key)) {
        *counts.entry(text.to_string()).or_default() += 1;
    }
    counts
}

/// Returns the number of pages with these findings.
fn pages(found: &[Diagnostic]) -> usize {
    found.iter().map(|it| &it.file).collect::<SortedSet<&SitePath>>().len()
}

/// Returns one finding for all, at the place of the first, as information.
fn once(found: &[Diagnostic], message: String, help: &str) -> Vec<Diagnostic> {
    let Some(Diagnostic { problem, file, .. }) = found.first() else { return Vec::new() };
    let problem = Problem::new(problem.code, problem.span.clone(), message).help(help.to_string());
    vec![problem.as_advice().at(file)]
}

/// Returns the name of an alert that GitHub doesn't support, or of a construct that the site's generator doesn't.
fn construct(it: &Diagnostic) -> Option<&str> {
    let is_certain = it.problem.code != Code::UnsupportedSyntax
        || it.severity == Severity::Warning && it.problem.data.contains_key("places");
    it.problem.data.get(data_key(it.problem.code)?).filter(|_| is_certain)?.as_str()
}

/// Reports the few alerts of a kind that have no text.
fn empty_alerts(found: &[Diagnostic]) -> Vec<Diagnostic> {
    let (empty, others): (Vec<&Diagnostic>, Vec<_>) = found.iter().partition(|it| has(it, EMPTY_ALERT));
    if !are_exceptions(empty.len(), others.len()) {
        return Vec::new();
    }
    empty.into_iter().map(|it| empty_note(it.problem.span.clone()).at(&it.file)).collect()
}

/// Returns the key of the name in a finding's data.
fn data_key(code: Code) -> Option<&'static str> {
    Some(match code {
        Code::UnknownAlert => "alert",
        Code::UnknownDirective => "directive",
        Code::UnknownElement => "element",
        Code::UnsupportedSyntax => "syntax",
        _ => return None,
    })
}

fn of_site(name: &str, found: &[Diagnostic]) -> Option<Diagnostic> {
    let first = found.first()?;
    let (code, pages) = (first.problem.code, pages(found));
    let key = data_key(code)?;
    let (message, help) = match code {
        Code::UnknownAlert => (
            format!("{} quotes begin with `[!{name}]`, which Stepkin doesn't know", found.len()),
            "it shows them as quotes; the site's own build may show them as notes",
        ),
        Code::UnsupportedSyntax => {
            let what = first.problem.message.split(':').next().unwrap_or_default();
            (
                format!("{what}, and {pages} pages contain such syntax"),
                "the site's own build may support it; Stepkin doesn't",
            )
        }
        _ => {
            let what = first.problem.message.split(", so ").next().unwrap_or_default();
            (
                format!("{what}, and {} other pages have the same", pages - 1),
                "the site's own build may define it; Stepkin doesn't know it",
            )
        }
    };
    let problem = Problem::new(code, first.problem.span.clone(), message).help(help.to_string());
    Some(Diagnostic::new(problem.as_advice().data(key, name).into(), &first.file))
}
