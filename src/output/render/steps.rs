//! The list of a platform's steps for all its pages: rendered once, and marked for each page at its step. Rendering a
//! list for every page would make the cost of a platform grow with the square of its steps.
//!
//! The size of long lists would also grow that way. Therefore pages show only the part around their step. Adjacent
//! steps share a part.

use std::ops::Range;
use std::sync::OnceLock;

use serde::Serialize;

use super::Renderer;
use super::step::PlatformView;
use super::view::Link;
use base::diagnostic::Diagnostic;
use base::index::IndexVec;
use base::names::{self, Namesake};
use site::content::{DocumentId, FamilyId, Place, PlatformIx, Site, StepIx};

/// The attribute of the current step in its list.
const CURRENT: &str = " aria-current=\"page\"";

/// Markers around the number of a step in a rendered list. These are noncharacters, which Unicode reserves for
/// internal use, so no template escapes them.
const OPEN: char = '\u{FDD0}';
const CLOSE: char = '\u{FDD1}';

/// Maximum number of steps in one list. Pages of longer platforms show a part.
const MOST_IN_A_LIST: usize = 99;

/// Number of adjacent steps whose pages share a part of a long list, and number of additional steps before and after
/// them.
const RUN: usize = 20;
const AROUND: usize = 20;

/// A list, once it has been rendered.
type Slot = OnceLock<Result<StepList, Diagnostic>>;

/// The lists of all platforms, each rendered for the first of its pages.
#[derive(Debug)]
pub(super) struct StepLists {
    lists: IndexVec<FamilyId, IndexVec<PlatformIx, PlatformLists>>,
}

/// The lists of a platform.
#[derive(Debug)]
struct PlatformLists {
    outline: OnceLock<Outline>,
    /// One list, or one for each run of steps.
    parts: Vec<Slot>,
}

/// The properties that all of a platform's steps share.
#[derive(Debug)]
struct Outline {
    /// The section path of each step.
    sections: IndexVec<StepIx, String>,
    /// Whether the author numbers any of them.
    is_numbered: bool,
    /// Text before the title of a step that distinguishes it from others with the same title, or empty.
    within: IndexVec<StepIx, String>,
}

/// A list.
#[derive(Debug)]
struct StepList {
    html: String,
    /// In the order of the text.
    marks: Vec<Mark>,
}

/// The position in a list at which a step is marked.
#[derive(Debug)]
struct Mark {
    at: usize,
    step: StepIx,
}

/// A step in `steps.html`.
#[derive(Debug, Serialize)]
struct Item {
    title: String,
    url: String,
    /// The title without its number, and the number. See `title.rs`.
    bare_title: String,
    number: String,
    /// Text before the title that distinguishes the step from others with the same title, or empty.
    within: String,
    minutes: u32,
    /// The name on every platform.
    name: String,
    /// Its position among all steps of the platform, counted from 1.
    place: usize,
    aria_current: String,
    /// Title of the section that begins here. Otherwise, empty.
    section: String,
}

/// `steps.html`
#[derive(Debug, Serialize)]
struct StepsView {
    family: Link,
    platform: PlatformView,
    steps: Vec<Item>,
    /// Whether the platform has steps before and after these.
    more_before: bool,
    more_after: bool,
}

impl Item {
    /// Returns the placeholder for a mark in a list.
    fn mark(step: StepIx) -> String {
        format!("{OPEN}{}{CLOSE}", usize::from(step))
    }
}

/// Returns the index of the list for the page of a step, on a platform with `count` steps.
fn part_of(step: StepIx, count: usize) -> usize {
    if count > MOST_IN_A_LIST { usize::from(step) / RUN } else { 0 }
}

/// Returns the steps in a list, on a platform with `count` steps.
fn steps_of(part: usize, count: usize) -> Range<usize> {
    if count <= MOST_IN_A_LIST {
        return 0..count;
    }
    (part * RUN).saturating_sub(AROUND)..((part + 1) * RUN + AROUND).min(count)
}

