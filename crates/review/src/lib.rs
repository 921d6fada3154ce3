//! Checks a site, and finds the edits that fix it.
//!
//! In: [`Work`](site::work::Work). Out: a [`Report`](base::diagnostic::Report) of findings.
//!
//! In reading order:
//!
//! 1. [`check`]: one function for each rule about pages, links, images and text.
//! 2. [`drift`]: differences between the platforms of a family.
//! 3. [`translations`]: differences between pages and their translations.
//! 4. [`fix`]: applies the edits that findings carry.
//! 5. [`unify`]: merges nearly identical pages of a step into one shared page.

pub mod check;
pub mod drift;
pub mod fix;
pub mod translations;
pub mod unify;
