//! The kinds of findings: which property each is about, what it means, what to check next.

use retryproof_properties::PropertyId;

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum About {
    /// A property of the specification.
    Property(PropertyId),
    /// A batch is whole: its checksum is right and its numbers fit each other.
    BatchIntact,
    /// All replicas of a partition hold the same batches.
    ReplicasAgree,
}

impl About {
    /// The stable id, that of the property if it is one.
    pub fn id(self) -> &'static str {
        match self {
            About::Property(property) => property.id(),
            About::BatchIntact => "batch-intact",
            About::ReplicasAgree => "replicas-agree",
        }
    }
}

macro_rules! kinds {
    ($($(#[$about:meta])* $kind:ident($property:expr) {
        title: $title:literal, means: $means:literal, check: $check:literal $(,)?
    })*) => {
        /// A kind of finding.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Kind {
            $($(#[$about])* $kind,)*
        }

        impl Kind {
            /// All kinds, in the order in which they are shown.
            pub const ALL: &'static [Kind] = &[$(Kind::$kind,)*];

            /// What it is about.
            pub fn about(self) -> About {
                match self { $(Kind::$kind => $property,)* }
            }

            /// The kind in a few words.
            pub fn title(self) -> &'static str {
                match self { $(Kind::$kind => $title,)* }
            }

            /// What it means, in a sentence or two.
            pub fn means(self) -> &'static str {
                match self { $(Kind::$kind => $means,)* }
            }

            /// What to check next.
            pub fn check(self) -> &'static str {
                match self { $(Kind::$kind => $check,)* }
            }
        }
    };
}

const fn property(property: PropertyId) -> About {
    About::Property(property)
}

