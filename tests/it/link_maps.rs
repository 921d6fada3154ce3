//! Sites that check their links to each other by their maps, and Sphinx, which reads ours and whose maps are read.

use std::process::{Command, Stdio};

use crate::support::schema::Closed;
use crate::support::{Run, SiteTest};
use serde_json::Value;

/// A tutorial for two platforms, a page with an anchor of its own, and a former address.
fn library() -> SiteTest {
    let step = |title: &str, order: u8| {
        format!("---\ntitle: {title}\norder: {order}\n---\n\n## Set it up\n\nText.\n")
    };
    SiteTest::empty()
        .edit("stepkin.toml", "title = \"The library\"\nbase_url = \"https://library.example.org/docs/\"\n")
        .edit("content/index.md", "---\ntitle: Home\n---\n")
        .edit("content/tour/web/install.md", step("Install it", 1))
        .edit("content/tour/ios/install.md", step("Install it", 1))
        .edit(
            "content/glossary.md",
            "---\ntitle: Glossary\naliases: [/words/]\n---\n\n## Über: 100 % {#%C3%BC$}\n",
        )
        .edit("content/gone.md", "---\ntitle: Gone\nredirect: /glossary/#%C3%BC$\n---\n")
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

#[test]
fn a_site_publishes_its_pages_steps_anchors_and_redirects() {
    let site = library().build();
    let map = json(&site.text("dist/pages.json"));
    let wrong = Closed::of(&site.text("dist/_stepkin/pages.schema.json")).wrong(&map);
    assert!(wrong.is_empty(), "{wrong:#?}");
    let lists =
        |page: &Value| format!("{} {} {}", page["path"], page["step"], page["anchors"]).replace('"', "");
    let pages: Vec<String> = map["pages"].as_array().expect("a list").iter().map(lists).collect();
    assert_eq!(
        pages,
        [
            " null []",
            "glossary/ null [%C3%BC$]",
            "tour/ null [platform-web,platform-ios]",
            "tour/compare/ null null",
            "tour/ios/install/ tour/install@ios [set-it-up]",
            "tour/ios/print/ null null",
            "tour/web/install/ tour/install@web [set-it-up]",
            "tour/web/print/ null null",
        ]
    );
    let redirects = json(r#"[{"from":"gone/","to":"glossary/#%C3%BC$"},{"from":"words/","to":"glossary/"}]"#);
    assert_eq!(map["redirects"], redirects);
    let inventory = std::fs::read(site.path("dist/objects.inv")).expect("it is published");
    assert!(inventory.starts_with(b"# Sphinx inventory version 2\n# Project: The library\n# Version: \n#"));
}

#[test]
fn the_map_follows_an_edit_and_says_what_a_build_from_nothing_says() {
    let site = library().build();
    let before = site.text("dist/pages.json");
    let site = site.replace("content/tour/web/install.md", "## Set it up", "## Set up").build();
    let after = site.text("dist/pages.json");
    assert_ne!(before, after);
    let fresh = site.fresh_copy(&["content", "stepkin.toml"]);
    fresh.run(&["build", "--no-cache"]).exits(0);
    assert_eq!(fresh.text("dist/pages.json"), after);
    let inventory = |site: &SiteTest| std::fs::read(site.path("dist/objects.inv")).expect("it is published");
    assert_eq!(inventory(&fresh), inventory(&site));
}

#[test]
fn a_site_that_wants_no_maps_has_none() {
    let site = library().edit("stepkin.toml", "[publish]\nmaps = false\n").build();
    for path in ["pages.json", "objects.inv", "_stepkin/pages.schema.json"] {
        assert!(!site.path("dist").join(path).exists(), "{path}");
    }
}

/// The Python that has Sphinx; `./test` says where.
fn sphinx() -> Option<String> {
    let python = std::env::var("STEPKIN_SPHINX").ok();
    if python.is_none() {
        println!("left out: STEPKIN_SPHINX names no Python with Sphinx");
    }
    python
}

#[test]
fn sphinx_lists_our_inventory() {
    let Some(python) = sphinx() else { return };
    let site = library().build();
    let file = site.path("dist/objects.inv");
    let run = Run::of(Command::new(python).args(["-m", "sphinx.ext.intersphinx"]).arg(file)).exits(0);
    let lines: Vec<String> =
        run.stdout.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for line in [
        "index Home :",
        "tour/web/install Install it : tour/web/install/",
        "tour/install@ios Install it : tour/ios/install/",
        "tour/web/install#set-it-up Set it up : tour/web/install/#set-it-up",
        "glossary#%C3%BC$ Über: 100 % : glossary/#%25C3%25BC%24",
    ] {
        assert!(lines.iter().any(|it| it == line), "no `{line}` in {}", run.stdout);
    }
}

#[test]
fn a_project_of_sphinx_links_a_site_of_ours() {
    let Some(python) = sphinx() else { return };
    let site = library().build();
    let conf = format!(
        "project = 'Other'\nextensions = ['sphinx.ext.intersphinx']\nexclude_patterns = ['content', 'dist']\n\
         intersphinx_mapping = {{'library': ('https://library.example.org/docs/', r'{}')}}\n",
        site.path("dist/objects.inv").display()
    );
    let good = "Other\n=====\n\n:doc:`library:tour/web/install`, :doc:`library:index`, :ref:`library:tour/install@ios`,\n\
                :external+library:ref:`tour/web/install#set-it-up`, :ref:`that <library:glossary#%C3%BC$>`\n";
    let site = site.edit("conf.py", conf).edit("index.rst", good);
    let build = |site: &SiteTest| {
        let arguments = ["-m", "sphinx", "-b", "html", "-n", "-W", "-E", ".", "html"];
        Run::of(Command::new(&python).current_dir(site.root()).args(arguments).stdin(Stdio::null()))
    };
    build(&site).exits(0);
    let page = site.text("html/index.html");
    for (address, title) in [
        ("tour/web/install/", "Install it"),
        ("", "Home"),
        ("tour/ios/install/", "Install it"),
        ("tour/web/install/#set-it-up", "Set it up"),
        ("glossary/#%25C3%25BC%24", "that"),
    ] {
        let link = format!("href=\"https://library.example.org/docs/{address}\"");
        let rest = page.split_once(&link).unwrap_or_else(|| panic!("no {link} in {page}")).1;
        assert!(rest.split("</a>").next().is_some_and(|link| link.contains(title)), "{title} of {address}");
    }
    let site = site.replace("index.rst", "tour/install@ios", "tour/instal@ios");
    let run = build(&site);
    assert!(run.status != Some(0) && run.stderr.contains("tour/instal@ios"), "{}", run.stderr);
}
