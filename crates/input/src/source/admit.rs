//! Decides which files are read, by their names, kinds and symbolic links.
//!
//! Everything that lists or reads sources uses these functions: the walk, the watcher, and git's list of an earlier
//! tree.

use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use memchr::memmem;
use rustix::io::Errno;
use serde::{Deserialize, Serialize};
use walkdir::{DirEntry, WalkDir};

use crate::conventions::{Kind, Repository, Underscored};
use base::error::{Error, Result};
use base::hash::{HashMap, HashSet};
use base::site_path::{self, CONFIG, MANIFEST, SHARED, SitePath};

/// Why a file in a folder of sources is skipped, if the author should know it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum SkipReason {
    /// Its name can't be part of an address.
    NameNotUtf8,
    /// A symbolic link to a location outside the site. Contains the value for `[source] follow` that would allow it.
    Outside(String),
    /// A symbolic link without an existing target. Contains the target.
    Dangling(String),
    /// A symbolic link to itself or to a folder that contains it.
    Loop,
    /// Its name or content is that of a secret.
    Secret,
    /// A page for other programs, whose name doesn't end in `.md`.
    PageByOtherName,
    /// A pipe, a socket, or a device.
    NoFile,
    /// A page or folder in `content` whose name begins with `_`. Only links to it need to know.
    Private,
}

/// A skipped file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PassedOver {
    /// Bytes of the name that aren't UTF-8 are replaced.
    pub path: SitePath,
    pub reason: SkipReason,
}

/// How files are treated according to their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    Fine,
    /// Private to the authors, or created by a program. It isn't reported.
    Private,
    Secret,
}

/// How an entry of the tree is treated.
enum Verdict {
    File,
    /// A folder to walk.
    Folder,
    Private,
    PassedOver(SkipReason),
}

/// The files found in folders of sources, in the order of the walk.
#[derive(Debug, Default)]
pub(super) struct Admitted {
    pub(super) files: Vec<SitePath>,
    pub(super) passed_over: Vec<PassedOver>,
    /// Files behind symbolic links, with their real paths.
    linked: Vec<(SitePath, PathBuf)>,
}

impl Admitted {
    /// `path` is relative to the root.
    fn note(&mut self, path: &[u8], verdict: Verdict) {
        let reason = match (str::from_utf8(path), verdict) {
            (_, Verdict::Folder | Verdict::Private) => return,
            (Ok(path), Verdict::File) => {
                self.files.push(path.into());
                return;
            }
            (Err(_), Verdict::File) => SkipReason::NameNotUtf8,
            (_, Verdict::PassedOver(reason)) => reason,
        };
        let path = String::from_utf8_lossy(path).as_ref().into();
        self.passed_over.push(PassedOver { path, reason });
    }

    /// Returns the main path of each additional path that files have because of symbolic links. The main path is the
    /// real one if it is in the site, or else the first.
    pub(super) fn links(&self, root: &Path) -> BTreeMap<SitePath, SitePath> {
        if self.linked.is_empty() {
            return BTreeMap::new();
        }
        let Ok(root) = root.canonicalize() else { return BTreeMap::new() };
        let linked: HashSet<&SitePath> = self.linked.iter().map(|(path, _)| path).collect();
        let known: HashSet<&SitePath> = self.files.iter().filter(|path| !linked.contains(path)).collect();
        let mut first: HashMap<&Path, &SitePath> = HashMap::default();
        let mut links = BTreeMap::new();
        for (path, real) in &self.linked {
            let own = SitePath::of(&root, real).filter(|real| known.contains(real));
            let own = own.unwrap_or_else(|| (*first.entry(real).or_insert(path)).clone());
            if own != *path {
                links.insert(path.clone(), own);
            }
        }
        links
    }
}

/// Where a site's symbolic links may point.
#[derive(Debug)]
pub(super) struct Admission<'a> {
    root: &'a Path,
    repository: &'a Repository,
    /// Real paths: the site's root, then those in `[source] follow`.
    places: Vec<PathBuf>,
}

