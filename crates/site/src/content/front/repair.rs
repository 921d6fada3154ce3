//! Explains why a part of the front matter can't be read, and how to write it.
//!
//! In: the lines of one key, and the position at which the parser stopped. Out: the cause, and the intended values if
//! there is only one interpretation.

use std::ops::Range;

use super::yaml::{DEEPEST, ParseRefusal, RefusalCause, YamlEntries, YamlKey, parse};
use super::{is_key_line, lines};
use base::diagnostic::{Code, Edit, Problem};
use base::quoted::quoted;
use input::conventions::OUR_KEYS;

/// A part that the parser refused.
pub(super) struct Repaired {
    pub(super) invalid: Problem,
    /// Its content after the fix, or empty if the fix is unclear. Ranges are those of the original text.
    pub(super) entries: YamlEntries,
}

/// Why a value that contains a colon is reported. Other generators may read the rest of the line.
pub(in crate::content) const COLON: &str = "colon";

/// Returns the finding for a part that can't be read, with the edits that make it readable.
pub(super) fn invalid(
    span: Range<usize>,
    message: impl Into<String>,
    help: impl Into<String>,
    edits: Vec<Edit>,
) -> Problem {
    Problem { edits, ..Problem::new(Code::InvalidFrontMatter, span, message).help(help.into()) }
}

fn edit(span: Range<usize>, text: impl Into<String>) -> Edit {
    Edit { span, text: text.into() }
}

/// Explains why the parser refused `text`, a part of `yaml`. Byte ranges refer to `text`.
pub(super) fn repair(yaml: &str, text: &str, refusal: ParseRefusal) -> Repaired {
    let line = line_at(text, refusal.at);
    let value = value_of(text, &line);
    let repairs = || {
        no_character(text)
            .or_else(|| tabs(text))
            .or_else(|| indented_key(text, &line))
            .or_else(|| missing_blank(text))
            .or_else(|| open_quote(text, &value))
            .or_else(|| after_quote(text, &value))
            .or_else(|| open_bracket(text, &value))
            .or_else(|| unyaml_text(text, &value, yaml))
    };
    let is_repairable = refusal.cause != RefusalCause::TooDeep;
    let Some(invalid) = is_repairable.then(repairs).flatten() else {
        return unrepaired(text, line, &value, refusal);
    };
    let entries = if invalid.edits.is_empty() {
        YamlEntries::new()
    } else {
        parse(&applied(text, &invalid.edits)).map(|(entries, _)| entries).unwrap_or_default()
    };
    // The fixed text has other ranges than the file, so its values get the range of the mistake.
    let entries = entries.into_iter().map(|(key, node)| {
        let is_there = text.get(key.span.clone()) == Some(key.name.as_str());
        let span = if is_there { key.span } else { line.clone() };
        (YamlKey { span, ..key }, node.placed(&value))
    });
    Repaired { invalid, entries: entries.collect() }
}

fn applied(text: &str, edits: &[Edit]) -> String {
    let mut repaired = String::with_capacity(text.len() + 16);
    let mut at = 0;
    for Edit { span, text: by } in edits {
        repaired.push_str(&text[at..span.start]);
        repaired.push_str(by);
        at = span.end;
    }
    repaired + &text[at..]
}

fn is_repaired(text: &str, edits: &[Edit]) -> bool {
    parse(&applied(text, edits)).is_ok_and(|(_, twice)| twice.is_empty())
}

/// Returns the line, without its end, that contains a position. At the end of the text, returns the last line with
/// content.
fn line_at(text: &str, at: usize) -> Range<usize> {
    let says = |line: &Range<usize>| !text[line.clone()].trim().is_empty();
    let line = lines(text, 0).filter(says).take_while(|line| line.start <= at).last();
    let line = line.or_else(|| lines(text, 0).find(says)).unwrap_or(0..0);
    line.start..line.start + text[line].trim_end().len()
}

