import { saslProfileOf, tlsProfileOf } from '../connections/profileSecurity.ts';
import type { SaslProfile, TlsProfile } from '../connections/profileSecurity.ts';
import { javaOAuthComments, javaOAuthPairs } from './javaOAuth.ts';
import { jaasQuoted, reference } from './javaText.ts';
import { type ConnectionFacts, fileNameOf, lines, toSave, variables } from './facts.ts';

/** For Kafka's own command-line tools, which read variables through a provider. [KIP-421, KIP-887] */
export function propertiesSettings(facts: ConnectionFacts): string {
  const pairs = propertyPairs(facts).map(([name, value]) => [
    name,
    value.replaceAll('\\', '\\\\').replace(variable, '${env:$1}'),
  ]);
  const hasVariables = pairs.some(([, value]) => value?.includes('${env:'));
  return lines([
    ...comments(facts).map((comment) => `# ${comment}`),
    ...pairs.map(([name, value]) => `${name}=${value}`),
    ...(hasVariables
      ? [
          'config.providers=env',
          'config.providers.env.class=org.apache.kafka.common.config.provider.EnvVarConfigProvider',
        ]
      : []),
  ]);
}

export function javaSettings(facts: ConnectionFacts): string {
  return lines([
    ...comments(facts).map((comment) => `// ${comment}`),
    'Properties properties = new Properties();',
    ...propertyPairs(facts).map(
      ([name, value]) => `properties.put("${name}", ${javaText(value)});`,
    ),
  ]);
}

export function springSettings(facts: ConnectionFacts): string {
  const [, ...rest] = propertyPairs(facts);
  return lines([
    ...comments(facts).map((comment) => `# ${comment}`),
    'spring:',
    '  kafka:',
    `    bootstrap-servers: ${facts.bootstrap.join(',')}`,
    ...(rest.length === 0 ? [] : ['    properties:']),
    ...rest.map(([name, value]) => `      ${name}: ${yamlText(value)}`),
  ]);
}

/** A variable as it stands in the values below. */
const variable = /\$\{(KAFKA_\w+)\}/g;

const javaKeyStore = 'client-keystore.pem';

function comments(facts: ConnectionFacts): string[] {
  const own = tlsProfileOf(facts.security)?.clientCertificate;
  const saved = [...toSave(facts), ...javaOAuthComments(facts.security)];
  if (own?.kind !== 'pem') return saved;
  const parts = [own.keyFile ?? 'client.key', fileNameOf(own.certificate, 'client.pem')];
  return [...saved, `Java takes both from one file: cat ${parts.join(' ')} > ${javaKeyStore}`];
}

function propertyPairs({ bootstrap, security }: ConnectionFacts): [string, string][] {
  const tls = tlsProfileOf(security);
  const sasl = saslProfileOf(security);
  return [
    ['bootstrap.servers', bootstrap.join(',')],
    ...(security.protocol === 'PLAINTEXT'
      ? []
      : [['security.protocol', security.protocol] as [string, string]]),
    ...(sasl ? saslPairs(sasl) : []),
    ...(tls ? tlsPairs(tls) : []),
  ];
}

function saslPairs(sasl: SaslProfile): [string, string][] {
  if (sasl.mechanism === 'OAUTHBEARER') return javaOAuthPairs(sasl);
  const { mechanism, username } = sasl;
  const login = mechanism === 'PLAIN' ? 'plain.Plain' : 'scram.Scram';
  const jaas =
    `org.apache.kafka.common.security.${login}LoginModule required ` +
    `username=${jaasQuoted(username)} password="${reference(variables.password)}";`;
  return [
    ['sasl.mechanism', mechanism],
    ['sasl.jaas.config', jaas],
  ];
}

function tlsPairs({
  authorities,
  clientCertificate: own,
  checkHostName,
}: TlsProfile): [string, string][] {
  const pairs: [string, string][] = [];
  if (authorities && 'store' in authorities) {
    // Java tells the two apart by itself, under either name. [keystore.type.compat]
    pairs.push(['ssl.truststore.type', 'PKCS12'], ['ssl.truststore.location', authorities.store]);
    pairs.push(['ssl.truststore.password', reference(variables.trustPassphrase)]);
  } else if (authorities) {
    pairs.push(['ssl.truststore.type', 'PEM']);
    pairs.push(['ssl.truststore.location', fileNameOf(authorities, 'ca.pem')]);
  }
  if (own?.kind === 'pkcs12') {
    pairs.push(['ssl.keystore.type', 'PKCS12'], ['ssl.keystore.location', own.file]);
    pairs.push(['ssl.keystore.password', reference(variables.storePassphrase)]);
  } else if (own) {
    pairs.push(['ssl.keystore.type', 'PEM'], ['ssl.keystore.location', javaKeyStore]);
    pairs.push(['ssl.key.password', reference(variables.keyPassphrase)]);
  }
  if (!checkHostName) pairs.push(['ssl.endpoint.identification.algorithm', '']);
  return pairs;
}

function javaText(value: string): string {
  return JSON.stringify(value)
    .replace(variable, '" + System.getenv("$1") + "')
    .replace(/^"" \+ | \+ ""$/g, '');
}

function yamlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
