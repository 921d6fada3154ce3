//! Constructs that many pages of a site use although its generator doesn't support them. The site's own build does.
//!
//! One page with `> [!DEPRECATED]` has a slip. A site in which many pages have it shows it as its authors mean it.

use crate::base::diagnostic::{Code, Diagnostic, Problem, Report};
use crate::base::site_path::SitePath;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::site::project::Project;

/// Pages that write the same, and so show that it works.
const FEWEST_PAGES: usize = 4;

/// Reports each kind of custom alert once, as information. On a Stepkin site, all alerts are known.
pub(super) fn fold(project: &Project, report: Report) -> Report {
    if project.site.repository.is_ours() || !report.iter().any(|it| it.problem.code == Code::UnknownAlert) {
        return report;
    }
    let mut alerts: SortedMap<String, Vec<&Diagnostic>> = SortedMap::new();
    for (name, it) in report.iter().filter_map(|it| Some((alert(it)?, it))) {
        alerts.entry(name.to_string()).or_default().push(it);
    }
    alerts.retain(|_, found| {
        found.iter().map(|it| &it.file).collect::<SortedSet<&SitePath>>().len() >= FEWEST_PAGES
    });
    let folded = alerts.iter().filter_map(|(name, found)| of_site(name, found));
    let left = report.iter().filter(|it| !alert(it).is_some_and(|name| alerts.contains_key(name)));
    left.cloned().chain(folded).collect()
}

/// Returns the name of an alert that GitHub doesn't support.
fn alert(it: &Diagnostic) -> Option<&str> {
    it.problem
        .data
        .get("alert")
        .and_then(|name| name.as_str())
        .filter(|_| it.problem.code == Code::UnknownAlert)
}

fn of_site(name: &str, found: &[&Diagnostic]) -> Option<Diagnostic> {
    let first = found.first()?;
    let message = format!("{} quotes begin with `[!{name}]`, which Stepkin doesn't know", found.len());
    let help = "it shows them as quotes; the site's own build may show them as notes".to_string();
    let problem = Problem::new(Code::UnknownAlert, first.problem.span.clone(), message).help(help);
    Some(Diagnostic::new(problem.as_advice().data("alert", name).into(), &first.file))
}
