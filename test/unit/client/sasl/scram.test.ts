import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Random } from '../../../../src/base/random.ts';
import { saslPlain } from '../../../../src/client/sasl/saslPlain.ts';
import { scram } from '../../../../src/client/sasl/scram.ts';

const credentials = { username: 'user', password: 'pencil' };

/** A nonce chosen so that its base64url is the one that a test expects. */
function nonceOf(text: string): Random {
  return { bytes: () => new Uint8Array(Buffer.from(text, 'base64url')), below: () => 0 };
}

describe('SCRAM-SHA-256', () => {
  // The exchange of RFC 7677, section 3, whose nonce decodes to 15 bytes.
  const nonce = 'rOprNGfwEbeRWgbNEkqO';
  const serverFirst = `r=${nonce}%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096`;

  it('gives the proof of RFC 7677 and accepts its server signature', async () => {
    const exchange = scram('sha256', credentials, nonceOf(nonce));
    assert.equal(exchange.first().toString(), `n,,n=user,r=${nonce}`);
    assert.equal(
      (await exchange.next(Buffer.from(serverFirst)))?.toString(),
      `c=biws,r=${nonce}%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=`,
    );
    const final = Buffer.from('v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=');
    assert.equal(await exchange.next(final), undefined);
  });

  it('finds out a server that does not know the password', async () => {
    const exchange = scram('sha256', credentials, nonceOf(nonce));
    exchange.first();
    await exchange.next(Buffer.from(serverFirst));
    await assert.rejects(exchange.next(Buffer.from('v=AAAA')), /could not prove/);
  });

  it('says what the server says when it refuses', async () => {
    const exchange = scram('sha256', credentials, nonceOf(nonce));
    exchange.first();
    await exchange.next(Buffer.from(serverFirst));
    await assert.rejects(exchange.next(Buffer.from('e=invalid-proof')), /invalid-proof/);
  });

  for (const [what, message] of [
    ['a nonce that is not ours', 'r=other,s=QUJD,i=4096'],
    ['a nonce that the server did not add to', `r=${nonce},s=QUJD,i=4096`],
    ['too few iterations', `r=${nonce}x,s=QUJD,i=1`],
    ['so many iterations that we would hang', `r=${nonce}x,s=QUJD,i=999999999`],
    ['anything else', 'hello'],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const exchange = scram('sha256', credentials, nonceOf(nonce));
      exchange.first();
      await assert.rejects(exchange.next(Buffer.from(message)), { name: 'SaslError' });
    });
  }

  it('escapes the characters that SCRAM reserves in a user name', () => {
    const exchange = scram('sha256', { username: 'a=b,c', password: 'x' }, nonceOf(nonce));
    assert.match(exchange.first().toString(), /^n,,n=a=3Db=2Cc,r=/);
  });
});

describe('SASL PLAIN', () => {
  it('sends user name and password with NULs between', () => {
    assert.equal(saslPlain(credentials).first().toString(), '\0user\0pencil');
  });

  it('refuses a NUL within them', () => {
    assert.throws(() => saslPlain({ username: 'a\0b', password: 'x' }), { name: 'SaslError' });
  });
});
