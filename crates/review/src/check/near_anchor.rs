//! Finds the anchor of a page that a missing one most likely means.
//!
//! In the order of certainty: one that differs by a slip, the heading that the text of the link repeats, one that continues the wanted
//! one, a similar one, one with its first words, and one with the same words in another form. A link never leads to the section that it is in, or to the target of
//! another link next to it.

use std::ops::Range;

use super::lookup::letters;
use base::diagnostic::{distance_within, nearest};
use base::items::only;
use markup::markdown::{Page, Reference};
use site::plan::{anchor, take_apart};

/// Minimum length of an anchor, in letters, that few sections have in common.
const LONG: usize = 10;

/// A missing anchor.
pub(super) struct WantedAnchor<'a> {
    pub(super) id: &'a str,
    /// The text of the link.
    pub(super) text: Option<&'a str>,
    /// The name or address of the page.
    pub(super) place: &'a str,
    /// Anchors of the page that aren't meant.
    pub(super) others: &'a [String],
}

impl WantedAnchor<'_> {
    /// Returns the anchor that is meant among those of the page, the first of which is usually that of its title.
    pub(super) fn nearest<'k>(&self, known: &'k [String]) -> Option<&'k str> {
        let title = known.first().map(String::as_str);
        let is_other = |id: &&str| self.others.iter().any(|other| other == id);
        let all: Vec<&str> = known.iter().map(String::as_str).collect();
        let known: Vec<&str> = all.iter().copied().filter(|id| !is_other(id)).collect();
        // The same letters in another case are meant even next to such a link.
        let in_letters = nearest(self.id, all).filter(|id| letters(id) == letters(self.id));
        // `install--i` is that of the heading "install / i".
        let names_more = |id: &str| id.strip_prefix(self.id).is_some_and(|rest| rest.starts_with("--"));
        in_letters
            .or_else(|| lone(&known, names_more))
            .or_else(|| self.slip(&known))
            .or_else(|| self.titled(&known, title))
            .or_else(|| lone(&known, |id| self.goes_on(id)))
            .or_else(|| nearest(self.id, known.iter().copied()))
            .or_else(|| lone(&known, |id| !self.is_topic(id, title) && follows(self.id, id)))
            .or_else(|| self.with_its_words(&known, title))
            .or_else(|| self.containing(&known, title))
    }

    fn slip<'k>(&self, known: &[&'k str]) -> Option<&'k str> {
        const MOST_LETTERS: usize = 2;
        let near = nearest(self.id, known.iter().copied());
        near.filter(|id| distance_within(self.id, id, MOST_LETTERS).is_some())
    }

    /// Returns the anchor of the heading that the text of the link is, or the only one of wanted words that begins with it, or the only
    /// one of several words that it contains. The page's own title says nothing.
    fn titled<'k>(&self, known: &[&'k str], title: Option<&str>) -> Option<&'k str> {
        const FEWEST_WORDS: usize = 3;
        let text = letters(self.text?);
        let sections = known.iter().copied().filter(|id| Some(*id) != title && !text.is_empty());
        let is_in_text = |id: &str| words(id) >= FEWEST_WORDS && text.contains(&letters(id));
        let wanted = content_words(self.id);
        let is_begun = |id: &str| {
            text.len() >= LONG
                && letters(id).starts_with(&text)
                && content_words(id).iter().all(|word| wanted.contains(word))
        };
        let sections: Vec<&str> = sections.collect();
        let exact = sections.iter().copied().find(|id| letters(id) == text);
        exact.or_else(|| lone(&sections, is_begun)).or_else(|| lone(&sections, is_in_text))
    }

    /// Whether an anchor begins with the wanted one, and isn't more than twice as long, in words.
    fn goes_on(&self, id: &str) -> bool {
        let is_long = self.id.len() >= LONG;
        let begins = is_long && letters(id).starts_with(&letters(self.id));
        begins || follows(id, self.id) && (is_long || words(id) <= 2 * words(self.id))
    }

    /// Returns the only anchor with the most words of the wanted one, in any form, if one of the two has no other words.
    fn with_its_words<'k>(&self, known: &[&'k str], title: Option<&str>) -> Option<&'k str> {
        const FEWEST: usize = 2;
        let wanted = content_words(self.id);
        let shared = |id: &str| {
            let own = content_words(id);
            let found = wanted.iter().filter(|word| own.iter().any(|it| are_forms(word, it))).count();
            (found >= FEWEST && found >= wanted.len().min(own.len())).then_some(found)
        };
        let found = known.iter().filter(|id| !self.is_topic(id, title));
        let found: Vec<(usize, &str)> = found.filter_map(|id| Some((shared(id)?, *id))).collect();
        let most = found.iter().map(|(count, _)| *count).max()?;
        let best = found.into_iter().filter(|(count, _)| *count == most);
        only(best).map(|(_, id)| id)
    }

    /// Whether an anchor is what the complete page is about.
    fn is_topic(&self, id: &str, title: Option<&str>) -> bool {
        title == Some(id) || letters(self.place).contains(&letters(id))
    }

    /// Returns the only anchor that contains the text of the link: `lampoptions-oil` for `LampOptions`.
    fn containing<'k>(&self, known: &[&'k str], title: Option<&str>) -> Option<&'k str> {
        let text = letters(self.text?);
        lone(known, |id| text.len() >= LONG && title != Some(id) && letters(id).contains(&text))
    }
}

