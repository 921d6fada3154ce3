//! The foundation of all rooms: paths, URLs, findings, and the store of results. It uses no other room.
//!
//! In reading order:
//!
//! 1. [`site_path`], [`address`] and [`url`]: a file of a site, a path of the published site, and what a browser reads as a URL.
//! 2. [`diagnostic`], [`quoted`], [`conflict`], [`fences`], [`front_matter`], [`lines`], [`list_item`] and [`findings`]: problems in texts,
//!    quotes in messages, conflict markers, code, data and items in texts that aren't parsed, and the rules with their explanations.
//! 3. [`error`]: failures of files, folders and sockets.
//! 4. [`store`]: results of earlier runs, by a hash of their inputs. It uses [`hash`] and [`texts`].
//! 5. [`index`], [`items`], [`sorted`], [`sort`], [`diff`], [`glob`], [`names`], [`platforms`] and [`language`]: typed positions, differences of lists,
//!    patterns of paths, titles of folders, names of platforms and of languages.
//! 6. [`mod@write`]: replaces files. [`progress`] and [`timings`]: the progress of a run, and its timings afterwards.

pub mod address;
pub mod conflict;
pub mod diagnostic;
pub mod diff;
pub mod error;
pub mod fences;
pub mod findings;
pub mod front_matter;
pub mod glob;
pub mod hash;
pub mod index;
pub mod items;
pub mod language;
pub mod lines;
pub mod list_item;
pub mod names;
pub mod platforms;
pub mod progress;
pub mod quoted;
pub mod site_path;
pub mod sort;
pub mod sorted;
pub mod store;
pub mod texts;
pub mod timings;
pub mod url;
pub mod write;
