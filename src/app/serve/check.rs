//! Checks the site while pages are already being served.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::sync::watch::Sender;

use super::Live;
use crate::output::cache::Cache;
use crate::output::pipeline::{self, Options};
use base::diagnostic::Report;
use base::error::Error;

/// Delay before a check uses all cores, because the author who saved requests the page first.
const HEAD_START: Duration = Duration::from_millis(50);

/// A check that runs on a separate thread.
pub(super) struct RunningCheck {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl RunningCheck {
    /// Checks the site as last read. `found` contains the findings of earlier stages.
    pub(super) fn begin(
        live: &Arc<Sender<Live>>,
        options: &Options,
        cache: &Arc<Cache>,
        found: &Report,
    ) -> Self {
        let (live, options, cache, found) = (live.clone(), options.clone(), cache.clone(), found.clone());
        let stop = Arc::new(AtomicBool::new(false));
        let raised = stop.clone();
        let thread = std::thread::spawn(move || {
            // It may return early, which only starts the check sooner.
            std::thread::park_timeout(HEAD_START);
            if raised.load(Ordering::Relaxed) {
                return;
            }
            let work = live.borrow().latest().clone();
            match pipeline::find_lags(&work, &cache) {
                // Open pages are reloaded, and show which sections are outdated.
                Ok(lags) if lags.are_new => live.send_modify(|live| live.version += 1),
                Ok(_) => {}
                Err(error) => return fail(&live, &work.project.sources.root, &error),
            }
            let verified = pipeline::check(&work, &options, &cache, found, Some(&raised));
            if raised.load(Ordering::Relaxed) {
                return;
            }
            match verified {
                Ok(report) => live.send_modify(|live| {
                    live.report = Arc::new(report);
                    live.is_checked = true;
                }),
                Err(error) => fail(&live, &work.project.sources.root, &error),
            }
        });
        Self { stop, thread }
    }

    /// Cancels the check, and waits until it has ended.
    pub(super) fn stop(self) {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.thread().unpark();
        // If it panicked, only the report is missing.
        _ = self.thread.join();
    }
}

/// Reports why the sources at `root` can't be read or used. The site that is shown stays.
pub(super) fn fail(live: &Sender<Live>, root: &Path, error: &Error) {
    live.send_modify(|live| {
        live.report = Arc::new(Report::default());
        live.is_checked = true;
        live.failure = Some(error.said_below(root).into());
        // Open pages are reloaded, and show a notice that they are outdated.
        live.version += 1;
    });
}
