//! All stages in order, up to the check.

#[cfg(test)]
mod planned;
mod stages;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use jiff::civil::Date;

use crate::output::cache::Cache;
use crate::output::render::{self, Rendering};
use crate::output::unit::{self, Share};
use base::diagnostic::{Code, Report, Reported};
use base::error::{Error, Result};
use base::site_path::CONFIG;
use base::timings::{Stage, stage};
use input::config::{self, Age, Config, Level, LevelledCode, LinkedSite};
#[cfg(feature = "external")]
use input::external;
use input::link_map::{self, LinkMap, Unusable};
use input::source::git::Days;
use input::source::{self, PublishedLanguage, Sources, Text, git};
#[cfg(feature = "external")]
use review::check;
use review::check::{Evidence, Routes, Sites, Unused};
use review::drift;
use review::translations::{self, Compare, MissingHistory};
use site::alternates::{Alternates, LanguageSite};
use site::content::{self, Selection, Site};
use site::family::{self, Families};
use site::lags::KnownLags;
use site::memo::{Dependency, Memo, MemoKey};
use site::pages::{Detail, Pages};
use site::plan::{Artifact, LinkStyle};
use site::project::Project;
use site::views;
use site::work::Work;

/// Options of a run.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "the options are independent")]
pub struct Options {
    pub selection: Selection,
    /// Replaces the configured `base_url`.
    pub base_url: Option<String>,
    pub links: LinkStyle,
    /// Whether to leave out the search, regardless of the configuration.
    pub no_search: bool,
    /// Whether to create smaller versions of images, if the configuration enables them.
    pub renditions: bool,
    /// Whether to run the commands that draw diagrams and cards. The configuration alone never runs a program, because a pull
    /// request may change it.
    pub draw: bool,
    /// Whether to get the dates of the last commits from git, for pages that show them.
    pub days: bool,
    /// Whether to search git's history for missing pages.
    pub history: bool,
    /// The parts of pages to parse. Pages are parsed completely when they are rendered.
    pub parts: Detail,
    /// Rules to report in addition to those that are on by default.
    pub reported: Vec<Code>,
    /// Whether to plan the site only in the language of the original, without translations.
    pub original_only: bool,
    /// The units to render and check.
    pub share: Share,
    /// Returns the current day, if maps of other sites are checked for their age. The day depends on the time zone, whose
    /// file most runs don't have to read.
    pub today: Option<fn() -> Date>,
    /// Whether to compare platforms, and which of them.
    pub drift: Option<drift::Scope>,
    /// Whether to check external links, and how.
    #[cfg(feature = "external")]
    pub external: Option<external::ExternalOptions>,
}

/// Reads the site in `root`, and the files that its pages include.
///
/// # Errors
///
/// Same as for [`source::read`].
pub fn read(root: &Path, cache: &Cache) -> Result<Sources> {
    with_parts(source::read(root)?, cache)
}

/// Reads a site to compare its versions. Several sites that are versions of one another are read as one.
///
/// # Errors
///
/// The errors of [`read()`].
pub fn read_versions(root: &Path, cache: &Cache) -> Result<Sources> {
    with_parts(source::read_versions(root)?, cache)
}

/// Adds the files that pages include to `sources`.
///
/// # Errors
///
/// If an included file can't be read.
pub fn with_parts(mut sources: Sources, cache: &Cache) -> Result<Sources> {
    complete(&mut sources, cache)?;
    Ok(sources)
}

/// Adds everything to sources that follows from their files: the files that pages include, and the languages.
///
/// # Errors
///
/// If an included file can't be read.
pub fn complete(sources: &mut Sources, cache: &Cache) -> Result<()> {
    content::include(sources, &cache.openings)?;
    sources.find_languages();
    Ok(())
}

/// Adds the hashes of images that get smaller versions to `sources`.
///
/// # Errors
///
/// If an image can't be read.
pub fn with_hashes(mut sources: Sources) -> Result<Sources> {
    let config = sources.config.as_ref().and_then(|text| config::parse(&text.text()).ok());
    if config.is_none_or(|config| config.images.enabled) {
        sources.hash_pictures()?;
    }
    Ok(sources)
}

