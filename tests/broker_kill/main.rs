//! The example broker, killed with SIGKILL at random moments while producers write to it.
//!
//! Whatever happens, the log must hold every record once and in order, every answer must be
//! true, and the state that the next start loads must be the fold of the log. The properties
//! themselves judge it; `caught.rs` shows that they would notice.
//!
//! `RETRYPROOF_SEED=… cargo test --test broker_kill` repeats the choices of a run, though not
//! the moment at which a kill strikes.
#![cfg(unix)]

mod broker;
mod caught;
mod connection;
mod damaged;
mod frame;
mod judge;
mod killing;
mod log_file;
mod producer;
mod random;
mod refused;
mod request;
mod state;
mod torn;
