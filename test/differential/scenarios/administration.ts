// ElectLeaders, reassignments, the quorum, features and config resources.
import type { Scenarios } from '../support/run.ts';

/** To each level that Kafka knows, and beyond. */
const featureLevels: Readonly<Record<string, readonly number[]>> = {
  'metadata.version': [-1, 0, ...Array.from({ length: 30 }, (_, i) => 6 + i)],
  'eligible.leader.replicas.version': [-1, 0, 1, 2],
  'group.version': [-1, 0, 1, 2],
  'transaction.version': [-1, 0, 1, 2, 3],
  'kraft.version': [-1, 0, 1, 2],
  'share.version': [-1, 0, 1, 2, 3],
  'streams.version': [-1, 0, 1, 2],
  'no.such.feature': [-1, 0, 1],
};
const ways = [-1, 0, 1, 2, 3, 4].map((upgradeType) => ({ upgradeType }));
/** Version 0 does not validate only, and a quorum that has voters does not go back. */
const isForGood = (feature: string) => feature === 'kraft.version';
const olderWays = [false, true].map((allowDowngrade) => ({ allowDowngrade }));

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

  async 'UpdateFeatures to every level in every way'(run) {
    for (const [feature, levels] of Object.entries(featureLevels))
      for (const maxVersionLevel of levels)
        for (const version of run.versions('updateFeatures'))
          for (const way of version > 0 ? ways : isForGood(feature) ? [] : olderWays)
            await run.ask(
              'updateFeatures',
              version,
              {
                featureUpdates: [{ feature, maxVersionLevel, ...way }],
                ...(version >= 1 && { validateOnly: true }),
              },
              { label: `${feature} ${maxVersionLevel} ${JSON.stringify(way)}` },
            );
  },

  async 'UpdateFeatures of several'(run) {
    const to = (feature: string, maxVersionLevel: number, upgradeType = 1) => ({
      feature,
      maxVersionLevel,
      upgradeType,
    });
    for (const [label, featureUpdates] of Object.entries({
      'all as they are': [to('group.version', 1), to('transaction.version', 2)],
      'one of them down': [to('group.version', 0, 2), to('transaction.version', 2)],
      'one that may not': [to('group.version', 0), to('transaction.version', 2)],
      'one that is not known': [to('group.version', 1), to('no.such.feature', 1)],
      'one that only Kafka has': [to('share.version', 0), to('group.version', 1)],
      'the first of two cannot be': [to('group.version', 7), to('group.version', 1)],
      'the last of two cannot be': [to('group.version', 1), to('group.version', 7)],
      'without the one that it needs': [
        to('eligible.leader.replicas.version', 1),
        to('metadata.version', 20, 3),
      ],
    }))
      for (const version of run.versions('updateFeatures').filter((each) => each >= 1))
        await run.ask('updateFeatures', version, { featureUpdates, validateOnly: true }, { label });
  },

  async 'UpdateFeatures changes a level, and clients are told'(run) {
    const feature = 'transaction.version';
    for (const version of run.versions('updateFeatures').filter((each) => each >= 1))
      for (const [maxVersionLevel, upgradeType] of [
        [1, 2],
        [1, 1],
        [2, 1],
        [1, 3],
        [2, 1],
      ] as const) {
        const featureUpdates = [{ feature, maxVersionLevel, upgradeType }];
        await run.ask('updateFeatures', version, { featureUpdates });
        await run.until(
          ['apiVersions', 3, { clientSoftwareName: 'differential', clientSoftwareVersion: '1' }],
          ({ finalizedFeatures }) =>
            finalizedFeatures.find(({ name }) => name === feature)?.maxVersionLevel ===
            maxVersionLevel,
        );
      }
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
