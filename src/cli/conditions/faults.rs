//! The budgets of faults as flags.

use clap::Args;
use retryproof_models::conditions::{Budget, Conditions, MAX_DISCONNECTS, MAX_FAULTS};

use super::super::numbers::budget;

/// How often each fault may happen.
#[derive(Args, Clone, Debug, Default, PartialEq)]
#[command(next_help_heading = "Faults: how often each may happen [default: Apache Kafka 4.x]")]
pub struct FaultFlags {
    /// The connection breaks [any]
    #[arg(long, value_name = "N|any", allow_negative_numbers = true, value_parser = budget(0, MAX_DISCONNECTS))]
    disconnects: Option<Budget>,
    /// A broker restarts [0]
    #[arg(long, value_name = "N|any", allow_negative_numbers = true, value_parser = budget(0, MAX_FAULTS))]
    restarts: Option<Budget>,
    /// Another replica becomes leader [0]
    #[arg(long, value_name = "N|any", allow_negative_numbers = true, value_parser = budget(0, MAX_FAULTS))]
    leader_moves: Option<Budget>,
    /// A broker forgets a producer [0]
    #[arg(long, value_name = "N|any", allow_negative_numbers = true, value_parser = budget(0, MAX_FAULTS))]
    expiries: Option<Budget>,
    /// A batch is refused (NOT_ENOUGH_REPLICAS) [0]
    #[arg(long, value_name = "N|any", allow_negative_numbers = true, value_parser = budget(0, MAX_FAULTS))]
    refusals_before_append: Option<Budget>,
    /// A batch is written and answered with an error [0]
    #[arg(long, value_name = "N|any", allow_negative_numbers = true, value_parser = budget(0, MAX_FAULTS))]
    errors_after_append: Option<Budget>,
    /// A batch is refused for good (INVALID_RECORD) [0]
    #[arg(long, value_name = "N|any", allow_negative_numbers = true, value_parser = budget(0, MAX_FAULTS))]
    fatal_refusals: Option<Budget>,
    /// A batch runs out of time (delivery.timeout.ms) [0]
    #[arg(long, value_name = "N|any", allow_negative_numbers = true, value_parser = budget(0, MAX_FAULTS))]
    delivery_timeouts: Option<Budget>,
    /// The application cancels a batch [0]
    #[arg(long, value_name = "N|any", allow_negative_numbers = true, value_parser = budget(0, MAX_FAULTS))]
    cancellations: Option<Budget>,
    /// An append fails between its two steps [0]
    #[arg(long, value_name = "N|any", allow_negative_numbers = true, value_parser = budget(0, MAX_FAULTS))]
    append_failures: Option<Budget>,
}

impl FaultFlags {
    /// These conditions with the flags carried out.
    pub fn apply(&self, base: Conditions) -> Conditions {
        Conditions {
            disconnects: self.disconnects.unwrap_or(base.disconnects),
            restarts: self.restarts.unwrap_or(base.restarts),
            leader_moves: self.leader_moves.unwrap_or(base.leader_moves),
            expiries: self.expiries.unwrap_or(base.expiries),
            refusals_before_append: self
                .refusals_before_append
                .unwrap_or(base.refusals_before_append),
            errors_after_append: self.errors_after_append.unwrap_or(base.errors_after_append),
            fatal_refusals: self.fatal_refusals.unwrap_or(base.fatal_refusals),
            delivery_timeouts: self.delivery_timeouts.unwrap_or(base.delivery_timeouts),
            cancellations: self.cancellations.unwrap_or(base.cancellations),
            append_failures: self.append_failures.unwrap_or(base.append_failures),
            ..base
        }
    }
}
