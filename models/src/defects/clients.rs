//! Faults of other clients.

use retryproof_properties::PropertyId::*;

use crate::conditions::{Budget, Conditions, ProducerKnown};
use crate::policies::published::{
    FLUSS_354, FRANZ_GO_1217, FRANZ_GO_1217_REPAIRED, LIBRDKAFKA_3712, LIBRDKAFKA_3712_REPAIRED,
    LIBRDKAFKA_3720, LIBRDKAFKA_4438, LIBRDKAFKA_4736, LIBRDKAFKA_4953, SARAMA_1070, SARAMA_1430,
    SARAMA_1430_REPAIRED, SARAMA_3354,
};
use crate::policies::{MODULAR, STOP};
use crate::rules::STRICT;

use super::worlds::{ONE, TWO_PARTITIONS};
use super::{Defect, Exhibit};

/// A batch is refused for good, and there is no epoch but the first.
const LAST_EPOCH: Conditions = Conditions {
    max_epoch: Some(0),
    fatal_refusals: Budget::ONE,
    batches: Budget::AtMost(3),
    ..ONE
};

/// A batch is refused before anything is done.
const REFUSED: Conditions = Conditions {
    refusals_before_append: Budget::ONE,
    batches: Budget::AtMost(3),
    ..ONE
};

/// The application cancels a batch of which an answer said nothing.
const CANCELLED: Conditions = Conditions {
    errors_after_append: Budget::ONE,
    cancellations: Budget::ONE,
    batches: Budget::AtMost(2),
    ..ONE
};

/// The application cancels a batch that was on a broken connection.
const CANCELLED_AFTER_DISCONNECT: Conditions = Conditions {
    disconnects: Budget::ONE,
    cancellations: Budget::ONE,
    batches: Budget::AtMost(2),
    ..ONE
};

/// A batch runs out of time.
const TIMEOUT: Conditions = Conditions {
    delivery_timeouts: Budget::ONE,
    batches: Budget::AtMost(1),
    ..ONE
};

/// One batch of two records, and a connection that breaks.
const TWO_RECORDS: Conditions = Conditions {
    records_per_batch: 2,
    disconnects: Budget::ONE,
    batches: Budget::AtMost(1),
    ..ONE
};

/// Two batches, and a connection that breaks.
const DISCONNECT: Conditions = Conditions {
    disconnects: Budget::ONE,
    batches: Budget::AtMost(2),
    ..ONE
};

/// The broker forgets a producer, and then takes only 0 from it.
const FORGOTTEN: Conditions = Conditions {
    rule: &STRICT,
    producer_state: ProducerKnown::Known,
    expiries: Budget::ONE,
    batches: Budget::AtMost(2),
    ..ONE
};

/// A batch of one partition is written and its answer lost; one of the other is refused for
/// good.
const OTHER_WRITTEN: Conditions = Conditions {
    batches: Budget::AtMost(1),
    errors_after_append: Budget::ONE,
    fatal_refusals: Budget::ONE,
    in_flight: 2,
    window: 2,
    ..TWO_PARTITIONS
};

