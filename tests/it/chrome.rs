//! The parts of every page from the configuration.

use crate::support::SiteTest;

const CONFIG: &str = r#"
title = "Acme"
base_url = "https://docs.example.com/sub/"
head = "<script>if (a < b) c = '<p>'</script>\n<script defer src=\"/count.js\"></script>"

[header]
logo = "/logo.svg"
links = [{ title = "About", url = "/about" }, { title = "Blog & more", url = "https://example.com/?a=1&b=2" }]

[footer]
text = "© Acme <Inc.>"
links = [{ title = "Imprint", url = "/about/" }]
"#;

const LOGO: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"></svg>"#;

fn site() -> SiteTest {
    SiteTest::empty()
        .edit("stepkin.toml", CONFIG)
        .edit("content/about.md", "# About\n")
        .edit("content/deep/page.md", "# Page\n")
        .edit("static/count.js", "")
        .edit("static/logo.svg", LOGO)
}

#[test]
fn logo_links_and_head_are_on_every_page() {
    let site = site();
    site.run(&["check", "--fail-on", "info"]).exits(0);
    let site = site.build();
    for page in ["/", "/about/", "/deep/page/", "/404.html"] {
        let path = if page == "/404.html" { "dist/404.html".into() } else { format!("dist{page}index.html") };
        let html = site.text(&path);
        for part in [
            r"<script>if (a < b) c = '<p>'</script>",
            r#"<script defer src="/sub/count.js"></script>"#,
            r#"<a class="brand" href="/sub/"><img src="/sub/logo.svg" alt="" width="120" height="40"> Acme</a>"#,
            r#"<a href="/sub/about/">About</a>"#,
            r#"<a href="https://example.com/?a=1&amp;b=2">Blog &amp; more</a>"#,
            r"<p>© Acme &lt;Inc.&gt;</p>",
            r#"<p><a href="/sub/about/">Imprint</a></p>"#,
            r#"href="/sub/_stepkin/header."#,
        ] {
            assert!(html.contains(part), "no {part} in {html}");
        }
    }
}

#[test]
fn links_of_every_page_can_be_relative() {
    let site = site();
    site.run(&["build", "--relative"]).exits(0);
    let html = site.text("dist/deep/page/index.html");
    for part in [
        r#"src="../../count.js""#,
        r#"<img src="../../logo.svg""#,
        r#"<a href="../../about/index.html">About</a>"#,
    ] {
        assert!(html.contains(part), "no {part} in {html}");
    }
}

#[test]
fn a_site_without_them_loads_nothing_for_them() {
    let site = SiteTest::empty().edit("content/about.md", "# About\n").build();
    let html = site.text("dist/about/index.html");
    assert!(!html.contains("header.") && !html.contains("class=\"links\""), "{html}");
}

#[test]
fn a_change_to_shared_content_renders_all_pages() {
    let site = site().build();
    let dark = site.edit("static/logo.dark.svg", LOGO).build();
    dark.page("/about/").shows(r#"<img class="on-dark" src="/sub/logo.dark.svg" alt="">"#);
    // A page to whose address another link in the header now points.
    let moved = dark.edit("content/about.md", "---\ntitle: About\nslug: us\naliases: /about/\n---\n").build();
    let warm = moved.text("dist/deep/page/index.html");
    moved.run(&["build", "--no-cache", "--output", "cold"]).exits(0);
    assert_eq!(warm, moved.text("cold/deep/page/index.html"));
}

/// Checks the findings of a configuration, each as its rule, its line and column, and its help.
#[track_caller]
fn check(config: &str, expected: &[&str]) {
    let run =
        site().edit("stepkin.toml", config).run(&["check", "--format", "json", "--ignore", "unused-image"]);
    let found: Vec<String> = run
        .json()
        .iter()
        .map(|it| {
            let text = |key: &str| it[key].as_str().expect("a text").to_string();
            format!("{} {}:{} {}", text("code"), it["line"], it["column"], text("help"))
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn links_of_every_page_are_checked() {
    check("header.logo = \"/lgo.svg\"", &["missing-image 1:15 did you mean `/logo.svg`?"]);
    check("image = \"/logo.svg\"", &[]);
    check(
        "[footer]\nlinks = [{ title = \"A\", url = \"/abuot/\" }]",
        &["missing-page 2:31 did you mean `/about/`?"],
    );
    check(
        "head = '<link rel=\"stylesheet\" href=\"/own.css\">'",
        &[
            "missing-file 1:8 use the path of a file as in its URL, such as `/images/card.png` for `static/images/card.png`",
        ],
    );
    check(
        "head = '<meta name=\"a\"><!-- b --><p>x</p>'",
        &[
            "disallowed-element 1:8 use only elements that belong in the head: `<script>`, `<link>`, `<meta>`, `<style>`",
        ],
    );
    let built_elsewhere =
        "check.routes = \"routes.txt\"\nheader.links = [{ title = \"API\", url = \"/api/\" }]";
    let site = site().edit("routes.txt", "/api/*\n").edit("stepkin.toml", built_elsewhere);
    site.run(&["check", "--fail-on", "warning"]).exits(0);
}
