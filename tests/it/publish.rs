//! Tests `publish::write` with real folders.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;
use std::{env, thread};

use proptest::prelude::*;
use stepkin::base::error::{Error, Result};
use stepkin::output::publish::{self, Published};
use stepkin::site::plan::Content;
use tempfile::TempDir;
use walkdir::WalkDir;

use crate::support::{SiteTest, check_same_tree, tree};

const MANIFEST: &str = ".stepkin-manifest.json";

/// A folder that contains a site. Paths in tests are relative to this folder, and the output is `site/dist`.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        folder.put("site/content/index.md", "source");
        folder.put("site/static/logo.svg", "<svg/>");
        folder
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn put(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    fn inode(&self, path: &str) -> u64 {
        fs::symlink_metadata(self.path(path)).unwrap().ino()
    }

    fn write_to(
        &self,
        output: &Path,
        paths: &[String],
        render: impl Fn(usize) -> Result<Content> + Sync,
    ) -> Result<Published> {
        publish::write(output, &self.path("site"), &self.sources(), paths, render)
    }

    fn sources(&self) -> Vec<PathBuf> {
        ["content", "static", "templates"].map(|name| self.path("site").join(name)).into()
    }

    /// Publishes `site` into `site/dist`: paths and their texts, as in `"a/index.html=A b.html=B"`.
    fn publish(&self, site: &str) -> Result<Published> {
        let files: BTreeMap<&str, &str> =
            site.split_whitespace().map(|f| f.split_once('=').unwrap()).collect();
        let paths: Vec<String> = files.keys().map(ToString::to_string).collect();
        self.write_to(&self.path("site/dist"), &paths, |index| Ok(bytes(files[paths[index].as_str()])))
    }

    /// Returns everything under `path` except for the manifest: files and links with their content, and folders with
    /// a slash.
    fn tree(&self, path: &str) -> BTreeMap<String, String> {
        let root = self.path(path);
        let mut tree = BTreeMap::new();
        for entry in WalkDir::new(&root).min_depth(1) {
            let entry = entry.unwrap();
            let name = entry.path().strip_prefix(&root).unwrap().display().to_string();
            if entry.file_type().is_dir() {
                tree.insert(name + "/", String::new());
            } else if entry.file_type().is_symlink() {
                tree.insert(name, format!("-> {}", fs::read_link(entry.path()).unwrap().display()));
            } else if entry.file_name() != MANIFEST {
                tree.insert(name, fs::read_to_string(entry.path()).unwrap());
            }
        }
        tree
    }

    /// Returns the tree in one line: `"a/ a/index.html=A"`.
    fn line(&self, path: &str) -> String {
        let entries = self.tree(path).into_iter();
        let texts =
            entries.map(|(name, text)| if name.ends_with('/') { name } else { format!("{name}={text}") });
        texts.collect::<Vec<_>>().join(" ")
    }

    /// Returns the files in the output's manifest.
    fn manifest(&self) -> Vec<String> {
        let manifest: serde_json::Value =
            serde_json::from_str(&self.text("site/dist/.stepkin-manifest.json")).unwrap();
        manifest["files"]
            .as_array()
            .unwrap()
            .iter()
            .map(|file| file["path"].as_str().unwrap().to_string())
            .collect()
    }

    /// Returns every entry of the complete folder with the metadata that changes when it is written: inode and times.
    fn state(&self) -> Vec<(PathBuf, u64, i64, i64)> {
        let entries = WalkDir::new(self.0.path()).sort_by_file_name().into_iter().map(|entry| entry.unwrap());
        let state = entries.map(|entry| {
            let metadata = entry.metadata().unwrap();
            (entry.into_path(), metadata.ino(), metadata.mtime(), metadata.mtime_nsec())
        });
        state.collect()
    }
}

fn bytes(text: &str) -> Content {
    Content::Bytes(text.as_bytes().to_vec().into())
}

fn never(_: usize) -> Result<Content> {
    panic!("a refused run renders nothing")
}

fn counts(published: Published) -> [usize; 4] {
    [published.files, published.written, published.unchanged, published.removed]
}

