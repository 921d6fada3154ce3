//! Decides what of the tree is read: by name, by kind, and where symbolic links lead.
//!
//! Everything that lists or reads sources asks here: the walk, the watcher, and git's list of a former tree.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io::{ErrorKind, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use memchr::memmem;
use rustix::io::Errno;
use serde::{Deserialize, Serialize};
use walkdir::{DirEntry, WalkDir};

use crate::config;
use crate::error::{Error, Result};
use crate::site_path::{CONFIG, FOLDERS, SHARED, SitePath};

/// Why something in a folder of sources is not read, where its author should hear of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Reason {
    /// No address can be made from its name.
    NameNotUtf8,
    /// A symbolic link to a place outside of the site: what would have to be allowed, as `[source] follow` names it.
    Outside(String),
    /// A symbolic link to nothing: what it names.
    Dangling(String),
    /// A symbolic link that leads back to a folder around it, or to itself.
    Loop,
    /// Its name or its content is a secret's.
    Secret,
    /// A page of other programs, whose name does not end in `.md`.
    PageByOtherName,
    /// A pipe, a socket or a device.
    NoFile,
    /// A page or a folder of `content` whose name begins with `_`: only links to it would miss it.
    Private,
}

/// Something that is not read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PassedOver {
    /// Bytes of the name that are not UTF-8 are replaced.
    pub path: SitePath,
    pub reason: Reason,
}

/// What a name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    Fine,
    /// Private to the authors, or left there by a program: it is not reported.
    Private,
    Secret,
}

/// What becomes of an entry of the tree.
enum Verdict {
    File,
    /// A folder to look into.
    Folder,
    Private,
    PassedOver(Reason),
}

/// What was found below a folder of sources, in the order of the walk.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) files: Vec<SitePath>,
    pub(super) passed_over: Vec<PassedOver>,
    /// Files that a symbolic link leads to, and where they really are.
    linked: Vec<(SitePath, PathBuf)>,
}

impl Found {
    /// `path` is below the root.
    fn note(&mut self, path: &[u8], verdict: Verdict) {
        let reason = match (str::from_utf8(path), verdict) {
            (_, Verdict::Folder | Verdict::Private) => return,
            (Ok(path), Verdict::File) => {
                self.files.push(path.into());
                return;
            }
            (Err(_), Verdict::File) => Reason::NameNotUtf8,
            (_, Verdict::PassedOver(reason)) => reason,
        };
        let path = String::from_utf8_lossy(path).as_ref().into();
        self.passed_over.push(PassedOver { path, reason });
    }

    /// Files that symbolic links give several paths: from each further path to the one that is theirs, which is the
    /// real one where the site has it, and the first otherwise.
    pub(super) fn links(&self, root: &Path) -> BTreeMap<SitePath, SitePath> {
        if self.linked.is_empty() {
            return BTreeMap::new();
        }
        let Ok(root) = root.canonicalize() else { return BTreeMap::new() };
        let linked: HashSet<&SitePath> = self.linked.iter().map(|(path, _)| path).collect();
        let known: HashSet<&SitePath> = self.files.iter().filter(|path| !linked.contains(path)).collect();
        let mut first: HashMap<&Path, &SitePath> = HashMap::new();
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

/// Where symbolic links of a site may lead.
#[derive(Debug)]
pub(super) struct Admission<'a> {
    root: &'a Path,
    /// Real paths: first the site's root, then what `[source] follow` names.
    places: Vec<PathBuf>,
}

impl<'a> Admission<'a> {
    pub(super) fn of(root: &'a Path) -> Self {
        let text = fs::read_to_string(root.join(CONFIG)).unwrap_or_default();
        let follow = config::follow(&text);
        let named = follow.iter().map(|path| root.join(path));
        // What does not exist allows nothing; the links that lead there are reported.
        let places =
            std::iter::once(root.to_path_buf()).chain(named).filter_map(|path| path.canonicalize().ok());
        Self { root, places: places.collect() }
    }

    /// Walks through one of [`FOLDERS`].
    ///
    /// # Errors
    ///
    /// When a folder cannot be read.
    pub(super) fn walk(&self, folder: &str, found: &mut Found) -> Result<()> {
        let start = self.root.join(folder);
        let exists = fs::symlink_metadata(&start).is_ok_and(|it| it.is_dir() || it.is_symlink());
        if !exists {
            return Ok(());
        }
        // By their names: entries that are compared are of one folder.
        let walk = WalkDir::new(&start).follow_links(true).sort_by(|one, other| bytes(one).cmp(bytes(other)));
        let mut walk = walk.into_iter();
        // Every path below begins with that of the root.
        let root = start.as_os_str().len() - folder.len();
        // Linked folders around an entry, each with the folder that it really is.
        let mut around: Vec<(PathBuf, PathBuf)> = Vec::new();
        while let Some(entry) = walk.next() {
            let (path, verdict, is_folder) = match entry {
                Ok(entry) => {
                    let verdict = self.verdict(folder, &entry);
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
                    let (path, verdict) = unfollowed(folder, &start, error)?;
                    (path, verdict, false)
                }
            };
            if is_folder && !matches!(verdict, Verdict::Folder) {
                walk.skip_current_dir();
            }
            found.note(&path.as_os_str().as_bytes()[root..], verdict);
        }
        Ok(())
    }

