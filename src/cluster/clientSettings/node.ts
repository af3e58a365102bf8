import {
  type SaslProfile,
  saslProfileOf,
  type TlsProfile,
  tlsProfileOf,
} from '../connections/profileSecurity.ts';
import { nodeOAuthOptions } from './nodeOAuth.ts';
import { quote } from './nodeText.ts';
import { type ConnectionFacts, fileNameOf, lines, toSave, variables } from './facts.ts';

export function nodeSettings(facts: ConnectionFacts): string {
  const { bootstrap, security } = facts;
  const tls = tlsProfileOf(security);
  const sasl = saslProfileOf(security);
  const options = tls ? tlsOptions(tls) : [];
  const readsFiles = options.some((option) => option.includes('readFileSync'));
  return lines([
    ...toSave(facts).map((comment) => `// ${comment}`),
    ...(readsFiles ? ["import { readFileSync } from 'node:fs';"] : []),
    "import { Kafka } from 'kafkajs';",
    '',
    'const kafka = new Kafka({',
    `  brokers: [${bootstrap.map(quote).join(', ')}],`,
    ...(tls && options.length === 0 ? ['  ssl: true,'] : []),
    ...(options.length > 0 ? ['  ssl: {', ...options.map((line) => `    ${line},`), '  },'] : []),
    ...(sasl
      ? [
          '  sasl: {',
          `    mechanism: '${sasl.mechanism.toLowerCase()}',`,
          ...saslOptions(sasl).map((line) => `    ${line}`),
          '  },',
        ]
      : []),
    '});',
  ]);
}

function saslOptions(sasl: SaslProfile): string[] {
  if (sasl.mechanism === 'OAUTHBEARER') return nodeOAuthOptions(sasl);
  return [`username: ${quote(sasl.username)},`, `password: process.env.${variables.password},`];
}

function tlsOptions(tls: TlsProfile): string[] {
  const { authorities, clientCertificate: own, checkHostName, serverName } = tls;
  const read = (file: string): string => `readFileSync(${quote(file)})`;
  return [
    ...(authorities ? [`ca: ${read(fileNameOf(authorities, 'ca.pem'))}`] : []),
    ...(own?.kind === 'pem'
      ? [
          `cert: ${read(fileNameOf(own.certificate, 'client.pem'))}`,
          `key: ${read(own.keyFile ?? 'client.key')}`,
          `passphrase: process.env.${variables.keyPassphrase}`,
        ]
      : []),
    ...(own?.kind === 'pkcs12'
      ? [`pfx: ${read(own.file)}`, `passphrase: process.env.${variables.storePassphrase}`]
      : []),
    ...(serverName ? [`servername: ${quote(serverName)}`] : []),
    ...(checkHostName ? [] : ['checkServerIdentity: () => undefined']),
  ];
}
