//! Formulas in TeX: where they are in a text, and their MathML, which browsers display without a script.

use std::error::Error as _;
use std::ops::Range;
use std::thread;

use pulldown_cmark_escape::escape_html_body_text;
use pulldown_latex::config::DisplayMode;
use pulldown_latex::event::{Content, Event};
use pulldown_latex::{Parser, ParserError, RenderConfig, Storage, push_mathml};

use super::lines::run_length;
use super::page::Page;
use super::span::OffsetMap;
use base::diagnostic::{Code, Problem};

/// A line that begins or ends a formula of several lines.
pub(super) const BLOCK: &str = "$$";

/// Language of a code block that is a formula, as on GitHub.
pub(super) const LANGUAGE: &str = "math";

/// Returns the end of the formula that begins with the `$` at `at`, where `text` ends with its paragraph. Returns `None`
/// if the `$` belongs to an amount, a shell variable or another text.
///
/// As in Pandoc, a formula begins and ends with a character that isn't white space. In addition, no letter or digit
/// precedes or follows it, and it doesn't contain two words in a row.
pub(super) fn end(text: &str, at: usize) -> Option<usize> {
    let run = run_length(&text[at..], b'$');
    let start = at + run;
    let is_apart = |near: Option<char>| !near.is_some_and(char::is_alphanumeric);
    if run > 2 || !is_apart(text[..at].chars().next_back()) {
        return None;
    }
    let mut end = start;
    loop {
        end += memchr::memchr2(b'$', b'\\', text.as_bytes().get(end..)?)?;
        if text[end..].starts_with('$') {
            break;
        }
        end += 2;
    }
    let inside = &text[start..end];
    let close = end + run;
    let is_tight = run == 2 || inside.trim() == inside;
    let is_formula = run_length(&text[end..], b'$') == run
        && is_tight
        && !inside.trim().is_empty()
        && is_apart(text[close..].chars().next())
        && !is_prose(inside);
    is_formula.then_some(close)
}

/// Whether two words follow each other outside of braces.
fn is_prose(inside: &str) -> bool {
    let mut depth = 0_usize;
    let mut is_after_word = false;
    inside.split_whitespace().any(|word| {
        let bare = word.trim_end_matches([',', '.', ';', ':']);
        let is_word = depth == 0 && bare.chars().count() > 2 && bare.chars().all(char::is_alphabetic);
        depth = (depth + word.matches('{').count()).saturating_sub(word.matches('}').count());
        std::mem::replace(&mut is_after_word, is_word) && is_word
    })
}

/// Returns the range of the `$$` that ends the formula that begins on the line before `from`. In `MyST`, a label may follow it:
/// <https://myst-parser.readthedocs.io/en/latest/syntax/math.html#math-directive-with-labels>.
pub(super) fn end_of_block(text: &str, from: usize, has_labels: bool) -> Option<Range<usize>> {
    let is_label = |rest: &str| has_labels && rest.starts_with('(') && rest.ends_with(')');
    let mut at = from;
    for line in text[from..].split_inclusive('\n') {
        let bare = line.trim_start_matches([' ', '\t', '>']);
        let rest = bare.strip_prefix(BLOCK).map(str::trim);
        if rest.is_some_and(|rest| rest.is_empty() || is_label(rest)) {
            let start = at + line.len() - bare.len();
            return Some(start..start + BLOCK.len());
        }
        at += line.len();
    }
    None
}

/// Returns the finding for a formula that never ends.
pub(super) fn unclosed(span: Range<usize>) -> Problem {
    let message = format!("the formula is never closed, so the page shows `{BLOCK}`");
    Problem::new(Code::BrokenFormula, span, message)
        .help(format!("add a line with `{BLOCK}` after the formula"))
}

/// Why a formula can't be displayed.
#[derive(Debug, PartialEq)]
pub(super) struct BrokenFormula {
    /// Range in the formula.
    span: Range<usize>,
    message: String,
    help: &'static str,
    /// Whether other renderers, such as `MathJax`, may display it.
    is_limit: bool,
}

