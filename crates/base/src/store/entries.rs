//! Results by key in two files: an index that is read completely, and data from which only the needed entries are
//! read.
//!
//! New entries are appended to the data, and then a new index replaces the old one. If a run is killed in between,
//! the data contains bytes that the index doesn't refer to. When most of the data is unused, it is rewritten under
//! another name, so that runs that are reading the old file can continue.
//!
//! The index has a seal, and so has each entry together with its key. Entries that don't match their seal count as
//! missing.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use super::folder::{Folder, Lock, SEAL, seal_of};
use crate::sort::StableSort as _;

pub type Key = [u8; 32];

/// Maximum size of all entries in bytes, whatever the size of the site. Beyond it, the least recently used entries
/// are dropped.
const MOST: u64 = 1 << 30;

/// Bytes written after an entry's last use before it may be dropped, whatever the size of the site.
const ALWAYS_KEPT: u64 = 4 << 20;

/// Average entry size in bytes. Below it, reading many entries one by one takes longer than reading the complete
/// file.
const SMALL: u64 = 2 << 10;

/// Maximum size of data that is read completely, in bytes.
const MOST_WHOLE: u64 = 16 << 20;

/// Unused bytes that are not worth rewriting the data.
const WASTE_ALLOWED: u64 = 1 << 20;

#[derive(Debug, Default, Serialize, Deserialize)]
struct Index {
    /// Number of the data file.
    generation: u64,
    /// Total number of bytes ever written. Entries age by this clock, so that an hour of edits to one page counts as
    /// little on a large site.
    clock: u64,
    /// Sorted by key.
    #[serde(with = "packed")]
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: Key,
    offset: u64,
    length: u32,
    seal: [u8; SEAL],
    /// Value of the clock when the entry was last used.
    used: u64,
}

/// Serializes entries as one block of bytes, because reading their many numbers one by one would take long.
mod packed {
    use serde::de::Error as _;
    use serde::{Deserializer, Serializer};
    use serde_bytes::ByteBuf;

    use super::{Entry, SEAL};

    const SIZE: usize = 32 + 8 + 4 + SEAL + 8;

    pub(super) fn serialize<S: Serializer>(entries: &[Entry], serializer: S) -> Result<S::Ok, S::Error> {
        let mut bytes = Vec::with_capacity(entries.len() * SIZE);
        for Entry { key, offset, length, seal, used } in entries {
            bytes.extend_from_slice(key);
            bytes.extend_from_slice(&offset.to_le_bytes());
            bytes.extend_from_slice(&length.to_le_bytes());
            bytes.extend_from_slice(seal);
            bytes.extend_from_slice(&used.to_le_bytes());
        }
        serde_bytes::serialize(&bytes, serializer)
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Vec<Entry>, D::Error> {
        let bytes: ByteBuf = serde_bytes::deserialize(deserializer)?;
        let (entries, rest) = bytes.as_slice().as_chunks::<SIZE>();
        let entries = entries.iter().map(entry).collect::<Option<_>>();
        entries.filter(|_| rest.is_empty()).ok_or_else(|| D::Error::custom("entries of another size"))
    }

    fn entry(bytes: &[u8; SIZE]) -> Option<Entry> {
        let (key, rest) = bytes.split_first_chunk()?;
        let (offset, rest) = rest.split_first_chunk()?;
        let (length, rest) = rest.split_first_chunk()?;
        let (seal, rest) = rest.split_first_chunk()?;
        let used = rest.first_chunk()?;
        Some(Entry {
            key: *key,
            offset: u64::from_le_bytes(*offset),
            length: u32::from_le_bytes(*length),
            seal: *seal,
            used: u64::from_le_bytes(*used),
        })
    }
}

/// Entries of one kind from earlier runs.
#[derive(Debug)]
pub(super) struct Entries {
    folder: Folder,
    kind: &'static str,
    /// Sorted by key, with a flag whether this run has used the entry.
    sorted: Vec<(Entry, AtomicBool)>,
    data: Option<Data>,
    /// The clock when a build first wrote entries. It may write several times, and all its entries are equally new.
    first_write: Mutex<Option<u64>>,
}

#[derive(Debug)]
enum Data {
    Whole(Vec<u8>),
    File(File),
}

impl Entries {
    /// Opens the entries. A missing or damaged folder gives no entries.
    pub(super) fn open(folder: &Folder, kind: &'static str) -> Self {
        let index: Index = folder.read(&index_name(kind)).unwrap_or_default();
        let data = Data::open(folder, kind, &index);
        let entries = index.entries.into_iter().map(|entry| (entry, AtomicBool::new(false)));
        Self { folder: folder.clone(), kind, sorted: entries.collect(), data, first_write: Mutex::default() }
    }

