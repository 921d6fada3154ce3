//! Shows the site while it is written.
//!
//! In: a folder. Out: answers, made from the plan in memory, rendered when they are asked for. A request
//! names an address of the plan or it names nothing; no request path reaches the file system. One request changes files:
//! that of an open page to have its findings mended, as `stepkin fix` does.
//!
//! With `watch`, a thread reads again what was saved and hands over a new `Live` in one step. A file that
//! cannot be published is reported and not shown: the last good version of it stays up, pages that show it say so,
//! and all others are shown as they were saved. Whatever else is wrong is found afterwards, while pages are answered
//! already: from the beginning a page is parsed when it is asked for.

mod answer;
mod check;
mod findings;
mod mend;
mod names;
mod news;
mod pages;
mod range;
mod shown;
mod watch;

use std::convert::Infallible;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::extract::connect_info::Connected;
use axum::extract::{Request, State};
use axum::response::Response;
use axum::serve::IncomingStream;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch as channel;

use self::check::RunningCheck;
use self::names::HostNames;
pub use self::news::{Ask, CodeChange, News, Saved, changes};
use self::pages::StaleReason;
use self::shown::{Outdated, Planned, Planner, ShownSite};
pub use self::watch::{Saves, follow};
use crate::base::diagnostic::Report;
use crate::base::error::{Error, Result};
use crate::output::cache::Cache;
use crate::output::pipeline;
use crate::output::pipeline::Options;
use crate::output::render::Rendering;
use crate::site::plan::Artifact;

/// The port that is tried first when none is asked for.
pub const DEFAULT_PORT: u16 = 4400;
/// How many ports after it are tried: enough for a desk full of sites.
const PORTS_TO_TRY: u16 = 100;

/// How to serve.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    pub root: PathBuf,
    /// What earlier runs have kept.
    pub cache: Arc<Cache>,
    /// An address of this machine, or a name of it.
    pub host: String,
    /// Names and addresses by which others may ask for the site, beside those of this machine.
    pub allowed_hosts: Vec<String>,
    /// `None` tries [`DEFAULT_PORT`] and those after it; `Some(0)` takes any.
    pub port: Option<u16>,
    /// Show what is saved, as it is saved.
    pub watch: bool,
    pub options: Options,
}

/// The site as it is now.
#[derive(Clone, Debug)]
struct Live {
    /// The site that is shown.
    work: Arc<Rendering>,
    /// The site as it was last read, where another one is shown.
    latest: Option<Arc<Rendering>>,
    /// What is shown in another version than it was last read.
    outdated: Arc<Outdated>,
    /// What is wrong with the site as it was last checked.
    report: Arc<Report>,
    /// Whether that is the site as it was last read.
    is_checked: bool,
    /// Why the sources cannot be read or used at all.
    failure: Option<Arc<str>>,
    /// What was saved since the site was last checked.
    saved: Arc<Saved>,
    /// Grows with every change that readers can see.
    version: u64,
}

impl Live {
    /// The site as it was last read, shown or not.
    fn latest(&self) -> &Arc<Rendering> {
        self.latest.as_ref().unwrap_or(&self.work)
    }

    /// Why an artifact is shown in another version than it was saved last.
    fn reason(&self, artifact: &Artifact) -> Option<StaleReason<'_>> {
        let finding = || self.outdated.reason(&self.work, artifact).map(StaleReason::Finding);
        self.failure.as_deref().map(StaleReason::Failure).or_else(finding)
    }
}

/// What every request is answered from.
#[derive(Clone, Debug)]
struct Server {
    live: channel::Receiver<Live>,
    cache: Arc<Cache>,
    names: Arc<HostNames>,
    watches: bool,
}

/// The address of this machine that a request came to.
#[derive(Clone, Copy, Debug)]
struct Reached(Option<IpAddr>);

impl Connected<IncomingStream<'_, TcpListener>> for Reached {
    fn connect_info(stream: IncomingStream<'_, TcpListener>) -> Self {
        Self(stream.io().local_addr().ok().map(|address| address.ip().to_canonical()))
    }
}

