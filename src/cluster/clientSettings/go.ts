import {
  type OAuthProfile,
  type SaslProfile,
  saslProfileOf,
  type TlsProfile,
  tlsProfileOf,
} from '../connections/profileSecurity.ts';
import { type ConnectionFacts, fileNameOf, lines, toSave, variables } from './facts.ts';

export function goSettings(facts: ConnectionFacts): string {
  const { bootstrap, security } = facts;
  const tls = tlsProfileOf(security);
  const sasl = saslProfileOf(security);
  const config = tls ? tlsConfig(tls) : [];
  return lines([
    ...toSave(facts).map((comment) => `// ${comment}`),
    ...config,
    ...(sasl?.mechanism === 'OAUTHBEARER' ? tokenSource(sasl) : []),
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

/** The function that is asked for each token, where one has to be written. */
function tokenSource({ token }: OAuthProfile): string[] {
  if (token.kind !== 'clientCredentials') return [];
  const { tokenUrl, clientId, scope, fields } = token;
  const scopes = (scope ?? '').split(' ').filter(Boolean);
  const values = Object.entries(fields ?? {}).map(
    ([name, value]) => `${JSON.stringify(name)}: {${JSON.stringify(value)}}`,
  );
  return [
    '// golang.org/x/oauth2/clientcredentials',
    'issuer := clientcredentials.Config{',
    `\tTokenURL: ${JSON.stringify(tokenUrl)},`,
    `\tClientID: ${JSON.stringify(clientId)},`,
    `\tClientSecret: os.Getenv("${variables.clientSecret}"),`,
    ...(scopes.length > 0
      ? [`\tScopes: []string{${scopes.map((each) => JSON.stringify(each)).join(', ')}},`]
      : []),
    ...(values.length > 0 ? [`\tEndpointParams: url.Values{${values.join(', ')}},`] : []),
    '}',
  ];
}

function oauthMechanism({ token, extensions }: OAuthProfile): string {
  const pairs = Object.entries(extensions ?? {}).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  const beside = pairs.length > 0 ? `, Extensions: map[string]string{${pairs.join(', ')}}` : '';
  if (token.kind === 'clientCredentials') {
    return `oauth.Oauth(func(ctx context.Context) (oauth.Auth, error) { token, err := issuer.Token(ctx); if err != nil { return oauth.Auth{}, err }; return oauth.Auth{Token: token.AccessToken${beside}}, nil })`;
  }
  return `oauth.Auth{Token: os.Getenv("${variables.token}")${beside}}.AsMechanism()`;
}

function mechanismOf(sasl: SaslProfile): string {
  if (sasl.mechanism === 'OAUTHBEARER') return oauthMechanism(sasl);
  const { mechanism, username } = sasl;
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
