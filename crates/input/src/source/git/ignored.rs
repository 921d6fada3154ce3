//! The rules of a `.gitignore`.

use std::fs;
use std::path::Path;

use base::glob::Glob;

/// The patterns of a `.gitignore`. Lines that can't be read as patterns match nothing, as in git.
#[derive(Debug)]
pub struct IgnoreRules(Vec<IgnoreRule>);

#[derive(Debug)]
struct IgnoreRule {
    glob: Glob,
    only_folders: bool,
    /// A pattern after `!` includes what an earlier one ignores.
    ignores: bool,
}

impl IgnoreRules {
    /// Reads a file. Returns `None` if it doesn't exist or isn't text.
    pub fn read(path: &Path) -> Option<Self> {
        fs::read_to_string(path).ok().map(|text| Self::parse(&text))
    }

    /// Returns the rules of the folders above a folder, up to the root of its Git repository, each with the path of `folder` in it.
    pub fn above(folder: &Path) -> Vec<(String, Self)> {
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
        let Some(top) = folder.ancestors().find(|it| it.join(".git").exists()) else { return Vec::new() };
        let within = folder.ancestors().skip(1).take_while(|it| it.starts_with(top));
        let rules = within.filter_map(|it| {
            let below = folder.strip_prefix(it).ok()?.to_str()?.to_string();
            Some((below, Self::read(&it.join(".gitignore"))?))
        });
        rules.collect()
    }

    /// Source: <https://git-scm.com/docs/gitignore#_pattern_format>.
    fn parse(text: &str) -> Self {
        let rules = text.strip_prefix('\u{feff}').unwrap_or(text).lines().filter_map(|line| {
            // A space after a backslash is part of the pattern.
            let bare = line.trim_end_matches(' ');
            let line = if bare.ends_with('\\') { &line[..line.len().min(bare.len() + 1)] } else { bare };
            let included = line.strip_prefix('!');
            let pattern = included.unwrap_or(line);
            if pattern.is_empty() || line.starts_with('#') {
                return None;
            }
            let path = pattern.strip_suffix('/').unwrap_or(pattern);
            // A pattern without a slash matches in every folder below.
            let anywhere = if path.contains('/') { "" } else { "**/" };
            let path = path.strip_prefix('/').unwrap_or(path);
            let glob = Glob::new(&format!("{anywhere}{}", path.replace('{', "\\{"))).ok()?;
            Some(IgnoreRule { glob, only_folders: pattern.ends_with('/'), ignores: included.is_none() })
        });
        Self(rules.collect())
    }

    /// Whether a file or folder is ignored, by its path relative to the file's folder. Its parent folders aren't looked up.
    pub fn is_ignored(&self, path: &str, is_folder: bool) -> bool {
        let mut rules = self.0.iter().rev();
        let last = rules.find(|rule| (is_folder || !rule.only_folders) && rule.glob.is_match(path));
        last.is_some_and(|rule| rule.ignores)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_ignored(rules: &str, path: &str, expected: bool) {
        let is_folder = path.ends_with('/');
        let rules = IgnoreRules::parse(rules);
        assert_eq!(rules.is_ignored(path.trim_end_matches('/'), is_folder), expected, "{path}");
    }

    #[test]
    fn a_pattern_without_a_slash_matches_in_every_folder() {
        check_ignored("*.html", "a/b/c.html", true);
        check_ignored("# *.html\n\n*.md", "a.html", false);
    }

    #[test]
    fn a_pattern_with_a_slash_is_relative() {
        for rule in ["/api", "docs/api", "docs/*", "docs/**/b.md"] {
            check_ignored(rule, "sub/api", false);
        }
        check_ignored("/api", "api", true);
        check_ignored("docs/*", "docs/api", true);
        check_ignored("docs/*", "docs/api/a.md", false);
        check_ignored("docs/**/b.md", "docs/a/c/b.md", true);
    }

    #[test]
    fn a_slash_at_the_end_is_for_folders() {
        check_ignored("build/", "docs/build/", true);
        check_ignored("build/", "docs/build", false);
    }

    #[test]
    fn the_last_pattern_counts() {
        check_ignored("*.md\n!keep.md", "a/keep.md", false);
        check_ignored("*.md\n!keep.md", "a/other.md", true);
        check_ignored("!keep.md\n*.md", "a/keep.md", true);
    }

    #[test]
    fn characters_are_escaped_by_a_backslash() {
        check_ignored("\\#a", "#a", true);
        check_ignored("\\!a", "!a", true);
        check_ignored("a\\ ", "a ", true);
        check_ignored("a  ", "a", true);
        check_ignored("{a,b}", "{a,b}", true);
        check_ignored("{a,b}", "a", false);
    }
}
