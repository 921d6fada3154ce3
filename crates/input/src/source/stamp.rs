//! Detects whether a file has changed, without reading it.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// The metadata of a file. Writing to the file or replacing it changes the metadata, unless it happens in the same
/// clock step as the previous change: see [`Stamp::is_settled`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Packed", into = "Packed")]
pub struct Stamp {
    pub size: u64,
    /// When the content changed, in nanoseconds since 1970.
    pub modified: i64,
    /// When the content, name or permissions changed, in nanoseconds since 1970. Unlike `modified`, programs can't
    /// set it.
    pub changed: i64,
    pub device: u64,
    pub inode: u64,
}

/// A stamp as bytes, because stores contain too many to read them number by number.
#[derive(Serialize, Deserialize)]
struct Packed(#[serde(with = "serde_bytes")] [u8; STAMP]);

/// Size of a stored stamp in bytes.
pub const STAMP: usize = 40;

impl From<Stamp> for Packed {
    fn from(stamp: Stamp) -> Self {
        Self(stamp.to_bytes())
    }
}

impl From<Packed> for Stamp {
    fn from(Packed(bytes): Packed) -> Self {
        Self::of_bytes(bytes)
    }
}

/// File times are rounded to steps of up to 10 ms (a tick of the kernel), or 2 s on some file systems (FAT).
const TICK: i64 = 20_000_000;
const COARSE_TICK: i64 = 2_100_000_000;
const SECOND: i64 = 1_000_000_000;

impl Stamp {
    pub fn of(metadata: &Metadata) -> Self {
        let nanoseconds = |seconds: i64, rest: i64| seconds.saturating_mul(SECOND).saturating_add(rest);
        Self {
            size: metadata.len(),
            modified: nanoseconds(metadata.mtime(), metadata.mtime_nsec()),
            changed: nanoseconds(metadata.ctime(), metadata.ctime_nsec()),
            device: metadata.dev(),
            inode: metadata.ino(),
        }
    }

    /// Returns the stored form.
    pub fn to_bytes(self) -> [u8; STAMP] {
        let Self { size, modified, changed, device, inode } = self;
        let mut bytes = [0; STAMP];
        let parts = [size, modified.cast_unsigned(), changed.cast_unsigned(), device, inode];
        for (bytes, part) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(parts) {
            *bytes = part.to_le_bytes();
        }
        bytes
    }

    pub fn of_bytes(bytes: [u8; STAMP]) -> Self {
        let part = |at: usize| u64::from_le_bytes(bytes.as_chunks::<8>().0[at]);
        let (modified, changed) = (part(1).cast_signed(), part(2).cast_signed());
        Self { size: part(0), modified, changed, device: part(3), inode: part(4) }
    }

    /// Whether a write after the moment `read` is certain to change the stamp, because the file's times are at least
    /// one clock step older. This is git's rule for racily clean entries. A time in the future, as after the clock
    /// was set back, is never settled.
    pub fn is_settled(&self, read: Moment) -> bool {
        let is_coarse = self.modified % SECOND == 0 && self.changed % SECOND == 0;
        let tick = if is_coarse { COARSE_TICK } else { TICK };
        self.modified.max(self.changed).saturating_add(tick) < read.0
    }
}

/// Nanoseconds since 1970 on this machine's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Moment(i64);

impl Moment {
    pub fn now() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self(i64::try_from(since.as_nanos()).unwrap_or(i64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_does_not_change() {
        let stamp = Stamp { size: 1, modified: -2, changed: i64::MAX, device: u64::MAX, inode: 5 };
        assert_eq!(Stamp::from(Packed::from(stamp)), stamp);
    }

    #[test]
    fn a_file_is_settled_once_its_clock_has_moved_on() {
        let at = |modified, changed| Stamp { size: 1, modified, changed, device: 1, inode: 1 };
        let settled = |stamp: Stamp, read| stamp.is_settled(Moment(read));
        let fine = at(7 * SECOND + 1, 7 * SECOND + 1);
        assert!(!settled(fine, 7 * SECOND + 1) && !settled(fine, 7 * SECOND + TICK));
        assert!(settled(fine, 7 * SECOND + TICK + 2));
        // A time in whole seconds may come from a file system with that resolution.
        let coarse = at(7 * SECOND, 7 * SECOND);
        assert!(!settled(coarse, 9 * SECOND) && settled(coarse, 10 * SECOND));
        // Copied with its old time, or saved while the clock was fast.
        assert!(!settled(at(SECOND + 1, 7 * SECOND + 1), 7 * SECOND + 2));
        assert!(!settled(at(99 * SECOND, 99 * SECOND + 1), 7 * SECOND));
    }
}
