//! Reading small repositories of all kinds without a Stepkin configuration, with one test case for each rule.

use std::fmt::Write as _;

use crate::support::SiteTest;

/// A repository with some files. Each case contains the first line of `check`, and pages with links that must
/// resolve.
fn repository(files: &[(&str, &str)]) -> SiteTest {
    files.iter().fold(SiteTest::rootless(), |site, (path, text)| site.edit(path, text))
}

/// Adds five MDX pages whose extensions and texts don't matter for the rules.
fn pages(folder: &str) -> Vec<(String, String)> {
    (1..=5)
        .map(|number| (format!("{folder}page-{number}.mdx"), format!("---\ntitle: Page {number}\n---\n")))
        .collect()
}

/// Checks that a repository is described as `said`, has `count` pages, and that none of its links is an error.
#[track_caller]
fn check(folder: &str, files: &[(&str, &str)], said: &str, count: usize) {
    let pages = pages(folder);
    let more: Vec<(&str, &str)> = pages.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let run = repository(&[files, &more].concat()).run(&["check"]);
    assert!(run.stderr.starts_with(&format!("read as {said}\n")), "{}", run.stderr);
    assert!(run.stderr.contains(&format!("\n{count} pages, ")), "{}", run.stderr);
    assert_eq!(run.status, Some(0), "{}", run.stdout);
}

#[test]
fn pages_of_mdx_are_read_wherever_a_site_has_them() {
    const LINK: &str = "---\ntitle: A\n---\n\n[x](/page-1) ![x](/x.svg)\n";
    const SVG: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>";
    let next = ("next.config.mjs", "export default {}");
    check(
        "src/pages/",
        &[next, ("src/pages/a.mdx", LINK), ("public/x.svg", SVG), ("README.md", "# R\n")],
        "a site of MDX pages: src/pages/",
        6,
    );
    check(
        "app/(docs)/",
        &[
            next,
            ("app/a/page.mdx", "---\ntitle: A\n---\n\n[x](/a) [y](/page-2) [z](/shop/1)\n"),
            ("app/shop/[id]/page.tsx", ""),
        ],
        "a site of MDX pages: app/",
        6,
    );
    check(
        "src/pages/",
        &[
            ("gatsby-config.js", "module.exports = { pathPrefix: '/d' }"),
            ("src/pages/a.mdx", LINK),
            ("static/x.svg", SVG),
        ],
        "a site of MDX pages: src/pages/, base path /d/",
        6,
    );
    check(
        "guides/",
        &[
            ("docs.json", "{\"navigation\": {\"pages\": [\"guides/page-1\"]}}"),
            ("a.mdx", "---\ntitle: A\n---\n\n[x](/guides/page-1)\n"),
        ],
        "a site of MDX pages: this folder",
        6,
    );
    check(
        "content/docs/",
        &[
            ("source.config.ts", "export const docs = defineDocs({})"),
            ("lib/source.ts", "export const source = loader({ baseUrl: '/help' })"),
            ("content/docs/a.mdx", "---\ntitle: A\n---\n\n[x](/help/page-1)\n"),
        ],
        "a site of MDX pages: content/docs/",
        6,
    );
    check(
        "docs/",
        &[
            ("docs/a.mdx", "---\ntitle: A\n---\n\n[x](/docs/page-1) ![x](/docs/x.svg)\n"),
            ("public/x.svg", SVG),
        ],
        "a site of MDX pages: docs/, base path /docs/",
        6,
    );
    check(
        "docs/build/",
        &[("docs/a.mdx", "---\ntitle: A\n---\n\n[x](/docs/build/page-1)\n")],
        "a site of MDX pages: docs/, base path /docs/",
        6,
    );
}

#[test]
fn every_doc_set_of_a_configuration_is_read() {
    let config = "const sets = [{ id: 'web', path: 'docs/web', routeBasePath: '/web' }, \
                  { id: 'ios', path: 'docs/ios', routeBasePath: 'apple' }];
                  module.exports = { baseUrl: '/', plugins: [...sets.map((set) => ['@docusaurus/plugin-content-docs', set]), \
                  ['@docusaurus/plugin-content-blog', { path: 'news', routeBasePath: 'news' }]] };";
    check(
        "docs/web/",
        &[
            ("docusaurus.config.js", config),
            ("docs/ios/a.md", "---\ntitle: A\n---\n\n[x](/web/page-1) [y](../web/page-2.mdx)\n"),
            ("docs/web/b.md", "---\ntitle: B\n---\n\n[x](/apple/a)\n"),
            ("docs/none/c.md", "[no page](/nowhere/)\n"),
            ("news/d.md", "[no page](/nowhere/)\n"),
        ],
        "a Docusaurus site: docs/web/, docs/ios/",
        7,
    );
}

#[test]
fn a_site_below_the_root_is_found() {
    let vuepress = (".vuepress/config.js", "module.exports = { base: '/d/' }");
    check(
        "website/docs/",
        &[
            ("website/docusaurus.config.js", "module.exports = { baseUrl: '/' }"),
            ("website/docs/a.mdx", "---\ntitle: A\n---\n\n[x](/docs/page-1)\n"),
            ("examples/other/docusaurus.config.js", "module.exports = { baseUrl: '/' }"),
            ("examples/other/docs/a.md", "---\ntitle: A\n---\n"),
            ("README.md", "# R\n"),
        ],
        "a Docusaurus site: website/docs/",
        6,
    );
    let site = repository(&[
        (&format!("docs/{}", vuepress.0), vuepress.1),
        ("docs/README.md", "---\ntitle: Home\n---\n\n[x](/a/b.html) ![x](/x.svg)\n"),
        ("docs/a/b.md", "---\ntitle: B\n---\n\n[x](../README.md)\n"),
        ("docs/.vuepress/public/x.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"),
    ]);
    let run = site.run(&["check"]).exits(0);
    assert!(
        run.stderr.starts_with("read as a VuePress site: docs/, base path /d/\n2 pages"),
        "{}",
        run.stderr
    );
    let book = |name: &str| {
        [(format!("{name}/book.toml"), String::new()), (format!("{name}/src/a.md"), "# A\n".into())]
    };
    let books: Vec<(String, String)> = ["one", "two"].iter().flat_map(|name| book(name)).collect();
    let books: Vec<(&str, &str)> = books.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    repository(&books).run(&["check"]).exits(2).says("`one` (an mdBook), `two` (an mdBook)").says("-C one");
    repository(&books).run(&["check", "--root", "one"]).exits(0);
}

/// Checks the first lines about a repository: its site, and the number of its pages.
#[track_caller]
fn check_site(files: &[(String, &str)], said: &str) {
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let run = repository(&files).run(&["check"]);
    assert!(run.stderr.starts_with(&format!("read as {said} pages, ")), "{}", run.stderr);
}

#[test]
fn a_site_below_the_root_is_the_repositorys_if_most_pages_are_in_its_folder() {
    let numbered = |path: &str, count: usize| -> Vec<(String, &str)> {
        (1..=count).map(|number| (path.replace('*', &number.to_string()), "# A\n")).collect()
    };
    let docusaurus = ("web/docusaurus.config.js".to_string(), "module.exports = { baseUrl: '/' }");
    let versions = ("web/versions.json".to_string(), "[\"1.0\"]");
    let old = numbered("web/versioned_docs/version-1.0/a*.md", 12);
    let site = [vec![docusaurus, versions], numbered("web/docs/a*.md", 3), old].concat();
    check_site(&site, "a Docusaurus site: web/docs/\n3");
    let posts = [site.clone(), numbered("web/blog/a*.mdx", 2)].concat();
    check_site(
        &posts,
        "a Docusaurus site: web/docs/; it has 2 posts in `web/blog/`, which Stepkin doesn't read\n3",
    );
    let quarto = ("great-docs.yml".to_string(), "");
    let quarto = [vec![quarto], numbered("docs/a*.md", 2)].concat();
    check_site(
        &quarto,
        "folders of Markdown files: docs/; Stepkin doesn't know the rules of Quarto (`great-docs.yml`)\n2",
    );
    let others = numbered("notes/a*.md", 40);
    check_site(&[site, others].concat(), "folders of Markdown files: this folder\n55");
    let jekyll = ("web/_config.yml".to_string(), "collections:\n  docs:\n    output: true\n");
    let site = [vec![jekyll], numbered("web/_docs/a*.markdown", 6), numbered("a*/README.md", 9)].concat();
    check_site(&site, "a Jekyll site: web/\n6");
    let sphinx = ("docs/gen/source/conf.py".to_string(), "extensions = ['myst_parser']\n");
    let notebook = ("docs/gen/source/n.ipynb".to_string(), "{}");
    check_site(
        &[vec![sphinx, notebook], numbered("docs/gen/source/a*.md", 2), numbered("docs/a*.md", 3)].concat(),
        "a Sphinx site: docs/gen/source/; it has 1 notebook, which Stepkin doesn't read\n2",
    );
}

#[test]
fn nothing_read_is_a_failure() {
    let site = repository(&[
        ("docusaurus.config.js", "module.exports = { baseUrl: '/' }"),
        (".gitmodules", "[submodule \"docs\"]\n\tpath = docs\n\turl = https://example.com/d.git\n"),
    ]);
    std::fs::create_dir(site.root().join("docs")).expect("a new folder");
    site.run(&["check"]).exits(2).says("`docs` is a missing submodule; run `git submodule update --init`");
}

#[test]
fn a_long_report_begins_with_an_example_of_each_rule() {
    let mut text = "---\ntitle: A\n---\n\nThe the end.\n".to_string();
    (0..40).for_each(|number| _ = writeln!(text, "\n[x](/gone-{number}/)"));
    let site = SiteTest::empty().edit("content/a.md", &text);
    let run = site.run(&["check"]).exits(1);
    let shown = |code: &str| run.stdout.matches(&format!("[{code}]:")).count();
    assert_eq!((shown("missing-page"), shown("doubled-word")), (9, 1), "{}", run.stdout);
    assert!(run.stdout.starts_with("error[missing-page]"), "{}", run.stdout);
    run.reports("31 more of `missing-page` in 1 file").reports("showing 10 examples of 41 findings");
    let all = site.run(&["check", "--all"]).exits(1);
    assert_eq!(all.stdout.matches("[missing-page]:").count(), 40);
}

/// Jekyll doesn't change root-relative links, so authors write the base path. Docusaurus adds it.
#[test]
fn a_link_to_the_own_host_is_left_alone_and_its_fix_has_the_base_path_that_authors_write() {
    let page = ("docs/b.md", "# B\n\nRead [this](https://x.example/docs/a/).\n");
    let jekyll =
        ("_config.yml", "url: https://x.example\nbaseurl: /docs\ncollections:\n  docs:\n    output: true\n");
    let docusaurus = (
        "docusaurus.config.js",
        "module.exports = { url: 'https://x.example', baseUrl: '/docs/', presets: [['classic', { docs: { routeBasePath: '/' } }]] };",
    );
    for (files, fix) in [
        ([jekyll, ("a.md", "# A\n"), ("b.md", page.1)], "`/docs/a/`"),
        ([docusaurus, ("docs/a.md", "# A\n"), page], "`/a/`"),
    ] {
        let site = repository(&files);
        let run = site.run(&["check", "--format", "human", "--select", "absolute-internal-link"]);
        assert!(run.stdout.contains(&format!("use {fix}, which works")), "{}{}", run.stdout, run.stderr);
        let fixed = site.run(&["fix", "--dry-run"]);
        assert!(!fixed.stdout.contains("x.example"), "{}", fixed.stdout);
    }
}

