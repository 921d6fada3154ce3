//! Renames the item at a location: the section of a heading, the page of front matter, or the page or image to which
//! a link points. All links to it are updated, as in `stepkin mv`.
//!
//! In: a location and a new name. Out: changes in the order of an editor: first edits of texts at their old paths,
//! and then renames of files.
//!
//! Several platforms share a step, so it is renamed on all of them, and a section is renamed on those where it has
//! the same title, as names in code are renamed everywhere. Editors ask only for the name, so a separate command,
//! [`RENAME_ONE`], renames on one platform only.

use std::ops::Range;

use lsp_types::{
    ClientCapabilities, DocumentChangeOperation, DocumentChanges, OneOf,
    OptionalVersionedTextDocumentIdentifier, RenameFile, ResourceOp, ResourceOperationKind, TextDocumentEdit,
    TextEdit, Uri, WorkspaceEdit,
};
use similar::DiffOp;

use super::navigation::{PagePosition, landing, reference_at};
use super::position::{Encoding, Lines};
use super::site::{EditorSite, document_in};
use super::uri;
use crate::app::moving::{self, Changes, Move, PageSection};
use base::diagnostic::Edit;
use base::diff;
use base::site_path::{self, SitePath};
use site::content::{Document, DocumentId};
use site::plan::{Artifact, anchor};
use site::work::Work;

/// The command that renames on one platform only. Its argument is a `{ uri, position, newName }`.
pub(super) const RENAME_ONE: &str = "stepkin.renameOne";

/// The platforms on which to rename.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Platforms {
    /// All platforms that have it.
    All,
    One,
}

/// The item that can be renamed at a location.
#[derive(Debug)]
pub(super) struct RenameTarget {
    thing: RenamedItem,
    /// Range of its name.
    pub(super) span: Range<usize>,
    /// Its current name.
    pub(super) name: String,
}

#[derive(Debug)]
enum RenamedItem {
    Section(PageSection),
    /// The file of a page, image or other content, or the folder of a page that is named by its folder.
    File(SitePath),
}

/// Returns the item at a location.
///
/// # Errors
///
/// Why nothing can be renamed, as a text for the author.
pub(super) fn at(work: &Work, path: &SitePath, text: &str, at: usize) -> Result<RenameTarget, String> {
    let id = document_in(work, path).ok_or_else(|| format!("`{path}` is not a page of the site"))?;
    let (document, page) = (work.project.site.document(id), &work.pages[id]);
    if let Some(reference) = reference_at(page, text, at) {
        let here = landing(work, id, reference)
            .ok_or_else(|| format!("`{}` doesn't exist on this site", reference.target))?;
        let artifact = work.project.plan.get(here.address);
        let span = reference.span.clone();
        let written = text.get(span.clone()).unwrap_or_default();
        let hash = written.find('#').map(|hash| span.start + hash);
        if let (Some(there), Some(hash)) = (artifact.and_then(Artifact::document), hash)
            && at > hash
        {
            let wanted = here.fragment.and_then(anchor).unwrap_or_default();
            let heading = work.pages[there].headings.position(|heading| heading.id == wanted);
            let heading = heading.ok_or_else(|| format!("`{}` has no heading `#{wanted}`", here.address))?;
            let section = PageSection { document: there, heading };
            return section_named(work, section, hash + 1..span.end).map(|(named, _)| named);
        }
        let file = match artifact {
            Some(Artifact::Asset(file)) => file.clone(),
            Some(artifact) => match artifact.document() {
                Some(there) => file_of(work, work.project.site.document(there))?,
                None => return Err(format!("`{}` is generated and has no file", here.address)),
            },
            None => return Err(format!("`{}` doesn't exist on this site", reference.target)),
        };
        return Ok(file_named(file, span.start..hash.unwrap_or(span.end)));
    }
    if let PagePosition::Section(heading) = PagePosition::at(page, at)
        && at <= page.headings[heading].span.end
        && let Ok((named, words)) = section_named(work, PageSection { document: id, heading }, 0..0)
        && text.get(words.clone()) == Some(&*named.name)
    {
        return Ok(RenameTarget { span: words, ..named });
    }
    let first = text.lines().next().map_or(0, str::len);
    if at < document.body || at <= first {
        return Ok(file_named(file_of(work, document)?, document.top()));
    }
    Err("move the cursor to a heading, a link, an image, or the front matter".to_string())
}

