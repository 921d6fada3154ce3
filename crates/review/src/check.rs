//! Finds problems on a site, with one function per rule.
//!
//! In: [`Work`]. Out: [`Report`], sorted, without accepted findings. Links are looked up in the plan, from which
//! `build` writes and `serve` answers.

mod components;
mod constants;
mod counted;
mod doubts;
mod everywhere;
mod exceptions;
mod files;
mod grammar;
mod habits;
mod images;
mod keys;
mod leftovers;
mod linked;
mod links;
mod liquid;
mod lists;
mod lookup;
mod missing;
mod named;
mod naming;
mod navigation;
mod near;
mod near_anchor;
mod numbering;
mod numbers;
mod parts;
mod platforms;
mod reach;
mod redirects;
mod regions;
mod relative;
mod roles;
mod routes;
mod sections;
mod sites;
mod slips;
mod sources;
mod stale;
mod structure;
mod switchers;
mod text;
mod tree;
mod unread;
mod variables;
mod versions;
mod words;
mod written;

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use stepkin_highlight::{LONGEST_BLOCK, LONGEST_LINE, Language};

use self::exceptions::Exceptions;
use self::files::HtmlAnchorLink;
pub use self::links::{ExternalLink, external_links};
use self::lookup::SharedLookup;
pub use self::lookup::{GeneratedPages, Lookup};
use self::parts::Includes;
use self::regions::REGION;
pub use self::routes::Routes;
pub use self::sites::{Sites, Unused};
pub use self::written::{encoded_like, written_like};
use crate::translations;
use base::address::Address;
use base::diagnostic::{Code, Diagnostic, Edit, Problem, Report, Severity};
use base::site_path::SitePath;
#[cfg(feature = "external")]
use base::sorted::SortedMap;
use base::sorted::SortedSet;
use input::config::HAS_AVIF;
use input::conventions::{OptionalMarkup, Syntax};
use markup::highlight::nearest_language;
use markup::markdown::{
    Page, RENDERER_LIMIT, Reference, ReferenceKind, Suppression, TagPlaces, label as label_of, near_start,
};
use site::content::{Document, DocumentId};
use site::pages::{BATCH, Pages};
use site::plan::{Artifact, Destination, End, Here, Import, Lookups, Reader, Resolver};
use site::project::Project;
use site::work::Work;

/// Information from outside the pages.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// Addresses that other programs build.
    pub routes: Routes,
    /// Other sites, from their link maps.
    pub sites: Sites,
    /// Groups of images with the same content.
    pub same_pictures: Vec<Vec<SitePath>>,
    /// Results of checking external links, by URL without its fragment.
    #[cfg(feature = "external")]
    pub external: SortedMap<String, input::external::Verdict>,
    /// Differences between platforms, if they were requested.
    pub drift: Option<Report>,
    /// Renamed pages as old and new paths.
    pub renames: Vec<(SitePath, SitePath)>,
}

/// The findings on a page, and data about it for rules that need the complete site.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Checked {
    problems: Vec<Arc<Problem>>,
    /// Suppression comments.
    suppressions: Vec<Suppression>,
    /// The addresses of files that it shows or links to.
    files: Vec<String>,
    /// Links to anchors in HTML files.
    into_files: Vec<HtmlAnchorLink>,
    /// Links to files of the repository that aren't published.
    into_sources: Vec<Reference>,
    /// The addresses of linked pages, if lists may leave pages out.
    links: Vec<String>,
    /// The documents in its lists of contents.
    contents: Vec<String>,
}

/// The rules for a translation, and what they found on each of its pages.
#[derive(Clone, Debug)]
pub struct CheckedTranslation<'a> {
    pub check: &'a Check<'a>,
    pub pages: Vec<&'a Checked>,
}

