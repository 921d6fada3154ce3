//! Makes what the search of a published site reads: an index for each family, and one for all other pages.
//!
//! In: [`Work`]. Out: files beside those of the plan. `build` asks for all of them, `serve` for one at a time, so an
//! index is made when the first reader searches; `check` asks for none.
//!
//! The names of these files are hashes of what they hold, which is why the plan cannot know them: what a site
//! publishes there itself, it keeps.
//!
//! ```text
//! /_stepkin/search/catalogue.json   which indexes there are
//! /_stepkin/search/pagefind.js, …   the reader, once, and the index of other pages
//! /quickstart/_search/…             the index of a family
//! ```
//!
//! The index of a family is with its pages, so that an edit of one changes nothing in other folders.
//!
//! Indexing is the work of the pagefind crate, one family at a time on as many threads as there are: it
//! keeps one index behind one lock. What a family's index is made of has a key, so that it is made again
//! only when the family's text has changed.

mod index;
mod indexes;
mod record;

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;

use serde::Serialize;

pub use self::indexes::Indexes;
use self::indexes::{Files, Names};
use self::record::Record;
use crate::address::{Address, encode};
use crate::content::{Family, FamilyId};
use crate::error::Result;
use crate::index::IndexVec;
use crate::plan::Origin;
use crate::render::Work;
use crate::store::add;

/// Where the reader and the catalogue are.
const FOLDER: &str = "/_stepkin/search/";
/// Where the index of a family is, below its overview. No page has a name like that.
const FOLDER_OF_FAMILY: &str = "_search";

const CATALOGUE: &str = "catalogue.json";

/// Grows when equal pages would give another index: with [`record`], or with another pagefind.
const VERSION: u32 = 1;

/// A file of the search.
#[derive(Debug)]
pub struct File<'w> {
    pub address: Address,
    /// BLAKE3 of what it holds.
    pub hash: [u8; 32],
    from: From<'w>,
}

/// Where a file is taken from.
#[derive(Debug)]
enum From<'w> {
    Catalogue(Arc<[u8]>),
    /// The index, and the name of the file in it.
    Index(Arc<Index<'w>>, String),
}

impl File<'_> {
    /// What it holds.
    ///
    /// # Errors
    ///
    /// As [`files`].
    pub fn bytes(&self, work: &Work, kept: &Indexes) -> Result<Arc<[u8]>> {
        match &self.from {
            From::Catalogue(bytes) => Ok(bytes.clone()),
            From::Index(index, name) => Ok(index.files(work, kept)?.get(name).cloned().unwrap_or_default()),
        }
    }
}

/// Every file of the search, but those that are in the plan; none where search is off.
///
/// # Errors
///
/// When pagefind cannot index, or no threads can be started.
pub fn files<'w>(work: &'w Work, kept: &Indexes) -> Result<Vec<File<'w>>> {
    if !work.project.site.config.search.enabled {
        return Ok(Vec::new());
    }
    let indexes: Vec<_> = Index::all(work).into_iter().map(Arc::new).collect();
    let address = |folder: &str, name: &str| Address::new(&format!("{folder}{name}"));
    let bytes: Arc<[u8]> = catalogue(work).into();
    let hash = *blake3::hash(&bytes).as_bytes();
    let mut files = vec![File { address: address(FOLDER, CATALOGUE), hash, from: From::Catalogue(bytes) }];
    for (index, names) in indexes.iter().zip(in_parallel(&indexes, |index| index.names(work, kept))) {
        files.extend(names?.0.iter().map(|(name, hash)| File {
            address: address(&index.folder, name),
            hash: hash.into_array(),
            from: From::Index(index.clone(), name.clone()),
        }));
    }
    files.retain(|file| work.project.plan.get(&file.address).is_none());
    Ok(files)
}

/// The file of the search at an address, its index made if this is the first time.
///
/// # Errors
///
/// As [`files`].
pub fn find(work: &Work, kept: &Indexes, address: &Address) -> Result<Option<Arc<[u8]>>> {
    let path = address.as_str();
    if !work.project.site.config.search.enabled {
        return Ok(None);
    }
    if path.strip_prefix(FOLDER) == Some(CATALOGUE) {
        return Ok(Some(catalogue(work).into()));
    }
    let indexes = Index::all(work);
    let index = indexes.iter().find_map(|index| Some((index, path.strip_prefix(&*index.folder)?)));
    match index {
        Some((index, name)) if index::may_hold(name) => Ok(index.files(work, kept)?.get(name).cloned()),
        _ => Ok(None),
    }
}

/// Whether a file of the search could be at a path, decoded, so that [`find`] need not be asked for others.
pub fn may_stand_at(path: &str) -> bool {
    let is_of_family = |segment: &str| {
        let rest = segment.strip_prefix(FOLDER_OF_FAMILY);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    path.starts_with(FOLDER) || path.split('/').any(is_of_family)
}

/// What one index is about.
#[derive(Debug)]
struct Index<'w> {
    /// Its address, with a slash at its end.
    folder: String,
    family: Option<&'w Family>,
    records: Vec<Record<'w>>,
}

