//! The preview server.
//!
//! In: a folder. Out: responses from the plan in memory, rendered on request. A request path is an address of the
//! plan and never accesses the file system directly. Only one request changes files: it asks to fix findings of an
//! open page, as `stepkin fix` does.
//!
//! With `watch`, a thread reads saved files again and replaces `Live` in one step. A file that can't be published is
//! reported, and its last valid version is shown with a notice. All other pages are shown as saved. Other findings
//! are collected later, while pages are already being served. From the start, pages are parsed on request.

mod answer;
mod check;
mod findings;
mod fixing;
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
pub use self::news::{CodeChange, News, Saved, ServerRequest, changes};
use self::pages::StaleReason;
use self::shown::{Outdated, Planned, Planner, ShownSite};
pub use self::watch::{Saves, follow};
use crate::output::cache::Cache;
use crate::output::pipeline;
use crate::output::pipeline::Options;
use crate::output::render::Rendering;
use base::diagnostic::Report;
use base::error::{Error, Result};
use site::plan::Artifact;

/// The first port to try if none is specified.
pub const DEFAULT_PORT: u16 = 4400;
/// Number of further ports to try.
const PORTS_TO_TRY: u16 = 100;

/// Settings of the server.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    pub root: PathBuf,
    /// Results of earlier runs.
    pub cache: Arc<Cache>,
    /// An address or name of this machine.
    pub host: String,
    /// Other names and addresses that requests may use, in addition to those of this machine.
    pub allowed_hosts: Vec<String>,
    /// `None` tries [`DEFAULT_PORT`] and the following ones. `Some(0)` uses any free port.
    pub port: Option<u16>,
    /// Whether to show files as they are saved.
    pub watch: bool,
    pub options: Options,
}

/// The current state of the site.
#[derive(Clone, Debug)]
struct Live {
    /// The site that is shown.
    work: Arc<Rendering>,
    /// The site as last read, if a different one is shown.
    latest: Option<Arc<Rendering>>,
    /// Files of which an earlier version is shown.
    outdated: Arc<Outdated>,
    /// Findings of the last check.
    report: Arc<Report>,
    /// Whether the site was checked after it was last read.
    is_checked: bool,
    /// Why the sources can't be read or used at all.
    failure: Option<Arc<str>>,
    /// Files that were saved since the last check.
    saved: Arc<Saved>,
    /// Increased with every change that readers can see.
    version: u64,
}

impl Live {
    /// Returns the site as last read, whether or not it is shown.
    fn latest(&self) -> &Arc<Rendering> {
        self.latest.as_ref().unwrap_or(&self.work)
    }

    /// Returns the site in the language of a path below the base path. The original's is the same.
    fn in_language(&self, path: &str) -> Self {
        let is_of = |work: &Arc<Rendering>| {
            let below = path.strip_prefix(work.project.site.config.language_path.as_str());
            below.is_some_and(|below| below.starts_with('/'))
        };
        let of = |work: &Arc<Rendering>| work.translations().iter().find(|work| is_of(work)).cloned();
        match of(&self.work) {
            Some(work) => Self { work, latest: self.latest.as_ref().and_then(of), ..self.clone() },
            None => self.clone(),
        }
    }

    /// Returns why an earlier version of an artifact is shown.
    fn reason(&self, artifact: &Artifact) -> Option<StaleReason<'_>> {
        let finding = || self.outdated.reason(&self.work, artifact).map(StaleReason::Finding);
        self.failure.as_deref().map(StaleReason::Failure).or_else(finding)
    }
}

/// The data for all requests.
#[derive(Clone, Debug)]
struct Server {
    live: channel::Receiver<Live>,
    cache: Arc<Cache>,
    names: Arc<HostNames>,
    watches: bool,
}

/// The address of this machine that received a request.
#[derive(Clone, Copy, Debug)]
struct ReceivingAddress(Option<IpAddr>);

impl Connected<IncomingStream<'_, TcpListener>> for ReceivingAddress {
    fn connect_info(stream: IncomingStream<'_, TcpListener>) -> Self {
        Self(stream.io().local_addr().ok().map(|address| address.ip().to_canonical()))
    }
}

/// Serves until a signal or `asks` ends it. `announce` receives the URL before the first request. `tell` receives the
/// findings of the first check, the result of each save, and responses to `asks`.
///
/// # Errors
///
/// If the site can't be loaded, the specified port is in use, or the address can't be used.
pub fn run(
    settings: ServeOptions,
    asks: UnboundedReceiver<ServerRequest>,
    announce: impl FnOnce(&str),
    tell: impl Fn(&News<'_>),
) -> Result<()> {
    let runtime = tokio::runtime::Runtime::new().map_err(Error::io("start threads for", &settings.root))?;
    runtime.block_on(serve(settings, asks, announce, tell))
}

async fn serve(
    settings: ServeOptions,
    asks: UnboundedReceiver<ServerRequest>,
    announce: impl FnOnce(&str),
    tell: impl Fn(&News<'_>),
) -> Result<()> {
    // Watchers report files by their real path.
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
    let ShownSite { work, sources: shown } = shown.expect("a first plan always has a site to show");
    // Before the URL is announced, because the signal may arrive from then on.
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
    let telling = report_all(live.clone(), cache.clone(), &tell);
    let asked = news::answer(asks, live.clone(), &tell);
    let names = Arc::new(HostNames::new(&settings.host, &settings.allowed_hosts));
    let server = Server { live, cache: cache.clone(), names, watches: settings.watch };
    let router = Router::new().fallback(handle).with_state(server);
    let answering = axum::serve(listener, router.into_make_service_with_connect_info::<ReceivingAddress>());
    let ended = tokio::select! {
        ended = answering => ended.map_err(Error::io("serve at", address.to_string())),
        never = telling => match never {},
        _ = interrupts.recv() => Ok(()),
        () = asked => Ok(()),
    };
    // Pages that were shown have been highlighted.
    cache.flush();
    ended
}

/// Reports the findings of the first check, stores its parsed pages for later runs, and then reports saves until the
/// end.
async fn report_all(
    mut live: channel::Receiver<Live>,
    cache: Arc<Cache>,
    tell: impl Fn(&News<'_>),
) -> Infallible {
    let first = live.wait_for(|live| live.is_checked).await.map(|live| live.clone());
    if let Ok(first) = &first {
        tell(&News::First { report: &first.report, work: first.latest() });
    }
    // If it panics, only the cache is lost.
    _ = tokio::task::spawn_blocking(move || cache.flush()).await;
    if let Ok(first) = first {
        news::report_saves(live, first, tell).await;
    }
    std::future::pending().await
}

async fn handle(State(server): State<Server>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    answer::answer(&server, &parts, body).await
}

/// Listens on the specified port, or on the first free one.
async fn listen(host: &str, port: Option<u16>) -> Result<TcpListener> {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let name = if bare.contains(':') { format!("[{bare}]") } else { bare.to_string() };
    let at = |port: u16| format!("{name}:{port}");
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
