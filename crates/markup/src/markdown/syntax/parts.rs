//! The included part of a file: lines, or a region between two markers.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::RangeInclusive;

use base::fences::text_lines;
use input::conventions::AnchorRule;

/// Returns the part of a text that `wanted` selects: empty for all of it, `2:5` for lines, or the name of a region. A region that
/// the text doesn't have is empty.
pub(super) fn selected(text: &str, wanted: &str) -> String {
    selected_if_present(text, wanted).unwrap_or_default()
}

/// The same, or `None` for a region that the text doesn't have.
pub(super) fn selected_if_present(text: &str, wanted: &str) -> Option<String> {
    let wanted = wanted.trim();
    let lines = || text.lines().filter(|line| mark(line).is_none());
    let number = |text: &str| text.trim().parse::<usize>().ok();
    if wanted.is_empty() {
        return Some(lines().collect::<Vec<_>>().join("\n"));
    }
    // Several ranges have a comma between them: `1:3,5:6`.
    let ranges: Vec<&str> = if wanted.contains(':') { wanted.split(',').collect() } else { vec![wanted] };
    let range = |written: &&str| {
        let (first, last) = written.split_once([':', ',', '-']).unwrap_or((written, written));
        let last = last.split(':').next().unwrap_or_default();
        let is_number = |text: &str| text.trim().is_empty() || number(text).is_some();
        let first_line = number(first).unwrap_or(1).max(1);
        (is_number(first) && is_number(last)).then(|| (first_line, number(last).unwrap_or(usize::MAX)))
    };
    if let Some(ranges) = ranges.iter().map(range).collect::<Option<Vec<_>>>() {
        let taken =
            |(first, last): (usize, usize)| text.lines().skip(first - 1).take(last.saturating_sub(first - 1));
        return Some(ranges.into_iter().flat_map(taken).collect::<Vec<_>>().join("\n"));
    }
    region(text, wanted).map(|region| region.code)
}

/// Returns the section of a page below the heading with an ID, with that heading:
/// <https://vitepress.dev/guide/markdown#markdown-file-inclusion>.
pub(super) fn below_heading<'t>(text: &'t str, id: &str) -> Option<&'t str> {
    let level = |line: &str| line.bytes().take_while(|byte| *byte == b'#').count();
    let mut found: Option<(usize, usize)> = None;
    for (start, line) in text_lines(text).filter(|_| !id.is_empty()) {
        let depth = level(line);
        if !(1..=6).contains(&depth) || !line[depth..].starts_with(' ') {
            continue;
        }
        match found {
            Some((from, outer)) if depth <= outer => return Some(&text[from..start]),
            None if AnchorRule::Vue.id(line[depth..].trim()) == id => found = Some((start, depth)),
            _ => {}
        }
    }
    found.map(|(from, _)| &text[from..])
}

/// Returns a text without the markers of regions.
pub(super) fn whole(text: &str) -> String {
    dedented(text.lines().filter(|line| mark(line).is_none()))
}

/// Returns lines of a text, counted from 1, without the markers of regions, or `None` if it doesn't have all of them.
pub(super) fn lines(text: &str, wanted: &RangeInclusive<usize>) -> Option<String> {
    let (first, last) = (*wanted.start(), *wanted.end());
    if first == 0 || first > last || last > text.lines().count() {
        return None;
    }
    let taken = text.lines().skip(first - 1).take(last - first + 1);
    Some(dedented(taken.filter(|line| mark(line).is_none())))
}

/// A region between the markers with a name.
#[derive(Debug, PartialEq)]
pub(super) struct Region {
    pub(super) code: String,
    /// For a region without an end: its first line, and the missing end marker.
    pub(super) unended: Option<(usize, String)>,
}