/// Returns the words of an anchor that say what it is about.
fn content_words(id: &str) -> Vec<&str> {
    const OTHERS: [&str; 16] = [
        "a", "an", "and", "by", "for", "from", "how", "in", "of", "on", "or", "the", "to", "using", "with",
        "your",
    ];
    id.split(['-', '_']).filter(|word| !word.is_empty() && !OTHERS.contains(word)).collect()
}

/// Whether two words begin with the same letters: `proxies` and `proxying`, `config` and `configuration`.
fn are_forms(one: &str, other: &str) -> bool {
    const SHORTEST_STEM: usize = 4;
    let stem = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    let (shorter, longer) = (one.len().min(other.len()), one.len().max(other.len()));
    one == other || stem >= SHORTEST_STEM && (stem == shorter || 2 * stem >= longer)
}

fn words(id: &str) -> usize {
    id.split('-').count()
}

/// Whether an anchor continues the words of another one.
fn follows(one: &str, other: &str) -> bool {
    one.strip_prefix(other).is_some_and(|rest| rest.starts_with('-'))
}

/// Returns the only anchor with a property.
fn lone<'k>(known: &[&'k str], has_it: impl Fn(&str) -> bool) -> Option<&'k str> {
    only(known.iter().copied().filter(|id| has_it(id)))
}

/// Returns the anchors that a link doesn't mean: those of the links next to it to the same page, and of the section around it, if it leads
/// to its own page.
pub(super) fn others(text: &str, page: &Page, reference: &Reference) -> Vec<String> {
    /// Maximum distance of a link next to this one, in bytes, because a page may be one paragraph.
    const FURTHEST: usize = 10_000;
    let target = take_apart(&reference.target);
    let own = &reference.span;
    let is_beside = |span: &Range<usize>| {
        let (start, end) = (span.end.min(own.end), span.start.max(own.start));
        end.saturating_sub(start) <= FURTHEST
            && text.get(start..end).is_some_and(|between| !between.contains("\n\n"))
    };
    let beside = page.references.iter().filter(|it| it.span != *own && is_beside(&it.span));
    let beside = beside.filter_map(|it| {
        let other = take_apart(&it.target);
        anchor(other.fragment.filter(|_| other.path == target.path)?)
    });
    let around = page.headings.iter().take_while(|it| it.span.start < reference.span.start).last();
    let around = around.filter(|_| target.path.is_empty()).map(|it| it.own_id.as_ref().unwrap_or(&it.id));
    beside.chain(around.cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(id: &str, text: &str, known: &str, expected: Option<&str>) {
        let known: Vec<String> = known.split(' ').map(str::to_string).collect();
        let wanted =
            WantedAnchor { id, text: Some(text), place: "/use/oil-lamps/", others: &["beside".into()] };
        assert_eq!(wanted.nearest(&known), expected, "{id} {text:?} {known:?}");
    }

    #[test]
    fn the_most_certain_one_is_meant() {
        check("instal", "Wicks of oil", "lamp install wicks-of-oil", Some("install"));
        check("install", "", "lamp reinstall install--i", Some("install--i"));
        check("in_stall", "", "lamp in-stall install", Some("in-stall"));
        check("BESIDE", "", "lamp beside besides", Some("beside"));
        check("oil-of-olives", "Fill it", "lamp oil fill-it", Some("fill-it"));
        check("oil", "See how to fill it again", "lamp how-to-fill-it fill", Some("how-to-fill-it"));
        check(
            "lampversion",
            "version",
            "lamp lampverify lampversionlampversion",
            Some("lampversionlampversion"),
        );
        check("caching", "", "lamp caching-pages", Some("caching-pages"));
        check("caching-pages", "", "lamp caching", Some("caching"));
        check("by-related-wicks", "", "lamp by-relational-wicks", Some("by-relational-wicks"));
        check("fill-from-bottles", "", "lamp bottle-filling fill-it", Some("bottle-filling"));
        check("oiling-by-machine", "", "lamp oil-the-machine oil-machines", None);
        check("fill-the-lamp-server", "", "lamp fill-the-lamp-client", None);
        check("oil-lamps-that-leak", "", "lamp oil-lamps", None);
        check("besides", "", "lamp beside", None);
        check("oil", "LampOptions", "lamp useofthelampoptions-oil", Some("useofthelampoptions-oil"));
    }
}
