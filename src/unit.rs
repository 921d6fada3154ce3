//! Units: the parts of a site that are made apart from each other, and the one rule of what must be made again.
//!
//! A unit is a family with its steps and its overview, or a page outside of families. It is made from its own pages,
//! from what is the same for the whole site, and from what it asks for of other units: its [`Imports`]. What was made
//! of a unit holds as long as its [`Key`] is the same and its imports have the same answers. There is no other rule: a
//! new page makes those units again that asked for its address, and a title those that showed it.
//!
//! A unit is made in two halves: [`Compiler::read`] finds what is wrong with its pages, [`Compiler::render`] makes what
//! is at its addresses. What needs more than one unit is made at the end, from all of them: [`Compiler::join`], and
//! artifacts of no unit, such as the home page and lists of all pages.
//!
//! Pages outside of families share nothing, so each is a unit of its own. That units are taken in [batches](Units::batches)
//! bounds what is held at once, and decides nothing.

mod answers;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub use self::answers::{Imports, Key, Units};

use crate::address::Address;
use crate::check::{Check, Checked, Evidence};
use crate::content::{DocumentId, FamilyId};
use crate::diagnostic::{Diagnostic, Report};
use crate::plan::{Artifact, Asked, Content};
use crate::render::{self, Work};
use crate::store::{Record, Table};
use crate::timings::{self, Stage, stage};

/// A part of the site that is made apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    Family(FamilyId),
    /// A page that is no step.
    Page(DocumentId),
}

/// What was found on the pages of a unit.
#[derive(Debug, Serialize, Deserialize)]
pub struct Findings {
    /// In the order of the unit's documents.
    pages: Vec<Checked>,
    imports: Imports,
}

impl Record for Findings {}

/// What the rendered units of a build were made from: their keys and imports.
pub type Rendered = HashMap<Key, Imports>;

/// Makes the units of a site that an earlier run has not made, or that hold no longer.
#[derive(Debug)]
pub struct Compiler<'a> {
    work: &'a Work,
    units: Units<'a>,
    check: Check<'a>,
    kept: &'a Table<Arc<Findings>>,
    /// By unit what was found on its pages.
    findings: HashMap<Unit, OnceLock<Arc<Findings>>>,
    /// By unit what it was rendered from.
    rendered: HashMap<Unit, Rendering<'a>>,
}

#[derive(Debug)]
struct Rendering<'a> {
    /// Of an earlier run, where they hold.
    known: Option<&'a Imports>,
    asked: Asked,
}

impl<'a> Compiler<'a> {
    /// `kept` is what earlier checks have found, and `rendered` what the last build was made from.
    pub fn new(
        work: &'a Work,
        evidence: &'a Evidence,
        kept: &'a Table<Arc<Findings>>,
        rendered: Option<&'a Rendered>,
    ) -> Self {
        let (check, units) = (Check::new(&work.project, evidence), Units::of(&work.project));
        let all: Vec<Unit> = units.all().collect();
        let findings = |&unit: &Unit| {
            let key = units.key_with(unit, check.outside());
            let known = kept.get_if(&key, |findings| units.hold(&findings.imports));
            (unit, known.map_or_else(OnceLock::new, OnceLock::from))
        };
        let rendering = |&unit: &Unit| {
            let known = rendered.and_then(|rendered| rendered.get(&units.key(unit)));
            let known = known.filter(|imports| units.hold(imports));
            (unit, Rendering { known, asked: Asked::default() })
        };
        let findings = all.par_iter().map(findings).collect();
        let rendered = all.par_iter().map(rendering).collect();
        Self { work, units, check, kept, findings, rendered }
    }

    pub fn units(&self) -> &Units<'a> {
        &self.units
    }

    /// Checks the pages of all units, until `stop` is raised.
    pub fn read_all(&self, stop: Option<&AtomicBool>) {
        for batch in self.units.batches() {
            self.read(&batch, &OnceLock::new(), stop);
        }
    }

    /// Checks the pages of some units. `made` is taken if any of them is new.
    pub fn read(&self, batch: &[Unit], made: &OnceLock<Work>, stop: Option<&AtomicBool>) {
        let is_new = |unit: &Unit| self.findings[unit].get().is_none();
        let units: Vec<Unit> = batch.iter().copied().filter(is_new).collect();
        if units.is_empty() {
            return;
        }
        let work = made.get_or_init(|| self.work.fresh());
        let lookup = self.check.lookup(work);
        let goes_on = || !stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        units.into_par_iter().take_any_while(|_| goes_on()).for_each(|unit| {
            let (documents, asked) = (self.units.documents(unit), Asked::default());
            let page = |&id: &DocumentId| timings::part(Stage::Check, || lookup.page(id, &asked));
            let pages: Vec<Checked> = documents.par_iter().take_any_while(|_| goes_on()).map(page).collect();
            if pages.len() < documents.len() {
                return;
            }
            let findings = Arc::new(Findings { pages, imports: self.units.imports(&asked) });
            self.kept.put(self.units.key_with(unit, self.check.outside()), findings.clone());
            _ = self.findings[&unit].set(findings);
        });
    }

    /// Everything that is wrong with the site: `found` by the stages before, on pages, and among them. Nothing where
    /// units were not read.
    pub fn join(&self, found: Report) -> Report {
        let documents = &self.work.project.site.documents;
        let mut pages: Vec<Option<&Checked>> = vec![None; documents.len()];
        for (&unit, findings) in &self.findings {
            let Some(findings) = findings.get() else { return Report::default() };
            for (id, checked) in self.units.documents(unit).into_iter().zip(&findings.pages) {
                pages[usize::from(id)] = Some(checked);
            }
        }
        let pages: Option<Vec<&Checked>> = pages.into_iter().collect();
        pages.map_or_else(Report::default, |pages| self.check.join(found, &pages))
    }

    /// Whether what the last build made of a unit is still right.
    pub fn holds(&self, unit: Unit) -> bool {
        self.rendered[&unit].known.is_some()
    }

    /// What is at an address; `work` and `twin` as in [`render::artifact_with`].
    ///
    /// # Errors
    ///
    /// A `template-error` where a template cannot be rendered.
    pub fn render(
        &self,
        work: &Work,
        (address, artifact): (&Address, &Artifact),
        twin: impl Fn(&Address) -> Option<String>,
    ) -> Result<Content, Diagnostic> {
        let unit = self.units.of_artifact(artifact);
        let asked = unit.map(|unit| &self.rendered[&unit].asked);
        render::artifact_with(work, (address, artifact), asked, twin)
    }

    /// What all units were rendered from, once everything has been rendered that did not hold.
    pub fn rendered(&self) -> Rendered {
        let imports = |(&unit, rendering): (&Unit, &Rendering<'_>)| {
            let imports = rendering.known.cloned().unwrap_or_else(|| self.units.imports(&rendering.asked));
            (self.units.key(unit), imports)
        };
        self.rendered.par_iter().map(imports).collect()
    }
}

/// Finds everything that is wrong with a site. `found` is what the stages before have reported. Once `stop` is raised,
/// it ends early, and its result is incomplete.
pub fn check(
    work: &Work,
    evidence: &Evidence,
    kept: &Table<Arc<Findings>>,
    found: Report,
    stop: Option<&AtomicBool>,
) -> Report {
    stage(Stage::Check, || {
        let compiler = Compiler::new(work, evidence, kept, None);
        compiler.read_all(stop);
        compiler.join(found)
    })
}
