package retryproof.oracle.log;

import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;

import java.util.HashMap;
import java.util.Map;

/**
 * What can be set of a log.
 *
 * @param expiryMs how long a producer is remembered ({@code producer.id.expiration.ms})
 * @param timestampType {@code CreateTime} or {@code LogAppendTime} ({@code message.timestamp.type})
 * @param segmentBytes size at which a new segment begins by itself ({@code internal.segment.bytes})
 * @param timestampBeforeMaxMs how old the timestamp of a record may be ({@code message.timestamp.before.max.ms})
 * @param verifyTransactions whether transactions have to be verified ({@code transaction.partition.verification.enable})
 * @param cleanupPolicy {@code delete} or {@code compact} ({@code cleanup.policy})
 * @param preallocate whether the file of a segment has its full size from the beginning ({@code preallocate})
 */
public record LogSettings(
    int expiryMs, String timestampType, int segmentBytes, long timestampBeforeMaxMs, boolean verifyTransactions,
    String cleanupPolicy, boolean preallocate) {
    /** Kafka's default: a day. */
    public static final int DEFAULT_EXPIRY_MS = 86_400_000;
    /** Kafka's default: 1 GiB. */
    public static final int DEFAULT_SEGMENT_BYTES = 1 << 30;
    /** Room for 2048 offsets, far more than a run needs. Kafka's 10 MiB are slow to copy. */
    private static final int INDEX_BYTES = 1 << 14;

    /** Kafka's defaults. */
    public static LogSettings defaults() {
        return new LogSettings(DEFAULT_EXPIRY_MS, TimestampType.CREATE_TIME.name, DEFAULT_SEGMENT_BYTES, Long.MAX_VALUE,
            false, TopicConfig.CLEANUP_POLICY_DELETE, false);
    }

    /** With these, a log that nobody compacts and whose files grow as they are written. */
    public LogSettings(
        int expiryMs, String timestampType, int segmentBytes, long timestampBeforeMaxMs, boolean verifyTransactions) {
        this(expiryMs, timestampType, segmentBytes, timestampBeforeMaxMs, verifyTransactions,
            TopicConfig.CLEANUP_POLICY_DELETE, false);
    }

    /** The same, and a cleaner may compact the log. */
    public LogSettings compacted() {
        return new LogSettings(expiryMs, timestampType, segmentBytes, timestampBeforeMaxMs, verifyTransactions,
            TopicConfig.CLEANUP_POLICY_COMPACT, preallocate);
    }

    /** The same, and the broker stamps the records. */
    public LogSettings stampedByBroker() {
        return new LogSettings(expiryMs, TimestampType.LOG_APPEND_TIME.name, segmentBytes, timestampBeforeMaxMs,
            verifyTransactions, cleanupPolicy, preallocate);
    }

    /** The same, and segments have their full size, which is this, from the beginning. */
    public LogSettings preallocated(int bytes) {
        return new LogSettings(
            expiryMs, timestampType, bytes, timestampBeforeMaxMs, verifyTransactions, cleanupPolicy, true);
    }

    /**
     * The configuration of a log in which nothing happens by itself but what these settings say:
     * no segment is too old or too large, no record expires, and what is deleted is gone at once.
     */
    LogConfig config() {
        Map<String, Object> config = new HashMap<>();
        config.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, timestampType);
        config.put(TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG, timestampBeforeMaxMs);
        config.put(LogConfig.INTERNAL_SEGMENT_BYTES_CONFIG, segmentBytes);
        config.put(TopicConfig.SEGMENT_MS_CONFIG, Long.MAX_VALUE);
        config.put(TopicConfig.SEGMENT_INDEX_BYTES_CONFIG, INDEX_BYTES);
        config.put(TopicConfig.RETENTION_MS_CONFIG, -1L);
        config.put(TopicConfig.RETENTION_BYTES_CONFIG, -1L);
        config.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.MAX_VALUE);
        config.put(TopicConfig.FILE_DELETE_DELAY_MS_CONFIG, 0L);
        config.put(TopicConfig.CLEANUP_POLICY_CONFIG, cleanupPolicy);
        config.put(TopicConfig.PREALLOCATE_CONFIG, preallocate);
        return new LogConfig(config);
    }

    ProducerStateManagerConfig producerStateConfig() {
        return new ProducerStateManagerConfig(expiryMs, verifyTransactions);
    }
}
