import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { countedById, OpenConnections } from '../../../src/broker/openConnections.ts';

describe('The open connections', () => {
  it('[A1] are known by the client id of the latest request, until they close', () => {
    const open = new OpenConnections();
    const add = (clientId: string) => {
      const [session, connection] = [{ clientId }, new AbortController()];
      open.add(session, connection.signal);
      return { session, connection };
    };
    const [first, , third] = [add(''), add('audit'), add('billing')];
    first.session.clientId = 'billing';
    const billing = { clientId: 'billing', connections: 2 };
    const audit = { clientId: 'audit', connections: 1 };
    assert.deepEqual(countedById(open.clientIds), [billing, audit]);
    first.connection.abort();
    open.add(first.session, first.connection.signal);
    third.connection.abort();
    assert.deepEqual(countedById(open.clientIds), [audit]);
  });
});