    fn verdict(&self, folder: &str, entry: &DirEntry) -> Verdict {
        let kind = entry.file_type();
        let name = bytes(entry).rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        let said = match entry.depth() {
            0 => Name::Fine,
            _ => by_name(folder, name, kind.is_dir()),
        };
        match said {
            Name::Private if folder == "content" && is_hidden_page(name, kind.is_dir()) => {
                return Verdict::PassedOver(Reason::Private);
            }
            Name::Private => return Verdict::Private,
            Name::Secret => return Verdict::PassedOver(Reason::Secret),
            Name::Fine => {}
        }
        if entry.path_is_symlink()
            && let Some(reason) = self.misled(folder, entry.path())
        {
            return Verdict::PassedOver(reason);
        }
        match () {
            () if kind.is_dir() => Verdict::Folder,
            () if !kind.is_file() => Verdict::PassedOver(Reason::NoFile),
            () if folder == "content" && is_page_by_other_name(name) => {
                Verdict::PassedOver(Reason::PageByOtherName)
            }
            () if is_key_by_name(name) && holds_private_key(entry.path()) => {
                Verdict::PassedOver(Reason::Secret)
            }
            () => Verdict::File,
        }
    }

    /// Why a symbolic link that leads somewhere must not be followed.
    fn misled(&self, folder: &str, link: &Path) -> Option<Reason> {
        let Ok(real) = link.canonicalize() else { return Some(Reason::Dangling(target_of(link))) };
        let Some(below) = self.places.iter().find_map(|place| real.strip_prefix(place).ok()) else {
            return Some(Reason::Outside(self.seen_from_root(link)));
        };
        if self.places[0] == real {
            return Some(Reason::Loop);
        }
        // A secret does not become harmless by another name.
        let mut names = below.components().map(|part| part.as_os_str().as_encoded_bytes());
        names.any(|name| by_name(folder, name, false) == Name::Secret).then_some(Reason::Secret)
    }

    /// Where a link leads, as a path from the root. Of where it leads nothing is looked up on this machine; the
    /// folder that holds it may itself be reached through a link.
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

/// Where an entry really is, if it is a link or in a linked folder.
fn really(entry: &DirEntry, around: &[(PathBuf, PathBuf)]) -> Option<PathBuf> {
    if entry.path_is_symlink() {
        return entry.path().canonicalize().ok();
    }
    let (folder, real) = around.last()?;
    Some(real.join(entry.path().strip_prefix(folder).ok()?))
}

/// A path without `.`, and without `..` where it can be resolved.
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

/// The way from one folder to another place, both real.
fn way(from: &Path, to: &Path) -> PathBuf {
    let shared = from.components().zip(to.components()).take_while(|(one, other)| one == other).count();
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(to.components().skip(shared)).collect()
}

/// A link that leads nowhere, or back; any other error is one of the world.
fn unfollowed(folder: &str, start: &Path, error: walkdir::Error) -> Result<(PathBuf, Verdict)> {
    let path = error.path().unwrap_or(start).to_path_buf();
    let is_link = fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_symlink());
    let is_loop = error.loop_ancestor().is_some()
        || error.io_error().is_some_and(|error| Errno::from_io_error(error) == Some(Errno::LOOP));
    let is_gone = error
        .io_error()
        .is_some_and(|error| matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory));
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let verdict = match () {
        () if !is_link || !is_loop && !is_gone => {
            return Err(Error::Io { verb: "read", path, source: error.into() });
        }
        () if error.depth() > 0 && by_name(folder, name, false) != Name::Fine => Verdict::Private,
        () if is_loop => Verdict::PassedOver(Reason::Loop),
        () => Verdict::PassedOver(Reason::Dangling(target_of(&path))),
    };
    Ok((path, verdict))
}

fn target_of(link: &Path) -> String {
    fs::read_link(link).unwrap_or_default().to_string_lossy().into_owned()
}

fn bytes(entry: &DirEntry) -> &[u8] {
    entry.path().as_os_str().as_bytes()
}

/// What follows the last point of a name, unless the name begins with it.
fn ending(name: &[u8]) -> &[u8] {
    match name.iter().rposition(|byte| *byte == b'.') {
        Some(at) if at > 0 => &name[at + 1..],
        _ => b"",
    }
}

/// Whether the name of a page or a folder begins with `_`.
fn is_hidden_page(name: &[u8], is_folder: bool) -> bool {
    name.starts_with(b"_") && (is_folder || ending(name) == b"md")
}

