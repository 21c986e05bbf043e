package retryproof.oracle;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Lines of JSON on standard input, each answered by one line on standard output. */
public final class Lines {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int BUFFER = 1 << 16;

    private Lines() {
    }

    /** Something that answers commands. */
    public interface Answers {
        /**
         * Carries a command out.
         *
         * @throws Exception with a message for a person if the command cannot be carried out;
         *     the next one is answered all the same
         */
        ObjectNode answer(JsonNode command) throws Exception;
    }

    /** Answers every line of standard input, until it ends. */
    public static void answerAll(Answers answers) throws IOException {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        // Whatever else prints must not come between the answers.
        System.setOut(System.err);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8), BUFFER);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.println(JSON.writeValueAsString(answer(answers, line)));
            out.flush();
        }
    }

    /** An empty answer. */
    public static ObjectNode object() {
        return JSON.createObjectNode();
    }

    /** The answer to a command that cannot be carried out. */
    public static ObjectNode bad(Exception failed) {
        return bad(failed.getMessage() == null ? failed.toString() : failed.getMessage());
    }

    private static ObjectNode answer(Answers answers, String line) {
        try {
            JsonNode command = JSON.readTree(line);
            if (!command.isObject()) {
                return bad("a command is a JSON object");
            }
            return answers.answer(command);
        } catch (JsonProcessingException notJson) {
            return bad("this is not JSON: " + notJson.getOriginalMessage());
        } catch (Exception failed) {
            return bad(failed);
        }
    }

    private static ObjectNode bad(String reason) {
        return object().put("bad", reason);
    }
}
