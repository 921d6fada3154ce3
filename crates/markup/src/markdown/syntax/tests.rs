use std::sync::Arc;

use super::super::tests::unescaped;
use super::*;
use crate::edition::Edition;
use base::diagnostic::Code;
use base::site_path::SitePath;
use input::dialect::IncludedFile;

pub(super) const MDX: &[Syntax] = &[Syntax::Mdx, Syntax::Directives];

fn dialect(syntax: &'static [Syntax], parts: &[(&str, &str)]) -> Dialect {
    let part = |(name, text): &(&str, &str)| {
        ((*name).to_string(), IncludedFile { path: SitePath::from("x"), text: Arc::from(*text) })
    };
    let values =
        Arc::new([("param version".to_string(), "4".to_string()), ("site.title".into(), "T".into())].into());
    Dialect { syntax, parts: parts.iter().map(part).collect(), values, ..Dialect::default() }
}

/// Checks the translation of a text and what is left out. Every copied byte must keep its range.
#[track_caller]
pub(super) fn check_with(
    syntax: &'static [Syntax],
    parts: &[(&str, &str)],
    text: &str,
    expected: &str,
    left_out: &str,
) {
    let dialect = dialect(syntax, parts);
    let translated = translate(text, 0, &dialect);
    let names: Vec<_> = translated.left_out.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(translated.text, expected, "from:\n{text}");
    assert_eq!(names.join(", "), left_out, "from:\n{text}");
    for (at, c) in translated.text.char_indices() {
        let place = at..at + c.len_utf8();
        if translated.map.is_copy(&place) {
            assert_eq!(text[translated.map.range(place)], *c.to_string(), "at {at}, from:\n{text}");
        }
    }
    for it in &translated.left_out {
        assert!(text.get(it.span.clone()).is_some(), "{it:?}");
    }
    let page = super::super::parse(text, 0, &Edition::default(), &dialect);
    for problem in &page.problems {
        assert!(text.get(problem.span.clone()).is_some(), "{problem:?}");
    }
}

#[track_caller]
pub(super) fn check(syntax: &'static [Syntax], text: &str, expected: &str, left_out: &str) {
    check_with(syntax, &[], text, expected, left_out);
}

#[test]
fn markdown_is_not_changed() {
    for text in [
        "# Title {#id}\n\nText *a* `{b}` <br> \\{c}\n\n- a\n\n  b\n    - c\n\n```js\nimport a from 'b';\n{x} <Y/>\n```\n",
        "> a\n> ```\n> {x}\n> ```\n\n| a | b |\n|-|-|\n| c | d |\n",
        "a\r\nb\r\n\r\n1. c\r\n   ```\r\n   {d}\r\n   ```\r\n",
        "<!-- {a} <B/> -->\n\n:::note\na\n:::\n\n:::tip Title\nb\n:::\n",
        "<table>\n  <tr>\n    <td>a</td>\n  </tr>\n</table>\n\n<details>\n<summary>a</summary>\n\nb\n\n</details>",
        "import it from there\nexport the file\n",
        "a < b and <https://e.org> c",
    ] {
        check(MDX, text, text, "");
    }
}

#[test]
fn files_that_are_included_are_named() {
    let text = "import a from '@site/a.swift?raw';\nimport P from './_p.mdx';\nimport x from 'x';\n\n<P/>\n";
    let names: Vec<_> = inclusions(text, 0, MDX).into_iter().map(|it| (it.name, it.kind)).collect();
    let expected = [("@site/a.swift?raw", InclusionKind::Code), ("./_p.mdx", InclusionKind::Markdown)];
    assert_eq!(names, expected.map(|(name, kind)| (name.to_string(), kind)));
}

const HUGO: &[Syntax] = &[Syntax::Shortcodes];
const JEKYLL: &[Syntax] = &[Syntax::Liquid, Syntax::Kramdown, Syntax::CodePipes];
const MKDOCS: &[Syntax] = &[Syntax::Indented, Syntax::Kramdown, Syntax::CodePipes, Syntax::Snippets];
const VITEPRESS: &[Syntax] = &[Syntax::Directives, Syntax::Vue, Syntax::Snippets];
const MDBOOK: &[Syntax] = &[Syntax::Mdbook];

