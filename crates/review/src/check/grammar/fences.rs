//! Attributes of code blocks, and marks in code.

use std::ops::Range;

use super::Mistake;
use super::source::{CodeFence, PageSource};
use base::diagnostic::{distance_within, misspelled};
use base::quoted::quoted;
use input::conventions::SyntaxRule;

/// How a rule about code blocks finds a mistake.
struct FenceCheck {
    rule: SyntaxRule,
    find: fn(&CodeFence<'_>, &PageSource<'_>) -> Option<Mistake>,
}

const CHECKS: &[FenceCheck] = &[
    FenceCheck { rule: SyntaxRule::LinesInText, find: lines_of_superfences },
    FenceCheck { rule: SyntaxRule::LinesInList, find: lines_of_hugo },
    FenceCheck { rule: SyntaxRule::LinesInBraces, find: quoted_lines },
    FenceCheck { rule: SyntaxRule::HighlightComments, find: open_highlight },
    FenceCheck { rule: SyntaxRule::HighlightComments, find: misspelled_highlight },
    FenceCheck { rule: SyntaxRule::GroupLabels, find: title_in_group },
    FenceCheck { rule: SyntaxRule::GroupLabels, find: label_in_group },
    FenceCheck { rule: SyntaxRule::GroupLabels, find: open_label },
    FenceCheck { rule: SyntaxRule::CodeNotation, find: notation },
    FenceCheck { rule: SyntaxRule::RustAttributes, find: attribute_of_rust },
    FenceCheck { rule: SyntaxRule::AdmonishOptions, find: option_of_admonish },
];

pub(super) fn mistakes(source: &PageSource<'_>) -> Vec<Mistake> {
    let checks: Vec<&FenceCheck> = CHECKS.iter().filter(|check| source.rules.contains(&check.rule)).collect();
    let all = source
        .fences
        .iter()
        .flat_map(|fence| checks.iter().filter_map(move |check| (check.find)(fence, source)));
    all.chain(same_titles(source)).collect()
}

/// Reports a block with the title of another one in its group: <https://www.mintlify.com/docs/components/code-groups>,
/// <https://vitepress.dev/guide/markdown#code-groups>.
fn same_titles(source: &PageSource<'_>) -> Vec<Mistake> {
    let mut found = Vec::new();
    let mut titles: Vec<&str> = Vec::new();
    let mut end = source.body;
    for fence in &source.fences {
        // The fence itself is hidden.
        let between = source.shown.get(end..fence.info.start).unwrap_or_default().trim();
        end = fence.info.end;
        let opens = || {
            let line = between.lines().next_back().unwrap_or_default().trim();
            line.starts_with("<CodeGroup")
                || line.strip_prefix(":::").is_some_and(|it| it.trim().starts_with("code-group"))
        };
        if !between.is_empty() {
            titles.clear();
            if !opens() {
                continue;
            }
            titles.push("");
        }
        let title = source.text[fence.info.clone()].strip_prefix(fence.language).unwrap_or_default().trim();
        if titles.is_empty() || title.is_empty() {
            continue;
        }
        if titles.contains(&title) {
            let span = fence.info.end - title.len()..fence.info.end;
            let message = format!("another block of this group also has the title {}", quoted(title));
            found.push(Mistake::misread(span, message, "give each block another title"));
        }
        titles.push(title);
    }
    found
}

impl CodeFence<'_> {
    /// Returns the value of an attribute, `name=value`, and its range in the file.
    fn value<'t>(&self, source: &PageSource<'t>, name: &str) -> Option<(&'t str, Range<usize>)> {
        let info = &source.text[self.info.clone()];
        let start = info.match_indices(name).find_map(|(at, _)| {
            let is_word = !info[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '-');
            let after = at + name.len();
            (is_word && info[after..].starts_with('=')).then_some(after + 1)
        })?;
        let rest = &info[start..];
        let end = match rest.chars().next()? {
            quote @ ('"' | '\'') => rest[1..].find(quote)? + 2,
            '[' => rest.find(']')? + 1,
            '{' => rest.find('}')? + 1,
            _ => rest.find([' ', ',', '}']).unwrap_or(rest.len()),
        };
        let from = self.info.start + start;
        Some((&source.text[from..from + end], from..from + end))
    }
}

