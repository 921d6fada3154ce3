//! Where the time of a run goes, for `build --timings`.
//!
//! Stages say what they are at, here and for the whole process, as they would to a log: nothing reads a time
//! back, so nothing can depend on one. Unless [`start`] was called, no clock is read.
//!
//! What has elapsed is the clock's. What threads did is the processor's, without waiting: so it adds up to what the
//! process took.

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

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
    /// Templates and placeholders; what follows apart.
    Render,
    /// What differs among platforms, and the pages that show it.
    Comparisons,
    /// Settings and steps for programs.
    Data,
    /// Pages as Markdown, and lists of them.
    Markdown,
    Highlight,
    Search,
    Write,
    /// What is kept for later runs, written and read.
    Cache,
}

const STAGES: usize = Stage::Cache as usize + 1;

static START: OnceLock<Start> = OnceLock::new();

#[derive(Debug)]
struct Start {
    at: Instant,
    /// What the process had taken until then: the system has loaded the program.
    processor: Duration,
}

/// Nanoseconds from begin to end, by stage.
static ELAPSED: [AtomicU64; STAGES] = [const { AtomicU64::new(0) }; STAGES];
/// Nanoseconds that threads spent, added up, by stage.
static WORK: [AtomicU64; STAGES] = [const { AtomicU64::new(0) }; STAGES];

/// Begins to measure.
pub fn start() {
    START.get_or_init(|| Start { at: Instant::now(), processor: processor(ClockId::ProcessCPUTime) });
}

thread_local! {
    /// Nanoseconds that the part at hand has spent on parts of other stages.
    static ELSEWHERE: Cell<u64> = const { Cell::new(0) };
    /// Nanoseconds that the thread has spent on parts of any stage.
    static IN_PARTS: Cell<u64> = const { Cell::new(0) };
}

/// Measures a whole stage until it is dropped.
#[derive(Debug)]
pub struct StageTimer {
    part: Option<PartTimer>,
    begin: Instant,
}

/// Measures a part of a stage until it is dropped, on the thread that it was made on.
#[derive(Debug)]
pub struct PartTimer {
    stage: Stage,
    /// What the thread had taken.
    begin: Duration,
    /// What the part around it had spent on parts of other stages.
    before: u64,
    _thread: PhantomData<*const ()>,
}

/// Measures a whole stage; what other threads do of it are its parts.
#[must_use = "the stage ends where this is dropped"]
pub fn stage(stage: Stage) -> Option<StageTimer> {
    START.get().map(|_| StageTimer { part: part(stage), begin: Instant::now() })
}

/// Measures a part of a stage on one of its threads. Parts of others within it count for these alone.
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

/// How long a thread, or all of them, had the processor.
fn processor(clock: ClockId) -> Duration {
    Duration::try_from(clock_gettime(clock)).unwrap_or_default()
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// What was measured.
#[derive(Clone, Debug)]
pub struct Timings {
    /// From [`start`] on.
    pub total: Duration,
    /// What all threads of the process did.
    pub processor: Duration,
    /// Of that, before [`start`].
    pub loading: Duration,
    /// Of that, what the threads of the pool did beside parts of stages: they look for work and hand it on.
    pub idle: Duration,
    elapsed: [Duration; STAGES],
    work: [Duration; STAGES],
}

/// What was measured until now; `None` where nothing was.
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
    /// From the begin to the end of a stage.
    pub fn elapsed(&self, stage: Stage) -> Duration {
        self.elapsed[stage as usize]
    }

    /// What all threads did of a stage: more than has elapsed where they worked side by side.
    pub fn work(&self, stage: Stage) -> Duration {
        self.work[stage as usize]
    }
}
