import { once } from 'node:events';
import { withControl } from './controlCaller.ts';

/** Asks the cluster of a data directory to stop, and waits until it has. Rejects where there is none. */
export async function stopCluster(dataDir: string): Promise<void> {
  await withControl(dataDir, async (channel, { socket, signal }) => {
    const ended = once(socket, 'close', { signal });
    await channel.call('stop', {}, signal);
    await ended;
  });
}
