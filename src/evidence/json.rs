//! The shapes of JSON output. They are stable; keys are only ever added.

mod conditions;
mod listing;
mod outcome;
mod trials;

pub use conditions::Conditions;
pub use listing::Listing;
pub use outcome::{Ask, Check, Frontier, Step};
pub use trials::Trials;
