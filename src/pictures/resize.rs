//! Pictures with fewer pixels.

use image::imageops::FilterType;
use image::{DynamicImage, RgbaImage};

use super::decode::Raster;

/// Of a pixel: red, green, blue, opacity.
pub(super) const CHANNELS: usize = 4;

/// The same picture with another width and a height that goes with it; `None` where it has no pixels.
///
/// Each new pixel is a weighted mean of those around its place, after Catmull and Rom: text stays sharper than with plain
/// means. Sums are taken in one order, so all processors give the same bytes.
pub(super) fn to_width(picture: &Raster, width: usize) -> Option<Raster> {
    let height = ((picture.height * width + picture.width / 2) / picture.width.max(1)).max(1);
    let number = |pixels: usize| u32::try_from(pixels).ok();
    let is_opaque = picture.is_opaque();
    let mut pixels = picture.pixels.clone();
    if !is_opaque {
        multiply(&mut pixels);
    }
    let large = RgbaImage::from_raw(number(picture.width)?, number(picture.height)?, pixels)?;
    // Not the generic function: it would be compiled with this crate, unoptimised for development.
    let small =
        DynamicImage::ImageRgba8(large).resize_exact(number(width)?, number(height)?, FilterType::CatmullRom);
    let mut pixels = small.into_rgba8().into_raw();
    if !is_opaque {
        divide(&mut pixels);
    }
    Some(Raster { width, height, pixels, profile: picture.profile.clone() })
}

fn byte(number: i32) -> u8 {
    u8::try_from(number.clamp(0, 255)).unwrap_or(u8::MAX)
}

/// Colours count as much as they are seen.
fn multiply(pixels: &mut [u8]) {
    for [red, green, blue, opacity] in pixels.as_chunks_mut::<CHANNELS>().0 {
        for part in [red, green, blue] {
            *part = byte((i32::from(*part) * i32::from(*opacity) + 127) / 255);
        }
    }
}

fn divide(pixels: &mut [u8]) {
    for [red, green, blue, opacity] in pixels.as_chunks_mut::<CHANNELS>().0 {
        for part in [red, green, blue] {
            let whole = i32::from(*part) * 255 + i32::from(*opacity) / 2;
            *part = byte(whole.checked_div(i32::from(*opacity)).unwrap_or(0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(width: usize, height: usize, colour: impl Fn(usize, usize) -> [u8; CHANNELS]) -> Raster {
        let pixels = (0..height).flat_map(|y| (0..width).flat_map(move |x| [(x, y)]));
        let pixels = pixels.flat_map(|(x, y)| colour(x, y)).collect();
        Raster { width, height, pixels, profile: None }
    }

    #[test]
    fn what_has_one_colour_keeps_it() {
        for colour in [[0, 0, 0, 255], [255, 255, 255, 255], [12, 200, 77, 255], [200, 100, 0, 128]] {
            for (width, height, to) in [(100, 50, 33), (7, 1000, 5), (1500, 3, 748), (2, 2, 1)] {
                let small = to_width(&picture(width, height, |_, _| colour), to).expect("it has pixels");
                assert_eq!((small.width, small.height), (to, ((height * to + width / 2) / width).max(1)));
                // Two roundings of a colour that is half seen.
                let differs = |(one, other): (&u8, &u8)| one.abs_diff(*other) > u8::from(colour[3] < 255);
                let pixels = small.pixels.as_chunks::<CHANNELS>().0;
                assert!(!pixels.iter().any(|pixel| pixel.iter().zip(&colour).any(differs)), "{pixels:?}");
            }
        }
    }

    #[test]
    fn edges_stay_where_they_are() {
        let left = |x: usize| if x < 400 { [0, 0, 0, 255] } else { [255, 255, 255, 255] };
        let small = to_width(&picture(800, 800, |x, _| left(x)), 200).expect("it has pixels");
        let row: Vec<u8> =
            small.pixels.as_chunks::<CHANNELS>().0[..200].iter().map(|pixel| pixel[0]).collect();
        assert_eq!((row[96], row[103]), (0, 255), "{row:?}");
        assert!(row[99] < 128 && row[100] > 127, "{row:?}");
    }

    #[test]
    fn colours_that_are_not_seen_do_not_show_through() {
        let half = |x: usize, _: usize| if x.is_multiple_of(2) { [255, 0, 0, 0] } else { [0, 0, 255, 255] };
        let small = to_width(&picture(64, 4, half), 16).expect("it has pixels");
        assert!(
            small.pixels.as_chunks::<CHANNELS>().0.iter().all(|[red, _, blue, _]| *red == 0 && *blue > 250)
        );
    }
}
