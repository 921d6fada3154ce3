//! Writes a site as a folder. Readers of the folder see the old site or the new one, never a mixture.
//!
//! In: the list of output paths, and the content of each. Out: the folder, and [`Published`] with the numbers of
//! changed and unchanged files. [`Publishing`] has the steps: begin, add each file, finish.
//!
//! Changed files are written to a stage next to the output, `.dist.stepkin-stage` for `dist`. When all are written,
//! unchanged files are hard-linked into it from the old output, and a single exchange replaces the output. If a site
//! was published before, the smallest folder that contains all changes is exchanged: after an edit to one page, that
//! is the page's folder. Search files are loaded individually whenever a reader searches, so existing ones outside
//! that folder are replaced one by one. If nothing changed, nothing is written.
//!
//! If the output is a mount point, its folder can't be exchanged. In this case, its contents are replaced file by
//! file: first the files that pages load, then pages, and finally removed files, so that no page is published before
//! its files.
//!
//! Guarantees of this module:
//!
//! - **Killing a run is safe.** Whenever it ends, the output is completely old or completely new, and the next run
//!   removes the rest. (If the system can't exchange two folders in one step, the output may be missing until the
//!   next run restores it. A mount point may contain pages of both versions.) A signal that asks a run to end takes
//!   effect before the next file, and the stage is removed. Power loss isn't covered, because it would require an
//!   fsync for each file, which takes longer than the build, and a site can be built again.
//! - **Only files that Stepkin published are replaced or removed.** The output contains a manifest of these files.
//!   All others, such as a `CNAME` or a `.git` folder, are carried over. A folder without a manifest is refused.
//! - **Sources are safe.** An output that is, contains, or is inside a folder of sources is refused, however the path
//!   is written. Sources are copied, never hard-linked, because an editor that saves in place would change the
//!   published site.
//! - **One run at a time.** A second run for the same parent folder waits for the first one. It waits for a lock on
//!   the folder itself, so no lock file is left behind. On file systems without locks, it doesn't wait.
//!
//! A file that another program adds to the output between the carrying over and the exchange is lost with the old
//! folder. The permissions of existing folders are carried over, but not their owners and extended attributes.

mod contents;
pub mod interrupt;
mod manifest;
mod place;
mod previous;
mod stage;
mod swap;

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rayon::prelude::*;

use base::error::{Error, Result};
use base::progress::{self, Task};
use base::site_path;
use base::timings::{Stage, part};
use manifest::Manifest;
pub(crate) use manifest::NAME as MANIFEST;
pub use manifest::OutputPaths;
pub use manifest::{Fingerprint, ManifestFile, is_plain, listed, media_type};
pub use place::OutputFolders;
use place::look;
use previous::{PathComparison, Previous};
use site::plan::{Class, Content};
use stage::StageFolder;
use swap::Exchange;

/// The number of files that a run processed. `files` is `written + unchanged`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Published {
    pub files: usize,
    /// New files, and files with other content than before.
    pub written: usize,
    /// Files with the same bytes as before, which are still the same files on disk.
    pub unchanged: usize,
    /// Unchanged files that were recognized without rendering and comparing them.
    pub known: usize,
    /// Files that are no longer published.
    pub removed: usize,
}

/// Makes `output` contain the files at `paths`, in addition to files of other programs.
///
/// `root` is the site's folder, and `sources` are the folders of sources: see [`allowed`]. `paths` is the complete
/// site: relative, `/`-separated, sorted by bytes, and unique, such as `developers/web/a/index.html`.
///
/// `render(i)` returns the content of `paths[i]`. It is called once for each path, from several threads, and only
/// after all tests that may refuse the run. If it fails, the run ends with its error, or one of its errors, and
/// nothing is published.
///
/// # Errors
///
/// [`Error::Usage`] if the output must not be written (see [`allowed`]), if it contains another program's file at one
/// of `paths`, or if `paths` contradict each other. [`Error::Io`] if an operation fails. The output is then
/// unchanged, unless the error occurred while removing the old folder after the exchange.
pub fn write<E: From<Error> + Send>(
    output: &Path,
    root: &Path,
    sources: &[PathBuf],
    paths: &[String],
    render: impl Fn(usize) -> std::result::Result<Content, E> + Sync,
) -> std::result::Result<Published, E> {
    let place = OutputFolders::find(output, root, sources)?;
    let names = OutputPaths::new(paths.to_vec())?;
    write_to(&place, &names, swap::exchange, render)
}

