//! The command line `retryproof`.

use std::process::ExitCode;

fn main() -> ExitCode {
    retryproof::cli::run()
}
