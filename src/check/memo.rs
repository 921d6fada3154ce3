//! What was found on a page, kept for as long as the rules would find the same.
//!
//! What they find follows from what a rule may look at when it sees a page:
//!
//! - every address with what is there, which folders are platforms', the configuration, and
//!   [`Evidence`](super::Evidence);
//! - the page itself, and the family that it is a step of;
//! - the pages that it names, and of an overview or a comparison its family.
//!
//! The first two make the key of a page. The names follow from these two, so they are kept together with what they
//! stood for. A rule that looks further makes findings out of date.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use super::files::{self, IntoFile};
use super::links::Shared;
use super::{Subject, images};
use crate::content::{DocumentId, FamilyId};
use crate::diagnostic::Problem;
use crate::markdown::Suppression;
use crate::plan::{Destination, Origin};
use crate::render::{Dependencies, Walk};
use crate::store::{Record, add};

/// What was found on a page, and what the rules for the whole site ask about it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Checked {
    pub(super) problems: Vec<Arc<Problem>>,
    /// Comments that accept findings on purpose.
    pub(super) suppressions: Vec<Suppression>,
    /// The addresses of files that it shows or links to.
    pub(super) files: Vec<String>,
    /// Links to places in HTML files.
    pub(super) into_files: Vec<IntoFile>,
    named: BTreeSet<Named>,
    /// A hash of what they stood for.
    #[serde(with = "serde_bytes")]
    seen: [u8; 32],
}

/// What a page names, by its number in the site; equal plans have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Named {
    Page(DocumentId),
    Family(FamilyId),
    /// The titles of all pages.
    Titles,
}

/// What the findings of every page depend on.
#[derive(Debug)]
pub(super) struct Keys<'a> {
    walk: &'a Walk,
    dependencies: &'a Dependencies,
    site: blake3::Hash,
    /// A hash of the titles of all pages, made when first asked for.
    titles: OnceLock<blake3::Hash>,
}

impl Record for Checked {}

impl<'a> Keys<'a> {
    pub(super) fn of(walk: &'a Walk, shared: &Shared<'_>) -> Self {
        let dependencies = walk.dependencies();
        let mut hasher = blake3::Hasher::new();
        hasher.update(dependencies.site.as_bytes());
        // Redirects and relative links depend on where files are, and not on addresses alone.
        for document in &walk.site.documents {
            add(document.published_path.as_str(), &mut hasher);
            add(document.address.as_str(), &mut hasher);
        }
        for platform in walk.site.families.iter().flat_map(|family| &family.platforms) {
            add(&platform.id, &mut hasher);
            add(&platform.root, &mut hasher);
        }
        add(&shared.outside(), &mut hasher);
        Self { walk, dependencies, site: hasher.finalize(), titles: OnceLock::new() }
    }

    /// Of everything that the findings of a page depend on but what it names.
    pub(super) fn key(&self, id: DocumentId) -> blake3::Hash {
        let place = self.walk.site.place(id);
        let family = place.map(|place| &self.dependencies.families[place.family]);
        let mut hasher = blake3::Hasher::new();
        for part in [Some(&self.site), Some(&self.dependencies.documents[id]), family].into_iter().flatten() {
            hasher.update(part.as_bytes());
        }
        hasher.finalize()
    }

    /// Whether everything that a page names is what it was.
    pub(super) fn hold(&self, checked: &Checked) -> bool {
        self.seen(&checked.named) == Some(checked.seen)
    }

    pub(super) fn checked(&self, subject: &Subject<'_>, problems: Vec<Problem>) -> Checked {
        let named = named(self.walk, subject);
        Checked {
            problems: problems.into_iter().map(Arc::new).collect(),
            suppressions: subject.page.suppressions.clone(),
            files: images::used_by(subject),
            into_files: files::links_into(subject),
            seen: self.seen(&named).expect("it stands in the plan"),
            named,
        }
    }

    /// A hash of what the names stand for; `None` where they stand for nothing.
    fn seen(&self, named: &BTreeSet<Named>) -> Option<[u8; 32]> {
        let mut hasher = blake3::Hasher::new();
        for named in named {
            let part = match *named {
                Named::Page(id) => self.dependencies.documents.get(id)?,
                Named::Family(family) => self.dependencies.families.get(family)?,
                Named::Titles => self.titles(),
            };
            hasher.update(part.as_bytes());
        }
        Some(*hasher.finalize().as_bytes())
    }
}

impl Keys<'_> {
    fn titles(&self) -> &blake3::Hash {
        self.titles.get_or_init(|| {
            let mut hasher = blake3::Hasher::new();
            for document in &self.walk.site.documents {
                add(&document.title, &mut hasher);
            }
            hasher.finalize()
        })
    }
}

/// What a page names outside of its family, and what rules have looked at beside that.
fn named(walk: &Walk, subject: &Subject<'_>) -> BTreeSet<Named> {
    let family = walk.site.place(subject.id).map(|place| place.family);
    let typed =
        subject.page.navigation.iter().map(|link| &link.target).chain(&subject.document.front.redirect);
    let typed = typed.filter_map(|target| match subject.resolver.resolve(subject.document, target) {
        Destination::Here(here) => walk.plan.get(here.address),
        _ => None,
    });
    let links = subject.links.iter().flat_map(|link| [link.artifact, link.landing]).flatten();
    let looks = subject.looked_at.borrow();
    let named = links.chain(typed).filter_map(|artifact| {
        let facts = artifact.facts();
        let (named, of) = match facts.origin {
            Origin::Family(family) => (Named::Family(family), Some(family)),
            _ => (Named::Page(facts.text?), walk.site.place(facts.text?).map(|place| place.family)),
        };
        (of.is_none() || of != family).then_some(named)
    });
    let looked_at =
        looks.pages.iter().map(|&id| Named::Page(id)).chain(looks.titles.then_some(Named::Titles));
    named.chain(looked_at).collect()
}
