// What the decoder says that lists take, beside what they take.
import assert from 'node:assert/strict';
import v8 from 'node:v8';
import vm from 'node:vm';
import { describe, it } from 'mocha';
import { type ApiName, apis } from '../../../src/protocol/apis.ts';
import { ByteReader } from '../../../src/protocol/byteReader.ts';
import { decodeMessage, encodeMessage } from '../../../src/protocol/messageCodec.ts';

const count = 20_000;
const numbers = Array.from({ length: count }, (_, index) => index);

const fetchOf = (partition: number) => ({
  partition,
  fetchOffset: BigInt(partition),
  partitionMaxBytes: 1,
});
const protocolOf = (index: number) => ({ name: `protocol-${index}`, metadata: Buffer.alloc(8) });
const topicOf = (index: number) => ({
  name: `topic-${index}`,
  numPartitions: 1,
  replicationFactor: 1,
});
const quotaOf = (index: number) => ({
  entity: [{ entityType: 'user', entityName: `user-${index}` }],
  ops: [{ key: 'producer_byte_rate', value: index + 0.5, remove: false }],
});

v8.setFlagsFromString('--expose-gc');
const collectGarbage = vm.runInNewContext('gc') as () => void;

function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** Requests of many items, of each kind that there is. */
const requests: readonly [ApiName, version: number, body: object][] = [
  ['describeProducers', 0, { topics: [{ name: 'x', partitionIndexes: numbers }] }],
  ['deleteTopics', 5, { topicNames: numbers.map((index) => `topic-${index}`), timeoutMs: 1 }],
  ['deleteTopics', 6, { topics: numbers.map(() => ({ name: null })), timeoutMs: 1 }],
  [
    'fetch',
    12,
    { maxWaitMs: 1, minBytes: 1, topics: [{ topic: 'x', partitions: numbers.map(fetchOf) }] },
  ],
  [
    'joinGroup',
    9,
    {
      groupId: 'g',
      sessionTimeoutMs: 1,
      memberId: '',
      protocolType: 'consumer',
      protocols: numbers.map(protocolOf),
    },
  ],
  ['createTopics', 7, { topics: numbers.map(topicOf), timeoutMs: 1 }],
  ['alterClientQuotas', 1, { entries: numbers.map(quotaOf), validateOnly: true }],
];

describe('What decoded lists take by estimate', () => {
  for (const [name, version, body] of requests) {
    it(`[A3] is what they take, or a little more: ${name} v${version}`, () => {
      const { request } = apis[name];
      const bytes = encodeMessage(request, version, body);
      const share = (): number => {
        const before = heapBytes();
        const reader = new ByteReader(bytes);
        const message = decodeMessage(request, version, reader);
        const taken = heapBytes() - before;
        assert.ok(Object.keys(message).length > 0); // it is there until here
        // Characters of strings are part of the request's own bytes, twice where each takes two.
        return taken / (reader.heapBytes + bytes.length);
      };
      const isNear = (each: number): boolean => each > 1 / 4 && each < 1.25;
      const shares = [share()];
      // What others left behind may go meanwhile: once is not always.
      while (shares.length < 4 && !shares.some(isNear)) shares.push(share());
      assert.ok(shares.some(isNear), `of what was estimated: ${shares.join(', ')}`);
    });
  }
});
