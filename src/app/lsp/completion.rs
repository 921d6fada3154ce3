//! Completions: links, anchors and images in the author's form, platforms, variables, settings of other platforms,
//! languages of code, and front matter keys.

use std::ops::Range;

use lsp_types::{CompletionItem, CompletionItemKind, CompletionTextEdit, TextEdit};

use super::position::Lines;
use super::site::document_in;
use base::address::Address;
use base::site_path::SitePath;
use base::sorted::SortedSet;
use markup::markdown::{PageAnchor, ReferenceKind};
use review::check::written_like;
use site::content::{DocumentId, Place};
use site::plan::{Artifact, Destination, take_apart};
use site::work::Work;

/// The location of a completion. The text between the start of the word and the cursor is replaced.
struct Completer<'a> {
    work: &'a Work,
    id: DocumentId,
    lines: &'a Lines<'a>,
    at: usize,
}

/// Returns the completions at a location on a page.
pub(super) fn at(
    work: &Work,
    path: &SitePath,
    text: &str,
    at: usize,
    lines: &Lines<'_>,
) -> Vec<CompletionItem> {
    let Some(id) = document_in(work, path) else { return Vec::new() };
    let completer = Completer { work, id, lines, at };
    let before = lines.line_before(at);
    if at < work.project.site.document(id).body {
        return completer.keys(before, text);
    }
    if let Some((is_image, target)) = open_target(before) {
        return match target.split_once('#') {
            Some((page, part)) if !is_image => completer.anchors(page, part.len()),
            _ if is_image => completer.pictures(target.len()),
            _ => completer.pages(target.len()),
        };
    }
    if let Some(word) = word_after(before, "```").or_else(|| word_after(before, "~~~")) {
        return completer.languages(word);
    }
    if let Some(names) = before.trim_start().strip_prefix(":::platform ") {
        return completer.platforms(names.rsplit(' ').next().unwrap_or_default());
    }
    if let Some(name) = before.rsplit_once('{').map(|(_, name)| name).filter(|name| is_name(name)) {
        return completer.variables(name);
    }
    match before.trim_start().strip_prefix('|') {
        Some(name) if !name.contains('|') => completer.settings(name.trim_start()),
        _ => Vec::new(),
    }
}

/// Returns the incomplete target of a link or image: the text after the last `](` on the line.
fn open_target(before: &str) -> Option<(bool, &str)> {
    let open = before.rfind("](")?;
    let target = &before[open + 2..];
    let label = before[..open].rfind('[')?;
    let is_image = before[..label].ends_with('!');
    (!target.contains([')', ' '])).then_some((is_image, target))
}

/// Returns the incomplete word after a marker at the start of the line.
fn word_after<'t>(before: &'t str, mark: &str) -> Option<&'t str> {
    let word = before.trim_start().strip_prefix(mark)?;
    is_name(word).then_some(word)
}

fn is_name(text: &str) -> bool {
    text.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '+' | '#'))
}

