//! Properties of parsing: any page is parsed without a panic, nothing that an author wrote is lost, and every range
//! exists.

use std::ops::Range;

use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, parse_document, tree_builder::TreeBuilderOpts};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use proptest::prelude::*;
use proptest::sample::select;
use stepkin::base::site_path::SitePath;
use stepkin::input::config::Config;
use stepkin::input::dialect::Dialect;
use stepkin::input::source::{Sources, Text};
use stepkin::markup::edition::{Edition, EditionFeatures};
use stepkin::markup::markdown::{self, Page, Placeholder, WholePage};
use stepkin::output::cache::Cache;
use stepkin::output::pipeline::Options;
use stepkin::site::content::{self, Openings, Selection};

use crate::support::checked;

/// Pieces that can break when they are combined.
#[rustfmt::skip] // A list of texts reads better in paragraphs.
pub(crate) const PIECES: &[&str] = &[
    "<aside", "<aside>", "<aside class=\"tip\" title='a'>", "</aside>", "</aside", ":::", ":::note",
    "::::tip A title", ":::platform ios\n", "\n:::platform not ios, web\n", "\n::::platform web", "\n:::\n",
    "{word}", "{platform.name}", "{none}", "\\{word}", "{gone}", "{word", "```", "````", "~~~", "```swift",
    "`", "``", "- ", "* ", "1. ", "2. ", "10) ", "3.", "> ", ">", "\t", "    ", "  ", " ", "\n", "\n\n",
    "\r\n", "\r\n\r\n", "\r", "\u{feff}", "\0", "---", "---\n", "title: x\n", "order: 1.5\n",
    "<a href=\"/x/\" style=\"float:left\"><< Previous</a>", "<a href='/y/'>Next >> Go on</a>",
    "<a href=\"/x/\">", "</a>", "<br/>", "<br>", "<br", "â€™", "Ã©", "wonâ€™t", "ÃƒÂ©", "Ã", "é", "日本", "🙂",
    "e\u{301}", "\u{2028}", "\u{200b}", "<img src=\"a.png\" srcset=\"b.png 1x, c.png\" alt=\"é\">",
    "<img srcset=\"x\" src=y>", "<p", "<p>", "</p>", "<pre>", "</pre>", "<script>", "</script>", "<style",
    "<svg>", "<!--", "-->", "<!-->", "<!--note-->", "<![CDATA[", "]]>", "<?", "?>", "<!X", "# ", "## 4.1 ",
    "### ", "Heading {#own .c k=v}", "===", "***", "| a | b |\n", "|-|-|\n",
    "| Setting | é |\n|-|:-:|\n| x | y |\n", "|", "\\", "\\<", "&amp;", "&#x0;", "&", "[", "]", "[x](", ")",
    "[x](/y \"t\")", "![é](", "![a](b \"c\")", "[x]: /z\n", "[x][x]", "<https://e.org>", "[^1]",
    "[^1]: note\n", "*", "**", "_", "~~", "- [x] ", "> [!NOTE]\n> ", "word", "two words", "a", ".", "=", "\"",
    "'", "<", ">", "{{ x }}", "{% y %}",
];

/// Readers of no platform and of two platforms, with short, long, empty and missing values.
fn editions() -> impl Strategy<Value = Edition> {
    let words = |word: &str, name: &str| {
        let words = [("word", Some(word)), ("platform.name", Some(name)), ("none", Some("")), ("gone", None)];
        words.map(|(name, word)| (name.to_string(), word.map(str::to_string))).into()
    };
    select(vec![
        Edition::default(),
        Edition {
            platform: Some("ios".into()),
            words: words("é` <aside> | [x](/y/) wonâ€™t", "iOS"),
            ..Edition::default()
        },
        Edition { platform: Some("web".into()), words: words("</aside>\\", "W"), ..Edition::default() },
    ])
}

pub(crate) fn nasty_text() -> impl Strategy<Value = String> {
    prop::collection::vec(select(PIECES), 0..40).prop_map(|pieces| pieces.concat())
}

