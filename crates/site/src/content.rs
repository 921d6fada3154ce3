//! Gives every page its front matter, its address and its position in a family.
//!
//! In: [`Sources`]. Out: [`Site`]: documents sorted by address, and families whose platforms contain steps in reading
//! order. A page with problems is reported and included. A page that isn't text is reported and left out. The rest of
//! the site still loads.

mod documents;
mod editions;
mod family;
mod found;
mod front;
mod group;
mod key;
mod labels;
mod none;
mod openings;
mod order;
mod parts;
mod shared;
mod stored;
mod summary;
mod versions;
mod views;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub use self::documents::{bare_title, number_mark, title_number, with_title_number};
pub use self::family::{Family, Platform};
pub use self::front::{Acceptance, Accepted, FrontMatter, schema as front_matter_schema};
pub use self::front::{NewFrontMatter, in_our_form};
pub use self::key::StepKey;
pub use self::labels::Labels;
pub use self::none::NoFamily;
pub use self::openings::Openings;
pub use self::order::{Neighbour, name_in_list, names_in_list, place_in_lists};
pub use self::parts::include;
pub use self::shared::unknown_platform;
pub use self::stored::{key, text_key};
pub use self::summary::{FamilySummary, summary};
use base::address::Address;
use base::diagnostic::{Code, Diagnostic, Problem, Report, Reported, unknown};
use base::error::{Error, Result};
use base::front_matter::body_start;
use base::hash::{HashMap, HashSet, Summands};
use base::index::{IndexVec, newtype_index};
use base::language::LanguageTag;
use base::names;
use base::quoted::quoted;
use base::site_path::{self, SitePath};
use base::sort::StableSort as _;
use base::sorted::{SortedMap, SortedSet};
use base::timings::{Stage, part};
use input::block_templates;
use input::config::{Config, Invalid};
use input::conventions::{Convention, Generator, Repository};
use input::dialect::{Condition, Dialect};
use input::source::{SkipReason, Sources, Text};
use input::words;
use markup::edition::{Edition, EditionFeatures};
use markup::markdown;

newtype_index! {
    /// Position of a [`Document`] in [`Site::documents`].
    #[derive(Serialize, Deserialize)]
    pub struct DocumentId
}
newtype_index! {
    /// Position of a [`Family`] in [`Site::families`].
    #[derive(Serialize, Deserialize)]
    pub struct FamilyId
}
newtype_index! {
    /// Position of a [`Platform`] in [`Family::platforms`].
    pub struct PlatformIx
}
newtype_index! {
    /// Position of a step in [`Platform::steps`].
    pub struct StepIx
}

/// A page before its Markdown is parsed. A shared page is a separate document for each platform that has it.
#[derive(Clone, Debug)]
pub struct Document {
    /// Path of its file.
    pub path: SitePath,
    /// Path that a page of the platform itself would have. Equal to `path` except for shared pages.
    pub published_path: SitePath,
    /// Path of the page whose translation it is; `path` for other pages.
    pub counterpart: SitePath,
    /// Length in bytes of the folder of pages with its slash, with which both of these paths begin.
    folder: usize,
    /// The language of its text, if the site in this language lacks a translation.
    pub foreign: Option<LanguageTag>,
    pub address: Address,
    /// The author's title, or one generated from the file name.
    pub title: String,
    pub front: FrontMatter,
    source: Text,
    /// The level-1 heading at the start of the text.
    heading: Option<String>,
    features: EditionFeatures,
    /// BLAKE3 of everything that affects its parsed page: the file, and the edition if the text depends on it.
    pub key: blake3::Hash,
    /// Start of the body in `text`.
    pub body: usize,
    /// The platform and variables of the page.
    pub edition: Arc<Edition>,
    /// The syntax of its text, and its included files.
    pub dialect: Arc<Dialect>,
    /// Attributes of its elements that may limit parts of its text to some platforms.
    pub conditions: Vec<Condition>,
}

impl Document {
    /// Returns the text of the complete file.
    pub fn text(&self) -> Cow<'_, str> {
        self.source.text()
    }

    /// Returns the text of the complete file without the lines around code that its generator reads as Markdown. All positions are
    /// those of the file.
    pub fn unwrapped_text(&self) -> Cow<'_, str> {
        markdown::unwrapped(self.text(), &self.dialect)
    }

    /// Returns the BLAKE3 hash of the complete file.
    pub fn file(&self) -> blake3::Hash {
        self.source.hash
    }

    /// Size of the complete file in bytes.
    pub fn size(&self) -> usize {
        self.source.size()
    }

    /// Returns the title of a page without `title`.
    fn untitled(heading: Option<&String>, address: &Address) -> String {
        heading.cloned().unwrap_or_else(|| names::of_segment(address.last_segment().unwrap_or("home")))
    }

    /// Returns the published path relative to the folder of pages.
    pub fn below(&self) -> &str {
        &self.published_path.as_str()[self.folder..]
    }

    /// For a shared page, returns the folder that contains `_shared`, and the path inside `_shared`.
    pub fn shared(&self) -> Option<(&str, &str)> {
        site_path::shared(&self.counterpart.as_str()[self.folder..])
    }

    /// Whether several platforms share this file.
    pub fn is_shared(&self) -> bool {
        self.counterpart != self.published_path
    }

    /// For a shared page, returns the platform's folder in `content/`.
    pub fn platform_root(&self) -> Option<&str> {
        let (_, step) = self.shared()?;
        self.below().strip_suffix(step)?.strip_suffix('/')
    }

    /// Returns the opening line of the front matter, the location of findings about the complete page.
    pub fn top(&self) -> Range<usize> {
        self.front
            .title_span
            .clone()
            .unwrap_or_else(|| self.text().lines().next().map_or(0..0, |line| 0..line.len()))
    }
}

/// The position of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub family: FamilyId,
    pub platform: PlatformIx,
    pub step: StepIx,
}

/// A platform of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlatformOf {
    pub family: FamilyId,
    pub platform: PlatformIx,
}

/// All documents of a site and their families.
#[derive(Clone, Debug)]
pub struct Site {
    pub config: Arc<Config>,
    /// The repository's kind and folders.
    pub repository: Arc<Repository>,
    /// Sorted by address, then path.
    pub documents: IndexVec<DocumentId, Arc<Document>>,
    pub families: Arc<IndexVec<FamilyId, Family>>,
    /// The position of each document that is a step.
    places: Arc<IndexVec<DocumentId, Option<Place>>>,
    /// The platform of each document in a platform's folder.
    platform_of_document: Arc<IndexVec<DocumentId, Option<PlatformOf>>>,
    /// The pages whose texts were looked up while it was loaded.
    looked_up: Arc<SortedSet<SitePath>>,
    /// Why there are no families.
    none_because: Option<NoFamily>,
    /// Drafts that are left out, with the addresses that they would have.
    drafts: Arc<Vec<(Address, SitePath)>>,
    /// The names of folders.
    pub labels: Arc<Labels>,
    /// The site of the editions of pages whose elements mark content for platforms: one document for each page and
    /// platform, all in one family.
    pub versions: Option<Arc<Site>>,
}

/// Content to load in addition to published pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Pages with `draft: true`.
    pub drafts: bool,
}

/// Properties of a file that depend only on its text, so they are cached by its hash.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Opening {
    front: FrontMatter,
    /// Start of the body.
    body: usize,
    heading: Option<String>,
    features: EditionFeatures,
    /// The names of included files.
    inclusions: Vec<String>,
    conditions: Vec<Condition>,
    problems: Vec<Problem>,
    /// A checksum of all of this, and of the bytes before the body, or of the first line if there are none, because
    /// findings may refer to positions in them.
    key: u128,
}

