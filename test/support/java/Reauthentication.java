import java.io.FileReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/** Produces, with each configuration given, until its connections have authenticated again twice. */
public class Reauthentication {
    public static void main(String[] args) throws Exception {
        List<Callable<String>> tasks = new ArrayList<>();
        for (int i = 1; i < args.length; i++) {
            String file = args[i];
            tasks.add(() -> produce(args[0], file));
        }
        var executor = Executors.newFixedThreadPool(tasks.size());
        for (Future<String> line : executor.invokeAll(tasks)) System.out.println(line.get());
        executor.shutdown();
    }

    private static String produce(String topic, String file) throws Exception {
        Properties properties = new Properties();
        try (FileReader reader = new FileReader(file)) {
            properties.load(reader);
        }
        long until = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        int sent = 0;
        try (var producer = new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer())) {
            while (total(producer, "successful-reauthentication-total") < 2 && System.nanoTime() < until) {
                producer.send(new ProducerRecord<>(topic, "x")).get();
                sent++;
                Thread.sleep(50);
            }
            return properties.getProperty("sasl.mechanism")
                + (total(producer, "successful-reauthentication-total") >= 2 ? " again" : " never")
                + (total(producer, "failed-reauthentication-total") > 0 ? " failed" : "")
                + (sent > 2 ? "" : " too soon");
        }
    }

    private static double total(KafkaProducer<String, String> producer, String name) {
        return producer.metrics().entrySet().stream()
            .filter(each -> each.getKey().name().equals(name) && each.getKey().group().equals("producer-metrics"))
            .mapToDouble(each -> (Double) each.getValue().metricValue())
            .sum();
    }
}