/// Returns every range in a page with its kind.
pub(crate) fn spans(page: &Page) -> Vec<(&'static str, Range<usize>)> {
    let mut spans = Vec::new();
    let mut add = |what, span: &Range<usize>| spans.push((what, span.clone()));
    page.problems.iter().for_each(|problem| add("problem", &problem.span));
    page.headings.iter().for_each(|heading| add("heading", &heading.span));
    page.anchors.iter().for_each(|anchor| add("anchor", &anchor.span));
    page.references.iter().for_each(|reference| add("reference", &reference.span));
    page.code.iter().for_each(|block| add("code", &block.span));
    page.notes.iter().for_each(|note| add("note", &note.span));
    page.replaced.iter().for_each(|word| add("word", word));
    for block in &page.platform_blocks {
        add("block", &block.span);
        block.platforms.iter().for_each(|(_, name)| add("platform", name));
    }
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

/// Returns everything that a reader of the page can see, and the inserted code and URLs.
fn filled(page: &WholePage) -> String {
    let mut html = String::new();
    for (piece, placeholder) in page.body.pieces() {
        html.push_str(piece);
        match placeholder {
            Some(Placeholder::Address(at) | Placeholder::Picture(at)) => {
                html.push_str(&page.references[at].target);
            }
            Some(Placeholder::Code(at)) => html.push_str(&page.code[at].code.replace('<', "&lt;")),
            Some(Placeholder::Level(_)) => html.push('1'),
            Some(_) | None => {}
        }
    }
    html
}

/// Returns a site with one page.
fn site_of(text: &str) -> Sources {
    let path: SitePath = "content/tour/web/page.md".into();
    let mut sources = Sources::default();
    sources.pages.insert(path.clone(), Text::new(path, text.as_bytes().to_vec()));
    sources
}

/// Text around the marker: blocks whose text is shown, outside code and navigation.
#[rustfmt::skip] // A list of texts reads better in paragraphs.
const AROUND: &[&str] = &[
    "<aside>", "<aside class=\"warning\">", "</aside>", "<aside>\n", "\n</aside>\n", ":::note\n",
    ":::platform ios\n", "::::platform not web\n", "\n:::\n", "\n::::\n", "text :::", "{word} ", "\n", "\n\n",
    "text", "text\n", "> quoted\n", "- item\n", "1. one\n", "2. two\n", "## Heading\n",
    "| a | b |\n|-|-|\n| c | d |\n", "**bold**", "<p>raw</p>\n", "<b>raw</b> ", "<br/>\n", "wonâ€™t ", "é ",
    "\r\n", "<!-- comment -->\n", "***\n", "[link](/x/) ", "![image](/x.png)\n", "&amp; ",
    "> [!TIP]\n> an alert\n",
];

/// Names of elements with special rules.
#[rustfmt::skip] // A list of names reads better in paragraphs.
const ELEMENTS: &[&str] = &[
    "a", "address", "annotation-xml", "applet", "aside", "b", "base", "blockquote", "body", "br", "button", "caption",
    "code", "col", "colgroup", "dd", "desc", "details", "div", "dl", "dt", "em", "font", "foreignObject", "form",
    "frameset", "g", "h2", "h3", "head", "html", "i", "iframe", "image", "img", "input", "label", "li", "main", "math",
    "mi", "nobr", "noembed", "noscript", "object", "ol", "optgroup", "option", "p", "path", "plaintext", "pre", "rp",
    "rt", "ruby", "script", "section", "select", "span", "style", "summary", "svg", "table", "tbody", "td", "template",
    "textarea", "th", "title", "tr", "ul", "unknown", "x-custom", "xmp",
];

/// Content between tags, including Markdown.
#[rustfmt::skip] // A list of texts reads better in paragraphs.
const BETWEEN: &[&str] = &[
    "\n", "\n", "\n\n", "\n\n", " ", "text", "*em*", "**strong", "# Heading\n", "\n- item\n", "\n- item\n  ",
    "\n> quoted\n> ", "\n| a | b |\n|-|-|\n| c | ", " | d |\n", "```\n", "`code`", "[link](/x/)", "[",
    "](/x/)", "![image](/x.png)", "<!--", "-->", "<!-- comment -->", "<![CDATA[", "]]>", "<?", "?>", "<", ">",
    "</", "/>", "\"", "'", "=", "<a href=\"", "<div title='>", "\n\n***\n", "\n1. one\n   ", "\n\n<aside>\n",
    "\n</aside>\n\n", "\n:::note\n", "\n:::\n", "&lt;", "&", "\n    ", "<input type=hidden>",
    "<meta http-equiv=refresh>", "- [x] ", "[^1]", "\n\n[^1]: note ", "\n\n## H\n\n", "<tabs>\n<tab label=x>",
    "</tab></tabs>", "\n> [!TIP]\n> ",
];

/// Invalid HTML with Markdown between.
fn nasty_html() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => select(ELEMENTS).prop_map(|name| format!("<{name}>")),
        2 => select(ELEMENTS).prop_map(|name| format!("</{name}>")),
        1 => select(ELEMENTS).prop_map(|name| format!("<{name} class=\"x\" />")),
        4 => select(BETWEEN).prop_map(str::to_string),
    ];
    prop::collection::vec(piece, 0..16).prop_map(|pieces| pieces.concat())
}

