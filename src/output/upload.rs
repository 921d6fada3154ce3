//! Uploads a built site to a target: a bucket of an object store, or a folder.
//!
//! In: the output of a build, with its manifest, and a [`Target`]. Out: the target contains the same files, and
//! [`Uploaded`] lists what was uploaded and deleted.
//!
//! The manifest in the target lists its files, so only differences are uploaded, without a request for each file.
//! Guarantees of this module:
//!
//! - **Pages find the files that they load.** Files are uploaded before those that need them, and the manifest last.
//!   Files that are no longer published are deleted after that, and files that pages load stay for a while.
//! - **Killing a run is safe.** The target's journal lists what the run was about to upload, so the next run uploads
//!   it again or deletes it.
//! - **Only files that Stepkin published are deleted**: those in one of its manifests or journals. The number of
//!   deletions per run is limited.
//! - **The previous site can be restored**, if the target enables that: a run first copies everything that it
//!   replaces or deletes. Restoring is an upload from these copies.
//! - **One run at a time.** A run locks the journal for some minutes, and renews the lock while it continues. Each
//!   write to the journal and the manifest fails if another run has written it. The first upload to a store tests
//!   whether it supports such conditions.
//! - **The target isn't trusted.** If a manifest or journal is damaged, too large, or contains paths outside the
//!   site, the run ends before it writes anything.
//! - **Credentials aren't printed.** They come from the environment, and are removed from servers' responses.

mod before;
mod difference;
mod http;
mod journal;
mod remote;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rayon::prelude::*;
use tempfile::TempDir;
use tokio::task::JoinSet;

use self::difference::{CopySource, Difference, DifferenceOptions, UploadStep};
use self::journal::{Holder, Journal};
use self::remote::{Folders, Remote, WriteCondition, WriteResult};
use crate::output::publish::{self, Fingerprint, MANIFEST, ManifestFile, interrupt};
use base::error::{Error, Result};
use base::hash::HashMap;
use base::progress::{self, Task};
use base::sorted::{SortedMap, SortedSet};
use input::config::Target;

/// Maximum number of concurrent requests.
const AT_ONCE: usize = 16;
/// Maximum size of a manifest or journal in bytes. The manifest of a million files is smaller.
const MOST_BYTES: u64 = 256 * 1024 * 1024;
/// Time after which a lock expires unless it is renewed.
const LEASE: Duration = Duration::from_secs(180);
/// Time after which a lock is renewed.
const RENEWAL: Duration = Duration::from_secs(30);

/// Settings of an upload.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct UploadOptions {
    /// The output folder of a build. `None` restores the previous site.
    pub output: Option<PathBuf>,
    pub target: Target,
    /// Name of this run, for other runs that find the lock.
    pub name: String,
    /// Whether to only report what would be done.
    pub is_dry_run: bool,
    /// Whether to allow more deletions than the target's limit.
    pub may_delete_many: bool,
    /// Whether to upload without conditions because no other run does.
    pub is_single_publisher: bool,
    /// Whether to ignore another run's lock.
    pub takes_over: bool,
    /// Whether to upload to a target with files but without our manifest.
    pub takes_others_along: bool,
}

/// The changes of a run, or for a dry run, the changes that it would make. All paths are relative to the output.
#[derive(Debug, Default)]
pub struct Uploaded {
    /// Number of files on the site.
    pub files: usize,
    /// In the order of uploading.
    pub put: Vec<String>,
    pub deleted: Vec<String>,
    /// No longer published, but still there.
    pub kept: Vec<String>,
}

/// Returns the environment variables for credentials, as text, if none of them is set. In that case, the machine must
/// have a role.
pub fn lacks_credentials(target: &Target) -> Option<&'static str> {
    remote::lacks_credentials(target)
}

