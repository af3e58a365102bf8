package differential;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DeleteRecordsResult;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

@Area(title = "offsets of partitions", rows = "[A3]")
final class Offsets {
    /** Three records in partition 0, the second of which is the latest. */
    private static String written(Run run) throws Exception {
        String topic = run.topic(2);
        Producer<String, String> producer = run.unseenProducer(Map.of());
        for (long time : List.of(1000L, 3000L, 2000L)) {
            producer.send(new ProducerRecord<>(topic, 0, time, "key", "at " + time)).get();
        }
        return topic;
    }

    @Scenario("lists offsets by every spec")
    static void lists(Run run) throws Exception {
        String topic = written(run);
        TopicPartition partition = new TopicPartition(topic, 0);
        TopicPartition empty = new TopicPartition(topic, 1);
        Map<String, OffsetSpec> specs = new LinkedHashMap<>();
        specs.put("earliest", OffsetSpec.earliest());
        specs.put("latest", OffsetSpec.latest());
        specs.put("the latest in time", OffsetSpec.maxTimestamp());
        specs.put("local", OffsetSpec.earliestLocal());
        specs.put("tiered", OffsetSpec.latestTiered());
        specs.put("to be uploaded", OffsetSpec.earliestPendingUpload());
        specs.put("at 1500", OffsetSpec.forTimestamp(1500));
        specs.put("at 9000", OffsetSpec.forTimestamp(9000));
        for (OffsetSpec spec : specs.values()) run.admin().listOffsets(Map.of(partition, spec, empty, spec));
        run.admin().listOffsets(Map.of(partition, OffsetSpec.latest()), new ListOffsetsOptions(IsolationLevel.READ_COMMITTED));
    }

    @Scenario("deletes records up to an offset")
    static void deletesRecords(Run run) throws Exception {
        String topic = written(run);
        TopicPartition partition = new TopicPartition(topic, 0);
        Admin admin = run.admin();
        admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(2)));
        admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(1)));
        admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(9)));
        admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(-2)));
        admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(-1)));
        admin.listOffsets(Map.of(partition, OffsetSpec.earliest()));
        String compacted = run.topic("compacted", 1, Map.of("cleanup.policy", "compact"));
        admin.deleteRecords(Map.of(new TopicPartition(compacted, 0), RecordsToDelete.beforeOffset(0)));
    }

    @Scenario("tells a consumer where partitions begin and end, and what was at a time")
    static void consumer(Run run) throws Exception {
        String topic = written(run);
        TopicPartition partition = new TopicPartition(topic, 0);
        TopicPartition empty = new TopicPartition(topic, 1);
        run.unseen().deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(1))).all().get();
        Consumer<String, String> consumer = run.consumer(Map.of());
        consumer.beginningOffsets(List.of(partition, empty));
        consumer.endOffsets(List.of(partition, empty));
        consumer.offsetsForTimes(Map.of(partition, 2500L, empty, 0L));
        consumer.offsetsForTimes(Map.of(partition, 0L));
        consumer.offsetsForTimes(Map.of(partition, 5000L));
        run.refused(() -> consumer.offsetsForTimes(Map.of(partition, -1L)));
        consumer.partitionsFor(topic);
    }
}
