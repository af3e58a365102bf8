/** How librdkafka, and what is built on it, is told to connect. */
import {
  type OAuthProfile,
  type SaslProfile,
  saslProfileOf,
  type TlsProfile,
  tlsProfileOf,
} from '../connections/profileSecurity.ts';
import { type ConnectionFacts, endpointAuthorityFile, fileNameOf, variables } from './facts.ts';

/** A secret is named by the environment variable that it is in. */
export type Property = readonly [name: string, value: string | { readonly variable: string }];

/** All but a token that is given as it is: each client takes that in its own way, or not at all. */
export function librdkafkaProperties({ bootstrap, security }: ConnectionFacts): Property[] {
  const tls = tlsProfileOf(security);
  const sasl = saslProfileOf(security);
  return [
    ['bootstrap.servers', bootstrap.join(',')],
    ...(security.protocol === 'PLAINTEXT'
      ? []
      : [['security.protocol', security.protocol] satisfies Property]),
    ...(sasl ? saslProperties(sasl) : []),
    ...(tls ? tlsProperties(tls) : []),
  ];
}

/**
 * Before 2.6.1, with which Confluent's clients of that number come, librdkafka sent its nonce twice, which Kafka took
 * until 4.0. [confluentinc/librdkafka#4895, edenhill/kcat#462]
 */
export function usesScram({ security }: ConnectionFacts): boolean {
  return saslProfileOf(security)?.mechanism.startsWith('SCRAM') ?? false;
}

function saslProperties(sasl: SaslProfile): Property[] {
  if (sasl.mechanism === 'OAUTHBEARER') return oauthProperties(sasl);
  return [
    ['sasl.mechanism', sasl.mechanism],
    ['sasl.username', sasl.username],
    ['sasl.password', { variable: variables.password }],
  ];
}

function oauthProperties({ token, extensions }: OAuthProfile): Property[] {
  const properties: Property[] = [['sasl.mechanism', 'OAUTHBEARER']];
  if (token.kind === 'unsecured') {
    const scope = token.scope ? ` scope=${token.scope.replaceAll(' ', ',')}` : '';
    properties.push(
      ['enable.sasl.oauthbearer.unsecure.jwt', 'true'],
      ['sasl.oauthbearer.config', `principal=${token.principal}${scope}`],
    );
  }
  if (token.kind !== 'clientCredentials') return properties;
  properties.push(
    ['sasl.oauthbearer.method', 'oidc'],
    ['sasl.oauthbearer.token.endpoint.url', token.tokenUrl],
    ['sasl.oauthbearer.client.id', token.clientId],
    ['sasl.oauthbearer.client.secret', { variable: variables.clientSecret }],
  );
  if (token.scope) properties.push(['sasl.oauthbearer.scope', token.scope]);
  const authority = endpointAuthorityFile(token);
  if (authority !== undefined) properties.push(['https.ca.location', authority]);
  if (extensions) {
    const texts = Object.entries(extensions).map(([name, value]) => `${name}=${value}`);
    properties.push(['sasl.oauthbearer.extensions', texts.join(',')]);
  }
  return properties;
}

function tlsProperties({
  authorities,
  clientCertificate: own,
  checkHostName,
}: TlsProfile): Property[] {
  const properties: Property[] = [];
  if (authorities) properties.push(['ssl.ca.location', fileNameOf(authorities, 'ca.pem')]);
  if (own?.kind === 'pem') {
    properties.push(
      ['ssl.certificate.location', fileNameOf(own.certificate, 'client.pem')],
      ['ssl.key.location', own.keyFile ?? 'client.key'],
      ['ssl.key.password', { variable: variables.keyPassphrase }],
    );
  } else if (own) {
    properties.push(
      ['ssl.keystore.location', own.file],
      ['ssl.keystore.password', { variable: variables.storePassphrase }],
    );
  }
  if (!checkHostName) properties.push(['ssl.endpoint.identification.algorithm', 'none']);
  return properties;
}
