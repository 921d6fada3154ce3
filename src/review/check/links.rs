//! Links, images and other files that a page names.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::sync::{Mutex, OnceLock};

use rayon::prelude::*;

use super::missing::Missing;
use super::near::Near;
use super::numbering::Numbers;
use super::platforms::{self, Context, Naming, PlatformNames};
use super::unread::Unread;
use super::written::{end_of, written};
use super::{Checked, Evidence, Link, Subject, sites, slips};
use crate::base::address::{Address, encode};
use crate::base::diagnostic::{Code, Problem, nearest};
use crate::base::index::IndexVec;
use crate::base::site_path::{self, CONFIG, SitePath};
use crate::base::store::lock;
use crate::base::url::unsafe_target;
use crate::input::conventions::AnchorRule;
use crate::markup::markdown::{Omission, PageAnchor, Reference, ReferenceForm, ReferenceKind, repair};
use crate::site::content::{
    Document, DocumentId, Family, FamilyId, Place, PlatformIx, PlatformOf, bare_title,
};
use crate::site::pages::BATCH;
use crate::site::plan::{Artifact, Asked, Destination, End, Here, Import, anchor, take_apart};
use crate::site::project::Project;
use crate::site::work::Work;

/// What rules look things up in, whichever pages they see.
#[derive(Debug)]
pub(super) struct SharedLookup<'a> {
    pub(super) evidence: &'a Evidence,
    /// The present addresses of pages that were renamed, by the former ones.
    former: BTreeMap<Address, Address>,
    /// Files that pages include: what they link to on their own page may be on any of those.
    included: BTreeSet<SitePath>,
    /// The nearest address for each one that is missing; many links often miss the same.
    suggestions: Mutex<HashMap<Wanted, Option<(usize, String)>>>,
    /// What may be proposed, collected when first asked for.
    near: OnceLock<Near>,
    unread: Unread,
    /// Pages by their title, collected when first asked for.
    titles: OnceLock<HashMap<String, Vec<DocumentId>>>,
}

/// A target with nothing at it: its path, the code of its finding, and the platform of the page that names it.
type Wanted = (String, Code, Option<PlatformOf>);

/// The pages that rendering makes from families and folders. Rendering comes after the check, so it is asked through this trait.
pub trait GeneratedPages: std::fmt::Debug + Sync {
    /// The anchors that a generated page has besides those of its own text; `None` for any other artifact.
    fn anchors(&self, artifact: &Artifact) -> Option<Vec<String>>;
}

/// What rules look things up in when they see some pages of a site.
#[derive(Debug)]
pub struct Lookup<'a> {
    pub(super) work: &'a Work,
    pub(super) shared: &'a SharedLookup<'a>,
    generated: &'a dyn GeneratedPages,
    /// Made when first asked for.
    pages: IndexVec<DocumentId, PageLookup<'a>>,
    /// The numbers of a platform's steps and sections, collected when first asked for.
    numbers: IndexVec<FamilyId, IndexVec<PlatformIx, OnceLock<Numbers<'a>>>>,
    /// The names of a family's platforms.
    names: IndexVec<FamilyId, OnceLock<PlatformNames<'a>>>,
}

/// What rules look up in one page.
#[derive(Debug, Default)]
struct PageLookup<'a> {
    anchors: OnceLock<Vec<&'a PageAnchor>>,
    made: OnceLock<Made>,
    naming: OnceLock<Vec<Naming<'a>>>,
    contexts: OnceLock<HashSet<Context>>,
}

/// Ids that the generator gives to something on a page, and the letters of its headings where they may be ids by any rule.
#[derive(Debug, Default)]
struct Made {
    ids: HashSet<String>,
    letters: HashSet<String>,
}

impl<'a> SharedLookup<'a> {
    pub(super) fn new(project: &Project, evidence: &'a Evidence) -> Self {
        Self {
            evidence,
            former: former_addresses(project, evidence),
            included: included(project),
            suggestions: Mutex::default(),
            near: OnceLock::new(),
            unread: Unread::of(&project.sources, &project.site),
            titles: OnceLock::new(),
        }
    }

