//! Tests from outside, as one program: most of the time of separate programs would be linking.

mod support;

mod as_found;
mod cache;
mod chrome;
mod ci;
mod code_files;
mod commonmark;
mod data;
mod dependencies;
mod determinism;
mod dialects;
mod drift;
mod elsewhere;
#[cfg(feature = "external")]
mod external;
mod fix;
mod fixtures;
mod follow;
mod formats;
mod fuzz;
mod instructions;
mod kill;
mod kinds;
mod large;
mod laws;
mod layers;
#[cfg(feature = "lsp")]
mod link_maps;
mod lists;
mod lsp;
mod manual;
mod messages;
mod migrate;
mod mv;
mod new;
mod one_source;
mod packages;
mod parts;
mod pictures;
mod programs;
mod publish;
mod reading;
mod readme;
mod reports;
mod sample;
mod sample_code;
mod schemas;
mod search;
mod serve;
mod shown;
mod start;
mod syntaxes;
mod terminal;
mod theme;
mod titles;
mod tree;
mod triage;
mod unify;
#[cfg(feature = "publish")]
mod upload;
mod voice;
mod warm;
mod wording;
mod words;
mod worth;
