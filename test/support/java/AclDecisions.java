import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.internals.PluginMetricsImpl;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.metadata.authorizer.StandardAcl;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;

/**
 * What Kafka's own authorizer decides. Reads lines of words with tabs between them, and answers every question with
 * a line, ALLOWED or DENIED:
 *
 *   new   super.users  allow.everyone.if.no.acl.found
 *   acl   resourceType  resourceName  patternType  principal  host  operation  permissionType
 *   may   principal  host  operation  resourceType  resourceName
 *   some  principal  host  operation  resourceType
 */
public final class AclDecisions {
    private StandardAuthorizer authorizer;

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        StringBuilder out = new StringBuilder();
        AclDecisions decisions = new AclDecisions();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String answer = decisions.take(line.split("\t", -1));
            if (answer != null) out.append(answer).append('\n');
        }
        System.out.print(out);
    }

    private String take(String[] words) throws Exception {
        switch (words[0]) {
            case "new":
                start(words[1], words[2]);
                return null;
            case "acl":
                authorizer.addAcl(Uuid.randomUuid(), new StandardAcl(
                    ResourceType.fromCode(Byte.parseByte(words[1])),
                    words[2],
                    PatternType.fromCode(Byte.parseByte(words[3])),
                    words[4],
                    words[5],
                    AclOperation.fromCode(Byte.parseByte(words[6])),
                    AclPermissionType.fromCode(Byte.parseByte(words[7]))));
                return null;
            case "may":
                Action action = new Action(
                    AclOperation.fromCode(Byte.parseByte(words[3])),
                    new ResourcePattern(ResourceType.fromCode(Byte.parseByte(words[4])), words[5], PatternType.LITERAL),
                    1, false, false);
                return authorizer.authorize(contextOf(words), List.of(action)).get(0).name();
            default:
                return authorizer.authorizeByResourceType(
                    contextOf(words),
                    AclOperation.fromCode(Byte.parseByte(words[3])),
                    ResourceType.fromCode(Byte.parseByte(words[4]))).name();
        }
    }

    private void start(String superUsers, String allowEveryone) {
        authorizer = new StandardAuthorizer();
        authorizer.configure(Map.of(
            "super.users", superUsers,
            "allow.everyone.if.no.acl.found", allowEveryone,
            "node.id", "1"));
        authorizer.withPluginMetrics(new PluginMetricsImpl(new Metrics(), new LinkedHashMap<>()));
        authorizer.completeInitialLoad();
    }

    private static AuthorizableRequestContext contextOf(String[] words) throws Exception {
        int colon = words[1].indexOf(':');
        KafkaPrincipal principal = new KafkaPrincipal(words[1].substring(0, colon), words[1].substring(colon + 1));
        InetAddress address = InetAddress.getByName(words[2]);
        return new AuthorizableRequestContext() {
            @Override public String listenerName() {
                return "PLAINTEXT";
            }

            @Override public SecurityProtocol securityProtocol() {
                return SecurityProtocol.PLAINTEXT;
            }

            @Override public KafkaPrincipal principal() {
                return principal;
            }

            @Override public InetAddress clientAddress() {
                return address;
            }

            @Override public int requestType() {
                return 0;
            }

            @Override public int requestVersion() {
                return 0;
            }

            @Override public String clientId() {
                return "";
            }

            @Override public int correlationId() {
                return 0;
            }
        };
    }
}
