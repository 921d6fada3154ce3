//! Readers can distinguish links: no list contains two links with the same name to different pages, and no two pages
//! have the same title.

use std::collections::{BTreeMap, BTreeSet};

use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

use crate::support::{SiteTest, fixtures};

/// The lists of links on a page.
#[derive(Debug, Default)]
struct Choices {
    title: String,
    is_hidden: bool,
    /// Name and target of each link of each list.
    lists: Vec<Vec<(String, String)>>,
}

impl Choices {
    fn of(html: &str) -> Self {
        let dom = parse_document(RcDom::default(), ParseOpts::default()).one(html);
        let mut choices = Self::default();
        choices.visit(&dom.document, None);
        choices
    }

    fn visit(&mut self, node: &Handle, list: Option<usize>) {
        let mut list = list;
        if let NodeData::Element { name, attrs, .. } = &node.data {
            let attribute = |wanted: &str| {
                let attrs = attrs.borrow();
                let found = attrs.iter().find(|it| &*it.name.local == wanted);
                found.map_or_else(String::new, |it| it.value.to_string())
            };
            let class = attribute("class");
            let is_hidden = attrs.borrow().iter().any(|it| &*it.name.local == "hidden");
            match &*name.local {
                _ if is_hidden => return,
                // Lists in the author's text are ignored.
                "div" if class.split(' ').any(|it| it == "prose") => return,
                "title" if self.title.is_empty() => self.title = text(node),
                "meta" => self.is_hidden |= attribute("name") == "robots",
                "nav" | "ul" | "ol" if list.is_none() => {
                    list = Some(self.lists.len());
                    self.lists.push(Vec::new());
                }
                "a" => {
                    let target = attribute("href");
                    let page = target.split('#').next().unwrap_or_default().to_string();
                    if let Some(list) = list {
                        self.lists[list].push((text(node), page));
                    }
                }
                _ => {}
            }
        }
        for child in node.children.borrow().iter() {
            self.visit(child, list);
        }
    }

    /// The names that several links of a list have.
    fn shared(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let mut shared = BTreeMap::new();
        for list in &self.lists {
            let mut targets: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
            for (name, target) in list {
                targets.entry(name).or_default().insert(target);
            }
            shared.extend(targets.into_iter().filter(|(_, targets)| targets.len() > 1));
        }
        shared
    }
}

/// The text of a link without "Previous" and "Next", which don't describe the page.
fn text(node: &Handle) -> String {
    let mut all = String::new();
    gather(node, &mut all);
    all.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn gather(node: &Handle, all: &mut String) {
    match &node.data {
        NodeData::Text { contents } => all.push_str(&contents.borrow()),
        NodeData::Element { name, .. } if &*name.local == "small" => return,
        _ => {}
    }
    for child in node.children.borrow().iter() {
        gather(child, all);
    }
}

#[track_caller]
fn check(site: &SiteTest, name: &str) {
    let mut titles: BTreeMap<String, String> = BTreeMap::new();
    for (path, bytes) in site.output().iter().filter(|(path, _)| path.ends_with(".html")) {
        let html = String::from_utf8_lossy(bytes);
        let choices = Choices::of(&html);
        let shared = choices.shared();
        assert!(shared.is_empty(), "{name}: {path} has links of one name: {shared:#?}");
        // Pages that Stepkin doesn't generate keep their author's title.
        let is_ours = html.contains("name=\"generator\"");
        // A page without a translation has the same title in each language.
        let language = html.split("<html lang=\"").nth(1).and_then(|rest| rest.split('"').next());
        let language = language.unwrap_or_default();
        if is_ours && !choices.is_hidden && path != "404.html" {
            let other = titles.insert(format!("{language} {}", choices.title), path.clone());
            assert_eq!(other, None, "{name}: {path} has the title `{}`, too", choices.title);
        }
    }
    assert!(!titles.is_empty() || site.output().is_empty(), "{name}: no page was looked at");
}

#[test]
fn no_two_links_of_a_list_and_no_two_pages_have_one_name() {
    for name in fixtures() {
        let site = SiteTest::fixture(&name);
        site.run(&["build", "--no-cache", "--output", "dist"]);
        check(&site, &name);
    }
}

fn page(title: &str) -> String {
    format!("---\ntitle: {title}\n---\n\nText.\n")
}

#[test]
fn a_folder_of_one_page_keeps_its_name_in_lists() {
    let site = SiteTest::empty()
        .edit("content/integrations/abakus/event.md", page("Event"))
        .edit("content/integrations/adjust/event.md", page("Event"))
        .edit("content/integrations/braze/feed.md", page("Braze feed"))
        .edit("content/integrations/deep/er/event.md", page("Event"))
        .edit("content/developers/users.md", page("Profile API"))
        .edit("content/developers/profile-api.md", page("Profile API"))
        .build();
    check(&site, "folders");
    site.page("/integrations/")
        .shows("<a href=\"/integrations/abakus/event/\">Abakus › Event</a>")
        .shows("<a href=\"/integrations/braze/feed/\">Braze feed</a>")
        .shows("<a href=\"/integrations/deep/er/event/\">Er › Event</a>");
    site.page("/integrations/abakus/event/")
        .shows("<title>Abakus › Event · ")
        .shows("<li>Abakus</li>")
        .shows("</small> Adjust › Event</a>");
    site.page("/developers/").shows(">Users › Profile API</a>").shows(">Profile API</a>");
}

#[test]
fn sidebar_items_of_one_name_at_different_depths_differ_for_screen_readers() {
    let site = SiteTest::empty()
        .edit("content/guides/overview.md", page("Overview"))
        .edit("content/guides/web/overview.md", page("Overview"))
        .edit("content/guides/web/install.md", page("Install"))
        .edit("content/guides/guides.md", page("Guides"))
        .build();
    check(&site, "sidebar");
    site.page("/guides/web/install/").shows("<span class=\"unseen\">Web › </span>Overview</a>");
}

#[test]
fn steps_have_the_name_of_the_family_and_not_of_its_first_platform() {
    let step =
        |title: &str, order: usize| format!("---\ntitle: {title}\norder: {order}\n---\n\n## Do\n\nText.\n");
    let site = SiteTest::empty()
        .edit("content/tour/go/start.md", step("Go", 1))
        .edit("content/tour/java/start.md", step("Java", 1))
        .edit("content/tour/swift/start.md", step("Swift", 1))
        .edit("content/tour/go/send.md", step("Send with a channel", 2))
        .edit("content/tour/java/send.md", step("Send data", 2))
        .edit("content/tour/swift/send.md", step("Send data", 2))
        .build();
    check(&site, "steps");
    let names = |html: &str| -> Vec<String> {
        let headings = html.split("<h2><a href=\"#").skip(1);
        headings
            .map(|it| it[it.find('>').expect("a tag") + 1..it.find("</a>").expect("a link")].to_string())
            .collect()
    };
    assert_eq!(names(&site.text("dist/tour/compare/index.html")), ["Start", "Send data"]);
}
