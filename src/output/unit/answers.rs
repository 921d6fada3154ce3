//! The dependencies of units, and whether they have changed.

use std::sync::OnceLock;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Share, Unit};
use base::address::Address;
use base::hash::{HashSet, Summands, sum};
use base::index::IndexVec;
use base::store::{Record, add};
use base::texts::Texts;
use base::timings::{Stage, part};
use site::content::{Document, DocumentId, FamilyId};
use site::lags::PageLag;
use site::pages::{BATCH, Pages};
use site::plan::{Artifact, Import, Lookups, Origin};
use site::project::Project;

/// Hash of everything except its imports on which a unit depends.
pub type UnitKey = [u8; 32];

/// The facts that a unit looked up in others, and a checksum of their values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Imports {
    /// The address of every [`Import::At`], which are nearly all imports.
    at: Texts,
    others: Vec<Import>,
    /// Checksum of all imports with their values.
    sum: Sum,
}

impl Record for Imports {}

impl Imports {
    /// Returns the key of a unit's results: the unit's key combined with its imports.
    pub(super) fn key(&self, unit: &UnitKey) -> UnitKey {
        let mut hasher = blake3::Hasher::new();
        hasher.update(unit);
        hasher.update(&self.sum.to_le_bytes());
        *hasher.finalize().as_bytes()
    }
}

/// See [`sum`](base::hash::sum).
type Sum = u128;

#[cfg(test)]
pub(super) use self::mutant::ImportKind;

/// Simulates a program that doesn't record lookups of one kind.
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
        Alternates,
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
                Import::Alternates(_) => Self::Alternates,
            }
        }
    }

    impl Units<'_> {
        /// Returns the imports without those of a kind, for this site.
        pub(in super::super) fn without(&self, imports: &Imports, kind: Option<ImportKind>) -> Imports {
            let at = imports.at.iter().filter(|_| kind != Some(ImportKind::At));
            let others = imports.others.iter().filter(|import| kind != Some(ImportKind::of(import)));
            self.answered(at, others.cloned().collect())
        }
    }
}

/// The units of a site, and their dependencies.
#[derive(Debug)]
pub struct Units<'p> {
    project: &'p Project,
    /// Hash of the data that all pages share.
    settings: blake3::Hash,
    /// The steps of a family, and its overview if that has a text.
    members: IndexVec<FamilyId, Vec<DocumentId>>,
    unit_of: IndexVec<DocumentId, Unit>,
    documents: IndexVec<DocumentId, Sum>,
    families: IndexVec<FamilyId, Sum>,
    /// Checksum of all pages and addresses, computed on first use, because a check doesn't need it.
    everything: OnceLock<Sum>,
    /// Checksum of the artifact at each address of the plan, computed on first use.
    at: Vec<OnceLock<Sum>>,
    addresses: OnceLock<Sum>,
    titles: OnceLock<Sum>,
    listed: OnceLock<Sum>,
    /// The units to build, if not all are built.
    share: Option<HashSet<Unit>>,
}

