import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readNameFilter } from '../../../src/cluster/nameFilter.ts';

const names = ['orders', 'Orders.dead', 'payments', 'audit-log'];

describe('a filter of names', () => {
  const found = async (typed: string): Promise<string[]> => {
    const filter = readNameFilter(typed);
    assert.ok(filter);
    await filter.prepare(names);
    return names.filter((name) => filter.matches(name));
  };

  it('takes text for a part of the name, in capitals or not [C4]', async () => {
    assert.deepEqual(await found('ORDER'), ['orders', 'Orders.dead']);
    assert.deepEqual(await found('.'), ['Orders.dead']);
    assert.deepEqual(await found('js: 1'), []);
  });

  it('takes /…/ for a regular expression in RE2’s syntax [C4]', async () => {
    assert.deepEqual(await found('/^orders/'), ['orders']);
    assert.deepEqual(await found('/^orders/i'), ['orders', 'Orders.dead']);
    assert.deepEqual(await found('/^[ap].*[gs]$/'), ['payments', 'audit-log']);
  });

  it('is none where nothing is typed', () => {
    assert.equal(readNameFilter('  '), undefined);
  });

  it('says what is wrong with an expression [C4]', () => {
    assert.throws(() => readNameFilter('/(/'), /cannot be read/);
    assert.throws(() => readNameFilter(`/${'a'.repeat(20_000)}/`), /too long/);
  });

  it('judges names that came since it was prepared, and each only once [C4]', async () => {
    const filter = readNameFilter('/dead/');
    assert.ok(filter);
    await filter.prepare(names);
    assert.equal(filter.matches('new.dead'), true);
    await filter.prepare(['new.dead']);
    assert.equal(filter.matches('new.dead'), true);
    assert.equal(filter.matches('orders'), false);
  });
});
