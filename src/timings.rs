//! Where the time of a run goes, for `build --timings`.
//!
//! Stages say what they are at, here and for the whole process, as they would to a log: nothing reads a time
//! back, so nothing can depend on one. Unless [`start`] was called, no clock is read.

use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What takes time, in the order of the stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Read,
    Load,
    Parse,
    Align,
    /// Smaller versions of pictures.
    Pictures,
    Plan,
    Check,
    /// Everything from the plan to the folder.
    Publish,
    /// Templates and placeholders, code apart.
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

thread_local! {
    /// Nanoseconds that the part at hand has spent on parts of other stages.
    static ELSEWHERE: Cell<u64> = const { Cell::new(0) };
}

/// Does a whole stage.
pub fn stage<T>(stage: Stage, work: impl FnOnce() -> T) -> T {
    let (made, spent) = measured(work);
    ELAPSED[stage as usize].fetch_add(spent, Ordering::Relaxed);
    made
}

/// Does a part of a stage on one of its threads. What is spent within on parts of others counts for them alone.
pub fn part<T>(stage: Stage, work: impl FnOnce() -> T) -> T {
    let before = ELSEWHERE.replace(0);
    let (made, spent) = measured(work);
    let own = spent.saturating_sub(ELSEWHERE.replace(before + spent));
    WORK[stage as usize].fetch_add(own, Ordering::Relaxed);
    made
}

/// Out: also how many nanoseconds it took; none while timing is off.
fn measured<T>(work: impl FnOnce() -> T) -> (T, u64) {
    if START.get().is_none() {
        return (work(), 0);
    }
    let begin = Instant::now();
    let made = work();
    (made, u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX))
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
    Some(Timings { total, elapsed: read(&ELAPSED), work: read(&WORK) })
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
