package retryproof.oracle.speed;

import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.internal.ParsedBatch;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.BatchMetadata;
import org.apache.kafka.storage.internals.log.DuplicateLookup;
import org.apache.kafka.storage.internals.log.LogOffsetMetadata;
import org.apache.kafka.storage.internals.log.ProducerAppendInfo;
import org.apache.kafka.storage.internals.log.ProducerStateManager;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

import retryproof.oracle.log.ManualTime;

/**
 * The steps with which Kafka's log asks and tells its producer state about a batch of a client
 * ({@code UnifiedLog.append}), without a log.
 *
 * <p>What the log does besides them for a batch is left out: parsing and validating the bytes, a map and two lists for
 * the batches of one append, the segment, the high watermark, the transactions that end. So is the lock.
 */
final class Append {
    private static final TopicPartition NAME = new TopicPartition("retryproof", 0);
    private static final int MAX_TRANSACTION_TIMEOUT_MS = 900_000;
    private static final int EXPIRY_MS = 86_400_000;
    /** Beyond the numbers of which the JVM keeps one object each for all. */
    private static final long FIRST_PRODUCER_ID = 1000;
    private static final short EPOCH = 0;
    private static final long TIMESTAMP = 1_800_000_000_000L;

    private final ProducerStateManager manager;
    private final ParsedBatch batch = new ParsedBatch();
    private long end;

    /** To a log without producers. */
    Append(Path emptyDirectory) throws IOException {
        manager = new ProducerStateManager(NAME, emptyDirectory.toFile(), MAX_TRANSACTION_TIMEOUT_MS,
            new ProducerStateManagerConfig(EXPIRY_MS, false), new ManualTime());
    }

    /** The state alone. */
    ProducerStateManager manager() {
        return manager;
    }

    /** So many batches of each of so many producers, in turn. */
    void fill(int producers, int batches) {
        for (int written = 0; written < batches; written += 1) {
            for (int producer = 0; producer < producers; producer += 1) {
                append(producer, written * Operations.RECORDS);
            }
        }
    }

    /** Carries the operations out. Answers the sum of the last offsets that clients would be told. */
    long appendAll(long[] operations) {
        long sum = 0;
        for (long operation : operations) {
            sum += append(Operations.producer(operation), Operations.baseSequence(operation));
        }
        return sum;
    }

    private long append(int producer, int baseSequence) {
        long producerId = FIRST_PRODUCER_ID + producer;
        batch.become(EPOCH, baseSequence, Operations.RECORDS);
        Optional<BatchMetadata> original = DuplicateLookup.find(manager, producerId, batch);
        if (original.isPresent()) {
            return original.get().lastOffset();
        }
        ProducerAppendInfo update = manager.prepareUpdate(producerId, AppendOrigin.CLIENT);
        long last = end + Operations.RECORDS - 1;
        update.appendDataBatch(EPOCH, baseSequence, batch.lastSequence(), TIMESTAMP, new LogOffsetMetadata(end), last, false);
        end = last + 1;
        manager.update(update);
        manager.updateMapEndOffset(end);
        return last;
    }
}
