//! Published files for programs, and pages for printing.

use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::Event;
use serde_json::{Value, json};

use crate::support::SiteTest;

/// Two platforms with two steps, another page, an old URL, and leftover files of authors.
fn site() -> SiteTest {
    let site = SiteTest::empty()
        .edit("stepkin.toml", "base_url = 'https://docs.example.com/sub/'\n")
        .edit("content/index.md", "---\ntitle: Docs\ndescription: All there is.\n---\n")
        .edit("content/about.md", "---\ntitle: About\naliases: [/who/]\n---\n[Web](/tour/web/start/#4-go)\n")
        .edit("static/images/x.png", "x");
    for platform in ["web", "ios"] {
        site.write(
            &format!("content/tour/{platform}/start.md"),
            "---\ntitle: Step 1. Start, you wonâ€™t [stop]\norder: 1\ndescription: |\n  How to\n  start.\n---\n\
             You wonâ€™t `wonâ€™t`.\n\n## 4. Go {#go}\n\n<aside class=\"tip\">\n    See [below](end.md#4-go) and [here](#go).\n</aside>\n\n\
             ![A picture](/images/x.png) and [elsewhere](https://e.org/x)\n\n<a id=\"raw\" href=\"/about/\">raw</a> note[^1]\n\n[^1]: Small.\n\n\
             <br/><a href=\"/tour/web/end/\" style=\"float:right\">Next >> End</a>\n",
        );
        site.write(
            &format!("content/tour/{platform}/end.md"),
            "---\ntitle: Step 2. End\norder: 2\n---\n# Step 2. End\n\n## 4. Go\n\n| Setting | Value |\n|---|---|\n| Speed | 1 |\n\nnote[^1]\n\n[^1]: Small.\n",
        );
    }
    site
}

#[track_caller]
fn check_file(site: &SiteTest, path: &str, expected: &str) {
    assert_eq!(site.text(&format!("dist/{path}")), expected, "{path}");
}

/// Returns the files in `dist`, except for those in `/_stepkin/`.
fn published(site: &SiteTest) -> Vec<String> {
    site.output().into_keys().filter(|path| !path.starts_with("_stepkin/")).collect()
}

#[test]
fn disabled_files_are_neither_published_nor_linked() {
    let all = published(&site().build());
    let without = |key: &str| {
        site()
            .edit(
                "stepkin.toml",
                format!("base_url = 'https://docs.example.com/sub/'\n[publish]\n{key} = false\n"),
            )
            .build()
    };
    let kinds: [(&str, &[&str], &str); 4] = [
        ("compare", &["tour/compare/index.html"], "/tour/compare/"),
        ("print", &["tour/ios/print/index.html", "tour/web/print/index.html"], "/print/"),
        ("markdown", &["index.md", "llms.txt", "llms-full.txt"], ".md\""),
        ("data", &["family.json", "settings.json", "settings.csv"], "settings."),
    ];
    for (key, files, link) in kinds {
        let site = without(key);
        let is_kind =
            |path: &String| files.iter().any(|file| path == file || path.ends_with(&format!("/{file}")));
        let expected: Vec<String> = all.iter().filter(|path| !is_kind(path)).cloned().collect();
        assert!(expected.len() < all.len() && published(&site) == expected, "{key}: {:?}", published(&site));
        for page in expected.iter().filter(|path| path.ends_with(".html")) {
            assert!(!site.text(&format!("dist/{page}")).contains(link), "{key}: {page}");
        }
    }
}

