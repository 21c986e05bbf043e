//! Retryproof answers one question for people who review a broker, a client or a
//! configuration: under which conditions does an idempotent producer write every record
//! exactly once, in order?
//!
//! The answers are machine-checked claims. They come with the default feature `suite`: the
//! command line (`cli`) and the evidence that it shows (`evidence`), on top of the crates
//! `retryproof-models` and `retryproof-properties`.
//!
//! Without default features this is a lean library that depends on nothing. It is the
//! place of what a broker links; it holds nothing yet.

#[cfg(feature = "suite")]
pub mod cli;
#[cfg(feature = "suite")]
pub mod evidence;
