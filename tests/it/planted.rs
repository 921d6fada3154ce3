//! Mistakes of many kinds, added one at a time to small sites of other generators. Each is found, and without them
//! there are no findings.

use std::path::Path;

use stepkin::base::diagnostic::Severity;
use stepkin::input::source;
use stepkin::{Cache, Options};

use crate::support::checked;

/// A mistake: its file, its text, and the correct text.
type Slip = (&'static str, &'static str, &'static str);

struct Site {
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
    slips: &'static [Slip],
}

const LAMP: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n";

const DOCUSAURUS: Site = Site {
    name: "Docusaurus",
    files: &[
        (
            "docusaurus.config.js",
            "module.exports = {\n  title: 'Lamp',\n  url: 'https://lamp.example',\n  baseUrl: '/',\n  presets: [['classic', {docs: {sidebarPath: './sidebars.js'}}]],\n  plugins: [['@docusaurus/plugin-client-redirects', {redirects: [{from: '/old', to: '/docs/install'}]}]],\n  themeConfig: {navbar: {items: [{to: '/docs/install', label: 'Docs'}]}},\n};\n",
        ),
        (
            "sidebars.js",
            "module.exports = {\n  main: ['install', {type: 'category', label: 'Use', items: ['use/start', {type: 'doc', id: 'use/stop'}]}],\n};\n",
        ),
        (
            "docs/install.md",
            "---\ntitle: Install\nsidebar_position: 1\nimage: /img/lamp.svg\n---\n\nThen [start the lamp](./use/start.mdx), or [stop it](/docs/use/stop#later).\n\n![The lamp on a table](/img/lamp.svg)\n\n:::note\n\nPress **Save** now.\n\n:::\n",
        ),
        (
            "docs/use/start.mdx",
            "---\ntitle: Start\nsidebar_position: 2\n---\n\nimport Tabs from '@theme/Tabs';\nimport TabItem from '@theme/TabItem';\n\n<Tabs>\n<TabItem value=\"a\" label=\"A\">\n\nTurn the switch.\n\n</TabItem>\n</Tabs>\n",
        ),
        (
            "docs/use/stop.md",
            "---\ntitle: Stop\nsidebar_position: 3\n---\n\n## Later\n\nSee [the first page](../install.md \"How to begin\").\n",
        ),
        ("static/img/lamp.svg", LAMP),
    ],
    slips: &[
        ("docs/install.md", "./use/start.mdx", "./use/strat.mdx"),
        ("docs/install.md", "stop#later", "stop#latre"),
        ("docs/install.md", "table](/img/lamp.svg", "table](/img/lmap.svg"),
        ("docs/install.md", "image: /img/lamp.svg", "image: /img/lmap.svg"),
        ("docs/install.md", "sidebar_position", "sidebar_postion"),
        ("docs/install.md", "now.\n\n:::", "now."),
        ("docs/install.md", ":::note", ":::ntoe"),
        ("docs/install.md", "**Save** now", "**Save ** now"),
        ("docs/install.md", "Press", "<!-- stepkin allow missing-alt: it is drawn -->\n\nPress"),
        ("docs/use/stop.md", "begin\")", "begin)"),
        ("docs/use/stop.md", "../install.md \"How to begin\"", "../Install.md"),
        ("docs/use/start.mdx", "</TabItem>\n", ""),
        ("sidebars.js", "['install'", "['instal'"),
        ("sidebars.js", "id: 'use/stop'", "id: 'use/stopp'"),
        ("docusaurus.config.js", "to: '/docs/install', label", "to: '/docs/instal', label"),
        ("docusaurus.config.js", "to: '/docs/install'}", "to: '/docs/instal'}"),
    ],
};

const JEKYLL: Site = Site {
    name: "Jekyll",
    files: &[
        ("_config.yml", "title: Lamp\nurl: https://lamp.example\nbaseurl: /docs\n"),
        (
            "_data/navigation.yml",
            "- title: Install\n  url: /guide/install/\n- title: Use\n  url: /guide/use/\n- title: Home\n  url: /\n",
        ),
        (
            "index.md",
            "---\ntitle: Home\nlayout: default\n---\n\nStart [here]({% link guide/install.md %}).\n\n{% include note.html %}\n",
        ),
        (
            "guide/install.md",
            "---\ntitle: Install\nlayout: default\nnav_order: 1\npermalink: /guide/install/\nimage: /assets/lamp.svg\n---\n\n## First\n\nThen [use the lamp](/docs/guide/use/).\n\n<img src=\"/docs/assets/lamp.svg\" alt=\"The lamp\">\n",
        ),
        (
            "guide/use.md",
            "---\ntitle: Use\nlayout: default\nnav_order: 2\npermalink: /guide/use/\n---\n\nYou have [installed it](/docs/guide/install/#first), and read [the shop](https://shop.example/).\n",
        ),
        (
            "guide/tags.md",
            "---\ntitle: Tags\n---\n\n{% raw %}`{% if x %}`{% endraw %} {% if page.a %}A{% endif %}\n",
        ),
        ("_includes/note.html", "<p>Note</p>\n"),
        ("guide/old.md", "---\ntitle: Old\npermalink: /guide/old/\nredirect_to: /docs/guide/use/\n---\n"),
        ("assets/lamp.svg", LAMP),
    ],
    slips: &[
        ("index.md", "link guide/install.md", "link guide/instal.md"),
        ("index.md", "include note.html", "include noet.html"),
        ("guide/tags.md", "{% endraw %}", ""),
        ("guide/tags.md", "A{% endif %}", "A"),
        ("guide/tags.md", "{% if page.a %}", ""),
        ("guide/install.md", "lamp](/docs/guide/use/)", "lamp](/docs/guide/ues/)"),
        ("guide/install.md", "lamp](/docs", "lamp] (/docs"),
        ("guide/install.md", "image: /assets/lamp.svg", "image: /assets/lmap.svg"),
        ("guide/install.md", "<img src", "<img scr"),
        ("guide/install.md", "## First", "##First"),
        ("guide/install.md", "nav_order", "nav_oder"),
        ("guide/use.md", "#first", "#fisrt"),
        ("guide/use.md", "https://shop", "htps://shop"),
        ("guide/old.md", "redirect_to: /docs/guide/use/", "redirect_to: /docs/guide/ues/"),
        ("_data/navigation.yml", "/guide/use/", "/guide/ues/"),
    ],
};

const HUGO: Site = Site {
    name: "Hugo",
    files: &[
        (
            "hugo.toml",
            "baseURL = 'https://lamp.example/'\ntitle = 'Lamp'\n\n[[menus.main]]\nname = 'Guide'\nurl = '/guide/install/'\n",
        ),
        ("content/_index.md", "---\ntitle: Home\n---\n\nStart with [the guide](/guide/).\n"),
        ("content/guide/_index.md", "---\ntitle: Guide\nweight: 1\n---\n\nTwo pages.\n"),
        (
            "content/guide/install.md",
            "---\ntitle: Install\nlinkTitle: Get it\nweight: 1\nimages: [/img/lamp.svg]\n---\n\n> [!NOTE]\n> Take care of the cable.\n\nThen [use it]({{< ref \"use.md\" >}}). ![The lamp](/img/lamp.svg)\n",
        ),
        (
            "content/guide/use.md",
            "---\ntitle: Use\nweight: 2\n---\n\n## Turn on\n\n```sh\nlamp on\n```\n\n| Key | Value |\n| --- | --- |\n| a | b |\n\nSee [above](#turn-on), or <a href=\"/guide/install/\">install it</a>.\n",
        ),
        ("content/guide/later.md", "---\ntitle: Later\nweight: 3\ndraft: true\n---\n\nNot yet.\n"),
        ("layouts/shortcodes/codeFromInline.html", "{{ .Inner }}\n"),
        ("static/img/lamp.svg", LAMP),
    ],
    slips: &[
        (
            "content/guide/use.md",
            "See [above]",
            "{{< codeFromInlin >}}a{{< /codeFromInlin >}}\n\nSee [above]",
        ),
        ("hugo.toml", "/guide/install/", "/guide/instal/"),
        ("content/_index.md", "(/guide/)", "(/guide/later/)"),
        ("content/guide/install.md", "\"use.md\"", "\"ues.md\""),
        ("content/guide/install.md", "lamp](/img", "lamp](/imgs"),
        ("content/guide/install.md", "images: [/img/lamp.svg]", "images: [/img/lmap.svg]"),
        ("content/guide/install.md", "[!NOTE]", "[!NOET]"),
        ("content/guide/install.md", "linkTitle", "linkTitel"),
        ("content/guide/install.md", "of the cable", "of the the cable"),
        ("content/guide/use.md", "on\n```\n", "on\n"),
        ("content/guide/use.md", "| a | b |", "| a | b | c |"),
        ("content/guide/use.md", "#turn-on", "#trun-on"),
        ("content/guide/use.md", "<a href", "<a hrf"),
    ],
};

const STARLIGHT: Site = Site {
    name: "Starlight",
    files: &[
        (
            "astro.config.mjs",
            "export default defineConfig({\n  site: 'https://lamp.example',\n  redirects: {'/old': '/guides/start/'},\n  integrations: [starlight({title: 'Lamp', sidebar: [{label: 'Guides', items: ['guides/start', {slug: 'guides/stop'}, {label: 'Home', link: '/'}, {label: 'First', link: '/guides/start/'}]}]})],\n});\n",
        ),
        (
            "src/content/docs/index.mdx",
            "---\ntitle: Lamp\ntemplate: splash\nhero:\n  tagline: Light for everybody\n  actions:\n    - text: Start\n      link: /guides/start/\n---\n\nRead [the guide][guide].\n\n[guide]: /guides/stop/\n",
        ),
        (
            "src/content/docs/guides/start.md",
            "---\ntitle: Start\nsidebar:\n  label: First steps\nnext:\n  link: /guides/stop/\n  label: Stop\n---\n\n:::tip\nTake care.\n:::\n\nThen [stop it](../stop/), as ![the lamp](/lamp.svg) shows.\n",
        ),
        (
            "src/content/docs/guides/stop.md",
            "---\ntitle: Stop\n---\n\nBack to [the start](/guides/start/).\n",
        ),
        ("public/lamp.svg", LAMP),
    ],
    slips: &[
        ("astro.config.mjs", "'guides/start', {", "'guides/strat', {"),
        ("astro.config.mjs", "slug: 'guides/stop'", "slug: 'guides/stpo'"),
        ("astro.config.mjs", "link: '/guides/start/'", "link: '/guides/strat/'"),
        ("astro.config.mjs", "'/old': '/guides/start/'", "'/old': '/guides/strat/'"),
        ("src/content/docs/index.mdx", "link: /guides/start/", "link: /guides/strat/"),
        ("src/content/docs/index.mdx", "tagline: Light for everybody", "tagline: \"Light"),
        ("src/content/docs/index.mdx", "the guide][guide]", "the guide][gudie]"),
        ("src/content/docs/guides/start.md", "link: /guides/stop/", "link: /guides/stpo/"),
        ("src/content/docs/guides/start.md", "label: First", "labell: First"),
        ("src/content/docs/guides/start.md", "care.\n:::", "care."),
        ("src/content/docs/guides/start.md", "](../stop/)", "](<../stop/)"),
        ("src/content/docs/guides/start.md", "](/lamp.svg)", "](/lmap.svg)"),
        ("src/content/docs/guides/stop.md", "start](/guides/start/)", "start](/guides/start/"),
    ],
};

const VITEPRESS: Site = Site {
    name: "VitePress",
    files: &[
        (
            "docs/.vitepress/config.ts",
            "import help from './sidebar';\n\nexport default defineConfig({\n  title: 'Lamp',\n  sitemap: {hostname: 'https://lamp.example'},\n  themeConfig: {\n    nav: [{text: 'Guide', link: '/guide/start'}],\n    sidebar: {'/guide/': {base: '/guide/', items: guide()}, '/': help},\n  },\n});\n\nfunction guide() {\n  return [{text: 'Start', link: 'start'}, {text: 'Stop', link: 'stop'}];\n}\n",
        ),
        (
            "docs/index.md",
            "---\ntitle: Lamp\nlayout: home\nhero:\n  name: Lamp\n  image: /lamp.svg\n  actions:\n    - text: Start\n      link: /guide/start\nfeatures:\n  - title: Bright\n    link: /guide/stop\n---\n",
        ),
        ("docs/.vitepress/sidebar.ts", "export default [{text: 'Help', link: '/help'}];\n"),
        ("docs/help.md", "# Help\n\n::: warning\n\nIt is hot.\n\n:::\n"),
        ("docs/guide/start.md", "# Start\n\nThen [stop](./stop).\n"),
        ("docs/guide/stop.md", "# Stop\n\nBack to [the start](/guide/start).\n"),
        ("docs/public/lamp.svg", LAMP),
    ],
    slips: &[
        ("docs/.vitepress/config.ts", "link: '/guide/start'", "link: '/guide/strat'"),
        ("docs/.vitepress/config.ts", "link: 'stop'", "link: 'stpo'"),
        ("docs/index.md", "link: /guide/start", "link: /guide/strat"),
        ("docs/index.md", "link: /guide/stop", "link: /guide/stpo"),
        ("docs/index.md", "image: /lamp.svg", "image: /img/lamp.svg"),
        ("docs/.vitepress/sidebar.ts", "'/help'", "'/hlep'"),
        ("docs/help.md", "::: warning", "::: warnign"),
        ("docs/guide/stop.md", "/guide/start)", "https://lamp.example/guide/strat)"),
    ],
};

const MKDOCS: Site = Site {
    name: "MkDocs",
    files: &[
        ("mkdocs.yml", "site_name: Lamp\nnav:\n  - index.md\n  - Stop: stop.md\n"),
        (
            "docs/index.md",
            "# Start\n\n!!! warning\n\n    It is hot[^hot].\n\n[^hot]: More than water that boils.\n",
        ),
        (
            "docs/stop.md",
            "# Stop\n\n=== \"Switch\"\n\n    ```sh\n    off\n    ```\n\nBack to [the start][one].\n\n[one]: index.md\n",
        ),
    ],
    slips: &[
        ("mkdocs.yml", "stop.md", "stpo.md"),
        ("docs/index.md", "!!! warning", "!!! wraning"),
        ("docs/index.md", "hot[^hot].", "hot[^hto]."),
        ("docs/index.md", "warning\n\n    It", "warning\n\nIt"),
        ("docs/index.md", "!!! warning", "!! warning"),
        (
            "docs/stop.md",
            "=== \"Switch\"\n\n    ```sh\n    off\n    ```",
            "=== \"Switch\"\n\n```sh\noff\n```",
        ),
        ("docs/stop.md", "    off\n    ```\n", "    off\n"),
        ("docs/stop.md", ": index.md\n", ": index.md\n[one]: stop.md\n"),
        ("docs/stop.md", ": index.md", ": idnex.md"),
        ("docs/stop.md", "[the start][one]", "[the very start][begin]"),
    ],
};

const SPHINX: Site = Site {
    name: "Sphinx",
    files: &[
        ("docs/conf.py", "project = 'Lamp'\nextensions = ['myst_parser', 'sphinx.ext.todo']\n"),
        (
            "docs/index.md",
            "# Lamp\n\n```{toctree}\n:maxdepth: 2\n:glob:\n\nself\nguide/start\nStop it <guide/stop.md>\n/help\nThe web <https://lamp.example>\nmore/*\ngenindex\n```\n\n\
             :::{important}\nRead {doc}`the start <guide/start>`.\n:::\n",
        ),
        (
            "docs/guide/start.md",
            "(hot)=\n# Start\n\nThen {doc}`stop` it, see {ref}`hot` and {ref}`the words <words>`, or read {doc}`/help`. The {ref}`genindex` has all.\n\n\
             ```{figure} /lamp.svg\n:name: fig-lamp\n:alt: The lamp on a table\n```\n\nThe figure is {ref}`fig-lamp`, `{ref}` is code, and so is `` {ref}`none` ``.\n\n\
             ```\n{ref}`none`\n```\n",
        ),
        ("docs/guide/stop.md", "# Stop\n\nSee {std:ref}`Hot <HOT>`.\n"),
        ("docs/help.rst", "Help\n====\n\n.. _words:\n\nWords\n-----\n"),
        ("docs/more/one.md", "# One\n\nBack to {doc}`../index`.\n"),
        ("docs/lamp.svg", LAMP),
    ],
    slips: &[
        ("docs/index.md", "\nguide/start\n", "\nguide/strat\n"),
        ("docs/index.md", "<guide/stop.md>", "<guide/stpo.md>"),
        ("docs/index.md", "\n/help\n", "\n/nothing\n"),
        ("docs/index.md", "<guide/start>", "<start>"),
        ("docs/guide/start.md", "{doc}`stop`", "{doc}`stpo`"),
        ("docs/guide/start.md", "{doc}`/help`", "{doc}`/hlep`"),
        ("docs/guide/start.md", "{ref}`hot`", "{ref}`cold`"),
        ("docs/guide/start.md", "<words>", "<wrods>"),
        ("docs/guide/start.md", "{ref}`fig-lamp`", "{ref}`fig-lmap`"),
        ("docs/guide/stop.md", "<HOT>", "<HTO>"),
        ("docs/more/one.md", "../index", "index"),
        ("docs/index.md", "{toctree}", "{toctre}"),
        ("docs/index.md", "{important}", "{importent}"),
    ],
};

/// Returns the findings of a site: severity, file, line, and message.
fn found(root: &Path) -> Vec<(Severity, String)> {
    let sources = source::read(root).expect("a site that is read");
    let (work, report) = checked(sources, &Options::default(), &Cache::default()).expect("a report");
    let said = |it: &stepkin::base::diagnostic::Diagnostic| {
        let text =
            work.project.sources.text(&it.file).map(|text| text.text().into_owned()).unwrap_or_default();
        let at = it.problem.span.start.min(text.len());
        let line = text[..at].matches('\n').count() + 1;
        (it.severity, format!("{}:{line}: {}: {}", it.file, it.problem.code, it.problem.message))
    };
    report.iter().map(said).collect()
}

fn write(root: &Path, file: &str, text: &str) {
    let path = root.join(file);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(path, text).expect("a file");
}

#[test]
fn slips_in_sites_of_other_generators_are_found() {
    let mut silent = Vec::new();
    let (mut planted, mut reported) = (0, 0);
    for Site { name, files, slips } in [DOCUSAURUS, JEKYLL, HUGO, STARLIGHT, VITEPRESS, MKDOCS, SPHINX] {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        for (file, text) in files {
            write(root, file, text);
        }
        let before = found(root);
        assert_eq!(before, [], "{name}: nothing is wrong with this site");
        for (file, right, wrong) in slips {
            let text = files.iter().find(|(known, _)| known == file).expect("a file of the site").1;
            assert_eq!(text.matches(right).count(), 1, "{name}: `{right}` is once in {file}");
            write(root, file, &text.replace(right, wrong));
            let found = found(root);
            planted += 1;
            // The problem is reported at its file, and as more than advice.
            let is_of_file = |(severity, said): &(Severity, String)| {
                *severity >= Severity::Warning && said.starts_with(&format!("{file}:"))
            };
            if found.iter().any(is_of_file) {
                reported += 1;
            } else {
                silent.push(format!("{name}: `{wrong}` in {file}: {found:?}"));
            }
            write(root, file, text);
        }
    }
    assert!(planted >= 40, "{planted}");
    assert_eq!((reported, silent), (planted, Vec::<String>::new()));
}
