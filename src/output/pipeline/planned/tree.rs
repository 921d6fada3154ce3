//! The tree of a site: folders, families, and their order.

use crate::output::cache::Cache;
use crate::output::pipeline::{self, Options};
use crate::output::render::Rendering;
use base::address::Address;
use base::site_path::SitePath;
use input::source::{Sources, Text};
use site::plan::{MOST_LISTED, Node, NodeIx};

/// Builds a site of pages, each given as a path and its front matter.
fn site(pages: &[(&str, &str)]) -> Rendering {
    let mut sources = Sources::default();
    for (path, front) in pages {
        let path = SitePath::from(format!("content/{path}.md"));
        let text = format!("---\n{front}\n---\n");
        sources.pages.insert(path.clone(), Text::new(path, text.into_bytes()));
    }
    pipeline::plan(sources, &Options::default(), &Cache::default()).expect("it loads").0
}

/// Checks the titles in reading order, each with one dot per ancestor.
#[track_caller]
fn check(pages: &[(&str, &str)], expected: &[&str]) {
    let work = site(pages);
    let tree = work.project.plan.tree();
    let line = |(_, node): (NodeIx, &Node)| format!("{}{}", ".".repeat(tree.above(node).count()), node.title);
    assert_eq!(tree.indexed().skip(1).map(line).collect::<Vec<_>>(), expected);
}

#[test]
fn pages_are_in_their_folders_by_order_then_by_title() {
    check(
        &[
            ("a/one", "title: Part 10"),
            ("a/two", "title: part 9"),
            ("a/index", "title: Z"),
            ("a/deep/est/page", "title: Page"),
            ("b", "title: Last\norder: 2"),
            ("c/x", "title: X\norder: 1"),
            ("c", "title: First\norder: 1"),
        ],
        &[".First", "..X", ".Last", ".Z", "..Page", "..part 9", "..Part 10"],
    );
}

#[test]
fn a_family_is_a_node_and_its_steps_are_none() {
    let step = "title: Step\norder: 1";
    let pages = [
        ("guides/tour/web/step", step),
        ("guides/tour/ios/step", step),
        ("guides/tour/web/index", "title: On the web"),
        ("guides/tour/words", "title: Words"),
        ("guides/more", "title: More"),
    ];
    check(&pages, &[".Guides", "..More", "..Tour", "...On the web", "...Words"]);
}

#[test]
fn a_family_is_where_its_overview_says() {
    let step = "title: Step\norder: 1";
    let pages = [
        ("b/web/step", step),
        ("b/ios/step", step),
        ("b/index", "title: B\norder: 1"),
        ("a/web/step", step),
        ("a/ios/step", step),
        ("a/index", "title: A\norder: 3\ndescription: More\n  to come."),
        ("page", "title: Page\norder: 2"),
    ];
    check(&pages, &[".B", ".Page", ".A"]);
    let work = site(&pages);
    let around = work.project.plan.tree().around(&Address::new("/"));
    let said = around.children.iter().map(|node| node.description.as_deref());
    assert_eq!(said.collect::<Vec<_>>(), [Some("Web, iOS"), None, Some("More to come.")]);
}

#[test]
fn files_that_are_not_pages_have_no_node() {
    check(
        &[
            ("old", "title: Old\nredirect: /b/"),
            ("old/page", "title: Page"),
            ("b", "title: B\naliases: [/former/]"),
            ("former/other", "title: Other"),
        ],
        &[".B", ".Other", ".Page"],
    );
}

#[test]
fn a_page_lists_nearby_pages_and_is_between_its_neighbors() {
    let names: Vec<String> = (0..400).map(|at| format!("list/page-{at}")).collect();
    let fronts: Vec<String> = (0..400).map(|at| format!("title: Page {at}")).collect();
    let pages: Vec<(&str, &str)> =
        names.iter().zip(&fronts).map(|(name, front)| (name.as_str(), front.as_str())).collect();
    let work = site(&pages);
    let around = work.project.plan.tree().around(&Address::new("/list/page-200/"));
    let (top, list) = around.list.expect("it is in a folder");
    assert_eq!((top.title.as_str(), list.len()), ("List", MOST_LISTED + 1));
    assert_eq!(list.iter().filter(|it| it.is_current).count(), 1);
    assert_eq!(list.last().and_then(|it| it.all), Some(400));
    let title = |turn: Option<(&Node, &Node)>| turn.map(|(node, _)| node.title.clone());
    assert_eq!(title(around.previous).as_deref(), Some("Page 199"));
    assert_eq!(title(around.next).as_deref(), Some("Page 201"));
    let top = work.project.plan.tree().around(&Address::new("/list/"));
    assert_eq!((title(top.previous), title(top.next).as_deref()), (None, Some("Page 0")));
    assert_eq!(top.children.len(), 400);
}
