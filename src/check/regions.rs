//! Targets of which nobody can say that they are missing, because the site has more than its repository shows.
//!
//! A link checker may call an address missing only where it knows all addresses. Stepkin knows those of its own sites. Another
//! generator also publishes what a program writes, what other repositories hold, and what plugins route. So a folder of
//! addresses in which no source of the repository is published is an *open region*, unless its name is a slip of a folder's that is:
//! several targets in it that do not exist are one finding, which is no error, and no edit is proposed for them.

use std::collections::{BTreeMap, BTreeSet};

use crate::content::Document;
use crate::diagnostic::{Code, Diagnostic, Problem, Report, distance_within};
use crate::hash::{HashMap, HashSet};
use crate::plan::{Artifact, Destination};
use crate::project::Project;
use crate::site_path::SitePath;

/// Distinct targets that are missing in a region. One or two may be slips, and nearly all links of a published site work for its
/// readers: several that point to one folder say that it exists.
const FEWEST: usize = 4;

/// Deeper folders are parts of a region.
const DEEPEST: usize = 3;

/// Reports the targets of each open region once. In a site of our own there is none.
pub(super) fn open(project: &Project, report: Report) -> Report {
    if project.site.repository.is_ours() {
        return report;
    }
    let known = Known::of(project);
    let documents: HashMap<&SitePath, &Document> =
        project.site.documents.iter().map(|document| (&document.path, &**document)).collect();
    let any = project.site.documents.iter().next().map(|document| &**document);
    let mut regions: BTreeMap<String, Region> = BTreeMap::new();
    let region_of = |it: &Diagnostic| -> Option<(String, String)> {
        let is_missing =
            matches!(it.problem.code, Code::MissingPage | Code::MissingImage | Code::MissingFile);
        let target = it.problem.target.as_deref().filter(|_| is_missing)?;
        // Configurations name addresses too: those that start at the root mean the same on every page.
        let from = documents.get(&it.file).copied().or_else(|| any.filter(|_| target.starts_with('/')));
        let Destination::Missing { path, .. } = project.resolver().resolve(from?, target) else {
            return None;
        };
        match sign_of(target) {
            Some(sign) => Some((sign.to_string(), target.to_string())),
            None => Some((known.region(&path)?, path.into_owned())),
        }
    };
    for it in &report {
        if let Some((region, path)) = region_of(it) {
            let region = regions.entry(region).or_default();
            region.links += 1;
            region.paths.insert(path);
            region.first.get_or_insert_with(|| it.clone());
        }
    }
    regions.retain(|_, region| region.paths.len() >= FEWEST);
    if regions.is_empty() {
        return report;
    }
    let is_closed = |it: &Diagnostic| region_of(it).is_none_or(|(region, _)| !regions.contains_key(&region));
    let open = regions.iter().filter_map(|(folder, region)| region.finding(folder));
    report.iter().filter(|it| is_closed(it)).cloned().chain(open).collect()
}

/// The sign that a target begins with, if no address does: sites give such targets a meaning of their own, as in `[code](!otp)`.
fn sign_of(target: &str) -> Option<char> {
    /// Paths begin with these, names of files and folders with some, and encoded characters with the last.
    const ALLOWED: &str = "./#?_-~@([%";
    target.chars().next().filter(|c| c.is_ascii_punctuation() && !ALLOWED.contains(*c))
}

/// The folders of addresses in which something is published: the names of those in a folder, in lower case, by its path.
struct Known(HashMap<String, HashSet<String>>);

impl Known {
    fn of(project: &Project) -> Self {
        let published = project.plan.artifacts().filter(|(_, it)| !matches!(it, Artifact::Folder(_)));
        Self::with(published.map(|(address, _)| address.as_str()))
    }

