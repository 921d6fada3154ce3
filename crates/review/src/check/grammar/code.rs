//! The text of code blocks: JSON, diagrams, commands.

use serde::de::IgnoredAny;

use super::source::{CodeFence, PageSource};
use super::{INVALID, Mistake};
use base::diagnostic::nearest;
use base::quoted::quoted;

/// How a rule about the code of some languages finds a mistake.
struct CodeCheck {
    languages: &'static [&'static str],
    find: fn(&CodeFence<'_>, &PageSource<'_>) -> Option<Mistake>,
}

const SHELLS: &[&str] = &["", "bash", "console", "sh", "shell", "terminal", "zsh"];

const CHECKS: &[CodeCheck] = &[
    CodeCheck {
        languages: &["json"],
        find: |fence, source| missing_comma(fence, source).or_else(|| invalid_json(fence, source)),
    },
    CodeCheck { languages: &["toml"], find: invalid_toml },
    CodeCheck { languages: &["mermaid"], find: undefined_class },
    CodeCheck { languages: SHELLS, find: broken_command },
    CodeCheck { languages: SHELLS, find: dash },
    CodeCheck { languages: &["yaml", "yml"], find: color },
];

pub(super) fn mistakes(source: &PageSource<'_>) -> Vec<Mistake> {
    let of_fence = |fence: &CodeFence<'_>| {
        let checks = CHECKS.iter().filter(|check| check.languages.contains(&fence.language));
        checks.filter_map(|check| (check.find)(fence, source)).collect::<Vec<_>>()
    };
    source.fences.iter().flat_map(of_fence).collect()
}

/// Signs of code that is incomplete or isn't plain: ellipses, comments, templates, and the marks of quotes.
const PARTIAL: [&str; 8] = ["...", "…", "//", "/*", "{{", "{%", "<%", "\n>"];

/// Reports JSON that can't be parsed. If that isn't rare on the site, it is on purpose.
fn invalid_json(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let code = whole_code(fence, source).filter(|code| code.trim_start().starts_with(['{', '[']))?;
    let error = serde_json::from_str::<IgnoredAny>(code).err()?;
    let reason = error.to_string();
    // Text may follow, such as another document.
    let reason = reason.split(" at line ").next().filter(|it| *it != "trailing characters")?;
    let start: usize = code.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    Some(invalid("JSON", start, reason, fence, code))
}

/// The same for TOML.
fn invalid_toml(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let code = whole_code(fence, source).filter(|code| !code.trim_start().starts_with(['{', '$', '-']))?;
    let error = toml::from_str::<toml::Table>(code).err()?;
    let at = error.span().map_or(0, |span| span.start);
    let start = code.get(..at)?.rfind('\n').map_or(0, |newline| newline + 1);
    Some(invalid("TOML", start, error.message().lines().next().unwrap_or_default(), fence, code))
}

/// Returns the code of a block without such signs.
fn whole_code<'t>(fence: &CodeFence<'_>, source: &PageSource<'t>) -> Option<&'t str> {
    let code = &source.text[fence.code.clone()];
    let is_whole = !code.trim().is_empty() && !PARTIAL.iter().any(|sign| code.contains(sign));
    is_whole.then_some(code)
}

/// `start` is that of a line of the code.
fn invalid(format: &str, start: usize, reason: &str, fence: &CodeFence<'_>, code: &str) -> Mistake {
    let line = code[start..].lines().next().unwrap_or_default();
    let start = fence.code.start + start + line.len() - line.trim_start().len();
    let message = format!("this {format} isn't valid: {reason}");
    Mistake {
        data: Some((INVALID, fence.language.to_string())),
        ..Mistake::misread(start..start + line.trim().len(), message, "correct it here, or right before")
    }
}

/// Returns the lines of a block without white space at their ends, each with its position in the file.
fn lines_of<'t>(fence: &CodeFence<'_>, source: &PageSource<'t>) -> Vec<(usize, &'t str)> {
    let mut at = fence.code.start;
    let lines = source.text[fence.code.clone()].split_inclusive('\n').map(|line| {
        at += line.len();
        (at - line.len(), line.trim_end())
    });
    lines.collect()
}

