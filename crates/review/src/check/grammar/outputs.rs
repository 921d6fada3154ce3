//! Values of the front matter that pages show: `{{ $frontmatter.author }}`. Vue shows nothing for a key that isn't there.
//! <https://vitepress.dev/reference/runtime-api#frontmatter>

use super::Mistake;
use super::source::PageSource;
use base::diagnostic::nearest;
use input::conventions::Syntax;

const VALUE: &str = "$frontmatter.";

/// Reports keys that the front matter lacks, if it has a similar one. A program may add others.
pub(super) fn mistakes(source: &PageSource<'_>) -> Vec<Mistake> {
    if !source.syntax.contains(&Syntax::Vue) {
        return Vec::new();
    }
    let front = &source.text[..source.body];
    let keys = || front.lines().filter_map(|line| Some(line.split_once(':')?.0));
    let places = source.shown.match_indices(VALUE).map(|(at, sign)| at + sign.len());
    let mistake = |start: usize| {
        let rest = source.text.get(start..)?;
        let is_in_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let name = &rest[..rest.find(|c| !is_in_name(c)).unwrap_or(rest.len())];
        let meant = nearest(name, keys()).filter(|_| keys().all(|key| key != name))?;
        let message = format!("the front matter has no `{name}`, so readers see nothing here");
        let span = start..start + name.len();
        Some(Mistake::value(span, message, format!("did you mean `{meant}`?")))
    };
    places.filter(|start| *start > source.body).filter_map(mistake).collect()
}
