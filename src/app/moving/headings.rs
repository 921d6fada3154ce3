//! Changes the titles of sections without breaking links.
//!
//! The anchor of a section follows its title, unless the author sets an explicit one. Other anchors of the page also
//! change if they had or get a number because of the old or new one, and links to them are updated. Pages can't have
//! aliases for anchors, so to keep links from other sites, add the old anchor to the new title: `New title
//! {#former}`.

use std::ops::Range;

use super::places::Correspondence;
use super::{Changes, Moving, Retitled, by_path, with_links};
use crate::output::pipeline::Options;
use base::address::Address;
use base::diagnostic::nearest;
use base::error::{Error, Result};
use base::hash::HashMap;
use base::index::IndexVec;
use base::site_path::SitePath;
use base::sort::StableSort as _;
use base::sorted::{SortedMap, SortedSet};
use markup::markdown::{HeadingIx, Page, PageAnchor};
use review::check;
use site::content::DocumentId;
use site::plan::{Artifact, anchor};
use site::work::Work;

/// A section of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PageSection {
    pub(crate) document: DocumentId,
    pub(crate) heading: HeadingIx,
}

impl PageSection {
    pub(crate) fn title<'w>(&self, work: &'w Work) -> &'w str {
        &work.pages[self.document].headings[self.heading].text
    }

    pub(crate) fn anchor<'w>(&self, work: &'w Work) -> &'w str {
        &work.pages[self.document].headings[self.heading].id
    }

    pub(crate) fn path<'w>(&self, work: &'w Work) -> &'w SitePath {
        &work.project.site.document(self.document).path
    }

    fn span<'w>(&self, work: &'w Work) -> &'w Range<usize> {
        &work.pages[self.document].headings[self.heading].span
    }
}

/// Returns the section of a page with an anchor.
///
/// # Errors
///
/// If the page doesn't exist or contains no heading with this anchor.
pub(crate) fn section_at(work: &Work, path: &SitePath, wanted: &str) -> Result<PageSection> {
    let documents = work.project.site.documents.indexed().filter(|(_, document)| document.path == *path);
    let documents: Vec<DocumentId> = documents.map(|(id, _)| id).collect();
    if documents.is_empty() {
        return Err(Error::usage(format!(
            "cannot rename a section of `{path}`: it is not a page of the site"
        )));
    }
    let name = anchor(wanted).unwrap_or_default();
    let mut sections = documents.iter().filter_map(|&document| {
        let heading = work.pages[document].headings.position(|heading| heading.id == name)?;
        Some(PageSection { document, heading })
    });
    sections.next().ok_or_else(|| {
        let known = documents.iter().flat_map(|&id| &work.pages[id].headings).map(|heading| &*heading.id);
        let near = nearest(&name, known).map(|near| format!("; did you mean `#{near}`?"));
        let near = near.unwrap_or_default();
        Error::usage(format!("cannot rename `{path}#{name}`: no heading has this anchor{near}"))
    })
}

/// Returns the range of a heading's text, and its end including attributes, as in `## Words {#id}`. Returns `None`
/// for a heading in raw HTML, and for one without text.
pub(crate) fn words_of(text: &str, span: &Range<usize>) -> Option<(Range<usize>, usize)> {
    let whole = text.get(span.clone())?.trim_end();
    let (start, line) = if whole.starts_with('#') {
        let line = whole.lines().next().unwrap_or_default();
        (line.len() - line.trim_start_matches('#').len(), line)
    } else {
        let (words, underline) = whole.rsplit_once('\n')?;
        let underline = underline.trim_matches([' ', '\t', '>']);
        let is_underline = ['=', '-'].iter().any(|sign| underline.chars().all(|letter| letter == *sign));
        if !is_underline || underline.is_empty() {
            return None;
        }
        (0, words)
    };
    let after_marks = &line[start..];
    let end = line.trim_end().len();
    // The text before `{…}`, and before closing `#` characters.
    let bare = |end: usize| {
        let words = line[start..end].trim_end();
        let opened = words.strip_suffix('}').and_then(|inner| inner.rfind('{'));
        let opened = opened.filter(|&at| words[..at].ends_with([' ', '\t']));
        start + words[..opened.unwrap_or(words.len())].trim_end().len()
    };
    let open = |end: usize| {
        let words = &line[start..end];
        let closed = words.trim_end_matches('#');
        let is_closed = closed.len() < words.len() && closed.ends_with([' ', '\t']) && whole.starts_with('#');
        if is_closed { start + closed.trim_end().len() } else { end }
    };
    let words_end = bare(open(bare(end)));
    let first = start + after_marks.len() - after_marks.trim_start().len();
    // An anchor before the text stays.
    let kept = line.get(first..words_end)?;
    let made =
        kept.starts_with("<a ").then(|| kept.find("></a>")).flatten().map_or(0, |at| at + "></a>".len());
    let first = first + made + (kept[made..].len() - kept[made..].trim_start().len());
    (first < words_end).then(|| (span.start + first..span.start + words_end, span.start + end))
}

