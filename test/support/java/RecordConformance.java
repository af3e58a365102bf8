import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Random;
import java.util.StringJoiner;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.internals.ByteBufferOutputStream;

/**
 * Kafka's own record batches, for comparison with ours. Reads jobs from standard input and answers
 * each on standard output, until the input ends:
 *
 *   'm' compression seed    make a batch at random: its bytes, then its description
 *   'd' bytes               check and describe batches
 *
 * Strings, bytes and answers are a 32-bit length and the bytes. A description has one line for a batch
 * and one for each of its records; an exception takes its place.
 */
public final class RecordConformance {
    private static final String[] HEADER_KEYS = {"", "a", "b", "trace-id", "ä"};

    private final Random random;

    private RecordConformance(long seed) {
        random = new Random(seed);
    }

    public static void main(String[] args) throws Exception {
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in, 1 << 16));
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out, 1 << 16));
        for (int job = in.read(); job >= 0; job = in.read()) {
            byte[] argument = new byte[in.readInt()];
            in.readFully(argument);
            if (job == 'm') {
                ByteBuffer batch = new RecordConformance(in.readLong()).make(new String(argument));
                argument = new byte[batch.remaining()];
                batch.get(argument);
                write(out, argument);
            }
            write(out, describe(argument).getBytes());
        }
        out.flush();
    }

    private static void write(DataOutputStream out, byte[] bytes) throws Exception {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private ByteBuffer make(String compression) {
        boolean control = compression.equals("none") && oneIn(8);
        boolean transactional = control || oneIn(3);
        boolean idempotent = transactional || oneIn(3);
        TimestampType timestampType = oneIn(3) ? TimestampType.LOG_APPEND_TIME : TimestampType.CREATE_TIME;
        long deleteHorizonMs = timestampType == TimestampType.CREATE_TIME && oneIn(5) ? time() : RecordBatch.NO_TIMESTAMP;
        long baseOffset = oneIn(3) ? 0 : random.nextLong() >>> 2;
        MemoryRecordsBuilder builder = new MemoryRecordsBuilder(
            new ByteBufferOutputStream(1024), RecordBatch.CURRENT_MAGIC_VALUE,
            Compression.of(compression).build(), timestampType, baseOffset,
            timestampType == TimestampType.LOG_APPEND_TIME ? time() : RecordBatch.NO_TIMESTAMP,
            idempotent ? random.nextLong() >>> 1 : RecordBatch.NO_PRODUCER_ID,
            idempotent ? (short) random.nextInt(32768) : RecordBatch.NO_PRODUCER_EPOCH,
            idempotent && !control ? random.nextInt(Integer.MAX_VALUE) : RecordBatch.NO_SEQUENCE,
            transactional, control, oneIn(2) ? -1 : random.nextInt(1000), Integer.MAX_VALUE,
            deleteHorizonMs);
        if (control) {
            ControlRecordType type = oneIn(2) ? ControlRecordType.COMMIT : ControlRecordType.ABORT;
            builder.appendEndTxnMarker(time(), new EndTransactionMarker(type, random.nextInt(1000)));
        } else {
            long offset = baseOffset;
            for (int count = 1 + random.nextInt(6); count > 0; count--) {
                offset += oneIn(4) ? 1 + random.nextInt(1000) : 0;
                builder.appendWithOffset(offset++, time(), bytes(), bytes(), headers());
            }
            if (oneIn(5)) builder.overrideLastOffset(offset + random.nextInt(100));
        }
        builder.close();
        return builder.build().buffer();
    }

    private Header[] headers() {
        Header[] headers = new Header[oneIn(2) ? 0 : random.nextInt(5)];
        for (int i = 0; i < headers.length; i++) {
            headers[i] = new RecordHeader(HEADER_KEYS[random.nextInt(HEADER_KEYS.length)], bytes());
        }
        return headers;
    }

    private byte[] bytes() {
        if (oneIn(5)) return null;
        byte[] bytes = new byte[oneIn(10) ? random.nextInt(20_000) : random.nextInt(20)];
        if (oneIn(2)) random.nextBytes(bytes);
        return bytes;
    }

    private long time() {
        return oneIn(4) ? random.nextLong() >>> 2 : 1_700_000_000_000L + random.nextInt(1_000_000);
    }

    private boolean oneIn(int chances) {
        return random.nextInt(chances) == 0;
    }

    private static String describe(byte[] bytes) {
        try {
            StringJoiner lines = new StringJoiner("\n");
            for (MutableRecordBatch batch : MemoryRecords.readableRecords(ByteBuffer.wrap(bytes)).batches()) {
                batch.ensureValid();
                lines.add(describe((DefaultRecordBatch) batch));
                for (Record record : batch) lines.add(describe(record, batch));
            }
            return lines.toString();
        } catch (RuntimeException failure) {
            return failure.toString();
        }
    }

    private static String describe(DefaultRecordBatch batch) {
        return "batch " + batch.baseOffset() + " " + batch.lastOffset() + " " + batch.sizeInBytes()
            + " " + batch.partitionLeaderEpoch() + " " + batch.checksum()
            + " " + CompressionType.forId(batch.compressionType().id).name
            + " " + batch.timestampType().name + " " + batch.isTransactional() + " " + batch.isControlBatch()
            + " " + batch.deleteHorizonMs().isPresent() + " " + batch.baseTimestamp()
            + " " + batch.maxTimestamp() + " " + batch.producerId() + " " + batch.producerEpoch()
            + " " + batch.baseSequence() + " " + batch.lastSequence() + " " + batch.countOrNull();
    }

    private static String describe(Record record, RecordBatch batch) {
        StringJoiner words = new StringJoiner(" ");
        words.add("record").add("" + record.offset()).add("" + record.timestamp());
        words.add(hex(record.key())).add(hex(record.value()));
        for (Header header : record.headers()) {
            words.add(hex(ByteBuffer.wrap(header.key().getBytes())) + "="
                + hex(header.value() == null ? null : ByteBuffer.wrap(header.value())));
        }
        if (batch.isControlBatch()) {
            words.add(ControlRecordType.parse(record.key()).name().toLowerCase());
            words.add("" + EndTransactionMarker.deserialize(record).coordinatorEpoch());
        }
        return words.toString();
    }

    private static String hex(ByteBuffer bytes) {
        if (bytes == null) return "null";
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return "0x" + HexFormat.of().formatHex(copy);
    }
}
