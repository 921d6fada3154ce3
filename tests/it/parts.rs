//! A site that several machines build equals one that a single machine builds, even if parts are damaged.

use std::fs;

use crate::determinism::sites;
use crate::support::{Run, SiteTest, check_same_tree, tree};

/// Builds the shards of a site into `parts`, each as a machine without a cache, and returns the number of pages of
/// each.
fn make_parts(site: &SiteTest, parts: usize, options: &[&str]) -> Vec<usize> {
    let part = |at: usize| {
        let (shard, cache) = (format!("{at}/{parts}"), format!("caches/{at}"));
        let output = format!("parts/{at}");
        let arguments = ["build", "--shard", &shard, "--output", &output, "--cache", &cache];
        let made = site.run(&[&arguments, options].concat()).exits(0);
        let line = made.stderr.lines().find(|line| line.contains(&format!("`{output}/site`")));
        let line = line.unwrap_or_else(|| panic!("no count of pages in\n{}", made.stderr));
        line.split(' ').nth(1).and_then(|pages| pages.parse().ok()).expect("a number of pages")
    };
    (1..=parts).map(part).collect()
}

/// Merges parts into `merged`, as a machine without a cache.
fn merge(site: &SiteTest, parts: impl Iterator<Item = usize>, options: &[&str]) -> Run {
    let parts: Vec<String> = parts.map(|at| format!("parts/{at}")).collect();
    let parts = parts.iter().map(String::as_str);
    let arguments = ["--output", "merged", "--report", "merged.json", "--cache", "caches/merge"];
    let arguments: Vec<&str> = std::iter::once("merge").chain(parts).chain(arguments).collect();
    site.run(&[&arguments, options].concat()).exits(0)
}

/// A site that was built completely into `dist`, with its findings in a file.
fn built(name: &str, options: &[&str]) -> SiteTest {
    let site = SiteTest::fixture(name);
    site.run(&[&["build", "--report", "whole.json"], options].concat()).exits(0);
    site
}

#[track_caller]
fn check_same(site: &SiteTest, context: &str) {
    check_same_tree(&tree(&site.path("merged")), &site.output(), context);
    assert_eq!(site.text("merged.json"), site.text("whole.json"), "{context}");
}

/// Merges a site without rendering any page again.
#[track_caller]
fn check(name: &str, parts: usize, options: &[&str]) {
    let (site, context) = (built(name, options), format!("{name} in {parts} parts, {options:?}"));
    let pages: usize = make_parts(&site, parts, options).iter().sum();
    let merged = merge(&site, 1..=parts, options);
    check_same(&site, &context);
    assert!(!merged.stderr.contains("missing from the shards"), "{context}\n{}", merged.stderr);
    let whole =
        if pages == 1 { "built 1 page into".to_string() } else { format!("built {pages} pages into") };
    assert!(merged.stderr.starts_with(&whole), "{context}: {pages} in all parts\n{}", merged.stderr);
}

#[test]
fn every_site_can_be_made_of_two_parts() {
    for name in sites() {
        check(&name, 2, &[]);
    }
}

#[test]
fn any_number_of_parts_gives_the_same_site() {
    for name in ["links", "platforms", "pictures", "tree"] {
        for parts in [1, 3, 7] {
            check(name, parts, &[]);
        }
    }
    check("platforms", 3, &["--base-url", "https://example.org/docs/", "--drafts"]);
    check("platforms", 3, &["--relative", "--no-search"]);
}

#[test]
fn merging_parses_only_the_pages_that_home_shows() {
    let site = SiteTest::empty();
    for (family, platform) in [("tour", "web"), ("tour", "ios"), ("trip", "web"), ("trip", "ios")] {
        for step in ["plan", "go"] {
            let text = format!("---\ntitle: Let us {step}\norder: 1\n---\n## Now\n\nWe {step}.\n");
            site.write(&format!("content/{family}/{platform}/{step}.md"), text);
        }
    }
    make_parts(&site, 2, &[]);
    let said = merge(&site, 1..=2, &["--timings"]).stderr;
    let made = |kind: &str| {
        let line = said.lines().find(|line| line.starts_with(kind)).expect("a line for each kind");
        line.split_whitespace()
            .skip(1)
            .map(|number| number.parse().expect("a number"))
            .collect::<Vec<usize>>()
    };
    // Home shows the beginning of the first page of each tutorial. Of the search, only the home page is processed here.
    assert_eq!([made("pages"), made("units"), made("indexes")], [[0, 2], [2, 0], [6, 1]], "{said}");
}

