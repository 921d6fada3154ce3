//! `MyST`: directives in fences and colons, labels, roles and comments.

use std::borrow::Cow;
use std::ops::Range;

use super::blocks::{BlockKind, Close, OpenBlock};
use super::construct::{Construct, Slip, TextPlace, misspelled_directive};
use super::notes::InclusionKind;
use super::translator::{RuleAt, Translator, near_start};
use super::{boxes, liquid, parts};
use crate::markdown::lines::{closes_fence, columns, run_length};
use crate::markdown::page::{
    NoteKind, OmissionReason, Page, PageAnchor, Reference, ReferenceForm, ReferenceKind,
};
use base::diagnostic::{Code, Problem, distance_within, is_plural, misspelled, nearest};
use base::lines::placed;
use base::quoted::quoted;
use base::site_path;
use base::sorted::SortedMap;
use input::conventions::Syntax;

/// `` ```{name} ``, `:::{name}`, `(label)=`, `% comment`.
pub(super) const DIRECTIVE: Construct = Construct {
    name: "myst-directive",
    nouns: ("a MyST directive", "MyST directives"),
    syntaxes: &[Syntax::Myst],
    becomes: &[(&[Syntax::Myst], RuleAt::Opening(line)), (&[Syntax::Myst], RuleAt::End(at_end))],
    ..Construct::SILENT
};

/// `` {doc}`install` ``.
pub(super) const ROLE: Construct = Construct {
    name: "myst-role",
    nouns: ("a role of MyST", "roles of MyST"),
    syntaxes: &[Syntax::Myst],
    slip: Some(Slip {
        opens: &["{"],
        length: role_length,
        seen: "readers see its name in braces",
        help: "use `[text](page.md)`, or only the code",
    }),
    becomes: &[(&[Syntax::Myst], RuleAt::Place("{", place))],
};

/// Matches `` {doc}`install` ``.
fn role_length(at: &TextPlace<'_>) -> Option<usize> {
    let inside = at.written.lines().next()?.get(1..)?;
    let name = inside.find(|c: char| !c.is_ascii_lowercase() && !":_-".contains(c))?;
    let code = inside[name..].strip_prefix("}`").filter(|_| name > 1)?;
    Some(1 + name + "}`".len() + code.find('`')? + 1)
}

