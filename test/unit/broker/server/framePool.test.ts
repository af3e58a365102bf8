import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { FramePool } from '../../../../src/broker/server/framePool.ts';
import { FrameSplitter } from '../../../../src/protocol/frameSplitter.ts';

const kibibyte = 1024;

function framed(payload: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeInt32BE(payload.length);
  return Buffer.concat([size, payload]);
}

describe('The pool of memory for requests', () => {
  it('gives at least what is asked for, and the same memory again once it is given back', () => {
    const pool = new FramePool();
    const first = pool.take(300 * kibibyte);
    assert.ok(first.length >= 300 * kibibyte);
    pool.give(first);
    assert.equal(pool.take(290 * kibibyte), first);
    assert.notEqual(pool.take(290 * kibibyte), first);
  });

  it('keeps 32 MiB at most', () => {
    const pool = new FramePool();
    const taken = Array.from({ length: 40 }, () => pool.take(1 << 20));
    for (const buffer of taken) pool.give(buffer);
    const again = Array.from({ length: 40 }, () => pool.take(1 << 20));
    assert.equal(again.filter((buffer) => taken.includes(buffer)).length, 32);
  });

  it('serves frame after frame with one piece of memory, and keeps frames apart until they are done with', () => {
    const splitter = new FrameSplitter(1 << 24, new FramePool());
    const seen = new Set<ArrayBufferLike>();
    for (let value = 1; value <= 20; value++) {
      const sent = framed(Buffer.alloc(900 * kibibyte, value));
      for (let at = 0; at < sent.length; at += 100_000)
        splitter.push(sent.subarray(at, at + 100_000));
      const frame = splitter.next();
      assert.ok(frame);
      assert.equal(frame.length, 900 * kibibyte);
      assert.ok(frame.every((byte) => byte === value));
      seen.add(frame.buffer);
      splitter.recycle();
    }
    assert.equal(seen.size, 1);
  });
});
