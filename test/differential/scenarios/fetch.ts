// Fetch without sessions.
import { zeroUuid } from '../../../src/protocol/schema.ts';
import type { Run, Scenarios, Topic } from '../support/run.ts';
import { batchOf, fetchFrom, produce, unknownTopicId } from '../support/requests.ts';

async function filled(run: Run, configs: Record<string, string> = {}): Promise<Topic> {
  const topic = await run.topic({ partitions: 2, configs });
  await produce(run, topic, batchOf(['a', 'b', 'c']));
  await produce(run, topic, batchOf(['d'], { compression: 'gzip' }));
  await produce(run, topic, batchOf(['e', 'f']));
  await produce(run, topic, batchOf(['x']), 1);
  return topic;
}

const since = (run: Run, first: number) =>
  run.versions('fetch').filter((version) => version >= first);

export const fetchScenarios: Scenarios = {
  async 'records at every version, from every offset'(run) {
    const topic = await filled(run);
    for (const fetchOffset of [0n, 1n, 3n, 4n, 5n, 6n])
      await run.each(
        'fetch',
        (version) => fetchFrom(topic, version, { fetchOffset }),
        `${fetchOffset}`,
      );
  },

  async 'offsets out of range'(run) {
    const topic = await filled(run);
    for (const fetchOffset of [7n, 1000n, -1n, -5n])
      await run.each(
        'fetch',
        (version) => fetchFrom(topic, version, { fetchOffset }),
        `${fetchOffset}`,
      );
  },

  async 'before the start of the log'(run) {
    const topic = await filled(run);
    const topics = [{ name: topic.name, partitions: [{ partitionIndex: 0, offset: 4n }] }];
    await run.last('deleteRecords', { topics, timeoutMs: 10_000 });
    for (const fetchOffset of [0n, 3n, 4n])
      await run.each(
        'fetch',
        (version) => fetchFrom(topic, version, { fetchOffset }),
        `${fetchOffset}`,
      );
  },

  async 'size limits'(run) {
    const topic = await filled(run);
    for (const bytes of [0, 1, 80, 100, 160, 1000])
      for (const version of [4, 11, run.latest('fetch')]) {
        await run.ask('fetch', version, fetchFrom(topic, version, { maxBytes: bytes }));
        await run.ask('fetch', version, fetchFrom(topic, version, { partitionMaxBytes: bytes }));
      }
  },

  async 'several partitions, the first over the limit'(run) {
    const { name, id } = await filled(run);
    await run.each('fetch', (version) => ({
      maxWaitMs: 0,
      minBytes: 1,
      maxBytes: 10_000,
      sessionEpoch: -1,
      topics: [
        {
          ...(version >= 13 ? { topicId: id } : { topic: name }),
          partitions: [1, 0, 7].map((partition) => ({
            partition,
            fetchOffset: 0n,
            partitionMaxBytes: 10,
          })),
        },
      ],
    }));
  },

  async 'topics and partitions that are not there'(run) {
    const topic = await filled(run);
    const unknown = { name: run.fresh(), id: unknownTopicId };
    await run.each('fetch', (version) => fetchFrom(unknown, version));
    for (const partition of [2, -1])
      await run.each(
        'fetch',
        (version) => fetchFrom(topic, version, { partition }),
        `${partition}`,
      );
    for (const name of ['', 'a b'])
      await run.ask('fetch', 11, fetchFrom({ name, id: '' }, 11), { label: name });
  },

  async 'topics whose id is zero'(run) {
    const topic = await filled(run);
    const [zero, ghost] = [zeroUuid, unknownTopicId];
    const asked: Readonly<Record<string, readonly (readonly [string, readonly number[]])[]>> = {
      'one partition': [[zero, [0]]],
      'one partition twice': [[zero, [0, 0]]],
      'two partitions': [[zero, [0, 1]]],
      'named twice': [
        [zero, [0]],
        [zero, [1]],
      ],
      'before another unknown one': [
        [zero, [0]],
        [ghost, [0]],
      ],
      'after another unknown one': [
        [ghost, [0]],
        [zero, [0]],
      ],
      'beside a known one': [
        [zero, [0]],
        [topic.id, [0]],
      ],
      'beside a partition that is not there': [
        [zero, [0]],
        [topic.id, [0, 9]],
      ],
    };
    for (const [label, topics] of Object.entries(asked))
      for (const version of since(run, 13))
        await run.ask(
          'fetch',
          version,
          {
            ...fetchFrom(topic, version),
            topics: topics.map(([topicId, partitions]) => ({
              topicId,
              partitions: partitions.map((partition) => ({
                partition,
                fetchOffset: 0n,
                partitionMaxBytes: 1000,
              })),
            })),
          },
          { label },
        );
  },

  async 'leader epochs'(run) {
    const topic = await filled(run);
    for (const currentLeaderEpoch of [0, 1, 5])
      for (const version of since(run, 9))
        await run.ask('fetch', version, fetchFrom(topic, version, { currentLeaderEpoch }), {
          label: `${currentLeaderEpoch}`,
        });
    for (const lastFetchedEpoch of [0, 1, 7])
      for (const fetchOffset of [0n, 3n, 6n])
        for (const version of since(run, 12))
          await run.ask(
            'fetch',
            version,
            fetchFrom(topic, version, { lastFetchedEpoch, fetchOffset }),
            { label: `${lastFetchedEpoch} at ${fetchOffset}` },
          );
  },

  async 'read_committed where there are no transactions'(run) {
    const topic = await filled(run);
    await run.each('fetch', (version) => fetchFrom(topic, version, { isolationLevel: 1 }));
  },

  async 'waiting for bytes that do not come'(run) {
    const topic = await filled(run);
    const late = { fetchOffset: 6n, maxWaitMs: 100, minBytes: 1 };
    await run.each('fetch', (version) => fetchFrom(topic, version, late));
    const more = { maxWaitMs: 100, minBytes: 1_000_000 };
    await run.each('fetch', (version) => fetchFrom(topic, version, more));
  },

  async 'waking up when records come'(run) {
    const topic = await filled(run);
    const waiting = await run.connect();
    const late = { fetchOffset: 6n, maxWaitMs: 10_000, minBytes: 1 };
    const version = run.latest('fetch');
    const answer = run.ask('fetch', version, fetchFrom(topic, version, late), { on: waiting });
    await produce(run, topic, batchOf(['g']));
    await answer;
  },

  async 'a request for nothing'(run) {
    await run.each('fetch', () => ({ maxWaitMs: 0, minBytes: 1, topics: [], sessionEpoch: -1 }));
  },

  async 'followers that there are not'(run) {
    const topic = await filled(run);
    for (const version of [4, 11, 14])
      for (const replicaId of [1, 2, -2])
        await run.ask(
          'fetch',
          version,
          { ...fetchFrom(topic, version), replicaId },
          { label: `${replicaId}` },
        );
  },
};
