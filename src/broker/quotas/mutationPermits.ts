import type { RequestContext } from '../handler.ts';

/** Why a topic is not made, changed or deleted now. */
export const tooManyMutations = 'The throttling quota has been exceeded.';

/**
 * Asks topic by topic whether so many partitions may be made or deleted now. Clients of old do not know the error:
 * they are throttled afterwards. [ControllerMutationQuota, KIP-599]
 */
export function mutationPermits(
  { node, quotaClient, apiVersion, throttle }: RequestContext,
  firstVersionWithError: number,
): (partitions: number) => boolean {
  const isStrict = apiVersion >= firstVersionWithError;
  return (partitions) => {
    const forMs = node.quotas.takePermits(quotaClient, partitions, isStrict);
    throttle(forMs);
    return forMs === 0 || !isStrict;
  };
}
