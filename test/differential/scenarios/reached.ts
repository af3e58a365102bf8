// Errors that nothing else leads to, API by API.
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
 * Ends transactions, each time asking something in the same breath, until that was answered while the markers were being
 * written.
 */
async function whileEnding(
  run: Run,
  ask: (identity: Identity) => Promise<number | undefined>,
): Promise<void> {
  const topic = await run.topic();
  for (let attempt = 0; attempt < mostTries; attempt++) {
    const identity = await begin(run);
    await run.until(
      ['addPartitionsToTxn', 3, addOf(identity, 3, [{ name: topic.name, partitions: [0] }])],
      ({ resultsByTopicV3AndBelow: [added] }) =>
        added?.resultsByPartition[0]?.partitionErrorCode === 0,
    );
    const ended = run.prepare('endTxn', 4, { ...identity, committed: true });
    const code = await ask(identity);
    await ended;
    await settled(run, identity);
    if (code === concurrentTransactions) return;
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
    await whileEnding(run, async (identity) => {
      const client = await run.connect();
      const groupId = run.fresh('group');
      const answer = await client.call('addOffsetsToTxn', 3, { ...identity, groupId });
      if (answer.errorCode === concurrentTransactions) run.note('addOffsetsToTxn', 3, answer);
      return answer.errorCode;
    });
    await whileEnding(run, async (identity) => {
      const client = await run.connect();
      const topics = [{ name: run.topics[0]?.name ?? '', partitions: [0] }];
      const answer = await client.call('addPartitionsToTxn', 3, addOf(identity, 3, topics));
      const code = answer.resultsByTopicV3AndBelow[0]?.resultsByPartition[0]?.partitionErrorCode;
      if (code === concurrentTransactions) run.note('addPartitionsToTxn', 3, answer);
      return code;
    });
    await whileEnding(run, async (identity) => {
      const client = await run.connect();
      const answer = await client.call('endTxn', 4, { ...identity, committed: true });
      if (answer.errorCode === concurrentTransactions) run.note('endTxn', 4, answer);
      return answer.errorCode;
    });
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
