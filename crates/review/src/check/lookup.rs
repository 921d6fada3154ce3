//! Data that rules look up: anchors, titles, numbers, and moved pages. Each is collected on first use.

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, OnceLock};

use serde_json::Value;

use super::naming::{Context, Naming, PlatformNames, contexts};
use super::near::SuggestionIndex;
use super::numbers::Numbers;
use super::unread::Unread;
use super::{Checked, Evidence, Subject, words};
use base::address::{self, Address};
use base::diagnostic::{Code, Problem};
use base::index::IndexVec;
use base::site_path::{self, SitePath};
use base::sort::StableSort as _;
use base::sorted::{SortedMap, SortedSet};
use base::store::lock;
use input::conventions::{AnchorRule, Syntax, are_nearly_all, document_name, labels_in};
use markup::markdown::{
    Omission, Page, PageAnchor, Reference, ReferenceForm, ids_of_contributors, ids_of_html_headings,
    ids_of_programs, repair,
};
use site::content::{Document, DocumentId, Family, FamilyId, Place, PlatformIx, PlatformOf, bare_title};
use site::plan::{Artifact, Import, Lookups};
use site::project::Project;
use site::work::Work;

/// Data for rules that is independent of the pages being checked.
#[derive(Debug)]
pub(super) struct SharedLookup<'a> {
    pub(super) evidence: &'a Evidence,
    /// The current addresses of renamed pages, by old address.
    former: SortedMap<Address, Address>,
    /// Included files. Anchors to which they link may be on any page that includes them.
    pub(super) included: SortedSet<SitePath>,
    /// The most similar address for each missing one, because many links often have the same missing target.
    suggestions: Mutex<HashMap<MissingTarget, Option<(usize, String)>>>,
    /// Addresses that may be suggested, collected on first use.
    near: OnceLock<SuggestionIndex>,
    unread: Unread,
    /// Addresses of several pages. Which of them has an anchor is unknown.
    pub(super) of_several: SortedSet<Address>,
    /// The labels of a Sphinx site, in lower case: links find them on any page.
    pub(super) labels: SortedSet<String>,
    /// The names of a Sphinx site's documents in all formats.
    pub(super) names: SortedSet<String>,
    /// The shortcodes of a Hugo site's own templates.
    pub(super) shortcodes: SortedSet<String>,
    /// The parameters in the front matter of a Hugo site's pages, in lower case, with dots between nested names.
    pub(super) parameters: SortedSet<String>,
    /// The names of the posts of a Jekyll site.
    pub(super) posts: SortedSet<String>,
    /// Pages by title, collected on first use.
    titles: OnceLock<HashMap<String, Vec<DocumentId>>>,
    /// Names of images by the address of their folder, collected on first use.
    images: OnceLock<HashMap<String, Vec<String>>>,
}

/// A missing target: its path, the rule of its finding, and the platform of the page with the link.
type MissingTarget = (String, Code, Option<PlatformOf>);

/// The pages that rendering generates for families and folders. Rendering follows the check, so the check accesses it
/// through this trait.
pub trait GeneratedPages: std::fmt::Debug + Sync {
    /// Returns the anchors of a generated page in addition to those of its text, or `None` for any other artifact.
    fn anchors(&self, artifact: &Artifact) -> Option<Vec<String>>;
}

/// Data for rules that check some pages of a site.
#[derive(Debug)]
pub struct Lookup<'a> {
    pub(super) work: &'a Work,
    pub(super) shared: &'a SharedLookup<'a>,
    generated: &'a dyn GeneratedPages,
    /// Created on first use.
    pages: IndexVec<DocumentId, PageLookup<'a>>,
    /// The numbers of a platform's steps and sections, collected on first use.
    numbers: IndexVec<FamilyId, IndexVec<PlatformIx, OnceLock<Numbers<'a>>>>,
    /// The misspelled words of a family's steps, collected on first use.
    misspelled: IndexVec<FamilyId, OnceLock<Vec<(&'a Document, Problem)>>>,
    /// The names of a family's platforms.
    names: IndexVec<FamilyId, OnceLock<PlatformNames<'a>>>,
}

