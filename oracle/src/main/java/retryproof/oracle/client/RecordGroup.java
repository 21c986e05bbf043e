package retryproof.oracle.client;

/** The records that were handed over at once. Two are never equal. */
final class RecordGroup {
    private final int producer;
    private final int partition;

    RecordGroup(int producer, int partition) {
        this.producer = producer;
        this.partition = partition;
    }

    int producer() {
        return producer;
    }

    int partition() {
        return partition;
    }
}
