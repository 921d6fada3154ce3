//! What the bytes of an artifact depend on, as one key: equal keys, equal bytes.
//!
//! Keys are coarse on purpose. What one page may show of another is bounded by three circles, and whoever makes
//! a template show more only has to know in which one it lies:
//!
//! - the **site**: configuration, templates, words, and every address with what is there;
//! - the **family**: the texts of all its steps and of its overview, their editions and their order;
//! - **everything**: what is made from all pages, such as the home page.
//!
//! Pages outside of families depend on the site, on themselves, and on the titles of the pages above them.

use std::borrow::Cow;

use jiff::civil::Date;
use rayon::prelude::*;

use super::Walk;
use crate::address::Address;
use crate::content::{Document, DocumentId, Family, FamilyId};
use crate::index::IndexVec;
use crate::plan::{Artifact, Audience, Origin};
use crate::site_path::SitePath;
use crate::source::Stamp;
use crate::store::add;

/// The circles of a site.
#[derive(Clone, Debug)]
pub struct Dependencies {
    pub(crate) site: blake3::Hash,
    pub(crate) families: IndexVec<FamilyId, blake3::Hash>,
    /// Each document itself, and where it is.
    pub(crate) documents: IndexVec<DocumentId, blake3::Hash>,
    everything: blake3::Hash,
}

pub type Key = [u8; 32];

impl Dependencies {
    /// Without the days on which pages changed: only who shows them has to ask git.
    pub(super) fn of(walk: &Walk) -> Self {
        Self::new(walk, |_| None)
    }

    /// With everything that pages show.
    pub fn of_artifacts(walk: &Walk) -> Cow<'_, Self> {
        match walk.site.config.last_change {
            true => Cow::Owned(Self::new(walk, |id| walk.last_change(id))),
            false => Cow::Borrowed(walk.dependencies()),
        }
    }

    fn new(walk: &Walk, day: impl Fn(DocumentId) -> Option<Date> + Sync) -> Self {
        let documents = || {
            let documents = walk.site.documents.par_iter().enumerate();
            documents.map(|(id, it)| document(it, day(id.into()))).collect::<Vec<_>>()
        };
        let (site, documents) = rayon::join(|| site(walk), documents);
        let documents = IndexVec::from(documents);
        let families = walk.site.families.par_iter().map(|it| family(walk, &site, &documents, it));
        let families = IndexVec::from(families.collect::<Vec<_>>());
        let mut everything = blake3::Hasher::new();
        for part in [&site].into_iter().chain(&families).chain(&documents) {
            everything.update(part.as_bytes());
        }
        Self { site, families, documents, everything: everything.finalize() }
    }

    /// The key of an artifact; `None` for files that are published as they are.
    pub fn key(&self, walk: &Walk, address: &Address, artifact: &Artifact) -> Option<Key> {
        let facts = artifact.facts();
        let hash = match facts.origin {
            Origin::File(_) => return None,
            Origin::Program(bytes) => blake3::hash(bytes),
            Origin::Site => self.site,
            Origin::Everything => self.everything,
            Origin::As(other) => return self.key(walk, other, walk.plan.get(other)?),
            Origin::Document(id) => match walk.site.place(id) {
                Some(place) => self.families[place.family],
                None => self.below(walk, &self.site, address, Some(id)),
            },
            Origin::Family(family) if facts.audience == Audience::Readers => {
                self.below(walk, &self.families[family], address, facts.text)
            }
            Origin::Family(family) => self.families[family],
        };
        Some(*hash.as_bytes())
    }

    /// A circle, with the page that is at an address and what it shows of those in the folders above.
    fn below(
        &self,
        walk: &Walk,
        circle: &blake3::Hash,
        address: &Address,
        own: Option<DocumentId>,
    ) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new();
        hasher.update(circle.as_bytes());
        for (title, above) in walk.pages_above(address) {
            add(&title, &mut hasher);
            add(above.as_str(), &mut hasher);
        }
        if let Some(id) = own {
            hasher.update(self.documents[id].as_bytes());
        }
        hasher.finalize()
    }
}

