//! Images, frames and videos in raw HTML: missing attributes, and videos as links.
//!
//! A video frame loads a megabyte and reveals the reader to another site. Therefore a link to the video replaces it,
//! and a script inserts the frame when a reader requests it.

use super::PageWriter;
use super::sink::Sink;
use super::video::Video;
use crate::markdown::html::{Named, Start};
use crate::markdown::page::{PageAnchor, Placeholder, Reference, ReferenceForm, ReferenceKind};
use crate::markdown::span::OffsetMap;
use input::words::Word;

impl<S: Sink> PageWriter<S> {
    /// Whether a link is allowed here.
    pub(super) fn may_be_link(&self) -> bool {
        !self.elements.is_in("a") && !self.elements.is_in("button") && !self.elements.is_in("noscript")
    }

    /// Adds attributes that the author of a tag omitted.
    pub(super) fn added_attributes(&mut self, tag: &Start) {
        let has = |name: &str| tag.attributes.contains_key(name);
        match tag.name.as_str() {
            "iframe" => {
                if tag.attributes.get("title").is_none_or(|title| title.trim().is_empty()) && !has("title") {
                    self.out.push(" title=\"");
                    self.title_of_frame(None);
                    self.out.push("\"");
                }
                if !has("loading") {
                    self.attribute("loading", "lazy");
                }
            }
            "img" => self.added_to_picture(tag),
            _ => {}
        }
    }

    fn added_to_picture(&mut self, tag: &Start) {
        let has = |name: &str| tag.attributes.contains_key(name);
        let before = tag.named.iter().take_while(|named| !is_source(tag, named));
        let position = before.filter(|named| !matches!(named, Named::Anchor { .. })).count();
        let has_source = tag.named.iter().any(|named| is_source(tag, named));
        let width = tag.attributes.get("width").map(|width| width.trim().parse().ok());
        if has_source && !has("height") && width != Some(None) {
            let at = self.page.references.next_index() + position;
            self.out.placeholder(Placeholder::Size { at, width: width.flatten() });
        }
        if !has("loading") {
            self.out.placeholder(Placeholder::Lazy);
        }
    }

    /// Writes the title of a frame: the author's, or the heading above.
    fn title_of_frame(&mut self, own: Option<&str>) {
        let heading = self.page.headings.iter().next_back().map(|heading| heading.text.clone());
        match own.map(str::to_string).or(heading).filter(|title| !title.trim().is_empty()) {
            Some(title) => self.escaped_for_attribute(&title),
            None => self.out.placeholder(Placeholder::Word(Word::Frame)),
        }
    }

    /// Writes a link to the video of a frame in its place.
    pub(super) fn video(&mut self, tag: &Start, video: &Video, map: &OffsetMap) {
        self.is_video_open = true;
        self.out.push("<a class=\"video\"");
        for named in &tag.named {
            match named {
                Named::Anchor { id, span } => {
                    self.ids.taken(id);
                    self.id(id);
                    self.page.anchors.push(PageAnchor { id: id.clone(), span: map.range(span.clone()) });
                }
                Named::Reference { kind, target, span, .. } | Named::Unsafe { kind, target, span, .. } => {
                    let (kind, target, span) = (*kind, target.clone(), map.range(span.clone()));
                    let form = ReferenceForm::Target;
                    self.page.references.push(Reference { kind, target, text: None, span, form });
                }
            }
        }
        self.attribute("href", &video.page);
        self.attribute("data-frame", &video.frame);
        let own = tag.attributes.get("title").map(String::as_str).filter(|title| !title.trim().is_empty());
        self.out.push("><span>");
        self.out.placeholder(Placeholder::Word(Word::PlayVideo));
        self.out.push("</span> ");
        self.title_of_frame(own);
        self.out.push("</a>");
    }
}

/// Whether an attribute is the source of an image.
fn is_source(tag: &Start, named: &Named) -> bool {
    let Named::Reference { kind: ReferenceKind::Image, target, span, .. } = named else { return false };
    // A `srcset` also contains images.
    !span.is_empty() && tag.attributes.get("src").is_some_and(|source| source.trim() == target)
}
