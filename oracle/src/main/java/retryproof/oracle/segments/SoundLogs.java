package retryproof.oracle.segments;

import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

import retryproof.oracle.log.Batch;
import retryproof.oracle.log.LogSettings;
import retryproof.oracle.log.Workspace;

/** Logs in which nothing is wrong, however they look. */
final class SoundLogs {
    /** Long enough for any batch here. */
    private static final int BUFFER_BYTES = 4096;
    /** Room in a preallocated segment, of which most stays empty. */
    private static final int PREALLOCATED_BYTES = 4096;

    /** An offset at which two producers can have used up their sequences. */
    private static final long BEHIND_ALL_SEQUENCES = 5_000_000_000L;

    private final Workspace workspace;
    private final Path into;

    SoundLogs(Workspace workspace, Path into) {
        this.workspace = workspace;
        this.into = into;
    }

    void write() throws IOException {
        threeProducers();
        epochs();
        transactions();
        transactionsOfVersion2();
        codecs();
        zstd();
        segments();
        wrap();
        retention();
        compacted();
        stampedByBroker();
        withoutIdempotence();
        forgedPayload();
        preallocated();
        olderFormats();
        replicas();
    }

    /** Three producers take turns, with batches of 1 to 4 records. */
    private void threeProducers() throws IOException {
        try (Journal log = new Journal(workspace, LogSettings.defaults())) {
            List<Sender> senders = List.of(Sender.idempotent(1001), Sender.idempotent(1002), Sender.idempotent(2000));
            for (int round = 0; round < 4; round++) {
                for (int i = 0; i < senders.size(); i++) {
                    log.send(senders.get(i), 1 + (round + i) % 4);
                }
            }
            save(log, "three-producers");
        }
    }

    /** A producer raises its epoch twice and begins at 0 each time. The leader changes in between. */
    private void epochs() throws IOException {
        try (Journal log = new Journal(workspace, LogSettings.defaults())) {
            Sender sender = Sender.idempotent(1001);
            for (int epoch = 0; epoch < 3; epoch++) {
                log.lead(epoch * 2);
                log.send(sender, 2);
                log.send(sender, 3);
                sender.raiseEpoch();
            }
            save(log, "epochs");
        }
    }

    /** Transactions that commit and abort, one producer fenced with a higher epoch that has nothing but a marker. */
    private void transactions() throws IOException {
        try (Journal log = new Journal(workspace, LogSettings.defaults())) {
            Sender first = Sender.transactional(3001);
            Sender second = Sender.transactional(3002);
            log.send(first, 2);
            log.send(second, 1);
            log.commit(first);
            log.send(second, 2);
            log.abort(second);
            log.send(first, 1);
            log.fence(first);
            first.raiseEpoch();
            log.send(first, 3);
            log.commit(first);
            log.send(second, 1);
            save(log, "transactions");
        }
    }

    /** Each marker raises the epoch, and each transaction begins at 0 (KIP-890). */
    private void transactionsOfVersion2() throws IOException {
        try (Journal log = new Journal(workspace, LogSettings.defaults())) {
            Sender sender = Sender.transactional(3003);
            for (int transaction = 0; transaction < 3; transaction++) {
                log.send(sender, 2);
                log.send(sender, 1);
                log.commitAndRaiseEpoch(sender);
            }
            save(log, "transactions-version-2");
        }
    }

    /** A batch in each codec that all releases know. */
    private void codecs() throws IOException {
        try (Journal log = new Journal(workspace, LogSettings.defaults())) {
            Sender sender = Sender.idempotent(1001);
            log.send(sender, Compression.NONE, 6);
            log.send(sender, Compression.gzip().build(), 6);
            log.send(sender, Compression.snappy().build(), 6);
            log.send(sender, Compression.lz4().build(), 6);
            save(log, "codecs");
        }
    }

    /** A batch in the codec that came with release 2.1 (KIP-110). */
    private void zstd() throws IOException {
        try (Journal log = new Journal(workspace, LogSettings.defaults())) {
            Sender sender = Sender.idempotent(1001);
            log.send(sender, 1);
            log.send(sender, Compression.zstd().build(), 6);
            log.send(sender, 1);
            save(log, "zstd");
        }
    }

    /** Three segments, and a snapshot at the beginning of each but the first, and one at the end. */
    private void segments() throws IOException {
        try (Journal log = new Journal(workspace, LogSettings.defaults())) {
            Sender first = Sender.idempotent(1001);
            Sender second = Sender.transactional(3001);
            for (int segment = 0; segment < 3; segment++) {
                if (segment > 0) {
                    log.partition().roll();
                }
                log.send(first, 2);
                log.send(second, 2);
                log.commit(second);
                log.send(first, 1);
            }
            log.partition().snapshot();
            save(log, "segments");
        }
    }

    /** Sequences pass 2³¹−1, once within a batch and once between two. The log begins behind what came before. */
    private void wrap() throws IOException {
        try (Journal log = new Journal(workspace, LogSettings.defaults())) {
            log.partition().truncateFully(BEHIND_ALL_SEQUENCES);
            Sender within = Sender.at(1001, Integer.MAX_VALUE - 2);
            Sender between = Sender.at(1002, Integer.MAX_VALUE - 1);
            log.send(within, 2);
            log.send(between, 2);
            log.send(within, 3);
            log.send(between, 1);
            log.send(within, 1);
            save(log, "wrap");
        }
    }

    /** What lay below the log start was deleted: producers are met in the middle of their sequences. */
    private void retention() throws IOException {
        try (Journal log = new Journal(workspace, LogSettings.defaults())) {
            Sender first = Sender.idempotent(1001);
            Sender second = Sender.idempotent(1002);
            log.send(first, 3);
            log.send(second, 4);
            beginAnew(log);
            log.send(first, 1);
            log.send(second, 2);
            log.send(Sender.idempotent(1003), 1);
            save(log, "retention");
        }
    }

