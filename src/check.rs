//! Finds what is wrong with a site, one function per rule.
//!
//! In: [`Walk`]. Out: [`Report`], sorted, with what the configuration accepts on purpose taken out.
//! Links are looked up in the plan, the very map that `build` writes and `serve` answers from.

mod exceptions;
mod files;
mod images;
mod linked;
mod links;
mod markup;
mod memo;
mod missing;
mod navigation;
mod near;
mod numbering;
mod platforms;
mod routes;
mod slips;
mod text;
mod tree;
mod unread;
mod written;

use std::borrow::Cow;
use std::cell::RefCell;
#[cfg(feature = "external")]
use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use self::exceptions::Exceptions;
pub use self::links::{ExternalLink, external_links};
use self::links::{Lookup, Shared};
pub use self::memo::Checked;
use self::memo::Keys;
pub use self::routes::Routes;

use crate::address::Address;
use crate::content::{Document, DocumentId};
use crate::diagnostic::{Code, Diagnostic, Edit, Problem, Report, Severity};
use crate::highlight::{self, LONGEST_BLOCK, LONGEST_LINE, Language};
use crate::index::IndexVec;
use crate::markdown::{Page, Reference, ReferenceKind, Suppression};
use crate::plan::{Artifact, Destination, End, Here, Resolver};
use crate::render::Walk;
use crate::site_path::SitePath;
use crate::store::Table;
use crate::timings::{self, Stage, stage};

/// What is known about the world outside of the pages.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// Addresses that are built elsewhere.
    pub routes: Routes,
    /// Groups of pictures with the same bytes.
    pub same_pictures: Vec<Vec<SitePath>>,
    /// What other hosts said of links to them, by URL without its fragment.
    #[cfg(feature = "external")]
    pub external: BTreeMap<String, crate::external::Verdict>,
    /// Where the platforms differ, if anybody looked.
    pub drift: Option<Report>,
    /// Pages that were renamed: from their former path to the present one.
    pub renames: Vec<(SitePath, SitePath)>,
}

/// Checks every page of a site that was not checked before, with the same around it. `found` is what the stages
/// before have reported. Once `stop` is raised, the check ends early, and its result is incomplete.
pub fn site(
    walk: &Walk,
    evidence: &Evidence,
    kept: &Table<Arc<Checked>>,
    found: Report,
    stop: Option<&AtomicBool>,
) -> Report {
    stage(Stage::Check, || {
        let check = Check::new(walk, evidence, kept);
        check.all(stop);
        check.finish(found)
    })
}

/// A check that sees one part of the site after the other.
#[derive(Debug)]
pub struct Check<'a> {
    walk: &'a Walk,
    evidence: &'a Evidence,
    kept: &'a Table<Arc<Checked>>,
    shared: Shared<'a>,
    keys: Keys<'a>,
    /// The key of each page, and what was found.
    pages: IndexVec<DocumentId, (blake3::Hash, OnceLock<Arc<Checked>>)>,
}

impl<'a> Check<'a> {
    /// A check that knows what an earlier one has found.
    pub fn new(walk: &'a Walk, evidence: &'a Evidence, kept: &'a Table<Arc<Checked>>) -> Self {
        let shared = Shared::new(walk, evidence);
        let keys = Keys::of(walk, &shared);
        let documents: Vec<DocumentId> = walk.site.documents.indices().collect();
        let pages = documents.into_par_iter().map(|id| {
            let key = keys.key(id);
            let known = kept.get_if(key.as_bytes(), |checked| keys.hold(checked));
            (key, known.map_or_else(OnceLock::new, OnceLock::from))
        });
        let pages = pages.collect::<Vec<_>>().into();
        Self { walk, evidence, kept, shared, keys, pages }
    }

    /// Checks all pages, until `stop` is raised.
    pub fn all(&self, stop: Option<&AtomicBool>) {
        for part in self.walk.site.parts() {
            self.part(&part, &OnceLock::new(), stop);
        }
    }

