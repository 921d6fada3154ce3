//! The list of commands that `stepkin --help` prints.

use std::fmt::Write as _;

use clap::builder::Styles;

/// The commands, grouped by purpose. `clap` has no headings for commands, so the help is written from this list.
const GROUPS: &[(&str, &[&str])] = &[
    ("Get started", &["init", "serve", "build"]),
    ("Check content", &["check", "fix", "drift", "translations", "verify", "explain"]),
    ("Edit content", &["new", "mv", "unify"]),
    ("Publish and customize", &["publish", "theme", "migrate"]),
    ("More", &["lsp"]),
];

/// Commands for scripts and packages, which the list only names.
const FOR_MACHINES: &[&str] = &["completions", "export", "man", "maps", "merge", "schema"];

/// Adds the grouped list to a command's help.
pub(super) fn grouped(command: clap::Command) -> clap::Command {
    let styles = Styles::styled();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let mut list = String::new();
    for (heading, names) in GROUPS {
        _ = writeln!(list, "{header}{heading}:{header:#}");
        for found in names.iter().filter_map(|name| command.find_subcommand(name)) {
            let about = found.get_about().map(ToString::to_string).unwrap_or_default();
            _ = writeln!(list, "  {literal}{:12}{literal:#} {about}", found.get_name());
        }
        list.push('\n');
    }
    let others: Vec<_> =
        FOR_MACHINES.iter().copied().filter(|name| command.find_subcommand(name).is_some()).collect();
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}\n  For scripts and packages: {}\n\n\
         {header}Global options:{header:#}\n{{options}}\n\nSee `stepkin help <command>` for more information on a command.\n",
        list.trim_end(),
        others.join(", ")
    );
    command.help_template(template)
}

#[cfg(test)]
mod tests {
    use base::sorted::SortedSet;

    use super::*;

    #[test]
    fn the_list_contains_every_command_once() {
        let commands = super::super::commands();
        let listed: Vec<&str> =
            GROUPS.iter().flat_map(|(_, names)| *names).chain(FOR_MACHINES).copied().collect();
        let names: SortedSet<&str> = commands.get_subcommands().map(clap::Command::get_name).collect();
        let unique: SortedSet<&str> = listed.iter().copied().collect();
        assert_eq!(unique.len(), listed.len(), "{listed:?}");
        assert_eq!(names.difference(&unique).collect::<Vec<_>>(), Vec::<&&str>::new());
        // Features that are off remove commands.
        let optional = SortedSet::from(["lsp", "maps"]);
        assert!(unique.difference(&names).all(|name| optional.contains(name)), "{names:?}");
        let help = super::super::commands().render_help().to_string();
        for name in names {
            assert!(help.contains(&format!(" {name}")), "{name} is not in the help:\n{help}");
        }
    }
}
