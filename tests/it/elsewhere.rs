//! A row of a settings table says what the other platforms have, where that differs.

use crate::support::{Shown, SiteTest};

fn step(rows: &str) -> String {
    format!(
        "---\ntitle: Connect\norder: 1\n---\n\n## Keys\n\n| Setting | Value | Description |\n| - | - | - |\n{}\n",
        rows.replace("; ", "\n")
    )
}

/// Three platforms whose tables differ in a value, a row and a description.
fn differing() -> SiteTest {
    SiteTest::empty()
        .edit("content/tour/web/connect.md", step("| Batch | on | Sends. |; | Mode | live & dry | Runs. |"))
        .edit("content/tour/ios/connect.md", step("| Batch | on | Posts it. |; | Mode | test | Runs. |"))
        .edit("content/tour/android/connect.md", step("| Batch | on | Sends. |"))
}

/// The row of a setting, with its content.
fn row(page: &Shown, setting: &str) -> String {
    let (_, rest) = page.html.split_once(&format!("<tr id=\"setting-{setting}\">")).expect("a row");
    rest.split("</tr>").next().unwrap_or_default().to_string()
}

#[test]
fn a_row_says_what_differs_and_leads_there() {
    let site = differing().build();
    let web = site.page("/tour/web/connect/");
    assert!(!row(&web, "batch").contains("<details"), "a description is no value: {}", web.html);
    let mode = row(&web, "mode");
    for part in [
        "<summary>On the other platforms<span class=\"unseen\">: Mode</span></summary>",
        "<li><a href=\"/tour/ios/connect/#setting-mode\">iOS</a> <span>test</span></li>",
        "<li><a href=\"/tour/android/connect/\">not on Android</a></li>",
    ] {
        assert!(mode.contains(part), "no {part} in {mode}");
    }
    let ios = row(&site.page("/tour/ios/connect/"), "mode");
    assert!(ios.contains("/tour/web/connect/#setting-mode\">Web</a> <span>live &amp; dry</span>"), "{ios}");
    site.page("/tour/android/connect/").lacks("<details class=\"elsewhere\"");
    site.page("/tour/web/print/").lacks("<details class=\"elsewhere\"");
}

#[test]
fn its_links_are_written_as_all_others() {
    let site = differing();
    site.run(&["build", "--relative"]).exits(0);
    site.page("/tour/web/connect/").shows("<a href=\"../../ios/connect/index.html#setting-mode\">iOS</a>");
    site.run(&["build", "--base-url", "/docs/"]).exits(0);
    site.page("/tour/web/connect/").shows("<a href=\"/docs/tour/ios/connect/#setting-mode\">iOS</a>");
}

#[test]
fn rows_of_platforms_that_agree_show_nothing() {
    let config = "[drift]\nvalues = [[\"live & dry\", \"test\"]]\n";
    let site = differing().edit("stepkin.toml", config).remove("content/tour/android/connect.md").build();
    site.page("/tour/web/connect/").lacks("<details class=\"elsewhere\"");
    let other_table = "---\ntitle: Connect\norder: 1\n---\n\n## Keys\n\nThere are none.\n";
    let site = site.edit("content/tour/ios/connect.md", other_table).build();
    site.page("/tour/web/connect/").lacks("<details class=\"elsewhere\"");
}

#[test]
fn several_values_are_named_by_their_columns() {
    let step = |rest: &str| {
        format!(
            "---\ntitle: Connect\norder: 1\n---\n\n| Key | Default | Best |\n| - | - | - |\n| Size | {rest} |\n"
        )
    };
    let site = SiteTest::empty()
        .edit("content/tour/web/connect.md", step("1 | 2"))
        .edit("content/tour/ios/connect.md", step("1 | "))
        .build();
    site.page("/tour/web/connect/").shows("iOS</a> <span>Best: empty</span></li>");
    site.page("/tour/ios/connect/").shows("Web</a> <span>Best: 2</span></li>");
}
