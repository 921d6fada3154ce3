//! The progress bar.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::terminal;
use base::progress::{self, Progress, Task};

/// Delay before the bar appears.
const PATIENCE: Duration = Duration::from_millis(500);
/// Interval between updates.
const PACE: Duration = Duration::from_millis(100);

/// Runs a task that may take long, and shows the progress on standard error until it ends.
pub(super) fn during<T>(work: impl FnOnce() -> T) -> T {
    if !is_wanted(|name| std::env::var(name).unwrap_or_default(), io::stderr().is_terminal()) {
        return work();
    }
    progress::start();
    let (done, is_done) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || draw(&is_done));
        let made = work();
        // Ends the thread, which clears the bar.
        drop(done);
        made
    })
}

/// Whether to show the progress bar: only on a terminal, outside CI, and without `--quiet`.
fn is_wanted(value: impl Fn(&str) -> String, is_terminal: bool) -> bool {
    is_terminal && !terminal::is_quiet() && !terminal::is_on(&value("CI")) && value("TERM") != "dumb"
}

/// Draws the bar until the work is done.
fn draw(is_done: &Receiver<()>) {
    let continues = |time| is_done.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
    if !continues(PATIENCE) {
        return;
    }
    let line = ProgressBar::no_length();
    loop {
        if let Some(Progress { task, done, total }) = progress::now() {
            line.set_style(style(total > 0));
            line.set_message(doing(task));
            line.set_length(u64::try_from(total).unwrap_or(u64::MAX));
            line.set_position(u64::try_from(done.min(total)).unwrap_or(u64::MAX));
            line.tick();
        }
        if !continues(PACE) {
            break;
        }
    }
    line.finish_and_clear();
}

fn style(has_total: bool) -> ProgressStyle {
    let template = if has_total { "{bar:24} {msg}, {pos} of {len}" } else { "{spinner} {msg}" };
    ProgressStyle::with_template(template).expect("the template is valid")
}

fn doing(task: Task) -> &'static str {
    match task {
        Task::Pictures => "optimizing images",
        Task::History => "reading Git history",
        Task::Commits => "comparing commits",
        Task::Links => "checking external links",
        Task::Check => "checking pages",
        Task::Publish => "writing files",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_is_only_for_terminals_outside_ci() {
        let with = |set: &'static str, to: &'static str| {
            move |name: &str| if name == set { to.to_string() } else { String::new() }
        };
        assert!(is_wanted(with("TERM", "xterm"), true));
        assert!(!is_wanted(with("TERM", "xterm"), false));
        assert!(!is_wanted(with("TERM", "dumb"), true));
        assert!(!is_wanted(with("CI", "true"), true));
    }
}
