//! What a site holds, in a line for its author.

use std::collections::BTreeSet;
use std::fmt;

use super::{Family, NoFamily, Site, StepKey};

/// The families of a site, or why there are none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FamilySummary {
    /// All of the site.
    pub pages: usize,
    pub families: Vec<FamilyLine>,
    /// `None` where there are families or no pages, and where the configuration says that there are no tutorials.
    pub none_because: Option<NoFamily>,
}

/// A family in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FamilyLine {
    pub title: String,
    /// Their names.
    pub platforms: Vec<String>,
    /// Steps with different names.
    pub steps: usize,
}

/// What there is to say of the families of a site.
pub fn summary(site: &Site) -> FamilySummary {
    let line = |family: &Family| {
        let keys: BTreeSet<&StepKey> = family.platforms.iter().flat_map(|platform| &platform.keys).collect();
        FamilyLine {
            title: family.name.clone(),
            platforms: family.platforms.iter().map(|platform| platform.name.clone()).collect(),
            steps: keys.len(),
        }
    };
    FamilySummary {
        pages: site.documents.len(),
        families: site.families.iter().map(line).collect(),
        none_because: site.none_because.clone(),
    }
}

/// "203 pages, 1 family: Documentation for iOS, Android, Web (44 steps)"; each of several families has a line.
impl fmt::Display for FamilySummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |number: usize, one: &str, several: &str| match number {
            1 => format!("1 {one}"),
            number => format!("{number} {several}"),
        };
        write!(f, "{}, ", count(self.pages, "page", "pages"))?;
        let of = |line: &FamilyLine| {
            let steps = count(line.steps, "step", "steps");
            format!("{} for {} ({steps})", line.title, line.platforms.join(", "))
        };
        match (&self.families[..], &self.none_because) {
            ([], None) => write!(f, "no family"),
            ([], Some(reason)) => write!(f, "no family: {reason}"),
            ([family], _) => write!(f, "1 family: {}", of(family)),
            (families, _) => {
                write!(f, "{} families:", families.len())?;
                families.iter().try_for_each(|family| write!(f, "\n  {}", of(family)))
            }
        }
    }
}

impl fmt::Display for NoFamily {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DECLARE: &str = "say where the platforms are in stepkin.toml: [[family]] layout = \"docs/{platform}/{section}/{step}\"";
        match self {
            Self::Misnamed { folder, meant } => {
                write!(f, "`{folder}` is named after no platform; did you mean `{meant}`?")
            }
            Self::NothingInCommon { one, other } => {
                write!(f, "the pages below `{one}` and `{other}` have no names in common")
            }
            Self::OnePlatform { place, name } => {
                write!(f, "`{place}` for {name} has no other platform beside it; {DECLARE}")
            }
            Self::NoPlatforms => write!(f, "no folder or page is named after a platform; {DECLARE}"),
        }
    }
}
