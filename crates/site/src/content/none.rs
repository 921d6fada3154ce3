//! Why a site has no family.

use super::documents::{Documents, below, folders_of_no_tutorials};
use super::key::StepKey;
use super::{Document, found};
use base::diagnostic::{Code, Diagnostic, Problem};
use base::platforms::{display_name, is_platform, nearly_a_platform};
use base::site_path::join;
use base::sorted::{SortedMap, SortedSet};
use input::config::Config;

/// The most likely reason why no pages form a family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoFamily {
    /// The name of `folder` resembles a platform, and its pages have the same names as another platform's.
    Misnamed { folder: String, meant: &'static str },
    /// The folders of two platforms have no page name in common.
    NothingInCommon { one: String, other: String },
    /// Two folders or pages are named after platforms, or their names differ only in these, and their pages are different.
    Unlike { one: String, other: String },
    /// Only one folder or page is named after a platform.
    OnePlatform { place: String, name: String },
    /// No folder or page is named after a platform.
    NoPlatforms,
}

impl NoFamily {
    /// Whether families are likely to be intended.
    pub fn is_mistake(&self) -> bool {
        matches!(self, Self::Misnamed { .. } | Self::NothingInCommon { .. })
    }
}

/// Names in one folder that are or resemble platforms, with the keys of their pages.
type Names<'a> = SortedMap<&'a str, SortedSet<StepKey>>;

/// Returns `None` if there are no pages, or if the configuration excludes folders of platforms.
pub(super) fn reason(documents: &Documents<'_>, config: &Config) -> Option<NoFamily> {
    let roots = folders_of_no_tutorials(config);
    if documents.is_empty() || !roots.is_empty() {
        return None;
    }
    let mut folders: SortedMap<&str, Names<'_>> = SortedMap::new();
    for (_, document) in documents.indexed() {
        for (folder, name, rest) in found::places(below(document)) {
            if is_platform(name) || nearly_a_platform(name).is_some() {
                let key = StepKey::new(rest, document, documents.repository());
                folders.entry(folder).or_default().entry(name).or_default().insert(key);
            }
        }
    }
    let misnamed = || folders.iter().find_map(|(folder, names)| misnamed(folder, names));
    let apart = || folders.iter().find_map(|(folder, names)| nothing_in_common(folder, names));
    let unlike = || {
        folders.iter().find_map(|(folder, names)| match platforms(names)[..] {
            [one, other, ..] => Some(NoFamily::Unlike { one: join(folder, one), other: join(folder, other) }),
            _ => None,
        })
    };
    let one = || {
        let (folder, name) =
            folders.iter().find_map(|(folder, names)| Some((folder, *platforms(names).first()?)))?;
        Some(NoFamily::OnePlatform { place: join(folder, name), name: display_name(&name.to_lowercase()) })
    };
    let pages = || {
        let [one, other] = found::named_alike(documents)?.map(|document| below(document).to_string());
        Some(NoFamily::Unlike { one, other })
    };
    misnamed().or_else(apart).or_else(unlike).or_else(pages).or_else(one).or(Some(NoFamily::NoPlatforms))
}

fn platforms<'a>(names: &Names<'a>) -> Vec<&'a str> {
    names.keys().copied().filter(|name| is_platform(name)).collect()
}

fn misnamed(folder: &str, names: &Names<'_>) -> Option<NoFamily> {
    names.iter().find_map(|(name, keys)| {
        let meant = nearly_a_platform(name)?;
        // Pages that are named after platforms, and those of the folders themselves, always have the same key.
        let is_step = |key: &StepKey| !key.as_str().is_empty();
        let shares = |(other, its): (&&str, &SortedSet<StepKey>)| {
            is_platform(other) && its.intersection(keys).any(is_step)
        };
        let is_free = !names.keys().any(|other| other.eq_ignore_ascii_case(meant));
        (is_free && names.iter().any(shares))
            .then(|| NoFamily::Misnamed { folder: join(folder, name), meant })
    })
}

fn nothing_in_common(folder: &str, names: &Names<'_>) -> Option<NoFamily> {
    /// A folder with a single page may have any purpose.
    const FEW: usize = 2;
    let mut platforms = names.iter().filter(|(name, keys)| is_platform(name) && keys.len() >= FEW);
    let ((one, _), (other, _)) = (platforms.next()?, platforms.next()?);
    Some(NoFamily::NothingInCommon { one: join(folder, one), other: join(folder, other) })
}

/// Returns the finding if a mistake is likely.
pub(super) fn finding(reason: &NoFamily, documents: &Documents<'_>) -> Option<Diagnostic> {
    let (folder, message, help) = match reason {
        NoFamily::Misnamed { folder, meant } => (
            folder,
            format!("no family found because `{folder}` isn't named after a platform"),
            format!("did you mean `{meant}`? rename the folder"),
        ),
        NoFamily::NothingInCommon { one, other } => (
            one,
            format!("no family found because the pages in `{one}` and `{other}` have no names in common"),
            format!(
                "use the same name for a step on every platform, or declare in stepkin.toml that this isn't a \
                 tutorial: [[family]] root = \"{one}\" tutorial = false"
            ),
        ),
        NoFamily::Unlike { .. } | NoFamily::OnePlatform { .. } | NoFamily::NoPlatforms => return None,
    };
    let first: &Document = documents.below(folder).next().map(|id| &*documents[id])?;
    let problem = Problem::new(Code::NoFamily, first.top(), message).help(help);
    Some(problem.data("root", folder.as_str()).at(&first.path))
}
