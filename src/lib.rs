//! Retryproof answers one question for people who review a broker, a client or a
//! configuration: under which conditions does an idempotent producer write every record
//! exactly once, in order?
//!
//! The answers are machine-checked claims. They come with the default feature `suite`: the
//! command line (`cli`), the evidence that it shows (`evidence`), and the bridge on which a
//! state manager walks beside its specification (`shadow`), on top of the crates
//! `retryproof-models` and `retryproof-properties`.
//!
//! Without default features this is a lean library, what a broker links: [`state_manager`].

#[cfg(feature = "suite")]
pub mod audit;
#[cfg(feature = "suite")]
pub mod cli;
#[cfg(feature = "suite")]
pub mod evidence;
#[cfg(feature = "suite")]
pub mod explore;
#[cfg(feature = "suite")]
pub mod replay;
#[cfg(feature = "suite")]
pub mod shadow;
pub mod state_manager;
