import type { PemSource, SecurityProfile } from '../profileSecurity.ts';

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
} as const;

/** The file of a certificate; where its text is kept in the connection, the name to save it under. */
export function fileNameOf(source: PemSource | undefined, toSave: string): string {
  return source && 'file' in source ? source.file : toSave;
}

/** What the reader has to do before the settings hold: save what is no file yet. */
export function toSave({ security }: ConnectionFacts): string[] {
  if (!('tls' in security)) return [];
  const { authorities, clientCertificate: own } = security.tls;
  const isText = (source: PemSource | undefined): boolean =>
    source !== undefined && 'pem' in source;
  return [
    ...(isText(authorities) ? ["Save the brokers' authority as ca.pem."] : []),
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
