//! Reads redirects from the configuration of hosts and generators, for URLs that work although no page is published
//! there.
//!
//! Hosts read `_redirects` ([Netlify](https://docs.netlify.com/routing/redirects/),
//! [Cloudflare](https://developers.cloudflare.com/pages/configuration/redirects/)), `netlify.toml` and
//! [`vercel.json`](https://vercel.com/docs/project-configuration#redirects). Generators read tables in their
//! configuration with `source` and `destination` (Next, Mintlify, Firebase) or `from` and `to` (Docusaurus), or a
//! `redirects` table of addresses (Astro, mdBook).

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::FileTree;
use super::imports::imported;
use super::tree::within;
use super::values::JsValues;
use base::lines::placed;
use base::site_path::{self, below_root};

/// A redirect.
#[derive(Clone, Debug, PartialEq)]
pub struct Redirect {
    /// The address, or a pattern of addresses with `:name` and `*`.
    pub from: String,
    /// The target, or `None` if the host's response isn't in this repository.
    pub to: Option<String>,
    /// The file that contains the redirect, relative to the root.
    pub file: String,
    /// Range of the target in that file.
    pub span: Range<usize>,
}

impl Redirect {
    /// Whether the target contains parts of the requested address.
    pub fn has_placeholder(&self) -> bool {
        let is_named =
            |to: &str| to.split(':').skip(1).any(|it| it.starts_with(|c: char| c.is_ascii_alphabetic()));
        self.to.as_deref().is_some_and(|to| is_named(to) || to.contains('*') || to.contains('$'))
    }
}

/// Files from which a host or a generator reads redirects, in the folder of the site.
const PROGRAMS: [&str; 22] = [
    "vercel.json",
    "firebase.json",
    "docs.json",
    "mint.json",
    "next.config.js",
    "next.config.mjs",
    "next.config.ts",
    "next.config.cjs",
    "docusaurus.config.js",
    "docusaurus.config.ts",
    "docusaurus.config.mjs",
    "docusaurus.config.mts",
    "docusaurus.config.cjs",
    "astro.config.mjs",
    "astro.config.ts",
    "astro.config.js",
    "astro.config.mts",
    ".vuepress/config.js",
    ".vuepress/config.ts",
    ".vuepress/config.mjs",
    ".vuepress/config.mts",
    ".vuepress/config.cjs",
];

/// Returns the redirects of a site whose configuration is in `site` and whose static files are in `statics`, sorted
/// by file. Redirects of all addresses of the site at `base` are left out. Also returns whether a configuration reads
/// redirects from a file outside the repository. The program `own` may write some for a generator that has none, such as `VitePress`.
pub(super) fn read(
    tree: &dyn FileTree,
    (site, own): (&str, Option<&str>),
    statics: &[&str],
    base: &str,
) -> (Vec<Redirect>, bool) {
    let mut folders = vec![site, ""];
    folders.extend(statics);
    folders.sort_unstable();
    folders.dedup();
    let (mut found, mut is_incomplete) = (Vec::new(), false);
    let mut with = |file: String, read: fn(&str) -> Vec<ParsedRedirect>| {
        let text = tree.text(&file).unwrap_or_default();
        let redirects = read(&text).into_iter().filter(|it| !is_everything(&it.from, base));
        found.extend(redirects.map(|ParsedRedirect { from, to, span }| {
            let span = if text.is_char_boundary(span.end) { span } else { 0..0 };
            Redirect { from, to, file: file.clone(), span }
        }));
    };
    for folder in folders {
        let at = |name: &str| within(folder, name);
        with(at("_redirects"), of_lines);
        // Of a plugin for VuePress 1: <https://github.com/vuepressjs/vuepress-plugin-redirect>.
        with(at(".vuepress/redirects"), of_lines);
        if !statics.contains(&folder) {
            with(at("netlify.toml"), of_netlify);
            with(at("book.toml"), of_book);
            for file in lists(tree, folder) {
                with(file, of_program);
            }
            for name in PROGRAMS {
                with(at(name), of_program);
                let text = tree.text(&at(name)).unwrap_or_default();
                for file in imported(tree, folder, &text, &["redirect"]) {
                    match file {
                        Some(file) => with(file, of_program),
                        None => is_incomplete = true,
                    }
                }
            }
        }
    }
    let is_program = |file: &&str| [".ts", ".mts", ".js", ".mjs", ".cjs"].iter().any(|it| file.ends_with(it));
    let is_new = |file: &&str| !PROGRAMS.iter().any(|name| file.ends_with(name));
    if let Some(own) = own.filter(is_program).filter(is_new) {
        with(own.to_string(), of_program);
    }
    (found, is_incomplete)
}