/// Returns the region with a name. If several have it, returns all of them together.
pub(super) fn region(text: &str, name: &str) -> Option<Region> {
    let of_name: Vec<Marked<'_>> = regions(text).into_iter().filter(|region| region.name == name).collect();
    if of_name.is_empty() {
        return None;
    }
    // If such regions are nested, the outer one contains all.
    let mut from = 0;
    let mut taken: Vec<&str> = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    for region in &of_name {
        let end = region.end.unwrap_or(lines.len());
        taken.extend(lines.get(region.start.max(from)..end).into_iter().flatten());
        from = from.max(end);
    }
    let unended = of_name.iter().find(|region| region.end.is_none());
    let unended = unended.map(|region| (region.start, region.form.end_of(name)));
    Some(Region { code: dedented(taken.into_iter().filter(|line| mark(line).is_none())), unended })
}

/// Returns the names of a text's regions in order.
pub(super) fn region_names(text: &str) -> Vec<&str> {
    let mut seen = HashSet::new();
    let names = regions(text).into_iter().map(|region| region.name);
    names.filter(|name| !name.is_empty() && seen.insert(*name)).collect()
}

/// A region as positions of lines.
struct Marked<'t> {
    name: &'t str,
    form: Form,
    /// Number of the line after the start marker, counted from 0.
    start: usize,
    /// Number of the line with the end marker.
    end: Option<usize>,
}

/// Maximum number of open regions that are searched for an end without a name.
const FURTHEST: usize = 64;

fn regions(text: &str) -> Vec<Marked<'_>> {
    let mut regions: Vec<Marked<'_>> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let Some(Mark { form, name, opens }) = mark(line) else { continue };
        if opens {
            open.push(regions.len());
            regions.push(Marked { name, form, start: at + 1, end: None });
            continue;
        }
        let is_ended = |region: &Marked<'_>| region.form == form && (name.is_empty() || region.name == name);
        let near = open.len().saturating_sub(FURTHEST);
        if let Some(found) = open[near..].iter().rposition(|region| is_ended(&regions[*region])) {
            regions[open.remove(near + found)].end = Some(at);
        }
    }
    regions
}

/// The syntax of a region's markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `#region name`, `#endregion`: editors, `VitePress`, `DocFX`.
    Region,
    /// `ANCHOR: name`, `ANCHOR_END: name`: mdBook.
    Anchor,
    /// `--8<-- [start:name]`, `--8<-- [end:name]`: `MkDocs`.
    Scissors,
}

impl Form {
    /// Returns the end marker of a region.
    fn end_of(self, name: &str) -> String {
        match self {
            Self::Region => format!("#endregion {name}"),
            Self::Anchor => format!("ANCHOR_END: {name}"),
            Self::Scissors => format!("--8<-- [end:{name}]"),
        }
    }
}

/// A marker in a line.
#[derive(Debug, PartialEq)]
struct Mark<'t> {
    form: Form,
    /// Empty for an end marker without a name.
    name: &'t str,
    opens: bool,
}

/// Returns the marker in a line, in a comment of any language.
fn mark(line: &str) -> Option<Mark<'_>> {
    // The characters before it begin a comment.
    let word = line.find(|c: char| c.is_alphanumeric() || matches!(c, '"' | '`'))?;
    let (signs, rest) = line.split_at(word);
    region_mark(signs, rest).or_else(|| scissors(signs, rest)).or_else(|| anchor(line))
}

/// Parses `#region a`, `# region a`, `// #region a`, `<!-- region: a -->`, `#pragma region a` and `#End Region`.
fn region_mark<'t>(signs: &str, rest: &'t str) -> Option<Mark<'t>> {
    let (has_sign, rest) = match rest.strip_prefix("pragma ") {
        Some(rest) => (true, rest.trim_start()),
        None => (signs.ends_with('#'), rest),
    };
    let words = [("region", true), ("endregion", false), ("Region", true), ("End Region", false)];
    let (after, opens) = words.iter().find_map(|(word, opens)| Some((rest.strip_prefix(word)?, *opens)))?;
    if !after.is_empty() && !after.starts_with([':', ' ', '\t', '*', '-']) {
        return None;
    }
    let name = name_in(after);
    // Without a special character, it may be a word of a sentence or of the code.
    let is_word = signs.trim().is_empty() || name.contains(char::is_whitespace) || opens && name.is_empty();
    (has_sign || !is_word).then_some(Mark { form: Form::Region, name, opens })
}

