//! Determines what to upload and delete, and in which order.
//!
//! In: the manifests of the site and the target, and the target's journal. Out: a [`Difference`], whose
//! [`steps`](Difference::steps) may be interrupted at any point: every page in the target then finds the files that
//! it loads, and the next run knows all of our files there.

use super::before;
use super::journal::Journal;
use crate::output::publish::{self, ManifestFile};
use base::hash::HashMap;
use base::sorted::{SortedMap, SortedSet};
use site::plan::Class;

/// The changes of an upload to its target.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Difference {
    /// New or changed files in groups that are uploaded one after the other.
    pub(super) puts: Vec<Vec<String>>,
    /// Paths whose content in the target may differ from its manifest from the first upload on: uploaded files, and
    /// those that killed runs left.
    pub(super) pending: SortedSet<String>,
    /// Number of files in the target's manifest that are no longer published.
    pub(super) gone: usize,
    /// Files to delete: first pages, then files that pages load.
    pub(super) deletes: [Vec<String>; 2],
    /// Files that are no longer published, but that an open page may still load: with the time from which they may be
    /// deleted, in seconds since 1970.
    pub(super) kept: SortedMap<String, u64>,
    pub(super) backup: Backup,
}

/// The files that are stored so that the current site can be restored, with paths in [`before::FOLDER`].
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Backup {
    /// Files to copy before they are replaced or deleted, by destination. Empty if the existing copies stay.
    pub(super) copies: SortedMap<String, CopySource>,
    /// Files that may exist during the run.
    pub(super) during: SortedSet<String>,
    /// Files that exist after the run.
    pub(super) after: SortedSet<String>,
    /// Files to delete.
    pub(super) outdated: Vec<String>,
}

/// The source of a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CopySource {
    pub(super) path: String,
    /// Whether a killed run may have replaced it. In that case, that run has copied it before.
    pub(super) may_be_copied: bool,
}

/// The options for an upload.
#[derive(Clone, Copy, Debug)]
pub(super) struct DifferenceOptions {
    /// In seconds since 1970.
    pub(super) now: u64,
    /// How long to keep files that pages load, in seconds.
    pub(super) keep: u64,
    /// Whether to store the current site so that it can be restored.
    pub(super) rollback: bool,
}

