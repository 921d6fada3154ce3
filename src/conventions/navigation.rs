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
        Kind::Vitepress | Kind::Starlight => {
            let program = without_comments(text);
            let start = program.find("sidebar").unwrap_or(program.len());
            paths(&program[start..])
        }
        _ => paths(&without_comments(text)),
    }
}

/// The position among its neighbours that a file says of its folder.
pub fn position_of_folder(name: &str, text: &str) -> Option<f64> {
    Values::of(name, text).value("position")?.parse().ok()
}

/// Texts of a program that may be the paths of pages.
fn paths(program: &str) -> Vec<String> {
    let may_be_path =
        |text: &&str| !text.is_empty() && !text.contains([' ', '{', '$', '\n']) && !text.contains("://");
    literals(program).filter(may_be_path).map(|path| path.trim_matches('/').to_string()).collect()
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
    }

    #[test]
    fn a_folder_may_say_its_position() {
        assert_eq!(position_of_folder("_category_.json", "{\"label\": \"A\", \"position\": 2.5}"), Some(2.5));
        assert_eq!(position_of_folder("_category_.yml", "label: A\nposition: 3\n"), Some(3.0));
        assert_eq!(position_of_folder("_category_.json", "{}"), None);
    }
}
