import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { internalTopicDecoder } from '../../../src/codec/internalTopics.ts';

describe('records of Kafka’s own topics', () => {
  const named: [number, RegExp][] = [
    [11, /^ShareGroupMetadata, record type 11: not decoded yet$/],
    [15, /^ShareGroupStatePartitionMetadata, record type 15/],
    [17, /^StreamsGroupMetadata, record type 17/],
    [23, /^StreamsGroupTopology, record type 23/],
    [999, /^Unknown, record type 999/],
  ];
  for (const [type, expected] of named) {
    it(`of type ${type} are named, and said not to be decoded yet [D7]`, () => {
      const key = Buffer.alloc(4);
      key.writeInt16BE(type);
      const decoder = internalTopicDecoder('__consumer_offsets') ?? assert.fail();
      const { key: decoded, value } = decoder(key, Buffer.from([0, 0]));
      assert.match('problem' in decoded ? decoded.problem : '', expected);
      assert.match(value && 'problem' in value ? value.problem : '', expected);
      assert.equal(decoder(key, null).value, undefined);
    });
  }

  it('are those of two topics', () => {
    assert.ok(internalTopicDecoder('__transaction_state'));
    assert.equal(internalTopicDecoder('__share_group_state'), undefined);
  });
});
