import type { Socket } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import type { Logger } from '../../base/logger.ts';
import type { TlsSettings } from '../security/tls.ts';

/** How long a client may take until its TLS handshake is through. */
const longestHandshakeMs = 30_000;

/**
 * What Java's TLS says to whoever speaks something else: a fatal alert of internal_error. Plain Kafka clients take it
 * for the size of an answer and say so, which is how their users know the mistake; OpenSSL says nothing.
 */
const notTls = Buffer.from('15030300020250', 'hex');
/** What OpenSSL says of first bytes that begin no record of TLS: any, a request of HTTP, the CONNECT of one. */
const isNotTls = /^ERR_SSL_(WRONG_VERSION_NUMBER|HTTP_REQUEST|HTTPS_PROXY_REQUEST)$/;

/** Takes connections, and hands on those whose TLS handshake is through. */
export function tlsAcceptor(
  tls: TlsSettings,
  accept: (socket: TLSSocket) => void,
  logger: Logger,
  handshakeMs = longestHandshakeMs,
): (socket: Socket) => void {
  const shakingHands = new Map<string, Socket>();
  // It is given connections, and listens to no port itself.
  const server = createServer(tls, (socket) => {
    shakingHands.delete(endsOf(socket));
    accept(socket);
  });
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
    logger.debug(`TLS handshake failed: ${error.message}`);
    if (isNotTls.test(error.code ?? '')) shakingHands.get(endsOf(socket))?.write(notTls);
    socket.destroy();
  });
  return (socket) => {
    const ends = endsOf(socket);
    // One whose peer is gone already has no address, and nobody to be told.
    if (socket.remotePort !== undefined) shakingHands.set(ends, socket);
    // Node's own limit begins anew with every byte, and leaves the connection open.
    const deadline = setTimeout(() => {
      if (shakingHands.get(ends) === socket) socket.destroy();
    }, handshakeMs).unref();
    socket.once('close', () => {
      clearTimeout(deadline);
      // Another may have come from there since.
      if (shakingHands.get(ends) === socket) shakingHands.delete(ends);
    });
    server.emit('connection', socket);
  };
}

/** All that a socket with TLS and the one below have in common; a peer may use one port for several addresses here. */
const endsOf = ({ remoteAddress, remotePort, localAddress }: Socket): string =>
  `${remoteAddress}:${remotePort} ${localAddress}`;
