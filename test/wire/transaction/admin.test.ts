import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import type { RawClient, RequestInput } from '../broker/support/rawClient.ts';
import {
  connections,
  createTopic,
  errorName,
  freshName,
  patienceMs,
  servers,
} from '../broker/support/servers.ts';
import { consume, fetchOnce, RawProducer } from './support/rawProducer.ts';

for (const server of servers) {
  describe(`Looking at transactions (${server.name})`, function () {
    this.timeout(patienceMs);
    const connect = connections(server);
    let client: RawClient;
    let topic: string;
    let prefix: string;

    before(async () => {
      client = await connect();
    });

    beforeEach(async () => {
      topic = freshName();
      prefix = freshName('list');
      await createTopic(client, topic, { partitions: 2 });
    });

    const listed = async (
      filters: RequestInput<'listTransactions'>,
      version = 2,
    ): Promise<string[]> => {
      const answer = await client.call('listTransactions', version, filters);
      assert.equal(errorName(answer.errorCode), 'NONE');
      return answer.transactionStates
        .filter(({ transactionalId }) => transactionalId.startsWith(prefix))
        .map((each) => `${each.transactionalId.slice(prefix.length)} ${each.transactionState}`)
        .sort();
    };

    it('[A6] [C7] lists them by state, producer, duration and pattern', async () => {
      const open = await RawProducer.start(client, `${prefix}-open`);
      await open.send(topic, ['a']);
      const done = await RawProducer.start(client, `${prefix}-done`);
      await done.send(topic, ['b']);
      await done.commit();
      await done.settled();
      await RawProducer.start(client, `${prefix}-new`);
      const all = ['-done CompleteCommit', '-new Empty', '-open Ongoing'];
      assert.deepEqual(await listed({}, 0), all);
      assert.deepEqual(await listed({ stateFilters: ['Ongoing', 'Empty'] }), all.slice(1));
      assert.deepEqual(await listed({ producerIdFilters: [done.producerId] }), all.slice(0, 1));
      assert.deepEqual(await listed({ durationFilter: 600_000n }), all.slice(1, 2));
      assert.deepEqual(await listed({ durationFilter: 0n }), all);
      const transactionalIdPattern = `${prefix}-(new|d.ne)`;
      assert.deepEqual(await listed({ transactionalIdPattern }), all.slice(0, 2));
      assert.deepEqual(await listed({ transactionalIdPattern: `${prefix}-n` }), []);
      assert.deepEqual(await listed({ transactionalIdPattern: '' }), all);
    });

    it('[A6] [C7] says which filters it cannot understand', async () => {
      const unknown = await client.call('listTransactions', 2, { stateFilters: ['Odd', 'Dead'] });
      assert.deepEqual(unknown.unknownStateFilters, ['Odd']);
      const broken = await client.call('listTransactions', 2, { transactionalIdPattern: '(' });
      assert.equal(errorName(broken.errorCode), 'INVALID_REGULAR_EXPRESSION');
    });

    it('[A6] [C7] describes one with its partitions, and says which are not there', async () => {
      const producer = await RawProducer.start(client, `${prefix}-open`);
      await producer.send(topic, ['a']);
      await producer.send(topic, ['b'], { partition: 1 });
      const described = await producer.describe();
      assert(described.transactionStartTimeMs > 0n);
      const [partitions] = described.topics;
      assert.deepEqual(partitions && [partitions.topic, [...partitions.partitions].sort()], [
        topic,
        [0, 1],
      ]);
      assert.deepEqual(
        { ...described, transactionStartTimeMs: 0n, topics: [] },
        {
          errorCode: 0,
          transactionalId: producer.transactionalId,
          transactionState: 'Ongoing',
          transactionTimeoutMs: 60_000,
          transactionStartTimeMs: 0n,
          producerId: producer.producerId,
          producerEpoch: producer.producerEpoch,
          topics: [],
        },
      );
      const { transactionStates } = await client.call('describeTransactions', 0, {
        transactionalIds: [`${prefix}-none`, ''],
      });
      const names = transactionStates.map(({ errorCode }) => errorName(errorCode));
      assert.deepEqual(names, ['TRANSACTIONAL_ID_NOT_FOUND', 'INVALID_REQUEST']);
    });

    const producersOf = async (name: string, partition: number) => {
      const { topics } = await client.call('describeProducers', 0, {
        topics: [{ name, partitionIndexes: [partition] }],
      });
      const answer = topics[0]?.partitions[0];
      assert(answer);
      return answer;
    };

    it('[A6] [C7] describes who writes to a partition, and where their transactions begin', async () => {
      const producer = await RawProducer.start(client, `${prefix}-open`);
      await producer.send(topic, ['a', 'b']);
      const { producerId } = producer;
      const [entry] = (await producersOf(topic, 0)).activeProducers;
      assert(entry && entry.lastTimestamp > 0n);
      assert.deepEqual(
        { ...entry, lastTimestamp: 0n },
        {
          producerId,
          producerEpoch: 0,
          lastSequence: 1,
          lastTimestamp: 0n,
          coordinatorEpoch: -1,
          currentTxnStartOffset: 0n,
        },
      );
      await producer.commit();
      await producer.settled();
      const [ended] = (await producersOf(topic, 0)).activeProducers;
      assert.deepEqual([ended?.producerEpoch, ended?.currentTxnStartOffset], [1, -1n]);
      assert.equal(
        errorName((await producersOf(topic, 9)).errorCode),
        'UNKNOWN_TOPIC_OR_PARTITION',
      );
      const unknown = await producersOf('no-such-topic', 0);
      assert.equal(errorName(unknown.errorCode), 'UNKNOWN_TOPIC_OR_PARTITION');
      assert.equal(errorName((await producersOf('..', 0)).errorCode), 'INVALID_TOPIC_EXCEPTION');
    });

    it('[A6] [C7] ends one by hand in a partition, which the coordinator does not notice', async () => {
      const producer = await RawProducer.start(client, `${prefix}-open`);
      await producer.send(topic, ['before'], { partition: 1 });
      await producer.commit();
      await producer.settled();
      await producer.send(topic, ['a']);
      const write = async (version: number, marker: { producerEpoch: number }) => {
        const { markers } = await client.call('writeTxnMarkers', version, {
          markers: [
            {
              producerId: producer.producerId,
              transactionResult: false,
              coordinatorEpoch: 0,
              ...marker,
              topics: [{ name: topic, partitionIndexes: [0, 9] }],
            },
          ],
        });
        return new Map(
          markers[0]?.topics.flatMap(({ partitions }) =>
            partitions.map(({ partitionIndex, errorCode }) => [
              partitionIndex,
              errorName(errorCode),
            ]),
          ),
        );
      };
      const { producerEpoch } = producer;
      const stale = await write(1, { producerEpoch: producerEpoch - 1 });
      assert.equal(stale.get(0), 'INVALID_PRODUCER_EPOCH');
      assert.equal(stale.get(9), 'UNKNOWN_TOPIC_OR_PARTITION');
      const written = await write(1, { producerEpoch });
      assert.equal(written.get(0), 'NONE');
      assert.deepEqual(await consume(client, topic), []);
      assert.equal((await fetchOnce(client, topic)).lastStableOffset, 2n);
      assert.equal((await producer.describe()).transactionState, 'Ongoing');
    });

    it('[A3] [A6] lists offsets up to the last stable one for readers of committed records', async () => {
      const producer = await RawProducer.start(client, `${prefix}-open`);
      await producer.send(topic, ['a']);
      await producer.commit();
      await producer.settled();
      await producer.send(topic, ['b', 'c']);
      const endFor = async (isolationLevel: number, timestamp: bigint): Promise<bigint> => {
        const { topics } = await client.call('listOffsets', 7, {
          replicaId: -1,
          isolationLevel,
          topics: [{ name: topic, partitions: [{ partitionIndex: 0, timestamp }] }],
        });
        return topics[0]?.partitions[0]?.offset ?? -2n;
      };
      assert.deepEqual([await endFor(0, -1n), await endFor(1, -1n)], [4n, 2n]);
      const afterFirst = BigInt(Date.now() - 60_000);
      assert.deepEqual([await endFor(0, afterFirst), await endFor(1, afterFirst)], [0n, 0n]);
      await producer.abort();
      await producer.settled();
      assert.equal(await endFor(1, -1n), 5n);
    });
  });
}
