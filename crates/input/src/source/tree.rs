//! The tree on disk, as far as recognizing a repository requires it.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::admit::is_kept_private;
use super::regular;
use crate::config;
use crate::conventions::{FileTree, Overrides, Repository, UnrecognizedRepository};
use crate::dialect::Absence;
use base::diagnostic::{count, nearest};
use base::error::{Error, Result};
use base::site_path::{CONFIG, MANIFEST, join};

/// Maximum folder depth at which files are searched.
const DEEPEST: usize = 16;

/// Maximum size of a configuration file in bytes.
const LARGEST: u64 = 1 << 20;

/// Whether a folder contains the configuration of Stepkin or a generator.
pub fn is_site(folder: &Path) -> bool {
    folder.join(CONFIG).is_file() || Repository::is_configured(&OnDisk::at(folder))
}

/// Recognizes the repository at `root`.
///
/// # Errors
///
/// If there is nothing to read, or the repository doesn't match the configuration.
pub fn recognise(root: &Path) -> Result<Repository> {
    recognise_as(root, Several::Refused)
}

/// What to do if the root contains several sites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Several {
    Refused,
    /// Versions of one another are read as one, to compare them. See [`Overrides::of_versions`].
    Compared,
}

/// The same, for several sites too.
///
/// # Errors
///
/// The same.
pub(super) fn recognise_as(root: &Path, several: Several) -> Result<Repository> {
    let overrides = config::source(&configuration(root)).overrides();
    let tree = OnDisk::at(root);
    let found = match Repository::of(&tree, &overrides) {
        Err(UnrecognizedRepository::Several(sites)) if several == Several::Compared => {
            let versions = Overrides::of_versions(&sites);
            versions
                .and_then(|it| Repository::of(&tree, &it).ok())
                .ok_or(UnrecognizedRepository::Several(sites))
        }
        found => found,
    };
    let mut repository = found.map_err(|error| unrecognised(root, &overrides, error))?;
    if let Some(lost) = overrides.statics.iter().flatten().find(|path| !tree.is_folder(path)) {
        let root = root.display();
        return Err(Error::usage(format!(
            "`{lost}` doesn't exist in `{root}`; correct `static` under `[source]` in {CONFIG}"
        )));
    }
    repository.own_files = tree.read.into_inner().into_iter().collect();
    Ok(repository)
}

/// Returns the git submodules that contain no files, relative to the root.
pub fn submodules(root: &Path) -> Vec<String> {
    let text = regular::text_or_empty(&root.join(".gitmodules"));
    let paths =
        text.lines().filter_map(|line| line.trim().strip_prefix("path")?.trim_start().strip_prefix('='));
    let is_empty =
        |path: &String| fs::read_dir(root.join(path)).map_or(true, |mut entries| entries.next().is_none());
    paths.map(|path| path.trim().to_string()).filter(is_empty).collect()
}

/// Returns the texts of the files in a folder that describe how other files are made.
pub fn build_files(folder: &Path) -> String {
    #[rustfmt::skip]
    const NAMES: [&str; 8] = [
        "BUILD.bazel", "CMakeLists.txt", "GNUmakefile", "Makefile", "Rakefile", "docs.exs", "justfile", "meson.build",
    ];
    NAMES.iter().map(|name| regular::text_or_empty(&folder.join(name))).collect()
}

/// Returns the texts of the workflows of a repository on GitHub.
pub fn workflows(root: &Path) -> String {
    let files = fs::read_dir(root.join(".github/workflows")).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = files.map(|file| file.path()).collect();
    files.sort_unstable();
    let is_yaml = |file: &&PathBuf| file.extension().is_some_and(|it| it == "yml" || it == "yaml");
    files.iter().filter(is_yaml).map(|file| regular::text_or_empty(file)).collect()
}

/// Whether a file exists at a path relative to the root, without a link that leaves the root.
pub(super) fn has_file(root: &Path, path: &str) -> bool {
    OnDisk::at(root).place(path).is_some_and(|place| place.is_file())
}

/// Whether a folder exists at a path relative to the root, without a link that leaves the root.
pub(super) fn has_folder(root: &Path, path: &str) -> bool {
    OnDisk::at(root).place(path).is_some_and(|place| place.is_dir())
}

/// Returns the names of the folders in a folder, sorted.
pub(super) fn folders(root: &Path, path: &str) -> Vec<String> {
    let entries = OnDisk::at(root).place(path).and_then(|place| fs::read_dir(place).ok());
    let folders =
        entries.into_iter().flatten().flatten().filter(|entry| entry.file_type().is_ok_and(|it| it.is_dir()));
    let mut names: Vec<String> = folders.filter_map(|it| it.file_name().into_string().ok()).collect();
    names.sort_unstable();
    names
}

/// Returns all files, sorted, except in hidden, private and generated folders.
pub(super) fn files(root: &Path) -> Vec<String> {
    let below = |file: PathBuf| Some(file.strip_prefix(root).ok()?.to_str()?.to_string());
    let mut files: Vec<String> = files_in(root).filter_map(below).collect();
    files.sort_unstable();
    files
}

