//! `translations.lock`: hashes of the originals' sections as of the last translation.
//!
//! A commit id is lost when commits are squashed or rewritten, and a shallow clone lacks it. The hashes of sections last. They show
//! which sections changed, but not how.

use std::fmt::Write as _;
use std::ops::Range;

use super::lag::{ChangeKind, LaggingSection, Sides, is_followed};
use base::error::{Error, Result};
use base::site_path::SitePath;
use base::sorted::{SortedMap, SortedSet};
use input::source::Sources;
use site::languages::{Sketch, SketchIx, SketchPair, SketchReader, SketchSection};

/// Name of the lock file in the root.
pub const LOCK: &str = "translations.lock";

/// Number of hexadecimal digits of a hash.
const DIGITS: usize = 12;

/// Originals by the path of their translation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TranslationLock {
    pages: SortedMap<SitePath, LockedPage>,
}

/// An original as of the last translation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LockedPage {
    sections: Vec<LockedSection>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct LockedSection {
    level: u8,
    id: String,
    words: String,
    numbers: String,
    code: String,
    targets: String,
}

impl TranslationLock {
    /// Reads the file of a site; without one it is empty.
    ///
    /// # Errors
    ///
    /// If the file has a line that Stepkin doesn't write.
    pub fn read(sources: &Sources) -> Result<Self> {
        sources.translation_lock(LOCK).map_or_else(|| Ok(Self::default()), |text| Self::parsed(&text))
    }

    fn parsed(text: &str) -> Result<Self> {
        let mut lock = Self::default();
        let mut page: Option<&mut LockedPage> = None;
        for (number, line) in (1..).zip(text.lines()) {
            let wrong = |what: &str| {
                let text = format!(
                    "{LOCK}:{number}:1: {what}; remove the page, and run `stepkin translations pin --lock` for it"
                );
                Err(Error::usage(text))
            };
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(section) = line.strip_prefix("  ") {
                let Some(page) = &mut page else { return wrong("a section before the first page") };
                let Some(section) = LockedSection::parsed(section) else {
                    return wrong("this is no section");
                };
                page.sections.push(section);
                continue;
            }
            let Some(path) = line.strip_suffix(':').filter(|path| !path.starts_with(' ')) else {
                return wrong("this is no page");
            };
            page = Some(lock.pages.entry(path.into()).or_insert(LockedPage { sections: Vec::new() }));
        }
        Ok(lock)
    }

    pub(super) fn page(&self, path: &SitePath) -> Option<&LockedPage> {
        self.pages.get(path)
    }

    /// Notes the present original of a translation.
    pub fn pin(&mut self, sources: &Sources, translation: &SitePath, original: &SitePath) {
        let text = sources.text(original).map(|text| text.text().into_owned()).unwrap_or_default();
        let page = LockedPage::of(&SketchReader::new(&sources.repository).read(&text));
        self.pages.insert(translation.clone(), page);
    }

    /// Removes a page, and returns whether it was there.
    pub fn remove(&mut self, translation: &SitePath) -> bool {
        self.pages.remove(translation).is_some()
    }

    /// Returns the text of the file.
    pub fn text(&self) -> String {
        let mut text = String::from(
            "# The sections of each original as its translation follows them: level, words, numbers, code, links, and ID.\n\
             # Written by `stepkin translations pin --lock`.\n",
        );
        for (path, page) in &self.pages {
            _ = write!(text, "\n{path}:\n{}", page.text());
        }
        text
    }
}

impl LockedPage {
    fn of(sketch: &Sketch) -> Self {
        Self { sections: sketch.sections.iter().map(LockedSection::of).collect() }
    }

    /// Returns the page's lines of the file.
    pub(super) fn text(&self) -> String {
        let line = |it: &LockedSection| {
            let LockedSection { level, id, words, numbers, code, targets } = it;
            format!("  {level} {words} {numbers} {code} {targets} {id}\n")
        };
        self.sections.iter().map(line).collect()
    }

    /// Returns the changed sections that the translation hasn't followed.
    pub(super) fn lagging(
        &self,
        now: &Sketch,
        translation: &Sketch,
        pairs: &[SketchPair],
    ) -> Vec<LaggingSection> {
        let empty: Sketch = Sketch { sections: vec![SketchSection::default()].into() };
        let sides = Sides { before: &empty, now, translation, pairs };
        let mut found = Vec::new();
        let mut taken: SortedSet<usize> = SortedSet::new();
        for (at, section) in now.sections.indexed() {
            let present = LockedSection::of(section);
            let is_free = |index: &usize| !taken.contains(index);
            let position = |is_same: &dyn Fn(&LockedSection) -> bool| {
                (0..self.sections.len()).filter(is_free).find(|index| is_same(&self.sections[*index]))
            };
            let before = position(&|it| it.id == present.id && (it.level == 0) == (present.level == 0))
                .or_else(|| position(&|it| it.words == present.words && it.level == present.level));
            taken.extend(before);
            let change = match before.map(|before| &self.sections[before]) {
                Some(before) => before.change(&present),
                None => Some(ChangeKind::Added),
            };
            let there = super::lag::counterpart(pairs, at).map(|there| &translation.sections[there]);
            let is_silent = |change| {
                there.is_some_and(|there| is_followed(change, &SketchSection::default(), section, there))
            };
            if let Some(change) = change.filter(|change| !is_silent(*change)) {
                found.push(sides.locked(at, change));
            }
        }
        let gone = self.sections.iter().enumerate().filter(|(index, _)| !taken.contains(index));
        found.extend(gone.map(|(_, section)| removed(&section.id, translation)));
        found
    }
}

