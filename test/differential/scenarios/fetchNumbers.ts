// What a fetch can say in numbers that mean nothing, or that no consumer sends.
import type { RequestInput } from '../../wire/broker/support/rawClient.ts';
import { batchOf, fetchFrom, produce } from '../support/requests.ts';
import type { Run, Scenarios } from '../support/run.ts';
import { add, begin, sendOf } from '../support/transactionRequests.ts';

const someVersions = [4, 7, 12, 13, 18];
const readCommitted = 1;

async function askAt(
  run: Run,
  versions: readonly number[],
  label: string,
  bodyOf: (version: number) => RequestInput<'fetch'>,
): Promise<void> {
  for (const version of versions) await run.ask('fetch', version, bodyOf(version), { label });
}

const asReplica = (replicaId: number, version: number): RequestInput<'fetch'> =>
  version < 15 ? { replicaId } : { replicaState: { replicaId, replicaEpoch: -1n } };

export const fetchNumberScenarios: Scenarios = {
  async 'levels of isolation that do not exist'(run) {
    const topic = await run.topic();
    await produce(run, topic, batchOf(['a']));
    for (const isolationLevel of [2, -1])
      await askAt(run, someVersions, `${isolationLevel}`, (version) =>
        fetchFrom(topic, version, { isolationLevel }),
      );
    const ghost = { name: run.fresh('ghost'), id: 'dW5rbm93bnVua25vd251bg' };
    await askAt(run, someVersions, 'where nothing is to be read', (version) =>
      fetchFrom(ghost, version, { isolationLevel: 2 }),
    );
    const partitions = [{ partitionIndex: 0, timestamp: -1n }];
    const topics = [{ name: topic.name, partitions }];
    for (const version of [2, run.latest('listOffsets')])
      await run.ask('listOffsets', version, { replicaId: -1, isolationLevel: 2, topics });
  },

  async 'sizes below nothing'(run) {
    const topic = await run.topic();
    await produce(run, topic, batchOf(['a']));
    for (const fetchOffset of [0n, 1n, 9n]) {
      const label = `at ${fetchOffset}`;
      await askAt(run, someVersions, `${label}, of all`, (version) =>
        fetchFrom(topic, version, { fetchOffset, maxBytes: -1 }),
      );
      await askAt(run, someVersions, `${label}, of the partition`, (version) =>
        fetchFrom(topic, version, { fetchOffset, partitionMaxBytes: -1 }),
      );
    }
    await askAt(run, someVersions, 'a least size', (version) =>
      fetchFrom(topic, version, { minBytes: -1, fetchOffset: 1n }),
    );
  },

  async 'epochs below nothing'(run) {
    const topic = await run.topic();
    await produce(run, topic, batchOf(['a']));
    await askAt(run, [9, 12, 18], "the leader's", (version) =>
      fetchFrom(topic, version, { currentLeaderEpoch: -2 }),
    );
    await askAt(run, [12, 18], 'that of the last record', (version) =>
      fetchFrom(topic, version, { lastFetchedEpoch: -2 }),
    );
  },

  async 'followers that know an epoch'(run) {
    const topic = await run.topic();
    await produce(run, topic, batchOf(['a']));
    for (const replicaId of [1, 7])
      for (const currentLeaderEpoch of [-1, 0, 1])
        await askAt(run, [9, 14, 15, 18], `${replicaId} in ${currentLeaderEpoch}`, (version) => ({
          ...fetchFrom(topic, version, { currentLeaderEpoch }),
          ...asReplica(replicaId, version),
        }));
  },

  async 'who is no consumer reads to the end, also of an open transaction'(run) {
    const topic = await run.topic();
    await produce(run, topic, batchOf(['a']));
    const identity = await begin(run);
    await add(run, identity, topic);
    await run.prepare('produce', 9, sendOf(identity, topic, 9));
    for (const replicaId of [-1, -2, -3])
      for (const isolationLevel of [0, readCommitted])
        await askAt(run, someVersions, `${replicaId} at ${isolationLevel}`, (version) => ({
          ...fetchFrom(topic, version, { isolationLevel }),
          ...asReplica(replicaId, version),
        }));
  },

  async 'no aborted transactions are told where nothing was read'(run) {
    const topic = await run.topic({ partitions: 2 });
    for (const index of [0, 1]) await produce(run, topic, batchOf(['a', 'b']), index);
    const isolationLevel = readCommitted;
    await askAt(run, [12, 18], 'logs that diverge', (version) =>
      fetchFrom(topic, version, { isolationLevel, lastFetchedEpoch: 0, fetchOffset: 7n }),
    );
    const second = { partition: 1, fetchOffset: 0n, partitionMaxBytes: 1 };
    await askAt(run, someVersions, 'a batch that is cut off', (version) => {
      const request = fetchFrom(topic, version, { isolationLevel });
      const [asked] = request.topics ?? [];
      const partitions = [...(asked?.partitions ?? []), second];
      return { ...request, topics: [{ ...asked, partitions }] };
    });
  },
};
