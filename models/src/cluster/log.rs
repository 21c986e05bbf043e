//! The log of one replica. Every batch holds one record, so a batch's place in it is its
//! offset.

use std::fmt;

use crate::conditions::MAX_BATCHES;
use crate::message::{Request, Small, NO_IDENTITY};
use crate::queue::Queue;

/// The most batches in a log.
pub const MAX_LOG: usize = 16;

/// A log, oldest batch first.
pub type Log = Queue<Entry, MAX_LOG>;

/// One batch in a log.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Entry {
    /// Its record, by which its producer is known (see [`producer_of`]).
    pub record: Small,
    /// Its epoch.
    pub epoch: Small,
    /// Its base sequence.
    pub sequence: Small,
    /// Epoch of the leader that appended it.
    pub leader_epoch: u8,
}

impl Entry {
    /// The batch of a request that a leader of this epoch appends.
    pub fn of(request: &Request, leader_epoch: u8) -> Self {
        Entry {
            record: request.record,
            epoch: request.epoch,
            sequence: request.sequence,
            leader_epoch,
        }
    }

    /// The request in which the batch came.
    pub fn request(&self) -> Request {
        Request {
            epoch: self.epoch,
            sequence: self.sequence,
            record: self.record,
            more: 0,
        }
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}", self.record)?;
        if self.epoch != NO_IDENTITY {
            write!(f, " ({},{})", self.epoch, self.sequence)?;
        }
        match self.leader_epoch {
            0 => Ok(()),
            leader_epoch => write!(f, " by leader {leader_epoch}"),
        }
    }
}

/// The first record of a producer. Records of two producers have numbers of their own, also
/// where the producers share a producer id.
pub fn first_record(producer: usize) -> Small {
    producer as Small * MAX_BATCHES as Small
}

/// Whose record it is.
pub fn producer_of(record: Small) -> usize {
    (record / MAX_BATCHES as Small) as usize
}

/// How many batches from the start two logs have in common.
pub fn common_prefix(one: &Log, other: &Log) -> usize {
    let pairs = one.iter().zip(other.iter());
    pairs.take_while(|(mine, theirs)| mine == theirs).count()
}

/// Cuts a log: what stands at `end` and beyond is gone.
pub fn cut(log: &mut Log, end: usize) {
    while log.len() > end {
        log.remove(log.len() - 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(entries: &[(Small, u8)]) -> Log {
        let mut log = Log::default();
        for (record, leader_epoch) in entries {
            log.push(Entry {
                record: *record,
                leader_epoch: *leader_epoch,
                ..Entry::default()
            });
        }
        log
    }

    #[test]
    fn the_same_record_by_another_leader_is_no_common_entry() {
        let one = log(&[(0, 0), (1, 0), (2, 0)]);
        assert_eq!(common_prefix(&one, &log(&[(0, 0), (1, 1), (2, 0)])), 1);
        assert_eq!(common_prefix(&one, &log(&[(0, 0), (1, 0)])), 2);
    }

    #[test]
    fn a_cut_leaves_what_stands_before_it() {
        let mut cut_log = log(&[(0, 0), (1, 0), (2, 0)]);
        cut(&mut cut_log, 1);
        assert_eq!(cut_log, log(&[(0, 0)]));
        cut(&mut cut_log, 2);
        assert_eq!(cut_log, log(&[(0, 0)]));
    }

    #[test]
    fn a_record_tells_its_producer() {
        for producer in 0..2 {
            let first = first_record(producer);
            assert_eq!(producer_of(first), producer);
            assert_eq!(producer_of(first + MAX_BATCHES as Small - 1), producer);
        }
    }
}