/// Checks that the site's folder contains only the site.
#[track_caller]
fn check_no_litter(folder: &Folder) {
    let names: BTreeSet<_> =
        fs::read_dir(folder.path("site")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    let known = BTreeSet::from(["content", "dist", "static", "templates"].map(Into::into));
    assert!(names.is_subset(&known), "{names:?}");
}

/// Checks that publishing is refused with a message that contains all of `said`, and that nothing has changed.
#[track_caller]
fn check_refused(folder: &Folder, output: &Path, paths: &[&str], said: &[&str]) {
    let before = folder.state();
    let paths: Vec<String> = paths.iter().map(ToString::to_string).collect();
    let text = folder.write_to(output, &paths, never).unwrap_err().to_string();
    for part in said {
        assert!(text.contains(part), "`{part}` is missing in: {text}");
    }
    assert!(folder.state() == before, "something was touched: {text}");
}

// Written files

#[test]
fn a_first_publication_creates_the_folder_and_its_parents() {
    let folder = Folder::new();
    let output = folder.path("public/site");
    let paths = ["a/b/index.html".to_string(), "index.html".to_string()];
    let published = folder.write_to(&output, &paths, |index| Ok(bytes(&paths[index]))).unwrap();
    assert_eq!(counts(published), [2, 2, 0, 0]);
    assert_eq!(
        folder.line("public"),
        "site/ site/a/ site/a/b/ site/a/b/index.html=a/b/index.html site/index.html=index.html"
    );
    let line = |path: &str| {
        let (size, hash) = (path.len(), blake3::hash(path.as_bytes()));
        format!(
            "{{\"path\":\"{path}\",\"size\":{size},\"hash\":\"{hash}\",\"type\":\"text/html; charset=utf-8\",\"class\":\"asset\"}}"
        )
    };
    let lines = paths.each_ref().map(|path| line(path)).join(",\n");
    let manifest = format!("{{\n\"version\": 2,\n\"files\": [\n{lines}\n]\n}}\n");
    assert_eq!(folder.text(&format!("public/site/{MANIFEST}")), manifest);
}

#[test]
fn an_empty_folder_can_be_published_into_and_keeps_its_permissions() {
    let folder = Folder::new();
    fs::create_dir(folder.path("site/dist")).unwrap();
    fs::set_permissions(folder.path("site/dist"), Permissions::from_mode(0o750)).unwrap();
    for site in ["a=1", "a=2"] {
        folder.publish(site).unwrap();
        assert_eq!(folder.line("site/dist"), site);
        assert_eq!(fs::metadata(folder.path("site/dist")).unwrap().mode() & 0o777, 0o750);
    }
    check_no_litter(&folder);
}

#[test]
fn a_site_without_files_is_an_empty_site() {
    let folder = Folder::new();
    assert_eq!(counts(folder.publish("").unwrap()), [0, 0, 0, 0]);
    assert_eq!(counts(folder.publish("a=1").unwrap()), [1, 1, 0, 0]);
    assert_eq!(counts(folder.publish("").unwrap()), [0, 0, 0, 1]);
    assert_eq!(folder.line("site/dist"), "");
}

#[test]
fn a_second_run_writes_nothing() {
    let folder = Folder::new();
    folder.publish("a/index.html=A b.html=B").unwrap();
    folder.put("site/dist/CNAME", "example.com");
    let before = folder.state();
    assert_eq!(counts(folder.publish("a/index.html=A b.html=B").unwrap()), [2, 0, 2, 0]);
    assert_eq!(folder.state(), before);
}

#[test]
fn a_change_leaves_equal_files_alone() {
    let folder = Folder::new();
    folder.publish("a/one=1 a/two=2 b/three=3 c=4").unwrap();
    let kept = folder.inode("site/dist/a/one");
    let published = folder.publish("a/one=1 a/two=CHANGED c=4 d/new=5").unwrap();
    assert_eq!(counts(published), [4, 2, 2, 1]);
    assert_eq!(folder.line("site/dist"), "a/ a/one=1 a/two=CHANGED c=4 d/ d/new=5");
    assert_eq!(folder.inode("site/dist/a/one"), kept);
    check_no_litter(&folder);
}

#[test]
fn a_file_that_was_deleted_or_edited_by_hand_is_published_again() {
    let folder = Folder::new();
    folder.publish("a=1 b=2").unwrap();
    fs::remove_file(folder.path("site/dist/a")).unwrap();
    folder.put("site/dist/b", "x");
    assert_eq!(counts(folder.publish("a=1 b=2").unwrap()), [2, 2, 0, 0]);
    assert_eq!(folder.line("site/dist"), "a=1 b=2");
}

#[test]
fn a_file_may_become_a_folder_and_a_folder_a_file() {
    let folder = Folder::new();
    folder.publish("a=1 b/x=2").unwrap();
    folder.publish("a/x=1 b=2").unwrap();
    assert_eq!(folder.line("site/dist"), "a/ a/x=1 b=2");
}

#[test]
fn a_source_file_is_copied_and_never_linked() {
    let folder = Folder::new();
    let logo = folder.path("site/static/logo.svg");
    fs::set_permissions(&logo, Permissions::from_mode(0o600)).unwrap();
    let publish = || {
        let paths = ["logo.svg".to_string()];
        counts(
            folder.write_to(&folder.path("site/dist"), &paths, |_| Ok(Content::File(logo.clone()))).unwrap(),
        )
    };
    assert_eq!(publish(), [1, 1, 0, 0]);
    let published = fs::metadata(folder.path("site/dist/logo.svg")).unwrap();
    assert_eq!(published.nlink(), 1);
    assert_ne!(published.ino(), folder.inode("site/static/logo.svg"));
    assert_ne!(published.mode() & 0o044, 0, "a published file can be read by a server");

    assert_eq!(publish(), [1, 0, 1, 0]);
    // With the same length as before, so that the bytes decide.
    folder.put("site/static/logo.svg", "<SVG/>");
    assert_eq!(folder.text("site/dist/logo.svg"), "<svg/>");
    assert_eq!(publish(), [1, 1, 0, 0]);
    assert_eq!(folder.text("site/dist/logo.svg"), "<SVG/>");
}

#[test]
fn a_large_source_is_compared_to_its_last_byte() {
    let folder = Folder::new();
    let publish = |last: &str| {
        folder.put("site/static/large", &("x".repeat(300_000) + last));
        let render = |_| Ok(Content::File(folder.path("site/static/large")));
        folder.write_to(&folder.path("site/dist"), &["large".to_string()], render).unwrap().written
    };
    assert_eq!([publish("a"), publish("a"), publish("b")], [1, 0, 1]);
}

#[test]
fn files_that_come_and_go_in_one_folder_change_that_folder_alone() {
    let folder = Folder::new();
    folder.publish("a/x=1 a/y=2 b/z=3 c=4").unwrap();
    folder.put("site/dist/a/notes.txt", "mine");
    let inodes = || ["site/dist", "site/dist/a", "site/dist/b"].map(|path| folder.inode(path));
    let before = inodes();
    let published = folder.publish("a/x=1 a/new=5 b/z=3 c=4").unwrap();
    assert_eq!(counts(published), [4, 1, 3, 1]);
    assert_eq!(folder.line("site/dist"), "a/ a/new=5 a/notes.txt=mine a/x=1 b/ b/z=3 c=4");
    let after = inodes();
    assert!(after[0] == before[0] && after[1] != before[1] && after[2] == before[2]);
    assert_eq!(folder.manifest(), ["a/new", "a/x", "b/z", "c"]);
    check_no_litter(&folder);
    // A folder that becomes empty, and a new one.
    folder.publish("b/z=3 c=4 d/e=6").unwrap();
    assert_eq!(folder.line("site/dist"), "a/ a/notes.txt=mine b/ b/z=3 c=4 d/ d/e=6");
    folder.publish("a/x=1 b/y/z=3 b/z=3").unwrap();
    folder.publish("a/x=1 b/y=3 b/z=3").unwrap();
    assert_eq!(folder.line("site/dist"), "a/ a/notes.txt=mine a/x=1 b/ b/y=3 b/z=3");
    assert_eq!(folder.manifest(), ["a/x", "b/y", "b/z"]);
}

/// While a folder is exchanged, the manifest lists the old and the new files.
#[test]
fn a_manifest_that_names_too_much_does_no_harm() {
    for is_exchanged in [false, true] {
        let folder = Folder::new();
        folder.publish(if is_exchanged { "a/x=1 a/new=5 b=3" } else { "a/x=1 a/y=2 b=3" }).unwrap();
        let both = "{\"version\":1,\"files\":[\"a/new\",\"a/x\",\"a/y\",\"b\"]}";
        folder.put("site/dist/.stepkin-manifest.json", both);
        folder.publish("a/x=1 a/new=5 b=3").unwrap();
        assert_eq!(folder.line("site/dist"), "a/ a/new=5 a/x=1 b=3");
        assert_eq!(folder.manifest(), ["a/new", "a/x", "b"]);
        check_no_litter(&folder);
    }
}

/// Returns the manifest's line for a path.
fn line_of(folder: &Folder, path: &str) -> serde_json::Value {
    let text = folder.text("site/dist/.stepkin-manifest.json");
    let line = text.lines().find(|line| line.contains(&format!("\"{path}\""))).unwrap_or_default();
    serde_json::from_str(line.trim_end_matches(',')).unwrap_or_default()
}

#[test]
fn the_manifest_has_the_hash_of_each_file() {
    let folder = Folder::new();
    folder.publish("a/x.html=1 a/y.png=22 b=3").unwrap();
    folder.publish("a/x.html=1 a/y.png=44 b=3").unwrap();
    folder.publish("a/x.html=1 a/y.png=44 a/z.json=55 b=3").unwrap();
    for (path, held, media_type) in [
        ("a/x.html", "1", "text/html; charset=utf-8"),
        ("a/y.png", "44", "image/png"),
        ("a/z.json", "55", "application/json; charset=utf-8"),
        ("b", "3", "application/octet-stream"),
    ] {
        let hash = blake3::hash(held.as_bytes()).to_string();
        let expected = serde_json::json!({
            "path": path, "size": held.len(), "hash": hash, "type": media_type, "class": "asset"
        });
        assert_eq!(line_of(&folder, path), expected);
    }
}

/// An existing output, and one whose manifest was edited.
#[test]
fn a_manifest_that_says_too_little_is_written_again_alone() {
    let folder = Folder::new();
    folder.publish("a=1 b/c=2").unwrap();
    let whole = folder.text("site/dist/.stepkin-manifest.json");
    let (a, c) = (folder.inode("site/dist/a"), folder.inode("site/dist/b/c"));
    let wrong = whole.replacen("\"hash\":\"", "\"hash\":\"0", 1);
    for other in ["{\"version\": 1, \"files\": [\"a\", \"b/c\"]}", &wrong] {
        folder.put("site/dist/.stepkin-manifest.json", other);
        assert_eq!(counts(folder.publish("a=1 b/c=2").unwrap()), [2, 0, 2, 0]);
        assert_eq!(folder.text("site/dist/.stepkin-manifest.json"), whole);
        assert_eq!((folder.inode("site/dist/a"), folder.inode("site/dist/b/c")), (a, c));
        check_no_litter(&folder);
    }
}

// Files of others

#[test]
fn files_of_others_are_taken_along() {
    let folder = Folder::new();
    folder.publish("a/index.html=A b/index.html=B").unwrap();
    folder.put("site/dist/CNAME", "example.com");
    folder.put("site/dist/.git/objects/01/23", "blob");
    folder.put("site/dist/a/notes.txt", "mine");
    folder.put("site/dist/b/notes.txt", "mine");
    fs::create_dir(folder.path("site/dist/empty")).unwrap();
    fs::set_permissions(folder.path("site/dist/empty"), Permissions::from_mode(0o555)).unwrap();
    fs::set_permissions(folder.path("site/dist/.git/objects/01"), Permissions::from_mode(0o555)).unwrap();
    symlink("nowhere", folder.path("site/dist/link")).unwrap();
    let cname = folder.inode("site/dist/CNAME");

    folder.publish("a/index.html=CHANGED").unwrap();
    assert_eq!(
        folder.line("site/dist"),
        ".git/ .git/objects/ .git/objects/01/ .git/objects/01/23=blob CNAME=example.com \
         a/ a/index.html=CHANGED a/notes.txt=mine b/ b/notes.txt=mine empty/ link=-> nowhere"
    );
    assert_eq!(folder.inode("site/dist/CNAME"), cname);
    assert_eq!(fs::metadata(folder.path("site/dist/empty")).unwrap().mode() & 0o777, 0o555);
    check_no_litter(&folder);
    fs::set_permissions(folder.path("site/dist/.git/objects/01"), Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_file_of_somebody_else_is_never_replaced() {
    let folder = Folder::new();
    let output = folder.path("site/dist");
    folder.publish("a/index.html=A").unwrap();
    folder.put("site/dist/CNAME", "example.com");
    folder.put("site/dist/folder/x", "mine");
    folder.put("site/dist/a/notes.txt", "mine");
    symlink(folder.path("site/static"), folder.path("site/dist/images")).unwrap();
    let help = "Stepkin didn't create the existing one; move it elsewhere, or choose another directory with --output";
    check_refused(&folder, &output, &["CNAME"], &["cannot replace `", "dist/CNAME`", help]);
    check_refused(&folder, &output, &["CNAME/index.html"], &["dist/CNAME`", help]);
    check_refused(&folder, &output, &["folder"], &["dist/folder`", help]);
    check_refused(&folder, &output, &["a"], &["dist/a/notes.txt`", help]);
    check_refused(&folder, &output, &["images/logo.svg"], &["dist/images`", help]);
}

#[test]
fn a_published_file_that_was_replaced_by_a_link_is_not_ours() {
    let folder = Folder::new();
    folder.publish("a=1").unwrap();
    fs::remove_file(folder.path("site/dist/a")).unwrap();
    symlink(folder.path("site/static/logo.svg"), folder.path("site/dist/a")).unwrap();
    check_refused(
        &folder,
        &folder.path("site/dist"),
        &["a"],
        &["dist/a`", "Stepkin didn't create the existing one"],
    );
    folder.publish("b=1").unwrap();
    assert!(folder.tree("site/dist").contains_key("a"));
    assert_eq!(folder.text("site/static/logo.svg"), "<svg/>");
}

#[test]
fn a_published_folder_that_was_replaced_is_not_ours() {
    let folder = Folder::new();
    let output = folder.path("site/dist");
    let said = ["dist/a`", "Stepkin didn't create the existing one"];
    folder.publish("a/b/c=1 a/d=1 e=1").unwrap();
    fs::remove_dir_all(output.join("a")).unwrap();
    folder.put("site/dist/a", "mine");
    check_refused(&folder, &output, &["a/b/c", "a/d", "e"], &said);
    fs::remove_file(output.join("a")).unwrap();
    folder.publish("a/b/c=1 a/d=1 e=1").unwrap();
    assert_eq!(folder.line("site/dist"), "a/ a/b/ a/b/c=1 a/d=1 e=1");
    fs::remove_dir_all(output.join("a")).unwrap();
    symlink(folder.path("site/static"), output.join("a")).unwrap();
    check_refused(&folder, &output, &["a/b/c", "a/d", "e"], &said);
}

#[test]
fn a_folder_that_is_not_ours_is_refused() {
    let folder = Folder::new();
    folder.put("site/dist/thesis.tex", "mine");
    let said = ["dist`: it contains files that Stepkin didn't create", "--output"];
    check_refused(&folder, &folder.path("site/dist"), &["a"], &said);
    assert!(publish::allowed(&folder.path("site/dist"), &folder.path("site"), &folder.sources()).is_err());
}

#[test]
fn a_manifest_that_cannot_be_trusted_deletes_nothing() {
    let folder = Folder::new();
    folder.publish("a=1").unwrap();
    for text in [
        "",
        "{\"version\": 1, \"files\": [\"a\"",
        "{\"version\": 2, \"files\": [\"a\"]}",
        "{\"version\": 1, \"files\": [\"../static/logo.svg\"]}",
        "{\"version\": 1, \"files\": [\"/etc/hosts\"]}",
        "{\"version\": 1, \"files\": [\"a\", \"b/../../static/logo.svg\"]}",
        "{\"version\": 1, \"files\": [\"a\", \".stepkin-manifest.json\"]}",
        "{\"version\": 1, \"files\": [\"a\"], \"more\": 1}",
        "{\"version\": 1, \"files\": [{\"path\": \"a\"}]}",
        "{\"version\": 3, \"files\": [{\"path\": \"a\"}]}",
        "{\"version\": 2, \"files\": [{\"path\": \"../static/logo.svg\"}]}",
        "{\"version\": 2, \"files\": [{\"path\": \"a\"}, {\"path\": \"a\"}]}",
        "{\"version\": 2, \"files\": [{\"path\": \"a\", \"class\": \"thing\"}]}",
    ] {
        folder.put(&format!("site/dist/{MANIFEST}"), text);
        let said = ["its manifest `.stepkin-manifest.json` is damaged", "delete this one"];
        check_refused(&folder, &folder.path("site/dist"), &["b"], &said);
    }
}

// Refused output folders

#[test]
fn an_output_near_sources_is_refused_however_it_is_spelled() {
    let folder = Folder::new();
    symlink(folder.path("site/content"), folder.path("content-link")).unwrap();
    symlink(folder.path("site"), folder.path("site-link")).unwrap();
    let cases = [
        ("", "it contains the site's sources"),
        ("site", "it contains the site's sources"),
        ("site/", "it contains the site's sources"),
        ("site-link", "it contains the site's sources"),
        ("site/new/..", "it contains the site's sources"),
        ("site/new/../../site", "it contains the site's sources"),
        ("site/content", "it contains sources"),
        ("site/content/", "it contains sources"),
        ("site/./content/dist", "which contains sources"),
        ("site/content/not/yet/there", "which contains sources"),
        ("site/new/../content/dist", "which contains sources"),
        ("site/static", "it contains sources"),
        ("site/templates", "it contains sources"),
        ("site/templates/dist", "which contains sources"),
        ("content-link", "it contains sources"),
        ("content-link/dist", "which contains sources"),
        ("content-link/../content/dist", "which contains sources"),
        ("site-link/content/dist", "which contains sources"),
    ];
    for (output, reason) in cases {
        check_refused(&folder, &folder.path(output), &["a"], &["cannot build into `", reason, "--output"]);
    }
    check_refused(
        &folder,
        Path::new("/"),
        &["a"],
        &["cannot build into `/`: it contains the site's sources"],
    );
}

#[test]
fn sources_outside_the_root_are_safe_too() {
    let folder = Folder::new();
    folder.put("shared/content/a.md", "source");
    symlink(folder.path("shared/content"), folder.path("linked")).unwrap();
    let refused = |output: &str| {
        let sources = [folder.path("linked")];
        publish::allowed(&folder.path(output), &folder.path("site"), &sources).unwrap_err().to_string()
    };
    assert!(refused("shared").contains("it contains sources; choose another directory"));
    assert!(refused("shared/content/dist").contains("which contains sources; choose another directory"));
}

/// Only the text shows how a relative path was interpreted. The working folder of a test is the package.
#[test]
fn a_relative_output_is_seen_from_the_working_folder() {
    let allowed = |output: &str, root: &str, source: &str| {
        let refused = publish::allowed(Path::new(output), Path::new(root), &[PathBuf::from(source)]);
        refused.err().map(|error| error.to_string())
    };
    let said =
        "cannot build into `src/../tests`: it contains sources; choose another directory with --output";
    assert_eq!(allowed("src/../tests", ".", "./tests").as_deref(), Some(said));
    assert!(allowed(".", ".", "tests").unwrap().contains("it contains the site's sources"));
    assert!(allowed("..", ".", "tests").unwrap().contains("it contains the site's sources"));
    assert_eq!(allowed("not-there", ".", "tests"), None);
}

#[test]
fn names_that_only_begin_alike_are_not_near() {
    let folder = Folder::new();
    let allowed =
        |output: &str| publish::allowed(&folder.path(output), &folder.path("site"), &folder.sources());
    allowed("site/content-dist").unwrap();
    allowed("site/dist/").unwrap();
    allowed("site-dist").unwrap();
    allowed("not/yet/there").unwrap();
}

#[test]
fn an_output_that_is_a_file_or_a_dangling_link_is_refused() {
    let folder = Folder::new();
    folder.put("file", "mine");
    symlink(folder.path("nothing"), folder.path("dangling")).unwrap();
    symlink(folder.path("file"), folder.path("link-to-file")).unwrap();
    check_refused(&folder, &folder.path("file"), &["a"], &["file`: it is a file; choose"]);
    check_refused(&folder, &folder.path("link-to-file"), &["a"], &["link-to-file`: it is a file; choose"]);
    check_refused(&folder, &folder.path("file/dist"), &["a"], &["cannot look at `", "file/dist`"]);
    check_refused(&folder, &folder.path("dangling"), &["a"], &["cannot follow the link `", "dangling`"]);
    check_refused(&folder, &folder.path("dangling/dist"), &["a"], &["cannot follow the link `", "dangling`"]);
}

#[test]
fn a_linked_output_is_written_to_the_target_of_the_link() {
    let folder = Folder::new();
    fs::create_dir_all(folder.path("www/real")).unwrap();
    symlink("../www/real", folder.path("site/dist")).unwrap();
    folder.publish("a=1").unwrap();
    folder.publish("a=2").unwrap();
    assert_eq!(folder.line("www"), "real/ real/a=2");
    assert!(folder.path("site/dist").is_symlink());
    check_no_litter(&folder);
}

#[test]
fn paths_that_cannot_be_written_are_refused() {
    let folder = Folder::new();
    for (paths, reason) in [
        (&["a", "a-b", "a/index.html"][..], "cannot write `a`: other files need a directory with this name"),
        (&["a", "a"], "cannot write `a`: two files have this path"),
        (&["b", "a"], "cannot write `a` after `b`: paths must be sorted"),
        (&["/etc/passwd"], "cannot write `/etc/passwd`: it is not a plain path"),
        (&["../x"], "not a plain path"),
        (&["a/../../x"], "not a plain path"),
        (&["a/./x"], "not a plain path"),
        (&["a//x"], "not a plain path"),
        (&["a/"], "not a plain path"),
        (&[""], "not a plain path"),
        (&["a\0b"], "not a plain path"),
        (&[MANIFEST], "not a plain path"),
        (&[".stepkin-manifest.json/x"], "not a plain path"),
    ] {
        check_refused(&folder, &folder.path("site/dist"), paths, &[reason]);
    }
}

// Runs that fail

#[test]
fn a_failed_rendering_publishes_nothing() {
    #[derive(Debug)]
    enum Failure {
        Template,
        Publish,
    }
    impl From<Error> for Failure {
        fn from(_: Error) -> Self {
            Self::Publish
        }
    }
    let folder = Folder::new();
    folder.publish("a=1 b=2").unwrap();
    let before = folder.tree("site/dist");
    let paths: Vec<String> = (0..50).map(|index| format!("{index:02}")).collect();
    let render = |index| if index == 30 { Err(Failure::Template) } else { Ok(bytes("new")) };
    let failed = publish::write(&folder.path("site/dist"), &folder.path("site"), &[], &paths, render);
    assert!(matches!(failed, Err(Failure::Template)));
    assert_eq!(folder.tree("site/dist"), before);
    check_no_litter(&folder);

    let refused = publish::write(&folder.path("site"), &folder.path("site"), &[], &paths, render);
    assert!(matches!(refused, Err(Failure::Publish)));
}

#[test]
fn a_panic_while_rendering_leaves_no_stage() {
    let folder = Folder::new();
    folder.publish("a=1").unwrap();
    let paths = ["a".to_string(), "b".to_string()];
    let render = |index| if index == 1 { panic!("a bug in a template filter") } else { Ok(bytes("new")) };
    let write = || folder.write_to(&folder.path("site/dist"), &paths, render);
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(write)).is_err());
    assert_eq!(folder.line("site/dist"), "a=1");
    check_no_litter(&folder);
}

#[test]
fn a_source_that_is_gone_is_named() {
    let folder = Folder::new();
    folder.publish("a=1").unwrap();
    let render = |_| Ok(Content::File(folder.path("site/static/gone.png")));
    let text = folder.write_to(&folder.path("site/dist"), &["a".into()], render).unwrap_err().to_string();
    assert!(text.starts_with("cannot read `") && text.contains("static/gone.png`"), "{text}");
    assert_eq!(folder.line("site/dist"), "a=1");
    check_no_litter(&folder);
}

/// A privileged user may write everywhere, so this tests nothing in that case.
#[test]
fn a_parent_that_is_closed_for_writing_leaves_the_old_site() {
    let folder = Folder::new();
    folder.publish("a=1").unwrap();
    fs::set_permissions(folder.path("site"), Permissions::from_mode(0o555)).unwrap();
    if fs::create_dir(folder.path("site/probe")).is_err() {
        let text = folder.publish("a=2").unwrap_err().to_string();
        assert!(text.starts_with("cannot create `") && text.contains(".dist.stepkin-stage`"), "{text}");
        assert_eq!(folder.line("site/dist"), "a=1");
        assert_eq!(counts(folder.publish("a=1").unwrap()), [1, 0, 1, 0]);
    }
    fs::set_permissions(folder.path("site"), Permissions::from_mode(0o755)).unwrap();
}

// Other runs, living and dead

#[test]
fn a_stage_left_by_a_killed_run_is_removed() {
    let folder = Folder::new();
    folder.publish("a=1").unwrap();
    fs::create_dir(folder.path("site/.dist.stepkin-stage")).unwrap();
    folder.publish("a=1").unwrap();
    check_no_litter(&folder);

    folder.put(&format!("site/.dist.stepkin-stage/{MANIFEST}"), "{\"vers");
    folder.put("site/.dist.stepkin-stage/b/c", "half");
    folder.publish("a=1").unwrap();
    assert_eq!(folder.line("site/dist"), "a=1");
    check_no_litter(&folder);
}

#[test]
fn a_folder_with_the_name_of_our_stage_is_not_deleted() {
    for name in [".dist.stepkin-stage", ".dist.stepkin-kept"] {
        let folder = Folder::new();
        folder.publish("a=1").unwrap();
        folder.put(&format!("site/{name}/thesis.tex"), "mine");
        let said = [name, "Stepkin didn't create it; move it elsewhere"];
        check_refused(&folder, &folder.path("site/dist"), &["a"], &said);
    }
}

#[test]
fn a_second_run_waits_for_the_first() {
    let folder = Folder::new();
    let output = folder.path("site/dist");
    let paths = ["a".to_string()];
    let first_has_ended = AtomicBool::new(false);
    let (started, starts) = mpsc::channel();
    thread::scope(|scope| {
        scope.spawn(|| {
            let render = |_| {
                started.send(()).unwrap();
                thread::sleep(Duration::from_millis(200));
                first_has_ended.store(true, Ordering::SeqCst);
                Ok(bytes("same"))
            };
            folder.write_to(&output, &paths, render).unwrap();
        });
        starts.recv().unwrap();
        let render = |_| {
            assert!(first_has_ended.load(Ordering::SeqCst));
            Ok(bytes("same"))
        };
        assert_eq!(counts(folder.write_to(&output, &paths, render).unwrap()), [1, 0, 1, 0]);
    });
    check_no_litter(&folder);
}

#[test]
fn a_reader_always_finds_a_site() {
    let folder = Folder::new();
    folder.publish("a=1").unwrap();
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let reader = scope.spawn(|| {
            while !done.load(Ordering::SeqCst) {
                let text = folder.text("site/dist/a");
                assert!(["1", "2"].contains(&text.as_str()), "{text:?}");
            }
        });
        for round in 0..100 {
            folder.publish(if round % 2 == 0 { "a=2" } else { "a=1" }).unwrap();
        }
        done.store(true, Ordering::SeqCst);
        reader.join().unwrap();
    });
}