/// Returns a section, and the range of its text.
fn section_named(
    work: &Work,
    section: PageSection,
    span: Range<usize>,
) -> Result<(RenameTarget, Range<usize>), String> {
    let text = work.project.site.document(section.document).text();
    let heading = &work.pages[section.document].headings[section.heading];
    let words = moving::words_of(&text, &heading.span).map(|(words, _)| words);
    let words =
        words.ok_or_else(|| "the heading is not written as `## Title`; change it by hand".to_string())?;
    Ok((
        RenameTarget { thing: RenamedItem::Section(section), span, name: text[words.clone()].to_string() },
        words,
    ))
}

fn file_named(file: SitePath, span: Range<usize>) -> RenameTarget {
    let name = site_path::file_name(file.as_str()).to_string();
    RenameTarget { thing: RenamedItem::File(file), span, name }
}

/// Returns the path to rename for a page: its file, or its folder if the page is named by it.
fn file_of(work: &Work, document: &Document) -> Result<SitePath, String> {
    let path = document.path.as_str();
    let Some(folder) = path.strip_suffix("/index.md") else { return Ok(document.path.clone()) };
    let site = &work.project.site;
    let content = &site.repository.content;
    let holds = |root: &str| root == folder || site_path::is_inside(root, folder);
    let mut roots = site.families.iter().flat_map(|family| &family.platforms);
    if content.path == folder || roots.any(|platform| holds(&content.with(&platform.root))) {
        return Err(format!(
            "`{path}` is the page of a folder with platforms; use `stepkin mv` to move the folder"
        ));
    }
    Ok(folder.into())
}

/// Returns the changes for a new name. `work` is the site in the language of the file. The new name of a file is a path relative to its folder, or to the site root
/// if it begins with `/`. The extension is optional.
///
/// # Errors
///
/// Why it can't have this name, as a text for the author.
pub(super) fn changes(
    site: &mut EditorSite,
    work: &Work,
    named: &RenameTarget,
    name: &str,
    platforms: Platforms,
) -> Result<Changes, String> {
    match &named.thing {
        RenamedItem::Section(section) => {
            let failed = |error: base::error::Error| error.said_below(&site.root);
            let sections = match platforms {
                Platforms::All => moving::section_on_all_platforms(work, *section),
                Platforms::One => vec![*section],
            };
            moving::retitle(work, &sections, name, site.options()).map_err(failed)
        }
        RenamedItem::File(from) => {
            let to = renamed(from, name)?;
            if *from == to {
                return Ok(Changes::default());
            }
            let work = site.work_now()?;
            let renames = match platforms {
                Platforms::All if is_own_step(&work, from) => moving::on_all_platforms(&work, from, &to)
                    .map_err(|error| error.said_below(&site.root))?,
                _ => moving::with_dark(&work, Move { from: from.clone(), to }),
            };
            let changes =
                moving::plan(&work, renames, site.options()).map_err(|error| error.said_below(&site.root))?;
            let is_there = |it: &&Move| site.root.join(it.to.as_str()).symlink_metadata().is_ok();
            match changes.renames.iter().find(is_there) {
                Some(it) => Err(format!("`{}` already exists; choose another path", it.to)),
                None => Ok(changes),
            }
        }
    }
}

/// Whether a file or folder is a step that each platform has as a separate page.
fn is_own_step(work: &Work, path: &SitePath) -> bool {
    let site = &work.project.site;
    let id = document_in(work, path).or_else(|| document_in(work, &format!("{path}/index.md").into()));
    let Some(place) = id.and_then(|id: DocumentId| site.place(id)) else { return false };
    let siblings = work.project.families.siblings(site, place);
    siblings.iter().flatten().all(|sibling| !site.document(*sibling).is_shared())
}

