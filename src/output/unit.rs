//! Units: the parts of a site that are checked and rendered separately.
//!
//! A unit is a family with its steps and overview, a page outside families, or the list of a folder.
//!
//! A stored result stays valid while its key and the facts that it looked up stay the same. The [`UnitKey`] is a hash of
//! everything that a unit is known to depend on before it is made: its own pages, and data that all pages share. The
//! facts are its [`Imports`]: what it looked up in other units while it was made. For example, a new page rebuilds the
//! units that looked up its address, and a changed title those that show it. Earlier stages follow the same rule: see
//! [`memo`](site::memo).
//!
//! A unit is built in two halves: [`Compiler::read`] checks its pages, and [`Compiler::render`] renders its
//! artifacts. Results that need more than one unit are created at the end: [`Compiler::join`], and the last unit,
//! [`Unit::Site`].
//!
//! Pages outside families share nothing, so each is a separate unit. Units are processed in [batches](Units::batches)
//! to limit memory, which doesn't affect results.

mod answers;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub use self::answers::{Imports, UnitKey, Units};

use crate::output::render::{self, Rendering};
use base::address::Address;
use base::diagnostic::{Diagnostic, Report};
use base::hash::HashMap;
use base::progress::{self, Task};
use base::store::{Record, Store, Table};
use base::timings::{Stage, part, stage};
use review::check::{Check, Checked, CheckedTranslation, Evidence};
use site::content::{DocumentId, FamilyId};
use site::pages::BATCH;
use site::plan::{Artifact, Content, Lookups, NodeIx};
use site::project::Project;

/// A part of the site that is built separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    Family(FamilyId),
    /// A page that isn't a step.
    Page(DocumentId),
    /// A folder without a page.
    Folder(NodeIx),
    /// Artifacts that depend on all pages: the home page, lists of pages, and redirects.
    Site,
    /// The link maps, which depend on the titles and anchors of all pages.
    LinkMap,
}

/// The units of a site to build.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Share {
    #[default]
    All,
    /// One of `of` shards that together are the complete site. `at` is counted from 0.
    Shard { at: usize, of: usize },
    /// Families by ID.
    Families(Vec<String>),
}

/// The findings on the pages of a unit.
#[derive(Debug, Serialize, Deserialize)]
pub struct UnitFindings {
    /// In the order of the unit's documents.
    pages: Vec<Checked>,
    imports: Imports,
    /// See [`Units::anchors`].
    anchors: u128,
}

impl Record for UnitFindings {}

/// Results of units from earlier runs, by key.
#[derive(Debug, Default)]
pub struct UnitTables {
    findings: Table<Arc<UnitFindings>>,
    /// The imports of rendered units.
    rendered: Table<Arc<Imports>>,
}

impl UnitTables {
    pub fn of(store: &Store) -> Self {
        Self { findings: store.table("findings"), rendered: store.table("rendered") }
    }

    pub fn findings(&self) -> &Table<Arc<UnitFindings>> {
        &self.findings
    }

    pub fn rendered(&self) -> &Table<Arc<Imports>> {
        &self.rendered
    }

    /// Copies the results of a unit into `other`.
    pub fn copy(&self, UnitKeys { findings, rendered }: &UnitKeys, other: &Self) {
        if let Some(findings) = findings {
            self.findings.copy(findings, &other.findings);
        }
        self.rendered.copy(rendered, &other.rendered);
    }
}

/// The keys under which a unit's results are stored.
#[derive(Clone, Copy, Debug)]
pub struct UnitKeys {
    /// `None` for a unit without pages.
    findings: Option<UnitKey>,
    rendered: UnitKey,
}

/// Builds the units of a site that have no valid results from an earlier run.
#[derive(Debug)]
pub struct Compiler<'a> {
    work: &'a Rendering,
    units: Units<'a>,
    check: Check<'a>,
    known: &'a UnitTables,
    is_whole: bool,
    /// The findings on the pages of each unit.
    findings: HashMap<Unit, OnceLock<Arc<UnitFindings>>>,
    /// The rendering state of each unit.
    rendering: HashMap<Unit, RenderState>,
}

