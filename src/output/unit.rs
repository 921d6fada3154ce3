//! Units: the parts of a site that are checked and rendered apart from each other.
//!
//! A unit is a family with its steps and its overview, a page outside of families, or the list of what is in a folder.
//!
//! A stored result stays valid while its key and the facts that it looked up stay the same. The [`UnitKey`] is a hash of
//! everything that a unit is known to depend on before it is made: its own pages, and what is the same for the whole
//! site. The facts are its [`Imports`]: what it looked up in other units while it was made. So a new page makes those
//! units again that looked for something at its address, and a new title those that showed it. The stages before follow the same rule, see
//! [`memo`](crate::base::memo).
//!
//! A unit is made in two halves: [`Compiler::read`] finds what is wrong with its pages, [`Compiler::render`] makes what
//! is at its addresses. What needs more than one unit is made at the end, from all of them: [`Compiler::join`], and the
//! last unit, [`Unit::Site`].
//!
//! Pages outside of families share nothing, so each is a unit of its own. That units are taken in [batches](Units::batches)
//! bounds what is held at once, and decides nothing.

mod answers;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub use self::answers::{Imports, UnitKey, Units};

use crate::base::address::Address;
use crate::base::diagnostic::{Diagnostic, Report};
use crate::base::hash::HashMap;
use crate::base::progress::{self, Task};
use crate::base::store::{Record, Store, Table};
use crate::base::timings::{Stage, part, stage};
use crate::output::render::{self, Rendering};
use crate::review::check::{Check, Checked, Evidence};
use crate::site::content::{DocumentId, FamilyId};
use crate::site::plan::{Artifact, Asked, Content, NodeIx};
use crate::site::project::Project;

/// A part of the site that is made apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    Family(FamilyId),
    /// A page that is no step.
    Page(DocumentId),
    /// A folder that has no page of its own.
    Folder(NodeIx),
    /// What is made from all pages: the home page, and lists of pages and redirects.
    Site,
}

/// Which units of a site are made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Share {
    #[default]
    All,
    /// One of `of` shares that together are all; `at` counts from 0.
    Shard { at: usize, of: usize },
    /// Families, by their ids.
    Families(Vec<String>),
}

/// What was found on the pages of a unit.
#[derive(Debug, Serialize, Deserialize)]
pub struct UnitFindings {
    /// In the order of the unit's documents.
    pages: Vec<Checked>,
    imports: Imports,
}

impl Record for UnitFindings {}

/// What earlier runs have made of units, by their keys.
#[derive(Debug, Default)]
pub struct UnitTables {
    findings: Table<Arc<UnitFindings>>,
    /// What units asked for when they were rendered.
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

    /// Puts what is known of a unit into `other`.
    pub fn copy(&self, UnitKeys { findings, rendered }: &UnitKeys, other: &Self) {
        if let Some(findings) = findings {
            self.findings.copy(findings, &other.findings);
        }
        self.rendered.copy(rendered, &other.rendered);
    }
}

/// By what it is known what was made of a unit.
#[derive(Clone, Copy, Debug)]
pub struct UnitKeys {
    /// `None` of a unit without pages.
    findings: Option<UnitKey>,
    rendered: UnitKey,
}

/// Makes the units of a site that an earlier run has not made, or that hold no longer.
#[derive(Debug)]
pub struct Compiler<'a> {
    work: &'a Rendering,
    units: Units<'a>,
    check: Check<'a>,
    known: &'a UnitTables,
    is_whole: bool,
    /// By unit what was found on its pages.
    findings: HashMap<Unit, OnceLock<Arc<UnitFindings>>>,
    /// By unit how it is rendered.
    rendering: HashMap<Unit, RenderState>,
}