/// The translation of a directive.
enum DirectiveTranslation {
    Note(NoteKind),
    /// A note whose argument is its title or a version.
    Titled(&'static str),
    Details,
    Tabs,
    Tab,
    /// Only its text.
    Plain,
    Code,
    /// Code in a language that the directive's name sets.
    CodeIn(&'static str),
    /// The same, with the name of its group as an argument: <https://www.sphinx-doc.org/en/master/usage/extensions/doctest.html>.
    Tested(&'static str),
    Image,
    Include(InclusionKind),
    /// A list of documents.
    Contents,
    /// Sphinx generates its content, such as lists of pages and indices.
    Nothing,
}

impl DirectiveTranslation {
    /// Returns the language of a code block, and a first line in the argument.
    fn code(&self, argument: &str) -> Option<String> {
        match self {
            Self::Code => Some(argument.to_string()),
            Self::Tested(language) => Some(language.to_string()),
            Self::CodeIn(language) if argument.is_empty() => Some(language.to_string()),
            Self::CodeIn(language) => Some(format!("{language}\n{argument}")),
            _ => None,
        }
    }
}

/// Whether the content of a directive is Markdown, in any fence.
pub fn holds_markdown(name: &str) -> bool {
    use DirectiveTranslation::{Details, Note, Plain, Tab, Tabs, Titled};
    matches!(directive_translation(name), Some(Note(_) | Titled(_) | Details | Tabs | Tab | Plain))
}

fn directive_translation(name: &str) -> Option<DirectiveTranslation> {
    Some(match name {
        "admonition" | "topic" => DirectiveTranslation::Titled(""),
        "versionadded" => DirectiveTranslation::Titled("Added in version"),
        "versionchanged" => DirectiveTranslation::Titled("Changed in version"),
        "deprecated" | "versionremoved" => DirectiveTranslation::Titled("Deprecated since version"),
        "seealso" | "todo" => DirectiveTranslation::Note(NoteKind::Note),
        "attention" => DirectiveTranslation::Note(NoteKind::Warning),
        "dropdown" | "details" => DirectiveTranslation::Details,
        "tab-set" | "tabs" => DirectiveTranslation::Tabs,
        "tab-item" | "tab" | "group-tab" => DirectiveTranslation::Tab,
        "code-block" | "code" | "sourcecode" | "code-cell" | "prompt" | "parsed-literal" => {
            DirectiveTranslation::Code
        }
        "math" => DirectiveTranslation::CodeIn("math"),
        "doctest" => DirectiveTranslation::Tested("pycon"),
        "testcode" => DirectiveTranslation::Tested("python"),
        "testoutput" => DirectiveTranslation::Tested("text"),
        "myst" | "md" => DirectiveTranslation::CodeIn("markdown"),
        "image" | "figure" => DirectiveTranslation::Image,
        "include" => DirectiveTranslation::Include(InclusionKind::Markdown),
        "literalinclude" => DirectiveTranslation::Include(InclusionKind::Code),
        // Their content is a table in Markdown, and nested lists.
        "table" | "list-table" => DirectiveTranslation::Plain,
        "grid" | "grid-item" | "grid-item-card" | "card" | "div" | "container" | "figure-md" | "margin"
        | "sidebar" | "epigraph" | "only" | "rubric" | "centered" | "tab-item-code" => {
            DirectiveTranslation::Plain
        }
        "toctree" => DirectiveTranslation::Contents,
        "contents" | "tableofcontents" | "toc" | "index" | "meta" | "currentmodule" | "module"
        | "testsetup" | "testcleanup" => DirectiveTranslation::Nothing,
        other => DirectiveTranslation::Note(NoteKind::named(other)?),
    })
}

/// Directives of Sphinx and common extensions in addition to those that are translated.
const OTHERS: &[&str] = &[
    "note",
    "tip",
    "hint",
    "important",
    "warning",
    "caution",
    "danger",
    "error",
    "attention",
    "admonition",
    "topic",
    "seealso",
    "todo",
    "versionadded",
    "versionchanged",
    "deprecated",
    "dropdown",
    "tab-set",
    "tab-item",
    "code-block",
    "sourcecode",
    "code-cell",
    "parsed-literal",
    "image",
    "figure",
    "include",
    "literalinclude",
    "grid-item",
    "grid-item-card",
    "container",
    "margin",
    "sidebar",
    "epigraph",
    "rubric",
    "centered",
    "toctree",
    "contents",
    "currentmodule",
    "math",
    "table",
    "list-table",
    "csv-table",
    "highlight",
    "highlights",
    "pull-quote",
    "compound",
    "glossary",
    "productionlist",
    "mermaid",
    "graphviz",
    "digraph",
    "automodule",
    "autoclass",
    "autofunction",
    "autodata",
    "automethod",
    "autosummary",
    "eval-rst",
    "doctest",
    "testcode",
    "testoutput",
    "testsetup",
    "todolist",
    "bibliography",
    "button-link",
    "button-ref",
    "tags",
    "panels",
    "tabbed",
    "iframe",
    "youtube",
    "video",
    "exercise",
    "solution",
    "proof",
    "theorem",
];

/// Translates a line without text: the opening or end of a directive, a label, or a comment.
pub(super) fn line(it: &mut Translator<'_, '_>, inner: &str) -> bool {
    let mark = inner.as_bytes().first().copied().unwrap_or_default();
    match mark {
        b'(' => label(it, inner),
        b'%' => {
            it.remove(it.lines.at + inner.len());
            finish_line(it);
            true
        }
        b'+' if inner.starts_with("+++") => {
            it.remove(it.lines.at + inner.len());
            finish_line(it);
            true
        }
        b'\\' if it.dialect.has_formulas => environment(it, inner),
        b'`' | b'~' | b':' => {
            let length = run_length(inner, mark);
            length >= 3 && (closes(it, length, inner) || opens(it, mark, length, inner))
        }
        _ => false,
    }
}

/// Translates `\begin{align}` … `\end{align}`, a formula of several lines:
/// <https://myst-parser.readthedocs.io/en/latest/syntax/optional.html#direct-latex-math>.
fn environment(it: &mut Translator<'_, '_>, inner: &str) -> bool {
    /// Maximum length in bytes.
    const LONGEST: usize = 1 << 13;
    let name = inner.strip_prefix("\\begin{").and_then(|rest| rest.split_once('}')).map(|(name, _)| name);
    let end = name.and_then(|name| {
        let last = format!("\\end{{{name}}}");
        near_start(it.lines.rest(), LONGEST).find(&last).map(|at| it.lines.at + at + last.len())
    });
    let Some(end) = end.filter(|_| column(it) == 0) else { return false };
    let start = it.lines.at;
    it.out.put("```math\n", start..start);
    it.out.copy(it.lines.text, start..end);
    it.out.put("\n```\n", end..end);
    it.lines.at = end;
    finish_line(it);
    true
}

/// Translates `(label)=`, an anchor before a heading, a figure or a paragraph.
fn label(it: &mut Translator<'_, '_>, inner: &str) -> bool {
    let Some(id) = inner.strip_prefix('(').and_then(|rest| rest.trim_end().strip_suffix(")=")) else {
        let slip = misspelled_label(it, inner);
        it.notes.problems.extend(slip);
        return false;
    };
    if id.is_empty() || id.contains(['(', ')']) {
        return false;
    }
    let span = it.lines.at + 1..it.lines.at + 1 + id.len();
    it.notes.anchors.push(PageAnchor { id: id.trim().to_string(), span });
    it.remove(it.lines.at + inner.len());
    finish_line(it);
    true
}

/// Reports `(label):` and `(label) =` before a heading, which readers see as text.
fn misspelled_label(it: &Translator<'_, '_>, inner: &str) -> Option<Problem> {
    let (id, sign) = inner.strip_prefix('(')?.trim_end().split_once(')')?;
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':' | b'.');
    let mut after = it.lines.text[it.lines.at..].lines().skip(1).skip_while(|line| line.trim().is_empty());
    let is_slip = !id.is_empty() && id.bytes().all(is_name) && matches!(sign, "" | ":" | " =" | " :" | ":=");
    let span = it.lines.at..it.lines.at + inner.trim_end().len();
    let message = format!("{} is not a label, so readers see it", quoted(inner.trim_end()));
    let problem = Problem::new(Code::UnknownDirective, span, message).help(format!("use `({id})=`"));
    (is_slip && after.next()?.trim_start().starts_with('#')).then_some(problem)
}

fn finish_line(it: &mut Translator<'_, '_>) {
    it.lines.at += it.lines.rest_of_line(it.lines.at).len();
    if it.lines.rest().starts_with('\r') {
        it.lines.at += 1;
    }
    it.end_of_line();
}

fn closes(it: &mut Translator<'_, '_>, length: usize, inner: &str) -> bool {
    let lead = " ".repeat(column(it));
    let Some(index) = it.blocks.fence_ended_by((&lead, inner)) else { return false };
    // The fences in it end with it.
    for inside in it.blocks.open.split_off(index + 1).into_iter().rev() {
        if matches!(inside.kind, BlockKind::Fence { .. }) {
            it.write_end(inside.close, it.lines.at);
        }
    }
    let Some(block) = it.blocks.open.pop() else { return false };
    it.write_end(block.close, it.lines.at + length);
    finish_line(it);
    true
}

/// Reports the first directive inside one that has no more of the same marks, if the rest of the page has fewer ends than they
/// need. The first end closes both, and a further one begins a division, which readers don't see, or code.
fn lacks_end(it: &mut Translator<'_, '_>, mark: u8, length: usize, inner: &str) -> Option<Problem> {
    if it.myst.has_nested {
        return None;
    }
    let count = |block: &OpenBlock<'_>| match block.kind {
        BlockKind::Fence { mark: own, length } if own == mark => Some(length),
        _ => None,
    };
    let open: Vec<usize> = it.blocks.open.iter().filter_map(count).filter(|count| *count <= length).collect();
    let shortest = open.iter().copied().min()?;
    it.myst.has_nested = true;
    let lines = it.lines.rest().lines().map(str::trim).filter(|line| run_length(line, mark) >= shortest);
    let (ends, begins): (Vec<&str>, Vec<&str>) = lines.partition(|line| run_length(line, mark) == line.len());
    let message = format!("the block around {} is never closed", quoted(inner.trim_end()));
    let marks = quoted(&char::from(mark).to_string().repeat(shortest));
    let help = format!("add {marks} before this line, or at the end of the block around it");
    let span = it.lines.at..it.lines.at + inner.trim_end().len();
    let is_short = ends.len() < open.len() + begins.len();
    // A card at the end of a grid looks the same.
    is_short.then(|| Problem::new(Code::UnbalancedBlock, span, message).help(help).as_warning())
}

/// Reports a note that only other tools have, such as `{info}`, although its text is shown here.
fn note_of_others(name: &str, kind: NoteKind, at: usize) -> Option<Problem> {
    let message = format!("Sphinx has no directive `{{{name}}}`, so it leaves out the text");
    let problem = Problem::new(Code::UnknownDirective, at..at + name.len(), message);
    let problem = problem.help(format!("use `{{{}}}`", kind.class())).data("directive", name);
    (!OTHERS.contains(&name.to_lowercase().as_str())).then_some(problem)
}

/// Translates `` ```{name} argument ``, `:::{name} argument`, and `:::`.
fn opens(it: &mut Translator<'_, '_>, mark: u8, length: usize, inner: &str) -> bool {
    let named = inner[length..].trim();
    // A division of its own. Elsewhere, it may be the end of a note.
    let is_inside =
        || it.blocks.open.iter().any(|block| matches!(block.kind, BlockKind::Fence { mark: b':', .. }));
    if named.is_empty() && mark == b':' && is_inside() {
        it.remove(it.lines.at + inner.len());
        finish_line(it);
        it.myst.openings.remove(&it.blocks.open.len());
        it.open_in_place(BlockKind::Fence { mark, length }, Close::Nothing);
        return true;
    }
    let Some((name, argument)) = named.strip_prefix('{').and_then(|rest| rest.split_once('}')) else {
        return false;
    };
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.' | '+');
    if name.is_empty() || !name.chars().all(is_name) {
        return false;
    }
    let (name, argument) = (name.trim(), argument.trim());
    let opened = it.lines.at + inner.len();
    let slip = lacks_end(it, mark, length, inner);
    it.notes.problems.extend(slip);
    let fence = BlockKind::Fence { mark, length };
    let translation = directive_translation(&name.to_lowercase());
    if translation.is_some() {
        misspelled_options(it, opened);
    }
    if let Some(DirectiveTranslation::Note(kind)) = translation {
        let at = it.lines.at + inner.find(name).unwrap_or(0);
        it.notes.problems.extend(note_of_others(name, kind, at));
    }
    if let Some(first) = translation.as_ref().and_then(|it| it.code(argument)) {
        code(it, mark, length, &first, opened);
        return true;
    }
    // As docutils does: `directive` in parsers/rst/directives/__init__.py.
    let (lines, close) = match translation {
        Some(DirectiveTranslation::Note(kind)) if it.dialect.has(Syntax::MystTitles) => {
            boxes::note(&it.blocks, kind, argument)
        }
        Some(DirectiveTranslation::Note(kind)) => {
            // The rest of the line is text.
            let text = if argument.is_empty() { String::new() } else { format!("\n{argument}") };
            let (line, close) = boxes::note(&it.blocks, kind, "");
            (line + &text, close)
        }
        Some(DirectiveTranslation::Titled(title)) => {
            let title = format!("{title} {argument}");
            boxes::note(&it.blocks, NoteKind::Note, title.trim())
        }
        Some(DirectiveTranslation::Details) => {
            boxes::details(if argument.is_empty() { "Details" } else { argument })
        }
        Some(DirectiveTranslation::Tabs) => boxes::tabs(),
        Some(DirectiveTranslation::Tab) => {
            (boxes::tab(argument).0 + "\n", Close::Lines("\n</tab>".to_string()))
        }
        Some(DirectiveTranslation::Plain) => (format!("{argument}\n"), Close::Nothing),
        Some(DirectiveTranslation::Image) => {
            return whole(it, mark, length, opened, |it, end| image(it, argument, end));
        }
        Some(DirectiveTranslation::Include(kind)) => {
            return whole(it, mark, length, opened, |it, end| include(it, argument, kind, end));
        }
        Some(DirectiveTranslation::Contents) => return whole(it, mark, length, opened, contents),
        Some(DirectiveTranslation::Nothing) => return whole(it, mark, length, opened, nothing),
        _ => {
            let at = it.lines.at + inner.find(name).unwrap_or(0);
            let span = at..at + name.len();
            let slip = misspelled_directive(&name.to_lowercase(), OTHERS, span.clone())
                .or_else(|| boxes::slip_of_note(name, span));
            return whole(it, mark, length, opened, |it, end| {
                if let Some(problem) = slip {
                    it.notes.problems.push(problem);
                    it.remove(end);
                } else {
                    if name == "eval-rst" {
                        let slips = rst_comments(it, end);
                        it.notes.problems.extend(slips);
                    }
                    it.leave_out(DIRECTIVE.name, name, end);
                }
            });
        }
    };
    it.notes.problems.extend(ended_by_code(it, it.lines.at..opened, mark, length));
    it.myst.openings.insert(it.blocks.open.len(), it.lines.at..opened);
    if lines.is_empty() {
        it.remove(opened);
    } else {
        it.put_lines(&lines, opened);
    }
    finish_line(it);
    let from = it.lines.at;
    let options = options(it);
    it.notes.roles.extend(linked(it.lines.text, from..it.lines.at, &options));
    it.open_in_place(fence, close);
    true
}

/// Reports a directive in which a code block begins with as many marks, so that the end of the code also ends the directive:
/// <https://spec.commonmark.org/0.31.2/#fenced-code-blocks>.
fn ended_by_code(it: &Translator<'_, '_>, opening: Range<usize>, mark: u8, length: usize) -> Option<Problem> {
    let mut lines = it.lines.text[opening.end..].lines().map(str::trim_start);
    let inner = lines.find(|line| run_length(line, mark) >= length)?.trim_end();
    let info = inner[run_length(inner, mark)..].trim();
    let named = info.strip_prefix('{').and_then(|it| it.split_once('}')).map(|(name, _)| name);
    let is_code =
        info.starts_with(|c: char| c.is_ascii_alphabetic()) || named.is_some_and(|it| !holds_markdown(it));
    let marks = &it.lines.text[opening.clone()];
    let marks = &marks[marks.find(char::from(mark))?..][..length];
    let message = format!("the directive contains the line {inner}, so it ends with that code");
    let help = format!(
        "begin and end the directive with {marks}{}, or add a line with {marks} before the code",
        &marks[..1]
    );
    (mark != b':' && is_code && !info.contains('`'))
        .then(|| Problem::new(Code::UnclosedFence, opening, message).help(help))
}

/// Reports the directives of reStructuredText up to a position that have one colon, which makes them comments:
/// <https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#comments>.
fn rst_comments(it: &Translator<'_, '_>, end: usize) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (at, line) in placed(&it.lines.text[it.lines.at..end], it.lines.at) {
        let start = at + (line.len() - line.trim_start().len());
        let Some((name, rest)) = line.trim_start().strip_prefix(".. ").and_then(|rest| rest.split_once(':'))
        else {
            continue;
        };
        let is_used = || !name.is_empty() && it.lines.text.contains(&format!(".. {name}:: "));
        let is_directive = OTHERS.contains(&name) || directive_translation(name).is_some() || is_used();
        if !is_directive || rest.starts_with(':') || rest.starts_with(|c: char| !c.is_whitespace()) {
            continue;
        }
        let message = format!("`.. {name}:` is a comment, because a directive has two colons");
        let span = start..start + ".. :".len() + name.len();
        let problem = Problem::new(Code::UnknownDirective, span.clone(), message);
        problems.push(problem.help(format!("use `.. {name}::`")).edit(span.end..span.end, ":"));
    }
    problems
}

