import {
  type SaslProfile,
  saslProfileOf,
  type TlsProfile,
  tlsProfileOf,
} from '../profileSecurity.ts';
import { type ConnectionFacts, fileNameOf, lines, toSave, variables } from './facts.ts';

export function goSettings(facts: ConnectionFacts): string {
  const { bootstrap, security } = facts;
  const tls = tlsProfileOf(security);
  const sasl = saslProfileOf(security);
  const config = tls ? tlsConfig(tls) : [];
  return lines([
    ...toSave(facts).map((comment) => `// ${comment}`),
    ...config,
    'client, err := kgo.NewClient(',
    `\tkgo.SeedBrokers(${bootstrap.map((address) => JSON.stringify(address)).join(', ')}),`,
    ...(tls ? [`\t${config.length > 0 ? 'kgo.DialTLSConfig(config)' : 'kgo.DialTLS()'},`] : []),
    ...(sasl ? [`\tkgo.SASL(${mechanismOf(sasl)}),`] : []),
    ')',
  ]);
}

/** Errors are left out, as in the rest: this is to be copied into code that has its own way with them. */
function tlsConfig(tls: TlsProfile): string[] {
  const { authorities, clientCertificate: own, checkHostName, serverName } = tls;
  const fields: string[] = [];
  const before: string[] = [];
  if (authorities) {
    before.push(
      `ca, _ := os.ReadFile(${JSON.stringify(fileNameOf(authorities, 'ca.pem'))})`,
      'roots := x509.NewCertPool()',
      'roots.AppendCertsFromPEM(ca)',
    );
    fields.push('RootCAs: roots');
  }
  if (own) {
    before.push(...certificateOf(own));
    fields.push('Certificates: []tls.Certificate{certificate}');
  }
  if (serverName) fields.push(`ServerName: ${JSON.stringify(serverName)}`);
  // Go has no switch for the host name alone.
  if (!checkHostName) fields.push('InsecureSkipVerify: true');
  return fields.length === 0 ? [] : [...before, `config := &tls.Config{${fields.join(', ')}}`];
}

function certificateOf(own: NonNullable<TlsProfile['clientCertificate']>): string[] {
  if (own.kind === 'pkcs12') {
    return [
      `store, _ := os.ReadFile(${JSON.stringify(own.file)})`,
      `key, leaf, _ := pkcs12.Decode(store, os.Getenv("${variables.storePassphrase}"))`,
      'certificate := tls.Certificate{Certificate: [][]byte{leaf.Raw}, PrivateKey: key}',
    ];
  }
  const files = [fileNameOf(own.certificate, 'client.pem'), own.keyFile ?? 'client.key'];
  return [
    '// Go reads only keys that are not encrypted: openssl pkey -in client.key -out plain.key',
    `certificate, _ := tls.LoadX509KeyPair(${files.map((file) => JSON.stringify(file)).join(', ')})`,
  ];
}

function mechanismOf({ mechanism, username }: SaslProfile): string {
  const pair = `User: ${JSON.stringify(username)}, Pass: os.Getenv("${variables.password}")`;
  switch (mechanism) {
    case 'PLAIN':
      return `plain.Auth{${pair}}.AsMechanism()`;
    case 'SCRAM-SHA-256':
      return `scram.Auth{${pair}}.AsSha256Mechanism()`;
    case 'SCRAM-SHA-512':
      return `scram.Auth{${pair}}.AsSha512Mechanism()`;
  }
}