/// The `cause` of a finding about a formula that other renderers may display.
pub const LIMIT: &str = "renderer";

impl BrokenFormula {
    fn new(span: Range<usize>, message: impl Into<String>, help: &'static str) -> Self {
        Self { span, message: message.into(), help, is_limit: false }
    }

    /// Reports it. `at` is the range of the formula in `text`, whose ranges `map` converts. Its lines may be indented
    /// or quoted there.
    pub(super) fn report(
        self,
        tex: &str,
        at: Range<usize>,
        (text, map): (&str, &OffsetMap),
        page: &mut Page,
    ) {
        let part = &tex[self.span.clone()];
        let before = tex[..self.span.start].matches(part).count();
        let place = match text[at.clone()].match_indices(part).nth(before) {
            Some((start, _)) if !part.is_empty() => at.start + start..at.start + start + part.len(),
            _ => at,
        };
        let problem = Problem::new(Code::BrokenFormula, map.range(place), self.message);
        let problem = problem.help(self.help.to_string());
        page.problems.push(if self.is_limit { problem.data("cause", LIMIT) } else { problem });
    }
}

/// Maximum size of a formula in bytes. The time for nested groups is quadratic.
const LONGEST: usize = 10_000;

/// Maximum depth of nested braces.
const DEEPEST: usize = 100;

/// Commands that define others. Their expansions are as long as a page can make them.
const DEFINITIONS: [&str; 9] =
    ["def", "edef", "gdef", "xdef", "let", "futurelet", "newcommand", "renewcommand", "providecommand"];

/// Number of commands that the stack of any thread has room for, because an argument of a command may be a command.
const FEW: usize = 20;

/// Stack for a command in a debug build, in bytes.
const STACK: usize = 32 << 10;

/// Returns the MathML of a formula.
pub(super) fn mathml(tex: &str, is_block: bool) -> Result<String, BrokenFormula> {
    let whole = 0..tex.len();
    if tex.len() > LONGEST {
        let message = format!("the formula has more than {LONGEST} bytes");
        return Err(BrokenFormula::new(whole, message, "split it into several formulas"));
    }
    check_braces(tex)?;
    let mut commands = commands(tex);
    if let Some(span) = commands.iter().find(|span| DEFINITIONS.contains(&&tex[span.start + 1..span.end])) {
        let message = format!("formulas can't define commands with `{}`", &tex[span.clone()]);
        let help = "replace the command with its definition";
        return Err(BrokenFormula { is_limit: true, ..BrokenFormula::new(span.clone(), message, help) });
    }
    let room = commands.len();
    // Sphinx writes the environment itself: `wrap_displaymath` in sphinx/util/math.py. KaTeX breaks lines without one.
    let has_lines = is_block && tex.contains("\\\\") && !tex.contains("\\begin");
    let converted = converted_with(room, tex, is_block).or_else(|error| {
        let in_lines = || converted_with(room + 2, &format!("\\begin{{split}}{tex}\\end{{split}}"), is_block);
        if has_lines { in_lines().map_err(|_| error) } else { Err(error) }
    });
    converted.map_err(|cause| {
        commands.retain(|span| is_unknown(&tex[span.clone()]));
        let (span, message, help) = match commands.first() {
            Some(span) => (
                span.clone(),
                format!("unsupported command `{}` in a formula", &tex[span.clone()]),
                "use another command; readers see the source",
            ),
            None => (whole, format!("invalid formula: {cause}"), "readers see its source"),
        };
        BrokenFormula { is_limit: true, ..BrokenFormula::new(span, message, help) }
    })
}

/// Converts a formula with this number of commands, on a thread with room for them if there are many.
fn converted_with(commands: usize, tex: &str, is_block: bool) -> Result<String, String> {
    if commands <= FEW {
        return converted(tex, is_block);
    }
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(commands * STACK);
        let work = thread.spawn_scoped(scope, || converted(tex, is_block));
        work.map_or_else(|error| Err(error.to_string()), |it| it.join().expect("a panic ends the program"))
    })
}

