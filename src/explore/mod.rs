//! Worlds in Stateright's web explorer, and an index of them.
//!
//! | file | what it is |
//! |---|---|
//! | `form.rs` | the forms in which a world can be walked through: actors, or plain states |
//! | `explored.rs` | a form with names for its actions, states to read and charts of its paths |
//! | `text.rs`, `connections.rs` | a state as text |
//! | `place.rs` | where a run is: positions among the actions of each state |
//! | `world.rs` | conditions to a world that is served |
//! | `index/` | the page with all scenarios and claims, and links that open them |

mod connections;
mod explored;
mod form;
pub mod index;

mod place;
mod text;
mod world;

pub use place::Place;
pub use world::{bounded, NotExplorable, Opened};

#[cfg(test)]
mod tests;
