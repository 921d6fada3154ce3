//! Compares two versions of a step.
//!
//! In: two [`Outline`]s. Out: [`Comparison`]. Swapping the outlines only swaps its sides, and it doesn't depend on a
//! third platform, so a new version never changes the differences between the others.

pub(super) mod sections;
mod settings;
mod texts;

use super::outline::{BlockIx, Cell, NoteIx, Outline, SectionIx, SettingIx, TableColumn, TableIx};

/// Matching and unmatched items.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Sections of a differing pair have different titles.
    pub sections: Pairing<SectionIx>,
    pub tables: Vec<(TableIx, TableIx)>,
    /// Pairs never differ, but their cells do.
    pub settings: Pairing<SettingIx>,
    pub columns: Pairing<TableColumn>,
    pub cells: Pairing<Cell>,
    /// Notes of a differing pair have different kinds.
    pub notes: Pairing<NoteIx>,
    /// Compared by the number of images in sections.
    pub images: Pairing<SectionIx>,
    /// Compared by whether sections contain code.
    pub code: Pairing<SectionIx>,
    pub blocks: Pairing<BlockIx>,
}

/// Matching items of two versions, and items that one of them lacks.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairing<I> {
    pub same: Vec<(I, I)>,
    pub differing: Vec<(I, I)>,
    /// Items that only the first or only the second version contains.
    pub only: [Vec<I>; 2],
}

impl<I> Default for Pairing<I> {
    fn default() -> Self {
        Self { same: Vec::new(), differing: Vec::new(), only: [Vec::new(), Vec::new()] }
    }
}

/// Compares two versions of a step.
pub fn compare(a: &Outline<'_>, b: &Outline<'_>) -> Comparison {
    let sections = sections::of_outlines(a, b);
    let tables = settings::tables(a, b, &sections);
    let notes = texts::notes(a, b, &sections);
    let (settings, columns, cells) = settings::of_tables(a, b, &tables);
    Comparison {
        images: sections::images(a, b, &sections),
        code: sections::code(a, b, &sections),
        blocks: texts::blocks(a, b, &sections, &notes),
        sections: sections::titles_of_pairs(a, b, &sections),
        tables,
        settings,
        columns,
        cells,
        notes,
    }
}

/// The part of a [`Comparison`] that readers see side by side. It is fast because texts aren't compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SideBySide {
    pub sections: Pairing<SectionIx>,
    pub tables: Vec<(TableIx, TableIx)>,
    pub settings: Pairing<SettingIx>,
    pub columns: Pairing<TableColumn>,
    pub cells: Pairing<Cell>,
}

/// Compares headings and settings as [`compare`] does.
pub fn side_by_side(a: &Outline<'_>, b: &Outline<'_>) -> SideBySide {
    let sections = sections::of_outlines(a, b);
    let tables = settings::tables(a, b, &sections);
    let (settings, columns, cells) = settings::of_tables(a, b, &tables);
    SideBySide { sections: sections::titles_of_pairs(a, b, &sections), tables, settings, columns, cells }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::words::{Equivalences, Language};
    use markup::edition::Edition;
    use markup::markdown::Page;

    fn parse(text: &str) -> Page {
        markup::markdown::parse(text, 0, &Edition::default(), &input::dialect::Dialect::default()).page
    }

    fn outline<'a>(page: &'a Page, names: &'a Equivalences) -> Outline<'a> {
        Outline::new(page, ("Title", 0..0), names, |_| None)
    }

    fn names(own: &str) -> Equivalences {
        Equivalences::new(Language::English, [own], &[], &[])
    }

    /// `expected` lists pairs of headings as `web = ios`, and unmatched ones as `web = -`.
    #[track_caller]
    fn check_sections(web: &str, ios: &str, expected: &[&str]) {
        let (web, ios) = (parse(web), parse(ios));
        let (web_names, ios_names) = (names("web"), names("iOS"));
        let (web, ios) = (outline(&web, &web_names), outline(&ios, &ios_names));
        let Pairing { same, differing, only } = compare(&web, &ios).sections;
        let title =
            |outline: &Outline<'_>, section: SectionIx| outline.sections[section].title.shown.to_string();
        let mut found: Vec<String> = same
            .iter()
            .chain(&differing)
            .filter(|pair| pair.0 != SectionIx::TOP)
            .map(|pair| format!("{} = {}", title(&web, pair.0), title(&ios, pair.1)))
            .collect();
        found.extend(only[0].iter().map(|&section| format!("{} = -", title(&web, section))));
        found.extend(only[1].iter().map(|&section| format!("- = {}", title(&ios, section))));
        found.sort();
        assert_eq!(found, expected);
        // The same with the versions swapped.
        let back = compare(&ios, &web).sections;
        let turn = |pairs: &[(SectionIx, SectionIx)]| -> Vec<(SectionIx, SectionIx)> {
            let mut pairs: Vec<_> = pairs.iter().map(|&(a, b)| (b, a)).collect();
            pairs.sort_unstable();
            pairs
        };
        assert_eq!((turn(&back.same), turn(&back.differing)), (same, differing));
    }

    #[test]
    fn sections_are_known_by_their_titles_without_numbers() {
        check_sections(
            "## 4.1 Create it\n## 4.2 About the Web SDK\n",
            "## 3.1 About the iOS SDK\n## 3.2 Create it\n",
            &["About the Web SDK = About the iOS SDK", "Create it = Create it"],
        );
    }

    #[test]
    fn remaining_sections_are_matched_by_title_and_text_in_order() {
        let text = "The SDK reports each view with its name, so that you see where customers go.";
        check_sections(
            &format!(
                "## 6.1 Events in the shop\nOther words stand here.\n## 6.2 Track page views\n{text}\n## 6.3 Track custom events\n"
            ),
            &format!("## 6.1 Track screen views\n{text}\n## 6.2 Track custom events\n"),
            &[
                "Events in the shop = -",
                "Track custom events = Track custom events",
                "Track page views = Track screen views",
            ],
        );
        check_sections(
            "## Clear the cache\nPress it.\n",
            "## Open the simulator\nIn Xcode.\n",
            &["- = Open the simulator", "Clear the cache = -"],
        );
    }

    #[test]
    fn settings_are_known_by_name_whatever_their_order() {
        let table = |rows: &str| format!("## Set it up\n\n| Setting | Value |\n| --- | --- |\n{rows}");
        let web = parse(&table("| Status | On |\n| **Batch** | Off |\n| Views | On |\n"));
        let ios = parse(&table("| Batch | Off |\n| Status | Off |\n"));
        let found = compare(&outline(&web, &names("web")), &outline(&ios, &names("iOS")));
        let setting = SettingIx::from;
        assert_eq!(found.settings.same, [(setting(0), setting(1)), (setting(1), setting(0))]);
        assert_eq!(found.settings.only, [vec![setting(2)], vec![]]);
        let cell = |at: usize| Cell { setting: at.into(), column: 1.into() };
        assert_eq!(found.cells.differing, [(cell(0), cell(1))]);
    }

    #[test]
    fn a_paragraph_cut_in_two_says_the_same_and_so_does_one_that_moved() {
        let web = parse("## A\n\nOpen the log. Wait a minute.\n\nThis text is told in A.\n\n## B\n");
        let ios = parse("## A\n\nOpen the log.\n\nWait a minute.\n\n## B\n\nThis text is told in A.\n");
        let found = compare(&outline(&web, &names("web")), &outline(&ios, &names("iOS"))).blocks;
        assert_eq!((found.differing, found.only), (Vec::new(), [Vec::new(), Vec::new()]));
    }
}
