package retryproof.oracle.client;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.apache.kafka.clients.ClientRequest;
import org.apache.kafka.clients.producer.internals.ProducerBatch;
import org.apache.kafka.common.protocol.Errors;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import retryproof.oracle.BadCommand;
import retryproof.oracle.Command;
import retryproof.oracle.Lines;
import retryproof.oracle.log.ManualTime;
import retryproof.oracle.log.Outcome;
import retryproof.oracle.log.Restart;

/** Clients, the requests between, and brokers, from one {@code start} to the next. */
final class World {
    /** A batch of so many records is sure to fit into one. */
    private static final int MOST_RECORDS = 100;
    /** How far the clock moves with each batch, so that each has a deadline of its own. */
    private static final long STEP_MS = 512;
    /** Which part of the time to the next deadline a step takes at most. */
    private static final long SHARE = 4;

    private final Settings settings;
    private final ManualTime time = new ManualTime();
    private final Events events = new Events();
    private final List<Request> requests = new ArrayList<>();
    private final List<Client> clients = new ArrayList<>();
    private final List<List<Replica>> brokers;

    World(Settings settings, Logs logs) throws IOException {
        this.settings = settings;
        this.brokers = logs.open(settings);
        ProducerIds ids = new ProducerIds(settings);
        for (int number = 0; number < settings.producers(); number++) {
            int producer = number;
            clients.add(new Client(producer, settings, time, ids, events, sent -> leave(producer, sent)));
        }
        ids.allStarted();
    }

    Events events() {
        return events;
    }

    /** The producer ids. */
    ObjectNode started() {
        ObjectNode answer = Lines.object();
        ArrayNode pids = answer.putArray("pids");
        clients.forEach(client -> pids.add(client.producerId()));
        return answer;
    }

    /** The command {@code record}. */
    ObjectNode record(Command command) throws BadCommand, InterruptedException {
        command.allowOnly("op", "producer", "partition", "records");
        Client client = client(command);
        int partition = partition(command);
        List<Integer> labels = command.integers("records", 0, Integer.MAX_VALUE);
        if (labels.isEmpty() || labels.size() > MOST_RECORDS) {
            throw new BadCommand("from 1 to " + MOST_RECORDS + " records at once");
        }
        if (client.hasFresh(partition)) {
            throw new BadCommand("records that were not sent yet wait there: these would join their batch");
        }
        time.sleep(step());
        client.record(partition, labels);
        return Lines.object();
    }

    /** The command {@code turn}. */
    ObjectNode turn(Command command) throws BadCommand {
        command.allowOnly("op", "producer", "open");
        Client client = client(command);
        List<Integer> open = command.integers("open", 0, settings.partitions() - 1);
        for (int i = 0; i < open.size(); i++) {
            for (int other : open.subList(0, i)) {
                if (client.haveOneLeader(open.get(i), other)) {
                    throw new BadCommand(
                        "partitions " + other + " and " + open.get(i) + " would share a request");
                }
            }
        }
        client.turn(open);
        return Lines.object();
    }

    /** The command {@code deliver}. */
    ObjectNode deliver(Command command) throws BadCommand, IOException {
        command.allowOnly("op", "request");
        Request request = request(command);
        Outcome outcome = replica(request).deliver(request.bytes());
        return describe(outcome).put("delivery", request.delivered(outcome));
    }

    /** The command {@code read}. */
    ObjectNode read(Command command) throws BadCommand {
        command.allowOnly("op", "request", "delivery", "error");
        Request request = request(command);
        if (request.isAnswered()) {
            throw new BadCommand("the client has an answer to request " + request.id() + " or its connection is gone");
        }
        long now = time.milliseconds();
        long logStart = replica(request).logStart();
        if (command.has("error")) {
            Errors error = error(command.text("error"));
            client(request).poll(() -> request.fail(error, logStart, now));
            return Lines.object();
        }
        if (request.deliveries() == 0) {
            throw new BadCommand("request " + request.id() + " was never delivered");
        }
        int last = request.deliveries() - 1;
        Outcome outcome = request.delivery(command.integer("delivery", 0, last, last));
        client(request).poll(() -> {
            if (outcome.what() == Outcome.What.ERROR) {
                request.fail(outcome.error(), logStart, now);
            } else {
                request.succeed(outcome.first(), outcome.logAppendTime(), logStart, now);
            }
        });
        return Lines.object();
    }

