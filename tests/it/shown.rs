//! The display of a family on pages: links to other platforms, and the order of an overview.

use crate::support::SiteTest;

fn page(title: &str, text: &str) -> String {
    format!("---\ntitle: {title}\norder: 1\n---\n\n{text}\n")
}

/// Web and iOS have the same file name, and iOS and Android the same title, so one row of the overview contains all
/// three.
#[test]
fn the_switcher_links_to_the_pages_in_the_same_row_of_the_overview() {
    let start = || page("Start", "Text.");
    let site = SiteTest::empty()
        .edit("content/tour/web/start.md", start())
        .edit("content/tour/ios/start.md", start())
        .edit("content/tour/android/start.md", start())
        .edit("content/tour/web/install.md", page("Get it", "Text."))
        .edit("content/tour/ios/install.md", page("Set up", "Text."))
        .edit("content/tour/android/setup.md", page("Set up", "Text."))
        .build();
    site.page("/tour/").lacks("-without-");
    site.page("/tour/web/install/").shows("href=\"/tour/android/setup/\"").lacks("doesn't have this step");
    site.page("/tour/android/setup/").shows("href=\"/tour/web/install/\"").lacks("doesn't have this step");
}

#[test]
fn an_overview_has_its_steps_before_all_but_the_first_paragraph() {
    let site = SiteTest::empty()
        .edit("content/tour/index.md", "---\ntitle: Tour\n---\n\nFirst of all.\n\nLater.\n\n## More\n")
        .edit("content/tour/web/a.md", page("A", "Text."))
        .edit("content/tour/ios/a.md", page("A", "Text."))
        .build();
    let html = site.page("/tour/").html.clone();
    let places = ["First of all.", "class=\"button\"", "<li data-step=\"a\"", "Later.", "id=\"more\""];
    let found: Vec<_> = places.iter().map(|text| html.find(text).expect("it is there")).collect();
    assert!(found.is_sorted(), "{found:?}");
}

#[test]
fn contents_that_may_be_longer_than_the_window_are_reached_by_key() {
    let sections = |count: usize| "## Part\n\n".repeat(count);
    let site = SiteTest::empty()
        .edit("content/few.md", page("Few", &sections(5)))
        .edit("content/many.md", page("Many", &sections(10)))
        .build();
    site.page("/few/").shows("<nav class=\"toc\" aria-label=\"On this page\">");
    site.page("/many/").shows("<nav class=\"toc\" aria-label=\"On this page\" tabindex=\"0\">");
}

#[test]
fn steps_of_one_title_are_distinguished_side_by_side() {
    let mut site = SiteTest::empty();
    for platform in ["web", "ios"] {
        for section in ["chat", "reports"] {
            let path = format!("content/tour/{platform}/{section}/overview.md");
            site = site.edit(&path, page("Overview", "Text."));
        }
        site = site.edit(&format!("content/tour/{platform}/start.md"), page("Start", "Text."));
    }
    let site = site.build();
    site.page("/tour/compare/")
        .shows_once("aria-label=\"Chat › Overview\"")
        .shows_once("aria-label=\"Reports › Overview\"")
        .shows_once("aria-label=\"Start\"");
    site.page("/tour/web/print/").shows(">Chat › Overview</a></li>").shows(">Reports › Overview</a></li>");
}

/// Search engines and previews show a description. If an author writes none, it is generated from the page's content.
#[test]
fn generated_pages_of_a_family_have_a_description() {
    let site = SiteTest::empty()
        .edit("content/tour/web/a.md", page("A", "Text."))
        .edit("content/tour/ios/a.md", page("A", "Text."))
        .build();
    let meta = |text: &str| format!("<meta name=\"description\" content=\"{text}\">");
    site.page("/").shows(&meta("Tour"));
    site.page("/tour/").shows(&meta("Tour: Web, iOS"));
    site.page("/tour/compare/")
        .shows(&meta("Tour: Every step and every setting on each platform. Matching rows are gray."));
}

#[test]
fn a_description_is_the_authors_unless_it_contains_html() {
    for (description, expected) in [("If 1 < 2", "If 1 &lt; 2"), ("A <b>tour</b>", "Some more text.")] {
        let text = format!("---\ntitle: A\ndescription: {description}\n---\n\nSome more text.\n");
        let site = SiteTest::empty().edit("content/a.md", text).build();
        site.page("/a/").shows(&format!("<meta name=\"description\" content=\"{expected}\">"));
    }
}
