package differential;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.clients.consumer.RoundRobinAssignor;
import org.apache.kafka.clients.consumer.SubscriptionPattern;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;

@Area(title = "rebalances", rows = "[A3] [A7]")
final class Rebalances {
    private static Map<String, Object> config(Run run, String client, Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>(Map.of(
            "group.id", run.name("group"),
            "client.id", client,
            "auto.offset.reset", "earliest",
            "metadata.max.age.ms", 1000
        ));
        config.put("group.protocol", "classic");
        config.putAll(more);
        // Where the broker assigns, it says how often it wants to hear of members.
        if (config.get("group.protocol").equals("classic")) config.put("heartbeat.interval.ms", 200);
        return config;
    }

    /** With a name for good, as ranges go by names. */
    private static Map<String, Object> configOf(Run run, String client, Map<String, Object> more) {
        Map<String, Object> config = config(run, client, more);
        config.put("group.instance.id", client);
        return config;
    }

    /** One comes, another one comes, the first one leaves: what each of them is told, in order. */
    private static void comeAndGo(Run run, Map<String, Object> more) throws Exception {
        String topic = run.topic(4);
        Member a = run.member(configOf(run, "a", more), topic);
        a.untilHas(4);
        Member b = run.member(configOf(run, "b", more), topic);
        b.untilHas(2);
        a.untilHas(2);
        a.tell("a, of two");
        b.tell("b, of two");
        a.leave();
        b.untilHas(4);
        a.tell("a, gone");
        b.tell("b, alone");
        b.leave();
        b.tell("b, gone");
    }

    @Scenario("gives and takes by ranges")
    static void range(Run run) throws Exception {
        comeAndGo(run, Map.of("partition.assignment.strategy", RangeAssignor.class.getName()));
    }

    @Scenario("gives and takes in turns")
    static void roundRobin(Run run) throws Exception {
        comeAndGo(run, Map.of("partition.assignment.strategy", RoundRobinAssignor.class.getName()));
    }

    @Scenario("takes no more than it has to when members cooperate")
    static void cooperative(Run run) throws Exception {
        comeAndGo(run, Map.of("partition.assignment.strategy", CooperativeStickyAssignor.class.getName()));
    }

    @Scenario("gives and takes evenly where the broker assigns")
    static void uniform(Run run) throws Exception {
        comeAndGo(run, Map.of("group.protocol", "consumer", "group.remote.assignor", "uniform"));
    }

    @Scenario("gives and takes by ranges where the broker assigns")
    static void brokersRange(Run run) throws Exception {
        comeAndGo(run, Map.of("group.protocol", "consumer", "group.remote.assignor", "range"));
    }

    @Scenario("refuses an assignor that the broker does not have")
    static void noAssignor(Run run) throws Exception {
        Map<String, Object> more = Map.of("group.protocol", "consumer", "group.remote.assignor", "no-such");
        Member member = run.member(config(run, "a", more), run.topic(1));
        member.untilFailed();
    }

    @Scenario("follows a pattern of the broker's, as topics come")
    static void pattern(Run run) throws Exception {
        run.topic("one", 1, Map.of());
        String pattern = run.name("") + "(one|two)";
        Member member = run.member(config(run, "a", Map.of("group.protocol", "consumer")),
            (consumer, listener) -> consumer.subscribe(new SubscriptionPattern(pattern), listener));
        member.untilHas(1);
        run.topic("two", 2, Map.of());
        run.topic("three", 1, Map.of());
        member.untilHas(3);
        member.tell("a");
        member.does(consumer -> run.see("Consumer.subscription", consumer.subscription()));
    }

    @Scenario("refuses a pattern that is none")
    static void noPattern(Run run) throws Exception {
        Member member = run.member(config(run, "a", Map.of("group.protocol", "consumer")),
            (consumer, listener) -> consumer.subscribe(new SubscriptionPattern("(("), listener));
        member.untilFailed();
    }

    @Scenario("keeps for a static member what it had, and fences the other of its name")
    static void staticMembers(Run run) throws Exception {
        String topic = run.topic(2);
        Map<String, Object> named = Map.of("group.instance.id", "first");
        Member member = run.member(config(run, "a", named), topic);
        member.untilHas(2);
        member.close();
        Member back = run.member(config(run, "a", named), topic);
        back.untilHas(2);
        back.tell("back");
        Member other = run.member(config(run, "b", named), topic);
        other.untilHas(2);
        back.untilFailed();
        other.tell("other");
        other.close();
        run.see("Admin.describeConsumerGroups", run.group(run.name("group")).members().size());
    }

