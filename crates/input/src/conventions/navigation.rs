//! Files of a generator that set the order of pages: lists of pages, and files about their folder.

mod program;

use std::ops::Range;

use serde_json::Value;

use super::Kind;
use super::mkdocs::{blog_folder, settings_of};
use super::targets::{NamedTarget, TargetKind, is_mintlify};
use super::values::{PlacedText, Values, placed_texts};
use base::sorted::{SortedMap, SortedSet};

/// A list of pages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageList {
    /// Paths of pages and folders in order, as the list writes them. If the list is a program, other texts are among
    /// them.
    pub pages: Vec<String>,
    /// Positions in `pages` of folders whose pages are all listed.
    pub folders: SortedSet<usize>,
    /// Groups, each after the groups that it contains.
    pub groups: Vec<Group>,
    /// Which pages the list leaves out.
    pub extent: Extent,
    /// Its certain targets, with their ranges in the file.
    pub named: Vec<NamedTarget>,
    /// Pages whose entry equals an earlier one in the same brackets of a program.
    pub repeated: Vec<NamedTarget>,
}

/// Adjacent pages in a list with a common name.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    pub label: String,
    /// Their positions in the list.
    pub pages: Range<usize>,
}

/// The pages that a list leaves out if it doesn't contain them.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Extent {
    /// None, because a program creates a part of the list.
    #[default]
    Unknown,
    /// Every page.
    Whole,
    /// Pages at addresses in these folders, each with a slash at both ends.
    Below(Vec<String>),
}

/// The settings of a folder from a file in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FolderSettings {
    /// Position in the parent folder.
    pub position: Option<f64>,
    pub label: Option<String>,
    pub description: Option<String>,
}

/// Reads a list of pages.
pub fn list_of(kind: Kind, name: &str, text: &str) -> PageList {
    match kind {
        Kind::Mkdocs => PageList { named: named_in_nav(name, text), ..of_nav(&settings_of(name, text)) },
        Kind::Mdbook => of_summary(text),
        Kind::Sphinx | Kind::Mystmd => PageList { named: named_in_toc(name, text), ..of_toc(name, text) },
        Kind::Mdx => PageList { named: named_in_data(name, text), ..program::list(kind, text) },
        _ => program::list(kind, text),
    }
}

/// Reads the settings of a folder.
pub fn folder_settings(name: &str, text: &str) -> FolderSettings {
    let values = Values::of(name, text);
    FolderSettings {
        position: values.value("position").and_then(|position| position.parse().ok()),
        label: values.value("label").or_else(|| values.value("title")),
        description: values.value("link.description").or_else(|| values.value("description")),
    }
}

impl PageList {
    /// Adds a page or a folder.
    fn push(&mut self, path: &str) {
        self.pages.push(path.to_string());
    }

    fn push_folder(&mut self, path: &str) {
        // The folder of pages itself.
        let path = if path == "." { "" } else { path };
        self.folders.insert(self.pages.len());
        self.push(path);
    }

    /// Groups the entries from `start` on under a name.
    fn name(&mut self, label: &str, start: usize) {
        if start < self.pages.len() && !label.trim().is_empty() {
            self.groups.push(Group { label: label.trim().to_string(), pages: start..self.pages.len() });
        }
    }

    /// Whether a page with this address is left out if it isn't listed.
    pub fn extends_to(&self, address: &str) -> bool {
        match &self.extent {
            Extent::Unknown => false,
            Extent::Whole => true,
            Extent::Below(folders) => folders.iter().any(|folder| address.starts_with(folder)),
        }
    }
}

/// `MkDocs` plugins that add pages to `nav` or list other pages.
const LISTING_PLUGINS: &[&str] = &[
    "awesome-pages",
    "awesome-nav",
    "literate-nav",
    "section-index",
    "monorepo",
    "multirepo",
    "gen-files",
    "api-autonav",
];

