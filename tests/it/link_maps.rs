//! Sites that check links to each other with link maps, and Sphinx, which reads our maps and whose maps are read.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::{Command, Stdio};

use crate::support::schema::Closed;
use crate::support::{Finding, Run, SiteTest, json};
use serde_json::Value;

/// A tutorial for two platforms, a page with an explicit anchor, and an old URL.
fn library() -> SiteTest {
    let step = |title: &str, order: u8| {
        format!("---\ntitle: {title}\norder: {order}\n---\n\n## Set it up\n\nText.\n")
    };
    SiteTest::empty()
        .edit("stepkin.toml", "title = \"The library\"\nbase_url = \"https://library.example.org/docs/\"\n")
        .edit("content/index.md", "---\ntitle: Home\n---\n")
        .edit("content/tour/web/install.md", step("Install it", 1))
        .edit("content/tour/ios/install.md", step("Install it", 1))
        .edit("content/tour/web/connect.md", step("Connect it", 2))
        .edit("content/tour/ios/connect.md", step("Connect it", 2))
        .edit(
            "content/glossary.md",
            "---\ntitle: Glossary\naliases: [/words/]\n---\n\n## Über: 100 % {#%C3%BC$}\n",
        )
        .edit("content/gone.md", "---\ntitle: Gone\nredirect: /glossary/#%C3%BC$\n---\n")
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
            "tour/ios/connect/ tour/connect@ios [set-it-up]",
            "tour/ios/install/ tour/install@ios [set-it-up]",
            "tour/ios/print/ null null",
            "tour/web/connect/ tour/connect@web [set-it-up]",
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
fn the_map_follows_an_edit_and_equals_that_of_a_cold_build() {
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
fn a_site_can_disable_link_maps() {
    let site = library().edit("stepkin.toml", "[publish]\nmaps = false\n").build();
    for path in ["pages.json", "objects.inv", "_stepkin/pages.schema.json"] {
        assert!(!site.path("dist").join(path).exists(), "{path}");
    }
}

/// Returns a site whose home page contains these links, one per line from line 5 on, and whose `stepkin.toml`
/// contains these lines.
fn linking(config: &str, targets: &[&str]) -> SiteTest {
    let links: String = targets.iter().flat_map(|target| ["- [there](", target, ")\n"]).collect();
    SiteTest::empty()
        .edit("stepkin.toml", config)
        .edit("content/index.md", format!("---\ntitle: Home\n---\n\n{links}"))
}

const OF_LIBRARY: &str =
    "[[check.site]]\nurl = \"https://library.example.org/docs/\"\nmap = \"maps/library.json\"\n";

/// Copies the map of one site into another.
fn give(library: &SiteTest, name: &str, to: &SiteTest, file: &str) {
    to.write(file, std::fs::read(library.path("dist").join(name)).expect("it is published"));
}

/// Returns the line, rule and help of each finding.
fn found(site: &SiteTest) -> Vec<String> {
    let line = |it: &Finding| format!("{} {}: {}", it.line, it.code, it.help.as_deref().unwrap_or_default());
    site.findings().iter().map(line).collect()
}

#[test]
fn a_page_that_is_renamed_in_one_site_is_found_by_the_other() {
    let library = library().build();
    let base = "https://library.example.org/docs/";
    let site = linking(
        OF_LIBRARY,
        &[
            "https://library.example.org/docs/tour/web/install/#set-it-up",
            "http://library.example.org/docs/tour/ios/install/index.html",
            "https://library.example.org/docs/tour/web/print/#set-it-up",
            "https://library.example.org/docs/files/manual.pdf",
            "https://library.example.org/other/",
        ],
    );
    give(&library, "pages.json", &site, "maps/library.json");
    assert_eq!(found(&site), Vec::<String>::new());
    // Nothing that depends on the map is cached.
    let library = library
        .edit("content/tour/web/set-up.md", "---\ntitle: Set it up\norder: 1\n---\n\n## Set it up\n")
        .remove("content/tour/web/install.md")
        .build();
    give(&library, "pages.json", &site, "maps/library.json");
    assert_eq!(found(&site), [format!("5 missing-page: did you mean `{base}tour/ios/install/`?")]);
    let library = library
        .replace("content/tour/web/set-up.md", "order: 1", "order: 1\naliases: [/tour/web/install/]")
        .build();
    give(&library, "pages.json", &site, "maps/library.json");
    assert_eq!(found(&site), [format!("5 moved-page: use `{base}tour/web/set-up/#set-it-up`")]);
    site.run(&["fix"]).exits(0);
    assert_eq!(found(&site), Vec::<String>::new());
    assert!(site.text("content/index.md").contains("/docs/tour/web/set-up/#set-it-up)"));
    let library = library.replace("content/tour/web/set-up.md", "## Set it up", "## Set it up now").build();
    give(&library, "pages.json", &site, "maps/library.json");
    assert_eq!(found(&site), ["5 missing-anchor: did you mean `#set-it-up-now`?"]);
}

#[test]
fn links_of_every_page_and_redirects_are_looked_up_too() {
    let site = linking(
        &format!(
            "[footer]\nlinks = [{{ title = \"L\", url = \"https://library.example.org/docs/gone-away/\" }}]\n{OF_LIBRARY}"
        ),
        &["https://library.example.org/docs/gone/#x"],
    );
    let site = site
        .edit("content/a.md", "---\ntitle: A\nredirect: https://library.example.org/docs/glossar/\n---\n");
    give(&library().build(), "pages.json", &site, "maps/library.json");
    let base = "https://library.example.org/docs/";
    assert_eq!(
        found(&site),
        [
            format!("3 missing-page: did you mean `{base}glossary/`?"),
            format!("5 moved-page: use `{base}glossary/#%C3%BC$`"),
            "2 missing-page: use the URL of a page on that site, or update `maps/library.json` with `stepkin maps update`".into(),
        ]
    );
}

#[test]
fn the_inventory_of_a_site_says_the_same_of_pages() {
    let config = OF_LIBRARY.replace(".json", ".inv");
    let site = linking(
        &config,
        &[
            "https://library.example.org/docs/tour/web/install/#set-it-up",
            "https://library.example.org/docs/tour/web/instal/",
            "https://library.example.org/docs/tour/web/install/#set-it-op",
        ],
    );
    give(&library().build(), "objects.inv", &site, "maps/library.inv");
    let near = "did you mean `https://library.example.org/docs/tour/web/install/`?";
    assert_eq!(
        found(&site),
        [format!("6 missing-page: {near}"), "7 missing-anchor: did you mean `#set-it-up`?".into()]
    );
}

#[test]
fn an_inventory_of_sphinx_is_read() {
    let url = "https://lamp.example.org/en/";
    let config = format!("[[check.site]]\nurl = \"{url}\"\nmap = \"lamp.inv\"\n");
    let targets = [
        "usage.html#switch-on",
        "api.html#lamp.uber.Bulb.change",
        "usage.html#term-Dim-light",
        "",
        "genindex.html",
        "_modules/lamp.html",
        "usage.html#first-steps",
        "api.html#lamp.uber.Bulb.chang",
        "usages.html",
        "usage/",
    ];
    let targets: Vec<String> = targets.iter().map(|target| format!("{url}{target}")).collect();
    let site = linking(&config, &targets.iter().map(String::as_str).collect::<Vec<_>>());
    let inventory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/sphinx/objects.inv");
    site.write("lamp.inv", std::fs::read(inventory).expect("it is there"));
    assert_eq!(
        found(&site),
        [
            "11 missing-anchor: open it in a browser; an inventory doesn't contain every heading".to_string(),
            "12 missing-anchor: did you mean `#lamp.uber.Bulb.change`?".to_string(),
            format!("13 missing-page: did you mean `{url}usage.html`?"),
            format!("14 missing-page: did you mean `{url}usage.html`?"),
        ]
    );
    // An anchor that an inventory doesn't list may exist.
    site.run(&["check"]).exits(1).reports("info[missing-anchor]").reports("error[missing-page]");
}

#[test]
fn a_map_that_cannot_be_used_is_one_finding_and_no_link_is_judged() {
    let library = library().build();
    let site = linking(
        OF_LIBRARY,
        &["https://library.example.org/docs/nothing/", "https://library.example.org/docs/nothing/#x"],
    );
    let unusable = |site: &SiteTest, cause: &str| {
        let findings = site.findings();
        let [finding] = &findings[..] else { panic!("one finding: {findings:?}") };
        assert_eq!(
            (finding.code.as_str(), finding.file.as_str(), finding.line),
            ("unusable-map", "stepkin.toml", 3)
        );
        assert!(finding.message.contains(cause), "{finding:?}");
    };
    unusable(&site, "`maps/library.json` doesn't exist");
    give(&library, "pages.json", &site, "maps/library.json");
    assert_eq!(site.findings().len(), 2);
    let whole = site.text("maps/library.json");
    site.write("maps/library.json", &whole[..whole.len() / 2]);
    unusable(&site, "is cut off");
    site.write("maps/library.json", "<html><body>Please sign in");
    unusable(&site, "not a sitemap");
    site.write("maps/library.json", whole.replace("\"version\":1", "\"version\":7"));
    unusable(&site, "with version 7");
    std::fs::remove_file(site.path("maps/library.json")).expect("a file");
    std::fs::create_dir(site.path("maps/library.json")).expect("a folder");
    unusable(&site, "can't be read");
    assert!(site.run(&["check"]).exits(0).stdout.contains("warning[unusable-map]"));
}

#[test]
fn a_map_may_be_too_old() {
    let library = library().build();
    let site = linking(
        &format!("{OF_LIBRARY}max_age = \"30 days\"\n"),
        &["https://library.example.org/docs/nothing/"],
    );
    give(&library, "pages.json", &site, "maps/library.json");
    let cause =
        |site: &SiteTest| site.findings().iter().map(|it| it.message.clone()).collect::<Vec<_>>().join("\n");
    assert!(cause(&site).contains("has no `maps/library.json.fetched`"), "{}", cause(&site));
    site.write("maps/library.json.fetched", "2020-02-29 https://library.example.org/docs/pages.json\n");
    assert!(cause(&site).contains("was downloaded on 2020-02-29, "), "{}", cause(&site));
    // A machine whose clock is behind treats it as new.
    site.write("maps/library.json.fetched", "2999-01-01 https://library.example.org/docs/pages.json\n");
    assert!(
        cause(&site).contains("page `https://library.example.org/docs/nothing/` is not in"),
        "{}",
        cause(&site)
    );
    // A build doesn't depend on the date.
    site.write("maps/library.json.fetched", "2020-02-29 x\n");
    site.run(&["build"]).exits(0).says("built with 1 error");
}

#[test]
fn a_place_that_is_no_file_of_the_site_is_refused() {
    for (key, value, help) in [
        ("map", "../library.json", "use a path relative to the site root"),
        ("map", "/etc/passwd", "use a path relative to the site root"),
        ("url", "/docs/", "use an absolute URL"),
        ("from", "library.example.org/pages.json", "use an absolute URL"),
        ("max_age", "old", "use a value such as `30 days`"),
    ] {
        let keys =
            [("url", "https://a.example/"), ("map", "a.json")].into_iter().filter(|(known, _)| *known != key);
        let lines: String =
            keys.chain([(key, value)]).flat_map(|(key, value)| [key, " = '", value, "'\n"]).collect();
        linking(&format!("[[check.site]]\n{lines}"), &[]).run(&["check"]).exits(2).says(help);
    }
}

/// Starts a server with only these files, and returns its URL.
fn host(files: Vec<(&'static str, Vec<u8>)>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it is bound");
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let mut lines =
                BufReader::new(stream.try_clone().expect("a socket")).lines().map_while(Result::ok);
            let Some(first) = lines.next() else { continue };
            lines.take_while(|line| !line.is_empty()).for_each(drop);
            let path = first.split(' ').nth(1).unwrap_or_default();
            let file = files.iter().find(|(name, _)| *name == path);
            let (status, body) = file.map_or(("404 Not Found", &[][..]), |(_, body)| ("200 OK", body));
            let head =
                format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            // The client may have closed the connection.
            _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
        }
    });
    format!("http://{address}/")
}

