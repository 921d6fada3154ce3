//! What the commands do, for any Rust program: from a site's folder to a value that says what came of it.
//!
//! ```no_run
//! # fn main() -> stepkin::base::error::Result<()> {
//! use std::path::Path;
//!
//! use stepkin::{Cache, Options};
//!
//! let root = Path::new("docs");
//! let found = stepkin::check(root, &Options::default(), &Cache::of(root))?;
//! for finding in found.report.iter() {
//!     println!("{}: {}", finding.file, finding.problem.message);
//! }
//! # Ok(())
//! # }
//! ```

mod build;
mod check;
mod drift;
mod files;
mod last_build;
mod migrate;
mod part;
pub mod weight;

pub use self::build::{BuildOptions, Built, build, left_out};
pub use self::check::{check, check_with};
pub use self::drift::{Lifetimes, Since, drift, drift_of_languages, history};
pub use self::last_build::BuildSummary;
pub use self::migrate::{MigrateOptions, Migrated, migrate};
pub use self::part::ShardResult;

use crate::base::diagnostic::Report;
use crate::output::render::Rendering;

/// What is wrong with a site, and the site it was found in.
#[derive(Debug)]
pub struct CheckedSite {
    pub report: Report,
    pub work: Rendering,
}
