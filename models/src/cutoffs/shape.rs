//! The shape of a decision: what a broker's rule looked at and said, free of absolute numbers.

use std::cmp::Ordering;

use retryproof_properties::{Answer, BrokerMemory, Decision, Rejection};

/// How the epoch of a request lies to the one that the broker knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EpochIs {
    /// The broker knows nothing of the producer.
    Unknown,
    /// The request carries none.
    Absent,
    /// It is over.
    Older,
    /// It is the current one.
    Current,
    /// It is not known yet.
    Newer,
}

/// How many batches the window holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fill {
    /// So many.
    Batches(usize),
    /// None.
    Empty,
    /// Some, but not as many as it could.
    Partly,
    /// As many as it can.
    Full,
}

/// Where the sequences of a request lie.
///
/// How far a request lies beyond the next sequence or below the window is no part of it: no
/// rule asks for it (`models/tests/quotient.rs` would show one that did).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lies {
    /// Nowhere: there is nothing to compare them with. Whether they start at 0.
    Alone {
        /// They start at 0.
        from_zero: bool,
    },
    /// Right behind the last sequence.
    Next,
    /// Behind a gap.
    Beyond,
    /// Exactly on a batch of the window, counted from the newest, which is 0.
    On(usize),
    /// On a batch of the window, by its place in it.
    OnNewest,
    /// On a batch of the window that is neither the newest nor the oldest.
    OnMiddle,
    /// On the oldest batch of a window of several.
    OnOldest,
    /// At or below the last sequence, on no batch of the window.
    Below,
}

/// What was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answered {
    /// Nothing yet: the request is kept.
    Nothing,
    /// Appended.
    Appended,
    /// A duplicate, and whether its offset is named.
    Duplicate {
        /// The offset is named.
        named: bool,
    },
    /// An error.
    Rejected(Rejection),
}

/// What one decision looked at, and what it was. What befell the request shows in the branch
/// (refused before the rule was asked) or in the answer (an error after an append).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Branch of the rule.
    pub branch: &'static str,
    /// Epoch of the request.
    pub epoch: EpochIs,
    /// Sequences of the request.
    pub lies: Lies,
    /// The window before.
    pub fill: Fill,
    /// What was answered.
    pub answered: Answered,
}

impl Shape {
    /// The shape of a decision by this branch.
    pub fn of<M: BrokerMemory>(branch: &'static str, decision: &Decision<'_, M>) -> Self {
        let memory = decision.before;
        Shape {
            branch,
            epoch: epoch_is(decision),
            lies: lies(decision),
            fill: Fill::Batches(held(memory)),
            answered: answered(decision.answer),
        }
    }

    /// The same without the size of the window, so that windows of different sizes can be
    /// compared: how full it was, and which end of it a batch was found at.
    pub fn of_any_window(self, capacity: usize) -> Self {
        let Fill::Batches(held) = self.fill else {
            return self;
        };
        let fill = match held {
            0 => Fill::Empty,
            held if held >= capacity => Fill::Full,
            _ => Fill::Partly,
        };
        let lies = match self.lies {
            Lies::On(0) => Lies::OnNewest,
            Lies::On(place) if place + 1 == held => Lies::OnOldest,
            Lies::On(_) => Lies::OnMiddle,
            elsewhere => elsewhere,
        };
        Shape { lies, fill, ..self }
    }
}

fn held(memory: &impl BrokerMemory) -> usize {
    let newest_first = (0..).map(|newest| memory.remembered(newest));
    newest_first.take_while(Option::is_some).count()
}

fn epoch_is<M: BrokerMemory>(decision: &Decision<'_, M>) -> EpochIs {
    let Some(identity) = decision.batch.identity else {
        return EpochIs::Absent;
    };
    let Some(current) = decision.before.epoch() else {
        return EpochIs::Unknown;
    };
    match identity.epoch.cmp(&current) {
        Ordering::Less => EpochIs::Older,
        Ordering::Equal => EpochIs::Current,
        Ordering::Greater => EpochIs::Newer,
    }
}

