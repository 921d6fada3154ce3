//! Watches for saved files, and updates the site.
//!
//! There is no debouncing: a save is read when it is detected. Files that are saved during a read are read together
//! afterwards. After every save, the site is planned again as in `build`, but unchanged results are reused. It is
//! shown before it is checked, and the next save cancels the check.
//!
//! If the system's limit for watches is reached, the tree is polled instead.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode, CreateKind, Flag, ModifyKind};
use notify::{ErrorKind, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::watch::Sender;

use super::Live;
use super::check::{RunningCheck, fail};
use super::news::{Saved, differing};
use super::shown::{Outdated, Planned, Planner, ShownSite};
use crate::output::cache::Cache;
use crate::output::pipeline::{self, Options};
use crate::output::render::Rendering;
use base::diagnostic::Report;
use base::error::{Error, Result};
use base::site_path::SitePath;
use base::sorted::SortedSet;
use input::source::{self, Sources, git};
use site::work::Work;

/// Delay after the last new folder before the tree is read again, because files that are added to a new folder before
/// it is watched cause no event, and existing ones may still be empty. Files with events are read immediately. A
/// commit also consists of several files.
const SETTLING: Duration = Duration::from_millis(200);

/// Interval for polling the tree: short enough for authors, and long enough for large sites on a network disk.
const POLLING: Duration = Duration::from_millis(500);

type FileEvent = std::result::Result<Event, notify::Error>;

/// Changes since [`begin`].
pub(super) struct Watch {
    root: PathBuf,
    eye: EventSource,
    events: Receiver<FileEvent>,
    /// When to read the complete tree again.
    look_again: Option<Instant>,
}

/// The current state of a site, which determines which changes matter.
struct SiteState<'a> {
    /// The site as last read.
    sources: &'a Sources,
    /// Whether it matches the files on disk, according to events.
    is_read: bool,
    /// The files on which checks depend, relative to the root.
    checked_by: &'a [PathBuf],
}

impl SiteState<'_> {
    fn is_checked_by(&self, path: &SitePath) -> bool {
        self.checked_by.iter().any(|file| Path::new(path.as_str()) == file)
    }
}

/// The source of change events.
struct EventSource {
    /// Receives events from the system. `None` if the tree is polled.
    watcher: Option<RecommendedWatcher>,
    /// The folder of the git history.
    git: Option<PathBuf>,
    /// Watched folders of files next to the pages.
    beside: SortedSet<PathBuf>,
    send: mpsc::Sender<FileEvent>,
}

/// Begins to watch the site at `root`, a real path. Call it before reading the site, so that no change is missed.
pub(super) fn begin(root: &Path) -> Result<Watch> {
    let repository = source::recognise(root)?;
    let folders: Vec<PathBuf> = repository.folders().into_iter().map(|folder| root.join(folder)).collect();
    let (send, events) = channel();
    let mut eye = EventSource { watcher: None, git: None, beside: SortedSet::new(), send };
    match eye.listen(root, &folders) {
        Err(error) if is_exhausted(&error) => eye.look_through(root),
        listening => listening.map_err(|error| failure(root, error))?,
    }
    Ok(Watch { root: root.to_path_buf(), eye, events, look_again: None })
}

impl EventSource {
    /// Receives events from the system.
    fn listen(&mut self, root: &Path, folders: &[PathBuf]) -> notify::Result<()> {
        let send = self.send.clone();
        // The channel exists as long as the process.
        let mut watcher = notify::recommended_watcher(move |seen: FileEvent| _ = send.send(seen))?;
        // The root itself contains the configuration, and folders that may be created later.
        watcher.watch(root, RecursiveMode::NonRecursive)?;
        for folder in folders {
            if folder.is_dir() {
                watcher.watch(folder, RecursiveMode::Recursive)?;
            }
        }
        self.watcher = Some(watcher);
        self.watch_commits(root);
        Ok(())
    }

    /// Watches git's folder and its logs, which a commit changes. If they don't exist or can't be watched, commits
    /// are detected with the next save.
    fn watch_commits(&mut self, root: &Path) {
        let Some(watcher) = &mut self.watcher else { return };
        self.git = git::git_folder(root);
        for folder in self.git.iter().flat_map(|git| [git.clone(), git.join("logs")]) {
            _ = watcher.watch(&folder, RecursiveMode::NonRecursive);
        }
    }

