package differential;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreatePartitionsOptions;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicCollection;
import org.apache.kafka.common.Uuid;

@Area(title = "topics", rows = "[A3]")
final class Topics {
    private static final short ONE = 1;

    @Scenario("makes topics, and says what it has made")
    static void makes(Run run) throws Exception {
        String plain = run.name("plain");
        String byDefault = run.name("by-default");
        String configured = run.name("configured");
        String assigned = run.name("assigned");
        int node = run.unseen().describeCluster().controller().get().id();
        run.admin().createTopics(List.of(
            new NewTopic(plain, 3, ONE),
            new NewTopic(byDefault, Optional.empty(), Optional.empty()),
            new NewTopic(configured, 1, ONE).configs(Map.of("cleanup.policy", "compact", "segment.bytes", "1048576")),
            new NewTopic(assigned, Map.of(0, List.of(node), 1, List.of(node)))
        ));
        for (String topic : List.of(plain, byDefault, configured)) run.untilThere(topic, topic.equals(plain) ? 3 : 1);
        run.untilThere(assigned, 2);
        run.admin().describeTopics(List.of(plain, byDefault, configured, assigned));
    }

    @Scenario("refuses topics, each with its reason")
    static void refuses(Run run) throws Exception {
        String taken = run.topic(1);
        run.admin().createTopics(List.of(
            new NewTopic(taken, 1, ONE),
            new NewTopic(run.name("with space "), 1, ONE),
            new NewTopic("", 1, ONE),
            new NewTopic("..", 1, ONE),
            new NewTopic("x".repeat(250), 1, ONE),
            new NewTopic(run.name("no-partitions"), 0, ONE),
            new NewTopic(run.name("many-replicas"), 1, (short) 4),
            new NewTopic(run.name("no-replicas"), 1, (short) 0),
            new NewTopic(run.name("no-such-node"), Map.of(0, List.of(77))),
            new NewTopic(run.name("gap"), Map.of(1, List.of(1))),
            new NewTopic(run.name("bad-config"), 1, ONE).configs(Map.of("retention.ms", "long")),
            new NewTopic(run.name("unknown-config"), 1, ONE).configs(Map.of("no.such.config", "1"))
        ));
    }

    @Scenario("only tells what making topics would come to")
    static void validates(Run run) throws Exception {
        String topic = run.name("topic");
        CreateTopicsOptions validate = new CreateTopicsOptions().validateOnly(true);
        run.admin().createTopics(List.of(
            new NewTopic(topic, 2, ONE).configs(Map.of("max.message.bytes", "12345")),
            new NewTopic(run.name("many"), 1, (short) 9)
        ), validate);
        run.admin().describeTopics(List.of(topic));
    }

    @Scenario("describes by name and by id, with what may be done")
    static void describes(Run run) throws Exception {
        String topic = run.topic(2);
        String missing = run.name("missing");
        Admin admin = run.admin();
        DescribeTopicsOptions all = new DescribeTopicsOptions().includeAuthorizedOperations(true);
        admin.describeTopics(List.of(topic, missing), all);
        admin.describeTopics(List.of(topic, ""));
        admin.describeTopics(List.of("not a name"));
        Uuid id = run.unseen().describeTopics(List.of(topic)).allTopicNames().get().get(topic).topicId();
        run.alias(id.toString(), "(its id)");
        admin.describeTopics(TopicCollection.ofTopicIds(List.of(id)), all);
        Uuid none = new Uuid(7, 7);
        admin.describeTopics(TopicCollection.ofTopicIds(List.of(none)));
        admin.describeTopics(TopicCollection.ofTopicIds(List.of(Uuid.ZERO_UUID)));
        admin.describeTopics(List.of(topic), new DescribeTopicsOptions().partitionSizeLimitPerResponse(1));
    }

    @Scenario("lists topics, internal ones when asked for")
    static void lists(Run run) throws Exception {
        run.topic("one", 1, Map.of());
        run.topic("two", 2, Map.of());
        run.onlyMine(() -> run.admin().listTopics());
        boolean offsets = run.unseen().listTopics(new ListTopicsOptions().listInternal(true))
            .namesToListings().get().get("__consumer_offsets").isInternal();
        run.see("Admin.listTopics", offsets);
    }

    @Scenario("deletes by name and by id")
    static void deletes(Run run) throws Exception {
        String byName = run.name("by-name");
        String byId = run.name("by-id");
        for (String topic : List.of(byName, byId)) {
            run.unseen().createTopics(List.of(new NewTopic(topic, 1, ONE))).all().get();
            run.untilThere(topic, 1);
        }
        Uuid id = run.unseen().describeTopics(List.of(byId)).allTopicNames().get().get(byId).topicId();
        run.alias(id.toString(), "(its id)");
        run.admin().deleteTopics(List.of(byName, run.name("missing"), "not a name"));
        run.admin().deleteTopics(TopicCollection.ofTopicIds(List.of(id, new Uuid(7, 7))));
        run.await("topics that are gone", () -> {
            var names = run.unseen().listTopics().names().get();
            return !names.contains(byName) && !names.contains(byId);
        });
        run.admin().describeTopics(List.of(byName, byId));
    }

    @Scenario("adds partitions, and refuses what is not more")
    static void addsPartitions(Run run) throws Exception {
        String topic = run.topic("topic", 1, Map.of());
        String other = run.topic("other", 2, Map.of());
        Admin admin = run.admin();
        admin.createPartitions(Map.of(
            topic, NewPartitions.increaseTo(3),
            other, NewPartitions.increaseTo(2),
            run.name("missing"), NewPartitions.increaseTo(2)
        ));
        admin.createPartitions(Map.of(other, NewPartitions.increaseTo(1)));
        admin.createPartitions(Map.of(other, NewPartitions.increaseTo(0)));
        admin.createPartitions(Map.of(other, NewPartitions.increaseTo(4, List.of(List.of(77), List.of(1)))));
        admin.createPartitions(Map.of(other, NewPartitions.increaseTo(4, List.of(List.of(1)))));
        admin.createPartitions(Map.of(other, NewPartitions.increaseTo(5)), new CreatePartitionsOptions().validateOnly(true));
        run.untilThere(topic, 3);
        admin.describeTopics(List.of(topic, other));
    }
}
