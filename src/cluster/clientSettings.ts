/**
 * What an application needs to say to connect, in the words of its own client. Secrets are never written:
 * where one is needed, the text names the environment variable to put it in.
 */

export const clientKinds = ['node', 'java', 'spring', 'python', 'go', 'properties'] as const;
export type ClientKind = (typeof clientKinds)[number];

/** How each kind is called in a list for people. */
export const clientKindLabels: Readonly<Record<ClientKind, string>> = {
  node: 'Node.js (kafkajs)',
  java: 'Java (kafka-clients)',
  spring: 'Spring Boot (application.yml)',
  python: 'Python (confluent-kafka)',
  go: 'Go (franz-go)',
  properties: 'client.properties (command-line tools)',
};

export interface ConnectionFacts {
  /** `host:port`, one or several. */
  readonly bootstrap: readonly string[];
  readonly tls: boolean;
  readonly sasl?: {
    readonly mechanism: 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512';
    readonly username: string;
  };
}

const passwordVariable = 'KAFKA_PASSWORD';

const writers: Readonly<Record<ClientKind, (facts: ConnectionFacts) => string>> = {
  node: nodeSettings,
  java: javaSettings,
  spring: springSettings,
  python: pythonSettings,
  go: goSettings,
  properties: (facts) => lines(propertyPairs(facts).map(([name, value]) => `${name}=${value}`)),
};

/** The settings as source or configuration text, ending with a line break. */
export function clientSettings(kind: ClientKind, facts: ConnectionFacts): string {
  return writers[kind](facts);
}

function propertyPairs(facts: ConnectionFacts): [name: string, value: string][] {
  const pairs: [string, string][] = [['bootstrap.servers', facts.bootstrap.join(',')]];
  const protocol = securityProtocol(facts);
  if (protocol !== 'PLAINTEXT') pairs.push(['security.protocol', protocol]);
  if (facts.sasl) {
    pairs.push(['sasl.mechanism', facts.sasl.mechanism], ['sasl.jaas.config', jaas(facts.sasl)]);
  }
  return pairs;
}

function securityProtocol({ tls, sasl }: ConnectionFacts): string {
  if (sasl) return tls ? 'SASL_SSL' : 'SASL_PLAINTEXT';
  return tls ? 'SSL' : 'PLAINTEXT';
}

function jaas(sasl: NonNullable<ConnectionFacts['sasl']>): string {
  const login = sasl.mechanism === 'PLAIN' ? 'plain.Plain' : 'scram.Scram';
  const username = sasl.username.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return (
    `org.apache.kafka.common.security.${login}LoginModule required ` +
    `username="${username}" password="\${${passwordVariable}}";`
  );
}

function nodeSettings({ bootstrap, tls, sasl }: ConnectionFacts): string {
  return lines([
    "import { Kafka } from 'kafkajs';",
    '',
    'const kafka = new Kafka({',
    `  brokers: [${bootstrap.map(quote).join(', ')}],`,
    ...(tls ? ['  ssl: true,'] : []),
    ...(sasl
      ? [
          '  sasl: {',
          `    mechanism: '${sasl.mechanism.toLowerCase()}',`,
          `    username: ${quote(sasl.username)},`,
          `    password: process.env.${passwordVariable},`,
          '  },',
        ]
      : []),
    '});',
  ]);
}

function javaSettings(facts: ConnectionFacts): string {
  return lines([
    'Properties properties = new Properties();',
    ...propertyPairs(facts).map(([name, value]) =>
      value.includes(`\${${passwordVariable}}`)
        ? `properties.put("${name}", ${javaString(value).replace(`\${${passwordVariable}}`, `" + System.getenv("${passwordVariable}") + "`)});`
        : `properties.put("${name}", ${javaString(value)});`,
    ),
  ]);
}

function springSettings(facts: ConnectionFacts): string {
  const [, ...rest] = propertyPairs(facts);
  return lines([
    'spring:',
    '  kafka:',
    `    bootstrap-servers: ${facts.bootstrap.join(',')}`,
    ...(rest.length === 0 ? [] : ['    properties:']),
    ...rest.map(([name, value]) => `      ${name}: ${yamlString(value)}`),
  ]);
}

function pythonSettings(facts: ConnectionFacts): string {
  const { bootstrap, sasl } = facts;
  return lines([
    ...(sasl ? ['import os', ''] : []),
    'config = {',
    `    "bootstrap.servers": ${JSON.stringify(bootstrap.join(','))},`,
    ...(sasl || facts.tls ? [`    "security.protocol": "${securityProtocol(facts)}",`] : []),
    ...(sasl
      ? [
          `    "sasl.mechanism": "${sasl.mechanism}",`,
          `    "sasl.username": ${JSON.stringify(sasl.username)},`,
          `    "sasl.password": os.environ["${passwordVariable}"],`,
        ]
      : []),
    '}',
  ]);
}

function goSettings({ bootstrap, tls, sasl }: ConnectionFacts): string {
  return lines([
    'client, err := kgo.NewClient(',
    `\tkgo.SeedBrokers(${bootstrap.map((address) => JSON.stringify(address)).join(', ')}),`,
    ...(tls ? ['\tkgo.DialTLS(),'] : []),
    ...(sasl ? [`\tkgo.SASL(${goMechanism(sasl)}),`] : []),
    ')',
  ]);
}

function goMechanism({ mechanism, username }: NonNullable<ConnectionFacts['sasl']>): string {
  const pair = `User: ${JSON.stringify(username)}, Pass: os.Getenv("${passwordVariable}")`;
  switch (mechanism) {
    case 'PLAIN':
      return `plain.Auth{${pair}}.AsMechanism()`;
    case 'SCRAM-SHA-256':
      return `scram.Auth{${pair}}.AsSha256Mechanism()`;
    case 'SCRAM-SHA-512':
      return `scram.Auth{${pair}}.AsSha512Mechanism()`;
  }
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function javaString(text: string): string {
  return JSON.stringify(text);
}

function yamlString(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function lines(all: readonly string[]): string {
  return all.join('\n') + '\n';
}
