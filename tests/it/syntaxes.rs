//! Content of other generators' pages that the repository doesn't explain, with one small repository for each cause:
//! it isn't an error, or the actual error is found. Each page is written as its authors would write it.

use serde_json::Value;

use crate::support::SiteTest;

/// A repository: its name, its files, and the findings of `check` above info, as `rule file`.
struct Row(&'static str, &'static [(&'static str, &'static str)], &'static [&'static str]);

const DOCUSAURUS: (&str, &str) = (
    "docusaurus.config.js",
    "module.exports = { url: 'https://lamp.example', presets: [['classic', { docs: { routeBasePath: '/' } }]] }",
);
const JEKYLL: (&str, &str) = ("_config.yml", "url: https://lamp.example\ntitle: Lamp\n");
const HUGO: (&str, &str) =
    ("hugo.yaml", "baseURL: https://lamp.example\nparams:\n  source: https://git.example/lamp\n");
const MKDOCS: (&str, &str) = (
    "mkdocs.yml",
    "site_name: Lamp\nhooks:\n  - hooks.py\nmarkdown_extensions:\n  - pymdownx.tabbed:\n      combine_header_slug: true\n",
);
const VITEPRESS: (&str, &str) = (".vitepress/config.js", "export default { title: 'Lamp' }");
const STARLIGHT: (&str, &str) =
    ("astro.config.mjs", "import starlight from '@astrojs/starlight'; starlight({ title: 'Lamp' })");
const SPHINX: (&str, &str) = ("docs/conf.py", "project = 'Lamp'\nextensions = [\n  'myst_parser',\n]\n");
const MDBOOK: (&str, &str) = ("book.toml", "[book]\ntitle = \"Lamp\"\n");

