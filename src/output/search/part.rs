//! Groups the pages that are searched together.

use super::record::{PageEntry, PageRecord};
use super::{FOLDER, FOLDER_OF_FAMILY, MadeWith};
use base::address::Address;
use base::hash::{HashSet, Summands};
use base::sorted::SortedMap;
use base::store::Key;
use site::content::{Family, FamilyId, PlatformIx};
use site::pages::Pages;
use site::plan::Origin;
use site::work::Work;

/// Maximum number of a platform's pages in one part. Most tutorials aren't longer.
const MOST_OF_PLATFORM: usize = 16;

/// Maximum number of pages outside families in one part.
const MOST_OF_OTHERS: usize = 12;

/// One page in this many begins another part, chosen by hash, so that a new page changes only its own part.
const ONE_BEGINS: u8 = 8;

/// Pages that are searched together.
#[derive(Debug)]
pub(super) struct SearchPart<'w> {
    /// Address of its file.
    pub(super) address: Address,
    pub(super) family: Option<FamilyId>,
    pub(super) platform: Option<PlatformIx>,
    /// Names of the family and platform, which are words of each page.
    pub(super) about: Vec<String>,
    pub(super) records: Vec<PageRecord<'w>>,
    /// Hash of everything that affects its content.
    pub(super) key: Key,
}

impl<'w> SearchPart<'w> {
    fn new(
        families: &[Family],
        address: Address,
        (family, platform): (Option<FamilyId>, Option<PlatformIx>),
        records: Vec<PageRecord<'w>>,
    ) -> Self {
        let its = family.map(|family| &families[usize::from(family)]);
        let platform_name = its.zip(platform).map(|(its, platform)| its.platforms[platform].name.clone());
        let about: Vec<String> = its.map(|its| its.name.clone()).into_iter().chain(platform_name).collect();
        let mut parts = Summands::default();
        for name in &about {
            parts.add(name);
        }
        for record in &records {
            record.add_to(&mut parts);
        }
        let key = *blake3::hash(&parts.sum().to_le_bytes()).as_bytes();
        Self { address, family, platform, about, records, key }
    }

    pub(super) fn pages(&self, pages: &Pages) -> Vec<PageEntry<'_>> {
        self.records.iter().map(|record| record.page(pages)).collect()
    }

    pub(super) fn made_with(&self) -> MadeWith {
        let first = self.records.iter().find_map(|record| record.document);
        match self.family {
            Some(family) => MadeWith::Family(family),
            None => first.map_or(MadeWith::Site, MadeWith::Page),
        }
    }
}

/// Returns all parts of a site. Those of pages outside families come first, sorted by address.
pub(super) fn all(work: &Work) -> Vec<SearchPart<'_>> {
    let site = &work.project.site;
    let mut others = Vec::new();
    let mut members: SortedMap<(FamilyId, Option<PlatformIx>), Vec<PageRecord<'_>>> = SortedMap::new();
    for (address, artifact) in work.project.plan.artifacts() {
        let facts = artifact.facts();
        if !facts.is_searched || work.project.plan.is_untranslated(address) {
            continue;
        }
        let place = facts.text.and_then(|id| site.place(id));
        let (family, title) = match facts.origin {
            Origin::Family(family) => (Some(family), Some(site.families[family].title.clone())),
            Origin::Folder(ix) => (None, Some(work.project.plan.tree().node(ix).title.clone())),
            Origin::Document(_) => (place.map(|place| place.family), None),
            _ => (None, Some(work.project.site_title())),
        };
        let record = PageRecord::new(work, address, facts.text, title);
        match family {
            Some(family) => members.entry((family, place.map(|it| it.platform))).or_default().push(record),
            None => others.push(record),
        }
    }
    let folders = folders(&site.families);
    let mut parts: Vec<SearchPart<'_>> = apart(others)
        .into_iter()
        .map(|records| SearchPart::new(&site.families, address(&records), (None, None), records))
        .collect();
    for ((family, platform), records) in members {
        let folder = match platform {
            Some(platform) => {
                format!("{}{}/", folders[usize::from(family)], site.families[family].platforms[platform].id)
            }
            None => folders[usize::from(family)].clone(),
        };
        let mut records = records.into_iter().peekable();
        let chunks = std::iter::from_fn(|| {
            records.peek().is_some().then(|| records.by_ref().take(MOST_OF_PLATFORM).collect())
        });
        let chunks = chunks.zip(1..).map(|(records, number): (_, usize)| {
            SearchPart::new(
                &site.families,
                Address::new(&format!("{folder}{number}.json")),
                (Some(family), platform),
                records,
            )
        });
        parts.extend(chunks);
    }
    parts
}

/// Splits the pages outside families into parts.
fn apart(records: Vec<PageRecord<'_>>) -> Vec<Vec<PageRecord<'_>>> {
    let mut parts: Vec<Vec<PageRecord<'_>>> = Vec::new();
    for record in records {
        let begins =
            blake3::hash(record.address.as_str().as_bytes()).as_bytes()[0].is_multiple_of(ONE_BEGINS);
        match parts.last_mut() {
            Some(part) if !begins && part.len() < MOST_OF_OTHERS => part.push(record),
            _ => parts.push(vec![record]),
        }
    }
    parts
}

/// Returns the address of a part with pages outside families, by the first of them.
fn address(records: &[PageRecord<'_>]) -> Address {
    let first = records.first().map_or("", |record| record.address.as_str());
    Address::new(&format!("{FOLDER}{}.json", &blake3::hash(first.as_bytes()).to_hex()[..10]))
}

/// Returns unique addresses for the folders of families.
fn folders(families: &[Family]) -> Vec<String> {
    let mut taken = HashSet::default();
    let mut unique = |base: String| {
        let numbered = (2..).map(|number| format!("{base}-{number}"));
        let mut free = [base.clone()].into_iter().chain(numbered).filter(|name| taken.insert(name.clone()));
        free.next().expect("there is always another number")
    };
    let of_family = |family: &Family| unique(format!("{}{FOLDER_OF_FAMILY}", family.address)) + "/";
    families.iter().map(of_family).collect()
}
