import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withoutListenerAndMechanism } from '../../../../src/broker/config/listenerPrefix.ts';

describe('what listeners go by', () => {
  it('is found behind their names and mechanisms', () => {
    const found: readonly (readonly [string, string | undefined])[] = [
      ['listener.name.a.ssl.keystore.type', 'ssl.keystore.type'],
      ['listener.name.a.b.plain.sasl.jaas.config', 'sasl.jaas.config'],
      ['listener.name.ssl.ssl.ssl.x', 'ssl.ssl.x'],
      ['listener.name.a.max.connections', 'max.connections'],
      ['listener.name.a.max.connections.per.ip', 'connections.per.ip'],
      ['listener.name.a.ssl.', undefined],
      ['listener.name.ssl.x', undefined],
      ['listener.name.A.ssl.x', undefined],
      ['listener.name.a.ssl.x\n', undefined],
      ['ssl.x', undefined],
    ];
    for (const [name, own] of found) assert.equal(withoutListenerAndMechanism(name), own, name);
  });

  it('is not looked for from each dot of a name to its end', () => {
    // That would be a million times a million characters, and not come to an end.
    const parts = '.ssl'.repeat(1_000_000);
    assert.equal(withoutListenerAndMechanism(`listener.name.a${parts}\n`), undefined);
    assert.equal(withoutListenerAndMechanism(`listener.name.a${parts}`), parts.slice(1));
  });
});
