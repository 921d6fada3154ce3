//! What units are made from, and whether it is still the same.

use std::sync::OnceLock;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Share, Unit};
use crate::base::address::Address;
use crate::base::hash::{HashSet, Summands, sum};
use crate::base::index::IndexVec;
use crate::base::store::{Record, add};
use crate::base::texts::Texts;
use crate::base::timings::{Stage, part};
use crate::site::content::{Document, DocumentId, FamilyId};
use crate::site::pages::BATCH;
use crate::site::plan::{Artifact, Asked, Import, Origin};
use crate::site::project::Project;

/// A hash of everything that a unit is made from but its imports.
pub type UnitKey = [u8; 32];

/// What a unit asked for of others, and a sum of the answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Imports {
    /// The address of every [`Import::At`], which is nearly all that is asked for.
    at: Texts,
    others: Vec<Import>,
    /// Of all that, with the answers.
    sum: Sum,
}

impl Record for Imports {}

impl Imports {
    /// The key of what was made of the unit with this key, with what it asked for.
    pub(super) fn key(&self, unit: &UnitKey) -> UnitKey {
        let mut hasher = blake3::Hasher::new();
        hasher.update(unit);
        hasher.update(&self.sum.to_le_bytes());
        *hasher.finalize().as_bytes()
    }
}

/// See [`sum`](crate::base::hash::sum).
type Sum = u128;

#[cfg(test)]
pub(super) use self::mutant::ImportKind;

/// A program that forgets to write down questions of one kind.
#[cfg(test)]
mod mutant {
    use super::{Import, Imports, Units};

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub(in super::super) enum ImportKind {
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

    impl ImportKind {
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

    impl Units<'_> {
        /// What was asked for of this site, questions of a kind left out.
        pub(in super::super) fn without(&self, imports: &Imports, kind: Option<ImportKind>) -> Imports {
            let at = imports.at.iter().filter(|_| kind != Some(ImportKind::At));
            let others = imports.others.iter().filter(|import| kind != Some(ImportKind::of(import)));
            self.answered(at, others.cloned().collect())
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
    documents: IndexVec<DocumentId, Sum>,
    families: IndexVec<FamilyId, Sum>,
    /// Of all pages and addresses, worked out when first asked for: a check never asks.
    everything: OnceLock<Sum>,
    /// Of what is at each address of the plan, worked out when first asked for.
    at: Vec<OnceLock<Sum>>,
    addresses: OnceLock<Sum>,
    titles: OnceLock<Sum>,
    listed: OnceLock<Sum>,
    /// Those that are made, where not all are.
    share: Option<HashSet<Unit>>,
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
            documents.map(|(id, it)| document(it, day(id.into()))).collect::<Vec<_>>()
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
        let families: IndexVec<FamilyId, Sum> =
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
            share: None,
        }
    }

    /// The same with those that are made, where that is a share of all.
    #[must_use]
    pub fn in_share(self, share: &Share) -> Self {
        let share = match share {
            Share::All => None,
            Share::Shard { at, of } => Some(self.shard(*at, *of)),
            Share::Families(ids) => {
                let families = self.project.site.families.indexed();
                let named = families.filter(|(_, family)| ids.contains(&family.id));
                Some(named.map(|(id, _)| Unit::Family(id)).collect())
            }
        };
        Self { share, ..self }
    }

    /// Units that follow each other, with about as many pages as those of every other shard.
    fn shard(&self, at: usize, of: usize) -> HashSet<Unit> {
        let units = || self.with_pages().chain(self.folders());
        let pages = |unit: Unit| self.documents(unit).len().max(1);
        let all: usize = units().map(pages).sum();
        let mut before = 0;
        let is_in = |unit: &Unit| {
            let middle = before + pages(*unit) / 2;
            before += pages(*unit);
            middle * of / all == at
        };
        units().filter(is_in).collect()
    }

    fn is_made(&self, unit: Unit) -> bool {
        self.share.as_ref().is_none_or(|share| share.contains(&unit))
    }

    /// All units but [`Unit::Site`], which has no pages of its own.
    pub fn with_pages(&self) -> impl Iterator<Item = Unit> {
        let pages = self.unit_of.indexed().filter(|(_, unit)| matches!(unit, Unit::Page(_)));
        let all = self.members.indices().map(Unit::Family).chain(pages.map(|(_, &unit)| unit));
        all.filter(|&unit| self.is_made(unit))
    }

    /// The units of folders that have no page of their own.
    pub fn folders(&self) -> impl Iterator<Item = Unit> {
        let artifacts = self.project.plan.artifacts();
        let all = artifacts.filter_map(|(_, artifact)| match artifact {
            Artifact::Folder(ix) => Some(Unit::Folder(*ix)),
            _ => None,
        });
        all.filter(|&unit| self.is_made(unit))
    }

    /// The units with pages, so many together as have some hundred.
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

    /// The documents of all units that are made.
    pub fn all_documents(&self) -> impl Iterator<Item = DocumentId> {
        self.with_pages().flat_map(|unit| self.documents(unit))
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
    pub fn key(&self, unit: Unit) -> UnitKey {
        self.key_with(unit, "")
    }

    /// The same for what is made from something else too.
    pub fn key_with(&self, unit: Unit, outside: &str) -> UnitKey {
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.settings.as_bytes());
        match unit {
            Unit::Family(family) => _ = hasher.update(&self.families[family].to_le_bytes()),
            Unit::Page(id) => _ = hasher.update(&self.documents[id].to_le_bytes()),
            Unit::Folder(ix) => {
                let node = self.project.plan.tree().node(ix);
                add(node.address.as_str(), &mut hasher);
                add(&node.title, &mut hasher);
            }
            Unit::Site => {
                hasher.update(&self.everything.get_or_init(|| self.everything()).to_le_bytes());
            }
        }
        hasher.update(&sum(outside.as_bytes()).to_le_bytes());
        *hasher.finalize().as_bytes()
    }

    fn everything(&self) -> Sum {
        sum_of(|parts| {
            for part in self.families.iter().chain(self.documents.iter()) {
                parts.add(&part.to_le_bytes());
            }
            for (address, artifact) in self.project.plan.artifacts() {
                parts.add(address.as_str()).add(artifact.kind());
            }
        })
    }

    /// What was asked for, with the answers of this site.
    pub fn imports(&self, asked: &Asked) -> Imports {
        let (at, others) = asked.imports();
        let plan = &self.project.plan;
        let at = at.into_iter().filter_map(|at| plan.artifact(at));
        self.answered(at.map(|(address, _)| address.as_str()), others)
    }

    fn answered<'i>(&self, at: impl Iterator<Item = &'i str>, others: Vec<Import>) -> Imports {
        let imports = Imports { at: at.collect(), others, sum: 0 };
        Imports { sum: self.sum(&imports), ..imports }
    }

