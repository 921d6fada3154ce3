//! The walk itself: every stage in turn.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use jiff::civil::Date;

use crate::base::address::Address;
use crate::base::diagnostic::{Code, Report, Reported};
use crate::base::error::{Error, Result};
use crate::base::site_path::CONFIG;
use crate::base::timings::{Stage, part, stage};
use crate::input::config::{self, Age, Config, Level, LevelledCode, LinkedSite};
#[cfg(feature = "external")]
use crate::input::external;
use crate::input::link_map::{self, LinkMap, Maps, Unusable};
use crate::input::source::{self, Sources, Text, git};
use crate::input::words;
use crate::output::cache::Cache;
use crate::output::render::{self, Rendering, Theme};
use crate::output::unit::{self, Share};
#[cfg(feature = "external")]
use crate::review::check;
use crate::review::check::{Evidence, Routes, Sites, Unused};
use crate::review::drift;
use crate::review::translations;
use crate::site::content::{self, Selection};
use crate::site::family;
use crate::site::pages::{Detail, Pages};
use crate::site::plan::ByPicture;
use crate::site::plan::{self, LinkStyle};
use crate::site::project::{Project, StageReports};

/// What a run wants beside the sources.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a wish of its own")]
pub struct Options {
    pub selection: Selection,
    /// Instead of the configured `base_url`.
    pub base_url: Option<String>,
    pub links: LinkStyle,
    /// Publish no search, whatever the configuration says.
    pub no_search: bool,
    /// Make smaller versions of pictures, where the configuration has them.
    pub renditions: bool,
    /// Ask git on which days pages were changed, where they are to say it.
    pub days: bool,
    /// Ask git where missing pages went.
    pub history: bool,
    /// What of pages is parsed that are not known yet; what is rendered is parsed whole when it is.
    pub parts: Detail,
    /// Report these kinds of findings, too, which are off unless the configuration names them.
    pub reported: Vec<Code>,
    /// Which units are made and checked.
    pub share: Share,
    /// The day, if maps of other sites may be too old for it.
    pub today: Option<Date>,
    /// Compare the platforms too.
    pub drift: Option<drift::Scope>,
    /// Ask other hosts whether links to them are alive.
    #[cfg(feature = "external")]
    pub external: Option<external::ExternalOptions>,
}

/// Reads the site below `root`, and what its pages include.
///
/// # Errors
///
/// As [`source::read`].
pub fn read(root: &Path, cache: &Cache) -> Result<Sources> {
    with_parts(source::read(root)?, cache)
}

/// Adds to `sources` what their pages include.
///
/// # Errors
///
/// When a file that is included cannot be read.
pub fn with_parts(mut sources: Sources, cache: &Cache) -> Result<Sources> {
    content::include(&mut sources, &cache.openings)?;
    sources.find_languages();
    Ok(sources)
}

/// Adds to `sources` the hashes of pictures that a build makes smaller.
///
/// # Errors
///
/// When a picture cannot be read.
pub fn with_hashes(mut sources: Sources) -> Result<Sources> {
    let config = sources.config.as_ref().and_then(|text| config::parse(&text.text()).ok());
    if config.is_none_or(|config| config.images.enabled) {
        sources.hash_pictures()?;
    }
    Ok(sources)
}

/// Everything up to the plan: what `build` writes and `serve` answers from.
pub fn plan(sources: Sources, options: &Options, cache: &Cache) -> Result<Reported<Rendering>> {
    plan_again(Arc::new(sources), options, cache, None)
}

