//! The production manager follows the rule that its profile claims: kafka-4 or strict.
//!
//! Every decision that is reachable in the worlds of the headline claims, in all clients'
//! and at every border of in-flight limit and window, is taken by the manager, and so is
//! every other request around every memory that is reached. A second run puts the manager
//! inside the broker of the headline worlds and asks every property of it.

mod decisions;
mod inside;
mod worlds;