/// The rendering state of a unit.
#[derive(Debug, Default)]
struct RenderState {
    /// The key of the rendered results if an earlier run rendered the same. Looked up on first use.
    known: OnceLock<Option<UnitKey>>,
    asked: Lookups,
}

impl<'a> Compiler<'a> {
    pub fn new(work: &'a Rendering, evidence: &'a Evidence, known: &'a UnitTables, share: &Share) -> Self {
        let check = Check::new(&work.project, evidence);
        let (units, is_whole) = (Units::of(&work.project).in_share(share), *share == Share::All);
        let all: Vec<Unit> = units.with_pages().collect();
        let findings = |&unit: &Unit| {
            let _part = part(Stage::Check);
            let key = units.key_with(unit, check.outside());
            let findings = known.findings.get_if(&key, |findings| units.hold(&findings.imports));
            (unit, findings.map_or_else(OnceLock::new, OnceLock::from))
        };
        let findings = all.par_iter().map(findings).collect();
        let folders = units.folders().collect::<Vec<_>>();
        let of_all = [Unit::Site, Unit::LinkMap].into_iter().filter(|_| is_whole);
        let rendering = all.into_iter().chain(folders).chain(of_all);
        let rendering = rendering.map(|unit| (unit, RenderState::default())).collect();
        Self { work, units, check, known, is_whole, findings, rendering }
    }

