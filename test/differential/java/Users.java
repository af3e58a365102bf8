package differential;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterClientQuotasOptions;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialDeletion;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaAlteration.Op;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.quota.ClientQuotaFilter;
import org.apache.kafka.common.quota.ClientQuotaFilterComponent;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

@Area(title = "users", rows = "[A3] [A9]")
final class Users {
    @Scenario("keeps, tells and forgets SCRAM credentials")
    static void scram(Run run) throws Exception {
        String user = run.name("user");
        Admin admin = run.admin();
        ScramCredentialInfo sha256 = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096);
        ScramCredentialInfo sha512 = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 8192);
        ScramCredentialInfo few = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 1);
        ScramCredentialInfo many = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 20_000);
        admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(user, sha256, "secret")));
        admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(user, sha512, "secret")));
        untilCredentials(run, user, 2);
        admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(user, few, "secret")));
        admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(user, many, "secret")));
        admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion("", sha256, "secret")));
        admin.alterUserScramCredentials(List.of(
            new UserScramCredentialUpsertion(user, sha256, "one"),
            new UserScramCredentialUpsertion(user, sha512, "two")
        ));
        admin.alterUserScramCredentials(List.of(new UserScramCredentialDeletion(user, ScramMechanism.SCRAM_SHA_512)));
        admin.alterUserScramCredentials(List.of(new UserScramCredentialDeletion(run.name("nobody"), ScramMechanism.SCRAM_SHA_512)));
        untilCredentials(run, user, 1);
        admin.describeUserScramCredentials(List.of(run.name("nobody")));
        run.onlyMine(() -> admin.describeUserScramCredentials());
    }

    private static void untilCredentials(Run run, String user, int count) throws Exception {
        run.until(
            any -> any.describeUserScramCredentials(List.of(user)),
            result -> result.all().get().get(user).credentialInfos().size() == count
        );
    }

    @Scenario("keeps, tells and forgets quotas")
    static void quotas(Run run) throws Exception {
        Admin admin = run.admin();
        ClientQuotaEntity user = new ClientQuotaEntity(Map.of("user", run.name("user")));
        ClientQuotaEntity both = new ClientQuotaEntity(new TreeMap<>(Map.of("user", run.name("user"), "client-id", run.name("client"))));
        ClientQuotaEntity ip = new ClientQuotaEntity(Map.of("ip", "10.9.8.7"));
        List<ClientQuotaFilterComponent> ofUser = List.of(ClientQuotaFilterComponent.ofEntity("user", run.name("user")));
        ClientQuotaFilter byUser = ClientQuotaFilter.contains(ofUser);
        set(admin, user, new Op("producer_byte_rate", 1024.0), new Op("request_percentage", 12.5));
        set(admin, both, new Op("consumer_byte_rate", 2048.0));
        set(admin, ip, new Op("connection_creation_rate", 10.0));
        run.until(any -> any.describeClientQuotas(byUser), result -> result.entities().get().size() == 2);
        admin.describeClientQuotas(ClientQuotaFilter.containsOnly(ofUser));
        admin.describeClientQuotas(ClientQuotaFilter.contains(List.of(ClientQuotaFilterComponent.ofEntity("ip", "10.9.8.7"))));
        admin.describeClientQuotas(ClientQuotaFilter.contains(List.of(ClientQuotaFilterComponent.ofEntityType("nonsense"))));
        run.onlyMine(() -> admin.describeClientQuotas(ClientQuotaFilter.all()));
        set(admin, user, new Op("producer_byte_rate", null));
        run.until(any -> any.describeClientQuotas(byUser), result -> result.entities().get().get(user).size() == 1);
        set(admin, user, new Op("no_such_quota", 1.0));
        set(admin, user, new Op("producer_byte_rate", -1.0));
        set(admin, user, new Op("connection_creation_rate", 1.0));
        set(admin, ip, new Op("producer_byte_rate", 1.0));
        set(admin, new ClientQuotaEntity(Map.of("nonsense", "x")), new Op("producer_byte_rate", 1.0));
        set(admin, new ClientQuotaEntity(Map.of("ip", "no address")), new Op("connection_creation_rate", 1.0));
        admin.alterClientQuotas(
            List.of(new ClientQuotaAlteration(user, List.of(new Op("producer_byte_rate", 7.0)))),
            new AlterClientQuotasOptions().validateOnly(true)
        );
        set(admin, ip, new Op("connection_creation_rate", null));
    }

    private static void set(Admin admin, ClientQuotaEntity entity, Op... ops) {
        admin.alterClientQuotas(List.of(new ClientQuotaAlteration(entity, List.of(ops))));
    }

    @Scenario("has no ACLs where there is no authorizer")
    static void acls(Run run) {
        AclBinding binding = new AclBinding(
            new ResourcePattern(ResourceType.TOPIC, run.name("topic"), PatternType.LITERAL),
            new AccessControlEntry("User:a", "*", AclOperation.READ, AclPermissionType.ALLOW)
        );
        run.admin().createAcls(List.of(binding));
        run.admin().describeAcls(AclBindingFilter.ANY);
        run.admin().deleteAcls(List.of(binding.toFilter()));
    }
}