    pub(super) fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let at = self.sorted.binary_search_by(|(entry, _)| entry.key.cmp(key)).ok()?;
        let (entry, is_used) = &self.sorted[at];
        let bytes = self.data.as_ref()?.read(entry)?;
        is_used.store(true, Ordering::Relaxed);
        Some(bytes)
    }

    /// Writes `new` for later runs, in addition to the entries that other runs have written in the meantime. More entries of
    /// the same build follow, unless it `is_last`.
    pub(super) fn keep(
        &self,
        lock: &Lock,
        new: impl Iterator<Item = (Key, Vec<u8>)>,
        is_last: bool,
    ) -> io::Result<()> {
        let mut new = new.peekable();
        if new.peek().is_none() {
            return Ok(());
        }
        let mut index: Index = self.folder.read(&index_name(self.kind)).unwrap_or_default();
        let mut first = super::lock(&self.first_write);
        let first_write = *first.get_or_insert(index.clock);
        if is_last {
            *first = None;
        }
        drop(first);
        let mut asked = self.sorted.iter().filter(|(_, is_used)| is_used.load(Ordering::Relaxed)).peekable();
        for entry in &mut index.entries {
            // Both are sorted.
            while asked.next_if(|(earlier, _)| earlier.key < entry.key).is_some() {}
            let is_asked = asked.next_if(|(same, _)| same.key == entry.key).is_some();
            if is_asked || entry.used > first_write {
                entry.used = index.clock;
            }
        }
        drop_old(&mut index.entries, index.clock, MOST);
        let before = index.generation;
        let kept = self.append(lock, index, new);
        let generation = *kept.as_ref().unwrap_or(&before);
        // This also helps if the disk is full: files that the index doesn't refer to are unused.
        self.remove_others(generation);
        kept.map(drop)
    }

    /// Appends `new` to the data and the index. Returns the number of the data file that the index now refers to.
    fn append(
        &self,
        lock: &Lock,
        mut index: Index,
        new: impl Iterator<Item = (Key, Vec<u8>)>,
    ) -> io::Result<u64> {
        let mut data = self.data_to_append(&mut index)?;
        let mut offset = data.seek(SeekFrom::End(0))?;
        let mut data = BufWriter::new(data);
        let mut made = BTreeMap::new();
        let mut kept = 0;
        for (key, value) in new {
            let Ok(length) = u32::try_from(value.len()) else { continue };
            if kept + u64::from(length) > MOST {
                break;
            }
            data.write_all(&value)?;
            kept += u64::from(length);
            let used = index.clock + kept;
            made.insert(key, Entry { key, offset, length, seal: seal_of(&key, &value), used });
            offset += u64::from(length);
        }
        data.flush()?;
        index.clock += kept;
        // A new entry replaces one with the same key, which was unreadable or written by another run in the meantime.
        index.entries.retain(|entry| !made.contains_key(&entry.key));
        index.entries.extend(made.into_values());
        index.entries.stable_sort_by_key(|entry| entry.key);
        self.folder.write(lock, &index_name(self.kind), &index)?;
        Ok(index.generation)
    }

