//! Text that only some generators show as written.

use std::cell::OnceCell;
use std::ops::Range;

use super::{emphasis, items, sources};
use crate::markdown::parse::LONE_TAB;
use crate::markdown::write::NO_DELIMITERS;
use base::diagnostic::{Code, Problem};
use base::fences::text_lines;
use base::hash::HashMap;
use input::conventions::Syntax;
use input::dialect::Dialect;

/// Adds a description of what readers of the generator's pages see to a problem at a place of a text.
pub(in crate::markdown) fn as_shown_by(
    dialect: &Dialect,
    (text, place): (&str, Range<usize>),
    problem: &mut Problem,
) {
    let written = text.get(place.clone()).unwrap_or_default();
    // Stepkin ends a block at the first blank line. Others stop, or end it with the text around, or with that of another block.
    if problem.code == Code::UnbalancedBlock && !dialect.is_ours() {
        let consequence = match written.as_bytes().first() {
            Some(b'<') if dialect.has(Syntax::Mdx) => "; without that, MDX stops here",
            Some(b'{') if dialect.has(Syntax::Shortcodes) => "; without that, Hugo stops here",
            _ => "",
        };
        let help = problem.help.as_deref().and_then(|help| help.split("; without that, the ").next());
        problem.help = help.map(|help| format!("{help}{consequence}"));
    }
    // Python-Markdown reads marks without an end as text.
    if problem.code == Code::UnclosedFence && dialect.has(Syntax::Indented) {
        let marks = written.trim_start().trim_end_matches(|c: char| !matches!(c, '`' | '~'));
        let after = text.get(place.end..).unwrap_or_default();
        let before = text.get(..place.start).unwrap_or_default().rsplit('\n').next().unwrap_or_default();
        let is_in_quote = before.trim_start().starts_with('>');
        let mut lines = after.lines().skip(1).take(FURTHEST).map(str::trim);
        // A quote ends with its last line.
        let is_closed = !marks.is_empty()
            && if is_in_quote {
                let mut lines = lines.map_while(|line| line.strip_prefix('>'));
                lines.any(|line| line.trim_start_matches('>').trim() == marks)
            } else {
                lines.any(|line| line == marks)
            };
        problem.message = if is_closed {
            "a later fence closes this one, so readers see the text in between as code".to_string()
        } else {
            "nothing closes this fence, so readers see its marks and its code as text".to_string()
        };
    }
}

/// Shows the name of an element as its author wrote it, and suggests code for a placeholder in angle brackets.
pub(in crate::markdown) fn as_written(problem: &mut Problem, text: &str) {
    let start = problem.span.start;
    let written = text.get(problem.span.clone()).unwrap_or_default();
    let Some(inside) = written.strip_prefix('<').and_then(|rest| rest.split('>').next()) else { return };
    let name = inside.split(|c: char| c.is_whitespace() || c == '/').next().unwrap_or_default();
    let lower = name.to_ascii_lowercase();
    let in_case = |text: &str| {
        ["<{}>", "&lt;{}&gt;", "</{}>"].iter().fold(text.to_string(), |text, form| {
            text.replace(&form.replace("{}", &lower), &form.replace("{}", name))
        })
    };
    if name != lower {
        problem.message = in_case(&problem.message);
        problem.help = problem.help.as_deref().map(in_case);
    }
    let before = text.get(..start).unwrap_or_default();
    if is_placeholder(&inside[name.len()..]) || before.ends_with(['\'', '"', '=']) {
        problem.help = Some("wrap it in backticks to show it as text".to_string());
    }
}

/// Whether the attributes of a tag are words of a sentence: `<path to lamp>`.
fn is_placeholder(attributes: &str) -> bool {
    // <https://html.spec.whatwg.org/multipage/indices.html#attributes-3>
    const WITHOUT_VALUE: [&str; 21] = [
        "allowfullscreen",
        "async",
        "autofocus",
        "autoplay",
        "checked",
        "compact",
        "controls",
        "defer",
        "disabled",
        "hidden",
        "inert",
        "loop",
        // Of Markdown in HTML: <https://python-markdown.github.io/extensions/md_in_html/>.
        "markdown",
        "multiple",
        "muted",
        "nowrap",
        "open",
        "readonly",
        "required",
        "reversed",
        "selected",
    ];
    let mut words = attributes.split_whitespace().peekable();
    let is_word = |word: &str| word.chars().all(char::is_alphabetic) && !WITHOUT_VALUE.contains(&word);
    words.peek().is_some() && words.all(is_word)
}