/// Returns the path for a new name.
fn renamed(from: &SitePath, name: &str) -> Result<SitePath, String> {
    let name = name.trim();
    let (folder, old) = from.as_str().rsplit_once('/').unwrap_or(("", from.as_str()));
    let from_root = if name.starts_with('/') { name.to_string() } else { format!("{folder}/{name}") };
    if name.is_empty() || name.ends_with('/') {
        return Err(format!("`{name}` is not a valid file name"));
    }
    let mut path =
        site_path::below_root(&from_root).ok_or_else(|| format!("`{name}` is outside the site"))?;
    if let Some((_, ending)) = old.rsplit_once('.') {
        let ending = format!(".{ending}");
        if !path.ends_with(&ending) {
            path.push_str(&ending);
        }
    } else {
        // A folder is named as its page is.
        let bare = path.strip_suffix(".md").unwrap_or(&path);
        path = bare.strip_suffix("/index").unwrap_or(bare).to_string();
    }
    Ok(path.into())
}

/// The capabilities of the editor.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Abilities {
    /// Whether it accepts edits with the version of their text.
    has_versions: bool,
    /// Whether it renames files.
    renames: bool,
}

impl Abilities {
    pub(super) fn of(capabilities: &ClientCapabilities) -> Self {
        let workspace = capabilities.workspace.as_ref();
        let edits = workspace.and_then(|workspace| workspace.workspace_edit.as_ref());
        let operations = edits.and_then(|edits| edits.resource_operations.as_deref());
        let has_versions = edits.and_then(|edits| edits.document_changes) == Some(true);
        let renames = operations.is_some_and(|known| known.contains(&ResourceOperationKind::Rename));
        Self { has_versions, renames: has_versions && renames }
    }
}

/// Converts changes for the editor. The edits are for texts at their old paths.
///
/// # Errors
///
/// If files must be renamed and the editor doesn't support that.
pub(super) fn for_editor(
    changes: &Changes,
    site: &EditorSite,
    encoding: Encoding,
    abilities: Abilities,
) -> Result<WorkspaceEdit, String> {
    if let Some(it) = changes.renames.first().filter(|_| !abilities.renames) {
        return Err(format!(
            "this editor can't rename files for a language server; run `stepkin mv {} {}`",
            it.from, it.to
        ));
    }
    let uri = |path: &SitePath| {
        uri::of_path(&site.root.join(path.as_str())).ok_or_else(|| format!("`{path}` has no URI"))
    };
    let mut texts: Vec<(Uri, &SitePath, Vec<TextEdit>)> = Vec::new();
    for edit in &changes.edits {
        let lines = Lines::of(&edit.before, encoding);
        let edits = differences(&edit.before, &edit.after).into_iter();
        let edits = edits.map(|it| TextEdit::new(lines.range(&it.span), it.text)).collect();
        texts.push((uri(&edit.path)?, &edit.path, edits));
    }
    if !abilities.has_versions {
        return Ok(WorkspaceEdit::new(texts.into_iter().map(|(uri, _, edits)| (uri, edits)).collect()));
    }
    let texts = texts.into_iter().map(|(uri, path, edits)| {
        let version = site.open(path).map(|open| open.version);
        let text_document = OptionalVersionedTextDocumentIdentifier { uri, version };
        let edits = edits.into_iter().map(OneOf::Left).collect();
        Ok(DocumentChangeOperation::Edit(TextDocumentEdit { text_document, edits }))
    });
    let renames = changes.renames.iter().map(|it| {
        let (old_uri, new_uri) = (uri(&it.from)?, uri(&it.to)?);
        let rename = RenameFile { old_uri, new_uri, options: None, annotation_id: None };
        Ok(DocumentChangeOperation::Op(ResourceOp::Rename(rename)))
    });
    let operations = texts.chain(renames).collect::<Result<Vec<_>, String>>()?;
    Ok(WorkspaceEdit {
        document_changes: Some(DocumentChanges::Operations(operations)),
        ..WorkspaceEdit::default()
    })
}

