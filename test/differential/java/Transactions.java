package differential;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.AbortTransactionSpec;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

@Area(title = "transactions", rows = "[A3] [A6]")
final class Transactions {
    private static ProducerRecord<String, String> record(String topic, String value) {
        return new ProducerRecord<>(topic, 0, 1_000_000L, "key", value);
    }

    private static Producer<String, String> producer(Run run, String id) {
        return run.producer(Map.of("transactional.id", run.name(id)));
    }

    private static Consumer<String, String> reader(Run run, String topic, String isolation) {
        Consumer<String, String> consumer = run.consumer(Map.of("auto.offset.reset", "earliest", "isolation.level", isolation));
        consumer.assign(List.of(new TopicPartition(topic, 0)));
        return consumer;
    }

    /** One that goes on cannot be begun again; one that has failed says so. */
    private static boolean hasFailed(Producer<String, String> producer) {
        try {
            producer.beginTransaction();
            return false;
        } catch (IllegalStateException goesOn) {
            return false;
        } catch (KafkaException failed) {
            return true;
        }
    }

    private static void untilComplete(Run run, String id) throws Exception {
        untilState(run, id, Set.of(TransactionState.COMPLETE_COMMIT, TransactionState.COMPLETE_ABORT));
    }

    /** As it is after a producer, or an administrator in its name, has said that it is there. */
    private static void untilEmpty(Run run, String id) throws Exception {
        untilState(run, id, Set.of(TransactionState.EMPTY));
    }

    private static void untilState(Run run, String id, Set<TransactionState> states) throws Exception {
        run.until(
            any -> any.describeTransactions(List.of(run.name(id))),
            result -> states.contains(result.description(run.name(id)).get().state())
        );
    }

    @Scenario("commits and aborts, and readers of what is committed see it so")
    static void commitsAndAborts(Run run) throws Exception {
        String topic = run.topic(1);
        Producer<String, String> producer = producer(run, "id");
        producer.initTransactions();
        for (String value : List.of("one", "two", "three")) {
            producer.beginTransaction();
            producer.send(record(topic, value));
            producer.send(record(topic, value + " again"));
            if (value.equals("two")) producer.abortTransaction();
            else producer.commitTransaction();
        }
        untilComplete(run, "id");
        Consumer<String, String> committed = reader(run, topic, "read_committed");
        run.poll(committed, 4);
        committed.position(new TopicPartition(topic, 0));
        committed.endOffsets(List.of(new TopicPartition(topic, 0)));
        run.poll(reader(run, topic, "read_uncommitted"), 6);
    }

    @Scenario("keeps back what is not decided, and tells of what is going on")
    static void ongoing(Run run) throws Exception {
        String topic = run.topic(1);
        TopicPartition partition = new TopicPartition(topic, 0);
        Producer<String, String> producer = producer(run, "id");
        producer.initTransactions();
        producer.beginTransaction();
        producer.send(record(topic, "value"));
        Admin admin = run.admin();
        admin.describeTransactions(List.of(run.name("id"), run.name("none")));
        admin.describeProducers(List.of(partition));
        run.onlyMine(() -> admin.listTransactions());
        run.onlyMine(() -> admin.listTransactions(new ListTransactionsOptions().filterStates(List.of(TransactionState.ONGOING))));
        run.onlyMine(() -> admin.listTransactions(new ListTransactionsOptions().filterOnTransactionalIdPattern(run.name(".*"))));
        run.onlyMine(() -> admin.listTransactions(new ListTransactionsOptions().filterOnDuration(3_600_000)));
        admin.listTransactions(new ListTransactionsOptions().filterOnTransactionalIdPattern("(("));
        admin.listOffsets(Map.of(partition, OffsetSpec.latest()), new ListOffsetsOptions(IsolationLevel.READ_COMMITTED));
        admin.listOffsets(Map.of(partition, OffsetSpec.latest()));
        reader(run, topic, "read_committed").endOffsets(List.of(partition));
        producer.commitTransaction();
        untilComplete(run, "id");
        run.poll(reader(run, topic, "read_committed"), 1);
        admin.describeProducers(List.of(partition));
    }

