//! Any bytes, given to `retryproof audit`.
#![no_main]

#[path = "../src/audit.rs"]
mod audit;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| audit::run(bytes));
