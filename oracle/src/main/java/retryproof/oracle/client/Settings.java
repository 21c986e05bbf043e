package retryproof.oracle.client;

import org.apache.kafka.storage.internals.log.ProducerStateEntry;

import retryproof.oracle.BadCommand;
import retryproof.oracle.Command;
import retryproof.oracle.log.LogSettings;

/**
 * What {@code start} sets.
 *
 * @param producers how many there are
 * @param partitions how many the topic has
 * @param brokers how many there are; each has a log of every partition
 * @param inFlight {@code max.in.flight.requests.per.connection}
 * @param window how many batches of a producer a log remembers
 * @param epoch epoch with which the producers begin
 * @param sharedIds whether all producers get the same producer id
 * @param sequence first sequence of every producer in every partition
 * @param expiryMs {@code producer.id.expiration.ms}
 */
record Settings(
    int producers, int partitions, int brokers, int inFlight, int window, short epoch, boolean sharedIds,
    int sequence, int expiryMs) {
    /** Far more than any run needs, and few enough to be there at once. */
    private static final int MOST = 64;
    /** As many as Kafka remembers: its constant. */
    private static final int KAFKAS_WINDOW = ProducerStateEntry.NUM_BATCHES_TO_RETAIN;
    /** Kafka's default. */
    private static final int DEFAULT_IN_FLIGHT = 5;

    static Settings of(Command start) throws BadCommand {
        start.allowOnly("op", "producers", "partitions", "brokers", "in_flight", "window", "epoch", "shared_ids",
            "sequence", "expiry_ms");
        return new Settings(
            start.integer("producers", 1, MOST, 1),
            start.integer("partitions", 1, MOST, 1),
            start.integer("brokers", 1, MOST, 1),
            start.integer("in_flight", 1, Integer.MAX_VALUE, DEFAULT_IN_FLIGHT),
            start.integer("window", 1, KAFKAS_WINDOW, KAFKAS_WINDOW),
            (short) start.integer("epoch", 0, Short.MAX_VALUE, 0),
            start.flag("shared_ids"),
            start.integer("sequence", 0, Integer.MAX_VALUE, 0),
            start.integer("expiry_ms", 1, Integer.MAX_VALUE, LogSettings.DEFAULT_EXPIRY_MS));
    }

    /** The smaller window is not Kafka's: see {@link Replica}. */
    boolean cutsWindow() {
        return window < KAFKAS_WINDOW;
    }
}