/// Returns the value on a line: the text after its key, or after the dash of a list item.
fn value_of(text: &str, line: &Range<usize>) -> Range<usize> {
    let content = &text[line.clone()];
    let mut rest = content.trim_start();
    while let Some(item) = rest.strip_prefix("- ") {
        rest = item.trim_start();
    }
    if let Some((key, value)) = rest.split_once(": ")
        && key.chars().all(|c| c.is_alphanumeric() || "_-. ".contains(c))
    {
        rest = value.trim_start();
    }
    line.end - rest.len()..line.end
}

/// Handles tabs at the start of a line.
fn tabs(text: &str) -> Option<Problem> {
    let indented = lines(text, 0).filter_map(|line| {
        let content = &text[line.clone()];
        let blank = content.len() - content.trim_start_matches([' ', '\t']).len();
        let indent = line.start..line.start + blank;
        text[indent.clone()].contains('\t').then_some(indent)
    });
    let indented: Vec<_> = indented.collect();
    let span = indented.first()?.clone();
    let with = |blanks: &str| -> Vec<_> {
        indented
            .iter()
            .map(|indent| edit(indent.clone(), text[indent.clone()].replace('\t', blanks)))
            .collect()
    };
    // After a key with a value on its line, an indented key is a mistake.
    let ways = [("  ", "indent with two spaces"), ("", "remove the tab")];
    ways.into_iter()
        .map(|(blanks, help)| (with(blanks), help))
        .find(|(edits, _)| is_repaired(text, edits))
        .map(|(edits, help)| {
            invalid(span, "the line is indented with a tab, which YAML doesn't allow", help, edits)
        })
}

/// Handles U+0000, at which the parser would end the text. It is reported first.
fn no_character(text: &str) -> Option<Problem> {
    let places = text.match_indices('\0');
    let edits: Vec<_> = places.map(|(at, sign)| edit(at..at + sign.len(), "")).collect();
    Some(invalid(edits.first()?.span.clone(), "the text contains U+0000", "remove it", edits))
}

/// Handles a second key that is indented after one with a value.
fn indented_key(text: &str, line: &Range<usize>) -> Option<Problem> {
    let content = text[line.clone()].trim_start_matches(' ');
    let span = line.start..line.end - content.len();
    let key = OUR_KEYS
        .iter()
        .map(|(key, _)| key)
        .find(|key| content.strip_prefix(**key).is_some_and(|rest| rest.starts_with(':')))?;
    let edits = vec![edit(span.clone(), "")];
    let message = format!("`{key}` is indented, but the key before it already has a value");
    let help = format!("remove the indentation of `{key}:`");
    (!span.is_empty() && is_repaired(text, &edits)).then(|| invalid(span, message, help, edits))
}

/// Handles `title:Install`, also with a character after the colon that only looks like a space.
fn missing_blank(text: &str) -> Option<Problem> {
    let line = line_at(text, 0);
    let (key, rest) = text[line.clone()].split_once(':')?;
    let value = rest.trim_start();
    let gap = &rest[..rest.len() - value.len()];
    let message = match gap.chars().next() {
        None => format!("missing space after `{key}:`"),
        Some(' ') => return None,
        Some('\t') => format!("a tab follows `{key}:` instead of a space"),
        Some('\u{a0}') => format!("a no-break space (U+00A0) follows `{key}:` instead of a space"),
        Some(sign) => format!("U+{:04X} follows `{key}:` instead of a space", u32::from(sign)),
    };
    // Without a gap, it may be a URL or text.
    let is_key = OUR_KEYS.iter().any(|(known, _)| *known == key)
        || (!gap.is_empty() && is_key_line(&text[line.clone()]));
    let at = line.start + key.len() + 1;
    let edits = vec![edit(at..at + gap.len(), " ")];
    let span = if gap.is_empty() { line.clone() } else { at..at + gap.len() };
    let help = format!("use {}", quoted(&format!("{key}: {value}")));
    (is_key && is_repaired(text, &edits)).then(|| invalid(span, message, help, edits))
}