    /// What is known about the world outside of the pages, as far as findings of a page depend on it, and where the
    /// platforms are.
    pub(super) fn outside(&self, project: &Project) -> String {
        #[cfg(feature = "external")]
        let external = &self.evidence.external;
        #[cfg(not(feature = "external"))]
        let external = ();
        let platforms = project.site.families.iter().flat_map(|family| &family.platforms);
        let platforms: Vec<_> = platforms.map(|platform| (&platform.id, &platform.root)).collect();
        let unread = self.unread.seen();
        let versions = project.site.versions.iter().filter_map(|site| site.documents.iter().next());
        let versions: Vec<_> = versions.map(|document| &document.dialect.platforms).collect();
        let (routes, sites) = (&self.evidence.routes, self.evidence.sites.key());
        format!(
            "{routes:?} {sites} {external:?} {:?} {unread} {platforms:?} {versions:?} {:?}",
            self.former, self.included
        )
    }
}

/// The letters and digits of a text in lower case: all that the rules which make ids of headings agree about.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The pages that other pages include.
fn included(project: &Project) -> BTreeSet<SitePath> {
    let documents = &project.site.documents;
    let parts = documents.iter().flat_map(|document| document.dialect.parts.values());
    parts.map(|part| part.path.clone()).collect()
}

impl<'a> Lookup<'a> {
    pub(super) fn new(
        work: &'a Work,
        shared: &'a SharedLookup<'a>,
        generated: &'a dyn GeneratedPages,
    ) -> Self {
        let numbers = |family: &Family| family.platforms.iter().map(|_| OnceLock::new()).collect();
        Self {
            work,
            shared,
            generated,
            pages: work.project.site.documents.iter().map(|_| PageLookup::default()).collect(),
            numbers: work.project.site.families.iter().map(numbers).collect(),
            names: work.project.site.families.iter().map(|_| OnceLock::new()).collect(),
        }
    }

    /// The findings of a page. What they depend on beside the page's unit is noted in `asked`.
    pub fn page(&self, id: DocumentId, asked: &Asked) -> Checked {
        super::page(self.work, self, id, asked)
    }

    /// The anchors of a page, sorted by id; of several with one id the first on the page comes first.
    pub(super) fn anchors(&self, id: DocumentId) -> &[&'a PageAnchor] {
        self.pages[id].anchors.get_or_init(|| {
            let mut anchors: Vec<_> = self.work.pages[id].anchors.iter().collect();
            anchors.sort_by_key(|anchor| &anchor.id);
            anchors
        })
    }