#[test]
fn results_that_parts_lack_are_created() {
    let site = built("platforms", &[]);
    make_parts(&site, 3, &[]);
    let said = " missing from the shards and built here";
    merge(&site, 2..=3, &[]).says(said);
    check_same(&site, "a part is missing");
    // A truncated file, and a part that was built with other settings.
    for file in tree(&site.path("parts/1/site")).keys().filter(|file| file.ends_with(".html")) {
        site.write(&format!("parts/1/site/{file}"), "<!doctype html>");
    }
    fs::remove_dir_all(site.path("merged")).unwrap();
    fs::remove_dir_all(site.path("caches")).unwrap();
    merge(&site, 1..=3, &[]).says(said);
    check_same(&site, "files were cut");
    merge(&site, 1..=3, &["--no-search"]).says(said);
}

#[test]
fn a_part_of_another_site_is_refused() {
    let site = SiteTest::fixture("platforms");
    make_parts(&site, 2, &[]);
    let other = SiteTest::fixture("tree");
    let part = site.path("parts/1");
    let said = other.run(&["merge", &part.display().to_string(), "--output", "merged"]).exits(2);
    said.says("is a shard of another site: this site has");
    assert!(!other.path("merged").exists());
}

#[test]
fn parts_of_other_sources_do_not_show() {
    let site = SiteTest::fixture("links");
    make_parts(&site, 3, &[]);
    let pages: Vec<String> =
        tree(&site.path("content")).into_keys().filter(|file| file.ends_with(".md")).collect();
    for (at, page) in pages.iter().enumerate() {
        let page = format!("content/{page}");
        let text = site.text(&page);
        match at % 5 {
            0 => site.write(&page, format!("{text}\n\n## Another section\n\n[Gone](/nowhere-at-all/)\n")),
            1 => site.write(&page, text.replacen("title: ", "title: Another ", 1)),
            2 if !text.contains("expect: ") => fs::remove_file(site.path(&page)).unwrap(),
            _ => {}
        }
    }
    site.run(&["build", "--report", "whole.json"]).exits(0);
    merge(&site, 1..=3, &[]);
    check_same(&site, "pages changed");
}