/// Returns the text after the scissors of `pymdownx.snippets`, which have any number of hyphens on both sides: `--8<-- [start:a]`.
pub(super) fn after_scissors(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches('-');
    let inside = rest.strip_prefix("8<-").filter(|_| rest.len() < text.len())?;
    Some(inside.trim_start_matches('-'))
}

/// Parses `--8<-- [start:a]`.
fn scissors<'t>(signs: &str, rest: &'t str) -> Option<Mark<'t>> {
    let inside = rest.strip_prefix("8<-").filter(|_| signs.ends_with('-'))?;
    let inside = inside.trim_start_matches('-').trim_start();
    let opened = inside.strip_prefix("[start:").map(|name| (name, true));
    let (name, opens) = opened.or_else(|| Some((inside.strip_prefix("[end:")?, false)))?;
    let name = name.split(']').next().unwrap_or_default().trim();
    Some(Mark { form: Form::Scissors, name, opens })
}

/// Parses `ANCHOR: a`, which may follow code.
fn anchor(line: &str) -> Option<Mark<'_>> {
    let at = line.find("ANCHOR")?;
    let before = line[..at].trim_end();
    let is_comment = before.is_empty()
        || ["//", "#", "/*", "<!--", "--", ";", "%", "*", "!"].iter().any(|sign| before.ends_with(sign));
    let rest = &line[at + "ANCHOR".len()..];
    let opened = rest.strip_prefix(':').map(|name| (name, true));
    let (name, opens) = opened.or_else(|| Some((rest.strip_prefix("_END:")?, false)))?;
    let name = name_in(name).split_whitespace().next().unwrap_or_default();
    is_comment.then_some(Mark { form: Form::Anchor, name, opens })
}

/// Returns a name without the end of the comment that contains it.
fn name_in(text: &str) -> &str {
    let text = text.trim().trim_start_matches(':').trim_start();
    let text = text.strip_suffix("*/").or_else(|| text.strip_suffix("-->")).unwrap_or(text).trim_end();
    text.trim_matches('"')
}

/// Removes the common indentation of lines, and the blank lines around them.
fn dedented<'t>(lines: impl Iterator<Item = &'t str>) -> String {
    let lines: Vec<&str> = lines.collect();
    let is_text = |line: &&str| !line.trim().is_empty();
    let (first, last) = (lines.iter().position(is_text), lines.iter().rposition(is_text));
    let (Some(first), Some(last)) = (first, last) else { return String::new() };
    let lines = &lines[first..=last];
    let blank = |line: &'t str| &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
    let mut common = blank(lines[0]);
    for line in lines.iter().copied().filter(|line| is_text(line)) {
        let same = common.bytes().zip(blank(line).bytes()).take_while(|(one, other)| one == other).count();
        common = &common[..same];
    }
    let lines = lines.iter().map(|line| line.strip_prefix(common).unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns a text whose selected targets of links and images begin with a folder. Of a target, the selection gets all text that
/// follows, and whether it is an image's.
pub(super) fn relocated<'t>(
    text: &'t str,
    folder: &str,
    is_selected: impl Fn(&str, bool) -> bool,
) -> Cow<'t, str> {
    if folder.is_empty() {
        return text.into();
    }
    let (mut moved, mut copied, mut is_image) = (String::new(), 0, false);
    for (at, _) in text.match_indices(['[', ']']) {
        let start =
            ["](", "]: "].iter().find_map(|mark| text[at..].starts_with(mark).then(|| at + mark.len()));
        if text[at..].starts_with('[') {
            is_image = text[..at].ends_with('!');
        }
        let Some(start) = start else { continue };
        if is_selected(&text[start..], is_image) {
            moved.extend([&text[copied..start], folder, "/"]);
            copied = start;
        }
        is_image = false;
    }
    moved.push_str(&text[copied..]);
    moved.into()
}