    /// The first anchor of a page with an id.
    pub(super) fn anchor(&self, page: DocumentId, id: &str) -> Option<&'a PageAnchor> {
        let anchors = self.anchors(page);
        let first = anchors.partition_point(|anchor| anchor.id.as_str() < id);
        anchors.get(first).copied().filter(|anchor| anchor.id == id)
    }

    /// Whether the generator gives an id to something on a page that has it not by the rule of the page's anchors.
    fn is_made(&self, page: DocumentId, id: &str) -> bool {
        let made = self.pages[page].made.get_or_init(|| {
            let page = &self.work.pages[page];
            let rule = self.work.project.sources.repository.anchors;
            let by_rules = rule.rules().iter().skip(1).flat_map(|rule| page.heading_ids(*rule));
            let ids = by_rules.chain(page.other_anchors.iter().map(|anchor| anchor.id.clone()));
            let headings = page.headings.iter().filter(|_| rule == AnchorRule::Any);
            Made { ids: ids.collect(), letters: headings.map(|heading| letters(&heading.text)).collect() }
        });
        made.ids.contains(id) || made.letters.contains(&letters(id))
    }

    /// The anchors of what is at an address, written and made; `None` where they are not known.
    fn anchors_at(&self, artifact: &Artifact) -> Option<Vec<String>> {
        let made = self.generated.anchors(artifact);
        let document = artifact.document();
        if made.is_none() && document.is_none() {
            return None;
        }
        let written = document.map(|id| &self.work.pages[id].anchors).into_iter().flatten();
        Some(written.map(|anchor| anchor.id.clone()).chain(made.into_iter().flatten()).collect())
    }

    /// The present address of a page that had this one.
    /// What is left out of a page, where that may hold anything.
    pub(super) fn left_out(&self, id: DocumentId) -> Option<&'a str> {
        let may_hold_anchors = |it: &&Omission| !matches!(&*it.kind, "jsx-expression" | "template-output");
        self.work.pages[id].left_out.iter().find(may_hold_anchors).map(|it| it.name.as_str())
    }

    pub(super) fn former(&self, address: &Address) -> Option<&'a Address> {
        self.shared.former.get(address)
    }

    /// The pages with a title, in any case and without its number.
    pub(super) fn titled(&self, subject: &Subject<'_>, title: &str) -> &[DocumentId] {
        subject.map.note(|| Import::Titles);
        let titles = self.shared.titles.get_or_init(|| {
            let mut titles: HashMap<String, Vec<DocumentId>> = HashMap::new();
            for (id, document) in self.work.project.site.documents.indexed() {
                titles.entry(title_key(&repair(&document.title))).or_default().push(id);
            }
            titles
        });
        titles.get(&title_key(title)).map_or(&[], Vec::as_slice)
    }

    /// The numbers of the platform's steps and sections.
    pub(super) fn numbers(&self, place: Place) -> &Numbers<'a> {
        let numbers = || Numbers::of(self.work, self.work.project.site.platform_of(place));
        self.numbers[place.family][place.platform].get_or_init(numbers)
    }

    /// The sentences of a step's page that name a platform of its family, sorted.
    pub(super) fn naming(&self, id: DocumentId, family: FamilyId) -> &[Naming<'a>] {
        let names =
            self.names[family].get_or_init(|| PlatformNames::of(&self.work.project.site.families[family]));
        self.pages[id].naming.get_or_init(|| names.in_sentences(&self.work.pages[id].prose))
    }

    /// What is around its own platform's name on a step's page.
    pub(super) fn contexts(
        &self,
        id: DocumentId,
        family: FamilyId,
        platform: PlatformIx,
    ) -> &HashSet<Context> {
        let contexts = || platforms::contexts(self.naming(id, family), platform);
        self.pages[id].contexts.get_or_init(contexts)
    }

    /// The address nearest to a path with nothing at it, with its distance.
    pub(super) fn nearest(&self, path: &str, code: Code, subject: &Subject<'_>) -> Option<(usize, String)> {
        subject.map.note(|| Import::Addresses);
        let near = self.shared.near.get_or_init(|| Near::new(self.work));
        let key = (path.to_string(), code, near.platform_of(subject.document.address.as_str()));
        if let Some(known) = lock(&self.shared.suggestions).get(&key) {
            return known.clone();
        }
        let found = near.nearest(path, code, key.2);
        let found = found.map(|(distance, address)| (distance, address.to_string()));
        lock(&self.shared.suggestions).insert(key, found.clone());
        found
    }

    /// Whether a draft would be at a decoded path.
    pub(super) fn is_draft(&self, path: &str) -> bool {
        self.shared.unread.draft(path).is_some()
    }

    /// The cure for a page whose file is there and is not read.
    pub(super) fn unread(&self, path: &str) -> Option<String> {
        self.shared.unread.help(path)
    }
}

/// Everything a page names that is not there.
pub(super) fn references(lookup: &Lookup<'_>, subject: &Subject<'_>) -> Vec<Problem> {
    subject.links.iter().filter_map(|link| problem(lookup, subject, link)).collect()
}

/// What is wrong with one link.
pub(super) fn problem(lookup: &Lookup<'_>, subject: &Subject<'_>, link: &Link<'_>) -> Option<Problem> {
    if link.reference.is_unsafe() {
        return Some(unsafe_target(link.reference.span.clone(), &link.reference.target));
    }
    match &link.destination {
        _ if link.reference.form == ReferenceForm::Foreign => None,
        Destination::External => sites::problem(lookup, subject, link.reference)
            .or_else(|| slips::of_external(subject, link.reference)),
        Destination::Empty => Some(empty_target(link.reference)),
        Destination::Here(here) => wrong_anchor(lookup, subject.id, link, here),
        Destination::Missing { path, other, .. }
            if [Some(path), other.as_ref()]
                .into_iter()
                .flatten()
                .any(|it| lookup.shared.evidence.routes.contains(it)) =>
        {
            None
        }
        Destination::Missing { path, other, .. } => {
            let (reference, other) = (link.reference, other.as_deref());
            Some(Missing { lookup, subject, reference, path, other }.problem())
        }
    }
}