/// Returns the document or label to which a card leads: <https://sphinx-design.readthedocs.io/en/latest/cards.html>.
fn linked(text: &str, place: Range<usize>, options: &SortedMap<String, String>) -> Option<Reference> {
    let (target, kind) = (options.get("link")?, options.get("link-type")?);
    let form = match kind.as_str() {
        "doc" => ReferenceForm::Document,
        "ref" => ReferenceForm::Label,
        _ => return None,
    };
    let start = place.start + text[place].find(target.as_str())?;
    (!target.is_empty()).then(|| role(form, target, start))
}

/// Removes the options of a directive: `:name: value`, each on its own line directly after the opening.
fn options(it: &mut Translator<'_, '_>) -> SortedMap<String, String> {
    let mut options = SortedMap::new();
    while let Some((name, value)) = option(it.lines.rest_of_line(it.lines.at)) {
        options.insert(name.to_string(), value.to_string());
        it.lines.at = it.lines.line_end(it.lines.at);
    }
    options
}

/// Options of the directives of docutils, Sphinx and `MyST`.
#[rustfmt::skip]
const OPTIONS: &[&str] = &[
    "align", "caption", "class", "columns", "dedent", "delim", "diff", "emphasize-lines", "encoding", "end-at",
    "end-before", "end-line", "enumerated", "figclass", "figwidth", "filename", "filenames", "force", "glob", "gutter",
    "header-rows", "height", "hidden", "hide-edit", "includehidden", "label", "language", "lineno-match",
    "lineno-start", "linenos", "lines", "link", "link-alt", "link-type", "literal", "margin", "maxdepth", "no-wrap", "nowrap",
    "numbered", "number-lines", "pyobject", "relative-docs", "relative-images", "reverse", "reversed", "scale", "shadow", "sorted",
    "start-after", "start-at", "start-line", "stub-columns", "target", "titlesonly", "width", "widths",
];

