import { t } from '../../base/l10n.ts';
import type { JaasLogin } from './jaas.ts';
import { certificatesIn } from './pem.ts';
import type { SecretName } from './profileSecrets.ts';
import type {
  AuthoritySource,
  ClientCredentialsProfile,
  OAuthProfile,
  TokenProfile,
} from './profileSecurity.ts';

/** The lines of a configuration, as an import reads them. */
export interface PropertyReader {
  /** The value of the first of the names that there is; none of them is then said to have no effect. */
  readonly take: (...names: readonly string[]) => string | undefined;
  readonly takeFile: (name: string) => string | undefined;
  /** A file name that is in a value, taken from the folder of the configuration. */
  readonly fileAt: (path: string) => string;
  readonly keep: (secret: SecretName, name: string, value: string) => void;
  readonly ignore: (name: string, reason: string) => void;
}

/** Lines that say what we do in any case, or say again what others say. */
const understood = [
  'sasl.login.callback.handler.class',
  'sasl.oauthbearer.method',
  'enable.sasl.oauthbearer.unsecure.jwt',
] as const;

/** How a Java client, or librdkafka, is told to get its token. [KIP-255, KIP-768, KIP-1139] */
export function oauthProfile(reader: PropertyReader, login: JaasLogin | undefined): OAuthProfile {
  for (const name of understood) reader.take(name);
  const options = login?.options ?? new Map<string, string>();
  const token = tokenProfile(reader, options);
  const extensions = {
    ...pairs((reader.take('sasl.oauthbearer.extensions') ?? '').split(',')),
    ...prefixed(options, 'extension_'),
  };
  return {
    mechanism: 'OAUTHBEARER',
    token,
    ...(Object.keys(extensions).length > 0 && { extensions }),
  };
}

type Options = JaasLogin['options'];

function tokenProfile(reader: PropertyReader, options: Options): TokenProfile {
  const retriever = reader.take('sasl.oauthbearer.jwt.retriever.class');
  if (retriever !== undefined && !/\.(Default|ClientCredentials|File)JwtRetriever$/.test(retriever))
    reader.ignore(
      'sasl.oauthbearer.jwt.retriever.class',
      t('only client credentials are known here'),
    );
  const tokenUrl = reader.take('sasl.oauthbearer.token.endpoint.url') ?? '';
  if (tokenUrl.startsWith('file:')) {
    const reason = t('a token in a file is not read here: give it in the connection');
    reader.ignore('sasl.oauthbearer.token.endpoint.url', reason);
    return { kind: 'fixed' };
  }
  const unsecured = tokenUrl === '' ? unsecuredProfile(reader, options) : undefined;
  return unsecured ?? clientCredentials(reader, options, tokenUrl);
}

function clientCredentials(
  reader: PropertyReader,
  options: Options,
  tokenUrl: string,
): ClientCredentialsProfile {
  const { take } = reader;
  const id = ['sasl.oauthbearer.client.credentials.client.id', 'sasl.oauthbearer.client.id'];
  const secret = [
    'sasl.oauthbearer.client.credentials.client.secret',
    'sasl.oauthbearer.client.secret',
  ];
  const given = take(...secret);
  const clientSecret = given ?? options.get('clientSecret');
  const line = given === undefined ? 'sasl.jaas.config' : (secret[0] ?? '');
  if (clientSecret !== undefined) reader.keep('clientSecret', line, clientSecret);
  const scope = take('sasl.oauthbearer.scope') ?? options.get('scope');
  const authorities = endpointAuthorities(reader, options);
  return {
    kind: 'clientCredentials',
    tokenUrl,
    clientId: take(...id) ?? options.get('clientId') ?? '',
    ...(scope && { scope }),
    ...(take('sasl.oauthbearer.header.urlencode') === 'true' && { encodesHeader: true }),
    ...(authorities && { authorities }),
  };
}

/** Java has them beside the client id, librdkafka as what it trusts for `https:`. */
function endpointAuthorities(
  reader: PropertyReader,
  options: Options,
): AuthoritySource | undefined {
  const pem = certificatesIn(
    reader.take('https.ca.pem') ?? options.get('ssl.truststore.certificates') ?? '',
  );
  if (pem !== undefined) return { pem };
  const file = reader.takeFile('https.ca.location');
  if (file !== undefined) return { file };
  const store = options.get('ssl.truststore.location');
  if (store === undefined) return undefined;
  const isPem = options.get('ssl.truststore.type')?.toUpperCase() === 'PEM';
  if (isPem || /\.(pem|crt|cer)$/i.test(store)) return { file: reader.fileAt(store) };
  const password = options.get('ssl.truststore.password');
  if (password !== undefined) reader.keep('endpointPassphrase', 'sasl.jaas.config', password);
  return { store: reader.fileAt(store) };
}

function unsecuredProfile(reader: PropertyReader, options: Options): TokenProfile | undefined {
  const config = pairs((reader.take('sasl.oauthbearer.config') ?? '').split(' '));
  const principal = options.get('unsecuredLoginStringClaim_sub') ?? config['principal'];
  if (principal === undefined) return undefined;
  // Its first character separates the others: `,read,write`.
  const list = options.get('unsecuredLoginListClaim_scope') ?? '';
  const scope =
    list === ''
      ? (config['scope'] ?? '').replaceAll(',', ' ')
      : list.split(list.charAt(0)).join(' ');
  return { kind: 'unsecured', principal, ...(scope.trim() && { scope: scope.trim() }) };
}

function prefixed(options: Options, prefix: string): Record<string, string> {
  return Object.fromEntries(
    [...options]
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length), value]),
  );
}

function pairs(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts
      .map((text) => /^([^=]+)=(.*)$/s.exec(text.trim()))
      .map((match) => [match?.[1] ?? '', match?.[2] ?? ''] as const)
      .filter(([name]) => name !== ''),
  );
}
