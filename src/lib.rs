//! Stepkin builds documentation sites of *tutorial families*: one tutorial told for several platforms,
//! each a folder of Markdown step pages. It knows that `web/install` and `ios/install` are the same step.
//!
//! A program calls [`build`], [`check`], [`fix`](fix::mend), [`drift`], [`migrate`] and [`serve`](serve::run), as the commands do;
//! [`making`] has an example. All else is public for tests alone and changes without notice.
//!
//! # The walk
//!
//! Each stage is a module with one entry function, and each gives a complete value that no later stage fills in.
//!
//! 1. `source::read` reads the tree: pages and templates as text, everything else by name and size. Which files are pages, and
//!    what their names and keys mean, a `conventions::Repository` says: a site of our own, or that of another generator.
//! 2. `content::load` reads front matter, gives every page its address, finds the families, and puts steps into
//!    their order.
//! 3. `markdown::parse` turns one page into HTML with placeholders, and notes everything that later stages ask
//!    about it: headings, links, images, notes, settings, code. It sees nothing but the page's text, its edition, and
//!    its `dialect`: the syntax of another tool that it is written in, and the files that it includes.
//!    `pages::Pages` has a page parsed when a stage first asks for it.
//! 4. `family::align` says which steps, and which of their sections, correspond on other platforms.
//!    `pictures` makes the smaller versions of screenshots that a build publishes beside them.
//! 5. `plan::plan` lays out every address that will exist. All of this together is the `project::Project`.
//! 6. `drift::find` compares the platforms, and `check::Check` finds what is wrong, with links looked up in the plan.
//! 7. `render::artifact` turns what is at one address into bytes: placeholders filled, template applied.
//! 8. `search::files` makes what readers search, beside the plan.
//! 9. `publish::replace` writes the plan as a folder, or `serve::run` answers requests from it. `lsp::run` tells editors what
//!    is known of it. `upload::run` puts a folder that was built into an object store.
//!
//! Pages are checked and rendered unit by unit: a `unit::Unit` is a family, a page outside of families, or what is
//! made from all pages. What a unit asks of others is written down, and what an earlier run made of it holds as long as
//! the answers are the same. Units are taken some hundred pages at a time. `pipeline` has the stages up to the check in
//! turn, `making` the whole of a build. `moving` plans a site with files at other places, `adding` one with a new step. `cache` keeps results by what they were made from, in memory and in a `store`.
//! `cli` reads arguments and prints reports. The highlighter is a package of its own, `crates/highlight`.
//!
//! # Words
//!
//! - A *family* is one tutorial; its *platforms* have *steps*, one page each, in the order of reading. A step's
//!   *key* is its path with the platform taken out: the same on every platform.
//! - The same step on two platforms are *siblings*; a *row* is a step with its page on each platform that has it.
//! - A *convention* is how one kind of repository names, orders and writes its pages.
//! - An *edition* is for which platform a text is read, with the values of its variables.
//! - A *document* is a page before its Markdown is parsed; its *opening* is front matter and first heading.
//! - An *address* is a path of the published site; an *artifact* is what is there; the *plan* maps one to the other.
//! - The *tree* is what readers walk through beside the steps: pages, families, and folders that have no page of their own. Readers
//!   call what is in a folder a section.
//! - The *project* is a site as it is planned; the *work* is the project with what was made of its pages so far.
//! - A *unit* is what is made apart: a family, a page outside of families, the list of a folder, or what is made from all pages. Its
//!   *imports* are the facts that it asked for of the rest of the site.
//! - A *share* is the units that a run makes where it does not make all; a *part* is a folder with what one of several machines has
//!   made of a site.
//! - A *rendition* is a smaller version of a picture.
//! - A *placeholder* is a place in a page's HTML that is filled when the rest of the site is known.
//! - A *twin* is a page as Markdown, beside the page.
//! - An *index* (`index`) is the position of one kind of thing in its list: [`FamilyId`](content::FamilyId) and the like.
//! - A *problem* is what a stage has found in a text, a *diagnostic* or *finding* the same with its file.
//! - A *target* is where a built site is put for its readers: a bucket of an object store, or a folder.
//! - A *link map* says which pages and anchors a site has, for other sites that link to it.
//! - A *cut* is a span that is taken out of a text before the Markdown parser reads it.
//!
//! # What always holds
//!
//! 1. Only `source`, `publish`, `upload`, `serve`, `lsp`, `store`, `external`, `write` and `cli` touch disk, network, clock or terminal, and
//!    `timings` the clock, which nothing reads back. `progress` is read by `cli` alone.
//! 2. A stage never fails on content: it reports a `diagnostic::Problem` and goes on with the best
//!    value it has. One run shows everything. [`error::Error`] is for the world around us.
//! 3. A value is complete when it exists; a later stage makes a new type.
//! 4. Links are checked against the plan: the very map that `build` writes and `serve` answers from.
//! 5. Same sources, same bytes: any machine, folder, time, locale, thread count.
//! 6. With any cache the same bytes as without. There is no second way of building.
//! 7. A span is a byte range into the file on disk.
//! 8. Only what was published is ever deleted: the output carries a manifest of its own files.
//! 9. A module uses only those above it in the list below; `tests/it/layers.rs` holds that.

pub use cache::Cache;
pub use drift::Scope;
pub use making::{
    Built, Found, MigrateOptions, Migrated, Settings, Since, build, check, drift, history, migrate,
};
pub use pipeline::Options;

#[doc(hidden)]
pub mod address;
pub mod error;
mod findings;
#[doc(hidden)]
pub mod hash;
#[doc(hidden)]
pub mod index;
#[doc(hidden)]
pub mod progress;
#[doc(hidden)]
pub mod site_path;
#[doc(hidden)]
pub mod store;
#[doc(hidden)]
pub mod texts;
#[doc(hidden)]
pub mod timings;
mod write;

mod diff;

pub mod diagnostic;
#[doc(hidden)]
pub mod platforms;

#[doc(hidden)]
pub mod names;

mod conflict;
#[doc(hidden)]
pub mod conventions;
#[doc(hidden)]
pub mod dialect;
mod embedded;
#[doc(hidden)]
pub mod url;

#[doc(hidden)]
pub mod link_map;

#[doc(hidden)]
pub mod config;
#[doc(hidden)]
pub mod highlight;
#[doc(hidden)]
pub mod source;
#[doc(hidden)]
pub mod words;

#[doc(hidden)]
pub mod pictures;

#[doc(hidden)]
pub mod edition;

#[doc(hidden)]
pub mod markdown;

#[doc(hidden)]
pub mod content;
#[doc(hidden)]
pub mod pages;

#[doc(hidden)]
pub mod family;

#[doc(hidden)]
pub mod plan;

#[doc(hidden)]
pub mod project;

#[doc(hidden)]
pub mod render;

#[doc(hidden)]
pub mod drift;
#[doc(hidden)]
pub mod search;
#[doc(hidden)]
pub mod unify;

#[cfg(feature = "external")]
#[doc(hidden)]
pub mod external;

#[doc(hidden)]
pub mod check;
#[doc(hidden)]
pub mod unit;

pub mod fix;

#[doc(hidden)]
pub mod publish;
#[cfg(feature = "publish")]
#[doc(hidden)]
pub mod upload;

pub mod cache;
pub mod pipeline;

pub mod making;
#[doc(hidden)]
pub mod moving;

#[doc(hidden)]
pub mod adding;
pub mod serve;

#[cfg(feature = "lsp")]
#[doc(hidden)]
pub mod lsp;

#[doc(hidden)]
pub mod cli;