/// Reports the misspelled options of a directive whose opening line ends at a position.
fn misspelled_options(it: &mut Translator<'_, '_>, opened: usize) {
    let mut at = it.lines.line_end(opened);
    while let Some((name, _)) = option(it.lines.rest_of_line(at)) {
        let start = at + it.lines.rest_of_line(at).find(name).unwrap_or_default();
        it.notes.problems.extend(misspelled_option(name, start..start + name.len()));
        at = it.lines.line_end(at);
    }
}

/// Reports an option whose name differs by one letter from a known one. Extensions define others.
fn misspelled_option(name: &str, span: Range<usize>) -> Option<Problem> {
    const SHORTEST: usize = 5;
    let is_known = OPTIONS.contains(&name) || name.len() < SHORTEST;
    let near = OPTIONS.iter().filter(|it| it.len() >= SHORTEST && !is_known);
    let near = near.copied().find(|it| strsim::osa_distance(it, name) == 1 && !is_plural(it, name))?;
    let message = format!("unknown option `{name}`");
    Some(Problem::new(Code::UnknownDirective, span, message).help(format!("did you mean `{near}`?")))
}

fn option(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.trim().strip_prefix(':')?.split_once(':')?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    is_name.then_some((name, value.trim()))
}

/// Ends and reports the blocks that are open at the end of the page. Those with colons that are written as blocks of ours are
/// reported as such.
fn at_end(it: &mut Translator<'_, '_>) {
    let end = it.lines.text.len();
    while let Some(OpenBlock { kind, close, out_column, .. }) = it.blocks.open.pop() {
        let BlockKind::Fence { mark, length } = kind else { continue };
        if mark == b':' && close != Close::Nothing {
            continue;
        }
        let opening = it.myst.openings.get(&it.blocks.open.len()).cloned();
        let problem = opening.map(|opening| unclosed(it, opening, (mark, length)));
        it.notes.problems.extend(problem);
        if let Close::Lines(lines) = close {
            it.out.end_block(&lines, out_column, end);
        }
    }
}

