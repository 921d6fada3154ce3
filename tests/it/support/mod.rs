//! Runs the real program: a site in its own folder, commands, and their results.
//!
//! ```ignore
//! SiteTest::fixture("three-steps").build().page("/tour/web/install/").shows("Install");
//! ```

pub(crate) mod cases;
pub(crate) mod pairs;
pub(crate) mod schema;
pub(crate) mod server;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use stepkin::base::diagnostic::Reported;
use stepkin::input::source::Sources;
use stepkin::output::pipeline;
use stepkin::output::render::Rendering;
use stepkin::{Cache, Options};
use tempfile::TempDir;
use walkdir::WalkDir;

/// A planned site, and everything that is wrong with it.
pub(crate) fn checked(
    sources: Sources,
    options: &Options,
    cache: &Cache,
) -> stepkin::base::error::Result<Reported<Rendering>> {
    let (work, found) = pipeline::plan(sources, options, cache)?;
    let report = pipeline::check(&work, options, cache, found, None)?;
    Ok((work, report))
}

/// The names of all fixture sites, sorted.
pub(crate) fn fixtures() -> Vec<String> {
    let folders = fs::read_dir(fixture_path("")).expect("the fixtures");
    let mut names: Vec<String> = folders
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a plain name"))
        .collect();
    names.sort();
    names
}

fn fixture_path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

/// Returns the program in an environment without settings for it.
pub(crate) fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stepkin"));
    ask_for_nothing(&mut command);
    command
}

/// Removes environment variables that affect the program, such as `CI`.
pub(crate) fn ask_for_nothing(command: &mut Command) {
    for name in [
        "CI",
        "CLICOLOR_FORCE",
        "FORCE_COLOR",
        "GITHUB_ACTIONS",
        "GITHUB_STEP_SUMMARY",
        "GITHUB_WORKSPACE",
        "NO_COLOR",
        "STEPKIN_CACHE_DIR",
    ] {
        command.env_remove(name);
    }
}

/// A site in a temporary folder. Its output is `dist` in the site's root.
#[derive(Debug)]
pub(crate) struct SiteTest {
    folder: TempDir,
}

impl SiteTest {
    /// Copies `tests/fixtures/<name>`.
    #[track_caller]
    pub(crate) fn fixture(name: &str) -> Self {
        let site = Self::rootless();
        copy(&fixture_path(name), &site.root());
        site
    }

    /// Returns a site with an empty `content` folder.
    #[track_caller]
    pub(crate) fn empty() -> Self {
        let site = Self { folder: tempfile::tempdir().expect("a temporary folder") };
        fs::create_dir_all(site.path("content")).expect("a folder of our own");
        site
    }

    /// Returns an empty folder.
    #[track_caller]
    pub(crate) fn rootless() -> Self {
        let site = Self { folder: tempfile::tempdir().expect("a temporary folder") };
        fs::create_dir_all(site.root()).expect("a folder of our own");
        site
    }

    /// Copies these files like [`Self::copy_of`], without creating a `content` folder.
    #[track_caller]
    pub(crate) fn fresh_copy(&self, names: &[&str]) -> Self {
        let site = Self::rootless();
        for name in names {
            site.take(self, name);
        }
        site
    }

    /// Copies only these files and folders to another path. The copies have the current time.
    #[track_caller]
    pub(crate) fn copy_of(&self, names: &[&str]) -> Self {
        let site = Self::empty();
        for name in names {
            site.take(self, name);
        }
        site
    }

    /// Copies a folder of another site, if it exists.
    #[track_caller]
    pub(crate) fn take(&self, other: &Self, folder: &str) {
        if other.path(folder).exists() {
            copy(&other.path(folder), &self.path(folder));
        }
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("site")
    }

    /// Returns a path in the site's root.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    /// Returns the names next to the output, so that a test sees leftover files.
    pub(crate) fn names_in_root(&self) -> Vec<String> {
        let entries = fs::read_dir(self.root()).expect("the site");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// Writes a file of the site.
    #[track_caller]
    pub(crate) fn edit(self, path: &str, text: impl AsRef<[u8]>) -> Self {
        self.write(path, text);
        self
    }

    #[track_caller]
    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder of our own");
        fs::write(path, text).expect("a file of our own");
    }

    /// Replaces `old`, which must occur, in a file of the site.
    #[track_caller]
    pub(crate) fn replace(self, path: &str, old: &str, new: &str) -> Self {
        let text = self.text(path);
        assert!(text.contains(old), "`{path}` doesn't hold `{old}`:\n{text}");
        self.edit(path, text.replace(old, new))
    }

