//! Finds links and images with an unclosed parenthesis, angle bracket or title.

use std::ops::Range;

use super::{Fragment, is_address};
use base::diagnostic::{Code, Problem};
use base::quoted::quoted;
use input::conventions::Syntax;

/// Maximum length in bytes of a line after a parenthesis, so that a page of unclosed links is parsed in linear time.
const LONGEST: usize = 400;

impl Fragment<'_> {
    /// Returns the finding for a link that is shown as text, if a URL follows its parenthesis at `open`: `[a](/b
    /// "c)`, `[a](<b.md)`, `[a](b.md`.
    pub(super) fn unclosed(&self, bracket: usize, open: usize, limit: usize) -> Option<Problem> {
        let text = self.blocks.text;
        if text[..bracket].ends_with('\\') || text[..open].ends_with("\\]") {
            return None;
        }
        let most = (open + 1 + LONGEST..=limit).find(|&at| text.is_char_boundary(at)).unwrap_or(limit);
        let line = text[open + 1..most].lines().next()?;
        let goes_on = !text[most..].starts_with(['\n', '\r']);
        if most < limit && open + 1 + line.len() == most && goes_on {
            return None;
        }
        let inside = line.trim_start();
        let start = open + 1 + line.len() - inside.len();
        let first = &inside[..inside.find(char::is_whitespace).unwrap_or(inside.len())];
        let bare = first.trim_start_matches('<').split(')').next().unwrap_or_default();
        // The text continues after the target: `[a](b.md: for c`.
        let bare = bare.trim_end_matches([':', ',', ';']);
        if !is_address(bare) {
            return None;
        }
        let what = if self.link_start(bracket) < bracket { "an image" } else { "a link" };
        let problem = |what_is_open: &str, span: Range<usize>, help: String| {
            let message = format!("{what_is_open} is never closed, so readers see text instead of {what}");
            Problem::new(Code::LinkAsText, self.place(span), message).help(help).target(bare)
        };
        let whole = start..start + inside.trim_end().len();
        if let Some(rest) = rest_of_target(&text[open + 1 + line.len()..limit]).filter(|_| first == inside) {
            let message =
                format!("the target is broken over two lines, so readers see text instead of {what}");
            let problem = Problem::new(Code::LinkAsText, self.place(open..whole.end), message).target(bare);
            return Some(problem.help(format!("join the lines: {}", quoted(&format!("({first}{rest})")))));
        }
        if first.starts_with('<') {
            if inside.contains('>') {
                return None;
            }
            let help = format!("remove `<`: {}", quoted(&format!("({bare})")));
            let found = problem("the `<` of the target", whole, help);
            let is_alone = first.contains(')') || inside == first;
            return Some(if is_alone { found.edit(self.place(start..start + 1), "") } else { found });
        }
        let after = inside[first.len()..].trim_start();
        let title = start + inside.len() - after.len();
        if let Some(quote) = after.chars().next().filter(|first| matches!(first, '"' | '\'')) {
            if after[1..].contains(quote) {
                return None;
            }
            let help =
                format!("add `{quote}` after the title: {}", quoted(&format!("({bare} {quote}…{quote})")));
            let found = problem("the title", title..whole.end, help);
            let mut ends = memchr::memchr_iter(b')', after.as_bytes());
            return Some(match (ends.next(), ends.next()) {
                (Some(end), None) => found.edit(self.place(title + end..title + end), quote.to_string()),
                _ => found,
            });
        }
        if let Some(target) = bare.strip_prefix('(').filter(|target| !target.contains('(')) {
            let help = format!("remove the second parenthesis: {}", quoted(&format!("({target})")));
            return is_open(inside).then(|| problem("the parenthesis", open..open + 2, help));
        }
        is_open(inside).then(|| {
            problem("the parenthesis", open..whole.end, format!("use {}", quoted(&format!("({bare})"))))
        })
    }
}

/// Returns the end of a target in the line that follows.
fn rest_of_target(text: &str) -> Option<&str> {
    let line = text.strip_prefix('\r').unwrap_or(text).strip_prefix('\n')?.trim_start_matches(' ');
    let end = line.find(|c: char| c == ')' || c.is_whitespace()).filter(|end| *end > 0)?;
    line[end..].starts_with(')').then_some(&line[..end])
}

/// Whether Python-Markdown or kramdown shows this as a link: its targets go on after a line break, and those of Python-Markdown may
/// contain spaces.
pub(super) fn is_link(problem: &Problem, file: &str, syntaxes: &[Syntax]) -> bool {
    let written = &file[problem.span.clone()];
    let next = || file[problem.span.end..].lines().nth(1);
    let goes_on = || written.starts_with('(') && next().is_some_and(|line| !is_open(line));
    let is_url = || written.contains("://") && written.contains(' ') && !written.contains(['"', '(']);
    let has = |syntax| syntaxes.contains(&syntax);
    problem.code == Code::LinkAsText
        && (has(Syntax::Indented) && is_url() || (has(Syntax::Indented) || has(Syntax::Liquid)) && goes_on())
}

/// Whether no parenthesis in a text closes one before it.
fn is_open(text: &str) -> bool {
    let mut open = 0;
    !text.bytes().any(|byte| {
        open += i32::from(byte == b'(') - i32::from(byte == b')');
        open < 0
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;

    #[test]
    fn a_link_that_is_never_closed_is_reported() {
        check(
            "![Shot](/a.png \"The shot) is here",
            &["link-as-text: \"The shot) is here"],
            "![Shot](/a.png \"The shot\") is here",
        );
        check("[x](a.md 'The b)", &["link-as-text: 'The b)"], "[x](a.md 'The b')");
        check("[x](a.md \"b) and (c)", &["link-as-text: \"b) and (c)"], "[x](a.md \"b) and (c)");
        check("[x](<a.md) b", &["link-as-text: <a.md) b"], "[x](a.md) b");
        check("[x](<../part/), b", &["link-as-text: <../part/), b"], "[x](../part/), b");
        check("[x](<a b.md) c", &[], "[x](<a b.md) c");
        check("- [x](/a/web/\n- b", &["link-as-text: (/a/web/"], "- [x](/a/web/\n- b");
        check("[x](https://e.org/a b", &["link-as-text: (https://e.org/a b"], "[x](https://e.org/a b");
        check(
            "[x](https://e.org/a/\nb.pdf) c",
            &["link-as-text: (https://e.org/a/"],
            "[x](https://e.org/a/\nb.pdf) c",
        );
        check("[x](a.md: for b", &["link-as-text: (a.md: for b"], "[x](a.md: for b");
        check(
            "[x](a.md#b of the task(s): c",
            &["link-as-text: (a.md#b of the task(s): c"],
            "[x](a.md#b of the task(s): c",
        );
        for silent in [
            "[x](a.md b(c) d)",
            "[x](/a.png \"A\")",
            "[x](/a.png\n\"A\nb\")",
            "\\[x](a.md \"b)",
            "`[x](a.md`",
            "[x](see below",
            "a[0](b",
            "[x](<a.md>)",
        ] {
            check(silent, &[], silent);
        }
    }
}
