//! The addresses that a translation shares with the original.

use super::{Artifact, Plan};
use crate::content::{DocumentId, Site};
use base::address::Address;
use base::hash::HashSet;
use input::config::Fallback;
use input::source::LanguageView;

/// Returns the pages of a translation on which only the interface is translated.
pub(super) fn untranslated(site: &Site, artifacts: &[(Address, Artifact)]) -> HashSet<Address> {
    let is_foreign = |id: DocumentId| site.document(id).foreign.is_some();
    if !site.documents.indices().any(is_foreign) {
        return HashSet::default();
    }
    let own = site.documents.iter().filter(|document| document.foreign.is_none());
    let folders_with_own: HashSet<Address> = own.flat_map(|document| document.address.above()).collect();
    let is_untranslated = |address: &Address, artifact: &Artifact| match artifact {
        Artifact::Page(id) | Artifact::Home(Some(id)) => is_foreign(*id),
        Artifact::Overview { family, .. } | Artifact::Compare { family } | Artifact::Print { family, .. } => {
            let own = artifact.document().is_some_and(|id| !is_foreign(id));
            let mut steps = site.families[*family].platforms.iter().flat_map(|platform| &platform.steps);
            !own && steps.all(|&step| is_foreign(step))
        }
        Artifact::Folder(_) => !folders_with_own.contains(address),
        _ => false,
    };
    let found = artifacts.iter().filter(|(address, artifact)| is_untranslated(address, artifact));
    found.map(|(address, _)| address.clone()).collect()
}

/// Returns the addresses of a translation that readers find in the original: files that are the same in all languages, and
/// pages without a translation if they are only linked.
pub(super) fn shared(plan: &Plan, site: &Site, view: &LanguageView) -> HashSet<Address> {
    // The search finds its files next to its script.
    let search = plan.assets().iter().filter(|(name, _)| name.starts_with("search")).map(|(_, it)| it);
    let search: HashSet<&Address> = search.collect();
    let is_linked = site.config.languages.fallback == Some(Fallback::Link);
    let is_page = |address: &Address| {
        is_linked && plan.is_untranslated(address) && !matches!(plan.get(address), Some(Artifact::Home(_)))
    };
    let is_shared = |address: &Address, artifact: &Artifact| match artifact {
        Artifact::Asset(path) | Artifact::Rendition { of: path, .. } => !view.is_own(path),
        Artifact::Builtin(_) | Artifact::LookStyle | Artifact::OwnStyle => true,
        Artifact::Twin(page) => is_page(page),
        Artifact::Redirect { from, .. } => is_linked && site.document(*from).foreign.is_some(),
        _ => is_page(address),
    };
    let found = plan.artifacts().filter(|(address, artifact)| is_shared(address, artifact));
    found.map(|(address, _)| address.clone()).filter(|address| !search.contains(address)).collect()
}
