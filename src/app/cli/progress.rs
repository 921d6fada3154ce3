//! A line at the bottom of the terminal that says how far the run is.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::terminal;
use crate::base::progress::{self, Progress, Task};

/// What takes no longer needs no line.
const PATIENCE: Duration = Duration::from_millis(500);
/// How often the line is drawn.
const PACE: Duration = Duration::from_millis(100);

/// Does what may take long. Meanwhile, where somebody waits at a terminal, a line of standard error says how far it is; it
/// is gone afterwards.
pub(super) fn during<T>(work: impl FnOnce() -> T) -> T {
    if !is_wanted(|name| std::env::var(name).unwrap_or_default(), io::stderr().is_terminal()) {
        return work();
    }
    progress::start();
    let (done, is_done) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || draw(&is_done));
        let made = work();
        // The line goes when its thread hears of that.
        drop(done);
        made
    })
}

/// Whether the line is of use: not to programs, not in the logs of servers, and not to who wants few words.
fn is_wanted(value: impl Fn(&str) -> String, is_terminal: bool) -> bool {
    is_terminal && !terminal::is_quiet() && !terminal::is_on(&value("CI")) && value("TERM") != "dumb"
}

/// Draws the line until the work is done.
fn draw(is_done: &Receiver<()>) {
    let goes_on = |time| is_done.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
    if !goes_on(PATIENCE) {
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
        if !goes_on(PACE) {
            break;
        }
    }
    line.finish_and_clear();
}

fn style(has_total: bool) -> ProgressStyle {
    let template = if has_total { "{bar:24} {msg}, {pos} of {len}" } else { "{spinner} {msg}" };
    ProgressStyle::with_template(template).expect("the template is one")
}

fn doing(task: Task) -> &'static str {
    match task {
        Task::Pictures => "making pictures smaller",
        Task::History => "reading git's history",
        Task::Commits => "looking at commits",
        Task::Links => "asking other sites for links",
        Task::Check => "checking pages",
        Task::Publish => "publishing files",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_waits_at_a_terminal_sees_the_line() {
        let with = |set: &'static str, to: &'static str| {
            move |name: &str| if name == set { to.to_string() } else { String::new() }
        };
        assert!(is_wanted(with("TERM", "xterm"), true));
        assert!(!is_wanted(with("TERM", "xterm"), false));
        assert!(!is_wanted(with("TERM", "dumb"), true));
        assert!(!is_wanted(with("CI", "true"), true));
    }
}
