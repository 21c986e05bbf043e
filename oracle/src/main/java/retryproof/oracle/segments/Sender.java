package retryproof.oracle.segments;

import retryproof.oracle.log.Batch;

/** A producer that numbers its batches as a client does: one after the other, from 0 in every epoch. */
final class Sender {
    private final long id;
    private final boolean transactional;
    private int epoch;
    private int sequence;

    private Sender(long id, int epoch, int sequence, boolean transactional) {
        this.id = id;
        this.epoch = epoch;
        this.sequence = sequence;
        this.transactional = transactional;
    }

    static Sender idempotent(long id) {
        return new Sender(id, 0, 0, false);
    }

    static Sender transactional(long id) {
        return new Sender(id, 0, 0, true);
    }

    /** One that has sent so much already that this is its next sequence. */
    static Sender at(long id, int sequence) {
        return new Sender(id, 0, sequence, false);
    }

    long id() {
        return id;
    }

    short epoch() {
        return (short) epoch;
    }

    /** From now on it has the next epoch, and begins it at 0. */
    void raiseEpoch() {
        epoch += 1;
        sequence = 0;
    }

    /** The numbers of its next batch, of so many records. */
    Batch.Producer next(int records) {
        Batch.Producer numbers = new Batch.Producer(id, (short) epoch, sequence, transactional);
        skip(records);
        return numbers;
    }

    /** It numbers so many records that are not in the log. Sequences go from 2³¹−1 to 0. */
    void skip(int records) {
        sequence = (sequence + records) & Integer.MAX_VALUE;
    }
}
