//! The registry of properties: their ids, their statements, and one door to judge by all.

use std::fmt;
use std::str::FromStr;

use crate::{
    ack_truthful, duplicate_answer_truthful, every_batch_decided, gap_rejected, log_is_fold,
    no_duplicate, no_false_failure, partition_order, reject_is_stutter, retry_recognised,
    sequence_per_partition, stale_epoch_rejected, BrokerMemory, Event, History, Judgement,
    Violation,
};

macro_rules! properties {
    ($($variant:ident => $module:ident),* $(,)?) => {
        /// A property by name. The ids are stable: reports and claims cite them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum PropertyId {
            $(
                #[doc = concat!("See [`", stringify!($module), "`](crate::", stringify!($module), ").")]
                $variant,
            )*
        }

        impl PropertyId {
            /// All properties.
            pub const ALL: &'static [PropertyId] = &[$(PropertyId::$variant),*];

            /// The stable id, as in `no-duplicate`.
            pub fn id(self) -> &'static str {
                match self {
                    $(PropertyId::$variant => $module::ID,)*
                }
            }

            /// The property in one sentence.
            pub fn statement(self) -> &'static str {
                match self {
                    $(PropertyId::$variant => $module::STATEMENT,)*
                }
            }

            /// Where the property comes from.
            pub fn source(self) -> &'static str {
                match self {
                    $(PropertyId::$variant => $module::SOURCE,)*
                }
            }

            /// Judges one event in the light of the history before it.
            #[inline]
            pub fn judge<H: History, M: BrokerMemory>(
                self,
                history: &H,
                event: &Event<'_, M>,
            ) -> Judgement<Violation> {
                match self {
                    $(PropertyId::$variant => $module::judge(history, event).map(Violation::from),)*
                }
            }
        }
    };
}

properties! {
    NoDuplicate => no_duplicate,
    PartitionOrder => partition_order,
    GapRejected => gap_rejected,
    RejectIsStutter => reject_is_stutter,
    DuplicateAnswerTruthful => duplicate_answer_truthful,
    AckTruthful => ack_truthful,
    RetryRecognised => retry_recognised,
    NoFalseFailure => no_false_failure,
    EveryBatchDecided => every_batch_decided,
    StaleEpochRejected => stale_epoch_rejected,
    LogIsFold => log_is_fold,
    SequencePerPartition => sequence_per_partition,
}

impl PropertyId {
    /// Position in [`PropertyId::ALL`], for tables and bit sets.
    pub fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for PropertyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// No property has this id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownProperty(pub String);

impl fmt::Display for UnknownProperty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no property is called \"{}\"", self.0)
    }
}

impl std::error::Error for UnknownProperty {}

impl FromStr for PropertyId {
    type Err = UnknownProperty;

    fn from_str(id: &str) -> Result<Self, Self::Err> {
        PropertyId::ALL
            .iter()
            .copied()
            .find(|property| property.id() == id)
            .ok_or_else(|| UnknownProperty(id.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::testing::{appended, log, plain, truncated};
    use crate::{Offset, Record};

    #[test]
    fn ids_are_unique() {
        let ids: BTreeSet<_> = PropertyId::ALL
            .iter()
            .map(|property| property.id())
            .collect();
        assert_eq!(ids.len(), PropertyId::ALL.len());
    }

    #[test]
    fn ids_are_kebab_case() {
        for property in PropertyId::ALL {
            let words_are_lower_case = property.id().split('-').all(|word| {
                !word.is_empty() && word.chars().all(|letter| letter.is_ascii_lowercase())
            });
            assert!(words_are_lower_case, "{property}");
        }
    }

    #[test]
    fn an_id_is_the_name_of_its_variant() {
        for property in PropertyId::ALL {
            let name = property.id().replace('-', "");
            assert_eq!(format!("{property:?}").to_lowercase(), name);
        }
    }

    #[test]
    fn every_id_is_read_back() {
        for property in PropertyId::ALL {
            assert_eq!(property.to_string().parse(), Ok(*property));
        }
    }

    #[test]
    fn an_unknown_id_is_named_in_the_error() {
        for unknown in ["exactly-once", "", "No-Duplicate", "no-duplicate "] {
            let error = unknown.parse::<PropertyId>();
            assert_eq!(error, Err(UnknownProperty(unknown.to_owned())));
        }
        assert_eq!(
            UnknownProperty("exactly-once".to_owned()).to_string(),
            "no property is called \"exactly-once\""
        );
    }

    #[test]
    fn the_index_is_the_position_in_all() {
        for (position, property) in PropertyId::ALL.iter().enumerate() {
            assert_eq!(property.index(), position);
        }
    }

    #[test]
    fn statements_are_distinct_single_sentences_and_sources_are_named() {
        let mut statements = BTreeSet::new();
        for property in PropertyId::ALL {
            let statement = property.statement();
            assert!(statements.insert(statement), "{property}");
            assert!(statement.ends_with('.'), "{property}");
            assert_eq!(statement.matches(". ").count(), 0, "{property}");
            assert!(!statement.contains('\n'), "{property}");
            assert!(!property.source().is_empty(), "{property}");
        }
    }

    #[test]
    fn a_cut_log_is_the_business_of_acknowledgements_alone() {
        let log = log(&[plain(0, 2)]);
        for property in PropertyId::ALL {
            let expected = match property {
                PropertyId::AckTruthful => Judgement::Upheld,
                _ => Judgement::Unconcerned,
            };
            assert_eq!(property.judge(&log, &truncated(0)), expected, "{property}");
        }
    }

    #[test]
    fn the_one_door_gives_the_judgement_of_the_property_itself() {
        let log = log(&[plain(0, 1)]);
        let again = appended(plain(0, 1), 1);
        let violation = no_duplicate::RecordTwice {
            record: Record(0),
            again_at: Offset(1),
        };
        assert_eq!(
            PropertyId::NoDuplicate.judge(&log, &again),
            Judgement::Broken(Violation::NoDuplicate(violation.clone()))
        );
        assert_eq!(
            Violation::from(violation.clone()).to_string(),
            violation.to_string()
        );
        assert_eq!(PropertyId::LogIsFold.judge(&log, &again), Judgement::Upheld);
        assert_eq!(
            PropertyId::PartitionOrder.judge(&log, &again),
            Judgement::Unconcerned
        );
    }
}