/// Publishes one of two sites with 300 files, which share every third file.
fn publish_site(folder: &Path, name: &str) -> Result<Published> {
    let paths: Vec<String> = (0..300).map(|index| format!("{:02}/{index:03}.html", index % 20)).collect();
    let mut paths: Vec<String> = paths.into_iter().chain([format!("only-{name}")]).collect();
    paths.sort();
    let render = |index: usize| Ok(bytes(if index.is_multiple_of(3) { "both" } else { name }));
    publish::write(&folder.join("dist"), folder, &[], &paths, render)
}

/// Not a test by itself: the process that the next test kills.
#[test]
fn publishes_until_killed() {
    if let Some(folder) = env::var_os("STEPKIN_TEST_PUBLISH") {
        for name in ["one", "two"].iter().cycle() {
            publish_site(Path::new(&folder), name).unwrap();
        }
    }
}

#[test]
fn a_kill_at_any_moment_leaves_the_old_or_the_new_site() {
    let folder = Folder(tempfile::tempdir().unwrap());
    let sites = ["one", "two"].map(|name| {
        publish_site(folder.0.path(), name).unwrap();
        folder.tree("dist")
    });
    let mut seen = BTreeSet::new();
    for round in 0..60 {
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "publish::publishes_until_killed"])
            .env("STEPKIN_TEST_PUBLISH", folder.0.path())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // Distributed over a few publications, out of step with them.
        thread::sleep(Duration::from_micros(20_000 + round * 7_919 % 60_000));
        child.kill().unwrap();
        child.wait().unwrap();

        let found = folder.tree("dist");
        assert!(sites.contains(&found), "round {round}: {} files, neither old nor new", found.len());
        let litter = fs::read_dir(folder.0.path()).unwrap().count() > 1;
        seen.insert((found == sites[0], litter));

        publish_site(folder.0.path(), "two").unwrap();
        assert_eq!(folder.tree("dist"), sites[1]);
        let names: Vec<_> =
            fs::read_dir(folder.0.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["dist"], "round {round}");
    }
    assert!(seen.iter().any(|(_, litter)| *litter), "no kill came while a stage was there: {seen:?}");
}

