//! What a host has to take: how many files and bytes a built site has, and of which parts.

use std::collections::BTreeMap;

use crate::site::plan::Extra;

/// The files of a built site.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weight {
    pub all: Sum,
    /// Of each part that may be left out.
    pub extras: BTreeMap<Extra, Sum>,
    /// The path of the largest file, its bytes, and the part that it belongs to.
    pub largest: Option<(String, u64, Option<Extra>)>,
}

/// Some files.
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
    /// Of files with their paths and bytes.
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
