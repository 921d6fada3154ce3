//! Tips for commands and options of other programs that Stepkin doesn't have.

use std::path::Path;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Commands of other programs, and what to run instead.
const INSTEAD: &[(&[&str], &str)] = &[
    (
        &["lint", "test", "validate", "doctor", "linkcheck", "links"],
        "run `stepkin check` to check the content",
    ),
    (
        &["stats", "status", "statistics"],
        "run `stepkin check --statistics` to count problems by rule and cause",
    ),
    #[cfg(not(feature = "publish"))]
    (
        &["publish", "deploy", "upload", "sync"],
        "run `stepkin build`, and upload `dist` to any static host; uploading with Stepkin needs a build with the feature `publish`",
    ),
    #[cfg(feature = "publish")]
    (
        &["deploy", "upload", "sync"],
        "run `stepkin build`, then `stepkin publish TARGET` to upload the site to a bucket or directory",
    ),
    (&["generate", "render"], "run `stepkin build` to build the site into `dist`"),
    (&["clean"], "delete `dist` and `.stepkin`; `stepkin build` creates both again"),
    (
        &["import", "convert"],
        "run `stepkin migrate --output DIR` to convert a site from another generator; `stepkin check` and `stepkin drift` also work without converting it",
    ),
    (&["rename", "move"], "run `stepkin mv OLD NEW` to move a page, image, or folder and update its links"),
    (
        &["create", "add"],
        "run `stepkin init DIR` to create a site, or `stepkin new FAMILY STEP` to add a step; for any other page, create a file in `content`",
    ),
    (&["watch", "dev", "start", "preview", "run", "server"], "run `stepkin serve` to preview the site"),
    (&["compare", "diff"], "run `stepkin drift` to compare platforms"),
    (&["format", "fmt"], "run `stepkin fix` to apply automatic fixes; Stepkin doesn't format text"),
];

/// Options of other programs, the commands they are used with, and what to use instead.
const OPTIONS: &[(&[&str], &[&str], &str)] = &[
    (
        &["--strict", "--error-on-warnings", "--werror"],
        &["check", "link-check", "drift"],
        "`--fail-on warning` makes the exit status 1 if there are warnings",
    ),
    (
        &["--out", "--out-dir", "--dest", "--destination"],
        &["build", "merge", "migrate"],
        "`--output DIR` sets the output directory",
    ),
];

/// Exits as `clap` does, with a tip if there is one.
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
                return Some(format!("use `--root {argument}` to set the site root"));
            }
            instead_of_option(&command()?, argument).map(str::to_string)
        }
        // `new NAME` creates a site in other programs.
        ErrorKind::MissingRequiredArgument if command()? == "new" => {
            let name = std::env::args().nth(2).filter(|name| !name.starts_with('-'))?;
            Some(format!(
                "to create a site, run `stepkin init {name}`; to add a step, run `stepkin new FAMILY STEP`"
            ))
        }
        _ => None,
    }
}

/// Returns the command of this run. Global options may come before it.
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
    fn tips_refer_to_existing_commands_and_options() {
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