/// Data about one page.
#[derive(Debug, Default)]
struct PageLookup<'a> {
    anchors: OnceLock<Vec<&'a PageAnchor>>,
    made: OnceLock<GeneratedIds>,
    naming: OnceLock<Vec<Naming<'a>>>,
    contexts: OnceLock<HashSet<Context>>,
}

/// IDs that the generator creates on a page.
#[derive(Debug, Default)]
struct GeneratedIds {
    ids: HashSet<String>,
    /// The letters of IDs by an unknown rule.
    letters: HashSet<String>,
    /// Starts of IDs whose rest only the generator knows.
    starts: Vec<String>,
    /// Number of anchors with underscores to which the page links on itself.
    underscores: usize,
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
            of_several: of_several(project),
            labels: labels(project),
            names: names(project),
            shortcodes: shortcodes(project),
            parameters: parameters(project),
            posts: posts(project),
            titles: OnceLock::new(),
            images: OnceLock::new(),
        }
    }

    /// Returns all information from outside the pages on which findings of a page depend, and the folders of
    /// platforms.
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
            "{routes:?} {sites} {external:?} {:?} {unread} {platforms:?} {versions:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
            self.former,
            self.included,
            self.of_several,
            self.labels,
            self.names,
            self.shortcodes,
            self.parameters,
            self.posts
        )
    }
}

/// Returns the letters and digits of a text in lower case, the part on which all rules for heading IDs agree.
pub(super) fn letters(text: &str) -> String {
    address::letters(text).collect()
}

/// Returns the letters, digits and underscores of a text, in lower case.
fn word_letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric() || *c == '_').flat_map(char::to_lowercase).collect()
}

/// Returns the rule by which a program shows only this page: nearly all links to its own headings work by it, and several don't work
/// by the rule of the site.
fn other_rule(page: &Page) -> Option<AnchorRule> {
    const FEWEST: usize = 5;
    let known: HashSet<&str> = page.anchors.iter().map(|anchor| anchor.id.as_str()).collect();
    let linked: SortedSet<&str> =
        page.references.iter().filter_map(|reference| reference.target.strip_prefix('#')).collect();
    let is_by = |rule: &AnchorRule| {
        let ids: HashSet<String> = page.heading_ids(*rule).collect();
        let (fit, unfit): (Vec<&str>, Vec<&str>) = (linked.iter().copied())
            .filter(|id| known.contains(id) != ids.contains(*id))
            .partition(|id| ids.contains(*id));
        fit.len() >= FEWEST && are_nearly_all(fit.len(), fit.len() + unfit.len())
    };
    let mut rules = AnchorRule::Any.rules().iter().chain([&AnchorRule::Pandoc]);
    rules.find(|rule| is_by(rule)).copied()
}

/// Returns the text of a heading without short names of emoji, as in `:warning: Limits`. `pymdownx.emoji` replaces them
/// with images.
fn without_short_names(heading: &str) -> String {
    let is_short_name = |word: &&str| word.len() > 2 && word.starts_with(':') && word.ends_with(':');
    let words: Vec<&str> = heading.split(' ').filter(|word| !is_short_name(word)).collect();
    words.join(" ")
}

/// Returns the IDs of headings up to the output of a template, as in `Limits {{ version }}`.
fn starts_of_ids(page: &Page, rule: AnchorRule) -> Vec<String> {
    let before = |text: &str| {
        let start = ["{{", "{%", "<%"].iter().filter_map(|mark| text.find(mark)).min()?;
        let id = rule.id(text[..start].trim_end());
        (!id.is_empty()).then_some(id)
    };
    page.headings.iter().filter_map(|heading| before(&heading.text)).collect()
}

