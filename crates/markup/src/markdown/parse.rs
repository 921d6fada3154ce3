//! Parses our own Markdown.
//!
//! `extract` applies the platform, and takes out notes and hand-written navigation. `pulldown-cmark` parses the rest,
//! and `blocks` corrects its structure. The result is a `tree`, whose texts `prose` collects.

mod autolink;
pub(super) mod blocks;
pub(super) mod extract;
pub(super) mod prose;
pub(super) mod tree;

pub(super) use self::extract::LONE_TAB;
pub use self::extract::wholes;
