//! Converts between file paths and URIs (RFC 8089, "The file URI scheme").

use std::path::{Path, PathBuf};
use std::str::FromStr;

use lsp_types::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Characters that aren't encoded in a URI's path (RFC 3986, section 3.3).
const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Returns the path of a URI, or `None` if it isn't a file, such as a text that was never saved.
pub(super) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    let path = &rest[rest.find('/')?..];
    let path = path.split(['?', '#']).next().unwrap_or(path);
    Some(PathBuf::from(percent_decode_str(path).decode_utf8().ok()?.into_owned()))
}

/// Returns the URI of a file, or `None` if its name isn't UTF-8.
pub(super) fn of_path(path: &Path) -> Option<Uri> {
    Uri::from_str(&format!("file://{}", utf8_percent_encode(path.to_str()?, KEPT))).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_come_back_from_their_uris() {
        for path in ["/a/b.md", "/a b/ä%20?#[x].md", "/日本/c:d.md"] {
            let uri = of_path(Path::new(path)).expect("it is UTF-8");
            assert_eq!(path_of(&uri), Some(PathBuf::from(path)), "{}", uri.as_str());
        }
        let of = |uri: &str| path_of(&Uri::from_str(uri).expect("a URI"));
        assert_eq!(of("file:///a%3Ab/c%C3%A4.md"), Some(PathBuf::from("/a:b/cä.md")));
        assert_eq!(of("untitled:Untitled-1"), None);
    }
}
