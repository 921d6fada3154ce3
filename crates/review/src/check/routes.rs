//! Addresses that other programs build.

use std::borrow::Cow;

use base::address::Address;
use base::sorted::SortedMap;

/// The addresses in a routes file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Routes {
    /// With the targets of redirects.
    known: SortedMap<Address, Option<String>>,
    patterns: Vec<(Pattern, Option<String>)>,
}

impl Routes {
    /// Parses `/x/`, `/x/*` or `/x/ -> /y/`, one per line. Blank lines and lines that start with `#` are skipped.
    /// Addresses may begin with `base`, the site's base path. In a pattern, `:name` matches a segment, and `*`
    /// matches any number of segments, as on hosts.
    pub fn parse(text: &str, base: &str) -> Self {
        let mut routes = Self::default();
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        for line in lines {
            let (from, to) = match line.split_once("->") {
                Some((from, to)) => (from.trim(), Some(to.trim().to_string())),
                None => (line, None),
            };
            let below = from.strip_prefix(base).filter(|below| below.starts_with('/'));
            let from = below.unwrap_or(from);
            match Pattern::of(from) {
                Some(pattern) => routes.patterns.push((pattern, to)),
                None => _ = routes.known.insert(Address::new(from).as_page(), to),
            }
        }
        routes
    }

    /// Adds addresses that exist.
    pub fn add<'a>(&mut self, addresses: impl Iterator<Item = &'a Address>) {
        self.known.extend(addresses.map(|address| (address.as_page(), None)));
    }

    /// Whether a decoded path exists. The final slash doesn't matter.
    pub fn contains(&self, path: &str) -> bool {
        let address = Address::new(path).as_page();
        self.known.contains_key(&address)
            || self.patterns.iter().any(|(pattern, _)| pattern.matched(address.as_str()).is_some())
    }

    /// Returns the target of a redirect.
    pub fn redirect(&self, path: &str) -> Option<Cow<'_, str>> {
        let address = Address::new(path).as_page();
        if let Some(to) = self.known.get(&address) {
            return to.as_deref().map(Cow::Borrowed);
        }
        let redirected = |(pattern, to): &(Pattern, Option<String>)| {
            Some(with_parts(to.as_deref()?, &pattern.matched(address.as_str())?))
        };
        self.patterns.iter().find_map(redirected).map(Cow::Owned)
    }
}

/// An address with placeholders.
///
/// Source: <https://docs.netlify.com/routing/redirects/redirect-options/>, and path-to-regexp, which Vercel and Next use.
#[derive(Clone, Debug, PartialEq)]
struct Pattern(Vec<Piece>);

#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Text(String),
    /// A segment, by its name.
    Part(String),
    /// The rest of the address, or the text between two fixed texts.
    Rest(String),
    /// One of some texts, by the name of the group.
    OneOf(String, Vec<String>),
}

/// Maximum number of placeholders. The rest of a longer pattern matches anything, because trying all combinations
/// takes too long.
const MOST_PARTS: usize = 6;

impl Pattern {
    /// Returns `None` if the path contains no placeholder.
    fn of(written: &str) -> Option<Self> {
        let mut pieces = Vec::new();
        let mut rest = written;
        while let Some(at) = rest.find(['*', ':', '(']) {
            let (text, special) = rest.split_at(at);
            let (name, after) = special[1..]
                .find(|c: char| !c.is_alphanumeric() && c != '_')
                .map_or((&special[1..], ""), |end| special[1..].split_at(end));
            let is_named = special.starts_with(':') && name.starts_with(char::is_alphabetic);
            let (name, after) = if is_named { (name, after) } else { ("splat", special) };
            if special.starts_with(':') && !is_named {
                push_text(&mut pieces, &rest[..=at]);
                rest = &rest[at + 1..];
                continue;
            }
            push_text(&mut pieces, text);
            let (group, after) = after.split_at(group(after));
            let repeats = after.starts_with(['*', '+']);
            let after = after.strip_prefix(['*', '+', '?']).unwrap_or(after);
            let is_any = repeats || group.contains(".*") || group.contains(".+") || !is_named;
            pieces.push(match alternatives(group) {
                Some(texts) if !repeats => Piece::OneOf(name.into(), texts),
                _ if is_any => Piece::Rest(name.into()),
                _ => Piece::Part(name.into()),
            });
            rest = after;
            if pieces.iter().filter(|piece| !matches!(piece, Piece::Text(_))).count() == MOST_PARTS {
                pieces.push(Piece::Rest("splat".into()));
                return Some(Self(pieces));
            }
        }
        if pieces.iter().all(|piece| matches!(piece, Piece::Text(_))) {
            return None;
        }
        push_text(&mut pieces, rest);
        if let [.., Piece::Part(_) | Piece::Text(_) | Piece::OneOf(..)] = &pieces[..]
            && !rest.ends_with('/')
        {
            push_text(&mut pieces, "/");
        }
        Some(Self(pieces))
    }