pub(super) const DEFECTS: &[Defect] = &[
    Defect {
        id: "librdkafka-3720",
        entry: Some("B27"),
        product: "librdkafka; sarama before PR 2178; Dekaf",
        title: "after the last epoch the client counts from 0 in the last epoch again",
        source: "known-faults B27; confluentinc/librdkafka issue 3720, IBM/sarama PR 2178",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                client: &LIBRDKAFKA_3720,
                ..LAST_EPOCH
            },
            caught_by: &[AckTruthful, DuplicateAnswerTruthful],
            repaired: Conditions {
                client: &MODULAR,
                ..LAST_EPOCH
            },
        },
    },
    Defect {
        id: "librdkafka-4953",
        entry: Some("C05"),
        product: "librdkafka before PR 4972",
        title: "out of order on one partition renumbers the written batch of another",
        source: "known-faults C05; confluentinc/librdkafka issue 4953, PR 4972",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                client: &LIBRDKAFKA_4953,
                ..OTHER_WRITTEN
            },
            caught_by: &[NoDuplicate],
            repaired: OTHER_WRITTEN,
        },
    },
    Defect {
        id: "librdkafka-3712",
        entry: Some("C06"),
        product: "librdkafka before PR 3672",
        title: "a partition that is made again counts from 0 under the same epoch",
        source: "known-faults C06; confluentinc/librdkafka issue 3712, PR 3672",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                client: &LIBRDKAFKA_3712,
                ..REFUSED
            },
            caught_by: &[AckTruthful, DuplicateAnswerTruthful],
            repaired: Conditions {
                client: &LIBRDKAFKA_3712_REPAIRED,
                ..REFUSED
            },
        },
    },
    Defect {
        id: "franz-go-1217",
        entry: Some("C07"),
        product: "franz-go before 32e1580a",
        title: "a cancelled record gives its sequence to the next, though it may be written",
        source: "known-faults C07; twmb/franz-go issue 1217",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                client: &FRANZ_GO_1217,
                ..CANCELLED
            },
            caught_by: &[AckTruthful, DuplicateAnswerTruthful, NoFalseFailure],
            repaired: Conditions {
                client: &FRANZ_GO_1217_REPAIRED,
                ..CANCELLED
            },
        },
    },
    Defect {
        id: "librdkafka-2163",
        entry: Some("C08"),
        product: "librdkafka before PR 2188",
        title: "a message that expires in flight leaves a gap, which is fatal",
        source: "known-faults C08; confluentinc/librdkafka issue 2163, PR 2188",
        exhibit: Exhibit::NoProperty {
            reason: "the client stops and tells every record truthfully as failed or unknown; that it serves on is asked by no property",
        },
    },
    Defect {
        id: "librdkafka-4438",
        entry: Some("C09"),
        product: "librdkafka before PR 4438",
        title: "\"possibly persisted\" counts as persisted",
        source: "known-faults C09; confluentinc/librdkafka PR 4438",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                client: &LIBRDKAFKA_4438,
                ..TIMEOUT
            },
            caught_by: &[AckTruthful],
            repaired: Conditions {
                client: &STOP,
                ..TIMEOUT
            },
        },
    },
    Defect {
        id: "librdkafka-4736",
        entry: Some("C10"),
        product: "librdkafka before PR 4750",
        title: "a retry is cut at other boundaries, and its refusal is fatal",
        source: "known-faults C10; confluentinc/librdkafka issue 4736, PR 4750",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                client: &LIBRDKAFKA_4736,
                ..TWO_RECORDS
            },
            caught_by: &[RetryRecognised, NoFalseFailure],
            repaired: Conditions {
                client: &STOP,
                ..TWO_RECORDS
            },
        },
    },
    Defect {
        id: "sarama-1070",
        entry: None,
        product: "sarama",
        title: "a retry is cut at other boundaries, and written again in a new epoch",
        source: "known-faults C10; IBM/sarama issue 1070",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                client: &SARAMA_1070,
                ..TWO_RECORDS
            },
            caught_by: &[NoDuplicate, RetryRecognised],
            repaired: TWO_RECORDS,
        },
    },
    Defect {
        id: "sarama-1430",
        entry: Some("C11"),
        product: "sarama before PR 1661",
        title: "a send that failed has used up its sequence",
        source: "known-faults C11; IBM/sarama issue 1430, PR 1661",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                client: &SARAMA_1430,
                ..REFUSED
            },
            caught_by: &[EveryBatchDecided, GapRejected, SequencePerPartition],
            repaired: Conditions {
                client: &SARAMA_1430_REPAIRED,
                ..REFUSED
            },
        },
    },
    Defect {
        id: "sarama-3354",
        entry: Some("C12"),
        product: "sarama before PR 3362",
        title: "what leaves the retry buffer has no sequence of its own, and the field reads 0",
        source: "known-faults C12; IBM/sarama issue 3354, PR 3362",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                client: &SARAMA_3354,
                ..DISCONNECT
            },
            caught_by: &[AckTruthful, DuplicateAnswerTruthful, RetryRecognised, EveryBatchDecided],
            repaired: DISCONNECT,
        },
    },
    Defect {
        id: "franz-go-226",
        entry: Some("C14"),
        product: "franz-go before v1.9, aiokafka, sarama",
        title: "a signed counter goes below 0 after the last sequence",
        source: "known-faults C14; twmb/franz-go issue 226, PR 227",
        exhibit: Exhibit::NoProperty {
            reason: "a negative sequence is INVALID_RECORD: every record from then on fails and is told so; that a producer serves on is asked by no property",
        },
    },
    Defect {
        id: "franz-go-1235",
        entry: Some("C15"),
        product: "franz-go with the option of PR 1235",
        title: "a record is cancelled after a disconnect by the application's choice",
        source: "known-faults C15; twmb/franz-go PR 1235, PR 781",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                client: &FRANZ_GO_1217,
                ..CANCELLED_AFTER_DISCONNECT
            },
            caught_by: &[AckTruthful, DuplicateAnswerTruthful, NoFalseFailure],
            repaired: Conditions {
                client: &FRANZ_GO_1217_REPAIRED,
                ..CANCELLED_AFTER_DISCONNECT
            },
        },
    },
    Defect {
        id: "platformatic-309",
        entry: Some("C18"),
        product: "platformatic/kafka before PR 310; kafka-python",
        title: "a fatal error does not clear the producer id, so every later send fails",
        source: "known-faults C18; platformatic/kafka issue 309, PR 310, dpkp/kafka-python PR 2843",
        exhibit: Exhibit::NoProperty {
            reason: "every later record fails and is told so; that a producer serves on is asked by no property",
        },
    },
    Defect {
        id: "fluss-354",
        entry: Some("N02"),
        product: "Fluss",
        title: "a reset of the writer loses what waits to be sent again",
        source: "known-faults N02; apache/fluss issues 354 and 1163",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                client: &FLUSS_354,
                ..FORGOTTEN
            },
            caught_by: &[EveryBatchDecided],
            repaired: FORGOTTEN,
        },
    },
];
