//! `stepkin publish`

use std::path::PathBuf;

use serde_json::json;

use super::terminal::note;
use super::{Outcome, SiteArguments, count, format, progress};
use crate::address::encode;
use crate::config::{Config, Target};
use crate::diagnostic::{unknown, visible};
use crate::error::{Error, Result};
use crate::pipeline;
use crate::publish::interrupt;
use crate::upload::{self, Settings, Uploaded};

#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,
    /// A name below `[publish.to]` in `stepkin.toml`, or a URL such as `s3://bucket/prefix/`
    target: String,
    /// The folder that `build` has written [default: `dist` below the root]
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Say what would be put and deleted, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Print what was put and deleted as JSON, with the URLs that a cache should forget
    #[arg(long)]
    json: bool,
    /// Take away more files than `most_deletes` of the target allows
    #[arg(long)]
    delete: bool,
    /// Publish into a place that holds files of others; those that have the path of a page or file are replaced
    #[arg(long)]
    overwrite: bool,
    /// Do without the conditions that keep two runs apart, for stores and folders that have none
    #[arg(long)]
    single_publisher: bool,
    /// Go on where another run was killed
    #[arg(long)]
    take_over: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    interrupt::listen();
    let root = arguments.site.root();
    let config = pipeline::configured(root)?;
    let settings = Settings {
        output: arguments.output.clone().unwrap_or_else(|| root.join("dist")),
        target: target(&config, &arguments.target)?,
        name: name(),
        is_dry_run: arguments.dry_run,
        may_delete_many: arguments.delete,
        is_single_publisher: arguments.single_publisher,
        takes_over: arguments.take_over,
        takes_others_along: arguments.overwrite,
    };
    let uploaded = progress::during(|| upload::run(&settings))?;
    if arguments.json {
        print_json(&settings, &config, &uploaded)?;
        return Ok(Outcome::Clean);
    }
    if arguments.dry_run {
        print(&uploaded)?;
    }
    note!("{}", visible(summary(&settings, &uploaded)));
    Ok(Outcome::Clean)
}

fn target(config: &Config, wanted: &str) -> Result<Target> {
    let known = &config.publish.to;
    if wanted.contains("://") {
        return Ok(Target::at(wanted));
    }
    let names: Vec<&str> = known.keys().map(String::as_str).collect();
    match known.get(wanted) {
        Some(target) => Ok(target.clone()),
        None if names.is_empty() => Err(Error::usage(format!(
            "no target is called `{}`: write `[publish.to.{wanted}]` with a `url` into stepkin.toml, or name a URL such as \
             `s3://bucket/prefix/`",
            visible(wanted.to_string())
        ))),
        None => Err(unknown("target", wanted, &names)),
    }
}

/// Who publishes: others read it while they wait.
fn name() -> String {
    let user = ["USER", "LOGNAME"].into_iter().find_map(|name| std::env::var(name).ok());
    let host = std::fs::read_to_string("/etc/hostname").ok().map(|host| host.trim().to_string());
    let host = host.or_else(|| std::env::var("HOSTNAME").ok()).filter(|host| !host.is_empty());
    let [user, host] = [user, host].map(|name| name.unwrap_or_else(|| "somebody".to_string()));
    format!("{user}@{host}, process {}", std::process::id())
}

/// A line for each file.
fn print(uploaded: &Uploaded) -> Result<()> {
    format::to_stdout(|out| {
        for (verb, paths) in [("put", &uploaded.put), ("delete", &uploaded.deleted), ("keep", &uploaded.kept)]
        {
            for path in paths {
                writeln!(out, "{verb} {}", visible(path.clone()))?;
            }
        }
        Ok(())
    })
}

/// `put 8 of 11,020 files, deleted 1, 3 are deleted later`.
fn summary(settings: &Settings, uploaded: &Uploaded) -> String {
    let Uploaded { files, put, deleted, kept } = uploaded;
    let [put, deleted, kept] = [put, deleted, kept].map(Vec::len);
    let url = &settings.target.url;
    let would = if settings.is_dry_run { "would have " } else { "" };
    if put + deleted == 0 {
        return format!("`{url}` holds the site: {would}put none of {}", count(*files, "file"));
    }
    let later = if kept > 0 { format!("; {} deleted later", count(kept, "file")) } else { String::new() };
    let later = later.replace(" deleted", if kept == 1 { " is deleted" } else { " are deleted" });
    format!("{would}put {put} of {} to `{url}`, deleted {deleted}{later}", count(*files, "file"))
}

/// One object.
fn print_json(settings: &Settings, config: &Config, uploaded: &Uploaded) -> Result<()> {
    let Uploaded { files, put, deleted, kept } = uploaded;
    let urls: Vec<String> = put.iter().chain(deleted).flat_map(|path| urls(config, path)).collect();
    let object = json!({
        "version": 1,
        "target": settings.target.url,
        "dry_run": settings.is_dry_run,
        "files": files,
        "put": put,
        "deleted": deleted,
        "kept": kept,
        "urls": urls,
    });
    format::to_stdout(|out| writeln!(out, "{object:#}"))
}

/// The URLs of a file, below `base_url`. A page has that of its folder, too.
fn urls(config: &Config, path: &str) -> Vec<String> {
    let base = config.base_url.trim_end_matches('/');
    let url = |path: &str| format!("{base}/{}", encode(path));
    let folder = path.strip_suffix("index.html").filter(|folder| folder.is_empty() || folder.ends_with('/'));
    folder.into_iter().chain([path]).map(url).collect()
}