/// Reports the first brace without a counterpart, or that is nested too deeply.
fn check_braces(tex: &str) -> Result<(), BrokenFormula> {
    let mut open = Vec::new();
    let mut is_escaped = false;
    for (at, letter) in tex.char_indices() {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '{' if open.len() == DEEPEST => {
                let message = format!("more than {DEEPEST} nested braces in a formula");
                return Err(BrokenFormula::new(at..at + 1, message, "split it into several formulas"));
            }
            '{' => open.push(at),
            '}' if open.pop().is_none() => {
                let help = "remove it, or use `\\}` for the character";
                return Err(BrokenFormula::new(at..at + 1, "`}` without a `{` in a formula", help));
            }
            _ => {}
        }
    }
    match open.first() {
        Some(&at) => {
            let help = "add the missing `}`, or use `\\{` for the character";
            Err(BrokenFormula::new(at..at + 1, "`{` is never closed in a formula", help))
        }
        None => Ok(()),
    }
}

/// Returns the commands of a formula with their backslashes.
fn commands(tex: &str) -> Vec<Range<usize>> {
    let mut commands = Vec::new();
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', &tex.as_bytes()[at..]) {
        let start = at + found;
        let name = &tex[start + 1..];
        let letters = name.bytes().take_while(u8::is_ascii_alphabetic).count();
        at = start + 1 + if letters > 0 { letters } else { name.chars().next().map_or(0, char::len_utf8) };
        commands.push(start..at);
    }
    commands
}

/// Whether the parser doesn't know a command. Alone, most commands lack their arguments.
fn is_unknown(command: &str) -> bool {
    command.len() > 1 && converted(command, false).is_err_and(|cause| cause.contains("unknown primitive"))
}

fn converted(tex: &str, is_block: bool) -> Result<String, String> {
    let storage = Storage::new();
    let said = |error: &ParserError| error.source().map_or_else(|| error.to_string(), ToString::to_string);
    let mut events = Vec::new();
    for event in Parser::new(tex, &storage) {
        events.push(event.map_err(|error| said(&error))?);
    }
    // The parser gives them as written, and `push_mathml` doesn't escape them.
    let names: Vec<String> = events.iter().map(escaped_name).collect();
    let events = events.into_iter().zip(&names).map(|(event, name)| match event {
        Event::Content(Content::Function(_)) => Ok::<_, ParserError>(Event::Content(Content::Function(name))),
        event => Ok(event),
    });
    let display_mode = if is_block { DisplayMode::Block } else { DisplayMode::Inline };
    let config = RenderConfig { display_mode, ..RenderConfig::default() };
    let mut html = String::with_capacity(16 * tex.len());
    push_mathml(&mut html, events, config).map_err(|error| error.to_string())?;
    // pulldown-latex 0.8 writes the relation `<` without escaping it, and escapes the space for `~` twice.
    for (raw, escaped) in [
        ("<</", "&lt;</"),
        ("<\u{338}", "&lt;\u{338}"),
        ("<mtext>&amp;nbsp;</mtext>", "<mtext>&nbsp;</mtext>"),
    ] {
        if html.contains(raw) {
            html = html.replace(raw, escaped);
        }
    }
    Ok(html)
}

