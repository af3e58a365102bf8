import type { Random } from '../../base/random.ts';

interface AssignmentOptions {
  readonly brokers: readonly number[];
  readonly count: number;
  readonly factor: number;
  readonly random: Random;
}

/**
 * Spreads leaders and replicas evenly: leaders go round the brokers from a random start, and followers
 * shift by one more each time round. [StripedReplicaPlacer]
 */
export function assignReplicas({ brokers, count, factor, random }: AssignmentOptions): number[][] {
  const start = random.below(brokers.length);
  let shift = random.below(brokers.length);
  return Array.from({ length: count }, (_, partition) => {
    if (partition > 0 && partition % brokers.length === 0) shift++;
    const first = (start + partition) % brokers.length;
    return Array.from({ length: factor }, (_replica, index) => {
      const step = index === 0 ? 0 : 1 + ((shift + index - 1) % Math.max(1, brokers.length - 1));
      return brokers[(first + step) % brokers.length] ?? -1;
    });
  });
}
