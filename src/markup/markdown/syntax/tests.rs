use std::sync::Arc;

use super::*;
use crate::base::diagnostic::Code;
use crate::base::site_path::SitePath;
use crate::input::dialect::IncludedFile;
use crate::markup::edition::Edition;

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
fn imports_and_exports_are_no_text() {
    check(MDX, "import A from 'a';\nimport { B,\n  C } from \"b\"\n\n# T\n", "# T\n", "");
    check(MDX, "# T\n\nimport A from 'a';\n\na\n", "# T\n\na\n", "");
    check(MDX, "a\nimport A from 'a'\nb\n", "a\n\nb\n", "");
    check(MDX, "export const a = {\n  b: [1],\n\n  c: '}'\n};\n\nd\n", "d\n", "");
    check(MDX, "export default function A() {\n  return 1;\n}\n\nd\n", "d\n", "");
    check(MDX, "- import A from 'a'\n", "- import A from 'a'\n", "");
}

#[test]
fn expressions_are_their_text_or_left_out() {
    check(MDX, "a{' '}b {\"c d\"} {`e`}", "a b c d e", "");
    check(MDX, "a {b.c({d: '}'})} e", "a  e", "b.c({d: '}'})");
    check(MDX, "{'<a> *b*'}", "&#60;a&#62; &#42;b&#42;", "");
    check(MDX, "a {/* b */} c", "a <!-- b --> c", "");
    check(MDX, "# A {/* #b */}\n\n## C {#d}\n", "# A {#b}\n\n## C {#d}\n", "");
    check(MDX, "a { b", "a { b", "");
    check(MDX, "export const V = '1.2';\n\nThe version is {V}.\n", "The version is 1.2.\n", "");
}

#[test]
fn attributes_are_those_of_html() {
    check(
        MDX,
        "<img\n  alt=\"A\"\n  src={useBaseUrl('img/a.png')}\n/>\n",
        "<img\n  alt=\"A\"\n  src=\"/img/a.png\"\n/>\n",
        "",
    );
    check(MDX, "<img src={require('./a.png').default} style={{a: 1}} />", "<img src=\"./a.png\" />", "");
    check(
        MDX,
        "import a from './a.png';\n\n<img src={a} className='b' width={5}/>",
        "<img src=\"./a.png\" class='b' width=\"5\"/>",
        "",
    );
    check(MDX, "<p onClick={() => a()}>b</p> <a id=\"c\" />", "<p>b</p> <a id=\"c\"></a>", "");
    check(MDX, "<a href={b()}>c</a>", "<a>c</a>", "href");
}

#[test]
fn tabs_are_ours() {
    check(
        MDX,
        "<Tabs\ngroupId=\"x\"\nvalues={[\n{ label: 'A B', value: 'a'},\n]\n}>\n\n<TabItem value=\"a\">\n\n```js\n1\n```\n\n</TabItem>\n</Tabs>\n",
        "<tabs group=\"x\">\n\n<tab label=\"A B\">\n\n```js\n1\n```\n\n</tab>\n</tabs>\n",
        "",
    );
    check(
        MDX,
        "<Tabs>\n  <TabItem value=\"a\" label=\"A\">\n    # One\n\n    ```js\n      x\n    ```\n  </TabItem>\n  <TabItem value=\"b\">two</TabItem></Tabs>\nc\n",
        "<tabs>\n<tab label=\"A\">\n# One\n\n```js\n  x\n```\n</tab>\n<tab label=\"b\">\ntwo\n</tab>\n</tabs>\nc\n",
        "",
    );
    check(
        MDX,
        "1. a\n\n   <Tabs>\n     <TabItem value=\"b\">\n\n     c\n\n     </TabItem>\n   </Tabs>\n\n2. d\n",
        "1. a\n\n   <tabs>\n   <tab label=\"b\">\n\n   c\n\n   </tab>\n   </tabs>\n\n2. d\n",
        "",
    );
}

