//! Files that are published unchanged, and the headers of images.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::Sources;
use base::error::{Error, Result};
use base::site_path::{self, OWN_ASSETS, SitePath};
use base::sort::StableSort as _;
use base::timings::{Stage, part};

/// Minimum size in bytes of a duplicate image worth reporting. Removing smaller ones saves readers nothing.
const WORTH_SHARING: u64 = 1024;

/// Minimum size in bytes of an image worth converting. Smaller ones load immediately.
const WORTH_LESS: u64 = 8 << 10;

/// A file that is published unchanged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asset {
    pub path: SitePath,
    /// In bytes.
    pub size: u64,
    /// The image header, if the name is that of an image.
    pub picture: Option<Picture>,
    /// BLAKE3 of the content, if the file is among [`OWN_ASSETS`], whose published names contain the hash, or if a
    /// build creates smaller versions.
    pub hash: Option<blake3::Hash>,
}

impl Asset {
    /// Whether this is an image that takes long to load, and that can be decoded to create smaller versions.
    pub fn may_be_smaller(&self) -> bool {
        let format = self.picture.as_ref().filter(|picture| picture.expected == picture.found);
        let is_known = format.is_some_and(|it| matches!(it.found.as_deref(), Some("a PNG" | "a JPEG")));
        let name = site_path::file_name(self.path.as_str());
        is_known
            && self.size >= WORTH_LESS
            && self.path.below(OWN_ASSETS).is_none()
            && !is_found_by_name(name)
    }
}

/// Whether browsers and systems request a file with this name even if no page refers to it.
pub fn is_found_by_name(name: &str) -> bool {
    ["favicon", "apple-touch-icon", "android-chrome", "mstile", "safari-pinned-tab", "og-image"]
        .iter()
        .any(|known| name.starts_with(known))
}

/// The header of an image.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Picture {
    /// The format by the file extension, if the header can confirm it.
    pub expected: Option<Cow<'static, str>>,
    /// The format by the header.
    pub found: Option<Cow<'static, str>>,
    pub dimensions: Option<Dimensions>,
}

/// In pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dimensions {
    pub width: usize,
    pub height: usize,
}

impl Sources {
    /// Returns groups of images with equal bytes, sorted. Small ones are left out.
    ///
    /// # Errors
    ///
    /// If a file can no longer be read.
    pub fn same_pictures(&self) -> Result<Vec<Vec<SitePath>>> {
        let mut by_size: BTreeMap<u64, Vec<&Asset>> = BTreeMap::new();
        let is_one = |asset: &&Asset| asset.size >= WORTH_SHARING && !self.links.contains_key(&asset.path);
        for asset in self.assets.values().filter(|asset| asset.picture.is_some()).filter(is_one) {
            by_size.entry(asset.size).or_default().push(asset);
        }
        let alike: Vec<&Asset> = by_size.into_values().filter(|assets| assets.len() > 1).flatten().collect();
        let hash = |asset: &&Asset| {
            let disk = self.disk_path(&asset.path);
            let bytes = std::fs::read(&disk).map_err(Error::io("read", &disk))?;
            Ok((*blake3::hash(&bytes).as_bytes(), asset.path.clone()))
        };
        let hashes = alike.par_iter().map(hash).collect::<Result<Vec<_>>>()?;
        let mut groups: BTreeMap<[u8; 32], Vec<SitePath>> = BTreeMap::new();
        for (hash, path) in hashes {
            groups.entry(hash).or_default().push(path);
        }
        let mut groups: Vec<_> = groups.into_values().filter(|paths| paths.len() > 1).collect();
        for paths in &mut groups {
            paths.stable_sort();
        }
        groups.stable_sort();
        Ok(groups)
    }
}

impl Sources {
    /// Hashes the images of which a build creates smaller versions. A later run reuses the hashes.
    ///
    /// # Errors
    ///
    /// If a file can no longer be read.
    pub fn hash_pictures(&mut self) -> Result<()> {
        let root = &self.root;
        let is_new = |asset: &&mut Asset| asset.hash.is_none() && asset.may_be_smaller();
        let new: Vec<&mut Asset> = self.assets.values_mut().filter(is_new).collect();
        let hash = |asset: &mut Asset| {
            let _part = part(Stage::Pictures);
            let disk = root.join(asset.path.as_str());
            let bytes = std::fs::read(&disk).map_err(Error::io("read", &disk))?;
            asset.hash = Some(blake3::hash(&bytes));
            Ok(())
        };
        new.into_par_iter().try_for_each(hash)
    }
}

pub(super) fn read_asset(root: &Path, path: SitePath) -> Result<Asset> {
    let disk = root.join(path.as_str());
    let metadata = std::fs::metadata(&disk).map_err(Error::io("read", &disk))?;
    let picture = match format_of_name(path.as_str()) {
        NamedFormat::NoPicture => None,
        NamedFormat::Drawing => Some(read_drawing(&disk)?),
        NamedFormat::Picture(expected) => Some(read_picture(&disk, expected)?),
    };
    let hash = match path.below(OWN_ASSETS) {
        Some(_) => Some(blake3::hash(&std::fs::read(&disk).map_err(Error::io("read", &disk))?)),
        None => None,
    };
    Ok(Asset { path, size: metadata.len(), picture, hash })
}