/// How a unit is rendered.
#[derive(Debug, Default)]
struct RenderState {
    /// The key of what is rendered, where an earlier run has rendered the same; looked up when first asked for.
    known: OnceLock<Option<UnitKey>>,
    asked: Asked,
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
        let site = is_whole.then_some(Unit::Site);
        let rendering = all.into_iter().chain(folders).chain(site);
        let rendering = rendering.map(|unit| (unit, RenderState::default())).collect();
        Self { work, units, check, known, is_whole, findings, rendering }
    }

    pub fn units(&self) -> &Units<'a> {
        &self.units
    }

    /// Checks the pages of all units, until `stop` is raised.
    pub fn read_all(&self, stop: Option<&AtomicBool>) {
        let _running = progress::begin(Task::Check, self.documents().count());
        for batch in self.units.batches() {
            self.read(&batch, &OnceLock::new(), stop);
        }
    }

    /// Checks the pages of some units. `made` is taken if any of them is new.
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
            let (documents, asked) = (self.units.documents(unit), Asked::default());
            let page = |&id: &DocumentId| {
                let _part = part(Stage::Check);
                lookup.page(id, &asked)
            };
            let pages: Vec<Checked> = documents.par_iter().take_any_while(|_| goes_on()).map(page).collect();
            if pages.len() < documents.len() {
                return;
            }
            let findings = Arc::new(UnitFindings { pages, imports: self.units.imports(&asked) });
            self.known.findings.put(self.units.key_with(unit, self.check.outside()), findings.clone());
            _ = self.findings[&unit].set(findings);
            progress::step(Task::Check, documents.len());
        };
        let units = units.into_par_iter().take_any_while(|_| goes_on());
        units.for_each(read);
    }

    /// Everything that is wrong with the site: `found` by the stages before, on pages, and among them; of a share only what is
    /// wrong on its pages. Nothing where units were not read.
    pub fn join(&self, found: Report) -> Report {
        let documents = &self.work.project.site.documents;
        let mut pages: Vec<Option<&Checked>> = vec![None; documents.len()];
        for (&unit, findings) in &self.findings {
            let Some(findings) = findings.get() else { return Report::default() };
            for (id, checked) in self.units.documents(unit).into_iter().zip(&findings.pages) {
                pages[usize::from(id)] = Some(checked);
            }
        }
        if !self.is_whole {
            return self.check.join_some(found, &pages);
        }
        let pages: Option<Vec<&Checked>> = pages.into_iter().collect();
        pages.map_or_else(Report::default, |pages| self.check.join(found, &pages))
    }

    /// By what it is known what was made of the share.
    pub fn keys(&self) -> Vec<UnitKeys> {
        let of_findings = |unit| self.units.key_with(unit, self.check.outside());
        let pages = self.units.with_pages().map(|unit| (unit, Some(of_findings(unit))));
        let folders = self.units.folders().map(|unit| (unit, None));
        let keys = pages.chain(folders);
        keys.map(|(unit, findings)| UnitKeys { findings, rendered: self.units.key(unit) }).collect()
    }

    /// The pages in the share.
    pub fn documents(&self) -> impl Iterator<Item = DocumentId> {
        self.units.all_documents()
    }

    /// Whether a unit is in the share.
    pub fn makes(&self, unit: Unit) -> bool {
        self.rendering.contains_key(&unit)
    }

    /// The key of what is rendered of a unit, imports and all, where an earlier run has rendered the same: a file that
    /// was written with this key is still right. `None` of units that are not in the share.
    pub fn rendered(&self, unit: Unit) -> Option<UnitKey> {
        let rendering = self.rendering.get(&unit)?;
        *rendering.known.get_or_init(|| {
            let key = self.units.key(unit);
            let imports = self.known.rendered.get_if(&key, |imports| self.units.hold(imports))?;
            Some(imports.key(&key))
        })
    }

    /// What is at an address; `work` and `twin` as in [`render::artifact_with`].
    ///
    /// # Errors
    ///
    /// A `template-error` where a template cannot be rendered.
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

    /// The key of what was rendered of each unit, once all that is at their addresses has been, if it did not hold.
    pub fn all_rendered(&self) -> HashMap<Unit, UnitKey> {
        let key = |(&unit, rendering): (&Unit, &RenderState)| {
            let _part = part(Stage::Cache);
            let new = || {
                let (key, imports) = (self.units.key(unit), self.units.imports(&rendering.asked));
                let whole = imports.key(&key);
                self.known.rendered.put(key, Arc::new(imports));
                whole
            };
            (unit, self.rendered(unit).unwrap_or_else(new))
        };
        self.rendering.par_iter().map(key).collect()
    }
}

/// The pages in a share.
pub fn documents_of(project: &Project, share: &Share) -> Vec<DocumentId> {
    Units::of(project).in_share(share).all_documents().collect()
}

