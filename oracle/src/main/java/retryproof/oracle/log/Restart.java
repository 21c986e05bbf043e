package retryproof.oracle.log;

/**
 * How a broker stops and starts again.
 *
 * @param mode how it stops
 * @param snapshots what becomes of the snapshot files in between
 * @param recovery from where the log is recovered after a crash
 */
public record Restart(Mode mode, Snapshots snapshots, Recovery recovery) {
    /** A crash after which everything is there and everything is read again. */
    public static final Restart AFTER_CRASH = new Restart(Mode.CRASH, Snapshots.KEPT, Recovery.ALL);

    /** How a broker stops. */
    public enum Mode {
        /** In order: the log is closed, which writes a snapshot. */
        CLEAN,
        /** Nothing is closed or written. */
        CRASH
    }

    /** What becomes of the snapshot files. */
    public enum Snapshots {
        /** Nothing. */
        KEPT,
        /** All are deleted. */
        LOST,
        /** The newest, if there is one, is damaged. */
        NEWEST_CORRUPT
    }

    /** Which segments may not have been flushed. */
    public enum Recovery {
        /** All of them. */
        ALL,
        /** The newest one. */
        TAIL
    }
}
