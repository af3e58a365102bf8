package differential;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Uuid;

@Area(title = "clients and nodes", rows = "[A3]")
final class Instances {
    @Scenario("has nothing left to send after a flush")
    static void flushes(Run run) throws Exception {
        String topic = run.topic(1);
        Producer<String, String> producer = run.producer(Map.of("linger.ms", 1));
        producer.send(new ProducerRecord<>(topic, 0, 1000L, "key", "value"));
        producer.flush();
    }

    @Scenario("adds and removes no voters, and forgets no node that it does not know")
    static void nodes(Run run) {
        run.admin().unregisterBroker(77);
        run.admin().removeRaftVoter(77, new Uuid(7, 7));
        run.admin().addRaftVoter(77, new Uuid(7, 7), Set.of());
    }
}
