//! Where the time of a run goes, for `build --timings`.
//!
//! Stages say what they are at, here and for the whole process, as they would to a log: nothing reads a time
//! back, so nothing can depend on one. Unless [`start`] was called, no clock is read.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What takes time, in the order of the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Read,
    Load,
    Parse,
    Align,
    Plan,
    Check,
    /// Everything from the plan to the folder.
    Publish,
    /// Templates and holes, code apart.
    Render,
    Highlight,
    Write,
}

const STAGES: usize = Stage::Write as usize + 1;

static START: OnceLock<Instant> = OnceLock::new();
/// Nanoseconds from begin to end, by stage.
static ELAPSED: [AtomicU64; STAGES] = [const { AtomicU64::new(0) }; STAGES];
/// Nanoseconds that threads spent, added up, by stage.
static WORK: [AtomicU64; STAGES] = [const { AtomicU64::new(0) }; STAGES];

/// Begins to measure.
pub fn start() {
    START.get_or_init(Instant::now);
}

/// Does a whole stage.
pub fn stage<T>(stage: Stage, work: impl FnOnce() -> T) -> T {
    measured(&ELAPSED[stage as usize], work)
}

/// Does a part of a stage on one of its threads.
pub fn part<T>(stage: Stage, work: impl FnOnce() -> T) -> T {
    measured(&WORK[stage as usize], work)
}

fn measured<T>(total: &AtomicU64, work: impl FnOnce() -> T) -> T {
    if START.get().is_none() {
        return work();
    }
    let begin = Instant::now();
    let made = work();
    let spent = u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX);
    total.fetch_add(spent, Ordering::Relaxed);
    made
}

/// What was measured.
#[derive(Clone, Debug)]
pub struct Timings {
    /// From [`start`] on.
    pub total: Duration,
    elapsed: [Duration; STAGES],
    work: [Duration; STAGES],
}

/// What was measured until now; `None` where nothing was.
pub fn measure() -> Option<Timings> {
    let total = START.get()?.elapsed();
    let read = |times: &[AtomicU64; STAGES]| {
        std::array::from_fn(|stage| Duration::from_nanos(times[stage].load(Ordering::Relaxed)))
    };
    let (elapsed, mut work): (_, [Duration; STAGES]) = (read(&ELAPSED), read(&WORK));
    // Code is highlighted while its page is rendered.
    let highlight = work[Stage::Highlight as usize];
    let render = &mut work[Stage::Render as usize];
    *render = render.saturating_sub(highlight);
    Some(Timings { total, elapsed, work })
}

impl Timings {
    /// From the begin to the end of a stage.
    pub fn elapsed(&self, stage: Stage) -> Duration {
        self.elapsed[stage as usize]
    }

    /// What all threads spent on a stage: more than has elapsed where they worked side by side.
    pub fn work(&self, stage: Stage) -> Duration {
        self.work[stage as usize]
    }
}
