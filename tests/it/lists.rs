//! Lists of all pages, for sites with too many pages for one list: sitemaps, and `llms.txt`.

use std::collections::BTreeSet;

use quick_xml::Reader;
use quick_xml::events::Event;
use stepkin::Cache;
use stepkin::base::address::Address;
use stepkin::base::site_path::{CONFIG, SitePath};
use stepkin::input::source::{Sources, Text};
use stepkin::output::pipeline::{self, Options};
use stepkin::output::render::{self, Rendering};
use stepkin::site::plan::{Artifact, Content};

use crate::support::{SiteTest, check_same_tree, tree};

/// A planned site that exists only in memory.
fn planned(config: &str, pages: impl Iterator<Item = String>) -> Rendering {
    let text = |path: &str, text: &str| Text::new(SitePath::from(path), text.as_bytes().to_vec());
    let mut sources = Sources::default();
    sources.config = Some(text(CONFIG, config));
    for (number, page) in pages.enumerate() {
        let page = text(&page, &format!("---\ntitle: Page {number}\n---\n"));
        sources.pages.insert(page.path.clone(), page);
    }
    pipeline::plan(sources, &Options::default(), &Cache::default()).expect("it loads").0
}

fn rendered(work: &Rendering, address: &Address, artifact: &Artifact) -> String {
    match render::artifact(work, address, artifact).expect("our templates") {
        Content::Bytes(bytes) => String::from_utf8(bytes.into_owned()).expect("UTF-8"),
        Content::File(path) => panic!("{} is made", path.display()),
    }
}

/// Returns the URLs in a sitemap or sitemap index, which must follow <https://www.sitemaps.org/protocol.html>.
#[track_caller]
fn urls_of(xml: &str) -> (String, Vec<String>) {
    assert!(xml.len() <= 52_428_800, "{}", xml.len());
    let mut reader = Reader::from_str(xml);
    let (mut path, mut root, mut urls) = (Vec::new(), String::new(), Vec::new());
    loop {
        match reader.read_event().expect("well-formed") {
            Event::Start(tag) => {
                let name = String::from_utf8(tag.name().as_ref().to_vec()).expect("UTF-8");
                if path.is_empty() {
                    let space = tag.try_get_attribute("xmlns").expect("attributes").expect("a name space");
                    assert_eq!(&*space.value, b"http://www.sitemaps.org/schemas/sitemap/0.9");
                    root.clone_from(&name);
                }
                path.push(name);
            }
            Event::End(_) => _ = path.pop(),
            Event::Text(text) => {
                let text = text.decode().expect("UTF-8");
                match path.iter().map(String::as_str).collect::<Vec<_>>()[..] {
                    ["urlset", "url", "loc"] | ["sitemapindex", "sitemap", "loc"] => {
                        assert!(text.chars().count() < 2048 && text.starts_with("https://e.org/"), "{text}");
                        assert!(text.bytes().all(|byte| byte.is_ascii_graphic()), "{text}");
                        urls.push(text.into_owned());
                    }
                    _ => assert!(text.trim().is_empty(), "{path:?}: {text}"),
                }
            }
            Event::GeneralRef(reference) => panic!("{reference:?} in {path:?}: addresses need none"),
            Event::Eof => break,
            _ => {}
        }
    }
    assert!(!urls.is_empty() && urls.len() <= 50_000, "{}", urls.len());
    (root, urls)
}

#[test]
fn every_page_of_a_site_of_50_001_is_in_a_sitemap() {
    // The home page is one more. The URL of one page isn't suitable for crawlers.
    let pages = (0..49_999).map(|page| format!("content/{}/page-{page}.md", page % 100));
    let odd = ["content/it's <a> \"b\" & ü.md".to_string()];
    let long = [format!("content/{0}/{0}/{0}/page.md", "ü".repeat(120))];
    let work = planned("base_url = 'https://e.org/'\n", pages.chain(odd).chain(long));
    let sitemaps: Vec<_> =
        work.project.plan.artifacts().filter(|(_, it)| matches!(it, Artifact::Sitemap(_))).collect();
    let mut found = BTreeSet::new();
    let mut listed = BTreeSet::new();
    let mut parts = BTreeSet::new();
    for (address, artifact) in sitemaps {
        let (root, urls) = urls_of(&rendered(&work, address, artifact));
        if root == "sitemapindex" {
            listed.extend(urls);
        } else {
            parts.insert(format!("https://e.org{address}"));
            for url in urls {
                assert!(found.insert(url.clone()), "{url} is there once");
            }
        }
    }
    assert_eq!(parts.len(), 2);
    assert_eq!(listed, parts);
    let expected = work.project.plan.pages().filter(|address| !address.as_str().ends_with("ü/page/"));
    let expected: BTreeSet<String> = expected
        .map(|address| format!("https://e.org{}", stepkin::base::address::encode(address.as_str())))
        .collect();
    assert!(found == expected, "{} of {}", found.len(), expected.len());
    assert!(
        found.len() > 50_000 && found.contains("https://e.org/it%27s%20%3Ca%3E%20%22b%22%20%26%20%C3%BC/")
    );
}

