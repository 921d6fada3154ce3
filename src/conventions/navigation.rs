//! The order that files of a generator say: lists of all pages, and positions of folders.

use super::Kind;
use super::values::{Values, literals, without_comments};

/// The paths of pages in a list, in their order, as the list writes them; what else is written there is among them.
pub fn pages_of_list(kind: Kind, name: &str, text: &str) -> Vec<String> {
    match kind {
        Kind::Mkdocs => {
            let config = Values::of(name, text);
            let nav = config.texts("nav");
            if nav.is_empty() { config.texts("project.nav") } else { nav }
        }
        Kind::Mdbook => links(text),
        Kind::Vitepress => with_bases(of_sidebar(&without_comments(text))),
        Kind::Starlight => paths(of_sidebar(&without_comments(text))),
        _ => paths(&without_comments(text)),
    }
}

/// The position among its neighbours that a file says of its folder.
pub fn position_of_folder(name: &str, text: &str) -> Option<f64> {
    Values::of(name, text).value("position")?.parse().ok()
}

fn of_sidebar(program: &str) -> &str {
    &program[program.find("sidebar").unwrap_or(program.len())..]
}

/// Texts of a program that may be the paths of pages.
fn paths(program: &str) -> Vec<String> {
    literals(program).filter(|text| may_be_path(text)).map(bare).collect()
}

fn may_be_path(text: &str) -> bool {
    !text.is_empty() && !text.contains([' ', '{', '$', '\n']) && !text.contains("://")
}

fn bare(path: &str) -> String {
    path.trim_matches('/').to_string()
}

/// The same, where `base` of a table is in front of each `link` of it and of the tables in it, as far as none of these has
/// one of its own.
fn with_bases(program: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut bases: Vec<String> = Vec::new();
    let mut rest = program;
    let mut before = "";
    while let Some(at) = rest.find(['{', '}', '"', '\'', '`']) {
        before = if at == 0 { before } else { &rest[..at] };
        let sign = rest.as_bytes()[at];
        let text = literals(&rest[at..]).next().filter(|text| rest[at + 1..].starts_with(text));
        let key = before.trim_end().strip_suffix(':').map(str::trim_end).unwrap_or_default();
        let length = match (sign, text) {
            (b'{', _) => {
                bases.push(bases.last().cloned().unwrap_or_default());
                1
            }
            (b'}', _) => {
                bases.pop();
                1
            }
            (_, Some(text)) => {
                let base = bases.last_mut();
                match base {
                    Some(base) if key.ends_with("base") => *base = text.to_string(),
                    Some(base) if key.ends_with("link") && may_be_path(text) => {
                        found.push(bare(&format!("{}/{}", base.trim_end_matches('/'), bare(text))));
                    }
                    _ if may_be_path(text) => found.push(bare(text)),
                    _ => {}
                }
                text.len() + 2
            }
            (_, None) => 1,
        };
        before = "";
        rest = &rest[at + length..];
    }
    found
}

/// The targets of the links in a list of Markdown.
fn links(text: &str) -> Vec<String> {
    let target = |rest: &str| Some(rest[..rest.find(')')?].trim_start_matches("./").to_string());
    text.split("](").skip(1).filter_map(target).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(kind: Kind, name: &str, text: &str, expected: &[&str]) {
        assert_eq!(pages_of_list(kind, name, text), expected);
    }

    #[test]
    fn a_list_names_pages_in_their_order() {
        let sidebars = "// 'no'\nmodule.exports = { a: [{ type: 'category', label: 'Get started', items: ['web/b', \"web/a\"] }] }";
        check(Kind::Docusaurus, "sidebars.js", sidebars, &["category", "web/b", "web/a"]);
        let nav = "nav:\n  - Home: index.md\n  - Web:\n    - web/install.md\n    - Use: web/use.md\n";
        check(Kind::Mkdocs, "mkdocs.yml", nav, &["index.md", "web/install.md", "web/use.md"]);
        check(
            Kind::Mdbook,
            "SUMMARY.md",
            "# Summary\n- [A](./a.md)\n  - [B](b/c.md)\n- [D]()\n",
            &["a.md", "b/c.md", ""],
        );
        let config =
            "export default { base: '/x/', themeConfig: { sidebar: [{ text: 'A', link: '/guide/a' }] } }";
        check(Kind::Vitepress, "config.ts", config, &["A", "guide/a"]);
        let config = "sidebar: { '/g/': { base: '/g/', items: [{ link: 'a/' }, { base: '/g/b/', items: [{ text: 'It\\'s b', link: '/' }, { link: 'c' }] }] } }";
        check(Kind::Vitepress, "config.ts", config, &["g", "g/a", "g/b", "g/b/c"]);
    }

    #[test]
    fn a_folder_may_say_its_position() {
        assert_eq!(position_of_folder("_category_.json", "{\"label\": \"A\", \"position\": 2.5}"), Some(2.5));
        assert_eq!(position_of_folder("_category_.yml", "label: A\nposition: 3\n"), Some(3.0));
        assert_eq!(position_of_folder("_category_.json", "{}"), None);
    }
}
