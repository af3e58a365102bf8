/** How the process of the embedded cluster ends. */
import type { Clock } from '../../base/clock.ts';
import { sleep } from '../../client/waiting.ts';
import { isAlive } from './embeddedControl.ts';

const pollMs = 50;

/** Waits for it so long. */
export async function hasEnded(clock: Clock, pid: number, timeoutMs: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs += pollMs) {
    if (!isAlive(pid)) return true;
    await sleep(clock, pollMs);
  }
  return !isAlive(pid);
}

export function endByForce(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself meanwhile.
  }
}