// Laws

/// Paths that can coexist, in a few common folders, each with one of three texts.
fn sites() -> impl Strategy<Value = BTreeMap<String, u8>> {
    let path =
        prop::sample::select(vec!["a", "a/b", "a/b/c", "a/d", "a-b", "b/index.html", "c/d/e", "f", "é/ü"]);
    prop::collection::btree_map(path.prop_map(str::to_string), 0..3u8, 0..8).prop_map(|mut files| {
        let names: Vec<String> = files.keys().cloned().collect();
        files.retain(|path, _| !names.iter().any(|name| name.starts_with(&format!("{path}/"))));
        files
    })
}

fn foreign_files() -> impl Strategy<Value = BTreeSet<&'static str>> {
    let path = prop::sample::select(vec!["CNAME", ".git/config", ".git/objects/x", "notes/c.txt"]);
    prop::collection::btree_set(path, 0..3)
}

/// Returns the expected content of the output: these files, and the folders that they need.
fn expected_tree(site: &BTreeMap<String, u8>, foreign: &BTreeSet<&str>) -> BTreeMap<String, String> {
    let files = site.iter().map(|(path, text)| (path.clone(), text.to_string()));
    let foreign = foreign.iter().map(|path| ((*path).to_string(), "foreign".to_string()));
    let mut tree: BTreeMap<String, String> = files.chain(foreign).collect();
    for path in tree.keys().cloned().collect::<Vec<_>>() {
        let folders = path.match_indices('/').map(|(end, _)| (path[..=end].to_string(), String::new()));
        tree.extend(folders);
    }
    tree
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_output_is_the_site_and_what_others_put_there(
        runs in prop::collection::vec((sites(), foreign_files()), 1..5)
    ) {
        let folder = Folder::new();
        let mut foreign = BTreeSet::new();
        let mut before: BTreeMap<String, (u8, u64)> = BTreeMap::new();
        for (site, arrivals) in runs {
            let paths: Vec<String> = site.keys().cloned().collect();
            let texts: Vec<String> = site.values().map(ToString::to_string).collect();
            let write = || folder.write_to(&folder.path("site/dist"), &paths, |i| Ok(bytes(&texts[i]))).unwrap();

            let published = write();
            prop_assert_eq!(folder.tree("site/dist"), expected_tree(&site, &foreign));
            let unchanged: Vec<_> =
                site.iter().filter(|(path, text)| before.get(*path).is_some_and(|(old, _)| old == *text)).collect();
            let removed = before.keys().filter(|path| !site.contains_key(*path)).count();
            let written = site.len() - unchanged.len();
            prop_assert_eq!(counts(published), [site.len(), written, unchanged.len(), removed]);
            for (path, _) in unchanged {
                prop_assert_eq!(folder.inode(&format!("site/dist/{path}")), before[path].1);
            }

            let state = folder.state();
            prop_assert_eq!(counts(write()), [site.len(), 0, site.len(), 0]);
            prop_assert_eq!(folder.state(), state);

            before = site.into_iter().map(|(path, text)| {
                let inode = folder.inode(&format!("site/dist/{path}"));
                (path, (text, inode))
            }).collect();
            for path in arrivals {
                folder.put(&format!("site/dist/{path}"), "foreign");
                foreign.insert(path);
            }
        }
        check_no_litter(&folder);
    }
}

