//! Constructs that many pages of a site use although its generator doesn't support them. The site's own build does.
//!
//! One page with `> [!DEPRECATED]` has a slip. A site in which many pages have it shows it as its authors mean it.

use std::sync::Arc;

use super::grammar::{EXTENSION, INVALID};
use super::links::BASE;
use super::missing::ROOT;
use super::parts::INCLUDED;
use super::structure::{FRAME, REPEATED};
use super::text::FILLER_TEXT;
use super::{components, relative};
use base::diagnostic::{Code, Diagnostic, Problem, Report, Severity, count};
use base::site_path::SitePath;
use base::sorted::{SortedMap, SortedSet};
use base::url::scheme;
use input::conventions::{are_exceptions, inline_targets};
use markup::markdown::{EMPTY_ALERT, empty_note};
use site::project::Project;

/// Pages that write the same, and so show that it works.
const FEWEST_PAGES: usize = 4;

/// Distinct labels without a definition that show that a program defines them.
const FEWEST_LABELS: usize = 20;

/// Reports each kind of custom alert or unsupported syntax once, as information. On a Stepkin site, all are known.
pub(super) fn fold(project: &Project, report: Report) -> Report {
    if project.site.repository.is_ours() {
        return report;
    }
    let report = if project.site.repository.has_own_alerts {
        report.into_iter().filter(|it| it.problem.code != Code::UnknownAlert).collect()
    } else {
        report
    };
    let report = without_templates(without_defined(project, report));
    let report = without_invalid(project, report);
    let report = relative::fold(project, without_base(project, without_fillers(extensions(report))));
    let report = second_titles(project, untitled(project, from_root(project, report)));
    let report = components::misspelled(project, frames(undefined_references(project, report)));
    let report = components::missing_files(project, report);
    let is_construct = |it: &Diagnostic| construct(it).is_some();
    if !report.iter().any(is_construct) {
        return report;
    }
    let mut constructs: SortedMap<(Code, String), Vec<&Diagnostic>> = SortedMap::new();
    for (name, it) in report.iter().filter_map(|it| Some((construct(it)?, it))) {
        constructs.entry((it.problem.code, name.to_string())).or_default().push(it);
    }
    constructs.retain(|_, found| {
        found.iter().map(|it| &it.file).collect::<SortedSet<&SitePath>>().len() >= FEWEST_PAGES
    });
    let folded = constructs.iter().filter_map(|((_, name), found)| of_site(name, found));
    let folded = folded.chain(constructs.values().flat_map(|found| empty_alerts(found)));
    let is_folded = |it: &Diagnostic| {
        construct(it).is_some_and(|name| constructs.contains_key(&(it.problem.code, name.to_string())))
    };
    let left = report.iter().filter(|it| !is_folded(it));
    left.cloned().chain(folded).collect()
}

/// Drops the findings about code of a language that often isn't valid, because the authors show parts of it.
fn without_invalid(project: &Project, report: Report) -> Report {
    let blocks = |language: &str| {
        let fence = format!("```{language}\n");
        project.site.documents.iter().map(|it| it.text().matches(&fence).count()).sum::<usize>()
    };
    let invalid = count_by(&report, INVALID);
    let is_rare = |(language, found): &(&String, &usize)| {
        are_exceptions(**found, blocks(language).saturating_sub(**found))
    };
    let rare: SortedSet<&str> =
        invalid.iter().filter(is_rare).map(|(language, _)| language.as_str()).collect();
    report.into_iter().filter(|it| value(it, INVALID).is_none_or(|it| rare.contains(it))).collect()
}

/// Drops the findings about headings that several pages repeat, as generated pages do.
fn without_templates(report: Report) -> Report {
    let pages = count_by(&report, REPEATED);
    let is_of_page = |it: &Diagnostic| value(it, REPEATED).is_none_or(|text| pages.get(text) == Some(&1));
    report.into_iter().filter(is_of_page).collect()
}

/// Drops the findings about directives that the site's own program defines: `app.add_directive("info", …)`.
fn without_defined(project: &Project, report: Report) -> Report {
    let programs = &project.site.repository.programs;
    let is_defined = |it: &Diagnostic| {
        let name = construct(it).filter(|_| it.problem.code == Code::UnknownDirective);
        name.is_some_and(|name| {
            ['"', '\''].iter().any(|quote| programs.contains(&format!("{quote}{name}{quote}")))
        })
    };
    if programs.is_empty() {
        return report;
    }
    report.into_iter().filter(|it| !is_defined(it)).collect()
}

