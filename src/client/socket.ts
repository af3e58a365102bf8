import { connect, type Socket } from 'node:net';
import type { Clock } from '../base/clock.ts';
import { type Address, formatAddress } from './address.ts';
import { CancelledError, ConnectionError } from './kafkaError.ts';
import type { SecurityOptions } from './security.ts';

export interface OpenSocketOptions {
  readonly address: Address;
  readonly security: SecurityOptions;
  readonly connectTimeoutMs: number;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/** System errors in words. The host or address is named beside them. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'the network is unreachable',
  ECONNRESET: 'the connection was reset',
  ETIMEDOUT: 'the connection timed out',
  EPIPE: 'the connection was closed',
  EACCES: 'not allowed by the operating system',
};

/** The reason of a socket's failure in words. */
export function socketReason(error: Error): string {
  // Happy eyeballs: with several addresses Node reports all their failures in one.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const code = (first as NodeJS.ErrnoException | undefined)?.code;
  return (code && reasons[code]) || error.message || 'unknown reason';
}

/** A connected socket. Rejects with a ConnectionError in words, after `connectTimeoutMs` at the latest. */
export function openSocket(options: OpenSocketOptions): Promise<Socket> {
  const { address, connectTimeoutMs, clock, signal } = options;
  if (signal?.aborted) return Promise.reject(new CancelledError());
  const name = formatAddress(address);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address.host, port: address.port, noDelay: true });
    const settle = (): void => {
      timer.dispose();
      signal?.removeEventListener('abort', cancel);
      socket.removeListener('error', onError);
      socket.removeListener('connect', onConnect);
    };
    const fail = (error: Error): void => {
      settle();
      // What the socket says after it is given up is of no interest, but must not be unhandled.
      socket.on('error', () => undefined);
      socket.destroy();
      reject(error);
    };
    const refuse = (reason: string, cause?: unknown): void =>
      fail(new ConnectionError(`cannot reach ${name}: ${reason}`, { address: name, cause }));
    const cancel = (): void => fail(new CancelledError());
    const onError = (error: Error): void => refuse(socketReason(error), error);
    const onConnect = (): void => {
      settle();
      resolve(socket);
    };
    const timer = clock.setTimer(connectTimeoutMs, () =>
      refuse(`no connection within ${connectTimeoutMs / 1000} s`),
    );
    signal?.addEventListener('abort', cancel, { once: true });
    socket.once('error', onError);
    socket.once('connect', onConnect);
  });
}
