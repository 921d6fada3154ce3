//! Runs every example of the CommonMark specification through all stages, and compares the result with the
//! specification, except for the exceptions listed here with their reasons.

use std::collections::BTreeMap;

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{Token, Tokenizer};
use stepkin::base::site_path::SitePath;
use stepkin::input::source::{Sources, Text};
use stepkin::output::cache::Cache;
use stepkin::output::pipeline::{self, Options};
use stepkin::output::render;
use stepkin::site::plan::Content;

/// Examples with an intentionally different result.
const DELIBERATE: &[(usize, &str)] = &[
    (21, RAW_ADDRESS),
    (31, RAW_ADDRESS),
    (148, CLOSED),
    (150, CLOSED),
    (151, CLOSED),
    (155, CLOSED),
    (156, CLOSED),
    (157, CLOSED),
    (158, CLOSED),
    (165, CLOSED),
    (173, CLOSED),
    (174, CLOSED),
    (175, CLOSED),
    (184, CLOSED),
    (187, CLOSED),
    (191, CLOSED),
    (201, CLOSED),
    (344, RAW_ADDRESS),
    (476, CLOSED),
    (477, CLOSED),
    (491, CLOSED),
    (494, CLOSED),
    (524, CLOSED),
    (536, CLOSED),
    (572, CAPTION),
    (573, CAPTION),
    (576, CAPTION),
    (577, CAPTION),
    (584, CAPTION),
    (585, CAPTION),
    (586, CAPTION),
    (588, CAPTION),
    (589, CAPTION),
    (591, CAPTION),
    (602, BARE),
    (608, BARE),
    (611, BARE),
    (612, BARE),
    (613, CLOSED),
    (614, CLOSED),
    (615, CLOSED),
    (616, CLOSED),
    (617, CLOSED),
    (623, CLOSED),
    (630, RAW_ADDRESS),
    (631, RAW_ADDRESS),
    (642, RAW_ADDRESS),
    (643, RAW_ADDRESS),
];

const CLOSED: &str = "what raw HTML leaves open ends with its block, and what it does not open is not closed";
const RAW_ADDRESS: &str =
    "addresses in raw HTML are looked up and prefixed like all others, and so percent-encoded too";
const BARE: &str = "bare addresses are links, as on GitHub";
const CAPTION: &str = "the title of an image that stands alone is its caption";

#[derive(Debug)]
struct Example {
    number: usize,
    markdown: String,
    html: String,
}

/// The examples of the specification, which writes tabs as arrows.
fn examples() -> Vec<Example> {
    const FENCE: &str = "````````````````````````````````";
    let spec =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/commonmark/spec.txt"))
            .expect("the specification");
    let opening = format!("{FENCE} example\n");
    let blocks =
        spec.split(&opening).skip(1).map(|rest| rest.split(&format!("\n{FENCE}")).next().unwrap_or(rest));
    let examples = blocks.zip(1..).map(|(block, number)| {
        let block = format!("\n{}\n", block.replace('→', "\t"));
        let (markdown, html) = block.split_once("\n.\n").expect("an example has two halves");
        Example {
            number,
            markdown: format!("{}\n", markdown.strip_prefix('\n').unwrap_or(markdown)),
            html: html.into(),
        }
    });
    examples.collect()
}

/// The content of every example's page, by number.
fn published(examples: &[Example]) -> BTreeMap<usize, String> {
    let mut sources = Sources::default();
    for example in examples {
        let path: SitePath = format!("content/{}.md", example.number).as_str().into();
        let text = format!("---\ntitle: Example\n---\n{}", example.markdown);
        sources.pages.insert(path.clone(), Text::new(path, text.into_bytes()));
    }
    let (work, _) =
        pipeline::plan(sources, &Options::default(), &Cache::default()).expect("no configuration");
    let pages = work.project.plan.artifacts().filter(|(_, artifact)| artifact.document().is_some());
    let bodies = pages.map(|(address, artifact)| {
        let number = address.last_segment().and_then(|name| name.parse().ok()).expect("pages are numbers");
        let Content::Bytes(bytes) = render::artifact(&work, address, artifact).expect("our own template")
        else {
            unreachable!("pages are rendered")
        };
        let html = String::from_utf8(bytes.into_owned()).expect("pages are UTF-8");
        // The template writes no empty element for a page without a body.
        let body = html.split_once("<div class=\"prose\">\n").map_or("", |(_, body)| {
            body.rsplit_once("\n</div>\n</article>").expect("the template closes the body").0
        });
        (number, body.to_string())
    });
    bodies.collect()
}

