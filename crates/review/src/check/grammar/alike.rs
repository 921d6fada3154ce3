//! Imports whose name another one has, and imports from the same folder, one of which is unlike the others: it has another version, or the
//! page uses its neighbor twice instead of it.

use std::ops::Range;

use super::Mistake;
use super::source::PageSource;
use base::diagnostic::distance_within;
use base::hash::HashMap;
use base::items::only;
use base::quoted::quoted;
use input::conventions::Syntax;
use markup::markdown::{ElementTag, ImportStatement, import};

/// `import name from "path"`.
struct Import<'t> {
    name: &'t str,
    /// Range in the text.
    named: Range<usize>,
    folder: &'t str,
    /// Range of the path in the text.
    place: Range<usize>,
}

/// Minimum number of imports of other files in the same folder.
const FEWEST: usize = 2;

/// `page` is the name of the page's file without its extension. If the site's components are known, `is_open` is false, because another
/// rule reports unknown ones.
pub(super) fn mistakes(
    source: &PageSource<'_>,
    tags: &[ElementTag<'_>],
    page: &str,
    is_open: bool,
) -> Vec<Mistake> {
    let imports = [Syntax::Mdx, Syntax::Vue].iter().any(|it| source.syntax.contains(it));
    if !imports || !source.shown.contains("import ") {
        return Vec::new();
    }
    // Code also imports.
    let lines = source.lines().filter(|line| !line.text.is_empty());
    let imports: Vec<Import<'_>> =
        lines.filter_map(|line| of_line(source.text, line.start..line.end)).collect();
    repeated(&imports)
        .chain(other_versions(source.text, &imports))
        .chain(replaced(source.text, &imports))
        .chain(of_other_page(source.text, &imports, page))
        .chain(misspelled(source.text, &imports, tags, is_open))
        .collect()
}

/// Reports the second import with a name, which JavaScript doesn't allow:
/// <https://tc39.es/ecma262/#sec-module-semantics-static-semantics-early-errors>.
fn repeated<'a>(imports: &'a [Import<'_>]) -> impl Iterator<Item = Mistake> + 'a {
    let is_repeated = |at: &usize| imports[..*at].iter().any(|it| it.name == imports[*at].name);
    (0..imports.len()).filter(is_repeated).map(|at| {
        let Import { name, named, .. } = &imports[at];
        let message =
            format!("another import of the page also has the name `{name}`, so the page doesn't compile");
        Mistake::misread(named.clone(), message, "give it another name, or remove it")
    })
}

/// Returns the import of one name in a line.
fn of_line(text: &str, line: Range<usize>) -> Option<Import<'_>> {
    let written = text.get(line.clone())?;
    let ImportStatement { names, source } = import(written)?;
    let [name] = names[..] else { return None };
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let place = |part: &str, at: Option<usize>| {
        let start = line.start + at.unwrap_or_default();
        start..start + part.len()
    };
    let (named, place) = (place(name, written.find(name)), place(source, written.rfind(source)));
    is_name.then_some(Import { name, named, folder: source.rsplit_once('/')?.0, place })
}

/// Reports the only path with another version: `api/v8/end.md` next to `api/v9/start.md`.
fn other_versions<'a>(text: &'a str, imports: &'a [Import<'_>]) -> impl Iterator<Item = Mistake> + 'a {
    let is_version = |segment: &&str| {
        let number = segment.strip_prefix('v').unwrap_or(segment);
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    // The version of each import, by its folder without the version.
    let mut groups: HashMap<String, Vec<(&str, &Import<'_>)>> = HashMap::default();
    for import in imports {
        if let Some(version) = import.folder.split('/').find(is_version) {
            groups.entry(import.folder.replacen(version, "*", 1)).or_default().push((version, import));
        }
    }
    let mut groups: Vec<_> = groups.into_values().collect();
    groups.sort_unstable_by_key(|group| group[0].1.place.start);
    groups.into_iter().filter_map(move |group| {
        let of = |version: &str| group.iter().filter(|(other, _)| *other == version).count();
        let (odd, import) = group.iter().find(|(version, _)| of(version) == 1)?;
        let usual = group.iter().find(|(version, _)| version != odd)?.0;
        if of(usual) != group.len() - 1 || of(usual) <= FEWEST {
            return None;
        }
        let path = &text[import.place.clone()];
        let message = format!("only this import has `{odd}`, and {} have `{usual}`", of(usual));
        let meant = quoted(&path.replacen(odd, usual, 1));
        Some(Mistake::value(import.place.clone(), message, format!("did you mean {meant}?")))
    })
}

/// Reports the name of a component or of a value in an attribute that the page doesn't import, if it is nearly that of an import that
/// the page doesn't use, or continues it.
fn misspelled(text: &str, imports: &[Import<'_>], tags: &[ElementTag<'_>], is_open: bool) -> Option<Mistake> {
    const MOST_LETTERS: usize = 2;
    /// Minimum length of a name that another one continues.
    const LONG: usize = 6;
    let is_unused = |it: &&Import<'_>| uses(text, imports, it) == 0;
    let is_known = |name: &str| imports.iter().any(|it| it.name == name);
    imports.iter().filter(is_unused).find_map(|import| {
        let is_near = |name: &str| {
            distance_within(name, import.name, MOST_LETTERS).is_some()
                || import.name.len() >= LONG && name.starts_with(import.name)
        };
        let components = tags
            .iter()
            .filter(|_| is_open)
            .map(|tag| tag.span.start + 1..tag.span.start + 1 + tag.name.len());
        let values = tags.iter().flat_map(ElementTag::expressions).flat_map(|place| values(text, place));
        let mut places = components.chain(values);
        let place = places.find(|place| is_near(&text[place.clone()]) && !is_known(&text[place.clone()]))?;
        let message = format!("no import of the page has the name `{}`", &text[place.clone()]);
        Some(Mistake::value(place, message, format!("did you mean `{}`?", import.name)))
    })
}

/// Returns the names of values in an expression: neither texts nor keys of objects.
fn values(text: &str, expression: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
    let mut at = expression.start;
    let words = text.as_bytes()[expression].chunk_by(move |one, next| is_part(*one) == is_part(*next));
    let words = words.map(move |word| {
        at += word.len();
        (word, at - word.len()..at)
    });
    words.filter(move |(word, _)| is_part(word[0])).map(|(_, place)| place).filter(|place| {
        let (before, after) = (text[..place.start].trim_end(), text[place.end..].trim_start());
        !before.ends_with(['.', '"', '\'', '`']) && !after.starts_with([':', '"', '\'', '`'])
    })
}

/// Reports the only import from the folder of another page, `api/oil/end.md` next to `api/lamp/start.md`, if all others are from the
/// folder of this one.
fn of_other_page(text: &str, imports: &[Import<'_>], page: &str) -> Option<Mistake> {
    let own = |it: &&Import<'_>| it.folder.split('/').any(|segment| segment == page);
    let at = imports.iter().find(own)?.folder.split('/').position(|segment| segment == page)?;
    let around = |folder: &str| -> Vec<String> {
        let others = folder.split('/').enumerate().filter(|(index, _)| *index != at);
        others.map(|(_, segment)| segment.to_string()).collect()
    };
    let usual = around(imports.iter().find(own)?.folder);
    let (own, others): (Vec<&Import<'_>>, Vec<_>) =
        imports.iter().filter(|it| around(it.folder) == usual).partition(own);
    let [other] = others[..] else { return None };
    let written = other.folder.split('/').nth(at).filter(|_| own.len() > FEWEST)?;
    let path = &text[other.place.clone()];
    let meant = path.replacen(&format!("/{written}/"), &format!("/{page}/"), 1);
    let is_new = own.iter().all(|it| text[it.place.clone()] != meant);
    (is_new && meant != path).then(|| {
        let message =
            format!("only this import has `{written}`, and {} have `{page}`, like the page", own.len());
        Mistake::value(other.place.clone(), message, format!("did you mean {}?", quoted(&meant)))
    })
}

/// Returns how often the name of an import is in a text outside imports.
fn uses(text: &str, imports: &[Import<'_>], import: &Import<'_>) -> usize {
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let all = text.match_indices(import.name).filter(|(at, name)| {
        !text[..*at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part)
    });
    all.filter(|(at, _)| !imports.iter().any(|it| it.named.start <= *at && *at < it.place.end)).count()
}

/// Reports the only import that the page doesn't use, if it uses exactly one of its neighbors twice.
fn replaced(text: &str, imports: &[Import<'_>]) -> Option<Mistake> {
    if imports.len() <= FEWEST {
        return None;
    }
    let counts: Vec<usize> = imports.iter().map(|import| uses(text, imports, import)).collect();
    let unused = counts.iter().zip(imports).filter(|(count, _)| **count == 0);
    let (_, unused) = only(unused)?;
    let others = counts.iter().zip(imports);
    let others = others.filter(|(_, it)| it.folder == unused.folder && it.name != unused.name);
    let others: Vec<(usize, &Import<'_>)> = others.map(|(count, it)| (*count, it)).collect();
    let twice = others.iter().filter(|(count, _)| *count > 1);
    let (count, other) = only(twice)?;
    (others.len() >= FEWEST && *count == 2).then(|| {
        let (name, other) = (unused.name, other.name);
        let message = format!("`{name}` is imported and not used, and `{other}` is used twice");
        Mistake::value(unused.named.clone(), message, format!("use `{name}` in one of these places"))
    })
}