impl CheckedTranslation<'_> {
    fn owns(&self, file: &SitePath) -> bool {
        self.check.project.sources.owns(file)
    }

    /// Returns the findings on its own files. Others are also among the findings on the original.
    fn found(&self) -> impl Iterator<Item = Diagnostic> {
        let Self { check, pages } = self;
        let all = everything(check.project, check.evidence, Report::default(), pages, &[]);
        all.into_iter().filter(|it| self.owns(&it.file))
    }

    /// Lowers what isn't certain. A region that `known` contains isn't reported again.
    fn opened(&self, found: Report, known: &Report) -> Report {
        let region = |it: &Diagnostic| it.problem.data.get(REGION).cloned();
        let known: Vec<_> = known.iter().filter_map(region).collect();
        let opened = self.check.opened(found).into_iter();
        opened.filter(|it| region(it).is_none_or(|region| !known.contains(&region))).collect()
    }
}

/// The rules, and the data in which they look things up.
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

    /// Returns everything on which the findings of every page depend in addition to the page's unit and its imports:
    /// information from outside the pages, and the folders of all families' platforms.
    pub fn outside(&self) -> &str {
        &self.outside
    }

    /// Returns a lookup in the pages of `work`, and in the pages that rendering generates.
    pub fn lookup<'w>(&'w self, work: &'w Work, generated: &'w dyn GeneratedPages) -> Lookup<'w> {
        Lookup::new(work, &self.shared, generated)
    }

    /// Combines the findings of earlier stages, of pages, of the complete site, and of its translations.
    pub fn join(
        &self,
        found: Report,
        pages: &[&Checked],
        parsed: &Pages,
        translations: &[CheckedTranslation<'_>],
    ) -> Report {
        let mut exceptions = Exceptions::new(&self.project.site.config);
        for (document, checked) in self.project.site.documents.iter().zip(pages) {
            exceptions.add(&document.path, &checked.suppressions);
        }
        let translated = translations::suppressions(&self.project.sources);
        for (path, suppressions) in &translated {
            exceptions.add(path, suppressions);
        }
        let mut found = found;
        found.extend(translations.iter().flat_map(CheckedTranslation::found));
        let of_translations = translations.iter().flat_map(|it| &it.pages);
        let files: Vec<String> = of_translations.flat_map(|checked| checked.files.iter().cloned()).collect();
        let all = everything(self.project, self.evidence, found, pages, &files);
        let all = exceptions.apply(all, |code| self.evidence.drift.is_some() || !code.rule().is_drift);
        let found = parts::untranslated(&self.project.sources, self.all_opened(all, translations));
        let found = parts::right_in_their_files(&self.project.sources, found);
        let found = parts::misspelled(&self.project.sources, found);
        let found = habits::fold(self.project, found);
        let found = sections::named(self.project, parsed, found);
        linked::once(&self.project.sources, parts::at_their_files(found).sorted())
    }

    /// Combines the findings of earlier stages, of rules on some pages, and those that block the build. Rules that
    /// need all pages are skipped, so unused exceptions aren't reported.
    pub fn join_some(&self, found: Report, pages: &[Option<&Checked>], parsed: &Pages) -> Report {
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
        let all = words::without_other_findings(found.chain(on_pages(some())).collect()).sorted();
        let found = self.opened(exceptions.apply(all, |_| false));
        let found = habits::fold(self.project, parts::untranslated(&self.project.sources, found));
        let found = parts::at_their_files(sections::named(self.project, parsed, found));
        linked::once(&self.project.sources, found.sorted())
    }

    /// Lowers what isn't certain by the addresses of the original, and on pages of a translation also by its own.
    fn all_opened(&self, found: Report, translations: &[CheckedTranslation<'_>]) -> Report {
        let mut opened = self.opened(found);
        for translation in translations {
            let (own, others): (Report, Report) =
                opened.into_iter().partition(|it| translation.owns(&it.file));
            let own = translation.opened(own, &others);
            opened = others;
            opened.extend(own);
        }
        opened.sorted()
    }

    /// Lowers what isn't certain: errors that a program may explain, and links to addresses that it may publish.
    fn opened(&self, found: Report) -> Report {
        regions::open(self.project, self.evidence, doubts::lower(self.project, found))
    }
}

/// Returns the distinct findings of earlier stages, of pages, and of the complete site.
fn everything(
    project: &Project,
    evidence: &Evidence,
    found: Report,
    pages: &[&Checked],
    also_used: &[String],
) -> Report {
    let documents = project.site.documents.iter().map(|document| &**document);
    let on_pages = on_pages(documents.zip(pages.iter().copied()));
    let used = pages.iter().flat_map(|checked| &checked.files).chain(also_used).map(String::as_str).collect();
    let whole = tree::passed_over(&project.sources)
        .into_iter()
        .chain(tree::confusable_names(&project.sources))
        .chain(files::missing_anchors(project, pages))
        .chain(sources::missing(project, pages))
        .chain(reach::unreachable(project, pages))
        .chain(reach::unlisted(project, pages))
        .chain(reach::unpublished(project))
        .chain(everywhere::missing(project, evidence))
        .chain(redirects::missing(project, evidence))
        .chain(redirects::misspelled(project))
        .chain(redirects::unusable(project))
        .chain(redirects::to_other_platform(project))
        .chain(named::missing(project, evidence))
        .chain(named::misspelled(project))
        .chain(named::repeated(project))
        .chain(named::missing_in_front(project))
        .chain(keys::misspelled(project))
        .chain(grammar::missing_imports(project))
        .chain(grammar::repeated_labels(project))
        .chain(grammar::unusual_elements(project))
        .chain(words::misspelled_in_site(project))
        .chain(constants::misspelled(project))
        .chain(leftovers::names_of_others(project))
        .chain(stale::versions(project))
        .chain(evidence.sites.unusable())
        .chain(images::broken(project))
        .chain(images::orphans(project, &used))
        .chain(images::duplicates(project, evidence))
        .chain(images::avif_unavailable(
            project.site.config.images,
            project.sources.config.as_ref(),
            HAS_AVIF,
        ))
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
    let all = found.into_iter().chain(on_pages).chain(whole).chain(drift).collect();
    words::without_other_findings(all).sorted()
}

/// Returns the findings on pages. Those in a file that several pages include are returned once.
fn on_pages<'c>(
    pages: impl Iterator<Item = (&'c Document, &'c Checked)>,
) -> impl Iterator<Item = Diagnostic> {
    let mut of_parts = HashSet::new();
    let found = pages.flat_map(|(document, checked)| {
        checked.problems.iter().map(|problem| Diagnostic::new(problem.clone(), &document.path))
    });
    found.filter(move |it| parts::cause(&it.problem).is_none_or(|cause| of_parts.insert(cause)))
}

