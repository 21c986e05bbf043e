package retryproof.oracle.segments;

import java.io.IOException;
import java.nio.file.Path;

import retryproof.oracle.log.Workspace;

/**
 * {@code oracle.jar segments DIRECTORY}: logs as the real Kafka writes them, for those that read them. The same
 * files come out every time. What each is for stands with its recipe.
 */
public final class Segments {
    private Segments() {
    }

    /** Writes a directory for each log into {@code sound}, {@code wrong} and {@code damaged} in this one. */
    public static void writeInto(Path directory) throws IOException {
        Workspace workspace = Workspace.create();
        new SoundLogs(workspace, directory.resolve("sound")).write();
        new WrongLogs(workspace, directory.resolve("wrong")).write();
        new DamagedFiles(workspace, directory.resolve("damaged")).write();
    }
}