    /// Checks some pages. `made` is a walk of the same site, taken if any of them is new.
    pub fn part(&self, part: &[DocumentId], made: &OnceLock<Walk>, stop: Option<&AtomicBool>) {
        let new: Vec<DocumentId> =
            part.iter().copied().filter(|&id| self.pages[id].1.get().is_none()).collect();
        if new.is_empty() {
            return;
        }
        let walk = made.get_or_init(|| self.walk.fresh());
        let lookup = Lookup::new(walk, &self.shared);
        let goes_on = || !stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        new.into_par_iter().take_any_while(|_| goes_on()).for_each(|id| {
            let checked = timings::part(Stage::Check, || Arc::new(page(walk, &lookup, &self.keys, id)));
            self.kept.put(*self.pages[id].0.as_bytes(), checked.clone());
            _ = self.pages[id].1.set(checked);
        });
    }

    /// What is found on all pages and of the site as a whole; nothing where pages were not checked.
    pub fn finish(&self, found: Report) -> Report {
        let mut exceptions = Exceptions::new(&self.walk.site.config);
        let pages: Option<Vec<&Checked>> =
            self.pages.iter().map(|(_, checked)| checked.get().map(|checked| &**checked)).collect();
        let Some(pages) = pages else { return Report::default() };
        for (document, checked) in self.walk.site.documents.iter().zip(&pages) {
            exceptions.add(&document.path, &checked.suppressions);
        }
        let all = everything(self.walk, self.evidence, found, &pages);
        let found = exceptions.apply(all, |code| self.evidence.drift.is_some() || !code.rule().is_drift);
        linked::once(&self.walk.sources, found.sorted())
    }
}

/// What the stages before, pages, and the site as a whole have to show, each finding once.
fn everything(walk: &Walk, evidence: &Evidence, found: Report, pages: &[&Checked]) -> Report {
    let on_pages = walk.site.documents.iter().zip(pages).flat_map(|(document, checked)| {
        checked.problems.iter().map(|problem| Diagnostic::new(problem.clone(), &document.path))
    });
    let used = pages.iter().flat_map(|checked| &checked.files).map(String::as_str).collect();
    let whole = tree::passed_over(&walk.sources)
        .into_iter()
        .chain(tree::confusable_names(&walk.sources))
        .chain(files::missing_anchors(walk, pages))
        .chain(images::broken(walk))
        .chain(images::orphans(walk, &used))
        .chain(images::duplicates(walk, evidence))
        .chain(
            walk.site
                .families
                .iter()
                .flat_map(|family| &family.platforms)
                .flat_map(|it| numbering::title_numbers(walk, it)),
        );
    let drift = evidence.drift.iter().flatten().cloned();
    // What is found twice is one finding, before exceptions are counted.
    found.into_iter().chain(on_pages).chain(whole).chain(drift).collect::<Report>().sorted()
}

/// Takes what is accepted on purpose out of a report on drift, and reports what is accepted without need.
pub fn accept(walk: &Walk, found: Report) -> Report {
    let mut exceptions = Exceptions::new(&walk.site.config);
    let suppressions: Vec<_> =
        walk.site.parts().into_iter().flat_map(|part| suppressions(walk, part)).collect();
    for (id, suppressions) in &suppressions {
        exceptions.add(&walk.site.document(*id).path, suppressions);
    }
    linked::once(&walk.sources, exceptions.apply(found.sorted(), |code| code.rule().is_drift).sorted())
}

fn suppressions(walk: &Walk, part: Vec<DocumentId>) -> Vec<(DocumentId, Vec<Suppression>)> {
    let pages = walk.fresh().pages;
    part.into_par_iter().map(|id| (id, pages[id].suppressions.clone())).collect()
}

/// What the rules see of one page.
struct Subject<'a> {
    id: DocumentId,
    document: &'a Document,
    /// The whole file.
    text: Cow<'a, str>,
    page: &'a Page,
    resolver: Resolver<'a>,
    links: Vec<Link<'a>>,
    /// What rules have looked at beside what the page names.
    looked_at: RefCell<Looks>,
}

/// What a rule looks at of other pages, so that what it finds is known to depend on them.
#[derive(Clone, Debug, Default)]
struct Looks {
    pages: BTreeSet<DocumentId>,
    /// The titles of all pages.
    titles: bool,
    /// The addresses of files that findings propose: who mends what is found shows them.
    files: BTreeSet<String>,
}

