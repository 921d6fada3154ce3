//! Properties of translation: any page of another tool is translated and parsed without a panic, and every range is
//! in the file.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::select;
use stepkin::base::site_path::SitePath;
use stepkin::input::conventions::Syntax;
use stepkin::input::dialect::{Dialect, IncludedFile};
use stepkin::markup::edition::Edition;
use stepkin::markup::markdown;

use crate::laws::spans;

/// Openings, closings and complete constructs of every syntax.
#[rustfmt::skip] // A list of texts reads better in paragraphs.
const FOREIGN: &[&str] = &[
    "```js file=\"a.js\" region=\"b\" {1}\n", "~~~ file=a.js lines=2- title='x'\n", "~~~\n",
    "import A from './a.mdx';\n", "import code from '@site/a.swift?raw';\n", "import B, {\n  C\n} from 'b'\n",
    "import ", "export const a = {", "export const b = 'é';\n", "export default ", "<Tabs>\n",
    "<Tabs values={[{label: 'a', value: 'b'},]}>", "  <TabItem value=\"a\" label='é'>\n", "</TabItem>",
    "</Tabs>\n", "<Note title=\"a\">", "</Note>", "<Details summary='a'>\n\n", "</Details>",
    "<Foo\n  a={b}\n/>", "<Foo>\n", "      </Foo>", "<A x=\"y\" />",
    "<CodeBlock language=\"swift\">{code}</CodeBlock>",
    "<Code tabs={[{ type: 'swift', content: code, name: 'é' }]} />", "<Card title=\"a\" href=\"/b\">",
    "<Link to=\"/a\">", "<img src={useBaseUrl('a.png')} className=\"b\" style={{a: 'b'}} />",
    "<img\n\n  src={b}\n/>", "<summary>a</summary>\n", "<>", "</>", "{/* a */}", "{/*", "*/}", "{'a'}",
    "{`é`}", "{a.b({", "})}", "{<Foo/>}", "{", "}", "\\{", "::: tip\n", ":::details A\n",
    "\n::: code-group\n", "\n```js [a]\nb\n```\n", ":::é\n", "{{< tabpane text=true >}} {{% tab \"A\" %}}\n",
    "{{% /tab %}} {{< /tabpane >}}\n", "{{< tabpane lang=\"sh\" >}}{{< tab é >}}", "{{< /tab >}}",
    "{{< alert color=\"warning\" >}}", "{{< /alert >}}", "{{< ref \"a#b\" >}}",
    "{{< figure src=\"a b.png\" caption=\"é\" >}}", "{{< highlight go >}}", "{{< /highlight >}}",
    "{{% include a.md x=\"y\" %}}", "{{</* a */>}}", "{{%/*", "{{<", ">}}", "{{ $x }}", "\n> [!NOTE] é\n",
    "\n> [!NB]\n", "{% raw %}", "{% endraw %}", "{% if a %}", "{% else %}", "{% endif %}",
    "{% highlight ruby %}", "{% endhighlight %}", "{% comment %}", "{% endcomment %}",
    "{% include a.md b=\"c\" %}", "{% hint style=\"info\" %}", "{% endhint %}",
    "{% tabs %}{% tab title=\"a\" %}", "{% endtab %}{% endtabs %}", "{% assign a = \"é\" %}",
    "{{ a | escape }}", "{{ \"/é\" | relative_url }}", "{%", "%}", "{: .warning }\n", "{: #a .b}",
    "* TOC\n{:toc}\n", "{::comment}", "{:/comment}", "{ .a }", "\n!!! note \"é\"\n", "\n??? tip\n",
    "\n=== \"A\"\n", "\n=== \"é\"\n\n    a\n", "\n[TOC]\n", ":material-a:", "++ctrl++", "\n--8<-- \"a.md\"\n",
    "\n--8<--\na.md\n--8<--\n", "\n;--8<-- \"a\"\n", "\n<<< @/a.js#b{1} [c]\n", "<!--@include: a.md{1,2}-->",
    "<script setup>\n", "</script>", "\n[[toc]]\n", "{{#include a.rs:2:5}}", "{{#title a}}", "\n(é)=\n",
    "\n```{note} é\n", "\n:::{tip}\n", "\n```{figure} a.png\n:alt: é\n",
    "\n```{code-block} py\n:caption: b\n", "\n```{include} a.md\n", "\n````{tab-set}\n", "\n```{toctree}\n",
    "{ref}`", "\n% é\n", "\n+++\n", "\n> <a\n> b=\"é\"\n> >\n", "<head>", "</head>",
    "\n```rust\n# a\n{{#include a.rs}}\n", "```\n", "\n    ", "\n        ", "\n  - ", "1. ", "> ",
    "| a | b |\n|-|-|\n| ", "`", "``", "\n", "\n\n", "\r\n", "\t", "a é ", "# A ", "[a](", ")", "<!--", "-->",
    "<", "'", "\"",
];

