//! Finds which steps of a family are the same step on other platforms.
//!
//! In: [`Site`]. Out: [`Families`]: for every family a table of steps by platforms. A step is known
//! by what its author says (`step:`), then by its slug with an agreeing title or order, then by its
//! title alone, then by its slug alone.

use crate::content::{Document, DocumentId, Family, Place, Site, bare_title};

/// The steps of all families, side by side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Families {
    /// By family, as in [`Site::families`].
    tables: Vec<Vec<Row>>,
}

/// One step on all platforms.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// By platform, as in [`Family::platforms`]; `None` where the platform lacks the step.
    pub steps: Vec<Option<DocumentId>>,
}

impl Row {
    /// The step as the first platform that has it tells it.
    pub fn first(&self) -> DocumentId {
        self.steps.iter().flatten().copied().next().expect("a row is made for a step")
    }
}

/// Puts the steps of every family side by side.
pub fn align(site: &Site) -> Families {
    Families { tables: site.families.iter().map(|family| rows(site, family)).collect() }
}

impl Families {
    /// The steps of a family in reading order.
    pub fn rows(&self, family: usize) -> &[Row] {
        &self.tables[family]
    }

    /// The same step on every platform of the family, its own included.
    pub fn siblings(&self, id: DocumentId, place: Place) -> &Row {
        let row = self.tables[place.family].iter().find(|row| row.steps[place.platform] == Some(id));
        row.expect("every step has a row")
    }
}

fn rows(site: &Site, family: &Family) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for (platform, telling) in family.platforms.iter().enumerate() {
        let matched = matches(site, &rows, &telling.steps);
        let mut after = 0;
        for (&step, matched) in telling.steps.iter().zip(matched) {
            match matched {
                Some(row) => {
                    let row = rows.iter().position(|known| known.first() == row).expect("matches are rows");
                    rows[row].steps[platform] = Some(step);
                    after = row + 1;
                }
                None => {
                    let mut steps = vec![None; family.platforms.len()];
                    steps[platform] = Some(step);
                    rows.insert(after, Row { steps });
                    after += 1;
                }
            }
        }
    }
    rows
}

/// For each step the row it belongs to, named by the row's first step; surest signs first, so that
/// a weak sign never takes a row from a strong one.
fn matches(site: &Site, rows: &[Row], steps: &[DocumentId]) -> Vec<Option<DocumentId>> {
    let signs: [fn(&Document, &Document) -> bool; 4] = [said, slug_and_more, title, slug];
    let mut matched = vec![None; steps.len()];
    let mut taken = vec![false; rows.len()];
    for agrees in signs {
        for (at, &step) in
            steps.iter().enumerate().filter(|(at, _)| matched[*at].is_none()).collect::<Vec<_>>()
        {
            let is_same = |row: &Row| agrees(site.document(row.first()), site.document(step));
            let found = rows.iter().enumerate().find(|(row, known)| !taken[*row] && is_same(known));
            if let Some((row, known)) = found {
                taken[row] = true;
                matched[at] = Some(known.first());
            }
        }
    }
    matched
}

fn said(a: &Document, b: &Document) -> bool {
    a.front.step.is_some() && a.front.step == b.front.step
}

fn slug_and_more(a: &Document, b: &Document) -> bool {
    slug(a, b) && (title(a, b) || a.front.order == b.front.order)
}

fn title(a: &Document, b: &Document) -> bool {
    may_be_same(a, b) && bare_title(&a.title) == bare_title(&b.title)
}

fn slug(a: &Document, b: &Document) -> bool {
    may_be_same(a, b) && a.address.last_segment() == b.address.last_segment()
}

/// Authors who name both steps, and differently, mean two.
fn may_be_same(a: &Document, b: &Document) -> bool {
    a.front.step.is_none() || b.front.step.is_none() || a.front.step == b.front.step
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Selection;
    use crate::source::{SitePath, Sources, Text};

    /// `steps`: `platform slug order title` a line. Out: a row a line, `-` for a missing step.
    #[track_caller]
    fn check(steps: &str, expected: &[&str]) {
        let mut sources = Sources::default();
        for line in steps.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let mut words = line.splitn(4, ' ');
            let mut word = || words.next().expect("four words");
            let (platform, slug, order, title) = (word(), word(), word(), word());
            let path: SitePath = format!("content/tour/{platform}/{slug}.md").as_str().into();
            let text = format!("---\ntitle: {title}\norder: {order}\n---\n");
            sources.pages.insert(path.clone(), Text::new(path, text.into_bytes()));
        }
        let (site, _) =
            crate::content::load(&sources, crate::config::Config::default(), Selection::default())
                .expect("no roots to miss");
        let name = |id: &Option<DocumentId>| {
            id.map_or("-", |id| site.document(id).address.last_segment().unwrap_or("/")).to_string()
        };
        let rows: Vec<String> = align(&site).tables[0]
            .iter()
            .map(|row| row.steps.iter().map(name).collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(rows, expected);
    }

    #[test]
    fn the_same_slug_is_the_same_step_even_at_another_place() {
        check("web a 1 A\n web b 2 B\n ios b 1 B\n ios a 2 A", &["a a", "b b"]);
    }

    #[test]
    fn a_step_that_was_renamed_is_known_by_its_title() {
        check(
            "web a 1 Step 1. Set up\n web b 2 B\n ios setup 1 Step 2. Set up\n ios b 2 B",
            &["a setup", "b b"],
        );
    }

    #[test]
    fn a_step_that_one_platform_lacks_keeps_its_place() {
        check(
            "web a 1 A\n web c 3 C\n ios a 1 A\n ios b 2 B\n ios c 3 C\n android c 1 C",
            &["a a -", "- b -", "c c c"],
        );
    }
}
