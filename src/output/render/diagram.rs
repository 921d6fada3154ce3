//! The image of a diagram in a page, in place of its code block.
//!
//! It is an `<img>`, so that its styles, IDs and scripts can't affect the page. The dark version is a second image, as for
//! other images: see [`pictures`](super::pictures).

use std::fmt::Write as _;

use super::templates::escape_parts;
use super::{Renderer, escape};
use base::address::Address;
use input::words::Word;
use markup::markdown::CodeBlock;
use site::plan::drawings;

/// The start of a code block with a title, which precedes the title.
const TITLED: &str = "<figure class=\"code\"><figcaption>";

/// Returns the rest of the page's HTML after the content of a code block, without the end of the block.
pub(super) fn after_code(html: &str) -> &str {
    html.strip_prefix("</code></pre>").unwrap_or(html)
}

impl<'a> Renderer<'a> {
    /// Replaces the start of a code block at the end of the HTML with the image of its diagram. Returns whether there is one.
    pub(super) fn diagram(&self, block: &CodeBlock, is_first: bool, html: &mut String) -> bool {
        let Some(light) = self.drawn(block, false) else { return false };
        let Some(start) = html.rfind("<pre") else { return false };
        html.truncate(start);
        let caption = html.rfind(TITLED).filter(|_| html.ends_with("</figcaption>"));
        let caption = caption.map(|start| html.split_off(start)).unwrap_or_default();
        let title = caption.strip_prefix(TITLED).and_then(|it| it.strip_suffix("</figcaption>"));
        if is_first {
            self.style("diagram.css", html);
        }
        let dark = self.drawn(block, true);
        html.push_str("<figure class=\"diagram\"><a href=\"");
        escape(&self.url(light), html);
        html.push_str("\">");
        let name = self.name_of_diagram(block, title);
        self.drawn_image(light, if dark.is_some() { "on-light" } else { "on-white" }, &name, html);
        if let Some(dark) = dark {
            self.drawn_image(dark, "on-dark", &name, html);
        }
        html.push_str("</a>");
        match title {
            Some(title) => {
                write!(html, "<figcaption>{title}</figcaption>").expect("a String takes everything");
            }
            None => html.push_str("</figure>"),
        }
        true
    }

    /// Returns the address of a diagram's image, if it was drawn.
    fn drawn(&self, block: &CodeBlock, is_dark: bool) -> Option<&'a Address> {
        let command = self.site.config.diagrams.get(&block.language)?;
        let key = drawings::diagram_key(command, is_dark, &block.code)?;
        Some(self.map.entry(&drawings::diagram(&key))?.0)
    }

    /// Returns the name of a diagram for screen readers, as HTML: Mermaid's `accTitle`, or else the title of the code block.
    fn name_of_diagram(&self, block: &CodeBlock, title: Option<&str>) -> String {
        let named = block.code.lines().find_map(|line| {
            let name = line.trim_start().strip_prefix("accTitle")?.trim_start().strip_prefix(':')?.trim();
            Some(name).filter(|name| !name.is_empty())
        });
        let mut html = String::new();
        let push = |part: &str| {
            html.push_str(part);
            Ok::<_, std::convert::Infallible>(())
        };
        match (named, title) {
            (None, Some(title)) => return title.replace('"', "&quot;"),
            (None, None) => _ = escape_parts(self.words.get(Word::Diagram), push),
            (Some(named), _) => _ = escape_parts(named, push),
        }
        html
    }

    fn drawn_image(&self, address: &Address, class: &str, name: &str, html: &mut String) {
        html.push_str("<img src=\"");
        escape(&self.url(address), html);
        write!(html, "\" alt=\"{name}\" class=\"{class}\"").expect("a String takes everything");
        if let Some(size) = self.map.dimensions(address) {
            write!(html, " width=\"{}\" height=\"{}\"", size.width, size.height)
                .expect("a String takes everything");
        }
        html.push_str(" loading=\"lazy\">");
    }
}