    /// Returns the data file that `index` refers to, or a new one with the entries that are still in use.
    fn data_to_append(&self, index: &mut Index) -> io::Result<File> {
        let live: u64 = index.entries.iter().map(|entry| u64::from(entry.length)).sum();
        let path = self.folder.file(&data_name(self.kind, index.generation));
        let old = File::options().read(true).append(true).open(path);
        if let Ok(file) = &old
            && file.metadata()?.len() < 2 * live + WASTE_ALLOWED
        {
            return old;
        }
        let kept = std::mem::take(&mut index.entries);
        index.generation = self.next_generation();
        let path = self.folder.file(&data_name(self.kind, index.generation));
        let mut file = File::options().append(true).create_new(true).open(path)?;
        let Ok(old) = old.map(Data::File) else { return Ok(file) };
        let mut offset = 0;
        for entry in kept {
            let Some(value) = old.read(&entry) else { continue };
            file.write_all(&value)?;
            index.entries.push(Entry { offset, ..entry });
            offset += u64::from(entry.length);
        }
        Ok(file)
    }

    /// Returns a number above that of every existing file, so that names are never reused.
    fn next_generation(&self) -> u64 {
        let names = self.folder.names(&format!("{}-", self.kind));
        names
            .iter()
            .filter_map(|name| generation_of(self.kind, name))
            .max()
            .map_or(1, |last| last.saturating_add(1))
    }

    fn remove_others(&self, generation: u64) {
        for name in self.folder.names(&format!("{}-", self.kind)) {
            if generation_of(self.kind, &name).is_some_and(|other| other != generation) {
                // If this fails, the next run tries again.
                _ = fs::remove_file(self.folder.file(&name));
            }
        }
    }
}

/// Drops entries that haven't been used while more than three quarters of the current size was written. The cache
/// therefore contains at most four times the bytes in use, and repeated edits don't drop other entries before writing
/// three times their size. If the rest exceeds `most` bytes, the least recently used entries are dropped as well.
fn drop_old(entries: &mut Vec<Entry>, clock: u64, most: u64) {
    let all: u64 = entries.iter().map(|entry| u64::from(entry.length)).sum();
    let oldest = clock.saturating_sub(ALWAYS_KEPT.max(all / 4 * 3));
    entries.retain(|entry| entry.used >= oldest);
    let mut left: u64 = entries.iter().map(|entry| u64::from(entry.length)).sum();
    if left > most {
        entries.stable_sort_by_key(|entry| (entry.used, entry.key));
        entries.retain(|entry| {
            let stays = left <= most;
            left -= if stays { 0 } else { u64::from(entry.length) };
            stays
        });
        entries.stable_sort_by_key(|entry| entry.key);
    }
}

fn index_name(kind: &str) -> String {
    format!("{kind}.index")
}

fn data_name(kind: &str, generation: u64) -> String {
    format!("{kind}-{generation}.data")
}

fn generation_of(kind: &str, name: &str) -> Option<u64> {
    name.strip_prefix(kind)?.strip_prefix('-')?.strip_suffix(".data")?.parse().ok()
}

impl Data {
    fn open(folder: &Folder, kind: &str, index: &Index) -> Option<Self> {
        let mut file = File::open(folder.file(&data_name(kind, index.generation))).ok()?;
        let size = file.metadata().ok()?.len();
        if size > MOST_WHOLE.min(SMALL * index.entries.len() as u64) {
            return Some(Self::File(file));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).ok()?;
        Some(Self::Whole(bytes))
    }

