package retryproof.oracle.log;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.ProducerStateEntry;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

import retryproof.oracle.BadCommand;
import retryproof.oracle.Command;
import retryproof.oracle.Lines;

/**
 * {@code oracle.jar log}: a partition of Kafka as a subject of {@code retryproof shadow}, with
 * some operations more. {@code README.md} lists them.
 */
public final class LogOracle implements Lines.Answers {
    private static final TopicPartition NAME = new TopicPartition("retryproof", 0);
    /** From so many records on, a batch that nobody checks is written as compaction leaves it. */
    private static final int MANY_RECORDS = 10_000;
    /** Most records of a batch that a leader checks: it looks at each. */
    private static final int MOST_CHECKED_RECORDS = 1_000_000;
    /** Under which markers are checked unless said otherwise: an equal epoch will do. */
    private static final long TRANSACTION_VERSION = 1;
    private static final List<String> SUPPORTED = List.of("append", "plain", "marker", "reload", "snapshot", "truncate",
        "delete_records", "expire", "roll", "retention", "recreate", "replica", "crash_before_write", "crash_after_write");

    private final Workspace workspace;
    private Partition partition;
    private boolean withDetails;

    private LogOracle(Workspace workspace) {
        this.workspace = workspace;
    }

    /** Answers all lines of standard input. */
    public static void run() throws IOException {
        Lines.answerAll(new LogOracle(Workspace.create()));
    }

    /** Who appends. */
    private enum Origin { CLIENT, COORDINATOR, REPLICA }

    /** What becomes of a batch that is to be appended. */
    private enum Fate { KEPT, CRASH_BEFORE_WRITE, CRASH_AFTER_WRITE }

    /** How a transaction ends. */
    private enum Ending { COMMIT, ABORT }

    @Override
    public ObjectNode answer(JsonNode fields) throws BadCommand, IOException {
        Command command = new Command(fields);
        String operation = command.text("op");
        if (operation.equals("start")) {
            return start(command);
        }
        if (partition == null) {
            throw new BadCommand("first it has to be told to \"start\"");
        }
        ObjectNode answer = carryOut(operation, command);
        answer.set("state", Observed.producers(partition));
        if (withDetails) {
            answer.set("details", Observed.details(partition));
        }
        return answer;
    }

    private ObjectNode start(Command command) throws BadCommand, IOException {
        command.allowOnly("op", "profile", "window", "expiry_ms", "timestamp_type", "segment_bytes",
            "timestamp_before_max_ms", "details");
        if (command.has("profile") && !command.text("profile").equals("kafka")) {
            throw new BadCommand("this is Kafka, which has no profile but kafka");
        }
        int window = ProducerStateEntry.NUM_BATCHES_TO_RETAIN;
        if (command.number("window", Long.MIN_VALUE, Long.MAX_VALUE, window) != window) {
            throw new BadCommand("Kafka remembers " + window + " batches of a producer, which cannot be set");
        }
        LogSettings settings = settings(command);
        withDetails = command.flag("details");
        if (partition != null) {
            partition.close();
            partition = null;
        }
        partition = Partition.open(workspace, NAME, settings, new ManualTime());
        ObjectNode answer = ok();
        SUPPORTED.forEach(answer.putArray("supports")::add);
        return answer;
    }

    private static LogSettings settings(Command command) throws BadCommand {
        LogSettings kafka = LogSettings.defaults();
        String timestampType = command.has("timestamp_type") ? command.text("timestamp_type") : kafka.timestampType();
        if (!List.of("CreateTime", "LogAppendTime").contains(timestampType)) {
            throw new BadCommand("\"timestamp_type\" is CreateTime or LogAppendTime, not " + timestampType);
        }
        return new LogSettings(
            (int) command.number("expiry_ms", 1, Integer.MAX_VALUE, kafka.expiryMs()),
            timestampType,
            (int) command.number("segment_bytes", 1, Integer.MAX_VALUE, kafka.segmentBytes()),
            command.number("timestamp_before_max_ms", 0, Long.MAX_VALUE, kafka.timestampBeforeMaxMs()),
            kafka.verifyTransactions());
    }

    private ObjectNode carryOut(String operation, Command command) throws BadCommand, IOException {
        switch (operation) {
            case "append":
                return append(command);
            case "plain":
                return plain(command);
            case "marker":
                return marker(command);
            case "raw":
                return raw(command);
            case "follower":
                return follower(command);
            case "reload":
                return reload(command);
            case "truncate":
                command.allowOnly("op", "to");
                partition.truncate(offset(command, "to"));
                return ok();
            case "truncate_fully":
                command.allowOnly("op", "at");
                partition.truncateFully(offset(command, "at"));
                return ok();
            case "delete_records":
                command.allowOnly("op", "before");
                return okUnless(partition.deleteRecords(offset(command, "before")));
            case "expire":
                command.allowOnly("op", "now");
                partition.time().atLeast(command.number("now", 0, Long.MAX_VALUE));
                partition.expire();
                return ok();
            case "tick":
                command.allowOnly("op", "ms");
                partition.tick(command.number("ms", 0, Long.MAX_VALUE - partition.time().milliseconds()));
                return ok();
            case "snapshots":
                command.allowOnly("op");
                return snapshots();
            default:
                return carryOutPlain(operation, command);
        }
    }

