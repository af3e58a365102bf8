import type { Transport } from '../../shared/channel.ts';

/** Either end of a worker's message port. */
export interface Port {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  off(event: 'message', listener: (message: unknown) => void): unknown;
}

/** Carries a channel between a worker and the thread that started it. */
export function portTransport(port: Port): Transport {
  return {
    send: (message) => port.postMessage(message),
    listen: (receive) => {
      port.on('message', receive);
      return () => port.off('message', receive);
    },
  };
}
