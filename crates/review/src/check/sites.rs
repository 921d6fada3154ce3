//! Checks links to other sites with a link map.

use std::ops::Range;
use std::sync::Arc;

use super::lookup::{Lookup, exactly};
use super::{Diagnostic, Subject};
use base::diagnostic::{Code, Problem, nearest};
use base::site_path::CONFIG;
use base::sort::StableSort as _;
use base::sorted::SortedMap;
use input::config::LinkedSite;
use input::link_map::{LinkMap, MapAnswer, SiteUrl};
use markup::markdown::Reference;

/// Other sites with their maps.
#[derive(Clone, Debug, Default)]
pub struct Sites {
    /// Sites with a longer URL come first, so that the inner one of two overlapping sites is used.
    known: Vec<MappedSite>,
    /// By the range of the map in the configuration.
    unusable: SortedMap<(usize, usize), Problem>,
}

/// A site with a usable map.
#[derive(Clone, Debug)]
struct MappedSite {
    url: SiteUrl,
    /// Path of the map.
    file: String,
    hash: blake3::Hash,
    map: Arc<LinkMap>,
}

/// Why a map isn't used, as the rest of a sentence that begins with it, and the help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unused {
    pub cause: String,
    pub help: String,
}

impl Sites {
    /// Adds a site with the result of reading its map, and a hash of the map.
    pub fn add(&mut self, site: &LinkedSite, map: Result<(Arc<LinkMap>, blake3::Hash), Unused>) {
        let (file, span) = (site.map.get_ref().as_str().to_string(), site.map.span());
        match map {
            Ok((map, hash)) => {
                self.known.push(MappedSite { url: site.url.clone(), file, hash, map });
                self.known.stable_sort_by_key(|known| std::cmp::Reverse(known.url.as_str().len()));
            }
            Err(Unused { cause, help }) => {
                let message =
                    format!("the map `{file}` {cause}, so links to `{}` are not checked", site.url.as_str());
                let problem = Problem::new(Code::UnusableMap, span.clone(), message).help(help).target(file);
                self.unusable.insert((span.start, span.end), problem);
            }
        }
    }

    /// Reports the maps that aren't used.
    pub(super) fn unusable(&self) -> impl Iterator<Item = Diagnostic> {
        self.unusable.values().map(|problem| problem.clone().at(&CONFIG.into()))
    }

    /// Returns everything on which findings depend.
    pub(super) fn key(&self) -> String {
        let sites =
            self.known.iter().map(|known| format!("{} {} {}", known.url.as_str(), known.file, known.hash));
        sites.collect::<Vec<_>>().join("\n")
    }

    /// Whether a map determines if a URL exists.
    pub fn answer(&self, url: &str) -> bool {
        self.look(url).is_some_and(|(_, said)| said != MapAnswer::Nothing)
    }

    fn look(&self, target: &str) -> Option<(&MappedSite, MapAnswer<'_>)> {
        let target = target.trim();
        let known = self.known.iter().find(|known| known.url.has(target))?;
        Some((known, known.map.look(target)?))
    }

    /// Returns the finding for a link in the configuration.
    pub(super) fn problem(&self, target: &str, span: Range<usize>) -> Option<Problem> {
        self.found(target, span).map(|found| found.problem)
    }

    /// Returns the problem with a target.
    fn found(&self, target: &str, span: Range<usize>) -> Option<TargetProblem> {
        let (known, said) = self.look(target)?;
        let (target, file) = (target.trim(), known.file.as_str());
        let problem = |code: Code, message: String| {
            Problem::new(code, span.clone(), message).target(target).data("map", file)
        };
        let problem = match said {
            MapAnswer::There | MapAnswer::Nothing => return None,
            MapAnswer::Moved(to) => {
                // The suggested URL may also be wrong, but a link has only one finding.
                let wrong = known.map.look(&to).filter(|said| matches!(said, MapAnswer::NoAnchor { .. }));
                if wrong.is_some() {
                    return self
                        .found(&to, span)
                        .map(|found| TargetProblem { problem: found.problem.target(target), ..found });
                }
                let problem = problem(Code::MovedPage, format!("`{target}` has moved"));
                let problem = problem.help(format!("use `{to}`")).data("moved_to", to.as_str());
                return Some(TargetProblem { problem, meant: Some(to) });
            }
            MapAnswer::NoPage => {
                let page = target.split(['?', '#']).next().unwrap_or_default();
                let near = known.map.nearest(target);
                let help = near.map_or_else(
                    || format!("use the URL of a page on that site, or update `{file}` with `stepkin maps update`"),
                    |near| format!("did you mean `{near}`?"),
                );
                let message = format!("page `{page}` is not in `{file}`, the map of its site");
                problem(Code::MissingPage, message).help(help)
            }
            MapAnswer::NoAnchor { known: anchors, all } => {
                let (page, wanted) = target.split_once('#').unwrap_or((target, ""));
                let near = nearest(wanted, anchors.iter().map(String::as_str));
                let near = near.map(|near| format!("did you mean `#{near}`?"));
                let message = format!("`{page}` has no anchor `{wanted}` in `{file}`, the map of its site");
                if all {
                    problem(Code::MissingAnchor, message).help(near)
                } else {
                    let message = format!(
                        "`{file}`, the map of its site, doesn't contain the anchor `{wanted}` of `{page}`"
                    );
                    let help = "open it in a browser; an inventory doesn't contain every heading".to_string();
                    problem(Code::MissingAnchor, message).help(near.unwrap_or(help)).as_advice()
                }
            }
        };
        Some(TargetProblem { problem, meant: None })
    }
}

/// A problem, and the target that replaces the wrong one.
struct TargetProblem {
    problem: Problem,
    meant: Option<String>,
}

/// Returns the finding for a link to a site with a map.
pub(super) fn problem(lookup: &Lookup<'_>, subject: &Subject<'_>, reference: &Reference) -> Option<Problem> {
    let sites = &lookup.shared.evidence.sites;
    let TargetProblem { problem, meant } = sites.found(&reference.target, reference.span.clone())?;
    Some(match meant {
        Some(meant) => exactly(problem, subject, reference, meant),
        None => problem,
    })
}
