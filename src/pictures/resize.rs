//! Pictures with fewer pixels.

use super::decode::Raster;

/// Of a pixel: red, green, blue, opacity.
pub(super) const CHANNELS: usize = 4;

/// Fractions have so many bits.
const BITS: u32 = 14;
const ONE: i64 = 1 << BITS;
const LAST_BELOW_TWO: i64 = 2 * ONE - 1;

/// The same picture with another width and a height that goes with it.
///
/// Each new pixel is a weighted mean of those around its place, after Catmull and Rom: text stays sharper than with plain
/// means. Only integers are used, as those of all processors are alike.
pub(super) fn to_width(picture: &Raster, width: usize) -> Raster {
    let height = ((picture.height * width + picture.width / 2) / picture.width).max(1);
    let is_opaque = picture.is_opaque();
    let mut pixels = picture.pixels.clone();
    if !is_opaque {
        multiply(&mut pixels);
    }
    let narrow = scaled(&pixels, picture.height, &Taps::of(picture.width, width));
    let turned = transposed(&narrow, width, picture.height);
    let small = scaled(&turned, width, &Taps::of(picture.height, height));
    let mut pixels = transposed(&small, height, width);
    if !is_opaque {
        divide(&mut pixels);
    }
    Raster { width, height, pixels, profile: picture.profile.clone() }
}

/// What each new pixel of a row is made of.
struct Taps {
    /// Old pixels in a row.
    old: usize,
    /// By new pixel: the first old one and the weights from there on, in `ONE`s.
    weights: Vec<(usize, Vec<i32>)>,
}

impl Taps {
    fn of(old: usize, new: usize) -> Self {
        let number = |pixels: usize| i64::try_from(pixels).expect("a picture has fewer pixels");
        let weights = (0..new).map(|at| weights(number(at), number(old), number(new)));
        Self { old, weights: weights.collect() }
    }
}

/// Places are counted in parts of `2 * new` for each old pixel.
fn weights(at: i64, old: i64, new: i64) -> (usize, Vec<i32>) {
    let unit = 2 * new;
    // The middle of the new pixel, and how far the kernel reaches on both sides: two new pixels.
    let (middle, reach) = ((2 * at + 1) * old, 4 * old.max(new));
    let first = (middle - reach).div_euclid(unit).clamp(0, old - 1);
    let last = (middle + reach).div_euclid(unit).clamp(first, old - 1);
    let distance = |pixel: i64| ((2 * pixel + 1) * new - middle).abs();
    let mut weights: Vec<i64> =
        (first..=last).map(|pixel| kernel(distance(pixel) * ONE / (reach / 2))).collect();
    let sum: i64 = weights.iter().sum::<i64>().max(1);
    for weight in &mut weights {
        *weight = *weight * ONE / sum;
    }
    // What rounding took goes to the largest.
    let rest = ONE - weights.iter().sum::<i64>();
    if let Some(largest) = weights.iter_mut().max() {
        *largest += rest;
    }
    let weights = weights.into_iter().map(|weight| i32::try_from(weight).unwrap_or_default());
    (usize::try_from(first).unwrap_or_default(), weights.collect())
}

/// Twice the weight at a distance, both in `ONE`s: Keys, "Cubic convolution interpolation", with a = −½.
fn kernel(distance: i64) -> i64 {
    let power = |exponent: u32| distance.pow(exponent) >> (BITS * (exponent - 1));
    match distance {
        0..ONE => 3 * power(3) - 5 * power(2) + 2 * ONE,
        ONE..=LAST_BELOW_TWO => 5 * power(2) - power(3) - 8 * distance + 4 * ONE,
        _ => 0,
    }
}

/// All rows with as many pixels as there are taps.
fn scaled(pixels: &[u8], rows: usize, taps: &Taps) -> Vec<u8> {
    let (pixels, _) = pixels.as_chunks::<CHANNELS>();
    let mut out = Vec::with_capacity(rows * taps.weights.len() * CHANNELS);
    for row in pixels.chunks_exact(taps.old) {
        for (first, weights) in &taps.weights {
            let mut sums = [0_i32; CHANNELS];
            for (pixel, weight) in row[*first..].iter().zip(weights) {
                for (sum, part) in sums.iter_mut().zip(pixel) {
                    *sum += i32::from(*part) * weight;
                }
            }
            let rounded = |sum: i32| byte((sum + (1 << (BITS - 1))) >> BITS);
            out.extend(sums.map(rounded));
        }
    }
    out
}

fn byte(number: i32) -> u8 {
    u8::try_from(number.clamp(0, 255)).unwrap_or(u8::MAX)
}

/// Columns as rows.
fn transposed(pixels: &[u8], width: usize, height: usize) -> Vec<u8> {
    let (pixels, _) = pixels.as_chunks::<CHANNELS>();
    let mut out = Vec::with_capacity(pixels.len() * CHANNELS);
    for column in 0..width {
        for row in 0..height {
            out.extend_from_slice(&pixels[row * width + column]);
        }
    }
    out
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
                let small = to_width(&picture(width, height, |_, _| colour), to);
                assert_eq!((small.width, small.height), (to, ((height * to + width / 2) / width).max(1)));
                // Two roundings of a colour that is half seen.
                let differs = |(one, other): (&u8, &u8)| one.abs_diff(*other) > u8::from(colour[3] < 255);
                let pixels = small.pixels.as_chunks::<CHANNELS>().0;
                assert!(!pixels.iter().any(|pixel| pixel.iter().zip(&colour).any(differs)), "{pixels:?}");
            }
        }
    }

    #[test]
    fn both_sides_are_treated_alike_and_edges_stay_where_they_are() {
        let left = |x: usize| if x < 400 { [0, 0, 0, 255] } else { [255, 255, 255, 255] };
        let small = to_width(&picture(800, 800, |x, _| left(x)), 200);
        let turned = to_width(&picture(800, 800, |_, y| left(y)), 200);
        assert_eq!(transposed(&small.pixels, 200, 200), turned.pixels);
        let row: Vec<u8> =
            small.pixels.as_chunks::<CHANNELS>().0[..200].iter().map(|pixel| pixel[0]).collect();
        assert_eq!((row[96], row[103]), (0, 255), "{row:?}");
        assert!(row[99] < 128 && row[100] > 127, "{row:?}");
    }

    #[test]
    fn colours_that_are_not_seen_do_not_show_through() {
        let half = |x: usize, _: usize| if x.is_multiple_of(2) { [255, 0, 0, 0] } else { [0, 0, 255, 255] };
        let small = to_width(&picture(64, 4, half), 16);
        assert!(
            small.pixels.as_chunks::<CHANNELS>().0.iter().all(|[red, _, blue, _]| *red == 0 && *blue > 250)
        );
    }
}
