//! The smaller versions of images, as the plan lists them. `output::pictures` encodes them before the plan is made.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use base::site_path::SitePath;
use base::sorted::SortedMap;
use base::store::{Key, Record};

/// A smaller version of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rendition {
    /// In pixels.
    pub width: usize,
    pub format: ImageFormat,
    /// In bytes.
    pub size: usize,
    /// BLAKE3 of its content.
    #[serde(with = "serde_bytes")]
    pub hash: Key,
}

/// In the order in which browsers try them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ImageFormat {
    Avif,
    WebP,
}

impl ImageFormat {
    /// Returns the file extension, which is also the media subtype of `image/`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Avif => "avif",
            Self::WebP => "webp",
        }
    }
}

/// The smaller versions of an image by format, the narrowest first.
pub type Renditions = Vec<Rendition>;

/// The smaller versions of each image that has any.
pub type ByPicture = SortedMap<SitePath, Arc<Renditions>>;

impl Record for Rendition {}
