package differential;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

@Area(title = "producing", rows = "[A3] [A6]")
final class Producing {
    private static ProducerRecord<String, String> record(String topic, String value) {
        return new ProducerRecord<>(topic, 0, 1_000_000L, "key", value);
    }

    private static void readAll(Run run, String topic, int count) throws Exception {
        Consumer<String, String> consumer = run.consumer(Map.of("auto.offset.reset", "earliest"));
        consumer.assign(List.of(new TopicPartition(topic, 0)));
        run.poll(consumer, count);
    }

    @Scenario("acknowledges as it is asked to, and keeps what a record has")
    static void acknowledges(Run run) throws Exception {
        String topic = run.topic(1);
        List<Header> headers = List.of(
            new RecordHeader("one", "1".getBytes()), new RecordHeader("one", "2".getBytes()), new RecordHeader("none", null));
        Map<String, Object> notIdempotent = Map.of("enable.idempotence", false);
        for (String acks : List.of("all", "1", "0")) {
            Map<String, Object> config = acks.equals("all") ? Map.of("acks", acks) : Map.of("acks", acks, "enable.idempotence", false);
            Producer<String, String> producer = run.producer(config);
            producer.send(new ProducerRecord<>(topic, 0, 1_000_000L, "key", acks, headers));
        }
        Producer<String, String> producer = run.producer(notIdempotent);
        producer.send(new ProducerRecord<>(topic, 0, null, null));
        producer.send(new ProducerRecord<>(topic, 0, "", ""));
        producer.partitionsFor(topic);
        readAll(run, topic, 5);
    }

    @Scenario("stamps records with the broker's time where the topic says so")
    static void appendTime(Run run) throws Exception {
        String topic = run.topic("topic", 1, Map.of("message.timestamp.type", "LogAppendTime"));
        run.producer(Map.of()).send(record(topic, "value"));
        readAll(run, topic, 1);
    }

    @Scenario("compresses with every codec, and the topic's own")
    static void compresses(Run run) throws Exception {
        String topic = run.topic(1);
        String own = run.topic("own", 1, Map.of("compression.type", "gzip"));
        for (String codec : List.of("gzip", "snappy", "lz4", "zstd")) {
            Producer<String, String> producer = run.producer(Map.of("compression.type", codec));
            producer.send(record(topic, codec.repeat(100)));
            producer.send(record(own, codec.repeat(100)));
        }
        readAll(run, topic, 4);
        readAll(run, own, 4);
    }

    @Scenario("tells of each record in a batch where it lies, in order")
    static void batches(Run run) throws Exception {
        String topic = run.topic(1);
        Producer<String, String> producer = run.unseenProducer(Map.of("linger.ms", 600_000, "batch.size", 65_536));
        List<String> calledBack = new CopyOnWriteArrayList<>();
        List<Object> futures = new ArrayList<>();
        for (String value : List.of("a", "b", "c"))
            futures.add(producer.send(record(topic, value), (metadata, error) -> calledBack.add(value + " at " + metadata.offset())));
        producer.flush();
        run.see("Producer.send", futures);
        run.see("Producer.send", calledBack);
        producer.close(Duration.ofSeconds(60));
        readAll(run, topic, 3);
    }

    @Scenario("refuses records, each with its reason")
    static void refuses(Run run) throws Exception {
        String small = run.topic("small", 1, Map.of("max.message.bytes", "200"));
        String strict = run.topic("strict", 1, Map.of("message.timestamp.before.max.ms", "1000", "message.timestamp.after.max.ms", "1000"));
        String compacted = run.topic("compacted", 1, Map.of("cleanup.policy", "compact"));
        Producer<String, String> producer = run.producer(Map.of("max.request.size", 100_000));
        producer.send(record(small, "x".repeat(1000)));
        producer.send(record(small, "x".repeat(100_001)));
        producer.send(record(small, "fits"));
        producer.send(record(strict, "long ago"));
        producer.send(new ProducerRecord<>(strict, 0, Long.MAX_VALUE - 1, "key", "far away"));
        producer.send(new ProducerRecord<>(compacted, 0, 1_000_000L, null, "without a key"));
        producer.send(record("not a name", "x"));
        readAll(run, small, 1);
    }

    @Scenario("waits in vain for topics and partitions that there are not")
    static void timesOut(Run run) throws Exception {
        String topic = run.topic(1);
        Producer<String, String> producer = run.producer(Map.of("max.block.ms", 1500, "allow.auto.create.topics", false));
        Producer<String, String> other = run.producer(Map.of("max.block.ms", 1500));
        // Not to be made by asking: that is what Kafka's brokers do by default.
        run.timesOut(() -> other.send(new ProducerRecord<>(topic, 7, "key", "value")));
        run.timesOut(() -> producer.partitionsFor("not a name"));
    }

    @Scenario("makes a topic by writing to it")
    static void makesTopics(Run run) throws Exception {
        String topic = run.name("made");
        run.producer(Map.of()).send(record(topic, "value"));
        run.untilThere(topic, 1);
        run.admin().describeTopics(List.of(topic));
        readAll(run, topic, 1);
    }

    @Scenario("refuses settings that contradict one another")
    static void settings(Run run) {
        run.refused(() -> run.see("Producer.new", construct(run, Map.of("acks", "1", "enable.idempotence", true))));
        run.refused(() -> run.see("Producer.new", construct(run, Map.of("retries", 0, "enable.idempotence", true))));
        run.refused(() -> run.see("Producer.new", construct(run, Map.of("transactional.id", "x", "enable.idempotence", false))));
    }

    private static Object construct(Run run, Map<String, Object> config) {
        try {
            run.unseenProducer(config);
            return "made";
        } catch (RuntimeException error) {
            return error;
        }
    }
}