#[test]
fn every_page_has_a_twin_in_markdown() {
    let site = site().build();
    check_file(
        &site,
        "tour/ios/start/index.md",
        "# Step 1. Start, you won’t [stop]\n\nYou won’t `wonâ€™t`.\n\n## 4. Go {#go}\n\n> [!TIP]\n\
         > See [below](https://docs.example.com/sub/tour/ios/end/#4-go) and [here](https://docs.example.com/sub/tour/ios/start/#go).\n\n\
         ![A picture](https://docs.example.com/sub/images/x.png) and [elsewhere](https://e.org/x)\n\n\
         <a id=\"raw\" href=\"https://docs.example.com/sub/about/\">raw</a> note[^1]\n\n[^1]: Small.\n",
    );
    check_file(
        &site,
        "index.md",
        "# Docs\n\n## Tutorials\n\n- [Tour](https://docs.example.com/sub/tour/index.md): Web, iOS\n\n\
         ## Guides and reference\n\n- [About](https://docs.example.com/sub/about/index.md)\n",
    );
    assert!(site.text("dist/tour/web/end/index.md").starts_with("# Step 2. End\n\n## 4. Go\n"));
    site.page("/tour/ios/start/")
        .shows("<link rel=\"alternate\" type=\"text/markdown\" href=\"/sub/tour/ios/start/index.md\">");
    site.page("/tour/").shows("href=\"/sub/tour/index.md\"");
    let pages = site.output().keys().filter(|path| path.ends_with("index.html")).count();
    let twins = site.output().keys().filter(|path| path.ends_with("index.md")).count();
    // The two printable pages, the comparison and a redirect have none.
    assert_eq!(twins + 4, pages);
}

#[test]
fn lists_lead_to_every_twin() {
    let site = site().build();
    check_file(
        &site,
        "tour/ios/llms.txt",
        "# Tour (iOS)\n\n## Steps\n\n\
         - [Step 1. Start, you won’t \\[stop\\]](https://docs.example.com/sub/tour/ios/start/index.md): How to start.\n\
         - [Step 2. End](https://docs.example.com/sub/tour/ios/end/index.md)\n",
    );
    let all = site.text("dist/llms.txt");
    assert!(all.starts_with("# Docs\n\n> All there is.\n\n## Tour (Web)\n\n- [Step 1."), "{all}");
    assert!(
        all.contains(
            "\n## Other pages\n\n- [Docs](https://docs.example.com/sub/index.md): All there is.\n- [About]("
        ),
        "{all}"
    );
    for url in all.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(url, _)| url) {
        let path = url.strip_prefix("https://docs.example.com/sub/").expect("a URL of this site");
        assert!(site.path(&format!("dist/{path}")).is_file(), "{url}");
    }
    let full = site.text("dist/tour/web/llms-full.txt");
    let end = "\n---\n\nSource: https://docs.example.com/sub/tour/web/end/\nTutorial: Tour (Web)\n\n# Step 2. End\n";
    assert!(full.starts_with("# Tour (Web)\n") && full.contains(end), "{full}");
    assert_eq!(site.text("dist/llms-full.txt").matches("\nSource: ").count(), 6);
}

#[test]
fn without_a_host_addresses_are_paths() {
    let site = site().remove("stepkin.toml").build();
    site.page("/about/").lacks("rel=\"canonical\"").lacks("og:url").lacks("og:image");
    check_file(&site, "about/index.md", "# About\n\n[Web](/tour/web/start/#4-go)\n");
    check_file(&site, "robots.txt", "User-agent: *\nAllow: /\n");
}

#[test]
fn a_missing_sitemap_is_reported_once() {
    let said = "skipped sitemap.xml: set `base_url`";
    let says = |site: &SiteTest, arguments: &[&str]| {
        site.run(&[&["build"], arguments].concat()).exits(0).stderr.contains(said)
    };
    let site = SiteTest::fixture("three-steps").edit("stepkin.toml", "base_url = '/sub/'\n");
    assert!(says(&site, &[]));
    assert!(!says(&site, &[]));
    assert!(!says(&site, &["--no-cache"]), "nothing is new");
    assert!(!says(&site, &["--output", "for-disk", "--relative"]));
    assert!(!says(&site, &["--output", "for-host", "--base-url", "https://docs.example.com/"]));
    assert!(says(&site, &["--output", "elsewhere"]));
    let site = site.edit("content/new.md", "---\ntitle: New\n---\n");
    assert!(!says(&site, &[]), "not again");
}

#[test]
fn patterns_of_hosts_are_escaped_in_redirects() {
    let site = SiteTest::empty()
        .edit("content/index.md", "---\ntitle: X\n---\n")
        .edit("content/a.md", "---\ntitle: A\naliases: ['/old/*/', '/v:1/']\n---\n")
        .build();
    check_file(&site, "_redirects", "/old/%2A/ /a/ 301\n/v%3A1/ /a/ 301\n");
}

