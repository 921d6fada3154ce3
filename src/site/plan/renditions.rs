//! The smaller versions of images, as the plan lists them. `output::pictures` encodes them before the plan is made.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::base::site_path::SitePath;
use crate::base::store::{Key, Record};

/// A smaller version of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rendition {
    /// Pixels.
    pub width: usize,
    pub format: ImageFormat,
    /// Bytes.
    pub size: usize,
    /// BLAKE3 of its bytes.
    #[serde(with = "serde_bytes")]
    pub hash: Key,
}

/// In the order in which browsers are asked whether they know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ImageFormat {
    Avif,
    WebP,
}

impl ImageFormat {
    /// As files are called, and as the media type below `image/`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Avif => "avif",
            Self::WebP => "webp",
        }
    }
}

/// The smaller versions of one picture by their formats, of each the narrowest first.
pub type Renditions = Vec<Rendition>;

/// Those of each picture that has some.
pub type ByPicture = BTreeMap<SitePath, Arc<Renditions>>;

impl Record for Renditions {}
