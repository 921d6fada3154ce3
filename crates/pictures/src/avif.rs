//! Creates the renditions of an image as AVIF, if the crate is compiled with the encoder.
//!
//! A browser uses the first format that it supports, with all its widths. So an image has an AVIF rendition for each
//! WebP one, each of them smaller than that, or none.

use crate::decode::{self, Raster};
use crate::resize;

/// Out of 100. The text of screenshots is as sharp as with WebP at 80, and pale lines are slightly less clear. At 80,
/// the files would be as large as WebP.
const QUALITY: u8 = 70;

/// Out of 10, the fastest. The next faster one gives files that are a third larger, and the next slower one saves
/// nothing.
const SPEED: u8 = 8;

/// Identifies the options of the encoder. Other options give other bytes.
pub const SETTINGS: [u8; 2] = [QUALITY, SPEED];

/// Returns the renditions of the image in a file by width, the narrowest first. `webp` lists the
/// width and the size in bytes of each WebP rendition.
pub fn renditions(
    file: &[u8],
    webp: impl DoubleEndedIterator<Item = (usize, usize)>,
) -> Vec<(usize, Vec<u8>)> {
    let Some(picture) = decode::picture(file) else { return Vec::new() };
    let smaller = |(width, size)| {
        let bytes = of_width(&picture, width)?;
        (bytes.len() < size).then_some((width, bytes))
    };
    // The widest ones are tried first, because they are the first to be too large.
    let made: Option<Vec<_>> = webp.rev().map(smaller).collect();
    let mut made = made.unwrap_or_default();
    made.reverse();
    made
}

/// Returns one rendition, which an earlier run found to be smaller.
pub fn rendition(file: &[u8], width: usize) -> Option<Vec<u8>> {
    of_width(&decode::picture(file)?, width)
}

fn of_width(picture: &Raster, width: usize) -> Option<Vec<u8>> {
    if width == picture.width { encode(picture) } else { encode(&resize::to_width(picture, width)?) }
}

/// Returns `None` if the colors have a profile, because the encoder doesn't write profiles.
#[cfg(feature = "avif")]
fn encode(picture: &Raster) -> Option<Vec<u8>> {
    use ravif::{BitDepth, Encoder, Img, RGBA8};

    if picture.profile.is_some() {
        return None;
    }
    let pixels = picture.pixels.as_chunks::<{ decode::CHANNELS }>().0.iter();
    let pixels: Vec<RGBA8> =
        pixels.map(|&[red, green, blue, opacity]| RGBA8::new(red, green, blue, opacity)).collect();
    // With several threads, the encoder would split the image into as many tiles.
    let encoder = Encoder::new()
        .with_quality(f32::from(QUALITY))
        .with_alpha_quality(f32::from(QUALITY))
        .with_speed(SPEED)
        .with_bit_depth(BitDepth::Eight)
        .with_num_threads(Some(1));
    let made = encoder.encode_rgba(Img::new(&pixels[..], picture.width, picture.height));
    made.ok().map(|made| made.avif_file)
}

#[cfg(not(feature = "avif"))]
fn encode(_: &Raster) -> Option<Vec<u8>> {
    None
}

#[cfg(all(test, feature = "avif"))]
mod tests {
    use super::*;

    /// Returns a color gradient with edges.
    fn slope(width: usize, height: usize, opacity: u8) -> Raster {
        let part = |number: usize| u8::try_from(number % 256).unwrap();
        let pixel = |at: usize| [part(at % width), part(at / width), part(at % width / 8 * 40), opacity];
        let pixels = (0..width * height).flat_map(pixel).collect();
        Raster { width, height, pixels, profile: None }
    }

    fn png(picture: &Raster) -> Vec<u8> {
        let mut file = Vec::new();
        let (width, height) = (u32::try_from(picture.width).unwrap(), u32::try_from(picture.height).unwrap());
        let mut encoder = png::Encoder::new(&mut file, width, height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.write_header().unwrap().write_image_data(&picture.pixels).unwrap();
        file
    }

    #[test]
    fn there_is_one_for_each_webp_and_each_is_smaller() {
        let file = png(&slope(200, 60, 255));
        let made = renditions(&file, [(100, 100_000), (200, 100_000)].into_iter());
        assert_eq!(made.iter().map(|(width, _)| *width).collect::<Vec<_>>(), [100, 200]);
        for (width, bytes) in &made {
            let size = imagesize::blob_size(bytes).unwrap();
            assert_eq!((size.width, size.height), (*width, 60 * width / 200));
            assert_eq!(rendition(&file, *width).as_ref(), Some(bytes));
        }
        let sizes = [made[0].1.len(), made[1].1.len()];
        for (narrow, wide, number) in [(1, 1, 2), (0, 1, 0), (1, 0, 0)] {
            let webp = [(100, sizes[0] + narrow), (200, sizes[1] + wide)];
            assert_eq!(renditions(&file, webp.into_iter()).len(), number, "{narrow} {wide}");
        }
    }

    #[test]
    fn the_bytes_are_the_same_with_any_number_of_threads() {
        let picture = slope(300, 160, 255);
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| encode(&picture)).unwrap()
        };
        let one = with(1);
        assert!(with(2) == one && with(7) == one);
    }

    #[test]
    fn pictures_of_any_shape_are_encoded_and_those_with_a_profile_are_not() {
        for (width, height) in [(1, 1), (1, 300), (300, 1), (3, 5), (7, 9), (15, 17), (65, 2)] {
            for opacity in [255, 128, 0] {
                assert!(encode(&slope(width, height, opacity)).is_some(), "{width} × {height}, {opacity}");
            }
        }
        let profile = Some(b"odd".to_vec());
        assert_eq!(encode(&Raster { profile, ..slope(8, 8, 255) }), None);
    }
}
