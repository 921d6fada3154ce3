//! The reports of `check` for people and programs, and accepted findings.

use crate::support::{Run, SiteTest, check_same_tree, json};

/// A site with an error, a warning and an info.
fn site() -> SiteTest {
    SiteTest::empty()
        .edit("content/index.md", "---\ntitle: Home\n---\n\n[gone](/gone/)\n\nThe the end.\n\n![](/a.png)\n")
        .edit("static/a.png", "no picture")
        .edit("stepkin.toml", "[check.severity]\nbroken-image = 'off'\n")
}

#[test]
fn people_read_the_line_the_cause_and_the_fix() {
    let run = site().run(&["check"]).exits(1);
    assert!(
        run.stdout
            .starts_with("error[missing-page]: page `/gone/` doesn't exist\n --> content/index.md:5:8\n"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("5 | [gone](/gone/)\n  |        ^^^^^^\n"), "{}", run.stdout);
    assert!(run.stdout.contains("  = help: remove one of them\n"), "{}", run.stdout);
    let last = run.stdout.lines().last().unwrap_or_default();
    assert!(last.starts_with("1 error, 1 warning, 1 info in 1 page ("), "{last}");
    assert!(!run.stdout.contains('\u{1b}'), "no colours for a pipe");
    let quiet = site().run(&["check", "--quiet"]).exits(1);
    assert_eq!(quiet.stdout.lines().count(), 1);
}

#[test]
fn timings_name_every_stage_and_change_nothing() {
    let plain = site().build();
    let timed = site();
    let run = timed.run(&["build", "--timings"]).exits(0);
    assert_eq!(run.stdout, "");
    let table = run.stderr.lines().skip_while(|line| !line.starts_with("stage"));
    let stages: Vec<&str> = table.filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(
        stages.join(" "),
        "stage startup read load align plan check write parse images render highlight compare data markdown search files cache idle other total `on",
        "{}",
        run.stderr
    );
    check_same_tree(&timed.output(), &plain.output(), "with --timings");
}

#[test]
fn the_bar_decides_the_exit_status() {
    let fixed = || site().replace("content/index.md", "[gone](/gone/)", "Text.");
    fixed().run(&["check"]).exits(0);
    fixed().run(&["check", "--fail-on", "warning"]).exits(1);
    fixed()
        .edit(
            "stepkin.toml",
            "[check]\nfail_on = 'info'\n[check.severity]\nbroken-image = 'off'\ndoubled-word = 'off'\n",
        )
        .run(&["check"])
        .exits(1);
    fixed()
        .edit("stepkin.toml", "[check.severity]\nbroken-image = 'off'\ndoubled-word = 'error'\n")
        .run(&["check"])
        .exits(1);
    let unknown =
        site().edit("stepkin.toml", "[check.severity]\nmissing-alts = 'off'\n").run(&["check"]).exits(2);
    assert!(unknown.stderr.contains("did you mean `missing-alt`?"), "{}", unknown.stderr);
}

#[test]
fn sarif_is_readable_by_scanners() {
    let run = site().run(&["check", "--format", "sarif"]).exits(1);
    let log = json(&run.stdout);
    assert_eq!(log["version"], "2.1.0");
    let scan = &log["runs"][0];
    let rules = scan["tool"]["driver"]["rules"].as_array().expect("rules");
    let results = scan["results"].as_array().expect("results");
    assert_eq!(results.len(), 3);
    for result in results {
        let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().expect("a number")).expect("small")];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().expect("a level")));
        assert!(!result["message"]["text"].as_str().expect("a message").is_empty());
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uriBaseId"], "%SRCROOT%");
        assert_eq!(place["artifactLocation"]["uri"], "content/index.md");
        assert!(place["region"]["startLine"].as_u64().is_some_and(|line| line > 0));
        assert!(result["partialFingerprints"]["stepkin/v1"].as_str().is_some_and(|mark| mark.len() == 16));
    }
    assert_eq!(
        results[0]["locations"][0]["physicalLocation"]["region"],
        serde_json::json!({"startLine": 5, "startColumn": 8, "endLine": 5, "endColumn": 14})
    );
}

