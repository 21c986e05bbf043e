package retryproof.oracle.segments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import retryproof.oracle.log.Batch;
import retryproof.oracle.log.LogSettings;
import retryproof.oracle.log.Workspace;

/**
 * Logs that a leader would not have written: through a follower, which takes what it is given. The batches,
 * their checksums and the snapshots are Kafka's all the same.
 */
final class WrongLogs {
    private static final long ID = 1001;

    private final Workspace workspace;
    private final Path into;

    WrongLogs(Workspace workspace, Path into) {
        this.workspace = workspace;
        this.into = into;
    }

    void write() throws IOException {
        duplicate();
        duplicateOutsideTheWindow();
        duplicateAcrossSegments();
        gap();
        gapAcrossSegments();
        overtaken();
        overlap();
        beginsLate();
        newEpochBeginsLate();
        epochFalls();
        writesOnAfterTheFence();
        divergedReplicas();
        snapshotOfAnotherLog();
        snapshotBehind();
        snapshotAhead();
        missingSegment();
    }

    /** The second batch stands a second time at the end. */
    private void duplicate() throws IOException {
        try (Journal log = journal()) {
            Sender sender = Sender.idempotent(ID);
            log.take(sender, 2);
            log.take(numbers(0, 2), 3);
            sender.skip(3);
            log.take(sender, 1);
            log.take(numbers(0, 2), 3);
            save(log, "duplicate");
        }
    }

    /** The first of seven batches stands a second time at the end: a broker that remembers five does not know it. */
    private void duplicateOutsideTheWindow() throws IOException {
        try (Journal log = journal()) {
            Sender sender = Sender.idempotent(ID);
            for (int i = 0; i < 7; i++) {
                log.take(sender, 1);
            }
            log.take(numbers(0, 0), 1);
            save(log, "duplicate-outside-the-window");
        }
    }

    /** A batch of the first segment stands again in the second. */
    private void duplicateAcrossSegments() throws IOException {
        try (Journal log = journal()) {
            Sender sender = Sender.idempotent(ID);
            log.take(sender, 2);
            log.take(sender, 2);
            log.partition().roll();
            log.take(numbers(0, 2), 2);
            save(log, "duplicate-across-segments");
        }
    }

    /** Sequences 2 to 4 are missing. Another producer writes on. */
    private void gap() throws IOException {
        try (Journal log = journal()) {
            Sender sender = Sender.idempotent(ID);
            Sender other = Sender.idempotent(1002);
            log.take(sender, 2);
            log.take(other, 2);
            sender.skip(3);
            log.take(sender, 2);
            log.take(other, 1);
            save(log, "gap");
        }
    }

    /** A gap between the last batch of the first segment and the first of the second. */
    private void gapAcrossSegments() throws IOException {
        try (Journal log = journal()) {
            Sender sender = Sender.idempotent(ID);
            log.take(sender, 2);
            log.partition().roll();
            sender.skip(1);
            log.take(sender, 1);
            save(log, "gap-across-segments");
        }
    }

    /** The third batch stands before the second. */
    private void overtaken() throws IOException {
        try (Journal log = journal()) {
            log.take(numbers(0, 0), 1);
            log.take(numbers(0, 2), 1);
            log.take(numbers(0, 1), 1);
            log.take(numbers(0, 3), 1);
            save(log, "overtaken");
        }
    }

    /** The second batch begins within the first, as when a batch was split anew after it was written. */
    private void overlap() throws IOException {
        try (Journal log = journal()) {
            log.take(numbers(0, 0), 3);
            log.take(numbers(0, 2), 2);
            save(log, "overlap");
        }
    }

    /** The log begins at offset 0, and the producer at sequence 3. */
    private void beginsLate() throws IOException {
        try (Journal log = journal()) {
            Sender sender = Sender.at(ID, 3);
            log.take(sender, 2);
            log.take(sender, 1);
            save(log, "begins-late");
        }
    }

    /** A new epoch begins at sequence 1. */
    private void newEpochBeginsLate() throws IOException {
        try (Journal log = journal()) {
            log.take(numbers(0, 0), 2);
            log.take(numbers(1, 1), 1);
            log.take(numbers(1, 2), 1);
            save(log, "new-epoch-begins-late");
        }
    }

