import * as v from 'valibot';
import { saslMechanisms } from '../client/security.ts';

/**
 * How a profile says its connection is protected: what may be seen, with references to files. What may not
 * be seen is in the secret store, see `profileSecrets.ts`.
 */

/** More would be a file chosen by mistake. */
const longestPem = 256 * 1024;

const pemSource = v.union([
  v.strictObject({ file: v.string() }),
  v.strictObject({ pem: v.pipe(v.string(), v.maxLength(longestPem)) }),
]);

/** A trust store of Java, in PKCS12 or JKS. */
const trustStore = v.strictObject({ store: v.string() });

const clientCertificate = v.variant('kind', [
  v.object({
    kind: v.literal('pem'),
    certificate: pemSource,
    /** Left out: the key's text is a secret. */
    keyFile: v.exactOptional(v.string()),
  }),
  v.object({ kind: v.literal('pkcs12'), file: v.string() }),
]);

const tlsProfile = v.object({
  /** Left out: the authorities that the system trusts. */
  authorities: v.exactOptional(v.union([...pemSource.options, trustStore])),
  clientCertificate: v.exactOptional(clientCertificate),
  checkHostName: v.boolean(),
  serverName: v.exactOptional(v.string()),
});

const saslProfile = v.object({ mechanism: v.picklist(saslMechanisms), username: v.string() });

/** Checks what was stored, by this version or another. */
export const securityProfileSchema = v.variant('protocol', [
  v.object({ protocol: v.literal('PLAINTEXT') }),
  v.object({ protocol: v.literal('SSL'), tls: tlsProfile }),
  v.object({ protocol: v.literal('SASL_PLAINTEXT'), sasl: saslProfile }),
  v.object({ protocol: v.literal('SASL_SSL'), tls: tlsProfile, sasl: saslProfile }),
]);

export type SecurityProfile = v.InferOutput<typeof securityProfileSchema>;
export type TlsProfile = v.InferOutput<typeof tlsProfile>;
export type SaslProfile = v.InferOutput<typeof saslProfile>;
export type AuthoritySource = NonNullable<TlsProfile['authorities']>;
export type PemSource = v.InferOutput<typeof pemSource>;
export type ClientCertificateProfile = v.InferOutput<typeof clientCertificate>;

export const plaintextProfile: SecurityProfile = { protocol: 'PLAINTEXT' };

export function tlsProfileOf(security: SecurityProfile): TlsProfile | undefined {
  return 'tls' in security ? security.tls : undefined;
}

export function saslProfileOf(security: SecurityProfile): SaslProfile | undefined {
  return 'sasl' in security ? security.sasl : undefined;
}
