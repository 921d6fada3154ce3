//! Converts another generator's front matter to our own keys.
//!
//! Lines of keys with the same meaning stay as they are, with their comments. If the result isn't the expected YAML,
//! all keys are written from their values.

use super::reading;
use super::yaml::{YamlEntries, YamlKey, YamlNode};
use super::{Form, lines, read, split, toml};
use base::diagnostic::Code;
use input::conventions::{Convention, Meaning, OURS};

/// The expected front matter of a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewFrontMatter {
    pub title: String,
    pub order: Option<usize>,
    pub slug: Option<String>,
    /// Relative to the site's root.
    pub aliases: Vec<String>,
    pub redirect: Option<String>,
    pub step: Option<String>,
    pub draft: bool,
}

/// Converts the front matter of the page in `text`, a complete file, including the `---` lines.
pub fn in_our_form(text: &str, convention: &Convention, said: &NewFrontMatter) -> String {
    let split = split(text, convention.front_matter, &mut Vec::new());
    let block = &text[split.block.clone()];
    let (entries, is_whole) = match split.form {
        Form::Yaml => {
            let (entries, invalid) = reading::read(block);
            (entries, invalid.is_empty())
        }
        Form::Toml => {
            let entries = toml::read(block);
            let is_whole = entries.is_some();
            (entries.unwrap_or_default(), is_whole)
        }
    };
    let writer = Writer { convention, said, block, entries: &entries, form: split.form, is_whole };
    let kept = writer.by_lines().map(|block| fenced(&block)).filter(|kept| says(kept, said));
    kept.unwrap_or_else(|| fenced(&writer.anew()))
}

fn fenced(block: &str) -> String {
    format!("---\n{block}---\n")
}

/// Whether the front matter is readable and has the expected values.
fn says(text: &str, said: &NewFrontMatter) -> bool {
    let (front, _, problems) = read(text, OURS);
    let found = NewFrontMatter {
        title: front.title.unwrap_or_default(),
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it was written as a whole number"
        )]
        order: front.order.map(|order| order as usize),
        slug: front.slug,
        aliases: front.aliases,
        redirect: front.redirect,
        step: front.step,
        draft: front.draft,
    };
    let is_invalid = |code: Code| matches!(code, Code::InvalidFrontMatter | Code::UnclosedFrontMatter);
    found == *said && !problems.iter().any(|problem| is_invalid(problem.code))
}

struct Writer<'a> {
    convention: &'a Convention,
    said: &'a NewFrontMatter,
    block: &'a str,
    entries: &'a YamlEntries,
    form: Form,
    /// Whether the complete block is readable.
    is_whole: bool,
}

impl Writer<'_> {
    /// Returns the block with lines removed and added, or `None` if keys don't begin lines.
    fn by_lines(&self) -> Option<String> {
        if self.form == Form::Toml || !self.is_whole {
            return None;
        }
        let starts: Vec<usize> =
            self.entries.iter().map(|(key, _)| self.line_of(key)).collect::<Option<_>>()?;
        let keeps_title = self.entries.iter().any(|(key, node)| self.keeps_title(key, node));
        let first = starts.first().copied().unwrap_or(self.block.len());
        let mut written = with_end(&self.block[..first]);
        if !keeps_title {
            written.push_str(&self.title());
            written.push_str(&self.others());
        }
        for (at, (key, node)) in self.entries.iter().enumerate() {
            let end = starts.get(at + 1).copied().unwrap_or(self.block.len());
            let lines = &self.block[starts[at]..end];
            let own = lines.len() - comments_behind(lines);
            let is_title = self.keeps_title(key, node);
            if is_title || self.keeps(key) {
                written.push_str(&with_end(&lines[..own]));
            }
            if is_title {
                written.push_str(&self.others());
            }
            written.push_str(&with_end(&lines[own..]));
        }
        Some(written)
    }

    /// Writes all keys from their values.
    fn anew(&self) -> String {
        let is_comment = |line: &&str| line.starts_with('#');
        let comments = self.block.lines().filter(is_comment).map(|line| format!("{}\n", line.trim_end()));
        let mut written: String = comments.collect();
        written.push_str(&self.title());
        written.push_str(&self.others());
        for (key, node) in self.entries.iter().filter(|(key, _)| self.keeps(key)) {
            let value = match self.form {
                Form::Toml => toml::flow(node),
                Form::Yaml => node.json().to_string(),
            };
            written.extend([format!("{}: {value}\n", scalar(&key.name))]);
        }
        if !self.is_whole {
            written.push_str("# The original front matter, which can't be read completely:\n");
            let lines = self.block.lines().map(|line| format!("# {}\n", line.trim_end()));
            written.extend(lines);
        }
        written
    }

    /// Returns the start of a key's line, if the key is at its start.
    fn line_of(&self, key: &YamlKey) -> Option<usize> {
        let start = self.block[..key.span.start].rfind('\n').map_or(0, |newline| newline + 1);
        matches!(&self.block[start..key.span.start], "" | "\"" | "'").then_some(start)
    }

    fn keeps_title(&self, key: &YamlKey, node: &YamlNode) -> bool {
        key.name == "title" && node.text() == Some(&self.said.title)
    }

    /// Whether a key keeps its meaning and value.
    fn keeps(&self, key: &YamlKey) -> bool {
        !matches!(
            self.convention.meaning(&key.name),
            Some(
                Meaning::Title
                    | Meaning::Order
                    | Meaning::Slug
                    | Meaning::Address
                    | Meaning::Id
                    | Meaning::Aliases
                    | Meaning::Redirect
                    | Meaning::Step
                    | Meaning::Draft
                    | Meaning::Published
            )
        )
    }

    fn title(&self) -> String {
        format!("title: {}\n", scalar(&self.said.title))
    }

    /// Writes our keys that follow the title.
    fn others(&self) -> String {
        let NewFrontMatter { title: _, order, slug, aliases, redirect, step, draft } = self.said;
        let mut written = String::new();
        let mut line = |key: &str, value: &str| written.extend([format!("{key}: {value}\n")]);
        if let Some(order) = order {
            line("order", &order.to_string());
        }
        for (key, value) in [("slug", slug), ("step", step), ("redirect", redirect)] {
            if let Some(value) = value {
                line(key, &scalar(value));
            }
        }
        if *draft {
            line("draft", "true");
        }
        if !aliases.is_empty() {
            let aliases = aliases.iter().map(|alias| format!("  - {}\n", scalar(alias)));
            written.extend([format!("aliases:\n{}", aliases.collect::<String>())]);
        }
        written
    }
}

