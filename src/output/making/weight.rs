//! The size of a built site for its host: files and bytes, by part of the site.

use base::sorted::SortedMap;
use site::plan::Extra;

/// The files of a built site.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weight {
    pub all: Sum,
    /// The files of each optional part.
    pub extras: SortedMap<Extra, Sum>,
    /// The path of the largest file, its size in bytes, and the part to which it belongs.
    pub largest: Option<(String, u64, Option<Extra>)>,
}

/// Number and size of some files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    pub files: usize,
    pub bytes: u64,
}

impl Sum {
    fn add(&mut self, bytes: u64) {
        self.files += 1;
        self.bytes += bytes;
    }
}

impl Weight {
    /// Returns the sum for files with their paths and sizes.
    pub fn of<'f>(files: impl Iterator<Item = (&'f str, u64, Option<Extra>)>) -> Self {
        let (mut weight, mut largest) = (Self::default(), None);
        for (path, bytes, extra) in files {
            weight.all.add(bytes);
            if let Some(extra) = extra {
                weight.extras.entry(extra).or_default().add(bytes);
            }
            if largest.is_none_or(|(_, most, _)| bytes > most) {
                largest = Some((path, bytes, extra));
            }
        }
        weight.largest = largest.map(|(path, bytes, extra)| (path.to_string(), bytes, extra));
        weight
    }
}
