import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { systemClock } from '../../../../src/base/clock.ts';
import type { SaslStep } from '../../../../src/broker/security/saslExchange.ts';
import { anonymous, Session } from '../../../../src/broker/security/session.ts';

const sessionOf = (step: SaslStep): Session => {
  const begin = () => ({ step: () => step });
  const mechanisms = new Map([['OAUTHBEARER', { begin, maxReauthMs: 0 }]]);
  const sasl = { mechanisms, failureDelayMs: 0, maxReceiveBytes: 1, clock: systemClock };
  const session = new Session({ listener: 'SASL', sasl });
  session.handshake('OAUTHBEARER', 1);
  return session;
};

describe('A session', () => {
  it('[A9] is nobody’s whose credential holds for longer than there are nanoseconds', async () => {
    const longest = 2n ** 63n / 1_000_000n;
    const step = { token: Buffer.alloc(0), user: 'alice', lifetimeMs: Number(longest) + 5 };
    const session = sessionOf(step);
    let isTold = false;
    session.onDidAuthenticate = () => (isTold = true);
    await assert.rejects(session.authenticate(Buffer.alloc(0)), /292 years/);
    assert.deepEqual([session.principal, isTold], [anonymous, false]);
    assert.throws(() => session.admit('metadata'), /ClosingError/);
  });

  it('[A9] is that of who has shown a credential', async () => {
    const session = sessionOf({ token: Buffer.alloc(0), user: 'alice', lifetimeMs: 5000 });
    assert.equal((await session.authenticate(Buffer.alloc(0))).lifetimeMs, 5000);
    assert.equal(session.principal, 'User:alice');
    session.admit('metadata');
  });
});
