//! The files of a site, and the source of each one's content.
//!
//! In: a planned site and its units. Out: [`Outputs`]: every file to publish, with its key and its batch. The files
//! of a batch are rendered together because they need the same pages.

use super::last_build::{self, Inputs, PublishedFile};
use super::weight::Weight;
use crate::base::address::Address;
use crate::base::error::Result;
use crate::base::hash::HashMap;
use crate::base::timings::{Stage, part};
use crate::output::publish::{Fingerprint, OutputPaths};
use crate::output::render::Rendering;
use crate::output::search::{self, MadeWith};
use crate::output::unit::{Compiler, Share, Unit, UnitKey};
use crate::site::plan::{Artifact, Class, Extra};

/// The files of a site or of a shard.
pub(super) struct Outputs<'w> {
    pub(super) paths: OutputPaths,
    /// In the order of the paths.
    pub(super) files: Vec<Output<'w>>,
    /// In the order of rendering.
    pub(super) batches: Vec<Batch>,
}

/// Files that are rendered together.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// The units that the files depend on. Empty for files that depend on no pages or on the pages of all units.
    pub(super) units: Vec<Unit>,
    /// Positions of the files.
    pub(super) files: Vec<usize>,
}

/// A file to publish.
pub(super) struct Output<'w> {
    /// See [`PublishedFile::key`]. The key of a unit's files is computed when the unit is checked.
    key: Option<UnitKey>,
    pub(super) origin: OutputOrigin<'w>,
}

/// The source of a file's content.
pub(super) enum OutputOrigin<'w> {
    Planned(&'w Address, &'w Artifact),
    Search(Box<search::File<'w>>),
}

impl OutputOrigin<'_> {
    pub(super) fn class(&self) -> Class {
        match self {
            Self::Planned(_, artifact) => artifact.facts().class,
            Self::Search(_) => Class::Search,
        }
    }

    /// Whether a shard contains this file: all files of the shard's units. A shard of families also contains the
    /// files that the site needs for display, but no lists of all pages.
    fn is_made(&self, share: &Share, compiler: &Compiler<'_>) -> bool {
        let of_share = |unit: Unit| compiler.makes(unit);
        match (share, self.made_with(compiler), self) {
            (Share::All, ..) => true,
            (Share::Shard { .. }, unit, _) => unit.is_some_and(of_share),
            (Share::Families(_), Some(Unit::Site), Self::Planned(_, artifact)) => {
                artifact.facts().class == Class::Page
            }
            (Share::Families(_), unit, _) => unit.is_none_or(of_share),
        }
    }

    /// Returns the key under which the words of a part of the search are stored.
    pub(super) fn words(&self) -> Option<UnitKey> {
        match self {
            Self::Search(file) => file.words(),
            Self::Planned(..) => None,
        }
    }

    pub(super) fn unit(&self, compiler: &Compiler<'_>) -> Option<Unit> {
        match self {
            Self::Planned(_, artifact) => compiler.units().of_artifact(artifact),
            Self::Search(_) => None,
        }
    }

    fn extra(&self) -> Option<Extra> {
        match self {
            Self::Planned(_, artifact) => artifact.extra(),
            Self::Search(_) => Some(Extra::Search),
        }
    }

    /// Returns the unit that the file belongs to, so that it is rendered while the unit's pages are in memory.
    pub(super) fn made_with(&self, compiler: &Compiler<'_>) -> Option<Unit> {
        match self {
            Self::Search(file) => match file.made_with() {
                MadeWith::Family(family) => Some(Unit::Family(family)),
                MadeWith::Page(id) => Some(compiler.units().of_document(id)),
                MadeWith::Site => None,
            },
            Self::Planned(..) => self.unit(compiler),
        }
    }
}

impl<'w> Outputs<'w> {
    /// Lists the files of a `share` of a site that was read from `inputs`.
    ///
    /// # Errors
    ///
    /// If two files conflict.
    pub(super) fn of(
        work: &'w Rendering,
        compiler: &Compiler<'_>,
        share: &Share,
        inputs: &Inputs,
    ) -> Result<Self> {
        let _part = part(Stage::Publish);
        let files = all(work, inputs).into_iter();
        let (paths, files): (Vec<_>, Vec<_>) =
            files.filter(|(_, output)| output.origin.is_made(share, compiler)).unzip();
        let batches = batches(compiler, &files);
        Ok(Self { paths: OutputPaths::new(paths)?, files, batches })
    }

    /// Iterates over all paths with their files.
    fn iter(&self) -> impl Iterator<Item = (&str, &Output<'w>)> {
        self.paths.iter().map(String::as_str).zip(&self.files)
    }

    /// Returns a hash of everything that a file depends on, if it is known before rendering.
    pub(super) fn key(&self, at: usize, compiler: &Compiler<'_>) -> Option<UnitKey> {
        let Output { key, origin } = &self.files[at];
        origin.unit(compiler).map_or(*key, |unit| compiler.rendered(unit))
    }

