import type { TLSSocket } from 'node:tls';
import { principalMapping } from './principalMapping.ts';

/** Who a client is by the certificate that it showed; undefined: it showed none that is trusted. */
export type CertificatePrincipal = (socket: TLSSocket) => string | undefined;

/**
 * `User:` and the distinguished name, the last part first, as `ssl.principal.mapping.rules` make it. Throws a
 * BrokerConfigError; what it returns throws a ClosingError where no rule fits. [DefaultKafkaPrincipalBuilder, RFC 2253]
 */
export function certificatePrincipals(rules: string): CertificatePrincipal {
  const nameOf = principalMapping(rules);
  return (socket) => {
    const name = distinguishedName(socket);
    return name === undefined ? undefined : `User:${nameOf(name)}`;
  };
}

function distinguishedName(socket: TLSSocket): string | undefined {
  if (!socket.authorized) return undefined;
  const { subject } = socket.getPeerCertificate() as {
    subject?: Record<string, string | string[]>;
  };
  if (subject === undefined) return undefined;
  const parts = Object.entries(subject).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}=${escaped(value)}`),
  );
  return parts.reverse().join(',');
}

function escaped(value: string): string {
  return value.replace(/[,+"\\<>;]|^[ #]| $/g, '\\$&');
}
