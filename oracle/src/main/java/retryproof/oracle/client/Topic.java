package retryproof.oracle.client;

import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponsePartition;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.MetadataResponse;

import java.util.List;
import java.util.stream.IntStream;

/** The one topic, and what one client believes about who leads its partitions. */
final class Topic {
    static final String NAME = "t";
    private static final Uuid ID = new Uuid(1, 1);
    private static final int PORT = 9092;

    private final List<Node> nodes;
    private final int[] leaders;
    private final int[] leaderEpochs;

    /** Broker 0 leads every partition. */
    Topic(Settings settings) {
        this.nodes = IntStream.range(0, settings.brokers()).mapToObj(id -> new Node(id, "broker" + id, PORT)).toList();
        this.leaders = new int[settings.partitions()];
        this.leaderEpochs = new int[settings.partitions()];
    }

    static TopicPartition partition(int number) {
        return new TopicPartition(NAME, number);
    }

    List<Node> nodes() {
        return nodes;
    }

    int leader(int partition) {
        return leaders[partition];
    }

    /** From now on this broker leads, with the next leader epoch. */
    void lead(int partition, int broker) {
        leaders[partition] = broker;
        leaderEpochs[partition] += 1;
    }

    /** What a broker would answer to a request for metadata. */
    MetadataResponse metadata() {
        MetadataResponseData data = new MetadataResponseData().setClusterId("cluster").setControllerId(0);
        for (Node node : nodes) {
            data.brokers().add(new MetadataResponseBroker().setNodeId(node.id()).setHost(node.host()).setPort(node.port()));
        }
        MetadataResponseTopic topic = new MetadataResponseTopic().setName(NAME).setTopicId(ID);
        List<Integer> everyone = nodes.stream().map(Node::id).toList();
        for (int partition = 0; partition < leaders.length; partition++) {
            topic.partitions().add(new MetadataResponsePartition()
                .setPartitionIndex(partition)
                .setLeaderId(leaders[partition])
                .setLeaderEpoch(leaderEpochs[partition])
                .setReplicaNodes(everyone)
                .setIsrNodes(everyone));
        }
        data.topics().add(topic);
        return new MetadataResponse(data, ApiKeys.METADATA.latestVersion());
    }
}