    /** The command {@code disconnect}. */
    ObjectNode disconnect(Command command) throws BadCommand {
        command.allowOnly("op", "producer", "broker");
        Client client = client(command);
        int broker = broker(command, "broker");
        for (Request request : List.copyOf(client.network().unanswered())) {
            if (request.broker() == broker) {
                client.poll(() -> request.disconnect(time.milliseconds()));
            }
        }
        return Lines.object();
    }

    /** The command {@code time_out}. */
    ObjectNode timeOut(Command command) throws BadCommand {
        command.allowOnly("op", "producer", "partition", "record");
        Client client = client(command);
        ProducerBatch chosen = chosen(command, client.undecided(partition(command)));
        long until = Math.max(Client.deadline(chosen), time.milliseconds());
        for (ProducerBatch other : undecided()) {
            if (other != chosen && Client.deadline(other) > time.milliseconds() && Client.deadline(other) <= until) {
                throw new BadCommand("the time of the batch " + Client.labels(other) + " would run out too");
            }
        }
        time.atLeast(until);
        client.turn(List.of());
        return Lines.object();
    }

    /** The command {@code refresh}. */
    ObjectNode refresh(Command command) throws BadCommand {
        command.allowOnly("op", "producer", "partition", "leader");
        client(command).refresh(partition(command), broker(command, "leader"));
        return Lines.object();
    }

    /** The command {@code restart}. */
    ObjectNode restart(Command command) throws BadCommand, IOException {
        command.allowOnly("op", "broker", "mode", "snapshots", "recovery");
        Restart how = new Restart(
            command.word("mode", Restart.Mode.CLEAN),
            command.word("snapshots", Restart.Snapshots.KEPT),
            command.word("recovery", Restart.Recovery.ALL));
        for (Replica replica : brokers.get(broker(command, "broker"))) {
            replica.restart(how);
        }
        return Lines.object();
    }

    /** The command {@code expire}. */
    ObjectNode expire(Command command) throws BadCommand {
        command.allowOnly("op", "broker", "partition");
        replica(command).expire();
        return Lines.object();
    }

    /** The command {@code replicate}. */
    ObjectNode replicate(Command command) throws BadCommand, IOException {
        command.allowOnly("op", "from", "to", "partition");
        int partition = partition(command);
        int from = broker(command, "from");
        int to = broker(command, "to");
        if (from == to) {
            throw new BadCommand("a broker does not follow itself");
        }
        return describe(brokers.get(to).get(partition).replicate(brokers.get(from).get(partition)));
    }

    /** The command {@code truncate}. */
    ObjectNode truncate(Command command) throws BadCommand, IOException {
        command.allowOnly("op", "broker", "partition", "to");
        replica(command).truncate(command.number("to", 0, Long.MAX_VALUE));
        return Lines.object();
    }

    /** The command {@code lead}. */
    ObjectNode lead(Command command) throws BadCommand {
        command.allowOnly("op", "broker", "partition", "epoch");
        replica(command).lead(command.integer("epoch", 0, Integer.MAX_VALUE));
        return Lines.object();
    }

    /** The command {@code snapshot}. */
    ObjectNode snapshot(Command command) throws BadCommand, IOException {
        command.allowOnly("op", "broker", "partition");
        replica(command).snapshot();
        return Lines.object();
    }

