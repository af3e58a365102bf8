import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ProduceDraft } from '../../../src/shared/contracts/produce.ts';
import {
  partitionWords,
  payloadWords,
  problemsByField,
  readPartition,
  suggestTopics,
} from '../../../webview/produce/draftRules.ts';

const draft: ProduceDraft = {
  topic: 'orders',
  partition: null,
  key: { kind: 'text', text: 'a' },
  value: { kind: 'null' },
  headers: [],
  timestamp: null,
  acks: 'all',
  compression: 'none',
  delivery: 'plain',
};

describe('readPartition', () => {
  it('takes nothing as a choice by the key', () => {
    assert.equal(readPartition(''), null);
    assert.equal(readPartition('  '), null);
  });
  it('takes an int32', () => {
    assert.equal(readPartition(' 0 '), 0);
    assert.equal(readPartition('2147483647'), 2_147_483_647);
  });
  for (const text of ['-1', '2147483648', '1.5', '1e3', 'auto', '99999999999']) {
    it(`refuses ${text}`, () => assert.equal(readPartition(text), undefined));
  }
});

describe('suggestTopics', () => {
  const topics = ['audit', 'my-orders', 'Orders', 'orders.dlq'].map((name) => ({
    name,
    partitionCount: 1,
  }));
  it('finds a part of the name in any case, beginnings first', () =>
    assert.deepEqual(
      suggestTopics(topics, ' orders').map(({ name }) => name),
      ['Orders', 'orders.dlq', 'my-orders'],
    ));
  it('offers a bounded number', () => {
    const many = Array.from({ length: 10_000 }, (_, i) => ({ name: `t${i}`, partitionCount: 1 }));
    assert.equal(suggestTopics(many, '').length, 50);
  });
});

describe('problemsByField', () => {
  it('gives every field its first problem, and every header by its place', () => {
    const { fields, headers } = problemsByField([
      { field: 'key', message: 'one' },
      { field: 'key', message: 'two' },
      { field: 'headers.1.value', message: 'three' },
      { field: 'headers.1.key', message: 'four' },
      { field: '__proto__', message: 'five' },
    ]);
    assert.equal(fields.get('key'), 'one');
    assert.deepEqual([...headers], [[1, 'three']]);
  });
});

describe('partitionWords', () => {
  it('says who decides', () => {
    assert.match(partitionWords({ ...draft, partition: 4 }, 4), /Partition 4, as set/);
    assert.match(partitionWords(draft, 2), /Partition 2, by the key, as Java/);
    assert.match(partitionWords({ ...draft, key: { kind: 'null' } }, undefined), /no key/);
  });
});

describe('payloadWords', () => {
  it('tells null from empty', () => {
    assert.equal(payloadWords({ kind: 'null' }, undefined), '⌀ null');
    assert.equal(payloadWords({ kind: 'text', text: '' }, 'empty (0 bytes)'), 'empty (0 bytes)');
  });
});
