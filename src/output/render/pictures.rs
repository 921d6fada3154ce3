//! Images in a page's HTML: URLs, sizes, smaller versions, and dark versions.
//!
//! `a.dark.png` next to `a.png` is its dark version. A `<source>` with a media query would follow only the system,
//! but readers can choose colors on the page. Therefore both images are in the HTML, and the style sheet hides one.
//! Both load lazily, because browsers don't load a hidden image.

use std::fmt::Write as _;

use stepkin_pictures::COLUMN;

use super::{Renderer, escape};
use base::address::Address;
use input::source::Dimensions;
use markup::markdown::Reference;
use site::content::Document;
use site::plan::{Artifact, Destination};

/// A Markdown image under construction.
pub(super) struct PictureView<'a> {
    /// `None` if it isn't on the site.
    address: Option<&'a Address>,
    href: String,
    /// Address of its dark version.
    dark: Option<&'a Address>,
    /// Whether to load it when it becomes visible, because the page loads several images.
    is_lazy: bool,
}

impl<'a> Renderer<'a> {
    /// Returns the image of a reference. `is_lazy` means that it may load when it becomes visible.
    pub(super) fn shown(&self, from: &'a Document, picture: &'a Reference, is_lazy: bool) -> PictureView<'a> {
        if picture.is_unsafe() {
            return PictureView { address: None, href: String::new(), dark: None, is_lazy: false };
        }
        let (resolver, target) = (self.resolver(), &picture.target);
        let destination = resolver.resolve(from, target);
        let href = resolver.href_to(&destination, target);
        let address = match destination {
            Destination::Here(here) => Some(here.address),
            _ => None,
        };
        let dark = address.and_then(|address| self.dark(address));
        PictureView { address, href, dark, is_lazy: is_lazy || dark.is_some() }
    }

    /// Returns the dark version of an image, if there is one.
    fn dark(&self, address: &Address) -> Option<&'a Address> {
        let (dark, artifact) = self.map.entry(&address.dark()?)?;
        matches!(artifact, Artifact::Asset(_)).then_some(dark)
    }

    /// Writes the HTML before the `<img>`.
    pub(super) fn before_picture(&self, shown: &PictureView<'_>, html: &mut String) {
        if let Some(address) = shown.address {
            self.sources(address, html);
        }
    }

    /// Writes the value of `src` and the attributes after it, without the last quote.
    pub(super) fn in_picture(&self, shown: &PictureView<'_>, html: &mut String) {
        escape(&shown.href, html);
        self.attributes(shown.address, shown.dark.map(|_| "on-light"), shown.is_lazy, html);
    }

    /// Writes the HTML after the image. `rest` is the text after the output of [`Self::in_picture`].
    pub(super) fn after_picture(&self, shown: &PictureView<'_>, rest: &str, html: &mut String) {
        let close = |address: Option<&Address>, html: &mut String| {
            if address.is_some_and(|address| !self.map.renditions(address).is_empty()) {
                html.push_str("</picture>");
            }
        };
        close(shown.address, html);
        if let Some(dark) = shown.dark {
            self.sources(dark, html);
            html.push_str("<img src=\"");
            escape(&self.resolver().url(dark), html);
            self.attributes(Some(dark), Some("on-dark"), true, html);
            html.push_str(rest);
            close(Some(dark), html);
        }
    }

    fn attributes(&self, address: Option<&Address>, class: Option<&str>, is_lazy: bool, html: &mut String) {
        if let Some(class) = class {
            push(format_args!("\" class=\"{class}"), html);
        }
        if let Some(Dimensions { width, height }) = self.dimensions(address) {
            push(format_args!("\" width=\"{width}\" height=\"{height}"), html);
        }
        if is_lazy {
            html.push_str("\" loading=\"lazy");
        }
    }

    fn dimensions(&self, address: Option<&Address>) -> Option<Dimensions> {
        address.and_then(|address| self.map.dimensions(address))
    }

    /// Opens a `<picture>` with the smaller versions, if there are any.
    ///
    /// An image is at most as wide as its column, and at most as high as 70 % of the window: see `figure img` in
    /// `site.css`.
    fn sources(&self, address: &Address, html: &mut String) {
        let renditions = self.map.renditions(address);
        let (false, Some(size)) = (renditions.is_empty(), self.dimensions(Some(address))) else { return };
        html.push_str("<picture>");
        let widest = size.width.min(COLUMN);
        let high = (70 * size.width).div_ceil(size.height.max(1));
        for same in renditions.chunk_by(|(one, _), (next, _)| one.format == next.format) {
            push(format_args!("<source type=\"image/{}\" srcset=\"", same[0].0.format.name()), html);
            for (at, (rendition, address)) in same.iter().enumerate() {
                html.push_str(if at == 0 { "" } else { ", " });
                escape(&self.resolver().url(address), html);
                push(format_args!(" {}w", rendition.width), html);
            }
            push(format_args!("\" sizes=\"min({widest}px, 100vw - 2rem, {high}vh)\">"), html);
        }
    }

    /// Returns the size of an image in raw HTML as attributes: both, or only the height if the author set a width.
    pub(super) fn size(&self, from: &Document, picture: &Reference, width: Option<u32>, html: &mut String) {
        let Destination::Here(here) = self.resolver().resolve(from, &picture.target) else { return };
        let Some(size) = self.map.dimensions(here.address).filter(|size| size.width > 0) else { return };
        match width.and_then(|width| usize::try_from(width).ok()) {
            Some(width) => {
                let height = (width.saturating_mul(size.height) + size.width / 2) / size.width;
                push(format_args!(" height=\"{height}\""), html);
            }
            None => push(format_args!(" width=\"{}\" height=\"{}\"", size.width, size.height), html),
        }
    }
}

fn push(text: std::fmt::Arguments<'_>, html: &mut String) {
    html.write_fmt(text).expect("a String takes everything");
}
