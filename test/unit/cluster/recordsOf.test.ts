import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LagTally } from '../../../src/cluster/lag/lagReadable.ts';
import { recordsOf } from '../../../src/cluster/recordsOf.ts';
import { readFetchedBatches } from '../../../src/client/fetchedPartition.ts';
import { buildRecordBatch } from '../../../src/protocol/records/recordBatchBuilder.ts';

const words = {
  name: 'ProblemError',
  message: /^The batch at offset 40 could not be read: .*checksum/,
};

/** With a hole, so that its records have to be counted; its last byte is another than was written. */
function damagedBatch() {
  const records = [0, 5].map((offsetDelta) => ({ offsetDelta, value: Buffer.from('value') }));
  const bytes = buildRecordBatch({ baseOffset: 40n, records });
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
  const [batch] = readFetchedBatches(bytes, 40n, null);
  assert.ok(batch);
  return batch;
}

describe('a batch that is damaged or lies about itself', () => {
  it('is told by its offset and in words to who reads its records [E5]', () => {
    assert.throws(() => [...recordsOf(damagedBatch(), 40n)], words);
  });

  it('is told so to who counts what a group has left to read [G1]', () => {
    assert.throws(() => new LagTally(41n, 46n).add(damagedBatch()), words);
  });

  it('leaves other errors what they are', () => {
    const batch = damagedBatch();
    const records = (): never => {
      throw new TypeError('a fault of ours');
    };
    assert.throws(() => [...recordsOf({ ...batch, records }, 40n)], TypeError);
  });
});