/// Same as [`write()`]. `exchange` is a parameter so that tests can simulate systems without it.
fn write_to<E: From<Error> + Send>(
    place: &OutputFolders,
    names: &OutputPaths,
    exchange: Exchange,
    render: impl Fn(usize) -> std::result::Result<Content, E> + Sync,
) -> std::result::Result<Published, E> {
    let publishing = Publishing::begin(place, names, || None, |_| None)?;
    let paths = (0..names.len()).into_par_iter();
    paths.try_for_each(|path| publishing.put(path, || render(path)))?;
    Ok(publishing.finish_by(exchange, |_| Class::Asset)?.0)
}

/// Whether a run without changes may skip the output: it is a permitted output, and no killed run has left files next
/// to it.
pub fn is_at_rest(output: &Path, root: &Path, sources: &[PathBuf]) -> Result<bool> {
    let place = OutputFolders::find(output, root, sources)?;
    let leftovers = [&place.stage, &place.kept, &place.inside].into_iter().map(|left| look(left));
    Ok(leftovers.collect::<Result<Vec<_>>>()?.iter().all(Option::is_none))
}

/// Refuses a folder that must not become an output, so that a build can stop before it does any work.
///
/// These are refused: `root` and every folder above it; each of `sources`, and every folder above or under it; a
/// file; and a folder with files but without our manifest, which is read when something is published. `root` and
/// `sources` need not exist. Links, `..` and relative paths are resolved. In a part of the path that doesn't exist
/// yet, `..` cancels the name before it.
pub fn allowed(output: &Path, root: &Path, sources: &[PathBuf]) -> Result<()> {
    let _part = part(Stage::Write);
    let place = OutputFolders::find(output, root, sources)?;
    manifest::open(&place.output).map(drop)
}

/// A site that is being published. The output doesn't change before [`Self::finish`], and if that isn't called, the
/// new files are discarded. Paths are identified by their positions in the list of all paths.
#[derive(Debug)]
pub struct Publishing<'a> {
    names: &'a OutputPaths,
    previous: Previous<'a>,
    /// For each path, whether the previous site contains it.
    was_published: Vec<bool>,
    /// Published files that the new site no longer contains.
    gone: Vec<String>,
    /// For each path, the fingerprint of the existing file if it doesn't have to be rendered again.
    current: Vec<Option<Fingerprint>>,
    /// For each path, its new file.
    files: Vec<OnceLock<StagedFile>>,
    stage: StageFolder<'a>,
    _lock: File,
    _running: progress::Running,
}

/// A file in the stage, or an unchanged file in the output.
#[derive(Clone, Copy, Debug)]
struct StagedFile {
    is_unchanged: bool,
    found: Fingerprint,
}

impl<'a> Publishing<'a> {
    /// Starts publishing a site with the files `names`. Waits for other runs that publish into the same parent
    /// folder.
    ///
    /// `published` returns the paths in the output's manifest, if the manifest is unchanged since it was written, so
    /// that it isn't read again. `current` returns the fingerprint of a published file that is still valid.
    ///
    /// # Errors
    ///
    /// Same as for [`write()`].
    pub fn begin(
        place: &'a OutputFolders,
        names: &'a OutputPaths,
        published: impl FnOnce() -> Option<Vec<String>>,
        current: impl Fn(usize) -> Option<Fingerprint> + Sync,
    ) -> Result<Self> {
        let lock = place.lock()?;
        swap::recover(place)?;
        let previous = Previous::read(&place.output, published)?;
        let PathComparison { was_published, gone } = previous.compare(names);
        let gone = gone.into_iter().map(str::to_string).collect();
        let current = (0..names.len()).into_par_iter().map(|path| {
            let _part = part(Stage::Write);
            if was_published[path] { current(path) } else { None }
        });
        let current: Vec<Option<Fingerprint>> = current.collect();
        let those = |wanted: &dyn Fn(usize) -> bool| -> Vec<&str> {
            names.iter().enumerate().filter(|(path, _)| wanted(*path)).map(|(_, name)| name).collect()
        };
        // Files in `current` are ours. Other programs can only have replaced other files.
        previous.refuse_replaced(&those(&|path| was_published[path] && current[path].is_none()))?;
        if !previous.is_free(&those(&|path| !was_published[path])) {
            previous.foreign("", names)?;
        }
        Ok(Self {
            names,
            previous,
            was_published,
            gone,
            current,
            files: names.iter().map(|_| OnceLock::new()).collect(),
            stage: StageFolder::new(place),
            _lock: lock,
            _running: progress::begin(Task::Publish, names.len()),
        })
    }

