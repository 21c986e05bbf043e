//! Which properties depend on the window.

use retryproof_properties::PropertyId;

/// Properties that more in flight than the window breaks, under java-4 and kafka-4.
pub const BORDER: &[PropertyId] = &[PropertyId::NoDuplicate, PropertyId::RetryRecognised];

/// Properties that hold on both sides of the border.
pub const REST: &[PropertyId] = &[
    PropertyId::PartitionOrder,
    PropertyId::GapRejected,
    PropertyId::RejectIsStutter,
    PropertyId::DuplicateAnswerTruthful,
    PropertyId::AckTruthful,
    PropertyId::NoFalseFailure,
    PropertyId::EveryBatchDecided,
    PropertyId::StaleEpochRejected,
    PropertyId::LogIsFold,
    PropertyId::SequencePerPartition,
];
