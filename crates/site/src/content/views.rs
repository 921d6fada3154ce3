//! Gives translated pages the position of their original among the steps, and its address unless they have one.

use super::{FrontMatter, Openings, read_opening};
use crate::memo::{Dependency, MemoKey};
use base::address::Address;
use base::site_path::SitePath;
use input::source::{LanguageView, Sources, Text};

/// Adds the keys to the front matter of a translation that come from its original.
pub(super) fn inherit(front: &mut FrontMatter, sources: &Sources, page: &SitePath, openings: &Openings) {
    let Some(view) = &sources.view else { return };
    let Some(text) = original(view, page) else { return };
    let original = &read_opening(text, &sources.repository, openings).front;
    front.order = original.order.or(front.order);
    front.slug = front.slug.take().or_else(|| original.slug.clone());
    front.step = front.step.take().or_else(|| original.step.clone());
    front.platforms.clone_from(&original.platforms);
    front.draft |= original.draft;
}

/// Returns the text of the original of a translation.
fn original<'a>(view: &'a LanguageView, page: &SitePath) -> Option<&'a Text> {
    view.whole.pages.get(view.originals.get(page)?)
}

/// Adds the originals of translated pages to the key of a site.
pub(super) fn add_to_key(key: &mut MemoKey, sources: &Sources, openings: &Openings) {
    let Some(view) = &sources.view else { return };
    key.add(Dependency::Repository, &format!("{:?} {}", view.languages, view.at));
    for (page, place) in &view.published {
        key.add(Dependency::Repository, page.as_str()).add(Dependency::Repository, place.as_str());
        if let Some(text) = original(view, page) {
            let opening = read_opening(text, &sources.repository, openings);
            key.add(Dependency::Openings, &opening.key.to_le_bytes());
        }
    }
}

/// Removes the path of the language from the address of a page whose front matter contains it.
pub(super) fn within_language(address: Address, sources: &Sources) -> Address {
    let path = sources.view.as_ref().map(|view| view.language().path.as_str()).unwrap_or_default();
    let below = address.as_str().strip_prefix(path).filter(|below| below.starts_with('/'));
    below.map(Address::new).unwrap_or(address)
}
