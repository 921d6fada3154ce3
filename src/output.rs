//! Rendered files, and where they are written.
//!
//! In: a planned site. Out: rendered files, a published folder or an uploaded bucket, and results for the next run.
//!
//! In reading order:
//!
//! 1. [`pipeline`]: the steps from a folder to a checked plan.
//! 2. [`render`], [`search`], [`pictures`] and [`diagrams`]: the bytes of each published file.
//! 3. [`mod@unit`] and [`cache`]: units, which are checked and rendered separately, and their stored results.
//! 4. [`making`]: a complete build, as one function.
//! 5. [`publish`] and `upload`: a folder or a bucket that is updated atomically.

pub mod cache;
pub mod cards;
pub mod diagrams;
pub mod drawn;
pub(crate) mod embedded;
pub mod making;
pub mod pictures;
pub mod pipeline;
pub mod publish;
pub mod render;
pub mod search;
pub mod unit;
#[cfg(feature = "publish")]
pub mod upload;
