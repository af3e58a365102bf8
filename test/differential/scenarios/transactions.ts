// Transactions: InitProducerId, AddPartitionsToTxn, AddOffsetsToTxn, TxnOffsetCommit, EndTxn, and what reads them.
import { stable } from '../support/groupRequests.ts';
import { batchOf, fetchFrom, int32Max, produceTo, unknownTopicId } from '../support/requests.ts';
import type { Run, Scenarios } from '../support/run.ts';
import {
  add,
  addOf,
  begin,
  end,
  type Identity,
  offsetsOfTransaction,
  sendOf,
  settled,
} from '../support/transactionRequests.ts';

const whole = (name: string) => ({ name, partitions: [0] });

/** Every request of a producer, at every version, with an identity that will not do. */
async function refusedEverywhere(run: Run, identity: Identity, label: string): Promise<void> {
  const topic = await run.topic();
  const groupId = run.fresh('group');
  await run.each(
    'addPartitionsToTxn',
    (version) => addOf(identity, version, [whole(topic.name)]),
    label,
  );
  await run.each('addOffsetsToTxn', () => ({ ...identity, groupId }), label);
  await run.each(
    'txnOffsetCommit',
    (version) => offsetsOfTransaction(identity, groupId, version, { topic }),
    label,
  );
  for (const committed of [true, false])
    await run.each('endTxn', () => ({ ...identity, committed }), label);
  for (const version of run.versions('produce'))
    await run.closing('produce', version, sendOf(identity, topic, version), label);
}

