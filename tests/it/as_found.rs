//! Tutorials as their authors left them: one platform under another root, hand-written navigation, damaged
//! characters, missing images. They build without changes, and `check` reports each problem at its location.

use crate::support::{Run, SiteTest};

/// Every page with the platforms to which it should link.
const PAGES: [(&str, [&str; 2]); 3] = [
    ("/guides/first-loaf/web/bake/", ["/guides/first-loaf/ios/bake/", "/guides/lessons/android/bake/"]),
    ("/guides/first-loaf/ios/bake/", ["/guides/first-loaf/web/bake/", "/guides/lessons/android/bake/"]),
    ("/guides/lessons/android/bake/", ["/guides/first-loaf/web/bake/", "/guides/first-loaf/ios/bake/"]),
];

const GATHERED: &str = r#"
[[family]]
id = "first-loaf"

[[family.platform]]
id = "web"
root = "guides/first-loaf/web"

[[family.platform]]
id = "ios"
root = "guides/first-loaf/ios"

[[family.platform]]
id = "android"
root = "guides/lessons/android"
"#;

#[test]
fn pages_as_found_are_published_clean() {
    let site = SiteTest::fixture("as-found").build();
    for (address, _) in PAGES {
        site.page(address)
            .shows_once("<h1")
            .shows(
                "<h2 id=\"41-light-your-oven\"><span id=\"light-your-oven\"></span>4.1 Light your oven</h2>",
            )
            .shows("The oven won’t start")
            .shows_once("role=\"note\"")
            .shows("It may take up to 40 minutes")
            // Images and a table are between the steps, but the list is one list.
            .shows_once("<ol>\n<li>\n<p>In the kitchen app")
            .lacks("<ol start=")
            .shows("<tr id=\"setting-steam-vent\"><th scope=\"row\">Steam Vent</th>")
            .lacks("â€")
            .lacks("<< Previous")
            .lacks("&lt;&lt; Previous")
            .lacks("Let it cool")
            .lacks("float")
            .lacks("<br")
            .lacks("<aside");
    }
}

#[test]
fn two_platforms_are_found_and_the_third_is_proposed() {
    let site = SiteTest::fixture("as-found").build();
    site.page("/guides/first-loaf/web/bake/")
        .shows("href=\"/guides/first-loaf/ios/bake/\"")
        .lacks("/guides/lessons/android/");
    site.page("/guides/first-loaf/ios/bake/").shows("href=\"/guides/first-loaf/web/bake/\"");
    site.page("/guides/lessons/android/bake/").lacks("class=\"platforms\"");
    let proposals: Vec<_> =
        site.findings().into_iter().filter(|finding| finding.code == "lone-platform").collect();
    let [proposal] = proposals.as_slice() else { panic!("one proposal: {proposals:?}") };
    let help = proposal.help.as_deref().unwrap_or_default();
    assert!(
        help.contains("id = \"android\"") && help.contains("root = \"guides/lessons/android\""),
        "{help}"
    );
}

#[test]
fn three_roots_in_the_configuration_are_one_family() {
    let site = SiteTest::fixture("as-found").edit("stepkin.toml", GATHERED).build();
    for (address, siblings) in PAGES {
        for sibling in siblings {
            site.page(address).shows(&format!("href=\"{sibling}\""));
        }
    }
    assert!(site.findings().iter().all(|finding| finding.code != "lone-platform"));
}

#[test]
fn the_report_names_every_place() {
    let site = SiteTest::fixture("as-found");
    let report = site.run(&["check", "--all"]).exits(1);
    for (address, _) in PAGES {
        let file = format!("content{}.md", address.trim_end_matches('/'));
        let text = site.text(&file);
        let broken = text.lines().zip(1..).filter_map(|(line, number)| {
            let image = line.strip_prefix("![](");
            let column = image.map(|_| 5).or_else(|| line.starts_with("<a href=").then_some(10))?;
            let start = column - 1;
            let end = start + line[start..].find([')', '"'])?;
            Some((number, column, &line[start..end]))
        });
        for (number, column, target) in broken {
            check_named(&report, &file, number, column, target);
        }
    }
}

/// The human report shows the location and the line.
#[track_caller]
fn check_named(report: &Run, file: &str, line: usize, column: usize, target: &str) {
    let place = format!("--> {file}:{line}:{column}\n");
    let findings = report.stdout.split("\n\n");
    let about: Vec<_> = findings.filter(|finding| finding.contains(&place)).collect();
    assert!(
        about.iter().any(|finding| finding.contains(&format!("`{target}` doesn't exist"))),
        "{place}{about:?}"
    );
}

#[test]
fn a_page_that_opens_with_its_title_shows_it_once() {
    for title in ["Light it", "Wonâ€™t it burn?"] {
        let page = format!("---\ntitle: {title}\n---\n\n# {title}\n\nText.\n");
        SiteTest::empty().edit("content/light.md", page).build().page("/light/").shows_once("<h1");
    }
}
