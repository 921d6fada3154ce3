//! Finds curly quotes around attributes and texts in code, which word processors insert and no language recognizes.

use std::ops::Range;

use base::diagnostic::{Code, Problem};

/// Characters that HTML doesn't recognize as quotes.
const TYPOGRAPHIC: [char; 8] = ['“', '”', '„', '‟', '″', '‘', '’', '‚'];

/// A tag with curly quotes.
#[derive(Debug, PartialEq)]
pub(in crate::markdown) struct Quoted {
    start: usize,
    /// The opening and closing quote of each value.
    values: Vec<(Range<usize>, Range<usize>)>,
}

impl Quoted {
    /// Returns the start of the tag in the text.
    pub(in crate::markdown) fn start(&self) -> usize {
        self.start
    }

    /// Returns the finding, at the first value. `place` converts a range in the text to a range in the file.
    pub(in crate::markdown) fn problem(&self, place: impl Fn(Range<usize>) -> Range<usize>) -> Problem {
        let (open, close) = &self.values[0];
        let message = "curly quotes don't delimit an attribute in HTML";
        let help = "use `\"` before and after the value".to_string();
        let problem = Problem::new(Code::TypographicQuotes, place(open.start..close.end), message).help(help);
        let quotes = self.values.iter().flat_map(|(open, close)| [open, close]);
        quotes.fold(problem, |problem, quote| problem.edit(place(quote.clone()), "\""))
    }
}

/// Whether a value, written without ASCII quotes, begins with a curly quote.
pub(in crate::markdown) fn begins(value: &str) -> bool {
    value.starts_with(TYPOGRAPHIC)
}

/// Returns the tags with curly quotes in raw HTML, or in text that was meant as tags.
pub(in crate::markdown) fn in_html(html: &str) -> Vec<Quoted> {
    // In UTF-8, each of them begins with this byte.
    if memchr::memchr(0xe2, html.as_bytes()).is_none() {
        return Vec::new();
    }
    tags(html)
}

/// Languages whose code may be prose, a program's output, or markup with prose.
#[rustfmt::skip]
const PROSE: [&str; 48] = [
    "", "adoc", "asciidoc", "astro", "blade", "cshtml", "diff", "ejs", "eml", "erb", "eval_rst", "feature", "gherkin", "gotmpl", "handlebars",
    "haml", "hbs", "html", "html+erb", "jinja", "jinja2", "jsx", "latex", "liquid", "log", "markdown", "md", "mdx", "mermaid", "none",
    "njk", "org", "output", "php", "plain", "plaintext", "pug", "razor", "rst", "svelte", "svg", "tex", "text", "tsx", "twig", "txt",
    "vue", "xml",
];

/// Reports the first text of a code block in curly double quotes: in no language do they delimit a text.
pub(in crate::markdown) fn in_code(
    language: &str,
    code: &str,
    place: impl Fn(Range<usize>) -> Range<usize>,
) -> Option<Problem> {
    if PROSE.contains(&language) || memchr::memchr(0xe2, code.as_bytes()).is_none() {
        return None;
    }
    let mut start = 0;
    let mut quotes: Vec<Range<usize>> = Vec::new();
    for line in code.split_inclusive('\n') {
        for at in delimited(line).into_iter().flat_map(|(open, close)| [open, close]) {
            quotes.push(start + at..start + at + '“'.len_utf8());
        }
        start += line.len();
    }
    let first = quotes.first()?.start..quotes.get(1)?.end;
    let message = "curly quotes don't delimit a text in code";
    let problem = Problem::new(Code::TypographicQuotes, place(first), message).as_warning();
    let problem = problem.help("use `\"` before and after the text".to_string());
    Some(quotes.into_iter().fold(problem, |problem, quote| problem.edit(place(quote), "\"")))
}

/// Reports a value in curly quotes in the first line of a code block: `title=“a.py”`.
pub(in crate::markdown) fn in_info(
    block: &str,
    place: impl Fn(Range<usize>) -> Range<usize>,
) -> Option<Problem> {
    let line = block.lines().next()?;
    let open = line.find("=“")? + 1;
    let close = open + line[open..].find('”')?;
    let message = "curly quotes don't delimit an attribute of a code block";
    let problem =
        Problem::new(Code::TypographicQuotes, place(open..close + '”'.len_utf8()), message).as_warning();
    let problem = problem.help("use `\"` before and after the value".to_string());
    let problem = problem.edit(place(open..open + '“'.len_utf8()), "\"");
    Some(problem.edit(place(close..close + '”'.len_utf8()), "\""))
}