    pub fn units(&self) -> &Units<'a> {
        &self.units
    }

    /// Checks the pages of all units, until `stop` is set.
    pub fn read_all(&self, stop: Option<&AtomicBool>) {
        let _running = progress::begin(Task::Check, self.documents().count());
        for batch in self.units.batches() {
            self.read(&batch, &OnceLock::new(), stop);
        }
    }

    /// Checks the pages of some units. `made` is used if any of them is new.
    pub fn read(&self, batch: &[Unit], made: &OnceLock<Rendering>, stop: Option<&AtomicBool>) {
        let is_new = |unit: &Unit| self.findings[unit].get().is_none();
        let units: Vec<Unit> = batch.iter().copied().filter(is_new).collect();
        if units.is_empty() {
            return;
        }
        let work = made.get_or_init(|| self.work.fresh());
        let lookup = self.check.lookup(work, work);
        let goes_on = || !stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        let read = |unit: Unit| {
            let _part = part(Stage::Check);
            let (documents, asked) = (self.units.documents(unit), Lookups::default());
            let page = |&id: &DocumentId| {
                let _part = part(Stage::Check);
                lookup.page(id, &asked)
            };
            let pages: Vec<Checked> = documents.par_iter().take_any_while(|_| goes_on()).map(page).collect();
            if pages.len() < documents.len() {
                return;
            }
            let (imports, anchors) = (self.units.imports(&asked), self.units.anchors(unit, &work.pages));
            let findings = Arc::new(UnitFindings { pages, imports, anchors });
            self.known.findings.put(self.units.key_with(unit, self.check.outside()), findings.clone());
            _ = self.findings[&unit].set(findings);
            progress::step(Task::Check, documents.len());
        };
        let units = units.into_par_iter().take_any_while(|_| goes_on());
        units.for_each(read);
    }

    /// Returns all findings: `found` by earlier stages, on pages, across pages, and on translations. For a share, only those on its
    /// pages. Units that weren't read have none.
    pub fn join<'t>(&self, found: Report, translations: impl Iterator<Item = &'t Self>) -> Report
    where
        Self: 't,
    {
        let Some(pages) = self.checked() else { return Report::default() };
        if !self.is_whole {
            return self.check.join_some(found, &pages, &self.work.pages);
        }
        let pages: Option<Vec<&Checked>> = pages.into_iter().collect();
        let translations: Vec<CheckedTranslation<'_>> = translations.filter_map(Self::translation).collect();
        pages.map_or_else(Report::default, |pages| {
            self.check.join(found, &pages, &self.work.pages, &translations)
        })
    }

    fn translation(&self) -> Option<CheckedTranslation<'_>> {
        let pages: Option<Vec<&Checked>> = self.checked()?.into_iter().collect();
        Some(CheckedTranslation { check: &self.check, pages: pages? })
    }

    /// Returns the findings on each page, or `None` if some units weren't checked.
    fn checked(&self) -> Option<Vec<Option<&Checked>>> {
        let documents = &self.work.project.site.documents;
        let mut pages: Vec<Option<&Checked>> = vec![None; documents.len()];
        for (&unit, findings) in &self.findings {
            for (id, checked) in self.units.documents(unit).into_iter().zip(&findings.get()?.pages) {
                pages[usize::from(id)] = Some(checked);
            }
        }
        Some(pages)
    }

    /// Returns the keys under which the results of the share are stored.
    pub fn keys(&self) -> Vec<UnitKeys> {
        let of_findings = |unit| self.units.key_with(unit, self.check.outside());
        let pages = self.units.with_pages().map(|unit| (unit, Some(of_findings(unit))));
        let folders = self.units.folders().map(|unit| (unit, None));
        let keys = pages.chain(folders);
        keys.map(|(unit, findings)| UnitKeys { findings, rendered: self.units.key(unit) }).collect()
    }

    /// Returns the pages in the share.
    pub fn documents(&self) -> impl Iterator<Item = DocumentId> {
        self.units.all_documents()
    }

    /// Whether a unit is in the share.
    pub fn makes(&self, unit: Unit) -> bool {
        self.rendering.contains_key(&unit)
    }

    /// Returns the key of a unit's rendered results, including its imports, if an earlier run rendered the same. A
    /// file with this key is still valid. Returns `None` for units outside the share.
    pub fn rendered(&self, unit: Unit) -> Option<UnitKey> {
        let rendering = self.rendering.get(&unit)?;
        *rendering.known.get_or_init(|| {
            let key = self.key(unit)?;
            let imports = self.known.rendered.get_if(&key, |imports| self.units.hold(imports))?;
            Some(imports.key(&key))
        })
    }

    /// Returns the key of a unit's rendered results without its imports. Returns `None` for the link maps while more pages
    /// are new than fit into memory.
    fn key(&self, unit: Unit) -> Option<UnitKey> {
        if unit != Unit::LinkMap {
            return Some(self.units.key(unit));
        }
        let findings = |unit: &Unit| self.findings[unit].get();
        let new = self.units.with_pages().filter(|unit| findings(unit).is_none());
        if new.map(|unit| self.units.documents(unit).len()).sum::<usize>() > BATCH {
            return None;
        }
        let mut hasher = blake3::Hasher::new();
        for unit in self.units.with_pages() {
            let anchors = findings(&unit).map(|findings| findings.anchors);
            let anchors = anchors.unwrap_or_else(|| self.units.anchors(unit, &self.work.pages));
            hasher.update(&anchors.to_le_bytes());
        }
        Some(self.units.key_with(unit, hasher.finalize().to_hex().as_str()))
    }

    /// Renders an artifact. `work` and `twin` are described at [`render::artifact_with`].
    ///
    /// # Errors
    ///
    /// A `template-error` if a template can't be rendered.
    pub fn render(
        &self,
        work: &Rendering,
        (address, artifact): (&Address, &Artifact),
        twin: impl Fn(&Address) -> Option<String>,
    ) -> Result<Content, Diagnostic> {
        let unit = self.units.of_artifact(artifact);
        let asked = unit.and_then(|unit| self.rendering.get(&unit)).map(|rendering| &rendering.asked);
        render::artifact_with(work, (address, artifact), asked, twin)
    }

    /// Returns the keys of the units whose results weren't valid, after all of their artifacts were rendered.
    pub fn all_rendered(&self) -> HashMap<Unit, UnitKey> {
        let key = |(&unit, rendering): (&Unit, &RenderState)| {
            let _part = part(Stage::Cache);
            let new = || {
                let key = self.key(unit).expect("all pages are checked before this");
                let imports = self.units.imports(&rendering.asked);
                let whole = imports.key(&key);
                self.known.rendered.put(key, Arc::new(imports));
                whole
            };
            (unit, self.rendered(unit).unwrap_or_else(new))
        };
        self.rendering.par_iter().map(key).collect()
    }
}

