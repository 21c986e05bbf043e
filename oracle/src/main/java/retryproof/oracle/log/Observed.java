package retryproof.oracle.log;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.apache.kafka.storage.internals.log.BatchMetadata;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.ProducerStateEntry;

import java.io.IOException;
import java.util.TreeMap;

import retryproof.oracle.Lines;

/** What can be seen of a partition, as JSON. */
public final class Observed {
    private Observed() {
    }

    /**
     * All producers that a partition knows: by producer id its epoch, its last timestamp, and of
     * each batch in its window the first and last sequence and the first and last offset.
     */
    public static ObjectNode producers(Partition partition) {
        ObjectNode all = Lines.object();
        new TreeMap<>(partition.producers()).forEach((id, entry) -> {
            ArrayNode producer = all.putArray(Long.toString(id));
            producer.add(entry.producerEpoch()).add(entry.lastTimestamp());
            ArrayNode window = producer.addArray();
            for (BatchMetadata batch : entry.batchMetadata()) {
                window.addArray().add(batch.firstSeq()).add(batch.lastSeq()).add(batch.firstOffset()).add(batch.lastOffset());
            }
        });
        return all;
    }

    /** Everything else: offsets, files, transactions. */
    public static ObjectNode details(Partition partition) throws IOException {
        ObjectNode details = Lines.object()
            .put("time", partition.time().milliseconds())
            .put("log_start", partition.log().logStartOffset())
            .put("log_end", partition.log().logEndOffset())
            .put("last_stable", partition.log().lastStableOffset())
            .put("map_end", partition.log().producerStateManager().mapEndOffset());
        ArrayNode segments = details.putArray("segments");
        for (LogSegment segment : partition.log().logSegments()) {
            segments.add(segment.baseOffset());
        }
        ArrayNode snapshots = details.putArray("snapshots");
        partition.snapshots().forEach(snapshots::add);
        ObjectNode transactions = details.putObject("transactions");
        new TreeMap<>(partition.producers()).forEach((id, entry) -> transactions.set(Long.toString(id), transaction(entry)));
        return details;
    }

    private static ObjectNode transaction(ProducerStateEntry entry) {
        ObjectNode transaction = Lines.object().put("coordinator_epoch", entry.coordinatorEpoch());
        entry.currentTxnFirstOffset().ifPresent(offset -> transaction.put("first_offset", offset));
        return transaction;
    }
}