const ROWS: &[Row] = &[
    Row(
        "the ids of headings follow the generator: VitePress",
        &[VITEPRESS, ("a.md", "# A\n\n[x](#_2-what-s-new) [y](#2-whats-new)\n\n## 2. What's new\n")],
        &["missing-anchor a.md"],
    ),
    Row(
        "Hugo",
        &[
            HUGO,
            ("content/a.md", "---\ntitle: A\n---\n\n[x](#one) [y](#one-)\n\n## One <a id=\"first\"></a>\n"),
        ],
        &["missing-anchor content/a.md"],
    ),
    Row(
        "MkDocs",
        &[MKDOCS, ("docs/a.md", "# A\n\n[x](#keys-values) [y](#keys--values)\n\n## Keys & values\n")],
        &["missing-anchor docs/a.md"],
    ),
    Row(
        "kramdown where Jekyll says so",
        &[
            ("_config.yml", "title: Lamp\nkramdown:\n  input: kramdown\n"),
            ("a.md", "---\ntitle: A\n---\n\n[x](#new-lamps) [y](#2-new-lamps)\n\n## 2. New lamps\n"),
        ],
        &["missing-anchor a.md"],
    ),
    Row(
        "kramdown as Jekyll has it by itself",
        &[JEKYLL, ("a.md", "---\ntitle: A\n---\n\n[x](#2-new-lamps) [y](#new-lamps-2)\n\n## 2. New lamps\n")],
        &["missing-anchor a.md"],
    ),
    Row(
        "no generator is known",
        &[
            (
                "docs/a.md",
                "# A\n\n[x](#_2-what-s-new) [y](#2-whats-new) [z](#what-s-new) [v](#2-whatsNew) [w](#whats-old)\n\n## 2. What's new\n",
            ),
            ("docs/b.md", "# B\n"),
        ],
        &["missing-anchor docs/a.md"],
    ),
    Row(
        "ids in attribute lists, on headings, links, code and paragraphs",
        &[
            MKDOCS,
            (
                "docs/a.md",
                concat!(
                    "# A\n\n[a](#9.7.0) [b](#nav) [c](#pic) [d](#code) [e](#part) [f](#gone)\n\n## New { id=\"9.7.0\" }\n\n",
                    "## Other { id=nav }\n\n[x](a.md){ #pic }\n\n``` { .py #code }\nlamp()\n```\n\n{: #part }\nText\n"
                ),
            ),
        ],
        &["missing-anchor docs/a.md"],
    ),
    Row(
        "tabs have ids, with the heading above",
        &[
            MKDOCS,
            (
                "docs/a.md",
                "# A\n\n[x](#light-by-hand) [y](#light-by-foot)\n\n## Light\n\n=== \":material-lamp: By hand\"\n\n    Text\n",
            ),
        ],
        &["missing-anchor docs/a.md"],
    ),
    Row(
        "hooks make ids of comments, and labels of links",
        &[
            MKDOCS,
            (
                "docs/a.md",
                "# A\n\n[x](#config.light) [y](#config.dark) ['light'][config.light]\n\n#### <!-- md:setting config.light -->\n",
            ),
        ],
        &["missing-anchor docs/a.md"],
    ),
    Row(
        "footnotes have ids",
        &[MKDOCS, ("docs/a.md", "# A\n\nOil[^o] burns. [x](#fn:o) [y](#fn:p)\n\n[^o]: Of olives.\n")],
        &["missing-anchor docs/a.md"],
    ),
    Row(
        "layouts have ids",
        &[
            JEKYLL,
            ("_layouts/d.html", "{{ content }}<h2 id=\"settings\" class=\"a\">Settings</h2>"),
            ("a.md", "---\ntitle: A\nlayout: d\n---\n\n[x](#settings) [y](#setting)\n"),
        ],
        &["missing-anchor a.md"],
    ),
    Row(
        "a part links to what includes it",
        &[
            VITEPRESS,
            ("part.md", "[x](#light)\n"),
            ("a.md", "# A\n\n## Light\n\n<!--@include: ./part.md-->\n"),
        ],
        &[],
    ),
    Row(
        "a piece of an address that is not known makes it unknown",
        &[
            HUGO,
            (
                "content/a.md",
                "---\ntitle: A\n---\n\n[x]({{% param nowhere %}}/blob/main/x.js) [y]\n\n[y]: <{{% param nowhere %}}/y.js>\n\n<a href=\"{{< own >}}/z/\">z</a>\n",
            ),
        ],
        &[],
    ),
    Row(
        "one that is known is filled in",
        &[
            HUGO,
            ("config/_default/params.yaml", "place: /gone\n"),
            (
                "content/a.md",
                "---\ntitle: A\n---\n\n[x]({{% param source %}}/x.js) [y]({{% param Place %}}/y/)\n",
            ),
        ],
        &["missing-page content/a.md"],
    ),
    Row(
        "branches are not put together",
        &[
            JEKYLL,
            (
                "_includes/l.html",
                "<a href=\"{% if include.v == 'r' %}/docs{{ include.href }}{% else %}{{ include.href }}{% endif %}\">x</a>",
            ),
            ("a.md", "---\ntitle: A\n---\n\n{% include l.html href=\"https://git.example/z\" %}\n"),
        ],
        &[],
    ),
    Row(
        "MDX expressions in addresses",
        &[
            DOCUSAURUS,
            ("docs/a.md", "# A\n\n[x](${BASE}/y) [y]({base}/w) <a href={`${base}/v`}>v</a> [z](/gone)\n"),
        ],
        &["missing-page docs/a.md"],
    ),
    Row(
        "a template plugin of MkDocs",
        &[
            ("mkdocs.yml", "site_name: Lamp\nplugins:\n  - macros\nextra:\n  b: b.md\n"),
            ("docs/a.md", "# A\n\n[x]({{ b }}) [y]({{ c }}/y.md) {{ gone }}\n"),
            ("docs/b.md", "# B\n"),
        ],
        &[],
    ),
    Row(
        "the head of a page in Docusaurus",
        &[DOCUSAURUS, ("docs/a.md", "<head>\n  <title>Lamps</title>\n</head>\n\n# A\n")],
        &[],
    ),
    Row(
        "a tag on several lines",
        &[
            DOCUSAURUS,
            (
                "docs/a.md",
                "# A\n\n<video\n  style={{ margin: 0 }}\n  width=\"400\"\n  controls\n></video>\n\nText\n",
            ),
        ],
        &[],
    ),
    Row(
        "a tag on several lines of a quote",
        &[
            DOCUSAURUS,
            (
                "docs/a.md",
                "# A\n\n> Text\n>\n> <a\n>   href=\"/gone\"\n>   target=\"_blank\"\n> >\n>   Light\n> </a>\n\nText\n",
            ),
        ],
        &["missing-page docs/a.md"],
    ),
    Row(
        "an apostrophe in JSX",
        &[
            DOCUSAURUS,
            (
                "docs/a.md",
                "# A\n\n<Figure\n  text={<>The lamp's <a href=\"/\">oil</a> burns.</>}\n/>\n\n[x](/gone)\n",
            ),
            ("docs/index.md", "# Home\n"),
        ],
        &["missing-page docs/a.md"],
    ),
    Row(
        "MDX has no code by indentation",
        &[
            STARLIGHT,
            (
                "src/content/docs/a.mdx",
                concat!(
                    "---\ntitle: A\n---\n\n1.  One\n\n          <Tabs>\n\n    <TabItem label=\"npm\">\n\n    ```sh\n    npm\n    ```\n\n",
                    "           </TabItem>\n\n        <TabItem label=\"Yarn\">\n\n    ```sh\n    yarn\n    ```\n\n           </TabItem>\n\n         </Tabs>\n\n2.  Two\n"
                ),
            ),
        ],
        &[],
    ),
    Row(
        "names for folders in tsconfig.json",
        &[
            STARLIGHT,
            (
                "tsconfig.json",
                "{ \"compilerOptions\": { \"paths\": { \"@assets/*\": [\"src/assets/*\"] } } }",
            ),
            ("src/assets/lamp.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"),
            (
                "src/content/docs/a.mdx",
                "---\ntitle: A\n---\n\n![A lamp](@assets/lamp.svg) ![Dark](@assets/gone.svg)\n",
            ),
        ],
        &["missing-image src/content/docs/a.mdx"],
    ),
    Row(
        "an import from a package is not missing",
        &[
            DOCUSAURUS,
            (
                "docs/a.mdx",
                "import Props from '@lamp/api/props.md';\nimport Gone from './_gone.md';\n\n# A\n\n<Props />\n\n<Gone />\n",
            ),
        ],
        &["unsupported-syntax docs/a.mdx"],
    ),
    Row(
        "labels, directives and titles of MyST",
        &[
            SPHINX,
            (
                "docs/a.md",
                concat!(
                    "(the-lamp)=\n\n# A\n\n[x](other-label) [y](b.md) [z](#the-lamp) [w](gone.md)\n\n:::{tip}\nOil.\n:::\n\n```{note}\nSee [x](gone-too.md).\n```\n\n",
                    "```{eval-rst}\n.. lamp::\n```\n\n{ref}`lamp <other-label>`\n\n```{code-block} python\n:caption: A lamp\nlamp()\n```\n\n```{figure} lamp.png\n:alt: A lamp\n```\n"
                ),
            ),
            ("docs/b.md", "(other-label)=\n# B\n\n```{versionadded} 2.0\n```\n"),
        ],
        &["missing-image docs/a.md", "missing-page docs/a.md", "missing-page docs/a.md"],
    ),
    Row(
        "values that YAML repeats, and lists of addresses",
        &[
            JEKYLL,
            (
                "a.md",
                "---\ntitle: A\nu: &u https://lamp.example\nv: *u\nredirect_to:\n- https://oil.example/b/\n---\n\nText\n",
            ),
        ],
        &[],
    ),
    Row(
        "what is included from outside of the book",
        &[
            MDBOOK,
            ("src/SUMMARY.md", "# Summary\n\n- [A](a.md)\n"),
            (
                "src/a.md",
                "# A\n\n{{#include ../../shared/tab.md}}\n\nText\n\n</div>\n\n{{#include gone.md}}\n",
            ),
        ],
        &["unsupported-syntax src/a.md"],
    ),
    Row(
        "words twice in other languages",
        &[
            DOCUSAURUS,
            (
                "docs/a.md",
                "# A\n\nDas sind die Lampen, die die Stadt hat. Vous pouvez vous vous asseoir dans le parc.\n\nThe oil of the the lamp.\n",
            ),
        ],
        &["doubled-word docs/a.md"],
    ),
    Row(
        "spaces between words of scripts that write none",
        &[DOCUSAURUS, ("docs/a.md", "# A\n\n使用\u{200b}灯泡。\n\nA la\u{200b}mp.\n")],
        &["invisible-character docs/a.md"],
    ),
    Row(
        "a slip in a part is reported there, once",
        &[
            DOCUSAURUS,
            ("docs/_part.mdx", "Light it.\n\n[x](/gone)\n"),
            ("docs/a.mdx", "import Part from './_part.mdx';\n\n# A\n\n<Part />\n"),
            ("docs/b.mdx", "import Part from './_part.mdx';\n\n# B\n\n<Part />\n"),
        ],
        &["missing-page docs/_part.mdx"],
    ),
];

