// A broker of either kind with the listeners and users that a suite of other people's expects to find.
import type { Certificates } from '../../../support/kafka/certificates.ts';
import { startEmbedded } from '../../../support/embedded.ts';
import { runKafkaTool } from '../../../support/kafka/java.ts';
import { startKafka } from '../../../support/kafka/realKafka.ts';

export interface SuiteListener {
  readonly name: string;
  readonly protocol: 'PLAINTEXT' | 'SSL' | 'SASL_PLAINTEXT' | 'SASL_SSL';
  readonly port: number;
  /** What clients are told, where something stands between. */
  readonly advertisedPort?: number;
}

export interface SuiteSetup {
  /** The first is a PLAINTEXT one, where the users of SCRAM are added. */
  readonly listeners: readonly SuiteListener[];
  readonly config: Readonly<Record<string, string | number | boolean>>;
  /** Users and, one at a time, their credentials as kafka-configs takes them. */
  readonly scram?: readonly (readonly [user: string, credential: string])[];
}

export interface SuiteBroker {
  readonly bootstrap: string;
  stop(): Promise<unknown>;
}

export const KINDS = ['Kafka 4.4', 'embedded'] as const;
export type Kind = (typeof KINDS)[number];

// Suites have their ports in their code. Kafka's controller takes one beside them.
const CONTROLLER_PORT = 19_093;
const HOST = 'localhost';

export async function startForSuite(kind: Kind, setup: SuiteSetup): Promise<SuiteBroker> {
  const bootstrap = `${HOST}:${setup.listeners[0]?.port ?? 0}`;
  const stop = kind === 'embedded' ? await startOurs(setup) : await startReference(setup);
  try {
    for (const [user, credential] of setup.scram ?? [])
      await addCredential(bootstrap, user, credential);
  } catch (error) {
    await stop();
    throw error;
  }
  return { bootstrap, stop };
}

async function startOurs({ listeners, config }: SuiteSetup): Promise<() => Promise<unknown>> {
  const broker = await startEmbedded({
    config: {
      listeners: addresses(listeners),
      'advertised.listeners': advertised(listeners),
      'listener.security.protocol.map': protocols(listeners),
      ...config,
    },
  });
  return () => broker.stop();
}

async function startReference({ listeners, config }: SuiteSetup): Promise<() => Promise<unknown>> {
  const controller = `${HOST}:${CONTROLLER_PORT}`;
  const kafka = await startKafka({
    config: {
      listeners: `${addresses(listeners)},CONTROLLER://${controller}`,
      'advertised.listeners': advertised(listeners),
      'listener.security.protocol.map': `${protocols(listeners)},CONTROLLER:PLAINTEXT`,
      'controller.quorum.voters': `1@${controller}`,
      'inter.broker.listener.name': listeners[0]?.name ?? '',
      ...config,
    },
  });
  return () => kafka.stop();
}

const addresses = (listeners: readonly SuiteListener[]) =>
  listeners.map(({ name, port }) => `${name}://${HOST}:${port}`).join(',');

const advertised = (listeners: readonly SuiteListener[]) =>
  addresses(listeners.map(({ advertisedPort, ...each }) => ({ ...each, port: advertisedPort ?? each.port }))); // prettier-ignore

const protocols = (listeners: readonly SuiteListener[]) =>
  listeners.map(({ name, protocol }) => `${name}:${protocol}`).join(',');

export async function addCredential(
  bootstrap: string,
  user: string,
  credential: string,
): Promise<void> {
  const { code, stdout, stderr } = await runKafkaTool('org.apache.kafka.tools.ConfigCommand', [
    ...['--bootstrap-server', bootstrap, '--alter', '--add-config', credential],
    ...['--entity-type', 'users', '--entity-name', user],
  ]);
  if (code !== 0) throw new Error(`the user ${user} could not be added\n${stdout}${stderr}`);
}

/** Key and authority of the listeners with TLS. */
export const tlsConfig = ({ file }: Certificates) => ({
  'ssl.keystore.type': 'PEM',
  'ssl.keystore.location': file('broker.keystore.pem'),
  'ssl.truststore.type': 'PEM',
  'ssl.truststore.location': file('ca.pem'),
});

/** An authorizer that keeps nobody out of what has no ACL. */
export const authorizerConfig = {
  'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
  'allow.everyone.if.no.acl.found': true,
} as const;
