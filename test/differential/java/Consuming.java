package differential;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

@Area(title = "consuming", rows = "[A3] [A7]")
final class Consuming {
    /** Four records in partition 0, at offsets 0 to 3, of which those before `first` are deleted. */
    private static TopicPartition written(Run run, int first) throws Exception {
        String topic = run.topic(1);
        TopicPartition partition = new TopicPartition(topic, 0);
        Producer<String, String> producer = run.unseenProducer(Map.of());
        for (long time = 1; time <= 4; time++)
            producer.send(new ProducerRecord<>(topic, 0, time * 1000, "key", "record " + time)).get();
        run.unseen().deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(first))).all().get();
        return partition;
    }

    /** As `written`, and one record of now at offset 4, which policies by time find. */
    private static TopicPartition writtenUntilNow(Run run) throws Exception {
        TopicPartition partition = written(run, 1);
        run.unseenProducer(Map.of()).send(new ProducerRecord<>(partition.topic(), 0, "key", "now")).get();
        return partition;
    }

    @Scenario("goes where its policy says when an offset is out of range")
    static void resets(Run run) throws Exception {
        TopicPartition partition = writtenUntilNow(run);
        for (String policy : List.of("earliest", "latest", "by_duration:P1D")) {
            Consumer<String, String> consumer = run.consumer(Map.of("auto.offset.reset", policy));
            consumer.assign(List.of(partition));
            for (long offset : List.of(99L, 0L)) {
                consumer.seek(partition, offset);
                if (policy.equals("latest")) untilAt(run, consumer, partition, 5);
                else run.poll(consumer, policy.equals("earliest") ? 4 : 1);
            }
            consumer.position(partition);
        }
        Consumer<String, String> none = run.consumer(Map.of("auto.offset.reset", "none"));
        none.assign(List.of(partition));
        none.seek(partition, 99);
        run.pollFails(none);
        none.seek(partition, 0);
        run.pollFails(none);
    }

    /** A position out of range is only found to be so by fetching. */
    private static void untilAt(Run run, Consumer<String, String> consumer, TopicPartition partition, long offset) throws Exception {
        run.await("position " + offset, () -> {
            consumer.poll(Duration.ofMillis(50));
            return run.positionOf(consumer, partition) == offset;
        });
    }

    @Scenario("knows no offset to begin with, where it is to make none up")
    static void noOffset(Run run) throws Exception {
        TopicPartition partition = written(run, 0);
        Consumer<String, String> none = run.consumer(Map.of("auto.offset.reset", "none", "group.id", run.name("group")));
        none.assign(List.of(partition));
        run.pollFails(none);
        run.refused(() -> none.position(partition));
        Consumer<String, String> latest = run.consumer(Map.of("auto.offset.reset", "latest"));
        latest.assign(List.of(partition));
        latest.position(partition);
    }

    @Scenario("begins by its policy where nothing is committed")
    static void begins(Run run) throws Exception {
        TopicPartition partition = writtenUntilNow(run);
        for (String policy : List.of("earliest", "latest", "by_duration:PT1H")) {
            Consumer<String, String> consumer = run.consumer(Map.of("auto.offset.reset", policy, "group.id", run.name("group")));
            consumer.assign(List.of(partition));
            consumer.position(partition);
        }
    }

    @Scenario("seeks, pauses and tells how far it is")
    static void seeks(Run run) throws Exception {
        TopicPartition partition = written(run, 0);
        Consumer<String, String> consumer = run.consumer(Map.of("auto.offset.reset", "earliest"));
        consumer.assign(List.of(partition));
        run.poll(consumer, 4);
        consumer.currentLag(partition);
        consumer.seek(partition, 2);
        consumer.position(partition);
        run.poll(consumer, 2);
        consumer.seekToBeginning(List.of(partition));
        consumer.position(partition);
        consumer.seekToEnd(List.of(partition));
        consumer.position(partition);
        consumer.seek(partition, new OffsetAndMetadata(1, "note"));
        run.poll(consumer, 3);
        consumer.pause(List.of(partition));
        consumer.paused();
        consumer.resume(List.of(partition));
        consumer.assignment();
        run.refused(() -> consumer.seek(partition, -1));
        run.refused(() -> consumer.position(new TopicPartition(partition.topic(), 9)));
    }

    @Scenario("commits, by hand and later, and says what is committed")
    static void commits(Run run) throws Exception {
        TopicPartition partition = written(run, 0);
        for (String protocol : List.of("classic", "consumer")) {
            String group = run.name(protocol);
            Consumer<String, String> consumer = run.consumer(Map.of("group.id", group, "group.protocol", protocol, "auto.offset.reset", "earliest"));
            consumer.assign(List.of(partition));
            consumer.committed(Set.of(partition));
            consumer.commitSync(Map.of(partition, new OffsetAndMetadata(2, "by hand")));
            consumer.committed(Set.of(partition));
            run.refused(() -> consumer.commitSync(Map.of(partition, new OffsetAndMetadata(2, "x".repeat(5000)))));
            run.poll(consumer, 2);
            consumer.commitSync();
            List<Object> calledBack = new CopyOnWriteArrayList<>();
            consumer.commitAsync(Map.of(partition, new OffsetAndMetadata(3)), (offsets, error) -> calledBack.add(error == null ? offsets : error));
            run.await("a callback", () -> {
                consumer.poll(Duration.ofMillis(50));
                return !calledBack.isEmpty();
            });
            run.see("Consumer.commitAsync", calledBack);
            consumer.groupMetadata();
            run.admin().listConsumerGroupOffsets(group);
        }
        Consumer<String, String> without = run.consumer(Map.of());
        without.assign(List.of(partition));
        run.refused(without::commitSync);
        run.refused(() -> without.committed(Set.of(partition)));
        run.refused(() -> without.subscribe(List.of("x")));
    }

    @Scenario("commits by itself as it closes")
    static void commitsItself(Run run) throws Exception {
        TopicPartition partition = written(run, 0);
        for (String protocol : List.of("classic", "consumer")) {
            Map<String, Object> config = Map.of("group.id", run.name(protocol), "group.protocol", protocol,
                "auto.offset.reset", "earliest", "enable.auto.commit", true, "client.id", protocol);
            Member member = run.member(config, partition.topic());
            member.untilRead(4);
            member.close();
            member.tellRead();
            run.admin().listConsumerGroupOffsets(run.name(protocol));
            Member next = run.member(config, partition.topic());
            next.untilHas(1);
            next.does(consumer -> run.see("Consumer.position", run.positionOf(consumer, partition)));
            next.close();
        }
    }

    @Scenario("is woken from what it waits for")
    static void wakes(Run run) throws Exception {
        TopicPartition partition = written(run, 0);
        Consumer<String, String> consumer = run.consumer(Map.of("auto.offset.reset", "latest"));
        consumer.assign(List.of(partition));
        consumer.wakeup();
        run.pollFails(consumer);
        consumer.position(partition);
    }

    @Scenario("tells of topics, those that it does not know too")
    static void topics(Run run) throws Exception {
        TopicPartition partition = written(run, 0);
        Consumer<String, String> consumer = run.consumer(Map.of("allow.auto.create.topics", false));
        consumer.partitionsFor(partition.topic());
        consumer.partitionsFor(run.name("missing"));
        run.refused(() -> consumer.partitionsFor("not a name"));
        run.onlyMine(() -> consumer.listTopics());
        TopicPartition missing = new TopicPartition(run.name("missing"), 0);
        run.timesOut(() -> consumer.endOffsets(List.of(missing), Duration.ofMillis(1500)));
        run.timesOut(() -> consumer.offsetsForTimes(Map.of(missing, 1L), Duration.ofMillis(1500)));
    }

    @Scenario("cannot read what it is not told how to")
    static void settings(Run run) throws Exception {
        run.see("Consumer.new", construct(run, Map.of("auto.offset.reset", "by_duration:nonsense")));
        run.see("Consumer.new", construct(run, Map.of("group.protocol", "consumer", "group.id", "x", "session.timeout.ms", 1)));
        run.see("Consumer.new", construct(run, Map.of("group.id", "")));
        Consumer<String, String> consumer = run.consumer(Map.of());
        run.refused(() -> consumer.subscribe(List.of("x")));
        run.pollFails(consumer);
    }

    private static Object construct(Run run, Map<String, Object> config) {
        try {
            run.unopenedConsumer(config).close();
            return "made";
        } catch (RuntimeException error) {
            return error;
        }
    }
}
