//! Reads one page: its HTML, and everything that later stages ask about it.
//!
//! In: the text of a page. Out: [`WholePage`], whose HTML has placeholders where link and image targets and code
//! go, because those depend on the rest of the site. What asks for no HTML gets the [`Page`] alone. Pure in the text and its [`Edition`](crate::markup::edition::Edition), so a page
//! can be kept by the hash of both. Code is highlighted later, so `check` does without it.
//!
//! # The parts
//!
//! Each part uses only the ones above it.
//!
//! 1. `page` holds the result: headings, links, code, findings, with their places. `lines`, `paragraph`, `html`, `fence` and
//!    `span` read small pieces of text for all parts.
//! 2. `syntax` translates a page of another tool into our own Markdown, with the place of each piece. It has the table of the
//!    constructs that other tools add to Markdown.
//! 3. `parse` takes notes and navigation out, and gives the tree of what is left.
//! 4. `slips` finds failed markup in the text that readers see.
//! 5. `write` turns the tree into HTML, and notes everything that the page names.
//! 6. `read` calls these in turn. `twin` and `ours` write a page back as Markdown.
//!
//! Code is highlighted by `crate::markup::highlight` when a page is rendered.

mod fence;
mod html;
mod lines;
mod ours;
mod page;
mod paragraph;
mod parse;
mod read;
mod slips;
mod span;
mod syntax;
#[cfg(test)]
mod tests;
mod twin;
mod unclosed;
mod write;

pub use self::html::{HeadHtml, anchors as html_anchors};
pub(crate) use self::ours::{Ours, Wanted, in_ours, with_targets};
pub(crate) use self::page::Ids;
pub use self::page::{
    Body, CodeBlock, CodeIx, Definition, Direction, Element, HandWritten, Heading, HeadingIx, Included, Note,
    NoteKind, Omission, Page, PageAnchor, PageTable, PageTableColumn, PageTableIx, PageTableRow, Passage,
    Placeholder, PlatformBlock, Prose, ProseKind, Reference, ReferenceForm, ReferenceIx, ReferenceKind,
    Suppression, Switcher, SwitcherLink, TableRowIx, WholePage, Why,
};
pub(crate) use self::parse::wholes;
pub use self::read::{parse, parse_without_html};
pub use self::slips::mojibake::repair;
pub(crate) use self::syntax::body_of;
pub use self::syntax::{
    Inclusion, InclusionKind, Translated, conditions, inclusions, is_tab_label, translate,
};
pub use self::twin::twin;
pub use self::write::cells;
