//! The text of a file, in memory or on disk.

use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use base::error::{Error, Result};
use base::site_path::SitePath;

/// Maximum size of texts in memory, in bytes. Larger sites are read again when a text is needed: a site of 30,000
/// pages has 130 MB of text, and each page is needed only a few times.
pub const MOST_HELD: usize = 16 << 20;

/// A text file.
#[derive(Clone, Debug)]
pub struct Text {
    pub path: SitePath,
    /// Offset of the first byte that isn't UTF-8.
    pub invalid: Option<usize>,
    /// BLAKE3 of the file's bytes.
    pub hash: blake3::Hash,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    Held(Arc<str>),
    /// The text is on disk and has this many bytes.
    OnDisk(usize, Arc<TextReader>),
}

/// Reads texts again, and records if one has changed.
#[derive(Debug)]
pub(super) struct TextReader {
    root: PathBuf,
    held: AtomicUsize,
    /// The first file that couldn't be read again, and why.
    failure: OnceLock<(PathBuf, io::Error)>,
}

impl Text {
    pub fn new(path: SitePath, bytes: Vec<u8>) -> Self {
        let hash = blake3::hash(&bytes);
        let (text, invalid) = match String::from_utf8(bytes) {
            Ok(text) => (text, None),
            Err(error) => {
                let invalid = error.utf8_error().valid_up_to();
                (with_question_marks(error.as_bytes()), Some(invalid))
            }
        };
        Self { path, content: Content::Held(text.into()), invalid, hash }
    }

    /// Returns the text byte for byte, including the BOM and line ends. Each byte that isn't UTF-8 is a question mark.
    pub fn text(&self) -> Cow<'_, str> {
        match &self.content {
            Content::Held(text) => Cow::Borrowed(text),
            Content::OnDisk(size, reader) => Cow::Owned(reader.read(&self.path, *size, &self.hash)),
        }
    }

    /// Size in bytes.
    pub fn size(&self) -> usize {
        match &self.content {
            Content::Held(text) => text.len(),
            Content::OnDisk(size, _) => *size,
        }
    }

    /// Returns an unchanged file of an earlier run. It is read when its text is needed.
    pub(super) fn seen(path: SitePath, hash: blake3::Hash, size: usize, reader: &Arc<TextReader>) -> Self {
        Self { path, invalid: None, hash, content: Content::OnDisk(size, reader.clone()) }
    }

    /// Drops the text from memory if the maximum is reached.
    pub(super) fn unless_too_much(mut self, reader: &Arc<TextReader>) -> Self {
        let size = self.size();
        if self.invalid.is_none() && reader.held.fetch_add(size, Ordering::Relaxed) + size > MOST_HELD {
            self.content = Content::OnDisk(size, reader.clone());
        }
        self
    }
}

impl TextReader {
    pub(super) fn new(root: &Path) -> Arc<Self> {
        Arc::new(Self { root: root.to_path_buf(), held: AtomicUsize::new(0), failure: OnceLock::new() })
    }

    /// Returns the text of a file. If the file has changed, returns spaces of the same length, so that existing
    /// ranges stay valid, and [`Self::check`] fails before anything is published or reported.
    fn read(&self, path: &SitePath, size: usize, hash: &blake3::Hash) -> String {
        let file = self.root.join(path.as_str());
        let failure = match fs::read_to_string(&file) {
            Ok(text) if blake3::hash(text.as_bytes()) == *hash => return text,
            Ok(_) => io::Error::other("it changed in the meantime; run the command again"),
            Err(error) => error,
        };
        _ = self.failure.set((file, failure));
        " ".repeat(size)
    }

    /// # Errors
    ///
    /// If a file couldn't be read again or had changed.
    pub(super) fn check(&self) -> Result<()> {
        match self.failure.get() {
            None => Ok(()),
            Some((path, error)) => {
                let source = io::Error::new(error.kind(), error.to_string());
                Err(Error::Io { verb: "read", path: path.clone(), source })
            }
        }
    }
}

/// Replaces each byte that isn't UTF-8, so that the offsets stay.
fn with_question_marks(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_read_again_is_the_same_or_reported_as_changed() {
        let root = tempfile::tempdir().unwrap();
        let (file, reader) = (root.path().join("page.md"), TextReader::new(root.path()));
        fs::write(&file, "Müsli").unwrap();
        let text = Text::seen("page.md".into(), blake3::hash("Müsli".as_bytes()), 6, &reader);
        assert_eq!((text.text(), text.size()), ("Müsli".into(), 6));
        reader.check().unwrap();
        fs::write(&file, "Porridge").unwrap();
        assert_eq!(text.text(), " ".repeat(6));
        let said = reader.check().unwrap_err().to_string();
        assert!(said.contains("page.md") && said.contains("it changed in the meantime"), "{said}");
        fs::remove_file(&file).unwrap();
        let reader = TextReader::new(root.path());
        assert_eq!(Text::seen("page.md".into(), text.hash, 6, &reader).text(), " ".repeat(6));
        assert!(reader.check().is_err());
    }

    #[test]
    fn no_more_is_held_than_does_good() {
        let reader = TextReader::new(Path::new("/nowhere"));
        let text = |size: usize| Text::new("page.md".into(), vec![b'x'; size]).unless_too_much(&reader);
        let is_held = |text: &Text| matches!(text.content, Content::Held(_));
        assert!(is_held(&text(MOST_HELD)));
        assert!(!is_held(&text(1)));
        let invalid = Text::new("page.md".into(), vec![0xff]).unless_too_much(&reader);
        assert!(is_held(&invalid), "it cannot be told by its hash");
    }
}