fn unclosed(it: &Translator<'_, '_>, opening: Range<usize>, (mark, length): (u8, usize)) -> Problem {
    let message = format!("the block {} is never closed", quoted(&it.lines.text[opening.clone()]));
    let marks = quoted(&char::from(mark).to_string().repeat(length));
    let help = format!("add {marks} after its text");
    Problem::new(Code::UnbalancedBlock, opening, message).help(help).as_warning()
}

/// Removes a complete directive, from its first to its last line.
fn whole<'t>(
    it: &mut Translator<'t, '_>,
    mark: u8,
    length: usize,
    opened: usize,
    write: impl FnOnce(&mut Translator<'t, '_>, usize),
) -> bool {
    let column = column(it);
    let mut at = it.lines.line_end(opened.min(it.lines.text.len().saturating_sub(1)));
    let mut end = opened;
    let mut is_closed = mark != b':';
    while at < it.lines.text.len() {
        let line = it.lines.rest_of_line(at);
        if it.blocks.fence_ended_by(parts_of(line)).is_some() {
            // It may also be the end of this block: see `lacks_end`.
            is_closed = true;
            break;
        }
        end = at + line.len();
        if closes_fence(parts_of(line), (mark, length), column) {
            is_closed = true;
            break;
        }
        at = it.lines.line_end(at);
    }
    if !is_closed {
        let opening = it.lines.at..it.lines.at + it.lines.rest_of_line(it.lines.at).trim_end().len();
        let problem = unclosed(it, opening, (mark, length));
        it.notes.problems.push(problem);
    }
    write(it, end);
    finish_line(it);
    true
}

/// Returns the column in which the current line's text begins.
fn column(it: &Translator<'_, '_>) -> usize {
    let start = it.lines.text[..it.lines.at].rfind('\n').map_or(0, |newline| newline + 1);
    columns(&it.lines.text[start..it.lines.at])
}

/// Returns the start of a line, with spaces and quote markers, and the rest.
fn parts_of(line: &str) -> (&str, &str) {
    line.split_at(line.len() - line.trim_start_matches(['>', ' ', '\t']).len())
}

/// Returns the place of the highlighted lines that the options of a code block set. They are written as in our own code blocks. The
/// options begin at a position.
fn highlighted(text: &str, mut at: usize) -> Option<Range<usize>> {
    let is_sign = |byte: u8| byte.is_ascii_digit() || matches!(byte, b',' | b'-' | b' ');
    while let Some((name, value)) = text[at..].lines().next().and_then(option) {
        if name == "emphasize-lines" && !value.is_empty() && value.bytes().all(is_sign) {
            let start = at + text[at..].find(value)?;
            return Some(start..start + value.len());
        }
        at += text[at..].find('\n')? + 1;
    }
    None
}