/// A reference of a page, and where it leads.
struct Link<'a> {
    reference: &'a Reference,
    destination: Destination<'a>,
    /// What is there.
    artifact: Option<&'a Artifact>,
    /// What is there once redirects are followed.
    landing: Option<&'a Artifact>,
}

impl<'a> Subject<'a> {
    fn new(walk: &'a Walk, id: DocumentId) -> Self {
        let (document, page) = (walk.site.document(id), &walk.pages[id]);
        let text = document.text();
        let (resolver, looked_at) = (walk.resolver(), RefCell::default());
        let mut subject = Self { id, document, text, page, resolver, links: Vec::new(), looked_at };
        subject.links = page.references.iter().map(|reference| subject.link(walk, reference)).collect();
        subject
    }

    fn link<'t>(&self, walk: &'t Walk, reference: &'t Reference) -> Link<'t>
    where
        'a: 't,
    {
        let destination = self.resolver.resolve(self.document, &reference.target);
        let artifact = match &destination {
            Destination::Here(here) => walk.plan.get(here.address),
            _ => None,
        };
        let landing = match &destination {
            Destination::Here(here) => match walk.plan.end(here.address) {
                Some(End::Here { address, .. }) => walk.plan.get(address),
                Some(End::External(_) | End::Missing(_)) => None,
                None => artifact,
            },
            _ => None,
        };
        Link { reference, destination, artifact, landing }
    }

    /// Whether a target means another address for each platform that has the page.
    fn means_several(&self, reference: &Reference) -> bool {
        let is_absolute = reference.target.starts_with('/') || reference.target.contains("://");
        self.document.is_shared() && !is_absolute
    }

    /// The cure of a target that should be `meant`, which leads to `address`.
    fn cure(&self, reference: &Reference, meant: &str, address: &Address) -> String {
        match self.means_several(reference) {
            true => format!("lead to `{address}`, by a path that holds on every platform"),
            false => format!("write `{meant}`"),
        }
    }

    /// Where a redirect of another program leads.
    fn end_of_route(&self, to: &str) -> Option<End> {
        match self.resolver.resolve(self.document, to) {
            Destination::Here(Here { address, query, fragment, .. }) => {
                let (query, fragment) = (query.to_string(), fragment.map(str::to_string));
                Some(End::Here { address: address.clone(), query, fragment })
            }
            Destination::External => Some(End::External(to.to_string())),
            Destination::Missing { path, .. } => Some(End::Missing(path.into_owned())),
            Destination::Empty => None,
        }
    }

    /// Notes that a finding depends on the text of a page.
    fn looks_at(&self, id: DocumentId) {
        self.looked_at.borrow_mut().pages.insert(id);
    }

    /// Notes that a finding depends on the titles of pages.
    fn looks_at_titles(&self) {
        self.looked_at.borrow_mut().titles = true;
    }

    /// Notes that a finding proposes what is at an address.
    fn proposes(&self, address: &Address) {
        if !address.is_page() {
            self.looked_at.borrow_mut().files.insert(address.as_str().to_string());
        }
    }

    fn links_of_kind(&self, kind: ReferenceKind) -> impl Iterator<Item = &Link<'a>> {
        self.links.iter().filter(move |link| link.reference.kind == kind)
    }
}