/// Plans a site. All planned sites come from this function. Unchanged results are taken from `cache`.
///
/// The report contains all findings so far, including all that block a build.
///
/// # Errors
///
/// If the configuration is invalid, or an image can't be read.
pub fn plan(
    sources: impl Into<Arc<Sources>>,
    options: &Options,
    cache: &Cache,
) -> Result<Reported<Rendering>> {
    let sources: Arc<Sources> = sources.into();
    let views = views(&sources, options)?;
    if views.is_empty() || options.original_only {
        let original = views.into_iter().next().unwrap_or(sources);
        let planned = plan_one(original, options, cache)?;
        cache.openings.hold(&planned.site.documents);
        return Ok(planned.complete(None));
    }
    cache.memo.hold_languages(views.len());
    let planned: Vec<PlannedSite> =
        views.into_iter().map(|view| plan_one(view, options, cache)).collect::<Result<_>>()?;
    let documents: Vec<_> =
        planned.iter().flat_map(|planned| planned.site.documents.iter().cloned()).collect();
    cache.openings.hold(&documents);
    let sites = planned.iter().filter_map(|planned| {
        let view = planned.sources.view.as_deref()?;
        Some(LanguageSite::new(view, &planned.site, planned.laid_out.plan.clone()))
    });
    let alternates = Arc::new(Alternates::new(sites.collect(), cache.pages.clone(), cache.lags.clone()));
    let mut completed = planned.into_iter().map(|planned| planned.complete(Some(alternates.clone())));
    let (original, mut report) = completed.next().expect("the original is the first");
    let translations = completed.map(|(work, found)| {
        report.extend(own(&work, found));
        Arc::new(work)
    });
    let translations = translations.collect();
    Ok((original.with_translations(translations), report.sorted()))
}

/// Returns the sources of each language, if there are several.
fn views(sources: &Arc<Sources>, options: &Options) -> Result<Vec<Arc<Sources>>> {
    if sources.view.is_some() || sources.languages().is_none() {
        return Ok(Vec::new());
    }
    let languages = configuration(sources, options)?.languages;
    Ok(views::views(sources, &languages, options.original_only))
}

/// Returns the findings on pages of a translation. All others are also among the findings on the original.
fn own(work: &Rendering, found: Report) -> Report {
    found.into_iter().filter(|it| work.project.sources.owns(&it.file)).collect()
}

/// The site in one language, before the pages of the other languages are known.
struct PlannedSite {
    sources: Arc<Sources>,
    site: Site,
    pages: Pages,
    families: Families,
    laid_out: Arc<stages::LaidOut>,
    themed: Arc<stages::LoadedTheme>,
    days: Arc<Days>,
    links: LinkStyle,
    found: Report,
}

/// Plans the site in one language.
fn plan_one(sources: Arc<Sources>, options: &Options, cache: &Cache) -> Result<PlannedSite> {
    let loaded = stages::site(&sources, options, cache)?;
    let site = loaded.site.with_texts(&sources);
    let pages = Pages::of(&site, &cache.pages, options.parts);
    // A list that can't be read is reported when links are checked.
    let routes: Arc<str> = routes_text(&sources, &site.config).unwrap_or_default().into();
    let (themed, ((families, align_found), (laid_out, of_drawings))) = rayon::join(
        || stages::theme(&sources, &site.config.language, cache),
        || {
            let align = || family::align(&site, &pages, &cache.memo, loaded.key);
            let plan = || {
                let (drawings, found) = stages::drawings((&site, &pages), &sources, options, cache);
                let laid_out = stages::plan(&loaded, (&sources, &routes, &drawings), options, cache);
                (laid_out, found)
            };
            rayon::join(align, plan)
        },
    );
    let laid_out = laid_out?;
    let all = [&loaded.found, &align_found, &laid_out.found, &of_drawings, &themed.found];
    let all = all.into_iter().flatten();
    let found = all.cloned().collect::<Report>().sorted();
    let days = stages::days(&sources, &site.config, options, cache);
    Ok(PlannedSite { sources, site, pages, families, laid_out, themed, days, links: options.links, found })
}

