//! Patches for `git apply`.

use std::fmt::Write;

use similar::{DiffTag, group_diff_ops};

use base::diff;

/// Lines around a change.
const CONTEXT: usize = 3;

/// Returns the patch between two texts of a file. For Git, only line feeds end lines.
pub(super) fn unified(path: &str, before: &str, after: &str) -> String {
    changed((path, path), "", before, after)
}

/// Returns the patch for a renamed file.
pub(super) fn renamed((from, to): (&str, &str), before: &str, after: &str) -> String {
    // Git requires a similarity, but ignores its value.
    let (similar, changes) = if before == after { ("100%", false) } else { ("50%", true) };
    let (one, other) = (name("", from), name("", to));
    let lines = format!("similarity index {similar}\nrename from {one}\nrename to {other}\n");
    if changes {
        return changed((from, to), &lines, before, after);
    }
    format!("diff --git {} {}\n{lines}", name("a/", from), name("b/", to))
}

/// Returns the patch for a new file.
pub(super) fn created(path: &str, text: &str) -> String {
    let other = name("b/", path);
    let end = if path.contains(' ') { "\t" } else { "" };
    let head = format!("diff --git {} {other}\nnew file mode 100644\n", name("a/", path));
    format!("{head}--- /dev/null\n+++ {other}{end}\n{}", hunks("", text))
}

/// Returns the patch for one file, with `more` header lines.
fn changed((from, to): (&str, &str), more: &str, before: &str, after: &str) -> String {
    let (one, other) = (name("a/", from), name("b/", to));
    // For Git, a space ends a name.
    let end = |path: &str| if path.contains(' ') { "\t" } else { "" };
    let (one_end, other_end) = (end(from), end(to));
    let head = format!("diff --git {one} {other}\n{more}--- {one}{one_end}\n+++ {other}{other_end}\n");
    head + &hunks(before, after)
}

/// Returns the differences between two texts, with context.
pub(super) fn hunks(before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) =
        (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
    let mut lines = String::new();
    for group in group_diff_ops(diff::operations(&old, &new), CONTEXT) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let before = place(&(first.old_range().start..last.old_range().end));
        let after = place(&(first.new_range().start..last.new_range().end));
        lines.extend(["@@ -", &before, " +", &after, " @@\n"]);
        let mut push = |sign: char, text: &[&str]| {
            for line in text {
                lines.push(sign);
                lines.push_str(line);
                if !line.ends_with('\n') {
                    lines.push_str("\n\\ No newline at end of file\n");
                }
            }
        };
        for operation in &group {
            let (removed, added) = (&old[operation.old_range()], &new[operation.new_range()]);
            if operation.tag() == DiffTag::Equal {
                push(' ', removed);
            } else {
                push('-', removed);
                push('+', added);
            }
        }
    }
    lines
}

/// Returns the first line, from 1, and the number of lines. Without lines, it is the line before.
fn place(lines: &std::ops::Range<usize>) -> String {
    let first = if lines.is_empty() { lines.start } else { lines.start + 1 };
    format!("{first},{}", lines.len())
}

/// Returns a name as Git writes it, quoted if it contains special characters.
fn name(side: &str, path: &str) -> String {
    if !path.contains(|c: char| c == '"' || c == '\\' || c.is_control()) {
        return format!("{side}{path}");
    }
    let mut quoted = format!("\"{side}");
    for c in path.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                let mut bytes = [0; 4];
                for byte in c.encode_utf8(&mut bytes).bytes() {
                    write!(quoted, "\\{byte:03o}").expect("a String takes everything");
                }
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
