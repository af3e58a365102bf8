import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { partsOf } from '../../../../src/cluster/tail/tailRowParts.ts';
import type { KafkaRecord } from '../../../../src/protocol/records/recordReader.ts';
import type { RowPart } from '../../../../src/shared/contracts/tailRows.ts';

const record: KafkaRecord = {
  offset: 0n,
  timestamp: 0n,
  key: null,
  value: Buffer.from(
    '{"id":9007199254740993,"customer":{"id":"c1","tags":["a",{"b":1.50}]},"note":null,"blank":""}',
  ),
  headers: [
    { key: Buffer.from('trace'), value: Buffer.from('first') },
    { key: Buffer.from('trace'), value: Buffer.from('last') },
    { key: Buffer.from('none'), value: null },
  ],
};
const json = (path: string): RowPart => ({ kind: 'json', path });
const header = (name: string): RowPart => ({ kind: 'header', name });
const shown = (part: RowPart, of = record): unknown => {
  const [found] = partsOf(of, [part], {});
  return found && 'text' in found ? found.text : (found?.kind ?? null);
};

describe('parts of a record in columns of their own', () => {
  const cases: [RowPart, unknown][] = [
    [json('id'), '9007199254740993'],
    [json('customer.id'), 'c1'],
    [json('customer.tags.0'), 'a'],
    [json('customer.tags.1'), '{"b":1.50}'],
    [json('note'), 'null'],
    [json('blank'), 'empty'],
    [json('id.rawJSON'), null],
    [json('missing'), null],
    [json('customer.id.length'), null],
    [json('constructor'), null],
    [header('trace'), 'last'],
    [header('none'), 'null'],
    [header('absent'), null],
  ];
  for (const [part, expected] of cases) {
    it(`${part.kind === 'json' ? `.${part.path}` : part.name} is ${String(expected)} [D9]`, () => {
      assert.equal(shown(part), expected);
    });
  }

  it('are none of a value that is no JSON [D9]', () => {
    assert.equal(shown(json('id'), { ...record, value: Buffer.from('{"id":') }), null);
    assert.equal(shown(json('id'), { ...record, value: null }), null);
  });
});