    /// Writes the content of a path to the stage, unless the output already contains it. `render` isn't called for
    /// current paths. Call this once for each path, from any thread.
    ///
    /// # Errors
    ///
    /// If `render` fails, the run is interrupted, or a file can't be written.
    pub fn put<E: From<Error>>(
        &self,
        path: usize,
        render: impl FnOnce() -> std::result::Result<Content, E>,
    ) -> std::result::Result<(), E> {
        progress::step(Task::Publish, 1);
        let file = if let Some(found) = self.current[path] {
            StagedFile { is_unchanged: true, found }
        } else {
            interrupt::check()?;
            self.staged(path, &render()?)?
        };
        _ = self.files[path].set(file);
        Ok(())
    }

    fn staged(&self, path: usize, content: &Content) -> Result<StagedFile> {
        let _part = part(Stage::Write);
        let name = &self.names[path];
        if self.was_published[path]
            && let Some(found) = same(content, &self.stage.place().output.join(name))?
        {
            return Ok(StagedFile { is_unchanged: true, found });
        }
        Ok(StagedFile { is_unchanged: false, found: self.stage.write(name, content)? })
    }

    /// Replaces the output with the new site, in one step if the system supports it. Also returns the fingerprint of
    /// each path.
    ///
    /// # Errors
    ///
    /// Same as for [`write()`].
    pub fn finish(self, class: impl Fn(usize) -> Class) -> Result<(Published, Vec<Fingerprint>)> {
        self.finish_by(swap::exchange, class)
    }

    fn finish_by(
        self,
        exchange: Exchange,
        class: impl Fn(usize) -> Class,
    ) -> Result<(Published, Vec<Fingerprint>)> {
        interrupt::check()?;
        let file = |file: &OnceLock<StagedFile>| *file.get().expect("every path was put");
        let files: Vec<StagedFile> = self.files.iter().map(file).collect();
        let found: Vec<Fingerprint> = files.iter().map(|file| file.found).collect();
        let is_unchanged: Vec<bool> = files.iter().map(|file| file.is_unchanged).collect();
        let unchanged = is_unchanged.iter().filter(|same| **same).count();
        let published = Published {
            files: files.len(),
            written: files.len() - unchanged,
            unchanged,
            known: self.current.iter().flatten().count(),
            removed: self.gone.len(),
        };
        let known = found.iter().enumerate().map(|(path, found)| (class(path), *found));
        let manifest = Manifest::new(self.names, known);
        if published.written == 0 && self.gone.is_empty() && self.previous.says(&manifest)? {
            return Ok((published, found));
        }
        let is_alone = |(path, was): (usize, &bool)| *was && class(path) == Class::Search;
        let is_alone = self.was_published.iter().enumerate().map(is_alone).collect();
        let gone = self.gone.iter().map(String::as_str).collect();
        let made = RenderedSite { names: self.names, is_unchanged, is_alone, manifest, gone };
        put_in_place(&self.stage, &self.previous, &made, exchange)?;
        Ok((published, found))
    }
}

/// A rendered site.
struct RenderedSite<'p> {
    names: &'p OutputPaths,
    /// For each path, whether its file is unchanged. All others are in the stage.
    is_unchanged: Vec<bool>,
    /// For each path, whether its file may be replaced independently of others.
    is_alone: Vec<bool>,
    manifest: Manifest<'p>,
    /// Files that are no longer published.
    gone: Vec<&'p str>,
}

