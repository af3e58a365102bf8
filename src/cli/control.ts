import path from 'node:path';
import { withControl } from '../broker/control/controlCaller.ts';
import type { MaintenanceTask } from '../shared/maintenance.ts';
import { formatDuration } from './duration.ts';

/** Moves the clock of the cluster that runs in a directory, or only tells it; in a line of words. */
export function clock(dataDir: string, byMs: number): Promise<string> {
  return withControl(path.resolve(dataDir), async (channel, { signal }) => {
    const { nowMs, clockAheadMs } = await channel.call('advanceClock', { byMs }, signal);
    const ahead =
      clockAheadMs === 0
        ? "as the machine's"
        : `${formatDuration(clockAheadMs)} ahead of the machine's`;
    return `the cluster's clock is at ${new Date(nowMs).toISOString()}, ${ahead}\n`;
  });
}

/** Runs maintenance in the cluster of a directory; a line of words a task. */
export function maintain(dataDir: string, tasks: readonly MaintenanceTask[]): Promise<string> {
  return withControl(path.resolve(dataDir), async (channel) => {
    const { done } = await channel.call('runMaintenance', { tasks: [...tasks] });
    return done.map(({ task, summary }) => `${task}: ${summary}\n`).join('');
  });
}