/// Writes code under another name. The opening line contains only the language.
fn code(it: &mut Translator<'_, '_>, mark: u8, length: usize, language: &str, opened: usize) {
    let column = column(it);
    let fence = char::from(if mark == b':' { b'`' } else { mark }).to_string().repeat(length);
    // Sphinx counts lines from the first of the block: <https://www.sphinx-doc.org/en/master/usage/restructuredtext/directives.html>.
    let lines = highlighted(it.lines.text, it.lines.line_end(opened));
    let (language, argument) = language.split_once('\n').unwrap_or((language, ""));
    let argument = if argument.is_empty() { String::new() } else { format!("\n{argument}") };
    it.put(&format!("{fence}{language}"), opened);
    if let Some(lines) = lines {
        it.out.put(" {", lines.start..lines.start);
        it.out.copy(it.lines.text, lines.clone());
        it.out.put("}", lines.end..lines.end);
    }
    it.out.put(&argument, opened..opened);
    finish_line(it);
    options(it);
    // The code begins after blank lines.
    while it.lines.at < it.lines.text.len() && it.lines.rest_of_line(it.lines.at).trim().is_empty() {
        it.lines.at = it.lines.line_end(it.lines.at);
    }
    while it.lines.at < it.lines.text.len() {
        let line = it.lines.rest_of_line(it.lines.at);
        let (lead, content) = parts_of(line);
        if it.blocks.fence_ended_by((lead, content)).is_some() {
            return it.end_fence(&fence);
        }
        if closes_fence((lead, content), (mark, length), column) {
            let before = it.lines.at + lead.len();
            it.copy_to(before);
            it.put(&fence, before + run_length(content, mark));
            let next = it.lines.line_end(it.lines.at);
            return it.copy_to(next);
        }
        let next = it.lines.line_end(it.lines.at);
        it.copy_to(next);
    }
}

fn nothing(it: &mut Translator<'_, '_>, end: usize) {
    it.remove(end);
}

/// Removes a `toctree`, and records its documents: <https://www.sphinx-doc.org/en/master/usage/restructuredtext/directives.html>.
fn contents(it: &mut Translator<'_, '_>, end: usize) {
    let mut at = it.lines.line_end(it.lines.at);
    let (mut has_patterns, mut is_yaml) = (false, false);
    while at < end {
        let line = it.lines.rest_of_line(at);
        let (lead, entry) = parts_of(line);
        let (target, start) = entry_of(entry.trim_end());
        has_patterns |= entry.starts_with(":glob:") || is_yaml && entry.starts_with("glob:");
        let is_mark = entry.trim_end() == "---";
        is_yaml ^= is_mark;
        // The end may be missing.
        let is_end = entry.trim().bytes().all(|byte| matches!(byte, b'`' | b'~' | b':'));
        let is_option = is_mark || is_yaml || is_end || option(entry).is_some();
        let is_generated = matches!(target, "" | "self");
        let is_pattern = has_patterns && target.contains(['*', '?', '[']);
        if !is_option && !is_generated && !is_pattern && !target.contains("://") {
            let from = at + lead.len() + start;
            it.notes.roles.push(role(ReferenceForm::Entry, target, from));
        }
        at = it.lines.line_end(at);
    }
    it.remove(end);
}

/// Returns the target of an entry or role, and its position: `b` for `a <b>`.
fn entry_of(entry: &str) -> (&str, usize) {
    let inside = entry.strip_suffix('>').and_then(|rest| Some((rest, rest.rfind('<')?)));
    let (target, at) = match inside {
        Some((rest, open)) if open > 0 => (&rest[open + 1..], open + 1),
        _ => (entry, 0),
    };
    (target.trim(), at + target.len() - target.trim_start().len())
}

fn role(form: ReferenceForm, target: &str, from: usize) -> Reference {
    let (target, span) = (target.to_string(), from..from + target.len());
    Reference { kind: ReferenceKind::Link, target, text: None, span, form }
}

fn image(it: &mut Translator<'_, '_>, path: &str, end: usize) {
    let Some(at) = it.lines.text[it.lines.at..end].find(path).filter(|_| !path.is_empty()) else {
        return it.remove(end);
    };
    let place = it.lines.at + at..it.lines.at + at + path.len();
    let lines = it.lines.text[place.end..end].lines().map(|line| parts_of(line).1);
    let alt = lines.filter_map(option).find(|(name, _)| *name == "alt").map_or("", |(_, alt)| alt);
    let alt = alt.replace(['[', ']', '\n'], " ");
    it.out.put(&format!("![{alt}]("), it.lines.at..place.start);
    it.out.copy(it.lines.text, place.clone());
    let caption = caption(it.lines.text, place.end..end);
    let rest = if caption.is_empty() { end..end } else { caption };
    it.out.put(if rest.is_empty() { ")\n" } else { ")\n\n" }, place.end..rest.start);
    it.out.copy(it.lines.text, rest.clone());
    it.out.put("\n", rest.end..end);
    it.lines.at = end;
}

/// Returns the range of the text below the options of a figure, up to the line that closes it. Text with directives isn't translated.
fn caption(text: &str, place: Range<usize>) -> Range<usize> {
    let mut lines = placed(&text[place.clone()], place.start).skip(1).peekable();
    let is_option = |line: &str| line.trim().is_empty() || option(line).is_some();
    while lines.next_if(|(_, line)| is_option(parts_of(line).1)).is_some() {}
    let begins = |(_, line): &(usize, &str)| !parts_of(line).1.starts_with([':', '`', '~']);
    let content: Vec<(usize, &str)> = lines.take_while(begins).collect();
    let (Some(first), Some(last)) = (content.first(), content.last()) else { return place.end..place.end };
    let end = last.0 + last.1.len();
    // What follows is the line that closes the figure.
    let is_whole = text[end..place.end].lines().count() <= 1;
    if is_whole { first.0..end } else { place.end..place.end }
}

