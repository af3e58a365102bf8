import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { countedById, OpenConnections } from '../../../src/broker/openConnections.ts';

describe('The open connections', () => {
  it('[A1] are known by the client id of the latest request, until they close', () => {
    const open = new OpenConnections();
    const [first, second, third] = [1, 2, 3].map(() => new AbortController());
    assert.ok(first && second && third);
    open.note(first.signal, '');
    open.note(first.signal, 'billing');
    open.note(second.signal, 'audit');
    open.note(third.signal, 'billing');
    const billing = { clientId: 'billing', connections: 2 };
    const audit = { clientId: 'audit', connections: 1 };
    assert.deepEqual(countedById(open.clientIds), [billing, audit]);
    first.abort();
    open.note(first.signal, 'billing');
    third.abort();
    assert.deepEqual(countedById(open.clientIds), [audit]);
  });
});
