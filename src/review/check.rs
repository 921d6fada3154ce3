//! Finds what is wrong with a site, one function per rule.
//!
//! In: [`Work`]. Out: [`Report`], sorted, with what the configuration accepts on purpose taken out.
//! Links are looked up in the plan, the very map that `build` writes and `serve` answers from.

mod everywhere;
mod exceptions;
mod files;
mod habits;
mod images;
mod keys;
mod linked;
mod links;
mod lookup;
mod markup;
mod missing;
mod named;
mod naming;
mod navigation;
mod near;
mod numbering;
mod numbers;
mod parts;
mod platforms;
mod reach;
mod redirects;
mod regions;
mod routes;
mod sites;
mod slips;
mod switchers;
mod text;
mod tree;
mod unread;
mod variables;
mod versions;
mod written;

use std::borrow::Cow;
use std::cell::RefCell;
#[cfg(feature = "external")]
use std::collections::BTreeMap;
use std::collections::{BTreeSet, HashSet};
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use stepkin_highlight::{LONGEST_BLOCK, LONGEST_LINE, Language};

use self::exceptions::Exceptions;
use self::files::IntoFile;
pub use self::links::{ExternalLink, external_links};
use self::lookup::SharedLookup;
pub use self::lookup::{GeneratedPages, Lookup};
use self::parts::Includes;
pub use self::routes::Routes;
pub use self::sites::{Sites, Unused};
pub(crate) use self::written::{encoded_like, written_like};
use crate::base::address::Address;
use crate::base::diagnostic::{Code, Diagnostic, Edit, Problem, Report, Severity};
use crate::base::site_path::SitePath;
use crate::input::config::HAS_AVIF;
use crate::markup::highlight::nearest_language;
use crate::markup::markdown::{Page, Reference, ReferenceKind, Suppression};
use crate::site::content::{Document, DocumentId};
use crate::site::pages::BATCH;
use crate::site::plan::{Artifact, Asked, Destination, End, Here, Import, Reader, Resolver};
use crate::site::project::Project;
use crate::site::work::Work;

/// What is known about the world outside of the pages.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// Addresses that other programs build.
    pub routes: Routes,
    /// Other sites, by their maps.
    pub sites: Sites,
    /// Groups of pictures with the same bytes.
    pub same_pictures: Vec<Vec<SitePath>>,
    /// The answers of other hosts to links, by URL without its fragment.
    #[cfg(feature = "external")]
    pub external: BTreeMap<String, crate::input::external::Verdict>,
    /// Where the platforms differ, if that was asked for.
    pub drift: Option<Report>,
    /// Pages that were renamed: from their former path to the present one.
    pub renames: Vec<(SitePath, SitePath)>,
}

/// What was found on a page, and what the rules for the whole site ask about it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Checked {
    problems: Vec<Arc<Problem>>,
    /// Comments that accept findings on purpose.
    suppressions: Vec<Suppression>,
    /// The addresses of files that it shows or links to.
    files: Vec<String>,
    /// Links to places in HTML files.
    into_files: Vec<IntoFile>,
    /// The addresses of pages that it links, where lists may leave pages out.
    links: Vec<String>,
}

/// The rules, and what they look things up in.
#[derive(Debug)]
pub struct Check<'a> {
    project: &'a Project,
    evidence: &'a Evidence,
    shared: SharedLookup<'a>,
    outside: String,
}

impl<'a> Check<'a> {
    pub fn new(project: &'a Project, evidence: &'a Evidence) -> Self {
        let shared = SharedLookup::new(project, evidence);
        let outside = shared.outside(project);
        Self { project, evidence, shared, outside }
    }

    /// What the findings of every page depend on beside the page's unit and its imports: what is known of the world
    /// outside of the pages, and where the platforms of all families are.
    pub fn outside(&self) -> &str {
        &self.outside
    }

