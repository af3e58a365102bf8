import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Kafka's own client with each of its codecs; values travel as lines of base64.
 *
 *   produce BOOTSTRAP TOPIC < values        to partition N with codec N
 *   consume BOOTSTRAP COUNT TOPIC...        prints "topic partition value"; COUNT a partition
 */
public final class CodecClient {
    private static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");

    public static void main(String[] args) throws Exception {
        if (args[0].equals("produce")) {
            produce(args[1], args[2]);
        } else {
            consume(args[1], Integer.parseInt(args[2]), Arrays.asList(args).subList(3, args.length));
        }
    }

    private static void produce(String bootstrap, String topic) throws Exception {
        List<byte[]> values = new ArrayList<>();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            values.add(Base64.getDecoder().decode(line));
        }
        for (int partition = 0; partition < CODECS.size(); partition++) {
            Map<String, Object> settings = Map.of(
                "bootstrap.servers", bootstrap, "compression.type", CODECS.get(partition), "linger.ms", 50);
            try (KafkaProducer<byte[], byte[]> producer =
                    new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
                List<Future<?>> sent = new ArrayList<>();
                for (byte[] value : values) {
                    sent.add(producer.send(new ProducerRecord<>(topic, partition, null, value)));
                }
                for (Future<?> future : sent) future.get();
            }
        }
    }

    private static void consume(String bootstrap, int count, List<String> topics) {
        List<TopicPartition> partitions = new ArrayList<>();
        for (String topic : topics) {
            for (int i = 0; i < CODECS.size(); i++) partitions.add(new TopicPartition(topic, i));
        }
        Map<String, Object> settings = Map.of("bootstrap.servers", bootstrap);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            StringBuilder output = new StringBuilder();
            long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            int missing = count * partitions.size();
            while (missing > 0 && System.nanoTime() < deadline) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(500))) {
                    output.append(record.topic()).append(' ').append(record.partition()).append(' ')
                        .append(Base64.getEncoder().encodeToString(record.value())).append('\n');
                    missing--;
                }
            }
            System.out.print(output);
        }
    }
}