/// Handles `title: "Install`.
fn open_quote(text: &str, value: &Range<usize>) -> Option<Problem> {
    let written = &text[value.clone()];
    let quote = written.chars().next().filter(|first| ['"', '\''].contains(first))?;
    let is_closed = match quote {
        '"' => holds_quote(&text[value.start + 1..]),
        _ => text[value.start + 1..].contains(quote),
    };
    if is_closed {
        return None;
    }
    let edits = vec![edit(value.end..value.end, quote)];
    let edits = if is_repaired(text, &edits) { edits } else { Vec::new() };
    let message = format!("the quote `{quote}` is never closed");
    Some(invalid(
        value.clone(),
        message,
        format!("close it: {}", quoted(&format!("{written}{quote}"))),
        edits,
    ))
}

/// Whether the text contains a double quote that isn't escaped.
fn holds_quote(text: &str) -> bool {
    let mut signs = text.chars();
    while let Some(sign) = signs.next() {
        match sign {
            '"' => return true,
            '\\' => drop(signs.next()),
            _ => {}
        }
    }
    false
}

/// Whether the text between the first and the last quote is two quoted texts, as in `"A" and "B"`.
fn is_several(inner: &str, quote: char) -> bool {
    let (Some((first, after)), Some((before, last))) = (inner.split_once(quote), inner.rsplit_once(quote))
    else {
        return false;
    };
    let is_word = |sign: Option<char>| sign.is_some_and(char::is_alphanumeric);
    let is_blank = |sign: Option<char>| sign.is_none_or(char::is_whitespace);
    let closes = !is_blank(first.chars().next_back()) && !is_word(after.chars().next());
    let opens = !is_word(before.chars().next_back()) && !is_blank(last.chars().next());
    closes && opens && inner.matches(quote).count() > 1
}

/// Handles `title: 'it's'` and `title: "Install" the kit`.
fn after_quote(text: &str, value: &Range<usize>) -> Option<Problem> {
    let written = &text[value.clone()];
    let quote = written.chars().next().filter(|first| ['"', '\''].contains(first))?;
    let inner = written[1..].strip_suffix(quote).filter(|_| written.len() > 1);
    // Quotes around the complete value enclose it. Any others belong to the text.
    let inner = inner.filter(|inner| !is_several(inner, quote));
    let meant = yaml_text(inner.unwrap_or(written));
    let edits = vec![edit(value.clone(), &meant)];
    let message = format!("text follows the closing quote in {}", quoted(written));
    let help = format!("quote the complete value: {}", quoted(&meant));
    is_repaired(text, &edits).then(|| invalid(value.clone(), message, help, edits))
}

/// Handles `tags: [a, b`.
fn open_bracket(text: &str, value: &Range<usize>) -> Option<Problem> {
    let rest = &text[value.start..];
    let (open, close) = match rest.chars().next()? {
        '[' => ('[', ']'),
        '{' => ('{', '}'),
        _ => return None,
    };
    let count = |c: char| rest.matches(c).count();
    let message = format!("the bracket `{open}` is never closed");
    let meant = quoted(&yaml_text(&text[value.clone()]));
    let help = format!("close it with `{close}`, or quote the value: {meant}");
    (count(open) > count(close)).then(|| invalid(value.clone(), message, help, Vec::new()))
}

