import { type Certificates, makeCertificates } from './certificates.ts';
import type { KafkaVersion } from './home.ts';
import { startKafka, type RealKafka } from './realKafka.ts';
import { untilCoordinating } from './untilCoordinating.ts';

export interface SharedKafka extends RealKafka {
  readonly certificates: Certificates;
}

/** Who may connect where a listener has SASL. */
export const user = { username: 'alice', password: 'alice-s3cret' } as const;

/** How long a session of SASL_SSL with PLAIN lives. Kafka lets nobody authenticate twice within a second. */
export const sessionLifetimeMs = 1500;

const shared = new Map<KafkaVersion, Promise<SharedKafka>>();
let certificates: Promise<Certificates> | undefined;

/**
 * The one real Kafka of its version in this test process, started when first asked for, ended with the
 * process, its coordinators ready. Tests share it, so each takes topic and group names of its own. Beside PLAINTEXT it
 * has the listeners SSL, MTLS (a client certificate is required), ELSEWHERE (SSL with a certificate of another host),
 * SASL_PLAINTEXT (only PLAIN) and SASL_SSL.
 */
export function sharedKafka(version: KafkaVersion = '4.4'): Promise<SharedKafka> {
  let kafka = shared.get(version);
  if (kafka === undefined) shared.set(version, (kafka = startSecure(version)));
  return kafka;
}

async function startSecure(version: KafkaVersion): Promise<SharedKafka> {
  certificates ??= makeCertificates();
  const made = await certificates;
  const { username, password } = user;
  const kafka = await startKafka({
    version,
    listeners: {
      SSL: 'SSL',
      MTLS: 'SSL',
      ELSEWHERE: 'SSL',
      SASL_PLAINTEXT: 'SASL_PLAINTEXT',
      SASL_SSL: 'SASL_SSL',
    },
    scram: ['SCRAM-SHA-256', 'SCRAM-SHA-512'].map(
      (mechanism) => `${mechanism}=[name=${username},password=${password}]`,
    ),
    config: secureConfig(made),
  });
  await untilCoordinating(kafka.bootstrap);
  return { ...kafka, certificates: made };
}

/** What its listeners beside PLAINTEXT are told, for any broker that is to have the same. */
export function secureConfig(made: Certificates): Record<string, string | number> {
  return { ...tlsConfig(made), ...saslConfig() };
}

function tlsConfig({ file }: Certificates): Record<string, string> {
  return {
    'ssl.keystore.type': 'PEM',
    'ssl.keystore.location': file('broker.keystore.pem'),
    'ssl.truststore.type': 'PEM',
    'ssl.truststore.location': file('ca.pem'),
    'listener.name.mtls.ssl.client.auth': 'required',
    'listener.name.elsewhere.ssl.keystore.location': file('elsewhere.keystore.pem'),
  };
}

function saslConfig(): Record<string, string | number> {
  const login = (name: string, options = ''): string =>
    `org.apache.kafka.common.security.${name}LoginModule required${options};`;
  const plain = login('plain.Plain', ` user_${user.username}="${user.password}"`);
  const tls = 'listener.name.sasl_ssl';
  return {
    'listener.name.sasl_plaintext.sasl.enabled.mechanisms': 'PLAIN',
    'listener.name.sasl_plaintext.plain.sasl.jaas.config': plain,
    [`${tls}.sasl.enabled.mechanisms`]: 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
    [`${tls}.plain.sasl.jaas.config`]: plain,
    [`${tls}.plain.connections.max.reauth.ms`]: sessionLifetimeMs,
    [`${tls}.scram-sha-256.sasl.jaas.config`]: login('scram.Scram'),
    [`${tls}.scram-sha-512.sasl.jaas.config`]: login('scram.Scram'),
  };
}
