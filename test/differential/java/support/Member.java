package differential;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** A consumer that polls in a thread of its own, as members of groups have to. Its callbacks are kept in their order. */
final class Member implements AutoCloseable, ConsumerRebalanceListener {
    private final Run run;
    private final Consumer<String, String> consumer;
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private final List<String> events = new ArrayList<>();
    private final List<String> values = new ArrayList<>();
    private final Thread thread;
    private final boolean isIncremental;
    private volatile Set<String> assigned = Set.of();
    private volatile RuntimeException error;
    private volatile boolean isClosing;

    /** `subscribe` gets the consumer and this, which is its listener. */
    Member(Run run, Consumer<String, String> consumer, boolean isIncremental, Subscribe subscribe) {
        this.run = run;
        this.consumer = consumer;
        this.isIncremental = isIncremental;
        this.thread = new Thread(() -> live(subscribe));
        thread.start();
    }

    interface Subscribe {
        void to(Consumer<String, String> consumer, ConsumerRebalanceListener listener);
    }

    private void live(Subscribe subscribe) {
        try {
            subscribe.to(consumer, this);
            while (!isClosing) {
                Runnable task = tasks.poll();
                if (task != null) task.run();
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(50))) keep(record);
                assigned = names(consumer.assignment());
            }
        } catch (RuntimeException thrown) {
            error = thrown;
        }
    }

    private synchronized void keep(ConsumerRecord<String, String> record) {
        values.add(record.partition() + ": " + record.value());
    }

    /** Where members keep what they have, it depends on who asks when how often they hear of nothing new. */
    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        if (!isIncremental || !partitions.isEmpty()) note("assigned", partitions);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        note("revoked", partitions);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
        note("lost", partitions);
    }

    private synchronized void note(String what, Collection<TopicPartition> partitions) {
        events.add(what + " " + names(partitions));
    }

    private static Set<String> names(Collection<TopicPartition> partitions) {
        Set<String> names = new TreeSet<>();
        for (TopicPartition partition : partitions) names.add(partition.topic() + "-" + partition.partition());
        return names;
    }

    /** In the member's thread, between polls; returns when it has been done. */
    void does(java.util.function.Consumer<Consumer<String, String>> action) throws Exception {
        CompletableFuture<Void> done = new CompletableFuture<>();
        tasks.add(() -> {
            try {
                action.accept(consumer);
                done.complete(null);
            } catch (RuntimeException thrown) {
                done.completeExceptionally(thrown);
            }
        });
        try {
            done.get(90, TimeUnit.SECONDS);
        } catch (ExecutionException thrown) {
            if (thrown.getCause() instanceof RuntimeException cause) throw cause;
            throw thrown;
        }
    }

    void untilHas(int partitions) throws Exception {
        run.await("a member of " + partitions + " partitions", () -> {
            if (error != null) throw error;
            return assigned.size() == partitions;
        });
    }

    /** Until there were so many callbacks of a kind. */
    void untilTold(String what, int count) throws Exception {
        run.await(what + " " + count + " times", () -> {
            synchronized (this) {
                return events.stream().filter(event -> event.startsWith(what)).count() >= count;
            }
        });
    }

    void untilRead(int count) throws Exception {
        run.await(count + " records", () -> {
            if (error != null) throw error;
            synchronized (this) {
                return values.size() >= count;
            }
        });
    }

    /** Until a poll has thrown; what, is compared. */
    void untilFailed() throws Exception {
        run.await("an exception", () -> error != null);
        run.keepError("Consumer.poll", error);
    }

    /** What it has now, and the callbacks up to here. */
    synchronized void tell(String who) {
        run.see("Consumer.rebalances", List.of(who, List.copyOf(events), "has " + assigned));
    }

    synchronized void tellRead() {
        List<String> sorted = new ArrayList<>(values);
        sorted.sort(null);
        run.see("Consumer.poll", sorted);
    }

    /** Leaves, also one that has a name for good. */
    void leave() throws InterruptedException {
        stopPolling();
        consumer.close(CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
    }

    /** Leaves as its consumer does by itself. */
    @Override
    public void close() throws InterruptedException {
        stopPolling();
        consumer.close();
    }

    /** It is still there for the brokers, but polls no more. */
    void stopPolling() throws InterruptedException {
        isClosing = true;
        thread.join();
    }

    Consumer<String, String> consumer() {
        return consumer;
    }
}