/// Makes the target contain the files of the output.
///
/// # Errors
///
/// [`Error::Usage`] if the output doesn't match its manifest, the target must not be written, another run is
/// uploading, or the store refuses; [`Error::Interrupted`] after a signal.
pub fn run(settings: &UploadOptions) -> Result<Uploaded> {
    let site = settings.output.as_deref().map(Site::read).transpose()?;
    let folders = if settings.is_dry_run { Folders::StandIn } else { Folders::Make };
    let remote = Arc::new(Remote::open(&settings.target, folders)?);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    let runtime = runtime.map_err(Error::io("wait for", Path::new(remote.url())))?;
    runtime.block_on(publish(settings, site, &remote))
}

/// A site to upload.
struct Site {
    /// The folder of its files.
    folder: PathBuf,
    manifest: Vec<u8>,
    files: Vec<ManifestFile>,
    /// Deleted with the site.
    _temporary: Option<TempDir>,
}

impl Site {
    /// Reads the manifest, and compares every file with it.
    fn read(output: &Path) -> Result<Self> {
        let path = output.join(MANIFEST);
        let manifest = match std::fs::read(&path) {
            Ok(manifest) => manifest,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let output = output.display();
                return Err(Error::usage(format!(
                    "cannot publish `{output}`: it is not the output of a build; run `stepkin build` first"
                )));
            }
            Err(error) => return Err(Error::io("read", &path)(error)),
        };
        let files = publish::listed(&manifest).ok_or_else(|| changed(&path))?;
        files.par_iter().try_for_each(|file| {
            let path = output.join(&file.path);
            let found = Fingerprint::of_file(&path).map_err(Error::io("read", &path))?;
            if file.fingerprint == Some(found) { Ok(()) } else { Err(changed(&path)) }
        })?;
        match files.iter().find(|file| journal::is_reserved(&file.path)) {
            Some(file) => Err(Error::usage(format!(
                "cannot publish `{}`: Stepkin uses this name for its own file",
                file.path
            ))),
            None => Ok(Self { folder: output.to_path_buf(), manifest, files, _temporary: None }),
        }
    }

    /// Returns the previous content of the target. Its files must still be [fetched](fetch).
    async fn before(remote: &Remote) -> Result<Self> {
        let impossible = |why: &str| Error::usage(format!("cannot roll back `{}`: {why}", remote.url()));
        let Some((manifest, _)) = remote.read(before::MANIFEST).await? else {
            return Err(impossible(
                "it has no previous version; set `rollback = true` in `[publish.to.NAME]` to keep one from now on",
            ));
        };
        let files = listed(&manifest).ok_or_else(|| {
            impossible(&format!("its `{}` is damaged; build and publish instead", before::MANIFEST))
        })?;
        let temporary =
            tempfile::tempdir().map_err(Error::io("create a folder in", &std::env::temp_dir()))?;
        Ok(Self { folder: temporary.path().to_path_buf(), manifest, files, _temporary: Some(temporary) })
    }

    fn by_path(&self) -> HashMap<&str, &ManifestFile> {
        self.files.iter().map(|file| (file.path.as_str(), file)).collect()
    }
}

/// Returns the files in a target's manifest, or `None` if Stepkin didn't write it.
fn listed(manifest: &[u8]) -> Option<Vec<ManifestFile>> {
    publish::listed(manifest).filter(|files| files.iter().all(|file| !journal::is_reserved(&file.path)))
}

/// Downloads these files of the previous site into its folder. Nothing in the target changes before all are there.
async fn fetch(remote: &Arc<Remote>, site: &Site, paths: impl Iterator<Item = &String>) -> Result<()> {
    let files = site.by_path();
    let fetch = |path: &String| {
        let (remote, file, disk) = (remote.clone(), files[path.as_str()].clone(), site.folder.join(path));
        async move {
            let mut is_there = false;
            if let Some(content) = file.fingerprint {
                // A file that a killed run was about to replace may still be at its path.
                for place in [&before::path(&content), &file.path] {
                    is_there = is_there || remote.fetch(place, &disk, content).await?;
                }
            }
            let (url, path) = (remote.url(), &file.path);
            is_there.then_some(()).ok_or_else(|| {
                Error::usage(format!(
                    "cannot roll back `{url}`: `{path}` is missing in the previous version; build and publish instead"
                ))
            })
        }
    };
    let mut works = JoinSet::new();
    for path in paths {
        make_room(&mut works).await?;
        interrupt::check()?;
        works.spawn(fetch(path));
    }
    while let Some(work) = works.join_next().await {
        ended(Some(work))?;
    }
    Ok(())
}