    @Scenario("fences the producer that came first")
    static void fences(Run run) throws Exception {
        String topic = run.topic(1);
        Producer<String, String> first = producer(run, "id");
        first.initTransactions();
        first.beginTransaction();
        first.send(record(topic, "of the first"));
        Producer<String, String> second = producer(run, "id");
        second.initTransactions();
        second.beginTransaction();
        second.send(record(topic, "of the second"));
        second.commitTransaction();
        run.refused(first::commitTransaction);
        run.refused(first::abortTransaction);
        run.refused(first::beginTransaction);
        untilComplete(run, "id");
        run.poll(reader(run, topic, "read_committed"), 1);
    }

    @Scenario("takes no record of a producer that is fenced")
    static void fencesRecords(Run run) throws Exception {
        String topic = run.topic(1);
        Producer<String, String> first = producer(run, "id");
        first.initTransactions();
        first.beginTransaction();
        producer(run, "id").initTransactions();
        first.send(record(topic, "too late"));
    }

    @Scenario("fences by an administrator's word")
    static void fencedByAdmin(Run run) throws Exception {
        String topic = run.topic(1);
        Producer<String, String> producer = producer(run, "id");
        producer.initTransactions();
        producer.beginTransaction();
        producer.send(record(topic, "value"));
        run.admin().fenceProducers(List.of(run.name("id")));
        untilEmpty(run, "id");
        run.refused(producer::commitTransaction);
        run.admin().fenceProducers(List.of(run.name("never used")));
        run.admin().forceTerminateTransaction(run.name("never used"));
    }

    @Scenario("aborts a transaction that hangs, by an administrator's word")
    static void abortedByAdmin(Run run) throws Exception {
        String topic = run.topic(1);
        TopicPartition partition = new TopicPartition(topic, 0);
        Producer<String, String> producer = producer(run, "id");
        producer.initTransactions();
        producer.beginTransaction();
        producer.send(record(topic, "value"));
        ProducerState state = run.unseen().describeProducers(List.of(partition)).partitionResult(partition).get()
            .activeProducers().get(0);
        short epoch = (short) state.producerEpoch();
        run.admin().abortTransaction(new AbortTransactionSpec(partition, state.producerId(), epoch, state.coordinatorEpoch().orElse(0)));
        run.until(any -> any.describeProducers(List.of(partition)),
            result -> result.partitionResult(partition).get().activeProducers().stream()
                .allMatch(each -> each.currentTransactionStartOffset().isEmpty()));
    }

    @Scenario("ends a transaction by force")
    static void terminated(Run run) throws Exception {
        String topic = run.topic(1);
        Producer<String, String> producer = producer(run, "id");
        producer.initTransactions();
        producer.beginTransaction();
        producer.send(record(topic, "value"));
        run.admin().forceTerminateTransaction(run.name("id"));
        untilEmpty(run, "id");
        run.refused(producer::commitTransaction);
    }

    @Scenario("aborts what takes longer than its timeout")
    static void timesOut(Run run) throws Exception {
        String topic = run.topic(1);
        Producer<String, String> producer = run.producer(Map.of("transactional.id", run.name("id"), "transaction.timeout.ms", 1000));
        producer.initTransactions();
        producer.beginTransaction();
        producer.send(record(topic, "value"));
        untilComplete(run, "id");
        run.refused(producer::commitTransaction);
        Map<String, Object> tooLong = Map.of("transactional.id", run.name("long"), "transaction.timeout.ms", 999_999_999);
        run.refused(run.producer(tooLong)::initTransactions);
    }