#[test]
fn crawlers_and_hosts_find_their_files() {
    let site = site().build();
    check_file(
        &site,
        "robots.txt",
        "User-agent: *\nAllow: /\n\nSitemap: https://docs.example.com/sub/sitemap.xml\n",
    );
    check_file(&site, "_redirects", "/sub/who/ /sub/about/ 301\n");
    check_file(
        &site,
        "redirects.json",
        "[\n  {\n    \"from\": \"/sub/who/\",\n    \"to\": \"/sub/about/\"\n  }\n]\n",
    );
    check_file(&site, ".nojekyll", "");
    let sitemap = site.text("dist/sitemap.xml");
    assert!(sitemap.contains("<loc>https://docs.example.com/sub/tour/web/start/</loc>"), "{sitemap}");
    assert!(!sitemap.contains("print") && !sitemap.contains(".md") && !sitemap.contains("who"), "{sitemap}");
    assert!(!SiteTest::fixture("three-steps").build().path("dist/_redirects").exists());
}

#[test]
fn a_file_of_the_site_wins() {
    let site = site()
        .edit("static/robots.txt", "mine")
        .edit("static/about/index.md", "mine")
        .edit("content/tour/web/print.md", "---\ntitle: Step 3. Print\norder: 3\n---\n")
        .build();
    check_file(&site, "robots.txt", "mine");
    check_file(&site, "about/index.md", "mine");
    site.page("/tour/web/print/").shows("Step 3. Print").lacks("noindex");
    site.page("/tour/").shows("/sub/tour/ios/print/").lacks("Web on one page");
}

#[test]
fn links_to_pages_files_lead_to_pages_and_not_to_twins() {
    let site = site()
        .edit(
            "content/about.md",
            "---\ntitle: About\n---\n[a](/tour/web/start/index.md) [b](tour/web/end.md)\n",
        )
        .build();
    site.page("/about/").shows("href=\"/sub/tour/web/start/\"").shows("href=\"/sub/tour/web/end/\"");
    assert_eq!(site.findings().iter().filter(|finding| finding.code == "missing-page").count(), 0);
}

#[test]
fn pages_have_breadcrumbs() {
    let site = site()
        .replace("content/tour/web/end.md", "title: Step 2. End", "title: 'Step 2. </script><b>'")
        .build();
    let page = site
        .page("/tour/web/end/")
        .shows("<meta property=\"og:type\" content=\"article\">")
        .shows("<meta property=\"og:url\" content=\"https://docs.example.com/sub/tour/web/end/\">")
        .shows("<link rel=\"prev\" href=\"/sub/tour/web/start/\">")
        .shows("<nav class=\"crumbs\"");
    // The title doesn't end any script or list.
    assert_eq!(page.html.matches("</script>").count(), page.html.matches("<script").count());
    let data = |html: &str| -> Vec<Value> {
        let scripts = html.split("<script type=\"application/ld+json\">").skip(1);
        let json = scripts.map(|script| script.split_once("</script>").expect("its end").0);
        json.map(|json| serde_json::from_str(json).expect("JSON")).collect()
    };
    let [list, article] = &data(&page.html)[..] else { panic!("{}", page.html) };
    let items = list["itemListElement"].as_array().expect("a list");
    let names: Vec<_> = items.iter().map(|item| item["name"].as_str().expect("a name")).collect();
    assert_eq!(names, ["Docs", "Tour", "Web", "Step 2. </script><b>"]);
    assert_eq!(items[2]["item"], "https://docs.example.com/sub/tour/web/start/");
    let tutorial =
        json!({ "@type": "CreativeWork", "name": "Tour", "url": "https://docs.example.com/sub/tour/" });
    let expected = [
        ("@type", json!("TechArticle")),
        ("headline", json!("Step 2. </script><b>")),
        ("url", json!("https://docs.example.com/sub/tour/web/end/")),
        ("inLanguage", json!("en")),
        ("isPartOf", tutorial),
    ];
    for (key, value) in expected {
        assert_eq!(article[key], value, "{key}");
    }
    site.page("/tour/web/start/")
        .shows("<meta property=\"og:image\" content=\"https://docs.example.com/sub/images/x.png\">");
    site.page("/").shows("content=\"website\"").lacks("ld+json");
    assert!(!site.text("dist/404.html").contains("og:"));
}

