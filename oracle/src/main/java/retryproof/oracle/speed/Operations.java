package retryproof.oracle.speed;

import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.storage.internals.log.ProducerStateEntry;

import java.util.Arrays;

/**
 * Which batch comes next, the same as in {@code benches/side_by_side/operations.rs}. An operation is one number: the
 * producer in the upper 32 bits, the batch's base sequence in the lower ones.
 */
final class Operations {
    /** Records of each batch. */
    static final int RECORDS = 10;

    /** In which order producers write, and whether they write or repeat. */
    enum Stream {
        /** The next batch of a producer that is drawn. */
        RANDOM,
        /** The next batch of each producer in turn. */
        TURNS,
        /** One of the last five batches of a producer, both drawn. */
        DUPLICATES
    }

    private static final int WINDOW = ProducerStateEntry.NUM_BATCHES_TO_RETAIN;
    /** FNV-1a of 64 bits, with an operation in place of a byte. */
    private static final long CHECKSUM_BASIS = 0xcbf29ce484222325L;
    private static final long CHECKSUM_PRIME = 0x100000001b3L;

    private final SplitMix64 random;
    /** The base sequence of each producer's next batch. */
    private final int[] next;
    private int turn;

    /** After so many batches of each producer. */
    Operations(int producers, int written, long seed) {
        random = new SplitMix64(seed);
        next = new int[producers];
        Arrays.fill(next, written * RECORDS);
    }

    static int producer(long operation) {
        return (int) (operation >>> 32);
    }

    static int baseSequence(long operation) {
        return (int) operation;
    }

    /** The next ones of this stream. */
    void draw(Stream stream, long[] into) {
        for (int at = 0; at < into.length; at += 1) {
            into[at] = draw(stream);
        }
    }

    static long checksum(long[] operations) {
        long sum = CHECKSUM_BASIS;
        for (long operation : operations) {
            sum = (sum ^ operation) * CHECKSUM_PRIME;
        }
        return sum;
    }

    private long draw(Stream stream) {
        return switch (stream) {
            case RANDOM -> write(below(random.next() >>> 32, next.length));
            case TURNS -> {
                int producer = turn;
                turn = (turn + 1) % next.length;
                yield write(producer);
            }
            case DUPLICATES -> {
                long drawn = random.next();
                int producer = below(drawn >>> 32, next.length);
                int back = 1 + below(drawn & 0xffffffffL, WINDOW);
                yield operation(producer, DefaultRecordBatch.decrementSequence(next[producer], back * RECORDS));
            }
        };
    }

    private long write(int producer) {
        int base = next[producer];
        next[producer] = DefaultRecordBatch.incrementSequence(base, RECORDS);
        return operation(producer, base);
    }

    private static long operation(int producer, int baseSequence) {
        return (long) producer << 32 | baseSequence;
    }

    /** From 32 random bits a number below this one. */
    private static int below(long bits, int bound) {
        return (int) (bits * bound >>> 32);
    }
}