/// Returns the values of all attributes `title` and `label` in a text.
fn titles_in_attributes<'t>(text: &'t str) -> Vec<&'t str> {
    let of = |name: &str| {
        let starts = text.match_indices(name).map(|(at, name)| &text[at + name.len()..]);
        let value = |rest: &'t str| {
            let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
            Some(rest[1..].split_once(quote)?.0)
        };
        starts.filter_map(value).collect::<Vec<_>>()
    };
    ["title=", "label="].into_iter().flat_map(of).collect()
}

/// Returns the letters of a heading's ID by all rules: with and without words for signs. Some generators take the ID from the
/// text in HTML (`&lt;name&gt;`), and `GitBook` names the signs.
fn all_letters(heading: &str) -> Vec<String> {
    const RULES: [&[(&str, &str)]; 3] = [
        &[],
        &[("&", "amp"), ("<", "lt"), (">", "gt")],
        &[
            ("&", "and"),
            ("<", "lessthan"),
            (">", "greaterthan"),
            ("|", "or"),
            ("$", "dollar"),
            ("%", "percent"),
        ],
    ];
    let by = |rule: &&[(&str, &str)]| {
        let named = rule.iter().fold(heading.to_string(), |text, (sign, word)| text.replace(sign, word));
        letters(&named)
    };
    RULES.iter().map(by).collect()
}

/// Returns the labels in the sources of a Sphinx site, and those of the files that aren't read. Others have none.
fn labels(project: &Project) -> SortedSet<String> {
    let repository = &project.site.repository;
    if !repository.convention.has(Syntax::Myst) {
        return SortedSet::new();
    }
    let texts = project.sources.pages.values();
    let written = texts.flat_map(|text| labels_in(&text.text()));
    let parts = project.site.documents.iter().flat_map(|document| document.dialect.parts.values());
    let included = parts.flat_map(|part| labels_in(&part.text));
    written.chain(included).chain(repository.layouts.iter().cloned()).map(|it| it.to_lowercase()).collect()
}

/// Returns the names of the documents in a Sphinx site's folder.
fn names(project: &Project) -> SortedSet<String> {
    let repository = &project.site.repository;
    if !repository.convention.has(Syntax::Myst) {
        return SortedSet::new();
    }
    let files = project.sources.files();
    // Pages may be symbolic links.
    let pages = project.sources.pages.keys().map(SitePath::as_str);
    let all = files.iter().map(String::as_str).chain(pages);
    all.filter_map(|file| document_name(repository.below_content(file)?)).map(str::to_string).collect()
}

/// Returns the names for Hugo's `param`: <https://gohugo.io/shortcodes/param/>. Those in `cascade` belong to the pages below.
fn parameters(project: &Project) -> SortedSet<String> {
    fn add(outer: &str, key: &str, value: &Value, found: &mut Vec<String>) {
        let name = match outer {
            "" if matches!(key, "cascade" | "params") => String::new(),
            "" => key.to_lowercase(),
            _ => format!("{outer}.{}", key.to_lowercase()),
        };
        let tables = match value {
            Value::Object(table) => vec![table],
            Value::Array(items) if name.is_empty() => items.iter().filter_map(Value::as_object).collect(),
            _ => return found.push(name),
        };
        for (key, value) in tables.into_iter().flatten() {
            add(&name, key, value, found);
        }
    }
    let mut found = Vec::new();
    if project.site.repository.convention.has(Syntax::Shortcodes) {
        for (key, value) in project.site.documents.iter().flat_map(|document| &document.front.extra) {
            add("", key, value, &mut found);
        }
    }
    found.into()
}

/// Returns the names of the templates of shortcodes, also of themes: `docs/intro` for `layouts/shortcodes/docs/intro.html`.
fn shortcodes(project: &Project) -> SortedSet<String> {
    if !project.site.repository.convention.has(Syntax::Shortcodes) {
        return SortedSet::new();
    }
    let files = project.sources.files();
    let names = files.iter().filter_map(|file| file.split_once("layouts/shortcodes/")?.1.rsplit_once('.'));
    names.map(|(name, _)| name.to_string()).collect()
}