    /// Looks things up in the pages of `work`, and in the pages that rendering generates.
    pub fn lookup<'w>(&'w self, work: &'w Work, generated: &'w dyn GeneratedPages) -> Lookup<'w> {
        Lookup::new(work, &self.shared, generated)
    }

    /// What was found by the stages before, on pages, and of the site as a whole.
    pub fn join(&self, found: Report, pages: &[&Checked]) -> Report {
        let mut exceptions = Exceptions::new(&self.project.site.config);
        for (document, checked) in self.project.site.documents.iter().zip(pages) {
            exceptions.add(&document.path, &checked.suppressions);
        }
        let all = everything(self.project, self.evidence, found, pages);
        let found = exceptions.apply(all, |code| self.evidence.drift.is_some() || !code.rule().is_drift);
        let found = habits::fold(self.project, regions::open(self.project, found));
        linked::once(&self.project.sources, parts::at_their_files(found).sorted())
    }

    /// What was found by the stages before and by the rules on some pages, and what bars the whole site. Whatever needs all
    /// pages is not looked for; so it is not known either which exceptions match nothing.
    pub fn join_some(&self, found: Report, pages: &[Option<&Checked>]) -> Report {
        let mut exceptions = Exceptions::new(&self.project.site.config);
        let some = || {
            let documents = self.project.site.documents.iter().zip(pages);
            documents.filter_map(|(document, checked)| Some((&**document, (*checked)?)))
        };
        for (document, checked) in some() {
            exceptions.add(&document.path, &checked.suppressions);
        }
        let files: HashSet<&SitePath> = some().map(|(document, _)| &document.path).collect();
        let found = found.into_iter().filter(|it| files.contains(&it.file) || it.blocks_build());
        let all = found.chain(on_pages(some())).collect::<Report>().sorted();
        let found = regions::open(self.project, exceptions.apply(all, |_| false));
        let found = habits::fold(self.project, found);
        let found = parts::at_their_files(found);
        linked::once(&self.project.sources, found.sorted())
    }
}

/// The findings of the stages before, of pages, and of the site as a whole, each once.
fn everything(project: &Project, evidence: &Evidence, found: Report, pages: &[&Checked]) -> Report {
    let documents = project.site.documents.iter().map(|document| &**document);
    let on_pages = on_pages(documents.zip(pages.iter().copied()));
    let used = pages.iter().flat_map(|checked| &checked.files).map(String::as_str).collect();
    let whole = tree::passed_over(&project.sources)
        .into_iter()
        .chain(tree::confusable_names(&project.sources))
        .chain(files::missing_anchors(project, pages))
        .chain(reach::unreachable(project, pages))
        .chain(everywhere::missing(project, evidence))
        .chain(redirects::missing(project, evidence))
        .chain(named::missing(project, evidence))
        .chain(keys::misspelled(project))
        .chain(evidence.sites.unusable())
        .chain(images::broken(project))
        .chain(images::orphans(project, &used))
        .chain(images::duplicates(project, evidence))
        .chain(images::avif_unavailable(project, HAS_AVIF))
        .chain(
            project
                .site
                .families
                .iter()
                .flat_map(|family| &family.platforms)
                .flat_map(|it| numbering::title_numbers(project, it)),
        );
    let drift = evidence.drift.iter().flatten().cloned();
    // Duplicates are removed before exceptions are counted.
    found.into_iter().chain(on_pages).chain(whole).chain(drift).collect::<Report>().sorted()
}

/// What was found on pages; what is in a file that several include, once.
fn on_pages<'c>(
    pages: impl Iterator<Item = (&'c Document, &'c Checked)>,
) -> impl Iterator<Item = Diagnostic> {
    let mut of_parts = HashSet::new();
    let found = pages.flat_map(|(document, checked)| {
        checked.problems.iter().map(|problem| Diagnostic::new(problem.clone(), &document.path))
    });
    found.filter(move |it| parts::cause(&it.problem).is_none_or(|cause| of_parts.insert(cause)))
}

/// Takes accepted findings out of a report on drift, and reports exceptions that match nothing.
pub fn accept(work: &Work, found: Report) -> Report {
    let mut exceptions = Exceptions::new(&work.project.site.config);
    let documents: Vec<DocumentId> = work.project.site.documents.indices().collect();
    let suppressions: Vec<_> = documents.chunks(BATCH).flat_map(|some| suppressions(work, some)).collect();
    for (id, suppressions) in &suppressions {
        exceptions.add(&work.project.site.document(*id).path, suppressions);
    }
    linked::once(
        &work.project.sources,
        exceptions.apply(found.sorted(), |code| code.rule().is_drift).sorted(),
    )
}

fn suppressions(work: &Work, some: &[DocumentId]) -> Vec<(DocumentId, Vec<Suppression>)> {
    let pages = work.pages.fresh();
    some.par_iter().map(|&id| (id, pages[id].suppressions.clone())).collect()
}

