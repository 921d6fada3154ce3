//! What readers of a report rely on: other programs, terminals, GitHub, and a baseline in a repository.

mod support;

use support::{Run, SiteTest};

#[test]
fn annotations_name_files_from_the_repository() {
    let site = SiteTest::empty().edit("content/index.md", "---\ntitle: Home\n---\n[x](/gone/)\n");
    let repository = site.root().parent().expect("a folder").to_path_buf();
    let file = |workspace: &std::path::Path| {
        let mut command = site.command(&["check", "--format", "github"]);
        command.env("GITHUB_WORKSPACE", workspace).env_remove("GITHUB_STEP_SUMMARY");
        Run::of(&mut command).exits(1).stdout
    };
    assert!(file(&repository).starts_with("::error file=site/content/index.md,"), "{}", file(&repository));
    assert!(file(&site.root()).starts_with("::error file=content/index.md,"));
    assert!(file(&site.path("static")).starts_with("::error file=content/index.md,"));
}

#[test]
fn a_baseline_never_lets_pass_what_cannot_be_published() {
    let site = SiteTest::fixture("front-matter-invalid");
    let written = site.run(&["check", "--write-baseline", "known.json"]).exits(1);
    assert!(written.stderr.contains("left out: nothing is published until"), "{}", written.stderr);
    assert!(!site.text("known.json").contains("front-matter-invalid\""));
    site.run(&["check", "--baseline", "known.json"]).exits(1).reports("error[front-matter-invalid]");
}

#[test]
fn stale_entries_are_told_as_configured_and_from_where_they_stand() {
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
    check(absolute).exits(0).reports("nothing to report");
}

#[test]
fn an_equal_finding_more_is_new() {
    let site = SiteTest::empty().edit("content/index.md", "---\ntitle: Home\n---\n[x](/gone/)\n\nText.\n");
    site.run(&["check", "--write-baseline", "known.json"]).exits(0);
    let site = site.replace("content/index.md", "Text.", "[x](/gone/)");
    let run = site.run(&["check", "--baseline", "known.json"]).exits(1);
    assert!(run.stdout.contains("1 error in 1 page"), "{}", run.stdout);
}
