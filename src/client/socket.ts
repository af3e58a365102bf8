import { connect, type Socket } from 'node:net';
import type { Clock } from '../base/clock.ts';
import { t } from '../base/l10n.ts';
import { type Address, formatAddress } from './address.ts';
import { CancelledError, ConnectionError, SecurityError } from './kafkaError.ts';
import { type SecurityOptions, tlsOf } from './security.ts';
import { socketReason } from './socketReason.ts';
import { tlsConnect } from './tls/tlsConnect.ts';
import { tlsFailure } from './tls/tlsFailure.ts';
import { inSeconds } from './waiting.ts';

export interface OpenSocketOptions {
  readonly address: Address;
  readonly security: SecurityOptions;
  readonly connectTimeoutMs: number;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/** As Java's clients, which leave the delay to the system: often two hours, longer than a network remembers. */
const keepAliveDelayMs = 60_000;

/**
 * A connected socket, after the TLS handshake where there is to be one. Rejects with a ConnectionError or a
 * SecurityError in words, after `connectTimeoutMs` at the latest.
 */
export async function openSocket(options: OpenSocketOptions): Promise<Socket> {
  const { address, security } = options;
  if (options.signal?.aborted) throw new CancelledError();
  // A broker may say of another that it listens anywhere.
  if (address.port < 1 || address.port > 65_535) {
    const name = formatAddress(address);
    const message = t('cannot reach {0}: {1}', name, t('there is no such port'));
    throw new ConnectionError(message, { address: name });
  }
  const tls = tlsOf(security);
  if (tls) return established(tlsConnect(address, tls), 'secureConnect', options);
  const socket = connect({ host: address.host, port: address.port });
  return established(socket, 'connect', options);
}

function established(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  options: OpenSocketOptions,
): Promise<Socket> {
  const { address, connectTimeoutMs, clock, signal } = options;
  const name = formatAddress(address);
  socket.setNoDelay(true);
  socket.setKeepAlive(true, keepAliveDelayMs);
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      timer.dispose();
      signal?.removeEventListener('abort', cancel);
      socket.removeListener('error', onError);
      socket.removeListener(event, onEstablished);
    };
    const fail = (error: Error): void => {
      settle();
      // What the socket says after it is given up is of no interest, but must not be unhandled.
      socket.on('error', () => undefined);
      socket.destroy();
      reject(error);
    };
    const cancel = (): void => fail(new CancelledError());
    const onError = (error: Error): void => fail(connectFailure(name, error));
    const onEstablished = (): void => {
      settle();
      resolve(socket);
    };
    const timer = clock.setTimer(connectTimeoutMs, () =>
      fail(new ConnectionError(lateReason(name, socket, connectTimeoutMs), { address: name })),
    );
    signal?.addEventListener('abort', cancel, { once: true });
    socket.once('error', onError);
    socket.once(event, onEstablished);
  });
}

function connectFailure(address: string, error: Error): Error {
  const failure = tlsFailure(error);
  if (failure === undefined) {
    const message = t('cannot reach {0}: {1}', address, socketReason(error));
    return new ConnectionError(message, { address, cause: error });
  }
  const { reason, hint } = failure;
  return new SecurityError(t('cannot connect to {0}: {1}', address, reason), {
    address,
    hint,
    cause: error,
  });
}

function lateReason(address: string, socket: Socket, timeoutMs: number): string {
  const seconds = inSeconds(timeoutMs);
  return socket.connecting
    ? t('cannot reach {0}: no connection within {1} s', address, seconds)
    : t(
        '{0} accepted the connection but did not finish the TLS handshake within {1} s',
        address,
        seconds,
      );
}
