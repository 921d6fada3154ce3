//! Reads the site's tree; the only reader of sources there is.
//!
//! In: a folder. Out: [`Sources`]: every page and template as text, every other file by name, size
//! and time. Nothing is understood here, only read: a page that is not UTF-8 is kept and marked.

mod admit;
mod known;
mod past;
mod stamp;
mod text;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, OnceLock};

use jiff::civil::Date;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use self::admit::{Admission, Found};
pub use self::admit::{PassedOver, Reason, is_admitted_by_name};
pub use self::known::Known;
pub use self::past::{Commit, Past};
pub use self::stamp::{Moment, Stamp};
pub(crate) use self::text::MOST_HELD;
pub use self::text::Text;

use self::text::Reader;

use crate::error::{Error, Result};

/// The folders of a site that hold sources.
pub const FOLDERS: [&str; 3] = ["content", "static", "templates"];
/// The configuration file, below the root.
pub const CONFIG: &str = "stepkin.toml";

/// The folder of pages that several platforms tell.
pub const SHARED: &str = "_shared";

/// The folder of files that pages load, beside those of this program or in their place.
pub const OWN_ASSETS: &str = "static/_stepkin";

/// Bytes. Keeping one of two smaller pictures instead of both saves no reader anything.
const WORTH_SHARING: u64 = 1024;

/// A path below the site's root, `/`-separated on every system: `content/web/install.md`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SitePath(Arc<str>);

impl SitePath {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path below `folder`, one of [`FOLDERS`] or in one; `None` when it is not in there.
    pub fn below(&self, folder: &str) -> Option<&str> {
        self.0.strip_prefix(folder)?.strip_prefix('/')
    }

    /// Of a path in a folder for shared pages: the folder below `content` that it stands in, and the path
    /// below itself: `tour` and `install.md` for `content/tour/_shared/install.md`.
    pub fn shared(&self) -> Option<(&str, &str)> {
        let below = self.below("content")?;
        below.match_indices(SHARED).find_map(|(at, _)| {
            let (before, inside) = (&below[..at], &below[at + SHARED.len()..]);
            let is_whole = before.is_empty() || before.ends_with('/');
            Some((before.trim_end_matches('/'), inside.strip_prefix('/').filter(|_| is_whole)?))
        })
    }

    /// Whether it stands below a folder of `content`.
    pub fn is_inside(&self, folder: &str) -> bool {
        let below = self.below("content").and_then(|below| below.strip_prefix(folder));
        below.is_some_and(|rest| rest.starts_with('/'))
    }
}

impl From<&str> for SitePath {
    fn from(path: &str) -> Self {
        Self(path.into())
    }
}

impl From<String> for SitePath {
    fn from(path: String) -> Self {
        Self(path.into())
    }
}

impl fmt::Display for SitePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A file that is published as it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asset {
    pub path: SitePath,
    /// Bytes.
    pub size: u64,
    /// What its header says, where the name is a picture's.
    pub picture: Option<Picture>,
    /// BLAKE3 of its bytes, where it is among [`OWN_ASSETS`], whose names hold it.
    pub hash: Option<blake3::Hash>,
}

/// The header of a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Picture {
    /// The format that the file's ending says, where the header can show it.
    pub expected: Option<Cow<'static, str>>,
    /// The format that the header shows.
    pub found: Option<Cow<'static, str>>,
    /// Width and height in pixels.
    pub dimensions: Option<(usize, usize)>,
}

/// Everything a site is made from.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The site's root as it was given.
    pub root: PathBuf,
    pub config: Option<Text>,
    /// Markdown files below `content/`.
    pub pages: BTreeMap<SitePath, Text>,
    /// Files below `templates/`.
    pub templates: BTreeMap<SitePath, Text>,
    /// Other files below `content/`, and all below `static/`.
    pub assets: BTreeMap<SitePath, Asset>,
    /// What is not read, and why, in the order of the walk.
    pub passed_over: Vec<PassedOver>,
    /// Files that symbolic links give several paths: from each further path to the one that is theirs.
    pub links: BTreeMap<SitePath, SitePath>,
    last_changes: Arc<OnceLock<LastChanges>>,
    /// Of texts that are not held.
    reader: Option<Arc<Reader>>,
}