impl StepLists {
    pub(super) fn of(site: &Site) -> Self {
        let lists = |count: usize| PlatformLists {
            outline: OnceLock::new(),
            parts: (0..=part_of(count.saturating_sub(1).into(), count)).map(|_| OnceLock::new()).collect(),
        };
        let platforms = |family: &site::content::Family| {
            family.platforms.iter().map(|platform| lists(platform.steps.len())).collect()
        };
        Self { lists: site.families.iter().map(platforms).collect() }
    }

    /// Returns the list for the page of a step.
    pub(super) fn marked(&self, renderer: &Renderer<'_>, place: Place) -> Result<String, Diagnostic> {
        let platform = &self.lists[place.family][place.platform];
        let count = renderer.site.platform_of(place).steps.len();
        let part = part_of(place.step, count);
        let read = || {
            let outline = platform.outline.get_or_init(|| renderer.outline(place));
            let view = renderer.steps_view(place, steps_of(part, count), outline);
            renderer.fill("steps.html", &view).map(|html| StepList::read(&html))
        };
        // Relative links differ between pages.
        if renderer.is_by_page() {
            return read().map(|list| list.marked(place.step));
        }
        let list = platform.parts[part].get_or_init(read);
        list.as_ref().map(|list| list.marked(place.step)).map_err(Clone::clone)
    }
}

impl StepList {
    fn read(rendered: &str) -> Self {
        let mut html = String::with_capacity(rendered.len());
        let mut marks = Vec::new();
        let mut parts = rendered.split(OPEN);
        html.push_str(parts.next().unwrap_or_default());
        for part in parts {
            let step =
                part.split_once(CLOSE).and_then(|(step, rest)| Some((step.parse::<usize>().ok()?, rest)));
            if let Some((step, rest)) = step {
                marks.push(Mark { at: html.len(), step: step.into() });
                html.push_str(rest);
            } else {
                // This is part of the author's text, and stays.
                html.push(OPEN);
                html.push_str(part);
            }
        }
        Self { html, marks }
    }

    fn marked(&self, step: StepIx) -> String {
        let mut marked = String::with_capacity(self.html.len() + CURRENT.len());
        let mut start = 0;
        for mark in self.marks.iter().filter(|mark| mark.step == step) {
            marked.push_str(&self.html[start..mark.at]);
            marked.push_str(CURRENT);
            start = mark.at;
        }
        marked.push_str(&self.html[start..]);
        marked
    }
}