/// A site in a mount point, in its own namespaces. If the system doesn't allow them, this tests nothing.
#[test]
#[cfg(target_os = "linux")]
fn a_mount_point_is_published_into() {
    for mount in ["mount -t tmpfs none dist", "mount --bind elsewhere dist"] {
        let site = SiteTest::fixture("three-steps");
        for folder in ["dist", "elsewhere"] {
            fs::create_dir(site.path(folder)).unwrap();
        }
        let program = env!("CARGO_BIN_EXE_stepkin");
        let story = format!(
            "set -e; {mount} || exit 77
            echo example.com > dist/CNAME
            ! {program} build --no-cache; rm dist/CNAME
            {program} build --no-cache; echo example.com > dist/CNAME
            echo '---\ntitle: New\n---' > content/new.md; rm content/garden/web/sow.md
            {program} build --no-cache; {program} build --no-cache; {program} build
            cp -a dist taken; {program} build --no-cache --output clean; ls -A . > names"
        );
        let unshared =
            site_command("unshare", &site).args(["--mount", "--map-root-user", "sh", "-c", &story]).output();
        let Ok(output) = unshared else { return };
        if output.status.code() == Some(77) || !site.path("names").exists() && is_refused(&output.stderr) {
            return;
        }
        assert!(output.status.success(), "{mount}: {}", String::from_utf8_lossy(&output.stderr));
        let mut taken = tree(&site.path("taken"));
        assert_eq!(taken.remove("CNAME").as_deref(), Some(&b"example.com\n"[..]));
        check_same_tree(&taken, &tree(&site.path("clean")), mount);
        assert!(!site.text("names").contains(".dist."), "nothing is left beside it");
    }
}

fn site_command(program: &str, site: &SiteTest) -> Command {
    let mut command = Command::new(program);
    command.current_dir(site.root());
    command
}

/// Whether the system doesn't allow namespaces.
fn is_refused(said: &[u8]) -> bool {
    String::from_utf8_lossy(said).contains("unshare")
}
