package differential;

import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/** The side that scenarios run against, and the Admin that they have in common. */
final class Brokers implements AutoCloseable {
    final String bootstrap;
    /** Where clients have names; only where ACLs decide what they may do. */
    final String saslBootstrap;
    final Admin admin;

    Brokers(String bootstrap, String saslBootstrap) {
        this.bootstrap = bootstrap;
        this.saslBootstrap = saslBootstrap;
        this.admin = Admin.create(Map.of("bootstrap.servers", bootstrap, "client.id", "java-admin"));
    }

    @Override
    public void close() {
        admin.close();
    }
}
