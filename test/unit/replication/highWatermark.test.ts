import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { highWatermarkOf } from '../../../src/replication/highWatermark.ts';

const inSync = (logEndOffset: bigint) => ({ logEndOffset, isInSync: true });
const lagging = (logEndOffset: bigint) => ({ logEndOffset, isInSync: false });

describe('the high watermark', () => {
  it('is the log end where there is one replica', () => {
    assert.equal(highWatermarkOf([inSync(7n)], 1, 3n), 7n);
  });

  it('is the smallest log end among the replicas in sync', () => {
    assert.equal(highWatermarkOf([inSync(9n), inSync(5n), lagging(2n)], 1, 0n), 5n);
  });

  it('never goes back', () => {
    assert.equal(highWatermarkOf([inSync(9n), inSync(5n)], 1, 6n), 6n);
  });

  it('holds still while fewer are in sync than min.insync.replicas', () => {
    assert.equal(highWatermarkOf([inSync(9n), lagging(5n), lagging(5n)], 2, 4n), 4n);
    assert.equal(highWatermarkOf([inSync(9n), inSync(8n), lagging(5n)], 2, 4n), 8n);
  });

  it('moves where there are fewer replicas than min.insync.replicas, and all are in sync', () => {
    assert.equal(highWatermarkOf([inSync(9n)], 2, 4n), 9n);
  });

  it('holds still where nobody is in sync', () => {
    assert.equal(highWatermarkOf([lagging(9n)], 1, 4n), 4n);
  });
});
