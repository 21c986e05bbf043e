package retryproof.oracle.log;

import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A record batch of format 2 as bytes. Fields may have values that Kafka's own builder refuses,
 * since other clients send them too.
 */
public final class Batch {
    // Where the fields lie (Kafka: DefaultRecordBatch, whose own constants are not public).
    private static final int ATTRIBUTES = 21;
    private static final int PRODUCER_ID = 43;
    private static final int PRODUCER_EPOCH = 51;
    private static final int BASE_SEQUENCE = 53;
    private static final short TRANSACTIONAL = 0x10;

    private final ByteBuffer bytes;

    private Batch(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    /** Who sends a batch. */
    public record Producer(long id, short epoch, int sequence, boolean transactional) {
        /** Nobody that has a producer id. */
        public static final Producer NONE =
            new Producer(RecordBatch.NO_PRODUCER_ID, RecordBatch.NO_PRODUCER_EPOCH, RecordBatch.NO_SEQUENCE, false);
    }

    /** Where a batch stands in its leader's log. */
    public record Place(long offset, int leaderEpoch) {
        /** Where a client puts all batches. */
        public static final Place NOT_YET = new Place(0, RecordBatch.NO_PARTITION_LEADER_EPOCH);
    }

    /** A batch of records without key and value, all with this timestamp. */
    public static Batch ofRecords(Place place, Producer producer, int records, long timestamp) {
        SimpleRecord[] empty = new SimpleRecord[records];
        Arrays.fill(empty, new SimpleRecord(timestamp, (byte[]) null));
        MemoryRecords plain = MemoryRecords.withRecords(place.offset, Compression.NONE, place.leaderEpoch, empty);
        return new Batch(plain.buffer()).of(producer);
    }

    /** A batch of these records, compressed in this way. */
    public static Batch ofRecords(Place place, Producer producer, Compression compression, List<SimpleRecord> records) {
        MemoryRecords plain = MemoryRecords.withRecords(
            place.offset, compression, place.leaderEpoch, records.toArray(SimpleRecord[]::new));
        return new Batch(plain.buffer()).of(producer);
    }

    /** What compaction leaves of a batch without any record that is still wanted: its header. */
    public static Batch compacted(Place place, Producer producer, int records, long timestamp) {
        ByteBuffer bytes = ByteBuffer.allocate(DefaultRecordBatch.RECORD_BATCH_OVERHEAD);
        DefaultRecordBatch.writeEmptyHeader(bytes, RecordBatch.CURRENT_MAGIC_VALUE, RecordBatch.NO_PRODUCER_ID,
            RecordBatch.NO_PRODUCER_EPOCH, RecordBatch.NO_SEQUENCE, place.offset, place.offset + records - 1,
            place.leaderEpoch, TimestampType.CREATE_TIME, timestamp, false, false);
        bytes.flip();
        return new Batch(bytes).of(producer);
    }

    /** The control batch that ends a transaction. */
    public static Batch marker(
        Place place, long producerId, short epoch, boolean commits, int coordinatorEpoch, long timestamp) {
        ControlRecordType type = commits ? ControlRecordType.COMMIT : ControlRecordType.ABORT;
        MemoryRecords marker = MemoryRecords.withEndTransactionMarker(place.offset, timestamp, place.leaderEpoch, 0,
            (short) 0, new EndTransactionMarker(type, coordinatorEpoch));
        return new Batch(marker.buffer()).of(new Producer(producerId, epoch, RecordBatch.NO_SEQUENCE, true));
    }

    /** The batch as a log takes it. */
    public MemoryRecords records() {
        return MemoryRecords.readableRecords(bytes);
    }

    /** Several batches one after the other. */
    public static MemoryRecords together(List<Batch> batches) {
        ByteBuffer together = ByteBuffer.allocate(batches.stream().mapToInt(batch -> batch.bytes.remaining()).sum());
        batches.forEach(batch -> together.put(batch.bytes.duplicate()));
        together.flip();
        return MemoryRecords.readableRecords(together);
    }

    /** Writes who sends it into the header, and the checksum anew. */
    private Batch of(Producer producer) {
        bytes.putLong(PRODUCER_ID, producer.id);
        bytes.putShort(PRODUCER_EPOCH, producer.epoch);
        bytes.putInt(BASE_SEQUENCE, producer.sequence);
        if (producer.transactional) {
            bytes.putShort(ATTRIBUTES, (short) (bytes.getShort(ATTRIBUTES) | TRANSACTIONAL));
        }
        CRC32C checksum = new CRC32C();
        checksum.update(bytes.duplicate().position(ATTRIBUTES));
        bytes.putInt(DefaultRecordBatch.CRC_OFFSET, (int) checksum.getValue());
        return this;
    }
}
