//! `stepkin serve`

use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::cache::CacheArguments;
use super::keys::{self, Keys};
use super::terminal::note;
use super::{
    Outcome, PlainSiteArguments, count, files_as_text, format, options, print_broken_drawings, print_counts,
    print_error, print_not_drawn, today,
};
use crate::app::serve::{self, CodeChange, News, Saved, ServeOptions, ServerRequest};
use crate::output::pipeline;
use base::diagnostic::{Report, Severity, visible};
use base::error::Result;
use site::work::Work;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  stepkin serve --open                  Preview the site in your browser\n  stepkin serve --host 0.0.0.0 -p 8080  Share it on your network, on port 8080"
)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct Arguments {
    #[command(flatten)]
    site: PlainSiteArguments,
    #[command(flatten)]
    cache: CacheArguments,
    /// Address or hostname to listen on; use 0.0.0.0 to share the site on your network
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    host: String,
    /// Accept requests for this hostname too; can be repeated
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
    /// Port to listen on; 0 picks a free one [default: 4400, or the next free port]
    #[arg(long, short, value_name = "N")]
    port: Option<u16>,
    /// Don't reload pages as files change
    #[arg(long, overrides_with = "watch")]
    no_watch: bool,
    /// The default, accepted for older scripts
    #[arg(long, short, hide = true, overrides_with = "no_watch")]
    watch: bool,
    /// Run the commands in `[diagrams]` and `[cards]`, which draw images
    #[arg(long, alias = "diagrams")]
    draw: bool,
    /// Open the site in your browser
    #[arg(long)]
    open: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    // Authors preview drafts.
    let mut options = options(true, None);
    options.days = true;
    options.history = true;
    options.today = Some(today);
    options.draw = arguments.draw;
    let root = arguments.site.root();
    if let (false, Ok(config)) = (options.draw, pipeline::configured(root)) {
        print_not_drawn(&config);
    }
    let settings = ServeOptions {
        root: root.to_path_buf(),
        cache: Arc::new(arguments.cache.open(root)?),
        host: arguments.host.clone(),
        allowed_hosts: arguments.allow_host.clone(),
        port: arguments.port,
        watch: !arguments.no_watch,
        options,
    };
    let (ask, asks) = unbounded_channel();
    // Active until the server has ended.
    let mut keys: Option<Keys> = None;
    let announced = |url: &str| {
        announce(url, arguments.open);
        if !arguments.no_watch {
            keys = hear(url, ask);
        }
    };
    let said = |news: &News<'_>| match news {
        News::First { report, work } => print_first(report, work),
        News::Saved { saved, before, after } => print_saved(saved, &serve::changes(before, after)),
        News::Failed { saved, failure } => print_failure(saved, failure),
        News::Requested { failure: Some(failure), .. } => {
            eprintln!("error: {}", visible((*failure).to_string()));
        }
        News::Requested { report, work, failure: None } => print_report(report, work),
    };
    serve::run(settings, asks, announced, said)?;
    drop(keys);
    Ok(Outcome::Clean)
}

/// Handles keys if the server runs in a terminal, and lists them.
fn hear(url: &str, ask: UnboundedSender<ServerRequest>) -> Option<Keys> {
    let url = url.to_string();
    let keys = keys::listen(move |key| {
        let ask = |what| _ = ask.send(what);
        match key {
            'o' => open_browser(&url),
            // Sending fails only after the server has ended.
            'c' => ask(ServerRequest::Findings),
            'q' => ask(ServerRequest::End),
            _ => {}
        }
    })?;
    note!("press o to open the browser, c to list problems, q to quit");
    Some(keys)
}

/// Prints the number of findings of the first check.
fn print_first(report: &Report, work: &Work) {
    let printed = print_broken_drawings(report, work).unwrap_or_else(|error| {
        print_error(&error);
        Report::default()
    });
    let others = |severity| report.count(severity) - printed.count(severity);
    print_counts("", others(Severity::Error), others(Severity::Warning));
}

/// Prints findings as `stepkin check` does.
fn print_report(report: &Report, work: &Work) {
    let start = Instant::now();
    let pages = work.project.site.documents.len();
    let said = format::human(report, &work.project.sources, format::Length::All)
        .and_then(|()| format::hint(report))
        .and_then(|()| format::summary(report, pages, start.elapsed()));
    if let Err(error) = said {
        print_error(&error);
    }
}

/// Prints the URL of the site.
fn announce(url: &str, open: bool) {
    // A program that has read the URL may close the pipe. The server continues.
    let mut out = std::io::stdout().lock();
    _ = writeln!(out, "serving at {url}").and_then(|()| out.flush());
    if open {
        open_browser(url);
    }
}

fn open_browser(url: &str) {
    if let Err(error) = open::that_detached(url) {
        eprintln!("cannot open the browser: {error}");
    }
}

/// Prints a line for a save that changed something.
fn print_saved(saved: &Saved, changes: &[CodeChange]) {
    if saved.files.is_empty() && changes.is_empty() {
        return;
    }
    let changes: Vec<String> = changes.iter().map(change_as_text).collect();
    let changes = if changes.is_empty() { String::new() } else { format!(" ({})", changes.join(", ")) };
    note!("{}{changes}", saved_as_text(saved));
}

/// Prints a line for a save after which the site can't be read, with the error.
fn print_failure(saved: &Saved, failure: &str) {
    note!("{}; {}", saved_as_text(saved), visible(failure.to_string()));
}

/// `content/tour/web/connect.md updated in 6 ms`
fn saved_as_text(saved: &Saved) -> String {
    let time = match saved.took.as_millis() {
        0 => String::new(),
        time => format!(" in {time} ms"),
    };
    format!("{} updated{time}", files_as_text(&saved.files))
}

/// `+1 error: missing-page`
fn change_as_text(change: &CodeChange) -> String {
    let found = match change.severity {
        Severity::Info => format!("{} info", change.count),
        severity => count(change.count, severity.name()),
    };
    format!("{}{found}: {}", if change.is_more { '+' } else { '-' }, change.code)
}