/// An image with unknown dimensions is still published. Browsers find its size when it loads.
fn read_picture(disk: &Path, expected: &'static str) -> Result<Picture> {
    // imagesize needs no more bytes than this to recognize a format.
    let mut header = Vec::with_capacity(64);
    let file = std::fs::File::open(disk).map_err(Error::io("read", disk))?;
    file.take(64).read_to_end(&mut header).map_err(Error::io("read", disk))?;
    let found = imagesize::image_type(&header).ok().map(|format| format_of_content(format).into());
    let dimensions =
        imagesize::size(disk).ok().map(|size| Dimensions { width: size.width, height: size.height });
    Ok(Picture { expected: Some(expected.into()), found, dimensions })
}

/// An SVG image sets its size in its first tag, or not at all.
fn read_drawing(disk: &Path) -> Result<Picture> {
    let mut start = Vec::new();
    let file = std::fs::File::open(disk).map_err(Error::io("read", disk))?;
    file.take(4096).read_to_end(&mut start).map_err(Error::io("read", disk))?;
    let dimensions = size_of_drawing(&String::from_utf8_lossy(&start));
    Ok(Picture { expected: None, found: None, dimensions })
}

/// Returns the size of an SVG image with width and height in pixels. Any other adapts to the page.
fn size_of_drawing(text: &str) -> Option<Dimensions> {
    let (_, tag) = text.split_once("<svg")?;
    let (mut width, mut height) = (None, None);
    let mut rest = tag;
    while let Some((name, after)) = rest.split_once('=') {
        let after = after.trim_start();
        let quote = after.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        let (value, after) = after[1..].split_once(quote)?;
        match name.trim() {
            "width" => width = pixels(value),
            "height" => height = pixels(value),
            name if name.contains(['<', '>']) => break,
            _ => {}
        }
        rest = after;
    }
    Some(Dimensions { width: width?, height: height? })
}

/// Parses and rounds `32` or `32.5px`. Returns `None` for sizes that no image has.
fn pixels(value: &str) -> Option<usize> {
    let value = value.trim();
    let value = value.strip_suffix("px").unwrap_or(value);
    let (whole, fraction) = value.split_once('.').unwrap_or((value, ""));
    let is_number = whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit());
    let more = u16::from(fraction.as_bytes().first().is_some_and(|first| *first >= b'5'));
    let size = whole.parse::<u16>().ok().filter(|_| is_number)?.checked_add(more)?;
    Some(usize::from(size)).filter(|size| *size > 0)
}

/// The kind of a file by its name.
enum NamedFormat {
    NoPicture,
    /// An SVG image, whose header is text.
    Drawing,
    Picture(&'static str),
}

fn format_of_name(path: &str) -> NamedFormat {
    let (_, extension) = path.rsplit_once('.').unwrap_or_default();
    match extension.to_ascii_lowercase().as_str() {
        "png" | "apng" => NamedFormat::Picture("a PNG"),
        "jpg" | "jpeg" => NamedFormat::Picture("a JPEG"),
        "gif" => NamedFormat::Picture("a GIF"),
        "webp" => NamedFormat::Picture("a WebP"),
        "avif" => NamedFormat::Picture("an AVIF"),
        "svg" => NamedFormat::Drawing,
        _ => NamedFormat::NoPicture,
    }
}

fn format_of_content(found: imagesize::ImageType) -> &'static str {
    use imagesize::{Compression, ImageType};
    match found {
        ImageType::Png => "a PNG",
        ImageType::Jpeg => "a JPEG",
        ImageType::Gif => "a GIF",
        ImageType::Webp => "a WebP",
        ImageType::Heif(Compression::Av1) => "an AVIF",
        _ => "another format",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_has_the_size_that_its_first_tag_says() {
        for (text, size) in [
            ("<svg width=\"32\" height=\"16\" viewBox=\"0 0 8 4\">", Some((32, 16))),
            ("<?xml version=\"1.0\"?>\n<svg xmlns='x' height='15.5px'\n width = '31.4'/>", Some((31, 16))),
            ("<svg viewBox=\"0 0 8 4\">", None),
            ("<svg width=\"100%\" height=\"16\">", None),
            ("<svg width=\"2em\" height=\"16\">", None),
            ("<svg width=\"0\" height=\"16\">", None),
            ("<svg><rect width=\"3\" height=\"4\"/></svg>", None),
            ("<svg id=\"a\"><rect width=\"3\" height=\"4\"/></svg>", None),
            ("<svg width=3 height=4>", None),
            ("<svg width=\"3", None),
            ("", None),
        ] {
            let expected = size.map(|(width, height)| Dimensions { width, height });
            assert_eq!(size_of_drawing(text), expected, "{text}");
        }
    }
}
