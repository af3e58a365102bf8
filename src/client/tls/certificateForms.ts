import { jksMagic } from './jksCertificates.ts';
import type { ClientCertificate, TlsOptions } from '../security.ts';

/** What is wrong with certificates and keys as they were given, in words; undefined: they have the right form. */
export interface FormProblem {
  readonly reason: string;
  readonly hint: string;
}

const certificateHint = 'Give text with -----BEGIN CERTIFICATE-----.';

/** OpenSSL passes over what is no PEM, or names the layer of its decoder: so forms are looked at first. */
export function certificateFormProblem({
  authorities,
  clientCertificate: own,
}: TlsOptions): FormProblem | undefined {
  if (authorities !== undefined && !isCertificatePem(authorities)) {
    return { reason: 'the trusted authorities are not in PEM', hint: certificateHint };
  }
  if (own === undefined) return undefined;
  return own.kind === 'pem' ? pemProblem(own) : pkcs12Problem(own);
}

function pemProblem(own: ClientCertificate & { readonly kind: 'pem' }): FormProblem | undefined {
  if (!isCertificatePem(own.certificate)) {
    return { reason: 'the client certificate is not in PEM', hint: certificateHint };
  }
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(own.key)) {
    return {
      reason: 'the private key is not in PEM',
      hint: 'Give text with -----BEGIN PRIVATE KEY----- or -----BEGIN ENCRYPTED PRIVATE KEY-----.',
    };
  }
  return undefined;
}

/** PKCS #12 is one ASN.1 sequence. */
const sequenceTag = 0x30;

function pkcs12Problem(
  own: ClientCertificate & { readonly kind: 'pkcs12' },
): FormProblem | undefined {
  const store = Buffer.from(own.store);
  if (store.length >= 4 && store.readUInt32BE() === jksMagic) {
    return {
      reason: 'the key store is in JKS format, which only Java reads',
      hint: 'Convert it: keytool -importkeystore -srckeystore OLD.jks -destkeystore NEW.p12 -deststoretype PKCS12.',
    };
  }
  if (store[0] === sequenceTag) return undefined;
  return { reason: 'the key store is not in PKCS12 format', hint: 'Give a .p12 or .pfx file.' };
}

function isCertificatePem(text: string): boolean {
  return text.includes('-----BEGIN CERTIFICATE-----');
}
