//! Policy **franz-go-1217**: a cancelled record gives its sequence to the next.
//!
//! 1. Batch A is written as sequence 0 and answered with an error that says nothing of it
//!    (REQUEST_TIMED_OUT, NOT_ENOUGH_REPLICAS_AFTER_APPEND), or the connection breaks.
//! 2. While it waits to be sent again, the application cancels it: A failed, and its
//!    sequence is free.
//! 3. Batch B is sent as sequence 0: the broker finds it in its window and answers with A's
//!    offset.
//! 4. B is acknowledged and nowhere; A, told as failed, is in the log.
//!
//! The repair cancels only what cannot be in the log.
//!
//! Source: twmb/franz-go issue 1217, commits 32e1580a and 0c086b05; the option of PR 1235
//! allows it on purpose; known-faults C07, C15.

use crate::policies::{Cancels, Policy, JAVA_4};

/// See the head of this file.
pub const FRANZ_GO_1217: Policy = Policy {
    name: "franz-go-1217",
    about: "java-4, but any batch that waits can be cancelled and gives its sequence away",
    source: "twmb/franz-go issue 1217",
    cancels: Cancels::WhatWaits,
    tracks_fate: true,
    any_length: false,
    ..JAVA_4
};

/// See the head of this file.
pub const FRANZ_GO_1217_REPAIRED: Policy = Policy {
    name: "franz-go-1217-repaired",
    about: "java-4, and a batch that is nowhere can be cancelled and gives its sequence away",
    source: "twmb/franz-go commit 32e1580a",
    cancels: Cancels::WhatIsNowhere,
    ..FRANZ_GO_1217
};
