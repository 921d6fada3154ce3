//! Tables found by a hash, and sums of bytes: where nobody gains from two things that have the same.
//!
//! The tables are those of the standard library with a hash that takes a quarter of the time. It is another in each
//! run, so nothing can depend on the order of what is in them. Sums are for what is kept on this machine; what is
//! published, or tells texts apart, has BLAKE3.

use twox_hash::XxHash3_128;

pub type HashMap<K, V> = std::collections::HashMap<K, V, foldhash::fast::RandomState>;
pub type HashSet<T> = std::collections::HashSet<T, foldhash::fast::RandomState>;

/// The same for equal bytes on every machine, and another for all others but by a chance that nobody meets.
pub fn sum(bytes: &[u8]) -> u128 {
    XxHash3_128::oneshot(bytes)
}

/// Summands that a sum is made of, each with its length, so that no two lists of parts have the same bytes.
#[derive(Debug)]
pub struct Summands(Vec<u8>);

impl Default for Summands {
    fn default() -> Self {
        /// Most have fewer bytes.
        const MOST: usize = 512;
        Self(Vec::with_capacity(MOST))
    }
}

impl Summands {
    /// Makes room for so many bytes more.
    pub fn reserve(&mut self, bytes: usize) {
        self.0.reserve(bytes);
    }

    pub fn add(&mut self, part: &(impl AsRef<[u8]> + ?Sized)) -> &mut Self {
        let bytes = part.as_ref();
        self.0.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        self.0.extend_from_slice(bytes);
        self
    }

    pub fn sum(&self) -> u128 {
        sum(&self.0)
    }
}