fn include(it: &mut Translator<'_, '_>, path: &str, kind: InclusionKind, end: usize) {
    let options: SortedMap<&str, &str> = it.lines.text[it.lines.at..end].lines().filter_map(option).collect();
    let part = it.part(path, kind, it.lines.at..end);
    let slips = part.into_iter().flat_map(|text| missing_marks(text, (path, &options), it, end));
    let slips: Vec<Problem> = slips.collect();
    if !slips.is_empty() {
        it.notes.problems.extend(slips);
        return it.remove(end);
    }
    match part.map(|text| selected(text, &options)) {
        Some(text) if kind == InclusionKind::Code => {
            let language = options.get("language").copied().unwrap_or_else(|| parts::language(path));
            it.put_lines(&parts::fenced(text, language), end);
        }
        Some(text) => {
            let text = relocated(text, path, &options);
            let markdown = it.included(&text, SortedMap::new(), end);
            it.put_markdown(&markdown, end);
        }
        None => {
            let span = it.lines.at..end;
            it.note(DIRECTIVE.name, path, OmissionReason::Missing, span);
            it.remove(end);
        }
    }
}

/// Returns the text of an included file with links relative to the page: those that begin with the folder of `relative-docs`, and
/// images with `relative-images`. <https://myst-parser.readthedocs.io/en/latest/faq/index.html#include-a-file-from-outside-the-docs-folder-like-readme-md>
fn relocated<'t>(text: &'t str, path: &str, options: &SortedMap<&str, &str>) -> Cow<'t, str> {
    let folder = site_path::parent(path);
    let docs = options.get("relative-docs").copied().filter(|docs| !docs.is_empty());
    let has_images = options.contains_key("relative-images");
    if docs.is_none() && !has_images {
        return text.into();
    }
    parts::relocated(text, folder, |target, is_image| {
        docs.is_some_and(|docs| target.starts_with(docs))
            || is_image && has_images && parts::is_relative(target)
    })
}

/// Returns the part of an included file that the options of a directive select:
/// <https://docutils.sourceforge.io/docs/ref/rst/directives.html#including-an-external-document-fragment>.
fn selected<'t>(text: &'t str, options: &SortedMap<&'t str, &'t str>) -> &'t str {
    let option = |name: &str| options.get(name).copied();
    let line = |name| option(name).and_then(|number| number.parse::<usize>().ok());
    let position =
        |line: usize| text.match_indices('\n').nth(line.saturating_sub(1)).map_or(text.len(), |it| it.0 + 1);
    let start = line("start-line").filter(|line| *line > 0).map_or(0, position);
    let end = line("end-line").map_or(text.len(), position).max(start);
    let text = &text[start..end];
    let mark = |name| option(name).map(unquoted).filter(|mark| !mark.is_empty());
    let text = mark("start-after").and_then(|it| text.split_once(it)).map_or(text, |(_, after)| after);
    mark("end-before").and_then(|it| text.split_once(it)).map_or(text, |(before, _)| before)
}

/// Returns a value of an option, which is YAML, without its quotation marks.
fn unquoted(value: &str) -> &str {
    let inside = ['"', '\''].iter().find_map(|it| value.strip_prefix(*it)?.strip_suffix(*it));
    inside.unwrap_or(value)
}

/// Reports the options of an include that name a text or an object that the file doesn't contain: docutils and Sphinx stop at them, or
/// include nothing (<https://www.sphinx-doc.org/en/master/usage/restructuredtext/directives.html#directive-literalinclude>).
fn missing_marks(
    text: &str,
    (path, options): (&str, &SortedMap<&str, &str>),
    it: &Translator<'_, '_>,
    end: usize,
) -> Vec<Problem> {
    const MARKS: [&str; 4] = ["start-after", "start-at", "end-before", "end-at"];
    let written = &it.lines.text[it.lines.at..end];
    let missing = options.iter().filter_map(|(name, value)| {
        let wanted = unquoted(value);
        let is_there = match *name {
            "pyobject" => {
                let last = wanted.rsplit('.').next().unwrap_or_default();
                let is_named = |line: &str| {
                    let rest = ["def ", "class "].iter().find_map(|it| line.split_once(it));
                    rest.is_some_and(|(_, rest)| rest.starts_with(last))
                };
                text.lines().any(is_named)
            }
            name => !MARKS.contains(&name) || text.contains(wanted),
        };
        if is_there || wanted.is_empty() {
            return None;
        }
        let at = written.find(&format!(":{name}:"))?;
        let start = it.lines.at + at + written[at..].find(value)?;
        let message = format!("{} doesn't contain {}", quoted(path), quoted(wanted));
        let near = nearest(wanted, text.lines().map(str::trim))
            .map(|near| format!("did you mean {}?", quoted(near)));
        Some(Problem::new(Code::MissingCodePart, start..start + value.len(), message).help(near))
    });
    missing.collect()
}

/// Roles of docutils and Sphinx: <https://www.sphinx-doc.org/en/master/usage/restructuredtext/roles.html>.
#[rustfmt::skip]
const ROLES: &[&str] = &[
    "abbr", "abbreviation", "any", "attr", "class", "code", "command", "data", "dfn", "doc", "download", "emphasis", "envvar", "eq",
    "exc", "file", "func", "guilabel", "kbd", "keyword", "literal", "mailheader", "makevar", "manpage", "math", "menuselection",
    "meth", "mimetype", "mod", "newsgroup", "numref", "option", "pep", "pep-reference", "program", "ref", "regexp", "rfc",
    "rfc-reference", "samp", "strong", "sub", "subscript", "sup", "superscript", "term", "title-reference",
];

