//! Files for CI servers: the GitHub action, the GitLab template, the Jenkins pipeline and the pre-commit hooks. Their
//! scripts run unchanged in a fresh clone.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::support::{Run, SiteTest, ask_for_nothing};

const ACTION: &str = include_str!("../../action.yml");
const GITLAB: &str = include_str!("../../ci/gitlab.yml");
const JENKINS: &str = include_str!("../../ci/Jenkinsfile");

/// Returns the lines under `key` with more indentation, without that indentation.
fn below<'a>(text: &'a str, key: &str) -> Vec<&'a str> {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let mut lines = text.lines().skip_while(|line| line.trim_end() != key);
    let Some(first) = lines.next() else { return vec![] };
    let lines: Vec<&str> =
        lines.take_while(|line| line.trim().is_empty() || depth(line) > depth(first)).collect();
    let inner = lines.iter().filter(|line| !line.trim().is_empty()).map(|line| depth(line)).min();
    lines.into_iter().map(|line| line.get(inner.unwrap_or(0)..).unwrap_or("")).collect()
}

/// Returns the text in a line `key: text`.
fn value<'a>(lines: &[&'a str], key: &str) -> Option<&'a str> {
    let text =
        lines.iter().find_map(|line| line.trim_start_matches("- ").strip_prefix(key)?.strip_prefix(": "))?;
    Some(text.trim_matches('"'))
}

/// A pull request that changes one platform and breaks a link, as its server checks it out: one commit, with the site
/// in `docs/`.
struct Checkout {
    folder: tempfile::TempDir,
    base: String,
}

impl Checkout {
    fn new() -> Self {
        let page = |sentence: &str| {
            format!(
                "---\ntitle: Install\norder: 1\n---\n\nOpen the window.\n\n{sentence}\n\nClose it again.\n"
            )
        };
        let before = page("The dashboard lists all of your keys by their names.");
        let origin = SiteTest::rootless();
        for platform in ["web", "ios"] {
            origin.write(&format!("docs/content/tour/{platform}/install.md"), &before);
        }
        origin.write("docs/content/index.md", "---\ntitle: Home\n---\n");
        origin.git("2027-01-01", &["init", "-q"]);
        origin.git("2027-01-01", &["config", "uploadpack.allowAnySHA1InWant", "true"]);
        origin.git("2027-01-01", &["add", "."]);
        origin.git("2027-01-01", &["commit", "-qm", "A tour"]);
        let base = fs::read_to_string(origin.path(".git/refs/heads/master"))
            .or_else(|_| fs::read_to_string(origin.path(".git/refs/heads/main")))
            .expect("the commit");
        let after = page("The dashboard lists all of your tokens by their dates. [More](/gone/)");
        origin.write("docs/content/tour/web/install.md", after);
        origin.git("2027-01-02", &["commit", "-qam", "Tokens"]);
        let folder = tempfile::tempdir().expect("a temporary folder");
        let url = format!("file://{}", origin.root().display());
        let clone = folder.path().join("clone");
        origin
            .git("2027-01-02", &["clone", "-q", "--depth", "1", &url, clone.to_str().expect("a plain name")]);
        // The clone fetches from it later.
        fs::rename(origin.root(), folder.path().join("origin")).expect("the same file system");
        let checkout = Self { folder, base: base.trim().to_string() };
        let origin = format!("file://{}", checkout.folder.path().join("origin").display());
        let git = ["remote", "set-url", "origin", &origin];
        Run::of(Command::new("git").args(git).current_dir(checkout.path())).exits(0);
        checkout
    }

    /// Path of the clone.
    fn path(&self) -> PathBuf {
        self.folder.path().join("clone")
    }

    /// Path of a file next to it.
    fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.beside(name)).unwrap_or_default()
    }

    /// Runs a script in the clone as servers do: it ends at the first failing command.
    fn run(&self, script: &str, variables: &[(&str, &str)]) -> Run {
        let mut shell = Command::new("bash");
        shell.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script]).current_dir(self.path());
        ask_for_nothing(&mut shell);
        let program = Path::new(env!("CARGO_BIN_EXE_stepkin")).parent().expect("a folder");
        let path = std::env::var("PATH").unwrap_or_default();
        shell.env("CI", "true").env("PATH", format!("{}:{path}", program.display()));
        Run::of(shell.envs(variables.iter().copied()))
    }
}

/// A run of the action on a pull request.
struct ActionRun {
    checkout: Checkout,
    /// The values of `${{ … }}`.
    known: BTreeMap<String, String>,
    /// The steps that ran, by name.
    steps: BTreeMap<String, Run>,
}

