// What a fetch can say in numbers that mean nothing, or that no consumer sends.
import type { RequestInput } from '../../wire/broker/support/rawClient.ts';
import { batchOf, fetchFrom, produce } from '../support/requests.ts';
import type { Run, Scenarios, Topic } from '../support/run.ts';
import { add, begin, end, sendOf } from '../support/transactionRequests.ts';

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

/** Twelve transactions of one batch, beside which stands another; two of three are aborted, and one stays open. */
async function abortMany(run: Run, topic: Topic, size: number): Promise<void> {
  const value = 'v'.repeat(size);
  for (let n = 0; n < 12; n++) {
    const identity = await begin(run);
    await add(run, identity, topic);
    await run.prepare('produce', 9, sendOf(identity, topic, 9, { value }));
    await produce(run, topic, batchOf([value]));
    if (n < 11) await end(run, identity, n % 3 === 0);
  }
}

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

  async 'a size of all below nothing is refused for the first partition only'(run) {
    const topic = await run.topic({ partitions: 2 });
    for (const index of [0, 1]) await produce(run, topic, batchOf(['a']), index);
    await askAt(run, someVersions, '', (version) => {
      const request = fetchFrom(topic, version, { maxBytes: -1 });
      const [asked] = request.topics ?? [];
      const partitions = [0, 1].map((partition) => ({ partition, partitionMaxBytes: 500 }));
      return { ...request, topics: [{ ...asked, partitions }] };
    });
  },

  async 'a batch that is cut off counts against what others may have'(run) {
    const topic = await run.topic({ partitions: 3 });
    for (const [index, size] of [300, 20, 20].entries())
      for (let n = 0; n < 2; n++) await produce(run, topic, batchOf(['a'.repeat(size)]), index);
    const isolationLevel = readCommitted;
    for (const maxBytes of [369, 400, 500, 700, 800, 850])
      for (const first of [0, 1])
        await askAt(run, someVersions, `${maxBytes} from ${first}`, (version) => {
          const request = fetchFrom(topic, version, { isolationLevel, maxBytes });
          const [asked] = request.topics ?? [];
          const order = first === 0 ? [0, 1, 2] : [1, 0, 2];
          const partitions = order.map((partition) => ({ partition, partitionMaxBytes: 500 }));
          return { ...request, topics: [{ ...asked, partitions }] };
        });
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

  async 'aborted transactions are told up to the next entry of the offset index'(run) {
    for (const interval of ['0', '300', '4096']) {
      const topic = await run.topic({ configs: { 'index.interval.bytes': interval } });
      await abortMany(run, topic, 1000);
      for (const fetchOffset of [0n, 1n, 4n, 9n, 17n, 35n, 36n])
        for (const bytes of [0, 1, 1100, 1300, 5000, 20_000])
          await askAt(run, [11, 18], `${bytes} from ${fetchOffset}`, (version) =>
            fetchFrom(topic, version, {
              isolationLevel: readCommitted,
              fetchOffset,
              maxBytes: bytes,
            }),
          );
    }
  },

  async 'aborted transactions are told up to the next segment'(run) {
    const configs = { 'segment.bytes': `${1 << 20}`, 'index.interval.bytes': '500000' };
    const topic = await run.topic({ configs });
    await abortMany(run, topic, 200_000);
    for (const fetchOffset of [0n, 3n, 9n, 12n, 18n, 30n])
      for (const maxBytes of [1, 300_000, 700_000, 3_000_000])
        await askAt(run, [18], `${maxBytes} from ${fetchOffset}`, (version) =>
          fetchFrom(topic, version, { isolationLevel: readCommitted, fetchOffset, maxBytes }),
        );
  },
};