#[test]
fn a_platform_can_be_printed_as_one_page() {
    let site = site().build();
    let page = site
        .page("/tour/ios/print/")
        .shows("<meta name=\"robots\" content=\"noindex\">")
        .shows("<section id=\"step-start\">")
        .shows_once("<h2 class=\"title\">Step 1. Start")
        .shows("<h2 id=\"step-start.go\">")
        .shows("<h2 id=\"step-end.4-go\"><span id=\"step-end.go\">")
        .shows("<a href=\"#step-end.4-go\">below</a> and <a href=\"#step-start.go\">here</a>")
        .shows("<a id=\"step-start.raw\" href=\"/sub/about/\">")
        .shows("<tr id=\"step-end.setting-speed\">")
        .shows("href=\"#step-end.fn-1\"")
        .shows("href=\"https://e.org/x\"")
        .lacks("loading=\"lazy\"")
        .lacks("rel=\"canonical\"");
    let ids: Vec<&str> =
        page.html.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let unique: std::collections::BTreeSet<_> = ids.iter().collect();
    assert_eq!(unique.len(), ids.len(), "{ids:?}");
    site.page("/tour/").shows("<a href=\"/sub/tour/ios/print/\">");
    site.page("/tour/ios/end/").shows("<h2 id=\"4-go\"><span id=\"go\">").shows("href=\"#fn-1\"");
}

const FOOT: &str = "edit_url = 'https://git.example.com/docs/edit/main/{path}'\nlast_change = true\n";

#[test]
fn pages_say_when_they_changed_and_where_they_are_edited() {
    let config = format!("base_url = 'https://e.org'\n{FOOT}");
    let site = site().edit("stepkin.toml", &config).edit("content/über uns.md", "---\ntitle: Us\n---\n");
    site.git("2026-03-01", &["init", "--quiet"]);
    site.commit("2026-03-01");
    let site = site.replace("content/about.md", "Web", "The web");
    site.git("2026-03-05", &["commit", "--quiet", "-a", "-m", "one"]);
    let site = site.edit("content/new.md", "---\ntitle: New\n---\n").build();
    site.page("/about/")
        .shows("Last change: <time datetime=\"2026-03-05\">2026-03-05</time>")
        .shows("<a href=\"https://git.example.com/docs/edit/main/content/about.md\">Edit this page</a>");
    site.page("/tour/ios/end/").shows("<time datetime=\"2026-03-01\">");
    site.page("/über uns/").shows("<time datetime=\"2026-03-01\">").shows("/content/%C3%BCber%20uns.md\"");
    site.page("/new/").lacks("<time").shows("Edit this page");
    site.page("/tour/").lacks("Last change").lacks("Edit this page");
    let sitemap = site.text("dist/sitemap.xml");
    assert!(sitemap.contains("<loc>https://e.org/about/</loc><lastmod>2026-03-05</lastmod>"), "{sitemap}");
    assert!(sitemap.contains("<loc>https://e.org/new/</loc></url>"), "{sitemap}");
}

#[test]
fn without_a_complete_history_no_date_is_shown() {
    let site = site().edit("stepkin.toml", FOOT).build();
    site.page("/about/").lacks("<time");
    site.git("2026-03-01", &["init", "--quiet"]);
    let site = site.build();
    site.page("/about/").lacks("<time");
    site.commit("2026-03-01");
    // The state of a repository after a shallow clone.
    let head = std::fs::read_to_string(site.path(".git/refs/heads/master"))
        .or_else(|_| std::fs::read_to_string(site.path(".git/refs/heads/main")));
    site.write(".git/shallow", head.expect("a branch"));
    site.build().page("/about/").lacks("<time").shows("Edit this page");
}

