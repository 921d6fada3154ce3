//! Addresses: the site-absolute URL paths of all published files.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A site-absolute URL path, decoded: `/developers/web/create-connection/`, `/images/x.png`.
///
/// Begins with `/` and contains no empty, `.` or `..` segment. A final `/` marks a page.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Address(Arc<str>);

impl Address {
    /// Normalizes a path: resolves `.` and `..` as browsers do, and merges repeated slashes.
    pub fn new(path: &str) -> Self {
        // Fast path: most paths are already normal. Only names that begin with a dot need a closer look.
        let is_normal = |pair: &[u8]| !matches!(pair, b"//" | b"/.");
        if path.starts_with('/') && path.as_bytes().windows(2).all(is_normal) {
            return Self(path.into());
        }
        let mut segments: Vec<&str> = Vec::new();
        for segment in path.split('/') {
            match segment {
                "" | "." => {}
                ".." => _ = segments.pop(),
                segment => segments.push(segment),
            }
        }
        let is_folder =
            path.is_empty() || path.ends_with('/') || path.ends_with("/.") || path.ends_with("/..");
        let end = if is_folder && !segments.is_empty() { "/" } else { "" };
        Self(format!("/{}{end}", segments.join("/")).into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is the address of a page: it ends with a slash.
    pub fn is_page(&self) -> bool {
        self.0.ends_with('/')
    }

    /// Returns the same path as the address of a page.
    #[must_use]
    pub fn as_page(&self) -> Self {
        if self.is_page() { self.clone() } else { Self(format!("{}/", self.0).into()) }
    }

    /// Returns the last segment, decoded, or `None` for the root.
    pub fn last_segment(&self) -> Option<&str> {
        let path = self.0.strip_suffix('/').unwrap_or(&self.0);
        path.rsplit('/').next().filter(|segment| !segment.is_empty())
    }

    /// Returns the address one folder up. The root is its own parent.
    #[must_use]
    pub fn parent(&self) -> Self {
        let path = self.0.trim_end_matches('/');
        Self::new(path.rfind('/').map_or("/", |slash| &path[..=slash]))
    }

    /// Returns the ancestors, from the nearest to the root. The root has none.
    pub fn above(&self) -> impl Iterator<Item = Self> + use<> {
        let parent = |address: &Self| (address.as_str() != "/").then(|| address.parent());
        std::iter::successors(parent(self), parent)
    }

    /// Returns the address of the light image if this is the address of its dark version.
    pub fn light(&self) -> Option<Self> {
        let (rest, extension) = self.as_str().rsplit_once('.')?;
        rest.strip_suffix(".dark").map(|stem| Self::new(&format!("{stem}.{extension}")))
    }

    /// Returns the address of the dark version of an image: `/a.dark.png` for `/a.png`.
    pub fn dark(&self) -> Option<Self> {
        dark_of(self.as_str()).map(|dark| Self::new(&dark))
    }

    /// Returns the address of the Markdown version of a page, which is next to it.
    #[must_use]
    pub fn twin(&self) -> Self {
        Self([self.as_page().as_str(), "index.md"].concat().into())
    }

    /// Returns the address of the list of pages at and under this page.
    #[must_use]
    pub fn list(&self) -> Self {
        Self([self.as_page().as_str(), "llms.txt"].concat().into())
    }

    /// Returns the path in the output folder: `a/b/index.html`, `images/x.png`.
    pub fn output_path(&self) -> String {
        let index = if self.is_page() { "index.html" } else { "" };
        format!("{}{index}", &self.0[1..])
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Borrow<str> for Address {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl Address {
    /// Returns the address of a Markdown file: both `a/index.md` and `a.md` give `/a/`.
    ///
    /// `below` is the path relative to `content/`. `slug` replaces the last segment.
    pub fn of_page(below: &str, slug: Option<&str>) -> Self {
        let stem = below.strip_suffix(".md").unwrap_or(below);
        let folder = match stem.strip_suffix("index") {
            Some(folder) if folder.is_empty() || folder.ends_with('/') => folder.trim_end_matches('/'),
            _ => stem,
        };
        let path = match (slug, folder.rsplit_once('/')) {
            (Some(slug), Some((parent, _))) => ["/", parent, "/", slug, "/"].concat(),
            (Some(slug), None) if !folder.is_empty() => ["/", slug, "/"].concat(),
            _ => ["/", folder, "/"].concat(),
        };
        Self::new(&path)
    }
}

/// Turns a segment into words: `create-connection` becomes `Create connection`.
pub fn words(segment: &str) -> String {
    let spaced = segment.replace(['-', '_'], " ");
    let mut letters = spaced.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Returns the path of an image's dark version, as [`Address::dark`] does.
pub fn dark_of(path: &str) -> Option<String> {
    let (stem, extension) = path.rsplit_once('.').filter(|(_, extension)| !extension.contains('/'))?;
    let has_name = !stem.is_empty() && !stem.ends_with('/');
    has_name.then(|| format!("{stem}.dark.{extension}"))
}

/// Returns the letters and digits of a text in lower case. Most rules for heading IDs agree on them.
pub fn letters(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
}

/// Turns a name into an anchor or ID by GitHub's rule for headings.
///
/// Letters become lower case. Letters, digits, marks, `_` and `-` stay, and spaces become `-`. All other characters
/// are removed, and hyphens are not merged. Source: `github-slugger`, checked against its fixtures.
pub fn slug_of(text: &str) -> String {
    if text.is_ascii() {
        let mut slug = Vec::with_capacity(text.len());
        slug.extend_from_slice(text.as_bytes());
        slug.retain_mut(|byte| {
            *byte = if *byte == b' ' { b'-' } else { byte.to_ascii_lowercase() };
            byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
        });
        return String::from_utf8(slug).unwrap_or_default();
    }
    let mut slug = String::with_capacity(text.len());
    let mut push = |letter: char| match letter {
        ' ' => slug.push('-'),
        '-' | '_' => slug.push(letter),
        _ if letter.is_alphanumeric() || is_mark(letter) => slug.push(letter),
        _ => {}
    };
    for letter in text.chars() {
        if letter.is_ascii() {
            push(letter.to_ascii_lowercase());
        } else {
            letter.to_lowercase().for_each(&mut push);
        }
    }
    slug
}

/// Combining marks that are part of letters, listed as blocks because `char` has no general categories.
fn is_mark(letter: char) -> bool {
    matches!(letter,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{487}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}'
        | '\u{64b}'..='\u{65f}' | '\u{900}'..='\u{903}' | '\u{93a}'..='\u{94f}' | '\u{e31}' | '\u{e34}'..='\u{e3a}'
        | '\u{e47}'..='\u{e4e}' | '\u{1ab0}'..='\u{1aff}' | '\u{20d0}'..='\u{20ff}' | '\u{3099}' | '\u{309a}'
        | '\u{fe0f}')
}

/// Percent-encodes a decoded path for use in a URL. Slashes stay.
pub fn encode(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    encode_into(path, &mut encoded);
    encoded
}

/// Appends the result of [`encode`] to `out`.
pub fn encode_into(path: &str, out: &mut String) {
    use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
    /// Characters that are not allowed in a URL's path, or that HTML would escape.
    const PATH: &AsciiSet = &CONTROLS
        .add(b' ')
        .add(b'"')
        .add(b'#')
        .add(b'<')
        .add(b'>')
        .add(b'?')
        .add(b'`')
        .add(b'{')
        .add(b'}')
        .add(b'%')
        .add(b'\\')
        .add(b'^')
        .add(b'|')
        .add(b'&')
        .add(b'\'')
        .add(b'[')
        .add(b']');
    // Nearly every path stays as it is.
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'_' | b'.');
    if path.bytes().all(is_plain) {
        out.push_str(path);
    } else {
        out.extend(utf8_percent_encode(path, PATH));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_page(below: &str, slug: Option<&str>, address: &str, output: &str) {
        let page = Address::of_page(below, slug);
        assert_eq!((page.as_str(), page.output_path().as_str()), (address, output));
    }

    #[test]
    fn pages_are_published_as_folders() {
        check_page("a/b.md", None, "/a/b/", "a/b/index.html");
        check_page("a/b/index.md", None, "/a/b/", "a/b/index.html");
        check_page("index.md", None, "/", "index.html");
        check_page("reindex.md", None, "/reindex/", "reindex/index.html");
        check_page("a/b.md", Some("c"), "/a/c/", "a/c/index.html");
        check_page("a/b/index.md", Some("c"), "/a/c/", "a/c/index.html");
        check_page("b.md", Some("c"), "/c/", "c/index.html");
        check_page("index.md", Some("c"), "/", "index.html");
        check_page("ä b.md", None, "/ä b/", "ä b/index.html");
    }

    #[test]
    fn dots_are_resolved_and_never_leave_the_site() {
        let normal = |path| Address::new(path).as_str().to_string();
        assert_eq!(normal("/a/./b/../c"), "/a/c");
        assert_eq!(normal("/../../a/"), "/a/");
        assert_eq!(normal("/a/.."), "/");
        assert_eq!(normal("//a//b/"), "/a/b/");
        assert_eq!(normal("/a/b/.."), "/a/");
        assert_eq!(normal("/../.a/b"), "/.a/b");
        assert_eq!(normal("/a.b/c./"), "/a.b/c./");
        assert_eq!(normal("a/b"), "/a/b");
        assert_eq!(normal("/"), "/");
        assert_eq!(normal(""), "/");
    }

    #[test]
    fn slugs_are_githubs() {
        let cases = [
            ("4.1 Create your connection", "41-create-your-connection"),
            ("A - B & C", "a---b--c"),
            ("Enter `logLevel` (now!)", "enter-loglevel-now"),
            ("Über_uns – 日本", "über_uns--日本"),
            ("e\u{301}t\u{e9}", "e\u{301}t\u{e9}"),
            ("", ""),
        ];
        for (text, slug) in cases {
            assert_eq!(slug_of(text), slug);
        }
    }

    #[test]
    fn paths_are_encoded_for_urls() {
        assert_eq!(encode("/a b/100%/é"), "/a%20b/100%25/%C3%A9");
    }
}
