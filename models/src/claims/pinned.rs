//! Pinned state counts: the review gate of every world in the registry.
//!
//! A changed count means that the model changed. Whoever changes it on purpose looks at
//! the difference, says why in the commit, and writes the counts anew:
//!
//! ```console
//! $ cargo run --release -p retryproof-models --example pin > target/pinned.txt
//! $ mv target/pinned.txt models/src/claims/pinned.txt
//! ```

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::conditions::Conditions;

/// The counts of one world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pin {
    /// Different states.
    pub unique: usize,
    /// Steps taken, the initial state included.
    pub generated: usize,
}

/// The pinned counts, by the flags of the conditions.
pub static PINNED: LazyLock<HashMap<&'static str, Pin>> =
    LazyLock::new(|| include_str!("pinned.txt").lines().filter_map(pin).collect());

fn pin(line: &'static str) -> Option<(&'static str, Pin)> {
    let mut words = line.splitn(3, ' ');
    let unique = words.next()?.parse().ok()?;
    let generated = words.next()?.parse().ok()?;
    Some((words.next().unwrap_or(""), Pin { unique, generated }))
}

impl Pin {
    /// What is pinned for these conditions.
    pub fn of(conditions: &Conditions) -> Option<Pin> {
        PINNED.get(conditions.flags().as_str()).copied()
    }
}