impl PlannedSite {
    fn complete(self, alternates: Option<Arc<Alternates>>) -> Reported<Rendering> {
        let Self { sources, site, pages, families, laid_out, themed, days, links, found } = self;
        let project = Project {
            days,
            sources,
            site,
            families,
            plan: laid_out.plan.clone(),
            links,
            words: themed.words.clone(),
            alternates,
            key: laid_out.key,
        };
        let work = Rendering::new(Arc::new(project), themed.theme.clone(), pages);
        let mut report = found;
        // The built-in templates are valid.
        if !work.project.sources.templates.is_empty() {
            report.extend(render::check_templates(&work));
        }
        (work, report)
    }
}

/// Returns all findings on a planned site. `found` contains the findings from planning. Setting `stop` ends the check
/// early, and the report is then incomplete.
///
/// # Errors
///
/// If a file outside the pages that the check needs can't be read.
pub fn check(
    work: &Rendering,
    options: &Options,
    cache: &Cache,
    found: Report,
    stop: Option<&AtomicBool>,
) -> Result<Report> {
    let evidence = evidence(work, options, cache)?;
    let mut found = found;
    found.extend(translations::check(work.project.sources.whole(), options.history));
    if let Some(scope) = &options.drift {
        let compare = Compare { today: scope.today, since: None };
        let compared = translations::compare(work.project.sources.whole(), compare, &cache.translations)?;
        found.extend(compared.map_or_else(Report::default, |compared| compared.report(None)));
        cache.flush_translations();
    }
    let of_translations = match work.translations() {
        [] => None,
        _ => Some(evidence_of_translations(work, &evidence)),
    };
    let read = |work, evidence| unit::read(work, evidence, &cache.units, &options.share, stop);
    let translations = work.translations().iter().zip(of_translations.iter().cycle());
    let translations: Vec<_> = translations.map(|(work, evidence)| read(&**work, evidence)).collect();
    Ok(read(work, &evidence).join(found, translations.iter()))
}

/// Finds the translated pages that are behind their originals, which then have a notice for readers. Returns whether any has
/// changed, and how git's history is incomplete if that leaves some unknown. A site without translations takes no time.
///
/// # Errors
///
/// If git fails or `translations.lock` can't be read.
pub fn find_lags(work: &Rendering, cache: &Cache) -> Result<LagsFound> {
    if !has_lags(work) {
        return Ok(LagsFound::default());
    }
    let (sources, config) = (work.project.sources.whole(), &work.project.site.config);
    let has_status = config.languages.status == Some(true);
    let compared = if has_status {
        // A page never shows how many days ago it was outdated, because that depends on the day of the build.
        let compare = Compare { today: Date::ZERO, since: None };
        translations::compare(sources, compare, &cache.translations)?
    } else {
        translations::compare_lags(sources, &cache.translations)?
    };
    cache.flush_translations();
    let Some(compared) = compared else { return Ok(LagsFound::default()) };
    let status = has_status.then(|| Arc::new(compared.status(sources, config.title.as_deref(), "")));
    let (pages, lacks_history) =
        if config.languages.banner == Some(false) { Default::default() } else { compared.lags() };
    Ok(LagsFound { are_new: cache.lags.set(KnownLags { pages, status }), lacks_history })
}

/// Result of [`find_lags`].
#[derive(Clone, Copy, Debug, Default)]
pub struct LagsFound {
    pub are_new: bool,
    pub lacks_history: Option<MissingHistory>,
}

/// Whether readers see which translations are behind their originals.
pub fn has_lags(work: &Work) -> bool {
    let languages = &work.project.site.config.languages;
    work.project.alternates.is_some() && (languages.banner != Some(false) || languages.status == Some(true))
}

/// Returns the evidence for translations. Platforms are compared in the original only. With some generators, links lead to the pages
/// of the original.
pub fn evidence_of_translations(work: &Rendering, evidence: &Evidence) -> Evidence {
    let mut routes = evidence.routes.clone();
    if !work.project.sources.repository.localizes_links() {
        let is_there = |artifact: &Artifact| !matches!(artifact, Artifact::Folder(_));
        let pages = work.project.plan.artifacts().filter(|(_, artifact)| is_there(artifact));
        routes.add(pages.map(|(address, _)| address));
    }
    Evidence { drift: None, renames: Vec::new(), routes, ..evidence.clone() }
}

