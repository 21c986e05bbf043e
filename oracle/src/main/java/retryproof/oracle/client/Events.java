package retryproof.oracle.client;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/** What left the clients, and what their applications were told, since it was last taken. */
final class Events {
    private final List<Request> sent = new ArrayList<>();
    private final List<Outcome> told = new ArrayList<>();
    private final List<String> thrown = new ArrayList<>();

    /** Records of one batch with one outcome. The offset is that of the first, −1 if nobody knows, null if there is none. */
    private record Outcome(RecordGroup group, List<Integer> labels, Long offset, Exception error) {
        boolean goesOnWith(RecordGroup other, Exception otherError) {
            return group == other && error == otherError;
        }
    }

    void sent(Request request) {
        sent.add(request);
    }

    /** The application is told about a record: Kafka does so record by record, a batch at once. */
    void told(RecordGroup group, int label, Long offset, Exception error) {
        Outcome last = told.isEmpty() ? null : told.get(told.size() - 1);
        if (last != null && last.goesOnWith(group, error)) {
            last.labels().add(label);
        } else {
            told.add(new Outcome(group, new ArrayList<>(List.of(label)), offset, error));
        }
    }

    /** Something was thrown out of the sender's loop. Kafka logs it and goes on. */
    void thrown(Exception exception) {
        thrown.add(exception.toString());
    }

    /** Adds everything to an answer, and forgets it. */
    void takeInto(ObjectNode answer) {
        if (!sent.isEmpty()) {
            ArrayNode requests = answer.putArray("sent");
            sent.forEach(request -> requests.add(request.describe()));
        }
        if (!told.isEmpty()) {
            ArrayNode outcomes = answer.putArray("told");
            for (Outcome outcome : told) {
                ObjectNode described = outcomes.addObject()
                    .put("producer", outcome.group().producer())
                    .put("partition", outcome.group().partition());
                outcome.labels().forEach(described.putArray("records")::add);
                described.put("offset", outcome.offset());
                described.put("error", outcome.error() == null ? null : outcome.error().getClass().getSimpleName());
            }
        }
        if (!thrown.isEmpty()) {
            thrown.forEach(answer.putArray("thrown")::add);
        }
        sent.clear();
        told.clear();
        thrown.clear();
    }
}