/// Returns the pages in a share.
pub fn documents_of(project: &Project, share: &Share) -> Vec<DocumentId> {
    Units::of(project).in_share(share).all_documents().collect()
}

/// Checks the pages of a site. When `stop` is set, it ends early with an incomplete result.
pub fn read<'a>(
    work: &'a Rendering,
    evidence: &'a Evidence,
    known: &'a UnitTables,
    share: &Share,
    stop: Option<&AtomicBool>,
) -> Compiler<'a> {
    let _stage = stage(Stage::Check);
    let compiler = Compiler::new(work, evidence, known, share);
    compiler.read_all(stop);
    compiler
}

#[cfg(test)]
mod tests {
    use base::sorted::SortedMap;

    use super::answers::ImportKind;
    use super::*;
    use crate::output::cache::Cache;
    use crate::output::pipeline::{self, Options, in_memory};
    use base::site_path::CONFIG;

    const PAGES: [(&str, &str); 16] = [
        ("content/index.md", "---\ntitle: Home\n---\n![Pot](/pot.png)\n"),
        ("content/garden/web/plan.md", "---\ntitle: Plan\norder: 1\nslug: first\n---\n## Do it\n"),
        ("content/garden/ios/plan.md", "---\ntitle: Plan\norder: 1\n---\n## Do it\n"),
        ("content/garden/web/water.md", "---\ntitle: Water\norder: 2\n---\n[up](/guide/)\n"),
        ("content/garden/ios/water.md", "---\ntitle: Water\norder: 2\n---\n[up](/guide/)\n"),
        (
            "content/kitchen/web/cook.md",
            "---\ntitle: Cook\norder: 1\n---\n[file](/garden/web/plan.md) [how](/guide/#do-it) [new](/later)\n",
        ),
        ("content/kitchen/ios/cook.md", "---\ntitle: Cook\norder: 1\n---\n[former](/former/#do-it)\n"),
        ("content/house.md", "---\ntitle: House\n---\n"),
        ("content/house/attic/web/sort.md", "---\ntitle: Sort\norder: 1\n---\n"),
        ("content/house/attic/ios/sort.md", "---\ntitle: Sort\norder: 1\n---\n"),
        ("content/guide.md", "---\ntitle: Guide\n---\n## Do it\n"),
        ("content/more.md", "---\ntitle: More\n---\n"),
        ("content/more/deep.md", "---\ntitle: Deep\n---\n![Pot](/pot.png)\n"),
        ("content/near.md", "---\ntitle: Near\n---\n[slip](/kichen-table/)\n"),
        ("content/called.md", "---\ntitle: Called\n---\n[title](Our%20plates)\n"),
        ("content/old.md", "---\ntitle: Old\nredirect: /guide/\naliases: [/former/]\n---\n"),
    ];

    /// A file and its new content, or `None` to delete it.
    type Edit = (&'static str, Option<&'static str>);

    /// Returns the site of [`PAGES`] after some edits.
    fn site(edits: &[Edit]) -> Rendering {
        let mut files: SortedMap<&str, &str> = PAGES.into_iter().chain([("static/pot.png", "1")]).collect();
        for &(path, text) in edits {
            _ = files.remove(path);
            files.extend(text.map(|text| (path, text)));
        }
        let sources = in_memory(files);
        pipeline::plan(sources, &Options::default(), &Cache::default()).expect("it loads").0
    }