/// Whether a browser's parser finds the element after a page's text at its place, with only its text inside.
fn is_whole_around(body: &str, scripting_enabled: bool) -> bool {
    let html = format!(
        "<!doctype html><title>Page</title><body><div><main><article><div class=prose>\n{body}\n</div>\
         <p id=behind>behind</p></article></main><footer>foot</footer></div>"
    );
    let tree_builder = TreeBuilderOpts { scripting_enabled, ..TreeBuilderOpts::default() };
    let dom = parse_document(RcDom::default(), ParseOpts { tree_builder, ..ParseOpts::default() }).one(html);
    let path = [("html", 0), ("body", 1), ("div", 0), ("main", 0), ("article", 0), ("p", 1)];
    let mut here = dom.document.clone();
    for (name, position) in &path {
        let elements: Vec<Handle> =
            here.children.borrow().iter().filter(|it| name_of(it).is_some()).cloned().collect();
        match elements.get(*position).filter(|it| name_of(it).as_deref() == Some(*name)) {
            Some(inner) => here = inner.clone(),
            None => return false,
        }
    }
    // An element that is still open would be opened again around the text.
    let inside = here.children.borrow();
    inside.len() == 1 && inside.iter().all(|it| matches!(it.data, NodeData::Text { .. }))
}

fn name_of(node: &Handle) -> Option<String> {
    match &node.data {
        NodeData::Element { name, .. } => Some(name.local.to_string()),
        _ => None,
    }
}

#[test]
fn an_element_after_one_that_is_left_out_stays_open_behind_its_paragraph() {
    let page = markdown::parse("`code`<th><dd>\n:::note\n<dd>", 0, &Edition::default(), &Dialect::default());
    let body = filled(&page);
    assert!(is_whole_around(&body, true), "{body}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_html_a_page_holds_what_is_around_it_is_whole(text in nasty_html()) {
        let page = markdown::parse(&text, 0, &Edition::default(), &Dialect::default());
        let without_html = markdown::parse_without_html(&text, 0, &Edition::default(), &Dialect::default());
        prop_assert_eq!(&page.page, &without_html, "all but the HTML is the same without it: {:?}", text);
        let body = filled(&page);
        for scripting_enabled in [true, false] {
            prop_assert!(is_whole_around(&body, scripting_enabled), "{body}\nfrom {text:?}");
        }
    }
}

