//! `stepkin maps`

use std::fs;
use std::path::Path;

use super::terminal::note;
use super::{Outcome, SiteArguments, count, progress, today, unknown};
use crate::output::pipeline;
use base::diagnostic::visible;
use base::error::{Error, Result};
use base::sorted::SortedSet;
use base::write;
use input::config::{FileUrl, LinkedSite};
use input::external::{self, Fetched};
use input::link_map::{self, LinkMap, inventory, pages};
use input::source;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Download the link maps listed under `[[check.site]]`
    Update {
        #[command(flatten)]
        site: SiteArguments,
        /// The `url` of one site [default: all]
        #[arg(value_name = "URL")]
        url: Option<String>,
        /// Also download from private and local addresses
        #[arg(long)]
        allow_private: bool,
    },
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let Command::Update { site, url, allow_private } = &arguments.command;
    let root = site.root();
    let config = pipeline::configured(root)?;
    let sites = selected_sites(&config.check.sites, url.as_deref())?;
    let settings =
        external::ExternalOptions { private: *allow_private, ..external::ExternalOptions::default() };
    let failed = progress::during(|| {
        let update = |site: &&&LinkedSite| match update(root, site, &settings) {
            Ok(()) => false,
            Err(error) => {
                super::print_error(&error);
                true
            }
        };
        sites.iter().filter(update).count()
    });
    match failed {
        0 => Ok(Outcome::Clean),
        // Each error was printed already.
        failed => Err(Error::usage(format!("{} not updated", count(failed, "map")))),
    }
}

fn selected_sites<'s>(sites: &'s [LinkedSite], url: Option<&str>) -> Result<Vec<&'s LinkedSite>> {
    let Some(url) = url else {
        if sites.is_empty() {
            return Err(Error::usage(
                "no link maps configured: add a `[[check.site]]` with `url` and `map` to `stepkin.toml`",
            ));
        }
        return Ok(sites.iter().collect());
    };
    let is_same = |site: &&LinkedSite| site.url.as_str().trim_end_matches('/') == url.trim_end_matches('/');
    let found: Vec<&LinkedSite> = sites.iter().filter(is_same).collect();
    if found.is_empty() {
        return Err(unknown("site", url, &sites.iter().map(|site| site.url.as_str()).collect::<Vec<_>>()));
    }
    Ok(found)
}

/// Downloads a map and replaces the previous one.
fn update(root: &Path, site: &LinkedSite, settings: &external::ExternalOptions) -> Result<()> {
    let (from, bytes, map) = fetch(site, settings)?;
    let file = site.map.get_ref();
    let before = source::read_bytes_beside(root, file.as_str(), link_map::MOST_BYTES).ok();
    let changes = match &before {
        Some(before) if *before == bytes => "unchanged".to_string(),
        Some(before) => changes(link_map::read(before, &site.url).ok().as_ref(), &map),
        None => changes(None, &map),
    };
    let save = |path: &str, bytes: &[u8]| {
        let disk = write::within(root, path)?;
        let folder = disk.parent().expect("a path in the site has a parent");
        fs::create_dir_all(folder).map_err(Error::io("create", folder))?;
        write::replace(&disk, bytes)
    };
    if before.is_none_or(|before| before != bytes) {
        save(file.as_str(), &bytes)?;
    }
    save(&file.record(), link_map::record(today(), &from).as_bytes())?;
    note!("`{}` from {}: {changes}", file.as_str(), visible(from));
    Ok(())
}

/// Downloads the first valid map among the possible URLs of a site. Also returns its URL.
fn fetch(site: &LinkedSite, settings: &external::ExternalOptions) -> Result<(String, Vec<u8>, LinkMap)> {
    let usual = || [pages::NAME, inventory::NAME, "sitemap.xml"].map(|name| site.url.join(name)).to_vec();
    let places = site.from.as_ref().map_or_else(usual, |FileUrl(from)| vec![from.clone()]);
    let mut reasons: Vec<String> = Vec::new();
    for place in places {
        let reason = match external::fetch(&place, settings, link_map::MOST_BYTES) {
            Fetched::Bytes(bytes) => match link_map::read(&bytes, &site.url) {
                Ok(map) => return Ok((place, bytes, map)),
                Err(unusable) => format!("`{place}` {}", unusable.cause),
            },
            Fetched::Nothing(reason) => format!("`{place}`: {reason}"),
        };
        reasons.push(reason);
    }
    let file = site.map.get_ref().as_str();
    Err(Error::usage(format!("cannot update `{file}`: {}", reasons.join("; "))))
}

/// `1,204 pages; new: /a/ and 1 more; removed: /b/`
fn changes(before: Option<&LinkMap>, now: &LinkMap) -> String {
    let pages: SortedSet<String> = now.pages().collect();
    let all = count(pages.len(), "page");
    let Some(before) = before else { return all };
    let before: SortedSet<String> = before.pages().collect();
    let listed = |what: &str, some: Vec<&String>| {
        let first = some.first()?;
        let more = if some.len() > 1 { format!(" and {} more", some.len() - 1) } else { String::new() };
        Some(format!("; {what}: {}{more}", visible((*first).clone())))
    };
    let new = listed("new", pages.difference(&before).collect());
    let gone = listed("removed", before.difference(&pages).collect());
    [Some(all), new, gone].into_iter().flatten().collect()
}
