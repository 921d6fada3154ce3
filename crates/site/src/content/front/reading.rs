//! Reads as much front matter as possible: a key that can't be parsed is reported, and all others are read.

use std::collections::HashSet;
use std::ops::Range;

use super::lines;
use super::repair::{invalid, repair};
use super::yaml::{
    Aliases, LARGEST, ParseRefusal, RefusalCause, RepeatedKey, YamlEntries, parse, parse_with,
};
use base::diagnostic::Problem;
use input::conventions::{Convention, FrontMatterReader, OURS};

/// Reads as much as possible of a Stepkin page.
pub(super) fn read(yaml: &str) -> (YamlEntries, Vec<Problem>) {
    read_of(yaml, OURS)
}

/// Reads as much as possible, for other generators including values that are defined once and repeated with `*name`.
pub(super) fn read_of(yaml: &str, convention: &Convention) -> (YamlEntries, Vec<Problem>) {
    let (entries, problems) = read_as(yaml, convention);
    // A program with rules of its own may read it.
    let is_known = convention.front_matter != FrontMatterReader::Any;
    let problems = problems.into_iter().map(|it| if is_known { it } else { it.as_warning() });
    (entries, problems.collect())
}

fn read_as(yaml: &str, convention: &Convention) -> (YamlEntries, Vec<Problem>) {
    let twice = |again: RepeatedKey| twice(again, convention.front_matter);
    if yaml.len() > LARGEST {
        let message = format!("the front matter has {} bytes, more than {LARGEST}", yaml.len());
        let help = "move long text into the page, and data into a separate file";
        let first = lines(yaml, 0).next().unwrap_or(0..0);
        let span = first.start..first.start + yaml[first].trim_end().len();
        return (YamlEntries::new(), vec![invalid(span, message, help, Vec::new())]);
    }
    let aliases = convention.has_other_keys.then(|| parse_with(yaml, Some(Aliases::default())).ok());
    let (entries, keys) = match aliases.flatten().map_or_else(|| parse(yaml), Ok) {
        Ok(read) => read,
        Err(refusal) => match accepted(yaml, convention.front_matter).and_then(|yaml| parse(&yaml).ok()) {
            Some(read) => read,
            None => return read_each(yaml, refusal, &twice),
        },
    };
    (entries, keys.into_iter().map(twice).collect())
}

/// Returns the finding for a key that occurs again, which says what the generator does.
fn twice(RepeatedKey { key, is_equal }: RepeatedKey, reader: FrontMatterReader) -> Problem {
    let used = match reader {
        FrontMatterReader::Strict => "the first one is used",
        FrontMatterReader::Go => "Hugo uses the last one, and since version 0.152 it stops",
        FrontMatterReader::LibYaml | FrontMatterReader::MkDocs => "the last one is used",
        FrontMatterReader::JavaScript => "the generator stops",
        FrontMatterReader::Any => "generators use the last one or stop",
    };
    let message = format!("duplicate key `{}`", key.name);
    let problem = invalid(key.span, message, format!("remove one of them; {used}"), Vec::new());
    // Whichever is used, the page is the same.
    let is_harmless = is_equal && matches!(reader, FrontMatterReader::LibYaml | FrontMatterReader::MkDocs);
    if is_harmless { problem.as_warning() } else { problem }
}

/// Returns a finding about a part of a text that begins at `start`, in that text.
pub(super) fn moved(mut problem: Problem, start: usize) -> Problem {
    for span in problem.edits.iter_mut().map(|edit| &mut edit.span).chain([&mut problem.span]) {
        *span = span.start + start..span.end + start;
    }
    problem
}

