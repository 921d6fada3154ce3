//! What units are made from, and whether it is still the same.

use std::sync::OnceLock;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::Unit;
use crate::address::Address;
use crate::content::{Document, DocumentId, FamilyId};
use crate::index::IndexVec;
use crate::pages::BATCH;
use crate::plan::{Artifact, Asked, Import, Origin};
use crate::project::Project;
use crate::store::{Record, add};
use crate::timings::{Stage, part};

/// A hash of everything that a unit is made from but its imports.
pub type Key = [u8; 32];

/// What a unit asked for of others, with a hash of each answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Imports {
    asked: Vec<(Import, Answer)>,
    /// A hash of all that.
    #[serde(with = "serde_bytes")]
    hash: [u8; 32],
}

impl Record for Imports {}

impl Imports {
    fn new(asked: Vec<(Import, Answer)>) -> Self {
        let mut hasher = blake3::Hasher::new();
        for (import, answer) in &asked {
            add(&format!("{import:?}"), &mut hasher);
            hasher.update(&answer.to_le_bytes());
        }
        Self { asked, hash: *hasher.finalize().as_bytes() }
    }

    /// The key of what was made of a unit with this key, with what it asked for.
    pub(super) fn key(&self, unit: &Key) -> Key {
        let mut hasher = blake3::Hasher::new();
        hasher.update(unit);
        hasher.update(&self.hash);
        *hasher.finalize().as_bytes()
    }
}

/// Of 128 bits: nobody gains by two that are alike.
type Answer = u128;

#[cfg(test)]
pub(super) use self::mutant::Kind;

/// A program that forgets to write down questions of one kind.
#[cfg(test)]
mod mutant {
    use super::{Import, Imports};

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub(in super::super) enum Kind {
        At,
        Title,
        Around,
        Name,
        Whole,
        Find,
        OfFile,
        Addresses,
        Titles,
        Families,
    }

    impl Kind {
        fn of(import: &Import) -> Self {
            match import {
                Import::At(_) => Self::At,
                Import::Title(_) => Self::Title,
                Import::Around(_) => Self::Around,
                Import::Name(_) => Self::Name,
                Import::Whole(_) => Self::Whole,
                Import::Find(_) => Self::Find,
                Import::OfFile(_) => Self::OfFile,
                Import::Addresses => Self::Addresses,
                Import::Titles => Self::Titles,
                Import::Families => Self::Families,
            }
        }
    }

    impl Imports {
        pub(in super::super) fn without(mut self, kind: Option<Kind>) -> Self {
            self.asked.retain(|(import, _)| kind != Some(Kind::of(import)));
            self
        }
    }
}

/// The units of a site, and what they are made from.
#[derive(Debug)]
pub struct Units<'p> {
    project: &'p Project,
    /// What is the same for all pages.
    settings: blake3::Hash,
    /// The steps of a family and its overview, where that has a text.
    members: IndexVec<FamilyId, Vec<DocumentId>>,
    unit_of: IndexVec<DocumentId, Unit>,
    documents: IndexVec<DocumentId, blake3::Hash>,
    families: IndexVec<FamilyId, blake3::Hash>,
    /// Of all pages and addresses, worked out when first asked for: a check never asks.
    everything: OnceLock<blake3::Hash>,
    /// Of what is at each address of the plan, worked out when first asked for.
    at: Vec<OnceLock<Answer>>,
    addresses: OnceLock<Answer>,
    titles: OnceLock<Answer>,
    listed: OnceLock<Answer>,
}

impl<'p> Units<'p> {
    pub fn of(project: &'p Project) -> Self {
        let site = &project.site;
        let day = |id: DocumentId| match site.config.last_change {
            true => project.last_change(id).map(|day| day.to_string()),
            false => None,
        };
        let documents = || {
            let documents = site.documents.par_iter().enumerate();
            documents.map(|(id, it)| part(Stage::Check, || document(it, day(id.into())))).collect::<Vec<_>>()
        };
        let (settings, documents) = rayon::join(|| settings(project), documents);
        let documents = IndexVec::from(documents);
        let mut unit_of: IndexVec<DocumentId, Unit> = site.documents.indices().map(Unit::Page).collect();
        let members: IndexVec<FamilyId, Vec<DocumentId>> =
            site.families.indices().map(|family| members(project, family)).collect();
        for (family, members) in members.indexed() {
            for &id in members {
                unit_of[id] = Unit::Family(family);
            }
        }
        let families: IndexVec<FamilyId, blake3::Hash> =
            members.indexed().map(|(id, members)| family(project, id, members, &documents)).collect();
        Self {
            project,
            settings,
            members,
            unit_of,
            documents,
            families,
            everything: OnceLock::new(),
            at: project.plan.artifacts().map(|_| OnceLock::new()).collect(),
            addresses: OnceLock::new(),
            titles: OnceLock::new(),
            listed: OnceLock::new(),
        }
    }

