package retryproof.oracle.client;

import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.clients.producer.internals.RecordAccumulator;

/** A record that the application handed over, waiting to hear what became of it. */
final class Handed implements RecordAccumulator.AppendCallbacks {
    private final RecordGroup group;
    private final int label;
    private final Events events;

    Handed(RecordGroup group, int label, Events events) {
        this.group = group;
        this.label = label;
        this.events = events;
    }

    int label() {
        return label;
    }

    @Override
    public void setPartition(int chosen) {
        // It was chosen by the application.
    }

    @Override
    public void onCompletion(RecordMetadata metadata, Exception error) {
        events.told(group, label, error == null ? (Long) metadata.offset() : null, error);
    }
}
