//! The duration of each stage of a run, for `build --timings`.
//!
//! Stages record their times here, for the whole process, as in a log. Nothing reads a time back during a run, so
//! results can't depend on one. Unless [`start`] was called, no clock is read.
//!
//! Elapsed time is wall-clock time. The work of threads is processor time, without waiting, so that it adds up to the
//! process's total.

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// The stages of a run, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Read,
    Load,
    Parse,
    Align,
    /// Creating smaller versions of images.
    Pictures,
    Plan,
    Check,
    /// Writing, from the plan to the output folder.
    Publish,
    /// Applying templates and filling placeholders, except for the stages below.
    Render,
    /// Comparing platforms, and rendering the pages with the differences.
    Comparisons,
    /// Writing settings and steps as data for programs.
    Data,
    /// Writing pages and lists as Markdown.
    Markdown,
    Highlight,
    Search,
    Write,
    /// Reading and writing the cache.
    Cache,
}

const STAGES: usize = Stage::Cache as usize + 1;

static START: OnceLock<Start> = OnceLock::new();

#[derive(Debug)]
struct Start {
    at: Instant,
    /// Processor time of the process before [`start`], while the system loaded the program.
    processor: Duration,
}

/// Nanoseconds from start to end, by stage.
static ELAPSED: [AtomicU64; STAGES] = [const { AtomicU64::new(0) }; STAGES];
/// Nanoseconds of processor time of all threads, by stage.
static WORK: [AtomicU64; STAGES] = [const { AtomicU64::new(0) }; STAGES];

/// Starts measuring.
pub fn start() {
    START.get_or_init(|| Start { at: Instant::now(), processor: processor(ClockId::ProcessCPUTime) });
}

thread_local! {
    /// Nanoseconds that the current part has spent in nested parts of other stages.
    static ELSEWHERE: Cell<u64> = const { Cell::new(0) };
    /// Nanoseconds that this thread has spent in parts of any stage.
    static IN_PARTS: Cell<u64> = const { Cell::new(0) };
}

/// Measures a complete stage until it is dropped.
#[derive(Debug)]
pub struct StageTimer {
    part: Option<PartTimer>,
    begin: Instant,
}

/// Measures a part of a stage until it is dropped, on the thread that created it.
#[derive(Debug)]
pub struct PartTimer {
    stage: Stage,
    /// Processor time of the thread at the start.
    begin: Duration,
    /// Time that the enclosing part had spent in parts of other stages at the start.
    before: u64,
    _thread: PhantomData<*const ()>,
}

/// Measures a complete stage. Work on other threads is measured as parts of it.
#[must_use = "the stage ends where this is dropped"]
pub fn stage(stage: Stage) -> Option<StageTimer> {
    START.get().map(|_| StageTimer { part: part(stage), begin: Instant::now() })
}

/// Measures a part of a stage on the current thread. Nested parts count only for their own stages.
#[must_use = "the part ends where this is dropped"]
pub fn part(stage: Stage) -> Option<PartTimer> {
    START.get().map(|_| PartTimer {
        stage,
        begin: processor(ClockId::ThreadCPUTime),
        before: ELSEWHERE.replace(0),
        _thread: PhantomData,
    })
}

impl Drop for StageTimer {
    fn drop(&mut self) {
        if let Some(part) = &self.part {
            ELAPSED[part.stage as usize].fetch_add(nanoseconds(self.begin.elapsed()), Ordering::Relaxed);
        }
    }
}

impl Drop for PartTimer {
    fn drop(&mut self) {
        let spent = nanoseconds(processor(ClockId::ThreadCPUTime).saturating_sub(self.begin));
        let own = spent.saturating_sub(ELSEWHERE.replace(self.before + spent));
        WORK[self.stage as usize].fetch_add(own, Ordering::Relaxed);
        IN_PARTS.set(IN_PARTS.get() + own);
    }
}

/// Returns the processor time of a thread or of the process.
fn processor(clock: ClockId) -> Duration {
    Duration::try_from(clock_gettime(clock)).unwrap_or_default()
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// The measured times.
#[derive(Clone, Debug)]
pub struct Timings {
    /// Time since [`start`].
    pub total: Duration,
    /// Processor time of all threads.
    pub processor: Duration,
    /// Processor time before [`start`].
    pub loading: Duration,
    /// Processor time of the pool's threads outside parts of stages, for finding and distributing work.
    pub idle: Duration,
    elapsed: [Duration; STAGES],
    work: [Duration; STAGES],
}

/// Returns the times up to now, or `None` if nothing is being measured.
pub fn measure() -> Option<Timings> {
    let start = START.get()?;
    let total = start.at.elapsed();
    let read = |times: &[AtomicU64; STAGES]| {
        std::array::from_fn(|stage| Duration::from_nanos(times[stage].load(Ordering::Relaxed)))
    };
    let beside = |_: rayon::BroadcastContext<'_>| {
        let parts = Duration::from_nanos(IN_PARTS.get());
        processor(ClockId::ThreadCPUTime).saturating_sub(parts)
    };
    let idle = rayon::broadcast(beside).into_iter().sum();
    let (loading, processor) = (start.processor, processor(ClockId::ProcessCPUTime));
    Some(Timings { total, processor, loading, idle, elapsed: read(&ELAPSED), work: read(&WORK) })
}

impl Timings {
    /// Returns the wall-clock time of a stage.
    pub fn elapsed(&self, stage: Stage) -> Duration {
        self.elapsed[stage as usize]
    }

    /// Returns the processor time of a stage. It exceeds the elapsed time if threads worked in parallel.
    pub fn work(&self, stage: Stage) -> Duration {
        self.work[stage as usize]
    }
}