impl<'a> Admission<'a> {
    /// `follow` is the configured list.
    pub(super) fn of(root: &'a Path, repository: &'a Repository, follow: &[String]) -> Self {
        let named = follow.iter().map(|path| root.join(path));
        // A path that doesn't exist allows nothing. Links to it are reported.
        let places =
            std::iter::once(root.to_path_buf()).chain(named).filter_map(|path| path.canonicalize().ok());
        Self { root, repository, places: places.collect() }
    }

    /// Walks through a folder of sources.
    ///
    /// # Errors
    ///
    /// If a folder can't be read.
    pub(super) fn walk(&self, folder: &str, found: &mut Admitted) -> Result<()> {
        // If pages are directly in the root, the root is a folder of sources.
        let start = if folder.is_empty() { self.root.to_path_buf() } else { self.root.join(folder) };
        let exists = fs::symlink_metadata(&start).is_ok_and(|it| it.is_dir() || it.is_symlink());
        if !exists {
            return Ok(());
        }
        // Sorted by name, because compared entries are in the same folder.
        let walk = WalkDir::new(&start).follow_links(true).sort_by(|one, other| bytes(one).cmp(bytes(other)));
        let mut walk = walk.into_iter();
        // Every path begins with that of the root, which may end with a slash.
        let root = self.root.join("_").as_os_str().len() - 1;
        // The symbolic links to folders that contain the current entry, with the real paths of these folders.
        let mut around: Vec<(PathBuf, PathBuf)> = Vec::new();
        while let Some(entry) = walk.next() {
            let (path, verdict, is_folder) = match entry {
                Ok(entry) => {
                    let verdict = self.verdict(&entry, root);
                    let is_folder = entry.file_type().is_dir();
                    around.retain(|(folder, _)| entry.path().starts_with(folder));
                    if let Some(real) = really(&entry, &around) {
                        match (&verdict, SitePath::of(self.root, entry.path())) {
                            (Verdict::Folder, _) => around.push((entry.path().to_path_buf(), real)),
                            (Verdict::File, Some(path)) => found.linked.push((path, real)),
                            _ => {}
                        }
                    }
                    (entry.into_path(), verdict, is_folder)
                }
                Err(error) => {
                    let (path, verdict) = self.unfollowed(&start, root, error)?;
                    (path, verdict, false)
                }
            };
            if is_folder && !matches!(verdict, Verdict::Folder) {
                walk.skip_current_dir();
            }
            found.note(path.as_os_str().as_bytes().get(root..).unwrap_or_default(), verdict);
        }
        Ok(())
    }

    /// `root` is the position at which the path relative to the root begins.
    fn verdict(&self, entry: &DirEntry, root: usize) -> Verdict {
        let kind = entry.file_type();
        let path = String::from_utf8_lossy(bytes(entry).get(root..).unwrap_or_default());
        let area = Area::of(self.repository, &path);
        let name = site_path::file_name(&path).as_bytes();
        let is_output = || kind.is_dir() && area == Area::Pages && entry.path().join(MANIFEST).is_file();
        let said = match entry.depth() {
            0 => Name::Fine,
            _ if !self.repository.is_ours() && is_output() => Name::Private,
            _ => by_name(self.repository, area, &path, kind.is_dir()),
        };
        match said {
            Name::Private if area == Area::Pages && is_hidden_page(name, kind.is_dir()) => {
                return Verdict::PassedOver(SkipReason::Private);
            }
            Name::Private => return Verdict::Private,
            Name::Secret => return Verdict::PassedOver(SkipReason::Secret),
            Name::Fine => {}
        }
        if entry.path_is_symlink()
            && let Some(reason) = self.misled(entry.path())
        {
            return Verdict::PassedOver(reason);
        }
        match () {
            () if kind.is_dir() => Verdict::Folder,
            () if !kind.is_file() => Verdict::PassedOver(SkipReason::NoFile),
            () if area == Area::Pages && is_page_by_other_name(name) && !self.repository.is_page(&path) => {
                Verdict::PassedOver(SkipReason::PageByOtherName)
            }
            () if is_key_by_name(name) && holds_private_key(entry.path()) => {
                Verdict::PassedOver(SkipReason::Secret)
            }
            () => Verdict::File,
        }
    }

