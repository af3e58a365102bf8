// ListOffsets, OffsetForLeaderEpoch, DeleteRecords.
import type { RequestInput } from '../../wire/broker/support/rawClient.ts';
import type { Run, Scenarios, Topic } from '../support/run.ts';
import { batchOf, longAgo, produce } from '../support/requests.ts';

async function filled(run: Run, configs: Record<string, string> = {}): Promise<Topic> {
  const topic = await run.topic({ configs });
  const at = (...offsets: bigint[]) =>
    batchOf(offsets.map((offset) => ({ timestamp: longAgo + offset, value: Buffer.from('v') })));
  await produce(run, topic, at(0n, 10n, 5n));
  await produce(run, topic, at(30n, 20n));
  await produce(run, topic, at(25n));
  return topic;
}

const listOf = (
  name: string,
  version: number,
  partition: NonNullable<
    NonNullable<RequestInput<'listOffsets'>['topics']>[number]['partitions']
  >[number],
  isolationLevel = 0,
): RequestInput<'listOffsets'> => ({
  replicaId: -1,
  ...(version >= 2 && { isolationLevel }),
  topics: [{ name, partitions: [{ partitionIndex: 0, ...partition }] }],
});

const deleteOf = (
  name: string,
  offset: bigint,
  partitionIndex = 0,
): RequestInput<'deleteRecords'> => ({
  topics: [{ name, partitions: [{ partitionIndex, offset }] }],
  timeoutMs: 10_000,
});

const epochOf = (
  topic: string,
  partition: { partition?: number; currentLeaderEpoch?: number; leaderEpoch: number },
): RequestInput<'offsetForLeaderEpoch'> => ({
  topics: [{ topic, partitions: [{ partition: 0, ...partition }] }],
});