/// Loads every page. The text of files with a known opening isn't read.
///
/// # Errors
///
/// If `config` specifies a platform folder without pages, or a value of a variable for an unknown platform.
pub fn load(
    sources: &Sources,
    config: Config,
    selection: Selection,
    openings: &Openings,
) -> Result<Reported<Site>> {
    let unreadable = sources.passed_over.iter().filter(|it| it.reason == SkipReason::NameNotUtf8);
    let mut report: Report = unreadable.map(|it| unreadable_name(&it.path)).collect();
    let texts: Vec<_> = sources.pages.values().collect();
    let read = |use_of_ids| {
        let read = |text: &&Text| read_document(text, sources, openings, use_of_ids);
        texts.par_iter().map(read).collect::<Vec<_>>()
    };
    let mut read_pages = read(UseOfIds::InAddresses);
    if sources.repository.convention.generator != Generator::Known
        && share_an_address(read_pages.iter().filter_map(|(document, _)| document.as_deref()))
    {
        read_pages = read(UseOfIds::Other);
    }
    let mut documents = Vec::with_capacity(read_pages.len());
    let mut drafts = Vec::new();
    for (document, found) in read_pages {
        report.extend(found);
        let Some(document) = document else { continue };
        if document.front.draft && !selection.drafts {
            drafts.push((document.address.clone(), document.path.clone()));
        } else {
            documents.push(document);
        }
    }
    if sources.repository.convention.generator != Generator::Known {
        set_apart(&mut documents, &sources.repository);
    }
    let columns = words::columns(sources, &config.language);
    let original = sources.view.as_ref().filter(|view| view.is_translation()).map(|view| view.original());
    let foreign = original.map(|original| words::columns(sources, original.tag.as_str()));
    let order = documents::Order {
        repository: &sources.repository,
        navigation: &sources.navigation,
        languages: sources.languages().filter(|_| sources.view.is_none()),
    };
    let mut documents = report.absorb(shared::spread(documents, &config, order));
    documents.stable_sort_by(|a, b| (&a.address, &a.path).cmp(&(&b.address, &b.path)));
    let documents = IndexVec::from(documents);
    let labels = Labels::of(&documents, order);
    let invalid = |invalid: Invalid| {
        let text = sources.config.as_ref().map(Text::text);
        Error::usage(invalid.said_of(&text.unwrap_or_default()))
    };
    let group::Grouping { families, compared, none_because } =
        report.absorb(group::families(&documents, &config, order, &labels).map_err(invalid)?);
    let platform_of_document = group::platforms_of_documents(&documents, &families);
    let documents = report.absorb(
        editions::assign(
            documents,
            &platform_of_document,
            &families,
            &config,
            (&columns, foreign.as_ref()),
            &Arc::new(block_templates::of(sources)),
        )
        .map_err(invalid)?,
    );
    let places = places(&documents, &families);
    let looked_up = stored::looked_up(sources, compared, &documents);
    let site = Site {
        config: Arc::new(config),
        repository: sources.repository.clone(),
        documents,
        families: Arc::new(families),
        places: Arc::new(places),
        platform_of_document: Arc::new(platform_of_document),
        looked_up: Arc::new(looked_up),
        none_because,
        drafts: Arc::new(drafts),
        labels: Arc::new(labels),
        versions: None,
    };
    let site = Site { versions: versions::of(&site), ..site };
    let convention = sources.repository.convention;
    report.extend(site.families.iter().flat_map(|family| order_findings(&site, family, convention)));
    report.extend(missing_titles(&site, sources.repository.convention));
    Ok((site, report))
}

impl Site {
    /// Returns the drafts that are left out, with the addresses that they would have.
    pub fn drafts(&self) -> &[(Address, SitePath)] {
        &self.drafts
    }

    pub fn document(&self, id: DocumentId) -> &Document {
        &self.documents[id]
    }

    /// Returns the family with an ID.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] if there is none.
    pub fn family_named(&self, id: &str) -> Result<FamilyId> {
        let known: Vec<&str> = self.families.iter().map(|family| family.id.as_str()).collect();
        self.families.position(|family| family.id == id).ok_or_else(|| unknown("family", id, &known))
    }

    /// In a site of editions, returns the editions of a page.
    pub fn versions_of(&self, document: &Document) -> impl Iterator<Item = &Document> {
        let path = document.path.clone();
        let has_some = !document.conditions.is_empty();
        let all = self.documents.iter().filter(move |version| has_some && version.path == path);
        all.map(|version| &**version)
    }

    /// Number of distinct pages in a site of editions.
    pub fn pages_with_versions(&self) -> usize {
        let paths: HashSet<&SitePath> = self.documents.iter().map(|document| &document.path).collect();
        paths.len()
    }

    pub fn place(&self, id: DocumentId) -> Option<Place> {
        self.places[id]
    }

    pub fn family_of(&self, place: Place) -> &Family {
        &self.families[place.family]
    }

    pub fn platform_of(&self, place: Place) -> &Platform {
        &self.families[place.family].platforms[place.platform]
    }

    /// Returns the family of a document, which is a step or another page of a platform.
    pub fn family_around(&self, id: DocumentId) -> Option<&Family> {
        self.platform_of_document[id].map(|it| &self.families[it.family])
    }

    /// Returns the title of a platform's section: the title of its page, or else of its folder. Returns `None` for
    /// steps outside sections. The step at `place` is in the section.
    pub fn section_title(&self, place: Place, section: &str) -> Option<String> {
        let platform = self.platform_of(place);
        let name = section.rsplit('/').next().filter(|name| !name.is_empty())?;
        let own = platform.keys.position(|key| key.as_str() == section);
        let title = own.map(|step| markdown::repair(&self.document(platform.steps[step]).title).into_owned());
        let folder = || self.document(platform.steps[place.step]).address.parent();
        let label = || self.labels.name(&folder()).map(str::to_string);
        Some(title.or_else(label).unwrap_or_else(|| names::of_segment(name)))
    }

    /// Returns the steps of a platform, starting with `place`.
    pub fn steps_from(&self, place: Place) -> &[DocumentId] {
        let steps: &[DocumentId] = &self.platform_of(place).steps;
        &steps[usize::from(place.step)..]
    }

    /// Returns the previous and next step on the same platform.
    pub fn neighbours(&self, place: Place) -> (Option<DocumentId>, Option<DocumentId>) {
        let steps = &self.platform_of(place).steps;
        let at = usize::from(place.step);
        let step = |at: usize| steps.get(at.into()).copied();
        (at.checked_sub(1).and_then(step), step(at + 1))
    }
}

fn unreadable_name(path: &SitePath) -> Diagnostic {
    let message = "the file name is not UTF-8, so the page can't have a URL";
    let help = "rename the file".to_string();
    Problem::new(Code::InvalidUtf8, 0..0, message).help(help).at(path)
}

/// The use of the key `id` of other generators.
#[derive(Clone, Copy, Debug, PartialEq)]
enum UseOfIds {
    /// The last segment of the page's address.
    InAddresses,
    Other,
}

/// Whether two pages would have the same address because of an ID that isn't a part of their names: `lamp/use.md` and `lamp/store.md`
/// with the ID `lamp`.
fn share_an_address<'d>(documents: impl Iterator<Item = &'d Document>) -> bool {
    let mut known: HashSet<&Address> = HashSet::default();
    let has_other_name = |document: &&Document| {
        let name = site_path::file_name(document.path.as_str());
        document.front.id.as_ref().is_some_and(|id| !name.contains(id.as_str()))
    };
    documents.filter(has_other_name).any(|document| !known.insert(&document.address))
}

/// Gives pages the addresses of their files if a folder has several index pages, because the files are also published.
fn set_apart(documents: &mut [Arc<Document>], repository: &Repository) {
    let mut known: HashSet<Address> = HashSet::default();
    for document in documents {
        if !known.insert(document.address.clone()) && document.front.slug.is_none() {
            let own = repository.file_address(document.below());
            Arc::make_mut(document).address = own;
        }
    }
}