    /** A batch of epoch 0 after one of epoch 1. */
    private void epochFalls() throws IOException {
        try (Journal log = journal()) {
            log.take(numbers(0, 0), 2);
            log.take(numbers(1, 0), 1);
            log.take(numbers(0, 2), 1);
            save(log, "epoch-falls");
        }
    }

    /** A marker fenced the producer with epoch 1, and it writes on with epoch 0. */
    private void writesOnAfterTheFence() throws IOException {
        try (Journal log = journal()) {
            Sender sender = Sender.transactional(3001);
            log.send(sender, 2);
            log.fence(sender);
            log.take(sender, 1);
            save(log, "writes-on-after-the-fence");
        }
    }

    /** Two replicas agree up to offset 4; then each took batches of a leader of its own. */
    private void divergedReplicas() throws IOException {
        try (Journal first = journal(); Journal second = journal()) {
            Sender sender = Sender.idempotent(ID);
            Sender other = Sender.idempotent(1002);
            first.send(sender, 2);
            first.send(sender, 2);
            second.follow(first, 4);
            first.send(sender, 2);
            second.lead(1);
            second.send(other, 1);
            second.send(other, 1);
            save(first, "diverged-replicas/broker-1");
            save(second, "diverged-replicas/broker-2");
        }
    }

    /** The log is one of producer 1001, the snapshot at its end knows other batches of it, and a producer that is none. */
    private void snapshotOfAnotherLog() throws IOException {
        try (Journal log = journal(); Journal other = journal()) {
            Sender sender = Sender.idempotent(ID);
            log.send(sender, 2);
            log.send(sender, 2);
            other.send(Sender.idempotent(ID), 3);
            other.send(Sender.idempotent(1002), 1);
            other.partition().snapshot();
            save(log, "snapshot-of-another-log");
            other.partition().copyTo(saved("snapshot-of-another-log"), ".snapshot");
        }
    }

    /** The snapshot at the log end lacks the producer's newest batch: it is the one of two batches before. */
    private void snapshotBehind() throws IOException {
        try (Journal log = journal()) {
            Sender sender = Sender.idempotent(ID);
            log.send(sender, 2);
            log.partition().snapshot();
            log.send(sender, 2);
            log.send(sender, 1);
            save(log, "snapshot-behind");
            rename("snapshot-behind", 2, log.end());
        }
    }

    /** The snapshot of the log end has the name of one before the newest batch. */
    private void snapshotAhead() throws IOException {
        try (Journal log = journal()) {
            Sender sender = Sender.idempotent(ID);
            log.send(sender, 2);
            log.send(sender, 2);
            log.partition().snapshot();
            save(log, "snapshot-ahead");
            rename("snapshot-ahead", log.end(), 2);
        }
    }

    /** Of three segments the second is gone. */
    private void missingSegment() throws IOException {
        try (Journal log = journal()) {
            Sender sender = Sender.idempotent(ID);
            log.send(sender, 2);
            log.partition().roll();
            log.send(sender, 2);
            log.partition().roll();
            log.send(sender, 2);
            save(log, "missing-segment");
            Files.delete(saved("missing-segment").resolve(String.format("%020d.log", 2)));
        }
    }

    private void rename(String log, long offset, long to) throws IOException {
        Path directory = saved(log);
        Files.move(directory.resolve(snapshot(offset)), directory.resolve(snapshot(to)));
    }

    private static String snapshot(long offset) {
        return String.format("%020d.snapshot", offset);
    }

    private static Batch.Producer numbers(int epoch, int sequence) {
        return new Batch.Producer(ID, (short) epoch, sequence, false);
    }

    private Journal journal() throws IOException {
        return new Journal(workspace, LogSettings.defaults());
    }

    /** The directory that a log was saved in. */
    private Path saved(String log) {
        return into.resolve(log).resolve(Journal.PARTITION);
    }

    private void save(Journal log, String name) throws IOException {
        log.save(into.resolve(name));
    }
}
