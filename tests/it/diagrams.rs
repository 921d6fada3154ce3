//! Diagrams: code blocks that a program of the site draws. The program here is a script that each test writes.

use crate::support::server::Server;
use crate::support::{SiteTest, check_same_tree, json, tree};

/// It records its runs, and draws everything except broken diagrams.
const PROGRAM: &str = "#!/bin/sh\ntext=$(cat)\necho $text $1 >> .stepkin/runs\n\
    case \"$text\" in *broken*) echo Drawing >&2; echo \"  Error: no line\" >&2; exit 3;; esac\n\
    printf '<svg width=\"100%%\" viewBox=\"0 0 120.5 40\"><text>%s %s</text></svg>' \"$text\" \"$1\"\n";

const CONFIG: &str = "[diagrams.sketch]\ncommand = ['tools/draw']\ndark = ['night']\n";

const PAGE: &str = "---\ntitle: Page\n---\n\nSee:\n\n```sketch\na -> b\n```\n\nAfter.\n\n\
    ```sketch title=\"The <plan> & all\"\nb -> c\n```\n\n```sketch\naccTitle: A & B\nc -> d\n```\n\n```swift\nlet a = 1\n```\n";

fn site() -> SiteTest {
    let site = SiteTest::empty().edit("stepkin.toml", CONFIG).edit("content/page.md", PAGE);
    site.write(".stepkin/runs", "");
    site.write_program("tools/draw", PROGRAM);
    site
}

/// Returns the addresses of the images that a page shows, each with its class.
fn images(html: &str) -> Vec<(String, String)> {
    let part = |text: &str, start: &str| {
        text.split_once(start).and_then(|(_, rest)| rest.split_once('"')).map(|(part, _)| part.to_string())
    };
    let images = html.split("<img src=\"/_diagrams/").skip(1);
    images.filter_map(|rest| Some((rest.split_once('"')?.0.to_string(), part(rest, "class=\"")?))).collect()
}

#[test]
fn a_code_block_is_drawn_once() {
    let site = site();
    site.run(&["build", "--draw"]).exits(0);
    let page = site
        .page("/page/")
        .shows("<p>See:</p>\n<link rel=\"stylesheet\" href=\"/_stepkin/diagram.")
        .shows_once("/_stepkin/diagram.")
        .shows("alt=\"Diagram\" class=\"on-light\" width=\"121\" height=\"40\" loading=\"lazy\">")
        .shows("loading=\"lazy\"></a></figure>\n<p>After.</p>\n<figure class=\"diagram\"><a")
        .shows("</a><figcaption>The &lt;plan&gt; &amp; all</figcaption></figure>")
        .shows("alt=\"The &lt;plan&gt; &amp; all\" class=\"on-dark\"")
        .shows("alt=\"A &amp; B\" class=\"on-light\"")
        .shows("<code class=\"language-swift\">")
        .lacks("language-sketch");
    let images = images(&page.html);
    let classes: Vec<&str> = images.iter().map(|(_, class)| class.as_str()).collect();
    assert_eq!(classes, ["on-light", "on-dark"].repeat(3));
    let drawn = |at: usize| site.text(&format!("dist/_diagrams/{}", images[at].0));
    assert_eq!(
        drawn(0),
        "<svg width=\"121\" height=\"40\" viewBox=\"0 0 120.5 40\"><text>a -> b </text></svg>"
    );
    assert!(drawn(1).contains("<text>a -> b night</text>"), "{}", drawn(1));
    assert!(site.text("dist/page/index.md").contains("```sketch\na -> b\n```"));
    assert_eq!(site.recorded_runs(), 6);

    site.run(&["build", "--draw"]).exits(0).says("nothing changed");
    let site =
        site.replace("content/page.md", "b -> c", "b -> e").replace("content/page.md", "After", "Then");
    site.run(&["build", "--draw"]).exits(0);
    assert_eq!(site.recorded_runs(), 8);
    let before = tree(&site.path("dist"));
    assert_eq!(before.keys().filter(|path| path.starts_with("_diagrams/")).count(), 6);
    site.run(&["build", "--draw", "--no-cache", "--output", "again"]).exits(0);
    check_same_tree(&tree(&site.path("again")), &before, "without a cache");
}

#[test]
fn no_program_of_the_site_is_run_unless_the_command_line_allows_it() {
    let site = site();
    let said = "diagrams are shown as code: pass `--draw` to run the commands in `[diagrams]`";
    site.run(&["build"]).exits(0).says(said);
    assert!(site.findings().is_empty(), "the language is known");
    let page = site.page("/page/").shows("<code class=\"language-sketch\">").lacks("_diagrams");
    let server = Server::start(&site.root(), &[]);
    assert!(server.get("/page/").text().contains("<code class=\"language-sketch\">"));
    assert_eq!(site.recorded_runs(), 0);
    // The images are those of the option, whatever a cache contains.
    site.run(&["build", "--draw"]).exits(0);
    site.page("/page/").lacks("language-sketch");
    site.run(&["build"]).exits(0).says(said);
    assert_eq!(site.page("/page/").html, page.html);
    assert!(!site.path("dist/_diagrams").exists());
    let without = site.edit("stepkin.toml", "");
    let built = without.run(&["build"]).exits(0);
    assert!(!built.stderr.contains("diagrams"), "{}", built.stderr);
    assert!(!without.output().keys().any(|path| path.contains("diagram")), "no style either");
    let without = without.edit("content/page.md", "---\ntitle: A\n---\n```mermaid\na\n```\n");
    without.run(&["check"]).reports("no syntax highlighting").reports("configure `[diagrams.mermaid]`");
}

