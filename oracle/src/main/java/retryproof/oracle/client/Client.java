package retryproof.oracle.client;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.apache.kafka.clients.ClientRequest;
import org.apache.kafka.clients.producer.internals.BufferPool;
import org.apache.kafka.clients.producer.internals.Inside;
import org.apache.kafka.clients.producer.internals.ProducerBatch;
import org.apache.kafka.clients.producer.internals.ProducerMetadata;
import org.apache.kafka.clients.producer.internals.RecordAccumulator;
import org.apache.kafka.clients.producer.internals.Sender;
import org.apache.kafka.clients.producer.internals.SenderMetricsRegistry;
import org.apache.kafka.clients.producer.internals.TransactionManager;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.metrics.Metrics;

import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

import retryproof.oracle.Lines;
import retryproof.oracle.Moved;
import retryproof.oracle.log.ManualTime;

/** One producer: Kafka's own parts, put together as {@code KafkaProducer} does, with its thread taken out. */
final class Client {
    /** Kafka's default of {@code delivery.timeout.ms}. */
    static final int DELIVERY_TIMEOUT_MS = 120_000;
    /** Kafka's default of {@code batch.size}. */
    private static final int BATCH_BYTES = 16_384;
    /** Kafka's default of {@code buffer.memory}. */
    private static final long BUFFER_BYTES = 33_554_432;
    /** Kafka's default of {@code max.request.size}. */
    private static final int REQUEST_BYTES = 1_048_576;
    /** Kafka's default of {@code request.timeout.ms}; the network here never looks at it. */
    private static final int REQUEST_TIMEOUT_MS = 30_000;
    private static final long NO_BACKOFF = 0;
    private static final int NO_LINGER = 0;
    private static final short ACKS_ALL = -1;
    private static final int ENDLESS_RETRIES = Integer.MAX_VALUE;
    private static final String METRICS = "producer-metrics";
    /** All records are of one time, so that no clock decides when a producer expires or a record is too new. */
    private static final long TIMESTAMP = 0;
    /** A turn that gets a new producer id needs two more. More than this is a client that is stuck. */
    private static final int MOST_TURNS = 10;

    private final int number;
    private final Settings settings;
    private final ManualTime time;
    private final Events events;
    private final Topic topic;
    private final ScriptedNetwork network;
    private final ProducerMetadata metadata;
    private final TransactionManager manager;
    private final RecordAccumulator accumulator;
    private final Sender sender;

    Client(int number, Settings settings, ManualTime time, ProducerIds producerIds, Events events,
        Consumer<ClientRequest> sent) {
        this.number = number;
        this.settings = settings;
        this.time = time;
        this.events = events;
        topic = new Topic(settings);
        network = new ScriptedNetwork(topic.nodes(), settings.inFlight(), producerIds, sent);
        metadata = Core.metadata(time);
        metadata.add(Topic.NAME, time.milliseconds());
        updateMetadata();
        manager = Core.transactionManager(metadata);
        Metrics metrics = new Metrics(time);
        accumulator = new RecordAccumulator(Moved.logContext(), BATCH_BYTES, Compression.NONE, NO_LINGER, NO_BACKOFF,
            NO_BACKOFF, DELIVERY_TIMEOUT_MS, metrics, METRICS, time, manager,
            new BufferPool(BUFFER_BYTES, BATCH_BYTES, metrics, time, METRICS));
        sender = new Sender(Moved.logContext(), network, metadata, accumulator, sendsOneAtATime(), REQUEST_BYTES,
            ACKS_ALL, ENDLESS_RETRIES, new SenderMetricsRegistry(metrics), time, REQUEST_TIMEOUT_MS, NO_BACKOFF, manager);
        loop();
        if (settings.sequence() > 0) {
            for (int partition = 0; partition < settings.partitions(); partition++) {
                Inside.startAt(manager, Topic.partition(partition), settings.sequence());
            }
        }
    }

    long producerId() {
        return Inside.producerId(manager);
    }

    ScriptedNetwork network() {
        return network;
    }

    /** The application hands over records that become one batch. */
    void record(int partition, List<Integer> labels) throws InterruptedException {
        RecordGroup group = new RecordGroup(number, partition);
        for (int label : labels) {
            accumulator.append(Topic.NAME, partition, TIMESTAMP, null, new Payload(number, partition, label).bytes(), null,
                new Handed(group, label, events), 0, time.milliseconds(), metadata.fetch());
        }
    }

    /** Whether records wait that have never been sent, so that more would join their batch. */
    boolean hasFresh(int partition) {
        Deque<ProducerBatch> queue = accumulator.getDeque(Topic.partition(partition));
        return queue != null && !queue.isEmpty() && !queue.getLast().hasSequence();
    }

