//! Gives every page its edition.

use std::borrow::Cow;
use std::sync::Arc;

use rayon::prelude::*;

use super::family::{Family, Platform, platform_ids};
use super::{Document, DocumentId, FamilyId, PlatformIx, PlatformOf};
use base::diagnostic::{Diagnostic, Reported, nearest};
use base::index::IndexVec;
use base::sorted::SortedMap;
use base::timings::{Stage, part};
use input::block_templates::BlockTemplates;
use input::config::{Config, Invalid, Variable};
use input::dialect::Dialect;
use input::words::ColumnWords;
use markup::edition::{Edition, EditionFeatures};

/// Returns the edition of pages outside platforms.
pub(super) fn of_everyone(config: &Config, columns: &ColumnWords, blocks: &Arc<BlockTemplates>) -> Edition {
    let words = config.variables.iter().flatten().filter_map(|(name, variable)| match variable {
        Variable::Everywhere(value) => Some((name.get_ref().clone(), Some(value.clone()))),
        Variable::ByPlatform(_) => None,
    });
    let has_formulas = config.math.enabled;
    Edition {
        platform: None,
        words: words.collect(),
        columns: columns.clone(),
        blocks: blocks.clone(),
        has_formulas,
    }
}

fn of_platform(
    config: &Config,
    platform: &Platform,
    columns: &ColumnWords,
    blocks: &Arc<BlockTemplates>,
) -> Edition {
    let mut words = SortedMap::new();
    if let Some(variables) = &config.variables {
        words.insert("platform.id".to_string(), Some(platform.id.clone()));
        words.insert("platform.name".to_string(), Some(platform.name.clone()));
        words.extend(variables.iter().map(|(name, variable)| {
            let value = match variable {
                Variable::Everywhere(value) => Some(value),
                Variable::ByPlatform(values) => values.get(&platform.id),
            };
            (name.get_ref().clone(), value.cloned())
        }));
    }
    let (platform, blocks) = (Some(platform.id.clone()), blocks.clone());
    Edition { platform, words, columns: columns.clone(), blocks, has_formulas: config.math.enabled }
}

/// The editions of a site, for pages in one language.
struct Editions {
    everyone: Arc<Edition>,
    by_platform: IndexVec<FamilyId, IndexVec<PlatformIx, Arc<Edition>>>,
}

impl Editions {
    fn new(
        families: &IndexVec<FamilyId, Family>,
        config: &Config,
        columns: &ColumnWords,
        blocks: &Arc<BlockTemplates>,
    ) -> Self {
        let of_family = |family: &Family| -> IndexVec<PlatformIx, Arc<Edition>> {
            let platforms = family.platforms.iter();
            platforms.map(|platform| Arc::new(of_platform(config, platform, columns, blocks))).collect()
        };
        let everyone = Arc::new(of_everyone(config, columns, blocks));
        Self { everyone, by_platform: families.iter().map(of_family).collect() }
    }

    fn of(&self, platform: Option<PlatformOf>) -> &Arc<Edition> {
        platform.map_or(&self.everyone, |it| &self.by_platform[it.family][it.platform])
    }
}

/// Gives each document the edition of its platform, and replaces the variables in its title.
pub(super) fn assign(
    documents: IndexVec<DocumentId, Arc<Document>>,
    platform_of_document: &[Option<PlatformOf>],
    families: &IndexVec<FamilyId, Family>,
    config: &Config,
    (columns, foreign): (&ColumnWords, Option<&ColumnWords>),
    blocks: &Arc<BlockTemplates>,
) -> Result<Reported<IndexVec<DocumentId, Arc<Document>>>, Invalid> {
    known_platforms(families, config)?;
    let own = Editions::new(families, config, columns, blocks);
    // Pages that stand in for a translation are parsed as in their own language.
    let foreign = foreign.map(|columns| Editions::new(families, config, columns, blocks));
    let documents =
        Vec::from(documents).into_par_iter().zip(platform_of_document).map(|(document, platform)| {
            let _part = part(Stage::Load);
            let editions = foreign.as_ref().filter(|_| document.foreign.is_some()).unwrap_or(&own);
            let edition = editions.of(*platform);
            let undefined = undefined(&document, edition);
            (in_edition(document, edition), undefined)
        });
    let (documents, undefined): (Vec<_>, Vec<_>) = documents.unzip();
    Ok((documents.into(), undefined.into_iter().flatten().collect()))
}

fn in_edition(mut shared: Arc<Document>, edition: &Arc<Edition>) -> Arc<Document> {
    let document = Arc::make_mut(&mut shared);
    let Document { title, front, .. } = document;
    for text in [Some(title), front.title.as_mut(), front.description.as_mut()].into_iter().flatten() {
        if let Cow::Owned(expanded) = edition.expand(text) {
            *text = expanded;
        }
    }
    if edition.has_formulas && !document.dialect.is_as_written() {
        Arc::make_mut(&mut document.dialect).has_formulas = true;
    }
    document.key = key(document.features, document.key, edition, &document.dialect);
    document.edition = edition.clone();
    shared
}

/// Returns a hash of everything that affects a parsed page. `file` is the hash of its text. Most pages are the same
/// on every platform and depend on their text alone.
pub(super) fn key(
    features: EditionFeatures,
    file: blake3::Hash,
    edition: &Edition,
    dialect: &Dialect,
) -> blake3::Hash {
    let is_of_edition = edition.matters_to(features);
    let has_columns = edition.columns != ColumnWords::default();
    if !is_of_edition && !has_columns && !edition.has_formulas && dialect.is_as_written() {
        return file;
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update(file.as_bytes());
    dialect.add_to(&mut hasher);
    // The derived `Debug` writes every field and quotes texts, so different values have different output.
    if has_columns {
        hasher.update(format!("{:?}", edition.columns).as_bytes());
    }
    if edition.has_formulas {
        hasher.update(b"formulas");
    }
    if is_of_edition {
        hasher.update(format!("{edition:?}").as_bytes());
    }
    hasher.finalize()
}

/// Reports variables without a value in the title and description, each where the front matter first uses it.
fn undefined(document: &Document, edition: &Edition) -> Vec<Diagnostic> {
    let texts = [&document.front.title, &document.front.description].into_iter().flatten();
    let named = texts.flat_map(|text| edition.undefined(text)).map(|(_, name)| {
        let mention = format!("{{{name}}}");
        let text = document.text();
        let span =
            text[..document.body].find(&mention).map_or(document.top(), |start| start..start + mention.len());
        edition.undefined_variable(span, name).at(&document.path)
    });
    named.collect()
}

/// Checks the platforms of variables. Values for platforms without pages are allowed, but not for misspelled
/// platforms.
fn known_platforms(families: &[Family], config: &Config) -> Result<(), Invalid> {
    let known = platform_ids(families);
    for (name, variable) in config.variables.iter().flatten() {
        let Variable::ByPlatform(values) = variable else { continue };
        if let Some(id) = values.keys().find(|id| !known.contains(&id.as_str())) {
            let message =
                format!("the variable `{}` has a value for `{id}`, which is not a platform", name.get_ref());
            let help = nearest(id, known.iter().copied()).map(|near| format!("did you mean `{near}`?"));
            return Err(Invalid { span: name.span(), message, help });
        }
    }
    Ok(())
}