/// Collects the facts that the check needs in addition to the pages.
pub fn evidence(work: &Rendering, options: &Options, cache: &Cache) -> Result<Evidence> {
    let _stage = stage(Stage::Check);
    let sites = sites(&work.project.sources.root, &work.project.site.config, options.today, &cache.memo);
    Ok(Evidence {
        routes: routes(work)?,
        same_pictures: work.project.sources.same_pictures()?,
        #[cfg(feature = "external")]
        external: match &options.external {
            Some(settings) => {
                let links =
                    work.languages().flat_map(|work| check::external_links(work)).map(|link| link.url);
                external::verify(&links.filter(|url| !sites.answer(url)).collect(), settings)?
            }
            None => base::sorted::SortedMap::new(),
        },
        sites,
        drift: options.drift.as_ref().map(|scope| {
            // A difference between platforms is one in the original, not in each language.
            let found = drift::find_in_pages(work, scope, &cache.memo).into_iter();
            found.filter(|it| !work.project.sources.is_translation(&it.file)).collect()
        }),
        renames: if options.history {
            git::renames(&work.project.sources.root, &work.project.sources.repository)
        } else {
            Vec::new()
        },
    })
}

/// Reads only the configuration of a site.
///
/// # Errors
///
/// If it is invalid.
pub fn configured(root: &Path) -> Result<Config> {
    let text = match source::read_beside(root, CONFIG) {
        Err(error) if error.kind() == Some(std::io::ErrorKind::NotFound) => String::new(),
        text => text?,
    };
    let mut config = config::parse(&text).map_err(|invalid| Error::usage(invalid.said_of(&text)))?;
    config.complete(&text, &source::recognise(root)?);
    Ok(config)
}

fn configuration(sources: &Sources, options: &Options) -> Result<Config> {
    let mut config = match &sources.config {
        None => Config::default(),
        Some(text) => {
            config::parse(&text.text()).map_err(|invalid| Error::usage(invalid.said_of(&text.text())))?
        }
    };
    let text = sources.config.as_ref().map(Text::text).unwrap_or_default();
    config.complete(&text, &sources.repository);
    if let Some(invalid) = sources.language_mistake(&config.languages) {
        return Err(Error::usage(invalid.said_of(&text)));
    }
    for &code in &options.reported {
        config.check.severity.entry(LevelledCode(code)).or_insert(Level::Info);
    }
    config.search.enabled &= !options.no_search;
    if let Some(base_url) = &options.base_url {
        config.base_url.clone_from(base_url);
        if let Some(problem) = config.base_url_problem() {
            return Err(Error::usage(format!("--base-url: {problem}")));
        }
    }
    if let Some(view) = &sources.view {
        config.language_paths = view.languages[1..].iter().map(|language| language.path.clone()).collect();
        let languages = view.whole.languages().map(|languages| languages.translations.iter());
        let folders = languages.into_iter().flatten().flat_map(|language| &language.folders);
        let folders = folders.flat_map(|folder| [&folder.path, &folder.original]);
        let folders = folders
            .filter(|folder| **folder != sources.repository.content.path && sources.repository.is_ours());
        config.language_folders = folders.cloned().collect();
    }
    if let Some(view) = &sources.view {
        let PublishedLanguage { tag, path, .. } = view.language();
        if view.is_translation() {
            config.translate(tag.as_str(), path);
        } else if config.languages.default.is_some() {
            config.language = tag.to_string();
        }
    }
    Ok(config)
}

/// Returns the configured other sites with their maps on disk.
fn sites(root: &Path, config: &Config, today: Option<fn() -> Date>, memo: &Memo) -> Sites {
    let mut sites = Sites::default();
    for site in &config.check.sites {
        sites.add(site, map(root, site, today, memo));
    }
    sites
}

