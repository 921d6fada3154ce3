//! Files that a program of a site's configuration imports.

use super::FileTree;

/// Endings of modules, as a program may leave them out.
const ENDINGS: [&str; 9] = ["", ".js", ".ts", ".mjs", ".mts", ".cjs", ".json", "/index.js", "/index.ts"];

/// Returns the relative paths that a program imports, relative to its folder.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    ["from", "require(", "import("].into_iter().flat_map(move |word| {
        text.match_indices(word).filter_map(move |(at, _)| {
            let rest = text[at + word.len()..].trim_start();
            let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            rest[1..].split(quote).next().filter(|path| path.starts_with("./") || path.starts_with("../"))
        })
    })
}

/// Returns the path of a module. It may be outside the folder of the site.
fn beside(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(path.split('/')).filter(|part| !matches!(*part, "" | ".")) {
        if part == ".." && parts.last().is_some_and(|last| *last != "..") {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts.join("/")
}

/// Returns the modules that a program in `folder` imports and whose path contains one of `words`: the file of each,
/// or `None` if it isn't in the repository.
pub(super) fn imported(tree: &dyn FileTree, folder: &str, text: &str, words: &[&str]) -> Vec<Option<String>> {
    let is_meant = |path: &&str| {
        let path = path.to_ascii_lowercase();
        words.iter().any(|word| path.contains(word))
    };
    let file = |path: &str| {
        let path = beside(folder, path);
        ENDINGS.iter().map(|ending| format!("{path}{ending}")).find(|file| tree.text(file).is_some())
    };
    paths(text).filter(is_meant).map(file).collect()
}

/// Whether a program in `folder`, or a module that it imports, writes files. They may be pages.
pub(super) fn writes_files(tree: &dyn FileTree, folder: &str, text: &str) -> bool {
    let modules = imported(tree, folder, text, &[""]).into_iter().flatten();
    let mut modules = modules.filter_map(|file| tree.peek(&file));
    let is_writing = |text: &str| text.contains("writeFile");
    is_writing(text) || modules.any(|module| is_writing(&module))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_may_import_in_several_ways() {
        let text = "import a from './src/a.js';\nconst b = require('../b')\nimport d from 'redirects'\nconst e = await import(\"./e\")";
        assert_eq!(paths(text).collect::<Vec<_>>(), ["./src/a.js", "../b", "./e"]);
    }
}
