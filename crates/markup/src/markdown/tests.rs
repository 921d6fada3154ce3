//! Tests of pages' HTML and other parts, by construct.

use std::fmt::Write as _;

use super::read::parse_ours as parse;
use super::*;
use crate::edition::Edition;
use base::diagnostic::Code;
use input::words::Words;

/// Returns the body with every placeholder filled.
fn html(page: &WholePage) -> String {
    let mut html = String::new();
    for (piece, placeholder) in page.body.pieces() {
        html.push_str(piece);
        match placeholder {
            Some(Placeholder::Address(at) | Placeholder::Picture(at)) => {
                html.push_str(&page.references[at].target);
            }
            Some(Placeholder::Code(at)) => html.push_str(&page.code[at].code.replace('<', "&lt;")),
            Some(Placeholder::Word(word)) => html.push_str(Words::default().get(word)),
            Some(Placeholder::NumberedWord(word, number)) => {
                html.push_str(&Words::default().say(word, &[("number", &number)]));
            }
            Some(Placeholder::Level(_)) => html.push('1'),
            Some(Placeholder::BlockStart(at)) => {
                let block = &page.blocks[at];
                writeln!(html, "[{} {:?}", block.name, block.attributes).expect("a String takes everything");
            }
            Some(Placeholder::BlockEnd) => html.push_str("]\n"),
            Some(_) | None => {}
        }
    }
    html
}

#[track_caller]
fn check(markdown: &str, expected: &str) {
    let page = parse(markdown, 0, &Edition::default());
    assert_eq!(html(&page).trim(), expected.trim(), "from:\n{markdown}");
}

/// Checks the findings as `code: text at the finding`.
#[track_caller]
fn check_problems(markdown: &str, expected: &[(Code, &str)]) {
    let page = parse(markdown, 0, &Edition::default());
    let found: Vec<_> =
        page.problems.iter().map(|problem| (problem.code, &markdown[problem.span.clone()])).collect();
    assert_eq!(found, expected, "{:?}", page.problems);
}

const NOTE: &str =
    "<div class=\"note\" role=\"note\" data-kind=\"note\">\n<p class=\"note-label\">Note</p>\n";
const WARNING: &str =
    "<div class=\"note\" role=\"note\" data-kind=\"warning\">\n<p class=\"note-label\">Warning</p>\n";

/// Replaces the escapes in a line of `tests.txt`. A space at the end of a line is `\s`.
pub(super) fn unescaped(line: &str) -> String {
    let signs = [("\\\\", "\u{1}"), ("\\n", "\n"), ("\\t", "\t"), ("\\r", "\r"), ("\\s", " "), ("\\0", "\0")];
    let signs = signs.into_iter().chain([("\\u2028", "\u{2028}"), ("\\u00a0", "\u{a0}"), ("\u{1}", "\\")]);
    signs.fold(line.to_string(), |line, (written, sign)| line.replace(written, sign))
}

/// Checks each line of `tests.txt`, `text ⇒ HTML`. Other lines are names.
#[test]
fn each_text_has_its_html() {
    let is_row = |line: &&str| !line.is_empty() && !line.starts_with("# ") && !line.starts_with("// ");
    for line in include_str!("tests.txt").lines().filter(is_row) {
        let (text, html) = line.split_once(" ⇒").unwrap_or_else(|| panic!("no ` ⇒` in {line}"));
        check(&unescaped(text), &unescaped(html).replace("{NOTE}", NOTE));
    }
}

#[test]
fn unclosed_code_ends_with_the_block_around_it() {
    for (markdown, expected) in [
        ("```\na\n", "the code block is never closed, so everything after ``` is code"),
        ("a\n\n```\n", "the code block has neither code nor an end"),
        (
            "- x\n\n  ~~~~\n  a\n\nb\n",
            "the code block is never closed, so everything after ~~~~ in the list item or quote is code",
        ),
        (
            "> ```\n> a\n\nb\n",
            "the code block is never closed, so everything after ``` in the list item or quote is code",
        ),
    ] {
        let page = parse(markdown, 0, &Edition::default());
        let said: Vec<&str> = page.problems.iter().map(|problem| problem.message.as_str()).collect();
        assert_eq!(said, [expected], "{markdown:?}");
    }
}

#[test]
fn the_kind_of_a_note_is_read_as_authors_write_it() {
    for tag in [
        "<aside class=\"warning\">",
        "<aside className='warning'>",
        "<aside class= \"warning\">",
        "<aside class=warning>",
        "<aside\n  class=\"big warning\"\n>",
    ] {
        check(&format!("{tag}\n  Hot.\n</aside>"), &format!("{WARNING}<p>Hot.</p>\n</div>"));
    }
    check("> [!WARNING]\n> Hot.", &format!("{WARNING}<p>Hot.</p>\n</div>"));
    check(":::warning\nHot.\n:::", &format!("{WARNING}<p>Hot.</p>\n</div>"));
}