export const offsetScenarios: Scenarios = {
  async 'ListOffsets by time'(run) {
    const { name } = await filled(run);
    for (const after of [-100n, 0n, 1n, 6n, 11n, 25n, 30n, 31n])
      await run.each(
        'listOffsets',
        (version) => listOf(name, version, { timestamp: longAgo + after }),
        `${after}`,
      );
    await run.each('listOffsets', (version) => listOf(name, version, { timestamp: 0n }));
  },

  async 'ListOffsets by its special times'(run) {
    const { name } = await filled(run);
    for (const timestamp of [-1n, -2n, -3n, -4n, -5n, -6n, -7n, -100n])
      await run.each(
        'listOffsets',
        (version) => listOf(name, version, { timestamp }),
        `${timestamp}`,
      );
  },

  async 'ListOffsets of an empty log'(run) {
    const { name } = await run.topic();
    for (const timestamp of [-1n, -2n, -3n, longAgo])
      await run.each(
        'listOffsets',
        (version) => listOf(name, version, { timestamp }),
        `${timestamp}`,
      );
  },

  async 'ListOffsets where the start has moved'(run) {
    const { name } = await filled(run);
    await run.last('deleteRecords', deleteOf(name, 4n));
    for (const timestamp of [-1n, -2n, -3n, -4n, longAgo, longAgo + 20n, longAgo + 26n])
      await run.each(
        'listOffsets',
        (version) => listOf(name, version, { timestamp }),
        `${timestamp}`,
      );
  },

  async 'ListOffsets read_committed'(run) {
    const { name } = await filled(run);
    for (const timestamp of [-1n, -2n, longAgo, longAgo + 26n])
      await run.each(
        'listOffsets',
        (version) => listOf(name, version, { timestamp }, 1),
        `${timestamp}`,
      );
  },

  async 'ListOffsets of what is not there, and twice the same'(run) {
    const { name } = await filled(run);
    await run.each('listOffsets', (version) => listOf(run.fresh(), version, { timestamp: -1n }));
    for (const partitionIndex of [1, -1])
      await run.each('listOffsets', (version) =>
        listOf(name, version, { partitionIndex, timestamp: -1n }),
      );
    for (const bad of ['', 'a b'])
      await run.each('listOffsets', (version) => listOf(bad, version, { timestamp: -1n }), bad);
    const partitions = [0, 0].map((partitionIndex) => ({ partitionIndex, timestamp: -1n }));
    await run.each(
      'listOffsets',
      () => ({ replicaId: -1, topics: [{ name, partitions }] }),
      'twice',
    );
    await run.each('listOffsets', () => ({ replicaId: -1, topics: [] }), 'none');
  },

  async 'ListOffsets with leader epochs'(run) {
    const { name } = await filled(run);
    for (const currentLeaderEpoch of [0, 1, 5])
      for (const version of run.versions('listOffsets').filter((each) => each >= 4))
        await run.ask(
          'listOffsets',
          version,
          listOf(name, version, { currentLeaderEpoch, timestamp: -1n }),
        );
  },

  async 'ListOffsets with leader epochs, by who also asks followers'(run) {
    const { name } = await filled(run);
    for (const currentLeaderEpoch of [-1, 0, 1])
      await run.last('listOffsets', {
        ...listOf(name, run.latest('listOffsets'), { currentLeaderEpoch, timestamp: -1n }),
        replicaId: -2,
      });
  },

  async 'ListOffsets of records without a time'(run) {
    const topic = await run.topic();
    const timeless = { timestamp: -1n, value: Buffer.from('a') };
    for (const records of [[timeless, timeless], [timeless]]) {
      await produce(run, topic, batchOf(records));
      for (const timestamp of [-3n, 0n, longAgo])
        await run.last(
          'listOffsets',
          listOf(topic.name, run.latest('listOffsets'), { timestamp }),
          { label: String(timestamp) },
        );
    }
    await produce(run, topic, batchOf(['b']));
    await run.last(
      'listOffsets',
      listOf(topic.name, run.latest('listOffsets'), { timestamp: -3n }),
    );
  },

  async OffsetForLeaderEpoch(run) {
    const { name } = await filled(run);
    for (const leaderEpoch of [0, 1, 7, -1])
      await run.each(
        'offsetForLeaderEpoch',
        () => epochOf(name, { leaderEpoch }),
        `${leaderEpoch}`,
      );
    for (const currentLeaderEpoch of [0, 1, 9])
      await run.each('offsetForLeaderEpoch', () =>
        epochOf(name, { currentLeaderEpoch, leaderEpoch: 0 }),
      );
    await run.each('offsetForLeaderEpoch', () => epochOf(run.fresh(), { leaderEpoch: 0 }));
    await run.each('offsetForLeaderEpoch', () => epochOf(name, { partition: 4, leaderEpoch: 0 }));
    await run.each('offsetForLeaderEpoch', () => ({ topics: [] }));
  },

  async DeleteRecords(run) {
    for (const offset of [0n, 1n, 3n, 6n, -1n])
      await run.each(
        'deleteRecords',
        async () => deleteOf((await filled(run)).name, offset),
        `${offset}`,
      );
    const { name } = await filled(run);
    for (const offset of [4n, 2n, 4n, 6n, 6n])
      await run.last('deleteRecords', deleteOf(name, offset), { label: `${offset}` });
  },

  async 'DeleteRecords refuses'(run) {
    const { name } = await filled(run);
    for (const offset of [7n, 100n, -2n])
      await run.each('deleteRecords', () => deleteOf(name, offset), `${offset}`);
    await run.each('deleteRecords', () => deleteOf(run.fresh(), 0n));
    await run.each('deleteRecords', () => deleteOf(name, 0n, 4));
    const compacted = await run.topic({ configs: { 'cleanup.policy': 'compact' } });
    await run.each('deleteRecords', () => deleteOf(compacted.name, 0n), 'compacted');
    const both = await run.topic({ configs: { 'cleanup.policy': 'compact,delete' } });
    await run.each('deleteRecords', () => deleteOf(both.name, 0n), 'compacted and deleted');
    await run.each('deleteRecords', () => deleteOf('__consumer_offsets', 0n), 'internal');
    await run.each('deleteRecords', () => ({ topics: [], timeoutMs: 1000 }));
  },
};