/// `hl_lines="2,4"`: <https://facelessuser.github.io/pymdown-extensions/extensions/superfences/>.
fn lines_of_superfences(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let (value, span) = fence.value(source, "hl_lines")?;
    let lines = value.trim_matches(['"', '\'']);
    let is_range =
        |it: &str| it.split('-').count() <= 2 && it.split('-').all(|it| it.parse::<usize>().is_ok());
    (!lines.split_whitespace().all(is_range)).then(|| {
        let message = format!("{} is no list of lines, so readers see the block as text", quoted(lines));
        Mistake::misread(span, message, "separate numbers and ranges by spaces: `\"2 4-6\"`")
    })
}

/// `hl_lines=[2,4-5]`: <https://gohugo.io/content-management/syntax-highlighting/>.
fn lines_of_hugo(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let (value, span) = fence.value(source, "hl_lines")?;
    let is_item = |it: &str| it.trim().parse::<usize>().is_ok() || it.trim().starts_with(['"', '\'']);
    // A value without quotes ends at a space.
    let rest = source.text[span.end..fence.info.end].split([',', '}']).next().unwrap_or_default();
    let is_list = match value.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
        Some(inside) => inside.split(',').all(is_item),
        None => is_item(value) && rest.trim().is_empty(),
    };
    let end = if value.starts_with('[') { span.end } else { span.end + rest.trim_end().len() };
    (!is_list).then(|| {
        let written = quoted(&source.text[span.start..end]);
        let message =
            format!("{written} is no list of lines, so Hugo doesn't read the attributes of the block");
        Mistake::misread(
            span.start..end,
            message,
            "use a list with texts for ranges, `[2,\"4-5\"]`, or one text, `\"2 4-5\"`",
        )
    })
}

/// `ins="4-6"`, which marks a text: <https://expressive-code.com/key-features/text-markers/>.
fn quoted_lines(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    ["ins", "del", "mark", "collapse"].iter().find_map(|name| {
        let (value, span) = fence.value(source, name)?;
        let inside = value.strip_prefix(['"', '\''])?.trim_end_matches(['"', '\'']);
        let is_lines = inside.contains(|c: char| c.is_ascii_digit())
            && inside.bytes().all(|it| it.is_ascii_digit() || b"-, ".contains(&it));
        let is_in_code = source.text[fence.code.clone()].contains(inside);
        (is_lines && !is_in_code).then(|| {
            let message = format!("`{name}={value}` marks the text {}, which the code lacks", quoted(inside));
            Mistake::misread(span, message, format!("for lines, use `{name}={{{inside}}}`"))
        })
    })
}

/// `highlight-start` without `highlight-end`: <https://docusaurus.io/docs/markdown-features/code-blocks#highlighting-with-comments>.
fn open_highlight(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    const START: &str = "highlight-start";
    let code = &source.text[fence.code.clone()];
    let (starts, ends) = (code.matches(START).count(), code.matches("highlight-end").count());
    let at = fence.code.start + code.rfind(START).filter(|_| starts > ends)?;
    let message = "no `highlight-end` follows, so no line is highlighted".to_string();
    Some(Mistake::misread(
        at..at + START.len(),
        message,
        "add a comment with `highlight-end` after the lines",
    ))
}

/// `highlight-nextline` or `higlight-next-line` alone in a comment. The configuration may define other comments, which resemble
/// none of these.
fn misspelled_highlight(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    const KNOWN: [&str; 3] = ["highlight-next-line", "highlight-start", "highlight-end"];
    const SIGNS: [&str; 5] = ["//", "#", "/*", "<!--", "--"];
    let code = &source.text[fence.code.clone()];
    let words = code.match_indices('h').map(|(at, _)| at);
    words.filter(|at| !code[..*at].ends_with(char::is_alphanumeric)).find_map(|at| {
        let rest = &code[at..];
        let word = &rest[..rest.find(|c: char| !c.is_ascii_lowercase() && c != '-').unwrap_or(rest.len())];
        let is_comment = || {
            let before = code[..at].lines().next_back().unwrap_or_default();
            SIGNS.contains(&before.trim().trim_start_matches('{'))
        };
        let near = KNOWN.iter().find(|known| matches!(distance_within(word, known, 2), Some(1 | 2)));
        let near = near.filter(|_| !KNOWN.contains(&word) && is_comment())?;
        let start = fence.code.start + at;
        let message = format!("`{word}` highlights nothing, so readers see it");
        Some(Mistake::misread(start..start + word.len(), message, format!("did you mean `{near}`?")))
    })
}

/// `js [a.js` without `]`.
fn open_label(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let info = &source.text[fence.info.clone()];
    let at = info.rfind(" [").filter(|at| !info[*at..].contains(']'))? + 1;
    let message = format!("the label {} has no `]`, so readers see the language", quoted(info[at..].trim()));
    let start = fence.info.start + at;
    Some(Mistake::misread(start..start + info[at..].trim_end().len(), message, "add `]` at its end"))
}

