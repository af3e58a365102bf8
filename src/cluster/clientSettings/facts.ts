import {
  type AuthoritySource,
  type ClientCredentialsProfile,
  type SecurityProfile,
  tokenProfileOf,
} from '../connections/profileSecurity.ts';

/** What an application has to know to connect. */
export interface ConnectionFacts {
  /** `host:port`, one or several. */
  readonly bootstrap: readonly string[];
  readonly security: SecurityProfile;
}

/** Secrets are never written: where one is needed, the text names the environment variable to put it in. */
export const variables = {
  password: 'KAFKA_PASSWORD',
  keyPassphrase: 'KAFKA_KEY_PASSPHRASE',
  storePassphrase: 'KAFKA_KEYSTORE_PASSWORD',
  trustPassphrase: 'KAFKA_TRUSTSTORE_PASSWORD',
  clientSecret: 'KAFKA_CLIENT_SECRET',
  token: 'KAFKA_TOKEN',
  endpointPassphrase: 'KAFKA_TOKEN_TRUSTSTORE_PASSWORD',
} as const;

/** The PEM file of a certificate; where there is none, the name to save it under. */
export function fileNameOf(source: AuthoritySource, toSave: string): string {
  return 'file' in source ? source.file : toSave;
}

/** What the reader has to do before the settings hold: save what is no file yet. */
export function toSave(facts: ConnectionFacts): string[] {
  return [...tlsToSave(facts), ...endpointToSave(facts)];
}

/** The token endpoint's authority, where it is no file in PEM. */
function endpointToSave({ security }: ConnectionFacts): string[] {
  const token = tokenProfileOf(security);
  const source = token?.kind === 'clientCredentials' ? token.authorities : undefined;
  if (source === undefined || 'file' in source) return [];
  return 'store' in source
    ? [`Outside of Java: keytool -list -rfc -keystore ${source.store} > token-ca.pem`]
    : ["Save the token endpoint's authority as token-ca.pem."];
}

/** The PEM file of the token endpoint's authority. */
export function endpointAuthorityFile({
  authorities,
}: ClientCredentialsProfile): string | undefined {
  return authorities && fileNameOf(authorities, 'token-ca.pem');
}

function tlsToSave({ security }: ConnectionFacts): string[] {
  if (!('tls' in security)) return [];
  const { authorities, clientCertificate: own } = security.tls;
  const isText = (source: AuthoritySource | undefined): boolean =>
    source !== undefined && 'pem' in source;
  return [
    ...(authorities && 'store' in authorities
      ? [`Outside of Java: keytool -list -rfc -keystore ${authorities.store} > ca.pem`]
      : []),
    ...(isText(authorities) ? ["Save the brokers' authority as ca.pem."] : []),
    ...(own?.kind === 'pkcs12' && /\.jks$/i.test(own.file)
      ? [
          `Outside of Java: keytool -importkeystore -srckeystore ${own.file} -destkeystore client.p12 -deststoretype PKCS12`,
        ]
      : []),
    ...(own?.kind === 'pem' && isText(own.certificate)
      ? ['Save the client certificate as client.pem.']
      : []),
    ...(own?.kind === 'pem' && own.keyFile === undefined
      ? ['Save the private key as client.key.']
      : []),
  ];
}

export function lines(all: readonly string[]): string {
  return all.join('\n') + '\n';
}
