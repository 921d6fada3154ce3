//! A repository's files, as far as recognizing it requires them.

use base::site_path::join;
/// A repository's tree, as far as recognizing it requires it.
pub trait FileTree {
    /// Returns the text of a file, by its path relative to the root.
    fn text(&self, path: &str) -> Option<String>;
    /// Whether a folder exists at a path relative to the root.
    fn is_folder(&self, path: &str) -> bool;
    /// Whether a folder or one in it contains a Markdown file.
    fn has_pages(&self, folder: &str) -> bool;
    /// Returns the files in a folder and its subfolders, by their paths relative to it.
    fn files(&self, folder: &str) -> Vec<String>;
    /// Returns all files with an extension in a folder and its subfolders, sorted, except in hidden and private folders.
    fn pages(&self, folder: &str, ending: &str) -> Vec<String>;
    /// Returns the names in a folder, sorted.
    fn names(&self, folder: &str) -> Vec<String>;
    /// Returns all files, sorted, except in hidden and private folders.
    fn all(&self) -> Vec<String>;
    /// Returns the text of a page, which isn't a configuration: the result never depends on this text alone.
    fn peek(&self, page: &str) -> Option<String>;
}

/// A folder of a tree, viewed as its root.
pub(super) struct Subtree<'a> {
    pub(super) tree: &'a dyn FileTree,
    pub(super) folder: &'a str,
}

impl Subtree<'_> {
    fn at(&self, path: &str) -> String {
        within(self.folder, path)
    }
}

impl FileTree for Subtree<'_> {
    fn text(&self, path: &str) -> Option<String> {
        self.tree.text(&self.at(path))
    }

    fn is_folder(&self, path: &str) -> bool {
        self.tree.is_folder(&self.at(path))
    }

    fn has_pages(&self, folder: &str) -> bool {
        self.tree.has_pages(&self.at(folder))
    }

    fn files(&self, folder: &str) -> Vec<String> {
        self.tree.files(&self.at(folder))
    }

    fn pages(&self, folder: &str, ending: &str) -> Vec<String> {
        let below = |page: String| Some(page.strip_prefix(self.folder)?.strip_prefix('/')?.to_string());
        self.tree.pages(&self.at(folder), ending).into_iter().filter_map(below).collect()
    }

    fn names(&self, folder: &str) -> Vec<String> {
        self.tree.names(&self.at(folder))
    }

    fn all(&self) -> Vec<String> {
        let below = |file: String| Some(file.strip_prefix(self.folder)?.strip_prefix('/')?.to_string());
        self.tree.all().into_iter().filter_map(below).collect()
    }

    fn peek(&self, page: &str) -> Option<String> {
        self.tree.peek(&self.at(page))
    }
}

/// Whether a folder of routes isn't part of addresses: `(group)` and `@slot`.
pub(super) fn is_group(segment: &str) -> bool {
    segment.starts_with('(') && segment.ends_with(')') || segment.starts_with('@')
}

/// Whether a folder of pages belongs to a router that expects a folder's page in `page.mdx`.
pub(super) fn has_pages_by_folder(content: &PublishedFolder) -> bool {
    matches!(content.path.rsplit('/').next(), Some("app"))
}

/// Resolves a path relative to `start`. `..` goes up, but never beyond the root.
pub(super) fn within(start: &str, path: &str) -> String {
    let mut parts: Vec<&str> = start.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// A folder of files and the address where they are published.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PublishedFolder {
    /// Relative to the root, without a slash at either end. Empty for the root itself.
    pub path: String,
    /// The folder of their addresses, without a slash at either end. Empty for the site's root.
    pub at: String,
}

impl PublishedFolder {
    /// Returns a folder that is published at the site's root.
    pub fn at_root(path: &str) -> Self {
        Self { path: path.to_string(), at: String::new() }
    }

    /// Makes a path relative to this folder.
    pub fn below<'p>(&self, path: &'p str) -> Option<&'p str> {
        match self.path.as_str() {
            "" => Some(path),
            folder => path.strip_prefix(folder)?.strip_prefix('/'),
        }
    }

    /// Returns the file that is published at a path of the site. It may not exist.
    pub fn file_at(&self, published: &str) -> Option<String> {
        let below = published.strip_prefix(self.at.as_str())?;
        let is_below = self.at.is_empty() || below.starts_with('/') || below.is_empty();
        is_below.then(|| self.with(below.trim_start_matches('/')))
    }

    /// Makes a path in this folder relative to the root.
    pub fn with(&self, below: &str) -> String {
        join(&self.path, below)
    }

    /// Returns the address of a path in this folder, without the first slash.
    pub fn at_address(&self, below: &str) -> String {
        join(&self.at, below)
    }
}
