//! What the production manager says and knows, in the specification's plain numbers.

use retryproof_models::specification::{Answer, ErrorName, Producer, State};

use crate::state_manager::{BatchView, ProducerStateManager, ProducerView, Rejection, Sequence};

/// All that can be observed of a manager.
pub(super) fn observed(manager: &ProducerStateManager) -> State {
    let producers = manager.active_producers();
    producers
        .map(|view| (view.producer_id().get(), producer(&view)))
        .collect()
}

fn producer(view: &ProducerView<'_>) -> Producer {
    Producer {
        epoch: view.epoch().get().into(),
        last_timestamp: view.last_timestamp().get(),
        batches: view.batches().map(batch).collect(),
    }
}

fn batch(batch: BatchView) -> [i64; 4] {
    // A batch without sequences is a coordinator's, and no operation writes those.
    let number = |sequence: Option<Sequence>| sequence.map_or(-1, |known| known.get().into());
    [
        number(batch.first_sequence),
        number(batch.last_sequence),
        batch.first_offset.get(),
        batch.last_offset.get(),
    ]
}

/// A refusal as the specification names it.
pub(super) fn refusal(rejection: &Rejection) -> Answer {
    Answer::Error(match rejection {
        Rejection::InvalidRecord(_) => ErrorName::InvalidRecord,
        Rejection::OutOfOrderSequence { .. } => ErrorName::OutOfOrderSequenceNumber,
        Rejection::StaleEpoch { .. } => ErrorName::InvalidProducerEpoch,
        Rejection::OpenTransaction { .. } => ErrorName::InvalidTxnState,
        Rejection::CoordinatorFenced { .. } => ErrorName::TransactionCoordinatorFenced,
    })
}
