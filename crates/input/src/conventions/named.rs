//! Pages and files that data refers to: navigation and other lists of links, in files that aren't pages.
//!
//! Only literal values are read. If a program creates a part of a list, that part is unknown.

use std::ops::Range;

use super::imports::imported;
use super::navigation::list_of;
use super::settings::slips;
use super::targets::{is_from_root, is_mintlify};
use super::tree::within;
use super::values::{JsValues, PlacedText, Values, placed_texts};
use super::{DataFile, FileTree, Kind, NamedTarget, Repository, TargetKind, configured, docusaurus};
use base::site_path;
use base::sorted::{SortedMap, SortedSet};

/// Returns the front matter keys that refer to something, for generators and their most common themes. The parts of
/// nested keys are joined by dots, and lists in between are omitted.
///
/// Sources: <https://docusaurus.io/docs/api/plugins/@docusaurus/plugin-content-docs#markdown-front-matter>,
/// <https://starlight.astro.build/reference/frontmatter/>, <https://vitepress.dev/reference/default-theme-home-page>,
/// <https://v1.vuepress.vuejs.org/theme/default-theme-config.html>, <https://gohugo.io/templates/embedded/#open-graph>,
/// <https://github.com/jekyll/jekyll-seo-tag/blob/master/docs/usage.md>, <https://mmistakes.github.io/minimal-mistakes/docs/layouts/>.
pub fn front_matter(kind: Kind) -> &'static [(&'static str, TargetKind)] {
    use TargetKind::{Image, Layout, Link, Page};
    match kind {
        Kind::Docusaurus => &[("image", Image), ("pagination_next", Page), ("pagination_prev", Page)],
        Kind::Starlight => &[
            ("hero.actions.link", Link),
            ("hero.image.file", Image),
            ("hero.image.dark", Image),
            ("hero.image.light", Image),
            ("prev.link", Link),
            ("next.link", Link),
        ],
        Kind::Vitepress => &[
            ("hero.actions.link", Link),
            ("hero.image", Image),
            ("hero.image.src", Image),
            ("hero.image.dark", Image),
            ("hero.image.light", Image),
            ("features.link", Link),
            ("features.icon.src", Image),
            ("prev.link", Link),
            ("next.link", Link),
            ("prev", Link),
            ("next", Link),
        ],
        Kind::Vuepress => &[
            ("heroImage", Image),
            ("actionLink", Link),
            ("actions.link", Link),
            ("prev", Link),
            ("next", Link),
        ],
        Kind::Jekyll => &[
            ("layout", Layout),
            ("image", Image),
            ("image.path", Image),
            ("header.image", Image),
            ("header.teaser", Image),
            ("header.overlay_image", Image),
        ],
        Kind::Hugo => &[
            ("images", Image),
            ("image", Image),
            ("cover", Image),
            ("cover.image", Image),
            ("featured_image", Image),
            ("thumbnail", Image),
        ],
        Kind::Mdx => &[("image", Image), ("ogImage", Image), ("og:image", Image)],
        Kind::Stepkin | Kind::Mkdocs | Kind::Mdbook | Kind::Sphinx | Kind::Mystmd | Kind::Plain => &[],
    }
}

/// Returns keys in programs that refer to something, in tables that also contain another key.
///
/// Sources: <https://docusaurus.io/docs/api/themes/configuration>, <https://vitepress.dev/reference/default-theme-nav>.
fn of_program(kind: Kind) -> &'static [(&'static str, &'static [&'static str], TargetKind)] {
    /// Keys of link texts.
    const LABELS: &[&str] = &["label", "text", "title"];
    match kind {
        Kind::Docusaurus => &[
            ("to", LABELS, TargetKind::Link),
            ("docId", LABELS, TargetKind::Page),
            ("src", &["alt"], TargetKind::Image),
            ("srcDark", &["src"], TargetKind::Image),
            ("favicon", &["title"], TargetKind::Image),
        ],
        Kind::Vitepress => &[
            ("link", LABELS, TargetKind::Link),
            ("logo", &["nav", "sidebar", "siteTitle", "socialLinks"], TargetKind::Image),
            ("light", &["dark"], TargetKind::Image),
            ("dark", &["light"], TargetKind::Image),
        ],
        Kind::Starlight => &[("link", LABELS, TargetKind::Link)],
        _ => &[],
    }
}