/// Returns the map of a site, and its hash.
fn map(
    root: &Path,
    site: &LinkedSite,
    today: Option<fn() -> Date>,
    memo: &Memo,
) -> std::result::Result<(Arc<LinkMap>, blake3::Hash), Unused> {
    let unused = |cause: String, help: Option<&str>| Unused {
        cause,
        help: help.unwrap_or("download it with `stepkin maps update`").to_string(),
    };
    let file = site.map.get_ref();
    let bytes = source::read_bytes_beside(root, file.as_str(), link_map::MOST_BYTES);
    let bytes = bytes.map_err(|error| match error.kind() {
        Some(io::ErrorKind::NotFound) => unused("doesn't exist".into(), None),
        _ => unused(format!("can't be read: {}", error.said_below(root)), None),
    })?;
    if let (Some(today), Some(Age(most))) = (today, site.max_age) {
        let record = source::read_bytes_beside(root, &file.record(), MOST_OF_RECORD).unwrap_or_default();
        let fetched = link_map::fetched(&record).ok_or_else(|| {
            unused(format!("has no `{}` with the date of its download", file.record()), None)
        })?;
        let age = today().duration_since(fetched);
        if jiff::SignedDuration::try_from(most).is_ok_and(|most| age > most) {
            return Err(unused(
                format!("was downloaded on {fetched}, {} days ago", age.as_hours() / 24),
                None,
            ));
        }
    }
    let hash =
        blake3::Hasher::new().update(site.url.as_str().as_bytes()).update(b"\n").update(&bytes).finalize();
    let mut key = MemoKey::default();
    key.add(Dependency::Texts, hash.as_bytes());
    let read = || link_map::read(&bytes, &site.url);
    let map = memo.get_or_try_make(site.url.as_str(), &key, |_| true, read);
    Ok((map.map_err(|Unusable { cause, help }| unused(cause, help))?, hash))
}

/// Maximum size in bytes of the file with the date on which a map was downloaded. It contains one line.
const MOST_OF_RECORD: u64 = 4096;

/// Files that generators and their plugins write to a site: feeds, and lists for crawlers.
const WRITTEN: [&str; 12] = [
    "/sitemap.xml",
    "/sitemap-index.xml",
    "/sitemap-0.xml",
    "/feed.xml",
    "/feed.json",
    "/rss.xml",
    "/atom.xml",
    "/index.xml",
    "/*/index.xml",
    "/*/feed.xml",
    "/llms.txt",
    "/llms-full.txt",
];

fn routes(work: &Rendering) -> Result<Routes> {
    let Project { sources, site, .. } = &*work.project;
    let mut text = routes_text(sources, &site.config)?;
    for translation in work.translations() {
        let path = &translation.project.site.config.language_path;
        for (address, _) in translation.project.plan.artifacts() {
            text.extend(["\n", path.as_str(), address.as_str()]);
        }
    }
    Ok(Routes::parse(&text, site.config.base_path()))
}

fn routes_text(sources: &Sources, config: &Config) -> Result<String> {
    let mut text = sources.repository.all_routes().join("\n");
    if !sources.repository.is_ours() {
        text.push('\n');
        text.push_str(&WRITTEN.join("\n"));
    }
    if let Some(file) = &config.check.routes {
        text.push('\n');
        text.push_str(&source::read_beside(&sources.root, file)?);
    }
    Ok(text)
}

/// Creates sources without files on disk. For an image, the text is its width.
#[cfg(test)]
pub(crate) fn in_memory<'f>(files: impl IntoIterator<Item = (&'f str, &'f str)>) -> Sources {
    use base::site_path::SitePath;
    use input::source::{Asset, Dimensions, Picture};

    let mut sources = Sources::default();
    for (path, text) in files {
        let path = SitePath::from(path);
        let file = || Text::new(path.clone(), text.as_bytes().to_vec());
        if path == SitePath::from(CONFIG) {
            sources.config = Some(file());
        } else if path.below("templates").is_some() {
            sources.templates.insert(path.clone(), file());
        } else if path.below("static").is_some() {
            let dimensions = text.parse().ok().map(|width| Dimensions { width, height: 1 });
            let picture = Some(Picture { expected: None, found: None, dimensions });
            let asset = Asset { path: path.clone(), size: 1, picture, hash: None };
            sources.assets.insert(path, asset);
        } else {
            sources.pages.insert(path.clone(), file());
        }
    }
    sources
}