/// As [`plan()`]. Of `earlier`, which was planned with the same options, everything is taken over that is made from what
/// is the same in `sources`.
pub fn plan_again(
    sources: Arc<Sources>,
    options: &Options,
    cache: &Cache,
    earlier: Option<&Rendering>,
) -> Result<Reported<Rendering>> {
    let earlier = earlier.map(|work| (&*work.project, work.theme()));
    let same_site = earlier.and_then(|(project, _)| {
        let site = stage(Stage::Load, || project.site.again(&project.sources, &sources, &cache.openings))?;
        Some((project, site))
    });
    let (site, site_found) = match &same_site {
        Some((project, site)) => (site.clone(), project.found.site.clone()),
        None => {
            let config = configuration(&sources, options)?;
            let load = || content::load(&sources, config, options.selection, &cache.openings);
            shared(stage(Stage::Load, load)?)
        }
    };
    let earlier = same_site.as_ref().and(earlier);
    let config = &site.config;
    // Templates of the site's own may fail on a day, or without one.
    let days = match config.last_change && (options.days || !sources.templates.is_empty()) {
        true => cache.days(&sources.root, &sources.repository),
        false => Arc::default(),
    };
    let pages = Pages::of(&site, &cache.pages, options.parts);
    cache.forget_others(&site.documents);
    let theme = || match earlier.filter(|(project, _)| have_same_templates(&project.sources, &sources)) {
        Some((project, theme)) => (project.words.clone(), theme.clone(), project.found.theme.clone()),
        None => {
            let (words, mut found) = part(Stage::Render, || words::load(&sources, &config.language));
            let templates = found.absorb(part(Stage::Render, || render::templates(&sources, &words)));
            let theme = Theme::new(templates, cache.code.clone(), cache.pictures.clone());
            (Arc::new(words), Arc::new(theme), Arc::new(found))
        }
    };
    // A list that cannot be read is said where links are checked.
    let routes: Arc<str> = routes_text(&sources, config).unwrap_or_default().into();
    let ((words, theme, theme_found), ((families, align_found), plan)) = rayon::join(theme, || {
        let before = earlier.map(|(project, _)| (&project.site, &project.families));
        let align = || stage(Stage::Align, || family::align(&site, &pages, before));
        let renditions = || match options.renditions && config.images.enabled {
            true => cache.pictures.renditions(&sources, config.images),
            false => Ok(ByPicture::default()),
        };
        let (families, renditions) = rayon::join(align, renditions);
        let is_same = |(project, _): &(&Project, _)| {
            project.sources.assets == sources.assets && project.routes == routes
        };
        let plan = match earlier.filter(is_same) {
            Some((project, _)) => Ok((project.plan.clone(), project.found.plan.clone())),
            None => renditions.map(|renditions| {
                let known = Routes::parse(&routes, config.base_path());
                let is_elsewhere = |address: &Address| known.contains(address.as_str());
                shared(stage(Stage::Plan, || plan::plan(&site, &sources, &renditions, &is_elsewhere)))
            }),
        };
        (families, plan)
    });
    let (plan, plan_found) = plan?;
    let found = StageReports { site: site_found, plan: plan_found, theme: theme_found };
    let all = [&*found.site, &align_found, &found.plan, &found.theme].into_iter().flatten();
    let report = all.cloned().collect::<Report>().sorted();
    let links = options.links;
    let project = Project { sources, days, site, families, plan, routes, links, words, found };
    Ok((Rendering::new(Arc::new(project), theme, pages), report))
}

fn shared<T, S: From<T>>((made, found): Reported<T>) -> (S, Arc<Report>) {
    (made.into(), Arc::new(found))
}

/// Whether two sources have the same templates.
fn have_same_templates(one: &Sources, other: &Sources) -> bool {
    let (one, other) = (one.templates.values(), other.templates.values());
    one.map(|text| (&text.path, text.hash)).eq(other.map(|text| (&text.path, text.hash)))
}

/// The plan and everything that is wrong with it.
pub fn analyze(sources: Sources, options: &Options, cache: &Cache) -> Result<Reported<Rendering>> {
    let (work, found) = checked_plan(sources, options, cache)?;
    let report = verify(&work, options, cache, found, None)?;
    Ok((work, report))
}

/// The plan, and everything for which it must not be published.
pub fn checked_plan(sources: Sources, options: &Options, cache: &Cache) -> Result<Reported<Rendering>> {
    checked_plan_again(Arc::new(sources), options, cache, None)
}

