//! Turns the result of a command into an exit status: 0 for no findings, 1 for findings, 2 for a failed run.

use std::process::ExitCode;

use mimalloc::MiMalloc;
use stepkin::app::cli::{self, Outcome};
use stepkin::base::diagnostic::visible;
use stepkin::output::publish::interrupt;

/// Parsing and rendering allocate many small texts on all threads. With the C library's allocator, that takes a sixth
/// of a build.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let outcome = cli::run();
    if let Some(signal) = interrupt::raised() {
        interrupt::end_by(signal);
    }
    match outcome {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {}", visible(error.to_string()));
            ExitCode::from(2)
        }
    }
}
