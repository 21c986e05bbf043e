package retryproof.oracle;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

import retryproof.oracle.client.ClientOracle;
import retryproof.oracle.log.LogOracle;
import retryproof.oracle.segments.Segments;
import retryproof.oracle.speed.SpeedOracle;

/**
 * Apache Kafka behind lines of JSON: {@code java -jar oracle.jar WHAT}. {@code segments} answers nothing, but writes logs.
 */
public final class Main {
    private Main() {
    }

    /** Something that answers one command after the other. */
    interface Program {
        void run() throws IOException;
    }

    private static final Map<String, Program> PROGRAMS = Map.of(
        "client", ClientOracle::run,
        "log", LogOracle::run,
        "speed", SpeedOracle::run,
        "version", Main::version);

    public static void main(String[] arguments) throws IOException {
        if (arguments.length == 2 && arguments[0].equals("segments")) {
            Segments.writeInto(Path.of(arguments[1]));
            return;
        }
        Program program = arguments.length == 1 ? PROGRAMS.get(arguments[0]) : null;
        if (program == null) {
            System.err.println("usage: java -jar oracle.jar " + String.join("|", PROGRAMS.keySet().stream().sorted().toList())
                + "|segments DIRECTORY");
            System.exit(2);
            return;
        }
        program.run();
    }

    private static void version() {
        System.out.println(Moved.kafkaVersion());
    }
}
