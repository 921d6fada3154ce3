//! Reads a site's files, and reads changed files again.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::Sources;
use super::admit::{is_admitted_by_name, is_of_others};
use super::file_index::FileIndex;
use super::list::{ListedFile, Listing, list_as};
use super::pictures::{Asset, read_asset};
use super::regular;
use super::role::Role;
use super::text::{Text, TextReader};
use super::tree::{self, Several};
use base::error::{Error, Result};
use base::site_path::{CONFIG, SitePath};
use base::timings::{Stage, part};

/// Reads the site at `root` completely into memory.
///
/// # Errors
///
/// If there is no `content/` folder, or a file in it can't be read.
pub fn read(root: &Path) -> Result<Sources> {
    read_all(list_as(root, Several::Refused)?)
}

/// Reads the site at `root`, or sites that are versions of one another as one.
///
/// # Errors
///
/// The errors of [`read()`].
pub fn read_versions(root: &Path) -> Result<Sources> {
    read_all(list_as(root, Several::Compared)?)
}

fn read_all(listing: Listing) -> Result<Sources> {
    let Listing { root, repository, files, passed_over, links, .. } = listing;
    let texts = |file: &ListedFile| read_text(&root, file.path.clone());
    let assets = |file: &ListedFile| read_asset(&root, file.path.clone());
    let sources = Sources { root: root.clone(), repository, passed_over, links, ..Sources::default() };
    gather(&files, texts, assets, sources)
}

/// Reads the listed files for a short run. Unchanged `known` files aren't read, and not all texts stay in memory.
/// After such a run, check [`Sources::are_as_read`].
///
/// # Errors
///
/// If a file can't be read.
pub fn read_listed(listing: &Listing, known: &FileIndex) -> Result<Sources> {
    let root = &listing.root;
    let reader = TextReader::new(root);
    let text = |file: &ListedFile| match known.text(file, &reader) {
        Some(text) => Ok(text),
        None if listing.repository.is_page(file.path.as_str()) => {
            Ok(read_text(root, file.path.clone())?.unless_too_much(&reader))
        }
        None => read_text(root, file.path.clone()),
    };
    let asset = |file: &ListedFile| known.asset(file).map_or_else(|| read_asset(root, file.path.clone()), Ok);
    let (passed_over, links) = (listing.passed_over.clone(), listing.links.clone());
    let repository = listing.repository.clone();
    let sources = Sources { root: root.clone(), repository, passed_over, links, ..Sources::default() };
    gather(&listing.files, text, asset, Sources { reader: Some(reader.clone()), ..sources })
}

fn gather(
    files: &[ListedFile],
    text: impl Fn(&ListedFile) -> Result<Text> + Sync + Send,
    asset: impl Fn(&ListedFile) -> Result<Asset> + Sync + Send,
    mut sources: Sources,
) -> Result<Sources> {
    let roles = files.iter().map(|file| (Role::of(&sources.repository, &file.path), file));
    let (texts, assets): (Vec<_>, Vec<_>) = roles.partition(|(role, _)| *role != Role::Asset);
    let text = |(role, file): (Role, &ListedFile)| {
        let _part = part(Stage::Read);
        Ok((role, text(file)?))
    };
    let texts: Vec<(Role, Text)> = texts.into_par_iter().map(text).collect::<Result<_>>()?;
    let asset = |(_, file): (Role, &ListedFile)| {
        let _part = part(Stage::Read);
        asset(file)
    };
    let assets: Vec<Asset> = assets.into_par_iter().map(asset).collect::<Result<_>>()?;
    for (role, text) in texts {
        sources.insert_as(role, text);
    }
    sources.assets = assets.into_iter().map(|asset| (asset.path.clone(), asset)).collect();
    Ok(sources)
}

