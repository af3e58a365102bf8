import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Channel } from '../../shared/channel.ts';
import { controlBroker, controlClient } from '../../shared/contracts/control.ts';
import { socketTransport } from '../../shared/socketTransport.ts';
import { DataDirectoryError, readLock } from './lockFile.ts';

export type ControlChannel = Channel<typeof controlClient, typeof controlBroker>;

interface Connection {
  readonly socket: Socket;
  /** Aborts when an answer has been waited for long enough. */
  readonly signal: AbortSignal;
}

const deadlineMs = 10_000;

/**
 * Speaks to the cluster of a data directory as an observer, which keeps nothing running. Rejects with a
 * DataDirectoryError where there is none.
 */
export async function withControl<T>(
  dataDir: string,
  speak: (channel: ControlChannel, connection: Connection) => Promise<T>,
): Promise<T> {
  const lock = await readLock(dataDir);
  if (!lock) throw nobodyIn(dataDir);
  const socket = connect(lock.control);
  const signal = AbortSignal.timeout(deadlineMs);
  await once(socket, 'connect', { signal }).catch((error: unknown) => {
    throw isNobody(error) ? nobodyIn(dataDir) : error;
  });
  socket.on('error', () => undefined);
  const channel: ControlChannel = new Channel({
    transport: socketTransport(socket, () => undefined),
    serves: controlClient,
    calls: controlBroker,
    handlers: { stopping: () => undefined, status: () => undefined },
    onInvalid: () => undefined,
  });
  try {
    await channel.call('hello', { token: lock.token, role: 'observer' }, signal);
    return await speak(channel, { socket, signal });
  } finally {
    channel.dispose();
    socket.destroy();
  }
}

function nobodyIn(dataDir: string): DataDirectoryError {
  return new DataDirectoryError(`no cluster runs in ${dataDir}; --data-dir names where one does`);
}

/** A process that was killed leaves its lock file. */
function isNobody(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ECONNREFUSED' || code === 'ENOENT';
}