impl<'p> RenderedSite<'p> {
    /// Returns every path with whether its file is unchanged.
    fn files(&self) -> impl Iterator<Item = (&'p str, bool)> {
        self.names.iter().zip(self.is_unchanged.iter().copied())
    }

    fn changed(&self) -> impl Iterator<Item = &'p str> {
        self.files().filter(|(_, is_same)| !is_same).map(|(path, _)| path)
    }

    /// Returns the changed paths that may be replaced independently, and all others.
    fn alone(&self) -> (Vec<&'p str>, Vec<&'p str>) {
        let changed = self.files().zip(&self.is_alone).filter(|((_, is_same), _)| !is_same);
        let (alone, together): (Vec<_>, Vec<_>) = changed.partition(|(_, is_alone)| **is_alone);
        let paths =
            |files: Vec<((&'p str, bool), &bool)>| files.into_iter().map(|((path, _), _)| path).collect();
        (paths(alone), paths(together))
    }

    /// Returns the manifest that is valid directly before and after the exchange, without fingerprints of changed
    /// files.
    fn unchanged(&self) -> Manifest<'p> {
        self.manifest.only(&self.is_unchanged)
    }
}

/// Replaces the changed parts of the published site.
fn put_in_place(
    stage: &StageFolder<'_>,
    previous: &Previous<'_>,
    made: &RenderedSite<'_>,
    exchange: Exchange,
) -> Result<()> {
    let RenderedSite { names, manifest, gone, .. } = made;
    let by_contents = || contents::exchange(stage.place(), made);
    if made.changed().next().is_none() && gone.is_empty() && previous.exists() {
        return if stage.replace_manifest(manifest)? { Ok(()) } else { by_contents() };
    }
    let (alone, together) = made.alone();
    let folder = if previous.exists() && !gone.iter().any(|path| contents::is_in_the_way(path, names)) {
        common_folder(together.iter().chain(gone).copied())
    } else {
        ""
    };
    let is_below =
        |path: &str| path.strip_prefix(folder).is_some_and(|rest| folder.is_empty() || rest.starts_with('/'));
    let link = |wanted: &dyn Fn(&str) -> bool| {
        let unchanged = made.files().filter(|(path, is_same)| *is_same && wanted(path));
        stage.link_unchanged(&unchanged.map(|(path, _)| path).collect::<Vec<_>>())
    };
    let foreign = previous.foreign(folder, names)?;
    link(&is_below)?;
    stage.take_along(foreign.iter())?;
    if !folder.is_empty() {
        // The manifest during the exchange, with the old and the new files.
        let both = made.unchanged().and(gone);
        let alone: Vec<&str> = alone.into_iter().filter(|path| !is_below(path)).collect();
        if stage.put_folder_in_place(folder, &alone, (&both, manifest), exchange)? {
            return Ok(());
        }
        let foreign = previous.foreign("", names)?;
        link(&|path| !is_below(path))?;
        stage.take_along(foreign.iter().filter(|foreign| !is_below(&foreign.path.to_string_lossy())))?;
    }
    if stage.put_in_place(manifest, previous.exists(), exchange)? {
        return Ok(());
    }
    by_contents()
}

/// Returns the innermost folder that contains all of `paths`, without a final slash. Empty for the output itself.
fn common_folder<'p>(mut paths: impl Iterator<Item = &'p str>) -> &'p str {
    let first = paths.next().map_or("", site_path::parent);
    paths.fold(first, |mut folder, path| {
        while !folder.is_empty() && !path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')) {
            folder = site_path::parent(folder);
        }
        folder
    })
}