/// What the rules see of one page.
struct Subject<'a> {
    id: DocumentId,
    document: &'a Document,
    /// The whole file.
    text: Cow<'a, str>,
    page: &'a Page,
    /// Gives what is not on the page or in its family, and notes it: the findings depend on it.
    map: Reader<'a>,
    resolver: Resolver<'a>,
    links: Vec<Link<'a>>,
    /// The addresses of files that findings propose: a page that follows the proposals shows them.
    proposed: RefCell<BTreeSet<String>>,
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
    fn new(work: &'a Work, id: DocumentId, asked: &'a Asked) -> Self {
        let mut subject = Self::without_links(work, id, asked);
        subject.links = subject.page.references.iter().map(|reference| subject.link(reference)).collect();
        subject
    }

    fn without_links(work: &'a Work, id: DocumentId, asked: &'a Asked) -> Self {
        let (document, page) = (work.project.site.document(id), &work.pages[id]);
        let text = document.text();
        let map = work.project.map(Some(asked));
        let (resolver, proposed) = (work.project.resolver_of(map), RefCell::default());
        Self { id, document, text, page, map, resolver, links: Vec::new(), proposed }
    }

    fn link<'t>(&self, reference: &'t Reference) -> Link<'t>
    where
        'a: 't,
    {
        let destination = self.resolver.resolve(self.document, &reference.target);
        let Destination::Here(here) = &destination else {
            return Link { reference, destination, artifact: None, landing: None };
        };
        let artifact = self.looked_at(here.address);
        let landing = match self.map.end(here.address) {
            Some(End::Here { address, .. }) => self.looked_at(address),
            Some(End::External(_) | End::Missing(_)) => None,
            None => artifact,
        };
        Link { reference, destination, artifact, landing }
    }

    /// What is at an address; findings may depend on all of it.
    fn looked_at(&self, address: &Address) -> Option<&'a Artifact> {
        let artifact = self.map.get(address)?;
        if !matches!(artifact, Artifact::Asset(_) | Artifact::Builtin(_)) {
            self.map.note(|| Import::Whole(address.clone()));
        }
        Some(artifact)
    }

    /// The page that a target leads to.
    fn page_of(&self, target: &str) -> Option<DocumentId> {
        match self.resolver.resolve(self.document, target) {
            Destination::Here(here) => self.looked_at(here.address)?.document(),
            _ => None,
        }
    }

    /// Whether a target means another address for each platform that has the page.
    fn means_several(&self, reference: &Reference) -> bool {
        let is_absolute = reference.target.starts_with('/') || reference.target.contains("://");
        self.document.is_shared() && !is_absolute
    }

    /// The cure of a target that should be `meant`, which leads to `address`.
    fn cure(&self, reference: &Reference, meant: &str, address: &Address) -> String {
        match self.means_several(reference) {
            true => format!("use a path to `{address}` that works on every platform"),
            false => format!("use `{meant}`"),
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

    /// Notes that a finding proposes what is at an address.
    fn proposes(&self, address: &Address) {
        if !address.is_page() {
            self.proposed.borrow_mut().insert(address.as_str().to_string());
        }
    }

    fn links_of_kind(&self, kind: ReferenceKind) -> impl Iterator<Item = &Link<'a>> {
        self.links.iter().filter(move |link| link.reference.kind == kind)
    }
}

