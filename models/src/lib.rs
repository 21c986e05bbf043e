//! Models of an idempotent producer, a network and a broker, the claims about them, and
//! checking that can be trusted.

pub mod actors;
pub mod broker;
mod bytes;
pub mod checking;
pub mod claims;
pub mod cluster;
pub mod conditions;
pub mod cutoffs;
pub mod defects;
pub mod fixes;
pub mod ledger;
pub mod message;
pub mod mutants;
pub mod network;
pub mod policies;
pub mod producer;
pub mod queue;
pub mod quotient;
pub mod rules;
pub mod scenarios;
pub mod specification;
pub mod world;
