//! `stepkin serve`

use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::cache::CacheArguments;
use super::keys::{self, Keys};
use super::terminal::note;
use super::{
    Outcome, PlainSiteArguments, count, files_as_text, format, options, say_error, say_findings, today,
};
use crate::app::serve::{self, Ask, CodeChange, News, Saved, ServeOptions};
use crate::base::diagnostic::{Report, Severity, visible};
use crate::base::error::Result;
use crate::site::work::Work;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    site: PlainSiteArguments,
    #[command(flatten)]
    cache: CacheArguments,
    /// The address to listen at, or a name of this machine; others on the network see the site at 0.0.0.0
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    host: String,
    /// Answer to this name too, such as that of this machine on the network; may be given more than once
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
    /// The port; 0 takes any [default: 4400, or the next free one]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Show what is saved, as it is saved
    #[arg(long)]
    watch: bool,
    /// Open the site in the browser
    #[arg(long)]
    open: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    // Drafts are shown: this is where they are written.
    let mut options = options(true, None);
    options.days = true;
    options.history = true;
    options.today = Some(today());
    let root = arguments.site.root();
    let settings = ServeOptions {
        root: root.to_path_buf(),
        cache: Arc::new(arguments.cache.open(root)?),
        host: arguments.host.clone(),
        allowed_hosts: arguments.allow_host.clone(),
        port: arguments.port,
        watch: arguments.watch,
        options,
    };
    let (ask, asks) = unbounded_channel();
    // They are heard until the server has ended.
    let mut keys: Option<Keys> = None;
    let announced = |url: &str| {
        announce(url, arguments.open);
        if arguments.watch {
            keys = hear(url, ask);
        }
    };
    let said = |news: &News<'_>| match news {
        News::First(report) => say_findings(report),
        News::Saved { saved, before, after } => say_saved(saved, &serve::changes(before, after)),
        News::Failed { saved, failure } => say_failed(saved, failure),
        News::Asked { failure: Some(failure), .. } => eprintln!("error: {}", visible((*failure).to_string())),
        News::Asked { report, work, failure: None } => say_report(report, work),
    };
    serve::run(settings, asks, announced, said)?;
    drop(keys);
    Ok(Outcome::Clean)
}

/// Acts on keys where the server runs at a terminal, and says which.
fn hear(url: &str, ask: UnboundedSender<Ask>) -> Option<Keys> {
    let url = url.to_string();
    let keys = keys::listen(move |key| {
        let ask = |what| _ = ask.send(what);
        match key {
            'o' => open_browser(&url),
            // Nobody answers once the server ends.
            'c' => ask(Ask::Findings),
            'q' => ask(Ask::End),
            _ => {}
        }
    })?;
    note!("keys: o opens the browser, c prints what is wrong, q quits");
    Some(keys)
}

/// Prints findings as `stepkin check` does.
fn say_report(report: &Report, work: &Work) {
    let start = Instant::now();
    let pages = work.project.site.documents.len();
    let said = format::human(report, &work.project.sources, format::Length::All)
        .and_then(|()| format::hint(report))
        .and_then(|()| format::summary(report, pages, start.elapsed()));
    if let Err(error) = said {
        say_error(&error);
    }
}

/// Prints the address of the site.
fn announce(url: &str, open: bool) {
    // A program that reads the address may close the pipe then; serving goes on.
    let mut out = std::io::stdout().lock();
    _ = writeln!(out, "{url}").and_then(|()| out.flush());
    if open {
        open_browser(url);
    }
}

fn open_browser(url: &str) {
    if let Err(error) = open::that_detached(url) {
        eprintln!("cannot open a browser: {error}");
    }
}

/// Prints a line on a save, but where nothing changed by it.
fn say_saved(saved: &Saved, changes: &[CodeChange]) {
    if saved.files.is_empty() && changes.is_empty() {
        return;
    }
    let parts: Vec<String> =
        std::iter::once(saved_as_text(saved)).chain(changes.iter().map(change_as_text)).collect();
    note!("{}", parts.join("; "));
}

/// Prints a line on a save after which the site cannot be read, and why, as `stepkin check` says it.
fn say_failed(saved: &Saved, failure: &str) {
    note!("{}; {}", saved_as_text(saved), visible(failure.to_string()));
}

/// `content/tour/web/connect.md, 6 ms`.
fn saved_as_text(saved: &Saved) -> String {
    format!("{}, {} ms", files_as_text(&saved.files), saved.took.as_millis())
}

/// `1 error more: missing-page`.
fn change_as_text(change: &CodeChange) -> String {
    let found = match change.severity {
        Severity::Info => format!("{} info", change.count),
        severity => count(change.count, severity.name()),
    };
    format!("{found} {}: {}", if change.is_more { "more" } else { "less" }, change.code)
}
