//! Converts another tool's page into our own Markdown permanently, as a file. `dialect` translates it only for the
//! current run.
//!
//! In: a parsed page. Out: [`Ours`], its text in our own Markdown. Comments mark the places where content was left
//! out. Hand-written navigation links are removed because Stepkin generates them. Readers see no other change: each
//! step is applied only if parsing the new text gives the same page.

use std::ops::Range;

use super::page::{Omission, OmissionReason, WholePage};
use super::read::{parse, parse_ours};
use super::slips::mojibake;
use super::syntax::translate;
use super::twin::{in_markdown, is_in_place};
use crate::edition::Edition;
use base::sort::StableSort as _;
use input::conventions::AnchorRule;
use input::dialect::Dialect;

/// Options for the conversion of a page.
#[derive(Debug)]
pub struct ConversionOptions<'a> {
    /// The title, if a heading with the same text is to be removed.
    pub title: Option<&'a str>,
    /// Whether to keep hand-written switchers and navigation.
    pub keeps_hand_written: bool,
    /// Path of the page, for comments.
    pub path: &'a str,
}

/// The converted text of a page without its front matter.
#[derive(Debug)]
pub struct Ours {
    pub text: String,
    pub left_out: Vec<Omission>,
    /// Number of removed switchers and previous/next links.
    pub removed: usize,
}

/// Converts the page in `text`, a complete file whose body begins at `body`, into our own Markdown.
pub fn in_ours(
    text: &str,
    body: usize,
    edition: &Edition,
    dialect: &Dialect,
    wanted: &ConversionOptions<'_>,
) -> Ours {
    let translated = translate(text, body, dialect);
    let (start, body) = (body, translated.body);
    let lines = LineNumbers::of(text);
    let pieces: Vec<(&Omission, usize)> =
        translated.left_out.iter().zip(translated.gaps.iter().copied()).collect();
    // Content that an included file lacks is left out at one location of the page.
    let comments =
        pieces.chunk_by(|(one, at), (other, then)| at == then && one.span == other.span).map(|all| {
            let place = format!("{}:{}", wanted.path, lines.number(all[0].0.span.start));
            Comment {
                at: all[0].1.saturating_sub(body),
                text: comment(all.iter().map(|(it, _)| *it), &place),
            }
        });
    let ours = Draft { text: translated.text[body..].to_string(), edition };
    let ours = ours.with_comments(comments.collect());
    // Most generators have the same rule as ours.
    let ours = match dialect.anchors {
        AnchorRule::GitHub | AnchorRule::Any => ours,
        _ => {
            let page = parse(text, start, edition, dialect);
            let ids: Vec<String> = page.headings.iter().map(|it| it.id.clone()).collect();
            ours.with_ids(&ids)
        }
    };
    let (ours, removed) = if wanted.keeps_hand_written { (ours, 0) } else { ours.without_hand_written() };
    let ours = match wanted.title {
        Some(title) => ours.without_title(title),
        None => ours,
    };
    Ours { text: ours.text, left_out: translated.left_out, removed }
}

/// Replaces targets in one of our pages. `target` returns the new target if it differs.
pub fn with_targets(
    text: &str,
    body: usize,
    edition: &Edition,
    target: impl Fn(&str) -> Option<String>,
) -> String {
    let page = parse_ours(text, body, edition);
    let references = page.references.iter().filter(|reference| is_in_place(text, reference));
    let references = references.map(|reference| (&reference.target, &reference.span));
    let definitions = page.definitions.iter().map(|definition| (&definition.target, &definition.span));
    let edits = references.chain(definitions).filter_map(|(written, span)| {
        let new = target(written)?;
        (new != *written).then(|| (span.clone(), in_markdown(&new)))
    });
    edited(text, edits.collect())
}

/// Applies edits. If two overlap, the first one is applied.
fn edited(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.stable_sort_by_key(|(span, _)| (span.start, span.end));
    let mut edited = String::with_capacity(text.len());
    let mut at = 0;
    for (span, new) in edits {
        if span.start >= at {
            edited.push_str(&text[at..span.start]);
            edited.push_str(&new);
            at = span.end;
        }
    }
    edited + &text[at..]
}

