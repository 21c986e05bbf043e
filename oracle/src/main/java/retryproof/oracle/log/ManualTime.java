package retryproof.oracle.log;

import org.apache.kafka.common.utils.Time;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A clock that stands still until it is moved, and never goes back. It starts at 0. */
public final class ManualTime implements Time {
    private long now;

    @Override
    public long milliseconds() {
        return now;
    }

    @Override
    public long nanoseconds() {
        return TimeUnit.MILLISECONDS.toNanos(now);
    }

    /** Moves the clock to this time, unless it is later already. */
    public void atLeast(long milliseconds) {
        now = Math.max(now, milliseconds);
    }

    @Override
    public void sleep(long milliseconds) {
        now += milliseconds;
    }

    @Override
    public void waitObject(Object object, Supplier<Boolean> condition, long deadline) {
        throw new UnsupportedOperationException("nobody else moves this clock, so there is nothing to wait for");
    }
}