    /// The results of a unit: all rendered artifacts, and its findings.
    type UnitResults = (SortedMap<String, Vec<u8>>, String);

    /// Returns the results of each unit with their dependencies, for both halves. Lookups of a `dropped` kind aren't
    /// recorded.
    fn compiled(
        work: &Rendering,
        dropped: Option<ImportKind>,
    ) -> Vec<(UnitResults, [(UnitKey, Imports); 2])> {
        let (evidence, known) = (Evidence::default(), UnitTables::default());
        let compiler = Compiler::new(work, &evidence, &known, &Share::All);
        compiler.read_all(None);
        let mut rendered: HashMap<Unit, SortedMap<String, Vec<u8>>> = HashMap::default();
        for (address, artifact) in work.project.plan.artifacts() {
            if let Some(unit) = compiler.units().of_artifact(artifact)
                && let Ok(Content::Bytes(bytes)) = compiler.render(work, (address, artifact), |_| None)
            {
                rendered.entry(unit).or_default().insert(address.to_string(), bytes.into_owned());
            }
        }
        let units = compiler.units();
        let of_unit = |unit: Unit| {
            let findings =
                compiler.findings.get(&unit).map(|findings| findings.get().expect("all were read"));
            let pages = findings.map(|findings| &findings.pages);
            let found = serde_json::to_string(&pages).expect("texts and numbers");
            let imports =
                findings.map_or_else(|| units.imports(&Lookups::default()), |it| it.imports.clone());
            let reading = (units.key_with(unit, compiler.check.outside()), imports);
            let key = compiler.key(unit).expect("all were read");
            let rendering = (key, units.imports(&compiler.rendering[&unit].asked));
            let made_from =
                [reading, rendering].map(|(key, imports)| (key, units.without(&imports, dropped)));
            ((rendered.remove(&unit).unwrap_or_default(), found), made_from)
        };
        let all: Vec<Unit> =
            units.with_pages().chain(units.folders()).chain([Unit::Site, Unit::LinkMap]).collect();
        all.into_iter().map(of_unit).collect()
    }

    /// Whether a result from before some edits counts as valid afterwards although it differs, if lookups of a
    /// `dropped` kind aren't recorded.
    fn something_is_stale(edits: &[Edit], dropped: Option<ImportKind>) -> bool {
        let (old, new) = (compiled(&site(&[]), dropped), site(edits));
        let units = Units::of(&new.project);
        let is_stale = |(made, [reading, rendering]): &(UnitResults, [(UnitKey, Imports); 2])| {
            old.iter().any(|(before, [old_reading, old_rendering])| {
                let holds =
                    |(key, imports): &(UnitKey, Imports), new: &UnitKey| key == new && units.hold(imports);
                holds(old_reading, &reading.0) && before.1 != made.1
                    || holds(old_rendering, &rendering.0) && before.0 != made.0
            })
        };
        compiled(&new, None).iter().any(is_stale)
    }

    /// For each kind of lookup, an edit that changes its result and that no other kind detects.
    const EDITS: [(ImportKind, &[Edit]); 10] = [
        (ImportKind::At, &[("static/pot.png", None)]),
        (ImportKind::Title, &[("content/house.md", Some("---\ntitle: Our house\n---\n"))]),
        (ImportKind::Around, &[("content/more.md", Some("---\ntitle: Less\n---\n"))]),
        (ImportKind::Name, &[("content/near.md", Some("---\ntitle: Deep\n---\n[slip](/kichen-table/)\n"))]),
        (ImportKind::Whole, &[("content/guide.md", Some("---\ntitle: Guide\n---\n## Skip it\n"))]),
        (ImportKind::Find, &[("content/later.md", Some("---\ntitle: Later\n---\n"))]),
        (
            ImportKind::OfFile,
            &[(
                "content/garden/web/plan.md",
                Some("---\ntitle: Plan\norder: 1\nslug: second\n---\n## Do it\n"),
            )],
        ),
        (ImportKind::Addresses, &[("content/kitchen-table.md", Some("---\ntitle: Table\n---\n"))]),
        (ImportKind::Titles, &[("content/guide.md", Some("---\ntitle: Our plates\n---\n## Do it\n"))]),
        (
            ImportKind::Families,
            &[
                ("content/attic/web/clear.md", Some("---\ntitle: Clear\norder: 1\n---\n")),
                ("content/attic/ios/clear.md", Some("---\ntitle: Clear\norder: 1\n---\n")),
            ],
        ),
    ];

