//! The normal form while the broker knows nothing of the producer, or may still forget it.
//!
//! A broker without state asks whether a sequence is 0, and may take any request that is
//! left over, however old. So sequences keep their absolute numbers here, and no request is
//! folded. But rules and clients look at sequences by order, equality and direct succession
//! alone, and a producer counts on from its highest number: where two numbers in use are
//! further apart than two, the distance says nothing. It shrinks to two, and so does what
//! lies between epochs. What is left is finite.
//!
//! Of a leftover whose record stands in the log, is decided, was not reported failed and is
//! on its way nowhere else, only that is kept: written again it is a duplicate, whichever
//! record it is.

use crate::message::{Request, Small, ANCIENT, SOME_WRITTEN_RECORD};
use crate::world::State;

use super::{each_request, FAR};

/// Moves epochs, and the sequences of each, closer together; sequences keep their absolute
/// numbers as far as 0 is concerned.
pub(super) fn compress(state: &mut State) {
    let mut epochs = InUse::default();
    each_number(state, |number| epochs.add(*number.epoch));
    let lowest = epochs.lowest();
    let ranks = epochs.closer_to(lowest, 1);
    each_number(state, |number| {
        *number.epoch = ranks.of(*number.epoch) - lowest;
    });
    for epoch in 0..=ranks.of(epochs.highest()) - lowest {
        close_gaps(state, epoch, 0);
    }
}

/// Where the broker has forgotten and cannot forget again: sequences of its epoch are
/// relative to its next one, and those that lie at or below its last one and are not in its
/// window are all alike. What is further apart than two says no more than what is two apart.
pub(super) fn close_up(state: &mut State) {
    close_gaps(state, 0, -1);
    let mut newer = InUse::default();
    each_number(state, |number| newer.add(*number.epoch));
    for epoch in 1..=newer.highest() {
        close_gaps(state, epoch, 0);
    }
}

/// Moves the sequences of an epoch closer to `base`.
fn close_gaps(state: &mut State, epoch: Small, base: Small) {
    let mut sequences = InUse::default();
    each_number(state, |number| {
        if *number.epoch == epoch {
            sequences.add(*number.sequence);
        }
    });
    let closer = sequences.closer_to(base, FAR);
    each_number(state, |number| {
        if *number.epoch == epoch {
            *number.sequence = closer.of(*number.sequence);
        }
    });
}

/// Of leftovers whose records are written and done with keeps only that.
pub(super) fn fold_written_leftovers(state: &mut State) {
    let ledger = state.ledger;
    let network = &mut state.network;
    let answered = network.replies.iter().map(|reply| reply.record);
    let sent = network.live.iter().map(|request| request.record);
    let named: Vec<Small> = answered.chain(sent).collect();
    for request in network.old.iter_mut().flat_map(|old| old.as_mut_slice()) {
        let record = request.record;
        let is_open = ledger.undecided.contains(record)
            || ledger.failed.contains(record)
            || named.contains(&record);
        if !is_open && ledger.holds(record) {
            request.record = SOME_WRITTEN_RECORD;
        }
    }
}

/// A sequence in use and the epoch that it belongs to.
struct Number<'a> {
    epoch: &'a mut Small,
    sequence: &'a mut Small,
}

/// Shows every sequence in use with its epoch. What stands for several sequences of one
/// epoch is shown for each of them, the epoch as a copy but for the last.
fn each_number(state: &mut State, mut each: impl FnMut(Number<'_>)) {
    each_request(
        state,
        |Request {
             epoch, sequence, ..
         }| {
            each(Number { epoch, sequence });
        },
    );
    for entry in state.ledger.tail.as_mut_slice() {
        each(Number {
            epoch: &mut entry.epoch,
            sequence: &mut entry.sequence,
        });
    }
    let producer = &mut state.producer;
    let undecided = producer.undecided.as_mut_slice().iter_mut();
    let perhaps = producer.hole.iter_mut().chain(&mut producer.unresolved);
    for sequence in undecided
        .map(|batch| &mut batch.sequence)
        .chain(perhaps)
        .chain([&mut producer.last_acked])
    {
        each(Number {
            epoch: &mut producer.epoch.clone(),
            sequence,
        });
    }
    each(Number {
        epoch: &mut producer.epoch,
        sequence: &mut producer.next_sequence,
    });
    let broker = &mut state.broker;
    if broker.known {
        for cached in broker.window.as_mut_slice() {
            for sequence in [&mut cached.first, &mut cached.last] {
                each(Number {
                    epoch: &mut broker.epoch.clone(),
                    sequence,
                });
            }
        }
        each(Number {
            epoch: &mut broker.epoch,
            sequence: &mut broker.last_sequence,
        });
    }
}

/// How many small numbers there are.
const ALL_SMALL: usize = 1 << Small::BITS;

fn index(number: Small) -> usize {
    (i16::from(number) - i16::from(Small::MIN)) as usize
}

/// The numbers that are in use, as a set.
struct InUse([bool; ALL_SMALL]);

impl Default for InUse {
    fn default() -> Self {
        InUse([false; ALL_SMALL])
    }
}

impl InUse {
    /// Adds a number; one that stands for many is none.
    fn add(&mut self, number: Small) {
        if number != ANCIENT {
            self.0[index(number)] = true;
        }
    }

    fn contains(&self, number: Small) -> bool {
        self.0[index(number)]
    }

    fn lowest(&self) -> Small {
        (Small::MIN..=Small::MAX)
            .find(|number| self.contains(*number))
            .unwrap_or_default()
    }

    fn highest(&self) -> Small {
        (Small::MIN..=Small::MAX)
            .rev()
            .find(|number| self.contains(*number))
            .unwrap_or_default()
    }

    /// The numbers moved towards `base`, which stays, until no gap is wider than `gap`.
    fn closer_to(&self, base: Small, gap: Small) -> Closer {
        let mut closer = Closer([0; ALL_SMALL]);
        closer.0[index(base)] = base;
        closer.move_closer(self, base + 1..=Small::MAX, base, gap);
        closer.move_closer(self, (Small::MIN..=base - 1).rev(), base, gap);
        closer
    }
}

/// Where each number in use moves to.
struct Closer([Small; ALL_SMALL]);

impl Closer {
    fn move_closer(
        &mut self,
        in_use: &InUse,
        numbers: impl Iterator<Item = Small>,
        base: Small,
        gap: Small,
    ) {
        let mut before = (base, base);
        for number in numbers.filter(|number| in_use.contains(*number)) {
            let (old, new) = before;
            let moved = new + (number - old).clamp(-gap, gap);
            self.0[index(number)] = moved;
            before = (number, moved);
        }
    }

    fn of(&self, number: Small) -> Small {
        match number {
            ANCIENT => ANCIENT,
            _ => self.0[index(number)],
        }
    }
}