const DIALECTS: [&[Syntax]; 8] = [
    &[Syntax::Mdx, Syntax::Directives],
    &[Syntax::Shortcodes],
    &[Syntax::Liquid, Syntax::Kramdown],
    &[Syntax::Indented, Syntax::Kramdown, Syntax::Snippets],
    &[Syntax::Directives, Syntax::Vue, Syntax::Snippets],
    &[Syntax::Mdbook],
    &[Syntax::Myst],
    &[Syntax::CodeFiles],
];

/// Pages that include each other, with the files that would otherwise be missing.
fn dialect(syntax: &'static [Syntax]) -> Dialect {
    let page =
        "---\na: b\n---\n# A\n\n{% include a.md %}{{% include a.md %}} {{ $x }}\n\n<A/>\n\n--8<-- \"a.md\"\n";
    let files = [
        ("./a.mdx", "import A from './a.mdx'\n\n<A/>\n\n<A/> {props.x}"),
        ("a.md", page),
        ("a.rs", "a\n# b\nc"),
        ("@site/a.swift?raw", "let a = \"é\"\n```\n"),
        ("@/a.js", "// #region b\na\n"),
        ("a.js", "// #region b\n  é\n```\n// #endregion b\nc\n"),
    ];
    let part = |(name, text): (&str, &str)| {
        (name.to_string(), IncludedFile { path: SitePath::from("content/a.md"), text: Arc::from(text) })
    };
    Dialect { syntax, parts: files.into_iter().map(part).collect(), ..Dialect::default() }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn translation_never_panics_and_every_place_is_in_the_file(
        pieces in prop::collection::vec(select(FOREIGN), 0..30),
        syntax in select(DIALECTS.to_vec()),
    ) {
        let text = pieces.concat();
        let dialect = dialect(syntax);
        let page = markdown::parse(&text, 0, &Edition::default(), &dialect);
        for (what, span) in spans(&page) {
            prop_assert!(text.get(span.clone()).is_some(), "{what} {span:?} in {text:?}");
        }
        for it in &page.left_out {
            prop_assert!(text.get(it.span.clone()).is_some(), "{it:?} in {text:?}");
        }
        for problem in &page.problems {
            for edit in &problem.edits {
                prop_assert!(text.get(edit.span.clone()).is_some(), "{edit:?} in {text:?}");
            }
        }
        for passage in page.prose.iter() {
            for (at, letter) in passage.text.char_indices() {
                let span = passage.span(at..at + letter.len_utf8());
                prop_assert!(text.get(span.clone()).is_some(), "{span:?} in {text:?}");
            }
        }
        let translated = markdown::translate(&text, 0, &dialect);
        let most = 40 * text.len() + 4_000;
        prop_assert!(translated.text.len() < most + (2 << 20), "{} bytes of {}", translated.text.len(), text.len());
        markdown::inclusions(&text, 0, syntax);
        let twin = markdown::twin(&text, 0, &Edition::default(), &dialect, &page, str::to_string);
        prop_assert!(twin.is_empty() || twin.ends_with('\n'));
    }

    /// Markdown without syntax of another tool isn't changed.
    #[test]
    fn markdown_is_translated_to_itself(
        pieces in prop::collection::vec(select(vec![
            "a b\n", "# A\n", "\n", "\n\n", "- c\n", "  d\n", "1. e\n", "> f\n", "```\ng\n```\n", "**h** ", "[i](j) ",
            "| k | l |\n|-|-|\n| m | n |\n", "---\n", ":::note\no\n:::\n", "é ", "`p` ",
        ]), 0..30),
        syntax in select(DIALECTS.to_vec()),
    ) {
        let text = pieces.concat();
        let translated = markdown::translate(&text, 0, &dialect(syntax));
        prop_assert_eq!(&translated.text, &text);
    }
}
