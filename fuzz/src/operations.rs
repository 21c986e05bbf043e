//! Bytes read as a list of operations, done by a manager of each profile and by a naive
//! reference beside it. After every operation both must know the same.

mod operation;
mod pair;
mod reference;
mod saved;

use std::num::NonZeroUsize;
use std::time::Duration;

use retryproof::state_manager::Config;

use operation::{Bytes, Operation};
use pair::Pair;

/// Fails if a manager and its reference differ, or the manager panics.
pub fn run(bytes: &[u8]) {
    compare(bytes, |window| window);
}

/// As [`run`], with a reference that keeps another number of batches than the manager: what
/// shows that a difference is noticed.
pub fn compare(bytes: &[u8], window_of_reference: fn(usize) -> usize) {
    for profile in [Config::kafka(), Config::hardened()] {
        let mut bytes = Bytes::new(bytes);
        let config = decode(profile, &mut bytes);
        let mut pair = Pair::new(config, window_of_reference(config.window()));
        let mut number = 0;
        while let Some(operation) = Operation::decode(&mut bytes) {
            pair.perform(&operation);
            pair.compare(&format!("after operation {number}, {operation:?}"));
            number += 1;
        }
    }
}

/// Window and cap; the expiry is short, so that time passes in few bytes.
fn decode(profile: Config, bytes: &mut Bytes<'_>) -> Config {
    let window = bytes.one_of(&[5, 1, 2, 3, 4, 8, 63]);
    let cap = bytes.one_of(&[0, 1, 2, 3]);
    let config = profile
        .with_window(window)
        .and_then(|config| config.with_expiry(Duration::from_millis(100)))
        .expect("possible");
    match NonZeroUsize::new(cap) {
        Some(cap) => config.with_max_producers(cap).expect("possible"),
        None => config,
    }
}