#[test]
fn a_diagram_that_cannot_be_drawn_is_reported_and_shown_as_code() {
    let site = site().replace("content/page.md", "b -> c", "broken");
    let build = || {
        site.run(&["build", "--draw", "--report", "found"]).exits(0);
        site.text("found").lines().map(json).collect::<Vec<_>>()
    };
    let found = build();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["code"], "broken-diagram");
    assert_eq!((&found[0]["file"], &found[0]["line"]), (&"content/page.md".into(), &13.into()));
    assert_eq!(found[0]["message"], "this diagram can't be drawn: `tools/draw`: Error: no line");
    // A check wouldn't show it.
    let printed = site.run(&["build", "--draw"]).exits(0).reports("warning[broken-diagram]");
    assert!(!printed.stderr.contains("stepkin check"), "{}", printed.stderr);
    site.page("/page/").shows_once("<code class=\"language-sketch\">").shows("_diagrams/");

    std::fs::remove_file(site.path("tools/draw")).expect("it is there");
    let site =
        site.replace("content/page.md", "a -> b", "x -> y").replace("content/page.md", "broken", "y -> z");
    let build = || {
        site.run(&["build", "--draw", "--report", "found"]).exits(0);
        site.text("found")
    };
    let found = build();
    assert_eq!(found.lines().count(), 1, "one program, one finding: {found}");
    for part in [
        "`tools/draw`, the program of `[diagrams.sketch]`, can't be started: it isn't installed",
        "install it, or change `command`; readers see the source of 2 diagrams",
        "\"line\":7",
    ] {
        assert!(found.contains(part), "{found}");
    }
    // It is tried again although no file has changed.
    site.write_program("tools/draw", PROGRAM);
    site.run(&["build", "--draw"]).exits(0);
    site.page("/page/").lacks("language-sketch");
}

#[test]
fn a_dark_version_that_cannot_be_drawn_is_reported() {
    let program = "test -z $1 || { echo no night >&2; exit 1; }; echo '<svg>'";
    let config =
        format!("[diagrams.sketch]\ncommand = ['sh', '-c', \"{program}\", 'sh']\ndark = ['night']\n");
    let page = "---\ntitle: A\n---\n```sketch\na\n```\n";
    let site = site().edit("stepkin.toml", config).edit("content/page.md", page);
    let message = "the dark version of this diagram can't be drawn: `sh`: no night";
    site.run(&["build", "--draw"]).exits(0).reports(message);
    site.page("/page/").shows("class=\"on-white\" loading").lacks("on-dark");
}

#[test]
fn a_program_that_prints_no_image_is_reported() {
    for (program, said) in [
        ("cat", "`sh` prints no SVG image"),
        ("cat > /dev/null; echo '<svg>'; echo 'a warning' >&2", ""),
        ("exit 1", "`sh` prints no SVG image"),
        ("echo '<svg>'; echo 'bad line' >&2; exit 1", "`sh`: bad line"),
    ] {
        let config = format!("[diagrams.sketch]\ncommand = ['sh', '-c', \"{program}\"]\n");
        let site = site()
            .edit("stepkin.toml", &config)
            .edit("content/page.md", "---\ntitle: A\n---\n```sketch\na\n```\n");
        site.run(&["build", "--draw", "--report", "found"]).exits(0);
        let found = site.text("found");
        if said.is_empty() {
            assert!(found.is_empty(), "{found}");
            site.page("/page/").shows("class=\"on-white\" loading").lacks("on-dark");
        } else {
            assert!(found.contains(said), "{program}: {found}");
        }
    }
}

#[test]
fn a_served_diagram_is_the_published_one() {
    let site = site();
    site.run(&["build", "--draw"]).exits(0);
    let (page, drawn) = (site.page("/page/").html, site.recorded_runs());
    let server = Server::start(&site.root(), &["--draw", "--watch"]);
    for (image, _) in images(&page) {
        let address = format!("/_diagrams/{image}");
        assert!(server.get("/page/").text().contains(&address), "{address}");
        let answer = server.get(&address);
        assert_eq!(answer.text(), site.text(&format!("dist{address}")));
        assert_eq!(answer.header("content-type"), "image/svg+xml");
    }
    assert_eq!(site.recorded_runs(), drawn);
    site.write("content/page.md", "---\ntitle: A\n---\n```sketch\nnew\n```\n");
    server.shows("/page/", "<title>A");
    assert_eq!(site.recorded_runs(), drawn + 2);
}

#[test]
fn machines_share_the_diagrams_that_they_drew() {
    let site = site().edit(
        "content/guide.md",
        "---\ntitle: Guide\n---\n```sketch\na -> b\n```\n\n```sketch\nguide\n```\n",
    );
    site.write("content/de/page.md", "---\ntitle: Seite\n---\nText.\n");
    site.write("content/de/guide.md", "---\ntitle: Leitfaden\n---\n```sketch\nein Weg\n```\n");
    site.run(&["build", "--draw"]).exits(0);
    let expected = tree(&site.path("dist"));
    assert_eq!(site.recorded_runs(), 10, "{}", site.text(".stepkin/runs"));
    let german = images(&site.page("/de/guide/").html.replace("/de/_diagrams", "/_diagrams"));
    assert!(site.text(&format!("dist/de/_diagrams/{}", german[0].0)).contains("ein Weg"));
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
