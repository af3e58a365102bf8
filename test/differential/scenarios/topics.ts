// CreateTopics, DeleteTopics, CreatePartitions, DescribeTopicPartitions.
import type { Run, Scenarios } from '../support/run.ts';
import { createOf, unknownTopicId } from '../support/requests.ts';

/** A topic that the scenario itself deletes. */
export async function passing(run: Run): Promise<{ name: string; id: string }> {
  const name = run.fresh('passing');
  const { topics } = await run.prepare('createTopics', 7, createOf(name));
  return { name, id: topics[0]?.topicId ?? '' };
}

const refusals: Readonly<Record<string, Parameters<typeof createOf>[1]>> = {
  'no partitions': { numPartitions: 0 },
  'fewer than no partitions': { numPartitions: -2 },
  'no replicas': { replicationFactor: 0 },
  'fewer than no replicas': { replicationFactor: -2 },
  'neither partitions nor replicas': { numPartitions: 0, replicationFactor: 0 },
  'more replicas than brokers': { replicationFactor: 3 },
  'a config that does not exist': { configs: [{ name: 'no.such.config', value: '1' }] },
  'a config of the wrong type': { configs: [{ name: 'retention.ms', value: 'soon' }] },
  'a config out of range': { configs: [{ name: 'segment.bytes', value: '1' }] },
  'a config out of a list': { configs: [{ name: 'cleanup.policy', value: 'burn' }] },
  'a config without a value': { configs: [{ name: 'retention.ms', value: null }] },
  'assignments and counts': { assignments: [{ partitionIndex: 0, brokerIds: [1] }] },
  'an assignment to nobody': {
    numPartitions: -1,
    replicationFactor: -1,
    assignments: [{ partitionIndex: 0, brokerIds: [] }],
  },
  'an assignment to a broker that is not there': {
    numPartitions: -1,
    replicationFactor: -1,
    assignments: [{ partitionIndex: 0, brokerIds: [99] }],
  },
  'an assignment twice to the same': {
    numPartitions: -1,
    replicationFactor: -1,
    assignments: [{ partitionIndex: 0, brokerIds: [1, 1] }],
  },
  'assignments with a gap': {
    numPartitions: -1,
    replicationFactor: -1,
    assignments: [{ partitionIndex: 1, brokerIds: [1] }],
  },
};

