import {
  type OAuthProfile,
  type SaslProfile,
  saslProfileOf,
  type TlsProfile,
  tlsProfileOf,
} from '../connections/profileSecurity.ts';
import {
  type ConnectionFacts,
  endpointAuthorityFile,
  fileNameOf,
  lines,
  toSave,
  variables,
} from './facts.ts';

export function pythonSettings(facts: ConnectionFacts): string {
  const { bootstrap, security } = facts;
  const tls = tlsProfileOf(security);
  const sasl = saslProfileOf(security);
  const pairs: [name: string, value: string][] = [
    ['bootstrap.servers', JSON.stringify(bootstrap.join(','))],
    ...(security.protocol === 'PLAINTEXT'
      ? []
      : [['security.protocol', JSON.stringify(security.protocol)] as [string, string]]),
    ...(sasl ? saslPairs(sasl) : []),
    ...(tls ? tlsPairs(tls) : []),
  ];
  const usesEnvironment = pairs.some(([, value]) => value.includes('os.environ['));
  const usesTime = pairs.some(([, value]) => value.includes('time.time('));
  return lines([
    ...toSave(facts).map((comment) => `# ${comment}`),
    ...(usesEnvironment ? ['import os'] : []),
    ...(usesTime ? ['import time'] : []),
    ...(usesEnvironment ? [''] : []),
    'config = {',
    ...pairs.map(([name, value]) => `    "${name}": ${value},`),
    '}',
  ]);
}

function saslPairs(sasl: SaslProfile): [string, string][] {
  if (sasl.mechanism === 'OAUTHBEARER') return oauthPairs(sasl);
  return [
    ['sasl.mechanism', JSON.stringify(sasl.mechanism)],
    ['sasl.username', JSON.stringify(sasl.username)],
    ['sasl.password', environment(variables.password)],
  ];
}

function oauthPairs({ token, extensions }: OAuthProfile): [string, string][] {
  const pairs: [string, string][] = [['sasl.mechanism', '"OAUTHBEARER"']];
  const add = (name: string, text: string): number => pairs.push([name, JSON.stringify(text)]);
  switch (token.kind) {
    case 'fixed':
      pairs.push(['oauth_cb', `lambda _: (${environment(variables.token)}, time.time() + 3600)`]);
      break;
    case 'unsecured':
      pairs.push(['enable.sasl.oauthbearer.unsecure.jwt', 'True']);
      add(
        'sasl.oauthbearer.config',
        `principal=${token.principal}${token.scope ? ` scope=${token.scope.replaceAll(' ', ',')}` : ''}`,
      );
      break;
    case 'clientCredentials': {
      add('sasl.oauthbearer.method', 'oidc');
      add('sasl.oauthbearer.token.endpoint.url', token.tokenUrl);
      add('sasl.oauthbearer.client.id', token.clientId);
      pairs.push(['sasl.oauthbearer.client.secret', environment(variables.clientSecret)]);
      if (token.scope) add('sasl.oauthbearer.scope', token.scope);
      const authority = endpointAuthorityFile(token);
      if (authority !== undefined) add('https.ca.location', authority);
    }
  }
  if (extensions && token.kind === 'clientCredentials') {
    const texts = Object.entries(extensions).map(([name, value]) => `${name}=${value}`);
    add('sasl.oauthbearer.extensions', texts.join(','));
  }
  return pairs;
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