fn empty_target(reference: &Reference) -> Problem {
    let what = match reference.kind {
        ReferenceKind::Link => "the link leads nowhere",
        ReferenceKind::Image => "the image names no file",
        ReferenceKind::File => "the attribute names no file",
    };
    let help = "write the address, or take the markup away".to_string();
    Problem::new(Code::EmptyTarget, reference.span.clone(), what).help(help).target("")
}

/// `guide.md#`
fn names_no_anchor(reference: &Reference) -> Problem {
    let target = reference.target.trim();
    let message = format!("no anchor follows the `#` of `{target}`");
    let help = format!("write the id of a heading after it, or `{}`", target.trim_end_matches('#'));
    Problem::new(Code::EmptyTarget, reference.span.clone(), message).help(help).target(target).as_advice()
}

fn wrong_anchor(lookup: &Lookup<'_>, from: DocumentId, link: &Link<'_>, here: &Here<'_>) -> Option<Problem> {
    let (reference, artifact) = (link.reference, link.artifact?);
    if reference.kind == ReferenceKind::Image && here.address.is_page() && artifact.document().is_some() {
        let message = format!("`{}` is a page, not an image", reference.target);
        return Some(
            Problem::new(Code::MissingImage, reference.span.clone(), message).target(&reference.target),
        );
    }
    if here.fragment?.is_empty() && !reference.target.starts_with('#') {
        return Some(names_no_anchor(reference));
    }
    // A router in the browser reads such a fragment as a path: `#/guide/install`.
    let wanted = anchor(here.fragment?).filter(|it| !it.starts_with(['/', '!']))?;
    let document = artifact.document();
    let raw = here.fragment.unwrap_or_default();
    let is_written = |id: DocumentId| lookup.anchor(id, &wanted).or_else(|| lookup.anchor(id, raw)).is_some();
    if document.is_some_and(is_written) {
        return None;
    }
    let known = lookup.anchors_at(artifact)?;
    let is_made = |id: DocumentId| lookup.is_made(id, &wanted);
    let is_snippet = document == Some(from)
        && lookup.shared.included.contains(&lookup.work.project.site.document(from).path);
    let layouts = &lookup.work.project.sources.repository.layouts;
    if is_snippet || known.contains(&wanted) || layouts.contains(&wanted) || document.is_some_and(is_made) {
        return None;
    }
    let place = if document == Some(from) { "this page".to_string() } else { format!("`{}`", here.address) };
    let problem = missing_anchor(reference, &place, &wanted, known.iter().map(String::as_str));
    if matches!(artifact, Artifact::Folder(_)) {
        let by_name = lookup.unread(here.address.as_str());
        let help = || format!("take `#{raw}` away: the page lists what is in the folder");
        return Some(problem.help(by_name.unwrap_or_else(help)));
    }
    Some(match document.and_then(|id| lookup.left_out(id)) {
        Some(left_out) => {
            problem.help(format!("it may be in what is left out of that page: `{left_out}`")).as_advice()
        }
        None => problem,
    })
}

pub(super) fn missing_anchor<'a>(
    reference: &Reference,
    place: &str,
    wanted: &str,
    known: impl Iterator<Item = &'a str>,
) -> Problem {
    let message = format!("{place} has no anchor `{wanted}`");
    let help = nearest(wanted, known).map(|near| format!("did you mean `#{near}`?"));
    Problem::new(Code::MissingAnchor, reference.span.clone(), message).help(help).target(&reference.target)
}

/// With the edit that writes another target, where the target is in the file just as it is meant.
pub(super) fn exactly(
    problem: Problem,
    subject: &Subject<'_>,
    reference: &Reference,
    target: String,
) -> Problem {
    let is_in_place = subject.text.get(reference.span.clone()) == Some(reference.target.as_str());
    let is_target = reference.form == ReferenceForm::Target;
    match is_in_place && is_target && !subject.means_several(reference) {
        true => problem.edit(reference.span.clone(), target),
        false => problem,
    }
}

