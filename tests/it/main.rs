//! Integration tests in one program, because linking separate programs would take most of the time.

mod support;

mod as_found;
mod cache;
#[cfg(unix)]
mod cards;
mod chrome;
mod ci;
mod code_files;
mod commonmark;
mod data;
mod dependencies;
mod determinism;
#[cfg(unix)]
mod diagrams;
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
mod languages;
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
mod names;
mod new;
mod one_source;
mod packages;
mod parts;
mod pictures;
mod planted;
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
mod translations;
mod tree;
mod triage;
mod unify;
#[cfg(feature = "publish")]
mod upload;
mod versions;
mod voice;
mod warm;
mod wording;
mod words;
mod worth;