    /// Returns the parts of an address that the placeholders match.
    fn matched<'p>(&'p self, address: &'p str) -> Option<Vec<(&'p str, &'p str)>> {
        let mut parts = Vec::new();
        fit(&self.0, address, &mut parts).then_some(parts)
    }
}

/// Returns the texts in a group of plain texts: `(guide|api)`.
fn alternatives(group: &str) -> Option<Vec<String>> {
    let inside = group.strip_prefix('(')?.strip_suffix(')')?;
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '|' | '-' | '_' | '/');
    inside.chars().all(is_plain).then(|| inside.split('|').map(String::from).collect())
}

/// Returns the length of the group in parentheses at the start of a text.
fn group(text: &str) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth <= 0 {
            return if at == 0 { 0 } else { at + 1 };
        }
    }
    0
}

fn push_text(pieces: &mut Vec<Piece>, text: &str) {
    match pieces.last_mut() {
        _ if text.is_empty() => {}
        Some(Piece::Text(last)) => last.push_str(text),
        _ => pieces.push(Piece::Text(text.into())),
    }
}

/// Returns whether the pieces match the complete text, and adds what each placeholder matched to `parts`.
fn fit<'p>(pieces: &'p [Piece], text: &'p str, parts: &mut Vec<(&'p str, &'p str)>) -> bool {
    let Some((piece, others)) = pieces.split_first() else { return text.is_empty() };
    let all = || text.char_indices().map(|(at, _)| at).chain([text.len()]);
    let (name, ends): (_, Box<dyn Iterator<Item = usize>>) = match piece {
        // `/x/*` also matches the folder `/x/`.
        Piece::Text(written) => {
            return text.strip_prefix(written.as_str()).is_some_and(|rest| fit(others, rest, parts));
        }
        Piece::OneOf(name, texts) => {
            (name, Box::new(texts.iter().filter(|one| text.starts_with(one.as_str())).map(String::len)))
        }
        Piece::Part(name) => {
            let longest = text.find('/').unwrap_or(text.len());
            (name, Box::new(all().filter(move |end| (1..=longest).contains(end))))
        }
        Piece::Rest(name) if others.is_empty() => {
            parts.push((name, text.trim_end_matches('/')));
            return true;
        }
        Piece::Rest(name) => (name, Box::new(all())),
    };
    let count = parts.len();
    for end in ends {
        parts.push((name, &text[..end]));
        if fit(others, &text[end..], parts) {
            return true;
        }
        parts.truncate(count);
    }
    false
}

/// Inserts the matched parts into a target.
fn with_parts(to: &str, parts: &[(&str, &str)]) -> String {
    let mut meant = to.to_string();
    for (name, part) in parts {
        for written in [format!(":{name}*"), format!(":{name}")] {
            meant = meant.replace(&written, part);
        }
    }
    meant
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_addresses_and_redirects() {
        let routes = Routes::parse("# built by the SDK repository\n/sdk/web/\n\n/old/ -> /sdk/web/\n", "");
        assert!(routes.contains("/sdk/web") && routes.contains("/old/"));
        assert!(!routes.contains("/sdk/"));
        let routes = Routes::parse("/api/*\n", "");
        assert!(routes.contains("/api") && routes.contains("/api/v1/x") && !routes.contains("/apis/"));
        let routes = Routes::parse("# built by the SDK repository\n/sdk/web/\n\n/old/ -> /sdk/web/\n", "");
        assert_eq!(
            (routes.redirect("/old").as_deref(), routes.redirect("/sdk/web/")),
            (Some("/sdk/web/"), None)
        );
    }

    #[track_caller]
    fn check(line: &str, path: &str, to: Option<&str>) {
        let routes = Routes::parse(line, "/docs");
        assert_eq!(routes.redirect(path).as_deref(), to, "{routes:?}");
    }

    #[test]
    fn patterns_are_those_of_hosts() {
        check("/api/class/:name -> /api/classes/:name", "/api/class/Color", Some("/api/classes/Color"));
        check("/api/class/:name -> /api/classes/:name", "/api/class/Color/x", None);
        check("/swift/* -> /apple/:splat", "/swift/a/b/", Some("/apple/a/b"));
        check("/swift/* -> /apple/:splat", "/swift", Some("/apple/"));
        check("/setup* -> /start/", "/setup-mac/x", Some("/start/"));
        check("/docs/:version(v6|v7)/a -> /:version/b", "/v6/a/", Some("/v6/b"));
        check("/js/guides:path(.*) -> /js/start:path", "/js/guides/x/y", Some("/js/start/x/y"));
        check("/a/:path* -> /b/:path*", "/a/x/y", Some("/b/x/y"));
        check("/(a|b/c)/:x -> /d/:x", "/b/c/e", Some("/d/e"));
        check("/(a|b)/:x -> /d/:x", "/c/e", None);
        check("/a:80/ -> /b", "/a:80", Some("/b"));
        check("/a/:x/b -> /c", "/a//b", None);
    }
}