/// A link to another site.
#[derive(Clone, Debug, PartialEq)]
pub struct ExternalLink {
    pub file: SitePath,
    pub span: Range<usize>,
    /// As written, without its fragment.
    pub url: String,
}

/// Every link to another site over http or https, by file and place.
pub fn external_links(work: &Work) -> Vec<ExternalLink> {
    let resolver = work.project.resolver();
    let of_some = |some: &[DocumentId]| -> Vec<ExternalLink> {
        let pages = work.pages.fresh();
        let of_page = |id: DocumentId| {
            let document = work.project.site.document(id);
            let links = pages[id].references.iter().filter_map(|reference| {
                let url = external_url(&resolver.resolve(document, &reference.target), &reference.target)?;
                Some(ExternalLink { file: document.path.clone(), span: reference.span.clone(), url })
            });
            links.collect::<Vec<_>>()
        };
        some.par_iter().copied().flat_map_iter(of_page).collect()
    };
    let documents: Vec<DocumentId> = work.project.site.documents.indices().collect();
    let on_every_page =
        work.project.site.config.links().filter(|link| link.path().is_none()).filter_map(|link| {
            let (file, url) = (CONFIG.into(), external_url(&Destination::External, link.url.get_ref())?);
            Some(ExternalLink { file, span: link.url.span(), url })
        });
    let mut links: Vec<ExternalLink> =
        documents.chunks(BATCH).flat_map(of_some).chain(on_every_page).collect();
    links.sort_by(|a, b| (&a.file, a.span.start, &a.url).cmp(&(&b.file, b.span.start, &b.url)));
    // A shared page has its links once, for all of its platforms.
    links.dedup();
    links
}

fn external_url(destination: &Destination<'_>, target: &str) -> Option<String> {
    let target = target.trim();
    let lower = target.to_ascii_lowercase();
    let is_web = lower.starts_with("http://") || lower.starts_with("https://");
    let url = target.split('#').next().unwrap_or_default().to_string();
    (*destination == Destination::External && is_web).then_some(url)
}

/// Links to other sites that are dead, or of which nothing is known; none unless they were asked for.
#[cfg(feature = "external")]
pub(super) fn external(lookup: &Lookup<'_>, subject: &Subject<'_>) -> Vec<Problem> {
    let evidence = lookup.shared.evidence;
    if evidence.external.is_empty() {
        return Vec::new();
    }
    let links = subject.links.iter().filter_map(|Link { reference, destination, .. }| {
        unanswered(evidence, destination, &reference.target, &reference.span)
    });
    links.collect()
}

/// That a link to another site is dead, or that nothing is known of it.
#[cfg(feature = "external")]
pub(super) fn unanswered(
    evidence: &Evidence,
    destination: &Destination<'_>,
    target: &str,
    span: &Range<usize>,
) -> Option<Problem> {
    use crate::input::external::Verdict;
    let url = external_url(destination, target)?;
    let (code, message, help) = match evidence.external.get(&url)? {
        Verdict::Alive => return None,
        Verdict::Dead(reason) => (
            Code::DeadLink,
            format!("`{url}` is dead: {reason}"),
            "link to where it went, or take the link away",
        ),
        Verdict::Unknown(reason) => {
            (Code::UnverifiedLink, format!("nothing is known of `{url}`: {reason}"), "open it in a browser")
        }
    };
    Some(Problem::new(code, span.clone(), message).help(help.to_string()).target(target))
}

/// Without the feature no links are checked.
#[cfg(not(feature = "external"))]
pub(super) fn external(_: &Lookup<'_>, _: &Subject<'_>) -> Vec<Problem> {
    Vec::new()
}

/// The same for a link of every page.
#[cfg(not(feature = "external"))]
pub(super) fn unanswered(_: &Evidence, _: &Destination<'_>, _: &str, _: &Range<usize>) -> Option<Problem> {
    None
}

