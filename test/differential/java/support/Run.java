package differential;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** One scenario on one side. What it does with Kafka's clients is kept step by step, to be compared. */
final class Run implements AutoCloseable {
    private static final long UNTIL_LIMIT_MS = 90_000;
    private static final long UNTIL_PAUSE_MS = 30;

    private final Brokers brokers;
    private final String slug;
    private final Shown shown;
    private final List<Map<String, Object>> steps = new ArrayList<>();
    private final List<Map<String, Object>> topics = new ArrayList<>();
    private final Map<String, String> aliases = new LinkedHashMap<>();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private boolean onlyMine;
    private boolean mayTimeOut;
    private int clients;

    Run(Brokers brokers, String slug) {
        this.brokers = brokers;
        this.slug = slug;
        this.shown = new Shown(slug + "-");
    }

    /** A name that no other scenario has, and that is the same on both sides. */
    String name(String what) {
        return slug + "-" + what;
    }

    String bootstrap() {
        return brokers.bootstrap;
    }

    /** Each call is a step, and its result is compared. */
    Admin admin() {
        return Recorded.client(this, Admin.class, brokers.admin);
    }

    /** As this user, where ACLs decide. */
    Admin adminAs(String user) {
        return Recorded.client(this, Admin.class, open(Admin.create(as(user))));
    }

    /** Settings by which a client logs in; the password is the name. */
    Map<String, Object> as(String user) {
        String login = "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"%s\" password=\"%s\";";
        return new HashMap<>(Map.of(
            "bootstrap.servers", brokers.saslBootstrap,
            "security.protocol", "SASL_PLAINTEXT",
            "sasl.mechanism", "PLAIN",
            "sasl.jaas.config", login.formatted(user, user)
        ));
    }

    /** To prepare something, or to look: nothing is compared. */
    Admin unseen() {
        return brokers.admin;
    }

    /** A new topic with leaders, whose logs are compared at the end. */
    String topic(String what, int partitions, Map<String, String> configs) throws Exception {
        String topic = name(what);
        unseen().createTopics(List.of(new NewTopic(topic, partitions, (short) 1).configs(configs))).all().get();
        untilThere(topic, partitions);
        topics.add(Map.of("name", topic, "partitions", partitions));
        return topic;
    }

    String topic(int partitions) throws Exception {
        return topic("topic", partitions, Map.of());
    }

    /** Kafka's brokers hear of what the controller has made a little later. */
    void untilThere(String topic, int partitions) throws Exception {
        await("a topic with leaders", () -> {
            TopicDescription description = unseen().describeTopics(List.of(topic)).allTopicNames().get().get(topic);
            return description.partitions().size() == partitions
                && description.partitions().stream().allMatch(each -> each.leader() != null);
        });
    }

    /** Each record that it sends is a step, and is waited for. */
    @SuppressWarnings("unchecked")
    Producer<String, String> producer(Map<String, Object> config) {
        return Recorded.client(this, Producer.class, unseenProducer(config));
    }

    Producer<String, String> unseenProducer(Map<String, Object> config) {
        StringSerializer text = new StringSerializer();
        return open(new KafkaProducer<>(with(config, Map.of("linger.ms", 0)), text, text));
    }

    /** What it is asked is a step; records come through `poll` of this class. */
    Consumer<String, String> consumer(Map<String, Object> config) {
        return seen(open(unopenedConsumer(config)));
    }

    /** The same consumer, each call of which is a step. */
    @SuppressWarnings("unchecked")
    Consumer<String, String> seen(Consumer<String, String> consumer) {
        return Recorded.client(this, Consumer.class, consumer);
    }

    /** Not closed with the run, unlike the others. */
    KafkaConsumer<String, String> unopenedConsumer(Map<String, Object> config) {
        StringDeserializer text = new StringDeserializer();
        return new KafkaConsumer<>(with(config, Map.of("enable.auto.commit", false)), text, text);
    }

    private Map<String, Object> with(Map<String, Object> config, Map<String, Object> defaults) {
        Map<String, Object> all = new HashMap<>(defaults);
        all.put("bootstrap.servers", brokers.bootstrap);
        all.put("client.id", name("client-" + ++clients));
        all.putAll(config);
        return all;
    }

