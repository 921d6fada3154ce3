//! The destination of a page's HTML.

use pulldown_cmark_escape::{escape_html, escape_html_body_text};

use crate::markdown::page::{Body, Placeholder};

/// Receives the HTML of a page. The input doesn't depend on what the sink stores.
pub(in crate::markdown) trait Sink: Default {
    fn push(&mut self, html: &str);

    fn placeholder(&mut self, placeholder: Placeholder);

    /// Receives a text between tags.
    fn escaped(&mut self, text: &str);

    /// Receives a text in quotes.
    fn escaped_for_attribute(&mut self, text: &str);

    fn append(&mut self, other: Self);

    /// Whether the next text begins a line.
    fn ends_line(&self) -> bool;

    /// Reserves capacity for the HTML of a page with this many bytes.
    fn reserve(&mut self, bytes: usize);

    /// Frees unused capacity, because pages stay in memory.
    fn finish(&mut self);
}

impl Sink for Body {
    #[inline]
    fn push(&mut self, html: &str) {
        self.html.push_str(html);
    }

    fn placeholder(&mut self, placeholder: Placeholder) {
        self.placeholders.push((self.html.len(), placeholder));
    }

    fn escaped(&mut self, text: &str) {
        escape_html_body_text(&mut self.html, text).expect("a String takes everything");
    }

    fn escaped_for_attribute(&mut self, text: &str) {
        escape_html(&mut self.html, text).expect("a String takes everything");
    }

    fn append(&mut self, other: Self) {
        let start = self.html.len();
        self.html.push_str(&other.html);
        self.placeholders
            .extend(other.placeholders.into_iter().map(|(at, placeholder)| (start + at, placeholder)));
    }

    fn ends_line(&self) -> bool {
        self.html.is_empty() || self.html.ends_with('\n')
    }

    fn reserve(&mut self, bytes: usize) {
        // Most pages need less than twice their text.
        self.html.reserve(2 * bytes);
    }

    fn finish(&mut self) {
        self.html.shrink_to_fit();
    }
}

/// Stores nothing, for callers that don't need the HTML.
#[derive(Debug, Default)]
pub(in crate::markdown) struct Nowhere;

impl Sink for Nowhere {
    #[inline]
    fn push(&mut self, _: &str) {}

    fn placeholder(&mut self, _: Placeholder) {}

    fn escaped(&mut self, _: &str) {}

    fn escaped_for_attribute(&mut self, _: &str) {}

    fn append(&mut self, _: Self) {}

    fn ends_line(&self) -> bool {
        true
    }

    fn reserve(&mut self, _: usize) {}

    fn finish(&mut self) {}
}
