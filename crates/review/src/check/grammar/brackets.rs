//! Programs with one bracket too many, or one too few.

use super::Mistake;
use super::source::{CodeFence, PageSource};

/// Languages whose quotes and comments are those of C, or of Python.
#[rustfmt::skip]
pub(super) const LANGUAGES: &[&str] = &[
    "c", "c++", "cpp", "cs", "csharp", "dart", "go", "golang", "java", "javascript", "js", "kotlin", "php", "py", "python", "swift", "ts",
    "typescript",
];

/// A bracket in a program.
#[derive(Clone, Copy)]
struct Bracket {
    sign: u8,
    /// Position in the program.
    at: usize,
}

impl Bracket {
    const OPENING: &[u8] = b"([{";
    const CLOSING: &[u8] = b")]}";

    fn kind(self) -> Option<usize> {
        [Self::OPENING, Self::CLOSING].iter().find_map(|all| all.iter().position(|sign| *sign == self.sign))
    }

    fn is_opening(self) -> bool {
        Self::OPENING.contains(&self.sign)
    }
}

/// Reports the only bracket without its counterpart. Others mean that the block is a part of a program.
pub(super) fn unbalanced(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let code = &source.text[fence.code.clone()];
    // A change shows a line twice.
    let is_change =
        ["del", "diff", "ins", "remove"].iter().any(|it| source.text[fence.info.clone()].contains(it));
    if is_change {
        return None;
    }
    let (at, other) = without_other(code, matches!(fence.language, "py" | "python"))?;
    let sign = char::from(code.as_bytes()[at]);
    let place = fence.code.start + at..fence.code.start + at + 1;
    let Some(other) = other else {
        let message = format!("this `{sign}` has no other one in its line");
        return Some(Mistake::misread(place, message, "add the other one"));
    };
    let help = format!("add the `{other}`, or remove this one");
    Some(Mistake::misread(place, format!("this `{sign}` has no `{other}`"), help))
}

/// Returns the position of the bracket without its counterpart, and the counterpart, or the quote because of which a bracket isn't read.
fn without_other(code: &str, is_python: bool) -> Option<(usize, Option<char>)> {
    if is_partial(code) {
        return None;
    }
    let Program { brackets, open_text } = Program::of(code, is_python)?;
    let mut open = [0_isize; 3];
    for bracket in &brackets {
        open[bracket.kind()?] += if bracket.is_opening() { 1 } else { -1 };
    }
    let odd = open.iter().position(|count| *count != 0)?;
    let is_only = open.iter().filter(|count| **count != 0).count() == 1 && open[odd].abs() == 1;
    let is_missing = open[odd] > 0;
    if !is_only || Bracket::OPENING[odd] == b'{' && is_part(code, is_missing) {
        return None;
    }
    if let Some(at) = open_text {
        return Some((at, None));
    }
    let Bracket { at, .. } = without_counterpart(&brackets, odd, is_missing)?;
    Some((at, Some(char::from(if is_missing { Bracket::CLOSING[odd] } else { Bracket::OPENING[odd] }))))
}

/// Whether a program has signs of templates, elements, and regular expressions, which aren't read here.
fn is_partial(code: &str) -> bool {
    const SIGNS: [&str; 9] = ["…", "{{", "{%", "<%", "</", "/>", ">>>", "[!code", "// -"];
    let is_expression = |at: usize| {
        let before = code[..at].trim_end_matches(' ').chars().next_back();
        let after = code[at + 1..].chars().next();
        matches!(before, None | Some('(' | ',' | ':' | '=' | '[' | '!' | '&' | '|' | '\n'))
            && !matches!(after, None | Some('/' | '*' | ' ' | '\n'))
    };
    SIGNS.iter().any(|sign| code.contains(sign)) || code.match_indices('/').any(|(at, _)| is_expression(at))
}

