//! Output formats for other programs, terminals, GitHub, and a baseline in a repository.

use std::process::{Command, Stdio};

use crate::support::{Run, SiteTest, fixtures};
use serde_json::Value;

/// Checks that an object contains these keys, optionally those with `?`, and no other.
#[track_caller]
fn check_keys(object: &Value, keys: &str) {
    let object = object.as_object().unwrap_or_else(|| panic!("`{object}` is no object"));
    let mut known: Vec<&str> = Vec::new();
    for key in keys.split(' ') {
        let name = key.trim_end_matches('?');
        known.push(name);
        assert!(key.ends_with('?') || object.contains_key(name), "no `{name}` in {object:?}");
        assert!(object.get(name).is_none_or(|value| !value.is_null()), "`{name}` is null in {object:?}");
    }
    let extra: Vec<&String> = object.keys().filter(|key| !known.contains(&key.as_str())).collect();
    assert!(extra.is_empty(), "{extra:?} in {object:?}");
}

#[track_caller]
fn check_region(region: &Value) {
    check_keys(region, "startLine startColumn endLine endColumn");
    let number = |key: &str| region[key].as_u64().filter(|number| *number > 0).expect("counted from 1");
    let (start, end) = (number("startLine"), number("endLine"));
    assert!(start < end || start == end && number("startColumn") <= number("endColumn"), "{region}");
}

#[track_caller]
fn check_artifact(artifact: &Value) {
    check_keys(artifact, "uri uriBaseId");
    let uri = artifact["uri"].as_str().expect("a text");
    assert!(!uri.starts_with('/') && !uri.contains([' ', '\\']), "{uri}");
}

