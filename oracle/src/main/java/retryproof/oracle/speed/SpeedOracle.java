package retryproof.oracle.speed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.apache.kafka.storage.internals.log.ProducerStateEntry;
import org.apache.kafka.storage.internals.log.ProducerStateManager;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import retryproof.oracle.BadCommand;
import retryproof.oracle.Command;
import retryproof.oracle.Lines;
import retryproof.oracle.Moved;
import retryproof.oracle.log.Workspace;

/**
 * {@code oracle.jar speed}: how long Kafka takes to decide about a batch and to remember it, and how much memory a
 * producer takes. {@code README.md} lists the commands.
 */
public final class SpeedOracle implements Lines.Answers {
    private static final int WINDOW = ProducerStateEntry.NUM_BATCHES_TO_RETAIN;
    private static final int MOST_PRODUCERS = 10_000_000;
    private static final int MOST_OPERATIONS = 10_000_000;
    /** So many producers at least are looked at for one of them: a heap holds other things, and they change. */
    private static final int ENOUGH_PRODUCERS = 100_000;
    /** Most managers for them. */
    private static final int MOST_MANAGERS = 10_000;
    /** What one collection leaves another may find. */
    private static final int COLLECTIONS = 4;

    /** It stays empty: nothing is written here. */
    private final Path directory;
    private Append log;
    private Operations operations;
    private long[] drawn = new long[0];

    private SpeedOracle(Path directory) {
        this.directory = directory;
    }

    /** Answers all lines of standard input. */
    public static void run() throws IOException {
        Lines.answerAll(new SpeedOracle(Workspace.create().newDirectory()));
    }

    @Override
    public ObjectNode answer(JsonNode fields) throws BadCommand, IOException {
        Command command = new Command(fields);
        String operation = command.text("op");
        return switch (operation) {
            case "start" -> start(command);
            case "round" -> round(command);
            case "memory" -> memory(command);
            default -> throw new BadCommand("\"op\" is start, round or memory, not " + operation);
        };
    }

    private ObjectNode start(Command command) throws BadCommand, IOException {
        command.allowOnly("op", "producers", "seed");
        int producers = producers(command);
        long seed = command.number("seed", Long.MIN_VALUE, Long.MAX_VALUE);
        log = new Append(directory);
        log.fill(producers, WINDOW);
        operations = new Operations(producers, WINDOW, seed);
        RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
        return Lines.object()
            .put("kafka", Moved.kafkaVersion())
            .put("jvm", runtime.getVmName() + " " + runtime.getVmVersion())
            .put("collectors", collectors().stream().map(GarbageCollectorMXBean::getName).collect(Collectors.joining(", ")));
    }

    private ObjectNode round(Command command) throws BadCommand {
        command.allowOnly("op", "stream", "operations");
        if (log == null) {
            throw new BadCommand("first it has to be told to \"start\"");
        }
        command.text("stream");
        Operations.Stream stream = command.word("stream", Operations.Stream.RANDOM);
        int count = command.integer("operations", 1, MOST_OPERATIONS);
        if (drawn.length != count) {
            drawn = new long[count];
        }
        operations.draw(stream, drawn);
        long collecting = collectingMs();
        long before = System.nanoTime();
        long offsets = log.appendAll(drawn);
        long nanoseconds = System.nanoTime() - before;
        return Lines.object()
            .put("nanoseconds", nanoseconds)
            .put("collecting_ms", collectingMs() - collecting)
            .put("checksum", Long.toHexString(Operations.checksum(drawn)))
            .put("offsets", offsets);
    }

    private ObjectNode memory(Command command) throws BadCommand, IOException {
        command.allowOnly("op", "producers", "batches");
        int producers = producers(command);
        int batches = command.integer("batches", 1, WINDOW);
        log = null;
        operations = null;
        drawn = new long[0];
        int managers = Math.min(Math.max(ENOUGH_PRODUCERS / producers, 1), MOST_MANAGERS);
        List<ProducerStateManager> kept = new ArrayList<>(managers);
        long before = usedBytes();
        for (int made = 0; made < managers; made += 1) {
            Append fresh = new Append(directory);
            fresh.fill(producers, batches);
            kept.add(fresh.manager());
        }
        long bytes = usedBytes() - before;
        Reference.reachabilityFence(kept);
        return Lines.object().put("bytes", bytes).put("managers", managers);
    }

    private static int producers(Command command) throws BadCommand {
        return command.integer("producers", 1, MOST_PRODUCERS);
    }

    /** Bytes of the heap that are in use once what nobody can reach is gone. To ask for them makes no object. */
    private static long usedBytes() {
        for (int done = 0; done < COLLECTIONS; done += 1) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private static List<GarbageCollectorMXBean> collectors() {
        return ManagementFactory.getGarbageCollectorMXBeans();
    }

    private static long collectingMs() {
        return collectors().stream().mapToLong(GarbageCollectorMXBean::getCollectionTime).sum();
    }
}
