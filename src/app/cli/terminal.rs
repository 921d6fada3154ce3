//! Global options: the working directory, color, and how much to print.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::OnceLock;

use base::error::{Error, Result};
use base::timings;

/// Heading of these options in the help of a command.
const HEADING: &str = "Global options";

/// Options that every command has.
#[derive(Debug, clap::Args)]
pub(super) struct GlobalArguments {
    /// Run as if Stepkin was started in `<DIR>`
    #[arg(short = 'C', value_name = "DIR", global = true, help_heading = HEADING, action = clap::ArgAction::Append)]
    directory: Vec<PathBuf>,
    /// When to use color; `auto` respects `NO_COLOR`, `FORCE_COLOR`, and `CLICOLOR_FORCE`
    #[arg(long, value_enum, value_name = "WHEN", global = true, help_heading = HEADING, default_value_t)]
    color: Color,
    /// Print only errors and totals, not individual findings
    #[arg(long, short, global = true, help_heading = HEADING)]
    quiet: bool,
    /// Print the site root and timings
    #[arg(long, short, global = true, help_heading = HEADING, conflicts_with = "quiet")]
    verbose: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Debug)]
struct Verbosity {
    color: Color,
    is_quiet: bool,
    is_verbose: bool,
}

/// Set once, because a process runs one command.
static VERBOSITY: OnceLock<Verbosity> = OnceLock::new();

/// Applies the options to this process.
pub(super) fn begin(arguments: &GlobalArguments) -> Result<()> {
    for folder in &arguments.directory {
        std::env::set_current_dir(folder).map_err(Error::io("change to", folder))?;
    }
    if arguments.verbose {
        timings::start();
    }
    let (color, is_quiet, is_verbose) = (arguments.color, arguments.quiet, arguments.verbose);
    VERBOSITY.get_or_init(|| Verbosity { color, is_quiet, is_verbose });
    Ok(())
}

pub(super) fn is_quiet() -> bool {
    VERBOSITY.get().is_some_and(|it| it.is_quiet)
}

pub(super) fn is_verbose() -> bool {
    VERBOSITY.get().is_some_and(|it| it.is_verbose)
}

/// Prints a note to standard error, unless `--quiet` is on.
macro_rules! note {
    ($($text:tt)*) => {
        if !$crate::app::cli::terminal::is_quiet() {
            eprintln!($($text)*);
        }
    };
}
pub(super) use note;

/// Whether standard output gets color.
pub(super) fn is_colored() -> bool {
    let value = |name: &str| std::env::var(name).unwrap_or_default();
    let color = VERBOSITY.get().map_or(Color::Auto, |it| it.color);
    uses_color(color, value, io::stdout().is_terminal())
}

/// Whether this runs in CI: GitHub, GitLab, and most others set `CI`.
pub(super) fn is_in_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| is_on(&value))
}

/// Whether the value of a variable turns a feature on.
pub(super) fn is_on(value: &str) -> bool {
    !matches!(value, "" | "0" | "false")
}

/// Whether to use color, by the option or else the environment: <https://no-color.org>, <https://force-color.org>,
/// <https://bixense.com/clicolors>, and terminals without escape sequences.
fn uses_color(color: Color, value: impl Fn(&str) -> String, is_terminal: bool) -> bool {
    let is_forced = |name: &str| is_on(&value(name));
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto if !value("NO_COLOR").is_empty() => false,
        Color::Auto if is_forced("FORCE_COLOR") || is_forced("CLICOLOR_FORCE") => true,
        Color::Auto => is_terminal && value("TERM") != "dumb",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks whether a terminal and a pipe get color with these variables.
    #[track_caller]
    fn check(color: Color, variables: &[(&str, &str)], terminal: bool, pipe: bool) {
        let value = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map_or(String::new(), |(_, value)| (*value).to_string())
        };
        let taken = [true, false].map(|is_terminal| uses_color(color, value, is_terminal));
        assert_eq!(taken, [terminal, pipe], "{color:?} {variables:?}");
    }

    #[test]
    fn color_follows_the_option_the_environment_and_the_terminal() {
        check(Color::Auto, &[("TERM", "xterm")], true, false);
        check(Color::Auto, &[("TERM", "dumb")], false, false);
        check(Color::Auto, &[("NO_COLOR", "1")], false, false);
        check(Color::Auto, &[("FORCE_COLOR", "1")], true, true);
        check(Color::Auto, &[("FORCE_COLOR", "0")], true, false);
        check(Color::Auto, &[("CLICOLOR_FORCE", "1"), ("TERM", "dumb")], true, true);
        check(Color::Auto, &[("FORCE_COLOR", "1"), ("NO_COLOR", "1")], false, false);
        check(Color::Always, &[("NO_COLOR", "1")], true, true);
        check(Color::Never, &[("FORCE_COLOR", "1")], false, false);
    }
}