/// Reads the page in a file, if it is text, and its problems.
fn read_document(
    text: &Text,
    sources: &Sources,
    openings: &Openings,
    use_of_ids: UseOfIds,
) -> (Option<Arc<Document>>, Vec<Diagnostic>) {
    let _part = part(Stage::Load);
    let not_utf8 = not_utf8(text);
    // Nothing in UTF-16 can be read.
    if not_utf8.is_some() && text.text().contains('\0') {
        return (None, not_utf8.into_iter().collect());
    }
    let repository = &sources.repository;
    let opening = read_opening(text, repository, openings);
    let Opening { mut front, body, heading, features, problems, conditions, .. } = Opening::clone(&opening);
    let place = sources.published(&text.path);
    if sources.are_translated() {
        views::inherit(&mut front, sources, &text.path, openings);
    }
    let Some(below) = repository.below_content(place.as_str()) else { return (None, Vec::new()) };
    let id = front.id.as_deref().filter(|_| use_of_ids == UseOfIds::InAddresses);
    let mut address = repository.address(below, front.slug.as_deref(), id);
    if sources.are_translated() && !repository.is_ours() {
        address = views::within_language(address, sources);
    }
    let folder = place.as_str().len() - below.len();
    if !repository.is_ours() {
        front.aliases.iter_mut().for_each(|alias| *alias = from_folder(alias, &address));
    }
    let title = front.title.clone().unwrap_or_else(|| Document::untitled(heading.as_ref(), &address));
    let dialect = parts::dialect(sources, text, openings);
    let of_code = dialect.parts.values().map(|part| EditionFeatures::of(&part.text));
    let document = Document {
        path: text.path.clone(),
        published_path: place.clone(),
        counterpart: place.clone(),
        folder,
        foreign: sources.view.as_ref().and_then(|view| view.foreign(&text.path)),
        address,
        title,
        front,
        source: text.clone(),
        heading,
        features: of_code.fold(features, EditionFeatures::or),
        key: text.hash,
        body,
        edition: Arc::default(),
        dialect,
        conditions,
    };
    // Docusaurus 1 reads the rest of a line as the value.
    let is_read = |problem: &Problem| {
        repository.has_simple_front_matter && problem.data.get("cause").is_some_and(|it| it == front::COLON)
    };
    let problems = problems.into_iter().filter(|it| !is_read(it)).map(|problem| problem.at(&text.path));
    (Some(Arc::new(document)), not_utf8.into_iter().chain(problems).collect())
}

/// Resolves an alias. Other generators resolve one without a leading slash relative to the page's folder.
fn from_folder(alias: &str, address: &Address) -> String {
    if alias.starts_with('/') { alias.to_string() } else { format!("{}{alias}", address.parent()) }
}

/// Returns a file's opening, and parses it if its text is new.
fn read_opening(text: &Text, repository: &Repository, openings: &Openings) -> Arc<Opening> {
    openings.of(text, repository.kind(), |text| opening(&text.text(), repository.convention))
}

/// Returns the text of the heading in a line, up to a level. A line of `=` below it may mark one.
fn title_heading<'t>(line: &'t str, next: Option<&str>, level: usize) -> Option<&'t str> {
    let bare = line.trim_start_matches('#');
    let is_marked = (1..=level).contains(&(line.len() - bare.len())) && bare.starts_with(' ');
    let is_underlined =
        || next.is_some_and(|next| next.len() > 2 && next.trim_end().bytes().all(|it| it == b'='));
    let heading = if is_marked { bare.trim().trim_end_matches('#').trim_end() } else { line.trim() };
    let heading = without_attributes(heading);
    ((is_marked || is_underlined()) && !heading.is_empty()).then_some(heading)
}

/// Removes the list of attributes at the end of a heading: `Title {#id}`, `Title { #id .class }`.
fn without_attributes(heading: &str) -> &str {
    let list = heading.strip_suffix('}').and_then(|rest| rest.rsplit_once('{'));
    let is_list = |inside: &str| inside.trim_start().starts_with(['#', '.', ':']);
    list.filter(|(_, inside)| is_list(inside)).map_or(heading, |(before, _)| before.trim_end())
}

fn opening(text: &str, convention: &Convention) -> Opening {
    let (front, body, problems) = front::read(text, convention);
    let is_before_text = |line: &&str| convention.has_other_keys && is_no_text(line);
    let start = if convention.has_other_keys { without_comments(&text[body..]) } else { &text[body..] };
    let mut lines = start.lines().skip_while(|line| line.trim().is_empty() || is_before_text(line));
    let heading = lines.next().and_then(|line| title_heading(line, lines.next(), convention.title_level));
    let heading = heading.map(str::to_string);
    let first_line = text.find('\n').unwrap_or(text.len());
    let inclusions = markdown::inclusions(text, body, convention.syntax);
    let mut inclusions: Vec<String> = inclusions.into_iter().map(|inclusion| inclusion.name).collect();
    inclusions.sort_unstable();
    inclusions.dedup();
    let conditions = markdown::conditions(text, body, convention.syntax);
    let features = EditionFeatures::of(text);
    let opening = Opening { front, body, heading, features, inclusions, conditions, problems, key: 0 };
    let mut summands = Summands::default();
    summands.add(&postcard::to_stdvec(&opening).expect("texts and numbers"));
    summands.add(&text.as_bytes()[..body.max(first_line)]);
    Opening { key: summands.sum(), ..opening }
}

/// Returns a text without the comments at its start.
fn without_comments(text: &str) -> &str {
    let mut rest = text;
    while let Some((_, after)) =
        rest.trim_start().strip_prefix("<!--").and_then(|comment| comment.split_once("-->"))
    {
        rest = after;
    }
    rest
}

/// Whether a line may precede the title on another tool's page: an import, a label, a comment.
fn is_no_text(line: &str) -> bool {
    let line = line.trim();
    let is_label = line.starts_with('(') && line.ends_with(")=");
    is_label
        || ["import ", "export ", "%", "+++", "{%", "{{<", "{{%", "{{#"]
            .iter()
            .any(|sign| line.starts_with(sign))
        || line.starts_with("<!--") && line.ends_with("-->")
        || line.starts_with('<') && line.ends_with('>') && !line.starts_with("<h1")
}

/// Returns the finding for a file that isn't text.
pub fn not_utf8(text: &Text) -> Option<Diagnostic> {
    let offset = text.invalid?;
    let problem = Problem::new(Code::InvalidUtf8, offset..offset, "the file is not UTF-8 from here on");
    Some(problem.help(encoding_help(&text.text())).at(&text.path))
}

fn encoding_help(lossy: &str) -> String {
    let encoding = if lossy.contains('\0') { "UTF-16" } else { "Windows-1252 or ISO 8859-1" };
    format!("it looks like {encoding}: save it as UTF-8")
}

fn places(
    documents: &[Arc<Document>],
    families: &IndexVec<FamilyId, Family>,
) -> IndexVec<DocumentId, Option<Place>> {
    let mut places = IndexVec::from(vec![None; documents.len()]);
    for (family, its) in families.indexed() {
        for (platform, its) in its.platforms.indexed() {
            for (step, &id) in its.steps.indexed() {
                places[id] = Some(Place { family, platform, step });
            }
        }
    }
    places
}

/// Reports equal, missing and skipped orders on each platform. None of them blocks the build. If no step has an
/// order, none is missing.
fn order_findings<'a>(
    site: &'a Site,
    family: &'a Family,
    convention: &'static Convention,
) -> impl Iterator<Item = Diagnostic> + 'a {
    family.platforms.iter().flat_map(move |platform| {
        let steps: Vec<&Document> = platform.steps.iter().map(|&id| site.document(id)).collect();
        let found = match (family.is_by_key, convention.orders_by_folder) {
            (false, _) => in_one_count(&steps),
            (true, true) => ties_in_folders(&steps),
            (true, false) => Vec::new(),
        };
        found.into_iter().chain(duplicate_steps(platform, &steps)).collect::<Vec<_>>()
    })
}

/// Returns the findings if `order` counts among all steps of a platform.
fn in_one_count(steps: &[&Document]) -> Vec<Diagnostic> {
    let unordered = || steps.iter().filter(|step| step.front.order.is_none());
    let missing = unordered().filter(|step| !step.front.is_damaged).map(|step| missing_order(step));
    // A step with an unreadable order may be the missing one.
    let is_certain = unordered().all(|step| !step.front.is_damaged) && !is_by_more_than_one(steps);
    let pairs = steps.windows(2).filter_map(|pair| match *pair {
        [before, after] => {
            duplicate_order(before, after).or_else(|| order_gap(before, after).filter(|_| is_certain))
        }
        _ => None,
    });
    missing.chain(pairs).collect()
}

/// Returns the findings if `order` counts among the pages of a folder. Such numbers only sort: a gap doesn't mean a
/// lost page, because folders also have numbers.
fn ties_in_folders(steps: &[&Document]) -> Vec<Diagnostic> {
    let mut folders: SortedMap<&str, Vec<&Document>> = SortedMap::new();
    for step in steps {
        let path = step.published_path.as_str();
        let is_folders_page = key::segments(path).len() < path.split('/').count();
        if !is_folders_page && step.front.order.is_some() {
            folders.entry(site_path::parent(path)).or_default().push(step);
        }
    }
    let pairs = folders.values().flat_map(|steps| steps.windows(2));
    // The name of the key depends on the kind of repository.
    let message = |order: f64| {
        format!("two pages in this folder have the position {order}, so they are sorted by name")
    };
    pairs.filter_map(|pair| tie(pair[0], pair[1], message)).collect()
}

