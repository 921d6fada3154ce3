//! Cards: images of pages for social networks. The program here is a script that each test writes.

use crate::support::server::Server;
use crate::support::{SiteTest, check_same_tree, tree};

/// It records its runs, and prints a PNG image of 1200 × 630 pixels with its input in it.
const PROGRAM: &str = "#!/bin/sh\ntext=$(cat)\necho run >> .stepkin/runs\n\
    case \"$text\" in *Broken*) echo 'error: no font' >&2; exit 1;; esac\n\
    printf '\\211PNG\\r\\n\\032\\n\\000\\000\\000\\rIHDR\\000\\000\\004\\260\\000\\000\\002\\166%s' \"$text\"\n\
    printf 'IEND\\256B`\\202'\n";

const CONFIG: &str = "base_url = 'https://e.org/docs/'\ntitle = 'Corner & Shop'\nimage = '/site.svg'\n\
    [theme]\naccent = '#0a6640'\n[cards]\ncommand = ['tools/draw']\n";

fn site() -> SiteTest {
    let site = SiteTest::empty()
        .edit("stepkin.toml", CONFIG)
        .edit("content/index.md", "---\ntitle: Home\n---\n![Pot](/site.svg)\n")
        .edit("content/tour/web/one.md", "---\ntitle: Step 1. Install <it>\norder: 1\n---\nText.\n")
        .edit("content/tour/web/two.md", "---\ntitle: Step 2. Use it\norder: 2\n---\nText.\n")
        .edit("content/tour/ios/one.md", "---\ntitle: Step 1. Install it\norder: 1\n---\nText.\n");
    site.write(".stepkin/runs", "");
    site.write("static/site.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"3\" height=\"3\"/>");
    site.write_program("tools/draw", PROGRAM);
    site
}

