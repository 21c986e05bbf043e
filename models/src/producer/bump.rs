//! The client's loop and its epoch bumps.

use crate::message::Small;
use crate::policies::{Exhausted, Renumbers};

use super::{Producer, ProducerConfig, Reports, Status, Undecided};

impl Producer {
    /// The start of the client's loop: what is unresolved may be resolved now (Java:
    /// `maybeResolveSequences`), and a wanted epoch bump is done
    /// (`bumpIdempotentEpochAndResetIdIfNeeded`).
    pub fn start_loop(&mut self, config: &ProducerConfig, reports: &mut Reports) {
        self.resolve(config);
        if self.bump_wanted && self.may_bump(config) {
            self.bump_to(config, self.epoch + 1, reports);
        }
    }

    /// With nothing left undecided it is clear whether the sequence is what the broker
    /// expects; if it is not, a new epoch is wanted.
    pub fn resolve(&mut self, config: &ProducerConfig) {
        if self.unresolved.is_none() || !self.undecided.is_empty() {
            return;
        }
        self.unresolved = None;
        if !config.is_next(self.last_acked, self.next_sequence) {
            self.want_bump(config, self.next_sequence);
        }
    }

    pub(super) fn want_bump(&mut self, config: &ProducerConfig, from: Small) {
        self.bump_wanted = true;
        if config.policy.renumbers == Renumbers::WhatIsNowhere {
            self.hole = Some(self.hole.map_or(from, |hole| hole.min(from)));
        }
    }

    /// Whether a wanted bump may be done now.
    pub fn may_bump(&self, config: &ProducerConfig) -> bool {
        match config.policy.renumbers {
            Renumbers::AtOnce => true,
            Renumbers::WhatIsNowhere => self.undecided.iter().all(|batch| {
                let may_be_written = self.hole.is_some_and(|hole| batch.sequence < hole);
                batch.status == Status::Queued && !may_be_written
            }),
        }
    }

    /// Goes over to a new epoch: every undecided batch gets a new identity.
    pub fn bump_to(&mut self, config: &ProducerConfig, epoch: Small, reports: &mut Reports) {
        let before = *self;
        self.bump_wanted = false;
        self.unresolved = None;
        self.hole = None;
        if config.policy.renumbers == Renumbers::WhatIsNowhere {
            self.give_up(|batch| batch.maybe_written, reports);
        }
        let exhausted = config.producer_id_of(epoch) != config.producer_id_of(self.epoch);
        self.last_acked = -1;
        match (exhausted, config.policy.exhausted) {
            (true, Exhausted::LosesIdentity) => {
                self.epoch = epoch;
                self.next_sequence = 0;
                for batch in self.undecided.as_mut_slice() {
                    batch.anonymous = true;
                    batch.sequence = 0;
                }
            }
            (true, Exhausted::StaysAtLast) => self.renumber(config),
            (true, Exhausted::RenewsId) | (false, _) => {
                self.epoch = epoch;
                self.renumber(config);
            }
        }
        for batch in self.undecided.as_mut_slice() {
            if batch.status == Status::OnWire {
                batch.status = Status::Rewritten;
            }
        }
        (config.policy.after_bump)(self, &before);
    }

    fn renumber(&mut self, config: &ProducerConfig) {
        (config.policy.renumber)(self);
        let named = self.undecided.iter().filter(|batch| !batch.anonymous);
        self.next_sequence = named.map(Undecided::count).sum();
    }
}