/// Reads a file from the configuration, by its path relative to the root.
pub fn read_beside(root: &Path, file: &str) -> Result<String> {
    let disk = root.join(file);
    let bytes = regular::bytes(&disk).map_err(Error::io("read", &disk))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Reads at most one byte more than `most` of a file from the configuration, by its path relative to the root.
///
/// # Errors
///
/// If it can't be read.
pub fn read_bytes_beside(root: &Path, file: &str, most: u64) -> Result<Vec<u8>> {
    let (disk, mut bytes) = (root.join(file), Vec::new());
    let read = regular::open(&disk).and_then(|file| file.take(most + 1).read_to_end(&mut bytes));
    read.map_err(Error::io("read", &disk)).map(|_| bytes)
}

impl Sources {
    /// Reads the files again that changed on disk. The paths in `changed` are absolute or relative to the root.
    ///
    /// If only files were saved, these are read. After any other change, such as a moved folder, the complete tree is
    /// read again, because that is rare and always correct. A changed configuration also reads everything, because it
    /// sets where links may point.
    pub fn refresh(&mut self, changed: &[PathBuf]) -> Result<()> {
        let is_private =
            |path: &&PathBuf| SitePath::of(&self.root, path).is_some_and(|path| !self.may_be_of_site(&path));
        let changed: Vec<&PathBuf> = changed.iter().filter(|path| !is_private(path)).collect();
        for path in &changed {
            let known =
                SitePath::of(&self.root, path).filter(|path| self.knows(path) && !self.defines_pages(path));
            match known {
                Some(known) if is_plain_file(path) => self.read_again(known)?,
                _ => return self.read_all_again(),
            }
        }
        // The links of pages may prove another root.
        if self.repository.is_calibrated() && !changed.is_empty() {
            let again = tree::recognise(&self.root)?;
            if !self.repository.is_calibrated_as(&again) {
                return self.read_all_again();
            }
        }
        Ok(())
    }

    /// Replaces the text of a file, or adds a page that isn't on disk. Returns whether the site depends on the file.
    pub fn lay_over(&mut self, text: Text) -> bool {
        let is_new_page = || {
            is_admitted_by_name(&self.repository, text.path.as_str())
                && Role::of(&self.repository, &text.path) == Role::Page
        };
        let is_of_site = self.text(&text.path).is_some() || text.path.as_str() == CONFIG || is_new_page();
        if is_of_site {
            self.insert_text(text);
        }
        is_of_site
    }

    /// Adds files that are next to pages: of each list, the first that exists. Returns whether any was new.
    ///
    /// # Errors
    ///
    /// If an existing file can't be read.
    pub fn read_beside(&mut self, wanted: impl IntoIterator<Item = Vec<String>>) -> Result<bool> {
        let mut is_new = false;
        for candidates in wanted {
            if candidates.iter().any(|path| self.text(&path.as_str().into()).is_some()) {
                continue;
            }
            if let Some(path) = candidates.iter().find(|path| tree::is_readable(&self.root, path)) {
                let text = read_text(&self.root, path.as_str().into())?;
                self.beside.insert(text.path.clone(), text);
                is_new = true;
            } else if let Some(path) = candidates.first().filter(|_| self.repository.names_code_files()) {
                self.absent.insert(path.clone(), tree::absence(&self.root, path));
            }
        }
        Ok(is_new)
    }

    /// Reads the complete tree again.
    ///
    /// # Errors
    ///
    /// The errors of [`read`], and if the folder of pages no longer exists. The tree doesn't become another kind of
    /// site.
    pub fn read_all_again(&mut self) -> Result<()> {
        let content = &self.repository.content.path;
        if !content.is_empty() && !self.root.join(content).is_dir() {
            return Err(Error::usage(format!("cannot find the directory of the pages, `{content}`")));
        }
        *self = read(&self.root)?;
        Ok(())
    }

    /// Whether the site depends on a file, or would depend on it if it existed.
    pub fn may_be_of_site(&self, path: &SitePath) -> bool {
        self.beside.contains_key(path)
            || self.absent.contains_key(path.as_str())
            || is_admitted_by_name(&self.repository, path.as_str())
    }

    /// Whether this is a file or folder of the site, or a folder that contains its files.
    pub fn may_change_with(&self, path: &SitePath) -> bool {
        let is_within = |path: &str, folder: &str| match folder {
            // The root also contains files of other programs: git, caches, outputs.
            "" => !path.split('/').any(is_of_others),
            folder => path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')),
        };
        let (folders, path) = (self.repository.folders(), path.as_str());
        path == CONFIG
            || folders.into_iter().any(|folder| is_within(path, folder) || is_within(folder, path))
            || self.beside.keys().any(|beside| is_within(beside.as_str(), path))
            || self.absent.keys().any(|absent| is_within(absent, path))
    }

    /// Whether a file determines which files are read.
    fn defines_pages(&self, path: &SitePath) -> bool {
        path.as_str() == CONFIG || self.repository.own_files.iter().any(|own| own == path.as_str())
    }

    fn knows(&self, path: &SitePath) -> bool {
        self.text(path).is_some() || self.assets.contains_key(path)
    }

    fn read_again(&mut self, path: SitePath) -> Result<()> {
        // Pages may show a file that is published unchanged.
        if self.assets.contains_key(&path) {
            self.assets.insert(path.clone(), read_asset(&self.root, path.clone())?);
            if !self.beside.contains_key(&path) {
                return Ok(());
            }
        }
        if self.beside.contains_key(&path) {
            // A source of code may no longer be a readable file.
            if self.repository.names_code_files() && !tree::is_readable(&self.root, path.as_str()) {
                self.beside.remove(&path);
                return Ok(());
            }
            // A text that pages include may also be named like a page.
            let text = read_text(&self.root, path.clone())?;
            self.navigation.note(&self.repository, &text);
            self.beside.insert(path, text);
        } else {
            self.insert_text(read_text(&self.root, path)?);
        }
        Ok(())
    }

    pub(super) fn insert_text(&mut self, text: Text) {
        self.insert_as(Role::of(&self.repository, &text.path), text);
    }

    fn insert_as(&mut self, role: Role, text: Text) {
        let texts = match role {
            Role::Config => {
                self.config = Some(text);
                return;
            }
            Role::Page => &mut self.pages,
            Role::Template => &mut self.templates,
            Role::Beside | Role::Asset => &mut self.beside,
        };
        texts.insert(text.path.clone(), text.clone());
        if role == Role::Beside {
            self.navigation.note(&self.repository, &text);
        }
    }
}

/// Whether this is a file and not a symbolic link, whose target may have changed.
fn is_plain_file(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
}

fn read_text(root: &Path, path: SitePath) -> Result<Text> {
    let disk = root.join(path.as_str());
    let bytes = regular::bytes(&disk).map_err(Error::io("read", &disk))?;
    Ok(Text::new(path, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SkipReason;

    /// Returns a site in its own folder, and a folder outside it.
    fn site() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("site");
        std::fs::create_dir_all(root.join("content")).unwrap();
        std::fs::write(root.join("content/a.md"), "old").unwrap();
        std::fs::write(folder.path().join("secret"), "secret").unwrap();
        (folder, root)
    }

    #[test]
    fn a_page_that_becomes_a_link_is_looked_at_again() {
        let (_folder, root) = site();
        std::fs::write(root.join(CONFIG), "").unwrap();
        let mut sources = read(&root).unwrap();
        let page = root.join("content/a.md");
        std::fs::remove_file(&page).unwrap();
        std::os::unix::fs::symlink("../../secret", &page).unwrap();
        sources.refresh(&[page]).unwrap();
        assert!(sources.pages.is_empty());
        assert_eq!(sources.passed_over[0].reason, SkipReason::Outside("../secret".into()));
    }

    #[test]
    fn where_links_may_lead_is_read_again_with_the_configuration() {
        let (_folder, root) = site();
        std::os::unix::fs::symlink("../../secret", root.join("content/b.md")).unwrap();
        std::fs::write(root.join(CONFIG), "").unwrap();
        let mut sources = read(&root).unwrap();
        assert_eq!((sources.pages.len(), sources.passed_over.len()), (1, 1));
        std::fs::write(root.join(CONFIG), "[source]\nfollow = ['../secret']").unwrap();
        sources.refresh(&[root.join(CONFIG)]).unwrap();
        assert_eq!((sources.pages.len(), sources.passed_over.len()), (2, 0));
    }

    #[test]
    fn temporary_files_of_editors_change_nothing() {
        let (_folder, root) = site();
        let mut sources = read(&root).unwrap();
        std::fs::write(root.join("content/b.md"), "not seen yet").unwrap();
        sources
            .refresh(&["content/a.md~", "content/4913", "content/.a.md.swp"].map(|path| root.join(path)))
            .unwrap();
        assert_eq!(sources.pages.len(), 1, "the tree is not read again");
        sources.refresh(&[root.join("content/b.md")]).unwrap();
        assert_eq!(sources.pages.len(), 2);
    }

    #[test]
    fn folders_of_programs_in_a_root_with_pages_change_nothing() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("web")).unwrap();
        std::fs::write(folder.path().join("web/a.md"), "text").unwrap();
        let sources = read(folder.path()).unwrap();
        for (path, expected) in [
            ("web/b.md", true),
            ("ios", true),
            ("stepkin.toml", true),
            (".git/index.lock", false),
            (".stepkin/findings.data", false),
            ("dist/index.html", false),
            ("web/node_modules/a/README.md", false),
        ] {
            assert_eq!(sources.may_change_with(&path.into()), expected, "{path}");
        }
    }

    #[test]
    fn links_that_show_another_root_are_seen_with_the_next_save() {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let file = folder.path().join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(&file, text).unwrap();
            file
        };
        (1..=10).for_each(|number| _ = write(&format!("web/p{number}.md"), "# P\n"));
        let page = write("web/a.md", "# A\n");
        let mut sources = read(folder.path()).unwrap();
        assert_eq!(sources.repository.content.path, "");
        let links: Vec<String> = (1..=10).map(|number| format!("[x](/p{number})")).collect();
        write("web/a.md", &links.join("\n"));
        sources.refresh(std::slice::from_ref(&page)).unwrap();
        assert_eq!(sources.repository.content.path, "web");
        assert_eq!(sources.repository.content.path, read(folder.path()).unwrap().repository.content.path);
    }
}
