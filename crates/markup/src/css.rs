//! The files that a style sheet loads.

use std::ops::Range;

/// Returns the paths in `url(…)` to files of the same site, as byte ranges of `css`, without quotes, queries and
/// fragments.
pub fn paths(css: &str) -> Vec<Range<usize>> {
    let mut paths = Vec::new();
    let mut at = 0;
    while let Some(next) = css[at..].find(['/', 'u', 'U']) {
        at += next;
        let rest = &css[at..];
        if rest.starts_with("/*") {
            at += rest.find("*/").map_or(rest.len(), |end| end + 2);
        } else if rest.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("url(")) {
            let end = rest.find(')').unwrap_or(rest.len());
            let inside = rest[4..end].trim_start();
            let start = at + end - rest[4..end].len() + rest[4..end].len() - inside.len();
            let bare = inside.trim_end().trim_matches(['"', '\'']);
            let start = start + usize::from(inside.starts_with(['"', '\'']));
            let path = &bare[..bare.find(['?', '#']).unwrap_or(bare.len())];
            let scheme = path.find(':').is_some_and(|colon| !path[..colon].contains('/'));
            if !path.is_empty() && !scheme && !path.starts_with("//") {
                paths.push(start..start + path.len());
            }
            at += end;
        } else {
            at += 1;
        }
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(css: &str, expected: &[&str]) {
        let found: Vec<&str> = paths(css).into_iter().map(|span| &css[span]).collect();
        assert_eq!(found, expected, "{css}");
    }

    #[test]
    fn paths_of_the_site_are_found() {
        check(
            "@font-face { src: url(/fonts/a.woff2) format('woff2'), url( \"b.woff\" ) }",
            &["/fonts/a.woff2", "b.woff"],
        );
        check("a { background: URL('/a b.png?x#y') }", &["/a b.png"]);
        check(
            "a { background: url(data:image/png;base64,AA==), url(https://e.com/a.png), url(//e.com/a) }",
            &[],
        );
        check("/* url(/a.png) */ b { mask: url(#c) } u { color: red }", &[]);
        check("a { background: url(/a.png", &["/a.png"]);
        check("/* never ends", &[]);
    }
}
