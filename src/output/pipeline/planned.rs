//! Tests of earlier rooms that need a planned site.

mod missing;
mod pages;
mod steps;
mod tree;
