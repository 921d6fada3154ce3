//! Tags and outputs of Liquid on Jekyll pages: <https://jekyllrb.com/docs/liquid/>.

use super::Mistake;
use super::source::PageSource;
use base::diagnostic::{misspelled, nearest};
use base::quoted::quoted;
use base::sorted::SortedSet;
use input::conventions::Syntax;

/// Maximum length of a tag in bytes.
const LONGEST: usize = 1000;

pub(super) fn mistakes(source: &PageSource<'_>, posts: &SortedSet<String>) -> Vec<Mistake> {
    if !source.syntax.contains(&Syntax::Liquid) {
        return Vec::new();
    }
    // Liquid also runs in code. There, it is mostly an example.
    let pieces = |open: &'static str, close: &'static str| {
        let starts = source.shown.match_indices(open).map(|(at, _)| at).filter(|at| *at >= source.body);
        starts.filter_map(move |at| {
            let inside = &source.text[at + open.len()..];
            let end = inside.find(close).filter(|end| *end < LONGEST)?;
            Some((at..at + open.len() + end + close.len(), inside[..end].trim_matches(['-', ' ', '\n'])))
        })
    };
    let marks = pieces("{%", "%}").filter(|(_, inside)| matches!(*inside, "raw" | "endraw"));
    let marks: Vec<(usize, bool)> = marks.map(|(span, inside)| (span.start, inside == "raw")).collect();
    let is_read = |at: usize| {
        let before = marks.partition_point(|(start, _)| *start < at);
        before.checked_sub(1).is_none_or(|last| !marks[last].1)
    };
    let of_tags = pieces("{%", "%}").filter(|(span, _)| is_read(span.start)).filter_map(|(span, inside)| {
        let (message, help) = tag(inside).or_else(|| post(inside, posts))?;
        Some(Mistake::misread(span, message, help))
    });
    let of_outputs =
        pieces("{{", "}}").filter(|(span, _)| is_read(span.start)).filter_map(|(span, inside)| {
            if let Some((message, help)) = filter(inside) {
                return Some(Mistake::misread(span, message, help));
            }
            let path = inside.split(['|', ' ']).next().unwrap_or_default();
            (path.starts_with('/') && inside.contains('|')).then(|| {
                let message = format!("{} isn't quoted, so Liquid reads no text", quoted(path));
                Mistake::misread(span, message, format!("use `{{{{ \"{path}\" | …`"))
            })
        });
    of_tags.chain(of_outputs).collect()
}

/// Filters of Liquid and Jekyll: <https://shopify.github.io/liquid/>, <https://jekyllrb.com/docs/liquid/filters/>.
#[rustfmt::skip]
const FILTERS: [&str; 92] = [
    "abs", "absolute_url", "append", "array_to_sentence_string", "at_least", "at_most", "base64_decode", "base64_encode", "capitalize",
    "ceil", "cgi_escape", "compact", "concat", "date", "date_to_long_string", "date_to_rfc822", "date_to_string", "date_to_xmlschema",
    "default", "divided_by", "downcase", "escape", "escape_once", "find", "find_exp", "find_index", "first", "floor", "group_by",
    "group_by_exp", "has", "inspect", "intersect", "join", "jsonify", "last", "lstrip", "map", "markdownify", "minus", "modulo", "newline_to_br",
    "normalize_whitespace", "number_of_words", "plus", "pop", "prepend", "push", "raw", "reject", "relative_url", "remove", "remove_first",
    "remove_last", "replace", "replace_first", "replace_last", "reverse", "round", "rstrip", "sample", "sassify", "scssify", "shift", "size",
    "slice", "slugify", "smartify", "sort", "sort_natural", "split", "strip", "strip_html", "strip_index", "strip_newlines", "sum", "textilize",
    "times", "to_integer", "truncate", "truncatewords", "uniq", "unshift", "upcase", "uri_escape", "url_decode", "url_encode",
    "url_param_escape", "where", "where_exp", "xml_escape", "xor",
];

/// Returns what is wrong with the filters of an output. Plugins add others, so only one that resembles a known one is wrong.
fn filter(inside: &str) -> Option<(String, String)> {
    let mut filters =
        inside.split('|').skip(1).map(|it| it.trim().split([':', ' ']).next().unwrap_or_default());
    filters.find_map(|name| {
        let begins = |known: &&str| name.strip_prefix(*known).is_some_and(|rest| rest.starts_with('_'));
        let is_known = FILTERS.contains(&name) || name.is_empty();
        let near = misspelled(name, FILTERS).or_else(|| FILTERS.iter().find(|it| begins(it)).copied());
        let near = near.filter(|_| !is_known)?;
        let message = format!("Liquid has no filter `{name}`, so the value stays as it is");
        Some((message, format!("did you mean `{near}`?")))
    })
}

/// Returns what is wrong with a link to a post: <https://jekyllrb.com/docs/liquid/tags/#linking-to-posts>.
fn post(inside: &str, posts: &SortedSet<String>) -> Option<(String, String)> {
    let written = inside.strip_prefix("post_url")?.trim();
    let name = written.rsplit('/').next().unwrap_or_default();
    if posts.is_empty() || posts.contains(name) || name.contains(['{', '"']) {
        return None;
    }
    let message = format!("there is no post `{name}`, so Jekyll stops");
    let near = nearest(name, posts.iter().map(String::as_str));
    Some((
        message,
        near.map_or_else(
            || "use the name of a file in `_posts`".to_string(),
            |near| format!("did you mean `{near}`?"),
        ),
    ))
}

/// Returns what is wrong with a tag, and the help.
fn tag(inside: &str) -> Option<(String, String)> {
    let (name, rest) = inside.split_once(char::is_whitespace)?;
    match name {
        "else" if rest.trim_start().starts_with("if") => {
            Some(("`else if` is an `else` without a condition".to_string(), "use `elsif`".to_string()))
        }
        "include_relative" if rest.trim_start().starts_with("../") || rest.contains("/../") => Some((
            "`include_relative` can't include a file of a folder above, so Jekyll stops".to_string(),
            "move the file, or use `include`".to_string(),
        )),
        "include" | "include_relative" => {
            let broken = broken_value(rest)?;
            Some((
                format!("{} follows the end of a text, so Jekyll stops", quoted(broken)),
                "write `\\\"` inside a text, or use `'` around it".to_string(),
            ))
        }
        _ => None,
    }
}

/// Returns the text directly after a closing quote.
fn broken_value(arguments: &str) -> Option<&str> {
    let mut rest = arguments;
    while let Some(at) = rest.find(['"', '\'']) {
        let quote = rest[at..].chars().next()?;
        if !rest[..at].ends_with('=') {
            return None;
        }
        let mut end = at + 1;
        while let Some(found) = rest[end..].find(quote) {
            end += found + 1;
            if !rest[..end - 1].ends_with('\\') {
                break;
            }
        }
        let after = &rest[end..];
        if end > at + 1 && after.starts_with(|c: char| c.is_alphanumeric()) {
            return after.split_whitespace().next();
        }
        if end == at + 1 {
            return None;
        }
        rest = after;
    }
    None
}
