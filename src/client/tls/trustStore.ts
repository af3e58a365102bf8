import type { FormProblem } from './certificateForms.ts';
import { DerError } from './der.ts';
import { jksCertificates, JksDigestError, jksMagic } from './jksCertificates.ts';
import { OldCipherError, pkcs12Certificates } from './pkcs12Certificates.ts';

/** A trust store that cannot be used, with what to do. */
export class TrustStoreError extends Error {
  override name = 'TrustStoreError';
  readonly hint: string;

  constructor({ reason, hint }: FormProblem) {
    super(reason);
    this.hint = hint;
  }
}

/** The authorities in a Java trust store, PKCS12 or JKS, in PEM. Throws a TrustStoreError in words. */
export async function authoritiesIn(bytes: Uint8Array, passphrase?: string): Promise<string> {
  const store = Buffer.from(bytes);
  const isJks = store.length > 4 && store.readUInt32BE() === jksMagic;
  let certificates: Buffer[];
  try {
    certificates = isJks
      ? jksCertificates(store, passphrase)
      : await pkcs12Certificates(store, passphrase ?? '');
  } catch (error) {
    throw new TrustStoreError(problemOf(error));
  }
  if (certificates.length > 0) return certificates.map(pemOf).join('');
  throw new TrustStoreError({
    reason: 'the trust store holds no trusted certificate',
    hint: 'Put the authority in: keytool -importcert -file ca.pem -keystore STORE.',
  });
}

function problemOf(error: unknown): FormProblem {
  if (error instanceof OldCipherError) {
    return {
      reason: 'the trust store is encrypted in an old way that is not read here',
      hint: 'Export its certificates: keytool -list -rfc -keystore STORE > ca.pem.',
    };
  }
  const isCipherError = error instanceof Error && 'code' in error;
  if (error instanceof JksDigestError || (isCipherError && !(error instanceof RangeError))) {
    return {
      reason: 'the passphrase does not open the trust store',
      hint: 'Give the passphrase that the store was made with.',
    };
  }
  const detail =
    error instanceof DerError || error instanceof RangeError ? error.message : 'broken';
  return {
    reason: `the trust store is neither PKCS12 nor JKS, or is cut off: ${detail}`,
    hint: 'Give a .p12 or .jks file, or certificates in PEM.',
  };
}

function pemOf(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