/// Removes accepted findings from a drift report, and reports unused exceptions.
pub fn accept(work: &Work, found: Report) -> Report {
    let mut exceptions = Exceptions::new(&work.project.site.config);
    let documents: Vec<DocumentId> = work.project.site.documents.indices().collect();
    let suppressions: Vec<_> = documents.chunks(BATCH).flat_map(|some| suppressions(work, some)).collect();
    for (id, suppressions) in &suppressions {
        exceptions.add(&work.project.site.document(*id).path, suppressions);
    }
    let translated = translations::suppressions(&work.project.sources);
    for (path, suppressions) in &translated {
        exceptions.add(path, suppressions);
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

/// A page as the rules see it.
struct Subject<'a> {
    id: DocumentId,
    document: &'a Document,
    /// The complete file: see [`Document::unwrapped_text`].
    text: Cow<'a, str>,
    page: &'a Page,
    /// Looks up content outside the page and its family. Lookups are recorded because the findings depend on them.
    map: Reader<'a>,
    resolver: Resolver<'a>,
    links: Vec<Link<'a>>,
    /// The addresses of files that findings suggest. They count as used because a page that follows the suggestions
    /// shows them.
    proposed: RefCell<SortedSet<String>>,
}

/// A reference of a page, and its destination.
struct Link<'a> {
    reference: &'a Reference,
    destination: Destination<'a>,
    /// The artifact at its destination.
    artifact: Option<&'a Artifact>,
    /// The artifact after redirects.
    landing: Option<&'a Artifact>,
}

impl<'a> Subject<'a> {
    fn new(work: &'a Work, id: DocumentId, asked: &'a Lookups) -> Self {
        let mut subject = Self::without_links(work, id, asked);
        subject.links = subject.page.references.iter().map(|reference| subject.link(reference)).collect();
        subject
    }

