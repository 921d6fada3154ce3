//! Fast hash tables and checksums for data that no attacker controls.
//!
//! The tables are those of the standard library with a hash function that takes a quarter of the time. Its seed
//! changes with each run, so nothing can depend on the order of the entries. Checksums are for caches on this
//! machine. Published files and comparisons of texts use BLAKE3.

use twox_hash::XxHash3_128;

pub type HashMap<K, V> = std::collections::HashMap<K, V, foldhash::fast::RandomState>;
pub type HashSet<T> = std::collections::HashSet<T, foldhash::fast::RandomState>;

/// Returns a checksum that is the same on every machine. Collisions are too unlikely to matter.
pub fn sum(bytes: &[u8]) -> u128 {
    XxHash3_128::oneshot(bytes)
}

/// Input for a checksum. Each part is preceded by its length, so that different lists of parts have different bytes.
#[derive(Debug)]
pub struct Summands(Vec<u8>);

impl Default for Summands {
    fn default() -> Self {
        /// Capacity that is enough for most inputs, in bytes.
        const MOST: usize = 512;
        Self(Vec::with_capacity(MOST))
    }
}

impl Summands {
    /// Reserves capacity for additional bytes.
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

    /// Iterates over the parts.
    pub fn parts(&self) -> impl Iterator<Item = &[u8]> {
        let mut rest = self.0.as_slice();
        std::iter::from_fn(move || {
            let (length, after) = rest.split_first_chunk()?;
            let (part, others) = after.split_at(usize::try_from(u64::from_le_bytes(*length)).ok()?);
            rest = others;
            Some(part)
        })
    }
}
