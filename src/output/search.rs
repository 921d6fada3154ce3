//! Makes what the search of a published site reads: the text of its pages in parts, and which words are in which part.
//!
//! In: [`Work`]. Out: files beside those of the plan. `build` writes each with the pages that it is made of, `serve` makes one
//! when it is asked for; `check` makes none.
//!
//! ```text
//! /_stepkin/search/catalogue.json     the families, and which parts there are
//! /_stepkin/search/words-….json       words, each with the parts that it is in
//! /_stepkin/search/0123456789.json    a part: some pages of no family
//! /quickstart/_search/1.json          a part: the pages of a family that belong to no platform
//! /quickstart/_search/ios/1.json      a part: the pages of a platform
//! ```
//!
//! A reader's browser loads the part that holds the page it shows and looks through its text, so words are found there
//! with all that a text has: their places, and what is spelled nearly so. For the rest of the site it loads the words that
//! begin as those that are looked for, and by them the best parts. No file grows with the site: of parts and of files of
//! words there are more.
//!
//! What is at an address depends on which pages there are and not on what they say, so the files are known before any of
//! them is made.

mod part;
mod record;
mod tables;
mod words;

use std::sync::Arc;

use serde::Serialize;

use self::part::SearchPart;
use self::tables::WordFiles;
pub use self::tables::{SearchTables, StoredSearch};
use crate::base::address::{Address, encode};
use crate::base::store::{Key, add};
use crate::site::content::{DocumentId, Family, FamilyId};
use crate::site::work::Work;

/// Where the catalogue and the words are, and the parts of pages that belong to no family.
const FOLDER: &str = "/_stepkin/search/";

/// Where the parts of a family are, below its overview. No page has a name like that.
const FOLDER_OF_FAMILY: &str = "_search";

const CATALOGUE: &str = "catalogue.json";

/// So many pages have their words in one file.
const PAGES_OF_WORDS: usize = 128;

/// Up to so many pages, words that begin with one letter are together in a file; of more, those that begin with two.
const FEW_PAGES: usize = 4096;

/// Grows when equal pages would give other files.
const VERSION: u32 = 2;

/// A file of the search.
#[derive(Debug)]
pub struct File<'w> {
    pub address: Address,
    /// A hash of everything it is made from.
    pub key: [u8; 32],
    search: Arc<Search<'w>>,
    content: Content,
}

/// What a file holds.
#[derive(Clone, Copy, Debug)]
enum Content {
    Catalogue,
    /// A position in [`Search::parts`].
    SearchPart(usize),
    /// One of [`Search::files_of_words`].
    Words(usize),
}

/// The pages that a file is made of, for who makes them together.
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

    /// By what the words are kept that it is found by; `None` of what is no part.
    pub fn words(&self) -> Option<Key> {
        match self.content {
            Content::SearchPart(at) => Some(self.search.parts[at].key),
            Content::Catalogue | Content::Words(_) => None,
        }
    }

    /// What it holds, with pages from `work`.
    pub fn bytes(&self, work: &Work, stored: StoredSearch<'_>) -> Arc<[u8]> {
        self.search.bytes(self.content, work, stored)
    }
}

/// Every file of the search, but those that are in the plan; none where search is off.
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

/// The file of the search at an address.
pub fn find(work: &Work, stored: StoredSearch<'_>, address: &Address) -> Option<Arc<[u8]>> {
    if !work.project.site.config.search.enabled {
        return None;
    }
    let search = Search::of(work);
    let (_, content) = search.contents().into_iter().find(|(at, _)| at == address)?;
    // Of a large site the pages are let go with the file.
    Some(search.bytes(content, &work.fresh(), stored))
}

/// Whether a file of the search could be at a path, decoded, so that [`find`] need not be asked for others.
pub fn may_stand_at(path: &str) -> bool {
    let is_of_family = |segment: &str| {
        let rest = segment.strip_prefix(FOLDER_OF_FAMILY);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    path.starts_with(FOLDER) || path.split('/').any(is_of_family)
}

/// The search of a site, as it is laid out.
#[derive(Debug)]
struct Search<'w> {
    families: &'w [Family],
    parts: Vec<SearchPart<'w>>,
    files_of_words: usize,
    /// So many letters tell in which file a word is.
    letters: usize,
    /// A hash of everything that the words are found in.
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

    /// A hash of which parts there are: files of words name parts by their positions, so that those of another list must
    /// not be taken for them.
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

    /// All files of words; of those that are made from the same words as before nothing is made.
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
        };
        serde_json::to_vec(&catalogue).expect("strings are valid JSON")
    }
}

/// What the page part asks first.
#[derive(Serialize)]
struct Catalogue<'a> {
    families: Vec<CatalogueFamily<'a>>,
    parts: Vec<CataloguePart>,
    /// How the names of files of words begin; a number and `.json` follow.
    words: String,
    files: usize,
    letters: usize,
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

/// Link to it from the home page, number of pages, and the positions of its family and platform.
#[derive(Serialize)]
struct CataloguePart(String, usize, Option<usize>, Option<usize>);