    /// Whether everything has the same answer in this site.
    pub fn hold(&self, imports: &Imports) -> bool {
        self.sum(imports) == imports.sum
    }

    /// Of what was asked for, with the answers of this site.
    fn sum(&self, imports: &Imports) -> Sum {
        sum_of(|parts| {
            parts.reserve(imports.at.size() + imports.at.len() * 32);
            for address in imports.at.iter() {
                parts.add(address).add(&self.at(address).to_le_bytes());
            }
            for import in &imports.others {
                let (kind, text) = import.parts();
                parts.add(kind).add(text).add(&self.answer(import).to_le_bytes());
            }
        })
    }

    fn answer(&self, import: &Import) -> Sum {
        let Project { plan, .. } = self.project;
        match import {
            Import::At(address) => self.at(address.as_str()),
            Import::Title(address) => sum_of(|parts| {
                if let Some(title) = self.project.title_at(address) {
                    parts.add(&title);
                }
            }),
            Import::Around(address) => sum_of(|parts| {
                plan.tree().around(address).texts(|text| _ = parts.add(text));
            }),
            Import::Name(address) => sum_of(|parts| {
                if let Some(name) = plan.name(address) {
                    parts.add(name);
                }
            }),
            Import::Whole(address) => {
                plan.get(address).and_then(|artifact| self.whole(artifact)).unwrap_or(0)
            }
            Import::Find(path) => found(plan.find(path)),
            Import::OfFile(file) => found(plan.of_file(file)),
            Import::Addresses => *self.addresses.get_or_init(|| {
                sum_of(|parts| {
                    for (address, artifact) in plan.artifacts() {
                        parts.add(address.as_str()).add(artifact.kind());
                        parts.add(&format!("{:?}", plan.end(address)));
                    }
                })
            }),
            Import::Families => *self.listed.get_or_init(|| {
                sum_of(|parts| {
                    for family in self.project.site.families.iter() {
                        parts.add(family.address.as_str()).add(&family.name);
                    }
                })
            }),
            Import::Titles => *self.titles.get_or_init(|| {
                sum_of(|parts| {
                    for document in &self.project.site.documents {
                        parts.add(document.address.as_str()).add(&document.title);
                    }
                })
            }),
        }
    }