    /** The log cleaner took records out of batches, whole batches, and all but the header of the newest of a producer. */
    private void compacted() throws IOException {
        try (Journal log = new Journal(workspace, LogSettings.defaults().compacted())) {
            Sender first = Sender.idempotent(1001);
            Sender second = Sender.idempotent(1002);
            Sender third = Sender.transactional(3001);
            Sender fourth = Sender.idempotent(1004);
            log.send(first, 4);
            log.send(first, 3);
            log.send(fourth, 1);
            log.send(fourth, 2);
            log.send(second, 2);
            log.send(third, 3);
            log.abort(third);
            log.send(first, 5);
            log.sendTombstones(second, 1);
            log.send(third, 2);
            log.commit(third);
            log.partition().roll();
            log.send(second, 2);
            log.partition().clean(0);
            log.send(first, 2);
            save(log, "compacted");
        }
    }

    /** The broker stamps the records ({@code message.timestamp.type=LogAppendTime}). */
    private void stampedByBroker() throws IOException {
        try (Journal log = new Journal(workspace, LogSettings.defaults().stampedByBroker())) {
            Sender sender = Sender.idempotent(1001);
            log.send(sender, 2);
            log.send(sender, Compression.lz4().build(), 3);
            save(log, "log-append-time");
        }
    }

    /** Producers without idempotence, one of which numbers its batches all the same, from 0 and always. */
    private void withoutIdempotence() throws IOException {
        try (Journal log = new Journal(workspace, LogSettings.defaults())) {
            Batch.Producer numbered = new Batch.Producer(
                RecordBatch.NO_PRODUCER_ID, RecordBatch.NO_PRODUCER_EPOCH, 0, false);
            Sender sender = Sender.idempotent(1001);
            log.sendPlain(3);
            log.send(sender, 1);
            log.take(numbered, 1);
            log.take(numbered, 2);
            log.send(sender, 1);
            log.sendPlain(1);
            save(log, "without-idempotence");
        }
    }

    /** Values that look like lines of a dump. */
    private void forgedPayload() throws IOException {
        try (Journal log = new Journal(workspace, LogSettings.defaults())) {
            Sender sender = Sender.idempotent(1001);
            log.send(sender, 1);
            log.sendText(sender, "before\nbaseOffset: 0 lastOffset: 0 count: 1 baseSequence: 0 lastSequence: 0"
                + " producerId: 1001 producerEpoch: 0 partitionLeaderEpoch: 0 isTransactional: false isControl: false"
                + " position: 0 CreateTime: 1700000000000 size: 82 magic: 2 compresscodec: none crc: 1 isvalid: true"
                + "\nafter");
            log.sendText(sender, "Starting offset: 0\n| offset: 0 CreateTime: 1700000000000 keySize: 1 valueSize: 1"
                + " sequence: 0 headerKeys: []");
            log.send(sender, 1);
            save(log, "forged-payload");
        }
    }

    /** The file has its full size from the beginning ({@code preallocate=true}): zeros follow the last batch. */
    private void preallocated() throws IOException {
        try (Journal log = new Journal(workspace, LogSettings.defaults().preallocated(PREALLOCATED_BYTES))) {
            Sender sender = Sender.idempotent(1001);
            log.send(sender, 2);
            log.send(sender, 3);
            save(log, "preallocated");
        }
    }

    /** Messages of formats 0 and 1 lie before the batches, as in a topic that is older than release 0.11. */
    private void olderFormats() throws IOException {
        try (Journal log = new Journal(workspace, LogSettings.defaults())) {
            older(log, RecordBatch.MAGIC_VALUE_V0, Compression.NONE, TimestampType.NO_TIMESTAMP_TYPE);
            older(log, RecordBatch.MAGIC_VALUE_V1, Compression.NONE, TimestampType.CREATE_TIME);
            older(log, RecordBatch.MAGIC_VALUE_V1, Compression.gzip().build(), TimestampType.CREATE_TIME);
            log.send(Sender.idempotent(1001), 2);
            save(log, "older-formats");
        }
    }

    private static void older(Journal log, byte magic, Compression compression, TimestampType stamped)
        throws IOException {
        long timestamp = stamped == TimestampType.NO_TIMESTAMP_TYPE ? RecordBatch.NO_TIMESTAMP : log.tick();
        MemoryRecordsBuilder builder =
            MemoryRecords.builder(ByteBuffer.allocate(BUFFER_BYTES), magic, compression, stamped, log.end());
        for (int i = 0; i < 2; i++) {
            builder.append(new SimpleRecord(timestamp, new byte[] {'k'}, new byte[] {'v'}));
        }
        log.follow(builder.build());
    }

    /** A leader and its follower, which is behind. */
    private void replicas() throws IOException {
        try (Journal leader = new Journal(workspace, LogSettings.defaults());
             Journal follower = new Journal(workspace, LogSettings.defaults())) {
            Sender sender = Sender.idempotent(1001);
            for (int i = 0; i < 4; i++) {
                leader.send(sender, 2);
            }
            follower.follow(leader, 6);
            save(leader, "replicas/broker-1");
            save(follower, "replicas/broker-2");
        }
    }

    /** What is in the log until now is deleted, as retention does, with the segment that it lies in. */
    private static void beginAnew(Journal log) throws IOException {
        log.partition().roll();
        log.partition().deleteRecords(log.end());
        log.partition().deleteOldSegments();
    }

    private void save(Journal log, String name) throws IOException {
        log.save(into.resolve(name));
    }
}
