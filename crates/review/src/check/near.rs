//! Finds the address that a missing target most likely means.
//!
//! In: a decoded path without content. Out: the address with the same name in another folder, or with a name and
//! folders that differ by typing mistakes. Pages are suggested for pages and images for images, but no pages of other
//! platforms.

use std::collections::HashMap;

use base::address::letters;
use base::diagnostic::{Code, distance_within, have_similar_words, nearest};
use base::index::{IndexVec, newtype_index};
use base::site_path::is_inside;
use base::sort::StableSort as _;
use site::content::PlatformOf;
use site::plan::{Artifact, Audience, End};
use site::project::Project;
use site::work::Work;

newtype_index! {
    /// Position of an address in [`SuggestionIndex::all`].
    struct CandidateIx
}

/// Every address that may be suggested.
#[derive(Debug)]
pub(super) struct SuggestionIndex {
    all: IndexVec<CandidateIx, Candidate>,
    /// By name without extension.
    by_name: HashMap<String, Vec<CandidateIx>>,
    /// By number of segments.
    by_depth: HashMap<usize, Vec<CandidateIx>>,
    /// Platforms by the address of their folder.
    by_folder: HashMap<String, PlatformOf>,
}

#[derive(Debug)]
struct Candidate {
    address: String,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Page,
    Picture,
    File,
}

/// The parts of a path.
#[derive(Clone, Copy)]
struct Parts<'a> {
    folder: &'a str,
    name: &'a str,
    ending: &'a str,
}

impl SuggestionIndex {
    pub(super) fn new(work: &Work) -> Self {
        let plan = &work.project.plan;
        let mut near = Self {
            all: IndexVec::default(),
            by_name: HashMap::new(),
            by_depth: HashMap::new(),
            by_folder: platforms_by_folder(work),
        };
        for (address, artifact) in plan.artifacts() {
            let fits = match artifact {
                // A broken redirect isn't suggested.
                Artifact::Redirect { .. } => !matches!(plan.end(address), None | Some(End::Missing(_))),
                Artifact::Folder(_) => has_pages_of_folders(&work.project),
                artifact => artifact.facts().audience != Audience::Programs,
            };
            if fits {
                let is_file = matches!(artifact, Artifact::Asset(_));
                near.add(address.as_str(), kind_of(address.as_str(), is_file));
            }
        }
        near
    }

    fn add(&mut self, address: &str, kind: Kind) {
        let (at, parts) = (self.all.push(Candidate { address: address.to_string(), kind }), parts(address));
        self.by_name.entry(parts.name.to_string()).or_default().push(at);
        self.by_depth.entry(depth(parts.folder)).or_default().push(at);
    }

    /// Returns the platform whose folder contains a path.
    pub(super) fn platform_of(&self, path: &str) -> Option<PlatformOf> {
        let mut ends = path.match_indices('/').map(|(at, _)| &path[..=at]);
        ends.find_map(|folder| self.by_folder.get(folder).copied())
    }

    /// Returns the most similar address with its distance. `from` is the platform of the page with the link, and `except` an address that
    /// isn't meant.
    pub(super) fn nearest(
        &self,
        path: &str,
        code: Code,
        from: Option<PlatformOf>,
        except: Option<&str>,
    ) -> Option<(usize, &str)> {
        let wanted = parts(path);
        let meant = self.platform_of(path).or(from);
        let fits = |at: &CandidateIx| {
            let Candidate { address, kind } = &self.all[*at];
            let is_kind = match code {
                Code::MissingImage => *kind == Kind::Picture,
                Code::MissingFile => *kind != Kind::Page,
                _ => *kind == Kind::Page,
            };
            let is_other_platform = |meant: PlatformOf| {
                self.platform_of(address).is_some_and(|its| its.family == meant.family && its != meant)
            };
            is_kind && Some(address.as_str()) != except && !meant.is_some_and(is_other_platform)
        };
        let named = self.by_name.get(wanted.name).into_iter().flatten().filter(|at| fits(at));
        let deep = self.by_depth.get(&depth(wanted.folder)).into_iter().flatten();
        let slips = deep.filter_map(|at| Some((slip(wanted, parts(&self.all[*at].address))?, at)));
        let slip = || slips.filter(|(_, at)| fits(at)).min_by_key(|(distance, _)| *distance);
        let (distance, at) = with_same_name(wanted, named, &self.all).or_else(slip)?;
        Some((distance, &self.all[*at].address))
    }
}

