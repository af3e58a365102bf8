import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import { apis } from '../../../src/protocol/apis.ts';
import { decodeResponse } from '../../../src/protocol/frames.ts';
import type { RawClient, Response } from '../broker/support/rawClient.ts';
import {
  connections,
  createTopic,
  errorName,
  freshName,
  patienceMs,
  servers,
} from '../broker/support/servers.ts';
import { consume, fetchOnce, type Protocol, RawProducer, versions } from './support/rawProducer.ts';

function endTxnAnswer(frame: Buffer | undefined): Response<'endTxn'> {
  assert(frame);
  return decodeResponse<(typeof apis)['endTxn']>(apis.endTxn, 5, frame).body;
}

for (const server of servers) {
  describe(`Transactions (${server.name})`, function () {
    this.timeout(patienceMs);
    const connect = connections(server);
    let client: RawClient;
    let topic: string;

    before(async () => {
      client = await connect();
    });

    beforeEach(async () => {
      topic = freshName();
      await createTopic(client, topic, { partitions: 2 });
    });

    const start = (protocol: Protocol = 'v2'): Promise<RawProducer> =>
      RawProducer.start(client, freshName('txn'), protocol);

    for (const protocol of Object.keys(versions) as Protocol[]) {
      describe(protocol, () => {
        const begin = async (producer: RawProducer, ...partitions: number[]): Promise<void> => {
          if (protocol === 'v2') return;
          const results = await producer.addPartitions(topic, ...partitions);
          assert.deepEqual(
            results,
            partitions.map(() => 'NONE'),
          );
        };

        it('[A6] shows readers of committed records a transaction once it is committed, everywhere', async () => {
          const producer = await start(protocol);
          await begin(producer, 0, 1);
          assert.equal(await producer.send(topic, ['a', 'b']), 'NONE');
          assert.equal(await producer.send(topic, ['c'], { partition: 1 }), 'NONE');
          assert.deepEqual(await consume(client, topic), []);
          assert.deepEqual(await consume(client, topic, { isReadCommitted: false }), ['a', 'b']);
          const { lastStableOffset, highWatermark } = await fetchOnce(client, topic);
          assert.deepEqual([lastStableOffset, highWatermark], [0n, 2n]);

          assert.equal(await producer.commit(), 'NONE');
          assert.equal(await producer.settled(), 'CompleteCommit');
          assert.deepEqual(await consume(client, topic), ['a', 'b']);
          assert.deepEqual(await consume(client, topic, { partition: 1 }), ['c']);
          const after = await fetchOnce(client, topic);
          assert.deepEqual([after.lastStableOffset, after.highWatermark], [3n, 3n]);
          assert.deepEqual(after.abortedTransactions, []);
        });

        it('[A6] never shows them what was aborted, and says which records that is', async () => {
          const producer = await start(protocol);
          await begin(producer, 0);
          await producer.send(topic, ['bad']);
          assert.equal(await producer.abort(), 'NONE');
          assert.equal(await producer.settled(), 'CompleteAbort');
          const { producerId } = producer;
          await begin(producer, 0);
          await producer.send(topic, ['good']);
          assert.equal(await producer.commit(), 'NONE');
          await producer.settled();
          assert.deepEqual(await consume(client, topic), ['good']);
          const { abortedTransactions, lastStableOffset } = await fetchOnce(client, topic);
          assert.deepEqual(abortedTransactions, [{ producerId, firstOffset: 0n }]);
          assert.equal(lastStableOffset, 4n);
        });

        it('[A6] aborts what a producer left open when the next one begins, and fences it', async () => {
          const old = await start(protocol);
          await begin(old, 0);
          await old.send(topic, ['left open']);
          const next = new RawProducer(client, old.transactionalId, protocol);
          assert.equal(await next.init(), 'NONE');
          assert.equal(next.producerId, old.producerId);
          assert(next.producerEpoch > old.producerEpoch);
          assert.deepEqual(await consume(client, topic), []);
          assert.equal(await old.send(topic, ['late']), 'INVALID_PRODUCER_EPOCH');
          assert.equal(await old.commit(), 'PRODUCER_FENCED');
          await begin(next, 0);
          assert.equal(await next.send(topic, ['mine']), 'NONE');
          assert.equal(await next.commit(), 'NONE');
          await next.settled();
          assert.deepEqual(await consume(client, topic), ['mine']);
        });

        it('[A6] refuses a batch of a transaction that the coordinator does not know of', async () => {
          const producer = await start('v1');
          const version = versions[protocol].produce;
          if (protocol === 'v2') producer.producerEpoch = 7;
          assert.equal(
            await producer.send(topic, ['stray'], { version }),
            protocol === 'v2' ? 'INVALID_PRODUCER_EPOCH' : 'TRANSACTION_ABORTABLE',
          );
          assert.equal((await fetchOnce(client, topic)).highWatermark, 0n);
        });
      });
    }

    it('[A6] with transactions v1, ends a transaction again only in the same way', async () => {
      const producer = await start('v1');
      assert.equal(await producer.commit(), 'INVALID_TXN_STATE');
      assert.equal(await producer.abort(), 'INVALID_TXN_STATE');
      await producer.addPartitions(topic, 0);
      assert.equal(await producer.commit(), 'NONE');
      await producer.settled();
      assert.equal(await producer.commit(), 'NONE');
      assert.equal(await producer.abort(), 'INVALID_TXN_STATE');
      await producer.addPartitions(topic, 0);
      assert.equal(await producer.abort(), 'NONE');
      await producer.settled();
      assert.equal(await producer.abort(), 'NONE');
      assert.equal(await producer.commit(), 'INVALID_TXN_STATE');
    });

    it('[A6] with transactions v2, gives every transaction an epoch, and knows a retry by it', async () => {
      const producer = await start();
      const { producerId } = producer;
      assert.equal(producer.producerEpoch, 0);
      assert.equal(errorName((await producer.endOnce(true)).errorCode), 'INVALID_TXN_STATE');
      await producer.send(topic, ['a']);
      const first = await producer.endOnce(true);
      assert.deepEqual(
        [first.errorCode, first.producerId, first.producerEpoch],
        [0, producerId, 1],
      );
      await producer.settled();
      const retry = await producer.endOnce(true);
      assert.deepEqual(
        [retry.errorCode, retry.producerId, retry.producerEpoch],
        [0, producerId, 1],
      );
      assert.equal(errorName((await producer.endOnce(false)).errorCode), 'INVALID_TXN_STATE');
      producer.become(producerId, 1);
      assert.equal(errorName((await producer.endOnce(true)).errorCode), 'INVALID_TXN_STATE');
      // An abort of nothing takes an epoch too: the producer may not know what reached the coordinator.
      const abort = await producer.endOnce(false);
      assert.deepEqual([abort.errorCode, abort.producerEpoch], [0, 2]);
      await producer.settled();
      producer.become(producerId, 5);
      assert.equal(errorName((await producer.endOnce(false)).errorCode), 'PRODUCER_FENCED');
    });

    it('[A6] with transactions v2, lets a producer that goes on before all markers are written wait', async () => {
      const wide = freshName();
      await createTopic(client, wide, { partitions: 50 });
      const producer = await start();
      const { transactionalId, producerId } = producer;
      await producer.addPartitions(wide, ...Array(50).keys());
      await producer.send(topic, ['a']);
      // The second is there already when the first has its answer.
      const request = { transactionalId, producerId };
      client.send('endTxn', 5, { ...request, producerEpoch: 0, committed: true });
      client.send('endTxn', 5, { ...request, producerEpoch: 1, committed: false });
      const committed = endTxnAnswer(await client.nextFrame());
      assert.deepEqual([committed.errorCode, committed.producerEpoch], [0, 1]);
      const early = errorName(endTxnAnswer(await client.nextFrame()).errorCode);
      assert(early === 'CONCURRENT_TRANSACTIONS' || early === 'NONE', early);
      producer.become(producerId, 1);
      assert.equal(await producer.abort(), 'NONE');
      assert.equal(producer.producerEpoch, 2);
      assert.equal(await producer.settled(), 'CompleteAbort');
      assert.deepEqual(await consume(client, topic), ['a']);
    });

    it('[A6] lets a producer go on after an error with a new epoch, and knows the retry (KIP-360)', async () => {
      const producer = await start('v1');
      const { transactionalId, producerId } = producer;
      const init = (producerEpoch: number, id = producerId) =>
        client.call('initProducerId', 4, {
          transactionalId,
          transactionTimeoutMs: 60_000,
          producerId: id,
          producerEpoch,
        });
      const bumped = await init(0);
      assert.deepEqual([bumped.errorCode, bumped.producerEpoch], [0, 1]);
      const again = await init(0);
      assert.deepEqual([again.errorCode, again.producerEpoch], [0, 1]);
      assert.equal(errorName((await init(7)).errorCode), 'PRODUCER_FENCED');
      assert.equal(errorName((await init(1, 987_654n)).errorCode), 'PRODUCER_FENCED');
      const newest = new RawProducer(client, transactionalId, 'v1');
      await newest.init();
      assert.equal(newest.producerEpoch, 2);
      assert.equal(errorName((await init(1)).errorCode), 'PRODUCER_FENCED');
    });

    it('[A6] tells clients before PRODUCER_FENCED that their epoch is not valid', async () => {
      const producer = await start('v1');
      const { transactionalId, producerId } = producer;
      const fenced = { transactionalId, producerId, producerEpoch: 5 };
      const init = await client.call('initProducerId', 3, { ...fenced, transactionTimeoutMs: 1 });
      assert.equal(errorName(init.errorCode), 'INVALID_PRODUCER_EPOCH');
      for (const version of [0, 1, 2, 3, 4]) {
        const expected = version < 2 ? 'INVALID_PRODUCER_EPOCH' : 'PRODUCER_FENCED';
        const end = await client.call('endTxn', version, { ...fenced, committed: true });
        assert.equal(errorName(end.errorCode), expected);
        const offsets = { ...fenced, groupId: 'group' };
        const added = await client.call('addOffsetsToTxn', version, offsets);
        assert.equal(errorName(added.errorCode), expected);
      }
    });

    it('[A6] says why an id, an epoch or a timeout will not do', async () => {
      const producer = await start('v1');
      const { transactionalId, producerId } = producer;
      const init = async (id: string, transactionTimeoutMs: number): Promise<string> => {
        const request = { transactionalId: id, transactionTimeoutMs };
        return errorName((await client.call('initProducerId', 4, request)).errorCode);
      };
      assert.equal(await init('', 60_000), 'INVALID_REQUEST');
      assert.equal(await init(transactionalId, 900_001), 'INVALID_TRANSACTION_TIMEOUT');
      assert.equal(await init(transactionalId, 0), 'INVALID_TRANSACTION_TIMEOUT');
      // Kafka's order is that of a hash.
      assert.deepEqual((await producer.addPartitions(topic, 0, 9)).sort(), [
        'OPERATION_NOT_ATTEMPTED',
        'UNKNOWN_TOPIC_OR_PARTITION',
      ]);
      const stranger = new RawProducer(client, transactionalId, 'v1');
      stranger.become(producerId + 999n, 0);
      assert.deepEqual(await stranger.addPartitions(topic, 0), ['INVALID_PRODUCER_ID_MAPPING']);
      assert.equal(await stranger.commit(), 'INVALID_PRODUCER_ID_MAPPING');
      stranger.become(producerId, 3);
      assert.deepEqual(await stranger.addPartitions(topic, 0), ['PRODUCER_FENCED']);
    });

    it('[A6] refuses records of two producers in one request', async () => {
      const producer = await start();
      const records = [
        producer.nextBatch(topic, 0, ['a']),
        (producer.become(producer.producerId + 1n, 0), producer.nextBatch(topic, 1, ['b'])),
      ];
      const { responses } = await client.call('produce', 12, {
        transactionalId: producer.transactionalId,
        acks: -1,
        timeoutMs: 1000,
        topicData: [
          {
            name: topic,
            partitionData: records.map((batch, index) => ({ index, records: batch })),
          },
        ],
      });
      const codes = responses[0]?.partitionResponses.map(({ errorCode }) => errorName(errorCode));
      assert.deepEqual(codes, ['INVALID_PRODUCER_ID_MAPPING', 'INVALID_PRODUCER_ID_MAPPING']);
    });

    it('[A6] adds and verifies partitions for brokers, many transactions at once', async () => {
      const [one, other] = [await start('v1'), await start('v1')];
      await one.addPartitions(topic, 0);
      const ask = async (verifyOnly: boolean, partitions: number[]) => {
        const { resultsByTransaction } = await client.call('addPartitionsToTxn', 5, {
          transactions: [one, other].map(({ transactionalId, producerId, producerEpoch }) => ({
            transactionalId,
            producerId,
            producerEpoch,
            verifyOnly,
            topics: [{ name: topic, partitions }],
          })),
        });
        const names = new Map(
          resultsByTransaction.map(({ transactionalId, topicResults }) => [
            transactionalId,
            topicResults.flatMap(({ resultsByPartition }) =>
              resultsByPartition.map(({ partitionErrorCode }) => errorName(partitionErrorCode)),
            ),
          ]),
        );
        return [one, other].map(({ transactionalId }) => names.get(transactionalId));
      };
      assert.deepEqual(await ask(true, [0]), [['NONE'], ['TRANSACTION_ABORTABLE']]);
      assert.deepEqual(await ask(false, [0]), [['NONE'], ['NONE']]);
      assert.deepEqual(await ask(true, [0]), [['NONE'], ['NONE']]);
    });
  });
}