const UPDATE: [&str; 3] = ["maps", "update", "--allow-private"];

#[test]
fn maps_are_fetched_from_the_site() {
    let library = library().edit("stepkin.toml", "title = \"The library\"\n").build();
    let pages = library.text("dist/pages.json");
    let url = host(vec![("/pages.json", pages.clone().into_bytes())]);
    let config =
        format!("[[check.site]]\nurl = \"{url}\"\nmap = \"maps/library.json\"\nmax_age = \"1 day\"\n");
    let site = linking(&config, &[&format!("{url}glossar/"), &format!("{url}glossary/")]);
    site.run(&UPDATE).exits(0).says(&format!("`maps/library.json` from {url}pages.json: 10 pages"));
    assert_eq!(site.text("maps/library.json"), pages);
    assert_eq!(found(&site), [format!("5 missing-page: did you mean `{url}glossary/`?")]);
    site.run(&UPDATE).exits(0).says("unchanged");
    let old = pages.replace("glossary/", "glossar/");
    assert_ne!(old, pages);
    site.write("maps/library.json", &old);
    assert_eq!(found(&site).len(), 1);
    site.run(&UPDATE).exits(0).says(&format!("10 pages; new: {url}glossary/; removed: {url}glossar/"));
    assert_eq!(site.text("maps/library.json"), pages);
    // A link that the map covers isn't requested.
    let run = site.run(&["check", "--external", "--allow-private"]).exits(1);
    assert!(!run.stdout.contains("dead-link") && run.stdout.contains("missing-page"), "{}", run.stdout);
    site.run(&["maps", "update", "https://a.example/"]).exits(2).says("unknown site `https://a.example/`");
    site.run(&["maps", "update"]).exits(2).says("is a private or local address");
}

