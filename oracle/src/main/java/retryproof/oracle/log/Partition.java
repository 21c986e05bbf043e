package retryproof.oracle.log;

import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.server.common.RequestLocal;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.CorruptSnapshotException;
import org.apache.kafka.storage.internals.log.LogAppendInfo;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogStartOffsetIncrementReason;
import org.apache.kafka.storage.internals.log.ProducerStateEntry;
import org.apache.kafka.storage.internals.log.ProducerStateManager;
import org.apache.kafka.storage.internals.log.RecordValidationException;
import org.apache.kafka.storage.internals.log.SnapshotFile;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.internals.log.VerificationGuard;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import retryproof.oracle.Moved;

/**
 * One partition on one broker: a {@link UnifiedLog} in a directory of its own, under a clock
 * that others move.
 *
 * <p>It has no other replica, so what is appended is below the high watermark at once. Tasks
 * that the log wants done once run right after the operation that wanted them; those that it
 * wants repeated, as the expiry of producers, run in {@link #tick}.
 */
public final class Partition implements AutoCloseable {
    /** How often Kafka looks for expired producers ({@code producer.id.expiration.check.interval.ms}). */
    public static final int EXPIRY_CHECK_INTERVAL_MS = 600_000;
    /** Kafka's default of {@code transaction.max.timeout.ms}. */
    private static final int MAX_TRANSACTION_TIMEOUT_MS = 900_000;
    /** Transaction version for batches that end no transaction: it is not looked at. */
    private static final short ANY_TRANSACTION_VERSION = 0;
    /** Holds figures about all logs of the process. */
    private static final BrokerTopicStats STATISTICS = new BrokerTopicStats(false);

    private final Workspace workspace;
    private final TopicPartition name;
    private final LogSettings settings;
    private final ManualTime time;
    /** The directory in which the one of the log lies. */
    private Path parent;
    private ManualScheduler scheduler;
    private UnifiedLog log;

    private Partition(Workspace workspace, TopicPartition name, LogSettings settings, ManualTime time) {
        this.workspace = workspace;
        this.name = name;
        this.settings = settings;
        this.time = time;
    }

    /** A new partition with an empty log. */
    public static Partition open(Workspace workspace, TopicPartition name, LogSettings settings, ManualTime time)
        throws IOException {
        Partition partition = new Partition(workspace, name, settings, time);
        partition.create();
        return partition;
    }

    /** The log itself. It is another one after a restart. */
    public UnifiedLog log() {
        return log;
    }

    public ManualTime time() {
        return time;
    }

    /** All producers that the log knows, by their ids. */
    public Map<Long, ProducerStateEntry> producers() {
        return log.producerStateManager().activeProducers();
    }

    /** The offsets of the snapshot files that lie in the directory, in order. */
    public List<Long> snapshots() throws IOException {
        return snapshotFiles(directory()).stream().map(file -> file.offset).toList();
    }

    /** The producers in each snapshot file, by its offset; in one that is damaged, none. */
    public Map<Long, List<Long>> producersInSnapshots() throws IOException {
        Map<Long, List<Long>> producers = new TreeMap<>();
        for (SnapshotFile file : snapshotFiles(directory())) {
            producers.put(file.offset, producersIn(file));
        }
        return producers;
    }

    /** The leader appends what a client sent. */
    public Outcome appendAsLeader(MemoryRecords records, int leaderEpoch) throws IOException {
        return appendAsLeader(records, leaderEpoch, AppendOrigin.CLIENT, ANY_TRANSACTION_VERSION);
    }

    /**
     * The leader appends what a client or a coordinator sent.
     *
     * @param transactionVersion under which a marker ends its transaction
     */
    public Outcome appendAsLeader(
        MemoryRecords records, int leaderEpoch, AppendOrigin origin, short transactionVersion) throws IOException {
        return append(() -> log.appendAsLeader(
            records, leaderEpoch, origin, RequestLocal.noCaching(), VerificationGuard.SENTINEL, transactionVersion));
    }

    /** A follower appends what it fetched from its leader: batches with their offsets. */
    public Outcome appendAsFollower(MemoryRecords records, int leaderEpoch) throws IOException {
        return append(() -> log.appendAsFollower(records, leaderEpoch));
    }

    /**
     * A client's batch is checked and then the broker crashes and starts again, if it would be
     * appended. If not, it is answered, and nothing else happens.
     *
     * @param written whether the batch is in the log when the broker crashes
     */
    public Outcome appendAndCrash(MemoryRecords records, int leaderEpoch, boolean written) throws IOException {
        Path before = image();
        Outcome outcome = appendAsLeader(records, leaderEpoch);
        if (outcome.what() != Outcome.What.APPEND) {
            Workspace.deleteAll(before);
        } else if (written) {
            Workspace.deleteAll(before);
            restart(Restart.AFTER_CRASH);
        } else {
            startFrom(before, Restart.AFTER_CRASH);
        }
        return outcome;
    }

    /** The broker stops and starts again. */
    public void restart(Restart how) throws IOException {
        if (how.mode() == Restart.Mode.CRASH) {
            startFrom(image(), how);
            return;
        }
        long start = log.logStartOffset();
        long end = log.logEndOffset();
        log.removeLogMetrics();
        Moved.close(log);
        damage(directory(), how.snapshots());
        load(start, end, true);
    }

    /** A follower cuts off its log at this offset. */
    public void truncate(long to) throws IOException {
        log.truncateTo(to);
        settle();
    }

