import type { Socket } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import type { Logger } from '../../base/logger.ts';
import type { TlsSettings } from '../security/tls.ts';
import { connectionName } from './connection.ts';

/** How long a client may take until its TLS handshake is through. */
const handshakeTimeoutMs = 30_000;

/**
 * What Java's TLS says to whoever speaks something else: a fatal alert of internal_error. Plain Kafka clients take it for
 * the size of an answer and say so, which is how their users know the mistake; OpenSSL says nothing.
 */
const notTls = Buffer.from('15030300020250', 'hex');
const isNotTls = /^ERR_SSL_(WRONG_VERSION_NUMBER|HTTP_REQUEST|HTTPS_PROXY_REQUEST)$/;

/** Takes connections, and hands on those whose TLS handshake is through. */
export function tlsAcceptor(
  tls: TlsSettings,
  accept: (socket: TLSSocket) => void,
  logger: Logger,
): (socket: Socket) => void {
  const shakingHands = new Map<string, Socket>();
  // It is given connections, and listens to no port itself.
  const server = createServer({ ...tls, handshakeTimeout: handshakeTimeoutMs }, (socket) => {
    shakingHands.delete(connectionName(socket));
    accept(socket);
  });
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
    logger.debug(`TLS handshake failed: ${error.message}`);
    if (!isNotTls.test(error.code ?? '')) return;
    shakingHands.get(connectionName(socket))?.write(notTls);
  });
  return (socket) => {
    const name = connectionName(socket);
    shakingHands.set(name, socket);
    socket.once('close', () => shakingHands.delete(name));
    server.emit('connection', socket);
  };
}