export const transactionScenarios: Scenarios = {
  async 'InitProducerId at every version, and again'(run) {
    for (const version of run.versions('initProducerId')) {
      const { transactionalId } = await begin(run, { version });
      await begin(run, { transactionalId, version });
      await run.ask('describeTransactions', 0, { transactionalIds: [transactionalId] });
    }
  },

  async 'InitProducerId with an id and epoch that it gave'(run) {
    for (const version of run.versions('initProducerId').filter((each) => each >= 3)) {
      const { transactionalId, producerId, producerEpoch } = await begin(run, { version });
      const request = { transactionalId, transactionTimeoutMs: 60_000 };
      await run.ask('initProducerId', version, { ...request, producerId, producerEpoch });
      await run.ask(
        'initProducerId',
        version,
        { ...request, producerId, producerEpoch },
        { label: 'retried' },
      );
      await run.ask(
        'initProducerId',
        version,
        { ...request, producerId, producerEpoch: 77 },
        { label: 'ahead' },
      );
      await run.ask(
        'initProducerId',
        version,
        { ...request, producerId: producerId + 999n, producerEpoch },
        { label: 'other id' },
      );
      await run.ask(
        'initProducerId',
        version,
        { ...request, producerId, producerEpoch: -1 },
        { label: 'half' },
      );
    }
  },

  async 'InitProducerId refuses'(run) {
    await begin(run);
    for (const transactionTimeoutMs of [0, -1, 900_001, int32Max])
      await run.each(
        'initProducerId',
        () => ({ transactionalId: run.fresh('txn'), transactionTimeoutMs }),
        `${transactionTimeoutMs}`,
      );
    await run.each('initProducerId', () => ({ transactionalId: '', transactionTimeoutMs: 60_000 }));
  },

  async 'transactional ids that nobody has'(run) {
    await refusedEverywhere(
      run,
      { transactionalId: run.fresh('txn'), producerId: 5000n, producerEpoch: 0 },
      'unknown',
    );
  },

  async 'transactional ids without a name'(run) {
    const identity = { transactionalId: '', producerId: 5000n, producerEpoch: 0 };
    const topic = await run.topic();
    await run.each('addPartitionsToTxn', (version) =>
      addOf(identity, version, [whole(topic.name)]),
    );
    await run.each('addOffsetsToTxn', () => ({ ...identity, groupId: 'g' }));
    await run.each('endTxn', () => ({ ...identity, committed: true }));
    await run.ask('describeTransactions', 0, { transactionalIds: [''] });
  },

  async 'another producer id'(run) {
    const identity = await begin(run);
    await refusedEverywhere(
      run,
      { ...identity, producerId: identity.producerId + 1000n },
      'other id',
    );
  },

  async 'an epoch that has been fenced'(run) {
    const old = await begin(run);
    await begin(run, { transactionalId: old.transactionalId });
    await refusedEverywhere(run, old, 'fenced');
  },

  async 'an epoch from the future'(run) {
    const identity = await begin(run);
    await refusedEverywhere(run, { ...identity, producerEpoch: 9 }, 'ahead');
  },

  async 'committed and aborted, at every version of EndTxn'(run) {
    for (const version of run.versions('endTxn'))
      for (const committed of [true, false]) {
        const topic = await run.topic();
        const produceVersion = version < 5 ? 11 : 12;
        const identity = await begin(run, { version: version < 5 ? 4 : 5 });
        if (version < 5) await add(run, identity, topic);
        await run.ask('produce', produceVersion, sendOf(identity, topic, produceVersion));
        const next = await end(run, identity, committed, version);
        await run.ask('endTxn', version, { ...identity, committed }, { label: 'retried' });
        await run.ask(
          'endTxn',
          version,
          { ...identity, committed: !committed },
          { label: 'otherwise' },
        );
        await settled(run, identity);
        await run.ask('endTxn', version, { ...next, committed }, { label: 'again' });
        await settled(run, identity);
        await run.each('fetch', (each) => fetchFrom(topic, each, { isolationLevel: 1 }));
      }
  },

  async 'ended before anything was written'(run) {
    for (const version of run.versions('endTxn'))
      for (const committed of [true, false]) {
        const identity = await begin(run, { version: version < 5 ? 4 : 5 });
        await run.ask('endTxn', version, { ...identity, committed });
        await settled(run, identity);
      }
  },

  async 'AddPartitionsToTxn at every version, with unknown topics among them'(run) {
    const topic = await run.topic({ partitions: 2 });
    for (const version of run.versions('addPartitionsToTxn')) {
      const identity = await begin(run);
      await run.ask(
        'addPartitionsToTxn',
        version,
        addOf(identity, version, [{ name: topic.name, partitions: [0, 1] }]),
      );
      const mixed = [
        { name: topic.name, partitions: [0, 5] },
        { name: run.fresh('ghost'), partitions: [0] },
      ];
      await run.ask('addPartitionsToTxn', version, addOf(identity, version, mixed));
      await run.closing('addPartitionsToTxn', version, addOf(identity, version, []));
      if (version >= 4) {
        await run.ask(
          'addPartitionsToTxn',
          version,
          addOf(identity, version, [{ name: topic.name, partitions: [0, 1] }], true),
        );
        const other = await begin(run);
        await run.ask(
          'addPartitionsToTxn',
          version,
          addOf(other, version, [{ name: topic.name, partitions: [0] }], true),
        );
        await run.closing('addPartitionsToTxn', version, { transactions: [] });
      }
      await run.ask('describeTransactions', 0, { transactionalIds: [identity.transactionalId] });
      await end(run, identity, false);
    }
  },

  async 'produced without having been added'(run) {
    for (const version of run.versions('produce')) {
      const topic = await run.topic();
      const identity = await begin(run);
      await run.ask('produce', version, sendOf(identity, topic, version));
      await run.ask('describeTransactions', 0, { transactionalIds: [identity.transactionalId] });
      await run.ask('describeProducers', 0, {
        topics: [{ name: topic.name, partitionIndexes: [0] }],
      });
      if (version >= 12) await end(run, identity, false, 5);
    }
  },

  async 'produced outside of the transaction that is open'(run) {
    const topic = await run.topic();
    const identity = await begin(run);
    await add(run, identity, topic);
    await run.ask('produce', 11, sendOf(identity, topic, 11));
    const { producerId, producerEpoch } = identity;
    const plain = batchOf(['plain'], { producerId, producerEpoch, baseSequence: 1 });
    await run.each('produce', (version) => produceTo(topic, version, plain), 'not transactional');
    await run.ask('produce', 11, sendOf(identity, topic, 11, { sequence: 5 }), { label: 'a gap' });
    await run.ask('produce', 11, sendOf(identity, topic, 11, { sequence: 1 }), {
      label: 'in order',
    });
    await end(run, identity, true);
    await run.ask('produce', 11, sendOf(identity, topic, 11, { sequence: 2 }), {
      label: 'after the end',
    });
  },

  async 'read while it is open and after it was aborted'(run) {
    const topic = await run.topic();
    const identity = await begin(run);
    await run.prepare('produce', 9, produceTo(topic, 9, batchOf(['before'])));
    await add(run, identity, topic);
    await run.ask('produce', 11, sendOf(identity, topic, 11));
    await run.prepare('produce', 9, produceTo(topic, 9, batchOf(['between'])));
    const look = async () => {
      for (const isolationLevel of [0, 1]) {
        await run.each('fetch', (version) => fetchFrom(topic, version, { isolationLevel }));
        for (const timestamp of [-1n, -2n, 1_700_000_000_000n])
          for (const version of run.versions('listOffsets').filter((each) => each >= 2))
            await run.ask('listOffsets', version, {
              replicaId: -1,
              isolationLevel,
              topics: [{ name: topic.name, partitions: [{ partitionIndex: 0, timestamp }] }],
            });
      }
      await run.ask('describeProducers', 0, {
        topics: [{ name: topic.name, partitionIndexes: [0] }],
      });
    };
    await look();
    await end(run, identity, false);
    await look();
  },

  async 'offsets in a transaction, committed and aborted, at every version'(run) {
    const topic = await run.topic();
    for (const version of run.versions('txnOffsetCommit'))
      for (const committed of [true, false]) {
        const groupId = run.fresh('group');
        const isNew = version >= 5;
        const identity = await begin(run, { version: isNew ? 5 : 4 });
        if (!isNew)
          await run.ask('addOffsetsToTxn', Math.min(version, 3), { ...identity, groupId });
        await run.ask(
          'txnOffsetCommit',
          version,
          offsetsOfTransaction(identity, groupId, version, { topic }),
        );
        const [group] = [{ groupId, topics: [{ name: topic.name, partitionIndexes: [0] }] }];
        await run.ask(
          'offsetFetch',
          8,
          { groups: [group], requireStable: true },
          { label: 'open' },
        );
        await run.ask(
          'offsetFetch',
          7,
          { groupId, topics: group.topics, requireStable: true },
          { label: 'open' },
        );
        await run.ask('offsetFetch', 8, { groups: [group] }, { label: 'open, not stable' });
        await end(run, identity, committed, isNew ? 5 : 4);
        await run.until(
          ['offsetFetch', 8, { groups: [group], requireStable: true }],
          ({ groups: [found] }) => found?.topics[0]?.partitions[0]?.errorCode === 0,
        );
      }
  },

  async 'AddOffsetsToTxn at every version'(run) {
    for (const version of run.versions('addOffsetsToTxn')) {
      const identity = await begin(run);
      await run.ask('addOffsetsToTxn', version, { ...identity, groupId: run.fresh('group') });
      await run.ask(
        'addOffsetsToTxn',
        version,
        { ...identity, groupId: '' },
        { label: 'no group' },
      );
      await end(run, identity, true);
    }
  },

  async 'TxnOffsetCommit refuses'(run) {
    const topic = await run.topic();
    const member = await stable(run);
    const { groupId, memberId } = member;
    const identity = await begin(run);
    await run.ask('addOffsetsToTxn', 3, { ...identity, groupId });
    const cases = {
      'an unknown member': { memberId: 'nobody', generation: member.generationId },
      'an old generation': { memberId, generation: member.generationId + 1 },
      'no member': {},
      'an unknown instance': { memberId, generation: member.generationId, groupInstanceId: 'x' },
      'long metadata': { memberId, generation: member.generationId, metadata: 'x'.repeat(5000) },
      'no such partition': { memberId, generation: member.generationId, partition: 9 },
    };
    for (const [label, more] of Object.entries(cases))
      for (const version of run.versions('txnOffsetCommit').filter((each) => each < 5))
        await run.ask(
          'txnOffsetCommit',
          version,
          offsetsOfTransaction(identity, groupId, version, { topic, ...more }),
          { label },
        );
    const ghost = { name: run.fresh('ghost'), id: unknownTopicId };
    await run.each('txnOffsetCommit', (version) =>
      offsetsOfTransaction(identity, groupId, version, { topic: ghost }),
    );
    await run.each(
      'txnOffsetCommit',
      (version) => offsetsOfTransaction(identity, '', version, { topic }),
      'no group',
    );
    await end(run, identity, false);
  },

  async WriteTxnMarkers(run) {
    const topic = await run.topic();
    for (const version of run.versions('writeTxnMarkers')) {
      const marker = {
        producerId: 77n,
        producerEpoch: 3,
        transactionResult: true,
        coordinatorEpoch: 5,
      };
      const topics = [
        { name: topic.name, partitionIndexes: [0, 4] },
        { name: run.fresh('ghost'), partitionIndexes: [0] },
      ];
      await run.ask('writeTxnMarkers', version, { markers: [{ ...marker, topics }] });
      const own = [{ name: topic.name, partitionIndexes: [0] }];
      await run.ask(
        'writeTxnMarkers',
        version,
        { markers: [{ ...marker, producerEpoch: 2, topics: own }] },
        { label: 'old epoch' },
      );
      await run.ask(
        'writeTxnMarkers',
        version,
        { markers: [{ ...marker, coordinatorEpoch: 4, topics: own }] },
        { label: 'old coordinator' },
      );
      await run.ask('writeTxnMarkers', version, { markers: [] });
    }
  },

  async 'WriteTxnMarkers of no producer, beside others'(run) {
    const topic = await run.topic();
    const ghost = run.fresh('ghost');
    const marker = { transactionResult: true, coordinatorEpoch: 5 };
    const of = (
      producerId: bigint,
      producerEpoch: number,
      partition: number,
      name = topic.name,
    ) => {
      return {
        ...marker,
        producerId,
        producerEpoch,
        topics: [{ name, partitionIndexes: [partition] }],
      };
    };
    const cases = {
      'no id': [of(88n, 1, 0), of(-1n, 3, 0), of(89n, 1, 0)],
      'no epoch': [of(90n, -1, 0)],
      'a negative id': [of(-2n, 3, 0)],
      'a negative epoch': [of(91n, -2, 0)],
      'nobody, in offsets': [of(-1n, 3, 0, '__consumer_offsets'), of(93n, 1, 0)],
      'nobody, nowhere': [of(-1n, -1, 0, ghost), of(92n, 1, 0)],
    };
    for (const version of run.versions('writeTxnMarkers'))
      for (const [label, markers] of Object.entries(cases))
        await run.ask('writeTxnMarkers', version, { markers }, { label });
  },

  async 'ListTransactions with its filters'(run) {
    const open = await begin(run);
    const topic = await run.topic();
    await add(run, open, topic);
    const empty = await begin(run);
    const own = new Set([open.transactionalId, empty.transactionalId]);
    for (const version of run.versions('listTransactions')) {
      const filters = [
        {},
        { stateFilters: ['Ongoing'] },
        { stateFilters: ['Ongoing', 'nonsense'] },
        { producerIdFilters: [open.producerId] },
        ...(version >= 1 ? [{ durationFilter: 0n }, { durationFilter: 3_600_000n }] : []),
        ...(version >= 2
          ? [
              { transactionalIdPattern: 'transactions-.*' },
              { transactionalIdPattern: 'x' },
              { transactionalIdPattern: '(' },
              { transactionalIdPattern: 'x'.repeat(2049) },
            ]
          : []),
      ];
      for (const filter of filters) {
        const { transactionStates, ...rest } = await run.prepare(
          'listTransactions',
          version,
          filter,
        );
        const mine = transactionStates.filter(({ transactionalId }) => own.has(transactionalId));
        run.note('listTransactions', version, { ...rest, transactionStates: mine });
      }
    }
    await end(run, open, false);
  },

  async 'DescribeTransactions and DescribeProducers of what is not there'(run) {
    await run.ask('describeTransactions', 0, { transactionalIds: [run.fresh('txn')] });
    await run.ask('describeTransactions', 0, { transactionalIds: [] });
    const topic = await run.topic();
    await run.ask('describeProducers', 0, {
      topics: [{ name: topic.name, partitionIndexes: [0, 7] }],
    });
    await run.ask('describeProducers', 0, {
      topics: [{ name: run.fresh('ghost'), partitionIndexes: [0] }],
    });
    await run.ask('describeProducers', 0, { topics: [{ name: 'a b', partitionIndexes: [0] }] });
    await run.ask('describeProducers', 0, { topics: [] });
  },

  async 'a transaction that is open when its id is asked for again'(run) {
    for (const version of run.versions('initProducerId')) {
      const topic = await run.topic();
      const old = await begin(run, { version: 4 });
      await add(run, old, topic);
      await run.ask('produce', 11, sendOf(old, topic, 11));
      const request = { transactionalId: old.transactionalId, transactionTimeoutMs: 60_000 };
      await run.ask('initProducerId', version, request);
      await begin(run, { transactionalId: old.transactionalId, version });
      await run.ask('endTxn', 4, { ...old, committed: true });
      await run.each('fetch', (each) => fetchFrom(topic, each, { isolationLevel: 1 }));
    }
  },
};
