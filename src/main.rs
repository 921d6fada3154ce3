//! Turns what a command says into an exit status: 0 clean, 1 findings, 2 the run failed.

use std::process::ExitCode;

use mimalloc::MiMalloc;
use stepkin::app::cli::{self, Outcome};
use stepkin::base::diagnostic::visible;
use stepkin::output::publish::interrupt;

/// Parsing and rendering make and let go of many small texts on all threads; the C library's allocator takes a sixth
/// of a build for that.
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
