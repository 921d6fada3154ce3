//! Braces and arguments of Hugo's shortcodes: <https://gohugo.io/content-management/shortcodes/>.

use super::source::PageSource;
use super::{Mistake, end_of_text};
use base::quoted::quoted;
use input::conventions::Syntax;

/// Maximum length of a shortcode in bytes.
const LONGEST: usize = 1000;

pub(super) fn mistakes(source: &PageSource<'_>) -> Vec<Mistake> {
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
        match Arguments::of(inside.split_once(char::is_whitespace)?.1) {
            Arguments::Broken(rest) => {
                let message = format!("{} follows the end of a text, so Hugo stops", quoted(rest));
                let help = "write `\\\"` inside a text, or put the text between backticks";
                Some(Mistake::misread(whole, message, help))
            }
            Arguments::Mixed(positional) => {
                let message =
                    format!("{} has no name but other arguments do, so Hugo stops", quoted(positional));
                Some(Mistake::misread(whole, message, "name all arguments, or none"))
            }
            Arguments::Fine => None,
        }
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

/// What Hugo reads in the arguments of a shortcode.
enum Arguments<'t> {
    Fine,
    /// Text directly after a closing quote.
    Broken(&'t str),
    /// An argument without a name, next to named ones.
    Mixed(&'t str),
}

impl<'t> Arguments<'t> {
    fn of(written: &'t str) -> Self {
        let (mut positional, mut is_named) = (None, false);
        let mut rest = written.trim_start().trim_end_matches('/').trim_end();
        while !rest.is_empty() {
            let length =
                rest.find(|c: char| c.is_whitespace() || matches!(c, '=' | '"' | '`')).unwrap_or(rest.len());
            let has_name = rest[length..].starts_with('=') && length > 0;
            is_named |= has_name;
            let value = if has_name { &rest[length + 1..] } else { rest };
            let end = match value.as_bytes().first() {
                Some(b'`') => value[1..].find('`').map(|end| end + 2),
                Some(b'"') => end_of_text(&value[1..], b'"').map(|end| end + 2),
                _ => Some(value.find(char::is_whitespace).unwrap_or(value.len())),
            };
            let Some(end) = end else { return Self::Fine };
            let after = &value[end..];
            if !after.is_empty() && !after.starts_with(char::is_whitespace) {
                return Self::Broken(after.split_whitespace().next().unwrap_or_default());
            }
            if !has_name {
                positional = positional.or(Some(&value[..end]));
            }
            rest = after.trim_start();
        }
        match positional.filter(|_| is_named) {
            Some(positional) => Self::Mixed(positional),
            None => Self::Fine,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_of_shortcodes() {
        let kind = |written| match Arguments::of(written) {
            Arguments::Fine => "fine",
            Arguments::Broken(_) => "broken",
            Arguments::Mixed(_) => "mixed",
        };
        assert_eq!(kind("\"a b\" `c \"d\"` 3"), "fine");
        assert_eq!(kind("title=\"a \\\"b\\\" c\" size=3 /"), "fine");
        assert_eq!(kind("title=\"a \"b\" c\""), "broken");
        assert_eq!(kind("\"a\" since=\"3\""), "mixed");
    }
}