/// Handles a value that YAML doesn't read as text unless it is quoted.
fn unyaml_text(text: &str, value: &Range<usize>, yaml: &str) -> Option<Problem> {
    let written = &text[value.clone()];
    let first = written.chars().next().filter(|first| !['"', '\'', '#'].contains(first))?;
    let name = written[first.len_utf8()..].split([' ', ',', ']', '}']).next().unwrap_or_default();
    let refers = |sign: char| !name.is_empty() && yaml.contains(&format!("{sign}{name}"));
    let names_value = written.contains([' ', '\t'])
        && written[first.len_utf8() + name.len()..].trim_start().starts_with(['[', '{', '"', '\'']);
    // An alias of a value elsewhere, or an anchor for it, is intentional.
    if (first == '*' && refers('&')) || (first == '&' && (refers('*') || names_value)) {
        return None;
    }
    let meant = yaml_text(written);
    let edits = vec![edit(value.clone(), &meant)];
    let mut has_colon = false;
    let cause = match first {
        '*' => "begins with `*`, which makes it an alias in YAML".to_string(),
        '&' => "begins with `&`, which makes it an anchor in YAML".to_string(),
        '!' => "begins with `!`, which makes it a tag in YAML".to_string(),
        '{' | '[' => format!("begins with `{first}`, which opens a list or a table in YAML"),
        '`' => "begins with a backtick, which YAML reserves".to_string(),
        '@' | '%' | '|' | '>' | '-' | '?' | ',' | ']' | '}' => {
            format!("begins with `{first}`, which has another meaning in YAML")
        }
        _ if written.contains(": ") || written.ends_with(':') => {
            has_colon = true;
            "contains a colon, which makes it a key in YAML".to_string()
        }
        _ => return None,
    };
    is_repaired(text, &edits).then(|| {
        let help = format!("quote it: {}", quoted(&meant));
        let problem = invalid(value.clone(), format!("the value {cause}"), help, edits);
        if has_colon { problem.data("cause", COLON) } else { problem }
    })
}

/// Quotes a text, without escapes if possible.
fn yaml_text(text: &str) -> String {
    match text {
        _ if !text.contains(['"', '\\']) => format!("\"{text}\""),
        _ if !text.contains('\'') => format!("'{text}'"),
        _ => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
    }
}

/// Handles values without an unambiguous fix.
fn unrepaired(text: &str, line: Range<usize>, value: &Range<usize>, refusal: ParseRefusal) -> Repaired {
    let whole = line.start..line.end;
    let written_out = "use the value itself; anchors and aliases are not supported";
    let form =
        "use `key: value` lines, and quote values with special characters: `title: \"Step 1: install\"`";
    let (span, message, help) = match refusal.cause {
        RefusalCause::Alias => {
            (value.clone(), "an alias refers to a value elsewhere".to_string(), written_out)
        }
        RefusalCause::Anchor => {
            (value.clone(), "an anchor names a value for use elsewhere".to_string(), written_out)
        }
        RefusalCause::Tag => (value.clone(), "a tag sets the type of the value".into(), "remove the tag"),
        RefusalCause::TooDeep => (
            line_at(text, 0),
            format!("the front matter is nested deeper than {DEEPEST} levels"),
            "move deeply nested data to a separate file",
        ),
        RefusalCause::KeyIsNoText => (whole, "a key is a list or a table".into(), form),
        RefusalCause::NoKeys => (whole, "the front matter has no `key: value` line here".into(), form),
        RefusalCause::SeveralDocuments => {
            (whole, "a second YAML document begins here and is ignored".into(), "remove the `...` line")
        }
        RefusalCause::Syntax(info) => {
            (whole, format!("the front matter is not valid YAML: {}", info.to_lowercase()), form)
        }
    };
    Repaired { invalid: invalid(span, message, help, Vec::new()), entries: YamlEntries::new() }
}

#[cfg(test)]
mod tests {
    use super::super::reading::read;

    /// Checks the finding: its text, message and help, and the YAML after `fix`.
    #[track_caller]
    fn check(yaml: &str, at: &str, message: &str, help: &str, fixed: Option<&str>) {
        let (_, invalid) = read(yaml);
        let [found] = &invalid[..] else { panic!("{yaml}: {invalid:#?}") };
        assert_eq!((&yaml[found.span.clone()], found.message.as_str()), (at, message), "{yaml}");
        assert!(found.help.as_ref().is_some_and(|it| it.contains(help)), "{yaml}: {found:?}");
        let repaired = super::applied(yaml, &found.edits);
        assert_eq!((!found.edits.is_empty()).then_some(repaired.as_str()), fixed, "{yaml}");
        if fixed.is_some() {
            assert_eq!(read(&repaired).1, [], "{repaired}");
        }
    }

    #[test]
    fn a_backslash_is_quoted_as_it_is() {
        check(
            "title: @a\\b\n",
            "@a\\b",
            "the value begins with `@`, which has another meaning in YAML",
            "quote it: `'@a\\b'`",
            Some("title: '@a\\b'\n"),
        );
    }