    /** Operations without fields. */
    private ObjectNode carryOutPlain(String operation, Command command) throws BadCommand, IOException {
        command.allowOnly("op");
        switch (operation) {
            case "snapshot" -> partition.snapshot();
            case "roll" -> partition.roll();
            case "retention" -> partition.deleteOldSegments();
            case "recreate" -> partition.recreate();
            case "look" -> { }
            default -> throw new BadCommand("there is no operation \"" + operation + "\"");
        }
        return ok();
    }

    private ObjectNode append(Command command) throws BadCommand, IOException {
        command.allowOnly("op", "pid", "epoch", "seq", "n", "ts", "origin", "fate", "txn");
        Origin origin = command.word("origin", Origin.CLIENT);
        Fate fate = command.word("fate", Fate.KEPT);
        long timestamp = timestamp(command);
        Batch.Producer producer = producer(command);
        int records = records(command);
        if (origin == Origin.REPLICA) {
            if (fate != Fate.KEPT) {
                throw new BadCommand("only a client's batch has a \"fate\"");
            }
            return replicate(producer, records, timestamp);
        }
        MemoryRecords batch = checked(producer, records, timestamp);
        partition.time().atLeast(timestamp);
        if (fate == Fate.KEPT) {
            return told(partition.appendAsLeader(batch, leaderEpoch(), ofKafka(origin), (short) TRANSACTION_VERSION));
        }
        if (origin != Origin.CLIENT) {
            throw new BadCommand("only a client's batch has a \"fate\"");
        }
        Outcome outcome = partition.appendAndCrash(batch, leaderEpoch(), fate == Fate.CRASH_AFTER_WRITE);
        return outcome.what() == Outcome.What.APPEND ? ok() : told(outcome);
    }

    private ObjectNode plain(Command command) throws BadCommand, IOException {
        command.allowOnly("op", "n", "ts");
        long timestamp = timestamp(command);
        int records = records(command);
        if (records > MANY_RECORDS) {
            return replicate(Batch.Producer.NONE, records, timestamp);
        }
        MemoryRecords batch = checked(Batch.Producer.NONE, records, timestamp);
        partition.time().atLeast(timestamp);
        return told(partition.appendAsLeader(batch, leaderEpoch()));
    }

    private ObjectNode marker(Command command) throws BadCommand, IOException {
        command.allowOnly("op", "pid", "epoch", "coord", "ts", "origin", "ending", "version");
        Origin origin = command.word("origin", Origin.COORDINATOR);
        long timestamp = timestamp(command);
        short version = (short) command.number("version", 0, 2, TRANSACTION_VERSION);
        if (origin == Origin.REPLICA) {
            Batch marker = marker(command, here(), timestamp);
            partition.time().atLeast(timestamp);
            return told(partition.appendAsFollower(marker.records(), leaderEpoch()));
        }
        Batch marker = marker(command, Batch.Place.NOT_YET, timestamp);
        partition.time().atLeast(timestamp);
        return told(partition.appendAsLeader(marker.records(), leaderEpoch(), ofKafka(origin), version));
    }

    /** Bytes of record batches, through the leader or as a follower. */
    private ObjectNode raw(Command command) throws BadCommand, IOException {
        command.allowOnly("op", "hex", "origin", "leader_epoch");
        byte[] bytes;
        try {
            bytes = HexFormat.of().parseHex(command.text("hex"));
        } catch (IllegalArgumentException notHex) {
            throw new BadCommand("\"hex\" has two hexadecimal digits for each byte");
        }
        MemoryRecords records = MemoryRecords.readableRecords(ByteBuffer.wrap(bytes));
        Origin origin = command.word("origin", Origin.CLIENT);
        int leaderEpoch = leaderEpoch(command, leaderEpoch());
        return told(origin == Origin.REPLICA
            ? partition.appendAsFollower(records, leaderEpoch)
            : partition.appendAsLeader(records, leaderEpoch, ofKafka(origin), (short) TRANSACTION_VERSION));
    }

    /** What a follower fetched: batches with their offsets, in one append. */
    private ObjectNode follower(Command command) throws BadCommand, IOException {
        command.allowOnly("op", "leader_epoch", "batches");
        int leaderEpoch = leaderEpoch(command, leaderEpoch());
        List<Batch> batches = new ArrayList<>();
        for (Command batch : command.list("batches")) {
            batches.add(fetched(batch, leaderEpoch));
            partition.time().atLeast(timestamp(batch));
        }
        return told(partition.appendAsFollower(Batch.together(batches), leaderEpoch));
    }