impl Renderer<'_> {
    fn outline(&self, place: Place) -> Outline {
        let platform = self.site.platform_of(place);
        let is_numbered = |&id: &DocumentId| !self.numbered(&self.link(id).title).number.is_empty();
        let steps: Vec<DocumentId> = platform.steps.iter().copied().collect();
        let bare: Vec<String> =
            steps.iter().map(|&id| self.numbered(&self.link(id).title).bare.to_string()).collect();
        Outline {
            within: self.in_front(&steps, &bare).into(),
            sections: platform.sections().iter().map(ToString::to_string).collect(),
            is_numbered: platform.steps.iter().any(is_numbered),
        }
    }

    /// Returns the view of some steps of a platform.
    fn steps_view(&self, place: Place, shown: Range<usize>, outline: &Outline) -> StepsView {
        let family = self.site.family_of(place);
        let all = &self.site.platform_of(place).steps;
        let mut last = "";
        let items = shown.clone().map(StepIx::from).map(|step| {
            let place = Place { step, ..place };
            let section = outline.sections[step].as_str();
            let is_new = std::mem::replace(&mut last, section) != section;
            let section = if is_new { self.section_title(place, section) } else { String::new() };
            let Link { title, url } = self.link(all[step]);
            let numbered = self.numbered(&title);
            let number = if outline.is_numbered {
                numbered.number.to_string()
            } else {
                (usize::from(step) + 1).to_string()
            };
            Item {
                bare_title: numbered.bare.to_string(),
                number,
                within: outline.within[step].clone(),
                minutes: self.minutes(&[all[step]]),
                name: self.families.step_name(place).to_string(),
                place: usize::from(step) + 1,
                aria_current: Item::mark(step),
                title,
                url,
                section,
            }
        });
        StepsView {
            family: Link { title: family.title.clone(), url: self.url(&family.address) },
            platform: self.platform_view(place),
            steps: items.collect(),
            more_before: shown.start > 0,
            more_after: shown.end < all.len(),
        }
    }

    /// Returns the title of a platform's section: that of its page, or else of its folder. Steps outside sections
    /// have the platform's name.
    pub(super) fn section_title(&self, place: Place, section: &str) -> String {
        self.site.section_title(place, section).unwrap_or_else(|| self.site.platform_of(place).name.clone())
    }

    /// Returns unique names for steps in one list: for equal titles, preceded by their section.
    pub(super) fn unique_names(&self, steps: &[DocumentId], mut titles: Vec<String>) -> Vec<String> {
        let namesake = |at: usize| Namesake {
            of: at,
            title: titles[at].clone(),
            above: self.section_of(steps[at]).into_iter().collect(),
            path: self.site.document(steps[at]).address.to_string(),
        };
        let listed: Vec<&str> = titles.iter().map(String::as_str).collect();
        let names = names::distinct_names(&listed, namesake);
        for (at, name) in names {
            titles[at] = name;
        }
        titles
    }

    /// Returns texts to precede the titles of steps in one list, so that the steps can be distinguished. Most are
    /// empty.
    pub(super) fn in_front(&self, steps: &[DocumentId], titles: &[String]) -> Vec<String> {
        let before = |(name, title): (String, &String)| {
            if name == *title {
                return String::new();
            }
            name.strip_suffix(title.as_str()).map_or_else(|| format!("{name} "), str::to_string)
        };
        self.unique_names(steps, titles.to_vec()).into_iter().zip(titles).map(before).collect()
    }

    /// Returns the titles of steps.
    pub(super) fn titles(&self, steps: &[DocumentId]) -> Vec<String> {
        steps.iter().map(|&id| self.link(id).title).collect()
    }

    /// Returns the title of a step's section, if it is in one.
    fn section_of(&self, step: DocumentId) -> Option<String> {
        let place = self.site.place(step)?;
        let section = self.site.platform_of(place).keys[place.step].section();
        (!section.is_empty()).then(|| self.section_title(place, section))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rendered: &str, step: usize, expected: &str) {
        assert_eq!(StepList::read(rendered).marked(step.into()), expected);
    }

    #[test]
    fn only_the_step_of_the_page_is_marked() {
        let rendered = "<a\u{FDD0}0\u{FDD1}>x</a><a\u{FDD0}1\u{FDD1}>y</a><b\u{FDD0}0\u{FDD1}>";
        check(rendered, 0, "<a aria-current=\"page\">x</a><a>y</a><b aria-current=\"page\">");
        check(rendered, 1, "<a>x</a><a aria-current=\"page\">y</a><b>");
        check(rendered, 2, "<a>x</a><a>y</a><b>");
    }

    #[test]
    fn a_long_list_is_shown_in_parts_around_their_steps() {
        assert_eq!(steps_of(part_of(98.into(), 99), 99), 0..99);
        assert_eq!(steps_of(part_of(0.into(), 100), 100), 0..40);
        assert_eq!(steps_of(part_of(99.into(), 100), 100), 60..100);
        for (step, count) in (100..400).flat_map(|count| (0..count).map(move |step| (step, count))) {
            let shown = steps_of(part_of(step.into(), count), count);
            let (before, after) = (step - shown.start, shown.end - 1 - step);
            assert!(before >= AROUND || shown.start == 0, "{step} of {count}: {shown:?}");
            assert!(after >= AROUND || shown.end == count, "{step} of {count}: {shown:?}");
            assert!(shown.len() <= RUN + 2 * AROUND, "{step} of {count}: {shown:?}");
        }
    }

    #[test]
    fn signs_that_are_not_marks_stay() {
        check("a\u{FDD0}b\u{FDD1}c\u{FDD0}", 0, "a\u{FDD0}b\u{FDD1}c\u{FDD0}");
        check("", 0, "");
    }
}