/// As [`checked_plan`]; `earlier` as in [`plan_again`].
pub fn checked_plan_again(
    sources: Arc<Sources>,
    options: &Options,
    cache: &Cache,
    earlier: Option<&Rendering>,
) -> Result<Reported<Rendering>> {
    let (work, mut found) = plan_again(sources, options, cache, earlier)?;
    // The built-in templates are known to work.
    if !work.project.sources.templates.is_empty() {
        found.extend(render::check_templates(&work));
    }
    Ok((work, found))
}

/// Everything that is wrong with a plan. `found` is what the stages before have reported. Raising `stop` ends it
/// early; then the report is incomplete.
pub fn verify(
    work: &Rendering,
    options: &Options,
    cache: &Cache,
    found: Report,
    stop: Option<&AtomicBool>,
) -> Result<Report> {
    let evidence = stage(Stage::Check, || evidence(work, options, cache))?;
    let mut found = found;
    found.extend(translations::check(&work.project.sources, options.history));
    Ok(unit::check(work, &evidence, &cache.units, &options.share, found, stop))
}

/// What the check needs to know of the world outside of the pages.
pub fn evidence(work: &Rendering, options: &Options, cache: &Cache) -> Result<Evidence> {
    let sites = sites(&work.project.sources.root, &work.project.site.config, options.today, &cache.maps);
    Ok(Evidence {
        routes: routes(&work.project.sources, &work.project.site.config)?,
        same_pictures: work.project.sources.same_pictures()?,
        #[cfg(feature = "external")]
        external: match &options.external {
            Some(settings) => {
                let links = check::external_links(work).into_iter().map(|link| link.url);
                external::verify(&links.filter(|url| !sites.answer(url)).collect(), settings)?
            }
            None => std::collections::BTreeMap::new(),
        },
        sites,
        drift: options.drift.as_ref().map(|scope| cache.drift.find(work, scope)),
        renames: if options.history {
            git::renames(&work.project.sources.root, &work.project.sources.repository)
        } else {
            Vec::new()
        },
    })
}

/// The configuration of a site of which nothing else is read.
///
/// # Errors
///
/// When it cannot be used.
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
    Ok(config)
}

/// Other sites, with their maps as they are on disk.
fn sites(root: &Path, config: &Config, today: Option<Date>, maps: &Maps) -> Sites {
    let mut sites = Sites::default();
    for site in &config.check.sites {
        sites.add(site, map(root, site, today, maps));
    }
    sites
}

/// The map of a site, and a hash of it.
fn map(
    root: &Path,
    site: &LinkedSite,
    today: Option<Date>,
    maps: &Maps,
) -> std::result::Result<(Arc<LinkMap>, blake3::Hash), Unused> {
    let unused = |cause: String, cure: Option<&str>| Unused {
        cause,
        cure: cure.unwrap_or("fetch it with `stepkin maps update`").to_string(),
    };
    let file = site.map.get_ref();
    let bytes = source::read_bytes_beside(root, file.as_str(), link_map::MOST_BYTES);
    let bytes = bytes.map_err(|error| match error.kind() {
        Some(io::ErrorKind::NotFound) => unused("does not exist".into(), None),
        _ => unused(format!("cannot be read: {}", error.said_below(root)), None),
    })?;
    if let (Some(today), Some(Age(most))) = (today, site.max_age) {
        let record = source::read_bytes_beside(root, &file.record(), MOST_OF_RECORD).unwrap_or_default();
        let fetched = link_map::fetched(&record).ok_or_else(|| {
            unused(format!("has no `{}` that says when it was fetched", file.record()), None)
        })?;
        let age = today.duration_since(fetched);
        if jiff::SignedDuration::try_from(most).is_ok_and(|most| age > most) {
            return Err(unused(format!("was fetched on {fetched}, {} days ago", age.as_hours() / 24), None));
        }
    }
    maps.read(&bytes, &site.url).map_err(|Unusable { cause, cure }| unused(cause, cure))
}

/// Bytes of the file that says when a map was fetched. It holds a line.
const MOST_OF_RECORD: u64 = 4096;

/// Files that generators and their plugins write into a site: feeds, lists for crawlers.
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

fn routes(sources: &Sources, config: &Config) -> Result<Routes> {
    Ok(Routes::parse(&routes_text(sources, config)?, config.base_path()))
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
