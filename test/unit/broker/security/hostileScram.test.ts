import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ScramExchange } from '../../../../src/broker/security/saslScram.ts';

const credential = {
  salt: Buffer.from('salt'),
  iterations: 4096,
  storedKey: Buffer.alloc(32),
  serverKey: Buffer.alloc(32),
};

describe('A SCRAM message of a client that is not let in yet', () => {
  // Each equals sign could once be the one that ends an extension's name: two to the power of them ways.
  const extensions = ',==='.repeat(10_000);
  const begin = (): ScramExchange =>
    new ScramExchange({ mechanism: 'SCRAM-SHA-256', credentialOf: () => credential, nonce: 'n' });

  it('[A9] is refused at once, whatever its extensions are', () => {
    assert.throws(
      () => begin().step(Buffer.from(`n,,n=a,r=b${extensions},`)),
      /invalid credentials/,
    );
    const exchange = begin();
    exchange.step(Buffer.from('n,,n=a,r=b'));
    assert.throws(
      () => exchange.step(Buffer.from(`c=biws,r=bn${extensions},p=!`)),
      /invalid credentials/,
    );
  });
});
