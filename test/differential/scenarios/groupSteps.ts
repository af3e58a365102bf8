// Single steps of groups of both protocols that a random sequence of requests told apart.
import {
  beat,
  catchUp,
  described,
  joining,
  knownTopic,
  memberOf,
} from '../support/consumerRequests.ts';
import { assigned, commitOf, joinOf, leaveOf, stable, syncOf } from '../support/groupRequests.ts';
import { logsOf } from '../support/logs.ts';
import type { Scenarios } from '../support/run.ts';
import { add, begin, end, offsetsOfTransaction } from '../support/transactionRequests.ts';

export const groupStepScenarios: Scenarios = {
  async 'who gets what others leave behind'(run) {
    const topic = await knownTopic(run, { partitions: 4 });
    const groupId = run.fresh('group');
    const names = ['plum', 'fig', 'kiwi'].map((name) => `${groupId}-${name}`);
    for (const name of names) await beat(run, joining(groupId, name, topic.name));
    for (const round of [1, 2, 3]) {
      for (const name of names) await catchUp(run, groupId, name);
      await described(run, groupId);
      const [leaving = ''] = names.splice(0, 1);
      await beat(run, { groupId, memberId: leaving, memberEpoch: -1 }, `leaves ${round}`);
      for (const name of names) await catchUp(run, groupId, name);
      await described(run, groupId);
      names.push(`${groupId}-pear-${round}`);
      await beat(run, joining(groupId, names.at(-1) ?? '', topic.name), `joins ${round}`);
    }
    for (const name of names) await catchUp(run, groupId, name);
    await described(run, groupId);
  },

  async 'who waits to join comes as a static member'(run) {
    for (const version of run.versions('joinGroup').filter((each) => each >= 5)) {
      const groupId = run.fresh('group');
      const { memberId } = await run.ask('joinGroup', version, joinOf(groupId, version));
      const join = joinOf(groupId, version, { memberId, groupInstanceId: 'i' });
      await run.ask('joinGroup', version, join, { label: 'static' });
    }
  },

  async 'a classic member of a consumer group names a protocol twice'(run) {
    const topic = await knownTopic(run);
    const groupId = run.fresh('group');
    await beat(run, joining(groupId, memberOf(run), topic.name));
    const options = { topics: [topic.name], protocols: ['range', 'range'] };
    await run.ask('joinGroup', 5, joinOf(groupId, 5, { ...options, groupInstanceId: 'i' }));
    const other = joinOf(groupId, 5, { ...options, groupInstanceId: 'j', protocols: ['range'] });
    await run.ask('joinGroup', 5, other, { label: 'another' });
  },

  async 'a classic group whose only member names a protocol twice'(run) {
    const topic = await knownTopic(run);
    const groupId = run.fresh('group');
    const options = { topics: [topic.name], protocols: ['range', 'range'], groupInstanceId: 'i' };
    const join = joinOf(groupId, 5, options);
    const on = await run.connect();
    const waiting = run.ask('joinGroup', 5, join, { on, label: 'waits' });
    await run.until(
      ['describeGroups', 6, { groups: [groupId] }],
      ({ groups: [group] }) => group?.groupState === 'PreparingRebalance',
    );
    await beat(run, joining(groupId, memberOf(run), topic.name), 'converts');
    await waiting;
    await run.ask('describeGroups', 6, { groups: [groupId] }, { label: 'after that' });
    const once = joinOf(groupId, 5, { ...options, protocols: ['range'] });
    await run.ask('joinGroup', 5, once, { label: 'once' });
    await described(run, groupId);
  },

  async 'a member of the consumer protocol that reads nothing changes its expression'(run) {
    const [topic, other] = [await knownTopic(run), await knownTopic(run)];
    const groupId = run.fresh('group');
    const [reader, idle] = [memberOf(run), memberOf(run)];
    await beat(run, joining(groupId, reader, topic.name));
    const idling = { groupId, memberId: idle, topicPartitions: [] };
    await beat(run, { ...joining(groupId, idle), subscribedTopicRegex: 'nothing-here' });
    const change = { groupId, memberId: reader, memberEpoch: 2 };
    await beat(run, { ...change, subscribedTopicNames: [topic.name, other.name] });
    await beat(run, { ...idling, memberEpoch: 2 }, 'follows');
    await beat(run, { ...idling, memberEpoch: 3, subscribedTopicRegex: 'nor-there' });
    await beat(run, { ...idling, memberEpoch: 2 }, 'epoch before');
  },

  async 'the last member of the consumer protocol comes back with the classic one and reads more'(
    run,
  ) {
    const [topic, other] = [await knownTopic(run), await knownTopic(run)];
    const groupId = run.fresh('group');
    const groupInstanceId = 'i';
    const memberId = memberOf(run);
    await beat(run, { ...joining(groupId, memberId, topic.name), instanceId: groupInstanceId });
    const topics = [topic.name, other.name];
    const join = joinOf(groupId, 5, { groupInstanceId, topics });
    const back = await run.ask('joinGroup', 5, join);
    const member = { groupId, memberId: back.memberId, generationId: back.generationId };
    await run.ask('heartbeat', 3, { ...member, groupInstanceId });
    await run.ask('joinGroup', 5, { ...join, memberId: back.memberId }, { label: 'again' });
  },

  async 'a classic member joins a consumer group again, with no time to sync'(run) {
    const topic = await knownTopic(run);
    const groupId = run.fresh('group');
    await beat(run, joining(groupId, memberOf(run), topic.name));
    const options = { topics: [topic.name], groupInstanceId: 'i', sessionTimeoutMs: 600_000 };
    const { memberId } = await run.ask('joinGroup', 5, joinOf(groupId, 5, options));
    const again = joinOf(groupId, 5, { ...options, memberId, rebalanceTimeoutMs: -1 });
    await run.ask('joinGroup', 5, again, { label: 'again' });
    await run.until(
      ['consumerGroupDescribe', 1, { groupIds: [groupId] }],
      ({ groups }) => groups[0]?.members.length === 1,
    );
  },

  async 'the partitions of a classic member come in their order'(run) {
    const [topic, other] = [await knownTopic(run, { partitions: 4 }), await knownTopic(run)];
    const member = await stable(run, { topics: [topic.name] });
    const { groupId, memberId } = member;
    const again = joinOf(groupId, 9, { memberId, topics: [topic.name] });
    const { generationId } = await run.ask('joinGroup', 9, again);
    const assignments = [{ memberId, assignment: assigned(topic, [3, 1, 0, 2]) }];
    await run.ask('syncGroup', 5, { ...syncOf({ ...member, generationId }, 5), assignments });
    await beat(run, joining(groupId, memberOf(run), other.name));
    await run.ask('heartbeat', 4, { groupId, memberId, generationId });
    const joined = await run.ask('joinGroup', 9, again, { label: 'in the consumer group' });
    await run.ask('syncGroup', 5, syncOf({ ...joined, groupId }, 5, []));
    await run.ask('leaveGroup', 5, leaveOf(member, 5));
  },

  async 'a text that is too long, of a member that is behind'(run) {
    const topic = await knownTopic(run);
    const groupId = run.fresh('group');
    const memberId = memberOf(run);
    await beat(run, joining(groupId, memberId, topic.name));
    const commit = { memberId, generation: 1, metadata: 'x'.repeat(5000) };
    for (const version of run.versions('offsetCommit').filter((each) => each >= 9))
      await run.ask('offsetCommit', version, commitOf(groupId, version, topic, commit));
  },

  async 'a transaction of which one partition takes no marker tells of that one'(run) {
    const [topic, other] = [await run.topic(), await run.topic()];
    const identity = await begin(run);
    await add(run, identity, topic);
    await add(run, identity, other);
    // A coordinator of later, as far as the partition knows.
    const marker = {
      producerId: identity.producerId,
      producerEpoch: identity.producerEpoch,
      transactionResult: false,
      topics: [{ name: topic.name, partitionIndexes: [0] }],
      coordinatorEpoch: 1000,
    };
    await run.ask('writeTxnMarkers', 1, { markers: [marker] });
    await run.ask('endTxn', 4, { ...identity, committed: true });
    await run.until(
      ['describeTransactions', 0, { transactionalIds: [identity.transactionalId] }],
      ({ transactionStates: [state] }) => state?.topics.length === 1,
    );
  },

  async 'the offset of a transaction says of which topic it is'(run) {
    const topic = await run.topic();
    const offsets = [{ name: '__consumer_offsets', partitions: 50 }];
    for (const version of run.versions('txnOffsetCommit')) {
      const groupId = run.fresh('group');
      const identity = await begin(run);
      await add(run, identity, topic);
      await run.ask('addOffsetsToTxn', 3, { ...identity, groupId });
      const commit = offsetsOfTransaction(identity, groupId, version, { topic });
      await run.ask('txnOffsetCommit', version, commit);
      await end(run, identity, true);
      const logs = [...logsOf({ logFolder: run.logFolder, topics: offsets }).values()];
      const log = logs.find((bytes) => bytes.includes(groupId));
      const at = log?.indexOf(groupId) ?? 0;
      const hasId = log?.subarray(at, at + 300).includes(Buffer.from(topic.id, 'base64url'));
      run.note('txnOffsetCommit', version, { hasId: hasId ?? null });
    }
  },
};