/// Keys of links in data files that a generator's templates read.
const LINKS: &[&str] = &["url", "link", "href", "path"];

/// Returns the targets in a repository's data files, except for the list of pages, which [`list_of`] reads.
pub(super) fn read(tree: &dyn FileTree, repository: &Repository) -> Vec<DataFile> {
    let mut found = Vec::new();
    let mut add = |file: String, is_certain: bool, named: Vec<NamedTarget>| {
        let text = tree.text(&file).unwrap_or_default();
        let slips: Vec<_> =
            Values::invalid(&file, &text).into_iter().chain(configured::texts(&file, &text)).collect();
        if !named.is_empty() || !slips.is_empty() {
            found.push(DataFile { file, is_certain, named, slips });
        }
    };
    let kind = repository.kind();
    for file in repository.navigation.iter().chain(&repository.more_lists) {
        let name = site_path::file_name(file);
        let text = tree.text(file).unwrap_or_default();
        // If a list was found by its pages, its other texts aren't known to be targets.
        if kind == Kind::Mdx && !is_mintlify(name) {
            add(file.clone(), false, links_in(&text, LINKS));
            continue;
        }
        add(file.clone(), true, list_of(kind, name, &text).named);
        if is_mintlify(name) {
            add(file.clone(), true, links_in(&text, &["href"]));
        }
    }
    let program = repository.navigation.as_deref().filter(|_| !of_program(kind).is_empty());
    // The links in the program itself are those of the list of pages.
    if let Some(file) = program {
        let text = tree.text(file).unwrap_or_default();
        let named = in_program(kind, &text);
        add(file.to_string(), true, named.filter(|it| it.names == TargetKind::Image).collect());
    }
    for file in program.map(|file| modules(tree, file)).unwrap_or_default() {
        let text = tree.text(&file).unwrap_or_default();
        let named = in_program(kind, &text).filter(|it| is_from_root(&it.target)).collect();
        add(file.clone(), true, named);
        add(file, false, links_of_calls(&text));
    }
    for (file, named) in in_templates(tree, repository) {
        add(file, true, named);
    }
    match kind {
        Kind::Docusaurus => {
            if let Some((file, text)) = repository.config(tree) {
                add(file, true, in_program(kind, &text).collect());
            }
            for (file, text) in docusaurus::categories(tree, &repository.content.path) {
                let documents = placed_texts(&file, &text).into_iter().filter(|it| it.keys == ["link", "id"]);
                let named =
                    |it: PlacedText| NamedTarget { names: TargetKind::Page, target: it.text, span: it.span };
                add(file, true, documents.map(named).collect());
            }
        }
        Kind::Mdx => folder_lists(tree, repository).for_each(|(file, named)| add(file, true, named)),
        Kind::Jekyll => {
            let folder = repository.content.with("_data");
            for file in tree.files(&folder) {
                if [".yml", ".yaml", ".json"].iter().any(|ending| file.ends_with(ending)) {
                    let file = format!("{folder}/{file}");
                    let text = tree.text(&file).unwrap_or_default();
                    let is_navigation = NAVIGATIONS.iter().any(|name| file.to_lowercase().contains(name));
                    add(file, is_navigation, links_in(&text, LINKS));
                }
            }
        }
        Kind::Mkdocs => {
            folder_lists(tree, repository).for_each(|(file, named)| add(file, true, named));
            if let Some((file, text)) = repository.config(tree) {
                let named = redirect_targets(&file, &text).collect();
                add(file, true, named);
            }
        }
        Kind::Starlight => {
            if let Some(file) = &repository.navigation {
                add(file.clone(), true, missing_folders(tree, repository, file).collect());
            }
        }
        Kind::Hugo => {
            for file in menus(tree, repository) {
                if let Some(text) = tree.text(&file) {
                    let is_menu = |it: &PlacedText| {
                        site_path::file_name(&file).starts_with("menu")
                            || it.keys.iter().any(|key| matches!(key.as_str(), "menu" | "menus"))
                    };
                    let urls = placed_texts(&file, &text).into_iter().filter(is_menu);
                    let named = links(urls, &["url", "pageRef"]);
                    add(file, true, named);
                }
            }
        }
        _ => {}
    }
    let slips = slips(tree, repository).into_iter().chain(configured::slips(tree, repository));
    let slips = slips.filter(|(_, slips)| !slips.is_empty());
    found.extend(slips.map(|(file, slips)| DataFile { file, is_certain: true, named: Vec::new(), slips }));
    found
}