/// The syntaxes in `tests.txt`.
const SYNTAXES: [(&str, &[Syntax]); 8] = [
    ("mdx", MDX),
    ("hugo", HUGO),
    ("jekyll", JEKYLL),
    ("mkdocs", MKDOCS),
    ("vitepress", VITEPRESS),
    ("mdbook", MDBOOK),
    ("sphinx", &[Syntax::Myst]),
    ("mystmd", &[Syntax::Myst, Syntax::MystTitles]),
];

/// Checks each line of `tests.txt`, `syntax: text ⇒ translation`, after the included files, `+ name: text`, and before what is
/// left out, `- names`.
#[test]
fn each_construct_is_translated() {
    let is_meant = |line: &&str| !line.is_empty() && !line.starts_with(['#', '/']);
    let mut lines = include_str!("tests.txt").lines().filter(is_meant).peekable();
    let mut parts = Vec::new();
    while let Some(line) = lines.next() {
        if let Some((name, text)) = line.strip_prefix("+ ").and_then(|part| part.split_once(": ")) {
            parts.push((name, unescaped(text)));
            continue;
        }
        let (name, translation) = line.split_once(": ").expect("a syntax");
        let (text, expected) = translation.split_once(" ⇒ ").expect("a translation");
        let left_out = lines.next_if(|line| line.starts_with("- ")).map_or("", |line| &line[2..]);
        let syntax = SYNTAXES.iter().find(|(known, _)| *known == name).expect("a known syntax").1;
        let of_line: Vec<(&str, &str)> = parts.iter().map(|(name, text)| (*name, text.as_str())).collect();
        check_with(syntax, &of_line, &unescaped(text), &unescaped(expected), left_out);
        parts.clear();
    }
}

#[test]
fn snippets_are_included() {
    let parts =
        [("a.md", "# A\n\nb"), ("c.py", "x\n# --8<-- [start:s]\ny\n# --8<-- [end:s]\n"), ("@/d.js", "1\n")];
    check_with(
        MKDOCS,
        &parts,
        "--8<-- \"a.md\"\n\n```python\n--8<-- \"c.py:s\"\n```\n",
        "# A\n\nb\n\n```python\ny\n```\n",
        "",
    );
    check(MKDOCS, "--8<-- \"none.md\"\n\n;--8<-- \"a.md\"\n", "--8<-- \"a.md\"\n", "none.md");
    check_with(VITEPRESS, &parts, "<<< @/d.js{1} [D]\n", "```js title=\"D\" {1}\n1\n```\n", "");
    check_with(VITEPRESS, &parts, "<!--@include: a.md-->\n", "# A\n\nb\n", "");
    for front in ["---\n---\n", "---\r\n---\r\n", "---\ntitle: A\n---\n"] {
        let parts = [("a.md", &*format!("{front}b"))];
        check_with(VITEPRESS, &parts, "<!--@include: a.md-->\n", "b\n", "");
    }
    // A comment in code is no heading, and a region comes before a heading with its name.
    let section = "## A\n\n```sh\n# b\n```\n\nc\n";
    let parts =
        [("a.md", &*format!("# T\n\n{section}\n## D\n\n<!-- #region d -->\ne\n<!-- #endregion d -->\n"))];
    check_with(VITEPRESS, &parts, "<!--@include: a.md#a-->\n", section, "");
    check_with(VITEPRESS, &parts, "<!--@include: a.md#d-->\n", "e\n", "");
}

