import { isJks } from '../../base/keyStore/jks.ts';
import type { StoreProblem } from '../../base/keyStore/keyStoreError.ts';
import { t } from '../../base/l10n.ts';
import type { ClientCertificate, TlsOptions } from '../security.ts';

const certificateHint = (): string => t('Give text with -----BEGIN CERTIFICATE-----.');

/**
 * What is wrong with certificates and keys as they were given, in words; undefined: they have the right form.
 * OpenSSL passes over what is no PEM, or names the layer of its decoder: so forms are looked at first.
 */
export function certificateFormProblem({
  authorities,
  clientCertificate: own,
}: TlsOptions): StoreProblem | undefined {
  if (authorities !== undefined && !isCertificatePem(authorities)) {
    return { reason: t('the trusted authorities are not in PEM'), hint: certificateHint() };
  }
  if (own === undefined) return undefined;
  return own.kind === 'pem' ? pemProblem(own) : pkcs12Problem(own);
}

function pemProblem(own: ClientCertificate & { readonly kind: 'pem' }): StoreProblem | undefined {
  if (!isCertificatePem(own.certificate)) {
    return { reason: t('the client certificate is not in PEM'), hint: certificateHint() };
  }
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(own.key)) {
    return {
      reason: t('the private key is not in PEM'),
      hint: t(
        'Give text with -----BEGIN PRIVATE KEY----- or -----BEGIN ENCRYPTED PRIVATE KEY-----.',
      ),
    };
  }
  return undefined;
}

/** PKCS #12 is one ASN.1 sequence. */
const sequenceTag = 0x30;

function pkcs12Problem(
  own: ClientCertificate & { readonly kind: 'pkcs12' },
): StoreProblem | undefined {
  const store = Buffer.from(own.store);
  if (isJks(store) || store[0] === sequenceTag) return undefined;
  return {
    reason: t('the key store is neither in PKCS12 nor in JKS format'),
    hint: t('Give a .p12, .pfx or .jks file.'),
  };
}

function isCertificatePem(text: string): boolean {
  return text.includes('-----BEGIN CERTIFICATE-----');
}