    fn without_links(work: &'a Work, id: DocumentId, asked: &'a Lookups) -> Self {
        let (document, page) = (work.project.site.document(id), &work.pages[id]);
        let text = document.unwrapped_text();
        let map = work.project.map(Some(asked));
        let (resolver, proposed) = (work.project.resolver_of(map), RefCell::default());
        Self { id, document, text, page, map, resolver, links: Vec::new(), proposed }
    }

    /// Returns the same page with another text.
    fn with_text<'t>(&self, text: &'t str) -> Subject<'t>
    where
        'a: 't,
    {
        let Self { id, document, page, map, resolver, .. } = self;
        let (links, proposed) = (Vec::new(), RefCell::default());
        let text = Cow::Borrowed(text);
        Subject { id: *id, document, text, page, map: *map, resolver: *resolver, links, proposed }
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

    /// Returns the artifact at an address. Findings may depend on all of its content.
    fn looked_at(&self, address: &Address) -> Option<&'a Artifact> {
        let artifact = self.map.get(address)?;
        if !matches!(artifact, Artifact::Asset(_) | Artifact::Builtin(_)) {
            self.map.note(|| Import::Whole(address.clone()));
        }
        Some(artifact)
    }

    /// Whether the generator leaves this page out, because the folder has another one.
    fn is_left_out(&self) -> bool {
        let owner = || self.looked_at(&self.document.address).and_then(Artifact::document);
        self.resolver.repository.convention.leaves_out_readme && owner().is_some_and(|owner| owner != self.id)
    }

    /// Returns the page to which a target links.
    fn page_of(&self, target: &str) -> Option<DocumentId> {
        match self.resolver.resolve(self.document, target) {
            Destination::Here(here) => self.looked_at(here.address)?.document(),
            _ => None,
        }
    }

    /// Whether a target refers to a different address on each platform of the page.
    fn means_several(&self, reference: &Reference) -> bool {
        let is_absolute = reference.target.starts_with('/') || reference.target.contains("://");
        self.document.is_shared() && !is_absolute
    }

    /// Returns the help for a target that should be `meant`, which refers to `address`.
    fn help(&self, reference: &Reference, meant: &str, address: &Address) -> String {
        if self.means_several(reference) {
            format!("use a path to `{address}` that works on every platform")
        } else {
            format!("use `{meant}`")
        }
    }

    /// Returns the final target of another program's redirect.
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

    /// Records that a finding suggests an address.
    fn proposes(&self, address: &Address) {
        if !address.is_page() {
            self.proposed.borrow_mut().insert(address.as_str().to_string());
        }
    }

    fn links_of_kind(&self, kind: ReferenceKind) -> impl Iterator<Item = &Link<'a>> {
        self.links.iter().filter(move |link| link.reference.kind == kind)
    }
}