export const topicScenarios: Scenarios = {
  async 'CreateTopics of too many partitions refuses all that was asked'(run) {
    const [many, twice] = [run.fresh('many'), run.fresh('twice')];
    const of = (name: string, numPartitions: number) => {
      return { name, numPartitions, replicationFactor: 1 };
    };
    const topics = [of(many, 10_001), of(twice, 1), of(twice, 2), of('a b', 1)];
    await run.each('createTopics', () => ({ topics, timeoutMs: 10_000 }));
  },

  async 'CreateTopics creates in every version'(run) {
    await run.each('createTopics', () =>
      createOf(run.fresh(), {
        numPartitions: 2,
        configs: [{ name: 'retention.ms', value: '1000' }],
      }),
    );
  },

  async 'CreateTopics takes defaults and assignments'(run) {
    await run.each('createTopics', (version) =>
      createOf(run.fresh(), version < 4 ? {} : { numPartitions: -1, replicationFactor: -1 }),
    );
    await run.each('createTopics', () =>
      createOf(run.fresh(), {
        numPartitions: -1,
        replicationFactor: -1,
        assignments: [0, 1].map((partitionIndex) => ({ partitionIndex, brokerIds: [1] })),
      }),
    );
  },

  async 'CreateTopics only validates where it is asked to'(run) {
    await run.each('createTopics', () => ({ ...createOf(run.fresh()), validateOnly: true }));
    const name = run.fresh();
    await run.last('createTopics', { ...createOf(name), validateOnly: true });
    await run.last('createTopics', createOf(name));
  },

  async 'CreateTopics refuses what is there already'(run) {
    const { name } = await run.topic();
    await run.each('createTopics', () => createOf(name));
  },

  async 'CreateTopics refuses names'(run) {
    const { name } = await run.topic();
    const long = 'x'.repeat(250);
    for (const bad of [
      '',
      '.',
      '..',
      'a b',
      'ä',
      long,
      name.replaceAll('-', '.').replaceAll('.', '_'),
    ])
      await run.last('createTopics', createOf(bad), { label: bad.slice(0, 20) });
    await run.last('createTopics', createOf(`${name}.a`), { label: 'with a dot' });
    await run.last('createTopics', createOf(`${name}_a`), { label: 'colliding' });
    await run.last('createTopics', createOf('__consumer_offsets'), { label: 'internal' });
  },

  async 'CreateTopics refuses what it cannot make'(run) {
    for (const [label, more] of Object.entries(refusals))
      for (const version of [2, 5, run.latest('createTopics')])
        await run.ask('createTopics', version, createOf(run.fresh(), more), { label });
  },

  async 'CreateTopics refuses a name that it is given twice'(run) {
    const [topic] = createOf(run.fresh()).topics ?? [];
    await run.each('createTopics', () => ({
      topics: topic ? [topic, topic] : [],
      timeoutMs: 1000,
    }));
    await run.last('createTopics', { topics: [] });
  },

  async 'DeleteTopics deletes in every version'(run) {
    await run.each('deleteTopics', async (version) => {
      const { name } = await passing(run);
      return version < 6
        ? { topicNames: [name], timeoutMs: 10_000 }
        : { topics: [{ name }], timeoutMs: 10_000 };
    });
    const { id } = await passing(run);
    await run.last('deleteTopics', { topics: [{ name: null, topicId: id }], timeoutMs: 10_000 });
  },

  async 'DeleteTopics refuses unknown names and ids, and a topic asked for twice'(run) {
    const name = run.fresh();
    await run.each('deleteTopics', (version) =>
      version < 6
        ? { topicNames: [name], timeoutMs: 10_000 }
        : { topics: [{ name }], timeoutMs: 10_000 },
    );
    await run.last('deleteTopics', {
      topics: [{ name: null, topicId: unknownTopicId }],
      timeoutMs: 10_000,
    });
    await run.last(
      'deleteTopics',
      { topics: [{ name: null }], timeoutMs: 10_000 },
      { label: 'neither' },
    );
    const { id, name: known } = await passing(run);
    await run.last(
      'deleteTopics',
      { topics: [{ name: known, topicId: id }], timeoutMs: 10_000 },
      { label: 'both' },
    );
    await run.last(
      'deleteTopics',
      { topics: [{ name: known }, { name: known }], timeoutMs: 10_000 },
      { label: 'twice' },
    );
    await run.ask(
      'deleteTopics',
      5,
      { topicNames: [known, known], timeoutMs: 10_000 },
      { label: 'twice' },
    );
    await run.last('deleteTopics', { topics: [], timeoutMs: 10_000 }, { label: 'none' });
  },

  async 'CreatePartitions adds in every version'(run) {
    await run.each('createPartitions', async () => {
      const { name } = await passing(run);
      return { topics: [{ name, count: 3, assignments: null }], timeoutMs: 10_000 };
    });
    await run.each('createPartitions', async () => {
      const { name } = await passing(run);
      const assignments = [{ brokerIds: [1] }];
      return { topics: [{ name, count: 2, assignments }], timeoutMs: 10_000 };
    });
    const { name } = await passing(run);
    const topics = [{ name, count: 2, assignments: null }];
    await run.last('createPartitions', { topics, validateOnly: true, timeoutMs: 10_000 });
    await run.last('createPartitions', { topics, timeoutMs: 10_000 });
  },

  async 'CreatePartitions refuses'(run) {
    const { name } = await passing(run);
    const cases = {
      'the same count': { name, count: 1, assignments: null },
      fewer: { name, count: 0, assignments: null },
      'less than none': { name, count: -1, assignments: null },
      'an unknown topic': { name: run.fresh(), count: 2, assignments: null },
      'too few assignments': { name, count: 3, assignments: [{ brokerIds: [1] }] },
      'too many assignments': {
        name,
        count: 2,
        assignments: [{ brokerIds: [1] }, { brokerIds: [1] }],
      },
      'an unknown broker': { name, count: 2, assignments: [{ brokerIds: [99] }] },
      nobody: { name, count: 2, assignments: [{ brokerIds: [] }] },
      'the same twice': { name, count: 2, assignments: [{ brokerIds: [1, 1] }] },
      'an internal topic that may not be there': { name: '', count: 2, assignments: null },
    };
    for (const [label, topic] of Object.entries(cases))
      for (const version of run.versions('createPartitions'))
        await run.ask(
          'createPartitions',
          version,
          { topics: [topic], timeoutMs: 10_000 },
          { label },
        );
    const topic = { name, count: 2, assignments: null };
    await run.last(
      'createPartitions',
      { topics: [topic, topic], timeoutMs: 10_000 },
      { label: 'twice' },
    );
  },

  async 'No more than ten thousand records come of a request'(run) {
    const [topic, other] = [await run.topic(), await run.topic()];
    for (const assignments of [null, [], [{ brokerIds: [1] }]])
      for (const counts of [[10_001], [10_002], [10_001, 3], [2 ** 31 - 1, 2], [5001, 5002]])
        await run.last(
          'createPartitions',
          {
            topics: counts.map((count, i) => ({
              name: i === 0 ? topic.name : other.name,
              count,
              assignments,
            })),
            timeoutMs: 10_000,
            validateOnly: true,
          },
          { label: `${counts.join()}, replicas of ${assignments?.length}` },
        );
    for (const numPartitions of [9999, 10_000, 10_001])
      await run.last(
        'createTopics',
        { ...createOf(run.fresh(), { numPartitions }), validateOnly: true },
        { label: String(numPartitions) },
      );
  },

  async 'DescribeTopicPartitions pages'(run) {
    const { name } = await run.topic({ partitions: 5 });
    const topics = [{ name }];
    await run.last('describeTopicPartitions', { topics });
    await run.last('describeTopicPartitions', { topics, responsePartitionLimit: 2 });
    for (const partitionIndex of [0, 3, 9, -1])
      await run.last(
        'describeTopicPartitions',
        { topics, cursor: { topicName: name, partitionIndex } },
        { label: String(partitionIndex) },
      );
    await run.last('describeTopicPartitions', { topics: [{ name: run.fresh() }] });
    await run.last('describeTopicPartitions', { topics: [{ name: 'a b' }, { name: '' }] });
    await run.last('describeTopicPartitions', { topics, responsePartitionLimit: 0 });
    const ghosts = [`${name}-ghost`, `${name} impossible`];
    for (const ghost of ghosts)
      for (const responsePartitionLimit of [5, 6])
        await run.last(
          'describeTopicPartitions',
          { topics: [{ name: ghost }, { name }], responsePartitionLimit },
          { label: 'a full page before what is not there' },
        );
  },
};