#[test]
fn a_part_is_checked_alone() {
    for (name, least) in [("links", 1), ("kind-docusaurus", 2), ("targets", 2)] {
        let site = SiteTest::fixture(name);
        let check =
            |arguments: &[&str]| site.run(&[&["check", "--format", "json"], arguments].concat()).stdout;
        let (all, parts) = (check(&[]), ["1/3", "2/3", "3/3"].map(|shard| check(&["--shard", shard])));
        assert!(parts.iter().filter(|part| !part.is_empty()).count() >= least, "{name}: {parts:?}");
        let all: Vec<&str> = all.lines().collect();
        let found: Vec<&str> = parts.iter().flat_map(|part| part.lines()).collect();
        for finding in &found {
            assert!(all.contains(finding), "{name}: of a part alone: {finding}");
        }
        // Rules whose findings aren't in a part need more than one page.
        let of_pages = ["missing-page", "missing-anchor", "missing-image"];
        let is_of_page = |line: &&str| of_pages.iter().any(|code| line.contains(&format!("\"{code}\"")));
        let (mut expected, mut found): (Vec<_>, Vec<_>) =
            (all.into_iter().filter(is_of_page).collect(), found.into_iter().filter(is_of_page).collect());
        expected.sort_unstable();
        found.sort_unstable();
        assert!(!expected.is_empty(), "{name}");
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn a_check_says_of_how_many_pages_it_reports() {
    let site = SiteTest::fixture("tree");
    let pages = |arguments: &[&str]| {
        let Run { stdout, stderr, .. } = site.run(&[&["check"], arguments].concat());
        let said = stderr + &stdout;
        let (_, pages) = said.rsplit_once(" in ").unwrap_or_else(|| panic!("no pages in\n{said}"));
        pages.split(' ').next().and_then(|pages| pages.parse::<usize>().ok()).expect("a number")
    };
    let all = pages(&[]);
    assert_eq!(["1/2", "2/2"].map(|shard| pages(&["--shard", shard])).iter().sum::<usize>(), all);
    let files = tree(&site.path("content"));
    let folder = files.keys().find_map(|name| name.split_once('/')).expect("a folder").0;
    let below = pages(&[&format!("content/{folder}")]);
    assert!(0 < below && below < all, "{below} of {all} in {folder}");
}

#[test]
fn folders_that_are_not_parts_are_rejected() {
    let site = SiteTest::fixture("platforms").build();
    for (arguments, said) in [
        (
            vec!["merge", "dist"],
            "`dist` is not a shard; run `stepkin build --shard I/N --output DIR` to build one",
        ),
        (vec!["merge", "nowhere"], "`nowhere` is not a shard"),
        (vec!["merge"], "<SHARD>..."),
        (vec!["build", "--shard", "1/2"], "--output <DIR>"),
        (vec!["build", "--shard", "3/2", "--output", "part"], "use I/N, from 1/N to N/N"),
        (vec!["build", "--shard", "1/2", "--output", "content/part"], "content"),
        (
            vec!["build", "--family", "tuor", "--output", "part"],
            "unknown family `tuor`; did you mean `tour`?",
        ),
    ] {
        site.run(&arguments).exits(2).says(said);
    }
    assert!(!site.path("content/part").exists());
    make_parts(&site, 1, &[]);
    site.write("parts/1/made/program", "another\n");
    site.write("parts/1/made/part.last", "another");
    site.run(&["merge", "parts/1"]).exits(2).says("`parts/1` is from another Stepkin version");
}

#[test]
fn some_families_are_built_alone() {
    let site = SiteTest::empty();
    for (family, platform, step) in
        [("tour", "web", "plan"), ("tour", "ios", "plan"), ("trip", "web", "go"), ("trip", "ios", "go")]
    {
        let text = "---\ntitle: Go\norder: 1\n---\n[there](/trip/web/go/), [nowhere](/trip/web/stop/)\n";
        site.write(&format!("content/{family}/{platform}/{step}.md"), text);
    }
    site.write("content/guide.md", "---\ntitle: Guide\n---\n[Gone](/gone/)\n");
    site.write("static/images/a.png", "no picture");
    let built =
        site.run(&["build", "--family", "tour", "--output", "tour", "--report", "found.json"]).exits(0);
    let built = built.says("built 2 pages into");
    assert!(!built.stderr.contains("sitemap"), "{}", built.stderr);
    let files: Vec<String> = tree(&site.path("tour")).into_keys().collect();
    let pages: Vec<&str> = files.iter().filter_map(|file| file.strip_suffix(".html")).collect();
    let expected = ["404", "index", "tour/compare/index", "tour/index", "tour/ios/plan/index"];
    assert!(expected.iter().all(|page| pages.contains(page)), "{pages:?}");
    assert!(!pages.iter().any(|page| page.starts_with("trip") || page.starts_with("guide")), "{pages:?}");
    for lacking in ["search", "llms-full.txt", "_stepkin/search"] {
        assert!(!files.iter().any(|file| file.starts_with(lacking)), "{lacking} in {files:?}");
    }
    assert!(files.contains(&"images/a.png".to_string()));
    // Links have the same targets as on the complete site, and the same findings.
    let found = site.text("found.json");
    assert!(found.contains("/trip/web/stop/") && !found.contains("/gone/"), "{found}");
    let page = site.text("tour/tour/web/plan/index.html");
    assert!(page.contains("href=\"/trip/web/go/\""), "{page}");
    // Cached results are valid for the complete site, and vice versa.
    let whole = site.build();
    let fresh = whole.fresh_copy(&["content", "static"]).build();
    check_same_tree(&whole.output(), &fresh.output(), "built after a family");
}
