//! The programs that people and editors use: they parse arguments and requests, and print.
//!
//! In reading order: [`cli`], [`serve`], `lsp`, and the commands that edit sources: [`moving`] and [`adding`].

pub mod adding;
pub mod cli;
#[cfg(feature = "lsp")]
pub mod lsp;
pub mod moving;
pub mod serve;
