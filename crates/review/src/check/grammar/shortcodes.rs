//! Braces and arguments of Hugo's shortcodes: <https://gohugo.io/content-management/shortcodes/>.

use super::source::PageSource;
use super::{Mistake, end_of_text};
use base::diagnostic::nearest;
use base::quoted::quoted;
use base::sorted::{SortedMap, SortedSet};
use input::conventions::Syntax;

/// Maximum length of a shortcode in bytes.
const LONGEST: usize = 1000;

/// `read` has the arguments that shortcodes read, of those whose templates show all of them.
pub(super) fn mistakes(source: &PageSource<'_>, read: &SortedMap<String, SortedSet<String>>) -> Vec<Mistake> {
    if !source.syntax.contains(&Syntax::Shortcodes) {
        return Vec::new();
    }
    let opens = ["{{<", "{{%"].into_iter().flat_map(|open| source.shown.match_indices(open));
    let found = opens.filter(|(at, _)| *at >= source.body).filter_map(|(start, open)| {
        let rest = &source.text[start..];
        let close = if open.ends_with('<') { ">}}" } else { "%}}" };
        let end = rest.find(close).filter(|end| *end < LONGEST && !rest[..*end].contains('\n'))?;
        let inside = rest[open.len()..end].trim();
        let whole = start..start + end + close.len();
        if inside.starts_with("/*") || inside.starts_with('/') {
            return None;
        }
        let (name, written) = inside.split_once(char::is_whitespace)?;
        let Arguments { names, positional, rest: after } = Arguments::of(written);
        if let Some(rest) = after {
            let message = format!("{} follows the end of a text, so Hugo stops", quoted(rest));
            let help = "write `\\\"` inside a text, or put the text between backticks";
            return Some(Mistake::misread(whole, message, help));
        }
        if let Some(positional) = positional.filter(|_| !names.is_empty()) {
            let message = format!("{} has no name but other arguments do, so Hugo stops", quoted(positional));
            return Some(Mistake::misread(whole, message, "name all arguments, or none"));
        }
        let known = read.get(name)?;
        let (unknown, meant) = names.iter().filter(|it| !known.contains(**it)).find_map(|unknown| {
            let others = known.iter().map(String::as_str).filter(|other| !names.contains(other));
            nearest(unknown, others).map(|meant| (*unknown, meant))
        })?;
        let at = start + place_of(rest, unknown)?;
        let message = format!("`{unknown}` is no argument of the shortcode `{name}`, which ignores it");
        Some(Mistake::misread(at..at + unknown.len(), message, format!("did you mean `{meant}`?")))
    });
    found.chain(halves(source)).chain(without_signs(source)).collect()
}

/// Reports `{% name %}}` and `{< name >}}`, of which readers see the braces, also in code.
fn halves<'a>(source: &'a PageSource<'_>) -> impl Iterator<Item = Mistake> + 'a {
    let text = source.text;
    let opens = [("{< ", ">}}"), ("{% ", "%}}")].into_iter().flat_map(move |(open, close)| {
        text.match_indices(open).map(move |(at, _)| (at, close)).filter(|(at, _)| *at >= source.body)
    });
    opens.filter_map(move |(at, close)| {
        let line = text[at..].lines().next()?;
        let end = line.find(close)? + close.len();
        let (written, inside) = (&line[..end], &line[1..end - close.len()]);
        let is_half = !text[..at].ends_with('{') && !inside.contains(['{', '}']);
        is_half.then(|| {
            let message = format!("{} lacks a brace, so readers see it", quoted(written));
            Mistake::misread(at..at + end, message, format!("use `{{{written}`"))
        })
    })
}

/// Reports `{{ param name }}`, which readers see, also in code. Templates contain functions with the names of some shortcodes.
fn without_signs<'a>(source: &'a PageSource<'_>) -> impl Iterator<Item = Mistake> + 'a {
    const NAMES: [&str; 6] = ["figure", "param", "ref", "relref", "vimeo", "youtube"];
    let opens = source.text.match_indices("{{ ").filter(|(at, _)| *at >= source.body);
    opens.filter_map(|(at, _)| {
        let written = source.text[at..].lines().next()?;
        let written = &written[..written.find("}}")? + 2];
        let mut words = written[2..written.len() - 2].split_whitespace();
        let name = words.next().filter(|name| NAMES.contains(name) && words.next().is_some())?;
        let is_code = !source.shown[at..].starts_with("{{");
        let is_function = is_code && matches!(name, "ref" | "relref");
        let fence = source.fences.iter().find(|fence| fence.code.contains(&at));
        let is_template =
            fence.is_some_and(|it| ["go", "html", "template"].iter().any(|of| it.language.contains(of)));
        (!is_function && !is_template).then(|| {
            let inside = written[2..written.len() - 2].trim();
            let message = format!("{} isn't a shortcode, so readers see it", quoted(written));
            Mistake::misread(at..at + written.len(), message, format!("use `{{{{< {inside} >}}}}`"))
        })
    })
}

/// Returns the position of the name of an argument.
fn place_of(shortcode: &str, name: &str) -> Option<usize> {
    let mut places = shortcode.match_indices(name).map(|(at, _)| at);
    places.find(|at| {
        shortcode[at + name.len()..].starts_with('=') && shortcode[..*at].ends_with(char::is_whitespace)
    })
}

/// What Hugo reads in the arguments of a shortcode. Empty if a text has no end.
#[derive(Debug, Default, PartialEq, Eq)]
struct Arguments<'t> {
    names: Vec<&'t str>,
    /// The first argument without a name.
    positional: Option<&'t str>,
    /// Text directly after a closing quote.
    rest: Option<&'t str>,
}

impl<'t> Arguments<'t> {
    fn of(written: &'t str) -> Self {
        let mut found = Self::default();
        let mut rest = written.trim_start().trim_end_matches('/').trim_end();
        while !rest.is_empty() {
            let length =
                rest.find(|c: char| c.is_whitespace() || matches!(c, '=' | '"' | '`')).unwrap_or(rest.len());
            let has_name = rest[length..].starts_with('=') && length > 0;
            let value = if has_name { &rest[length + 1..] } else { rest };
            let end = match value.as_bytes().first() {
                Some(b'`') => value[1..].find('`').map(|end| end + 2),
                Some(b'"') => end_of_text(&value[1..], b'"').map(|end| end + 2),
                _ => Some(value.find(char::is_whitespace).unwrap_or(value.len())),
            };
            let Some(end) = end else { return Self::default() };
            let after = &value[end..];
            if !after.is_empty() && !after.starts_with(char::is_whitespace) {
                found.rest = after.split_whitespace().next();
                return found;
            }
            if has_name {
                found.names.push(&rest[..length]);
            } else {
                found.positional = found.positional.or(Some(&value[..end]));
            }
            rest = after.trim_start();
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_of_shortcodes() {
        let check = |written, names: &[&str], positional, rest| {
            let expected = Arguments { names: names.to_vec(), positional, rest };
            assert_eq!(Arguments::of(written), expected, "{written}");
        };
        check("\"a b\" `c \"d\"` 3", &[], Some("\"a b\""), None);
        check("title=\"a \\\"b\\\" c\" size=3 /", &["title", "size"], None, None);
        check("title=\"a \"b\" c\"", &[], None, Some("b\""));
        check("\"a\" since=\"3\"", &["since"], Some("\"a\""), None);
    }
}
