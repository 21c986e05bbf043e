package retryproof.oracle.log;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * A temporary directory for the files of logs: in memory where the system has such a place. It
 * is deleted when the program ends, and if the program was killed, when the next one starts: a
 * file in it stays locked as long as its program lives.
 */
public final class Workspace {
    /** Where Linux has files in memory. */
    private static final Path IN_MEMORY = Path.of("/dev/shm");
    private static final String PREFIX = "retryproof-oracle-";
    private static final String LOCK = "lock";

    private final Path root;
    /** Held, because a channel that nobody refers to is closed one day, and its lock with it. */
    private final FileChannel lock;
    private int directories;

    private Workspace(Path root, FileChannel lock) {
        this.root = root;
        this.lock = lock;
    }

    /** A new one. What programs left behind that were killed is deleted. */
    public static Workspace create() throws IOException {
        Path parent = Files.isWritable(IN_MEMORY) ? IN_MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
        deleteAbandoned(parent);
        Workspace workspace = createLocked(parent);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                workspace.delete();
            } catch (IOException kept) {
                System.err.println("the files in " + workspace.root + " could not be deleted: " + kept);
            }
        }));
        return workspace;
    }

    /** A new empty directory in it. */
    public Path newDirectory() throws IOException {
        directories += 1;
        return Files.createDirectory(root.resolve(Integer.toString(directories)));
    }

    /** Deletes a directory with all that is in it. */
    public static void deleteAll(Path directory) throws IOException {
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException failed) throws IOException {
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Copies the files of a directory into another one. */
    static void copyFiles(Path from, Path to) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(from)) {
            for (Path file : files) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }

    /** Copies the files of a directory whose names have one of these endings into another one. */
    static void copyFiles(Path from, Path to, String... endings) throws IOException {
        for (String ending : endings) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(from, "*" + ending)) {
                for (Path file : files) {
                    Files.copy(file, to.resolve(file.getFileName()));
                }
            }
        }
    }

    private void delete() throws IOException {
        deleteAll(root);
        lock.close();
    }

    private static Workspace createLocked(Path parent) throws IOException {
        while (true) {
            Path root = Files.createTempDirectory(parent, PREFIX);
            Path lock = root.resolve(LOCK);
            FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            FileLock locked = channel.tryLock();
            // Another program may have taken it for abandoned in between.
            if (locked != null && Files.exists(lock)) {
                return new Workspace(root, channel);
            }
            channel.close();
        }
    }

    private static void deleteAbandoned(Path parent) throws IOException {
        try (DirectoryStream<Path> roots = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path root : roots) {
                try (FileChannel channel = FileChannel.open(root.resolve(LOCK), StandardOpenOption.WRITE);
                     FileLock locked = channel.tryLock()) {
                    if (locked != null) {
                        deleteAll(root);
                    }
                } catch (NoSuchFileException | DirectoryNotEmptyException | OverlappingFileLockException notAbandoned) {
                    // It is just being made or deleted by another program, or it is one of this.
                    continue;
                }
            }
        }
    }
}
