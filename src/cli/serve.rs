//! `stepkin serve`

use std::io::Write;
use std::sync::Arc;

use super::cache::CacheArguments;
use super::{Outcome, PlainSiteArguments, options, say_findings};
use crate::error::Result;
use crate::serve::{self, Settings};

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
    let root = arguments.site.root();
    let settings = Settings {
        root: root.to_path_buf(),
        cache: Arc::new(arguments.cache.open(root)?),
        host: arguments.host.clone(),
        allowed_hosts: arguments.allow_host.clone(),
        port: arguments.port,
        watch: arguments.watch,
        options,
    };
    serve::run(settings, |url| announce(url, arguments.open), say_findings)?;
    Ok(Outcome::Clean)
}

/// Prints the address of the site.
fn announce(url: &str, open: bool) {
    // A program that reads the address may close the pipe then; serving goes on.
    let mut out = std::io::stdout().lock();
    _ = writeln!(out, "{url}").and_then(|()| out.flush());
    if open && let Err(error) = open::that_detached(url) {
        eprintln!("cannot open a browser: {error}");
    }
}
