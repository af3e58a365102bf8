import type { Clock } from '../../base/clock.ts';
import { sleep } from '../../client/waiting.ts';

const pollMs = 50;

interface Polling {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** Asks every 50 ms, and once more at the end, until there is an answer; undefined where none came in time. */
export async function polled<T>(
  { clock, timeoutMs, signal }: Polling,
  ask: () => T | undefined | Promise<T | undefined>,
): Promise<T | undefined> {
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const answer = await ask();
    if (answer !== undefined || waitedMs >= timeoutMs) return answer;
    await sleep(clock, pollMs, signal);
  }
}
