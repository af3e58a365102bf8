// ElectLeaders, reassignments, the quorum, features and config resources.
import type { Scenarios } from '../support/run.ts';

export const administrationScenarios: Scenarios = {
  async ElectLeaders(run) {
    const { name } = await run.topic({ partitions: 2 });
    const ghost = run.fresh('ghost');
    for (const electionType of [0, 1])
      await run.each('electLeaders', (version) => ({
        ...(version >= 1 && { electionType }),
        topicPartitions: [
          { topic: name, partitions: [0, 1, 9] },
          { topic: ghost, partitions: [0] },
        ],
        timeoutMs: 10_000,
      }));
    await run.each('electLeaders', () => ({ topicPartitions: [], timeoutMs: 10_000 }), 'none');
    for (const version of run.versions('electLeaders').filter((each) => each >= 1))
      await run.closing(
        'electLeaders',
        version,
        { electionType: 9, topicPartitions: [], timeoutMs: 10_000 },
        'type 9',
      );
  },

  async AlterPartitionReassignments(run) {
    const { name } = await run.topic({ partitions: 2 });
    const cases = {
      'to itself': { name, partitions: [{ partitionIndex: 0, replicas: [1] }] },
      'to nobody': { name, partitions: [{ partitionIndex: 0, replicas: [] }] },
      'to a broker that is not there': {
        name,
        partitions: [{ partitionIndex: 0, replicas: [99] }],
      },
      'twice to the same': { name, partitions: [{ partitionIndex: 0, replicas: [1, 1] }] },
      'below zero': { name, partitions: [{ partitionIndex: 0, replicas: [-1] }] },
      'cancelling nothing': { name, partitions: [{ partitionIndex: 1, replicas: null }] },
      'no such partition': { name, partitions: [{ partitionIndex: 9, replicas: [1] }] },
      'no such topic': {
        name: run.fresh('ghost'),
        partitions: [{ partitionIndex: 0, replicas: [1] }],
      },
      'more replicas': { name, partitions: [{ partitionIndex: 0, replicas: [1, 2] }] },
    };
    for (const [label, topic] of Object.entries(cases))
      await run.each(
        'alterPartitionReassignments',
        () => ({ topics: [topic], timeoutMs: 10_000 }),
        label,
      );
    for (const version of run.versions('alterPartitionReassignments').filter((each) => each >= 1))
      await run.ask('alterPartitionReassignments', version, {
        topics: [cases['to a broker that is not there']],
        allowReplicationFactorChange: false,
        timeoutMs: 10_000,
      });
    await run.each('alterPartitionReassignments', () => ({ topics: [], timeoutMs: 10_000 }));
  },

  async ListPartitionReassignments(run) {
    const { name } = await run.topic();
    await run.each('listPartitionReassignments', () => ({ topics: null, timeoutMs: 10_000 }));
    await run.each('listPartitionReassignments', () => ({
      topics: [
        { name, partitionIndexes: [0, 5] },
        { name: run.fresh('ghost'), partitionIndexes: [0] },
      ],
      timeoutMs: 10_000,
    }));
  },

  async 'DescribeQuorum refuses'(run) {
    const of = (topicName: string, partitionIndex: number) => ({
      topics: [{ topicName, partitions: [{ partitionIndex }] }],
    });
    const [quorum] = of('__cluster_metadata', 0).topics;
    const [other] = of('other', 0).topics;
    const twice = [...(quorum?.partitions ?? []), ...(quorum?.partitions ?? [])];
    for (const request of [
      of('__cluster_metadata', 1),
      of('other', 0),
      { topics: [] },
      { topics: [quorum, other].filter((topic) => topic !== undefined) },
      { topics: [{ topicName: '__cluster_metadata', partitions: twice }] },
    ])
      await run.each('describeQuorum', () => request, JSON.stringify(request));
  },

  async 'UpdateFeatures refuses, and validates'(run) {
    const update = (feature: string, maxVersionLevel: number) => ({ feature, maxVersionLevel });
    for (const [label, featureUpdates] of Object.entries({
      none: [],
      unknown: [update('no.such.feature', 1)],
      'too high': [update('metadata.version', 99)],
      'too low': [update('metadata.version', 1)],
      lower: [update('metadata.version', 20)],
      same: [update('metadata.version', 33)],
      'an empty name': [update('', 1)],
      'twice the same': [update('group.version', 1), update('group.version', 0)],
      'twice, wrongly first': [update('transaction.version', -1), update('transaction.version', 2)],
      negative: [update('group.version', -1)],
    }))
      for (const version of run.versions('updateFeatures'))
        await run.closing(
          'updateFeatures',
          version,
          {
            featureUpdates,
            ...(version >= 1 && { validateOnly: true }),
          },
          label,
        );
    const lower = { feature: 'group.version', maxVersionLevel: 0, allowDowngrade: true };
    await run.ask('updateFeatures', 0, { featureUpdates: [lower] }, { label: 'a downgrade' });
  },

  async 'UpdateFeatures of what only Kafka has'(run) {
    const [upgrade, safeDowngrade] = [1, 2];
    for (const [feature, maxVersionLevel, upgradeType] of [
      ['kraft.version', 0, upgrade],
      ['kraft.version', 0, safeDowngrade],
      ['kraft.version', 1, upgrade],
      ['kraft.version', 2, upgrade],
      ['share.version', 0, safeDowngrade],
      ['share.version', 2, upgrade],
      ['share.version', 3, upgrade],
      ['streams.version', 0, safeDowngrade],
      ['streams.version', 1, upgrade],
    ] as const)
      await run.last(
        'updateFeatures',
        { featureUpdates: [{ feature, maxVersionLevel, upgradeType }], validateOnly: true },
        { label: `${feature} ${maxVersionLevel} ${upgradeType}` },
      );
  },

  async ListConfigResources(run) {
    const { name } = await run.topic();
    for (const version of run.versions('listConfigResources'))
      for (const resourceTypes of version === 0
        ? [undefined]
        : [[], [2], [4], [8], [16], [32], [99], [2, 4]]) {
        const request = resourceTypes === undefined ? {} : { resourceTypes };
        const { configResources, ...rest } = await run.prepare(
          'listConfigResources',
          version,
          request,
        );
        // Other scenarios' topics are left out: not all are there on both sides by now.
        const own = configResources.filter(
          ({ resourceType, resourceName }) => resourceType !== 2 || resourceName === name,
        );
        run.note(
          'listConfigResources',
          version,
          { ...rest, configResources: own },
          String(resourceTypes),
        );
      }
  },
};