    #[test]
    fn no_key_is_made_twice() {
        let (_, invalid) = read("title: A\n  title: B\n");
        assert!(invalid.iter().all(|it| it.edits.is_empty()) && !invalid.is_empty(), "{invalid:#?}");
    }

    #[test]
    fn a_null_character_is_named_before_another_mistake() {
        let (entries, invalid) = read("title: Step\0 1: Install\norder: 1\n");
        let [found] = &invalid[..] else { panic!("{invalid:#?}") };
        assert_eq!(found.message, "the text contains U+0000");
        assert_eq!(entries.len(), 1, "{entries:?}");
        let repaired = super::applied("title: Step\0 1: Install\norder: 1\n", &found.edits);
        check(
            &repaired,
            "Step 1: Install",
            "the value contains a colon, which makes it a key in YAML",
            "quote it",
            Some("title: \"Step 1: Install\"\norder: 1\n"),
        );
    }

    #[test]
    fn help_shows_the_start_of_a_long_value_with_backticks() {
        let value = format!("`file` {}", "long ".repeat(20));
        check(
            &format!("title: {}\n", value.trim_end()),
            value.trim_end(),
            "the value begins with a backtick, which YAML reserves",
            "quote it: “\"`file` long long long long long long long long long long…”",
            Some(&format!("title: \"{}\"\n", value.trim_end())),
        );
    }

    #[test]
    fn each_mistake_has_its_own_help() {
        check(
            "order: 1\ntitle: Step 1: Install\nstep: a\n",
            "Step 1: Install",
            "the value contains a colon, which makes it a key in YAML",
            "quote it: `\"Step 1: Install\"`",
            Some("order: 1\ntitle: \"Step 1: Install\"\nstep: a\n"),
        );
        check(
            "order: 1\ntitle: \"Install\nstep: a\n",
            "\"Install",
            "the quote `\"` is never closed",
            "close it: `\"Install\"`",
            Some("order: 1\ntitle: \"Install\"\nstep: a\n"),
        );
        check("title: [x\norder: 1\n", "[x", "the bracket `[` is never closed", "close it with `]`", None);
        check("title: {x\norder: 1\n", "{x", "the bracket `{` is never closed", "close it with `}`", None);
        check(
            "title: A\ndrift:\n\tallow: wording\n\treason: x\n",
            "\t",
            "the line is indented with a tab, which YAML doesn't allow",
            "two spaces",
            Some("title: A\ndrift:\n  allow: wording\n  reason: x\n"),
        );
        check(
            "title:Install\norder: 1\n",
            "title:Install",
            "missing space after `title:`",
            "use `title: Install`",
            Some("title: Install\norder: 1\n"),
        );
        check(
            "title: 'it's here'\n",
            "'it's here'",
            "text follows the closing quote in `'it's here'`",
            "`\"it's here\"`",
            Some("title: \"it's here\"\n"),
        );
        check(
            "title: \"unclosed with \\\"esc\n",
            "\"unclosed with \\\"esc",
            "the quote `\"` is never closed",
            "close it",
            Some("title: \"unclosed with \\\"esc\"\n"),
        );
        check(
            "aliases:\n- \"/c\n",
            "\"/c",
            "the quote `\"` is never closed",
            "close it",
            Some("aliases:\n- \"/c\"\n"),
        );
        check(
            "title: P\n\tdescription: x\n",
            "\t",
            "the line is indented with a tab, which YAML doesn't allow",
            "remove the tab",
            Some("title: P\ndescription: x\n"),
        );
        check(
            "title: A\n  order: 1\n",
            "  ",
            "`order` is indented, but the key before it already has a value",
            "remove the indentation of `order:`",
            Some("title: A\norder: 1\n"),
        );
        check(
            "title: A\0B\norder: 1\n",
            "\0",
            "the text contains U+0000",
            "remove it",
            Some("title: AB\norder: 1\n"),
        );
        check(
            "title:\u{a0}A\norder: 1\n",
            "\u{a0}",
            "a no-break space (U+00A0) follows `title:` instead of a space",
            "use `title: A`",
            Some("title: A\norder: 1\n"),
        );
        check(
            "title: `init`\n",
            "`init`",
            "the value begins with a backtick, which YAML reserves",
            "quote it",
            Some("title: \"`init`\"\n"),
        );
        check(
            "title: \"Keys\" of yours\n",
            "\"Keys\" of yours",
            "text follows the closing quote in `\"Keys\" of yours`",
            "`'\"Keys\" of yours'`",
            Some("title: '\"Keys\" of yours'\n"),
        );
    }