    @Scenario("lets no second member have a name that is taken, where the broker assigns")
    static void brokersStaticMembers(Run run) throws Exception {
        String topic = run.topic(2);
        Map<String, Object> named = Map.of("group.protocol", "consumer", "group.instance.id", "first");
        Member member = run.member(config(run, "a", named), topic);
        member.untilHas(2);
        Member other = run.member(config(run, "b", named), topic);
        other.untilFailed();
        member.close();
        Member back = run.member(config(run, "a", named), topic);
        back.untilHas(2);
        back.tell("back");
    }

    @Scenario("rebalances when a member asks for it")
    static void enforced(Run run) throws Exception {
        Member member = run.member(config(run, "a", Map.of()), run.topic(1));
        member.untilHas(1);
        member.does(consumer -> run.seen(consumer).enforceRebalance("it is time"));
        member.untilTold("assigned", 2);
        member.tell("a");
    }

    @Scenario("takes no commit of a member that has left")
    static void lateCommits(Run run) throws Exception {
        String topic = run.topic(1);
        TopicPartition partition = new TopicPartition(topic, 0);
        Map<TopicPartition, OffsetAndMetadata> offsets = Map.of(partition, new OffsetAndMetadata(0));
        for (String protocol : List.of("classic", "consumer")) {
            Map<String, Object> own = Map.of("group.protocol", protocol, "group.id", run.name(protocol));
            Member member = run.member(config(run, "a", own), topic);
            member.untilHas(1);
            member.does(consumer -> run.seen(consumer).commitSync(offsets));
            member.stopPolling();
            Consumer<String, String> seen = run.seen(member.consumer());
            seen.unsubscribe();
            run.refused(() -> seen.commitSync(offsets));
            seen.groupMetadata();
        }
    }

    @Scenario("takes no commit of a member that polls too seldom")
    static void seldomPolls(Run run) throws Exception {
        String topic = run.topic(1);
        for (String protocol : List.of("classic", "consumer")) {
            String group = run.name(protocol);
            Map<String, Object> hasty = Map.of("group.protocol", protocol, "group.id", group, "max.poll.interval.ms", 2000);
            Member member = run.member(config(run, "a", hasty), topic);
            member.untilHas(1);
            member.stopPolling();
            run.await("a group without members", () -> run.group(group).members().isEmpty());
            Consumer<String, String> seen = run.seen(member.consumer());
            run.refused(() -> seen.commitSync(Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(0))));
        }
    }

    @Scenario("takes a commit while it waits for who commits to join again")
    static void commitsInRebalances(Run run) throws Exception {
        String topic = run.topic(2);
        TopicPartition partition = new TopicPartition(topic, 0);
        Member a = run.member(config(run, "a", Map.of()), topic);
        a.untilHas(2);
        a.stopPolling();
        Member b = run.member(config(run, "b", Map.of()), topic);
        run.await("a rebalance", () -> run.group(run.name("group")).groupState() == GroupState.PREPARING_REBALANCE);
        Consumer<String, String> seen = run.seen(a.consumer());
        run.refused(() -> seen.commitSync(Map.of(partition, new OffsetAndMetadata(0))));
        a.close();
        b.untilHas(2);
        b.tell("b");
    }

    @Scenario("takes no more members than a group may have")
    static void fullGroups(Run run) throws Exception {
        String topic = run.topic(4);
        for (String protocol : List.of("classic", "consumer")) {
            Map<String, Object> own = Map.of("group.protocol", protocol, "group.id", run.name(protocol));
            List<Member> members = new ArrayList<>();
            for (String client : List.of("a", "b", "c")) {
                members.add(run.member(config(run, client, own), topic));
                run.await(client, () -> {
                    var group = run.group(run.name(protocol));
                    return group.groupState() == GroupState.STABLE && group.members().size() == members.size();
                });
            }
            run.member(config(run, "d", own), topic).untilFailed();
            for (Member member : members) member.close();
        }
    }
}
