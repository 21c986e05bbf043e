//! Where the numbers of a model lie among those of Apache Kafka.
//!
//! Records, offsets and partitions are the same. A world in which epochs run out or sequences
//! wrap begins so close to the end of Kafka's that both run out at the same place. The
//! observer's numbers, to which everything is brought that is compared, are the model's: epochs count
//! on when a new producer id takes over, sequences across the wrap.

use retryproof_models::conditions::Conditions;
use retryproof_properties::{Epoch, Identity, Sequence};

/// The last epoch of a producer id (an int16).
const LAST_EPOCH: i64 = i16::MAX as i64;
/// How many sequences there are.
const SEQUENCES: i64 = 1 << 31;

/// Where a world's numbers lie.
#[derive(Clone, Debug)]
pub struct Numbers {
    max_epoch: Option<i64>,
    modulus: Option<i64>,
    /// Producer ids in the order in which they came up.
    ids: Vec<i64>,
    /// How many of them there were at the start.
    at_start: usize,
}

/// The epoch of a producer id that nobody was given.
const NOBODYS: i64 = i64::MIN;

impl Numbers {
    /// Those of the world of these conditions, in which clients begin with these producer
    /// ids.
    pub fn of(conditions: &Conditions, ids: &[i64]) -> Self {
        let mut numbers = Numbers {
            max_epoch: conditions.max_epoch.map(i64::from),
            modulus: conditions.sequence_modulus.map(i64::from),
            ids: Vec::new(),
            at_start: 0,
        };
        for id in ids {
            numbers.index_of(*id);
        }
        numbers.at_start = numbers.ids.len();
        numbers
    }

    /// The first epoch in Kafka's numbers.
    pub fn first_epoch(conditions: &Conditions) -> i64 {
        conditions
            .max_epoch
            .map_or(0, |last| LAST_EPOCH - i64::from(last))
    }

    /// The first sequence in Kafka's numbers.
    pub fn first_sequence(conditions: &Conditions) -> i64 {
        conditions
            .sequence_modulus
            .map_or(0, |modulus| SEQUENCES - i64::from(modulus))
    }

    /// A producer id as a number from 0: how many came up before it.
    pub fn index_of(&mut self, pid: i64) -> usize {
        match self.ids.iter().position(|known| *known == pid) {
            Some(index) => index,
            None => {
                self.ids.push(pid);
                self.ids.len() - 1
            }
        }
    }

    /// An epoch in the observer's numbers.
    pub fn epoch(&mut self, pid: i64, epoch: i64) -> i64 {
        let index = self.index_of(pid) as i64;
        match self.max_epoch {
            // Only where epochs run out is there a new id.
            None if index >= self.at_start as i64 => NOBODYS,
            Some(last) if index == 0 => epoch - (LAST_EPOCH - last),
            Some(last) => index * (last + 1) + epoch,
            None => epoch,
        }
    }

    /// A sequence in the observer's numbers; `epoch` too. What is negative is no sequence.
    pub fn sequence(&self, epoch: i64, sequence: i64) -> i64 {
        let Some(modulus) = self.modulus else {
            return sequence;
        };
        let first = SEQUENCES - modulus;
        match sequence {
            // Only the first epoch begins near the wrap.
            _ if epoch != 0 || sequence < 0 => sequence,
            // The one before the first, too: nothing is acknowledged yet.
            _ if sequence >= first - 1 => sequence - first,
            _ => sequence + modulus,
        }
    }

    /// What names a batch of so many records, in the observer's numbers; `None` if it has no
    /// producer id.
    pub fn identity(
        &mut self,
        pid: i64,
        epoch: i64,
        base: i64,
        records: usize,
    ) -> Option<Identity> {
        if pid < 0 {
            return None;
        }
        let epoch = self.epoch(pid, epoch);
        let first = self.sequence(epoch, base);
        Some(Identity {
            epoch: Epoch(epoch),
            first: Sequence(first),
            last: Sequence(first + records as i64 - 1),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(conditions: Conditions) -> Numbers {
        Numbers::of(&conditions, &[100])
    }

    #[test]
    fn without_an_end_the_numbers_are_the_same() {
        let mut numbers = numbers(Conditions::KAFKA);
        let identity = numbers.identity(100, 3, 7, 2);
        assert_eq!(
            identity,
            Some(Identity {
                epoch: Epoch(3),
                first: Sequence(7),
                last: Sequence(8)
            })
        );
        assert_eq!(numbers.identity(-1, -1, -1, 1), None);
    }

    #[test]
    fn epochs_run_out_at_the_same_place_and_count_on() {
        let conditions = Conditions {
            max_epoch: Some(1),
            ..Conditions::KAFKA
        };
        assert_eq!(Numbers::first_epoch(&conditions), 32766);
        let mut numbers = numbers(conditions);
        let epochs = [(100, 32766), (100, 32767), (101, 0), (101, 1)];
        let seen = epochs.map(|(pid, epoch)| numbers.epoch(pid, epoch));
        assert_eq!(seen, [0, 1, 2, 3]);
    }

    #[test]
    fn sequences_wrap_at_the_same_place_and_count_on() {
        let conditions = Conditions {
            sequence_modulus: Some(4),
            ..Conditions::KAFKA
        };
        let first = Numbers::first_sequence(&conditions);
        assert_eq!(first, 2_147_483_644);
        let numbers = numbers(conditions);
        let seen = [first, i64::from(i32::MAX), 0, 1].map(|real| numbers.sequence(0, real));
        assert_eq!(seen, [0, 3, 4, 5]);
        assert_eq!(numbers.sequence(1, 0), 0);
        assert_eq!(numbers.sequence(0, -1), -1);
    }
}