/// Returns the fingerprint of the published file `old` if its content equals `content`. A missing file never does.
fn same(content: &Content, old: &Path) -> Result<Option<Fingerprint>> {
    let (old_file, old_length) = match open(old) {
        Err(error) if error.kind() == Some(ErrorKind::NotFound) => return Ok(None),
        opened => opened?,
    };
    match content {
        Content::Bytes(bytes) if bytes.len() as u64 != old_length => Ok(None),
        Content::Bytes(bytes) => {
            let is_same = same_bytes(&**bytes, old_file, |_| ()).map_err(Error::io("read", old))?;
            Ok(is_same.then(|| Fingerprint::of(bytes)))
        }
        Content::File(source) => {
            let (source_file, source_length) = open(source)?;
            if source_length != old_length {
                return Ok(None);
            }
            let (mut hasher, mut size) = (blake3::Hasher::new(), 0);
            let seen = |block: &[u8]| {
                hasher.update(block);
                size += block.len() as u64;
            };
            let is_same = same_bytes(source_file, old_file, seen).map_err(Error::io("compare", source))?;
            Ok(is_same.then(|| Fingerprint { size, hash: *hasher.finalize().as_bytes() }))
        }
    }
}

/// Opens a file for reading, and returns its length.
fn open(path: &Path) -> Result<(BufReader<File>, u64)> {
    /// Most pages fit, and a large image needs few system calls.
    const BLOCK: usize = 64 * 1024;
    let file = File::open(path).map_err(Error::io("read", path))?;
    let length = file.metadata().map_err(Error::io("read", path))?.len();
    Ok((BufReader::with_capacity(BLOCK, file), length))
}

/// Whether two files are equal. Calls `seen` with each equal block of bytes.
fn same_bytes(
    mut one: impl BufRead,
    mut other: impl BufRead,
    mut seen: impl FnMut(&[u8]),
) -> io::Result<bool> {
    loop {
        let (left, right) = (one.fill_buf()?, other.fill_buf()?);
        let length = left.len().min(right.len());
        if length == 0 {
            return Ok(left.is_empty() && right.is_empty());
        }
        if left[..length] != right[..length] {
            return Ok(false);
        }
        seen(&left[..length]);
        one.consume(length);
        other.consume(length);
    }
}

#[cfg(test)]
mod tests {
    use base::sorted::SortedMap;
    use std::process::{Command, Stdio};
    use std::time::Duration;
    use std::{env, fs, thread};

    use walkdir::WalkDir;

    use super::*;

    /// Simulates a file system that can't exchange two folders.
    fn cannot_exchange(_: &Path, _: &Path) -> io::Result<()> {
        Err(ErrorKind::Unsupported.into())
    }

    /// Simulates an output that is a mount point.
    fn cannot_move(_: &Path, _: &Path) -> io::Result<()> {
        Err(ErrorKind::ResourceBusy.into())
    }

    fn place_in(folder: &Path) -> OutputFolders {
        OutputFolders::find(&folder.join("dist"), &folder.join("site"), &[]).unwrap()
    }

    /// Publishes `files` files with the content `text`, using only renames.
    fn publish(place: &OutputFolders, files: usize, text: &'static str) -> Result<Published> {
        let paths: Vec<String> = (0..files).map(|index| format!("{index:03}/index.html")).collect();
        publish_paths(place, &paths, |_| text, cannot_exchange)
    }

    fn publish_paths(
        place: &OutputFolders,
        paths: &[String],
        text: impl Fn(usize) -> &'static str + Sync,
        exchange: Exchange,
    ) -> Result<Published> {
        let render = |index| Ok::<_, Error>(Content::Bytes(text(index).as_bytes().into()));
        write_to(place, &OutputPaths::new(paths.to_vec())?, exchange, render)
    }