/// Returns the names of the posts of a Jekyll site: `2026-01-31-title`.
fn posts(project: &Project) -> SortedSet<String> {
    if !project.site.repository.convention.has(Syntax::Liquid) {
        return SortedSet::new();
    }
    let files = project.sources.files();
    let pages = project.sources.pages.keys().map(SitePath::as_str);
    let all = files.iter().map(String::as_str).chain(pages);
    let names = all.filter(|file| file.contains("_posts/")).map(site_path::file_name);
    names.filter_map(|name| name.rsplit_once('.')).map(|(name, _)| name.to_string()).collect()
}

/// Returns the addresses that several pages have. In a Stepkin site, the first page keeps its address.
fn of_several(project: &Project) -> SortedSet<Address> {
    if project.site.repository.is_ours() {
        return SortedSet::default();
    }
    let mut known = HashSet::new();
    let addresses = project.site.documents.iter().map(|document| &document.address);
    addresses.filter(|address| !known.insert(*address)).cloned().collect()
}

/// Returns the pages that other pages include.
pub(super) fn included(project: &Project) -> SortedSet<SitePath> {
    let documents = &project.site.documents;
    let parts = documents.iter().flat_map(|document| document.dialect.parts.values());
    parts.map(|part| part.path.clone()).collect()
}

