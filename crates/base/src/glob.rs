//! Patterns of paths.

use std::borrow::Cow;

/// A pattern: `*` matches anything except `/`, and `**` any folders.
#[derive(Clone, Debug)]
pub struct Glob(String);

impl Glob {
    /// An exclamation mark at the start has no special meaning.
    pub fn new(pattern: &str) -> Result<Self, fast_glob::Error> {
        let escape = if pattern.starts_with('!') { "\\" } else { "" };
        let pattern = format!("{escape}{pattern}");
        fast_glob::validate(&pattern)?;
        Ok(Self(pattern))
    }

    pub fn is_match(&self, path: &str) -> bool {
        fast_glob::glob_match(&self.0, path)
    }
}

/// Whether a pattern matches only one path, which is written in it.
pub fn is_path(pattern: &str) -> bool {
    !pattern.contains(is_special)
}

/// Returns a pattern that matches only the given path.
pub fn escape(path: &str) -> Cow<'_, str> {
    if is_path(path) {
        return path.into();
    }
    let escaped = path.chars().flat_map(|c| is_special(c).then_some('\\').into_iter().chain([c]));
    escaped.collect::<String>().into()
}

fn is_special(c: char) -> bool {
    matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | '!' | '\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_match(pattern: &str, path: &str, expected: bool) {
        let glob = Glob::new(pattern).expect("is valid");
        assert_eq!(glob.is_match(path), expected, "{pattern}: {path}");
    }

    #[test]
    fn a_star_matches_within_a_folder_and_two_any_folders() {
        check_match("docs/*.md", "docs/a.md", true);
        check_match("docs/*.md", "docs/a/b.md", false);
        check_match("docs/**/*.{md,mdx}", "docs/a.mdx", true);
        check_match("docs/**/*.{md,mdx}", "docs/a/b/c.md", true);
        check_match("docs/**", "docs/a/b", true);
        check_match("https://example.com/**", "https://example.com/a/b?c", true);
    }

    #[test]
    fn an_exclamation_mark_is_an_ordinary_character() {
        check_match("!otp", "!otp", true);
        check_match("!otp", "another", false);
    }

    #[test]
    fn an_escaped_path_matches_itself() {
        for path in ["a/b.md", "a [1]{2}*?!\\.md"] {
            check_match(&escape(path), path, true);
        }
    }

    #[test]
    fn an_unclosed_group_is_reported() {
        assert!(Glob::new("docs/{a,b").is_err());
        assert!(Glob::new("![").is_err());
    }
}
