//! Parses our own Markdown.
//!
//! `extract` applies what depends on the platform and takes notes and hand-written navigation out, `pulldown-cmark` reads
//! the rest, and `blocks` mends its structure. Out comes a `tree`, whose texts `prose` collects.

mod autolink;
pub(super) mod blocks;
pub(super) mod extract;
pub(super) mod prose;
pub(super) mod tree;

pub(super) use self::extract::LONE_TAB;
pub(crate) use self::extract::wholes;