/// Reads the `nav` of an `MkDocs` configuration.
fn of_nav(config: &Values) -> PageList {
    let mut list = PageList { extent: Extent::Whole, ..PageList::default() };
    entries_of_nav(config.list_at("nav").unwrap_or_default(), &mut list);
    let plugins = config.names("plugins");
    if plugins.iter().any(|plugin| LISTING_PLUGINS.contains(&plugin.as_str())) {
        list.extent = Extent::Unknown;
    }
    // The plugin lists its own posts.
    if plugins.iter().any(|plugin| matches!(plugin.as_str(), "blog" | "material/blog")) {
        list.push_folder(blog_folder(config).unwrap_or("blog"));
    }
    list
}

/// Returns the texts of a data file that name something.
fn named(
    name: &str,
    text: &str,
    names: TargetKind,
    is_one: impl Fn(&PlacedText) -> bool,
) -> Vec<NamedTarget> {
    let texts = placed_texts(name, text).into_iter().filter(is_one);
    texts.map(|it| NamedTarget { names, target: it.text, span: it.span }).collect()
}

/// Returns the files in a `nav`, in which plugins may also allow patterns and folders.
fn named_in_nav(name: &str, text: &str) -> Vec<NamedTarget> {
    let is_nav = |it: &PlacedText| {
        it.keys.first().is_some_and(|key| key == "nav")
            || name.ends_with(".toml") && it.keys.get(1).is_some_and(|key| key == "nav")
    };
    let is_file = |it: &PlacedText| it.text.ends_with(".md") && !it.text.contains(['*', '!', ':', '{']);
    named(name, text, TargetKind::Source, |it| is_nav(it) && is_file(it))
}

/// Returns the pages that Mintlify lists: <https://www.mintlify.com/docs/organize/navigation>. Other lists are
/// recognized by their pages alone.
fn named_in_data(name: &str, text: &str) -> Vec<NamedTarget> {
    if !is_mintlify(name) {
        return Vec::new();
    }
    let is_page = |it: &PlacedText| {
        // API pages are listed by method and path, and generated from its description.
        it.key() == "pages" && !it.text.contains([' ', ':'])
    };
    // <https://www.mintlify.com/docs/organize/settings#logo>
    let is_picture = |it: &PlacedText| {
        matches!(it.keys.first().map(String::as_str), Some("favicon" | "logo"))
            && it.key() != "href"
            && it.text.starts_with('/')
    };
    let mut found = named(name, text, TargetKind::Page, is_page);
    found.extend(named(name, text, TargetKind::Image, is_picture));
    found
}

/// Reads a table of contents: `project.toc` in `myst.yml`, or `_toc.yml` of sphinx-external-toc.
fn of_toc(name: &str, text: &str) -> PageList {
    let mut list = PageList { extent: Extent::Whole, ..PageList::default() };
    let config = Values::of(name, text);
    let root = if config.has_list("project.toc") { "project.toc" } else { "" };
    if let Some(toc) = config.at(root) {
        entries_of_toc(toc, &mut list);
    }
    list
}

/// Lists contain entries, and entries contain lists with names that depend on the form.
fn entries_of_toc(toc: &Value, list: &mut PageList) {
    match toc {
        Value::Array(entries) => entries.iter().for_each(|entry| entries_of_toc(entry, list)),
        Value::Object(entry) => {
            let start = list.pages.len();
            let text = |keys: [&str; 2]| keys.iter().find_map(|key| entry.get(*key)?.as_str());
            if let Some(file) = text(["file", "root"]) {
                list.push(file.trim_start_matches("./"));
            }
            if text(["pattern", "glob"]).is_some() {
                list.extent = Extent::Unknown;
            }
            entry.values().filter(|value| value.is_array()).for_each(|value| entries_of_toc(value, list));
            list.name(text(["title", "caption"]).unwrap_or_default(), start);
        }
        _ => {}
    }
}

