//! Rule mutants.
use super::Rule;
/// A mutant.
pub struct Mutant { /// rule
 pub rule: &'static Rule }
/// All.
pub const ALL: &[Mutant] = &[];
