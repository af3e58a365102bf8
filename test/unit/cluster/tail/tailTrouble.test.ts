import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { TailTrouble } from '../../../../src/cluster/tail/tailTrouble.ts';

const down = new Error('its leader is down');
const deleted = new Error('the topic is gone');

describe('what keeps a tail from its partitions', () => {
  it('is told until each partition is read again, not only another one [D1] [B6]', () => {
    const trouble = new TailTrouble();
    trouble.add([1, 2], down);
    trouble.isOver(0);
    trouble.isOver(1);
    assert.equal(trouble.error, down);
    trouble.isOver(2);
    assert.equal(trouble.error, undefined);
  });

  it('is told for good of a partition that is read no more, before what may pass [D1] [B6]', () => {
    const trouble = new TailTrouble();
    trouble.add([0, 1], down);
    trouble.lasts(1, deleted);
    assert.equal(trouble.error, deleted);
    trouble.isOver(0);
    assert.equal(trouble.error, deleted);
  });
});
