//! The files of a site, and the source of each one's content.
//!
//! In: a planned site and its units. Out: [`Outputs`]: every file to publish, with its key and its batch. The files
//! of a batch are rendered together because they need the same pages.

use super::last_build::{self, Inputs, PublishedFile};
use super::weight::Weight;
use crate::output::publish::{Fingerprint, OutputPaths};
use crate::output::render::Rendering;
use crate::output::search::{self, MadeWith};
use crate::output::unit::{Compiler, Share, Unit, UnitKey};
use base::address::Address;
use base::error::Result;
use base::hash::HashMap;
use base::timings::{Stage, part};
use site::plan::{Artifact, Class, Extra};

/// The site in one language, and its units.
pub(super) struct LanguageOutput<'w> {
    pub(super) work: &'w Rendering,
    pub(super) compiler: Compiler<'w>,
    /// The folder of its files, with a final slash: nothing for the original, `ja/` for a translation.
    folder: String,
}

impl<'w> LanguageOutput<'w> {
    pub(super) fn new(work: &'w Rendering, compiler: Compiler<'w>) -> Self {
        Self { work, compiler, folder: folder_of(work) }
    }

    /// The keys of its pages.
    pub(super) fn page_keys(&self) -> impl Iterator<Item = [u8; 32]> {
        let site = &self.work.project.site;
        self.compiler.documents().map(|id| *site.document(id).key.as_bytes())
    }

    /// The path of a file, relative to the folder of the site.
    pub(super) fn path(&self, address: &Address) -> String {
        if self.folder.is_empty() {
            address.output_path()
        } else {
            self.folder.clone() + &address.output_path()
        }
    }
}

/// The folder of the files of a site in one language.
pub(super) fn folder_of(work: &Rendering) -> String {
    let path = &work.project.site.config.language_path;
    path.strip_prefix('/').map_or_else(String::new, |path| format!("{path}/"))
}

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
    /// The position of their site among the languages.
    pub(super) language: usize,
    /// The units that the files depend on. Empty for files that depend on no pages or on the pages of all units.
    pub(super) units: Vec<Unit>,
    /// Positions of the files.
    pub(super) files: Vec<usize>,
}

