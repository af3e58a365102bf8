import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.protocol.types.ArrayOf;
import org.apache.kafka.common.protocol.types.BoundField;
import org.apache.kafka.common.protocol.types.CompactArrayOf;
import org.apache.kafka.common.protocol.types.Schema;
import org.apache.kafka.common.protocol.types.TaggedFields;
import org.apache.kafka.common.record.internal.MemoryRecords;

/**
 * Kafka's own message classes, for comparison with ours. Reads jobs from standard input and answers
 * each on standard output, until the input ends:
 *
 *   'e' class version bytes   decode, encode again, answer with the bytes
 *   'g' class version seed    make a message of random values, answer with its bytes
 *
 * Strings, and answers, are a 32-bit length and the bytes; a negative length tells of an exception,
 * whose text follows.
 */
public final class MessageConformance {
    private final Random random;

    private MessageConformance(long seed) {
        random = new Random(seed);
    }

    public static void main(String[] args) throws Exception {
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in, 1 << 16));
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out, 1 << 16));
        for (int job = in.read(); job >= 0; job = in.read()) {
            String className = new String(readBytes(in));
            short version = in.readShort();
            try {
                byte[] answer;
                if (job == 'e') {
                    answer = encodeAgain(className, version, readBytes(in));
                } else {
                    answer = new MessageConformance(in.readLong()).generate(className, version);
                }
                out.writeInt(answer.length);
                out.write(answer);
            } catch (Throwable failure) {
                Throwable cause = failure.getCause() == null ? failure : failure.getCause();
                byte[] text = cause.toString().getBytes();
                out.writeInt(-text.length);
                out.write(text);
            }
        }
        out.flush();
    }

    private static byte[] readBytes(DataInputStream in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return bytes;
    }

    private static byte[] encodeAgain(String className, short version, byte[] bytes) throws Exception {
        Message message = (Message) Class.forName(className).getConstructor().newInstance();
        ByteBufferAccessor accessor = new ByteBufferAccessor(ByteBuffer.wrap(bytes));
        message.read(accessor, version);
        if (accessor.remaining() > 0) throw new IOException(accessor.remaining() + " bytes left");
        return encode(message, version);
    }

    private static byte[] encode(Message message, short version) {
        ByteBuffer buffer = MessageUtil.toByteBufferAccessor(message, version).buffer();
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    private byte[] generate(String className, short version) throws Exception {
        Class<?> type = Class.forName(className);
        return encode((Message) struct(type, schemaOf(type, version)), version);
    }

    private static Schema schemaOf(Class<?> type, short version) throws Exception {
        return ((Schema[]) type.getField("SCHEMAS").get(null))[version];
    }

    private Object struct(Class<?> type, Schema schema) throws Exception {
        Object target = type.getConstructor().newInstance();
        for (BoundField field : schema.fields()) {
            if (field.def.type instanceof TaggedFields) {
                setTagged(target, (TaggedFields) field.def.type);
            } else {
                set(target, field.def.name, field.def.type);
            }
        }
        return target;
    }

    private void setTagged(Object target, TaggedFields tagged) throws Exception {
        for (Map.Entry<Integer, org.apache.kafka.common.protocol.types.Field> entry : tagged.fields().entrySet()) {
            if (random.nextInt(3) > 0) set(target, entry.getValue().name, entry.getValue().type);
        }
    }

    private void set(
        Object target, String snakeName, org.apache.kafka.common.protocol.types.Type wire
    ) throws Exception {
        Field field = target.getClass().getDeclaredField(camelCase(snakeName));
        field.setAccessible(true);
        field.set(target, value(wire, field.getGenericType()));
    }

    private static String camelCase(String snakeName) {
        StringBuilder name = new StringBuilder();
        for (String word : snakeName.split("_")) {
            if (name.length() > 0) word = Character.toUpperCase(word.charAt(0)) + word.substring(1);
            name.append(word);
        }
        return name.toString();
    }

    private Object value(org.apache.kafka.common.protocol.types.Type wire, Type java) throws Exception {
        if (wire.isNullable() && random.nextInt(4) == 0) return null;
        if (wire instanceof Schema) return struct((Class<?>) java, (Schema) wire);
        if (wire instanceof ArrayOf) return array(((ArrayOf) wire).arrayElementType().get(), java);
        if (wire instanceof CompactArrayOf) return array(((CompactArrayOf) wire).arrayElementType().get(), java);
        if (java == boolean.class) return random.nextBoolean();
        if (java == byte.class || java == Byte.class) return (byte) random.nextInt();
        if (java == short.class || java == Short.class) return (short) random.nextInt();
        if (java == long.class && wire.toString().equals("UINT32")) return random.nextInt() & 0xffffffffL;
        if (java == int.class && wire.toString().equals("UINT16")) return random.nextInt() & 0xffff;
        if (java == int.class || java == Integer.class) return random.nextInt();
        if (java == long.class || java == Long.class) return random.nextLong();
        if (java == double.class) return random.nextGaussian();
        if (java == Uuid.class) return new Uuid(random.nextLong(), random.nextLong());
        if (java == String.class) return string();
        if (java == byte[].class) return bytes();
        if (java == ByteBuffer.class) return ByteBuffer.wrap(bytes());
        if (wire.toString().endsWith("RECORDS")) return MemoryRecords.readableRecords(ByteBuffer.wrap(bytes()));
        throw new IllegalStateException("no values for " + java + " as " + wire);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private Object array(org.apache.kafka.common.protocol.types.Type itemWire, Type java) throws Exception {
        Collection items;
        Type itemJava;
        if (java instanceof ParameterizedType) {
            items = new ArrayList<>();
            itemJava = ((ParameterizedType) java).getActualTypeArguments()[0];
        } else {
            Class<?> collection = (Class<?>) java;
            items = (Collection) collection.getConstructor().newInstance();
            itemJava = ((ParameterizedType) collection.getGenericSuperclass()).getActualTypeArguments()[0];
        }
        for (int count = random.nextInt(4); count > 0; count--) items.add(value(itemWire, itemJava));
        return items;
    }

    private String string() {
        String[] alphabet = {"a", "Z", "0", "-", "ä", "€", "\uD83D\uDE00", " "};
        StringBuilder text = new StringBuilder();
        for (int length = length(); length > 0; length--) text.append(alphabet[random.nextInt(alphabet.length)]);
        return text.toString();
    }

    private byte[] bytes() {
        byte[] bytes = new byte[length()];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Mostly short; at times longer than one byte of a varint can say. */
    private int length() {
        return random.nextInt(12) == 0 ? 120 + random.nextInt(2000) : random.nextInt(9);
    }
}
