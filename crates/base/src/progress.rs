//! Progress of long tasks.
//!
//! Tasks count their steps here, and only the progress bar reads the counts, so that results can't depend on them. Unless
//! [`start`] was called, counting costs one check of a flag.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Tasks that may take long, in the order of the stages. If several run at once, the last is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Creating smaller versions of images.
    Pictures,
    /// Reading Git history, of unknown length.
    History,
    /// Comparing commits one by one.
    Commits,
    /// Checking links to other sites.
    Links,
    /// Checking pages.
    Check,
    /// Writing or uploading files.
    Publish,
}

const TASKS: [Task; 6] =
    [Task::Pictures, Task::History, Task::Commits, Task::Links, Task::Check, Task::Publish];

/// Whether a progress bar is shown.
static IS_SHOWN: AtomicBool = AtomicBool::new(false);
static COUNTS: [Count; TASKS.len()] = [const { Count::none() }; TASKS.len()];

struct Count {
    is_running: AtomicBool,
    done: AtomicUsize,
    total: AtomicUsize,
}

impl Count {
    const fn none() -> Self {
        Self { is_running: AtomicBool::new(false), done: AtomicUsize::new(0), total: AtomicUsize::new(0) }
    }
}

/// Starts counting.
pub fn start() {
    IS_SHOWN.store(true, Ordering::Relaxed);
}

/// A running task, which ends when this is dropped.
#[derive(Debug)]
#[must_use]
pub struct Running(Task);

impl Drop for Running {
    fn drop(&mut self) {
        COUNTS[self.0 as usize].is_running.store(false, Ordering::Relaxed);
    }
}

/// Begins a task with `total` steps, or 0 if the number is unknown.
pub fn begin(task: Task, total: usize) -> Running {
    let count = &COUNTS[task as usize];
    if IS_SHOWN.load(Ordering::Relaxed) {
        count.done.store(0, Ordering::Relaxed);
        count.total.store(total, Ordering::Relaxed);
        count.is_running.store(true, Ordering::Relaxed);
    }
    Running(task)
}

/// Counts steps of a task.
pub fn step(task: Task, steps: usize) {
    if IS_SHOWN.load(Ordering::Relaxed) {
        COUNTS[task as usize].done.fetch_add(steps, Ordering::Relaxed);
    }
}

/// Progress of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub task: Task,
    pub done: usize,
    /// 0 if unknown.
    pub total: usize,
}

/// Returns the progress of the current task.
pub fn now() -> Option<Progress> {
    let running = TASKS.iter().rev().find(|task| COUNTS[**task as usize].is_running.load(Ordering::Relaxed));
    running.map(|&task| {
        let Count { done, total, .. } = &COUNTS[task as usize];
        Progress { task, done: done.load(Ordering::Relaxed), total: total.load(Ordering::Relaxed) }
    })
}
