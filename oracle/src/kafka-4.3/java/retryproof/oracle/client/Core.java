package retryproof.oracle.client;

import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.producer.internals.ProducerMetadata;
import org.apache.kafka.clients.producer.internals.TransactionManager;
import org.apache.kafka.common.internals.ClusterResourceListeners;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.LogContext;

import retryproof.oracle.Moved;

/** Parts of the client core that other releases of Kafka build in another way. This is release 4.3. */
final class Core {
    private static final long NO_BACKOFF = 0;
    /** No topic is ever forgotten for lack of use. */
    private static final long NEVER_IDLE_MS = Long.MAX_VALUE / 2;

    private Core() {
    }

    static ProducerMetadata metadata(Time time) {
        LogContext logContext = Moved.logContext();
        return new ProducerMetadata(NO_BACKOFF, NO_BACKOFF, Long.MAX_VALUE, NEVER_IDLE_MS, logContext, new ClusterResourceListeners(), time);
    }

    /** Of a producer that is idempotent and not transactional. */
    static TransactionManager transactionManager(ProducerMetadata metadata) {
        LogContext logContext = Moved.logContext();
        return new TransactionManager(logContext, null, Integer.MAX_VALUE, NO_BACKOFF, new ApiVersions(), false);
    }
}
