//! Translates pages of other tools into our own Markdown, and records the original range of each piece.
//!
//! In: a page's text and its [`Dialect`]. Out: [`Translated`]. The [`table`] contains each [`Construct`] that another
//! tool adds to Markdown: the syntaxes that include it, its translation on their pages, and how it is found and
//! reported on all other pages (`slips`). To add a construct, add a row to the file of its syntax, and its name to
//! the table.
//!
//! A text is processed from start to end, line by line (`translator`). Markdown is copied. Blocks that are indented
//! under their opening line lose that indentation (`blocks`). Fenced code, code spans and comments are copied
//! unchanged. Unsupported syntax is left out and recorded, so that it never becomes text, a link or a heading.
//!
//! `conditions` finds the elements that a page shows on some platforms only. In the edition for one platform, they
//! become our own blocks.
//!
//! `page` restores the names that the author wrote in a page that was parsed from a translated text.

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
mod labels;
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
mod slashes;
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
pub(super) use self::labels::{LAST_DEFINITIONS, ONE_DEFINITION, defined};
pub use self::liquid::in_tag;
pub(super) use self::liquid::{OUTPUT, TAG};
pub(super) use self::mdbook::DIRECTIVE as MDBOOK_DIRECTIVE;
pub use self::mdx::{COMPILED, ImportStatement, UNDECLARED, import};
pub(super) use self::mdx::{COMPONENT, EXPRESSION, IMPORT};
pub use self::myst::holds_markdown;
pub(super) use self::myst::mark_labels;
use self::notes::TranslationNotes;
pub use self::notes::{Inclusion, InclusionKind};
pub use self::page::INCLUDES;
pub(super) use self::shortcodes::SHORTCODE;
pub(super) use self::table::CONSTRUCTS;
pub use self::tag::{ElementTag, element_tags};
pub use self::translator::near_start;
use self::translator::{Rules, Translator};
use super::page::{Included, Omission, PageAnchor, Reference};
use super::span::OffsetMap;
use base::diagnostic::Problem;
use input::conventions::Syntax;
use input::dialect::Dialect;

/// A text that was translated into our own Markdown.
#[derive(Clone, Debug, PartialEq)]
pub struct Translated {
    /// The unchanged front matter, and the translated body.
    pub text: String,
    /// Start of the body.
    pub body: usize,
    pub left_out: Vec<Omission>,
    /// The included files, by range.
    pub included: Vec<Included>,
    /// Anchors that the generator creates for content other than headings and HTML.
    pub(super) anchors: Vec<PageAnchor>,
    /// References that don't become links.
    pub(super) roles: Vec<Reference>,
    /// The labels of tabs with IDs, and their ranges.
    pub(super) tabs: Vec<(String, Range<usize>)>,
    /// Problems with included code, by range in the file.
    pub(super) problems: Vec<Problem>,
    /// Lines of `text` that replace a line of an included file: the range of the include, the line, and the original
    /// line.
    pub(super) renamed: Vec<(Range<usize>, String, String)>,
    /// Positions in `text` of content that was left out.
    pub gaps: Vec<usize>,
    /// Maps ranges to the file.
    pub(super) map: OffsetMap,
}

/// Translates `text`, a complete file whose body begins at `body`.
pub fn translate(text: &str, body: usize, dialect: &Dialect) -> Translated {
    translate_with(text, body, dialect, false)
}

/// The same, with [`translator::UNKNOWN`] in URLs in place of parts that were left out, so that the rest isn't
/// mistaken for the complete URL.
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
    let TranslationNotes { left_out, gaps, included, anchors, roles, tabs, problems, renamed, asked: _ } =
        notes;
    Translated {
        text: out.text,
        body,
        left_out,
        included,
        anchors,
        roles,
        tabs,
        problems,
        renamed,
        gaps,
        map: out.map,
    }
}

/// Returns the translations of the constructs in some syntaxes.
fn rules(syntax: &[Syntax]) -> Rules {
    let mut rules = Rules::default();
    for (of, rule) in CONSTRUCTS.iter().flat_map(|construct| construct.becomes) {
        if of.iter().any(|it| syntax.contains(it)) {
            rules.add(*rule);
        }
    }
    rules
}

/// Returns the files that a text includes, in the order of their positions.
pub fn inclusions(text: &str, body: usize, syntax: &'static [Syntax]) -> Vec<Inclusion> {
    let may_include: &[&str] = if syntax.contains(&Syntax::CodeFiles) {
        &["file="]
    } else {
        &[
            "import ",
            "{{",
            "{%",
            "{!",
            "--8<--",
            "<<<",
            "@include",
            "!!!include(",
            "raw-loader",
            "include}",
            "<Include",
            "<Partial",
            "<Snippet",
        ]
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
    // A Hugo template contains the name of the file that it passes on in its actions.
    if syntax.contains(&Syntax::Shortcodes)
        && let Some(file) = shortcodes::passed_on(&text[body..])
    {
        asked.push(Inclusion { name: file.to_string(), kind: InclusionKind::Markdown, span: body..body });
    }
    asked
}

/// Maximum number of bytes that a page may include, because files may include each other.
const MOST_INCLUDED: usize = 1 << 20;
