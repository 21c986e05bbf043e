package org.apache.kafka.storage.internals.log;

import org.apache.kafka.common.record.internal.RecordBatch;

import java.util.Optional;

/** The look-up that a log does before it appends a client's batch. What it needs is seen in Kafka's package only. */
public final class DuplicateLookup {
    private DuplicateLookup() {
    }

    /** The batch of this producer in the window with the same epoch and sequences. */
    public static Optional<BatchMetadata> find(ProducerStateManager manager, long producerId, RecordBatch batch) {
        return manager.lastEntry(producerId).flatMap(entry -> entry.findDuplicateBatch(batch));
    }
}
