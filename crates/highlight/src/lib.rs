//! Highlights code as HTML: syntect's grammars, and one short class for each kind of token.
//!
//! [`highlight`] returns the inside of a `<code>` element. [`language`] finds the grammar that a word names.
//!
//! The grammars are flat `tables`, read when the first block needs one. A `machine` applies them line by line, and a `chain`
//! selects the patterns that can match at a position. Scopes are mapped to a dozen `classes` instead of being written out:
//! pages stay small, and a theme is a dozen colors. A `memo` keeps highlighted lines, because code repeats its lines. If the
//! machine is not certain to find what syntect finds, syntect itself highlights the block (`by_syntect`).
//!
//! # Where the tables come from
//!
//! `data/` contains the tables, the names of their scopes for tests, the dump of the same grammars for syntect, and the words
//! that name them. A test generates all of these from the grammars in the `two-face` package, and fails if a byte differs
//! (`make`). After an update of the grammars, run `STEPKIN_RENEW=1 cargo test -p stepkin-highlight`. The files are checked in
//! because generating them takes a minute. They are not compressed, because git and packages compress them, and so that the
//! first block of a run doesn't have to be decompressed.

mod by_syntect;
mod chain;
mod classes;
mod colour;
mod line;
mod machine;
mod memo;
mod record;
mod tables;

use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::sync::{Mutex, MutexGuard, PoisonError};

use self::colour::escape;
use self::machine::{GRAMMARS, Stop};
use self::tables::Grammar;

/// Maximum size of a highlighted block in bytes. Nobody reads longer ones on a page.
pub const LONGEST_BLOCK: usize = 64 * 1024;
/// Maximum length of a line in a highlighted block in bytes, because grammars may take quadratic time on a line.
pub const LONGEST_LINE: usize = 4 * 1024;
/// Maximum sum of the squares of all line lengths: a chain of 1,300 members in 4 kB of Java takes 30 ms, because the
/// grammar searches for the end of the chain at each of them. This allows two lines of maximum length, or a complete
/// block of lines with 512 bytes.
const MOST_WORK: usize = 2 * LONGEST_LINE * LONGEST_LINE;

/// Increased whenever the same code may be highlighted differently, so that cached results aren't used.
pub const VERSION: u32 = 3;

/// All names of our grammars, sorted.
static TOKENS: &[&str] = include!("../data/tokens.rs");

/// Names that authors use for a grammar, in addition to its own name and file extensions.
const ALIASES: &[(&str, &str)] = &[
    ("bash session", "sh"),
    ("batch", "bat"),
    ("cjs", "js"),
    ("cli", "sh"),
    ("command", "sh"),
    ("command line", "sh"),
    ("commandline", "sh"),
    ("console", "sh"),
    ("csh", "sh"),
    ("csharp", "c#"),
    ("curl", "sh"),
    ("docker", "dockerfile"),
    ("dos", "bat"),
    ("env", ".env"),
    ("golang", "go"),
    ("gradle.kts", "kotlin"),
    ("html+xml", "html"),
    ("javascript", "jsx"),
    ("js", "jsx"),
    ("json5", "json"),
    ("jsonc", "json"),
    ("jsonl", "json"),
    ("ksh", "sh"),
    ("mjs", "jsx"),
    ("node", "jsx"),
    ("obj-c", "objective-c"),
    ("objc", "objective-c"),
    ("objectivec", "objective-c"),
    ("plist", "xml"),
    ("podfile", "ruby"),
    ("podspec", "ruby"),
    ("posix", "sh"),
    ("posh", "powershell"),
    ("prompt", "sh"),
    ("proguard", "properties"),
    ("protobuf", "proto"),
    ("ps", "powershell"),
    ("pwsh", "powershell"),
    ("regex", "re"),
    ("react", "jsx"),
    ("script", "sh"),
    ("sh-session", "sh"),
    ("shell", "sh"),
    ("shell-session", "sh"),
    ("shellsession", "sh"),
    ("shellscript", "sh"),
    ("storyboard", "xml"),
    ("tcsh", "sh"),
    ("terminal", "sh"),
    ("toml", "toml"),
    ("viml", "vim"),
    ("wget", "sh"),
    ("xcconfig", "properties"),
];

/// Names for code that is intentionally not highlighted.
pub const PLAIN: [&str; 8] =
    ["text", "plaintext", "plain", "none", "no-highlight", "nohighlight", "output", "plain text"];

/// The meaning of a code block's language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Language {
    /// A supported language, with a name that finds its grammar.
    Known(String),
    /// Intentionally not highlighted, or unspecified.
    Plain,
    /// An unknown name.
    Unknown,
}

