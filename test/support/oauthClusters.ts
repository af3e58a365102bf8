// Our broker and Kafka 4.4 with the same listeners for tokens, sessions that end and Java's key stores, and who issues
// the tokens for both.
import { pbkdf2Sync } from 'node:crypto';
import path from 'node:path';
import { startCluster } from '../../src/embedded.ts';
import { RawClient } from '../wire/broker/support/rawClient.ts';
import {
  brokerStorePassphrase,
  type Certificates,
  makeCertificates,
  passphrase,
} from './kafka/certificates.ts';
import { startKafka } from './kafka/realKafka.ts';
import { type AuthorizationServer, audience, issuer, startAuthorizationServer } from './oauth.ts';
import { run } from './process.ts';

const protocols = {
  PLAINTEXT: 'PLAINTEXT',
  /** Tokens that nobody signed, with the scope `read`. */
  UNSECURED: 'SASL_PLAINTEXT',
  /** Signed tokens for nobody in particular; the keys are in a file. */
  SIGNED: 'SASL_PLAINTEXT',
  /** Tokens of the issuer for the audience; the keys are fetched. */
  ISSUED: 'SASL_PLAINTEXT',
  /** Every mechanism, and sessions that end. */
  SHORT: 'SASL_PLAINTEXT',
  /** The same with sessions of a minute. */
  LONG: 'SASL_PLAINTEXT',
  /** Keys and trust in a JKS store, in PKCS12 stores; clients show a certificate. */
  JKS: 'SSL',
  PKCS12: 'SSL',
} as const;

export type OAuthListener = keyof typeof protocols;

export interface OAuthCluster {
  /** `127.0.0.1:PORT` of a listener. */
  at(listener: OAuthListener): string;
  stop(): Promise<void>;
}

/** How long a session lives on the listener SHORT. */
export const shortSessionMs = 1500;
/** And on LONG, where nothing is to end meanwhile. */
export const longSessionMs = 60_000;

/** Who has a password there: PLAIN, and SCRAM-SHA-256. */
export const user = { username: 'alice', password: 'alice-s3cret' } as const;

let authorization: Promise<AuthorizationServer> | undefined;

/** The one of this test process. */
export function sharedAuthorizationServer(): Promise<AuthorizationServer> {
  return (authorization ??= startAuthorizationServer());
}

let stores: Promise<Certificates> | undefined;

/** Those of the listeners with TLS. */
export function sharedStores(): Promise<Certificates> {
  return (stores ??= makeStores());
}

async function makeStores(): Promise<Certificates> {
  const certificates = await makeCertificates();
  const { folder, file } = certificates;
  await certificates.jks('broker');
  for (const type of ['jks', 'p12']) {
    const args = ['-importcert', '-noprompt', '-storetype', type === 'jks' ? 'JKS' : 'PKCS12'];
    const store = path.join(folder, `trust.${type}`);
    const { code, stdout } = await run('keytool', [...args, '-file', file('ca.pem'), '-keystore', store, '-storepass', passphrase]); // prettier-ignore
    if (code !== 0) throw new Error(stdout);
  }
  return certificates;
}

/** A client whose certificate says `CN=plain-client` is the user `PLAIN-CLIENT` on both. */
async function storeConfigs(): Promise<Record<string, string>> {
  const { folder } = await sharedStores();
  const of = (listener: string, key: string, trust: string): Record<string, string> => ({
    [`listener.name.${listener}.ssl.keystore.location`]: path.join(folder, key),
    [`listener.name.${listener}.ssl.truststore.location`]: path.join(folder, trust),
    [`listener.name.${listener}.ssl.truststore.password`]: passphrase,
    [`listener.name.${listener}.ssl.client.auth`]: 'required',
    [`listener.name.${listener}.ssl.principal.mapping.rules`]: 'RULE:^CN=(.*)$/$1/U,DEFAULT',
  });
  return {
    ...of('jks', 'broker.jks', 'trust.jks'),
    'listener.name.jks.ssl.keystore.password': passphrase,
    'listener.name.jks.ssl.key.password': passphrase,
    ...of('pkcs12', 'broker.p12', 'trust.p12'),
    'listener.name.pkcs12.ssl.keystore.type': 'PKCS12',
    'listener.name.pkcs12.ssl.truststore.type': 'PKCS12',
    'listener.name.pkcs12.ssl.keystore.password': brokerStorePassphrase,
  };
}

function login(module: string, options = ''): string {
  return `org.apache.kafka.common.security.${module}LoginModule required${options};`;
}