    @Scenario("commits offsets with records, or neither")
    static void offsets(Run run) throws Exception {
        String topic = run.topic(1);
        String group = run.name("group");
        TopicPartition partition = new TopicPartition(topic, 0);
        Producer<String, String> producer = producer(run, "id");
        ConsumerGroupMetadata metadata = new ConsumerGroupMetadata(group);
        producer.initTransactions();
        producer.beginTransaction();
        producer.sendOffsetsToTransaction(Map.of(partition, new OffsetAndMetadata(5, "note")), metadata);
        producer.abortTransaction();
        untilComplete(run, "id");
        run.admin().listConsumerGroupOffsets(group);
        producer.beginTransaction();
        producer.send(record(topic, "value"));
        producer.sendOffsetsToTransaction(Map.of(partition, new OffsetAndMetadata(7, Optional.of(0), "note")), metadata);
        producer.commitTransaction();
        untilComplete(run, "id");
        run.until(any -> any.listConsumerGroupOffsets(group),
            result -> result.partitionsToOffsetAndMetadata().get().get(partition).offset() == 7);
    }

    @Scenario("refuses offsets of a member of another generation")
    static void staleOffsets(Run run) throws Exception {
        String topic = run.topic(1);
        String group = run.name("group");
        TopicPartition partition = new TopicPartition(topic, 0);
        Member member = run.member(Map.of("group.id", group, "client.id", "member", "group.protocol", "classic"), topic);
        member.untilHas(1);
        ConsumerGroupMetadata[] current = new ConsumerGroupMetadata[1];
        member.does(consumer -> current[0] = member.consumer().groupMetadata());
        Map<TopicPartition, OffsetAndMetadata> offsets = Map.of(partition, new OffsetAndMetadata(1));
        for (ConsumerGroupMetadata wrong : List.of(
            new ConsumerGroupMetadata(group, current[0].generationId() + 7, current[0].memberId(), Optional.empty()),
            new ConsumerGroupMetadata(group, current[0].generationId(), "nobody", Optional.empty()),
            current[0]
        )) {
            Producer<String, String> producer = producer(run, "id");
            producer.initTransactions();
            producer.beginTransaction();
            run.refused(() -> producer.sendOffsetsToTransaction(offsets, wrong));
            run.refused(producer::commitTransaction);
            run.refused(producer::abortTransaction);
            untilComplete(run, "id");
        }
        run.until(any -> any.listConsumerGroupOffsets(group),
            result -> result.partitionsToOffsetAndMetadata().get().get(partition).offset() == 1);
    }

    @Scenario("refuses what is out of order")
    static void outOfOrder(Run run) throws Exception {
        String topic = run.topic(1);
        Producer<String, String> producer = producer(run, "id");
        run.refused(producer::beginTransaction);
        producer.initTransactions();
        run.refused(() -> producer.send(record(topic, "outside")));
        run.refused(producer::commitTransaction);
        run.refused(producer::initTransactions);
        producer.beginTransaction();
        run.refused(producer::beginTransaction);
        producer.abortTransaction();
        Producer<String, String> plain = run.producer(Map.of());
        run.refused(plain::initTransactions);
        run.refused(plain::beginTransaction);
    }

    @Scenario("aborts after a record that was refused")
    static void refusedRecord(Run run) throws Exception {
        String topic = run.topic("topic", 1, Map.of("max.message.bytes", "200"));
        Producer<String, String> unseen = run.unseenProducer(Map.of("transactional.id", run.name("id")));
        Producer<String, String> producer = Recorded.client(run, Producer.class, unseen);
        producer.initTransactions();
        producer.beginTransaction();
        producer.send(record(topic, "fits"));
        // Else both may be in one batch, which the client would have to split.
        producer.flush();
        producer.send(record(topic, "x".repeat(1000)));
        producer.flush();
        // The client begins another epoch if it knows by then, which flush does not wait for.
        run.await("the failure of a transaction", () -> hasFailed(unseen));
        producer.abortTransaction();
        producer.beginTransaction();
        producer.send(record(topic, "in the next"));
        producer.commitTransaction();
        untilComplete(run, "id");
        run.poll(reader(run, topic, "read_committed"), 1);
    }
}