/// A comment that replaces content that was left out.
struct Comment {
    at: usize,
    text: String,
}

/// How a comment is inserted.
#[derive(Clone, Copy)]
enum Way {
    /// On its own line before the line.
    Line,
    Inline,
    LineEnd,
    /// On its own line between blank lines.
    Apart,
}

struct Draft<'a> {
    text: String,
    edition: &'a Edition,
}

impl Draft<'_> {
    /// Adds explicit IDs to headings whose generated IDs would differ, because links refer to them.
    fn with_ids(self, ids: &[String]) -> Self {
        let page = parse_ours(&self.text, 0, self.edition);
        if page.headings.len() != ids.len() {
            return self;
        }
        let others = page.headings.iter().zip(ids).filter(|(heading, id)| heading.id != **id);
        let edits = others.filter_map(|(heading, id)| {
            let written = self.text.get(heading.span.clone())?;
            let end = heading.span.start + written.trim_end().trim_end_matches('#').trim_end().len();
            written.trim_start().starts_with('#').then(|| (end..end, format!(" {{#{id}}}")))
        });
        let text = edited(&self.text, edits.collect());
        Self { text, ..self }
    }

    fn page(&self) -> WholePage {
        parse_ours(&self.text, 0, self.edition)
    }

    /// Returns everything that readers see, in a comparable form.
    fn shown(&self) -> String {
        shown(&self.page())
    }

    fn with(&self, text: String) -> Self {
        Self { text, ..*self }
    }

    /// Inserts comments, all at once if the result is correct.
    fn with_comments(self, comments: Vec<Comment>) -> Self {
        /// Maximum number of times that a page is parsed to find a position for a comment.
        const MOST_TRIED: usize = 200;
        if comments.is_empty() {
            return self;
        }
        let wanted = self.shown();
        let mut text = self.text.clone();
        let mut before = text.len();
        for comment in comments.iter().rev() {
            let at = comment.at.min(before);
            let way = if before_on_line(&text, at).trim().is_empty() { Way::Line } else { Way::Inline };
            before = insert(&mut text, at, &comment.text, way);
        }
        let all = self.with(text);
        if all.shown() == wanted {
            return all;
        }
        let mut draft = self;
        let mut tries = MOST_TRIED;
        let mut left = Vec::new();
        before = draft.text.len();
        for comment in comments.into_iter().rev() {
            let at = comment.at.min(before);
            let ways = [Way::Line, Way::Inline, Way::LineEnd, Way::Apart].into_iter();
            let fits =
                |way: &Way| !matches!(way, Way::Line) || before_on_line(&draft.text, at).trim().is_empty();
            let found = ways.filter(fits).find_map(|way| {
                tries = tries.checked_sub(1)?;
                let mut text = draft.text.clone();
                let place = insert(&mut text, at, &comment.text, way);
                let with = draft.with(text);
                (with.shown() == wanted).then_some((with, place))
            });
            match found {
                Some((with, place)) => (draft, before) = (with, place.min(at)),
                None => left.push(comment.text),
            }
        }
        if left.is_empty() {
            return draft;
        }
        left.reverse();
        let at_end = draft.with(format!("{}\n\n{}\n", draft.text.trim_end(), left.join("\n")));
        // If something stays open up to the end of the page, the comments are dropped.
        if at_end.shown() == wanted { at_end } else { draft }
    }

    /// Removes what Stepkin generates, and returns the number of removals.
    fn without_hand_written(self) -> (Self, usize) {
        let page = self.page();
        let switchers = page.switchers.iter().map(|switcher| switcher.span.clone());
        let mut links: Vec<Range<usize>> = page.navigation.iter().map(|it| it.removal.clone()).collect();
        links.dedup();
        let count = page.switchers.len() + links.len();
        let edits = switchers.chain(links).map(|span| (whole_lines(&self.text, &span), String::new()));
        let without = self.with(edited(&self.text, edits.collect()));
        if count > 0 && without.shown() == shown(&page) { (without, count) } else { (self, 0) }
    }

    /// Removes the first heading if it repeats the title.
    fn without_title(self, title: &str) -> Self {
        let page = self.page();
        let Some(heading) = page.headings.first().filter(|it| it.level == 1 && it.own_id.is_none()) else {
            return self;
        };
        let start = self.text[..heading.span.start].rfind('\n').map_or(0, |newline| newline + 1);
        let end = self.text[start..].find('\n').map_or(self.text.len(), |length| start + length + 1);
        let line = self.text[start..end].trim();
        let is_plain = line.strip_prefix("# ").is_some_and(|inside| inside.trim() == heading.text);
        let is_first = self.text[..start].trim().is_empty();
        if is_plain && is_first && heading.text == mojibake::repair(title) {
            self.with(self.text[end..].trim_start_matches(['\n', '\r']).to_string())
        } else {
            self
        }
    }
}

