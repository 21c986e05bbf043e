//! Any bytes, given to the snapshot readers.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| retryproof_fuzz::snapshots::run(bytes));