/// Whether a file is Markdown, or nearly, to other programs alone.
fn is_page_by_other_name(name: &[u8]) -> bool {
    let ending = ending(name);
    let is_one = |known: &[u8]| ending.eq_ignore_ascii_case(known);
    ending != b"md" && [&b"md"[..], b"mdx", b"markdown", b"mdown", b"mkd", b"mkdn"].into_iter().any(is_one)
}

/// Whether a file below the root may be read, by the names in its path alone; [`CONFIG`] may.
pub fn is_admitted_by_name(path: &str) -> bool {
    let Some((folder, below)) = path.split_once('/') else { return path == CONFIG };
    let depth = below.split('/').count();
    let names = below.split('/').enumerate();
    FOLDERS.contains(&folder)
        && names.into_iter().all(|(at, name)| by_name(folder, name.as_bytes(), at + 1 < depth) == Name::Fine)
}

/// What the name of a file or folder in one of [`FOLDERS`] says of it.
fn by_name(folder: &str, name: &[u8], is_folder: bool) -> Name {
    let is_shared = is_folder && name == SHARED.as_bytes();
    let first = name.first().copied().unwrap_or_default();
    let is_private = match folder {
        "content" => first == b'.' || first == b'_' && !is_shared,
        "templates" => first == b'.',
        _ => false,
    };
    match () {
        () if is_private || is_repository(name) || !is_folder && is_leftover(name) => Name::Private,
        () if is_secret(name) => Name::Secret,
        () => Name::Fine,
    }
}

/// The folder of a version control system, or the file that stands for it in a submodule.
fn is_repository(name: &[u8]) -> bool {
    matches!(name, b".git" | b".hg" | b".svn" | b".jj" | b".bzr" | b"CVS")
}

/// What editors, file managers and merges leave beside the files that people make.
fn is_leftover(name: &[u8]) -> bool {
    let starts = |start: &[u8]| name.starts_with(start);
    let ends = |end: &[u8]| name.len() > end.len() && name.ends_with(end);
    let by_desktop = matches!(name, b".DS_Store" | b".directory" | b"Thumbs.db" | b"desktop.ini")
        || [&b"._"[..], b".fuse_hidden", b".nfs", b".goutputstream-"].iter().any(|start| starts(start));
    // Locks: Emacs, LibreOffice, Microsoft Office.
    let by_lock = starts(b".#") || starts(b".~lock.") || starts(b"~$");
    // `4913` is the file that Vim makes to see whether it may.
    let by_editor = name == b"4913"
        || ends(b"~")
        || starts(b"#") && ends(b"#")
        || [b".swp", b".swo", b".swx"].iter().any(|end| ends(*end))
        || [&b".kate-swp"[..], b".crswap", b"___jb_tmp___", b"___jb_old___"].iter().any(|end| ends(end));
    let by_program = [&b".tmp"[..], b".bak", b".orig", b".rej"].iter().any(|end| ends(end));
    by_desktop || by_lock || by_editor || by_program
}

/// Names under which passwords and keys are kept.
fn is_secret(name: &[u8]) -> bool {
    let ends = |end: &[u8]| name.len() > end.len() && name.ends_with(end);
    let is_example = [&b".example"[..], b".sample", b".template", b".dist"].iter().any(|end| ends(end));
    let is_environment = matches!(name, b".env" | b".envrc") || name.starts_with(b".env.") && !is_example;
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
        || [&b".p12"[..], b".pfx", b".jks", b".keystore", b".kdbx", b".ppk"].iter().any(|end| ends(end));
    is_environment || is_login || is_key
}

/// Whether a file may be a key. These endings are also those of certificates, which are public, and of presentations.
fn is_key_by_name(name: &[u8]) -> bool {
    matches!(ending(name), b"pem" | b"key")
}

/// Whether a file is a private key in the text form of PEM.
fn holds_private_key(path: &Path) -> bool {
    /// Bytes; a key of 16,384 bits has 13,000.
    const LONGEST: u64 = 64 << 10;
    let mut text = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(LONGEST).read_to_end(&mut text));
    read.is_ok() && memmem::find(&text, b"PRIVATE KEY-----").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(folder: &str, names: &str, expected: Name) {
        for name in names.split_whitespace() {
            assert_eq!(by_name(folder, name.as_bytes(), false), expected, "{folder}/{name}");
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
        assert_eq!(by_name("static", b"backup.tmp", true), Name::Fine, "a folder is nobody's leftover");
    }

    #[test]
    fn dots_are_private_in_content_and_published_where_servers_look_for_them() {
        check("content", ".page.md .env .well-known _draft.md", Name::Private);
        check("templates", ".step.html", Name::Private);
        check("templates", "_part.html step.html", Name::Fine);
        check("static", ".well-known .nojekyll .htaccess .gitignore _redirects", Name::Fine);
        assert_eq!(by_name("content", b"_shared", true), Name::Fine);
        assert_eq!(by_name("content", b"_shared", false), Name::Private);
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
            assert_eq!(is_admitted_by_name(path), expected, "{path}");
        }
    }
}