const FEED: &str = "title = 'A & B'\nbase_url = 'https://e.org/docs/'\n[publish]\nfeed = true\n";

/// Returns the texts of a feed by element. It must be well-formed XML, and contain what RFC 4287 requires: a feed needs an
/// author, and all of its parts an ID, a title and a date.
#[track_caller]
fn feed_of(xml: &str) -> Vec<(String, String)> {
    let mut reader = Reader::from_str(xml);
    let (mut path, mut texts) = (Vec::new(), Vec::new());
    loop {
        match reader.read_event().expect("well-formed") {
            Event::Start(tag) => {
                path.push(String::from_utf8(tag.name().as_ref().to_vec()).expect("UTF-8"));
                texts.push((path.join("/"), String::new()));
            }
            Event::Empty(tag) => {
                let attribute = |name: &str| {
                    let found = tag.try_get_attribute(name).expect("attributes").expect(name);
                    String::from_utf8(found.value.into_owned()).expect("UTF-8")
                };
                texts.push((format!("{}/link/{}", path.join("/"), attribute("rel")), attribute("href")));
            }
            Event::End(_) => _ = path.pop(),
            Event::Text(text) => {
                if let Some((_, before)) = texts.last_mut() {
                    *before += &text.decode().expect("UTF-8");
                }
            }
            Event::GeneralRef(name) => {
                let character = match name.resolve_char_ref().expect("a number") {
                    Some(character) => character.to_string(),
                    None => {
                        resolve_predefined_entity(&name.decode().expect("UTF-8")).expect("one of XML").into()
                    }
                };
                texts.last_mut().expect("inside").1 += &character;
            }
            Event::Eof => break,
            _ => {}
        }
    }
    for (_, text) in &mut texts {
        text.truncate(text.trim_end().len());
    }
    let count = |of: &str| texts.iter().filter(|(name, _)| name == of).count();
    for part in ["feed", "feed/entry"] {
        for required in ["id", "title", "updated"] {
            assert_eq!(count(&format!("{part}/{required}")), count(part), "{part}/{required}: {xml}");
        }
    }
    assert_eq!((count("feed/author/name"), count("feed/link/self")), (1, 1), "{xml}");
    texts
}

/// Returns the texts of one element of each entry.
fn in_entries(feed: &[(String, String)], element: &str) -> Vec<String> {
    let name = format!("feed/entry/{element}");
    feed.iter().filter(|(other, _)| *other == name).map(|(_, text)| text.clone()).collect()
}

