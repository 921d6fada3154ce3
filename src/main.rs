//! Turns what a command says into an exit status: 0 clean, 1 findings, 2 the run failed.

use std::process::ExitCode;

use stepkin::cli::{self, Outcome};

fn main() -> ExitCode {
    match cli::run() {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