/// Links that write out the site's own host although the page is here.
pub(super) fn own_hosts(subject: &Subject<'_>) -> Vec<Problem> {
    let links = subject.links.iter().filter_map(|link| match &link.destination {
        Destination::Here(here) if here.from_own_host => Some((link.reference, here)),
        _ => None,
    });
    links
        .map(|(reference, here)| {
            let fragment = here.fragment.map_or(String::new(), |fragment| format!("#{fragment}"));
            let address = here.address.as_str();
            // Another generator may have addresses without the last slash.
            let is_bare =
                !subject.document.dialect.is_ours() && !take_apart(&reference.target).path.ends_with('/');
            let address =
                address.strip_suffix('/').filter(|bare| is_bare && !bare.is_empty()).unwrap_or(address);
            let resolver = &subject.resolver;
            let base =
                if resolver.repository.convention.adds_base { "" } else { resolver.config.base_path() };
            let meant = format!("{base}{}{}{fragment}", encode(address), here.query);
            let message = format!("`{}` is an address of this site", reference.target);
            let help = match reference.form == ReferenceForm::Bare {
                true => format!("write `[…]({meant})`, which holds wherever the site stands"),
                false => format!("write `{meant}`, which holds wherever the site stands"),
            };
            let problem = Problem::new(Code::OwnHostLink, reference.span.clone(), message).help(help);
            problem.target(&reference.target).data("address", meant.as_str())
        })
        .collect()
}

/// Links to a former address: they work for as long as the redirect is there. What such a link names after its `#`
/// has to be on the page that the redirect leads to.
pub(super) fn moved(lookup: &Lookup<'_>, subject: &Subject<'_>) -> Vec<Problem> {
    let links = subject.links.iter().filter(|link| !link.reference.is_unsafe());
    links.filter_map(|link| moved_link(lookup, subject, link)).collect()
}

fn moved_link(lookup: &Lookup<'_>, subject: &Subject<'_>, link: &Link<'_>) -> Option<Problem> {
    let (from, end, fragment) = match &link.destination {
        Destination::Here(here) => {
            (here.address.clone(), subject.map.end(here.address)?.clone(), here.fragment)
        }
        Destination::Missing { path, .. } => {
            let to = lookup.shared.evidence.routes.redirect(path)?;
            (Address::new(path), subject.end_of_route(&to)?, None)
        }
        Destination::External | Destination::Empty => return None,
    };
    let moved = Moved { from, end, fragment };
    moved.missing_anchor(lookup, subject, link).or_else(|| moved.problem(lookup, subject, link.reference))
}

/// A link through redirects.
struct Moved<'a> {
    from: Address,
    end: End,
    /// What the link names after its `#`.
    fragment: Option<&'a str>,
}

impl Moved<'_> {
    /// The target of the redirect lacks what the link names.
    fn missing_anchor(&self, lookup: &Lookup<'_>, subject: &Subject<'_>, link: &Link<'_>) -> Option<Problem> {
        let End::Here { address, fragment: None, .. } = &self.end else { return None };
        let wanted = anchor(self.fragment?)?;
        let known = lookup.anchors_at(link.landing?)?;
        if known.iter().any(|id| *id == wanted || Some(id.as_str()) == self.fragment) {
            return None;
        }
        let (reference, target) = (link.reference, link.reference.target.trim());
        let message = format!("`{}` leads on to `{address}`, which has no anchor `{wanted}`", self.from);
        let near = nearest(&wanted, known.iter().map(String::as_str)).map(|near| format!("#{near}"));
        let query = end_of(target).split('#').next().unwrap_or_default();
        let end = format!("{query}{}", near.as_deref().unwrap_or_default());
        let meant = written(lookup.work, subject, target, address, &end);
        let help = match near {
            Some(_) => format!("did you mean `{meant}`?"),
            None => subject.cure(reference, &meant, address),
        };
        let problem = Problem::new(Code::MissingAnchor, reference.span.clone(), message).help(help);
        Some(problem.target(&reference.target).data("moved_to", address.as_str()))
    }

    fn problem(&self, lookup: &Lookup<'_>, subject: &Subject<'_>, reference: &Reference) -> Option<Problem> {
        let target = reference.target.trim();
        let message = format!("`{}` has moved", reference.target);
        let problem =
            Problem::new(Code::MovedPage, reference.span.clone(), message).target(&reference.target);
        let (meant, address, known) = match &self.end {
            // The address of a folder that redirects to one of its pages is meant.
            End::Here { address, .. } if is_within(address, &self.from) => return None,
            End::Here { address, query, fragment } => {
                let end = match fragment {
                    Some(fragment) => format!("{query}#{fragment}"),
                    None => end_of(target).to_string(),
                };
                (written(lookup.work, subject, target, address, &end), address.to_string(), address.clone())
            }
            End::External(url) => (url.clone(), url.clone(), self.from.clone()),
            // The redirect is wrong, and is reported there.
            End::Missing(path) if !lookup.shared.evidence.routes.contains(path) => return None,
            End::Missing(path) => {
                let address = Address::new(path);
                let meant = format!("{}{}", encode(path), end_of(target));
                (meant, address.to_string(), address)
            }
        };
        let help = subject.cure(reference, &meant, &known);
        let problem = problem.help(help).data("moved_to", address);
        Some(exactly(problem, subject, reference, meant))
    }
}

