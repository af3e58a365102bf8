// Kafka says that it has started before it can lead a group: the topics behind its coordinators are made when they are
// first asked for, and are then loaded partition by partition. Clients differ in how long they bear with that.
import { setTimeout as sleep } from 'node:timers/promises';
import { RawClient } from '../../wire/broker/support/rawClient.ts';

const patienceMs = 60_000;

/** COORDINATOR_LOAD_IN_PROGRESS, COORDINATOR_NOT_AVAILABLE, NOT_COORDINATOR. */
const notYet: ReadonlySet<number> = new Set([14, 15, 16]);

/** Names enough to meet each of fifty partitions. */
export const namesOfEachPartition = Array.from({ length: 200 }, (_, i) => `warm-up-${i}`);

/** Resolves when groups and transactions of any name have a coordinator. No group or transaction comes of it. */
export async function untilCoordinating(bootstrap: string): Promise<void> {
  const client = await RawClient.open(bootstrap);
  const deadline = performance.now() + patienceMs;
  while (!(await isCoordinating(client))) {
    if (performance.now() > deadline)
      throw new Error(`${bootstrap} does not coordinate groups after ${patienceMs} ms`);
    await sleep(100);
  }
  client.close();
}

async function isCoordinating(client: RawClient): Promise<boolean> {
  const coordinatorKeys = namesOfEachPartition.slice(0, 1);
  for (const keyType of [0, 1])
    await client.call('findCoordinator', 4, { keyType, coordinatorKeys });
  const { groups } = await client.call('describeGroups', 5, { groups: namesOfEachPartition });
  const { transactionStates } = await client.call('describeTransactions', 0, {
    transactionalIds: namesOfEachPartition,
  });
  return [...groups, ...transactionStates].every(({ errorCode }) => !notYet.has(errorCode));
}
