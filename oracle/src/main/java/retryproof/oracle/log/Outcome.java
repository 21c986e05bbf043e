package retryproof.oracle.log;

import org.apache.kafka.common.protocol.Errors;

/**
 * What came of an append. Offsets are those of the first and the last record.
 *
 * @param what which of the three
 * @param first first offset, −1 if refused
 * @param last last offset, −1 if refused
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
        /** They were refused, nothing was written. */
        ERROR
    }

    static Outcome refused(Errors error) {
        return new Outcome(What.ERROR, -1, -1, -1, error);
    }
}