    #[track_caller]
    pub(crate) fn remove(self, path: &str) -> Self {
        self.delete(path);
        self
    }

    /// Deletes a file of the site.
    #[track_caller]
    pub(crate) fn delete(&self, path: &str) {
        fs::remove_file(self.path(path)).expect("a file of the site");
    }

    /// Renames a file or folder of the site.
    #[track_caller]
    pub(crate) fn rename(&self, old: &str, new: &str) {
        fs::rename(self.path(old), self.path(new)).expect("a file or folder of the site");
    }

    #[track_caller]
    pub(crate) fn text(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("cannot read `{path}`: {error}"))
    }

    /// Returns a command of the program in the site's root, which the caller can change and run.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program();
        command.current_dir(self.root()).args(arguments);
        command
    }

    #[track_caller]
    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        Run::of(&mut self.command(arguments))
    }

    /// Returns what git prints in the site's root.
    #[track_caller]
    pub(crate) fn run_git(&self, arguments: &[&str]) -> String {
        let mut git = Command::new("git");
        Run::of(git.current_dir(self.root()).args(arguments)).exits(0).stdout
    }

    /// Runs in a folder of the root.
    #[track_caller]
    pub(crate) fn run_in(&self, folder: &str, arguments: &[&str]) -> Run {
        Run::of(self.command(arguments).current_dir(self.path(folder)))
    }

    /// Writes an executable file.
    pub(crate) fn write_program(&self, path: &str, text: &str) {
        self.write(path, text);
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(self.path(path), mode).expect("our own file");
    }

    /// Returns how often the programs ran that add a line to `.stepkin/runs`.
    pub(crate) fn recorded_runs(&self) -> usize {
        self.text(".stepkin/runs").matches('\n').count()
    }

    /// Runs git with a fixed user, in the evening of a day or at a time: `2026-03-08T10:00:00`.
    #[track_caller]
    pub(crate) fn git(&self, day: &str, arguments: &[&str]) {
        let who = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"];
        let time = if day.contains('T') { format!("{day}-0800") } else { format!("{day}T23:30:00-0800") };
        let mut git = Command::new("git");
        git.current_dir(self.root()).args(who).args(arguments);
        git.env("GIT_AUTHOR_DATE", &time).env("GIT_COMMITTER_DATE", &time);
        let run = Run::of(&mut git);
        assert_eq!(run.status, Some(0), "{}", run.stderr);
    }

    /// Commits all changes, and returns the ID of the commit.
    #[track_caller]
    pub(crate) fn commit(&self, day: &str) -> String {
        self.git(day, &["add", "--all", "."]);
        self.git(day, &["commit", "--quiet", "--allow-empty", "-m", day]);
        self.run_git(&["rev-parse", "HEAD"]).trim().to_string()
    }

    /// Builds the site. The build must succeed.
    #[track_caller]
    pub(crate) fn build(self) -> Self {
        self.run(&["build"]).exits(0);
        self
    }

    /// Returns every finding of `check` from its JSON.
    #[track_caller]
    pub(crate) fn findings(&self) -> Vec<Finding> {
        self.findings_of(&["check", "--format", "json"])
    }

    /// Returns every finding of `check --drift`.
    #[track_caller]
    pub(crate) fn drift(&self) -> Vec<Finding> {
        self.findings_of(&["check", "--drift", "--format", "json"])
    }

    #[track_caller]
    fn findings_of(&self, arguments: &[&str]) -> Vec<Finding> {
        let run = self.run(arguments);
        assert!(matches!(run.status, Some(0 | 1)), "`check` failed:\n{}", run.stderr);
        run.stdout.lines().map(Finding::read).collect()
    }

    /// Returns a page of the output by its address.
    #[track_caller]
    pub(crate) fn page(&self, address: &str) -> Shown {
        let path = format!("dist{address}index.html");
        Shown { html: self.text(&path), name: path }
    }

    /// Returns every file of the output with its content.
    pub(crate) fn output(&self) -> Tree {
        tree(&self.path("dist"))
    }
}

/// Pseudorandom numbers that are the same in every run: xorshift64*, Vigna 2016.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let number = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(number).expect("31 bits") % limit
    }

    pub(crate) fn pick<'a, T>(&mut self, values: &'a [T]) -> &'a T {
        &values[self.below(values.len())]
    }
}

/// Files by their path relative to a folder.
pub(crate) type Tree = BTreeMap<String, Vec<u8>>;

/// Returns every file in a folder, or nothing if the folder doesn't exist.
pub(crate) fn tree(folder: &Path) -> Tree {
    let entries = WalkDir::new(folder).into_iter().filter_map(Result::ok);
    let files = entries.filter(|entry| entry.file_type().is_file()).map(|entry| {
        let name = entry.path().strip_prefix(folder).expect("it is below").to_string_lossy().into_owned();
        (name, fs::read(entry.path()).expect("a file of our own"))
    });
    files.collect()
}

