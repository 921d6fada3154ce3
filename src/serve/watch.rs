//! Sees what is saved and hands over the site as it is then.
//!
//! There is no waiting window: a save is read when it is seen. What is saved while the site is being
//! read again is taken together afterwards.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use notify::event::{AccessKind, AccessMode, CreateKind, ModifyKind};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::watch::Sender;

use super::Live;
use crate::cache::Cache;
use crate::diagnostic::Report;
use crate::error::{Error, Result};
use crate::pipeline::{self, Options};
use crate::source::{self, CONFIG, FOLDERS, Sources};

/// Files that are put into a new folder before it is watched send no event, so after a new folder the
/// tree is read once more.
const NEW_FOLDER: Duration = Duration::from_millis(200);

type Seen = std::result::Result<Event, notify::Error>;

/// What has been seen since [`begin`].
pub(super) struct Watch {
    watcher: RecommendedWatcher,
    events: Receiver<Seen>,
}

/// Begins to watch the site below `root`, a real path. Begin before the site is read, so that nothing is
/// missed in between.
pub(super) fn begin(root: &Path) -> Result<Watch> {
    let (send, events) = channel();
    // The channel closes with the process only.
    let watcher = notify::recommended_watcher(move |seen: Seen| _ = send.send(seen));
    let mut watcher = watcher.map_err(|error| failure(root, error))?;
    // The root itself shows the configuration, and folders that are still to be made.
    watcher.watch(root, RecursiveMode::NonRecursive).map_err(|error| failure(root, error))?;
    for folder in FOLDERS.map(|folder| root.join(folder)) {
        if folder.is_dir() {
            watcher.watch(&folder, RecursiveMode::Recursive).map_err(|error| failure(&folder, error))?;
        }
    }
    Ok(Watch { watcher, events })
}

impl Watch {
    /// Keeps `live` up to date as long as the process lives; `sources` are what it was made from.
    pub(super) fn keep(self, live: Sender<Live>, sources: Sources, options: Options, cache: Arc<Cache>) {
        let root = sources.root.clone();
        let keeper = Keeper { root, sources, options, cache, live, watcher: self.watcher };
        std::thread::spawn(move || keeper.run(&self.events));
    }
}

fn failure(path: &Path, error: notify::Error) -> Error {
    let source = match error.kind {
        notify::ErrorKind::Io(source) => source,
        kind => std::io::Error::other(notify::Error::new(kind).to_string()),
    };
    Error::Io { verb: "watch", path: path.to_path_buf(), source }
}

/// Keeps the site that is served up to date.
struct Keeper {
    root: PathBuf,
    sources: Sources,
    options: Options,
    cache: Arc<Cache>,
    live: Sender<Live>,
    watcher: RecommendedWatcher,
}

/// What a batch of events asks for.
#[derive(Debug, Default)]
struct Changes {
    /// Files that were written.
    files: Vec<PathBuf>,
    /// Whether events were lost, or say more than files can.
    everything: bool,
    new_folder: bool,
}

impl Keeper {
    fn run(mut self, events: &Receiver<Seen>) {
        let mut look_again = false;
        loop {
            let first = match look_again {
                true => events.recv_timeout(NEW_FOLDER),
                false => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            let mut changes = Changes::default();
            match first {
                Ok(seen) => self.take(seen, &mut changes),
                Err(RecvTimeoutError::Timeout) => changes.everything = true,
                Err(RecvTimeoutError::Disconnected) => return,
            }
            while let Ok(seen) = events.try_recv() {
                self.take(seen, &mut changes);
            }
            if changes.everything || !changes.files.is_empty() {
                look_again = changes.new_folder;
                self.bring_up_to_date(&changes);
            }
        }
    }

    /// Notes what an event asks for.
    fn take(&mut self, seen: Seen, changes: &mut Changes) {
        let Ok(event) = seen else {
            changes.everything = true;
            return;
        };
        changes.everything |= event.need_rescan();
        for path in event.paths {
            if !is_of_the_site(&self.root, &path) {
                continue;
            }
            match event.kind {
                EventKind::Access(AccessKind::Close(AccessMode::Write)) => changes.files.push(path),
                EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(_)) => {}
                // Where closing a file is seen, an open one is left alone: it may be half written.
                EventKind::Modify(ModifyKind::Data(_)) if cfg!(target_os = "linux") => {}
                EventKind::Create(CreateKind::File) if is_empty(&path) => {}
                EventKind::Modify(ModifyKind::Data(_)) | EventKind::Create(CreateKind::File) => {
                    changes.files.push(path);
                }
                _ => {
                    changes.everything = true;
                    if path.is_dir() {
                        changes.new_folder = true;
                        self.watch_again(&path);
                    }
                }
            }
        }
    }

    /// A folder directly below the root is watched on its own; below those, notify watches new ones itself.
    fn watch_again(&mut self, folder: &Path) {
        if folder.parent() == Some(&self.root) {
            // It may be gone again, or be watched already; then there is nothing to do.
            _ = self.watcher.watch(folder, RecursiveMode::Recursive);
        }
    }

    fn bring_up_to_date(&mut self, changes: &Changes) {
        let read = match changes.everything {
            true => source::read(&self.root).map(|sources| self.sources = sources),
            false => self.sources.refresh(&changes.files),
        };
        let planned = read.and_then(|()| pipeline::analyze(self.sources.clone(), &self.options, &self.cache));
        self.live.send_modify(|live| match planned {
            Ok((walk, report)) => {
                live.latest = Arc::new(walk);
                // What cannot be published is not shown either: the last good site stays up.
                if report.blockers().next().is_none() {
                    live.walk = live.latest.clone();
                    live.version += 1;
                }
                live.report = Arc::new(report);
                live.failure = None;
            }
            Err(error) => {
                live.report = Arc::new(Report::default());
                live.failure = Some(error.to_string().into());
            }
        });
    }
}

/// Whether a path is one of the site's sources: the output may lie beside them.
fn is_of_the_site(root: &Path, path: &Path) -> bool {
    let Ok(below) = path.strip_prefix(root) else { return false };
    let first = below.components().next().and_then(|part| part.as_os_str().to_str()).unwrap_or_default();
    FOLDERS.contains(&first) || below == Path::new(CONFIG)
}

/// A file that was just made and not yet written; its writing will be seen.
fn is_empty(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.len() == 0)
}
