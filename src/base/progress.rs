//! How far a run is, for somebody who waits for it.
//!
//! What may take long counts itself here, as it does for timings: only who shows it reads the counts, so nothing can depend
//! on them. Unless [`start`] was called, counting is a look at one flag.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What may take long, in the order of the stages; of those that go on at once the last is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Smaller versions of pictures.
    Pictures,
    /// What git knows of former days; how much that is nobody knows before.
    History,
    /// Commits that are looked at one after the other.
    Commits,
    /// Links to other sites.
    Links,
    /// Pages that are checked.
    Check,
    /// Files that are published.
    Publish,
}

const TASKS: [Task; 6] =
    [Task::Pictures, Task::History, Task::Commits, Task::Links, Task::Check, Task::Publish];

/// Whether somebody waits.
static IS_WANTED: AtomicBool = AtomicBool::new(false);
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

/// Begins to count.
pub fn start() {
    IS_WANTED.store(true, Ordering::Relaxed);
}

/// A task goes on as long as this lives.
#[derive(Debug)]
#[must_use]
pub struct Running(Task);

impl Drop for Running {
    fn drop(&mut self) {
        COUNTS[self.0 as usize].is_running.store(false, Ordering::Relaxed);
    }
}

/// Begins a task of so many steps; 0 where nobody knows.
pub fn begin(task: Task, total: usize) -> Running {
    let count = &COUNTS[task as usize];
    if IS_WANTED.load(Ordering::Relaxed) {
        count.done.store(0, Ordering::Relaxed);
        count.total.store(total, Ordering::Relaxed);
        count.is_running.store(true, Ordering::Relaxed);
    }
    Running(task)
}

/// Counts steps of a task.
pub fn step(task: Task, steps: usize) {
    if IS_WANTED.load(Ordering::Relaxed) {
        COUNTS[task as usize].done.fetch_add(steps, Ordering::Relaxed);
    }
}

/// How far a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub task: Task,
    pub done: usize,
    /// 0 where nobody knows.
    pub total: usize,
}

/// How far the task is that goes on now.
pub fn now() -> Option<Progress> {
    let running = TASKS.iter().rev().find(|task| COUNTS[**task as usize].is_running.load(Ordering::Relaxed));
    running.map(|&task| {
        let Count { done, total, .. } = &COUNTS[task as usize];
        Progress { task, done: done.load(Ordering::Relaxed), total: total.load(Ordering::Relaxed) }
    })
}
