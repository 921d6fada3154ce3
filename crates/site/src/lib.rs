//! The structure of a site: documents, families, and every URL.
//!
//! In: [`Sources`](input::source::Sources). Out: [`Work`](work::Work), a planned site and its parsed pages.
//!
//! In reading order:
//!
//! 1. [`content`]: front matter, URLs, and the ordered steps of each family.
//! 2. [`pages`]: the parsed pages, each parsed when it is first used.
//! 3. [`family`]: the steps and sections that correspond across platforms.
//! 4. [`languages`]: the pages and sections of translations that correspond.
//! 5. [`views`]: the sources of each language, which are planned as separate sites.
//! 6. [`plan`]: every URL that will exist, and how links resolve. [`built_in`]: the files of the program among them.
//! 7. [`alternates`]: the same page in other languages, and [`lags`]: the changes that translations lack.
//! 8. [`project`] and [`work`]: all of this together.

pub mod alternates;
pub mod built_in;
pub mod content;
pub mod family;
pub mod lags;
pub mod languages;
pub mod memo;
pub mod pages;
pub mod plan;
pub mod project;
pub mod views;
pub mod work;