/** A listener with every mechanism, whose sessions end. */
function renewed(listener: string, sessionMs: number): Record<string, string> {
  const own = `listener.name.${listener}`;
  const jaas = 'sasl.jaas.config';
  const users = ` user_${user.username}="${user.password}" user_bob="bobs"`;
  return {
    [`${own}.sasl.enabled.mechanisms`]: 'PLAIN,SCRAM-SHA-256,OAUTHBEARER',
    [`${own}.connections.max.reauth.ms`]: String(sessionMs),
    [`${own}.plain.${jaas}`]: login('plain.Plain', users),
    [`${own}.scram-sha-256.${jaas}`]: login('scram.Scram'),
    [`${own}.oauthbearer.${jaas}`]: login('oauthbearer.OAuthBearer', ' unsecuredLoginStringClaim_sub="broker"'), // prettier-ignore
  };
}

/** Broker configs of the listeners but their addresses. */
function configs({ jwksUrl, jwksFileUrl }: AuthorizationServer): Record<string, string> {
  const handlers = 'org.apache.kafka.common.security.oauthbearer';
  const bearer = (listener: string, config: string): string =>
    `listener.name.${listener}.oauthbearer.${config}`;
  const jaas = 'sasl.jaas.config';
  const handler = 'sasl.server.callback.handler.class';
  const signed = `${handlers}.OAuthBearerValidatorCallbackHandler`;
  return {
    'connection.failed.authentication.delay.ms': '0',
    ...Object.fromEntries(
      ['unsecured', 'signed', 'issued'].map((name) => [
        `listener.name.${name}.sasl.enabled.mechanisms`,
        'OAUTHBEARER',
      ]),
    ),
    [bearer('unsecured', jaas)]: login(
      'oauthbearer.OAuthBearer',
      ' unsecuredLoginStringClaim_sub="broker" unsecuredValidatorRequiredScope="read" unsecuredValidatorAllowableClockSkewMs="20000"',
    ),
    [bearer('signed', jaas)]: login('oauthbearer.OAuthBearer'),
    [bearer('signed', handler)]: signed,
    'listener.name.signed.sasl.oauthbearer.jwks.endpoint.url': jwksFileUrl,
    'listener.name.signed.sasl.oauthbearer.allow.unverified.audience': 'true',
    'listener.name.signed.sasl.oauthbearer.allow.unverified.issuer': 'true',
    [bearer('issued', jaas)]: login('oauthbearer.OAuthBearer'),
    [bearer('issued', handler)]: signed,
    'listener.name.issued.sasl.oauthbearer.jwks.endpoint.url': jwksUrl,
    'listener.name.issued.sasl.oauthbearer.expected.audience': `other,${audience}`,
    'listener.name.issued.sasl.oauthbearer.expected.issuer': issuer,
    ...renewed('short', shortSessionMs),
    ...renewed('long', longSessionMs),
  };
}

async function startOurs(): Promise<OAuthCluster> {
  const names = Object.keys(protocols);
  const cluster = await startCluster({
    configs: {
      ...configs(await sharedAuthorizationServer()),
      ...(await storeConfigs()),
      listeners: names.map((name) => `${name}://127.0.0.1:0`).join(','),
      'listener.security.protocol.map': Object.entries(protocols)
        .map(([name, protocol]) => `${name}:${protocol}`)
        .join(','),
    },
  });
  const at = (name: string): string => cluster.listeners[name] ?? '';
  await haveCredential(at('PLAINTEXT'));
  return { at, stop: () => cluster.stop() };
}

/** SCRAM-SHA-256, which Kafka has from the start. */
async function haveCredential(bootstrap: string): Promise<void> {
  const iterations = 4096;
  const salt = Buffer.from('pinch');
  const saltedPassword = pbkdf2Sync(user.password, salt, iterations, 32, 'sha256');
  const client = await RawClient.open(bootstrap);
  const { results } = await client.call('alterUserScramCredentials', 0, {
    deletions: [],
    upsertions: [{ name: user.username, mechanism: 1, iterations, salt, saltedPassword }],
  });
  client.close();
  if (results[0]?.errorCode !== 0) throw new Error(results[0]?.errorMessage ?? 'no credential');
}

let kafka: Promise<OAuthCluster> | undefined;

async function startKafkas(): Promise<OAuthCluster> {
  const server = await sharedAuthorizationServer();
  const entries = Object.entries(protocols).filter(([name]) => name !== 'PLAINTEXT');
  const listeners = Object.fromEntries(entries) as Record<string, 'SASL_PLAINTEXT' | 'SSL'>;
  const started = await startKafka({
    listeners,
    config: { ...configs(server), ...(await storeConfigs()) },
    scram: [`SCRAM-SHA-256=[name=${user.username},password=${user.password}]`],
    // KIP-1139: a broker reads keys from no other place.
    jvm: [
      `-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=${server.jwksUrl},${server.jwksFileUrl}`,
    ],
  });
  return {
    at: (name) => `127.0.0.1:${started.port(name)}`,
    stop: () => Promise.resolve(),
  };
}

export const oauthClusters = [
  { name: 'embedded', start: startOurs },
  { name: 'Kafka 4.4', start: () => (kafka ??= startKafkas()) },
] as const;