fn page(work: &Work, lookup: &Lookup<'_>, id: DocumentId, asked: &Lookups) -> Checked {
    // Problems are reported once, on the original.
    if work.project.site.document(id).foreign.is_some() {
        return Checked::default();
    }
    let subject = Subject::new(work, id, asked);
    // The only problem of a page that is left out is that another one has its address.
    if subject.is_left_out() {
        return Checked::default();
    }
    let problems = subject
        .page
        .problems
        .iter()
        .cloned()
        .chain(links::references(lookup, &subject))
        .chain(roles::references(lookup, &subject))
        .chain(roles::shortcodes(lookup, &subject))
        .chain(roles::parameters(lookup, &subject))
        .chain(liquid::blocks(&subject))
        .chain(links::external(lookup, &subject))
        .chain(links::redirect(work, lookup, &subject))
        .chain(links::own_hosts(&subject))
        .chain(links::previews(&subject))
        .chain(links::leaving_language(lookup, &subject))
        .chain(links::moved(lookup, &subject))
        .chain(platforms::unknown_platforms(work, &subject))
        .chain(platforms::leaving_links(work, &subject))
        .chain(variables::without_table(&subject))
        .chain(platforms::other_platform_images(work, &subject))
        .chain(platforms::other_platform_names(work, lookup, &subject))
        .chain(platforms::other_platform_titles(work, &subject))
        .chain(structure::missing_alts(&subject))
        .chain(images::other_images(lookup, &subject))
        .chain(navigation::hand_written(&subject))
        .chain(navigation::targets(work, lookup, &subject))
        .chain(navigation::labels(work, &subject))
        .chain(navigation::missing(work, &subject))
        .chain(switchers::hand_written(&subject))
        .chain(switchers::targets(work, lookup, &subject))
        .chain(switchers::missing(work, &subject))
        .chain(switchers::other_platform(work, &subject))
        .chain(numbering::duplicate_sections(&subject))
        .chain(numbering::foreign_section_numbers(&subject))
        .chain(numbering::skipped_numbers(&subject))
        .chain(numbering::skipped_steps(&subject))
        .chain(numbering::dangling_references(work, lookup, &subject))
        .chain(structure::split_lists(&subject))
        .chain(counted::lists(&subject))
        .chain(structure::aside_code_traps(&subject))
        .chain(structure::unknown_elements(&subject))
        .chain(structure::lost_cells(&subject))
        .chain(grammar::mistakes(lookup, &subject))
        .chain(lists::misread(&subject))
        .chain(structure::short_rows(&subject))
        .chain(structure::lone_short_rows(&subject))
        .chain(structure::duplicate_ids(lookup, &subject))
        .chain(structure::second_titles(work, &subject))
        .chain(structure::heading_jumps(work, &subject))
        .chain(structure::repeated_heading(&subject))
        .chain(structure::lone_underlines(&subject))
        .chain(versions::anchors(work, &subject))
        .chain(text::doubled_words(&subject))
        .chain(text::repeated_paragraphs(&subject))
        .chain(lookup.misspelled(id))
        .chain(text::placeholders(&subject))
        .chain(text::wrong_days(&subject))
        .chain(text::invisible_characters(&subject))
        .chain(highlighted_code(&subject))
        .chain(exceptions::old_names(&subject));
    let conflicts = &subject.page.conflicts;
    let is_of_conflict = |problem: &Problem| {
        let first = conflicts.partition_point(|conflict| conflict.end <= problem.span.start);
        // `=======` turns the paragraph above into a heading, which begins before the conflict.
        conflicts.get(first).is_some_and(|it| it.start < problem.span.end.max(problem.span.start + 1))
    };
    // The sides of a conflict repeat each other, and its lines look like markup.
    let problems = problems.filter(|problem| problem.code == Code::MergeConflict || !is_of_conflict(problem));
    let problems = problems.filter(|problem| {
        !structure::is_in_divided_code(&subject, problem) && !structure::is_closed_by_lines(&subject, problem)
    });
    let tags = OnceCell::new();
    let problems = problems.map(|problem| as_readers_notice(&subject, &tags, problem));
    // The parser leaves out HTML, which is a finding of its own.
    let has_html = !work.project.site.repository.lacks(OptionalMarkup::Html);
    let problems = problems.filter(|problem| has_html || problem.code != Code::UnclosedElement);
    let problems = problems.map(|problem| without_missing_targets(&subject, problem));
    let problems = problems.map(|problem| liquid::included(&subject, problem));
    let problems = problems.map(|problem| sparing(&subject.page.replaced, problem));
    let mut defined = HashSet::new();
    let problems = problems.filter_map(|problem| at_definition(&subject, problem, &mut defined));
    let parts = Includes::of(subject.document, subject.page);
    let problems = problems.filter_map(|problem| parts.located(problem));
    Checked {
        problems: problems.map(Arc::new).collect(),
        suppressions: subject.page.suppressions.clone(),
        files: images::used_by(&subject),
        into_files: files::links_into(&subject),
        into_sources: sources::links_to(&subject),
        links: reach::linked_by(&subject),
        contents: reach::listed_by(&subject),
    }
}