impl ActionRun {
    #[track_caller]
    fn with(inputs: &[(&str, &str)]) -> Self {
        let checkout = Checkout::new();
        let mut known = BTreeMap::new();
        let declared = below(ACTION, "inputs:");
        let text = declared.join("\n");
        for key in declared.into_iter().filter(|line| !line.starts_with(' ') && !line.is_empty()) {
            let default = value(&below(&text, key), "default").expect("a default");
            known.insert(format!("inputs.{}", key.trim_end_matches(':')), default.to_string());
        }
        for (name, value) in inputs.iter().chain(&[("binary", env!("CARGO_BIN_EXE_stepkin"))]) {
            let before = known.insert(format!("inputs.{name}"), (*value).to_string());
            assert!(before.is_some(), "the action has no input `{name}`");
        }
        known.insert("github.action_path".into(), env!("CARGO_MANIFEST_DIR").into());
        known.insert("github.event.pull_request.base.sha".into(), checkout.base.clone());
        let mut run = Self { checkout, known, steps: BTreeMap::new() };
        let text = below(ACTION, "  steps:").join("\n");
        for step in text.split("\n- ").map(|step| step.trim_start_matches("- ").replace("\n  ", "\n")) {
            run.step(&step);
        }
        run
    }

    #[track_caller]
    fn step(&mut self, step: &str) {
        let lines: Vec<&str> = step.lines().collect();
        let script = below(step, "run: |").join("\n");
        let condition = value(&lines, "if").unwrap_or_default();
        let is_wanted = condition.split(['&', '}']).all(|part| {
            let wish = part.trim().strip_suffix(" == 'true'");
            wish.is_none_or(|input| self.known[input] == "true")
        });
        if script.is_empty() || !is_wanted {
            return;
        }
        let wanted = below(step, "env:");
        let wanted = wanted.iter().map(|line| {
            let (name, expression) = line.split_once(": ${{ ").expect("a variable");
            let expression = expression.trim_end_matches(" }}");
            (name, self.known.get(expression).unwrap_or_else(|| panic!("who knows `{expression}`?")).clone())
        });
        let mut variables: Vec<(&str, String)> = wanted.collect();
        let here = |name: &str| self.checkout.beside(name).display().to_string();
        variables.extend([
            ("GITHUB_ACTIONS", "true".to_string()),
            ("GITHUB_WORKSPACE", self.checkout.path().display().to_string()),
            ("RUNNER_TEMP", self.checkout.folder.path().display().to_string()),
            ("GITHUB_OUTPUT", here("output")),
            ("GITHUB_PATH", here("path")),
            ("GITHUB_STEP_SUMMARY", here("summary")),
        ]);
        let variables: Vec<(&str, &str)> =
            variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let run = self.checkout.run(&script, &variables);
        if let Some(id) = value(&lines, "id") {
            for (name, value) in self.checkout.read("output").lines().filter_map(|line| line.split_once('='))
            {
                self.known.insert(format!("steps.{id}.outputs.{name}"), value.to_string());
            }
        }
        self.steps.insert(value(&lines, "name").expect("a name").to_string(), run);
    }

    fn names(&self) -> Vec<&str> {
        self.steps.keys().map(String::as_str).collect()
    }
}

#[test]
fn the_action_checks_and_annotates_a_pull_request() {
    let run = ActionRun::with(&[("root", "docs")]);
    assert_eq!(run.names(), ["Check", "Install"]);
    let check = &run.steps["Check"];
    assert_eq!(check.status, Some(1), "{}", check.stderr);
    assert!(
        check.stdout.starts_with("::error file=docs/content/tour/web/install.md,line=8,"),
        "{}",
        check.stdout
    );
    let summary = run.checkout.read("summary");
    assert!(summary.contains("| error | `docs/content/tour/web/install.md:8` | page `/gone/`"), "{summary}");
    // Later steps find the program.
    let folder = Path::new(env!("CARGO_BIN_EXE_stepkin")).parent().expect("a folder");
    assert_eq!(run.checkout.read("path").trim(), folder.display().to_string());
}

#[test]
fn the_action_takes_options_as_a_shell_reads_them() {
    let args = "--ignore missing-page\n --fail-on 'info' --max-findings \"1\"";
    let run = ActionRun::with(&[("root", "docs"), ("args", args), ("sarif", "true")]);
    let check = &run.steps["Check"];
    assert_eq!((check.status, check.stdout.as_str()), (Some(0), ""), "{}", check.stderr);
    let run = ActionRun::with(&[("root", "docs"), ("args", "--ignore $(touch made)")]);
    assert_eq!(run.steps["Check"].status, Some(2));
    assert!(!run.checkout.path().join("made").exists(), "an input is no script");
}

#[test]
fn the_action_lists_findings_for_code_scanning() {
    let run = ActionRun::with(&[("root", "docs"), ("sarif", "true")]);
    assert_eq!(run.steps["List the findings for code scanning"].status, Some(0));
    let log: Value = serde_json::from_str(&run.checkout.read("stepkin.sarif")).expect("it is JSON");
    let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "docs/content/tour/web/install.md");
}