    /// Polls the tree, using the same file stamps as a build, because notify's polling misses a second save within a
    /// second.
    fn look_through(&mut self, root: &Path) {
        eprintln!(
            "the system's limit for file watches is reached, so Stepkin checks for changes every {} ms; to raise \
             it, run `sudo sysctl fs.inotify.max_user_watches=524288 fs.inotify.max_user_instances=512`",
            POLLING.as_millis()
        );
        self.watcher = None;
        let (root, send) = (root.to_path_buf(), self.send.clone());
        let look = move || (source::list(&root).map(|listing| listing.files).ok(), git::commit(&root));
        let mut last = look();
        std::thread::spawn(move || {
            let mut is_wanted = true;
            while is_wanted {
                std::thread::sleep(POLLING);
                let now = look();
                if now != last {
                    last = now;
                    is_wanted = send.send(Ok(Event::new(EventKind::Any).set_flag(Flag::Rescan))).is_ok();
                }
            }
        });
    }
}

/// Whether the system's limit for watches or watchers is reached.
fn is_exhausted(error: &notify::Error) -> bool {
    match &error.kind {
        ErrorKind::MaxFilesWatch => true,
        // EMFILE and ENFILE: too many inotify instances or open files.
        ErrorKind::Io(error) => matches!(error.raw_os_error(), Some(23 | 24)),
        _ => false,
    }
}

impl EventSource {
    /// Watches the folders of files next to the pages, which may be anywhere in the repository.
    fn watch_beside(&mut self, root: &Path, sources: &Sources) {
        let Some(watcher) = &mut self.watcher else { return };
        let paths = sources.beside.keys().filter_map(|path| path.as_str().rsplit_once('/'));
        // For missing files, the nearest existing folder.
        let absent = sources.absent.keys().filter_map(|path| {
            let folders = path.rmatch_indices('/').map(|(end, _)| &path[..end]);
            folders.into_iter().find(|folder| root.join(folder).is_dir())
        });
        let folders = paths.map(|(folder, _)| folder).chain(absent).map(|folder| root.join(folder));
        for folder in folders.filter(|folder| !self.beside.contains(folder)).collect::<SortedSet<_>>() {
            // If the limit is reached, changes in it are detected with the next save of a page.
            if watcher.watch(&folder, RecursiveMode::NonRecursive).is_ok() {
                self.beside.insert(folder);
            }
        }
    }
}

impl Watch {
    /// Keeps `live` up to date until the process ends. `latest` is the site as read, `shown` contains the sources of
    /// the site that is shown, `found` contains the findings before the check, and `check` is the first check.
    pub(super) fn keep(
        self,
        live: Arc<Sender<Live>>,
        cache: Arc<Cache>,
        (latest, shown): (Arc<Sources>, Arc<Sources>),
        found: Report,
        options: Options,
        check: RunningCheck,
    ) {
        let (check, saved) = (Some(check), Saved::default());
        let mut keeper = SiteUpdater {
            latest,
            shown,
            is_read: true,
            found,
            options,
            cache,
            live,
            watch: self,
            check,
            saved,
        };
        keeper.watch.watch_beside(&keeper.latest);
        std::thread::spawn(move || keeper.run());
    }

    fn watch_beside(&mut self, sources: &Sources) {
        self.eye.watch_beside(&self.root, sources);
    }

    /// Waits for changes of the site. Returns `None` if no more can be detected.
    fn next(&mut self, known: &SiteState<'_>) -> Option<Changes> {
        loop {
            let first = match self.look_again {
                None => self.events.recv().map_err(|_| RecvTimeoutError::Disconnected),
                // Events in the meantime don't postpone it, because reading files also causes events.
                Some(time) if time <= Instant::now() => Err(RecvTimeoutError::Timeout),
                Some(time) => self.events.recv_timeout(time.saturating_duration_since(Instant::now())),
            };
            let mut changes = Changes::default();
            match first {
                Ok(seen) => self.take(seen, known, &mut changes),
                Err(RecvTimeoutError::Timeout) => {
                    changes.everything = true;
                    self.look_again = None;
                    self.eye.watch_commits(&self.root);
                }
                Err(RecvTimeoutError::Disconnected) => return None,
            }
            while let Ok(seen) = self.events.try_recv() {
                self.take(seen, known, &mut changes);
            }
            if changes.new_folder || changes.new_commit {
                self.look_again = Some(Instant::now() + SETTLING);
            }
            if changes.everything || !changes.files.is_empty() {
                return Some(changes);
            }
        }
    }

