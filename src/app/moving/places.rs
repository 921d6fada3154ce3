//! The correspondence between a site before and after a move.

use std::collections::HashMap;

use super::aliases::MovedPage;
use super::{Move, present};
use base::address::Address;
use base::index::IndexVec;
use base::site_path::SitePath;
use base::sorted::SortedMap;
use review::check;
use site::content::DocumentId;
use site::plan::{Artifact, Destination, End, take_apart};
use site::work::Work;

/// A site before and after, and the correspondence of documents.
pub(super) struct Correspondence<'a> {
    old: &'a Work,
    pub(super) new: &'a Work,
    pairs: IndexVec<DocumentId, DocumentId>,
    renames: &'a [Move],
    /// The addresses of files that are published unchanged.
    files: HashMap<&'a SitePath, &'a Address>,
    /// Moved folders of pages, as addresses.
    folders: Vec<(String, String)>,
}

impl<'a> Correspondence<'a> {
    pub(super) fn new(
        old: &'a Work,
        new: &'a Work,
        pairs: IndexVec<DocumentId, DocumentId>,
        renames: &'a [Move],
    ) -> Self {
        let file = |(address, artifact): (&'a Address, &'a Artifact)| match artifact {
            Artifact::Asset(path) => Some((path, address)),
            _ => None,
        };
        let files = new.project.plan.artifacts().filter_map(file).collect();
        let content = &old.project.site.repository.content;
        let folder = |it: &Move| {
            let (from, to) = (content.below(it.from.as_str())?, content.below(it.to.as_str())?);
            Some((format!("/{from}/"), format!("/{to}/")))
        };
        let folders = renames.iter().filter_map(folder).collect();
        Self { old, new, pairs, renames, files, folders }
    }

    /// Returns the new document of an old one.
    pub(super) fn now(&self, id: DocumentId) -> DocumentId {
        self.pairs[id]
    }

    /// Returns the new address of an artifact, or `None` if it no longer exists.
    fn address(&self, address: &Address) -> Option<Address> {
        let (old, new) = (&self.old.project, &self.new.project);
        let of_document = |id: DocumentId| new.site.document(self.pairs[id]).address.clone();
        match old.plan.get(address)? {
            Artifact::Asset(path) => self.files.get(&present(self.renames, path)).map(|it| (*it).clone()),
            Artifact::Twin(page) => Some(self.address(page)?.twin()),
            Artifact::Redirect { from, .. } if old.site.document(*from).address == *address => {
                Some(of_document(*from))
            }
            Artifact::Redirect { .. } => Some(address.clone()),
            artifact => {
                if let Some(id) = artifact.document() {
                    return Some(of_document(id));
                }
                let moved = self.folders.iter().find_map(|(from, to)| {
                    Some(Address::new(&format!("{to}{}", address.as_str().strip_prefix(from)?)))
                });
                let moved = moved.filter(|moved| new.plan.get(moved).is_some());
                moved.or_else(|| new.plan.get(address).map(|_| address.clone()))
            }
        }
    }

    /// Returns the replacement for a target on a page that otherwise would no longer have the same destination.
    pub(super) fn relinked(&self, id: DocumentId, target: &str) -> Option<String> {
        let old = &self.old.project;
        let Destination::Here(meant) = old.resolver().resolve(old.site.document(id), target) else {
            return None;
        };
        if take_apart(target.trim()).path.is_empty() {
            return None;
        }
        let to = self.address(meant.address)?;
        let now = self.pairs[id];
        (!self.leads(now, target, &to)).then(|| check::written_like(self.new, now, target, &to))
    }

    /// Returns the front matter keys of templates that refer to moved files, with their new values.
    pub(super) fn named_in_front(&self, id: DocumentId) -> Vec<(&str, (&str, String))> {
        let extra = &self.old.project.site.document(id).front.extra;
        let named = extra.iter().filter_map(|(key, value)| {
            let written = value.as_str()?;
            self.is_file(id, written).then_some(())?;
            Some((key.as_str(), (written, self.relinked(id, written)?)))
        });
        named.collect()
    }

    /// Whether a target referred to a file that is published unchanged.
    fn is_file(&self, id: DocumentId, target: &str) -> bool {
        let old = &self.old.project;
        match old.resolver().resolve(old.site.document(id), target) {
            Destination::Here(here) => matches!(old.plan.get(here.address), Some(Artifact::Asset(_))),
            _ => false,
        }
    }

