package differential;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListGroupsOptions;
import org.apache.kafka.clients.admin.ListStreamsGroupOffsetsSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

@Area(title = "groups of other kinds", rows = "[A3] [A7]")
final class OtherGroups {
    @Scenario("knows no share groups")
    static void share(Run run) {
        Admin admin = run.admin();
        String group = run.name("group");
        run.onlyMine(() -> admin.listGroups(ListGroupsOptions.forShareGroups()));
        admin.deleteShareGroups(List.of(group));
    }

    @Scenario("keeps offsets under the name of a streams group, but knows none")
    static void streams(Run run) throws Exception {
        String topic = run.topic(1);
        TopicPartition partition = new TopicPartition(topic, 0);
        Admin admin = run.admin();
        String group = run.name("group");
        run.onlyMine(() -> admin.listGroups(ListGroupsOptions.forStreamsGroups()));
        admin.describeStreamsGroups(List.of(group));
        admin.listStreamsGroupOffsets(Map.of(group, new ListStreamsGroupOffsetsSpec()));
        admin.alterStreamsGroupOffsets(group, Map.of(partition, new OffsetAndMetadata(3)));
        admin.listStreamsGroupOffsets(Map.of(group, new ListStreamsGroupOffsetsSpec()));
        admin.deleteStreamsGroupOffsets(group, Set.of(partition));
        admin.deleteStreamsGroups(List.of(group));
        admin.deleteStreamsGroups(List.of(run.name("missing")));
    }
}