/// Whether the footnote that a problem misses is on the same page, outside the note or tab that refers to it. Other
/// generators find it there.
pub(in crate::markdown) fn has_footnote(text: &str, problem: &Problem) -> bool {
    let written = text.get(problem.span.clone()).unwrap_or_default();
    let is_footnote = problem.code == Code::UndefinedReference && written.starts_with("[^");
    is_footnote && is_defined(text, &format!("{written}:"))
}

/// Whether a line outside code begins with a text.
fn is_defined(text: &str, beginning: &str) -> bool {
    text_lines(text).any(|(_, line)| line.trim_start_matches(['>', ' ', '\t']).starts_with(beginning))
}

/// Whether a page is in a syntax in which `<name>` is a variable or a type: a manual of ronn (`tool(1) -- purpose`,
/// <https://github.com/apjanke/ronn-ng/blob/main/man/ronn-format.7.ronn>), or a page of `DocumentJS` (`@page name`, `@function name`).
pub(in crate::markdown) fn is_manual(body: &str) -> bool {
    let is_tag = |rest: &str| rest.starts_with(|c: char| c.is_ascii_lowercase()) && rest.contains(' ');
    if body.trim_start().lines().next().and_then(|line| line.strip_prefix('@')).is_some_and(is_tag) {
        return true;
    }
    let title = body.trim_start().lines().next().unwrap_or_default().trim_start_matches('#').trim_start();
    let Some((name, rest)) = title.split_once('(') else { return false };
    let Some((section, rest)) = rest.split_once(')') else { return false };
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '+');
    !name.is_empty()
        && name.chars().all(is_of_name)
        && section.starts_with(|c: char| c.is_ascii_digit())
        && section.len() <= 3
        && rest.trim_start().starts_with("-- ")
}

/// Whether the end of an unclosed element or comment follows later. For kramdown and Python-Markdown, blank lines don't
/// end an element.
pub(in crate::markdown) fn ends_later<'t>(
    dialect: &Dialect,
    text: &'t str,
    tags: &OnceCell<TagPlaces<'t>>,
    problem: &Problem,
) -> bool {
    problem.code == Code::UnclosedElement
        && dialect.has(Syntax::Kramdown)
        && tags
            .get_or_init(|| TagPlaces::of(text))
            .ends(text, problem.span.clone())
            .unwrap_or_else(|| text.get(problem.span.start..).is_some_and(|rest| rest.contains("-->")))
}

/// The places of the tags in a text, by name.
#[derive(Debug)]
pub struct TagPlaces<'t> {
    starts: HashMap<&'t str, Vec<usize>>,
    ends: HashMap<&'t str, Vec<usize>>,
}

impl<'t> TagPlaces<'t> {
    pub fn of(text: &'t str) -> Self {
        let mut places = Self { starts: HashMap::default(), ends: HashMap::default() };
        for (at, _) in text.match_indices('<') {
            let rest = &text[at + 1..];
            let (named, rest) = match rest.strip_prefix('/') {
                Some(rest) => (&mut places.ends, rest),
                None => (&mut places.starts, rest),
            };
            named.entry(name(rest)).or_default().push(at);
        }
        places
    }

    /// Whether the unclosed element in a range has an end tag later in the text, or `None` for tags without an end and comments.
    pub fn ends(&self, text: &'t str, tag: Range<usize>) -> Option<bool> {
        let name = name(text.get(tag.clone())?.strip_suffix('>')?.strip_prefix('<')?);
        let after = |places: &HashMap<&str, Vec<usize>>| {
            places.get(name).map_or(0, |all| all.len() - all.partition_point(|at| *at < tag.start))
        };
        Some(after(&self.ends) >= after(&self.starts))
    }
}

