package differential;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.admin.UserScramCredentialDeletion;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.quota.ClientQuotaFilter;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourcePatternFilter;
import org.apache.kafka.common.resource.ResourceType;

@Area(title = "ACLs", rows = "[A3] [A9]", secured = true)
final class Acls {
    private static AclBinding acl(ResourcePattern resource, String user, AclOperation operation, AclPermissionType permission) {
        return new AclBinding(resource, new AccessControlEntry("User:" + user, "*", operation, permission));
    }

    private static AclBinding allowed(ResourceType type, String name, String user, AclOperation operation) {
        return acl(new ResourcePattern(type, name, PatternType.LITERAL), user, operation, AclPermissionType.ALLOW);
    }

    /** All topics of a scenario. */
    private static ResourcePattern topicsOf(Run run) {
        return new ResourcePattern(ResourceType.TOPIC, run.name(""), PatternType.PREFIXED);
    }

    private static AclBindingFilter named(String name, PatternType pattern) {
        return new AclBindingFilter(new ResourcePatternFilter(ResourceType.ANY, name, pattern), AccessControlEntryFilter.ANY);
    }

    /** Of one user: other scenarios have rules for resources of every name. */
    private static AclBindingFilter matching(String name, String user) {
        return new AclBindingFilter(
            new ResourcePatternFilter(ResourceType.ANY, name, PatternType.MATCH),
            new AccessControlEntryFilter("User:" + user, null, AclOperation.ANY, AclPermissionType.ANY)
        );
    }

    /** Brokers know of rules a little after they have been made. */
    private static void allow(Run run, AclBinding... bindings) throws Exception {
        run.unseen().createAcls(List.of(bindings)).all().get();
        for (AclBinding binding : bindings)
            run.await("a rule", () -> !run.unseen().describeAcls(binding.toFilter()).values().get().isEmpty());
    }

    @Scenario("makes rules, finds them by every kind of filter, and deletes them")
    static void rules(Run run) throws Exception {
        String topic = run.name("topic");
        String group = run.name("group");
        Admin admin = run.admin();
        admin.createAcls(List.of(
            allowed(ResourceType.TOPIC, topic, "one", AclOperation.READ),
            acl(topicsOf(run), "two", AclOperation.ALL, AclPermissionType.DENY),
            allowed(ResourceType.GROUP, group, "one", AclOperation.DELETE),
            allowed(ResourceType.TRANSACTIONAL_ID, topic, "*", AclOperation.WRITE)
        ));
        run.until(any -> any.describeAcls(matching(topic, "one")), result -> result.values().get().size() == 1);
        run.until(any -> any.describeAcls(matching(topic, "two")), result -> result.values().get().size() == 1);
        admin.describeAcls(named(topic, PatternType.LITERAL));
        admin.describeAcls(named(run.name(""), PatternType.PREFIXED));
        admin.describeAcls(named(group, PatternType.ANY));
        admin.describeAcls(new AclBindingFilter(
            new ResourcePatternFilter(ResourceType.TOPIC, topic, PatternType.MATCH),
            new AccessControlEntryFilter("User:two", null, AclOperation.ANY, AclPermissionType.DENY)
        ));
        run.onlyMine(() -> admin.describeAcls(AclBindingFilter.ANY));
        admin.createAcls(List.of(
            allowed(ResourceType.CLUSTER, "another", "one", AclOperation.ALTER),
            allowed(ResourceType.TOPIC, topic, "one", AclOperation.ALTER_CONFIGS)
        ));
        admin.createAcls(List.of(new AclBinding(
            new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
            new AccessControlEntry("nobody in particular", "*", AclOperation.READ, AclPermissionType.ALLOW)
        )));
        admin.deleteAcls(List.of(named(group, PatternType.LITERAL), named(run.name("none"), PatternType.LITERAL)));
        admin.deleteAcls(List.of(matching(topic, "two"), named(topic, PatternType.LITERAL)));
        run.until(any -> any.describeAcls(matching(topic, "one")), result -> result.values().get().isEmpty());
        run.until(any -> any.describeAcls(matching(topic, "two")), result -> result.values().get().isEmpty());
    }