/// Moves a problem with the target of a reference link to the definition of its label. If other links have the same label, the
/// problem is returned once: `defined` contains those so far.
fn at_definition(
    subject: &Subject<'_>,
    mut problem: Problem,
    defined: &mut HashSet<(Code, Range<usize>)>,
) -> Option<Problem> {
    let definition = || {
        let target = problem.target.as_deref()?;
        let link = subject.text.get(problem.span.clone())?;
        let label = link.trim_start_matches('!').strip_prefix('[')?.strip_suffix(']')?;
        let label = label.strip_suffix("][").unwrap_or(label);
        let label = label_of(label.rsplit('[').next().unwrap_or_default());
        let definitions = &subject.page.definitions;
        definitions.iter().find(|it| it.label == label && it.target.trim() == target.trim())
    };
    let Some(definition) = definition() else { return Some(problem) };
    problem.span = definition.span.clone();
    // An image may also be a link to its file.
    let cause = if problem.code == Code::MissingImage { Code::MissingFile } else { problem.code };
    defined.insert((cause, problem.span.clone())).then_some(problem)
}

/// Maximum length of a `<head>` in which a redirect is looked for, in bytes.
const LONGEST_HEAD: usize = 1000;

/// Lowers the severity of a problem that readers of the generator's pages may not notice.
fn as_readers_notice<'t>(
    subject: &'t Subject<'_>,
    tags: &OnceCell<TagPlaces<'t>>,
    problem: Problem,
) -> Problem {
    let (is_ours, convention) =
        (subject.resolver.repository.is_ours(), subject.resolver.repository.convention);
    // Other generators publish every element, and browsers show most of them.
    let written = || subject.text.get(problem.span.clone()).unwrap_or_default();
    let moved = || {
        let after = near_start(subject.text.get(problem.span.end..).unwrap_or_default(), LONGEST_HEAD);
        after.split("</head").next().is_some_and(|head| head.contains("http-equiv"))
    };
    match problem.code {
        // A page that moved: `<meta http-equiv="refresh" …>`, also in `<head>`.
        Code::DisallowedElement
            if !is_ours && (written().starts_with("<meta") || written().starts_with("<head") && moved()) =>
        {
            problem
                .as_advice()
                .help("Stepkin leaves it out; browsers obey it on the site of its own build".to_string())
        }
        Code::DisallowedElement if !is_ours => problem.as_warning(),
        // No configuration says that a generator reads blocks, or where it publishes a page.
        Code::UnbalancedBlock if !convention.has_generator() => problem.as_warning(),
        // In MyST, it begins a division that readers don't see.
        Code::UnbalancedBlock
            if convention.has(Syntax::Myst)
                && subject.text.get(problem.span.clone()).is_some_and(is_bare) =>
        {
            problem.as_warning()
        }
        Code::MalformedLink if !convention.has_generator() && problem.data.contains_key(missing::ROOT) => {
            problem.as_warning()
        }
        Code::BrokenFormula
            if !is_ours && problem.data.get("cause").is_some_and(|cause| cause == RENDERER_LIMIT) =>
        {
            problem.as_advice().help("the site's own renderer may know it".to_string())
        }
        Code::UnclosedElement
            if !convention.has_generator()
                && subject.text.get(problem.span.clone()).is_some_and(is_text_on_github) =>
        {
            problem.as_warning()
        }
        Code::UnclosedElement | Code::UnclosedFence
            if !is_ours && is_harmless(&subject.text, tags, &problem) =>
        {
            problem.as_warning()
        }
        _ => problem,
    }
}

/// Whether GitHub shows a tag as text: <https://github.github.com/gfm/#disallowed-raw-html-extension->.
fn is_text_on_github(tag: &str) -> bool {
    const NAMES: [&str; 9] =
        ["iframe", "noembed", "noframes", "plaintext", "script", "style", "textarea", "title", "xmp"];
    let name = tag.trim_start_matches('<').split([' ', '>', '/', '\n']).next().unwrap_or_default();
    NAMES.iter().any(|it| it.eq_ignore_ascii_case(name))
}

/// Whether a line consists of colons.
fn is_bare(line: &str) -> bool {
    line.trim().bytes().all(|byte| byte == b':')
}