/// Gives sections a title as Markdown without heading markers. It may end with attributes, as in `New title {#id}`.
///
/// # Errors
///
/// Why they can't have it: an invalid title, a heading that isn't Markdown, or a link that can't be preserved.
pub(crate) fn retitle(
    old: &Work,
    sections: &[PageSection],
    title: &str,
    options: &Options,
) -> Result<Changes> {
    let Some(first) = sections.first() else { return Ok(Changes::default()) };
    let refused =
        |why: &str| Error::usage(format!("cannot rename `{}#{}`: {why}", first.path(old), first.anchor(old)));
    let title = title.trim();
    if title.is_empty() || title.contains(['\n', '\r']) {
        return Err(refused("a title must be one line of text"));
    }
    let moving = Moving { old, renames: Vec::new(), options };
    let mut texts: SortedMap<SitePath, String> = SortedMap::new();
    // From the end of each page, so that other ranges stay valid.
    let mut edits: Vec<(&SitePath, &Range<usize>)> =
        sections.iter().map(|section| (section.path(old), section.span(old))).collect();
    edits.stable_sort_by_key(|(path, span)| (*path, std::cmp::Reverse(span.start)));
    edits.dedup();
    for (path, span) in edits {
        let text = texts.entry(path.clone()).or_insert_with(|| moving.text(path));
        let Some((words, end)) = words_of(text, span) else {
            return Err(refused(&format!(
                "its heading in `{path}` is not written as `## Title`; change it by hand"
            )));
        };
        let end = if title.ends_with('}') { end } else { words.end };
        text.replace_range(words.start..end, title);
    }
    let new = moving.planned(&texts)?;
    let places = moving.places(old, &new).map_err(|why| refused(&why))?;
    let new = places.new;
    let anchors = Anchors::between(old, new, &places)
        .ok_or_else(|| refused("this title would change how the page is read; use plain text"))?;
    let is_other = sections.iter().any(|section| {
        let page = &new.pages[places.now(section.document)];
        page.headings[section.heading].text.trim().is_empty()
    });
    if is_other {
        return Err(refused("readers would see an empty title"));
    }
    let by_path = by_path(old);
    let titled: SortedSet<SitePath> = texts.keys().cloned().collect();
    let mut relinked = titled.clone();
    for text in old.project.sources.pages.values().filter(|text| text.invalid.is_none()) {
        let documents = by_path.get(&text.path).map_or(&[][..], Vec::as_slice);
        let before = texts.remove(&text.path).unwrap_or_else(|| text.text().into_owned());
        let after = with_links(old, documents, &before, |id, target| anchors.relinked(id, target));
        if after == before {
            relinked.remove(&text.path);
        } else {
            relinked.insert(text.path.clone());
        }
        texts.insert(text.path.clone(), after);
    }
    let last = moving.planned(&texts)?;
    let verified = moving.places(old, &last).and_then(|places| {
        places.verify()?;
        anchors.verify(places.new, &places)
    });
    verified.map_err(|why| refused(&why))?;
    let mut retitled: Vec<Retitled> = Vec::new();
    for section in sections {
        let (path, from) = (section.path(old).clone(), section.anchor(old).to_string());
        let to = new.pages[places.now(section.document)].headings[section.heading].id.clone();
        let it = Retitled { path, from, to };
        if !retitled.contains(&it) {
            retitled.push(it);
        }
    }
    let edits = moving.edits(&texts).collect();
    Ok(Changes { edits, relinked: relinked.len(), sections: retitled, ..Changes::default() })
}

/// The anchors that change, with their new names.
struct Anchors<'a> {
    old: &'a Work,
    renamed: HashMap<(DocumentId, &'a str), &'a str>,
}