/// Returns the role that a name means, if no extension has it: it differs from a long one by a letter, or occurs once on the page.
fn meant_role(name: &str, text: &str) -> Option<&'static str> {
    const LONG: usize = 4;
    let bare = name.strip_prefix("py:").unwrap_or(name).to_lowercase();
    if ROLES.contains(&bare.as_str()) {
        return None;
    }
    let is_near = |known: &&&str| {
        let are_long = bare.len() >= LONG && (known.len() >= LONG || known.len() < bare.len());
        are_long && distance_within(&bare, known, 1).is_some()
    };
    let is_only = || text.matches(&format!("{{{name}}}`")).count() == 1;
    let near = || ROLES.iter().find(is_near).copied().filter(|_| is_only());
    misspelled(&bare, ROLES.iter().copied()).or_else(near)
}

/// Whether a role is none of Sphinx. Names of other domains have a colon.
fn is_unknown_role(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_lowercase()) && !ROLES.contains(&name)
}

/// Translates a role before a code span: only its text stays.
pub(super) fn place(it: &mut Translator<'_, '_>) -> bool {
    let rest = it.lines.rest();
    if rest.starts_with("{{") {
        let Some(close) = it.find_in_line(it.lines.at + 2, "}}") else { return false };
        let name = it.lines.text[it.lines.at + 2..close].trim();
        it.leave_out(liquid::OUTPUT.name, name, close + 2);
        return true;
    }
    let inside = &rest[1..];
    let length = inside.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || b"-_:.+".contains(byte));
    let length = length.count();
    let is_role = length > 0 && inside[length..].starts_with("}`");
    if is_role {
        let form = match &inside[..length] {
            "doc" | "std:doc" => Some(ReferenceForm::Document),
            "ref" | "std:ref" | "numref" | "std:numref" | "eq" => Some(ReferenceForm::Label),
            "term" | "std:term" => Some(ReferenceForm::Term),
            name if name == "cite" || name.starts_with("cite:") => Some(ReferenceForm::Citation),
            name => is_unknown_role(name).then_some(ReferenceForm::Unknown),
        };
        let start = it.lines.at + length + 2;
        let (name, span) = (&inside[..length], it.lines.at + 1..it.lines.at + 1 + length);
        let meant = meant_role(name, it.lines.text);
        let form = form.filter(|form| meant.is_none() || *form != ReferenceForm::Unknown);
        it.notes.problems.extend(meant.map(|meant| {
            let problem = Problem::new(Code::UnknownDirective, span, format!("unknown role `{name}`"));
            problem.help(format!("did you mean `{meant}`?"))
        }));
        if name == "download" && download(it, start) {
            return true;
        }
        it.notes.roles.extend(form.and_then(|form| role_at(&it.lines.text[start..], form, start)));
        it.remove(start);
    }
    is_role
}

/// Translates the code span of a `download` role, which begins at `start`, to a link:
/// <https://www.sphinx-doc.org/en/master/usage/referencing.html#role-download>.
fn download(it: &mut Translator<'_, '_>, start: usize) -> bool {
    let Some(Reference { target, span, .. }) = role_at(&it.lines.text[start..], ReferenceForm::Target, start)
    else {
        return false;
    };
    let marks = run_length(&it.lines.text[start..], b'`');
    let Some(close) = it.lines.text[span.end..].find('`').map(|at| span.end + at + marks) else {
        return false;
    };
    let text = it.lines.text[start + marks..span.start].trim_end_matches(['<', ' ']);
    let text = if text.is_empty() { target.as_str() } else { text };
    // A name with a dot may also be an object.
    let start = if target.starts_with(['.', '/']) { "" } else { "./" };
    it.out.put(&format!("[{}](<{start}", text.replace(['[', ']'], "")), it.lines.at..span.start);
    it.out.copy(it.lines.text, span.clone());
    it.out.put(">)", span.end..close);
    it.lines.at = close;
    true
}

/// Returns the reference in the code span at the start of a text, which begins at `start`.
fn role_at(text: &str, form: ReferenceForm, start: usize) -> Option<Reference> {
    let marks = run_length(text, b'`');
    let inside = &text[marks..];
    let written = &inside[..inside.find(&text[..marks])?];
    let (target, at) = entry_of(written);
    let is_name = !target.is_empty() && !target.starts_with('!') && !target.contains(['{', '\n', '<', '|']);
    is_name.then(|| role(form, target, start + marks + at))
}

/// Marks links to a label, an object or a page of another project. Sphinx looks them up among everything that its
/// extensions generate, so they can't be checked with the repository alone.
pub(in super::super) fn mark_labels(page: &mut Page) {
    // The check looks up labels: `#label`, and names without a scheme.
    let is_elsewhere = |target: &str| {
        let scheme = target.split_once(':').map(|(scheme, _)| scheme);
        let is_role = matches!(scheme, Some("inv" | "project" | "path" | "py" | "rst" | "doc" | "ref"));
        !target.starts_with('#') && (is_role || is_object(target))
    };
    let marked: Vec<_> = page
        .references
        .indexed()
        .filter(|(_, it)| it.kind == ReferenceKind::Link && it.form == ReferenceForm::Target)
        .filter(|(_, it)| is_elsewhere(&it.target))
        .map(|(at, _)| at)
        .collect();
    for at in marked {
        page.references[at].form = ReferenceForm::Foreign;
    }
}

/// Whether this is a name such as `package.module.Class` rather than a file.
fn is_object(target: &str) -> bool {
    let parts: Vec<&str> = target.split('.').collect();
    let is_name =
        |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let endings =
        ["md", "rst", "html", "txt", "py", "png", "svg", "jpg", "gif", "ipynb", "pdf", "json", "yml", "yaml"];
    parts.len() > 1 && parts.iter().all(is_name) && !endings.contains(&parts[parts.len() - 1])
}