/// Returns the start of the first tag that includes a file, in any of the usual template languages.
fn inclusion(text: &str) -> Option<&str> {
    let includes = |at: usize| {
        let tag = &text[at + 1..];
        tag.starts_with(['%', '{'])
            && tag.trim_start_matches(['%', '{', '<', '#', '-', ' ', '\n']).starts_with("include")
    };
    let at = text
        .find("--8<--")
        .or_else(|| text.find("[include \""))
        .or_else(|| text.match_indices('{').map(|(at, _)| at).find(|at| includes(*at)))?;
    text[at..].lines().next().map(str::trim)
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
            misspelled: work.project.site.families.iter().map(|_| OnceLock::new()).collect(),
            names: work.project.site.families.iter().map(|_| OnceLock::new()).collect(),
        }
    }

    /// Returns the findings of a page, and records in `asked` on what they depend in addition to the page's unit.
    pub fn page(&self, id: DocumentId, asked: &Lookups) -> Checked {
        super::page(self.work, self, id, asked)
    }

    /// Returns the anchors of a page, sorted by ID. Equal IDs are in the order of the page.
    pub(super) fn anchors(&self, id: DocumentId) -> &[&'a PageAnchor] {
        self.pages[id].anchors.get_or_init(|| {
            let mut anchors: Vec<_> = self.work.pages[id].anchors.iter().collect();
            anchors.stable_sort_by_key(|anchor| &anchor.id);
            anchors
        })
    }

    /// Returns the first anchor of a page with an ID.
    pub(super) fn anchor(&self, page: DocumentId, id: &str) -> Option<&'a PageAnchor> {
        let anchors = self.anchors(page);
        let first = anchors.partition_point(|anchor| anchor.id.as_str() < id);
        anchors.get(first).copied().filter(|anchor| anchor.id == id)
    }

    /// Whether the generator creates this ID on a page by a rule other than that of the page's anchors.
    pub(super) fn is_made(&self, page: DocumentId, id: &str) -> bool {
        /// Minimum number of links on a page with underscores that show another rule.
        const FEWEST_UNDERSCORES: usize = 5;
        let repository = &self.work.project.sources.repository;
        let made = self.pages[page].made.get_or_init(|| {
            let (page, document) = (&self.work.pages[page], self.work.project.site.document(page));
            let rule = repository.anchors;
            let text = if repository.is_ours() { String::new() } else { document.text().into_owned() };
            // The rule is that of GitHub, or was found by links.
            let is_any = rule == AnchorRule::Any || repository.is_guessed();
            let in_html = if is_any { ids_of_html_headings(&text) } else { Vec::new() };
            let of_programs = if repository.is_guessed() { ids_of_programs(&text) } else { Vec::new() };
            let other = repository.is_guessed().then(|| other_rule(page)).flatten();
            let by_rules = rule.rules().iter().skip(1).chain(&other).flat_map(|rule| page.heading_ids(*rule));
            let ids = by_rules.chain(page.other_anchors.iter().map(|anchor| anchor.id.clone()));
            let headings = page.headings.iter().filter(|_| rule == AnchorRule::Any);
            let headings = headings.map(|heading| heading.text.as_str());
            // GitHub's page of a file has this ID around its content.
            let of_file = is_any.then(|| "readme".to_string());
            // Labels of MyST, whose configuration may be elsewhere.
            let labels = if is_any { labels_in(&text) } else { Vec::new() };
            let ids = ids.chain(of_file).chain(labels);
            let bare = (rule == AnchorRule::Python || document.dialect.has(Syntax::Indented))
                .then(|| page.headings.iter().map(|heading| rule.id(&without_short_names(&heading.text))));
            let ids = ids.chain(bare.into_iter().flatten());
            let parts = document.dialect.parts.values().filter(|_| !repository.is_ours());
            let contributors =
                parts.map(|part| &*part.text).chain([text.as_str()]).flat_map(ids_of_contributors);
            // An element in a heading is a part of the text if the generator shows it.
            let with_elements = text
                .lines()
                .filter(|line| rule == AnchorRule::Any && line.starts_with('#') && line.contains(['<', '{']));
            // Some sites leave out an element at the end of a heading.
            let before_elements = with_elements.clone().filter_map(|line| line.split('<').next());
            let headings = headings.chain(with_elements).chain(before_elements);
            // Components such as `<Accordion title="A">` and `<Tab title="A">` of Mintlify also have IDs.
            let is_mdx = repository.is_guessed() && document.dialect.has(Syntax::Mdx);
            let titles = if is_mdx { titles_in_attributes(&text) } else { Vec::new() };
            let headings = headings.chain(titles);
            let own = page.references.iter().filter_map(|reference| reference.target.strip_prefix('#'));
            GeneratedIds {
                underscores: own.filter(|id| id.contains('_')).collect::<SortedSet<_>>().len(),
                starts: if repository.is_ours() { Vec::new() } else { starts_of_ids(page, rule) },
                ids: ids.chain(in_html).chain(contributors).chain(of_programs).collect(),
                letters: headings
                    .flat_map(|it| all_letters(it).into_iter().chain([word_letters(it)]))
                    .collect(),
            }
        });
        let is_start = |start: &String| id.starts_with(start.as_str());
        // Known rules replace spaces with hyphens, so an underscore is one of the heading.
        let is_known = made.underscores < FEWEST_UNDERSCORES && repository.unknown_generator.is_none();
        // docsify adds one before a number.
        let inner = id.trim_start_matches('_');
        let letters = if inner.contains('_') && is_known { word_letters(inner) } else { letters(id) };
        // The IDs of Redcarpet, which older versions of Jekyll use.
        let number = id.strip_prefix("toc_").and_then(|it| it.parse::<usize>().ok());
        let is_numbered = repository.convention.has(Syntax::Kramdown)
            && number.is_some_and(|number| number < self.work.pages[page].headings.len());
        made.ids.contains(id)
            || made.letters.contains(&letters)
            || made.starts.iter().any(is_start)
            || is_numbered
    }

    /// Returns all anchors of an artifact, from its text and generated, or `None` if they are unknown.
    pub(super) fn anchors_at(&self, artifact: &Artifact) -> Option<Vec<String>> {
        let made = self.generated.anchors(artifact);
        let document = artifact.document();
        if made.is_none() && document.is_none() {
            return None;
        }
        let written = document.map(|id| &self.work.pages[id].anchors).into_iter().flatten();
        Some(written.map(|anchor| anchor.id.clone()).chain(made.into_iter().flatten()).collect())
    }

    /// Returns the content that was left out of a page if it may contain an anchor. An unknown generator may read another file
    /// in place of a tag that Stepkin shows as text.
    pub(super) fn left_out(&self, id: DocumentId, wanted: &str) -> Option<String> {
        let repository = &self.work.project.sources.repository;
        let document = self.work.project.site.document(id);
        let text = LazyCell::new(|| document.unwrapped_text());
        // A component within a line has an anchor of its text or attributes at most.
        let is_in_line = |it: &Omission| {
            let before = text.get(..it.span.start)?.rsplit('\n').next()?;
            let line = text.get(it.span.start..)?.lines().next()?;
            let is_within =
                before.contains(|c: char| c.is_alphanumeric() || c == '|') && it.span.len() <= line.len();
            Some(is_within && !letters(line).contains(&letters(wanted)))
        };
        let may_hold_anchors = |it: &&Omission| match &*it.kind {
            "jsx-expression" | "template-output" => false,
            "hugo-shortcode" => !repository.simple_shortcodes.contains(&it.name),
            "mdx-component" => !is_in_line(it).unwrap_or_default(),
            _ => true,
        };
        let left_out = self.work.pages[id].left_out.iter().find(may_hold_anchors).map(|it| it.name.clone());
        let convention = repository.convention;
        let has_tags = convention.has_programs_for_texts && !convention.has(Syntax::Mdbook);
        let text = (left_out.is_none() && (has_tags || repository.is_guessed())).then(|| document.text());
        // Plugins have tags. The generator's own forms are known.
        let is_unread = |tag: &&str| repository.is_guessed() || tag.starts_with('{');
        left_out.or_else(|| inclusion(&text?).filter(is_unread).map(str::to_string))
    }

    /// Returns the current address of a page that had this address.
    pub(super) fn former(&self, address: &Address) -> Option<&'a Address> {
        self.shared.former.get(address)
    }

    /// Returns the pages with a title, ignoring case and number.
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

    /// Returns the names of the images in a folder, which ends with a slash.
    pub(super) fn images_in(&self, folder: &str) -> &[String] {
        let images = self.shared.images.get_or_init(|| {
            let mut images: HashMap<String, Vec<String>> = HashMap::new();
            for (address, artifact) in self.work.project.plan.artifacts() {
                let Artifact::Asset(path) = artifact else { continue };
                let is_image =
                    self.work.project.sources.assets.get(path).is_some_and(|it| it.picture.is_some());
                if is_image {
                    let name = site_path::file_name(address.as_str());
                    let folder = address.as_str().strip_suffix(name).unwrap_or_default();
                    images.entry(folder.to_string()).or_default().push(name.to_string());
                }
            }
            images
        });
        images.get(folder).map_or(&[], Vec::as_slice)
    }

    /// Returns the numbers of the platform's steps and sections.
    pub(super) fn numbers(&self, place: Place) -> &Numbers<'a> {
        let numbers = || Numbers::of(self.work, self.work.project.site.platform_of(place));
        self.numbers[place.family][place.platform].get_or_init(numbers)
    }

    /// Returns the misspelled words of a page on a Stepkin site. Other sites are compared as a whole.
    pub(super) fn misspelled(&self, id: DocumentId) -> Vec<Problem> {
        let site = &self.work.project.site;
        if !site.repository.is_ours() {
            return Vec::new();
        }
        let Some(place) = site.place(id) else { return words::misspelled_on_page(site.document(id)) };
        let of_family = || words::misspelled_in_family(site, place.family);
        let found = self.misspelled[place.family].get_or_init(of_family).iter();
        let own = found.filter(|(document, _)| document.path == site.document(id).path);
        own.map(|(_, problem)| problem.clone()).collect()
    }

    /// Returns the sorted sentences on a step's page that mention a platform of its family.
    pub(super) fn naming(&self, id: DocumentId, family: FamilyId) -> &[Naming<'a>] {
        let names =
            self.names[family].get_or_init(|| PlatformNames::of(&self.work.project.site.families[family]));
        self.pages[id].naming.get_or_init(|| names.in_sentences(&self.work.pages[id].prose))
    }

    /// Returns the contexts of the platform's own name on a step's page.
    pub(super) fn contexts(
        &self,
        id: DocumentId,
        family: FamilyId,
        platform: PlatformIx,
    ) -> &HashSet<Context> {
        let contexts = || contexts(self.naming(id, family), platform);
        self.pages[id].contexts.get_or_init(contexts)
    }

    /// Returns the address most similar to a missing path, with its distance.
    pub(super) fn nearest(&self, path: &str, code: Code, subject: &Subject<'_>) -> Option<(usize, String)> {
        subject.map.note(|| Import::Addresses);
        let near = self.shared.near.get_or_init(|| SuggestionIndex::new(self.work));
        let own = subject.document.address.as_str();
        let key = (path.to_string(), code, near.platform_of(own));
        let nearest = |except: Option<&str>| {
            let found = near.nearest(path, code, key.2, except);
            found.map(|(distance, address)| (distance, address.to_string()))
        };
        let known = lock(&self.shared.suggestions).get(&key).cloned();
        let found = known.unwrap_or_else(|| {
            let found = nearest(None);
            lock(&self.shared.suggestions).insert(key.clone(), found.clone());
            found
        });
        // A link from a page to itself is never intended.
        if found.as_ref().is_some_and(|(_, address)| address == own) { nearest(Some(own)) } else { found }
    }

    /// Whether a draft has a decoded path.
    pub(super) fn is_draft(&self, path: &str) -> bool {
        self.shared.unread.draft(path).is_some()
    }

    /// Returns the help for a page whose file exists but isn't read.
    pub(super) fn unread(&self, path: &str) -> Option<String> {
        self.shared.unread.help(path)
    }
}

