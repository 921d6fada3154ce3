//! Generates the files of a published site's search: the text of its pages in parts, and an index of words.
//!
//! In: [`Work`]. Out: files in addition to those of the plan. `build` writes each together with its pages, `serve`
//! generates one on request, and `check` generates none.
//!
//! ```text
//! /_stepkin/search/catalogue.json     the families, and which parts there are
//! /_stepkin/search/words-….json       words, each with the parts that it is in, and its level there
//! /_stepkin/search/0123456789.json    a part: some pages of no family
//! /quickstart/_search/1.json          a part: the pages of a family that belong to no platform
//! /quickstart/_search/ios/1.json      a part: the pages of a platform
//! ```
//!
//! A reader's browser loads the part that contains the current page and searches its text, with the positions of
//! words and with similar spellings. For the rest of the site, it loads the words with the same beginning as the
//! query. They contain how important each word is to the best page of a part. With them, the browser loads the best
//! parts. Files don't grow with the site. Larger sites have more parts and more files of words.
//!
//! The addresses depend on which pages exist rather than on their content, so all files are known before any of them
//! is generated.

mod part;
mod record;
mod tables;
mod words;

use std::sync::Arc;

use serde::Serialize;

use self::part::SearchPart;
use self::tables::WordFiles;
pub use self::tables::{SearchTables, StoredSearch};
use base::address::{Address, encode};
use base::store::{Key, add};
use site::content::{DocumentId, Family, FamilyId};
use site::work::Work;

/// The folder of the catalog, the words, and the parts of pages outside families.
const FOLDER: &str = "/_stepkin/search/";

/// The folder of a family's parts, inside that of its overview. Pages don't have such names.
const FOLDER_OF_FAMILY: &str = "_search";

const CATALOGUE: &str = "catalogue.json";

/// Number of pages whose words are in one file.
const PAGES_OF_WORDS: usize = 16;

/// Number of pages up to which words with the same first letter share a file. On larger sites, words with the same
/// first two letters do.
const FEW_PAGES: usize = 4096;

/// Increased when equal pages would give other files.
const VERSION: u32 = 3;

/// A file of the search.
#[derive(Debug)]
pub struct File<'w> {
    pub address: Address,
    /// Hash of everything that affects its content.
    pub key: [u8; 32],
    search: Arc<Search<'w>>,
    content: Content,
}

/// The content of a file.
#[derive(Clone, Copy, Debug)]
enum Content {
    Catalogue,
    /// Position in [`Search::parts`].
    SearchPart(usize),
    /// Index in [`Search::files_of_words`].
    Words(usize),
}

/// The pages that affect a file, so that they can be processed together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MadeWith {
    Family(FamilyId),
    Page(DocumentId),
    Site,
}

impl File<'_> {
    pub fn made_with(&self) -> MadeWith {
        match self.content {
            Content::SearchPart(at) => self.search.parts[at].made_with(),
            Content::Catalogue | Content::Words(_) => MadeWith::Site,
        }
    }

    /// Returns the key of the words in the part, or `None` for other files.
    pub fn words(&self) -> Option<Key> {
        match self.content {
            Content::SearchPart(at) => Some(self.search.parts[at].key),
            Content::Catalogue | Content::Words(_) => None,
        }
    }

    /// Returns its content, with pages from `work`.
    pub fn bytes(&self, work: &Work, stored: StoredSearch<'_>) -> Arc<[u8]> {
        self.search.bytes(self.content, work, stored)
    }
}

/// Returns every file of the search, except those in the plan. If the search is off, there are none.
pub fn files(work: &Work) -> Vec<File<'_>> {
    if !work.project.site.config.search.enabled {
        return Vec::new();
    }
    let search = Arc::new(Search::of(work));
    let contents = search.contents();
    let files = contents.into_iter().map(|(address, content)| {
        let key = search.key(content);
        File { address, key, search: search.clone(), content }
    });
    files.filter(|file| work.project.plan.get(&file.address).is_none()).collect()
}

/// Returns the file of the search at an address.
pub fn find(work: &Work, stored: StoredSearch<'_>, address: &Address) -> Option<Arc<[u8]>> {
    if !work.project.site.config.search.enabled {
        return None;
    }
    let search = Search::of(work);
    let (_, content) = search.contents().into_iter().find(|(at, _)| at == address)?;
    // On a large site, the pages are freed together with the file.
    Some(search.bytes(content, &work.fresh(), stored))
}

/// Whether a decoded path may belong to a file of the search, so that [`find`] can be skipped for others.
pub fn may_be_at(path: &str) -> bool {
    let is_of_family = |segment: &str| {
        let rest = segment.strip_prefix(FOLDER_OF_FAMILY);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    path.starts_with(FOLDER) || path.split('/').any(is_of_family)
}

/// The search of a site.
#[derive(Debug)]
struct Search<'w> {
    families: &'w [Family],
    synonyms: &'w [Vec<String>],
    parts: Vec<SearchPart<'w>>,
    files_of_words: usize,
    /// Number of letters that determine the file of a word.
    letters: usize,
    /// Hash of everything that affects the words.
    key: Key,
}

