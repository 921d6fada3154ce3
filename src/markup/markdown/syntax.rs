//! Translates pages of other tools into our own Markdown, with the place of each piece.
//!
//! In: a page's text and its [`Dialect`]. Out: [`Translated`]. The [`table`] has each [`Construct`] that another tool adds to
//! Markdown: the syntaxes that have it, what it becomes on their pages, and how it is found and reported on all other pages
//! (`slips`). A new construct is a row in the file of its syntax, and its name in the table.
//!
//! A text is read from its beginning to its end, line by line (`translator`). What is Markdown is copied; blocks that are
//! indented below the line that opens them lose that indentation (`blocks`). Fenced code, code spans and comments are copied as
//! they are. What is not understood is left out and noted, so that it is never taken for text, a link or a heading.
//!
//! `conditions` reads which elements a page shows on some platforms only; in the version for one platform they become blocks of
//! our own.
//!
//! `page` gives a page that was read from a translated text the names that its author wrote.

mod alerts;
mod arguments;
mod attributes;
mod blocks;
mod boxes;
mod conditions;
mod construct;
mod contents;
mod directives;
mod files;
mod indented;
mod lines;
mod liquid;
mod mdbook;
mod mdx;
mod myst;
mod notes;
mod others;
mod output;
mod page;
mod parts;
mod script;
mod shortcodes;
mod snippets;
mod state;
mod table;
mod tag;
#[cfg(test)]
mod tests;
mod translator;
mod vue;

use std::ops::Range;

pub use self::conditions::{conditions, is_tab_label};
pub(super) use self::construct::{Construct, Slip, TextPlace};
pub(super) use self::liquid::{OUTPUT, TAG};
pub(super) use self::mdx::{COMPONENT, EXPRESSION, IMPORT};
pub(super) use self::myst::mark_labels;
use self::notes::TranslationNotes;
pub use self::notes::{Inclusion, InclusionKind};
pub(super) use self::shortcodes::SHORTCODE;
pub(super) use self::table::CONSTRUCTS;
pub(crate) use self::translator::body_of;
use self::translator::{Rules, Translator};
use super::page::{Included, Omission, PageAnchor};
use super::span::OffsetMap;
use crate::base::diagnostic::Problem;
use crate::input::conventions::Syntax;
use crate::input::dialect::Dialect;

/// A text in our own Markdown.
#[derive(Clone, Debug, PartialEq)]
pub struct Translated {
    /// The front matter as it was, and the body.
    pub text: String,
    /// Where the body begins.
    pub body: usize,
    pub left_out: Vec<Omission>,
    /// What is included, by its place.
    pub included: Vec<Included>,
    /// Anchors that the generator makes of something other than a heading or HTML.
    pub(super) anchors: Vec<PageAnchor>,
    /// The labels of tabs that have ids, with their places.
    pub(super) tabs: Vec<(String, Range<usize>)>,
    /// What is wrong with the code of files, by its place in the file.
    pub(super) problems: Vec<Problem>,
    /// Lines of `text` that stand for something in an included file: the place of what includes it, the line, and what is there.
    pub(super) renamed: Vec<(Range<usize>, String, String)>,
    /// Where in `text` each piece that is left out would be.
    pub gaps: Vec<usize>,
    /// To the file.
    pub(super) map: OffsetMap,
}

/// Translates `text`, a whole file with its body from `body` on.
pub fn translate(text: &str, body: usize, dialect: &Dialect) -> Translated {
    translate_with(text, body, dialect, false)
}

/// The same with [`translator::UNKNOWN`] in an address where a piece of it was left out, so that nothing takes the rest for the
/// whole.
pub(super) fn translate_marked(text: &str, body: usize, dialect: &Dialect) -> Translated {
    translate_with(text, body, dialect, true)
}

fn translate_with(text: &str, body: usize, dialect: &Dialect, marks_unknown: bool) -> Translated {
    let rules = rules(dialect.syntax);
    let mut budget = MOST_INCLUDED;
    let mut translator = Translator::new(text, body, (dialect, &rules), &mut budget);
    translator.marks_unknown = marks_unknown;
    translator.run();
    let Translator { out, notes, .. } = translator;
    let TranslationNotes { left_out, gaps, included, anchors, tabs, problems, renamed, asked: _ } = notes;
    Translated {
        text: out.text,
        body,
        left_out,
        included,
        anchors,
        tabs,
        problems,
        renamed,
        gaps,
        map: out.map,
    }
}

/// What the constructs of some syntaxes become.
fn rules(syntax: &[Syntax]) -> Rules {
    let mut rules = Rules::default();
    for (of, rule) in CONSTRUCTS.iter().flat_map(|construct| construct.becomes) {
        if of.iter().any(|it| syntax.contains(it)) {
            rules.add(*rule);
        }
    }
    rules
}

/// The files that a text names, in the order of their places.
pub fn inclusions(text: &str, body: usize, syntax: &'static [Syntax]) -> Vec<Inclusion> {
    let may_include: &[&str] = if syntax.contains(&Syntax::CodeFiles) {
        &["file="]
    } else {
        &["import ", "{{", "{%", "--8<--", "<<<", "@include", "raw-loader", "include}"]
    };
    let lists_files = || syntax.contains(&Syntax::Liquid) && liquid::listed(&text[..body]).next().is_some();
    let has_sign = || may_include.iter().any(|sign| text[body..].contains(sign));
    if syntax.is_empty() || !has_sign() && !lists_files() {
        return Vec::new();
    }
    let dialect = Dialect { syntax, ..Dialect::default() };
    let rules = rules(syntax);
    let mut budget = 0;
    let mut translator = Translator::new(text, body, (&dialect, &rules), &mut budget);
    translator.run();
    let mut asked = translator.notes.asked;
    // A template of Hugo names the file that it passes on in its actions.
    if syntax.contains(&Syntax::Shortcodes)
        && let Some(file) = shortcodes::passed_on(&text[body..])
    {
        asked.push(Inclusion { name: file.to_string(), kind: InclusionKind::Markdown, span: body..body });
    }
    asked
}

/// Bytes that a page may include at most: files may include each other.
const MOST_INCLUDED: usize = 1 << 20;
