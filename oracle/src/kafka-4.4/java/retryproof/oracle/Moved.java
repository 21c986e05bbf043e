package retryproof.oracle;

import org.apache.kafka.common.utils.internals.AppInfoParser;
import org.apache.kafka.common.utils.internals.LogContext;

/** What lies in another package in other releases of Kafka. This is release 4.4. */
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
}