/// Returns the address of the page that a path in data or in the configuration most likely means.
pub(super) fn nearest_page<'p>(project: &'p Project, path: &str) -> Option<&'p str> {
    let is_folder = |artifact: &Artifact| matches!(artifact, Artifact::Folder(_));
    let is_page =
        |artifact: &Artifact| artifact.is_page() && (!is_folder(artifact) || has_pages_of_folders(project));
    let pages = || project.plan.artifacts().filter(|(_, artifact)| is_page(artifact));
    // The slashes at the ends of an address belong to no word.
    let bare = |address: &'p str| address.trim_matches('/');
    let near = nearest(path.trim_matches('/'), pages().map(|(address, _)| bare(address.as_str())))?;
    pages().map(|(address, _)| address.as_str()).find(|address| bare(address) == near)
}

/// Whether folders without a page of their own have one that lists their pages, as other generators don't write.
fn has_pages_of_folders(project: &Project) -> bool {
    project.site.repository.is_ours()
}

/// Returns the address with the same name in the most similar folder, or the only one. Returns `None` if several are
/// equally similar.
fn with_same_name<'a>(
    wanted: Parts<'_>,
    named: impl Iterator<Item = &'a CandidateIx>,
    all: &IndexVec<CandidateIx, Candidate>,
) -> Option<(usize, &'a CandidateIx)> {
    let alike = |at: &&CandidateIx| {
        let other = parts(&all[**at].address);
        other.ending == wanted.ending || other.folder == wanted.folder
    };
    let named: Vec<&CandidateIx> = named.filter(alike).collect();
    let near = named.iter().filter_map(|at| {
        let other = parts(&all[**at].address);
        let limit = wanted.folder.len().max(other.folder.len()).div_ceil(3);
        let ending = usize::from(other.ending != wanted.ending);
        Some((distance_within(wanted.folder, other.folder, limit)? + ending, *at))
    });
    let mut near: Vec<(usize, &CandidateIx)> = near.collect();
    near.stable_sort_by_key(|(distance, _)| *distance);
    // Otherwise, beyond a third of the folder's letters, the page may have moved to a folder above or below.
    let mut on_path = named.iter().filter(|at| {
        let other = parts(&all[***at].address).folder;
        is_inside(other, wanted.folder) || is_inside(wanted.folder, other)
    });
    let mut moved = || on_path.next().filter(|_| on_path.next().is_none());
    match near.as_slice() {
        [first, second, ..] if first.0 == second.0 => None,
        [first, ..] => Some(*first),
        [] => {
            let only = if let [only] = named.as_slice() { only } else { moved()? };
            Some((wanted.folder.len() + all[**only].address.len(), *only))
        }
    }
}

/// Returns the distance of two paths of the same depth if one may be a misspelling of the other.
fn slip(wanted: Parts<'_>, other: Parts<'_>) -> Option<usize> {
    let name = segment_slip(wanted.name, other.name)?;
    let folders = if wanted.folder == other.folder {
        0
    } else {
        let pairs = wanted.folder.split('/').zip(other.folder.split('/'));
        pairs.map(|(one, other)| segment_slip(one, other)).sum::<Option<usize>>()?
    };
    let ending = usize::from(wanted.ending != other.ending);
    (folders <= 2).then_some(name + folders + ending)
}

/// Maximum length of a word that a name may lack: `use-cli` for `use-my-cli`.
const LONGEST_WORD: usize = 3;

/// At most a quarter of the letters, and none in a name of two.
fn segment_slip(wanted: &str, other: &str) -> Option<usize> {
    if wanted == other {
        return Some(0);
    }
    let longest = wanted.chars().count().max(other.chars().count());
    let limit = if longest <= 2 { return None } else { longest.div_ceil(4) };
    let is_other_form = || singular(wanted) == singular(other) || letters(wanted).eq(letters(other));
    // Another name has a word more.
    let words = |name: &str| name.split(['-', '_', '.']).count();
    let limit = if words(wanted) == words(other) { limit } else { limit.min(LONGEST_WORD + 1) };
    let distance = distance_within(wanted, other, limit).filter(|_| have_similar_words(wanted, other));
    let distance = distance.or_else(|| is_other_form().then_some(1))?;
    // Names with different numbers mean different things, except for number prefixes, by which files are sorted.
    let is_digit = |c: char| c.is_ascii_digit();
    let bare = |name: &str| name.replace(is_digit, "");
    let sorted = |name: &str| name.trim_start_matches(is_digit).to_string();
    let is_other_number = bare(wanted) == bare(other) && sorted(wanted) != sorted(other);
    (!is_other_number && !bare(wanted).is_empty()).then_some(distance)
}

/// Returns a name without the ending of a plural: `memory` for `memories`.
fn singular(name: &str) -> String {
    match name.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => name.strip_suffix('s').unwrap_or(name).to_string(),
    }
}

