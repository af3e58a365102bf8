import * as v from 'valibot';
import {
  saslProfileOf,
  type SecurityProfile,
  tlsProfileOf,
  type TokenProfile,
  tokenProfileOf,
} from './profileSecurity.ts';

/** Where secrets are kept, and nowhere else. Implemented by `ui` over the editor's secret storage. */
export interface SecretStore {
  get(key: string): Promise<string | undefined>;
  set(key: string, secret: string): Promise<void>;
  delete(key: string): Promise<void>;
}

export const secretNames = [
  'password',
  'passphrase',
  'privateKey',
  'trustPassphrase',
  'clientSecret',
  'token',
  'endpointPassphrase',
] as const;
/**
 * The SASL password; what opens the private key or the PKCS12 store; the key itself in PEM, where it is in no file;
 * what opens the trust store; what the token endpoint knows the application by; a token that was given; what opens
 * the trust store for the token endpoint.
 */
export type SecretName = (typeof secretNames)[number];
export type ProfileSecrets = Partial<Readonly<Record<SecretName, string>>>;

const text = v.pipe(v.string(), v.maxLength(64 * 1024));
const storedSecrets = v.partial(
  v.object({
    password: text,
    passphrase: text,
    privateKey: text,
    trustPassphrase: text,
    clientSecret: text,
    token: text,
    endpointPassphrase: text,
  } satisfies Record<SecretName, typeof text>),
);

/** Under which a profile's secrets are kept: all under one key, so that they come and go together. */
export function secretKey(profileId: string): string {
  return `cluster.${profileId}`;
}

/** Which secrets a connection can make use of. */
export function usableSecrets(security: SecurityProfile): SecretName[] {
  const { clientCertificate: own, authorities } = tlsProfileOf(security) ?? {};
  return [
    ...saslSecrets(security),
    ...(authorities && 'store' in authorities ? (['trustPassphrase'] as const) : []),
    ...(own ? (['passphrase'] as const) : []),
    ...(own?.kind === 'pem' && own.keyFile === undefined ? (['privateKey'] as const) : []),
  ];
}

function saslSecrets(security: SecurityProfile): SecretName[] {
  const token = tokenProfileOf(security);
  if (token !== undefined) return tokenSecrets(token);
  return saslProfileOf(security) ? ['password'] : [];
}

/** Which secrets are needed for a token. */
export function tokenSecrets(token: TokenProfile): SecretName[] {
  switch (token.kind) {
    case 'clientCredentials':
      return hasEndpointStore(token) ? ['clientSecret', 'endpointPassphrase'] : ['clientSecret'];
    case 'fixed':
      return ['token'];
    case 'unsecured':
      return [];
  }
}

function hasEndpointStore(token: TokenProfile): boolean {
  return (
    token.kind === 'clientCredentials' &&
    token.authorities !== undefined &&
    'store' in token.authorities
  );
}

export async function loadSecrets(store: SecretStore, profileId: string): Promise<ProfileSecrets> {
  const stored = await store.get(secretKey(profileId));
  if (stored === undefined) return {};
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), storedSecrets), stored);
  return parsed.success ? withoutGaps(parsed.output) : {};
}

/** Keeps those that the connection can use, and no others. */
export async function saveSecrets(
  store: SecretStore,
  profileId: string,
  security: SecurityProfile,
  secrets: ProfileSecrets,
): Promise<void> {
  const usable = usableSecrets(security);
  const kept = Object.entries(withoutGaps(secrets)).filter(([name]) =>
    (usable as readonly string[]).includes(name),
  );
  if (kept.length === 0) await store.delete(secretKey(profileId));
  else await store.set(secretKey(profileId), JSON.stringify(Object.fromEntries(kept)));
}

function withoutGaps(
  secrets: Readonly<Partial<Record<SecretName, string | undefined>>>,
): ProfileSecrets {
  return Object.fromEntries(Object.entries(secrets).filter(([, secret]) => secret));
}
