//! What `frontier` found, in JSON.

use retryproof_models::conditions;
use retryproof_properties::PropertyId;
use serde::Serialize;

use super::Conditions;
use crate::evidence::staircase::Staircase;

/// What `frontier` found.
#[derive(Serialize)]
pub struct Frontier {
    property: &'static str,
    conditions: Conditions,
    any_length: bool,
    turning: String,
    cells: Vec<Cell>,
    seconds: f64,
}

#[derive(Serialize)]
struct Cell {
    in_flight: u8,
    window: u8,
    verdict: &'static str,
    length: Option<usize>,
    states: usize,
}

impl Frontier {
    /// The cells of the worlds that have these conditions but for in-flight limit and
    /// window.
    pub fn new(
        property: PropertyId,
        conditions: &conditions::Conditions,
        staircase: &Staircase,
        seconds: f64,
    ) -> Self {
        Frontier {
            property: property.id(),
            conditions: conditions.into(),
            any_length: conditions.any_length(),
            turning: staircase.turning(property.id()),
            cells: staircase
                .cells()
                .iter()
                .map(|cell| Cell {
                    in_flight: cell.in_flight,
                    window: cell.window,
                    verdict: cell.verdict.name(),
                    length: cell.length,
                    states: cell.states,
                })
                .collect(),
            seconds,
        }
    }
}
