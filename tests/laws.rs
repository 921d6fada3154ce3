//! Laws of reading: whatever a page holds, it is read without a panic, nothing an author wrote is lost, and
//! every place that is named exists.

use std::ops::Range;
use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::select;
use stepkin::cache::Cache;
use stepkin::config::Config;
use stepkin::content::{self, Selection};
use stepkin::markdown::{self, Hole, Page};
use stepkin::pipeline::{self, Options};
use stepkin::source::{SitePath, Sources, Text};

/// Pieces that go wrong in each other's company.
const PIECES: &[&str] = &[
    "<aside",
    "<aside>",
    "<aside class=\"tip\" title='a'>",
    "</aside>",
    "</aside",
    ":::",
    ":::note",
    "::::tip A title",
    "```",
    "````",
    "~~~",
    "```swift",
    "`",
    "``",
    "- ",
    "* ",
    "1. ",
    "2. ",
    "10) ",
    "3.",
    "> ",
    ">",
    "\t",
    "    ",
    "  ",
    " ",
    "\n",
    "\n\n",
    "\r\n",
    "\r\n\r\n",
    "\r",
    "\u{feff}",
    "\0",
    "---",
    "---\n",
    "title: x\n",
    "order: 1.5\n",
    "<a href=\"/x/\" style=\"float:left\"><< Previous</a>",
    "<a href='/y/'>Next >> Go on</a>",
    "<a href=\"/x/\">",
    "</a>",
    "<br/>",
    "<br>",
    "<br",
    "â€™",
    "Ã©",
    "wonâ€™t",
    "ÃƒÂ©",
    "Ã",
    "é",
    "日本",
    "🙂",
    "e\u{301}",
    "\u{2028}",
    "\u{200b}",
    "<img src=\"a.png\" srcset=\"b.png 1x, c.png\" alt=\"é\">",
    "<img srcset=\"x\" src=y>",
    "<p",
    "<p>",
    "</p>",
    "<pre>",
    "</pre>",
    "<script>",
    "</script>",
    "<style",
    "<svg>",
    "<!--",
    "-->",
    "<!-->",
    "<!--note-->",
    "<![CDATA[",
    "]]>",
    "<?",
    "?>",
    "<!X",
    "# ",
    "## 4.1 ",
    "### ",
    "Heading {#own .c k=v}",
    "===",
    "***",
    "| a | b |\n",
    "|-|-|\n",
    "| Setting | é |\n|-|:-:|\n| x | y |\n",
    "|",
    "\\",
    "\\<",
    "&amp;",
    "&#x0;",
    "&",
    "[",
    "]",
    "[x](",
    ")",
    "[x](/y \"t\")",
    "![é](",
    "![a](b \"c\")",
    "[x]: /z\n",
    "[x][x]",
    "<https://e.org>",
    "[^1]",
    "[^1]: note\n",
    "*",
    "**",
    "_",
    "~~",
    "- [x] ",
    "> [!NOTE]\n> ",
    "word",
    "two words",
    "a",
    ".",
    "=",
    "\"",
    "'",
    "<",
    ">",
    "{{ x }}",
    "{% y %}",
];

fn nasty_text() -> impl Strategy<Value = String> {
    prop::collection::vec(select(PIECES), 0..40).prop_map(|pieces| pieces.concat())
}

/// Every place that a page names, with what it is.
fn spans(page: &Page) -> Vec<(&'static str, Range<usize>)> {
    let mut spans = Vec::new();
    let mut add = |what, span: &Range<usize>| spans.push((what, span.clone()));
    page.problems.iter().for_each(|problem| add("problem", &problem.span));
    page.headings.iter().for_each(|heading| add("heading", &heading.span));
    page.anchors.iter().for_each(|anchor| add("anchor", &anchor.span));
    page.references.iter().for_each(|reference| add("reference", &reference.span));
    page.code.iter().for_each(|block| add("code", &block.span));
    page.notes.iter().for_each(|note| add("note", &note.span));
    for table in &page.tables {
        add("table", &table.span);
        table.rows.iter().for_each(|row| add("row", &row.span));
    }
    for link in &page.navigation {
        add("navigation", &link.span);
        add("navigation's target", &link.target_span);
    }
    spans
}

/// Everything a reader of the page can see, and the code and addresses that are filled in.
fn filled(page: &Page) -> String {
    let mut html = String::new();
    for (piece, hole) in page.body.pieces() {
        html.push_str(piece);
        match hole {
            Some(Hole::Address(at) | Hole::Picture(at)) => html.push_str(&page.references[at].target),
            Some(Hole::Code(at)) => html.push_str(&page.code[at].code),
            Some(Hole::IdPrefix) | None => {}
        }
    }
    html
}

/// A site of one page.
fn site_of(text: &str) -> Sources {
    let path: SitePath = "content/tour/web/page.md".into();
    let mut sources = Sources::default();
    sources.pages.insert(path.clone(), Text::new(path, text.as_bytes().to_vec()));
    sources
}