/// Returns the renames of files and folders to which pages may refer.
pub(super) fn of_the_site(work: &Work, mut renames: Vec<Move>) -> Vec<Move> {
    let sources = work.project.sources.whole();
    let mut files: Vec<&str> =
        sources.pages.keys().chain(sources.assets.keys()).map(SitePath::as_str).collect();
    files.sort_unstable();
    renames.retain(|it| {
        let from = it.from.as_str();
        let next = files.partition_point(|file| *file < from);
        let is_below = |file: &&str| **file == *from || site_path::is_inside(file, from);
        // `a-b` comes between `a` and `a/c`.
        files[next..].iter().take_while(|file| file.starts_with(from)).any(is_below)
    });
    renames
}

/// Joins two edits.
pub(super) fn joined(mut one: WorkspaceEdit, other: WorkspaceEdit) -> WorkspaceEdit {
    if let (Some(all), Some(more)) = (&mut one.changes, other.changes) {
        all.extend(more);
    }
    if let (Some(DocumentChanges::Operations(all)), Some(DocumentChanges::Operations(more))) =
        (&mut one.document_changes, other.document_changes)
    {
        all.extend(more);
    }
    one
}

/// Returns the edits between two texts: for each run of differing lines, the differences in it.
fn differences(before: &str, after: &str) -> Vec<Edit> {
    let (old, new): (Vec<&str>, Vec<&str>) =
        (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
    let mut edits = Vec::new();
    let mut at = 0;
    for operation in diff::operations(&old, &new) {
        let one: String = old[operation.old_range()].concat();
        let start = at;
        at += one.len();
        if matches!(operation, DiffOp::Equal { .. }) {
            continue;
        }
        let other: String = new[operation.new_range()].concat();
        let same = |pair: &(char, char)| pair.0 == pair.1;
        let prefix: usize =
            one.chars().zip(other.chars()).take_while(same).map(|(letter, _)| letter.len_utf8()).sum();
        let (one, other) = (&one[prefix..], &other[prefix..]);
        let suffix = one.chars().rev().zip(other.chars().rev()).take_while(same);
        let suffix: usize = suffix.map(|(letter, _)| letter.len_utf8()).sum();
        let span = start + prefix..start + prefix + one.len() - suffix;
        edits.push(Edit { span, text: other[..other.len() - suffix].to_string() });
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: &str, after: &str, expected: &[(&str, &str)]) {
        let edits = differences(before, after);
        let found: Vec<(&str, &str)> =
            edits.iter().map(|edit| (&before[edit.span.clone()], &*edit.text)).collect();
        assert_eq!(found, expected);
        let mut text = before.to_string();
        for edit in edits.iter().rev() {
            text.replace_range(edit.span.clone(), &edit.text);
        }
        assert_eq!(text, after);
    }

    #[test]
    fn edits_are_no_larger_than_the_difference() {
        check("a\n[x](one.md)\nb\n", "a\n[x](two.md)\nb\n", &[("one", "two")]);
        check("---\na: 1\n---\n", "---\na: 1\naliases: [/x/]\n---\n", &[("", "aliases: [/x/]\n")]);
        check("ä\r\nö x\r\n", "ä\r\nü x\r\n", &[("ö", "ü")]);
        check("a", "a", &[]);
        check("one\nb\nc\nd\ntwo\n", "1\nb\nc\nd\n2\n", &[("one", "1"), ("two", "2")]);
    }

    #[test]
    fn a_new_name_is_a_path_from_the_same_folder() {
        for (from, name, expected) in [
            ("content/a/b.md", "c", Ok("content/a/c.md")),
            ("content/a/b.md", "../c.md", Ok("content/c.md")),
            ("content/a/b.md", "/content/d/c.md", Ok("content/d/c.md")),
            ("content/a/b", "c/index.md", Ok("content/a/c")),
            ("static/x.png", "y.z", Ok("static/y.z.png")),
            ("content/b.md", "../../c", Err("`../../c` is outside the site")),
            ("content/b.md", " ", Err("`` is not a valid file name")),
        ] {
            let found = renamed(&from.into(), name);
            assert_eq!(
                found.as_ref().map(SitePath::as_str).map_err(String::as_str),
                expected,
                "{from} {name}"
            );
        }
    }
}