/// The steps of an upload, in order.
#[derive(Debug)]
pub(super) enum UploadStep<'d> {
    /// Write the planned changes to the journal.
    Begin { pending: &'d SortedSet<String>, kept: SortedMap<String, u64>, before: &'d SortedSet<String> },
    /// Copy these files, in any order.
    Copy(&'d SortedMap<String, CopySource>),
    /// Upload these files, in any order.
    Put(&'d [String]),
    /// Replace the manifest.
    Commit,
    /// Delete these files, in any order.
    Delete(&'d [String]),
    /// Write the remaining deletions to the journal.
    End { kept: &'d SortedMap<String, u64>, before: &'d SortedSet<String> },
}

/// Returns the difference between `ours` and `theirs`, both sorted by path.
pub(super) fn between(
    ours: &[ManifestFile],
    theirs: &[ManifestFile],
    journal: &Journal,
    DifferenceOptions { now, keep, rollback }: DifferenceOptions,
) -> Difference {
    let known: HashMap<&str, &ManifestFile> = theirs.iter().map(|file| (file.path.as_str(), file)).collect();
    let is_same = |file: &ManifestFile| {
        let theirs = known.get(file.path.as_str()).and_then(|theirs| theirs.fingerprint);
        theirs.is_some() && theirs == file.fingerprint && !journal.pending.contains(&file.path)
    };
    let mut groups: SortedMap<(usize, bool), Vec<String>> = SortedMap::new();
    for file in ours.iter().filter(|file| !is_same(file)) {
        let is_replaced = known.contains_key(file.path.as_str());
        groups.entry((rank(file.class), is_replaced)).or_default().push(file.path.clone());
    }
    let puts: Vec<Vec<String>> = groups.into_values().collect();

    let is_ours = |path: &str| ours.binary_search_by(|file| file.path.as_str().cmp(path)).is_ok();
    let later = |path: &str| if is_read_first(path) { now } else { now.saturating_add(keep) };
    // A path in their manifest is published until this run replaces the manifest, whatever a killed run has recorded.
    let mut left: SortedMap<String, u64> = journal.kept.clone();
    left.extend(journal.pending.iter().map(|path| (path.clone(), later(path))));
    left.extend(theirs.iter().map(|file| (file.path.clone(), later(&file.path))));
    left.retain(|path, _| !is_ours(path));
    let gone = theirs.iter().filter(|file| !is_ours(&file.path)).count();
    // Old files are never stored longer than the current options allow, even if a clock was wrong.
    let kept = left.iter().map(|(path, until)| (path.clone(), (*until).min(now.saturating_add(keep))));
    let (deletes, kept): (Vec<_>, Vec<_>) = kept.partition(|(_, until)| *until <= now);
    let (pages, loaded) =
        deletes.into_iter().map(|(path, _)| path).partition(|path: &String| is_read_first(path));
    let pending = puts.iter().flatten().chain(&journal.pending).cloned().collect();

    let (copies, after) = if !rollback {
        (SortedMap::new(), SortedSet::new())
    } else if theirs.is_empty() || is_same_site(ours, theirs) {
        (SortedMap::new(), journal.before.clone())
    } else {
        copies(ours, theirs, journal)
    };
    let during: SortedSet<String> = journal.before.union(&after).cloned().collect();
    let outdated = during.difference(&after).cloned().collect();
    let backup = Backup { copies, during, after, outdated };
    Difference { puts, pending, gone, deletes: [pages, loaded], kept: kept.into_iter().collect(), backup }
}

/// Whether two manifests list the same files with the same contents.
fn is_same_site(ours: &[ManifestFile], theirs: &[ManifestFile]) -> bool {
    let file = |file: &ManifestFile| (file.path.clone(), file.fingerprint);
    ours.iter().map(file).eq(theirs.iter().map(file))
}

/// Returns the copies that allow restoring `theirs` after `ours`, and all files that this needs.
fn copies(
    ours: &[ManifestFile],
    theirs: &[ManifestFile],
    journal: &Journal,
) -> (SortedMap<String, CopySource>, SortedSet<String>) {
    let published: HashMap<&str, _> =
        ours.iter().map(|file| (file.path.as_str(), file.fingerprint)).collect();
    let is_lost = |file: &&ManifestFile| published.get(file.path.as_str()) != Some(&file.fingerprint);
    // For files that the first version published, only the path is known.
    let lost = theirs.iter().filter(is_lost).filter_map(|file| Some((&file.path, file.fingerprint?)));
    let lost = lost.map(|(path, content)| (before::path(&content), path));
    let origin =
        |path: &str| CopySource { path: path.to_string(), may_be_copied: journal.pending.contains(path) };
    let mut copies = SortedMap::from([(before::MANIFEST.to_string(), origin(publish::MANIFEST))]);
    for (name, path) in lost {
        let may_be = copies.entry(name).or_insert_with(|| origin(path));
        if may_be.may_be_copied {
            *may_be = origin(path);
        }
    }
    let needed = copies.keys().cloned().collect();
    (copies, needed)
}

/// Returns the position of a file in the order of uploading. Each class follows those of the files that its own load
/// or link to. In a class, new files precede changed ones, which may link to them.
fn rank(class: Option<Class>) -> usize {
    match class {
        Some(Class::Program) => 0,
        Some(Class::Asset) | None => 1,
        Some(Class::Search) => 2,
        Some(Class::Page | Class::Text) => 3,
        Some(Class::Redirect) => 4,
        Some(Class::Data) => 5,
    }
}

/// Whether readers request this file by its URL rather than through a page that loads it. It isn't requested once the
/// pages that link to it are replaced.
fn is_read_first(path: &str) -> bool {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    ["html", "md"].contains(&extension)
}

impl Difference {
    /// Whether a target with this journal already contains the site, if its manifest matches.
    pub(super) fn is_none(&self, journal: &Journal) -> bool {
        self.puts.is_empty()
            && self.deletes.iter().all(Vec::is_empty)
            && journal.pending.is_empty()
            && journal.kept == self.kept
            && self.backup.copies.is_empty()
            && journal.before == self.backup.after
    }

    pub(super) fn steps(&self) -> Vec<UploadStep<'_>> {
        let mut kept = self.kept.clone();
        kept.extend(self.deletes.iter().flatten().map(|path| (path.clone(), 0)));
        let Backup { copies, during, after, outdated } = &self.backup;
        let mut steps = vec![UploadStep::Begin { pending: &self.pending, kept, before: during }];
        if !copies.is_empty() {
            steps.push(UploadStep::Copy(copies));
        }
        steps.extend(self.puts.iter().map(|group| UploadStep::Put(group)));
        steps.push(UploadStep::Commit);
        steps.extend(
            self.deletes.iter().filter(|group| !group.is_empty()).map(|group| UploadStep::Delete(group)),
        );
        if !outdated.is_empty() {
            steps.push(UploadStep::Delete(outdated));
        }
        steps.push(UploadStep::End { kept: &self.kept, before: after });
        steps
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::output::publish::Fingerprint;

    /// Parses `page a.html 1, asset x.png 2`: class, path, content.
    fn site(files: &str) -> Vec<ManifestFile> {
        let file = |file: &str| {
            let [class, path, content] = file.split(' ').collect::<Vec<_>>().try_into().unwrap();
            let class = serde_json::from_value(serde_json::Value::from(class)).unwrap();
            let path = String::from(path);
            ManifestFile { path, class: Some(class), fingerprint: Some(Fingerprint::of(content.as_bytes())) }
        };
        let mut files: Vec<ManifestFile> =
            files.split(", ").filter(|file| !file.is_empty()).map(|text| file(text.trim())).collect();
        files.sort_by(|one, other| one.path.cmp(&other.path));
        files
    }

    /// Checks the groups of uploads, the deletions, and the stored old files.
    #[track_caller]
    fn check(ours: &str, theirs: &str, journal: &Journal, expected: &str) {
        let wishes = DifferenceOptions { now: 100, keep: 10, rollback: false };
        let found = between(&site(ours), &site(theirs), journal, wishes);
        let puts: Vec<String> = found.puts.iter().map(|group| group.join(" ")).collect();
        let kept: Vec<String> = found.kept.iter().map(|(path, until)| format!("{path}@{until}")).collect();
        let said = format!("{} - {} - {}", puts.join("; "), found.deletes.concat().join(" "), kept.join(" "));
        assert_eq!(said, expected);
    }

    #[test]
    fn changed_files_are_uploaded_before_they_are_needed() {
        let ours = "data sitemap.xml 1, page index.html 1, page a.html 1, search s.json 1, asset p.png 1, \
                    program _stepkin/site.0.css 1, redirect old.html 1, text a.md 1";
        let all = "_stepkin/site.0.css; p.png; s.json; a.html a.md index.html; old.html; sitemap.xml -  - ";
        check(ours, "", &Journal::default(), all);
        check(ours, ours, &Journal::default(), " -  - ");
        let theirs = "page index.html 0, asset p.png 0, data sitemap.xml 1, text a.md 1";
        let expected = "_stepkin/site.0.css; p.png; s.json; a.html; index.html; old.html -  - ";
        check(ours, theirs, &Journal::default(), expected);
    }

    #[test]
    fn pages_are_deleted_immediately_and_their_assets_are_kept() {
        let theirs = "page a.html 1, program x.css 1, search s.json 1, text a.md 1";
        check("", theirs, &Journal::default(), " - a.html a.md - s.json@110 x.css@110");
    }

    #[test]
    fn a_journal_lists_the_other_files() {
        let kept =
            |kept: &[(&str, u64)]| kept.iter().map(|(path, until)| (path.to_string(), *until)).collect();
        let journal = Journal {
            pending: ["new.css", "new.html", "same.html"].map(String::from).into(),
            kept: kept(&[("due.css", 100), ("early.css", 101), ("far.css", 999), ("back.css", 1)]),
            ..Journal::default()
        };
        let ours = "page same.html 1, program back.css 1";
        let expected = "back.css; same.html - new.html due.css - early.css@101 far.css@110 new.css@110";
        check(ours, "page same.html 1", &journal, expected);
    }

    /// Returns a site of these pages: each page loads an asset that is named by the page's content, as a stylesheet
    /// is, and a list links to all pages.
    fn pages(pages: &BTreeMap<u8, u8>) -> Vec<ManifestFile> {
        let mut files: Vec<String> = Vec::new();
        for (page, content) in pages {
            files.push(format!("page {page}.html {content}"));
            files.push(format!("program _stepkin/{content}.css {content}"));
        }
        files.push(format!("data list.json {pages:?}").replace(": ", ":").replace(", ", ","));
        files.sort();
        files.dedup();
        site(&files.join(", "))
    }

    /// A target: the contents of its files. Contents of texts are their fingerprints, and a manifest is a list.
    #[derive(Clone, Default)]
    struct TargetFiles {
        files: SortedMap<String, Fingerprint>,
        manifest: Vec<ManifestFile>,
        /// The stored previous site: contents, and its manifest.
        kept: SortedMap<String, Fingerprint>,
        before: Option<Vec<ManifestFile>>,
        journal: Journal,
    }

    impl TargetFiles {
        /// Uploads, but ends after `most` writes. Returns whether it was completed.
        fn publish(&mut self, ours: &[ManifestFile], wishes: DifferenceOptions, most: usize) -> bool {
            let difference = between(ours, &self.manifest, &self.journal, wishes);
            let mut writes = 0;
            let mut goes_on = || {
                writes += 1;
                writes <= most
            };
            for step in difference.steps() {
                match step {
                    UploadStep::Begin { pending, kept, before } if goes_on() => {
                        self.journal.pending.clone_from(pending);
                        self.journal.kept = kept;
                        self.journal.before.clone_from(before);
                    }
                    UploadStep::Copy(files) => {
                        for (to, from) in files {
                            if !goes_on() {
                                return false;
                            }
                            if from.may_be_copied && self.kept.contains_key(to) {
                                continue;
                            }
                            assert!(self.journal.before.contains(to), "{to} is noted before it is there");
                            if to == before::MANIFEST {
                                self.before = Some(self.manifest.clone());
                            } else {
                                self.kept.insert(to.clone(), self.files[&from.path]);
                            }
                        }
                    }
                    UploadStep::Put(paths) => {
                        for path in paths {
                            if !goes_on() {
                                return false;
                            }
                            let file = ours.iter().find(|file| file.path == *path).unwrap();
                            self.files.insert(path.clone(), file.fingerprint.unwrap());
                            self.check_pages();
                        }
                    }
                    UploadStep::Commit if goes_on() => self.manifest = ours.to_vec(),
                    UploadStep::Delete(paths) => {
                        for path in paths {
                            if !goes_on() {
                                return false;
                            }
                            if path == before::MANIFEST {
                                self.before = None;
                            }
                            self.files.remove(path);
                            self.kept.remove(path);
                            self.check_pages();
                        }
                    }
                    UploadStep::End { kept, before } if goes_on() => {
                        self.journal.pending = SortedSet::new();
                        self.journal.kept = kept.clone();
                        self.journal.before.clone_from(before);
                    }
                    _ => return false,
                }
            }
            true
        }

        /// Restores the previous site, whose contents are all stored or still there.
        fn roll_back(&mut self, wishes: DifferenceOptions) {
            let before = self.before.clone().expect("it is kept");
            for path in between(&before, &self.manifest, &self.journal, wishes).puts.concat() {
                let content = before.iter().find(|file| file.path == path).unwrap().fingerprint.unwrap();
                let places = [self.kept.get(&before::path(&content)), self.files.get(&path)];
                assert!(places.contains(&Some(&content)), "{path} is not kept");
            }
            assert!(self.publish(&before, wishes, usize::MAX));
        }

        /// Checks that the target contains the site and the stored old files, and nothing else.
        fn check(&self, ours: &[ManifestFile], DifferenceOptions { now, keep, .. }: DifferenceOptions) {
            for file in ours {
                assert_eq!(self.files.get(&file.path), file.fingerprint.as_ref(), "{}", file.path);
            }
            let is_ours = |path: &str| ours.iter().any(|file| file.path == path);
            for path in self.files.keys().filter(|path| !is_ours(path)) {
                let until = self.journal.kept.get(path);
                assert!(until.is_some_and(|until| (now + 1..=now + keep).contains(until)), "{path}");
            }
            let mut before: SortedSet<String> = self.kept.keys().cloned().collect();
            before.extend(self.before.iter().map(|_| before::MANIFEST.to_string()));
            assert!(before.is_subset(&self.journal.before), "all that is kept is known");
        }

        /// Checks that every page finds the files that it loads.
        fn check_pages(&self) {
            for (path, found) in self.files.iter().filter(|(path, _)| path.ends_with(".html")) {
                let content = (0..=u8::MAX).find(|n| Fingerprint::of(n.to_string().as_bytes()) == *found);
                let loads = format!("_stepkin/{}.css", content.expect("a page of ours"));
                assert!(self.files.contains_key(&loads), "{path} loads {loads}, which is not there");
            }
        }
    }

    proptest! {
        /// Runs that are killed anywhere, with other sites in between: pages always find the files that they load,
        /// and a complete run leaves the site, the stored old files, and nothing else. If the previous site is
        /// stored, it can be restored, even after a killed run, and restoring can be undone.
        #[test]
        fn a_target_holds_the_site_whatever_happened_before(
            runs in prop::collection::vec(
                (prop::collection::btree_map(0u8..6, 0u8..6, 1..6), 0usize..24, 0u64..20, prop::bool::ANY), 1..12),
        ) {
            let mut wishes = DifferenceOptions { now: 1000, keep: 15, rollback: false };
            let mut held = TargetFiles::default();
            // Whether all runs since the target contained only a site have stored it.
            let mut is_kept = true;
            for (site, most, later, rollback) in runs {
                wishes.now += later;
                wishes.rollback = rollback;
                let ours = pages(&site);
                let replaced = held.manifest.clone();
                let is_other = !replaced.is_empty() && replaced != ours;
                is_kept = rollback && (is_kept || held.journal.pending.is_empty());
                let is_done = held.publish(&ours, wishes, most);
                if is_kept && is_other && held.before.as_ref() == Some(&replaced) {
                    let mut undone = held.clone();
                    undone.roll_back(wishes);
                    undone.check(&replaced, wishes);
                    if is_done {
                        undone.roll_back(wishes);
                        undone.check(&ours, wishes);
                    }
                    if later % 2 == 0 {
                        held = undone;
                    }
                }
                if most % 2 == 0 {
                    prop_assert!(held.publish(&ours, wishes, usize::MAX));
                    held.check(&ours, wishes);
                    let again = between(&ours, &held.manifest, &held.journal, wishes);
                    prop_assert!(again.is_none(&held.journal));
                }
            }
            let last = held.manifest.clone();
            wishes.rollback = false;
            prop_assert!(held.publish(&last, wishes, usize::MAX));
            wishes.now += wishes.keep;
            prop_assert!(held.publish(&last, wishes, usize::MAX));
            prop_assert_eq!(held.files.len(), last.len());
            prop_assert!(held.kept.is_empty() && held.before.is_none());
        }
    }
}