    /// Handles a link to nothing or to a parent folder. Any other error is an I/O error.
    fn unfollowed(&self, start: &Path, root: usize, error: walkdir::Error) -> Result<(PathBuf, Verdict)> {
        let path = error.path().unwrap_or(start).to_path_buf();
        let is_link = fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_symlink());
        let is_loop = error.loop_ancestor().is_some()
            || error.io_error().is_some_and(|error| Errno::from_io_error(error) == Some(Errno::LOOP));
        let is_gone = error
            .io_error()
            .is_some_and(|error| matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory));
        let below = String::from_utf8_lossy(path.as_os_str().as_bytes().get(root..).unwrap_or_default());
        let is_fine =
            by_name(self.repository, Area::of(self.repository, &below), &below, false) == Name::Fine;
        let verdict = match () {
            () if !is_link || !is_loop && !is_gone => {
                return Err(Error::Io { verb: "read", path, source: error.into() });
            }
            () if error.depth() > 0 && !is_fine => Verdict::Private,
            () if is_loop => Verdict::PassedOver(SkipReason::Loop),
            () => Verdict::PassedOver(SkipReason::Dangling(target_of(&path))),
        };
        Ok((path, verdict))
    }

    /// Returns why a symbolic link with an existing target must not be followed.
    fn misled(&self, link: &Path) -> Option<SkipReason> {
        let Ok(real) = link.canonicalize() else { return Some(SkipReason::Dangling(target_of(link))) };
        let Some(below) = self.places.iter().find_map(|place| real.strip_prefix(place).ok()) else {
            return Some(SkipReason::Outside(self.seen_from_root(link)));
        };
        if self.places[0] == real {
            return Some(SkipReason::Loop);
        }
        // A link with another name doesn't make a secret harmless.
        let mut names = below.components().map(|part| part.as_os_str().as_encoded_bytes());
        names.any(is_secret).then_some(SkipReason::Secret)
    }

    /// Returns the target of a link, relative to the root. The target isn't looked up on disk. The folder of the link
    /// may itself be reached through a link.
    fn seen_from_root(&self, link: &Path) -> String {
        let target = fs::read_link(link).unwrap_or_default();
        let folder = link.parent().and_then(|folder| folder.strip_prefix(self.root).ok());
        let folder = folder.unwrap_or(Path::new(""));
        let real = link.parent().and_then(|folder| folder.canonicalize().ok());
        let path = match (real, self.places.first()) {
            (Some(real), Some(root)) if target.is_relative() && !real.starts_with(root) => {
                way(root, &simplified(&real.join(target)))
            }
            _ => simplified(&folder.join(target)),
        };
        path.to_string_lossy().into_owned()
    }
}

/// Returns the real path of an entry that is a link or in a linked folder.
fn really(entry: &DirEntry, around: &[(PathBuf, PathBuf)]) -> Option<PathBuf> {
    if entry.path_is_symlink() {
        return entry.path().canonicalize().ok();
    }
    let (folder, real) = around.last()?;
    Some(real.join(entry.path().strip_prefix(folder).ok()?))
}

/// Returns a path without `.`, and without `..` as far as it can be resolved.
fn simplified(path: &Path) -> PathBuf {
    let mut simple = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir if matches!(simple.components().next_back(), Some(Component::Normal(_))) => {
                simple.pop();
            }
            Component::CurDir => {}
            part => simple.push(part),
        }
    }
    simple
}

/// Returns the relative path between two real paths.
fn way(from: &Path, to: &Path) -> PathBuf {
    let shared = from.components().zip(to.components()).take_while(|(one, other)| one == other).count();
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(to.components().skip(shared)).collect()
}

fn target_of(link: &Path) -> String {
    fs::read_link(link).unwrap_or_default().to_string_lossy().into_owned()
}

fn bytes(entry: &DirEntry) -> &[u8] {
    entry.path().as_os_str().as_bytes()
}

/// Returns the part after the last dot of a name, unless that is its first character.
fn ending(name: &[u8]) -> &[u8] {
    match name.iter().rposition(|byte| *byte == b'.') {
        Some(at) if at > 0 => &name[at + 1..],
        _ => b"",
    }
}