/// Returns the data files in a folder with redirects, which a program of the site reads.
fn lists(tree: &dyn FileTree, folder: &str) -> Vec<String> {
    let is_data = |file: &String| file.ends_with(".json") || file.ends_with(".jsonc");
    let below = tree.files(&within(folder, "redirects")).into_iter().map(|file| within("redirects", &file));
    let files = below.chain(["redirects.json".to_string()]).filter(is_data);
    files.map(|file| within(folder, &file)).collect()
}

/// A redirect in a text.
struct ParsedRedirect {
    from: String,
    to: Option<String>,
    span: Range<usize>,
}

impl ParsedRedirect {
    /// Interprets the status of a redirect: 4xx is an error page, and 200 shows the content of another address.
    fn with_status(from: &str, to: &str, span: Range<usize>, status: u16) -> Option<Self> {
        let to = (status != 200).then(|| to.to_string());
        (!(400..500).contains(&status)).then(|| Self { from: from.to_string(), to, span })
    }
}

/// Whether a pattern matches all addresses of a site, so that it doesn't show that any of them exists. `base` is the
/// site's path, without slashes at either end.
fn is_everything(from: &str, base: &str) -> bool {
    let is_open = |part: &str| part.is_empty() || part.starts_with([':', '*', '(']);
    let is_any = |from: &str| !from.trim_matches('/').is_empty() && from.split('/').all(is_open);
    let below_base = from.trim_start_matches('/').strip_prefix(base).filter(|rest| rest.starts_with('/'));
    !from.starts_with('/') || is_any(from) || below_base.is_some_and(is_any) || from.contains("(?!")
}

/// Reads `/from  /to  301`, one per line.
fn of_lines(text: &str) -> Vec<ParsedRedirect> {
    let mut found = Vec::new();
    for (start, line) in placed(text, 0) {
        let written =
            line.split('#').next().filter(|it| it.trim().is_empty() || line.trim_start().starts_with('#'));
        let words: Vec<&str> = if written.is_some() { Vec::new() } else { line.split_whitespace().collect() };
        // Query parameters may be between the two, and conditions after them.
        let target = words.iter().skip(1).find(|word| word.starts_with('/') || word.contains("://"));
        if let (Some(from), Some(to)) = (words.first(), target) {
            let at = start + (to.as_ptr() as usize - line.as_ptr() as usize);
            let status = words.iter().rev().find_map(|word| word.trim_end_matches('!').parse().ok());
            found.extend(ParsedRedirect::with_status(from, to, at..at + to.len(), status.unwrap_or(301)));
        }
    }
    found
}

#[derive(Deserialize)]
struct Netlify {
    #[serde(default)]
    redirects: Vec<NetlifyRedirect>,
}

#[derive(Deserialize)]
struct NetlifyRedirect {
    from: String,
    to: Spanned<String>,
    #[serde(default)]
    status: Option<u16>,
}

fn of_netlify(text: &str) -> Vec<ParsedRedirect> {
    let netlify: Option<Netlify> = toml::from_str(text).ok();
    let redirects = netlify.into_iter().flat_map(|it| it.redirects);
    let found = |it: NetlifyRedirect| {
        ParsedRedirect::with_status(&it.from, it.to.get_ref(), inside(it.to.span()), it.status.unwrap_or(301))
    };
    redirects.filter_map(found).collect()
}

/// <https://rust-lang.github.io/mdBook/format/configuration/renderers.html#outputhtmlredirect>
fn of_book(text: &str) -> Vec<ParsedRedirect> {
    #[derive(Deserialize)]
    struct Book {
        output: Output,
    }
    #[derive(Deserialize)]
    struct Output {
        html: Html,
    }
    #[derive(Deserialize)]
    struct Html {
        redirect: base::sorted::SortedMap<String, Spanned<String>>,
    }
    let book: Option<Book> = toml::from_str(text).ok();
    let redirects = book.into_iter().flat_map(|it| it.output.html.redirect);
    // Targets are relative to the redirecting page. Links to it may have the name of its earlier source.
    let found = |(from, to): (String, Spanned<String>)| {
        let folder = site_path::parent(&from);
        let to_page = || below_root(&format!("{folder}/{}", to.get_ref())).map(|path| format!("/{path}"));
        let is_absolute = to.get_ref().starts_with('/') || to.get_ref().contains("://");
        let span = inside(to.span());
        let source = from.strip_suffix(".html").map(|source| ParsedRedirect {
            from: source.to_string(),
            to: None,
            span: span.clone(),
        });
        let to = if is_absolute { Some(to.get_ref().clone()) } else { to_page() };
        [ParsedRedirect { from, to, span }].into_iter().chain(source)
    };
    redirects.flat_map(found).collect()
}

