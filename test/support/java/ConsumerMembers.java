import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.SubscriptionPattern;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Members of a group, each in a thread. Commands on standard input: "add NAME PROTOCOL", "close NAME"; its end
 * closes all. On standard output one JSON object a line: what a member has now, and each value it has read.
 * Arguments: bootstrap servers, group, topic or, behind a tilde, a pattern of topics.
 */
public class ConsumerMembers {
    private static final Map<String, Thread> MEMBERS = new ConcurrentHashMap<>();
    private static final Set<String> CLOSING = ConcurrentHashMap.newKeySet();

    public static void main(String[] args) throws Exception {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            String[] words = line.split(" ");
            if (words[0].equals("add")) {
                Thread member = new Thread(() -> run(args, words[1], words[2]));
                MEMBERS.put(words[1], member);
                member.start();
            } else {
                CLOSING.add(words[1]);
            }
        }
        CLOSING.addAll(MEMBERS.keySet());
        for (Thread member : MEMBERS.values()) member.join();
    }

    private static void run(String[] args, String name, String protocol) {
        Map<String, Object> config = Map.of(
            "bootstrap.servers", args[0],
            "group.id", args[1],
            "client.id", name,
            "group.protocol", protocol,
            "auto.offset.reset", "earliest",
            "metadata.max.age.ms", "1000"
        );
        StringDeserializer text = new StringDeserializer();
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(config, text, text)) {
            if (args[2].startsWith("~")) consumer.subscribe(new SubscriptionPattern(args[2].substring(1)));
            else consumer.subscribe(List.of(args[2]));
            Set<Integer> before = null;
            while (!CLOSING.contains(name)) {
                consumer.poll(Duration.ofMillis(50)).forEach(record ->
                    say("{\"name\":\"%s\",\"value\":\"%s\"}", name, record.value()));
                Set<Integer> partitions = new TreeSet<>();
                for (TopicPartition each : consumer.assignment()) partitions.add(each.partition());
                if (!partitions.equals(before)) say("{\"name\":\"%s\",\"partitions\":%s}", name, partitions);
                before = partitions;
            }
        } catch (RuntimeException error) {
            say("{\"name\":\"%s\",\"error\":\"%s\"}", name, String.valueOf(error).replace('"', '\''));
        }
        say("{\"name\":\"%s\",\"partitions\":null}", name);
    }

    private static synchronized void say(String format, Object... values) {
        System.out.println(String.format(format, values));
        System.out.flush();
    }
}
