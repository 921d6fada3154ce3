//! Content of other generators' pages that the repository doesn't explain, with one small repository for each cause:
//! it isn't an error, or the actual error is found. Each page is written as its authors would write it.

use crate::support::SiteTest;
use crate::support::cases::cases;

const DOCUSAURUS: (&str, &str) = (
    "docusaurus.config.js",
    "module.exports = { url: 'https://lamp.example', presets: [['classic', { docs: { routeBasePath: '/' } }]] }",
);
const HUGO: (&str, &str) =
    ("hugo.yaml", "baseURL: https://lamp.example\nparams:\n  source: https://git.example/lamp\n");

/// Checks each repository in `syntaxes.txt`: the findings above info, as `rule file`.
#[test]
fn a_construct_that_the_generator_documents_is_no_mistake() {
    let mut wrong = Vec::new();
    for case in cases(include_str!("syntaxes.txt")) {
        let mut found = case.site().run(&["check", "--format", "json"]).json();
        found.retain(|it| it["severity"] != "info");
        let mut found: Vec<String> =
            found.iter().map(|it| format!("{} {}", it["code"], it["file"]).replace('"', "")).collect();
        found.sort();
        if found != case.expected {
            wrong.push(format!("{}: {found:?} and not {:?}", case.name, case.expected));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A site in a folder of a repository is read like the same site in its root.
#[test]
fn a_site_in_a_folder_is_read_as_in_the_root() {
    let texts = [include_str!("syntaxes.txt"), include_str!("planted.txt")];
    let mut wrong = Vec::new();
    for case in texts.into_iter().flat_map(cases) {
        let site = case.site();
        // A theme of GitHub, and what is above a site, are those of the root.
        let is_of_root = case.name.starts_with("a theme of GitHub") || case.name.contains("outside of");
        if is_of_root || !stepkin::input::source::is_site(&site.root()) {
            continue;
        }
        let found = |folder: &str, site: &SiteTest| -> Vec<String> {
            let all = site.run(&["check", "--format", "json"]).json();
            let of_site = all.iter().filter_map(|it| {
                let file = it["file"].as_str().unwrap_or_default().strip_prefix(folder)?;
                Some(format!("{file}:{} {} {}", it["line"], it["code"], it["severity"]))
            });
            let mut all: Vec<String> = of_site.collect();
            all.sort();
            all
        };
        let below = case.site_in("projects/lamp/");
        let (own, moved) = (found("", &site), found("projects/lamp/", &below));
        if own != moved {
            wrong.push(format!("{}: {own:?} and not {moved:?}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn findings_quote_the_author() {
    let check = |files: &[(&str, &str)], expected: &str| {
        let site = SiteTest::rootless();
        for (path, text) in files {
            site.write(path, text);
        }
        let found: Vec<String> = site.findings().into_iter().map(|it| it.message).collect();
        assert!(found.iter().any(|it| it.contains(expected)), "{expected}: {found:?}");
    };
    check(
        &[
            DOCUSAURUS,
            ("docs/a.md", "# A\n\n<Tabs>\n<TabItem value=\"oil\" label=\"Oil\">\n\nBurns.\n\n</Tabs>\n"),
        ],
        "`<TabItem value=\"oil\" label=\"Oil\">`",
    );
    check(
        &[
            ("book.toml", "[book]\n"),
            ("src/SUMMARY.md", "- [A](a.md)\n"),
            ("src/a.md", "# A\n\n[b](./b.md#c)\n"),
            ("src/b.md", "# B\n"),
        ],
        "page `./b.md#c` isn't published",
    );
    check(&[HUGO, ("content/a.md", "---\ntitle: A\n---\n\n{{% alert %}}\nBurns.\n")], "`{{% alert %}}`");
}

#[cfg(unix)]
#[test]
fn images_of_a_linked_page_are_next_to_its_file() {
    let site = SiteTest::rootless()
        .edit(".eleventy.js", "module.exports = () => ({});\n")
        .edit("README.md", "# Lamp\n\n![A lamp](docs/static/lamp.png)\n")
        .edit("docs/use.md", "# Use\n\n[Lamp](README.md)\n")
        .edit("docs/static/lamp.png", "");
    std::os::unix::fs::symlink("../README.md", site.path("docs/README.md")).expect("a link");
    let found = site.findings().into_iter().map(|it| it.code).collect::<Vec<_>>();
    assert!(!found.iter().any(|it| it == "malformed-link" || it == "missing-image"), "{found:?}");
}