/// Returns the targets in programs and templates of pages.
fn in_templates(tree: &dyn FileTree, repository: &Repository) -> Vec<(String, Vec<NamedTarget>)> {
    let (folders, endings): (&[&str], &[&str]) = match repository.kind() {
        Kind::Docusaurus => (&["src/pages", "src/components"], &PROGRAMS),
        Kind::Hugo => (&["layouts"], &[".html"]),
        Kind::Jekyll => (&["_includes", "_layouts"], &[".html"]),
        _ => return Vec::new(),
    };
    let folders = folders.iter().map(|folder| within(&repository.site, folder));
    let files = folders.flat_map(|folder| {
        let files =
            tree.files(&folder).into_iter().filter(|file| endings.iter().any(|it| file.ends_with(it)));
        files.map(move |file| format!("{folder}/{file}")).collect::<Vec<_>>()
    });
    let links = |file: String| {
        let links = links_of_elements(&tree.text(&file)?, &repository.content.at);
        Some((file, links))
    };
    files.filter_map(links).collect()
}

/// The extensions of programs of pages.
const PROGRAMS: [&str; 4] = [".js", ".jsx", ".ts", ".tsx"];

/// Returns the targets in attributes of the elements of a program or template, such as `<Link to="/docs/intro">`: from the root, or from
/// the folder of the pages' addresses. Those that are computed aren't known.
fn links_of_elements(text: &str, folder: &str) -> Vec<NamedTarget> {
    const ATTRIBUTES: [&str; 4] = [" to=\"", " href=\"", " link=\"", " url=\""];
    let starts = ATTRIBUTES.iter().flat_map(|sign| text.match_indices(sign).map(|(at, _)| at + sign.len()));
    let named = starts.filter_map(|start| {
        let span = start..start + text[start..].find('"')?;
        let target = &text[span.clone()];
        let is_below = target.split_once('/').is_some_and(|(first, _)| first == folder);
        let target = if is_below && !folder.is_empty() { format!("/{target}") } else { target.to_string() };
        let is_plain = target.starts_with('/') && !target.contains(['{', '$']);
        is_plain.then_some(NamedTarget { names: TargetKind::Link, target, span })
    });
    named.collect()
}

/// Returns the texts from the root in calls of a function that has such a text in several calls: `page("Install", "/guide/install")`.
/// Whether they are targets isn't known.
fn links_of_calls(text: &str) -> Vec<NamedTarget> {
    /// Minimum number of calls.
    const FEWEST: usize = 5;
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut calls: SortedMap<&str, Vec<NamedTarget>> = SortedMap::new();
    for (at, _) in text.match_indices('(') {
        let before = &text[..at];
        let function = &before[before.trim_end_matches(is_part).len()..];
        let arguments = text[at + 1..].split([')', '(', '\n']).next().unwrap_or_default();
        let targets = ["\"/", "'/"].iter().filter_map(|sign| {
            let start = at + 1 + arguments.find(sign)? + 1;
            let end = start + text[start..].find(&sign[..1])?;
            let target = text[start..end].to_string();
            Some(NamedTarget { names: TargetKind::Link, target, span: start..end })
        });
        if !function.is_empty() {
            calls.entry(function).or_default().extend(targets.filter(|it| it.target.len() > 1));
        }
    }
    calls.into_iter().filter(|(_, named)| named.len() >= FEWEST).flat_map(|(_, named)| named).collect()
}

