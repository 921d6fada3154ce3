//! The search of a published site: its files, when they change, and sites without a search.

use crate::support::{SiteTest, Tree, check_same_tree};

const FOLDER: &str = "_stepkin/search/";

/// The scripts of the search.
const FINDER: &str = "<template id=\"finder\">";

fn without_finder(html: &str) -> String {
    match (html.split_once(FINDER), html.rsplit_once("</template>\n")) {
        (Some((before, _)), Some((_, after))) => format!("{before}{after}"),
        _ => html.to_string(),
    }
}

/// Two families, and a page outside families.
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
fn a_folder_without_a_page_is_found_by_its_name() {
    let page = |title: &str| format!("---\ntitle: {title}\n---\nText.\n");
    let site = SiteTest::empty()
        .edit("content/more-lamps/one.md", page("One"))
        .edit("content/more-lamps/two.md", page("Two"));
    let tree = built(&site, &[]);
    let of_site = names(&tree, FOLDER);
    let part = of_site.iter().find(|name| !name.contains("words-") && **name != "catalogue.json");
    let text = String::from_utf8(tree[&format!("{FOLDER}{}", part.expect("a part"))].clone()).expect("JSON");
    assert!(text.contains(r#"["more-lamps/","More lamps",[]"#), "{text}");
}

#[test]
fn each_platform_of_a_family_is_a_part_and_so_are_other_pages() {
    let site = two_families();
    let tree = built(&site, &[]);
    for family in ["pour/_search/", "bake/_search/"] {
        assert_eq!(names(&tree, family), ["1.json", "ios/1.json", "web/1.json"]);
    }
    let of_site = names(&tree, FOLDER);
    let [part, catalogue, words] = &of_site[..] else { panic!("{of_site:?}") };
    assert_eq!(*catalogue, "catalogue.json");
    assert!(words.starts_with("words-") && words.ends_with("-0.json"), "{words}");
    let text = |name: &str| String::from_utf8(tree[name].clone()).expect("JSON");
    assert_eq!(
        text("pour/_search/ios/1.json"),
        "[[\"pour/ios/finish/\",\"finish\",[],[[\"\",\"\",\"\",\"\"],[\"begin\",\"Begin\",\"The pour on ios.\",\"\"]]],\
         [\"pour/ios/start/\",\"start\",[],[[\"\",\"\",\"\",\"\"],[\"begin\",\"Begin\",\"The pour on ios.\",\"\"]]]]"
    );
    assert!(
        text(&format!("{FOLDER}{part}"))
            .contains("[\"about/\",\"About\",[],[[\"\",\"\",\"Who we are.\",\"\"]]]")
    );
    // Parts in the order of the catalog: other pages, then for each family the pages without a platform, and its
    // platforms. A number is eight times the position of a part, plus a level.
    let words = text(&format!("{FOLDER}{words}"));
    assert!(words.contains("\"are\":[1],"), "{words}");
    assert!(words.contains("\"begin\":[19,8,16,8]"), "{words}");
    check_same_tree(&built(&site, &["--jobs", "1"]), &tree, "again");
}

/// Returns the file of words of a site with few pages.
fn words_of(tree: &Tree) -> String {
    let name = names(tree, FOLDER).into_iter().find(|name| name.starts_with("words-")).expect("words");
    String::from_utf8(tree[&format!("{FOLDER}{name}")].clone()).expect("JSON")
}

#[test]
fn names_of_platforms_tutorials_and_folders_are_words_of_a_page() {
    let mut site = SiteTest::empty();
    for platform in ["web", "ios"] {
        for step in ["start", "finish"] {
            let text = format!("---\ntitle: {step}\n---\nText.\n");
            site = site.edit(&format!("content/kettles/{platform}/{step}.md"), text);
        }
    }
    let words = words_of(&built(&site, &[]));
    for word in ["kettles", "web", "ios"] {
        assert!(words.contains(&format!("\"{word}\":[")), "{word}: {words}");
    }
}

#[test]
fn identifiers_are_words_without_their_joints() {
    let site = SiteTest::empty().edit(
        "content/about.md",
        "---\ntitle: Front matter\n---\n`data-level`\n\n```js\nsend_batch(--no-watch)\n```\n",
    );
    let words = words_of(&built(&site, &[]));
    for word in ["datalevel", "sendbatch", "nowatch", "frontmatter", "send"] {
        assert!(words.contains(&format!("\"{word}\":[")), "{word}: {words}");
    }
}

#[test]
fn synonyms_are_in_the_catalogue() {
    let catalogue = |site: &SiteTest| {
        String::from_utf8(built(site, &[])[&format!("{FOLDER}catalogue.json")].clone()).expect("JSON")
    };
    let site = two_families();
    assert!(!catalogue(&site).contains("synonyms"));
    let site = site.edit("stepkin.toml", "[search]\nsynonyms = [[\"sign in\", \"log in\"]]\n");
    assert!(catalogue(&site).contains(r#""synonyms":[["sign in","log in"]]"#));
}

#[test]
fn a_page_is_found_by_its_description() {
    let site = SiteTest::empty()
        .edit("content/about.md", "---\ntitle: About\ndescription: How to get a refund.\n---\nWho we are.\n");
    let part = |tree: &Tree| {
        let name = names(tree, FOLDER)
            .into_iter()
            .find(|name| !name.contains("words-") && *name != "catalogue.json");
        String::from_utf8(tree[&format!("{FOLDER}{}", name.expect("a part"))].clone()).expect("JSON")
    };
    let tree = built(&site, &[]);
    let text = part(&tree);
    assert!(text.contains(r#"[["","","How to get a refund.\nWho we are.",""]]"#), "{text}");
    let words = names(&tree, FOLDER).into_iter().find(|name| name.starts_with("words-")).expect("words");
    let words = String::from_utf8(tree[&format!("{FOLDER}{words}")].clone()).expect("JSON");
    assert!(words.contains("\"refund\":"), "{words}");
    let site = site.replace("content/about.md", "refund", "receipt");
    assert!(part(&built(&site, &[])).contains("receipt"));
}

fn changed(before: &Tree, after: &Tree) -> Vec<String> {
    let changed = before.iter().filter(|(name, bytes)| is_of_search(name) && after.get(*name) != Some(bytes));
    changed.map(|(name, _)| name.clone()).collect()
}

#[test]
fn an_edit_changes_the_part_of_its_page_and_where_a_word_is_new_the_words() {
    let site = two_families();
    let before = built(&site, &[]);
    let site = site.replace("content/bake/ios/finish.md", "The bake on ios.", "On ios the bake.");
    let after = built(&site, &[]);
    assert_eq!(changed(&before, &after), ["bake/_search/ios/1.json"]);
    let site = site.replace("content/bake/ios/finish.md", "the bake", "the loaf");
    let changed = changed(&after, &built(&site, &[]));
    let [words, part] = &changed[..] else { panic!("{changed:?}") };
    assert!(words.starts_with("_stepkin/search/words-") && part == "bake/_search/ios/1.json", "{changed:?}");
}

/// Folders that were exchanged are others; of a large site that takes longer than all else of an edit.
#[cfg(unix)]
#[test]
fn a_new_word_leaves_the_folders_of_other_families_in_place() {
    use std::os::unix::fs::MetadataExt;
    let without_lists = |site: SiteTest| site.edit("stepkin.toml", "[publish]\nmarkdown = false\n");
    let site = without_lists(two_families());
    let before = built(&site, &[]);
    let inodes = |site: &SiteTest| {
        ["pour", "_stepkin/search"]
            .map(|name| std::fs::metadata(site.path("dist").join(name)).expect("a folder").ino())
    };
    let old = inodes(&site);
    let site = site.replace("content/bake/ios/finish.md", "The bake", "The loaf");
    let after = built(&site, &[]);
    assert!(changed(&before, &after).iter().any(|name| name.contains("/words-")));
    assert_eq!(inodes(&site), old);
    let fresh = without_lists(two_families()).replace("content/bake/ios/finish.md", "The bake", "The loaf");
    check_same_tree(&built(&fresh, &[]), &after, "from nothing");
}

#[test]
fn a_long_platform_and_many_other_pages_are_several_parts() {
    let mut site = SiteTest::empty();
    for number in 0..130 {
        let text = format!("---\ntitle: Page {number}\norder: {number}\n---\nText.\n");
        for platform in ["web", "ios"] {
            site = site.edit(&format!("content/tour/{platform}/page-{number:03}.md"), text.clone());
        }
        site = site.edit(&format!("content/notes/page-{number:03}.md"), text);
    }
    let tree = built(&site, &[]);
    assert_eq!(names(&tree, "tour/_search/web/").len(), 9);
    let parts = |tree: &Tree| {
        let of_others = |name: &&str| *name != "catalogue.json" && !name.starts_with("words-");
        names(tree, FOLDER).into_iter().filter(of_others).map(str::to_string).collect::<Vec<_>>()
    };
    assert!(parts(&tree).len() > 5, "{:?}", parts(&tree));
    // More than sixteen times as many pages as have their words in one file.
    assert_eq!(names(&tree, FOLDER).iter().filter(|name| name.starts_with("words-")).count(), 32);
    // Another page comes into one part.
    let site = site.edit("content/notes/page-0.md", "---\ntitle: Page\n---\n");
    let with = built(&site, &[]);
    let changed = changed(&tree, &with).into_iter().filter(|name| !name.contains("words-"));
    assert!(changed.count() <= 3, "{:?}", parts(&with));
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

    // The script and the style of the search are next to its folder.
    let of_search = |name: &str| is_of_search(name) || name.starts_with("_stepkin/search");
    let rest: Vec<&String> = with.keys().filter(|name| !of_search(name)).collect();
    assert_eq!(without.keys().collect::<Vec<_>>(), rest);
    for (name, bytes) in without {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if name.ends_with(".html") {
            // It offers a search where there is no page.
            if name == "404.html" {
                continue;
            }
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
