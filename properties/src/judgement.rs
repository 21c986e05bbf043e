//! What a property says of one event.

use std::fmt;

use crate::{
    ack_truthful, duplicate_answer_truthful, every_batch_decided, gap_rejected, log_is_fold,
    no_duplicate, no_false_failure, partition_order, reject_is_stutter, retry_recognised,
    sequence_per_partition, stale_epoch_rejected,
};

/// The word of one property on one event.
///
/// `Upheld` and `Broken` mean that the property's premise was met: a property that was
/// never anything but `Unconcerned` in a run has said nothing about that run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement<V> {
    /// The event has nothing to do with the property.
    Unconcerned,
    /// The premise was met and the property holds of the event.
    Upheld,
    /// The property is violated, with the witnesses.
    Broken(V),
}

impl<V> Judgement<V> {
    /// `Upheld` if `holds`, else `Broken` with the violation that `violation` makes.
    pub fn from_check(holds: bool, violation: impl FnOnce() -> V) -> Self {
        if holds {
            Judgement::Upheld
        } else {
            Judgement::Broken(violation())
        }
    }

    /// The same judgement with its violation converted.
    pub fn map<W>(self, convert: impl FnOnce(V) -> W) -> Judgement<W> {
        match self {
            Judgement::Unconcerned => Judgement::Unconcerned,
            Judgement::Upheld => Judgement::Upheld,
            Judgement::Broken(violation) => Judgement::Broken(convert(violation)),
        }
    }

    /// Whether the property is violated.
    pub fn is_broken(&self) -> bool {
        matches!(self, Judgement::Broken(_))
    }
}

macro_rules! violations {
    ($($variant:ident($path:ty)),* $(,)?) => {
        /// A violation of any property. Each carries its witnesses and says what is wrong
        /// in one line.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Violation {
            $(
                #[doc = concat!("See [`", stringify!($path), "`].")]
                $variant($path),
            )*
        }

        impl fmt::Display for Violation {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Violation::$variant(violation) => violation.fmt(f),)*
                }
            }
        }

        $(
            impl From<$path> for Violation {
                fn from(violation: $path) -> Self {
                    Violation::$variant(violation)
                }
            }
        )*
    };
}

violations! {
    NoDuplicate(no_duplicate::RecordTwice),
    PartitionOrder(partition_order::OutOfOrder),
    GapRejected(gap_rejected::GapNotRejected),
    RejectIsStutter(reject_is_stutter::RejectionChangedState),
    DuplicateAnswerTruthful(duplicate_answer_truthful::UntruthfulDuplicate),
    AckTruthful(ack_truthful::UntruthfulAck),
    RetryRecognised(retry_recognised::RetryRefused),
    NoFalseFailure(no_false_failure::FailedButWritten),
    EveryBatchDecided(every_batch_decided::Undecided),
    StaleEpochRejected(stale_epoch_rejected::StaleNotRejected),
    LogIsFold(log_is_fold::NotTheFold),
    SequencePerPartition(sequence_per_partition::NotInSequence),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_that_holds_makes_no_violation() {
        let judgement = Judgement::<()>::from_check(true, || panic!("nothing is violated"));
        assert_eq!(judgement, Judgement::Upheld);
    }

    #[test]
    fn a_check_that_fails_carries_its_violation() {
        let judgement = Judgement::from_check(false, || 7);
        assert_eq!(judgement, Judgement::Broken(7));
    }

    #[test]
    fn conversion_touches_the_violation_only() {
        assert_eq!(Judgement::Broken(7).map(|n| n + 1), Judgement::Broken(8));
        assert_eq!(Judgement::Upheld.map(|n: i32| n), Judgement::Upheld);
        assert_eq!(
            Judgement::Unconcerned.map(|n: i32| n),
            Judgement::Unconcerned
        );
    }

    #[test]
    fn only_a_violation_is_broken() {
        assert!(Judgement::Broken(()).is_broken());
        assert!(!Judgement::<()>::Upheld.is_broken());
        assert!(!Judgement::<()>::Unconcerned.is_broken());
    }
}
