//! Conditions in words.

use std::fmt;

use crate::policies::PLAIN;

use super::Conditions;

impl fmt::Display for Conditions {
    /// In-flight and window always, the rest where it differs from Apache Kafka 4.x.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.client == &PLAIN {
            write!(f, "{} in flight", self.in_flight)?;
        } else {
            write!(f, "{} in flight, window {}", self.in_flight, self.window)?;
        }
        for (name, value) in self.changed() {
            if !matches!(name, "in-flight" | "window") {
                write!(f, ", {}", phrase(name, &value))?;
            }
        }
        Ok(())
    }
}

fn phrase(flag: &str, value: &str) -> String {
    match flag {
        "in-flight-per" if value == "span" => "limit counted from the lowest undecided".to_owned(),
        "in-flight-per" => format!("limit counted per {value}"),
        "rule" => format!("rule {value}"),
        "client" => format!("client {value}"),
        "network" => format!("{value} network"),
        "records-per-batch" => format!("{value} records a batch"),
        "second-client" => format!("second client {value}"),
        "producer-ids" => "one producer id for all".to_owned(),
        "acks" => format!("acks={value}"),
        "election" => format!("{value} election"),
        "replicas" => "followers judge".to_owned(),
        "sequence-modulus" => format!("sequences modulo {value}"),
        "max-epoch" => format!("last epoch {value}"),
        "producer-state" => format!("producer {value} to the broker"),
        "restart-keeps" => match value {
            "all" => "restart keeps the whole window".to_owned(),
            _ => format!("restart keeps {value}"),
        },
        "expiry" => "expiry by wall clock".to_owned(),
        "validation" => "validated after the lookup".to_owned(),
        "append-order" => format!("append {value}"),
        "batches" if value == "1" => "1 batch".to_owned(),
        "expiries" if value == "1" => "1 expiry".to_owned(),
        "refusals-before-append" => counted(value, "refusal", "refusals", " before append"),
        "errors-after-append" => counted(value, "error", "errors", " after append"),
        counts => counted(
            value,
            &counts[..counts.len() - 1].replace('-', " "),
            &counts.replace('-', " "),
            "",
        ),
    }
}

/// "1 restart", "2 restarts", "any restarts".
fn counted(value: &str, one: &str, many: &str, rest: &str) -> String {
    let what = if value == "1" { one } else { many };
    format!("{value} {what}{rest}")
}
