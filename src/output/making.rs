//! The commands for use by any Rust program: from a site's folder to a value with the result.
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
mod built;
mod check;
mod contents;
mod drift;
mod files;
mod last_build;
mod migrate;
mod outputs;
mod part;
mod reuse;
pub mod weight;

pub use self::build::build;
pub use self::built::{BuildOptions, Built, left_out};
pub use self::check::{check, check_with};
pub use self::drift::{Lifetimes, Since, drift, fixes_of_languages, history, in_language};
pub use self::last_build::BuildSummary;
pub use self::migrate::{MigrateOptions, Migrated, migrate};
pub use self::part::ShardResult;

use crate::output::render::Rendering;
use base::diagnostic::Report;

/// The findings on a site, and the site.
#[derive(Debug)]
pub struct CheckedSite {
    pub report: Report,
    pub work: Rendering,
}