/// Whether the program may end, or begin, inside a block in braces: its last or first line is indented, or there are few lines.
fn is_part(code: &str, is_missing: bool) -> bool {
    const FEWEST: usize = 3;
    let mut lines = code.lines().filter(|line| !line.trim().is_empty());
    let count = lines.clone().count();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let (Some(first), Some(last)) = (lines.next(), lines.next_back()) else { return true };
    let ends_inside = if is_missing { indent(last) > indent(first) } else { indent(first) > indent(last) };
    count < FEWEST || ends_inside
}

/// The signs of a program.
struct Program {
    /// Those outside of texts and comments.
    brackets: Vec<Bracket>,
    /// Position of the first quote without another one in its line.
    open_text: Option<usize>,
}

impl Program {
    /// `None` if a comment or text doesn't end, or code is left out.
    fn of(code: &str, is_python: bool) -> Option<Self> {
        let bytes = code.as_bytes();
        let (mut brackets, mut open_text) = (Vec::new(), None);
        let mut at = 0;
        let end_of = |from: usize, sign: &str| Some(from + code.get(from..)?.find(sign)? + sign.len());
        let end_of_line = |from: usize| from + code[from..].find('\n').unwrap_or(code.len() - from);
        // `...lamp` adds the values of `lamp`.
        let is_spread = |at: usize| {
            bytes.get(at + 3).is_some_and(|it| it.is_ascii_alphanumeric() || b"_$([{".contains(it))
        };
        while at < bytes.len() {
            let rest = &bytes[at..];
            at = match bytes[at] {
                b'.' if rest.starts_with(b"...") && !is_spread(at) => return None,
                b'#' if is_python => end_of_line(at),
                b'/' if !is_python && rest.starts_with(b"//") => end_of_line(at),
                b'/' if !is_python && rest.starts_with(b"/*") => end_of(at + 2, "*/")?,
                b'"' if rest.starts_with(b"\"\"\"") => end_of(at + 3, "\"\"\"")?,
                b'\'' if rest.starts_with(b"'''") => end_of(at + 3, "'''")?,
                quote @ (b'"' | b'\'' | b'`') => {
                    let mut end = at + 1;
                    while end < bytes.len() && bytes[end] != quote && (bytes[end] != b'\n' || quote == b'`') {
                        end += if bytes[end] == b'\\' { 2 } else { 1 };
                    }
                    if bytes.get(end) != Some(&quote) {
                        open_text = open_text.or(Some(at));
                    }
                    end + 1
                }
                sign => {
                    let bracket = Bracket { sign, at };
                    brackets.extend(bracket.kind().map(|_| bracket));
                    at + 1
                }
            };
        }
        Some(Self { brackets, open_text })
    }
}

/// Returns the bracket of a kind without its counterpart.
fn without_counterpart(brackets: &[Bracket], odd: usize, is_missing: bool) -> Option<Bracket> {
    let mut open: Vec<Bracket> = Vec::new();
    for bracket in brackets {
        if bracket.is_opening() {
            open.push(*bracket);
            continue;
        }
        match open.last() {
            Some(top) if top.kind() == bracket.kind() => _ = open.pop(),
            Some(top) if is_missing && top.kind() == Some(odd) => return Some(*top),
            _ => return (!is_missing && bracket.kind() == Some(odd)).then_some(*bracket),
        }
    }
    open.into_iter().find(|bracket| bracket.kind() == Some(odd))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(code: &str, expected: Option<usize>) {
        assert_eq!(without_other(code, false).map(|(at, _)| at), expected, "{code}");
    }

    #[test]
    fn the_bracket_without_its_counterpart_is_found() {
        check("a({ b: c(d }, e)", Some(8));
        check("a(b))", Some(4));
        check("a('b, 1);", Some(2));
        check("a({\n  b: { c: 1,\n  d: 2,\n})", Some(2));
        check("a(\"b)\", 'c)', `)`) // d)", None);
        check("a(/[(]/)", None);
        check("a(b, ...", None);
        check("a(...b", Some(1));
        check("if (a) {\n  b();\n  c();", None);
        check("  b();\n  c();\n}", None);
        check("<A>(</A>", None);
    }
}