#[test]
fn an_unclosed_note_ends_with_its_paragraph_and_a_stray_closing_is_dropped() {
    check(
        "<aside>\n  n\n\nrest\n\n## more",
        &format!("{NOTE}<p>n</p>\n</div>\n<p>rest</p>\n<h2 id=\"more\">more</h2>"),
    );
    check_problems("<aside>\n  n\n\nrest", &[(Code::UnbalancedBlock, "<aside>")]);
    check("a\n\n</aside>\n\nb", "<p>a</p>\n<p>b</p>");
    check_problems("a\n\n</aside>\n\nb", &[(Code::UnbalancedBlock, "</aside>")]);
    // The first one is never closed, but the second is.
    check(
        "<aside>a\n\nx\n\n<aside>b</aside>\n\ny",
        &format!("{NOTE}<p>a</p>\n</div>\n<p>x</p>\n{NOTE}<p>b</p>\n</div>\n<p>y</p>"),
    );
    check_problems(":::note\nn\n\nrest", &[(Code::UnbalancedBlock, ":::note")]);
}

#[test]
fn notes_nested_too_deep_lose_their_boxes_and_keep_their_text() {
    for (open, close) in [("<aside>", ""), ("<aside>", "</aside>"), (":::note a\n", ""), ("> <aside>\n", "")]
    {
        let markdown = format!("{}deep{}", open.repeat(2_000), close.repeat(2_000));
        let html = html(&parse(&markdown, 0, &Edition::default()));
        assert_eq!(html.matches("deep").count(), 1, "{open} {close}");
        assert!(!html.contains("<aside"), "{open} {close}");
        assert!((1..=8).contains(&html.matches("role=\"note\"").count()), "{open} {close}");
    }
}

#[test]
fn hand_written_navigation_is_left_out_wherever_it_is() {
    let previous = "<a href=\"/a/\" style=\"position:relative; float:left\"><< Previous</a>";
    let next = "<a href=\"/b/\" style=\"position:relative; float:right\">Next >> Verify it</a>";
    check(&format!("{previous}\n{next}\n<br/>\n<br/>\n\nText."), "<p>Text.</p>");
    check(&format!("Text.\n\n{previous}\n{next}"), "<p>Text.</p>");
    check(&format!("<aside>\n  n\n</aside>\n{previous} \n{next}"), &format!("{NOTE}<p>n</p>\n</div>"));
    check(&format!("<aside>n</aside>{next}"), &format!("{NOTE}<p>n</p>\n</div>"));
    check(&format!("Text.\n<br>\n<br/>{next}<br />\n"), "<p>Text.</p>");
    check(&format!("<div>\n{previous}\n</div>"), "<div>\n</div>");
    let page = parse(&format!("x\n\n{previous}\n{next}"), 0, &Edition::default());
    let found: Vec<_> = page
        .navigation
        .iter()
        .map(|link| (link.direction, link.label.as_str(), link.target.as_str()))
        .collect();
    assert_eq!(found, [(Direction::Previous, "", "/a/"), (Direction::Next, "Verify it", "/b/")]);
    assert!(page.references.is_empty());
}

#[test]
fn ordinary_links_are_not_navigation() {
    for link in [
        "<a href=\"/x/\">Next steps</a>",
        "<a href=\"/x/\">Home →</a>",
        "<a href=\"/x/\" style=\"float:left\">Logo</a>",
    ] {
        check(link, &format!("<p>{link}</p>"));
    }
}

#[test]
fn navigation_labels_are_understood() {
    let label = |text: &str, style: &str| navigation(text, style);
    assert_eq!(label("&lt;&lt; Previous", ""), Some((Direction::Previous, String::new())));
    assert_eq!(label("« Prev: Set up", ""), Some((Direction::Previous, "Set up".into())));
    assert_eq!(label("Next >> Track users", ""), Some((Direction::Next, "Track users".into())));
    assert_eq!(label("Next: Track users", "float: right"), Some((Direction::Next, "Track users".into())));
    assert_eq!(label("Track users →", "float:right"), Some((Direction::Next, "Track users".into())));
    assert_eq!(label("Nextcloud →", ""), None);
    assert_eq!(label("Next", ""), None);
}

fn navigation(text: &str, style: &str) -> Option<(Direction, String)> {
    let page = parse(&format!("<a href=\"/x/\" style=\"{style}\">{text}</a>"), 0, &Edition::default());
    page.navigation.first().map(|link| (link.direction, link.label.clone()))
}