impl<'w> Index<'w> {
    /// The index of other pages, then one for each family.
    fn all(work: &'w Work) -> Vec<Self> {
        let mut others = Self { folder: FOLDER.to_string(), family: None, records: Vec::new() };
        let folders = folders(&work.project.site.families);
        let mut indexes: IndexVec<FamilyId, Self> = (work.project.site.families.iter().zip(folders))
            .map(|(family, folder)| Self { folder, family: Some(family), records: Vec::new() })
            .collect();
        for (address, artifact) in work.project.plan.artifacts() {
            let facts = artifact.facts();
            if !facts.is_searched {
                continue;
            }
            let place = facts.text.and_then(|id| work.project.site.place(id));
            let (owner, title) = match facts.origin {
                Origin::Family(family) => {
                    (Some(family), Some(work.project.site.families[family].title.clone()))
                }
                Origin::Document(_) => (place.map(|place| place.family), None),
                _ => (None, Some(work.project.site_title())),
            };
            let platform = place.map(|place| work.project.site.platform_of(place).id.as_str());
            let index = owner.map_or(&mut others, |family| &mut indexes[family]);
            index.records.push(Record::new(work, address, facts.text, title, platform));
        }
        std::iter::once(others).chain(indexes).collect()
    }

    fn names(&self, work: &Work, kept: &Indexes) -> Result<Arc<Names>> {
        kept.names(self.key(work), || self.files(work, kept))
    }

    fn files(&self, work: &Work, kept: &Indexes) -> Result<Arc<Files>> {
        kept.files(&self.folder, self.key(work), || {
            let family = self.family.map(|family| family.id.as_str());
            let language = language(work);
            // Of a large site the pages are let go with the index.
            let pages = work.pages.fresh();
            let pages = self.records.iter().map(|record| record.page(&pages, &language, family)).collect();
            index::make(pages, self.family.is_none())
        })
    }

    /// A hash of everything the files are made from.
    fn key(&self, work: &Work) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new();
        add(&VERSION.to_le_bytes(), &mut hasher);
        add(&language(work), &mut hasher);
        add(self.family.map_or("", |family| &family.id), &mut hasher);
        for part in self.records.iter().flat_map(Record::parts) {
            add(part, &mut hasher);
        }
        hasher.finalize()
    }
}

/// The language as it may be in the names of files; pagefind knows what to do with one it does not know.
fn language(work: &Work) -> String {
    let language = work.project.site.config.language.to_lowercase();
    let is_plain = !language.is_empty() && language.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    if is_plain { language } else { "unknown".into() }
}

/// Addresses of the folders of indexes, no two alike.
fn folders(families: &[Family]) -> Vec<String> {
    let mut taken = HashSet::new();
    let mut unique = |base: String| {
        let numbered = (2..).map(|number| format!("{base}-{number}"));
        let mut free = [base.clone()].into_iter().chain(numbered).filter(|name| taken.insert(name.clone()));
        free.next().expect("there is always another number")
    };
    let of_family = |family: &Family| unique(format!("{}{FOLDER_OF_FAMILY}", family.address)) + "/";
    families.iter().map(of_family).collect()
}

/// What the page part asks first.
#[derive(Serialize)]
struct Catalogue<'a> {
    families: Vec<CatalogueFamily<'a>>,
}

#[derive(Serialize)]
struct CatalogueFamily<'a> {
    id: &'a str,
    title: &'a str,
    /// Link to the folder of its index, from the home page.
    index: String,
    platforms: Vec<CataloguePlatform<'a>>,
}

#[derive(Serialize)]
struct CataloguePlatform<'a> {
    id: &'a str,
    name: &'a str,
}

fn catalogue(work: &Work) -> Vec<u8> {
    let families = &work.project.site.families;
    let entries = families.iter().zip(folders(families)).map(|(family, folder)| {
        let platforms = family.platforms.iter();
        CatalogueFamily {
            id: &family.id,
            title: &family.title,
            index: encode(folder.trim_start_matches('/')),
            platforms: platforms
                .map(|platform| CataloguePlatform { id: &platform.id, name: &platform.name })
                .collect(),
        }
    });
    serde_json::to_vec(&Catalogue { families: entries.collect() }).expect("strings are valid JSON")
}

/// Does some work for each item, on as many threads as rayon has, and gives the results in order.
///
/// Not on rayon's own threads: pagefind uses those within an index, and a thread that waits for them would
/// begin with the next index meanwhile, within the first.
fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let run = || {
        let taken = std::iter::from_fn(|| {
            let at = next.fetch_add(1, Ordering::Relaxed);
            items.get(at).map(|item| (at, item))
        });
        taken.map(|(at, item)| (at, work(item))).collect::<Vec<_>>()
    };
    let threads = rayon::current_num_threads().min(items.len());
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        let joined = threads.into_iter().map(ScopedJoinHandle::join);
        joined.flat_map(|done| done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}