/// Returns everything that readers see of a page.
fn shown(page: &WholePage) -> String {
    let mut shown = String::new();
    for (html, placeholder) in page.body.pieces() {
        shown.push_str(html);
        if let Some(placeholder) = placeholder {
            shown.extend([format!("{placeholder:?}")]);
        }
    }
    // A comment may leave a space.
    let mut words: String = shown.split_whitespace().collect();
    for block in &page.code {
        words.extend([format!("{:?}{:?}", block.language, block.code)]);
    }
    for reference in &page.references {
        words.extend([format!("{:?}", reference.target)]);
    }
    words
}

fn before_on_line(text: &str, at: usize) -> &str {
    &text[text[..at].rfind('\n').map_or(0, |newline| newline + 1)..at]
}

/// Inserts a comment, and returns the position from which the text differs.
fn insert(text: &mut String, at: usize, comment: &str, way: Way) -> usize {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[at..].find('\n').map_or(text.len(), |length| at + length);
    let end = text[..end].trim_end_matches('\r').len().max(at);
    let line = &text[start..end];
    let blank = line[..line.len() - line.trim_start_matches([' ', '\t']).len()].to_string();
    let (place, new) = match way {
        Way::Line => (start, format!("{}{comment}\n", &text[start..at])),
        Way::Inline => (at, comment.to_string()),
        Way::LineEnd => (end, format!(" {comment}")),
        Way::Apart => (start, format!("\n{blank}{comment}\n\n")),
    };
    text.insert_str(place, &new);
    place.min(at)
}

/// Extends a range to complete lines if nothing else is on them.
fn whole_lines(text: &str, range: &Range<usize>) -> Range<usize> {
    let start = text[..range.start].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[range.end..].find('\n').map_or(text.len(), |length| range.end + length + 1);
    let is_alone = text[start..range.start].trim().is_empty() && text[range.end..end].trim().is_empty();
    if is_alone { start..end } else { range.clone() }
}

/// Returns a comment such as `<!-- left out: <WebVersion/> (docs/web/overview.md:47) -->`.
fn comment<'a>(left_out: impl Iterator<Item = &'a Omission>, place: &str) -> String {
    let mut names: Vec<String> = Vec::new();
    for name in left_out.map(name) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    // The text must not end the comment.
    format!("<!-- left out: {} ({place}) -->", names.join(", ").replace("--", "- -"))
}

/// Returns the left-out content as one line.
fn name(left_out: &Omission) -> String {
    let words: Vec<&str> = left_out.name.split_whitespace().collect();
    let name = words.join(" ");
    match (&*left_out.kind, left_out.why) {
        (_, OmissionReason::Missing) => format!("{name}, which doesn't exist"),
        (_, OmissionReason::Unknown) if name.is_empty() => left_out.kind.replace('-', " "),
        ("mdx-component" | "vue-component", _) => format!("<{name}/>"),
        ("jsx-expression", _) => format!("{{{name}}}"),
        ("hugo-shortcode", _) => format!("shortcode {name}"),
        _ => name,
    }
}

