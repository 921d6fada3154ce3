//! Reads files, git and the network: from a folder to texts.
//!
//! In: a folder. Out: [`Sources`](source::Sources), with every page and template as text, all other files by name and
//! size, and the [`Repository`](conventions::Repository), which decides which files are pages. Pages are not parsed
//! here. No other room reads sources.
//!
//! In reading order:
//!
//! 1. [`config`], the file `stepkin.toml`.
//! 2. [`conventions`]: the kinds of repositories, and how each names, orders and writes its pages.
//! 3. [`source`]: the files of a folder, as listed by the file system or by git.
//! 4. [`dialect`]: the syntax of other tools that a page may be written in, and the files that it includes.
//! 5. [`languages`]: which pages are translations, and of which pages.
//! 6. [`words`]: the words of the interface, by language, and [`block_templates`]: the site's own blocks.
//! 7. [`link_map`] and `external`: the pages of other sites, from their maps or over the network.

pub mod block_templates;
pub mod config;
pub mod conventions;
pub mod dialect;
#[cfg(feature = "external")]
pub mod external;
pub mod languages;
pub mod link_map;
pub mod source;
pub mod words;