    /// Returns the size of these files on a host. `found` contains the fingerprint of each file.
    pub(super) fn weight(&self, found: &[Fingerprint]) -> Weight {
        let files = self.iter().zip(found);
        Weight::of(files.map(|((path, output), found)| (path, found.size, output.origin.extra())))
    }

    /// Returns the published files with their fingerprints, for the record of the build.
    pub(super) fn published(
        &self,
        compiler: &Compiler<'_>,
        found: &[Fingerprint],
    ) -> Vec<(String, PublishedFile)> {
        let rendered = compiler.all_rendered();
        let _part = part(Stage::Cache);
        let file = |((path, output), found): ((&str, &Output<'_>), &Fingerprint)| {
            let key = output.origin.unit(compiler).map_or(output.key, |unit| rendered.get(&unit).copied());
            (path.to_string(), PublishedFile { key, found: Some(*found), stamp: None })
        };
        self.iter().zip(found).map(file).collect()
    }
}

/// Lists all files of a site, sorted by path.
fn all<'w>(work: &'w Rendering, inputs: &Inputs) -> Vec<(String, Output<'w>)> {
    let settled = inputs.settled();
    let key = |artifact: &Artifact| match artifact {
        Artifact::Asset(path) => settled.get(path.as_str()).map(|stamp| last_build::asset_key(path, stamp)),
        Artifact::Rendition { rendition, .. } => Some(rendition.hash),
        Artifact::Builtin(bytes) => Some(*blake3::hash(bytes).as_bytes()),
        _ => None,
    };
    let planned = work.project.plan.artifacts().map(|(address, artifact)| {
        let origin = OutputOrigin::Planned(address, artifact);
        (address.output_path(), Output { key: key(artifact), origin })
    });
    let mut outputs: Vec<_> = planned.collect();
    outputs.extend(search::files(work).into_iter().map(|file| {
        (
            file.address.output_path(),
            Output { key: Some(file.key), origin: OutputOrigin::Search(file.into()) },
        )
    }));
    // No path occurs twice.
    outputs.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    outputs
}

/// Groups files into batches. Files that are published unchanged come first: they have no hash yet, and if they were
/// written at the moment when they were examined, the next run would treat them as changed. Then come the batches of
/// units, and finally the files that depend on the complete site.
fn batches(compiler: &Compiler<'_>, files: &[Output<'_>]) -> Vec<Batch> {
    let units = compiler.units().batches().into_iter();
    let units = units.map(|units| Batch { units, files: Vec::new() });
    let mut batches: Vec<Batch> =
        std::iter::once(Batch::default()).chain(units).chain([Batch::default()]).collect();
    let last = batches.len() - 1;
    let mut batch_of: HashMap<Unit, usize> = HashMap::default();
    for (at, batch) in batches.iter().enumerate() {
        batch_of.extend(batch.units.iter().map(|&unit| (unit, at)));
    }
    for (index, Output { origin, .. }) in files.iter().enumerate() {
        let batch = match origin {
            OutputOrigin::Planned(_, Artifact::Asset(_)) => 0,
            origin => origin.made_with(compiler).and_then(|unit| batch_of.get(&unit)).map_or(last, |at| *at),
        };
        batches[batch].files.push(index);
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::site_path::SitePath;
    use crate::input::source::{Asset, Sources, Text};
    use crate::output::cache::Cache;
    use crate::output::pipeline::{self, Options};
    use crate::output::unit::UnitTables;
    use crate::review::check::Evidence;

    /// A site with a family, a page outside it, and two images.
    fn work() -> Rendering {
        let mut sources = Sources::default();
        for path in ["content/tour/web/a.md", "content/tour/ios/a.md", "content/guide.md"] {
            let path = SitePath::from(path);
            sources.pages.insert(path.clone(), Text::new(path, "---\ntitle: A\norder: 1\n---\n".into()));
        }
        for path in ["static/a.png", "static/z/z.png"] {
            let path = SitePath::from(path);
            sources.assets.insert(path.clone(), Asset { path, size: 1, picture: None, hash: None });
        }
        pipeline::plan(sources, &Options::default(), &Cache::default()).expect("it loads").0
    }

    #[test]
    fn files_that_are_published_as_they_are_come_first() {
        let work = work();
        let (evidence, known) = (Evidence::default(), UnitTables::default());
        let compiler = Compiler::new(&work, &evidence, &known, &Share::All);
        let outputs = Outputs::of(&work, &compiler, &Share::All, &Inputs::default()).expect("no conflict");
        let paths = |batch: &Batch| -> Vec<_> { batch.files.iter().map(|&at| &*outputs.paths[at]).collect() };
        assert_eq!(paths(&outputs.batches[0]), ["a.png", "z/z.png"]);
        // Each of the other files follows once.
        let mut others: Vec<_> = outputs.batches[1..].iter().flat_map(paths).collect();
        others.sort_unstable();
        let expected = outputs.paths.iter().filter(|path| !path.ends_with(".png"));
        assert_eq!(others, expected.collect::<Vec<_>>());
    }
}
