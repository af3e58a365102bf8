// Errors that nothing else leads to, API by API.
import { type ApiName, apis } from '../../../src/protocol/apis.ts';
import { decodeResponse } from '../../../src/protocol/frames.ts';
import type { RequestInput, Response } from '../../wire/broker/support/rawClient.ts';
import { commitOf, joinOf, syncOf } from '../support/groupRequests.ts';
import { createOf } from '../support/requests.ts';
import type { Run, Scenarios } from '../support/run.ts';
import {
  addOf,
  begin,
  end,
  type Identity,
  offsetsOfTransaction,
  settled,
} from '../support/transactionRequests.ts';

const concurrentTransactions = 51;
/** The markers of a transaction that is ended may be written before anybody else can ask. */
const mostTries = 200;

/**
 * Ends transactions, each time asking something in the same breath, until that was answered while the markers were
 * being written: that answer is compared. The other answers are not, nor is the topic, which has a marker of each
 * attempt.
 */
async function whileEnding<A extends ApiName>(
  run: Run,
  api: A,
  version: number,
  {
    bodyOf,
    codeOf,
  }: {
    bodyOf: (identity: Identity, topic: string) => RequestInput<A>;
    codeOf: (response: Response<A>) => number | undefined;
  },
): Promise<void> {
  const { name } = await run.topic();
  run.topics.pop();
  const asked = run.exchanges.length;
  const transactionalId = run.fresh('txn');
  for (let attempt = 0; attempt < mostTries; attempt++) {
    const identity = await begin(run, { transactionalId });
    await run.until(
      ['addPartitionsToTxn', 3, addOf(identity, 3, [{ name, partitions: [0] }])],
      ({ resultsByTopicV3AndBelow: [added] }) =>
        added?.resultsByPartition[0]?.partitionErrorCode === 0,
    );
    const client = await run.connect();
    const ended = run.prepare('endTxn', 4, { ...identity, committed: true });
    const answer = await client.call(api, version, bodyOf(identity, name));
    await ended;
    await settled(run, identity);
    run.exchanges.length = asked;
    if (codeOf(answer) === concurrentTransactions) {
      run.note(api, version, answer);
      return;
    }
  }
  throw new Error(`no transaction was caught at its end in ${mostTries}`);
}

