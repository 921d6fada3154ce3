//! What every command is told of how to speak: colours, and how much to say.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::base::error::{Error, Result};
use crate::base::timings;

/// Above these options in the help of a command.
const HEADING: &str = "Of every command";

/// Options of every command.
#[derive(Debug, clap::Args)]
pub(super) struct MannerArguments {
    /// Run as if started in this folder
    #[arg(short = 'C', value_name = "DIR", global = true, help_heading = HEADING, action = clap::ArgAction::Append)]
    directory: Vec<PathBuf>,
    /// Write colours; `auto` does on terminals that take them, and as variables like `NO_COLOR` say
    #[arg(long, value_enum, value_name = "WHEN", global = true, help_heading = HEADING, default_value_t)]
    color: Color,
    /// Print only results and errors; of findings only how many there are
    #[arg(long, short, global = true, help_heading = HEADING)]
    quiet: bool,
    /// Say where the site is, and what took how long
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
struct Manner {
    color: Color,
    is_quiet: bool,
    is_verbose: bool,
}

/// A process runs one command, which speaks in one manner.
static MANNER: OnceLock<Manner> = OnceLock::new();

/// Sets the folder and the manner of this process.
pub(super) fn begin(arguments: &MannerArguments) -> Result<()> {
    for folder in &arguments.directory {
        std::env::set_current_dir(folder).map_err(Error::io("change to", folder))?;
    }
    if arguments.verbose {
        timings::start();
    }
    let (color, is_quiet, is_verbose) = (arguments.color, arguments.quiet, arguments.verbose);
    MANNER.get_or_init(|| Manner { color, is_quiet, is_verbose });
    Ok(())
}

pub(super) fn is_quiet() -> bool {
    MANNER.get().is_some_and(|manner| manner.is_quiet)
}

pub(super) fn is_verbose() -> bool {
    MANNER.get().is_some_and(|manner| manner.is_verbose)
}

/// Prints a line that is neither a result nor an error to standard error.
macro_rules! note {
    ($($text:tt)*) => {
        if !$crate::app::cli::terminal::is_quiet() {
            eprintln!($($text)*);
        }
    };
}
pub(super) use note;

/// Whether standard output gets colours.
pub(super) fn is_coloured() -> bool {
    let value = |name: &str| std::env::var(name).unwrap_or_default();
    let color = MANNER.get().map_or(Color::Auto, |manner| manner.color);
    takes_colours(color, value, io::stdout().is_terminal())
}

/// Whether a server of continuous integration runs this: GitHub, GitLab and most others set `CI`.
pub(super) fn is_in_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| is_on(&value))
}

/// Whether the value of a variable switches something on.
pub(super) fn is_on(value: &str) -> bool {
    !matches!(value, "" | "0" | "false")
}

/// What the command line asks for, or else the environment: <https://no-color.org>, <https://force-color.org>,
/// <https://bixense.com/clicolors>, and terminals that know no escape sequences.
fn takes_colours(color: Color, value: impl Fn(&str) -> String, is_terminal: bool) -> bool {
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

    /// Checks where colours go with these variables: to a terminal, and to a pipe.
    #[track_caller]
    fn check(color: Color, variables: &[(&str, &str)], terminal: bool, pipe: bool) {
        let value = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map_or(String::new(), |(_, value)| (*value).to_string())
        };
        let taken = [true, false].map(|is_terminal| takes_colours(color, value, is_terminal));
        assert_eq!(taken, [terminal, pipe], "{color:?} {variables:?}");
    }

    #[test]
    fn colours_go_where_they_are_asked_for_or_understood() {
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