#[test]
fn invalid_maps_are_not_written() {
    let library = library().build();
    let inventory = std::fs::read(library.path("dist/objects.inv")).expect("it is published");
    let url = host(vec![
        ("/a/pages.json", b"<html>Sign in</html>".to_vec()),
        ("/a/objects.inv", inventory[..inventory.len() - 9].to_vec()),
        ("/b/pages.json", b"<html>Sign in</html>".to_vec()),
        ("/b/objects.inv", inventory.clone()),
        ("/c/the-map", inventory),
    ]);
    let site = |name: &str, more: &str| {
        format!("[[check.site]]\nurl = \"{url}{name}/\"\nmap = \"maps/{name}\"\n{more}\n")
    };
    let from = format!("from = \"{url}c/the-map\"");
    let site =
        linking(&[site("a", ""), site("b", ""), site("c", &from)].concat(), &[]).edit("maps/a", "kept");
    let run = site.run(&UPDATE).exits(2);
    for part in [
        "cannot update `maps/a`",
        "`objects.inv` is cut off",
        "sitemap.xml`: the host responds with 404",
        "1 map not updated",
        &format!("`maps/b` from {url}b/objects.inv"),
        &format!("`maps/c` from {url}c/the-map"),
    ] {
        let said = run.stderr.replace(&format!("{url}a/"), "");
        assert!(said.contains(part) || run.stderr.contains(part), "no `{part}` in {}", run.stderr);
    }
    assert_eq!(site.text("maps/a"), "kept");
    assert!(!site.path("maps/a.fetched").exists());
    linking("", &[]).run(&["maps", "update"]).exits(2).says("add a `[[check.site]]`");
}

/// Returns the Python with Sphinx, which `./test` specifies.
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
