//! From the text of one page to HTML with placeholders, and a list of everything in it.
//!
//! In: a text, its [`Edition`](edition::Edition) (the platform) and its [`Dialect`](input::dialect::Dialect)
//! (the tool whose syntax it uses). Out: a [`Page`](markdown::Page). The result depends on nothing else, so it is
//! stored by the hash of these three.
//!
//! In reading order: [`edition`], [`markdown`], [`highlight`], [`css`].

pub mod css;
pub mod edition;
pub mod highlight;
pub mod markdown;