    @Scenario("lets nobody do what no rule allows")
    static void nothingAllowed(Run run) throws Exception {
        String topic = run.topic(1);
        TopicPartition partition = new TopicPartition(topic, 0);
        Admin admin = run.adminAs("java-1");
        admin.createTopics(List.of(new NewTopic(run.name("new"), 1, (short) 1)));
        admin.describeTopics(List.of(topic));
        run.onlyMine(() -> admin.listTopics());
        admin.deleteTopics(List.of(topic));
        admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(3)));
        ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, "1");
        admin.describeConfigs(List.of(new ConfigResource(ConfigResource.Type.TOPIC, topic), broker));
        admin.incrementalAlterConfigs(set(new ConfigResource(ConfigResource.Type.TOPIC, topic)));
        admin.describeCluster(new DescribeClusterOptions().includeAuthorizedOperations(true));
        admin.describeLogDirs(List.of(1));
        admin.electLeaders(ElectionType.PREFERRED, Set.of(partition));
        admin.listPartitionReassignments();
        admin.describeConsumerGroups(List.of(run.name("group")));
        admin.deleteConsumerGroups(List.of(run.name("group")));
        admin.listConsumerGroupOffsets(run.name("group"));
        admin.alterConsumerGroupOffsets(run.name("group"), Map.of(partition, new OffsetAndMetadata(1)));
        admin.describeTransactions(List.of(run.name("id")));
        admin.fenceProducers(List.of(run.name("id")));
        admin.describeAcls(AclBindingFilter.ANY);
        admin.createAcls(List.of(allowed(ResourceType.TOPIC, topic, "java-1", AclOperation.ALL)));
        admin.deleteAcls(List.of(named(topic, PatternType.ANY)));
        admin.describeClientQuotas(ClientQuotaFilter.all());
        admin.describeUserScramCredentials();
        admin.alterUserScramCredentials(List.of(new UserScramCredentialDeletion("x", ScramMechanism.SCRAM_SHA_256)));
        admin.describeMetadataQuorum();
        admin.listClientMetricsResources();
    }

    private static Map<ConfigResource, Collection<AlterConfigOp>> set(ConfigResource resource) {
        return Map.of(resource, List.of(new AlterConfigOp(new ConfigEntry("retention.ms", "100000"), OpType.SET)));
    }

    @Scenario("lets a producer write what rules allow, and nothing else")
    static void producing(Run run) throws Exception {
        String topic = run.topic("topic", 1, Map.of());
        String other = run.topic("other", 1, Map.of());
        allow(run,
            allowed(ResourceType.TOPIC, topic, "java-2", AclOperation.WRITE),
            allowed(ResourceType.TOPIC, other, "java-2", AclOperation.DESCRIBE)
        );
        Producer<String, String> producer = run.producer(run.as("java-2"));
        producer.send(new ProducerRecord<>(topic, 0, 1000L, "key", "value"));
        producer.send(new ProducerRecord<>(other, 0, 1000L, "key", "value"));
        producer.send(new ProducerRecord<>(run.name("unseen"), 0, 1000L, "key", "value"));
        run.refused(() -> producer.partitionsFor(run.name("unseen")));
        Map<String, Object> transactional = run.as("java-2");
        transactional.put("transactional.id", run.name("id"));
        Producer<String, String> denied = run.producer(transactional);
        run.refused(denied::initTransactions);
        allow(run, allowed(ResourceType.TRANSACTIONAL_ID, run.name("id"), "java-2", AclOperation.WRITE));
        Producer<String, String> granted = run.producer(transactional);
        granted.initTransactions();
        granted.beginTransaction();
        granted.send(new ProducerRecord<>(topic, 0, 1000L, "key", "value"));
        run.refused(() -> granted.sendOffsetsToTransaction(
            Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(1)),
            new ConsumerGroupMetadata(run.name("group"))
        ));
        run.refused(granted::commitTransaction);
        granted.abortTransaction();
        run.await("the end of a transaction", () -> run.unseen().describeTransactions(List.of(run.name("id"))).all().get()
            .get(run.name("id")).state() == TransactionState.COMPLETE_ABORT);
    }

    @Scenario("lets a consumer read what rules allow, and nothing else")
    static void consuming(Run run) throws Exception {
        String topic = run.topic(1);
        TopicPartition partition = new TopicPartition(topic, 0);
        run.unseenProducer(Map.of()).send(new ProducerRecord<>(topic, 0, 1000L, "key", "value")).get();
        for (String protocol : List.of("classic", "consumer")) {
            String user = protocol.equals("classic") ? "java-3" : "java-4";
            Map<String, Object> config = run.as(user);
            config.putAll(Map.of("group.id", run.name(protocol), "group.protocol", protocol, "auto.offset.reset", "earliest"));
            Consumer<String, String> blind = run.consumer(run.as(user));
            blind.assign(List.of(partition));
            run.pollFails(blind);
            run.refused(() -> blind.endOffsets(List.of(partition)));
            Consumer<String, String> committing = run.consumer(config);
            run.refused(() -> committing.commitSync(Map.of(partition, new OffsetAndMetadata(1))));
            allow(run, allowed(ResourceType.TOPIC, topic, user, AclOperation.READ));
            Member outside = run.member(config, topic);
            outside.untilFailed();
            outside.close();
            allow(run, allowed(ResourceType.GROUP, run.name(protocol), user, AclOperation.READ));
            Member inside = run.member(config, topic);
            inside.untilRead(1);
            inside.tellRead();
            inside.does(consumer -> consumer.commitSync());
            inside.close();
        }
    }

    @Scenario("tells what may be done, each as rules allow")
    static void operations(Run run) throws Exception {
        String topic = run.topic(1);
        allow(run,
            allowed(ResourceType.TOPIC, topic, "java-5", AclOperation.ALTER),
            acl(topicsOf(run), "java-5", AclOperation.READ, AclPermissionType.ALLOW),
            acl(new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL), "java-5", AclOperation.DELETE, AclPermissionType.DENY),
            allowed(ResourceType.GROUP, run.name("group"), "java-5", AclOperation.DESCRIBE),
            allowed(ResourceType.CLUSTER, "kafka-cluster", "java-5", AclOperation.DESCRIBE)
        );
        Admin admin = run.adminAs("java-5");
        admin.describeTopics(List.of(topic), new DescribeTopicsOptions().includeAuthorizedOperations(true));
        admin.describeCluster(new DescribeClusterOptions().includeAuthorizedOperations(true));
        admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(1)));
        admin.deleteTopics(List.of(topic));
        admin.listOffsets(Map.of(new TopicPartition(topic, 0), OffsetSpec.latest()));
        admin.deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(0)));
        admin.describeConsumerGroups(List.of(run.name("group")));
        run.onlyMine(() -> admin.listTopics());
    }

    @Scenario("lets nobody in with a wrong password")
    static void wrongPassword(Run run) throws Exception {
        Map<String, Object> config = run.as("java-6");
        config.put("sasl.jaas.config", String.valueOf(config.get("sasl.jaas.config")).replace("password=\"java-6\"", "password=\"no\""));
        Producer<String, String> producer = run.producer(config);
        producer.send(new ProducerRecord<>(run.name("topic"), "key", "value"));
        Consumer<String, String> consumer = run.consumer(config);
        consumer.assign(List.of(new TopicPartition(run.name("topic"), 0)));
        run.pollFails(consumer);
        config.put("sasl.mechanism", "SCRAM-SHA-512");
        config.put("sasl.jaas.config", String.valueOf(config.get("sasl.jaas.config")).replace("plain.Plain", "scram.Scram"));
        run.refused(() -> run.producer(config).partitionsFor(run.name("topic")));
    }
}
