//! `stepkin migrate`

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::terminal::note;
use super::{Outcome, PlainSiteArguments, count};
use crate::base::diagnostic::visible;
use crate::base::error::Result;
use crate::output::making::{MigrateOptions, Migrated, migrate};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    site: PlainSiteArguments,
    /// Where to write the new site; may exist, but has to be empty
    #[arg(long, value_name = "DIR")]
    output: PathBuf,
    /// Keep switchers and links to the previous and next page that were typed by hand, which pages get by themselves
    #[arg(long)]
    keep_hand_written: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let Arguments { site, output, keep_hand_written } = arguments;
    let options = MigrateOptions { keeps_hand_written: *keep_hand_written };
    let migrated = migrate(site.root(), output, options)?;
    let shown = output.display();
    let (pages, files) = (count(migrated.pages, "page"), count(migrated.files, "other file"));
    note!("wrote {pages} and {files} to `{shown}`");
    for line in said(&migrated) {
        note!("{}", visible(line));
    }
    note!("see what is left to do: stepkin check --root {shown}");
    Ok(Outcome::Clean)
}

/// What could not be kept.
fn said(migrated: &Migrated) -> Vec<String> {
    let mut said = Vec::new();
    if !migrated.left_out.is_empty() {
        let pages: BTreeSet<_> = migrated.left_out.iter().map(|(path, _)| path).collect();
        let number = migrated.left_out.len();
        let (pieces, were) = if number == 1 { ("piece", "was") } else { ("pieces", "were") };
        let names = listed_by_number(migrated);
        said.push(format!(
            "{number} {pieces} of other syntax {were} left out on {}, with a comment where each stood: {names}",
            count(pages.len(), "page")
        ));
    }
    if migrated.removed > 0 {
        said.push(format!(
            "{} typed by hand taken out: switchers and links to the previous and next page, which pages get by themselves",
            count(migrated.removed, "line")
        ));
    }
    for id in &migrated.other_families {
        said.push(format!("the family `{id}` is not the same as before: compare its steps"));
    }
    for (path, address) in &migrated.outside {
        said.push(format!(
            "`{path}` is no step any more: its address `{address}` is not in the folder of its platform"
        ));
    }
    for (path, address) in &migrated.moved {
        said.push(format!("`{path}` could not get its address `{address}` again"));
    }
    for path in &migrated.unread {
        said.push(format!("`{path}` is not UTF-8 and was not written"));
    }
    said
}

/// The names of what was left out, those that are there most often first.
fn listed_by_number(migrated: &Migrated) -> String {
    /// The most names that a line has.
    const MOST: usize = 8;
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, left_out) in &migrated.left_out {
        *numbers.entry(left_out.name.trim()).or_default() += 1;
    }
    let mut numbers: Vec<(&str, usize)> = numbers.into_iter().collect();
    numbers.sort_by_key(|(name, number)| (std::cmp::Reverse(*number), *name));
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