    /// Publishes `site`, paths with their texts, into an output that can't be exchanged, and checks its content.
    #[track_caller]
    fn check_contents(place: &OutputFolders, site: &[(&str, &'static str)], expected: (usize, usize, usize)) {
        let paths: Vec<String> = site.iter().map(|(path, _)| (*path).to_string()).collect();
        let published = publish_paths(place, &paths, |index| site[index].1, cannot_move).unwrap();
        assert_eq!((published.written, published.unchanged, published.removed), expected);
        let mut files = files_below(&place.output);
        assert_eq!(files.remove("CNAME").as_deref(), Some("example.com"), "what others put there stays");
        let expected = site.iter().map(|(path, text)| ((*path).to_string(), (*text).to_string()));
        assert_eq!(files, expected.collect());
        let known = site.iter().map(|(_, text)| (Class::Asset, Fingerprint::of(text.as_bytes())));
        let names = OutputPaths::new(paths).unwrap();
        assert!(Previous::read(&place.output, || None).unwrap().says(&Manifest::new(&names, known)).unwrap());
        assert!(look(&place.inside).unwrap().is_none() && look(&place.stage).unwrap().is_none());
    }

    #[test]
    fn contents_are_exchanged_where_the_folder_cannot_be() {
        let folder = tempfile::tempdir().unwrap();
        let place = place_in(folder.path());
        publish(&place, 1, "old").unwrap();
        fs::write(place.output.join("CNAME"), "example.com").unwrap();
        let whole = [("000/index.html", "old"), ("a/b/c.css", "one"), ("d.html", "one")];
        check_contents(&place, &whole, (2, 1, 0));
        let before = fs::metadata(place.output.join("000/index.html")).unwrap();
        check_contents(&place, &[("000/index.html", "old"), ("d.html", "two")], (1, 1, 1));
        assert!(!place.output.join("a").exists(), "a folder that holds nothing goes");
        let after = fs::metadata(place.output.join("000/index.html")).unwrap();
        assert_eq!(std::os::unix::fs::MetadataExt::ino(&before), std::os::unix::fs::MetadataExt::ino(&after));
        // A file in place of a folder, and vice versa.
        check_contents(&place, &[("000", "file"), ("d.html/index.html", "page")], (2, 0, 2));
        check_folder(folder.path(), "dist");
    }

    /// Checks the manifest at the moment of the exchange.
    fn says_nothing_of_what_changes(new: &Path, old: &Path) -> io::Result<()> {
        let manifest = fs::read_to_string(old.parent().unwrap().join(manifest::NAME))?;
        assert!(manifest.contains("{\"path\":\"a/changes\"}"), "{manifest}");
        assert!(manifest.contains("{\"path\":\"a/stays\",\"size\":3"), "{manifest}");
        swap::exchange(new, old)
    }

    #[test]
    fn during_an_exchange_the_manifest_omits_changing_files() {
        let folder = tempfile::tempdir().unwrap();
        let place = place_in(folder.path());
        let paths = ["a/changes", "a/stays", "b"].map(String::from);
        publish_paths(&place, &paths, |_| "old", swap::exchange).unwrap();
        let text = |index| if index == 0 { "new" } else { "old" };
        publish_paths(&place, &paths, text, says_nothing_of_what_changes).unwrap();
        let manifest = fs::read_to_string(place.output.join(manifest::NAME)).unwrap();
        assert!(manifest.contains(&blake3::hash(b"new").to_string()), "{manifest}");
        check_folder(folder.path(), "dist");
    }

    #[test]
    fn files_of_a_killed_run_in_a_mount_point_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let place = place_in(folder.path());
        fs::create_dir_all(place.inside.join("a")).unwrap();
        fs::write(place.inside.join("a/index.html"), "half").unwrap();
        assert!(!is_at_rest(&place.output, &folder.path().join("site"), &[]).unwrap());
        publish(&place, 1, "new").unwrap();
        assert_eq!(files_below(&place.output).into_keys().collect::<Vec<_>>(), ["000/index.html"]);
    }

    fn files_below(folder: &Path) -> SortedMap<String, String> {
        let files = WalkDir::new(folder).into_iter().map(|entry| entry.unwrap().into_path());
        files
            .filter(|path| path.is_file() && !path.ends_with(manifest::NAME))
            .map(|path| (path.strip_prefix(folder).unwrap().display().to_string(), path))
            .map(|(name, path)| (name, fs::read_to_string(path).unwrap()))
            .collect()
    }

    #[track_caller]
    fn check_folder(folder: &Path, expected: &str) {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(names.join(" "), expected);
    }

    #[test]
    fn three_renames_have_the_effect_of_an_exchange() {
        let folder = tempfile::tempdir().unwrap();
        let place = place_in(folder.path());
        publish(&place, 2, "old").unwrap();
        fs::write(place.output.join("CNAME"), "example.com").unwrap();
        let published = publish(&place, 1, "new").unwrap();
        assert_eq!(published, Published { files: 1, written: 1, unchanged: 0, known: 0, removed: 1 });
        let files = files_below(&place.output);
        assert_eq!(
            files.into_iter().collect::<Vec<_>>(),
            [("000/index.html".into(), "new".into()), ("CNAME".into(), "example.com".into())]
        );
        check_folder(folder.path(), "dist");
    }

    /// Simulates a run that is killed after `renames` of its renames, and checks that the next run finds the site
    /// with `expected`, and cleans up.
    #[track_caller]
    fn check_killed_after(renames: usize, expected: &'static str) {
        let folder = tempfile::tempdir().unwrap();
        let place = place_in(folder.path());
        publish(&place, 3, "old").unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        publish(&place_in(elsewhere.path()), 3, "new").unwrap();
        fs::rename(elsewhere.path().join("dist"), &place.stage).unwrap();
        let steps =
            [(&place.output, &place.kept), (&place.stage, &place.output), (&place.kept, &place.stage)];
        for (from, to) in &steps[..renames] {
            fs::rename(from, to).unwrap();
        }
        let published = publish(&place, 3, expected).unwrap();
        assert_eq!((published.written, published.unchanged), (0, 3), "after {renames} renames");
        check_folder(folder.path(), "dist");
    }

    #[test]
    fn a_kill_between_two_renames_leaves_the_old_or_the_new_site() {
        check_killed_after(0, "old");
        check_killed_after(1, "old");
        check_killed_after(2, "new");
        check_killed_after(3, "new");
    }

    #[test]
    fn a_failed_second_rename_takes_back_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let place = place_in(folder.path());
        publish(&place, 1, "old").unwrap();
        let error = swap::replace(&place, cannot_exchange).unwrap_err();
        assert!(error.to_string().starts_with("cannot replace "), "{error}");
        assert_eq!(files_below(&place.output)["000/index.html"], "old");
        check_folder(folder.path(), "dist");
    }