    /// Returns `None` if the bytes don't match the seal.
    fn read(&self, entry: &Entry) -> Option<Vec<u8>> {
        // Damage to the index is noticed earlier. Still, an entry must not be longer than the file.
        let length = usize::try_from(entry.length).ok()?;
        let bytes = match self {
            Self::Whole(all) => all.get(usize::try_from(entry.offset).ok()?..)?.get(..length)?.to_vec(),
            Self::File(file) => {
                let mut bytes = vec![0; length];
                file.read_exact_at(&mut bytes, entry.offset).ok()?;
                bytes
            }
        };
        (seal_of(&entry.key, &bytes) == entry.seal).then_some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn folder_of(root: &Path) -> Folder {
        Folder::at(root.join(super::super::folder::NAME), "1")
    }

    fn key(number: u8) -> Key {
        [number; 32]
    }

    fn keep(root: &Path, ask_for: &[u8], new: &[(u8, &str)]) {
        let folder = folder_of(root);
        let store = Entries::open(&folder, "test");
        for number in ask_for {
            store.get(&key(*number));
        }
        let new = new.iter().map(|(number, text)| (key(*number), text.as_bytes().to_vec()));
        store.keep(&folder.lock().unwrap().unwrap(), new, true).unwrap();
    }

    #[track_caller]
    fn check(root: &Path, expected: &str) {
        let store = Entries::open(&folder_of(root), "test");
        let value = |number| store.get(&key(number)).map(|bytes| String::from_utf8(bytes).unwrap());
        let found: Vec<_> =
            (0..30).filter_map(|number| Some(format!("{number}={}", value(number)?))).collect();
        assert_eq!(found.join(" "), expected);
    }

    fn files(root: &Path) -> Vec<String> {
        let mut names = folder_of(root).names("test");
        names.sort();
        names
    }

    #[test]
    fn stored_entries_are_found_again() {
        let root = tempfile::tempdir().unwrap();
        check(root.path(), "");
        keep(root.path(), &[], &[(1, "one"), (2, "two")]);
        keep(root.path(), &[], &[(3, "three"), (1, "one")]);
        check(root.path(), "1=one 2=two 3=three");
        assert_eq!(files(root.path()), ["test-1.data", "test.index"]);
    }

    #[test]
    fn unused_entries_are_dropped_and_the_data_is_rewritten() {
        let root = tempfile::tempdir().unwrap();
        let large = "x".repeat(usize::try_from(ALWAYS_KEPT).unwrap() / 2);
        keep(root.path(), &[], &[(1, "one"), (2, &large)]);
        let early = Entries::open(&folder_of(root.path()), "test");
        for number in 3..7 {
            keep(root.path(), &[1], &[(number, &large)]);
        }
        assert_eq!(files(root.path()), ["test-1.data", "test.index"]);
        for number in 7..20 {
            keep(root.path(), &[1], &[(number, &large)]);
        }
        assert!(!files(root.path()).contains(&"test-1.data".to_string()) && files(root.path()).len() == 2);
        let late = Entries::open(&folder_of(root.path()), "test");
        assert!(late.get(&key(2)).is_none() && late.get(&key(19)).is_some());
        for store in [early, late] {
            assert_eq!(store.get(&key(1)).as_deref(), Some(b"one".as_slice()), "also where the file is gone");
        }
    }

    /// A build that writes several times drops nothing of its own, and an hour of builds does.
    #[test]
    fn all_entries_of_a_build_are_equally_new() {
        let root = tempfile::tempdir().unwrap();
        let folder = folder_of(root.path());
        let large = vec![b'x'; usize::try_from(ALWAYS_KEPT).unwrap()];
        let store = Entries::open(&folder, "test");
        let write = |number, is_last| {
            let new = [(key(number), large.clone())].into_iter();
            store.keep(&folder.lock().unwrap().unwrap(), new, is_last).unwrap();
        };
        let count = || Entries::open(&folder, "test").sorted.len();
        for number in 0..8 {
            write(number, number == 7);
        }
        assert_eq!(count(), 8);
        for number in 8..40 {
            write(number, true);
        }
        assert!(count() < 16, "{}", count());
    }

    /// Returns entries of one size, by number.
    fn entries(used: impl Iterator<Item = (usize, u64)>, length: u32) -> Vec<Entry> {
        let entry = |(number, used): (usize, u64)| {
            let mut key = [0; 32];
            key[..8].copy_from_slice(&(number as u64).to_be_bytes());
            Entry { key, offset: 0, length, seal: [0; SEAL], used }
        };
        used.map(entry).collect()
    }

    /// Simulates a session in which each build uses one of many pages and stores a new version of it.
    #[test]
    fn edits_of_a_page_drop_its_old_versions_and_no_other_page() {
        const PAGES: usize = 300;
        const LENGTH: u32 = 100_000;
        let mut clock = PAGES as u64 * u64::from(LENGTH);
        let mut kept = entries((0..PAGES).map(|number| (number, clock)), LENGTH);
        let others = kept.clone();
        // Edits write twice the size of the site.
        for edit in PAGES..3 * PAGES {
            drop_old(&mut kept, clock, u64::MAX);
            clock += u64::from(LENGTH);
            kept.extend(entries([(edit, clock)].into_iter(), LENGTH));
            assert!(others.iter().all(|it| kept.iter().any(|entry| entry.key == it.key)), "after {edit}");
        }
        // However much is written, the cache contains at most about four times the bytes in use.
        for edit in 3 * PAGES..20 * PAGES {
            for entry in kept.iter_mut().filter(|entry| others.iter().any(|it| it.key == entry.key)) {
                entry.used = clock;
            }
            drop_old(&mut kept, clock, u64::MAX);
            clock += u64::from(LENGTH);
            kept.extend(entries([(edit, clock)].into_iter(), LENGTH));
            assert!(kept.len() <= 4 * PAGES + 8, "{} entries after {edit}", kept.len());
        }
    }

    #[test]
    fn the_oldest_entries_are_dropped_above_the_limit() {
        let clock = 40;
        let mut kept = entries([(1, 40), (2, 10), (3, 20), (4, 30)].into_iter(), 10);
        drop_old(&mut kept, clock, 25);
        let left: Vec<u64> = kept.iter().map(|entry| entry.used).collect();
        assert_eq!(left, [40, 30]);
        assert!(kept.is_sorted_by_key(|entry| entry.key));
    }

    /// Changes single bytes of a file and truncates it. Every lookup must return the right value or nothing.
    #[test]
    fn damage_is_never_taken_for_content() {
        let root = tempfile::tempdir().unwrap();
        keep(root.path(), &[], &[(1, "one"), (2, "two")]);
        for name in files(root.path()) {
            let path = root.path().join(super::super::folder::NAME).join(name);
            let whole = fs::read(&path).unwrap();
            for at in 0..whole.len() {
                let mut damaged = whole.clone();
                damaged[at] ^= 1;
                for bytes in [damaged.as_slice(), &whole[..at]] {
                    fs::write(&path, bytes).unwrap();
                    let store = Entries::open(&folder_of(root.path()), "test");
                    assert!(store.get(&key(1)).is_none_or(|bytes| bytes == b"one"), "{at}");
                    assert!(store.get(&key(2)).is_none_or(|bytes| bytes == b"two"), "{at}");
                }
            }
            fs::write(&path, b"").unwrap();
            keep(root.path(), &[], &[(1, "one"), (2, "two")]);
            keep(root.path(), &[], &[(3, "three")]);
            fs::write(&path, whole).unwrap();
        }
    }

    #[test]
    fn a_second_writer_keeps_nothing_and_no_folder_is_no_failure() {
        let root = tempfile::tempdir().unwrap();
        let folder = folder_of(root.path());
        let lock = folder.lock().unwrap();
        assert!(lock.is_some() && folder.lock().unwrap().is_none());
        drop(lock);
        assert!(folder.lock().unwrap().is_some());
        assert_eq!(fs::read_to_string(folder.file(".gitignore")).unwrap(), "*\n");
        let nowhere = folder_of(&root.path().join("file"));
        fs::write(root.path().join("file"), "").unwrap();
        assert!(nowhere.lock().is_err());
        assert!(Entries::open(&nowhere, "test").get(&key(1)).is_none());
    }
}
