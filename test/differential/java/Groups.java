package differential;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListGroupsOptions;
import org.apache.kafka.clients.admin.MemberToRemove;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.TopicPartition;

@Area(title = "groups", rows = "[A3] [A7]")
final class Groups {
    private static Map<String, Object> classic(String group) {
        return Map.of("group.id", group, "client.id", "classic", "group.protocol", "classic", "auto.offset.reset", "earliest");
    }

    private static Map<String, Object> consumer(String group) {
        return Map.of("group.id", group, "client.id", "consumer", "group.protocol", "consumer", "auto.offset.reset", "earliest");
    }

    @Scenario("lists and describes groups of every kind, with members and without")
    static void describes(Run run) throws Exception {
        String topic = run.topic(2);
        String classic = run.name("classic");
        String consumer = run.name("consumer");
        String empty = run.name("empty");
        String missing = run.name("missing");
        Admin admin = run.admin();
        Map<TopicPartition, OffsetAndMetadata> offsets = Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(1, "note"));
        run.unseen().alterConsumerGroupOffsets(empty, offsets).all().get();
        Member one = run.member(classic(classic), topic);
        Member two = run.member(consumer(consumer), topic);
        one.untilHas(2);
        two.untilHas(2);
        for (String group : List.of(classic, consumer))
            run.await("a group that is stable", () -> run.group(group).groupState() == GroupState.STABLE);
        DescribeConsumerGroupsOptions all = new DescribeConsumerGroupsOptions().includeAuthorizedOperations(true);
        admin.describeConsumerGroups(List.of(classic, consumer, empty, missing), all);
        admin.describeClassicGroups(List.of(classic, empty, missing));
        admin.describeClassicGroups(List.of(consumer));
        run.onlyMine(() -> admin.listGroups());
        run.onlyMine(() -> admin.listConsumerGroups());
        run.onlyMine(() -> admin.listGroups(ListGroupsOptions.forConsumerGroups()));
        run.onlyMine(() -> admin.listGroups(new ListGroupsOptions().withTypes(Set.of(GroupType.CLASSIC))));
        run.onlyMine(() -> admin.listGroups(new ListGroupsOptions().inGroupStates(Set.of(GroupState.EMPTY))));
        run.onlyMine(() -> admin.listGroups(new ListGroupsOptions().withProtocolTypes(Set.of("consumer"))));
        one.close();
        two.close();
        run.until(
            any -> any.describeConsumerGroups(List.of(classic, consumer)),
            result -> result.all().get().values().stream().allMatch(group -> group.groupState() == GroupState.EMPTY)
        );
    }

    @Scenario("alters, lists and deletes offsets of a group")
    static void offsets(Run run) throws Exception {
        String topic = run.topic(2);
        String group = run.name("group");
        TopicPartition first = new TopicPartition(topic, 0);
        TopicPartition second = new TopicPartition(topic, 1);
        TopicPartition missing = new TopicPartition(run.name("missing"), 0);
        Admin admin = run.admin();
        admin.listConsumerGroupOffsets(group);
        admin.alterConsumerGroupOffsets(group, Map.of(first, new OffsetAndMetadata(3, "note"), second, new OffsetAndMetadata(0)));
        admin.alterConsumerGroupOffsets(group, Map.of(missing, new OffsetAndMetadata(3)));
        admin.alterConsumerGroupOffsets(group, Map.of(first, new OffsetAndMetadata(3, "x".repeat(5000))));
        admin.listConsumerGroupOffsets(group);
        admin.listConsumerGroupOffsets(
            Map.of(
                group, new ListConsumerGroupOffsetsSpec().topicPartitions(List.of(first, missing)),
                run.name("none"), new ListConsumerGroupOffsetsSpec()
            ),
            new ListConsumerGroupOffsetsOptions().requireStable(true)
        );
        admin.deleteConsumerGroupOffsets(group, Set.of(first));
        admin.deleteConsumerGroupOffsets(group, Set.of(missing));
        admin.deleteConsumerGroupOffsets(run.name("none"), Set.of(first));
        admin.listConsumerGroupOffsets(group);
        admin.alterConsumerGroupOffsets("", Map.of(first, new OffsetAndMetadata(3)));
    }

    @Scenario("changes nothing of a group with members, and deletes one without")
    static void deletes(Run run) throws Exception {
        String topic = run.topic(1);
        String classic = run.name("classic");
        String consumer = run.name("consumer");
        TopicPartition partition = new TopicPartition(topic, 0);
        Member one = run.member(classic(classic), topic);
        Member two = run.member(consumer(consumer), topic);
        one.untilHas(1);
        two.untilHas(1);
        Admin admin = run.admin();
        admin.deleteConsumerGroups(List.of(classic, consumer, run.name("missing")));
        for (String group : List.of(classic, consumer)) {
            admin.alterConsumerGroupOffsets(group, Map.of(partition, new OffsetAndMetadata(0)));
            admin.deleteConsumerGroupOffsets(group, Set.of(partition));
        }
        one.close();
        two.close();
        for (String group : List.of(classic, consumer))
            run.await("a group without members", () -> run.group(group).groupState() == GroupState.EMPTY);
        admin.deleteConsumerGroups(List.of(classic, consumer));
        admin.describeConsumerGroups(List.of(classic, consumer));
    }

    @Scenario("removes members, all or by name")
    static void removes(Run run) throws Exception {
        String topic = run.topic(2);
        String group = run.name("group");
        Map<String, Object> config =
            Map.of("group.id", group, "client.id", "static", "group.protocol", "classic", "group.instance.id", "first");
        Admin admin = run.admin();
        MemberToRemove first = new MemberToRemove("first");
        admin.removeMembersFromConsumerGroup(group, new RemoveMembersFromConsumerGroupOptions(List.of(first)));
        admin.removeMembersFromConsumerGroup(group, new RemoveMembersFromConsumerGroupOptions());
        Member member = run.member(config, topic);
        member.untilHas(2);
        MemberToRemove another = new MemberToRemove("another");
        admin.removeMembersFromConsumerGroup(group, new RemoveMembersFromConsumerGroupOptions(List.of(another)));
        RemoveMembersFromConsumerGroupOptions options = new RemoveMembersFromConsumerGroupOptions(List.of(first));
        options.reason("no more need of it");
        admin.removeMembersFromConsumerGroup(group, options);
        member.untilTold("assigned", 2);
        member.untilHas(2);
        member.tell("static");
        member.close();
        run.see("Admin.describeConsumerGroups", run.group(group).members().size());
        admin.removeMembersFromConsumerGroup(group, new RemoveMembersFromConsumerGroupOptions());
        run.until(any -> any.describeConsumerGroups(List.of(group)), result -> result.all().get().get(group).members().isEmpty());
        admin.removeMembersFromConsumerGroup(group, new RemoveMembersFromConsumerGroupOptions());
    }
}
