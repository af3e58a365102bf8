import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { changedList, javaTrim, listToLookAt } from '../../../../src/broker/config/configText.ts';

/** Counts the characters that are looked at. */
class Counted extends String {
  reads = 0;

  override charCodeAt(index: number): number {
    this.reads++;
    return super.charCodeAt(index);
  }
}

/** Counts the searches that go from item to item. */
function searchesIn(work: () => void): number {
  const { indexOf } = Array.prototype;
  let searches = 0;
  Array.prototype.indexOf = function (...args: [unknown, number?]) {
    searches++;
    return indexOf.apply(this, args);
  };
  try {
    work();
  } finally {
    Array.prototype.indexOf = indexOf;
  }
  return searches;
}

describe('the text of a config', () => {
  it('loses blanks and control characters at both ends, and no others', () => {
    assert.equal(javaTrim(' \t\0a b\u00a0\n '), 'a b\u00a0');
    assert.equal(javaTrim(' \n '), '');
    assert.equal(javaTrim(''), '');
  });

  it('is not gone through for the blanks inside', () => {
    const inside = `a${' '.repeat(32_000)}b`;
    const text = new Counted(` ${inside}\n`);
    assert.equal(javaTrim(text as unknown as string), inside);
    assert.equal(text.reads, 4);
  });
});

describe('a list that is changed', () => {
  it('has what is appended once, behind what was there', () => {
    assert.equal(changedList('b,,a', 'append', 'c,a,c, a'), 'b,a,c, a');
    assert.equal(changedList('', 'append', ''), '');
  });

  it('loses one for each that is taken away, the first of them first', () => {
    assert.equal(changedList('a,b,a,c,a', 'subtract', 'a,x,a,c'), 'b,a');
    assert.equal(changedList('a,b', 'subtract', ' a'), 'a,b');
  });

  it('is looked at by a broker with what is appended twice, and with empty items', () => {
    assert.equal(listToLookAt('b,,a', 'append', 'c,a,c'), 'b,,a,c,c');
    assert.equal(listToLookAt('', 'append', 'a,a'), 'a,a');
    assert.equal(listToLookAt('b,,a,b', 'subtract', 'b'), ',a,b');
  });

  it('is not searched for each item of the change', () => {
    const items = Array.from({ length: 5000 }, (_, n) => n.toString(36));
    const searches = searchesIn(() => {
      assert.equal(changedList(items.join(','), 'append', items.join(',')), items.join(','));
      assert.equal(changedList(items.join(','), 'subtract', items.join(',')), '');
    });
    assert.equal(searches, 0);
  });
});
