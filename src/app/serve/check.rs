//! Finds what is wrong with the site while pages are answered already.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::sync::watch::Sender;

use super::Live;
use crate::base::diagnostic::Report;
use crate::base::error::Error;
use crate::output::cache::Cache;
use crate::output::pipeline::{self, Options};

/// Before a check takes every core, the author who saved asks for the page.
const HEAD_START: Duration = Duration::from_millis(50);

/// A check that goes on in a thread of its own.
pub(super) struct RunningCheck {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl RunningCheck {
    /// Checks the site as it was last read. `found` is what the stages before have reported.
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
            // It may return early; then the check only begins sooner.
            std::thread::park_timeout(HEAD_START);
            if raised.load(Ordering::Relaxed) {
                return;
            }
            let work = live.borrow().latest().clone();
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

    /// Gives it up, and waits until it has ended.
    pub(super) fn stop(self) {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.thread().unpark();
        // Should it have panicked, there is only a report less.
        _ = self.thread.join();
    }
}

/// Says why the sources below `root` cannot be read or used; what is shown stays up.
pub(super) fn fail(live: &Sender<Live>, root: &Path, error: &Error) {
    live.send_modify(|live| {
        live.report = Arc::new(Report::default());
        live.is_checked = true;
        live.failure = Some(error.said_below(root).into());
        // Open pages are loaded again, and say that they are old.
        live.version += 1;
    });
}