#[track_caller]
fn check_location(location: &Value) {
    check_keys(location, "physicalLocation message?");
    check_keys(&location["physicalLocation"], "artifactLocation region");
    check_artifact(&location["physicalLocation"]["artifactLocation"]);
    check_region(&location["physicalLocation"]["region"]);
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// SARIF's schema allows no other keys and no nulls. A scanner rejects the complete file otherwise.
#[test]
fn sarif_has_the_form_of_its_schema_whatever_is_found() {
    for name in fixtures() {
        let site = SiteTest::fixture(&name);
        let run = site.run(&["check", "--format", "sarif"]);
        let log: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
        check_keys(&log, "$schema version runs");
        let scan = &log["runs"][0];
        check_keys(scan, "tool columnKind results");
        check_keys(&scan["tool"]["driver"], "name version rules");
        for rule in list(&scan["tool"]["driver"]["rules"]) {
            check_keys(rule, "id shortDescription fullDescription help defaultConfiguration");
        }
        for result in list(&scan["results"]) {
            check_keys(
                result,
                "ruleId ruleIndex level message locations partialFingerprints relatedLocations? fixes?",
            );
            list(&result["locations"]).iter().for_each(check_location);
            list(&result["relatedLocations"]).iter().for_each(check_location);
            for fix in list(&result["fixes"]) {
                check_keys(fix, "description artifactChanges");
                check_keys(&fix["description"], "text");
                for change in list(&fix["artifactChanges"]) {
                    check_keys(change, "artifactLocation replacements");
                    check_artifact(&change["artifactLocation"]);
                    for replacement in list(&change["replacements"]) {
                        check_keys(replacement, "deletedRegion insertedContent");
                        check_region(&replacement["deletedRegion"]);
                    }
                }
            }
        }
    }
}

#[test]
fn no_report_names_the_machine() {
    let site = SiteTest::fixture("links");
    let folder = site.root().canonicalize().expect("it is there");
    for format in ["human", "json", "github", "gitlab", "markdown", "sarif", "junit"] {
        let run = site.run(&["check", "--format", format]);
        assert!(!run.stdout.contains(folder.to_str().expect("a plain name")), "{format}");
    }
}

/// Each field has the value of the finding.
#[test]
fn a_line_of_json_describes_its_finding() {
    let text = "---\ntitle: Home\n---\n[x](#hom)\n\n## Home\n";
    let site = SiteTest::empty().edit("content/index.md", text);
    let found = site.run(&["check", "--format", "json"]).exits(1).stdout;
    let found: Value = serde_json::from_str(found.lines().next().expect("a finding")).expect("it is JSON");
    let expected = serde_json::json!({
        "version": 1, "code": "missing-anchor", "severity": "error", "file": "content/index.md",
        "line": 4, "column": 5, "end_line": 4, "end_column": 9, "message": "this page has no anchor `hom`",
        "help": "did you mean `#home`?", "target": "#hom", "related": [], "fixable": false, "edits": [], "data": {},
    });
    assert_eq!(found, expected);
}

#[test]
fn annotations_name_files_from_the_repository() {
    let site = SiteTest::empty().edit("content/index.md", "---\ntitle: Home\n---\n[x](/gone/)\n");
    let repository = site.root().parent().expect("a folder").to_path_buf();
    let file = |workspace: &std::path::Path| {
        let mut command = site.command(&["check", "--format", "github"]);
        command.env("GITHUB_WORKSPACE", workspace);
        Run::of(&mut command).exits(1).stdout
    };
    assert!(file(&repository).starts_with("::error file=site/content/index.md,"), "{}", file(&repository));
    assert!(file(&site.root()).starts_with("::error file=content/index.md,"));
    assert!(file(&site.path("static")).starts_with("::error file=content/index.md,"));
}

#[test]
fn a_baseline_never_accepts_a_build_blocker() {
    let site = SiteTest::fixture("invalid-front-matter");
    let written = site.run(&["check", "--write-baseline", "known.json"]).exits(1);
    assert!(written.stderr.contains("not recorded: fix"), "{}", written.stderr);
    assert!(!site.text("known.json").contains("invalid-front-matter\""));
    site.run(&["check", "--baseline", "known.json"]).exits(1).reports("error[invalid-front-matter]");
}

#[test]
fn stale_entries_are_reported_as_configured_at_the_path_of_the_baseline() {
    let site = SiteTest::empty().edit("content/index.md", "---\ntitle: Home\n---\n[x](/gone/)\n");
    let beside = site.root().parent().expect("a folder").join("known.json");
    let absolute = beside.to_str().expect("a plain name");
    site.run(&["check", "--write-baseline", absolute]).exits(0);
    let site = site.replace("content/index.md", "[x](/gone/)", "Text.");
    let check = |file: &str| site.run(&["check", "--baseline", file, "--fail-on", "warning"]);
    check(absolute).exits(0).reports("info[stale-baseline]").reports("--> known.json\n");
    check("../known.json").exits(0).reports("--> ../known.json\n");
    site.write("stepkin.toml", "[check.severity]\nstale-baseline = 'warning'\n");
    check(absolute).exits(1).reports("warning[stale-baseline]");
    site.write("stepkin.toml", "[check.severity]\nstale-baseline = 'off'\n");
    check(absolute).exits(0).reports("no problems found");
}

#[test]
fn an_equal_finding_more_is_new() {
    let site = SiteTest::empty().edit("content/index.md", "---\ntitle: Home\n---\n[x](/gone/)\n\nText.\n");
    site.run(&["check", "--write-baseline", "known.json"]).exits(0);
    let site = site.replace("content/index.md", "Text.", "[x](/gone/)");
    let run = site.run(&["check", "--baseline", "known.json"]).exits(1);
    assert!(run.stdout.contains("1 error in 1 page"), "{}", run.stdout);
}

#[test]
fn every_format_ends_well_when_its_reader_closes_the_pipe() {
    let body = "[x](/gone/)\n\n".repeat(5_000);
    let site = SiteTest::empty().edit("content/index.md", format!("---\ntitle: Home\n---\n{body}"));
    for format in ["human", "json", "github", "gitlab", "markdown", "sarif", "junit"] {
        let mut check = site.command(&["check", "--format", format]);
        let mut child =
            check.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
        let pipe = child.stdout.take().expect("it is piped");
        let head = Command::new("head").arg("-1").stdin(pipe).output().expect("head starts");
        let ended = child.wait_with_output().expect("it ends");
        assert_eq!(ended.status.code(), Some(1), "{format}");
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        let expected = if format == "human" { "1 page" } else { "" };
        assert!(said.starts_with(expected) && said.lines().count() < 2, "{format}: {said}");
        assert_eq!(String::from_utf8_lossy(&head.stdout).lines().count(), 1, "{format}");
    }
}

/// Content never sends commands to a terminal or to a program that reads a log.
#[test]
fn control_characters_of_content_are_shown_and_not_sent() {
    let bell = "\u{1b}]0;owned\u{7}\u{9b}31m";
    let page = format!(
        "---\ntitle: A\norder: 1\n---\n\n[x](/now{bell}here/) <b{bell}> ![](/a{bell}.png)\n\n```no{bell}\nx\n```\n"
    );
    let site = SiteTest::empty()
        .edit("content/tour/web/a.md", &page)
        .edit("content/tour/ios/a.md", page.replace("here", "there"))
        .edit(&format!("content/b{bell}.md"), &page);
    let commands = |text: &str| -> Vec<char> {
        text.chars().filter(|c| c.is_control() && !matches!(c, '\n' | '\t')).collect()
    };
    for arguments in [
        &["check", "--format", "human"][..],
        &["check", "--format", "github"],
        &["check", "--format", "gitlab"],
        &["check", "--format", "markdown"],
        &["check", "--format", "sarif"],
        &["check", "--format", "junit"],
        &["check", "--drift", "--format", "human"],
        &["check", "--list-links"],
        &["drift"],
        &["drift", "tour", "--step", bell],
        &["build", "--strict"],
    ] {
        let run = site.run(arguments);
        assert_eq!(commands(&run.stdout), [] as [char; 0], "{arguments:?}: {}", run.stdout.escape_debug());
        assert_eq!(commands(&run.stderr), [] as [char; 0], "{arguments:?}: {}", run.stderr.escape_debug());
    }
    let run = site.run(&["check", "--format", "human"]);
    assert!(run.stdout.contains("␛]0;owned␇"), "{}", run.stdout);
}
