//! In-flight limit and window as flags: the two axes of the frontier.

use clap::Args;
use retryproof_models::broker::MAX_WINDOW;
use retryproof_models::conditions::Conditions;

use super::super::numbers::small;

/// In-flight limit and window.
#[derive(Args, Clone, Debug, Default, PartialEq)]
#[command(next_help_heading = "Size [default: Apache Kafka 4.x]")]
pub struct SizeFlags {
    /// Requests in flight (max.in.flight.requests.per.connection) [5]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = small(1, MAX_WINDOW as u8))]
    in_flight: Option<u8>,
    /// Batches that the broker remembers for each producer [5]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = small(1, MAX_WINDOW as u8))]
    window: Option<u8>,
}

impl SizeFlags {
    /// These conditions with the flags carried out.
    pub fn apply(&self, base: Conditions) -> Conditions {
        Conditions {
            in_flight: self.in_flight.unwrap_or(base.in_flight),
            window: self.window.unwrap_or(base.window),
            ..base
        }
    }
}