/// Whether the name of a page or folder begins with `_`.
fn is_hidden_page(name: &[u8], is_folder: bool) -> bool {
    name.starts_with(b"_") && (is_folder || matches!(ending(name), b"md" | b"mdx"))
}

/// Whether only other programs treat a file as Markdown.
fn is_page_by_other_name(name: &[u8]) -> bool {
    let ending = ending(name);
    let is_one = |known: &[u8]| ending.eq_ignore_ascii_case(known);
    ending != b"md" && [&b"md"[..], b"mdx", b"markdown", b"mdown", b"mkd", b"mkdn"].into_iter().any(is_one)
}

/// The area of the site in which a path is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Area {
    Pages,
    Templates,
    Files,
}

impl Area {
    fn of(repository: &Repository, path: &str) -> Self {
        match () {
            () if repository.is_template(path) => Self::Templates,
            () if repository.below_content(&repository.in_place(path)).is_some() => Self::Pages,
            () => Self::Files,
        }
    }
}

/// Whether a file relative to the root may be read, judged only by the names in its path. [`CONFIG`] is allowed.
pub fn is_admitted_by_name(repository: &Repository, path: &str) -> bool {
    if path == CONFIG {
        return true;
    }
    let folders = repository.folders().into_iter().filter(|folder| is_below(folder, path));
    let folder = folders.max_by_key(|folder| folder.len());
    folder.is_some_and(|folder| {
        let start = if folder.is_empty() { 0 } else { folder.len() + 1 };
        let ends = path[start..].match_indices('/').map(|(at, _)| start + at).chain([path.len()]);
        ends.into_iter().all(|end| {
            let area = Area::of(repository, &path[..end]);
            by_name(repository, area, &path[..end], end < path.len()) == Name::Fine
        })
    })
}

