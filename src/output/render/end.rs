//! Additional content of a platform's last step: links for readers who have finished the tutorial.

use serde::Serialize;

use super::Renderer;
use super::view::Link;
use site::content::Place;
use site::plan::Import;

/// Maximum number of other tutorials in the list. The home page lists all.
const MOST_FAMILIES: usize = 3;

#[derive(Debug, Serialize)]
pub(super) struct EndView {
    /// The same tutorial on other platforms, by the names of the platforms.
    platforms: Vec<Link>,
    /// The tutorials that follow on the home page.
    families: Vec<Link>,
}

impl Renderer<'_> {
    /// Returns `None` except for the last step.
    pub(super) fn end_view(&self, place: Place) -> Option<EndView> {
        let family = self.site.family_of(place);
        if usize::from(place.step) + 1 < self.site.platform_of(place).steps.len() {
            return None;
        }
        let others = family.platforms.indexed().filter(|(at, _)| *at != place.platform);
        let platforms = others.filter_map(|(_, platform)| {
            let url = self.link(*platform.steps.first()?).url;
            Some(Link { title: platform.name.clone(), url })
        });
        self.map.note(|| Import::Families);
        let families = self.site.families.iter();
        let following = families.clone().skip(usize::from(place.family) + 1).chain(families);
        let link = |family: &site::content::Family| Link {
            title: family.name.clone(),
            url: self.url(&family.address),
        };
        let others = following.filter(|it| it.address != family.address).take(self.site.families.len() - 1);
        Some(EndView {
            platforms: platforms.collect(),
            families: others.take(MOST_FAMILIES).map(link).collect(),
        })
    }
}