kinds! {
    /// Sequences stand in the log twice in one epoch.
    Duplicate(property(PropertyId::NoDuplicate)) {
        title: "written twice",
        means: "Sequences that stand in the log already were appended again under the same epoch: \
                a retry that the broker did not recognise, or a producer that began to count anew \
                under its old epoch.",
        check: "Compare the payloads of both places. If they are equal, consumers read the records \
                twice: look for a restart, a leader move or an expiry of producer ids between the two. \
                If they differ, the client reuses sequences.",
    }
    /// A first copy behind records that were sent after it.
    Late(property(PropertyId::PartitionOrder)) {
        title: "out of order",
        means: "Records were first written after records with higher sequences of the same producer: \
                consumers read them in another order than they were sent.",
        check: "Find out who led the partition at both places, and what the broker knew of the \
                producer then; a broker that forgot it takes any sequence.",
    }
    /// Sequences are missing in the middle.
    Gap(property(PropertyId::SequencePerPartition)) {
        title: "sequences missing",
        means: "The sequences of the producer's epoch do not follow on, and no offset is missing where \
                the others could have stood: a broker took a batch that it must refuse.",
        check: "Ask the producer what became of the missing sequences: if they were acknowledged, \
                records are lost. Look for a broker that lost its producer state before this batch.",
    }
    /// The first sequences of an epoch are missing.
    FirstMissing(property(PropertyId::SequencePerPartition)) {
        title: "first sequences missing",
        means: "A producer's epoch does not start at sequence 0, although nothing of the log is missing \
                before it: the broker knew nothing of the epoch and took a later batch for the first. \
                The earlier ones can never be written under it.",
        check: "Ask the producer what became of the batches before: their retries are refused from now \
                on as out of order. A client that then raises its epoch writes them after this one.",
    }
    /// A batch of an epoch that had ended.
    Stale(property(PropertyId::StaleEpochRejected)) {
        title: "stale epoch",
        means: "A batch of a lower epoch than that of the producer's newest batch was appended: what a \
                fenced instance left over still writes.",
        check: "Look for producer ids that expired or for lost snapshots before this batch; in a log that \
                was copied from a follower, whether that follower led the partition.",
    }
    /// Offsets are missing.
    Hole(property(PropertyId::LogIsFold)) {
        title: "offsets missing",
        means: "Offsets are missing in the middle of the log, and nothing shows that its topic is compacted.",
        check: "If cleanup.policy of the topic is or was compact, say --compacted. If not, batches or a whole \
                segment are lost, or a segment was not given.",
    }
    /// Offsets come twice.
    Overlap(property(PropertyId::LogIsFold)) {
        title: "offsets twice",
        means: "A batch begins at an offset that the log held already.",
        check: "See whether a segment was given twice. If not, the log on this broker is damaged: compare it \
                with another replica.",
    }
    /// The snapshot says something else than the log.
    SnapshotDiffers(property(PropertyId::LogIsFold)) {
        title: "snapshot against log",
        means: "A producer snapshot does not say what the log says up to its offset: a broker that starts \
                from it takes a retry for a new batch, or refuses the next batch.",
        check: "Delete the snapshot while the broker is down, so that the producer state is rebuilt from the \
                log; then find out what was written while it was taken.",
    }
    /// The snapshot knows of what comes behind it.
    SnapshotAhead(property(PropertyId::LogIsFold)) {
        title: "snapshot ahead of its offset",
        means: "A producer snapshot knows a batch at or beyond the offset in its name: state was changed \
                before the log was.",
        check: "Look whether that batch is in the log. If not, its retry will be answered as a duplicate and \
                the record is lost. Delete the snapshot while the broker is down.",
    }
    /// Checksum or header is wrong.
    Corrupt(About::BatchIntact) {
        title: "batch damaged",
        means: "The checksum of a batch does not fit, or its header is not in order. Its numbers cannot be \
                trusted and were not judged.",
        check: "Compare with another replica, and check the disk of this one.",
    }
    /// The numbers of a batch do not fit each other.
    Malformed(About::BatchIntact) {
        title: "numbers that do not fit",
        means: "A batch spans another number of offsets than of sequences, holds more records than offsets, \
                ends before it begins, or has a producer id and no sequence.",
        check: "See which client wrote it: a broker must refuse such a batch.",
    }
    /// Two replicas hold different batches at one offset.
    ReplicasDiffer(About::ReplicasAgree) {
        title: "replicas differ",
        means: "Two replicas of the partition hold different batches at the same offset.",
        check: "The one with the higher leader epoch is what consumers read from now on. Look for an unclean \
                election, or a follower that was not cut back when the leader changed.",
    }
    /// Acknowledged, and not in the log.
    AckLost(property(PropertyId::AckTruthful)) {
        title: "acknowledged, not in the log",
        means: "A batch was acknowledged to the application and is not in the log, although the log reaches \
                beyond the offset that was told.",
        check: "Look which batch stands at that offset, and for a change of leader after the acknowledgement \
                (acks=1, an unclean election).",
    }
    /// Acknowledged at an offset where something else stands.
    AckElsewhere(property(PropertyId::AckTruthful)) {
        title: "acknowledged elsewhere",
        means: "A batch is in the log, but not at the offset that the application was told.",
        check: "If it was answered as a duplicate, compare both offsets: the broker named another batch.",
    }
    /// Two acknowledgements for one range.
    AckTwice(property(PropertyId::AckTruthful)) {
        title: "acknowledged twice",
        means: "Two batches of the application were acknowledged under the same epoch and sequences. The log \
                has room for one of them: the other was taken for its duplicate and is not written.",
        check: "Compare the records of both. A client gave the sequences of one batch to another.",
    }
    /// Answered as a duplicate, and never written.
    AckAsDuplicate(property(PropertyId::DuplicateAnswerTruthful)) {
        title: "duplicate of nothing",
        means: "A batch was answered as a duplicate, and no batch with its sequences is in the log.",
        check: "Look for a restart or a leader move from which producer state came back newer than the log.",
    }
    /// Reported as failed, and in the log.
    FailedButWritten(property(PropertyId::NoFalseFailure)) {
        title: "failed, yet written",
        means: "The application was told that a batch is not written, and it is in the log. Kafka does not \
                promise otherwise, but an application that sends the records again writes them twice.",
        check: "See whether the records came again under other sequences.",
    }
    /// A broker refused a batch from the future.
    RefusedGap(property(PropertyId::GapRejected)) {
        title: "refused: gap",
        means: "A broker refused a batch with sequences beyond the next one. The refusal is right; the batch \
                before is missing, or was still on its way.",
        check: "If the producer was told a success for the missing sequences, they are lost. If not, it sends \
                them again, and the refused ones after them.",
    }
    /// A broker refused a batch that lies behind.
    RefusedRetry(property(PropertyId::RetryRecognised)) {
        title: "refused: old retry",
        means: "A broker refused sequences at or below the last ones it knows: most likely the retry of a batch \
                that is written but not among those that it remembers (the newest 5, after a restart the newest 1).",
        check: "Look whether the sequences are in the log. If so the records are safe, and a client that raises \
                its epoch because of the refusal writes them again.",
    }
    /// A broker refused sequence 0 in the middle of an epoch.
    RefusedFirst(property(PropertyId::RetryRecognised)) {
        title: "refused: sequence 0 again",
        means: "A broker refused sequence 0 under an epoch of which it knows later sequences: the retry of a \
                first batch that was overtaken, or a second counter under the same producer id.",
        check: "Look whether sequence 0 of this epoch is in the log. If it is not, the broker took a later batch \
                for the first, and this one can never be written under its epoch.",
    }
    /// A broker did not know the producer.
    RefusedForgotten(property(PropertyId::RetryRecognised)) {
        title: "refused: forgotten producer",
        means: "A broker knew no batch of the producer any more: retention removed the last one, its id expired, \
                or only a transaction marker is left.",
        check: "Compare the time since the producer's last batch with retention and with \
                producer.id.expiration.ms (transactional.id.expiration.ms before 3.5).",
    }
    /// A broker refused a new epoch that does not start at 0.
    RefusedEpochStart(property(PropertyId::GapRejected)) {
        title: "refused: new epoch not from 0",
        means: "A broker refused the first batch of a new epoch, for its sequence is not 0: a batch before it is \
                missing, or the client raised its epoch without counting anew.",
        check: "Look for the batch with sequence 0 of this epoch, in the log and among the refused ones.",
    }
    /// A broker refused an old epoch.
    RefusedStale(property(PropertyId::StaleEpochRejected)) {
        title: "refused: stale epoch",
        means: "A broker refused a batch of an older epoch: a fenced instance still writes, or a producer's own \
                requests from before it raised its epoch arrived late. The refusal is right.",
        check: "See whether a second instance runs with the same transactional id.",
    }
    /// A broker refused a batch with an impossible sequence.
    RefusedNumber(About::BatchIntact) {
        title: "refused: impossible sequence",
        means: "A broker refused a batch whose sequence is negative or cannot be.",
        check: "See which client sent it.",
    }
    /// The log does not bear out what the broker said when it refused.
    RefusedAgainstLog(property(PropertyId::LogIsFold)) {
        title: "refusal against log",
        means: "When it refused, the broker believed in another last sequence of the producer than the log shows \
                up to that offset: its producer state was not that of its log.",
        check: "Compare with the producer snapshots; look for a restart or a leader move before the refusal.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_says_what_it_means_and_what_to_do() {
        for kind in Kind::ALL {
            assert!(kind.means().ends_with('.'), "{kind:?}");
            assert!(kind.check().ends_with('.'), "{kind:?}");
            assert!(!kind.title().ends_with('.'), "{kind:?}");
        }
    }
}
