//! Pages of other generators with content for several platforms, marked by the site's own elements.

use serde_json::Value;

use crate::support::SiteTest;

const DOCUSAURUS: (&str, &str) =
    ("docusaurus.config.js", "module.exports = { presets: [['classic', { docs: { routeBasePath: '/' } }]] }");
const VITEPRESS: (&str, &str) = ("docs/.vitepress/config.mts", "export default { title: 'Lamps' }");
const HUGO: (&str, &str) = ("hugo.toml", "baseURL = 'https://a.example/'\n");

fn site(config: (&str, &str), pages: &[(&str, &str)]) -> SiteTest {
    let site = SiteTest::rootless();
    site.write(config.0, config.1);
    for (path, text) in pages {
        site.write(path, format!("---\ntitle: Pair a lamp\n---\n\n{text}"));
    }
    site
}

fn found(site: &SiteTest, command: &str) -> Vec<Value> {
    site.run(&[command, "--format", "json"]).json()
}

/// Checks the findings of `drift` for a page.
#[track_caller]
fn check(config: (&str, &str), path: &str, page: &str, expected: &[&str]) {
    let found = found(&site(config, &[(path, page)]), "drift");
    let messages: Vec<&str> = found.iter().filter_map(|it| it["message"].as_str()).collect();
    assert_eq!(messages, expected, "{page}");
    for finding in &found {
        assert_eq!(finding["file"], path);
        assert_eq!(finding["data"]["family"], "within-pages");
    }
}

const FOR_IOS: &str = "Hold the lamp near the phone until its light turns green, and let go.";
const FOR_ANDROID: &str = "Hold the lamp near the phone until its light turns blue, and let go.";

#[test]
fn versions_within_a_page_are_compared_in_every_notation() {
    let differs = |config, path, ios: (&str, &str), android: (&str, &str)| {
        let page = format!(
            "For all.\n\n{}\n\n{FOR_IOS}\n\n{}\n\n{}\n\n{FOR_ANDROID}\n\n{}\n",
            ios.0, ios.1, android.0, android.1
        );
        let expected: &[&str] = &[
            "iOS words `Hold the lamp near the phone until its light turns green,…` differently from Android",
        ];
        check(config, path, &page, expected);
    };
    let mdx = "docs/pair.mdx";
    differs(DOCUSAURUS, mdx, ("<If sdk=\"ios\">", "</If>"), ("<If sdk=\"android\">", "</If>"));
    differs(DOCUSAURUS, mdx, ("<Only on={['ios']}>", "</Only>"), ("<Only on={[\"android\"]}>", "</Only>"));
    let (ios, android) = ("<Filter\n  platforms={[\n    'iOS',\n  ]}\n>", "<Filter platforms={['Android']}>");
    differs(DOCUSAURUS, mdx, (ios, "</Filter>"), (android, "</Filter>"));
    differs(
        DOCUSAURUS,
        mdx,
        ("<Tabs>\n<TabItem value=\"a\" label=\"iOS\">", "</TabItem>"),
        ("<TabItem value=\"b\" label=\"Android\">", "</TabItem>\n</Tabs>"),
    );
    differs(VITEPRESS, "docs/pair.md", ("<For os=\"ios\">", "</For>"), ("<For os=\"android\">", "</For>"));
    let (ios, android) = (("{{% on \"ios\" %}}", "{{% /on %}}"), ("{{% on \"android\" %}}", "{{% /on %}}"));
    differs(HUGO, "content/pair.md", ios, android);
    let (ios, android) =
        (("{{< for os=\"ios\" >}}", "{{< /for >}}"), ("{{< for os=\"android\" >}}", "{{< /for >}}"));
    differs(HUGO, "content/pair.md", ios, android);
}

#[test]
fn content_for_all_others_is_not_a_version_of_the_listed_ones() {
    let page = format!(
        "<If notSdk=\"android\">\n\n{FOR_IOS}\n\n</If>\n\n<If sdk=\"android\">\n\n{FOR_ANDROID}\n\n</If>\n\n\
         <If sdk={{[\"ios\", \"android\"]}}>\n\nFor both.\n\n</If>\n"
    );
    check(
        DOCUSAURUS,
        "docs/pair.mdx",
        &page,
        &["iOS words `Hold the lamp near the phone until its light turns green,…` differently from Android"],
    );
}