/// The day on which each file was changed last, as git knew it at a commit.
#[derive(Debug)]
struct LastChanges {
    commit: String,
    days: BTreeMap<SitePath, Date>,
}

/// Every file of a site by its name, before any is read.
#[derive(Clone, Debug)]
pub struct Listing {
    root: PathBuf,
    /// In the order of the walk, which is the same as long as the names are.
    pub files: Vec<Listed>,
    /// What is not read, and why, in the order of the walk.
    pub passed_over: Vec<PassedOver>,
    /// Files that symbolic links give several paths: from each further path to the one that is theirs.
    pub links: BTreeMap<SitePath, SitePath>,
    /// When the walk began. What was written since may have been seen or not.
    pub begun: Moment,
}

/// A file that was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    pub path: SitePath,
    pub stamp: Stamp,
}

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

/// Lists the files of the site below `root`.
///
/// Files and folders of `content/` whose name starts with `_` or `.` are private to the authors and
/// left out, but for the Markdown in folders named [`SHARED`]. What programs leave behind is left out everywhere.
/// Symbolic links are followed within the site, and to where the configuration allows.
///
/// # Errors
///
/// When there is no `content/` folder, or a folder below cannot be read.
pub fn list(root: &Path) -> Result<Listing> {
    let begun = Moment::now();
    if !root.join("content").is_dir() {
        return Err(Error::usage(format!(
            "cannot find a `content` folder in `{}`: run stepkin in a site's folder, or name one with --root",
            root.display()
        )));
    }
    let admission = Admission::of(root);
    let mut found = Found::default();
    for folder in FOLDERS {
        admission.walk(folder, &mut found)?;
    }
    let links = found.links(root);
    let Found { files: mut paths, passed_over, .. } = found;
    refuse_lost_content(&passed_over)?;
    // Beside shared pages nothing is published.
    paths.retain(|path| is_text(path) || path.shared().is_none());
    if has_config(root)? {
        paths.push(CONFIG.into());
    }
    let files = paths.into_par_iter().map(|path| stamped(root, path)).collect::<Result<_>>()?;
    Ok(Listing { root: root.to_path_buf(), files, passed_over, links, begun })
}

/// Whether there is a configuration.
///
/// # Errors
///
/// When it cannot be read, or what seems to be meant as one has another name: the site would silently do without.
fn has_config(root: &Path) -> Result<bool> {
    let disk = root.join(CONFIG);
    match std::fs::metadata(&disk) {
        Ok(metadata) if metadata.is_dir() => {
            Err(Error::usage(format!("`{CONFIG}` is a folder, and the configuration is a file: rename the folder")))
        }
        Ok(_) => Ok(true),
        Err(error) if disk.symlink_metadata().is_ok() => Err(Error::io("read", &disk)(error)),
        Err(_) => misnamed_config(root).map_or(Ok(false), |name| {
            Err(Error::usage(format!(
                "`{name}` is not read: the configuration is TOML, and its file is called `{CONFIG}`, in small letters"
            )))
        }),
    }
}

/// A file whose name says that it is meant as the configuration.
fn misnamed_config(root: &Path) -> Option<String> {
    const FORMS: [&str; 7] = [
        CONFIG,
        "stepkin.yml",
        "stepkin.yaml",
        "stepkin.json",
        "stepkin.tml",
        ".stepkin.toml",
        "stepkin.toml.txt",
    ];
    let names = std::fs::read_dir(root).ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names.filter(|name| FORMS.iter().any(|form| name.eq_ignore_ascii_case(form))).min()
}

/// Without any page the site would be published empty.
fn refuse_lost_content(passed_over: &[PassedOver]) -> Result<()> {
    match passed_over.iter().find(|it| it.path.as_str() == "content").map(|it| &it.reason) {
        Some(Reason::Outside(target)) => Err(Error::usage(format!(
            "`content` is a symbolic link that leads out of the site: allow it in {CONFIG} with `follow = [\"{target}\"]` below `[source]`"
        ))),
        _ => Ok(()),
    }
}

fn stamped(root: &Path, path: SitePath) -> Result<Listed> {
    let disk = root.join(path.as_str());
    let metadata = std::fs::metadata(&disk).map_err(Error::io("read", &disk))?;
    Ok(Listed { path, stamp: Stamp::of(&metadata) })
}

