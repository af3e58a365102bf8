// Which ACL counts for what.
import { setTimeout as sleep } from 'node:timers/promises';
import { aclOf, type AclOptions, clusterName, grant, revoke } from '../support/aclRequests.ts';
import { stageOf } from '../support/aclProbes.ts';
import { commitOf } from '../support/groupRequests.ts';
import { batchOf, createOf, fetchFrom, produce, produceTo } from '../support/requests.ts';
import { begin, offsetsOfTransaction } from '../support/transactionRequests.ts';
import type { RequestInput } from '../../wire/broker/support/rawClient.ts';
import type { Run, Scenarios, Topic } from '../support/run.ts';
import { users } from '../support/sides.ts';

const userOf = (index: number): string => users[index] ?? '';

/** What may be done with topics, as Metadata tells it. */
async function tell(run: Run, user: string, topics: readonly Topic[], label: string) {
  const on = await run.connectAs(user);
  await run.last(
    'metadata',
    {
      topics: topics.map(({ name }) => ({ name })),
      allowAutoTopicCreation: false,
      includeTopicAuthorizedOperations: true,
    },
    { on, label },
  );
}

export const aclRuleScenarios: Scenarios = {
  async 'a denial beats what is allowed, wherever either stands'(run) {
    const user = userOf(4);
    const topic = await run.topic();
    const { name } = topic;
    const prefix: AclOptions = { pattern: 'prefixed' };
    const deny: AclOptions = { permission: 'deny' };
    const cases: Record<string, readonly (readonly [string, AclOptions])[]> = {
      literal: [[name, {}]],
      'literal denied by prefix': [
        [name, {}],
        [name.slice(0, 5), { ...prefix, ...deny }],
      ],
      'prefix denied by literal': [
        [name.slice(0, 5), prefix],
        [name, deny],
      ],
      'wildcard denied by literal': [
        ['*', {}],
        [name, deny],
      ],
      'literal denied by wildcard': [
        [name, {}],
        ['*', deny],
      ],
      'a shorter and a longer prefix': [
        [name.slice(0, 2), prefix],
        [name.slice(0, 9), prefix],
      ],
      'a prefix that is longer than the name': [[`${name}x`, prefix]],
      'a prefix that is the name': [[name, prefix]],
      'a literal that is only the beginning': [[name.slice(0, 5), {}]],
      'from here': [[name, { host: '127.0.0.1' }]],
      'from elsewhere': [[name, { host: '127.0.0.2' }]],
      'from a network': [[name, { host: '127.0.0.0/8' }]],
      'from another network': [[name, { host: '10.0.0.0/8' }]],
      'denied from here': [
        [name, {}],
        [name, { ...deny, host: '127.0.0.0/31' }],
      ],
      'denied from elsewhere': [
        [name, {}],
        [name, { ...deny, host: '10.1.0.0/16' }],
      ],
    };
    for (const [label, entries] of Object.entries(cases)) {
      await grant(
        run,
        entries.map(([each, options]) => aclOf(user, 'read', each, options)),
      );
      await tell(run, user, [topic], label);
      await revoke(run, user);
    }
  },

  async 'one operation brings another, and a denial does not'(run) {
    const user = userOf(5);
    const topic = await run.topic();
    for (const operation of [
      'read',
      'write',
      'delete',
      'alter',
      'alterConfigs',
      'describeConfigs',
      'create',
      'all',
    ] as const) {
      await grant(run, [aclOf(user, operation, topic.name)]);
      await tell(run, user, [topic], operation);
      await revoke(run, user);
      await grant(run, [
        aclOf(user, 'all', topic.name),
        aclOf(user, operation, topic.name, { permission: 'deny' }),
      ]);
      await tell(run, user, [topic], `all but ${operation}`);
      await revoke(run, user);
    }
  },

  async 'everybody is a principal, other types of principals are other people'(run) {
    const user = userOf(6);
    const topic = await run.topic();
    const acl = aclOf('*', 'read', topic.name);
    await grant(run, [acl]);
    await tell(run, user, [topic], 'everybody');
    await grant(run, [aclOf('*', 'read', topic.name, { permission: 'deny' })]);
    await tell(run, user, [topic], 'nobody');
    await revoke(run, '*');
    await grant(run, [{ ...acl, principal: `Group:${user}` }]);
    await tell(run, user, [topic], 'another type');
  },

  async 'lists show what may be seen'(run) {
    const user = userOf(7);
    const on = await run.connectAs(user);
    const [seen, hidden] = [await stageOf(run), await stageOf(run)];
    const id = seen.identity.transactionalId;
    await grant(run, [
      aclOf(user, 'read', seen.topic.name),
      aclOf(user, 'describe', seen.groupId, { resource: 'group' }),
      aclOf(user, 'describe', id, { resource: 'transactionalId' }),
    ]);
    for (const version of run.versions('metadata'))
      await run.ask(
        'metadata',
        version,
        { topics: version === 0 ? [] : null },
        { on, label: 'all' },
      );
    await run.last(
      'metadata',
      { topics: [seen, hidden].map(({ topic }) => ({ name: null, topicId: topic.id })) },
      { on },
    );
    await run.last('describeTopicPartitions', { topics: [], responsePartitionLimit: 10 }, { on });
    await run.last(
      'describeTopicPartitions',
      {
        topics: [seen, hidden].map(({ topic }) => ({ name: topic.name })),
        responsePartitionLimit: 10,
        cursor: { topicName: hidden.topic.name, partitionIndex: 0 },
      },
      { on, label: 'from a cursor' },
    );
    for (const version of run.versions('listGroups'))
      await run.ask('listGroups', version, {}, { on });
    for (const version of run.versions('listTransactions'))
      await run.ask('listTransactions', version, {}, { on });
    const transactionalIds = [id, hidden.identity.transactionalId];
    await run.last('describeTransactions', { transactionalIds }, { on });
    await run.prepare('offsetCommit', 9, commitOf(seen.groupId, 9, hidden.topic));
    for (const version of run.versions('offsetFetch').filter((each) => each >= 8))
      await run.ask(
        'offsetFetch',
        version,
        { groups: [seen, hidden].map(({ groupId }) => ({ groupId, topics: null })) },
        { on, label: 'all' },
      );
    const groups = [seen.groupId, hidden.groupId];
    await run.last('describeGroups', { groups, includeAuthorizedOperations: true }, { on });
  },

  async 'each topic, group and id of a request is looked at for itself'(run) {
    const user = userOf(8);
    const on = await run.connectAs(user);
    const [seen, hidden] = [await stageOf(run), await stageOf(run)];
    const both = [seen, hidden];
    await grant(run, [
      aclOf(user, 'all', seen.topic.name),
      aclOf(user, 'all', seen.groupId, { resource: 'group' }),
    ]);
    const records = batchOf(['v']);
    for (const acks of [-1, 2])
      for (const refused of [records, Buffer.alloc(0), null])
        for (const version of run.versions('produce')) {
          const data = [
            produceTo(seen.topic, version, records),
            produceTo(hidden.topic, version, refused),
          ];
          const topicData = data.flatMap((each) => each.topicData ?? []);
          const request = { ...produceTo(seen.topic, version, records), acks, topicData };
          await run.ask('produce', version, request, { on, label: `acks ${acks}` });
        }
    const silent = await run.connectAs(user);
    silent.send('produce', 9, { ...produceTo(hidden.topic, 9, records), acks: 0 });
    const isClosed = await silent.isClosedByServer();
    run.note('produce', 9, { isClosed }, 'without acknowledgement');
    for (const version of run.versions('fetch'))
      await run.ask(
        'fetch',
        version,
        {
          ...fetchFrom(seen.topic, version),
          topics: both.flatMap(({ topic }) => fetchFrom(topic, version).topics ?? []),
        },
        { on },
      );
    for (const version of run.versions('offsetCommit'))
      await run.ask(
        'offsetCommit',
        version,
        {
          ...commitOf(seen.groupId, version, seen.topic),
          topics: both.flatMap(({ topic }) => commitOf(seen.groupId, version, topic).topics ?? []),
        },
        { on },
      );
    for (const version of run.versions('offsetFetch').filter((each) => each >= 8)) {
      const topics = both.map(({ topic: { name, id } }) => ({
        ...(version >= 10 ? { topicId: id } : { name }),
        partitionIndexes: [0],
      }));
      const groups = both.map(({ groupId }) => ({ groupId, topics }));
      await run.ask('offsetFetch', version, { groups }, { on });
    }
    const names = both.map(({ topic }) => topic.name);
    await run.last(
      'deleteRecords',
      {
        topics: names.map((name) => ({ name, partitions: [{ partitionIndex: 0, offset: 1n }] })),
        timeoutMs: 10_000,
      },
      { on },
    );
    await run.last(
      'listOffsets',
      {
        replicaId: -1,
        topics: names.map((name) => ({
          name,
          partitions: [{ partitionIndex: 0, timestamp: -1n }],
        })),
      },
      { on },
    );
    await run.last(
      'createPartitions',
      {
        topics: [...names, run.fresh('none')].map((name) => ({
          name,
          count: 2,
          assignments: null,
        })),
        timeoutMs: 10_000,
        validateOnly: true,
      },
      { on },
    );
    await run.last(
      'offsetDelete',
      {
        groupId: seen.groupId,
        topics: names.map((name) => ({ name, partitions: [{ partitionIndex: 0 }] })),
      },
      { on },
    );
    await run.last(
      'deleteGroups',
      { groupsNames: [seen.groupId, hidden.groupId, hidden.groupId] },
      { on },
    );
  },

  async 'topics are made where CREATE is allowed, and by asking for them too'(run) {
    const user = userOf(9);
    const on = await run.connectAs(user);
    const name = (what: string) => run.fresh(what);
    const wanted = name('wanted');
    const ask = (topic: string, label: string) =>
      run.last(
        'metadata',
        { topics: [{ name: topic }], allowAutoTopicCreation: true },
        { on, label },
      );
    await ask(name('no-acl'), 'not described');
    await grant(run, [aclOf(user, 'describe', '*')]);
    await ask(wanted, 'described');
    await run.last('createTopics', createOf(name('refused')), { on });
    await grant(run, [aclOf(user, 'create', wanted)]);
    await ask(wanted, 'may be made');
    await run.until(
      ['metadata', 12, { topics: [{ name: wanted }], allowAutoTopicCreation: false }],
      ({ topics }) => topics[0]?.errorCode === 0,
    );
    const made = name('made');
    await grant(run, [aclOf(user, 'create', made)]);
    for (const version of run.versions('createTopics'))
      await run.ask('createTopics', version, createOf(made), { on, label: 'without configs' });
    await grant(run, [
      aclOf(user, 'describeConfigs', '*'),
      aclOf(user, 'create', clusterName, { resource: 'cluster' }),
    ]);
    await run.last('createTopics', createOf(name('whole')), { on });
  },

  async 'topics are deleted where DELETE is allowed'(run) {
    const user = userOf(10);
    const on = await run.connectAs(user);
    const remove = async (topic: { name: string; id: string }, label: string) => {
      for (const version of run.versions('deleteTopics').filter((each) => each >= 4))
        await run.ask(
          'deleteTopics',
          version,
          version >= 6
            ? { topics: [{ name: topic.name }], timeoutMs: 10_000 }
            : { topicNames: [topic.name], timeoutMs: 10_000 },
          { on, label },
        );
      await run.last(
        'deleteTopics',
        { topics: [{ name: null, topicId: topic.id }], timeoutMs: 10_000 },
        { on, label: `${label} by id` },
      );
    };
    const topic = await run.topic();
    const nothing = { name: run.fresh('none'), id: 'dW5rbm93bnVua25vd251bg' };
    await remove(topic, 'hidden');
    await remove(nothing, 'hidden and not there');
    await grant(run, [aclOf(user, 'describe', '*')]);
    await remove(topic, 'described');
    await remove(nothing, 'described and not there');
    await grant(run, [aclOf(user, 'delete', topic.name)]);
    await remove(topic, 'may be deleted');
    run.topics.pop(); // its logs are gone
  },

  async 'idempotent producers need to be able to write somewhere'(run) {
    const user = userOf(11);
    const on = await run.connectAs(user);
    const ask = (label: string) =>
      run.last(
        'initProducerId',
        { transactionalId: null, transactionTimeoutMs: 60_000 },
        { on, label },
      );
    const deny: AclOptions = { permission: 'deny' };
    const prefixed: AclOptions = { pattern: 'prefixed' };
    const cases: Record<string, readonly ReturnType<typeof aclOf>[]> = {
      'on the cluster': [aclOf(user, 'idempotentWrite', clusterName, { resource: 'cluster' })],
      'a topic': [aclOf(user, 'write', 'some')],
      'all of a topic': [aclOf(user, 'all', 'some')],
      'read a topic': [aclOf(user, 'read', 'some')],
      'a topic that is denied': [aclOf(user, 'write', 'some'), aclOf(user, 'write', 'some', deny)],
      'a topic whose prefix is denied': [
        aclOf(user, 'write', 'some'),
        aclOf(user, 'write', 's', { ...deny, ...prefixed }),
      ],
      'a prefix of which a topic is denied': [
        aclOf(user, 'write', 's', prefixed),
        aclOf(user, 'write', 'some', deny),
      ],
      'a prefix of which a shorter one is denied': [
        aclOf(user, 'write', 'som', prefixed),
        aclOf(user, 'write', 's', { ...deny, ...prefixed }),
      ],
      'all topics, one denied': [aclOf(user, 'write', '*'), aclOf(user, 'write', 'some', deny)],
      'a topic, all denied': [aclOf(user, 'write', 'some'), aclOf(user, 'write', '*', deny)],
      'from elsewhere': [aclOf(user, 'write', 'some', { host: '10.0.0.1' })],
    };
    await ask('nothing');
    for (const [label, acls] of Object.entries(cases)) {
      await grant(run, acls);
      await ask(label);
      await revoke(run, user);
    }
  },

  async 'members of consumer groups see the topics that they may describe'(run) {
    const user = userOf(12);
    const on = await run.connectAs(user);
    const [seen, hidden] = [await run.topic(), await run.topic()];
    await grant(run, [
      aclOf(user, 'read', run.fresh('').slice(0, -2), { resource: 'group', pattern: 'prefixed' }),
      aclOf(user, 'read', seen.name),
    ]);
    const beat = (groupId: string, more: object) => ({
      groupId,
      memberId: `member-of-${groupId}`,
      memberEpoch: 0,
      rebalanceTimeoutMs: 60_000,
      topicPartitions: [],
      ...more,
    });
    const names = run.fresh('by-name');
    await run.last(
      'consumerGroupHeartbeat',
      beat(names, { subscribedTopicNames: [seen.name, hidden.name] }),
      { on },
    );
    await run.last('consumerGroupHeartbeat', beat(names, { subscribedTopicNames: [seen.name] }), {
      on,
    });
    const pattern = run.fresh('by-pattern');
    const regex = { subscribedTopicRegex: `${seen.name.slice(0, -1)}.*`, subscribedTopicNames: [] };
    const joined = await run.prepare('consumerGroupHeartbeat', 1, beat(run.fresh('super'), regex));
    if (joined.errorCode !== 0) throw new Error(`not joined: ${joined.errorCode}`);
    let last = await on.call('consumerGroupHeartbeat', 1, beat(pattern, regex));
    // Kafka looks the pattern up on a thread of its own.
    for (let beats = 0; (last.assignment?.topicPartitions.length ?? 0) === 0; beats++) {
      if (beats === 1500) throw new Error(`nothing was found by ${regex.subscribedTopicRegex}`);
      await sleep(20);
      const { memberEpoch } = last;
      const next = await on.call('consumerGroupHeartbeat', 1, {
        groupId: pattern,
        memberId: `member-of-${pattern}`,
        memberEpoch,
      });
      last = { ...next, assignment: next.assignment ?? last.assignment };
    }
    run.note('consumerGroupHeartbeat', 1, last.assignment, 'found by a pattern');
    for (const groupId of [names, pattern])
      await run.last('consumerGroupDescribe', { groupIds: [groupId] }, { on });
    const everything = run.fresh('everything');
    await run.prepare(
      'consumerGroupHeartbeat',
      1,
      beat(everything, { subscribedTopicNames: [seen.name, hidden.name] }),
    );
    await run.last(
      'consumerGroupDescribe',
      { groupIds: [everything] },
      { on, label: 'reads what is hidden' },
    );
  },

  async 'transactions need their id, their topics and their group'(run) {
    const user = userOf(13);
    const on = await run.connectAs(user);
    const { topic, groupId, identity } = await stageOf(run);
    const other = await run.topic();
    await produce(run, other, batchOf(['v']));
    const mine = await begin(run);
    const add = (label: string) =>
      run.ask(
        'addPartitionsToTxn',
        3,
        {
          v3AndBelowTransactionalId: mine.transactionalId,
          v3AndBelowProducerId: mine.producerId,
          v3AndBelowProducerEpoch: mine.producerEpoch,
          v3AndBelowTopics: [topic, other].map(({ name }) => ({ name, partitions: [0] })),
        },
        { on, label },
      );
    await add('nothing');
    await grant(run, [aclOf(user, 'write', mine.transactionalId, { resource: 'transactionalId' })]);
    await add('the id');
    await grant(run, [aclOf(user, 'write', topic.name)]);
    await add('the id and a topic');
    await run.ask('addOffsetsToTxn', 3, { ...mine, groupId }, { on, label: 'no group' });
    await run.ask('addOffsetsToTxn', 3, { ...identity, groupId }, { on, label: 'another id' });
    await grant(run, [aclOf(user, 'read', groupId, { resource: 'group' })]);
    await run.ask('addOffsetsToTxn', 3, { ...mine, groupId }, { on, label: 'the group' });
    await grant(run, [aclOf(user, 'read', other.name)]);
    for (const version of run.versions('txnOffsetCommit').filter((each) => each >= 3)) {
      const [{ topics: first = [] }, { topics: second = [] }] = [topic, other].map((each) =>
        offsetsOfTransaction(mine, groupId, version, { topic: each }),
      ) as [RequestInput<'txnOffsetCommit'>, RequestInput<'txnOffsetCommit'>];
      const request = offsetsOfTransaction(mine, groupId, version, { topic });
      await run.ask(
        'txnOffsetCommit',
        version,
        { ...request, topics: [...first, ...second] },
        { on },
      );
    }
    await run.last('endTxn', { ...mine, committed: false }, { on });
  },
};