/// Returns the text that a finding has under a key.
fn value<'d>(it: &'d Diagnostic, key: &str) -> Option<&'d str> {
    it.problem.data.get(key)?.as_str()
}

/// Counts the findings by their texts under a key.
fn count_by(report: &Report, key: &str) -> SortedMap<String, usize> {
    let mut counts: SortedMap<String, usize> = SortedMap::new();
    for text in report.iter().filter_map(|it| value(it, key)) {
        *counts.entry(text.to_string()).or_default() += 1;
    }
    counts
}

/// Reports each extension that the configuration lacks once, on the first page that needs it.
fn extensions(report: Report) -> Report {
    let pages = count_by(&report, EXTENSION);
    let mut seen: SortedSet<String> = SortedSet::new();
    let first = |mut it: Diagnostic| {
        let Some(name) = value(&it, EXTENSION).map(str::to_string) else { return Some(it) };
        let others = pages.get(&name).map_or(0, |count| count - 1);
        if others > 0 {
            let noun = if others == 1 { "page needs" } else { "pages need" };
            let problem = Arc::make_mut(&mut it.problem);
            problem.message = format!("{}; {others} other {noun} it", problem.message);
        }
        seen.insert(name).then_some(it)
    };
    report.into_iter().filter_map(first).collect()
}

/// Drops the findings about filler text if it is in several places, as in examples of a layout.
fn without_fillers(report: Report) -> Report {
    let is_filler = |it: &Diagnostic| it.problem.data.contains_key(FILLER_TEXT);
    if report.iter().filter(|it| is_filler(it)).count() < 2 {
        return report;
    }
    report.into_iter().filter(|it| !is_filler(it)).collect()
}

/// Drops the findings about links without the base path, unless more links have it than lack it, or nearly all are relative.
fn without_base(project: &Project, report: Report) -> Report {
    let lacks_base = |it: &Diagnostic| it.problem.data.contains_key(BASE);
    let lacking = report.iter().filter(|it| lacks_base(it)).count();
    let base = report.iter().find_map(|it| it.problem.data.get(BASE)?.as_str());
    let Some(base) = base.map(|base| format!("{base}/")) else { return report };
    let written = ["](", "\"", "]: "].map(|before| format!("{before}{base}"));
    // Jekyll's outputs with the base path.
    let written = written.iter().map(String::as_str).chain(["relative_url", "site.baseurl"]);
    let links = |text: &str| written.clone().map(|link| text.matches(link).count()).sum::<usize>();
    let having: usize = project.sources.pages.values().map(|page| links(&page.text())).sum();
    let is_relative = |target: &&str| !target.starts_with(['/', '#', '<', '{']) && scheme(target).is_none();
    let relative = |text: &str| inline_targets(text).filter(is_relative).count();
    let others: usize = project.sources.pages.values().map(|page| relative(&page.text())).sum();
    if having > lacking || are_exceptions(lacking, others) {
        return report;
    }
    report.into_iter().filter(|it| !lacks_base(it)).collect()
}

/// Reports pages without a title once, if most pages of a site whose generator works without titles have none.
fn untitled(project: &Project, report: Report) -> Report {
    let is_untitled = |it: &Diagnostic| it.problem.code == Code::MissingTitle;
    let (untitled, all) =
        (report.iter().filter(|it| is_untitled(it)).count(), project.site.documents.iter().count());
    let is_habit = untitled >= FEWEST_PAGES
        && 2 * untitled > all
        && !project.site.repository.convention.has_required_titles;
    let Some(first) = report.iter().find(|it| is_untitled(it)).filter(|_| is_habit) else { return report };
    let message = format!("{untitled} of {all} pages have no `title`, so the names of their files are used");
    let problem = Problem::new(Code::MissingTitle, first.problem.span.clone(), message);
    let once = problem.as_advice().data("places", untitled).at(&first.file);
    report.into_iter().filter(|it| !is_untitled(it)).chain([once]).collect()
}

/// Reports a second heading of level 1 as a mistake, if few pages have one.
fn second_titles(project: &Project, report: Report) -> Report {
    let is_second =
        |it: &Diagnostic| it.problem.code == Code::MultipleH1 && !it.problem.data.contains_key(INCLUDED);
    let (pages, all) =
        (report.iter().filter(|it| is_second(it)).count(), project.site.documents.iter().count());
    if pages == 0 || !are_exceptions(pages, all - pages) {
        return report;
    }
    let raised = |it: Diagnostic| {
        if !is_second(&it) {
            return it;
        }
        Diagnostic::new(Problem::clone(&it.problem).as_warning().into(), &it.file)
    };
    report.into_iter().map(raised).collect()
}

