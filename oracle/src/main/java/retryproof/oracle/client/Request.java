package retryproof.oracle.client;

import org.apache.kafka.clients.ClientRequest;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;

import com.fasterxml.jackson.databind.node.ObjectNode;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

import retryproof.oracle.Lines;
import retryproof.oracle.log.Outcome;

/**
 * A produce request that left a client. It holds one batch: the client is never asked to send two
 * partitions to one broker in one turn.
 */
final class Request {
    private static final long NO_OFFSET = -1;

    private final int id;
    private final int producer;
    private final int broker;
    private final ClientRequest sent;
    private final String topic;
    private final Uuid topicId;
    private final int partition;
    private final byte[] bytes;
    private final List<Outcome> deliveries = new ArrayList<>();
    private boolean answered;

    Request(int id, int producer, ClientRequest sent) {
        this.id = id;
        this.producer = producer;
        this.broker = Integer.parseInt(sent.destination());
        this.sent = sent;
        ProduceRequest request = (ProduceRequest) sent.requestBuilder().build();
        ProduceRequestData.TopicProduceData data = request.data().topicData().iterator().next();
        ProduceRequestData.PartitionProduceData partitionData = data.partitionData().get(0);
        if (request.data().topicData().size() != 1 || data.partitionData().size() != 1) {
            throw new IllegalStateException("a request with several partitions");
        }
        this.topic = data.name();
        this.topicId = data.topicId();
        this.partition = partitionData.index();
        // The client may yet write another identity into the batch, so these are the bytes that travel.
        ByteBuffer records = ((MemoryRecords) partitionData.records()).buffer().duplicate();
        this.bytes = new byte[records.remaining()];
        records.get(bytes);
    }

    int id() {
        return id;
    }

    int producer() {
        return producer;
    }

    int broker() {
        return broker;
    }

    int partition() {
        return partition;
    }

    byte[] bytes() {
        return bytes;
    }

    boolean isAnswered() {
        return answered;
    }

    /** The log has answered. Tells the number of this delivery. */
    int delivered(Outcome outcome) {
        deliveries.add(outcome);
        return deliveries.size() - 1;
    }

    int deliveries() {
        return deliveries.size();
    }

    Outcome delivery(int number) {
        return deliveries.get(number);
    }

    ObjectNode describe() {
        RecordBatch batch = MemoryRecords.readableRecords(ByteBuffer.wrap(bytes)).batches().iterator().next();
        ObjectNode told = Lines.object()
            .put("request", id)
            .put("producer", producer)
            .put("broker", broker)
            .put("partition", partition)
            .put("pid", batch.producerId())
            .put("epoch", batch.producerEpoch())
            .put("sequence", batch.baseSequence());
        Payload.labels(batch).forEach(told.putArray("records")::add);
        return told;
    }

    /** The client reads that the batch is in the log from this offset on. */
    void succeed(long offset, long logAppendTime, long logStart, long now) {
        answer(Errors.NONE, offset, logAppendTime, logStart, now);
    }

    /** The client reads this error. */
    void fail(Errors error, long logStart, long now) {
        answer(error, NO_OFFSET, RecordBatch.NO_TIMESTAMP, logStart, now);
    }

    /** The client notices that the connection is gone. */
    void disconnect(long now) {
        complete(true, null, now);
    }

    private void answer(Errors error, long offset, long logAppendTime, long logStart, long now) {
        ProduceResponseData data = new ProduceResponseData();
        data.responses().add(new ProduceResponseData.TopicProduceResponse()
            .setName(topic)
            .setTopicId(topicId)
            .setPartitionResponses(List.of(new ProduceResponseData.PartitionProduceResponse()
                .setIndex(partition)
                .setErrorCode(error.code())
                .setBaseOffset(offset)
                .setLogAppendTimeMs(logAppendTime)
                .setLogStartOffset(logStart))));
        complete(false, new ProduceResponse(data), now);
    }

    private void complete(boolean disconnected, AbstractResponse body, long now) {
        answered = true;
        new ClientResponse(sent.makeHeader(ApiKeys.PRODUCE.latestVersion()), sent.callback(), sent.destination(),
            sent.createdTimeMs(), now, disconnected, null, null, body).onComplete();
    }
}
