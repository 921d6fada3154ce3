//! Git's conflict markers.

use std::ops::Range;

use crate::diagnostic::{Code, Problem};

/// Start of a conflict's first line.
pub const OURS: &str = "<<<<<<<";
/// Start of a conflict's last line.
pub const THEIRS: &str = ">>>>>>>";

/// Whether a line begins with a marker of seven characters, alone or followed by a name.
pub fn is_marker(line: &str, signs: &str) -> bool {
    line.strip_prefix(signs).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// Returns the finding at the first line of a conflict.
pub fn problem(text: &str, first: Range<usize>) -> Problem {
    let name = text[first.clone()].trim_start_matches(['<', '>']).trim();
    let whose = if name.is_empty() { String::new() } else { format!(" of `{name}`") };
    let message = format!("unresolved merge conflict{whose}");
    let help = if text[first.clone()].starts_with(THEIRS) {
        "remove this line, and the `=======` above it if there is one"
    } else {
        "keep the correct lines, and remove the `<<<<<<<`, `=======`, and `>>>>>>>` lines"
    };
    Problem::new(Code::MergeConflict, first, message).help(help.to_string())
}