#[test]
fn a_row_is_divided_as_its_table_is() {
    for (row, expected) in [
        ("| a | `b` |", &["a", "`b`"][..]),
        ("a | b", &["a", "b"]),
        (r"| a \| b | c", &[r"a \| b", "c"]),
        (r"| `x \| y` | c \\|", &[r"`x \| y`", r"c \\"]),
        ("| | b |  |", &["", "b", ""]),
        ("", &[""]),
    ] {
        assert_eq!(cells(row).collect::<Vec<_>>(), expected, "{row}");
    }
}

#[test]
fn tables_have_different_names() {
    let page =
        parse("| Key | v |\n|-|-|\n| a | 1 |\n\n| Key | v |\n|-|-|\n| b | 2 |\n", 0, &Edition::default());
    assert!(html(&page).contains("aria-label=\"Key\"") && html(&page).contains("aria-label=\"Key (2)\""));
}

#[test]
fn mojibake_is_repaired_in_text_and_never_in_code() {
    check(
        "wonâ€™t `wonâ€™t`\n\n    wonâ€™t",
        "<p>won’t <code>wonâ€™t</code></p>\n<pre tabindex=\"0\"><code>wonâ€™t</code></pre>",
    );
    check("## wonâ€™t", "<h2 id=\"wont\">won’t</h2>");
    check("<p>wonâ€™t <code>wonâ€™t</code></p>", "<p>won’t <code>wonâ€™t</code></p>");
    check_problems("You wonâ€™t", &[(Code::Mojibake, "â€™")]);
    check_problems("\"Ã¼\" instead of \"ü\"", &[]);
}