/// Entries may omit the ending of their file: <https://sphinx-external-toc.readthedocs.io/en/latest/user_guide/sphinx.html>.
fn named_in_toc(name: &str, text: &str) -> Vec<NamedTarget> {
    let is_file = |it: &PlacedText| {
        let has_other_ending =
            it.text.rsplit('/').next().is_some_and(|file| file.contains('.')) && !it.text.ends_with(".md");
        matches!(it.key(), "file" | "root") && !has_other_ending
    };
    named(name, text, TargetKind::Source, is_file)
}

fn entries_of_nav(entries: &[Value], list: &mut PageList) {
    for entry in entries {
        match entry {
            Value::String(path) => entry_of_nav(path, list),
            Value::Object(titled) => {
                for (label, value) in titled {
                    let start = list.pages.len();
                    match value {
                        Value::String(path) => entry_of_nav(path, list),
                        Value::Array(entries) => {
                            entries_of_nav(entries, list);
                            list.name(label, start);
                        }
                        _ => list.extent = Extent::Unknown,
                    }
                }
            }
            _ => list.extent = Extent::Unknown,
        }
    }
}

fn entry_of_nav(path: &str, list: &mut PageList) {
    // Plugins allow patterns, and lists in other files.
    if path.contains('*') || path.starts_with(['.', '!']) {
        list.extent = Extent::Unknown;
    }
    match path.strip_suffix('/') {
        Some(folder) if !path.contains("://") => list.push_folder(folder),
        _ => list.push(path),
    }
}

/// Reads the chapters of an mdBook. Other files aren't published, so no page is left out.
fn of_summary(text: &str) -> PageList {
    let mut list = PageList::default();
    // The current part, and the open chapters, each with its depth, name and position.
    let mut part: Option<(&str, usize)> = None;
    let mut open: Vec<(usize, &str, usize)> = Vec::new();
    let close = |list: &mut PageList, open: &mut Vec<(usize, &str, usize)>, depth: usize| {
        while let Some((_, label, start)) = open.pop_if(|(other, ..)| *other >= depth) {
            if list.pages.len() > start + 1 {
                list.name(label, start);
            }
        }
    };
    let definitions = definitions(text);
    // The end of the file closes open parts, as a rule does.
    for line in text.lines().chain(["---"]) {
        let bare = line.trim_start();
        let depth = line.len() - bare.len();
        let is_rule =
            bare.len() > 2 && bare.trim_end().bytes().all(|byte| matches!(byte, b'-' | b'*' | b'_'));
        if bare.starts_with('#') || is_rule {
            close(&mut list, &mut open, 0);
            if let Some((label, start)) = part.take() {
                list.name(label, start);
            }
            part = bare.starts_with('#').then(|| (bare.trim_matches(['#', ' ']), list.pages.len()));
            continue;
        }
        let Some((label, target)) = link(bare).or_else(|| defined_link(bare, &definitions)) else { continue };
        close(&mut list, &mut open, depth);
        open.push((depth, label, list.pages.len()));
        if !target.is_empty() {
            list.push(target.trim_start_matches("./"));
            let span = target.as_ptr() as usize - text.as_ptr() as usize;
            let is_file = target.ends_with(".md") && !target.contains([':', '<', '%']);
            list.named.extend(is_file.then(|| NamedTarget {
                names: TargetKind::Source,
                target: target.to_string(),
                span: span..span + target.len(),
            }));
        }
    }
    list
}

/// Returns the label and the target of the first link in a line.
fn link(line: &str) -> Option<(&str, &str)> {
    let (before, after) = line.split_once("](")?;
    let (_, label) = before.split_once('[')?;
    Some((label, after.split_once(')')?.0))
}

/// Returns the targets that a text defines, by name: `[name]: target`.
fn definitions(text: &str) -> SortedMap<&str, &str> {
    let definition = |line| -> Option<(&str, &str)> {
        let line: &str = line;
        let (name, target) = line.trim_start().strip_prefix('[')?.split_once("]:")?;
        Some((name, target.split_whitespace().next()?))
    };
    text.lines().filter_map(definition).collect()
}