/// Returns the name at the start of a text.
fn name(text: &str) -> &str {
    &text[..text.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(text.len())]
}

/// Maximum number of lines before or after a problem that are examined.
const FURTHEST: usize = 1000;

/// Whether an element that begins at `start` is part of indented code in a directive. Our own tabs and notes have none, because their content
/// may be indented.
pub(in crate::markdown) fn is_indented_code(dialect: &Dialect, text: &str, start: usize) -> bool {
    if !dialect.has(Syntax::Myst) && !dialect.has(Syntax::Vue) {
        return false;
    }
    let end = text.get(start..).and_then(|rest| rest.find('\n'));
    let lines = text[..end.map_or(text.len(), |end| start + end)].lines().rev().take(FURTHEST);
    let mut lines = lines.skip_while(|line| line.starts_with("    ")).peekable();
    let is_apart = lines.peek().is_some_and(|line| line.trim().is_empty() || line.starts_with(":::"));
    let before = lines.find(|line| !line.trim().is_empty() && !line.starts_with("    ")).unwrap_or_default();
    let is_item =
        before.trim_start().starts_with(|c: char| matches!(c, '-' | '*' | '+') || c.is_ascii_digit());
    let is_indented = text[..start].lines().next_back().is_some_and(|line| line.starts_with("    "));
    is_indented && is_apart && !is_item
}

/// Whether a problem remains if plugins define link labels. They define labels for code, so other undefined labels
/// may be theirs.
pub(in crate::markdown) fn is_undefined(text: &str, problem: &mut Problem) -> bool {
    let written = text.get(problem.span.clone()).unwrap_or_default();
    // A label that this page defines is meant.
    let is_slip = problem.help.as_deref().is_some_and(|help| help.starts_with("did you mean"));
    if problem.code != Code::UndefinedReference || written.starts_with("[^") || is_slip {
        return true;
    }
    let label = written.trim_end_matches("[]").trim_end_matches(']').rsplit('[').next().unwrap_or_default();
    let message = problem.message.split(", so ").next().unwrap_or_default();
    problem.message = format!("{message} on this page, but a plugin of the site may define it");
    *problem = problem.clone().as_advice();
    !label.contains(['.', ':', '`'])
}

/// The data of findings about tabs with the label of another one.
pub(super) const SAME_TAB: &str = "same_tab";

/// Whether a problem is about the label of a tab that a component of the file makes. Those that authors write are compared where they
/// are read.
pub(in crate::markdown) fn is_tab_of_component(file: &str, problem: &Problem) -> bool {
    let is_block = |written: &str| [":::", "===", "{{", "{%"].iter().any(|sign| written.starts_with(sign));
    let written = || file.get(problem.span.clone()).unwrap_or_default().trim_start();
    problem.data.contains_key(SAME_TAB) && !is_block(written())
}

/// Whether the generator that a page is written for reads the text of a problem as its author meant it, or may do so.
pub(in crate::markdown) fn is_read_by(dialect: &Dialect, problem: &Problem) -> bool {
    // Python-Markdown needs no space before a heading.
    if problem.code == Code::HeadingAsText && dialect.has(Syntax::Indented) {
        return true;
    }
    // It nests an item that is indented by four to seven spaces, also directly below the text of another one.
    if problem.code == Code::ItemAsText && problem.data.contains_key(items::DEEP) {
        return dialect.has(Syntax::Indented);
    }
    match problem.data.get("cause").and_then(|cause| cause.as_str()) {
        // Python-Markdown accepts these characters, except between white space.
        Some(emphasis::BLANK) => dialect.has(Syntax::Indented),
        // kramdown does so if punctuation surrounds them.
        Some(emphasis::PUNCTUATION) => dialect.has(Syntax::Indented) || dialect.has(Syntax::Liquid),
        Some(sources::NO_SOURCE | LONE_TAB) => !dialect.is_ours(),
        // "Tables" on <https://kramdown.gettalong.org/syntax.html>.
        Some(NO_DELIMITERS) => dialect.has(Syntax::Liquid),
        _ => false,
    }
}
