package retryproof.oracle.segments;

import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

import retryproof.oracle.log.LogSettings;
import retryproof.oracle.log.Workspace;

/** Files of sound logs that were damaged after Kafka had written them. */
final class DamagedFiles {
    /** The name of the file of a log that begins at offset 0. */
    private static final String FILE = "00000000000000000000.log";
    /** Where the length of a batch stands in it (Kafka: Records.SIZE_OFFSET). */
    private static final int LENGTH = 8;
    /** What is in a batch before the part that its length counts (Kafka: Records.LOG_OVERHEAD). */
    private static final int BEFORE_LENGTH_COUNTS = 12;
    /** Where, in a batch, a byte of its records is altered. */
    private static final int IN_RECORDS = DefaultRecordBatch.RECORD_BATCH_OVERHEAD + 5;
    /** So many bytes of a header were written. */
    private static final int PART_OF_HEADER = 30;

    private final Workspace workspace;
    private final Path into;

    DamagedFiles(Workspace workspace, Path into) {
        this.workspace = workspace;
        this.into = into;
    }

    void write() throws IOException {
        ByteBuffer whole = ByteBuffer.wrap(wholeLog());
        int second = next(whole, 0);
        int third = next(whole, second);
        int fourth = next(whole, third);
        int last = next(whole, fourth);

        save("whole", whole.array());
        save("torn-in-the-records", Arrays.copyOf(whole.array(), whole.capacity() - 7));
        save("torn-in-the-header", Arrays.copyOf(whole.array(), last + PART_OF_HEADER));
        save("torn-in-the-length", Arrays.copyOf(whole.array(), last + LENGTH + 2));
        save("altered-record-in-the-middle", altered(whole, third + IN_RECORDS));
        save("altered-record-at-the-end", altered(whole, last + IN_RECORDS));
        save("huge-length-in-the-middle", withLength(whole, third, Integer.MAX_VALUE));
        save("negative-length-in-the-middle", withLength(whole, third, -1));
        save("zeros-in-the-middle", zeroed(whole, third, fourth));
        save("text-at-the-end", withTextAtTheEnd(whole));
        save("not-a-log", "The quick brown fox jumps over the lazy dog. ".repeat(3).getBytes(StandardCharsets.UTF_8));
        save("empty", new byte[0]);
        save("renamed", "00000000000000000005.log", whole.array());
    }

    /** Five batches of one producer. */
    private byte[] wholeLog() throws IOException {
        Path directory = workspace.newDirectory();
        try (Journal log = new Journal(workspace, LogSettings.defaults())) {
            Sender sender = Sender.idempotent(1001);
            for (int records : new int[] {2, 1, 3, 1, 2}) {
                log.send(sender, Compression.NONE, records);
            }
            log.save(directory);
        }
        return Files.readAllBytes(directory.resolve(Journal.PARTITION).resolve(FILE));
    }

    /** Where the batch begins that follows this one. */
    private static int next(ByteBuffer log, int batch) {
        return batch + BEFORE_LENGTH_COUNTS + log.getInt(batch + LENGTH);
    }

    private static byte[] altered(ByteBuffer log, int at) {
        byte[] bytes = log.array().clone();
        bytes[at] ^= 1;
        return bytes;
    }

    private static byte[] withLength(ByteBuffer log, int batch, int length) {
        byte[] bytes = log.array().clone();
        ByteBuffer.wrap(bytes).putInt(batch + LENGTH, length);
        return bytes;
    }

    private static byte[] zeroed(ByteBuffer log, int from, int to) {
        byte[] bytes = log.array().clone();
        Arrays.fill(bytes, from, to, (byte) 0);
        return bytes;
    }

    private static byte[] withTextAtTheEnd(ByteBuffer log) {
        byte[] text = "-- end of file --\n".getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(log.capacity() + text.length).put(log.array()).put(text).array();
    }

    private void save(String name, byte[] bytes) throws IOException {
        save(name, FILE, bytes);
    }

    private void save(String name, String file, byte[] bytes) throws IOException {
        Path directory = Files.createDirectories(into.resolve(name).resolve(Journal.PARTITION));
        Files.write(directory.resolve(file), bytes);
    }
}
