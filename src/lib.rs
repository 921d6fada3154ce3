//! Stepkin builds documentation sites of *tutorial families*: one tutorial told for several platforms,
//! each a folder of Markdown step pages. It knows that `web/install` and `ios/install` are the same step.
//!
//! # The walk
//!
//! The program is one straight line. Each stage is a module with one entry function, and each gives a
//! complete value that no later stage fills in. The modules stand here in the order of the walk.
//!
//! 1. [`source::read`] reads the tree: pages and templates as text, everything else by name and size.
//!    [`source::read_listed`] leaves alone what an earlier run has read and what is too much to be held.
//! 2. [`content::load`] reads the front matter, gives every page its address, finds the families, and
//!    puts steps into their order.
//! 3. [`markdown::parse`] turns one page into HTML with holes, and notes everything later stages ask
//!    about it: headings, links, images, notes, settings, code. It sees nothing but the page's text and
//!    for which platform it is told. [`pages::Pages`] has a page parsed when a stage first asks for it.
//! 4. [`family::align`] says which steps, and which of their sections, correspond on other platforms.
//! 5. [`render::plan`] lays out every address that will exist.
//! 6. [`check::site`] finds what is wrong, with links looked up in that plan; [`drift::find`] finds where
//!    platforms tell different stories.
//! 7. [`render::artifact`] turns what stands at one address into bytes: holes filled, template applied.
//! 8. [`search::files`] makes the indexes that readers search, beside the plan.
//! 9. [`publish::write`] writes the plan as a folder, or [`serve::run`] answers requests from it.
//!
//! Whatever goes through all pages takes one of [`content::Site::parts`] after the other, each with a
//! [`render::Walk`] of its own over the same [`render::Planned`], so that no more than a part is held at once. A
//! large site is published as it is checked; the check has the last word before anything is put in place.
//!
//! [`pipeline`] is the walk itself, a dozen lines. [`cache`] keeps pages, highlighted code, findings and
//! indexes by what they were made from, and what the last build read and wrote, in memory and in `.stepkin/`.
//! [`cli`] reads arguments and prints reports; `main` turns the result into an exit status. [`timings`]
//! measures what the stages take.
//!
//! # What always holds
//!
//! 1. Only [`source`], [`publish`], [`serve`], [`cache`], `external` and [`cli`] touch disk, network, clock or
//!    terminal; and [`timings`] the clock, which nothing reads back.
//! 2. A stage never fails on content: it reports a [`diagnostic::Problem`] and goes on with the best
//!    value it has. One run shows everything. [`error::Error`] is for the world around us.
//! 3. A value is complete when it exists; a later stage makes a new type.
//! 4. Links are checked against the plan: the very map that `build` writes and `serve` answers from.
//! 5. Same sources, same bytes: any machine, folder, time, locale, thread count.
//! 6. With any cache the same bytes as without. There is no second way of building.
//! 7. A span is a byte range into the file on disk.
//! 8. Only what was published is ever deleted: the output carries a manifest of its own files.

pub mod address;
pub mod edition;
pub mod error;
pub mod site_path;
pub mod timings;

mod conflict;
pub mod diagnostic;
mod embedded;
pub mod explain;
pub mod store;
pub mod url;

pub mod config;
pub mod highlight;
pub mod source;
pub mod words;

pub mod content;

pub mod markdown;
pub mod pages;

pub mod family;

pub mod plan;

pub mod render;

pub mod drift;
pub mod search;
pub mod unify;

#[cfg(feature = "external")]
pub mod external;

pub mod check;
pub mod fix;

pub mod publish;

pub mod cache;
pub mod pipeline;

pub mod making;
pub mod serve;

pub mod cli;
