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
    format!("{} ({})\n\n{}", rule.name, rule.severity.name(), rule.as_text())
}