    /// Not a test by itself: the process that the next test kills.
    #[test]
    fn publishes_until_killed() {
        if let Some(folder) = env::var_os("STEPKIN_TEST_PUBLISH_BY_RENAMES") {
            let place = place_in(Path::new(&folder));
            for text in ["one", "two"].iter().cycle() {
                publish(&place, 30, text).unwrap();
            }
        }
    }

    #[test]
    fn renames_survive_a_kill_at_any_moment() {
        let folder = tempfile::tempdir().unwrap();
        let place = place_in(folder.path());
        publish(&place, 30, "one").unwrap();
        for round in 0..40 {
            let mut child = Command::new(env::current_exe().unwrap())
                .args(["--exact", "publish::tests::publishes_until_killed"])
                .env("STEPKIN_TEST_PUBLISH_BY_RENAMES", folder.path())
                .stdout(Stdio::null())
                .spawn()
                .unwrap();
            // Spread over several publications of some milliseconds each, out of step with them.
            thread::sleep(Duration::from_micros(15_000 + round * 7_919 % 30_000));
            child.kill().unwrap();
            child.wait().unwrap();

            swap::recover(&place).unwrap();
            let files = files_below(&place.output);
            let whole = |text: &str| files.len() == 30 && files.values().all(|held| held == text);
            assert!(whole("one") || whole("two"), "round {round}: {files:?}");
            publish(&place, 30, "two").unwrap();
            check_folder(folder.path(), "dist");
        }
    }

    #[test]
    fn contents_are_compared_across_blocks() {
        let long = vec![b'x'; 200_000];
        let mut other = long.clone();
        assert!(same_bytes(&long[..], BufReader::with_capacity(7, &other[..]), |_| ()).unwrap());
        other[199_999] = b'y';
        assert!(!same_bytes(&long[..], BufReader::with_capacity(7, &other[..]), |_| ()).unwrap());
        assert!(!same_bytes(&long[..100], BufReader::with_capacity(7, &other[..]), |_| ()).unwrap());
    }
}
