// What comes first where more than one thing is wrong, and what becomes of a request without time.
import { batchOf, createOf, longAgo, produceTo } from '../support/requests.ts';
import type { Run, Scenarios } from '../support/run.ts';

const set = 0;
const append = 2;
const topicType = 2;
const noTime = [0, -1];

async function createAt(
  run: Run,
  label: string,
  bodyOf: () => Parameters<typeof createOf>,
): Promise<void> {
  await run.each('createTopics', () => createOf(...bodyOf()), label);
}

export const adminOrderScenarios: Scenarios = {
  async 'a topic that is there, or cannot be, with configs that are not right'(run) {
    const { name } = await run.topic();
    const bogus = [{ name: 'bogus', value: '1' }];
    const empty = [{ name: 'retention.ms', value: null }];
    for (const [label, configs] of [
      ['bogus', bogus],
      ['empty', empty],
    ] as const) {
      await createAt(run, `there, ${label}`, () => [name, { configs }]);
      await createAt(run, `no partitions, ${label}`, () => [
        run.fresh(),
        { configs, numPartitions: 0 },
      ]);
      await createAt(run, `too many replicas, ${label}`, () => [
        run.fresh(),
        { configs, replicationFactor: 9 },
      ]);
      const assignments = [{ partitionIndex: 0, brokerIds: [1] }];
      await createAt(run, `assigned and counted, ${label}`, () => [
        run.fresh(),
        { configs, assignments },
      ]);
    }
  },

  async 'a config without a value beside one that cannot be'(run) {
    const { name: resourceName } = await run.topic();
    const configs = [
      { name: 'retention.ms', configOperation: append, value: '1' },
      { name: 'segment.ms', configOperation: set, value: null },
    ];
    await run.each('incrementalAlterConfigs', () => ({
      resources: [{ resourceType: topicType, resourceName, configs }],
    }));
  },

  async 'configs of what is of no type, beside those of a topic'(run) {
    const { name } = await run.topic();
    for (const resourceType of [0, 3, 99])
      await run.each('describeConfigs', () => ({
        resources: [
          { resourceType: topicType, resourceName: name, configurationKeys: ['retention.ms'] },
          { resourceType, resourceName: name, configurationKeys: null },
        ],
      }));
  },

  async 'requests without time'(run) {
    const { name } = await run.topic();
    for (const timeoutMs of noTime) {
      await run.each('createTopics', () => ({ ...createOf(run.fresh()), timeoutMs }));
      await run.each('createPartitions', () => ({
        topics: [{ name, count: 3, assignments: null }],
        timeoutMs,
      }));
      await run.each('deleteTopics', (version) =>
        version >= 6 ? { topics: [{ name }], timeoutMs } : { topicNames: [name], timeoutMs },
      );
      await run.each('createTopics', () => ({ topics: [], timeoutMs }), 'for nothing');
      await run.each('deleteTopics', () => ({ timeoutMs }), 'for nothing');
    }
    await run.last('describeTopicPartitions', {
      topics: [{ name }],
      responsePartitionLimit: 10,
    });
  },

  async 'moves, elections and features without time'(run) {
    const { name } = await run.topic({ partitions: 2 });
    for (const timeoutMs of noTime) {
      const moved = [0, 7].map((partitionIndex) => ({ partitionIndex, replicas: [1] }));
      for (const topics of [[{ name, partitions: moved }], []])
        await run.each('alterPartitionReassignments', () => ({ timeoutMs, topics }));
      for (const topics of [[{ name, partitionIndexes: [0, 7] }], [], null])
        await run.each('listPartitionReassignments', () => ({ timeoutMs, topics }));
      for (const topicPartitions of [[{ topic: name, partitions: [0, 7] }], [], null])
        for (const electionType of [0, 9])
          await run.each('electLeaders', (version) => ({
            ...(version >= 1 && { electionType }),
            topicPartitions,
            timeoutMs,
          }));
      const bogus = { feature: 'bogus', maxVersionLevel: 1 };
      for (const featureUpdates of [[bogus], []])
        await run.each('updateFeatures', () => ({ timeoutMs, featureUpdates }));
    }
  },

  async 'records without time'(run) {
    const topic = await run.topic();
    for (const timeoutMs of noTime) {
      const sent = (version: number) => produceTo(topic, version, batchOf(['a']));
      await run.each('produce', (version) => ({ ...sent(version), timeoutMs }));
      const topics = [{ name: topic.name, partitions: [{ partitionIndex: 0, offset: 1n }] }];
      await run.each('deleteRecords', () => ({ timeoutMs, topics }));
      const listed = [{ name: topic.name, partitions: [{ partitionIndex: 0, timestamp: -1n }] }];
      await run.each('listOffsets', (version) => ({
        replicaId: -1,
        topics: listed,
        ...(version >= 10 && { timeoutMs }),
      }));
    }
  },

  async 'states of transactions that do not exist, told once'(run) {
    const stateFilters = ['bogus', 'Ongoing', 'bogus', 'other'];
    const producerIdFilters = [longAgo];
    await run.each('listTransactions', () => ({ stateFilters, producerIdFilters }));
  },
};
