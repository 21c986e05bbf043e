//! Rule **inkless-252**: a duplicate is looked for among all batches that the epoch ever
//! wrote.
//!
//! 1. Sequences wrap: after 2³¹ records a new batch has the range of an old one.
//! 2. The broker finds the old one: "no error", with the old offset.
//! 3. The new record is acknowledged and written nowhere.
//!
//! "Ever" is as many batches here as a broker can hold; worlds must send no more.
//!
//! Source: aiven/inkless PR 252, issue 120; known-faults I01.

use crate::broker::MAX_WINDOW;
use crate::rules::{Rule, KAFKA_4};

/// See the head of this file.
pub const INKLESS_252: Rule = Rule {
    name: "inkless-252",
    about: "kafka-4, but the window is the whole history",
    source: "aiven/inkless before PR 252",
    capacity: |_window| MAX_WINDOW,
    any_length: false,
    ..KAFKA_4
};
