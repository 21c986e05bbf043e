//! Why a broker decided a request as it did, in numbers.

use retryproof_models::broker::{Broker, DOES_NOT_VALIDATE, REFUSED_BEFORE, TOO_LARGE};
use retryproof_models::checking::{Run, Trace};
use retryproof_models::cluster::{self, producer_of, ClusterWorld, Seat};
use retryproof_models::conditions::{Conditions, ProducerIds};
use retryproof_models::message::{Request, Sequences, Small};
use retryproof_models::world::FlatWorld;
use retryproof_properties::Answer;

use crate::evidence::seen::Seen;
use crate::evidence::story::wire;

use super::super::{one_broker, Memory};
use super::changes_of_memory;

/// A request, and what the broker knew before and after it.
struct Taken {
    conditions: Conditions,
    request: Request,
    before: Broker,
    after: Broker,
    /// Log end offset before.
    log_end: usize,
    seen: Seen,
}

/// Why the request of a step was decided as it was; none if none was decided in it.
pub fn in_step(run: &Run, index: usize) -> Option<String> {
    let taken = match run {
        Run::OneBroker(trace) => at_one_broker(trace, index),
        Run::Cluster(trace) => in_cluster(trace, index),
    }?;
    Some(taken.reason())
}

fn at_one_broker(trace: &Trace<FlatWorld>, index: usize) -> Option<Taken> {
    let step = trace.steps.get(index)?;
    let (slot, _) = step.action.delivered()?;
    let before = trace.before(index);
    let request = before.network.request(slot);
    let id = |epoch| wire::producer_id(&trace.conditions, epoch);
    // With a new producer id the state of the one before stands apart.
    let is_retired = before.broker.known && id(request.epoch) < id(before.broker.epoch);
    let memory = |state: &retryproof_models::world::State| match is_retired {
        true => state.retired,
        false => state.broker,
    };
    Some(Taken {
        conditions: trace.conditions,
        request,
        before: memory(before),
        after: memory(&step.after),
        log_end: before.ledger.log_end as usize,
        seen: Seen::in_step(trace, index),
    })
}

fn in_cluster(trace: &Trace<ClusterWorld>, index: usize) -> Option<Taken> {
    let step = trace.steps.get(index)?;
    let cluster::Action::Deliver {
        producer,
        connection,
        ..
    } = step.action
    else {
        return None;
    };
    let before = trace.before(index);
    let links = &before.links[producer];
    let parcel = links.pipe(connection).next()?;
    let seat = Seat {
        broker: links.broker(connection),
        partition: parcel.partition.into(),
    };
    if !before.replica(seat).leads {
        return None;
    }
    let id = match trace.conditions.producer_ids {
        ProducerIds::Own => producer_of(parcel.request.record),
        ProducerIds::Shared => 0,
    };
    Some(Taken {
        conditions: trace.conditions,
        request: parcel.request,
        before: before.replica(seat).memory[id],
        after: step.after.replica(seat).memory[id],
        log_end: before.replica(seat).log.len(),
        seen: Seen::in_step(trace, index),
    })
}

impl Taken {
    fn reason(&self) -> String {
        let outcome = self.outcome();
        if !self.conditions.is_idempotent() || !self.request.has_identity() {
            return format!("no sequence to compare → {outcome}");
        }
        if let Some(REFUSED_BEFORE | DOES_NOT_VALIDATE | TOO_LARGE) = self.seen.branch {
            return format!("sequences are not looked at → {outcome}");
        }
        let (before, after) = (self.memory(&self.before), self.memory(&self.after));
        let changes = match changes_of_memory(&before, &after) {
            changes if changes.is_empty() => "what it remembers stays".to_owned(),
            changes => changes,
        };
        format!("{} → {outcome}; {changes}", self.relation(&before))
    }

    fn memory(&self, broker: &Broker) -> Memory {
        one_broker::memory(&self.conditions, "", broker, &|record| format!("r{record}"))
    }

    fn on_wire(&self, sequence: Small) -> Small {
        wire::on_wire(&self.conditions, sequence)
    }

    /// How the request stands to what the broker remembers.
    fn relation(&self, memory: &Memory) -> String {
        let sequence = self.on_wire(self.request.sequence);
        let epoch = self.request.epoch;
        let number = |epoch| wire::epoch_number(&self.conditions, epoch);
        if !self.before.known {
            return format!("producer unknown, seq {sequence}");
        }
        if epoch > self.before.epoch {
            let (own, known) = (number(epoch), number(self.before.epoch));
            return format!("epoch {own} > {known}, seq {sequence}");
        }
        if epoch < self.before.epoch {
            let (own, known) = (number(epoch), number(self.before.epoch));
            return format!("epoch {own} < {known}");
        }
        self.relation_in_epoch(sequence, memory)
    }

    fn relation_in_epoch(&self, sequence: Small, memory: &Memory) -> String {
        let last_sequence = self.on_wire(self.request.last_sequence());
        let found = memory
            .window
            .iter()
            .find(|known| (known.first, known.last) == (sequence, last_sequence));
        if let Some(found) = found {
            return format!(
                "seq {sequence} is in the window, at offset {}",
                found.offset
            );
        }
        let window = match memory.window_in_words() {
            Some(window) => format!("the window holds {window}"),
            None => "the window is empty".to_owned(),
        };
        let sequences = Sequences::modulo(self.conditions.sequence_modulus);
        let last = self.before.last_sequence;
        let known = self.on_wire(last);
        if sequences.follows(last, self.request.sequence) {
            match sequence == known.saturating_add(1) {
                true => format!("seq {sequence} = last {known} + 1"),
                false => format!("seq {sequence} comes after {known}, the last there is"),
            }
        } else if sequences.is_beyond(self.request.sequence, last) {
            let missing = self.on_wire(last.saturating_add(1));
            format!("seq {sequence} > last {known} + 1: seq {missing} is missing")
        } else {
            format!("seq {sequence} ≤ last {known}, and {window}")
        }
    }

    fn outcome(&self) -> String {
        let refused = match self.seen.answer {
            Some(Answer::Rejected(error)) => Some(error.to_string()),
            _ => None,
        };
        match (self.seen.appended.len(), self.seen.answer, refused) {
            (1, _, None) => format!("append at offset {}", self.log_end),
            (1, _, Some(error)) => format!("append at offset {}, answer {error}", self.log_end),
            (2.., _, _) => format!("append at offset {} and what was kept", self.log_end),
            (0, Some(Answer::Duplicate { base: Some(base) }), _) => {
                format!("no append, answer offset {}", base.0)
            }
            (0, _, Some(error)) => format!("no append, answer {error}"),
            (0, None, _) if self.after.held != self.before.held => "kept for later".to_owned(),
            // What a leader says that is none any more is not the partition's word.
            (0, None, _) => "no append".to_owned(),
            (0, Some(_), None) => "no append, answer without an offset".to_owned(),
        }
    }
}
