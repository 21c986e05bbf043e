package retryproof.oracle.client;

import org.apache.kafka.clients.ClientRequest;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.LeastLoadedNode;
import org.apache.kafka.clients.RequestCompletionHandler;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.InitProducerIdResponse;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The network of one client. Every connection stands, nothing is answered by itself but the request for a
 * producer id, and a connection takes as many unanswered requests as the client's setting allows.
 *
 * <p>The request for a producer id is not counted, as if it went over a connection with room.
 */
final class ScriptedNetwork implements KafkaClient {
    private final List<Node> nodes;
    private final int inFlightLimit;
    private final ProducerIds producerIds;
    private final Consumer<ClientRequest> sent;
    private final List<Request> unanswered = new ArrayList<>();
    private ClientRequest producerIdRequest;
    private int correlation;
    private int producerIdsGiven;

    /**
     * A network.
     *
     * @param sent is told each produce request, and keeps it
     */
    ScriptedNetwork(
        List<Node> nodes, int inFlightLimit, ProducerIds producerIds, Consumer<ClientRequest> sent) {
        this.nodes = nodes;
        this.inFlightLimit = inFlightLimit;
        this.producerIds = producerIds;
        this.sent = sent;
    }

    /** The requests that the client has no answer to, in order. */
    List<Request> unanswered() {
        unanswered.removeIf(Request::isAnswered);
        return unanswered;
    }

    /** How often the client got a producer id. */
    int producerIdsGiven() {
        return producerIdsGiven;
    }

    /** A request that left. */
    void add(Request request) {
        unanswered.add(request);
    }

    @Override
    public boolean isReady(Node node, long now) {
        return true;
    }

    @Override
    public boolean ready(Node node, long now) {
        return inFlightRequestCount(node.idString()) < inFlightLimit;
    }

    @Override
    public void send(ClientRequest request, long now) {
        if (request.apiKey() == ApiKeys.INIT_PRODUCER_ID) {
            producerIdRequest = request;
        } else {
            sent.accept(request);
        }
    }

    @Override
    public List<ClientResponse> poll(long timeout, long now) {
        if (producerIdRequest != null) {
            ClientRequest request = producerIdRequest;
            producerIdRequest = null;
            producerIdsGiven += 1;
            InitProducerIdResponse answer = new InitProducerIdResponse(new InitProducerIdResponseData()
                .setProducerId(producerIds.next())
                .setProducerEpoch(producerIds.epoch()));
            new ClientResponse(request.makeHeader(ApiKeys.INIT_PRODUCER_ID.latestVersion()), request.callback(),
                request.destination(), request.createdTimeMs(), now, false, null, null, answer).onComplete();
        }
        return List.of();
    }

    @Override
    public LeastLoadedNode leastLoadedNode(long now) {
        return new LeastLoadedNode(nodes.get(0), true);
    }

    @Override
    public int inFlightRequestCount() {
        return unanswered().size();
    }

    @Override
    public boolean hasInFlightRequests() {
        return inFlightRequestCount() > 0;
    }

    @Override
    public int inFlightRequestCount(String nodeId) {
        return (int) unanswered().stream().filter(request -> nodeId.equals(Integer.toString(request.broker()))).count();
    }

    @Override
    public boolean hasInFlightRequests(String nodeId) {
        return inFlightRequestCount(nodeId) > 0;
    }

    @Override
    public ClientRequest newClientRequest(
        String nodeId, AbstractRequest.Builder<?> builder, long createdTimeMs, boolean expectResponse) {
        throw new UnsupportedOperationException("a request that nobody waits for");
    }

    @Override
    public ClientRequest newClientRequest(
        String nodeId, AbstractRequest.Builder<?> builder, long createdTimeMs, boolean expectResponse,
        int requestTimeoutMs, RequestCompletionHandler callback) {
        correlation += 1;
        return new ClientRequest(nodeId, builder, correlation, "producer", createdTimeMs, expectResponse,
            requestTimeoutMs, callback);
    }

    @Override
    public long connectionDelay(Node node, long now) {
        return 0;
    }

    @Override
    public long pollDelayMs(Node node, long now) {
        return 0;
    }

    @Override
    public boolean connectionFailed(Node node) {
        return false;
    }

    @Override
    public AuthenticationException authenticationException(Node node) {
        return null;
    }

    @Override
    public boolean hasReadyNodes(long now) {
        return true;
    }

    @Override
    public boolean active() {
        return true;
    }

    @Override
    public void wakeup() {
    }

    @Override
    public void disconnect(String nodeId) {
        throw new UnsupportedOperationException("the client never disconnects by itself");
    }

    @Override
    public void close(String nodeId) {
        throw new UnsupportedOperationException("the client never closes a connection by itself");
    }

    @Override
    public void initiateClose() {
    }

    @Override
    public void close() {
    }
}