/// Two families, one of them in a section with slightly more than a thousand pages, most of them in one subsection;
/// and a page.
fn large() -> SiteTest {
    let site = SiteTest::empty();
    site.write(
        "stepkin.toml",
        "base_url = 'https://e.org/'\n[search]\nenabled = false\n[publish]\nprint = false\n",
    );
    site.write("content/index.md", "---\ntitle: Docs\n---\n");
    site.write("content/about.md", "---\ntitle: About\ndescription: Who we are.\n---\n");
    for folder in ["tour", "guide/garden"] {
        for platform in ["web", "ios"] {
            let title = if folder == "tour" { "Start" } else { "Dig" };
            let step = format!("---\ntitle: {title}\norder: 1\ndescription: How to start.\n---\n");
            site.write(&format!("content/{folder}/{platform}/start.md"), step);
        }
    }
    site.write("content/guide.md", "---\ntitle: Guide\ndescription: All of it.\n---\n");
    for page in 0..1010 {
        let text = format!("---\ntitle: Page {page}\n---\nText.\n");
        let folder = if page < 990 { "deep/" } else { "" };
        site.write(&format!("content/guide/{folder}page-{page}.md"), text);
    }
    site
}

#[test]
fn a_large_site_has_lists_of_its_families_and_sections() {
    let site = large().build();
    let list = |path: &str| site.text(&format!("dist/{path}llms.txt"));
    assert_eq!(
        list(""),
        "# Docs\n\n## Tutorials\n\n- [Tour](https://e.org/tour/llms.txt): Web, iOS\n\n\
         ## Guides and reference\n\n- [Guide](https://e.org/guide/llms.txt): All of it.\n\n\
         ## Other pages\n\n- [Docs](https://e.org/index.md)\n- [About](https://e.org/about/index.md): Who we are.\n"
    );
    assert_eq!(
        list("tour/"),
        "# Tour\n\n## Web\n\n- [Start](https://e.org/tour/web/start/index.md): How to start.\n\n\
         ## iOS\n\n- [Start](https://e.org/tour/ios/start/index.md): How to start.\n"
    );
    let guide = list("guide/");
    assert!(
        guide.starts_with(
            "# Guide\n\n> All of it.\n\n## Tutorials\n\n- [Garden](https://e.org/guide/garden/llms.txt)"
        ),
        "{guide}"
    );
    let others = "\n## Other pages\n\n- [Guide](https://e.org/guide/index.md): All of it.\n- [Page 990](";
    assert!(guide.contains(others) && guide.matches("\n- [").count() == 23, "{guide}");
    assert!(
        guide.contains("\n## Guides and reference\n\n- [Deep](https://e.org/guide/deep/llms.txt): "),
        "{guide}"
    );
    let deep = list("guide/deep/");
    assert!(
        deep.starts_with(
            "# Deep\n\n## Other pages\n\n- [Page 0](https://e.org/guide/deep/page-0/index.md)\n"
        ),
        "{deep}"
    );
    assert_eq!(deep.matches("\n- [").count(), 990);
    assert!(!site.path("dist/llms-full.txt").exists() && site.path("dist/tour/web/llms-full.txt").is_file());

    // Every page is reachable from the first list.
    let mut waiting = vec!["llms.txt".to_string()];
    let mut reached = BTreeSet::new();
    while let Some(path) = waiting.pop() {
        let text = site.text(&format!("dist/{path}"));
        let urls = text.split("](https://e.org/").skip(1).filter_map(|rest| rest.split_once(')'));
        for (url, _) in urls.filter(|_| path.ends_with("llms.txt")) {
            if reached.insert(url.to_string()) {
                waiting.push(url.to_string());
            }
        }
    }
    for page in site.output().keys().filter(|path| path.ends_with("/index.md")) {
        // Generated text on the pages of families and folders is in their lists.
        let is_made =
            ["tour/index.md", "guide/garden/index.md", "guide/deep/index.md"].contains(&page.as_str());
        assert!(reached.contains(page) != is_made, "{page}");
    }
}

/// Builds after an edit, and compares the result with a cold build. At most `most` files are rendered.
#[track_caller]
fn check_edit(site: &SiteTest, path: &str, text: &str, most: usize) {
    site.write(path, text);
    let run = site.run(&["build", "--timings"]).exits(0);
    let outputs = run.stderr.lines().find_map(|line| line.strip_prefix("outputs")).expect("a row");
    let made: usize = outputs.split_whitespace().nth(1).and_then(|it| it.parse().ok()).expect("a number");
    assert!((1..=most).contains(&made), "{path}: {made} files are made");
    site.run(&["build", "--no-cache", "--output", "clean"]).exits(0);
    check_same_tree(&site.output(), &tree(&site.path("clean")), path);
}

#[test]
fn an_edit_renders_only_the_lists_that_show_it() {
    let site = large().build();
    // Both forms of the page, and files that depend on all pages, but nothing of its section.
    check_edit(&site, "content/guide/deep/page-7.md", "---\ntitle: Page 7\n---\nMore.\n", 12);
    let list = || site.text("dist/guide/deep/llms.txt");
    check_edit(&site, "content/guide/deep/page-7.md", "---\ntitle: Seven\ndescription: Of ten.\n---\n", 1100);
    assert!(list().contains("[Seven](https://e.org/guide/deep/page-7/index.md): Of ten."), "{}", list());
    // A page becomes a section. Under another one, without other changes, a family is added.
    check_edit(&site, "content/guide/deep/page-8/more.md", "---\ntitle: More\n---\n", 1100);
    assert!(list().contains("[More](https://e.org/guide/deep/page-8/more/index.md)"), "{}", list());
    let said = "---\ntitle: Page 9\ndescription: Nine.\n---\n";
    check_edit(&site, "content/guide/deep/page-9.md", said, 1100);
    site.write("content/guide/deep/page-9/tea/web/a.md", "---\ntitle: A\norder: 1\n---\n");
    check_edit(&site, "content/guide/deep/page-9/tea/ios/a.md", "---\ntitle: A\norder: 1\n---\n", 1100);
    assert!(list().contains("(https://e.org/guide/deep/page-9/tea/llms.txt): Web, iOS"), "{}", list());
}