export const reachedScenarios: Scenarios = {
  async 'groups without a name'(run) {
    const topic = await run.topic();
    await run.each('offsetCommit', (version) => commitOf('', version, topic));
    await run.each('describeGroups', () => ({ groups: [''] }));
    await run.each('deleteGroups', () => ({ groupsNames: [''] }));
    await run.each('findCoordinator', (version) =>
      version < 4
        ? { key: '', ...(version >= 1 && { keyType: 0 }) }
        : { keyType: 0, coordinatorKeys: [''] },
    );
    await run.each('offsetFetch', (version) =>
      version < 8
        ? { groupId: '', topics: [{ name: topic.name, partitionIndexes: [0] }] }
        : { groups: [{ groupId: '', topics: null }] },
    );
  },

  async 'a member of a consumer group that was never there'(run) {
    await run.each('consumerGroupHeartbeat', () => ({
      groupId: run.fresh('group'),
      memberId: 'm',
      memberEpoch: 5,
    }));
  },

  async 'producer ids that an unknown transactional id never had'(run) {
    await begin(run);
    for (const version of run.versions('initProducerId').filter((each) => each >= 3))
      await run.ask('initProducerId', version, {
        transactionalId: run.fresh('txn'),
        transactionTimeoutMs: 60_000,
        producerId: 77n,
        producerEpoch: 0,
      });
  },

  async 'offsets of a transaction from a static member that was replaced'(run) {
    const topic = await run.topic();
    const groupId = run.fresh('group');
    const instance = { groupInstanceId: 'instance' };
    const first = await run.prepare('joinGroup', 9, joinOf(groupId, 9, instance));
    const member = { groupId, memberId: first.memberId, generationId: first.generationId };
    await run.prepare('syncGroup', 5, syncOf(member, 5));
    await run.prepare('joinGroup', 9, joinOf(groupId, 9, instance));
    const identity = await begin(run);
    await run.ask('addOffsetsToTxn', 3, { ...identity, groupId });
    const { memberId, generationId: generation } = member;
    for (const version of [3, 4])
      await run.ask(
        'txnOffsetCommit',
        version,
        offsetsOfTransaction(identity, groupId, version, {
          topic,
          memberId,
          generation,
          ...instance,
        }),
      );
    await end(run, identity, false);
  },

  async 'what is asked while a transaction ends'(run) {
    const groupId = run.fresh('group');
    await whileEnding(run, 'addOffsetsToTxn', 3, {
      bodyOf: (identity) => ({ ...identity, groupId }),
      codeOf: ({ errorCode }) => errorCode,
    });
    await whileEnding(run, 'addPartitionsToTxn', 3, {
      bodyOf: (identity, name) => addOf(identity, 3, [{ name, partitions: [0] }]),
      codeOf: ({ resultsByTopicV3AndBelow: [added] }) =>
        added?.resultsByPartition[0]?.partitionErrorCode,
    });
    await whileEnding(run, 'txnOffsetCommit', 5, {
      bodyOf: (identity, name) =>
        offsetsOfTransaction(identity, groupId, 5, { topic: { name, id: '' } }),
      codeOf: ({ topics: [topic] }) => topic?.partitions[0]?.errorCode,
    });
    await whileEnding(run, 'endTxn', 4, {
      bodyOf: (identity) => ({ ...identity, committed: true }),
      codeOf: ({ errorCode }) => errorCode,
    });
  },

  async 'offsets of a transaction that the group was not added to'(run) {
    const topic = await run.topic();
    for (const version of run.versions('txnOffsetCommit').filter((each) => each < 5)) {
      const identity = await begin(run);
      const request = offsetsOfTransaction(identity, run.fresh('group'), version, { topic });
      await run.ask('txnOffsetCommit', version, request, { label: 'in none' });
      await run.prepare('addOffsetsToTxn', 3, { ...identity, groupId: run.fresh('group') });
      await run.ask('txnOffsetCommit', version, request, { label: 'in one of another group' });
      await end(run, identity, false);
    }
  },

  async 'a client that takes the broker for another'(run) {
    const asked = { clientSoftwareName: 'differential', clientSoftwareVersion: '1' };
    await run.ask('apiVersions', 5, { ...asked, clusterId: 'another', nodeId: 1 });
  },

  async 'ApiVersions of versions that do not exist'(run) {
    const correlationId = 1;
    for (const version of [6, 99, 32_767]) {
      // As every version from 3 on begins: no client id, and no tags.
      const header = Buffer.alloc(11);
      header.writeInt16BE(apis.apiVersions.key, 0);
      header.writeInt16BE(version, 2);
      header.writeInt32BE(correlationId, 4);
      header.writeInt16BE(-1, 8);
      const size = Buffer.alloc(4);
      size.writeInt32BE(header.length);
      const client = await run.connect();
      client.write(Buffer.concat([size, header]));
      const frame = await client.nextFrame();
      if (!frame) throw new Error(`no answer to version ${version}`);
      const { body } = decodeResponse(apis.apiVersions, 0, frame);
      run.note('apiVersions', 0, body, `as ${version}`);
    }
  },

  async 'replicas, features and quorums that cannot be'(run) {
    const { name } = await run.topic();
    const placed = { name, partitions: [{ partitionIndex: 0, replicas: [] }] };
    await run.each('alterPartitionReassignments', () => ({ timeoutMs: 10_000, topics: [placed] }));
    await run.each('describeQuorum', () => ({
      topics: [{ topicName: '__cluster_metadata', partitions: [{ partitionIndex: 7 }] }],
    }));
    await run.each('describeTopicPartitions', () => ({ topics: [{ name: 'a b' }] }));
    await run.each('createTopics', () => createOf(run.fresh('made')));
  },
};
