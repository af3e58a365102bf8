import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  physicalHeight,
  rowsInView,
  toPhysical,
  topToReveal,
  toVirtual,
} from '../../../webview/kit/virtualWindow.ts';

const small = { count: 1000, rowHeight: 22, viewHeight: 440 };
const huge = { count: 5_000_000, rowHeight: 22, viewHeight: 440 };

describe('a list that fits', () => {
  it('scrolls at its own height', () => {
    assert.equal(physicalHeight(small), 22_000);
    assert.equal(toVirtual(1234, small), 1234);
    assert.equal(toPhysical(1234, small), 1234);
  });

  it('does not scroll past its ends', () => {
    assert.equal(toVirtual(-50, small), 0);
    assert.equal(toVirtual(99_999, small), 22_000 - 440);
    assert.equal(toPhysical(Infinity, small), 22_000 - 440);
  });
});

describe('a list that is taller than a browser can make an element', () => {
  it('stays below the largest height', () => assert.equal(physicalHeight(huge), 30_000_000));

  it('reaches its first and last row', () => {
    const last = physicalHeight(huge) - huge.viewHeight;
    assert.equal(toVirtual(0, huge), 0);
    assert.equal(toVirtual(last, huge), huge.count * 22 - 440);
    assert.equal(rowsInView(toVirtual(last, huge), huge, 0).end, huge.count);
  });

  it('finds again the row that it was scrolled to', () => {
    for (const row of [0, 1, 77, 2_500_000, 4_999_000]) {
      const top = toVirtual(toPhysical(row * 22, huge), huge);
      assert.ok(Math.abs(top - row * 22) < 1, `${row}: ${top}`);
    }
  });
});

describe('a list that does not fill its view', () => {
  for (const count of [0, 1, 20]) {
    const size = { count, rowHeight: 22, viewHeight: 440 };
    it(`has no way to scroll with ${count} rows`, () => {
      assert.equal(toVirtual(100, size), 0);
      assert.equal(toPhysical(Infinity, size), 0);
      assert.deepEqual(rowsInView(0, size, 4), { first: 0, end: count });
    });
  }
});

describe('rowsInView', () => {
  it('draws partly visible rows and the spare ones around them', () => {
    assert.deepEqual(rowsInView(225, small, 0), { first: 10, end: 31 });
    assert.deepEqual(rowsInView(225, small, 4), { first: 6, end: 35 });
  });
});

describe('topToReveal', () => {
  it('moves as little as shows the row whole', () => {
    assert.equal(topToReveal(10, 100, small), 100);
    assert.equal(topToReveal(3, 100, small), 66);
    assert.equal(topToReveal(40, 100, small), 41 * 22 - 440);
  });
});
