package retryproof.oracle.client;

/** Hands out producer ids, from 0 up, and with the first of a client the epoch that was set. */
final class ProducerIds {
    private final Settings settings;
    private long next;
    private boolean starting = true;

    ProducerIds(Settings settings) {
        this.settings = settings;
    }

    /** From now on an id is a new one with epoch 0, as from Kafka. */
    void allStarted() {
        next = Math.max(next, 1);
        starting = false;
    }

    long next() {
        if (starting && settings.sharedIds()) {
            return 0;
        }
        next += 1;
        return next - 1;
    }

    short epoch() {
        return starting ? settings.epoch() : 0;
    }
}
