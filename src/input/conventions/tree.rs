//! The files of a repository, as far as recognizing it needs them.

/// The tree of a repository, as far as recognising it needs.
pub trait FileTree {
    /// The text of a file below the root.
    fn text(&self, path: &str) -> Option<String>;
    /// Whether there is a folder at a path below the root.
    fn is_folder(&self, path: &str) -> bool;
    /// Whether a folder below the root, or one in it, has a Markdown file.
    fn has_pages(&self, folder: &str) -> bool;
    /// The files in a folder below the root and in those in it, by their paths below it.
    fn files(&self, folder: &str) -> Vec<String>;
    /// The files below the root whose names have an ending, wherever they are, but for hidden and private folders; sorted.
    fn pages(&self, ending: &str) -> Vec<String>;
    /// The names in a folder below the root, sorted.
    fn names(&self, folder: &str) -> Vec<String>;
    /// All files below the root, but for those in hidden and private folders; sorted.
    fn all(&self) -> Vec<String>;
    /// The text of a page, which is no configuration: nothing that is read depends on it alone.
    fn peek(&self, page: &str) -> Option<String>;
}

/// A folder of a tree, seen as the root of one.
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

    fn pages(&self, ending: &str) -> Vec<String> {
        let below = |page: String| Some(page.strip_prefix(self.folder)?.strip_prefix('/')?.to_string());
        self.tree.pages(ending).into_iter().filter_map(below).collect()
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

/// A path that starts in a folder as one from where that folder is; `..` leads out of it, but never out of the root.
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

/// A folder of files and where they are published.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PublishedFolder {
    /// Below the root, without a slash at either end; empty for the root itself.
    pub path: String,
    /// The folder of their addresses, without a slash at either end; empty for the site's root.
    pub at: String,
}

impl PublishedFolder {
    /// A folder that is published at the site's root.
    pub fn at_root(path: &str) -> Self {
        Self { path: path.to_string(), at: String::new() }
    }

    /// A path below the root as one below this folder.
    pub fn below<'p>(&self, path: &'p str) -> Option<&'p str> {
        match self.path.as_str() {
            "" => Some(path),
            folder => path.strip_prefix(folder)?.strip_prefix('/'),
        }
    }

    /// The file whose content is published at a path below the site's root, which need not exist.
    pub fn file_at(&self, published: &str) -> Option<String> {
        let below = published.strip_prefix(self.at.as_str())?;
        let is_below = self.at.is_empty() || below.starts_with('/') || below.is_empty();
        is_below.then(|| self.with(below.trim_start_matches('/')))
    }

    /// A path below this folder as one below the root.
    pub fn with(&self, below: &str) -> String {
        if self.path.is_empty() { below.to_string() } else { format!("{}/{below}", self.path) }
    }

    /// The address of a path below this folder, without the first slash.
    pub fn at_address(&self, below: &str) -> String {
        if self.at.is_empty() { below.to_string() } else { format!("{}/{below}", self.at) }
    }
}
