import type { SaslMechanism, SecurityProtocol } from '../../client/security.ts';
import type { NewProfile } from '../../cluster/clusterRegistry.ts';
import type { ClusterProfile, ProfileColor } from '../../cluster/model.ts';
import type { ImportedConnection } from '../../cluster/connections/profileProperties.ts';
import type { ProfileSecrets, SecretName } from '../../cluster/connections/profileSecrets.ts';
import {
  type OAuthProfile,
  type SaslProfile,
  saslProfileOf,
  type SecurityProfile,
  type TlsProfile,
  tlsProfileOf,
  type TokenProfile,
} from '../../cluster/connections/profileSecurity.ts';

/** A connection amid its questions. Answers that the present protocol has no use for are kept, not lost. */
export interface ConnectionDraft {
  readonly name: string;
  readonly bootstrap: readonly string[];
  readonly readOnly: boolean;
  readonly isProduction: boolean;
  readonly color: ProfileColor | undefined;
  readonly protocol: SecurityProtocol;
  readonly tls: TlsProfile;
  readonly mechanism: SaslMechanism;
  readonly username: string;
  /** Where the token of OAUTHBEARER comes from, and what goes with it. */
  readonly token: TokenProfile;
  readonly extensions: OAuthProfile['extensions'] | undefined;
  /** Those given now. */
  readonly secrets: ProfileSecrets;
  /** Those that the secret store has already, and keeps unless they are given anew. */
  readonly stored: readonly SecretName[];
}

const emptyDraft: ConnectionDraft = {
  name: '',
  bootstrap: [],
  readOnly: false,
  isProduction: false,
  color: undefined,
  protocol: 'PLAINTEXT',
  tls: { checkHostName: true },
  mechanism: 'SCRAM-SHA-512',
  username: '',
  token: { kind: 'clientCredentials', tokenUrl: '', clientId: '' },
  extensions: undefined,
  secrets: {},
  stored: [],
};

export function newDraft(): ConnectionDraft {
  return emptyDraft;
}

export function draftOfProfile(
  profile: ClusterProfile,
  secrets: Pick<ConnectionDraft, 'secrets' | 'stored'>,
): ConnectionDraft {
  const { name, bootstrap, readOnly, isProduction = false, color, security } = profile;
  const draft = { ...emptyDraft, name, bootstrap, readOnly, isProduction, color, ...secrets };
  return security ? withSecurity(draft, security) : draft;
}

export function draftOfImport(imported: ImportedConnection): ConnectionDraft {
  const { bootstrap, security, secrets } = imported;
  return withSecurity({ ...emptyDraft, bootstrap, secrets }, security);
}

function withSecurity(draft: ConnectionDraft, security: SecurityProfile): ConnectionDraft {
  const { protocol } = security;
  const tls = tlsProfileOf(security) ?? draft.tls;
  return { ...draft, protocol, tls, ...saslProfileOf(security) };
}

/** What the draft comes to. */
export function profileOfDraft(draft: ConnectionDraft): NewProfile {
  const { name, bootstrap, readOnly, isProduction, color } = draft;
  return {
    name,
    bootstrap,
    readOnly,
    security: securityOf(draft),
    ...(isProduction && { isProduction }),
    ...(color && { color }),
  };
}

function securityOf(draft: ConnectionDraft): SecurityProfile {
  const { protocol, tls } = draft;
  const sasl = saslOf(draft);
  switch (protocol) {
    case 'PLAINTEXT':
      return { protocol };
    case 'SSL':
      return { protocol, tls };
    case 'SASL_PLAINTEXT':
      return { protocol, sasl };
    case 'SASL_SSL':
      return { protocol, tls, sasl };
  }
}

function saslOf({ mechanism, username, token, extensions }: ConnectionDraft): SaslProfile {
  return mechanism === 'OAUTHBEARER'
    ? { mechanism, token, ...(extensions && { extensions }) }
    : { mechanism, username };
}

/** With some of its TLS settings changed; undefined takes one away. */
export function withTls(
  draft: ConnectionDraft,
  change: Readonly<Partial<{ [Name in keyof TlsProfile]: TlsProfile[Name] | undefined }>>,
): ConnectionDraft {
  const merged = { ...draft.tls, ...change };
  const { authorities, clientCertificate, serverName, checkHostName = true } = merged;
  return {
    ...draft,
    tls: {
      checkHostName,
      ...(authorities && { authorities }),
      ...(clientCertificate && { clientCertificate }),
      ...(serverName !== undefined && { serverName }),
    },
  };
}

export function hasTls({ protocol }: ConnectionDraft): boolean {
  return protocol === 'SSL' || protocol === 'SASL_SSL';
}

export function hasSasl({ protocol }: ConnectionDraft): boolean {
  return protocol === 'SASL_PLAINTEXT' || protocol === 'SASL_SSL';
}

/** Whether a secret is there, given now or before. */
export function hasSecret({ secrets, stored }: ConnectionDraft, name: SecretName): boolean {
  return secrets[name] !== undefined || stored.includes(name);
}

/** With a secret as it was typed; left empty, what is there stays. */
export function withSecret(
  draft: ConnectionDraft,
  name: SecretName,
  typed: string,
): ConnectionDraft {
  return typed === '' ? draft : { ...draft, secrets: { ...draft.secrets, [name]: typed } };
}

/** The secrets that the draft comes to; `known` are those in the secret store. */
export function secretsOfDraft(
  { secrets, stored }: ConnectionDraft,
  known: ProfileSecrets,
): ProfileSecrets {
  const kept = stored.map((name) => [name, known[name]] as const);
  return { ...Object.fromEntries(kept.filter(([, secret]) => secret !== undefined)), ...secrets };
}

/** Without a secret, where it was of something that is used no more. */
export function withoutSecrets(
  draft: ConnectionDraft,
  ...names: readonly SecretName[]
): ConnectionDraft {
  const isKept = (name: string): boolean => !(names as readonly string[]).includes(name);
  const secrets = Object.fromEntries(
    Object.entries(draft.secrets).filter(([name]) => isKept(name)),
  );
  return { ...draft, secrets, stored: draft.stored.filter(isKept) };
}
