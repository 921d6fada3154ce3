//! Creates the renditions of an image as WebP.

use std::collections::HashSet;

use webp::{Encoder, WebPConfig};

use crate::decode::{self, CHANNELS, Raster};
use crate::{COLUMN, resize};

/// In pixels: the width of the text column on screens with one, one and a half, and two pixels per CSS pixel. Phones
/// have half the width, and two or three pixels per CSS pixel.
const WIDTHS: [usize; 3] = [COLUMN, COLUMN * 3 / 2, COLUMN * 2];

/// Out of 100. Below it, the text of screenshots gets shadows. The fast methods of libwebp's encoder need one more
/// than the slow ones for the same similarity to the original.
const QUALITY: f32 = 81.0;

/// From 0 to 6. Slower methods give smaller files. 2 is the first one that considers the cost of a block's modes. 3
/// and 4 save a twentieth of the bytes and take half as long again.
const METHOD: i32 = 2;

/// Maximum number of colors in a drawing.
const MOST_COLOURS: usize = 256;

/// Returns the renditions of the image in a file by width, the narrowest first. Each is smaller than the file and
/// than the wider ones. An image that can't be decoded has none.
pub fn renditions(file: &[u8]) -> Vec<(usize, Vec<u8>)> {
    let Some(picture) = decode::picture(file) else { return Vec::new() };
    let mut most = file.len();
    let mut made = Vec::new();
    for width in widths(picture.width).into_iter().rev() {
        let encoded = if width == picture.width {
            natural(&picture)
        } else {
            resize::to_width(&picture, width).and_then(|small| lossy(&small))
        };
        if let Some(bytes) = encoded.filter(|bytes| bytes.len() < most) {
            most = bytes.len();
            made.push((width, bytes));
        }
    }
    made.reverse();
    made
}

/// Returns the widths for an image of a width, none of them larger. A width close to the image's own is replaced by
/// it.
fn widths(natural: usize) -> Vec<usize> {
    let widest = WIDTHS[2];
    let narrower = WIDTHS.into_iter().filter(|width| width * 8 <= natural * 7);
    let own = Some(natural).filter(|natural| natural * 7 < widest * 8);
    narrower.chain(own).collect()
}

/// Encodes the image in its own width. A drawing keeps its few colors, which takes fewer bytes and a fifth of the
/// time. Out of 43 screenshots with a palette, the lossy encoder made only one smaller.
fn natural(picture: &Raster) -> Option<Vec<u8>> {
    if !has_few_colours(picture) {
        return lossy(picture);
    }
    encode(picture, |config| {
        config.lossless = 1;
        config.method = METHOD;
        config.quality = 20.0;
    })
}

fn has_few_colours(picture: &Raster) -> bool {
    let mut seen = HashSet::with_capacity(MOST_COLOURS + 1);
    let mut last = None;
    picture.pixels.as_chunks::<CHANNELS>().0.iter().all(|pixel| {
        // Drawings consist of areas of one color.
        if last != Some(pixel) {
            seen.insert(*pixel);
            last = Some(pixel);
        }
        seen.len() <= MOST_COLOURS
    })
}

fn lossy(picture: &Raster) -> Option<Vec<u8>> {
    encode(picture, |config| {
        config.quality = QUALITY;
        config.method = METHOD;
        // Keeps the colors of thin colored lines.
        config.use_sharp_yuv = 1;
    })
}

fn encode(picture: &Raster, configure: impl FnOnce(&mut WebPConfig)) -> Option<Vec<u8>> {
    /// Maximum width and height of a WebP image in pixels.
    const LONGEST: usize = 16_383;
    let Raster { width, height, pixels, profile } = picture;
    if *width.max(height) > LONGEST {
        return None;
    }
    let mut config = WebPConfig::new().ok()?;
    configure(&mut config);
    let encoder = Encoder::from_rgba(pixels, u32::try_from(*width).ok()?, u32::try_from(*height).ok()?);
    let file = encoder.encode_advanced(&config).ok()?.to_vec();
    Some(match profile {
        Some(profile) => with_profile(&file, picture, profile),
        None => file,
    })
}

/// Returns a WebP image with an ICC profile. WebP container specification, "Extended file format": a chunk with flags
/// and sizes, the profile, then the image.
fn with_profile(encoded: &[u8], picture: &Raster, profile: &[u8]) -> Vec<u8> {
    const HAS_PROFILE: u8 = 0x20;
    const HAS_OPACITY: u8 = 0x10;
    /// `RIFF`, a size, `WEBP`.
    const HEADER: usize = 12;
    let flags = HAS_PROFILE | if picture.is_opaque() { 0 } else { HAS_OPACITY };
    let below = |length: usize| u32::try_from(length.saturating_sub(1)).unwrap_or_default().to_le_bytes();
    let (width, height) = (below(picture.width), below(picture.height));
    let mut extended = vec![flags, 0, 0, 0];
    extended.extend_from_slice(&width[..3]);
    extended.extend_from_slice(&height[..3]);
    let mut chunks = Vec::new();
    push_chunk(*b"VP8X", &extended, &mut chunks);
    push_chunk(*b"ICCP", profile, &mut chunks);
    // For an image with opacity, the encoder has already written flags.
    let rest = encoded.get(HEADER..).unwrap_or_default();
    let rest =
        if rest.starts_with(b"VP8X") { rest.get(8 + extended.len()..).unwrap_or_default() } else { rest };
    chunks.extend_from_slice(rest);
    let mut file = b"RIFF".to_vec();
    file.extend_from_slice(&u32::try_from(chunks.len() + 4).unwrap_or_default().to_le_bytes());
    file.extend_from_slice(b"WEBP");
    file.extend_from_slice(&chunks);
    file
}

