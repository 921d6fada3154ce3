//! Parts of a page for several platforms, languages or color schemes, of which each names its own.

use std::ops::Range;

use super::Mistake;
use super::components::FURTHEST;
use super::source::{PageSource, SourceLine};
use base::quoted::quoted;
use markup::markdown::{ElementTag, near_start};

/// A component with a name, such as `<Tab flavor="vue">`.
struct Part<'t> {
    tag: &'t str,
    key: &'t str,
    name: String,
    /// The content.
    place: Range<usize>,
}

/// Minimum length of a name. Shorter ones are also those of folders.
const SHORTEST: usize = 3;

/// Reports a path of another part, if all others contain their own, and the path of this part exists: `android/on.png` in the part
/// for iOS. `exists` looks up a path.
pub(super) fn mistakes(
    source: &PageSource<'_>,
    tags: &[ElementTag<'_>],
    exists: &dyn Fn(&str) -> bool,
) -> Vec<Mistake> {
    let parts: Vec<Part<'_>> = tags.iter().filter_map(|tag| part(source, tag)).collect();
    let is_next = |one: &Part<'_>, next: &Part<'_>| {
        let between = source.text.get(one.place.end + one.tag.len() + "</>".len()..next.place.start);
        let between = between.and_then(|it| it.rsplit_once('<')).map_or("x", |(before, _)| before);
        one.tag == next.tag && one.key == next.key && between.trim().is_empty()
    };
    let groups = parts.chunk_by(is_next).filter(|group| group.len() > 1);
    groups.filter_map(|group| in_group(source, group, exists)).collect()
}

/// Reports the only included file of another page, `solid/slider.tsx` on the page `progress.md`, if at least three others are in a folder
/// or a file with the name of this one.
pub(super) fn file_of_other_page(
    source: &PageSource<'_>,
    lines: &[SourceLine<'_>],
    page: &str,
) -> Option<Mistake> {
    const FEWEST: usize = 3;
    const SIGN: &str = "<<< ";
    let lines = lines.iter().filter(|line| line.text.starts_with(SIGN));
    let paths = lines.map(|line| {
        let start = line.start + SIGN.len();
        let written = &source.text[start..line.end];
        start..start + written.find(['#', '{', ' ', '[']).unwrap_or(written.len())
    });
    let is_of_page = |name: &str| name.split('.').next().is_some_and(|stem| stem.eq_ignore_ascii_case(page));
    let (own, others): (Vec<Range<usize>>, Vec<_>) =
        paths.partition(|place| source.text[place.clone()].split('/').any(is_of_page));
    let [other] = &others[..] else { return None };
    (own.len() >= FEWEST).then(|| {
        let written = quoted(&source.text[other.clone()]);
        let message =
            format!("{written} is a file of another page, and {} others are of `{page}`", own.len());
        Mistake::value(other.clone(), message, format!("use the file of `{page}`"))
    })
}

/// Reports images for the light and the dark color scheme that are exchanged: `{ light: 'lamp-dark.png', dark: 'lamp-light.png' }`.
pub(super) fn exchanged_schemes(source: &PageSource<'_>, tags: &[ElementTag<'_>]) -> Vec<Mistake> {
    let text = &source.text;
    // The texts of two keys in the same braces.
    let value = |object: Range<usize>, key: &str| -> Option<Range<usize>> {
        let rest = text[object].split_once(&format!("{key}:"))?.1.trim_start();
        let quote = rest.chars().next().filter(|it| matches!(it, '\'' | '"'))?;
        let start = rest.as_ptr() as usize + 1 - text.as_ptr() as usize;
        Some(start..start + rest[1..].find(quote)?)
    };
    let objects = |expression: Range<usize>| {
        let opens = text[expression.clone()].match_indices('{').map(|(at, _)| expression.start + at);
        opens.map(|open| open..open + text[open..].find('}').unwrap_or_default()).collect::<Vec<_>>()
    };
    let of_tag = |tag: &ElementTag<'_>| {
        let attribute = |key: &str| tag.texts().find(|(name, ..)| *name == key).map(|(.., place)| place);
        let beside = Some((attribute("light"), attribute("dark")));
        let objects = tag.expressions().flat_map(objects);
        let inside = objects.map(|object| (value(object.clone(), "light"), value(object, "dark")));
        let pairs = beside.into_iter().chain(inside).filter_map(|(light, dark)| Some((light?, dark?)));
        pairs.collect::<Vec<_>>()
    };
    let wrong = |(light, dark): (Range<usize>, Range<usize>)| {
        let names = |place: &Range<usize>, own: &str, other: &str| {
            let name = text[place.clone()].rsplit('/').next().unwrap_or_default();
            name.contains(other) && !name.contains(own)
        };
        (names(&light, "light", "dark") && names(&dark, "dark", "light")).then(|| {
            let message = format!(
                "{} is for the dark color scheme, but here for the light one",
                quoted(&text[light.clone()])
            );
            Mistake::value(light, message, "exchange the two images")
        })
    };
    tags.iter().flat_map(of_tag).filter_map(wrong).collect()
}