fn page(walk: &Walk, lookup: &Lookup<'_>, keys: &Keys<'_>, id: DocumentId) -> Checked {
    let subject = Subject::new(walk, id);
    let problems = subject
        .page
        .problems
        .iter()
        .cloned()
        .chain(links::references(lookup, &subject))
        .chain(links::external(lookup, &subject))
        .chain(links::redirect(walk, lookup, &subject))
        .chain(links::own_hosts(&subject))
        .chain(links::moved(lookup, &subject))
        .chain(platforms::unknown_platforms(walk, &subject))
        .chain(platforms::leaving_links(walk, &subject))
        .chain(platforms::foreign_images(walk, &subject))
        .chain(platforms::foreign_words(walk, lookup, &subject))
        .chain(markup::missing_alts(&subject))
        .chain(navigation::hand_written(&subject))
        .chain(navigation::targets(walk, lookup, &subject))
        .chain(navigation::labels(walk, &subject))
        .chain(navigation::missing(walk, &subject))
        .chain(numbering::duplicate_sections(&subject))
        .chain(numbering::foreign_sections(&subject))
        .chain(numbering::dangling_references(walk, lookup, &subject))
        .chain(markup::split_lists(&subject))
        .chain(markup::aside_code_traps(&subject))
        .chain(markup::unknown_elements(&subject))
        .chain(markup::lost_cells(&subject))
        .chain(markup::short_rows(&subject))
        .chain(markup::duplicate_ids(lookup, &subject))
        .chain(markup::second_titles(walk, &subject))
        .chain(markup::heading_jumps(walk, &subject))
        .chain(text::doubled_words(&subject))
        .chain(text::invisible_characters(&subject))
        .chain(highlighted_code(&subject));
    let conflicts = &subject.page.conflicts;
    let is_of_conflict = |problem: &Problem| {
        let first = conflicts.partition_point(|conflict| conflict.end <= problem.span.start);
        // `=======` makes a heading of the paragraph above, which begins before the conflict.
        conflicts.get(first).is_some_and(|it| it.start < problem.span.end.max(problem.span.start + 1))
    };
    // Both sides of a conflict say the same in two ways, and its lines look like markup.
    let problems = problems.filter(|problem| problem.code == Code::MergeConflict || !is_of_conflict(problem));
    let problems = problems.map(|problem| sparing(&subject.page.replaced, problem));
    keys.checked(&subject, problems.collect())
}

/// A problem without its edits, where one of them would write over a variable, or beside one that is a part
/// of the same address. What removes text may take variables along.
fn sparing(replaced: &[Range<usize>], mut problem: Problem) -> Problem {
    let writes_over = |edit: &Edit| {
        let first = replaced.partition_point(|variable| variable.end < edit.span.start);
        let meets = replaced.get(first).is_some_and(|variable| variable.start <= edit.span.end);
        meets && !edit.text.is_empty()
    };
    if problem.edits.iter().any(writes_over) {
        problem.edits.clear();
    }
    problem
}

/// Code that stays plain against its writer's wish; none where all code is meant to.
fn highlighted_code(subject: &Subject<'_>) -> Vec<Problem> {
    match subject.resolver.config.highlight.enabled {
        true => unknown_languages(subject).into_iter().chain(oversized_code(subject)).collect(),
        false => Vec::new(),
    }
}

/// Code in a language that we have no grammar for stays plain.
fn unknown_languages(subject: &Subject<'_>) -> Vec<Problem> {
    let unknown = subject.page.code.iter().filter_map(|block| match highlight::language(&block.language) {
        Language::Unknown(near) => {
            let help = near.map(|near| format!("did you mean `{near}`? write `text` for no colours"));
            let help = help.unwrap_or_else(|| "write `text` for a block without colours".into());
            let message = format!("no grammar is called `{}`, so the block stays plain", block.language);
            let problem = Problem::new(Code::UnknownLanguage, block.span.clone(), message).help(help);
            // One letter off is a slip; anything more may be another language.
            let slip =
                near.filter(|near| strsim::damerau_levenshtein(near, &block.language.to_lowercase()) == 1);
            let is_word = subject.text.get(block.span.clone()) == Some(block.language.as_str());
            Some(match slip.filter(|near| is_word && near.len() > 3) {
                Some(near) => problem.edit(block.span.clone(), near),
                None => problem,
            })
        }
        Language::FileIndex(_) | Language::Plain => None,
    });
    unknown.collect()
}

/// Code that would take too long to highlight stays plain.
fn oversized_code(subject: &Subject<'_>) -> Vec<Problem> {
    let oversized = subject.page.code.iter().filter(|block| {
        matches!(highlight::language(&block.language), Language::FileIndex(_))
            && !highlight::is_within_budget(&block.code)
    });
    oversized
        .map(|block| {
            let message = format!(
                "the block stays plain: it has more than {LONGEST_BLOCK} bytes, a line of more than {LONGEST_LINE}, or several nearly as long"
            );
            let help = "break the long line, show less of it, or write `text` for a block without colours".to_string();
            Problem::new(Code::OversizedCode, block.span.clone(), message).help(help)
        })
        .collect()
}

/// Whether a report has findings at or above a severity.
pub fn fails(report: &Report, bar: Severity) -> bool {
    report.iter().any(|diagnostic| diagnostic.severity >= bar)
}
