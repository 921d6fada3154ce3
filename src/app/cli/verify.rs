//! `stepkin verify`

use std::path::Path;

use super::format::{self, LineIndex};
use super::tasks::{self, TaskId};
use super::terminal::note;
use super::{Outcome, SiteArguments, new_below_root, options, progress, today};
use crate::output::cache::Cache;
use crate::output::{making, pipeline};
use base::diagnostic::visible;
use base::error::{Error, Result};
use base::site_path::SitePath;
use review::drift::Scope;
use review::translations::{self, Compare};

/// Check whether a task of `drift --todo` is done
///
/// The task of a translation is its path. It is done if each section that changed in the original was changed, has the
/// original's code, links, and IDs, and the page is pinned if it was pinned before. Other tasks are done if `drift` no longer
/// finds the difference. Without a remaining part, the exit status is 0, otherwise 1.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  stepkin verify content/ja/install.md   Check a translation\n  stepkin drift --todo --json            List the tasks, with the command that verifies each"
)]
pub(super) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,
    /// Task, as `drift --todo` prints it
    #[arg(value_name = "TASK")]
    task: String,
    /// The revision of `drift --since`, if the list was made with it
    #[arg(long, value_name = "REVISION")]
    since: Option<String>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    match TaskId::parsed(&arguments.task) {
        Some(task) => difference(arguments, &task),
        None => translation(arguments),
    }
}

fn translation(arguments: &Arguments) -> Result<Outcome> {
    let root = arguments.site.root();
    let sources = pipeline::read(root, &Cache::default())?;
    let unknown = || {
        Error::usage(format!("no task `{}`; run `stepkin drift --todo` to list the tasks", arguments.task))
    };
    // The page and its directory may not exist yet.
    let file = Path::new(&arguments.task);
    let path = new_below_root(root, file).unwrap_or_else(|_| file.to_path_buf());
    let path: SitePath = path.to_string_lossy().as_ref().into();
    let compare = Compare { today: today(), since: arguments.since.as_deref() };
    let remaining = progress::during(|| translations::remaining(&sources, compare, &path))?;
    let remaining = remaining.ok_or_else(unknown)?;
    let mut positions = LineIndex::new(&sources);
    format::to_stdout(|out| {
        for it in &remaining {
            let line = positions.at(path.as_str(), it.at).line;
            writeln!(out, "{}", visible(format!("{path}:{line}: {}", it.message)))?;
        }
        Ok(())
    })?;
    Ok(outcome(remaining.is_empty(), &arguments.task))
}

fn difference(arguments: &Arguments, task: &TaskId) -> Result<Outcome> {
    let (root, options) = (arguments.site.root(), options(false, None));
    let since = arguments.since.clone().map(making::Since::Revision);
    let scope = |_: &_| Ok(Scope::everything(today()));
    let (checked, _) = progress::during(|| {
        making::drift(root, &options, &Cache::of_translations(root), since.as_ref(), scope)
    })?;
    let mut found = tasks::ids(&checked.report).into_iter().zip(&checked.report);
    let finding = found.find(|(id, _)| id == task).map(|(_, finding)| finding);
    if let Some(finding) = finding {
        let mut positions = LineIndex::new(checked.work.project.sources.whole());
        let line = positions.at(finding.file.as_str(), finding.problem.span.start).line;
        let text = visible(format!("{}:{line}: {}", finding.file, finding.problem.message));
        format::to_stdout(|out| writeln!(out, "{text}"))?;
    }
    Ok(outcome(finding.is_none(), &arguments.task))
}

fn outcome(is_done: bool, task: &str) -> Outcome {
    if !is_done {
        return Outcome::Findings;
    }
    note!("done: {}", visible(task.to_string()));
    Outcome::Clean
}
