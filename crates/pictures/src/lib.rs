//! Creates smaller versions of screenshots, in the widths that screens need.
//!
//! In: a PNG or JPEG file. Out: its renditions as [`webp`] or [`avif`], each smaller than the file. The bytes are the same on
//! every machine, except the last digit of a number in AVIF files.
//!
//! It is a crate of its own so that scaling and encoding are optimized in debug builds as well.

pub mod avif;
mod decode;
mod resize;
pub mod webp;

/// Width in pixels of the widest text column at the default text size: 44rem of 17 px.
pub const COLUMN: usize = 748;