#[test]
fn code_is_taken_from_files() {
    let code = "// #region x\n  if (a) {\n\n    b();\n  }\n// #endregion x\n```\n";
    let check = |text: &str, expected: &str, problems: &[Code]| {
        let parts = [("code/a.js", code), ("b.txt", "")];
        check_with(&[Syntax::CodeFiles], &parts, text, expected, "");
        let found = translate(text, 0, &dialect(&[Syntax::CodeFiles], &parts)).problems;
        assert_eq!(found.iter().map(|problem| problem.code).collect::<Vec<_>>(), problems, "{text}");
    };
    let shown = "```js title=\"a.js\"\nif (a) {\n\n  b();\n}\n```\n\nText.\n";
    check("```js file=\"code/a.js\" region=\"x\"\n```\n\nText.\n", shown, &[]);
    check(
        "```js file=code/a.js region=x\r\n```\r\n",
        "```js title=\"a.js\"\nif (a) {\n\n  b();\n}\n```\r\n",
        &[],
    );
    // Markers in the code lengthen those of the block.
    check("```js {1} title='A' file=code/a.js lines=\"7-\"\n```", "````js {1} title='A' \n```\n````", &[]);
    check(
        "> - ~~~ file=code/a.js lines=2-4\n>   ~~~\n> c\n",
        "> - ~~~ title=\"a.js\"\n>   if (a) {\n>\n>     b();\n>   ~~~\n> c\n",
        &[],
    );
    check("``` file=b.txt title=\"\"\n```\n", "``` title=\"\"\n```\n", &[]);
    check(
        "```js file=code/a.js region=x\nown\n```\n",
        "```js title=\"a.js\"\nif (a) {\n\n  b();\n}\n```\n",
        &[Code::IgnoredCode],
    );
    check("```js file=c.js\n```\n", "```js title=\"c.js\"\n```\n", &[Code::MissingCodeFile]);
    check("```js file=code/a.js region=y\n```\n", "```js title=\"a.js\"\n```\n", &[Code::MissingCodePart]);
    check("```js file=code/a.js lines=0-9\n```\n", "```js title=\"a.js\"\n```\n", &[Code::MissingCodePart]);
    // Nothing after an unclosed code block is lost.
    for text in [
        "```js file=code/a.js\nText.\n",
        "- ```js file=code/a.js\n\nText.\n\n```\nb\n```\n",
        "> ```js file=code/a.js\n\nText.\n",
    ] {
        check(text, text, &[]);
    }
}

