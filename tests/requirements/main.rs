//! `docs/requirements.toml`: what carries each statement of the sources exists, and what does
//! not would be noticed.

mod broken;
mod checkout;
mod ours;
