//! The cluster: up to three brokers, two partitions and two producers, in bounded runs.
//!
//! It is put together from the same parts as the world with one broker ([`crate::world`]):
//! a [`Producer`](crate::producer::Producer) is one producer's one partition, a
//! [`Broker`](crate::broker::Broker) one producer's state at one replica, and what is
//! appended is a [`Rule`](crate::rules::Rule)'s decision. New here are replicas that follow
//! a leader, leaders that move, and producers with one epoch for several partitions.
//!
//! What is taken for granted, so that the space stays small:
//!
//! - A request holds one batch for one partition, and a batch one record.
//! - A follower fetches one batch at a time, from the true leader; only what the leader
//!   itself may answer hangs on how far followers are. A leader knows at once how far its
//!   followers are, and they know its high watermark.
//! - The log of a partition, as properties see it, is that of its true leader. What a
//!   deposed leader still appends is in nobody's log.
//! - A new leader knows at once that it leads. Everyone else learns it some time later, and
//!   goes back to the common part of the logs then.

mod action;
mod choices;
mod client;
mod history;
mod leadership;
mod link;
mod log;
mod model;
mod observer;
mod replica;
mod state;
mod step;
mod words;

pub use action::{Action, Lane, Seat};
pub use client::{Client, Outcomes};
pub use history::{own_number, Notes, Seen};
pub use leadership::Leadership;
pub use link::{Answer, Connection, Link, Links, Parcel, Pipe, Waiting, MAX_WAITING};
pub use log::{producer_of, Entry, Log, MAX_LOG};
pub use model::ClusterWorld;
pub use replica::Replica;
pub use state::{Shape, State};

use crate::conditions::{MAX_BROKERS, MAX_LANES};

/// The most producers, and the most partitions.
pub const LANES: usize = MAX_LANES as usize;
/// The most brokers.
pub const BROKERS: usize = MAX_BROKERS as usize;
