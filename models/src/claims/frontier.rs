//! A3: every pair of in-flight limit and window from 1 to 8.
//!
//! With one dead connection these worlds are small; that two do not move the border is
//! claimed in tier deep, and for 5 and 6 in flight by the headline claims.

use retryproof_properties::PropertyId;

use crate::broker::MAX_WINDOW;
use crate::conditions::Conditions;

use super::{Claim, BORDER, REST};

pub(super) fn claims() -> Vec<Claim> {
    let sizes = 1..=MAX_WINDOW as u8;
    let pairs = sizes
        .clone()
        .flat_map(|in_flight| sizes.clone().map(move |window| (in_flight, window)));
    pairs
        .flat_map(|(in_flight, window)| {
            let mut claims = cell(in_flight, window, 2, "");
            let deep = cell(in_flight, window, 3, "-two-dead-connections");
            claims.extend(deep.into_iter().map(Claim::deep));
            claims
        })
        .collect()
}

fn cell(in_flight: u8, window: u8, connections: u8, suffix: &str) -> Vec<Claim> {
    let conditions = Conditions {
        in_flight,
        window,
        connections,
        ..Conditions::KAFKA
    };
    let id = format!("frontier-{in_flight}-{window}");
    let source = "kafka-facts Q1: safe iff in flight ≤ window";
    if in_flight <= window {
        return vec![Claim::holds(
            format!("{id}-holds{suffix}"),
            "A3",
            format!("{in_flight} in flight are safe with a window of {window}"),
            conditions,
            PropertyId::ALL,
        )
        .from(source)];
    }
    vec![
        Claim::refuted(
            format!("{id}-breaks{suffix}"),
            "A3",
            format!("{in_flight} in flight are safe with a window of {window}"),
            conditions,
            BORDER,
        )
        .from(source),
        Claim::holds(
            format!("{id}-keeps-the-rest{suffix}"),
            "A3",
            format!(
                "{in_flight} in flight with a window of {window} keep order, truthful answers and \
                 the end of every retry"
            ),
            conditions,
            REST,
        )
        .from(source),
    ]
}