#[cfg(test)]
mod tests {
    use base::sorted::SortedMap;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;
    use crate::output::search;
    use base::site_path::SitePath;
    use input::source::{PassedOver, SkipReason};
    use site::memo::{Dependency, IgnoredDependency};
    use site::plan::Content;

    const FILES: [(&str, &str); 12] = [
        ("content/index.md", "---\ntitle: Home\n---\n![Pot](/pot.png)\n\n[Elsewhere](/api/)\n"),
        ("content/guide.md", "---\ntitle: Guide\n---\n## Do it\n"),
        ("content/api/deep.md", "---\ntitle: Deep\n---\n"),
        ("content/api/more.md", "---\ntitle: More\n---\n"),
        ("content/tour/web/plan.md", "---\ntitle: Plan\norder: 1\n---\n## Open it\n## Hold it near\n"),
        ("content/tour/ios/design.md", "---\ntitle: Design\norder: 3\n---\n## Open it\n## Hold it near\n"),
        (
            "content/tour/web/end.md",
            "---\ntitle: End\norder: 2\n---\nTap the button.\n\n| Knob | Value |\n| --- | --- |\n| Size | 1 |\n\n## For the web\n",
        ),
        (
            "content/tour/ios/end.md",
            "---\ntitle: End\norder: 4\ndrift: {allow: [setting-value], reason: later, until: 2026-06-01}\n---\nClick the button.\n\n| Knob | Value |\n| --- | --- |\n| Size | 2 |\n",
        ),
        // A family with different titles, for the words that its pages have in common.
        ("content/words/web/a.md", "---\ntitle: A\norder: 1\n---\nText.\n"),
        ("content/words/ios/a.md", "---\ntitle: B\norder: 1\n---\nText.\n"),
        ("static/pot.png", "1"),
        (CONFIG, "[check]\nroutes = 'routes.txt'\n"),
    ];

    /// A change between two plans.
    type Edit = fn(&mut SortedMap<&'static str, &'static str>, &mut Sources, &mut Options);

    fn sources(root: &Path, edit: Option<Edit>) -> (Sources, Options) {
        let mut options = Options {
            drift: Some(drift::Scope::everything("2026-01-01".parse().expect("a day"))),
            ..Options::default()
        };
        let mut files: SortedMap<_, _> = FILES.into_iter().collect();
        if let Some(edit) = edit {
            let mut none = Sources::default();
            none.root = root.to_path_buf();
            edit(&mut files, &mut none, &mut options);
        }
        let mut sources = in_memory(files);
        sources.root = root.to_path_buf();
        std::fs::write(root.join("routes.txt"), "").expect("a folder of our own");
        if let Some(edit) = edit {
            edit(&mut SortedMap::new(), &mut sources, &mut options);
        }
        (sources, options)
    }

    /// Returns all results for a site: its files and its findings.
    fn made((sources, options): (Sources, Options), cache: &Cache) -> (SortedMap<String, Vec<u8>>, Report) {
        let (work, found) = plan(sources, &options, cache).expect("it loads");
        let mut files = SortedMap::new();
        for (address, artifact) in work.project.plan.artifacts() {
            if let Ok(Content::Bytes(bytes)) = render::artifact(&work, address, artifact) {
                files.insert(address.to_string(), bytes.into_owned());
            }
        }
        for file in search::files(&work) {
            files.insert(file.address.to_string(), file.bytes(&work, cache.stored_search()).to_vec());
        }
        (files, check(&work, &options, cache, found, None).expect("nothing to read"))
    }

    /// Whether a process that has built the site before gets another result after an edit than a new process.
    fn is_stale(edit: Edit, forgotten: Option<IgnoredDependency>) -> bool {
        let memo = forgotten.map_or_else(Memo::default, Memo::that_forgets);
        let cache = Cache { memo, ..Cache::default() };
        let root = tempfile::tempdir().expect("a folder");
        made(sources(root.path(), None), &cache);
        let again = catch_unwind(AssertUnwindSafe(|| made(sources(root.path(), Some(edit)), &cache)));
        // A plan of another site may contain pages that don't exist here.
        again.map_or(true, |again| again != made(sources(root.path(), Some(edit)), &Cache::default()))
    }

