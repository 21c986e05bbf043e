package retryproof.oracle.log;

import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.Cleaner;
import org.apache.kafka.storage.internals.log.LogToClean;
import org.apache.kafka.storage.internals.log.SkimpyOffsetMap;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.internals.utils.Throttler;

import java.io.IOException;
import java.security.GeneralSecurityException;

/** One run of Kafka's own log cleaner, without the threads that look for logs to clean. */
final class Cleaning {
    /** Room for the keys of a log, far more than a run needs. */
    private static final int OFFSET_MAP_BYTES = 1 << 16;
    private static final int IO_BUFFER_BYTES = 1 << 16;
    /** Kafka's default of {@code log.cleaner.io.buffer.load.factor}. */
    private static final double LOAD_FACTOR = 0.9;

    private Cleaning() {
    }

    /**
     * Cleans all segments but the newest.
     *
     * @return the offset up to which the log is clean now
     */
    static long run(UnifiedLog log, long firstDirtyOffset, Time time) throws IOException {
        Throttler unlimited = new Throttler(Double.MAX_VALUE, Long.MAX_VALUE, "cleaner", "bytes", time);
        try {
            Cleaner cleaner = new Cleaner(0, new SkimpyOffsetMap(OFFSET_MAP_BYTES), IO_BUFFER_BYTES, IO_BUFFER_BYTES,
                LOAD_FACTOR, unlimited, time, partition -> { });
            return cleaner.clean(new LogToClean(log, firstDirtyOffset, log.activeSegment().baseOffset(), true)).getKey();
        } catch (GeneralSecurityException noDigest) {
            throw new IllegalStateException("the cleaner hashes keys with MD5, which this JVM lacks", noDigest);
        }
    }
}