#[test]
fn components_become_the_markup_they_represent() {
    check(MDX, "<Note>a</Note>\n", ":::note\na\n:::\n", "");
    check(MDX, "<Admonition type=\"tip\" title=\"B\">\n  a\n</Admonition>\n", ":::tip B\na\n:::\n", "");
    check(MDX, "<Aside type=\"danger\">\n  a\n</Aside>\n", ":::caution\na\n:::\n", "");
    check(
        MDX,
        "<Details summary=\"A\">\n\nb\n\n</Details>\n",
        "<details>\n<summary>A</summary>\n\n\nb\n\n\n</details>\n",
        "",
    );
    check(MDX, "<Image src=\"/a.png\" alt=\"B\" />", "![B](/a.png)", "");
    check(MDX, "a <Link to=\"/b\">c</Link>", "a <a href=\"/b\">c</a>", "");
    check(MDX, "<Card title=\"A\" href=\"/b\" />", "[A](/b)", "");
    check(
        MDX,
        "<YouTubeEmbed videoId=\"a-B\" title=\"C\" />",
        "[C](https://www.youtube.com/watch?v=a-B)",
        "",
    );
    check(MDX, "<>a</>", "a", "");
    check(MDX, "a <WebVersion/>.\n\n<Foo\n  b={1}\n/>\n\nc\n", "a .\n\nc\n", "WebVersion, Foo");
    check(MDX, "<Foo>\n    # A\n\n    b\n</Foo>\n", "# A\n\nb\n", "Foo");
    check(
        MDX,
        "<Item title=\"A\" links={[{ title: \"B\", link: \"/c\" }]} />\n",
        "**A**\n\n- [B](/c)\n\n",
        "Item",
    );
    check(MDX, "| <Note>a</Note> |\n|-|\n", "| a |\n|-|\n", "Note");
}

#[test]
fn code_that_is_imported_is_in_the_page() {
    let files = [("@site/a.swift?raw", "let a = 1\n"), ("@site/b.kt?raw", "val b = `x`")];
    let imports = "import a from '@site/a.swift?raw';\nimport b from \"@site/b.kt?raw\";\n\n";
    check_with(
        MDX,
        &files,
        &format!(
            "{imports}<RCCodeBlock\n  tabs={{[\n    {{ type: \"swift\", content: a, name: \"A\" }},\n    {{ type: \"Kotlin\", content: b }},\n  ]}}\n/>\n"
        ),
        "<tabs>\n<tab label=\"A\">\n\n```swift\nlet a = 1\n```\n\n</tab>\n<tab label=\"kotlin\">\n\n```kotlin\nval b = `x`\n```\n\n</tab>\n</tabs>\n",
        "",
    );
    check_with(
        MDX,
        &files,
        &format!("{imports}- c\n\n  <CodeBlock language=\"swift\" title=\"A.swift\">{{a}}</CodeBlock>\n"),
        "- c\n\n  ```swift title=\"A.swift\"\n  let a = 1\n  ```\n",
        "",
    );
    check(MDX, &format!("{imports}<Code code={{a}} />\n\nd\n"), "d\n", "@site/a.swift?raw");
}

#[test]
fn pages_that_are_imported_are_read() {
    let parts = [("./_p.mdx", "---\na: b\n---\nimport c from 'd';\n\n# P {props.e}\n\n<Foo/>\n\nq\n")];
    check_with(
        MDX,
        &parts,
        "import P from './_p.mdx';\n\nx\n\n<P e=\"f\" />\n\ny\n",
        "x\n\n# P f\n\nq\n\ny\n",
        "Foo",
    );
}

#[test]
fn files_that_are_included_are_named() {
    let text = "import a from '@site/a.swift?raw';\nimport P from './_p.mdx';\nimport x from 'x';\n\n<P/>\n";
    let names: Vec<_> = inclusions(text, 0, MDX).into_iter().map(|it| (it.name, it.kind)).collect();
    let expected = [("@site/a.swift?raw", InclusionKind::Code), ("./_p.mdx", InclusionKind::Markdown)];
    assert_eq!(names, expected.map(|(name, kind)| (name.to_string(), kind)));
}

#[test]
fn directives_of_any_name_are_blocks() {
    check(MDX, ":::note[A *b*]\nc\n:::\n", ":::note A *b*\nc\n:::\n", "");
    check(MDX, "::: secondary\nc\n:::\n", ":::note Secondary\nc\n:::\n", "");
    check(MDX, ":::details A\nc\n:::\n", "<details>\n<summary>A</summary>\n\nc\n\n</details>\n", "");
    check(MDX, ":::note\na\n:::note\n\nb\n", ":::note\na\n:::note\n\nb\n", "");
    check(
        MDX,
        "::: code-group\n\n```js [a.js]\n1\n```\n\n```ts\n2\n```\n\n:::\n",
        "<tabs>\n\n<tab label=\"a.js\">\n\n```js\n1\n```\n</tab>\n\n<tab label=\"ts\">\n\n```ts\n2\n```\n</tab>\n\n</tabs>\n",
        "",
    );
    check(
        MDX,
        "::::note\n:::details\na\n:::\n::::\n",
        "::::note\n<details>\n<summary>Details</summary>\n\na\n\n</details>\n::::\n",
        "",
    );
}

