import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.util.Scheduler;
import org.apache.kafka.storage.internals.log.Cleaner;
import org.apache.kafka.storage.internals.log.CleanerStats;
import org.apache.kafka.storage.internals.log.LogCleanerManager;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogToClean;
import org.apache.kafka.storage.internals.log.PreCleanStats;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.SkimpyOffsetMap;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.internals.utils.Throttler;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

/**
 * Kafka's own log cleaner, for comparison with ours. Each line of standard input is a data directory and
 * a time in milliseconds, then topic configs as name=value, separated by tabs; the directory holds partition 0
 * of topic t. The cleaner does to it what one round of it does in a broker, and a line says what it saw.
 */
public final class LogCompaction {
    private static final TopicPartition PARTITION = new TopicPartition("t", 0);

    private LogCompaction() {
    }

    public static void main(String[] args) throws Exception {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            System.out.println(compact(line.split("\t")));
        }
    }

    private static String compact(String[] job) throws Exception {
        File directory = new File(job[0]);
        Time time = new FixedTime(Long.parseLong(job[1]));
        LogDirFailureChannel failures = new LogDirFailureChannel(1);
        try (UnifiedLog log = open(directory, job, time, failures)) {
            log.updateHighWatermark(log.logEndOffset());
            ConcurrentMap<TopicPartition, UnifiedLog> logs = new ConcurrentHashMap<>(Map.of(PARTITION, log));
            LogCleanerManager manager = new LogCleanerManager(List.of(directory), logs, failures);
            Optional<LogToClean> found = manager.grabFilthiestCompactedLog(time, new PreCleanStats());
            if (found.isEmpty()) return "nothing";
            LogToClean toClean = found.get();
            Throttler throttler = new Throttler(Double.MAX_VALUE, 300, "cleaner-io", "bytes", time);
            Cleaner cleaner = new Cleaner(
                0, new SkimpyOffsetMap(1 << 20), 64 * 1024, 1 << 20, 0.9, throttler, time, partition -> { });
            Map.Entry<Long, CleanerStats> result = cleaner.clean(toClean);
            manager.doneCleaning(PARTITION, directory, result.getKey());
            return String.join(" ", Long.toString(toClean.firstDirtyOffset()),
                Long.toString(toClean.firstUncleanableOffset()), Long.toString(toClean.cleanableBytes()),
                Long.toString(toClean.totalBytes()));
        }
    }

    private static UnifiedLog open(File directory, String[] job, Time time, LogDirFailureChannel failures)
            throws Exception {
        Properties configs = new Properties();
        for (int n = 2; n < job.length; n++) {
            String[] pair = job[n].split("=", 2);
            configs.put(pair[0], pair[1]);
        }
        return UnifiedLog.create(
            new File(directory, "t-0"), new LogConfig(configs), 0, Long.MAX_VALUE, new NoScheduler(),
            new BrokerTopicStats(), time, 900_000, new ProducerStateManagerConfig(86_400_000, false), 600_000,
            failures, true, Optional.empty());
    }

    private record FixedTime(long milliseconds) implements Time {
        @Override
        public long nanoseconds() {
            return SYSTEM.nanoseconds();
        }

        @Override
        public void sleep(long ms) {
            SYSTEM.sleep(ms);
        }

        @Override
        public void waitObject(Object object, Supplier<Boolean> condition, long deadlineMs)
                throws InterruptedException {
            SYSTEM.waitObject(object, condition, deadlineMs);
        }
    }

    /** Files that were replaced stay, with the suffix .deleted. */
    private static final class NoScheduler implements Scheduler {
        @Override
        public void startup() {
        }

        @Override
        public void shutdown() {
        }

        @Override
        public ScheduledFuture<?> schedule(String name, Runnable task, long delayMs, long periodMs) {
            // Asked only to be cancelled.
            return (ScheduledFuture<?>) Proxy.newProxyInstance(
                LogCompaction.class.getClassLoader(), new Class<?>[] {ScheduledFuture.class},
                (proxy, method, arguments) -> method.getReturnType() == boolean.class ? true : null);
        }

        @Override
        public void resizeThreadPool(int newSize) {
        }
    }
}