/// Returns the names of supported languages.
pub fn languages() -> impl Iterator<Item = &'static str> {
    TOKENS.iter().copied().chain(ALIASES.iter().map(|(alias, _)| *alias))
}

/// Finds the grammar for a name.
pub fn language(word: &str) -> Language {
    let word = word.to_lowercase();
    if word.is_empty() || PLAIN.contains(&word.as_str()) {
        return Language::Plain;
    }
    let alias = ALIASES.iter().find(|(alias, _)| *alias == word).map(|(_, token)| *token);
    let token = alias.unwrap_or(&word);
    if TOKENS.binary_search(&token).is_ok() {
        return Language::Known(token.to_string());
    }
    Language::Unknown
}

/// Whether a block is within the size limits.
pub fn is_within_budget(code: &str) -> bool {
    code.len() <= LONGEST_BLOCK
        && code.lines().all(|line| line.len() <= LONGEST_LINE)
        && code.lines().map(|line| line.len() * line.len()).sum::<usize>() <= MOST_WORK
}

/// Returns the content of a `<code>` element: spans with classes, or escaped text if the language is unknown, the
/// block is too large, or its grammar fails on it.
pub fn highlight(word: &str, code: &str) -> String {
    let grammar = match language(word) {
        Language::Known(token) if is_within_budget(code) => find(&token),
        _ => None,
    };
    grammar.and_then(|grammar| coloured(grammar, code)).unwrap_or_else(|| plain(code))
}

/// Returns `None` if the grammar fails on the block or would never finish.
fn coloured(grammar: &Grammar<'_>, code: &str) -> Option<String> {
    match memo::coloured(grammar.start, code) {
        Ok(html) => Some(html),
        Err(Stop::Endless) => None,
        Err(Stop::Uncertain) if !colour::ends(grammar.start, code) => None,
        Err(Stop::Uncertain) => by_syntect::coloured(grammar.name, code),
    }
}

/// Marks lines, counted from 1, in the result of [`highlight`] or [`plain`]. In both, no span continues on the next
/// line.
pub fn mark<'h>(html: &'h str, lines: &[RangeInclusive<usize>]) -> Cow<'h, str> {
    if lines.is_empty() {
        return html.into();
    }
    let is_marked = |number| lines.iter().any(|range| range.contains(&number));
    self::lines(html, |number| is_marked(number).then(|| ("<mark>".into(), "</mark>".into()))).into()
}

/// Encloses lines, counted from 1, in the tags that `tags` returns.
pub fn lines(html: &str, tags: impl Fn(usize) -> Option<(String, String)>) -> String {
    let mut marked = String::with_capacity(html.len() + html.len() / 4);
    let mut rest = html;
    let mut number = 0;
    while !rest.is_empty() {
        number += 1;
        // The end of the line may be in its last span.
        let end = rest.find('\n').map_or(rest.len(), |end| end + 1);
        let end = ["</span>", "</mark>"]
            .iter()
            .fold(end, |end, tag| if rest[end..].starts_with(tag) { end + tag.len() } else { end });
        let (line, after) = rest.split_at(end);
        rest = after;
        let (start, close) = tags(number).unwrap_or_default();
        marked.push_str(&start);
        marked.push_str(line);
        marked.push_str(&close);
    }
    marked
}

/// Returns the content of a `<code>` element without colors.
pub fn plain(code: &str) -> String {
    let mut plain = String::with_capacity(code.len() + code.len() / 8);
    escape(code, &mut plain);
    plain
}

