//! A row of a settings table shows the differing values of other platforms.

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

/// Returns the row of a setting with its content.
fn row(page: &Shown, setting: &str) -> String {
    let (_, rest) = page.html.split_once(&format!("<tr id=\"setting-{setting}\">")).expect("a row");
    rest.split("</tr>").next().unwrap_or_default().to_string()
}

#[test]
fn a_row_describes_the_difference_and_links_to_it() {
    let site = differing().build();
    let web = site.page("/tour/web/connect/");
    assert!(!row(&web, "batch").contains("elsewhere"), "a description is no value: {}", web.html);
    let mode = row(&web, "mode");
    for part in [
        "<li>test on <a href=\"/tour/ios/connect/#setting-mode\">iOS</a></li>",
        "<li>not on <a href=\"/tour/android/connect/\">Android</a></li>",
    ] {
        assert!(mode.contains(part), "no {part} in {mode}");
    }
    let ios = row(&site.page("/tour/ios/connect/"), "mode");
    assert!(
        ios.contains("<li>live &amp; dry on <a href=\"/tour/web/connect/#setting-mode\">Web</a></li>"),
        "{ios}"
    );
    site.page("/tour/android/connect/").lacks("class=\"elsewhere\"");
    site.page("/tour/web/print/").lacks("class=\"elsewhere\"");
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
fn platforms_with_the_same_value_are_named_together() {
    let row = |value: &str| {
        format!("---\ntitle: Connect\norder: 1\n---\n\n| Key | Value |\n| - | - |\n| Size | {value} |\n")
    };
    let site = SiteTest::empty()
        .edit("content/tour/web/connect.md", row("1"))
        .edit("content/tour/ios/connect.md", row("1"))
        .edit("content/tour/android/connect.md", row("2"))
        .build();
    site.page("/tour/android/connect/").shows(
        "<li>1 on <a href=\"/tour/web/connect/#setting-size\">Web</a>, <a href=\"/tour/ios/connect/#setting-size\">iOS</a></li>",
    );
}

#[test]
fn rows_of_platforms_that_agree_show_nothing() {
    let config = "[drift]\nvalues = [[\"live & dry\", \"test\"]]\n";
    let site = differing().edit("stepkin.toml", config).remove("content/tour/android/connect.md").build();
    site.page("/tour/web/connect/").lacks("class=\"elsewhere\"");
    let other_table = "---\ntitle: Connect\norder: 1\n---\n\n## Keys\n\nThere are none.\n";
    let site = site.edit("content/tour/ios/connect.md", other_table).build();
    site.page("/tour/web/connect/").lacks("class=\"elsewhere\"");
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
    site.page("/tour/web/connect/")
        .shows("<li>Best: empty on <a href=\"/tour/ios/connect/#setting-size\">iOS</a></li>");
    site.page("/tour/ios/connect/")
        .shows("<li>Best: 2 on <a href=\"/tour/web/connect/#setting-size\">Web</a></li>");
}