const HUGO: &[Syntax] = &[Syntax::Shortcodes];
const JEKYLL: &[Syntax] = &[Syntax::Liquid, Syntax::Kramdown];
const MKDOCS: &[Syntax] = &[Syntax::Indented, Syntax::Kramdown, Syntax::Snippets];
const VITEPRESS: &[Syntax] = &[Syntax::Directives, Syntax::Vue, Syntax::Snippets];
const MDBOOK: &[Syntax] = &[Syntax::Mdbook];

#[test]
fn shortcodes_become_the_markup_they_represent() {
    check(HUGO, "[x]({{< ref \"page#a\" >}}) {{% param missing %}}", "[x](page#a) ", "param missing");
    check(HUGO, "{{< figure src=\"/a.png\" alt=\"B\" caption=\"C\" >}}\n", "![B](/a.png)\n\n*C*\n", "");
    check(
        HUGO,
        "{{< highlight go \"linenos=table\" >}}\na {{< b >}}\n{{< /highlight >}}\n",
        "```go\na {{< b >}}\n```\n",
        "",
    );
    check(
        HUGO,
        "{{< tabpane text=true >}} {{% tab \"A\" %}}\n\na\n\n{{% /tab %}} {{% tab B (C) %}}\n\nb\n\n{{% /tab %}} {{< /tabpane >}}\n",
        "<tabs>\n<tab label=\"A\">\n\na\n\n</tab>\n<tab label=\"B (C)\">\n\nb\n\n</tab>\n</tabs>\n",
        "",
    );
    check(
        HUGO,
        "{{< tabpane lang=\"sh\" >}}\n{{< tab header=\"A\" >}}\nls\n{{< /tab >}}\n{{< /tabpane >}}\n",
        "<tabs>\n<tab label=\"A\">\n\n```sh\nls\n```\n\n</tab>\n</tabs>\n",
        "",
    );
    check(
        HUGO,
        "{{% alert title=\"A\" color=\"warning\" %}}\nb\n{{% /alert %}}\n",
        ":::warning A\nb\n:::\n",
        "",
    );
    check(HUGO, "{{% notice tip \"A\" %}}b{{% /notice %}}\n", ":::tip A\nb\n:::\n", "");
    check(
        HUGO,
        "{{< details \"A\" >}}\nb\n{{< /details >}}\n",
        "<details>\n<summary>A</summary>\n\nb\n\n</details>\n",
        "",
    );
    check(HUGO, "{{< foo a=\"b\" >}}\n# c\n{{< /foo >}}\n", "# c\n", "foo");
    check(
        HUGO,
        "`{{</* a */>}}` {{</* a */>}}\n\n```\n{{%/* b */%}}\n```\n",
        "`{{< a >}}` {{\\< a >}}\n\n```\n{{% b %}}\n```\n",
        "",
    );
    check(HUGO, "a\n{.b}\n\n## C {#d}\n", "a\n\n## C {#d}\n", "");
    check(
        HUGO,
        "> [!NOTE] A\n> b\n\n> [!NOTE]\n> c\n\n> [!INFO]\n> d\n",
        "> [!NOTE]\n> **A**\n>\n> b\n\n> [!NOTE]\n> c\n\n> [!NOTE]\n> d\n",
        "",
    );
    check(HUGO, "{{< youtube abc >}} {{% br %}}\n", "<https://www.youtube.com/watch?v=abc> \n", "");
    check(HUGO, "| a {{% v x %}} |\n|-|\n", "| a  |\n|-|\n", "v");
    check(HUGO, "{{< param version >}} {{% param \"version\" %}}", "4 4", "");
    check(HUGO, "{{ .Site }} {{< a", "{{ .Site }} {{< a", "");
}

