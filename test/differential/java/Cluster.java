package differential;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.FeatureUpdate.UpgradeType;
import org.apache.kafka.clients.admin.ListConfigResourcesOptions;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionReplica;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.ConfigResource.Type;

@Area(title = "the cluster", rows = "[A3]")
final class Cluster {
    @Scenario("says who is in it, and what may be done")
    static void describes(Run run) {
        run.admin().describeCluster();
        run.admin().describeCluster(new DescribeClusterOptions().includeAuthorizedOperations(true));
        run.admin().describeCluster(new DescribeClusterOptions().includeFencedBrokers(true));
    }

    @Scenario("tells its features, and refuses levels that there are not")
    static void features(Run run) {
        Admin admin = run.admin();
        admin.describeFeatures();
        UpdateFeaturesOptions validate = new UpdateFeaturesOptions().validateOnly(true);
        admin.updateFeatures(Map.of("metadata.version", new FeatureUpdate((short) 99, UpgradeType.UPGRADE)), validate);
        admin.updateFeatures(Map.of("metadata.version", new FeatureUpdate((short) 1, UpgradeType.SAFE_DOWNGRADE)), validate);
        admin.updateFeatures(Map.of("no.such.feature", new FeatureUpdate((short) 1, UpgradeType.UPGRADE)), validate);
        admin.updateFeatures(Map.of("group.version", new FeatureUpdate((short) 1, UpgradeType.UPGRADE)), validate);
        admin.updateFeatures(Map.of("transaction.version", new FeatureUpdate((short) 9, UpgradeType.UNSAFE_DOWNGRADE)), validate);
    }

    @Scenario("tells of its folders, and of replicas in them")
    static void folders(Run run) throws Exception {
        String topic = run.topic(2);
        int node = run.unseen().describeCluster().controller().get().id();
        TopicPartitionReplica replica = new TopicPartitionReplica(topic, 0, node);
        TopicPartitionReplica missing = new TopicPartitionReplica(run.name("missing"), 0, node);
        Admin admin = run.admin();
        run.onlyMine(() -> admin.describeLogDirs(List.of(node)));
        admin.describeReplicaLogDirs(List.of(replica, missing));
        admin.alterReplicaLogDirs(Map.of(replica, "/no/such/folder"));
        admin.alterReplicaLogDirs(Map.of(missing, "/no/such/folder"));
        admin.alterReplicaLogDirs(Map.of(replica, "not absolute"));
    }

    @Scenario("elects no leader where there is one")
    static void elects(Run run) throws Exception {
        TopicPartition partition = new TopicPartition(run.topic(1), 0);
        TopicPartition missing = new TopicPartition(run.name("missing"), 0);
        run.admin().electLeaders(ElectionType.PREFERRED, Set.of(partition, missing));
        run.admin().electLeaders(ElectionType.UNCLEAN, Set.of(partition));
    }

    @Scenario("moves no partitions to nodes that there are not")
    static void reassigns(Run run) throws Exception {
        int node = run.unseen().describeCluster().controller().get().id();
        TopicPartition partition = new TopicPartition(run.topic(2), 0);
        TopicPartition missing = new TopicPartition(run.name("missing"), 0);
        Admin admin = run.admin();
        admin.alterPartitionReassignments(Map.of(partition, Optional.of(new NewPartitionReassignment(List.of(node)))));
        admin.alterPartitionReassignments(Map.of(partition, Optional.of(new NewPartitionReassignment(List.of(77)))));
        admin.alterPartitionReassignments(Map.of(partition, Optional.of(new NewPartitionReassignment(List.of(node, node)))));
        admin.alterPartitionReassignments(Map.of(partition, Optional.empty()));
        admin.alterPartitionReassignments(Map.of(missing, Optional.of(new NewPartitionReassignment(List.of(node)))));
        admin.listPartitionReassignments(Set.of(partition));
        admin.listPartitionReassignments(Set.of(missing));
        run.onlyMine(admin::listPartitionReassignments);
    }

    @Scenario("tells of a quorum of one")
    static void quorum(Run run) {
        run.see("Admin.describeMetadataQuorum", voters(run));
    }