    /** The command {@code roll}. */
    ObjectNode roll(Command command) throws BadCommand, IOException {
        command.allowOnly("op", "broker", "partition");
        replica(command).roll();
        return Lines.object();
    }

    /** The command {@code state}. */
    ObjectNode state(Command command) throws BadCommand {
        command.allowOnly("op");
        ObjectNode state = Lines.object();
        ArrayNode logs = state.putArray("logs");
        ArrayNode producers = state.putArray("producers");
        for (List<Replica> broker : brokers) {
            ArrayNode contents = logs.addArray();
            ArrayNode remembered = producers.addArray();
            for (Replica replica : broker) {
                contents.add(replica.contents());
                remembered.add(replica.producers());
            }
        }
        ArrayNode told = state.putArray("clients");
        clients.forEach(client -> told.add(client.state()));
        return state;
    }

    private void leave(int producer, ClientRequest sent) {
        Request request = new Request(requests.size(), producer, sent);
        requests.add(request);
        clients.get(producer).network().add(request);
        events.sent(request);
    }

    /** So far that no deadline is reached, and room is left for many more steps. */
    private long step() throws BadCommand {
        long now = time.milliseconds();
        long step = undecided().stream()
            .mapToLong(batch -> Client.deadline(batch) - now)
            .filter(left -> left > 0)
            .map(left -> left == 1 ? 0 : Math.max(1, left / SHARE))
            .reduce(STEP_MS, Math::min);
        if (step == 0) {
            throw new BadCommand("the time of another batch would run out");
        }
        return step;
    }

    private List<ProducerBatch> undecided() {
        List<ProducerBatch> undecided = new ArrayList<>();
        for (Client client : clients) {
            for (int partition = 0; partition < settings.partitions(); partition++) {
                undecided.addAll(client.undecided(partition));
            }
        }
        return undecided;
    }

    private static ProducerBatch chosen(Command command, List<ProducerBatch> undecided) throws BadCommand {
        if (undecided.isEmpty()) {
            throw new BadCommand("no batch of that partition is undecided");
        }
        if (!command.has("record")) {
            return undecided.get(0);
        }
        int record = command.integer("record", 0, Integer.MAX_VALUE);
        for (ProducerBatch batch : undecided) {
            if (Client.labels(batch).contains(record)) {
                return batch;
            }
        }
        throw new BadCommand("no undecided batch has record " + record);
    }

    private static ObjectNode describe(Outcome outcome) {
        ObjectNode answer = Lines.object();
        switch (outcome.what()) {
            case APPEND -> answer.putArray("append").add(outcome.first()).add(outcome.last());
            case DUPLICATE -> answer.putArray("dup").add(outcome.first()).add(outcome.last());
            case ERROR -> answer.put("error", outcome.error().name());
        }
        return answer;
    }

    private static Errors error(String name) throws BadCommand {
        for (Errors known : Errors.values()) {
            if (known != Errors.NONE && known.name().equals(name)) {
                return known;
            }
        }
        throw new BadCommand("Kafka has no error " + name);
    }

    private Client client(Command command) throws BadCommand {
        return clients.get(command.integer("producer", 0, clients.size() - 1));
    }

    private Client client(Request request) {
        return clients.get(request.producer());
    }

    private int partition(Command command) throws BadCommand {
        return command.integer("partition", 0, settings.partitions() - 1);
    }

    private int broker(Command command, String name) throws BadCommand {
        return command.integer(name, 0, settings.brokers() - 1);
    }

    private Request request(Command command) throws BadCommand {
        if (requests.isEmpty()) {
            throw new BadCommand("nothing was sent yet");
        }
        return requests.get(command.integer("request", 0, requests.size() - 1));
    }

    private Replica replica(Command command) throws BadCommand {
        return brokers.get(broker(command, "broker")).get(partition(command));
    }

    private Replica replica(Request request) {
        return brokers.get(request.broker()).get(request.partition());
    }
}
