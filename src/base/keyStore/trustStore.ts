import { t } from '../l10n.ts';
import { DerError } from './der.ts';
import { isJks, JksDigestError, readJks } from './jks.ts';
import { KeyStoreError, type StoreProblem } from './keyStoreError.ts';
import { pemBlock } from './pemBlock.ts';
import { OldCipherError, pkcs12Certificates } from './pkcs12Certificates.ts';

/** The authorities in a Java trust store, PKCS12 or JKS, in PEM. Throws a KeyStoreError in words. */
export async function authoritiesIn(bytes: Uint8Array, passphrase?: string): Promise<string> {
  const store = Buffer.from(bytes);
  let certificates: Buffer[];
  try {
    certificates = isJks(store)
      ? [...readJks(store, passphrase).trusted]
      : await pkcs12Certificates(store, passphrase ?? '');
  } catch (error) {
    throw new KeyStoreError(problemOf(error));
  }
  if (certificates.length > 0)
    return certificates.map((each) => pemBlock('CERTIFICATE', each)).join('');
  throw new KeyStoreError({
    reason: t('the trust store holds no trusted certificate'),
    hint: t('Put the authority in: keytool -importcert -file ca.pem -keystore STORE.'),
  });
}

function problemOf(error: unknown): StoreProblem {
  if (error instanceof OldCipherError) {
    return {
      reason: t('the trust store is encrypted in an old way that is not read here'),
      hint: t('Export its certificates: keytool -list -rfc -keystore STORE > ca.pem.'),
    };
  }
  const isCipherError = error instanceof Error && 'code' in error;
  if (error instanceof JksDigestError || (isCipherError && !(error instanceof RangeError))) {
    return {
      reason: t('the passphrase does not open the trust store'),
      hint: t('Give the passphrase that the store was made with.'),
    };
  }
  const detail =
    error instanceof DerError || error instanceof RangeError ? error.message : 'broken';
  return {
    reason: t('the trust store is neither PKCS12 nor JKS, or is cut off: {0}', detail),
    hint: t('Give a .p12 or .jks file, or certificates in PEM.'),
  };
}