/// What stands around the marker: blocks whose text is shown, in no code and no navigation.
const AROUND: &[&str] = &[
    "<aside>",
    "<aside class=\"warning\">",
    "</aside>",
    "<aside>\n",
    "\n</aside>\n",
    ":::note\n",
    "\n:::\n",
    ":::",
    "\n",
    "\n\n",
    "text",
    "text\n",
    "> quoted\n",
    "- item\n",
    "1. one\n",
    "2. two\n",
    "## Heading\n",
    "| a | b |\n|-|-|\n| c | d |\n",
    "**bold**",
    "<p>raw</p>\n",
    "<b>raw</b> ",
    "<br/>\n",
    "wonâ€™t ",
    "é ",
    "\r\n",
    "<!-- comment -->\n",
    "***\n",
    "[link](/x/) ",
    "![image](/x.png)\n",
    "&amp; ",
    "> [!TIP]\n> an alert\n",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn reading_never_panics_and_every_place_exists(text in nasty_text(), skipped in 0_usize..8) {
        let body = (0..=skipped.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        let page = markdown::parse(&text, body);
        for (what, span) in spans(&page) {
            prop_assert!(span.start <= span.end, "{what} {span:?} in {text:?}");
            prop_assert!(text.get(span.clone()).is_some(), "{what} {span:?} in {text:?}, {} bytes", text.len());
            prop_assert!(span.start >= body, "{what} {span:?} before the body at {body} in {text:?}");
        }
        prop_assert_eq!(&page, &markdown::parse(&text, body), "the same text is the same page");
    }

    #[test]
    fn loading_never_panics_and_every_place_exists(front in nasty_text(), body in nasty_text()) {
        for text in [format!("{front}{body}"), format!("---\n{front}\n---\n{body}")] {
            let sources = site_of(&text);
            let (site, report) = content::load(&sources, Config::default(), Selection { drafts: true })
                .expect("no configuration to be wrong");
            for diagnostic in &report {
                let span = diagnostic.problem.span.clone();
                prop_assert!(text.get(span.clone()).is_some(), "{span:?} in {text:?}: {diagnostic:?}");
            }
            for document in &site.documents {
                prop_assert!(text.is_char_boundary(document.body), "{} in {text:?}", document.body);
                prop_assert!(document.address.as_str().starts_with('/'));
                prop_assert!(!document.title.is_empty(), "{text:?}");
            }
        }
    }

    #[test]
    fn checking_never_panics_and_every_place_exists(body in nasty_text(), sibling in nasty_text()) {
        let front = "---\ntitle: Step 4. Bake\norder: 5\n---\n";
        let texts = [("web", format!("{front}{body}")), ("ios", format!("{front}{sibling}{body}"))];
        let mut sources = Sources::default();
        for (platform, text) in &texts {
            let path: SitePath = format!("content/tour/{platform}/page.md").as_str().into();
            sources.pages.insert(path.clone(), Text::new(path, text.clone().into_bytes()));
        }
        let (walk, report) = pipeline::analyze(sources, &Options::default(), &Arc::<Cache>::default())
            .expect("no configuration to be wrong");
        for diagnostic in &report {
            let places = diagnostic.problem.related.iter().map(|place| (&place.file, &place.span));
            for (file, span) in places.chain([(&diagnostic.file, &diagnostic.problem.span)]) {
                let text = &walk.sources.text(file).expect("a page").text;
                prop_assert!(text.get(span.clone()).is_some(), "{span:?} in {text:?}: {diagnostic:?}");
            }
        }
    }

    #[test]
    fn no_word_is_lost_whatever_notes_surround_it(
        before in prop::collection::vec(select(AROUND), 0..12),
        after in prop::collection::vec(select(AROUND), 0..12),
        separator in select(vec!["\n\n", "\n", " "]),
    ) {
        let text = format!("{}{separator}zqx123{separator}{}", before.concat(), after.concat());
        let html = filled(&markdown::parse(&text, 0));
        prop_assert_eq!(html.matches("zqx123").count(), 1, "{}\nfrom {:?}", html, text);
        prop_assert!(!html.contains("aside>"), "{html}\nfrom {text:?}");
    }
}

/// Spans of a page must not move when what comes before the body grows.
#[test]
fn places_move_with_the_body() {
    let body = "## 4.1 H\n\n<aside>\n    [a](/b/) wonâ€™t\n</aside>\n\n| Setting | v |\n|-|-|\n| a | b |\n\n~~~swfit\nx\n~~~\n\n<a href=\"/x/\"><< Previous</a>\n";
    let front = "---\ntitle: é\n---\n";
    let alone = spans(&markdown::parse(body, 0));
    let moved = spans(&markdown::parse(&format!("{front}{body}"), front.len()));
    let back: Vec<_> = moved
        .into_iter()
        .map(|(what, span)| (what, span.start - front.len()..span.end - front.len()))
        .collect();
    assert_eq!(alone, back);
}