/// Normalizes HTML so that pages with the same meaning are equal.
///
/// Removed from both because it has no meaning: the form of entities and quotes, `/>`, the order of attributes,
/// spaces next to block tags, and runs of spaces outside `<pre>`.
///
/// Removed because readers don't see it: comments, doctypes and processing instructions, which pages don't contain.
///
/// Removed because Stepkin adds it for readers: IDs of headings and the empty `<span id>` in them (anchors),
/// `tabindex` on `<pre>` and `<table>` (keyboard access to scrolling content), `data-language` (its label), `<span>`
/// in code (colors), `loading` on images (lazy loading), and the link of a figure to its image. A figure counts as
/// the paragraph that it replaces.
fn normal(html: &str) -> String {
    let mut emitter = DefaultEmitter::<usize>::new_with_span();
    emitter.naively_switch_states(false);
    let mut normal = String::new();
    let mut in_pre = false;
    let mut in_figure = false;
    // Whether each open span is one that Stepkin adds.
    let mut spans: Vec<bool> = Vec::new();
    for token in Tokenizer::new_with_emitter(html, emitter) {
        match token.unwrap_or_else(|never| match never {}) {
            Token::StartTag(tag) if in_figure && *tag.name == b"a" => {}
            Token::EndTag(tag) if in_figure && *tag.name == b"a" => {}
            Token::StartTag(tag) => {
                in_figure |= *tag.name == b"figure";
                let name = match lossy(&tag.name).as_str() {
                    "figure" => "p".to_string(),
                    name => name.to_string(),
                };
                let attributes: BTreeMap<String, String> = tag
                    .attributes
                    .iter()
                    .map(|(key, value)| (lossy(key), lossy(&value.value)))
                    .filter(|(key, _)| !is_ours(&name, key))
                    .collect();
                if name == "span" && !tag.self_closing {
                    let ours = in_pre || attributes.keys().eq(["id"]);
                    spans.push(ours);
                    if ours {
                        continue;
                    }
                }
                in_pre |= name == "pre";
                before_tag(&mut normal, &name);
                normal.extend(["<", &name]);
                for (key, value) in &attributes {
                    normal.extend([" ", key, "=", &format!("{value:?}")]);
                }
                normal.push('>');
                after_tag(&mut normal, &name);
            }
            Token::EndTag(tag) => {
                in_figure &= *tag.name != b"figure";
                let name = match lossy(&tag.name).as_str() {
                    "figure" => "p".to_string(),
                    name => name.to_string(),
                };
                if name == "span" && spans.pop() == Some(true) {
                    continue;
                }
                in_pre &= name != "pre";
                before_tag(&mut normal, &name);
                normal.extend(["</", &name, ">"]);
                after_tag(&mut normal, &name);
            }
            Token::String(text) if in_pre => normal.push_str(&lossy(&text.value)),
            Token::String(text) => push_collapsed(&mut normal, &lossy(&text.value)),
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    normal.trim().to_string()
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Attributes that Stepkin adds to CommonMark's output.
fn is_ours(element: &str, attribute: &str) -> bool {
    let is_heading = matches!(element, "h1" | "h2" | "h3" | "h4" | "h5" | "h6");
    match attribute {
        "id" => is_heading,
        "tabindex" => matches!(element, "pre" | "table"),
        "data-language" => element == "pre",
        "loading" => element == "img",
        _ => false,
    }
}

fn is_block(name: &str) -> bool {
    #[rustfmt::skip] // A list of texts reads better in paragraphs.
    const BLOCKS: [&str; 24] = [
        "p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "hr", "br", "div",
        "table", "thead", "tbody", "tr", "td", "th", "section", "aside", "article",
    ];
    BLOCKS.contains(&name)
}

fn before_tag(normal: &mut String, name: &str) {
    if is_block(name) {
        normal.truncate(normal.trim_end_matches(' ').len());
        normal.push('\n');
    }
}

fn after_tag(normal: &mut String, name: &str) {
    if is_block(name) && name != "pre" {
        normal.push('\n');
    }
}

fn push_collapsed(normal: &mut String, text: &str) {
    for letter in text.chars() {
        match letter {
            ' ' | '\t' | '\n' | '\r' if normal.is_empty() || normal.ends_with([' ', '\n']) => {}
            ' ' | '\t' | '\n' | '\r' => normal.push(' '),
            letter => normal.push(letter),
        }
    }
}

#[test]
fn examples_of_the_specification_give_the_html_that_it_shows() {
    let examples = examples();
    assert_eq!(examples.len(), 652);
    let published = published(&examples);
    let mut complaints = Vec::new();
    for Example { number, markdown, html } in &examples {
        let reason = DELIBERATE.iter().find(|(listed, _)| listed == number).map(|(_, reason)| reason);
        // The page's title, which is above the example, is its only level-1 heading.
        let (found, expected) = (normal(&published[number]), normal(&html.replace("h1>", "h2>")));
        match (found == expected, reason) {
            (true, None) | (false, Some(_)) => {}
            (true, Some(reason)) => complaints.push(format!("example {number} no longer differs: {reason}")),
            (false, None) => {
                complaints
                    .push(format!("example {number}:\n{markdown}\nexpected\n{expected}\nfound\n{found}\n"));
            }
        }
    }
    assert!(complaints.is_empty(), "{} complaints\n{}", complaints.len(), complaints.join("\n"));
}