#[test]
fn the_action_reports_changes_of_a_pull_request_on_one_platform() {
    let run = ActionRun::with(&[("root", "docs"), ("drift", "true")]);
    let drift = &run.steps["Compare the platforms"];
    assert_eq!(drift.status, Some(0), "{}", drift.stderr);
    assert!(drift.stdout.contains("::notice file=docs/content/tour/"), "{}", drift.stdout);
    let report = fs::read_to_string(&run.known["steps.drift.outputs.report"]).expect("the report");
    assert!(report.contains("| place | finding |"), "{report}");
    assert!(report.contains("iOS didn't change (`unfollowed-change`)"), "{report}");
}

/// Returns the commands of a GitLab job.
fn job(name: &str) -> String {
    let job = below(GITLAB, &format!("{name}:")).join("\n");
    let lines = below(&job, "script:");
    lines.iter().map(|line| line.trim_start_matches("- ").to_string() + "\n").collect()
}

#[test]
fn the_template_of_gitlab_reports_and_publishes() {
    let checkout = Checkout::new();
    let project = checkout.path().display().to_string();
    let mut variables = vec![
        ("CI_PROJECT_DIR", project.as_str()),
        ("CI_PAGES_URL", "https://group.gitlab.io/docs"),
        ("STEPKIN_ROOT", "docs"),
        ("STEPKIN_ARGS", "--fail-on warning"),
    ];
    checkout.run(&job("stepkin"), &variables).exits(1).reports("error[missing-page]");
    let quality = fs::read(checkout.path().join("stepkin-quality.json")).expect("a report");
    let quality: Value = serde_json::from_slice(&quality).expect("it is JSON");
    assert_eq!(quality[0]["location"]["path"], "docs/content/tour/web/install.md");
    assert_eq!(quality[0]["location"]["lines"]["begin"], 8);
    assert_eq!(
        (&quality[0]["check_name"], &quality[0]["severity"]),
        (&"missing-page".into(), &"major".into())
    );
    assert!(quality[0]["fingerprint"].as_str().is_some_and(|mark| mark.len() == 16));
    let tests = fs::read_to_string(checkout.path().join("stepkin-junit.xml")).expect("a report");
    assert!(tests.contains("failures=\"1\""), "{tests}");
    // A site with a broken link isn't published.
    checkout.run(&job("pages"), &variables).exits(1);
    assert!(!checkout.path().join("public").exists());
    fs::write(checkout.path().join("docs/content/gone.md"), "---\ntitle: Here again\n---\n").expect("a page");
    variables.pop();
    checkout.run(&job("pages"), &variables).exits(0);
    let home = fs::read_to_string(checkout.path().join("public/index.html")).expect("the home page");
    assert!(home.contains("href=\"https://group.gitlab.io/docs/\""), "{home}");
}

#[test]
fn the_pipeline_of_jenkins_reports_and_fails() {
    let checkout = Checkout::new();
    let site = checkout.path().join("docs");
    fs::create_dir_all(site.join(".stepkin-program/bin")).expect("a folder of our own");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_stepkin"), site.join(".stepkin-program/bin/stepkin"))
        .expect("a link");
    let commands: Vec<&str> =
        JENKINS.lines().filter_map(|line| line.trim().strip_prefix("sh '")?.strip_suffix('\'')).collect();
    let [_install, reports, check] = commands[..] else { panic!("{commands:?}") };
    checkout.run(&format!("cd docs\n{reports}"), &[]).exits(0);
    let tests = fs::read_to_string(site.join("stepkin-junit.xml")).expect("a report");
    assert!(tests.contains("failures=\"1\""), "{tests}");
    checkout.run(&format!("cd docs\n{check}"), &[]).exits(1).reports("error[missing-page]");
}

/// The installed version is the current one.
#[test]
fn servers_install_the_version_that_they_are_written_for() {
    let version = env!("CARGO_PKG_VERSION");
    for (name, text, expected) in [
        ("ci/gitlab.yml", GITLAB, format!("STEPKIN_VERSION: \"{version}\"")),
        ("stepkin.toml", include_str!("../../stepkin.toml"), format!("version = \"{version}\"")),
        ("ci/Jenkinsfile", JENKINS, format!("--tag v{version}'")),
    ] {
        assert!(text.contains(&expected), "{name} must say `{expected}`");
    }
    assert!(
        ACTION
            .contains("cargo install --locked --quiet --root \"$RUNNER_TEMP/stepkin\" --path \"$ACTION\"\n")
    );
    let hooks = include_str!("../../.pre-commit-hooks.yaml");
    assert_eq!(hooks.matches("language: rust\n").count(), hooks.matches("- id: ").count());
}