fn changed(path: &Path) -> Error {
    let path = path.display();
    Error::usage(format!("cannot publish `{path}`: it changed after the build; run `stepkin build` again"))
}

async fn publish(settings: &UploadOptions, site: Option<Site>, remote: &Arc<Remote>) -> Result<Uploaded> {
    // In this order, because a run that uploads between the two reads has written the journal in the meantime, and
    // then the first write fails.
    let journal = remote.read(journal::NAME).await?;
    let manifest = remote.read(MANIFEST).await?;
    if journal.is_none() && manifest.is_none() && !settings.takes_others_along && !remote.is_empty().await? {
        return Err(Error::usage(format!(
            "cannot publish to `{}`: it contains files that Stepkin didn't publish; choose another prefix, or use \
             `--overwrite`, which replaces files with the same path and deletes none",
            remote.url()
        )));
    }
    let unusable = |name: &str| {
        Error::usage(format!(
            "cannot publish to `{}`: its `{name}` is damaged or from another Stepkin version; delete it, then use \
             `--overwrite` to publish everything again",
            remote.url()
        ))
    };
    let (journal, journal_condition) = match journal {
        Some((text, version)) => {
            (Journal::parse(&text).ok_or_else(|| unusable(journal::NAME))?, WriteCondition::Same(version))
        }
        None => (Journal::default(), WriteCondition::New),
    };
    let (theirs, text, condition) = match manifest {
        Some((text, version)) => {
            (listed(&text).ok_or_else(|| unusable(MANIFEST))?, Some(text), WriteCondition::Same(version))
        }
        None => (Vec::new(), None, WriteCondition::New),
    };

    let site = match site {
        Some(site) => site,
        None => Site::before(remote).await?,
    };
    let now = now();
    let (keep, rollback) = (settings.target.keep.0.as_secs(), settings.target.rollback);
    let difference =
        difference::between(&site.files, &theirs, &journal, DifferenceOptions { now, keep, rollback });
    let most = settings.target.max_deletes;
    if difference.gone > most && !settings.may_delete_many {
        return Err(Error::usage(format!(
            "cannot publish to `{}`: this would delete {} of its {} files, more than `max_deletes = {most}`; list them with \
             `--dry-run`, or delete them with `--force-delete`",
            remote.url(),
            difference.gone,
            theirs.len()
        )));
    }
    let uploaded = Uploaded {
        files: site.files.len(),
        put: difference.puts.concat(),
        deleted: difference.deletes.concat(),
        kept: difference.kept.keys().cloned().collect(),
    };
    let is_there = difference.is_none(&journal) && text.as_ref() == Some(&site.manifest);
    if settings.is_dry_run || is_there && journal.holder.is_none() {
        return Ok(uploaded);
    }
    if let Some(holder) = journal.holder.as_ref().filter(|holder| holder.until > now && !settings.takes_over)
    {
        return Err(busy(remote, holder, now));
    }

    let _busy = interrupt::Busy::begin();
    if settings.output.is_none() {
        fetch(remote, &site, difference.puts.iter().flatten()).await?;
    }
    let mut run = Run {
        remote,
        settings,
        journal,
        journal_condition: if settings.is_single_publisher {
            WriteCondition::None
        } else {
            journal_condition
        },
        renewed: Instant::now(),
    };
    let condition = if settings.is_single_publisher { WriteCondition::None } else { condition };
    let done = run.publish(&site, &difference, &condition).await;
    if done.is_err() && run.is_held() {
        // Releasing the lock lets the next run start immediately. The original error is more important than a failure
        // to do so.
        _ = run.release().await;
    }
    done.map(|()| uploaded)
}