#[test]
fn pages_that_shortcodes_include_are_read() {
    let parts = [("a.md", "# A\n\n{{ $x }} {{< b >}}\n"), ("shortcode:own", "Own\n\ntext.")];
    check_with(
        HUGO,
        &parts,
        "x\n\n{{% include a.md x=\"y\" %}}\n\n{{% own %}}\n",
        "x\n\n# A\n\ny \n\nOwn\n\ntext.\n",
        "b",
    );
    let templates = [("shortcode:a", "{{/* b */ -}}\nA"), ("shortcode:c", "{{ partial \"d\" . }}")];
    check_with(HUGO, &templates, "{{% a %}} {{% c %}}e{{% /c %}}\n", "A e\n", "c");
    check(HUGO, "{{% include \"c.md\" %}}\n\nd\n", "d\n", "c.md");
}

#[test]
fn liquid_is_its_text_or_left_out() {
    check(
        JEKYLL,
        "[a]({{ site.baseurl }}/b) [c]({{ \"/d\" | relative_url }}) [e]({% link f.md %})",
        "[a](/b) [c](/d) [e](/f.md)",
        "",
    );
    check(JEKYLL, "[a]({% post_url 2025-03-01-b-c %})", "[a](/2025/03/01/b-c)", "");
    check(JEKYLL, "{{ site.title }} {{ site.time }}", "T ", "site.time");
    check(JEKYLL, "---\ntitle: T\n---\n", "---\ntitle: T\n---\n", "");
    check(JEKYLL, "{% raw %}{{ a }}{% endraw %} {{ b }}\n", "{{ a }} \n", "b");
    // A brace is no tag, and ends none that begins with it.
    check(JEKYLL, "```\n{%}raw{% raw %}a\n```\n", "```\n{%}rawa\n```\n", "");
    check(JEKYLL, "{% highlight ruby %}\na\n{% endhighlight %}\n", "```ruby\na\n```\n", "");
    check(
        JEKYLL,
        "a{% comment %} b {% endcomment %}\n\n{% if c %}d{% else %}e{% if f %}{% endif %}g{% endif %}\n",
        "a\n\nd\n",
        "if",
    );
    check(
        JEKYLL,
        "a{% if site.b %}c{% if d %}e{% endif %}{% else %}f{% endif %}{% if page.g %}h{% endif %}i\n",
        "afi\n",
        "",
    );
    check(JEKYLL, "{% hint style=\"warning\" %}\na\n{% endhint %}\n", ":::warning\na\n:::\n", "");
    check(
        JEKYLL,
        "{% tabs %}\n{% tab title=\"A\" %}\na\n{% endtab %}\n{% endtabs %}\n",
        "<tabs>\n<tab label=\"A\">\na\n</tab>\n</tabs>\n",
        "",
    );
    check(JEKYLL, "{% include note.html content=\"a *b*\" %}\n", ":::note\na *b*\n:::\n", "");
    check(
        JEKYLL,
        "{% assign v = \"1\" %}\nv{{ v }}\n\n```\n{% raw %}{{ x }}{% endraw %}\n```\n",
        "v1\n\n```\n{{ x }}\n```\n",
        "",
    );
    check_with(JEKYLL, &[("a.md", "b {{ include.c }}")], "{% include a.md c=\"d\" %}", "b d", "");
}

#[test]
fn attribute_lists_are_no_text() {
    check(
        JEKYLL,
        "# A\n{: .b #c}\n\n[d](e){:target=\"_blank\"}\n\n# F {: #g .h}\n",
        "# A {#c}\n\n[d](e)\n\n# F {#g}\n",
        "",
    );
    check(JEKYLL, "* TOC\n{:toc}\n\na\n", "a\n", "");
    check(JEKYLL, "<div markdown=\"1\">\n[a](b)\n</div>\n", "<div markdown=\"1\">\n\n[a](b)\n</div>\n", "");
    check(VITEPRESS, "[a](b){target=\"_self\"} ![c](d){width=20}\n", "[a](b) ![c](d)\n", "");
    check(JEKYLL, "{: .warning }\na\nb\n\nc\n", ":::warning\na\nb\n:::\n\nc\n", "");
    check(JEKYLL, "{::nomarkdown}a{:/}", "a", "");
    check(
        MKDOCS,
        "[a](b){ .md-button } ![c](d){ width=300 }\n\n## E { #f }\n",
        "[a](b) ![c](d)\n\n## E {#f}\n",
        "",
    );
}

