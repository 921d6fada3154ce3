//! View of `feed.xml`, the pages that changed last as an Atom feed: <https://www.rfc-editor.org/rfc/rfc4287>.

use std::cmp::Reverse;

use serde::Serialize;

use super::Renderer;
use base::address::Address;
use base::sort::StableSort as _;
use markup::markdown::repair;
use site::plan::Artifact;

/// `feed.xml`
#[derive(Debug, Serialize)]
pub(super) struct FeedView {
    title: String,
    /// The absolute URL of the feed, which identifies it.
    url: Option<String>,
    home: Option<String>,
    /// The time of the last change of all pages, as `2027-01-31T08:00:00Z`.
    changed: String,
    /// The last changes first.
    entries: Vec<FeedEntry>,
}

#[derive(Debug, Serialize)]
struct FeedEntry {
    /// The unique name of the page, with the platform of a step.
    title: String,
    url: String,
    changed: String,
    summary: Option<String>,
}

/// Maximum number of entries. A page that twelve platforms share is twelve pages, so a feed needs more than the usual 20.
const MOST_ENTRIES: usize = 50;

/// The time of a feed without entries, because the standard requires one.
const NEVER: &str = "1970-01-01T00:00:00Z";

impl Renderer<'_> {
    pub(super) fn feed_view(&self, address: &Address) -> FeedView {
        let plan = &self.project.plan;
        let pages = plan.pages().filter(|page| !plan.is_untranslated(page));
        let mut changed: Vec<_> = pages
            .filter_map(|page| {
                let id = plan.get(page).and_then(Artifact::document)?;
                Some((self.project.last_commit(id)?, page, id))
            })
            .collect();
        // Pages of the same commit stay in the order of their URLs.
        changed.stable_sort_by_key(|(time, _, _)| Reverse(*time));
        let entries = changed.into_iter().take(MOST_ENTRIES).filter_map(|(time, page, id)| {
            let title = repair(&self.site.document(id).title);
            let name = self.map.name(page).unwrap_or(&title);
            let platform = self.site.place(id).map(|place| &self.site.platform_of(place).name);
            let title = platform.map_or_else(|| name.to_string(), |platform| format!("{name} ({platform})"));
            Some(FeedEntry {
                title: xml_text(&title),
                url: self.canonical(page)?,
                changed: time.to_string(),
                summary: self.lede(id).map(|text| xml_text(&text)),
            })
        });
        let entries: Vec<FeedEntry> = entries.collect();
        FeedView {
            title: xml_text(&self.project.site_title()),
            url: self.canonical(address),
            home: self.canonical(&Address::new("/")),
            changed: entries.first().map_or_else(|| NEVER.to_string(), |entry| entry.changed.clone()),
            entries,
        }
    }
}

/// Returns a text without the characters that XML can't contain, even if they are escaped.
fn xml_text(text: &str) -> String {
    let is_allowed = |c: &char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
    text.chars().filter(is_allowed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_only_characters_of_xml() {
        assert_eq!(xml_text("a\u{0}\t\u{b}b\u{1f}\u{fffe} é\u{1f600}\n"), "a\tb é\u{1f600}\n");
    }
}
