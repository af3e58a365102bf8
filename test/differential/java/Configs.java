package differential;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.AlterConfigsOptions;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.ConfigResource.Type;

@Area(title = "configs", rows = "[A3]")
final class Configs {
    private static AlterConfigOp op(OpType type, String name, String value) {
        return new AlterConfigOp(new ConfigEntry(name, value), type);
    }

    @Scenario("describes every config of a topic, where each comes from, and what it is about")
    static void describesTopics(Run run) throws Exception {
        String topic = run.topic("topic", 1, Map.of("retention.ms", "1234567", "cleanup.policy", "compact,delete"));
        ConfigResource resource = new ConfigResource(Type.TOPIC, topic);
        run.admin().describeConfigs(List.of(resource));
        run.admin().describeConfigs(List.of(resource), new DescribeConfigsOptions().includeSynonyms(true).includeDocumentation(true));
        run.admin().describeConfigs(List.of(new ConfigResource(Type.TOPIC, run.name("missing"))));
        run.admin().describeConfigs(List.of(new ConfigResource(Type.TOPIC, "not a name")));
    }

    @Scenario("sets, appends to, takes from and unsets configs of a topic")
    static void alters(Run run) throws Exception {
        String topic = run.topic(1);
        ConfigResource resource = new ConfigResource(Type.TOPIC, topic);
        Admin admin = run.admin();
        alter(admin, resource, op(OpType.SET, "retention.ms", "5000"), op(OpType.APPEND, "cleanup.policy", "compact"));
        untilValue(run, resource, "retention.ms", "5000");
        alter(admin, resource, op(OpType.SUBTRACT, "cleanup.policy", "delete"), op(OpType.SET, "max.message.bytes", "2000"));
        untilValue(run, resource, "max.message.bytes", "2000");
        alter(admin, resource, op(OpType.DELETE, "retention.ms", null));
        untilValue(run, resource, "retention.ms", "604800000");
    }

    @Scenario("refuses configs, each with its reason")
    static void refuses(Run run) throws Exception {
        ConfigResource topic = new ConfigResource(Type.TOPIC, run.topic(1));
        Admin admin = run.admin();
        alter(admin, topic, op(OpType.SET, "retention.ms", "long"));
        alter(admin, topic, op(OpType.SET, "min.insync.replicas", "0"));
        alter(admin, topic, op(OpType.SET, "cleanup.policy", "burn"));
        alter(admin, topic, op(OpType.SET, "no.such.config", "1"));
        alter(admin, topic, op(OpType.APPEND, "retention.ms", "1"));
        alter(admin, topic, op(OpType.SET, "retention.ms", null));
        alter(admin, topic, op(OpType.SET, "retention.ms", "1"), op(OpType.DELETE, "retention.ms", null));
        alter(admin, new ConfigResource(Type.TOPIC, run.name("missing")), op(OpType.SET, "retention.ms", "1"));
        alter(admin, new ConfigResource(Type.UNKNOWN, "x"), op(OpType.SET, "retention.ms", "1"));
        admin.incrementalAlterConfigs(Map.of(topic, List.of(op(OpType.SET, "retention.ms", "77"))), new AlterConfigsOptions().validateOnly(true));
        admin.describeConfigs(List.of(topic));
    }

    private static void alter(Admin admin, ConfigResource resource, AlterConfigOp... ops) {
        Map<ConfigResource, Collection<AlterConfigOp>> change = Map.of(resource, List.of(ops));
        admin.incrementalAlterConfigs(change);
    }

    private static void untilValue(Run run, ConfigResource resource, String name, String value) throws Exception {
        run.until(
            admin -> admin.describeConfigs(List.of(resource)),
            result -> result.all().get().get(resource).get(name).value().equals(value)
        );
    }
}
