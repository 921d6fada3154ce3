//! Decodes images.

use std::io::Cursor;

use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// Bytes per pixel: red, green, blue, opacity.
pub(crate) const CHANNELS: usize = 4;

/// An image in memory.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Raster {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Red, green, blue and opacity of each pixel, by rows.
    pub(crate) pixels: Vec<u8>,
    /// The ICC profile of the colors, unless it is nearly sRGB.
    pub(crate) profile: Option<Vec<u8>>,
}

impl Raster {
    pub(crate) fn is_opaque(&self) -> bool {
        self.pixels.as_chunks::<CHANNELS>().0.iter().all(|[.., opacity]| *opacity == u8::MAX)
    }
}

/// Maximum number of pixels. Screenshots have fewer. Each takes four bytes on every thread.
pub(crate) const MOST_PIXELS: usize = 24_000_000;

/// Decodes a PNG or JPEG. Returns `None` if the image is damaged, animated, rotated by its metadata, or too large.
pub(crate) fn picture(bytes: &[u8]) -> Option<Raster> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => png(bytes),
        [0xff, 0xd8, ..] => jpeg(bytes),
        _ => None,
    }
}

fn png(bytes: &[u8]) -> Option<Raster> {
    let limits = png::Limits { bytes: MOST_PIXELS * CHANNELS };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().ok()?;
    let info = reader.info();
    let (width, height) = (usize::try_from(info.width).ok()?, usize::try_from(info.height).ok()?);
    let is_turned = info.exif_metadata.as_ref().is_some_and(|exif| is_turned(exif));
    if is_too_large(width, height) || info.animation_control.is_some() || is_turned {
        return None;
    }
    let profile = info.icc_profile.as_ref().filter(|profile| !is_nearly_srgb(profile));
    let profile = profile.map(|profile| profile.to_vec());
    let mut bytes = vec![0; reader.output_buffer_size()?];
    let frame = reader.next_frame(&mut bytes).ok()?;
    bytes.truncate(frame.buffer_size());
    let pixels = match frame.color_type {
        png::ColorType::Rgba => bytes,
        png::ColorType::Rgb => spread(&bytes, |&[red, green, blue]| [red, green, blue, u8::MAX]),
        png::ColorType::Grayscale => spread(&bytes, |&[grey]| [grey, grey, grey, u8::MAX]),
        png::ColorType::GrayscaleAlpha => spread(&bytes, |&[grey, opacity]| [grey, grey, grey, opacity]),
        png::ColorType::Indexed => return None,
    };
    whole(Raster { width, height, pixels, profile })
}

fn jpeg(bytes: &[u8]) -> Option<Raster> {
    // Processor-specific instructions round differently.
    let options = DecoderOptions::default()
        .set_use_unsafe(false)
        .set_strict_mode(true)
        .jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().ok()?;
    let (width, height) = decoder.dimensions()?;
    let is_known = matches!(decoder.input_colorspace()?, ColorSpace::YCbCr | ColorSpace::RGB);
    if is_too_large(width, height) || !is_known || decoder.exif().is_some_and(|exif| is_turned(exif)) {
        return None;
    }
    let profile = decoder.icc_profile().filter(|profile| !is_nearly_srgb(profile));
    let pixels = spread(&decoder.decode().ok()?, |&[red, green, blue]| [red, green, blue, u8::MAX]);
    whole(Raster { width, height, pixels, profile })
}

fn is_too_large(width: usize, height: usize) -> bool {
    width.checked_mul(height).is_none_or(|pixels| pixels > MOST_PIXELS)
}

/// Returns an image if none of its pixels is missing.
fn whole(raster: Raster) -> Option<Raster> {
    let Raster { width, height, pixels, .. } = &raster;
    (width * height * CHANNELS == pixels.len() && !pixels.is_empty()).then_some(raster)
}

fn spread<const N: usize>(pixels: &[u8], to: impl Fn(&[u8; N]) -> [u8; CHANNELS]) -> Vec<u8> {
    pixels.as_chunks::<N>().0.iter().flat_map(to).collect()
}