/// Reports the images of several pages once that are relative to the folder of all pages: a program publishes the pages there.
fn from_root(project: &Project, report: Report) -> Report {
    let is_from_root = |it: &Diagnostic| it.problem.data.contains_key(ROOT);
    let found: Vec<&Diagnostic> = report.iter().filter(|it| is_from_root(it)).collect();
    let pages = found.iter().map(|it| &it.file).collect::<SortedSet<&SitePath>>().len();
    let is_habit = pages >= FEWEST_PAGES && !project.site.repository.convention.has_generator();
    let Some(first) = found.first().filter(|_| is_habit) else { return report };
    let message = format!(
        "{} in {pages} pages are relative to the folder of all pages, and not to their page",
        count(found.len(), "image")
    );
    let help = "readers of the files don't see them, unless a program publishes the pages in that folder"
        .to_string();
    let problem = Problem::new(first.problem.code, first.problem.span.clone(), message).help(help);
    let folded = Diagnostic::new(problem.as_advice().into(), &first.file);
    let left = report.iter().filter(|it| !is_from_root(it));
    left.cloned().chain([folded]).collect()
}

/// Reports many references to undefined labels once, because a program must define them. Known generators don't without a plugin.
fn undefined_references(project: &Project, report: Report) -> Report {
    let repository = &project.site.repository;
    if !repository.is_guessed() && !repository.defines_labels {
        return report;
    }
    let is_undefined = |it: &Diagnostic| it.problem.data.contains_key("label");
    let undefined: Vec<&Diagnostic> = report.iter().filter(|it| is_undefined(it)).collect();
    let labels: SortedSet<&str> =
        undefined.iter().filter_map(|it| it.problem.data.get("label")?.as_str()).collect();
    let pages = undefined.iter().map(|it| &it.file).collect::<SortedSet<&SitePath>>().len();
    let is_habit = pages >= FEWEST_PAGES && labels.len() >= FEWEST_LABELS;
    let Some(first) = undefined.first().filter(|_| is_habit) else { return report };
    let message = format!(
        "{} references in {pages} pages have labels without a definition, such as `{}`",
        undefined.len(),
        labels.first().unwrap_or(&"")
    );
    let help = "readers see them as text, unless a program of this site defines the labels".to_string();
    let problem = Problem::new(first.problem.code, first.problem.span.clone(), message).help(help);
    let folded = Diagnostic::new(problem.as_advice().into(), &first.file);
    let left = report.iter().filter(|it| !is_undefined(it));
    left.cloned().chain([folded]).collect()
}

/// Reports all tags that are alone in their lines once.
fn frames(report: Report) -> Report {
    let is_frame = |it: &Diagnostic| it.problem.data.contains_key(FRAME);
    let found: Vec<&Diagnostic> = report.iter().filter(|it| is_frame(it)).collect();
    let Some(first) = found.first().filter(|_| found.len() > 1) else { return report };
    let pages = found.iter().map(|it| &it.file).collect::<SortedSet<&SitePath>>().len();
    let what = first.problem.message.split(", so ").next().unwrap_or_default();
    let places = if pages == 1 { "this page contains".to_string() } else { format!("{pages} pages contain") };
    let message = format!("{what}, and {places} {} such pairs of tags", found.len());
    let help = "browsers hide the tags; they are probably meant for another program".to_string();
    let problem = Problem::new(Code::UnknownElement, first.problem.span.clone(), message).help(help);
    let folded = Diagnostic::new(problem.as_advice().into(), &first.file);
    let left = report.iter().filter(|it| !is_frame(it));
    left.cloned().chain([folded]).collect()
}

/// Returns the name of an alert that GitHub doesn't support, or of a construct that the site's generator doesn't.
fn construct(it: &Diagnostic) -> Option<&str> {
    let is_certain = it.problem.code != Code::UnsupportedSyntax
        || it.severity == Severity::Warning && it.problem.data.contains_key("places");
    it.problem.data.get(data_key(it.problem.code)?).filter(|_| is_certain)?.as_str()
}

/// Reports the few alerts of a kind that have no text.
fn empty_alerts(found: &[&Diagnostic]) -> Vec<Diagnostic> {
    let (empty, others): (Vec<&Diagnostic>, Vec<_>) =
        found.iter().partition(|it| it.problem.data.contains_key(EMPTY_ALERT));
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

fn of_site(name: &str, found: &[&Diagnostic]) -> Option<Diagnostic> {
    let first = found.first()?;
    let (code, pages) = (first.problem.code, found.iter().map(|it| &it.file).collect::<SortedSet<_>>().len());
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
