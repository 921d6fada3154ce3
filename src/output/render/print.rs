//! All steps of a platform on one page, for printing or saving.
//!
//! Each step is a section whose ID is a prefix of every ID in it, so that IDs are unique. Links between steps stay on
//! the page.

use std::collections::HashSet;

use serde::Serialize;

use super::Renderer;
use super::view::{Link, PageView};
use base::address::{Address, slug_of};
use base::diagnostic::Diagnostic;
use base::sorted::SortedMap;
use site::content::{Document, DocumentId, FamilyId, PlatformIx};
use site::plan::anchor;

/// The steps on the page: the section ID for each address.
#[derive(Debug, Default)]
pub(super) struct Printed {
    sections: SortedMap<Address, String>,
}

/// `print.html`
#[derive(Debug, Serialize)]
struct PlatformName {
    id: String,
    name: String,
}

#[derive(Debug, Serialize)]
pub(super) struct PrintView {
    page: PageView,
    family: Link,
    platform: PlatformName,
    steps: Vec<StepView>,
}

#[derive(Debug, Serialize)]
struct StepView {
    id: String,
    title: String,
    /// Whether the body begins with the title.
    titled: bool,
    body: String,
}

impl Printed {
    fn new<'a>(steps: impl Iterator<Item = &'a Address>) -> Self {
        let mut taken = HashSet::new();
        let mut sections = SortedMap::new();
        for (position, address) in (1..).zip(steps) {
            let slug = slug_of(address.last_segment().unwrap_or_default());
            let id = format!("step-{slug}");
            // Slugs don't contain dots, so no other step has this ID.
            let id = if taken.insert(id.clone()) { id } else { format!("{id}.{position}") };
            sections.insert(address.clone(), id);
        }
        Self { sections }
    }

    /// Returns the prefix of the IDs in a step.
    pub(super) fn prefix(&self, step: &Address) -> String {
        self.sections.get(step).map_or_else(String::new, |id| format!("{id}."))
    }

    /// Returns the anchor on the page for an anchor of a step, or `None` for other addresses.
    fn place(&self, address: &Address, fragment: Option<&str>) -> Option<String> {
        let id = self.sections.get(address)?;
        match fragment.filter(|fragment| anchor(fragment).is_some()) {
            Some(fragment) => Some(format!("#{id}.{fragment}")),
            None => Some(format!("#{id}")),
        }
    }
}

impl Renderer<'_> {
    /// Returns the anchors on the page: each step, and the anchors in it.
    pub(super) fn print_anchors(&self, family: FamilyId, platform: PlatformIx) -> Vec<String> {
        let steps = &self.site.families[family].platforms[platform].steps;
        let printed = self.printed(steps);
        let of_step = |&id: &DocumentId| {
            let address = &self.site.document(id).address;
            let prefix = printed.prefix(address);
            let within = self.pages[id].anchors.iter().map(move |anchor| format!("{prefix}{}", anchor.id));
            std::iter::once(printed.sections[address].clone()).chain(within)
        };
        steps.iter().flat_map(of_step).collect()
    }

    pub(super) fn print_view(
        &self,
        address: &Address,
        family: FamilyId,
        platform: PlatformIx,
    ) -> Result<PrintView, Diagnostic> {
        let family = &self.site.families[family];
        let version = &family.platforms[platform];
        let printed = self.printed(&version.steps);
        let steps: Vec<DocumentId> = version.steps.iter().copied().collect();
        let titles = self.unique_names(&steps, self.titles(&steps));
        let step = |(id, title)| {
            Ok(StepView {
                id: printed.sections[&self.site.document(id).address].clone(),
                title,
                titled: self.work.is_titled(id),
                body: self.filled(id, Some(&printed))?,
            })
        };
        Ok(PrintView {
            page: PageView::plain(format!("{} ({})", family.title, version.name), self.url(address)),
            family: Link { title: family.title.clone(), url: self.url(&family.address) },
            platform: PlatformName { id: version.id.clone(), name: version.name.clone() },
            steps: steps.into_iter().zip(titles).map(step).collect::<Result<_, _>>()?,
        })
    }

    fn printed(&self, steps: &[DocumentId]) -> Printed {
        Printed::new(steps.iter().map(|&id| &self.site.document(id).address))
    }

    /// Returns a step's target as a link on this page.
    pub(super) fn printed_href(&self, printed: &Printed, from: &Document, target: &str) -> String {
        let resolver = self.resolver();
        let destination = resolver.resolve(from, target);
        let place =
            resolver.landing(&destination).and_then(|here| printed.place(here.address, here.fragment));
        place.unwrap_or_else(|| resolver.href_to(&destination, target))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(address: &str, fragment: Option<&str>, place: Option<&str>) {
        let steps = ["/t/web/a/", "/t/web/b/", "/t/web/more/a/"].map(Address::new);
        let printed = Printed::new(steps.iter());
        assert_eq!(printed.place(&Address::new(address), fragment).as_deref(), place);
    }

    #[test]
    fn every_step_has_another_place() {
        check("/t/web/a/", None, Some("#step-a"));
        check("/t/web/a/", Some("x"), Some("#step-a.x"));
        check("/t/web/b/", Some("top"), Some("#step-b"));
        check("/t/web/more/a/", Some("x"), Some("#step-a.3.x"));
        check("/t/ios/a/", None, None);
    }
}
