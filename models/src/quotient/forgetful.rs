//! The normal form while the broker knows nothing of the producer, or may still forget it.
//!
//! A broker without state asks whether a sequence is 0, and may take any request that is
//! left over, however old. So sequences keep their absolute numbers here, and no request is
//! folded. But rules and clients look at sequences by order, equality and direct succession
//! alone, and a producer counts on from its highest number: where two numbers in use are
//! further apart than two, the distance says nothing. It shrinks to two, and so does what
//! lies between epochs. What is left is finite.
//!
//! Of a leftover whose record stands in the log, is decided and was not reported failed,
//! only that is kept: written again it is a duplicate, whichever record it is.

use crate::message::{Request, Small, SOME_WRITTEN_RECORD};
use crate::world::State;

use super::{each_request, FAR};

/// Brings the numbers of a state to normal form.
pub(super) fn compress(state: &mut State) {
    let mut epochs = InUse::default();
    each_number(state, |number| epochs.add(*number.epoch));
    let ranks = epochs.with_gaps_of_at_most(1);
    each_number(state, |number| *number.epoch = ranks.of(*number.epoch));
    for epoch in 0..ranks.len() {
        let mut sequences = InUse::default();
        sequences.add(0);
        each_number(state, |number| {
            if *number.epoch == epoch {
                sequences.add(*number.sequence);
            }
        });
        let closer = sequences.with_gaps_of_at_most(FAR);
        each_number(state, |number| {
            if *number.epoch == epoch {
                *number.sequence = closer.of(*number.sequence);
            }
        });
    }
}

/// Of leftovers whose records are written and done with keeps only that.
pub(super) fn fold_written_leftovers(state: &mut State) {
    let ledger = state.ledger;
    for queue in &mut state.network.old {
        for request in queue.as_mut_slice() {
            let record = request.record;
            let is_open = ledger.undecided.contains(record) || ledger.failed.contains(record);
            if !is_open && ledger.holds(record) {
                request.record = SOME_WRITTEN_RECORD;
            }
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

/// The numbers from 0 that are in use, as a set.
#[derive(Default)]
struct InUse(u128);

impl InUse {
    /// Adds a number; one below 0 is no number and stays what it is.
    fn add(&mut self, number: Small) {
        if number >= 0 {
            self.0 |= 1 << number;
        }
    }

    /// The numbers moved closer together, from 0 on.
    fn with_gaps_of_at_most(&self, gap: Small) -> Closer {
        let mut closer = Closer {
            moved: [-1; Small::MAX as usize + 1],
            next: 0,
        };
        let mut before = None;
        let mut left = self.0;
        while left != 0 {
            let number = left.trailing_zeros() as Small;
            left &= left - 1;
            let moved = match before {
                None => 0,
                Some((old, new)) => new + gap.min(number - old),
            };
            closer.moved[number as usize] = moved;
            closer.next = moved + 1;
            before = Some((number, moved));
        }
        closer
    }
}

/// Where each number in use moves to.
struct Closer {
    moved: [Small; Small::MAX as usize + 1],
    next: Small,
}

impl Closer {
    fn of(&self, number: Small) -> Small {
        match usize::try_from(number) {
            Ok(index) => self.moved[index],
            Err(_) => number,
        }
    }

    /// The first number that none was moved to or beyond.
    fn len(&self) -> Small {
        self.next
    }
}
