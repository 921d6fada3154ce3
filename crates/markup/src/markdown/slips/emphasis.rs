//! Finds failed emphasis, whose marks are visible.

use std::ops::Range;

use super::Fragment;
use super::plain::{HIDDEN, Leaf, LeafKind};
use base::diagnostic::{Code, Problem};
use base::items::only;
use base::quoted::quoted;

/// Reasons why characters don't open or close emphasis. Generators differ here.
pub(super) const BLANK: &str = "emphasis-blank";
const ALONE: &str = "emphasis-alone";
pub(super) const PUNCTUATION: &str = "emphasis-punctuation";

/// The side of a word on which a mark is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Opening,
    Closing,
    /// Before the word, and one of two marks is after it.
    Half,
}

/// Maximum length of emphasis in bytes.
const LONGEST: usize = 120;

impl Fragment<'_> {
    /// Returns visible pairs of `**` or `__` in a leaf: with a space inside, as in `**Save **`, or with punctuation
    /// inside next to a letter outside, as in `**Note:**text`.
    ///
    /// Source: <https://spec.commonmark.org/0.31.2/#left-flanking-delimiter-run>.
    pub(super) fn emphasis(&self, leaf: &Leaf, sign: u8) -> Vec<Problem> {
        let runs = self.runs(leaf, sign);
        let mut problems = Vec::new();
        let mut pairs = runs.windows(2);
        while let Some(pair) = pairs.next() {
            if let Some(problem) = self.shown_emphasis(pair[0], pair[1], leaf) {
                problems.push(problem);
                pairs.next();
            }
        }
        problems
    }

    /// Returns the positions of exactly two equal characters in a leaf.
    fn runs(&self, leaf: &Leaf, sign: u8) -> Vec<usize> {
        let shown = self.plain.text.as_bytes();
        let is_sign = |at: usize| leaf.range.contains(&at) && shown[at] == sign;
        let signs = memchr::memchr_iter(sign, &shown[leaf.range.clone()]).map(|at| leaf.range.start + at);
        let is_run = |at: &usize| {
            let is_start = *at == 0 || !is_sign(at - 1) && self.blocks.text.as_bytes()[at - 1] != b'\\';
            is_start && is_sign(at + 1) && !is_sign(at + 2)
        };
        signs.filter(is_run).collect()
    }

    /// Returns the findings for marks that have no counterpart in their leaf. If some of them seem to open emphasis, and others to close
    /// it, they mark notes: `yes**` in a table, and `**Only on Linux` below it.
    pub(super) fn unbalanced(&self) -> Vec<Problem> {
        let asterisks: Vec<_> =
            self.plain.leaves_with(b'*').filter_map(|leaf| self.asterisks_alone(leaf)).collect();
        let ends_cell = |leaf: &Leaf| {
            let shown = self.plain.text[leaf.range.clone()].trim_end_matches([HIDDEN, ' ', '|']);
            leaf.kind == LeafKind::Cell && shown.ends_with("**")
        };
        let has_notes = asterisks.iter().any(|it| it.1 != asterisks[0].1)
            || !asterisks.is_empty() && self.plain.leaves_with(b'*').any(ends_cell);
        let asterisks = asterisks.into_iter().filter(|_| !has_notes).map(|(at, side)| (at, "**", side));
        let mut backticks: Vec<_> =
            self.plain.leaves_with(b'`').filter_map(|leaf| self.backticks_alone(leaf)).collect();
        // A `|` in code ends a cell, which is reported.
        let between = |pair: &[(Range<usize>, Side)]| self.blocks.text.get(pair[0].0.end..pair[1].0.start);
        let is_row = |pair: &[(Range<usize>, Side)]| between(pair).is_some_and(|text| !text.contains('\n'));
        if let Some(split) = backticks.windows(2).position(is_row) {
            backticks.drain(split..split + 2);
        }
        let backticks = backticks.into_iter().map(|(at, side)| (at, "`", side));
        let problem = |(at, mark, side): (Range<usize>, &str, Side)| {
            let (does, lacks) = match side {
                Side::Opening => ("closes", "after"),
                Side::Closing => ("opens", "before"),
                Side::Half => {
                    let message = "fewer `*` close this than open it, so readers see the rest".to_string();
                    let problem = Problem::new(Code::EmphasisAsText, self.place(at), message);
                    return problem.help("use as many at the end as at the start".to_string());
                }
            };
            if mark == "`" && at.len() > 1 {
                let message =
                    format!("code with {} backticks has no other end, so readers see them", at.len());
                let problem = Problem::new(Code::EmphasisAsText, self.place(at), message);
                return problem.help("use as many at the other end".to_string());
            }
            let message = format!("nothing {does} this {}, so readers see it", quoted(mark));
            let help = format!("add the other {} {lacks} it, or remove it", quoted(mark));
            Problem::new(Code::EmphasisAsText, self.place(at), message).help(help)
        };
        let underscores = self.plain.leaves_with(b'_').filter_map(|leaf| self.underscore_alone(leaf));
        let underscores = underscores.map(|(at, side)| (at, "_", side));
        asterisks.chain(backticks).chain(underscores).map(problem).collect()
    }

    /// Returns the `**` of `**Save*`, of which browsers show one asterisk.
    fn asterisks_of_one(&self, leaf: &Leaf) -> Option<(Range<usize>, Side)> {
        let (shown, written) = (self.plain.text.as_bytes(), self.blocks.text.as_bytes());
        let is_one = |at: &usize| {
            let is_start = *at == leaf.range.start || !matches!(written[at - 1], b'*' | b'\\');
            is_start && written.get(at + 1) == Some(&b'*') && shown[at + 1] != b'*'
        };
        // A pointer in code is in bold: `***n**`.
        let is_name = |at: &usize| {
            let rest = self.blocks.text[*at..].trim_start_matches('*');
            rest.len() + 2 < self.blocks.text.len() - at && rest.starts_with(char::is_lowercase)
        };
        let mut signs = memchr::memchr_iter(b'*', &shown[leaf.range.clone()]).map(|at| leaf.range.start + at);
        signs.find(|at| is_one(at) && !is_name(at)).map(|at| (at..at + 2, Side::Half))
    }

    /// Returns the only visible `**` of a leaf, if it is next to words and not to a name such as `**options`.
    fn asterisks_alone(&self, leaf: &Leaf) -> Option<(Range<usize>, Side)> {
        let runs = self.runs(leaf, b'*');
        let [at] = runs[..] else { return self.asterisks_of_one(leaf) };
        let shown = &self.plain.text.as_bytes()[leaf.range.clone()];
        // Two of them, and one that should close them.
        if memchr::memchr_iter(b'*', shown).count() > 3 {
            return None;
        }
        let (before, after) = self.around(leaf, at..at + 2);
        let is_blank = |c: Option<char>| c.is_none_or(char::is_whitespace);
        let next = after.chars().next();
        let is_name = next.is_some_and(|c| c.is_lowercase() || !c.is_alphanumeric() && c != '`')
            && !(at == leaf.range.start && self.begins_items_in_bold(after));
        if is_blank(before.chars().next_back()) && !is_blank(next) && !is_name {
            return Some((at..at + 2, Side::Opening));
        }
        let is_end = after.trim().is_empty() && leaf.kind != LeafKind::Cell && has_words(before);
        let is_closing = before.ends_with(CLOSING) || before.ends_with(char::is_alphabetic) && is_end;
        (is_closing && is_blank(next) && has_words(before)).then_some((at..at + 2, Side::Closing))
    }

    /// Returns the only visible underscore of a leaf, if it is next to a word that authors emphasize and that isn't a name.
    fn underscore_alone(&self, leaf: &Leaf) -> Option<(Range<usize>, Side)> {
        let shown = &self.plain.text.as_bytes()[leaf.range.clone()];
        let signs = memchr::memchr_iter(b'_', shown);
        let at = leaf.range.start + only(signs)?;
        let (before, after) = self.around(leaf, at..at + 1);
        let is_outside = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || ".,;:!?()\"".contains(c));
        let word = after.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        if is_outside(before.chars().next_back())
            && after[word.len()..].starts_with(' ')
            && is_emphasized(word)
        {
            return Some((at..at + 1, Side::Opening));
        }
        let word = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let is_word = before[..before.len() - word.len()].ends_with(' ') && is_emphasized(word);
        (is_word && is_outside(after.chars().next())).then_some((at..at + 1, Side::Closing))
    }

    /// Whether a text begins with two words, and several items of the page begin in bold.
    fn begins_items_in_bold(&self, text: &str) -> bool {
        const FEWEST: usize = 3;
        let mut words = text.split(' ');
        let mut is_word =
            || words.next().is_some_and(|word| word.len() > 1 && word.chars().all(char::is_alphabetic));
        let items = ["- **", "* **", ". **"].iter().map(|sign| self.blocks.text.matches(sign).count());
        is_word() && is_word() && items.sum::<usize>() >= FEWEST
    }

    /// Returns the first of a leaf's visible backticks if they aren't a pair, and it is next to code.
    fn backticks_alone(&self, leaf: &Leaf) -> Option<(Range<usize>, Side)> {
        let shown = self.plain.text.as_bytes();
        let mut runs: Vec<Range<usize>> = Vec::new();
        for at in memchr::memchr_iter(b'`', &shown[leaf.range.clone()]).map(|at| leaf.range.start + at) {
            match runs.last_mut().filter(|run| run.end == at) {
                Some(run) => run.end = at + 1,
                None => runs.push(at..at + 1),
            }
        }
        let run = match &runs[..] {
            [only] => match self.first_exchanged(leaf, only) {
                Some(first) => return Some((first, Side::Opening)),
                None => only,
            },
            [first, second] if first.len() != second.len() => first,
            _ => return None,
        };
        let (before, after) = self.around(leaf, run.clone());
        let (last, next) = (before.chars().next_back(), after.chars().next());
        let is_code =
            |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || "./_$<>@-{}()#".contains(c));
        let is_outside = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || ".,;:!?([)]".contains(c));
        // TeX writes quotes as `this'.
        let is_quote = after.contains('\'') || before.ends_with('\\');
        if is_quote {
            return None;
        }
        match (is_outside(last) && is_code(next), is_code(last) && is_outside(next)) {
            (true, false) => Some((run.clone(), Side::Opening)),
            (false, true) => Some((run.clone(), Side::Closing)),
            _ => None,
        }
    }

    /// Returns the backtick that lacks its counterpart, if the spans after it begin where the next ones end, and the visible one is
    /// what is left of the last. White space or punctuation is before the opening of a span, and at its end the other way round.
    fn first_exchanged(&self, leaf: &Leaf, visible: &Range<usize>) -> Option<Range<usize>> {
        let bytes = self.blocks.text.as_bytes();
        let is_mark = |at: usize| bytes.get(at).is_some_and(|byte| matches!(byte, b'`' | b'\\'));
        let marks = memchr::memchr_iter(b'`', &bytes[leaf.range.clone()]).map(|at| leaf.range.start + at);
        let marks: Vec<usize> =
            marks.filter(|at| !is_mark(at + 1) && (*at == 0 || !is_mark(at - 1))).collect();
        let is_outside = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || ".,;:!?([)]".contains(c));
        let is_exchanged = |(at, mark): (usize, &usize)| {
            let (before, after) = self.around(leaf, *mark..mark + 1);
            let sides = (is_outside(before.chars().next_back()), is_outside(after.chars().next()));
            sides == if at.is_multiple_of(2) { (false, true) } else { (true, false) }
        };
        let first = marks.iter().enumerate().rposition(|it| !is_exchanged(it))? + 1;
        let is_found =
            marks.last() == Some(&visible.start) && !first.is_multiple_of(2) && first + 1 < marks.len();
        is_found.then(|| marks[first - 1]..marks[first - 1] + 1)
    }

    /// Returns the texts of a leaf before and after a range.
    fn around(&self, leaf: &Leaf, range: Range<usize>) -> (&str, &str) {
        let text = self.blocks.text;
        (&text[leaf.range.start..range.start], &text[range.end..leaf.range.end])
    }

    fn shown_emphasis(&self, open: usize, close: usize, leaf: &Leaf) -> Option<Problem> {
        let text = self.blocks.text;
        let content = text.get(open + 2..close)?;
        if content.len() > LONGEST || content.contains('\n') || !has_words(content) {
            return None;
        }
        let before = text[leaf.range.start..open].chars().next_back();
        let after = text[close + 2..leaf.range.end].chars().next();
        let may_open = before.is_none_or(|c| c.is_whitespace() || "([{\"'“‘«—–>|".contains(c));
        let may_close = after.is_none_or(|c| c.is_whitespace() || ".,;:!?)]}\"'”’»—–|".contains(c));
        let inside = content.trim();
        let start = open + 2 + content.len() - content.trim_start().len();
        let blanks = [open + 2..start, start + inside.len()..close];
        let signs = &text[open..open + 2];
        let problem = |message: String, help: String, cause: &'static str| {
            let place = self.place(open..close + 2);
            Problem::new(Code::EmphasisAsText, place, message).help(help).data("cause", cause)
        };
        if may_open && may_close && inside.len() < content.len() {
            let has_both = blanks.iter().all(|blank| !blank.is_empty());
            let is_word = inside.len() > 3 && content.chars().all(|c| c.is_alphabetic() || c == ' ');
            if has_both && !is_word && !is_phrase(inside) {
                return None;
            }
            let place = if blanks[1].is_empty() { "after the first" } else { "before the second" };
            let message =
                format!("there is a space {place} `{signs}`, so readers see `{signs}` instead of emphasis");
            let is_blank = |c: Option<char>| c.is_none_or(char::is_whitespace);
            let is_alone =
                !blanks[0].is_empty() && is_blank(before) || !blanks[1].is_empty() && is_blank(after);
            let cause = if is_alone { ALONE } else { BLANK };
            let found =
                problem(message, format!("use {}", quoted(&format!("{signs}{inside}{signs}"))), cause);
            let remove = |found: Problem, blank: Range<usize>| found.edit(self.place(blank), "");
            return Some(blanks.into_iter().filter(|blank| !blank.is_empty()).fold(found, remove));
        }
        let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let closes_on = inside.chars().next_back().filter(|c| CLOSING.contains(c));
        let opens_on = inside.chars().next().filter(|c| OPENING.contains(c));
        let (sign, help) = if let (Some(sign), true, true) = (closes_on, may_open, is_letter(after)) {
            (sign, format!("add a space after the second `{signs}`, or move `{sign}` after it"))
        } else if let (Some(sign), true, true) = (opens_on, may_close, is_letter(before)) {
            (sign, format!("add a space before the first `{signs}`, or move `{sign}` before it"))
        } else {
            return None;
        };
        let message = format!(
            "`{signs}` is between `{sign}` and a letter, so readers see `{signs}` instead of emphasis"
        );
        (inside.len() == content.len()).then(|| problem(message, help, PUNCTUATION))
    }
}