    private static Batch fetched(Command batch, int leaderEpoch) throws BadCommand {
        Batch.Place place = new Batch.Place(offset(batch, "offset"), leaderEpoch(batch, leaderEpoch));
        long timestamp = timestamp(batch);
        if (batch.has("coord")) {
            batch.allowOnly("offset", "leader_epoch", "pid", "epoch", "coord", "ts", "ending");
            return marker(batch, place, timestamp);
        }
        batch.allowOnly("offset", "leader_epoch", "pid", "epoch", "seq", "n", "ts", "txn", "compacted");
        Batch.Producer producer = batch.has("pid") ? producer(batch) : Batch.Producer.NONE;
        int records = records(batch);
        return batch.flag("compacted") || records > MANY_RECORDS
            ? Batch.compacted(place, producer, records, timestamp)
            : Batch.ofRecords(place, producer, records, timestamp);
    }

    private ObjectNode reload(Command command) throws BadCommand, IOException {
        command.allowOnly("op", "mode", "snapshots", "recovery");
        command.text("mode");
        partition.restart(new Restart(
            command.word("mode", Restart.Mode.CLEAN),
            command.word("snapshots", Restart.Snapshots.KEPT),
            command.word("recovery", Restart.Recovery.ALL)));
        return ok();
    }

    private ObjectNode snapshots() throws IOException {
        ObjectNode answer = ok();
        ObjectNode files = answer.putObject("snapshots");
        partition.producersInSnapshots().forEach((offset, producers) -> {
            ArrayNode ids = files.putArray(Long.toString(offset));
            producers.forEach(ids::add);
        });
        return answer;
    }

    /** A follower's copy, at its log end. */
    private ObjectNode replicate(Batch.Producer producer, int records, long timestamp) throws IOException {
        Batch batch = records > MANY_RECORDS
            ? Batch.compacted(here(), producer, records, timestamp)
            : Batch.ofRecords(here(), producer, records, timestamp);
        partition.time().atLeast(timestamp);
        return told(partition.appendAsFollower(batch.records(), leaderEpoch()));
    }

    private static MemoryRecords checked(Batch.Producer producer, int records, long timestamp) throws BadCommand {
        if (records > MOST_CHECKED_RECORDS) {
            throw new BadCommand("a batch that is checked has at most " + MOST_CHECKED_RECORDS + " records");
        }
        return Batch.ofRecords(Batch.Place.NOT_YET, producer, records, timestamp).records();
    }

    private static Batch marker(Command command, Batch.Place place, long timestamp) throws BadCommand {
        boolean commits = command.word("ending", Ending.COMMIT) == Ending.COMMIT;
        int coordinatorEpoch = (int) command.number("coord", Integer.MIN_VALUE, Integer.MAX_VALUE);
        return Batch.marker(place, pid(command), epoch(command), commits, coordinatorEpoch, timestamp);
    }

    private static Batch.Producer producer(Command command) throws BadCommand {
        int sequence = (int) command.number("seq", Integer.MIN_VALUE, Integer.MAX_VALUE);
        return new Batch.Producer(pid(command), epoch(command), sequence, command.flag("txn"));
    }

    private static long pid(Command command) throws BadCommand {
        return command.number("pid", Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private static short epoch(Command command) throws BadCommand {
        return (short) command.number("epoch", Short.MIN_VALUE, Short.MAX_VALUE);
    }

    private static int records(Command command) throws BadCommand {
        return (int) command.number("n", 1, Integer.MAX_VALUE);
    }

    private static long timestamp(Command command) throws BadCommand {
        return command.number("ts", 0, Long.MAX_VALUE, 0);
    }

    private static long offset(Command command, String name) throws BadCommand {
        return command.number(name, 0, Long.MAX_VALUE);
    }

    private static int leaderEpoch(Command command, int otherwise) throws BadCommand {
        return (int) command.number("leader_epoch", 0, Integer.MAX_VALUE, otherwise);
    }

    /** The newest leader epoch that the log knows. */
    private int leaderEpoch() {
        return partition.log().latestEpoch().orElse(0);
    }

    private Batch.Place here() {
        return new Batch.Place(partition.log().logEndOffset(), leaderEpoch());
    }

    private static AppendOrigin ofKafka(Origin origin) {
        return switch (origin) {
            case CLIENT -> AppendOrigin.CLIENT;
            case COORDINATOR -> AppendOrigin.COORDINATOR;
            case REPLICA -> AppendOrigin.REPLICATION;
        };
    }

    private ObjectNode told(Outcome outcome) {
        ObjectNode answer = Lines.object();
        switch (outcome.what()) {
            case APPEND -> answer.putArray("append").add(outcome.first()).add(outcome.last());
            case DUPLICATE -> answer.putArray("dup").add(outcome.first()).add(outcome.last());
            case NOTHING, ERROR -> {
                return okUnless(outcome.error());
            }
        }
        if (withDetails) {
            answer.put("log_append_time", outcome.logAppendTime());
        }
        return answer;
    }

    private static ObjectNode okUnless(Errors error) {
        return error == Errors.NONE ? ok() : Lines.object().put("error", error.name());
    }

    private static ObjectNode ok() {
        return Lines.object().put("ok", true);
    }
}
