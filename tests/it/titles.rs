//! A page has one level-1 heading.

use crate::support::SiteTest;

#[test]
fn a_page_has_one_title_regardless_of_its_text() {
    let page = |title: &str, text: &str| format!("---\ntitle: {title}\norder: 1\n---\n\n{text}\n");
    let site = SiteTest::empty()
        .edit("content/own.md", page("Own", "# Own\n\nText.\n\n# More\n\n## Deep"))
        .edit("content/other.md", page("Other", "# First\n\nText.\n\n# Second\n\nText."))
        .edit("content/tour/web/a.md", page("A", "# A\n\nText.\n\n# More\n\nText."))
        .edit("content/tour/ios/a.md", page("A", "# A\n\nText."))
        .build();
    site.page("/own/").shows_once("<h1").shows("<h1 id=\"own\">Own</h1>").shows("<h2 id=\"more\">More</h2>");
    site.page("/other/")
        .shows_once("<h1")
        .shows("<h1>Other</h1>")
        .shows("<h2 id=\"first\">First</h2>")
        .shows("<li class=\"level-2\"><a href=\"#second\">Second</a></li>");
    site.page("/tour/web/a/").shows_once("<h1").shows("<h1 id=\"a\">A</h1>");
    site.page("/tour/web/print/").shows_once("<h1").shows("<h2 id=\"step-a.a\">A</h2>");
    let found: Vec<_> = site.findings().into_iter().filter(|it| it.code == "multiple-h1").collect();
    let files: Vec<&str> = found.iter().map(|it| it.file.as_str()).collect();
    assert_eq!(files, ["content/other.md", "content/own.md", "content/tour/web/a.md"]);
}

#[test]
fn contents_list_headings_of_levels_two_and_three() {
    let text = "---\ntitle: Deep\norder: 1\n---\n\n## Two\n\n### Three\n\n#### Four\n\n##### Five\n";
    let site = SiteTest::empty()
        .edit("content/deep.md", text)
        .edit("content/tour/web/deep.md", text)
        .edit("content/tour/ios/deep.md", text)
        .build();
    for address in ["/deep/", "/tour/web/deep/"] {
        site.page(address)
            .shows("<li class=\"level-2\"><a href=\"#two\">Two</a></li>")
            .shows("<li class=\"level-3\"><a href=\"#three\">Three</a></li>")
            .shows("<h4 id=\"four\">Four</h4>")
            .lacks("href=\"#four\"")
            .lacks("href=\"#five\"");
    }
}