    /** One turn of the sender's loop, in which only these partitions may be sent to. */
    void turn(List<Integer> open) {
        List<TopicPartition> closed = new ArrayList<>();
        for (int partition = 0; partition < settings.partitions(); partition++) {
            if (!open.contains(partition)) {
                closed.add(Topic.partition(partition));
            }
        }
        closed.forEach(accumulator::mutePartition);
        try {
            loop();
        } finally {
            closed.stream().filter(partition -> !isMutedByTheSender(partition)).forEach(accumulator::unmutePartition);
        }
    }

    /** Partitions led by the same broker would share a request. */
    boolean haveOneLeader(int partition, int other) {
        return topic.leader(partition) == topic.leader(other);
    }

    /** The client learns who leads. */
    void refresh(int partition, int leader) {
        topic.lead(partition, leader);
        updateMetadata();
    }

    /** Carries out what the network's thread does, and notes what is thrown as Kafka logs it. */
    void poll(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException thrown) {
            events.thrown(thrown);
        }
    }

    /** All batches without an outcome, those in flight first, in the order of Kafka's set of them. */
    List<ProducerBatch> undecided(int partition) {
        List<ProducerBatch> undecided = new ArrayList<>(inFlight(partition));
        Deque<ProducerBatch> queue = accumulator.getDeque(Topic.partition(partition));
        if (queue != null) {
            queue.stream().filter(batch -> !batch.hasSequence()).forEach(undecided::add);
        }
        return undecided;
    }

    ObjectNode state() {
        ObjectNode state = Lines.object().put("pid", producerId()).put("epoch", Inside.epoch(manager));
        ArrayNode partitions = state.putArray("partitions");
        for (int number = 0; number < settings.partitions(); number++) {
            TopicPartition partition = Topic.partition(number);
            ObjectNode told = partitions.addObject()
                .put("pid", Inside.producerId(manager, partition))
                .put("epoch", Inside.epoch(manager, partition))
                .put("next_sequence", Inside.nextSequence(manager, partition))
                .put("last_acked", Inside.lastAcknowledged(manager, partition));
            ArrayNode undecided = told.putArray("undecided");
            for (ProducerBatch batch : inFlight(number)) {
                undecided.add(describe(batch));
            }
            told.put("unresolved", Inside.hasUnresolvedSequence(manager, partition));
            ArrayNode fresh = told.putArray("fresh");
            for (ProducerBatch batch : undecided(number)) {
                if (!batch.hasSequence()) {
                    labels(batch).forEach(fresh.addArray()::add);
                }
            }
        }
        return state;
    }

    static List<Integer> labels(ProducerBatch batch) {
        return Inside.callbacks(batch).stream().map(callback -> ((Handed) callback).label()).toList();
    }

    static long deadline(ProducerBatch batch) {
        return Inside.createdMs(batch) + DELIVERY_TIMEOUT_MS;
    }

    private boolean sendsOneAtATime() {
        return settings.inFlight() == 1;
    }

    /** With one request at a time the sender mutes a partition until its request is answered. */
    private boolean isMutedByTheSender(TopicPartition partition) {
        return sendsOneAtATime()
            && network.unanswered().stream().anyMatch(request -> request.partition() == partition.partition());
    }

    /** Until the client has its producer id: getting one takes turns in which nothing is sent. */
    private void loop() {
        int turns = 0;
        boolean again;
        do {
            turns += 1;
            if (turns > MOST_TURNS) {
                throw new IllegalStateException("the client gets no producer id");
            }
            long ids = network.producerIdsGiven();
            poll(() -> Inside.runOnce(sender));
            again = producerId() < 0 || network.producerIdsGiven() > ids;
        } while (again);
    }

    private void updateMetadata() {
        metadata.updateWithCurrentRequestVersion(topic.metadata(), false, time.milliseconds());
    }

    private List<ProducerBatch> inFlight(int partition) {
        List<ProducerBatch> batches = new ArrayList<>(Inside.inFlight(manager, Topic.partition(partition)));
        for (ProducerBatch onTheWire : sender.inFlightBatches(Topic.partition(partition))) {
            if (!batches.contains(onTheWire)) {
                batches.add(onTheWire);
            }
        }
        Deque<ProducerBatch> queue = accumulator.getDeque(Topic.partition(partition));
        if (queue != null) {
            queue.stream().filter(batch -> batch.hasSequence() && !batches.contains(batch)).forEach(batches::add);
        }
        return batches;
    }

    private ObjectNode describe(ProducerBatch batch) {
        ObjectNode told = Lines.object();
        labels(batch).forEach(told.putArray("records")::add);
        return told
            .put("pid", batch.producerId())
            .put("epoch", batch.producerEpoch())
            .put("sequence", batch.baseSequence())
            .put("where", where(batch));
    }

    private String where(ProducerBatch batch) {
        Deque<ProducerBatch> queue = accumulator.getDeque(Inside.partition(batch));
        if (queue != null && queue.contains(batch)) {
            return "queued";
        }
        return sender.inFlightBatches(Inside.partition(batch)).contains(batch) ? "wire" : "nowhere";
    }
}
