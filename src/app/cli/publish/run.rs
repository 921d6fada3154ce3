//! Uploads the built site and prints what changed.

use super::{Arguments, UploadReport};
use crate::app::cli::terminal::note;
use crate::app::cli::{Outcome, count, format, progress};
use crate::output::pipeline;
use crate::output::publish::interrupt;
use crate::output::upload::{self, UploadOptions, Uploaded};
use base::address::encode;
use base::diagnostic::{unknown, visible};
use base::error::{Error, Result};
use input::config::{Config, Target};

/// Version of [`UploadReport`]; increases when a field is renamed or removed.
const VERSION: u32 = 1;

pub(in crate::app::cli) fn run(arguments: &Arguments) -> Result<Outcome> {
    interrupt::listen();
    let root = arguments.site.root();
    let config = pipeline::configured(root)?;
    let settings = UploadOptions {
        output: (!arguments.rollback).then(|| arguments.dir.clone().unwrap_or_else(|| root.join("dist"))),
        target: target(&config, &arguments.target)?,
        name: name(),
        is_dry_run: arguments.dry_run,
        may_delete_many: arguments.force_delete,
        is_single_publisher: arguments.no_lock,
        takes_over: arguments.take_over,
        takes_others_along: arguments.overwrite,
    };
    if let Some(variables) = upload::lacks_credentials(&settings.target) {
        note!("no credentials in the environment ({variables}); using the role of this machine");
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
            "unknown target `{}`: add `[publish.to.{wanted}]` with a `url` to `stepkin.toml`, or pass a URL such as \
             `s3://bucket/prefix/`",
            visible(wanted.to_string())
        ))),
        None => Err(unknown("target", wanted, &names)),
    }
}

/// Returns the name of this run, which waiting runs print.
fn name() -> String {
    let user = ["USER", "LOGNAME"].into_iter().find_map(|name| std::env::var(name).ok());
    let host = std::fs::read_to_string("/etc/hostname").ok().map(|host| host.trim().to_string());
    let host = host.or_else(|| std::env::var("HOSTNAME").ok()).filter(|host| !host.is_empty());
    let [user, host] = [user, host].map(|name| name.unwrap_or_else(|| "somebody".to_string()));
    format!("{user}@{host}, process {}", std::process::id())
}

/// Prints a line for each file.
fn print(uploaded: &Uploaded) -> Result<()> {
    format::to_stdout(|out| {
        for (verb, paths) in
            [("upload", &uploaded.put), ("delete", &uploaded.deleted), ("keep", &uploaded.kept)]
        {
            for path in paths {
                writeln!(out, "{verb} {}", visible(path.clone()))?;
            }
        }
        Ok(())
    })
}

/// `uploaded 8 of 11,020 files to …, deleted 1; 3 files will be deleted later`
fn summary(settings: &UploadOptions, uploaded: &Uploaded) -> String {
    let Uploaded { files, put, deleted, kept } = uploaded;
    let [put, deleted, kept] = [put, deleted, kept].map(Vec::len);
    let url = &settings.target.url;
    let files = count(*files, "file");
    if put + deleted == 0 {
        return format!("`{url}` is up to date ({files})");
    }
    let [upload, delete] = match (settings.output.is_none(), settings.is_dry_run) {
        (false, false) => ["uploaded", "deleted"],
        (false, true) => ["would upload", "delete"],
        (true, false) => ["restored", "deleted"],
        (true, true) => ["would restore", "delete"],
    };
    let later =
        if kept > 0 { format!("; {} will be deleted later", count(kept, "file")) } else { String::new() };
    format!("{upload} {put} of {files} to `{url}`, {delete} {deleted}{later}")
}

/// Prints the report as one JSON object.
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

/// Returns the URLs of a file under `base_url`. A page also has the URL of its directory.
fn urls(config: &Config, path: &str) -> Vec<String> {
    let base = config.base_url.trim_end_matches('/');
    let url = |path: &str| format!("{base}/{}", encode(path));
    let folder = path.strip_suffix("index.html").filter(|folder| folder.is_empty() || folder.ends_with('/'));
    folder.into_iter().chain([path]).map(url).collect()
}
