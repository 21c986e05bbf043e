package org.apache.kafka.common.record.internal;

import java.nio.ByteBuffer;

/**
 * The header of a batch whose fields were read already, for what asks a {@link RecordBatch} about its sequences. There
 * are no bytes behind it. It can become another batch, so that none has to be made for each of many.
 *
 * <p>It is in Kafka's package because the constructor of {@link DefaultRecordBatch} is seen only there.
 */
public final class ParsedBatch extends DefaultRecordBatch {
    private short epoch;
    private int baseSequence;
    private int lastSequence;

    public ParsedBatch() {
        super(ByteBuffer.allocate(RECORD_BATCH_OVERHEAD));
    }

    /** From now on it is the batch with this epoch and these sequences. */
    public void become(short itsEpoch, int itsBaseSequence, int records) {
        epoch = itsEpoch;
        baseSequence = itsBaseSequence;
        lastSequence = incrementSequence(itsBaseSequence, records - 1);
    }

    @Override
    public short producerEpoch() {
        return epoch;
    }

    @Override
    public int baseSequence() {
        return baseSequence;
    }

    @Override
    public int lastSequence() {
        return lastSequence;
    }
}
