//! Client mutants.
use super::Policy;
/// A mutant.
pub struct Mutant { /// policy
 pub policy: &'static Policy }
/// All.
pub const ALL: &[Mutant] = &[];
