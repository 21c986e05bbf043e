package retryproof.oracle.log;

import org.apache.kafka.common.config.TopicConfig;
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
 */
public record LogSettings(
    int expiryMs, String timestampType, int segmentBytes, long timestampBeforeMaxMs, boolean verifyTransactions) {
    /** Kafka's default: a day. */
    public static final int DEFAULT_EXPIRY_MS = 86_400_000;
    /** Kafka's default: 1 GiB. */
    public static final int DEFAULT_SEGMENT_BYTES = 1 << 30;
    /** Room for 2048 offsets, far more than a run needs. Kafka's 10 MiB are slow to copy. */
    private static final int INDEX_BYTES = 1 << 14;

    /** Kafka's defaults. */
    public static LogSettings defaults() {
        return new LogSettings(DEFAULT_EXPIRY_MS, "CreateTime", DEFAULT_SEGMENT_BYTES, Long.MAX_VALUE, false);
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
        return new LogConfig(config);
    }

    ProducerStateManagerConfig producerStateConfig() {
        return new ProducerStateManagerConfig(expiryMs, verifyTransactions);
    }
}
