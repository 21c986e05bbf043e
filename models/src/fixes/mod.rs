//! What would close the holes: the fixes, alone and together.
//!
//! A fix changes one condition of a world, or one thing about its rule or client. A
//! *disturbance* is one dropped condition of the guarantee: a world with the faults in which
//! its hole shows. [`lattice`] finds, for each disturbance and each property that it breaks,
//! the smallest sets of fixes that make the property hold again.

mod disturbance;
mod fix;
mod lattice;

pub use disturbance::{Disturbance, DISTURBANCES, EVERYTHING};
pub use fix::{Fix, FixSet};
pub use lattice::{lattice, needed, Closing, Lattice};
