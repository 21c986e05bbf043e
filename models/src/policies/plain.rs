//! Policy **plain**: no producer id, no sequences (enable.idempotence=false).
//!
//! The broker appends whatever arrives; the client retries what was not answered.
//! Retries are sent one behind the other.
//!
//! Source: S2.1, S3.4; Java client with `enable.idempotence=false`.

use super::{lowest_queued, Policy, JAVA_4};

/// See the head of this file.
pub const PLAIN: Policy = Policy {
    name: "plain",
    about: "no idempotence: no producer id, no sequences",
    source: "S2.1, S3.4; enable.idempotence=false",
    idempotent: false,
    pick_retry: lowest_queued,
    ..JAVA_4
};
