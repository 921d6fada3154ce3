//! Reads the site's tree; the only reader of sources there is.
//!
//! In: a folder. Out: [`Sources`]: every page and template as text, every other file by name, size
//! and time. Nothing is understood here, only read: a page that is not UTF-8 is kept and marked.

mod admit;
mod file_index;
pub mod git;
mod list;
mod pictures;
mod read;
mod regular;
mod role;
mod stamp;
mod text;
mod translations;
mod tree;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

pub use self::admit::{PassedOver, SkipReason, is_admitted_by_name};
pub use self::file_index::FileIndex;
pub use self::list::{ListedFile, Listing, list};
pub use self::pictures::{Asset, Dimensions, Picture, is_found_by_name};
pub use self::read::{read, read_beside, read_bytes_beside, read_listed};
pub use self::stamp::{Moment, STAMP, Stamp};
pub(crate) use self::text::MOST_HELD;
pub use self::text::Text;
pub use self::translations::Translations;
pub use self::tree::{is_site, recognise, submodules};

use self::text::TextReader;
use crate::base::error::Result;
use crate::base::site_path::SitePath;
use crate::input::conventions::{self, FolderSaid, Kind, PageList, Repository};
use crate::input::dialect::Absence;

/// Everything a site is made from.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The site's root as it was given.
    pub root: PathBuf,
    /// What the tree is read as.
    pub repository: Arc<Repository>,
    pub config: Option<Text>,
    /// The pages.
    pub pages: BTreeMap<SitePath, Text>,
    /// Templates of a site of our own.
    pub templates: BTreeMap<SitePath, Text>,
    /// Files that say or hold something of pages: the generator's configuration, lists of pages, included texts.
    pub beside: BTreeMap<SitePath, Text>,
    /// Files that pages name for their code and that are not to be had.
    pub absent: BTreeMap<String, Absence>,
    /// Other files beside the pages, and all that are published as they are.
    pub assets: BTreeMap<SitePath, Asset>,
    /// What is not read, and why, in the order of the walk.
    pub passed_over: Vec<PassedOver>,
    /// Files that symbolic links give several paths: from each further path to the one that is theirs.
    pub links: BTreeMap<SitePath, SitePath>,
    /// What the files of its generator say about the order of pages.
    pub navigation: Navigation,
    /// The languages beside that of the original, where there are any.
    pub translations: Option<Arc<Translations>>,
    /// Of texts that are not held.
    reader: Option<Arc<TextReader>>,
}

/// The order of pages, and names of folders, beside what front matter and names of files say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Navigation {
    /// Paths of pages are below `content/`, with or without endings.
    pub list: PageList,
    /// What is said of folders, by their paths below `content/`.
    pub folders: BTreeMap<String, FolderSaid>,
}

impl Navigation {
    /// Takes in what a file beside the pages says.
    fn note(&mut self, repository: &Repository, text: &Text) {
        let path = text.path.as_str();
        let name = path.rsplit('/').next().unwrap_or(path);
        if repository.navigation.as_deref() == Some(path) {
            self.list = conventions::list_of(repository.kind(), name, &text.text());
        }
        if repository.convention.folder_files.contains(&name)
            && let Some(folder) = repository.content.below(path).and_then(|below| below.strip_suffix(name))
        {
            let folder = folder.trim_end_matches('/').to_string();
            if repository.kind() == Kind::Mdx && repository.navigation.is_none() {
                let list = conventions::list_of(Kind::Mdx, name, &text.text());
                let pages = list.pages.into_iter().filter(|page| !page.starts_with("..."));
                let below = |page: String| if folder.is_empty() { page } else { format!("{folder}/{page}") };
                self.list.pages.extend(pages.map(below));
            }
            self.folders.insert(folder, conventions::said_of_folder(name, &text.text()));
        }
    }
}

impl Sources {
    /// # Errors
    ///
    /// When a text that is not held was another when it was read again.
    pub fn are_as_read(&self) -> Result<()> {
        self.reader.as_ref().map_or(Ok(()), |reader| reader.check())
    }

    /// Whether the files beside pages are the same, and with them what the tree is read as.
    pub fn has_same_beside(&self, others: &Self) -> bool {
        let (one, other) = (self.beside.values(), others.beside.values());
        one.map(|text| (&text.path, text.hash)).eq(other.map(|text| (&text.path, text.hash)))
            && self.absent == others.absent
    }

    /// The text of a file that is published as it is; `None` where it has more than `most` bytes or cannot be read.
    pub fn asset_text(&self, path: &SitePath, most: u64) -> Option<String> {
        self.assets.get(path).filter(|asset| asset.size <= most)?;
        let bytes = regular::bytes(&self.disk_path(path)).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Whether there is a file at a path below the root, whatever it is to the site.
    pub fn has_file(&self, path: &str) -> bool {
        tree::has_file(&self.root, path)
    }

    /// Whether there is a folder at a path below the root.
    pub fn has_folder(&self, path: &str) -> bool {
        tree::has_folder(&self.root, path)
    }

    /// The files of the repository by their paths below the root, whatever they are to the site; hidden and private folders are left
    /// out.
    pub fn files(&self) -> Vec<String> {
        tree::files(&self.root)
    }

    /// The path that is a file's own, where symbolic links give it several.
    pub fn own_path<'a>(&'a self, path: &'a SitePath) -> &'a SitePath {
        self.links.get(path).unwrap_or(path)
    }

    /// The file on disk.
    pub fn disk_path(&self, path: &SitePath) -> PathBuf {
        self.root.join(path.as_str())
    }

    /// The text a finding points into.
    pub fn text(&self, path: &SitePath) -> Option<&Text> {
        self.pages
            .get(path)
            .or_else(|| self.templates.get(path))
            .or_else(|| self.beside.get(path))
            .or_else(|| self.config.as_ref().filter(|config| config.path == *path))
            .or_else(|| self.translations.as_ref()?.text(path))
    }

    /// Puts the version of a file that `other` has in the place of this one's; leaves the file out where `other` is
    /// none or does not have it. Out: whether that changed anything.
    pub fn restore(&mut self, path: &SitePath, other: Option<&Self>) -> bool {
        let hash = |text: &Text| text.hash;
        restore_in(&mut self.pages, other.map(|other| &other.pages), path, hash)
            | restore_in(&mut self.templates, other.map(|other| &other.templates), path, hash)
            | restore_in(&mut self.beside, other.map(|other| &other.beside), path, hash)
            | restore_in(&mut self.assets, other.map(|other| &other.assets), path, Asset::clone)
    }
}

/// [`Sources::restore`] for files of one kind; `version` is the same for equal ones.
fn restore_in<T: Clone, V: PartialEq>(
    files: &mut BTreeMap<SitePath, T>,
    others: Option<&BTreeMap<SitePath, T>>,
    path: &SitePath,
    version: impl Fn(&T) -> V,
) -> bool {
    let other = others.and_then(|others| others.get(path));
    if files.get(path).map(&version) == other.map(&version) {
        return false;
    }
    match other {
        Some(other) => _ = files.insert(path.clone(), other.clone()),
        None => _ = files.remove(path),
    }
    true
}
