package retryproof.oracle.log;

import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.storage.internals.log.LogAppendInfo;

/**
 * What came of an append. Offsets are those of the first and the last record.
 *
 * @param what which of these
 * @param first first offset, −1 if there is none
 * @param last last offset, −1 if there is none
 * @param logAppendTime what a client would be told, −1 for none
 * @param error why it was refused, {@code NONE} if it was not
 */
public record Outcome(What what, long first, long last, long logAppendTime, Errors error) {
    /** What a log does with batches. */
    public enum What {
        /** They were written. */
        APPEND,
        /** They are in the log already, nothing was written. */
        DUPLICATE,
        /** There were none. */
        NOTHING,
        /** They were refused, nothing was written. */
        ERROR
    }

    /** What Kafka says was done, and whether the log grew by it: that it is a duplicate, it does not say. */
    static Outcome of(LogAppendInfo done, boolean grown) {
        What what = grown ? What.APPEND : done.firstOffset() >= 0 ? What.DUPLICATE : What.NOTHING;
        return new Outcome(what, done.firstOffset(), done.lastOffset(), done.logAppendTime(), Errors.NONE);
    }

    static Outcome refused(Errors error) {
        return new Outcome(What.ERROR, -1, -1, -1, error);
    }
}