#[test]
fn a_feed_lists_the_pages_that_changed_last() {
    let site = site().edit("stepkin.toml", FEED).edit(
        "content/new.md",
        "---\ntitle: \"<b>Nü & \\a'q'\"\ndescription: \"Ends & \\\"quotes\\\"\"\n---\nText.\n",
    );
    site.git("2026-03-01", &["init", "--quiet"]);
    site.git("2026-03-01", &["add", "content/about.md", "content/tour", "static", "stepkin.toml"]);
    site.git("2026-03-01", &["commit", "--quiet", "-m", "all"]);
    site.git("2026-03-04", &["add", "content/new.md"]);
    site.git("2026-03-04", &["commit", "--quiet", "-m", "new"]);
    let site = site.build();
    let feed = feed_of(&site.text("dist/feed.xml"));
    let of = |name: &str| feed.iter().find(|(it, _)| it == name).map(|(_, text)| text.as_str());
    assert_eq!(of("feed/title"), Some("A & B"));
    assert_eq!(of("feed/updated"), Some("2026-03-05T07:30:00Z"));
    assert_eq!(of("feed/link/self"), Some("https://e.org/docs/feed.xml"));
    assert_eq!(of("feed/link/alternate"), Some("https://e.org/docs/"));
    let urls = ["new/", "about/", "tour/ios/end/", "tour/ios/start/", "tour/web/end/", "tour/web/start/"];
    // The last change first, and the home page isn't committed.
    let urls = urls.map(|path| format!("https://e.org/docs/{path}"));
    assert_eq!(in_entries(&feed, "link/alternate"), urls);
    assert_eq!(in_entries(&feed, "id"), urls);
    let titles = in_entries(&feed, "title");
    assert_eq!(titles[..3], ["<b>Nü & 'q'", "About", "Step 2. End (iOS)"]);
    assert_eq!(in_entries(&feed, "summary")[0], "Ends & \"quotes\"");
    let link =
        "<link rel=\"alternate\" type=\"application/atom+xml\" title=\"A &amp; B\" href=\"/docs/feed.xml\">";
    site.page("/tour/ios/end/").shows(link).lacks("<time");

    // Only the feed changes with a commit.
    let page = site.path("dist/tour/ios/end/index.html");
    let written = || std::fs::metadata(&page).and_then(|file| file.modified()).expect("it is there");
    let before = written();
    let site = site.replace("content/about.md", "Web", "The web");
    site.git("2026-03-05", &["commit", "--quiet", "-a", "-m", "one"]);
    let site = site.build();
    let feed = feed_of(&site.text("dist/feed.xml"));
    assert_eq!(in_entries(&feed, "title")[..2], ["About", "<b>Nü & 'q'"]);
    assert_eq!(in_entries(&feed, "updated")[0], "2026-03-06T07:30:00Z");
    site.commit("2026-03-06");
    let site = site.build();
    let feed = feed_of(&site.text("dist/feed.xml"));
    assert_eq!(in_entries(&feed, "title")[0], "Docs");
    assert_eq!(written(), before);

    // The later of two commits of one day comes first, and the pages of one commit are in the order of their URLs.
    let site =
        site.replace("content/about.md", "The web", "All").replace("content/new.md", "Text.", "Words.");
    site.git("2026-03-08T10:00:00", &["commit", "--quiet", "-a", "-m", "both"]);
    let site = site.replace("content/new.md", "Words.", "More.");
    site.git("2026-03-08T10:00:01", &["commit", "--quiet", "-a", "-m", "again"]);
    let site = site.build();
    let feed = feed_of(&site.text("dist/feed.xml"));
    assert_eq!(in_entries(&feed, "title")[..2], ["<b>Nü & 'q'", "About"]);
    assert_eq!(in_entries(&feed, "updated")[..2], ["2026-03-08T18:00:01Z", "2026-03-08T18:00:00Z"]);
}

#[test]
fn a_feed_needs_absolute_urls_and_a_history() {
    let says = |site: &SiteTest| {
        let said = site.run(&["build"]).exits(0).stderr;
        said.lines().filter(|line| line.contains("feed.xml")).map(str::to_string).collect::<Vec<_>>()
    };
    let without_host = site().edit("stepkin.toml", "[publish]\nfeed = true\n");
    assert_eq!(
        says(&without_host),
        ["skipped sitemap.xml and feed.xml: set `base_url` in `stepkin.toml` or pass `--base-url`"]
    );
    assert!(!without_host.path("dist/feed.xml").exists());
    without_host.page("/about/").lacks("atom+xml");

    let site = site().edit("stepkin.toml", FEED);
    let fix = "or set `feed = false` in `[publish]` of `stepkin.toml`";
    assert_eq!(
        says(&site),
        [format!(
            "warning: feed.xml has no entries because the site isn't committed to Git; commit it, {fix}"
        )]
    );
    assert_eq!(in_entries(&feed_of(&site.text("dist/feed.xml")), "id"), [""; 0]);
    let site = site.edit("stepkin.toml", FEED.replace("true", "false"));
    assert_eq!(says(&site), [""; 0]);
    assert!(!site.path("dist/feed.xml").exists());
    site.page("/about/").lacks("atom+xml");
}

#[test]
fn nothing_is_reported_that_is_not_configured() {
    let site = site();
    site.git("2026-03-01", &["init", "--quiet"]);
    site.commit("2026-03-01");
    site.build().page("/about/").lacks("Last change").lacks("Edit this page");
}

