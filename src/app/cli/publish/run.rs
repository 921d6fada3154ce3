//! Puts the built site into a target, and says what was done.

use super::{Arguments, UploadReport};
use crate::app::cli::terminal::note;
use crate::app::cli::{Outcome, count, format, progress};
use crate::base::address::encode;
use crate::base::diagnostic::{unknown, visible};
use crate::base::error::{Error, Result};
use crate::input::config::{Config, Target};
use crate::output::pipeline;
use crate::output::publish::interrupt;
use crate::output::upload::{self, UploadOptions, Uploaded};

/// Of what [`UploadReport`] is; it changes when a field is renamed or goes away.
const VERSION: u32 = 1;

pub(in crate::app::cli) fn run(arguments: &Arguments) -> Result<Outcome> {
    interrupt::listen();
    let root = arguments.site.root();
    let config = pipeline::configured(root)?;
    let settings = UploadOptions {
        output: (!arguments.rollback).then(|| arguments.output.clone().unwrap_or_else(|| root.join("dist"))),
        target: target(&config, &arguments.target)?,
        name: name(),
        is_dry_run: arguments.dry_run,
        may_delete_many: arguments.delete,
        is_single_publisher: arguments.single_publisher,
        takes_over: arguments.take_over,
        takes_others_along: arguments.overwrite,
    };
    if let Some(variables) = upload::lacks_credentials(&settings.target) {
        note!("the environment has no credentials ({variables}): the machine is asked for a role");
    }
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
fn summary(settings: &UploadOptions, uploaded: &Uploaded) -> String {
    let Uploaded { files, put, deleted, kept } = uploaded;
    let [put, deleted, kept] = [put, deleted, kept].map(Vec::len);
    let url = &settings.target.url;
    let would = if settings.is_dry_run { "would have " } else { "" };
    let put_verb = if settings.output.is_none() { "put back" } else { "put" };
    if put + deleted == 0 {
        return format!("`{url}` holds the site: {would}put none of {}", count(*files, "file"));
    }
    let later = if kept > 0 { format!("; {} deleted later", count(kept, "file")) } else { String::new() };
    let later = later.replace(" deleted", if kept == 1 { " is deleted" } else { " are deleted" });
    format!("{would}{put_verb} {put} of {} to `{url}`, deleted {deleted}{later}", count(*files, "file"))
}

/// One object.
fn print_json(settings: &UploadOptions, config: &Config, uploaded: &Uploaded) -> Result<()> {
    let Uploaded { files, put, deleted, kept } = uploaded;
    let changes = UploadReport {
        version: VERSION,
        target: &settings.target.url,
        dry_run: settings.is_dry_run,
        files: *files,
        put,
        deleted,
        kept,
        urls: put.iter().chain(deleted).flat_map(|path| urls(config, path)).collect(),
    };
    let text = serde_json::to_string_pretty(&changes).expect("texts and numbers are JSON");
    format::to_stdout(|out| writeln!(out, "{text}"))
}

/// The URLs of a file, below `base_url`. A page has that of its folder, too.
fn urls(config: &Config, path: &str) -> Vec<String> {
    let base = config.base_url.trim_end_matches('/');
    let url = |path: &str| format!("{base}/{}", encode(path));
    let folder = path.strip_suffix("index.html").filter(|folder| folder.is_empty() || folder.ends_with('/'));
    folder.into_iter().chain([path]).map(url).collect()
}