    const fn forgotten(stage: &'static str, dependency: Dependency) -> IgnoredDependency {
        IgnoredDependency { stage, dependency }
    }

    /// For each dependency of each stage, an edit that changes the result.
    const EDITS: [(IgnoredDependency, Edit); 15] = [
        (forgotten("LoadedSite", Dependency::Settings), |files, _, _| {
            _ = files.insert(CONFIG, "title = 'Site'\n[check]\nroutes = 'routes.txt'\n");
        }),
        (forgotten("LoadedSite", Dependency::Repository), |_, sources, _| {
            let path = SitePath::from("content/x.md");
            sources.passed_over.push(PassedOver { path, reason: SkipReason::NameNotUtf8 });
        }),
        (forgotten("LoadedSite", Dependency::Openings), |files, _, _| {
            _ = files.insert("content/guide.md", "---\ntitle: Our guide\n---\n## Do it\n");
        }),
        (forgotten("LoadedSite", Dependency::Templates), |files, _, _| {
            _ = files.insert("templates/words/en.toml", "setting_columns = ['Knob']\n");
        }),
        (forgotten("LoadedSite", Dependency::Texts), |files, _, _| {
            const OTHER: &str = "---\ntitle: B\norder: 1\n---\nOne two three four five six seven eight nine ten \
                eleven twelve thirteen fourteen fifteen.\n";
            _ = files.insert("content/words/ios/a.md", OTHER);
        }),
        (forgotten("LoadedTheme", Dependency::Settings), |files, _, _| {
            _ = files.insert(CONFIG, "language = 'de'\n");
        }),
        (forgotten("LoadedTheme", Dependency::Templates), |files, _, _| {
            _ = files.insert("templates/page.html", "{{ page.title }}");
        }),
        (forgotten("LaidOut", Dependency::Stage), |files, _, _| {
            _ = files.insert("content/guide.md", "---\ntitle: Our guide\nslug: ours\n---\n## Do it\n");
        }),
        (forgotten("LaidOut", Dependency::Assets), |files, _, _| {
            _ = files.insert("static/pot.png", "2");
        }),
        (forgotten("LaidOut", Dependency::Routes), |_, sources, _| {
            std::fs::write(sources.root.join("routes.txt"), "/api/\n").expect("a folder of our own");
        }),
        (forgotten("Table", Dependency::Stage), |files, _, _| {
            _ = files.insert("content/a.md", "---\ntitle: Before all others\n---\n");
        }),
        (forgotten("Table", Dependency::Texts), |files, _, _| {
            _ = files
                .insert("content/tour/ios/design.md", "---\ntitle: Design\norder: 3\n---\n## Close it\n");
        }),
        (forgotten("FamilyFindings", Dependency::Stage), |files, _, _| {
            _ = files.insert(CONFIG, "[[family]]\nid = 'tour'\n[[family.platform]]\nid = 'web'\n[[family.platform]]\nid = 'ios'\nname = 'Phone'\n");
        }),
        (forgotten("FamilyFindings", Dependency::Time), |_, _, options| {
            options.drift = Some(drift::Scope::everything("2026-12-01".parse().expect("a day")));
        }),
        (forgotten("FamilyFindings", Dependency::Texts), |files, _, _| {
            _ = files.insert(
                "content/tour/ios/end.md",
                "---\ntitle: End\norder: 4\ndrift: {allow: [setting-value], reason: later, until: 2026-06-01}\n---\n| Knob | Value |\n| --- | --- |\n| Size | 1 |\n",
            );
        }),
    ];

    #[test]
    fn a_result_of_an_earlier_plan_is_used_only_as_long_as_it_is_right() {
        for (forgotten, edit) in EDITS {
            assert!(!is_stale(edit, None), "the edit for {forgotten:?}");
        }
    }

    #[test]
    fn every_dependency_of_every_stage_counts() {
        let counts = |(forgotten, edit): &(IgnoredDependency, Edit)| is_stale(*edit, Some(*forgotten));
        let noticed: Vec<IgnoredDependency> = EDITS.iter().filter(|it| !counts(it)).map(|it| it.0).collect();
        assert!(noticed.is_empty(), "others notice {noticed:?}");
    }
}
