//! `stepkin migrate`

use std::path::PathBuf;

use super::terminal::note;
use super::{Outcome, PlainSiteArguments, count};
use crate::output::making::{MigrateOptions, Migrated, migrate};
use base::diagnostic::visible;
use base::error::Result;
use base::sort::StableSort as _;
use base::sorted::{SortedMap, SortedSet};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    site: PlainSiteArguments,
    /// Directory for the new site; must be empty if it exists
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
    /// Keep hand-written platform switchers and previous/next links, which Stepkin otherwise generates
    #[arg(long, alias = "keep-hand-written")]
    keep_navigation: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let Arguments { site, output, keep_navigation } = arguments;
    let options = MigrateOptions { keeps_hand_written: *keep_navigation };
    let migrated = migrate(site.root(), output, options)?;
    let shown = output.display();
    let (pages, files) = (count(migrated.pages, "page"), count(migrated.files, "other file"));
    note!("migrated {pages} and {files} to `{shown}`");
    if migrated.translated > 0 {
        note!("migrated {}", count(migrated.translated, "translated page"));
    }
    for line in losses(&migrated) {
        note!("{}", visible(line));
    }
    note!("next: `stepkin check --root {shown}`");
    Ok(Outcome::Clean)
}

/// Prints the constructs that couldn't be migrated.
fn losses(migrated: &Migrated) -> Vec<String> {
    let mut said = Vec::new();
    if !migrated.left_out.is_empty() {
        let pages: SortedSet<_> = migrated.left_out.iter().map(|(path, _)| path).collect();
        let number = migrated.left_out.len();
        let names = listed_by_number(migrated);
        said.push(format!(
            "left a comment in place of {} on {}: {names}",
            count(number, "unsupported element"),
            count(pages.len(), "page")
        ));
    }
    if migrated.removed > 0 {
        said.push(format!(
            "removed {} (Stepkin generates navigation)",
            count(migrated.removed, "hand-written navigation line")
        ));
    }
    for id in &migrated.other_families {
        said.push(format!("family `{id}` differs from before: compare its steps"));
    }
    for (path, address) in &migrated.outside {
        said.push(format!(
            "`{path}` is no longer a step because its URL `{address}` is not in its platform's directory"
        ));
    }
    for (path, address) in &migrated.moved {
        said.push(format!("`{path}` has a new URL; `{address}` could not be kept"));
    }
    for path in &migrated.orphans {
        said.push(format!("skipped `{path}`: it is the translation of a page that doesn't exist"));
    }
    for path in &migrated.unread {
        said.push(format!("skipped `{path}`: it is not UTF-8"));
    }
    said
}

/// Lists the unsupported elements, the most frequent first.
fn listed_by_number(migrated: &Migrated) -> String {
    /// Maximum number of names to list.
    const MOST: usize = 8;
    let mut numbers: SortedMap<&str, usize> = SortedMap::new();
    for (_, left_out) in &migrated.left_out {
        *numbers.entry(left_out.name.trim()).or_default() += 1;
    }
    let mut numbers: Vec<(&str, usize)> = numbers.into_iter().collect();
    numbers.stable_sort_by_key(|(name, number)| (std::cmp::Reverse(*number), *name));
    let more = numbers.len().saturating_sub(MOST);
    let names = numbers.iter().take(MOST).map(|(name, number)| match number {
        1 => format!("`{name}`"),
        number => format!("`{name}` ({number})"),
    });
    let mut listed = names.collect::<Vec<_>>().join(", ");
    if more > 0 {
        listed.extend([format!(" and {more} more")]);
    }
    listed
}
