import type { TLSSocket } from 'node:tls';

/**
 * Who a client is by the certificate that it showed and that is trusted: `User:` and the distinguished name, the
 * last part first [DefaultKafkaPrincipalBuilder, RFC 2253].
 */
export function certificatePrincipal(socket: TLSSocket): string | undefined {
  if (!socket.authorized) return undefined;
  const { subject } = socket.getPeerCertificate() as {
    subject?: Record<string, string | string[]>;
  };
  if (subject === undefined) return undefined;
  const parts = Object.entries(subject).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}=${escaped(value)}`),
  );
  return `User:${parts.reverse().join(',')}`;
}

function escaped(value: string): string {
  return value.replace(/[,+"\\<>;]|^[ #]| $/g, '\\$&');
}