    /** As many records as are to come, however many polls that takes; by partition. */
    ConsumerRecords<String, String> poll(Consumer<String, String> consumer, int count) throws Exception {
        Map<TopicPartition, List<ConsumerRecord<String, String>>> received =
            new TreeMap<>(Comparator.comparing(TopicPartition::toString));
        int[] left = {count};
        await(count + " records", () -> {
            for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
                left[0]--;
                TopicPartition partition = new TopicPartition(record.topic(), record.partition());
                received.computeIfAbsent(partition, any -> new ArrayList<>()).add(record);
            }
            return left[0] <= 0;
        });
        ConsumerRecords<String, String> records = new ConsumerRecords<>(received, Map.of());
        see("Consumer.poll", records);
        return records;
    }

    /** Polls until that throws. */
    void pollFails(Consumer<String, String> consumer) throws Exception {
        RuntimeException[] thrown = new RuntimeException[1];
        await("an exception", () -> {
            try {
                consumer.poll(Duration.ofMillis(100));
            } catch (RuntimeException error) {
                thrown[0] = error;
            }
            return thrown[0] != null;
        });
        keepError("Consumer.poll", thrown[0]);
    }

    /** Where it is, without a step. */
    long positionOf(Consumer<String, String> consumer, TopicPartition partition) {
        int before = steps.size();
        long position = consumer.position(partition);
        steps.subList(before, steps.size()).clear();
        return position;
    }

    /** A member of a group that polls from now on. */
    Member member(Map<String, Object> config, Member.Subscribe subscribe) {
        boolean isIncremental = "consumer".equals(config.get("group.protocol"))
            || String.valueOf(config.get("partition.assignment.strategy")).contains("Cooperative");
        return open(new Member(this, unopenedConsumer(config), isIncremental, subscribe));
    }

    Member member(Map<String, Object> config, String... topics) {
        return member(config, (consumer, listener) -> consumer.subscribe(List.of(topics), listener));
    }

    /** How a group is now, without a step. */
    ConsumerGroupDescription group(String group) throws Exception {
        return unseen().describeConsumerGroups(List.of(group)).all().get().get(group);
    }

    /** Of what tells of the whole cluster, only what has a name of this scenario's. */
    void onlyMine(Runnable ask) {
        onlyMine = true;
        ask.run();
        onlyMine = false;
    }

    /** Here a client is to give up waiting. */
    void timesOut(Runnable ask) {
        mayTimeOut = true;
        refused(ask);
        mayTimeOut = false;
    }

    /** Here a client throws, and the step says what. */
    void refused(Runnable ask) {
        int before = steps.size();
        try {
            ask.run();
        } catch (RuntimeException error) {
            if (steps.size() == before) throw error;
        }
    }

    /** Asks again and again until the answer is as wanted; that one is compared. */
    <R> void until(Function<Admin, R> ask, Check<R> isWanted) throws Exception {
        Admin admin = admin();
        Object[] last = new Object[1];
        await(() -> "an answer as wanted, but " + last[0], () -> {
            int before = steps.size();
            R result = ask.apply(admin);
            if (holds(result, isWanted)) return true;
            last[0] = steps.get(before).get("outcome");
            steps.subList(before, steps.size()).clear();
            return false;
        });
    }

    private static <R> boolean holds(R result, Check<R> isWanted) throws InterruptedException {
        try {
            return isWanted.of(result);
        } catch (InterruptedException error) {
            throw error;
        } catch (Exception notYet) {
            return false;
        }
    }

    /** Waits for what other threads or brokers do. */
    void await(String what, Condition condition) throws Exception {
        await(() -> what, condition);
    }

    private static void await(Supplier<String> what, Condition condition) throws Exception {
        long deadline = System.currentTimeMillis() + UNTIL_LIMIT_MS;
        for (Exception last = null; ; ) {
            try {
                if (condition.holds()) return;
            } catch (InterruptedException error) {
                throw error;
            } catch (Exception notYet) {
                last = notYet;
            }
            if (System.currentTimeMillis() > deadline) throw new IllegalStateException("never came: " + what.get(), last);
            Thread.sleep(UNTIL_PAUSE_MS);
        }
    }

    /** What this id is called in what is compared. */
    void alias(String id, String name) {
        aliases.put(id, name);
    }

    /** Something seen that no call returned: the order of callbacks, a value worked out. */
    void see(String step, Object value) {
        add(step, shown.of(value, onlyMine));
    }

    void keep(String step, Object result, Collection<?> keys) {
        boolean isResult = result != null && result.getClass().getName().endsWith("Result");
        add(step, isResult ? shown.ofResult(result, keys, onlyMine) : shown.of(result, onlyMine));
    }

    void keepError(String step, RuntimeException error) {
        see(step, error);
    }

    private void add(String step, Object outcome) {
        if (shown.timedOut && !mayTimeOut) throw new IllegalStateException(step + " timed out: " + outcome);
        shown.timedOut = false;
        Map<String, Object> kept = new HashMap<>();
        kept.put("step", step);
        kept.put("outcome", outcome);
        steps.add(kept);
    }

    /** Closed with the run, the last one first. */
    <T extends AutoCloseable> T open(T client) {
        opened.add(0, client);
        return client;
    }

    void end(Map<String, Object> result) throws Exception {
        close();
        result.put("steps", steps);
        result.put("topics", topics);
        result.put("aliases", aliases);
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable client : List.copyOf(opened)) {
            opened.remove(client);
            client.close();
        }
    }

    interface Condition {
        boolean holds() throws Exception;
    }

    interface Check<R> {
        boolean of(R result) throws Exception;
    }
}