impl<'w> Search<'w> {
    fn of(work: &'w Work) -> Self {
        let parts = part::all(work);
        let pages: usize = parts.iter().map(|part| part.records.len()).sum();
        let mut hasher = blake3::Hasher::new();
        for part in &parts {
            add(&part.key, &mut hasher);
        }
        Self {
            key: *hasher.finalize().as_bytes(),
            families: &work.project.site.families,
            synonyms: &work.project.site.config.search.synonyms,
            parts,
            files_of_words: pages.div_ceil(PAGES_OF_WORDS).next_power_of_two(),
            letters: if pages <= FEW_PAGES { 1 } else { 2 },
        }
    }

    fn contents(&self) -> Vec<(Address, Content)> {
        let version = self.version();
        let words = (0..self.files_of_words)
            .map(|at| (Address::new(&format!("{FOLDER}words-{version}-{at}.json")), Content::Words(at)));
        let parts =
            self.parts.iter().enumerate().map(|(at, part)| (part.address.clone(), Content::SearchPart(at)));
        let catalogue = (Address::new(&format!("{FOLDER}{CATALOGUE}")), Content::Catalogue);
        std::iter::once(catalogue).chain(words).chain(parts).collect()
    }

    /// Returns a hash of the list of parts. Files of words refer to parts by position, so those of another list must
    /// not be mixed up with them.
    fn version(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for part in &self.parts {
            add(part.address.as_str(), &mut hasher);
        }
        hasher.finalize().to_hex()[..10].to_string()
    }

    fn key(&self, content: Content) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        add(&VERSION.to_le_bytes(), &mut hasher);
        match content {
            Content::Catalogue => add(&self.catalogue(), &mut hasher),
            Content::SearchPart(at) => add(&self.parts[at].key, &mut hasher),
            Content::Words(at) => {
                add(&at.to_le_bytes(), &mut hasher);
                add(&self.key, &mut hasher);
            }
        }
        *hasher.finalize().as_bytes()
    }

    fn bytes(&self, content: Content, work: &Work, stored: StoredSearch<'_>) -> Arc<[u8]> {
        match content {
            Content::Catalogue => self.catalogue().into(),
            Content::SearchPart(at) => {
                let part = &self.parts[at];
                let pages = part.pages(&work.pages);
                stored.words(part, || words::of(part, &pages));
                serde_json::to_vec(&pages).expect("strings are valid JSON").into()
            }
            Content::Words(at) => {
                stored.files_of_words(self.key, || self.files_of_words(work, stored)).0[at].clone()
            }
        }
    }

    /// Returns all files of words. Unchanged ones are reused.
    fn files_of_words(&self, work: &Work, stored: StoredSearch<'_>) -> WordFiles {
        let of = |part: &SearchPart| stored.words(part, || words::of(part, &part.pages(&work.pages)));
        let parts: Vec<Arc<str>> = self.parts.iter().map(of).collect();
        let files = words::in_files(parts.iter().map(|part| &**part), self.files_of_words, self.letters);
        WordFiles(files.iter().map(|words| stored.tables.file_of_words(words)).collect())
    }

    fn catalogue(&self) -> Vec<u8> {
        let families = self.families.iter().map(|family| CatalogueFamily {
            id: &family.id,
            title: &family.name,
            platforms: family
                .platforms
                .iter()
                .map(|it| CataloguePlatform { id: &it.id, name: &it.name })
                .collect(),
        });
        let parts = self.parts.iter().map(|part| {
            let (family, platform) = (part.family.map(usize::from), part.platform.map(usize::from));
            CataloguePart(
                encode(part.address.as_str().trim_start_matches('/')),
                part.records.len(),
                family,
                platform,
            )
        });
        let catalogue = Catalogue {
            families: families.collect(),
            parts: parts.collect(),
            words: format!("words-{}-", self.version()),
            files: self.files_of_words,
            letters: self.letters,
            synonyms: self.synonyms,
        };
        serde_json::to_vec(&catalogue).expect("strings are valid JSON")
    }
}

/// The file that the search loads first.
#[derive(Serialize)]
struct Catalogue<'a> {
    families: Vec<CatalogueFamily<'a>>,
    parts: Vec<CataloguePart>,
    /// The prefix of the names of files of words. A number and `.json` follow.
    words: String,
    files: usize,
    letters: usize,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    synonyms: &'a [Vec<String>],
}

#[derive(Serialize)]
struct CatalogueFamily<'a> {
    id: &'a str,
    title: &'a str,
    platforms: Vec<CataloguePlatform<'a>>,
}

#[derive(Serialize)]
struct CataloguePlatform<'a> {
    id: &'a str,
    name: &'a str,
}

/// Link from the home page, number of pages, and positions of its family and platform.
#[derive(Serialize)]
struct CataloguePart(String, usize, Option<usize>, Option<usize>);