/// A page that links to two URLs, which redirect to its pages because of files that hosts or generators read.
#[track_caller]
fn check_redirects(files: &[(&str, &str)], said: &str) {
    const PAGE: &str = "---\ntitle: A\n---\n\n[x](/old/) [y](/was/page-2)\n";
    check("src/pages/", &[files, &[("src/pages/a.mdx", PAGE)]].concat(), said, 6);
}

#[test]
fn redirects_of_hosts_and_generators_are_addresses() {
    let said = "a site of MDX pages: src/pages/";
    let next = ("next.config.mjs", "export default {}");
    check_redirects(&[next, ("public/_redirects", "/old/ /page-1 301\n/was/* /:splat\n")], said);
    let netlify =
        "[[redirects]]\nfrom = '/old/'\nto = '/page-1'\n[[redirects]]\nfrom = '/was/*'\nto = '/:splat'\n";
    check_redirects(&[next, ("netlify.toml", netlify)], said);
    let vercel = r#"{"redirects": [{"source": "/old", "destination": "/page-1"}, {"source": "/was/:page", "destination": "/:page"}]}"#;
    check_redirects(&[next, ("vercel.json", vercel)], said);
    let program = "export default { async redirects() { return [{ source: '/old', destination: '/page-1' }, \
                   { source: '/was/:path*', destination: '/:path*' }] } }";
    check_redirects(&[("next.config.mjs", program)], said);
}

#[test]
fn a_redirect_to_nothing_is_found_where_it_is_written() {
    let lines = "# moved\n/old/ /page-1\n/older /pgae-1 301\n/gone /old\n/no /nothing 404\n/* /page-9 200\n";
    let pages = pages("src/pages/");
    let pages = pages.iter().map(|(path, text)| (path.as_str(), text.as_str()));
    let files = [("next.config.mjs", "export default {}"), ("public/_redirects", lines)];
    let files: Vec<_> = pages.chain(files).collect();
    let run = repository(&files).run(&["check", "--format", "json"]);
    let errors: Vec<&str> =
        run.stdout.lines().filter(|line| line.contains("\"severity\":\"error\"")).collect();
    assert_eq!(errors.len(), 1, "{}", run.stdout);
    let finding = errors[0];
    assert!(
        finding.contains("the redirect from `/older` points to `/pgae-1`, which doesn't exist"),
        "{finding}"
    );
    assert!(finding.contains("did you mean `/page-1/`?") && finding.contains("\"line\":3"), "{finding}");
}

/// Checks the findings about links of a page next to those of [`pages`]: the messages of all errors and open regions,
/// in order.
#[track_caller]
fn check_targets(folder: &str, files: &[(&str, &str)], links: &str, expected: &[&str]) {
    let pages = pages(folder);
    let more: Vec<(&str, &str)> = pages.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let (path, text) = (format!("{folder}a.mdx"), format!("---\ntitle: A\n---\n\n{links}\n"));
    let site = repository(&[files, &more, &[(path.as_str(), text.as_str())]].concat());
    let run = site.run(&["check", "--format", "json"]);
    let findings = run.stdout.lines().map(|line| serde_json::from_str(line).expect("each line is JSON"));
    let is_meant = |it: &serde_json::Value| it["severity"] == "error" || it["code"] == "open-region";
    let findings: Vec<serde_json::Value> = findings.filter(is_meant).collect();
    let messages: Vec<&str> = findings.iter().filter_map(|it| it["message"].as_str()).collect();
    assert_eq!(messages, expected, "{}", run.stdout);
}

const STARLIGHT: (&str, &str) =
    ("astro.config.mjs", "export default { integrations: [starlight({})], base: '/docs' }");
const STARLIGHT_PAGES: &str = "src/content/docs/";

#[test]
fn files_that_git_ignores_may_exist() {
    let ignored = (".gitignore", "# made\n/src/content/docs/api/\n*.gen.png\n");
    check_targets(
        STARLIGHT_PAGES,
        &[STARLIGHT, ignored, ("src/content/docs/cli/.gitignore", "*.mdx\n")],
        "[x](/docs/api/color/) [x](/docs/api/) [x](./cli/run.mdx) [x](/docs/apj/) ![x](/docs/a.gen.png) ![x](/docs/a.png)",
        &[
            "2 links point to 2 files in `src/content/docs/api/` that Git ignores",
            "1 link points to 1 file in `src/content/docs/cli/` that Git ignores",
            "page `/docs/apj/` doesn't exist",
            "1 link points to 1 file in `public/` that Git ignores",
            "image `/docs/a.png` doesn't exist",
        ],
    );
}

#[test]
fn other_parts_of_a_host_are_not_judged() {
    check_targets(
        STARLIGHT_PAGES,
        &[STARLIGHT],
        "[x](/pricing) [x](/blog/a/) [x](/blog/b/) [x](/dosc/page-1/) [x](/docs/nothing/)",
        &[
            "1 link points to 1 address in `/pricing/`, where this repository publishes nothing",
            "2 links point to 2 addresses in `/blog/`, where this repository publishes nothing",
            "page `/dosc/page-1/` doesn't exist",
            "page `/docs/nothing/` doesn't exist",
        ],
    );
    // Docusaurus publishes the complete site.
    check_targets(
        "docs/",
        &[("docusaurus.config.js", "export default { url: 'https://a.example', baseUrl: '/' }")],
        "[x](/pricing)",
        &["page `/pricing` doesn't exist"],
    );
}

#[test]
fn folders_that_pages_are_also_published_in_are_variants() {
    check_targets(
        STARLIGHT_PAGES,
        &[STARLIGHT],
        "[x](/docs/react/page-1/) [x](/docs/react/page-2/) [x](/docs/once/page-1/)",
        &[
            "2 links point to 2 addresses in `/react/`, where this repository publishes nothing",
            "page `/docs/once/page-1/` doesn't exist",
        ],
    );
}

#[test]
fn a_page_that_a_language_lacks_is_shown_in_the_original() {
    check_targets(
        STARLIGHT_PAGES,
        &[STARLIGHT, ("src/content/docs/pt-br/index.mdx", "---\ntitle: Um\n---\n")],
        "[x](/docs/pt-br/) [x](/docs/pt-br/page-2/) [x](/docs/pt-br/page-9/) [x](/docs/portugal/page-2/)",
        &["page `/docs/pt-br/page-9/` doesn't exist", "page `/docs/portugal/page-2/` doesn't exist"],
    );
}

#[test]
fn the_suggestion_of_an_open_region_settles_it() {
    let pages = pages(STARLIGHT_PAGES);
    let pages: Vec<(&str, &str)> = pages.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let page = ("src/content/docs/a.mdx", "---\ntitle: A\n---\n\n[x](/pricing) [x](/blog/a/)\n");
    let site = repository(&[&[STARLIGHT, page], &pages[..]].concat());
    let run = site.run(&["check"]);
    let proposed: Vec<&str> =
        run.stdout.split('`').filter(|it| it.starts_with('/') && it.ends_with('*')).collect();
    assert_eq!(proposed, ["/pricing/*", "/blog/*"], "{}", run.stdout);
    let site =
        site.edit("routes.txt", proposed.join("\n")).edit("stepkin.toml", "[check]\nroutes = 'routes.txt'\n");
    let run = site.run(&["check"]);
    assert!(!run.stdout.contains("open-region"), "{}", run.stdout);
}

/// A repository whose page `page` contains links into a region that is open for a reason.
struct Cause {
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
    page: &'static str,
    links: &'static str,
    /// The messages of all errors and open regions.
    expected: &'static [&'static str],
}

const TEXT: &str = "---\ntitle: A\n---\n\n## Part\n";
const IMAGE: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>";

