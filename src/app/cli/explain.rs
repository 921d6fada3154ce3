//! `stepkin explain`

use super::codes::named;
use super::{Outcome, format};
use base::diagnostic::Code;
use base::error::Result;

/// Maximum width of a line in columns, so that terminals don't break words.
const WIDTH: usize = 80;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Rule name, as shown in brackets in reports
    #[arg(value_name = "RULE", required_unless_present = "list")]
    code: Option<String>,
    /// List all rules
    #[arg(long, conflicts_with = "code")]
    list: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let text = match &arguments.code {
        None => list(),
        Some(name) => page(named(name)?),
    };
    format::to_stdout(|out| out.write_all(text.as_bytes()))?;
    Ok(Outcome::Clean)
}

fn list() -> String {
    let width = Code::ALL.iter().map(|code| code.name().len()).max().unwrap_or(0);
    let line = |code: &Code| {
        let fixable = if code.rule().is_fixable { "fix" } else { "" };
        format!(
            "{:width$}  {:7}  {fixable:3}  {}\n",
            code.name(),
            code.severity().name(),
            code.rule().summary
        )
    };
    Code::ALL.iter().map(line).collect()
}

fn page(code: Code) -> String {
    let rule = code.rule();
    let lines: Vec<String> = rule.as_text().lines().map(wrapped).collect();
    format!("{} ({})\n\n{}\n", rule.name, rule.severity.name(), lines.join("\n"))
}

/// Breaks a long line between words. Lines of examples, which are indented, stay complete.
fn wrapped(line: &str) -> String {
    let (mut text, mut width) = (String::new(), 0);
    if line.starts_with(' ') {
        return line.to_string();
    }
    for word in line.split(' ') {
        let length = word.chars().count();
        let is_first = width == 0;
        width += length + usize::from(!is_first);
        if !is_first {
            text.push(if width > WIDTH { '\n' } else { ' ' });
        }
        if width > WIDTH {
            width = length;
        }
        text.push_str(word);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: &str) {
        assert_eq!(wrapped(line), expected);
    }

    #[test]
    fn long_lines_are_broken_between_words() {
        let (words, long) = ("word ".repeat(16), "w".repeat(81));
        check(words.trim_end(), words.trim_end());
        check(&format!("{words}more"), &format!("{}\nmore", words.trim_end()));
        check(&format!("Why: {long} a b"), &format!("Why:\n{long}\na b"));
        check(&format!("    {long} a"), &format!("    {long} a"));
        check("", "");
    }
}