/// Returns the number of bytes in comments and blank lines at the end of a key's lines.
fn comments_behind(text: &str) -> usize {
    let all: Vec<_> = lines(text, 0).collect();
    let is_behind = |line: &&std::ops::Range<usize>| {
        let line = &text[(*line).clone()];
        line.starts_with('#') || line.trim().is_empty()
    };
    let behind = all.iter().skip(1).rev().take_while(is_behind);
    behind.map(ExactSizeIterator::len).sum()
}

fn with_end(lines: &str) -> String {
    if lines.is_empty() || lines.ends_with('\n') { lines.to_string() } else { format!("{lines}\n") }
}

/// Writes a text as YAML, quoted if it would otherwise be another type.
fn scalar(text: &str) -> String {
    const WORDS: [&str; 9] = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"];
    let is_plain = text.starts_with(|c: char| c.is_alphabetic() || c == '/' || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || " _-./(),'+&;!?".contains(c))
        && !text.ends_with(' ')
        && !WORDS.iter().any(|word| word.eq_ignore_ascii_case(text));
    if is_plain { text.to_string() } else { serde_json::Value::from(text).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use input::conventions::Kind;

    fn said(title: &str) -> NewFrontMatter {
        NewFrontMatter { title: title.into(), ..NewFrontMatter::default() }
    }

    #[track_caller]
    fn check(kind: Kind, text: &str, said: &NewFrontMatter, expected: &str) {
        let ours = in_our_form(text, kind.convention(), said);
        assert_eq!(ours, expected);
        assert!(says(&ours, said));
    }

    #[test]
    fn our_keys_take_the_place_of_others_and_the_rest_stays() {
        check(
            Kind::Docusaurus,
            "---\n# why\nid: x\ntitle: Install # shown\n# for search\ntags: [a, b]\nsidebar_position: 3\nslug: /a/b\n---\nText\n",
            &NewFrontMatter { order: Some(2), slug: Some("b".into()), ..said("Install") },
            "---\n# why\ntitle: Install # shown\norder: 2\nslug: b\n# for search\ntags: [a, b]\n---\n",
        );
        check(
            Kind::Hugo,
            "+++\n# why\ntitle = 'A: b'\nweight = 10\ndate = 2026-01-02\nparams = { x = [1, 'y'] }\naliases = ['../old/']\n+++\n",
            &NewFrontMatter { order: Some(1), aliases: vec!["/a/old/".into()], ..said("A: b") },
            "---\n# why\ntitle: \"A: b\"\norder: 1\naliases:\n  - /a/old/\ndate: 2026-01-02\nparams: {\"x\": [1, \"y\"]}\n---\n",
        );
    }

    #[test]
    fn a_page_without_front_matter_gets_one() {
        check(Kind::Docusaurus, "# Install\n", &said("Install"), "---\ntitle: Install\n---\n");
        check(
            Kind::Docusaurus,
            "---\ntags:\n  - a\n---\n",
            &said("Yes"),
            "---\ntitle: \"Yes\"\ntags:\n  - a\n---\n",
        );
    }

    #[test]
    fn unreadable_keys_become_comments() {
        check(
            Kind::Docusaurus,
            "---\ntitle: Step 1: install\ntags: [a\nauthor: b\n---\n",
            &said("Step 1: install"),
            "---\ntitle: \"Step 1: install\"\nauthor: \"b\"\n# The original front matter, which can't be read completely:\n# title: Step 1: install\n# tags: [a\n# author: b\n---\n",
        );
    }
}