/// Whether a line in code looks like one of a page: a heading, a link, or a sentence.
fn is_prose(line: &str) -> bool {
    let line = line.trim_end();
    let is_sentence = line.starts_with(char::is_uppercase)
        && line.ends_with(['.', ':', '!', '?'])
        && line.split_whitespace().nth(4).is_some();
    line.starts_with("## ") || line.starts_with("### ") || line.contains("](") || is_sentence
}

/// Whether the text after `before` in its line is indented as far as code, but not as the content of a list item.
fn is_indented_outside_list(before: &str) -> bool {
    let mut lines = before.rsplit('\n');
    let indent = lines.next().map_or(0, indentation);
    let around = lines.find(|line| !line.trim().is_empty() && indentation(line) < indent).unwrap_or_default();
    let is_item =
        around.trim_start().starts_with(|c: char| matches!(c, '-' | '*' | '+') || c.is_ascii_digit());
    indent >= 4 && !is_item
}

/// Returns the number of bytes of space at the start of a line.
fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Number of words that look the same in small print.
const FEW_WORDS: usize = 2;

/// Whether an element or code block without an end looks the same as one with its end: browsers repair most elements that
/// end in another block or with their parent, an anchor shows nothing, and only code follows the last code block of the file.
fn is_harmless<'t>(text: &'t str, tags: &OnceCell<TagPlaces<'t>>, problem: &Problem) -> bool {
    let rest = text.get(problem.span.start..).unwrap_or_default();
    if problem.code == Code::UnclosedFence {
        let before = &text[..problem.span.start];
        let prefix = before.rsplit('\n').next().unwrap_or_default();
        let (indent, is_quote) = (indentation(prefix), prefix.contains('>'));
        let is_within = |line: &&str| {
            if is_quote {
                line.trim_start().starts_with('>')
            } else {
                line.trim().is_empty() || indentation(line) >= indent
            }
        };
        let code = rest.lines().skip(1).take_while(is_within).map(|line| line.trim_start_matches(['>', ' ']));
        return is_indented_outside_list(before) || !code.into_iter().any(is_prose);
    }
    let (tag, after) = rest.split_once('>').unwrap_or_default();
    // The end tag of its parent ends an element that contains only text.
    let name = tag.trim_start_matches('<').split(' ').next().unwrap_or_default();
    let is_ended = || after.find('<').is_some_and(|end| after[end..].starts_with("</"));
    // Emphasis also ends it.
    let line = text[..problem.span.start].rsplit('\n').next().unwrap_or_default();
    let text_after = after.lines().next().unwrap_or_default();
    let is_emphasized = line.matches("**").count() % 2 == 1 && text_after.contains("**");
    // Little is in it.
    let ends_line = text_after.split_whitespace().nth(FEW_WORDS).is_none()
        && after.lines().nth(1).is_none_or(|next| !next.starts_with(char::is_alphanumeric));
    let is_inline = matches!(name, "sup" | "sub" | "span" | "kbd" | "mark");
    // The end of a cell also ends it.
    let is_format =
        matches!(name, "b" | "code" | "del" | "em" | "i" | "ins" | "s" | "small" | "strong" | "u");
    // In HTML, too, a cell ends all elements in it that format text.
    let is_last_of_cell = (is_inline || is_format || name == "a")
        && ["</td>", "</th>"].iter().any(|end| {
            after.find(end).is_some_and(|end| !after[..end].contains('<') || after[..end].ends_with("</>"))
        });
    let is_in_row = line.trim_start().starts_with('|') && text_after.contains('|');
    let shows_nothing = tag.starts_with("<a ") && !tag.contains("href")
        || tag.starts_with("<span id=") && !tag.contains("class") && !tag.contains("style");
    let is_block = matches!(name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "div");
    shows_nothing
        || is_last_of_cell
        || is_in_row && (is_inline || is_format)
        || is_inline && (is_emphasized || ends_line)
        || is_block && is_ended()
        || tags.get_or_init(|| TagPlaces::of(text)).ends(text, problem.span.clone()) == Some(true)
}

