package retryproof.oracle.client;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.ProducerStateEntry;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import retryproof.oracle.BadCommand;
import retryproof.oracle.Lines;
import retryproof.oracle.log.Observed;
import retryproof.oracle.log.Outcome;
import retryproof.oracle.log.Partition;
import retryproof.oracle.log.Restart;

/**
 * One broker's log of one partition.
 *
 * <p>Kafka remembers five batches of each producer, a constant. A smaller window is a what-if: after
 * everything that can add to it, what is too old is taken out of the entry behind Kafka's back.
 */
final class Replica {
    private static final Field REMEMBERED = remembered();

    private final Partition partition;
    private final Settings settings;
    private int leaderEpoch;
    private boolean changed;

    Replica(Partition partition, Settings settings) {
        this.partition = partition;
        this.settings = settings;
    }

    /** Appends what a client sent. */
    Outcome deliver(byte[] bytes) throws IOException {
        // The log writes offsets into what it appends.
        ByteBuffer copy = ByteBuffer.wrap(bytes.clone());
        return cut(changed().appendAsLeader(MemoryRecords.readableRecords(copy), leaderEpoch));
    }

    /** Copies the batch that follows in the leader's log on the end of this one. */
    Outcome replicate(Replica leader) throws BadCommand, IOException {
        long end = partition.log().logEndOffset();
        for (RecordBatch batch : leader.batches()) {
            if (batch.baseOffset() >= end) {
                ByteBuffer copy = ByteBuffer.allocate(batch.sizeInBytes());
                batch.writeTo(copy);
                copy.flip();
                // A follower passes over what is of a later epoch than its leader has.
                int epoch = Math.max(leader.leaderEpoch, batch.partitionLeaderEpoch());
                return cut(changed().appendAsFollower(MemoryRecords.readableRecords(copy), epoch));
            }
        }
        throw new BadCommand("the leader has no batch at or behind offset " + end);
    }

    void lead(int epoch) {
        leaderEpoch = epoch;
    }

    void restart(Restart how) throws IOException {
        changed().restart(how);
        cutWindows();
    }

    void truncate(long to) throws IOException {
        changed().truncate(to);
        cutWindows();
    }

    /** The expiry check runs when everyone has expired: all records are of the time 0. */
    void expire() {
        changed().log().removeExpiredProducers(settings.expiryMs());
    }

    void snapshot() throws IOException {
        changed().snapshot();
    }

    void roll() throws IOException {
        changed().roll();
    }

    long logStart() {
        return partition.log().logStartOffset();
    }

    /** Whether the log may be another one than it was in the beginning. */
    boolean hasChanged() {
        return changed;
    }

    /** Every batch of the log. */
    ArrayNode contents() {
        ArrayNode contents = Lines.object().arrayNode();
        for (RecordBatch batch : batches()) {
            ObjectNode told = contents.addObject()
                .put("offset", batch.baseOffset())
                .put("pid", batch.producerId())
                .put("epoch", batch.producerEpoch())
                .put("sequence", batch.baseSequence())
                .put("leader_epoch", batch.partitionLeaderEpoch());
            ArrayNode records = told.putArray("records");
            for (Payload payload : Payload.of(batch)) {
                records.addArray().add(payload.producer()).add(payload.label());
            }
        }
        return contents;
    }

    /** What the log remembers of each producer. */
    ObjectNode producers() {
        return Observed.producers(partition);
    }

    private Partition changed() {
        changed = true;
        return partition;
    }

    private List<RecordBatch> batches() {
        List<RecordBatch> batches = new ArrayList<>();
        for (LogSegment segment : partition.log().logSegments()) {
            segment.log().batches().forEach(batches::add);
        }
        return batches;
    }

    private Outcome cut(Outcome outcome) {
        cutWindows();
        return outcome;
    }

    private void cutWindows() {
        if (!settings.cutsWindow()) {
            return;
        }
        for (ProducerStateEntry entry : partition.producers().values()) {
            Deque<?> window = window(entry);
            while (window.size() > settings.window()) {
                window.removeFirst();
            }
        }
    }

    private static Deque<?> window(ProducerStateEntry entry) {
        try {
            return (Deque<?>) REMEMBERED.get(entry);
        } catch (IllegalAccessException denied) {
            throw new IllegalStateException(denied);
        }
    }

    private static Field remembered() {
        try {
            Field field = ProducerStateEntry.class.getDeclaredField("batchMetadata");
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException missing) {
            throw new IllegalStateException("this release of Kafka remembers batches elsewhere", missing);
        }
    }
}
