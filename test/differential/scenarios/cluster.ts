// ApiVersions, Metadata, DescribeCluster, FindCoordinator, DescribeLogDirs, SaslHandshake.
import type { Scenarios } from '../support/run.ts';
import { unknownTopicId } from '../support/requests.ts';

export const clusterScenarios: Scenarios = {
  async 'ApiVersions tells what there is'(run) {
    await run.each('apiVersions', (version) =>
      version < 3 ? {} : { clientSoftwareName: 'a', clientSoftwareVersion: '1' },
    );
  },

  async 'ApiVersions refuses software names that no client would have'(run) {
    const names = ['', ' ', '-a', 'a-', 'a b', 'ä', 'a'.repeat(40)];
    for (const clientSoftwareName of names)
      await run.ask('apiVersions', 3, { clientSoftwareName, clientSoftwareVersion: '1' });
    await run.ask('apiVersions', 3, { clientSoftwareName: 'a', clientSoftwareVersion: '' });
  },

  async 'ApiVersions refuses another cluster and another node'(run) {
    const client = { clientSoftwareName: 'a', clientSoftwareVersion: '1' };
    await run.ask('apiVersions', 5, { ...client, clusterId: 'another' });
    await run.ask('apiVersions', 5, { ...client, nodeId: 77 });
  },

  async 'Metadata names a topic by its name'(run) {
    const { name } = await run.topic({ partitions: 3 });
    await run.each('metadata', () => ({ topics: [{ name }] }));
  },

  async 'Metadata names a topic by its id'(run) {
    const { id } = await run.topic({ partitions: 2 });
    for (const version of run.versions('metadata').filter((each) => each >= 10)) {
      await run.ask('metadata', version, { topics: [{ topicId: id, name: null }] });
      await run.ask('metadata', version, { topics: [{ topicId: unknownTopicId, name: null }] });
    }
  },

  async 'Metadata of what has neither a name nor an id'(run) {
    const topic = await run.topic();
    const [neither, named] = [{ name: null }, { name: topic.name }];
    for (const topics of [
      [neither],
      [named, neither, named],
      [neither, { name: null, topicId: topic.id }],
    ])
      for (const version of run.versions('metadata').filter((each) => each >= 10))
        await run.ask('metadata', version, { topics, allowAutoTopicCreation: true });
  },

  async 'Metadata tells of unknown topics and of impossible names, and creates neither'(run) {
    const topics = [{ name: run.fresh() }];
    for (const version of run.versions('metadata').filter((each) => each >= 4))
      await run.ask('metadata', version, { topics, allowAutoTopicCreation: false });
  },

  async 'Metadata creates what it is asked for together, although the names collide'(run) {
    const name = run.fresh('colliding');
    const topics = [{ name: `${name}.a` }, { name: `${name}_a` }];
    await run.ask('metadata', 9, { topics, allowAutoTopicCreation: true });
    const later = [{ name: `${name}_a` }, { name: `${name}.a` }];
    const areThere = (response: { topics: readonly { errorCode: number }[] }): boolean =>
      response.topics.every(({ errorCode }) => errorCode === 0);
    await run.until(['metadata', 9, { topics: later, allowAutoTopicCreation: false }], areThere);
  },

  async "Metadata does not create the controller's log"(run) {
    const topics = [{ name: '__cluster_metadata' }];
    const wanted = { topics: [...topics, { name: run.fresh() }], allowAutoTopicCreation: true };
    const isThere = (response: { topics: readonly { errorCode: number }[] }): boolean =>
      response.topics.some(({ errorCode }) => errorCode === 0);
    await run.until(['metadata', 9, wanted], isThere);
    await run.ask('metadata', 9, { topics, allowAutoTopicCreation: false }, { label: 'later' });
  },

  async 'Metadata creates the topic of share groups as it has to be'(run) {
    const topics = [{ name: '__share_group_state' }];
    const isThere = (response: { topics: readonly { errorCode: number }[] }): boolean =>
      response.topics.every(({ errorCode }) => errorCode === 0);
    await run.until(['metadata', 9, { topics, allowAutoTopicCreation: true }], isThere);
    const own = { resourceType: 2, resourceName: '__share_group_state', configurationKeys: null };
    await run.last('describeConfigs', { resources: [own] });
  },

  async 'Metadata refuses impossible names'(run) {
    for (const name of ['', '.', '..', 'a b', 'a/b', 'ä', 'x'.repeat(250)])
      await run.ask(
        'metadata',
        12,
        { topics: [{ name }], allowAutoTopicCreation: true },
        { label: name },
      );
  },

  async 'Metadata creates a topic that is allowed, and says so at once and later'(run) {
    for (const version of [4, 8, 12]) {
      const request = { topics: [{ name: run.fresh() }], allowAutoTopicCreation: true };
      await run.ask('metadata', version, request, { label: 'first' });
      await run.until(
        ['metadata', version, request],
        ({ topics: [topic] }) =>
          topic?.errorCode === 0 && (topic.partitions[0]?.leaderId ?? -1) >= 0,
      );
    }
  },

  async 'Metadata with no topics and with the authorized operations'(run) {
    const { name } = await run.topic();
    await run.each('metadata', (version) => ({
      topics: version === 0 ? [{ name }] : [],
      ...(version >= 8 && { includeTopicAuthorizedOperations: true }),
      ...(version >= 8 && version <= 10 && { includeClusterAuthorizedOperations: true }),
    }));
    await run.ask('metadata', 12, { topics: [{ name }], includeTopicAuthorizedOperations: true });
  },

  async 'DescribeCluster in every version'(run) {
    for (const includeClusterAuthorizedOperations of [false, true])
      await run.each('describeCluster', () => ({ includeClusterAuthorizedOperations }));
  },

  async 'DescribeCluster refuses an endpoint type that it does not have'(run) {
    for (const endpointType of [0, 2, 9])
      await run.ask('describeCluster', 1, { endpointType }, { label: String(endpointType) });
  },

  async 'FindCoordinator finds groups'(run) {
    const group = run.fresh('group');
    const request = { keyType: 0, coordinatorKeys: [group] };
    await run.until(
      ['findCoordinator', 4, request],
      ({ coordinators: [found] }) => found?.errorCode === 0,
    );
    await run.each('findCoordinator', (version) =>
      version < 4
        ? { key: group, ...(version >= 1 && { keyType: 0 }) }
        : { keyType: 0, coordinatorKeys: [group, `${group}-2`] },
    );
  },

  async 'FindCoordinator refuses key types that it does not have'(run) {
    await run.each('findCoordinator', (version) =>
      version === 0
        ? { key: 'a' }
        : version < 4
          ? { key: 'a', keyType: 7 }
          : { keyType: 7, coordinatorKeys: ['a'] },
    );
    await run.ask('findCoordinator', 4, { keyType: 0, coordinatorKeys: [] });
    await run.ask('findCoordinator', 6, { keyType: 2, coordinatorKeys: ['no:key'] });
    await run.ask('findCoordinator', 5, { keyType: 2, coordinatorKeys: ['no:key'] });
  },

  async 'DescribeLogDirs of a topic'(run) {
    const { name } = await run.topic({ partitions: 2 });
    await run.each('describeLogDirs', () => ({ topics: [{ topic: name, partitions: [0, 1, 5] }] }));
    await run.each('describeLogDirs', () => ({ topics: [] }));
  },

  async 'AlterReplicaLogDirs where there is one directory'(run) {
    const { name } = await run.topic({ partitions: 2 });
    const { results } = await run.last('describeLogDirs', { topics: [] });
    const moveTo = (path: string, topic: string, partitions: number[]) => () => ({
      dirs: [{ path, topics: [{ name: topic, partitions }] }],
    });
    const here = results[0]?.logDir ?? '';
    await run.each('alterReplicaLogDirs', moveTo(here, name, [0]), 'where it is');
    await run.each('alterReplicaLogDirs', moveTo(here, name, [7]), 'no such partition');
    await run.each('alterReplicaLogDirs', moveTo(here, `no-${name}`, [0]), 'no such topic');
    await run.each('alterReplicaLogDirs', moveTo('/nowhere', name, [1]), 'elsewhere');
    for (const length of [213, 214])
      await run.each('alterReplicaLogDirs', moveTo(here, 'n'.repeat(length), [0]), `${length}`);
    await run.each('alterReplicaLogDirs', () => ({ dirs: [] }));
  },

  async 'SASL where none is asked for'(run) {
    await run.each('saslHandshake', () => ({ mechanism: 'PLAIN' }));
    await run.each('saslAuthenticate', () => ({ authBytes: Buffer.from('\0a\0b') }));
  },
};