#[test]
fn sarif_and_json_carry_the_fix() {
    let site = SiteTest::empty().edit("content/index.md", "---\ntitle: Home\n---\nYou wonâ€™t\n");
    let log = json(&site.run(&["check", "--format", "sarif"]).stdout);
    let change = &log["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(change["insertedContent"]["text"], "’");
    assert_eq!(change["deletedRegion"]["startColumn"], 8);
    assert!(site.run(&["check", "--format", "json"]).stdout.contains("\"fixable\":true"));
}

#[test]
fn junit_has_a_case_for_every_page() {
    let run = site()
        .edit("content/good.md", "---\ntitle: Good\n---\n")
        .run(&["check", "--format", "junit"])
        .exits(1);
    let xml = &run.stdout;
    assert!(xml.contains("tests=\"2\" skipped=\"0\" failures=\"1\""), "{xml}");
    assert!(xml.contains("name=\"content/good.md\"") && xml.contains("type=\"missing-page\""), "{xml}");
    assert!(!xml.contains("doubled-word"), "what is below the bar fails nothing: {xml}");
}

#[test]
fn github_gets_annotations_and_a_summary() {
    let site = site();
    let summary = site.path("summary.md");
    let mut command = site.command(&["check"]);
    command.env("GITHUB_ACTIONS", "true").env("GITHUB_STEP_SUMMARY", &summary);
    let run = Run::of(&mut command).exits(1);
    let expected = "::error file=content/index.md,line=5,endLine=5,col=8,endColumn=14,title=missing-page::page `/gone/` doesn't exist\n";
    assert!(run.stdout.contains(expected), "{}", run.stdout);
    assert!(
        run.stdout.contains("::warning file=content/index.md,line=7") && run.stdout.contains("::notice "),
        "{}",
        run.stdout
    );
    let table = std::fs::read_to_string(summary).expect("it is written");
    assert!(
        table.contains("| error | `content/index.md:5` | page `/gone/` doesn't exist (`missing-page`) |"),
        "{table}"
    );
}

#[test]
fn twenty_thousand_broken_links_are_counted_and_annotated_in_part() {
    let links: String = (0..20_000)
        .flat_map(|n| ["[x](/gone/", Box::leak(n.to_string().into_boxed_str()), "/)\n\n"])
        .collect();
    let site = SiteTest::empty().edit("content/index.md", format!("---\ntitle: Home\n---\n{links}"));
    let run = site.run(&["check", "--quiet"]).exits(1);
    assert!(run.stdout.starts_with("20000 errors in 1 page"), "{}", run.stdout);
    let run = site.run(&["check", "--format", "github"]).exits(1);
    assert_eq!(run.stdout.lines().count(), 11);
}

#[test]
fn a_baseline_matches_findings_that_move_and_not_those_that_change() {
    let site = site();
    site.run(&["check", "--write-baseline", "known.json"]).exits(0);
    let clean = site.run(&["check", "--baseline", "known.json"]).exits(0);
    assert!(clean.stdout.starts_with("no problems found"), "{}", clean.stdout);
    let site =
        site.replace("content/index.md", "[gone](/gone/)", "A new line.\n\nAnother.\n\n[gone](/gone/)");
    site.run(&["check", "--baseline", "known.json", "--fail-on", "info"]).exits(0);
    let site = site.replace("content/index.md", "[gone](/gone/)", "[gone](/gone/) and [more](/more/)");
    let edited = site.run(&["check", "--baseline", "known.json"]).exits(1);
    assert!(edited.stdout.contains("/gone/") && edited.stdout.contains("/more/"), "{}", edited.stdout);
    let site = site.replace("content/index.md", "[gone](/gone/) and [more](/more/)", "Gone.");
    let stale = site.run(&["check", "--baseline", "known.json"]).exits(0);
    assert!(
        stale.stdout.contains("info[stale-baseline]: `missing-page` in `content/index.md` no longer occurs"),
        "{}",
        stale.stdout
    );
    let site = site.edit("known.json", "{}");
    assert!(
        site.run(&["check", "--baseline", "known.json"])
            .exits(2)
            .stderr
            .contains("cannot read `known.json` as a baseline")
    );
}

/// Checks the remaining rules for a page with this body.
#[track_caller]
fn check_body(body: &str, expected: &[&str]) {
    let site = SiteTest::empty().edit("content/index.md", format!("---\ntitle: Home\n---\n{body}"));
    let codes: Vec<String> = site.findings().into_iter().map(|finding| finding.code).collect();
    assert_eq!(codes, expected, "{body}");
}

#[test]
fn a_comment_accepts_findings_of_the_next_block() {
    let allow = "<!-- stepkin: allow missing-page: built elsewhere -->";
    check_body(&format!("{allow}\n[x](/x/) and [y](/y/)\n"), &[]);
    check_body(&format!("{allow}\n\n- [x](/x/)\n- [y](/y/)\n"), &[]);
    check_body(&format!("{allow}\n[x](/x/)\n\n[y](/y/)\n"), &["missing-page"]);
    check_body(&format!("{allow}\n<aside>\n[x](/x/)\n</aside>\n\n[y](/y/)\n"), &["missing-page"]);
    check_body(&format!("1. a\n\n   {allow}\n   [x](/x/)\n\n2. [y](/y/)\n"), &["missing-page"]);
    check_body("<!-- stepkin: allow doubled-word, missing-page: both -->\nThe the [x](/x/)\n", &[]);
    check_body(
        "Text.\n\n<!-- stepkin: allow-file missing-page: all of it -->\n\n[x](/x/)\n\n[y](/y/)\n",
        &[],
    );
}

#[test]
fn an_exception_without_reason_or_use_is_reported() {
    check_body("<!-- stepkin: allow missing-page -->\n[x](/x/)\n", &["invalid-suppression", "missing-page"]);
    check_body(
        "<!-- stepkin: allow missing-pages: why -->\n[x](/x/)\n",
        &["invalid-suppression", "missing-page"],
    );
    check_body("<!-- stepkin: allow missing-page: why -->\nNothing.\n", &["unused-suppression"]);
    check_body("<!-- stepkin: allow address-conflict: why -->\nNothing.\n", &["invalid-suppression"]);
    let ignore = "[[check.ignore]]\ncode = 'missing-page'\ntarget = '/sdk/**'\nreason = 'elsewhere'\n";
    let used = SiteTest::empty()
        .edit("content/index.md", "---\ntitle: Home\n---\n[x](/sdk/x/)\n")
        .edit("stepkin.toml", ignore);
    used.run(&["check", "--fail-on", "info"]).exits(0);
    let idle =
        SiteTest::empty().edit("content/index.md", "---\ntitle: Home\n---\n").edit("stepkin.toml", ignore);
    let run = idle.run(&["check"]).exits(0);
    assert!(run.stdout.contains(" --> stepkin.toml:2:8\n"), "{}", run.stdout);
}

#[test]
fn a_closed_pipe_is_no_error() {
    use std::process::Stdio;
    let site =
        site().edit("content/many.md", "---\ntitle: Many\n---\n".to_string() + &"[x](/x/)\n\n".repeat(5_000));
    let mut child =
        site.command(&["check"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.lines().count() == 1 && said.contains(" pages"), "{said}");
}

#[test]
fn every_finding_is_explained() {
    let site = SiteTest::empty();
    let list = site.run(&["explain", "--list"]).exits(0).stdout.clone();
    for code in stepkin::base::diagnostic::Code::ALL {
        assert!(list.contains(code.name()));
        let page = site.run(&["explain", code.name()]).exits(0);
        assert!(
            page.stdout.contains("\nWhy: ")
                && page.stdout.contains("\nExample:\n")
                && page.stdout.contains("\nFix: "),
            "{}",
            page.stdout
        );
    }
    assert!(site.run(&["explain", "missing-pages"]).exits(2).stderr.contains("did you mean `missing-page`?"));
}

#[test]
fn a_build_says_when_hosts_may_not_take_its_site() {
    let site = SiteTest::fixture("three-steps");
    let file = site.path("static/film.mp4");
    std::fs::create_dir_all(file.parent().expect("a folder")).expect("it can be made");
    // With that length, but without content.
    std::fs::File::create(file).and_then(|film| film.set_len(30_000_000)).expect("it can be made");
    let word = "over the limits of some hosts: 30.0 MB in `film.mp4` (Cloudflare Pages: 26.2 MB per file)\n";
    let says = |arguments: &[&str]| {
        site.run(&[&["build"], arguments].concat()).exits(0).stderr.matches(word).count()
    };
    assert_eq!(says(&[]), 1);
    assert_eq!(says(&[]), 0, "nothing has changed");
    assert_eq!(says(&["-q", "--output", "quiet"]), 0);
    assert_eq!(says(&["--output", "other"]), 1);
}

#[cfg(not(feature = "publish"))]
#[test]
fn a_program_that_cannot_publish_says_which_one_can() {
    let run = SiteTest::fixture("three-steps").run(&["publish", "s3://bucket/"]).exits(2);
    run.says("`cargo install stepkin --features publish` makes one that can");
}