/// Reads the files that were listed, for a run that ends soon: what is `known` and has not changed is not read, and no
/// more is held than does good. Whatever such a run gives, [`Sources::are_as_read`] has the last word.
///
/// # Errors
///
/// When one of them cannot be read.
pub fn read_listed(listing: &Listing, known: &Known) -> Result<Sources> {
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

/// Pages that were renamed, as the index and then git's history know it, the newest first: former and present path.
///
/// Empty without git or a repository. Asked for only where a page is missing, since a long history
/// takes git a while.
pub fn renames(root: &Path) -> Vec<(SitePath, SitePath)> {
    // Names of other letters are written as they are.
    let plain = ["-c", "core.quotePath=false"];
    // Unlike `git diff` it takes no lock, which a server that watches for commits would see.
    let staged =
        ["diff-index", "-M", "--diff-filter=R", "--name-status", "--relative", "HEAD", "--", "content"];
    let log = [
        "log",
        "-M",
        "--diff-filter=R",
        "--name-status",
        "--format=",
        "--relative",
        "--max-count=2000",
        "--",
        "content",
    ];
    let mut lines = ask_git(root, &[&plain[..], &staged[..]].concat());
    lines.push_str(&ask_git(root, &[&plain[..], &log[..]].concat()));
    let rename = |line: &str| {
        // `R100<tab>content/old.md<tab>content/new.md`
        let mut parts = line.split('\t').skip(1);
        Some((parts.next()?.into(), parts.next()?.into()))
    };
    lines.lines().filter_map(rename).collect()
}

/// The commit that stands, and whether git knows those before it; empty without git or a repository.
pub fn commit(root: &Path) -> String {
    ask_git(root, &["rev-parse", "HEAD", "--is-shallow-repository"])
}

/// The folder in which git keeps the history of the site below `root`; `None` without git or a repository.
pub fn git_folder(root: &Path) -> Option<PathBuf> {
    let folder = ask_git(root, &["rev-parse", "--absolute-git-dir"]);
    Some(PathBuf::from(folder.trim_end_matches('\n'))).filter(|folder| folder.is_dir())
}

/// The day of the last commit that changed each file below `content`, as its committer's clock showed it.
///
/// Empty without git or a repository, and in a shallow clone, where every file seems to come from one commit.
fn last_changes(root: &Path) -> BTreeMap<SitePath, Date> {
    if ask_git(root, &["rev-parse", "--is-shallow-repository"]).trim() != "false" {
        return BTreeMap::new();
    }
    // The newest commit comes first: a mark and its day, then the files it changed, all ended by NUL.
    let log = ["log", "-z", "--format=%x01%cs", "--name-only", "--no-renames", "--relative", "--", "content"];
    let log = ask_git(root, &log);
    let mut changes = BTreeMap::new();
    let mut day: Option<Date> = None;
    for part in log.split('\0').map(|part| part.trim_start_matches('\n')) {
        match (part.strip_prefix('\u{1}'), day) {
            (Some(written), _) => day = written.parse().ok(),
            (None, Some(day)) if !part.is_empty() => _ = changes.entry(part.into()).or_insert(day),
            _ => {}
        }
    }
    changes
}

/// What git says on its standard output; nothing where there is none.
fn ask_git(root: &Path, arguments: &[&str]) -> String {
    let mut git = std::process::Command::new("git");
    let output = git.arg("-C").arg(root).args(arguments).stdin(Stdio::null()).stderr(Stdio::null()).output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
}

impl Sources {
    /// The day on which git saw a file change last; nothing where git cannot tell.
    ///
    /// Git is asked once, and by [`Self::refresh`] whether there is another commit since.
    pub fn last_change(&self, path: &SitePath) -> Option<Date> {
        let ask = || LastChanges { commit: commit(&self.root), days: last_changes(&self.root) };
        self.last_changes.get_or_init(ask).days.get(path).copied()
    }

    /// # Errors
    ///
    /// When a text that is not held was another when it was read again.
    pub fn are_as_read(&self) -> Result<()> {
        self.reader.as_ref().map_or(Ok(()), |reader| reader.check())
    }

    /// The text of a file that is published as it is; `None` where it has more than `most` bytes or cannot be read.
    pub fn asset_text(&self, path: &SitePath, most: u64) -> Option<String> {
        self.assets.get(path).filter(|asset| asset.size <= most)?;
        let bytes = std::fs::read(self.disk_path(path)).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
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
            .or_else(|| self.config.as_ref().filter(|config| config.path == *path))
    }

    /// Groups of two or more pictures with the same bytes, sorted; small ones are left out.
    ///
    /// # Errors
    ///
    /// When a file cannot be read any more.
    pub fn same_pictures(&self) -> Result<Vec<Vec<SitePath>>> {
        let mut by_size: BTreeMap<u64, Vec<&Asset>> = BTreeMap::new();
        let is_one = |asset: &&Asset| asset.size >= WORTH_SHARING && !self.links.contains_key(&asset.path);
        for asset in self.assets.values().filter(|asset| asset.picture.is_some()).filter(is_one) {
            by_size.entry(asset.size).or_default().push(asset);
        }
        let alike: Vec<&Asset> = by_size.into_values().filter(|assets| assets.len() > 1).flatten().collect();
        let hash = |asset: &&Asset| {
            let disk = self.disk_path(&asset.path);
            let bytes = std::fs::read(&disk).map_err(Error::io("read", &disk))?;
            Ok((*blake3::hash(&bytes).as_bytes(), asset.path.clone()))
        };
        let hashes = alike.par_iter().map(hash).collect::<Result<Vec<_>>>()?;
        let mut groups: BTreeMap<[u8; 32], Vec<SitePath>> = BTreeMap::new();
        for (hash, path) in hashes {
            groups.entry(hash).or_default().push(path);
        }
        let mut groups: Vec<_> = groups.into_values().filter(|paths| paths.len() > 1).collect();
        for paths in &mut groups {
            paths.sort();
        }
        groups.sort();
        Ok(groups)
    }

    /// Reads again what changed on disk since; `changed` are absolute or root-relative paths.
    ///
    /// Saved files are read alone. Anything that says more than "these files were written", such as
    /// a folder that moved, reads the whole tree again: it is rare, and it is certain. So does the configuration, which
    /// says where links may lead.
    pub fn refresh(&mut self, changed: &[PathBuf]) -> Result<()> {
        if self.last_changes.get().is_some_and(|known| known.commit != commit(&self.root)) {
            self.last_changes = Arc::default();
        }
        let is_private = |path: &&PathBuf| {
            site_path(&self.root, path).is_some_and(|path| !is_admitted_by_name(path.as_str()))
        };
        let changed: Vec<&PathBuf> = changed.iter().filter(|path| !is_private(path)).collect();
        for path in changed {
            let known =
                site_path(&self.root, path).filter(|path| self.knows(path) && path.as_str() != CONFIG);
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

    /// Puts the version of a file that `other` has in the place of this one's; leaves the file out where `other` is
    /// none or does not have it. Out: whether that changed anything.
    pub fn restore(&mut self, path: &SitePath, other: Option<&Self>) -> bool {
        let hash = |text: &Text| text.hash;
        restore_in(&mut self.pages, other.map(|other| &other.pages), path, hash)
            | restore_in(&mut self.templates, other.map(|other| &other.templates), path, hash)
            | restore_in(&mut self.assets, other.map(|other| &other.assets), path, Asset::clone)
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

    fn insert_text(&mut self, text: Text) {
        match text.path.as_str() {
            CONFIG => self.config = Some(text),
            path if path.starts_with("templates/") => _ = self.templates.insert(text.path.clone(), text),
            _ => _ = self.pages.insert(text.path.clone(), text),
        }
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

/// Whether this is a file and no link, which may lead elsewhere by now.
fn is_plain_file(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
}

/// `None` for a name that is not UTF-8: it could not be written as a link.
fn site_path(root: &Path, path: &Path) -> Option<SitePath> {
    let relative = path.strip_prefix(root).ok()?;
    let parts: Option<Vec<&str>> = relative.components().map(|part| part.as_os_str().to_str()).collect();
    Some(parts?.join("/").as_str().into())
}

/// Whether a file below the root is a page, by its path alone.
fn is_page(path: &str) -> bool {
    path.starts_with("content/") && path.ends_with(".md") && is_admitted_by_name(path)
}

fn is_text(path: &SitePath) -> bool {
    match path.below("content") {
        Some(name) => name.ends_with(".md"),
        None => path.below("static").is_none(),
    }
}

fn read_text(root: &Path, path: SitePath) -> Result<Text> {
    let disk = root.join(path.as_str());
    let bytes = std::fs::read(&disk).map_err(Error::io("read", &disk))?;
    Ok(Text::new(path, bytes))
}

fn read_asset(root: &Path, path: SitePath) -> Result<Asset> {
    let disk = root.join(path.as_str());
    let metadata = std::fs::metadata(&disk).map_err(Error::io("read", &disk))?;
    let picture = match format_of_name(path.as_str()) {
        NamedFormat::NoPicture => None,
        NamedFormat::Drawing => Some(Picture { expected: None, found: None, dimensions: None }),
        NamedFormat::Picture(expected) => Some(read_picture(&disk, expected)?),
    };
    let hash = match path.below(OWN_ASSETS) {
        Some(_) => Some(blake3::hash(&std::fs::read(&disk).map_err(Error::io("read", &disk))?)),
        None => None,
    };
    Ok(Asset { path, size: metadata.len(), picture, hash })
}

/// A picture that cannot be measured is still published; browsers lay it out when it arrives.
fn read_picture(disk: &Path, expected: &'static str) -> Result<Picture> {
    // imagesize wants no more than this to tell a format.
    let mut header = Vec::with_capacity(64);
    let file = std::fs::File::open(disk).map_err(Error::io("read", disk))?;
    file.take(64).read_to_end(&mut header).map_err(Error::io("read", disk))?;
    let found = imagesize::image_type(&header).ok().map(|format| format_of_content(format).into());
    let dimensions = imagesize::size(disk).ok().map(|size| (size.width, size.height));
    Ok(Picture { expected: Some(expected.into()), found, dimensions })
}

/// What a name says of a file.
enum NamedFormat {
    NoPicture,
    /// A picture in text: it has no header of bytes.
    Drawing,
    Picture(&'static str),
}

fn format_of_name(path: &str) -> NamedFormat {
    let (_, extension) = path.rsplit_once('.').unwrap_or_default();
    match extension.to_ascii_lowercase().as_str() {
        "png" | "apng" => NamedFormat::Picture("a PNG"),
        "jpg" | "jpeg" => NamedFormat::Picture("a JPEG"),
        "gif" => NamedFormat::Picture("a GIF"),
        "webp" => NamedFormat::Picture("a WebP"),
        "avif" => NamedFormat::Picture("an AVIF"),
        "svg" => NamedFormat::Drawing,
        _ => NamedFormat::NoPicture,
    }
}

fn format_of_content(found: imagesize::ImageType) -> &'static str {
    use imagesize::{Compression, ImageType};
    match found {
        ImageType::Png => "a PNG",
        ImageType::Jpeg => "a JPEG",
        ImageType::Gif => "a GIF",
        ImageType::Webp => "a WebP",
        ImageType::Heif(Compression::Av1) => "an AVIF",
        _ => "another format",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_pages_are_known_by_their_folder() {
        for (path, shared) in [
            ("content/tour/_shared/a.md", Some(("tour", "a.md"))),
            ("content/_shared/a/index.md", Some(("", "a/index.md"))),
            ("content/x/my_shared/_shared/a.md", Some(("x/my_shared", "a.md"))),
            ("content/tour/_shared.md", None),
            ("content/tour/_shared_too/a.md", None),
            ("static/_shared/a.md", None),
        ] {
            assert_eq!(SitePath::from(path).shared(), shared, "{path}");
        }
    }

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

    #[test]
    fn a_former_tree_is_listed_by_the_same_rules() {
        for (path, expected) in [
            ("content/web/a.md", true),
            ("content/_shared/a.md", true),
            ("content/web/.a.md", false),
            ("content/_web/a.md", false),
            ("content/web/a.md~", false),
            ("static/a.md", false),
        ] {
            assert_eq!(is_page(path), expected, "{path}");
        }
    }
}
