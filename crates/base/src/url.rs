//! How browsers interpret URLs.
//!
//! Determines the scheme of a target, and whether following it would run code in the reader's browser. Pages,
//! redirects and lists for programs all use these functions.

use std::ops::Range;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use crate::diagnostic::{Code, Problem};

/// How a URL is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A document that a reader opens, or an embedded document.
    Document,
    /// An image, in which no scripts run.
    Picture,
    /// Any other file that a page loads.
    File,
}

/// Schemes whose URLs run code.
const PROGRAMS: [&str; 2] = ["javascript", "vbscript"];

/// Types that are not allowed in `data:` URLs because their scripts run: HTML and XML (MIME Sniffing standard,
/// section 4.6), including all types ending in `+xml`.
const DOCUMENTS: [&str; 4] = ["text/html", "text/xml", "text/xsl", "application/xml"];

/// Whether following a URL would run code that it contains. Such a URL is never published.
pub fn is_unsafe(target: &str, purpose: Purpose) -> bool {
    // Fast path: most targets are paths without a colon, so they have no scheme.
    if !target.contains(':') {
        return false;
    }
    let read: String = as_read(target).collect();
    let Some((scheme, rest)) = read.split_once(':') else { return false };
    let scheme = scheme.to_ascii_lowercase();
    if PROGRAMS.contains(&scheme.as_str()) {
        return true;
    }
    scheme == "data" && is_unsafe_data(rest, purpose)
}

/// Returns the finding for a target that must not be published. It is removed from the page.
pub fn unsafe_target(span: Range<usize>, target: &str) -> Problem {
    let scheme: String = as_read(target).take_while(|c| *c != ':').collect();
    let message = format!("a `{}:` URL would run code in the reader's browser", scheme.to_lowercase());
    let help = "use the URL of a page or file; Stepkin publishes the page without this one";
    Problem::new(Code::UnsafeLink, span, message).help(help.to_string()).target(target)
}

fn is_unsafe_data(rest: &str, purpose: Purpose) -> bool {
    let kind = rest.split([';', ',']).next().unwrap_or_default().trim().to_ascii_lowercase();
    let runs = DOCUMENTS.contains(&kind.as_str()) || kind.ends_with("+xml");
    match purpose {
        Purpose::Picture => false,
        // An SVG image runs its scripts if it is opened as a document. Pages often embed SVG as an object.
        Purpose::File => runs && kind != "image/svg+xml",
        Purpose::Document => runs,
    }
}

/// Returns the target without the characters that browsers ignore: control characters and spaces around it, tabs and
/// line ends in it (URL standard, "basic URL parser").
fn as_read(target: &str) -> impl Iterator<Item = char> {
    let bare = target.trim_matches(|c: char| c <= ' ');
    bare.chars().filter(|c| !matches!(c, '\t' | '\n' | '\r'))
}

/// Returns the scheme of a URL by RFC 3986, section 3.1. Browsers pass URLs with unknown schemes to other programs.
///
/// A single letter is a drive, and a host with a port has no scheme.
pub fn scheme(target: &str) -> Option<&str> {
    const KNOWN: [&str; 12] = [
        "http",
        "https",
        "mailto",
        "tel",
        "sms",
        "data",
        "javascript",
        "vbscript",
        "blob",
        "about",
        "intent",
        "file",
    ];
    let (name, rest) = target.split_once(':')?;
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    let lower = KNOWN.iter().find(|known| name.eq_ignore_ascii_case(known)).copied();
    let port = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let is_port = !port.is_empty() && port.chars().all(|c| c.is_ascii_digit());
    let is_host = is_port && (name.contains('.') || name.eq_ignore_ascii_case("localhost"));
    let is_other = name.len() >= 2 && !rest.is_empty() && !is_host || rest.starts_with("//");
    if is_name { lower.or_else(|| is_other.then_some(name)) } else { None }
}

/// Whether a target contains characters that end a line or a field in lists and headers.
pub fn has_controls(target: &str) -> bool {
    target.chars().any(char::is_control)
}

/// Percent-encodes the characters of a URL that are not allowed in URLs. Encoded characters stay.
pub fn encoded(url: &str) -> String {
    /// URL standard, "query percent-encode set", and characters with a meaning in HTML and lists of redirects.
    const LEFT: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'`').add(b'\\');
    utf8_percent_encode(url, LEFT).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_unsafe(target: &str, document: bool, picture: bool, file: bool) {
        let purposes = [Purpose::Document, Purpose::Picture, Purpose::File];
        assert_eq!(
            purposes.map(|purpose| is_unsafe(target, purpose)),
            [document, picture, file],
            "{target:?}"
        );
    }

    #[test]
    fn urls_that_run_code_are_unsafe_in_any_spelling() {
        for target in [
            "javascript:alert(1)",
            "JavaScript:alert(1)",
            " \u{1}\u{1f}javascript:alert(1)",
            "java\nscript:alert(1)",
            "java\tscr\ript\n:alert(1)",
            "javascript&colon;alert(1)".replace("&colon;", ":").as_str(),
            "javascript://example.com/%0aalert(1)",
            "vbscript:msgbox(1)",
            "VBScript:x",
        ] {
            check_unsafe(target, true, true, true);
        }
    }

    #[test]
    fn data_is_safe_where_nothing_in_it_runs() {
        check_unsafe("data:image/png;base64,AA", false, false, false);
        check_unsafe("data:image/svg+xml,<svg/>", true, false, false);
        check_unsafe("data:text/html,<script>x</script>", true, false, true);
        check_unsafe("DATA:Text/HTML;base64,AA", true, false, true);
        check_unsafe("da\tta: text/html,x", true, false, true);
        check_unsafe("data:application/xhtml+xml,x", true, false, true);
        check_unsafe("data:text/css,x", false, false, false);
        check_unsafe("data:text/plain,x", false, false, false);
        check_unsafe("data:,", false, false, false);
    }

    #[test]
    fn other_addresses_are_safe() {
        for target in [
            "https://example.com/javascript:x",
            "/javascript:x",
            "java script:x",
            "\u{a0}javascript:x",
            "mailto:a@b.c",
            "x",
            "",
            "#data:text/html",
            "vscode://x",
        ] {
            check_unsafe(target, false, false, false);
        }
    }

    #[test]
    fn a_host_with_its_port_is_no_scheme() {
        for (target, expected) in [
            ("callto:123", Some("callto")),
            ("MAILTO:", Some("mailto")),
            ("localhost:3000/x", None),
            ("example.com:80", None),
            ("c:1", None),
            ("note:", None),
            ("x://", Some("x")),
        ] {
            assert_eq!(scheme(target), expected, "{target}");
        }
    }

    #[test]
    fn invalid_characters_are_encoded_once() {
        assert_eq!(encoded("https://e.org/a b\n/*\té%20"), "https://e.org/a%20b%0A/*%09%C3%A9%20");
    }
}
