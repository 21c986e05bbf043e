//! What a broker is promised by the producer state manager.

mod check;
mod commit;
mod eviction;
mod expiry;
mod markers;
mod observability;
mod reload;
mod replica;
mod support;
mod window;
