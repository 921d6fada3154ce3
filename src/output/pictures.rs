//! Creates smaller versions of images, as WebP and AVIF in the widths that screens need.
//!
//! In: the images of the site. Out: the [`Renditions`] of each image that has any, by path. The original is also
//! published, for browsers without WebP and for zooming in.
//!
//! A rendition that isn't smaller than its original is dropped, so whether one exists is known only after encoding.
//! Pages refer to their renditions, and the plan contains their addresses, so they are created before the plan, and
//! all later stages stay pure. The images that a page shows are known only after the plan. Therefore renditions are
//! created for every image that is large enough, whether or not a page shows it.
//!
//! Only `build` creates them. `check` doesn't need them, and `serve` shows the originals, so that authors who add a
//! screenshot don't wait for encoding. This is the only difference between served and published pages.
//!
//! The bytes are the same on every machine: the decoders, the scaling and the WebP encoder use integers, and give the
//! same result with each processor's instructions. The AVIF encoder computes one exponential per image, of which
//! systems may round the last digit differently.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use rayon::prelude::*;
use stepkin_pictures::{avif, webp};

use base::error::{Error, Result};
use base::progress::{self, Task};
use base::sort::StableSort as _;
use base::store::{Flush, Key, Store, Table, lock};
use base::timings::{Stage, part};
use input::config::{HAS_AVIF, Images};
use input::source::{Asset, Sources};
use site::plan::{ByPicture, ImageFormat, Rendition, Renditions};

/// Renditions by the hash of their image, from earlier runs and from this one.
#[derive(Debug, Default)]
pub struct Pictures {
    renditions: Table<Arc<Renditions>>,
    /// By their own hash.
    bytes: Table<Arc<[u8]>>,
    /// The renditions that this run created, until they are published.
    made: Mutex<HashMap<Key, Arc<[u8]>>>,
}

impl Pictures {
    pub fn of(store: &Store) -> Self {
        Self { renditions: store.table("pictures"), bytes: store.table("renditions"), made: Mutex::default() }
    }

    /// Returns the renditions of every image. Images that can't be decoded have none.
    ///
    /// # Errors
    ///
    /// If a file can no longer be read.
    pub fn renditions(&self, sources: &Sources, images: Images) -> Result<ByPicture> {
        let mut assets: Vec<&Asset> =
            sources.assets.values().filter(|asset| asset.may_be_smaller()).collect();
        // With the largest last, one thread would work alone at the end.
        assets.stable_sort_by_key(|asset| Reverse(asset.size));
        let _running = progress::begin(Task::Pictures, assets.len());
        let made = assets.into_par_iter().map(|asset| {
            let _part = part(Stage::Pictures);
            let renditions = self.of_asset(sources, asset, images)?;
            progress::step(Task::Pictures, 1);
            Ok(Some((asset.path.clone(), renditions)).filter(|(_, renditions)| !renditions.is_empty()))
        });
        let made: Vec<_> = made.collect::<Result<_>>()?;
        Ok(made.into_iter().flatten().collect())
    }

    fn of_asset(&self, sources: &Sources, asset: &Asset, images: Images) -> Result<Arc<Renditions>> {
        let read = || {
            let disk = sources.disk_path(&asset.path);
            std::fs::read(&disk).map_err(Error::io("read", &disk))
        };
        let key = match asset.hash {
            Some(hash) => *hash.as_bytes(),
            None => *blake3::hash(&read()?).as_bytes(),
        };
        let all = self
            .renditions
            .get_or_make(key, || Ok(self.keep(ImageFormat::WebP, webp::renditions(&read()?))))?;
        if !(images.avif && HAS_AVIF) || all.is_empty() {
            return Ok(all);
        }
        let sizes = all.iter().map(|webp| (webp.width, webp.size));
        let smaller = self.renditions.get_or_make(key_of_avif(&key), || {
            Ok(self.keep(ImageFormat::Avif, avif::renditions(&read()?, sizes)))
        })?;
        Ok(Arc::new(smaller.iter().chain(&*all).copied().collect()))
    }

    /// Stores the content of renditions, by width.
    fn keep(&self, format: ImageFormat, made: Vec<(usize, Vec<u8>)>) -> Arc<Renditions> {
        let keep = |(width, bytes): (usize, Vec<u8>)| {
            let (hash, bytes): (Key, Arc<[u8]>) = (*blake3::hash(&bytes).as_bytes(), bytes.into());
            self.bytes.put(hash, bytes.clone());
            lock(&self.made).insert(hash, bytes.clone());
            Rendition { width, format, size: bytes.len(), hash }
        };
        Arc::new(made.into_iter().map(keep).collect())
    }

    /// Returns the content of a rendition of the image in a file. If an earlier run created it and its content is
    /// gone, it is created again. Returns `None` if the file has changed.
    pub fn bytes(&self, original: &Path, rendition: &Rendition) -> Option<Arc<[u8]>> {
        let made = lock(&self.made).get(&rendition.hash).cloned();
        made.or_else(|| self.bytes.get(&rendition.hash)).or_else(|| {
            let (file, width) = (std::fs::read(original).ok()?, rendition.width);
            let bytes = match rendition.format {
                ImageFormat::Avif => avif::rendition(&file, width)?,
                ImageFormat::WebP => webp::renditions(&file).into_iter().find(|it| it.0 == width)?.1,
            };
            (blake3::hash(&bytes) == rendition.hash).then(|| bytes.into())
        })
    }

    /// Copies the renditions of the image with this hash into `other`.
    pub fn copy(&self, picture: &Key, other: &Self) {
        for key in [*picture, key_of_avif(picture)] {
            for rendition in self.renditions.get(&key).iter().flat_map(|renditions| renditions.iter()) {
                self.bytes.copy(&rendition.hash, &other.bytes);
            }
            self.renditions.copy(&key, &other.renditions);
        }
    }

    pub fn tables(&self) -> [&(dyn Flush + Sync); 2] {
        [&self.renditions, &self.bytes]
    }
}

/// Returns the key of an image's AVIF renditions.
fn key_of_avif(picture: &Key) -> Key {
    let mut hasher = blake3::Hasher::new_derive_key("stepkin renditions as AVIF");
    hasher.update(picture).update(&avif::SETTINGS);
    *hasher.finalize().as_bytes()
}