/// A file to publish.
pub(super) struct Output<'w> {
    /// See [`PublishedFile::key`]. The key of a unit's files is computed when the unit is checked.
    key: Option<UnitKey>,
    /// The position of its site among the languages.
    pub(super) language: usize,
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
    pub(super) fn of(languages: &[LanguageOutput<'w>], share: &Share, inputs: &Inputs) -> Result<Self> {
        let _part = part(Stage::Publish);
        let files = all(languages, inputs).into_iter();
        let is_made =
            |output: &Output<'_>| output.origin.is_made(share, &languages[output.language].compiler);
        let (paths, files): (Vec<_>, Vec<_>) = files.filter(|(_, output)| is_made(output)).unzip();
        let batches = batches(languages, &files);
        Ok(Self { paths: OutputPaths::new(paths)?, files, batches })
    }

    /// Iterates over all paths with their files.
    fn iter(&self) -> impl Iterator<Item = (&str, &Output<'w>)> {
        self.paths.iter().map(String::as_str).zip(&self.files)
    }

    /// Returns a hash of everything that a file depends on, if it is known before rendering.
    pub(super) fn key(&self, at: usize, languages: &[LanguageOutput<'_>]) -> Option<UnitKey> {
        let Output { key, language, origin } = &self.files[at];
        let compiler = &languages[*language].compiler;
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
        languages: &[LanguageOutput<'_>],
        found: &[Fingerprint],
    ) -> Vec<(String, PublishedFile)> {
        let rendered: Vec<_> = languages.iter().map(|language| language.compiler.all_rendered()).collect();
        let _part = part(Stage::Cache);
        let file = |((path, output), found): ((&str, &Output<'_>), &Fingerprint)| {
            let compiler = &languages[output.language].compiler;
            let key = |unit: Unit| rendered[output.language].get(&unit).copied();
            let key = output.origin.unit(compiler).map_or(output.key, key);
            (path.to_string(), PublishedFile { key, found: Some(*found), stamp: None })
        };
        self.iter().zip(found).map(file).collect()
    }
}

/// Lists all files of a site, sorted by path. Files that a translation shares with the original are listed once.
fn all<'w>(languages: &[LanguageOutput<'w>], inputs: &Inputs) -> Vec<(String, Output<'w>)> {
    let settled = inputs.settled();
    let key = |artifact: &Artifact| match artifact {
        Artifact::Asset(path) => settled.get(path.as_str()).map(|stamp| last_build::asset_key(path, stamp)),
        Artifact::Rendition { rendition, .. } => Some(rendition.hash),
        Artifact::Drawing { hash, .. } => Some(*hash),
        Artifact::Builtin(bytes) => Some(*blake3::hash(bytes).as_bytes()),
        _ => None,
    };
    let mut outputs: Vec<_> = Vec::new();
    for (language, site) in languages.iter().enumerate() {
        let plan = &site.work.project.plan;
        let own = plan.artifacts().filter(|(address, _)| !plan.is_shared(address));
        outputs.extend(own.map(|(address, artifact)| {
            let origin = OutputOrigin::Planned(address, artifact);
            (site.path(address), Output { key: key(artifact), language, origin })
        }));
        outputs.extend(search::files(site.work).into_iter().map(|file| {
            let (path, key) = (site.path(&file.address), Some(file.key));
            (path, Output { key, language, origin: OutputOrigin::Search(file.into()) })
        }));
    }
    // No path occurs twice.
    outputs.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    outputs
}

/// Groups files into batches. Files that are published unchanged come first: they have no hash yet, and if they were
/// written at the moment when they were examined, the next run would treat them as changed. Then come, for each language,
/// the batches of units, and the files that depend on the complete site.
fn batches(languages: &[LanguageOutput<'_>], files: &[Output<'_>]) -> Vec<Batch> {
    let mut batches: Vec<Batch> = vec![Batch::default()];
    let mut last = Vec::new();
    for (language, site) in languages.iter().enumerate() {
        let batch = |units: Vec<Unit>| Batch { language, units, files: Vec::new() };
        batches.extend(site.compiler.units().batches().into_iter().map(batch));
        last.push(batches.len());
        batches.push(batch(Vec::new()));
    }
    let mut batch_of: HashMap<(usize, Unit), usize> = HashMap::default();
    for (at, batch) in batches.iter().enumerate() {
        batch_of.extend(batch.units.iter().map(|&unit| ((batch.language, unit), at)));
    }
    for (index, Output { language, origin, .. }) in files.iter().enumerate() {
        let of_unit = |unit: Unit| batch_of.get(&(*language, unit)).copied();
        let batch = match origin {
            OutputOrigin::Planned(_, Artifact::Asset(_)) => 0,
            origin => origin
                .made_with(&languages[*language].compiler)
                .and_then(of_unit)
                .unwrap_or_else(|| last[*language]),
        };
        batches[batch].files.push(index);
    }
    batches
}

/// Returns the fingerprints of files that are published unchanged.
pub(super) fn unchanged_assets<'w>(
    work: &'w Rendering,
    files: &[(String, PublishedFile)],
) -> HashMap<&'w str, Fingerprint> {
    let assets = work.project.plan.artifacts().filter_map(|(address, artifact)| {
        let Artifact::Asset(path) = artifact else { return None };
        let at = files.binary_search_by(|(it, _)| it.cmp(&address.output_path())).ok()?;
        Some((path.as_str(), files[at].1.found?))
    });
    assets.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::cache::Cache;
    use crate::output::pipeline::{self, Options};
    use crate::output::unit::UnitTables;
    use base::site_path::SitePath;
    use input::source::{Asset, Sources, Text};
    use review::check::Evidence;

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
        let languages = [LanguageOutput::new(&work, compiler)];
        let outputs = Outputs::of(&languages, &Share::All, &Inputs::default()).expect("no conflict");
        let paths = |batch: &Batch| -> Vec<_> { batch.files.iter().map(|&at| &*outputs.paths[at]).collect() };
        assert_eq!(paths(&outputs.batches[0]), ["a.png", "z/z.png"]);
        // Each of the other files follows once.
        let mut others: Vec<_> = outputs.batches[1..].iter().flat_map(paths).collect();
        others.sort_unstable();
        let expected = outputs.paths.iter().filter(|path| !path.ends_with(".png"));
        assert_eq!(others, expected.collect::<Vec<_>>());
    }
}
