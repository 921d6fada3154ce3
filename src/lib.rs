//! Stepkin builds documentation sites of *tutorial families*: one tutorial written for several platforms,
//! each a folder of Markdown step pages. It treats `web/install` and `ios/install` as the same step.
//!
//! A program calls [`build`], [`check`], [`fix`], [`drift`], [`migrate`] and [`serve`], as the commands do;
//! [`output::making`] has an example. The rooms below are public for tests, and change without notice.
//!
//! # The walk
//!
//! Data moves in one direction, from a folder to a site. Each room uses the results of the rooms above it, and never
//! those of a room below it (`tests/it/layers.rs`). All rooms but the last two are crates in `crates/`, so that the compiler keeps
//! their order, and a change compiles only the rooms below it again.
//!
//! | room | takes | returns |
//! | --- | --- | --- |
//! | [`base`] | | paths, URLs, findings, the store: what every room uses |
//! | [`input`] | a folder | [`Sources`](input::source::Sources): texts, file names, the configuration, the kind of repository |
//! | [`markup`] | the text of a page | [`Page`](markup::markdown::Page): HTML with placeholders, links, headings, settings |
//! | [`site`] | sources | [`Work`](site::work::Work): pages, families, every URL that will exist |
//! | [`review`] | a planned site | findings of `check` and `drift`, and edits that fix them |
//! | [`output`] | a planned site | bytes, a published folder, an uploaded bucket |
//! | [`app`] | arguments, requests | the command line, the preview server, the language server |
//!
//! A build takes these steps in turn. [`output::pipeline`] has the steps up to the check, [`output::making`] the complete build.
//!
//! 1. [`source::read`](input::source::read) reads the tree: pages and templates as text, all other files by name and size. A
//!    [`Repository`](input::conventions::Repository) decides which files are pages and what their names and keys mean.
//! 2. [`content::load`](site::content::load) reads front matter, gives each page its URL, finds the families and orders their steps.
//! 3. [`markdown::parse`](markup::markdown::parse) turns a page into HTML with placeholders, and lists everything that later
//!    steps look up: headings, links, images, notes, settings, code. [`Pages`](site::pages::Pages) parses a page when it is first used.
//! 4. [`family::align`](site::family::align) pairs steps, and sections in them, across platforms.
//! 5. [`plan::plan`](site::plan::plan) lists every URL that will exist. The [`Project`](site::project::Project) holds the result.
//! 6. [`drift::find`](review::drift::find) compares the platforms, and [`Check`](review::check::Check) looks links up in the plan.
//! 7. [`render::artifact`](output::render::artifact) turns one planned file into bytes: placeholders filled, template applied.
//! 8. [`Publishing`](output::publish::Publishing) writes them as a folder, or [`serve`] answers requests with them.
//!
//! One rule decides what is processed again: a stored result stays valid while its key and the facts that it looked up
//! stay the same. The key is a hash of everything that the result is known to depend on before it is made. The facts are
//! what it looked up in the rest of the site while it was made. The rule holds between two runs, in the
//! [`store`](base::store), and within one, in the [`memo`](site::memo). Checks and rendered files are stored by *unit*: a
//! family, a page outside families, or what depends on all pages.
//!
//! # Words
//!
//! - A *family* is one tutorial. Its *platforms* have *steps*, one page each, in reading order. A step's
//!   *key* is its path without the platform: the same on every platform.
//! - The same step on two platforms are *siblings*. A *row* is a step with its page on each platform.
//! - A *convention* describes how one kind of repository names, orders and writes its pages.
//! - An *edition* is the platform for which a text is read, with the values of its variables.
//! - A *document* is a page before its Markdown is parsed. Its *opening* is its front matter and first heading.
//! - An *address* is a path of the published site. An *artifact* is the file at an address. The *plan* maps addresses to artifacts.
//! - The *tree* is what readers browse next to the steps: pages, families, and folders without a page. Readers
//!   see a folder as a section.
//! - The *project* is a planned site; the *work* is the project and its parsed pages.
//! - A *unit* is checked and rendered on its own. Its *imports* are the facts that it looked up in the rest of the site.
//! - A *share* is the units that one of several machines builds; a *part* is the folder with its results.
//! - A *rendition* is a smaller version of an image.
//! - A *placeholder* is a gap in a page's HTML that is filled when the rest of the site is planned.
//! - A *twin* is the Markdown version of a page, published next to it.
//! - A *problem* is something wrong in a text. A *finding*, or diagnostic, is a problem with its file.
//! - A *target* is where a built site is uploaded: a bucket or a folder.
//! - A *link map* lists the pages and anchors of a site for other sites that link to it.
//! - A *cut* is a span that is removed from a text before the Markdown parser reads it.
//!
//! # Invariants
//!
//! 1. Only `source`, `git`, `drawn`, `publish`, `upload`, `serve`, `lsp`, `store`, `external`, `write` and `cli` use the disk, network, clock or
//!    terminal. `timings` reads the clock, but nothing reads it back. Only `cli` reads `progress`.
//! 2. Wrong content never ends a run: a step reports a [`Problem`](base::diagnostic::Problem) and continues with the best
//!    value that it has, so that one run shows everything. [`Error`](base::error::Error) is for files, folders and sockets.
//! 3. A value is complete when it exists; a later step makes a new type.
//! 4. Links are checked against the plan that `build` writes and `serve` answers from.
//! 5. The same sources give the same bytes on every machine, in every folder, at any time, with any number of
//!    threads. A diagram or card also depends on the program that draws it.
//! 6. A cache never changes a byte: a served site, an incremental build and a build from scratch are equal.
//! 7. A span is a byte range of the file on disk.
//! 8. Stepkin deletes only what it published: the output has a manifest of its own files.

pub mod output;

pub mod app;

pub use {base, input, markup, review, site};

pub use app::serve::run as serve;
pub use output::cache::Cache;
pub use output::making::{
    BuildOptions, Built, CheckedSite, MigrateOptions, Migrated, Since, build, check, drift, history, migrate,
};
pub use output::pipeline::Options;
pub use review::drift::Scope;
pub use review::fix::fix;
