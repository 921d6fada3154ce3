//! The numbers of a platform's steps and sections.

use markup::markdown::Heading;
use site::content::{Platform, title_number};
use site::work::Work;

/// The numbers of a platform's steps and sections.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers<'a> {
    pub(super) sections: Vec<&'a str>,
    /// The highest number in a step's title.
    steps: i64,
}

impl<'a> Numbers<'a> {
    pub(super) fn of(work: &'a Work, platform: &Platform) -> Self {
        let mut numbers = Self::default();
        for &id in &platform.steps {
            numbers.steps =
                numbers.steps.max(title_number(&work.project.site.document(id).title).unwrap_or(0));
            numbers.sections.extend(work.pages[id].headings.iter().filter_map(Heading::number));
        }
        numbers
    }

    /// `highest_step` is the highest number in a list on the page, because "step 3" may refer to one of its items.
    pub(super) fn has(&self, number: &str, highest_step: u64) -> bool {
        match number.parse::<u64>() {
            Ok(step) => i64::try_from(step).is_ok_and(|step| step <= self.steps) || step <= highest_step,
            Err(_) => self.sections.contains(&number),
        }
    }

    /// Returns the section that is most likely meant: the same section of the page's own step, or else the nearest
    /// number.
    pub(super) fn nearest(&self, number: &str, own_step: Option<i64>) -> Option<&'a str> {
        let (major, minor) = pair(number)?;
        let own =
            own_step.and_then(|step| self.sections.iter().find(|known| pair(known) == Some((step, minor))));
        let distance = |known: &str| pair(known).map(|(m, n)| ((m - major).abs(), (n - minor).abs()));
        let near =
            || self.sections.iter().filter(|known| pair(known).is_some()).min_by_key(|known| distance(known));
        own.or_else(near).copied()
    }
}

/// Parses `7.3` as two numbers.
pub(super) fn pair(number: &str) -> Option<(i64, i64)> {
    let (major, minor) = number.split_once('.')?;
    Some((major.parse().ok()?, minor.split('.').next()?.parse().ok()?))
}
