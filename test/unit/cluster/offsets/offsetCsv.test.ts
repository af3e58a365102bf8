import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readOffsetCsv, writeOffsetCsv } from '../../../../src/cluster/offsets/offsetCsv.ts';

const lines = (text: string, group = 'billing'): string[] =>
  readOffsetCsv(text, group).offsets.map((of) => `${of.topic}-${of.partition}:${of.offset}`);

describe('the CSV of kafka-consumer-groups', () => {
  it('is read in the form of one group, quoted or not, and written so that it is read again [F6]', () => {
    const text = '\uFEFF"orders",0,12\r\norders, 1 ,9007199254740993\n\n';
    assert.deepEqual(lines(text), ['orders-0:12', 'orders-1:9007199254740993']);
    const { offsets } = readOffsetCsv(text, 'billing');
    assert.equal(writeOffsetCsv(offsets), 'orders,0,12\norders,1,9007199254740993\n');
  });

  it('is read in the form of several groups, of which one counts and the others are named [F6]', () => {
    const text = 'billing,orders,0,1\n"a ""b"", c",orders,0,2\nbilling,orders,1,3\n';
    assert.deepEqual(lines(text), ['orders-0:1', 'orders-1:3']);
    assert.deepEqual(readOffsetCsv(text, 'billing').otherGroups, ['a "b", c']);
    assert.deepEqual(lines(text, 'a "b", c'), ['orders-0:2']);
    assert.throws(
      () => readOffsetCsv(text, 'none'),
      /offsets of billing, a "b", c, and none of none/,
    );
  });

  it('takes the last line of a partition that stands twice, as the tool does [F6]', () => {
    assert.deepEqual(lines('orders,0,1\norders,0,2\n'), ['orders-0:2']);
  });

  it('refuses the whole at the first line that is neither, and shows it [F6]', () => {
    const wrong = [
      'orders,0,-1',
      'orders,0,9223372036854775808',
      'orders,x,1',
      'orders,0',
      'or/ders,0,1',
      'orders,0,1,',
      'a,orders,0,1',
      '"orders,0,1',
    ];
    for (const line of wrong) {
      assert.throws(
        () => readOffsetCsv(`orders,0,1\n${line}\n`, 'billing'),
        /^ProblemError: Line 2 is not topic,partition,offset: /,
        line,
      );
    }
    assert.throws(
      () => readOffsetCsv('orders,0,1\nx\norders,1,1\ny\nz,0\n', 'billing'),
      /Line 2 is not topic,partition,offset: x \(and 2 more\)$/,
    );
    assert.throws(() => readOffsetCsv('\n', 'billing'), /has no offsets/);
  });
});