impl Completer<'_> {
    /// Returns a completion that replaces the last `written` bytes before the cursor.
    fn item(&self, written: usize, text: &str, label: &str, kind: CompletionItemKind) -> CompletionItem {
        let span: Range<usize> = self.at - written..self.at;
        let edit = TextEdit::new(self.lines.range(&span), text.to_string());
        CompletionItem {
            label: text.to_string(),
            detail: (label != text).then(|| label.to_string()),
            kind: Some(kind),
            // Editors compare this with the written text, so it includes titles.
            filter_text: Some(if label == text { text.to_string() } else { format!("{text} {label}") }),
            text_edit: Some(CompletionTextEdit::Edit(edit)),
            ..CompletionItem::default()
        }
    }

    fn place(&self) -> Option<Place> {
        self.work.project.site.place(self.id)
    }

    /// Returns a valid target on this page, as an example of the author's form.
    fn example(&self, kind: ReferenceKind) -> String {
        let work = self.work;
        let document = work.project.site.document(self.id);
        let resolver = work.project.resolver();
        let leads = |target: &str| match resolver.resolve(document, target) {
            Destination::Here(here) => *here.address != document.address,
            _ => false,
        };
        let known = work.pages[self.id].references.iter().filter(|reference| reference.kind == kind);
        let known = known.map(|it| take_apart(&it.target).path);
        known.into_iter().find(|target| leads(target)).unwrap_or("/").to_string()
    }

    fn pages(&self, written: usize) -> Vec<CompletionItem> {
        let (work, example) = (self.work, self.example(ReferenceKind::Link));
        let site = &work.project.site;
        let own = self.place();
        let mut items = Vec::new();
        for (id, document) in site.documents.indexed().filter(|(id, _)| *id != self.id) {
            let target = written_like(work, self.id, &example, &document.address);
            let its = site.place(id);
            let is_here = own
                .zip(its)
                .is_some_and(|(own, its)| own.family == its.family && own.platform == its.platform);
            // Steps of the same platform come first, and those of others last.
            let rank = match (is_here, its) {
                (true, _) => 0,
                (false, None) => 1,
                (false, Some(_)) => 2,
            };
            let item = self.item(written, &target, &document.title, CompletionItemKind::FILE);
            items.push(CompletionItem { sort_text: Some(format!("{rank}{target}")), ..item });
        }
        items
    }

    fn anchors(&self, page: &str, written: usize) -> Vec<CompletionItem> {
        let work = self.work;
        let document = work.project.site.document(self.id);
        let id = match work.project.resolver().resolve(document, page) {
            _ if page.is_empty() => Some(self.id),
            Destination::Here(here) => work.project.plan.get(here.address).and_then(Artifact::document),
            _ => None,
        };
        let Some(id) = id else { return Vec::new() };
        let page = &work.pages[id];
        let item = |anchor: &PageAnchor| {
            let heading = page.headings.iter().find(|heading| heading.id == anchor.id);
            let title = heading.map_or(&anchor.id, |heading| &heading.text);
            self.item(written, &anchor.id, title, CompletionItemKind::REFERENCE)
        };
        page.anchors.iter().map(item).collect()
    }

    fn pictures(&self, written: usize) -> Vec<CompletionItem> {
        let (work, example) = (self.work, self.example(ReferenceKind::Image));
        let plan = &work.project.plan;
        let pictures = plan.artifacts().filter(|(_, artifact)| matches!(artifact, Artifact::Asset(_)));
        let item = |address: &Address| {
            let size = plan.dimensions(address)?;
            let target = written_like(work, self.id, &example, address);
            let label = format!("{} × {}", size.width, size.height);
            Some(self.item(written, &target, &label, CompletionItemKind::FILE))
        };
        pictures.filter_map(|(address, _)| item(address)).collect()
    }

    fn platforms(&self, written: &str) -> Vec<CompletionItem> {
        let site = &self.work.project.site;
        let Some(family) = site.family_around(self.id) else { return Vec::new() };
        let item = |id: &str, name: &str| self.item(written.len(), id, name, CompletionItemKind::ENUM_MEMBER);
        family.platforms.iter().map(|platform| item(&platform.id, &platform.name)).collect()
    }

    fn variables(&self, written: &str) -> Vec<CompletionItem> {
        let edition = &self.work.project.site.document(self.id).edition;
        let item = |(name, value): (&String, &Option<String>)| {
            let value = value.as_deref().unwrap_or("no value on this platform");
            self.item(written.len(), &format!("{name}}}"), value, CompletionItemKind::VARIABLE)
        };
        edition.words.iter().map(item).collect()
    }

    /// Returns settings of the same step on other platforms.
    fn settings(&self, written: &str) -> Vec<CompletionItem> {
        let (site, pages) = (&self.work.project.site, &self.work.pages);
        let Some(place) = self.place() else { return Vec::new() };
        let siblings = self.work.project.families.siblings(site, place);
        let names_of = |id: DocumentId| {
            let tables = pages[id].tables.iter().filter(|table| table.settings);
            tables.flat_map(|table| &table.rows).filter_map(|row| row.cells.first())
        };
        let mut seen: SortedSet<&str> = names_of(self.id).map(String::as_str).collect();
        let mut items = Vec::new();
        for (platform, id) in siblings.indexed() {
            let Some(id) = id.filter(|id| *id != self.id) else { continue };
            let from = &site.families[place.family].platforms[platform].name;
            for name in names_of(id).filter(|name| seen.insert(name)) {
                items.push(self.item(written.len(), name, from, CompletionItemKind::PROPERTY));
            }
        }
        items
    }

    fn languages(&self, written: &str) -> Vec<CompletionItem> {
        let item = |name: &str| self.item(written.len(), name, name, CompletionItemKind::ENUM_MEMBER);
        stepkin_highlight::languages().map(item).collect()
    }

    /// Returns front matter keys that the page doesn't have.
    fn keys(&self, before: &str, text: &str) -> Vec<CompletionItem> {
        let is_key = before.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        if !is_key {
            return Vec::new();
        }
        let project = &self.work.project;
        let front = &text[..project.site.document(self.id).body.min(text.len())];
        let has = |key: &str| {
            front.lines().any(|line| line.strip_prefix(key).is_some_and(|it| it.starts_with(':')))
        };
        let keys: SortedSet<&str> = project.site.repository.convention.key_names().collect();
        let item =
            |key: &str| self.item(before.len(), &format!("{key}: "), key, CompletionItemKind::PROPERTY);
        keys.into_iter().filter(|key| !has(key)).map(item).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_open_until_its_bracket_closes() {
        for (before, expected) in [
            ("See [it](ins", Some((false, "ins"))),
            ("![](/im", Some((true, "/im"))),
            ("[a](b) and [c](#d", Some((false, "#d"))),
            ("[a](b) and ", None),
            ("[a](b \"t", None),
            ("a](b", None),
        ] {
            assert_eq!(open_target(before), expected, "{before}");
        }
    }
}
