package retryproof.oracle;

import org.apache.kafka.common.utils.AppInfoParser;
import org.apache.kafka.common.utils.LogContext;
import org.apache.kafka.storage.internals.log.UnifiedLog;

/** What lies elsewhere or is called otherwise in other releases of Kafka. This is release 4.3. */
public final class Moved {
    private Moved() {
    }

    /** Which release of Kafka this is. */
    public static String kafkaVersion() {
        return AppInfoParser.getVersion();
    }

    /** A log context for classes of the client that want one. */
    public static LogContext logContext() {
        return new LogContext();
    }

    /** Closes the files of a log as they are, and writes nothing. */
    public static void letGo(UnifiedLog log) {
        log.closeHandlers();
    }

    /** Closes a log as a broker does that stops in order (Kafka: LogManager). */
    public static void close(UnifiedLog log) {
        log.flush(true);
        log.close();
    }
}
