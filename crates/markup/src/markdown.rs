//! Parses a page into its HTML and everything that later stages look up.
//!
//! In: the text of a page. Out: [`WholePage`], whose HTML contains placeholders for code and for the targets of links
//! and images, because they depend on the rest of the site. Callers that don't need HTML get only the [`Page`]. The
//! result depends only on the text and its [`Edition`](crate::edition::Edition), so it can be cached by the
//! hash of both. Code is highlighted later, because `check` doesn't need that.
//!
//! # The parts
//!
//! Each part uses only the parts above it.
//!
//! 1. `page` defines the result: headings, links, code and findings, with their ranges. `lines`, `paragraph`, `html`,
//!    `fence`, `formula` and `span` parse small pieces of text for all parts.
//! 2. `syntax` translates another tool's page into our own Markdown, and maps each piece to its original range. It
//!    contains the table of constructs that other tools add to Markdown.
//! 3. `parse` extracts notes and hand-written navigation, and returns the tree of the rest.
//! 4. `slips` finds failed markup in the visible text.
//! 5. `write` turns the tree into HTML, and records everything that the page refers to.
//! 6. `read` calls these in order. `twin` and `ours` convert a page back to Markdown.
//!
//! `github` finds IDs that links to READMEs may use. `crate::highlight` highlights code when a page is rendered.

mod fence;
mod formula;
mod github;
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
mod unwrapped;
mod write;

pub use self::formula::LIMIT as RENDERER_LIMIT;
pub use self::github::{ids_of_contributors, ids_of_html_headings, ids_of_programs};
pub use self::html::{HeadHtml, anchors as html_anchors};
pub use self::ours::{ConversionOptions, Ours, in_ours, with_targets};
pub use self::page::Ids;
pub use self::page::{
    Body, COLONS, CodeBlock, CodeIx, Definition, Direction, Element, HandWritten, Heading, HeadingIx,
    Included, MarkedLines, Note, NoteKind, Omission, OmissionReason, OwnBlock, OwnBlockIx, Page, PageAnchor,
    PageTable, PageTableColumn, PageTableIx, PageTableRow, Passage, Placeholder, PlatformBlock, Prose,
    ProseKind, Reference, ReferenceForm, ReferenceIx, ReferenceKind, Suppression, Switcher, SwitcherLink,
    TableRowIx, WholePage,
};
pub use self::parse::wholes;
pub use self::read::{parse, parse_without_html};
pub use self::slips::mojibake::repair;
pub use self::slips::readings::TagPlaces;
pub use self::slips::{EMPTY_ALERT, SEEN, UNDEFINED_LABEL, empty_note};
pub use self::syntax::{COMPILED, INCLUDES, UNDECLARED};
pub use self::syntax::{
    ElementTag, ImportStatement, Inclusion, InclusionKind, Translated, conditions, element_tags,
    holds_markdown, import, in_tag, inclusions, is_tab_label, near_start, translate,
};
pub use self::twin::twin;
pub use self::unwrapped::unwrapped;
pub use self::write::cells;
pub use input::dialect::label;