proptest! {
    // Each is a complete site.
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn checking_never_panics_and_every_place_exists(
        body in nasty_text(),
        sibling in nasty_text(),
        shared in nasty_text(),
    ) {
        let front = "---\ntitle: Step 4. Bake\norder: 5\n---\n";
        let texts = [("web", format!("{front}{body}")), ("ios", format!("{front}{sibling}{body}"))];
        let mut sources = Sources::default();
        for (platform, text) in &texts {
            let path: SitePath = format!("content/tour/{platform}/page.md").as_str().into();
            sources.pages.insert(path.clone(), Text::new(path, text.clone().into_bytes()));
        }
        let path: SitePath = "content/tour/_shared/both.md".into();
        sources.pages.insert(path.clone(), Text::new(path, format!("{front}{shared}").into_bytes()));
        let variables = "[variables]\nword = { web = 'é` <aside> | wonâ€™t', ios = '' }\ngone = { web = 'x' }\n";
        sources.config = Some(Text::new("stepkin.toml".into(), variables.into()));
        let (work, report) = checked(sources, &Options::default(), &Cache::default())
            .expect("a configuration that is right");
        for diagnostic in &report {
            let places = diagnostic.problem.related.iter().map(|place| (&place.file, &place.span));
            for (file, span) in places.chain([(&diagnostic.file, &diagnostic.problem.span)]) {
                let text = work.project.sources.text(file).expect("a page").text();
                prop_assert!(text.get(span.clone()).is_some(), "{span:?} in {text:?}: {diagnostic:?}");
            }
            for edit in diagnostic.problem.edits.iter().filter(|edit| !edit.text.is_empty()) {
                let written = &work.project.sources.text(&diagnostic.file).expect("a page").text()[edit.span.clone()];
                prop_assert!(!written.contains("{word}"), "{written} is {diagnostic:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn reading_never_panics_and_every_place_exists(
        text in nasty_text(),
        skipped in 0_usize..8,
        edition in editions(),
    ) {
        let body = (0..=skipped.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        let page = markdown::parse(&text, body, &edition, &Dialect::default());
        for (what, span) in spans(&page) {
            prop_assert!(span.start <= span.end, "{what} {span:?} in {text:?}");
            prop_assert!(text.get(span.clone()).is_some(), "{what} {span:?} in {text:?}, {} bytes", text.len());
            prop_assert!(span.start >= body, "{what} {span:?} before the body at {body} in {text:?}");
        }
        prop_assert_eq!(&page, &markdown::parse(&text, body, &edition, &Dialect::default()), "the same text is the same page");
        let without_html = markdown::parse_without_html(&text, body, &edition, &Dialect::default());
        prop_assert_eq!(&page.page, &without_html, "all but the HTML is the same without it: {:?}", text);
    }

    #[test]
    fn loading_never_panics_and_every_place_exists(front in nasty_text(), body in nasty_text()) {
        for text in [format!("{front}{body}"), format!("---\n{front}\n---\n{body}")] {
            let sources = site_of(&text);
            let (site, report) = content::load(&sources, Config::default(), Selection { drafts: true }, &Openings::default())
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
    fn no_word_is_lost_whatever_notes_surround_it(
        before in prop::collection::vec(select(AROUND), 0..12),
        after in prop::collection::vec(select(AROUND), 0..12),
        separator in select(vec!["\n\n", "\n", " "]),
    ) {
        let text = format!("{}{separator}zqx123{separator}{}", before.concat(), after.concat());
        let html = filled(&markdown::parse(&text, 0, &Edition::default(), &Dialect::default()));
        prop_assert_eq!(html.matches("zqx123").count(), 1, "{}\nfrom {:?}", html, text);
        prop_assert!(!html.contains("aside>"), "{html}\nfrom {text:?}");
        // The same on iOS, because every block is for iOS.
        let words = [("word".to_string(), Some("ω".to_string()))].into();
        let on_ios = Edition { platform: Some("ios".into()), words, ..Edition::default() };
        let shown = filled(&markdown::parse(&text.replace("{word}", "ω"), 0, &Edition::default(), &Dialect::default()));
        prop_assert_eq!(filled(&markdown::parse(&text, 0, &on_ios, &Dialect::default())), shown, "from {:?}", text);
    }

    /// A page that doesn't depend on its edition is parsed once for all of them.
    #[test]
    fn where_an_edition_does_not_matter_pages_are_the_same(
        text in nasty_text(), one in editions(), other in editions(),
    ) {
        let features = EditionFeatures::of(&text);
        if !one.matters_to(features) && !other.matters_to(features) {
            prop_assert_eq!(markdown::parse(&text, 0, &one, &Dialect::default()), markdown::parse(&text, 0, &other, &Dialect::default()));
        }
    }

    #[test]
    fn what_is_for_others_leaves_no_word_behind(
        before in prop::collection::vec(select(AROUND), 0..12),
        inside in prop::collection::vec(select(AROUND), 0..12),
    ) {
        let inside: String = inside.concat().replace(":::", "");
        let text = format!("{}\n\n:::::platform web\nzqx123\n{inside}\n:::::\n", before.concat());
        let edition = Edition { platform: Some("ios".into()), ..Edition::default() };
        let html = filled(&markdown::parse(&text, 0, &edition, &Dialect::default()));
        prop_assert!(!html.contains("zqx123"), "{html}\nfrom {text:?}");
    }
}

/// Ranges in a page must move with the start of the body.
#[test]
fn places_move_with_the_body() {
    let body = "## 4.1 H\n\n<aside>\n    [a](/b/) wonâ€™t\n</aside>\n\n| Setting | v |\n|-|-|\n| a | b |\n\n~~~swfit\nx\n~~~\n\n<a href=\"/x/\"><< Previous</a>\n";
    let front = "---\ntitle: é\n---\n";
    let alone = spans(&markdown::parse(body, 0, &Edition::default(), &Dialect::default()));
    let moved = spans(&markdown::parse(
        &format!("{front}{body}"),
        front.len(),
        &Edition::default(),
        &Dialect::default(),
    ));
    let back: Vec<_> = moved
        .into_iter()
        .map(|(what, span)| (what, span.start - front.len()..span.end - front.len()))
        .collect();
    assert_eq!(alone, back);
}