/// Fails with the names of the first differing files and their first differing line.
#[track_caller]
pub(crate) fn check_same_tree(found: &Tree, expected: &Tree, context: &str) {
    let names: std::collections::BTreeSet<&String> = found.keys().chain(expected.keys()).collect();
    let differences: Vec<String> = names
        .into_iter()
        .filter_map(|name| match (found.get(name), expected.get(name)) {
            (Some(found), Some(expected)) if found == expected => None,
            (Some(found), Some(expected)) => Some(format!("{name}: {}", first_difference(found, expected))),
            (Some(_), None) => Some(format!("{name}: should not be there")),
            (None, _) => Some(format!("{name}: is missing")),
        })
        .collect();
    assert!(
        differences.is_empty(),
        "{context}: {} files differ\n{}",
        differences.len(),
        differences.join("\n")
    );
}

fn first_difference(found: &[u8], expected: &[u8]) -> String {
    let (found, expected) = (String::from_utf8_lossy(found), String::from_utf8_lossy(expected));
    let pair = found.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
    pair.map_or_else(
        || format!("{} bytes instead of {}", found.len(), expected.len()),
        |(found, expected)| format!("\n    found    {found}\n    expected {expected}"),
    )
}

fn copy(from: &Path, to: &Path) {
    for entry in WalkDir::new(from) {
        let entry = entry.unwrap_or_else(|error| panic!("a fixture: {error}"));
        let below = entry.path().strip_prefix(from).expect("it is below");
        // Joining a path with an empty one adds a slash.
        let target = if below == Path::new("") { to.to_path_buf() } else { to.join(below) };
        if entry.file_type().is_dir() {
            fs::create_dir_all(target).expect("a folder of our own");
        } else if entry.path_is_symlink() {
            let to = fs::read_link(entry.path()).expect("a fixture");
            std::os::unix::fs::symlink(to, target).expect("a link of our own");
        } else {
            fs::copy(entry.path(), target).expect("a file of our own");
        }
    }
}

#[track_caller]
pub(crate) fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

/// The result of a command.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    #[track_caller]
    pub(crate) fn of(command: &mut Command) -> Self {
        let Output { status, stdout, stderr } = command.output().expect("the program starts");
        let text = |bytes| String::from_utf8(bytes).expect("reports are UTF-8");
        Self { status: status.code(), stdout: text(stdout), stderr: text(stderr) }
    }

    #[track_caller]
    pub(crate) fn exits(self, status: i32) -> Self {
        assert_eq!(self.status, Some(status), "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// Returns the JSON lines of standard output.
    #[track_caller]
    pub(crate) fn json(&self) -> Vec<Value> {
        self.stdout.lines().map(json).collect()
    }

    /// Checks standard output.
    #[track_caller]
    pub(crate) fn reports(self, text: &str) -> Self {
        assert!(self.stdout.contains(text), "no `{text}` in\n{}", self.stdout);
        self
    }

    /// Checks standard error.
    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Self {
        assert!(self.stderr.contains(text), "no `{text}` in\n{}", self.stderr);
        self
    }
}

/// A line of `check --format json`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    pub(crate) file: String,
    /// Counted from 1.
    pub(crate) line: usize,
    pub(crate) code: String,
    pub(crate) target: Option<String>,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

impl Finding {
    fn read(line: &str) -> Self {
        let value = json(line);
        let text = |key: &str| value[key].as_str().map(str::to_string);
        Self {
            file: text("file").expect("a file"),
            line: value["line"].as_u64().and_then(|line| line.try_into().ok()).expect("a line"),
            code: text("code").expect("a code"),
            target: text("target"),
            message: text("message").expect("a message"),
            help: text("help"),
        }
    }
}

/// A published page.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) html: String,
    name: String,
}

impl Shown {
    #[track_caller]
    pub(crate) fn shows(self, text: &str) -> Self {
        assert!(self.html.contains(text), "`{}` doesn't show `{text}`:\n{}", self.name, self.html);
        self
    }

    #[track_caller]
    pub(crate) fn lacks(self, text: &str) -> Self {
        assert!(!self.html.contains(text), "`{}` shows `{text}`:\n{}", self.name, self.html);
        self
    }

    #[track_caller]
    pub(crate) fn shows_once(self, text: &str) -> Self {
        assert_eq!(self.html.matches(text).count(), 1, "`{text}` in `{}`:\n{}", self.name, self.html);
        self
    }
}
