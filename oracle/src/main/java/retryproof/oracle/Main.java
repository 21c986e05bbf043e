package retryproof.oracle;

import java.io.IOException;
import java.util.Map;

import retryproof.oracle.client.ClientOracle;
import retryproof.oracle.log.LogOracle;
import retryproof.oracle.speed.SpeedOracle;

/**
 * Apache Kafka behind lines of JSON: {@code java -jar oracle.jar WHAT}.
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
        Program program = arguments.length == 1 ? PROGRAMS.get(arguments[0]) : null;
        if (program == null) {
            System.err.println("usage: java -jar oracle.jar " + String.join("|", PROGRAMS.keySet().stream().sorted().toList()));
            System.exit(2);
            return;
        }
        program.run();
    }

    private static void version() {
        System.out.println(Moved.kafkaVersion());
    }
}
