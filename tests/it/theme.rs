//! Files that a site may replace: styles and scripts, templates, and words.

use crate::support::SiteTest;

/// Returns the URL of a page's style sheet.
fn style(site: &SiteTest) -> String {
    let page = site.page("/garden/web/sow/").html;
    let (_, rest) = page.split_once("<link rel=\"stylesheet\" href=\"").expect("pages have a style");
    rest.split('"').next().unwrap_or_default().to_string()
}

/// Returns the file in the output for a URL under `base`.
fn file(base: &str, address: &str) -> String {
    format!("dist/{}", address.strip_prefix(base).unwrap_or_else(|| panic!("{address} is not below {base}")))
}

#[test]
fn files_that_pages_load_are_named_by_their_content() {
    let site = SiteTest::fixture("three-steps").build();
    let built_in = style(&site);
    let digits = built_in.strip_prefix("/_stepkin/site.").and_then(|name| name.strip_suffix(".css"));
    assert!(digits.is_some_and(|digits| digits.len() == 10), "{built_in}");
    assert!(site.text(&file("/", &built_in)).contains("--"));

    let site = site.edit("static/_stepkin/site.css", "main { color: red }").build();
    let own = style(&site);
    assert_ne!(own, built_in);
    assert_eq!(site.text(&file("/", &own)), "main { color: red }");
    assert!(!site.path(&file("/", &built_in)).exists() && !site.path("dist/_stepkin/site.css").exists());

    let site = site.edit("static/_stepkin/site.css", "main { color: blue }").build();
    assert_ne!(style(&site), own);
    let site = site.edit("static/_stepkin/site.css", "main { color: red }").build();
    assert_eq!(style(&site), own);
}

#[test]
fn files_that_pages_load_are_found_wherever_the_site_is() {
    let site = SiteTest::fixture("three-steps");
    site.run(&["build", "--base-url", "/below/"]).exits(0);
    assert!(site.path(&file("/below/", &style(&site))).exists());
    site.run(&["build", "--relative"]).exits(0);
    assert!(site.path(&file("../../../", &style(&site))).exists());
}

#[test]
fn a_template_names_files_by_their_own_names() {
    let site = SiteTest::fixture("three-steps")
        .edit("static/_stepkin/own.css", "")
        .edit("templates/home.html", "{{ site.assets[\"own.css\"] }} {{ site.assets[\"site.css\"] }}")
        .build();
    site.page("/").shows("/_stepkin/own.css /_stepkin/site.");
    let site = site.edit("templates/home.html", "{{ site.assets[\"owm.css\"] }}");
    let run = site.run(&["build"]).exits(1);
    assert!(run.stdout.contains("template-error"), "{}", run.stdout);
}

#[test]
fn theme_files_are_listed_copied_and_compared() {
    let site = SiteTest::fixture("three-steps").edit("static/_stepkin/site.js", "// mine\n");
    site.run(&["theme", "diff", "step.html"]).exits(0).says("the site doesn't override this file");
    site.run(&["theme", "eject", "step.html"]).exits(0).says("created `templates/step.html`");
    site.run(&["theme", "eject", "templates/words/de.toml"]).exits(0);
    site.run(&["theme", "eject", "step.html"])
        .exits(2)
        .says("it already exists; use `--force` to overwrite it");
    site.run(&["theme", "eject", "stepp.html"]).exits(2).says("did you mean `step.html`?");

    let site = site.replace("templates/step.html", "class=\"eyebrow\"", "class=\"brow\"");
    let list = site.run(&["theme", "list"]).exits(0).stdout;
    let line = |path: &str| list.lines().find(|line| line.split(' ').next() == Some(path)).expect(path);
    let state = |path: &str| line(path).split_whitespace().nth(1).expect("a state or a purpose").to_string();
    assert_eq!(state("templates/step.html"), "yours");
    assert_eq!(state("templates/words/de.toml"), "same");
    assert_eq!(state("static/_stepkin/site.js"), "yours");
    assert!(
        line("templates/home.html")
            .ends_with("  Home page: its text, all tutorials, and the sections of other pages. If the site has one tutorial, its steps.")
    );

    let diff = site
        .run(&["theme", "diff"])
        .exits(0)
        .reports("--- built-in/templates/step.html\n+++ templates/step.html\n");
    let changed: Vec<&str> = diff.stdout.lines().filter(|line| line.contains("brow\"")).collect();
    assert_eq!(changed.len(), 2);
    assert!(changed[0].starts_with("-<p class=\"eyebrow\"") && changed[1].starts_with("+<p class=\"brow\""));
    assert!(diff.stdout.contains("+// mine") && !diff.stdout.contains("de.toml"));
    assert_eq!(site.run(&["theme", "diff", "words/de.toml"]).exits(0).stdout, "");

    site.run(&["theme", "eject", "step.html", "--force"]).exits(0);
    assert_eq!(site.run(&["theme", "diff", "step.html"]).exits(0).stdout, "");
    assert_eq!(site.findings(), []);
}

#[test]
fn a_site_of_copies_is_the_same_site() {
    let site = SiteTest::fixture("three-steps").build();
    let built_in = site.output();
    let list = site.run(&["theme", "list"]).exits(0).stdout;
    for path in list.lines().filter_map(|line| line.split(' ').next()) {
        site.run(&["theme", "eject", path]).exits(0);
    }
    let site = site.build();
    crate::support::check_same_tree(&site.output(), &built_in, "copies");
}

