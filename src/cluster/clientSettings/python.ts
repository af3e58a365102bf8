import { saslProfileOf, type TlsProfile, tlsProfileOf } from '../profileSecurity.ts';
import { type ConnectionFacts, fileNameOf, lines, toSave, variables } from './facts.ts';

export function pythonSettings(facts: ConnectionFacts): string {
  const { bootstrap, security } = facts;
  const tls = tlsProfileOf(security);
  const sasl = saslProfileOf(security);
  const pairs: [name: string, value: string][] = [
    ['bootstrap.servers', JSON.stringify(bootstrap.join(','))],
    ...(security.protocol === 'PLAINTEXT'
      ? []
      : [['security.protocol', JSON.stringify(security.protocol)] as [string, string]]),
    ...(sasl
      ? ([
          ['sasl.mechanism', JSON.stringify(sasl.mechanism)],
          ['sasl.username', JSON.stringify(sasl.username)],
          ['sasl.password', environment(variables.password)],
        ] as [string, string][])
      : []),
    ...(tls ? tlsPairs(tls) : []),
  ];
  const usesEnvironment = pairs.some(([, value]) => value.startsWith('os.'));
  return lines([
    ...toSave(facts).map((comment) => `# ${comment}`),
    ...(usesEnvironment ? ['import os', ''] : []),
    'config = {',
    ...pairs.map(([name, value]) => `    "${name}": ${value},`),
    '}',
  ]);
}

function tlsPairs({
  authorities,
  clientCertificate: own,
  checkHostName,
}: TlsProfile): [string, string][] {
  const pairs: [string, string][] = [];
  const add = (name: string, text: string): number => pairs.push([name, JSON.stringify(text)]);
  if (authorities) add('ssl.ca.location', fileNameOf(authorities, 'ca.pem'));
  if (own?.kind === 'pem') {
    add('ssl.certificate.location', fileNameOf(own.certificate, 'client.pem'));
    add('ssl.key.location', own.keyFile ?? 'client.key');
    pairs.push(['ssl.key.password', environment(variables.keyPassphrase)]);
  } else if (own) {
    add('ssl.keystore.location', own.file);
    pairs.push(['ssl.keystore.password', environment(variables.storePassphrase)]);
  }
  if (!checkHostName) add('ssl.endpoint.identification.algorithm', 'none');
  return pairs;
}

function environment(name: string): string {
  return `os.environ[${JSON.stringify(name)}]`;
}
