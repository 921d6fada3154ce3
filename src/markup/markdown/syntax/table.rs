//! All constructs, in the order in which they are tried.

use super::construct::Construct;
use super::{
    alerts, attributes, contents, directives, files, indented, liquid, mdbook, mdx, myst, others, shortcodes,
    slashes, snippets, vue,
};

pub(in crate::markup::markdown) const CONSTRUCTS: &[Construct] = &[
    files::FILE,
    attributes::OF_FENCE,
    shortcodes::SHORTCODE,
    shortcodes::ARGUMENT,
    mdbook::DIRECTIVE,
    mdbook::DEFINITION,
    liquid::TAG,
    liquid::OUTPUT,
    vue::OUTPUT,
    vue::CODE,
    vue::COMPONENT,
    myst::DIRECTIVE,
    mdx::COMMENT,
    directives::DIRECTIVE,
    attributes::LIST,
    attributes::PIPE,
    liquid::FORMULA,
    mdx::EXPRESSION,
    mdx::COMPONENT,
    mdx::IMPORT,
    indented::AUTODOC,
    indented::ADMONITION,
    indented::TAB,
    indented::COMMENT,
    indented::INLINE,
    indented::OUTPUT,
    slashes::BLOCK,
    contents::CONTENTS,
    snippets::SNIPPET,
    snippets::COMMENT,
    others::WIKI_LINK,
    others::RST_DIRECTIVE,
    others::README_BLOCK,
    alerts::ALERT,
];