/// Returns the targets of redirects to pages: <https://github.com/mkdocs/mkdocs-redirects>.
fn redirect_targets(file: &str, text: &str) -> impl Iterator<Item = NamedTarget> {
    let is_page =
        |it: &PlacedText| it.keys.iter().any(|key| key == "redirect_maps") && it.text.ends_with(".md");
    let named = |it: PlacedText| NamedTarget { names: TargetKind::Source, target: it.text, span: it.span };
    placed_texts(file, text).into_iter().filter(is_page).map(named)
}

/// Returns the missing folders of which a sidebar lists the pages: <https://starlight.astro.build/reference/configuration/#sidebar>.
fn missing_folders(
    tree: &dyn FileTree,
    repository: &Repository,
    file: &str,
) -> impl Iterator<Item = NamedTarget> {
    let folders = JsValues::of(&tree.text(file).unwrap_or_default()).texts_of("directory");
    // Each language has its own folder.
    let places = [&repository.content.path].into_iter();
    let places: Vec<&String> = places.chain(repository.translations.iter().map(|it| &it.path)).collect();
    let has = move |folder: &str| places.iter().any(|place| tree.is_folder(&within(place, folder)));
    let missing = folders.into_iter().filter(move |(folder, _)| !has(folder.trim_matches('/')));
    missing.map(|(target, span)| NamedTarget { names: TargetKind::Folder, target, span })
}

/// Returns the lists of folders with the pages that they name.
fn folder_lists(
    tree: &dyn FileTree,
    repository: &Repository,
) -> impl Iterator<Item = (String, Vec<NamedTarget>)> {
    let content = &repository.content.path;
    let files = tree.files(content);
    let folders: SortedSet<String> = files.iter().map(|file| site_path::parent(file).to_string()).collect();
    let lists: &[&str] = match repository.kind() {
        Kind::Mkdocs => &[".pages"],
        Kind::Mdx => &["meta.json", "_meta.json", "_meta.js", "_meta.ts", "_meta.jsx", "_meta.tsx"],
        _ => repository.convention.folder_files,
    };
    let places =
        folders.into_iter().flat_map(move |folder| lists.iter().map(move |name| (folder.clone(), *name)));
    places.filter_map(move |(folder, name)| {
        let file = within(content, &within(&folder, name));
        let text = tree.text(&file)?;
        let is_folder = |name: &str| tree.is_folder(&within(content, &within(&folder, name)));
        let named = in_folder(name, &text).filter(|(name, _)| !is_folder(name));
        let named = named.map(|(name, span)| NamedTarget {
            names: TargetKind::Page,
            target: within(&folder, &name),
            span,
        });
        Some((file, named.collect()))
    })
}

/// Returns the pages that a program of Nextra names: the keys of its table, except those with their own target.
fn in_program_of_folder(text: &str) -> Vec<(String, Range<usize>)> {
    let values = JsValues::of(text);
    let has_target = |key: &str| {
        values
            .tables(key)
            .any(|it| it.value("href").is_some() || it.value("type").is_some_and(|it| it != "page"))
    };
    let keys =
        values.keys().into_iter().filter(|key| !key.starts_with(['*', '-', '#', '.']) && !has_target(key));
    let placed = keys.filter_map(|key| {
        let mut places = text.match_indices(&key).map(|(at, _)| at..at + key.len());
        let place = places.find(|it| {
            let (before, after) = (text[..it.start].trim_end_matches(['"', '\'']), &text[it.end..]);
            before.trim_end().ends_with(['{', ','])
                && after.trim_start_matches(['"', '\'', ' ']).starts_with(':')
        });
        place.map(|place| (key, place))
    });
    // A part that a program makes isn't known.
    if text.contains("...") { Vec::new() } else { placed.collect() }
}