/// Replaces what other parsers accept with spaces, which mean the same: tabs at the start of lines in a quoted value and after a
/// key, and, for libyaml and its ports, the line end before a line of a quoted value that isn't indented.
fn accepted(yaml: &str, reader: FrontMatterReader) -> Option<String> {
    let is_of_libyaml = reader.is_of_libyaml();
    if !yaml.contains('\t') && !is_of_libyaml {
        return None;
    }
    let mut text = String::with_capacity(yaml.len());
    let mut quote = None;
    for line in yaml.split_inclusive('\n') {
        let line = if quote.is_none() { line.replacen(":\t", ": ", 1) } else { line.to_string() };
        let blank = line.len() - line.trim_start_matches('\t').len();
        let mut rest = &line[blank..];
        if is_of_libyaml
            && quote.is_some()
            && rest.starts_with(|c: char| !c.is_whitespace())
            && text.ends_with('\n')
        {
            text.truncate(text.len() - 1);
            text.push(' ');
        }
        text.push_str(&if quote.is_some() { " " } else { "\t" }.repeat(blank));
        text.push_str(rest);
        if quote.is_none() {
            let value = line.split_once(": ").map_or("", |(_, value)| value.trim_start());
            quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
            rest = value.get(1..).unwrap_or_default();
        }
        // A quote after a backslash doesn't end the value, and neither do two in single quotes.
        if let Some(mark) = quote {
            let rest = rest.replace("\\\\", "").replace("\\\"", "").replace("''", "");
            quote = quote.filter(|_| !rest.contains(mark));
        }
    }
    Some(text)
}

/// Reads the lines of every key separately after the parser refused the complete text.
fn read_each(
    yaml: &str,
    whole: ParseRefusal,
    twice: &dyn Fn(RepeatedKey) -> Problem,
) -> (YamlEntries, Vec<Problem>) {
    let mut entries = YamlEntries::new();
    let mut invalid: Vec<Problem> = Vec::new();
    let mut refers = false;
    for piece in pieces(yaml) {
        let text = &yaml[piece.clone()];
        let (read, found) = match parse(text) {
            Ok((read, keys)) => (read, keys.into_iter().map(twice).collect()),
            Err(refusal) => {
                let is_reference = matches!(refusal.cause, RefusalCause::Alias | RefusalCause::Anchor);
                let repaired = repair(yaml, text, refusal);
                // A page that uses anchors gets one finding, however often it uses them.
                let is_known =
                    is_reference && repaired.invalid.edits.is_empty() && std::mem::replace(&mut refers, true);
                let found = if is_known { Vec::new() } else { vec![repaired.invalid] };
                (repaired.entries, found)
            }
        };
        let to = |span: Range<usize>| span.start + piece.start..span.end + piece.start;
        invalid.extend(found.into_iter().map(|found| moved(found, piece.start)));
        entries.extend(read.into_iter().map(|(key, node)| (key.moved(&to), node.moved(&to))));
    }
    if invalid.is_empty() {
        invalid.push(repair(yaml, yaml, whole).invalid);
    }
    let mut seen = HashSet::new();
    entries.retain(|(key, _)| {
        seen.insert(key.name.clone()) || {
            invalid.push(twice(RepeatedKey { key: key.clone(), is_equal: false }));
            false
        }
    });
    (entries, invalid)
}