/// Whether a text begins with a path that is relative to its page.
pub(super) fn is_relative(target: &str) -> bool {
    const LONGEST_SCHEME: usize = 20;
    let scheme = target.bytes().take(LONGEST_SCHEME).find(|byte| b":/) \n".contains(byte));
    !target.starts_with(['/', '#', '<']) && scheme != Some(b':')
}

/// Returns the language for a file's extension.
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

/// Returns a code block with more backticks than its code contains.
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

    #[track_caller]
    fn check(line: &str, expected: Option<(&str, bool)>) {
        assert_eq!(mark(line).map(|mark| (mark.name, mark.opens)), expected, "{line}");
    }

    #[test]
    fn regions_are_marked_in_comments_of_any_language() {
        for line in [
            "// #region init",
            "  //#region init",
            "#region init",
            "# region init",
            "# region: init",
            "// region init",
            "<!-- #region init -->",
            "/* #region init */",
            "-- #region init",
            "#pragma region init",
            "' #Region \"init\"",
            "// ANCHOR: init",
            "# ANCHOR: init",
            "start(); // ANCHOR: init",
            "<!-- ANCHOR: init -->",
            "# --8<-- [start:init]",
        ] {
            check(line, Some(("init", true)));
        }
        for line in ["// #endregion init", "# endregion: init", "ANCHOR_END: init", "// --8<-- [end:init]"] {
            check(line, Some(("init", false)));
        }
        check("#endregion", Some(("", false)));
        check("<!-- #endregion -->", Some(("", false)));
        check("#region Public API", Some(("Public API", true)));
        check("// #region my-part", Some(("my-part", true)));
        let none = [
            "// region of interest",
            "region = 1",
            "region init",
            "let a = \"#region b\";",
            "# regional",
            "",
        ];
        for line in none {
            check(line, None);
        }
    }

    #[track_caller]
    fn check_region(text: &str, name: &str, expected: Option<(&str, Option<usize>)>) {
        let region = region(text, name);
        let found = region.as_ref().map(|it| (&*it.code, it.unended.as_ref().map(|(line, _)| *line)));
        assert_eq!(found, expected, "{name} of {text:?}");
    }

    #[test]
    fn regions_may_be_within_each_other() {
        let text = "a\n#region x\n  b\n  #region y\n\n    c\n  #endregion\n  d\n#endregion\ne\n";
        check_region(text, "x", Some(("b\n\n  c\nd", None)));
        check_region(text, "y", Some(("c", None)));
        check_region(text, "z", None);
        assert_eq!(region_names(text), ["x", "y"]);
        assert_eq!(whole(text), "a\n  b\n\n    c\n  d\ne");
        check_region("#region x\na\n#endregion x\nb\n#region x\nc\n#endregion x", "x", Some(("a\nc", None)));
        check_region("#region x\na\n#region x\nb\n#endregion\nc\n#endregion", "x", Some(("a\nb\nc", None)));
        check_region("// ANCHOR: x\na\n#endregion\nb\n// ANCHOR_END: x\nc", "x", Some(("a\nb", None)));
        check_region("a\n#region x\nb\n", "x", Some(("b", Some(2))));
        check_region("#region x\n#endregion x\n", "x", Some(("", None)));
    }

    #[test]
    fn indentation_that_all_lines_have_is_taken_away() {
        check_region("#region x\r\n\t\ta\r\n\r\n\t b\r\n#endregion\r\n", "x", Some(("\ta\n\n b", None)));
        check_region("#region x\n\ta\n    b\n#endregion", "x", Some(("\ta\n    b", None)));
        assert_eq!(lines("  a\n    b\n c\n", &(1..=2)).as_deref(), Some("a\n  b"));
        assert_eq!(lines("a\n#region x\nb", &(1..=3)).as_deref(), Some("a\nb"));
        for beyond in [0..=1, 2..=4, 4..=4] {
            assert_eq!(lines("a\nb\nc\n", &beyond), None);
        }
    }
}
