pub mod config;
pub mod content;
pub mod diagnostic;
pub mod error;
pub mod markdown;
pub mod source;