/// Adds the edit that replaces the target, if the file contains the target exactly as parsed.
pub(super) fn exactly(
    problem: Problem,
    subject: &Subject<'_>,
    reference: &Reference,
    target: String,
) -> Problem {
    let is_in_place = subject.text.get(reference.span.clone()) == Some(reference.target.as_str());
    let is_target = reference.form == ReferenceForm::Target;
    if !is_in_place || !is_target || subject.means_several(reference) {
        return problem;
    }
    problem.edit(reference.span.clone(), target)
}

/// Returns the old addresses of pages that git reports as renamed, with the current ones.
fn former_addresses(project: &Project, evidence: &Evidence) -> SortedMap<Address, Address> {
    if evidence.renames.is_empty() {
        return SortedMap::new();
    }
    let mut present: HashMap<&str, Vec<&Document>> = HashMap::new();
    for document in &project.site.documents {
        present.entry(document.path.as_str()).or_default().push(document);
    }
    let mut former: SortedMap<Address, Address> = SortedMap::new();
    let mut later: HashMap<&str, &str> = HashMap::new();
    // The newest rename comes first, so the later names of a path are known.
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

/// Returns the address of a document when its file was `from`, or `None` if that belonged to another platform.
fn former_address(project: &Project, from: &SitePath, document: &Document) -> Option<Address> {
    let repository = &project.site.repository;
    let root = document.platform_root();
    let below = repository.below_content(from.as_str())?;
    match (site_path::shared(below), root) {
        (Some((_, step)), Some(root)) => Some(repository.address(&format!("{root}/{step}"), None, None)),
        // A page of one platform that is now shared.
        (None, Some(root)) if !site_path::is_inside(below, root) => None,
        (Some(_), None) => None,
        (None, _) => Some(repository.address(below, None, None)),
    }
}

fn title_key(title: &str) -> String {
    bare_title(title).to_lowercase()
}