    #[test]
    fn quotes_in_the_text_are_kept() {
        for (written, meant) in [
            ("\"A\" and \"B\"", "\"A\" and \"B\""),
            ("'YamlKey' and 'Value'", "'YamlKey' and 'Value'"),
            ("'A' isn't 'B'", "'A' isn't 'B'"),
            ("\"A\": the \"B\"", "\"A\": the \"B\""),
            ("\"say \"hi\" now\"", "say \"hi\" now"),
            ("'the users' guide isn't here'", "the users' guide isn't here"),
        ] {
            let yaml = format!("title: {written}\n");
            let (entries, invalid) = read(&yaml);
            assert_eq!(entries[0].1.text(), Some(meant), "{invalid:?}");
            let repaired = super::applied(&yaml, &invalid[0].edits);
            assert_eq!(read(&repaired).0[0].1.text(), Some(meant), "{repaired}");
        }
        // YAML accepts a tab in place of a space.
        assert_eq!(read("title:\tP\norder: 1\n").0[0].1.text(), Some("P"));
    }

    #[test]
    fn values_that_begin_with_a_sign_are_quoted() {
        for (value, sign) in [
            ("*bold* text", "an alias"),
            ("&co", "an anchor"),
            ("!important", "a tag"),
            ("{product} now", "a list or a table"),
            ("{{ product }}", "a list or a table"),
            ("[Beta] now", "a list or a table"),
            ("@name", "another meaning"),
            ("`init`", "reserves"),
            ("- x", "another meaning"),
        ] {
            let (entries, invalid) = read(&format!("title: {value}\norder: 1\n"));
            assert_eq!(invalid.len(), 1, "{value}: {invalid:?}");
            assert!(invalid[0].message.contains(sign), "{value}: {invalid:?}");
            assert_eq!(entries[0].1.text(), Some(value));
            assert_eq!(entries[1].1.number(), Some(1.0));
        }
        check(
            "aliases:\n  - /a/\n  - *bold*\n",
            "*bold*",
            "the value begins with `*`, which makes it an alias in YAML",
            "quote it",
            Some("aliases:\n  - /a/\n  - \"*bold*\"\n"),
        );
    }

    #[test]
    fn intended_aliases_are_not_quoted() {
        check(
            "a: &a x\nb: *a\nc: *a\n",
            "&a x",
            "an anchor names a value for use elsewhere",
            "use the value itself",
            None,
        );
    }

    #[test]
    fn one_mistake_costs_one_value() {
        let (entries, invalid) = read("title: Step 1: Install\norder: two: x\nstep: a\nstep: b\n");
        let read: Vec<_> = entries.iter().map(|(key, node)| (key.name.as_str(), node.text())).collect();
        assert_eq!(
            read,
            [("title", Some("Step 1: Install")), ("order", Some("two: x")), ("step", Some("a"))]
        );
        let said: Vec<_> = invalid.iter().map(|found| found.message.as_str()).collect();
        assert_eq!(said.len(), 3, "{said:?}");
        assert_eq!(said[2], "duplicate key `step`");
    }

    #[test]
    fn invalid_yaml_is_reported_at_its_location() {
        check(
            "just words\n",
            "just words",
            "the front matter has no `key: value` line here",
            "key: value",
            None,
        );
        check("- a\n- b\n", "- a", "the front matter has no `key: value` line here", "key: value", None);
        check(
            "a: b\n...\nc: d\n",
            "c: d",
            "a second YAML document begins here and is ignored",
            "`...`",
            None,
        );
    }
}
