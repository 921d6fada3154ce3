//! The part of a file that is included: lines, or what is between two marks.

/// What `wanted` says of a text: nothing for all of it, `2:5` for lines, or the name of a section.
pub(super) fn selected(text: &str, wanted: &str) -> String {
    let wanted = wanted.trim();
    let lines = || text.lines().filter(|line| mark(line).is_none());
    let number = |text: &str| text.trim().parse::<usize>().ok();
    if wanted.is_empty() {
        return lines().collect::<Vec<_>>().join("\n");
    }
    let (first, last) = wanted.split_once([':', ',', '-']).unwrap_or((wanted, wanted));
    let is_number = |text: &str| text.trim().is_empty() || number(text).is_some();
    if is_number(first) && is_number(last.split(':').next().unwrap_or_default()) {
        let first = number(first).unwrap_or(1).max(1);
        let last = number(last.split(':').next().unwrap_or_default()).unwrap_or(usize::MAX);
        let taken = text.lines().skip(first - 1).take(last.saturating_sub(first - 1));
        return taken.collect::<Vec<_>>().join("\n");
    }
    let mut inside = false;
    let mut found = Vec::new();
    for line in text.lines() {
        match mark(line) {
            Some((name, opens)) if name == wanted => inside = opens,
            None if inside => found.push(line),
            _ => {}
        }
    }
    dedented(&found)
}

/// The section that a line begins, or ends: `ANCHOR: name`, `--8<-- [start:name]`, `#region name`.
fn mark(line: &str) -> Option<(&str, bool)> {
    let after = |sign: &str| line.find(sign).map(|at| line[at + sign.len()..].trim());
    let word = |text: &'_ str| -> usize { text.find([' ', ']', '*', '-']).unwrap_or(text.len()) };
    for (sign, opens) in [
        ("ANCHOR_END:", false),
        ("ANCHOR:", true),
        ("--8<-- [start:", true),
        ("--8<-- [end:", false),
        ("#endregion", false),
        ("#region", true),
    ] {
        if let Some(name) = after(sign) {
            return Some((&name[..word(name)], opens));
        }
    }
    None
}

fn dedented(lines: &[&str]) -> String {
    let blank = |line: &&str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let least = lines.iter().filter(|line| !line.trim().is_empty()).map(blank).min().unwrap_or(0);
    let lines = lines.iter().map(|line| line.get(least..).unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// The language that a file's name says, for a fence.
pub(super) fn language(path: &str) -> &str {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension {
        "rs" => "rust",
        "kt" | "kts" => "kotlin",
        "m" | "h" => "objectivec",
        "gradle" => "groovy",
        "plist" => "xml",
        "py" => "python",
        other if other.bytes().all(|byte| byte.is_ascii_alphanumeric()) => other,
        _ => "",
    }
}

/// Code in a fence that is longer than any in it.
pub(super) fn fenced(code: &str, info: &str) -> String {
    let code = code.trim_end_matches(['\n', '\r']).trim_start_matches(['\n', '\r']);
    let run = |line: &str| line.trim_start().bytes().take_while(|byte| *byte == b'`').count();
    let marks = "`".repeat(code.lines().map(run).max().unwrap_or(0).max(2) + 1);
    format!("{marks}{info}\n{code}\n{marks}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_sections_are_taken() {
        let text = "a\n// ANCHOR: x\n  b\n  c\n// ANCHOR_END: x\nd\n";
        assert_eq!(selected(text, ""), "a\n  b\n  c\nd");
        assert_eq!(selected(text, "x"), "b\nc");
        assert_eq!(selected(text, "1"), "a");
        assert_eq!(selected("a\nb\nc", "2:"), "b\nc");
        assert_eq!(selected("a\nb\nc", ":2"), "a\nb");
        assert_eq!(selected("a\nb\nc", "0:99"), "a\nb\nc");
        assert_eq!(selected("a", "none"), "");
    }
}
