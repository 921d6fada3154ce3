//! What a site may replace: styles and scripts, templates, and words.

use crate::support::SiteTest;

/// The address that a page loads its style from.
fn style(site: &SiteTest) -> String {
    let page = site.page("/garden/web/sow/").html;
    let (_, rest) = page.split_once("<link rel=\"stylesheet\" href=\"").expect("pages have a style");
    rest.split('"').next().unwrap_or_default().to_string()
}

/// The file in the output that an address below `base` names.
fn file(base: &str, address: &str) -> String {
    format!("dist/{}", address.strip_prefix(base).unwrap_or_else(|| panic!("{address} is not below {base}")))
}

#[test]
fn files_that_pages_load_are_named_by_their_content() {
    let site = SiteTest::fixture("three-steps").build();
    let built_in = style(&site);
    let digits = built_in.strip_prefix("/_stepkin/site.").and_then(|name| name.strip_suffix(".css"));
    assert!(digits.is_some_and(|digits| digits.len() == 10), "{built_in}");
    assert!(site.text(&file("/", &built_in)).contains("--"));

    let site = site.edit("static/_stepkin/site.css", "main { color: red }").build();
    let own = style(&site);
    assert_ne!(own, built_in);
    assert_eq!(site.text(&file("/", &own)), "main { color: red }");
    assert!(!site.path(&file("/", &built_in)).exists() && !site.path("dist/_stepkin/site.css").exists());

    let site = site.edit("static/_stepkin/site.css", "main { color: blue }").build();
    assert_ne!(style(&site), own);
    let site = site.edit("static/_stepkin/site.css", "main { color: red }").build();
    assert_eq!(style(&site), own);
}

#[test]
fn files_that_pages_load_are_found_wherever_the_site_stands() {
    let site = SiteTest::fixture("three-steps");
    site.run(&["build", "--base-url", "/below/"]).exits(0);
    assert!(site.path(&file("/below/", &style(&site))).exists());
    site.run(&["build", "--relative"]).exits(0);
    assert!(site.path(&file("../../../", &style(&site))).exists());
}

#[test]
fn a_template_names_files_by_their_own_names() {
    let site = SiteTest::fixture("three-steps")
        .edit("static/_stepkin/own.css", "")
        .edit("templates/home.html", "{{ site.assets[\"own.css\"] }} {{ site.assets[\"site.css\"] }}")
        .build();
    site.page("/").shows("/_stepkin/own.css /_stepkin/site.");
    let site = site.edit("templates/home.html", "{{ site.assets[\"owm.css\"] }}");
    let run = site.run(&["build"]).exits(1);
    assert!(run.stdout.contains("template-error"), "{}", run.stdout);
}