/// Returns a published card as text.
fn card(site: &SiteTest, path: &str) -> String {
    let bytes = std::fs::read(site.path(&format!("dist/_cards{path}.png"))).expect("a card");
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn each_page_has_a_card() {
    let site = site();
    site.run(&["build", "--draw"]).exits(0);
    site.page("/tour/web/two/")
        .shows("<meta property=\"og:image\" content=\"https://e.org/docs/_cards/tour/web/two.png\">")
        .shows("<meta property=\"og:image:width\" content=\"1200\">")
        .shows("<meta property=\"og:image:height\" content=\"630\">")
        .shows("<meta property=\"og:image:alt\" content=\"Step 2. Use it · Corner &amp; Shop\">")
        .shows("<meta name=\"twitter:card\" content=\"summary_large_image\">");
    site.page("/").shows("https://e.org/docs/_cards.png").lacks("e.org/docs/site.svg");
    // The overview has no text of its own.
    site.page("/tour/").shows("https://e.org/docs/site.svg").lacks("og:image:width");
    let first = card(&site, "/tour/web/one");
    for part in [">Corner &amp; Shop<", ">Install &lt;it&gt;<", ">Tour · Web<", ">1 of 2<", "#0a6640"] {
        assert!(first.contains(part), "{part}: {first}");
    }
    let home = card(&site, "");
    assert!(home.contains(">Home<") && !home.contains("·"), "{home}");
    assert_eq!(site.recorded_runs(), 4);

    site.run(&["build", "--draw"]).exits(0).says("nothing changed");
    let site = site.replace("content/tour/web/two.md", "Text", "Other text");
    site.run(&["build", "--draw"]).exits(0);
    assert_eq!(site.recorded_runs(), 4, "the text isn't part of the card");
    let site = site.replace("content/tour/web/two.md", "Use it", "Try it");
    site.run(&["build", "--draw"]).exits(0);
    assert_eq!(site.recorded_runs(), 5);
    assert!(card(&site, "/tour/web/two").contains(">Try it<"));
    let before = tree(&site.path("dist"));
    site.run(&["build", "--draw", "--no-cache", "--output", "again"]).exits(0);
    check_same_tree(&tree(&site.path("again")), &before, "without a cache");

    let drawn = site.recorded_runs();
    let server = Server::start(&site.root(), &["--draw"]);
    let answer = server.get("/docs/_cards/tour/web/two.png");
    assert_eq!(answer.header("content-type"), "image/png");
    assert_eq!(answer.text(), card(&site, "/tour/web/two"));
    assert_eq!(site.recorded_runs(), drawn);
}

#[test]
fn no_card_is_drawn_unless_the_command_line_allows_it() {
    let site = site();
    site.run(&["build"]).exits(0).says("pages have no cards: pass `--draw` to run the commands in `[cards]`");
    site.page("/tour/web/two/").shows("https://e.org/docs/site.svg").lacks("og:image:width");
    assert!(!site.path("dist/_cards").exists());
    assert_eq!(site.recorded_runs(), 0);
    // The earlier name of the option.
    site.run(&["build", "--diagrams"]).exits(0);
    assert_eq!(site.recorded_runs(), 4);
}

#[test]
fn a_site_has_a_card_of_its_own() {
    let own = "<svg>{{ page.title }}{% if page.description %}: {{ page.description }}{% endif %}</svg>";
    let site = site().edit("templates/card.svg", own);
    site.run(&["build", "--draw"]).exits(0);
    assert!(card(&site, "/tour/web/one").contains("<svg>Install &lt;it&gt;</svg>"));
    let site = site.edit("templates/card.svg", "<svg>{{ page.titel }}</svg>");
    let found = site.run(&["build", "--draw"]).exits(1).reports("templates/card.svg:1:14");
    assert_eq!(found.stdout.matches("invalid template").count(), 1, "{}", found.stdout);
    // Without running a program, too.
    site.run(&["check"]).reports("templates/card.svg:1:14");
}

#[test]
fn one_cause_is_one_finding() {
    let site = site();
    let build = |site: &SiteTest| {
        site.run(&["build", "--draw", "--report", "found"]).exits(0);
        site.text("found")
    };
    let check = |found: &str, parts: &[&str]| {
        assert_eq!(found.lines().count(), 1, "{found}");
        for part in parts.iter().chain(&["\"code\":\"broken-card\"", "stepkin.toml"]) {
            assert!(found.contains(part), "{part}: {found}");
        }
    };
    let site = site.replace("content/tour/web/two.md", "Use it", "Broken");
    let said = "the card of `content/tour/web/two.md` can't be drawn: `tools/draw`: error: no font";
    check(&build(&site), &[said, "\"line\":7"]);
    site.page("/tour/web/two/").shows("https://e.org/docs/site.svg");

    std::fs::remove_file(site.path("tools/draw")).expect("it is there");
    let site = site.edit("stepkin.toml", CONFIG.replace("Corner", "Old"));
    let said = "the cards of `content/index.md` and 3 more can't be drawn: `tools/draw` can't be started: it isn't installed";
    check(&build(&site), &[said, "install the program"]);
    site.write_program("tools/draw", PROGRAM);
    let site = site.replace("content/tour/web/two.md", "Broken", "Use it");
    assert_eq!(build(&site), "");

    let site = site.edit("stepkin.toml", CONFIG.replace("https://e.org", ""));
    check(&build(&site), &["cards need the site's URL with its host", "pass `--base-url`"]);
    let site = site.edit("stepkin.toml", "[cards]\ncommand = []\n");
    site.run(&["build", "--draw"]).exits(2).says("the command has no program");
}

#[test]
fn a_program_that_prints_another_format_is_reported() {
    let config = CONFIG.replace("'tools/draw'", "'cat'");
    let site = site().edit("stepkin.toml", config);
    site.run(&["build", "--draw"]).exits(0).reports("3 more can't be drawn: `cat` prints no PNG image");
}

#[test]
fn machines_share_the_cards_that_they_drew() {
    let site = site();
    site.write("content/de/index.md", "---\ntitle: Start\n---\nText.\n");
    site.write("content/de/tour/web/one.md", "---\ntitle: Installieren\norder: 1\n---\nText.\n");
    site.run(&["build", "--draw"]).exits(0);
    let expected = tree(&site.path("dist"));
    assert!(expected.contains_key("de/_cards.png"), "{:?}", expected.keys());
    for part in ["1/2", "2/2"] {
        site.run(&["build", "--draw", "--shard", part, "--output", &format!("part{}", &part[..1])]).exits(0);
    }
    let drawn = site.recorded_runs();
    std::fs::remove_file(site.path("tools/draw")).expect("it is there");
    let merge = ["merge", "part1", "part2", "--draw", "--output", "merged", "--cache", "other"];
    site.run(&merge).exits(0);
    check_same_tree(&tree(&site.path("merged")), &expected, "merged");
    assert_eq!(site.recorded_runs(), drawn);
}
