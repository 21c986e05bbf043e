//! Runs of any length: the representative of each class of states that differ only by a
//! shift of their numbers, or in what can no longer matter.
//!
//! Nothing in the protocol depends on absolute numbers. A state is brought to normal form
//! after each step, so that a checker stores and explores representatives only. Field by
//! field (the argument is in `docs/runs-of-any-length.md`, the test in
//! `models/tests/quotient.rs`):
//!
//! - **epochs** shift so that the broker's current epoch is 0;
//! - **sequences** of that epoch shift so that the broker's next expected one is 0;
//!   sequences of a newer epoch start at 0 by themselves;
//! - **ancient requests**, of the current epoch and at or below last − window, and those of
//!   an older epoch can never be appended and are all answered alike. Of an ancient
//!   leftover only this is kept, and whether its record is in the log (an answer may say
//!   so); of a leftover of an older epoch nothing, for it is refused whatever it holds;
//! - **offsets** shift so that the log ends at 0; a reply on its way keeps whether the
//!   offset it names is right;
//! - **the log** keeps the newest batches of the current epoch, as many as the broker
//!   remembers; of the rest only whether a record that may still be written is in it;
//! - **records** that can still be written, answered or reported keep their order and
//!   nothing else: they are numbered from 0.
//!
//! While the broker knows nothing of the producer, or may still forget it, sequences keep
//! their absolute numbers instead, only closer together (`forgetful`).

mod forgetful;

use crate::broker::Broker;
use crate::conditions::{Conditions, Fault, InFlightPer, RestartKeeps};
use crate::ledger::{Ledger, RecordSet};
use crate::message::{
    Place, Request, Small, Word, ANCIENT, SOME_UNWRITTEN_RECORD, SOME_WRITTEN_RECORD,
};
use crate::producer::Producer;
use crate::world::State;

/// How far ahead of the broker's epoch the producer's may be before the search counts as
/// not exhaustive. No world comes near.
const MAX_EPOCH_LEAD: Small = 8;

/// Numbers that are further apart than this say no more than ones that are this far apart.
const FAR: Small = 2;

/// Brings a state to normal form.
pub fn normalise(conditions: &Conditions, state: &mut State) {
    // Before any of the log is forgotten.
    fold_offsets(state);
    let can_forget = can_forget(conditions).next().is_some();
    if can_forget {
        forgetful::fold_written_leftovers(state);
    }
    if !conditions.client.idempotent {
        forget_sequences(state);
    } else if is_forgetful(conditions, state) {
        forget_log(state, conditions.capacity().max(1));
        fold_last_acked(conditions, state);
        forgetful::compress(state);
    } else {
        shift(state);
        let has_gaps = can_forget || has_failures(conditions);
        fold_ancient(conditions, state, has_gaps);
        fold_far_epochs(conditions, state);
        fold_last_acked(conditions, state);
        if has_gaps {
            forget_log(state, conditions.capacity().max(1));
            forgetful::close_up(state);
        }
    }
    forget_log(state, conditions.capacity().max(1));
    renumber_records(state);
    if state.producer.epoch - state.broker.epoch > MAX_EPOCH_LEAD {
        state.ledger.overflow = true;
    }
}

/// The faults of these conditions by which the broker forgets the producer.
fn can_forget(conditions: &Conditions) -> impl Iterator<Item = Fault> + '_ {
    let restart_forgets = conditions.restart_keeps == RestartKeeps::Nothing;
    let forgets = [(Fault::Expiry, true), (Fault::Restart, restart_forgets)];
    forgets
        .into_iter()
        .filter(|(fault, forgets)| *forgets && conditions.has(*fault))
        .map(|(fault, _)| fault)
}

/// Whether the broker may still forget the producer, or knows nothing of it though epochs
/// may have been raised.
fn is_forgetful(conditions: &Conditions, state: &State) -> bool {
    let unknown = !state.broker.known;
    unknown && has_failures(conditions)
        || can_forget(conditions).any(|fault| unknown || state.left.allow(conditions, fault))
}

/// Whether batches can be decided without an acknowledgement, or epochs raised without a
/// batch under them.
fn has_failures(conditions: &Conditions) -> bool {
    conditions.has(Fault::FatalRefusal) || conditions.has(Fault::DeliveryTimeout)
}

/// Epochs newer than the broker's: only their order matters.
fn fold_far_epochs(conditions: &Conditions, state: &mut State) {
    if !has_failures(conditions) || !state.broker.known {
        return;
    }
    let mut newer: u128 = 0;
    let mut note = |epoch: Small| {
        if epoch > 0 {
            newer |= 1 << epoch;
        }
    };
    each_request(state, |request| note(request.epoch));
    note(state.producer.epoch);
    let rank = |epoch: &mut Small| {
        if *epoch > 0 {
            *epoch = (newer & ((1 << *epoch) - 1)).count_ones() as Small + 1;
        }
    };
    each_request(state, |request| rank(&mut request.epoch));
    rank(&mut state.producer.epoch);
}

