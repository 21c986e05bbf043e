//! What sort of operation it is.

use retryproof_models::specification::Operation;

/// The kind of an operation, as JSON names it.
pub fn kind(operation: &Operation) -> &'static str {
    match operation {
        Operation::Append { .. } => "append",
        Operation::Plain { .. } => "plain",
        Operation::Marker { .. } => "marker",
        Operation::Reload { .. } => "reload",
        Operation::Snapshot => "snapshot",
        Operation::Truncate { .. } => "truncate",
        Operation::DeleteRecords { .. } => "delete_records",
        Operation::Expire { .. } => "expire",
        Operation::Roll => "roll",
        Operation::Retention => "retention",
        Operation::Recreate => "recreate",
    }
}