/// Returns the escaped name of a function, or an empty text for other events.
fn escaped_name(event: &Event<'_>) -> String {
    match event {
        Event::Content(Content::Function(name)) => {
            let mut escaped = String::new();
            escape_html_body_text(&mut escaped, name).expect("a String takes everything");
            escaped
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the formulas that a paragraph contains.
    #[track_caller]
    fn check_formulas(text: &str, expected: &[&str]) {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(next) = text[at..].find('$') {
            let start = at + next;
            let close = end(text, start);
            found.extend(close.map(|close| &text[start..close]));
            at = close.unwrap_or(start + run_length(&text[start..], b'$'));
        }
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn text_between_dollars_is_a_formula() {
        check_formulas("The area is $\\pi r^2$, or ($a$).", &["$\\pi r^2$", "$a$"]);
        check_formulas("$$E = mc^2$$ and $$ a $$", &["$$E = mc^2$$", "$$ a $$"]);
        check_formulas("$a_{\\text{if this holds}}$-th", &["$a_{\\text{if this holds}}$"]);
        check_formulas("$\\$5 + x$ é", &["$\\$5 + x$"]);
        check_formulas("$2^{10} = 1024$", &["$2^{10} = 1024$"]);
    }

    #[test]
    fn amounts_and_variables_are_text() {
        for text in [
            "It costs $5, or $6 with tax.",
            "Between $5-$10, US$5 and CA$6.",
            "5$ or 6$, and 7$.",
            "$HOME/bin:$PATH and $USER.",
            "$HOME is set by the shell, $",
            "$100 (about what you paid for 100$)",
            "Run $$ or $.",
            "$$$",
            "$a$b",
            "$ a$ $",
            "$",
            "$x\\$",
        ] {
            check_formulas(text, &[]);
        }
    }

    /// Checks the MathML of a formula within the text.
    #[track_caller]
    fn check(tex: &str, expected: &str) {
        let html = mathml(tex, false).unwrap_or_else(|broken| panic!("{tex}: {broken:?}"));
        let inside = html.strip_prefix("<math display=\"inline\">").and_then(|it| it.strip_suffix("</math>"));
        assert_eq!(inside, Some(expected), "{tex}");
    }

    #[test]
    fn formulas_become_mathml() {
        check("a^2", "<msup><mi>a</mi><mn>2</mn></msup>");
        check("\\frac{1}{n}", "<mfrac><mrow><mn>1</mn></mrow><mrow><mi>n</mi></mrow></mfrac>");
        assert!(mathml("x", true).is_ok_and(|html| html.starts_with("<math display=\"block\">")));
    }

    #[test]
    fn characters_of_html_are_escaped() {
        check("a < b", "<mi>a</mi><mo>&lt;</mo><mi>b</mi>");
        check("a~b", "<mi>a</mi><mtext>&nbsp;</mtext><mi>b</mi>");
        check("\\text{<b>&}", "<mtext>&lt;b&gt;&amp;</mtext>");
        check("\\operatorname{<b>&}", "<mi>&lt;b&gt;&amp;</mi>");
    }

    /// Checks the range and message of a formula that can't be displayed.
    #[track_caller]
    fn check_broken(tex: &str, part: &str, message: &str) {
        let broken = mathml(tex, false).expect_err(tex);
        assert_eq!((&tex[broken.span], broken.message.as_str()), (part, message), "{tex}");
    }

    #[test]
    fn causes_are_exact() {
        check_broken("a + \\frac{1}{\\foo 2}", "\\foo", "unsupported command `\\foo` in a formula");
        check_broken("\\{ \\frac{1}{2", "{", "`{` is never closed in a formula");
        check_broken("a}", "}", "`}` without a `{` in a formula");
        let double = "invalid formula: trying to add a superscript twice to the same element";
        check_broken("x^2^3", "x^2^3", double);
        check_broken("\\def\\x{\\x\\x}\\x", "\\def", "formulas can't define commands with `\\def`");
        check_broken("\\frac{a}", "\\frac{a}", "invalid formula: expected a token");
    }

    #[test]
    fn hostile_formulas_end() {
        for part in [
            "\\sqrt",
            "\\frac1",
            "\\left(",
            "\\sqrt[",
            "x^",
            "\\begin{matrix}",
            "{",
            "}",
            "\\",
            "&",
            "%",
            "\\text{",
        ] {
            for count in [1, 90, 1000] {
                let _ = mathml(&part.repeat(count), true);
                let _ = mathml(&(part.repeat(count) + "1" + &"}".repeat(count)), true);
            }
        }
    }
}
