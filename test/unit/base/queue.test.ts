import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Queue } from '../../../src/base/queue.ts';

describe('a queue', () => {
  it('gives out what came in, in order, however it grows and shrinks meanwhile', () => {
    const queue = new Queue<number>();
    const given: (number | undefined)[] = [];
    let pushed = 0;
    for (let round = 0; round < 50; round++) {
      for (let each = 0; each < 200; each++) queue.push(pushed++);
      for (let each = 0; each < 150; each++) given.push(queue.shift());
      assert.equal(queue.size, pushed - given.length);
    }
    while (queue.size > 0) given.push(queue.shift());
    assert.deepEqual(given, [...Array(pushed).keys()]);
    assert.equal(queue.shift(), undefined);
  });
});
