//! The conditions of a world as flags, one for each. A flag that is not given leaves the
//! value that is there: of Apache Kafka 4.x, or of the claim that was named.

mod extent;
mod faults;
mod size;
mod ways;

use clap::Args;
use retryproof_models::conditions::Conditions;

pub use size::SizeFlags;

use super::Refused;

/// All conditions but in-flight limit and window.
#[derive(Args, Clone, Debug, Default, PartialEq)]
pub struct WorldFlags {
    #[command(flatten)]
    extent: extent::ExtentFlags,
    #[command(flatten)]
    ways: ways::WaysFlags,
    #[command(flatten)]
    faults: faults::FaultFlags,
}

impl WorldFlags {
    /// These conditions with the flags carried out.
    ///
    /// # Errors
    /// If a name is not known, or the conditions make no sense together.
    pub fn apply(&self, base: Conditions) -> Result<Conditions, Refused> {
        let conditions = self.ways.apply(self.extent.apply(base))?;
        let conditions = self.faults.apply(conditions);
        conditions.validate()?;
        Ok(conditions)
    }
}

#[cfg(test)]
mod tests;