/// Converts positions to line numbers.
struct LineNumbers(Vec<usize>);

impl LineNumbers {
    fn of(text: &str) -> Self {
        Self(memchr::memchr_iter(b'\n', text.as_bytes()).collect())
    }

    fn number(&self, at: usize) -> usize {
        self.0.partition_point(|newline| *newline < at) + 1
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use input::conventions::Syntax;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let dialect = Dialect { syntax: &[Syntax::Mdx, Syntax::Directives], ..Dialect::default() };
        let wanted = ConversionOptions { title: Some("Install"), keeps_hand_written: false, path: "a.md" };
        let ours = in_ours(text, 0, &Edition::default(), &dialect, &wanted);
        assert_eq!(ours.text, expected);
    }

    #[test]
    fn comments_replace_content_that_is_left_out() {
        check("A\n\n<Gone/>\n\nB\n", "A\n\n<!-- left out: <Gone/> (a.md:3) -->\nB\n");
        check("A {gone()} b.\n", "A <!-- left out: {gone()} (a.md:1) --> b.\n");
        check("- <Gone/> **b**\n", "-  **b** <!-- left out: <Gone/> (a.md:1) -->\n");
        check("{gone()} **b**\n", "<!-- left out: {gone()} (a.md:1) -->\n **b**\n");
        check("| a |\n| - |\n| {b()} |\n", "| a |\n| - |\n| <!-- left out: {b()} (a.md:3) --> |\n");
    }

    #[test]
    fn the_title_does_not_appear_twice() {
        check("# Install\n\nText.\n", "Text.\n");
        check("# Other\n\nText.\n", "# Other\n\nText.\n");
        check("Text.\n\n# Install\n", "Text.\n\n# Install\n");
    }

    #[test]
    fn targets_are_written_in_place() {
        let text = "[a](x.mdx) ![b](y.png) <a href=\"x.mdx\">c</a> [d]\n\n[d]: x.mdx\n";
        let target = |target: &str| (target == "x.mdx").then(|| "z (1).md".to_string());
        let expected =
            "[a](z%20%281%29.md) ![b](y.png) <a href=\"z%20%281%29.md\">c</a> [d]\n\n[d]: z%20%281%29.md\n";
        assert_eq!(with_targets(text, 0, &Edition::default(), target), expected);
    }

    /// Pieces of pages, some of which aren't supported.
    const PIECES: &[&str] = &[
        "<Gone/>",
        "{gone()}",
        "{/* a */}",
        "<Gone>\n",
        "</Gone>\n",
        "text ",
        "é\n",
        "\n",
        "\n\n",
        "- ",
        "> ",
        "1. ",
        "  ",
        "    ",
        "# ",
        "| a | {b()} |\n| - | - |\n",
        "| <C/> | d |\n",
        "```js\n",
        ":::note\n",
        ":::\n",
        "`",
        "**",
        "[a](b)",
        "<div>",
        "</div>",
        "<pre>\n",
        "<!-- ",
        "-->",
        "import A from './a'\n",
        "\\",
        "<Tabs>\n",
        "<TabItem label=\"a\">\n",
        "</TabItem>\n",
        "</Tabs>\n",
        "{{< gone >}}",
        "{{% gone %}}\n",
    ];

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn readers_see_the_same(pieces in prop::collection::vec(select(PIECES), 0..24)) {
            let text = pieces.concat();
            for syntax in [&[Syntax::Mdx, Syntax::Directives][..], &[Syntax::Shortcodes][..]] {
                let dialect = Dialect { syntax, ..Dialect::default() };
                let wanted = ConversionOptions { title: None, keeps_hand_written: false, path: "a.md" };
                let edition = Edition::default();
                let ours = in_ours(&text, 0, &edition, &dialect, &wanted);
                let before = translate(&text, 0, &dialect);
                let before = shown(&parse_ours(&before.text, before.body, &edition));
                prop_assert_eq!(shown(&parse_ours(&ours.text, 0, &edition)), before, "{:?}", ours.text);
            }
        }
    }
}