/// `title="a"` in a group of tabs: <https://vitepress.dev/guide/markdown#code-groups>.
fn title_in_group(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let (value, span) = fence.value(source, "title")?;
    let has_label = source.text[fence.info.clone()].contains('[');
    let mut before = source.shown[..fence.info.start].lines().rev().map(str::trim);
    let container = before.find(|line| line.starts_with(":::"))?;
    let is_in_group = container.trim_start_matches(':').trim_start().starts_with("code-group");
    (is_in_group && !has_label).then(|| {
        let message = "`title` is no label in a code group, so the tab shows the language".to_string();
        Mistake::misread(span, message, format!("use `[{}]`", value.trim_matches(['"', '\''])))
    })
}

/// Text in the place of a label in a group of tabs whose other blocks have labels: <https://vitepress.dev/guide/markdown#code-groups>.
fn label_in_group(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let info = source.text[fence.info.clone()].trim_end();
    let words = info.strip_prefix(fence.language)?.trim();
    if !words.starts_with(char::is_alphabetic) || words.contains(['[', '=', '{']) {
        return None;
    }
    let mut before = source.shown[..fence.info.start].lines().rev().map(str::trim);
    let container = before.find(|line| line.starts_with(":::"))?;
    let is_in_group = container.trim_start_matches(':').trim_start().starts_with("code-group");
    is_in_group.then(|| {
        let span = fence.info.start + info.len() - words.len()..fence.info.start + info.len();
        let message = "this is no label in a code group, so the tab shows the language".to_string();
        Mistake::misread(span, message, format!("use `[{words}]`"))
    })
}

/// `[!code add]`: <https://shiki.style/packages/transformers>.
fn notation(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    const KNOWN: [&str; 8] = ["++", "--", "error", "focus", "highlight", "hl", "warning", "word"];
    let code = &source.text[fence.code.clone()];
    code.match_indices("[!code ").find_map(|(at, sign)| {
        let inside = code[at + sign.len()..].split([']', '\n']).next()?;
        let name = inside.split(':').next().unwrap_or_default();
        let start = fence.code.start + at;
        let message = format!("`[!code {inside}]` has no effect, so readers see it");
        let help = format!("use one of `{}`", KNOWN.join("`, `"));
        let span = start..start + sign.len() + inside.len() + 1;
        (!KNOWN.contains(&name)).then(|| Mistake::misread(span, message, help))
    })
}

/// A misspelled attribute of a block in `mdBook`, most of which are of Rust: <https://doc.rust-lang.org/rustdoc/write-documentation/documentation-tests.html#attributes>.
fn attribute_of_rust(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    const KNOWN: [&str; 9] = [
        "compile_fail",
        "editable",
        "ignore",
        "mdbook-runnable",
        "no_run",
        "noplayground",
        "should_panic",
        "standalone_crate",
        "test_harness",
    ];
    /// An attribute with a value, of any language: <https://rust-lang.github.io/mdBook/format/mdbook.html#hiding-code-lines>.
    const VALUE: &str = "hidelines";
    let info = &source.text[fence.info.clone()];
    let mut attributes = info.split([',', ' ']).map(str::trim).skip(1);
    let (name, known) = attributes.find_map(|it| match it.split_once('=') {
        Some((name, _)) => (distance_within(name, VALUE, 1) == Some(1)).then_some((name, VALUE)),
        None if fence.language == "rust" => {
            Some((it, misspelled(it, KNOWN).filter(|_| !KNOWN.contains(&it))?))
        }
        None => None,
    })?;
    let start = fence.info.start + info.find(name)?;
    let message = format!("unknown attribute `{name}`, which has no effect");
    Some(Mistake::misread(start..start + name.len(), message, format!("did you mean `{known}`?")))
}

/// `title=Two words`, which isn't TOML: <https://tommilligan.github.io/mdbook-admonish/>.
fn option_of_admonish(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let info = &source.text[fence.info.clone()];
    if fence.language != "admonish" {
        return None;
    }
    ["title", "class", "id"].iter().find_map(|name| {
        let at = info.find(&format!("{name}="))? + name.len() + 1;
        let start = fence.info.start + at;
        let value = info[at..].split(',').next()?;
        (!value.trim_start().starts_with(['"', '\''])).then(|| {
            let message = format!("{} isn't quoted, so readers see an error", quoted(value));
            Mistake::misread(start..start + value.len(), message, format!("use `{name}=\"{value}\"`"))
        })
    })
}
