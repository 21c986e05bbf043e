//! The conditions that are one word out of a few.

macro_rules! kinds {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$doc])* $variant),+
        }

        impl $name {
            /// All of them.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// Name, as the command line takes it.
            pub fn name(self) -> &'static str {
                match self {
                    $($name::$variant => $word),+
                }
            }
        }
    };
}

kinds! {
    /// What the broker knows of the producer at the start.
    ProducerKnown {
        /// Nothing: a new producer id.
        New = "new",
        /// One batch, appended and acknowledged.
        Known = "known",
    }
}

kinds! {
    /// What the in-flight limit is counted per.
    InFlightPer {
        /// The connection to one broker (Apache Kafka: `InFlightRequests`).
        Connection = "connection",
        /// The partition, whichever brokers its batches were sent to.
        Partition = "partition",
        /// The partition, from its lowest undecided batch on, those in between that are
        /// decided already included. So no more batches can be written past an undecided
        /// one than the limit says.
        Span = "span",
    }
}

kinds! {
    /// Which replicas must have a batch before it is acknowledged.
    Acks {
        /// Every replica in sync.
        All = "all",
        /// The leader alone.
        One = "1",
    }
}

kinds! {
    /// Who may become leader.
    Election {
        /// A replica in sync.
        Clean = "clean",
        /// Any replica.
        Unclean = "unclean",
    }
}

kinds! {
    /// How much of the window a restart keeps.
    RestartKeeps {
        /// The whole window: the snapshot holds every batch.
        All = "all",
        /// The newest batch: a snapshot of Apache Kafka (schema version 1).
        Last = "last",
        /// What was there before the newest batch: an older snapshot, without what was
        /// written since (KAFKA-5249). Bounded worlds only.
        AllButNewest = "all-but-newest",
        /// Nothing: the producer is unknown afterwards.
        Nothing = "nothing",
    }
}

kinds! {
    /// By which clock the broker forgets a producer.
    Expiry {
        /// By the timestamps in its records, which the client chooses: at any time
        /// (Apache Kafka on topics with CreateTime).
        ClientTime = "client-time",
        /// By the time since it was last seen: never while a batch of it is undecided or
        /// on its way.
        WallClock = "wall-clock",
    }
}

kinds! {
    /// When a batch is validated (size, timestamps, records).
    Validation {
        /// Before the lookup of duplicates: a retry of a written batch can be refused
        /// (Apache Kafka: `LogValidator` comes before `analyzeAndValidateProducerState`).
        BeforeLookup = "before-lookup",
        /// Only if it is no duplicate.
        AfterLookup = "after-lookup",
    }
}

kinds! {
    /// What comes first in an append: what a failure between the two leaves done.
    AppendOrder {
        /// The batch is written, then the producer state is updated (Apache Kafka since
        /// 1.0.2, KAFKA-6683).
        WriteFirst = "write-first",
        /// The producer state is updated, then the batch is written (Apache Kafka 1.0.0 and
        /// 1.0.1; stores that keep sequences apart from the data).
        StateFirst = "state-first",
        /// The batch is written, but the log end offset moves last, and stays behind on a
        /// failure (Apache Kafka up to 2.2.0, KAFKA-7866).
        EndLast = "end-last",
    }
}

kinds! {
    /// Which producer ids the producers of a world have.
    ProducerIds {
        /// Each its own.
        Own = "own",
        /// All the same one.
        Shared = "shared",
    }
}

kinds! {
    /// What a follower does with what it fetches.
    Replicas {
        /// It takes what the leader wrote (Apache Kafka since 1.0.0, KAFKA-6003).
        Copy = "copy",
        /// It judges the sequences by its own state, and refuses what does not fit.
        Judge = "judge",
    }
}