/// Returns the label of `[label][name]` in a line, and the target of the name.
fn defined_link<'t>(line: &'t str, definitions: &SortedMap<&str, &'t str>) -> Option<(&'t str, &'t str)> {
    let (before, after) = line.split_once("][")?;
    let (_, label) = before.split_once('[')?;
    let name = after.split_once(']')?.0;
    Some((label, definitions.get(if name.is_empty() { label } else { name })?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the pages of a list, with a star after folders, its groups with their pages, and which pages it leaves
    /// out.
    #[track_caller]
    fn check(kind: Kind, name: &str, text: &str, pages: &str, groups: &[&str], is_whole: bool) {
        let list = list_of(kind, name, text);
        let shown =
            |at: usize| format!("{}{}", list.pages[at], if list.folders.contains(&at) { "*" } else { "" });
        let some = |range: Range<usize>| range.map(shown).collect::<Vec<_>>().join(" ");
        assert_eq!(some(0..list.pages.len()), pages, "{text}");
        let named: Vec<String> =
            list.groups.iter().map(|it| format!("{}: {}", it.label, some(it.pages.clone()))).collect();
        assert_eq!(named, groups, "{text}");
        assert_eq!(list.extent == Extent::Whole, is_whole, "{text}");
    }

    #[test]
    fn sidebars_of_docusaurus_are_read_without_running_them() {
        let check = |text: &str, pages: &str, groups: &[&str], is_whole| {
            check(Kind::Docusaurus, "sidebars.js", text, pages, groups, is_whole);
        };
        check(
            "// 'no'\nmodule.exports = { a: [{ type: 'category', label: 'Get started', items: ['web/b', \"web/a\"] }] }",
            "web/b web/a",
            &["Get started: web/b web/a"],
            true,
        );
        check(
            "const lamps = {type: 'category', label: 'Lamps', link: {type: 'doc', id: 'l/index'}, items: ['l/dim']};
             /** @type {import('x').SidebarsConfig} */
             const sidebars: SidebarsConfig = { sdk: ['index', {type: 'autogenerated', dirName: 'ios'}, lamps], };
             export default sidebars satisfies SidebarsConfig;",
            "index ios* l/index l/dim",
            &["Lamps: l/index l/dim"],
            true,
        );
        check(
            "export default {sdk: [{'Get started': ['a', 'b']}, 'c']};",
            "a b c",
            &["Get started: a b"],
            true,
        );
        check("{\"sdk\": [\"a\", {\"type\": \"doc\", \"id\": \"b\"}]}", "a b", &[], true);
        // A value from another file.
        check("import api from './api.js'; export default {sdk: ['a', ...api]};", "a", &[], false);
        check("export default {sdk: [Page({slug: 'a'})]};", "a", &[], false);
        check("export default {sdk: ['a', `${x}/b`]};", "a", &[], false);
        check("module.exports = { sdk: [ { items: ['a'", "", &[], false);
    }

    #[test]
    fn sidebars_of_configurations_are_read() {
        let check = |kind, text: &str, pages: &str, groups: &[&str], is_whole| {
            check(kind, "config.ts", text, pages, groups, is_whole);
        };
        check(
            Kind::Vitepress,
            "export default { base: '/x/', themeConfig: { sidebar: [{ text: 'A', link: '/guide/a' }] } }",
            "guide/a",
            &[],
            true,
        );
        let text = "themeConfig: { sidebar: { '/g/': { base: '/g/', items: [{ link: 'a/' }, { text: 'Deep', base: '/g/b/', items: [{ text: 'It\\'s b', link: '/' }, { link: 'c' }] }] } } }";
        let text = format!("export default defineConfig({{{text}}})");
        check(Kind::Vitepress, &text, "g/a g/b g/b/c", &["Deep: g/b g/b/c"], false);
        assert_eq!(list_of(Kind::Vitepress, "config.ts", &text).extent, Extent::Below(vec!["/g/".into()]));
        check(
            Kind::Vitepress,
            "export default defineConfig({ themeConfig: { sidebar: guide() } })
             function guide(): DefaultTheme.SidebarItem[] { return [{ text: 'A', items: [{ text: 'B', link: '/b' }] }] }",
            "b",
            &["A: b"],
            true,
        );
        check(Kind::Vitepress, "import { sidebar } from './s'; export default { sidebar }", "", &[], false);
        check(
            Kind::Vuepress,
            "module.exports = { themeConfig: { sidebar: { '/g/': ['', 'one', ['two', 'Two'], { title: 'More', children: ['/g/three', 'four'] }], '/': ['a'] } } }",
            "g g/one g/two g/three g/four a",
            &["More: g/three g/four"],
            false,
        );
        check(
            Kind::Vuepress,
            "export default { theme: defaultTheme({ sidebar: [{ text: 'A', link: '/a/', children: ['/a/b.md'] }, '/c'] }) }",
            "a a/b.md c",
            &["A: a a/b.md"],
            false,
        );
        check(
            Kind::Starlight,
            "starlight({ sidebar: [{ label: 'iOS', items: [{ autogenerate: { directory: 'ios' } }, 'a'] }, { slug: 'b' }] })",
            "ios* a b",
            &["iOS: ios* a"],
            true,
        );
    }

    #[test]
    fn a_name_is_followed_once() {
        let twice = |at: usize| format!("const a{at} = [a{}, a{}];", at + 1, at + 1);
        let twice = (0..60).map(twice).collect::<Vec<_>>().join("\n");
        let text = format!("{twice}\nconst a60 = ['x'];\nexport default {{sdk: a0}};");
        check(Kind::Docusaurus, "sidebars.js", &text, "x", &[], true);
        check(Kind::Docusaurus, "sidebars.js", &"[{".repeat(10_000), "", &[], false);
    }

    #[test]
    fn a_nav_of_mkdocs_is_read() {
        let check = |text: &str, pages: &str, groups: &[&str], is_whole| {
            check(Kind::Mkdocs, "mkdocs.yml", text, pages, groups, is_whole);
        };
        check(
            "nav:\n  - Home: index.md\n  - Web:\n    - web/install.md\n    - Lamps:\n      - Use: web/use.md\n",
            "index.md web/install.md web/use.md",
            &["Lamps: web/use.md", "Web: web/install.md web/use.md"],
            true,
        );
        check("plugins:\n  - search\n  - awesome-nav: {}\nnav:\n  - a.md\n", "a.md", &[], false);
        check("plugins: [blog]\nnav:\n  - a.md\n", "a.md blog*", &[], true);
        check("nav:\n  - a.md\n  - api/\n  - x/*.md\n", "a.md api* x/*.md", &[], false);
    }

    #[test]
    fn chapters_of_a_book_are_read() {
        let text = "# Summary\n[Home](README.md)\n---\n# Tour\n- [A](./a.md)\n  - [B](a/b.md)\n- [D]()\n---\n[W](w.md)\n";
        let groups = &["Summary: README.md", "A: a.md a/b.md", "Tour: a.md a/b.md"];
        check(Kind::Mdbook, "SUMMARY.md", text, "README.md a.md a/b.md w.md", groups, false);
    }

    #[test]
    fn a_folder_may_say_its_position_and_its_name() {
        let check = |name: &str, text: &str, position, label: Option<&str>, description: Option<&str>| {
            let said = FolderSettings {
                position,
                label: label.map(str::to_string),
                description: description.map(str::to_string),
            };
            assert_eq!(folder_settings(name, text), said);
        };
        check("_category_.json", "{\"label\": \"A\", \"position\": 2.5}", Some(2.5), Some("A"), None);
        let text = "label: A\nposition: 3\nlink:\n  type: generated-index\n  description: All.\n";
        check("_category_.yml", text, Some(3.0), Some("A"), Some("All."));
        check("_category_.json", "{}", None, None, None);
    }
}
