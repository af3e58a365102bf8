import { open } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { KeyStoreError } from '../../base/keyStore/keyStoreError.ts';
import { authoritiesIn } from '../../base/keyStore/trustStore.ts';
import { t } from '../../base/l10n.ts';
import { errorMessage } from '../../base/logger.ts';
import type {
  ClientCertificate,
  OAuthOptions,
  SaslOptions,
  SecurityOptions,
  TlsOptions,
  TokenSource,
} from '../../client/security.ts';
import { ProblemError } from '../problems.ts';
import type { ProfileSecrets } from './profileSecrets.ts';
import type {
  AuthoritySource,
  ClientCertificateProfile,
  ClientCredentialsProfile,
  OAuthProfile,
  PemSource,
  SaslProfile,
  SecurityProfile,
  TlsProfile,
  TokenProfile,
} from './profileSecurity.ts';

/** A certificate store of a thousand authorities has a quarter of this. */
const largestFileBytes = 1024 * 1024;

/** What a profile refers to, read: files now, so that a renewed certificate is used without a restart. */
export async function resolveSecurity(
  security: SecurityProfile,
  secrets: ProfileSecrets,
): Promise<SecurityOptions> {
  switch (security.protocol) {
    case 'PLAINTEXT':
      return security;
    case 'SSL':
      return { protocol: 'SSL', tls: await resolveTls(security.tls, secrets) };
    case 'SASL_PLAINTEXT':
      return { protocol: 'SASL_PLAINTEXT', sasl: await resolveSasl(security.sasl, secrets) };
    case 'SASL_SSL':
      return {
        protocol: 'SASL_SSL',
        tls: await resolveTls(security.tls, secrets),
        sasl: await resolveSasl(security.sasl, secrets),
      };
  }
}

async function resolveSasl(sasl: SaslProfile, secrets: ProfileSecrets): Promise<SaslOptions> {
  if (sasl.mechanism === 'OAUTHBEARER') return resolveOAuth(sasl, secrets);
  const { mechanism, username } = sasl;
  const { password } = secrets;
  if (password === undefined)
    throw missing(t('the password of {0} is not on this machine', username));
  return { mechanism, username, password };
}

async function resolveOAuth(
  { mechanism, token, extensions }: OAuthProfile,
  secrets: ProfileSecrets,
): Promise<OAuthOptions> {
  const source = await tokenSource(token, secrets);
  return { mechanism, token: source, ...(extensions && { extensions }) };
}

async function tokenSource(profile: TokenProfile, secrets: ProfileSecrets): Promise<TokenSource> {
  switch (profile.kind) {
    case 'unsecured':
      return profile;
    case 'fixed':
      if (secrets.token === undefined) throw missing(t('the token is not on this machine'));
      return { kind: 'fixed', token: secrets.token };
    case 'clientCredentials':
      return clientCredentials(profile, secrets);
  }
}

async function clientCredentials(
  { authorities, ...profile }: ClientCredentialsProfile,
  { clientSecret, endpointPassphrase }: ProfileSecrets,
): Promise<TokenSource> {
  if (clientSecret === undefined) {
    throw missing(t('the client secret of {0} is not on this machine', profile.clientId));
  }
  return {
    ...profile,
    clientSecret,
    ...(authorities && { authorities: await authoritiesOf(authorities, endpointPassphrase) }),
  };
}

function missing(what: string): ProblemError {
  return new ProblemError(
    what,
    t(
      'Edit the connection and give it: passwords stay in the secret store of the editor they were given to.',
    ),
  );
}

async function resolveTls(tls: TlsProfile, secrets: ProfileSecrets): Promise<TlsOptions> {
  const { authorities, clientCertificate: own, checkHostName, serverName } = tls;
  return {
    checkHostName,
    ...(serverName && { serverName }),
    ...(authorities && {
      authorities: await authoritiesOf(authorities, secrets.trustPassphrase),
    }),
    ...(own && { clientCertificate: await resolveCertificate(own, secrets) }),
  };
}

async function authoritiesOf(
  source: AuthoritySource,
  passphrase: string | undefined,
): Promise<string> {
  if (!('store' in source)) return pemOf(source, t('trusted authorities'));
  try {
    return await authoritiesIn(await fileOf(source.store, t('trust store')), passphrase);
  } catch (error) {
    if (error instanceof KeyStoreError) throw new ProblemError(error.message, error.hint);
    throw error;
  }
}

async function resolveCertificate(
  own: ClientCertificateProfile,
  { passphrase, privateKey }: ProfileSecrets,
): Promise<ClientCertificate> {
  const opened = passphrase === undefined ? {} : { passphrase };
  if (own.kind === 'pkcs12') {
    return { kind: 'pkcs12', store: await fileOf(own.file, t('key store')), ...opened };
  }
  const certificate = await pemOf(own.certificate, t('client certificate'));
  const key =
    own.keyFile === undefined
      ? privateKey
      : (await fileOf(own.keyFile, t('private key'))).toString('utf8');
  if (key === undefined) {
    throw new ProblemError(
      t('the private key of the client certificate is not on this machine'),
      t('Edit the connection and give it.'),
    );
  }
  return { kind: 'pem', certificate, key, ...opened };
}

async function pemOf(source: PemSource, what: string): Promise<string> {
  return 'pem' in source ? source.pem : (await fileOf(source.file, what)).toString('utf8');
}

async function fileOf(file: string, what: string): Promise<Buffer> {
  try {
    return await readSmallFile(expandHome(file));
  } catch (error) {
    throw new ProblemError(
      t('the file with the {0} cannot be read: {1}', what, errorMessage(error)),
      t('Put it there, or edit the connection and choose another.'),
    );
  }
}

async function readSmallFile(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const stats = await handle.stat();
    // A device has no size and no end.
    if (!stats.isFile()) throw new Error(t('{0} is not a file', file));
    if (stats.size > largestFileBytes) throw new Error(t('{0} is larger than 1 MiB', file));
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** As people write it; Node does not know it. */
function expandHome(file: string): string {
  return /^~[/\\]/.test(file) ? path.join(homedir(), file.slice(2)) : file;
}