/// Checks the findings of an MDX page that may include another file, as messages and help.
#[track_caller]
fn check_messages(syntax: &'static [Syntax], parts: &[(&str, &str)], text: &str, expected: &[&str]) {
    let page = super::super::parse(text, 0, &Edition::default(), &dialect(syntax, parts));
    let found = page.problems.iter().filter(|problem| problem.code != Code::UnsupportedSyntax);
    let found: Vec<_> =
        found.map(|it| format!("{}; {}", it.message, it.help.clone().unwrap_or_default())).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn findings_quote_the_author() {
    let never_closed = |what: &str, open: &str, close: &str| {
        format!("the {what} `{open}` is never closed; add `{close}` after its text")
    };
    let unclosed = |what: &str, open: &str, close: &str| {
        let tool = if open.starts_with('<') { "MDX" } else { "Hugo" };
        format!("{}; without that, {tool} stops here", never_closed(what, open, close))
    };
    check_messages(
        MDX,
        &[],
        "<TabItem label=\"a\">\n\nb\n",
        &[&unclosed("tab", "<TabItem label=\"a\">", "</TabItem>")],
    );
    check_messages(VITEPRESS, &[], "::: tip\na\n\nb\n", &[&never_closed("note", "::: tip", ":::")]);
    // A note that contains another one has more colons.
    let two = [unclosed("note", "<Note>", "</Note>"), unclosed("note", "<Tip>", "</Tip>")];
    check_messages(MDX, &[], "<Note>\n\na\n\n<Tip>\n\nb\n", &[&two[0], &two[1]]);
    check_messages(
        &[Syntax::Shortcodes],
        &[],
        "{{% alert %}}\n\na\n",
        &[&unclosed("note", "{{% alert %}}", "{{% /alert %}}")],
    );
    check_messages(
        &[Syntax::Myst],
        &[],
        "````{tabs}\n\na\n",
        &[&never_closed("block", "````{tabs}", "````")
            .replace("`````{tabs}`", "“````{tabs}”")
            .replace("``````", "“````”")],
    );
    let details = "is not closed in its block; add";
    check_messages(
        MDX,
        &[],
        "<Details summary=\"a\">\n\nb\n",
        &[&format!("`<Details summary=\"a\">` {details} `</Details>` at its end")],
    );
    check_messages(MDX, &[], ":::details a\n\nb\n", &[&format!("`:::details a` {details} `:::` at its end")]);
}

#[test]
fn findings_in_an_included_file_are_the_same_as_on_its_own() {
    let part = "<TabItem label=\"a\">\n\n<b>c\n";
    let page = |text: &str| {
        let page = super::super::parse(text, 0, &Edition::default(), &dialect(MDX, &[("./p.mdx", part)]));
        page.problems.iter().map(|problem| (problem.code, problem.message.clone())).collect::<Vec<_>>()
    };
    assert_eq!(page(part).len(), 2);
    assert_eq!(page("import P from './p.mdx'\n\n<P/>\n"), page(part));
}

#[test]
fn fenced_code_ends_with_its_own_marks_or_its_block() {
    let tabs = "<Tabs>\n\t<TabItem label=\"a\">\n\t\t```sh\n\t\t\tb\n\t\t```\n\t</TabItem>\n</Tabs>\n";
    check(MDX, tabs, "<tabs>\n<tab label=\"a\">\n```sh\n\tb\n```\n</tab>\n</tabs>\n", "");
    let example = "``` md\n=== \"A\"\n\n    ```\n    a\n    ```\n```\n\n<div markdown>\n\nb\n\n</div>\n";
    check(&[Syntax::Indented, Syntax::Kramdown], example, example, "");
    check_messages(&[Syntax::Indented, Syntax::Kramdown], &[], example, &[]);
    check_messages(
        &[Syntax::Indented],
        &[],
        "=== \"A\"\n\n    ```\n    a\n\n=== \"B\"\n\n    ```\n    b\n    ```\n",
        &["the code block is never closed, so everything after ``` in the block is code; \
           add a line with ``` after the code"],
    );
    check_messages(
        &[Syntax::Indented],
        &[],
        "=== \"A\"\n\n    a\n    ```\n\n=== \"B\"\n\n    b\n",
        &["the code block has neither code nor an end; remove ```"],
    );
}

#[test]
fn a_construct_is_known_by_its_name_and_does_something() {
    let names: base::sorted::SortedSet<_> = CONSTRUCTS.iter().map(|construct| construct.name).collect();
    assert_eq!(names.len(), CONSTRUCTS.len());
    for construct in CONSTRUCTS {
        assert!(construct.slip.is_some() || !construct.becomes.is_empty(), "{}", construct.name);
        let is_translated = construct.becomes.iter().any(|(of, _)| !of.is_empty());
        assert_eq!(construct.syntaxes.is_empty(), !is_translated, "{}", construct.name);
    }
}

#[test]
fn a_formula_is_indented_like_its_block() {
    let text = "??? info\n\n    $$\n    H = 1\n    $$\n\n## B\n";
    let dialect = Dialect { has_formulas: true, syntax: &[Syntax::Indented], ..Dialect::default() };
    let edition = Edition { has_formulas: true, ..Edition::default() };
    let translated = translate(text, 0, &dialect).text;
    assert!(translated.contains("\n$$\nH = 1\n$$\n"), "{translated}");
    assert_eq!(super::super::parse(text, 0, &edition, &dialect).problems, []);
}

#[test]
fn a_fence_of_mdx_ends_at_any_indentation() {
    let text = "<Steps>\n    ```py\n        a\n        ```\n</Steps>\n";
    let dialect = dialect(&[Syntax::Mdx], &[]);
    assert_eq!(super::super::parse(text, 0, &Edition::default(), &dialect).problems, []);
}