    /// All units but [`Unit::Site`], which has no pages of its own.
    pub fn with_pages(&self) -> impl Iterator<Item = Unit> {
        let pages = self.unit_of.indexed().filter(|(_, unit)| matches!(unit, Unit::Page(_)));
        self.members.indices().map(Unit::Family).chain(pages.map(|(_, &unit)| unit))
    }

    /// The units of folders that have no page of their own.
    pub fn folders(&self) -> impl Iterator<Item = Unit> {
        let artifacts = self.project.plan.artifacts();
        artifacts.filter_map(|(_, artifact)| match artifact {
            Artifact::Folder(ix) => Some(Unit::Folder(*ix)),
            _ => None,
        })
    }

    /// All units with pages, so many together as have some hundred.
    pub fn batches(&self) -> Vec<Vec<Unit>> {
        let mut batches: Vec<Vec<Unit>> = Vec::new();
        let mut pages = BATCH;
        for unit in self.with_pages() {
            if pages >= BATCH {
                batches.push(Vec::new());
                pages = 0;
            }
            pages += self.documents(unit).len();
            batches.last_mut().expect("one was just begun").push(unit);
        }
        batches
    }

    /// The unit that an artifact is made of; `None` of files that are published as they are.
    pub fn of_artifact(&self, artifact: &Artifact) -> Option<Unit> {
        match artifact.facts().origin {
            Origin::Document(id) => Some(self.unit_of[id]),
            Origin::Family(family) => Some(Unit::Family(family)),
            Origin::Folder(ix) => Some(Unit::Folder(ix)),
            Origin::As(other) => self.of_artifact(self.project.plan.get(other)?),
            Origin::Everything => Some(Unit::Site),
            Origin::File(_) | Origin::Rendition | Origin::Program(_) => None,
        }
    }

    /// The unit that a page belongs to.
    pub fn of_document(&self, id: DocumentId) -> Unit {
        self.unit_of[id]
    }

    /// The documents of a unit.
    pub fn documents(&self, unit: Unit) -> Vec<DocumentId> {
        match unit {
            Unit::Family(family) => self.members[family].clone(),
            Unit::Page(id) => vec![id],
            Unit::Folder(_) | Unit::Site => Vec::new(),
        }
    }

    /// Everything that a unit is made from but its imports.
    pub fn key(&self, unit: Unit) -> Key {
        self.key_with(unit, "")
    }

    /// The same for what is made from something else too.
    pub fn key_with(&self, unit: Unit, outside: &str) -> Key {
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.settings.as_bytes());
        match unit {
            Unit::Family(family) => _ = hasher.update(self.families[family].as_bytes()),
            Unit::Page(id) => _ = hasher.update(self.documents[id].as_bytes()),
            Unit::Folder(ix) => {
                let node = self.project.plan.tree().node(ix);
                add(node.address.as_str(), &mut hasher);
                add(&node.title, &mut hasher);
            }
            Unit::Site => {
                hasher.update(self.everything.get_or_init(|| self.everything()).as_bytes());
            }
        }
        add(outside, &mut hasher);
        *hasher.finalize().as_bytes()
    }

    fn everything(&self) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new();
        for part in [&self.settings].into_iter().chain(&self.families).chain(&self.documents) {
            hasher.update(part.as_bytes());
        }
        for (address, artifact) in self.project.plan.artifacts() {
            add(address.as_str(), &mut hasher);
            add(artifact.kind(), &mut hasher);
        }
        hasher.finalize()
    }

    /// What was asked for, with the answers of this site.
    pub fn imports(&self, asked: &Asked) -> Imports {
        let asked = asked.imports(&self.project.plan).into_iter();
        Imports::new(asked.map(|import| (import.clone(), self.answer(&import))).collect())
    }

    /// Whether everything has the same answer in this site.
    pub fn hold(&self, imports: &Imports) -> bool {
        imports.asked.iter().all(|(import, answer)| self.answer(import) == *answer)
    }

    fn answer(&self, import: &Import) -> Answer {
        let Project { plan, .. } = self.project;
        match import {
            Import::At(address) => {
                plan.position(address).map_or(0, |at| *self.at[at].get_or_init(|| self.at(address)))
            }
            Import::Title(address) => answer(|hasher| {
                if let Some(title) = self.project.title_at(address) {
                    add(&title, hasher);
                }
            }),
            Import::Around(address) => answer(|hasher| {
                plan.tree().around(address).texts(|text| add(text, hasher));
            }),
            Import::Name(address) => answer(|hasher| {
                if let Some(name) = plan.name(address) {
                    add(name, hasher);
                }
            }),
            Import::Whole(address) => {
                let unit = plan.get(address).and_then(|artifact| self.whole(artifact));
                unit.map_or(0, |hash| answer(|hasher| _ = hasher.update(hash.as_bytes())))
            }
            Import::Find(path) => found(plan.find(path)),
            Import::OfFile(file) => found(plan.of_file(file)),
            Import::Addresses => *self.addresses.get_or_init(|| {
                answer(|hasher| {
                    for (address, artifact) in plan.artifacts() {
                        add(address.as_str(), hasher);
                        add(artifact.kind(), hasher);
                        add(&format!("{:?}", plan.end(address)), hasher);
                    }
                })
            }),
            Import::Families => *self.listed.get_or_init(|| {
                answer(|hasher| {
                    for family in self.project.site.families.iter() {
                        add(family.address.as_str(), hasher);
                        add(&family.name, hasher);
                    }
                })
            }),
            Import::Titles => *self.titles.get_or_init(|| {
                answer(|hasher| {
                    for document in &self.project.site.documents {
                        add(document.address.as_str(), hasher);
                        add(&document.title, hasher);
                    }
                })
            }),
        }
    }

    /// The page that is somewhere, or the family that is shown.
    fn whole(&self, artifact: &Artifact) -> Option<&blake3::Hash> {
        let facts = artifact.facts();
        match facts.origin {
            Origin::Family(family) => Some(&self.families[family]),
            _ => facts.written().map(|id| &self.documents[id]),
        }
    }

    /// A hash of what is at an address. Documents count by their paths: their numbers change with each that comes or
    /// goes.
    fn at(&self, address: &Address) -> Answer {
        let Project { plan, site, .. } = self.project;
        let Some(artifact) = plan.get(address) else { return 0 };
        answer(|hasher| {
            add(artifact.kind(), hasher);
            let facts = artifact.facts();
            if let Some(id) = facts.written() {
                add_place(site.document(id), hasher);
            }
            match artifact {
                Artifact::Asset(path) => {
                    add(path.as_str(), hasher);
                    add(&format!("{:?} {:?}", plan.dimensions(address), plan.renditions(address)), hasher);
                }
                Artifact::Redirect { to, .. } => {
                    add(to, hasher);
                    add(&format!("{:?}", plan.end(address)), hasher);
                }
                _ => {}
            }
        })
    }
}