/// Returns the positions of the curly quotes around texts, unless they are in a comment or another text.
fn delimited(line: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = line[at..].find('“').map(|open| at + open) {
        let Some(close) = line[open..].find('”').map(|close| open + close) else { break };
        at = close + '”'.len_utf8();
        let before = &line[..open];
        let is_comment = ["//", "/*", "-- ", "<!--"].iter().any(|sign| before.contains(sign))
            || before.trim_start().starts_with(['#', ';', '*', '%'])
            || before.contains(" #");
        let is_inside = |quote: char| !before.matches(quote).count().is_multiple_of(2);
        let begins = before.is_empty() || before.ends_with([' ', '\t', '(', '[', '{', '=', ',', ':']);
        if begins && !is_comment && !['"', '\'', '`'].into_iter().any(is_inside) {
            found.push((open, close));
        }
    }
    found
}

/// Maximum length of a tag in bytes.
const LONGEST_TAG: usize = 1000;

fn tags(html: &str) -> Vec<Quoted> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = html[at..].find('<').map(|open| at + open) {
        at = open + 1;
        if html[at..].starts_with("!--") {
            at = html[at..].find("-->").map_or(html.len(), |end| at + end);
            continue;
        }
        if !html[at..].starts_with(|c: char| c.is_ascii_alphabetic()) {
            continue;
        }
        let end = html.as_bytes()[at..].iter().take(LONGEST_TAG).position(|byte| matches!(byte, b'>' | b'<'));
        let Some(end) = end.map(|end| at + end) else { continue };
        let values = values(&html[open..end]);
        if !values.is_empty() {
            let moved = |range: Range<usize>| open + range.start..open + range.end;
            let values = values.into_iter().map(|(first, last)| (moved(first), moved(last))).collect();
            found.push(Quoted { start: open, values });
        }
        at = end;
    }
    found
}

/// Returns the opening and closing quotes of a tag's values. The tag is given without its `>`.
fn values(tag: &str) -> Vec<(Range<usize>, Range<usize>)> {
    let mut values = Vec::new();
    let mut at = 0;
    while let Some(equals) = tag[at..].find('=').map(|equals| at + equals) {
        let value = tag[equals + 1..].trim_start();
        let start = tag.len() - value.len();
        at = equals + 1;
        let first = value.chars().next();
        let Some(open) = first.filter(|first| TYPOGRAPHIC.contains(first) || matches!(first, '"' | '\''))
        else {
            continue;
        };
        let is_typographic = TYPOGRAPHIC.contains(&open);
        let closes = |c: char| if is_typographic { TYPOGRAPHIC.contains(&c) || c == '"' } else { c == open };
        let inside = start + open.len_utf8();
        let close = tag[inside..].char_indices().find(|(_, c)| closes(*c));
        let Some((length, close)) = close else { continue };
        at = inside + length + close.len_utf8();
        if is_typographic {
            values.push((start..inside, inside + length..at));
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the values with curly quotes, including the quotes.
    #[track_caller]
    fn check(html: &str, expected: &[&str]) {
        let found: Vec<_> = in_html(html).into_iter().flat_map(|tag| tag.values).collect();
        let found: Vec<_> = found.iter().map(|(open, close)| &html[open.start..close.end]).collect();
        assert_eq!(found, expected, "{html}");
    }

    #[test]
    fn quotes_around_values_are_found_and_others_are_not() {
        check("<a href=”connect.md”>x</a>", &["”connect.md”"]);
        check("<a class=“a b” href = „c”>", &["“a b”", "„c”"]);
        check("<a href=”x\">", &["”x\""]);
        check("<p title=\"so-called “quotes”\">“a” = ”b”</p>", &[]);
        check("<!-- <a href=”x”> --> 1 <2 =”x”", &[]);
        check("<a href=”x", &[]);
        check("<a href=‘x’ rel=‚y‘>", &["‘x’", "‚y‘"]);
        check("<a title=\"it’s\" alt='so ’x=’y' class=’z’>", &["’z’"]);
    }
}