fn removed(id: &str, translation: &Sketch) -> LaggingSection {
    let there = translation.sections.iter().find(|it| it.id == id);
    let span: Range<usize> = there.map_or(0..0, |it| it.span.clone());
    LaggingSection {
        id: there.map_or_else(String::new, |it| it.id.clone()),
        original_id: String::new(),
        is_translated: there.is_some(),
        heading: there.map_or_else(|| id.to_string(), |it| it.title.clone()),
        original_heading: id.to_string(),
        span,
        original_span: 0..0,
        change: ChangeKind::Removed,
        size: 0,
        commits: Vec::new(),
        changes: String::new(),
    }
}

impl LockedSection {
    fn of(section: &SketchSection) -> Self {
        let hash = |parts: &mut dyn Iterator<Item = &str>| {
            let mut hasher = blake3::Hasher::new();
            for part in parts {
                hasher.update(part.as_bytes());
                hasher.update(b"\0");
            }
            hasher.finalize().to_hex()[..DIGITS].to_string()
        };
        let notes: Vec<String> = section.notes.iter().map(|note| format!("{note:?}")).collect();
        let targets = section.links.iter().chain(&section.images).map(|it| it.target.as_str());
        Self {
            level: section.level,
            id: section.id.clone(),
            words: hash(&mut section.plain_words()),
            numbers: hash(&mut section.neutral_words()),
            code: hash(&mut section.code.iter().map(|it| it.code.as_str())),
            targets: hash(&mut targets.chain(notes.iter().map(String::as_str))),
        }
    }

    fn parsed(line: &str) -> Option<Self> {
        let mut parts = line.splitn(6, ' ');
        let level = parts.next()?.parse().ok()?;
        let mut hash = || parts.next().filter(|it| it.len() == DIGITS).map(str::to_string);
        let (words, numbers, code, targets) = (hash()?, hash()?, hash()?, hash()?);
        Some(Self { level, words, numbers, code, targets, id: parts.next()?.to_string() })
    }

    fn change(&self, now: &Self) -> Option<ChangeKind> {
        match () {
            () if self.words != now.words => Some(ChangeKind::Words),
            () if self.numbers != now.numbers => Some(ChangeKind::Numbers),
            () if self.code != now.code => Some(ChangeKind::Code),
            () if self.targets != now.targets => Some(ChangeKind::Links),
            () => None,
        }
    }
}

impl Sides<'_> {
    /// Returns a changed section whose old content is unknown.
    fn locked(&self, at: SketchIx, change: ChangeKind) -> LaggingSection {
        let mut section = self.changed(at, &SketchSection::default(), change);
        if change != ChangeKind::Added {
            (section.size, section.changes) = (0, String::new());
        }
        section
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use input::conventions::Repository;
    use site::languages::by_structure;

    const BEFORE: &str =
        "# Start\n\nInstall 1.2 of it.\n\n## Run {#run}\n\nSee [more](a.md).\n\n```sh\nrun\n```\n";
    const JA: &str = "# 開始\n\n1.2 を。\n\n## 実行 {#run}\n\n[詳細](a.md)。\n\n```sh\nrun\n```\n";

    #[track_caller]
    fn check(now: &str, translation: &str, expected: &[&str]) {
        let reader = SketchReader::new(&Repository::default());
        let [before, now, there] = [BEFORE, now, translation].map(|text| reader.read(text));
        let mut lock = TranslationLock::default();
        lock.pages.insert("content/ja/a.md".into(), LockedPage::of(&before));
        let lock = TranslationLock::parsed(&lock.text()).expect("it is its own");
        let page = lock.page(&"content/ja/a.md".into()).expect("it is there");
        let found = page.lagging(&now, &there, &by_structure(&now, &there));
        let shown: Vec<String> =
            found.iter().map(|it| format!("{} {}", it.heading, it.change.name())).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn sections_are_compared_by_their_hashes() {
        check(BEFORE, JA, &[]);
        check(&BEFORE.replace("Install", "Get"), JA, &["開始 words"]);
        check(&BEFORE.replace("1.2", "1.3"), JA, &["開始 numbers"]);
        check(&BEFORE.replace("1.2", "1.3"), &JA.replace("1.2", "1.3"), &[]);
        check(&BEFORE.replace("sh\nrun", "sh\ngo"), JA, &["実行 code"]);
        check(&BEFORE.replace("a.md", "b.md"), JA, &["実行 links"]);
        check(&format!("{BEFORE}\n## Stop\n\nStop it.\n"), JA, &["Stop added"]);
        check("# Start\n\nInstall 1.2 of it.\n", JA, &["実行 removed"]);
    }

    #[test]
    fn another_line_is_an_error_with_its_place() {
        for (text, expected) in [
            ("<<<<<<< HEAD\n", "translations.lock:1:1: this is no page"),
            ("a.md:\n  1 2\n", "translations.lock:2:1: this is no section"),
            ("\n  1 2\n", "translations.lock:2:1: a section before the first page"),
        ] {
            let error = TranslationLock::parsed(text).expect_err("it isn't ours").to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
