import { t } from '../l10n.ts';
import { DerError } from './der.ts';
import { isJks, JksDigestError, readJks } from './jks.ts';
import { jksPrivateKey } from './jksPrivateKey.ts';
import { KeyStoreError, type StoreProblem } from './keyStoreError.ts';
import { pemBlock } from './pemBlock.ts';

/** A private key and its certificates, in PEM. */
export interface KeyAndChain {
  readonly key: string;
  /** Its own first. */
  readonly certificate: string;
}

/**
 * The key of a JKS store with its certificates; undefined: the store is of another form, which Node may read itself.
 * The key has a passphrase of its own, or the store's. Throws a KeyStoreError in words.
 */
export function jksKey(
  bytes: Uint8Array,
  { store, key }: { readonly store?: string | undefined; readonly key?: string | undefined },
): KeyAndChain | undefined {
  const contents = Buffer.from(bytes);
  if (!isJks(contents)) return undefined;
  try {
    const [first] = readJks(contents, store).keys;
    if (first === undefined) throw new KeyStoreError(noKey());
    return {
      key: pemBlock('PRIVATE KEY', jksPrivateKey(first.encryptedKey, key ?? store ?? '')),
      certificate: first.chain.map((each) => pemBlock('CERTIFICATE', each)).join(''),
    };
  } catch (error) {
    throw error instanceof KeyStoreError ? error : new KeyStoreError(problemOf(error));
  }
}

function noKey(): StoreProblem {
  return {
    reason: t('the key store holds no private key'),
    hint: t('Give the store with the key; one with certificates alone is a trust store.'),
  };
}

function problemOf(error: unknown): StoreProblem {
  if (error instanceof JksDigestError)
    return {
      reason: t('the passphrase does not open the JKS key store'),
      hint: t('Give the passphrase that the store and its key were made with.'),
    };
  const detail =
    error instanceof DerError || error instanceof RangeError ? error.message : 'broken';
  return {
    reason: t('the JKS key store is cut off or damaged: {0}', detail),
    hint: t('Give a .p12 or .jks file that keytool can list.'),
  };
}
