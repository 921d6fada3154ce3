//! Scales images down.

use resize::Pixel::{RGBA8, RGBA8P};
use resize::Type::Catrom;
use resize::px::RGBA;

use crate::decode::{CHANNELS, Raster};

/// Returns the image with another width and a proportional height, or `None` if it has no pixels.
///
/// Each new pixel is a weighted mean of the pixels around its position by the Catmull-Rom filter, which keeps text
/// sharper than plain means. Colors are weighted by their opacity. Each sum is added in the same order and rounded in the
/// same way on all processors, so they give the same bytes.
pub(crate) fn to_width(picture: &Raster, width: usize) -> Option<Raster> {
    let height = ((picture.height * width + picture.width / 2) / picture.width.max(1)).max(1);
    let large = picture.pixels.as_chunks::<CHANNELS>().0.iter();
    let large: Vec<RGBA<u8>> =
        large.map(|&[red, green, blue, alpha]| RGBA::new(red, green, blue, alpha)).collect();
    let mut small = vec![RGBA::new(0, 0, 0, 0); width * height];
    if picture.is_opaque() {
        let mut resizer = resize::new(picture.width, picture.height, width, height, RGBA8, Catrom).ok()?;
        resizer.resize(&large, &mut small).ok()?;
    } else {
        let mut resizer = resize::new(picture.width, picture.height, width, height, RGBA8P, Catrom).ok()?;
        resizer.resize(&large, &mut small).ok()?;
    }
    let pixels = small.into_iter().flat_map(|pixel| [pixel.r, pixel.g, pixel.b, pixel.a]).collect();
    Some(Raster { width, height, pixels, profile: picture.profile.clone() })
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
    fn a_single_color_stays_the_same() {
        for colour in [[0, 0, 0, 255], [255, 255, 255, 255], [12, 200, 77, 255], [200, 100, 0, 128]] {
            for (width, height, to) in [(100, 50, 33), (7, 1000, 5), (1500, 3, 748), (2, 2, 1)] {
                let small = to_width(&picture(width, height, |_, _| colour), to).expect("it has pixels");
                assert_eq!((small.width, small.height), (to, ((height * to + width / 2) / width).max(1)));
                // A half transparent color is rounded twice.
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
