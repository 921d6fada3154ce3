//! Tests from outside, as one program: most of the time of separate programs would be linking.

mod support;

mod as_found;
mod cache;
mod code_files;
mod commonmark;
mod data;
mod determinism;
mod dialects;
mod drift;
mod elsewhere;
#[cfg(feature = "external")]
mod external;
mod fix;
mod fixtures;
mod formats;
mod fuzz;
mod instructions;
mod kill;
mod kinds;
mod large;
mod laws;
mod layers;
#[cfg(feature = "lsp")]
mod lsp;
mod messages;
mod migrate;
mod mv;
mod one_source;
mod pictures;
mod programs;
mod publish;
mod readme;
mod reports;
mod sample;
mod sample_code;
mod search;
mod serve;
mod shown;
mod start;
mod theme;
mod titles;
mod tree;
mod triage;
mod unify;
mod warm;
mod wording;
mod words;
