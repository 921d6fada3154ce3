//! Writes the platforms, steps and sections of a family, and how they match.

use std::borrow::Cow;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::{Lazily, VERSION, schema};
use crate::output::render::Rendering;
use base::index::IndexVec;
use markup::markdown::{Heading, HeadingIx, repair};
use site::content::{DocumentId, Family, FamilyId, Place, Platform};
use site::family::RowIx;
use site::plan::Data;
use site::project::{Project, place_on};

/// `family.json`
pub(super) struct Steps<'a> {
    pub(super) work: &'a Rendering,
    pub(super) family: FamilyId,
}

impl Serialize for Steps<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let family = &self.work.project.site.families[self.family];
        let rows = self.work.project.families.rows(self.family);
        let names = self.work.project.families.step_names(self.family);
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("$schema", &schema(&self.work.project, Data::Family.schema()))?;
        object.serialize_entry("version", &VERSION)?;
        object.serialize_entry("family", &family.id)?;
        object.serialize_entry("title", &family.title)?;
        object.serialize_entry("address", &self.work.project.place_of(&family.address))?;
        object.serialize_entry("platforms", &platforms(self.work, self.family))?;
        let steps = || rows.indices().zip(names).map(|(row, name)| step(self.work, self.family, row, name));
        object.serialize_entry("steps", &Lazily(steps))?;
        object.end()
    }
}

#[derive(Debug, Serialize)]
struct PlatformData<'a> {
    platform: &'a str,
    name: &'a str,
    /// Names of its steps in its reading order.
    steps: Vec<&'a str>,
}

/// A step on all platforms.
#[derive(Debug, Serialize)]
struct StepData<'a> {
    step: &'a str,
    title: Cow<'a, str>,
    /// Named as in the schema.
    #[serde(rename = "tellings")]
    versions: Vec<Version<'a>>,
    /// Platforms without the step.
    missing: Vec<&'a str>,
}

/// A step on one platform.
#[derive(Debug, Serialize)]
struct Version<'a> {
    platform: &'a str,
    title: Cow<'a, str>,
    order: Option<f64>,
    minutes: Option<f64>,
    address: String,
    /// By platform: the address of the same step.
    siblings: Siblings<'a, String>,
    sections: Vec<Section<'a>>,
}

#[derive(Debug, Serialize)]
struct Section<'a> {
    id: &'a str,
    title: &'a str,
    level: u8,
    address: String,
    /// By platform: the ID of the matching section.
    siblings: Siblings<'a, &'a str>,
}

/// For each other platform, by its ID, the match there, if there is one.
type Siblings<'a, T> = base::sorted::SortedMap<&'a str, Option<T>>;

fn platforms(work: &Rendering, family: FamilyId) -> Vec<PlatformData<'_>> {
    let platforms = work.project.site.families[family].platforms.indexed();
    let data = platforms.map(|(platform, its)| PlatformData {
        platform: &its.id,
        name: &its.name,
        steps: (its.steps.indices())
            .map(|step| work.project.families.step_name(Place { family, platform, step }))
            .collect(),
    });
    data.collect()
}

fn step<'a>(work: &'a Rendering, family: FamilyId, row: RowIx, name: &'a str) -> StepData<'a> {
    let Project { site, families, .. } = &*work.project;
    let title = families.step_title(site, family, row).into();
    let (family, row) = (&site.families[family], &families.rows(family)[row]);
    let lacks = |(platform, step): (&'a Platform, &Option<DocumentId>)| {
        step.is_none().then_some(platform.id.as_str())
    };
    StepData {
        step: name,
        title,
        versions: row.steps.iter().flatten().map(|&id| version(work, family, id)).collect(),
        missing: family.platforms.iter().zip(&row.steps).filter_map(lacks).collect(),
    }
}

fn version<'a>(work: &'a Rendering, family: &'a Family, id: DocumentId) -> Version<'a> {
    let document = work.project.site.document(id);
    let place = work.project.site.place(id).expect("rows hold steps");
    let siblings = work.project.families.siblings(&work.project.site, place);
    let others = family.platforms.indexed().zip(siblings);
    let others: Vec<(&str, Option<DocumentId>)> = others
        .filter(|((platform, _), _)| *platform != place.platform)
        .map(|((_, platform), sibling)| (platform.id.as_str(), sibling))
        .collect();
    let address = |id: DocumentId| work.project.place_of(&work.project.site.document(id).address);
    let own = address(id);
    Version {
        platform: &work.project.site.platform_of(place).id,
        title: repair(&document.title),
        order: document.front.order,
        minutes: document.front.duration,
        siblings: others.iter().map(|&(platform, sibling)| (platform, sibling.map(address))).collect(),
        sections: sections(work, (id, &own), &others),
        address: own,
    }
}

/// A sibling, and for each heading of a step the matching one.
type Counterparts = (DocumentId, IndexVec<HeadingIx, Option<HeadingIx>>);

fn sections<'a>(
    work: &'a Rendering,
    (id, address): (DocumentId, &str),
    others: &[(&'a str, Option<DocumentId>)],
) -> Vec<Section<'a>> {
    let counterparts: Vec<_> = others
        .iter()
        .map(|&(platform, sibling)| {
            let found = sibling.map(|sibling| {
                (sibling, work.project.families.counterparts(&work.project.site, &work.pages, id, sibling))
            });
            (platform, found)
        })
        .collect();
    let corresponding = |heading: HeadingIx| {
        let of_platform = |(platform, found): &(&'a str, Option<Counterparts>)| {
            let other = found.as_ref().and_then(|(sibling, sections)| Some((*sibling, sections[heading]?)));
            (*platform, other.map(|(sibling, other)| work.pages[sibling].headings[other].id.as_str()))
        };
        counterparts.iter().map(of_platform).collect()
    };
    let section = |(at, heading): (HeadingIx, &'a Heading)| Section {
        id: &heading.id,
        title: &heading.text,
        level: heading.level,
        address: place_on(address, &heading.id),
        siblings: corresponding(at),
    };
    work.pages[id].headings.indexed().map(section).collect()
}