/// Whether a text has several words and no signs of a calculation: "version 3.0 or later".
fn is_phrase(text: &str) -> bool {
    let words = text.split(' ').filter(|word| word.len() > 2 && word.chars().all(char::is_alphabetic));
    words.count() > 1 && !text.contains(['=', '+', '*', '/', '<', '>', '^'])
}

/// Whether a word is no name, but one that changes the meaning of a sentence.
fn is_emphasized(word: &str) -> bool {
    const WORDS: [&str; 22] = [
        "after", "all", "always", "any", "are", "before", "both", "can", "cannot", "do", "does", "each",
        "every", "is", "may", "must", "never", "not", "only", "should", "will", "without",
    ];
    WORDS.iter().any(|it| it.eq_ignore_ascii_case(word))
}

/// Punctuation at the end of sentences and quotes.
const CLOSING: [char; 18] =
    ['.', ':', ';', '!', '?', ')', '"', '”', '’', '»', '」', '』', '】', '）', '。', '：', '！', '？'];

/// Punctuation at the start of quotes.
const OPENING: [char; 9] = ['(', '"', '“', '‘', '«', '「', '『', '【', '（'];

/// Whether authors would emphasize the text, unlike an operator, a file pattern or parameter names.
fn has_words(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphabetic()).count() > 1
        && !text.starts_with(['/', '*', '=', '.'])
        && !text.ends_with(['/', '*', '=', ','])
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use crate::edition::Edition;
    use crate::markdown::read::parse_ours as parse;

    #[test]
    fn a_space_inside_of_emphasis_is_reported() {
        check("Press **Save ** now", &["emphasis-as-text: **Save **"], "Press **Save** now");
        check("Press ** Save**.", &["emphasis-as-text: ** Save**"], "Press **Save**.");
        check("Press ** Save ** now", &["emphasis-as-text: ** Save **"], "Press **Save** now");
        check("| a |\n| - |\n| __Save __ |", &["emphasis-as-text: __Save __"], "| a |\n| - |\n| __Save__ |");
        check("**Use `x` ** **b**", &["emphasis-as-text: **Use `x` **"], "**Use `x`** **b**");
        for silent in [
            "2 ** 3 ** 4",
            "x ** yy ** z1",
            "`**a **`",
            "**kwargs and **opts",
            "`src/**` and src/** or **/*.js **",
            "\\**Save ** now",
            "__init__ and __name __x",
            "**a** b **c**",
            "****a ****",
        ] {
            check(silent, &[], silent);
        }
    }

    #[test]
    fn marks_without_a_counterpart_are_reported() {
        for (text, found) in [
            ("**Note: save it.", "emphasis-as-text: **"),
            ("It **cannot be edited*.", "emphasis-as-text: **"),
            ("***Add Action** now", "emphasis-as-text: **"),
            ("A **`lamp`*: b", "emphasis-as-text: **"),
            ("Press the **File menu", "emphasis-as-text: **"),
            ("Note:** save it", "emphasis-as-text: **"),
            ("- Save it**", "emphasis-as-text: **"),
            ("Run `make first", "emphasis-as-text: `"),
            ("Run make` first, then `test`", "emphasis-as-text: `"),
            ("Run ``make` first", "emphasis-as-text: ``"),
            ("You _must close it.", "emphasis-as-text: _"),
            ("You must_ close it.", "emphasis-as-text: _"),
        ] {
            check(text, &[found], text);
        }
        // The first one lacks its end, and not the last.
        let page = parse("Run `make, then\n`test` and `lint` it", 0, &Edition::default());
        assert_eq!(page.problems.iter().map(|it| it.span.start).collect::<Vec<_>>(), [4]);
        for silent in [
            "**kwargs: options of the call",
            "2**8 and char** p",
            "Press the ` key",
            "So ``quoted'' and `quoted' in TeX",
            "\\`make` it and \\`",
            "| A |\n| - |\n| yes** |\n\n**Only on Linux",
            "The path src/** and **/*.js",
            "You _must_ set the _id of it_",
            "The _id is set, and snake_case, and not_",
        ] {
            check(silent, &[], silent);
        }
    }

    #[test]
    fn punctuation_before_a_letter_does_not_close_emphasis() {
        check("**Note:**the", &["emphasis-as-text: **Note:**"], "**Note:**the");
        check("a**“b c”** d", &["emphasis-as-text: **“b c”**"], "a**“b c”** d");
        check("**Note:** the", &[], "**Note:** the");
        check("f(**a,**b)", &[], "f(**a,**b)");
    }
}
