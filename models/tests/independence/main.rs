//! What is independent of what: the arguments of `docs/why-small-is-enough.md`, tried on every
//! state of small worlds. Each is also tried where it must fail, to see that the trial can.

mod partitions;
mod producers;
mod reach;
mod records;
mod renaming;