/// Finds everything that is wrong with a site. `found` is what the stages before have reported. Once `stop` is raised,
/// it ends early, and its result is incomplete.
pub fn check(
    work: &Rendering,
    evidence: &Evidence,
    known: &UnitTables,
    share: &Share,
    found: Report,
    stop: Option<&AtomicBool>,
) -> Report {
    let _stage = stage(Stage::Check);
    let compiler = Compiler::new(work, evidence, known, share);
    compiler.read_all(stop);
    compiler.join(found)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::answers::ImportKind;
    use super::*;
    use crate::base::site_path::CONFIG;
    use crate::output::cache::Cache;
    use crate::output::pipeline::{self, Options, in_memory};

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

    /// A file and what it holds from now on; nothing where it goes.
    type Edit = (&'static str, Option<&'static str>);

    /// The site of [`PAGES`] after some edits.
    fn site(edits: &[Edit]) -> Rendering {
        let mut files: BTreeMap<&str, &str> = PAGES.into_iter().chain([("static/pot.png", "1")]).collect();
        for &(path, text) in edits {
            _ = files.remove(path);
            files.extend(text.map(|text| (path, text)));
        }
        let sources = in_memory(files);
        pipeline::plan(sources, &Options::default(), &Cache::default()).expect("it loads").0
    }

    /// What was made of a unit: all that is rendered, and what was found.
    type Made = (BTreeMap<String, Vec<u8>>, String);

    /// Everything that is made of each unit, with what it was made from: of both halves. Questions of a `dropped` kind are
    /// not written down.
    fn compiled(work: &Rendering, dropped: Option<ImportKind>) -> Vec<(Made, [(UnitKey, Imports); 2])> {
        let (evidence, known) = (Evidence::default(), UnitTables::default());
        let compiler = Compiler::new(work, &evidence, &known, &Share::All);
        compiler.read_all(None);
        let mut rendered: HashMap<Unit, BTreeMap<String, Vec<u8>>> = HashMap::default();
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
            let imports = findings.map_or_else(|| units.imports(&Asked::default()), |it| it.imports.clone());
            let reading = (units.key_with(unit, compiler.check.outside()), imports);
            let rendering = (units.key(unit), units.imports(&compiler.rendering[&unit].asked));
            let made_from =
                [reading, rendering].map(|(key, imports)| (key, units.without(&imports, dropped)));
            ((rendered.remove(&unit).unwrap_or_default(), found), made_from)
        };
        let all: Vec<Unit> = units.with_pages().chain(units.folders()).chain([Unit::Site]).collect();
        all.into_iter().map(of_unit).collect()
    }

    /// Whether something that is made of a unit before some edits holds afterwards and is another then, where
    /// questions of a `dropped` kind are not written down.
    fn something_is_stale(edits: &[Edit], dropped: Option<ImportKind>) -> bool {
        let (old, new) = (compiled(&site(&[]), dropped), site(edits));
        let units = Units::of(&new.project);
        let is_stale = |(made, [reading, rendering]): &(Made, [(UnitKey, Imports); 2])| {
            old.iter().any(|(before, [old_reading, old_rendering])| {
                let holds =
                    |(key, imports): &(UnitKey, Imports), new: &UnitKey| key == new && units.hold(imports);
                holds(old_reading, &reading.0) && before.1 != made.1
                    || holds(old_rendering, &rendering.0) && before.0 != made.0
            })
        };
        compiled(&new, None).iter().any(is_stale)
    }

    /// Of each kind of question an edit that changes the answer, and no other that notices.
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
    fn what_was_made_of_a_unit_holds_only_as_long_as_it_is_right() {
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
    fn a_new_page_makes_only_those_again_that_list_it() {
        let new = site(&[("content/more/deep/new.md", Some("---\ntitle: New\n---\n"))]);
        let old = site(&[]);
        let before: HashMap<UnitKey, Imports> =
            compiled(&old, None).into_iter().map(|(_, [_, rendering])| rendering).collect();
        let units = Units::of(&new.project);
        let is_new = |&unit: &Unit| {
            let known = before.get(&units.key(unit));
            !known.is_some_and(|imports| units.hold(imports))
        };
        // And the two above, which say what is in them.
        assert_eq!(units.with_pages().filter(is_new).count(), 3);
    }
}