const CARD: &str = "<section class=\"card\"><h3>{% if block.href %}<a href=\"{{ block.href }}\">{{ block.title }}</a>\
    {% else %}{{ block.title }}{% endif %}</h3>{{ body | safe }}</section>\n";

#[test]
fn a_site_has_blocks_of_its_own() {
    let page = ":::card title=\"Seeds & soil\" href=\"/garden/web/sow/\"\nWhat **you** need.\n:::\n\n\
        1. First\n\n   ::::card title='In a {thing}'\n   :::note\n   Inside.\n   :::\n   ::::\n";
    let site = SiteTest::fixture("three-steps")
        .edit("stepkin.toml", "[variables]\nthing = \"list\"\n")
        .edit("templates/blocks/card.html", CARD)
        .edit("content/more.md", format!("---\ntitle: More\n---\n\n{page}"))
        .build();
    let link = "<section class=\"card\"><h3><a href=\"/garden/web/sow/\">Seeds &amp; soil</a></h3><p>What <strong>you</strong> need.</p>";
    site.page("/more/").shows(link).shows("<h3>In a list</h3><div class=\"note\"").lacks(":::");
    assert!(
        site.text("dist/more/index.md").contains("**Seeds & soil**\n\nWhat **you** need."),
        "{}",
        site.text("dist/more/index.md")
    );
    site.run(&["build", "--relative"]).exits(0);
    site.page("/more/").shows("href=\"../garden/web/sow/index.html\"");

    // A changed template changes its pages, and a new attribute is checked.
    let site = site.replace("templates/blocks/card.html", "<section", "<article").build();
    site.page("/more/").shows("<article class=\"card\">").lacks("<section class=\"card\">");
    let cold = SiteTest::fixture("three-steps");
    for file in ["stepkin.toml", "templates/blocks/card.html", "content/more.md"] {
        cold.write(file, site.text(file));
    }
    crate::support::check_same_tree(&site.output(), &cold.build().output(), "a warm build");
    let server = crate::support::server::Server::start(&site.root(), &[]);
    site.write("templates/blocks/card.html", CARD.replace("<section", "<div"));
    server.shows("/more/", "<div class=\"card\">");
    drop(server);

    let site = site.edit("templates/blocks/card.html", format!("{CARD}{{{{ block.icon }}}}"));
    let missing = "the block `card` lacks the attribute `icon`";
    site.run(&["check"])
        .exits(1)
        .reports("error[block-attribute]")
        .reports(missing)
        .reports("content/more.md:5:4");
    let site = site.edit("templates/blocks/card.html", CARD).replace("content/more.md", "sow/\"", "sew/\"");
    site.run(&["check"]).exits(1).reports("error[missing-page]").reports("content/more.md:5:36");
    let site = site.remove("templates/blocks/card.html");
    site.run(&["check"]).exits(0).reports("warning[unknown-directive]");
}

#[test]
fn errors_in_the_template_of_a_block_have_a_place() {
    let site = SiteTest::fixture("three-steps").edit("templates/blocks/card.html", "\n{{ blok.title }}");
    site.run(&["check"]).exits(1).reports("error[template-error]").reports("templates/blocks/card.html:2:4");
    let site = site.edit("templates/blocks/card.html", "").edit("templates/blocks/tip.html", "{{ body }}");
    site.run(&["check"])
        .exits(1)
        .reports("templates/blocks/tip.html")
        .reports("`:::tip` has a meaning of its own");
}

#[test]
fn lines_of_code_are_numbered_and_marked() {
    let code =
        "```js ins={2} del={1} focus={2-3} {3} showLineNumbers\nlet a = 1;\nlet b = 2;\nlet c = 3;\n```\n";
    let site = SiteTest::fixture("three-steps")
        .edit("content/more.md", format!("---\ntitle: More\n---\n\n{code}"))
        .build();
    let page = site.page("/more/").shows_once("<link rel=\"stylesheet\" href=\"/_stepkin/code.");
    let page = page.shows("<pre tabindex=\"0\" data-lines=\"numbered focused\" data-language=\"js\">");
    let page =
        page.shows("<span data-line=\"1\"><del>").shows("<span data-line=\"2\" class=\"focused\"><ins>");
    page.shows("<span data-line=\"3\" class=\"focused\"><mark>");
    site.page("/garden/web/sow/").lacks("/_stepkin/code.");
}

#[test]
fn pages_link_to_the_form_for_feedback() {
    let site =
        SiteTest::fixture("three-steps").edit("content/more.md", "---\ntitle: More & more\n---\n").build();
    site.page("/more/").lacks("helpful");
    let config =
        "base_url = 'https://e.org/'\n[feedback]\nurl = 'https://f.org/?p={page}&t={title}&a={answer}'\n";
    let site = site.edit("stepkin.toml", config).build();
    let link = "href=\"https://f.org/?p=https%3A%2F%2Fe%2Eorg%2Fmore%2F&amp;t=More%20%26%20more&amp;a=";
    let page = site.page("/more/");
    assert!(page.html.contains(link), "{}", page.html);
    page.shows("Was this page helpful?").shows("a=yes\">Yes</a>").shows("a=no\">No</a>").lacks("Stuck here?");
    site.page("/garden/web/sow/").shows("a=stuck\">Stuck here?</a>");
    let site = site.edit("stepkin.toml", "[feedback]\nurl = 'mailto:help@e.org?subject={page}'\n").build();
    site.page("/more/")
        .shows("href=\"mailto:help@e.org?subject=%2Fmore%2F\">Stuck here?</a>")
        .lacks("helpful");
}
