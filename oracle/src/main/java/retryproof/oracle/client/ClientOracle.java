package retryproof.oracle.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.IOException;

import retryproof.oracle.BadCommand;
import retryproof.oracle.Command;
import retryproof.oracle.Lines;

/** Kafka's own client core and log layer, moved step by step by commands. */
public final class ClientOracle implements Lines.Answers {
    private final Logs logs;
    private World world;

    private ClientOracle() throws IOException {
        logs = new Logs();
    }

    /** Answers commands until standard input ends. */
    public static void run() throws IOException {
        Lines.answerAll(new ClientOracle());
    }

    @Override
    public ObjectNode answer(JsonNode fields) throws Exception {
        return answer(new Command(fields));
    }

    private ObjectNode answer(Command command) throws Exception {
        String op = command.text("op");
        switch (op) {
            case "start":
                return start(command);
            case "all":
                return all(command);
            default:
                if (world == null) {
                    throw new BadCommand("first it has to be told to \"start\"");
                }
                ObjectNode answer = step(op, command);
                world.events().takeInto(answer);
                return answer;
        }
    }

    private ObjectNode start(Command command) throws BadCommand, IOException {
        Settings settings = Settings.of(command);
        // Its logs are taken over by the next.
        world = null;
        world = new World(settings, logs);
        return world.started();
    }

    private ObjectNode all(Command command) throws BadCommand {
        command.allowOnly("op", "commands");
        ObjectNode answer = Lines.object();
        ArrayNode answers = answer.putArray("answers");
        for (Command each : command.list("commands")) {
            try {
                answers.add(answer(each));
            } catch (Exception failed) {
                answers.add(Lines.bad(failed));
            }
        }
        return answer;
    }

    private ObjectNode step(String op, Command command) throws Exception {
        return switch (op) {
            case "record" -> world.record(command);
            case "turn" -> world.turn(command);
            case "deliver" -> world.deliver(command);
            case "read" -> world.read(command);
            case "disconnect" -> world.disconnect(command);
            case "time_out" -> world.timeOut(command);
            case "refresh" -> world.refresh(command);
            case "restart" -> world.restart(command);
            case "expire" -> world.expire(command);
            case "replicate" -> world.replicate(command);
            case "truncate" -> world.truncate(command);
            case "lead" -> world.lead(command);
            case "snapshot" -> world.snapshot(command);
            case "roll" -> world.roll(command);
            case "state" -> world.state(command);
            default -> throw new BadCommand("there is no op \"" + op + "\"");
        };
    }
}
