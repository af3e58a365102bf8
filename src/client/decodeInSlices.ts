import type { Clock } from '../base/clock.ts';
import { Slices } from '../base/slices.ts';
import { type ApiName, apis } from '../protocol/apis.ts';
import { decodeResponseInSteps } from '../protocol/frames.ts';

/**
 * The body of a response, read in slices between which others have their turns: one about ten thousand topics takes
 * longer than a turn of the event loop should. Rejects with a ProtocolError for anything malformed.
 */
export async function decodeInSlices(
  api: ApiName,
  version: number,
  frame: Buffer,
  clock: Clock,
): Promise<unknown> {
  const slices = new Slices(clock);
  const steps = decodeResponseInSteps(apis[api], version, frame);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (slices.isOver) await slices.pause();
  }
}