#[test]
fn marked_content_is_not_missing_on_other_platforms() {
    let page = "<If sdk=\"ios\">\n\n## Pair by hand\n\nPress the button on the back.\n\n</If>\n\n\
                <If sdk=\"android\">\n\nNothing else is to be done.\n\n</If>\n";
    check(DOCUSAURUS, "docs/pair.mdx", page, &[]);
    // A row in a table that both contain was forgotten.
    let table =
        |rows: &str| format!("| Setting | Description |\n| --- | --- |\n| `light` | Its color. |\n{rows}");
    let page = format!(
        "<If sdk=\"ios\">\n\n{}\n</If>\n\n<If sdk=\"android\">\n\n{}\n</If>\n",
        table("| `fade` | How fast it changes. |\n| `name` | What it is called. |\n"),
        table("| `name` | What it is called. |\n")
    );
    check(DOCUSAURUS, "docs/pair.mdx", &page, &["only iOS has the setting `fade`: Android doesn't"]);
}

#[test]
fn attributes_with_other_values_mark_no_platforms() {
    let page = |one: &str, other: &str| {
        format!(
            "<Box kind=\"{one}\">\n\n{FOR_IOS}\n\n</Box>\n\n<Box kind=\"{other}\">\n\n{FOR_ANDROID}\n\n</Box>\n"
        )
    };
    let site = |others: &str| {
        site(DOCUSAURUS, &[("docs/a.mdx", &page("ios", "android")), ("docs/b.mdx", &format!("{others}\n"))])
    };
    assert_eq!(found(&site(""), "drift").len(), 1);
    let others = ["red", "green", "blue"].map(|kind| format!("<Box kind=\"{kind}\">\n\nA box.\n\n</Box>\n"));
    let run = site(&others.concat()).run(&["drift"]);
    assert!(run.stderr.contains("no family"), "{}", run.stderr);
    let run = self::site(DOCUSAURUS, &[("docs/a.mdx", &page("light", "dark"))]).run(&["drift"]);
    assert!(run.stderr.contains("no family"), "{}", run.stderr);
}

#[test]
fn versions_of_different_pages_are_not_compared() {
    let page = |platform: &str, other: &str, text: &str| {
        format!("<If sdk=\"{platform}\">\n\n{text}\n\n</If>\n\n<If sdk=\"{other}\">\n\nNothing.\n\n</If>\n")
    };
    let (one, other) = (page("ios", "web", FOR_IOS), page("android", "react", FOR_ANDROID));
    let site = site(DOCUSAURUS, &[("docs/a.mdx", &one), ("docs/b.mdx", &other)]);
    assert_eq!(found(&site, "drift"), [] as [Value; 0]);
}

#[test]
fn a_link_to_a_heading_that_its_readers_are_not_shown_is_found() {
    let page = |link: &str| {
        format!(
            "# Pair\n\n[all](#common)\n\n<If sdk=\"ios\">\n\n[below](#{link})\n\n## By hand\n\nPress it.\n\n</If>\n\n\
             <If sdk=\"android\">\n\n## By touch\n\nTouch it.\n\n</If>\n\n## Common\n\nText.\n"
        )
    };
    let of = |page: &str| {
        let found = found(&site(DOCUSAURUS, &[("docs/pair.mdx", page)]), "check");
        let messages = found.iter().filter(|it| it["code"] == "missing-anchor");
        messages
            .map(|it| format!("{}: {}", it["line"], it["message"].as_str().unwrap_or_default()))
            .collect::<Vec<_>>()
    };
    assert_eq!(of(&page("by-hand")), [] as [String; 0]);
    assert_eq!(
        of(&page("by-touch")),
        ["11: `#by-touch` exists on this page only for Android, but the link is also shown for iOS"]
    );
}

#[test]
fn the_first_lines_say_that_pages_have_versions() {
    let page =
        format!("<If sdk=\"ios\">\n\n{FOR_IOS}\n\n</If>\n\n<If sdk=\"android\">\n\n{FOR_ANDROID}\n\n</If>\n");
    let site = site(DOCUSAURUS, &[("docs/pair.mdx", &page)]);
    let run = site.run(&["drift"]);
    let family = "1 page, 1 family: Versions within pages for iOS, Android (1 step)";
    assert!(run.stderr.contains(family), "{}", run.stderr);
    assert!(run.stdout.contains("1 text differs") && run.stdout.contains("in 1 page"), "{}", run.stdout);
    let only = site.run(&["drift", "within-pages", "--format", "json"]);
    assert_eq!(only.stdout.lines().count(), 1, "{}", only.stderr);
    site.run(&["drift", "--html", "report.html"]).exits(0);
    assert!(site.text("report.html").contains("Versions within pages"));
}