fn page(work: &Work, lookup: &Lookup<'_>, id: DocumentId, asked: &Asked) -> Checked {
    let subject = Subject::new(work, id, asked);
    let problems = subject
        .page
        .problems
        .iter()
        .cloned()
        .chain(links::references(lookup, &subject))
        .chain(links::external(lookup, &subject))
        .chain(links::redirect(work, lookup, &subject))
        .chain(links::own_hosts(&subject))
        .chain(links::moved(lookup, &subject))
        .chain(platforms::unknown_platforms(work, &subject))
        .chain(platforms::leaving_links(work, &subject))
        .chain(variables::without_table(&subject))
        .chain(platforms::foreign_images(work, &subject))
        .chain(platforms::foreign_words(work, lookup, &subject))
        .chain(markup::missing_alts(&subject))
        .chain(navigation::hand_written(&subject))
        .chain(navigation::targets(work, lookup, &subject))
        .chain(navigation::labels(work, &subject))
        .chain(navigation::missing(work, &subject))
        .chain(switchers::hand_written(&subject))
        .chain(switchers::targets(work, lookup, &subject))
        .chain(switchers::missing(work, &subject))
        .chain(numbering::duplicate_sections(&subject))
        .chain(numbering::foreign_sections(&subject))
        .chain(numbering::dangling_references(work, lookup, &subject))
        .chain(markup::split_lists(&subject))
        .chain(markup::aside_code_traps(&subject))
        .chain(markup::unknown_elements(&subject))
        .chain(markup::lost_cells(&subject))
        .chain(markup::short_rows(&subject))
        .chain(markup::duplicate_ids(lookup, &subject))
        .chain(markup::second_titles(work, &subject))
        .chain(markup::heading_jumps(work, &subject))
        .chain(versions::anchors(work, &subject))
        .chain(text::doubled_words(&subject))
        .chain(text::invisible_characters(&subject))
        .chain(highlighted_code(&subject))
        .chain(exceptions::old_names(&subject));
    let conflicts = &subject.page.conflicts;
    let is_of_conflict = |problem: &Problem| {
        let first = conflicts.partition_point(|conflict| conflict.end <= problem.span.start);
        // `=======` makes a heading of the paragraph above, which begins before the conflict.
        conflicts.get(first).is_some_and(|it| it.start < problem.span.end.max(problem.span.start + 1))
    };
    // The sides of a conflict repeat each other, and its lines look like markup.
    let problems = problems.filter(|problem| problem.code == Code::MergeConflict || !is_of_conflict(problem));
    let problems = problems.map(|problem| sparing(&subject.page.replaced, problem));
    let parts = Includes::of(subject.document, subject.page);
    let problems = problems.map(|problem| parts.located(problem));
    Checked {
        problems: problems.map(Arc::new).collect(),
        suppressions: subject.page.suppressions.clone(),
        files: images::used_by(&subject),
        into_files: files::links_into(&subject),
        links: reach::linked_by(&subject),
    }
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

/// Code that cannot be highlighted; none where highlighting is switched off.
fn highlighted_code(subject: &Subject<'_>) -> Vec<Problem> {
    match subject.resolver.config.highlight.enabled {
        true => unknown_languages(subject).into_iter().chain(oversized_code(subject)).collect(),
        false => Vec::new(),
    }
}

/// Whether a name is that of a language with one letter off.
fn is_slip(language: &str, written: &str) -> bool {
    language.len() > 3 && strsim::damerau_levenshtein(language, &written.to_lowercase()) == 1
}

/// Code in a language that we have no grammar for stays plain.
fn unknown_languages(subject: &Subject<'_>) -> Vec<Problem> {
    // Another generator may have grammars that we have not.
    let is_ours = subject.document.dialect.is_ours();
    let unknown =
        subject.page.code.iter().filter_map(|block| match stepkin_highlight::language(&block.language) {
            Language::Unknown => {
                let near = nearest_language(&block.language);
                if !is_ours && near.is_none_or(|near| !is_slip(near, &block.language)) {
                    return None;
                }
                let help =
                    near.map(|near| format!("did you mean `{near}`? Use `text` to turn highlighting off"));
                let help = help.unwrap_or_else(|| "use `text` to turn highlighting off".into());
                let message = format!("no syntax highlighting for `{}`", block.language);
                let problem = Problem::new(Code::UnknownLanguage, block.span.clone(), message).help(help);
                // A name that differs in one letter is a slip; any other may be another language.
                let slip = near.filter(|near| is_slip(near, &block.language));
                let is_word = subject.text.get(block.span.clone()) == Some(block.language.as_str());
                Some(match slip.filter(|_| is_word) {
                    Some(near) => problem.edit(block.span.clone(), near),
                    None => problem,
                })
            }
            Language::Known(_) | Language::Plain => None,
        });
    unknown.collect()
}

/// Code that would take too long to highlight stays plain.
fn oversized_code(subject: &Subject<'_>) -> Vec<Problem> {
    let oversized = subject.page.code.iter().filter(|block| {
        matches!(stepkin_highlight::language(&block.language), Language::Known(_))
            && !stepkin_highlight::is_within_budget(&block.code)
    });
    oversized
        .map(|block| {
            let message = format!(
                "the block is not highlighted because it has more than {LONGEST_BLOCK} bytes, a line of more than {LONGEST_LINE}, or several nearly as long"
            );
            let help = "break the long line, show less of it, or use `text` to turn highlighting off".to_string();
            Problem::new(Code::OversizedCode, block.span.clone(), message).help(help)
        })
        .collect()
}

/// Whether a report has findings at or above a severity.
pub fn fails(report: &Report, bar: Severity) -> bool {
    report.iter().any(|diagnostic| diagnostic.severity >= bar)
}