    #[test]
    fn results_of_a_unit_are_valid_while_their_facts_hold() {
        let others: [&[Edit]; 11] = [
            &[],
            &[("content/garden/ios/water.md", Some("---\ntitle: Water\norder: 2\n---\nEvery day.\n"))],
            &[("content/old.md", None)],
            &[("content/house/cellar/shelf.md", Some("---\ntitle: Shelf\n---\n"))],
            &[(
                "content/old.md",
                Some("---\ntitle: Old\nredirect: https://e.org/\naliases: [/former/]\n---\n"),
            )],
            &[("content/garden/index.md", Some("---\ntitle: Our garden\n---\n"))],
            &[("content/index.md", Some("---\ntitle: Home page\n---\n"))],
            &[("static/pot.png", Some("2"))],
            &[(CONFIG, Some("title = 'Site'\n"))],
            &[("templates/page.html", Some("{{ page.title }}"))],
            &[("content/kitchen/android/cook.md", Some("---\ntitle: Cook\norder: 1\n---\n"))],
        ];
        for edits in EDITS.into_iter().map(|(_, edits)| edits).chain(others) {
            assert!(!something_is_stale(edits, None), "{edits:?}");
        }
    }

    #[test]
    fn every_kind_of_question_counts() {
        for (kind, edits) in EDITS {
            assert!(something_is_stale(edits, Some(kind)), "{kind:?} is noticed by another");
        }
    }

    #[test]
    fn only_titles_anchors_and_addresses_change_the_link_maps() {
        let key = |edits: &[Edit]| {
            let (work, evidence, known) = (site(edits), Evidence::default(), UnitTables::default());
            let compiler = Compiler::new(&work, &evidence, &known, &Share::All);
            let before = compiler.key(Unit::LinkMap);
            compiler.read_all(None);
            assert_eq!(before, compiler.key(Unit::LinkMap), "pages are checked later: {edits:?}");
            before
        };
        let guide = |text| [("content/guide.md", Some(text))];
        let old = key(&[]);
        assert_eq!(key(&guide("---\ntitle: Guide\n---\n## Do it\n\nNow.\n")), old);
        for text in
            ["---\ntitle: Guide\n---\n## Do it <a id=x></a>\n", "---\ntitle: A guide\n---\n## Do it\n"]
        {
            assert_ne!(key(&guide(text)), old, "{text}");
        }
        assert_ne!(key(&[("content/house/attic/ios/sort.md", None)]), old);
    }

    #[test]
    fn a_new_page_renders_only_the_pages_that_list_it() {
        let new = site(&[("content/more/deep/new.md", Some("---\ntitle: New\n---\n"))]);
        let old = site(&[]);
        let before: HashMap<UnitKey, Imports> =
            compiled(&old, None).into_iter().map(|(_, [_, rendering])| rendering).collect();
        let units = Units::of(&new.project);
        let is_new = |&unit: &Unit| {
            let known = before.get(&units.key(unit));
            !known.is_some_and(|imports| units.hold(imports))
        };
        // And the two above, which list their content.
        assert_eq!(units.with_pages().filter(is_new).count(), 3);
    }
}
