//! Any bytes, read as a list of operations.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| retryproof_fuzz::operations::run(bytes));