#[test]
fn generated_and_authored_files_never_conflict_with_folders() {
    let site = SiteTest::empty()
        .edit("content/index.md", "---\ntitle: Home\n---\nText.\n")
        .edit("stepkin.toml", "base_url = 'https://e.org'")
        .edit("content/robots.txt/index.md", "---\ntitle: Robots\n---\nText.\n")
        .edit("content/sitemap.xml/more.md", "---\ntitle: More\n---\nText.\n");
    assert!(site.findings().is_empty());
    let site = site.build();
    assert!(
        site.path("dist/robots.txt/index.html").is_file()
            && site.path("dist/sitemap.xml/more/index.html").is_file()
    );
    let site = site.edit("static/_stepkin", "");
    let found: Vec<_> = site.findings().into_iter().map(|finding| (finding.code, finding.file)).collect();
    assert_eq!(found, [("address-conflict".to_string(), "static/_stepkin".to_string())]);
}

#[test]
fn nothing_that_runs_is_published() {
    let site = SiteTest::fixture("unsafe-targets").edit("stepkin.toml", "base_url = 'https://e.org'").build();
    site.page("/")
        .shows("<a>a program</a>")
        .shows("<a>by reference</a>")
        .shows("<a>javascript:alert(2)</a>")
        .shows("<a >raw</a>")
        .shows("<form ><button>")
        .shows("<a href=\"data:image/png;base64,AA\">a data picture</a>");
    site.page("/redirect/").shows("A redirect that would run").lacks("http-equiv");
    for (path, bytes) in site.output() {
        let text = String::from_utf8_lossy(&bytes).replace(['\n', '\t'], "").to_lowercase();
        for sign in ["=\"", "='", "=", "=\" ", "](", "]: ", " <", "url="] {
            for scheme in ["javascript:", "vbscript:", "data:text/html", "&#1;javascript"] {
                assert!(!text.contains(&format!("{sign}{scheme}")), "{path} has {sign}{scheme}");
            }
        }
    }
    assert!(!site.path("dist/_redirects").exists());
}

#[test]
fn every_redirect_is_one_rule() {
    let site = SiteTest::empty()
        .edit("content/a.md", "---\ntitle: A\naliases: ['/old page/', '/\"q\"/', /é/]\n---\n")
        .edit("content/b.md", "---\ntitle: B\nredirect: \"https://e.org/x y?a='b'\\\"c\"\n---\n")
        .build();
    check_file(
        &site,
        "_redirects",
        "/%22q%22/ /a/ 301\n/b/ https://e.org/x%20y?a='b'%22c 301\n/old%20page/ /a/ 301\n/%C3%A9/ /a/ 301\n",
    );
    site.page("/b/").shows("content=\"0; url=https://e.org/x%20y?a=&#39;b&#39;%22c\"");
}

#[test]
fn a_site_without_a_host_has_no_sitemap() {
    let site = SiteTest::empty().edit("content/index.md", "---\ntitle: Home\n---\n").build();
    assert!(!site.path("dist/sitemap.xml").exists());
    check_file(&site, "robots.txt", "User-agent: *\nAllow: /\n");
    let site = site.edit("stepkin.toml", "base_url = 'https://e.org'").build();
    assert!(site.text("dist/sitemap.xml").contains("<loc>https://e.org/</loc>"));
}

#[test]
fn the_fragment_of_a_link_is_kept_through_a_redirect() {
    let site = SiteTest::empty()
        .edit("content/a.md", "---\ntitle: A\naliases: [/old/]\n---\n## Here\n")
        .edit("content/b.md", "---\ntitle: B\nredirect: /old/\n---\n")
        .edit("content/c.md", "---\ntitle: C\nredirect: https://e.org/c\n---\n")
        .edit("content/d.md", "---\ntitle: D\n---\n[1](/b/?x#here) [2](/b/) [3](/c/#x) [4](old/#here)\n")
        .build();
    site.page("/d/")
        .shows("<a href=\"/a/?x#here\">1</a>")
        .shows("<a href=\"/b/\">2</a>")
        .shows("<a href=\"https://e.org/c#x\">3</a>")
        .shows("<a href=\"/a/#here\">4</a>");
    check_file(&site, "d/index.md", "# D\n\n[1](/a/?x#here) [2](/b/) [3](https://e.org/c#x) [4](/a/#here)\n");
}