/// Reports the line of a command that no backslash continues, although its next line is an option, or it is one of several variables of
/// the command. Another line of the command has a backslash: the output of `--help` also lists options.
fn broken_command(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let lines = lines_of(fence, source);
    let is_continued = |line: &str| line.ends_with('\\');
    let is_option = |line: &str| {
        let option = line.trim_start().strip_prefix("--");
        line.starts_with(' ') && option.is_some_and(|it| it.starts_with(|c: char| c.is_ascii_lowercase()))
    };
    let is_whole = |line: &str| {
        let ends = |sign| line.ends_with(sign);
        !line.is_empty()
            && line.contains(|c: char| c.is_alphanumeric())
            && !line.trim_start().starts_with('#')
            && !['|', '(', '&', ',', '^', '`'].into_iter().any(ends)
    };
    (1..lines.len()).find_map(|next| {
        let ((start, line), (_, option)) = (lines[next - 1], lines[next]);
        let is_in_command = next > 1 && is_continued(lines[next - 2].1) || is_continued(option);
        // Without a command, variables don't reach the one below.
        let is_of_variables = || {
            let before = next.checked_sub(2).map_or("", |before| lines[before].1);
            is_assignment(line)
                && is_assignment(before.trim_end_matches('\\').trim_end())
                && is_continued(before)
        };
        let is_part = is_option(option) && is_in_command || !option.is_empty() && is_of_variables();
        (is_part && is_whole(line) && !is_continued(line)).then(|| {
            let content = line.trim_start();
            let message =
                "the command continues on the line below, but no `\\` is at the end of this one".to_string();
            let span = start + line.len() - content.len()..start + line.len();
            Mistake::misread(span, message, "add ` \\` at the end of the line")
        })
    })
}

/// Reports an option that begins with a dash instead of hyphens: `–name`, which a word processor wrote.
fn dash(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let code = &source.text[fence.code.clone()];
    let (at, sign) = code.match_indices(['–', '—']).find(|(at, sign)| {
        let is_option = code[at + sign.len()..].starts_with(|c: char| c.is_ascii_alphabetic());
        code[..*at].ends_with(' ') && is_option
    })?;
    let end = at + code[at..].find(char::is_whitespace).unwrap_or(code.len() - at);
    let written = &code[at..end];
    let message = format!("{} begins with a dash instead of hyphens, so it is no option", quoted(written));
    let start = fence.code.start + at;
    let help = format!("use {}", quoted(&written.replacen(sign, "--", 1)));
    Some(Mistake::misread(start..start + written.len(), message, help))
}

/// Reports a color without quotes in YAML, which is a comment: `background: #f39c12`.
fn color(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let code = &source.text[fence.code.clone()];
    code.match_indices(": #").find_map(|(at, sign)| {
        let value = code[at + sign.len() - 1..].split_whitespace().next()?;
        let is_color =
            matches!(value.len(), 4 | 7) && value[1..].bytes().all(|byte| byte.is_ascii_hexdigit());
        let key = code[..at].lines().next_back().unwrap_or_default();
        (is_color && !key.contains('#')).then(|| {
            let start = fence.code.start + at + sign.len() - 1;
            let message = format!("`{value}` is a comment in YAML, so the key has no value");
            Mistake::misread(start..start + value.len(), message, format!("quote it: `\"{value}\"`"))
        })
    })
}

/// Whether a line only sets a variable: `NAME=value`.
fn is_assignment(line: &str) -> bool {
    let is_name = |name: &str| {
        !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_' || byte.is_ascii_digit())
    };
    line.split_once('=').is_some_and(|(name, value)| is_name(name) && !value.contains(' '))
}

/// Reports a class of a diagram that it doesn't define, next to others: <https://mermaid.js.org/syntax/flowchart.html#classes>.
fn undefined_class(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let code = &source.text[fence.code.clone()];
    let lists = code
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("classDef ")?.split_whitespace().next());
    let defined: Vec<&str> = lists.flat_map(|names| names.split(',')).collect();
    let is_in_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    code.match_indices(":::").filter(|_| !defined.is_empty()).find_map(|(at, sign)| {
        let start = at + sign.len();
        let name = code[start..].split(|c| !is_in_name(c)).next().filter(|name| !name.is_empty())?;
        (!defined.contains(&name)).then(|| {
            let message =
                format!("the diagram doesn't define the class `{name}`, so readers don't see its style");
            let help = match nearest(name, defined.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("use one of `{}`", defined.join("`, `")),
            };
            let start = fence.code.start + start;
            Mistake::value(start..start + name.len(), message, help)
        })
    })
}

/// Reports a line of JSON without a comma, if a key with the same indentation follows, or an object follows another one. Other lines
/// of the block have one.
fn missing_comma(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let is_key = |line: &str| line.trim_start().starts_with('"') && line.contains("\":");
    let lines = lines_of(fence, source);
    let mut missing = lines.windows(2).filter(|pair| {
        let (line, next) = (pair[0].1, pair[1].1);
        let is_value = line.ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '"' | '}' | ']'));
        // Without indentation, they are several documents.
        let is_object = line.trim() == "}" && next.trim() == "{" && indent(line) > 0;
        (is_value && is_key(line) && is_key(next) || is_object) && indent(line) == indent(next)
    });
    let [(start, line), _] = missing.next().filter(|_| missing.next().is_none())? else { return None };
    let others = lines.iter().filter(|(_, it)| is_key(it) && it.ends_with(',')).count();
    (others > 0).then(|| {
        let span = start + indent(line)..start + line.len();
        let message = "no comma is between this value and the next one, so the JSON is invalid".to_string();
        Mistake::misread(span, message, "add `,` at the end of the line")
    })
}
