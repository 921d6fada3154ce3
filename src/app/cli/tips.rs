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

/// Ends the process as `clap` does, with a tip where we know one.
pub(super) fn exit(mut error: clap::Error) -> ! {
    if let Some(tip) = tip(&error) {
        error.remove(ContextKind::SuggestedSubcommand);
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
            let folder = named(ContextKind::InvalidArg)?;
            Path::new(folder).is_dir().then(|| format!("`--root {folder}` names the folder of the site"))
        }
        _ => None,
    }
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
    }
}