/// The key of a file that is published as it is and has this stamp.
pub fn asset_key(path: &SitePath, stamp: &Stamp) -> Key {
    let Stamp { size, modified, changed, device, inode } = stamp;
    let mut hasher = blake3::Hasher::new();
    add(path.as_str(), &mut hasher);
    for number in [*size, modified.cast_unsigned(), changed.cast_unsigned(), *device, *inode] {
        hasher.update(&number.to_le_bytes());
    }
    *hasher.finalize().as_bytes()
}

fn site(walk: &Walk) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(format!("{:?} {:?} {:?}", walk.site.config, walk.links, walk.words).as_bytes());
    for template in walk.sources.templates.values() {
        add(template.path.as_str(), &mut hasher);
        hasher.update(template.hash.as_bytes());
    }
    for (address, artifact) in walk.plan.artifacts() {
        add(address.as_str(), &mut hasher);
        // Documents count by their number: the numbers of all others change with each that comes or goes.
        let kind = match artifact {
            Artifact::Asset(path) => {
                add(path.as_str(), &mut hasher);
                format!("{:?}", walk.plan.dimensions(address))
            }
            Artifact::Builtin(_) => String::new(),
            Artifact::Redirect { .. } => format!("{artifact:?} {:?}", walk.plan.end(address)),
            other => format!("{other:?}"),
        };
        add(&kind, &mut hasher);
    }
    add(&walk.site_title(), &mut hasher);
    hasher.finalize()
}

fn family(
    walk: &Walk,
    site: &blake3::Hash,
    documents: &IndexVec<DocumentId, blake3::Hash>,
    family: &Family,
) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(site.as_bytes());
    hasher.update(format!("{family:?}").as_bytes());
    let overview = walk.plan.get(&family.address).and_then(Artifact::document);
    let steps = family.platforms.iter().flat_map(|platform| &platform.steps).copied();
    for id in steps.chain(overview) {
        hasher.update(documents[id].as_bytes());
    }
    hasher.finalize()
}

fn document(document: &Document, day: Option<Date>) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    add(document.path.as_str(), &mut hasher);
    add(document.published_path.as_str(), &mut hasher);
    add(document.address.as_str(), &mut hasher);
    hasher.update(document.key.as_bytes());
    if let Some(day) = day {
        add(&day.to_string(), &mut hasher);
    }
    hasher.finalize()
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::pipeline::{self, Options};
    use crate::source::{Sources, Text};

    /// The keys of addresses, on a site whose page above `/guides/x/` has this title.
    fn keys<const N: usize>(title: &str, addresses: [&str; N]) -> [Option<Key>; N] {
        let mut sources = Sources::default();
        for (path, title) in [
            ("content/guides/index.md", title),
            ("content/guides/x.md", "X"),
            ("content/guides/deep/y.md", "Y"),
            ("content/guides/tour/web/a.md", "A"),
            ("content/guides/tour/ios/a.md", "A"),
            ("content/other.md", "Other"),
        ] {
            let path = SitePath::from(path);
            let text = format!("---\ntitle: {title}\norder: 1\n---\n");
            sources.pages.insert(path.clone(), Text::new(path, text.into_bytes()));
        }
        let (walk, _) =
            pipeline::plan(sources, &Options::default(), &crate::cache::Cache::default()).expect("it loads");
        let dependencies = Dependencies::of_artifacts(&walk);
        addresses.map(|address| {
            let address = Address::new(address);
            dependencies.key(&walk, &address, walk.plan.get(&address).expect("it is there"))
        })
    }

    #[test]
    fn breadcrumbs_are_made_again_when_a_page_above_is_renamed() {
        let below = ["/guides/x/", "/guides/deep/y/", "/guides/tour/"];
        let (one, other) = (keys("Guides", below), keys("Handbook", below));
        for ((address, one), other) in below.iter().zip(one).zip(other) {
            assert_ne!(one, other, "{address}");
        }
        let elsewhere = ["/other/"];
        assert_eq!(
            keys("Guides", elsewhere),
            keys("Handbook", elsewhere),
            "its key knows nothing of the title"
        );
    }
}