fn is_below(folder: &str, path: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// Returns how a file or folder is treated because of its name. `path` is relative to the root and ends with the
/// name.
fn by_name(repository: &Repository, area: Area, path: &str, is_folder: bool) -> Name {
    let name = site_path::file_name(path);
    let is_shared = is_folder && name == SHARED;
    let is_private = match area {
        Area::Pages => {
            name.starts_with('.')
                || name.starts_with('_') && !is_shared && !is_page_all_the_same(repository, path, name)
                || is_not_of_pages(repository, path, name, is_folder)
        }
        Area::Templates => name.starts_with('.'),
        Area::Files => false,
    };
    match () {
        () if is_private || is_repository(name.as_bytes()) => Name::Private,
        () if !is_folder && is_leftover(name.as_bytes()) => Name::Private,
        () if is_secret(name.as_bytes()) => Name::Secret,
        () => Name::Fine,
    }
}

/// Whether the generator reads this name although it begins with `_`.
fn is_page_all_the_same(repository: &Repository, path: &str, name: &str) -> bool {
    // An index page may have a language in its name: `_index.fr.md`.
    let place = repository.in_place(path);
    let place = site_path::file_name(&place);
    let stem = place.rsplit_once('.').map_or(place, |(stem, _)| stem);
    repository.convention.underscored == Underscored::Read
        || repository.convention.indices.contains(&stem)
        || repository.convention.folder_files.contains(&name)
        || repository.collections.iter().any(|folder| folder == path || is_below(folder, path))
}

/// Whether a file in the page folder of another generator is neither a page nor a file that pages show or link to.
fn is_not_of_pages(repository: &Repository, path: &str, name: &str, is_folder: bool) -> bool {
    if repository.is_ours() {
        return false;
    }
    if is_folder {
        return is_filled_by_programs(repository, path, name)
            || repository.kind() == Kind::Plain && site_path::is_only_of_tests(name);
    }
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
    let may_be_page =
        is_page_by_other_name(name.as_bytes()) || repository.convention.endings.contains(&&*ending);
    if may_be_page {
        repository.convention.endings.contains(&&*ending) && !repository.is_page(path)
    } else {
        let is_data = DATA.contains(&&*ending) && !repository.content.path.is_empty();
        let is_list = repository.convention.folder_files.contains(&name);
        !is_list && !is_data && !MEDIA.contains(&&*ending)
    }
}

/// Whether a file or folder in the root of a repository with this name never belongs to pages.
pub(super) fn is_of_others(name: &str) -> bool {
    name.starts_with('.') || is_of_programs(name)
}

/// Whether programs generate the content of a folder among the pages. Names that authors also use, such as `build` or
/// `vendor`, count only in the root of a repository, because in a folder of pages they are sections.
fn is_filled_by_programs(repository: &Repository, path: &str, name: &str) -> bool {
    let is_section = matches!(name, "vendor" | "target" | "dist" | "build")
        && (!repository.content.path.is_empty()
            || !repository.is_built_in_place
            || repository.kind() != Kind::Plain && path.contains('/'));
    is_of_programs(name) && !is_section
}

/// Folders whose content programs generate.
fn is_of_programs(name: &str) -> bool {
    matches!(
        name,
        "node_modules"
            | "bower_components"
            | "vendor"
            | "target"
            | "dist"
            | "build"
            | "_site"
            | "site-packages"
    )
}

/// Extensions of files that pages show or offer for download.
#[rustfmt::skip]
const MEDIA: [&str; 33] = [
    "apng", "avif", "bmp", "gif", "ico", "jpeg", "jpg", "png", "svg", "tif", "tiff", "webp",
    "aac", "flac", "m4a", "m4v", "mov", "mp3", "mp4", "oga", "ogg", "ogv", "wav", "webm",
    "docx", "odt", "pdf", "pptx", "xlsx", "gz", "tgz", "xz", "zip",
];

/// Extensions of data that pages offer: next to pages, or anywhere in a repository of another kind.
const DATA: [&str; 8] = ["csv", "json", "tsv", "txt", "xml", "yaml", "yml", "html"];

/// Whether this is the folder of a version control system, or the file that replaces it in a submodule.
fn is_repository(name: &[u8]) -> bool {
    matches!(name, b".git" | b".hg" | b".svn" | b".jj" | b".bzr" | b"CVS")
}

/// Whether an editor, file manager or merge created the file in addition to the author's.
fn is_leftover(name: &[u8]) -> bool {
    let starts = |start: &[u8]| name.starts_with(start);
    let ends = |end: &[u8]| name.len() > end.len() && name.ends_with(end);
    let by_desktop = matches!(name, b".DS_Store" | b".directory" | b"Thumbs.db" | b"desktop.ini")
        || [&b"._"[..], b".fuse_hidden", b".nfs", b".goutputstream-"].iter().any(|start| starts(start));
    // Lock files of Emacs, LibreOffice and Microsoft Office.
    let by_lock = starts(b".#") || starts(b".~lock.") || starts(b"~$");
    // Vim creates `4913` to test whether it can write.
    let by_editor = name == b"4913"
        || ends(b"~")
        || starts(b"#") && ends(b"#")
        || ends(b"___jb_tmp___")
        || ends(b"___jb_old___");
    let by_program = matches!(
        ending(name),
        b"swp" | b"swo" | b"swx" | b"kate-swp" | b"crswap" | b"tmp" | b"bak" | b"orig" | b"rej"
    );
    by_desktop || by_lock || by_editor || by_program
}

/// Whether this is a common name for passwords or keys.
fn is_secret(name: &[u8]) -> bool {
    let ending = ending(name);
    let is_example = || matches!(ending, b"example" | b"sample" | b"template" | b"dist");
    let is_environment = matches!(name, b".env" | b".envrc") || name.starts_with(b".env.") && !is_example();
    let is_login = matches!(
        name,
        b".htpasswd"
            | b".netrc"
            | b".npmrc"
            | b".pypirc"
            | b".pgpass"
            | b".my.cnf"
            | b".git-credentials"
            | b".dockercfg"
            | b".s3cfg"
            | b".vault-token"
            | b".bash_history"
            | b".ssh"
            | b".gnupg"
            | b".aws"
            | b".kube"
            | b".docker"
            | b"terraform.tfstate"
    );
    let is_key = matches!(name, b"id_rsa" | b"id_dsa" | b"id_ecdsa" | b"id_ed25519")
        || matches!(ending, b"p12" | b"pfx" | b"jks" | b"keystore" | b"kdbx" | b"ppk");
    is_environment || is_login || is_key
}

/// Whether a file must never be shown: its path or content is that of a secret, or it belongs to a version control
/// system.
pub(super) fn is_kept_private(root: &Path, path: &Path) -> bool {
    let below = path.strip_prefix(root).unwrap_or(path);
    let is_private = |name: &[u8]| is_secret(name) || is_repository(name);
    let is_key = path.file_name().is_some_and(|name| is_key_by_name(name.as_bytes()));
    below.iter().any(|name| is_private(name.as_bytes())) || is_key && holds_private_key(path)
}

/// Whether a file may be a key. Public certificates and presentations have the same extensions.
fn is_key_by_name(name: &[u8]) -> bool {
    matches!(ending(name), b"pem" | b"key")
}

/// Whether a file is a private key in PEM format.
fn holds_private_key(path: &Path) -> bool {
    /// Maximum size in bytes. A key of 16,384 bits has 13,000.
    const LONGEST: u64 = 64 << 10;
    let mut text = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(LONGEST).read_to_end(&mut text));
    read.is_ok() && memmem::find(&text, b"PRIVATE KEY-----").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOLDERS: [&str; 3] = ["content", "static", "templates"];

    fn named(path: &str, is_folder: bool) -> Name {
        let repository = Repository::default();
        by_name(&repository, Area::of(&repository, path), path, is_folder)
    }

    #[track_caller]
    fn check(folder: &str, names: &str, expected: Name) {
        for name in names.split_whitespace() {
            assert_eq!(named(&format!("{folder}/{name}"), false), expected, "{folder}/{name}");
        }
    }

    #[test]
    fn leftovers_of_programs_are_private() {
        for folder in FOLDERS {
            check(
                folder,
                "page.md~ #page.md# .#page.md page.md.orig page.md.rej page.md.bak page.md.tmp .page.md.swp page.swo 4913 \
                 .DS_Store ._photo.png Thumbs.db desktop.ini .~lock.a.odt# ~$a.docx a.md___jb_tmp___ .git CVS",
                Name::Private,
            );
            check(folder, "page.md tmp orig 49130 a#b.png ~ # a~b.md swp.md bak.html", Name::Fine);
        }
        assert_eq!(named("static/backup.tmp", true), Name::Fine, "a folder is nobody's leftover");
    }

    #[test]
    fn dots_are_private_in_content_and_published_where_servers_look_for_them() {
        check("content", ".page.md .env .well-known _draft.md", Name::Private);
        check("templates", ".step.html", Name::Private);
        check("templates", "_part.html step.html", Name::Fine);
        check("static", ".well-known .nojekyll .htaccess .gitignore _redirects", Name::Fine);
        assert_eq!(named("content/_shared", true), Name::Fine);
        assert_eq!(named("content/_shared", false), Name::Private);
    }

    #[test]
    fn secrets_are_known_by_their_names() {
        check(
            "static",
            ".env .env.local .env.production .htpasswd id_rsa id_ed25519 login.p12 app.jks .npmrc .ssh",
            Name::Secret,
        );
        check("content", "id_rsa app.keystore", Name::Secret);
        check(
            "static",
            ".env.example .environment id_rsa.pub id_rsa.png keystore p12 .p12.png env ca.pem",
            Name::Fine,
        );
    }

    #[test]
    fn paths_are_judged_by_every_name_in_them() {
        for (path, expected) in [
            ("content/web/a.md", true),
            ("content/_shared/a.md", true),
            ("content/_drafts/a.md", false),
            ("content/.git/a.md", false),
            ("content/a.md~", false),
            ("static/.env", false),
            ("static/x.tmp/a.png", true),
            ("stepkin.toml", true),
            ("dist/index.html", false),
            ("content", false),
        ] {
            assert_eq!(is_admitted_by_name(&Repository::default(), path), expected, "{path}");
        }
    }
}
