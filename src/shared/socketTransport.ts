import type { Socket } from 'node:net';
import type { Transport } from './channel.ts';

const sizeBytes = 4;
/** The largest message either side takes. */
export const maxMessageBytes = 1 << 20;
/** A peer that leaves this much unread is given up: it would cost memory without end. */
const maxUnreadBytes = 8 << 20;

/**
 * Carries a channel's messages over a local socket: a 4-byte size, then JSON in UTF-8. The socket is destroyed
 * when the peer sends something else or more than `maxMessageBytes`; `onInvalid` is told why. The caller
 * disposes the channel on the socket's `close`, and listens for its `error`.
 */
export function socketTransport(socket: Socket, onInvalid: (problem: string) => void): Transport {
  const giveUp = (problem: string): void => {
    onInvalid(problem);
    socket.destroy();
  };
  return {
    send(message) {
      if (!socket.writable) return;
      const body = Buffer.from(JSON.stringify(message));
      if (body.length > maxMessageBytes) {
        throw new RangeError(`a message of ${body.length} bytes; at most ${maxMessageBytes} go`);
      }
      const size = Buffer.allocUnsafe(sizeBytes);
      size.writeUInt32BE(body.length);
      socket.write(Buffer.concat([size, body]));
      if (socket.writableLength > maxUnreadBytes) giveUp('a peer that does not read');
    },
    listen(receive) {
      let pending: Buffer = Buffer.alloc(0);
      const onData = (chunk: Buffer): void => {
        pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
        while (pending.length >= sizeBytes && !socket.destroyed) {
          const size = pending.readUInt32BE();
          if (size > maxMessageBytes) {
            giveUp(`a message of ${size} bytes`);
            return;
          }
          if (pending.length < sizeBytes + size) return;
          const body = pending.subarray(sizeBytes, sizeBytes + size);
          pending = pending.subarray(sizeBytes + size);
          const message = parsed(body);
          if (message === undefined) {
            giveUp('a message that is not JSON');
            return;
          }
          receive(message.value);
        }
      };
      socket.on('data', onData);
      return () => socket.off('data', onData);
    },
  };
}

function parsed(body: Buffer): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(body.toString('utf8')) };
  } catch {
    return undefined;
  }
}