/// Returns a span without the quotes at its ends.
fn inside(span: Range<usize>) -> Range<usize> {
    span.start + 1..span.end.saturating_sub(1).max(span.start + 1)
}

/// Reads tables at any depth of a program or data file.
fn of_program(text: &str) -> Vec<ParsedRedirect> {
    if !text.contains("redirect") && !text.contains("\"destination\"") {
        return Vec::new();
    }
    let values = JsValues::of(text);
    let pairs = [("source", "destination"), ("from", "to")];
    let pairs = pairs.into_iter().flat_map(|(from, to)| values.redirects(from, to));
    // The plugin for VuePress: <https://ecosystem.vuejs.press/plugins/tools/redirect.html>.
    let of_plugin = values.tables("config").filter(|_| text.contains("redirectPlugin("));
    let listed = values.tables("redirects").chain(of_plugin).flat_map(|table| table.addresses());
    let declared = values.addresses_in("redirects");
    pairs.chain(listed).chain(declared).map(|(from, to, span)| ParsedRedirect { from, to, span }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(read: fn(&str) -> Vec<ParsedRedirect>, text: &str, found: &[(&str, Option<&str>)]) {
        let read = read(text);
        let said: Vec<_> = read.iter().map(|it| (it.from.as_str(), it.to.as_deref())).collect();
        assert_eq!(said, found);
        for it in &read {
            assert!(
                it.to.as_deref().is_none_or(|to| to.ends_with(&text[it.span.clone()])),
                "{:?}",
                &text[it.span.clone()]
            );
        }
    }

    #[test]
    fn redirects_are_declared_in_many_ways() {
        let lines = "# moved\n/a  /b 301\n/old/* /new/:splat\n/p/* https://x.org/:splat 200!\n/* /404 404\n/q id=:id /r Country=de\n";
        let found = [("/a", Some("/b")), ("/old/*", Some("/new/:splat")), ("/p/*", None), ("/q", Some("/r"))];
        check(of_lines, lines, &found);
        let netlify =
            "[[redirects]]\nfrom = '/a'\nto = '/b'\n[[redirects]]\nfrom = '/x'\nto = '/y'\nstatus = 404\n";
        check(of_netlify, netlify, &[("/a", Some("/b"))]);
        check(
            of_book,
            "[output.html.redirect]\n'/a.html' = '/b.html'\n'/c.html' = 'd.html'\n",
            &[("/a.html", Some("/b.html")), ("/a", None), ("/c.html", Some("/d.html")), ("/c", None)],
        );
        let next = "// redirects: none\nasync redirects() { return [{ source: '/a', destination: '/b' }, { source: '/c', destination: `${x}/d` }] }";
        check(of_program, next, &[("/a", Some("/b")), ("/c", None)]);
        let apart = "redirects() { return [{ source: '/a', destination: '/b', basePath: false }] }";
        check(of_program, apart, &[("/a", None)]);
        let docusaurus = "redirects: [{ to: '/b', from: ['/a', \"/c\"] }]";
        check(of_program, docusaurus, &[("/a", Some("/b")), ("/c", Some("/b"))]);
        let astro = "redirects: { '/a': '/b', '/c': { status: 302, destination: '/d' } }";
        check(of_program, astro, &[("/a", Some("/b")), ("/c", Some("/d"))]);
        let own = "const redirects: Record<string, string> = { '/a': '/b' }; const other = { '/c': '/d' };";
        check(of_program, own, &[("/a", Some("/b"))]);
    }

    #[test]
    fn a_pattern_of_everything_says_nothing() {
        for from in ["/*", "/:path*", "/:lang/*", "/:path((?!docs).*)", "other", "/(.*)", "/docs/:path*"] {
            assert!(is_everything(from, "docs"), "{from}");
        }
        for from in ["/", "/a", "/:lang/a", "/a/*", "/docs", "/docs/a/*", "/docs2/*"] {
            assert!(!is_everything(from, "docs"), "{from}");
        }
        assert!(!is_everything("/docs/*", ""));
    }
}
