import * as v from 'valibot';
import { passwordMechanisms } from '../../client/security.ts';

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

const passwordProfile = v.object({
  mechanism: v.picklist(passwordMechanisms),
  username: v.string(),
});

/** Names and values that are sent as they are: few, and short. */
const stringMap = v.record(v.string(), v.pipe(v.string(), v.maxLength(4096)));

/** Where the token comes from; the client's secret and a token that is given are secrets. */
const tokenProfile = v.variant('kind', [
  v.object({
    kind: v.literal('clientCredentials'),
    tokenUrl: v.string(),
    clientId: v.string(),
    scope: v.exactOptional(v.string()),
    /** More fields of the request, such as `audience`. */
    fields: v.exactOptional(stringMap),
    encodesHeader: v.exactOptional(v.boolean()),
    /** Trusted for the token endpoint. Left out: the authorities that the system trusts. */
    authorities: v.exactOptional(v.union([...pemSource.options, trustStore])),
  }),
  v.object({ kind: v.literal('fixed') }),
  v.object({
    kind: v.literal('unsecured'),
    principal: v.string(),
    scope: v.exactOptional(v.string()),
  }),
]);

const oauthProfile = v.object({
  mechanism: v.literal('OAUTHBEARER'),
  token: tokenProfile,
  extensions: v.exactOptional(stringMap),
});

const saslProfile = v.variant('mechanism', [passwordProfile, oauthProfile]);

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
export type OAuthProfile = v.InferOutput<typeof oauthProfile>;
export type TokenProfile = OAuthProfile['token'];
export type ClientCredentialsProfile = TokenProfile & { readonly kind: 'clientCredentials' };
export type AuthoritySource = NonNullable<TlsProfile['authorities']>;
export type PemSource = v.InferOutput<typeof pemSource>;
export type ClientCertificateProfile = v.InferOutput<typeof clientCertificate>;

export const plaintextProfile: SecurityProfile = { protocol: 'PLAINTEXT' };

export function tlsProfileOf(security: SecurityProfile): TlsProfile | undefined {
  return 'tls' in security ? security.tls : undefined;
}

export function tokenProfileOf(security: SecurityProfile): TokenProfile | undefined {
  const sasl = saslProfileOf(security);
  return sasl?.mechanism === 'OAUTHBEARER' ? sasl.token : undefined;
}

export function saslProfileOf(security: SecurityProfile): SaslProfile | undefined {
  return 'sasl' in security ? security.sasl : undefined;
}