    /** A follower drops its log and begins anew at this offset. */
    public void truncateFully(long startAt) throws IOException {
        log.truncateFullyAndStartAt(startAt, Optional.empty());
        settle();
    }

    /**
     * Moves the log start to this offset, as a client asks for.
     *
     * @return why not, {@code NONE} if it was done
     */
    public Errors deleteRecords(long before) throws IOException {
        try {
            log.maybeIncrementLogStartOffset(before, LogStartOffsetIncrementReason.ClientRecordDeletion);
        } catch (ApiException refused) {
            return Errors.forException(refused);
        }
        settle();
        return Errors.NONE;
    }

    /** Deletes the segments that lie below the log start. */
    public void deleteOldSegments() throws IOException {
        log.deleteOldSegments();
        settle();
    }

    /** The expiry check runs, at the time that the clock shows. */
    public void expire() {
        log.removeExpiredProducers(time.milliseconds());
    }

    /** Moves the clock, and runs what the log wants done until then. */
    public void tick(long milliseconds) throws IOException {
        scheduler.tick(milliseconds);
        settle();
    }

    /** A new segment begins. */
    public void roll() throws IOException {
        log.roll();
        settle();
    }

    /**
     * The log cleaner runs once over all segments but the newest, which must be full of what can be cleaned.
     *
     * @return the offset up to which the log is clean now, which is where the next run begins
     */
    public long clean(long firstDirtyOffset) throws IOException {
        long clean = Cleaning.run(log, firstDirtyOffset, time);
        settle();
        return clean;
    }

    /** Copies the files of the log with these endings of their names into a directory, as they are now. */
    public void copyTo(Path into, String... endings) throws IOException {
        Workspace.copyFiles(directory(), into, endings);
    }

    /** Writes a snapshot of the producers at the log end. */
    public void snapshot() throws IOException {
        log.takeProducerSnapshot();
    }

    /** The topic is deleted and made again. */
    public void recreate() throws IOException {
        close();
        create();
    }

    /** Lets go of the log without closing it in order, and deletes its files. */
    @Override
    public void close() throws IOException {
        log.removeLogMetrics();
        Moved.letGo(log);
        scheduler.shutdown();
        Workspace.deleteAll(parent);
    }

    private void create() throws IOException {
        parent = workspace.newDirectory();
        Files.createDirectory(directory());
        load(0, 0, true);
    }

    private Path directory() {
        return parent.resolve(UnifiedLog.logDirName(name));
    }

    /** A copy of the log's files as they are now: what a broker finds after a crash. */
    private Path image() throws IOException {
        Path image = workspace.newDirectory();
        Path into = image.resolve(directory().getFileName());
        Files.createDirectory(into);
        Workspace.copyFiles(directory(), into);
        return image;
    }

    private void startFrom(Path image, Restart how) throws IOException {
        long start = log.logStartOffset();
        long recoveryPoint = how.recovery() == Restart.Recovery.ALL ? 0 : log.activeSegment().baseOffset();
        close();
        parent = image;
        damage(directory(), how.snapshots());
        load(start, recoveryPoint, false);
    }

    private void load(long logStart, long recoveryPoint, boolean stoppedInOrder) throws IOException {
        scheduler = new ManualScheduler(time);
        log = UnifiedLog.create(directory().toFile(), settings.config(), logStart, recoveryPoint, scheduler, STATISTICS,
            time, MAX_TRANSACTION_TIMEOUT_MS, settings.producerStateConfig(), EXPIRY_CHECK_INTERVAL_MS,
            new LogDirFailureChannel(1), stoppedInOrder, Optional.empty());
        settle();
    }

    /** What follows an operation at once on a broker without followers. */
    private void settle() throws IOException {
        log.updateHighWatermark(log.logEndOffset());
        scheduler.runOnceOnlyTasks();
    }

    private interface Append {
        LogAppendInfo run() throws IOException;
    }

    private Outcome append(Append append) throws IOException {
        long end = log.logEndOffset();
        LogAppendInfo done;
        try {
            done = append.run();
        } catch (RecordValidationException invalid) {
            return Outcome.refused(Errors.forException(invalid.invalidException()));
        } catch (ApiException refused) {
            return Outcome.refused(Errors.forException(refused));
        }
        Outcome outcome = Outcome.of(done, log.logEndOffset() > end);
        settle();
        return outcome;
    }

    private static List<SnapshotFile> snapshotFiles(Path directory) throws IOException {
        return ProducerStateManager.listSnapshotFiles(directory.toFile()).stream()
            .sorted(Comparator.comparingLong(file -> file.offset))
            .toList();
    }

    private static List<Long> producersIn(SnapshotFile file) throws IOException {
        try {
            List<ProducerStateEntry> entries = ProducerStateManager.readSnapshot(file.file());
            return entries.stream().map(ProducerStateEntry::producerId).sorted().toList();
        } catch (CorruptSnapshotException damaged) {
            return List.of();
        }
    }

    private static void damage(Path directory, Restart.Snapshots how) throws IOException {
        List<SnapshotFile> files = snapshotFiles(directory);
        switch (how) {
            case KEPT -> { }
            case LOST -> {
                for (SnapshotFile file : files) {
                    Files.delete(file.file().toPath());
                }
            }
            case NEWEST_CORRUPT -> {
                if (!files.isEmpty()) {
                    Path newest = files.get(files.size() - 1).file().toPath();
                    byte[] bytes = Files.readAllBytes(newest);
                    bytes[bytes.length - 1] = (byte) ~bytes[bytes.length - 1];
                    Files.write(newest, bytes);
                }
            }
        }
    }
}
