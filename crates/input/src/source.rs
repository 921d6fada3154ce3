//! Reads the site's files. No other module reads sources.
//!
//! In: a folder. Out: [`Sources`]: every page and template as text, every other file by name, size and time. Files
//! are read but not parsed. A page that isn't UTF-8 is included and marked.

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
mod view;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

pub use self::admit::{PassedOver, SkipReason, is_admitted_by_name};
pub use self::file_index::FileIndex;
pub use self::list::{ListedFile, Listing, list};
pub use self::pictures::{Asset, Dimensions, Picture, is_found_by_name};
pub use self::read::{read, read_beside, read_bytes_beside, read_listed, read_versions};
pub use self::stamp::{Moment, STAMP, Stamp};
pub use self::text::MOST_HELD;
pub use self::text::Text;
pub use self::translations::Translations;
pub use self::tree::{build_files, is_site, recognise, submodules, workflows};
pub use self::view::{LanguageView, PublishedLanguage};

use self::text::TextReader;
use crate::conventions::{self, FolderSettings, Kind, PageList, Repository};
use crate::dialect::Absence;
use base::error::Result;
use base::site_path::{self, SitePath};
use base::sorted::SortedMap;

/// The sources of a site.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The site's root, as given.
    pub root: PathBuf,
    /// The repository's kind and folders.
    pub repository: Arc<Repository>,
    pub config: Option<Text>,
    /// The pages.
    pub pages: BTreeMap<SitePath, Text>,
    /// Templates of a Stepkin site.
    pub templates: BTreeMap<SitePath, Text>,
    /// Files that describe or complete pages: the generator's configuration, lists of pages, included texts.
    pub beside: BTreeMap<SitePath, Text>,
    /// Code files on pages that can't be read.
    pub absent: BTreeMap<String, Absence>,
    /// Whether nearly all components that are named like an include name a file that exists.
    pub components_include: bool,
    /// Other files next to pages, and all files that are published unchanged.
    pub assets: BTreeMap<SitePath, Asset>,
    /// Files that are skipped, and why, in the order of the walk.
    pub passed_over: Vec<PassedOver>,
    /// Files with several paths because of symbolic links: the main path of each additional one.
    pub links: BTreeMap<SitePath, SitePath>,
    /// The order of pages in the files of the generator.
    pub navigation: Navigation,
    /// The languages other than that of the original, if there are any.
    pub translations: Option<Arc<Translations>>,
    /// The language whose sources these are; `None` for the sources of all languages.
    pub view: Option<Arc<LanguageView>>,
    /// Reads texts that aren't in memory.
    reader: Option<Arc<TextReader>>,
}

/// The order of pages and the names of folders that don't come from front matter and file names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Navigation {
    /// Paths of pages are relative to `content/`, with or without extension.
    pub list: PageList,
    /// Settings of folders, by their paths relative to `content/`.
    pub folders: BTreeMap<String, FolderSettings>,
    /// Names of folders in the language of the site, by the original text.
    pub names: SortedMap<String, String>,
}

impl Navigation {
    /// Translates the names and descriptions of folders.
    pub fn translate(&mut self, names: &SortedMap<String, String>) {
        let described =
            |label: &str| names.get(&format!("{label}.link.generated-index.description")).cloned();
        for settings in self.folders.values_mut() {
            let Some(label) = settings.label.clone() else { continue };
            settings.description = described(&label).or(settings.description.take());
            settings.label = names.get(&label).cloned().or(Some(label));
        }
        for group in &mut self.list.groups {
            if let Some(name) = names.get(&group.label) {
                group.label.clone_from(name);
            }
        }
        self.names.clone_from(names);
    }

    /// Adds the content of a file.
    fn note(&mut self, repository: &Repository, text: &Text) {
        let path = text.path.as_str();
        let name = site_path::file_name(path);
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
            self.folders.insert(folder, conventions::folder_settings(name, &text.text()));
        }
    }
}

impl Sources {
    /// # Errors
    ///
    /// If a text that isn't in memory had changed when it was read again.
    pub fn are_as_read(&self) -> Result<()> {
        self.reader.as_ref().map_or(Ok(()), |reader| reader.check())
    }

    /// Returns the text of a file that is published unchanged, or `None` if it is larger than `most` bytes or can't
    /// be read.
    pub fn asset_text(&self, path: &SitePath, most: u64) -> Option<String> {
        self.assets.get(path).filter(|asset| asset.size <= most)?;
        let bytes = regular::bytes(&self.disk_path(path)).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Whether a file belongs to the language of these sources, and isn't the original in its place. False for a site in one language.
    pub fn owns(&self, file: &SitePath) -> bool {
        self.view.as_ref().is_some_and(|view| view.is_own(file))
    }

    /// Whether a file exists at a path relative to the root, whatever its role.
    pub fn has_file(&self, path: &str) -> bool {
        tree::has_file(&self.root, path)
    }

    /// Whether a file exists at a path relative to the folder of another file, also outside the root.
    pub fn has_file_beside(&self, file: &SitePath, path: &str) -> bool {
        let folder = self.root.join(site_path::parent(file.as_str()));
        folder.join(path).is_file()
    }

    /// Whether a folder exists at a path relative to the root.
    pub fn has_folder(&self, path: &str) -> bool {
        tree::has_folder(&self.root, path)
    }

    /// Returns the names of the folders in a folder, which is relative to the root.
    pub fn folders_in(&self, path: &str) -> Vec<String> {
        tree::folders(&self.root, path)
    }

    /// Returns the repository's files, whatever their role, by their paths relative to the root. Hidden and private
    /// folders are left out.
    pub fn files(&self) -> Vec<String> {
        tree::files(&self.root)
    }

    /// Returns the paths of all files, including those in private folders, whose names begin with `_`.
    pub fn all_files(&self) -> Vec<String> {
        tree::all_files(&self.root)
    }

    /// Returns the main path of a file with several paths because of symbolic links.
    pub fn own_path<'a>(&'a self, path: &'a SitePath) -> &'a SitePath {
        self.links.get(path).unwrap_or(path)
    }

    /// Returns the path of the file on disk.
    pub fn disk_path(&self, path: &SitePath) -> PathBuf {
        self.root.join(path.as_str())
    }

    /// Returns the text in which a finding is located.
    pub fn text(&self, path: &SitePath) -> Option<&Text> {
        self.pages
            .get(path)
            .or_else(|| self.templates.get(path))
            .or_else(|| self.beside.get(path))
            .or_else(|| self.config.as_ref().filter(|config| config.path == *path))
            .or_else(|| self.view.as_ref()?.whole.text(path))
            .or_else(|| self.translations.as_ref()?.text(path))
    }

    /// Replaces a file with the version in `other`, or removes it if `other` is `None` or doesn't contain it. Returns
    /// whether anything changed.
    pub fn restore(&mut self, path: &SitePath, other: Option<&Self>) -> bool {
        let hash = |text: &Text| text.hash;
        restore_in(&mut self.pages, other.map(|other| &other.pages), path, hash)
            | restore_in(&mut self.templates, other.map(|other| &other.templates), path, hash)
            | restore_in(&mut self.beside, other.map(|other| &other.beside), path, hash)
            | restore_in(&mut self.assets, other.map(|other| &other.assets), path, Asset::clone)
    }
}

/// Does [`Sources::restore`] for files of one kind. `version` returns equal values for equal files.
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