fn missing_order(step: &Document) -> Diagnostic {
    let message = "the step has no `order`, so it comes last";
    let help = "add `order` with the step's position, such as `order: 3`".to_string();
    Problem::new(Code::MissingOrder, step.top(), message).help(help).at(&step.path)
}

fn duplicate_order(before: &Document, after: &Document) -> Option<Diagnostic> {
    tie(before, after, |order| format!("two steps have `order: {order}`, so they are sorted by path"))
}

fn tie(before: &Document, after: &Document, message: impl Fn(f64) -> String) -> Option<Diagnostic> {
    let order = after.front.order.filter(|order| before.front.order == Some(*order))?;
    let span = after.front.order_span.clone()?;
    let message = message(order);
    let help = format!("change one of them; `{order}.5` comes right after `{order}`");
    let problem = Problem::new(Code::DuplicateOrder, span, message).help(help);
    Some(problem.related(&before.path, before.front.order_span.clone()?, "the other").at(&after.path))
}

/// Reports steps of one platform with the same `step`.
fn duplicate_steps<'a>(platform: &Platform, steps: &[&'a Document]) -> Vec<Diagnostic> {
    let mut named: HashMap<&str, &Document> = HashMap::default();
    let duplicate = |&step: &&'a Document| {
        let name = step.front.step.as_deref()?;
        let before = *named.entry(name).or_insert(step);
        let span = step.front.step_span.clone().filter(|_| before.path != step.path)?;
        let message = format!("two {} pages have `step: {name}`", platform.name);
        let help = "change one of them, or remove the key".to_string();
        let problem = Problem::new(Code::AmbiguousStep, span, message).help(help);
        Some(problem.related(&before.path, before.front.step_span.clone()?, "the other").at(&step.path))
    };
    steps.iter().filter_map(duplicate).collect()
}

/// Whether the numbers leave gaps between all steps, such as 10, 20 and 30. With three or more steps, the first
/// number is arbitrary.
///
/// 1, 3 and 5 also count as gaps on purpose. They can't be distinguished from 1 to 5 without 2 and 4, but lost pages
/// rarely leave a gap after every step.
fn is_by_more_than_one(steps: &[&Document]) -> bool {
    let orders: Vec<f64> = steps.iter().filter_map(|step| step.front.order).map(f64::floor).collect();
    let between = orders.windows(2).map(|pair| pair[1] - pair[0]).filter(|between| *between >= 1.0);
    let (number, common) =
        between.fold((0, 0.0), |(number, common), between| (number + 1, common_divisor(common, between)));
    common > 1.5
        && (number > 1 || orders.first().is_some_and(|first| first.abs() >= 1.0 && first % common < 0.5))
}

/// Returns the greatest common divisor of two non-negative integers.
fn common_divisor(mut one: f64, mut other: f64) -> f64 {
    while other >= 1.0 {
        (one, other) = (other, one % other);
    }
    one
}

fn order_gap(before: &Document, after: &Document) -> Option<Diagnostic> {
    let (low, high) = (before.front.order?, after.front.order?);
    let next = low.floor() + 1.0;
    if high.floor() <= next {
        return None;
    }
    let message =
        format!("no step has `order: {next}`; {} has {low}, and this one has {high}", quoted(&before.title));
    let help = "renumber the steps, or restore a lost page".to_string();
    let problem = Problem::new(Code::OrderGap, after.front.order_span.clone()?, message).help(help);
    Some(problem.related(&before.path, before.front.order_span.clone()?, "the previous step").at(&after.path))
}

