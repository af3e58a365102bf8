import { once } from 'node:events';
import { connect } from 'node:net';
import { Channel } from '../../shared/channel.ts';
import { controlBroker, controlClient } from '../../shared/contracts/control.ts';
import { socketTransport } from '../../shared/socketTransport.ts';
import { DataDirectoryError, readLock } from './lockFile.ts';

const deadlineMs = 10_000;

/** Asks the cluster of a data directory to stop, and waits until it has. Rejects where there is none. */
export async function stopCluster(dataDir: string): Promise<void> {
  const lock = await readLock(dataDir);
  if (!lock) throw new DataDirectoryError(`no cluster runs in ${dataDir}`);
  const socket = connect(lock.control);
  const signal = AbortSignal.timeout(deadlineMs);
  await once(socket, 'connect', { signal });
  socket.on('error', () => undefined);
  const ended = once(socket, 'close', { signal });
  const channel = new Channel({
    transport: socketTransport(socket, () => undefined),
    serves: controlClient,
    calls: controlBroker,
    handlers: { stopping: () => undefined, status: () => undefined },
    onInvalid: () => undefined,
  });
  try {
    await channel.call('hello', { token: lock.token, role: 'observer' }, signal);
    await channel.call('stop', {}, signal);
    await ended;
  } finally {
    channel.dispose();
    socket.destroy();
  }
}
