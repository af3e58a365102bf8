import type { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { ClosingError } from '../requestError.ts';
import { subjectName } from './distinguishedName.ts';
import { principalMapping } from './principalMapping.ts';

/**
 * Who a client is by the certificate that it showed; undefined: it showed none. Throws a ClosingError where it may not
 * come in.
 */
export type CertificatePrincipal = (socket: TLSSocket) => string | undefined;

/**
 * `User:` and the distinguished name, as `ssl.principal.mapping.rules` make it. Throws a BrokerConfigError; what it
 * returns throws a ClosingError where no rule fits, and for a certificate that is not trusted.
 * [DefaultKafkaPrincipalBuilder]
 */
export function certificatePrincipals(rules: string): CertificatePrincipal {
  const nameOf = principalMapping(rules);
  return (socket) => {
    const certificate = trustedCertificate(socket);
    return certificate && `User:${nameOf(subjectName(certificate.raw))}`;
  };
}

/** Of who says by SASL who they are: a certificate that they show too has to be trusted, and its name is not read. */
export const saslPrincipal: CertificatePrincipal = (socket) => {
  trustedCertificate(socket);
  return undefined;
};

/**
 * Java lets nobody in with one that is not trusted, where certificates are only requested too.
 * [SSLEngine.setWantClientAuth]
 */
function trustedCertificate(socket: TLSSocket): X509Certificate | undefined {
  const certificate = socket.getPeerX509Certificate();
  if (certificate !== undefined && !socket.authorized)
    throw new ClosingError(`its certificate is not trusted: ${String(socket.authorizationError)}`);
  return certificate;
}