/// A highest acknowledged sequence that nothing in use follows: how far it lies back says
/// no more.
fn fold_last_acked(conditions: &Conditions, state: &mut State) {
    if !has_failures(conditions) {
        return;
    }
    let producer = &mut state.producer;
    let undecided = producer.undecided.iter().map(|batch| batch.sequence);
    let lowest = undecided
        .filter(|sequence| *sequence != ANCIENT)
        .fold(producer.next_sequence, Small::min);
    producer.last_acked = producer.last_acked.max(lowest - FAR);
}

fn each_request(state: &mut State, mut each: impl FnMut(&mut Request)) {
    let network = &mut state.network;
    for queue in std::iter::once(&mut network.live).chain(&mut network.old) {
        queue.as_mut_slice().iter_mut().for_each(&mut each);
    }
    for held in state.broker.held.as_mut_slice() {
        each(&mut held.request);
    }
}

/// Epochs relative to the broker's, sequences of its epoch relative to its next one.
fn shift(state: &mut State) {
    if !state.broker.known {
        return;
    }
    let epochs = state.broker.epoch;
    let sequences = state.broker.last_sequence + 1;
    let shift_sequence = |epoch: Small, sequence: &mut Small| {
        if epoch == 0 && *sequence != ANCIENT {
            *sequence -= sequences;
        }
    };
    each_request(state, |request| {
        request.epoch -= epochs;
        shift_sequence(request.epoch, &mut request.sequence);
    });
    for entry in state.ledger.tail.as_mut_slice() {
        entry.epoch -= epochs;
        shift_sequence(entry.epoch, &mut entry.sequence);
    }
    let producer = &mut state.producer;
    producer.epoch -= epochs;
    shift_sequence(producer.epoch, &mut producer.next_sequence);
    shift_sequence(producer.epoch, &mut producer.last_acked);
    for sequence in producer.hole.iter_mut().chain(&mut producer.unresolved) {
        shift_sequence(producer.epoch, sequence);
    }
    for batch in producer.undecided.as_mut_slice() {
        shift_sequence(producer.epoch, &mut batch.sequence);
    }
    shift_window(&mut state.broker, sequences);
}

fn shift_window(broker: &mut Broker, sequences: Small) {
    broker.epoch = 0;
    broker.last_sequence -= sequences;
    for cached in broker.window.as_mut_slice() {
        cached.first -= sequences;
        cached.last -= sequences;
    }
}

/// Requests that can never be appended: all of one age are one. Where sequences have gaps
/// (a broker forgot and began anew, batches failed), whatever is not in the window and not
/// beyond the last sequence is.
fn fold_ancient(conditions: &Conditions, state: &mut State, has_gaps: bool) {
    if !state.broker.known {
        return;
    }
    let last = state.broker.last_sequence;
    let first = state.broker.window.iter().next().map(|cached| cached.first);
    let ancient = match (has_gaps, first) {
        (true, first) => first.map_or(last, |first| first - 1),
        (false, _) => last - conditions.window as Small,
    };
    for request in state.network.live.as_mut_slice() {
        fold(request, ancient);
    }
    let ledger = state.ledger;
    for queue in &mut state.network.old {
        for request in queue.as_mut_slice() {
            match fold(request, ancient) {
                Age::Recent => {}
                Age::Ancient if ledger.holds(request.record) => {
                    request.record = SOME_WRITTEN_RECORD;
                }
                Age::Ancient | Age::OlderEpoch => request.record = SOME_UNWRITTEN_RECORD,
            }
        }
    }
    let is_told_apart =
        conditions.in_flight_per == InFlightPer::Span || conditions.has(Fault::DeliveryTimeout);
    if !is_told_apart {
        fold_stuck(&mut state.producer, ancient);
    }
}

/// How old a request is.
enum Age {
    /// It may still be appended, or found in the window.
    Recent,
    /// Of the current epoch, at or below last − window.
    Ancient,
    /// Of an epoch that is over.
    OlderEpoch,
}

fn fold(request: &mut Request, ancient: Small) -> Age {
    if request.epoch < 0 {
        request.epoch = -1;
        request.sequence = 0;
        Age::OlderEpoch
    } else if request.epoch == 0 && request.sequence <= ancient {
        request.sequence = ANCIENT;
        Age::Ancient
    } else {
        Age::Recent
    }
}

/// An undecided batch that later acknowledged ones have left far behind. (One that is
/// next after the highest acknowledged keeps its sequence: the client tells it apart.)
fn fold_stuck(producer: &mut Producer, ancient: Small) {
    if producer.epoch != 0 {
        return;
    }
    if producer.hole.is_some() {
        return;
    }
    let (last_acked, unresolved) = (producer.last_acked, producer.unresolved);
    for batch in producer.undecided.as_mut_slice() {
        let is_told_apart = batch.sequence >= last_acked || unresolved == Some(batch.sequence);
        if batch.sequence <= ancient && !is_told_apart {
            batch.sequence = ANCIENT;
        }
    }
}

