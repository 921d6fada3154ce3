//! What to do instead of a command that other programs have and this one has not.

use std::path::Path;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// The commands, and what is done instead.
const INSTEAD: &[(&[&str], &str)] = &[
    (
        &["lint", "test", "validate", "verify", "doctor", "linkcheck", "links"],
        "`stepkin check` finds what is wrong with the content",
    ),
    (
        &["stats", "status", "statistics"],
        "`stepkin check --statistics` counts what is wrong, by code and cause",
    ),
    #[cfg(not(feature = "publish"))]
    (
        &["publish", "deploy", "upload", "sync"],
        "`stepkin build` makes the site in `dist`, which any host of files serves; \
         `cargo install stepkin --features publish` has the command that puts it into a bucket",
    ),
    #[cfg(feature = "publish")]
    (
        &["deploy", "upload", "sync"],
        "`stepkin build` makes the site in `dist`, `stepkin publish TARGET` puts it into a bucket or a folder",
    ),
    (&["generate", "render"], "`stepkin build` makes the site in `dist`, which any host of files serves"),
    (&["clean"], "delete the folders `dist` and `.stepkin`: both are made again"),
    (
        &["import", "convert"],
        "`stepkin migrate --output DIR` writes the site of another generator as one of Stepkin's own; `stepkin check` and `stepkin drift` read it in place, too",
    ),
    (&["rename", "move"], "`stepkin mv OLD NEW` moves a page, picture or folder with all links to it"),
    (
        &["create", "add"],
        "`stepkin init DIR` starts a site, `stepkin new FAMILY STEP` adds a step on all platforms; any other new page is a new file in `content`",
    ),
    (
        &["watch", "dev", "start", "preview", "run", "server"],
        "`stepkin serve --watch` shows the site while it is written",
    ),
    (&["compare", "diff"], "`stepkin drift` finds where platforms differ"),
    (
        &["format", "fmt"],
        "`stepkin fix` mends what has one right answer; it leaves the form of the text alone",
    ),
];

/// Options that other programs have, the commands that they are given to, and what is written instead.
const OPTIONS: &[(&[&str], &[&str], &str)] = &[
    (
        &["--strict", "--error-on-warnings", "--werror"],
        &["check", "link-check", "drift"],
        "`--fail-on warning` makes warnings fail",
    ),
    (
        &["-o", "--out", "--out-dir", "--dest", "--destination"],
        &["build", "merge", "migrate"],
        "`--output DIR` sets the folder",
    ),
    (&["-w"], &["build", "serve"], "`--watch` makes the site again after each save"),
    (&["-p"], &["serve"], "`--port PORT` sets the port"),
];

/// Ends the process as `clap` does, with a tip where we know one.
pub(super) fn exit(mut error: clap::Error) -> ! {
    if let Some(tip) = tip(&error) {
        error.remove(ContextKind::SuggestedSubcommand);
        error.remove(ContextKind::SuggestedArg);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(tip)]));
    }
    error.exit()
}

fn tip(error: &clap::Error) -> Option<String> {
    let named = |kind: ContextKind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    match error.kind() {
        ErrorKind::InvalidSubcommand => instead(named(ContextKind::InvalidSubcommand)?).map(str::to_string),
        ErrorKind::UnknownArgument => {
            let argument = named(ContextKind::InvalidArg)?;
            if Path::new(argument).is_dir() {
                return Some(format!("`--root {argument}` names the folder of the site"));
            }
            instead_of_option(&command()?, argument).map(str::to_string)
        }
        // Other programs make a site of a name alone.
        ErrorKind::MissingRequiredArgument if command()? == "new" => {
            let name = std::env::args().nth(2).filter(|name| !name.starts_with('-'))?;
            Some(format!("`stepkin init {name}` starts a site; `stepkin new FAMILY STEP` adds a step to one"))
        }
        _ => None,
    }
}

/// The command that was given. Options of all commands may be before it.
fn command() -> Option<String> {
    std::env::args().skip(1).find(|argument| !argument.starts_with('-'))
}

fn instead_of_option(command: &str, option: &str) -> Option<&'static str> {
    let option = option.split('=').next().unwrap_or_default();
    let of = |(options, commands, _): &&(&[&str], &[&str], &str)| {
        options.contains(&option) && commands.contains(&command)
    };
    OPTIONS.iter().find(of).map(|(.., tip)| *tip)
}

fn instead(command: &str) -> Option<&'static str> {
    INSTEAD.iter().find(|(names, _)| names.contains(&command)).map(|(_, tip)| *tip)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_tip_names_exists() {
        let known: Vec<String> =
            super::super::commands().get_subcommands().map(|it| it.get_name().to_string()).collect();
        for (names, tip) in INSTEAD {
            for command in tip.split("`stepkin ").skip(1).filter_map(|rest| rest.split([' ', '`']).next()) {
                assert!(known.iter().any(|known| known == command), "{tip}");
            }
            for name in *names {
                assert!(!known.iter().any(|known| known == name), "`{name}` is a command");
            }
        }
        for (options, names, tip) in OPTIONS {
            let mut commands = super::super::commands();
            commands.build();
            let named = |name: &&&str| commands.find_subcommand(name).is_some();
            for command in names.iter().filter(named).filter_map(|name| commands.find_subcommand(name)) {
                let is_known = |option: &str| {
                    let is = |it: &clap::Arg| {
                        it.get_long().is_some_and(|long| option == format!("--{long}"))
                            || it.get_short().is_some_and(|short| option == format!("-{short}"))
                    };
                    command.get_arguments().any(is)
                };
                let meant = tip[1..].split([' ', '`']).next().unwrap_or_default();
                assert!(is_known(meant), "{} has no {meant}", command.get_name());
                for option in *options {
                    assert!(!is_known(option), "{} has {option}", command.get_name());
                }
            }
        }
    }
}