    /// Handles an event.
    fn take(&mut self, seen: FileEvent, known: &SiteState<'_>, changes: &mut Changes) {
        let event = match seen {
            Ok(event) => event,
            Err(error) => {
                changes.everything = true;
                if self.eye.watcher.is_some() && is_exhausted(&error) {
                    self.eye.look_through(&self.root);
                }
                return;
            }
        };
        changes.everything |= event.need_rescan();
        for path in event.paths {
            if !self.is_of_the_site(&path, known) {
                let is_read = matches!(event.kind, EventKind::Access(_));
                changes.new_commit |= !is_read && self.may_be_a_commit(&path);
                continue;
            }
            match event.kind {
                // Editors create temporary files next to the pages.
                kind if may_change_text(kind) && !self.is_read_from(&path, known) => {}
                EventKind::Access(AccessKind::Close(AccessMode::Write)) => changes.files.push(path),
                EventKind::Access(_) => {}
                EventKind::Modify(ModifyKind::Metadata(_)) => {
                    // Files that couldn't be read may be readable now.
                    changes.everything |= !known.is_read;
                }
                // If the system reports that files are closed, an open file is ignored because it may be incomplete.
                EventKind::Modify(ModifyKind::Data(_)) if cfg!(target_os = "linux") => {}
                EventKind::Create(CreateKind::File) if is_being_written(&path) => {}
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

    /// Watches a new folder in the root. In deeper folders, notify watches new ones itself.
    fn watch_again(&mut self, folder: &Path) {
        let Some(watcher) = self.eye.watcher.as_mut().filter(|_| folder.parent() == Some(&self.root)) else {
            return;
        };
        // It may have been deleted or be watched already.
        if let Err(error) = watcher.watch(folder, RecursiveMode::Recursive)
            && is_exhausted(&error)
        {
            self.eye.look_through(&self.root);
        }
    }

    /// Whether a path is a source of the site, a file on which checks depend, or a folder of these. The output may be
    /// next to them.
    fn is_of_the_site(&self, path: &Path, known: &SiteState<'_>) -> bool {
        SitePath::of(&self.root, path)
            .is_some_and(|below| known.sources.may_change_with(&below) || known.is_checked_by(&below))
    }

    /// Whether a file is a source of the site, or checks depend on it.
    fn is_read_from(&self, path: &Path, known: &SiteState<'_>) -> bool {
        SitePath::of(&self.root, path)
            .is_some_and(|below| known.sources.may_be_of_site(&below) || known.is_checked_by(&below))
    }

    /// Whether a change may be a commit, because pages show the dates of commits, and findings use renames.
    fn may_be_a_commit(&self, path: &Path) -> bool {
        self.eye.git.as_ref().is_some_and(|git| path.starts_with(git)) || path.ends_with(".git")
    }
}

fn failure(path: &Path, error: notify::Error) -> Error {
    let source = match error.kind {
        notify::ErrorKind::Io(source) => source,
        kind => std::io::Error::other(notify::Error::new(kind).to_string()),
    };
    Error::Io { verb: "watch", path: path.to_path_buf(), source }
}

/// The files that were saved since a site was last read.
#[derive(Debug)]
pub struct Saves<'a> {
    written: SortedSet<SitePath>,
    before: Option<&'a Sources>,
}

impl Saves<'_> {
    /// Returns the files that were saved or deleted, by the site as read `after` that.
    pub fn files(&self, after: &Sources) -> SortedSet<SitePath> {
        let changed = self.before.map(|before| differing(before, after)).unwrap_or_default();
        self.written.iter().cloned().chain(changed).collect()
    }
}

/// Calls `run` now and after each save of the site at `root`, until no more changes can be detected. It returns the
/// site if it could be read.
///
/// # Errors
///
/// If the site can't be recognized or watched.
pub fn follow(root: &Path, mut run: impl FnMut(&Saves<'_>) -> Option<Rendering>) -> Result<()> {
    // Watchers report files by their real path.
    let root = root.canonicalize().map_err(Error::io("read", root))?;
    let mut watch = begin(&root)?;
    // Until it can be read, the recognized repository determines the locations of its files.
    let mut unread = Sources::default();
    unread.repository = Arc::new(source::recognise(&root)?);
    let mut work = run(&Saves { written: SortedSet::new(), before: None });
    let mut is_read = work.is_some();
    loop {
        let sources = work.as_ref().map_or(&unread, |work| work.project.sources.whole());
        watch.watch_beside(sources);
        let checked_by = work.as_ref().map(|work| checked_by(work)).unwrap_or_default();
        let Some(changes) = watch.next(&SiteState { sources, is_read, checked_by: &checked_by }) else {
            return Ok(());
        };
        let written = changes.files.iter().filter_map(|file| SitePath::of(&root, file)).collect();
        let before = work.as_ref().map(|work| work.project.sources.whole());
        let now = run(&Saves { written, before });
        is_read = now.is_some();
        work = now.or(work);
    }
}

/// Keeps the served site up to date.
struct SiteUpdater {
    /// The site as last read.
    latest: Arc<Sources>,
    /// The sources of the site that is shown.
    shown: Arc<Sources>,
    /// Whether `latest` matches the files on disk, according to events.
    is_read: bool,
    /// Findings of the stages before the check.
    found: Report,
    options: Options,
    cache: Arc<Cache>,
    live: Arc<Sender<Live>>,
    watch: Watch,
    check: Option<RunningCheck>,
    saved: Saved,
}

/// The changes in a batch of events.
#[derive(Debug, Default)]
struct Changes {
    /// Files that were written.
    files: Vec<PathBuf>,
    /// Whether events were lost, or require reading everything.
    everything: bool,
    new_folder: bool,
    new_commit: bool,
}

impl SiteUpdater {
    fn run(mut self) {
        loop {
            let checked_by = checked_by(&self.live.borrow().work);
            let known = SiteState { sources: &self.latest, is_read: self.is_read, checked_by: &checked_by };
            let Some(changes) = self.watch.next(&known) else { return };
            self.bring_up_to_date(&changes);
        }
    }

    fn bring_up_to_date(&mut self, changes: &Changes) {
        if let Some(check) = self.check.take() {
            check.stop();
        }
        let (seen, before) = (Instant::now(), self.latest.clone());
        if self.live.borrow().is_checked {
            self.saved.files = SortedSet::new();
        }
        let read = if changes.everything || !self.is_read {
            Arc::make_mut(&mut self.latest).read_all_again()
        } else {
            Arc::make_mut(&mut self.latest).refresh(&changes.files)
        };
        let read = read.and_then(|()| pipeline::complete(Arc::make_mut(&mut self.latest), &self.cache));
        self.watch.watch_beside(&self.latest);
        // After a partial read fails, the next one reads everything.
        self.is_read = read.is_ok();
        let planned = match read {
            Ok(()) => {
                let Self { shown, options, cache, .. } = self;
                Planner { shown: Some(shown), options, cache }.plan(&self.latest)
            }
            Err(error) => Planned { failure: Some(error), ..Planned::default() },
        };
        self.saved.took = seen.elapsed();
        let failure = planned.failure;
        if failure.is_none() || planned.shown.is_some() {
            self.show(planned.shown, planned.latest, planned.outdated);
        }
        // Readers don't wait for that.
        let written = changes.files.iter().filter_map(|file| SitePath::of(&self.watch.root, file));
        self.saved.files.extend(written.chain(differing(&before, &self.latest)));
        let saved = Arc::new(self.saved.clone());
        self.live.send_if_modified(|live| {
            live.saved = saved;
            false
        });
        match failure {
            None => {
                self.found = planned.found;
                self.check = Some(RunningCheck::begin(&self.live, &self.options, &self.cache, &self.found));
            }
            Some(error) => fail(&self.live, &self.watch.root, &error),
        }
    }

    /// Replaces the site that is shown.
    fn show(&mut self, shown: Option<ShownSite>, latest: Option<Rendering>, outdated: Outdated) {
        let work = shown.map(|ShownSite { work, sources }| {
            self.shown = sources;
            Arc::new(work)
        });
        let mut gone = Vec::new();
        self.live.send_modify(|live| {
            if let Some(work) = work {
                gone.push(std::mem::replace(&mut live.work, work));
            }
            gone.extend(std::mem::replace(&mut live.latest, latest.map(Arc::new)));
            live.outdated = Arc::new(outdated);
            live.is_checked = false;
            live.failure = None;
            live.version += 1;
        });
        // Freeing a site takes time, and readers wait for the new one.
        std::thread::spawn(move || drop(gone));
    }
}

/// Returns the files on which checks depend, relative to the root.
fn checked_by(work: &Work) -> Vec<PathBuf> {
    work.project.site.config.check.files().map(PathBuf::from).collect()
}

/// Whether an event only means that a file exists or was written.
fn may_change_text(kind: EventKind) -> bool {
    matches!(
        kind,
        EventKind::Access(_) | EventKind::Modify(ModifyKind::Data(_)) | EventKind::Create(CreateKind::File)
    )
}

/// Whether a file was just created and not yet written, so that another event follows. If the system reports that
/// files are closed, this is every new file except for hard links.
fn is_being_written(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| {
        if cfg!(target_os = "linux") {
            metadata.is_file() && metadata.nlink() == 1
        } else {
            metadata.len() == 0
        }
    })
}
