import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import { errorCodes } from '../../../src/protocol/errors.ts';
import { setPartitionLeaderEpoch } from '../../../src/protocol/records/recordBatch.ts';
import { decodeResponse } from '../../../src/protocol/frames.ts';
import { apis } from '../../../src/protocol/apis.ts';
import type { RawClient, RequestInput, Response } from './support/rawClient.ts';
import {
  batchOf,
  connections,
  createTopic,
  errorName,
  freshName,
  patienceMs,
  servers,
} from './support/servers.ts';

type Outcome = Response<'produce'>['responses'][number]['partitionResponses'][number];

function produceOf(
  topic: string,
  records: Buffer | null,
  { acks = -1, index = 0 }: { acks?: number; index?: number } = {},
): RequestInput<'produce'> {
  return {
    acks,
    timeoutMs: 10_000,
    topicData: [{ name: topic, partitionData: [{ index, records }] }],
  };
}

function outcomeOf({ responses }: Response<'produce'>): Outcome {
  const outcome = responses[0]?.partitionResponses[0];
  assert.ok(outcome);
  return outcome;
}

/** Kafka answers COORDINATOR_LOAD_IN_PROGRESS while it fetches its first block of ids. */
async function freshProducer(client: RawClient): Promise<Response<'initProducerId'>> {
  for (;;) {
    const answer = await client.call('initProducerId', 4, {
      transactionalId: null,
      transactionTimeoutMs: 60_000,
    });
    if (answer.errorCode !== errorCodes.COORDINATOR_LOAD_IN_PROGRESS) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

for (const server of servers) {
  describe(`Produce (${server.name})`, function () {
    this.timeout(patienceMs);
    const connect = connections(server);
    const topic = freshName();
    let client: RawClient;

    const produce = async (
      records: Buffer | null,
      {
        version = 9,
        name = topic,
        ...more
      }: { version?: number; name?: string; acks?: number; index?: number } = {},
    ): Promise<Outcome> =>
      outcomeOf(await client.call('produce', version, produceOf(name, records, more)));

    before(async () => createTopic(await connect(), topic));
    beforeEach(async () => {
      client = await connect();
    });

    it('[A3] gives records consecutive offsets, with acks 1 and all, in every version', async () => {
      const name = freshName();
      const topicId = await createTopic(client, name);
      for (let version = 3; version <= 12; version++) {
        const records = batchOf(['a', 'b']);
        const acks = version % 2 === 0 ? 1 : -1;
        const outcome = await produce(records, { name, version, acks });
        assert.equal(errorName(outcome.errorCode), 'NONE');
        assert.equal(outcome.baseOffset, BigInt((version - 3) * 2));
        assert.equal(outcome.logAppendTimeMs, -1n);
      }
      const byId = await client.call('produce', 13, {
        acks: -1,
        timeoutMs: 10_000,
        topicData: [{ topicId, partitionData: [{ index: 0, records: batchOf(['c']) }] }],
      });
      assert.equal(outcomeOf(byId).baseOffset, 20n);
      assert.equal(byId.responses[0]?.topicId, topicId);
    });

    it('[A3] tells LogAppendTime where the topic has it', async () => {
      const name = freshName();
      await createTopic(client, name, { configs: { 'message.timestamp.type': 'LogAppendTime' } });
      const outcome = await produce(batchOf([{ timestamp: 1n, value: Buffer.from('x') }]), {
        name,
      });
      const skewMs = Number(outcome.logAppendTimeMs) - Date.now();
      assert.ok(Math.abs(skewMs) < 60_000, `${outcome.logAppendTimeMs}`);
    });

    const corrupt = batchOf(['a']);
    corrupt.writeUInt8(corrupt.readUInt8(corrupt.length - 1) ^ 1, corrupt.length - 1);
    const twoBatches = Buffer.concat([batchOf(['a']), batchOf(['b'])]);
    const tooLarge = batchOf(['x'.repeat(1_100_000)]);
    const refusals: [string, Buffer | null, object, string][] = [
      ['a partition that is not there', batchOf(['a']), { index: 7 }, 'UNKNOWN_TOPIC_OR_PARTITION'],
      [
        'a topic that is not there',
        batchOf(['a']),
        { name: freshName() },
        'UNKNOWN_TOPIC_OR_PARTITION',
      ],
      ['acks that do not exist', batchOf(['a']), { acks: 2 }, 'INVALID_REQUIRED_ACKS'],
      ['two batches at once', twoBatches, {}, 'INVALID_RECORD'],
      ['an empty batch', Buffer.alloc(0), {}, 'INVALID_RECORD'],
      ['a wrong checksum', corrupt, {}, 'CORRUPT_MESSAGE'],
      ['a batch over max.message.bytes', tooLarge, {}, 'MESSAGE_TOO_LARGE'],
      [
        'zstd before version 7',
        batchOf(['a'], { compression: 'zstd' }),
        { version: 6 },
        'UNSUPPORTED_COMPRESSION_TYPE',
      ],
      ['a control batch', batchOf(['a'], { isControl: true }), {}, 'INVALID_RECORD'],
      [
        'a timestamp a day ahead',
        batchOf([{ timestamp: BigInt(Date.now() + 86_400_000), value: Buffer.from('a') }]),
        {},
        'INVALID_TIMESTAMP',
      ],
    ];
    for (const [what, records, more, error] of refusals) {
      it(`[A3] refuses ${what}: ${error}`, async () => {
        const outcome = await produce(records && Buffer.from(records), more);
        assert.equal(errorName(outcome.errorCode), error);
        assert.equal(outcome.baseOffset, -1n);
      });
    }

    it('[A3] names the records that made it refuse a batch', async () => {
      const name = freshName();
      await createTopic(client, name, { configs: { 'cleanup.policy': 'compact' } });
      const records = batchOf([{ key: Buffer.from('k'), value: Buffer.from('v') }, 'no key']);
      const outcome = await produce(records, { name });
      assert.equal(errorName(outcome.errorCode), 'INVALID_RECORD');
      assert.deepEqual(
        outcome.recordErrors.map(({ batchIndex }) => batchIndex),
        [1],
      );
      assert.notEqual(outcome.errorMessage, null);
    });

    it('[A3] does not know an unknown topic id', async () => {
      const response = await client.call('produce', 13, {
        acks: -1,
        timeoutMs: 1000,
        topicData: [
          {
            topicId: 'dGhlcmUtaXMtbm8tc3VjaA',
            partitionData: [{ index: 0, records: batchOf(['a']) }],
          },
        ],
      });
      assert.equal(errorName(outcomeOf(response).errorCode), 'UNKNOWN_TOPIC_ID');
    });

    it('[A3] keeps clients from writing internal topics', async () => {
      await client.call('findCoordinator', 4, { keyType: 0, coordinatorKeys: ['any'] });
      for (let attempt = 0; ; attempt++) {
        const outcome = await produce(batchOf(['a']), { name: '__consumer_offsets' });
        const error = errorName(outcome.errorCode);
        if (error === 'UNKNOWN_TOPIC_OR_PARTITION' && attempt < 100) {
          await new Promise((resolve) => setTimeout(resolve, 50));
          continue;
        }
        assert.equal(error, 'INVALID_TOPIC_EXCEPTION');
        break;
      }
    });

    it('[A3] sends no answer with acks 0, and the answers behind it are right', async () => {
      const name = freshName();
      await createTopic(client, name);
      client.send('produce', 9, produceOf(name, batchOf(['a', 'b']), { acks: 0 }));
      client.send('produce', 9, produceOf(name, batchOf(['c']), { acks: 0 }));
      const id = client.send('produce', 9, produceOf(name, batchOf(['d']), { acks: 1 }));
      const frame = await client.nextFrame();
      assert.ok(frame);
      const { correlationId, body } = decodeResponse(apis.produce, 9, frame);
      assert.equal(correlationId, id);
      assert.equal(outcomeOf(body).baseOffset, 3n);
    });

    it('[A3] closes the connection where a write with acks 0 fails', async () => {
      const other = await connect();
      other.send('produce', 9, produceOf(freshName(), batchOf(['a']), { acks: 0 }));
      assert.equal(await other.isClosedByServer(), true);
    });

    it('[A3] answers in the order of the requests', async () => {
      const other = await connect();
      const ids = Array.from({ length: 20 }, () =>
        other.send('produce', 9, produceOf(topic, batchOf(['x']), { acks: 1 })),
      );
      const answered: number[] = [];
      while (answered.length < ids.length) {
        answered.push((await other.nextFrame())?.readInt32BE(0) ?? -1);
      }
      assert.deepEqual(answered, ids);
    });

    it('[A6] takes a retried batch of an idempotent producer once', async () => {
      const name = freshName();
      await createTopic(client, name);
      const { producerId, producerEpoch } = await freshProducer(client);
      const batch = (baseSequence: number): Buffer =>
        batchOf(['a', 'b'], { producerId, producerEpoch, baseSequence });
      assert.equal((await produce(batch(0), { name })).baseOffset, 0n);
      assert.equal((await produce(batch(2), { name })).baseOffset, 2n);
      assert.equal((await produce(batch(0), { name })).baseOffset, 0n);
      assert.equal((await produce(batch(2), { name })).baseOffset, 2n);
      const gap = await produce(batch(8), { name });
      assert.equal(errorName(gap.errorCode), 'OUT_OF_ORDER_SEQUENCE_NUMBER');
      assert.equal((await produce(batch(4), { name })).baseOffset, 4n);
    });

    it('[A6] gives every idempotent producer an id of its own', async () => {
      const ids = new Set<bigint>();
      for (let i = 0; i < 20; i++) {
        const answer = await freshProducer(client);
        assert.equal(answer.errorCode, errorCodes.NONE);
        assert.equal(answer.producerEpoch, 0);
        ids.add(answer.producerId);
      }
      assert.equal(ids.size, 20);
    });

    it('[A6] refuses half of a producer id', async () => {
      const answer = await client.call('initProducerId', 4, {
        transactionalId: null,
        transactionTimeoutMs: 1,
        producerId: 5n,
      });
      assert.equal(errorName(answer.errorCode), 'INVALID_REQUEST');
    });

    it('[A3] takes a batch whose leader epoch the client made up', async () => {
      const records = batchOf(['a']);
      setPartitionLeaderEpoch(records, 77);
      assert.equal(errorName((await produce(records)).errorCode), 'NONE');
    });
  });
}
