//! Editors that open a line of a file by a URL, which the system passes to them.

use std::path::Path;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// Editors with their own URL scheme, and the URL that opens a line of a file. `{path}` begins with a slash.
const KNOWN: [(&str, &str); 9] = [
    ("cursor", "cursor://file{path}:{line}:{column}"),
    ("idea", "idea://open?file={path}&line={line}&column={column}"),
    ("textmate", "txmt://open?url=file://{path}&line={line}&column={column}"),
    ("vscode", "vscode://file{path}:{line}:{column}"),
    ("vscode-insiders", "vscode-insiders://file{path}:{line}:{column}"),
    ("vscodium", "vscodium://file{path}:{line}:{column}"),
    ("webstorm", "webstorm://open?file={path}&line={line}&column={column}"),
    ("windsurf", "windsurf://file{path}:{line}:{column}"),
    ("zed", "zed://file{path}:{line}:{column}"),
];

/// Characters that are percent-encoded in paths.
const IN_PATHS: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// An editor that opens files by URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Editor {
    /// A URL with `{path}`, and optionally `{line}` and `{column}`.
    address: String,
}

impl Editor {
    /// # Errors
    ///
    /// The message, with the help on a second line.
    fn parse(text: &str) -> Result<Self, String> {
        let known = KNOWN.iter().find(|(name, _)| *name == text);
        if let Some((_, address)) = known {
            return Ok(Self { address: (*address).to_string() });
        }
        let names: Vec<&str> = KNOWN.iter().map(|(name, _)| *name).collect();
        let help = format!("use one of `{}`, or a URL such as `{}`", names.join("`, `"), KNOWN[3].1);
        let scheme = text.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
        match scheme.as_deref() {
            // A browser would run these in the page that contains the link.
            Some("javascript" | "data" | "vbscript") => {
                Err(format!("`{text}` is a script and can't open an editor\n{help}"))
            }
            Some(_) if text.contains("{path}") => Ok(Self { address: text.to_string() }),
            Some(_) => Err(format!("`{text}` has no `{{path}}`\n{help}")),
            None => Err(format!("unknown editor `{text}`\n{help}")),
        }
    }

    /// Returns the URL that opens a file, an absolute path, at a line and column, both counted from 1.
    pub fn address(&self, file: &Path, line: usize, column: usize) -> String {
        let path = file.to_string_lossy();
        let path = utf8_percent_encode(&path, IN_PATHS).to_string();
        let address = self.address.replace("{line}", &line.to_string());
        address.replace("{column}", &column.to_string()).replace("{path}", &path)
    }
}

impl<'de> Deserialize<'de> for Editor {
    fn deserialize<D: Deserializer<'de>>(editor: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(editor)?).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(editor: &str, file: &str, expected: &str) {
        let editor = Editor::parse(editor).expect(editor);
        assert_eq!(editor.address(Path::new(file), 14, 3), expected);
    }

    #[test]
    fn a_line_has_an_address() {
        check("vscode", "/home/a/x.md", "vscode://file/home/a/x.md:14:3");
        check("idea", "/a/x.md", "idea://open?file=/a/x.md&line=14&column=3");
        check("my://go?f={path}#L{line}", "/a/x.md", "my://go?f=/a/x.md#L14");
    }

    #[test]
    fn characters_of_a_path_are_escaped_in_the_url() {
        check("zed", "/a b/{line}&ü#?.md", "zed://file/a%20b/%7Bline%7D%26%C3%BC%23%3F.md:14:3");
    }

    #[test]
    fn values_that_open_no_editor_are_rejected() {
        for (text, cause) in [
            ("vim", "unknown editor `vim`"),
            ("my://go", "`my://go` has no `{path}`"),
            ("JavaScript://%0aalert({path})", "is a script and can't open an editor"),
        ] {
            let said = Editor::parse(text).expect_err(text);
            assert!(said.contains(cause) && said.lines().count() == 2, "{said}");
        }
    }
}
