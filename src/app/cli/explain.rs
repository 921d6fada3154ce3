//! `stepkin explain`

use super::codes::named;
use super::{Outcome, format};
use crate::base::diagnostic::Code;
use crate::base::error::Result;

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
        let fixable = if code.rule().is_mended { "fix" } else { "" };
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
    let mended = match rule.is_mended {
        true => "\n\n`stepkin fix` mends it where there is one right answer.",
        false => "",
    };
    let example = rule.example.replace('\n', "\n    ");
    format!(
        "{} ({})\n\n{}.\n\n{}\n\nExample:\n\n    {example}\n\nCure: {}{mended}\n",
        code.name(),
        code.severity().name(),
        capital(rule.summary),
        rule.why,
        rule.cure
    )
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