impl<'a> Anchors<'a> {
    /// Returns `None` if a page has other sections than before.
    fn between(old: &'a Work, new: &'a Work, places: &Correspondence<'_>) -> Option<Self> {
        let mut renamed = HashMap::default();
        for (id, _) in old.project.site.documents.indexed() {
            let (before, after) = (&old.pages[id], &new.pages[places.now(id)]);
            let levels = |page: &Page| -> IndexVec<HeadingIx, u8> {
                page.headings.iter().map(|heading| heading.level).collect()
            };
            let (one, other) = (by_place(before), by_place(after));
            if levels(before) != levels(after) || one.len() != other.len() {
                return None;
            }
            for (one, other) in one.into_iter().zip(other) {
                for (at, anchor) in one.iter().enumerate() {
                    let now = other.get(at).unwrap_or(&other[0]);
                    if now.id != anchor.id {
                        // If two anchors have the same name, links find the first one.
                        renamed.entry((id, &*anchor.id)).or_insert(&*now.id);
                    }
                }
            }
        }
        Some(Self { old, renamed })
    }

    /// Returns the destination of a link: an address and an anchor.
    fn end(
        work: &Work,
        id: DocumentId,
        target: &str,
    ) -> Option<(Address, Option<DocumentId>, Option<String>)> {
        let resolver = work.project.resolver();
        let here = resolver.landing(&resolver.resolve(work.project.site.document(id), target))?;
        let document = work.project.plan.get(here.address).and_then(Artifact::document);
        Some((here.address.clone(), document, here.fragment.and_then(anchor)))
    }

    /// Returns the replacement for a target whose own anchor changes.
    fn relinked(&self, id: DocumentId, target: &str) -> Option<String> {
        let (_, document, fragment) = Self::end(self.old, id, target)?;
        let fragment = fragment?;
        let to = self.renamed.get(&(document?, &*fragment))?;
        let (path, written) = target.split_once('#')?;
        // The anchor may come from a redirect instead of the link.
        let is_own = Self::end(self.old, id, path).is_none_or(|(.., fragment)| fragment.is_none());
        is_own.then(|| format!("{path}#{}", check::encoded_like(written, to)))
    }

    /// Returns an error if a link no longer has the same anchor.
    fn verify(&self, last: &Work, places: &Correspondence<'_>) -> std::result::Result<(), String> {
        let own =
            self.old.project.site.documents.indexed().filter(|(_, document)| document.foreign.is_none());
        for (id, document) in own {
            let now = places.now(id);
            let (before, after) = (&self.old.pages[id], &last.pages[now]);
            let redirects =
                document.front.redirect.iter().zip(&last.project.site.document(now).front.redirect);
            let references = before.references.iter().zip(&after.references);
            let pairs = references.map(|(one, other)| (&one.target, &other.target)).chain(redirects);
            for (one, other) in pairs {
                let expected = Self::end(self.old, id, one).map(|(address, document, fragment)| {
                    let renamed = |name: String| {
                        let to = document.and_then(|document| self.renamed.get(&(document, &*name)));
                        to.map_or(name.clone(), |to| (*to).to_string())
                    };
                    (address, fragment.map(renamed))
                });
                let found = Self::end(last, now, other).map(|(address, _, fragment)| (address, fragment));
                if expected != found {
                    return Err(format!(
                        "the link `{one}` in `{}` would go to another section; change it first",
                        document.path
                    ));
                }
            }
        }
        Ok(())
    }
}

/// Returns the anchors of a page, grouped by position.
fn by_place(page: &Page) -> Vec<&[PageAnchor]> {
    page.anchors.chunk_by(|one, other| one.span == other.span).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, words: Option<&str>) {
        let found = words_of(text, &(0..text.len())).map(|(span, _)| &text[span]);
        assert_eq!(found, words, "{text}");
    }

    #[test]
    fn the_words_of_a_heading_exclude_its_markup() {
        for (text, words) in [
            ("## Create a key\n", "Create a key"),
            ("#  C#  ", "C#"),
            ("## Use `{x}`\n", "Use `{x}`"),
            ("## Create {#a .b}\r\n", "Create"),
            ("## Create ## {#a}\n", "Create"),
            ("## Create {#a} ##\n", "Create"),
            ("### <a id=\"k\"></a> Keys\n", "Keys"),
            ("Create a key\n---\n", "Create a key"),
            ("Create {#a}\n===", "Create"),
        ] {
            check(text, Some(words));
        }
        for text in ["<h2>Create</h2>\n", "##\n", "## {#a}\n"] {
            check(text, None);
        }
    }
}
