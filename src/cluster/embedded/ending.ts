/** How the process of the embedded cluster ends. */
import type { Clock } from '../../base/clock.ts';
import { isAlive } from './embeddedControl.ts';
import { polled } from './polling.ts';

/** Waits for it so long. */
export async function hasEnded(clock: Clock, pid: number, timeoutMs: number): Promise<boolean> {
  return (await polled({ clock, timeoutMs }, () => (isAlive(pid) ? undefined : true))) === true;
}

export function endByForce(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself meanwhile.
  }
}
