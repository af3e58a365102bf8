import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TailColumn } from '../../../src/shared/contracts/tailColumns.ts';
import { fittingColumns } from '../../../webview/tail/fittingColumns.ts';

const all: readonly TailColumn[] = (
  ['time', 'partition', 'offset', 'key', 'value', 'headers', 'size'] as const
).map((kind) => ({ kind }));
const most = all.map((column) => (column.kind === 'size' ? { ...column, hidden: true } : column));
const kinds = (columns: readonly TailColumn[], widthPx: number, listed = {}): string => {
  const of = { hasDays: false, hasOnePartition: true, ...listed };
  const fitting = fittingColumns(columns, { widthPx, characterPx: 7 }, of);
  return [
    ...fitting.columns.map(({ kind }) => kind),
    ...(fitting.isNarrow ? ['narrow'] : []),
  ].join();
};

describe('the columns that there is room for', () => {
  it('give way in the order of what they are worth, and time, offset, key and value never do', () => {
    assert.equal(kinds(all, 800), 'time,partition,offset,key,value,headers,size');
    assert.equal(kinds(all, 620), 'time,partition,offset,key,value,headers');
    assert.equal(kinds(all, 540), 'time,partition,offset,key,value');
    assert.equal(kinds(all, 500), 'time,offset,key,value');
    assert.equal(kinds(all, 300), 'time,offset,key,value,narrow');
    assert.equal(kinds(all, 620, { hasDays: true }), 'time,partition,offset,key,value');
  });

  it('have the partition where there are several, of which the offsets would be mixed', () => {
    const several = { hasOnePartition: false };
    assert.equal(kinds(all, 540, several), 'time,partition,offset,key,value');
    assert.equal(kinds(all, 500, several), 'time,partition,offset,key,value,narrow');
  });

  it('are all of them before anything is laid out, and those that were chosen', () => {
    assert.equal(kinds(most, 0), 'time,partition,offset,key,value,headers');
    assert.equal(kinds([{ kind: 'size' }], 20), 'size,narrow');
    const own: TailColumn[] = [...most, { kind: 'header', name: 'trace' }];
    assert.equal(kinds(own, 300), 'time,offset,key,value,header,narrow');
  });

  it('do not give way to one that a person has widened, and take the room of one that is narrower', () => {
    const withWidth = (width: number): TailColumn[] =>
      all.map((column) => (column.kind === 'value' ? { ...column, width } : column));
    assert.equal(kinds(withWidth(900), 800), kinds(all, 800));
    assert.equal(kinds(withWidth(900), 620), kinds(all, 620));
    assert.equal(kinds(withWidth(60), 620), kinds(all, 800));
  });
});