/// Returns the error for another running upload.
fn busy(remote: &Remote, holder: &Holder, now: u64) -> Error {
    Error::usage(format!(
        "cannot publish to `{}`: `{}` is publishing to it; if that run has ended, wait {} s or use `--take-over`",
        remote.url(),
        holder.name,
        holder.until.saturating_sub(now)
    ))
}

/// A run that changes its target.
struct Run<'a> {
    remote: &'a Arc<Remote>,
    settings: &'a UploadOptions,
    /// As last written.
    journal: Journal,
    journal_condition: WriteCondition,
    /// Time of the last write.
    renewed: Instant,
}

impl Run<'_> {
    async fn publish(
        &mut self,
        site: &Site,
        difference: &Difference,
        condition: &WriteCondition,
    ) -> Result<()> {
        let files = site.by_path();
        let _running = progress::begin(Task::Publish, difference.puts.iter().map(Vec::len).sum());
        for step in difference.steps() {
            match step {
                UploadStep::Begin { pending, kept, before } => {
                    self.journal.before.clone_from(before);
                    self.begin(pending, kept).await?;
                }
                UploadStep::Copy(files) => self.each(files, |run, (to, from)| run.copy(from, to)).await?,
                UploadStep::Put(paths) => {
                    let files = paths.iter().map(|path| files[path.as_str()]);
                    self.each(files, |run, file| run.put(&site.folder, file)).await?;
                }
                UploadStep::Commit => self.commit(site, condition).await?,
                UploadStep::Delete(paths) => self.each(paths, |run, path| run.delete(path)).await?,
                UploadStep::End { kept, before } => {
                    self.journal.pending = SortedSet::new();
                    self.journal.kept.clone_from(kept);
                    self.journal.before.clone_from(before);
                    self.release().await?;
                }
            }
        }
        Ok(())
    }

    /// Locks the target, and records what this run is about to do.
    async fn begin(&mut self, pending: &SortedSet<String>, kept: SortedMap<String, u64>) -> Result<()> {
        let is_first = matches!(self.journal_condition, WriteCondition::New);
        self.journal.pending.clone_from(pending);
        self.journal.kept = kept;
        self.renew().await?;
        if self.settings.is_single_publisher || self.journal.has_conditions {
            return Ok(());
        }
        if !self.has_conditions().await? {
            if is_first {
                self.remote.delete(journal::NAME).await?;
                self.journal.holder = None;
            }
            return Err(self.unconditional());
        }
        self.journal.has_conditions = true;
        Ok(())
    }

    /// Whether the store refuses to write the journal if a condition isn't met. The journal's content stays the same.
    async fn has_conditions(&self) -> Result<bool> {
        let other = || Some("\"00000000000000000000000000000000\"".to_string());
        let never = object_store::UpdateVersion { e_tag: other(), version: Some("1".to_string()) };
        for condition in [WriteCondition::New, WriteCondition::Same(never)] {
            let written = self.remote.write(journal::NAME, self.journal.text(), &condition).await?;
            if !matches!(written, WriteResult::Refused) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn unconditional(&self) -> Error {
        Error::usage(format!(
            "cannot publish to `{}`: it doesn't support conditional writes, so concurrent runs would mix their sites; if \
             nobody else publishes to it, use `--no-lock`",
            self.remote.url()
        ))
    }

    /// Processes all items, some of them concurrently.
    async fn each<Item, Work>(
        &mut self,
        items: impl IntoIterator<Item = Item>,
        work: impl Fn(&Self, Item) -> Work,
    ) -> Result<()>
    where
        Work: Future<Output = Result<()>> + Send + 'static,
    {
        let mut works = JoinSet::new();
        for item in items {
            make_room(&mut works).await?;
            interrupt::check()?;
            self.renew_in_time().await?;
            works.spawn(work(self, item));
        }
        while let Some(work) = works.join_next().await {
            ended(Some(work))?;
            self.renew_in_time().await?;
        }
        Ok(())
    }

    fn put(&self, folder: &Path, file: &ManifestFile) -> impl Future<Output = Result<()>> + Send + use<> {
        let (remote, path) = (self.remote.clone(), file.path.clone());
        let (disk, fingerprint) = (folder.join(&path), file.fingerprint);
        async move {
            let is_put = match fingerprint {
                Some(content) => remote.put(&path, &disk, content).await?,
                None => false,
            };
            if !is_put {
                return Err(changed(&disk));
            }
            progress::step(Task::Publish, 1);
            Ok(())
        }
    }

    fn copy(&self, from: &CopySource, to: &str) -> impl Future<Output = Result<()>> + Send + use<> {
        let (remote, from, to) = (self.remote.clone(), from.clone(), to.to_string());
        async move {
            let is_copied = from.may_be_copied && remote.has(&to).await?;
            if is_copied { Ok(()) } else { remote.copy(&from.path, &to).await }
        }
    }

    fn delete(&self, path: &str) -> impl Future<Output = Result<()>> + Send + use<> {
        let (remote, path) = (self.remote.clone(), path.to_string());
        async move { remote.delete(&path).await }
    }

    async fn commit(&mut self, site: &Site, condition: &WriteCondition) -> Result<()> {
        interrupt::check()?;
        self.renew_in_time().await?;
        match self.remote.write(MANIFEST, site.manifest.clone(), condition).await? {
            WriteResult::Done(_) => Ok(()),
            WriteResult::Unconditional => Err(self.unconditional()),
            WriteResult::Refused => match self.remote.read(MANIFEST).await? {
                // The write succeeded, but its response was lost and the request repeated.
                Some((found, _)) if found == site.manifest => Ok(()),
                _ => Err(self.overtaken()),
            },
        }
    }

    fn overtaken(&self) -> Error {
        let url = self.remote.url();
        Error::usage(format!(
            "cannot publish to `{url}`: another run published to it in the meantime; run the command again"
        ))
    }

    fn is_held(&self) -> bool {
        self.journal.holder.is_some()
    }

    async fn renew_in_time(&mut self) -> Result<()> {
        if self.renewed.elapsed() < RENEWAL { Ok(()) } else { self.renew().await }
    }

    /// Renews the lock.
    async fn renew(&mut self) -> Result<()> {
        let name = self.settings.name.clone();
        self.journal.holder = Some(Holder { name, until: now() + LEASE.as_secs() });
        self.write().await
    }

    async fn release(&mut self) -> Result<()> {
        self.journal.holder = None;
        self.write().await
    }

    async fn write(&mut self) -> Result<()> {
        self.journal.writes += 1;
        self.renewed = Instant::now();
        let text = self.journal.text();
        match self.remote.write(journal::NAME, text.clone(), &self.journal_condition).await? {
            WriteResult::Done(_) if self.settings.is_single_publisher => Ok(()),
            WriteResult::Done(version) => {
                self.journal_condition = WriteCondition::Same(version);
                Ok(())
            }
            WriteResult::Unconditional => {
                self.journal.holder = None;
                Err(self.unconditional())
            }
            WriteResult::Refused => match self.remote.read(journal::NAME).await? {
                // The write succeeded, but its response was lost and the request repeated.
                Some((found, version)) if found == text => {
                    self.journal_condition = WriteCondition::Same(version);
                    Ok(())
                }
                found => {
                    // The lock belongs to another run.
                    self.journal.holder = None;
                    let holder = found.and_then(|(text, _)| Journal::parse(&text)?.holder);
                    Err(holder.map_or_else(|| self.overtaken(), |holder| busy(self.remote, &holder, now())))
                }
            },
        }
    }
}

/// Waits until one more task may start.
async fn make_room(works: &mut JoinSet<Result<()>>) -> Result<()> {
    if works.len() < AT_ONCE {
        return Ok(());
    }
    ended(works.join_next().await)
}

fn ended(work: Option<std::result::Result<Result<()>, tokio::task::JoinError>>) -> Result<()> {
    match work {
        None => Ok(()),
        Some(work) => work.expect("no request panics"),
    }
}

/// Seconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