/// Returns the lines of each key, from its start to the start of the next.
fn pieces(yaml: &str) -> Vec<Range<usize>> {
    let is_start = |line: &Range<usize>| {
        let text = &yaml[line.clone()];
        text.contains(':') && !text.starts_with([' ', '\t', '#', '-', ']', '}', '"', '\''])
    };
    let mut starts: Vec<usize> = lines(yaml, 0).filter(is_start).map(|line| line.start).collect();
    if starts.first().is_none_or(|first| !yaml[..*first].trim().is_empty()) {
        starts.insert(0, 0);
    }
    let ends = starts.iter().skip(1).copied().chain([yaml.len()]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

#[cfg(test)]
mod tests {
    use super::super::yaml::{DEEPEST, YamlNode, YamlValue};
    use super::*;

    /// Checks that `yaml` gives these keys and values as JSON.
    #[track_caller]
    fn check(yaml: &str, expected: &str) {
        let (entries, invalid) = read(yaml);
        assert_eq!(invalid, [], "{yaml}");
        let table = YamlNode { value: YamlValue::Table(entries), span: 0..0 };
        assert_eq!(table.json().to_string(), expected, "{yaml}");
    }

    #[test]
    fn values_are_read_by_the_rules_of_yaml() {
        check("a: 1\nb: -2.5\nc: 0x1f\nd: 1e3\n", r#"{"a":1,"b":-2.5,"c":31,"d":1000.0}"#);
        check("a: true\nb: 'true'\nc: ~\nd:\ne: No\n", r#"{"a":true,"b":"true","c":null,"d":null,"e":"No"}"#);
        check("a: .nan\nb: inf\nc: 1.2.3\nd: !!str 5\n", r#"{"a":".nan","b":"inf","c":"1.2.3","d":"5"}"#);
        check("a: [x, {b: 1}]\nc:\n  - d\n  - e: f\n", r#"{"a":["x",{"b":1}],"c":["d",{"e":"f"}]}"#);
        check("a: |\n  one\n  two\nb: >\n  one\n  two\n", r#"{"a":"one\ntwo\n","b":"one two\n"}"#);
        check("", "{}");
        check("# a comment\n", "{}");
    }

    #[test]
    fn yaml_indicators_are_characters_within_a_value() {
        check("a: A & B\nb: Q&A\nc: x * y\nd: fish!\n", r#"{"a":"A & B","b":"Q&A","c":"x * y","d":"fish!"}"#);
        check("a: \"*x* & y\"\nb: '&z'\n", r#"{"a":"*x* & y","b":"&z"}"#);
        check("a: |\n  *x*\n  &y\n", r#"{"a":"*x*\n&y\n"}"#);
        check("a: x:y\nb: http://e.org/#a\n", r#"{"a":"x:y","b":"http://e.org/#a"}"#);
    }

    #[test]
    fn places_are_bytes() {
        let yaml = "ä: ü # c\r\nb: 'ö'\r\nc:\r\n  - é\r\n  - [x, \"ñ\"]\r\n";
        let (entries, _) = read(yaml);
        let places: Vec<_> =
            entries.iter().map(|(key, node)| (&yaml[key.span.clone()], &yaml[node.span.clone()])).collect();
        assert_eq!(places, [("ä", "ü"), ("b", "'ö'"), ("c", "- é\r\n  - [x, \"ñ\"]")]);
    }

    /// For every text, the output is no larger than the input, and parsing is fast.
    #[test]
    fn nothing_grows() {
        let line =
            |(key, of): (char, char)| format!("{key}: &{key} [{}]\n", vec![format!("*{of}"); 9].join(","));
        let bomb = ('b'..='i').zip('a'..).map(line).collect::<Vec<_>>().concat();
        let (entries, invalid) = read(&format!("title: A\na: &a [x,x,x,x,x,x,x,x,x]\n{bomb}"));
        assert_eq!((entries.len(), invalid.len()), (1, 1), "{invalid:?}");
        for deep in ["[".repeat(60_000), "- ".repeat(30_000), "{".repeat(60_000), "? ".repeat(30_000)] {
            assert_eq!(read(&format!("a: {deep}")).1.len(), 1);
            assert_eq!(read(&deep).1.len(), 1);
        }
        let many = (0..5_000).map(|key| format!("k{key}: 1\n")).collect::<Vec<_>>().concat();
        assert_eq!(read(&many).0.len(), 5_000);
        assert_eq!(read(&many.repeat(2)).1.len(), 1, "it is larger than any front matter");
    }

    #[test]
    fn a_limit_is_reached_and_not_passed() {
        let deep = |levels: usize| format!("a: {}{}\n", "[".repeat(levels), "]".repeat(levels));
        assert_eq!(read(&deep(DEEPEST - 1)).1, []);
        let message = &read(&deep(DEEPEST)).1[0].message;
        assert!(message.contains("deeper than 16 levels"), "{message}");
        let long = |bytes: usize| format!("a: {}\n", "x".repeat(bytes - 4));
        assert_eq!(read(&long(LARGEST)).1, []);
        assert_eq!(read(&long(LARGEST + 1)).1.len(), 1);
    }
}
