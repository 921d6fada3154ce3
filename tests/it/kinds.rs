//! Each kind of repository, as a team would use its generator: which pages are read, in which order, and that no
//! syntax of the generator remains in a text. `expected.txt` in each repository contains the findings of `check`.

use std::collections::BTreeSet;

use crate::support::server::Server;
use crate::support::{SiteTest, check_same_tree, json};
use crate::warm::check_served_at;
use serde_json::Value;

/// A repository in `tests/fixtures/kind-…`.
struct Kind {
    name: &'static str,
    /// The first lines of `check`.
    says: [&'static str; 2],
    /// The address of the family, its platforms, and relative to it the addresses of the steps on each platform `@`, in order.
    /// After `!` is a platform that lacks the step.
    family: (&'static str, &'static str, &'static str),
    /// The addresses of all other pages and redirects, except for generated ones.
    others: &'static str,
    /// A word in each kind of box, tab, include and component, and a page that shows it.
    shown: &'static [(&'static str, &'static str)],
    /// Words that must not appear on a page.
    hidden: &'static str,
    /// The only finding of `drift`.
    drift: (&'static str, &'static str),
    /// A file that pages include, with one of its words, and one of these pages.
    included: (&'static str, &'static str, &'static str),
    /// The configuration of the generator, with the base path as written there, and another one.
    base: (&'static str, &'static str, &'static str),
}

const KINDS: [Kind; 8] = [
    Kind {
        name: "docusaurus",
        says: [
            "read as a Docusaurus site: docs/ (English), base path /lantern/, and 1 translation: Français 1 page; it has 1 post in `blog/`, which Stepkin doesn't read; `README.md` isn't among its pages, so it isn't checked",
            "18 pages, 1 family: Lantern for iOS, Android, Flutter (5 steps)",
        ],
        family: ("/docs/", "iOS Android Flutter", "@/ @/install/ @/connect/ @/lamps/pair/ @/lamps/dim/"),
        others: "/ /docs/ /docs/words/",
        shown: &[
            ("/docs/ios/install/", "4.2 badger lynx weasel kestrel heron"),
            ("/docs/flutter/install/", "4.2 badger lynx weasel kestrel heron"),
            ("/docs/android/connect/", "plover raven stoat"),
            ("/docs/words/", "gannet bittern"),
        ],
        hidden: "marmot \\text",
        drift: ("missing-setting", "docs/flutter/lamps/pair.md"),
        included: ("docs/_key.mdx", "heron", "/docs/android/install/"),
        base: ("docusaurus.config.js", "baseUrl: '/lantern/'", "baseUrl: '/lamps/'"),
    },
    Kind {
        name: "starlight",
        says: [
            "read as a Starlight site: src/content/docs/ (English), base path /sdk/, and 1 translation: Français 1 page; `README.md` isn't among its pages, so it isn't checked",
            "18 pages, 1 family: Lantern for Web, iOS, Android (5 steps)",
        ],
        family: ("/", "Web iOS Android", "@/ @/install/ @/connect/ @/lamps/pair/ @/lamps/dim/"),
        others: "/ /words/",
        shown: &[
            ("/ios/install/", "4.2 badger lynx stork weasel kestrel heron crane curlew"),
            ("/android/connect/", "plover raven stoat"),
            ("/words/", "gannet gull"),
        ],
        hidden: "marmot",
        drift: ("missing-setting", "src/content/docs/web/lamps/pair.md"),
        included: ("src/code/lamp.js", "kestrel", "/web/install/"),
        base: ("astro.config.mjs", "base: '/sdk'", "base: '/lamps'"),
    },
    Kind {
        name: "hugo",
        says: [
            "read as a Hugo site: content/en/ (English), base path /sdk/, and 1 translation: Français 1 page; `README.md` isn't among its pages, so it isn't checked",
            "23 pages, 1 family: Languages for Java, Python, Go (6 steps)",
        ],
        family: (
            "/docs/languages/",
            "Java Python Go",
            "@/ @/install/ @/connect/ @/lamps/ @/lamps/pair/ @/lamps/dim/",
        ),
        others: "/ /docs/ /docs/languages/ /docs/languages/go/setup/ /docs/languages/java/setup/ /docs/languages/python/setup/ /old/go/install/ /old/java/install/ /old/python/install/ /words/",
        shown: &[
            ("/", "otter"),
            ("/docs/", "egret 4.2"),
            ("/docs/languages/go/install/", "4.2 badger lynx weasel kestrel heron curlew crane"),
            ("/docs/languages/python/connect/", "plover raven connect(key) stoat"),
            ("/docs/languages/java/lamps/dim/", "lamp.level(0.5)"),
            ("/words/", "gannet gull tern"),
        ],
        hidden: "godwit",
        drift: ("missing-setting", "content/en/docs/languages/java/lamps/pair.md"),
        included: ("layouts/shortcodes/promise.md", "curlew", "/docs/languages/python/install/"),
        base: ("hugo.toml", "example/sdk/", "example/lamps/"),
    },
    Kind {
        name: "jekyll",
        says: [
            "read as a Jekyll site: this folder, base path /sdk/; it has 1 post in `_posts/`, which Stepkin doesn't read; \
             `README.md` isn't among its pages, so it isn't checked",
            "21 pages, 1 family: Lantern for Web, iOS, Android (6 steps)",
        ],
        family: ("/", "Web iOS Android", "@/ @/install/ @/hook-up/ @/lamps/ @/lamps/pair/ @/lamps/dim/"),
        others: "/ /404/ /reference/words/ /words/",
        shown: &[
            ("/", "otter"),
            ("/ios/install/", "4.2 badger weasel kestrel lynx heron curlew"),
            ("/web/hook-up/", "plover stoat"),
            ("/web/lamps/dim/", "dodo"),
            ("/reference/words/", "gull tern"),
        ],
        hidden: "marmot puffin",
        drift: ("missing-setting", "android/lamps/pair.md"),
        included: ("_includes/key.md", "heron", "/android/install/"),
        base: ("_config.yml", "baseurl: \"/sdk\"", "baseurl: \"/lamps\""),
    },
    Kind {
        name: "mkdocs",
        says: [
            "read as an MkDocs site: docs/, base path /sdk/; `README.md` isn't among its pages, so it isn't checked",
            "17 pages, 1 family: Lantern for Web, iOS, Android (5 steps)",
        ],
        family: ("/", "Web iOS Android", "@/ @/install/ @/connect/ @/lamps/pair/ @/lamps/dim/"),
        others: "/ /words/",
        shown: &[
            ("/", "otter"),
            ("/web/install/", "badger lynx marmot weasel kestrel heron"),
            ("/ios/connect/", "plover raven curlew stoat puffin crane"),
            ("/words/", "gull tern bittern"),
        ],
        hidden: "lamp.close \\text",
        drift: ("missing-setting", "docs/android/lamps/pair.md"),
        included: ("code/Lamp.kt", "kestrel", "/android/install/"),
        base: ("mkdocs.yml", "example/sdk/", "example/lamps/"),
    },
    Kind {
        name: "vitepress",
        says: [
            "read as a VitePress site: docs/ (English), base path /lantern/, and 1 translation: Français 1 page; `README.md` isn't among its pages, so it isn't checked",
            "18 pages, 1 family: Guide for Web, React, Vue (5 steps)",
        ],
        family: ("/guide/", "Web React Vue", "@/ @/install/ @/connect/ @/lamps/pair/ @/lamps/dim/!vue"),
        others: "/ /guide/ /words/",
        shown: &[
            ("/guide/", "otter"),
            ("/guide/web/install/", "badger lynx weasel kestrel heron curlew crane"),
            ("/guide/vue/connect/", "plover raven stoat"),
            ("/words/", "gannet gull tern bittern"),
        ],
        hidden: "lamp.close Before. \\text",
        drift: ("missing-step", "docs/guide/web/lamps/dim/index.md"),
        included: ("docs/parts/promise.md", "curlew", "/guide/react/install/"),
        base: ("docs/.vitepress/config.mts", "?? '/lantern/'", "?? '/lamps/'"),
    },
    Kind {
        name: "mdbook",
        says: [
            "read as an mdBook: src/, base path /lantern/; `README.md` isn't among its pages, so it isn't checked",
            "14 pages, 1 family: The tour for macOS, Windows, Linux (3 steps)",
        ],
        family: ("/tour/", "macOS Windows Linux", "install/@/ connect/@/ add/@/"),
        others: "/ /tour/ /tour/add/ /tour/connect/ /tour/install/ /words/",
        shown: &[
            ("/", "otter"),
            ("/tour/install/linux/", "badger weasel kestrel heron"),
            ("/tour/connect/macos/", "lynx stoat lantern::Lamp"),
            ("/words/", "gull"),
        ],
        hidden: "",
        drift: ("missing-setting", "src/tour/add/macos.md"),
        included: ("src/parts/key.md", "heron", "/tour/install/macos/"),
        base: ("book.toml", "\"/lantern/\"", "\"/lamps/\""),
    },
    Kind {
        name: "plain",
        says: [
            "read as folders of Markdown files: docs/; `README.md` isn't among its pages, so it isn't checked",
            "12 pages, 1 family: Start for Flutter, Electron, Unity (3 steps)",
        ],
        family: ("/start/", "Flutter Electron Unity", "connect/@/ install/@/ pair/@/"),
        others: "/ /start/ /words/",
        shown: &[
            ("/", "otter"),
            ("/start/install/unity/", "badger weasel"),
            ("/start/connect/electron/", "stoat"),
            ("/words/", "gull"),
        ],
        hidden: "Plainly.",
        drift: ("missing-setting", "docs/start/pair/electron.md"),
        // No file is included, so this is a page itself.
        included: ("docs/start/install/unity.md", "badger", "/start/install/unity/"),
        base: ("stepkin.toml", "[source]\nbase = \"/sdk/\"\n", "[source]\nbase = \"/lamps/\"\n"),
    },
];

impl Kind {
    fn site(&self) -> SiteTest {
        SiteTest::fixture(&format!("kind-{}", self.name))
    }
}

/// Returns the addresses of pages in the output that come from files.
fn addresses(site: &SiteTest) -> BTreeSet<String> {
    let files = site.output().into_keys();
    let folders = files.filter_map(|file| Some(format!("/{}", file.strip_suffix("index.html")?)));
    folders.filter(|address| !address.ends_with("/print/") && !address.ends_with("/compare/")).collect()
}

/// Returns the addresses of a platform's steps in order, relative to that of the family.
fn steps(family: &Value, platform: &str) -> String {
    let named = |it: &&Value| it["name"] == platform;
    let platform = family["platforms"].as_array().and_then(|it| it.iter().find(named)).expect("a platform");
    let told =
        family["steps"].as_array().expect("steps").iter().filter_map(|step| step["tellings"].as_array());
    let told: Vec<&Value> = told.flatten().filter(|it| it["platform"] == platform["platform"]).collect();
    let start = family["address"].as_str().expect("an address");
    let order = platform["steps"].as_array().expect("its steps");
    let step_of = |id: &Value| {
        let steps = family["steps"].as_array().expect("steps");
        let step = steps.iter().find(|step| step["step"] == *id).expect("a step");
        let tellings = step["tellings"].as_array().expect("tellings");
        let telling = tellings.iter().find(|it| it["platform"] == platform["platform"]).expect("it is told");
        telling["address"].as_str().and_then(|it| it.strip_prefix(start)).expect("it is below").to_string()
    };
    assert_eq!(told.len(), order.len());
    order.iter().map(step_of).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_repository_is_read_by_the_configuration_of_its_generator() {
    for kind in KINDS {
        let site = kind.site();
        let run = site.run(&["check"]);
        let said: Vec<&str> = run.stderr.lines().take(2).collect();
        assert_eq!(said, kind.says, "{}", kind.name);
        let site = site.build();
        let (address, platforms, order) = kind.family;
        let family = json(&site.text(&format!("dist{address}family.json")));
        let mut expected: BTreeSet<String> = kind.others.split_whitespace().map(str::to_string).collect();
        for platform in platforms.split(' ') {
            let id = platform.to_lowercase();
            let order = order.split(' ').filter(|step| !step.ends_with(&format!("!{id}")));
            let order = order.map(|step| step.split('!').next().unwrap_or_default().replace('@', &id));
            let order: Vec<String> = order.collect();
            assert_eq!(steps(&family, platform), order.join(" "), "{}: {platform}", kind.name);
            expected.extend(order.iter().map(|step| format!("{address}{step}")));
        }
        if kind.says[0].contains("Français") {
            expected.extend(expected.clone().iter().map(|address| format!("/fr{address}")));
        }
        assert_eq!(addresses(&site), expected, "{}", kind.name);
    }
}

/// Returns the visible text of a published page, without code.
fn prose_of_html(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some(open) = rest.find('<') {
        text.push_str(&rest[..open]);
        rest = &rest[open..];
        let hidden = ["pre", "code", "script", "style", "template"]
            .into_iter()
            .find(|name| rest[1..].strip_prefix(name).is_some_and(|rest| rest.starts_with([' ', '>'])));
        let end = hidden.map_or(">".to_string(), |name| format!("</{name}>"));
        rest = rest.find(&end).map_or("", |at| &rest[at + end.len()..]);
        text.push(' ');
    }
    text + rest
}

/// Returns the same for Markdown.
fn prose_of_markdown(markdown: &str) -> String {
    let mut fence: Option<&str> = None;
    let mut text = String::new();
    for line in markdown.lines() {
        let bare = line.trim_start_matches(['>', ' ']);
        let marks = &bare[..bare.len() - bare.trim_start_matches('`').len()];
        match fence {
            None if marks.len() >= 3 => fence = Some(marks),
            Some(open) if bare.trim_end() == open => fence = None,
            Some(_) => {}
            None => {
                text.extend(line.split('`').step_by(2));
                text.push('\n');
            }
        }
    }
    text
}

#[rustfmt::skip] // A list of texts reads better in paragraphs.
const FOREIGN: [&str; 22] = [
    "import ", "export ", "{{<", "{{%", "{%", "<Tab", "&lt;Tab", ":::", "!!! ", "=== \"", "{: ", "{:",
    "--8&lt;--", "--8<--", "{{#", "[[#", "useBaseUrl", "<<<", "&lt;&lt;&lt;", "[!", "}}", "code-group",
];

#[track_caller]
fn check_clean(kind: &str, name: &str, text: &str, also: &[&str]) {
    for sign in FOREIGN.iter().filter(|sign| !also.contains(*sign)) {
        let found = text.find(sign).map(|at| &text[at..]);
        let found = found.map(|text| text.chars().take(160).collect::<String>());
        assert_eq!(found, None, "{kind}: {name} shows `{sign}`");
    }
}

#[test]
fn nothing_of_the_generators_syntax_is_left_in_a_text() {
    for kind in KINDS {
        let site = kind.site().build();
        let mut all = String::new();
        for (name, bytes) in site.output() {
            let text = String::from_utf8_lossy(&bytes);
            // VitePress shows the content of `v-pre` literally.
            let text = text.replace("{{ kept }}", "");
            if name.ends_with(".html") && !name.starts_with("_stepkin") {
                check_clean(kind.name, &name, &prose_of_html(&text), &[]);
                all.push_str(&text);
            } else if name.ends_with(".md") || name.ends_with("llms-full.txt") {
                // There, boxes are GitHub alerts.
                check_clean(kind.name, &name, &prose_of_markdown(&text), &["[!"]);
            } else if name.ends_with("catalogue.json") || name.ends_with("family.json") {
                check_clean(kind.name, &name, &text, &["}}", "{:"]);
            }
        }
        for (address, words) in kind.shown {
            for word in words.split_whitespace() {
                let page = site.page(address).html;
                let shows = page.contains(word) || text_of(&page).contains(word);
                assert!(shows, "{}: {address} doesn't show `{word}`:\n{page}", kind.name);
            }
        }
        for word in kind.hidden.split_whitespace() {
            assert!(!text_of(&all).contains(word), "{}: `{word}` is shown", kind.name);
        }
    }
}

/// Returns the text of HTML without its tags, including code.
fn text_of(html: &str) -> String {
    let mut text = String::new();
    for piece in html.split('<') {
        text.push_str(piece.split_once('>').map_or(piece, |(_, rest)| rest).trim_start_matches('\n'));
    }
    text
}

#[test]
fn platforms_differ_in_one_thing() {
    for kind in KINDS {
        let run = kind.site().run(&["drift", "--format", "json"]);
        let found = run.json();
        let found: Vec<_> = found
            .iter()
            .map(|it| (it["code"].as_str().unwrap_or_default(), it["file"].as_str().unwrap_or_default()))
            // Some have one translated page.
            .filter(|(code, _)| !code.starts_with("translation-"))
            .collect();
        assert_eq!(found, [kind.drift], "{}", kind.name);
    }
}

#[test]
fn a_second_run_reports_and_writes_the_same() {
    for kind in KINDS {
        let (file, word, address) = kind.included;
        let (config, old, new) = kind.base;
        let site = kind.site();
        let site = if site.path(config).exists() { site } else { site.edit(config, old) };
        let cold = site.run(&["check", "--format", "json"]).stdout;
        assert_eq!(site.run(&["check", "--format", "json"]).stdout, cold, "{}", kind.name);
        let site = site.build().replace(file, word, "wagtail").build();
        site.page(address).shows("wagtail").lacks(word);
        check_as_from_nothing(&kind, &site, "after an edit of what is included");
        let site = site.replace(config, old, new).build();
        site.page(address).shows("href=\"/lamps/");
        check_as_from_nothing(&kind, &site, "after an edit of the configuration");
    }
}

#[track_caller]
fn check_as_from_nothing(kind: &Kind, site: &SiteTest, context: &str) {
    let names = site.names_in_root();
    let names: Vec<&str> =
        names.iter().map(String::as_str).filter(|name| !matches!(*name, "dist" | ".stepkin")).collect();
    let fresh = site.fresh_copy(&names).build();
    check_same_tree(&site.output(), &fresh.output(), &format!("{}: {context}", kind.name));
}

#[test]
fn a_save_of_an_included_file_is_served() {
    for kind in KINDS {
        let (file, word, address) = kind.included;
        let site = kind.site();
        let server = Server::start(&site.root(), &["--watch"]);
        let (_, base) = kind.says[0].split_once(", base path ").unwrap_or(("", "/;"));
        let base = base.split([';', ',']).next().unwrap_or_default().trim_end_matches('/');
        let address = format!("{base}{address}");
        assert_eq!(server.get(&address).status, 200, "{}: {address}", kind.name);
        server.shows(&address, word);
        let site = site.replace(file, word, "wagtail");
        server.shows(&address, "wagtail");
        drop(site);
    }
}

/// A page may include another page: the text of both is saved.
#[test]
fn a_save_of_a_page_that_another_includes_is_served() {
    let site = SiteTest::rootless()
        .edit("docusaurus.config.js", "module.exports = { title: 'Lantern', baseUrl: '/' };\n")
        .edit("docs/a.mdx", "# A\n\nimport B from './b.mdx';\n\n<B />\n")
        .edit("docs/b.mdx", "# B\n\nThe first lamp.\n");
    let server = Server::start(&site.root(), &["--watch"]);
    server.shows("/docs/a/", "first lamp");
    let site = site.replace("docs/b.mdx", "first", "second");
    server.shows("/docs/a/", "second lamp");
    drop(site);
}

/// A Docusaurus repository whose folders have unusual names.
fn moved() -> SiteTest {
    SiteTest::rootless()
        .edit("handbook/guide/ios/install.md", "# Install\n\n![A lamp](/lamp.svg)\n\nSee [use](use.md).\n")
        .edit("handbook/guide/ios/use.md", "# Use\n\nBack to [install](/manual/guide/ios/install/).\n")
        .edit("handbook/guide/web/install.md", "# Install\n\nThe lamp.\n")
        .edit("handbook/guide/web/use.md", "# Use\n\nThe light.\n")
        .edit("pictures/lamp.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n")
        .edit("docusaurus.config.js", "module.exports = { title: 'Lantern', baseUrl: '/' };\n")
}

#[test]
fn the_configuration_declares_unrecognized_families() {
    let site = moved().edit(
        "stepkin.toml",
        "[source]\nkind = \"docusaurus\"\ncontent = \"handbook\"\nstatic = [\"pictures\"]\nbase = \"/manual/\"\n",
    );
    site.run(&["check"])
        .exits(0)
        .says("read as a Docusaurus site: handbook/, base path /manual/")
        .says("1 family: Guide for Web, iOS (2 steps)")
        .reports("no problems found");
}

#[test]
fn mistakes_in_the_configuration_are_reported() {
    for (config, says) in [
        ("kind = \"docusorus\"", "docusorus"),
        ("kind = \"hugo\"", "is not a Hugo site because its configuration or directory of pages is missing"),
        ("content = \"hand-book\"", "`hand-book` doesn't exist in"),
        ("content = \"handbook\"\nstatic = [\"images\"]", "images"),
    ] {
        let site = moved().edit("stepkin.toml", format!("[source]\n{config}\n"));
        let run = site.run(&["check"]);
        let all = format!("{}{}", run.stdout, run.stderr);
        assert!(matches!(run.status, Some(1 | 2)), "{config}: {:?}\n{all}", run.status);
        assert!(all.contains(says) && all.contains("stepkin.toml"), "{config}:\n{all}");
    }
}

const OWN_NAMES: &str = "[[family]]\nlayout = \"docs/{platform}/{step}\"\n";

#[test]
fn platforms_with_names_of_their_own_are_declared() {
    let site = SiteTest::rootless()
        .edit("docusaurus.config.js", "module.exports = { title: 'Lantern', baseUrl: '/' };\n")
        .edit("docs/fridge/01-install.md", "# Install\n\nThe lamp.\n")
        .edit("docs/fridge/02-use.md", "# Use\n\nThe light.\n")
        .edit("docs/kettle/01-install.md", "# Install\n\nThe lamp.\n")
        .edit("docs/kettle/02-use.md", "# Use\n\nThe light.\n");
    site.run(&["check"]).exits(0).says("4 pages\n");
    site.run(&["check", "--verbose"]).exits(0).says("no folder or page is named after a platform");
    let site = site.edit("stepkin.toml", OWN_NAMES);
    site.run(&["check"]).exits(0).says("1 family").says("Fridge, Kettle (2 steps)");
}

/// A generator's site in two languages.
struct Translated {
    config: (&'static str, &'static str),
    /// The paths of the English and Portuguese files without their extensions.
    files: (&'static str, &'static str),
    /// The folders of their addresses.
    at: (&'static str, &'static str),
    /// A link to a page from the root, as the generator would resolve it on the Portuguese page, and its URL.
    from_root: (&'static str, &'static str),
}

const TRANSLATED: [Translated; 12] = [
    Translated {
        config: (
            "docusaurus.config.js",
            "module.exports = { title: 'A', url: 'https://a.example', baseUrl: '/sdk/', i18n: { defaultLocale: 'en', locales: ['en', 'pt-BR'] } };\n",
        ),
        files: ("docs/{}", "i18n/pt-BR/docusaurus-plugin-content-docs/current/{}"),
        at: ("/docs/", "/pt-BR/docs/"),
        from_root: ("/docs/guide/use", "/sdk/pt-BR/docs/guide/use/"),
    },
    Translated {
        config: (
            "astro.config.mjs",
            "export default defineConfig({ site: 'https://a.example', base: '/sdk', integrations: [starlight({ title: 'A', defaultLocale: 'root', locales: { root: { label: 'English', lang: 'en' }, 'pt-br': { label: 'Português', lang: 'pt-BR' } } })] });\n",
        ),
        files: ("src/content/docs/{}", "src/content/docs/pt-br/{}"),
        at: ("/", "/pt-br/"),
        from_root: ("/sdk/guide/use/", "/sdk/guide/use/"),
    },
    Translated {
        config: (
            "astro.config.mjs",
            "export default defineConfig({ site: 'https://a.example', base: '/sdk', integrations: [starlight({ title: 'A', defaultLocale: 'en', locales: { en: { label: 'English' }, 'pt-br': { label: 'Português', lang: 'pt-BR' } } })] });\n",
        ),
        files: ("src/content/docs/en/{}", "src/content/docs/pt-br/{}"),
        at: ("/en/", "/pt-br/"),
        from_root: ("/sdk/pt-br/guide/use/", "/sdk/pt-br/guide/use/"),
    },
    Translated {
        config: (
            "hugo.toml",
            "baseURL = 'https://a.example/sdk/'\ndefaultContentLanguage = 'en'\n[languages.en]\ncontentDir = 'content/en'\n[languages.pt-br]\ncontentDir = 'content/pt-br'\n",
        ),
        files: ("content/en/{}", "content/pt-br/{}"),
        at: ("/", "/pt-br/"),
        from_root: ("/guide/use/", "/sdk/pt-br/guide/use/"),
    },
    Translated {
        config: (
            "hugo.toml",
            "baseURL = 'https://a.example/sdk/'\ndefaultContentLanguage = 'en'\ndefaultContentLanguageInSubdir = true\n[languages.en]\nweight = 1\n[languages.pt-br]\nweight = 2\n",
        ),
        files: ("content/{}", "content/{}.pt-br"),
        at: ("/en/", "/pt-br/"),
        from_root: ("/pt-br/guide/use/", "/sdk/pt-br/guide/use/"),
    },
    Translated {
        config: (
            ".vitepress/config.js",
            "export default { title: 'A', base: '/sdk/', sitemap: { hostname: 'https://a.example' }, locales: { root: { label: 'English', lang: 'en' }, pt: { label: 'Português', lang: 'pt-BR' } } }\n",
        ),
        files: ("{}", "pt/{}"),
        at: ("/", "/pt/"),
        from_root: ("/guide/use", "/sdk/guide/use/"),
    },
    Translated {
        config: (
            ".vitepress/config.js",
            "export default { title: 'A', base: '/sdk/', sitemap: { hostname: 'https://a.example' }, rewrites: { 'en/:rest*': ':rest*' }, locales: { root: { label: 'English', lang: 'en' }, pt: { label: 'Português', lang: 'pt-BR' } } }\n",
        ),
        files: ("en/{}", "pt/{}"),
        at: ("/", "/pt/"),
        from_root: ("/pt/guide/use", "/sdk/pt/guide/use/"),
    },
    Translated {
        config: (
            "mkdocs.yml",
            "site_name: A\nsite_url: https://a.example/sdk/\nplugins:\n  - i18n:\n      docs_structure: folder\n      languages:\n        - locale: en\n          default: true\n          name: English\n        - locale: pt\n          name: Português\n",
        ),
        files: ("docs/en/{}", "docs/pt/{}"),
        at: ("/", "/pt/"),
        from_root: ("/sdk/guide/use/", "/sdk/guide/use/"),
    },
    Translated {
        config: (
            "mkdocs.yml",
            "site_name: A\nsite_url: https://a.example/sdk/\nplugins:\n  - i18n:\n      docs_structure: suffix\n      languages:\n        - locale: en\n          default: true\n          name: English\n        - locale: pt\n          name: Português\n",
        ),
        files: ("docs/{}", "docs/{}.pt"),
        at: ("/", "/pt/"),
        from_root: ("/sdk/pt/guide/use/", "/sdk/pt/guide/use/"),
    },
    // The originals have a suffix, too.
    Translated {
        config: (
            "hugo.toml",
            "baseURL = 'https://a.example/sdk/'\ndefaultContentLanguage = 'en'\n[languages.en]\nweight = 1\n[languages.pt-br]\nweight = 2\n",
        ),
        files: ("content/{}.en", "content/{}.pt-br"),
        at: ("/", "/pt-br/"),
        from_root: ("/guide/use/", "/sdk/pt-br/guide/use/"),
    },
    Translated {
        config: (
            "mkdocs.yml",
            "site_name: A\nsite_url: https://a.example/sdk/\nnav:\n  - index.md\n  - Guide:\n      - guide/install.md\n      - guide/use.md\nplugins:\n  - i18n:\n      docs_structure: suffix\n      languages:\n        - locale: en\n          default: true\n          name: English\n        - locale: pt\n          name: Português\n",
        ),
        files: ("docs/{}.en", "docs/{}.pt"),
        at: ("/", "/pt/"),
        from_root: ("/sdk/pt/guide/use/", "/sdk/pt/guide/use/"),
    },
    // Version 0 of the plugin.
    Translated {
        config: (
            "mkdocs.yml",
            "site_name: A\nsite_url: https://a.example/sdk/\nplugins:\n  - i18n:\n      default_language: en\n      languages:\n        en: English\n        pt: Português\n",
        ),
        files: ("docs/{}.en", "docs/{}.pt"),
        at: ("/", "/pt/"),
        from_root: ("/sdk/pt/guide/use/", "/sdk/pt/guide/use/"),
    },
];

impl Translated {
    fn site(&self) -> SiteTest {
        let page = |title: &str, rest: &str| format!("---\ntitle: {title}\n---\n\n{rest}\n");
        let file = |template: &str, name: &str, ending: &str| template.replace("{}", name) + ending;
        let svg = |more: &str| format!("<svg xmlns=\"http://www.w3.org/2000/svg\"{more}/>");
        let (original, translation) = self.files;
        let install = format!("[Uso](use.md), [raiz]({}), ![Pote](./pot.svg)", self.from_root.0);
        SiteTest::rootless()
            .edit(self.config.0, self.config.1)
            .edit(&file(original, "index", ".md"), page("Home", "Hi."))
            .edit(&file(original, "guide/install", ".md"), page("Install", "[Use](use.md) ![Pot](./pot.svg)"))
            .edit(&file(original, "guide/use", ".md"), page("Use", "Back to [install](install.md)."))
            .edit(&file(original, "guide/pot", ".svg"), svg(""))
            .edit(&file(translation, "index", ".md"), page("Início", "Olá."))
            .edit(&file(translation, "guide/install", ".md"), page("Instalar", &install))
            .edit(&file(translation, "guide/pot", ".svg"), svg(" lang=\"pt\""))
    }
}

#[test]
fn translations_are_published_where_the_generator_would() {
    for kind in TRANSLATED {
        let (name, (at, translated_at)) = (kind.config.0, kind.at);
        let site = kind.site().build();
        let (install, here) = (format!("{at}guide/install/"), format!("{translated_at}guide/install/"));
        let use_here = format!("/sdk{translated_at}guide/use/");
        site.page(&install)
            .shows("<html lang=\"en\"")
            .shows(&format!("href=\"https://a.example/sdk{here}\""))
            .shows(&format!("src=\"/sdk{at}guide/pot.svg\""));
        site.page(&here)
            .shows("<html lang=\"pt")
            .shows(&format!("<link rel=\"canonical\" href=\"https://a.example/sdk{here}\">"))
            .shows(&format!("hreflang=\"en\" href=\"https://a.example/sdk{install}\""))
            .shows(&format!("<a href=\"/sdk{install}\" lang=\"en\""))
            .shows(&format!("<a href=\"{use_here}\">Uso</a>"))
            .shows(&format!("<a href=\"{}\">raiz</a>", kind.from_root.1))
            .shows(&format!("src=\"/sdk{translated_at}guide/pot.svg\""));
        assert!(site.text(&format!("dist{translated_at}guide/pot.svg")).contains("lang=\"pt\""), "{name}");
        assert!(!site.text(&format!("dist{at}guide/pot.svg")).contains("lang=\"pt\""), "{name}");
        // It isn't translated.
        site.page(&format!("{translated_at}guide/use/"))
            .shows("<article lang=\"en\"")
            .shows(&format!("<a href=\"/sdk{here}\">install</a>"));
        let found: Vec<String> = site.findings().into_iter().map(|it| it.code).collect();
        assert!(found.is_empty(), "{name} {:?}: {found:?}", kind.files);
    }
}

#[test]
fn a_translation_of_another_generator_is_served_as_it_is_built() {
    for kind in TRANSLATED {
        let site = kind.site().build();
        let server = Server::start(&site.root(), &["--watch"]);
        check_served_at("/sdk", &server, &site.output(), kind.files.1);
        let install = format!("{}.md", kind.files.1.replace("{}", "guide/install"));
        let new = format!("{}.md", kind.files.1.replace("{}", "guide/use"));
        let site = site.replace(&install, "Uso", "Utilização").edit(&new, "---\ntitle: Usar\n---\n\nUse.\n");
        server.shows(&format!("/sdk{}guide/install/", kind.at.1), "Utilização");
        server.shows(&format!("/sdk{}guide/use/", kind.at.1), "<title>Usar");
        let site = site.build();
        check_served_at("/sdk", &server, &site.output(), kind.files.1);
        let names = site.names_in_root();
        let names: Vec<&str> =
            names.iter().map(String::as_str).filter(|name| !matches!(*name, "dist" | ".stepkin")).collect();
        let fresh = site.fresh_copy(&names).build();
        check_same_tree(&site.output(), &fresh.output(), kind.files.1);
    }
}

#[test]
fn a_slug_with_the_language_is_not_below_it_twice() {
    let site = SiteTest::rootless()
        .edit(TRANSLATED[1].config.0, TRANSLATED[1].config.1)
        .edit("src/content/docs/a.md", "---\ntitle: A\n---\n\nText.\n")
        .edit("src/content/docs/pt-br/a.md", "---\ntitle: A\nslug: pt-br/b\n---\n\nTexto.\n")
        .build();
    site.page("/pt-br/b/").shows("Texto.").shows("hreflang=\"en\" href=\"https://a.example/sdk/a/\"");
}

/// Hugo's language of `page.en.md` is that of its suffix, and of `page.md` the default:
/// <https://gohugo.io/content-management/multilingual/#translation-by-file-name>.
#[test]
fn an_original_may_have_a_suffix() {
    let config =
        "baseURL = 'https://a.example/'\ndefaultContentLanguage = 'en'\n[languages.en]\n[languages.fr]\n";
    let page = |title: &str, text: &str| format!("---\ntitle: {title}\n---\n\n{text}\n");
    let site = SiteTest::rootless()
        .edit("hugo.toml", config)
        .edit("content/_index.en.md", page("Home", "Hi."))
        .edit("content/tour/_index.en.md", page("Tour", "[A](a.md), [B](/tour/b.en.md)"))
        .edit("content/tour/a.en.md", page("A", "Text."))
        .edit("content/tour/b.en.md", page("B", "Text. ![Pot](pot.svg)"))
        .edit("content/tour/pot.en.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
        .edit("content/tour/v2.0.md", page("Version 2.0", "Text."))
        .edit("static/sheet.en.json", "{}");
    // The default language alone.
    let alone = site.build();
    alone.page("/tour/").shows("href=\"/tour/a/\"").shows("href=\"/tour/b/\"");
    alone.page("/tour/b/").shows("src=\"/tour/pot.svg\"");
    alone.page("/tour/v2.0/").shows("Version 2.0");
    assert!(alone.text("dist/sheet.en.json").contains("{}"));
    assert_eq!(alone.findings(), []);
    let site = alone
        .edit("content/_index.fr.md", page("Accueil", "Bonjour."))
        .edit("content/tour/_index.fr.md", page("Visite", "[A](a.md)"))
        .edit("content/tour/a.fr.md", page("Un", "Texte."))
        .build();
    site.page("/fr/tour/").shows("<title>Visite").shows("href=\"/fr/tour/a/\"");
    site.page("/fr/tour/b/").shows("<article lang=\"en\"").shows("src=\"/tour/pot.svg\"");
    site.page("/tour/a/").shows("hreflang=\"fr\" href=\"https://a.example/fr/tour/a/\"");
    let names: Vec<String> = site.findings().into_iter().map(|it| it.code).collect();
    assert!(names.is_empty(), "{names:?}");
    let todo = site.run(&["translations", "fr", "--todo"]).exits(0).stdout;
    assert!(todo.contains("content/tour/b.fr.md: new, from content/tour/b.en.md"), "{todo}");
    site.run(&["migrate", "--output", "../moved"]).exits(0);
    for (file, text) in [("tour/a", "Text."), ("fr/tour/a", "Texte."), ("fr/index", "Bonjour.")] {
        assert!(site.text(&format!("../moved/content/{file}.md")).contains(text), "{file}");
    }
    // Two pages have the same URL.
    let found = site.edit("content/tour/a.md", page("A", "Text.")).findings();
    assert!(found.iter().any(|it| it.code == "address-conflict"), "{found:?}");
}

#[test]
fn sections_of_a_translated_docusaurus_site_have_translated_names() {
    let current = "i18n/pt-BR/docusaurus-plugin-content-docs/current.json";
    let messages = |guide: &str| {
        let messages = [
            ("guide.category.Guide", guide),
            ("guide.category.Guide.link.generated-index.description", "Tudo sobre potes."),
            ("guide.category.tips", "Dicas"),
            ("guide.category.Basics", "Noções"),
        ];
        let message =
            |(key, text): &(&str, &str)| format!("\"sidebar.{key}\": {{ \"message\": \"{text}\" }}");
        format!("{{ {} }}\n", messages.iter().map(message).collect::<Vec<_>>().join(", "))
    };
    let link = "\"link\": { \"type\": \"generated-index\", \"description\": \"All about pots.\" }";
    let site = TRANSLATED[0]
        .site()
        .edit("docs/guide/_category_.json", format!("{{ \"label\": \"Guide\", {link} }}"))
        .edit("docs/tips/clean.md", "---\ntitle: Clean\n---\n\nText.\n")
        .edit("docs/tips/fill.md", "---\ntitle: Fill\n---\n\nText.\n")
        .edit(current, messages("Guia"))
        // Docusaurus doesn't read it.
        .edit(
            "i18n/pt-BR/docusaurus-plugin-content-docs/current/guide/_category_.json",
            "{ \"label\": \"Outro\" }",
        )
        .build();
    site.page("/docs/guide/install/").shows("Guide").shows("Tips").lacks("Guia").lacks("Dicas");
    let here = "/pt-BR/docs/guide/install/";
    site.page(here).shows("Guia").shows("Dicas").lacks("Guide").lacks("Tips").lacks("Outro");
    site.page("/pt-BR/docs/guide/").shows("<h1>Guia").shows("Tudo sobre potes.");
    let server = Server::start(&site.root(), &["--watch"]);
    server.shows(&format!("/sdk{here}"), "Guia");
    let site = site.edit(current, messages("Manual"));
    server.shows(&format!("/sdk{here}"), "Manual");
    drop(server);
    let sidebars = "module.exports = { guide: [{ type: 'category', label: 'Basics', items: ['guide/install', 'guide/use'] }, 'tips/clean', 'tips/fill', 'index'] };\n";
    let site = site.remove("docs/guide/_category_.json").edit("sidebars.js", sidebars).build();
    site.page("/docs/guide/install/").shows("Basics");
    site.page(here).shows("Noções").lacks("Basics");
}

/// Docusaurus resolves imports of a translated page relative to its file, so its build fails.
#[test]
fn a_file_that_only_the_original_includes_is_reported_once() {
    let page = |title: &str| {
        format!("---\ntitle: {title}\n---\nimport Shared from './_shared.mdx';\n\n<Shared />\n\nText.\n")
    };
    let mut site = TRANSLATED[0].site().edit("docs/guide/_shared.mdx", "Shared text.\n");
    for name in ["a", "b", "c", "d", "e"] {
        site = site.edit(&format!("docs/guide/{name}.mdx"), page(name)).edit(
            &format!("i18n/pt-BR/docusaurus-plugin-content-docs/current/guide/{name}.mdx"),
            page(&format!("{name} pt")),
        );
    }
    let said = site.run(&["check"]).exits(0).stdout;
    let help = "= help: copy `docs/guide/_shared.mdx` to `i18n/pt-BR/docusaurus-plugin-content-docs/current/guide/_shared.mdx`, and translate it";
    assert_eq!(said.matches("warning[unsupported-syntax]").count(), 1, "{said}");
    assert!(
        said.contains("an included file doesn't exist: `./_shared.mdx`") && said.contains(help),
        "{said}"
    );
    assert!(said.contains("current/guide/e.mdx"), "{said}");
    let site =
        site.edit("i18n/pt-BR/docusaurus-plugin-content-docs/current/guide/_shared.mdx", "Texto comum.\n");
    assert_eq!(site.findings(), []);
    site.build().page("/pt-BR/docs/guide/e/").shows("Texto comum.");
}

#[test]
fn a_repeated_word_in_an_included_page_is_reported_once() {
    let site = SiteTest::rootless()
        .edit("conf.py", "extensions = ['myst_parser']\n")
        .edit("part.md", "# Part\n\nThe the end of it is here.\n")
        .edit("index.md", "# Index\n\n```{include} part.md\n```\n");
    let said = site.run(&["check"]).exits(0).stdout;
    assert_eq!(said.matches("`the` is repeated").count(), 1, "{said}");
    assert!(said.contains("--> part.md:3:1"), "{said}");
}

#[test]
fn translations_that_are_not_read_are_named_once() {
    let page = |title: &str| format!("# {title}\n\nText.\n");
    let po = "msgid \"\"\nmsgstr \"\"\n";
    let book = SiteTest::rootless()
        .edit("book.toml", "[book]\ntitle = 'A'\n")
        .edit("src/SUMMARY.md", "# Summary\n\n- [A](a.md)\n")
        .edit("src/a.md", page("A"))
        .edit("po/da.po", po)
        .edit("po/messages.pot", po);
    let sphinx = SiteTest::rootless()
        .edit("docs/conf.py", "extensions = ['myst_parser']\nlocale_dirs = ['../locale']\n")
        .edit("docs/index.md", page("A"))
        .edit("locale/fr/LC_MESSAGES/index.po", po)
        .edit("locale/de/LC_MESSAGES/index.po", po);
    let jekyll = SiteTest::rootless()
        .edit("_config.yml", "title: A\nlanguages: [en, fr]\ndefault_lang: en\nplugins: [jekyll-polyglot]\n")
        .edit("index.md", "---\ntitle: A\n---\n\nText.\n")
        .edit("fr/a.md", "---\ntitle: B\nlang: fr\n---\n\nTexte.\n");
    let mut many = SiteTest::rootless()
        .edit("web/book.toml", "[book]\ntitle = 'A'\n")
        .edit("web/src/SUMMARY.md", "# Summary\n\n- [A](a.md)\n")
        .edit("web/src/a.md", page("A"));
    for language in ["ar", "bn", "da", "de", "el", "es", "fa", "fr", "id", "it", "ja", "ko", "pl", "tr"] {
        many = many.edit(&format!("web/po/{language}.po"), po);
    }
    for (site, line) in [
        (book, "; the translations in `po/` (da) aren't read\n"),
        (sphinx, "; the translations in `locale/` (de, fr) aren't read\n"),
        (jekyll, "; pages in the languages of `_config.yml` (en, fr) are read as ordinary pages\n"),
        (
            many,
            "; the translations in `web/po/` (ar, bn, da, de, el, es, fa, fr, id, it, ja, ko, and 2 more) aren't read\n",
        ),
    ] {
        let said = site.run(&["check"]).exits(0).stderr;
        assert_eq!(said.matches(line).count(), 1, "{said}");
    }
}

#[test]
fn the_configuration_of_stepkin_has_precedence() {
    let site = SiteTest::rootless()
        .edit(
            "hugo.toml",
            "baseURL = 'https://hugo.example/'\ntitle = 'Hugo'\ndefaultContentLanguage = 'fr'\n",
        )
        .edit("content/a.md", "---\ntitle: A\n---\n\nA.\n")
        .edit("stepkin.toml", "language = 'de'\ntitle = 'Own'\nbase_url = 'https://own.example'\n")
        .build();
    site.page("/a/").shows("lang=\"de\"").shows("Own").shows("https://own.example/a/").lacks("Hugo");
}
