//! Mistakes in the syntax of a generator: text that almost has the form of a construct, and constructs without what they need.
//!
//! Each rule is a row of a table, and the conventions list those that their documentation requires. Anything that a generator leaves
//! to themes and plugins has no row.

mod alike;
mod brackets;
mod code;
mod components;
mod containers;
mod extensions;
mod fences;
mod html;
mod imports;
mod labels;
mod levels;
mod liquid;
mod marks;
mod myst;
mod name_groups;
mod notes;
mod outputs;
mod paths;
mod restarts;
mod series;
mod shortcodes;
mod siblings;
mod source;
mod spellings;
mod uses;

use std::ops::Range;

pub(super) use self::imports::{missing as missing_imports, with_imports};
pub(super) use self::labels::repeated as repeated_labels;
use self::source::{PageSource, SourceLine};
pub(super) use self::uses::unusual as unusual_elements;
use super::{Lookup, Subject};
use base::diagnostic::{Code, Problem};
use base::site_path;
use input::conventions::{HtmlInMdx, is_mintlify};
use site::plan::Destination;

/// The endings of images that pages show.
const IMAGES: [&str; 6] = [".gif", ".jpeg", ".jpg", ".png", ".svg", ".webp"];

/// A mistake in a text.
#[derive(Debug, PartialEq)]
struct Mistake {
    code: Code,
    /// Range in the file.
    span: Range<usize>,
    message: String,
    help: String,
    /// A key and its value, by which the rules about all pages find it.
    data: Option<(&'static str, String)>,
}

/// The data of findings about a missing extension.
pub(super) const EXTENSION: &str = "extension";
/// The data of findings about attributes with blank lines around them.
pub(super) const DETACHED: &str = "detached";
/// The data of findings about code that isn't valid: its language.
pub(super) const INVALID: &str = "invalid";

impl Mistake {
    /// A construct that isn't read as its author meant it.
    fn misread(span: Range<usize>, message: String, help: impl Into<String>) -> Self {
        Self { code: Code::UnsupportedSyntax, span, message, help: help.into(), data: None }
    }

    /// A value that the generator doesn't know.
    fn value(span: Range<usize>, message: String, help: impl Into<String>) -> Self {
        Self { code: Code::UnusualValue, span, message, help: help.into(), data: None }
    }
}

/// Returns the position of the quotation mark that ends a text. A `\` precedes those in it.
fn end_of_text(text: &str, quote: u8) -> Option<usize> {
    let mut is_escaped = false;
    text.bytes().position(|byte| {
        let ends = byte == quote && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    })
}

/// Returns the mistakes on a page of another generator.
pub(super) fn mistakes(lookup: &Lookup<'_>, subject: &Subject<'_>) -> Vec<Problem> {
    let repository = subject.resolver.repository;
    if repository.is_ours() {
        return Vec::new();
    }
    let is_of_mintlify = repository.navigation.as_deref().is_some_and(is_mintlify);
    let source = PageSource::of(&subject.text, subject.document.body, repository.convention);
    let is_compiled =
        repository.html_in_mdx == HtmlInMdx::None && subject.document.path.as_str().ends_with(".mdx");
    let source = PageSource { is_of_mintlify, is_compiled, ..source };
    let lines: Vec<SourceLine<'_>> = source.lines().collect();
    let page = repository.stem(site_path::file_name(subject.document.path.as_str()));
    let components = source.components();
    // Otherwise, each unknown component is reported.
    let is_open = repository.vocabulary_of(&subject.document.path).components.is_none();
    let is_here =
        |target: &str| matches!(subject.resolver.resolve(subject.document, target), Destination::Here(_));
    let between_levels = if repository.keeps_list_numbers() { levels::mistakes(&lines) } else { Vec::new() };
    let found = marks::mistakes(&source, &lines)
        .into_iter()
        .chain(fences::mistakes(&source))
        .chain(code::mistakes(&source))
        .chain(spellings::mistakes(&source))
        .chain(components::mistakes(&source, &components))
        .chain(siblings::mistakes(&source, &components, &is_here))
        .chain(siblings::exchanged_schemes(&source, &components))
        .chain(siblings::file_of_other_page(&source, &lines, page))
        .chain(alike::mistakes(&source, &components, page, is_open))
        .chain(html::mistakes(&source, &lines))
        .chain(containers::mistakes(&source, &lines))
        .chain(containers::unclosed_directive(&source))
        .chain(notes::missing(&source, &lines))
        .chain(outputs::mistakes(&source))
        .chain(paths::mistakes(subject))
        .chain(myst::mistakes(&source))
        .chain(myst::substitutions(&source, &lines, repository.output_names.as_ref()))
        .chain(restarts::mistakes(&source, &lines, repository.keeps_list_numbers()))
        .chain(between_levels)
        .chain(series::mistakes(&lines))
        .chain(shortcodes::mistakes(&source, &repository.shortcode_arguments))
        .chain(liquid::mistakes(&source, &lookup.shared.posts))
        .chain(extensions::mistakes(&source, &lines, &repository.missing_extensions));
    let found = found.map(|Mistake { code, span, message, help, data }| {
        let problem = Problem::new(code, span, message).help(help).as_warning();
        match data {
            Some((key, value)) => problem.data(key, value),
            None => problem,
        }
    });
    found.chain(paths::in_expressions(lookup, subject, &source)).collect()
}
