package retryproof.oracle.client;

import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What a record says about itself, so that it is known again wherever it turns up.
 *
 * @param producer which handed it over
 * @param partition for which it was handed over
 * @param label its name
 */
record Payload(int producer, int partition, int label) {
    /**
     * Wide enough for a batch of several to be split: Kafka makes room for a record at its largest,
     * and a second small one would fit into what the first does not need.
     */
    private static final int BYTES = 64;

    byte[] bytes() {
        return ByteBuffer.allocate(BYTES).putInt(producer).putInt(partition).putInt(label).array();
    }

    static List<Payload> of(RecordBatch batch) {
        List<Payload> payloads = new ArrayList<>();
        for (Record record : batch) {
            ByteBuffer value = record.value();
            payloads.add(new Payload(value.getInt(), value.getInt(), value.getInt()));
        }
        return payloads;
    }

    static List<Integer> labels(RecordBatch batch) {
        return of(batch).stream().map(Payload::label).toList();
    }
}
