//! Smaller versions of pictures, as WebP and AVIF in the widths that screens use.
//!
//! In: the pictures of the site. Out: [`Renditions`] of each that has some, by its path. The original is published beside
//! them, for browsers without WebP and for who looks closely.
//!
//! Whether there is a rendition is known only when it has been made: one that is not smaller than its original is none.
//! A page names its renditions and the plan has their addresses, so they are made before the plan, and all that follows
//! is as pure as before. Which pictures a page shows is known only after the plan; so renditions are made of every picture
//! that is large enough, whether a page shows it or not.
//!
//! Only `build` makes them. `check` needs none, and `serve` shows the originals: who writes a page and puts in a new
//! screenshot does not wait for it to be encoded. This is the one thing in which a served page differs from the
//! published one.
//!
//! The bytes are the same on any machine: decoders, scaling and the encoder of WebP use integers, and give the same result with
//! the instructions of each processor. The encoder of AVIF uses one exponential for each picture, which systems compute with the
//! same digits but perhaps the last.

mod avif;
mod decode;
mod encode;
mod resize;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use rayon::prelude::*;

use crate::base::error::{Error, Result};
use crate::base::progress::{self, Task};
use crate::base::store::{Flush, Key, Store, Table, lock};
use crate::base::timings::{Stage, part};
use crate::input::config::{HAS_AVIF, Images};
use crate::input::source::{Asset, Sources};
use crate::site::plan::{ByPicture, ImageFormat, Rendition, Renditions};

/// Pixels of the widest column of text, at the size that text has by default: 44rem of 17 px.
pub const COLUMN: usize = 748;

/// Renditions by the hash of their picture: those of earlier runs, and what this one adds.
#[derive(Debug, Default)]
pub struct Pictures {
    renditions: Table<Arc<Renditions>>,
    /// By their own hash.
    bytes: Table<Arc<[u8]>>,
    /// Those that this run has made, until they are published.
    made: Mutex<HashMap<Key, Arc<[u8]>>>,
}

impl Pictures {
    pub fn of(store: &Store) -> Self {
        Self { renditions: store.table("pictures"), bytes: store.table("renditions"), made: Mutex::default() }
    }

    /// The renditions of every picture. Of a picture that cannot be decoded there are none.
    ///
    /// # Errors
    ///
    /// When a file cannot be read any more.
    pub fn renditions(&self, sources: &Sources, images: Images) -> Result<ByPicture> {
        let assets: Vec<&Asset> = sources.assets.values().filter(|asset| asset.may_be_smaller()).collect();
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
        let webp = self
            .renditions
            .get_or_make(key, || Ok(self.keep(ImageFormat::WebP, encode::renditions(&read()?))))?;
        if !(images.avif && HAS_AVIF) || webp.is_empty() {
            return Ok(webp);
        }
        let avif = self.renditions.get_or_make(avif::key(&key), || {
            Ok(self.keep(ImageFormat::Avif, avif::renditions(&read()?, &webp)))
        })?;
        Ok(Arc::new(avif.iter().chain(&*webp).copied().collect()))
    }

    /// Keeps the bytes of what was made, by their widths.
    fn keep(&self, format: ImageFormat, made: Vec<(usize, Vec<u8>)>) -> Arc<Renditions> {
        let keep = |(width, bytes): (usize, Vec<u8>)| {
            let (hash, bytes): (Key, Arc<[u8]>) = (*blake3::hash(&bytes).as_bytes(), bytes.into());
            self.bytes.put(hash, bytes.clone());
            lock(&self.made).insert(hash, bytes.clone());
            Rendition { width, format, size: bytes.len(), hash }
        };
        Arc::new(made.into_iter().map(keep).collect())
    }

    /// The bytes of a rendition of the picture in a file. An earlier run may have made it, and its bytes may be gone since:
    /// then it is made again. `None` where the file is another by now.
    pub fn bytes(&self, original: &Path, rendition: &Rendition) -> Option<Arc<[u8]>> {
        let made = lock(&self.made).get(&rendition.hash).cloned();
        made.or_else(|| self.bytes.get(&rendition.hash)).or_else(|| {
            let (file, width) = (std::fs::read(original).ok()?, rendition.width);
            let bytes = match rendition.format {
                ImageFormat::Avif => avif::rendition(&file, width)?,
                ImageFormat::WebP => encode::renditions(&file).into_iter().find(|it| it.0 == width)?.1,
            };
            (blake3::hash(&bytes) == rendition.hash).then(|| bytes.into())
        })
    }

    /// Puts the renditions of the picture with this hash into `other`.
    pub fn copy(&self, picture: &Key, other: &Self) {
        for key in [*picture, avif::key(picture)] {
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