#[test]
fn indented_blocks_are_closed() {
    check(
        MKDOCS,
        "!!! note \"A\"\n\n    b\n\n    ```\n      c\n    ```\n\nd\n",
        ":::note A\n\nb\n\n```\n  c\n```\n\n:::\n\nd\n",
        "",
    );
    check(MKDOCS, "??? tip\n    b\n", "<details>\n<summary>Tip</summary>\n\nb\n\n</details>\n", "");
    check(
        MKDOCS,
        "=== \"A\"\n\n    a\n\n=== \"B\"\n\n    !!! warning\n        b\n\nc\n",
        "<tabs>\n<tab label=\"A\">\n\n\na\n\n</tab>\n\n<tab label=\"B\">\n\n\n:::warning\nb\n\n:::\n\n</tab>\n</tabs>\n\nc\n",
        "",
    );
    check(
        MKDOCS,
        "a :material-check: ++ctrl+c++ C++ and D++\n\n    code\n\n[TOC]\n",
        "a  ctrl+c C++ and D++\n\n    code\n\n",
        "",
    );
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
}

#[test]
fn vue_is_no_text() {
    check(
        VITEPRESS,
        "<script setup>\nimport a from 'b'\n\nlet c = {}\n</script>\n\n# A <Badge type=\"tip\" text=\"v1\" />\n\n[[toc]]\n\n{{ d }} <Foo :a=\"b\" @c=\"d\" />\n",
        "# A v1\n\n",
        "d, Foo",
    );
    check(
        VITEPRESS,
        "<span v-pre>{{ a }}</span> `{{ b }}`{js}\n",
        "<span v-pre>{{ a }}</span> `{{ b }}`\n",
        "",
    );
    check(VITEPRESS, "::: tip\na `{{ b }}`\n:::\n", "::: tip\na `{{ b }}`\n:::\n", "");
}

#[test]
fn directives_of_mdbook_are_included() {
    let parts = [("a.rs", "// ANCHOR: x\n# use b;\nfn c() {}\n// ANCHOR_END: x\n"), ("d.md", "# D\n\ne")];
    check_with(
        MDBOOK,
        &parts,
        "```rust\n{{#include a.rs:x}}\n# hidden\nlast\n```\n",
        "```rust\nfn c() {}\nlast\n```\n",
        "",
    );
    check_with(MDBOOK, &parts, "{{#include d.md}}\n", "# D\n\ne\n", "");
    let template = [("t.md", "On [[#os]] by [[#way hand]].")];
    check_with(MDBOOK, &template, "{{#template t.md os=Linux}}\n", "On Linux by hand.\n", "");
    check(MDBOOK, "{{#include e.md}} {{#title F}} {{x}}", "  {{x}}", "e.md");
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
    let unclosed = |what: &str, open: &str, close: &str| {
        format!(
            "the {what} `{open}` is never closed; \
             add `{close}` after its text; without it, it ends at the first blank line"
        )
    };
    check_messages(
        MDX,
        &[],
        "<TabItem label=\"a\">\n\nb\n",
        &[&unclosed("tab", "<TabItem label=\"a\">", "</TabItem>")],
    );
    let to_its_end = unclosed("note", "::: tip", ":::")
        .replace("it ends at the first blank line", "the rest of the page is part of it");
    check_messages(VITEPRESS, &[], "::: tip\na\n\nb\n", &[&to_its_end]);
    // A note that contains another one has more colons.
    let two = [unclosed("note", "<Note>", "</Note>"), unclosed("note", "<Tip>", "</Tip>")];
    check_messages(MDX, &[], "<Note>\n\na\n\n<Tip>\n\nb\n", &[&two[0], &two[1]]);
    check_messages(
        &[Syntax::Shortcodes],
        &[],
        "{{% alert %}}\n\na\n",
        &[&unclosed("note", "{{% alert %}}", "{{% /alert %}}")],
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
}

#[test]
fn a_construct_is_known_by_its_name_and_does_something() {
    let names: crate::base::sorted::SortedSet<_> =
        CONSTRUCTS.iter().map(|construct| construct.name).collect();
    assert_eq!(names.len(), CONSTRUCTS.len());
    for construct in CONSTRUCTS {
        assert!(construct.slip.is_some() || !construct.becomes.is_empty(), "{}", construct.name);
        let is_translated = construct.becomes.iter().any(|(of, _)| !of.is_empty());
        assert_eq!(construct.syntaxes.is_empty(), !is_translated, "{}", construct.name);
    }
}