    fn with<'a>(addresses: impl Iterator<Item = &'a str>) -> Self {
        let mut known: HashMap<String, HashSet<String>> = HashMap::default();
        for address in addresses {
            for (around, name) in folders(address) {
                let names = known.entry(around.to_string()).or_default();
                if !names.contains(name) {
                    names.insert(name.to_string());
                }
            }
        }
        Self(known)
    }

    /// The open region that a path is in, by the first of its folders that nothing is published in.
    fn region(&self, path: &str) -> Option<String> {
        let is_unknown =
            |(around, name): &(&str, &str)| self.0.get(*around).is_none_or(|it| !it.contains(*name));
        let (around, name) = folders(path.trim_end_matches('/')).take(DEEPEST).find(is_unknown)?;
        (!self.is_slip(around, name)).then(|| format!("{around}{name}/"))
    }

    /// Whether a folder is named nearly as one beside it.
    fn is_slip(&self, around: &str, name: &str) -> bool {
        let name = name.to_lowercase();
        let limit = name.chars().count() / 4;
        let mut others = self.0.get(around).into_iter().flatten();
        others.any(|other| distance_within(&name, &other.to_lowercase(), limit).is_some())
    }
}

/// The folders of a path, each as the path around it and its name: `/` and `docs`, `/docs/` and `install` of `/docs/install/linux`.
fn folders(path: &str) -> impl Iterator<Item = (&str, &str)> {
    let ends = path.match_indices('/').map(|(end, _)| end);
    ends.clone().zip(ends.skip(1)).map(|(start, end)| (&path[..=start], &path[start + 1..end]))
}

#[derive(Default)]
struct Region {
    links: usize,
    paths: BTreeSet<String>,
    /// The first finding in it.
    first: Option<Diagnostic>,
}

impl Region {
    fn finding(&self, folder: &str) -> Option<Diagnostic> {
        let first = self.first.as_ref()?;
        let (links, addresses) = (self.links, self.paths.len());
        let (message, help) = if folder.starts_with('/') {
            (
                format!(
                    "{links} links point to {addresses} addresses in `{folder}`, where no file of this repository is published"
                ),
                format!(
                    "if something else publishes them, add `routes = [\"{folder}*\"]` to `[check]` in stepkin.toml; if a folder \
                     of this repository does, name it in `[source]`"
                ),
            )
        } else {
            (
                format!(
                    "{links} links have {addresses} targets that begin with `{folder}`, as no address does"
                ),
                "Stepkin doesn't know what they mean, so it doesn't look them up".to_string(),
            )
        };
        let problem = Problem::new(Code::OpenRegion, first.problem.span.clone(), message).help(help);
        let problem = problem.data("region", folder).data("links", links).data("addresses", addresses);
        Some(Diagnostic::new(problem.into(), &first.file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `expected` is empty where the path is not in an open region.
    #[track_caller]
    fn check(path: &str, expected: &str) {
        let known = Known::with(["/", "/docs/install/a/", "/docs/install/", "/img/a.png"].into_iter());
        assert_eq!(known.region(path).unwrap_or_default(), expected, "{path}");
    }

    #[test]
    fn a_region_is_the_first_folder_that_nothing_is_published_in() {
        check("/docs/instal/", "");
        check("/instal", "");
        check("/docs/install/linux", "");
        check("/api/classes/color/", "/api/");
        check("/docs/api/color/", "/docs/api/");
        check("/docs/api/", "");
        check("/docs/install/b/c/d/e", "/docs/install/b/");
    }

    #[test]
    fn a_sign_is_what_no_address_begins_with() {
        for (target, sign) in [
            ("!otp", Some('!')),
            ("$x", Some('$')),
            ("_a/b", None),
            ("../a", None),
            ("(a)/b", None),
            ("é", None),
        ] {
            assert_eq!(sign_of(target), sign, "{target}");
        }
    }

    #[test]
    fn a_slip_in_the_name_of_a_folder_is_none() {
        check("/dosc/install/", "");
        check("/docs/instal/linux/", "");
        check("/imgs/a.png", "");
        check("/Docs/install/x/", "");
    }
}
