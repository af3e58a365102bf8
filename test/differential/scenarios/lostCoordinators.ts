// The topics behind the coordinators are deleted under groups and a transaction that go on.
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCodes } from '../../../src/protocol/errors.ts';
import { namesOfEachPartition, untilCoordinating } from '../../support/kafka/untilCoordinating.ts';
import {
  commitOf,
  joinOf,
  leaveOf,
  type Member,
  offsetsOf,
  stable,
  syncOf,
} from '../support/groupRequests.ts';
import type { Run, Scenarios, Topic } from '../support/run.ts';
import {
  add,
  addOf,
  begin,
  type Identity,
  offsetsOfTransaction,
  sendOf,
} from '../support/transactionRequests.ts';

const lost = ['__consumer_offsets', '__transaction_state'];

/** What was there before the topics went. */
interface Coordinated {
  readonly topic: Topic;
  /** In a classic group that is to rebalance. */
  readonly member: Member;
  /** Has committed, and has no members. */
  readonly simple: string;
  /** In a group of KIP-848. */
  readonly consumer: { groupId: string; memberId: string; memberEpoch: number };
  readonly transaction: Identity;
}

async function coordinated(run: Run): Promise<Coordinated> {
  const topic = await run.topic({ partitions: 2 });
  const member = await stable(run);
  const simple = run.fresh('group');
  await run.ask('offsetCommit', 9, commitOf(simple, 9, topic));
  const consumer = { groupId: run.fresh('group'), memberId: run.fresh('member') };
  const joining = { rebalanceTimeoutMs: 60_000, subscribedTopicNames: ['t'], topicPartitions: [] };
  const { memberEpoch } = await run.ask('consumerGroupHeartbeat', 1, {
    ...consumer,
    ...joining,
    memberEpoch: 0,
  });
  const transaction = await begin(run);
  await add(run, transaction, topic);
  await run.ask('produce', 11, sendOf(transaction, topic, 11));
  return { topic, member, simple, consumer: { ...consumer, memberEpoch }, transaction };
}

/** Resolves when the broker coordinates nothing any more: it hears of the deletion a moment after the controller. */
async function untilNotCoordinating(run: Run): Promise<void> {
  const isLost = ({ errorCode }: { errorCode: number }) => errorCode === errorCodes.NOT_COORDINATOR;
  for (;;) {
    const { groups } = await run.prepare('describeGroups', 5, { groups: namesOfEachPartition });
    const { transactionStates } = await run.prepare('describeTransactions', 0, {
      transactionalIds: namesOfEachPartition,
    });
    if ([...groups, ...transactionStates].every(isLost)) return;
    await sleep(20);
  }
}

async function askGroups(run: Run, label: string, there: Coordinated): Promise<void> {
  const { topic, member, simple, consumer } = there;
  const { memberId, generationId: generation } = member;
  const ofMember = { memberId, generation };
  await run.each(
    'offsetCommit',
    (version) => commitOf(member.groupId, version, topic, ofMember),
    `${label}, of a member`,
  );
  await run.each('heartbeat', () => member, label);
  await run.each('syncGroup', (version) => syncOf(member, version, []), label);
  await run.each('leaveGroup', (version) => leaveOf(member, version), label);
  await run.each('consumerGroupHeartbeat', () => consumer, label);
  await run.each('consumerGroupDescribe', () => ({ groupIds: [consumer.groupId] }), label);
  const groups = [member.groupId, simple];
  await run.each('describeGroups', () => ({ groups }), label);
  await run.each('deleteGroups', () => ({ groupsNames: [member.groupId] }), label);
  await run.each('offsetFetch', (version) => offsetsOf(simple, version, topic), label);
  const deleted = [{ name: topic.name, partitions: [{ partitionIndex: 0 }] }];
  await run.each('offsetDelete', () => ({ groupId: simple, topics: deleted }), label);
  await run.each('offsetCommit', (version) => commitOf(simple, version, topic), label);
}

async function askTransactions(run: Run, label: string, there: Coordinated): Promise<void> {
  const { topic, simple, transaction } = there;
  const { transactionalId, ...producer } = transaction;
  await run.each('describeTransactions', () => ({ transactionalIds: [transactionalId] }), label);
  await run.each(
    'addPartitionsToTxn',
    (version) => addOf(transaction, version, [{ name: topic.name, partitions: [0, 1] }]),
    label,
  );
  await run.each('addOffsetsToTxn', () => ({ ...transaction, groupId: simple }), label);
  await run.each(
    'txnOffsetCommit',
    (version) => offsetsOfTransaction(transaction, simple, version, { topic }),
    label,
  );
  await run.each('endTxn', () => ({ ...transaction, committed: true }), label);
  await run.each(
    'initProducerId',
    (version) => ({
      transactionalId,
      transactionTimeoutMs: 60_000,
      ...(version >= 3 && producer),
    }),
    `${label}, as it was`,
  );
  await run.last('produce', sendOf(transaction, topic, run.latest('produce'), { sequence: 1 }), {
    label: `${label}, on in its partition`,
  });
  await run.last('produce', sendOf(transaction, topic, run.latest('produce'), { index: 1 }), {
    label: `${label}, in another`,
  });
}

/** The first question has the topic made. */
async function findAgain(run: Run, keyType: number, key: string): Promise<void> {
  const asked = { keyType, coordinatorKeys: [key] };
  await run.ask('findCoordinator', 4, asked, { label: 'at first' });
  await run.until(
    ['findCoordinator', 4, asked],
    ({ coordinators: [found] }) => found?.errorCode === 0,
    'at last',
  );
}

export const lostCoordinatorScenarios: Scenarios = {
  async 'groups and transactions whose topics are deleted'(run) {
    const there = await coordinated(run);
    const { member } = there;
    const second = await run.connect();
    const asked = await run.ask('joinGroup', 9, joinOf(member.groupId, 9), { on: second });
    const waiting = run.ask(
      'joinGroup',
      9,
      joinOf(member.groupId, 9, { memberId: asked.memberId }),
      {
        on: second,
        label: 'waiting for the first',
      },
    );
    await run.until(['heartbeat', 4, member], ({ errorCode }) => errorCode !== 0);

    await run.ask('deleteTopics', 5, { topicNames: lost, timeoutMs: 10_000 });
    await waiting;
    await untilNotCoordinating(run);
    await askGroups(run, 'lost', there);
    await run.each('joinGroup', (version) => joinOf(member.groupId, version), 'lost');
    await run.each('listGroups', () => ({}), 'lost');
    await askTransactions(run, 'lost', there);
    await run.each('listTransactions', () => ({}), 'lost');
    const topics = lost.map((name) => ({ name }));
    await run.last('metadata', { topics, allowAutoTopicCreation: false }, { label: 'lost' });

    await findAgain(run, 0, member.groupId);
    await findAgain(run, 1, there.transaction.transactionalId);
    await untilCoordinating(run.bootstrap);
    await run.each('listGroups', () => ({}), 'made again');
    await run.each('listTransactions', () => ({}), 'made again');
    await askGroups(run, 'made again', there);
    await run.last('joinGroup', joinOf(member.groupId, run.latest('joinGroup')), {
      label: 'made again',
    });
    await askTransactions(run, 'made again', there);
  },
};