fn answer(of: impl FnOnce(&mut blake3::Hasher)) -> Answer {
    let mut hasher = blake3::Hasher::new();
    of(&mut hasher);
    let mut low = [0; 16];
    low.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    u128::from_le_bytes(low)
}

fn found(address: Option<&Address>) -> Answer {
    address.map_or(0, |address| answer(|hasher| add(address.as_str(), hasher)))
}

/// The steps of a family and its overview, where that has a text.
fn members(project: &Project, family: FamilyId) -> Vec<DocumentId> {
    let its = &project.site.families[family];
    let steps = its.platforms.iter().flat_map(|platform| &platform.steps).copied();
    let overview = project.plan.get(&its.address).and_then(|artifact| match artifact {
        Artifact::Overview { page, .. } => *page,
        _ => None,
    });
    steps.chain(overview).collect()
}

/// What is the same for all pages: configuration, words, templates, what pages load, and what the site is called.
fn settings(project: &Project) -> blake3::Hash {
    let Project { site, links, words, plan, sources, .. } = project;
    let mut hasher = blake3::Hasher::new();
    hasher.update(format!("{:?} {links:?} {words:?} {:?}", site.config, plan.assets()).as_bytes());
    for template in sources.templates.values() {
        add(template.path.as_str(), &mut hasher);
        hasher.update(template.hash.as_bytes());
    }
    add(&project.site_title(), &mut hasher);
    hasher.finalize()
}

fn family(
    project: &Project,
    id: FamilyId,
    members: &[DocumentId],
    documents: &IndexVec<DocumentId, blake3::Hash>,
) -> blake3::Hash {
    let family = &project.site.families[id];
    let mut hasher = blake3::Hasher::new();
    for part in [&*family.id, &family.title, &family.name, family.address.as_str()] {
        add(part, &mut hasher);
    }
    for platform in &family.platforms {
        let steps = platform.steps.len().to_string();
        for part in [&platform.id, &platform.name, &platform.root, &steps].into_iter().chain(&platform.words)
        {
            add(part, &mut hasher);
        }
        hasher.update(&[0]);
    }
    for &id in members {
        hasher.update(documents[id].as_bytes());
        let folder = project.site.document(id).address.parent();
        add(project.site.labels.name(&folder).unwrap_or_default(), &mut hasher);
    }
    hasher.finalize()
}

/// A document itself, and where it is.
fn document(document: &Document, day: Option<String>) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    add_place(document, &mut hasher);
    hasher.update(document.key.as_bytes());
    add(&day.unwrap_or_default(), &mut hasher);
    hasher.finalize()
}

/// Adds where a document is.
fn add_place(document: &Document, hasher: &mut blake3::Hasher) {
    for part in [document.path.as_str(), document.published_path.as_str(), document.address.as_str()] {
        add(part, hasher);
    }
}
