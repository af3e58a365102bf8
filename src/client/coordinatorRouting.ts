import type { KafkaClient } from './kafkaClient.ts';
import { throwIfCancelled } from './kafkaError.ts';
import { chunked, mapBounded, type Outcome } from './outcome.ts';
import type { CallOptions } from './request.ts';

export interface GroupRef {
  readonly groupId: string;
}

/** Groups of one coordinator, as many as one request is to be about. */
export interface GroupBatch<G extends GroupRef> {
  readonly coordinator: number;
  readonly batch: readonly G[];
}

export type AskCoordinator<G extends GroupRef, T> = (
  batch: GroupBatch<G>,
  call: CallOptions,
) => Promise<Map<string, Outcome<T>>>;

export interface PerCoordinatorOptions extends CallOptions {
  readonly groupsInOneRequest: number;
}

const concurrentRequests = 8;

/**
 * Asks the coordinators of groups about those they coordinate, once, some in a request. A group that fails is an error
 * beside the rest, whose coordinator is asked for anew the next time.
 */
export async function perCoordinator<G extends GroupRef, T>(
  client: KafkaClient,
  groups: readonly G[],
  ask: AskCoordinator<G, T>,
  { groupsInOneRequest, ...call }: PerCoordinatorOptions,
): Promise<Map<string, Outcome<T>>> {
  const outcomes = new Map<string, Outcome<T>>();
  const ids = groups.map(({ groupId }) => groupId);
  const nodes = await client.coordinators.of(ids, call);
  const batches: GroupBatch<G>[] = [];
  for (const [node, theirs] of Map.groupBy(groups, ({ groupId }) => nodes.get(groupId))) {
    if (typeof node === 'number') {
      const parts = chunked(theirs, groupsInOneRequest);
      batches.push(...parts.map((batch) => ({ coordinator: node, batch })));
    } else if (node) {
      for (const { groupId } of theirs) outcomes.set(groupId, { error: node });
    }
  }
  await mapBounded(batches, concurrentRequests, async (batch) => {
    try {
      for (const [groupId, outcome] of await ask(batch, call)) outcomes.set(groupId, outcome);
    } catch (error) {
      throwIfCancelled(call.signal);
      for (const { groupId } of batch.batch) outcomes.set(groupId, { error: error as Error });
    }
  });
  for (const [groupId, outcome] of outcomes) {
    if ('error' in outcome) client.coordinators.forget(groupId);
  }
  return outcomes;
}