fn push_chunk(name: [u8; 4], content: &[u8], chunks: &mut Vec<u8>) {
    chunks.extend_from_slice(&name);
    chunks.extend_from_slice(&u32::try_from(content.len()).unwrap_or_default().to_le_bytes());
    chunks.extend_from_slice(content);
    if !content.len().is_multiple_of(2) {
        chunks.push(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: usize, height: usize, colour: impl Fn(usize, usize) -> [u8; 3]) -> Vec<u8> {
        let mut file = Vec::new();
        let (across, down) = (u32::try_from(width).unwrap(), u32::try_from(height).unwrap());
        let mut encoder = png::Encoder::new(&mut file, across, down);
        encoder.set_color(png::ColorType::Rgb);
        let pixels: Vec<u8> = (0..width * height).flat_map(|at| colour(at % width, at / width)).collect();
        encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
        file
    }

    /// Returns colors like those of a photograph.
    fn noise(x: usize, y: usize) -> [u8; 3] {
        let mixed = (x * x * 31 + y * y * 17 + x * y * 7) % 8191;
        [mixed, mixed / 7, mixed / 3 + x].map(|part| u8::try_from(part % 256).unwrap())
    }

    #[test]
    fn no_rendition_is_wider_than_its_picture_and_each_width_is_worth_its_name() {
        assert_eq!(widths(250), [250]);
        assert_eq!(widths(800), [800]);
        assert_eq!(widths(900), [748, 900]);
        assert_eq!(widths(1592), [748, 1122, 1592]);
        assert_eq!(widths(2400), [748, 1122, 1496]);
        assert_eq!(widths(1), [1]);
    }

    #[test]
    fn renditions_are_smaller_than_the_file_and_than_those_that_are_wider() {
        let file = png(900, 40, noise);
        let made = renditions(&file);
        assert_eq!(made.iter().map(|(width, _)| *width).collect::<Vec<_>>(), [748, 900]);
        assert!(made[0].1.len() < made[1].1.len() && made[1].1.len() < file.len());
        for (width, bytes) in &made {
            let size = imagesize::blob_size(bytes).unwrap();
            assert_eq!((size.width, size.height), (*width, (40 * width + 450) / 900));
        }
        assert_eq!(made, renditions(&file));
    }

    #[test]
    fn drawings_keep_all_colors_and_have_no_larger_renditions() {
        let made =
            renditions(&png(
                1200,
                300,
                |x, y| if (x / 3 + y / 3).is_multiple_of(2) { [0; 3] } else { [255; 3] },
            ));
        let [(1200, bytes)] = &made[..] else {
            panic!("{:?}", made.iter().map(|it| it.0).collect::<Vec<_>>())
        };
        assert_eq!(&bytes[12..16], b"VP8L");
    }

    #[test]
    fn damaged_images_have_no_renditions() {
        let file = png(60, 40, noise);
        assert!(!renditions(&file).is_empty());
        for end in 0..file.len() {
            if let [(_, bytes)] = &renditions(&file[..end])[..] {
                assert!(bytes.len() < end);
            }
        }
        for at in 0..200 {
            let mut damaged = file.clone();
            damaged[at] ^= 0x55;
            _ = renditions(&damaged);
        }
        for other in [b"".as_slice(), b"GIF89a", b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n"] {
            assert!(renditions(other).is_empty());
        }
    }

    #[test]
    fn a_header_that_promises_too_many_pixels_is_not_believed() {
        let mut file = png(10, 10, noise);
        file[16..24].copy_from_slice(&[0, 0, 0x7f, 0xff, 0, 0, 0x7f, 0xff]);
        let hash = crc(&file[12..29]);
        file[29..33].copy_from_slice(&hash.to_be_bytes());
        assert!(renditions(&file).is_empty());
    }

    /// PNG, Annex D.
    fn crc(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0, |crc: u32, byte| {
            (0..8).fold(
                crc ^ u32::from(*byte),
                |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 },
            )
        })
    }

    #[test]
    fn a_profile_stays_with_its_picture() {
        let pixels = [10, 20, 30, 255].repeat(16);
        let picture = Raster { width: 4, height: 4, pixels, profile: Some(b"odd".to_vec()) };
        let file = lossy(&picture).unwrap();
        assert_eq!(
            (&file[..4], &file[8..16], &file[30..38]),
            (&b"RIFF"[..], &b"WEBPVP8X"[..], &b"ICCP\x03\0\0\0"[..])
        );
        assert_eq!(
            usize::try_from(u32::from_le_bytes(file[4..8].try_into().unwrap())).unwrap() + 8,
            file.len()
        );
        let size = imagesize::blob_size(&file).unwrap();
        assert_eq!((size.width, size.height), (4, 4));
    }
}