/// Returns the pages that the list of a folder names, with the ranges of the names: Fumadocs' `pages`, without separators, links, and
/// marks for the rest (<https://fumadocs.dev/docs/headless/page-conventions#pages>), or the keys of Nextra's list, except those with
/// their own target (<https://nextra.site/docs/file-conventions/meta-file>).
fn in_folder(file: &str, text: &str) -> impl Iterator<Item = (String, Range<usize>)> {
    if file.starts_with("_meta.") && !file.ends_with("json") {
        return in_program_of_folder(text).into_iter();
    }
    let texts = placed_texts(file, text);
    let mut found: Vec<(String, Range<usize>)> = Vec::new();
    if file == ".pages" {
        // <https://github.com/lukasgeiter/mkdocs-awesome-pages-plugin>
        let of_nav = texts.into_iter().filter(|it| it.keys.first().is_some_and(|key| key == "nav"));
        let is_file = |it: &PlacedText| it.text.ends_with(".md") && !it.text.contains(['*', '|']);
        found.extend(of_nav.filter(is_file).map(|it| (it.text, it.span)));
    } else if file == "meta.json" {
        let of_pages = texts.into_iter().filter(|it| it.key() == "pages");
        let is_name = |it: &PlacedText| {
            !it.text.starts_with(['.', '-', '!', '[', '/'])
                && !it.text.contains("...")
                && !it.text.contains("](")
        };
        found.extend(of_pages.filter(is_name).map(|it| (it.text, it.span)));
    } else {
        let with_target: SortedSet<String> = texts
            .iter()
            .filter(|it| {
                it.keys.len() == 2 && (it.keys[1] == "href" || it.keys[1] == "type" && it.text != "page")
            })
            .map(|it| it.keys[0].clone())
            .collect();
        let keys: SortedSet<String> = texts.into_iter().filter_map(|it| it.keys.into_iter().next()).collect();
        for key in keys.difference(&with_target).filter(|key| !key.starts_with(['*', '-', '#'])) {
            let quoted = format!("\"{key}\"");
            found.extend(text.find(&quoted).map(|at| (key.clone(), at + 1..at + 1 + key.len())));
        }
    }
    // The page of the folder itself.
    found.retain(|(name, _)| name != "index");
    found.into_iter()
}

/// Returns the names in the tables of a program.
fn in_program(kind: Kind, text: &str) -> impl Iterator<Item = NamedTarget> {
    let program = JsValues::of(text);
    let named = of_program(kind).iter().flat_map(|(key, beside, names)| {
        let texts = program.texts_beside(key, beside).into_iter();
        texts.map(|(target, span)| NamedTarget { names: *names, target, span })
    });
    named.collect::<Vec<_>>().into_iter()
}

/// Returns the modules with parts of the navigation that a program imports, and their imports.
fn modules(tree: &dyn FileTree, program: &str) -> Vec<String> {
    /// A program that imports more is none of a site.
    const MOST: usize = 64;
    let mut found: Vec<String> = vec![program.to_string()];
    let mut next = 0;
    while let Some(file) = found.get(next).filter(|_| found.len() < MOST).cloned() {
        next += 1;
        let folder = site_path::parent(&file);
        let text = tree.text(&file).unwrap_or_default();
        // All modules next to VitePress' configuration are parts of it.
        let words = if folder.contains(".vitepress") { &[""] } else { NAVIGATIONS };
        for file in imported(tree, folder, &text, words).into_iter().flatten() {
            if !found.contains(&file) {
                found.push(file);
            }
        }
    }
    found.split_off(1)
}

/// Names for link files in themes.
const NAVIGATIONS: &[&str] = &["nav", "sidebar", "menu", "toc", "header", "footer"];

/// Returns the files that contain the menus of a Hugo site: <https://gohugo.io/configuration/menus/>.
fn menus(tree: &dyn FileTree, repository: &Repository) -> Vec<String> {
    let folder = within(&repository.site, "config/_default");
    let files = tree.files(&folder).into_iter().filter(|file| site_path::file_name(file).starts_with("menu"));
    let files = files.map(|file| format!("{folder}/{file}"));
    repository.configuration.clone().into_iter().chain(files).collect()
}

