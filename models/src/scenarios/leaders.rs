//! Leaders that move.

use crate::conditions::{Acks, Budget, Conditions, InFlightPer, ProducerKnown};

use super::{Act, Scenario};

/// Two brokers that know the producer; one leads, the other copies.
const TWO_BROKERS: Conditions = Conditions {
    in_flight: 2,
    window: 2,
    connections: 2,
    batches: Budget::AtMost(3),
    brokers: 2,
    producer_state: ProducerKnown::Known,
    disconnects: Budget::ONE,
    leader_moves: Budget::ONE,
    ..Conditions::KAFKA
};

/// The limit counts from the lowest undecided batch on, so that what a wider one does is
/// left out.
const SPAN: Conditions = Conditions {
    in_flight_per: InFlightPer::Span,
    ..TWO_BROKERS
};

/// One clean failover, and nothing breaks.
pub const CLEAN_FAILOVER: Scenario = Scenario {
    id: "clean-failover",
    title: "A clean failover: the new leader recognises the retry",
    shows: "The leader of a partition goes away, and a replica that has copied its log takes over. It has the \
            producer's numbers too, for they are written with the batches. It recognises the batch that it copied, \
            writes the one that it did not, and each record stands in the log once.",
    source: "S1.10; kafka-facts H11",
    claims: &["clean-failover"],
    acts: &[Act {
        title: "",
        conditions: SPAN,
        before: &[],
        steps: &[
            "producer sends r1",
            "producer sends r2",
            "b0 takes r1",
            "b1 copies r1",
            "b0 takes r2",
            "b1 becomes leader",
            "producer learns who leads",
            "connection to b0 breaks",
            "producer sends r1 again",
            "b1 takes r1",
            "producer reads answer to r1 from b1",
            "producer sends r2 again",
            "b1 takes r2",
            "b0 learns who leads",
            "b0 copies r2",
            "producer reads answer to r2 from b1",
        ],
    }],
};

/// The limit is per connection, the window per partition.
pub const LEADER_MOVE: Scenario = Scenario {
    id: "leader-move",
    title: "A leader move: the limit is per connection, the memory per partition",
    shows: "Two batches may be in flight and the broker remembers two. When the leader moves, the client has a \
            connection to each broker and the limit counts for each by itself: three batches are undecided at \
            once. The oldest falls out of the new leader's memory, its retry looks out of order, and the client \
            starts to number anew.",
    source: "kafka-facts H2",
    claims: &["leader-move-small", "leader-move-limit-from-the-lowest"],
    acts: &[Act {
        title: "",
        conditions: Conditions {
            batches: Budget::AtMost(4),
            disconnects: Budget::AtMost(2),
            ..TWO_BROKERS
        },
        before: &[],
        steps: &[
            "producer sends r1",
            "producer sends r2",
            "b0 takes r1",
            "b1 copies r1",
            "b0 takes r2",
            "b1 copies r2",
            "b1 becomes leader",
            "producer learns who leads",
            "producer sends r3",
            "connection to b0 breaks",
            "b1 takes r3",
            "connection to b1 breaks",
            "producer sends r1 again",
            "b1 takes r1",
            "producer reads answer to r1 from b1",
            "producer sends r1 again",
            "b1 takes r1",
        ],
    }],
};

/// A clean failover while the producer is new.
pub const FAILOVER_OF_A_NEW_PRODUCER: Scenario = Scenario {
    id: "failover-of-a-new-producer",
    title: "The leader moves while a producer is new",
    shows: "A new leader that has never heard of a producer takes whatever number comes first. The first batch is \
            on its way to the old leader, the second reaches the new one and is written. Now the first is late, \
            and after a new count both are written behind it.",
    source: "docs/findings.md d; kafka-facts H3",
    claims: &["failover-of-a-new-producer", "failover-of-a-new-producer-4.5"],
    acts: &[Act {
        title: "",
        conditions: Conditions {
            producer_state: ProducerKnown::New,
            ..SPAN
        },
        before: &[],
        steps: &[
            "producer sends r0",
            "b0 takes r0",
            "b1 becomes leader",
            "producer learns who leads",
            "producer sends r1",
            "b1 takes r1",
            "connection to b1 breaks",
            "b0 falls out of sync",
            "b0 learns who leads",
            "producer reads answer to r0 from b0",
            "producer sends r0 again",
            "b1 takes r0",
            "producer reads answer to r0 from b1",
            "producer sends r0 again",
            "b1 takes r0",
            "producer reads answer to r0 from b1",
            "producer sends r1 again",
            "b1 takes r1",
        ],
    }],
};

/// A broker that leads no more, and does not know it.
pub const DEPOSED_LEADER: Scenario = Scenario {
    id: "deposed-leader",
    title: "The word of a leader that is none any more",
    shows: "The leader moves away and back, and the broker in between does not hear of it. It cannot write for \
            anybody, but it can still refuse. The client believes its refusal, starts to number anew, and sends \
            to the true leader a record that stands there already.",
    source: "docs/findings.md c; known-faults R02",
    claims: &["deposed-leader-judges", "deposed-leader-and-a-hardened-client"],
    acts: &[Act {
        title: "",
        conditions: Conditions {
            leader_moves: Budget::AtMost(2),
            ..SPAN
        },
        before: &[],
        steps: &[
            "producer sends r1",
            "producer sends r2",
            "b0 takes r1",
            "b1 becomes leader",
            "producer learns who leads",
            "b0 becomes leader",
            "b1 falls out of sync",
            "b0 takes r2",
            "producer reads answer to r1 from b0",
            "connection to b0 breaks",
            "producer sends r2 again",
            "producer learns who leads",
            "b1 takes r2",
            "producer reads answer to r2 from b1",
            "producer sends r2 again",
            "b0 takes r2",
        ],
    }],
};

/// An acknowledgement of the leader alone.
pub const ACKS_1: Scenario = Scenario {
    id: "acks-1",
    title: "acks=1: an acknowledged record is lost",
    shows: "With acks=1 the leader acknowledges a record as soon as it has written it itself. Another broker, which \
            has not copied it yet, becomes leader. The application was told that the record is in the log, and it \
            is not. With acks=all the answer would have waited for the copy.",
    source: "S1.8",
    claims: &["acks-1", "acks-all-real"],
    acts: &[
        Act {
            title: "acks=1",
            conditions: Conditions {
                acks: Acks::One,
                ..SPAN
            },
            before: &[],
            steps: &[
                "producer sends r1",
                "b0 takes r1",
                "producer reads answer to r1 from b0",
                "b1 becomes leader",
            ],
        },
        Act {
            title: "acks=all",
            conditions: SPAN,
            before: &[],
            steps: &[
                "producer sends r1",
                "b0 takes r1",
                "b1 copies r1",
                "producer reads answer to r1 from b0",
                "b1 becomes leader",
            ],
        },
    ],
};
