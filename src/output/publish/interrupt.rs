//! Handles signals that end a run, after cleaning up unfinished work.
//!
//! If there is no unfinished work, a signal ends the process immediately, as without this module. Otherwise, the run
//! checks for it before the next file, fails with [`Error::Interrupted`], and removes its stage. `main` then ends the
//! process with the same signal. A second signal ends the process immediately.

use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use base::error::{Error, Result};

/// The first signal, or 0.
static RAISED: AtomicI32 = AtomicI32::new(0);
/// Number of runs with unfinished work.
static BUSY: AtomicUsize = AtomicUsize::new(0);

/// From now on, signals wait for unfinished work. If no thread can be started for this, they end the process as
/// before.
pub fn listen() {
    let ignored = ignored();
    let heeded = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored & (1 << (signal - 1)) == 0);
    let Ok(mut signals) = Signals::new(heeded) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            let is_first = RAISED.swap(signal, Ordering::SeqCst) == 0;
            if !is_first || BUSY.load(Ordering::SeqCst) == 0 {
                end_by(signal);
            }
        }
    });
}

/// Returns the signals that the process was started to ignore, as with `nohup`: a bit for each, from the lowest. If
/// the system doesn't report them, a hangup counts as ignored.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(1 << (SIGHUP - 1))
}

/// Returns the signal that arrived while a run was busy.
pub fn raised() -> Option<i32> {
    Some(RAISED.load(Ordering::SeqCst)).filter(|signal| *signal != 0)
}

/// Ends the process with the signal's default action, so that its parent process sees which signal it was.
pub fn end_by(signal: i32) -> ! {
    _ = emulate_default_handler(signal);
    std::process::exit(128 + signal)
}

/// # Errors
///
/// If a signal has arrived.
pub(crate) fn check() -> Result<()> {
    raised().map_or(Ok(()), |signal| Err(Error::Interrupted(signal)))
}

/// While it exists, a first signal waits.
#[derive(Debug)]
pub(crate) struct Busy(());

impl Busy {
    pub(crate) fn begin() -> Self {
        BUSY.fetch_add(1, Ordering::SeqCst);
        Self(())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        BUSY.fetch_sub(1, Ordering::SeqCst);
    }
}