/// Whether the Exif data of an image rotates or mirrors it. WebP can't express that, so the image isn't converted.
///
/// Exif 2.32, "Image File Directory": entries of twelve bytes. Tag 0x0112 is the orientation, and 1 is the normal
/// one.
fn is_turned(exif: &[u8]) -> bool {
    let exif = exif.strip_prefix(b"Exif\0\0").unwrap_or(exif);
    let is_little = exif.starts_with(b"II");
    let number = |at: usize, size: usize| {
        let bytes = exif.get(at..at + size)?.iter();
        let add = |sum: usize, byte: &u8| sum << 8 | usize::from(*byte);
        Some(if is_little { bytes.rev().fold(0, add) } else { bytes.fold(0, add) })
    };
    let orientation = || {
        let directory = number(4, 4)?;
        let entries = (0..number(directory, 2)?).map(|entry| directory + 2 + 12 * entry);
        let entry = entries.take_while(|&at| at < exif.len()).find(|&at| number(at, 2) == Some(0x0112))?;
        number(entry + 8, 2)
    };
    orientation().is_some_and(|orientation| orientation > 1)
}

/// Whether the primary colors of an ICC profile are those of sRGB within the differences between screens. The profile
/// of a screen takes several kilobytes, a fifth of a screenshot, and makes no visible difference. The profile of a
/// screen with a wider gamut stays.
///
/// ICC.1:2022, 7.3 "Tag table" and 10.31, colors as `XYZType`.
fn is_nearly_srgb(profile: &[u8]) -> bool {
    /// X, Y and Z of the primary colors, in 65536ths.
    const SRGB: [(&[u8; 4], [i32; 3]); 3] = [
        (b"rXYZ", [28_578, 14_583, 911]),
        (b"gXYZ", [25_241, 46_981, 6_362]),
        (b"bXYZ", [9_376, 3_970, 46_799]),
    ];
    /// In 65536ths. Red and green of Display P3 differ by 5,200 and 6,100.
    const ALLOWED: u32 = 3_600;
    let number = |at: usize| Some(i32::from_be_bytes(profile.get(at..at.checked_add(4)?)?.try_into().ok()?));
    let offset = |name: &[u8; 4]| {
        let tags = profile.get(132..)?.as_chunks::<12>().0.iter().take(100);
        let tag = tags.into_iter().find(|tag| tag.starts_with(name))?;
        usize::try_from(u32::from_be_bytes([tag[4], tag[5], tag[6], tag[7]])).ok()
    };
    SRGB.iter().all(|(name, colour)| {
        let Some(at) = offset(name) else { return false };
        let parts = (0..3).map(|part| number(at + 8 + 4 * part));
        parts.zip(colour).all(|(part, expected)| part.is_some_and(|part| part.abs_diff(*expected) <= ALLOWED))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_that_are_turned_are_known() {
        let little = |orientation: u8| {
            let mut exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".to_vec();
            exif.extend([orientation, 0, 0, 0]);
            exif
        };
        assert!(!is_turned(&little(1)) && is_turned(&little(6)));
        assert!(is_turned(b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x03\0\0"));
        for end in 0..little(6).len() {
            _ = is_turned(&little(6)[..end]);
        }
        assert!(!is_turned(b"II*\0\xff\xff\xff\xff"));
    }

    fn profile(colours: [[i32; 3]; 3]) -> Vec<u8> {
        let mut profile = vec![0; 128];
        profile.extend(3_u32.to_be_bytes());
        for (at, name) in (0_u32..).zip([b"rXYZ", b"gXYZ", b"bXYZ"]) {
            profile.extend(name);
            profile.extend((168 + 20 * at).to_be_bytes());
            profile.extend(20_u32.to_be_bytes());
        }
        for colour in colours {
            profile.extend(b"XYZ \0\0\0\0");
            profile.extend(colour.iter().flat_map(|part| part.to_be_bytes()));
        }
        profile
    }

    #[test]
    fn only_profiles_with_other_colours_are_kept() {
        let screen = profile([[26_837, 14_202, 668], [25_185, 46_721, 3_296], [11_167, 4_614, 50_089]]);
        let display_p3 = profile([[33_759, 15_806, -69], [19_158, 45_372, 2_745], [10_286, 4_358, 51_390]]);
        assert!(is_nearly_srgb(&screen) && !is_nearly_srgb(&display_p3));
        assert!((0..screen.len()).all(|end| !is_nearly_srgb(&screen[..end])));
    }
}