const CAUSES: &[Cause] = &[
    Cause {
        name: "files of the repository, of folders that are not here, above the root, and of a program",
        files: &[
            ("README.md", TEXT),
            ("src/main.rs", "fn main() {}\n"),
            (".gitignore", "/made/*\n"),
            ("made/.keep", ""),
            ("docs/b.md", TEXT),
        ],
        page: "docs/guide/a.md",
        links: "[x](../../README.md) [x](../../src/main.rs) [x](../../examples/x.rs) [x](../../../issues.md) [x](../../made/api.md) \
            [x](../../issues) [x](../../src/lib.rs) [x](../../gone.md) [x](../../b.md)",
        expected: &[
            "1 link points to 1 file in `made/` that Git ignores",
            "file `../../src/lib.rs` doesn't exist",
            "page `../../gone.md` doesn't exist",
            "1 link points to 1 file above the root",
        ],
    },
    Cause {
        name: "versions, with names of their own and the next one",
        files: &[
            (
                "docusaurus.config.js",
                "module.exports = { url: 'https://a.example', baseUrl: '/', presets: [['classic', { docs: { sidebarPath: 's.js', \
                 versions: { '1.0': { path: 'v1' } } } }]] };",
            ),
            ("versions.json", "[\"2.0\", \"1.0\"]"),
            ("versioned_docs/version-2.0/only.md", TEXT),
            ("docs/b.md", TEXT),
        ],
        page: "docs/a.md",
        links: "[x](/docs/1.0/b) [x](/docs/v1/b) [x](/docs/next/b) [x](/docs/only) [x](/docs/none) [x](/docs/tags/x)",
        expected: &[
            "1 link points to 1 address in `/docs/1.0/`, where another version is published, which isn't read",
            "1 link points to 1 address in `/docs/next/`, where another version is published, which isn't read",
            "1 link points to 1 address in `/docs/v1/`, where another version is published, which isn't read",
            "1 link points to 1 address in `/docs/tags/`, where the generator publishes its own pages",
            "1 link points to 1 file in `/docs/`, which this repository contains but doesn't publish",
            "page `/docs/none` doesn't exist",
        ],
    },
    Cause {
        name: "a version without a path of its own, and files of no version",
        files: &[
            (
                "docusaurus.config.js",
                "module.exports = { url: 'https://a.example', baseUrl: '/', presets: [['classic', { docs: { routeBasePath: '/', \
                 lastVersion: 'current', versions: { current: { path: '' }, '1.0': { path: 'v1' } } } }]] };",
            ),
            ("versions.json", "[\"1.0\"]"),
            ("versioned_docs/version-1.0/b.md", TEXT),
        ],
        page: "docs/a.md",
        links: "[x](/none) [x](./none.md) [x](./v1/none.md) [x](/v1/b) ![x](./v1/none.png)",
        expected: &[
            "1 link points to 1 address in `/v1/`, where another version is published, which isn't read",
            "page `/none` doesn't exist",
            "page `./none.md` doesn't exist",
            "page `./v1/none.md` doesn't exist",
            "image `./v1/none.png` doesn't exist",
        ],
    },
    Cause {
        name: "documents and labels that a program may define are no errors",
        files: &[
            (
                "docs/conf.py",
                "extensions = ['myst_parser', 'sphinx.ext.intersphinx']\nopen('docs/made.md', 'w').write('# Made')\n",
            ),
            (".gitignore", "docs/api/\n"),
            ("docs/install.md", "(first-part)=\n# Install\n"),
        ],
        page: "docs/a.md",
        links: "{doc}`made` {doc}`api/x` {doc}`instal` {doc}`py:library/os` {doc}`_build/x` {ref}`other` {ref}`frist-part` {ref}`py:x` {ref}`Title`",
        expected: &["1 link points to 1 file in `docs/api/` that Git ignores"],
    },
    Cause {
        name: "a program next to the configuration writes documents",
        files: &[
            ("docs/conf.py", "extensions = ['myst_parser']\n"),
            ("docs/reference.py", "path.write_text(text)\n"),
            ("docs/install.md", "# Install\n"),
        ],
        page: "docs/a.md",
        links: "```{toctree}\nmade/index\ninstal\n```",
        expected: &["document `instal` doesn't exist"],
    },
    Cause {
        name: "languages that have no fallback",
        files: &[
            ("hugo.toml", "baseURL = 'https://a.example/'\ndefaultContentLanguage = 'en'\n"),
            (
                "config/_default/languages.toml",
                "[en]\ncontentDir = 'content/english'\n[fr]\ncontentDir = 'content/french'\n",
            ),
            ("content/english/b.md", TEXT),
            ("content/french/b.md", TEXT),
        ],
        page: "content/english/a.md",
        links: "[x](/b/) [x](/fr/b/) [x](/fr/c/) [x](/de/b/)",
        expected: &["page `/de/b/` doesn't exist", "page `/fr/c/` doesn't exist"],
    },
    Cause {
        name: "a language that falls back",
        files: &[
            (
                "astro.config.mjs",
                "export default { integrations: [starlight({ locales: { root: {}, fr: {} } })] }",
            ),
            ("src/content/docs/b.md", TEXT),
            ("src/content/docs/fr/c.md", TEXT),
        ],
        page: "src/content/docs/a.md",
        links: "[x](/fr/b/) [x](/fr/c/) [x](/fr/d/)",
        expected: &["page `/fr/d/` doesn't exist"],
    },
    Cause {
        name: "mounts: what is here is read, what isn't is open",
        files: &[
            (
                "hugo.yaml",
                "baseURL: https://a.example/\nmodule:\n  mounts:\n    - {source: content, target: content}\n    - {source: spec, target: content/specs}\n    \
                 - {source: tmp/made, target: content/made}\n    - {source: art, target: static/pics}\n",
            ),
            ("spec/one.md", TEXT),
            ("art/a.svg", IMAGE),
        ],
        page: "content/a.md",
        links: "[x](/specs/one/#part) [x](/specs/two/) [x](/made/x/) ![x](/pics/a.svg) ![x](/pics/b.svg)",
        expected: &[
            "1 link points to 1 address in `/made/`, where a missing folder is mounted",
            "page `/specs/two/` doesn't exist",
            "image `/pics/b.svg` doesn't exist",
        ],
    },
    Cause {
        name: "a submodule that is not there",
        files: &[
            ("mkdocs.yml", "site_name: A\nsite_url: https://a.example/\n"),
            (".gitmodules", "[submodule \"s\"]\n\tpath = docs/sub\n\turl = https://example.com/s.git\n"),
        ],
        page: "docs/a.md",
        links: "[x](sub/one.md) [x](/sub/two/) [x](sup.md)",
        expected: &[
            "2 links point to 2 addresses in `/sub/`, a missing submodule",
            "page `sup.md` doesn't exist",
        ],
    },
    Cause {
        name: "above the root",
        files: &[("book.toml", "[book]\ntitle = 'A'\n"), ("src/SUMMARY.md", "# S\n\n- [A](a.md)\n")],
        page: "src/a.md",
        links: "[x](../api/index.html) [x](b.html) [x](print.html)",
        expected: &[
            "1 link points to 1 address above the folder of this site, in `/api/`",
            "page `b.html` doesn't exist",
        ],
    },
    Cause {
        name: "one cause, wherever links lead above the root",
        files: &[("book.toml", "[book]\ntitle = 'A'\n"), ("src/SUMMARY.md", "# S\n\n- [A](a.md)\n")],
        page: "src/a.md",
        links: "[x](../api/a.html) [x](../api/b/c.html) [x](../dev/d.html)",
        expected: &["3 links point to 3 addresses above the folder of this site, in `/api/` and `/dev/`"],
    },
    Cause {
        name: "static files that another repository has",
        files: &[("hugo.toml", "baseURL = 'https://a.example/'\n")],
        page: "content/a.md",
        links: "![x](/css/a.css) [x](/css/b.css) [x](/nothing/)",
        expected: &[
            "2 links point to 2 files in `/css/`, and no folder of static files is here",
            "page `/nothing/` doesn't exist",
        ],
    },
    Cause {
        name: "static files that are here",
        files: &[("hugo.toml", "baseURL = 'https://a.example/'\n"), ("static/a.svg", IMAGE)],
        page: "content/a.md",
        links: "![x](/css/a.css)",
        expected: &["image `/css/a.css` doesn't exist"],
    },
    Cause {
        name: "redirects from a file that isn't here make nothing certain",
        files: &[(
            "docusaurus.config.js",
            "import redirects from './src/redirects.js';\nexport default { url: 'https://a.example', baseUrl: '/d/', plugins: [['@docusaurus/plugin-client-redirects', redirects]] }",
        )],
        page: "docs/a.md",
        links: "[x](https://a.example/d/old) [x](/docs/old)",
        expected: &[],
    },
    Cause {
        name: "redirects from a file that is here",
        files: &[
            (
                "docusaurus.config.js",
                "import redirects from './src/redirects';\nexport default { url: 'https://a.example', baseUrl: '/d/', plugins: [['@docusaurus/plugin-client-redirects', redirects]] }",
            ),
            ("src/redirects.js", "export default { redirects: [{ from: '/old', to: '/docs/b' }] };\n"),
            ("docs/b.md", TEXT),
        ],
        page: "docs/a.md",
        links: "[x](https://a.example/d/old) [x](/none)",
        expected: &["page `/none` doesn't exist"],
    },
    Cause {
        name: "a redirect of all addresses serves none",
        files: &[
            ("docusaurus.config.js", "export default { url: 'https://a.example', baseUrl: '/d/' }"),
            ("vercel.json", "{\"redirects\": [{\"source\": \"/d/:match*\", \"destination\": \"/:match*\"}]}"),
        ],
        page: "docs/a.md",
        links: "[x](/docs/none)",
        expected: &["page `/docs/none` doesn't exist"],
    },
    Cause {
        name: "a card without a target is no link",
        files: &[("docusaurus.config.js", "export default { url: 'https://a.example', baseUrl: '/' }")],
        page: "docs/a.md",
        links: "<DocCard title=\"Soon\" href=\"\" />\n\n<Card title=\"Soon\" href=\"\">later</Card>\n\n[x]()",
        expected: &["the link has no target"],
    },
    Cause {
        name: "nothing is above the root of a host",
        files: &[("hugo.toml", "baseURL = 'https://a.example/'\n")],
        page: "content/a.md",
        links: "[x](../../../api/)",
        expected: &["page `../../../api/` doesn't exist"],
    },
    Cause {
        name: "a file that is in the repository is never missing",
        files: &[
            ("docs/conf.py", "extensions = ['myst_parser']\n"),
            ("docs/b.rst", "B\n=\n"),
            ("docs/_static/a.svg", IMAGE),
            ("docs/x.py", ""),
        ],
        page: "docs/a.md",
        links: "[x](b.rst) ![x](_static/a.svg) [x](x.py) [x](genindex.html) [x](c.rst)",
        expected: &[
            "1 link points to `/b.rst`, which this repository contains but doesn't publish",
            "1 link points to `/x.py`, which this repository contains but doesn't publish",
            "1 link points to 1 file in `/_static/`, which this repository contains but doesn't publish",
            "file `c.rst` doesn't exist",
        ],
    },
    Cause {
        name: "names that a program's configuration gives to folders",
        files: &[("docs/.vuepress/config.js", "module.exports = {}"), ("docs/README.md", TEXT)],
        page: "docs/a.md",
        links: "![x](~@pics/a.svg) ![x](/a.svg)",
        expected: &[
            "1 link points to 1 file in `~@pics`, which is not a known path alias",
            "image `/a.svg` doesn't exist",
        ],
    },
    Cause {
        name: "posts, and pages by a pattern",
        files: &[
            (
                "_config.yml",
                "title: A\ncollections:\n  guides:\n    output: true\n    permalink: /help/:path/\n",
            ),
            ("_guides/b.md", TEXT),
            ("_posts/2024-01-02-news.md", TEXT),
            ("about.html", "---\n---\n"),
            ("pages/show.html", "---\npermalink: /showcase/\nredirect_from:\n  - /sites/\n---\n"),
        ],
        page: "a.md",
        links: "[x](/help/b/) [x](/2024/01/02/news/) [x](/blog/news.html) [x](/about/) [x](/feed.xml) [x](/showcase/) [x](/sites/) [x](/abuot/)",
        expected: &[
            "1 link points to 1 address in `/help/`, where the generator publishes its own pages",
            "page `/abuot/` doesn't exist",
        ],
    },
    Cause {
        name: "plugins that publish pages",
        files: &[
            (
                "mkdocs.yml",
                "site_name: A\nsite_url: https://a.example/\nplugins:\n  - blog\n  - redirects:\n      redirect_maps:\n        old.md: b.md\n",
            ),
            ("docs/b.md", TEXT),
        ],
        page: "docs/a.md",
        links: "[x](old.md) [x](blog/2024/01/02/news/) [x](older.md)",
        expected: &[
            "1 link points to 1 address in `/blog/`, where the generator publishes its own pages",
            "page `older.md` doesn't exist",
        ],
    },
    Cause {
        name: "rewritten folders and pages that are made for many values",
        files: &[
            (".vitepress/config.mts", "export default { rewrites: { 'en/:rest*': ':rest*' } }"),
            ("en/b.md", TEXT),
            ("pkg/[name].md", TEXT),
        ],
        page: "a.md",
        links: "[x](/b#part) [x](/pkg/x) [x](#/router)",
        expected: &[],
    },
    Cause {
        name: "a redirect is found by either meaning of a path",
        files: &[
            (
                "next.config.mjs",
                "export default { async redirects() { return [{ source: '/guide/old', destination: '/guide/b' }] } }",
            ),
            ("pages/guide/b.mdx", TEXT),
        ],
        page: "pages/guide/a.mdx",
        links: "[x](./old) [x](./older)",
        expected: &["page `./older` doesn't exist"],
    },
    Cause {
        name: "other generators have a folder `content`, too",
        files: &[
            ("config.toml", "base_url = 'https://a.example'\n"),
            ("content/b.md", "+++\ntitle = 'B'\n+++\n\n## Part\n"),
        ],
        page: "content/a.md",
        links: "[x](@/b.md#part) [x](@/c.md)",
        expected: &["page `@/c.md` doesn't exist"],
    },
    Cause {
        name: "a configuration of MkDocs with another name, and documentation that a program reads from code",
        files: &[
            ("properdocs.yml", "site_name: A\nnav:\n  - a.md\n"),
            ("docs/api.md", "# API\n\n::: tool.api\n    options:\n      members: true\n"),
            ("docs/_internal/b.md", TEXT),
        ],
        page: "docs/a.md",
        links: "[x](api.md#tool.api.run) [x](_internal/b.md) [x](c.md)",
        expected: &["page `c.md` doesn't exist"],
    },
    Cause {
        name: "a path of a file that leaves the folder of pages",
        files: &[("mkdocs.yml", "site_name: A\nsite_url: https://a.example/\n"), ("docs/b.md", TEXT)],
        page: "docs/guide/a.md",
        links: "[x](../b.md) [x](../../b.md)",
        expected: &["`../../b.md` has one `../` too many"],
    },
    Cause {
        name: "cells that contain code with a pipe",
        files: &[("mkdocs.yml", "site_name: A\n")],
        page: "docs/a.md",
        links: "| A | B |\n| --- | --- |\n| `int | None` | c |\n| `a` | b | c |\n",
        expected: &["the row has 1 cell more than its table has columns, so the page omits them"],
    },
    Cause {
        name: "the configuration of a former generator",
        files: &[
            ("mkdocs.yml", "site_name: A\n"),
            ("docs/mint.json", "{\"navigation\": [{\"group\": \"G\", \"pages\": [\"install\"]}]}"),
            ("docs/install.mdx", TEXT),
        ],
        page: "docs/a.mdx",
        links: "[x](/install#part) [x](/instal)",
        expected: &["page `/instal` doesn't exist"],
    },
    Cause {
        name: "a site of versions alone",
        files: &[
            ("docusaurus.config.js", "module.exports = { url: 'https://a.example', baseUrl: '/' }"),
            ("versions.json", "[\"2.0\", \"1.0\"]"),
            ("versioned_docs/version-2.0/b.md", TEXT),
            ("versioned_docs/version-1.0/c.md", TEXT),
        ],
        page: "versioned_docs/version-2.0/a.md",
        links: "[x](/docs/b#part) [x](./b.md) [x](./c.md)",
        expected: &["page `./c.md` doesn't exist"],
    },
    Cause {
        name: "a page and a folder's page are two files",
        files: &[(".vitepress/config.ts", "export default {}"), ("b.md", TEXT), ("b/index.md", "# B\n")],
        page: "a.md",
        links: "[x](/b#part) [x](/b/#none) [x](/c)",
        expected: &["page `/c` doesn't exist"],
    },
    Cause {
        name: "a page and a folder's page are one page",
        files: &[("mkdocs.yml", "site_name: A\n"), ("docs/b.md", TEXT), ("docs/b/index.md", "# B\n")],
        page: "docs/a.md",
        links: "[x](b.md#none)",
        expected: &["`/b/` is already published from `docs/b.md`"],
    },
    Cause {
        name: "files next to pages that nothing publishes",
        files: &[
            ("docs/conf.py", "extensions = ['myst_parser']\nhtml_extra_path = ['extra']\n"),
            ("docs/api.svg", IMAGE),
            ("docs/extra/api.svg", IMAGE),
        ],
        page: "docs/a.md",
        links: "![x](api.svg) ![x](apy.svg)",
        expected: &["image `apy.svg` doesn't exist"],
    },
    Cause {
        name: "languages next to the pages of the original",
        files: &[
            (
                "mkdocs.yml",
                "site_name: A\nplugins:\n  - i18n:\n      docs_structure: folder\n      languages:\n        - locale: en\n          \
                 default: true\n        - locale: fr\n",
            ),
            ("docs/b.md", TEXT),
            ("docs/fr/a.md", "# A\n\n[x](b.md)\n"),
        ],
        page: "docs/a.md",
        links: "[x](b.md#part) [x](/fr/a/)",
        expected: &[],
    },
    Cause {
        name: "Hugo's resources, render hook, and pages by name",
        files: &[
            ("hugo.toml", "baseURL = 'https://a.example/'\n"),
            ("assets/pics/a.svg", IMAGE),
            ("layouts/_default/_markup/render-link.html", "{{ $page := .Page.GetPage .Destination }}"),
            ("content/guide/ByType.md", TEXT),
        ],
        page: "content/a.md",
        links: "[x](/guide/ByType/) [x]({{< ref \"ByType\" >}}) {{< img src=\"pics/a.svg\" >}} [x](/guide/none/)",
        expected: &[
            "1 link points to 1 file in `/pics/`, which this repository contains but doesn't publish",
            "page `/guide/none/` doesn't exist",
        ],
    },
    Cause {
        name: "an unknown generator may publish a page by its ID, and may not be asked for what only we define",
        files: &[
            ("docs/Configuration.md", "---\nid: configuration\norder: a, b\n---\n\n## Part\n"),
            ("docs/b.md", TEXT),
            ("docs/b/README.md", TEXT),
            ("docs/filled.md", "---\ntitle: F\nsource: b\n---\n\n{/* generated */}\n"),
        ],
        page: "docs/a.md",
        links: "[x](configuration#part) [x](Configuration.md#part) [x](filled.md#any) [x](configuratoin.md)\n\n```js file=\"/app/x.js\"\nx\n```\n",
        expected: &["page `configuratoin.md` doesn't exist"],
    },
    Cause {
        name: "numbers that links show to be removed",
        files: &[
            ("docs/01-guide/01-install.mdx", TEXT),
            ("docs/01-guide/02-connect.mdx", TEXT),
            ("docs/01-guide/03-publish.mdx", TEXT),
            ("docs/01-guide/04-upgrade.mdx", TEXT),
            ("docs/01-guide/05-configure.mdx", TEXT),
        ],
        page: "docs/01-guide/06-all.mdx",
        links: "[x](/docs/guide/install) [x](/docs/guide/connect) [x](/docs/guide/publish) [x](/docs/guide/upgrade) \
                [x](/docs/guide/configure) [x](/docs/guide/install#part) [x](/docs/guide/connect#part) \
                [x](/docs/guide/publish#part) [x](/docs/guide/upgrade#part) [x](/docs/guide/configure#part) \
                [x](./install) [x](/docs/guide/instal)",
        expected: &["page `/docs/guide/instal` doesn't exist"],
    },
    Cause {
        name: "many names that begin alike",
        files: &[("docs/conf.py", "extensions = ['myst_parser']\n"), ("docs/tool_alias.md", TEXT)],
        page: "docs/guide/a.md",
        links: "[x](tool_a.md) [x](tool_b.md) [x](tool_c.md) [x](tool_d.md) [x](tool_e.md) [x](tool_f.md) [x](tool_g.md) \
                [x](tool_h.md) [x](tool_i.md) [x](tool_j.md) [x](other_a.md)",
        expected: &[
            "10 links point to 10 addresses whose names begin with `tool_`, which this repository doesn't publish",
            "page `other_a.md` doesn't exist",
        ],
    },
    Cause {
        name: "a folder of which only its own page is here",
        files: &[
            ("hugo.toml", "baseURL = 'https://a.example/'\n"),
            ("content/tools/_index.md", TEXT),
            ("content/guide/b.md", TEXT),
        ],
        page: "content/a.md",
        links: "[x](/tools/) [x](/tools/one/) [x](/tools/two/) [x](/tools/three/) [x](/tools/four/) [x](/guide/c/)",
        expected: &[
            "4 links point to 4 addresses in `/tools/`, where this repository publishes nothing",
            "page `/guide/c/` doesn't exist",
        ],
    },
    Cause {
        name: "terms that a book defines",
        files: &[("book.toml", "[book]\ntitle = 'A'\n"), ("src/SUMMARY.md", "# S\n\n- [A](a.md)\n")],
        page: "src/a.md",
        links: "smart pointer\n  : It owns what it points to.\n\n[x](#smart-pointer) [x](#other)",
        expected: &["this page has no anchor `other`"],
    },
    Cause {
        name: "a link to an anchor of no element defines one, and a list of chapters has drafts",
        files: &[("mkdocs.yml", "site_name: A\n")],
        page: "docs/a.md",
        links: "[](){#mark}\n\n### Next\n\n[x](#mark) [x](#none) [y]()",
        expected: &["the link has no target", "this page has no anchor `none`"],
    },
    Cause {
        name: "chapters that aren't written, and IDs of older versions",
        files: &[
            ("src/SUMMARY.md", "# S\n\n- [A](a.md)\n- [Later]()\n"),
            ("book.toml", "[book]\ntitle = 'A'\n"),
        ],
        page: "src/a.md",
        links: "## 1. First\n\n[x](#a1-first) [x](#a2-first)",
        expected: &["this page has no anchor `a2-first`"],
    },
    Cause {
        name: "lists of chapters without a configuration have drafts, too",
        files: &[("docs/SUMMARY.md", "# S\n\n- [A](a.md)\n- [Later]()\n")],
        page: "docs/a.md",
        links: "[x]()",
        expected: &["the link has no target"],
    },
    Cause {
        name: "labels are found on any page of a Sphinx site, and in files that aren't read",
        files: &[
            ("docs/conf.py", "extensions = ['myst_parser']\n"),
            ("docs/b.md", "(the-label)=\n# B\n\n```{figure} x.svg\n:name: the-figure\n```\n"),
            ("docs/x.svg", IMAGE),
            ("docs/c.rst", ".. _other-label:\n\nC\n=\n"),
        ],
        page: "docs/a.md",
        links: "[x](#part) [x](#the-label) [x](#the-figure) [x](#other-label) [x](#the-lable)",
        expected: &["no page has the label or heading `the-lable`"],
    },
    Cause {
        name: "extensions of Sphinx define labels",
        files: &[
            ("docs/conf.py", "extensions = ['myst_parser', 'sphinx.ext.intersphinx']\n"),
            ("docs/b.md", "(the-label)=\n# B\n"),
        ],
        page: "docs/a.md",
        links: "[x](#numpy.array) [x](#installing) [x](#the-lable)",
        expected: &[],
    },
    Cause {
        name: "indented code in the tabs of a Sphinx site",
        files: &[("docs/conf.py", "extensions = ['myst_parser']\n")],
        page: "docs/a.md",
        links: "````{tabs}\n\n```{tab} one\n\n    activate <env-name>\n```\n````\n\n<my-element>\n",
        expected: &["`<my-element>` is not closed in its block"],
    },
    Cause {
        name: "the repository isn't a folder of static files",
        files: &[
            ("README.md", "# R\n"),
            ("documentation/examples/one.yml", "a: 1\n"),
            ("documentation/examples/two.yml", "a: 1\n"),
            ("documentation/examples/three.yml", "a: 1\n"),
            ("documentation/examples/four.yml", "a: 1\n"),
        ],
        page: "docs/a.md",
        links: "[x](/documentation/examples/one.yml) [x](/documentation/examples/two.yml) [x](/documentation/examples/three.yml) \
                [x](/documentation/examples/four.yml) [x](/documentation/examples/one.yml) [x](none.md)",
        expected: &[
            "5 links point to 4 files in `/documentation/examples/`, which this repository contains but doesn't publish",
            "page `none.md` doesn't exist",
        ],
    },
    Cause {
        name: "in Jekyll, a page and a folder's page are two files, and one may lead to the other",
        files: &[
            ("_config.yml", "title: A\n"),
            ("guide/b.md", "---\nredirect_to: b/\n---\n"),
            ("guide/b/index.md", TEXT),
            ("made.html", "---\nlayout: reference\n---\n"),
        ],
        page: "guide/a.md",
        links: "[x](b/) [x](/guide/b/) [x](c/) [x](/made.html#any)",
        expected: &["page `c/` doesn't exist"],
    },
    Cause {
        name: "blank lines end no element in kramdown",
        files: &[("_config.yml", "title: A\n")],
        page: "a.md",
        links: "<div id='map'></div>\n<script>\n\nlet a = 1;\n\n</script>\n\n<section>\n\ntext\n",
        expected: &["`<section>` is not closed in its block"],
    },
    Cause {
        name: "a `|` in code, which ends no cell in VuePress 1, and base paths of parts",
        files: &[
            (
                "docs/.vuepress/config.js",
                "module.exports = { base, plugins: [['redirect', { redirectors: [{ base: '/samples' }] }]] }",
            ),
            ("docs/b.md", TEXT),
        ],
        page: "docs/a.md",
        links: "[x](/b.md) [x](/c.md) [x](../b.html)\n\n| A | B |\n| --- | --- |\n| `int | None` | c |\n| `a` | b | c |\n",
        expected: &[
            "page `/c.md` doesn't exist",
            "`../b.html` has one `../` too many",
            "the row has 1 cell more than its table has columns, so the page omits them",
        ],
    },
    Cause {
        name: "a page of many sections that a program writes",
        files: &[("docs/b.md", TEXT)],
        page: "docs/a.md",
        links: "[x](formats#a) [x](formats#b) [x](formats#c) [x](formats#d) [x](formats#e) [x](formats#f) [x](formats#g) \
                [x](formats#h) [x](formats#i) [x](formats#j) [x](other#a) [x](other#b)",
        expected: &[
            "10 links point to 1 address in `/a/formats/`, where this repository publishes nothing",
            "page `other#a` doesn't exist",
            "page `other#b` doesn't exist",
        ],
    },
    Cause {
        name: "the page of a program, next to those of its commands",
        files: &[("docs/conf.py", "extensions = ['myst_parser']\n"), ("docs/b.md", TEXT)],
        page: "docs/guide/a.md",
        links: "[x](tool.md) [x](tool_b.md) [x](tool_c.md) [x](tool_d.md) [x](tool_e.md) [x](tool_f.md) [x](tool_g.md) \
                [x](tool_h.md) [x](tool_i.md) [x](tool_j.md) [x](tools.md)",
        expected: &[
            "10 links point to 10 addresses whose names begin with `tool_`, which this repository doesn't publish",
            "page `tools.md` doesn't exist",
        ],
    },
    Cause {
        name: "blocks in code that look like a conflict",
        files: &[("docs/b.md", TEXT)],
        page: "docs/a.md",
        links: "```python\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```\n\n```python\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main\n```\n",
        expected: &["unresolved merge conflict of `HEAD`"],
    },
    Cause {
        name: "front matter of Docusaurus 1 isn't YAML",
        files: &[
            ("website/siteConfig.js", "module.exports = {}"),
            ("docs/b.md", "---\nid: b\ntitle: Part 1: Begin\n---\n\n## Part\n"),
        ],
        page: "docs/a.md",
        links: "[x](b.md#part) [x](c.md)",
        expected: &["page `c.md` doesn't exist"],
    },
    Cause {
        name: "a path that leaves the folder of pages, without an ending",
        files: &[(".vitepress/config.ts", "export default {}"), ("b.md", TEXT)],
        page: "guide/a.md",
        links: "[x](../b) [x](../../b) [x](../../b.md)",
        expected: &["`../../b` has one `../` too many", "`../../b.md` has one `../` too many"],
    },
    Cause {
        name: "generated pages next to files that are published as files, and a generated page with many sections",
        files: &[
            ("_config.yml", "title: A\n"),
            (
                "docs/b.md",
                "---\ntitle: B\n---\n\n[x](lib/c.html) [x](lib/d.html) [x](flag.html) [x](c.md#1)\n",
            ),
        ],
        page: "docs/a.md",
        links: "[x](lib/a.html) [x](lib/b.html) [x](flags.html#1) [x](flags.html#2) [x](flags.html#3) [x](flags.html#4) \
            [x](flags.html#5) [x](flags.html#6) [x](flags.html#7) [x](flags.html#8) [x](flags.html#9) [x](flags.html#10) [x](c.md#2) \
            [x](c.md#3) [x](c.md#4) [x](c.md#5) [x](c.md#6) [x](c.md#7) [x](c.md#8) [x](c.md#9) [x](c.md#10)",
        expected: &[
            "10 links point to `/docs/flags.html`, which this repository doesn't publish",
            "4 links point to 4 addresses in `/docs/lib/`, where this repository publishes nothing",
            "page `c.md#1` doesn't exist",
            "page `c.md#10` doesn't exist",
            "page `c.md#2` doesn't exist",
            "page `c.md#3` doesn't exist",
            "page `c.md#4` doesn't exist",
            "page `c.md#5` doesn't exist",
            "page `c.md#6` doesn't exist",
            "page `c.md#7` doesn't exist",
            "page `c.md#8` doesn't exist",
            "page `c.md#9` doesn't exist",
            "page `flag.html` doesn't exist",
        ],
    },
    Cause {
        name: "headings in HTML have IDs on GitHub, and a table by all-contributors has links to nowhere",
        files: &[("docs/b.md", TEXT)],
        page: "docs/a.md",
        links: "[x](#install-it) [x](#none) [x](#infra-a)\n\n<h2 align=\"center\">Install <b>it</b></h2>\n\n\
            <!-- ALL-CONTRIBUTORS-LIST:START -->\n<a href=\"#infra-a\" title=\"Infrastructure\">x</a>\n<!-- ALL-CONTRIBUTORS-LIST:END -->",
        expected: &["this page has no anchor `none`"],
    },
    Cause {
        name: "texts about a repository that isn't a site",
        files: &[("CONTRIBUTING.md", TEXT), ("b.md", TEXT)],
        page: "README.md",
        links: "[x](CONTRIBUTING.md) [x](SECURITY.md)",
        expected: &[
            "1 link points to `/CONTRIBUTING`, which this repository contains but doesn't publish",
            "page `SECURITY.md` doesn't exist",
        ],
    },
    Cause {
        name: "a copy of a repository lacks complete folders",
        files: &[("b.md", TEXT), ("images/x.svg", IMAGE)],
        page: "README.md",
        links: "![x](docs/x.png) ![x](image/x.svg) ![x](images/y.svg) [x](docs/guide.md)",
        expected: &["image `image/x.svg` doesn't exist", "image `images/y.svg` doesn't exist"],
    },
    Cause {
        name: "in Jekyll, texts about the repository are pages if they have front matter",
        files: &[("_config.yml", "title: A\n"), ("CONTRIBUTING.md", TEXT), ("CHANGELOG.md", "# Changes\n")],
        page: "a.md",
        links: "[x](/CONTRIBUTING) [x](CONTRIBUTING.md#none) [x](CHANGELOG.md) [x](SECURITY.md)",
        expected: &[
            "1 link points to `/CHANGELOG`, which this repository contains but doesn't publish",
            "`/CONTRIBUTING/` has no anchor `none`",
            "page `SECURITY.md` doesn't exist",
        ],
    },
    Cause {
        name: "Hugo's rule for IDs that Blackfriday had, and its oldest configuration file",
        files: &[(
            "config.json",
            r#"{"baseURL": "https://a.example/", "markup": {"goldmark": {"parser": {"autoHeadingIDType": "blackfriday"}}}}"#,
        )],
        page: "content/a.md",
        links: "[x](#fast-list) [x](#--fast-list)\n\n### --fast-list ###\n",
        expected: &["this page has no anchor `--fast-list`"],
    },
    Cause {
        name: "front matter that ends like a YAML document, and tabs in quotes",
        files: &[
            ("_config.yml", "title: A\n"),
            ("b.md", "---\ntitle: B\n...\n\n## Part\n"),
            ("c.md", "---\ntitle: C\ndescription: \"one's\n\ttwo\"\n---\n"),
            ("d.md", "---\ntitle: D\nlist:\n\t- a\n---\n"),
        ],
        page: "a.md",
        links: "[x](b.md#part) [x](b.md#none)",
        expected: &[
            "`/b/` has no anchor `none`",
            "the line is indented with a tab, which YAML doesn't allow",
        ],
    },
    Cause {
        name: "an indented end of code in a list doesn't end the directive around it",
        files: &[("docs/conf.py", "extensions = ['myst_parser']\n"), ("docs/b.md", TEXT)],
        page: "docs/a.md",
        links: "````{list-table}\n* - ````md\n    a\n    ````\n  - ```rst\n    b\n    ```\n````\n\n[x](gone.md)",
        expected: &["page `gone.md` doesn't exist"],
    },
    Cause {
        name: "an unknown generator may publish a page at the address of its folder",
        files: &[
            ("docs/b/b.mdx", TEXT),
            ("docs/c/c.mdx", TEXT),
            ("docs/d/d.mdx", TEXT),
            ("docs/e.mdx", TEXT),
            ("docs/f.mdx", TEXT),
        ],
        page: "docs/a/a.mdx",
        links: "[x](../b) [x](../b/#part) [x](../b#none) [x](../c/d.mdx)",
        expected: &["`/b/b/` has no anchor `none`", "page `../c/d.mdx` doesn't exist"],
    },
    Cause {
        name: "an unknown generator may resolve a path from the root of the repository",
        files: &[("docs/b.md", TEXT), ("docs/images/x.svg", IMAGE)],
        page: "docs/a.md",
        links: "![x](docs/images/x.svg) ![x](docs/images/y.svg)",
        expected: &["image `docs/images/y.svg` doesn't exist"],
    },
    Cause {
        name: "an element that a script fills in",
        files: &[("docs/b.md", TEXT)],
        page: "docs/a.md",
        links: "<a id=\"download\" href=\"\">Download</a>\n\n<a href=\"\">Download</a>\n",
        expected: &["the link has no target"],
    },
    Cause {
        name: "a page about conflicts",
        files: &[("docs/b.md", TEXT)],
        page: "docs/a.md",
        links: "Resolve the conflict:\n\n```js\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main\n```\n",
        expected: &[],
    },
    Cause {
        name: "redirects of VuePress plugins",
        files: &[
            (
                "docs/.vuepress/config.js",
                "export default { plugins: [redirectPlugin({ config: { '/old.html': '/b.html' } })] }",
            ),
            ("docs/.vuepress/redirects", "/older.html /b.html\n"),
            ("docs/b.md", "---\ntitle: B\nredirectFrom: /oldest.html\n---\n"),
        ],
        page: "docs/a.md",
        links: "[x](/old.html) [x](/older.html) [x](/oldest.html) [x](/new.html)",
        expected: &["page `/new.html` doesn't exist"],
    },
    Cause {
        name: "labels of a Sphinx site without a sign",
        files: &[
            ("docs/conf.py", "extensions = ['myst_parser']\n"),
            (
                "docs/more/b.md",
                "---\ntitle: B\n---\n\n(labels/The-end)=\n\n## Part\n\n(start)=\n\n## Other\n",
            ),
        ],
        page: "docs/a.md",
        links: "[x](labels/the-end) [x](start) [x](more/b) [x](labels/none) [x](nowhere)",
        expected: &["no page has the label or heading `nowhere`", "page `labels/none` doesn't exist"],
    },
    Cause {
        name: "a program of the repository adds chapters and IDs to an mdBook",
        files: &[
            ("book.toml", "[preprocessor.anchors]\ncommand = 'python3 ids.py'\n"),
            ("src/SUMMARY.md", "# S\n\n- [A](a.md)\n- [B](b.md)\n"),
            ("src/b.md", "---\ntitle: B\n---\n\n[term]{#b-term .x} and { #other }\n"),
        ],
        page: "src/a.md",
        links: "[x](generated.md) [x](b.md#b-term) [x](b.md#other) [x](b.md#none)",
        expected: &["`/b/` has no anchor `none`"],
    },
    Cause {
        name: "a published preprocessor adds nothing to an mdBook",
        files: &[
            ("book.toml", "[preprocessor.toc]\ncommand = 'mdbook-toc'\n"),
            ("src/SUMMARY.md", "# S\n\n- [A](a.md)\n"),
        ],
        page: "src/a.md",
        links: "[x](generated.md) [term]{#term} [x](#term)",
        expected: &["page `generated.md` doesn't exist", "this page has no anchor `term`"],
    },
    Cause {
        name: "a program writes the list of chapters of an mdBook",
        files: &[("book.toml", ""), ("src/SUMMARY.md.in", "- [A](a.md)\n- [B](generated.md)\n")],
        page: "src/a.md",
        links: "[x](generated.md)",
        expected: &[],
    },
    Cause {
        name: "MkDocs: emoji in headings, an index next to a README, files with an underscore, cells with code, a URL from the \
               environment",
        files: &[
            ("mkdocs.yml", "site_name: A\nsite_url: !ENV SITE_URL\nmarkdown_extensions: [pymdownx.emoji]\n"),
            ("docs/README.md", TEXT),
            ("docs/index.md", TEXT),
            ("docs/c.md", "# C\n\n## :warning: Limits :x:\n"),
            ("docs/_more/_b.md", "# B\n\n[x](none.md)\n"),
        ],
        page: "docs/a.md",
        links: "[x](index.md) [x](c.md#limits) [x](c.md#none) [x](_more/_b.md) [x](/SITE_URL/a/)\n\na | b\n--|--\n1 | `2|3`\n\n\
                | a | b |\n|---|---|\n| 1 | 2 | |\n| 1 | 2 | 3 | |\n",
        expected: &[
            "`/c/` has no anchor `none`",
            "page `/SITE_URL/a/` doesn't exist",
            "page `none.md` doesn't exist",
            "the row has 2 cells more than its table has columns, so the page omits them",
        ],
    },
    Cause {
        name: "IDs of a heading with a template's output, and of a file's page on GitHub",
        files: &[("docs/b.md", "# B\n\n## Logs of the agent{{% since \"1.2\" %}}\n\n`+P`{: #%2BP }\n")],
        page: "docs/a.md",
        links: "[x](b.md#logs-of-the-agent) [x](b.md#logs-of-none) [x](b.md#readme) [x](b.md#%2BP)",
        expected: &["`/b/` has no anchor `logs-of-none`"],
    },
    Cause {
        name: "elements that end in a later paragraph, and in no paragraph; cells that are lost, and empty ones",
        files: &[("docs/b.md", TEXT)],
        page: "docs/a.md",
        links: "<span>\n\nSome text\n</span>\n\nAnd <em>more\n\n<a id=\"x\">Text\n\n<a href=\"b.md\">Link\n\n| a | b |\n|---|---|\n| 1 | 2 | |\n| `1|2` | 3 | |\n\n```\nThe end",
        expected: &[
            "`<a>` is not closed in its block",
            "`<em>` is not closed in its block",
            "the row has 2 cells more than its table has columns, so the page omits them",
        ],
    },
    Cause {
        name: "indented code in a container of VitePress",
        files: &[(".vitepress/config.js", "export default {}"), ("b.md", TEXT)],
        page: "a.md",
        links: "::: tip\n    [-c <code>] Read\n:::\n\n::: tip\n\n    [-c <code>] Read\n:::\n\n::: tip\nA <code> b\n:::\n",
        expected: &["`<code>` is not closed in its block"],
    },
    Cause {
        name: "pages of the site that Git ignores, in links with its host and in the navigation",
        files: &[
            (
                "mkdocs.yml",
                "site_name: A\nsite_url: https://a.example/\nnav:\n  - a.md\n  - b.md\n  - made/api.md\n",
            ),
            (".gitignore", "docs/made/*.md\n"),
            ("docs/b.md", TEXT),
            ("docs/made/index.html", "<p>"),
        ],
        page: "docs/a.md",
        links: "[x](https://a.example/made/x/) [x](https://a.example/b/none/)",
        expected: &[
            "2 links point to 2 files in `docs/made/` that Git ignores",
            "page `https://a.example/b/none/` doesn't exist",
        ],
    },
    Cause {
        name: "a navigation with pages of a program",
        files: &[
            (
                "mkdocs.yml",
                "site_name: A\nplugins: [gen-files]\nnav:\n  - a.md\n  - b.md\n  - c.md\n  - made.md\n",
            ),
            ("docs/b.md", TEXT),
            ("docs/c.md", TEXT),
        ],
        page: "docs/a.md",
        links: "[x](b.md)",
        expected: &[],
    },
    Cause {
        name: "targets that a program of the site replaces",
        files: &[
            (
                "astro.config.mjs",
                "import starlight from '@astrojs/starlight';\nexport default { integrations: [starlight({})] }",
            ),
            ("src/content/docs/b.md", TEXT),
        ],
        page: "src/content/docs/a.md",
        links: "[x]([[config:a]]) [x]([[config:b]]) [x]([[docs:/b]]) [x]([[docs:/c]]) [x](none.md)",
        expected: &[
            "4 links have targets that begin with `[`, unlike any URL",
            "page `none.md` doesn't exist",
        ],
    },
    Cause {
        name: "extensions of Sphinx in a module",
        files: &[
            (
                "docs/conf.py",
                "from custom_conf import *\nextensions = ['myst_parser']\nextensions.extend(custom_extensions)\n",
            ),
            ("docs/custom_conf.py", "custom_extensions = [\n    'sphinx_design',\n    'exhale',\n]\n"),
            ("docs/b.md", TEXT),
        ],
        page: "docs/a.md",
        links: "[x](b.md) [x](/api/library_root)",
        expected: &[],
    },
    Cause {
        name: "mdBook: chapters by a reference link, and the first page of a folder by its file",
        files: &[
            ("book.toml", ""),
            ("src/SUMMARY.md", "# S\n\n- [R](README.md)\n- [A](a.md)\n- [The *B*][b]\n\n[b]: ./b.md\n"),
            ("src/README.md", TEXT),
            ("src/b.md", "---\ntitle: B\n---\n"),
        ],
        page: "src/a.md",
        links: "## Own\n\n[x](b.md) [x](index.html#part) [x](index.html#own)",
        expected: &["`/` has no anchor `own`"],
    },
    Cause {
        name: "a site whose URL is that of its repository",
        files: &[("mkdocs.yml", "site_name: A\nsite_url: https://github.com/a/b\n"), ("docs/b.md", TEXT)],
        page: "docs/a.md",
        links: "[x](https://github.com/a/b/issues) [x](b.md)",
        expected: &[],
    },
    Cause {
        name: "the input of tests",
        files: &[("b.md", TEXT), ("src/testdata/bad.md", "# A\n\n[x](none.md)\n")],
        page: "a.md",
        links: "[x](b.md)",
        expected: &[],
    },
    Cause {
        name: "an unknown program publishes folders of Markdown files",
        files: &[
            ("guide/b.md", "---\ntitle: B\n---\n\n{%\n  include-markdown \"../list.txt\"\n%}\n"),
            ("guide/c.md", TEXT),
        ],
        page: "guide/a.md",
        links: "[x](./intro/index.html) [x](b.md#none) [x](c.md#none) [x](none.md) [x](other/part/none.md) [x](../guidee/c.md)",
        expected: &[
            "`/guide/c/` has no anchor `none`",
            "page `../guidee/c.md` doesn't exist",
            "page `none.md` doesn't exist",
        ],
    },
    Cause {
        name: "an anchor without text and target is no empty link",
        files: &[],
        page: "docs/a.md",
        links: "[](){: #one }\n\n[]() {#two .x}\n\n[](){.x} [x](){#y}",
        expected: &["the link has no target", "the link has no target"],
    },
    Cause {
        name: "a plugin looks up the files of links by their names",
        files: &[
            ("mkdocs.yml", "plugins: [autolinks]\n"),
            ("docs/more/lamp.md", TEXT),
            ("docs/more/part/bulb.md", TEXT),
            ("docs/images/x.svg", IMAGE),
        ],
        page: "docs/guide/a.md",
        links: "[x](lamp.md) [x](part/bulb.md) [x](bulb.md#none) [x](other/lamp.md) [x](gone.md) ![x](x.svg)",
        expected: &[
            "`/more/part/bulb/` has no anchor `none`",
            "page `gone.md` doesn't exist",
            "page `other/lamp.md` doesn't exist",
        ],
    },
    Cause {
        name: "ExDoc publishes all pages in one folder, and links to code",
        files: &[
            ("mix.exs", "defp deps, do: [{:ex_doc, \"~> 0.30\"}]\n"),
            ("docs/references/lamp.md", TEXT),
            ("docs/more/lamp.md", "# Lamp\n\n[](){: #lit } Text.\n"),
            ("docs/assets/x.svg", IMAGE),
        ],
        page: "docs/more/a.md",
        links: "[x](../guides/lamp.md#lit) [x](lamp.html) [x](lamp.md#none) [x](gone.md) ![x](assets/x.svg) [c](`\\c:c/1`)",
        expected: &["`/more/lamp/` has no anchor `none`", "page `gone.md` doesn't exist"],
    },
    Cause {
        name: "versions of a site are published in folders",
        files: &[
            ("mkdocs.yml", "site_url: https://a.example/\nextra:\n  version:\n    provider: mike\n"),
            ("docs/b.md", TEXT),
        ],
        page: "docs/a.md",
        links: "[x](https://a.example/latest/b/) [x](https://a.example/1.2/b/) [x](https://a.example/gone/b/)",
        expected: &[
            "1 link points to 1 address in `/1.2/`, where another version is published, which isn't read",
            "1 link points to 1 address in `/latest/`, where another version is published, which isn't read",
            "1 link points to 1 address in `/gone/`, where this repository publishes nothing",
        ],
    },
    Cause {
        name: "a list of pages contains those that a program writes",
        files: &[
            (
                "mkdocs.yml",
                "nav: [b.md, p/a1.md, p/a2.md, p/a3.md, p/a4.md, p/a5.md, p/a6.md, p/a7.md, p/a8.md, p/a9.md, p/b1.md]\n",
            ),
            ("docs/b.md", TEXT),
            ("docs/p/lamp.md", TEXT),
        ],
        page: "docs/a.md",
        links: "[x](p/a1.md) [x](/p/zebra/) [x](p/lmp.md) [x](gone.md)",
        expected: &[
            "2 links point to 2 addresses in `/p/`, where most pages in the site's list aren't in this repository",
            "page `gone.md` doesn't exist",
            "page `p/lmp.md` doesn't exist",
        ],
    },
    Cause {
        name: "anchors that a program makes of parts of headings",
        files: &[
            (
                "docs/b.md",
                "# Lamp\n\n## method: Lamp.a1\n\n## method: Lamp.a2\n\n## method: Lamp.a3\n\n## method: Lamp.a4\n\n## method: Lamp.a5\n\n## method: Lamp.a6\n\n",
            ),
            ("docs/c.md", "# C\n\n## Part\n"),
        ],
        page: "docs/a.md",
        links: "[x](c.md#none) [x](b.md#lamp-a1) [x](b.md#lamp-a2) [x](b.md#lamp-a3) [x](b.md#lamp-a4) [x](b.md#lamp-a5) [x](b.md#lamp-a6) \
                [x](b.md#lamp-b1) [x](b.md#lamp-b2) [x](b.md#lamp-b3) [x](b.md#lamp-b4) [x](c.md#part)",
        expected: &[
            "10 links point to 10 anchors in `/b/`, where nearly none of the linked anchors exists",
            "`/c/` has no anchor `none`",
        ],
    },
    Cause {
        name: "the anchors of a page that was written again are missing",
        files: &[("docs/b.md", "# Lamp\n\n## Overview\n")],
        page: "docs/a.md",
        links: "[x](b.md#a1) [x](b.md#a2) [x](b.md#a3) [x](b.md#a4) [x](b.md#a5) [x](b.md#a6) [x](b.md#a7) [x](b.md#a8) \
                [x](b.md#a9) [x](b.md#b1)",
        expected: &[
            "`/b/` has no anchor `a1`",
            "`/b/` has no anchor `a2`",
            "`/b/` has no anchor `a3`",
            "`/b/` has no anchor `a4`",
            "`/b/` has no anchor `a5`",
            "`/b/` has no anchor `a6`",
            "`/b/` has no anchor `a7`",
            "`/b/` has no anchor `a8`",
            "`/b/` has no anchor `a9`",
            "`/b/` has no anchor `b1`",
        ],
    },
    Cause {
        name: "fragments that are routes",
        files: &[("docs/b.md", TEXT)],
        page: "docs/a.md",
        links: "[x](#core/lamp) [x](#core/bulb) [x](#core/shade) [x](#more/lamp.part) [x](#none)",
        expected: &[
            "4 links have fragments that contain a path, as a route of an app does",
            "this page has no anchor `none`",
        ],
    },
    Cause {
        name: "a program includes a file that isn't here",
        files: &[("docs/b.md", "# B\n\n[include \"parts/gone.md\"]\n"), ("docs/c.md", TEXT)],
        page: "docs/a.md",
        links: "[x](b.md#part) [x](c.md#none)",
        expected: &["`/c/` has no anchor `none`"],
    },
    Cause {
        name: "a file at the address of a relative link that Git ignores",
        files: &[
            ("_config.yml", "title: A\n"),
            (".gitignore", "/examples/\n"),
            ("docs/more/b.md", "---\ntitle: B\npermalink: /guide/b.html\n---\n\n[x](../examples/x.html)\n"),
        ],
        page: "docs/more/a.md",
        links: "[x](../examples/x.html)",
        expected: &[
            "1 link points to 1 file in `examples/` that Git ignores",
            "page `../examples/x.html` doesn't exist",
        ],
    },
    Cause {
        name: "rustdoc's names of items",
        files: &[("docs/b.md", TEXT)],
        page: "docs/a.md",
        links: "[`bits!`]\n\n[`bits!`]: macro@crate::bits\n\n[x](mod@alloc::vec) [x](fn@run()) [x](user@gone) [x](mod@a/b)",
        expected: &["page `mod@a/b` doesn't exist", "page `user@gone` doesn't exist"],
    },
    Cause {
        name: "content for a Docusaurus site in another repository",
        files: &[
            ("docs/01-b.mdx", "---\ntitle: A\n---\n\nimport Tabs from '@theme/Tabs';\n\n## Part\n"),
            ("docs/more/02-c.mdx", TEXT),
        ],
        page: "docs/03-a.mdx",
        links: "[x](./b) [x](./01-b.mdx) [x](more/c#part) [x](more/c#none) [x](./gone)",
        expected: &["`/more/c/` has no anchor `none`", "page `./gone` doesn't exist"],
    },
    Cause {
        name: "numbers are a part of names elsewhere",
        files: &[("docs/01-b.mdx", TEXT), ("docs/more/02-c.mdx", TEXT)],
        page: "docs/03-a.mdx",
        links: "[x](./01-b) [x](./b)",
        expected: &["page `./b` doesn't exist"],
    },
    Cause {
        name: "the page of docsify is in another folder",
        files: &[("web/index.html", "<script>window.$docsify = {}</script>"), ("docs/b.md", TEXT)],
        page: "docs/more/a.md",
        links: "[x](b.md) [x](b.md#none) [x](gone.md)",
        expected: &["`/b/` has no anchor `none`", "page `gone.md` doesn't exist"],
    },
    Cause {
        name: "IDs of an unknown generator contain words for signs",
        files: &[("docs/b.md", "# B\n\n## `<name>.config`\n\n## <file>.in\n\n## A | B & C\n")],
        page: "docs/a.md",
        links: "[x](b.md#lt-name-gt-config) [x](b.md#less-than-name-greater-than-config) [x](b.md#a-or-b-and-c) [x](b.md#lt-file-gt-in) [x](b.md#lt-other-gt)",
        expected: &["`/b/` has no anchor `lt-other-gt`"],
    },
];