/// Returns the text of the configuration, or an empty text without one.
pub(super) fn configuration(root: &Path) -> String {
    regular::text_or_empty(&root.join(CONFIG))
}

fn unrecognised(root: &Path, overrides: &Overrides, error: UnrecognizedRepository) -> Error {
    let in_rst = OnDisk::at(root).pages("", "rst").len();
    let root = root.display();
    Error::usage(match (error, &overrides.content) {
        (UnrecognizedRepository::NoPages, Some(content)) => {
            format!("`{content}` doesn't exist in `{root}`; correct `content` under `[source]` in {CONFIG}")
        }
        (UnrecognizedRepository::NoPages, None) if in_rst > 0 => format!(
            "`{root}` has {}, which Stepkin doesn't read, and no Markdown pages",
            count(in_rst, "reStructuredText page")
        ),
        (UnrecognizedRepository::NoPages, None) => format!(
            "cannot find pages in `{root}`: run Stepkin in a site's directory, or pass one with --root; if the \
             directory of the pages has another name, set `content` under `[source]` in {CONFIG}"
        ),
        (UnrecognizedRepository::Several(sites), _) => {
            let names: Vec<String> = sites.iter().map(|it| format!("`{}` ({})", it.path, it.name)).collect();
            let first = sites.first().map_or("", |it| it.path.as_str());
            let text = format!(
                "`{root}` contains {} sites: {}; choose one with -C, such as `stepkin -C {first} check`",
                sites.len(),
                names.join(", ")
            );
            return Error::SeveralSites { text, folders: sites.into_iter().map(|it| it.path).collect() };
        }
        (UnrecognizedRepository::NotOfKind(kind), _) => format!(
            "`{root}` is not {} because its configuration or directory of pages is missing; correct `kind` under \
             `[source]` in {CONFIG}",
            kind.convention().name
        ),
    })
}

/// Whether a path is a file of the repository that is small enough to be part of a page.
pub(super) fn is_readable(root: &Path, path: &str) -> bool {
    let is_file = fs::metadata(root.join(path)).is_ok_and(|it| it.is_file() && it.len() <= LARGEST);
    is_file && OnDisk::at(root).shows(path) && !is_published(root, path)
}

/// Returns why a file on a page can't be read.
pub(super) fn absence(root: &Path, path: &str) -> Absence {
    let disk = OnDisk::at(root);
    match fs::metadata(root.join(path)) {
        Err(_) => Absence::Missing(disk.nearest(path)),
        Ok(_) if disk.place(path).is_none() => Absence::Outside,
        Ok(it) if it.is_dir() => Absence::Folder,
        Ok(it) if it.len() > LARGEST => Absence::TooLarge(it.len()),
        Ok(_) if is_published(root, path) => Absence::Published,
        Ok(it) if it.is_file() && !disk.shows(path) => Absence::Secret,
        Ok(_) => Absence::Missing(None),
    }
}

/// Whether a file is in a folder that Stepkin published.
fn is_published(root: &Path, path: &str) -> bool {
    path.match_indices('/').any(|(end, _)| root.join(&path[..end]).join(MANIFEST).is_file())
}

struct OnDisk<'a> {
    root: &'a Path,
    real: Option<PathBuf>,
    /// All files that a walk from the root finds, sorted.
    listed: OnceCell<Vec<String>>,
    /// The files that were read.
    read: RefCell<BTreeSet<String>>,
}

impl<'a> OnDisk<'a> {
    fn at(root: &'a Path) -> Self {
        Self { root, real: root.canonicalize().ok(), listed: OnceCell::new(), read: RefCell::default() }
    }

    /// Returns the path on disk if it is in the repository.
    fn place(&self, path: &str) -> Option<PathBuf> {
        let place = self.root.join(path);
        let real = place.canonicalize().ok()?;
        real.starts_with(self.real.as_ref()?).then_some(place)
    }
}