/// Returns the grammar with this name, or else with this file extension.
fn find(token: &str) -> Option<&'static Grammar<'static>> {
    let same = |name: &str| name.eq_ignore_ascii_case(token);
    let grammars = &GRAMMARS.tables.grammars;
    let by_name = grammars.iter().find(|grammar| same(grammar.name));
    by_name.or_else(|| grammars.iter().find(|grammar| grammar.endings.iter().any(|ending| same(ending))))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod make;
#[cfg(test)]
mod same_as_syntect;

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: &str, code: &str, expected: &str) {
        assert_eq!(highlight(word, code), expected);
    }

    #[test]
    fn the_languages_of_tutorials_have_colours() {
        check(
            "swift",
            "let a = 1 // b\n",
            "<span class=\"k\">let</span> a <span class=\"o\">= </span><span class=\"n\">1 </span><span class=\"c\">// b\n</span>",
        );
        for (word, code) in [
            ("kotlin", "val x = \"s\""),
            ("swift", "let x = \"s\""),
            ("typescript", "const x: string = 's'"),
            ("javascript", "const x = 's'"),
            ("groovy", "def x = 's'"),
            ("json", "{\"a\": 1}"),
            ("sh", "echo \"hi\""),
            ("objc", "NSString *x = @\"s\";"),
            ("java", "int x = 1;"),
            ("tsx", "const x = <a/>"),
            ("xml", "<a b=\"c\"/>"),
            ("yaml", "a: 1"),
            ("python", "x = 's'"),
            ("ruby", "x = 's'"),
            ("html", "<a href='x'>"),
            ("diff", "+a\n"),
            ("gradle", "def x = 's'"),
            ("console", "echo 'x'"),
            ("dart", "var x = 's';"),
            ("css", "a { color: red }"),
        ] {
            assert!(highlight(word, code).contains("<span class="), "{word}: {}", highlight(word, code));
        }
    }

    #[test]
    fn a_block_is_shown_as_text() {
        let code = "<b>&amp;</b> \"x\" 'y'\nlet s = \"a\\n\\(b)\" // é 日本\n";
        for word in ["swift", "kotlin", "text", "nosuchlanguage", "html", ""] {
            let html = highlight(word, code);
            let mut text = String::new();
            for part in html.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)) {
                text.push_str(part);
            }
            assert_eq!(text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"), code, "{word}");
        }
    }

    /// The second time, every line is cached.
    #[test]
    fn cached_lines_are_highlighted_as_the_first_time() {
        let code = "/* a\n} */\nfunc a() {\n}\nlet s = \"\"\"\n}\n\"\"\"\n}\n";
        let first = highlight("swift", code);
        assert_eq!(highlight("swift", code), first);
        assert_eq!(by_syntect::coloured("Swift", code), Some(first));
    }

    /// In JSX, each of these lines adds to the state, until it is deeper than the machine supports.
    #[test]
    fn uncertain_blocks_are_highlighted_by_syntect() {
        let code = "<a>\n".repeat(200);
        let grammar = find("jsx").expect("we have it");
        assert!(memo::coloured(grammar.start, &code).is_err());
        let html = highlight("jsx", &code);
        assert_eq!(Some(&html), by_syntect::coloured(grammar.name, &code).as_ref());
        assert!(html.contains("<span"));
    }

    /// Syntect never finishes on these.
    #[test]
    fn a_block_that_a_grammar_goes_around_in_stays_plain() {
        for code in ["as /* b\n", &("<a>\n".repeat(120) + "as /* b\n")] {
            assert_eq!(
                memo::coloured(find("htc").expect("it is JavaScript").start, "as /* b\n"),
                Err(Stop::Endless)
            );
            check("htc", code, &plain(code));
        }
    }

    #[test]
    fn every_line_closes_what_it_opens() {
        check("swift", "/* a\nb */", "<span class=\"c\">/* a\n</span><span class=\"c\">b */</span>");
    }

    #[test]
    fn a_word_names_a_language_by_name_ending_or_alias() {
        for (word, token) in [("Kotlin", "kotlin"), ("shell", "sh"), ("curl", "sh")] {
            assert_eq!(language(word), Language::Known(token.into()));
        }
        assert_eq!(language("text"), Language::Plain);
        assert_eq!(language("kotln"), Language::Unknown);
    }

    #[test]
    fn aliases_lead_to_grammars() {
        for (alias, token) in ALIASES {
            assert!(find(token).is_some(), "{alias} → {token}");
        }
    }

    #[test]
    fn a_block_over_budget_stays_plain() {
        check("js", &"a".repeat(LONGEST_LINE + 1), &"a".repeat(LONGEST_LINE + 1));
        assert!(!is_within_budget(&"a\n".repeat(LONGEST_BLOCK)));
        let longest = "a".repeat(LONGEST_LINE) + "\n";
        assert!(is_within_budget(&longest.repeat(2)) && !is_within_budget(&longest.repeat(3)));
        assert!(highlight("js", &"var a\n".repeat(100)).contains("span"));
    }

    #[test]
    fn marks_hold_whole_lines() {
        let code = "/* a\nb */\nlet c\n";
        for html in [highlight("js", code), plain(code)] {
            let marked = mark(&html, &[1..=1, 3..=3]);
            let lines: Vec<&str> = marked.split("<mark>").skip(1).collect();
            assert_eq!(lines.len(), 2, "{marked}");
            for line in lines {
                let (inside, _) = line.split_once("</mark>").expect("it is closed");
                assert_eq!(inside.matches("<span").count(), inside.matches("</span>").count(), "{marked}");
                assert!(inside.trim_end_matches("</span>").ends_with('\n'), "{marked}");
            }
            assert_eq!(marked.replace("<mark>", "").replace("</mark>", ""), html);
        }
        assert_eq!(mark("a", &[]), "a");
        assert_eq!(mark("a\nb", &[2..=2]), "a\n<mark>b</mark>");
    }
}