/// Removes the edits of a problem and its help if they would write a link to a missing file.
fn without_missing_targets(subject: &Subject<'_>, mut problem: Problem) -> Problem {
    let is_missing = |edit: &Edit| {
        edit.text.contains("%20")
            && matches!(subject.resolver.resolve(subject.document, &edit.text), Destination::Missing { .. })
    };
    if problem.code == Code::LinkAsText && problem.edits.iter().any(is_missing) {
        problem.edits.clear();
        problem.help = Some("write `%20` for a space; no file has this path".to_string());
    }
    problem
}

/// Removes the edits of a problem if one of them would overwrite a variable, or text next to one in the same URL.
/// Edits that remove text may remove variables.
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

/// Returns findings about code that can't be highlighted, unless highlighting is off.
fn highlighted_code(subject: &Subject<'_>) -> Vec<Problem> {
    if !subject.resolver.config.highlight.enabled {
        return Vec::new();
    }
    unknown_languages(subject).into_iter().chain(oversized_code(subject)).collect()
}

/// Whether a name differs from that of a language by one letter inside. Short names, and those with another first letter, such as
/// `build` and `ebuild`, are rather other languages.
fn is_slip(language: &str, written: &str) -> bool {
    /// Minimum length if a letter differs or is doubled, and if one is missing or additional: `good` isn't `gomod`.
    const SHORTEST: usize = 4;
    const SHORTEST_WITHOUT_ONE: usize = 5;
    let written = written.to_lowercase();
    // `.toml`, `/bash`.
    if written != language && written.trim_start_matches(|c: char| c.is_ascii_punctuation()) == language {
        return true;
    }
    let is_alike = language.as_bytes().first() == written.as_bytes().first()
        && strsim::damerau_levenshtein(language, &written) == 1;
    // `shel` for `shell`.
    let single = |name: &str| {
        let mut bytes = name.as_bytes().to_vec();
        bytes.dedup();
        bytes
    };
    let is_certain = language.len() == written.len() || single(language) == single(&written);
    let least = if is_certain { SHORTEST } else { SHORTEST_WITHOUT_ONE };
    language.len().min(written.len()) >= least && is_alike
}

/// Whether a name in a page is part of attributes: `{.name}`.
fn is_in_braces(text: &str, span: &Range<usize>) -> bool {
    text.get(..span.start).is_some_and(|before| before.trim_end_matches('.').ends_with('{'))
}

/// Reports code blocks in an unknown language, which aren't highlighted.
fn unknown_languages(subject: &Subject<'_>) -> Vec<Problem> {
    // Another generator may support additional languages, as may GitHub.
    let is_ours = subject.resolver.repository.is_ours();
    let unknown =
        subject.page.code.iter().filter_map(|block| match stepkin_highlight::language(&block.language) {
            Language::Unknown if subject.resolver.config.diagrams.contains_key(&block.language) => None,
            // Attributes contain classes: `{.good}`.
            Language::Unknown if !is_ours && is_in_braces(&subject.text, &block.span) => None,
            Language::Unknown => {
                let near = nearest_language(&block.language);
                if !is_ours && near.is_none_or(|near| !is_slip(near, &block.language)) {
                    return None;
                }
                let help =
                    near.map(|near| format!("did you mean `{near}`? Use `text` to turn highlighting off"));
                let help = help.unwrap_or_else(|| "use `text` to turn highlighting off".into());
                let help = match &*block.language {
                    name @ ("d2" | "dot" | "graphviz" | "mermaid" | "plantuml") => {
                        format!(
                            "to draw diagrams, configure `[diagrams.{name}]`; use `text` to show their source"
                        )
                    }
                    _ => help,
                };
                let message = format!("no syntax highlighting for `{}`", block.language);
                let problem = Problem::new(Code::UnknownLanguage, block.span.clone(), message).help(help);
                // A name that differs by one letter is a typing mistake. Any other may be another language.
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

/// Reports code that would take too long to highlight.
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

/// Whether a report contains findings at or above a severity.
pub fn fails(report: &Report, bar: Severity) -> bool {
    report.iter().any(|diagnostic| diagnostic.severity >= bar)
}