#[test]
fn references_have_the_place_of_their_target() {
    let markdown = "[a *b*](/x/ \"/x/\") ![i]( <y z.png> ) [r][ref] <https://e.org> []()\n\n<aside>\n    [n](/n/)\n</aside>\n\n<p\n><a href= '/h/'><img src=q.png srcset=\"s.png 1x,t.png 2x\"></a></p>\n\n[ref]: /r/";
    let page = parse(markdown, 0, &Edition::default());
    let found: Vec<_> =
        page.references.iter().map(|link| (link.target.as_str(), &markdown[link.span.clone()])).collect();
    let expected = [
        ("/x/", "/x/"),
        ("y z.png", "y z.png"),
        ("/r/", "[r][ref]"),
        ("https://e.org", "<https://e.org>"),
        ("", "[]()"),
        ("/n/", "/n/"),
        ("/h/", "/h/"),
        ("q.png", "q.png"),
        ("s.png", "s.png"),
        ("t.png", "t.png"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn attributes_of_raw_html_may_be_in_any_order() {
    let markdown = "<img srcset=\"s.png 1x, t.png 2x\" alt=\"\" src=\"q.png\" id=\"i\">";
    check(markdown, markdown);
    let targets: Vec<_> =
        parse(markdown, 0, &Edition::default()).page.references.into_iter().map(|link| link.target).collect();
    assert_eq!(targets, ["s.png", "t.png", "q.png"]);
}

#[test]
fn positions_in_raw_html_include_removed_text() {
    check_problems("<div><a href=\"/x/\"><< Previous</a> wonâ€™t</div>\n", &[(Code::Mojibake, "â€™")]);
}

#[test]
fn containers_of_a_note_end_with_it() {
    for markdown in ["> [!NOTE]\n> <aside>", "> [!TIP]\n> a <aside>\n>   é\n> </aside>"] {
        let notes = parse(markdown, 0, &Edition::default()).page.notes;
        assert_eq!(notes[0].span, 0..markdown.len(), "{notes:?}");
    }
}

#[test]
fn windows_line_ends_change_nothing() {
    let markdown = "## H\n\n1. a\n\n![p](a.png)\n\n2. b\n\n<aside>\n    n\n    \n    m\n</aside>\n\n| Setting | v |\n|-|-|\n| a | b |\n";
    let unix = html(&parse(markdown, 0, &Edition::default()));
    let windows = html(&parse(&markdown.replace('\n', "\r\n"), 0, &Edition::default())).replace("\r\n", "\n");
    assert_eq!(unix, windows);
}

/// The edition for iOS, with variables `sdk` and `empty`, and `gone` without a value for iOS.
fn on_ios() -> Edition {
    let words =
        [("sdk", Some("acme/ios")), ("platform.id", Some("ios")), ("empty", Some("")), ("gone", None)];
    let words = words.map(|(name, word)| (name.to_string(), word.map(str::to_string)));
    Edition { platform: Some("ios".into()), words: words.into(), ..Edition::default() }
}

#[track_caller]
fn check_on_ios(markdown: &str, expected: &str) {
    let page = parse(markdown, 0, &on_ios());
    assert_eq!(html(&page).trim(), expected.trim(), "from:\n{markdown}");
}

#[test]
fn a_note_far_to_the_right_of_something_taken_out_stays_where_it_is_written() {
    for markdown in ["  </aside>\t<aside>n</aside>", "a\n\n {empty} </aside>\t<aside>n</aside>"] {
        let page = parse(markdown, 0, &on_ios());
        let places: Vec<_> = page.notes.iter().map(|note| note.span.start).collect();
        assert_eq!(places, [markdown.find("<aside").expect("a note")], "{markdown:?}");
    }
}

#[test]
fn a_block_is_for_the_platforms_it_names() {
    for (opening, is_shown) in [
        (":::platform ios", true),
        (":::platform iOS", true),
        (":::platform web ios", true),
        ("::: platform web, ios ", true),
        (":::platform web", false),
        (":::platform web android", false),
        (":::platform not web", true),
        (":::platform not ios", false),
        (":::platform not web ios", false),
        (":::platform", true),
        (":::platform not", true),
    ] {
        let markdown = format!("a\n\n{opening}\nb\n:::\n\nc");
        let expected = if is_shown { "<p>a</p>\n<p>b</p>\n<p>c</p>" } else { "<p>a</p>\n<p>c</p>" };
        check_on_ios(&markdown, expected);
        check_on_ios(&markdown.replace('\n', "\r\n"), expected);
        check(&markdown, "<p>a</p>\n<p>b</p>\n<p>c</p>");
    }
}

#[test]
fn a_block_is_read_in_place() {
    let table = "| a |\n|-|\n| b |\n:::platform web\n| c |\n:::\n:::platform ios\n| d |\n:::\n| e |";
    let rows = "<tr><td>b</td></tr>\n<tr><td>d</td></tr>\n<tr><td>e</td></tr>";
    let page = html(&parse(table, 0, &on_ios()));
    assert!(page.contains(rows), "{page}");
    check_on_ios(
        "1. a\n:::platform web\n2. b\n:::\n:::platform ios\n2. c\n3. d\n:::\n4. e",
        "<ol>\n<li>a</li>\n<li>c</li>\n<li>d</li>\n<li>e</li>\n</ol>",
    );
    check_on_ios(
        "- a\n  :::platform web\n  b\n  :::\n  :::platform ios\n  c\n  :::\n- d",
        "<ul>\n<li>a\nc</li>\n<li>d</li>\n</ul>",
    );
    check_on_ios("- :::platform web\n  a\n  :::\n- b", "<ul>\n<li></li>\n<li>b</li>\n</ul>");
    check_on_ios("- :::platform ios\n  a\n  :::\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>");
    check_on_ios("> a\n> :::platform web\n> b\n> :::\n> c", "<blockquote>\n<p>a\nc</p>\n</blockquote>");
    check_on_ios("a\n:::platform web\n## B\n:::\nc", "<p>a\nc</p>");
}

#[test]
fn blocks_and_notes_may_contain_each_other() {
    check_on_ios(
        "::::platform ios\n:::note\na\n:::\nb\n::::\nc",
        &format!("{NOTE}<p>a</p>\n</div>\n<p>b\nc</p>"),
    );
    check_on_ios("::::platform web\n:::note\na\n:::\nb\n::::\nc", "<p>c</p>");
    check_on_ios(
        "<aside>\n    a\n    :::platform web\n    b\n    :::\n    :::platform ios\n    c\n    :::\n\n    d\n</aside>",
        &format!("{NOTE}<p>a\nc</p>\n<p>d</p>\n</div>"),
    );
    check_on_ios(
        "> <aside>\n>   a\n> :::platform web\n>   b\n> :::\n>   c\n> </aside>",
        &format!("<blockquote>\n{NOTE}<p>a\nc</p>\n</div>\n</blockquote>"),
    );
    check_on_ios(":::platform web\n:::platform ios\na\n:::\n:::\nb", "<p>b</p>");
    check_on_ios(":::platform ios\n<aside>a\n:::\nb", &format!("{NOTE}<p>a</p>\n</div>\n<p>b</p>"));
}

#[test]
fn blocks_in_code_are_code() {
    check_on_ios(
        "~~~\n:::platform web\n:::\n~~~",
        "<pre tabindex=\"0\"><code>:::platform web\n:::\n</code></pre>",
    );
    check_on_ios(
        ":::platform web\n~~~\n:::\n~~~\n:::\n\n    :::platform web\n",
        "<pre tabindex=\"0\"><code>:::platform web\n</code></pre>",
    );
}

#[test]
fn a_block_that_is_never_closed_ends_with_its_paragraph() {
    check_on_ios("a\n\n:::platform web\nb\n\nc", "<p>a</p>\n<p>c</p>");
    check_on_ios(":::platform ios\nb\n\nc", "<p>b</p>\n<p>c</p>");
    check_on_ios(":::platform web\nb <aside>c\n\nd</aside>", &format!("{NOTE}<p>c</p>\n<p>d</p>\n</div>"));
    check_problems("> :::platform web\n> b", &[(Code::UnbalancedBlock, ":::platform web")]);
}

#[test]
fn text_for_other_platforms_is_left_out() {
    let markdown = ":::platform web\n## H\n[a](/x/) {gone} wonâ€™t\n<a href=\"/x/\"><< Previous</a>\n:::\nb";
    let page = parse(markdown, 0, &on_ios());
    assert_eq!(html(&page), "<p>b</p>\n");
    assert_eq!((page.headings.len(), page.references.len(), page.navigation.len()), (0, 0, 0));
    assert!(page.problems.is_empty(), "{:?}", page.problems);
    assert_eq!((page.platform_blocks.len(), page.prose.iter().next().map(|it| it.text)), (1, Some("b")));
}

#[test]
fn variables_are_replaced_in_text_code_and_addresses() {
    check_on_ios(
        "Add {sdk} to `{sdk}` or [{sdk}](/{platform.id}/ \"{sdk}\")\n\n~~~sh\nget {sdk} \\{sdk} ${sdk} {{sdk}} {other}\n~~~\n",
        "<p>Add acme/ios to <code>acme/ios</code> or <a href=\"/ios/\" title=\"acme/ios\">acme/ios</a></p>\n\
         <pre tabindex=\"0\" data-language=\"sh\"><code class=\"language-sh\">get acme/ios {sdk} ${sdk} {{sdk}} {other}\n</code></pre>",
    );
    check_on_ios("<img src=\"/{platform.id}.png\" alt=\"{sdk}\">", "<img src=\"/ios.png\" alt=\"acme/ios\">");
    check_on_ios("## On {platform.id}", "<h2 id=\"on-ios\">On ios</h2>");
    check_on_ios(
        ":::tip {sdk} now\n{sdk}\n:::",
        "<div class=\"note\" role=\"note\" data-kind=\"tip\">\n<p class=\"note-label\">Tip: acme/ios now</p>\n<p>acme/ios</p>\n</div>",
    );
    check("{sdk} \\{sdk}", "<p>{sdk} {sdk}</p>");
}

#[test]
fn a_variable_without_a_value_stays_and_is_reported() {
    let markdown = "é {gone} `{gone}` \\{gone}";
    let page = parse(markdown, 0, &on_ios());
    assert_eq!(html(&page), "<p>é {gone} <code>{gone}</code> {gone}</p>\n");
    let found: Vec<_> = page.problems.iter().map(|it| (it.code, it.span.clone())).collect();
    assert_eq!(found, [(Code::UndefinedVariable, 3..9), (Code::UndefinedVariable, 11..17)]);
}

#[test]
fn places_after_a_variable_are_those_in_the_file() {
    let markdown = "{sdk} {empty}{sdk} [é](/a/{platform.id}/b/) wonâ€™t\n\n## {sdk}\n\n:::platform ios\n[x](/y/{empty})\n:::\n{sdk}![i](z.png)";
    let page = parse(markdown, 0, &on_ios());
    let places: Vec<_> =
        page.references.iter().map(|link| (link.target.as_str(), &markdown[link.span.clone()])).collect();
    assert_eq!(places, [("/a/ios/b/", "/a/{platform.id}/b/"), ("/y/", "/y/"), ("z.png", "z.png")]);
    assert_eq!(&markdown[page.problems[0].span.clone()], "â€™");
    assert_eq!(&markdown[page.headings[0.into()].span.clone()], "## {sdk}");
    let replaced: Vec<_> = page.replaced.iter().map(|span| &markdown[span.clone()]).collect();
    assert_eq!(replaced, ["{sdk}", "{empty}", "{sdk}", "{platform.id}", "{sdk}", "{empty}", "{sdk}"]);
}

#[test]
fn a_block_may_open_where_all_that_is_around_it_is_closed() {
    for markdown in [
        "<aside\n><p>\n::::tip A\n\t:::platform ios\n</aside><aside",
        "<aside>\n:::note\n:::platform ios\n</aside>",
    ] {
        parse(markdown, 0, &on_ios());
        parse(markdown, 0, &Edition::default());
    }
}

#[test]
fn code_has_a_title_and_names_its_language() {
    check(
        "```kotlin title=\"<App>.kt\" {1}\nval a = 1\n```\n",
        "<figure class=\"code\"><figcaption>&lt;App&gt;.kt</figcaption>\
         <pre tabindex=\"0\" data-language=\"kotlin\"><code class=\"language-kotlin\">val a = 1\n</code></pre></figure>",
    );
    check_problems("1. x\n\n   ```js3 {1,3-4}\n   a\n   ```\n", &[(Code::MissingHighlightedLine, "3-4")]);
    check_problems("```js hl_lines=\"2\"\na\nb\n```\n", &[]);
}

#[test]
fn tabs_are_boxes_under_their_labels() {
    let tab = |attributes: &str, label: &str, text: &str| {
        format!("<div class=\"tab\"{attributes}>\n<p class=\"tab-label\">{label}</p>\n{text}\n</div>\n")
    };
    check(
        "<tabs group=\"system\">\n  <tab label=\"Linux\">\n\n    Use *apt*.\n\n  </tab>\n  <tab label=\"R&amp;D\">Ask.</tab>\n</tabs>",
        &format!(
            "<div class=\"tabs\" data-group=\"system\">\n{}{}</div>",
            tab("", "Linux", "<p>Use <em>apt</em>.</p>"),
            tab("", "R&amp;D", "<p>Ask.</p>")
        ),
    );
    check(
        "1. a\n\n   <tabs>\n   <tab label=\"b\" group=\"g\">\n\n   ```\n   </tab>\n   ```\n   </tab>\n   </tabs>\n\n2. c",
        &format!(
            "<ol>\n<li>\n<p>a</p>\n<div class=\"tabs\">\n{}</div>\n</li>\n<li>\n<p>c</p>\n</li>\n</ol>",
            tab(" data-group=\"g\"", "b", "<pre tabindex=\"0\"><code>&lt;/tab>\n</code></pre>")
        ),
    );
    check_problems("<tabs>\n<tab label=\"a\">\nb\n</tabs>", &[(Code::UnbalancedBlock, "<tab label=\"a\">")]);
    check_problems("a\n\n</tab>\n\nb", &[(Code::UnbalancedBlock, "</tab>")]);
    check_problems("`<tab>` <table><tr><td>x</table>", &[]);
}

#[test]
fn prose_leaves_out_images_with_all_that_is_in_them() {
    let page = parse("See ![outer ![inner](a.png) end](b.png) and `code`.\n", 0, &Edition::default());
    let passages: Vec<_> = page.prose.iter().collect();
    assert_eq!(passages.len(), 1, "{passages:?}");
    let passage = passages[0];
    assert_eq!(passage.without_images(), "See \u{fffc}\u{fffc} and code.");
    let code = passage.text.find("code").expect("it is there");
    assert!(passage.is_code(&(code..code + 1)) && !passage.is_code(&(code - 1..code)));
}

/// Returns the text at the range of each character of a page's text.
fn places(text: &str) -> Vec<String> {
    let page = parse(text, 0, &Edition::default());
    let all = page.prose.iter().flat_map(|it| it.text.char_indices().map(move |(at, c)| (it, at, c)));
    let place = |(it, at, c): (Passage<'_>, usize, char)| text[it.span(at..at + c.len_utf8())].to_string();
    all.map(place).collect()
}

#[test]
fn letters_of_an_address_behind_an_entity_have_their_own_places() {
    assert_eq!(places("\\<https://e.org>&amp;日")[15..], ["&", "日"]);
    assert_eq!(places("www.e.org/\\_&auml;é")[10..], ["_", "&a", "é"]);
}

#[test]
fn code_that_is_not_as_written_has_the_place_of_all_of_it() {
    assert_eq!(places("a `b\né`c"), ["a", " ", "b", "\n", "é", "c"]);
    assert_eq!(places("- `b\n  é`c"), ["`b\n  é`", "`b\n  é`", "`b\n  é`", "c"]);
    assert_eq!(places("|a|\n|-|\n|`` é\\| ``|")[1..], ["`` é\\| ``", "`` é\\| ``"]);
    assert_eq!(places("`` é ``"), ["é"]);
}

#[test]
fn a_comment_after_a_block_in_indented_code_has_its_place() {
    assert_eq!(places("    1. <Tabs>\n```\n\na <!-- é: b -->c")[..2], ["a", " "]);
    assert_eq!(places("    1. <Tabs>\n```\n\na <!-- é: b -->c").last().map(String::as_str), Some("c"));
}

#[test]
fn a_heading_ends_where_the_next_begins_also_behind_a_tag_that_is_left_out() {
    for left_out in ["", "<body>"] {
        check(&format!("<h2>a{left_out}<h2>b</h2>"), "<h2>a</h2><h2>b</h2>");
    }
}

#[test]
fn code_in_a_note_is_indented_more_than_its_first_line() {
    for (open, close) in [(":::warning", ":::"), ("<aside class=\"warning\">", "</aside>")] {
        for indent in ["", "  "] {
            let text = format!("{open}\n{indent}a\n\n{indent}    b\n{close}");
            let page = parse(&text, 0, &Edition::default());
            let code: Vec<&str> = page.code.iter().map(|it| it.code.as_str()).collect();
            assert_eq!(code, ["b\n"], "{text}");
        }
    }
}

#[test]
fn words_are_counted_as_they_are_split() {
    for text in [
        "",
        "one",
        " one  two\tthree \n",
        "caf\u{e9} au\u{a0}lait",
        "a\u{b}b\u{1f}c",
        "é à",
        "a\u{3000}b",
        "![i](x)c\n\nd",
    ] {
        let page = parse(&format!("`{text}`x\n"), 0, &Edition::default());
        let words: usize = page.prose.iter().map(|passage| passage.text.split_whitespace().count()).sum();
        assert_eq!(page.prose.words(), words, "{text:?}");
    }
}

#[test]
fn one_cause_is_one_finding() {
    check_problems("<div>\n\n> x\n> </div>", &[(Code::UnclosedElement, "<div>")]);
    check_problems("a <b>b <i>c</b> d</i>", &[(Code::UnclosedElement, "<i>")]);
    check_problems("x <name> y", &[]);
    // In a table, the paragraph before may have begun the part.
    check_problems(
        "<table>\n<tr>\n    <td>\n\na\n    </td>\n    <td>b</td>\n    <td>\n\nc\n    </td>\n</tr>\n<tr>\n    <th>\n\n\
         d\n    </th></tr><tr><td>e</td><td>\n\nf\n    </td></tr>\n\n</table>\n",
        &[],
    );
    check_problems("</p></br></img>", &[(Code::StrayEndTag, "</p>")]);
    check_problems("<ul><li>a<li>b</ul>\n<dl><dt>a<dd>b</dl>", &[]);
}

#[test]
fn blocks_of_other_tools_are_read_as_text() {
    check(":::code-group\n*x*\n:::\ny", "<p><em>x</em>\ny</p>");
    check_problems(":::code-group\nx\n:::", &[(Code::UnknownDirective, ":::code-group")]);
    check_problems(":::code-group\nx", &[(Code::UnknownDirective, ":::code-group")]);
    check_problems(":::{note}\nx\n:::", &[(Code::UnknownDirective, ":::{note}")]);
    check_problems(":::: {.callout}\nx\n::::", &[(Code::UnknownDirective, ":::: {.callout}")]);
    check_problems(":::note\n```js\na\n:::\n\nb", &[(Code::UnclosedFence, "```js")]);
    check_problems("| a | b |\n\n| - | - |\n| c | d |", &[(Code::BrokenTable, "| - | - |\n| c | d |")]);
    check_problems("| a | b |\n| – | – |", &[(Code::BrokenTable, "| a | b |\n| – | – |")]);
    check_problems("| a | b |\n| === | === |", &[(Code::BrokenTable, "| a | b |\n| === | === |")]);
    check(":::note\nx\n:::note\ny", &format!("{NOTE}<p>x</p>\n</div>\n<p>y</p>"));
    check_problems(":::note\nx\n:::note\ny", &[(Code::UnbalancedBlock, ":::note")]);
    let unclosed = parse(":::note\nx\n\n:::note\ny\n:::\n", 0, &Edition::default());
    let found: Vec<_> = unclosed.problems.iter().map(|it| (it.span.start, it.message.as_str())).collect();
    assert_eq!(found, [(0, "the note `:::note` is never closed")]);
}

#[test]
fn a_code_block_that_the_next_one_closes_is_reported() {
    check_problems("```sh\na\n\nText.\n\n```js\nb\n```\n", &[(Code::UnclosedFence, "```sh")]);
    check_problems("```\na\n\nText.\n\n``` js\nb\n```\n", &[(Code::UnclosedFence, "```")]);
    check_problems("```sh\na\n\n```{code-block} js\nb\n```\n", &[(Code::UnclosedFence, "```sh")]);
    check_problems("~~~md\n~~~js\nb\n~~~\n", &[(Code::UnclosedFence, "~~~md")]);
    // Without languages, the blank lines around the fences show where the end is missing.
    let exchanged = "```\na\n\nText.\n\n```\nb\n```\n\nMore.\n\n```\nc\n```\n";
    check_problems(exchanged, &[(Code::UnclosedFence, "```")]);
    let around_heading = "Run:\n~~~\na\n\nWait.\n\n## Then\n\nRun:\n~~~\nb\n~~~\nOr:\n~~~\nc\n~~~\n";
    let page = parse(around_heading, 0, &Edition::default());
    assert_eq!(page.problems[0].span.start, "Run:\n".len(), "{:?}", page.problems);
    let page = parse(exchanged, 0, &Edition::default());
    assert_eq!(page.problems[0].span.start, 0);
    // A longer fence contains others, and so do other marks, indented lines, and marks without a language.
    for code in [
        "````md\n```js\nb\n```\n````",
        "~~~md\n```js\nb\n```\n~~~",
        "```md\n    ```js\n```",
        "```md\n+```js\n```",
    ] {
        check_problems(code, &[]);
    }
}

#[test]
fn marks_that_are_indented_like_code_do_not_close_a_fence() {
    let page = parse("```\n    ```\n<tab label=\"a\">\n```\n", 0, &Edition::default());
    assert_eq!((page.problems.len(), page.code.len()), (0, 1), "{:?}", page.problems);
    for text in [
        "- ```\n  a\n  ```\n",
        "10. ```\n    a\n    ```\n",
        "<aside>\n      ```\n      a\n      ```\n</aside>\n",
    ] {
        assert_eq!(parse(text, 0, &Edition::default()).problems, [], "{text}");
    }
}

/// Checks a page of a site with formulas: its HTML without the content of `<math>`, and the texts of its findings.
#[track_caller]
fn check_formulas(markdown: &str, expected: &str, broken: &[&str]) {
    let edition = Edition { has_formulas: true, ..Edition::default() };
    let page = parse(markdown, 0, &edition);
    let mut html = html(&page);
    while let Some(start) = html.find("<math") {
        let end = start + html[start..].find("</math>").expect("an end tag") + "</math>".len();
        html.replace_range(start..end, "∑");
    }
    assert_eq!(html.trim(), expected.trim(), "from:\n{markdown}");
    let found: Vec<_> = page.problems.iter().map(|it| (it.code, &markdown[it.span.clone()])).collect();
    let broken: Vec<_> = broken.iter().map(|text| (Code::BrokenFormula, *text)).collect();
    assert_eq!(found, broken, "from:\n{markdown}");
}

#[test]
fn formulas_are_found_between_dollars() {
    const BLOCK: &str = "<div class=\"formula\" tabindex=\"0\">∑</div>";
    check_formulas("It is $a_1 * b_1$, _so_ $*$ is.", "<p>It is ∑, <em>so</em> ∑ is.</p>", &[]);
    check_formulas(
        "| A | B |\n| - | - |\n| $x$ | $y$ |",
        "<section class=\"table\" tabindex=\"0\" aria-label=\"A\"><table><thead><tr><th scope=\"col\">A</th><th scope=\"col\">B</th></tr></thead><tbody>\n<tr><td>∑</td><td>∑</td></tr>\n</tbody></table></section>",
        &[],
    );
    check_formulas("a $$x$$ b", "<p>a <span class=\"formula\" tabindex=\"0\">∑</span> b</p>", &[]);
    check_formulas("Text\n$$\na\n- b\n\n= c\n$$\nMore.", &format!("<p>Text</p>\n{BLOCK}\n<p>More.</p>"), &[]);
    check_formulas(
        "- Item:\n\n  $$\n  a\n  $$\n",
        &format!("<ul>\n<li>\n<p>Item:</p>\n{BLOCK}\n</li>\n</ul>"),
        &[],
    );
    check_formulas("> $$\n> a\n> $$\n", &format!("<blockquote>\n{BLOCK}\n</blockquote>"), &[]);
    check_formulas(":::note\n$a$\n:::", &format!("{NOTE}<p>∑</p>\n</div>"), &[]);
    check_formulas("## The rule $a$", "<h2 id=\"the-rule-a\">The rule ∑</h2>", &[]);
    check_formulas("```math\na\n```", BLOCK, &[]);
}

#[test]
fn amounts_variables_and_code_are_no_formulas() {
    check_formulas(
        "It is $5-$10, or US$5 **now** and US$6.",
        "<p>It is $5-$10, or US$5 <strong>now</strong> and US$6.</p>",
        &[],
    );
    check_formulas("$HOME/*x*:$PATH", "<p>$HOME/<em>x</em>:$PATH</p>", &[]);
    check_formulas("`$a$ \\$` and $b", "<p><code>$a$ \\$</code> and $b</p>", &[]);
    check_formulas(
        "```sh\necho $A $B$\n```",
        "<pre tabindex=\"0\" data-language=\"sh\"><code class=\"language-sh\">echo $A $B$\n</code></pre>",
        &[],
    );
    check_formulas("[a](b$c$d) \\$x$", "<p><a href=\"b$c$d\">a</a> $x$</p>", &[]);
    check("$a$ and $$b$$", "<p>$a$ and $$b$$</p>");
}

#[test]
fn formulas_that_cant_be_displayed_are_reported_and_shown_as_source() {
    check_formulas("It is $\\frac{a}{\\foo}$.", "<p>It is <code>\\frac{a}{\\foo}</code>.</p>", &["\\foo"]);
    check_formulas(
        "> a $$x^2^3\n> = 1$$",
        "<blockquote>\n<p>a <code>x^2^3\n= 1</code></p>\n</blockquote>",
        &["$$x^2^3\n> = 1$$"],
    );
    check_formulas("a\n\n$$\nb\n", "<p>a</p>\n<p>$$\nb</p>", &["$$"]);
    check_problems("1. A\n\n   ```math\n   a\n   \\boo\n   ```", &[(Code::BrokenFormula, "\\boo")]);
    check(
        "```math\n}\n```",
        "<pre tabindex=\"0\" data-language=\"latex\"><code class=\"language-latex\">}\n</code></pre>",
    );
}
