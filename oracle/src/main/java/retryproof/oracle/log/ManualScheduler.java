package retryproof.oracle.log;

import org.apache.kafka.server.util.Scheduler;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Tasks that wait until they are run, in the thread that asks for it. */
public final class ManualScheduler implements Scheduler {
    private final ManualTime time;
    private final List<Task> tasks = new ArrayList<>();

    public ManualScheduler(ManualTime time) {
        this.time = time;
    }

    @Override
    public void startup() {
    }

    @Override
    public void shutdown() {
        tasks.clear();
    }

    @Override
    public void resizeThreadPool(int size) {
    }

    @Override
    public ScheduledFuture<?> schedule(String name, Runnable task, long delayMs, long periodMs) {
        Task scheduled = new Task(task, time.milliseconds() + delayMs, periodMs);
        tasks.add(scheduled);
        return scheduled;
    }

    /** Runs what is due now and was to be done once. What is repeated waits for {@link #tick}. */
    public void runOnceOnlyTasks() {
        Predicate<Task> due = task -> !task.isPeriodic() && task.due <= time.milliseconds();
        for (Task task = first(due); task != null; task = first(due)) {
            run(task);
        }
    }

    /** Moves the clock, and runs each task when its time comes. */
    public void tick(long milliseconds) {
        long until = time.milliseconds() + milliseconds;
        for (Task task = first(it -> it.due <= until); task != null; task = first(it -> it.due <= until)) {
            time.atLeast(task.due);
            run(task);
        }
        time.atLeast(until);
    }

    private Task first(Predicate<Task> wanted) {
        return tasks.stream().filter(wanted).min(Comparator.comparingLong(task -> task.due)).orElse(null);
    }

    private void run(Task task) {
        if (task.isPeriodic()) {
            while (task.due <= time.milliseconds()) {
                task.due += task.period;
            }
        } else {
            tasks.remove(task);
        }
        task.action.run();
    }

    private final class Task implements ScheduledFuture<Void> {
        private final Runnable action;
        private final long period;
        private long due;
        private boolean cancelled;

        private Task(Runnable action, long due, long period) {
            this.action = action;
            this.due = due;
            this.period = period;
        }

        private boolean isPeriodic() {
            return period > 0;
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            cancelled = tasks.remove(this);
            return cancelled;
        }

        @Override
        public boolean isCancelled() {
            return cancelled;
        }

        @Override
        public boolean isDone() {
            return !tasks.contains(this);
        }

        @Override
        public Void get() {
            throw new UnsupportedOperationException("a task of this scheduler has no result");
        }

        @Override
        public Void get(long timeout, TimeUnit unit) {
            return get();
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(due - time.milliseconds(), TimeUnit.MILLISECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }
}
