package retryproof.oracle.segments;

import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.storage.internals.log.AppendOrigin;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import retryproof.oracle.log.Batch;
import retryproof.oracle.log.LogSettings;
import retryproof.oracle.log.ManualTime;
import retryproof.oracle.log.Outcome;
import retryproof.oracle.log.Partition;
import retryproof.oracle.log.Workspace;

/**
 * A log that is being written: by a leader, which checks what it appends, or by a follower, which takes
 * what its leader has. Each batch is a second younger than the one before.
 */
final class Journal implements AutoCloseable {
    /** The partition that every log is of, and so the name of the directory that a broker keeps it in. */
    static final String PARTITION = "orders-0";
    private static final long FIRST_TIMESTAMP = 1_700_000_000_000L;
    private static final long BETWEEN_BATCHES_MS = 1000;
    private static final int COORDINATOR_EPOCH = 4;
    /** Under which an equal epoch may end a transaction. */
    private static final short TRANSACTION_VERSION_1 = 1;
    /** Under which only a higher epoch may end a transaction (KIP-890). */
    private static final short TRANSACTION_VERSION_2 = 2;
    /** So many different keys have the records of a log. */
    private static final int KEYS = 4;

    private final Partition partition;
    private int leaderEpoch;
    private int batches;
    private int records;

    Journal(Workspace workspace, LogSettings settings) throws IOException {
        ManualTime time = new ManualTime();
        time.atLeast(FIRST_TIMESTAMP);
        partition = Partition.open(workspace, new TopicPartition("orders", 0), settings, time);
    }

    Partition partition() {
        return partition;
    }

    long end() {
        return partition.log().logEndOffset();
    }

    /** From now on batches are of this leader epoch. */
    void lead(int epoch) {
        leaderEpoch = epoch;
    }

    /** The leader appends the next batch of a producer. */
    void send(Sender sender, int count) throws IOException {
        send(sender, Compression.NONE, count);
    }

    /** The leader appends the next batch of a producer, compressed as it came. */
    void send(Sender sender, Compression compression, int count) throws IOException {
        send(sender.next(count), compression, content(count));
    }

    /** The leader appends a batch of a producer without idempotence. */
    void sendPlain(int count) throws IOException {
        send(Batch.Producer.NONE, Compression.NONE, content(count));
    }

    /** The leader appends the next batch of a producer: one record with this value. */
    void sendText(Sender sender, String value) throws IOException {
        SimpleRecord record = new SimpleRecord(tick(), null, bytes(value));
        send(sender.next(1), Compression.NONE, List.of(record));
    }

    /** The leader appends a batch whose records have no value: they delete their keys. */
    void sendTombstones(Sender sender, int count) throws IOException {
        long timestamp = tick();
        List<SimpleRecord> tombstones = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            tombstones.add(new SimpleRecord(timestamp, bytes("key-" + i), null));
        }
        send(sender.next(count), Compression.NONE, tombstones);
    }

    /** The coordinator ends the transaction of a producer. */
    void commit(Sender sender) throws IOException {
        end(sender, true, TRANSACTION_VERSION_1);
    }

    /** The coordinator aborts the transaction of a producer. */
    void abort(Sender sender) throws IOException {
        end(sender, false, TRANSACTION_VERSION_1);
    }

    /** The coordinator ends the transaction of a producer, which has the next epoch then, as has the marker. */
    void commitAndRaiseEpoch(Sender sender) throws IOException {
        sender.raiseEpoch();
        end(sender, true, TRANSACTION_VERSION_2);
    }

    /** The coordinator aborts what a producer left open, with the next epoch; the producer does not hear of it. */
    void fence(Sender sender) throws IOException {
        marker(sender.id(), (short) (sender.epoch() + 1), false, TRANSACTION_VERSION_1);
    }

    /** A follower takes the next batch of a producer, whatever it is. */
    void take(Sender sender, int count) throws IOException {
        take(sender.next(count), count);
    }

    /** A follower takes a batch with these numbers, whatever they are. */
    void take(Batch.Producer producer, int count) throws IOException {
        follow(Batch.ofRecords(here(), producer, Compression.NONE, content(count)).records());
    }

    /** A follower takes these bytes, which have their offsets already. */
    void follow(MemoryRecords bytes) throws IOException {
        appended(partition.appendAsFollower(bytes, leaderEpoch));
    }

    /** A follower takes the batches of its leader, from its own log end to this offset. */
    void follow(Journal leader, long to) throws IOException {
        leaderEpoch = leader.leaderEpoch;
        for (RecordBatch batch : leader.partition.log().activeSegment().log().batches()) {
            if (batch.baseOffset() >= end() && batch.baseOffset() < to) {
                ByteBuffer copy = ByteBuffer.allocate(batch.sizeInBytes());
                batch.writeTo(copy);
                tick();
                follow(MemoryRecords.readableRecords(copy.flip()));
            }
        }
    }

    /** The time of the next batch. The clock moves there. */
    long tick() {
        long timestamp = FIRST_TIMESTAMP + batches * BETWEEN_BATCHES_MS;
        batches += 1;
        partition.time().atLeast(timestamp);
        return timestamp;
    }

    /** Where a follower's next batch stands. */
    Batch.Place here() {
        return new Batch.Place(end(), leaderEpoch);
    }

    /**
     * Writes the segments and snapshots as they are now into the directory of the partition, which is made in
     * this one.
     */
    void save(Path broker) throws IOException {
        partition.copyTo(Files.createDirectories(broker.resolve(PARTITION)), ".log", ".snapshot");
    }

    @Override
    public void close() throws IOException {
        partition.close();
    }

    private void end(Sender sender, boolean commits, short transactionVersion) throws IOException {
        marker(sender.id(), sender.epoch(), commits, transactionVersion);
    }

    private void marker(long id, short epoch, boolean commits, short transactionVersion) throws IOException {
        Batch marker = Batch.marker(Batch.Place.NOT_YET, id, epoch, commits, COORDINATOR_EPOCH, tick());
        appended(partition.appendAsLeader(
            marker.records(), leaderEpoch, AppendOrigin.COORDINATOR, transactionVersion));
    }

    private void send(Batch.Producer producer, Compression compression, List<SimpleRecord> content) throws IOException {
        Batch batch = Batch.ofRecords(Batch.Place.NOT_YET, producer, compression, content);
        appended(partition.appendAsLeader(batch.records(), leaderEpoch));
    }

    /** The next records. Their values are numbered, their keys come again. */
    private List<SimpleRecord> content(int count) {
        long timestamp = tick();
        List<SimpleRecord> content = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            content.add(new SimpleRecord(timestamp, bytes("key-" + records % KEYS), bytes("value-" + records)));
            records += 1;
        }
        return content;
    }

    private static void appended(Outcome outcome) {
        if (outcome.what() != Outcome.What.APPEND) {
            Errors error = outcome.error();
            throw new IllegalStateException("a batch of a recipe was not appended: " + outcome.what() + " " + error);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