fn part<'t>(source: &PageSource<'_>, tag: &'t ElementTag<'_>) -> Option<Part<'t>> {
    let is_name = |it: &str| it.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let (key, name, _) = tag.texts().find(|(_, text, _)| text.len() >= SHORTEST && is_name(text))?;
    let start = tag.span.end;
    let inside = near_start(&source.text[start..], FURTHEST);
    let end = start + inside.find(&format!("</{}>", tag.name))?;
    Some(Part { tag: tag.name, key, name: name.to_lowercase(), place: start..end })
}

fn in_group(source: &PageSource<'_>, group: &[Part<'_>], exists: &dyn Fn(&str) -> bool) -> Option<Mistake> {
    let texts: Vec<&str> = group.iter().map(|part| &source.text[part.place.clone()]).collect();
    let named = texts.iter().map(|text| -> Vec<usize> {
        let is_in = |at: &usize| place_of(text, &group[*at].name).is_some();
        (0..group.len()).filter(is_in).collect()
    });
    let named: Vec<Vec<usize>> = named.collect();
    let is_own = |at: usize| named[at].is_empty() || named[at].contains(&at);
    let mut wrong = (0..group.len()).filter(|at| !is_own(*at));
    let at = wrong.next().filter(|at| named[*at].len() == 1)?;
    // Only one differs, and others show that the names are those of the parts.
    let has_others = (0..group.len()).any(|other| named[other].contains(&other));
    if wrong.next().is_some() || !has_others {
        return None;
    }
    let (text, own, other) = (texts[at], &group[at].name, &group[named[at][0]].name);
    let name = place_of(text, other)?;
    let is_end = |it: char| it.is_whitespace() || "\"'`()<>{}[]".contains(it);
    let start = text[..name.start].rfind(is_end).map_or(0, |at| at + 1);
    let end = text[name.end..].find(is_end).map_or(text.len(), |at| name.end + at);
    let (written, meant) =
        (&text[start..end], format!("{}{own}{}", &text[start..name.start], &text[name.end..end]));
    (!own.starts_with(&**other) && exists(&meant)).then(|| {
        let span = group[at].place.start + start..group[at].place.start + end;
        let message = format!("{} is for `{other}`, but in the part for `{own}`", quoted(written));
        Mistake::value(span, message, format!("did you mean {}?", quoted(&meant)))
    })
}

/// Returns the place of a name as a part of a path: `/vue/a.png`, `@lamp/vue`.
fn place_of(text: &str, name: &str) -> Option<Range<usize>> {
    text.match_indices(name).map(|(at, _)| at..at + name.len()).find(|place| {
        let (before, after) = (&text[..place.start], &text[place.end..]);
        let is_word = |it: char| it.is_ascii_alphanumeric() || it == '-' || it == '_';
        let is_whole = !before.ends_with(is_word) && !after.starts_with(is_word);
        is_whole && (before.ends_with('/') || after.starts_with('/'))
    })
}