impl<'p> Units<'p> {
    pub fn of(project: &'p Project) -> Self {
        let site = &project.site;
        let day = |id: DocumentId| project.last_change(id).map(|day| day.to_string());
        let documents = || {
            let documents = site.documents.par_iter().enumerate();
            documents
                .map(|(id, it)| {
                    let id = id.into();
                    document(it, day(id), project.lag(id).as_ref())
                })
                .collect::<Vec<_>>()
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

    /// Limits the units to a share.
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

    /// Returns adjacent units with about as many pages as every other shard.
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

    /// Returns all units except [`Unit::Site`] and [`Unit::LinkMap`], which have no pages.
    pub fn with_pages(&self) -> impl Iterator<Item = Unit> {
        let pages = self.unit_of.indexed().filter(|(_, unit)| matches!(unit, Unit::Page(_)));
        let all = self.members.indices().map(Unit::Family).chain(pages.map(|(_, &unit)| unit));
        all.filter(|&unit| self.is_made(unit))
    }

    /// Returns the units of folders without a page.
    pub fn folders(&self) -> impl Iterator<Item = Unit> {
        let artifacts = self.project.plan.artifacts();
        let all = artifacts.filter_map(|(_, artifact)| match artifact {
            Artifact::Folder(ix) => Some(Unit::Folder(*ix)),
            _ => None,
        });
        all.filter(|&unit| self.is_made(unit))
    }

    /// Groups the units with pages into batches of some hundred pages.
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

    /// Returns the unit of an artifact, or `None` for files that are published unchanged.
    pub fn of_artifact(&self, artifact: &Artifact) -> Option<Unit> {
        match artifact.facts().origin {
            Origin::Document(id) => Some(self.unit_of[id]),
            Origin::Family(family) => Some(Unit::Family(family)),
            Origin::Folder(ix) => Some(Unit::Folder(ix)),
            Origin::As(other) => self.of_artifact(self.project.plan.get(other)?),
            Origin::Everything => Some(Unit::Site),
            Origin::Anchors => Some(Unit::LinkMap),
            Origin::File(_) | Origin::Rendition | Origin::Program(_) => None,
        }
    }

    /// Returns the unit of a page.
    pub fn of_document(&self, id: DocumentId) -> Unit {
        self.unit_of[id]
    }

    /// Returns the documents of all units that are built.
    pub fn all_documents(&self) -> impl Iterator<Item = DocumentId> {
        self.with_pages().flat_map(|unit| self.documents(unit))
    }

    /// Returns the documents of a unit.
    pub fn documents(&self, unit: Unit) -> Vec<DocumentId> {
        match unit {
            Unit::Family(family) => self.members[family].clone(),
            Unit::Page(id) => vec![id],
            Unit::Folder(_) | Unit::Site | Unit::LinkMap => Vec::new(),
        }
    }

    /// Returns a hash of everything except its imports on which a unit depends.
    pub fn key(&self, unit: Unit) -> UnitKey {
        self.key_with(unit, "")
    }

    /// The same with additional data.
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
            Unit::LinkMap => _ = hasher.update(&self.titles_and_steps().to_le_bytes()),
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
            if self.project.site.config.has_feed() {
                for id in self.project.site.documents.indices() {
                    parts.add(&format!("{:?}", self.project.last_commit(id)));
                }
            }
            for (path, address, to) in self.project.alternates.iter().flat_map(|it| it.redirects()) {
                parts.add(path).add(address.as_str()).add(&to);
            }
            if let Some(status) = self.project.alternates.as_ref().and_then(|it| it.lags.status()) {
                parts.add(&status.to_string());
            }
        })
    }

    /// Returns the checksum of everything in the link maps except the anchors of pages.
    fn titles_and_steps(&self) -> Sum {
        let Project { plan, site, families, .. } = self.project;
        sum_of(|parts| {
            for import in [Import::Addresses, Import::Titles] {
                parts.add(&self.answer(&import).to_le_bytes());
            }
            for (id, family) in site.families.indexed() {
                parts.add(&*family.id).add(&family.title);
                for platform in &family.platforms {
                    parts.add(&platform.id);
                    for &step in &platform.steps {
                        parts.add(site.place(step).map_or("", |place| families.step_name(place)));
                    }
                }
                for name in families.step_names(id) {
                    parts.add(name);
                }
            }
            for (_, artifact) in plan.artifacts() {
                if let Artifact::Folder(ix) = artifact {
                    parts.add(&plan.tree().node(*ix).title);
                }
            }
        })
    }

    /// Returns the checksum of the anchors on the pages of a unit, and of their titles.
    pub(super) fn anchors(&self, unit: Unit, pages: &Pages) -> Sum {
        sum_of(|parts| {
            for id in self.documents(unit) {
                let page = &pages[id];
                for anchor in &page.anchors {
                    parts.add(&anchor.id);
                }
                for heading in &page.headings {
                    parts.add(&heading.id).add(&heading.text);
                }
                parts.add("");
            }
        })
    }

    /// Returns the lookups with their values on this site.
    pub fn imports(&self, asked: &Lookups) -> Imports {
        let (at, others) = asked.imports();
        let plan = &self.project.plan;
        let at = at.into_iter().filter_map(|at| plan.artifact(at));
        self.answered(at.map(|(address, _)| address.as_str()), others)
    }

    fn answered<'i>(&self, at: impl Iterator<Item = &'i str>, others: Vec<Import>) -> Imports {
        let imports = Imports { at: at.collect(), others, sum: 0 };
        Imports { sum: self.sum(&imports), ..imports }
    }

    /// Whether all imports have the same values on this site.
    pub fn hold(&self, imports: &Imports) -> bool {
        self.sum(imports) == imports.sum
    }

    /// Returns the checksum of imports with their values on this site.
    fn sum(&self, imports: &Imports) -> Sum {
        sum_of(|parts| {
            parts.reserve(imports.at.size() + imports.at.count() * 32);
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
            Import::Alternates(address) => self.alternates(address),
            Import::Titles => *self.titles.get_or_init(|| {
                sum_of(|parts| {
                    for document in &self.project.site.documents {
                        parts.add(document.address.as_str()).add(&document.title);
                    }
                })
            }),
        }
    }

    /// Returns the checksum of a page in other languages: its address, and the sections to which readers may go.
    fn alternates(&self, address: &Address) -> Sum {
        let Some(alternates) = &self.project.alternates else { return 0 };
        sum_of(|parts| {
            for alternate in self.project.alternates_at(alternates, address) {
                parts.add(&alternate.language.path).add(alternate.address.as_str());
                parts.add(&[u8::from(alternate.is_translated), u8::from(alternate.is_shared)]);
                for id in alternate.document.iter().flat_map(|document| alternates.headings(document)) {
                    parts.add(&id);
                }
            }
        })
    }

    /// Returns the checksum of the page or family of an artifact.
    fn whole(&self, artifact: &Artifact) -> Option<Sum> {
        let facts = artifact.facts();
        match facts.origin {
            Origin::Family(family) => Some(self.families[family]),
            _ => facts.written().map(|id| self.documents[id]),
        }
    }

    /// Returns the checksum of the artifact at an address.
    fn at(&self, address: &str) -> Sum {
        let plan = &self.project.plan;
        plan.position(address)
            .map_or(0, |at| *self.at[at].get_or_init(|| plan.artifact(at).map_or(0, |it| self.facts_of(it))))
    }

    /// Documents are identified by path, because their numbers change when others are added or removed.
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
                Artifact::Drawing { .. } => {
                    parts.add(&format!("{:?}", plan.dimensions(address)));
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

/// Returns the steps of a family, and its overview if that has a text.
fn members(project: &Project, family: FamilyId) -> Vec<DocumentId> {
    let its = &project.site.families[family];
    let steps = its.platforms.iter().flat_map(|platform| &platform.steps).copied();
    let overview = project.plan.get(&its.address).and_then(|artifact| match artifact {
        Artifact::Overview { page, .. } => *page,
        _ => None,
    });
    steps.chain(overview).collect()
}

/// Returns a hash of the data that all pages share: configuration, words, templates, files in `/_stepkin/`, and the
/// site's title.
fn settings(project: &Project) -> blake3::Hash {
    let _part = part(Stage::Check);
    let Project { site, links, words, plan, sources, .. } = project;
    let mut hasher = blake3::Hasher::new();
    hasher.update(format!("{:?} {links:?} {words:?} {:?}", site.config, plan.assets()).as_bytes());
    for template in sources.templates.values() {
        add(template.path.as_str(), &mut hasher);
        hasher.update(template.hash.as_bytes());
    }
    if let Some(view) = &sources.view {
        add(&format!("{:?} {}", view.languages, view.at), &mut hasher);
    }
    add(&project.site_title(), &mut hasher);
    add(&format!("{:?}", project.logo()), &mut hasher);
    // The form of links on every page depends on whether their targets exist.
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

/// Returns the checksum of a document and its position.
fn document(document: &Document, day: Option<String>, lag: Option<&PageLag>) -> Sum {
    let _part = part(Stage::Check);
    sum_of(|parts| {
        add_place(document, parts);
        parts.add(document.key.as_bytes()).add(&day.unwrap_or_default());
        if let Some(lag) = lag {
            parts.add(&format!("{lag:?}"));
        }
    })
}

/// Adds the position of a document.
fn add_place(document: &Document, parts: &mut Summands) {
    for part in [document.path.as_str(), document.published_path.as_str(), document.address.as_str()] {
        parts.add(part);
    }
}