/// Without idempotence sequences and epochs are never looked at, and a leftover whose
/// record is written and decided can do nothing but be written again.
fn forget_sequences(state: &mut State) {
    let ledger = state.ledger;
    let undecided = state.producer.undecided;
    for queue in &mut state.network.old {
        for request in queue.as_mut_slice() {
            let is_decided = !undecided.iter().any(|batch| batch.record == request.record);
            if is_decided && ledger.holds(request.record) {
                request.record = SOME_WRITTEN_RECORD;
            }
        }
    }
    each_request(state, |request| {
        request.epoch = 0;
        request.sequence = 0;
    });
    for entry in state.ledger.tail.as_mut_slice() {
        entry.epoch = 0;
        entry.sequence = 0;
    }
    let producer = &mut state.producer;
    producer.next_sequence = 0;
    producer.last_acked = -1;
    for batch in producer.undecided.as_mut_slice() {
        batch.sequence = 0;
    }
}

/// Offsets relative to the log end; in replies whether they are right.
fn fold_offsets(state: &mut State) {
    let ledger = state.ledger;
    for reply in state.network.replies.as_mut_slice() {
        if let Word::Written(Place::At(offset)) = reply.word {
            let right = ledger.holds_at(reply.record, offset);
            reply.word = Word::Written(if right {
                Place::WhereItStands
            } else {
                Place::Elsewhere
            });
        }
    }
    for cached in state.broker.window.as_mut_slice() {
        cached.offset -= ledger.log_end;
    }
    state.ledger.log_end = 0;
}

/// Keeps of the log what the broker remembers of it.
fn forget_log(state: &mut State, keep: usize) {
    let ledger = &mut state.ledger;
    let newest = ledger.tail.as_slice().last();
    let epoch = newest.map_or(state.broker.epoch, |newest| newest.epoch);
    let recent = ledger
        .tail
        .iter()
        .rev()
        .take(keep)
        .take_while(|entry| entry.epoch == epoch)
        .count();
    let forgotten = ledger.tail.len() - recent;
    for entry in &ledger.tail.as_slice()[..forgotten] {
        if entry.record >= 0 {
            ledger.overflow |= !ledger.older.insert(entry.record);
        }
    }
    ledger.tail.drop_oldest(forgotten);
}

/// Numbers the records that can still matter from 0, in order.
fn renumber_records(state: &mut State) {
    let relevant = relevant_records(state);
    let rank = |record: Small| -> Small {
        if record < 0 {
            return record;
        }
        (relevant & ((1 << record) - 1)).count_ones() as Small
    };
    // After most steps they are numbered from 0 without a gap already.
    if relevant & (relevant + 1) != 0 {
        let renumber = |record: &mut Small| *record = rank(*record);
        each_request(state, |request| renumber(&mut request.record));
        for reply in state.network.replies.as_mut_slice() {
            renumber(&mut reply.record);
        }
        for batch in state.producer.undecided.as_mut_slice() {
            renumber(&mut batch.record);
        }
    }
    state.producer.next_record = relevant.count_ones() as Small;
    renumber_ledger(&mut state.ledger, relevant, rank);
}

fn relevant_records(state: &mut State) -> u64 {
    let mut relevant = u64::from(state.ledger.undecided.0);
    let mut add = |record: Small| {
        if record >= 0 {
            relevant |= 1 << record;
        }
    };
    each_request(state, |request| add(request.record));
    for reply in state.network.replies.iter() {
        add(reply.record);
    }
    for batch in state.producer.undecided.iter() {
        add(batch.record);
    }
    relevant
}

fn renumber_ledger(ledger: &mut Ledger, relevant: u64, rank: impl Fn(Small) -> Small) {
    let is_relevant = |record: Small| record >= 0 && relevant & (1 << record) != 0;
    for entry in ledger.tail.as_mut_slice() {
        entry.record = if is_relevant(entry.record) {
            rank(entry.record)
        } else {
            SOME_WRITTEN_RECORD
        };
    }
    let renumber_set = |set: RecordSet| {
        let mut renumbered = RecordSet::default();
        let mut bits = u64::from(set.0) & relevant;
        while bits != 0 {
            renumbered.insert(rank(bits.trailing_zeros() as Small));
            bits &= bits - 1;
        }
        renumbered
    };
    ledger.older = renumber_set(ledger.older);
    ledger.failed = renumber_set(ledger.failed);
    ledger.undecided = renumber_set(ledger.undecided);
    // Only its order to the records that may still be written matters.
    let up_to_highest = if ledger.highest < 0 {
        0
    } else {
        relevant & (u64::MAX >> (63 - ledger.highest))
    };
    ledger.highest = up_to_highest.count_ones() as Small - 1;
}