#[test]
fn a_construct_that_the_generator_documents_is_no_mistake() {
    let mut wrong = Vec::new();
    for Row(name, files, expected) in ROWS {
        let site = SiteTest::rootless();
        for (path, text) in *files {
            site.write(path, text);
        }
        let lines = site.run(&["check", "--format", "json"]).stdout;
        let found = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        let found = found.filter(|it| it["severity"] != "info");
        let mut found: Vec<String> =
            found.map(|it| format!("{} {}", it["code"], it["file"]).replace('"', "")).collect();
        found.sort();
        if found != *expected {
            wrong.push(format!("{name}: {found:?} and not {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn findings_quote_the_author() {
    let check = |files: &[(&str, &str)], expected: &str| {
        let site = SiteTest::rootless();
        for (path, text) in files {
            site.write(path, text);
        }
        let found: Vec<String> = site.findings().into_iter().map(|it| it.message).collect();
        assert!(found.iter().any(|it| it.contains(expected)), "{expected}: {found:?}");
    };
    check(
        &[
            DOCUSAURUS,
            ("docs/a.md", "# A\n\n<Tabs>\n<TabItem value=\"oil\" label=\"Oil\">\n\nBurns.\n\n</Tabs>\n"),
        ],
        "`<TabItem value=\"oil\" label=\"Oil\">`",
    );
    check(&[HUGO, ("content/a.md", "---\ntitle: A\n---\n\n{{% alert %}}\nBurns.\n")], "`{{% alert %}}`");
}
