//! A difference with all that one needs to see it again.

use std::fmt;

use retryproof_models::specification::{Operation, Settings};
use serde::Serialize;

use super::cases::Case;
use super::walk::Difference;

/// A difference and the operations that lead to it, its own included. Shown as a person
/// reads it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Found {
    /// The difference, after the last of the operations.
    #[serde(flatten)]
    pub difference: Difference,
    /// The operations.
    pub operations: Vec<Operation>,
}

impl Found {
    /// The operations as a case, with the answers and states of the specification under these
    /// settings: in JSON, what `retryproof shadow --cases` reads.
    pub fn case(&self, settings: &Settings) -> Case {
        Case::specified(&self.difference.case, settings, &self.operations)
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let difference = &self.difference;
        writeln!(f, "{}, step {}", difference.case, difference.step)?;
        writeln!(f, "  operation {}", json(&difference.operation)?)?;
        writeln!(f, "  expected  {}", json(&difference.expected)?)?;
        write!(f, "  got       {}", json(&difference.got)?)?;
        for (at, line) in difference.violations().iter().enumerate() {
            let head = if at == 0 { "violates" } else { "" };
            write!(f, "\n  {head:8}  {line}")?;
        }
        Ok(())
    }
}

fn json(value: &impl Serialize) -> Result<String, fmt::Error> {
    serde_json::to_string(value).map_err(|_| fmt::Error)
}