/// Reports pages without a title in the front matter or a heading at the start. Included files aren't pages for their
/// authors, and generators that take titles from their navigation or from any heading have no key for them.
fn missing_titles<'a>(
    site: &'a Site,
    convention: &'static Convention,
) -> impl Iterator<Item = Diagnostic> + 'a {
    let included: HashSet<&SitePath> = site
        .documents
        .iter()
        .flat_map(|document| document.dialect.parts.values())
        .map(|part| &part.path)
        .collect();
    let is_unnamed = move |document: &&Arc<Document>| {
        let has_heading = document.heading.is_some() && !convention.has_required_titles;
        let has_name = document.front.title.is_some() || has_heading;
        // A page with its own layout shows no title, such as a home page in VitePress, and Hugo doesn't publish a headless one.
        let has_layout = || {
            let text = document.text();
            text.get(..document.body).is_some_and(|front| {
                let keys = ["layout:", "headless", "home:"];
                front.lines().any(|line| keys.iter().any(|key| line.starts_with(key)))
            })
        };
        // A page may begin with an included one.
        let is_included = || {
            let mut parts = document
                .dialect
                .parts
                .values()
                .map(|part| without_comments(&part.text[body_start(&part.text)..]));
            parts.any(|part| part.trim_start().starts_with("# "))
        };
        !has_name
            && !has_layout()
            && !is_included()
            && !document.front.is_damaged
            && !included.contains(&document.path)
    };
    let documents = site.documents.iter().filter(|_| convention.needs_titles);
    documents.filter(is_unnamed).map(|document| {
        let help = "add `title` to its front matter".to_string();
        let message = if convention.has_required_titles {
            "the page has no `title`, so the generator stops".to_string()
        } else if convention.shows_site_title {
            "the page has no `title`, so readers see the title of the site".to_string()
        } else {
            format!("the page has no `title`, so {} is used", quoted(&document.title))
        };
        Problem::new(Code::MissingTitle, document.top(), message).help(help).at(&document.path)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use input::conventions::{FolderSettings, Kind, PageList};
    use input::source::Navigation;

    /// Loads `pages`, with `path | front matter` on each line, and returns each family as `id: platform(step step)
    /// …`.
    fn load_pages(config: &str, pages: &str) -> Reported<Site> {
        let mut sources = Sources::default();
        add_pages(&mut sources, pages);
        load(
            &sources,
            input::config::parse(config).expect("a valid configuration"),
            Selection::default(),
            &Openings::default(),
        )
        .expect("roots that exist")
    }

    fn add_pages(sources: &mut Sources, pages: &str) {
        for line in pages.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (path, front) = line.split_once('|').unwrap_or((line, ""));
            let path: SitePath = format!("content/{}", path.trim()).as_str().into();
            let text = format!("---\n{}\n---\n", front.trim().replace("; ", "\n"));
            sources.pages.insert(path.clone(), Text::new(path, text.into_bytes()));
        }
    }

    fn families(site: &Site) -> String {
        let steps = |platform: &Platform| {
            let names: Vec<_> = platform
                .steps
                .iter()
                .map(|&id| site.document(id).address.last_segment().unwrap_or("/").to_string())
                .collect();
            format!("{}({})", platform.id, names.join(" "))
        };
        let family = |family: &Family| {
            let platforms: Vec<_> = family.platforms.iter().map(steps).collect();
            format!("{}: {}", family.id, platforms.join(" "))
        };
        site.families.iter().map(family).collect::<Vec<_>>().join("\n")
    }

    #[track_caller]
    fn check_families(config: &str, pages: &str, expected: &str, codes: &[&str]) {
        let (site, report) = load_pages(config, pages);
        assert_eq!(families(&site), expected);
        let found: Vec<_> = report.iter().map(|diagnostic| diagnostic.problem.code.name()).collect();
        assert_eq!(found, codes, "{report:?}");
    }

    #[test]
    fn steps_follow_order_and_not_file_name() {
        check_families(
            "",
            "tour/web/zebra.md | title: A; order: 1
             tour/web/apple.md | title: B; order: 2
             tour/web/inserted/index.md | title: C; order: 1.5
             tour/ios/zebra.md | title: A; order: 1",
            "tour: web(zebra inserted apple) ios(zebra)",
            &[],
        );
    }

    #[test]
    fn pages_without_order_come_last_by_title_and_ties_go_by_path() {
        check_families(
            "",
            "tour/web/b.md | title: One; order: 1
             tour/web/a.md | title: Two; order: 1
             tour/web/c.md | title: Zoo
             tour/web/d.md | title: Ant
             tour/ios/a.md | title: Two; order: 1",
            "tour: web(a b d c) ios(a)",
            &["missing-order", "missing-order", "duplicate-order"],
        );
    }

    #[test]
    fn a_gap_is_reported_and_a_late_start_is_not() {
        check_families(
            "",
            "tour/web/a.md | title: A; order: 4
             tour/web/b.md | title: B; order: 7
             tour/ios/a.md | title: A; order: 1",
            "tour: web(a b) ios(a)",
            &["order-gap"],
        );
    }

    #[test]
    fn numbers_with_room_between_them_have_no_gaps() {
        check_families(
            "",
            "tour/web/a.md | title: A; order: 10
             tour/web/b.md | title: B; order: 20
             tour/web/c.md | title: C; order: 25
             tour/web/d.md | title: D; order: 30
             tour/ios/a.md | title: A; order: 1
             tour/ios/b.md | title: B; order: 11
             tour/ios/c.md | title: C; order: 21",
            "tour: web(a b c d) ios(a b c)",
            &[],
        );
        check_families(
            "",
            "tour/web/a.md | title: A; order: 1
             tour/web/b.md | title: B; order: 3
             tour/web/c.md | title: C; order: 5
             tour/ios/a.md | title: A; order: 1
             tour/ios/b.md | title: B; order: 3
             tour/ios/c.md | title: C; order: 4",
            "tour: web(a b c) ios(a b c)",
            &["order-gap"],
        );
        check_families(
            "",
            "tour/web/a.md | title: A; order: 1
             tour/web/b.md | title: B; order: 3
             tour/ios/a.md | title: A; order: 2
             tour/ios/b.md | title: B; order: 2.5
             tour/ios/c.md | title: C; order: 5",
            "tour: web(a b) ios(a b c)",
            &["order-gap", "order-gap"],
        );
    }

    #[test]
    fn a_step_is_one_page_of_a_platform() {
        let pages = |ios: &str| {
            format!(
                "tour/web/a.md | title: A; order: 1; step: a
                 tour/web/b.md | title: B; order: 2
                 tour/ios/a.md | title: A; order: 1; step: a
                 tour/ios/b.md | title: B; order: 2; step: {ios}"
            )
        };
        check_families("", &pages("a"), "tour: web(a b) ios(a b)", &["ambiguous-step"]);
        check_families("", &pages("b"), "tour: web(a b) ios(a b)", &[]);
    }

    #[test]
    fn a_folder_that_is_nearly_named_after_a_platform_is_reported() {
        let pages = |name: &str, title: &str| {
            format!(
                "tour/web/a.md | title: A; order: 1
                 tour/ios/a.md | title: A; order: 1
                 tour/{name}/a.md | title: {title}; order: 1"
            )
        };
        let family = "tour: web(a) ios(a)";
        check_families("", &pages("andriod", "A"), family, &["lone-platform"]);
        check_families("", &pages("Androd", "A"), family, &["lone-platform"]);
        check_families(
            "",
            &pages("andriod", "Something else").replace("andriod/a", "andriod/b"),
            family,
            &[],
        );
        for other in ["guides", "wen", "test", "extra"] {
            check_families("", &pages(other, "A"), family, &[]);
        }
        let config = "[[family]]\nroot = 'tour/andriod'\ntutorial = false\n";
        check_families(config, &pages("andriod", "A"), family, &[]);
    }

    #[test]
    fn two_tutorials_in_one_folder_are_two_families() {
        check_families(
            "",
            "start/web/input.md | title: Create an input; order: 1
             start/web/events.md | title: Track events; order: 2
             start/ios/input.md | title: Create an input; order: 1
             start/ios/events.md | title: Track events; order: 2
             start/node/install.md | title: Install the package; order: 1
             start/node/send.md | title: Send a batch; order: 2
             start/python/install.md | title: Install the package; order: 1
             start/python/send.md | title: Send a batch; order: 2",
            "start: web(input events) ios(input events)\nstart-node: node(install send) python(install send)",
            &[],
        );
    }

    #[test]
    fn slugs_and_orders_alone_do_not_make_one_tutorial() {
        let app = "Open the dashboard, choose an input for your app, copy its key, and insert it into the sample app.";
        let server = "Create a feed for your server, keep both secrets out of the repository, then post a batch of events.";
        let mut sources = Sources::default();
        let apps = [("web", "Create an input", app), ("ios", "Create an input", app)];
        let servers = [("node", "Get server keys", server), ("python", "Get server keys", server)];
        for (platform, title, body) in apps.into_iter().chain(servers) {
            for (order, slug) in [(1, "overview"), (2, "create-input"), (3, "verify-input")] {
                let path: SitePath = format!("content/start/{platform}/{slug}.md").as_str().into();
                let title = if order == 1 {
                    "Overview".to_string()
                } else {
                    format!("Step {order}. {title} {order}")
                };
                let text = format!("---\ntitle: {title}\norder: {order}\n---\n{body}\n");
                sources.pages.insert(path.clone(), Text::new(path, text.into_bytes()));
            }
        }
        let (site, _) = load(&sources, Config::default(), Selection::default(), &Openings::default())
            .expect("no roots to miss");
        let steps = "(overview create-input verify-input)";
        let expected = format!("start: web{steps} ios{steps}\nstart-node: node{steps} python{steps}");
        assert_eq!(families(&site), expected);
    }

    #[test]
    fn a_lone_platform_elsewhere_is_proposed_and_gathered() {
        let pages = "new/web/input.md | title: Create an input; order: 1
             new/ios/input.md | title: Create an input; order: 1
             old/android/input.md | title: Create an input; order: 1";
        check_families("", pages, "new: web(input) ios(input)", &["lone-platform"]);
        let three = "[[family]]\nid = 'start'\n\
             [[family.platform]]\nid = 'web'\nroot = 'new/web'\n\
             [[family.platform]]\nid = 'ios'\nroot = 'new/ios'\n\
             [[family.platform]]\nid = 'android'\nroot = 'old/android'\n";
        check_families(three, pages, "start: web(input) ios(input) android(input)", &[]);
        let one = "[[family]]\nid = 'new'\n[[family.platform]]\nid = 'android'\nroot = 'old/android'\n";
        check_families(one, pages, "new: web(input) ios(input) android(input)", &[]);
    }

    #[test]
    fn a_folder_without_a_tutorial_is_neither_a_family_nor_proposed_as_one() {
        let no_tutorial = |root: &str| format!("[[family]]\nroot = '{root}'\ntutorial = false\n");
        let sdk = "sdk/web/api.md | title: Reference; order: 1
             sdk/ios/api.md | title: Reference; order: 1";
        check_families("", sdk, "sdk: web(api) ios(api)", &[]);
        for root in ["sdk", "/content/sdk/", "sdk/web"] {
            check_families(&no_tutorial(root), sdk, "", &[]);
        }
        let pages = format!(
            "tour/web/api.md | title: Reference; order: 1\ntour/ios/api.md | title: Reference; order: 1\n{sdk}"
        );
        check_families(&no_tutorial("sdk"), &pages, "tour: web(api) ios(api)", &[]);
        let beside = format!("{pages}\nsdk-web/android/api.md | title: Reference; order: 1");
        check_families(&no_tutorial("sdk"), &beside, "tour: web(api) ios(api)", &["lone-platform"]);
    }

    /// Loads a site of another kind, with the order of pages from its generator.
    #[track_caller]
    fn check_foreign(kind: Kind, navigation: Navigation, pages: &str, expected: &str, codes: &[&str]) {
        let convention = kind.convention();
        let repository =
            Repository { convention, is_numbered: convention.is_numbered, ..Repository::default() };
        let mut sources = Sources::default();
        (sources.repository, sources.navigation) = (Arc::new(repository), navigation);
        add_pages(&mut sources, pages);
        let (site, report) = load(&sources, Config::default(), Selection::default(), &Openings::default())
            .expect("no roots to miss");
        let found: Vec<_> = report.iter().map(|diagnostic| diagnostic.problem.code.name()).collect();
        assert_eq!((families(&site).as_str(), found.as_slice()), (expected, codes), "{report:?}");
    }

    /// Returns the keys of the first platform of a family.
    fn keys(site: &Site) -> String {
        let keys = &site.families[FamilyId::from(0)].platforms[PlatformIx::from(0)].keys;
        keys.iter().map(StepKey::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn families_of_one_title_are_qualified_by_their_folders() {
        let pages = "en/tour/web/a.md | title: A; order: 1
             en/tour/ios/a.md | title: A; order: 1
             de/index.md | title: Deutsch
             de/tour/web/a.md | title: B; order: 1
             de/tour/ios/a.md | title: B; order: 1
             more/web/a.md | title: C; order: 1
             more/ios/a.md | title: C; order: 1";
        let (site, _) = load_pages("", pages);
        let names = site.families.iter().map(|family| (&*family.title, &*family.name));
        let expected = [("Tour", "Deutsch › Tour"), ("Tour", "En › Tour"), ("More", "More")];
        assert_eq!(names.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn folders_are_called_as_the_generator_calls_them() {
        let list = input::conventions::list_of(
            Kind::Docusaurus,
            "sidebars.js",
            "module.exports = {a: [
                 {label: 'The tour', items: [
                     {type: 'autogenerated', dirName: 'tour/web'},
                     {label: 'Bright lamps', items: ['tour/ios/lamps/a', 'tour/ios/lamps/b']},
                     'tour/ios/last',
                 ]},
                 'words',
             ]}",
        );
        let said = FolderSettings { label: Some("Web lamps".into()), ..FolderSettings::default() };
        let folders = [("tour/web/lamps".to_string(), said)].into();
        let navigation = Navigation { list, folders, ..Navigation::default() };
        let (mut sources, mut repository) = (Sources::default(), Repository::default());
        repository.convention = Kind::Docusaurus.convention();
        (sources.repository, sources.navigation) = (Arc::new(repository), navigation);
        let pages = "words.md | title: Words
             tour/web/lamps/a.md | title: A
             tour/web/last.md | title: L
             tour/ios/lamps/a.md | title: A
             tour/ios/lamps/b.md | title: B
             tour/ios/last.md | title: L";
        add_pages(&mut sources, pages);
        let (site, _) = load(&sources, Config::default(), Selection::default(), &Openings::default())
            .expect("no roots to miss");
        let family = &site.families[FamilyId::from(0)];
        assert_eq!((family.title.as_str(), family.address.as_str()), ("The tour", "/tour/"));
        let section = |platform: usize| {
            let place = Place { family: 0.into(), platform: platform.into(), step: 0.into() };
            let section = family.platforms[place.platform].keys[place.step].section();
            site.section_title(place, section).expect("it is in a folder")
        };
        let mut sections = [section(0), section(1)];
        sections.sort_unstable();
        assert_eq!(sections, ["Bright lamps", "Web lamps"]);
    }

    #[test]
    fn a_platform_may_be_anywhere_in_the_name_of_a_page() {
        for (pages, family) in [
            ("a/build-ios.md | title: A\na/build-web.md | title: A", "build: web(build-web) ios(build-ios)"),
            ("a/x+vue.md | title: A\na/x+react.md | title: A", "x: react(x+react) vue(x+vue)"),
            (
                "a/use-ios-lamps.md | title: A\na/use-web-lamps.md | title: A",
                "use-lamps: web(use-web-lamps) ios(use-ios-lamps)",
            ),
            ("a/web-for-ios.md | title: A\na/web-for-android.md | title: A", ""),
        ] {
            check_families("", pages, family, &[]);
        }
    }

    #[track_caller]
    fn check_summary(config: &str, pages: &str, expected: &str) {
        let (site, _) = load_pages(config, pages);
        assert_eq!(summary(&site).to_string(), expected);
    }

    #[test]
    fn platforms_with_sections_are_one_family_by_the_names_of_their_pages() {
        let pages = "docs/ios/index.md | title: For iOS
             docs/ios/install.md | title: Add the package
             docs/ios/users/overview.md | title: Overview
             docs/ios/crashes/overview.md | title: Overview
             docs/android/README.md | title: For Android
             docs/android/install.md | title: Add the library
             docs/android/users/overview.md | title: Overview
             docs/guides/install.md | title: Installing";
        let family = "documentation: ios(ios overview install overview) android(README install overview)";
        check_families("", pages, family, &[]);
        let (site, _) = load_pages("", pages);
        assert_eq!(keys(&site), " crashes/overview install users/overview");
        check_summary("", pages, "8 pages, 1 family: Documentation for iOS, Android (4 steps)");
        check_summary("title = 'Acme'", pages, "8 pages, 1 family: Acme for iOS, Android (4 steps)");
    }

    #[test]
    fn folders_of_languages_are_a_family_and_translations_are_none() {
        let guides = "languages/python/install.md | title: A
             languages/js/install.md | title: A
             languages/go/install.md | title: A
             languages/go/_includes/note.md | title: Note
             languages/other/index.md | title: Other";
        let family = "languages: js(install) python(install) go(install)";
        check_families("", guides, family, &[]);
        let people = "en/install.md | title: A\nja/install.md | title: A\nzh/install.md | title: A";
        check_families("", people, "", &[]);
    }

    #[test]
    fn many_other_folders_next_to_platforms_are_no_platforms() {
        let of = |name: &str| {
            let pages = ["a", "b", "c"].map(|page| format!("docs/{name}/{page}.md | title: A"));
            pages.join("\n")
        };
        let few: Vec<String> = ["ios", "web", "lamp"].into_iter().map(of).collect();
        let found = "documentation: web(a b c) ios(a b c) lamp(a b c)";
        check_families("", &few.join("\n"), found, &[]);
        let others = ["lamp", "wick", "oil", "glass", "gas"].into_iter().map(of);
        let many: Vec<String> = few.iter().take(2).cloned().chain(others).collect();
        check_families("", &many.join("\n"), "documentation: web(a b c) ios(a b c)", &[]);
    }

    #[test]
    fn a_platform_may_follow_a_point_in_the_name_of_a_page() {
        let pages =
            "docs/README.iOS.md | title: A\ndocs/README.Linux.md | title: A\ndocs/README.ja.md | title: A";
        check_families("", pages, "readme: ios(README.iOS) linux(README.Linux)", &[]);
    }

    #[test]
    fn one_page_for_each_platform_is_a_family_with_one_step() {
        let pages = "start/install/index.md | title: Install the SDK
             start/install/ios.md | title: iOS
             start/install/android.md | title: Android
             start/other.md | title: Other";
        check_families("", pages, "install: ios(ios) android(android)", &[]);
        check_summary("", pages, "4 pages, 1 family: Install the SDK for iOS, Android (1 step)");
        let folders = "install/ios/index.md | title: iOS\ninstall/android/index.md | title: Android";
        check_families("", folders, "install: ios(ios) android(android)", &[]);
    }

    #[test]
    fn a_page_whose_name_contains_a_platform_is_a_version_if_it_is_alike() {
        let pages = "docs/build-macos.md | title: Build
             docs/build_for_windows.md | title: Build
             docs/tutorial-react-native.md | title: Tutorial
             docs/flutter-tutorial.md | title: Tutorial
             docs/other.md | title: Other";
        let expected = "build: macos(build-macos) windows(build_for_windows)
             tutorial: flutter(flutter-tutorial) react-native(tutorial-react-native)";
        check_families("", pages, &expected.replace("\n             ", "\n"), &[]);
        let mut sources = Sources::default();
        for (name, words) in [
            ("ios", "Prices begin at one coin, and taxes come on top of each in all lands."),
            ("android", "Install our shop from its archive, then test whether everything works there."),
        ] {
            let text = format!("---\ntitle: T\n---\n{words}\n");
            let path: SitePath = format!("content/store-{name}.md").as_str().into();
            sources.pages.insert(path.clone(), Text::new(path, text.into_bytes()));
        }
        let (site, _) = load(&sources, Config::default(), Selection::default(), &Openings::default())
            .expect("no roots to miss");
        assert_eq!(families(&site), "");
    }

    #[test]
    fn pages_of_folders_are_versions_although_one_folder_has_another_page() {
        let pages = "linux/README.md | title: Deploy\nlinux/snap/README.md | title: Snap
             macos/README.md | title: Deploy\nwindows/README.md | title: Deploy";
        check_families("", pages, "documentation: macos(README) windows(README) linux(README)", &[]);
    }

    #[test]
    fn a_page_next_to_many_platforms_is_a_platform() {
        let platforms = ["ios", "android", "flutter", "unity", "web", "expo", "roku", "cordova"];
        let pages = |others: &[&str]| -> String {
            let names = platforms.iter().chain(others);
            names.map(|name| format!("install/{name}.md | title: {name}")).collect::<Vec<_>>().join("\n")
        };
        let family = |site: &Site| site.families[FamilyId::from(0)].platforms.len();
        for (others, expected) in [(&["app-builders"][..], 9), (&["faq"][..], 8), (&["one", "two"][..], 8)] {
            assert_eq!(family(&load_pages("", &pages(others)).0), expected, "{others:?}");
        }
    }

    #[test]
    fn platforms_inside_of_each_step_are_a_family() {
        let pages = "tour/install/ios.md | title: A
             tour/install/android.md | title: A
             tour/users/ios.md | title: B
             tour/users/android.md | title: B
             tour/events/web.md | title: C
             tour/events/ios/index.md | title: C
             tour/events/android/index.md | title: C";
        check_families("", pages, "tour: web(web) ios(ios ios ios) android(android android android)", &[]);
        let (site, _) = load_pages("", pages);
        assert_eq!(site.families[FamilyId::from(0)].address.as_str(), "/tour/");
        let ios = &site.families[FamilyId::from(0)].platforms[PlatformIx::from(1)];
        assert_eq!(ios.keys.iter().map(StepKey::as_str).collect::<Vec<_>>(), ["events", "install", "users"]);
        assert_eq!(ios.root, "tour/ios");
        let id = |path: &str| site.documents.position(|it| it.path.as_str() == path).expect("a page");
        assert!(site.family_around(id("content/tour/users/ios.md")).is_some());
    }

    #[test]
    fn folders_that_resemble_platforms_are_not_a_family() {
        // No common names.
        check_families("", "a/linux/x.md | title: X\na/windows/y.md | title: Y", "", &[]);
        // One of many pages in common.
        let overview = "web/overview.md | title: W\nweb/a.md | title: A\nweb/b.md | title: B
             server/overview.md | title: S\nserver/c.md | title: C\nserver/d.md | title: D";
        check_families("", overview, "", &["no-family"]);
        // Platforms among pages about other topics.
        let stores = "stores/ios.md | title: A\nstores/android.md | title: B\nstores/fees.md | title: C
             stores/refunds.md | title: D\nstores/reviews.md | title: E";
        check_families("", stores, "", &[]);
    }

    #[test]
    fn pages_for_platforms_among_others_are_a_family_where_their_headings_agree() {
        let mut sources = Sources::default();
        let page = |title: &str, headings: &str| format!("---\ntitle: {title}\n---\n{headings}");
        for (name, headings) in [
            ("ios", "## Install\n## Configure\n## Test\n"),
            ("android", "## Install\n## Configure\n## Release\n"),
            ("web", "## Prices\n## Taxes\n"),
            ("fees", "## Prices\n## Taxes\n"),
            ("refunds", ""),
        ] {
            let path: SitePath = format!("content/stores/{name}.md").as_str().into();
            sources.pages.insert(path.clone(), Text::new(path, page(name, headings).into_bytes()));
        }
        let (site, _) = load(&sources, Config::default(), Selection::default(), &Openings::default())
            .expect("no roots to miss");
        assert_eq!(families(&site), "stores: ios(ios) android(android)");
    }

    #[test]
    fn a_folder_with_most_pages_of_a_platform_is_one() {
        let pages = |name: &str| -> String {
            let of = |folder: &str| -> String {
                let pages = ["a", "b", "c"].map(|page| format!("{folder}/{page}.md | title: {page}\n"));
                pages.concat()
            };
            of("ios") + &of("android") + &of(name)
        };
        let others = "ios(a b c) android(a b c)";
        check_families("", &pages("vision-box"), &format!("documentation: {others} vision-box(a b c)"), &[]);
        for name in ["guides", "en", "v2", "_parts"] {
            check_families("", &pages(name), &format!("documentation: {others}"), &[]);
        }
        check_families("", &pages("fluter"), &format!("documentation: {others}"), &["lone-platform"]);
    }

    #[test]
    fn a_title_has_no_attributes() {
        for (line, title) in [
            ("# How to pair  { #how-to }", "How to pair"),
            ("# A {#a}", "A"),
            ("# A {: .lead }", "A"),
            ("# Use {name}", "Use {name}"),
            ("# {#a}", ""),
        ] {
            let expected = Some(title).filter(|title| !title.is_empty());
            assert_eq!(title_heading(line, None, 1), expected, "{line}");
        }
    }

    #[test]
    fn the_reason_for_no_family_is_reported() {
        let pages = |one: &str, other: &str| format!("a/{one}/x.md | title: X\na/{other}/x.md | title: X");
        check_families("", &pages("andriod", "ios"), "", &["no-family"]);
        let declare = "declare the platforms in stepkin.toml: \
                       [[family]] layout = \"docs/{platform}/{section}/{step}\"";
        for (pages, expected) in [
            (
                pages("andriod", "ios"),
                "2 pages, no family: `a/andriod` isn't named after a platform; did you mean `android`?",
            ),
            (
                pages("ios", "guides"),
                &*format!(
                    "2 pages, no family: there is no other platform next to `a/ios` for iOS; {declare}"
                ),
            ),
            (
                pages("one", "two"),
                &*format!("2 pages, no family: no folder or page is named after a platform; {declare}"),
            ),
            (
                "web/a.md | title: A\nweb/b.md | title: B\nios/c.md | title: C\nios/d.md | title: D"
                    .to_string(),
                "4 pages, no family: the pages in `ios` and `web` have no names in common",
            ),
            (
                "web/a.md | title: A\nios/c.md | title: C".to_string(),
                "2 pages, no family: `ios` and `web` are named after platforms, but their pages differ too much",
            ),
            (String::new(), "0 pages, no family"),
        ] {
            check_summary("", &pages, expected);
        }
        let no_tutorial = "[[family]]\nroot = 'a'\ntutorial = false\n";
        check_families(no_tutorial, &pages("andriod", "ios"), "", &[]);
        check_summary(no_tutorial, &pages("web", "ios"), "2 pages, no family");
    }

    #[test]
    fn a_layout_says_where_the_pages_are() {
        let pages = "docs/apple/start/a.md | title: A
             docs/google/start/a.md | title: A
             docs/google/b.md | title: B";
        let layout = |layout: &str| format!("[[family]]\nlayout = '{layout}'\n");
        check_families("", pages, "", &[]);
        let family = "documentation: apple(a) google(b a)";
        check_families(&layout("docs/{platform}/{section}/{step}"), pages, family, &[]);
        check_families(&layout("content/docs/{platform}/{section}/{step}"), pages, family, &[]);
        let named = "[[family]]\nid = 'sdk'\ntitle = 'SDK'\nlayout = 'docs/{platform}/{section}/{step}'\n\
             [[family.platform]]\nid = 'apple'\nname = 'Apple'\n";
        let (site, _) = load_pages(named, &pages.replace("google", "ios"));
        assert_eq!(families(&site), "sdk: ios(b a) apple(a)");
        assert_eq!(site.families[FamilyId::from(0)].title, "SDK");
        let shared = format!("{pages}\ndocs/_shared/z.md | title: Z\ndocs/apple/b.md | title: B");
        let family = "documentation: apple(b a z) google(b a z)";
        check_families(&layout("docs/{platform}/{section}/{step}"), &shared, family, &[]);
        let steps = "x/a/apple.md | title: A\nx/a/google.md | title: A\nx/b/google.md | title: B";
        check_families(&layout("x/{step}/{platform}"), steps, "x: apple(apple) google(google google)", &[]);
    }

    #[test]
    fn steps_without_order_go_by_folders_numbers_and_names() {
        let pages = "ios/zebra.md | title: Z
             ios/10-last.md | title: L
             ios/2-first.md | title: F
             ios/users/index.md | title: U
             ios/users/b.md | title: B
             ios/users/a.md | title: A
             android/zebra.md | title: Z
             android/users/a.md | title: A";
        let family = "documentation: ios(2-first 10-last users a b zebra) android(a zebra)";
        check_families("", pages, family, &[]);
        let foreign = |navigation: Navigation, pages: &str, expected: &str, codes: &[&str]| {
            check_foreign(Kind::Docusaurus, navigation, pages, &format!("documentation: {expected}"), codes);
        };
        // In that case, number prefixes are parts of the names.
        let numbers = pages.replace("android/zebra", "android/07-zebra");
        foreign(Navigation::default(), &numbers, "ios(first last users a b zebra) android(zebra a)", &[]);
        let pages_of_list = ["ios/zebra", "ios/users/b.md", "ios/users/README"].map(str::to_string).into();
        let listed = Navigation {
            list: PageList { pages: pages_of_list, ..PageList::default() },
            ..Navigation::default()
        };
        foreign(listed, pages, "ios(zebra b users first last a) android(a zebra)", &[]);
        // Positions count in each folder. The position of a folder is that of its page, or the generator's.
        let ordered = "ios/z.md | title: Z; order: 1
             ios/users/index.md | title: U; order: 2
             ios/users/b.md | title: B; order: 1
             ios/users/a.md | title: A; order: 9
             ios/more/c.md | title: C; order: 1
             ios/last.md | title: L
             android/users/a.md | title: A; order: 1
             android/z.md | title: Z; order: 1
             android/b.md | title: B; order: 1";
        let said = FolderSettings { position: Some(1.5), ..FolderSettings::default() };
        let folders = || Navigation {
            folders: [("ios/more".to_string(), said.clone())].into(),
            ..Navigation::default()
        };
        foreign(folders(), ordered, "ios(z c users b a last) android(b z a)", &["duplicate-order"]);
        let steps = "[[family]]\nid = 'documentation'\nsteps = ['zebra', 'users/b.md']\n";
        check_families(
            steps,
            pages,
            "documentation: ios(zebra b 2-first 10-last users a) android(zebra a)",
            &[],
        );
    }

    #[test]
    fn two_families_in_one_folder_can_be_configured() {
        let config = "[[family]]\nid = 'server'\n\
             [[family.platform]]\nid = 'node'\nroot = 'start/node'\n\
             [[family.platform]]\nid = 'python'\nroot = 'start/python'\n";
        let pages = "start/web/input.md | title: Create an input; order: 1
             start/ios/input.md | title: Create an input; order: 1
             start/node/input.md | title: Create an input; order: 1
             start/python/input.md | title: Create an input; order: 1";
        check_families(config, pages, "start: web(input) ios(input)\nserver: node(input) python(input)", &[]);
        let (site, _) = load_pages(config, pages);
        let addresses: Vec<_> = site.families.iter().map(|family| family.address.as_str()).collect();
        assert_eq!(addresses, ["/start/", "/start/server/"]);
    }

    #[test]
    fn a_page_without_a_title_is_called_by_its_heading_or_its_name() {
        for (body, title) in [("# Set up #\n", "Set up"), ("# \n", "First steps"), ("Text", "First steps")] {
            let path: SitePath = "content/first-steps.md".into();
            let mut sources = Sources::default();
            sources.pages.insert(path.clone(), Text::new(path, body.into()));
            let (site, _) = load(&sources, Config::default(), Selection::default(), &Openings::default())
                .expect("no roots to miss");
            assert_eq!(site.documents[DocumentId::from(0)].title, title);
        }
    }

    #[test]
    fn folders_that_only_look_like_platforms_are_no_family() {
        check_families("", "a/web/x.md | title: X\na/ios/y.md | title: Y", "", &[]);
        check_families("", "a/web/x.md | title: X; order: 1", "", &[]);
    }

    #[test]
    fn shared_pages_are_used_where_a_platform_has_none() {
        check_families(
            "",
            "tour/web/start.md | title: Start; order: 1
             tour/ios/start.md | title: Start; order: 1
             tour/ios/end.md | title: End; order: 3
             tour/_shared/more/index.md | title: More; order: 2
             tour/_shared/end.md | title: End; order: 3
             tour/_shared/named.md | title: Named; order: 4; slug: slug; platforms: IOS",
            "tour: web(start more end) ios(start more end slug)",
            &[],
        );
    }

    #[test]
    fn shared_steps_count_when_families_are_found() {
        let pages = "tour/web/a.md | title: A; order: 1
             tour/web/b.md | title: B; order: 2
             tour/ios/c.md | title: C; order: 1
             tour/ios/d.md | title: D; order: 2\n";
        check_families("", pages, "", &["no-family"]);
        let shared = "tour/_shared/e.md | title: E; order: 3\ntour/_shared/f.md | title: F; order: 4";
        let families = "tour: web(a b e f) ios(c d e f)";
        check_families("", &format!("{pages}{shared}"), families, &[]);
    }

    #[test]
    fn shared_pages_go_to_platforms_gathered_from_elsewhere() {
        let config = "[[family]]\nid = 'new'\n[[family.platform]]\nid = 'android'\nroot = 'old/android'\n";
        let pages = "new/web/a.md | title: A; order: 1
             new/ios/a.md | title: A; order: 1
             new/_shared/b.md | title: B; order: 2
             old/_shared/c.md | title: C; order: 3";
        check_families(config, pages, "new: web(a b c) ios(a b c) android(b c)", &[]);
    }

    #[test]
    fn a_shared_page_without_platforms_around_it_is_not_published() {
        let shared = "tour/_shared/a.md | title: A; order: 1\n";
        check_families("", shared, "", &["unused-shared-page"]);
        let one = format!("{shared}tour/web/b.md | title: B; order: 1");
        check_families("", &one, "", &["unused-shared-page"]);
        let no_order = format!("{shared}tour/web/b.md | title: B\ntour/ios/c.md | title: C");
        check_families("", &no_order, "", &["unused-shared-page"]);
    }

    #[test]
    fn a_page_next_to_the_steps_uses_the_words_of_its_platform() {
        let pages = "tour/web/index.md | title: On {platform.name} with {kit}
             tour/web/a.md | title: A; order: 1
             tour/ios/a.md | title: A; order: 1
             tour/index.md | title: Use {kit} on {platform.name}";
        let (site, report) = load_pages("[variables]\nkit = 'Acme'", pages);
        assert!(report.is_empty(), "{report:?}");
        let titles: Vec<_> = site.documents.iter().map(|document| document.title.as_str()).collect();
        assert_eq!(titles, ["Use Acme on {platform.name}", "A", "On Web with Acme", "A"]);
        assert_eq!(site.families[FamilyId::from(0)].title, "Use Acme on {platform.name}");
    }

    #[test]
    fn a_root_without_pages_is_an_error_with_its_place() {
        let page = "---\ntitle: A\norder: 1\n---\n";
        let path: SitePath = "content/sdk/web/a.md".into();
        for (config, said) in [
            (
                "[[family]]\nid = 'a'\n[[family.platform]]\nid = 'web'\nroot = 'skd/web'\n",
                "stepkin.toml:5:8: `content/skd/web` contains no pages\n  | root = 'skd/web'\n  = help: did you mean `sdk/web`?",
            ),
            (
                "[[family]]\nroot = 'skd'\ntutorial = false\n",
                "stepkin.toml:2:8: `content/skd` contains no pages\n  | root = 'skd'\n  = help: did you mean `sdk`?",
            ),
            (
                "[[family]]\nroot = 'elsewhere'\ntutorial = false\n",
                "stepkin.toml:2:8: `content/elsewhere` contains no pages\n  | root = 'elsewhere'\n  \
                 = help: use a folder with pages, or remove the entry",
            ),
            (
                "[[family]]\nid = 'a'\n[[family.platform]]\nid = 'web'\n",
                "stepkin.toml:4:6: platform `web` of the family `a` has no folder\n  | id = 'web'\n  \
                 = help: add `root` with its folder in `content`",
            ),
            (
                "[[family]]\nlayout = 'docs/{platform}/{step}'\n",
                "stepkin.toml:2:10: no page matches the layout `docs/{platform}/{step}`\n  | layout = 'docs/{platform}/{step}'\n  \
                 = help: use folders in `content` or in the root, such as `docs/{platform}/{section}/{step}`",
            ),
            (
                "[[family]]\nlayout = 'sdk/{platform}/{step}'\nsteps = ['b']\n",
                "stepkin.toml:3:10: no platform of the family `sdk` has the step `b`\n  | steps = ['b']\n  \
                 = help: did you mean `a`?",
            ),
        ] {
            let mut sources = Sources::default();
            sources.pages.insert(path.clone(), Text::new(path.clone(), page.into()));
            sources.config = Some(Text::new("stepkin.toml".into(), config.into()));
            let parsed = input::config::parse(config).expect("a valid configuration");
            let error =
                load(&sources, parsed, Selection::default(), &Openings::default()).expect_err("no pages");
            assert_eq!(error.to_string(), said);
        }
    }
}
