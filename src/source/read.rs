//! Reads a site's files, and those again that have changed.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::admit::is_admitted_by_name;
use super::file_index::FileIndex;
use super::list::{Listed, Listing, list};
use super::pictures::{Asset, read_asset};
use super::text::{Reader, Text};
use super::{Sources, is_text};
use crate::error::{Error, Result};
use crate::site_path::{CONFIG, SitePath};

/// Reads the site below `root`, and holds all of it.
///
/// # Errors
///
/// When there is no `content/` folder, or anything below cannot be read.
pub fn read(root: &Path) -> Result<Sources> {
    let Listing { root, files, passed_over, links, .. } = list(root)?;
    let texts = |file: &Listed| read_text(&root, file.path.clone());
    let assets = |file: &Listed| read_asset(&root, file.path.clone());
    gather(&files, texts, assets, Sources { root: root.clone(), passed_over, links, ..Sources::default() })
}

/// Reads the files that were listed, for a run that ends soon: what is `known` and has not changed is not read, and no
/// more is held than does good. Whatever such a run gives, [`Sources::are_as_read`] has the last word.
///
/// # Errors
///
/// When one of them cannot be read.
pub fn read_listed(listing: &Listing, known: &FileIndex) -> Result<Sources> {
    let root = &listing.root;
    let reader = Reader::new(root);
    let text = |file: &Listed| match known.text(file, &reader) {
        Some(text) => Ok(text),
        None if file.path.below("content").is_some() => {
            Ok(read_text(root, file.path.clone())?.unless_too_much(&reader))
        }
        None => read_text(root, file.path.clone()),
    };
    let asset = |file: &Listed| known.asset(file).map_or_else(|| read_asset(root, file.path.clone()), Ok);
    let (passed_over, links) = (listing.passed_over.clone(), listing.links.clone());
    let sources = Sources { root: root.clone(), passed_over, links, ..Sources::default() };
    gather(&listing.files, text, asset, Sources { reader: Some(reader.clone()), ..sources })
}

fn gather(
    files: &[Listed],
    text: impl Fn(&Listed) -> Result<Text> + Sync + Send,
    asset: impl Fn(&Listed) -> Result<Asset> + Sync + Send,
    mut sources: Sources,
) -> Result<Sources> {
    let (texts, assets): (Vec<&Listed>, Vec<&Listed>) = files.iter().partition(|file| is_text(&file.path));
    let texts: Vec<Text> = texts.into_par_iter().map(text).collect::<Result<_>>()?;
    let assets: Vec<Asset> = assets.into_par_iter().map(asset).collect::<Result<_>>()?;
    for text in texts {
        sources.insert_text(text);
    }
    sources.assets = assets.into_iter().map(|asset| (asset.path.clone(), asset)).collect();
    Ok(sources)
}

/// Reads a file that the configuration names, by its path below the root.
pub fn read_beside(root: &Path, file: &str) -> Result<String> {
    let disk = root.join(file);
    let bytes = std::fs::read(&disk).map_err(Error::io("read", &disk))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

impl Sources {
    /// Reads again what changed on disk since; `changed` are absolute or root-relative paths.
    ///
    /// Saved files are read alone. Anything that says more than "these files were written", such as
    /// a folder that moved, reads the whole tree again: it is rare, and it is certain. So does the configuration, which
    /// says where links may lead.
    pub fn refresh(&mut self, changed: &[PathBuf]) -> Result<()> {
        let is_private = |path: &&PathBuf| {
            SitePath::of(&self.root, path).is_some_and(|path| !is_admitted_by_name(path.as_str()))
        };
        let changed: Vec<&PathBuf> = changed.iter().filter(|path| !is_private(path)).collect();
        for path in changed {
            let known =
                SitePath::of(&self.root, path).filter(|path| self.knows(path) && path.as_str() != CONFIG);
            match known {
                Some(known) if is_plain_file(path) => self.read_again(known)?,
                _ => {
                    *self = read(&self.root)?;
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn knows(&self, path: &SitePath) -> bool {
        self.text(path).is_some() || self.assets.contains_key(path)
    }

    fn read_again(&mut self, path: SitePath) -> Result<()> {
        if self.assets.contains_key(&path) {
            self.assets.insert(path.clone(), read_asset(&self.root, path)?);
        } else {
            self.insert_text(read_text(&self.root, path)?);
        }
        Ok(())
    }

    pub(super) fn insert_text(&mut self, text: Text) {
        match text.path.as_str() {
            CONFIG => self.config = Some(text),
            path if path.starts_with("templates/") => _ = self.templates.insert(text.path.clone(), text),
            _ => _ = self.pages.insert(text.path.clone(), text),
        }
    }
}

/// Whether this is a file and no link, which may lead elsewhere by now.
fn is_plain_file(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
}

fn read_text(root: &Path, path: SitePath) -> Result<Text> {
    let disk = root.join(path.as_str());
    let bytes = std::fs::read(&disk).map_err(Error::io("read", &disk))?;
    Ok(Text::new(path, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Reason;

    /// A site in a folder of its own, and a folder that is not its.
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
        let mut sources = read(&root).unwrap();
        let page = root.join("content/a.md");
        std::fs::remove_file(&page).unwrap();
        std::os::unix::fs::symlink("../../secret", &page).unwrap();
        sources.refresh(&[page]).unwrap();
        assert!(sources.pages.is_empty());
        assert_eq!(sources.passed_over[0].reason, Reason::Outside("../secret".into()));
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
    fn what_an_editor_writes_beside_a_page_changes_nothing() {
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
}