#[test]
fn each_cause_opens_its_region_and_no_other() {
    let mut wrong = Vec::new();
    for cause in CAUSES {
        let text = format!("{TEXT}\n{}\n", cause.links);
        let site = repository(&[cause.files, &[(cause.page, &text)]].concat());
        let run = site.run(&["check", "--format", "json"]);
        let findings = run.stdout.lines().map(|line| serde_json::from_str(line).expect("each line is JSON"));
        let is_meant = |it: &serde_json::Value| it["severity"] == "error" || it["code"] == "open-region";
        let findings: Vec<serde_json::Value> = findings.filter(is_meant).collect();
        let mut messages: Vec<&str> = findings.iter().filter_map(|it| it["message"].as_str()).collect();
        let mut expected = cause.expected.to_vec();
        messages.sort_unstable();
        expected.sort_unstable();
        if messages != expected {
            wrong.push(format!("{}: {messages:#?} and not {expected:#?}", cause.name));
        }
        let lines = |it: &serde_json::Value| -> Vec<String> {
            let help = it["help"].as_str().unwrap_or_default().to_string();
            help.split('`').filter(|it| it.starts_with('/')).map(str::to_string).collect()
        };
        // The suggestion for each region resolves it.
        let routes: Vec<String> =
            findings.iter().filter(|it| it["code"] == "open-region").flat_map(lines).collect();
        let site = site
            .edit("routes.txt", routes.join("\n"))
            .edit("stepkin.toml", "[check]\nroutes = 'routes.txt'\n");
        let again = site.run(&["check", "--format", "json"]).stdout.clone();
        let open: Vec<&str> = again.lines().filter(|it| it.contains("\"open-region\"")).collect();
        let elsewhere = [
            "not a known path alias",
            "that Git ignores",
            "above the root",
            "contain a path",
            "linked anchors",
            "unlike any URL",
        ];
        let is_settled_elsewhere = |it: &&str| elsewhere.iter().any(|cause| it.contains(cause));
        if !open.iter().all(is_settled_elsewhere) {
            wrong.push(format!("{}: not settled by {routes:?}: {open:#?}", cause.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_value_that_differs_by_one_letter_from_the_one_of_other_pages_is_a_slip() {
    let page = |key: &str, value: &str| {
        format!("---\ntitle: A\n{key}: {value}\n---\n\n## Part\n\nA long day ends here.\n")
    };
    let site = (0..5).fold(repository(&[("_config.yml", "title: A\n")]), |site, number| {
        let site = site.edit(&format!("more/p{number}.md"), page("parent", "\"Installation\""));
        site.edit(&format!("more/t{number}.md"), page("version", "Version 12"))
    });
    let site = site
        .edit("slip.md", page("parent", "\"Instalation\""))
        .edit("plural.md", page("parent", "Installations"))
        .edit("capital.md", page("parent", "installation"))
        .edit("other.md", page("category", "Instalation"))
        .edit("digit.md", page("version", "Version 13"));
    let run = site.run(&["check", "--format", "json", "--only", "unusual-value"]);
    let findings: Vec<serde_json::Value> =
        run.stdout.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect();
    let [finding] = findings.as_slice() else { panic!("{findings:#?}") };
    assert_eq!(finding["message"], "only this page has `Instalation`, and 5 pages have `Installation`");
    assert_eq!(
        (&finding["line"], &finding["column"], &finding["end_column"]),
        (&3.into(), &10.into(), &21.into())
    );
    assert_eq!(finding["help"], "did you mean `Installation`?");
}

/// A repository of an unknown generator, whose root follows only from its links: six pages in `at`, and one that
/// links to all of them with the prefix `base`.
fn unknown(at: &str, base: &str) -> SiteTest {
    let links: Vec<String> = (1..=6)
        .map(|number| format!("[x]({base}/guide/p{number}) [x]({base}/guide/p{number}#part)"))
        .collect();
    let links = links.join(
        "
",
    );
    let site = (1..=6).fold(repository(&[("README.md", "# R\n")]), |site, number| {
        site.edit(&format!("{at}/guide/p{number}.md"), TEXT)
    });
    let images: String = ["a", "b", "c", "d"].map(|name| format!("![x]({base}/img/{name}.svg)\n")).concat();
    let site = ["a", "b", "c", "d"]
        .iter()
        .fold(site, |site, name| site.edit(&format!("theme/files/img/{name}.svg"), IMAGE));
    site.edit(
        &format!("{at}/start.md"),
        format!("{TEXT}\n{links}\n{images}[x]({base}/guide/p7) [x]({base}/img/e.svg)\n"),
    )
}

#[test]
fn the_links_of_a_site_show_where_its_root_is() {
    for (at, base, said) in [
        ("website/text", "", "website/text/ (by 12 of 12 links)"),
        ("website/text", "/help", "website/text/, base path /help/ (by 12 of 12 links)"),
        ("docs", "/docs", "docs/, base path /docs/ (by 12 of 12 links)"),
    ] {
        let site = unknown(at, base);
        let run = site.run(&["check", "--format", "human"]);
        assert!(
            run.stderr.starts_with(&format!("read as folders of Markdown files: {said}\n")),
            "{}",
            run.stderr
        );
        let found: Vec<&str> = run
            .stdout
            .lines()
            .filter(|it| it.starts_with("error") || it.starts_with("warning[missing"))
            .collect();
        let wrong = [format!("`{base}/guide/p7` doesn't exist"), format!("`{base}/img/e.svg` doesn't exist")];
        assert!(found.len() == 2 && wrong.iter().all(|it| run.stdout.contains(it)), "{}", run.stdout);
        let verbose = site.run(&["check", "--verbose", "--format", "human"]).stderr.clone();
        assert!(verbose.contains("static files: theme/files/, by 4 of 4 links"), "{verbose}");
        // The same with the cache of the last run, and with the file that `init` writes.
        let again = || {
            let run = site.run(&["check", "--format", "json"]);
            let lines = run.stdout.lines().filter(|it| it.contains("\"error\"") || it.contains("missing-"));
            lines.map(str::to_string).collect::<Vec<_>>()
        };
        let before = again();
        assert_eq!(before, again());
        site.run(&["init"]).exits(0);
        assert_eq!(before, again(), "{}", site.text("stepkin.toml"));
        let run = site.run(&["check", "--format", "human"]);
        let said = format!("read as folders of Markdown files: {said}\n");
        assert!(run.stderr.starts_with(&said), "{}{}", run.stderr, site.text("stepkin.toml"));
        site.run(&["init"]).exits(2).says("it already contains a `stepkin.toml`");
    }
    // Few links prove nothing.
    let site = unknown("website/text", "")
        .edit("website/text/start.md", format!("{TEXT}\n[x](/guide/p1) [x](/guide/p2)\n"));
    assert!(!site.run(&["check"]).stderr.contains("(by "));
}

#[test]
fn a_site_of_a_known_generator_gets_a_configuration_with_its_kind_alone() {
    let site = repository(&[("mkdocs.yml", "site_name: A\n"), ("docs/a.md", TEXT)]);
    site.run(&["init"]).exits(0);
    assert!(
        site.text("stepkin.toml").ends_with("[source]\nkind = \"mkdocs\"\n"),
        "{}",
        site.text("stepkin.toml")
    );
    site.run(&["check"]).exits(0);
    let site = repository(&[("web/mkdocs.yml", "site_name: A\n"), ("web/docs/a.md", TEXT)]);
    site.run(&["init"]).exits(2).says("stepkin init ./web");
}

#[test]
fn files_that_front_matter_lists_are_part_of_a_page() {
    let site = SiteTest::rootless();
    site.write("_config.yml", "title: Lamps\n");
    site.write("ios.md", "---\ntitle: iOS\nsections:\n- \"common/start.md\"\n- ios/pair.md\nnext: [other.md]\n---\n\n[start](#start)\n");
    site.write("other.md", "---\ntitle: Other\n---\n\n[pair](/ios#pair) [none](/ios#none)\n");
    site.write("_includes/common/start.md", "# Start\n\nText.\n");
    site.write("_includes/ios/pair.md", "# Pair\n\n[start](#start) [gone](#gone)\n");
    let run = site.run(&["check", "--format", "json"]);
    let found: Vec<serde_json::Value> =
        run.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let anchors = found.iter().filter(|it| it["code"] == "missing-anchor");
    let anchors: Vec<_> = anchors.map(|it| (&it["file"], &it["line"], &it["target"])).collect();
    assert_eq!(
        format!("{anchors:?}"),
        "[(String(\"_includes/ios/pair.md\"), Number(3), String(\"#gone\")), (String(\"other.md\"), Number(5), String(\"/ios#none\"))]",
        "{found:#?}"
    );
}

#[test]
fn constructs_of_many_pages_belong_to_the_site() {
    let alerts = |count: usize| {
        let page = |number: usize| {
            (format!("docs/p{number}.mdx"), format!("---\ntitle: P{number}\n---\n\n> [!QUIZ]\n> Why?\n"))
        };
        let pages = (0..count)
            .map(page)
            .chain([("next.config.js".into(), "export default {}".into())])
            .chain(pages("docs/more/"));
        let pages: Vec<(String, String)> = pages.collect();
        let files: Vec<(&str, &str)> =
            pages.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let said = repository(&files).run(&["check", "--format", "json"]).stdout.clone();
        let warnings = said.matches(r#""code":"unknown-alert","severity":"warning""#).count();
        (warnings, said.matches(r#""code":"unknown-alert","severity":"info""#).count())
    };
    assert_eq!(alerts(3), (3, 0));
    assert_eq!(alerts(4), (0, 1));
}

#[test]
fn references_to_many_undefined_labels_are_one_finding() {
    let undefined = |name: &str, config: &str, labels: usize| {
        let page = |number: usize| {
            let links: Vec<String> =
                (0..labels).map(|label| format!("See [it][label-{number}-{label}].")).collect();
            let links = links.join(" ");
            (format!("docs/p{number}.md"), format!("---\ntitle: P{number}\n---\n\n{links}\n"))
        };
        let pages: Vec<(String, String)> = (0..4).map(page).collect();
        let files = pages.iter().map(|(path, text)| (path.as_str(), text.as_str())).chain([(name, config)]);
        let said = repository(&files.collect::<Vec<_>>()).run(&["check", "--format", "json"]).stdout.clone();
        said.matches("undefined-reference").count()
    };
    assert_eq!(undefined("a.txt", "", 4), 16);
    assert_eq!(undefined("a.txt", "", 5), 1);
    assert_eq!(undefined("mkdocs.yml", "site_name: A\n", 5), 20);
}

#[test]
fn a_list_with_mostly_missing_pages_is_one_finding() {
    let found = |missing: usize, at: &str| {
        let items: Vec<String> = ["'/'", "'/b'"]
            .into_iter()
            .map(str::to_string)
            .chain((0..missing).map(|it| format!("'{at}none{it}'")))
            .collect();
        let config = format!("module.exports = {{ themeConfig: {{ sidebar: [{}] }} }}", items.join(", "));
        let site = repository(&[
            ("docs/.vuepress/config.js", &config),
            ("docs/README.md", TEXT),
            ("docs/b.md", "---\ntitle: B\n---\n"),
        ]);
        let run = site.run(&["check", "--format", "json"]);
        let all: Vec<serde_json::Value> =
            run.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let named = all.iter().filter(|it| it["file"] == "docs/.vuepress/config.js");
        named.map(|it| format!("{} {}", it["severity"], it["message"]).replace('"', "")).collect::<Vec<_>>()
    };
    assert_eq!(found(1, "/"), ["error page `/none0` doesn't exist"]);
    assert_eq!(found(1, ""), ["error page `/none0` doesn't exist"]);
    assert_eq!(found(2, "/"), ["info 2 of 4 targets in this file don't exist: page `/none0` doesn't exist"]);
}

#[test]
fn a_directive_without_its_end_is_found_before_the_next_one() {
    let text = "---\ntitle: A\n---\n\n```{code-block} sh\na\n\n```{code-block} js\nb\n```\n";
    let site = repository(&[("docs/conf.py", "extensions = ['myst_parser']\n"), ("docs/a.md", text)]);
    let said = site.run(&["check", "--format", "human"]).exits(0).stdout;
    assert!(
        said.contains("the code block contains the line ```{code-block} js, so it may end too late"),
        "{said}"
    );
    assert!(said.contains("help: add a line with ``` after the code"), "{said}");
}

#[test]
fn a_repository_says_which_folders_it_leaves_out() {
    let first_line = |pages: &[&str]| {
        let files: Vec<(&str, &str)> = pages.iter().map(|page| (*page, TEXT)).collect();
        repository(&files).run(&["check"]).stderr.lines().next().unwrap_or_default().to_string()
    };
    let read = "read as folders of Markdown files: docs/";
    assert_eq!(first_line(&["docs/a.md", "docs/b.md", "README.md", "notes/a.md", "more/b.md"]), read);
    assert_eq!(
        first_line(&["docs/a.md", "guide/a.md", "guide/b.md"]),
        format!("{read}; `guide/` isn't read: set `content` under `[source]`, or use -C")
    );
    assert_eq!(
        first_line(&["docs/a.md", "a/a.md", "b/a.md", "b/b.md"]),
        format!("{read}; `b/`, `a/` aren't read: set `content` under `[source]`, or use -C")
    );
}

#[test]
fn headings_may_number_the_steps_of_their_page() {
    let page = |body: &str| format!("---\ntitle: A\nweight: 1\n---\n\n## 1.1 Begin\n\n{body}\n");
    let dangling = |body: &str| {
        let (web, ios) = (page(body), page(""));
        let files = [
            ("hugo.toml", "baseURL = '/'\n"),
            ("content/web/a.md", web.as_str()),
            ("content/ios/a.md", ios.as_str()),
        ];
        repository(&files)
            .run(&["check", "--format", "json"])
            .stdout
            .matches("dangling-step-reference")
            .count()
    };
    assert_eq!(dangling("### Step 7: Add it\n\nAfter step 7, rest."), 0);
    assert_eq!(dangling("After step 7, rest."), 1);
}

#[test]
fn an_unclosed_link_is_found_in_any_line_that_is_looked_at() {
    for (length, count) in [(398, 1), (399, 1), (400, 1), (401, 0)] {
        let after = format!("<p1.md{}", " x".repeat(length / 2 - 3) + if length % 2 == 0 { "" } else { "y" });
        assert_eq!(after.len(), length);
        let text = format!("---\ntitle: A\n---\n\n[x]({after}\nNext line.\n");
        let site =
            repository(&[("mkdocs.yml", "site_name: A\n"), ("docs/a.md", &text), ("docs/p1.md", TEXT)]);
        let run = site.run(&["check", "--format", "json"]);
        assert_eq!(run.stdout.matches("link-as-text").count(), count, "{length}: {}", run.stdout);
    }
}