    /** How far it is differs by what the others are doing. */
    private static Object voters(Run run) {
        try {
            var quorum = run.unseen().describeMetadataQuorum().quorumInfo().get();
            return Map.of("leader", quorum.leaderId(), "voters", quorum.voters().size(), "observers", quorum.observers().size());
        } catch (Exception error) {
            return error;
        }
    }

    @Scenario("tells and alters configs of a broker, and those of all")
    static void brokerConfigs(Run run) throws Exception {
        ConfigResource broker = new ConfigResource(Type.BROKER, "1");
        ConfigResource all = new ConfigResource(Type.BROKER, "");
        Admin admin = run.admin();
        DescribeConfigsOptions whole = new DescribeConfigsOptions().includeSynonyms(true).includeDocumentation(true);
        alter(admin, broker, OpType.SET, "log.cleaner.backoff.ms", "15001");
        alter(admin, all, OpType.SET, "log.cleaner.backoff.ms", "15002");
        run.until(
            any -> any.describeConfigs(List.of(all), whole),
            result -> result.all().get().get(all).get("log.cleaner.backoff.ms").value().equals("15002")
        );
        run.await("the broker's own", () -> run.unseen().describeConfigs(List.of(broker)).all().get().get(broker)
            .get("log.cleaner.backoff.ms").value().equals("15001"));
        for (String name : List.of("log.cleaner.backoff.ms", "compression.type", "log.retention.ms", "unclean.leader.election.enable")) {
            run.see("Admin.describeConfigs", run.unseen().describeConfigs(List.of(broker), whole).all().get().get(broker).get(name));
        }
        alter(admin, broker, OpType.SET, "log.cleaner.backoff.ms", "-1");
        alter(admin, broker, OpType.SET, "log.retention.check.interval.ms", "7");
        alter(admin, broker, OpType.SET, "node.id", "7");
        alter(admin, broker, OpType.SET, "no.such.config", "7");
        alter(admin, broker, OpType.SET, "num.io.threads", "0");
        alter(admin, broker, OpType.DELETE, "num.io.threads", null);
        alter(admin, broker, OpType.DELETE, "log.cleaner.backoff.ms", null);
        alter(admin, all, OpType.DELETE, "log.cleaner.backoff.ms", null);
    }

    @Scenario("keeps configs of groups and of clients' metrics, and lists what has some")
    static void otherConfigs(Run run) throws Exception {
        ConfigResource group = new ConfigResource(Type.GROUP, run.name("group"));
        ConfigResource metrics = new ConfigResource(Type.CLIENT_METRICS, run.name("metrics"));
        Admin admin = run.admin();
        alter(admin, group, OpType.SET, "consumer.session.timeout.ms", "46000");
        alter(admin, metrics, OpType.SET, "interval.ms", "5000");
        alter(admin, metrics, OpType.SET, "match", "client_id=nobody");
        alter(admin, group, OpType.SET, "consumer.session.timeout.ms", "1");
        alter(admin, group, OpType.SET, "no.such.config", "1");
        alter(admin, metrics, OpType.SET, "interval.ms", "1");
        alter(admin, metrics, OpType.SET, "match", "nonsense");
        run.until(
            any -> any.describeConfigs(List.of(group, metrics)),
            result -> result.all().get().get(metrics).get("match").value().equals("client_id=nobody")
        );
        for (Type type : List.of(Type.GROUP, Type.CLIENT_METRICS))
            run.onlyMine(() -> admin.listConfigResources(Set.of(type), new ListConfigResourcesOptions()));
        run.onlyMine(() -> admin.listConfigResources());
        run.onlyMine(() -> admin.listClientMetricsResources());
        alter(admin, metrics, OpType.DELETE, "interval.ms", null);
        alter(admin, metrics, OpType.DELETE, "match", null);
    }

    private static void alter(Admin admin, ConfigResource resource, OpType type, String name, String value) {
        Map<ConfigResource, Collection<AlterConfigOp>> change =
            Map.of(resource, List.of(new AlterConfigOp(new ConfigEntry(name, value), type)));
        admin.incrementalAlterConfigs(change);
    }

    @Scenario("refuses tokens, as there is no key for them")
    static void tokens(Run run) {
        Admin admin = run.admin();
        admin.createDelegationToken();
        admin.describeDelegationToken();
        admin.renewDelegationToken(new byte[] {1});
        admin.expireDelegationToken(new byte[] {1});
    }
}
