package org.apache.kafka.clients.producer.internals;

import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.common.TopicPartition;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * What Kafka's client core shows to its own package only, and the few private fields that say what it remembers.
 * Nothing here decides anything.
 */
public final class Inside {
    private static final Field PARTITIONS = field(TransactionManager.class, "txnPartitionMap");
    private static final Field ENTRIES = field(TxnPartitionMap.class, "topicPartitions");
    private static final Field IN_FLIGHT = field(TxnPartitionEntry.class, "inflightBatchesBySequence");
    private static final Field THUNKS = field(ProducerBatch.class, "thunks");
    private static Field thunkCallback;

    private Inside() {
    }

    /** One turn of the sender's loop. */
    public static void runOnce(Sender sender) {
        sender.runOnce();
    }

    public static long producerId(TransactionManager manager) {
        return manager.producerIdAndEpoch().producerId;
    }

    public static short epoch(TransactionManager manager) {
        return manager.producerIdAndEpoch().epoch;
    }

    public static boolean hasUnresolvedSequence(TransactionManager manager, TopicPartition partition) {
        return manager.hasUnresolvedSequence(partition);
    }

    /** The producer id that the partition's sequences belong to; the producer's own as long as there are none. */
    public static long producerId(TransactionManager manager, TopicPartition partition) {
        TxnPartitionEntry entry = entry(manager, partition);
        return entry == null ? producerId(manager) : entry.producerIdAndEpoch().producerId;
    }

    /** The epoch that the partition's sequences belong to; the producer's own as long as there are none. */
    public static short epoch(TransactionManager manager, TopicPartition partition) {
        TxnPartitionEntry entry = entry(manager, partition);
        return entry == null ? epoch(manager) : entry.producerIdAndEpoch().epoch;
    }

    /** The sequence of the next record; 0 for a partition that nothing was sent to. */
    public static int nextSequence(TransactionManager manager, TopicPartition partition) {
        TxnPartitionEntry entry = entry(manager, partition);
        return entry == null ? 0 : entry.nextSequence();
    }

    /** The last sequence that was acknowledged; -1 for none. */
    public static int lastAcknowledged(TransactionManager manager, TopicPartition partition) {
        TxnPartitionEntry entry = entry(manager, partition);
        return entry == null ? -1 : entry.lastAckedSequence().orElse(-1);
    }

    /** The batches that have a sequence and no outcome, in the manager's own order. */
    public static List<ProducerBatch> inFlight(TransactionManager manager, TopicPartition partition) {
        TxnPartitionEntry entry = entry(manager, partition);
        List<ProducerBatch> batches = new ArrayList<>();
        if (entry != null) {
            for (Object batch : (Collection<?>) get(IN_FLIGHT, entry)) {
                batches.add((ProducerBatch) batch);
            }
        }
        return batches;
    }

    /** As if every sequence below had been sent and acknowledged. */
    public static void startAt(TransactionManager manager, TopicPartition partition, int sequence) {
        manager.sequenceNumber(partition);
        manager.maybeUpdateProducerIdAndEpoch(partition);
        manager.incrementSequenceNumber(partition, sequence);
        entry(manager, partition).maybeUpdateLastAckedSequence(sequence - 1);
    }

    public static TopicPartition partition(ProducerBatch batch) {
        return batch.topicPartition;
    }

    public static long createdMs(ProducerBatch batch) {
        return batch.createdMs;
    }

    /** What the application left to be called, one for each record. */
    public static List<Callback> callbacks(ProducerBatch batch) {
        List<Callback> callbacks = new ArrayList<>();
        for (Object thunk : (List<?>) get(THUNKS, batch)) {
            if (thunkCallback == null) {
                thunkCallback = field(thunk.getClass(), "callback");
            }
            callbacks.add((Callback) get(thunkCallback, thunk));
        }
        return callbacks;
    }

    private static TxnPartitionEntry entry(TransactionManager manager, TopicPartition partition) {
        return (TxnPartitionEntry) ((Map<?, ?>) get(ENTRIES, get(PARTITIONS, manager))).get(partition);
    }

    private static Field field(Class<?> owner, String name) {
        try {
            Field field = owner.getDeclaredField(name);
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException missing) {
            throw new IllegalStateException("this release of Kafka has no " + owner.getSimpleName() + "." + name, missing);
        }
    }

    private static Object get(Field field, Object owner) {
        try {
            return field.get(owner);
        } catch (IllegalAccessException denied) {
            throw new IllegalStateException(denied);
        }
    }
}
