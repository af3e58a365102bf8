import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { FetchMemory } from '../../../../src/broker/fetch/fetchMemory.ts';

describe('The memory for fetched records', () => {
  it('[A3] gives what is asked for while there is enough', () => {
    const memory = new FetchMemory(100);
    assert.equal(memory.take(60).bytes, 60);
    assert.equal(memory.take(60).bytes, 40);
    assert.equal(memory.take(60).bytes, 0);
  });

  it('[A3] has again what a share gives back', () => {
    const memory = new FetchMemory(100);
    const share = memory.take(100);
    share.hold(30);
    assert.equal(memory.take(100).bytes, 70);
    share.dispose();
    share.dispose();
    assert.equal(memory.take(100).bytes, 30);
  });

  it('[A3] notes what a batch took beyond its share', () => {
    const memory = new FetchMemory(100);
    memory.take(10).hold(150);
    assert.equal(memory.take(10).bytes, 0);
  });
});
