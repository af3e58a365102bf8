import type { TLSSocket } from 'node:tls';
import { ClosingError } from '../requestError.ts';
import { subjectName } from './distinguishedName.ts';
import { principalMapping } from './principalMapping.ts';

/** Who a client is by the certificate that it showed; undefined: it showed none. Throws a ClosingError where it may not come in. */
export type CertificatePrincipal = (socket: TLSSocket) => string | undefined;

/**
 * `User:` and the distinguished name, as `ssl.principal.mapping.rules` make it. Throws a BrokerConfigError; what it
 * returns throws a ClosingError where no rule fits, and for a certificate that is not trusted: Java lets nobody in with
 * one, where certificates are only requested too. [DefaultKafkaPrincipalBuilder, SSLEngine.setWantClientAuth]
 */
export function certificatePrincipals(rules: string): CertificatePrincipal {
  const nameOf = principalMapping(rules);
  return (socket) => {
    const certificate = socket.getPeerX509Certificate();
    if (certificate === undefined) return undefined;
    if (!socket.authorized)
      throw new ClosingError(
        `its certificate is not trusted: ${String(socket.authorizationError)}`,
      );
    return `User:${nameOf(subjectName(certificate.raw))}`;
  };
}