impl OnDisk<'_> {
    /// Whether a file is in the repository and, with its link target, isn't a secret by name.
    fn shows(&self, path: &str) -> bool {
        let (named, Some(root)) = (self.root.join(path), &self.real) else { return false };
        let real = named.canonicalize().ok().filter(|real| real.starts_with(root));
        real.is_some_and(|real| !is_kept_private(root, &real) && !is_kept_private(self.root, &named))
    }

    /// Returns the file whose path resembles a missing one except for typing mistakes.
    fn nearest(&self, path: &str) -> Option<String> {
        let mut found = String::new();
        for part in path.split('/') {
            let with = |name: &str| join(&found, name);
            let mut next = with(part);
            if !self.root.join(&next).exists() {
                let names = self.names_in(&found);
                next = with(nearest(part, names.iter().map(String::as_str))?);
            }
            found = next;
        }
        (found != path && is_readable(self.root, &found)).then_some(found)
    }

    /// Returns the wanted files in a folder, relative to the root and sorted. The folder itself may be hidden or private.
    fn files_below(&self, folder: &str, is_wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let is_listed = folder.split('/').all(|name| !is_skipped(name.as_bytes()));
        if !is_listed {
            let below = |file: PathBuf| Some(file.strip_prefix(self.root).ok()?.to_str()?.to_string());
            let place = self.root.join(folder);
            let files = files_in(&place).filter_map(below);
            let mut files: Vec<String> = files.filter(|file| is_wanted(file)).collect();
            files.sort_unstable();
            return files;
        }
        let all = self.listed.get_or_init(|| files(self.root));
        let start = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let from = all.partition_point(|file| file.as_str() < start.as_str());
        let below = all[from..].iter().take_while(|file| file.starts_with(&start));
        below.filter(|file| is_wanted(file)).cloned().collect()
    }

    /// Returns the names in a folder of the repository, sorted.
    fn names_in(&self, folder: &str) -> Vec<String> {
        let entries = self.place(folder).and_then(|place| fs::read_dir(place).ok());
        let names =
            entries.into_iter().flatten().filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut names: Vec<String> = names.collect();
        names.sort_unstable();
        names
    }
}

impl FileTree for OnDisk<'_> {
    fn text(&self, path: &str) -> Option<String> {
        // Fast path: most requested files don't exist.
        let metadata = fs::metadata(self.root.join(path)).ok()?;
        if !metadata.is_file() || metadata.len() > LARGEST {
            return None;
        }
        let mut bytes = Vec::new();
        regular::open(&self.place(path)?).ok()?.take(LARGEST).read_to_end(&mut bytes).ok()?;
        self.read.borrow_mut().insert(path.to_string());
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn is_folder(&self, path: &str) -> bool {
        path.is_empty() || self.root.join(path).is_dir()
    }

    fn has_pages(&self, folder: &str) -> bool {
        let start = if folder.is_empty() { self.root.to_path_buf() } else { self.root.join(folder) };
        files_in(&start).any(|file| file.extension().is_some_and(|ending| ending == "md"))
    }

    fn pages(&self, folder: &str, ending: &str) -> Vec<String> {
        self.files_below(folder, |file| file.strip_suffix(ending).is_some_and(|stem| stem.ends_with('.')))
    }

    fn names(&self, folder: &str) -> Vec<String> {
        self.names_in(folder)
    }

    fn all(&self) -> Vec<String> {
        self.files_below("", |_| true)
    }

    fn peek(&self, page: &str) -> Option<String> {
        let file = fs::File::open(self.place(page)?).ok()?;
        let mut bytes = Vec::new();
        file.take(LARGEST).read_to_end(&mut bytes).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn files(&self, folder: &str) -> Vec<String> {
        let start = if folder.is_empty() { 0 } else { folder.len() + 1 };
        self.files_below(folder, |_| true).into_iter().map(|mut file| file.split_off(start)).collect()
    }
}

/// Whether files and folders with this name are hidden, private or generated.
fn is_skipped(name: &[u8]) -> bool {
    is_hidden(name) || name.starts_with(b"_")
}

fn is_hidden(name: &[u8]) -> bool {
    name.starts_with(b".") || name == b"node_modules"
}

/// Returns the paths of all files, including those in private folders.
pub(super) fn all_files(root: &Path) -> Vec<String> {
    let walk = walkdir::WalkDir::new(root).max_depth(DEEPEST).into_iter();
    let files = walk.filter_entry(|it| it.depth() == 0 || !is_hidden(it.file_name().as_encoded_bytes()));
    let below = |file: walkdir::DirEntry| Some(file.path().strip_prefix(root).ok()?.to_str()?.to_string());
    files
        .filter_map(std::result::Result::ok)
        .filter(|it| it.file_type().is_file())
        .filter_map(below)
        .collect()
}

/// Returns the files in a folder and its subfolders, except in hidden, private and generated ones.
fn files_in(start: &Path) -> impl Iterator<Item = PathBuf> {
    entries_in(start).map(walkdir::DirEntry::into_path)
}

fn entries_in(start: &Path) -> impl Iterator<Item = walkdir::DirEntry> {
    // A built site has more files than its sources.
    let is_output = |entry: &walkdir::DirEntry| {
        entry.depth() == 1 && entry.file_type().is_dir() && entry.path().join(MANIFEST).is_file()
    };
    let is_looked_into = move |entry: &walkdir::DirEntry| {
        entry.depth() == 0 || !is_skipped(entry.file_name().as_encoded_bytes()) && !is_output(entry)
    };
    let walk = walkdir::WalkDir::new(start).max_depth(DEEPEST).into_iter().filter_entry(is_looked_into);
    let files = walk.filter_map(std::result::Result::ok);
    files.filter(|entry| entry.depth() > 0 && entry.file_type().is_file())
}