    /// The page that is somewhere, or the family that is shown.
    fn whole(&self, artifact: &Artifact) -> Option<Sum> {
        let facts = artifact.facts();
        match facts.origin {
            Origin::Family(family) => Some(self.families[family]),
            _ => facts.written().map(|id| self.documents[id]),
        }
    }

    /// Of what is at an address.
    fn at(&self, address: &str) -> Sum {
        let plan = &self.project.plan;
        plan.position(address)
            .map_or(0, |at| *self.at[at].get_or_init(|| plan.artifact(at).map_or(0, |it| self.facts_of(it))))
    }

    /// Documents count by their paths: their numbers change with each that comes or goes.
    fn facts_of(&self, (address, artifact): (&Address, &Artifact)) -> Sum {
        let Project { plan, site, .. } = self.project;
        sum_of(|parts| {
            parts.add(artifact.kind());
            let facts = artifact.facts();
            if let Some(id) = facts.written() {
                add_place(site.document(id), parts);
            }
            match artifact {
                Artifact::Asset(path) => {
                    parts.add(path.as_str());
                    parts.add(&format!("{:?} {:?}", plan.dimensions(address), plan.renditions(address)));
                }
                Artifact::Redirect { to, .. } => {
                    parts.add(to).add(&format!("{:?}", plan.end(address)));
                }
                _ => {}
            }
        })
    }
}

fn sum_of(add: impl FnOnce(&mut Summands)) -> Sum {
    let mut parts = Summands::default();
    add(&mut parts);
    parts.sum()
}

fn found(address: Option<&Address>) -> Sum {
    address.map_or(0, |address| sum_of(|parts| _ = parts.add(address.as_str())))
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
    let _part = part(Stage::Check);
    let Project { site, links, words, plan, sources, .. } = project;
    let mut hasher = blake3::Hasher::new();
    hasher.update(format!("{:?} {links:?} {words:?} {:?}", site.config, plan.assets()).as_bytes());
    for template in sources.templates.values() {
        add(template.path.as_str(), &mut hasher);
        hasher.update(template.hash.as_bytes());
    }
    add(&project.site_title(), &mut hasher);
    add(&format!("{:?}", project.logo()), &mut hasher);
    // Links of every page are written as they are there.
    for link in site.config.links() {
        let there = link.path().and_then(|path| project.resolver().find(path));
        add(there.map_or("", Address::as_str), &mut hasher);
    }
    hasher.finalize()
}

fn family(
    project: &Project,
    id: FamilyId,
    members: &[DocumentId],
    documents: &IndexVec<DocumentId, Sum>,
) -> Sum {
    let family = &project.site.families[id];
    sum_of(|parts| {
        parts.add(&*family.id).add(&family.title).add(&family.name).add(family.address.as_str());
        for platform in &family.platforms {
            let steps = platform.steps.len().to_string();
            for part in
                [&platform.id, &platform.name, &platform.root, &steps].into_iter().chain(&platform.words)
            {
                parts.add(part);
            }
            parts.add("");
        }
        for &id in members {
            let folder = project.site.document(id).address.parent();
            parts.add(&documents[id].to_le_bytes());
            parts.add(project.site.labels.name(&folder).unwrap_or_default());
        }
    })
}

/// A document itself, and where it is.
fn document(document: &Document, day: Option<String>) -> Sum {
    let _part = part(Stage::Check);
    sum_of(|parts| {
        add_place(document, parts);
        parts.add(document.key.as_bytes()).add(&day.unwrap_or_default());
    })
}

/// Adds where a document is.
fn add_place(document: &Document, parts: &mut Summands) {
    for part in [document.path.as_str(), document.published_path.as_str(), document.address.as_str()] {
        parts.add(part);
    }
}
