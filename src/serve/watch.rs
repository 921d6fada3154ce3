//! Sees what is saved and hands over the site as it is then.
//!
//! There is no waiting window: a save is read when it is seen. What is saved while the site is being
//! read again is taken together afterwards.
//!
//! One page whose body alone was changed, which is nearly every save, is brought up to date in the site that
//! stands: one file is read, one page is parsed, one family aligned. After anything else the site is planned
//! anew. Both are shown before they are checked; the check gives way to the next save.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use notify::event::{AccessKind, AccessMode, CreateKind, ModifyKind};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::watch::Sender;

use super::Live;
use super::check::{RunningCheck, fail};
use crate::cache::Cache;
use crate::diagnostic::{Code, Problem, Report};
use crate::error::{Error, Result};
use crate::pipeline::{self, Options};
use crate::render::Walk;
use crate::source::{self, CONFIG, FOLDERS, Sources, Text};

/// Files that are put into a new folder before it is watched send no event, and one that is there may still be empty:
/// after a new folder the tree is read once nothing more has been seen for so long. What sends events is read at once.
const NEW_FOLDER: Duration = Duration::from_millis(200);

/// How often and how long to wait for requests that are being answered; after some 20 ms a new plan is as fast.
const TRIES: u32 = 200;
const PAUSE: Duration = Duration::from_micros(100);

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
    /// Keeps `live` up to date as long as the process lives. `sources` are what it was made from, `found` is what
    /// was reported before it was checked, and `check` is its first.
    pub(super) fn keep(
        self,
        live: Arc<Sender<Live>>,
        sources: Sources,
        found: Report,
        options: Options,
        check: RunningCheck,
    ) {
        let (root, cache) = (sources.root.clone(), live.borrow().walk.cache.clone());
        let (watcher, check) = (self.watcher, Some(check));
        let keeper = Keeper { root, sources, found, options, cache, live, watcher, check };
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
    /// What the stages before the check have reported.
    found: Report,
    options: Options,
    cache: Arc<Cache>,
    live: Arc<Sender<Live>>,
    watcher: RecommendedWatcher,
    check: Option<RunningCheck>,
}

/// How a page was brought up to date in the site that stands.
enum Retold {
    Done,
    /// More than the body has changed.
    NotPossible,
    /// A request is being answered from the site.
    Busy,
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
                Err(RecvTimeoutError::Timeout) => {
                    changes.everything = true;
                    look_again = false;
                }
                Err(RecvTimeoutError::Disconnected) => return,
            }
            while let Ok(seen) = events.try_recv() {
                self.take(seen, &mut changes);
            }
            look_again |= changes.new_folder;
            if changes.everything || !changes.files.is_empty() {
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
                _ if path.is_dir() => {
                    changes.new_folder = true;
                    self.watch_again(&path);
                }
                _ => changes.everything = true,
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
        if let Some(check) = self.check.take() {
            check.stop();
        }
        let done = match changes.files.as_slice() {
            [first, rest @ ..] if !changes.everything && rest.iter().all(|file| file == first) => {
                self.retell(first)
            }
            _ => false,
        };
        if done || self.plan_again(changes) {
            self.check = Some(RunningCheck::begin(&self.live, &self.options, &self.found));
        }
    }

    /// Brings one page up to date in the site that stands.
    fn retell(&mut self, file: &Path) -> bool {
        // A template may fail on one text and not on another, so templates of the site's own are rehearsed.
        if !self.sources.templates.is_empty() {
            return false;
        }
        let Some(text) = self.sources.page_again(file) else { return false };
        for _ in 0..TRIES {
            match self.try_to_retell(&text) {
                Retold::Done => return true,
                Retold::NotPossible => return false,
                Retold::Busy => std::thread::sleep(PAUSE),
            }
        }
        false
    }

    fn try_to_retell(&mut self, text: &Text) -> Retold {
        let Self { live, sources, found, .. } = self;
        let mut retold = Retold::NotPossible;
        live.send_if_modified(|live| {
            if live.refused.is_some() || live.failure.is_some() {
                return false;
            }
            let Some(walk) = Arc::get_mut(&mut live.walk) else {
                retold = Retold::Busy;
                return false;
            };
            let Some((family, report)) = walk.retell(text.clone()) else { return false };
            if let Some(family) = family {
                forget_doubts(walk, family, found);
            }
            found.extend(report);
            sources.pages.insert(text.path.clone(), text.clone());
            live.is_checked = false;
            live.version += 1;
            retold = Retold::Done;
            true
        });
        retold
    }

    /// Plans the site anew. Out: whether it could be read.
    fn plan_again(&mut self, changes: &Changes) -> bool {
        let read = match changes.everything {
            true => source::read(&self.root).map(|sources| self.sources = sources),
            false => self.sources.refresh(&changes.files),
        };
        let planned =
            read.and_then(|()| pipeline::rehearsed_plan(self.sources.clone(), &self.options, &self.cache));
        match planned {
            Ok((walk, found)) => {
                let is_refused = found.blockers().next().is_some();
                self.found = found;
                let walk = Arc::new(walk);
                let mut gone = None;
                self.live.send_modify(|live| {
                    // What cannot be published is not shown either: the last good site stays up.
                    if is_refused {
                        gone = live.refused.replace(walk);
                    } else {
                        gone = Some(std::mem::replace(&mut live.walk, walk));
                        live.refused = None;
                        live.version += 1;
                    }
                    live.is_checked = false;
                    live.failure = None;
                });
                // It takes a while to free a site, and readers wait for the new one.
                std::thread::spawn(move || drop(gone));
                true
            }
            Err(error) => {
                fail(&self.live, &error);
                false
            }
        }
    }
}

/// Takes out of `found` what was said of how the steps of a family correspond.
fn forget_doubts(walk: &Walk, family: usize, found: &mut Report) {
    let id = walk.site.families[family].id.as_str();
    let is_told_anew = |problem: &Problem| {
        problem.code == Code::StepIdentity && problem.data.get("family").is_some_and(|family| family == id)
    };
    *found = std::mem::take(found).into_iter().filter(|found| !is_told_anew(&found.problem)).collect();
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