/// Whether an address is below a folder, but not the folder itself.
fn is_within(address: &Address, folder: &Address) -> bool {
    let folder = folder.as_page();
    address.as_str().len() > folder.as_str().len() && address.as_str().starts_with(folder.as_str())
}

/// A `redirect` that leads nowhere, or back to itself.
pub(super) fn redirect(work: &Work, lookup: &Lookup<'_>, subject: &Subject<'_>) -> Option<Problem> {
    let target = subject.document.front.redirect.clone()?;
    let span = subject.document.front.redirect_span.clone()?;
    let mut seen = vec![subject.document.address.clone()];
    let mut next = subject.resolver.resolve(subject.document, &target);
    while let Destination::Here(here) = &next {
        if seen.contains(here.address) {
            let way: Vec<String> =
                seen.iter().chain([here.address]).map(|address| format!("`{address}`")).collect();
            let message = format!("the redirect leads back: {}", way.join(" → "));
            let help = "let it lead to a page".to_string();
            return Some(Problem::new(Code::RedirectLoop, span, message).help(help).target(target));
        }
        seen.push(here.address.clone());
        let Some(Artifact::Redirect { to, from }) = subject.map.get(here.address) else { break };
        next = subject.resolver.resolve(work.project.site.document(*from), to);
    }
    let is_last = seen.len() == 1 || seen.len() == 2 && matches!(next, Destination::Here(_));
    let reference = Reference {
        kind: ReferenceKind::Link,
        target: target.clone(),
        text: None,
        span,
        form: ReferenceForm::Target,
    };
    is_last.then(|| problem(lookup, subject, &subject.link(&reference))).flatten()
}

/// Former addresses of pages that git says were renamed, with the present ones.
fn former_addresses(project: &Project, evidence: &Evidence) -> BTreeMap<Address, Address> {
    if evidence.renames.is_empty() {
        return BTreeMap::new();
    }
    let mut present: HashMap<&str, Vec<&Document>> = HashMap::new();
    for document in &project.site.documents {
        present.entry(document.path.as_str()).or_default().push(document);
    }
    let mut former: BTreeMap<Address, Address> = BTreeMap::new();
    let mut later: HashMap<&str, &str> = HashMap::new();
    // The newest rename comes first, so the later names of a path are known already.
    for (from, to) in &evidence.renames {
        let to = later.get(to.as_str()).copied().unwrap_or(to.as_str());
        later.entry(from.as_str()).or_insert(to);
        for document in present.get(to).into_iter().flatten() {
            if let Some(address) = former_address(project, from, document) {
                former.entry(address).or_insert_with(|| document.address.clone());
            }
        }
    }
    former
}

/// The address that a document had when its file was `from`; `None` where that was another platform's.
fn former_address(project: &Project, from: &SitePath, document: &Document) -> Option<Address> {
    let repository = &project.site.repository;
    let root = document.platform_root();
    let below = repository.below_content(from.as_str())?;
    match (site_path::shared(below), root) {
        (Some((_, step)), Some(root)) => Some(repository.address(&format!("{root}/{step}"), None, None)),
        // A page of one platform that is shared now.
        (None, Some(root)) if !site_path::is_inside(below, root) => None,
        (Some(_), None) => None,
        (None, _) => Some(repository.address(below, None, None)),
    }
}

fn title_key(title: &str) -> String {
    bare_title(title).to_lowercase()
}