    /// Whether a target on a page refers to an address.
    fn leads(&self, now: DocumentId, target: &str, to: &Address) -> bool {
        let new = &self.new.project;
        match new.resolver().resolve(new.site.document(now), target) {
            Destination::Here(found) => found.address == to,
            _ => false,
        }
    }

    /// Returns the addresses that pages no longer have, by the old paths of their files.
    pub(super) fn former(&self, renames: &[Move]) -> SortedMap<SitePath, MovedPage> {
        let mut all: SortedMap<SitePath, MovedPage> = SortedMap::new();
        let own =
            self.old.project.site.documents.indexed().filter(|(_, document)| document.foreign.is_none());
        for (id, document) in own {
            let now = &self.new.project.site.document(self.pairs[id]).address;
            if *now == document.address
                || present(renames, &document.path) == document.path && !document.is_shared()
            {
                continue;
            }
            let former = all.entry(document.path.clone()).or_insert_with(|| MovedPage::new(document.body));
            former.gone.insert(document.address.clone());
            former.present.insert(now.clone());
        }
        all
    }

    /// Returns an error if a link no longer has the same destination.
    pub(super) fn verify(&self) -> Result<(), String> {
        let own =
            self.old.project.site.documents.indexed().filter(|(_, document)| document.foreign.is_none());
        for (id, document) in own {
            self.verify_address(id)?;
            let (before, after) = (&self.old.pages[id], &self.new.pages[self.pairs[id]]);
            let fails = |target: &str| {
                format!("the link `{target}` in `{}` can't be updated; change it first", document.path)
            };
            if before.references.len() != after.references.len() {
                return Err(format!("links in `{}` would have other targets", document.path));
            }
            for (one, other) in before.references.iter().zip(&after.references) {
                if !self.is_same(id, &one.target, &other.target) {
                    return Err(fails(&one.target));
                }
            }
            let fronts = (&document.front, &self.new.project.site.document(self.pairs[id]).front);
            for (key, value) in &fronts.0.extra {
                let Some(target) = value.as_str().filter(|target| self.is_file(id, target)) else { continue };
                let now = fronts.1.extra.get(key).and_then(|value| value.as_str());
                if !now.is_some_and(|now| self.is_same(id, target, now)) {
                    return Err(fails(target));
                }
            }
            if let (Some(one), Some(other)) = (&fronts.0.redirect, &fronts.1.redirect)
                && !self.is_same(id, one, other)
            {
                return Err(fails(one));
            }
            if !before.code.iter().map(|block| &block.code).eq(after.code.iter().map(|block| &block.code)) {
                return Err(format!(
                    "`{}` includes code by a path relative to its folder; make it relative to the site root",
                    document.path
                ));
            }
        }
        Ok(())
    }

    fn is_same(&self, id: DocumentId, one: &str, other: &str) -> bool {
        let old = &self.old.project;
        match old.resolver().resolve(old.site.document(id), one) {
            Destination::Here(meant) => match self.address(meant.address) {
                Some(to) => self.leads(self.pairs[id], other, &to),
                None => false,
            },
            _ => one == other,
        }
    }

    /// Checks that each page is at its address, and that its old address redirects to it.
    fn verify_address(&self, id: DocumentId) -> Result<(), String> {
        let (old, new) = (&self.old.project, &self.new.project);
        let (before, now) = (old.site.document(id), self.pairs[id]);
        let after = new.site.document(now);
        let shows = |address: &Address| match new.plan.get(address) {
            Some(Artifact::Redirect { from, .. }) => *from == now,
            artifact => artifact.and_then(Artifact::document) == Some(now),
        };
        let was_shown = old.plan.get(&before.address).is_some_and(|it| match it {
            Artifact::Redirect { from, .. } => *from == id,
            artifact => artifact.document() == Some(id),
        });
        if was_shown && !shows(&after.address) {
            return Err(format!("`{}`, the new URL of `{}`, is already in use", after.address, before.path));
        }
        let ends = || match new.plan.end(&before.address) {
            Some(End::Here { address, .. }) => *address == after.address || after.front.redirect.is_some(),
            Some(_) => after.front.redirect.is_some(),
            None => false,
        };
        if was_shown && before.address != after.address && !(shows(&before.address) && ends()) {
            return Err(format!("the old URL `{}` would not redirect to `{}`", before.address, before.path));
        }
        Ok(())
    }
}
