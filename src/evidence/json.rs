//! The shapes of JSON output. They are stable; keys are only ever added.

mod ask;
mod check;
mod conditions;
mod frontier;
mod listing;
mod scenario;
mod states;
mod trials;
mod walks;

pub use ask::Ask;
pub use check::Check;
pub use conditions::Conditions;
pub use frontier::Frontier;
pub use listing::Listing;
pub use scenario::{Scenario, Scenarios};
pub(super) use states::States;
pub use trials::Trials;