/// Serves until the process is asked to end, by a signal or by `asks`. `announce` gets the address before the first
/// request, and `tell` what is wrong with the site once it has been checked, what came of each save, and what is asked.
///
/// # Errors
///
/// When the site cannot be loaded, the port that was asked for is busy, or the address cannot be used.
pub fn run(
    settings: ServeOptions,
    asks: UnboundedReceiver<Ask>,
    announce: impl FnOnce(&str),
    tell: impl Fn(&News<'_>),
) -> Result<()> {
    let runtime = tokio::runtime::Runtime::new().map_err(Error::io("start threads for", &settings.root))?;
    runtime.block_on(serve(settings, asks, announce, tell))
}

async fn serve(
    settings: ServeOptions,
    asks: UnboundedReceiver<Ask>,
    announce: impl FnOnce(&str),
    tell: impl Fn(&News<'_>),
) -> Result<()> {
    // Watchers name files by their real path.
    let root = settings.root.canonicalize().map_err(Error::io("read", &settings.root))?;
    let listener = listen(&settings.host, settings.port).await?;
    let address = listener.local_addr().map_err(Error::io("listen on", &settings.host))?;
    if !address.ip().is_loopback() {
        eprintln!(
            "warning: others on your network can read this site, including drafts; \
             it answers to addresses of this machine, and to names given with --allow-host"
        );
    }
    let cache = settings.cache;
    let watching = settings.watch.then(|| watch::begin(&root)).transpose()?;
    let sources = Arc::new(pipeline::read(&root, &cache)?);
    let planned = Planner { shown: None, options: &settings.options, cache: &cache }.plan(&sources);
    if let Some(failure) = planned.failure {
        return Err(failure);
    }
    let Planned { shown, latest, found, outdated, .. } = planned;
    let ShownSite { work, sources: shown } =
        shown.expect("something is shown where nothing was shown before");
    // Before anybody is told: from then on it may come.
    let interrupt = Error::io("wait at", address.to_string());
    let mut interrupts = signal(SignalKind::interrupt()).map_err(interrupt)?;
    announce(&format!("http://{address}{}/", work.project.site.config.base_path()));
    let first = Live {
        work: Arc::new(work),
        latest: latest.map(Arc::new),
        outdated: Arc::new(outdated),
        report: Arc::default(),
        is_checked: false,
        failure: None,
        saved: Arc::default(),
        version: 0,
    };
    let (sender, live) = channel::channel(first);
    let sender = Arc::new(sender);
    let check = RunningCheck::begin(&sender, &settings.options, &cache, &found);
    if let Some(watch) = watching {
        watch.keep(sender, cache.clone(), (sources, shown), found, settings.options, check);
    }
    let telling = tell_all(live.clone(), cache.clone(), &tell);
    let asked = news::answer(asks, live.clone(), &tell);
    let names = Arc::new(HostNames::new(&settings.host, &settings.allowed_hosts));
    let server = Server { live, cache: cache.clone(), names, watches: settings.watch };
    let router = Router::new().fallback(handle).with_state(server);
    let answering = axum::serve(listener, router.into_make_service_with_connect_info::<Reached>());
    let ended = tokio::select! {
        ended = answering => ended.map_err(Error::io("serve at", address.to_string())),
        never = telling => match never {},
        _ = interrupts.recv() => Ok(()),
        () = asked => Ok(()),
    };
    // What was shown has been highlighted.
    cache.flush();
    ended
}

/// Tells what the first check finds, and keeps what it had parsed for later runs; then tells of saves for ever.
async fn tell_all(
    mut live: channel::Receiver<Live>,
    cache: Arc<Cache>,
    tell: impl Fn(&News<'_>),
) -> Infallible {
    let first = live.wait_for(|live| live.is_checked).await.map(|live| live.clone());
    if let Ok(first) = &first {
        tell(&News::First(&first.report));
    }
    // Should it panic, there is only a cache less.
    _ = tokio::task::spawn_blocking(move || cache.flush()).await;
    if let Ok(first) = first {
        news::tell_saves(live, first, tell).await;
    }
    std::future::pending().await
}

async fn handle(State(server): State<Server>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    answer::answer(&server, &parts, body).await
}

/// Listens at the port that was asked for, or at the first free one.
async fn listen(host: &str, port: Option<u16>) -> Result<TcpListener> {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let at = |port: u16| match bare.contains(':') {
        true => format!("[{bare}]:{port}"),
        false => format!("{bare}:{port}"),
    };
    if let Some(port) = port {
        return TcpListener::bind((bare, port)).await.map_err(Error::io("listen on", at(port)));
    }
    let mut port = DEFAULT_PORT;
    loop {
        match TcpListener::bind((bare, port)).await {
            Err(error)
                if error.kind() == std::io::ErrorKind::AddrInUse && port < DEFAULT_PORT + PORTS_TO_TRY =>
            {
                eprintln!("port {port} is in use, trying {}", port + 1);
                port += 1;
            }
            other => return other.map_err(Error::io("listen on", at(port))),
        }
    }
}
