//! What the controller knows of a partition: who leads it, and which replicas are in sync.

use std::fmt;

use crate::message::Small;

/// Who leads a partition.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Leadership {
    /// The broker that leads.
    pub leader: u8,
    /// How often the leader changed.
    pub epoch: u8,
    /// Brokers in sync, one bit each.
    in_sync: u8,
    /// The leader's high watermark: what stands below it is in every replica in sync. A
    /// follower knows it with the batches themselves.
    pub high_watermark: Small,
}

impl Leadership {
    /// Broker 0 leads, and all of them are in sync.
    pub fn at_start(brokers: u8) -> Self {
        Leadership {
            in_sync: (1 << brokers) - 1,
            ..Leadership::default()
        }
    }

    /// Whether a broker's replica is in sync.
    pub fn is_in_sync(&self, broker: usize) -> bool {
        self.in_sync & (1 << broker) != 0
    }

    /// A replica is in sync from now on, or no longer.
    pub fn set_in_sync(&mut self, broker: usize, in_sync: bool) {
        match in_sync {
            true => self.in_sync |= 1 << broker,
            false => self.in_sync &= !(1 << broker),
        }
    }

    /// The brokers in sync as bits.
    pub fn in_sync(&self) -> u8 {
        self.in_sync
    }

    /// Another broker, whose log ends at `log_end`, leads from now on. One that was not in
    /// sync is then the only one that is.
    pub fn move_to(&mut self, broker: usize, log_end: Small) {
        if !self.is_in_sync(broker) {
            self.in_sync = 1 << broker;
        }
        self.leader = broker as u8;
        self.epoch += 1;
        self.high_watermark = self.high_watermark.min(log_end);
    }
}

impl fmt::Debug for Leadership {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let in_sync: Vec<_> = (0..8).filter(|broker| self.is_in_sync(*broker)).collect();
        write!(
            f,
            "broker {} in epoch {}, in sync {in_sync:?}, high watermark {}",
            self.leader, self.epoch, self.high_watermark
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clean_move_keeps_who_is_in_sync() {
        let mut leadership = Leadership::at_start(3);
        leadership.move_to(2, 4);
        assert_eq!((leadership.leader, leadership.epoch), (2, 1));
        assert!((0..3).all(|broker| leadership.is_in_sync(broker)));
    }

    #[test]
    fn after_an_unclean_move_the_leader_is_alone() {
        let mut leadership = Leadership::at_start(2);
        leadership.high_watermark = 3;
        leadership.set_in_sync(1, false);
        leadership.move_to(1, 2);
        assert_eq!(leadership.in_sync(), 0b10);
        assert_eq!(leadership.high_watermark, 2);
    }
}
