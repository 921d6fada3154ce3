//! A summary of a site for its author.

use std::fmt;

use super::{Family, NoFamily, Site, StepKey};
use base::sorted::SortedSet;

/// The families of a site, or why there are none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FamilySummary {
    /// All pages of the site.
    pub pages: usize,
    pub families: Vec<FamilyLine>,
    /// `None` if there are families or no pages, or if the configuration excludes tutorials.
    pub none_because: Option<NoFamily>,
}

/// The summary of a family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FamilyLine {
    pub title: String,
    /// Names for readers.
    pub platforms: Vec<String>,
    /// Number of distinct steps.
    pub steps: usize,
    /// Not for similar pages next to each other in the repository of another generator.
    pub is_tutorial: bool,
}

/// Summarizes the families of a site.
pub fn summary(site: &Site) -> FamilySummary {
    let is_ours = site.repository.is_ours();
    let line = |family: &Family| {
        let keys: SortedSet<&StepKey> = family.platforms.iter().flat_map(|platform| &platform.keys).collect();
        FamilyLine {
            title: family.name.clone(),
            platforms: family.platforms.iter().map(|platform| platform.name.clone()).collect(),
            steps: keys.len(),
            is_tutorial: keys.len() > 1 || is_ours || family.is_within_pages,
        }
    };
    let within = site.versions.iter().flat_map(|versions| versions.families.iter().map(line));
    FamilySummary {
        pages: site.documents.len(),
        families: site.families.iter().map(line).chain(within).collect(),
        none_because: site.none_because.clone().filter(|_| site.versions.is_none()),
    }
}

/// Maximum number of families to list.
const MOST_LINES: usize = 20;

/// The same before findings, so that these stay on screen.
const MOST_LINES_BEFORE: usize = 5;

/// For example "203 pages, 1 family: Documentation for iOS, Android, Web (44 steps)". With several families, each has
/// its own line.
impl fmt::Display for FamilySummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let none = self.none_because.as_ref().map_or(", no family".to_string(), no_family);
        f.write_str(&self.lines(&self.families.iter().collect::<Vec<_>>(), MOST_LINES, none))
    }
}

impl FamilySummary {
    /// Returns the summary before the findings about a site, which may be documentation without families.
    pub fn before_findings(&self) -> String {
        let mistake = self.none_because.as_ref().filter(|reason| reason.is_mistake());
        let tutorials: Vec<&FamilyLine> = self.families.iter().filter(|family| family.is_tutorial).collect();
        self.lines(&tutorials, MOST_LINES_BEFORE, mistake.map(no_family).unwrap_or_default())
    }

    /// Returns the summary with some of the families. It ends with `none` if there is no family.
    fn lines(&self, families: &[&FamilyLine], most: usize, none: String) -> String {
        let count = |number: usize, one: &str, several: &str| match number {
            1 => format!("1 {one}"),
            number => format!("{number} {several}"),
        };
        let of = |line: &FamilyLine| {
            let steps = count(line.steps, "step", "steps");
            format!("{} for {} ({steps})", line.title, line.platforms.join(", "))
        };
        let families = match families {
            [] => none,
            [family] => format!(", 1 family: {}", of(family)),
            families => {
                let more = families.len().saturating_sub(most);
                // A line that says "1 more" is as long as that of the family.
                let (listed, more) = if more > 1 { (most, more) } else { (families.len(), 0) };
                let lines = families[..listed].iter().map(|family| format!("\n  {}", of(family)));
                let more = if more > 0 { format!("\n  and {more} more") } else { String::new() };
                format!(", {} families:{}{more}", families.len(), lines.collect::<String>())
            }
        };
        format!("{}{families}", count(self.pages, "page", "pages"))
    }
}

fn no_family(reason: &NoFamily) -> String {
    format!(", no family: {reason}")
}

impl fmt::Display for NoFamily {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DECLARE: &str =
            "declare the platforms in stepkin.toml: [[family]] layout = \"docs/{platform}/{section}/{step}\"";
        match self {
            Self::Misnamed { folder, meant } => {
                write!(f, "`{folder}` isn't named after a platform; did you mean `{meant}`?")
            }
            Self::NothingInCommon { one, other } => {
                write!(f, "the pages in `{one}` and `{other}` have no names in common")
            }
            Self::Unlike { one, other } => {
                write!(f, "`{one}` and `{other}` are named after platforms, but their pages differ too much")
            }
            Self::OnePlatform { place, name } => {
                write!(f, "there is no other platform next to `{place}` for {name}; {DECLARE}")
            }
            Self::NoPlatforms => write!(f, "no folder or page is named after a platform; {DECLARE}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(families: usize, lines: usize, last: &str) {
        let family = |number| FamilyLine {
            title: format!("Tour {number}"),
            platforms: vec!["Web".into(), "iOS".into()],
            steps: 3,
            is_tutorial: true,
        };
        let families = (1..=families).map(family).collect();
        let summary = FamilySummary { pages: 600, families, none_because: None };
        let said = summary.to_string();
        assert_eq!((said.lines().count(), said.lines().last()), (lines, Some(last)));
        assert!(summary.before_findings().lines().count() <= 7);
    }

    #[test]
    fn the_first_of_many_families_are_listed() {
        check(1, 1, "600 pages, 1 family: Tour 1 for Web, iOS (3 steps)");
        check(20, 21, "  Tour 20 for Web, iOS (3 steps)");
        check(21, 22, "  Tour 21 for Web, iOS (3 steps)");
        check(22, 22, "  and 2 more");
    }
}