fn parts(path: &str) -> Parts<'_> {
    let bare = path.trim_matches('/');
    let (folder, file) = bare.rsplit_once('/').unwrap_or(("", bare));
    let is_ending =
        |ending: &str| !path.ends_with('/') && ending.starts_with(|c: char| c.is_ascii_alphabetic());
    match file.rsplit_once('.') {
        Some((name, ending)) if is_ending(ending) && !name.is_empty() => Parts { folder, name, ending },
        _ => Parts { folder, name: file, ending: "" },
    }
}

fn depth(folder: &str) -> usize {
    if folder.is_empty() { 0 } else { folder.split('/').count() }
}

fn kind_of(address: &str, is_file: bool) -> Kind {
    const PICTURES: [&str; 9] = ["png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "ico", "bmp"];
    let ending = parts(address).ending.to_ascii_lowercase();
    match ending.as_str() {
        ending if PICTURES.contains(&ending) => Kind::Picture,
        "" | "html" | "htm" if !is_file || !ending.is_empty() => Kind::Page,
        _ if is_file => Kind::File,
        _ => Kind::Page,
    }
}

fn platforms_by_folder(work: &Work) -> HashMap<String, PlatformOf> {
    let of_family = work.project.site.families.indexed().flat_map(|(family, its)| {
        let platforms = its.platforms.indexed();
        platforms.map(move |(platform, it)| (it.folder().to_string(), PlatformOf { family, platform }))
    });
    of_family.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the suggestion for a path. Addresses and the folders of one family's platforms are separated by spaces.
    #[track_caller]
    fn check(addresses: &str, path: &str, code: Code, expected: Option<&str>) {
        let platform = |at: usize| PlatformOf { family: 0.into(), platform: at.into() };
        let platforms = [("/tour/web/".to_string(), platform(0)), ("/tour/ios/".to_string(), platform(1))];
        let mut near = SuggestionIndex {
            all: IndexVec::default(),
            by_name: HashMap::new(),
            by_depth: HashMap::new(),
            by_folder: platforms.into(),
        };
        for address in addresses.split(' ') {
            near.add(address, kind_of(address, !address.ends_with('/')));
        }
        assert_eq!(
            near.nearest(path, code, None, Some("/from/it/")).map(|(_, near)| near),
            expected,
            "{path}"
        );
    }

    #[test]
    fn only_similar_names_are_proposed() {
        let page =
            |addresses: &str, path: &str, expected| check(addresses, path, Code::MissingPage, expected);
        page("/a/connect/", "/a/conect", Some("/a/connect/"));
        page("/a/connect/", "/a/control", None);
        page("/a/connect/", "/b/connect/", Some("/a/connect/"));
        page("/a/connect/ /b/connect/", "/c/connect/", None);
        page("/guides/begin/", "/gides/begn/", Some("/guides/begin/"));
        page("/guides/tutorials/install/", "/guidse/tutoirals/instal/", Some("/guides/tutorials/install/"));
        page("/guides/tutorials/section/install/", "/guidse/tutoirals/secion/instal/", None);
        page("/a/memory/", "/a/memories", Some("/a/memory/"));
        page("/a/oillamp-one/", "/a/oil-lamp-one", Some("/a/oillamp-one/"));
        page("/a/", "/b/", None);
        page("/a/lamp-oil.1/ /a/lamp-wick-oil.1/", "/a/lamp-glass-oil.1", None);
        page("/a/use-my-cli/", "/a/use-cli", Some("/a/use-my-cli/"));
        page("/from/it/ /from/its/", "/from/itts", Some("/from/its/"));
        page("/a/step-3/", "/a/step-4/", None);
        page("/a/03-install/", "/a/04-install/", Some("/a/03-install/"));
        page("/a/connect.tsx", "/a/conect", None);
        page("/a/InteractiveCheckbox.tsx", "/a/InteractiveCheckbox/", None);
        page("/tour/ios/connect/", "/tour/web/connect/", None);
        page("/tour/ios/connect/ /tour/web/connext/", "/tour/web/connect/", Some("/tour/web/connext/"));
        check("/i/shot.png /i/shot/", "/i/shott.png", Code::MissingImage, Some("/i/shot.png"));
        check("/i/shot.png", "/i/shot.jpg", Code::MissingImage, Some("/i/shot.png"));
        check("/i/shot.png", "/j/shot.jpg", Code::MissingImage, None);
        check("/i/a.pdf /i/guide.pdf", "/i/giude.pdf", Code::MissingFile, Some("/i/guide.pdf"));
    }
}
