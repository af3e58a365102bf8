import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { mementoProfileStore } from '../../../src/ui/stores.ts';

function memory(stored: unknown): {
  readonly memento: Parameters<typeof mementoProfileStore>[0];
  readonly stored: () => unknown;
} {
  return {
    memento: {
      get: () => stored as never,
      update: (_key, value) => Promise.resolve(void (stored = value)),
    },
    stored: () => stored,
  };
}

const first = {
  id: 'a',
  name: 'first',
  kind: 'remote',
  bootstrap: ['kafka:9092'],
  readOnly: false,
} as const;

describe('stored connections', () => {
  it('are those of earlier versions too, which had no security [B1]', () => {
    assert.deepEqual(mementoProfileStore(memory([first]).memento).load(), [first]);
  });

  it('keep how they are protected, and drop what does not belong there [B3]', () => {
    const security = {
      protocol: 'SASL_SSL',
      tls: { checkHostName: true, authorities: { file: 'ca.pem' } },
      sasl: { mechanism: 'PLAIN', username: 'alice' },
    } as const;
    const stored = {
      ...first,
      security: { ...security, sasl: { ...security.sasl, password: 'wonderland' } },
      isProduction: true,
      color: 'red',
    };
    assert.deepEqual(mementoProfileStore(memory([stored]).memento).load(), [
      { ...first, security, isProduction: true, color: 'red' },
    ]);
  });

  it('leave alone what another version has stored [B1]', async () => {
    const foreign = { ...first, id: 'b', security: { protocol: 'QUIC' } };
    const { memento, stored } = memory([foreign, first]);
    const store = mementoProfileStore(memento);
    assert.deepEqual(store.load(), [first]);
    await store.save([]);
    assert.deepEqual(stored(), [foreign]);
  });

  it('are none where the state holds something else', () => {
    assert.deepEqual(mementoProfileStore(memory('x').memento).load(), []);
  });
});