fn links_in(text: &str, keys: &[&str]) -> Vec<NamedTarget> {
    links(placed_texts("data.yml", text).into_iter(), keys)
}

/// Returns the root-relative texts of the given keys.
fn links(texts: impl Iterator<Item = PlacedText>, keys: &[&str]) -> Vec<NamedTarget> {
    let is_link = |it: &PlacedText| keys.contains(&it.key()) && is_from_root(&it.text);
    let named = |it: PlacedText| NamedTarget { names: TargetKind::Link, target: it.text, span: it.span };
    texts.filter(is_link).map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(named: &[NamedTarget], text: &str, expected: &[(TargetKind, &str)]) {
        let found: Vec<_> = named.iter().map(|it| (it.names, it.target.as_str())).collect();
        assert_eq!(found, expected, "{text}");
        for it in named {
            let written = &text[it.span.clone()];
            assert!(it.target.contains(written.trim_matches('/')), "{written} in {text}");
        }
    }

    #[track_caller]
    fn check_list(kind: Kind, name: &str, text: &str, expected: &[(TargetKind, &str)]) {
        check(&list_of(kind, name, text).named, text, expected);
    }

    #[test]
    fn lists_of_pages_say_where_each_is() {
        use TargetKind::{Link, Page, Source};
        check_list(
            Kind::Docusaurus,
            "sidebars.js",
            "// é\nmodule.exports = {a: ['x/é', {type: 'doc', id: 'y', label: 'Why'}, {type: 'link', label: 'Z', href: '/z'}, {type: 'html', value: 'v'}]}",
            &[(Page, "x/é"), (Page, "y"), (Link, "/z")],
        );
        check_list(Kind::Docusaurus, "sidebars.js", "module.exports = {a: ['x'].map(id => `d/${id}`)}", &[]);
        check_list(Kind::Docusaurus, "sidebars.js", "module.exports = {a: [x ? 'a' : 'b', 'c' + d]}", &[]);
        check_list(
            Kind::Starlight,
            "astro.config.mjs",
            "starlight({sidebar: [{label: 'A', items: ['a/b', {slug: 'c'}, {label: 'D', link: '/d/'}, {label: 'E', autogenerate: {directory: 'e'}}]}]})",
            &[(Page, "a/b"), (Page, "c"), (Link, "/d/")],
        );
        check_list(
            Kind::Vitepress,
            "config.ts",
            "export default {themeConfig: {nav: [{text: 'N', link: '/n', activeMatch: '/x/'}], sidebar: {'/g/': {base: '/g/', items: g()}}}}\nfunction g() {return [{text: 'A', link: 'a'}]}",
            &[(Link, "/g/a"), (Link, "/n")],
        );
        check_list(
            Kind::Mkdocs,
            "mkdocs.yml",
            "nav:\n  - é: \"é.md\"\n  - B:\n    - b.md\n    - https://x.org\n",
            &[(Source, "é.md"), (Source, "b.md")],
        );
        check_list(
            Kind::Mdbook,
            "SUMMARY.md",
            "- [A](./a.md)\n- [B](<b c.md>)\n- [D]()\n",
            &[(Source, "./a.md")],
        );
        check_list(
            Kind::Mdx,
            "docs.json",
            "{\"navigation\": {\"pages\": [\"a/b\", \"GET /x\"]}, \"icon\": \"c\"}",
            &[(Page, "a/b")],
        );
    }

    #[test]
    fn links_of_data_begin_at_the_root() {
        let text = "- title: A\n  url: /a/\n- title: B\n  url: 'https://x.org'\n  children:\n    - {title: C, link: \"/c/\"}\n";
        check(&links_in(text, LINKS), text, &[(TargetKind::Link, "/a/"), (TargetKind::Link, "/c/")]);
        assert_eq!(links_in("a: [", LINKS), []);
    }
}
