//! The search of a published site: which files it has, when they change, and what the site is without.

use crate::support::{SiteTest, Tree, check_same_tree};

const FOLDER: &str = "_stepkin/search/";

/// What the search shows is made from.
const FINDER: &str = "<template id=\"finder\">";

fn without_finder(html: &str) -> String {
    match (html.split_once(FINDER), html.rsplit_once("</template>\n")) {
        (Some((before, _)), Some((_, after))) => format!("{before}{after}"),
        _ => html.to_string(),
    }
}

/// Two families and a page of neither.
fn two_families() -> SiteTest {
    let mut site = SiteTest::empty().edit("content/about.md", "---\ntitle: About\n---\nWho we are.\n");
    for family in ["pour", "bake"] {
        for platform in ["web", "ios"] {
            for (order, step) in ["start", "finish"].iter().enumerate() {
                let text = format!(
                    "---\ntitle: {step}\norder: {order}\n---\n## Begin\n\nThe {family} on {platform}.\n"
                );
                site = site.edit(&format!("content/{family}/{platform}/{step}.md"), text);
            }
        }
    }
    site
}

fn built(site: &SiteTest, options: &[&str]) -> Tree {
    site.run(&[&["build"], options].concat()).exits(0);
    site.output()
}

fn names<'t>(tree: &'t Tree, folder: &str) -> Vec<&'t str> {
    tree.keys().filter_map(|name| name.strip_prefix(folder)).collect()
}

/// Whether a file is one of the reader's, the catalogue's or an index's.
fn is_of_search(name: &str) -> bool {
    name.starts_with(FOLDER) || name.contains("/_search/")
}

#[test]
fn each_family_has_an_index_and_the_reader_is_published_once() {
    let site = two_families();
    let tree = built(&site, &[]);
    for family in ["pour/_search/", "bake/_search/"] {
        let names = names(&tree, family);
        assert!(names.contains(&"pagefind-entry.json"), "{names:?}");
        // An overview, and two steps on two platforms.
        assert_eq!(names.iter().filter(|name| name.starts_with("fragment/")).count(), 5, "{names:?}");
        assert!(!names.iter().any(|name| name.ends_with(".js") || name.ends_with(".pagefind")), "{names:?}");
    }
    let all = names(&tree, FOLDER);
    for file in
        ["catalogue.json", "pagefind.js", "pagefind-worker.js", "wasm.en.pagefind", "pagefind-entry.json"]
    {
        assert!(all.contains(&file), "{all:?}");
    }
    assert!(!all.iter().any(|name| name.contains("-ui")), "{all:?}");
    check_same_tree(&built(&site, &["--jobs", "1"]), &tree, "again");
}

#[test]
fn an_edit_changes_the_index_of_its_family_alone() {
    let site = two_families();
    let before = built(&site, &[]);
    let site = site.replace("content/bake/ios/finish.md", "The bake", "The loaf");
    let after = built(&site, &[]);
    let changed = before.iter().filter(|(name, bytes)| after.get(*name) != Some(bytes));
    let changed: Vec<&String> = changed.map(|(name, _)| name).filter(|name| is_of_search(name)).collect();
    assert!(!changed.is_empty());
    assert!(changed.iter().all(|name| name.starts_with("bake/_search/")), "{changed:?}");
}

#[test]
fn an_index_is_the_same_wherever_the_site_is() {
    let site = two_families();
    let search = |tree: Tree| tree.into_iter().filter(|(name, _)| is_of_search(name)).collect::<Tree>();
    let expected = search(built(&site, &[]));
    check_same_tree(
        &search(built(&site, &["--base-url", "https://example.com/docs/"])),
        &expected,
        "below a path",
    );
}

#[test]
fn without_a_search_everything_else_is_as_it_was() {
    let site = two_families();
    let with = built(&site, &[]);
    let without = built(&site, &["--no-search"]);
    let site = site.edit("stepkin.toml", "[search]\nenabled = false\n");
    check_same_tree(&built(&site, &[]), &without, "by the configuration");

    // The script and the style of the search are beside its folder.
    let of_search = |name: &str| is_of_search(name) || name.starts_with("_stepkin/search");
    let rest: Vec<&String> = with.keys().filter(|name| !of_search(name)).collect();
    assert_eq!(without.keys().collect::<Vec<_>>(), rest);
    for (name, bytes) in without {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if name.ends_with(".html") {
            let is_of_search = |line: &str| {
                ["search-loader", "class=\"search ", "<kbd>/</kbd>"].iter().any(|part| line.contains(part))
            };
            assert!(!text.lines().any(is_of_search) && !text.contains(FINDER), "{name}:\n{text}");
            let lines = without_finder(&String::from_utf8_lossy(&with[&name]));
            let kept: Vec<&str> = lines.lines().filter(|line| !is_of_search(line)).collect();
            assert_eq!(text.lines().collect::<Vec<_>>(), kept, "{name}");
        } else if name != ".stepkin-manifest.json" {
            assert!(bytes == with[&name], "{name}");
        }
    }
}

#[test]
fn a_file_of_the_site_keeps_its_address() {
    let site = two_families().edit("static/_stepkin/search/catalogue.json", "{\"families\":[]}").build();
    assert_eq!(site.text("dist/_stepkin/search/catalogue.json"), "{\"families\":[]}");
}

#[test]
fn a_language_without_stemming_can_be_searched() {
    let site = two_families().edit("stepkin.toml", "language = \"tlh-x-../Qo\"\n").build();
    let tree = site.output();
    assert!(names(&tree, FOLDER).contains(&"wasm.unknown.pagefind"), "{:?}", names(&tree, ""));
}