fn lies<M: BrokerMemory>(decision: &Decision<'_, M>) -> Lies {
    let memory = decision.before;
    let Some(identity) = decision.batch.identity else {
        return Lies::Alone { from_zero: false };
    };
    let last = match (epoch_is(decision), memory.last_sequence()) {
        (EpochIs::Current, Some(last)) => last,
        // An epoch that is over is refused, wherever the sequences lie.
        (EpochIs::Older, _) => return Lies::Alone { from_zero: false },
        _ => {
            return Lies::Alone {
                from_zero: identity.first.0 == 0,
            }
        }
    };
    let is_on = |newest: &usize| {
        let batch = memory.remembered(*newest);
        batch.is_some_and(|batch| (batch.first, batch.last) == (identity.first, identity.last))
    };
    match (0..held(memory)).find(is_on) {
        Some(newest) => Lies::On(newest),
        None => match identity.first.0.cmp(&(last.0 + 1)) {
            Ordering::Less => Lies::Below,
            Ordering::Equal => Lies::Next,
            Ordering::Greater => Lies::Beyond,
        },
    }
}

fn answered(answer: Option<Answer>) -> Answered {
    match answer {
        None => Answered::Nothing,
        Some(Answer::Appended { .. }) => Answered::Appended,
        Some(Answer::Duplicate { base }) => Answered::Duplicate {
            named: base.is_some(),
        },
        Some(Answer::Rejected(rejection)) => Answered::Rejected(rejection),
    }
}

#[cfg(test)]
mod tests {
    use retryproof_properties::{
        Batch, Epoch, Identity, Offset, Partition, ProducerId, Record, Sequence,
    };

    use super::*;
    use crate::broker::{Broker, Cached, ObservedMemory};

    /// The shape of a request of this epoch and sequence at a broker in epoch 1 with a window
    /// of three that holds the sequences 4 and 5.
    fn shape(epoch: i64, sequence: i64) -> Shape {
        let mut broker = Broker {
            known: true,
            epoch: 1,
            last_sequence: 5,
            ..Broker::default()
        };
        for first in [4, 5] {
            broker.window.push(Cached {
                first,
                last: first,
                offset: first,
            });
        }
        of_memory(broker, epoch, sequence)
    }

    fn of_memory(broker: Broker, epoch: i64, sequence: i64) -> Shape {
        let memory = ObservedMemory {
            broker,
            capacity: 3,
        };
        let decision = Decision {
            batch: Batch {
                producer: ProducerId(0),
                partition: Partition(0),
                identity: Some(Identity {
                    epoch: Epoch(epoch),
                    first: Sequence(sequence),
                    last: Sequence(sequence),
                }),
                first_record: Record(0),
                count: 1,
            },
            answer: None,
            before: &memory,
            after: &memory,
            log_end_before: Offset(6),
            log_end_after: Offset(6),
        };
        Shape::of("branch", &decision)
    }

    #[test]
    fn a_shape_says_where_the_sequences_lie() {
        let lies = (2..=8).map(|sequence| shape(1, sequence).lies);
        assert!(lies.eq([
            Lies::Below,
            Lies::Below,
            Lies::On(1),
            Lies::On(0),
            Lies::Next,
            Lies::Beyond,
            Lies::Beyond
        ]));
        assert_eq!(shape(1, 6).fill, Fill::Batches(2));
    }

    #[test]
    fn of_another_epoch_only_a_start_at_0_is_told() {
        assert_eq!(shape(0, 5), shape(0, 9));
        assert_eq!(shape(0, 5).epoch, EpochIs::Older);
        assert_eq!(shape(2, 5), shape(2, 9));
        assert_ne!(shape(2, 0), shape(2, 9));
        let unknown = of_memory(Broker::default(), 1, 0);
        assert_eq!(unknown.epoch, EpochIs::Unknown);
        assert_eq!(unknown.lies, Lies::Alone { from_zero: true });
    }

    #[test]
    fn without_the_size_of_the_window_its_ends_remain() {
        let ends = |sequence| {
            let shape = shape(1, sequence).of_any_window(3);
            (shape.lies, shape.fill)
        };
        assert_eq!(ends(4), (Lies::OnOldest, Fill::Partly));
        assert_eq!(ends(5), (Lies::OnNewest, Fill::Partly));
        assert_eq!(ends(6), (Lies::Next, Fill::Partly));
        assert_eq!(shape(1, 6).of_any_window(2).fill, Fill::Full);
        let unknown = of_memory(Broker::default(), 1, 0);
        assert_eq!(unknown.of_any_window(3).fill, Fill::Empty);
    }
}
